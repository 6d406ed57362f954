// Purpose: paths round obstacles: which searches run, how much work each gets, and which path is
//          kept.
// Idea:    First one search for all goals. Then one search for each goal that might cost less; a
//          search for a second path where a better one may exist; and the search with speed where
//          the vehicle starts too fast for its tightest turn. The best path gets the rest of the
//          shortcuts.
// Cost:    A step is an expansion or a shortcut.
#include "kerb/plan_search.h"

#include "task.h"

// Another goal is searched for if its lower bound over the cost of the present plan is below this.
// [1]
#define OTHER_WORTH 0.999f
// Its search gets this many times the expansions of the first search, and OTHER_EXPANSIONS more.
// kerb_planner_advance documents the factor. [1]
#define OTHER_EFFORT 4
#define OTHER_EXPANSIONS 200
// Expansions that a path without a search counts as. [1]
#define LINE_EFFORT 200
// All shortcuts over those of each path; the best path gets the rest. [1]
#define OTHER_CUTS 5

// If a plan takes more than this many times its lower bound, there may be a better path on the
// other side of an obstacle. [1]
#define AGAIN_WORTH 1.03f
// Steps of the improvement over the expansions that look for such a path, and the least number of
// these expansions. [1]
#define AGAIN_PART 5
#define AGAIN_LEAST 800
// Weight of the cost to go in this search: that of the first level of a route, or a lower one where
// the first level found the path already. [1]
#define AGAIN_WEIGHT 0.6f
#define AGAIN_WEIGHT_FAR 0.52f

// Steps of the improvement that are shortcuts, before the finer tries; chosen by trial. [1]
#define TASK_ROUTES_CUTS 1000

// All expansions over those of the search with speed. [1]
#define STATES_PART 10
// Greatest number of these expansions where there is a plan already; chosen by trial. [1]
#define STATES_MOST 2000
// After its first answer this search goes on for as many expansions again and this many more;
// chosen by trial. [1]
#define STATES_MORE 50

// Chooses aims of one goal, or of all (-1): those with the least bounds first, and some of each
// goal.
static void choose_aims(const plan_task* t, int32_t goal, kerb_plan_query* query,
                        kerb_plan_end* ends, int32_t* aim_of) {
    int32_t taken[KERB_PLAN_ENDS_MAX] = {0};
    int32_t most = goal >= 0 ? KERB_PLAN_ENDS_MAX : KERB_PLAN_ENDS_MAX / t->goal_count;
    for (int32_t i = 0; i < t->pair_count && query->goal_count < KERB_PLAN_ENDS_MAX; i++) {
        int32_t aim = t->pairs[i].aim, of = t->aims[aim].goal;
        bool is_new = (goal < 0 || of == goal) && taken[of] < most &&
                      !kerb_in_plan_task_is_there(t, t->pairs[i]);
        for (int32_t k = 0; k < query->goal_count; k++)
            is_new = is_new && aim_of[k] != aim;
        if (!is_new)
            continue;
        taken[of]++;
        aim_of[query->goal_count] = aim;
        ends[query->goal_count++] = t->aims[aim].end;
    }
    if (query->goal_count == 0) { // a start that is there is the only pair
        aim_of[0] = t->aim_count;
        ends[query->goal_count++] = t->aims[t->aim_count].end;
    }
}

static void choose_starts(const plan_task* t, kerb_plan_query* query, kerb_plan_end* ends,
                          int32_t* start_of) {
    for (int32_t i = 0; i < t->pair_count; i++) {
        bool is_new = true;
        for (int32_t k = 0; k < query->start_count; k++)
            is_new = is_new && start_of[k] != t->pairs[i].start;
        if (!is_new)
            continue;
        start_of[query->start_count] = t->pairs[i].start;
        ends[query->start_count++] = t->starts[t->pairs[i].start];
    }
}

kerb_plan_query kerb_in_plan_task_ends(const plan_task* t, int32_t goal, kerb_plan_end* starts,
                                       kerb_plan_end* goals, int32_t* start_of, int32_t* aim_of) {
    kerb_plan_query query = {starts, goals, 0, 0};
    choose_starts(t, &query, starts, start_of);
    choose_aims(t, goal, &query, goals, aim_of);
    return query;
}

