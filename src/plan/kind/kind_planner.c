// Purpose: plans for every kind of vehicle.
// Idea:    A route of arcs is a first guess. A regulator drives a simulated vehicle along it, which
//          gives a motion that is possible but ends beside the goal. Changes of the controls lead
//          its end to the goal (Gauss-Newton with a line search). The duration is then shortened by
//          a share and the end led to the goal again; where that fails, by half of the share. So
//          the controls come to their limits, as they are in the fastest motion. A motion that
//          meets an obstacle counts as a failure. But a shorter motion that meets one while a plan
//          is shortened is tried again with one condition more: the point of the footprint that met
//          it stays on the line on which it passes the obstacle in the plan, or the room that the
//          motion left stays at that joint what it is in the plan. So a plan is shortened along
//          obstacles and rooms, as with an active set of limits. Where all routes have failed, each
//          is tried once more while the regulator keeps the motion near it: the route is free, and
//          changes that lead an end across a whole motion to the goal leave it. A plan that is
//          slower than the first route is in a poor local optimum: other routes are tried, and the
//          best is kept.
// Cost:    A step is a slice of the route planner, the derivatives of a motion, or a slice of a
//          simulation or of the tests of one. None depends on the length of the way.
#include "kerb/plan_kind.h"

#include "kind_planner.h"
#include "motion.h"
#include "obstacles.h"

#include "../space/space_planner.h"

#include "../../base/shared.h"

#include <string.h>

// Steps of the route planner that are one step of this planner.
#define KIND_ROUTE_SLICE 32
// Steps of a simulation that are one step of this planner; with tests, which cost more.
#define KIND_SLICE 800
#define KIND_TESTS_SLICE 400
// Gap of a motion that any change makes better. [tolerances]
#define KIND_FAR 1e30f
// Halvings of the changes of a round that are tried; the same while the plan is shortened.
#define KIND_HALVINGS 5
#define KIND_HALVINGS_SHORTER 3
// Steps that improve a route. More cost time, which the shortening of the motion spends better.
#define KIND_ROUTE_IMPROVEMENT 64
// Simulations along the route before the end is led to the goal. The second starts from
// derivatives of a motion that is possible.
#define KIND_TRACKING 2
// Pieces of a plan where kerb_kind.piece_max asks for more, over kerb_kind_settings.pieces. [1]
#define KIND_PIECES_MORE 2.5f
// Rounds of Gauss-Newton. Where it converges, it takes 3 to 8.
#define KIND_ROUNDS 16
// The same while the plan is shortened, where the guess is near.
#define KIND_ROUNDS_SHORTER 6
// A round must leave at most this share of the gap, or it has stalled. [1]
#define KIND_PROGRESS 0.9f
// Time of a motion that has stalled, over what it had. Another start helps more often than not.
#define KIND_RELAXED 1.15f
// First share of the time that is cut. [1]
#define KIND_FIRST_CUT 0.16f
// Changes while a plan is shortened must leave at most this share of a gap, as far as derivatives
// tell, or the controls are at their limits. [1]
#define KIND_LEFT 0.5f
// A plan that takes more of the time of the first route is poor, and other routes are tried, too. A
// route uses a share of what the kind can do, and most plans are faster than theirs. [1]
#define KIND_POOR 1.1f
// A plan that is to take a time takes it to this share. [1]
#define KIND_PUNCTUAL 1e-6f
// Tests of the footprint in each part of a piece of kerb_kind.step_max, as many as the checker's.
#define KIND_TESTS 8
// The footprint is tested with this much more on all sides. The checker tests with 2 mm less. [m]
#define KIND_MARGIN 2e-3f
// The same as a share of the tolerance of places: the checker integrates otherwise, and accepts as
// much at each joint. [1]
#define KIND_MARGIN_SHARE 0.05f
// Coordinates and other numbers of ends. [m], [1]
#define KIND_PLACE_MOST 1e6f
#define KIND_NUMBER_MOST 1e3f

typedef enum kind_stage {
    KIND_ENDED,
    KIND_ROUTING,
    KIND_FOLLOWING,
    KIND_CLOSING,
    KIND_SHORTENING
} kind_stage;

// What a step computes; then the stage goes on.
typedef enum kind_work { KIND_DERIVES, KIND_SIMULATES, KIND_TRIES, KIND_JUDGES } kind_work;

// A plan that was found.
typedef struct kind_found {
    kind_motion motion;
    float gains[KERB_KIND_PIECES_MAX][KIND_M][KIND_N];
    float times[KERB_KIND_PIECES_MAX + 1];
    int32_t attempt;
} kind_found;

