// Purpose: the planner's public calls: a query, slices of work, the best movement so far.
// Idea:    pairs of a start and a goal are shot at in the order of their lower bounds, until no
// bound
//          is below what has been found. The best pair's few best ways are then improved for a
//          while, and the one that comes out first for the rest.
// Cost:    a step is a pair (20 to 200 µs) or one try of the improvement (about 0.5 µs).
#include "polish.h"
#include "shot.h"

#include "../base/assertion.h"

#include <string.h>

#define PAIRS_MAX (KERB_PLAN_ENDS_MAX * KERB_PLAN_ENDS_MAX)

// Arcs of a way that is improved. Eight come within 1 % of what twenty reach, at half the price a
// try; see docs/planning.md.
#define ARCS_WANTED 9

// Share of the improvement's steps that a way has to show what it is worth.
#define TRIAL_SHARE 8

// Ways slower than the best by more than this are not worth a trial. [1]
#define TRIAL_WORTH 1.15f

#define COORDINATE_MOST 1e6f

// This close to its lower bound nothing is left to improve. [1]
#define CLOSE_ENOUGH 1.00003f

typedef struct pair {
    int32_t start, goal;
    float bound; // with penalties [s]
} pair;

// What the improvement does now: ways are tried one after the other, the best of them goes on.
typedef enum stage { SHOOTING, TRYING, IMPROVING, ENDED } stage;

typedef struct head {
    kerb_plan_limits limits;
    kerb_planner_settings settings;
    plan_rates rates;
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    pair pairs[PAIRS_MAX];
    int32_t pair_count, next_pair;
    int32_t outcome; // kerb_plan_outcome
    int32_t stage;
    int32_t steps;
    int32_t improved;  // steps of improvement so far
    int32_t trial;     // which way is tried
    int32_t trial_end; // `improved` when it ends
    pair found;        // the pair that the volley belongs to
    plan_volley volley;
    float lower_bound;
    float cost, time, length; // of the movement shown; KERB_PLAN_NEVER: none
    float shown;              // time of the best way when the pieces were made
    int32_t best;             // which polish is the best
    int32_t piece_count;
    plan_polish polishes[2]; // the best, and the one that is tried
    kerb_plan_piece pieces[PLAN_PIECES_OF(PLAN_ARCS_MAX)];
} head;

size_t kerb_planner_bytes(void) {
    return (sizeof(head) + 63) / 64 * 64;
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
    h->stage = ENDED;
    h->outcome = KERB_PLAN_NO_PATH;
    *planner = (kerb_planner){h, bytes, host->allocator};
    return KERB_OK;
}

void kerb_planner_destroy(kerb_planner* planner) {
    KERB_ASSERT(planner);
    if (planner->memory)
        planner->allocator.release(planner->allocator.context, planner->memory, planner->bytes);
    memset(planner, 0, sizeof *planner);
}

// --------------------------------------------------------------------------- a query

static kerb_result fail_end(kerb_error* error, bool is_number, const char* field, int32_t index,
                            const char* message) {
    return kerb_error_set(error, is_number ? KERB_ERROR_OUT_OF_RANGE : KERB_ERROR_NOT_FINITE, field,
                          0, index, is_number ? message : "must be a finite number");
}

static kerb_result check_end(const kerb_plan_end* end, int32_t index, kerb_error* error) {
    kerb_vec2 p = end->pose.position, f = end->pose.forward;
    float unit = kerb_vec2_dot(f, f);
    bool is_near = kerb_abs(p.x) <= COORDINATE_MOST && kerb_abs(p.y) <= COORDINATE_MOST;
    bool is_number = kerb_is_finite(p.x) && kerb_is_finite(p.y) && kerb_is_finite(unit);
    if (!is_number || !is_near)
        return fail_end(error, is_number, "pose", index, "must lie within 1e6 m");
    if (kerb_abs(unit - 1.0f) > 2e-3f)
        return fail_end(error, true, "pose", index, "its direction must have unit length");
    if (!kerb_is_finite(end->speed))
        return fail_end(error, false, "speed", index, NULL);
    if (!(end->penalty >= 0.0f) || !kerb_is_finite(end->penalty))
        return fail_end(error, kerb_is_finite(end->penalty), "penalty", index,
                        "must not be less "
                        "than 0 s");
    return KERB_OK;
}

