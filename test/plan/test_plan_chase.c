// Goals that move: where and when they are met, beside closed forms, and plans that go on.
#include "kerb/plan_chase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>

static kerb_planner chase_planner(const kerb_plan_limits* limits, int32_t improvement) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = improvement;
    settings.nodes = 8192;
    settings.field_cells = 20000;
    kerb_planner planner;
    assert_int_equal(kerb_planner_create(&planner, limits, &settings, &host, NULL), KERB_OK);
    return planner;
}

static kerb_plan_outcome chase_finish(kerb_plan_chase* chase, kerb_planner* planner) {
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_plan_chase_advance(chase, planner, 500);
    return outcome;
}

static kerb_plan_outcome chase_run(kerb_plan_chase* chase, kerb_planner* planner,
                                   const kerb_plan_end* from, const kerb_plan_target* target) {
    assert_int_equal(kerb_plan_chase_begin(chase, planner, from, target, NULL), KERB_OK);
    return chase_finish(chase, planner);
}

// The plan keeps the limits and ends at the target's place at the time of the meeting.
static void expect_meeting(const kerb_plan_limits* limits, const kerb_plan_world* world,
                           const kerb_plan_chase* chase, const kerb_planner* planner,
                           const kerb_plan_end* from) {
    kerb_plan plan = kerb_planner_get_plan(planner);
    kerb_plan_meeting m = kerb_plan_chase_meeting(chase);
    kerb_plan_end goals[2];
    goals[0] = goals[1] = kerb_plan_target_at(&chase->target, m.time);
    const kerb_plan_query query = {from, goals, 1, plan.goal + 1};
    kerb_error error = {.field = ""};
    if (kerb_plan_check(limits, &query, world, &plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
    assert_true(m.is_met == (m.early >= 0.0f));
    assert_float_equal(m.early, m.time - plan.time, 1e-3f);
    assert_true(!m.is_met || m.time >= m.time_bound - 1e-3f);
}

// The least time at which a point with one speed reaches one that moves straight on; negative:
// never. Roots of |p + v t| = s t.
static double closed_form(double x, double y, double vx, double vy, double s) {
    double a = vx * vx + vy * vy - s * s, b = x * vx + y * vy, c = x * x + y * y;
    double root = b * b - a * c;
    if (fabs(a) < 1e-9 || root < 0)
        return -1;
    double first = (-b - sqrt(root)) / a, second = (-b + sqrt(root)) / a;
    double least = fmin(first, second), most = fmax(first, second);
    return least >= 0 ? least : most;
}

// A vehicle that is nearly a point: it turns and changes its speed in almost no time.
static kerb_plan_limits point_limits(float speed) {
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = 0.1f;
    limits.speed_max = speed;
    limits.acceleration = limits.braking = 100.0f;
    limits.lateral_acceleration = 1000.0f;
    return limits;
}

static void a_target_that_drives_straight_on_is_met_when_the_quadratic_says(void** state) {
    (void)state;
    kerb_random random = test_random("plan_chase_quadratic");
    int32_t met = 0;
    for (int32_t trial = 0; trial < test_share(3000, 400); trial++) {
        float speed = kerb_random_between(&random, 5.0f, 10.0f);
        kerb_plan_limits limits = point_limits(speed);
        kerb_planner planner = chase_planner(&limits, 0);
        float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
        float share = kerb_random_between(&random, 0.0f, 0.9f), pace = share * speed;
        kerb_plan_target target =
            kerb_plan_target_make(kerb_random_between(&random, -200, 200),
                                  kerb_random_between(&random, -200, 200), heading, pace);
        target.position_tolerance = 0.01f;
        target.heading_tolerance = 4.0f;
        target.speed_tolerance = speed;
        kerb_plan_end from = kerb_plan_end_make(0, 0, 0, speed);
        kerb_plan_chase chase;
        assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
        kerb_plan_meeting m = kerb_plan_chase_meeting(&chase);
        double least = closed_form((double)target.pose.position.x, (double)target.pose.position.y,
                                   (double)(pace * kerb_cos(heading)),
                                   (double)(pace * kerb_sin(heading)), (double)speed);
        assert_true(least >= 0);
        if (least < 59) {
            // A half circle costs its length; where the target flees, what is lost grows.
            double late = (double)m.time - least, turn = 0.315 / (double)speed;
            if (!m.is_met || late < -0.01 || late > 0.11 + turn / (1.0 - (double)share))
                fail_msg("trial %d: met %d after %.3f s, closed form %.3f s", (int)trial, m.is_met,
                         (double)m.time, least);
            assert_true((double)m.time_bound <= least + 0.01);
            expect_meeting(&limits, NULL, &chase, &planner, &from);
            met++;
        } else if (least > 61)
            assert_false(m.is_met);
        kerb_planner_destroy(&planner);
    }
    assert_true(met > test_share(2000, 250));
}

static kerb_plan_limits car_limits(void) {
    const kerb_vehicle car = kerb_vehicle_default();
    kerb_plan_limits limits = kerb_plan_limits_to_drive(&car, 0.4f);
    limits.steering_time = 0.0f; // the rest of a plan does not say where the wheels are
    return limits;
}

static kerb_plan_target random_target(kerb_random* random) {
    kerb_plan_target target = kerb_plan_target_make(
        kerb_random_between(random, -80, 80), kerb_random_between(random, -80, 80),
        kerb_random_between(random, -KERB_PI, KERB_PI), kerb_random_between(random, 0, 9));
    target.curvature = kerb_random_between(random, -0.02f, 0.02f);
    target.behind = kerb_random_between(random, 0, 10);
    return target;
}

static void cars_meet_cars_within_their_limits(void** state) {
    (void)state;
    kerb_random random = test_random("plan_chase_cars");
    const kerb_plan_limits limits = car_limits();
    int32_t met = 0, close = 0, tries = 0, trials = test_share(300, 40);
    kerb_planner planner = chase_planner(&limits, 100);
    for (int32_t trial = 0; trial < trials; trial++) {
        kerb_plan_target target = random_target(&random);
        kerb_plan_end from = kerb_plan_end_make(0, 0, 0, kerb_random_between(&random, 0, 12));
        kerb_plan_chase chase;
        assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
        expect_meeting(&limits, NULL, &chase, &planner, &from);
        kerb_plan_meeting m = kerb_plan_chase_meeting(&chase);
        met += m.is_met;
        close += m.is_met && m.early <= KERB_PLAN_CHASE_ACCURACY;
        tries += m.tries;
    }
    kerb_planner_destroy(&planner);
    print_message("%d of %d met, %d within the accuracy, %.1f queries each\n", (int)met,
                  (int)trials, (int)close, (double)tries / trials);
    assert_true(met * 100 >= trials * 95);
    assert_true(close * 10 >= met * 8);
    assert_true(tries <= 6 * trials);
}

// A target that drives away in front can be met at no earlier time: its distance only grows.
static void no_plan_meets_a_fleeing_target_much_sooner(void** state) {
    (void)state;
    kerb_random random = test_random("plan_chase_sooner");
    const kerb_plan_limits limits = car_limits();
    kerb_planner planner = chase_planner(&limits, 100);
    for (int32_t trial = 0; trial < test_share(100, 20); trial++) {
        kerb_plan_target target = kerb_plan_target_make(
            kerb_random_between(&random, 30, 90), kerb_random_between(&random, -20, 20),
            kerb_random_between(&random, -0.5f, 0.5f), kerb_random_between(&random, 0, 8));
        kerb_plan_end from = kerb_plan_end_make(0, 0, 0, kerb_random_between(&random, 0, 12));
        kerb_plan_chase chase;
        assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
        float time = 0.9f * (kerb_plan_chase_meeting(&chase).time - 0.2f);
        assert_true(kerb_plan_chase_meeting(&chase).is_met);
        kerb_plan_end goal = kerb_plan_target_at(&target, time);
        const kerb_plan_query query = {&from, &goal, 1, 1};
        assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
        while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
            continue;
        assert_true(kerb_planner_get_plan(&planner).time > time);
    }
    kerb_planner_destroy(&planner);
}

static void a_target_that_stands_has_the_plain_plan(void** state) {
    (void)state;
    kerb_random random = test_random("plan_chase_stands");
    const kerb_plan_limits limits = car_limits();
    kerb_planner planner = chase_planner(&limits, 200), plain = chase_planner(&limits, 200);
    for (int32_t trial = 0; trial < test_share(100, 20); trial++) {
        kerb_plan_target target = random_target(&random);
        target.speed = 0.0f;
        kerb_plan_end from = kerb_plan_end_make(0, 0, 0, kerb_random_between(&random, 0, 12));
        kerb_plan_end goal = kerb_plan_target_at(&target, 7.0f);
        goal.position_tolerance *= 0.5f;
        goal.heading_tolerance *= 0.5f;
        goal.speed_tolerance *= 0.5f;
        kerb_plan_chase chase;
        assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
        const kerb_plan_query query = {&from, &goal, 1, 1};
        assert_int_equal(kerb_planner_begin(&plain, &query, NULL), KERB_OK);
        while (kerb_planner_advance(&plain, 1000) == KERB_PLAN_RUNNING)
            continue;
        kerb_plan a = kerb_planner_get_plan(&planner), b = kerb_planner_get_plan(&plain);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.pieces, b.pieces, (size_t)a.count * sizeof a.pieces[0]);
        assert_true(kerb_plan_chase_meeting(&chase).is_met);
        assert_float_equal(kerb_plan_chase_meeting(&chase).time, a.time, 1e-3f);
        assert_int_equal(kerb_plan_chase_meeting(&chase).tries, 1);
    }
    kerb_planner_destroy(&planner);
    kerb_planner_destroy(&plain);
}

// The target as it is known `time` seconds later, if it does as expected.
static kerb_plan_target target_later(const kerb_plan_target* target, float time) {
    kerb_plan_target later = *target;
    float behind = target->behind;
    later.behind = 0.0f;
    later.pose = kerb_plan_target_at(&later, time).pose;
    later.behind = behind;
    return later;
}

static void a_plan_goes_on_while_the_target_does_as_expected(void** state) {
    (void)state;
    kerb_random random = test_random("plan_chase_onward");
    const kerb_plan_limits limits = car_limits();
    kerb_planner planner = chase_planner(&limits, 200);
    int32_t asked = 0, kept = 0;
    for (int32_t trial = 0; trial < test_share(40, 10); trial++) {
        kerb_plan_target target = random_target(&random);
        kerb_plan_end from = kerb_plan_end_make(0, 0, 0, 5);
        kerb_plan_chase chase;
        assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
        kerb_plan_meeting first = kerb_plan_chase_meeting(&chase);
        if (!first.is_met || first.early > KERB_PLAN_CHASE_ACCURACY)
            continue;
        const float step = 0.4f;
        for (float now = step; now + step < first.time; now += step) {
            target = target_later(&target, step);
            // What is known of it is not exact.
            kerb_plan_target seen = target;
            seen.pose.position.x += kerb_random_between(&random, -0.3f, 0.3f);
            seen.pose.position.y += kerb_random_between(&random, -0.3f, 0.3f);
            kerb_plan_end here;
            assert_int_equal(
                kerb_plan_chase_begin_onward(&chase, &planner, step, 0.5f, &seen, &here, NULL),
                KERB_OK);
            assert_int_equal(chase_finish(&chase, &planner), KERB_PLAN_FOUND);
            expect_meeting(&limits, NULL, &chase, &planner, &here);
            kerb_plan_meeting m = kerb_plan_chase_meeting(&chase);
            asked++;
            if (!m.goes_on) // something is better by more than the price
                break;
            kept++;
            assert_float_equal(m.time, first.time - now, 0.01f);
        }
    }
    kerb_planner_destroy(&planner);
    print_message("%d of %d went on\n", (int)kept, (int)asked);
    assert_true(asked > 50 && kept * 100 >= asked * 95);
}

static void a_target_that_turns_off_is_met_elsewhere(void** state) {
    (void)state;
    kerb_random random = test_random("plan_chase_turns_off");
    const kerb_plan_limits limits = car_limits();
    kerb_planner planner = chase_planner(&limits, 200);
    for (int32_t trial = 0; trial < test_share(40, 10); trial++) {
        kerb_plan_target target = kerb_plan_target_make(30, 0, 0, 6);
        kerb_plan_end from = kerb_plan_end_make(0, kerb_random_between(&random, -5, 5), 0, 6);
        kerb_plan_chase chase;
        assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
        target = target_later(&target, 1.0f);
        target.curvature = kerb_random_between(&random, 0.02f, 0.05f);
        kerb_plan_end here;
        assert_int_equal(
            kerb_plan_chase_begin_onward(&chase, &planner, 1.0f, 1000.0f, &target, &here, NULL),
            KERB_OK);
        assert_int_equal(chase_finish(&chase, &planner), KERB_PLAN_FOUND);
        assert_false(kerb_plan_chase_meeting(&chase).goes_on);
        assert_true(kerb_plan_chase_meeting(&chase).is_met);
        expect_meeting(&limits, NULL, &chase, &planner, &here);
    }
    kerb_planner_destroy(&planner);
}

// A barrier that is taken away lets the target be met sooner.
static void a_plan_is_given_up_where_the_target_can_be_met_sooner_by_the_price(void** state) {
    (void)state;
    static const int32_t four = 4;
    const kerb_plan_limits limits = car_limits();
    const kerb_vec2 barrier[4] = {{20, -30}, {21, -30}, {21, 14}, {20, 14}};
    const kerb_plan_world world = {.vertices = barrier, .vertex_counts = &four, .polygon_count = 1};
    for (int32_t i = 0; i < 2; i++) {
        kerb_planner planner = chase_planner(&limits, 200);
        assert_int_equal(kerb_planner_set_world(&planner, &world, NULL), KERB_OK);
        kerb_plan_target target = kerb_plan_target_make(45, 0, 0, 4);
        kerb_plan_end from = kerb_plan_end_make(0, 0, 0, 5), here;
        kerb_plan_chase chase;
        assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
        expect_meeting(&limits, &world, &chase, &planner, &from);
        float first = kerb_plan_chase_meeting(&chase).time;
        assert_true(kerb_plan_chase_meeting(&chase).is_met);
        assert_int_equal(kerb_planner_change_polygon(&planner, 0, NULL, 0, NULL), KERB_OK);
        assert_int_equal(kerb_plan_chase_begin_onward(&chase, &planner, 0.0f, i == 0 ? 100 : 0.3f,
                                                      &target, &here, NULL),
                         KERB_OK);
        assert_int_equal(chase_finish(&chase, &planner), KERB_PLAN_FOUND);
        kerb_plan_meeting m = kerb_plan_chase_meeting(&chase);
        assert_int_equal(m.goes_on, i == 0);
        assert_true(i == 0 ? m.time == first : m.time < first - 0.3f);
        expect_meeting(&limits, NULL, &chase, &planner, &here);
        kerb_planner_destroy(&planner);
    }
}

// What is won at the place of the meeting is less than the price, but a target that flees can be
// met sooner elsewhere, because what is won grows.
static void a_meeting_elsewhere_counts_by_when_it_is(void** state) {
    (void)state;
    static const int32_t four = 4;
    kerb_plan_limits limits = car_limits();
    limits.speed_max = 10.0f;
    const kerb_vec2 barrier[4] = {{40, -60}, {41, -60}, {41, 12}, {40, 12}};
    const kerb_plan_world world = {.vertices = barrier, .vertex_counts = &four, .polygon_count = 1};
    kerb_planner planner = chase_planner(&limits, 200), open = chase_planner(&limits, 200);
    assert_int_equal(kerb_planner_set_world(&planner, &world, NULL), KERB_OK);
    kerb_plan_target target = kerb_plan_target_make(60, 0, 0, 7);
    kerb_plan_end from = kerb_plan_end_make(0, 0, 0, 10), here;
    kerb_plan_chase chase, fresh;
    assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
    float first = kerb_plan_chase_meeting(&chase).time;
    assert_int_equal(chase_run(&fresh, &open, &from, &target), KERB_PLAN_FOUND);
    float sooner = first - kerb_plan_chase_meeting(&fresh).time;
    kerb_plan_end goal = kerb_plan_target_at(&target, first);
    const kerb_plan_query query = {&from, &goal, 1, 1};
    assert_int_equal(kerb_planner_begin(&open, &query, NULL), KERB_OK);
    while (kerb_planner_advance(&open, 1000) == KERB_PLAN_RUNNING)
        continue;
    float won = first - kerb_planner_get_plan(&open).time;
    assert_true(won > 0.1f && sooner > 1.5f * won);
    assert_int_equal(kerb_planner_change_polygon(&planner, 0, NULL, 0, NULL), KERB_OK);
    assert_int_equal(kerb_plan_chase_begin_onward(&chase, &planner, 0.0f, 0.5f * (won + sooner),
                                                  &target, &here, NULL),
                     KERB_OK);
    assert_int_equal(chase_finish(&chase, &planner), KERB_PLAN_FOUND);
    assert_false(kerb_plan_chase_meeting(&chase).goes_on);
    assert_true(kerb_plan_chase_meeting(&chase).time < first - won);
    kerb_planner_destroy(&planner);
    kerb_planner_destroy(&open);
}

// On a circle of 50 m at 5 m/s, 10 m behind: a fifth of a radian behind where it is.
static void a_target_drives_on_along_its_arc(void** state) {
    (void)state;
    kerb_plan_target target = kerb_plan_target_make(0, 0, 0, 5);
    target.curvature = 0.02f;
    target.behind = 10.0f;
    for (int32_t i = 0; i < 10; i++) {
        float time = 3.0f * (float)i, angle = 0.1f * time - 0.2f;
        kerb_plan_end end = kerb_plan_target_at(&target, time);
        assert_float_equal(end.pose.position.x, 50.0f * kerb_sin(angle), 1e-3f);
        assert_float_equal(end.pose.position.y, 50.0f * (1.0f - kerb_cos(angle)), 1e-3f);
        assert_float_equal(end.pose.forward.x, kerb_cos(angle), 1e-4f);
        assert_float_equal(end.speed, 5.0f, 1e-6f);
    }
    // In reverse its way leads back, and behind it is ahead of its nose.
    target.speed = -5.0f;
    target.curvature = 0.0f;
    assert_float_equal(kerb_plan_target_at(&target, 4.0f).pose.position.x, -10.0f, 1e-3f);
}

static void slices_do_not_change_a_chase(void** state) {
    (void)state;
    kerb_random random = test_random("plan_chase_slices");
    const kerb_plan_limits limits = car_limits();
    const int32_t slices[3] = {1, 37, 1000000};
    for (int32_t trial = 0; trial < test_share(10, 3); trial++) {
        kerb_plan_target target = random_target(&random);
        kerb_plan_end from = kerb_plan_end_make(0, 0, 0, 5);
        kerb_planner planners[3];
        kerb_plan_chase chases[3];
        for (int32_t i = 0; i < 3; i++) {
            planners[i] = chase_planner(&limits, 100);
            assert_int_equal(kerb_plan_chase_begin(&chases[i], &planners[i], &from, &target, NULL),
                             KERB_OK);
            while (kerb_plan_chase_advance(&chases[i], &planners[i], slices[i]) ==
                   KERB_PLAN_RUNNING)
                continue;
            kerb_plan a = kerb_planner_get_plan(&planners[0]);
            kerb_plan b = kerb_planner_get_plan(&planners[i]);
            assert_int_equal(a.count, b.count);
            assert_memory_equal(a.pieces, b.pieces, (size_t)a.count * sizeof a.pieces[0]);
            assert_memory_equal(&chases[0].made.time, &chases[i].made.time, sizeof(float));
            assert_int_equal(chases[0].steps, chases[i].steps);
        }
        for (int32_t i = 0; i < 3; i++)
            kerb_planner_destroy(&planners[i]);
    }
}

static void a_target_that_is_too_quick_is_followed_to_its_horizon(void** state) {
    (void)state;
    const kerb_plan_limits limits = car_limits();
    kerb_planner planner = chase_planner(&limits, 100);
    kerb_plan_target target = kerb_plan_target_make(20, 0, 0, 40);
    target.horizon = 5.0f;
    kerb_plan_end from = kerb_plan_end_make(0, 0, 0, 5);
    kerb_plan_chase chase;
    // It cannot have the target's speed.
    assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_IMPOSSIBLE);
    target.speed_tolerance = 40.0f;
    assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
    kerb_plan_meeting m = kerb_plan_chase_meeting(&chase);
    assert_false(m.is_met);
    assert_true(m.early < -1.0f);
    assert_float_equal(m.time, 5.0f, 1e-4f);
    kerb_plan plan = kerb_planner_get_plan(&planner);
    assert_float_equal(kerb_plan_at(&plan, plan.time).pose.position.x, 220.0f, 1.01f);
    // Asked anew, it looks again: now the target stops.
    target = kerb_plan_target_make(60, 0, 0, 0);
    kerb_plan_end here;
    assert_int_equal(
        kerb_plan_chase_begin_onward(&chase, &planner, 1.0f, 0.5f, &target, &here, NULL), KERB_OK);
    assert_int_equal(chase_finish(&chase, &planner), KERB_PLAN_FOUND);
    assert_true(kerb_plan_chase_meeting(&chase).is_met);
    expect_meeting(&limits, NULL, &chase, &planner, &here);
    kerb_planner_destroy(&planner);
}

