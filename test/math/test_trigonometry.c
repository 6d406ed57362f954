// Sine, cosine, arctangent and their like against double precision, over dense samples.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/math.h"
#include "test/flush_to_zero.h"
#include "test/seed.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void assert_near(float value, double expected) {
    assert_true(fabs((double)value - expected) <= 1e-6);
}

static float from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t to_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The difference of two angles, the short way round.
static double angle_between(double a, double b) {
    return fabs(remainder(a - b, 2.0 * pi));
}

static double greater(double a, double b) {
    return a > b ? a : b;
}

// ------------------------------------------------------------------- sine and cosine

typedef struct sine_errors {
    double sine, cosine;
} sine_errors;

static void measure_sine(sine_errors* errors, float x) {
    float sine, cosine;
    kerb_sin_cos(x, &sine, &cosine);
    assert_true(sine >= -1.0f && sine <= 1.0f && cosine >= -1.0f && cosine <= 1.0f);
    errors->sine = greater(errors->sine, fabs((double)sine - sin((double)x)));
    errors->cosine = greater(errors->cosine, fabs((double)cosine - cos((double)x)));
}

static void check_sine_errors(const char* where, sine_errors errors) {
    printf("%s: greatest error %.3g sine, %.3g cosine\n", where, errors.sine, errors.cosine);
    assert_true(errors.sine <= 1e-6 && errors.cosine <= 1e-6);
}

static void sine_and_cosine_are_within_1e_6_up_to_10000(void** state) {
    (void)state;
    // Every 331st float of each sign, from the denormals to 1e4: seven million.
    sine_errors errors = {0.0, 0.0};
    for (uint32_t bits = 0; bits <= to_bits(1e4f); bits += 331) {
        measure_sine(&errors, from_bits(bits));
        measure_sine(&errors, -from_bits(bits));
    }
    measure_sine(&errors, 1e4f);
    measure_sine(&errors, -1e4f);
    check_sine_errors("all floats", errors);
}

static void sine_and_cosine_are_within_1e_6_on_a_dense_turn(void** state) {
    (void)state;
    sine_errors errors = {0.0, 0.0};
    for (int i = -1000000; i <= 1000000; i++)
        measure_sine(&errors, (float)i * 3.2e-6f);
    check_sine_errors("one turn", errors);
}

static void sine_and_cosine_are_within_1e_6_near_multiples_of_a_quarter_turn(void** state) {
    (void)state;
    // Here the reduced angle is smallest and a wrong number of quarter turns is nearest; also
    // halfway between, where the number of quarter turns is rounded.
    sine_errors errors = {0.0, 0.0};
    for (int eighth = 1; eighth * pi / 4.0 < 1e4 - 1.0; eighth++) {
        uint32_t middle = to_bits((float)(eighth * pi / 4.0));
        for (uint32_t bits = middle - 12; bits <= middle + 12; bits++) {
            measure_sine(&errors, from_bits(bits));
            measure_sine(&errors, -from_bits(bits));
        }
    }
    check_sine_errors("near quarter turns", errors);
}

static void small_sines_keep_their_relative_accuracy(void** state) {
    (void)state;
    for (uint32_t bits = to_bits(1e-36f); bits < to_bits(0.5f); bits += 4099) {
        float x = from_bits(bits);
        double exact = sin((double)x);
        assert_true(fabs((double)kerb_sin(x) - exact) <= 1.3e-7 * exact);
    }
}

static void sine_and_cosine_alone_are_those_of_both(void** state) {
    (void)state;
    kerb_random random = test_random("sine alone");
    for (int i = 0; i < 100000; i++) {
        float x = kerb_random_between(&random, -2e4f, 2e4f), sine, cosine;
        kerb_sin_cos(x, &sine, &cosine);
        assert_int_equal(to_bits(kerb_sin(x)), to_bits(sine));
        assert_int_equal(to_bits(kerb_cos(x)), to_bits(cosine));
    }
}