typedef struct kind_task {
    kerb_kind kind;
    kerb_kind_settings settings;
    float from[KIND_N], to[KIND_N];
    float goal[KIND_N]; // `to` with the heading of the route's end
    int32_t stage, outcome, attempt, steps;
    int32_t work;   // what is computed now
    int32_t rounds; // in this stage
    int32_t share;  // halvings of the changes that are tried
    bool near;      // motions are kept near their routes while their end is led to the goal
    bool takes;     // the motion becomes the plan as soon as it has derivatives
    kind_progress progress;
    float gap;          // of `motion`
    float cut;          // share of the time that is cut now
    kind_place met;     // where the motion has met an obstacle; box -1: the end of its room
    kind_places places; // of `best.motion`, where shorter motions met obstacles: cuts keep them
    bool found;         // `best` is a plan
    bool keeps;         // `kept` is the better of the plans on routes before this one
    float route_time;   // of the first route; 0: there is none yet [s]
    float lower_bound;
    float least_time;   // the plan takes no less [s]
    kind_motion motion; // the latest that is possible
    kind_motion next;
    kind_found best; // the plan on this route
    kind_found kept;
    kind_derivatives derivatives;
    kind_changes changes;
} kind_task;

// --------------------------------------------------------------------------- settings

#define KIND_ROW(field, ...) KERB_IN_COUNT(kerb_kind_settings, field, __VA_ARGS__)
static const kerb_setting kind_rows[] = {
    KIND_ROW(attempts, 1.0f, (float)KERB_KIND_ATTEMPTS_MAX, 5.0f,
             "greatest number of routes that are tried"),
    KIND_ROW(pieces, 8.0f, (float)KERB_KIND_PIECES_MAX, 48.0f, "least number of pieces of a plan"),
    KERB_IN_SETTING(kerb_kind_settings, shortening, "1", 0.0001f, 1.0f, 0.02f,
                    "stop to shorten when a step gains less than this share"),
    KIND_ROW(route_steps, 1.0f, 1e6f, 40000.0f, "steps that a route among obstacles may take"),
    KIND_ROW(improvement, 0.0f, 1e6f, 150.0f, "changes of a plan in space that are tried"),
};
const kerb_settings_table kerb_kind_settings_table = {
    "kerb_kind_settings", sizeof(kerb_kind_settings), kind_rows,
    (int32_t)(sizeof kind_rows / sizeof kind_rows[0])};

kerb_kind_settings kerb_kind_settings_default(void) {
    kerb_kind_settings settings;
    kerb_settings_set_defaults(&kerb_kind_settings_table, &settings);
    return settings;
}

static kerb_result kind_wrong(kerb_error* error, const char* field, int32_t index,
                              const char* message) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, index, message);
}

static const char* kind_missing_in_space(const kerb_kind* kind) {
    const kerb_kind_space* space = kind->space;
    return !kind->rates          ? "rates"
           : !kind->boxes        ? "boxes"
           : !kind->bound        ? "bound"
           : !kind->state_of     ? "state_of"
           : !space->balls       ? "space.balls"
           : !space->via         ? "space.via"
           : !space->connect     ? "space.connect"
           : !space->controls_of ? "space.controls_of"
                                 : NULL;
}

static const char* kind_missing_in_plane(const kerb_kind* kind) {
    return !kind->rates          ? "rates"
           : !kind->boxes        ? "boxes"
           : !kind->route_limits ? "route_limits"
           : !kind->route_end    ? "route_end"
           : !kind->on_route     ? "on_route"
           : !kind->bound        ? "bound"
           : !kind->state_of     ? "state_of"
           : !kind->controls_of  ? "controls_of"
                                 : NULL;
}

static kerb_result kind_validate_numbers(const kerb_kind* kind, kerb_error* error) {
    for (int32_t i = 0; i < kind->states; i++) {
        if (!(kind->error[i] > 0.0f && kind->error[i] < KIND_PLACE_MOST))
            return kind_wrong(error, "error", i, "must be above 0 and below 1e6");
        if (!(kind->tolerance[i] > 0.0f && kind->tolerance[i] < KIND_PLACE_MOST))
            return kind_wrong(error, "tolerance", i, "must be above 0 and below 1e6");
    }
    for (int32_t j = 0; j < kind->controls; j++)
        if (!(kerb_abs(kind->control_min[j]) < KIND_NUMBER_MOST &&
              kerb_abs(kind->control_max[j]) < KIND_NUMBER_MOST &&
              kind->control_min[j] < kind->control_max[j]))
            return kind_wrong(error, "control_max", j, "must be above control_min, within 1e3");
    if (!(kind->control_share >= 0.1f && kind->control_share <= 1.0f))
        return kind_wrong(error, "control_share", -1, "must be 0.1 to 1");
    if (!(kind->step_max > 1e-4f && kind->step_max < KIND_NUMBER_MOST))
        return kind_wrong(error, "step_max", -1, "must be 1e-4 to 1e3 s");
    return KERB_OK;
}

kerb_result kerb_kind_validate(const kerb_kind* kind, kerb_error* error) {
    KERB_ASSERT(kind);
    if (kind->states < 3 || kind->states > KIND_N)
        return kind_wrong(error, "states", -1, "must be 3 to 12");
    if (kind->controls < 1 || kind->controls > KIND_M)
        return kind_wrong(error, "controls", -1, "must be 1 to 4");
    const char* missing = kind->space ? kind_missing_in_space(kind) : kind_missing_in_plane(kind);
    if (missing)
        return kerb_error_set(error, KERB_ERROR_MISSING_FIELD, missing, 0, -1,
                              "must be a function");
    return kind_validate_numbers(kind, error);
}

