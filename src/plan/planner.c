// Purpose: the planner's public calls: a query, slices of work, the best movement so far.
// Idea:    pairs of a start and a goal are shot at in the order of their lower bounds, until no
//          bound is below what has been found. The best pair's few best ways are then improved for
//          a while, and the one that comes out first for the rest.
//
//          Among obstacles only pairs that see one another are shot at. Unless that gave a way not
//          much slower than the bound, a search looks for one round the obstacles, and the better
//          of both is improved.
// Cost:    a step is a pair (20 to 200 µs), an expansion or a shortcut (1 to 2 µs), or one try of
//          the improvement (about 0.5 µs).
#include "aims.h"
#include "ends.h"
#include "polish.h"
#include "shot.h"
#include "site.h"
#include "timing.h"

#include "../base/assertion.h"

#include <string.h>

#define PAIRS_MAX (KERB_PLAN_ENDS_MAX * PLAN_AIMS_MAX)

// Arcs of a way that is improved. Eight come within 1 % of what twenty reach, at half the price a
// try; see docs/planning.md.
#define ARCS_WANTED 9

// Share of the improvement's steps that a way has to show what it is worth.
#define TRIAL_SHARE 8

// Ways slower than the best by more than this are not worth a trial. [1]
#define TRIAL_WORTH 1.15f

// This close to its lower bound nothing is left to improve. [1]
#define CLOSE_ENOUGH 1.00003f

// Among obstacles: the room that ways are shot with, as a share of the vehicle's width, and how
// much slower than the bound they may be. [1]
#define SHOT_ROOM 0.03f
#define SHOT_WORTH 1.25f

// Of goals that are searched for after the first: they must be likely to cost so much less, and are
// given so many times the expansions of the first, so many more, and a share of the shortcuts. [1]
#define OTHER_WORTH 0.999f
#define OTHER_EFFORT 4
#define OTHER_EXPANSIONS 200
#define OTHER_CUTS 5 // of all shortcuts: a fifth

// Of a way that takes so much longer than the lower bound there may be a better one on the other
// side of something: a part of the improvement's steps are expansions that look for it, with the
// weight of the first level, or one that goes farther where the first level found the way. [1]
#define AGAIN_WORTH 1.03f
#define AGAIN_PART 5
#define AGAIN_LEAST 800
#define AGAIN_WEIGHT 0.6f
#define AGAIN_WEIGHT_FAR 0.52f

// Steps of the improvement that shorten what a search found, before the finer tries.
#define CUTS 1000

#define PIECES_MAX PLAN_PIECES_OF(PLAN_ARCS_MAX)

// Of the search with speed: its share of all expansions, and where there is a way already, so many
// at most. After its first answer it goes on for as long again, and somewhat longer.
#define STATES_PART 10
#define STATES_MOST 2000
#define STATES_MORE 50

// A start and an aim at a goal.
typedef struct pair {
    int32_t start, aim;
    float bound; // with penalties [s]
} pair;

// What the improvement does now: ways are tried one after the other, the best of them goes on.
// Among obstacles a route may come before.
typedef enum stage { SHOOTING, ROUTING, STATING, TRYING, IMPROVING, ENDED } stage;

typedef struct head {
    kerb_plan_limits limits;
    kerb_planner_settings settings;
    plan_rates rates;
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    plan_aim aims[PLAN_AIMS_MAX];
    pair pairs[PAIRS_MAX];
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
    int32_t stage;
    int32_t steps;
    int32_t expansions;
    int32_t method;    // kerb_plan_method, of the movement shown
    float room;        // that is asked for at each side [m]
    int32_t improved;  // steps of improvement so far
    int32_t trial;     // which way is tried
    int32_t trial_end; // `improved` when it ends
    pair found;        // the pair that the volley belongs to
    plan_volley volley;
    float lower_bound;
    float cost, time, length, toll; // of the movement shown; KERB_PLAN_NEVER: none
    bool polished;                  // the polishes are this query's
    bool searched;                  // the nodes of the site are this query's
    float shown;                    // time and toll of the best way when the pieces were made
    int32_t best;                   // which polish is the best
    int32_t piece_count;
    plan_polish polishes[2]; // the best, and the one that is tried
    kerb_plan_piece pieces[PIECES_MAX];
    // Where others cross the way: the movement as it is driven among them, and how long it takes.
    plan_timing timing;
    bool is_timed; // it is that of the pieces
    int32_t timed_count;
    float timed_time;
    kerb_plan_piece timed[PIECES_MAX], scratch[PIECES_MAX];
} head;

size_t kerb_planner_bytes(void) {
    return (sizeof(head) + 63) / 64 * 64;
}

