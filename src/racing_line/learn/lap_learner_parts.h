// What the parts of the lap learner share. Private to the room.
//
//     lap_learner.c   the object: made, saved, asked
//     lap_feed.c      frames become windows of a tenth of a second; sections of the line
//     lap_tyres.c     grip, from slip and force in bends
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
// Bounds of the grip over the described one [1], and of the stiffness of an axle. [1/rad]
#define LAP_GRIP_LEAST 0.3f
#define LAP_GRIP_MOST 3.0f
#define LAP_STIFFNESS_LEAST 2.0f
#define LAP_STIFFNESS_MOST 200.0f

// Means over a window.
typedef struct lap_tick {
    float time;         // [s]
    float speed;        // along the body [m/s]
    float along, aside; // acceleration by tyres and air, gravity taken out [m/s²]
    float yaw;          // angular acceleration about the body's up axis [rad/s²]
    float load;         // acceleration that presses on the tyres, over gravity [1]
    float grip;         // of the surface [1]
    float slip[2];      // of front and rear, positive in left bends [rad]
    float turned;       // change of the wheels' angle [rad]
    float throttle, brake, brake_change, wheel_slip;
    bool unclear; // the pedals say nothing
    bool full;    // full throttle for long enough
} lap_tick;

void kerb_in_lap_tyres_begin(kerb_lap_learner* learner);
// Learns grip and stiffness from a tick.
void kerb_in_lap_tyres(kerb_lap_learner* learner, const lap_tick* tick);
// Mean and variance of the grip over all hypotheses, each by how well it predicted.
void kerb_in_lap_mix(kerb_lap_learner_memory* memory);
// Standard deviation of the grip, doubt about the shape of the curve included. [1]
float kerb_in_lap_grip_deviation(const kerb_lap_learner* learner);

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

// Deceleration by rolling and drag, as described. [m/s²]
static inline float lap_resistance(const kerb_performance* p, float speed) {
    return p->rolling + p->drag * speed * speed;
}

#endif
