// How long calls take, from a clock that is read before and after each: their median and quantiles.
// A median says what an undisturbed call costs: interrupts, other programs and page faults lengthen
// few calls, but those by up to a thousand times, so that a mean says more of them than of the
// call.
//
//     kerb_scene_call_times times = kerb_scene_call_times_make(clock);
//     uint64_t begun = kerb_scene_call_begin(&times);
//     … the call …
//     kerb_scene_call_end(&times, begun);
//     double ns = kerb_scene_call_median(&times);
//
// Does not: warm caches. Between the calls that are timed a simulation runs, as a game does.
#ifndef KERB_SCENE_TIMING_CALL_TIMES_H
#define KERB_SCENE_TIMING_CALL_TIMES_H

#include "kerb/base.h"

/// 16 for each doubling, up to 4 s.
#define KERB_SCENE_CALL_BINS 512

typedef struct kerb_scene_call_times {
    uint64_t (*clock)(void); ///< nanoseconds; NULL: nothing is timed and all results are 0
    uint64_t reading;        ///< what reading the clock costs, which each time is less by [ns]
    int64_t count;
    double sum;       ///< [ns]
    uint64_t longest; ///< [ns]
    int64_t bins[KERB_SCENE_CALL_BINS];
} kerb_scene_call_times;

/// Measures what reading the clock costs. `clock` may be NULL.
kerb_scene_call_times kerb_scene_call_times_make(uint64_t (*clock)(void));

uint64_t kerb_scene_call_begin(const kerb_scene_call_times* times);
void kerb_scene_call_end(kerb_scene_call_times* times, uint64_t begun);

/// The time that half of the calls stay below, to some 3 %. [ns]
double kerb_scene_call_median(const kerb_scene_call_times* times);

/// The mean. [ns]
double kerb_scene_call_mean(const kerb_scene_call_times* times);

/// The time that this share of the calls stay below: the upper end of a bin, at most 6.25 % too
/// much. [share: 0 … 1] [ns]
double kerb_scene_call_below(const kerb_scene_call_times* times, double share);

#endif