// Begins a search for one goal, or for all (-1). [weight: above 0: looks for another path besides
// the one that is known]
static void begin_route(plan_task* t, plan_site* site, int32_t goal, int32_t budget, int32_t cuts,
                        float weight) {
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    kerb_plan_query query =
        kerb_in_plan_task_ends(t, goal, starts, goals, t->start_of_route, t->aim_of_route);
    plan_terrain terrain = kerb_in_plan_site_terrain(site);
    if (weight > 0.0f)
        kerb_in_plan_route_begin_other(&site->route, &terrain, &t->rates, &query, budget, cuts,
                                       weight);
    else
        kerb_in_plan_route_begin(&site->route, &terrain, &t->rates, &query, budget, cuts);
    t->stage = PLAN_ROUTING;
    t->searched = true;
    t->polished = false;
    t->expansions_before = t->expansions;
    t->routes++;
}

static int32_t cuts_of(const plan_task* t) {
    return t->settings.improvement < TASK_ROUTES_CUTS ? t->settings.improvement : TASK_ROUTES_CUTS;
}

// Each path gets a part of the shortcuts; the rest is for the best of them.
void kerb_in_plan_task_begin_routes(plan_task* t, plan_site* site) {
    int32_t cuts = cuts_of(t), now = cuts / OTHER_CUTS;
    t->cuts_left = cuts - now;
    begin_route(t, site, -1, t->settings.expansions, now, 0.0f);
}

// --------------------------------------------------------------------------- results

// The pair for the search with speed: that of the best plan, or the most promising one.
static plan_pair state_pair(const plan_task* t) {
    return t->cost < KERB_PLAN_NEVER ? t->found : t->pairs[0];
}

static bool is_routed(const plan_task* t) {
    return t->method == KERB_PLAN_METHOD_SEARCH || t->method == KERB_PLAN_METHOD_SPEED_SEARCH;
}

// The pair of the path that is being shortened.
static plan_pair pair_of_route(const plan_task* t, const plan_route* r) {
    if (t->is_last_cut)
        return t->found;
    if (t->is_state_cut)
        return state_pair(t);
    plan_pair pair = {t->start_of_route[r->search.start], t->aim_of_route[r->search.goal], 0.0f};
    for (int32_t i = 0; i < t->pair_count; i++)
        if (t->pairs[i].start == pair.start && t->pairs[i].aim == pair.aim)
            pair.bound = t->pairs[i].bound;
    return pair;
}

plan_candidate kerb_in_plan_task_route(const plan_task* t, const plan_site* site) {
    plan_candidate none = {.method = KERB_PLAN_METHOD_NONE, .cost = KERB_PLAN_NEVER};
    if (!site || t->stage != PLAN_ROUTING || site->route.searching)
        return none;
    const plan_shortcut* path = &site->route.shortcut;
    int32_t method = t->is_last_cut    ? t->method
                     : t->is_state_cut ? (int32_t)KERB_PLAN_METHOD_SPEED_SEARCH
                                       : (int32_t)KERB_PLAN_METHOD_SEARCH;
    return kerb_in_plan_task_candidate(t, site, pair_of_route(t, &site->route), method, path->arcs,
                                       path->count);
}

// Keeps the path that has been shortened, if it is the best.
static void keep_route(plan_task* t, const plan_site* site) {
    plan_candidate now = kerb_in_plan_task_route(t, site);
    if (!(now.cost < t->cost))
        return;
    t->kept = site->route.shortcut;
    t->kept_room = site->route.room;
    t->found = now.pair;
    t->cost = now.cost;
    t->method = now.method;
    t->volley.count = 0;
    t->changes++;
}

// --------------------------------------------------------------------------- further searches

// The goal that is worth a search: not searched for yet, and with the least bound; -1: none.
static int32_t next_goal(const plan_task* t) {
    int32_t best = -1;
    for (int32_t i = 0; i < t->goal_count; i++) {
        bool is_worth = !t->is_looked_for[i] && t->goal_bounds[i] < OTHER_WORTH * t->cost;
        if (is_worth && (best < 0 || t->goal_bounds[i] < t->goal_bounds[best]))
            best = i;
    }
    return best;
}

