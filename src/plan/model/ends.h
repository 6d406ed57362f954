// The ends of a query: which of them can be used. Private to the room.
#ifndef KERB_IN_PLAN_MODEL_ENDS_H
#define KERB_IN_PLAN_MODEL_ENDS_H

#include "../world/world.h"
#include "aims.h"

// With directions of unit length: one a little off would show up as a jump.
void kerb_in_plan_ends_copy(kerb_plan_end* copies, const kerb_plan_end* ends, int32_t count);

// Which ends, up to PLAN_AIMS_MAX of them, can be used, and how many could but for obstacles.
typedef struct plan_choice {
    int32_t count, slow_enough;
    int32_t index[PLAN_AIMS_MAX];
} plan_choice;

// [world: NULL: open ground]
plan_choice kerb_in_plan_ends_usable(const kerb_plan_limits* limits, const plan_world* world,
                                     const kerb_plan_end* ends, int32_t count);

// RUNNING, or why there is nothing to be done.
kerb_plan_outcome kerb_in_plan_ends_outcome(const plan_choice* starts, const plan_choice* goals);

#endif
