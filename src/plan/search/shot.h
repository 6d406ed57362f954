// Analytic ways from pose to pose at speed: the first answer, and the end of every search. Private
// to the room.
#ifndef KERB_IN_PLAN_SEARCH_SHOT_H
#define KERB_IN_PLAN_SEARCH_SHOT_H

#include "../world/space.h"

/// Most arcs of a shot: a lead-in, five of a Reeds–Shepp way, a lead-out.
#define PLAN_SHOT_ARCS 7

/// Most ways that a volley keeps.
#define PLAN_VOLLEY 3

/// A way and how long it takes.
typedef struct plan_shot {
    float time; // [s]; KERB_PLAN_NEVER: there is none
    int32_t count;
    plan_arc arcs[PLAN_SHOT_ARCS];
} plan_shot;

/// The best ways of different kinds, best first.
typedef struct plan_volley {
    int32_t count;
    plan_shot shots[PLAN_VOLLEY];
} plan_volley;

/// From one end to the other. Empty where none of the ways tried can be driven and is free. About
/// 20 to 50 µs in free space, with reverse 80 to 200.
plan_volley kerb_in_plan_shoot(const plan_rates* rates, const plan_space* space,
                               const kerb_plan_end* from, const kerb_plan_end* to);

#endif