static kerb_result check_ends(const kerb_plan_end* ends, int32_t count, const char* field,
                              kerb_error* error) {
    if (count < 1 || !ends)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, field, 0, -1, "must be at least 1");
    if (count > KERB_PLAN_ENDS_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, field, 0, -1, "must be at most 16");
    for (int32_t i = 0; i < count; i++) {
        kerb_result result = check_end(&ends[i], i, error);
        if (result != KERB_OK)
            return result;
    }
    return KERB_OK;
}

static bool is_possible(const head* h, const kerb_plan_end* end) {
    return end->speed <= h->limits.speed_max && end->speed >= -h->limits.reverse_speed_max;
}

static void add_pair(head* h, int32_t start, int32_t goal) {
    const kerb_plan_end *from = &h->starts[start], *to = &h->goals[goal];
    if (!is_possible(h, from) || !is_possible(h, to))
        return;
    const kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_ADMISSIBLE};
    pair added = {start, goal, kerb_plan_bound(&h->limits, &settings, from, to)};
    added.bound += from->penalty + to->penalty;
    int32_t at = h->pair_count++;
    for (; at > 0 && added.bound < h->pairs[at - 1].bound; at--)
        h->pairs[at] = h->pairs[at - 1];
    h->pairs[at] = added;
}

// A direction a little off unit length would show up as a jump.
static void copy_ends(kerb_plan_end* copies, const kerb_plan_end* ends, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        copies[i] = ends[i];
        copies[i].pose.forward = curve_unit_again(curve_unit_again(ends[i].pose.forward));
    }
}

kerb_result kerb_planner_begin(kerb_planner* planner, const kerb_plan_query* query,
                               kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && query);
    head* h = planner->memory;
    h->stage = ENDED;
    h->outcome = KERB_PLAN_NO_PATH;
    h->cost = h->shown = KERB_PLAN_NEVER;
    h->pair_count = h->next_pair = h->steps = h->improved = h->piece_count = 0;
    h->volley.count = h->best = 0;
    h->lower_bound = h->time = h->length = 0.0f;
    h->found = (pair){0, 0, 0.0f};
    kerb_result result = check_ends(query->starts, query->start_count, "start_count", error);
    if (result == KERB_OK)
        result = check_ends(query->goals, query->goal_count, "goal_count", error);
    if (result != KERB_OK)
        return result;
    copy_ends(h->starts, query->starts, query->start_count);
    copy_ends(h->goals, query->goals, query->goal_count);
    for (int32_t i = 0; i < query->start_count; i++) {
        for (int32_t k = 0; k < query->goal_count; k++)
            add_pair(h, i, k);
    }
    h->stage = h->pair_count > 0 ? SHOOTING : ENDED;
    h->outcome = h->pair_count > 0 ? KERB_PLAN_RUNNING : KERB_PLAN_IMPOSSIBLE;
    h->lower_bound = h->pair_count > 0 ? h->pairs[0].bound : 0.0f;
    return KERB_OK;
}

// --------------------------------------------------------------------------- steps

static const kerb_plan_end* start_of(const head* h) {
    return &h->starts[h->found.start];
}

static const kerb_plan_end* goal_of(const head* h) {
    return &h->goals[h->found.goal];
}

static plan_space space_of(const head* h) {
    (void)h;
    plan_space space = {NULL, NULL};
    return space;
}

static int32_t travel_of(const kerb_plan_end* end) {
    return end->speed < 0.0f ? -1 : 1;
}

static void show_way(head* h, const plan_arc* arcs, int32_t count) {
    kerb_pose start = start_of(h)->pose;
    h->piece_count = plan_movement_pieces(&h->rates, start, arcs, count, start_of(h)->speed,
                                          goal_of(h)->speed, h->pieces);
    if (h->piece_count == 0) // it is there already
        h->pieces[h->piece_count++] = (kerb_plan_piece){.start = start,
                                                        .speed = kerb_abs(start_of(h)->speed),
                                                        .travel = travel_of(start_of(h))};
    h->time = h->length = 0.0f;
    for (int32_t i = 0; i < h->piece_count; i++) {
        h->time = h->pieces[i].time + h->pieces[i].duration;
        h->length += h->pieces[i].length;
    }
    h->cost = h->time + start_of(h)->penalty + goal_of(h)->penalty;
}

static void begin_trial(head* h, int32_t which) {
    const plan_shot* shot = &h->volley.shots[which];
    plan_polish* polish = &h->polishes[which == 0 ? h->best : 1 - h->best];
    uint64_t seed = (uint64_t)h->settings.seed * 16 + (uint64_t)which;
    plan_polish_begin(polish, &h->rates, start_of(h)->pose, shot->arcs, shot->count, ARCS_WANTED,
                      start_of(h)->speed, goal_of(h)->speed, seed);
    h->trial = which;
    h->trial_end = h->improved + h->settings.improvement / TRIAL_SHARE;
    h->stage = TRYING;
}

