// How near to a goal a search has come before it has found a path. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_EFFORT_H
#define KERB_IN_PLAN_SEARCH_EFFORT_H

#include "../model/movement.h"
#include "../world/flow.h"
#include "nodes.h"

// The path to the nearest place to a goal, where it ends at rest. Plain data.
typedef struct plan_effort {
    float rest; // approximate distance from there to the goal [m]
    int32_t start;
    int32_t count; // of arcs; 0: there is none
    plan_arc arcs[PLAN_ARCS_MAX];
} plan_effort;

void kerb_in_plan_effort_clear(plan_effort* effort);
// Takes the nearest node of a search if it is nearer than the present one, with as much of the path
// to it as ends at rest. O(nodes)
void kerb_in_plan_effort_note(plan_effort* effort, const plan_rates* rates, plan_flow* flow,
                              plan_nodes* nodes, const kerb_plan_query* query);

#endif
