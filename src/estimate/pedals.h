// The parts of the estimate of pedals, and its numbers.
#ifndef KERB_IN_ESTIMATE_PEDALS_H
#define KERB_IN_ESTIMATE_PEDALS_H

#include "frame.h"

#include "kerb/estimate_pedals.h"

// A tick of the models. Half of a window: delays are told apart to a fraction of one, since values
// are means over models. [s]
#define PEDALS_TICK 0.05f

// Windows that together tell as much as one: what the model does not know lasts some tenths of a
// second. Found on the family of hosts (seeds 1000 to 1999) by the honesty of the deviations.
#define PEDALS_ALIKE 2.0f

// The terms of the regression: nodes of the drive over the described one, then these.
enum {
    PEDALS_BEND = KERB_PEDAL_NODES, // of the throttle: kerb_in_pedals_bend
    PEDALS_BRAKE,                   // over the described one
    PEDALS_BRAKE_BEND,
    PEDALS_ROLLING, // [m/s²]
    PEDALS_DRAG     // at speed_max [m/s²]
};

enum { PEDALS_THROTTLE, PEDALS_STOPPING };

// Where a covariance or a sum of products of two terms stands.
static inline int32_t kerb_in_pedals_pair(int32_t i, int32_t j) {
    return i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

// How a pedal that is not linear differs from one that is: exponents from 0.6 to 1.7 lie within
// some hundredths of a multiple of this. Half a pedal has PEDALS_BEND_HALF of it.
static inline float kerb_in_pedals_bend(float press) {
    return 2.0f * press * (1.0f - kerb_sqrt(press));
}
#define PEDALS_BEND_HALF 0.292893f

// Probability that a normal variable is above 0, at its mean over its deviation: the logistic
// function, which differs by at most 0.01.
static inline float kerb_in_pedals_above(float z) {
    float tail = estimate_falling(1.702f * kerb_abs(z));
    return z >= 0.0f ? 1.0f / (1.0f + tail) : tail / (1.0f + tail);
}

// Which nodes a speed lies between.
typedef struct kerb_in_pedals_place {
    int32_t node; // the lower one
    float part;   // of the way to the next [0 … 1]
} kerb_in_pedals_place;

kerb_in_pedals_place kerb_in_pedals_place_of(const kerb_vehicle* vehicle, float speed);

// Acceleration by the drive at full throttle that a description gives. [m/s²]
float kerb_in_pedals_described_drive(const kerb_vehicle* vehicle, float speed);

// Speeds of small vehicles are smaller: the root of their size over that of a car. [1]
float kerb_in_pedals_scale(const kerb_vehicle* vehicle);

// Shortest window, in ticks: 0.15 s. Of 0.1 s they cost a tenth more and gain nothing.
#define PEDALS_WINDOW_TICKS 3
// Windows to each later fit: four seconds.
#define PEDALS_FIT_MOST 30

// Share of the rest that a lag goes in a tick, and the delay of each model of delay and lag. [s]
extern const float kerb_in_pedals_lag_share[KERB_PEDAL_LAGS];
float kerb_in_pedals_model_delay(int32_t model);

// Speed of creep of one of KERB_PEDAL_CREEPS. [m/s]
float kerb_in_pedals_creep_speed(const kerb_vehicle* vehicle, int32_t creep);

// Probabilities of the speeds of creep.
void kerb_in_pedals_creep_shares(const kerb_pedal_estimate_memory* memory,
                                 float shares[KERB_PEDAL_CREEPS]);

// Acceleration that creeping at a speed gives at another. [m/s²]
float kerb_in_pedals_creep_push(float creep_speed, float speed);

// What a window of some ticks showed.
typedef struct kerb_in_pedals_window {
    int32_t ticks;
    float time;   // [s]
    float speed;  // mean [m/s]
    float end;    // speed at its end [m/s]
    float gained; // acceleration along the body, gravity on the slope taken out [m/s²]
    float across; // lateral acceleration [m/s²]
} kerb_in_pedals_window;

// Judges a window of driving, and adds what it teaches to the sums.
void kerb_in_pedals_judge(kerb_pedal_estimate* estimate, const kerb_in_pedals_window* window);

// Judges a window without pedals at little speed: creep.
void kerb_in_pedals_judge_creep(kerb_pedal_estimate* estimate, const kerb_in_pedals_window* window);

// Judges a window with the brake alone at little speed: whether it holds.
void kerb_in_pedals_judge_hold(kerb_pedal_estimate* estimate, const kerb_in_pedals_window* window);

// Begins with the description: writes all values.
void kerb_in_pedals_describe(kerb_pedal_estimate* estimate);

// Writes the values of an estimate, from the description and the sums. O(terms³)
void kerb_in_pedals_fit(kerb_pedal_estimate* estimate);

// Lets all sums fade to `share` of what they were.
void kerb_in_pedals_fade(kerb_pedal_estimate* estimate, float share);

// Where the tyres give in, of the sums and the description.
void kerb_in_pedals_limit_of(kerb_pedal_estimate* estimate, int32_t pedal);

#endif
