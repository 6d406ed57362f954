// Purpose: the pairs of starts and goals of a query, and the plan that is made of a path between
//          them.
// Idea:    Pairs are ordered by their lower bounds, so that the most promising pair comes first,
//          and pairs that cannot be better than the present plan are left out.
// Cost:    Two lower bounds per pair; O(arcs) per path.
#include "kerb/plan_search.h"

#include "task.h"

// Arcs of a path when its improvement begins. Eight come within 1 % of what twenty reach, at half
// the price of a try; see docs/planning.md. [1]
#define PLAN_TASK_ARCS_WANTED 9

// Clearance below which a gap may count as closed for shots, over the vehicle's width. The first
// levels of the searches have the same. [1]
#define SHOT_ROOM 0.03f

// Share of the improvement's steps that a way has to show what it is worth.
#define TRIAL_SHARE 8

static float bound_between(const plan_task* t, const kerb_plan_end* from, const kerb_plan_end* to) {
    const kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_ADMISSIBLE,
                                               .position_tolerance = to->position_tolerance,
                                               .heading_tolerance = to->heading_tolerance,
                                               .speed_tolerance = to->speed_tolerance};
    return kerb_plan_bound(&t->given, &settings, from, to) + from->penalty + to->penalty;
}

static void insert_pair(plan_task* t, plan_pair added) {
    int32_t at = t->pair_count++;
    for (; at > 0 && added.bound < t->pairs[at - 1].bound; at--)
        t->pairs[at] = t->pairs[at - 1];
    t->pairs[at] = added;
}

static void plan_task_add_pair(plan_task* t, int32_t start, int32_t aim) {
    const kerb_plan_end* from = &t->starts[start];
    int32_t goal = t->aims[aim].goal;
    float least = bound_between(t, from, &t->goals[goal]);
    t->goal_bounds[goal] = kerb_min(t->goal_bounds[goal], least);
    insert_pair(t, (plan_pair){start, aim, bound_between(t, from, &t->aims[aim].end)});
}

static bool is_within(const kerb_plan_end* goal, const kerb_plan_end* start) {
    kerb_vec2 away = kerb_vec2_sub(start->pose.position, goal->pose.position);
    kerb_vec2 f = goal->pose.forward, g = start->pose.forward;
    float turn = kerb_abs(kerb_atan2(kerb_vec2_cross(f, g), kerb_vec2_dot(f, g)));
    return kerb_vec2_dot(away, away) <= goal->position_tolerance * goal->position_tolerance &&
           turn <= goal->heading_tolerance &&
           kerb_abs(start->speed - goal->speed) <= goal->speed_tolerance;
}

bool kerb_in_plan_task_is_there(const plan_task* t, plan_pair pair) {
    return pair.aim == t->aim_count;
}

// A start within the tolerances of a goal is at the goal: its own pose is one more exact end, and
// there is nothing to drive. Of several such pairs the one with the least penalties is enough.
static void add_pair_that_is_there(plan_task* t, const plan_choice* starts) {
    plan_pair best = {-1, t->aim_count, KERB_PLAN_NEVER};
    for (int32_t i = 0; i < starts->count; i++)
        for (int32_t k = 0; k < t->goal_count; k++) {
            const kerb_plan_end *start = &t->starts[starts->index[i]], *goal = &t->goals[k];
            float penalties = start->penalty + goal->penalty;
            if (!(penalties < best.bound) || !is_within(goal, start))
                continue;
            best.start = starts->index[i];
            best.bound = penalties;
            kerb_plan_end end = {
                .pose = start->pose, .speed = start->speed, .penalty = goal->penalty};
            t->aims[t->aim_count] = (plan_aim){end, k};
            t->goal_bounds[k] = kerb_min(t->goal_bounds[k], penalties);
        }
    if (best.start >= 0)
        insert_pair(t, best);
}

static plan_choice usable_aims(const plan_task* t, const plan_world* world) {
    kerb_plan_end ends[PLAN_AIMS_MAX] = {0};
    for (int32_t i = 0; i < t->aim_count; i++)
        ends[i] = t->aims[i].end;
    return kerb_in_plan_ends_usable(&t->limits, world, ends, t->aim_count);
}

