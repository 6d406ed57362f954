// What a plan driver keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_PLAN_DRIVER_MEMORY_H
#define KERB_PRIVATE_PLAN_DRIVER_MEMORY_H

#include "../control.h"

/// What a driver has learned about what slows its vehicle down. The meaning may change between
/// versions.
typedef struct kerb_plan_driver_slowing {
    float lifted;   ///< without throttle for so long [s]
    float drag;     ///< what the engine brakes with then [m/s²]
    float brakes;   ///< their strength over that of the vehicle, as it says [1]
    float doubt[3]; ///< variances of drag and brakes, and what these share
} kerb_plan_driver_slowing;

/// What a driver has learned about what its throttle gives. The meaning may change between
/// versions.
typedef struct kerb_plan_driver_pull {
    float strength; ///< over what the vehicle says [1]
    float doubt;    ///< variance of that
    float told;     ///< acceleration that was asked of the engine, as it answers [m/s²]
    float coupled;  ///< in gear for so long [s]
} kerb_plan_driver_pull;

/// What a driver has learned about how its vehicle turns. The meaning may change between versions.
typedef struct kerb_plan_driver_turn {
    float gain;  ///< curvature over that which the vehicle says its wheels drive [1]
    float doubt; ///< variance of that
    float told;  ///< what the wheels drive, as the body follows [1/m]
} kerb_plan_driver_turn;

/// What a driver has learned about how its tyres slip. The meaning may change between versions.
typedef struct kerb_plan_driver_slip {
    float softness; ///< slip of the rear tyres over the sideways acceleration [rad s²/m]
    float doubt;    ///< variance of that
    float rate;     ///< of turning in the last frame [rad/s]
} kerb_plan_driver_slip;

// What a plan driver remembers.
typedef struct kerb_plan_driver_memory {
    float key[8];  ///< by which it knows the plan again
    int32_t piece; ///< where it is: the piece …
    float along;   ///< … and how far along it [m]
    int32_t phase; ///< driving, standing between legs, arrived
    float clock;   ///< time of the plan [s]
    float stood;   ///< between two legs, so far [s]
    float aside;   ///< how far off the plan it will get soon, as it sees it [m]
    float drift;   ///< left of where it points and tyres say, its rear axle goes [rad]
    float speed;   ///< of the last frame [m/s]
    float waits;   ///< for so long it has wanted to set off from rest [s]
    float answers; ///< from wanting to set off to rolling, as it has seen [s]
    kerb_plan_driver_slowing slowing;
    kerb_plan_driver_pull pull;
    kerb_plan_driver_turn turn;
    kerb_plan_driver_slip slip;
    kerb_speed_controller speed_control;
    kerb_gearbox gearbox;
} kerb_plan_driver_memory;

#endif
