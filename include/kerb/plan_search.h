// Kerb plan_search: the search of the AIPATH thesis, with speed in its states.
//
// This is a reproduction of the thesis, for comparison. A game uses kerb_planner (kerb/plan.h): it
// is faster and finds cheaper plans for most queries, and it uses this search where speed matters.
// This search knows the speed of every state that it expands.
//
// The search is A* over position, heading, speed and direction of travel. One action is a turn and
// an acceleration at once. Cost is time.
//
// Call order: kerb_plan_search_create; kerb_plan_search_set_world and kerb_plan_search_set_movers
// where there are obstacles; then for each query kerb_plan_search_begin, kerb_plan_search_advance
// in slices, and kerb_plan_search_get_plan at any moment; kerb_plan_search_destroy.
//
//     kerb_host host = kerb_host_default();
//     kerb_plan_limits limits = kerb_plan_limits_default();
//     kerb_plan_search_settings settings = kerb_plan_search_settings_default();
//     kerb_plan_search search;
//     kerb_error error;
//     if (kerb_plan_search_create(&search, &limits, &settings, &host, &error) != KERB_OK)
//         return false;                                            // `error` says what is wrong
//     if (kerb_plan_search_begin(&search, &query, &error) == KERB_OK)
//         while (kerb_plan_search_advance(&search, 100) == KERB_PLAN_RUNNING)
//             continue;                                            // one slice per frame
//     kerb_plan plan = kerb_plan_search_get_plan(&search);         // its pieces lie in `search`
//     float seconds = plan.count > 0 ? plan.time : 0.0f;
//     kerb_plan_search_destroy(&search);                           // `plan` has no pieces any more
//
// Lifetimes: the pieces of a plan lie in the memory of the search. They are valid until the next
// call with the same search. Threads: use a search from one thread at a time; different searches
// are independent.
//
// Does not: improve or shorten the plans that it finds (kerb_planner does).
#ifndef KERB_PLAN_SEARCH_H
#define KERB_PLAN_SEARCH_H

#include "plan.h"

// --------------------------------------------------------------------------- lower bounds

/// How the cost to go, the time from a state to a goal, is estimated.
typedef enum kerb_plan_heuristic {
    KERB_PLAN_ADMISSIBLE, ///< lower bound: at most the time of the fastest plan
    KERB_PLAN_THESIS,     ///< as intended in the thesis (4.2); sometimes above the real cost
    KERB_PLAN_DISTANCE,   ///< shortest path of turn, straight, turn at top speed (Pinter)
    KERB_PLAN_EUCLIDEAN,  ///< lower bound: straight line at top speed
    KERB_PLAN_HEURISTIC_COUNT
} kerb_plan_heuristic;

/// "admissible", "thesis", "distance" or "euclidean"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_plan_heuristic_text(kerb_plan_heuristic value);

/// What THESIS assumes where the path is too short for the change of speed (4.2.2).
typedef enum kerb_plan_overshoot {
    KERB_PLAN_CIRCULAR, ///< a further circle
    KERB_PLAN_LINEAR,   ///< stop and reverse; a circle for a vehicle that cannot reverse
    KERB_PLAN_COMBINED, ///< the faster of the two
    KERB_PLAN_OVERSHOOT_COUNT
} kerb_plan_overshoot;

/// "circular", "linear" or "combined"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_plan_overshoot_text(kerb_plan_overshoot value);

/// How kerb_plan_bound estimates, and the tolerances of the goal.
typedef struct kerb_plan_bound_settings {
    int32_t heuristic;        ///< kerb_plan_heuristic
    int32_t overshoot;        ///< kerb_plan_overshoot, for THESIS
    float position_tolerance; ///< accepted distance from the goal [m] [>= 0]
    float heading_tolerance;  ///< accepted heading error; π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< accepted difference of speed [m/s] [>= 0]
} kerb_plan_bound_settings;