static void sine_and_cosine_of_anything_are_on_the_circle(void** state) {
    (void)state;
    for (uint32_t bits = 0; bits < to_bits(INFINITY); bits += 1021) {
        float x = from_bits(bits), sine, cosine;
        kerb_sin_cos(bits & 1 ? x : -x, &sine, &cosine);
        double square = (double)sine * (double)sine + (double)cosine * (double)cosine;
        assert_true(fabs(square - 1.0) < 1e-6);
    }
}

static void what_is_no_number_has_sine_0_and_cosine_1(void** state) {
    (void)state;
    const float none[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        assert_true(kerb_sin(none[i]) == 0.0f);
        assert_true(kerb_cos(none[i]) == 1.0f);
    }
}

static void the_sine_of_zero_has_its_sign(void** state) {
    (void)state;
    assert_int_equal(to_bits(kerb_sin(0.0f)), to_bits(0.0f));
    assert_int_equal(to_bits(kerb_sin(-0.0f)), to_bits(-0.0f));
    assert_true(kerb_cos(-0.0f) == 1.0f);
}

static void the_tangent_is_sine_over_cosine(void** state) {
    (void)state;
    for (int i = -15000; i <= 15000; i++) {
        float x = (float)i * 1e-4f;
        double exact = tan((double)x);
        assert_true(fabs((double)kerb_tan(x) - exact) <= 2e-6 * (1.0 + exact * exact));
    }
}

// ------------------------------------------------------------------- arctangents

static void the_arctangent_is_within_1e_6_of_every_float(void** state) {
    (void)state;
    double error = 0.0;
    for (uint32_t bits = 0; bits <= to_bits(INFINITY); bits += 509) {
        float x = from_bits(bits);
        error = greater(error, fabs((double)kerb_atan(x) - atan((double)x)));
        error = greater(error, fabs((double)kerb_atan(-x) - atan((double)-x)));
    }
    printf("arctangent: greatest error %.3g\n", error);
    assert_true(error <= 1e-6);
    assert_near(kerb_atan(INFINITY), pi / 2.0);
    assert_near(kerb_atan(-INFINITY), -pi / 2.0);
}

static void check_direction(double* error, double angle, double length) {
    float x = (float)(length * cos(angle)), y = (float)(length * sin(angle));
    float result = kerb_atan2(y, x);
    assert_true(result > -KERB_PI && result <= KERB_PI);
    *error = greater(*error, angle_between((double)result, atan2((double)y, (double)x)));
}

static void the_angle_of_a_vector_is_within_1e_6_at_every_length(void** state) {
    (void)state;
    double error = 0.0;
    for (int i = 0; i < 200000; i++)
        for (double length = 1e-29; length < 1e38; length *= 1e9)
            check_direction(&error, (i - 100000) * pi / 100000.0, length);
    printf("angle of a vector: greatest error %.3g\n", error);
    assert_true(error <= 1e-6);
}

static void the_angle_of_any_two_floats_is_within_1e_6(void** state) {
    (void)state;
    kerb_random random = test_random("any two floats");
    for (int i = 0; i < 1000000; i++) {
        float x = from_bits(kerb_random_bits(&random));
        float y = from_bits(kerb_random_bits(&random));
        if (x != x || y != y)
            continue;
        float result = kerb_atan2(y, x);
        assert_true(result > -KERB_PI && result <= KERB_PI);
        // Denormal numbers count as 0. C's angle of a negative zero may be π; here it is 0.
        double exact_x = fabsf(x) < FLT_MIN ? 0.0 : (double)x;
        double exact_y = fabsf(y) < FLT_MIN ? 0.0 : (double)y;
        assert_true(angle_between((double)result, atan2(exact_y, exact_x)) <= 1e-6);
    }
}

