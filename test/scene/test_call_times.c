// Times of calls: the median and quantiles of random times with a few disturbed ones among them,
// against those of the sorted times.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/timing/call_times.h"
#include "test/seed.h"

#include <stdlib.h>

#define CALLS 4001
#define READING 25

static uint64_t now; // what the clock says; reading it takes READING

static uint64_t clock_of_test(void) {
    now += READING;
    return now;
}

static int by_size(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static void time_calls(kerb_scene_call_times* times, const uint64_t* spent, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        uint64_t begun = kerb_scene_call_begin(times);
        now += spent[i];
        kerb_scene_call_end(times, begun);
    }
}

static void the_median_is_that_of_the_sorted_times(void** state) {
    (void)state;
    static uint64_t spent[CALLS];
    kerb_random random = test_random("call times");
    for (int32_t round = 0; round < 20; round++) {
        float least = kerb_random_between(&random, 40.0f, 20000.0f);
        for (int32_t i = 0; i < CALLS; i++)
            spent[i] = (uint64_t)(least * kerb_random_between(&random, 1.0f, 3.0f));
        kerb_scene_call_times times = kerb_scene_call_times_make(clock_of_test);
        time_calls(&times, spent, CALLS);
        qsort(spent, CALLS, sizeof spent[0], by_size);
        double median = (double)spent[CALLS / 2];
        assert_true(kerb_scene_call_median(&times) >= 0.965 * median);
        assert_true(kerb_scene_call_median(&times) <= 1.035 * median);
        double most = (double)spent[(int32_t)(0.99 * CALLS)];
        assert_true(kerb_scene_call_below(&times, 0.99) >= most);
        assert_true(kerb_scene_call_below(&times, 0.99) <= 1.0626 * most + 1.0);
        assert_true(times.longest == spent[CALLS - 1]);
    }
}

static void a_few_disturbed_calls_do_not_change_the_median(void** state) {
    (void)state;
    static uint64_t spent[CALLS];
    for (int32_t i = 0; i < CALLS; i++)
        spent[i] = i % 20 == 7 ? 4000000 : 300; // one of twenty waits for another program
    kerb_scene_call_times times = kerb_scene_call_times_make(clock_of_test);
    time_calls(&times, spent, CALLS);
    assert_true(kerb_scene_call_median(&times) > 290.0 && kerb_scene_call_median(&times) < 310.0);
    assert_true(kerb_scene_call_mean(&times) > 100000.0);
}

static void reading_the_clock_is_not_counted(void** state) {
    (void)state;
    static uint64_t spent[CALLS]; // calls that take no time
    kerb_scene_call_times times = kerb_scene_call_times_make(clock_of_test);
    assert_int_equal(times.reading, READING);
    time_calls(&times, spent, CALLS);
    assert_int_equal(times.count, CALLS);
    assert_int_equal(times.longest, 0);
    assert_true(kerb_scene_call_mean(&times) == 0.0);
}

static void without_a_clock_all_are_zero(void** state) {
    (void)state;
    kerb_scene_call_times times = kerb_scene_call_times_make(NULL);
    kerb_scene_call_end(&times, kerb_scene_call_begin(&times));
    assert_int_equal(times.count, 0);
    assert_true(kerb_scene_call_median(&times) == 0.0 && kerb_scene_call_mean(&times) == 0.0);
    assert_true(kerb_scene_call_below(&times, 0.99) == 0.0);
}

int call_times_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_is_that_of_the_sorted_times),
        cmocka_unit_test(a_few_disturbed_calls_do_not_change_the_median),
        cmocka_unit_test(reading_the_clock_is_not_counted),
        cmocka_unit_test(without_a_clock_all_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