static void forget_query(head* h) {
    h->stage = ENDED;
    h->outcome = KERB_PLAN_NO_PATH;
    h->method = KERB_PLAN_NONE;
    h->cost = h->shown = KERB_PLAN_NEVER;
    h->pair_count = h->next_pair = h->steps = h->expansions = h->improved = h->piece_count = 0;
    h->volley.count = h->best = 0;
    h->polished = h->searched = false;
    h->goal_count = h->aim_count = h->routes = h->first_effort = h->cuts_left = 0;
    h->is_again = h->is_last_cut = h->is_stated = h->is_state_cut = h->is_timed = false;
    h->timed_count = 0;
    h->lower_bound = h->time = h->length = h->toll = h->room = 0.0f;
    h->found = (pair){0, 0, 0.0f};
}

kerb_result kerb_planner_create(kerb_planner* planner, const kerb_plan_limits* limits,
                                const kerb_planner_settings* settings, const kerb_host* host,
                                kerb_error* error) {
    KERB_ASSERT(planner && limits && settings && host);
    memset(planner, 0, sizeof *planner);
    kerb_result result = kerb_plan_limits_validate(limits, error);
    if (result == KERB_OK)
        result = kerb_settings_validate(&kerb_planner_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    size_t bytes = kerb_planner_bytes();
    head* h = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (!h)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "planner", 0, -1, "out of memory");
    memset(h, 0, bytes);
    h->limits = *limits;
    h->settings = *settings;
    h->rates = plan_rates_of(limits);
    forget_query(h);
    *planner = (kerb_planner){.memory = h, .bytes = bytes, .allocator = host->allocator};
    return KERB_OK;
}

static void release_site(kerb_planner* planner) {
    if (planner->site)
        planner->allocator.release(planner->allocator.context, planner->site, planner->site_bytes);
    planner->site = NULL;
    planner->site_bytes = 0;
}

kerb_result kerb_planner_world(kerb_planner* planner, const kerb_plan_world* world,
                               kerb_error* error) {
    KERB_ASSERT(planner && planner->memory);
    head* h = planner->memory;
    forget_query(h);
    release_site(planner);
    kerb_result result = world ? plan_site_check(world, &h->limits, error) : KERB_OK;
    if (!world || result != KERB_OK || plan_site_is_nothing(world))
        return result;
    plan_site* site = plan_site_create(world, &h->limits, &h->settings, &planner->allocator);
    if (!site)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "world", 0, -1, "out of memory");
    planner->site = site;
    planner->site_bytes = site->bytes;
    return KERB_OK;
}

static kerb_result check_mover(const kerb_plan_mover* m, int32_t index, kerb_error* error) {
    const float numbers[8] = {
        m->pose.position.x, m->pose.position.y, m->pose.forward.x, m->pose.forward.y,
        m->velocity.x,      m->velocity.y,      m->length,         m->width};
    const float most[8] = {1e6f, 1e6f, 1.001f, 1.001f, 200.0f, 200.0f, 1e4f, 1e4f};
    static const char* const names[8] = {"pose",     "pose",     "pose",   "pose",
                                         "velocity", "velocity", "length", "width"};
    for (int32_t i = 0; i < 8; i++) {
        if (!kerb_is_finite(numbers[i]))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, names[i], 0, index,
                                  "must be a finite number");
        if (kerb_abs(numbers[i]) > most[i] || (i >= 6 && numbers[i] <= 0.0f))
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, names[i], 0, index,
                                  i >= 6 ? "must be more than 0 and at most 1e4 m"
                                         : "is too great");
    }
    float unit = kerb_vec2_dot(m->pose.forward, m->pose.forward);
    return kerb_abs(unit - 1.0f) <= 2e-3f
               ? KERB_OK
               : kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "pose", 0, index,
                                "its direction must have unit length");
}

kerb_result kerb_planner_movers(kerb_planner* planner, const kerb_plan_mover* movers, int32_t count,
                                kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && count >= 0 && (movers || count == 0));
    head* h = planner->memory;
    forget_query(h);
    h->timing.mover_count = 0;
    if (count > KERB_PLAN_MOVERS_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "count", 0, -1, "must be at most 32");
    for (int32_t i = 0; i < count; i++) {
        kerb_result result = check_mover(&movers[i], i, error);
        if (result != KERB_OK)
            return result;
        h->timing.movers[i] = movers[i];
    }
    const kerb_plan_limits* l = &h->limits;
    h->timing.outline =
        (plan_outline){l->front + l->margin, l->rear + l->margin, 0.5f * l->width + l->margin};
    h->timing.mover_count = count;
    return KERB_OK;
}

void kerb_planner_destroy(kerb_planner* planner) {
    KERB_ASSERT(planner);
    release_site(planner);
    if (planner->memory)
        planner->allocator.release(planner->allocator.context, planner->memory, planner->bytes);
    memset(planner, 0, sizeof *planner);
}

// --------------------------------------------------------------------------- a query

