// Those who cross the way: a movement waits or slows down, and meets nobody at any time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

typedef struct crossing {
    kerb_plan_limits limits;
    kerb_plan_end start, goal;
    kerb_plan_mover movers[KERB_PLAN_MOVERS_MAX];
    int32_t count;
    kerb_planner planner;
} crossing;

static void begin(crossing* c) {
    memset(c, 0, sizeof *c);
    c->limits = kerb_plan_limits_default();
    c->start = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    c->goal = kerb_plan_end_make(60.0f, 0.0f, 0.0f, 0.0f);
}

static kerb_plan_mover mover(float x, float y, float vx, float vy) {
    float heading = kerb_atan2(vy, vx);
    kerb_plan_mover m = {kerb_pose_make(x, y, heading), {vx, vy}, 4.5f, 1.8f};
    return m;
}

static kerb_plan_outcome run(crossing* c, int32_t slice) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_plan_query query = {&c->start, &c->goal, 1, 1};
    settings.improvement = 300;
    kerb_planner_destroy(&c->planner);
    assert_int_equal(kerb_planner_create(&c->planner, &c->limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_movers(&c->planner, c->movers, c->count, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&c->planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(&c->planner, slice);
    return outcome;
}

// By both checkers.
static kerb_plan checked(crossing* c) {
    kerb_plan plan = kerb_planner_plan(&c->planner);
    kerb_plan_query query = {&c->start, &c->goal, 1, 1};
    kerb_error error;
    if (kerb_plan_check(&c->limits, &query, NULL, &plan, &error) != KERB_OK ||
        kerb_plan_check_movers(&c->limits, c->movers, c->count, &plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
    return plan;
}

static void where_nobody_is_met_nothing_changes(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    float alone = checked(&c).time;
    c.movers[c.count++] = mover(30.0f, 40.0f, 0.0f, 5.0f); // drives away
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    assert_true(checked(&c).time == alone);
    kerb_planner_destroy(&c.planner);
}

static void it_lets_pass_whoever_would_be_hit(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan alone = checked(&c);
    // At x = 30 m when the undisturbed movement is there.
    float there = 0.0f;
    while (kerb_plan_at(&alone, there).pose.position.x < 30.0f)
        there += 0.01f;
    c.movers[c.count++] = mover(30.0f, -8.0f * there, 0.0f, 8.0f);
    kerb_error error;
    assert_int_equal(kerb_plan_check_movers(&c.limits, c.movers, 1, &alone, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "movers");
    float before = alone.time;
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan p = checked(&c);
    assert_true(p.time > before + 0.05f && p.time < before + 2.0f);
    kerb_planner_destroy(&c.planner);
}

static void a_long_train_is_waited_for(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    c.movers[0] = mover(30.0f, 0.0f, 0.0f, 10.0f);
    c.movers[0].length = 300.0f; // its end passes after 15 s
    c.count = 1;
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan p = checked(&c);
    assert_true(p.time > 16.0f && p.time < 26.0f);
    // Where somebody stands for ever, there is no time to go.
    c.movers[0].velocity = kerb_vec2_make(0.0f, 0.0f);
    assert_int_equal(run(&c, 1000), KERB_PLAN_BUDGET_SPENT);
    assert_int_equal(kerb_planner_plan(&c.planner).count, 0);
    kerb_planner_destroy(&c.planner);
}

static void random_crossings_are_legal_however_they_are_sliced(void** state) {
    (void)state;
    kerb_random random = test_random("plan_movers");
    static crossing c;
    int32_t found = 0;
    for (int32_t trial = 0; trial < 25; trial++) {
        begin(&c);
        c.limits.reverse_speed_max = trial % 2 == 0 ? 4.0f : 0.0f;
        c.start.speed = kerb_random_between(&random, 0.0f, 6.0f);
        c.goal = kerb_plan_end_make(
            kerb_random_between(&random, 20.0f, 60.0f), kerb_random_between(&random, -20.0f, 20.0f),
            kerb_random_between(&random, -KERB_PI, KERB_PI), trial % 3 == 0 ? 2.0f : 0.0f);
        c.count = 1 + kerb_random_below(&random, 4);
        for (int32_t i = 0; i < c.count; i++) {
            float side = kerb_random_below(&random, 2) == 0 ? -1.0f : 1.0f;
            float speed = kerb_random_between(&random, 2.0f, 9.0f);
            c.movers[i] =
                mover(kerb_random_between(&random, 14.0f, 50.0f),
                      side * kerb_random_between(&random, 12.0f, 50.0f), 0.0f, -side * speed);
        }
        if (run(&c, 100000) != KERB_PLAN_FOUND)
            continue;
        kerb_plan p = checked(&c);
        found++;
        float cost = p.cost;
        int32_t count = p.count;
        assert_int_equal(run(&c, 7), KERB_PLAN_FOUND);
        p = kerb_planner_plan(&c.planner);
        assert_true(p.cost == cost && p.count == count);
        kerb_planner_destroy(&c.planner);
    }
    assert_true(found >= 18);
}

static void bad_movers_are_refused_by_name(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    (void)run(&c, 1000);
    kerb_error error;
    kerb_plan_mover bad[3] = {mover(1, 2, 3, 4), mover(1, 2, 3, 4), mover(1, 2, 3, 4)};
    bad[2].length = 0.0f;
    assert_int_equal(kerb_planner_movers(&c.planner, bad, 3, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "length");
    assert_int_equal(error.index, 2);
    bad[1].velocity.x = (float)NAN;
    assert_int_equal(kerb_planner_movers(&c.planner, bad, 3, &error), KERB_ERROR_NOT_FINITE);
    assert_string_equal(error.field, "velocity");
    bad[0].pose.forward.x = 0.2f;
    assert_int_equal(kerb_planner_movers(&c.planner, bad, 3, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "pose");
    assert_int_equal(kerb_planner_movers(&c.planner, c.movers, 33, &error), KERB_ERROR_TOO_MANY);
    assert_int_equal(kerb_planner_movers(&c.planner, NULL, 0, &error), KERB_OK);
    kerb_planner_destroy(&c.planner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_nobody_is_met_nothing_changes),
        cmocka_unit_test(it_lets_pass_whoever_would_be_hit),
        cmocka_unit_test(a_long_train_is_waited_for),
        cmocka_unit_test(random_crossings_are_legal_however_they_are_sliced),
        cmocka_unit_test(bad_movers_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
