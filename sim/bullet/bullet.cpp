// Purpose: one car in a Bullet world, behind a C interface.
// Idea:    The car is in car.cpp, the ground and the obstacles in ground.cpp.
// Cost:    That of Bullet: about twice as much on terrain as on a plane, and four times between
//          walls. Creation takes some milliseconds.
#include "sim/bullet/bullet.h"
#include "sim/bullet/car.h"
#include "sim/bullet/group.h"
#include "sim/bullet/ray.h"

#include <new>

namespace {

const float STEP_MOST = 1.0f / 240.0f;

// Bullet lets a body that leans on a wall float off by a hair and come back. [m]
const btScalar BULLET_TOUCH = btScalar(0.02);

// Rays of wheels see the ground and nothing else: not the body that they start in, and not the top
// of a post.
class ground_ray : public btVehicleRaycaster {
  public:
    explicit ground_ray(const btDynamicsWorld* dynamics) : dynamics_(dynamics) {
    }
    void* castRay(const btVector3& from, const btVector3& to,
                  btVehicleRaycasterResult& result) override {
        btCollisionWorld::ClosestRayResultCallback hit(from, to);
        hit.m_collisionFilterMask = KERB_SIM_BULLET_GROUND;
        dynamics_->rayTest(from, to, hit);
        if (!hit.hasHit())
            return nullptr;
        result.m_hitPointInWorld = hit.m_hitPointWorld;
        result.m_hitNormalInWorld = hit.m_hitNormalWorld.normalized();
        result.m_distFraction = hit.m_closestHitFraction;
        return const_cast<btCollisionObject*>(hit.m_collisionObject);
    }

  private:
    const btDynamicsWorld* dynamics_;
};

} // namespace

// In the order in which Bullet needs its parts; they go in reverse.
struct kerb_sim_bullet {
    kerb_sim_bullet_ground ground;
    kerb_sim_bullet_car car;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
};

namespace {

void build(kerb_sim_bullet* bullet, const kerb_sim_model& model, const kerb_sim_world* world,
           const kerb_sim_ground* told, kerb_vec3 position, float heading) {
    kerb_sim_ground level = {position.z, {0.0f, 0.0f, 1.0f}, 1.0f, {}};
    if (told == nullptr)
        told = &level;
    kerb_sim_ground ground = kerb_sim_world_ground(world, position, told);
    bullet->dynamics.setGravity(btVector3(0, 0, -KERB_GRAVITY));
    kerb_sim_bullet_ground_fill(&bullet->ground, world, ground.height, &bullet->dynamics);
    kerb_sim_bullet_car_make(&bullet->car, model, world,
                             std::make_unique<ground_ray>(&bullet->dynamics), ground, position,
                             heading);
    bullet->dynamics.addRigidBody(bullet->car.body.get(), KERB_SIM_BULLET_CHASSIS,
                                  KERB_SIM_BULLET_GROUND | KERB_SIM_BULLET_OBSTACLE);
    bullet->dynamics.addAction(bullet->car.vehicle.get());
    kerb_sim_bullet_set_ground(bullet, told);
}

bool is_touch(const btPersistentManifold& manifold, const btRigidBody* body) {
    const btCollisionObject* other =
        manifold.getBody0() == body ? manifold.getBody1() : manifold.getBody0();
    if (other->getBroadphaseHandle()->m_collisionFilterGroup != KERB_SIM_BULLET_OBSTACLE)
        return false;
    for (int i = 0; i < manifold.getNumContacts(); i++) {
        if (manifold.getContactPoint(i).getDistance() <= BULLET_TOUCH)
            return true;
    }
    return false;
}

} // namespace

// --------------------------------------------------------------------------- public

kerb_sim_bullet* kerb_sim_bullet_make(const kerb_sim_model* model, const kerb_sim_world* world,
                                      const kerb_sim_ground* ground, kerb_vec3 position,
                                      float heading, kerb_error* error) {
    if (model->vehicle.kind != KERB_VEHICLE_WHEELED) {
        kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "kind", 0, -1,
                       "Bullet's raycast vehicle has wheels: only wheeled vehicles drive in it");
        return nullptr;
    }
    try {
        auto bullet = std::make_unique<kerb_sim_bullet>();
        build(bullet.get(), *model, world, ground, position, heading);
        return bullet.release();
    } catch (const std::bad_alloc&) {
        kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "bullet", 0, -1,
                       "no memory for Bullet's world");
        return nullptr;
    }
}