static void the_angles_of_the_axes_are_exact(void** state) {
    (void)state;
    assert_true(kerb_atan2(0.0f, 5.0f) == 0.0f);
    assert_true(kerb_atan2(5.0f, 0.0f) == (float)(pi / 2.0));
    assert_true(kerb_atan2(-5.0f, 0.0f) == (float)(-pi / 2.0));
    assert_true(kerb_atan2(0.0f, -5.0f) == KERB_PI);
    assert_true(kerb_atan2(-0.0f, -5.0f) == KERB_PI);
    assert_true(kerb_atan2(-1e-20f, -5.0f) == KERB_PI);
}

static void the_zero_vector_has_angle_0_whatever_its_signs(void** state) {
    (void)state;
    assert_int_equal(to_bits(kerb_atan2(0.0f, 0.0f)), 0);
    assert_int_equal(to_bits(kerb_atan2(-0.0f, -0.0f)), 0);
    assert_int_equal(to_bits(kerb_atan2(0.0f, -0.0f)), 0);
    assert_int_equal(to_bits(kerb_atan2(-0.0f, 0.0f)), 0);
}

static void what_is_no_number_has_angle_0(void** state) {
    (void)state;
    assert_true(kerb_atan2(NAN, 1.0f) == 0.0f);
    assert_true(kerb_atan2(1.0f, NAN) == 0.0f);
    assert_true(kerb_atan(NAN) == 0.0f);
}

static void infinite_vectors_point_along_axes_and_diagonals(void** state) {
    (void)state;
    const float far = INFINITY;
    assert_near(kerb_atan2(far, far), pi / 4.0);
    assert_near(kerb_atan2(-far, -far), -pi * 0.75);
    assert_near(kerb_atan2(1.0f, far), 0.0);
    assert_near(kerb_atan2(far, -1.0f), pi / 2.0);
    assert_true(kerb_atan2(1.0f, -far) == KERB_PI);
}

static void arcsine_and_arccosine_are_within_1e_6(void** state) {
    (void)state;
    double sine = 0.0, cosine = 0.0;
    for (uint32_t bits = 0; bits <= to_bits(1.0f); bits += 257) {
        for (int sign = -1; sign <= 1; sign += 2) {
            float x = (float)sign * from_bits(bits);
            sine = greater(sine, fabs((double)kerb_asin(x) - asin((double)x)));
            cosine = greater(cosine, fabs((double)kerb_acos(x) - acos((double)x)));
        }
    }
    printf("greatest error %.3g arcsine, %.3g arccosine\n", sine, cosine);
    assert_true(sine <= 1e-6 && cosine <= 1e-6);
}

static void arcsine_and_arccosine_hold_what_is_beyond_1(void** state) {
    (void)state;
    assert_true(kerb_asin(1.5f) == kerb_asin(1.0f) && kerb_acos(1.5f) == 0.0f);
    assert_true(kerb_asin(-INFINITY) == kerb_asin(-1.0f) && kerb_acos(-2.0f) == KERB_PI);
    assert_near(kerb_asin(1.0f), pi / 2.0);
    assert_true(kerb_is_finite(kerb_asin(NAN)) && kerb_is_finite(kerb_acos(NAN)));
}

// ------------------------------------------------------------------- angles, roots, numbers

static void an_angle_in_range_is_left_alone(void** state) {
    (void)state;
    for (uint32_t bits = 0; bits <= to_bits(KERB_PI); bits += 1019) {
        float angle = from_bits(bits);
        assert_int_equal(to_bits(kerb_wrap_angle(angle)), bits);
        assert_int_equal(to_bits(kerb_wrap_angle(-angle)), to_bits(-angle));
    }
    assert_true(kerb_wrap_angle(KERB_PI) == KERB_PI);
    assert_true(kerb_wrap_angle(-KERB_PI) == KERB_PI);
}

