// The ends (starts and goals) of a query: which of them can be used. Private to the room.
#ifndef KERB_IN_PLAN_MODEL_ENDS_H
#define KERB_IN_PLAN_MODEL_ENDS_H

#include "../world/world.h"
#include "aims.h"

// Copies ends and scales their directions to unit length. A direction that is slightly off would
// become a jump in the plan.
void kerb_in_plan_ends_copy(kerb_plan_end* copies, const kerb_plan_end* ends, int32_t count);

// The ends that can be used, at most PLAN_AIMS_MAX.
typedef struct plan_choice {
    int32_t count;       // ends that can be used
    int32_t slow_enough; // ends whose speed is within the limits, blocked ones too
    int32_t index[PLAN_AIMS_MAX];
} plan_choice;

// Leaves out ends that are too fast or whose footprint meets an obstacle. [world: NULL: open
// ground]
plan_choice kerb_in_plan_ends_usable(const kerb_plan_limits* limits, const plan_world* world,
                                     const kerb_plan_end* ends, int32_t count);

// RUNNING, or the outcome that ends the query before it begins.
kerb_plan_outcome kerb_in_plan_ends_outcome(const plan_choice* starts, const plan_choice* goals);

#endif
