// Skill and character of a racing driver: the part that its other parts use. Private to the room.
#ifndef KERB_IN_RACER_SKILL_SKILL_H
#define KERB_IN_RACER_SKILL_SKILL_H

#include "../drive/racer.h"

// At the start of each frame: whether another car is near, rubber-banding, and the reaction time at
// a start.
void kerb_in_racer_skill_begin(kerb_racer* racer, racer_frame* frame,
                               const kerb_surroundings* surroundings);
// Removes from the limits that it plans with what a lower skill does not use.
void kerb_in_racer_skill_limit(const kerb_racer* racer, kerb_performance* limits);
// The smallest share of the car's limits that it plans with anywhere; the rest is available in
// need. [> 0]
float kerb_in_racer_skill_spare(const kerb_racer* racer, const racer_frame* frame);
// What is constant between two knots of its noise: most bins that are filled together need the
// same. Zeroed: empty.
typedef struct racer_skill_cell {
    bool known;
    int64_t all;  // the knot before it
    float lap;    // lap that it is in
    float bend;   // for a mistake: how sharply the line bends in it, left positive [-1 … 1]
    int32_t now;  // mistake in it
    int32_t last; // mistake in the cell before
    // Noise of grip and of path at its ends: what differs from lap to lap, and what stays. [0 … 1]
    float grip[4], way[4];
    float form[2]; // how good this lap and the next one are [0 … 1]
} racer_skill_cell;

// At a place (`at` counts all rounds; `p` is the line there): the share of the limits that it plans
// with, [> 0], and the error of its path, left positive, [m].
void kerb_in_racer_skill_at(const kerb_racer* racer, const kerb_racing_line* line,
                            const kerb_line_point* p, double at, racer_skill_cell* cell,
                            float* grip, float* wander);
// True: it makes a mistake there, or has just made one.
bool kerb_in_racer_skill_errs(const kerb_racer* racer, const kerb_racing_line* line, double at);
// Limits the pedals to how fast it moves its feet.
void kerb_in_racer_skill_pedals(kerb_racer* racer, const racer_frame* frame,
                                kerb_controls* controls);
// Its reaction time. [s]
float kerb_in_racer_skill_reaction(const kerb_racer* racer);

// Its present pace as a skill: settings.skill changed by rubber-banding. [0 … 1]
float kerb_in_racer_skill_pace(const kerb_racer* racer);

#endif
