// What several tests of the planner stand on: random queries and a planner that runs to its end.
#ifndef TEST_PLAN_RIG_H
#define TEST_PLAN_RIG_H

#include "kerb/plan.h"
#include "test/seed.h"

/// A vehicle and where it is to go.
typedef struct plan_rig {
    kerb_plan_limits limits;
    kerb_plan_end from, to;
} plan_rig;

static inline kerb_plan_query plan_rig_query(const plan_rig* rig) {
    kerb_plan_query query = {&rig->from, &rig->to, 1, 1};
    return query;
}

static inline void plan_rig_poses(plan_rig* rig, kerb_random* random) {
    float distance = kerb_random_between(random, 0.0f, 8.0f * rig->limits.turning_radius);
    float bearing = kerb_random_between(random, -KERB_PI, KERB_PI);
    rig->from.pose = kerb_pose_make(0.0f, 0.0f, kerb_random_between(random, -KERB_PI, KERB_PI));
    rig->to.pose = kerb_pose_make(distance * kerb_cos(bearing), distance * kerb_sin(bearing),
                                  kerb_random_between(random, -KERB_PI, KERB_PI));
}

/// A random goal of the AIPATH thesis (5.1).
static inline plan_rig plan_rig_thesis(kerb_random* random) {
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.turning_radius = kerb_random_between(random, 5.0f, 8.0f);
    rig.limits.lateral_acceleration = kerb_random_between(random, 10.0f, 20.0f);
    plan_rig_poses(&rig, random);
    rig.from.speed = kerb_random_between(random, 0.0f, rig.limits.speed_max);
    rig.to.speed = kerb_random_between(random, 0.0f, rig.limits.speed_max);
    return rig;
}

/// Vehicles of all sorts, from a wheelchair to a racing car on ice; `reverse`: they may, and ends
/// may be driven in reverse.
static inline plan_rig plan_rig_wild(kerb_random* random, bool reverse) {
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    kerb_plan_limits* l = &rig.limits;
    l->turning_radius = kerb_random_between(random, 0.3f, 12.0f);
    l->speed_max = kerb_random_between(random, 1.0f, 60.0f);
    l->acceleration = kerb_random_between(random, 0.3f, 10.0f);
    l->braking = kerb_random_between(random, 0.3f, 12.0f);
    l->lateral_acceleration = kerb_random_between(random, 0.5f, 20.0f);
    l->yaw_rate_max = kerb_random_between(random, 0.2f, 5.0f);
    l->reverse_speed_max = reverse ? kerb_random_between(random, 0.5f, 10.0f) : 0.0f;
    l->reverse_acceleration = kerb_random_between(random, 0.3f, 10.0f);
    l->reverse_braking = kerb_random_between(random, 0.3f, 12.0f);
    plan_rig_poses(&rig, random);
    rig.from.speed = kerb_random_between(random, -l->reverse_speed_max, l->speed_max);
    rig.to.speed = kerb_random_between(random, -l->reverse_speed_max, l->speed_max);
    return rig;
}

/// Creates a planner and runs it to its end. The caller destroys it.
static inline kerb_plan_outcome plan_rig_run(kerb_planner* planner, const plan_rig* rig,
                                             int32_t improvement) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = improvement;
    assert_int_equal(kerb_planner_create(planner, &rig->limits, &settings, &host, NULL), KERB_OK);
    kerb_plan_query query = plan_rig_query(rig);
    assert_int_equal(kerb_planner_begin(planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(planner, 1000000);
    return outcome;
}

#endif
