// What tests of kinds of vehicles stand on: random ends, and a planner that runs to its end.
#ifndef TEST_KIND_RIG_H
#define TEST_KIND_RIG_H

#include "kerb/plan_kind.h"
#include "test/seed.h"

#include <string.h>

/// Two states of a kind.
typedef struct kind_ends {
    float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
} kind_ends;

static inline void kind_rig_place(kerb_random* random, float radius, float* state) {
    float bearing = kerb_random_between(random, -KERB_PI, KERB_PI);
    float distance = kerb_random_between(random, 0.0f, radius);
    memset(state, 0, sizeof(float) * KERB_KIND_STATES_MAX);
    state[0] = distance * kerb_cos(bearing);
    state[1] = distance * kerb_sin(bearing);
    state[2] = kerb_random_between(random, -KERB_PI, KERB_PI);
}

/// A planner with default settings, which must be possible. The caller destroys it.
static inline kerb_kind_planner kind_rig_planner(const kerb_kind* kind) {
    const kerb_host host = kerb_host_default();
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_kind_planner planner;
    kerb_error error;
    if (kerb_kind_planner_create(&planner, kind, &settings, &host, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
    return planner;
}

static inline kerb_plan_outcome kind_rig_run(kerb_kind_planner* planner, const kind_ends* ends) {
    assert_int_equal(kerb_kind_planner_begin(planner, ends->from, ends->to, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_kind_planner_advance(planner, 1000);
    return outcome;
}

#endif
