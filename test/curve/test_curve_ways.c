// Poses, and ways of arcs and straights: against closed forms, and against small steps in doubles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/curve.h"
#include "test/seed.h"

#include <math.h>

static void assert_near(float value, double expected, double tolerance) {
    if (!(fabs((double)value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g", (double)value, expected);
}

static void assert_pose(kerb_pose pose, double x, double y, double heading, double tolerance) {
    assert_near(pose.position.x, x, tolerance);
    assert_near(pose.position.y, y, tolerance);
    assert_near(pose.forward.x, cos(heading), 2e-6);
    assert_near(pose.forward.y, sin(heading), 2e-6);
}

// ------------------------------------------------------------------- poses

static void a_pose_faces_along_its_heading(void** state) {
    (void)state;
    for (int i = -40; i <= 40; i++) {
        float heading = 0.37f * (float)i;
        kerb_pose pose = kerb_pose_make(3.0f, -4.0f, heading);
        assert_pose(pose, 3.0, -4.0, (double)heading, 0.0);
        assert_near(kerb_pose_heading(pose), (double)kerb_wrap_angle(heading), 2e-6);
    }
}

static void a_heading_that_is_no_number_faces_forward(void** state) {
    (void)state;
    assert_pose(kerb_pose_make(1.0f, 2.0f, NAN), 1.0, 2.0, 0.0, 0.0);
    assert_pose(kerb_pose_make(1.0f, 2.0f, INFINITY), 1.0, 2.0, 0.0, 0.0);
}

// ------------------------------------------------------------------- closed forms

static kerb_curve one_piece(float curvature, float length) {
    kerb_curve curve = {kerb_pose_make(0.0f, 0.0f, 0.0f), 1, {curvature}, {length}};
    return curve;
}

static void a_quarter_circle_ends_where_geometry_says(void** state) {
    (void)state;
    const double quarter = 5.0 * acos(0.0);
    kerb_curve left = one_piece(0.2f, (float)quarter), right = one_piece(-0.2f, (float)quarter);
    kerb_curve back = one_piece(0.2f, (float)-quarter);
    assert_pose(kerb_curve_end(&left), 5.0, 5.0, acos(0.0), 5e-6);
    assert_pose(kerb_curve_end(&right), 5.0, -5.0, -acos(0.0), 5e-6);
    // In reverse along a circle to the left: to the left behind, facing away from it.
    assert_pose(kerb_curve_end(&back), -5.0, 5.0, -acos(0.0), 5e-6);
    assert_near(kerb_curve_length(&back), quarter, 1e-6);
}

static void an_arc_that_hardly_bends_keeps_its_height(void** state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        float curvature = (float)pow(10.0, -i);
        kerb_curve arc = one_piece(curvature, 1.0f);
        double k = (double)curvature, height = 2.0 * sin(0.5 * k) * sin(0.5 * k) / k;
        assert_near(kerb_curve_end(&arc).position.y, height, 1e-6 * height);
    }
}

// ------------------------------------------------------------------- small steps

static kerb_curve random_way(kerb_random* random) {
    kerb_curve curve = {.count = 1 + kerb_random_below(random, KERB_CURVE_PIECES)};
    curve.start =
        kerb_pose_make(kerb_random_between(random, -9, 9), kerb_random_between(random, -9, 9),
                       kerb_random_between(random, -4, 4));
    for (int32_t i = 0; i < curve.count; i++) {
        curve.curvature[i] = 0.2f * (float)(kerb_random_below(random, 3) - 1);
        curve.length[i] = kerb_random_between(random, -12.0f, 12.0f);
        if (kerb_random_below(random, 6) == 0)
            curve.length[i] = 0.0f;
    }
    return curve;
}

// Euler's midpoint rule in doubles, `distance` metres along.
static void walk(const kerb_curve* curve, double distance, double found[3]) {
    double x = (double)curve->start.position.x, y = (double)curve->start.position.y;
    double heading = atan2((double)curve->start.forward.y, (double)curve->start.forward.x);
    for (int32_t i = 0; i < curve->count && distance > 0.0; i++) {
        double size = fmin(fabs((double)curve->length[i]), distance);
        double step = copysign(size / 400.0, (double)curve->length[i]);
        for (int k = 0; k < 400; k++) {
            double middle = heading + 0.5 * step * (double)curve->curvature[i];
            x += step * cos(middle);
            y += step * sin(middle);
            heading += step * (double)curve->curvature[i];
        }
        distance -= size;
    }
    found[0] = x, found[1] = y, found[2] = heading;
}

static void a_place_is_where_small_steps_lead(void** state) {
    (void)state;
    kerb_random random = test_random("places on ways");
    for (int i = 0; i < 3000; i++) {
        kerb_curve curve = random_way(&random);
        float distance = kerb_random_between(&random, -1.0f, kerb_curve_length(&curve) + 1.0f);
        double found[3];
        walk(&curve, (double)distance, found);
        kerb_curve_sample place = kerb_curve_at(&curve, distance);
        assert_pose(place.pose, found[0], found[1], found[2], 5e-4);
        walk(&curve, 1e9, found);
        assert_pose(kerb_curve_end(&curve), found[0], found[1], found[2], 5e-4);
    }
}

static void a_place_names_the_piece_that_goes_on(void** state) {
    (void)state;
    kerb_curve curve = {kerb_pose_make(0, 0, 0), 4, {0.5f, 9.0f, 0.0f, -0.5f}, {2, 0, -3, 4}};
    const float distance[] = {-1, 0, 1.9f, 2, 4.9f, 5, 8, 9, 1e30f, INFINITY, NAN};
    const float curvature[] = {0.5f, 0.5f, 0.5f, 0, 0, -0.5f, -0.5f, -0.5f, -0.5f, -0.5f, 0.5f};
    const int travel[] = {1, 1, 1, -1, -1, 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < 11; i++) {
        kerb_curve_sample place = kerb_curve_at(&curve, distance[i]);
        assert_true(place.curvature == curvature[i]);
        assert_int_equal(place.travel, travel[i]);
    }
}

// ------------------------------------------------------------------- what is left

static void what_is_left_falls_by_what_was_driven_and_ends_at_the_same_place(void** state) {
    (void)state;
    kerb_random random = test_random("rests of ways");
    for (int i = 0; i < 3000; i++) {
        kerb_curve curve = random_way(&random), rest = curve;
        kerb_pose end = kerb_curve_end(&curve);
        float length = kerb_curve_length(&curve), driven = 0.0f;
        while (rest.count > 0) {
            float step = kerb_random_between(&random, 0.0f, 3.0f);
            rest = kerb_curve_remainder(&rest, step);
            driven += step;
            assert_near(kerb_curve_length(&rest), fmax((double)(length - driven), 0.0), 2e-5);
            kerb_pose there = kerb_curve_end(&rest);
            assert_near(there.position.x, (double)end.position.x, 2e-4);
            assert_near(there.position.y, (double)end.position.y, 2e-4);
        }
        assert_near(rest.start.position.x, (double)end.position.x, 2e-4);
        assert_true(kerb_curve_length(&rest) == 0.0f);
    }
}

static void many_small_steps_neither_stretch_nor_turn_the_way(void** state) {
    (void)state;
    kerb_curve curve = {kerb_pose_make(5, 3, 1), 3, {0.2f, 0.0f, -0.2f}, {20, 10, 20}};
    kerb_pose end = kerb_curve_end(&curve);
    for (int i = 0; i < 4990; i++)
        curve = kerb_curve_remainder(&curve, 0.01f);
    assert_near(kerb_curve_length(&curve), 0.1, 2e-3);
    assert_near(kerb_vec2_length(curve.start.forward), 1.0, 1e-6);
    assert_near(kerb_curve_end(&curve).position.x, (double)end.position.x, 5e-3);
    assert_near(kerb_curve_end(&curve).position.y, (double)end.position.y, 5e-3);
}

static void a_way_that_ends_in_reverse_says_so_at_its_end(void** state) {
    (void)state;
    kerb_curve curve = {kerb_pose_make(0, 0, 0), 3, {0.5f, -0.25f, 0.5f}, {2, -3, 0}};
    kerb_curve_sample place = kerb_curve_at(&curve, 6.0f);
    assert_true(place.curvature == -0.25f && place.travel == -1);
}

static void a_way_of_no_pieces_stays_where_it_is(void** state) {
    (void)state;
    kerb_curve nothing = {.start = kerb_pose_make(1, 2, 3)};
    assert_true(kerb_curve_length(&nothing) == 0.0f);
    assert_pose(kerb_curve_end(&nothing), 1, 2, 3, 0.0);
    kerb_curve_sample place = kerb_curve_at(&nothing, 5.0f);
    assert_pose(place.pose, 1, 2, 3, 0.0);
    assert_true(place.curvature == 0.0f && place.travel == 1);
    assert_int_equal(kerb_curve_remainder(&nothing, 1.0f).count, 0);
}

int curve_ways_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_faces_along_its_heading),
        cmocka_unit_test(a_heading_that_is_no_number_faces_forward),
        cmocka_unit_test(a_quarter_circle_ends_where_geometry_says),
        cmocka_unit_test(an_arc_that_hardly_bends_keeps_its_height),
        cmocka_unit_test(a_place_is_where_small_steps_lead),
        cmocka_unit_test(a_place_names_the_piece_that_goes_on),
        cmocka_unit_test(what_is_left_falls_by_what_was_driven_and_ends_at_the_same_place),
        cmocka_unit_test(many_small_steps_neither_stretch_nor_turn_the_way),
        cmocka_unit_test(a_way_that_ends_in_reverse_says_so_at_its_end),
        cmocka_unit_test(a_way_of_no_pieces_stays_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
