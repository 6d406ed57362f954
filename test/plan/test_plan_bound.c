// How many seconds a movement takes at least: closed forms, and no movement that is faster.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>
#include <stdio.h>

static float bound_by(const plan_rig* rig, kerb_plan_heuristic heuristic) {
    const kerb_plan_bound_settings settings = {.heuristic = (int32_t)heuristic,
                                               .overshoot = KERB_PLAN_COMBINED};
    return kerb_plan_bound(&rig->limits, &settings, &rig->from, &rig->to);
}

// ------------------------------------------------------------------- traversal

static void a_traversal_takes_what_the_mended_formulas_say(void** state) {
    (void)state;
    kerb_plan_limits l = kerb_plan_limits_default();
    // 13.8² / 3 + 13.8² / 10 = 82.524 m from rest to rest by way of the top speed.
    float least = 13.8f * 13.8f / 3.0f + 13.8f * 13.8f / 10.0f;
    assert_float_equal(kerb_plan_traversal_time(&l, least + 13.8f, 0.0f, 0.0f),
                       13.8f / 1.5f + 13.8f / 5.0f + 1.0f, 1e-4f);
    // 50 m: the peak is sqrt(2·50·7.5/6.5).
    float peak = kerb_sqrt(750.0f / 6.5f);
    assert_float_equal(kerb_plan_traversal_time(&l, 50.0f, 0.0f, 0.0f), peak / 1.5f + peak / 5.0f,
                       1e-4f);
    assert_float_equal(kerb_plan_traversal_time(&l, 138.0f, 13.8f, 13.8f), 10.0f, 1e-4f);
    assert_true(kerb_plan_traversal_time(&l, 1.0f, 0.0f, 10.0f) == KERB_PLAN_NEVER);
    assert_true(kerb_plan_traversal_time(&l, 1.0f, 10.0f, 0.0f) == KERB_PLAN_NEVER);
    assert_true(kerb_plan_traversal_time(&l, 100.0f, 14.0f, 0.0f) == KERB_PLAN_NEVER);
}

static void between_its_two_cases_a_traversal_does_not_jump(void** state) {
    (void)state;
    kerb_plan_limits l = kerb_plan_limits_default();
    kerb_random random = test_random("bound_cases");
    for (int i = 0; i < 1000; i++) {
        float v0 = kerb_random_between(&random, 0.0f, 13.8f);
        float v1 = kerb_random_between(&random, 0.0f, 13.8f);
        float least = (13.8f * 13.8f - v0 * v0) / 3.0f + (13.8f * 13.8f - v1 * v1) / 10.0f;
        float below = kerb_plan_traversal_time(&l, least * 0.9999f, v0, v1);
        float above = kerb_plan_traversal_time(&l, least * 1.0001f, v0, v1);
        assert_true(below <= above + 1e-4f && above - below < 1e-2f);
    }
}

// ------------------------------------------------------------------- admissible

typedef struct tally {
    long pairs, above;
} tally;

// Every state of a movement is a start, every later one a goal: hundreds of known times each.
static void compare_along(const kerb_plan_limits* limits, const kerb_plan* plan, int states,
                          tally* sum) {
    const kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_ADMISSIBLE};
    for (int i = 0; i < states; i++) {
        float begun = plan->time * (float)i / (float)states;
        kerb_plan_state a = kerb_plan_at(plan, begun);
        kerb_plan_end from = {.pose = a.pose, .speed = a.speed};
        for (int k = i + 1; k <= states; k++) {
            float ended = plan->time * (float)k / (float)states;
            kerb_plan_state b = kerb_plan_at(plan, ended);
            kerb_plan_end to = {.pose = b.pose, .speed = b.speed};
            float bound = kerb_plan_bound(limits, &settings, &from, &to);
            sum->pairs++;
            // A time is a float's difference, and a place a float.
            if (bound > (ended - begun) * (1.0f + 1e-5f) + 2e-5f)
                sum->above++;
        }
    }
}

static tally compare_movements(kerb_random* random, int count, bool wild, bool reverse) {
    tally sum = {0, 0};
    for (int i = 0; i < count; i++) {
        plan_rig rig = wild ? plan_rig_wild(random, reverse) : plan_rig_thesis(random);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, i % 2 == 0 ? 0 : 500), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        assert_true(plan.lower_bound <= plan.cost);
        compare_along(&rig.limits, &plan, test_share(72, 24), &sum); // a million pairs in all
        kerb_planner_destroy(&planner);
    }
    return sum;
}

