// What an estimate keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because an estimate is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_ESTIMATE_MEMORY_H
#define KERB_PRIVATE_ESTIMATE_MEMORY_H

#include "motion_memory.h"

// The grid of hypotheses: rates × lags are models that run on the commands; each is looked at
// after each of the delays. Those of one lag, after every second delay, also give a static curve.
enum {
    KERB_ESTIMATE_RATES = 4,
    KERB_ESTIMATE_LAGS = 5,
    KERB_ESTIMATE_MODELS = KERB_ESTIMATE_RATES * KERB_ESTIMATE_LAGS,
    KERB_ESTIMATE_DELAYS = 13,
    KERB_ESTIMATE_CURVES = 7, // delays of the regressions of a static curve
    KERB_ESTIMATE_RING = 32   // ticks that are kept: the longest delay and the longest window
};

// Sums of one regression for all models.
typedef struct kerb_estimate_sums {
    float x[KERB_ESTIMATE_MODELS];  ///< of the modelled steering
    float xx[KERB_ESTIMATE_MODELS]; ///< of its square
    float xy[KERB_ESTIMATE_MODELS]; ///< of it and the observed curvature
} kerb_estimate_sums;

// Products of the regressors of a static curve, x, x·|x| and a step, with one another, with 1 and
// with the curvature, for the models of one lag.
enum { KERB_ESTIMATE_PRODUCTS = 12 };
typedef struct kerb_estimate_curve_sums {
    float of[KERB_ESTIMATE_PRODUCTS][KERB_ESTIMATE_RATES];
} kerb_estimate_curve_sums;

// What an estimate remembers.
typedef struct kerb_estimate_memory {
    kerb_motion_memory last; ///< the last frame that could be used
    kerb_vec2 forward;       ///< direction of the body in that frame, seen from above
    float speed;             ///< in that frame [m/s]
    float climb;             ///< velocity.z in that frame [m/s]

    float tick_time;                    ///< of the present tick that has passed [s]
    float tick_command;                 ///< commanded steering, integrated over it [s]
    float command;                      ///< the last usable one [1]
    int32_t tick;                       ///< row of the ring that was written last
    float wheel[KERB_ESTIMATE_MODELS];  ///< state of each model behind its rate limit [1]
    float turned[KERB_ESTIMATE_MODELS]; ///< … and behind its lag
    float rates[KERB_ESTIMATE_RATES];   ///< greatest change in a tick [1]
    /// Integral of each model's output, in whole parts that may wrap round.
    uint32_t ring[KERB_ESTIMATE_RING][KERB_ESTIMATE_MODELS];
    int32_t ticks_known; ///< since the last start of the commands; at most a ring

    kerb_vec2 window_forward;  ///< at the start of the window
    int32_t window_ticks;      ///< ticks in it
    float window_distance;     ///< [m]
    float window_speed;        ///< at its start [m/s]
    float window_climb;        ///< velocity.z at its start [m/s]
    float rest_turn;           ///< turned after the last tick of the window before [rad]
    float rest_distance;       ///< driven after it [m]
    bool window_bad;           ///< it must not teach
    int32_t windows_since_fit; ///< windows that taught since the last fit

    float n, y, yy; ///< sums that all hypotheses share: number, curvature, its square
    float speeds;   ///< sum of speed², each times the curvature's square
    kerb_estimate_sums sums[KERB_ESTIMATE_DELAYS];
    kerb_estimate_curve_sums curves[KERB_ESTIMATE_CURVES];
} kerb_estimate_memory;

#endif