static void end_shooting(head* h) {
    if (h->volley.count > 0)
        begin_trial(h, 0);
    else
        h->stage = ENDED;
    if (h->stage == ENDED)
        h->outcome = KERB_PLAN_BUDGET_SPENT;
}

static void shoot_pair(head* h) {
    pair next = h->pairs[h->next_pair++];
    const plan_space space = space_of(h);
    const kerb_plan_end *from = &h->starts[next.start], *to = &h->goals[next.goal];
    plan_volley volley = plan_shoot(&h->rates, &space, from, to);
    if (volley.count > 0 && volley.shots[0].time + from->penalty + to->penalty < h->cost) {
        h->volley = volley;
        h->found = next;
        show_way(h, volley.shots[0].arcs, volley.shots[0].count);
    }
    if (h->next_pair == h->pair_count || h->pairs[h->next_pair].bound >= h->cost)
        end_shooting(h);
}

// The best of those that were tried stays; the next worth it is tried, or the best goes on.
static void end_trial(head* h) {
    if (h->trial > 0 && h->polishes[1 - h->best].time < h->polishes[h->best].time)
        h->best = 1 - h->best;
    int32_t next = h->trial + 1;
    bool is_worth = next < h->volley.count &&
                    h->volley.shots[next].time < TRIAL_WORTH * h->volley.shots[0].time;
    if (is_worth)
        begin_trial(h, next);
    else
        h->stage = IMPROVING;
}

static void improve(head* h) {
    const plan_space space = space_of(h);
    bool is_other = h->stage == TRYING && h->trial > 0;
    plan_polish_step(&h->polishes[is_other ? 1 - h->best : h->best], &h->rates, &space);
    h->improved++;
    if (h->stage == TRYING && h->improved >= h->trial_end)
        end_trial(h);
}

static float best_time(const head* h) {
    float time = h->polishes[h->best].time;
    bool is_other = h->stage == TRYING && h->trial > 0;
    return is_other ? kerb_min(time, h->polishes[1 - h->best].time) : time;
}

static bool is_done(const head* h) {
    float cost = best_time(h) + start_of(h)->penalty + goal_of(h)->penalty;
    return h->improved >= h->settings.improvement || cost <= CLOSE_ENOUGH * h->found.bound;
}

static void step(head* h) {
    if (h->stage == SHOOTING)
        shoot_pair(h);
    else
        improve(h);
    h->steps++;
    if (h->stage != SHOOTING && h->stage != ENDED && is_done(h)) {
        h->stage = ENDED;
        h->outcome = KERB_PLAN_FOUND;
    }
}

// The pieces of the best way, where it has become better since they were made.
static void show_best(head* h) {
    if (h->improved == 0)
        return;
    int32_t other = 1 - h->best;
    bool other_is_better =
        h->stage == TRYING && h->trial > 0 && h->polishes[other].time < h->polishes[h->best].time;
    const plan_polish* polish = &h->polishes[other_is_better ? other : h->best];
    if (!(polish->time < h->shown))
        return;
    h->shown = polish->time;
    show_way(h, polish->arcs, polish->count);
}

kerb_plan_outcome kerb_planner_advance(kerb_planner* planner, int32_t steps) {
    KERB_ASSERT(planner && planner->memory && steps >= 0);
    head* h = planner->memory;
    for (int32_t i = 0; i < steps && h->stage != ENDED; i++)
        step(h);
    show_best(h);
    return (kerb_plan_outcome)h->outcome;
}

void kerb_planner_cancel(kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    head* h = planner->memory;
    if (h->stage != ENDED) {
        h->stage = ENDED;
        h->outcome = KERB_PLAN_CANCELLED;
    }
}

kerb_plan kerb_planner_plan(const kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    const head* h = planner->memory;
    bool is_found = h->cost < KERB_PLAN_NEVER;
    kerb_plan plan = {.pieces = h->pieces,
                      .count = h->piece_count,
                      .steps = h->steps,
                      .start = h->found.start,
                      .goal = h->found.goal,
                      .method = is_found ? KERB_PLAN_SHOT : KERB_PLAN_NONE,
                      .cost = h->cost,
                      .time = h->time,
                      .length = h->length,
                      .lower_bound = h->lower_bound};
    return plan;
}
