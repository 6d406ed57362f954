// Hashes of the planner: lower bounds, and movements with all their pieces.
#include "golden.h"

// Vehicles of all sorts; every other may reverse.
static kerb_plan_limits some_limits(kerb_random* random, int i) {
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = kerb_random_between(random, 0.5f, 10.0f);
    limits.speed_max = kerb_random_between(random, 2.0f, 40.0f);
    limits.reverse_speed_max = i % 2 == 0 ? kerb_random_between(random, 1.0f, 8.0f) : 0.0f;
    limits.acceleration = kerb_random_between(random, 0.5f, 9.0f);
    limits.braking = kerb_random_between(random, 0.5f, 9.0f);
    limits.lateral_acceleration = kerb_random_between(random, 1.0f, 20.0f);
    limits.yaw_rate_max = kerb_random_between(random, 0.3f, 5.0f);
    return limits;
}

static kerb_plan_end some_end(kerb_random* random, const kerb_plan_limits* limits) {
    float most = 6.0f * limits->turning_radius;
    float x = kerb_random_between(random, -most, most),
          y = kerb_random_between(random, -most, most);
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    float speed = kerb_random_between(random, -limits->reverse_speed_max, limits->speed_max);
    return kerb_plan_end_make(x, y, heading, speed);
}

uint64_t plan_bounds(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(21, 1);
    for (int i = 0; i < 4000; i++) {
        kerb_plan_limits limits = some_limits(&random, i);
        kerb_plan_end from = some_end(&random, &limits), to = some_end(&random, &limits);
        kerb_plan_bound_settings settings = {.heuristic = i % KERB_PLAN_HEURISTIC_COUNT,
                                             .overshoot = i % KERB_PLAN_OVERSHOOT_COUNT};
        golden_add_float(&hash, kerb_plan_bound(&limits, &settings, &from, &to));
        settings.position_tolerance = 1.0f;
        settings.speed_tolerance = 0.5f;
        golden_add_float(&hash, kerb_plan_bound(&limits, &settings, &from, &to));
    }
    return hash.value;
}

static void add_plan(golden_hash* hash, const kerb_plan* plan) {
    golden_add_int(hash, plan->count);
    golden_add_float(hash, plan->cost);
    golden_add_float(hash, plan->length);
    for (int32_t i = 0; i < plan->count; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        golden_add_float(hash, p->start.position.x);
        golden_add_float(hash, p->start.position.y);
        golden_add_float(hash, p->start.forward.x);
        golden_add_float(hash, p->start.forward.y);
        golden_add_float(hash, p->time);
        golden_add_float(hash, p->duration);
        golden_add_float(hash, p->speed);
        golden_add_float(hash, p->acceleration);
        golden_add_float(hash, p->curvature);
        golden_add_int(hash, p->travel);
    }
    for (float t = 0.0f; t < plan->time; t += 0.25f)
        golden_add_float(hash, kerb_plan_at(plan, t).pose.position.x);
}

uint64_t plan_movements(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(21, 2);
    const kerb_host host = kerb_host_default();
    for (int i = 0; i < 60; i++) {
        kerb_plan_limits limits = some_limits(&random, i);
        const kerb_plan_end starts[2] = {some_end(&random, &limits), some_end(&random, &limits)};
        const kerb_plan_end goals[2] = {some_end(&random, &limits), some_end(&random, &limits)};
        const kerb_planner_settings settings = {.improvement = i % 3 == 0 ? 0 : 600, .seed = i};
        const kerb_plan_query query = {starts, goals, 1 + i % 2, 1 + i / 2 % 2};
        kerb_planner planner;
        golden_require(kerb_planner_create(&planner, &limits, &settings, &host, NULL) == KERB_OK &&
                           kerb_planner_begin(&planner, &query, NULL) == KERB_OK,
                       "beginning a plan");
        golden_add_int(&hash, (int32_t)kerb_planner_advance(&planner, 10000));
        kerb_plan plan = kerb_planner_plan(&planner);
        golden_require(plan.count > 0, "planning");
        add_plan(&hash, &plan);
        kerb_planner_destroy(&planner);
    }
    return hash.value;
}
