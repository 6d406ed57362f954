// Plans for ships, pedestrians and other kinds: one, or many to random goals.
#include "tool/run/kind_run.h"

#include "tool/command/file.h"
#include "tool/command/machine.h"

#include <string.h>

#define KIND_DEGREES 57.29577951308232

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

void tool_kind_find(const tool_kind_job* job, const kerb_scene_kind* k, kerb_kind_planner* planner,
                    const float* from, const float* to, tool_kind_found* found) {
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

static tool_status run_kind_one(const tool_kind_job* job, const kerb_scene_kind* k,
                                kerb_kind_planner* planner) {
    const tool_outputs* out = job->outputs;
    float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
    tool_kind_found found;
    kind_state(k, job, 0, from);
    kind_state(k, job, 1, to);
    tool_kind_find(job, k, planner, from, to, &found);
    tool_status status = tool_kind_report(job, &found);
    if (status == TOOL_DONE && (out->svg || out->png))
        status = tool_picture_kind_write(out->svg, out->png, &found);
    return status != TOOL_DONE ? status : found.valid ? TOOL_DONE : TOOL_FAILED;
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
        job->random > 0 ? tool_kind_many(job, &kind, &planner) : run_kind_one(job, &kind, &planner);
    kerb_kind_planner_destroy(&planner);
    return status;
}