// --------------------------------------------------------------------------- life

size_t kerb_kind_planner_bytes(void) {
    size_t plane = (sizeof(kind_task) + 63) / 64 * 64, space = kerb_in_space_bytes();
    return plane > space ? plane : space;
}

static void kind_forget(kind_task* t) {
    t->stage = KIND_ENDED;
    t->outcome = KERB_PLAN_NO_PATH;
    t->found = t->takes = t->keeps = false;
    t->route_time = 0.0f;
    t->steps = t->attempt = t->rounds = 0;
    t->lower_bound = t->least_time = 0.0f;
}

// Ends may be nearer to obstacles than the margin of routes. So each attempt has less of it than
// the one before, the last of several none.
static float kind_margin_share(const kind_task* t, int32_t trial) {
    int32_t last = t->settings.attempts - 1;
    return last > 0 ? 1.0f - (float)trial / (float)last : 1.0f;
}

static kerb_result kind_create_routes(kerb_kind_planner* planner, const kerb_host* host,
                                      kerb_error* error) {
    const kind_task* t = planner->memory;
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = KIND_ROUTE_IMPROVEMENT;
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < t->settings.attempts && result == KERB_OK; i++) {
        kerb_plan_limits limits = t->kind.route_limits(t->kind.vehicle, i);
        limits.margin *= kind_margin_share(t, i);
        result = kerb_planner_create(&planner->routes[i], &limits, &settings, host, error);
    }
    return result;
}

kerb_result kerb_kind_planner_create(kerb_kind_planner* planner, const kerb_kind* kind,
                                     const kerb_kind_settings* settings, const kerb_host* host,
                                     kerb_error* error) {
    KERB_ASSERT(planner && kind && settings && host);
    memset(planner, 0, sizeof *planner);
    kerb_result result = kerb_kind_validate(kind, error);
    if (result == KERB_OK)
        result = kerb_settings_validate(&kerb_kind_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    size_t bytes = kerb_kind_planner_bytes();
    void* memory = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "planner", 0, -1, "out of memory");
    *planner = (kerb_kind_planner){.memory = memory,
                                   .bytes = bytes,
                                   .in_space = kind->space != NULL,
                                   .allocator = host->allocator};
    kerb_kind planned = *kind;
    for (int32_t j = 0; j < kind->controls; j++) {
        planned.control_min[j] *= kind->control_share;
        planned.control_max[j] *= kind->control_share;
    }
    if (planner->in_space) {
        kerb_in_space_init(memory, &planned, settings);
        return KERB_OK;
    }
    kind_task* t = memory;
    memset(t, 0, bytes);
    t->kind = planned;
    t->settings = *settings;
    kind_forget(t);
    result = kind_create_routes(planner, host, error);
    if (result != KERB_OK)
        kerb_kind_planner_destroy(planner);
    return result;
}

static void release_kind_world(kerb_kind_planner* planner) {
    if (planner->world_memory)
        planner->allocator.release(planner->allocator.context, planner->world_memory,
                                   planner->world_bytes);
    planner->world_memory = NULL;
    planner->world_bytes = 0;
}

void kerb_kind_planner_destroy(kerb_kind_planner* planner) {
    KERB_ASSERT(planner);
    release_kind_world(planner);
    for (int32_t i = 0; i < KERB_KIND_ATTEMPTS_MAX; i++)
        kerb_planner_destroy(&planner->routes[i]);
    if (planner->memory)
        planner->allocator.release(planner->allocator.context, planner->memory, planner->bytes);
    memset(planner, 0, sizeof *planner);
}

static kerb_result set_route_worlds(kerb_kind_planner* planner, const kerb_plan_world* world,
                                    kerb_error* error) {
    const kind_task* t = planner->memory;
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < t->settings.attempts && result == KERB_OK; i++)
        result = kerb_planner_set_world(&planner->routes[i], world, error);
    for (int32_t i = 0; i < t->settings.attempts && result != KERB_OK; i++)
        kerb_planner_set_world(&planner->routes[i], NULL, NULL);
    return result;
}

// Allocates the planner's copy of a world; NULL: there is no memory.
static void* kind_allocate_world(kerb_kind_planner* planner, size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    planner->world_memory = planner->allocator.allocate(planner->allocator.context, bytes, 64);
    if (planner->world_memory)
        planner->world_bytes = bytes;
    return planner->world_memory;
}

static kerb_result kind_no_memory(kerb_error* error) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "world", 0, -1, "out of memory");
}

static bool kind_has_ground(const kerb_plan_world* w) {
    return w->cells || w->polygon_count > 0 || w->is_free || w->box_min.x != w->box_max.x ||
           w->box_min.y != w->box_max.y;
}

