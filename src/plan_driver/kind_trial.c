// Purpose: tries a kind of vehicle: plans to random places, each checked against what kerb_kind
//          promises.
// Idea:    The checker shares no code with the planner, and a planner that is asked step by step
//          gives the same bits only if all functions of the kind are pure.
// Cost:    O(queries · twice a plan).
#include "kerb/kind_trial.h"

#include "../base/shared.h"

#include <string.h>

// Steps of the planner in one call, where it does many.
#define TRIAL_STEPS 1000
// A plan may take less than the bound by what rounding does. [1]
#define TRIAL_ROUNDING 1e-4f
// Places at which the rates are asked for again. [m]
static const float trial_places[3] = {0.0f, 17.0f, -450.0f};
// A drive is given up after so many times the time of its plan and so much more. [1], [s]
#define TRIAL_PATIENCE 2.0f
#define TRIAL_PATIENCE_MORE 60.0f
// Numbers that kerb_motion does not tell, at most.
#define TRIAL_TOLD 4

typedef struct trial_ends {
    float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
} trial_ends;

static kerb_result trial_broken(kerb_error* error, const char* field, int32_t index,
                                const char* message) {
    return kerb_error_set(error, KERB_ERROR_CONTRADICTION, field, 0, index, message);
}

static trial_ends trial_draw(const kerb_kind_trial* t, kerb_random* random) {
    trial_ends ends;
    memset(&ends, 0, sizeof ends);
    t->ends(t->kind, random, ends.from, ends.to);
    return ends;
}

static kerb_plan_outcome trial_run(kerb_kind_planner* planner, const trial_ends* ends,
                                   int32_t steps) {
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    if (kerb_kind_planner_begin(planner, ends->from, ends->to, NULL) != KERB_OK)
        return KERB_PLAN_IMPOSSIBLE;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_kind_planner_advance(planner, steps);
    return outcome;
}

// --------------------------------------------------------------------------- promises

static kerb_result try_bad_ends(const kerb_kind* kind, kerb_kind_planner* planner, trial_ends ends,
                                kerb_error* error) {
    for (int32_t i = 0; i < kind->states; i++) {
        const float bad[3] = {1e30f, -2e6f, 2e6f};
        float kept = ends.from[i];
        for (int32_t b = 0; b < 3; b++) {
            ends.from[i] = bad[b];
            if (kerb_kind_planner_begin(planner, ends.from, ends.to, NULL) == KERB_OK)
                return trial_broken(error, "from", i, "must be refused when out of range");
        }
        ends.from[i] = kept;
    }
    return KERB_OK;
}

// Rates at a state with the position moved, under controls in the middle of their ranges.
static void trial_rates(const kerb_kind* kind, const float* at, float moved, float* rates) {
    float state[KERB_KIND_STATES_MAX], control[KERB_KIND_CONTROLS_MAX] = {0.0f};
    memcpy(state, at, sizeof state);
    for (int32_t i = 0; i < (kind->space ? 3 : 2); i++)
        state[i] += moved;
    for (int32_t j = 0; j < kind->controls; j++)
        control[j] = 0.75f * kind->control_max[j] + 0.25f * kind->control_min[j];
    memset(rates, 0, sizeof(float) * KERB_KIND_STATES_MAX);
    kind->rates(kind->vehicle, state, control, rates);
}

static kerb_result try_rates(const kerb_kind* kind, const float* state, kerb_error* error) {
    float rates[KERB_KIND_STATES_MAX], again[KERB_KIND_STATES_MAX];
    trial_rates(kind, state, 0.0f, rates);
    for (int32_t p = 0; p < 3; p++) {
        trial_rates(kind, state, trial_places[p], again);
        for (int32_t i = 0; i < kind->states; i++)
            if (!(rates[i] == again[i]))
                return trial_broken(error, "rates", i,
                                    "must be finite and the same again and at other places");
    }
    return KERB_OK;
}

// Numbers of a row behind those of the kind say nothing.
static bool trial_rows_equal(const float* a, const float* b, int32_t rows, size_t stride,
                             int32_t count) {
    for (size_t i = 0; i < (size_t)rows; i++)
        if (memcmp(a + i * stride, b + i * stride, (size_t)count * sizeof(float)) != 0)
            return false;
    return true;
}

static bool trial_equal(const kerb_kind* kind, const kerb_kind_plan* a, const kerb_kind_plan* b) {
    int32_t rows = a->count, states = kind->states, controls = kind->controls;
    return rows == b->count && trial_rows_equal(a->times, b->times, rows + 1, 1, 1) &&
           trial_rows_equal(a->states, b->states, rows + 1, KERB_KIND_STATES_MAX, states) &&
           trial_rows_equal(a->controls, b->controls, rows, KERB_KIND_CONTROLS_MAX, controls);
}

// --------------------------------------------------------------------------- driving

