// A flock, timed per frame.
#include "tool/bench/bench_groups.h"

#include "kerb/steer.h"

#include "kerb/group.h"
#include "tool/command/machine.h"

#include <stdlib.h>

#define AGENTS 5000
#define BENCH_NUMBERS 12
#define NEIGHBOURS 15.0f        // on average, at the start
#define BENCH_GROUPS_ROUNDS 200 // 0.15 s
#define BENCH_GROUPS_TIME_STEP (1.0f / 60.0f)

static kerb_agents make_agents(float* numbers) {
    float* of[BENCH_NUMBERS];
    for (size_t n = 0; n < BENCH_NUMBERS; n++)
        of[n] = numbers + n * AGENTS;
    kerb_agents agents = {AGENTS, of[0], of[1], NULL,  of[3],  of[4], NULL,
                          of[6],  of[7], of[8], of[9], of[10], of[11]};
    return agents;
}

// Spread evenly over a square, heading anywhere.
static void place_agents(const kerb_agents* agents, float radius) {
    float side = kerb_sqrt((float)AGENTS * KERB_PI * radius * radius / (NEIGHBOURS + 0.5f));
    kerb_random random = kerb_random_make(1, 1);
    for (int32_t i = 0; i < AGENTS; i++) {
        float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
        float x = kerb_random_between(&random, 0.0f, side);
        float y = kerb_random_between(&random, 0.0f, side);
        kerb_agent agent = {{x, y, 0.0f}, {kerb_cos(heading), kerb_sin(heading), 0.0f},
                            10.0f,        1.0f,
                            6.0f,         14.0f,
                            4.0f,         6.0f};
        kerb_agents_set(agents, i, &agent);
    }
}

static void bench_groups_time_frames(tool_bench_figure* figure, kerb_flock* flock,
                                     const kerb_agents* agents) {
    const kerb_flock_settings settings = kerb_flock_settings_default();
    place_agents(agents, settings.cohesion_radius);
    for (int32_t round = 0; round < BENCH_GROUPS_ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        kerb_flock_update(flock, &settings, agents, BENCH_GROUPS_TIME_STEP);
        double ns = (double)(tool_clock_ns() - begun) / AGENTS;
        figure->ns = round == 0 || ns < figure->ns ? ns : figure->ns;
    }
}

bool tool_bench_flock(tool_bench_figure* figure) {
    kerb_host host = kerb_host_default();
    kerb_flock flock;
    if (kerb_flock_create(&flock, AGENTS, &host, NULL) != KERB_OK)
        return false;
    float* numbers = calloc((size_t)BENCH_NUMBERS * AGENTS, sizeof *numbers);
    if (numbers) {
        const kerb_agents agents = make_agents(numbers);
        bench_groups_time_frames(figure, &flock, &agents);
    }
    bool measured = numbers != NULL;
    free(numbers);
    kerb_flock_destroy(&flock);
    return measured;
}
