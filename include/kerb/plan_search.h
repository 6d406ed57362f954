// Kerb plan_search: the search of the AIPATH thesis, with speed in its states.
//
// A reproduction for comparison. A game takes kerb_planner (kerb/plan.h), which is faster and
// better for most queries and uses this search where speed matters.
#ifndef KERB_PLAN_SEARCH_H
#define KERB_PLAN_SEARCH_H

#include "plan.h"

// --------------------------------------------------------------------------- lower bounds

/// How many seconds are still to go at least, or so.
typedef enum kerb_plan_heuristic {
    KERB_PLAN_ADMISSIBLE, ///< never more than any movement takes
    KERB_PLAN_THESIS,     ///< as the AIPATH thesis means it (4.2), which is more at times
    KERB_PLAN_DISTANCE,   ///< the shortest way at top speed (Pinter)
    KERB_PLAN_EUCLIDEAN,  ///< the straight line at top speed
    KERB_PLAN_HEURISTIC_COUNT
} kerb_plan_heuristic;

/// THESIS: what happens where the way is too short for the change of speed (4.2.2).
typedef enum kerb_plan_overshoot {
    KERB_PLAN_CIRCULAR, ///< a further circle
    KERB_PLAN_LINEAR,   ///< stopping and backing up; for what cannot reverse, a circle after all
    KERB_PLAN_COMBINED, ///< the lesser of both
    KERB_PLAN_OVERSHOOT_COUNT
} kerb_plan_overshoot;

/// A bound, and the goal's tolerance that it allows for.
typedef struct kerb_plan_bound_settings {
    int32_t heuristic;        ///< kerb_plan_heuristic
    int32_t overshoot;        ///< kerb_plan_overshoot, for THESIS
    float position_tolerance; ///< 0: exactly there [m] [>= 0]
    float heading_tolerance;  ///< π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< [m/s] [>= 0]
} kerb_plan_bound_settings;

/// Seconds from one end to another, without penalties and obstacles. [s] 100 to 300 ns.
///
/// ADMISSIBLE takes the time of the shortest way (Dubins with all six words, or Reeds and Shepp
/// where the vehicle may reverse) at full acceleration, top speed and full braking, or of the
/// change of speed where that needs a longer way, or of the change of heading; the limits of
/// whichever direction allow more. With a tolerance of place or heading: of max(0, distance -
/// tolerance) and radius · (turn - tolerance). No movement is faster; floats may say 1e-5 of it
/// more. Departs from the thesis where that over-estimates: algorithm 2 (lines 8-9, by up to a
/// half), the words of three turns left out, whole circles charged for a small lack of distance.
KERB_API float kerb_plan_bound(const kerb_plan_limits* limits,
                               const kerb_plan_bound_settings* settings, const kerb_plan_end* from,
                               const kerb_plan_end* to);

/// Seconds at least to travel `distance` forwards, from one speed to another: full acceleration,
/// top speed, full braking. (AIPATH eq. 4.1, mended) [s] Where the distance is too short for the
/// change of speed, or a speed exceeds the greatest: KERB_PLAN_NEVER.
KERB_API float kerb_plan_traversal_time(const kerb_plan_limits* limits, float distance,
                                        float speed_start, float speed_goal);

/// What is returned as the time of what cannot be done. [s]
#define KERB_PLAN_NEVER 1.0e30f

// --------------------------------------------------------------------------- searching with speed

/// Which of two states in one cell a search keeps. (AIPATH 4.3.2 and 4.5)
typedef enum kerb_plan_rank {
    KERB_PLAN_RANK_COST,     ///< the one that costs less so far
    KERB_PLAN_RANK_ESTIMATE, ///< the one that costs less with what is still to go
    KERB_PLAN_RANK_COUNT
} kerb_plan_rank;

/// Whether a search probes first: from state to state, always to the most promising one, never
/// back. (AIPATH 4.4)
typedef enum kerb_plan_probing {
    KERB_PLAN_PROBING_NEVER, ///< A* from the start
    KERB_PLAN_PROBING_FIRST, ///< then A* goes on from all that the probe has seen
    KERB_PLAN_PROBING_ONLY,  ///< what the probe reaches, or nothing
    KERB_PLAN_PROBING_COUNT
} kerb_plan_probing;