static void a_few_turns_are_taken_off_to_the_last_bit(void** state) {
    (void)state;
    for (uint32_t bits = to_bits(3.0f); bits < to_bits(40.0f); bits += 37) {
        float wrapped = kerb_wrap_angle(from_bits(bits));
        assert_true(wrapped > -KERB_PI && wrapped <= KERB_PI);
        // One unit in the last place of a number between 2 and 4.
        assert_true(angle_between((double)wrapped, (double)from_bits(bits)) <= 0x1p-22);
    }
}

static void thousands_of_turns_are_taken_off_within_1e_6(void** state) {
    (void)state;
    // Also just before and after the half turns, where the number of turns is rounded.
    for (int turns = 1; turns < 1590; turns++) {
        uint32_t middle = to_bits((float)((turns + 0.5) * 2.0 * pi));
        for (uint32_t bits = middle - 6; bits <= middle + 6; bits++) {
            float wrapped = kerb_wrap_angle(from_bits(bits));
            float back = kerb_wrap_angle(-from_bits(bits));
            assert_true(angle_between((double)wrapped, (double)from_bits(bits)) <= 1e-6);
            assert_true(angle_between((double)back, -(double)from_bits(bits)) <= 1e-6);
        }
    }
}

static void any_angle_comes_back_in_range(void** state) {
    (void)state;
    for (uint32_t bits = 0; bits < to_bits(INFINITY); bits += 1021) {
        float wrapped = kerb_wrap_angle(bits & 1 ? from_bits(bits) : -from_bits(bits));
        assert_true(wrapped > -KERB_PI && wrapped <= KERB_PI);
    }
    assert_true(kerb_wrap_angle(NAN) == 0.0f && kerb_wrap_angle(-INFINITY) == 0.0f);
}

static void the_square_root_is_correctly_rounded(void** state) {
    (void)state;
    for (uint32_t bits = to_bits(FLT_MIN); bits < to_bits(INFINITY); bits += 8191)
        assert_true(kerb_sqrt(from_bits(bits)) == (float)sqrt((double)from_bits(bits)));
    assert_true(kerb_sqrt(0.0f) == 0.0f);
}

static void least_and_most_are_the_second_when_nothing_decides(void** state) {
    (void)state;
    assert_true(kerb_min(1.0f, 2.0f) == 1.0f && kerb_max(1.0f, 2.0f) == 2.0f);
    assert_true(kerb_min(NAN, 2.0f) == 2.0f && kerb_max(NAN, 2.0f) == 2.0f);
    assert_true(isnan(kerb_min(2.0f, NAN)) && isnan(kerb_max(2.0f, NAN)));
    assert_int_equal(to_bits(kerb_min(0.0f, -0.0f)), to_bits(-0.0f));
    assert_int_equal(to_bits(kerb_min(-0.0f, 0.0f)), to_bits(0.0f));
    assert_true(kerb_clamp(NAN, -3.0f, 4.0f) == -3.0f);
    assert_true(kerb_clamp(9.0f, -3.0f, 4.0f) == 4.0f && kerb_clamp(-9.0f, -3.0f, 4.0f) == -3.0f);
}

static void the_smooth_step_has_level_ends_and_half_in_the_middle(void** state) {
    (void)state;
    assert_true(kerb_smooth_step(1.0f, 2.0f, 4.0f) == 0.0f);
    assert_true(kerb_smooth_step(3.0f, 2.0f, 4.0f) == 0.5f);
    assert_true(kerb_smooth_step(5.0f, 2.0f, 4.0f) == 1.0f);
    assert_true(kerb_smooth_step(2.01f, 2.0f, 4.0f) < 1e-4f);
}

// ------------------------------------------------------------------- flush to zero

enum { FUNCTIONS = 13 };

