// What a track may be: legal oddities pass, each kind of bad track gets a named error.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

enum { MOST = 4000 };

static kerb_waypoint waypoints[MOST];
static int32_t count;
static float x, y, heading;

static void begin(void) {
    count = 0;
    x = y = heading = 0.0f;
}

// Goes on for `length` metres, turning by `turn` radians on the way, in steps of about 1 m.
static void go(float length, float turn, float width) {
    int32_t steps = (int32_t)ceilf(length);
    for (int32_t i = 0; i < steps; i++) {
        assert_true(count < MOST);
        waypoints[count] = kerb_waypoint_at(x, y, 0.0f);
        waypoints[count].left = waypoints[count].right = width;
        count++;
        heading += 0.5f * turn / (float)steps;
        x += length / (float)steps * cosf(heading);
        y += length / (float)steps * sinf(heading);
        heading += 0.5f * turn / (float)steps;
    }
}

static void circle(float radius, float width) {
    begin();
    go(2.0f * KERB_PI * radius, 2.0f * KERB_PI, width);
}

static void expect_good(bool closed) {
    kerb_error error;
    if (kerb_track_validate(waypoints, count, closed, &error) != KERB_OK)
        fail_msg("refused: %d: %s: %s", (int)error.index, error.field, error.message);
}

static void expect_bad(bool closed, kerb_result result, const char* field, int32_t index,
                       const char* part) {
    kerb_error error;
    assert_int_equal(kerb_track_validate(waypoints, count, closed, &error), result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
}

static void a_circle_is_a_track_closed_or_open(void** state) {
    (void)state;
    circle(100.0f, 5.0f);
    expect_good(true);
    expect_good(false);
    waypoints[count] = waypoints[0]; // the first may be repeated at the end
    count++;
    expect_good(true);
}

static void a_track_may_cross_itself(void** state) {
    (void)state;
    begin();
    go(2.0f * KERB_PI * 60.0f, 2.0f * KERB_PI, 6.0f);
    go(2.0f * KERB_PI * 60.0f, -2.0f * KERB_PI, 6.0f);
    expect_good(true);
}

static void hairpins_may_be_tighter_than_half_the_width(void** state) {
    (void)state;
    begin();
    go(100.0f, 0.0f, 7.0f);
    go(KERB_PI * 5.0f, KERB_PI, 7.0f);
    go(100.0f, 0.0f, 7.0f);
    go(KERB_PI * 5.0f, KERB_PI, 7.0f);
    expect_good(true);
}

static void sharp_corners_of_a_coarse_polygon_are_legal(void** state) {
    (void)state;
    count = 4;
    for (int32_t i = 0; i < 4; i++)
        waypoints[i] = kerb_waypoint_at(i == 1 || i == 2 ? 100.0f : 0.0f, i > 1 ? 60.0f : 0, 0);
    expect_good(true);
}

static void a_track_in_other_units_than_metres_is_refused(void** state) {
    (void)state;
    circle(100.0f, 5.0f);
    waypoints[7].right = 1500.0f;
    expect_bad(true, KERB_ERROR_OUT_OF_RANGE, "right", 7, "metres");
    waypoints[7].left = 2.5e5f;
    expect_bad(true, KERB_ERROR_OUT_OF_RANGE, "left", 7, "metres");
    circle(100.0f, 5.0f);
    for (int32_t i = 0; i < count; i++)
        waypoints[i].position = kerb_vec3_scale(waypoints[i].position, 1000.0f);
    expect_good(true); // 628 km
    for (int32_t i = 0; i < count; i++)
        waypoints[i].position = kerb_vec3_scale(waypoints[i].position, 2.0f);
    expect_bad(true, KERB_ERROR_TOO_MANY, "waypoints", -1, "1000 km");
}

static void too_few_places_are_refused(void** state) {
    (void)state;
    circle(100.0f, 5.0f);
    count = 2;
    expect_bad(true, KERB_ERROR_TOO_FEW, "waypoints", -1, "three");
    expect_bad(false, KERB_ERROR_TOO_FEW, "waypoints", -1, "three");
    count = 0;
    expect_bad(true, KERB_ERROR_TOO_FEW, "waypoints", -1, "three");
    count = 5;
    for (int32_t i = 2; i < 5; i++)
        waypoints[i] = waypoints[1];
    expect_bad(true, KERB_ERROR_TOO_FEW, "waypoints", -1, "different");
    expect_bad(false, KERB_ERROR_TOO_FEW, "waypoints", -1, "different");
}

static void half_a_circle_is_not_closed(void** state) {
    (void)state;
    begin();
    go(KERB_PI * 100.0f, KERB_PI, 5.0f);
    expect_bad(true, KERB_ERROR_CONTRADICTION, "closed", count - 1, "apart");
    expect_good(false);
}

static void a_track_without_width_is_refused(void** state) {
    (void)state;
    circle(100.0f, 5.0f);
    waypoints[17].left = waypoints[17].right = 0.0f;
    expect_bad(true, KERB_ERROR_OUT_OF_RANGE, "left", 17, "no width");
    waypoints[17].right = 6.0f; // all of it to the right: legal
    expect_good(true);
}

static void a_negative_width_asks_for_the_order_of_the_columns(void** state) {
    (void)state;
    circle(100.0f, 5.0f);
    waypoints[3].right = -5.0f;
    expect_bad(true, KERB_ERROR_OUT_OF_RANGE, "right", 3, "order");
    waypoints[3].left = -5.0f;
    expect_bad(true, KERB_ERROR_OUT_OF_RANGE, "left", 3, "order");
}

static void numbers_that_are_none_are_refused(void** state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int32_t i = 0; i < 3; i++) {
        kerb_error error;
        circle(100.0f, 5.0f);
        waypoints[9].position.y = bad[i];
        expect_bad(true, KERB_ERROR_NOT_FINITE, "position.y", 9, "");
        circle(100.0f, 5.0f);
        waypoints[9].left = bad[i];
        assert_int_not_equal(kerb_track_validate(waypoints, count, true, &error), KERB_OK);
        assert_string_equal(error.field, "left");
    }
    circle(100.0f, 5.0f);
    waypoints[9].position.x = 1e7f;
    expect_bad(true, KERB_ERROR_OUT_OF_RANGE, "position.x", 9, "");
}

