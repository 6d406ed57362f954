// City traffic on grids with signals: 200 m between crossings, two lanes each way, random trips.
#include "tool/bench/bench_traffic.h"

#include "scene/city/city_plan.h"
#include "scene/city/city_run.h"
#include "tool/command/machine.h"

#include <time.h>

#define BENCH_TRAFFIC_STEP 0.1f
#define BENCH_TRAFFIC_WARM_UP 60.0 // until queues have formed [s]
#define BENCH_TRAFFIC_STEPS 300

// Two workers, one after the other: what the shorter of both takes, two would not wait for. All in
// processor time, which does not count what else runs on the machine.
typedef struct bench_two_workers {
    double saved; // [ns]
} bench_two_workers;

static double processor_ns(void) {
    return 1.0e9 * (double)clock() / (double)CLOCKS_PER_SEC;
}

static void* start_two(void* context, kerb_task* task, void* argument, int32_t count,
                       int32_t range_size_min) {
    bench_two_workers* two = context;
    int32_t half = count >= 2 * range_size_min ? count / 2 : count;
    double begun = processor_ns();
    task(0, half, argument);
    double between = processor_ns();
    if (half < count)
        task(half, count, argument);
    double first = between - begun, second = processor_ns() - between;
    two->saved += first < second ? first : second;
    return NULL;
}

static void finish_two(void* context, void* handle) {
    (void)context;
    (void)handle;
}

// Nanoseconds of a step, without the trips that are handed over between steps. `tasks` may be NULL.
static bool time_city(int32_t side, int32_t vehicles, const kerb_tasks* tasks, double* step_ns,
                      double* count) {
    const kerb_host host = kerb_host_default();
    kerb_scene_city city;
    kerb_scene_city_run run;
    kerb_traffic_type car = kerb_traffic_car();
    kerb_scene_city_set_up set_up = {
        .types = &car, .type_count = 1, .vehicles = vehicles, .dt = BENCH_TRAFFIC_STEP, .seed = 1};
    if (!kerb_scene_city_make(&city, "grid", side, false))
        return false;
    bool made = kerb_scene_city_run_make(&run, &city.plan, &set_up, &host, NULL) == KERB_OK;
    if (made) {
        while (run.time < BENCH_TRAFFIC_WARM_UP)
            kerb_scene_city_run_step(&run);
        int64_t begun_updates = kerb_traffic_counts_of(&run.traffic).updates;
        double spent = 0;
        for (int32_t i = 0; i < BENCH_TRAFFIC_STEPS; i++) {
            kerb_scene_city_run_prepare(&run);
            double begun = tasks ? processor_ns() : (double)tool_clock_ns();
            kerb_scene_city_run_move(&run, tasks);
            spent += (tasks ? processor_ns() : (double)tool_clock_ns()) - begun;
            kerb_scene_city_run_look(&run);
        }
        *step_ns = spent / BENCH_TRAFFIC_STEPS;
        *count = (double)(kerb_traffic_counts_of(&run.traffic).updates - begun_updates) /
                 BENCH_TRAFFIC_STEPS;
        kerb_scene_city_run_free(&run);
    }
    kerb_scene_city_free(&city);
    return made;
}

static bool time_vehicles(tool_bench_figure* figure, int32_t vehicles) {
    double step_ns = 0, count = 1;
    if (!time_city(30, vehicles, NULL, &step_ns, &count) || count < 1)
        return false;
    figure->ns = step_ns / count;
    return true;
}

bool tool_bench_traffic_update(tool_bench_figure* figure) {
    return time_vehicles(figure, 5000);
}

bool tool_bench_traffic_update_20000(tool_bench_figure* figure) {
    return time_vehicles(figure, 20000);
}

bool tool_bench_traffic_step_300(tool_bench_figure* figure) {
    double count = 1;
    return time_city(8, 300, NULL, &figure->ns, &count);
}

// What two workers would take, each on a core of its own, beside what one takes, in processor time.
// It says nothing of memory for which both would wait, or of starting threads.
bool tool_bench_traffic_update_two(tool_bench_figure* figure) {
    bench_two_workers two = {0};
    const kerb_tasks tasks = {start_two, finish_two, &two};
    double step_ns = 0, count = 1;
    if (!time_city(30, 20000, &tasks, &step_ns, &count) || count < 1)
        return false;
    figure->peer = "one worker";
    figure->peer_ns = step_ns / count;
    figure->ns = (step_ns - two.saved / BENCH_TRAFFIC_STEPS) / count;
    return true;
}
