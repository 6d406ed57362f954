// A movement as waypoints of a path: on its arcs, with its speeds, its stands and its cusps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 20000

// [m] In doubles, to judge floats by.
static double apart(kerb_vec2 a, double x, double y) {
    return hypot((double)a.x - x, (double)a.y - y);
}

static kerb_vec2 ahead_of(kerb_pose pose, float ahead) {
    return kerb_vec2_make(pose.position.x + ahead * pose.forward.x,
                          pose.position.y + ahead * pose.forward.y);
}

// Two pieces: 8 m forwards to the left on a circle of 10 m up to rest; a stand of half a second;
// 3 m straight back from rest.
typedef struct sample {
    kerb_plan_piece pieces[3];
    kerb_plan plan;
} sample;

static void make_sample(sample* s) {
    memset(s, 0, sizeof *s);
    kerb_pose at = kerb_pose_make(5.0f, 7.0f, 1.0f);
    s->pieces[0] = (kerb_plan_piece){.start = at,
                                     .duration = 4.0f,
                                     .length = 8.0f,
                                     .speed = 4.0f,
                                     .acceleration = -1.0f,
                                     .curvature = 0.1f,
                                     .direction = 1};
    kerb_curve first = {at, 1, {0.1f}, {8.0f}};
    at = kerb_curve_end(&first);
    s->pieces[1] = (kerb_plan_piece){.start = at, .time = 4.0f, .duration = 0.5f, .direction = -1};
    s->pieces[2] = (kerb_plan_piece){.start = at,
                                     .time = 4.5f,
                                     .duration = 2.0f,
                                     .length = 3.0f,
                                     .acceleration = 1.5f,
                                     .direction = -1};
    s->plan = (kerb_plan){.pieces = s->pieces, .count = 3, .time = 6.5f, .length = 11.0f};
}

static int32_t convert(const kerb_plan* plan, const kerb_plan_path_settings* settings,
                       kerb_waypoint* waypoints) {
    int32_t count = 0;
    kerb_error error = {0};
    if (kerb_plan_waypoints(plan, settings, waypoints, CAPACITY, &count, &error) != KERB_OK)
        fail_msg("%s %d: %s", error.field, error.index, error.message);
    return count;
}

static void a_cusp_becomes_one_waypoint_with_its_stand_and_the_new_direction(void** state) {
    (void)state;
    sample s;
    make_sample(&s);
    kerb_plan_path_settings settings = kerb_plan_path_settings_default();
    kerb_waypoint waypoints[200];
    int32_t count = convert(&s.plan, &settings, waypoints), cusps = 0;
    for (int32_t i = 1; i < count; i++) {
        if (waypoints[i].stop > 0.0f || waypoints[i].direction != waypoints[i - 1].direction) {
            cusps++;
            assert_int_equal(waypoints[i].direction, -1);
            assert_float_equal(waypoints[i].stop, 0.5f, 0.0f);
            kerb_vec2 there = s.pieces[2].start.position;
            assert_true(apart(there, (double)waypoints[i].position.x,
                              (double)waypoints[i].position.y) < 1e-5);
        }
    }
    assert_int_equal(cusps, 1);
    assert_int_equal(waypoints[0].direction, 1);
    assert_int_equal(waypoints[count - 1].direction, -1);
    kerb_path path;
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_path_create(&path, waypoints, count, false, &host, NULL), KERB_OK);
    assert_int_equal(path.merged, 0);
    assert_true(fabs(path.length - 11.0) < 0.01);
    kerb_path_destroy(&path);
}

// Backwards for a millimetre and a half, then forwards again, without a stand in between.
static void a_cusp_is_kept_however_short_the_way_to_it(void** state) {
    (void)state;
    sample s;
    make_sample(&s);
    s.pieces[1].length = 0.0015f;
    s.pieces[1].duration = 0.01f;
    s.pieces[1].speed = 0.15f;
    s.pieces[2].direction = 1;
    kerb_plan_path_settings settings = kerb_plan_path_settings_default();
    kerb_waypoint waypoints[200];
    int32_t count = convert(&s.plan, &settings, waypoints), cusps = 0;
    for (int32_t i = 1; i < count; i++) {
        if (waypoints[i].direction != waypoints[i - 1].direction) {
            kerb_vec2 there = s.pieces[++cusps].start.position;
            assert_true(apart(there, (double)waypoints[i].position.x,
                              (double)waypoints[i].position.y) < 1e-5);
        }
    }
    assert_int_equal(cusps, 2);
}

