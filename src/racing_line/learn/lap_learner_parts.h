// What the parts of the lap learner share. Private to the room.
//
//     lap_learner.c   the object: made, saved, asked
//     lap_feed.c      frames become windows of a tenth of a second; sections of the line
//     lap_tyres.c     grip, from slip and force in bends: bins of what was measured
//     lap_fit.c       the tyres and wings that explain the bins
//     lap_pedals.c    engine and brakes
//     lap_merge.c     what one learner gives to another
//
// "Use" is the acceleration by the tyres over what the described grip allows under the load of the
// moment.
#ifndef KERB_IN_RACING_LINE_LEARN_LAP_LEARNER_PARTS_H
#define KERB_IN_RACING_LINE_LEARN_LAP_LEARNER_PARTS_H

#include "kerb/lap_learner.h"

// Doubt about a description: standard deviation of its grip, its power, its brakes, as a share.
// Descriptions made by hand were seen to be wrong by up to a fifth. [1]
#define LAP_GRIP_DOUBT 0.15f
#define LAP_POWER_DOUBT 0.2f
// Of the pedal's effect: brakes are often much stronger than tyres. [1]
#define LAP_BRAKES_DOUBT 0.5f
// Of the ratio of braking grip to turning grip. [1]
#define LAP_BRAKE_GRIP_DOUBT 0.08f
// A value counts as known from this deviation on. [1]
#define LAP_KNOWN 0.05f
// Bounds of the grip over the described one. [1]
#define LAP_GRIP_LEAST 0.3f
#define LAP_GRIP_MOST 3.0f

// Places of the values of a kerb_lap_tyres, where front and rear axle follow each other; the number
// of bins.
enum {
    LAP_GRIP = 0,  // over the described one [1]
    LAP_ROOT = 2,  // of the stiffness [rad^-½]
    LAP_WINGS = 4, // downforce [1/m]
    LAP_SHAPE = 6, // b of the law, for both axles [1]
    LAP_VALUES = KERB_LAP_LEARNER_VALUES,
    LAP_BINS = 2 * KERB_LAP_LEARNER_SPEEDS * KERB_LAP_LEARNER_PLACES
};

// Means over a window.
typedef struct lap_tick {
    float time;         // [s]
    float speed;        // along the body [m/s]
    float along, aside; // acceleration by tyres and air, gravity taken out [m/s²]
    float yaw;          // angular acceleration about the body's up axis [rad/s²]
    float weight;       // acceleration that presses on the tyres, without wings, over gravity [1]
    float grip;         // of the surface [1]
    float slip[2];      // of front and rear, positive in left bends [rad]
    float turned;       // change of the wheels' angle [rad]
    float throttle, brake, brake_change;
    bool unclear; // the pedals say nothing
    bool full;    // full throttle for long enough
} lap_tick;

void kerb_in_lap_tyres_begin(kerb_lap_learner* learner);
// Learns grip, stiffness, downforce and the shape of the law from a tick.
void kerb_in_lap_tyres(kerb_lap_learner* learner, const lap_tick* tick);
// Takes what another learner measured, as this share of it.
void kerb_in_lap_tyres_merge(kerb_lap_learner* learner, const kerb_lap_learner* other, float share);
// Brings grip and downforce up to date: the mean of the fits, each by how well it explains the
// bins.
void kerb_in_lap_mix(kerb_lap_learner* learner);

void kerb_in_lap_fit_begin(kerb_lap_learner* learner);
// One step of a fit towards the tyres that explain the bins of the learner.
void kerb_in_lap_fit(const kerb_lap_learner* learner, kerb_lap_tyres* tyres);

// Standard deviation of the grip, doubt about the shape of the curve included. [1]
float kerb_in_lap_grip_deviation(const kerb_lap_learner* learner);
// The grip that a driver may count on who stays `caution` deviations below the most probable one.
// What the tyres have held already is not doubted; never more than the most probable one.
float kerb_in_lap_careful_grip(const kerb_lap_learner* learner, float caution);

void kerb_in_lap_pedals_begin(kerb_lap_learner* learner);
// Learns engine and brakes from a tick.
void kerb_in_lap_pedals(kerb_lap_learner* learner, const lap_tick* tick);
// What the full pedal gives at most, whatever the tyres hold: a deviation more than was seen of
// pedals that the tyres held. [m/s²]
float kerb_in_lap_brakes_most(const kerb_lap_learner* learner);
// Standard deviation of the braking grip. [1]
float kerb_in_lap_braking_deviation(const kerb_lap_learner* learner);

// Brings the public values up to date.
void kerb_in_lap_show(kerb_lap_learner* learner);
// Index of the section at a distance; the number of sections of the line.
int32_t kerb_in_lap_section_at(const kerb_racing_line* line, double distance);
int32_t kerb_in_lap_sections_of(const kerb_racing_line* line);

// Acceleration that presses on the tyres, over gravity, with this downforce. [1]
static inline float lap_load(const lap_tick* tick, float downforce) {
    return tick->weight + downforce * tick->speed * tick->speed / KERB_GRAVITY;
}

// Deceleration by rolling and drag, as described. [m/s²]
static inline float lap_resistance(const kerb_performance* p, float speed) {
    return p->rolling + p->drag * speed * speed;
}

#endif