// Brakes from 10 m/s to a stop, then stands.
static kerb_plan_end braking(void* context, float time) {
    const float* deceleration = context;
    float stop = 10.0f / *deceleration, t = kerb_min(time, stop);
    kerb_plan_end end = kerb_plan_end_make((10.0f - 0.5f * *deceleration * t) * t, 30, 0,
                                           time < stop ? 10.0f - *deceleration * t : 0);
    return end;
}

static void the_host_may_predict_by_itself(void** state) {
    (void)state;
    const kerb_plan_limits limits = car_limits();
    kerb_planner planner = chase_planner(&limits, 100);
    float deceleration = 5.0f;
    kerb_plan_target target = kerb_plan_target_make(0, 0, 0, 0);
    target.end_at = braking;
    target.context = &deceleration;
    target.position_tolerance = 0.0f;
    kerb_plan_end from = kerb_plan_end_make(-100, 30, 0, 10);
    kerb_plan_chase chase;
    assert_int_equal(chase_run(&chase, &planner, &from, &target), KERB_PLAN_FOUND);
    expect_meeting(&limits, NULL, &chase, &planner, &from);
    kerb_plan plan = kerb_planner_get_plan(&planner);
    assert_float_equal(kerb_plan_at(&plan, plan.time).pose.position.x, 10.0f, 0.01f);
    assert_float_equal(kerb_plan_chase_meeting(&chase).early, 0.0f, KERB_PLAN_CHASE_ACCURACY);
    kerb_planner_destroy(&planner);
}