/// Estimated time from one end to another, without penalties and obstacles. [s] O(1), allocates
/// nothing.
///
/// ADMISSIBLE is the greatest of these three times, each with the limits of the direction of travel
/// that allows more:
/// - the time of the shortest path (all six kinds of Dubins paths; Reeds-Shepp paths where the
///   vehicle may reverse) with full acceleration, top speed and full braking;
/// - the time of the change of speed alone;
/// - the time of the change of heading alone.
///
/// With a tolerance of position or heading, the length of the path is the greater of two: straight
/// distance - tolerance, and radius · (turn - tolerance). No plan takes less time; but rounding of
/// floats may make the estimate too high by up to 1e-5 of its value.
///
/// ADMISSIBLE differs from the thesis in three places where the thesis estimates too much: in
/// algorithm 2 (lines 8 and 9, by up to a half), where it leaves out paths of three turns, and
/// where it adds a whole circle although only a little distance is missing.
KERB_API float kerb_plan_bound(const kerb_plan_limits* limits,
                               const kerb_plan_bound_settings* settings, const kerb_plan_end* from,
                               const kerb_plan_end* to);

/// Shortest time to travel `distance` forwards from one speed to another: full acceleration, top
/// speed, full braking (AIPATH eq. 4.1, corrected). KERB_PLAN_NEVER where the distance is too short
/// for the change of speed or a speed exceeds the limit. [s] O(1)
KERB_API float kerb_plan_traversal_time(const kerb_plan_limits* limits, float distance,
                                        float speed_start, float speed_goal);

/// Returned as the time of an impossible motion. [s]
#define KERB_PLAN_NEVER 1.0e30f

// --------------------------------------------------------------------------- searching with speed

/// Which of two states in one cell a search keeps. (AIPATH 4.3.2 and 4.5)
typedef enum kerb_plan_rank {
    KERB_PLAN_RANK_COST,     ///< the one with the lower cost
    KERB_PLAN_RANK_ESTIMATE, ///< the one with the lower sum of cost and cost to go
    KERB_PLAN_RANK_COUNT
} kerb_plan_rank;

/// "cost" or "estimate"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_plan_rank_text(kerb_plan_rank value);

/// Whether a probe runs before A*: a probe goes from state to state, always to the most promising
/// successor, and never back. (AIPATH 4.4)
typedef enum kerb_plan_probing {
    KERB_PLAN_PROBING_NEVER, ///< A* from the start
    KERB_PLAN_PROBING_FIRST, ///< first the probe, then A* from all states of the probe
    KERB_PLAN_PROBING_ONLY,  ///< the probe alone; there is no plan if it does not reach a goal
    KERB_PLAN_PROBING_COUNT
} kerb_plan_probing;

/// "never", "first" or "only"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_plan_probing_text(kerb_plan_probing value);

/// How costs and cells of time work together. (AIPATH 4.3.6)
typedef enum kerb_plan_time_use {
    KERB_PLAN_TIME_EXACT,   ///< costs are compared exactly
    KERB_PLAN_TIME_ROUNDED, ///< cost and cost to go are rounded to `time_cell`
    KERB_PLAN_TIME_STATE,   ///< time is part of the state: another cell of time is another state
    KERB_PLAN_TIME_COUNT
} kerb_plan_time_use;

/// "exact", "rounded" or "state"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_plan_time_use_text(kerb_plan_time_use value);