static void begin_next_route(plan_task* t, plan_site* site, int32_t goal) {
    int64_t budget = (int64_t)OTHER_EFFORT * t->first_effort + OTHER_EXPANSIONS;
    int32_t most = t->settings.expansions;
    t->is_looked_for[goal] = true;
    begin_route(t, site, goal, budget < most ? (int32_t)budget : most, cuts_of(t) / OTHER_CUTS,
                0.0f);
}

static bool is_worth_another(const plan_task* t, plan_route_state state) {
    return state == PLAN_ROUTE_FOUND && t->goal_count == 1 && !t->is_again && !t->is_last_cut &&
           !t->is_stated && t->settings.improvement / AGAIN_PART >= AGAIN_LEAST &&
           t->cost > AGAIN_WORTH * t->lower_bound;
}

static void begin_another_way(plan_task* t, plan_site* site) {
    float weight = site->route.level == 0 ? AGAIN_WEIGHT_FAR : AGAIN_WEIGHT;
    t->is_again = true;
    begin_route(t, site, -1, t->settings.improvement / AGAIN_PART, cuts_of(t) / OTHER_CUTS, weight);
}

// Takes up the best route again, for the rest of the shortcuts.
static void begin_last_cut(plan_task* t, plan_site* site) {
    site->route.shortcut = t->kept;
    site->route.room = t->kept_room;
    site->route.cuts = t->cuts_left;
    site->route.state = PLAN_ROUTE_RUNNING;
    site->route.searching = false;
    t->cuts_left = 0;
    t->is_last_cut = true;
    t->changes++;
}

// Ends the searches and begins the improvement of the best path, or ends the query without one.
static void end_routes(plan_task* t, const plan_site* site, plan_route_state state) {
    if (is_routed(t)) {
        t->room = t->kept_room;
        t->best = 0;
        kerb_in_plan_task_begin_polish(t, site, &t->polishes[0], t->kept.arcs, t->kept.count,
                                       (uint64_t)t->settings.seed * 16);
        t->stage = PLAN_IMPROVING;
    } else if (t->volley.count > 0) {
        kerb_in_plan_task_begin_trial(t, site, 0);
    } else {
        kerb_in_plan_task_end(t, state == PLAN_ROUTE_NO_PATH ? KERB_PLAN_NO_PATH
                                                             : KERB_PLAN_BUDGET_SPENT);
    }
}

static void finish_routes(plan_task* t, plan_site* site, plan_route_state state) {
    t->is_state_cut = false;
    if (is_routed(t) && t->cuts_left > 0)
        begin_last_cut(t, site);
    else
        end_routes(t, site, state);
}

// --------------------------------------------------------------------------- with speed

// Whether speed must be a part of the search. A vehicle that is too fast for its tightest turn must
// brake first, and the distance that it needs for this decides the path.
static bool needs_states(const plan_task* t, const plan_site* site, plan_route_state state) {
    const kerb_plan_end* start = &t->starts[state_pair(t).start];
    float turning = kerb_in_plan_cap(&t->rates, t->rates.curvature, start->speed < 0.0f);
    return site->states != 0 && state != PLAN_ROUTE_NO_PATH &&
           start->speed * start->speed > turning;
}

static void begin_states(plan_task* t, plan_site* site, plan_route_state state) {
    plan_pair of = state_pair(t);
    const kerb_plan_query query = {&t->starts[of.start], &t->aims[of.aim].end, 1, 1};
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    bool is_found = t->cost < KERB_PLAN_NEVER;
    int32_t most = t->settings.expansions / STATES_PART;
    settings.expansions = is_found && most > STATES_MOST ? STATES_MOST : most;
    plan_terrain terrain = kerb_in_plan_site_terrain(site);
    kerb_in_plan_flow_begin(terrain.flow, true);
    kerb_in_plan_flow_goal(terrain.flow, query.goals[0].pose.position);
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    const plan_speed_ground ground = {&space, terrain.flow, NULL,
                                      kerb_in_plan_site_state_nodes(site)};
    kerb_in_plan_speed_begin(kerb_in_plan_site_states(site), &ground, &t->limits, &settings,
                             &query);
    t->is_stated = true;
    t->route_state = (int32_t)state;
    t->stage = PLAN_STATING;
}