static void limits_are_the_greatest_speeds_between_waypoints(void** state) {
    (void)state;
    sample s;
    make_sample(&s);
    kerb_plan_path_settings settings = kerb_plan_path_settings_default();
    settings.chord_error = 10.0f;
    settings.speed_step = 1.0f;
    kerb_waypoint waypoints[200];
    // The arc spans 0.8 rad, so that one chord would do: only the steps of speed cut it.
    assert_int_equal(convert(&s.plan, &settings, waypoints), 4 + 3 + 1);
    const float limits[] = {4.0f, 3.0f, 2.0f, 1.0f, 1.0f, 2.0f, 3.0f, 3.0f};
    for (int32_t i = 0; i < 8; i++)
        assert_float_equal(waypoints[i].speed_limit, limits[i], 1e-5f);
}

// ------------------------------------------------------------------ random movements

typedef struct drawn {
    plan_rig rig;
    kerb_planner planner;
    kerb_plan plan;
    kerb_plan_path_settings settings;
    kerb_waypoint* waypoints;
    int32_t count;
} drawn;

static void draw(drawn* d, kerb_random* random) {
    memset(d, 0, sizeof *d);
    d->rig = plan_rig_wild(random, kerb_random_below(random, 2) == 0);
    plan_rig_run(&d->planner, &d->rig, 200);
    d->plan = kerb_planner_get_plan(&d->planner);
    d->settings = kerb_plan_path_settings_default();
    d->settings.rear_axle_to_point = kerb_random_between(random, -1.0f, 2.0f);
    d->settings.chord_error = kerb_random_between(random, 0.002f, 0.1f);
    d->settings.speed_step = kerb_random_between(random, 0.1f, 2.0f);
    d->waypoints = malloc(CAPACITY * sizeof *d->waypoints);
    if (d->plan.count > 0 && d->plan.length > 0.01f)
        d->count = convert(&d->plan, &d->settings, d->waypoints);
}

static void drop(drawn* d) {
    kerb_planner_destroy(&d->planner);
    free(d->waypoints);
}

static double to_segment(kerb_vec2 p, const kerb_waypoint* from) {
    double ax = (double)from[0].position.x, ay = (double)from[0].position.y;
    double dx = (double)from[1].position.x - ax, dy = (double)from[1].position.y - ay;
    double square = dx * dx + dy * dy;
    double share =
        square > 0.0 ? (((double)p.x - ax) * dx + ((double)p.y - ay) * dy) / square : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return apart(p, ax + share * dx, ay + share * dy);
}

// Walks both at once: the segment of the present state is this one or a later one. At every moment
// the state must be near it, go its way, and not be faster than it says.
static void expect_on_the_way(const drawn* d) {
    const double allowed = (double)d->settings.chord_error + 0.003;
    int32_t at = 0;
    for (int32_t i = 0; i <= 2000; i++) {
        kerb_plan_state s = kerb_plan_at(&d->plan, d->plan.time * (float)i / 2000.0f);
        kerb_vec2 p = ahead_of(s.pose, d->settings.rear_axle_to_point);
        int32_t next = at;
        while (next + 1 < d->count - 1 &&
               (to_segment(p, &d->waypoints[next]) > allowed ||
                kerb_abs(s.speed) > d->waypoints[next].speed_limit * 1.001f + 0.02f ||
                (kerb_abs(s.speed) > 0.1f && d->waypoints[next].direction != s.direction)))
            next++;
        at = next;
        if (to_segment(p, &d->waypoints[at]) > allowed)
            fail_msg("%g m off after %g s", to_segment(p, &d->waypoints[at]), (double)s.time);
        float faster = kerb_abs(s.speed) - d->waypoints[at].speed_limit;
        if (faster > 0.02f + 0.001f * kerb_abs(s.speed))
            fail_msg("%g m/s too fast after %g s", (double)faster, (double)s.time);
    }
    assert_true(at >= d->count - 8);
}

static void segments_stay_by_the_movement_within_the_error_that_was_asked_for(void** state) {
    (void)state;
    kerb_random random = test_random("waypoints along random movements");
    for (int32_t i = 0; i < 60; i++) {
        drawn d;
        draw(&d, &random);
        if (d.count > 0)
            expect_on_the_way(&d);
        drop(&d);
    }
}

static void ends_cusps_stands_and_steps_of_speed_are_the_movements(void** state) {
    (void)state;
    kerb_random random = test_random("ends and cusps of random movements");
    for (int32_t i = 0; i < 60; i++) {
        drawn d;
        draw(&d, &random);
        if (d.count > 0) {
            kerb_plan_state from = kerb_plan_at(&d.plan, 0.0f);
            kerb_plan_state to = kerb_plan_at(&d.plan, d.plan.time);
            kerb_vec3 first = d.waypoints[0].position, last = d.waypoints[d.count - 1].position;
            assert_true(apart(ahead_of(from.pose, d.settings.rear_axle_to_point), (double)first.x,
                              (double)first.y) < 1e-4);
            assert_true(apart(ahead_of(to.pose, d.settings.rear_axle_to_point), (double)last.x,
                              (double)last.y) < 1e-3);
            double standing = 0.0, stops = 0.0;
            int32_t turns = 0, changes = 0, travel = 0;
            for (int32_t k = 0; k < d.plan.count; k++) {
                const kerb_plan_piece* piece = &d.plan.pieces[k];
                standing += piece->length > 0.0f ? 0.0 : (double)piece->duration;
                if (piece->length > 0.0f && travel != 0 && piece->direction != travel)
                    turns++;
                travel = piece->length > 0.0f ? piece->direction : travel;
            }
            for (int32_t k = 0; k < d.count; k++) {
                stops += (double)d.waypoints[k].stop;
                if (k > 0 && d.waypoints[k].direction != d.waypoints[k - 1].direction)
                    changes++;
            }
            assert_int_equal(changes, turns);
            assert_true(fabs(stops - standing) < 1e-4);
        }
        drop(&d);
    }
}

