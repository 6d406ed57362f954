// Vectors and rotations: closed forms, and what rotations must keep.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/math.h"
#include "test/seed.h"

#include <math.h>

static const float half_turn = KERB_PI;
static const float quarter_turn = 0.5f * KERB_PI;

static void assert_near(float value, double expected, double tolerance) {
    if (!(fabs((double)value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g", (double)value, expected);
}

static void assert_vector(kerb_vec3 v, float x, float y, float z) {
    assert_near(v.x, (double)x, 2e-6);
    assert_near(v.y, (double)y, 2e-6);
    assert_near(v.z, (double)z, 2e-6);
}

static float dot4(kerb_quat a, kerb_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static kerb_quat random_rotation(kerb_random* random) {
    for (;;) {
        kerb_quat q = {kerb_random_between(random, -1, 1), kerb_random_between(random, -1, 1),
                       kerb_random_between(random, -1, 1), kerb_random_between(random, -1, 1)};
        float square = dot4(q, q);
        if (square > 0.1f && square < 1.0f) {
            float scale = 1.0f / kerb_sqrt(square);
            kerb_quat unit = {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
            return unit;
        }
    }
}

static kerb_vec3 random_vector(kerb_random* random, float size) {
    return kerb_vec3_make(kerb_random_between(random, -size, size),
                          kerb_random_between(random, -size, size),
                          kerb_random_between(random, -size, size));
}

// ------------------------------------------------------------------- vectors

static void lengths_are_right_at_every_size(void** state) {
    (void)state;
    for (double size = 1e-29; size < 1e38; size *= 10.0) {
        float part = (float)size;
        assert_near(kerb_vec2_length(kerb_vec2_make(3.0f * part, -4.0f * part)) / part, 5.0, 2e-6);
        kerb_vec3 v = kerb_vec3_make(2.0f * part, 3.0f * part, -6.0f * part);
        assert_near(kerb_vec3_length(v) / part, 7.0, 3e-6);
    }
}

static void the_length_of_what_is_no_vector_is_no_length(void** state) {
    (void)state;
    assert_true(isnan(kerb_vec3_length(kerb_vec3_make(1.0f, NAN, 0.0f))));
    assert_true(isinf(kerb_vec3_length(kerb_vec3_make(1.0f, -INFINITY, 0.0f))));
    assert_true(kerb_vec3_length(kerb_vec3_make(0.0f, 0.0f, 0.0f)) == 0.0f);
}

static void unit_vectors_have_length_1_and_the_same_direction(void** state) {
    (void)state;
    const kerb_vec3 fallback = {0.0f, 0.0f, 1.0f};
    for (double size = 1e-17; size < 1e37; size *= 7.0) {
        float part = (float)size;
        kerb_vec3 unit = kerb_vec3_unit(kerb_vec3_make(2 * part, 3 * part, -6 * part), fallback);
        assert_vector(unit, 2.0f / 7.0f, 3.0f / 7.0f, -6.0f / 7.0f);
    }
}

static void vectors_without_direction_give_the_fallback(void** state) {
    (void)state;
    const kerb_vec3 fallback = {0.0f, 0.0f, 1.0f};
    const kerb_vec3 none[] = {{0.0f, 0.0f, 0.0f},
                              {9e-19f, 0.0f, 0.0f},
                              {NAN, 1.0f, 0.0f},
                              {1.0f, INFINITY, 0.0f},
                              {-INFINITY, INFINITY, 0.0f}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        kerb_vec3 unit = kerb_vec3_unit(none[i], fallback);
        assert_true(unit.x == 0.0f && unit.y == 0.0f && unit.z == 1.0f);
    }
    assert_vector(kerb_vec3_unit(kerb_vec3_make(1.1e-18f, 0.0f, 0.0f), fallback), 1.0f, 0.0f, 0.0f);
}

static void a_vector_is_finite_when_all_its_parts_are(void** state) {
    (void)state;
    assert_true(kerb_vec3_is_finite(kerb_vec3_make(1.0f, -3e38f, 0.0f)));
    assert_false(kerb_vec3_is_finite(kerb_vec3_make(NAN, 0.0f, 0.0f)));
    assert_false(kerb_vec3_is_finite(kerb_vec3_make(0.0f, INFINITY, 0.0f)));
    assert_false(kerb_vec3_is_finite(kerb_vec3_make(0.0f, 0.0f, -INFINITY)));
}

static void the_cross_product_is_positive_to_the_left(void** state) {
    (void)state;
    assert_true(kerb_vec2_cross(kerb_vec2_make(1, 0), kerb_vec2_make(0, 1)) == 1.0f);
    kerb_vec2 left = kerb_vec2_left(kerb_vec2_make(3, -4));
    assert_true(left.x == 4.0f && left.y == 3.0f);
    kerb_vec3 up = kerb_vec3_cross(kerb_vec3_make(1, 0, 0), kerb_vec3_make(0, 1, 0));
    assert_vector(up, 0.0f, 0.0f, 1.0f);
}

// ------------------------------------------------------------------- rotations

static void a_heading_turns_forward_to_the_left(void** state) {
    (void)state;
    kerb_quat q = kerb_quat_from_heading(quarter_turn);
    assert_vector(kerb_quat_forward(q), 0.0f, 1.0f, 0.0f);
    assert_vector(kerb_quat_left(q), -1.0f, 0.0f, 0.0f);
    assert_vector(kerb_quat_up(q), 0.0f, 0.0f, 1.0f);
}

static void positive_pitch_is_nose_down(void** state) {
    (void)state;
    kerb_quat q = kerb_quat_from_angles(0.0f, 0.5f, 0.0f);
    assert_vector(kerb_quat_forward(q), (float)cos(0.5), 0.0f, (float)-sin(0.5));
    assert_vector(kerb_quat_left(q), 0.0f, 1.0f, 0.0f);
}

static void positive_roll_is_left_side_up(void** state) {
    (void)state;
    kerb_quat q = kerb_quat_from_angles(0.0f, 0.0f, 0.5f);
    assert_vector(kerb_quat_forward(q), 1.0f, 0.0f, 0.0f);
    assert_vector(kerb_quat_left(q), 0.0f, (float)cos(0.5), (float)sin(0.5));
}

static void heading_comes_first_then_pitch_then_roll(void** state) {
    (void)state;
    // Turned left, then nose down: it looks left and down, and its left side is level.
    kerb_quat q = kerb_quat_from_angles(quarter_turn, 0.5f, 0.0f);
    assert_vector(kerb_quat_forward(q), 0.0f, (float)cos(0.5), (float)-sin(0.5));
    assert_vector(kerb_quat_left(q), -1.0f, 0.0f, 0.0f);
    // Roll keeps where it looks.
    kerb_quat rolled = kerb_quat_from_angles(quarter_turn, 0.5f, 1.0f);
    assert_vector(kerb_quat_forward(rolled), 0.0f, (float)cos(0.5), (float)-sin(0.5));
    assert_near(kerb_quat_left(rolled).z, cos(0.5) * sin(1.0), 2e-6);
}

static void the_heading_that_went_in_comes_out(void** state) {
    (void)state;
    kerb_random random = test_random("heading");
    for (int i = 0; i < 20000; i++) {
        float heading = kerb_random_between(&random, -half_turn, half_turn);
        float pitch = kerb_random_between(&random, -1.4f, 1.4f);
        float roll = kerb_random_between(&random, -3.0f, 3.0f);
        kerb_quat q = kerb_quat_from_angles(heading, pitch, roll);
        // Near the vertical the heading hangs on a short level part.
        assert_near(kerb_wrap_angle(kerb_quat_heading(q) - heading), 0.0,
                    1e-6 / cos((double)pitch) + 1e-6);
        assert_near(kerb_quat_forward(q).z, -sin((double)pitch), 2e-6);
    }
}

static void rotations_keep_lengths_and_angles(void** state) {
    (void)state;
    kerb_random random = test_random("lengths and angles");
    for (int i = 0; i < 20000; i++) {
        kerb_quat q = random_rotation(&random);
        kerb_vec3 a = random_vector(&random, 1.0f), b = random_vector(&random, 1.0f);
        kerb_vec3 turned_a = kerb_quat_rotate(q, a), turned_b = kerb_quat_rotate(q, b);
        assert_near(kerb_vec3_dot(turned_a, turned_b), (double)kerb_vec3_dot(a, b), 4e-6);
        // And handedness.
        kerb_vec3 cross = kerb_quat_rotate(q, kerb_vec3_cross(a, b));
        kerb_vec3 turned_cross = kerb_vec3_cross(turned_a, turned_b);
        assert_vector(kerb_vec3_sub(cross, turned_cross), 0.0f, 0.0f, 0.0f);
    }
}

static void a_product_turns_by_the_second_then_the_first(void** state) {
    (void)state;
    kerb_random random = test_random("product");
    for (int i = 0; i < 20000; i++) {
        kerb_quat a = random_rotation(&random), b = random_rotation(&random);
        kerb_vec3 v = random_vector(&random, 1.0f);
        kerb_vec3 at_once = kerb_quat_rotate(kerb_quat_multiply(a, b), v);
        kerb_vec3 in_turn = kerb_quat_rotate(a, kerb_quat_rotate(b, v));
        assert_vector(kerb_vec3_sub(at_once, in_turn), 0.0f, 0.0f, 0.0f);
    }
}

static void the_conjugate_turns_back(void** state) {
    (void)state;
    kerb_random random = test_random("conjugate");
    for (int i = 0; i < 20000; i++) {
        kerb_quat q = random_rotation(&random);
        kerb_vec3 v = random_vector(&random, 1.0f);
        kerb_vec3 back = kerb_quat_rotate(kerb_quat_conjugate(q), kerb_quat_rotate(q, v));
        assert_vector(kerb_vec3_sub(back, v), 0.0f, 0.0f, 0.0f);
    }
}

static void forward_left_and_up_are_the_turned_axes(void** state) {
    (void)state;
    kerb_random random = test_random("turned axes");
    for (int i = 0; i < 20000; i++) {
        kerb_quat q = random_rotation(&random);
        kerb_vec3 x = kerb_quat_rotate(q, kerb_vec3_make(1, 0, 0));
        kerb_vec3 y = kerb_quat_rotate(q, kerb_vec3_make(0, 1, 0));
        kerb_vec3 z = kerb_quat_rotate(q, kerb_vec3_make(0, 0, 1));
        assert_vector(kerb_quat_forward(q), x.x, x.y, x.z);
        assert_vector(kerb_quat_left(q), y.x, y.y, y.z);
        assert_vector(kerb_quat_up(q), z.x, z.y, z.z);
    }
}

int vector_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_right_at_every_size),
        cmocka_unit_test(the_length_of_what_is_no_vector_is_no_length),
        cmocka_unit_test(unit_vectors_have_length_1_and_the_same_direction),
        cmocka_unit_test(vectors_without_direction_give_the_fallback),
        cmocka_unit_test(a_vector_is_finite_when_all_its_parts_are),
        cmocka_unit_test(the_cross_product_is_positive_to_the_left),
        cmocka_unit_test(a_heading_turns_forward_to_the_left),
        cmocka_unit_test(positive_pitch_is_nose_down),
        cmocka_unit_test(positive_roll_is_left_side_up),
        cmocka_unit_test(heading_comes_first_then_pitch_then_roll),
        cmocka_unit_test(the_heading_that_went_in_comes_out),
        cmocka_unit_test(rotations_keep_lengths_and_angles),
        cmocka_unit_test(a_product_turns_by_the_second_then_the_first),
        cmocka_unit_test(the_conjugate_turns_back),
        cmocka_unit_test(forward_left_and_up_are_the_turned_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
