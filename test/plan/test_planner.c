// The planner in free space: always an answer, a legal one, a good one, and the same one however it
// is asked.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/allocation.h"
#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

static void expect_checked(const plan_rig* rig, const kerb_planner* planner) {
    kerb_plan_query query = plan_rig_query(rig);
    kerb_plan plan = kerb_planner_get_plan(planner);
    kerb_error error;
    if (kerb_plan_check(&rig->limits, &query, NULL, &plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d of %d", error.field, error.message, (int)error.index,
                 (int)plan.count);
}

static void expect_legal(const plan_rig* rig, const kerb_planner* planner) {
    kerb_plan plan = kerb_planner_get_plan(planner);
    expect_checked(rig, planner);
    assert_true(plan.lower_bound <= plan.cost);
}

// ------------------------------------------------------------------- always, and legal

static void every_random_goal_of_the_thesis_is_reached_at_once(void** state) {
    (void)state;
    kerb_random random = test_random("planner_thesis");
    for (int i = 0; i < 2000; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 0), KERB_PLAN_FOUND);
        expect_legal(&rig, &planner);
        assert_int_equal(kerb_planner_get_plan(&planner).steps, 1);
        kerb_planner_destroy(&planner);
    }
}

static void run_wild(const char* name, bool reverse) {
    kerb_random random = test_random(name);
    for (int i = 0; i < 400; i++) {
        plan_rig rig = plan_rig_wild(&random, reverse);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, i % 4 == 0 ? 800 : 0), KERB_PLAN_FOUND);
        expect_legal(&rig, &planner);
        kerb_planner_destroy(&planner);
    }
}

static void so_is_every_goal_of_vehicles_of_all_sorts(void** state) {
    (void)state;
    run_wild("planner_wild", false);
}

static void so_it_is_in_reverse(void** state) {
    (void)state;
    run_wild("planner_reverse", true);
}

static void improved_movements_keep_every_limit(void** state) {
    (void)state;
    kerb_random random = test_random("planner_improved");
    for (int i = 0; i < 60; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 2000), KERB_PLAN_FOUND);
        expect_legal(&rig, &planner);
        kerb_planner_destroy(&planner);
    }
}

static void the_least_goals_are_reached_too(void** state) {
    (void)state;
    const kerb_plan_end goals[] = {
        kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f),    kerb_plan_end_make(0.0f, 0.0f, 0.0f, 5.0f),
        kerb_plan_end_make(0.0f, 0.0f, KERB_PI, 0.0f), kerb_plan_end_make(1e-4f, 0.0f, 0.0f, 0.0f),
        kerb_plan_end_make(0.0f, 1e-3f, 0.0f, 0.0f),   kerb_plan_end_make(-1.0f, 0.0f, 0.0f, 0.0f),
        kerb_plan_end_make(3.0f, 0.0f, 0.0f, 13.8f)};
    for (int reverse = 0; reverse < 2; reverse++) {
        for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
            plan_rig rig = {.limits = kerb_plan_limits_default(), .to = goals[i]};
            rig.limits.reverse_speed_max = reverse ? 4.0f : 0.0f;
            rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, i == 1 ? 5.0f : 0.0f);
            kerb_planner planner;
            assert_int_equal(plan_rig_run(&planner, &rig, 200), KERB_PLAN_FOUND);
            expect_legal(&rig, &planner);
            assert_true(i > 1 || kerb_planner_get_plan(&planner).time == 0.0f);
            kerb_planner_destroy(&planner);
        }
    }
}

static void far_from_the_origin_it_plans_as_well_as_floats_can_say(void** state) {
    (void)state;
    kerb_random random = test_random("planner_far");
    for (int i = 0; i < 100; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        rig.from.pose.position.x += 20000.0f;
        rig.to.pose.position.x += 20000.0f;
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 500), KERB_PLAN_FOUND);
        expect_checked(&rig, &planner);
        kerb_planner_destroy(&planner);
    }
}

// ------------------------------------------------------------------- good

// The reference: the same improvement, begun three times and given fifty times the steps. What else
// was tried to find faster movements, docs/planning.md tells.
static float reference_time(const plan_rig* rig) {
    float best = KERB_PLAN_NEVER;
    for (int32_t seed = 1; seed <= 3; seed++) {
        const kerb_host host = kerb_host_default();
        kerb_planner_settings settings = {.improvement = 40000, .seed = seed};
        kerb_planner planner;
        assert_int_equal(kerb_planner_create(&planner, &rig->limits, &settings, &host, NULL),
                         KERB_OK);
        kerb_plan_query query = plan_rig_query(rig);
        assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
        assert_int_equal(kerb_planner_advance(&planner, 1000000), KERB_PLAN_FOUND);
        best = kerb_min(best, kerb_planner_get_plan(&planner).time);
        kerb_planner_destroy(&planner);
    }
    return best;
}

