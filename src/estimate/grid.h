// The grid of hypotheses, and its numbers.
#ifndef KERB_IN_ESTIMATE_GRID_H
#define KERB_IN_ESTIMATE_GRID_H

#include "kerb/estimate.h"

// A tick of the models. Delays are told apart to a fraction of one, since values are means over
// hypotheses; 0.02 s costs a tenth more and gains nothing on the family. [s]
#define ESTIMATE_TICK 0.025f

// Lags: the share of the rest that a model goes in a tick. [1] A lag of share a delays a slow
// change by (1/a - 1/2) ticks.
extern const float kerb_in_estimate_lag_share[KERB_ESTIMATE_LAGS];

// Delay of a slow change by a lag. [s]
float kerb_in_estimate_lag_delay(int32_t lag);

// Rate limits of the models. The last is none; one of the others is the described one. [lock/s]
void kerb_in_estimate_rates(const kerb_vehicle* vehicle, float rates[KERB_ESTIMATE_RATES]);

// The rate that the description tells. [lock/s]
float kerb_in_estimate_described_rate(const kerb_vehicle* vehicle);

// Where the products of a static curve stand in its sums.
enum {
    ESTIMATE_CURVE_X,
    ESTIMATE_CURVE_Q,
    ESTIMATE_CURVE_S,
    ESTIMATE_CURVE_XX,
    ESTIMATE_CURVE_XQ,
    ESTIMATE_CURVE_XS,
    ESTIMATE_CURVE_QQ,
    ESTIMATE_CURVE_QS,
    ESTIMATE_CURVE_SS,
    ESTIMATE_CURVE_XY,
    ESTIMATE_CURVE_QY,
    ESTIMATE_CURVE_SY
};

// The lag whose models give the static curve, and the delays between two of its hypotheses.
#define ESTIMATE_CURVE_LAG 1
#define ESTIMATE_CURVE_STEP 2

// The step of a static curve: what a dead band takes away. [1]
static inline float kerb_in_estimate_dead(float x) {
    return x / (fabsf(x) + 0.02f); // half of it at 0.02: dead bands reach some hundredths
}

// Moves the models on by one tick with the mean of the commands in it. O(models)
void kerb_in_estimate_tick(kerb_estimate_memory* memory, float bend, float command);

// Adds a window that taught: the last `ticks` ticks gave a curvature `y`, over the described one
// per command. O(models · delays)
void kerb_in_estimate_add(kerb_estimate_memory* memory, int32_t ticks, float y);

// Lets all sums fade to `share` of what they were. O(models · delays)
void kerb_in_estimate_fade(kerb_estimate_memory* memory, float share);

#endif
