// What the laws of steering and pedals keep between frames: parts of the memory of drivers.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because drivers are plain structs: the host has to
// know their size to hold, copy and restore them.
#ifndef KERB_PRIVATE_TRACK_MEMORY_H
#define KERB_PRIVATE_TRACK_MEMORY_H

#include "../control.h"
#include "../estimate.h"

enum { KERB_TRACK_TICKS = 32 }; // that are kept: longer than the longest delay

// What was asked for in the past, as means over ticks.
typedef struct kerb_asked_memory {
    float now;                     ///< asked for in the last frame
    float ticks[KERB_TRACK_TICKS]; ///< a ring
    int32_t tick;                  ///< the last whole one
    float time;                    ///< of the present tick that has passed [s]
    float sum;                     ///< integral over it
} kerb_asked_memory;

typedef struct kerb_track_memory {
    kerb_estimate estimate;  ///< what the vehicle does with its steering
    kerb_asked_memory asked; ///< curvatures of the travel [1/m]

    float delay;                     ///< from a command to its curvature [s]
    float doubt;                     ///< … its standard deviation [s]
    float gain;                      ///< curvature per command, over the description [1]
    float off;                       ///< what it steers beside what was asked [lock]
    float crab;                      ///< angle from its course to where the law expects it [rad]
    float lead_kk, lead_ka, lead_aa; ///< regression of the slip angle: normal matrix
    float lead_ky, lead_ay;          ///< … and right side
    float axle, slip;                ///< its result: [m] and [rad s²/m]
    bool steers_behind;              ///< its rear wheels steer
} kerb_track_memory;

typedef struct kerb_pedals_memory {
    kerb_speed_controller speed_control;
    float speed_command; ///< target speed after the limit of acceleration [m/s]
    float acceleration;  ///< of the commanded speed, smoothed [m/s²]
    float pulling;       ///< time since it began to set off uphill [s]
    float rolling;       ///< time for which it has rolled back at full throttle [s]
    float pushing;       ///< time at full throttle uphill [s]
    float holding;       ///< hill that is too steep: time left to hold [s]
    float hold_time;     ///< hill that is too steep: length of the present hold [s]
    int32_t hill_tries;  ///< number of attempts on that hill
    kerb_vec3 hill;      ///< where it held first on that hill [m]
    float late;          ///< by how much later than planned it stops [s]
    float stops_from;    ///< speed from which it brakes for a stop; 0: it does not [m/s]
} kerb_pedals_memory;

// What the wheels do at a command.
typedef struct kerb_wheels_memory {
    kerb_asked_memory asked; ///< commands that acted [-1 … 1]
    float lagged;            ///< share of the lock, delayed as the body responds [1]

    float trim, gain, bend; ///< share of the lock, of the command: see src/track/wheels.c [1]
    float delay;            ///< from a command to the wheels [s]
    float doubt[4][4];      ///< covariance of the four
    float axle;             ///< of the point that follows, ahead of the described rear axle [m]
    float axle_doubt;       ///< … its variance [m²]
} kerb_wheels_memory;

#endif
