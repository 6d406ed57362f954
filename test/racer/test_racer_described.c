// A racer whose car is described wrongly: what laps promise, and that it does not matter after ten
// of them whether the description was modest or optimistic. For figures on many cars and tracks:
// KERB_TEST_CARS=100 test_racer racer_described.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race_learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Not tuned on.
#define FIRST_SEED 101

static int32_t cars_asked(int32_t usual) {
    const char* asked = getenv("KERB_TEST_CARS");
    return asked != NULL ? (int32_t)strtol(asked, NULL, 10) : usual;
}

static int compare(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

enum { CARS_MOST = 200 };

static double worst_but(double* values, int32_t count, int32_t but) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count - 1 - but];
}

static void a_lap_is_promised_within_four_percent_after_five_laps(void** state) {
    (void)state;
    static double line[CARS_MOST], alone[CARS_MOST];
    int32_t count = cars_asked(5), done = 0;
    assert_true(count > 0 && count <= CARS_MOST);
    for (int32_t i = 0; i < count; i++) {
        uint64_t seed = (uint64_t)(FIRST_SEED + i);
        kerb_scene_race_learn run;
        if (!kerb_scene_race_learn_run(&run, seed, kerb_scene_race_wrong_of(seed, 0.2f), 6))
            continue;
        line[done] = 100.0 * fabs(run.promised[5] / run.lap_time[5] - 1.0);
        alone[done++] = 100.0 * fabs(run.performed[5] / run.lap_time[5] - 1.0);
    }
    assert_int_equal(done, count);
    int32_t but = count / 20;
    double with_places = worst_but(line, done, but), by_car = worst_but(alone, done, but);
    printf("described wrongly by up to 20 %%, %d cars: sixth lap promised within %.2f %%, by the "
           "learned performance alone within %.2f %% in 95 of 100\n",
           (int)done, with_places, by_car);
    assert_true(with_places < 4.0 && by_car < 5.5);
}

static void a_lap_is_promised_with_brakes_weaker_than_described(void** state) {
    (void)state;
    static double alone[CARS_MOST];
    int32_t count = cars_asked(3), done = 0;
    assert_true(count > 0 && count <= CARS_MOST);
    for (int32_t i = 0; i < count; i++) {
        kerb_scene_race_learn run;
        kerb_scene_race_wrong weak = {1.0f, 1.0f, 1.0f, i % 2 == 0 ? 1.25f : 1.5f};
        if (kerb_scene_race_learn_run(&run, (uint64_t)(FIRST_SEED + i), weak, 6))
            alone[done++] = 100.0 * fabs(run.performed[5] / run.lap_time[5] - 1.0);
    }
    assert_int_equal(done, count);
    double by_car = worst_but(alone, done, count / 20);
    printf("brakes weaker than described by a fifth and a third, %d cars: sixth lap promised by "
           "the learned performance within %.2f %% in 95 of 100\n",
           (int)done, by_car);
    assert_true(by_car < 4.5);
}

static void modest_or_optimistic_it_comes_to_the_same_after_ten_laps(void** state) {
    (void)state;
    static double apart[CARS_MOST];
    int32_t count = cars_asked(4), within = 0, done = 0;
    assert_true(count > 0 && count <= CARS_MOST);
    double off[2] = {0.0, 0.0};
    for (int32_t i = 0; i < count; i++) {
        uint64_t seed = (uint64_t)(FIRST_SEED + i);
        kerb_scene_race_learn modest, optimist;
        bool drove = kerb_scene_race_learn_run(&modest, seed,
                                               (kerb_scene_race_wrong){0.8f, 0.8f, 1.2f, 1.0f}, 12);
        drove = drove && kerb_scene_race_learn_run(
                             &optimist, seed, (kerb_scene_race_wrong){1.2f, 1.2f, 0.8f, 1.0f}, 12);
        if (!drove)
            continue;
        double a = modest.lap_time[10] + modest.lap_time[11];
        double b = optimist.lap_time[10] + optimist.lap_time[11];
        apart[done] = 100.0 * fabs(a / b - 1.0);
        within += apart[done++] <= 1.0;
        off[0] += modest.off_track_time;
        off[1] += optimist.off_track_time;
    }
    assert_int_equal(done, count);
    double worst = worst_but(apart, done, 0);
    printf("described modestly and optimistically by 20 %%, %d cars: laps 11 and 12 within 1 %% of "
           "each other in %d, worst %.2f %%; off the track %.1f s and %.1f s\n",
           (int)done, (int)within, worst, off[0], off[1]);
    assert_true(within >= done - 1 - done / 10);
    assert_true(off[1] <= off[0] + 1.0 * (double)done);
}

int racer_described_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lap_is_promised_within_four_percent_after_five_laps),
        cmocka_unit_test(a_lap_is_promised_with_brakes_weaker_than_described),
        cmocka_unit_test(modest_or_optimistic_it_comes_to_the_same_after_ten_laps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