// Begins to shorten the answer of the search with speed, which then competes with the present plan.
static void begin_state_cut(plan_task* t, plan_site* site) {
    plan_pair of = state_pair(t);
    const kerb_plan_end *start = &t->starts[of.start], *aim = &t->aims[of.aim].end;
    plan_arc arcs[PLAN_ARCS_MAX];
    int32_t count = kerb_in_plan_speed_arcs(
        kerb_in_plan_site_states(site), kerb_in_plan_site_state_nodes(site), arcs, PLAN_ARCS_MAX);
    t->stage = PLAN_ROUTING;
    if (count == 0 || !(kerb_in_plan_movement_time(&t->rates, arcs, count, start->speed,
                                                   aim->speed) < KERB_PLAN_NEVER)) {
        finish_routes(t, site, (plan_route_state)t->route_state);
        return;
    }
    plan_route* r = &site->route;
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    kerb_in_plan_shortcut_begin(&r->shortcut, &t->rates, start->pose, arcs, count, start->speed,
                                aim->speed, 1);
    kerb_in_plan_shortcut_count_toll(&r->shortcut, &space);
    int32_t cuts = cuts_of(t);
    r->room = t->room;
    r->cuts = cuts / OTHER_CUTS;
    r->expansions = 0;
    r->state = PLAN_ROUTE_RUNNING;
    r->searching = false;
    t->expansions_before = t->expansions;
    t->cuts_left += cuts / OTHER_CUTS;
    t->is_state_cut = true;
    t->polished = false;
    t->changes++;
}

void kerb_in_plan_task_step_states(plan_task* t, plan_site* site) {
    plan_speed_search* s = kerb_in_plan_site_states(site);
    plan_terrain terrain = kerb_in_plan_site_terrain(site);
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    const plan_speed_ground ground = {&space, terrain.flow, NULL,
                                      kerb_in_plan_site_state_nodes(site)};
    int32_t before = s->expansions;
    plan_speed_state state = kerb_in_plan_speed_advance(s, &ground, 1);
    t->expansions += s->expansions - before;
    bool is_enough =
        s->answer.cost < KERB_PLAN_NEVER && s->expansions >= 2 * s->first_expansions + STATES_MORE;
    if (state != PLAN_SPEED_RUNNING || is_enough)
        begin_state_cut(t, site);
}

static void end_route(plan_task* t, plan_site* site, plan_route_state state) {
    const plan_route* r = &site->route;
    if (state == PLAN_ROUTE_FOUND)
        keep_route(t, site);
    if (state == PLAN_ROUTE_FOUND && !t->is_last_cut && !t->is_state_cut)
        t->is_looked_for[t->aims[t->aim_of_route[r->search.goal]].goal] = true;
    if (t->first_effort == 0)
        t->first_effort = r->expansions > 0 ? r->expansions : LINE_EFFORT;
    bool is_last = t->is_last_cut || t->is_stated || t->goal_count == 1;
    int32_t other = is_last || t->cost >= KERB_PLAN_NEVER ? -1 : next_goal(t);
    if (other >= 0)
        begin_next_route(t, site, other);
    else if (is_worth_another(t, state))
        begin_another_way(t, site);
    else if (t->is_stated || !needs_states(t, site, state))
        finish_routes(t, site, state);
    else
        begin_states(t, site, state);
}

void kerb_in_plan_task_step_route(plan_task* t, plan_site* site) {
    plan_route* r = &site->route;
    plan_terrain terrain = kerb_in_plan_site_terrain(site);
    bool was_searching = r->searching;
    int32_t shortened = r->shortcut.successes;
    plan_route_state state = kerb_in_plan_route_advance(r, &terrain, 1);
    if (r->searching != was_searching || r->shortcut.successes != shortened)
        t->changes++;
    t->expansions = t->expansions_before + r->expansions;
    t->improved += was_searching && !r->is_other ? 0 : 1;
    if (state != PLAN_ROUTE_RUNNING)
        end_route(t, site, state);
}