static void no_movement_is_faster_than_the_bound(void** state) {
    (void)state;
    kerb_random random = test_random("bound_admissible");
    tally forwards = compare_movements(&random, 200, false, false);
    tally wild = compare_movements(&random, 100, true, false);
    tally reverse = compare_movements(&random, 100, true, true);
    print_message("%ld pairs\n", forwards.pairs + wild.pairs + reverse.pairs);
    assert_int_equal(forwards.above, 0);
    assert_int_equal(wild.above, 0);
    assert_int_equal(reverse.above, 0);
}

static void a_straight_drive_takes_just_the_bound(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.from = kerb_plan_end_make(1.0f, 2.0f, 0.7f, 3.0f);
    rig.to = kerb_plan_end_make(1.0f + 40.0f * kerb_cos(0.7f), 2.0f + 40.0f * kerb_sin(0.7f), 0.7f,
                                6.0f);
    kerb_planner planner;
    assert_int_equal(plan_rig_run(&planner, &rig, 0), KERB_PLAN_FOUND);
    kerb_plan plan = kerb_planner_get_plan(&planner);
    assert_true(plan.cost < 1.0001f * plan.lower_bound);
    kerb_planner_destroy(&planner);
}

static void a_change_of_speed_counts_where_the_way_is_too_short_for_it(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    rig.to = kerb_plan_end_make(1.0f, 0.0f, 0.0f, 12.0f);
    assert_float_equal(bound_by(&rig, KERB_PLAN_ADMISSIBLE), 8.0f, 1e-3f);
}

static void turning_round_counts_where_the_way_is_short(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.yaw_rate_max = 0.1f;
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 10.0f);
    rig.to = kerb_plan_end_make(10.0f, 10.0f, 2.0f, 10.0f);
    assert_true(bound_by(&rig, KERB_PLAN_ADMISSIBLE) > 19.9f);
}

static void a_tolerance_never_raises_the_bound(void** state) {
    (void)state;
    kerb_random random = test_random("bound_tolerance");
    for (int i = 0; i < 2000; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_ADMISSIBLE};
        float exact = kerb_plan_bound(&rig.limits, &settings, &rig.from, &rig.to);
        settings.position_tolerance = kerb_random_between(&random, 0.0f, 3.0f);
        settings.heading_tolerance = kerb_random_between(&random, 0.0f, 3.2f);
        settings.speed_tolerance = kerb_random_between(&random, 0.0f, 3.0f);
        float loose = kerb_plan_bound(&rig.limits, &settings, &rig.from, &rig.to);
        assert_true(loose <= exact * (1.0f + 1e-5f) && loose >= 0.0f);
    }
}

// Any end within the tolerance may be the one that is driven to.
static void no_goal_within_the_tolerance_is_reached_sooner(void** state) {
    (void)state;
    kerb_random random = test_random("bound_within");
    for (int i = 0; i < 5000; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_plan_bound_settings loose = {KERB_PLAN_ADMISSIBLE, 0, 2.0f, 0.5f, 1.0f};
        const kerb_plan_bound_settings exact = {.heuristic = KERB_PLAN_ADMISSIBLE};
        float bound = kerb_plan_bound(&rig.limits, &loose, &rig.from, &rig.to);
        kerb_plan_end near = rig.to;
        near.pose.position.x += kerb_random_between(&random, -1.4f, 1.4f);
        near.pose.position.y += kerb_random_between(&random, -1.4f, 1.4f);
        float heading = kerb_pose_heading(near.pose) + kerb_random_between(&random, -0.5f, 0.5f);
        near.pose = kerb_pose_make(near.pose.position.x, near.pose.position.y, heading);
        near.speed = kerb_clamp(near.speed + kerb_random_between(&random, -1.0f, 1.0f), 0.0f,
                                rig.limits.speed_max);
        float there = kerb_plan_bound(&rig.limits, &exact, &rig.from, &near);
        assert_true(bound <= there * (1.0f + 1e-5f));
    }
}

// ------------------------------------------------------------------- the others

