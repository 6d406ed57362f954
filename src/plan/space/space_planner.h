// The planner of kinds in space, behind kerb_kind_planner. Private to the room.
#ifndef KERB_IN_PLAN_SPACE_SPACE_PLANNER_H
#define KERB_IN_PLAN_SPACE_SPACE_PLANNER_H

#include "volume.h"

/// Size of its memory. [bytes]
size_t kerb_in_space_bytes(void);

/// Fills the memory. `kind` has the limits of plans.
void kerb_in_space_init(void* memory, const kerb_kind* kind, const kerb_kind_settings* settings);

/// The kind, with the limits of plans.
const kerb_kind* kerb_in_space_kind(const void* memory);

/// Drops the query.
void kerb_in_space_forget(void* memory);

/// Begins a query.
void kerb_in_space_begin(void* memory, const float* from, const float* to, space_volume* volume);

/// Asks for a plan of the query that takes this time where the fastest one takes less, and may end
/// on a path of a curvature. [s, 1/m] `begin` forgets it.
void kerb_in_space_take_time(void* memory, float time, float curvature);

/// Does at most `steps` steps.
kerb_plan_outcome kerb_in_space_advance(void* memory, space_volume* volume, int32_t steps);

/// The best plan.
kerb_kind_plan kerb_in_space_get_plan(const void* memory);

#endif
