// Analytic paths from pose to pose at speed. They give the first answer of a query and the last
// part of every search. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_SHOT_H
#define KERB_IN_PLAN_SEARCH_SHOT_H

#include "../world/space.h"

/// Greatest number of arcs of a shot: a lead-in, five of a Reeds–Shepp path, a lead-out. [1]
#define PLAN_SHOT_ARCS 7

/// Number of paths that a volley keeps for the improvement; chosen by trial. [1]
#define PLAN_VOLLEY 3

/// A path and its time.
typedef struct plan_shot {
    float time; // [s]; KERB_PLAN_NEVER: there is none
    int32_t count;
    plan_arc arcs[PLAN_SHOT_ARCS];
} plan_shot;

/// The best paths of different kinds, best first.
typedef struct plan_volley {
    int32_t count;
    plan_shot shots[PLAN_VOLLEY];
} plan_volley;

/// The best paths from one end to the other. Empty where no path of those that are tried is free
/// and can be driven. O(1): some 250 speed profiles, about twice as many with reverse.
plan_volley kerb_in_plan_shoot(const plan_rates* rates, const plan_space* space,
                               const kerb_plan_end* from, const kerb_plan_end* to);

/// The same, for the single best path, and only if it takes less than `time`. [s]
plan_volley kerb_in_plan_shoot_below(const plan_rates* rates, const plan_space* space,
                                     const kerb_plan_end* from, const kerb_plan_end* to,
                                     float time);

#endif
