// Purpose: the experiments of the AIPATH thesis, as searches that can run in any order.
// Idea:    An experiment is a row of variants, each over the same random goals; a job is one goal
//          of one variant. The curves of the original game are in pictures that are lost: radii are
//          the thesis's, angles are ours.
// Source:  AIPATH chapter 5, with REFERENCE's remarks on its tables.
#include "kerb/plan_search.h"

#include "scene/thesis/thesis.h"

#include "scene/plan/planning.h"
#include "scene/thesis/thesis_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Below so many metres from the goal, a probe has come to the cell beside the goal's. (5.6)
#define BESIDE (1.5f * 1.2f)
// The thesis's estimate as printed is more than what any movement takes: by up to half in time
// where there is speed at an end, by half in distance where three turns are shorter than two. Ours
// is mended; this much of it is as much more, and does to the search what theirs did to theirs.
#define ESTIMATE_RAISED 1.5f
#define DEGREE ((double)KERB_PI / 180.0)

const double kerb_scene_thesis_cells[KERB_SCENE_THESIS_CELLS] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8,
                                                                 1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0};

const kerb_scene_thesis_curve kerb_scene_thesis_curves[KERB_SCENE_THESIS_CURVES] = {
    {"short right", 6.0f, -90.0f},
    {"short left", 13.0f, 90.0f},
    {"long right", 8.0f, -135.0f},
    {"long left", 15.0f, 135.0f}};

// --------------------------------------------------------------------------- variants

kerb_plan_search_settings kerb_scene_thesis_settings(const kerb_scene_thesis* t) {
    kerb_plan_search_settings s = kerb_plan_search_settings_thesis();
    s.weight = s.last_weight = ESTIMATE_RAISED;
    s.expansions = t->expansions;
    s.nodes = t->expansions < 250 ? 4096 : t->expansions < 125000 ? 8 * t->expansions : 1000000;
    return s;
}

static void set_cell(kerb_plan_search_settings* s, double cell) {
    s->cell = s->step_length = (float)cell;
    s->position_tolerance = 0.3f * (float)cell;
}

static kerb_plan_search_settings settings_of(const kerb_scene_thesis* t, int32_t variant) {
    kerb_plan_search_settings s = kerb_scene_thesis_settings(t);
    if (variant >= KERB_SCENE_THESIS_CELL_0 &&
        variant < KERB_SCENE_THESIS_CELL_0 + KERB_SCENE_THESIS_CELLS)
        set_cell(&s, kerb_scene_thesis_cells[variant - KERB_SCENE_THESIS_CELL_0]);
    switch (variant) {
    case KERB_SCENE_THESIS_BY_DISTANCE:
        s.heuristic = KERB_PLAN_DISTANCE;
        break;
    case KERB_SCENE_THESIS_ADMISSIBLE:
        s.heuristic = KERB_PLAN_ADMISSIBLE;
        break;
    case KERB_SCENE_THESIS_PROBE:
    case KERB_SCENE_THESIS_SLOW_PROBE:
        s.probing = KERB_PLAN_PROBING_ONLY;
        break;
    case KERB_SCENE_THESIS_PROBE_FIRST:
        s.probing = KERB_PLAN_PROBING_FIRST;
        break;
    case KERB_SCENE_THESIS_ROUNDED:
        s.time_use = KERB_PLAN_TIME_ROUNDED;
        break;
    case KERB_SCENE_THESIS_TIMED:
        s.time_use = KERB_PLAN_TIME_STATE;
        break;
    case KERB_SCENE_THESIS_RANK_COST:
        s.rank = KERB_PLAN_RANK_COST;
        break;
    case KERB_SCENE_THESIS_WEIGHT_1:
        s.weight = s.last_weight = 1.0f;
        break;
    case KERB_SCENE_THESIS_2_DEGREES:
        s.heading_cell = (float)(2.0 * DEGREE);
        break;
    case KERB_SCENE_THESIS_10_DEGREES:
        s.heading_cell = (float)(10.0 * DEGREE);
        s.turn_step = (float)(10.0 * DEGREE);
        break;
    case KERB_SCENE_THESIS_SHOTS:
        s = kerb_plan_search_settings_default();
        s.expansions = t->expansions < 2000 ? t->expansions : 2000;
        s.nodes = 65536;
        break;
    case KERB_SCENE_THESIS_QUICK:
        s = kerb_plan_search_settings_default();
        s.probing = KERB_PLAN_PROBING_FIRST;
        s.expansions = t->expansions < 100 ? t->expansions : 100;
        s.nodes = 8192;
        break;
    case KERB_SCENE_THESIS_LONG:
        s = kerb_plan_search_settings_default();
        s.expansions = t->expansions < 20000 ? t->expansions : 20000;
        s.nodes = 262144;
        break;
    default:
        break;
    }
    return s;
}