/// How the search divides its space, and in which order it expands states. A settings struct: begin
/// with kerb_plan_search_settings_default or _thesis; kerb_plan_search_settings_table has the
/// ranges.
typedef struct kerb_plan_search_settings {
    // Cells. The search keeps one state per cell, with its exact values, not rounded to the cell.
    float cell;         ///< side of a cell of positions (4.3.2). States more than 8191 cells from
                        ///< the first start are dropped [m] [> 0]
    float heading_cell; ///< cell of headings (4.3.3) [rad] [> 0]
    /// Cell of speeds (4.3.1). At least 1/4095 of the greatest speed is used. [m/s] [> 0]
    float speed_cell;
    int32_t time_use; ///< kerb_plan_time_use
    float time_cell;  ///< cell of times; TIME_STATE has at most 1023 cells [s] [> 0]
    int32_t rank;     ///< kerb_plan_rank
    // Actions: each turn with each acceleration.
    float step_length;     ///< straight distance between a state and its successor (4.3.5); at most
                           ///< 1.4 turning radii are used [m] [> 0]
    float turn_step;       ///< turns are its multiples and the tightest turn (4.3.4) [rad] [> 0]
    int32_t accelerations; ///< number of accelerations, and number of brakings, besides constant
                           ///< speed; the strongest are among them [>= 1]
    int32_t goal_actions;  ///< 1: also the turn that ends with the goal's heading, and the
                           ///< acceleration that ends with the goal's speed; 0: not
    // Order of the search.
    int32_t heuristic;  ///< kerb_plan_heuristic
    int32_t overshoot;  ///< kerb_plan_overshoot
    float far_radii;    ///< beyond this many turning radii from a goal, ADMISSIBLE and THESIS use
                        ///< the straight line as path (4.2.3) [1] [>= 0]
    float weight;       ///< weight of the cost to go for the first plan [1] [>= 1]
    float last_weight;  ///< weight of the cost to go for the last plan (ARA*) [1] [>= 1]
    float weight_step;  ///< decrease of the weight after each plan [1] [> 0]
    int32_t probing;    ///< kerb_plan_probing
    int32_t shot_every; ///< number of expansions between two attempts to reach the goal by an
                        ///< analytic path; 0: never [>= 0]
    // Tolerances of all goals; those of kerb_plan_end count where they are larger. When all are 0,
    // only analytic paths reach a goal.
    float position_tolerance; ///< accepted distance from the goal [m] [>= 0]
    float heading_tolerance;  ///< accepted heading error; π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< accepted difference of speed [m/s] [>= 0]
    // Amount of work.
    int32_t expansions; ///< greatest number of expansions of a query [>= 0]
    /// Greatest number of expansions per metre of the straight distance from start to goal, or per
    /// metre of the smallest circle's circumference where that is longer (6.2). This limit or
    /// `expansions` counts, whichever is lower. [1/m] [> 0]
    float expansions_per_metre;
    int32_t nodes; ///< greatest number of states, 100 bytes each [1024 … 1e7]
} kerb_plan_search_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_plan_search_settings_table;
/// Settings that work well: long steps, analytic paths to the goal.
KERB_API kerb_plan_search_settings kerb_plan_search_settings_default(void);
/// Settings of the experiments in the thesis (5.1): cells of 1.2 m, its heuristic, its tolerances
/// of the goal, 100,000 expansions, no analytic paths.
KERB_API kerb_plan_search_settings kerb_plan_search_settings_thesis(void);

/// Searches for plans in slices of work. Its memory holds no pointers, except for `is_free` and
/// `pose_at` with their contexts. A copy of this struct with copies of the memory goes on and gives
/// exactly the same plan, to the bit. The plan depends on the number of expansions, not on how they
/// were sliced. One thread at a time.
typedef struct kerb_plan_search {
    void* memory;       ///< aligned to 64
    size_t bytes;       ///< of `memory`
    void* world_memory; ///< obstacles, aligned to 64; NULL: open ground
    size_t world_bytes;
    kerb_allocator allocator;
} kerb_plan_search;

/// Makes a search on open ground. Allocates all memory for its queries at once, and writes to all
/// of it, so that the first query is not slower. Errors: those of kerb_plan_limits_validate;
/// NOT_FINITE or OUT_OF_RANGE of a setting; OUT_OF_MEMORY. On error the search is zeroed.
KERB_API kerb_result kerb_plan_search_create(kerb_plan_search* search,
                                             const kerb_plan_limits* limits,
                                             const kerb_plan_search_settings* settings,
                                             const kerb_host* host, kerb_error* error);

/// Releases the memory and zeroes the search. Has no effect on a zeroed search.
KERB_API void kerb_plan_search_destroy(kerb_plan_search* search);

/// Sets the obstacles for the next queries, with the cost map, and drops the present query. Errors
/// and memory as for kerb_planner_set_world.
KERB_API kerb_result kerb_plan_search_set_world(kerb_plan_search* search,
                                                const kerb_plan_world* world, kerb_error* error);

/// Change a part of the world. A search that is running ends with KERB_PLAN_WORLD_CHANGED. Meaning,
/// errors and cost as for kerb_planner_change_cells and kerb_planner_change_polygon.
KERB_API kerb_result kerb_plan_search_change_cells(kerb_plan_search* search,
                                                   const kerb_plan_cells* cells, kerb_error* error);
