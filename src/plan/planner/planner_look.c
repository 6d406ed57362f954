// Purpose: what a planner shows besides its plan: a partial plan, and its search tree.
// Idea:    Both are read from the nodes of the latest search, which stay until the next search.
// Cost:    O(nodes) for the partial plan, O(1) per node of the tree.
#include "task.h"

#include "../../base/shared.h"

static void look_measure(kerb_plan* plan) {
    plan->time = plan->length = 0.0f;
    for (int32_t i = 0; i < plan->count; i++) {
        plan->time = plan->pieces[i].time + plan->pieces[i].duration;
        plan->length += plan->pieces[i].length;
    }
}

kerb_plan kerb_planner_get_partial_plan(kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    plan_task* t = planner->memory;
    plan_site* site = planner->world_memory;
    kerb_plan plan = kerb_planner_get_plan(planner);
    if (plan.count > 0 || !t->searched || site->route.backwards)
        return plan;
    plan_terrain terrain = kerb_in_plan_site_terrain(site);
    plan_effort effort = kerb_in_plan_route_effort(&site->route, &terrain);
    // Neither memory holds anything else now: there is no plan to show, and no path is being timed.
    plan_crossing* crossing = planner->movers_memory;
    kerb_plan_piece* pieces = crossing ? crossing->tried.pieces : t->pieces;
    int32_t start = t->start_of_route[effort.start];
    plan.start = t->origin_of[start];
    plan.pieces = pieces;
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    plan.count =
        kerb_in_plan_task_pieces(t, &space, start, effort.arcs, effort.count, 0.0f, pieces);
    if (crossing && plan.count > 0)
        plan.count =
            kerb_in_plan_timing_adapt(&crossing->timing, &crossing->movers, &t->given, pieces,
                                      plan.count, crossing->scratch, PLAN_PASSAGE_PIECES);
    plan.goal = -1;
    look_measure(&plan);
    plan.cost = plan.count > 0 ? plan.time + t->origins[plan.start].penalty : plan.cost;
    return plan;
}

kerb_plan_tree kerb_planner_get_tree(const kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    const plan_task* t = planner->memory;
    kerb_plan_tree tree = {0, 0, false};
    if (!t->searched)
        return tree;
    plan_site* site = planner->world_memory;
    tree.count = kerb_in_plan_site_terrain(site).nodes->ranks;
    tree.search = PLAN_ROUTE_LEVELS * (t->routes - 1) + site->route.level;
    tree.backwards = site->route.backwards;
    return tree;
}

kerb_plan_node kerb_planner_get_node(const kerb_planner* planner, int32_t index) {
    KERB_ASSERT(planner && index >= 0 && index < kerb_planner_get_tree(planner).count);
    plan_nodes* nodes = kerb_in_plan_site_terrain(planner->world_memory).nodes;
    const plan_node* node = kerb_in_plan_nodes_at(nodes, kerb_in_plan_nodes_ranked(nodes, index));
    bool is_start = node->parent < 0;
    kerb_plan_node shown = {.pose = node->pose,
                            .parent =
                                is_start ? -1 : kerb_in_plan_nodes_at(nodes, node->parent)->rank,
                            .curvature = is_start ? 0.0f : node->curvature,
                            .length = node->length,
                            .cost = node->cost};
    return shown;
}
