// The interface of another physics in place of kerb_sim_vehicle, so that a course can be driven in
// both.
#ifndef KERB_SIM_PHYSICS_H
#define KERB_SIM_PHYSICS_H

#include "sim/group.h"
#include "sim/vehicle.h"
#include "sim/world.h"

/// One vehicle and its world, behind functions. `road` is the ground of worlds without terrain, and
/// the grip outside their zones; its height is that below the vehicle.
typedef struct kerb_sim_physics {
    const char* name;
    /// At rest, the reference point at `position`. The world must outlive it. NULL: see `error`.
    void* (*make)(const kerb_sim_model* model, const kerb_sim_world* world,
                  const kerb_sim_ground* road, kerb_vec3 position, float heading,
                  kerb_error* error);
    /// [time_step: > 0]
    void (*step)(void* vehicle, const kerb_controls* controls, const kerb_sim_ground* road,
                 float time_step);
    kerb_motion (*motion)(const void* vehicle);
    bool (*touching)(const void* vehicle); ///< a wall, post or box, now
    void (*destroy)(void* vehicle);        ///< harmless on NULL
    const kerb_sim_group_physics* group;   ///< several vehicles in one world; NULL: never
} kerb_sim_physics;

#endif