// --------------------------------------------------------------------------- one search

static void thesis_note(kerb_scene_thesis_result* r, kerb_plan_search* search,
                        const kerb_plan_limits* limits, const kerb_plan_query* query,
                        const kerb_plan_world* world, bool is_exact) {
    kerb_plan plan = kerb_plan_search_get_plan(search), effort;
    r->expansions = kerb_plan_search_get_report(search).expansions;
    r->found = plan.count > 0;
    r->valid = true;
    if (!r->found) {
        effort = kerb_plan_search_get_partial_plan(search);
        kerb_plan_state last = kerb_plan_at(&effort, effort.time);
        kerb_vec2 away = kerb_vec2_sub(query->goals[0].pose.position, last.pose.position);
        r->short_of = kerb_vec2_length(away);
        r->cost = effort.cost; // of the way that a probe has made
        return;
    }
    r->cost = plan.cost;
    r->length = plan.length;
    r->least = plan.lower_bound;
    kerb_plan_state last = kerb_plan_at(&plan, plan.time);
    kerb_vec2 away = kerb_vec2_sub(query->goals[plan.goal].pose.position, last.pose.position);
    r->short_of = kerb_vec2_length(away);
    kerb_plan_end reached = {.pose = last.pose, .speed = last.speed};
    reached.penalty = query->goals[plan.goal].penalty;
    kerb_plan_query there = *query;
    if (!is_exact) { // within the tolerance of the goal: what is checked is where it leads
        there.goals = &reached;
        there.goal_count = 1;
        plan.goal = 0;
    }
    r->valid = kerb_plan_check(limits, &there, world, &plan, NULL) == KERB_OK;
}

// Planned in one world and checked in another, which may be the same.
static void run_query(kerb_scene_thesis_result* r, const kerb_plan_limits* limits,
                      const kerb_plan_search_settings* settings, const kerb_plan_query* query,
                      const kerb_plan_world* planned, const kerb_plan_world* checked) {
    const kerb_host host = kerb_host_default();
    kerb_plan_search search;
    if (kerb_plan_search_create(&search, limits, settings, &host, NULL) != KERB_OK)
        return;
    if (kerb_plan_search_set_world(&search, planned, NULL) == KERB_OK &&
        kerb_plan_search_begin(&search, query, NULL) == KERB_OK) {
        kerb_plan_search_advance(&search, settings->expansions + 1);
        thesis_note(r, &search, limits, query, checked, settings->position_tolerance == 0.0f);
    }
    kerb_plan_search_destroy(&search);
}

static void run_goal(kerb_scene_thesis* t, int32_t variant, int32_t goal,
                     kerb_scene_thesis_result* r) {
    kerb_scene_plan_task task = kerb_scene_plan_random(t->seed, goal, 5.0f, 10.0f);
    if (variant == KERB_SCENE_THESIS_SLOW || variant == KERB_SCENE_THESIS_SLOW_PROBE) {
        float share = KERB_SCENE_THESIS_SLOW_SPEED / task.limits.speed_max;
        task.limits.speed_max *= share;
        task.from.speed *= share;
        task.to.speed *= share;
    }
    const kerb_plan_query query = {&task.from, &task.to, 1, 1};
    kerb_plan_search_settings settings = settings_of(t, variant);
    r->distance = kerb_vec2_length(task.to.pose.position);
    run_query(r, &task.limits, &settings, &query, NULL, NULL);
}

// --------------------------------------------------------------------------- curves

#define THESIS_AHEAD 0.4f // of a curve's ends are road as well [m]

bool kerb_scene_thesis_is_on_road(void* context, kerb_pose pose) {
    const kerb_scene_thesis_road* r = context;
    float side = r->angle < 0.0f ? -1.0f : 1.0f;
    kerb_vec2 from = kerb_vec2_make(pose.position.x, side * pose.position.y - r->radius);
    float away = kerb_vec2_length(from) - r->radius;
    float along = kerb_atan2(from.x, -from.y), ahead = THESIS_AHEAD / r->radius;
    return kerb_abs(away) <= r->half_width && along >= -ahead &&
           along <= kerb_abs(r->angle) + ahead;
}