// ------------------------------------------------------------------ bad input

static void a_small_array_is_an_error_that_says_how_many_there_are(void** state) {
    (void)state;
    sample s;
    make_sample(&s);
    kerb_plan_path_settings settings = kerb_plan_path_settings_default();
    kerb_waypoint waypoints[200];
    int32_t whole = convert(&s.plan, &settings, waypoints), count = -1;
    kerb_error error;
    assert_int_equal(kerb_plan_waypoints(&s.plan, &settings, NULL, 0, &count, &error),
                     KERB_ERROR_TOO_MANY);
    assert_int_equal(count, whole);
    assert_string_equal(error.field, "waypoints");
    kerb_waypoint few[201];
    few[whole - 1].stop = 77.0f;
    assert_int_equal(kerb_plan_waypoints(&s.plan, &settings, few, whole - 1, &count, &error),
                     KERB_ERROR_TOO_MANY);
    assert_int_equal(count, whole);
    assert_float_equal(few[whole - 1].stop, 77.0f, 0.0f); // beyond the capacity nothing is written
    assert_int_equal(kerb_plan_waypoints(&s.plan, &settings, few, whole, &count, &error), KERB_OK);
    assert_int_equal(count, whole);
}

static void expect(const sample* s, const kerb_plan_path_settings* settings, kerb_result result,
                   const char* field, int32_t index) {
    kerb_waypoint waypoints[200];
    int32_t count = -1;
    kerb_error error = {0};
    assert_int_equal(kerb_plan_waypoints(&s->plan, settings, waypoints, 200, &count, &error),
                     result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
    assert_int_equal(count, 0);
}

static void bad_movements_are_named(void** state) {
    (void)state;
    kerb_plan_path_settings settings = kerb_plan_path_settings_default();
    sample s;
#define SPOILT(change, result, field, index)                                                       \
    make_sample(&s);                                                                               \
    change;                                                                                        \
    expect(&s, &settings, result, field, index)
    SPOILT(s.plan.count = 0, KERB_ERROR_TOO_FEW, "count", -1);
    SPOILT(s.plan.pieces = NULL, KERB_ERROR_TOO_FEW, "count", -1);
    SPOILT(s.pieces[0].length = s.pieces[2].length = 0.0f, KERB_ERROR_TOO_FEW, "length", -1);
    SPOILT(s.pieces[2].speed = NAN, KERB_ERROR_NOT_FINITE, "pieces", 2);
    SPOILT(s.pieces[1].start.position.x = INFINITY, KERB_ERROR_NOT_FINITE, "pieces", 1);
    SPOILT(s.pieces[2].direction = 0, KERB_ERROR_OUT_OF_RANGE, "direction", 2);
    SPOILT(s.pieces[0].length = -1.0f, KERB_ERROR_OUT_OF_RANGE, "length", 0);
    SPOILT(s.pieces[1].duration = -1.0f, KERB_ERROR_OUT_OF_RANGE, "duration", 1);
    SPOILT(s.pieces[0].length = 1e20f, KERB_ERROR_TOO_MANY, "pieces", 0);
    SPOILT(s.pieces[0].acceleration = 1e20f, KERB_ERROR_TOO_MANY, "pieces", 0);
    make_sample(&s);
    settings.chord_error = 0.0f;
    expect(&s, &settings, KERB_ERROR_OUT_OF_RANGE, "chord_error", -1);
    settings = kerb_plan_path_settings_default();
    settings.rear_axle_to_point = NAN;
    expect(&s, &settings, KERB_ERROR_NOT_FINITE, "rear_axle_to_point", -1);
}

int plan_waypoints_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cusp_becomes_one_waypoint_with_its_stand_and_the_new_direction),
        cmocka_unit_test(a_cusp_is_kept_however_short_the_way_to_it),
        cmocka_unit_test(limits_are_the_greatest_speeds_between_waypoints),
        cmocka_unit_test(segments_stay_by_the_movement_within_the_error_that_was_asked_for),
        cmocka_unit_test(ends_cusps_stands_and_steps_of_speed_are_the_movements),
        cmocka_unit_test(a_small_array_is_an_error_that_says_how_many_there_are),
        cmocka_unit_test(bad_movements_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
