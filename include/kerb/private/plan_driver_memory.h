// What a plan driver keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_PLAN_DRIVER_MEMORY_H
#define KERB_PRIVATE_PLAN_DRIVER_MEMORY_H

#include "../control.h"
#include "../host_check.h"
#include "hand_over_memory.h"
#include "motion_memory.h"
#include "track_memory.h"

/// What a driver has learned about the deceleration of its vehicle. The meaning may change between
/// versions.
typedef struct kerb_plan_driver_slowing {
    float lifted;   ///< time without throttle [s]
    float drag;     ///< deceleration by the engine without throttle [m/s²]
    float brakes;   ///< strength of the brakes, over that in kerb_vehicle [1]
    float doubt[3]; ///< variance of drag, of brakes, and their covariance
} kerb_plan_driver_slowing;

/// What a driver has learned about the strength of its throttle. The meaning may change between
/// versions.
typedef struct kerb_plan_driver_pull {
    float strength; ///< of the greatest acceleration, over that in kerb_vehicle [1]
    float doubt;    ///< variance of `strength`
} kerb_plan_driver_pull;

/// What a driver has learned about how its tyres slip. The meaning may change between versions.
typedef struct kerb_plan_driver_slip {
    float softness; ///< slip angle of the rear tyres per lateral acceleration [rad s²/m]
    float doubt;    ///< variance of `softness`
    float rate;     ///< yaw rate in the last frame [rad/s]
} kerb_plan_driver_slip;

// What a plan driver remembers.
typedef struct kerb_plan_driver_memory {
    float key[8];     ///< identifies the plan
    float top_speed;  ///< greatest of the plan [m/s]
    int32_t piece;    ///< index of the piece of the plan on which it is
    float along;      ///< distance along that piece [m]
    int32_t phase;    ///< driving, at standstill between legs, arrived
    float clock;      ///< present time of the plan [s]
    float place_time; ///< of the plan at the place where it was in the last frame [s]
    float stood;      ///< time at standstill between two legs [s]
    float aside;      ///< predicted cross-track error beyond the present one [m]
    float swing;      ///< greatest change of curvature to one side that begins soon [1/m]
    float drift;   ///< angle from the predicted motion of the rear axle to the left, smoothed [rad]
    float speed;   ///< in the last frame [m/s]
    float held;    ///< time for which it has braked to stand [s]
    bool creeps;   ///< it moved although its brakes were held
    float waits;   ///< time for which it has commanded throttle without rolling [s]
    float coupled; ///< time for which a gear has been engaged [s]
    float answers; ///< learned time from throttle to rolling [s]
    float rolled;  ///< time from throttle to rolling at its first start; 0: not yet [s]
    kerb_asked_memory pushes; ///< accelerations that the pedals were set for [m/s²]
    kerb_asked_memory brakes; ///< brake pedal [0 … 1]
    kerb_asked_memory pulls;  ///< throttle [0 … 1]
    kerb_plan_driver_slowing slowing;
    kerb_plan_driver_pull pull;
    kerb_wheels_memory wheels;
    kerb_plan_driver_slip slip;
    kerb_pedals_memory pedals;
    kerb_gearbox gearbox;
    kerb_host_check host_check;
    kerb_hand_over_memory hand_over;
    kerb_motion_memory motion;
    // Where it was before the host put it elsewhere.
    struct {
        int32_t piece, phase;
        float along;            ///< [m]
        float clock, postponed; ///< [s]
    } before_jump;
    float since_jump; ///< time since then; a second later the next jump counts for itself [s]
} kerb_plan_driver_memory;

#endif
