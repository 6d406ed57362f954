// What a host check keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a host check is a plain struct: the host has
// to know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_HOST_CHECK_MEMORY_H
#define KERB_PRIVATE_HOST_CHECK_MEMORY_H

#include "../math.h"

/// Ways to exchange and mirror three axes, up to the sign of all: 6 orders times 4 pairs of signs.
#define KERB_HOST_CHECK_AXES 24

/// Delays of the controls that are compared; the first is 0.
#define KERB_HOST_CHECK_DELAYS 5

/// Past angles of the wheels that are kept, at equal distances in time.
#define KERB_HOST_CHECK_PAST 16

// What a host check knows of the vehicle.
typedef struct kerb_host_check_vehicle {
    int32_t kind, gear_count, gear_told;
    float wheelbase, rear_axle; ///< wheelbase, reference_to_rear_axle [m]
    float steering_gain;  ///< at the lock: tangent of the wheels' angle, or yaw rate [1, rad/s]
    float steering_rate;  ///< greatest rate of change of the same [1/s, rad/s²]
    float steering_delay; ///< [s]
    float shift_time;     ///< [s]
    float speed_max;      ///< forwards or in reverse [m/s]
} kerb_host_check_vehicle;

// Sums over the samples since the last judgement.
typedef struct kerb_host_check_window {
    int32_t frames;
    int32_t driven_frames;     ///< samples of which the controls are known
    int32_t wrong_gear_frames; ///< samples in which another gear was told than was commanded
    int32_t powered_frames;    ///< samples with an open throttle and without brake
    float time;                ///< as the host tells it [s]
    float step_max;            ///< longest time step [s]
    float path;                ///< length of all displacements [m]
    float path_told;           ///< the same by the velocity told [m]
    kerb_vec3 displacement;    ///< by the positions told [m]
    kerb_vec3 by_velocity;     ///< by the velocity told [m]
    kerb_vec3 by_turned;       ///< by the velocity told, were it in the vehicle's axes [m]
    kerb_vec3 forward, left;   ///< sums of the directions told, weighted by the distance [m]
    kerb_vec3 velocity_first;  ///< [m/s]
    kerb_quat rotation_first;
    float turn;             ///< of the heading told [rad]
    float turn_greatest;    ///< in one sample, absolute [rad]
    float turn_by_controls; ///< of the heading, by the controls [rad]
    /// Lateral displacement of the front axle, by the controls, at each delay. TRACKED, HOVER: turn
    /// of the heading. [m, rad]
    float by_controls[KERB_HOST_CHECK_DELAYS];
    float share_by_controls; ///< sum of the steering by the controls, times the distance [m]
    float share_told;        ///< sum of kerb_motion.steering, times the distance [m]
    bool velocity_constant, rotation_constant, no_rotation, gear_changed;
} kerb_host_check_window;

// What a host check remembers.
typedef struct kerb_host_check_memory {
    kerb_host_check_vehicle vehicle;
    // Frames that are not complete as a sample yet.
    float sample_time;     ///< [s]
    float sample_steering; ///< sum of steering times time step [s]
    // The last sample.
    bool begun;                ///< there is one
    kerb_vec3 position;        ///< [m]
    kerb_vec3 velocity;        ///< [m/s]
    kerb_vec3 turned_velocity; ///< rotated by the rotation [m/s]
    kerb_quat rotation;
    kerb_vec3 forward, left;
    int32_t gear_told, gear_commanded;
    float gear_time; ///< since another gear was commanded [s]
    float steering;  ///< by the controls: tangent of the wheels' angle, or yaw rate [1, rad/s]
    float past_steering[KERB_HOST_CHECK_PAST]; ///< the newest at past_newest
    int32_t past_newest;
    float past_time;         ///< since the newest was stored [s]
    int32_t coasting_frames; ///< samples since the throttle was open
    kerb_host_check_window window;
    // Of the last windows that were judged, the newest first.
    int32_t courses;             ///< how many are known [0 … 2]
    kerb_vec3 course[2];         ///< direction of the displacement
    float course_turn[2];        ///< of the heading told during it [rad]
    float course_by_controls[2]; ///< the same by the controls [rad]
    float course_jump;           ///< greatest turn told in one sample of the last window [rad]
    // Direction of the displacement when the rotation began to be constant.
    bool reference_known;
    kerb_vec3 reference;
    // Evidence for the parts of a mistake. [log odds]
    float rotation_axes[KERB_HOST_CHECK_AXES]; ///< axes exchanged between position and rotation
    float velocity_axes[KERB_HOST_CHECK_AXES]; ///< axes exchanged between position and velocity
    float w_first;                             ///< the quaternion begins with w
    float backwards;                           ///< forwards is backwards
    float steering_applied;                    ///< the controls are applied the other way
    float steering_told;                       ///< kerb_motion.steering has the other sign
    // Least squares of the turn by the controls at each delay, where the delays differ. [1]
    float late_windows; ///< number of windows, with forgetting
    float late_turn;    ///< sum of the squares of the turn driven
    float late_product[KERB_HOST_CHECK_DELAYS], late_square[KERB_HOST_CHECK_DELAYS];
} kerb_host_check_memory;

#endif