/// What becomes of costs. (AIPATH 4.3.6)
typedef enum kerb_plan_time_use {
    KERB_PLAN_TIME_EXACT,   ///< they are compared as they are
    KERB_PLAN_TIME_ROUNDED, ///< cost and what is to go count in whole cells of time
    KERB_PLAN_TIME_STATE,   ///< states of another cell of time are other states
    KERB_PLAN_TIME_COUNT
} kerb_plan_time_use;

/// How a search with speed cuts up its space, and how it goes through it. Begin with
/// kerb_plan_search_settings_default or _thesis; kerb_plan_search_settings_table has the ranges.
typedef struct kerb_plan_search_settings {
    // Of each cell one state is kept, exactly as it was reached.
    float cell;         ///< side, of places (4.3.2); states more than 8191 cells away from the
                        ///< first start are not looked at [m] [> 0]
    float heading_cell; ///< (4.3.3) [rad] [> 0]
    float speed_cell;   ///< (4.3.1); a 4095th of the greatest speed at least [m/s] [> 0]
    int32_t time_use;   ///< kerb_plan_time_use
    float time_cell;    ///< of TIME_STATE 1023 are told apart [s] [> 0]
    int32_t rank;       ///< kerb_plan_rank
    // Actions: each of the turns with each of the accelerations.
    float step;      ///< from a state to the next, in a straight line (4.3.5); at most 1.4
                     ///< least radii count [m] [> 0]
    float turn_step; ///< turns are multiples of it, and the tightest (4.3.4) [rad] [> 0]
    int32_t
        accelerations; ///< so many to either side of none, the strongest always among them [>= 1]
    int32_t aims;      ///< 1: also the turn and the acceleration that give the goal's heading
                       ///< and speed at once; 0: not
    // The order of the search.
    int32_t heuristic;  ///< kerb_plan_heuristic
    int32_t overshoot;  ///< kerb_plan_overshoot
    float far;          ///< beyond so many least radii the straight line counts (4.2.3) [>= 0]
    float weight;       ///< of what is still to go, for the first answer [>= 1]
    float last_weight;  ///< the weight falls to this, answer by answer (ARA*) [>= 1]
    float weight_step;  ///< by so much [> 0]
    int32_t probing;    ///< kerb_plan_probing
    int32_t shot_every; ///< expansions: then the goal is shot at from the state; 0: never
    // When a state is a goal, besides what the goal itself says. All 0: only shots get there.
    float position_tolerance; ///< [m] [>= 0]
    float heading_tolerance;  ///< π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< [m/s] [>= 0]
    // How much work it may be.
    int32_t expansions;         ///< at most
    float expansions_per_metre; ///< and at most so many for each metre between start and goal, or
                                ///< of the least circle where that is longer (6.2) [1/m] [> 0]
    int32_t nodes;              ///< states that can be kept, 100 bytes each
} kerb_plan_search_settings;

KERB_API const kerb_settings_table kerb_plan_search_settings_table;
/// What works well: coarse steps, shots.
KERB_API kerb_plan_search_settings kerb_plan_search_settings_default(void);
/// The thesis's experiments (5.1): cells of 1.2 m, its heuristic, its test for the goal, 100,000
/// expansions, no shots.
KERB_API kerb_plan_search_settings kerb_plan_search_settings_thesis(void);

/// The search of the AIPATH thesis: A* over place, heading, speed and direction of travel, where a
/// step is a turn and an acceleration at once, and cost is time.
///
///     kerb_plan_search search;
///     if (kerb_plan_search_create(&search, &limits, &settings, &host, &error) != KERB_OK) …
///     if (kerb_plan_search_begin(&search, &query, &error) != KERB_OK) …
///     while (kerb_plan_search_advance(&search, 100) == KERB_PLAN_RUNNING) …
///     kerb_plan plan = kerb_plan_search_plan(&search);
///
/// kerb_planner is faster and better for most queries, and takes this search to help where speed
/// matters; this one knows the speed of every state that it looks at, and shows what the thesis
/// shows. Slices, copies and moves are as for kerb_planner.
typedef struct kerb_plan_search {
    void* memory; ///< aligned to 64
    size_t bytes;
    void* site; ///< the obstacles, aligned to 64; NULL: open ground
    size_t site_bytes;
    kerb_allocator allocator;
} kerb_plan_search;

