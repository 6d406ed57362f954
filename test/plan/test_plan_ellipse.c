// Limits along and sideways that share the grip: a friction ellipse.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>

static kerb_plan solve(kerb_planner* planner, const plan_rig* rig, int32_t improvement,
                       const kerb_plan_mover* movers, int32_t count) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = improvement;
    settings.expansions = 20000;
    settings.nodes = 8192;
    const kerb_plan_query query = plan_rig_query(rig);
    assert_int_equal(kerb_planner_create(planner, &rig->limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_movers(planner, movers, count, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(planner, &query, NULL), KERB_OK);
    while (kerb_planner_advance(planner, 10000) == KERB_PLAN_RUNNING)
        continue;
    return kerb_planner_get_plan(planner);
}

// Greatest of (along / grip)² + (sideways / lateral)² over a plan, from its states.
static double fullest(const kerb_plan_limits* l, const kerb_plan* plan) {
    double most = 0.0;
    for (int32_t i = 0; i < plan->count; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        for (int32_t k = 0; k <= 8; k++) {
            double t = (double)p->duration * k / 8.0;
            double v = (double)p->speed + (double)p->acceleration * t;
            double along =
                p->length > 0.0f ? (double)p->acceleration / (double)l->longitudinal_grip : 0.0;
            double aside = v * v * (double)p->curvature / (double)l->lateral_acceleration;
            most = fmax(most, along * along + aside * aside);
        }
    }
    return most;
}

static plan_rig random_rig(kerb_random* random, int32_t trial) {
    plan_rig rig = plan_rig_thesis(random);
    rig.limits.lateral_acceleration = kerb_random_between(random, 3, 10);
    rig.limits.acceleration = kerb_random_between(random, 1, 4);
    rig.limits.longitudinal_grip = kerb_random_between(random, 3, 12);
    rig.limits.reverse_speed_max = trial % 3 == 0 ? 4.0f : 0.0f;
    rig.limits.steering_time = trial % 2 == 0 ? 0.5f : 0.0f;
    rig.from.speed *= 0.6f;
    rig.to.speed *= 0.6f;
    return rig;
}

static void plans_keep_to_the_ellipse_and_the_bound_holds(void** state) {
    (void)state;
    kerb_random random = test_random("plan_ellipse");
    int32_t found = 0, count = test_share(150, 20), slower = 0;
    for (int32_t trial = 0; trial < count; trial++) {
        plan_rig rig = random_rig(&random, trial);
        kerb_planner planner;
        kerb_plan plan = solve(&planner, &rig, 1000, NULL, 0);
        const kerb_plan_query query = plan_rig_query(&rig);
        kerb_error error;
        if (plan.count == 0) {
            kerb_planner_destroy(&planner);
            continue;
        }
        found++;
        if (kerb_plan_check(&rig.limits, &query, NULL, &plan, &error) != KERB_OK)
            fail_msg("trial %d: %s %s, piece %d", (int)trial, error.field, error.message,
                     (int)error.index);
        assert_true(fullest(&rig.limits, &plan) <= 1.003);
        assert_true(plan.lower_bound <= plan.time * 1.00001f);
        // No bound from one of its states to a later one is above the time between them.
        const kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_ADMISSIBLE};
        for (float t = 0.0f; t < plan.time; t += 0.37f) {
            kerb_plan_state a = kerb_plan_at(&plan, t), b = kerb_plan_at(&plan, plan.time);
            kerb_plan_end from = {.pose = a.pose, .speed = a.speed};
            kerb_plan_end to = {.pose = b.pose, .speed = b.speed};
            assert_true(kerb_plan_bound(&rig.limits, &settings, &from, &to) <=
                        (plan.time - t) * 1.0001f + 1e-3f);
        }
        // Without the ellipse there is more, not less.
        float time = plan.time;
        kerb_planner_destroy(&planner);
        rig.limits.longitudinal_grip = 0.0f;
        plan = solve(&planner, &rig, 1000, NULL, 0);
        slower += time > plan.time * 0.99f;
        kerb_planner_destroy(&planner);
    }
    print_message("%d of %d found\n", (int)found, (int)count);
    assert_true(found > count * 9 / 10 && slower >= found * 9 / 10);
}

