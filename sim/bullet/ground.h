// The static part of a Bullet world: ground, walls, posts and boxes from a kerb_sim_world.
#ifndef KERB_SIM_BULLET_GROUND_H
#define KERB_SIM_BULLET_GROUND_H

#include "sim/bullet/bullet.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

// Who is who in a collision.
enum {
    KERB_SIM_BULLET_CHASSIS = btBroadphaseProxy::DefaultFilter,
    KERB_SIM_BULLET_GROUND = btBroadphaseProxy::StaticFilter,
    KERB_SIM_BULLET_OBSTACLE = btBroadphaseProxy::KinematicFilter << 8
};

// What stands in a world, and the memory that Bullet only points to.
struct kerb_sim_bullet_ground {
    std::vector<float> heights;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    btRigidBody* plane = nullptr; // where there is no terrain
};

// Adds everything to `dynamics`; without terrain a level plane at `height`, whose user index is
// `owner`, for who tells grounds apart.
void kerb_sim_bullet_ground_fill(kerb_sim_bullet_ground* ground, const kerb_sim_world* world,
                                 float height, btDiscreteDynamicsWorld* dynamics, int owner = -1);

// Moves the plane: through `point`, at right angles to `normal`.
void kerb_sim_bullet_ground_move(kerb_sim_bullet_ground* ground, const btVector3& point,
                                 const btVector3& normal);

#endif
