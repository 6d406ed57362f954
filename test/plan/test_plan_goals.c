// Goals that leave something open, several goals, and what can be had before a goal is reached.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

enum { SIDE = 60 };

typedef struct setup {
    kerb_plan_limits limits;
    kerb_planner_settings settings;
    kerb_plan_world world;
    kerb_plan_end start;
    kerb_plan_end goals[KERB_PLAN_ENDS_MAX];
    int32_t goal_count;
    uint8_t cells[SIDE * SIDE];
    kerb_planner planner;
} setup;

static void begin(setup* s, int32_t improvement) {
    memset(s, 0, sizeof *s);
    s->limits = kerb_plan_limits_default();
    s->settings = kerb_planner_settings_default();
    s->settings.improvement = improvement;
    s->settings.nodes = 20000;
    s->settings.field_cells = 100000;
    s->start = kerb_plan_end_make(3.0f, 30.0f, 0.0f, 0.0f);
    s->goal_count = 1;
}

static void fill(setup* s, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    s->world = (kerb_plan_world){.cells = s->cells,
                                 .columns = SIDE,
                                 .rows = SIDE,
                                 .cell_size = 1.0f,
                                 .box_max = {(float)SIDE, (float)SIDE}};
    for (int32_t y = y0; y < y1; y++)
        memset(s->cells + (ptrdiff_t)y * SIDE + x0, 255, (size_t)(x1 - x0));
}

static kerb_plan_query query_of(const setup* s) {
    kerb_plan_query query = {&s->start, s->goals, 1, s->goal_count};
    return query;
}