static void make_aims(plan_task* t) {
    t->aim_count =
        kerb_in_plan_aims_of(&t->limits, t->goals, t->goal_count, t->starts[0].speed, t->aims);
    for (int32_t i = 0; i < t->goal_count; i++) {
        t->goal_bounds[i] = KERB_PLAN_NEVER;
        t->is_looked_for[i] = false;
    }
}

// Whether a start and an aim may be connected. A goal with a position tolerance may be reached
// elsewhere than at its aims.
static bool may_connect(const plan_task* t, const plan_site* site, int32_t start, int32_t aim) {
    if (!site || t->goals[t->aims[aim].goal].position_tolerance > 0.0f)
        return true;
    return kerb_in_plan_site_may_connect(site, t->starts[start].pose.position,
                                         t->aims[aim].end.pose.position);
}

// Leaves out starts at which the wheels are turned too far for the speed. True: there were others.
static bool leave_out_too_fast(const plan_task* t, plan_choice* starts) {
    int32_t before = starts->count;
    starts->count = 0;
    for (int32_t i = 0; i < before; i++)
        if (kerb_in_plan_task_may_begin(t, t->origin_of[starts->index[i]]))
            starts->index[starts->count++] = starts->index[i];
    return starts->count > 0 || before == 0;
}

void kerb_in_plan_task_choose_pairs(plan_task* t, plan_site* site) {
    const plan_world* world = site ? kerb_in_plan_site_world(site) : NULL;
    make_aims(t);
    if (site && !t->is_led)
        t->overlap = kerb_in_plan_site_ease(site, t->starts, t->start_count, t->limits.margin);
    plan_choice starts = kerb_in_plan_ends_usable(&t->limits, world, t->starts, t->start_count);
    bool are_slow = leave_out_too_fast(t, &starts);
    plan_choice aims = usable_aims(t, world);
    for (int32_t i = 0; i < starts.count; i++) {
        for (int32_t k = 0; k < aims.count; k++)
            if (may_connect(t, site, starts.index[i], aims.index[k]))
                plan_task_add_pair(t, starts.index[i], aims.index[k]);
    }
    add_pair_that_is_there(t, &starts);
    t->outcome = are_slow ? (int32_t)kerb_in_plan_ends_outcome(&starts, &aims)
                          : (int32_t)KERB_PLAN_START_TOO_FAST;
    if (t->pair_count > 0)
        t->outcome = KERB_PLAN_RUNNING;
    else if (t->outcome == KERB_PLAN_RUNNING)
        t->outcome = KERB_PLAN_NO_PATH;
    t->stage = t->pair_count > 0 ? PLAN_SHOOTING : PLAN_ENDED;
    t->lower_bound = t->pair_count > 0 ? KERB_PLAN_NEVER : 0.0f;
    for (int32_t i = 0; t->pair_count > 0 && i < t->goal_count; i++)
        t->lower_bound = kerb_min(t->lower_bound, t->goal_bounds[i]);
    t->room = site ? SHOT_ROOM * 2.0f * world->outline.half_width : 0.0f;
}

void kerb_in_plan_task_clear(plan_task* t) {
    t->stage = PLAN_ENDED;
    t->outcome = KERB_PLAN_NO_PATH;
    t->method = KERB_PLAN_METHOD_NONE;
    t->cost = KERB_PLAN_NEVER;
    t->pair_count = t->next_pair = t->improved = 0;
    t->volley.count = t->best = 0;
    t->polished = t->searched = t->is_other_tried = false;
    t->aim_count = t->first_effort = t->cuts_left = 0;
    t->is_again = t->is_last_cut = t->is_stated = t->is_state_cut = false;
    t->is_crossing = false;
    t->is_onward = t->is_direct = false;
    t->lower_bound = t->room = 0.0f;
    t->found = (plan_pair){0, 0, 0.0f};
    t->shown = (plan_shown){.of = ++t->changes, .cost = KERB_PLAN_NEVER};
}

void kerb_in_plan_task_forget(plan_task* t) {
    kerb_in_plan_task_clear(t);
    t->steps = t->expansions = t->goal_count = t->routes = 0;
    t->overlap = t->price = 0.0f;
    kerb_in_plan_task_lead_none(t, 0);
}

// --------------------------------------------------------------------------- paths

const kerb_plan_end* kerb_in_plan_task_start(const plan_task* t, plan_pair pair) {
    return &t->starts[pair.start];
}

