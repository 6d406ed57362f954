// Skill and temper of a racing driver: what the other pieces ask. Private to the room.
#ifndef KERB_IN_RACER_SKILL_SKILL_H
#define KERB_IN_RACER_SKILL_SKILL_H

#include "../drive/racer.h"

// At the start of each frame: who is near, what holds it back, how long it still wakes up.
void kerb_in_racer_skill_begin(kerb_racer* racer, racer_frame* frame,
                               const kerb_surroundings* surroundings);
// Takes from the limits that it plans with what it does not use.
void kerb_in_racer_skill_limit(const kerb_racer* racer, kerb_performance* limits);
// The least share of the car's limits that it plans with anywhere; the rest is there in need. [> 0]
float kerb_in_racer_skill_spare(const kerb_racer* racer, const racer_frame* frame);
// What is the same between two knots of its noise: most bins that are filled together ask for the
// same. Zeroed it is none yet.
typedef struct racer_skill_cell {
    bool known;
    int64_t all;  // the knot before it
    float lap;    // that it is in
    float bend;   // for a mistake: how far all of it bends, left positive [-1 … 1]
    int32_t now;  // mistakes in it, and in the one before
    int32_t last; // …
    // At its ends, of what differs from lap to lap and of what stays: grip and way. [0 … 1]
    float grip[4], way[4];
    float form[2]; // of this lap and the next [0 … 1]
} racer_skill_cell;

// At a place, `at` in rounds, where the line is `p`: the share of the limits that it counts on,
// [> 0], and how far beside its way it means to drive, left positive, [m].
void kerb_in_racer_skill_at(const kerb_racer* racer, const kerb_racing_line* line,
                            const kerb_line_point* p, double at, racer_skill_cell* cell,
                            float* grip, float* wander);
// Whether it makes a mistake there, or has just made one.
bool kerb_in_racer_skill_errs(const kerb_racer* racer, const kerb_racing_line* line, double at);
// What its feet make of the pedals.
void kerb_in_racer_skill_pedals(kerb_racer* racer, const racer_frame* frame,
                                kerb_controls* controls);
// It answers to what is new after so long. [s]
float kerb_in_racer_skill_reaction(const kerb_racer* racer);

// How fast it drives now by what it lacks, with rubber-banding: settings.skill, all else alike.
// [0 … 1]
float kerb_in_racer_skill_pace(const kerb_racer* racer);

#endif
