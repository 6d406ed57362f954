// One query from its beginning to its end, with a clock beside it and the checker behind it.
#include "tool/machine.h"
#include "tool/plan_run.h"

#include <stdlib.h>
#include <string.h>

#define SLICE 50 // steps

static void note_answer(tool_plan_found* found, const kerb_plan* plan) {
    int32_t count = found->answer_count;
    bool is_better = count == 0 || plan->cost < found->answers[count - 1].cost * (1.0f - 1e-4f);
    if (plan->count == 0 || !is_better)
        return;
    if (count == TOOL_PLAN_ANSWERS) // of too many, the last is the one that counts
        count--;
    found->answers[count] = (tool_plan_answer){plan->steps, plan->cost};
    found->answer_count = count + 1;
}

static void run_planner(kerb_planner* planner, tool_plan_found* found) {
    uint64_t begun = tool_clock_ns();
    kerb_plan plan = {0};
    found->outcome = KERB_PLAN_RUNNING;
    while (found->outcome == KERB_PLAN_RUNNING) {
        found->outcome = kerb_planner_advance(planner, plan.count == 0 ? 1 : SLICE);
        bool is_first = plan.count == 0;
        plan = kerb_planner_plan(planner);
        if (is_first && plan.count > 0) {
            found->first_ms = 1e-6 * (double)(tool_clock_ns() - begun);
            found->first_cost = plan.cost;
        }
        note_answer(found, &plan);
    }
    found->plan_ms = 1e-6 * (double)(tool_clock_ns() - begun);
}

static tool_status keep_pieces(tool_plan_found* found) {
    size_t bytes = (size_t)found->plan.count * sizeof *found->pieces;
    found->pieces = malloc(bytes > 0 ? bytes : 1);
    if (!found->pieces)
        return tool_complain("plan: no memory for a movement of %d pieces", (int)found->plan.count);
    if (bytes > 0)
        memcpy(found->pieces, found->plan.pieces, bytes);
    found->plan.pieces = found->pieces;
    return TOOL_DONE;
}

tool_status tool_plan_find(const scene_plan_task* task, int64_t steps, int64_t seed, bool keep,
                           tool_plan_found* found) {
    const kerb_host host = kerb_host_default();
    const kerb_plan_query query = {&task->from, &task->to, 1, 1};
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    kerb_error error;
    settings.improvement = (int32_t)(steps > 0 ? steps - 1 : settings.improvement);
    settings.seed = (int32_t)(seed % 10000000);
    memset(found, 0, sizeof *found);
    found->task = *task;
    if (kerb_planner_create(&planner, &task->limits, &settings, &host, &error) != KERB_OK)
        return tool_complain("plan: %s: %s", error.field, error.message);
    if (kerb_planner_begin(&planner, &query, &error) != KERB_OK) {
        kerb_planner_destroy(&planner);
        return tool_complain("plan: %s: %s", error.field, error.message);
    }
    run_planner(&planner, found);
    found->plan = kerb_planner_plan(&planner);
    found->valid = found->plan.count > 0 &&
                   kerb_plan_check(&task->limits, &query, &found->plan, &found->error) == KERB_OK;
    tool_status status = keep ? keep_pieces(found) : TOOL_DONE;
    if (!keep)
        found->plan.pieces = NULL;
    kerb_planner_destroy(&planner);
    return status;
}

double tool_plan_steering(const kerb_plan_limits* limits, const kerb_plan_state* state) {
    return (double)(state->curvature * limits->turning_radius);
}
