// PCG32 against its published output, and what the header promises of each function.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/base.h"
#include "test/seed.h"

#include <math.h>

static void the_numbers_are_those_of_the_published_demonstration(void** state) {
    (void)state;
    // pcg32-demo of the PCG C library, seed 42, stream 54.
    const uint32_t published[] = {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u,
                                  0x83d2f293u, 0xbfa4784bu, 0xcbed606eu};
    kerb_random random = kerb_random_make(42, 54);
    for (int i = 0; i < 6; i++)
        assert_int_equal(kerb_random_bits(&random), published[i]);
}

static void streams_and_seeds_differ(void** state) {
    (void)state;
    kerb_random a = kerb_random_make(1, 1), b = kerb_random_make(1, 2), c = kerb_random_make(2, 1);
    int same_stream = 0, same_seed = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t bits = kerb_random_bits(&a);
        same_stream += bits == kerb_random_bits(&b);
        same_seed += bits == kerb_random_bits(&c);
    }
    assert_true(same_stream < 3 && same_seed < 3);
}

static void a_copy_goes_on_with_the_same_numbers(void** state) {
    (void)state;
    kerb_random random = test_random("copy");
    kerb_random_bits(&random);
    kerb_random copy = random;
    for (int i = 0; i < 100; i++)
        assert_int_equal(kerb_random_bits(&random), kerb_random_bits(&copy));
}

static void every_bit_is_set_half_of_the_time(void** state) {
    (void)state;
    enum { DRAWS = 1 << 16 };
    kerb_random random = test_random("bits");
    int set[32] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint32_t bits = kerb_random_bits(&random);
        for (int bit = 0; bit < 32; bit++)
            set[bit] += (int)(bits >> bit & 1u);
    }
    // Six standard deviations of a fair coin.
    for (int bit = 0; bit < 32; bit++)
        assert_true(fabs(set[bit] - DRAWS / 2.0) < 6.0 * sqrt(DRAWS / 4.0));
}

static void unit_numbers_are_multiples_of_2_to_the_minus_24_below_1(void** state) {
    (void)state;
    kerb_random random = test_random("unit");
    double sum = 0.0, squares = 0.0;
    enum { DRAWS = 1 << 18 };
    for (int i = 0; i < DRAWS; i++) {
        float unit = kerb_random_unit(&random);
        assert_true(unit >= 0.0f && unit < 1.0f);
        float steps = unit * 0x1p24f;
        assert_true(steps == floorf(steps));
        sum += (double)unit;
        squares += (double)unit * (double)unit;
    }
    double mean = sum / DRAWS;
    assert_true(fabs(mean - 0.5) < 6.0 * sqrt(1.0 / 12.0 / DRAWS));
    assert_true(fabs(squares / DRAWS - mean * mean - 1.0 / 12.0) < 0.002);
}

static void numbers_between_stay_in_the_half_open_range(void** state) {
    (void)state;
    const float ranges[][2] = {{-1.0f, 1.0f},
                               {1.0f, 1.0f + 0x1p-23f},
                               {-3e38f, 3e38f},
                               {1e6f, 1000001.0f},
                               {-5.0f, -4.0f}};
    kerb_random random = test_random("between");
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        for (int draw = 0; draw < 20000; draw++) {
            float value = kerb_random_between(&random, ranges[i][0], ranges[i][1]);
            assert_true(value >= ranges[i][0] && value < ranges[i][1]);
        }
    }
}

static void an_empty_range_gives_its_start(void** state) {
    (void)state;
    kerb_random random = test_random("empty");
    assert_true(kerb_random_between(&random, 3.0f, 3.0f) == 3.0f);
}

static void whole_numbers_below_are_all_equally_likely(void** state) {
    (void)state;
    // Chi-squared; the limit is six standard deviations above the mean of count - 1.
    const int32_t counts[] = {1, 2, 3, 7, 10, 100};
    kerb_random random = test_random("below");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        enum { DRAWS = 100000 };
        int32_t seen[100] = {0};
        for (int draw = 0; draw < DRAWS; draw++) {
            int32_t value = kerb_random_below(&random, counts[i]);
            assert_true(value >= 0 && value < counts[i]);
            seen[value]++;
        }
        double expected = (double)DRAWS / counts[i], chi = 0.0;
        for (int32_t value = 0; value < counts[i]; value++)
            chi += (seen[value] - expected) * (seen[value] - expected) / expected;
        assert_true(chi <= counts[i] - 1 + 6.0 * sqrt(2.0 * counts[i]));
    }
}

static void no_bias_remains_in_very_large_ranges(void** state) {
    (void)state;
    // Without redrawing, 2^32 mod (3·2^29) leaves the first third twice as likely as the others.
    enum { DRAWS = 30000 };
    const int32_t count = 3 << 29;
    kerb_random random = test_random("large");
    int thirds[3] = {0};
    for (int draw = 0; draw < DRAWS; draw++)
        thirds[kerb_random_below(&random, count) >> 29]++;
    for (int i = 0; i < 3; i++)
        assert_true(fabs(thirds[i] - DRAWS / 3.0) < 6.0 * sqrt(DRAWS * 2.0 / 9.0));
}

int random_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_are_those_of_the_published_demonstration),
        cmocka_unit_test(streams_and_seeds_differ),
        cmocka_unit_test(a_copy_goes_on_with_the_same_numbers),
        cmocka_unit_test(every_bit_is_set_half_of_the_time),
        cmocka_unit_test(unit_numbers_are_multiples_of_2_to_the_minus_24_below_1),
        cmocka_unit_test(numbers_between_stay_in_the_half_open_range),
        cmocka_unit_test(an_empty_range_gives_its_start),
        cmocka_unit_test(whole_numbers_below_are_all_equally_likely),
        cmocka_unit_test(no_bias_remains_in_very_large_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
