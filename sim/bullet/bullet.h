// A second, independent physics: the wheeled vehicles of sim/ as Bullet's raycast vehicle.
//
//     kerb_error error;
//     kerb_sim_bullet* vehicle =
//         kerb_sim_bullet_make(&model, &world, NULL, start, heading, &error);
//     each step:
//         kerb_sim_bullet_step(vehicle, &controls, 1.0f / 60.0f);
//         kerb_motion motion = kerb_sim_bullet_motion(vehicle);
//     kerb_sim_bullet_destroy(vehicle);
//
// This is the vehicle of a game engine: a rigid body on four springs, with wheels that do not slip
// sideways until their grip is spent. Mass, engine, gears, brakes, steering and grip are those of
// the kerb_sim_car_model. Nothing is fitted to make it drive like sim/car.h, so a driver has to
// learn it.
//
// Equal controls give equal bits in every run on one machine. Other machines have other builds of
// Bullet, so there is no golden hash. Different vehicles may step on different threads. Does not:
// simulate vehicles without wheels, or two vehicles in one world (see group.h).
#ifndef KERB_SIM_BULLET_BULLET_H
#define KERB_SIM_BULLET_BULLET_H

#include "kerb/vehicle.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "sim/physics.h"

typedef struct kerb_sim_bullet kerb_sim_bullet;

/// At rest on the ground, its reference point at `position`. The world must outlive it; its
/// heights are copied. Without terrain `ground` is what it stands on; NULL: level at `position`.
/// NULL with the reason in `error` (may be NULL) for models without wheels and when memory is
/// missing. O(terrain points + obstacles).
///
/// Four wheels: a carrier's eight stand as two axles, as in its kerb_sim_car_model. Between the
/// terrain's points the ground is two triangles, not bilinear as in kerb_sim_world_ground.
kerb_sim_bullet* kerb_sim_bullet_make(const kerb_sim_model* model, const kerb_sim_world* world,
                                      const kerb_sim_ground* ground, kerb_vec3 position,
                                      float heading, kerb_error* error);

/// For worlds without terrain, before each step: the plane under the vehicle, `height` being that
/// below its kerb_sim_bullet_motion().position.
void kerb_sim_bullet_set_ground(kerb_sim_bullet* bullet, const kerb_sim_ground* ground);

/// As many equal steps as make them no longer than 1/240 s. [time_step: > 0] Controls may be
/// anything, even NaN.
void kerb_sim_bullet_step(kerb_sim_bullet* bullet, const kerb_controls* controls, float time_step);

/// What the driver is told. The reference point lies at the height of the wheels' foot, so that it
/// is on the ground at rest; it nods and rolls with the body.
kerb_motion kerb_sim_bullet_motion(const kerb_sim_bullet* bullet);

/// True while the body touches a wall, post or box.
bool kerb_sim_bullet_touching(const kerb_sim_bullet* bullet);

/// What a ray meets in Bullet's world: walls, posts and boxes, neither ground nor vehicle.
typedef struct kerb_sim_bullet_hit {
    int32_t obstacle; ///< its index in the kerb_sim_world; -1: nothing
    float distance;   ///< along the ray [m]
    kerb_vec3 normal; ///< of the surface, unit
} kerb_sim_bullet_hit;

/// Casts a ray of `length` from `origin` along `direction`, a unit vector. O(log obstacles)
kerb_sim_bullet_hit kerb_sim_bullet_cast(const kerb_sim_bullet* bullet, kerb_vec3 origin,
                                         kerb_vec3 direction, float length);

/// Harmless on NULL.
void kerb_sim_bullet_destroy(kerb_sim_bullet* bullet);

/// All of the above as a physics.
extern const kerb_sim_physics kerb_sim_bullet_physics;

#ifdef __cplusplus
}
#endif

#endif
