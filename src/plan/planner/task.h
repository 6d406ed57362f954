// A planner's query, its state, and the steps of work on it. Private to the room.
#ifndef KERB_IN_PLAN_PLANNER_TASK_H
#define KERB_IN_PLAN_PLANNER_TASK_H

#include "../model/aims.h"
#include "../model/ends.h"
#include "../polish/bends.h"
#include "../polish/crossing.h"
#include "../polish/direct.h"
#include "../polish/polish.h"
#include "../search/shot.h"
#include "../search/site.h"

// One more: a start that is at a goal already.
#define PLAN_PAIRS_MAX (KERB_PLAN_ENDS_MAX * PLAN_AIMS_MAX + 1)
#define PLAN_TASK_PIECES PLAN_PIECES_OF(PLAN_ARCS_MAX)

// A start, and an exact end of a goal (an "aim").
typedef struct plan_pair {
    int32_t start, aim;
    float bound; // with penalties [s]
} plan_pair;

// What the planner does now.
typedef enum plan_stage {
    PLAN_SHOOTING,  // tries analytic paths, pair by pair
    PLAN_ROUTING,   // searches round obstacles, and shortens what it finds
    PLAN_STATING,   // searches with speed in the states
    PLAN_TRYING,    // improves the few best paths for a while each
    PLAN_IMPROVING, // improves the best of them
    PLAN_CROSSING,  // looks for another path round movers
    PLAN_ENDED
} plan_stage;

// The plan that is shown at the end of a slice. It follows from the paths of the task and has no
// effect on them.
typedef struct plan_shown {
    int32_t of;     // value of plan_task.changes when it was made
    int32_t count;  // of pieces; 0: there is none
    int32_t method; // kerb_plan_method
    plan_pair pair;
    int32_t origin;                 // start of the query
    bool is_base;                   // of the base, because the wheels cannot follow the best path
    float cost, time, length, toll; // cost: KERB_PLAN_NEVER: none
} plan_shown;

// A path that may be shown.
typedef struct plan_candidate {
    const plan_arc* arcs;
    int32_t count;
    int32_t method; // kerb_plan_method; NONE: there is no path
    plan_pair pair;
    float speed_goal; // [m/s]
    float cost;       // with penalties [s]
} plan_candidate;

typedef struct plan_task {
    kerb_plan_limits limits; // of the arcs that are drawn
    kerb_plan_limits given;  // by the host
    kerb_planner_settings settings;
    plan_rates rates;                          // of the arcs that are drawn
    plan_rates given_rates;                    // with clothoids
    kerb_plan_end origins[KERB_PLAN_ENDS_MAX]; // the starts of the query
    // Where paths begin: there, or at the ends of leads, which have their times as penalties.
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    plan_lead leads[KERB_PLAN_ENDS_MAX]; // of the starts, where is_led
    bool ends_straight;                  // direct ways must
    bool is_led;
    bool can_stop; // one of the leads until now has stopped
    int32_t origin_count, start_count;
    int32_t origin_of[KERB_PLAN_ENDS_MAX];   // of the starts
    uint64_t lead_marks[KERB_PLAN_ENDS_MAX]; // of these leads
    uint64_t leads_struck;                   // marks of those that are not offered again
    // After the aims: the pose of a start that is at a goal already, and the end of an earlier
    // plan.
    plan_aim aims[PLAN_AIMS_MAX + 2];
    plan_pair pairs[PLAN_PAIRS_MAX];
    int32_t start_of_route[KERB_PLAN_ENDS_MAX], aim_of_route[KERB_PLAN_ENDS_MAX];
    float goal_bounds[KERB_PLAN_ENDS_MAX];  // lower bound from any start, with penalties [s]
    bool is_looked_for[KERB_PLAN_ENDS_MAX]; // a search for this goal has run or found it
    int32_t goal_count, aim_count;
    int32_t routes;            // searches round obstacles until now
    int32_t expansions_before; // expansions before the latest of them
    plan_shortcut kept;        // the best route
    float kept_room;           // least clearance of its arcs [m]
    int32_t cuts_left;         // shortcuts that are left for it
    bool is_again;             // a search for a second path has begun
    bool is_last_cut;          // the best route gets the rest of the shortcuts
    bool is_stated;            // the search with speed has begun
    bool is_state_cut;         // its result is being shortened
    int32_t route_state;       // plan_route_state, of the last route
    int32_t first_effort;      // expansions of the first route; 0: not ended yet
    int32_t pair_count, next_pair;
    int32_t outcome; // kerb_plan_outcome
    int32_t stage;   // plan_stage
    int32_t steps;
    int32_t expansions;
    float room;        // least clearance of arcs [m]
    int32_t improved;  // steps of improvement until now
    int32_t trial;     // index of the path that is tried
    int32_t trial_end; // value of `improved` at the end of this trial
    // The base: the best path that shots and routes have found. Only steps change it, so decisions
    // that depend on it do not depend on slices.
    int32_t method; // kerb_plan_method; ANALYTIC: the volley's first shot, otherwise `kept`
    float cost;     // with penalties; KERB_PLAN_NEVER: none [s]
    plan_pair found;
    plan_volley volley;
    float lower_bound;
    bool polished;           // the polishes belong to this query
    bool is_other_tried;     // the second polish holds a path that is being tried
    bool searched;           // the nodes of the site belong to this query
    int32_t best;            // index of the better polish
    plan_polish polishes[2]; // the best path, and the one that is tried
    int32_t changes;         // of any path that might be shown
    plan_shown shown;
    kerb_plan_piece pieces[PLAN_TASK_PIECES]; // that are shown
    plan_bends_memory bends;
    bool is_crossing; // the search for a path round movers has begun
    float overlap;    // by how much obstacles reach into the footprint at the starts [m]
    // `pieces` are the rest of an earlier plan, or a direct way that follows from no path, and by
    // how much another path must be better. [s]
    bool is_onward, is_direct;
    float price;
} plan_task;