static float bound_between(const head* h, const kerb_plan_end* from, const kerb_plan_end* to) {
    const kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_ADMISSIBLE,
                                               .position_tolerance = to->position_tolerance,
                                               .heading_tolerance = to->heading_tolerance,
                                               .speed_tolerance = to->speed_tolerance};
    return kerb_plan_bound(&h->limits, &settings, from, to) + from->penalty + to->penalty;
}

static void add_pair(head* h, int32_t start, int32_t aim) {
    const kerb_plan_end* from = &h->starts[start];
    int32_t goal = h->aims[aim].goal;
    pair added = {start, aim, bound_between(h, from, &h->aims[aim].end)};
    float least = bound_between(h, from, &h->goals[goal]);
    h->goal_bounds[goal] = kerb_min(h->goal_bounds[goal], least);
    int32_t at = h->pair_count++;
    for (; at > 0 && added.bound < h->pairs[at - 1].bound; at--)
        h->pairs[at] = h->pairs[at - 1];
    h->pairs[at] = added;
}

static plan_choice usable_aims(const head* h, const plan_world* world) {
    kerb_plan_end ends[PLAN_AIMS_MAX];
    for (int32_t i = 0; i < h->aim_count; i++)
        ends[i] = h->aims[i].end;
    return plan_ends_usable(&h->limits, world, ends, h->aim_count);
}

static void make_aims(head* h) {
    h->aim_count = plan_aims_of(&h->limits, h->goals, h->goal_count, h->starts[0].speed, h->aims);
    for (int32_t i = 0; i < h->goal_count; i++) {
        h->goal_bounds[i] = KERB_PLAN_NEVER;
        h->is_looked_for[i] = false;
    }
}

static void choose_pairs(head* h, const plan_site* site, int32_t start_count) {
    const plan_world* world = site ? plan_site_world(site) : NULL;
    make_aims(h);
    plan_choice starts = plan_ends_usable(&h->limits, world, h->starts, start_count);
    plan_choice aims = usable_aims(h, world);
    for (int32_t i = 0; i < starts.count; i++) {
        for (int32_t k = 0; k < aims.count; k++)
            add_pair(h, starts.index[i], aims.index[k]);
    }
    h->outcome = (int32_t)plan_ends_outcome(&starts, &aims);
    h->stage = h->pair_count > 0 ? SHOOTING : ENDED;
    h->lower_bound = h->pair_count > 0 ? KERB_PLAN_NEVER : 0.0f;
    for (int32_t i = 0; h->pair_count > 0 && i < h->goal_count; i++)
        h->lower_bound = kerb_min(h->lower_bound, h->goal_bounds[i]);
    h->room = site ? SHOT_ROOM * 2.0f * world->outline.half_width : 0.0f;
}

kerb_result kerb_planner_begin(kerb_planner* planner, const kerb_plan_query* query,
                               kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && query);
    head* h = planner->memory;
    forget_query(h);
    kerb_result result = plan_ends_check(query, error);
    if (result != KERB_OK)
        return result;
    plan_ends_copy(h->starts, query->starts, query->start_count);
    plan_ends_copy(h->goals, query->goals, query->goal_count);
    h->goal_count = query->goal_count;
    choose_pairs(h, planner->site, query->start_count);
    return KERB_OK;
}

// --------------------------------------------------------------------------- steps

static const kerb_plan_end* start_of(const head* h) {
    return &h->starts[h->found.start];
}

static const kerb_plan_end* aim_of(const head* h) {
    return &h->aims[h->found.aim].end;
}

static plan_slack slack_of(const head* h) {
    return plan_slack_of(&h->limits, &h->goals[h->aims[h->found.aim].goal]);
}

static plan_probe probe_of(const head* h, const plan_site* site) {
    plan_probe probe = {site ? plan_site_world(site) : NULL, h->room};
    return probe;
}

static plan_space space_of(const plan_probe* probe) {
    plan_space open = {NULL, NULL, NULL};
    return probe->world ? plan_probe_space(probe) : open;
}

static int32_t travel_of(const kerb_plan_end* end) {
    return end->speed < 0.0f ? -1 : 1;
}

static void show_way(head* h, const plan_site* site, const plan_arc* arcs, int32_t count,
                     float speed_goal) {
    kerb_pose start = start_of(h)->pose;
    h->piece_count = plan_movement_pieces(&h->rates, start, arcs, count, start_of(h)->speed,
                                          speed_goal, h->pieces);
    if (h->piece_count == 0) // it is there already
        h->pieces[h->piece_count++] = (kerb_plan_piece){.start = start,
                                                        .speed = kerb_abs(start_of(h)->speed),
                                                        .travel = travel_of(start_of(h))};
    h->time = h->length = 0.0f;
    for (int32_t i = 0; i < h->piece_count; i++) {
        h->time = h->pieces[i].time + h->pieces[i].duration;
        h->length += h->pieces[i].length;
    }
    const plan_probe probe = probe_of(h, site);
    const plan_space space = space_of(&probe);
    h->is_timed = false;
    h->toll = plan_way_toll(&space, start, arcs, count);
    h->cost = h->time + h->toll + start_of(h)->penalty + aim_of(h)->penalty;
}