static kerb_result set_space_world(kerb_kind_planner* planner, const kerb_plan_world* world,
                                   kerb_error* error) {
    kerb_in_space_forget(planner->memory);
    if (world && !world->space && kind_has_ground(world))
        return kerb_error_set(error, KERB_ERROR_MISSING_FIELD, "space", 0, -1,
                              "obstacles in the plane are none for a kind in space");
    if (!world || !world->space)
        return KERB_OK;
    kerb_result result = kerb_space_world_validate(world->space, error);
    if (result != KERB_OK)
        return result;
    void* memory = kind_allocate_world(planner, kerb_in_volume_bytes(world->space));
    if (!memory)
        return kind_no_memory(error);
    kerb_in_volume_copy(world->space, memory);
    return KERB_OK;
}

kerb_result kerb_kind_planner_set_world(kerb_kind_planner* planner, const kerb_plan_world* world,
                                        kerb_error* error) {
    KERB_ASSERT(planner && planner->memory);
    release_kind_world(planner);
    if (planner->in_space)
        return set_space_world(planner, world, error);
    kind_forget(planner->memory);
    kerb_result result = set_route_worlds(planner, world, error);
    if (result != KERB_OK || !world)
        return result;
    void* memory = kind_allocate_world(planner, kerb_in_kind_world_bytes(world));
    if (!memory) {
        set_route_worlds(planner, NULL, NULL);
        return kind_no_memory(error);
    }
    kerb_in_kind_world_copy(world, memory);
    return KERB_OK;
}

// --------------------------------------------------------------------------- a query

static kerb_result kind_check_end(const kerb_kind* kind, const float* state, const char* field,
                                  kerb_error* error) {
    for (int32_t i = 0; i < kind->states; i++) {
        float most = i < (kind->space ? 3 : 2) ? KIND_PLACE_MOST : KIND_NUMBER_MOST;
        if (!kerb_is_finite(state[i]))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, field, 0, i,
                                  "must be a finite number");
        if (!(kerb_abs(state[i]) <= most))
            return kind_wrong(error, field, i, "must be within 1e6 m, other numbers within 1e3");
    }
    return KERB_OK;
}

static void kind_end(kind_task* t, int32_t outcome) {
    t->stage = KIND_ENDED;
    t->outcome = outcome;
}

static float kind_time_of(const kind_found* plan) {
    return plan->times[plan->motion.count];
}

// The better of the plans on this route and on those before it; NULL: there is none.
static const kind_found* kind_best_of(const kind_task* t) {
    if (t->found && !(t->keeps && kind_time_of(&t->kept) <= kind_time_of(&t->best)))
        return &t->best;
    return t->keeps ? &t->kept : NULL;
}

static void kind_fail_attempt(kerb_kind_planner* planner);

// A plan cannot be shortened any more: the end, or, where it is poor, the next route.
static void kind_finish(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    const kind_found* best = kind_best_of(t);
    if (best == &t->best)
        t->kept = t->best;
    t->keeps = true;
    t->found = false;
    bool is_poor = kind_time_of(&t->kept) > KIND_POOR * t->route_time;
    if (is_poor && t->least_time <= 0.0f)
        kind_fail_attempt(planner);
    else
        kind_end(t, KERB_PLAN_FOUND);
}

static void kind_follow_again(kerb_kind_planner* planner);

// Begins the route of the next attempt that can begin one.
static void kind_begin_attempt(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    const kerb_kind* kind = &t->kind;
    while (t->attempt < t->settings.attempts) {
        kerb_plan_end start = kind->route_end(kind->vehicle, t->from, t->to, false);
        kerb_plan_end goal = kind->route_end(kind->vehicle, t->to, t->from, true);
        kerb_plan_query query = {&start, &goal, 1, 1};
        t->stage = KIND_ROUTING;
        t->rounds = 0;
        if (kerb_planner_begin(&planner->routes[t->attempt], &query, NULL) == KERB_OK)
            return;
        t->attempt++;
    }
    t->attempt = 0;
    if (t->keeps)
        kind_end(t, KERB_PLAN_FOUND);
    else
        kind_follow_again(planner);
}

static void kind_begin_following(kerb_kind_planner* planner);

// Begins with the next route that was found, kept near it while its end is led to the goal.
static void kind_follow_again(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    t->near = true;
    for (; t->attempt < t->settings.attempts; t->attempt++)
        if (kerb_planner_get_plan(&planner->routes[t->attempt]).count > 0) {
            kind_begin_following(planner);
            return;
        }
    kind_end(t, t->keeps ? KERB_PLAN_FOUND : KERB_PLAN_BUDGET_SPENT);
}

static void kind_fail_attempt(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    t->attempt++;
    if (t->near)
        kind_follow_again(planner);
    else
        kind_begin_attempt(planner);
}

