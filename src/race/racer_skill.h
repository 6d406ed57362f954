// Skill and temper of a racing driver: what the other pieces ask. Private to the room.
#ifndef KERB_RACE_RACER_SKILL_H
#define KERB_RACE_RACER_SKILL_H

#include "racer.h"

// At the start of each frame: who is near, what holds it back, how long it still wakes up.
void racer_skill_begin(kerb_racer* racer, racer_frame* frame,
                       const kerb_surroundings* surroundings);
// Takes from the limits that it plans with what it does not use.
void racer_skill_limit(const kerb_racer* racer, kerb_performance* limits);
// The share of those limits that it counts on at a place; `at` is in rounds. [> 0]
float racer_skill_grip(const kerb_racer* racer, const kerb_racing_line* line, double at);
// The least share of the car's limits that it plans with anywhere; the rest is there in need. [> 0]
float racer_skill_spare(const kerb_racer* racer);
// How far beside its way it means to drive there, left positive. [m]
float racer_skill_wander(const kerb_racer* racer, const kerb_line_point* p,
                         const kerb_racing_line* line, double at);
// Whether it makes a mistake there, or has just made one.
bool racer_skill_errs(const kerb_racer* racer, const kerb_racing_line* line, double at);
// What its feet make of the pedals.
void racer_skill_pedals(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
// It answers to what is new after so long. [s]
float racer_skill_reaction(const kerb_racer* racer);

// How fast it drives now by what it lacks, with rubber-banding: settings.skill, all else alike.
// [0 … 1]
float racer_skill_pace(const kerb_racer* racer);

#endif
