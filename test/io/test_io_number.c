// Numbers as text: judged by the C library's strtof, strtod and printf in the "C" locale, which
// are exact in glibc and musl, and by values known from the formats.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/number.h"
#include "test/seed.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_NUMBERS = 20000 };

static uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void expect_same_as_strtod(const char* text) {
    float single = 0.0f, expected_single = strtof(text, NULL);
    double twice = 0.0, expected = strtod(text, NULL);
    kerb_result result = kerb_io_number_read_float(text, strlen(text), &single);
    assert_int_equal(result, isinf(expected_single) ? KERB_ERROR_OUT_OF_RANGE : KERB_OK);
    if (result == KERB_OK && float_bits(single) != float_bits(expected_single))
        fail_msg("%s reads as the float %a instead of %a", text, (double)single,
                 (double)expected_single);
    result = kerb_io_number_read_double(text, strlen(text), &twice);
    assert_int_equal(result, isinf(expected) ? KERB_ERROR_OUT_OF_RANGE : KERB_OK);
    if (result == KERB_OK && double_bits(twice) != double_bits(expected))
        fail_msg("%s reads as the double %a instead of %a", text, twice, expected);
}

static void expect_read(const char* text, float expected) {
    float value = 0.0f;
    assert_int_equal(kerb_io_number_read_float(text, strlen(text), &value), KERB_OK);
    assert_int_equal(float_bits(value), float_bits(expected));
}

static void expect_refusal(const char* text, kerb_result expected) {
    float value = 7.0f;
    double twice = 7.0;
    if (kerb_io_number_read_float(text, strlen(text), &value) != expected ||
        kerb_io_number_read_double(text, strlen(text), &twice) != expected)
        fail_msg("\"%s\" is not refused as %s", text, kerb_result_text(expected));
    assert_true(value == 7.0f && twice == 7.0);
}

static void every_usual_way_to_write_a_number_is_read(void** state) {
    (void)state;
    expect_read("0", 0.0f);
    expect_read("-0", -0.0f);
    expect_read("12.5", 12.5f);
    expect_read("+12.5", 12.5f);
    expect_read("-.5", -0.5f);
    expect_read("5.", 5.0f);
    expect_read("1e3", 1000.0f);
    expect_read("1E+3", 1000.0f);
    expect_read("25e-2", 0.25f);
    expect_read("0000000000000000000000000000001", 1.0f);
    expect_read("0.0000000000000000000000000001e28", 1.0f);
    expect_read("1000000000000000000000000000000e-30", 1.0f);
}

static void what_is_not_a_number_is_refused(void** state) {
    (void)state;
    const char* words[] = {"",      "+",       "-",    ".",    "e5",  "1e",   "1e+", "1,5",
                           "1.2.3", "0x10",    "1 ",   " 1",   "--1", "1f",   "abc", "na",
                           "nano",  "infinit", "1e5.", "1e 5", "+-1", "1e+-5"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_refusal(words[i], KERB_ERROR_WRONG_TYPE);
    float value;
    assert_int_equal(kerb_io_number_read_float("1\0", 2, &value), KERB_ERROR_WRONG_TYPE);
}

static void words_for_numbers_that_are_not_finite_are_told_apart(void** state) {
    (void)state;
    const char* words[] = {"nan", "NaN", "-nan", "inf", "INF", "+Inf", "-inf", "Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_refusal(words[i], KERB_ERROR_NOT_FINITE);
}

static void numbers_too_great_are_out_of_range_and_tiny_ones_are_zero(void** state) {
    (void)state;
    expect_refusal("1e999", KERB_ERROR_OUT_OF_RANGE);
    expect_refusal("-1e99999999999999999999999999", KERB_ERROR_OUT_OF_RANGE);
    expect_read("1e-999", 0.0f);
    expect_read("-1e-99999999999999999999999999", -0.0f);
    expect_read("0e99999999999999999999999999", 0.0f);
    expect_read("3.4028235e38", FLT_MAX);
    // The middle between the greatest float and what would be the next goes up: to infinity.
    float value;
    assert_int_equal(kerb_io_number_read_float("3.4028235677973367e38", 21, &value),
                     KERB_ERROR_OUT_OF_RANGE);
    expect_same_as_strtod("3.4028235677973366e38");
    expect_same_as_strtod("1.7976931348623157e308");
    expect_same_as_strtod("1.7976931348623159e308");
    expect_same_as_strtod("4.9e-324");
    expect_same_as_strtod("2.4703282292062327e-324");
    expect_same_as_strtod("2.4703282292062328e-324");
    expect_same_as_strtod("1.4e-45");
    expect_same_as_strtod("7.006492321624085e-46");
    expect_same_as_strtod("7.006492321624086e-46");
}

// The float's neighbour above, and the middle between both, in all its digits.
static void write_middle(char* text, size_t size, float value) {
    float above = nextafterf(value, INFINITY);
    snprintf(text, size, "%.200f", ((double)value + (double)above) / 2.0);
}

static void the_middle_between_two_floats_goes_to_the_even_one(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < RANDOM_NUMBERS; i++) {
        uint32_t bits = kerb_random_bits(&random) & 0x7FFFFFFFu;
        float value;
        char text[400];
        memcpy(&value, &bits, sizeof value);
        if (!(value < 1e38f))
            continue;
        write_middle(text, sizeof text, value);
        expect_same_as_strtod(text);
        size_t length = strlen(text);
        memcpy(text + length, "1", 2);
        expect_same_as_strtod(text);
    }
}

static void digits_beyond_a_thousand_still_decide(void** state) {
    (void)state;
    char text[2200] = "16777217.";
    memset(text + 9, '0', 2000);
    expect_same_as_strtod(text); // a tie, written long
    text[2000] = '1';
    expect_same_as_strtod(text);
    expect_read(text, 16777218.0f);
}

static void random_numbers_read_as_the_c_library_reads_them(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < RANDOM_NUMBERS; i++) {
        char text[64];
        uint64_t whole = (uint64_t)kerb_random_bits(&random) << 32 | kerb_random_bits(&random);
        whole >>= kerb_random_below(&random, 64);
        int32_t exponent = kerb_random_below(&random, 4) ? kerb_random_below(&random, 40) - 30
                                                         : kerb_random_below(&random, 700) - 350;
        snprintf(text, sizeof text, "%llu.%05ue%d", (unsigned long long)whole,
                 (unsigned)kerb_random_below(&random, 100000), (int)exponent);
        expect_same_as_strtod(text);
    }
}

