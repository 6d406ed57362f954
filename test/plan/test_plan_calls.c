// A planner answers any calls: random bytes as calls through the fuzz target's entry point, and
// absurd queries one by one.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/plan_calls.h"
#include "test/plan_rig.h"

#include <math.h>

static void random_bytes_as_calls_hold_what_the_fuzz_target_demands(void** state) {
    (void)state;
    kerb_random random = test_random("plan_calls");
    static uint8_t bytes[256];
    for (int32_t trial = 0; trial < test_share(200, 40); trial++) {
        size_t size = 40 + (size_t)kerb_random_below(&random, 200);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)kerb_random_below(&random, 256);
        fuzz_plan_calls(bytes, size);
    }
}

// --------------------------------------------------------------------------- absurd queries

typedef struct absurd {
    float numbers[8]; // of the goal: x, y, heading, speed, penalty, three tolerances
    kerb_result result;
    const char* field;         // of the error; NULL: none
    kerb_plan_outcome outcome; // where there is no error
} absurd;

// At (20, 5), reached with ease, apart from one number.
static const absurd absurdities[] = {
    {{20, 5, 1, 0, 0, 0, 0, 0}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{1e30f, 5, 1, 0, 0, 0, 0, 0}, KERB_ERROR_OUT_OF_RANGE, "pose", KERB_PLAN_NO_PATH},
    {{20, -1e30f, 1, 0, 0, 0, 0, 0}, KERB_ERROR_OUT_OF_RANGE, "pose", KERB_PLAN_NO_PATH},
    {{20, NAN, 1, 0, 0, 0, 0, 0}, KERB_ERROR_NOT_FINITE, "pose", KERB_PLAN_NO_PATH},
    {{20, 5, 1e9f, 0, 0, 0, 0, 0}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, -3e38f, 0, 0, 0, 0, 0}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, 1, 1e30f, 0, 0, 0, 0}, KERB_OK, NULL, KERB_PLAN_IMPOSSIBLE},
    {{20, 5, 1, -1e30f, 0, 0, 0, 0}, KERB_OK, NULL, KERB_PLAN_IMPOSSIBLE},
    {{20, 5, 1, INFINITY, 0, 0, 0, 0}, KERB_ERROR_NOT_FINITE, "speed", KERB_PLAN_NO_PATH},
    {{20, 5, 1, 1e30f, 0, 0, 0, 2e30f}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, 1, 0, 1e30f, 0, 0, 0}, KERB_ERROR_OUT_OF_RANGE, "penalty", KERB_PLAN_NO_PATH},
    {{20, 5, 1, 0, 1e6f, 0, 0, 0}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, 1, 0, -1, 0, 0, 0}, KERB_ERROR_OUT_OF_RANGE, "penalty", KERB_PLAN_NO_PATH},
    {{20, 5, 1, 0, 0, 1e30f, 0, 0},
     KERB_ERROR_OUT_OF_RANGE,
     "position_tolerance",
     KERB_PLAN_NO_PATH},
    {{20, 5, 1, 0, 0, 1e6f, 0, 0}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, 1, 0, 0, 0, 3e38f, 0}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, 1, 0, 0, 0, 0, 3e38f}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, 1, 0, 0, 1e6f, 3e38f, 3e38f}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, 1, 0, 0, 1e-38f, 1e-38f, 1e-38f}, KERB_OK, NULL, KERB_PLAN_FOUND},
    {{20, 5, 1, 0, 0, 0, 0, -1}, KERB_ERROR_OUT_OF_RANGE, "speed_tolerance", KERB_PLAN_NO_PATH},
    {{1e6f, -1e6f, 1, 0, 0, 0, 0, 0}, KERB_OK, NULL, KERB_PLAN_FOUND}};

static void expect_answer(kerb_planner* planner, const kerb_plan_limits* limits, const absurd* a,
                          kerb_plan_end start) {
    const float* n = a->numbers;
    kerb_plan_end goal = kerb_plan_end_make(n[0], n[1], n[2], n[3]);
    kerb_plan_query query = {&start, &goal, 1, 1};
    kerb_error error = {.result = KERB_OK};
    goal.penalty = n[4];
    goal.position_tolerance = n[5];
    goal.heading_tolerance = n[6];
    goal.speed_tolerance = n[7];
    assert_int_equal(kerb_planner_begin(planner, &query, &error), a->result);
    if (a->field)
        assert_string_equal(error.field, a->field);
    kerb_plan_outcome outcome = kerb_planner_advance(planner, 0);
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(planner, 1000);
    assert_int_equal(outcome, a->outcome);
    kerb_plan plan = kerb_planner_get_plan(planner);
    if (outcome == KERB_PLAN_FOUND && kerb_abs(goal.pose.position.x) < 1e5f &&
        kerb_plan_check(limits, &query, NULL, &plan, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
    assert_int_equal(plan.count > 0, outcome == KERB_PLAN_FOUND);
}

static void an_absurd_goal_is_refused_by_name_or_answered(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    settings.improvement = 100;
    assert_int_equal(kerb_planner_create(&planner, &limits, &settings, &host, NULL), KERB_OK);
    for (size_t i = 0; i < sizeof absurdities / sizeof absurdities[0]; i++)
        expect_answer(&planner, &limits, &absurdities[i], kerb_plan_end_make(0, 0, 0, 0));
    kerb_planner_destroy(&planner);
}

static bool is_left_half(void* context, kerb_pose pose) {
    ++*(int64_t*)context;
    return pose.position.x > -5.0f;
}

static void a_goal_beyond_the_horizon_costs_a_bounded_number_of_questions(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    int64_t asked = 0;
    kerb_plan_world world = {.is_free = is_left_half, .context = &asked};
    settings.expansions = 300;
    assert_int_equal(kerb_planner_create(&planner, &limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&planner, &world, NULL), KERB_OK);
    kerb_plan_end from = kerb_plan_end_make(0, 0, 0, 0), to = kerb_plan_end_make(1e6f, 0, 0, 0);
    kerb_plan_query query = {&from, &to, 1, 1};
    assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING) {
        int64_t before = asked;
        outcome = kerb_planner_advance(&planner, 1);
        assert_true(asked - before < 1000000);
    }
    assert_int_equal(outcome, KERB_PLAN_BUDGET_SPENT);
    kerb_planner_destroy(&planner);
}

int plan_calls_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes_as_calls_hold_what_the_fuzz_target_demands),
        cmocka_unit_test(an_absurd_goal_is_refused_by_name_or_answered),
        cmocka_unit_test(a_goal_beyond_the_horizon_costs_a_bounded_number_of_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