KERB_API kerb_result kerb_plan_search_change_polygon(kerb_plan_search* search, int32_t polygon,
                                                     const kerb_vec2* vertices, int32_t count,
                                                     kerb_error* error);

/// Sets the moving obstacles for the next queries and drops the present query. Copies them.
/// count 0: none. Allocates nothing.
///
/// With moving obstacles time is part of the state, whatever `time_use` says, and a vehicle at
/// standstill may wait in steps of half a second. So plans go round moving obstacles or let them
/// pass. Moving obstacles have no effect after the end of a plan. Errors as for
/// kerb_planner_set_movers, without OUT_OF_MEMORY.
KERB_API kerb_result kerb_plan_search_set_movers(kerb_plan_search* search,
                                                 const kerb_plan_mover* movers, int32_t count,
                                                 kerb_error* error);

/// Begins a query and drops the present one. Errors, and outcomes of bad ends, as for
/// kerb_planner_begin.
KERB_API kerb_result kerb_plan_search_begin(kerb_plan_search* search, const kerb_plan_query* query,
                                            kerb_error* error);

/// Does at most `expansions` expansions. FOUND: the plan is the best for `last_weight`, or the
/// probe's. BUDGET_SPENT: no plan found with this much work. NO_PATH: no state is left to expand
/// with these cells. When the weight changes, one expansion sorts all open states: O(nodes).
KERB_API kerb_plan_outcome kerb_plan_search_advance(kerb_plan_search* search, int32_t expansions);

/// Ends the query. The plan that was found stays.
KERB_API void kerb_plan_search_cancel(kerb_plan_search* search);

/// The best plan until now that reaches a goal; without pieces where there is none. O(states of the
/// plan). Its pieces are valid until the next call with this search.
KERB_API kerb_plan kerb_plan_search_get_plan(kerb_plan_search* search);

/// The plan to the state with the lowest cost to go. A vehicle can begin to drive on it while the
/// search goes on. It ends short of the goal. O(states of the plan). Its pieces are valid until the
/// next call with this search.
KERB_API kerb_plan kerb_plan_search_get_partial_plan(kerb_plan_search* search);

/// What a search has done.
typedef struct kerb_plan_search_report {
    int32_t expansions;       ///< number of states expanded
    int32_t first_expansions; ///< until the first plan was found; 0: none
    int32_t probe_expansions; ///< by the probe
    int32_t nodes;            ///< states kept
    int32_t generated;        ///< successors computed
    float first_cost;         ///< of the first plan; KERB_PLAN_NEVER: none [s]
    float probe_cost;         ///< of the probe's plan; KERB_PLAN_NEVER: it reached no goal [s]
    float weight;             ///< present weight of the cost to go [1]
    /// The plan costs at most this many times as much as the best plan of this search. Known for
    /// ADMISSIBLE and EUCLIDEAN. It does not count states that were dropped for a better one in
    /// their cell. KERB_PLAN_NEVER: unknown. [1]
    float suboptimality;
} kerb_plan_search_report;

/// What the search has done for this query. O(1); `suboptimality` makes it O(nodes) while the
/// search runs.
KERB_API kerb_plan_search_report kerb_plan_search_get_report(kerb_plan_search* search);

/// A state of a search, for pictures.
typedef struct kerb_plan_search_node {
    kerb_pose pose;   ///< of the rear axle
    float speed;      ///< along the pose; negative in reverse [m/s]
    float cost;       ///< from the start [s]
    float cost_to_go; ///< estimated cost to go [s]
    float curvature;  ///< of the arc that leads here, left positive [1/m]
    float length;     ///< of that arc, negative in reverse [m]
    int32_t parent;   ///< index of the state where that arc begins; -1: this is a start
    bool expanded;    ///< its successors have been computed
} kerb_plan_search_node;

/// A state by its index, in the order in which they were reached. [0 <= index < report.nodes] O(1)
KERB_API kerb_plan_search_node kerb_plan_search_get_node(const kerb_plan_search* search,
                                                         int32_t index);

#endif