// With the fastest end that the goal allows.
static float speed_at_end(const head* h, const plan_arc* arcs, int32_t count) {
    plan_slack slack = slack_of(h);
    return plan_aim_speed(&h->rates, &slack, arcs, count, start_of(h)->speed, aim_of(h)->speed);
}

static void begin_polish(head* h, const plan_site* site, plan_polish* polish, const plan_arc* arcs,
                         int32_t count, uint64_t seed) {
    plan_slack slack = slack_of(h);
    plan_polish_begin(polish, &h->rates, start_of(h)->pose, arcs, count, ARCS_WANTED,
                      start_of(h)->speed, aim_of(h)->speed, seed);
    if (!plan_slack_is_none(&slack))
        plan_polish_loosen(polish, &h->rates, &slack);
    const plan_probe probe = probe_of(h, site);
    const plan_space space = space_of(&probe);
    plan_polish_count_toll(polish, &space);
}

static float cost_of(const plan_polish* polish) {
    return polish->time + polish->toll;
}

static void begin_trial(head* h, const plan_site* site, int32_t which) {
    const plan_shot* shot = &h->volley.shots[which];
    plan_polish* polish = &h->polishes[which == 0 ? h->best : 1 - h->best];
    begin_polish(h, site, polish, shot->arcs, shot->count,
                 (uint64_t)h->settings.seed * 16 + (uint64_t)which);
    h->polished = true;
    h->trial = which;
    h->trial_end = h->improved + h->settings.improvement / TRIAL_SHARE;
    h->stage = TRYING;
}

static void end(head* h, int32_t outcome) {
    h->stage = ENDED;
    h->outcome = outcome;
}

// Aims of one goal, or of all (-1), those with the least bounds first, some of each goal.
static void choose_aims(head* h, int32_t goal, kerb_plan_query* query, kerb_plan_end* ends) {
    int32_t taken[KERB_PLAN_ENDS_MAX] = {0};
    int32_t most = goal >= 0 ? KERB_PLAN_ENDS_MAX : KERB_PLAN_ENDS_MAX / h->goal_count;
    for (int32_t i = 0; i < h->pair_count && query->goal_count < KERB_PLAN_ENDS_MAX; i++) {
        int32_t aim = h->pairs[i].aim, of = h->aims[aim].goal;
        bool is_new = (goal < 0 || of == goal) && taken[of] < most;
        for (int32_t k = 0; k < query->goal_count; k++)
            is_new = is_new && h->aim_of_route[k] != aim;
        if (!is_new)
            continue;
        taken[of]++;
        h->aim_of_route[query->goal_count] = aim;
        ends[query->goal_count++] = h->aims[aim].end;
    }
}

static void choose_starts(head* h, kerb_plan_query* query, kerb_plan_end* ends) {
    for (int32_t i = 0; i < h->pair_count; i++) {
        bool is_new = true;
        for (int32_t k = 0; k < query->start_count; k++)
            is_new = is_new && h->start_of_route[k] != h->pairs[i].start;
        if (!is_new)
            continue;
        h->start_of_route[query->start_count] = h->pairs[i].start;
        ends[query->start_count++] = h->starts[h->pairs[i].start];
    }
}

// Of a goal, or of all (-1). A weight above 0: another way besides the one that is known.
static void begin_route(head* h, plan_site* site, int32_t goal, int32_t budget, int32_t cuts,
                        float weight) {
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    kerb_plan_query query = {starts, goals, 0, 0};
    choose_starts(h, &query, starts);
    choose_aims(h, goal, &query, goals);
    plan_terrain terrain = plan_site_terrain(site);
    if (weight > 0.0f)
        plan_route_begin_other(&site->route, &terrain, &h->rates, &query, budget, cuts, weight);
    else
        plan_route_begin(&site->route, &terrain, &h->rates, &query, budget, cuts);
    h->stage = ROUTING;
    h->searched = true;
    h->polished = false;
    h->shown = KERB_PLAN_NEVER;
    h->expansions_before = h->expansions;
    h->routes++;
}

static int32_t cuts_of(const head* h) {
    return h->settings.improvement < CUTS ? h->settings.improvement : CUTS;
}

// The rest of the shortcuts is for the best of several ways.
static void begin_first_route(head* h, plan_site* site) {
    int32_t cuts = cuts_of(h), now = cuts / OTHER_CUTS;
    h->cuts_left = cuts - now;
    begin_route(h, site, -1, h->settings.expansions, now, 0.0f);
}

