// Plans for ships, pedestrians and other kinds: one, or many to random goals, one after another.
#include "tool/run/kind_run.h"

#include "scene/plan/plane_world.h"
#include "scene/plan/space_world.h"
#include "tool/command/file.h"
#include "tool/command/machine.h"
#include "tool/report/json_report.h"

#include <stdlib.h>
#include <string.h>

#define KIND_DEGREES 57.29577951308232
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

bool tool_kind_is(const char* vehicle, bool drive, bool is_asked) {
    kerb_scene_kind kind;
    if (!vehicle || !kerb_scene_kind_make(vehicle, &kind))
        return false;
    bool is_other = kind.name == KERB_SCENE_HOVERCRAFT || kind.name == KERB_SCENE_TANK;
    return is_asked || !is_other || (drive && kind.name == KERB_SCENE_HOVERCRAFT);
}

// A state in space: at a height, with a pitch in degrees.
static void kind_state_in_space(const kerb_scene_kind* k, const kerb_plan_end* end, float height,
                                float pitch, float* state) {
    kerb_vec2 forward = end->pose.forward;
    float sine, cosine;
    kerb_sin_cos((float)((double)pitch / KIND_DEGREES), &sine, &cosine);
    state[2] = height;
    if (k->kind.space->heading >= 0)
        state[k->kind.space->heading] = kerb_pose_heading(end->pose);
    if (k->name == KERB_SCENE_AIRPLANE || k->name == KERB_SCENE_SUBMARINE) {
        state[4] = end->speed;
        return;
    }
    state[3] = end->speed * forward.x;
    state[4] = end->speed * forward.y;
    if (k->name == KERB_SCENE_SPACECRAFT) {
        state[6] = cosine * forward.x;
        state[7] = cosine * forward.y;
        state[8] = sine;
    }
}

static void kind_state(const kerb_scene_kind* k, const tool_kind_job* job, int32_t which,
                       float* state) {
    const kerb_plan_end* end = which == 0 ? &job->from : &job->to;
    memset(state, 0, sizeof(float) * KERB_KIND_STATES_MAX);
    state[0] = end->pose.position.x;
    state[1] = end->pose.position.y;
    if (k->kind.space) {
        kind_state_in_space(k, end, job->heights[which], job->pitches[which], state);
        return;
    }
    state[2] = kerb_pose_heading(end->pose);
    bool is_trailer = k->name == KERB_SCENE_TRAILER;
    state[is_trailer ? 4 : 3] = end->speed;
    if (is_trailer)
        state[3] = (float)((double)end->penalty / KIND_DEGREES);
}

static void kind_find(const tool_kind_job* job, const kerb_scene_kind* k,
                      kerb_kind_planner* planner, const float* from, const float* to,
                      tool_kind_found* found) {
    uint64_t begun = tool_clock_ns();
    *found = (tool_kind_found){.kind = &k->kind, .world = job->world};
    found->outcome = KERB_PLAN_RUNNING;
    if (kerb_kind_planner_begin(planner, from, to, &found->error) != KERB_OK)
        found->outcome = KERB_PLAN_IMPOSSIBLE;
    while (found->outcome == KERB_PLAN_RUNNING)
        found->outcome = kerb_kind_planner_advance(planner, 1000);
    found->plan_ms = (double)(tool_clock_ns() - begun) * 1e-6;
    found->plan = kerb_kind_planner_get_plan(planner);
    if (found->plan.count < 1)
        return;
    found->valid =
        kerb_kind_check(&k->kind, from, to, job->world, &found->plan, &found->error) == KERB_OK;
    if (job->drive)
        found->driven = kerb_scene_kind_drive(k, &found->plan);
}

// --------------------------------------------------------------------------- one plan

// Number of the state that is a heading; -1: none.
static int32_t kind_heading(const kerb_kind* kind) {
    return kind->space ? kind->space->heading : 2;
}