kerb_result kerb_kind_planner_begin(kerb_kind_planner* planner, const float* from, const float* to,
                                    kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && from && to);
    kind_task* t = planner->memory;
    const kerb_kind* kind = kerb_in_kind_planned(planner);
    kerb_in_kind_planner_forget(planner);
    kerb_result result = kind_check_end(kind, from, "from", error);
    if (result == KERB_OK)
        result = kind_check_end(kind, to, "to", error);
    if (result != KERB_OK)
        return result;
    if (planner->in_space) {
        kerb_in_space_begin(planner->memory, from, to, planner->world_memory);
        return KERB_OK;
    }
    memcpy(t->from, from, (size_t)t->kind.states * sizeof(float));
    memcpy(t->to, to, (size_t)t->kind.states * sizeof(float));
    t->lower_bound = t->kind.bound(t->kind.vehicle, t->from, t->to);
    t->outcome = KERB_PLAN_RUNNING;
    t->near = false;
    const kerb_plan_world* world = planner->world_memory;
    kind_contact contact;
    if (world && !kerb_in_kind_is_free(&t->kind, world, t->from, -KIND_MARGIN, &contact))
        kind_end(t, KERB_PLAN_START_BLOCKED);
    else if (world && !kerb_in_kind_is_free(&t->kind, world, t->to, -KIND_MARGIN, &contact))
        kind_end(t, KERB_PLAN_GOAL_BLOCKED);
    else
        kind_begin_attempt(planner);
    return KERB_OK;
}

const kerb_kind* kerb_in_kind_planned(const kerb_kind_planner* planner) {
    const kind_task* t = planner->memory;
    return planner->in_space ? kerb_in_space_kind(planner->memory) : &t->kind;
}

int32_t kerb_in_kind_steps(const kerb_kind_planner* planner) {
    const kind_task* t = planner->memory;
    return planner->in_space ? kerb_in_space_get_plan(planner->memory).steps : t->steps;
}

void kerb_in_kind_take_time(kerb_kind_planner* planner, float time, float curvature) {
    kind_task* t = planner->memory;
    if (planner->in_space)
        kerb_in_space_take_time(planner->memory, time, curvature);
    else
        t->least_time = time;
}

void kerb_in_kind_planner_forget(kerb_kind_planner* planner) {
    if (planner->in_space)
        kerb_in_space_forget(planner->memory);
    else
        kind_forget(planner->memory);
}

// --------------------------------------------------------------------------- the guess

// A heading plus whole turns that is nearest to another.
static float kind_unwrap(float heading, float near) {
    return near + kerb_wrap_angle(heading - near);
}

static void guess_from_route(kind_task* t, const kerb_plan* route) {
    const kerb_kind* kind = &t->kind;
    kind_motion* guess = &t->motion;
    if (t->route_time <= 0.0f)
        t->route_time = route->time;
    float time = kerb_max(route->time, 1e-3f * (float)t->settings.pieces);
    time = kerb_max(time, t->lower_bound);
    float pieces = (float)t->settings.pieces, count = pieces;
    if (kind->piece_max > 0.0f)
        count = kerb_clamp(time / kind->piece_max + 1.0f, pieces, KIND_PIECES_MORE * pieces);
    count = kerb_min(count, (float)KERB_KIND_PIECES_MAX);
    guess->count = (int32_t)count;
    guess->step = time / (float)guess->count;
    float heading = t->from[2], unused[KIND_M];
    const kerb_kind_query query = {t->from, t->to, time};
    for (int32_t k = 0; k <= guess->count; k++) {
        bool is_last = k == guess->count;
        float share = (float)k / (float)guess->count;
        kerb_plan_state at = kerb_plan_at(route, route->time * share);
        at.time = time * share;
        kind->on_route(kind->vehicle, &query, &at, guess->states[k],
                       is_last ? unused : guess->controls[k]);
        heading = guess->states[k][2] = kind_unwrap(guess->states[k][2], heading);
    }
    for (int32_t k = 0; k < guess->count; k++)
        for (int32_t i = 0; i < KIND_N; i++)
            guess->middles[k][i] = 0.5f * (guess->states[k][i] + guess->states[k + 1][i]);
    memcpy(t->goal, t->to, sizeof t->goal);
    t->goal[2] = kind_unwrap(t->to[2], heading);
}

// The mean of a number over a window of rows. `stride` numbers are between the rows.
static float kind_mean(const float* numbers, int32_t stride, int32_t first, int32_t last) {
    float sum = 0.0f;
    for (int32_t k = first; k <= last; k++)
        sum += numbers[(size_t)k * (size_t)stride];
    return sum / (float)(last - first + 1);
}

// Averages what cannot jump. The window shrinks towards both ends.
static void smooth_guess(kind_task* t) {
    const kerb_kind* kind = &t->kind;
    kind_motion* guess = &t->motion;
    int32_t half = (int32_t)(0.5f * kind->smoothing / guess->step), n = guess->count;
    if (half < 1)
        return;
    for (int32_t k = 0; k < n; k++) {
        int32_t reach = half < k ? half : k;
        reach = reach < n - 1 - k ? reach : n - 1 - k;
        for (int32_t i = 3; i < kind->states; i++)
            t->next.states[k][i] = kind_mean(&guess->states[0][i], KIND_N, k - reach, k + reach);
        for (int32_t j = 0; j < kind->controls; j++)
            t->next.controls[k][j] =
                kind_mean(&guess->controls[0][j], KIND_M, k - reach, k + reach);
    }
    for (int32_t k = 0; k < n; k++) {
        memcpy(&guess->states[k][3], &t->next.states[k][3], sizeof(float) * (KIND_N - 3));
        memcpy(guess->controls[k], t->next.controls[k], sizeof guess->controls[k]);
    }
}