static void plans_among_movers_keep_to_the_ellipse(void** state) {
    (void)state;
    kerb_random random = test_random("plan_ellipse_movers");
    int32_t found = 0, count = test_share(25, 4);
    for (int32_t trial = 0; trial < count; trial++) {
        plan_rig rig = random_rig(&random, 3 * trial + 1);
        rig.from = kerb_plan_end_make(0, 0, 0, 5);
        rig.to = kerb_plan_end_make(50, kerb_random_between(&random, -10, 10), 0, 0);
        const kerb_plan_mover mover = {
            .pose = kerb_pose_make(kerb_random_between(&random, 15, 35), -8, 1.57f),
            .velocity = {0, kerb_random_between(&random, 0, 4)},
            .length = 5,
            .width = 2};
        kerb_planner planner;
        kerb_plan plan = solve(&planner, &rig, 300, &mover, 1);
        const kerb_plan_query query = plan_rig_query(&rig);
        kerb_error error;
        found += plan.count > 0;
        if (plan.count > 0 &&
            (kerb_plan_check(&rig.limits, &query, NULL, &plan, &error) != KERB_OK ||
             kerb_plan_check_movers(&rig.limits, &mover, 1, &plan, &error) != KERB_OK))
            fail_msg("trial %d: %s %s, piece %d, method %d", (int)trial, error.field, error.message,
                     (int)error.index, (int)plan.method);
        kerb_planner_destroy(&planner);
    }
    assert_true(found > count / 2);
}

// From a searched plan, states and actions of the search with speed included.
static void the_search_with_speed_keeps_to_the_ellipse(void** state) {
    (void)state;
    kerb_random random = test_random("plan_ellipse_search");
    const kerb_host host = kerb_host_default();
    int32_t found = 0, count = test_share(12, 3);
    for (int32_t trial = 0; trial < count; trial++) {
        plan_rig rig = random_rig(&random, 3 * trial + 1);
        kerb_plan_search_settings settings = kerb_plan_search_settings_default();
        settings.expansions = 3000;
        settings.nodes = 40000;
        kerb_plan_search search;
        const kerb_plan_query query = plan_rig_query(&rig);
        assert_int_equal(kerb_plan_search_create(&search, &rig.limits, &settings, &host, NULL),
                         KERB_OK);
        assert_int_equal(kerb_plan_search_begin(&search, &query, NULL), KERB_OK);
        kerb_plan_search_advance(&search, 4000);
        kerb_plan plan = kerb_plan_search_get_plan(&search);
        kerb_error error;
        found += plan.count > 0;
        if (plan.count > 0 && kerb_plan_check(&rig.limits, &query, NULL, &plan, &error) != KERB_OK)
            fail_msg("trial %d: %s %s, piece %d", (int)trial, error.field, error.message,
                     (int)error.index);
        kerb_plan_search_destroy(&search);
    }
    assert_true(found > count / 2);
}

// A quarter of a circle of 10 m, gaining speed, at the sideways limit's half and more.
static void the_checker_refuses_what_leaves_the_ellipse(void** state) {
    (void)state;
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.lateral_acceleration = 5;
    limits.longitudinal_grip = 2;
    for (int32_t i = 0; i < 2; i++) {
        // Sideways 3.2 to 4.1 of 5 m/s²; along 1 or 1.4 of 2 m/s².
        float along = i == 0 ? 1.0f : 1.4f, speed = sqrtf(32), time = 0.5f;
        float length = (speed + 0.5f * along * time) * time;
        const kerb_plan_piece piece = {.start = kerb_pose_make(0, 0, 0),
                                       .duration = time,
                                       .length = length,
                                       .speed = speed,
                                       .acceleration = along,
                                       .curvature = 0.1f,
                                       .direction = 1};
        kerb_plan plan = {.pieces = &piece, .count = 1, .time = time, .length = length};
        plan.cost = time;
        const kerb_plan_state end = kerb_plan_at(&plan, time);
        const kerb_plan_end from = {.pose = piece.start, .speed = speed};
        const kerb_plan_end to = {.pose = end.pose, .speed = end.speed};
        const kerb_plan_query query = {&from, &to, 1, 1};
        kerb_error error;
        assert_int_equal(kerb_plan_check(&limits, &query, NULL, &plan, &error),
                         i == 0 ? KERB_OK : KERB_ERROR_OUT_OF_RANGE);
        assert_true(i == 0 || error.field[1] == 'o'); // longitudinal_grip
        limits.longitudinal_grip = i == 0 ? 2.0f : 0.0f;
    }
}