static void end_shooting(head* h, plan_site* site) {
    bool is_good = h->volley.count > 0 && (!site || h->cost < SHOT_WORTH * h->lower_bound);
    if (is_good)
        begin_trial(h, site, 0);
    else if (site)
        begin_first_route(h, site);
    else
        end(h, KERB_PLAN_BUDGET_SPENT);
}

// From here on the time of a shot is what it costs, toll and all; the cheapest first.
static void rank_by_cost(plan_volley* volley, const plan_space* space, kerb_pose start) {
    for (int32_t i = 0; space->toll && i < volley->count; i++) {
        plan_shot shot = volley->shots[i];
        int32_t at = i;
        shot.time += plan_way_toll(space, start, shot.arcs, shot.count);
        for (; at > 0 && shot.time < volley->shots[at - 1].time; at--)
            volley->shots[at] = volley->shots[at - 1];
        volley->shots[at] = shot;
    }
}

static void shoot_pair(head* h, plan_site* site) {
    pair next = h->pairs[h->next_pair++];
    const plan_probe probe = probe_of(h, site);
    const plan_space space = space_of(&probe);
    const kerb_plan_end *from = &h->starts[next.start], *to = &h->aims[next.aim].end;
    plan_volley volley = {0};
    if (!site || plan_site_is_open(site, from->pose.position, to->pose.position))
        volley = plan_shoot(&h->rates, &space, from, to);
    rank_by_cost(&volley, &space, from->pose);
    if (volley.count > 0 && volley.shots[0].time + from->penalty + to->penalty < h->cost) {
        h->volley = volley;
        h->found = next;
        h->method = KERB_PLAN_SHOT;
        const plan_shot* shot = &volley.shots[0];
        show_way(h, site, shot->arcs, shot->count, speed_at_end(h, shot->arcs, shot->count));
    }
    if (h->next_pair == h->pair_count || h->pairs[h->next_pair].bound >= h->cost)
        end_shooting(h, site);
}

// --------------------------------------------------------------------------- round obstacles

// What the search with speed is for: the best pair so far, or the most promising one.
static pair state_pair(const head* h) {
    return h->cost < KERB_PLAN_NEVER ? h->found : h->pairs[0];
}

static bool is_routed(const head* h) {
    return h->method == KERB_PLAN_ROUTE || h->method == KERB_PLAN_STATES;
}

// Shows what the search has found, as far as it has been shortened, if that is the best there is.
static void show_route(head* h, const plan_site* site) {
    const plan_route* r = &site->route;
    float cost = r->shortcut.time + r->shortcut.toll;
    if (h->stage != ROUTING || r->searching || !(cost < h->shown))
        return;
    pair found = {h->start_of_route[r->search.start], h->aim_of_route[r->search.goal], 0.0f};
    if (h->is_last_cut)
        found = h->found;
    if (h->is_state_cut)
        found = state_pair(h);
    float penalties = h->starts[found.start].penalty + h->aims[found.aim].end.penalty;
    if (!(cost + penalties < h->cost))
        return;
    for (int32_t i = 0; i < h->pair_count; i++)
        if (h->pairs[i].start == found.start && h->pairs[i].aim == found.aim)
            found.bound = h->pairs[i].bound;
    h->found = found;
    if (!h->is_last_cut)
        h->method = h->is_state_cut ? KERB_PLAN_STATES : KERB_PLAN_ROUTE;
    h->volley.count = 0;
    h->shown = cost;
    show_way(h, site, r->shortcut.arcs, r->shortcut.count,
             speed_at_end(h, r->shortcut.arcs, r->shortcut.count));
}

// The goal that is worth a search of its own: not looked for yet, and with the least bound; -1:
// none.
static int32_t next_goal(const head* h) {
    int32_t best = -1;
    for (int32_t i = 0; i < h->goal_count; i++) {
        bool is_worth = !h->is_looked_for[i] && h->goal_bounds[i] < OTHER_WORTH * h->cost;
        if (is_worth && (best < 0 || h->goal_bounds[i] < h->goal_bounds[best]))
            best = i;
    }
    return best;
}

static void begin_next_route(head* h, plan_site* site, int32_t goal) {
    int64_t budget = (int64_t)OTHER_EFFORT * h->first_effort + OTHER_EXPANSIONS;
    int32_t most = h->settings.expansions;
    h->is_looked_for[goal] = true;
    begin_route(h, site, goal, budget < most ? (int32_t)budget : most, cuts_of(h) / OTHER_CUTS,
                0.0f);
}

static bool is_worth_another(const head* h, plan_route_state state) {
    return state == PLAN_ROUTE_FOUND && h->goal_count == 1 && !h->is_again && !h->is_last_cut &&
           !h->is_stated && h->settings.improvement / AGAIN_PART >= AGAIN_LEAST &&
           h->cost > AGAIN_WORTH * h->lower_bound;
}

