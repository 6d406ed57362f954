// Lower bounds of the time over paths of known length. Private to the room.
#ifndef KERB_IN_PLAN_MODEL_BOUND_H
#define KERB_IN_PLAN_MODEL_BOUND_H

#include "kerb/plan.h"

// Bounds that are computed at once. Eight floats fill the widest registers of current x86
// processors without AVX-512. [1]
#define PLAN_BOUND_BLOCK 8

// The same bits as kerb_plan_bound() with KERB_PLAN_THESIS, for several starts and one goal.
// `distance` holds the lengths of the shortest paths of turn, straight and turn, `from` the speeds
// at the starts, `to` the speed at the goal. [m, m/s >= 0]
void kerb_in_plan_bound_thesis_block(const kerb_plan_limits* limits, int32_t overshoot,
                                     const float distance[PLAN_BOUND_BLOCK],
                                     const float from[PLAN_BOUND_BLOCK], float to,
                                     float bound[PLAN_BOUND_BLOCK]);

#endif