static void the_straight_line_is_never_above_the_shortest_way(void** state) {
    (void)state;
    kerb_random random = test_random("bound_order");
    for (int i = 0; i < 5000; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        float line = bound_by(&rig, KERB_PLAN_EUCLIDEAN);
        assert_true(line <= bound_by(&rig, KERB_PLAN_DISTANCE) * (1.0f + 1e-5f) + 1e-5f);
        assert_true(line <= bound_by(&rig, KERB_PLAN_ADMISSIBLE) * (1.0f + 1e-5f) + 1e-5f);
    }
}

// Whole circles, and the words of three turns that it leaves out, make it more than what a vehicle
// really needs.
static void the_thesis_over_estimates_at_times(void** state) {
    (void)state;
    kerb_random random = test_random("bound_thesis");
    int above = 0, count = 400;
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 200), KERB_PLAN_FOUND);
        float time = kerb_planner_get_plan(&planner).time, said = bound_by(&rig, KERB_PLAN_THESIS);
        above += said > time * 1.001f ? 1 : 0;
        most = fmax(most, (double)(said / time));
        kerb_planner_destroy(&planner);
    }
    print_message("above in %d of %d, by a factor of %.2f at most\n", above, count, most);
    assert_true(above > count / 50 && most > 1.2);
}

static void where_there_is_room_the_thesis_says_the_same(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 4.0f);
    rig.to = kerb_plan_end_make(60.0f, 5.0f, 0.3f, 6.0f);
    assert_float_equal(bound_by(&rig, KERB_PLAN_THESIS), bound_by(&rig, KERB_PLAN_ADMISSIBLE),
                       1e-3f);
}

static float thesis_by(const plan_rig* rig, kerb_plan_overshoot overshoot) {
    const kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_THESIS,
                                               .overshoot = (int32_t)overshoot};
    return kerb_plan_bound(&rig->limits, &settings, &rig->from, &rig->to);
}

static void overshooting_takes_a_circle_or_backing_up_or_the_lesser(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.lateral_acceleration = 200.0f; // circles of 5 m
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    rig.to = kerb_plan_end_make(10.0f, 0.0f, 0.0f, 6.0f); // needs 12 m
    float circle = 10.0f + 2.0f * KERB_PI * 5.0f;
    assert_float_equal(thesis_by(&rig, KERB_PLAN_CIRCULAR),
                       kerb_plan_traversal_time(&rig.limits, circle, 0.0f, 6.0f), 1e-3f);
    // Who cannot reverse takes the circle.
    assert_true(thesis_by(&rig, KERB_PLAN_LINEAR) == thesis_by(&rig, KERB_PLAN_CIRCULAR));
    rig.limits.reverse_speed_max = 5.0f;
    rig.limits.reversal_time = 0.25f;
    // 2 m back, from rest to rest, then 12 m ahead.
    float peak = kerb_sqrt(2.0f * 2.0f * 7.5f / 6.5f);
    float backing = peak / 1.5f + peak / 5.0f + 4.0f + 0.5f;
    assert_float_equal(thesis_by(&rig, KERB_PLAN_LINEAR), backing, 1e-3f);
    assert_true(thesis_by(&rig, KERB_PLAN_COMBINED) ==
                kerb_min(thesis_by(&rig, KERB_PLAN_LINEAR), thesis_by(&rig, KERB_PLAN_CIRCULAR)));
}

int plan_bound_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_traversal_takes_what_the_mended_formulas_say),
        cmocka_unit_test(between_its_two_cases_a_traversal_does_not_jump),
        cmocka_unit_test(no_movement_is_faster_than_the_bound),
        cmocka_unit_test(a_straight_drive_takes_just_the_bound),
        cmocka_unit_test(a_change_of_speed_counts_where_the_way_is_too_short_for_it),
        cmocka_unit_test(turning_round_counts_where_the_way_is_short),
        cmocka_unit_test(a_tolerance_never_raises_the_bound),
        cmocka_unit_test(no_goal_within_the_tolerance_is_reached_sooner),
        cmocka_unit_test(the_straight_line_is_never_above_the_shortest_way),
        cmocka_unit_test(the_thesis_over_estimates_at_times),
        cmocka_unit_test(where_there_is_room_the_thesis_says_the_same),
        cmocka_unit_test(overshooting_takes_a_circle_or_backing_up_or_the_lesser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