static void begin_another_way(head* h, plan_site* site) {
    float weight = site->route.level == 0 ? AGAIN_WEIGHT_FAR : AGAIN_WEIGHT;
    h->is_again = true;
    begin_route(h, site, -1, h->settings.improvement / AGAIN_PART, cuts_of(h) / OTHER_CUTS, weight);
}

// The best route again, for the shortcuts that it has left.
static void begin_last_cut(head* h, plan_site* site) {
    site->route.shortcut = h->kept;
    site->route.room = h->kept_room;
    site->route.cuts = h->cuts_left;
    site->route.state = PLAN_ROUTE_RUNNING;
    site->route.searching = false;
    h->cuts_left = 0;
    h->is_last_cut = true;
    h->shown = h->kept.time + h->kept.toll;
}

// What is improved now that no further goal is worth a search.
static void end_routes(head* h, const plan_site* site, plan_route_state state) {
    if (is_routed(h)) {
        h->room = h->kept_room;
        h->best = 0;
        begin_polish(h, site, &h->polishes[0], h->kept.arcs, h->kept.count,
                     (uint64_t)h->settings.seed * 16);
        h->polished = true;
        h->stage = IMPROVING;
    } else if (h->volley.count > 0) {
        begin_trial(h, site, 0);
    } else {
        end(h, state == PLAN_ROUTE_NO_PATH ? KERB_PLAN_NO_PATH : KERB_PLAN_BUDGET_SPENT);
    }
}

static void finish_routes(head* h, plan_site* site, plan_route_state state) {
    h->is_state_cut = false;
    if (is_routed(h) && h->cuts_left > 0)
        begin_last_cut(h, site);
    else
        end_routes(h, site, state);
}

// Too fast to turn as tightly as it could, the vehicle must brake first, and how far it gets before
// it turns decides the way: speed is a part of the search.
static bool needs_states(const head* h, const plan_site* site, plan_route_state state) {
    const kerb_plan_end* start = &h->starts[state_pair(h).start];
    float turning = plan_cap(&h->rates, h->rates.curvature, start->speed < 0.0f);
    return site->states != 0 && state != PLAN_ROUTE_NO_PATH &&
           start->speed * start->speed > turning;
}

static void begin_states(head* h, plan_site* site, plan_route_state state) {
    pair of = state_pair(h);
    const kerb_plan_query query = {&h->starts[of.start], &h->aims[of.aim].end, 1, 1};
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    bool is_found = h->cost < KERB_PLAN_NEVER;
    int32_t most = h->settings.expansions / STATES_PART;
    settings.expansions = is_found && most > STATES_MOST ? STATES_MOST : most;
    plan_terrain terrain = plan_site_terrain(site);
    plan_flow_begin(terrain.flow, true);
    plan_flow_goal(terrain.flow, query.goals[0].pose.position);
    const plan_probe probe = probe_of(h, site);
    const plan_space space = space_of(&probe);
    const plan_speed_ground ground = {&space, terrain.flow, plan_site_state_nodes(site)};
    plan_speed_begin(plan_site_states(site), &ground, &h->limits, &settings, &query);
    h->is_stated = true;
    h->route_state = (int32_t)state;
    h->stage = STATING;
}

// What it found is shortened for a while and then stands beside what there was.
static void begin_state_cut(head* h, plan_site* site) {
    pair of = state_pair(h);
    const kerb_plan_end *start = &h->starts[of.start], *aim = &h->aims[of.aim].end;
    plan_arc arcs[PLAN_ARCS_MAX];
    int32_t count =
        plan_speed_arcs(plan_site_states(site), plan_site_state_nodes(site), arcs, PLAN_ARCS_MAX);
    h->stage = ROUTING;
    if (count == 0 ||
        !(plan_movement_time(&h->rates, arcs, count, start->speed, aim->speed) < KERB_PLAN_NEVER)) {
        finish_routes(h, site, (plan_route_state)h->route_state);
        return;
    }
    plan_route* r = &site->route;
    const plan_probe probe = probe_of(h, site);
    const plan_space space = space_of(&probe);
    plan_shortcut_begin(&r->shortcut, &h->rates, start->pose, arcs, count, start->speed, aim->speed,
                        1);
    plan_shortcut_count_toll(&r->shortcut, &space);
    int32_t cuts = cuts_of(h);
    r->room = h->room;
    r->cuts = cuts / OTHER_CUTS;
    r->expansions = 0;
    r->state = PLAN_ROUTE_RUNNING;
    r->searching = false;
    h->expansions_before = h->expansions;
    h->cuts_left += cuts / OTHER_CUTS;
    h->is_state_cut = true;
    h->polished = false;
    h->shown = KERB_PLAN_NEVER;
}