static void the_first_answer_and_the_improved_one_are_near_the_best(void** state) {
    (void)state;
    kerb_random random = test_random("planner_quality");
    double first = 0.0, improved = 0.0, best = 0.0;
    for (int i = 0; i < test_share(20, 5); i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_planner planner;
        plan_rig_run(&planner, &rig, 0);
        first += (double)kerb_planner_get_plan(&planner).time;
        kerb_planner_destroy(&planner);
        plan_rig_run(&planner, &rig, kerb_planner_settings_default().improvement);
        improved += (double)kerb_planner_get_plan(&planner).time;
        kerb_planner_destroy(&planner);
        best += (double)reference_time(&rig);
    }
    print_message("first %.3f, improved %.3f times the reference\n", first / best, improved / best);
    assert_true(first < 1.12 * best);
    assert_true(improved < 1.03 * best);
}

static void who_may_reverse_is_never_slower(void** state) {
    (void)state;
    kerb_random random = test_random("planner_may_reverse");
    double with = 0.0, without = 0.0;
    for (int i = 0; i < 200; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        rig.from.speed = rig.to.speed = 0.0f;
        kerb_planner planner;
        plan_rig_run(&planner, &rig, 0);
        float forwards = kerb_planner_get_plan(&planner).time;
        kerb_planner_destroy(&planner);
        rig.limits.reverse_speed_max = 5.0f;
        plan_rig_run(&planner, &rig, 0);
        float both = kerb_planner_get_plan(&planner).time;
        kerb_planner_destroy(&planner);
        assert_true(both <= forwards * 1.02f); // the few that are improved may be others
        with += (double)both;
        without += (double)forwards;
    }
    assert_true(with < 0.95 * without);
}

static void no_reversing_where_driving_on_is_as_good(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.reverse_speed_max = 10.0f;
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    rig.to = kerb_plan_end_make(40.0f, 6.0f, 0.2f, 0.0f);
    kerb_planner planner;
    plan_rig_run(&planner, &rig, 1000);
    kerb_plan plan = kerb_planner_get_plan(&planner);
    for (int32_t i = 0; i < plan.count; i++)
        assert_int_equal(plan.pieces[i].direction, 1);
    kerb_planner_destroy(&planner);
}

static void on_open_ground_straight_ahead_it_does_not_wobble(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.5f, 5.0f);
    rig.to = kerb_plan_end_make(50.0f * kerb_cos(0.5f), 50.0f * kerb_sin(0.5f), 0.5f, 0.0f);
    kerb_planner planner;
    plan_rig_run(&planner, &rig, 3000);
    kerb_plan plan = kerb_planner_get_plan(&planner);
    assert_true(plan.length < 50.0f * 1.0001f);
    kerb_planner_destroy(&planner);
}

// ------------------------------------------------------------------- the same however it is asked

static plan_rig some_rig(uint64_t which) {
    kerb_random random = kerb_random_make(5, which);
    return plan_rig_thesis(&random);
}

static void slices_do_not_change_the_answer(void** state) {
    (void)state;
    for (uint64_t which = 0; which < 10; which++) {
        plan_rig rig = some_rig(which);
        const kerb_host host = kerb_host_default();
        kerb_planner_settings settings = {.improvement = 1500, .seed = 3};
        kerb_planner whole, sliced;
        kerb_plan_query query = plan_rig_query(&rig);
        assert_int_equal(kerb_planner_create(&whole, &rig.limits, &settings, &host, NULL), KERB_OK);
        assert_int_equal(kerb_planner_create(&sliced, &rig.limits, &settings, &host, NULL),
                         KERB_OK);
        assert_int_equal(kerb_planner_begin(&whole, &query, NULL), KERB_OK);
        assert_int_equal(kerb_planner_begin(&sliced, &query, NULL), KERB_OK);
        assert_int_equal(kerb_planner_advance(&whole, 100000), KERB_PLAN_FOUND);
        float last = KERB_PLAN_NEVER;
        while (kerb_planner_advance(&sliced, 7) == KERB_PLAN_RUNNING) {
            kerb_plan plan = kerb_planner_get_plan(&sliced);
            assert_true(plan.cost <= last * (1.0f + 1e-5f)); // the best so far, at any moment
            last = plan.cost;
        }
        kerb_plan a = kerb_planner_get_plan(&whole), b = kerb_planner_get_plan(&sliced);
        assert_int_equal(a.count, b.count);
        assert_int_equal(a.steps, b.steps);
        assert_memory_equal(a.pieces, b.pieces, (size_t)a.count * sizeof *a.pieces);
        kerb_planner_destroy(&whole);
        kerb_planner_destroy(&sliced);
    }
}

