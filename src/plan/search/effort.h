// How near a search has come that has not found a way yet. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_EFFORT_H
#define KERB_IN_PLAN_SEARCH_EFFORT_H

#include "../model/movement.h"
#include "../world/flow.h"
#include "nodes.h"

// The way to the place from which it is least far, ending there at rest. Plain data.
typedef struct plan_effort {
    float rest; // still to go, about [m]
    int32_t start;
    int32_t count; // of arcs; 0: there is none
    plan_arc arcs[PLAN_ARCS_MAX];
} plan_effort;

void kerb_in_plan_effort_clear(plan_effort* effort);
// Takes the nearest of a search's nodes, where it is nearer than what there is: as much of the way
// to it as can be driven to a stop. O(nodes)
void kerb_in_plan_effort_note(plan_effort* effort, const plan_rates* rates, plan_flow* flow,
                              plan_nodes* nodes, const kerb_plan_query* query);

#endif
