// What a pedal estimate keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because an estimate is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_PEDAL_ESTIMATE_MEMORY_H
#define KERB_PRIVATE_PEDAL_ESTIMATE_MEMORY_H

#include "motion_memory.h"

enum {
    KERB_PEDAL_NODES = 7,                    // of the drive force by speed
    KERB_PEDAL_TERMS = KERB_PEDAL_NODES + 5, // of the regression: nodes, bends, brake, losses
    KERB_PEDAL_PAIRS = KERB_PEDAL_TERMS * (KERB_PEDAL_TERMS + 1) / 2,
    KERB_PEDAL_LAGS = 4, // of the models between pedal and force
    KERB_PEDAL_DELAYS = 7,
    KERB_PEDAL_MODELS = KERB_PEDAL_LAGS * KERB_PEDAL_DELAYS,
    KERB_PEDAL_CHANNELS = 4 * KERB_PEDAL_LAGS, // throttle, its bend, brake, its bend
    KERB_PEDAL_RING = 16,                      // ticks: the longest delay and window
    KERB_PEDAL_CREEPS = 9                      // speeds of creep that are told apart
};

// One of the two pedals: when the force follows it.
typedef struct kerb_pedal_follows {
    float command;                   ///< the last usable one [1]
    float tick_command;              ///< integrated over the present tick [s]
    float steady;                    ///< time since it moved [s]
    float score[KERB_PEDAL_MODELS];  ///< log likelihood of each model [1]
    float weight[KERB_PEDAL_MODELS]; ///< its probability [1]
} kerb_pedal_follows;

// Where tyres give in: force over mass, of one pedal.
typedef struct kerb_pedal_limit {
    float n, sum;         ///< windows beyond it, and what they gave [m/s²]
    float seen;           ///< greatest force of the pedal that the tyres gave [m/s²]
    float mean, variance; ///< with the prior
} kerb_pedal_limit;

// What an estimate of pedals remembers.
typedef struct kerb_pedal_estimate_memory {
    kerb_motion_memory last; ///< the last frame that could be used
    float speed;             ///< along the body in that frame [m/s]
    float climb;             ///< velocity.z in that frame [m/s]
    float nose;              ///< z of the body's forward axis in that frame [1]

    float tick_time;                   ///< of the present tick that has passed [s]
    int32_t tick;                      ///< row of the ring that was written last
    int32_t ticks_known;               ///< since the last start; at most a ring
    float lagged[KERB_PEDAL_CHANNELS]; ///< states of the lags [1]
    uint32_t ring[KERB_PEDAL_RING][KERB_PEDAL_CHANNELS]; ///< integrals that may wrap round
    kerb_pedal_follows pedals[2];                        ///< throttle, brake
    kerb_pedal_limit limits[2];                          ///< of the drive, of the brakes

    int32_t window_ticks;  ///< ticks in the present window
    float window_time;     ///< length of its frames [s]
    float window_speed;    ///< at its start [m/s]
    float window_climb;    ///< velocity.z at its start [m/s]
    float window_distance; ///< [m]
    float window_rise;     ///< [m]
    float window_nose;     ///< integral of the body's pitch [s]
    float window_turn;     ///< integral of |yaw rate| [rad]
    float window_spins;    ///< greatest slip that the host told [1]
    float window_locks;    ///< least slip [1]
    bool window_bad;       ///< it must not teach
    bool window_idle;      ///< a gear that does not drive was commanded
    bool window_neutral;   ///< the host told neutral

    float pausing;       ///< probability that the gearbox pauses [1]
    float pause_time;    ///< of the present pause [s]
    float pause_lost;    ///< … without drive [s]
    float pauses;        ///< counted
    float pauses_sum;    ///< of their lengths [s]
    float pauses_square; ///< … squared [s²]

    float creep[KERB_PEDAL_CREEPS]; ///< log likelihood of each speed of creep [1]
    float creep_windows;            ///< that told something of it
    float creep_fitted;             ///< … of which the values know
    float holds;                    ///< log odds that the brake holds against the creep [1]

    int32_t fits;
    int32_t windows_since_fit;
    float noise_sum, noise_count;        ///< of windows that the regression explains
    float information[KERB_PEDAL_PAIRS]; ///< sums, without the prior
    float products[KERB_PEDAL_TERMS];
    float terms[KERB_PEDAL_TERMS];      ///< the regression's values
    float covariance[KERB_PEDAL_PAIRS]; ///< of them
} kerb_pedal_estimate_memory;

#endif
