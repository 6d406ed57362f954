// What other parts of the room ask the planner of kinds. Private to the room.
#ifndef KERB_IN_PLAN_KIND_PLANNER_H
#define KERB_IN_PLAN_KIND_PLANNER_H

#include "kerb/plan_kind.h"

/// The kind as it is planned for: with the controls that plans use.
const kerb_kind* kerb_in_kind_planned(const kerb_kind_planner* planner);

/// Steps of the present query until now.
int32_t kerb_in_kind_steps(const kerb_kind_planner* planner);

/// Lets the query that has just begun end exactly after a time, unless it takes longer, or, in
/// space, its last leg cannot take so long. `curvature`: of the path that it is to end on. [s, 1/m]
void kerb_in_kind_take_time(kerb_kind_planner* planner, float time, float curvature);

/// Drops the query.
void kerb_in_kind_planner_forget(kerb_kind_planner* planner);

#endif
