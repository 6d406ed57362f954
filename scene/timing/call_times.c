// A histogram with 16 bins for each doubling, linear within it. O(1) for a call, O(bins) for a
// quantile.
#include "scene/timing/call_times.h"

#define BINS_OF_DOUBLING 16
#define READINGS 64

// The least of some: an interrupt can only lengthen one.
static uint64_t cost_of_reading(uint64_t (*clock)(void)) {
    uint64_t least = UINT64_MAX;
    for (int32_t i = 0; clock != NULL && i < READINGS; i++) {
        uint64_t begun = clock();
        uint64_t spent = clock() - begun;
        least = spent < least ? spent : least;
    }
    return clock != NULL ? least : 0;
}

kerb_scene_call_times kerb_scene_call_times_make(uint64_t (*clock)(void)) {
    kerb_scene_call_times times = {.clock = clock, .reading = cost_of_reading(clock)};
    return times;
}

uint64_t kerb_scene_call_begin(const kerb_scene_call_times* times) {
    return times->clock != NULL ? times->clock() : 0;
}

static int32_t call_bin_of(uint64_t ns) {
    int32_t doubling = 0;
    while (doubling < KERB_SCENE_CALL_BINS / BINS_OF_DOUBLING - 1 && (ns >> (doubling + 1)) != 0)
        doubling++;
    uint64_t rest = ns - (ns == 0 ? 0 : (uint64_t)1 << doubling);
    uint64_t within = (rest * BINS_OF_DOUBLING) >> doubling;
    return doubling * BINS_OF_DOUBLING + (int32_t)(within < 15 ? within : 15);
}

// Where a bin begins; that of the next one is where it ends.
static double begin_of(int32_t bin) {
    double doubling = (double)((uint64_t)1 << (bin / BINS_OF_DOUBLING));
    return doubling * (1.0 + (double)(bin % BINS_OF_DOUBLING) / BINS_OF_DOUBLING);
}

void kerb_scene_call_end(kerb_scene_call_times* times, uint64_t begun) {
    if (times->clock == NULL)
        return;
    uint64_t spent = times->clock() - begun;
    spent -= spent < times->reading ? spent : times->reading;
    times->count++;
    times->sum += (double)spent;
    times->longest = spent > times->longest ? spent : times->longest;
    times->bins[call_bin_of(spent)]++;
}

// Calls of a bin lie evenly in it. `whole`: the end of the bin instead.
static double call_quantile(const kerb_scene_call_times* times, double share, bool whole) {
    double wanted = share * (double)times->count, sum = 0.0;
    for (int32_t bin = 0; bin < KERB_SCENE_CALL_BINS && times->count > 0; bin++) {
        double here = (double)times->bins[bin];
        if (here > 0.0 && sum + here >= wanted) {
            double part = whole ? 1.0 : (wanted - sum) / here;
            return begin_of(bin) + part * (begin_of(bin + 1) - begin_of(bin));
        }
        sum += here;
    }
    return 0.0;
}

double kerb_scene_call_median(const kerb_scene_call_times* times) {
    return call_quantile(times, 0.5, false);
}

double kerb_scene_call_mean(const kerb_scene_call_times* times) {
    return times->count > 0 ? times->sum / (double)times->count : 0.0;
}

double kerb_scene_call_below(const kerb_scene_call_times* times, double share) {
    return call_quantile(times, share, true);
}
