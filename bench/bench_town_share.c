// Kerb's share of a frame in the first scene of the playground: fifty drivers in one town, of
// fifteen kinds (cars, vans, a bus, lorries, racing cars, a go-kart, armoured cars, tanks,
// hovercraft), by turns.
//
//     bench_town_share [SECONDS [ROUNDS]]     120 s of the town, the best of five rounds
//
// All that the town calls in the library for its drivers is timed where it is called: the linker
// puts the functions below before the library's. Physics, judge and the search for neighbours are
// not in it. The time of reading the clock is taken off. A frame is 1/60 s.
#include "kerb/follow.h"
#include "scene/stage/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FRAMES_MAX 36000
#define ROUNDS_MAX 64
#define CLOCK_READS 4096

static uint64_t spent;  // by the library since the frame began [ns]
static int32_t calls;   // and how often it was called
static double clock_ns; // that reading the clock takes [ns]

static uint64_t now_ns(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

kerb_controls __real_kerb_follower_drive(kerb_follower* follower, const kerb_path* path,
                                         const kerb_motion* motion,
                                         const kerb_surroundings* surroundings, float time_step);
kerb_controls __wrap_kerb_follower_drive(kerb_follower* follower, const kerb_path* path,
                                         const kerb_motion* motion,
                                         const kerb_surroundings* surroundings, float time_step);
void __real_kerb_follower_intent(const kerb_follower* follower, const kerb_path* path,
                                 kerb_intent* intent);
void __wrap_kerb_follower_intent(const kerb_follower* follower, const kerb_path* path,
                                 kerb_intent* intent);

kerb_controls __wrap_kerb_follower_drive(kerb_follower* follower, const kerb_path* path,
                                         const kerb_motion* motion,
                                         const kerb_surroundings* surroundings, float time_step) {
    uint64_t begun = now_ns();
    kerb_controls controls =
        __real_kerb_follower_drive(follower, path, motion, surroundings, time_step);
    spent += now_ns() - begun;
    calls++;
    return controls;
}

void __wrap_kerb_follower_intent(const kerb_follower* follower, const kerb_path* path,
                                 kerb_intent* intent) {
    uint64_t begun = now_ns();
    __real_kerb_follower_intent(follower, path, intent);
    spent += now_ns() - begun;
    calls++;
}

static int by_size(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static double least_clock(void) {
    uint64_t least = UINT64_MAX;
    for (int32_t i = 0; i < CLOCK_READS; i++) {
        uint64_t begun = now_ns(), took = now_ns() - begun;
        least = took < least ? took : least;
    }
    return (double)least;
}

// One round: the frames' shares in order of size. False: it could not be made.
static bool run(int32_t frames, double* shares) {
    kerb_error error;
    kerb_stage* stage = kerb_stage_make(0, 1, NULL, 0, NULL, &error);
    if (stage == NULL) {
        fprintf(stderr, "bench_town_share: %s %s\n", error.field, error.message);
        return false;
    }
    for (int32_t i = 0; i < frames; i++) {
        spent = 0;
        calls = 0;
        kerb_stage_step(stage);
        shares[i] = 1.0e-6 * ((double)spent - clock_ns * (double)calls);
    }
    kerb_stage_free(stage);
    qsort(shares, (size_t)frames, sizeof *shares, by_size);
    return true;
}

int main(int argc, char** argv) {
    static double shares[FRAMES_MAX];
    int32_t seconds = argc > 1 ? atoi(argv[1]) : 120, rounds = argc > 2 ? atoi(argv[2]) : 5;
    int32_t frames = 60 * seconds;
    if (frames < 60 || frames > FRAMES_MAX || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "bench_town_share: SECONDS 1 to %d, ROUNDS 1 to %d\n", FRAMES_MAX / 60,
                ROUNDS_MAX);
        return 2;
    }
    clock_ns = least_clock();
    double median = 1.0e9, low = 0.0, high = 0.0;
    for (int32_t round = 0; round < rounds; round++) {
        if (!run(frames, shares))
            return 1;
        if (shares[frames / 2] >= median)
            continue;
        median = shares[frames / 2];
        low = shares[frames / 10];
        high = shares[frames * 9 / 10];
    }
    printf("fifty mixed drivers, Kerb's share of a frame: median %.4f ms, four fifths from %.4f to "
           "%.4f ms (%d s of %s, best of %d rounds)\n",
           median, low, high, seconds, kerb_stage_scene_id(0), rounds);
    return 0;
}
