// Purpose: a partial plan to begin with while a search goes on, or where it has found nothing.
// Idea:    It leads to the node that is nearest to a goal round the obstacles. If the vehicle
//          cannot stop there, it leads to the nearest ancestor where it can.
// Cost:    O(nodes).
#include "kerb/plan_search.h"

#include "effort.h"

void kerb_in_plan_effort_clear(plan_effort* effort) {
    effort->rest = KERB_PLAN_NEVER;
    effort->start = effort->count = 0;
}

static float effort_still_to_go(plan_flow* flow, const kerb_plan_query* query, kerb_vec2 place) {
    float round = kerb_in_plan_flow_distance(flow, place), straight = KERB_PLAN_NEVER;
    for (int32_t i = 0; i < query->goal_count; i++) {
        kerb_vec2 away = kerb_vec2_sub(query->goals[i].pose.position, place);
        straight = kerb_min(straight, kerb_sqrt(kerb_vec2_dot(away, away)));
    }
    return round < KERB_NO_CURVE ? kerb_max(round, straight) : straight;
}

static int32_t nearest_node(plan_flow* flow, plan_nodes* nodes, const kerb_plan_query* query,
                            float* rest) {
    int32_t best = -1;
    *rest = KERB_PLAN_NEVER;
    for (int32_t i = 0; i < nodes->ranks; i++) {
        int32_t index = kerb_in_plan_nodes_ranked(nodes, i);
        float now =
            effort_still_to_go(flow, query, kerb_in_plan_nodes_at(nodes, index)->pose.position);
        if (now < *rest) {
            *rest = now;
            best = index;
        }
    }
    return best;
}

// Writes the arcs that lead to a node, the first of them where they are more than fit. Returns
// their number.
static int32_t effort_arcs_to(plan_nodes* nodes, int32_t index, plan_arc arcs[PLAN_ARCS_MAX],
                              int32_t* start) {
    int32_t count = 0, at = index;
    for (; kerb_in_plan_nodes_at(nodes, at)->parent >= 0;
         at = kerb_in_plan_nodes_at(nodes, at)->parent)
        count++;
    *start = -2 - kerb_in_plan_nodes_at(nodes, at)->parent;
    for (int32_t i = count - 1; i >= 0; i--) {
        const plan_node* node = kerb_in_plan_nodes_at(nodes, index);
        if (i < PLAN_ARCS_MAX)
            arcs[i] = (plan_arc){node->curvature, node->length};
        index = node->parent;
    }
    return count;
}

void kerb_in_plan_effort_note(plan_effort* effort, const plan_rates* rates, plan_flow* flow,
                              plan_nodes* nodes, const kerb_plan_query* query) {
    float rest;
    int32_t index = nearest_node(flow, nodes, query, &rest);
    if (index < 0 || !(rest < effort->rest))
        return;
    // The arcs to an ancestor are the first of these.
    plan_arc arcs[PLAN_ARCS_MAX];
    int32_t start, count = effort_arcs_to(nodes, index, arcs, &start);
    float speed = query->starts[start].speed;
    for (; count > 0; count--, index = kerb_in_plan_nodes_at(nodes, index)->parent) {
        rest = effort_still_to_go(flow, query, kerb_in_plan_nodes_at(nodes, index)->pose.position);
        if (!(rest < effort->rest))
            return;
        if (count > PLAN_ARCS_MAX ||
            !(kerb_in_plan_movement_time(rates, arcs, count, speed, 0.0f) < KERB_PLAN_NEVER))
            continue;
        effort->rest = rest;
        effort->start = start;
        effort->count = count;
        for (int32_t i = 0; i < count; i++)
            effort->arcs[i] = arcs[i];
        return;
    }
}