// Drops the query.
void kerb_in_plan_task_forget(plan_task* t);
// Whether a pair is a start that is at its goal already.
bool kerb_in_plan_task_is_there(const plan_task* t, plan_pair pair);
// Drops all that was found, and the ways to it. The query stays.
void kerb_in_plan_task_clear(plan_task* t);
// Makes the pairs of a start and an aim, the most promising first. Sets the outcome where there are
// none.
void kerb_in_plan_task_choose_pairs(plan_task* t, plan_site* site);

// Paths begin at the query's own starts.
void kerb_in_plan_task_lead_none(plan_task* t, int32_t count);
// Begins the query once more behind leads. Ends it where there are no more of them.
void kerb_in_plan_task_lead(plan_task* t, plan_site* site);
// Whether the speed of a start is one that the curvature of its wheels allows.
bool kerb_in_plan_task_may_begin(const plan_task* t, int32_t origin);

// The start and the exact end of a pair.
const kerb_plan_end* kerb_in_plan_task_start(const plan_task* t, plan_pair pair);
const kerb_plan_end* kerb_in_plan_task_aim(const plan_task* t, plan_pair pair);
// Their penalties. [s]
float kerb_in_plan_task_penalties(const plan_task* t, plan_pair pair);
// Those of the query: the time of a lead is none of them. [s]
float kerb_in_plan_task_given_penalties(const plan_task* t, plan_pair pair);
// The tolerances of its goal.
plan_slack kerb_in_plan_task_slack(const plan_task* t, plan_pair pair);
// The context of the space: the question whether an arc is free.
plan_probe kerb_in_plan_task_probe(const plan_task* t, const plan_site* site);
plan_space kerb_in_plan_task_space(const plan_probe* probe);

// Cost of the ground along a path of a pair. [s]
float kerb_in_plan_task_toll(const plan_task* t, const plan_site* site, plan_pair pair,
                             const plan_arc* arcs, int32_t count);
// A path of a pair, with the fastest final speed that its goal allows, and its cost.
plan_candidate kerb_in_plan_task_candidate(const plan_task* t, const plan_site* site,
                                           plan_pair pair, int32_t method, const plan_arc* arcs,
                                           int32_t count);
// The path that is being shortened. Without arcs where there is none.
plan_candidate kerb_in_plan_task_route(const plan_task* t, const plan_site* site);
// The path that is being improved. Without arcs where there is none.
plan_candidate kerb_in_plan_task_polished(const plan_task* t);
// Whether the rest of an earlier plan is shown and no path can be better by its price.
bool kerb_in_plan_task_is_onward_enough(const plan_task* t);
// The pieces of a path from a start on, those of its lead among them. Returns their number; 0:
// wheels cannot follow it.
int32_t kerb_in_plan_task_pieces(plan_task* t, const plan_space* space, int32_t start,
                                 const plan_arc* arcs, int32_t count, float speed_goal,
                                 kerb_plan_piece* pieces);
// The path that is shown. Without arcs where there is none.
plan_candidate kerb_in_plan_task_path(const plan_task* t, const plan_site* site);
// Sets time and length of the pieces that are shown.
void kerb_in_plan_task_measure(plan_task* t);
// Makes the pieces of the best path, if a path has changed since they were made.
void kerb_in_plan_task_show(plan_task* t, const plan_site* site);
void kerb_in_plan_task_begin_polish(plan_task* t, const plan_site* site, plan_polish* polish,
                                    const plan_arc* arcs, int32_t count, uint64_t seed);
// Time and cost of the ground. [s]
float kerb_in_plan_task_cost_of(const plan_polish* polish);
void kerb_in_plan_task_end(plan_task* t, int32_t outcome);

// One step: tries the analytic paths of the next pair.
void kerb_in_plan_task_shoot(plan_task* t, plan_site* site);
// Begins the trial of a path of the volley.
void kerb_in_plan_task_begin_trial(plan_task* t, const plan_site* site, int32_t which);
// One step of the improvement.
void kerb_in_plan_task_improve(plan_task* t, const plan_site* site);
bool kerb_in_plan_task_is_improved(const plan_task* t);

// Begins the searches round the obstacles.
void kerb_in_plan_task_begin_routes(plan_task* t, plan_site* site);
// One step of these searches.
void kerb_in_plan_task_step_route(plan_task* t, plan_site* site);
// One step of the search with speed.
void kerb_in_plan_task_step_states(plan_task* t, plan_site* site);

// A query of the usable starts and the aims of one goal or of all (-1). Writes their indices.
kerb_plan_query kerb_in_plan_task_ends(const plan_task* t, int32_t goal, kerb_plan_end* starts,
                                       kerb_plan_end* goals, int32_t* start_of, int32_t* aim_of);

// Times the best plan among the movers: slower, or with waits.
void kerb_in_plan_task_adapt_to_movers(plan_task* t, plan_crossing* crossing);
// Called at the end of a query: if its plan meets a mover, begins the search for another path.
void kerb_in_plan_task_begin_crossing(plan_task* t, plan_site* site, plan_crossing* crossing);
// Replaces the plan without movers by the better one of the timed plan and the other path.
void kerb_in_plan_task_show_among(const plan_task* t, const plan_crossing* crossing,
                                  kerb_plan* plan);
// One step of the search for another path.
void kerb_in_plan_task_step_crossing(plan_task* t, plan_site* site, plan_crossing* crossing);

#endif