static kerb_plan_outcome run(setup* s) {
    const kerb_host host = kerb_host_default();
    kerb_plan_query query = query_of(s);
    kerb_planner_destroy(&s->planner);
    assert_int_equal(kerb_planner_create(&s->planner, &s->limits, &s->settings, &host, NULL),
                     KERB_OK);
    assert_int_equal(kerb_planner_set_world(&s->planner, &s->world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&s->planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(&s->planner, 777);
    return outcome;
}

static kerb_plan found(setup* s) {
    kerb_error error;
    kerb_plan_query query = query_of(s);
    assert_int_equal(run(s), KERB_PLAN_FOUND);
    kerb_plan plan = kerb_planner_get_plan(&s->planner);
    if (kerb_plan_check(&s->limits, &query, &s->world, &plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
    assert_true(plan.cost >= plan.lower_bound * (1.0f - 2e-5f));
    return plan;
}

// --------------------------------------------------------------------------- tolerances

static void expect_near(float value, double wanted, double tolerance) {
    if (!(fabs((double)value - wanted) <= tolerance))
        fail_msg("%.6f is not %.6f", (double)value, wanted);
}

static void to_arrive_at_any_speed_it_never_brakes(void** state) {
    (void)state;
    static setup s;
    begin(&s, 500);
    s.goals[0] = kerb_plan_end_make(53.0f, 30.0f, 0.0f, 6.0f);
    s.goals[0].speed_tolerance = 100.0f;
    kerb_plan plan = found(&s);
    expect_near(plan.time, sqrt(2.0 * 50.0 / 1.5), 1e-3); // 12.2 m/s at the end
    expect_near(kerb_plan_at(&plan, plan.time).speed, sqrt(2.0 * 50.0 * 1.5), 1e-3);
    // With up to 8 m/s allowed, that is what it ends at: fast as long as there is time to brake.
    s.goals[0].speed_tolerance = 2.0f;
    plan = found(&s);
    expect_near(kerb_plan_at(&plan, plan.time).speed, 8.0, 1e-3);
    double peak = sqrt((50.0 + 64.0 / 10.0) * 2.0 * 1.5 * 5.0 / 6.5);
    expect_near(plan.time, peak / 1.5 + (peak - 8.0) / 5.0, 1e-3);
    kerb_planner_destroy(&s.planner);
}

static void a_goal_with_a_radius_is_reached_at_its_near_side(void** state) {
    (void)state;
    static setup s;
    begin(&s, 4000);
    s.goals[0] = kerb_plan_end_make(53.0f, 30.0f, 0.0f, 0.0f);
    s.goals[0].position_tolerance = 3.0f;
    kerb_plan plan = found(&s);
    double peak = sqrt(47.0 * 2.0 * 1.5 * 5.0 / 6.5);
    expect_near(plan.time, peak / 1.5 + peak / 5.0, 0.02);
    kerb_planner_destroy(&s.planner);
}

static void any_heading_costs_no_more_than_the_best_of_many(void** state) {
    (void)state;
    kerb_random random = test_random("plan_any_heading");
    static setup s;
    for (int32_t trial = 0; trial < 12; trial++) {
        begin(&s, 2500);
        s.limits.reverse_speed_max = trial % 3 == 0 ? 4.0f : 0.0f;
        s.start.speed = kerb_random_between(&random, 0.0f, 13.0f);
        float x = kerb_random_between(&random, -30.0f, 40.0f);
        float y = kerb_random_between(&random, 0.0f, 60.0f), best = KERB_PLAN_NEVER;
        for (int32_t i = 0; i < 24; i++) {
            s.goals[0] = kerb_plan_end_make(x, y, 6.2831853f * (float)i / 24.0f, 3.0f);
            best = kerb_min(best, found(&s).cost);
        }
        s.goals[0].heading_tolerance = KERB_PI;
        kerb_plan plan = found(&s);
        if (!(plan.cost <= 1.03f * best))
            fail_msg("any heading costs %g s, the best of many %g s", (double)plan.cost,
                     (double)best);
        assert_true(plan.lower_bound <= best * (1.0f + 2e-5f));
        kerb_planner_destroy(&s.planner);
    }
}

static void with_every_tolerance_it_is_legal_and_no_slower(void** state) {
    (void)state;
    kerb_random random = test_random("plan_tolerances");
    static setup s;
    for (int32_t trial = 0; trial < 60; trial++) {
        begin(&s, 600);
        plan_rig rig = plan_rig_wild(&random, trial % 2 == 0);
        s.limits = rig.limits;
        s.start = rig.from;
        s.goals[0] = rig.to;
        if (run(&s) != KERB_PLAN_FOUND)
            continue;
        float exact = kerb_planner_get_plan(&s.planner).cost;
        s.goals[0].position_tolerance = kerb_random_between(&random, 0.0f, 4.0f);
        s.goals[0].heading_tolerance = kerb_random_between(&random, 0.0f, 4.0f);
        s.goals[0].speed_tolerance = kerb_random_between(&random, 0.0f, 5.0f);
        // The random tries differ: a little slower is luck.
        assert_true(found(&s).cost <= 1.1f * exact + 0.05f);
        kerb_planner_destroy(&s.planner);
    }
}

static void the_checker_holds_the_tolerances(void** state) {
    (void)state;
    static setup s;
    kerb_error error;
    begin(&s, 0);
    s.goals[0] = kerb_plan_end_make(40.0f, 34.0f, 0.5f, 4.0f);
    kerb_plan plan = found(&s);
    kerb_plan_query query = query_of(&s);
    static const struct {
        float x, turn, speed; // by which the goal asked for differs
        kerb_result result;   // with tolerances of 1 m, 0.3 rad and 2 m/s
    } cases[] = {{0.9f, 0.0f, 0.0f, KERB_OK},   {1.1f, 0.0f, 0.0f, KERB_ERROR_CONTRADICTION},
                 {0.0f, -0.29f, 0.0f, KERB_OK}, {0.0f, 0.31f, 0.0f, KERB_ERROR_CONTRADICTION},
                 {0.0f, 0.0f, 1.9f, KERB_OK},   {0.0f, 0.0f, -2.1f, KERB_ERROR_CONTRADICTION}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        s.goals[0] = kerb_plan_end_make(40.0f + cases[i].x, 34.0f, 0.5f + cases[i].turn,
                                        4.0f + cases[i].speed);
        s.goals[0].position_tolerance = 1.0f;
        s.goals[0].heading_tolerance = 0.3f;
        s.goals[0].speed_tolerance = 2.0f;
        assert_int_equal(kerb_plan_check(&s.limits, &query, NULL, &plan, &error), cases[i].result);
        assert_true(cases[i].result == KERB_OK || strcmp(error.field, "goal") == 0);
    }
    kerb_planner_destroy(&s.planner);
}

static void a_goal_whose_middle_is_blocked_is_reached_beside_it(void** state) {
    (void)state;
    static setup s;
    begin(&s, 500);
    fill(&s, 50, 28, 52, 32);
    s.goals[0] = kerb_plan_end_make(49.0f, 30.0f, 0.0f, 0.0f);
    assert_int_equal(run(&s), KERB_PLAN_GOAL_BLOCKED);
    s.goals[0].position_tolerance = 6.0f;
    (void)found(&s);
    kerb_planner_destroy(&s.planner);
}

// --------------------------------------------------------------------------- several goals

static void of_several_goals_among_obstacles_the_cheapest_counts(void** state) {
    (void)state;
    static setup s;
    kerb_random random = test_random("plan_several_goals");
    for (int32_t trial = 0; trial < 6; trial++) {
        begin(&s, 800);
        fill(&s, 15, 10, 17, 50);
        fill(&s, 35, 0, 37, 42);
        kerb_plan_end all[4];
        float alone = KERB_PLAN_NEVER;
        for (int32_t i = 0; i < 4; i++) {
            all[i] = kerb_plan_end_make(kerb_random_between(&random, 42.0f, 54.0f),
                                        kerb_random_between(&random, 6.0f, 54.0f),
                                        kerb_random_between(&random, -KERB_PI, KERB_PI), 0.0f);
            all[i].penalty = kerb_random_between(&random, 0.0f, 8.0f);
            s.goals[0] = all[i];
            s.goal_count = 1;
            if (run(&s) == KERB_PLAN_FOUND)
                alone = kerb_min(alone, kerb_planner_get_plan(&s.planner).cost);
        }
        s.goal_count = 4;
        memcpy(s.goals, all, sizeof all);
        if (alone < KERB_PLAN_NEVER) {
            kerb_plan plan = found(&s);
            if (!(plan.cost <= 1.08f * alone))
                fail_msg("%g s, the best goal alone %g s", (double)plan.cost, (double)alone);
        }
        kerb_planner_destroy(&s.planner);
    }
}

static void a_dear_goal_on_the_way_does_not_hide_a_cheap_one_behind_it(void** state) {
    (void)state;
    static setup s;
    begin(&s, 500);
    fill(&s, 28, 0, 30, 50);
    s.goal_count = 2;
    s.goals[0] = kerb_plan_end_make(38.0f, 45.0f, 0.0f, 0.0f);
    s.goals[1] = kerb_plan_end_make(50.0f, 20.0f, -1.5f, 0.0f);
    s.goals[0].penalty = 30.0f;
    assert_int_equal(found(&s).goal, 1);
    s.goals[0].penalty = 0.0f;
    s.goals[1].penalty = 30.0f;
    assert_int_equal(found(&s).goal, 0);
    kerb_planner_destroy(&s.planner);
}

// --------------------------------------------------------------------------- before a goal

static void a_search_without_an_answer_yet_knows_something_to_begin_with(void** state) {
    (void)state;
    static setup s;
    begin(&s, 0);
    fill(&s, 28, 0, 30, 52);
    s.goals[0] = kerb_plan_end_make(54.0f, 30.0f, 0.0f, 0.0f);
    s.settings.expansions = 30;
    // On ground with a cost, here of nothing, there is always a search.
    static const uint8_t costs[SIDE * SIDE];
    s.world.cost_map = costs;
    assert_int_equal(run(&s), KERB_PLAN_BUDGET_SPENT);
    assert_int_equal(kerb_planner_get_plan(&s.planner).count, 0);
    kerb_plan effort = kerb_planner_get_partial_plan(&s.planner);
    assert_true(effort.count > 0);
    assert_int_equal(effort.goal, -1);
    kerb_plan_state end = kerb_plan_at(&effort, effort.time);
    expect_near(end.speed, 0.0, 1e-3);
    // It leads somewhere, keeps every limit and meets nothing.
    kerb_plan_end reached = {.pose = end.pose};
    kerb_plan_query query = {&s.start, &reached, 1, 1};
    kerb_error error;
    effort.goal = 0;
    assert_true(hypot((double)(end.pose.position.x - 3.0f), (double)(end.pose.position.y - 30.0f)) >
                4.0);
    if (kerb_plan_check(&s.limits, &query, &s.world, &effort, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
    kerb_planner_destroy(&s.planner);
}

static void an_effort_of_what_was_found_is_what_was_found(void** state) {
    (void)state;
    static setup s;
    begin(&s, 0);
    s.goals[0] = kerb_plan_end_make(54.0f, 30.0f, 0.0f, 0.0f);
    kerb_plan plan = found(&s), effort = kerb_planner_get_partial_plan(&s.planner);
    assert_true(effort.count == plan.count && effort.cost == plan.cost && effort.goal == 0);
    kerb_planner_destroy(&s.planner);
}

// --------------------------------------------------------------------------- what is refused

static void bad_tolerances_are_refused_by_name(void** state) {
    (void)state;
    static setup s;
    begin(&s, 0);
    s.goals[0] = kerb_plan_end_make(54.0f, 30.0f, 0.0f, 0.0f);
    (void)found(&s);
    static const char* const names[3] = {"position_tolerance", "heading_tolerance",
                                         "speed_tolerance"};
    const float bad[3] = {-1.0f, (float)NAN, (float)INFINITY};
    kerb_plan_end end = s.goals[0], start = s.start;
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t k = 0; k < 4; k++) {
            kerb_error error;
            s.goals[0] = end;
            s.start = start;
            kerb_plan_end* wrong = k < 3 ? &s.goals[0] : &s.start;
            float* field = i == 0   ? &wrong->position_tolerance
                           : i == 1 ? &wrong->heading_tolerance
                                    : &wrong->speed_tolerance;
            *field = k < 3 ? bad[k] : 1.0f;
            kerb_plan_query query = query_of(&s);
            assert_int_equal(kerb_planner_begin(&s.planner, &query, &error),
                             k == 1 || k == 2 ? KERB_ERROR_NOT_FINITE : KERB_ERROR_OUT_OF_RANGE);
            assert_string_equal(error.field, names[i]);
        }
    }
    kerb_planner_destroy(&s.planner);
}

static void a_goal_too_fast_even_with_its_tolerance_is_impossible(void** state) {
    (void)state;
    static setup s;
    begin(&s, 0);
    s.goals[0] = kerb_plan_end_make(54.0f, 30.0f, 0.0f, 20.0f);
    s.goals[0].speed_tolerance = 5.0f;
    assert_int_equal(run(&s), KERB_PLAN_IMPOSSIBLE);
    s.goals[0].speed_tolerance = 10.0f;
    kerb_plan plan = found(&s);
    assert_true(kerb_plan_at(&plan, plan.time).speed >= 9.99f);
    kerb_planner_destroy(&s.planner);
}

int plan_goals_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_arrive_at_any_speed_it_never_brakes),
        cmocka_unit_test(a_goal_with_a_radius_is_reached_at_its_near_side),
        cmocka_unit_test(any_heading_costs_no_more_than_the_best_of_many),
        cmocka_unit_test(with_every_tolerance_it_is_legal_and_no_slower),
        cmocka_unit_test(the_checker_holds_the_tolerances),
        cmocka_unit_test(a_goal_whose_middle_is_blocked_is_reached_beside_it),
        cmocka_unit_test(of_several_goals_among_obstacles_the_cheapest_counts),
        cmocka_unit_test(a_dear_goal_on_the_way_does_not_hide_a_cheap_one_behind_it),
        cmocka_unit_test(a_search_without_an_answer_yet_knows_something_to_begin_with),
        cmocka_unit_test(an_effort_of_what_was_found_is_what_was_found),
        cmocka_unit_test(bad_tolerances_are_refused_by_name),
        cmocka_unit_test(a_goal_too_fast_even_with_its_tolerance_is_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