static void a_written_float_reads_back_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < RANDOM_NUMBERS; i++) {
        uint32_t bits = kerb_random_bits(&random);
        float value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char text[KERB_IO_NUMBER_TEXT_MAX];
        size_t length = kerb_io_number_write_float(text, value);
        assert_int_equal(length, strlen(text));
        assert_int_equal(kerb_io_number_read_float(text, length, &back), KERB_OK);
        assert_int_equal(float_bits(back), bits);
    }
}

static void expect_written(float value, const char* expected) {
    char text[KERB_IO_NUMBER_TEXT_MAX];
    kerb_io_number_write_float(text, value);
    assert_string_equal(text, expected);
}

static void a_float_is_written_with_the_fewest_digits(void** state) {
    (void)state;
    expect_written(0.0f, "0");
    expect_written(-0.0f, "-0");
    expect_written(0.1f, "0.1");
    expect_written(-2.7f, "-2.7");
    expect_written(250.0f, "250");
    expect_written(1.0e6f, "1000000");
    expect_written(1.0e10f, "1e+10");
    expect_written(0.00045f, "0.00045");
    expect_written(1.5e-7f, "1.5e-07");
    expect_written(16777216.0f, "16777216");
    expect_written(1.0f / 3.0f, "0.33333334");
    expect_written(FLT_MAX, "3.4028235e+38");
    expect_written(1.4e-45f, "1e-45");
    expect_written(NAN, "nan");
    expect_written(INFINITY, "inf");
    expect_written(-INFINITY, "-inf");
}

static void fixed_decimals_are_those_of_printf(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < RANDOM_NUMBERS; i++) {
        char text[KERB_IO_NUMBER_TEXT_MAX], expected[KERB_IO_NUMBER_TEXT_MAX];
        // Sixteenths make ties; the exponent spreads from micrometres to beyond the moon.
        double value = ldexp((double)(int32_t)kerb_random_bits(&random) / 16.0,
                             (int)kerb_random_below(&random, 60) - 40);
        int decimals = (int)kerb_random_below(&random, 8);
        snprintf(expected, sizeof expected, "%.*f", decimals, value);
        kerb_io_number_write_fixed(text, value, decimals);
        bool zero = strtod(expected, NULL) == 0.0;
        assert_string_equal(text, zero && *expected == '-' ? expected + 1 : expected);
    }
}

static void fixed_decimals_hold_for_the_greatest_and_smallest(void** state) {
    (void)state;
    char text[KERB_IO_NUMBER_TEXT_MAX], expected[KERB_IO_NUMBER_TEXT_MAX];
    snprintf(expected, sizeof expected, "%.20f", -DBL_MAX);
    assert_int_equal(kerb_io_number_write_fixed(text, -DBL_MAX, 99), strlen(expected));
    assert_string_equal(text, expected);
    kerb_io_number_write_fixed(text, -4.9e-324, 3);
    assert_string_equal(text, "0.000");
    kerb_io_number_write_fixed(text, 0.9996, 3);
    assert_string_equal(text, "1.000");
    kerb_io_number_write_fixed(text, 2.5, 0);
    assert_string_equal(text, "2");
    kerb_io_number_write_fixed(text, (double)NAN, 3);
    assert_string_equal(text, "nan");
}

static void a_locale_with_a_decimal_comma_changes_nothing(void** state) {
    (void)state;
    const char* locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR", "German"};
    bool found = false;
    for (size_t i = 0; i < sizeof locales / sizeof *locales && !found; i++)
        found = setlocale(LC_ALL, locales[i]) != NULL && *localeconv()->decimal_point == ',';
    if (!found) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    expect_read("12.5", 12.5f);
    expect_refusal("12,5", KERB_ERROR_WRONG_TYPE);
    expect_written(0.1f, "0.1");
    setlocale(LC_ALL, "C");
}

int io_number_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_usual_way_to_write_a_number_is_read),
        cmocka_unit_test(what_is_not_a_number_is_refused),
        cmocka_unit_test(words_for_numbers_that_are_not_finite_are_told_apart),
        cmocka_unit_test(numbers_too_great_are_out_of_range_and_tiny_ones_are_zero),
        cmocka_unit_test(the_middle_between_two_floats_goes_to_the_even_one),
        cmocka_unit_test(digits_beyond_a_thousand_still_decide),
        cmocka_unit_test(random_numbers_read_as_the_c_library_reads_them),
        cmocka_unit_test(a_written_float_reads_back_to_the_bit),
        cmocka_unit_test(a_float_is_written_with_the_fewest_digits),
        cmocka_unit_test(fixed_decimals_are_those_of_printf),
        cmocka_unit_test(fixed_decimals_hold_for_the_greatest_and_smallest),
        cmocka_unit_test(a_locale_with_a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests_name("io number", tests, NULL, NULL);
}
