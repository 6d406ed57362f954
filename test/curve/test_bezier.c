// The quadratic Bézier and its greatest curvature, against dense sampling in doubles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/curve.h"
#include "test/flush_to_zero.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

static kerb_vec3 at(float x, float y, float z) {
    return kerb_vec3_make(x, y, z);
}

static void assert_near(float value, double expected, double tolerance) {
    if (!(fabs((double)value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g", (double)value, expected);
}

// ------------------------------------------------------------------- sampling

// Curvature |B' × B''| / |B'|³ at t.
static double curvature_at(const kerb_vec3 p[3], double t) {
    const float* c[3] = {&p[0].x, &p[1].x, &p[2].x};
    double first[3], second[3];
    for (int i = 0; i < 3; i++) {
        double a = (double)c[1][i] - (double)c[0][i], b = (double)c[2][i] - (double)c[1][i];
        first[i] = 2.0 * ((1.0 - t) * a + t * b);
        second[i] = 2.0 * (b - a);
    }
    double x = first[1] * second[2] - first[2] * second[1];
    double y = first[2] * second[0] - first[0] * second[2];
    double z = first[0] * second[1] - first[1] * second[0];
    double speed = sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    return sqrt(x * x + y * y + z * z) / (speed * speed * speed);
}

// Curvature has one maximum on the curve, so sampling around the best sample again finds it.
static double sampled_maximum(const kerb_vec3 p[3]) {
    enum { SAMPLES = 64 };
    double from = 0.0, to = 1.0, best = 0.0;
    for (int round = 0; round < 8; round++) {
        double step = (to - from) / SAMPLES, best_t = from;
        best = -1.0;
        for (int i = 0; i <= SAMPLES; i++) {
            double t = from + i * step, curvature = curvature_at(p, t);
            if (curvature > best) {
                best = curvature;
                best_t = t;
            }
        }
        from = best_t - step < 0.0 ? 0.0 : best_t - step;
        to = best_t + step > 1.0 ? 1.0 : best_t + step;
    }
    return best;
}

static void check_against_sampling(const kerb_vec3 p[3]) {
    double expected = sampled_maximum(p);
    float found = kerb_bezier_curvature_max(p[0], p[1], p[2]);
    if (expected > (double)KERB_CURVATURE_CUSP)
        expected = (double)KERB_CURVATURE_CUSP;
    if (!(fabs((double)found - expected) <= 1e-5 * expected + 1e-30))
        fail_msg("(%g %g %g) (%g %g %g) (%g %g %g): %.9g is not %.9g", (double)p[0].x,
                 (double)p[0].y, (double)p[0].z, (double)p[1].x, (double)p[1].y, (double)p[1].z,
                 (double)p[2].x, (double)p[2].y, (double)p[2].z, (double)found, expected);
}

static void the_closed_form_is_what_sampling_finds_at_every_scale(void** state) {
    (void)state;
    kerb_random random = test_random("every scale");
    int interior = 0, bounded = 0;
    for (int i = 0; i < 60000; i++) {
        float scale = (float)pow(10.0, (double)kerb_random_between(&random, -3.0f, 5.0f));
        // From open bends to needles.
        float flat = (float)pow(10.0, (double)kerb_random_between(&random, -5.0f, 0.5f));
        kerb_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = at(scale * kerb_random_between(&random, -1, 1),
                      scale * flat * kerb_random_between(&random, -1, 1),
                      scale * flat * kerb_random_between(&random, -1, 1));
        check_against_sampling(p);
        double peak = sampled_maximum(p);
        bounded += peak > (double)KERB_CURVATURE_CUSP;
        interior += peak > curvature_at(p, 0.0) && peak > curvature_at(p, 1.0);
    }
    // All branches have been met.
    assert_true(interior > 6000 && interior < 54000 && bounded > 600 && bounded < 54000);
}

static void waypoints_far_from_the_origin_are_measured_as_near_it(void** state) {
    (void)state;
    kerb_random random = test_random("far away");
    for (int i = 0; i < 20000; i++) {
        kerb_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = at(1e5f + 6.0f * (float)k + kerb_random_between(&random, -2, 2),
                      -2e5f + kerb_random_between(&random, -4, 4), kerb_random_unit(&random));
        check_against_sampling(p);
    }
}

static void a_symmetric_bend_of_height_h_has_curvature_h(void** state) {
    (void)state;
    for (int i = -20; i <= 4; i++) {
        float h = (float)pow(2.0, i);
        float found = kerb_bezier_curvature_max(at(-1, 0, 0), at(0, h, 0), at(1, 0, 0));
        assert_near(found, (double)h, 1e-6 * (double)h);
    }
}

// ------------------------------------------------------------------- points in a row

static void points_in_a_row_give_0(void** state) {
    (void)state;
    for (int i = 1; i <= 20; i++) {
        float s = (float)i;
        assert_true(kerb_bezier_curvature_max(at(0, 0, 0), at(s, 2 * s, -s),
                                              at(2 * s, 4 * s, -2 * s)) == 0.0f);
        assert_true(kerb_bezier_curvature_max(at(0, 0, 0), at(s, 0, 0), at(21, 0, 0)) == 0.0f);
        assert_true(kerb_bezier_curvature_max(at(0, 7, 0), at(0, 7 - s, 0), at(0, -14, 0)) == 0.0f);
    }
}

static void a_middle_point_beyond_either_end_is_a_cusp(void** state) {
    (void)state;
    for (float beyond = 1e-3f; beyond < 1e5f; beyond *= 10.0f) {
        kerb_vec3 from = at(0, 0, 0), to = at(1, 0, 0);
        kerb_vec3 before = at(-beyond, 0, 0), after = at(1.0f + beyond, 0, 0);
        assert_true(kerb_bezier_curvature_max(from, before, to) == KERB_CURVATURE_CUSP);
        assert_true(kerb_bezier_curvature_max(from, after, to) == KERB_CURVATURE_CUSP);
    }
}

static void going_there_and_back_is_a_cusp(void** state) {
    (void)state;
    assert_true(kerb_bezier_curvature_max(at(1, 2, 3), at(9, 2, 3), at(1, 2, 3)) ==
                KERB_CURVATURE_CUSP);
}

static void repeated_points_are_a_straight_line(void** state) {
    (void)state;
    kerb_vec3 a = at(4, 5, 6), b = at(9, 2, 1);
    assert_true(kerb_bezier_curvature_max(a, a, b) == 0.0f);
    assert_true(kerb_bezier_curvature_max(a, b, b) == 0.0f);
    assert_true(kerb_bezier_curvature_max(a, a, a) == 0.0f);
}

// ------------------------------------------------------------------- symmetry and bounds

static void neither_direction_nor_position_nor_attitude_matters(void** state) {
    (void)state;
    kerb_random random = test_random("attitude");
    for (int i = 0; i < 5000; i++) {
        kerb_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = at(8.0f * (float)k + kerb_random_between(&random, -2, 2),
                      kerb_random_between(&random, -2, 2), 0.0f);
        float straight = kerb_bezier_curvature_max(p[0], p[1], p[2]);
        assert_true(kerb_bezier_curvature_max(p[2], p[1], p[0]) == straight);
        kerb_quat turn = kerb_quat_from_angles(kerb_random_between(&random, -3, 3),
                                               kerb_random_between(&random, -1, 1),
                                               kerb_random_between(&random, -3, 3));
        for (int k = 0; k < 3; k++)
            p[k] = kerb_vec3_add(kerb_quat_rotate(turn, p[k]), at(30, -20, 10));
        assert_near(kerb_bezier_curvature_max(p[0], p[1], p[2]), (double)straight,
                    1e-4 * (double)straight + 1e-6);
    }
}

static void no_input_gives_more_than_a_cusp_or_less_than_0(void** state) {
    (void)state;
    const float parts[] = {0.0f,  1.0f,   -1.0f, 1e-40f,   1e-20f, 1e20f,
                           3e38f, -3e38f, NAN,   INFINITY, 1e-9f};
    enum { PARTS = sizeof parts / sizeof *parts };
    kerb_random random = test_random("bounds");
    for (int i = 0; i < 200000; i++) {
        float c[9];
        for (int k = 0; k < 9; k++)
            c[k] = parts[kerb_random_below(&random, PARTS)];
        float found = kerb_bezier_curvature_max(at(c[0], c[1], c[2]), at(c[3], c[4], c[5]),
                                                at(c[6], c[7], c[8]));
        assert_true(found >= 0.0f && found <= KERB_CURVATURE_CUSP);
        if (!test_flush_to_zero(true))
            continue;
        float flushed = kerb_bezier_curvature_max(at(c[0], c[1], c[2]), at(c[3], c[4], c[5]),
                                                  at(c[6], c[7], c[8]));
        test_flush_to_zero(false);
        assert_true(flushed == found);
    }
}

static void the_curve_goes_from_the_first_to_the_last_point(void** state) {
    (void)state;
    kerb_vec3 a = at(1, 2, 3), b = at(5, 9, -1), c = at(7, 0, 0);
    kerb_vec3 from = kerb_bezier_point(a, b, c, 0.0f), to = kerb_bezier_point(a, b, c, 1.0f);
    assert_true(from.x == 1 && from.y == 2 && from.z == 3 && to.x == 7 && to.y == 0 && to.z == 0);
    // Halfway: a quarter of the ends, half of the middle.
    kerb_vec3 middle = kerb_bezier_point(a, b, c, 0.5f);
    assert_true(middle.x == 4.5f && middle.y == 5.0f && middle.z == 0.25f);
}

int bezier_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closed_form_is_what_sampling_finds_at_every_scale),
        cmocka_unit_test(waypoints_far_from_the_origin_are_measured_as_near_it),
        cmocka_unit_test(a_symmetric_bend_of_height_h_has_curvature_h),
        cmocka_unit_test(points_in_a_row_give_0),
        cmocka_unit_test(a_middle_point_beyond_either_end_is_a_cusp),
        cmocka_unit_test(going_there_and_back_is_a_cusp),
        cmocka_unit_test(repeated_points_are_a_straight_line),
        cmocka_unit_test(neither_direction_nor_position_nor_attitude_matters),
        cmocka_unit_test(no_input_gives_more_than_a_cusp_or_less_than_0),
        cmocka_unit_test(the_curve_goes_from_the_first_to_the_last_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