static void trial_drive(const kerb_kind_trial* t, const kerb_kind_plan* plan,
                        kerb_kind_findings* f) {
    const kerb_kind* kind = t->kind;
    kerb_kind_driver driver = kerb_kind_driver_make(kind);
    float time = 0.0f, patience = TRIAL_PATIENCE * plan->time + TRIAL_PATIENCE_MORE;
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    t->place(t->body, plan->states);
    while (time < patience) {
        float told[TRIAL_TOLD] = {0.0f};
        kerb_motion motion = t->motion(t->body, told);
        controls = kerb_kind_driver_drive(&driver, plan, &motion, told, t->time_step);
        if (controls.reason == KERB_REASON_ARRIVED || controls.reason == KERB_REASON_GIVEN_UP)
            break;
        t->step(t->body, &controls, t->time_step);
        time += t->time_step;
    }
    if (controls.reason != KERB_REASON_ARRIVED)
        return;
    const float *goal = plan->states + (size_t)plan->count * KERB_KIND_STATES_MAX,
                *state = driver.decision.state;
    kerb_vec3 off = {state[0] - goal[0], state[1] - goal[1],
                     kind->space ? state[2] - goal[2] : 0.0f};
    float error = kerb_vec3_length(off);
    f->arrived++;
    f->late += plan->time > 0.0f ? time / plan->time : 1.0f;
    f->error += error;
    f->error_most = kerb_max(f->error_most, error);
}

// --------------------------------------------------------------------------- a query

static kerb_result try_query(const kerb_kind_trial* t, const trial_ends* ends,
                             kerb_kind_planner* planner, kerb_kind_planner* slow,
                             kerb_kind_findings* f, kerb_error* error) {
    const kerb_kind* kind = t->kind;
    kerb_result result = try_rates(kind, ends->from, error);
    if (result != KERB_OK)
        return result;
    kerb_plan_outcome outcome = trial_run(planner, ends, TRIAL_STEPS);
    if (outcome == KERB_PLAN_START_BLOCKED || outcome == KERB_PLAN_GOAL_BLOCKED)
        return KERB_OK;
    f->asked++;
    if (trial_run(slow, ends, 1) != outcome)
        return trial_broken(error, "steps", -1, "outcome must not depend on the slices");
    if (outcome != KERB_PLAN_FOUND)
        return KERB_OK;
    kerb_kind_plan plan = kerb_kind_planner_get_plan(planner);
    kerb_kind_plan other = kerb_kind_planner_get_plan(slow);
    result = kerb_kind_check(kind, ends->from, ends->to, t->world, &plan, error);
    if (result != KERB_OK)
        return result;
    float bound = kind->bound(kind->vehicle, ends->from, ends->to);
    if (!(bound >= 0.0f && bound <= plan.time * (1.0f + TRIAL_ROUNDING)))
        return trial_broken(error, "bound", -1, "must be at most the time of a plan that is valid");
    if (!trial_equal(kind, &plan, &other))
        return trial_broken(error, "steps", -1, "plan must not depend on the slices");
    f->found++;
    f->time += plan.time;
    f->bound += bound;
    if (t->step)
        trial_drive(t, &plan, f);
    return KERB_OK;
}

static kerb_result try_queries(const kerb_kind_trial* t, kerb_kind_planner* planner,
                               kerb_kind_planner* slow, kerb_kind_findings* f, kerb_error* error) {
    kerb_random random = kerb_random_make(t->seed, 41);
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < t->queries && result == KERB_OK; i++) {
        trial_ends ends = trial_draw(t, &random);
        if (i == 0)
            result = try_bad_ends(t->kind, planner, ends, error);
        if (result == KERB_OK)
            result = try_query(t, &ends, planner, slow, f, error);
        f->query = result == KERB_OK ? -1 : i;
    }
    float found = kerb_max((float)f->found, 1.0f), arrived = kerb_max((float)f->arrived, 1.0f);
    f->time /= found;
    f->bound /= found;
    f->late /= arrived;
    f->error /= arrived;
    return result;
}

kerb_result kerb_kind_try(const kerb_kind_trial* t, const kerb_host* host,
                          kerb_kind_findings* findings, kerb_error* error) {
    KERB_ASSERT(t && t->kind && t->ends && t->queries > 0 && host && findings);
    KERB_ASSERT(!t->step || (t->place && t->motion));
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_kind_planner planner, slow;
    *findings = (kerb_kind_findings){.query = -1};
    memset(&slow, 0, sizeof slow);
    kerb_result result = kerb_kind_planner_create(&planner, t->kind, &settings, host, error);
    if (result == KERB_OK)
        result = kerb_kind_planner_create(&slow, t->kind, &settings, host, error);
    if (result == KERB_OK && t->world)
        result = kerb_kind_planner_set_world(&planner, t->world, error);
    if (result == KERB_OK && t->world)
        result = kerb_kind_planner_set_world(&slow, t->world, error);
    if (result == KERB_OK)
        result = try_queries(t, &planner, &slow, findings, error);
    kerb_kind_planner_destroy(&planner);
    kerb_kind_planner_destroy(&slow);
    return result;
}
