// Bounds whose length is known. Private to the room.
#ifndef KERB_PLAN_BOUND_H
#define KERB_PLAN_BOUND_H

#include "kerb/plan.h"

// What kerb_plan_bound() says by KERB_PLAN_THESIS where the shortest way of turn, straight and turn
// is `distance` long. [m, m/s]
float plan_bound_thesis(const kerb_plan_limits* limits, int32_t overshoot, float distance,
                        float from, float to);

#endif