static cJSON* kind_rows(const tool_kind_found* f) {
    cJSON* rows = cJSON_CreateArray();
    for (int32_t k = 0; k <= f->plan.count && f->plan.count > 0; k++) {
        const float* state = f->plan.states + (size_t)k * KERB_KIND_STATES_MAX;
        double row[KERB_KIND_STATES_MAX + 1] = {(double)f->plan.times[k]};
        for (int32_t i = 0; i < f->kind->states; i++)
            row[i + 1] = (double)state[i];
        int32_t heading = kind_heading(f->kind);
        if (heading >= 0)
            row[heading + 1] *= KIND_DEGREES;
        cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(row, f->kind->states + 1));
    }
    return rows;
}

static cJSON* kind_names(const tool_kind_found* f) {
    cJSON* names = cJSON_CreateArray();
    cJSON_AddItemToArray(names, cJSON_CreateString("t_s"));
    for (int32_t i = 0; i < f->kind->states; i++)
        cJSON_AddItemToArray(
            names,
            cJSON_CreateString(i == kind_heading(f->kind) ? "deg" : f->kind->state_names[i]));
    return names;
}

static tool_status print_kind_json(const tool_kind_job* job, const tool_kind_found* f) {
    cJSON* o = tool_json_begin("plan", job->outputs->seed);
    cJSON_AddStringToObject(o, "vehicle", job->vehicle);
    cJSON_AddStringToObject(o, "outcome", kerb_plan_outcome_text(f->outcome));
    bool complete = tool_json_number(o, "cost_s", (double)f->plan.time) &&
                    tool_json_number(o, "length_m", (double)f->plan.length) &&
                    tool_json_number(o, "expansions", (double)f->plan.steps) &&
                    tool_json_number(o, "plan_ms", f->plan_ms) &&
                    tool_json_number(o, "lower_bound_s", (double)f->plan.lower_bound) &&
                    cJSON_AddBoolToObject(o, "valid", f->valid) &&
                    cJSON_AddItemToObject(o, "state_names", kind_names(f)) &&
                    cJSON_AddItemToObject(o, "states", kind_rows(f));
    if (job->drive && f->plan.count > 0) {
        cJSON* d = cJSON_AddObjectToObject(o, "driven");
        complete =
            complete && cJSON_AddBoolToObject(d, "arrived", f->driven.arrived) &&
            tool_json_number(d, "time_s", (double)f->driven.time) &&
            tool_json_number(d, "error_m", (double)f->driven.error) &&
            tool_json_number(d, "error_deg", (double)f->driven.heading_error * KIND_DEGREES) &&
            tool_json_number(d, "cross_track_max_m", (double)f->driven.cross_track);
    }
    return tool_json_end(o, complete, stdout) ? TOOL_DONE : tool_complain("plan: no memory");
}

static void print_kind(const tool_kind_job* job, const tool_kind_found* f) {
    printf("%s: %s", job->vehicle, kerb_plan_outcome_text(f->outcome));
    if (f->plan.count > 0)
        printf(", %.2f s, %.2f m, in %.1f ms and %d steps; no plan takes less than %.2f s",
               (double)f->plan.time, (double)f->plan.length, f->plan_ms, (int)f->plan.steps,
               (double)f->plan.lower_bound);
    printf("\n");
    if (f->plan.count > 0 && !f->valid)
        printf("the checker rejects it: piece %d: %s %s\n", (int)f->error.index, f->error.field,
               f->error.message);
    if (job->drive && f->plan.count > 0)
        printf("driven: %s after %.2f s, %.2f m and %.1f degrees from the goal, at most %.2f m "
               "beside the plan\n",
               f->driven.arrived ? "arrived" : "not arrived", (double)f->driven.time,
               (double)f->driven.error, (double)f->driven.heading_error * KIND_DEGREES,
               (double)f->driven.cross_track);
}