/// Errors: those of kerb_plan_limits_validate; NOT_FINITE or OUT_OF_RANGE of a setting;
/// OUT_OF_MEMORY. On error the search is zeroed. Allocates all that its queries need, once, and
/// touches it.
KERB_API kerb_result kerb_plan_search_create(kerb_plan_search* search,
                                             const kerb_plan_limits* limits,
                                             const kerb_plan_search_settings* settings,
                                             const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed search.
KERB_API void kerb_plan_search_destroy(kerb_plan_search* search);

/// What stands in the way from now on, as kerb_planner_world says it, errors, prices and all.
KERB_API kerb_result kerb_plan_search_world(kerb_plan_search* search, const kerb_plan_world* world,
                                            kerb_error* error);

/// Who crosses the way in the queries that begin from now on; 0: nobody. Copies them. With them
/// states of another `time_cell` are other states, whatever `time_use` says, and whoever stands may
/// wait, half a second at a time; so movements go round them or let them by. Errors as for
/// kerb_planner_movers, memory apart. After a movement's end nobody is looked for.
KERB_API kerb_result kerb_plan_search_movers(kerb_plan_search* search,
                                             const kerb_plan_mover* movers, int32_t count,
                                             kerb_error* error);

/// Begins a query. Errors and outcomes of bad ends as for kerb_planner_begin.
KERB_API kerb_result kerb_plan_search_begin(kerb_plan_search* search, const kerb_plan_query* query,
                                            kerb_error* error);

/// Goes on by so many expansions at most. FOUND: the best there is at the last weight, or the
/// probe's; BUDGET_SPENT: none found with this work; NO_PATH: nothing is left to expand, at this
/// coarseness. A new weight puts all waiting states in order anew, within one expansion.
KERB_API kerb_plan_outcome kerb_plan_search_advance(kerb_plan_search* search, int32_t expansions);

/// Ends the query. What was found stays.
KERB_API void kerb_plan_search_cancel(kerb_plan_search* search);

/// The best movement so far that reaches a goal; without pieces where there is none. Its pieces
/// stay until the next call. O(its states)
KERB_API kerb_plan kerb_plan_search_plan(kerb_plan_search* search);

/// The movement to the state that looks nearest to a goal: what to begin with while the search goes
/// on. Ends beside the goal. Its pieces stay until the next call. O(its states)
KERB_API kerb_plan kerb_plan_search_effort(kerb_plan_search* search);

/// What a search has done.
typedef struct kerb_plan_search_report {
    int32_t expansions;
    int32_t first_expansions; ///< until the first movement was found; 0: none
    int32_t probe_expansions; ///< those of the probe
    int32_t nodes;            ///< states kept
    int32_t generated;        ///< states looked at
    float first_cost;         ///< of the first movement [s]; KERB_PLAN_NEVER: none
    float probe_cost;         ///< of what the probe reached [s]; KERB_PLAN_NEVER: not the goal
    float weight;             ///< now
    /// No better movement within the cells of this search is more than so many times faster, for an
    /// admissible heuristic; what the cells threw away it does not know. KERB_PLAN_NEVER: unknown.
    float suboptimality;
} kerb_plan_search_report;

/// O(1), but for `suboptimality`: O(nodes) while it runs.
KERB_API kerb_plan_search_report kerb_plan_search_reported(kerb_plan_search* search);

/// A state that a search has kept, for pictures.
typedef struct kerb_plan_search_node {
    kerb_pose pose;
    float speed;     ///< along the pose [m/s]
    float cost;      ///< from the start [s]
    float rest;      ///< estimated [s]
    float curvature; ///< of the arc that leads there [1/m]
    float length;    ///< of it; negative in reverse [m]
    int32_t parent;  ///< -1: a start
    bool expanded;
} kerb_plan_search_node;

/// The state of an index, in the order they were reached. [0 <= index < report.nodes] O(1)
KERB_API kerb_plan_search_node kerb_plan_search_at(const kerb_plan_search* search, int32_t index);

#endif
