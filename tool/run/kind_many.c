// Plans of a kind of vehicle to random goals, one after another, in the open or among obstacles.
#include "tool/run/kind_run.h"

#include "scene/plan/plane_world.h"
#include "scene/plan/space_world.h"
#include "tool/command/file.h"
#include "tool/command/machine.h"
#include "tool/report/json_report.h"

#include <stdlib.h>
#include <string.h>

// Random obstacles, goals among the same, and places that are tried for an end.
#define KIND_OBSTACLES 30
#define KIND_SAME_OBSTACLES 5
#define KIND_PLACES 1000

// Sums over many plans.
typedef struct kind_sums {
    int64_t count, found, invalid, arrived, near;
    double cost, ms, ms_most, share, error, error_most;
    double* times; // of all plans [ms]
    // Worlds that were copied into the planner, the time of one on average and at most [ms], and
    // the most memory of one [bytes].
    int64_t worlds;
    double build_ms, build_ms_most, world_bytes;
} kind_sums;

static void kind_add(const tool_kind_job* job, const kerb_scene_kind* k, const tool_kind_found* f,
                     kind_sums* s) {
    s->times[s->count++] = f->plan_ms;
    s->ms += f->plan_ms;
    s->ms_most = f->plan_ms > s->ms_most ? f->plan_ms : s->ms_most;
    if (f->plan.count < 1)
        return;
    s->found++;
    s->invalid += f->valid ? 0 : 1;
    s->cost += (double)f->plan.time;
    if (!job->drive || !f->driven.arrived)
        return;
    double error = (double)f->driven.error;
    s->arrived++;
    s->near += f->driven.error <= k->accepted ? 1 : 0;
    s->error += error;
    s->error_most = error > s->error_most ? error : s->error_most;
    s->share += (double)(f->driven.time / f->plan.time);
}

