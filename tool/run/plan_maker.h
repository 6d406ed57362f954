// The planner of `kerb plan`: kerb_planner, or kerb_plan_search with speed in its states. One set
// of calls for both.
#ifndef KERB_TOOL_RUN_PLAN_MAKER_H
#define KERB_TOOL_RUN_PLAN_MAKER_H

#include "kerb/plan.h"

#include "kerb/plan_search.h"
#include "tool/command/message.h"

/// Which of them, and how.
typedef struct tool_plan_way {
    bool searches; ///< kerb_plan_search; else kerb_planner
    kerb_planner_settings planner;
    kerb_plan_search_settings search;
} tool_plan_way;

typedef struct tool_plan_maker {
    bool searches;
    kerb_planner planner; ///< one of them; the other is zeroed
    kerb_plan_search search;
    kerb_plan_search_settings settings; ///< of the search
} tool_plan_maker;

/// For this vehicle and world (NULL: open ground). Complains when it cannot; destroy it.
tool_status tool_plan_maker_create(tool_plan_maker* maker, const kerb_plan_limits* limits,
                                   const kerb_plan_world* world, const tool_plan_way* way);
/// Harmless on a zeroed one.
void tool_plan_maker_destroy(tool_plan_maker* maker);

/// Begins a query among `count` movers. Complains when it cannot.
tool_status tool_plan_maker_begin(tool_plan_maker* maker, const kerb_plan_query* query,
                                  const kerb_plan_mover* movers, int32_t count);

/// Goes on by so many steps or expansions.
kerb_plan_outcome tool_plan_maker_advance(tool_plan_maker* maker, int32_t steps);

/// The best so far; its pieces stay until the next call.
kerb_plan tool_plan_maker_plan(tool_plan_maker* maker);

/// The tree that it grows. Of the search it is one tree, of all that it keeps.
kerb_plan_tree tool_plan_maker_tree(tool_plan_maker* maker);
kerb_plan_node tool_plan_maker_node(const tool_plan_maker* maker, int32_t index);

#endif