static void call_all(float x, float y, uint32_t results[FUNCTIONS]) {
    kerb_vec3 vector = {x, y, 0.5f * x};
    kerb_vec3 unit = kerb_vec3_unit(vector, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    const float values[FUNCTIONS] = {
        kerb_sin(x),  kerb_cos(x),  kerb_tan(x),        kerb_atan(x), kerb_atan2(y, x),
        kerb_asin(x), kerb_acos(x), kerb_wrap_angle(x), kerb_sqrt(x), kerb_vec3_length(vector),
        unit.x,       unit.y,       kerb_sin(y),
    };
    for (int i = 0; i < FUNCTIONS; i++)
        results[i] = to_bits(values[i]);
}

// Floats of all sizes, a third of them denormal or close to it.
static float any_float(kerb_random* random) {
    uint32_t bits = kerb_random_bits(random);
    if (bits % 3 == 0)
        return from_bits(kerb_random_bits(random) & 0x81ffffffu);
    float value = from_bits(kerb_random_bits(random));
    return kerb_is_finite(value) ? value : 1.0f;
}

static void results_do_not_depend_on_denormals_being_flushed(void** state) {
    (void)state;
    if (!test_flush_to_zero(false)) {
        printf("skipped: this processor's flush-to-zero mode is not known here\n");
        skip();
    }
    kerb_random random = test_random("flush to zero");
    for (int i = 0; i < 400000; i++) {
        float x = any_float(&random), y = any_float(&random);
        uint32_t kept[FUNCTIONS], flushed[FUNCTIONS];
        call_all(x, y, kept);
        test_flush_to_zero(true);
        call_all(x, y, flushed);
        test_flush_to_zero(false);
        for (int f = 0; f < FUNCTIONS; f++)
            if (kept[f] != flushed[f])
                fail_msg("function %d of %a, %a: %a or, flushed, %a", f, (double)x, (double)y,
                         (double)from_bits(kept[f]), (double)from_bits(flushed[f]));
    }
}

int trigonometry_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_within_1e_6_up_to_10000),
        cmocka_unit_test(sine_and_cosine_are_within_1e_6_on_a_dense_turn),
        cmocka_unit_test(sine_and_cosine_are_within_1e_6_near_multiples_of_a_quarter_turn),
        cmocka_unit_test(small_sines_keep_their_relative_accuracy),
        cmocka_unit_test(sine_and_cosine_alone_are_those_of_both),
        cmocka_unit_test(sine_and_cosine_of_anything_are_on_the_circle),
        cmocka_unit_test(what_is_no_number_has_sine_0_and_cosine_1),
        cmocka_unit_test(the_sine_of_zero_has_its_sign),
        cmocka_unit_test(the_tangent_is_sine_over_cosine),
        cmocka_unit_test(the_arctangent_is_within_1e_6_of_every_float),
        cmocka_unit_test(the_angle_of_a_vector_is_within_1e_6_at_every_length),
        cmocka_unit_test(the_angle_of_any_two_floats_is_within_1e_6),
        cmocka_unit_test(the_angles_of_the_axes_are_exact),
        cmocka_unit_test(the_zero_vector_has_angle_0_whatever_its_signs),
        cmocka_unit_test(what_is_no_number_has_angle_0),
        cmocka_unit_test(infinite_vectors_point_along_axes_and_diagonals),
        cmocka_unit_test(arcsine_and_arccosine_are_within_1e_6),
        cmocka_unit_test(arcsine_and_arccosine_hold_what_is_beyond_1),
        cmocka_unit_test(an_angle_in_range_is_left_alone),
        cmocka_unit_test(a_few_turns_are_taken_off_to_the_last_bit),
        cmocka_unit_test(thousands_of_turns_are_taken_off_within_1e_6),
        cmocka_unit_test(any_angle_comes_back_in_range),
        cmocka_unit_test(the_square_root_is_correctly_rounded),
        cmocka_unit_test(least_and_most_are_the_second_when_nothing_decides),
        cmocka_unit_test(the_smooth_step_has_level_ends_and_half_in_the_middle),
        cmocka_unit_test(results_do_not_depend_on_denormals_being_flushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
