// Each call goes to the planner or to the search, by the option.
#include "tool/run/plan_maker.h"

#include <string.h>

tool_status tool_plan_maker_create(tool_plan_maker* maker, const kerb_plan_limits* limits,
                                   const kerb_plan_world* world, const tool_plan_way* way) {
    const kerb_host host = kerb_host_default();
    kerb_error error;
    memset(maker, 0, sizeof *maker);
    maker->searches = way->searches;
    maker->settings = way->search;
    kerb_result result =
        way->searches ? kerb_plan_search_create(&maker->search, limits, &way->search, &host, &error)
                      : kerb_planner_create(&maker->planner, limits, &way->planner, &host, &error);
    if (result == KERB_OK)
        result = way->searches ? kerb_plan_search_set_world(&maker->search, world, &error)
                               : kerb_planner_set_world(&maker->planner, world, &error);
    if (result == KERB_OK)
        return TOOL_DONE;
    tool_plan_maker_destroy(maker);
    return tool_complain("plan: %s: %s", error.field, error.message);
}

void tool_plan_maker_destroy(tool_plan_maker* maker) {
    kerb_planner_destroy(&maker->planner);
    kerb_plan_search_destroy(&maker->search);
}

tool_status tool_plan_maker_begin(tool_plan_maker* maker, const kerb_plan_query* query,
                                  const kerb_plan_mover* movers, int32_t count) {
    kerb_error error;
    kerb_result result = maker->searches
                             ? kerb_plan_search_set_movers(&maker->search, movers, count, &error)
                             : kerb_planner_set_movers(&maker->planner, movers, count, &error);
    if (result != KERB_OK)
        return tool_complain("plan: --mover: %s: %s", error.field, error.message);
    result = maker->searches ? kerb_plan_search_begin(&maker->search, query, &error)
                             : kerb_planner_begin(&maker->planner, query, &error);
    if (result != KERB_OK)
        return tool_complain("plan: %s: %s", error.field, error.message);
    return TOOL_DONE;
}

kerb_plan_outcome tool_plan_maker_advance(tool_plan_maker* maker, int32_t steps) {
    return maker->searches ? kerb_plan_search_advance(&maker->search, steps)
                           : kerb_planner_advance(&maker->planner, steps);
}

kerb_plan tool_plan_maker_plan(tool_plan_maker* maker) {
    return maker->searches ? kerb_plan_search_get_plan(&maker->search)
                           : kerb_planner_get_plan(&maker->planner);
}

kerb_plan_tree tool_plan_maker_tree(tool_plan_maker* maker) {
    if (!maker->searches)
        return kerb_planner_get_tree(&maker->planner);
    return (kerb_plan_tree){.count = kerb_plan_search_get_report(&maker->search).nodes};
}

kerb_plan_node tool_plan_maker_node(const tool_plan_maker* maker, int32_t index) {
    if (!maker->searches)
        return kerb_planner_get_node(&maker->planner, index);
    kerb_plan_search_node node = kerb_plan_search_get_node(&maker->search, index);
    return (kerb_plan_node){node.pose, node.parent, node.curvature, node.length, node.cost};
}
