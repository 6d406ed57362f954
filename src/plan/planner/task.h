// What a planner knows of its query, and the steps that the work on it is made of. Private to the
// room.
#ifndef KERB_IN_PLAN_PLANNER_TASK_H
#define KERB_IN_PLAN_PLANNER_TASK_H

#include "../model/aims.h"
#include "../model/ends.h"
#include "../polish/crossing.h"
#include "../polish/polish.h"
#include "../search/shot.h"
#include "../search/site.h"

#define PLAN_PAIRS_MAX (KERB_PLAN_ENDS_MAX * PLAN_AIMS_MAX)
#define PLAN_TASK_PIECES PLAN_PIECES_OF(PLAN_ARCS_MAX)

// A start and an aim at a goal.
typedef struct plan_pair {
    int32_t start, aim;
    float bound; // with penalties [s]
} plan_pair;

// What the improvement does now: ways are tried one after the other, the best of them goes on.
// Among obstacles a route may come before.
typedef enum plan_stage {
    PLAN_SHOOTING,
    PLAN_ROUTING,
    PLAN_STATING,
    PLAN_TRYING,
    PLAN_IMPROVING,
    PLAN_CROSSING, // another way is looked for, round those who cross this one
    PLAN_ENDED
} plan_stage;

typedef struct plan_task {
    kerb_plan_limits limits;
    kerb_planner_settings settings;
    plan_rates rates;
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    plan_aim aims[PLAN_AIMS_MAX];
    plan_pair pairs[PLAN_PAIRS_MAX];
    int32_t start_of_route[KERB_PLAN_ENDS_MAX], aim_of_route[KERB_PLAN_ENDS_MAX];
    float goal_bounds[KERB_PLAN_ENDS_MAX];  // from whichever start, with penalties [s]
    bool is_looked_for[KERB_PLAN_ENDS_MAX]; // goals: by a search, or not worth one
    int32_t goal_count, aim_count;
    int32_t routes; // searched for so far, and the expansions before the last
    int32_t expansions_before;
    plan_shortcut kept; // the best route, and the room and shortcuts that it has left
    float kept_room;
    int32_t cuts_left;
    bool is_again;        // a second way has been looked for
    bool is_last_cut;     // the best route is shortened to the end
    bool is_stated;       // the search with speed has had its turn
    bool is_state_cut;    // what it found is shortened
    int32_t route_state;  // plan_route_state, of the last route
    int32_t first_effort; // expansions of the first of them that found a way; 0: none yet
    int32_t pair_count, next_pair;
    int32_t outcome; // kerb_plan_outcome
    int32_t stage;   // plan_stage
    int32_t steps;
    int32_t expansions;
    int32_t method;    // kerb_plan_method, of the movement shown
    float room;        // that is asked for at each side [m]
    int32_t improved;  // steps of improvement so far
    int32_t trial;     // which way is tried
    int32_t trial_end; // `improved` when it ends
    plan_pair found;   // the pair that the volley belongs to
    plan_volley volley;
    float lower_bound;
    float cost, time, length, toll; // of the movement shown; KERB_PLAN_NEVER: none
    bool polished;                  // the polishes are this query's
    bool searched;                  // the nodes of the site are this query's
    float shown;                    // time and toll of the best way when the pieces were made
    int32_t best;                   // which polish is the best
    int32_t piece_count;
    plan_polish polishes[2]; // the best, and the one that is tried
    kerb_plan_piece pieces[PLAN_TASK_PIECES];
    int32_t shows;    // how often the pieces have been made
    bool is_crossing; // another way has been looked for
} plan_task;

// There is no query.
void kerb_in_plan_task_forget(plan_task* t);
// Pairs of a start and an aim at a goal, the most promising first; or says why there are none.
void kerb_in_plan_task_choose_pairs(plan_task* t, const plan_site* site, int32_t start_count);

// Of the best pair so far.
const kerb_plan_end* kerb_in_plan_task_start(const plan_task* t);
const kerb_plan_end* kerb_in_plan_task_aim(const plan_task* t);
// What its goal leaves open.
plan_slack kerb_in_plan_task_slack(const plan_task* t);
// The question whether an arc is free. It is the context of the space.
plan_probe kerb_in_plan_task_probe(const plan_task* t, const plan_site* site);
plan_space kerb_in_plan_task_space(const plan_probe* probe);

// Makes the pieces of a way of the best pair and says what it costs.
void kerb_in_plan_task_show(plan_task* t, const plan_site* site, const plan_arc* arcs,
                            int32_t count, float speed_goal);
float kerb_in_plan_task_speed_at_end(const plan_task* t, const plan_arc* arcs, int32_t count);
void kerb_in_plan_task_begin_polish(plan_task* t, const plan_site* site, plan_polish* polish,
                                    const plan_arc* arcs, int32_t count, uint64_t seed);
// [s]
float kerb_in_plan_task_cost_of(const plan_polish* polish);
void kerb_in_plan_task_end(plan_task* t, int32_t outcome);

// A step: the next pair is shot at.
void kerb_in_plan_task_shoot(plan_task* t, plan_site* site);
// Tries a way of the volley.
void kerb_in_plan_task_begin_trial(plan_task* t, const plan_site* site, int32_t which);
// A step of the improvement.
void kerb_in_plan_task_improve(plan_task* t, const plan_site* site);
bool kerb_in_plan_task_is_improved(const plan_task* t);
void kerb_in_plan_task_show_best(plan_task* t, const plan_site* site);

// Begins to look for ways round the obstacles.
void kerb_in_plan_task_begin_routes(plan_task* t, plan_site* site);
// A step of that.
void kerb_in_plan_task_step_route(plan_task* t, plan_site* site);
// A step of the search with speed.
void kerb_in_plan_task_step_states(plan_task* t, plan_site* site);
// Shows what the search has found, as far as it has been shortened, if that is the best there is.
void kerb_in_plan_task_show_route(plan_task* t, const plan_site* site);

// Usable starts, and aims of one goal or of all (-1), as a query; and which they are.
kerb_plan_query kerb_in_plan_task_ends(const plan_task* t, int32_t goal, kerb_plan_end* starts,
                                       kerb_plan_end* goals, int32_t* start_of, int32_t* aim_of);

// The best movement, slowed down where others cross it.
void kerb_in_plan_task_adapt_to_movers(plan_task* t, plan_crossing* crossing);
// The query has ended: where somebody is met, it goes on looking for another way.
void kerb_in_plan_task_begin_crossing(plan_task* t, plan_site* site, plan_crossing* crossing);
// The best of both, in place of the movement without others.
void kerb_in_plan_task_show_among(const plan_task* t, const plan_crossing* crossing,
                                  kerb_plan* plan);
// A step of that.
void kerb_in_plan_task_step_crossing(plan_task* t, plan_site* site, plan_crossing* crossing);

#endif