static void step_states(head* h, plan_site* site) {
    plan_speed_search* s = plan_site_states(site);
    plan_terrain terrain = plan_site_terrain(site);
    const plan_probe probe = probe_of(h, site);
    const plan_space space = space_of(&probe);
    const plan_speed_ground ground = {&space, terrain.flow, plan_site_state_nodes(site)};
    int32_t before = s->expansions;
    plan_speed_state state = plan_speed_advance(s, &ground, 1);
    h->expansions += s->expansions - before;
    bool is_enough =
        s->answer.cost < KERB_PLAN_NEVER && s->expansions >= 2 * s->first_expansions + STATES_MORE;
    if (state != PLAN_SPEED_RUNNING || is_enough)
        begin_state_cut(h, site);
}

static void end_route(head* h, plan_site* site, plan_route_state state) {
    const plan_route* r = &site->route;
    show_route(h, site);
    if (state == PLAN_ROUTE_FOUND && h->shown == r->shortcut.time + r->shortcut.toll) {
        h->kept = r->shortcut;
        h->kept_room = r->room;
    }
    if (state == PLAN_ROUTE_FOUND && !h->is_last_cut && !h->is_state_cut)
        h->is_looked_for[h->aims[h->aim_of_route[r->search.goal]].goal] = true;
    if (h->first_effort == 0)
        h->first_effort = r->expansions;
    bool is_last = h->is_last_cut || h->is_stated || h->goal_count == 1;
    int32_t other = is_last || h->cost >= KERB_PLAN_NEVER ? -1 : next_goal(h);
    if (other >= 0)
        begin_next_route(h, site, other);
    else if (is_worth_another(h, state))
        begin_another_way(h, site);
    else if (h->is_stated || !needs_states(h, site, state))
        finish_routes(h, site, state);
    else
        begin_states(h, site, state);
}

static void step_route(head* h, plan_site* site) {
    plan_route* r = &site->route;
    plan_terrain terrain = plan_site_terrain(site);
    bool was_searching = r->searching;
    plan_route_state state = plan_route_advance(r, &terrain, 1);
    h->expansions = h->expansions_before + r->expansions;
    h->improved += was_searching && !r->is_other ? 0 : 1;
    if (state != PLAN_ROUTE_RUNNING)
        end_route(h, site, state);
}

// --------------------------------------------------------------------------- improvement

// The best of those that were tried stays; the next worth it is tried, or the best goes on.
static void end_trial(head* h, const plan_site* site) {
    if (h->trial > 0 && cost_of(&h->polishes[1 - h->best]) < cost_of(&h->polishes[h->best]))
        h->best = 1 - h->best;
    int32_t next = h->trial + 1;
    bool is_worth = next < h->volley.count &&
                    h->volley.shots[next].time < TRIAL_WORTH * h->volley.shots[0].time;
    if (is_worth)
        begin_trial(h, site, next);
    else
        h->stage = IMPROVING;
}

static void improve(head* h, const plan_site* site) {
    const plan_probe probe = probe_of(h, site);
    const plan_space space = space_of(&probe);
    bool is_other = h->stage == TRYING && h->trial > 0;
    plan_polish_step(&h->polishes[is_other ? 1 - h->best : h->best], &h->rates, &space);
    h->improved++;
    if (h->stage == TRYING && h->improved >= h->trial_end)
        end_trial(h, site);
}

static float best_cost(const head* h) {
    float cost = cost_of(&h->polishes[h->best]);
    bool is_other = h->stage == TRYING && h->trial > 0;
    return is_other ? kerb_min(cost, cost_of(&h->polishes[1 - h->best])) : cost;
}

static bool is_done(const head* h) {
    float cost = best_cost(h) + start_of(h)->penalty + aim_of(h)->penalty;
    plan_slack slack = slack_of(h);
    float bound =
        plan_slack_is_none(&slack) ? h->found.bound : h->goal_bounds[h->aims[h->found.aim].goal];
    return h->improved >= h->settings.improvement || cost <= CLOSE_ENOUGH * bound;
}

static void step(head* h, plan_site* site) {
    if (h->stage == SHOOTING)
        shoot_pair(h, site);
    else if (h->stage == ROUTING)
        step_route(h, site);
    else if (h->stage == STATING)
        step_states(h, site);
    else
        improve(h, site);
    h->steps++;
    if ((h->stage == TRYING || h->stage == IMPROVING) && is_done(h))
        end(h, KERB_PLAN_FOUND);
}

// The pieces of the best way, where it has become better since they were made.
static void show_best(head* h, const plan_site* site) {
    if (h->improved == 0 || !h->polished)
        return;
    int32_t other = 1 - h->best;
    bool other_is_better = h->stage == TRYING && h->trial > 0 &&
                           cost_of(&h->polishes[other]) < cost_of(&h->polishes[h->best]);
    const plan_polish* polish = &h->polishes[other_is_better ? other : h->best];
    if (!(cost_of(polish) < h->shown))
        return;
    h->shown = cost_of(polish);
    show_way(h, site, polish->arcs, polish->count, polish->speed_goal);
}

