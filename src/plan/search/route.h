// A path round obstacles with wide or narrow gaps: a line, a row of searches, coarse ones first,
// and then shortcuts. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_ROUTE_H
#define KERB_IN_PLAN_SEARCH_ROUTE_H

#include "../polish/shortcut.h"
#include "effort.h"
#include "line.h"
#include "search.h"

// Greatest number of searches of a route; from level to level they become finer. [1]
#define PLAN_ROUTE_LEVELS 14

typedef enum plan_route_state {
    PLAN_ROUTE_RUNNING,
    PLAN_ROUTE_FOUND,
    PLAN_ROUTE_NO_PATH, // proven: there is no path
    PLAN_ROUTE_SPENT    // no path found with the budget
} plan_route_state;

// Data outside a route's own memory.
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
    int32_t level;  // index of the present search
    int32_t left;   // expansions left to this level
    int32_t share;  // expansions that the level was given last
    float nearest;  // least distance to the goals round the obstacles at that time [m]
    int32_t cuts;   // shortcuts left
    int32_t state;  // plan_route_state
    bool backwards; // it searches from the goals
    bool is_other;  // it looks for another path, on the first level only
    float weight;   // of that search
    bool searching; // false: it tries shortcuts
    float room;     // least clearance of arcs [m]
    int32_t expansions;
    plan_effort effort; // of the previous levels, where these search from the starts
    plan_search search;
    plan_shortcut shortcut;
    bool is_lined; // the answer of the search is a line
    plan_line line;
} plan_route;

// Begins a route. [budget: expansions; cuts: attempts to shorten the path that was found]
void kerb_in_plan_route_begin(plan_route* route, const plan_terrain* terrain,
                              const plan_rates* rates, const kerb_plan_query* query, int32_t budget,
                              int32_t cuts);
// Begins a route where a path is known already: looks for another path with one coarse search. The
// nearer `weight` is to turning speed over greatest speed, the better the path and the longer the
// search.
void kerb_in_plan_route_begin_other(plan_route* route, const plan_terrain* terrain,
                                    const plan_rates* rates, const kerb_plan_query* query,
                                    int32_t budget, int32_t cuts, float weight);
// The partial path that comes nearest to a goal. Its start is an index into the starts of the
// route. O(nodes)
plan_effort kerb_in_plan_route_effort(const plan_route* route, const plan_terrain* terrain);
// Does at most `steps` expansions and shortcuts.
plan_route_state kerb_in_plan_route_advance(plan_route* route, const plan_terrain* terrain,
                                            int32_t steps);

#endif