// An end at the share of the road's half width, left positive.
static kerb_plan_end end_on(const kerb_scene_thesis_road* r, bool at_end, float share,
                            float speed) {
    float side = r->angle < 0.0f ? -1.0f : 1.0f, heading = at_end ? r->angle : 0.0f, sine, cosine;
    float radius = r->radius - side * share * r->half_width;
    kerb_sin_cos(heading, &sine, &cosine);
    return kerb_plan_end_make(side * radius * sine, side * (r->radius - radius * cosine), heading,
                              speed);
}

float kerb_scene_thesis_leaving(const kerb_plan_limits* limits, float aside) {
    const float before = 30.0f; // [m]
    float longer = kerb_sqrt(before * before + aside * aside) - before;
    return longer / limits->speed_max;
}

kerb_plan_query kerb_scene_thesis_road_query(const kerb_plan_limits* limits,
                                             const kerb_scene_thesis_road* road, float speed,
                                             kerb_scene_thesis_road_ends* ends) {
    const int32_t count = KERB_SCENE_THESIS_ENDS;
    for (int32_t i = 0; i < count; i++) {
        float share = 0.98f * (float)(2 * i + 1 - count) / (float)(count - 1);
        ends->starts[i] = end_on(road, false, share, speed);
        ends->goals[i] = end_on(road, true, share, speed);
        ends->starts[i].penalty = kerb_scene_thesis_leaving(limits, share * road->half_width);
    }
    return (kerb_plan_query){ends->starts, ends->goals, count, count};
}

static void run_road(kerb_scene_thesis_result* r, const kerb_plan_limits* limits,
                     kerb_scene_thesis_road* way, const kerb_plan_search_settings* settings,
                     float speed) {
    kerb_scene_thesis_road_ends ends;
    const kerb_plan_query query = kerb_scene_thesis_road_query(limits, way, speed, &ends);
    // The planner asks a host's function every 0.1 m, the checker more often: the bend between two
    // of the planner's places may leave the road by half a millimetre.
    kerb_scene_thesis_road narrower = *way;
    narrower.half_width -= 1e-3f;
    const kerb_plan_world planned = {.is_free = kerb_scene_thesis_is_on_road, .context = &narrower};
    const kerb_plan_world checked = {.is_free = kerb_scene_thesis_is_on_road, .context = way};
    run_query(r, limits, settings, &query, &planned, &checked);
}

kerb_plan_limits kerb_scene_thesis_as_a_point(kerb_plan_limits limits) {
    limits.front = limits.rear = limits.width = 0.01f;
    return limits;
}

kerb_scene_thesis_road kerb_scene_thesis_road_of(int32_t curve) {
    const kerb_scene_thesis_curve* c = &kerb_scene_thesis_curves[curve];
    return (kerb_scene_thesis_road){c->radius, c->degrees * (float)DEGREE, 1.5f};
}

// One of table 5.2's. Equal speeds at both ends.
static void run_curve(kerb_scene_thesis* t, int32_t curve, int32_t goal,
                      kerb_scene_thesis_result* r) {
    kerb_scene_plan_task task = kerb_scene_plan_random(t->seed, goal, 5.0f, 8.0f);
    kerb_scene_thesis_road way = kerb_scene_thesis_road_of(curve);
    kerb_plan_limits limits = kerb_scene_thesis_as_a_point(task.limits);
    kerb_plan_search_settings settings = kerb_scene_thesis_settings(t);
    run_road(r, &limits, &way, &settings, task.from.speed);
}

kerb_plan_limits kerb_scene_thesis_width_limits(void) {
    kerb_plan_limits limits = kerb_scene_thesis_as_a_point(kerb_plan_limits_default());
    limits.lateral_acceleration = KERB_SCENE_THESIS_LATERAL;
    return limits;
}

float kerb_scene_thesis_ideal_time(float length) {
    // It never gets as fast on so short a way as the limits allow on this radius.
    kerb_plan_limits limits = kerb_scene_thesis_width_limits();
    return kerb_plan_traversal_time(&limits, length, KERB_SCENE_THESIS_SPEED,
                                    KERB_SCENE_THESIS_SPEED);
}

