// Times the planner of kinds of vehicles: whole plans from rest to random goals on open ground.
#include "tool/bench/bench_kinds.h"

#include "scene/plan/kind_drive.h"
#include "tool/command/machine.h"

#define KIND_GOALS 40
#define KIND_ROUNDS 3

// The time of one plan. [ns]
static double time_kind_goal(kerb_kind_planner* planner, const float* to) {
    const float from[KERB_KIND_STATES_MAX] = {0.0f};
    uint64_t begun = tool_clock_ns();
    if (kerb_kind_planner_begin(planner, from, to, NULL) != KERB_OK)
        return 0.0;
    while (kerb_kind_planner_advance(planner, 100) == KERB_PLAN_RUNNING)
        continue;
    return (double)(tool_clock_ns() - begun);
}

static bool time_kind(tool_bench_figure* figure, kerb_scene_kind_name name) {
    const kerb_host host = kerb_host_default();
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_scene_kind k;
    kerb_kind_planner planner;
    if (!kerb_scene_kind_make(kerb_scene_kind_text(name), &k) ||
        kerb_kind_planner_create(&planner, &k.kind, &settings, &host, NULL) != KERB_OK)
        return false;
    kerb_random random = kerb_random_make(1, (uint64_t)name);
    for (int32_t i = 0; i < KIND_GOALS; i++) {
        float to[KERB_KIND_STATES_MAX] = {0.0f};
        to[0] = kerb_random_between(&random, -k.radius, k.radius);
        to[1] = kerb_random_between(&random, -k.radius, k.radius);
        to[2] = kerb_random_between(&random, -KERB_PI, KERB_PI);
        double least = 0.0;
        for (int32_t round = 0; round < KIND_ROUNDS; round++) {
            double ns = time_kind_goal(&planner, to);
            least = round == 0 || ns < least ? ns : least;
        }
        figure->ns += least / KIND_GOALS;
        figure->most_ns = least > figure->most_ns ? least : figure->most_ns;
    }
    kerb_kind_planner_destroy(&planner);
    return true;
}

bool tool_bench_kind_ship(tool_bench_figure* figure) {
    return time_kind(figure, KERB_SCENE_SHIP);
}

bool tool_bench_kind_pedestrian(tool_bench_figure* figure) {
    return time_kind(figure, KERB_SCENE_PEDESTRIAN);
}

bool tool_bench_kind_hovercraft(tool_bench_figure* figure) {
    return time_kind(figure, KERB_SCENE_HOVERCRAFT);
}

bool tool_bench_kind_trailer(tool_bench_figure* figure) {
    return time_kind(figure, KERB_SCENE_TRAILER);
}

bool tool_bench_kind_motorcycle(tool_bench_figure* figure) {
    return time_kind(figure, KERB_SCENE_MOTORCYCLE);
}

bool tool_bench_kind_tank(tool_bench_figure* figure) {
    return time_kind(figure, KERB_SCENE_TANK);
}
