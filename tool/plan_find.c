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

static void run_planner(kerb_planner* planner, tool_plan_found* found, uint64_t begun) {
    kerb_plan plan = {0};
    found->outcome = KERB_PLAN_RUNNING;
    while (found->outcome == KERB_PLAN_RUNNING) {
        found->outcome =
            kerb_planner_advance(planner, plan.count == 0 && plan.steps == 0 ? 1 : SLICE);
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

tool_status tool_plan_make(kerb_planner* planner, const kerb_plan_limits* limits,
                           const kerb_plan_world* world, const tool_plan_work* work) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_error error;
    if (work->steps > 0)
        settings.improvement = (int32_t)(work->steps - 1);
    if (work->expansions > 0)
        settings.expansions = (int32_t)work->expansions;
    settings.seed = (int32_t)(work->seed % 10000000);
    if (kerb_planner_create(planner, limits, &settings, &host, &error) != KERB_OK)
        return tool_complain("plan: %s: %s", error.field, error.message);
    if (kerb_planner_world(planner, world, &error) == KERB_OK)
        return TOOL_DONE;
    kerb_planner_destroy(planner);
    return tool_complain("plan: %s: %s", error.field, error.message);
}

static int32_t turned_ends(const kerb_plan_end* end, bool any_heading, kerb_plan_end* ends) {
    int32_t count = any_heading ? KERB_PLAN_ENDS_MAX : 1;
    for (int32_t i = 0; i < count; i++)
        ends[i] = kerb_plan_end_make(end->pose.position.x, end->pose.position.y,
                                     2.0f * KERB_PI * (float)i / (float)count, end->speed);
    if (!any_heading)
        ends[0] = *end;
    return count;
}

tool_status tool_plan_begin(kerb_planner* planner, const tool_plan_job* job, tool_plan_ends* ends) {
    tool_plan_ends own, *all = ends ? ends : &own;
    kerb_error error;
    all->query = (kerb_plan_query){.starts = all->starts, .goals = all->goals};
    all->query.start_count = turned_ends(&job->task.from, job->any_heading, all->starts);
    all->query.goal_count = 1;
    all->goals[0] = job->task.to;
    if (job->any_heading)
        all->goals[0].heading_tolerance = KERB_PI;
    if (job->mover_count > 0 &&
        kerb_planner_movers(planner, job->movers, job->mover_count, &error) != KERB_OK)
        return tool_complain("plan: --mover: %s: %s", error.field, error.message);
    if (kerb_planner_begin(planner, &all->query, &error) != KERB_OK)
        return tool_complain("plan: %s: %s", error.field, error.message);
    return TOOL_DONE;
}

tool_status tool_plan_ask(kerb_planner* planner, const tool_plan_job* job, bool keep,
                          tool_plan_found* found) {
    tool_plan_ends ends;
    memset(found, 0, sizeof *found);
    found->job = *job;
    found->task = job->task;
    found->world = job->world;
    uint64_t begun = tool_clock_ns();
    if (tool_plan_begin(planner, job, &ends) != TOOL_DONE)
        return TOOL_WRONG;
    run_planner(planner, found, begun);
    found->plan = kerb_planner_plan(planner);
    if (found->plan.count > 0) {
        found->task.from = ends.starts[found->plan.start];
        found->task.to = ends.goals[found->plan.goal];
        if (found->task.to.position_tolerance > 0.0f || found->task.to.heading_tolerance > 0.0f)
            found->task.to.pose = kerb_plan_at(&found->plan, found->plan.time).pose;
        found->valid = kerb_plan_check(&job->task.limits, &ends.query, job->world, &found->plan,
                                       &found->error) == KERB_OK &&
                       (job->mover_count == 0 ||
                        kerb_plan_check_movers(&job->task.limits, job->movers, job->mover_count,
                                               &found->plan, &found->error) == KERB_OK);
    }
    tool_status status = keep ? keep_pieces(found) : TOOL_DONE;
    if (status == TOOL_DONE && job->ride && found->plan.length > 0.0f)
        status = tool_plan_drive(found, keep);
    found->job.ride = NULL; // it may be gone by then
    if (!keep)
        found->plan.pieces = NULL;
    return status;
}

tool_status tool_plan_find(const tool_plan_job* job, const tool_plan_work* work, bool keep,
                           tool_plan_found* found) {
    kerb_planner planner;
    if (tool_plan_make(&planner, &job->task.limits, job->world, work) != TOOL_DONE)
        return TOOL_WRONG;
    tool_status status = tool_plan_ask(&planner, job, keep, found);
    kerb_planner_destroy(&planner);
    return status;
}

double tool_plan_steering(const kerb_plan_limits* limits, const kerb_plan_state* state) {
    return (double)(state->curvature * limits->turning_radius);
}
