// Several vehicles in one world, where they can collide: in sim/'s own physics or in another one.
//
//     const kerb_sim_group_physics* physics = &kerb_sim_group_own;
//     void* group = physics->make(count, &allocator);
//     physics->put(group, i, &model, &ground, position, heading);          // at rest
//     each step:
//         kerb_sim_group_input inputs[…] = controls, and the ground below physics->foot(group, i);
//         touches = physics->step(group, inputs, 1.0f / 240.0f, found, KERB_SIM_GROUP_TOUCHES);
//         kerb_motion motion = physics->motion(group, i);
//     physics->destroy(group);
//
// Vehicles have the numbers 0 to count - 1. A vehicle that was not put, or was taken out, does not
// exist; its input is not read. Each vehicle has ground of its own, so bridges are possible.
#ifndef KERB_SIM_GROUP_H
#define KERB_SIM_GROUP_H

#include "kerb/base.h"
#include "sim/vehicle.h"

#define KERB_SIM_GROUP_MOST 64     ///< vehicles
#define KERB_SIM_GROUP_TOUCHES 512 ///< room for all that can touch in a step

/// What one vehicle gets for a step.
typedef struct kerb_sim_group_input {
    const kerb_controls* controls;
    kerb_sim_ground ground; ///< its height is that below the vehicle
} kerb_sim_group_input;

/// Two vehicles that touch. A pair comes at most once a step.
typedef struct kerb_sim_group_touch {
    int32_t a, b;        ///< a < b
    float closing_speed; ///< before; 0 when resting or parting [m/s]
} kerb_sim_group_touch;

/// A physics of several vehicles. The functions but make, put and step allocate nothing.
typedef struct kerb_sim_group_physics {
    const char* name;
    /// Empty. [count: 1 … KERB_SIM_GROUP_MOST] NULL: no memory. The allocator must outlive it.
    void* (*make)(int32_t count, const kerb_allocator* allocator);
    /// At rest, the reference point at `position`; again, with the model that it had first: puts it
    /// elsewhere, which never fails. False: no memory, or a model that this physics has not.
    bool (*put)(void* group, int32_t vehicle, const kerb_sim_model* model,
                const kerb_sim_ground* ground, kerb_vec3 position, float heading);
    /// For good. Harmless for one that is not there.
    void (*take_out)(void* group, int32_t vehicle);
    /// Where a vehicle wants to know the ground.
    kerb_vec3 (*foot)(const void* group, int32_t vehicle);
    /// Moves all of them, and pushes those apart that touch: returns how many pairs, in `touches`
    /// at most `most`. [time_step: > 0, at most 1/240 s]
    int32_t (*step)(void* group, const kerb_sim_group_input* inputs, float time_step,
                    kerb_sim_group_touch* touches, int32_t most);
    kerb_motion (*motion)(const void* group, int32_t vehicle);
    /// For who pushes them himself, off walls: a vehicle's body, and the body back.
    kerb_sim_body (*body)(const void* group, int32_t vehicle);
    void (*set_body)(void* group, int32_t vehicle, const kerb_sim_body* body);
    /// The share of its drag that others before it take, until it is told another. [0 … 1]
    void (*set_tow)(void* group, int32_t vehicle, float share);
    void (*destroy)(void* group); ///< harmless on NULL
} kerb_sim_group_physics;

/// Vehicles of sim/vehicle.h, pushed apart by kerb_sim_bodies_push. Deterministic to the bit; step
/// allocates nothing, put neither.
extern const kerb_sim_group_physics kerb_sim_group_own;

/// Which bodies touch: the order of the last time makes the next sort nearly free. Zero it to
/// start; the answer does not depend on it.
typedef struct kerb_sim_sweep {
    int32_t order[KERB_SIM_GROUP_MOST]; ///< bodies by their place along x
    int32_t ordered;                    ///< how many of them are in it
} kerb_sim_sweep;

/// Pushes bodies apart that touch; returns how many pairs do and writes the first `most`. Bodies
/// one above the other, on a bridge, do not touch; one whose position is not finite touches
/// nobody. O(count log count) or so for bodies that are spread out.
/// [count: 0 … KERB_SIM_GROUP_MOST]
int32_t kerb_sim_sweep_push(kerb_sim_sweep* sweep, kerb_sim_body* bodies, int32_t count,
                            kerb_sim_group_touch* touches, int32_t most);

#endif
