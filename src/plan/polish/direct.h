// The way from a state on a bend, at speed, straight to a goal near ahead. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_DIRECT_H
#define KERB_IN_PLAN_POLISH_DIRECT_H

#include "../world/space.h"

// Greatest number of pieces of three clothoids, each in parts that share the grip.
#define PLAN_DIRECT_PIECES 32

// The fastest of a few rows of three clothoids from an end to another, with the curvature of the
// wheels at its start and one of those given at its end. Returns its time; KERB_PLAN_NEVER: there
// is none that is free and can be driven. [s]
float kerb_in_plan_direct(const plan_rates* rates, const plan_space* space,
                          const kerb_plan_end* from, const kerb_plan_end* to, int32_t curvatures,
                          const float* curvature, plan_clothoid best[3]);

#endif
