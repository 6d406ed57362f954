// Purpose: the ground and the obstacles of a Bullet world.
// Idea:    Terrain is Bullet's height field. Its edge is repeated on all sides, because Bullet's
//          ground ends there and the ground of a kerb_sim_world does not. All obstacles are boxes
//          or cylinders that are taller than any slope.
// Cost:    O(terrain points + obstacles), once.
#include "sim/bullet/ground.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <algorithm>

namespace {

// How far the terrain goes on beyond its edge. [m]
const float MARGIN = 60.0f;
// How far obstacles reach above and below the ground. [m]
const float REACH = 30.0f;
const btScalar FRICTION = btScalar(0.6);

btRigidBody* add_body(kerb_sim_bullet_ground* ground, btCollisionShape* shape,
                      const btTransform& transform, int group, btDiscreteDynamicsWorld* dynamics,
                      int user_index = -1) {
    ground->shapes.emplace_back(shape);
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape);
    info.m_startWorldTransform = transform;
    info.m_friction = FRICTION;
    ground->bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody* body = ground->bodies.back().get();
    body->setUserIndex(user_index);
    dynamics->addRigidBody(body, group, KERB_SIM_BULLET_CHASSIS);
    return body;
}

void add_terrain(kerb_sim_bullet_ground* ground, const kerb_sim_terrain& terrain,
                 btDiscreteDynamicsWorld* dynamics) {
    int pad = static_cast<int>(MARGIN / terrain.spacing) + 1;
    int nx = terrain.nx + 2 * pad, ny = terrain.ny + 2 * pad;
    ground->heights.reserve(static_cast<size_t>(nx) * static_cast<size_t>(ny));
    for (int y = 0; y < ny; y++) {
        const float* row =
            terrain.heights +
            static_cast<ptrdiff_t>(std::clamp(y - pad, 0, terrain.ny - 1)) * terrain.nx;
        for (int x = 0; x < nx; x++)
            ground->heights.push_back(row[std::clamp(x - pad, 0, terrain.nx - 1)]);
    }
    auto range = std::minmax_element(ground->heights.begin(), ground->heights.end());
    auto* shape = new btHeightfieldTerrainShape(nx, ny, ground->heights.data(), *range.first,
                                                *range.second, 2, false);
    shape->setLocalScaling(btVector3(terrain.spacing, terrain.spacing, 1));
    // Bullet's origin is the middle of the field, in height as well.
    btVector3 middle(terrain.x + 0.5f * static_cast<float>(terrain.nx - 1) * terrain.spacing,
                     terrain.y + 0.5f * static_cast<float>(terrain.ny - 1) * terrain.spacing,
                     0.5f * (*range.first + *range.second));
    add_body(ground, shape, btTransform(btQuaternion::getIdentity(), middle),
             KERB_SIM_BULLET_GROUND, dynamics);
}

btRigidBody* add_obstacle(kerb_sim_bullet_ground* ground, const kerb_sim_obstacle& obstacle,
                          float low, float high, btDiscreteDynamicsWorld* dynamics) {
    float half = 0.5f * obstacle.thickness;
    float half_height = 0.5f * (high - low);
    kerb_vec2 along = kerb_vec2_sub(obstacle.to, obstacle.from);
    kerb_vec2 middle = obstacle.from;
    btQuaternion turn = btQuaternion::getIdentity();
    btCollisionShape* shape;
    if (obstacle.kind == KERB_SIM_POST) {
        shape = new btCylinderShapeZ(btVector3(half, half, half_height));
    } else {
        shape = new btBoxShape(btVector3(0.5f * kerb_vec2_length(along), half, half_height));
        middle = kerb_vec2_add(middle, kerb_vec2_scale(along, 0.5f));
        turn.setRotation(btVector3(0, 0, 1), kerb_atan2(along.y, along.x));
    }
    btVector3 place(middle.x, middle.y, 0.5f * (low + high));
    return add_body(ground, shape, btTransform(turn, place), KERB_SIM_BULLET_OBSTACLE, dynamics);
}

} // namespace

void kerb_sim_bullet_ground_fill(kerb_sim_bullet_ground* ground, const kerb_sim_world* world,
                                 float height, btDiscreteDynamicsWorld* dynamics, int owner) {
    float low = height, high = height;
    if (world->terrain.nx > 0) {
        add_terrain(ground, world->terrain, dynamics);
        low = *std::min_element(ground->heights.begin(), ground->heights.end());
        high = *std::max_element(ground->heights.begin(), ground->heights.end());
    } else {
        btTransform place(btQuaternion::getIdentity(), btVector3(0, 0, height));
        auto* plane = new btStaticPlaneShape(btVector3(0, 0, 1), 0);
        ground->plane = add_body(ground, plane, place, KERB_SIM_BULLET_GROUND, dynamics, owner);
    }
    for (int32_t i = 0; i < world->obstacle_count; i++)
        add_obstacle(ground, world->obstacles[i], low - REACH, high + REACH, dynamics)
            ->setUserIndex(i);
}

void kerb_sim_bullet_ground_move(kerb_sim_bullet_ground* ground, const btVector3& point,
                                 const btVector3& normal) {
    if (ground->plane == nullptr)
        return;
    btTransform place(shortestArcQuat(btVector3(0, 0, 1), normal), point);
    ground->plane->setWorldTransform(place);
    ground->plane->setInterpolationWorldTransform(place);
}