static int kind_by_size(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static tool_status print_kind_sums(const tool_kind_job* job, const kind_sums* s) {
    double found = s->found > 0 ? (double)s->found : 1.0;
    double arrived = s->arrived > 0 ? (double)s->arrived : 1.0, count = (double)s->count;
    double late = s->times[(s->count * 99) / 100 < s->count ? (s->count * 99) / 100 : s->count - 1];
    if (!job->outputs->json) {
        if (job->outputs->quiet)
            return TOOL_DONE;
        printf("%s: %lld of %lld found, %lld invalid; %.2f s on average; %.1f ms to plan, 99 %% "
               "within %.1f ms, most %.1f ms\n",
               job->vehicle, (long long)s->found, (long long)s->count, (long long)s->invalid,
               s->cost / found, s->ms / count, late, s->ms_most);
        if (job->drive)
            printf("driven: %lld arrived, %lld within a tenth of the length or 0.3 m; %.2f m from "
                   "the goal on average, %.2f m at most; %.3f of the planned time\n",
                   (long long)s->arrived, (long long)s->near, s->error / arrived, s->error_most,
                   s->share / arrived);
        if (s->worlds > 0)
            printf("obstacles: %lld worlds, %.1f ms to copy one on average, %.1f ms at most",
                   (long long)s->worlds, s->build_ms / (double)s->worlds, s->build_ms_most);
        if (s->world_bytes > 0.0)
            printf("; %.1f MiB at most", s->world_bytes / (1024.0 * 1024.0));
        if (s->worlds > 0)
            printf("\n");
        return TOOL_DONE;
    }
    cJSON* o = tool_json_begin("plan", job->outputs->seed);
    cJSON_AddStringToObject(o, "vehicle", job->vehicle);
    bool complete =
        tool_json_number(o, "count", count) && tool_json_number(o, "found", (double)s->found) &&
        tool_json_number(o, "invalid", (double)s->invalid) &&
        tool_json_number(o, "cost_mean_s", s->cost / found) &&
        tool_json_number(o, "plan_mean_ms", s->ms / count) &&
        tool_json_number(o, "plan_p99_ms", late) && tool_json_number(o, "plan_max_ms", s->ms_most);
    if (job->drive)
        complete = complete && tool_json_number(o, "arrived", (double)s->arrived) &&
                   tool_json_number(o, "arrived_near", (double)s->near) &&
                   tool_json_number(o, "error_mean_m", s->error / arrived) &&
                   tool_json_number(o, "error_max_m", s->error_most) &&
                   tool_json_number(o, "time_ratio_mean", s->share / arrived);
    if (s->worlds > 0)
        complete = complete && tool_json_number(o, "worlds", (double)s->worlds) &&
                   tool_json_number(o, "world_mean_ms", s->build_ms / (double)s->worlds) &&
                   tool_json_number(o, "world_max_ms", s->build_ms_most);
    if (s->world_bytes > 0.0)
        complete = complete && tool_json_number(o, "world_max_bytes", s->world_bytes);
    return tool_json_end(o, complete, stdout) ? TOOL_DONE : tool_complain("plan: no memory");
}

// Copies obstacles into the planner, and notes what that costs. False: no memory.
static bool kind_set_world(kerb_kind_planner* planner, const kerb_plan_world* world,
                           kind_sums* sums) {
    uint64_t begun = tool_clock_ns();
    bool is_set = kerb_kind_planner_set_world(planner, world, NULL) == KERB_OK;
    double ms = (double)(tool_clock_ns() - begun) * 1e-6, bytes = (double)planner->world_bytes;
    bytes = planner->in_space ? bytes : 0.0; // in the plane most of it is the route planner's
    sums->worlds++;
    sums->build_ms += ms;
    sums->build_ms_most = ms > sums->build_ms_most ? ms : sums->build_ms_most;
    sums->world_bytes = bytes > sums->world_bytes ? bytes : sums->world_bytes;
    return is_set;
}

// Random obstacles of the job's form, for a goal; new ones for every fifth. False: no memory.
static bool kind_set_obstacles(const tool_kind_job* job, const kerb_scene_kind* k, int64_t goal,
                               kerb_scene_space_world* space, kerb_random* random,
                               kerb_kind_planner* planner, kind_sums* sums) {
    static const char* const words[KERB_SCENE_SPACE_FORMS] = {"boxes", "ground", "octree"};
    int32_t form = (int32_t)(goal / KIND_SAME_OBSTACLES % KERB_SCENE_SPACE_FORMS);
    for (int32_t i = 0; i < KERB_SCENE_SPACE_FORMS; i++)
        form = strcmp(job->obstacles, words[i]) == 0 ? i : form;
    kerb_scene_space_make(space, (kerb_scene_space_form)form, KIND_OBSTACLES, k->radius, k->height,
                          random);
    const kerb_plan_world world = {.space = &space->world};
    return kind_set_world(planner, &world, sums);
}

// Random ends between obstacles.
static void kind_free_ends(const kerb_scene_kind* k, const kerb_scene_space_world* space,
                           kerb_random* random, float* from, float* to) {
    for (int32_t i = 0; i < KIND_PLACES; i++) {
        float other[KERB_KIND_STATES_MAX], place[KERB_KIND_STATES_MAX];
        kerb_scene_kind_ends(k, random, from, to);
        kerb_scene_kind_ends(k, random, other, place);
        memcpy(from, place, 3 * sizeof(float));
        if (kerb_scene_space_is_free(space, &k->kind, from) &&
            kerb_scene_space_is_free(space, &k->kind, to))
            return;
    }
}

static tool_status run_kind_in_space(const tool_kind_job* job, const kerb_scene_kind* k,
                                     kerb_kind_planner* planner, kind_sums* sums) {
    kerb_random random = kerb_random_make((uint64_t)job->outputs->seed, 36);
    kerb_scene_space_world* space = malloc(sizeof *space);
    if (!space)
        return tool_complain("plan: no memory for obstacles");
    tool_kind_job among = *job;
    const kerb_plan_world world = {.space = &space->world};
    among.world = &world;
    tool_status status = TOOL_DONE;
    for (int64_t i = 0; i < job->random && status == TOOL_DONE; i++) {
        float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
        tool_kind_found found;
        if (i % KIND_SAME_OBSTACLES == 0 &&
            !kind_set_obstacles(job, k, i, space, &random, planner, sums))
            status = tool_complain("plan: no memory for obstacles");
        kind_free_ends(k, space, &random, from, to);
        tool_kind_find(&among, k, planner, from, to, &found);
        kind_add(job, k, &found, sums);
    }
    free(space);
    return status;
}

// In the plane each goal has squares of its own; ends inside one are drawn again, with others.
static tool_status run_kind_among_squares(const tool_kind_job* job, const kerb_scene_kind* k,
                                          kerb_kind_planner* planner, kind_sums* sums) {
    kerb_random random = kerb_random_make((uint64_t)job->outputs->seed, 37);
    kerb_scene_plane_world squares;
    tool_kind_job among = *job;
    among.world = &squares.world;
    for (int64_t i = 0, tries = 0; i < job->random && tries < job->random * KIND_PLACES; tries++) {
        float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
        tool_kind_found found;
        kerb_scene_plane_make(&squares, k->radius, &random);
        kerb_scene_kind_ends(k, &random, from, to);
        if (!kind_set_world(planner, &squares.world, sums))
            return tool_complain("plan: no memory for obstacles");
        tool_kind_find(&among, k, planner, from, to, &found);
        if (found.outcome == KERB_PLAN_START_BLOCKED || found.outcome == KERB_PLAN_GOAL_BLOCKED)
            continue;
        kind_add(job, k, &found, sums);
        i++;
    }
    return TOOL_DONE;
}

static tool_status run_kind_among(const tool_kind_job* job, const kerb_scene_kind* k,
                                  kerb_kind_planner* planner, kind_sums* sums) {
    return k->kind.space ? run_kind_in_space(job, k, planner, sums)
                         : run_kind_among_squares(job, k, planner, sums);
}

tool_status tool_kind_many(const tool_kind_job* job, const kerb_scene_kind* k,
                           kerb_kind_planner* planner) {
    kerb_random random = kerb_random_make((uint64_t)job->outputs->seed, 35);
    kind_sums sums = {.times = calloc((size_t)job->random, sizeof(double))};
    if (!sums.times)
        return tool_complain("plan: no memory for %lld plans", (long long)job->random);
    tool_status status = TOOL_DONE;
    if (job->obstacles)
        status = run_kind_among(job, k, planner, &sums);
    for (int64_t i = 0; i < job->random && !job->obstacles; i++) {
        float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
        tool_kind_found found;
        kerb_scene_kind_ends(k, &random, from, to);
        tool_kind_find(job, k, planner, from, to, &found);
        kind_add(job, k, &found, &sums);
    }
    qsort(sums.times, (size_t)sums.count, sizeof(double), kind_by_size);
    if (status == TOOL_DONE)
        status = print_kind_sums(job, &sums);
    free(sums.times);
    return status != TOOL_DONE                           ? status
           : sums.invalid > 0 || sums.found < sums.count ? TOOL_FAILED
                                                         : TOOL_DONE;
}