const kerb_plan_end* kerb_in_plan_task_aim(const plan_task* t, plan_pair pair) {
    return &t->aims[pair.aim].end;
}

float kerb_in_plan_task_penalties(const plan_task* t, plan_pair pair) {
    return kerb_in_plan_task_start(t, pair)->penalty + kerb_in_plan_task_aim(t, pair)->penalty;
}

float kerb_in_plan_task_given_penalties(const plan_task* t, plan_pair pair) {
    return t->origins[t->origin_of[pair.start]].penalty + kerb_in_plan_task_aim(t, pair)->penalty;
}

plan_slack kerb_in_plan_task_slack(const plan_task* t, plan_pair pair) {
    return kerb_in_plan_slack_of(&t->limits, &t->goals[t->aims[pair.aim].goal]);
}

plan_probe kerb_in_plan_task_probe(const plan_task* t, const plan_site* site) {
    plan_probe probe = {site ? kerb_in_plan_site_world(site) : NULL, t->room};
    return probe;
}

plan_space kerb_in_plan_task_space(const plan_probe* probe) {
    plan_space open = {.is_free = NULL};
    return probe->world ? kerb_in_plan_probe_space(probe) : open;
}

float kerb_in_plan_task_toll(const plan_task* t, const plan_site* site, plan_pair pair,
                             const plan_arc* arcs, int32_t count) {
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    return plan_way_toll(&space, kerb_in_plan_task_start(t, pair)->pose, arcs, count);
}

plan_candidate kerb_in_plan_task_candidate(const plan_task* t, const plan_site* site,
                                           plan_pair pair, int32_t method, const plan_arc* arcs,
                                           int32_t count) {
    plan_candidate c = {.arcs = arcs, .count = count, .method = method, .pair = pair};
    plan_slack slack = kerb_in_plan_task_slack(t, pair);
    float speed = kerb_in_plan_task_start(t, pair)->speed;
    c.speed_goal = kerb_in_plan_aim_speed(&t->rates, &slack, arcs, count, speed,
                                          kerb_in_plan_task_aim(t, pair)->speed);
    c.cost = kerb_in_plan_movement_time(&t->rates, arcs, count, speed, c.speed_goal) +
             kerb_in_plan_task_toll(t, site, pair, arcs, count) +
             kerb_in_plan_task_penalties(t, pair);
    return c;
}

void kerb_in_plan_task_begin_polish(plan_task* t, const plan_site* site, plan_polish* polish,
                                    const plan_arc* arcs, int32_t count, uint64_t seed) {
    plan_slack slack = kerb_in_plan_task_slack(t, t->found);
    const kerb_plan_end* start = kerb_in_plan_task_start(t, t->found);
    kerb_in_plan_polish_begin(polish, &t->rates, start->pose, arcs, count, PLAN_TASK_ARCS_WANTED,
                              start->speed, kerb_in_plan_task_aim(t, t->found)->speed, seed);
    if (!plan_slack_is_none(&slack))
        kerb_in_plan_polish_loosen(polish, &t->rates, &slack);
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    kerb_in_plan_polish_count_toll(polish, &space);
    t->polished = true;
    t->changes++;
}

void kerb_in_plan_task_begin_trial(plan_task* t, const plan_site* site, int32_t which) {
    const plan_shot* shot = &t->volley.shots[which];
    plan_polish* polish = &t->polishes[which == 0 ? t->best : 1 - t->best];
    kerb_in_plan_task_begin_polish(t, site, polish, shot->arcs, shot->count,
                                   (uint64_t)t->settings.seed * 16 + (uint64_t)which);
    t->is_other_tried = which > 0;
    t->trial = which;
    t->trial_end = t->improved + t->settings.improvement / TRIAL_SHARE;
    t->stage = PLAN_TRYING;
}

float kerb_in_plan_task_cost_of(const plan_polish* polish) {
    return polish->time + polish->toll;
}

void kerb_in_plan_task_end(plan_task* t, int32_t outcome) {
    bool is_none = outcome == KERB_PLAN_BUDGET_SPENT || outcome == KERB_PLAN_NO_PATH;
    t->stage = PLAN_ENDED;
    t->outcome = is_none && t->is_onward ? KERB_PLAN_FOUND : outcome;
}
