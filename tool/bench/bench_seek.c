// Times directed seek as at the start of trials: turning towards a goal in any direction, which
// costs most, because all paths must be built.
#include "tool/bench/bench_seek.h"

#include "tool/command/machine.h"

#include <stdlib.h>

#define TRIALS 1024
#define BENCH_SEEK_ROUNDS 40

static double time_round(const kerb_scene_seek_trial* trials, kerb_vec3* sum) {
    uint64_t begun = tool_clock_ns();
    for (int32_t i = 0; i < TRIALS; i++) {
        kerb_steering wish = kerb_directed_seek(&trials[i].settings, &trials[i].agent,
                                                &trials[i].goal, trials[i].time_step, NULL);
        *sum = kerb_vec3_add(*sum, wish.direction);
    }
    return (double)(tool_clock_ns() - begun) / TRIALS;
}

double tool_seek_call_ns(const kerb_scene_seek_plan* plan) {
    kerb_scene_seek_trial* trials = malloc(TRIALS * sizeof *trials);
    if (!trials)
        return 0.0;
    for (int32_t i = 0; i < TRIALS; i++)
        trials[i] = kerb_scene_seek_trial_make(plan, i);
    kerb_vec3 sum = {0.0f, 0.0f, 0.0f};
    double best = 0.0;
    for (int32_t round = 0; round < BENCH_SEEK_ROUNDS; round++) {
        double ns = time_round(trials, &sum);
        best = round == 0 || ns < best ? ns : best;
    }
    free(trials);
    return kerb_vec3_is_finite(sum) ? best : 0.0;
}

bool tool_bench_directed_seek(tool_bench_figure* figure) {
    const kerb_scene_seek_plan plan = {
        .variant = KERB_SCENE_SEEK_PAPER, .radius = 5.0f, .speed = 5.0f, .hz = 60.0f, .seed = 1};
    figure->ns = tool_seek_call_ns(&plan);
    return figure->ns > 0.0;
}
