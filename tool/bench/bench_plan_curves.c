// Times the curves of AIPATH 5.3: those of its table 5.2, random widths, speeds and vehicles.
#include "tool/bench/bench_plan_curves.h"

#include "kerb/plan_curves.h"

#include "tool/command/machine.h"

#define CURVES 300 // of a frame
#define CURVE_SHAPES 4
#define CURVE_KINDS 4
#define CURVE_ROUNDS 5
#define CURVE_THREADS 2

typedef struct curve_tasks {
    kerb_task* task;
    void* argument;
    int32_t count, ranges;
} curve_tasks;

static void curve_range(void* context, int32_t index) {
    const curve_tasks* t = context;
    int32_t begin = (int32_t)((int64_t)t->count * index / t->ranges);
    int32_t end = (int32_t)((int64_t)t->count * (index + 1) / t->ranges);
    t->task(begin, end, t->argument);
}

// Four times as many ranges as threads, so that the last ones end nearly together.
static void* curve_start(void* context, kerb_task* task, void* argument, int32_t count,
                         int32_t range_size_min) {
    int32_t most = count / range_size_min, wanted = 4 * *(const int32_t*)context;
    curve_tasks tasks = {task, argument, count, most < 1 ? 1 : most < wanted ? most : wanted};
    tool_parallel(tasks.ranges, *(const int32_t*)context, curve_range, &tasks);
    return NULL;
}

static void curve_finish(void* context, void* handle) {
    (void)context;
    (void)handle;
}

static bool curves_make(kerb_plan_curves* curves, int32_t cache, void* threads) {
    kerb_plan_limits kinds[CURVE_KINDS];
    for (int32_t i = 0; i < CURVE_KINDS; i++) {
        kinds[i] = kerb_plan_limits_default();
        kinds[i].turning_radius = 5.0f + 0.3f * (float)i;
        kinds[i].lateral_acceleration = 10.0f + 3.0f * (float)i;
    }
    kerb_host host = kerb_host_default();
    kerb_plan_curves_settings settings = kerb_plan_curves_settings_default();
    settings.cache = cache;
    host.tasks = (kerb_tasks){curve_start, curve_finish, threads};
    return kerb_plan_curves_create(curves, kinds, CURVE_KINDS, &settings, &host, NULL) == KERB_OK;
}

static void ask_frame(kerb_plan_curves* curves, uint64_t seed, int32_t count) {
    static const float radii[CURVE_SHAPES] = {-6.0f, 13.0f, -8.0f, 15.0f};
    kerb_random random = kerb_random_make(seed, 1);
    for (int32_t i = 0; i < count; i++) {
        float radius = radii[i % CURVE_SHAPES], half = kerb_random_between(&random, 0.5f, 2.0f);
        float speed = kerb_random_between(&random, 2.0f, 9.0f);
        const kerb_plan_curve_part bend = {1.0f / radius, 0.5f * KERB_PI * kerb_abs(radius), half,
                                           half};
        const kerb_plan_curve curve = {
            .kind = kerb_random_below(&random, CURVE_KINDS),
            .start = kerb_pose_make(kerb_random_between(&random, -500.0f, 500.0f), 0.0f, 1.0f),
            .entry_speed = speed,
            .exit_speed = speed,
            .before = 30.0f,
            .after = 30.0f,
            .parts = &bend,
            .part_count = 1};
        int32_t ticket;
        kerb_plan_curves_ask(curves, &curve, &ticket, NULL);
    }
}

// Nanoseconds per curve from the first question to the last answer, the least of some rounds.
static bool time_frames(tool_bench_figure* figure, int32_t cache, int32_t threads, int32_t count) {
    kerb_plan_curves curves;
    if (!curves_make(&curves, cache, &threads))
        return false;
    // The first round fills memory, and the cache where there is one.
    for (int32_t round = 0; round <= CURVE_ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        ask_frame(&curves, 7, count);
        kerb_plan_curves_step(&curves);
        kerb_plan_curves_step(&curves);
        double ns = (double)(tool_clock_ns() - begun) / count;
        if (round == 1 || (round > 1 && ns < figure->ns))
            figure->ns = ns;
    }
    kerb_plan_curves_destroy(&curves);
    return true;
}

bool tool_bench_plan_curve(tool_bench_figure* figure) {
    return time_frames(figure, 0, 1, CURVES);
}

bool tool_bench_plan_curves_300(tool_bench_figure* figure) {
    return time_frames(figure, 0, CURVE_THREADS, CURVES);
}

bool tool_bench_plan_curves_known(tool_bench_figure* figure) {
    return time_frames(figure, 1024, CURVE_THREADS, CURVES);
}
