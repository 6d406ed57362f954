// Bounds whose length is known. Private to the room.
#ifndef KERB_IN_PLAN_MODEL_BOUND_H
#define KERB_IN_PLAN_MODEL_BOUND_H

#include "kerb/plan.h"

#define PLAN_BOUND_BLOCK 8

// What kerb_plan_bound() says by KERB_PLAN_THESIS from several speeds to one, where the shortest
// ways of turn, straight and turn are so long; to the bit. [m, m/s >= 0]
void kerb_in_plan_bound_thesis_block(const kerb_plan_limits* limits, int32_t overshoot,
                                     const float distance[PLAN_BOUND_BLOCK],
                                     const float from[PLAN_BOUND_BLOCK], float to,
                                     float bound[PLAN_BOUND_BLOCK]);

#endif
