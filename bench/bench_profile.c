// What a speed profile promises of laps that are then driven, in sim/:
//
//     bench_profile calibrated [FIRST LAST [LENGTH WIDTH]]    after a calibration, 3.1 km by 400 m
//     bench_profile described [FIRST LAST]    from limits that are described wrongly by up to 20 %
//
// One seed is a track and a race car, changed in mass, grip and engine (scene/race/race_learn.h).
// The promise before a lap is that of the description and of what was learned up to then, without
// the times of single places; "with places" has them. Sums over all seeds; an error below 0 is a
// promise that is too fast.
#include "scene/race/race_learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAPS = 7, RUNS_MAX = 1000 };

static int order(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void print(const char* name, double* errors, int32_t count) {
    double sum = 0.0;
    int32_t within = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += errors[i];
        errors[i] = fabs(errors[i]);
        within += errors[i] <= 4.0;
    }
    qsort(errors, (size_t)count, sizeof *errors, order);
    printf("%-34s %+5.1f %% on average, %4.1f %% in 95 of 100, within 4 %%: %d of %d\n", name,
           sum / count, errors[count - 1 - count / 20], (int)within, (int)count);
}

int main(int argc, char** argv) {
    bool calibrated = argc < 2 || strcmp(argv[1], "described") != 0;
    int first = argc > 3 ? atoi(argv[2]) : 501, last = argc > 3 ? atoi(argv[3]) : 601;
    float length = argc > 5 ? strtof(argv[4], NULL) : 3100.0f;
    float width = argc > 5 ? strtof(argv[5], NULL) : 400.0f;
    static double promise[LAPS][RUNS_MAX], placed[LAPS][RUNS_MAX], first_lap[RUNS_MAX];
    int32_t count = 0;
    for (int seed = first; seed < last && count < RUNS_MAX; seed++) {
        kerb_scene_race_learn run;
        bool drove =
            calibrated
                ? kerb_scene_race_learn_calibrated(&run, (uint64_t)seed, length, width, LAPS)
                : kerb_scene_race_learn_run(&run, (uint64_t)seed,
                                            kerb_scene_race_wrong_of((uint64_t)seed, 0.2f), LAPS);
        if (!drove) {
            printf("%d: no laps\n", seed);
            continue;
        }
        for (int32_t i = 0; i < LAPS; i++) {
            promise[i][count] = 100.0 * (run.performed[i] / run.lap_time[i] - 1.0);
            placed[i][count] = 100.0 * (run.promised[i] / run.lap_time[i] - 1.0);
        }
        if (getenv("VERBOSE"))
            printf("%d car %d: %.1f %.1f %.1f\n", seed, (int)(seed % 5),
                   100.0 * (run.performed[0] / run.lap_time[LAPS - 1] - 1.0), promise[3][count],
                   promise[5][count]);
        first_lap[count++] = 100.0 * (run.performed[0] / run.lap_time[LAPS - 1] - 1.0);
    }
    if (count == 0)
        return 1;
    print("before any lap, of the last one", first_lap, count);
    static const int32_t shown[] = {3, 5};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "after %d laps, of the next", (int)shown[i]);
        print(name, promise[shown[i]], count);
        snprintf(name, sizeof name, "after %d laps, with places", (int)shown[i]);
        print(name, placed[shown[i]], count);
    }
    return 0;
}