static void kind_begin_work(kind_task* t, kind_work work) {
    t->work = (int32_t)work;
    t->progress = (kind_progress){0, 0};
    if (work == KIND_SIMULATES || work == KIND_TRIES)
        memcpy(t->next.states[0], t->from, sizeof t->from);
}

static void kind_begin_following(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    kerb_plan plan = kerb_planner_get_plan(&planner->routes[t->attempt]);
    guess_from_route(t, &plan);
    smooth_guess(t);
    t->stage = KIND_FOLLOWING;
    t->rounds = 0;
    kind_begin_work(t, KIND_DERIVES);
}

static void kind_step_route(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    kerb_planner* route = &planner->routes[t->attempt];
    kerb_plan_outcome outcome = kerb_planner_advance(route, KIND_ROUTE_SLICE);
    t->rounds += KIND_ROUTE_SLICE;
    if (outcome == KERB_PLAN_RUNNING && t->rounds < t->settings.route_steps)
        return;
    if (kerb_planner_get_plan(route).count < 1)
        kind_fail_attempt(planner);
    else
        kind_begin_following(planner);
}

// --------------------------------------------------------------------------- to the goal

typedef enum kind_test { KIND_TESTING, KIND_MEETS, KIND_FREE } kind_test;

// Whether a state is within its room and clear of obstacles.
static bool kind_is_allowed(const kerb_kind_planner* planner, const float* state, float margin,
                            kind_contact* contact) {
    const kind_task* t = planner->memory;
    contact->box = -1;
    if (t->kind.room && !(t->kind.room(t->kind.vehicle, state) >= 0.0f))
        return false;
    return !planner->world_memory ||
           kerb_in_kind_is_free(&t->kind, planner->world_memory, state, margin, contact);
}

// A part of a motion: states at its ends and their rates.
typedef struct kind_part {
    float from[KIND_N], to[KIND_N], from_rates[KIND_N], to_rates[KIND_N];
} kind_part;

static void kind_simulate_part(const kerb_kind* kind, const float* control, float time,
                               kind_part* part) {
    kerb_in_kind_step_once(kind, part->from, control, time, part->to);
    kind->rates(kind->vehicle, part->from, control, part->from_rates);
    kind->rates(kind->vehicle, part->to, control, part->to_rates);
}

// A state within a part, by Hermite's cubic: its error is of the order of that of the simulation.
static void kind_within_part(const kerb_kind* kind, const kind_part* part, float time, float share,
                             float* state) {
    float rest = 1.0f - share, bend = share * rest;
    for (int32_t i = 0; i < kind->states; i++) {
        float chord = part->to[i] - part->from[i];
        float ahead = time * part->from_rates[i] - chord, behind = chord - time * part->to_rates[i];
        state[i] = part->from[i] + share * chord + bend * (rest * ahead + share * behind);
    }
}

// A slice of the tests of the motion's footprint and room.
static kind_test kind_test_motion(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    const kerb_kind* kind = &t->kind;
    const kind_motion* motion = &t->motion;
    if (!kind->room && !planner->world_memory)
        return KIND_FREE;
    float places = kerb_max(kind->tolerance[0], kind->tolerance[1]);
    float margin = KIND_MARGIN + KIND_MARGIN_SHARE * places, state[KIND_N];
    int32_t parts = kerb_in_kind_parts(kind, motion->step), done = 0;
    float time = motion->step / (float)parts;
    for (; t->progress.piece < motion->count; t->progress.piece++, t->progress.part = 0) {
        int32_t k = t->progress.piece;
        kind_part part = {.from = {0.0f}};
        memcpy(part.from, t->progress.part == 0 ? motion->states[k] : t->next.states[0],
               sizeof part.from);
        for (; t->progress.part < parts; t->progress.part++) {
            memcpy(t->next.states[0], part.from, sizeof part.from);
            if (done >= KIND_TESTS_SLICE)
                return KIND_TESTING;
            done += KIND_TESTS;
            kind_simulate_part(kind, motion->controls[k], time, &part);
            for (int32_t i = 1; i <= KIND_TESTS; i++) {
                kind_within_part(kind, &part, time, (float)i / (float)KIND_TESTS, state);
                kind_contact contact;
                if (!kind_is_allowed(planner, state, margin, &contact)) {
                    float share =
                        ((float)t->progress.part + (float)i / (float)KIND_TESTS) / (float)parts;
                    t->met = (kind_place){share > 0.5f ? k + 1 : k, contact.box, contact.at};
                    return KIND_MEETS;
                }
            }
            memcpy(part.from, part.to, sizeof part.from);
        }
    }
    return KIND_FREE;
}

// Takes the motion that was simulated.
static void kind_take_next(kind_task* t) {
    t->motion = t->next;
    t->gap = kerb_in_kind_gap(&t->kind, &t->motion, t->goal);
}

// Begins a cut from the best motion. Where derivatives of it are not there, they come first.
static void kind_begin_cut(kind_task* t) {
    t->stage = KIND_SHORTENING;
    t->rounds = 0;
    t->gap = KIND_FAR;
    kind_begin_work(t, KIND_DERIVES);
}

