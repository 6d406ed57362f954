// What a body estimate keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because an estimate is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_BODY_ESTIMATE_MEMORY_H
#define KERB_PRIVATE_BODY_ESTIMATE_MEMORY_H

#include "motion_memory.h"

enum {
    KERB_BODY_FOLLOWING = 4,                 // regressors of the axle that follows
    KERB_BODY_STEERED = 4,                   // … of the axle that steers, but its angle
    KERB_BODY_DELAYS = 8,                    // of the commands
    KERB_BODY_ANGLES = KERB_BODY_DELAYS + 1, // hypotheses of the angle: … and as told
    KERB_BODY_RING = 32,                     // ticks of the wheels that are kept
    KERB_BODY_GRIPS = 32,                    // hypotheses of the grip
    KERB_BODY_SHAPES = 3                     // … of the curve of the tyres
};

// Products of the regressors with one another and with what they explain.
typedef struct kerb_body_following_sums {
    float n, yy;
    float xx[KERB_BODY_FOLLOWING][KERB_BODY_FOLLOWING]; ///< upper half
    float xy[KERB_BODY_FOLLOWING];
    float apart; ///< of the curvature and the slip by which places and velocities differ
} kerb_body_following_sums;

typedef struct kerb_body_steered_sums {
    float n, yy;
    float xx[KERB_BODY_STEERED][KERB_BODY_STEERED]; ///< upper half
    float xy[KERB_BODY_STEERED];
    float ss[KERB_BODY_ANGLES]; ///< of the angle with itself
    float sy[KERB_BODY_ANGLES];
    float sx[KERB_BODY_STEERED][KERB_BODY_ANGLES]; ///< … with the other regressors
} kerb_body_steered_sums;

// What a body estimate remembers.
typedef struct kerb_body_estimate_memory {
    kerb_motion_memory last; ///< the last frame that could be used
    kerb_vec3 place;         ///< of the reference point in that frame [m]
    kerb_vec3 forward, left; ///< of the body in it
    float speed, side;       ///< velocity along and across the body in it [m/s]
    float yaw_rate;          ///< about the body's up axis in it [rad/s]
    float turned, step;      ///< mean yaw rate of the last frame, and its length [rad/s] [s]
    float told_wheel;        ///< kerb_motion.steering in it [1]

    float tick_time;            ///< of the present tick that has passed [s]
    float command;              ///< the last usable one [1]
    float wheel;                ///< modelled, behind the described rate [1]
    int32_t tick;               ///< row of the ring that was written last
    int32_t ticks_known;        ///< since the last start of the commands; at most a ring
    float ring[KERB_BODY_RING]; ///< modelled wheels, mean of each tick [1]

    kerb_vec3 window_forward, window_left; ///< at the start of the window
    kerb_vec3 window_velocity;             ///< … [m/s]
    float window_yaw_rate;                 ///< … [rad/s]
    float window_time;                     ///< that has passed [s]
    float window_distance, window_aside;   ///< along and across the body [m]
    float window_apart;                    ///< across: by places less by velocities [m]
    float window_wheel;                    ///< told angle, integrated [s]
    bool window_bad;                       ///< it must not teach
    int32_t windows_since_fit;             ///< windows that taught since the last fit

    kerb_body_following_sums following;
    kerb_body_steered_sums steered;

    // What the last fit found, for the grip.
    float lead; ///< from the axle that follows to the one that steers; negative: behind [m]
    float following_at, steered_at; ///< ahead of the reference point: where its force shows [m]
    float bend;          ///< slip over that of a linear tyre grows by it, times force² [s⁴/m²]
    float noise;         ///< variance of the slip of a window, by the last fit; 0: none yet [rad²]
    float steered_noise; ///< … of that of the axle that steers [rad²]
    float gain;          ///< angle of the wheels per described one [1]
    float trim;          ///< angle at command 0 [rad]
    float steered_compliance; ///< [rad s²/m]
    float following_doubt;    ///< relative standard deviation of the compliances [1]
    float steered_doubt;      ///< …; above 1: unknown
    int32_t angle;            ///< the likeliest hypothesis of the angle of the wheels
    float grip_weights[KERB_BODY_SHAPES][KERB_BODY_GRIPS]; ///< logarithms
    float grip_taught; ///< windows near the limit, with the old forgotten
} kerb_body_estimate_memory;

#endif