static void a_track_is_driven_forwards(void** state) {
    (void)state;
    circle(100.0f, 5.0f);
    waypoints[4].direction = -1;
    expect_bad(true, KERB_ERROR_OUT_OF_RANGE, "direction", 4, "forwards");
}

static void a_track_that_turns_back_at_a_point_is_refused(void** state) {
    (void)state;
    begin();
    go(50.0f, 0.0f, 5.0f);
    heading = KERB_PI;
    go(50.0f, 0.0f, 5.0f);
    expect_bad(false, KERB_ERROR_CONTRADICTION, "position", 50, "turns back");
}

static void a_loop_within_its_own_width_is_refused(void** state) {
    (void)state;
    circle(4.0f, 5.0f);
    kerb_error error;
    assert_int_equal(kerb_track_validate(waypoints, count, true, &error), KERB_ERROR_CONTRADICTION);
    assert_string_equal(error.field, "left");
    assert_non_null(strstr(error.message, "own width"));
    kerb_waypoints_reverse(waypoints, count, true);
    assert_int_equal(kerb_track_validate(waypoints, count, true, &error), KERB_ERROR_CONTRADICTION);
    assert_string_equal(error.field, "right");
}

// Each second cross-section crosses the one before, on either side in turn, but no bend is long.
static void a_zigzag_narrower_than_its_width_is_refused(void** state) {
    (void)state;
    begin();
    for (int32_t i = 0; i < 100; i++) {
        heading = i % 2 == 0 ? 0.5f : -0.5f;
        go(1.0f, 0.0f, 5.0f);
    }
    expect_bad(false, KERB_ERROR_CONTRADICTION, "left", -1, "all along");
    for (int32_t i = 0; i < count; i++)
        waypoints[i].left = waypoints[i].right = 0.5f;
    expect_good(false);
}

static void a_noisy_centre_line_is_refused_until_it_is_smoothed(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    kerb_host host = kerb_host_default();
    kerb_error error;
    circle(150.0f, 5.0f);
    for (int32_t i = 0; i < count; i++) {
        waypoints[i].position.x += kerb_random_between(&random, -1.0f, 1.0f);
        waypoints[i].position.y += kerb_random_between(&random, -1.0f, 1.0f);
    }
    assert_int_equal(kerb_track_validate(waypoints, count, true, &error), KERB_ERROR_CONTRADICTION);
    assert_int_equal(kerb_track_smooth(waypoints, count, true, 3.0f, &host, &error), KERB_OK);
    expect_good(true);
}

int track_check_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_is_a_track_closed_or_open),
        cmocka_unit_test(a_track_may_cross_itself),
        cmocka_unit_test(hairpins_may_be_tighter_than_half_the_width),
        cmocka_unit_test(sharp_corners_of_a_coarse_polygon_are_legal),
        cmocka_unit_test(a_track_in_other_units_than_metres_is_refused),
        cmocka_unit_test(too_few_places_are_refused),
        cmocka_unit_test(half_a_circle_is_not_closed),
        cmocka_unit_test(a_track_without_width_is_refused),
        cmocka_unit_test(a_negative_width_asks_for_the_order_of_the_columns),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(a_track_is_driven_forwards),
        cmocka_unit_test(a_track_that_turns_back_at_a_point_is_refused),
        cmocka_unit_test(a_loop_within_its_own_width_is_refused),
        cmocka_unit_test(a_zigzag_narrower_than_its_width_is_refused),
        cmocka_unit_test(a_noisy_centre_line_is_refused_until_it_is_smoothed),
    };
    return cmocka_run_group_tests_name("track check", tests, NULL, NULL);
}