// The best movement, slowed down where others cross it. It depends on nothing else, so that slices
// change nothing.
static void adapt_to_movers(head* h) {
    if (h->timing.mover_count == 0 || h->is_timed || h->piece_count == 0)
        return;
    memcpy(h->timed, h->pieces, (size_t)h->piece_count * sizeof *h->pieces);
    h->timed_count =
        plan_timing_adapt(&h->timing, &h->limits, h->timed, h->piece_count, h->scratch, PIECES_MAX);
    h->is_timed = true;
    h->timed_time = h->time;
    if (h->timed_count > 0) {
        const kerb_plan_piece* last = &h->timed[h->timed_count - 1];
        h->timed_time = last->time + last->duration;
    } else if (h->outcome == KERB_PLAN_FOUND) {
        h->outcome = KERB_PLAN_BUDGET_SPENT;
    }
}

kerb_plan_outcome kerb_planner_advance(kerb_planner* planner, int32_t steps) {
    KERB_ASSERT(planner && planner->memory && steps >= 0);
    head* h = planner->memory;
    for (int32_t i = 0; i < steps && h->stage != ENDED; i++)
        step(h, planner->site);
    if (planner->site)
        show_route(h, planner->site);
    show_best(h, planner->site);
    adapt_to_movers(h);
    return (kerb_plan_outcome)h->outcome;
}

void kerb_planner_cancel(kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    head* h = planner->memory;
    if (h->stage != ENDED) {
        end(h, KERB_PLAN_CANCELLED);
    }
}

kerb_plan kerb_planner_plan(const kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    const head* h = planner->memory;
    kerb_plan plan = {.pieces = h->pieces,
                      .count = h->piece_count,
                      .steps = h->steps,
                      .expansions = h->expansions,
                      .start = h->found.start,
                      .goal = h->piece_count > 0 ? h->aims[h->found.aim].goal : 0,
                      .method = h->method,
                      .cost = h->cost,
                      .toll = h->toll,
                      .time = h->time,
                      .length = h->length,
                      .lower_bound = h->lower_bound};
    if (h->timing.mover_count > 0) {
        plan.pieces = h->timed;
        plan.count = h->is_timed ? h->timed_count : 0;
        plan.cost = plan.count > 0 ? h->cost + h->timed_time - h->time : KERB_PLAN_NEVER;
        plan.time = plan.count > 0 ? h->timed_time : 0.0f;
    }
    return plan;
}

// --------------------------------------------------------------------------- what can be had

kerb_plan kerb_planner_effort(kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    head* h = planner->memory;
    plan_site* site = planner->site;
    kerb_plan plan = kerb_planner_plan(planner);
    if (plan.count > 0 || !h->searched || site->route.backwards)
        return plan;
    plan_terrain terrain = plan_site_terrain(site);
    plan_effort effort = plan_route_effort(&site->route, &terrain);
    plan.start = h->start_of_route[effort.start];
    const kerb_plan_end* from = &h->starts[plan.start];
    plan.count = plan_movement_pieces(&h->rates, from->pose, effort.arcs, effort.count, from->speed,
                                      0.0f, h->pieces);
    plan.goal = -1;
    plan.time = plan.length = 0.0f;
    for (int32_t i = 0; i < plan.count; i++) {
        plan.time = plan.pieces[i].time + plan.pieces[i].duration;
        plan.length += plan.pieces[i].length;
    }
    plan.cost = plan.count > 0 ? plan.time + h->starts[plan.start].penalty : plan.cost;
    return plan;
}

kerb_plan_tree kerb_planner_tree(const kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    const head* h = planner->memory;
    kerb_plan_tree tree = {0, 0, false};
    if (!h->searched)
        return tree;
    plan_site* site = planner->site;
    tree.count = plan_site_terrain(site).nodes->ranks;
    tree.search = PLAN_ROUTE_LEVELS * (h->routes - 1) + site->route.level;
    tree.backwards = site->route.backwards;
    return tree;
}

kerb_plan_node kerb_planner_node(const kerb_planner* planner, int32_t index) {
    KERB_ASSERT(planner && index >= 0 && index < kerb_planner_tree(planner).count);
    plan_nodes* nodes = plan_site_terrain(planner->site).nodes;
    const plan_node* node = plan_nodes_at(nodes, plan_nodes_ranked(nodes, index));
    bool is_start = node->parent < 0;
    kerb_plan_node shown = {.pose = node->pose,
                            .parent = is_start ? -1 : plan_nodes_at(nodes, node->parent)->rank,
                            .curvature = is_start ? 0.0f : node->curvature,
                            .length = node->length,
                            .cost = node->cost};
    return shown;
}