// The motion with its derivatives is the plan.
static void kind_take_motion(kind_task* t) {
    t->found = true;
    t->takes = false;
    t->best.motion = t->motion;
    t->best.attempt = t->attempt;
    memcpy(t->best.gains, t->derivatives.gains, sizeof t->best.gains);
    for (int32_t k = 0; k <= t->motion.count; k++)
        t->best.times[k] = t->motion.step * (float)k;
}

static bool kind_is_short(const kind_task* t) {
    float off = t->best.motion.step * (float)t->best.motion.count - t->least_time;
    return t->cut < t->settings.shortening || kerb_abs(off) <= KIND_PUNCTUAL * t->least_time;
}

// Change of the step by the present cut, or as far as it may be; a plan that took too little time
// is made longer.
static float kind_cut_step(const kind_task* t) {
    float least = t->least_time / (float)t->best.motion.count, step = t->best.motion.step;
    return kerb_clamp(least, step * (1.0f - t->cut), step * (1.0f + t->cut)) - step;
}

// The best motion is to be shortened by less.
static void kind_fail_cut(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    t->cut *= 0.5f;
    t->motion = t->best.motion;
    if (kind_is_short(t))
        kind_finish(planner);
    else
        kind_begin_cut(t);
}

// A motion that cannot be led to the goal, or meets an obstacle there.
static void kind_give_up(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    if (t->stage != KIND_SHORTENING) {
        kind_fail_attempt(planner);
        return;
    }
    kind_fail_cut(planner);
}

// --------------------------------------------------------------------------- work

// The controls of the best motion lead a shorter one to the goal, as far as derivatives tell, by
// the greatest cut that does; false: there is none. Steps of the motion that are tried for nothing
// cost more than all else while a plan is shortened.
static bool kind_find_cut(kind_task* t) {
    while (!kind_is_short(t)) {
        t->changes.step = kind_cut_step(t);
        const kind_asked asked = {t->goal, &t->places, &t->best.motion};
        float left = kerb_in_kind_changes(&t->kind, &t->motion, &t->derivatives, &asked, true, 0.0f,
                                          &t->changes);
        float moved = kerb_in_kind_moved(&t->kind, &t->derivatives, t->changes.step);
        if (left <= kerb_max(KIND_LEFT, KIND_LEFT * moved))
            return true;
        t->cut *= 0.5f;
    }
    return false;
}

// Changes that lead the motion to the goal; false: as far as derivatives tell, none do.
static bool kind_find_changes(kind_task* t) {
    bool shortens = t->stage == KIND_SHORTENING;
    float feedback = shortens ? 0.0f : t->near ? 1.0f : t->kind.closing_feedback;
    t->changes.step = 0.0f;
    const kind_asked asked = {t->goal, shortens ? &t->places : NULL, &t->best.motion};
    float left = kerb_in_kind_changes(&t->kind, &t->motion, &t->derivatives, &asked, shortens,
                                      feedback, &t->changes);
    return !shortens || left <= KIND_LEFT * t->gap;
}

// Derivatives of the motion, and in a round of Gauss-Newton the changes that lead to the goal. The
// first round of a cut leads the best motion there with a shorter step at once.
static void step_deriving(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    bool shortens = t->stage == KIND_SHORTENING, follows = t->stage == KIND_FOLLOWING;
    if (shortens && !t->takes)
        kerb_in_kind_derive_pieces(&t->kind, &t->motion, &t->derivatives);
    else
        kerb_in_kind_derive(&t->kind, &t->motion, &t->derivatives);
    if (t->takes)
        kind_take_motion(t);
    t->share = 0;
    if (shortens && t->gap == KIND_FAR) {
        if (!kind_find_cut(t)) {
            kind_finish(planner);
            return;
        }
    } else if (!follows && !kind_find_changes(t)) {
        kind_fail_cut(planner);
        return;
    }
    kind_begin_work(t, follows ? KIND_SIMULATES : KIND_TRIES);
}

static void step_simulating(kind_task* t) {
    if (!kerb_in_kind_simulate(&t->kind, &t->motion, &t->derivatives, NULL, 0.0f, KIND_SLICE,
                               &t->progress, &t->next))
        return;
    kind_take_next(t);
    bool follows = t->stage == KIND_FOLLOWING && ++t->rounds < KIND_TRACKING;
    if (t->stage == KIND_FOLLOWING && !follows) {
        t->stage = KIND_CLOSING;
        t->rounds = 0;
    }
    kind_begin_work(t, follows ? KIND_DERIVES : KIND_JUDGES);
}