static void bad_targets_are_refused_by_name(void** state) {
    (void)state;
    const kerb_plan_limits limits = car_limits();
    kerb_planner planner = chase_planner(&limits, 0);
    kerb_plan_target bad[7];
    for (int32_t i = 0; i < 7; i++)
        bad[i] = kerb_plan_target_make(10, 0, 0, 1);
    bad[0].speed = NAN;
    bad[1].curvature = 11.0f;
    bad[2].behind = INFINITY;
    bad[3].horizon = -1.0f;
    bad[4].position_tolerance = -1.0f;
    bad[5].pose.forward = kerb_vec2_make(0, 0);
    bad[6].speed_tolerance = NAN;
    static const char* const fields[7] = {
        "speed", "curvature", "behind", "horizon", "position_tolerance", "pose", "speed_tolerance"};
    kerb_plan_end from = kerb_plan_end_make(0, 0, 0, 0);
    for (int32_t i = 0; i < 7; i++) {
        kerb_plan_chase chase;
        kerb_error error;
        assert_int_not_equal(kerb_plan_chase_begin(&chase, &planner, &from, &bad[i], &error),
                             KERB_OK);
        assert_string_equal(error.field, fields[i]);
        assert_int_equal(kerb_plan_chase_advance(&chase, &planner, 10), KERB_PLAN_NO_PATH);
        assert_int_equal(kerb_planner_get_plan(&planner).count, 0);
    }
    // Nothing to go on with.
    kerb_plan_target target = kerb_plan_target_make(10, 0, 0, 1);
    kerb_plan_chase chase = {.stage = 0};
    kerb_error error;
    assert_int_equal(kerb_plan_chase_begin_onward(&chase, &planner, 0, 0, &target, NULL, &error),
                     KERB_ERROR_TOO_FEW);
    assert_int_equal(kerb_plan_chase_advance(&chase, &planner, 10), KERB_PLAN_NO_PATH);
    kerb_planner_destroy(&planner);
}

int plan_chase_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_that_drives_straight_on_is_met_when_the_quadratic_says),
        cmocka_unit_test(cars_meet_cars_within_their_limits),
        cmocka_unit_test(no_plan_meets_a_fleeing_target_much_sooner),
        cmocka_unit_test(a_target_that_stands_has_the_plain_plan),
        cmocka_unit_test(a_plan_goes_on_while_the_target_does_as_expected),
        cmocka_unit_test(a_target_that_turns_off_is_met_elsewhere),
        cmocka_unit_test(a_plan_is_given_up_where_the_target_can_be_met_sooner_by_the_price),
        cmocka_unit_test(a_meeting_elsewhere_counts_by_when_it_is),
        cmocka_unit_test(a_target_drives_on_along_its_arc),
        cmocka_unit_test(slices_do_not_change_a_chase),
        cmocka_unit_test(a_target_that_is_too_quick_is_followed_to_its_horizon),
        cmocka_unit_test(the_host_may_predict_by_itself),
        cmocka_unit_test(bad_targets_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