static void limits_to_drive_have_an_ellipse_where_tyres_need_one(void** state) {
    (void)state;
    const kerb_vehicle car = kerb_vehicle_default();
    const kerb_plan_limits gentle = kerb_plan_limits_to_drive(&car, 0.3f);
    const kerb_plan_limits brisk = kerb_plan_limits_to_drive(&car, 0.8f);
    assert_true(gentle.longitudinal_grip == 0.0f);
    assert_float_equal(gentle.lateral_acceleration, 0.3f * car.lateral_acceleration_max, 1e-4f);
    assert_float_equal(brisk.longitudinal_grip, 0.6f * car.braking_max, 1e-4f);
    assert_float_equal(brisk.lateral_acceleration, 0.6f * car.lateral_acceleration_max, 1e-4f);
    // Half of the lateral acceleration: perhaps what the tyres of one axle hold.
    assert_float_equal(brisk.acceleration, 0.52f * car.acceleration_max, 1e-4f);
    kerb_vehicle weak = car;
    weak.acceleration_max = 0.4f * car.lateral_acceleration_max;
    kerb_plan_limits slow = kerb_plan_limits_to_drive(&weak, 0.8f);
    assert_float_equal(slow.acceleration, 0.68f * weak.acceleration_max, 1e-4f);
}

// A control that acts late cannot correct what happens in the meantime.
static void late_controls_and_long_frames_leave_more(void** state) {
    (void)state;
    kerb_vehicle prompt = kerb_vehicle_default(), late = prompt;
    prompt.throttle_delay = prompt.steering_delay = 0.1f;
    late.throttle_delay = late.steering_delay = 0.3f;
    for (int i = 0; i < 2; i++) {
        float share = i == 0 ? 0.8f : 0.4f; // at 0.4 there is enough left already
        kerb_plan_limits usual = kerb_plan_limits_to_drive(&prompt, share);
        kerb_plan_limits same = kerb_plan_limits_to_drive_in_frames(&prompt, share, 1.0f / 60.0f);
        assert_memory_equal(&usual, &same, sizeof usual);
        const kerb_plan_limits more[2] = {
            kerb_plan_limits_to_drive(&late, share),
            kerb_plan_limits_to_drive_in_frames(&prompt, share, 1.0f / 60.0f + 0.1f)};
        for (int k = 0; k < 2; k++) { // 0.2 s either way
            float left = i == 0 ? 1.0f / 1.2f : 1.0f;
            assert_float_equal(more[k].braking, left * usual.braking, 1e-4f);
            assert_float_equal(more[k].acceleration, left * usual.acceleration, 1e-4f);
            assert_float_equal(more[k].lateral_acceleration, left * usual.lateral_acceleration,
                               1e-4f);
            float wheels = i == 1 ? 0.0f : k == 0 ? 0.4f : 0.2f;
            assert_float_equal(more[k].steering_time, usual.steering_time + wheels, 1e-4f);
            assert_true(more[k].turning_radius == usual.turning_radius);
        }
    }
}

int plan_ellipse_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_controls_and_long_frames_leave_more),
        cmocka_unit_test(plans_keep_to_the_ellipse_and_the_bound_holds),
        cmocka_unit_test(plans_among_movers_keep_to_the_ellipse),
        cmocka_unit_test(the_search_with_speed_keeps_to_the_ellipse),
        cmocka_unit_test(the_checker_refuses_what_leaves_the_ellipse),
        cmocka_unit_test(limits_to_drive_have_an_ellipse_where_tyres_need_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