// Changes that are too great are halved. A motion that has stalled gets more time, with the same
// controls.
static void step_trying(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    float share = 1.0f / (float)(1 << t->share);
    if (!kerb_in_kind_simulate(&t->kind, &t->motion, &t->derivatives, &t->changes, share,
                               KIND_SLICE, &t->progress, &t->next))
        return;
    int32_t most = t->stage == KIND_SHORTENING ? KIND_HALVINGS_SHORTER : KIND_HALVINGS;
    float gap = kerb_in_kind_gap(&t->kind, &t->next, t->goal);
    if (gap < t->gap * (1.0f - (1.0f - KIND_PROGRESS) * share)) {
        kind_take_next(t);
        kind_begin_work(t, KIND_JUDGES);
    } else if (++t->share < most) {
        kind_begin_work(t, KIND_TRIES);
    } else if (t->stage == KIND_CLOSING && t->rounds < KIND_ROUNDS) {
        t->motion.step *= KIND_RELAXED;
        kind_begin_work(t, KIND_SIMULATES);
    } else {
        kind_give_up(planner);
    }
}

// A cut has met an obstacle: the same cut is tried again with the place kept where the best motion
// passes the obstacle. False: it is kept already.
static bool kind_keep_place(kind_task* t) {
    kind_places* p = &t->places;
    kind_place place = t->met;
    int32_t last = t->best.motion.count - 1;
    place.joint = place.joint < 1 ? 1 : place.joint > last ? last : place.joint;
    if (p->count >= KIND_PLACES_MAX)
        return false;
    for (int32_t i = 0; i < p->count; i++)
        if (p->places[i].joint == place.joint && (p->places[i].box < 0) == (place.box < 0))
            return false;
    p->places[p->count++] = place;
    return true;
}

static void step_judging(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    bool shortens = t->stage == KIND_SHORTENING;
    if (t->gap > 1.0f) {
        if (t->rounds++ < (shortens ? KIND_ROUNDS_SHORTER : KIND_ROUNDS))
            kind_begin_work(t, KIND_DERIVES);
        else
            kind_give_up(planner);
        return;
    }
    kind_test test = kind_test_motion(planner);
    if (test == KIND_TESTING)
        return;
    if (test == KIND_MEETS) {
        if (shortens && kind_keep_place(t)) {
            t->motion = t->best.motion;
            kind_begin_cut(t);
        } else {
            kind_give_up(planner);
        }
        return;
    }
    if (!shortens) {
        t->cut = KIND_FIRST_CUT;
        t->places.count = 0;
    }
    t->takes = true;
    kind_begin_cut(t);
}

static void kind_planner_step(kerb_kind_planner* planner) {
    kind_task* t = planner->memory;
    t->steps++;
    if (t->stage == KIND_ROUTING)
        kind_step_route(planner);
    else if (t->work == KIND_DERIVES)
        step_deriving(planner);
    else if (t->work == KIND_SIMULATES)
        step_simulating(t);
    else if (t->work == KIND_TRIES)
        step_trying(planner);
    else
        step_judging(planner);
}

kerb_plan_outcome kerb_kind_planner_advance(kerb_kind_planner* planner, int32_t steps) {
    KERB_ASSERT(planner && planner->memory && steps >= 0);
    if (planner->in_space)
        return kerb_in_space_advance(planner->memory, planner->world_memory, steps);
    kind_task* t = planner->memory;
    for (int32_t i = 0; i < steps && t->stage != KIND_ENDED; i++)
        kind_planner_step(planner);
    return (kerb_plan_outcome)t->outcome;
}

// --------------------------------------------------------------------------- plans

kerb_kind_plan kerb_kind_planner_get_plan(const kerb_kind_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    if (planner->in_space)
        return kerb_in_space_get_plan(planner->memory);
    const kind_task* t = planner->memory;
    const kind_found* best = kind_best_of(t);
    kerb_kind_plan plan = {.lower_bound = t->lower_bound, .steps = t->steps, .attempt = t->attempt};
    if (!best)
        return plan;
    plan.states = best->motion.states[0];
    plan.controls = best->motion.controls[0];
    plan.gains = best->gains[0][0];
    plan.count = best->motion.count;
    plan.times = best->times;
    plan.time = kind_time_of(best);
    plan.attempt = best->attempt;
    for (int32_t k = 0; k < plan.count; k++) {
        const float *a = best->motion.states[k], *b = best->motion.states[k + 1];
        plan.length += kerb_vec2_length(kerb_vec2_make(b[0] - a[0], b[1] - a[1]));
    }
    return plan;
}

int32_t kerb_kind_plan_piece(const kerb_kind_plan* plan, float time) {
    KERB_ASSERT(plan && plan->count > 0);
    int32_t low = 0, high = plan->count - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (plan->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void kerb_kind_plan_at(const kerb_kind* kind, const kerb_kind_plan* plan, float time, float* state,
                       float* control) {
    KERB_ASSERT(kind && plan && plan->count > 0 && state && control);
    int32_t k = kerb_kind_plan_piece(plan, time);
    float rest = kerb_clamp(time - plan->times[k], 0.0f, plan->times[k + 1] - plan->times[k]);
    const float* from = plan->states + (size_t)k * KERB_KIND_STATES_MAX;
    memcpy(control, plan->controls + (size_t)k * KERB_KIND_CONTROLS_MAX,
           sizeof(float) * KERB_KIND_CONTROLS_MAX);
    kerb_in_kind_step(kind, from, control, rest, state);
}
