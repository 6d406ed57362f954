// Runs one query from its beginning to its end, measures its time, and checks the result.
#include "tool/command/machine.h"
#include "tool/run/plan_run.h"

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

static void run_maker(tool_plan_maker* maker, tool_plan_found* found, uint64_t begun) {
    kerb_plan plan = {0};
    found->outcome = KERB_PLAN_RUNNING;
    while (found->outcome == KERB_PLAN_RUNNING) {
        found->outcome =
            tool_plan_maker_advance(maker, plan.count == 0 && plan.steps == 0 ? 1 : SLICE);
        bool is_first = plan.count == 0;
        plan = tool_plan_maker_plan(maker);
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
        return tool_complain("plan: no memory for a plan of %d pieces", (int)found->plan.count);
    if (bytes > 0)
        memcpy(found->pieces, found->plan.pieces, bytes);
    found->plan.pieces = found->pieces;
    return TOOL_DONE;
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

static void take_ends(const tool_plan_job* job, tool_plan_ends* all) {
    all->query = (kerb_plan_query){.starts = all->starts, .goals = all->goals, .goal_count = 1};
    if (job->choice) {
        all->query.start_count = job->choice->start_count;
        all->query.goal_count = job->choice->goal_count;
        for (int32_t i = 0; i < KERB_PLAN_ENDS_MAX; i++) {
            if (i < all->query.start_count)
                all->starts[i] = job->choice->starts[i];
            if (i < all->query.goal_count)
                all->goals[i] = job->choice->goals[i];
        }
        return;
    }
    all->query.start_count = turned_ends(&job->task.from, job->any_heading, all->starts);
    all->goals[0] = job->task.to;
    if (job->any_heading)
        all->goals[0].heading_tolerance = KERB_PI;
}

// A search's settings have tolerances, too; the checker is to know them.
static void widen(kerb_plan_end* goal, const kerb_plan_search_settings* s) {
    goal->position_tolerance = kerb_max(goal->position_tolerance, s->position_tolerance);
    goal->heading_tolerance = kerb_max(goal->heading_tolerance, s->heading_tolerance);
    goal->speed_tolerance = kerb_max(goal->speed_tolerance, s->speed_tolerance);
}

tool_status tool_plan_begin(tool_plan_maker* maker, const tool_plan_job* job,
                            tool_plan_ends* ends) {
    take_ends(job, ends);
    for (int32_t i = 0; maker->searches && i < ends->query.goal_count; i++)
        widen(&ends->goals[i], &maker->settings);
    return tool_plan_maker_begin(maker, &ends->query, job->movers, job->mover_count);
}

tool_status tool_plan_ask(tool_plan_maker* maker, const tool_plan_job* job, bool keep,
                          tool_plan_found* found) {
    tool_plan_ends ends;
    memset(found, 0, sizeof *found);
    found->job = *job;
    found->task = job->task;
    found->world = job->world;
    uint64_t begun = tool_clock_ns();
    if (tool_plan_begin(maker, job, &ends) != TOOL_DONE)
        return TOOL_WRONG;
    run_maker(maker, found, begun);
    found->plan = tool_plan_maker_plan(maker);
    if (maker->searches)
        found->searched = kerb_plan_search_get_report(&maker->search);
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

tool_status tool_plan_find(const tool_plan_job* job, const tool_plan_way* way, bool keep,
                           tool_plan_found* found) {
    tool_plan_maker maker;
    if (tool_plan_maker_create(&maker, &job->task.limits, job->world, way) != TOOL_DONE)
        return TOOL_WRONG;
    tool_status status = tool_plan_ask(&maker, job, keep, found);
    tool_plan_maker_destroy(&maker);
    return status;
}

double tool_plan_steering(const kerb_plan_limits* limits, const kerb_plan_state* state) {
    return (double)(state->curvature * limits->turning_radius);
}