static tool_status write_kind_csv(const char* path, const tool_kind_found* f) {
    FILE* file = fopen(path, "w");
    if (!file)
        return tool_complain("%s: cannot be written", path);
    fprintf(file, "t_s");
    for (int32_t i = 0; i < f->kind->states; i++)
        fprintf(file, ",%s", f->kind->state_names[i]);
    for (int32_t j = 0; j < f->kind->controls; j++)
        fprintf(file, ",%s", f->kind->control_names[j]);
    fprintf(file, "\n");
    for (int32_t k = 0; k < f->plan.count; k++) {
        fprintf(file, "%.4f", (double)f->plan.times[k]);
        for (int32_t i = 0; i < f->kind->states; i++)
            fprintf(file, ",%.5g",
                    (double)f->plan.states[(size_t)k * KERB_KIND_STATES_MAX + (size_t)i]);
        for (int32_t j = 0; j < f->kind->controls; j++)
            fprintf(file, ",%.5g",
                    (double)f->plan.controls[(size_t)k * KERB_KIND_CONTROLS_MAX + (size_t)j]);
        fprintf(file, "\n");
    }
    return fclose(file) == 0 ? TOOL_DONE : tool_complain("%s: cannot be written", path);
}

static tool_status run_kind_one(const tool_kind_job* job, const kerb_scene_kind* k,
                                kerb_kind_planner* planner) {
    const tool_outputs* out = job->outputs;
    float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
    tool_kind_found found;
    kind_state(k, job, 0, from);
    kind_state(k, job, 1, to);
    kind_find(job, k, planner, from, to, &found);
    tool_status status = TOOL_DONE;
    if (out->json)
        status = print_kind_json(job, &found);
    else if (!out->quiet)
        print_kind(job, &found);
    if (status == TOOL_DONE && out->csv)
        status = write_kind_csv(out->csv, &found);
    if (status == TOOL_DONE && (out->svg || out->png))
        status = tool_picture_kind_write(out->svg, out->png, &found);
    return status != TOOL_DONE ? status : found.valid ? TOOL_DONE : TOOL_FAILED;
}

// --------------------------------------------------------------------------- random goals

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
        kind_find(&among, k, planner, from, to, &found);
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
        kind_find(&among, k, planner, from, to, &found);
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

static tool_status run_kind_many(const tool_kind_job* job, const kerb_scene_kind* k,
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
        kind_find(job, k, planner, from, to, &found);
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

tool_status tool_kind_run(const tool_kind_job* job) {
    const kerb_host host = kerb_host_default();
    kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_scene_kind kind;
    kerb_kind_planner planner;
    kerb_error error;
    if (!kerb_scene_kind_make(job->vehicle, &kind))
        return tool_complain("--vehicle: %s: no such kind", job->vehicle);
    bool asks_for_space = job->heights[0] != 0.0f || job->heights[1] != 0.0f ||
                          job->pitches[0] != 0.0f || job->pitches[1] != 0.0f;
    if (asks_for_space && !kind.kind.space)
        return tool_complain("--heights and --pitch: for kinds in space");
    if (job->obstacles && (strcmp(job->obstacles, "squares") == 0) != !kind.kind.space)
        return tool_complain(
            "--obstacles: squares for kinds in the plane, boxes, ground, octree or "
            "all for kinds in space");
    if (kind.kind.space && job->world)
        return tool_complain("--map: for kinds in the plane");
    if (job->share > 0.0)
        kind.kind.control_share = (float)job->share;
    kerb_result result = kerb_kind_planner_create(&planner, &kind.kind, &settings, &host, &error);
    if (result == KERB_OK && job->world)
        result = kerb_kind_planner_set_world(&planner, job->world, &error);
    if (result != KERB_OK) {
        kerb_kind_planner_destroy(&planner);
        return tool_complain_error(job->vehicle, &error);
    }
    tool_status status =
        job->random > 0 ? run_kind_many(job, &kind, &planner) : run_kind_one(job, &kind, &planner);
    kerb_kind_planner_destroy(&planner);
    return status;
}