static void a_copy_of_its_memory_goes_on_with_the_same_bits(void** state) {
    (void)state;
    plan_rig rig = some_rig(11);
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = {.improvement = 2000, .seed = 0};
    kerb_planner planner, copy;
    kerb_plan_query query = plan_rig_query(&rig);
    assert_int_equal(kerb_planner_create(&planner, &rig.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_create(&copy, &rig.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
    kerb_planner_advance(&planner, 700);
    assert_int_equal(planner.bytes, copy.bytes);
    memcpy(copy.memory, planner.memory, planner.bytes);
    kerb_planner_advance(&planner, 100000);
    kerb_planner_advance(&copy, 100000);
    kerb_plan a = kerb_planner_get_plan(&planner), b = kerb_planner_get_plan(&copy);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.pieces, b.pieces, (size_t)a.count * sizeof *a.pieces);
    kerb_planner_destroy(&planner);
    kerb_planner_destroy(&copy);
}

static void what_was_planned_before_does_not_matter(void** state) {
    (void)state;
    plan_rig rig = some_rig(12), other = some_rig(13);
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = {.improvement = 1000, .seed = 0};
    kerb_planner fresh, used;
    kerb_plan_query query = plan_rig_query(&rig), before = plan_rig_query(&other);
    assert_int_equal(kerb_planner_create(&fresh, &rig.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_create(&used, &rig.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&used, &before, NULL), KERB_OK);
    kerb_planner_advance(&used, 600);
    assert_int_equal(kerb_planner_begin(&used, &query, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&fresh, &query, NULL), KERB_OK);
    kerb_planner_advance(&used, 100000);
    kerb_planner_advance(&fresh, 100000);
    kerb_plan a = kerb_planner_get_plan(&fresh), b = kerb_planner_get_plan(&used);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.pieces, b.pieces, (size_t)a.count * sizeof *a.pieces);
    kerb_planner_destroy(&fresh);
    kerb_planner_destroy(&used);
}

// ------------------------------------------------------------------- several ends

static void of_several_ends_the_pair_that_costs_least_is_taken(void** state) {
    (void)state;
    kerb_random random = test_random("planner_ends");
    for (int i = 0; i < 60; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_plan_end starts[3], goals[4];
        for (int k = 0; k < 4; k++) {
            plan_rig other = plan_rig_thesis(&random);
            goals[k] = other.to;
            goals[k].penalty = kerb_random_between(&random, 0.0f, 3.0f);
            if (k < 3) {
                starts[k] = other.from;
                starts[k].penalty = kerb_random_between(&random, 0.0f, 3.0f);
            }
        }
        float least = KERB_PLAN_NEVER;
        kerb_planner planner;
        for (int k = 0; k < 12; k++) {
            rig.from = starts[k / 4];
            rig.to = goals[k % 4];
            plan_rig_run(&planner, &rig, 0);
            least = kerb_min(least, kerb_planner_get_plan(&planner).cost);
            kerb_planner_destroy(&planner);
        }
        const kerb_host host = kerb_host_default();
        const kerb_planner_settings settings = {.improvement = 0, .seed = 0};
        const kerb_plan_query query = {starts, goals, 3, 4};
        assert_int_equal(kerb_planner_create(&planner, &rig.limits, &settings, &host, NULL),
                         KERB_OK);
        assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
        assert_int_equal(kerb_planner_advance(&planner, 100), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        assert_true(plan.cost == least);
        assert_int_equal(kerb_plan_check(&rig.limits, &query, NULL, &plan, NULL), KERB_OK);
        kerb_planner_destroy(&planner);
    }
}

// ------------------------------------------------------------------- outcomes and errors

static void a_speed_beyond_the_limits_is_impossible(void** state) {
    (void)state;
    plan_rig rig = some_rig(1);
    kerb_planner planner;
    rig.from.speed = 14.0f;
    assert_int_equal(plan_rig_run(&planner, &rig, 0), KERB_PLAN_IMPOSSIBLE);
    assert_int_equal(kerb_planner_get_plan(&planner).count, 0);
    assert_int_equal(kerb_planner_get_plan(&planner).method, KERB_PLAN_METHOD_NONE);
    kerb_planner_destroy(&planner);
    rig = some_rig(1);
    rig.to.speed = -1.0f; // it may not reverse
    assert_int_equal(plan_rig_run(&planner, &rig, 0), KERB_PLAN_IMPOSSIBLE);
    kerb_planner_destroy(&planner);
}

static void cancelling_keeps_the_best_so_far(void** state) {
    (void)state;
    plan_rig rig = some_rig(2);
    const kerb_host host = kerb_host_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    kerb_plan_query query = plan_rig_query(&rig);
    assert_int_equal(kerb_planner_create(&planner, &rig.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
    assert_int_equal(kerb_planner_advance(&planner, 20), KERB_PLAN_RUNNING);
    kerb_planner_cancel(&planner);
    assert_int_equal(kerb_planner_advance(&planner, 20), KERB_PLAN_CANCELLED);
    assert_int_equal(kerb_planner_get_plan(&planner).steps, 20);
    expect_legal(&rig, &planner);
    kerb_planner_destroy(&planner);
}

static void before_any_query_there_is_no_movement(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    const kerb_plan_limits limits = kerb_plan_limits_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    assert_int_equal(kerb_planner_create(&planner, &limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_advance(&planner, 20), KERB_PLAN_NO_PATH);
    assert_int_equal(kerb_planner_get_plan(&planner).count, 0);
    kerb_planner_destroy(&planner);
}

static void expect_refused(const kerb_plan_query* query, kerb_result result, const char* field,
                           int32_t index) {
    const kerb_host host = kerb_host_default();
    const kerb_plan_limits limits = kerb_plan_limits_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    kerb_error error;
    assert_int_equal(kerb_planner_create(&planner, &limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&planner, query, &error), result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
    assert_int_equal(kerb_planner_advance(&planner, 5), KERB_PLAN_NO_PATH);
    kerb_planner_destroy(&planner);
    kerb_error alone;
    assert_int_equal(kerb_plan_query_validate(query, &alone), result);
    assert_int_equal(kerb_plan_query_validate(query, NULL), result);
    assert_string_equal(alone.field, field);
    assert_int_equal(alone.index, index);
    assert_string_equal(alone.message, error.message);
}

// Each number of an end, and a value that a goal must not have; a start must have no tolerance.
static const struct {
    const char* field;
    size_t offset;
    float bad;
} end_numbers[] = {
    {"pose", offsetof(kerb_plan_end, pose.position.x), 1.1e6f},
    {"pose", offsetof(kerb_plan_end, pose.position.y), -1.1e6f},
    {"pose", offsetof(kerb_plan_end, pose.forward.x), 2.0f},
    {"pose", offsetof(kerb_plan_end, pose.forward.y), -1.5f},
    {"speed", offsetof(kerb_plan_end, speed), NAN},
    {"penalty", offsetof(kerb_plan_end, penalty), -0.1f},
    {"position_tolerance", offsetof(kerb_plan_end, position_tolerance), -0.1f},
    {"position_tolerance", offsetof(kerb_plan_end, position_tolerance), 1.1e6f},
    {"heading_tolerance", offsetof(kerb_plan_end, heading_tolerance), -0.1f},
    {"speed_tolerance", offsetof(kerb_plan_end, speed_tolerance), -0.1f},
};

static void every_number_of_an_end_is_refused_by_field_and_index(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof end_numbers / sizeof *end_numbers; i++) {
        const float values[] = {NAN, INFINITY, end_numbers[i].bad};
        for (int k = 0; k < 6; k++) {
            kerb_plan_end starts[3], goals[3];
            for (int n = 0; n < 3; n++)
                starts[n] = goals[n] = kerb_plan_end_make((float)n, 2.0f, 0.3f, 4.0f);
            goals[1].position_tolerance = goals[1].heading_tolerance = 0.5f;
            kerb_plan_query query = {starts, goals, 3, 3};
            assert_int_equal(kerb_plan_query_validate(&query, NULL), KERB_OK);
            kerb_plan_end* end = k < 3 ? &starts[k] : &goals[5 - k];
            memcpy((char*)end + end_numbers[i].offset, &values[k % 3], sizeof(float));
            kerb_result result =
                kerb_is_finite(values[k % 3]) ? KERB_ERROR_OUT_OF_RANGE : KERB_ERROR_NOT_FINITE;
            expect_refused(&query, result, end_numbers[i].field, k < 3 ? k : 5 - k);
        }
    }
}

static void a_start_has_no_tolerance(void** state) {
    (void)state;
    const char* const fields[3] = {"position_tolerance", "heading_tolerance", "speed_tolerance"};
    for (int k = 0; k < 3; k++) {
        kerb_plan_end start = kerb_plan_end_make(0, 0, 0, 0), goal = kerb_plan_end_make(9, 9, 0, 0);
        const float tolerance[3] = {k == 0, k == 1, k == 2};
        start.position_tolerance = tolerance[0];
        start.heading_tolerance = tolerance[1];
        start.speed_tolerance = tolerance[2];
        const kerb_plan_query query = {&start, &goal, 1, 1};
        expect_refused(&query, KERB_ERROR_OUT_OF_RANGE, fields[k], 0);
    }
}

static void bad_ends_are_refused_by_name(void** state) {
    (void)state;
    kerb_plan_end ends[KERB_PLAN_ENDS_MAX + 1];
    for (int i = 0; i <= KERB_PLAN_ENDS_MAX; i++)
        ends[i] = kerb_plan_end_make(1.0f, 2.0f, 3.0f, 4.0f);
    kerb_plan_end bad[2] = {ends[0], ends[0]};
    const kerb_plan_query query = {ends, bad, 1, 2};
    bad[1].pose.position.x = NAN;
    expect_refused(&query, KERB_ERROR_NOT_FINITE, "pose", 1);
    bad[1].pose.position.x = 2e6f;
    expect_refused(&query, KERB_ERROR_OUT_OF_RANGE, "pose", 1);
    bad[1] = ends[0];
    bad[1].pose.forward.x = 2.0f;
    expect_refused(&query, KERB_ERROR_OUT_OF_RANGE, "pose", 1);
    bad[1] = ends[0];
    bad[1].speed = INFINITY;
    expect_refused(&query, KERB_ERROR_NOT_FINITE, "speed", 1);
    bad[1] = ends[0];
    bad[1].penalty = -1.0f;
    expect_refused(&query, KERB_ERROR_OUT_OF_RANGE, "penalty", 1);
    const kerb_plan_query none = {ends, ends, 0, 1}, many = {ends, ends, 1, KERB_PLAN_ENDS_MAX + 1};
    expect_refused(&none, KERB_ERROR_TOO_FEW, "start_count", -1);
    expect_refused(&many, KERB_ERROR_TOO_MANY, "goal_count", -1);
}

static void bad_limits_are_refused_by_name(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    for (int32_t i = 0; i < kerb_plan_limits_table.count; i++) {
        const float values[] = {NAN, INFINITY, -1000.0f};
        for (int k = 0; k < 3; k++) {
            const kerb_setting* setting = &kerb_plan_limits_table.settings[i];
            kerb_plan_limits limits = kerb_plan_limits_default();
            memcpy((char*)&limits + setting->offset, &values[k], sizeof(float));
            kerb_planner planner;
            kerb_error error;
            assert_int_not_equal(kerb_planner_create(&planner, &limits, &settings, &host, &error),
                                 KERB_OK);
            assert_string_equal(error.field, setting->name);
            assert_null(planner.memory);
        }
    }
}

static void without_memory_it_says_so(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    const kerb_host host = test_allocation_host(&allocation);
    const kerb_plan_limits limits = kerb_plan_limits_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_planner planner;
        kerb_result result = kerb_planner_create(&planner, &limits, &settings, &host, NULL);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_planner_destroy(&planner);
        test_allocation_check(&allocation);
    }
}

static void planning_allocates_nothing(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    const kerb_host host = test_allocation_host(&allocation);
    plan_rig rig = some_rig(4);
    const kerb_planner_settings settings = {.improvement = 500, .seed = 0};
    kerb_planner planner;
    assert_int_equal(kerb_planner_create(&planner, &rig.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(allocation.calls, 1);
    assert_int_equal(allocation.live_bytes, kerb_planner_bytes());
    for (uint64_t which = 0; which < 5; which++) {
        plan_rig next = some_rig(which);
        kerb_plan_query query = plan_rig_query(&next);
        assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
        kerb_planner_advance(&planner, 10000);
    }
    assert_int_equal(allocation.calls, 1);
    kerb_planner_destroy(&planner);
    test_allocation_check(&allocation);
}

// ------------------------------------------------------------------- reading a movement

static void states_follow_one_another_without_a_jump(void** state) {
    (void)state;
    kerb_random random = test_random("planner_states");
    for (int i = 0; i < 50; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        rig.limits.reverse_speed_max = i % 2 == 0 ? 5.0f : 0.0f;
        kerb_planner planner;
        plan_rig_run(&planner, &rig, 300);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        kerb_plan_state last = kerb_plan_at(&plan, 0.0f);
        assert_float_equal(last.speed, rig.from.speed, 2e-3f);
        const float step = 0.01f;
        for (float t = step; t < plan.time; t += step) {
            kerb_plan_state now = kerb_plan_at(&plan, t);
            kerb_vec2 moved = kerb_vec2_sub(now.pose.position, last.pose.position);
            float mean = 0.5f * (kerb_abs(now.speed) + kerb_abs(last.speed));
            assert_true(kerb_abs(kerb_vec2_length(moved) - mean * step) < 2e-3f);
            assert_true(kerb_abs(now.speed - last.speed) < 5.0f * step + 5e-3f);
            last = now;
        }
        kerb_plan_state end = kerb_plan_at(&plan, 1e9f);
        assert_float_equal(end.pose.position.x, rig.to.pose.position.x, 2e-3f);
        assert_float_equal(end.pose.position.y, rig.to.pose.position.y, 2e-3f);
        assert_float_equal(end.speed, rig.to.speed, 5e-3f);
        assert_true(kerb_plan_at(&plan, NAN).time == 0.0f);
        kerb_planner_destroy(&planner);
    }
}

static void limits_of_a_vehicle_are_its_own(void** state) {
    (void)state;
    kerb_vehicle car = kerb_vehicle_default();
    kerb_plan_limits dry = kerb_plan_limits_of(&car, 1.0f), ice = kerb_plan_limits_of(&car, 0.2f);
    assert_int_equal(kerb_plan_limits_validate(&dry, NULL), KERB_OK);
    assert_int_equal(kerb_plan_limits_validate(&ice, NULL), KERB_OK);
    assert_float_equal(dry.turning_radius, kerb_vehicle_turning_radius(&car), 1e-5f);
    assert_float_equal(dry.front + dry.rear, car.length, 1e-5f);
    assert_float_equal(dry.braking, car.braking_max, 1e-5f);
    assert_float_equal(ice.braking, 0.2f * car.braking_max, 1e-5f);
    assert_float_equal(ice.lateral_acceleration, 0.2f * car.lateral_acceleration_max, 1e-5f);
    assert_true(ice.acceleration < dry.acceleration);
    assert_true(kerb_plan_limits_of(&car, 1.5f).acceleration == dry.acceleration);
}

int planner_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_random_goal_of_the_thesis_is_reached_at_once),
        cmocka_unit_test(so_is_every_goal_of_vehicles_of_all_sorts),
        cmocka_unit_test(so_it_is_in_reverse),
        cmocka_unit_test(improved_movements_keep_every_limit),
        cmocka_unit_test(the_least_goals_are_reached_too),
        cmocka_unit_test(far_from_the_origin_it_plans_as_well_as_floats_can_say),
        cmocka_unit_test(the_first_answer_and_the_improved_one_are_near_the_best),
        cmocka_unit_test(who_may_reverse_is_never_slower),
        cmocka_unit_test(no_reversing_where_driving_on_is_as_good),
        cmocka_unit_test(on_open_ground_straight_ahead_it_does_not_wobble),
        cmocka_unit_test(slices_do_not_change_the_answer),
        cmocka_unit_test(a_copy_of_its_memory_goes_on_with_the_same_bits),
        cmocka_unit_test(what_was_planned_before_does_not_matter),
        cmocka_unit_test(of_several_ends_the_pair_that_costs_least_is_taken),
        cmocka_unit_test(a_speed_beyond_the_limits_is_impossible),
        cmocka_unit_test(cancelling_keeps_the_best_so_far),
        cmocka_unit_test(before_any_query_there_is_no_movement),
        cmocka_unit_test(bad_ends_are_refused_by_name),
        cmocka_unit_test(every_number_of_an_end_is_refused_by_field_and_index),
        cmocka_unit_test(a_start_has_no_tolerance),
        cmocka_unit_test(bad_limits_are_refused_by_name),
        cmocka_unit_test(without_memory_it_says_so),
        cmocka_unit_test(planning_allocates_nothing),
        cmocka_unit_test(states_follow_one_another_without_a_jump),
        cmocka_unit_test(limits_of_a_vehicle_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
