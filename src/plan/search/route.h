// A way round obstacles, however wide or narrow its gaps: searches, coarse ones first, and then
// shortcuts. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_ROUTE_H
#define KERB_IN_PLAN_SEARCH_ROUTE_H

#include "../polish/shortcut.h"
#include "effort.h"
#include "search.h"

// Searches of a route at most, each finer than the one before.
#define PLAN_ROUTE_LEVELS 14

typedef enum plan_route_state {
    PLAN_ROUTE_RUNNING,
    PLAN_ROUTE_FOUND,
    PLAN_ROUTE_NO_PATH, // the vehicle cannot get there however it drives: proven
    PLAN_ROUTE_SPENT    // none found
} plan_route_state;

// What a route needs besides its own memory.
typedef struct plan_terrain {
    const plan_world* world;
    plan_flow* flow; // created for the world
    plan_nodes* nodes;
    const plan_distant* distant;
} plan_terrain;

// Plain data without pointers.
typedef struct plan_route {
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    int32_t start_count, goal_count;
    plan_rates rates;
    int32_t budget; // of expansions
    int32_t level;  // how fine the search is
    int32_t left;   // expansions left to this level
    int32_t share;  // of those that it was given last
    float nearest;  // place that it had found by then, to the goals round the obstacles [m]
    int32_t cuts;   // shortcuts left
    int32_t state;  // plan_route_state
    bool backwards; // it searches from the goals
    bool is_other;  // it looks for another way, on the first level only, with this weight
    float weight;
    bool searching;
    float room; // that arcs are tried with at least [m]
    int32_t expansions;
    plan_effort effort; // of the levels before this one, those that search from the start
    plan_search search;
    plan_shortcut shortcut;
} plan_route;

// [budget: of expansions; cuts: of tries to shorten what was found]
void kerb_in_plan_route_begin(plan_route* route, const plan_terrain* terrain,
                              const plan_rates* rates, const kerb_plan_query* query, int32_t budget,
                              int32_t cuts);
// The same where a way is known already: looks for another one, with one coarse search. The nearer
// `weight` is to that of the greatest speed, the better the way and the dearer the search.
void kerb_in_plan_route_begin_other(plan_route* route, const plan_terrain* terrain,
                                    const plan_rates* rates, const kerb_plan_query* query,
                                    int32_t budget, int32_t cuts, float weight);
// How near it has come: starts are the route's. O(nodes)
plan_effort kerb_in_plan_route_effort(const plan_route* route, const plan_terrain* terrain);
// Goes on by so many expansions and shortcuts.
plan_route_state kerb_in_plan_route_advance(plan_route* route, const plan_terrain* terrain,
                                            int32_t steps);

#endif
