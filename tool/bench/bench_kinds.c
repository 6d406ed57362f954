// Times the planner of kinds of vehicles: whole plans to random goals, in the open.
#include "tool/bench/bench_kinds.h"

#include "scene/plan/kind_drive.h"
#include "tool/command/machine.h"

#define KIND_GOALS 40
#define KIND_ROUNDS 3

// The time of one plan, the least of some rounds. [ns] Negative: none was found.
static double time_kind_goal(kerb_kind_planner* planner, const float* from, const float* to) {
    double least = -1.0;
    for (int32_t round = 0; round < KIND_ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        if (kerb_kind_planner_begin(planner, from, to, NULL) != KERB_OK)
            return -1.0;
        while (kerb_kind_planner_advance(planner, 1000) == KERB_PLAN_RUNNING)
            continue;
        double ns = (double)(tool_clock_ns() - begun);
        least = round == 0 || ns < least ? ns : least;
    }
    return kerb_kind_planner_get_plan(planner).count > 0 ? least : -1.0;
}

// The mean over the goals that have a plan, nearly all.
static bool time_kind(tool_bench_figure* figure, kerb_scene_kind_name name) {
    const kerb_host host = kerb_host_default();
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_scene_kind k;
    kerb_kind_planner planner;
    if (!kerb_scene_kind_make(kerb_scene_kind_text(name), &k) ||
        kerb_kind_planner_create(&planner, &k.kind, &settings, &host, NULL) != KERB_OK)
        return false;
    kerb_random random = kerb_random_make(1, (uint64_t)name);
    int32_t found = 0;
    double sum = 0.0;
    for (int32_t i = 0; i < KIND_GOALS; i++) {
        float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
        kerb_scene_kind_ends(&k, &random, from, to);
        double ns = time_kind_goal(&planner, from, to);
        if (ns < 0.0)
            continue;
        found++;
        sum += ns;
        figure->most_ns = ns > figure->most_ns ? ns : figure->most_ns;
    }
    kerb_kind_planner_destroy(&planner);
    figure->ns = found > 0 ? sum / found : 0.0;
    return found > 0;
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

bool tool_bench_plan_in_space(tool_bench_figure* figure) {
    const int32_t kinds = KERB_SCENE_KIND_COUNT - KERB_SCENE_SPACECRAFT;
    double sum = 0.0;
    for (int32_t i = 0; i < kinds; i++) {
        if (!time_kind(figure, (kerb_scene_kind_name)(KERB_SCENE_SPACECRAFT + i)))
            return false;
        sum += figure->ns;
    }
    figure->ns = sum / kinds;
    return true;
}