void kerb_sim_bullet_set_ground(kerb_sim_bullet* bullet, const kerb_sim_ground* ground) {
    kerb_vec3 foot = kerb_sim_bullet_motion(bullet).position;
    foot.z = ground->height;
    bullet->car.grip = ground->grip;
    kerb_sim_bullet_ground_move(&bullet->ground, kerb_sim_bullet_vector(foot),
                                kerb_sim_bullet_vector(ground->normal));
}

void kerb_sim_bullet_step(kerb_sim_bullet* bullet, const kerb_controls* controls, float time_step) {
    kerb_sim_bullet_pedals wanted = kerb_sim_bullet_pedals_from(bullet->car.model, *controls);
    // A step that is longer by rounding alone is no reason for one more.
    int32_t steps = static_cast<int32_t>(time_step / STEP_MOST + 0.999f);
    steps = steps > 1 ? steps : 1;
    for (int32_t i = 0; i < steps; i++) {
        kerb_sim_bullet_car_drive(&bullet->car, wanted, time_step / static_cast<float>(steps));
        bullet->dynamics.stepSimulation(time_step / static_cast<float>(steps), 0);
    }
}

kerb_motion kerb_sim_bullet_motion(const kerb_sim_bullet* bullet) {
    return kerb_sim_bullet_car_motion(&bullet->car);
}

bool kerb_sim_bullet_touching(const kerb_sim_bullet* bullet) {
    for (int i = 0; i < bullet->dispatcher.getNumManifolds(); i++) {
        if (is_touch(*bullet->dispatcher.getManifoldByIndexInternal(i), bullet->car.body.get()))
            return true;
    }
    return false;
}

kerb_sim_bullet_hit kerb_sim_bullet_cast(const kerb_sim_bullet* bullet, kerb_vec3 origin,
                                         kerb_vec3 direction, float length) {
    btVector3 from = kerb_sim_bullet_vector(origin),
              way = kerb_sim_bullet_vector(direction) * length;
    kerb_sim_bullet_ray ray(from, way, nullptr);
    // Not const, because it keeps its stack.
    const_cast<kerb_sim_bullet*>(bullet)->broadphase.rayTest(from, from + way, ray);
    kerb_sim_bullet_hit hit = {-1, length, {0.0f, 0.0f, 0.0f}};
    if (ray.object() == nullptr)
        return hit;
    hit.obstacle = ray.object()->getUserIndex();
    hit.distance = static_cast<float>(ray.share()) * length;
    hit.normal = kerb_sim_bullet_to_kerb(ray.normal());
    return hit;
}

void kerb_sim_bullet_destroy(kerb_sim_bullet* bullet) {
    delete bullet;
}

// --------------------------------------------------------------------------- as a physics

namespace {

void* physics_make(const kerb_sim_model* model, const kerb_sim_world* world,
                   const kerb_sim_ground* road, kerb_vec3 position, float heading,
                   kerb_error* error) {
    return kerb_sim_bullet_make(model, world, road, position, heading, error);
}

void physics_step(void* vehicle, const kerb_controls* controls, const kerb_sim_ground* road,
                  float time_step) {
    auto* bullet = static_cast<kerb_sim_bullet*>(vehicle);
    kerb_sim_bullet_set_ground(bullet, road);
    kerb_sim_bullet_step(bullet, controls, time_step);
}

kerb_motion physics_motion(const void* vehicle) {
    return kerb_sim_bullet_motion(static_cast<const kerb_sim_bullet*>(vehicle));
}

bool physics_touching(const void* vehicle) {
    return kerb_sim_bullet_touching(static_cast<const kerb_sim_bullet*>(vehicle));
}

void physics_destroy(void* vehicle) {
    kerb_sim_bullet_destroy(static_cast<kerb_sim_bullet*>(vehicle));
}

} // namespace

const kerb_sim_physics kerb_sim_bullet_physics = {
    "bullet",         physics_make,    physics_step,          physics_motion,
    physics_touching, physics_destroy, &kerb_sim_bullet_group};
