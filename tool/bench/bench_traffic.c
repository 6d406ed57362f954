// City traffic on grids with signals: 200 m between crossings, two lanes each way, random trips.
#include "tool/bench/bench_traffic.h"

#include "scene/city/city_plan.h"
#include "scene/city/city_run.h"
#include "tool/command/machine.h"

#define BENCH_TRAFFIC_STEP 0.1f
#define BENCH_TRAFFIC_WARM_UP 60.0 // until queues have formed [s]
#define BENCH_TRAFFIC_STEPS 300

// Nanoseconds of a step, without the trips that are handed over between steps.
static bool time_city(int32_t side, int32_t vehicles, double* step_ns, double* count) {
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
        uint64_t spent = 0;
        for (int32_t i = 0; i < BENCH_TRAFFIC_STEPS; i++) {
            kerb_scene_city_run_prepare(&run);
            uint64_t begun = tool_clock_ns();
            kerb_scene_city_run_move(&run, NULL);
            spent += tool_clock_ns() - begun;
            kerb_scene_city_run_look(&run);
        }
        *step_ns = (double)spent / BENCH_TRAFFIC_STEPS;
        *count = (double)(kerb_traffic_counts_of(&run.traffic).updates - begun_updates) /
                 BENCH_TRAFFIC_STEPS;
        kerb_scene_city_run_free(&run);
    }
    kerb_scene_city_free(&city);
    return made;
}

static bool time_vehicles(tool_bench_figure* figure, int32_t vehicles) {
    double step_ns = 0, count = 1;
    if (!time_city(30, vehicles, &step_ns, &count) || count < 1)
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
    return time_city(8, 300, &figure->ns, &count);
}
