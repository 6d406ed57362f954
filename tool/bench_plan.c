// Times the planner over random goals of the AIPATH thesis. A planner is made for each goal before
// the clock starts; its memory has been touched by a round before.
#include "tool/bench_plan.h"

#include "scene/planning.h"
#include "tool/machine.h"

#include <math.h>
#include <stdlib.h>

#define GOALS 1000
#define ROUNDS 5
#define IMPROVED 40 // goals whose answers are improved
#define SEED 1

static scene_plan_task task_at(int64_t i, bool reverse) {
    scene_plan_task task = scene_plan_random(SEED, i, 5.0f, 8.0f);
    task.limits.reverse_speed_max = reverse ? 5.0f : 0.0f;
    return task;
}

bool tool_bench_plan_bound(tool_bench_figure* figure) {
    const kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_ADMISSIBLE};
    scene_plan_task* tasks = malloc(GOALS * sizeof *tasks);
    float sum = 0.0f;
    for (int64_t i = 0; tasks && i < GOALS; i++)
        tasks[i] = task_at(i, false);
    for (int32_t round = 0; tasks && round < 20 * ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        for (int64_t i = 0; i < GOALS; i++)
            sum += kerb_plan_bound(&tasks[i].limits, &settings, &tasks[i].from, &tasks[i].to);
        double ns = (double)(tool_clock_ns() - begun) / GOALS;
        figure->ns = round == 0 || ns < figure->ns ? ns : figure->ns;
    }
    bool measured = tasks && sum > 0.0f;
    free(tasks);
    return measured;
}

// Nanoseconds of `steps` steps towards one goal, the least of some rounds: an interrupt hits one of
// them at most. Negative without memory.
static double time_goal(const scene_plan_task* task, int32_t before, int32_t steps) {
    const kerb_host host = kerb_host_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    const kerb_plan_query query = {&task->from, &task->to, 1, 1};
    kerb_planner planner;
    double best = -1.0;
    if (kerb_planner_create(&planner, &task->limits, &settings, &host, NULL) != KERB_OK)
        return -1.0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        if (kerb_planner_begin(&planner, &query, NULL) != KERB_OK)
            break;
        kerb_planner_advance(&planner, before);
        uint64_t begun = tool_clock_ns();
        kerb_planner_advance(&planner, steps);
        double ns = (double)(tool_clock_ns() - begun);
        best = round == 0 || ns < best ? ns : best;
    }
    kerb_planner_destroy(&planner);
    return best;
}

static bool time_goals(tool_bench_figure* figure, int32_t goals, bool reverse, int32_t before,
                       int32_t steps) {
    for (int32_t i = 0; i < goals; i++) {
        scene_plan_task task = task_at(i, reverse);
        double ns = time_goal(&task, before, steps) / steps;
        if (ns < 0.0)
            return false;
        figure->ns += ns / goals;
        if (steps == 1)
            figure->most_ns = fmax(figure->most_ns, ns);
    }
    return true;
}

bool tool_bench_plan_shot(tool_bench_figure* figure) {
    return time_goals(figure, GOALS, false, 0, 1);
}

bool tool_bench_plan_shot_reverse(tool_bench_figure* figure) {
    return time_goals(figure, GOALS, true, 0, 1);
}

bool tool_bench_plan_improvement(tool_bench_figure* figure) {
    return time_goals(figure, IMPROVED, false, 1, 5000);
}