kerb_plan_search_settings kerb_scene_thesis_width_settings(const kerb_scene_thesis* t) {
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.step_length = 1.2f;
    settings.cell = 0.4f;
    settings.heading_cell = (float)(3.0 * DEGREE);
    settings.speed_cell = 0.2f;
    settings.turn_step = 0.05f;
    settings.expansions = t->expansions < 20000 ? t->expansions : 20000;
    settings.nodes = 200000;
    return settings;
}

kerb_scene_thesis_road kerb_scene_thesis_road_of_width(int32_t width) {
    return (kerb_scene_thesis_road){KERB_SCENE_THESIS_RADIUS, 90.0f * (float)DEGREE,
                                    0.3f * (float)(width + 1)};
}

// One of table 5.1's. Equal speeds at both ends, as the thesis has them in 5.2.
static void run_width(kerb_scene_thesis* t, int32_t width, kerb_scene_thesis_result* r) {
    kerb_plan_limits limits = kerb_scene_thesis_width_limits();
    kerb_scene_thesis_road way = kerb_scene_thesis_road_of_width(width);
    kerb_plan_search_settings settings = kerb_scene_thesis_width_settings(t);
    run_road(r, &limits, &way, &settings, KERB_SCENE_THESIS_SPEED);
}

// --------------------------------------------------------------------------- all of them

static int32_t curves_begin(const kerb_scene_thesis* t) {
    return KERB_SCENE_THESIS_VARIANTS * t->goals;
}

static int32_t widths_begin(const kerb_scene_thesis* t) {
    return curves_begin(t) + KERB_SCENE_THESIS_CURVES * t->goals;
}

bool kerb_scene_thesis_make(kerb_scene_thesis* thesis, int32_t goals, int32_t expansions,
                            uint64_t seed) {
    memset(thesis, 0, sizeof *thesis);
    thesis->goals = goals;
    thesis->expansions = expansions;
    thesis->seed = seed;
    thesis->job_count = widths_begin(thesis) + KERB_SCENE_THESIS_WIDTHS;
    thesis->results = calloc((size_t)thesis->job_count, sizeof *thesis->results);
    return thesis->results != NULL;
}

void kerb_scene_thesis_free(kerb_scene_thesis* thesis) {
    free(thesis->results);
    memset(thesis, 0, sizeof *thesis);
}

void kerb_scene_thesis_run(kerb_scene_thesis* thesis, int32_t job) {
    kerb_scene_thesis_result* r = &thesis->results[job];
    int32_t curves = curves_begin(thesis), widths = widths_begin(thesis);
    if (job < curves)
        run_goal(thesis, job / thesis->goals, job % thesis->goals, r);
    else if (job < widths)
        run_curve(thesis, (job - curves) / thesis->goals, (job - curves) % thesis->goals, r);
    else
        run_width(thesis, job - widths, r);
}

const kerb_scene_thesis_result* kerb_scene_thesis_of_variant(const kerb_scene_thesis* t,
                                                             int32_t variant) {
    return t->results + (size_t)variant * (size_t)t->goals;
}

const kerb_scene_thesis_result* kerb_scene_thesis_of_curve(const kerb_scene_thesis* t,
                                                           int32_t curve) {
    return t->results + curves_begin(t) + (size_t)curve * (size_t)t->goals;
}

const kerb_scene_thesis_result* kerb_scene_thesis_of_width(const kerb_scene_thesis* t,
                                                           int32_t width) {
    return t->results + widths_begin(t) + width;
}

kerb_scene_thesis_result kerb_scene_thesis_probe(const kerb_scene_plan_task* task) {
    kerb_scene_thesis_result r = {0};
    const kerb_plan_query query = {&task->from, &task->to, 1, 1};
    kerb_plan_search_settings settings = kerb_plan_search_settings_thesis();
    settings.probing = KERB_PLAN_PROBING_ONLY;
    settings.nodes = 8192;
    r.distance = kerb_vec2_length(kerb_vec2_sub(task->to.pose.position, task->from.pose.position));
    run_query(&r, &task->limits, &settings, &query, NULL, NULL);
    return r;
}

bool kerb_scene_thesis_comes_beside(const kerb_scene_thesis_result* result) {
    return result->found || result->short_of <= BESIDE;
}

int32_t kerb_scene_thesis_invalid(const kerb_scene_thesis* thesis) {
    int32_t invalid = 0;
    for (int32_t i = 0; i < thesis->job_count; i++)
        invalid += thesis->results[i].found && !thesis->results[i].valid;
    return invalid;
}
