// Several cars in one Bullet world, where they can collide.
//
// Each car drives on a plane of its own, which is moved under it before each step. Only its own
// wheels and body meet this plane; bodies meet one another by Bullet's contacts. Equal controls
// give equal bits on one machine. Steps should last 1/240 s. When bodies touch, Bullet allocates
// memory.
#ifndef KERB_SIM_BULLET_GROUP_H
#define KERB_SIM_BULLET_GROUP_H

#include "sim/bullet/bullet.h"
#include "sim/group.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const kerb_sim_group_physics kerb_sim_bullet_group;

/// An empty group, as kerb_sim_bullet_group.make, between the walls, posts and boxes of a world,
/// which is copied; its terrain and zones do not count. NULL: no memory.
void* kerb_sim_bullet_group_make(int32_t count, const kerb_sim_world* world);

/// What a ray meets there, ground apart.
typedef struct kerb_sim_bullet_group_hit {
    int32_t obstacle; ///< its index in the kerb_sim_world; -1: none
    int32_t vehicle;  ///< its number; -1: none
    float distance;   ///< along the ray [m]
    kerb_vec3 normal; ///< of the surface, unit
} kerb_sim_bullet_group_hit;

/// Casts a ray of `length` from `origin` along `direction`, a unit vector; the body of `self`, who
/// is there, does not answer. O(log obstacles)
kerb_sim_bullet_group_hit kerb_sim_bullet_group_cast(const void* all, int32_t self,
                                                     kerb_vec3 origin, kerb_vec3 direction,
                                                     float length);

/// True while a vehicle's body touches a wall, post or box.
bool kerb_sim_bullet_group_touching(const void* all, int32_t vehicle);

#ifdef __cplusplus
}
#endif

#endif
