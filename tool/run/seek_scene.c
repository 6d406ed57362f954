// Runs a scene and keeps the frames of all agents, one recording each, thinned so that the longest
// scene takes about 100 MB. Picture and page use these.
#include "tool/run/seek_scene.h"

#include "tool/command/file.h"
#include "tool/command/progress.h"
#include "tool/page/replay_page.h"
#include "tool/picture/picture_scene.h"
#include "tool/report/json_report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

#define SEEK_SCENE_FRAMES_MOST 400000 // of all agents together

typedef struct kerb_scene_run {
    kerb_scene_show* show;
    const tool_outputs* outputs;
    tool_recording recordings[KERB_SCENE_SHOW_MOST];
    const tool_recording* all[KERB_SCENE_SHOW_MOST];
    bool absent[KERB_SCENE_SHOW_MOST]; // at any time since the last frame that was kept
    int32_t every;                     // so many-th step is kept
} kerb_scene_run;

void tool_seek_scene_list(FILE* out) {
    for (int32_t i = 0; i < kerb_scene_show_count(); i++)
        fprintf(out, "%-14s %s\n", kerb_scene_show_name(i), kerb_scene_show_about(i));
}

// --------------------------------------------------------------------------- recording

static void seek_scene_prepare(kerb_scene_run* run) {
    const kerb_scene_show* show = run->show;
    double frames = show->count * show->seconds / show->time_step;
    run->every = 1 + (int32_t)(frames / SEEK_SCENE_FRAMES_MOST);
    for (int32_t i = 0; i < show->count; i++) {
        tool_recording* r = &run->recordings[i];
        run->all[i] = r;
        r->course = &show->course;
        r->vehicle = show->vehicles[i];
        const char* role = show->roles[i];
        r->role = role;
        r->is_marked = show->marked[i];
        snprintf(r->vehicle_name, sizeof r->vehicle_name, "%s%s%d", role ? role : "",
                 role ? " " : "", (int)i + 1);
        snprintf(r->follower_name, sizeof r->follower_name, "%s", show->name);
    }
}

// Who was away since the last frame, if only for a moment, is so in this one, where it was before:
// a replay moves everything evenly from frame to frame.
static void seek_scene_keep(kerb_scene_run* run, int32_t i) {
    tool_recording* r = &run->recordings[i];
    kerb_scene_frame frame = run->show->frames[i];
    bool came_back = run->absent[i] && !frame.absent && r->count > 0;
    if (came_back)
        frame.motion = r->frames[r->count - 1].motion;
    frame.absent = frame.absent || came_back;
    run->absent[i] = false;
    tool_recording_watch(r, &frame);
}

static void seek_scene_watch(kerb_scene_run* run, int64_t step) {
    bool is_kept = step % run->every == 0;
    for (int32_t i = 0; i < run->show->count; i++) {
        run->absent[i] = run->absent[i] || run->show->frames[i].absent;
        if (is_kept)
            seek_scene_keep(run, i);
    }
}

static void seek_scene_sum_up(tool_recording* r) {
    for (int32_t i = 1; i < r->count; i++) {
        const kerb_scene_frame* f = &r->frames[i];
        if (!f->absent && !f[-1].absent)
            r->result.distance +=
                (double)kerb_vec3_length(kerb_vec3_sub(f->motion.position, f[-1].motion.position));
        r->result.time += f->absent ? 0.0 : f->time - f[-1].time;
    }
    r->result.speed_mean = r->result.time > 0.0 ? r->result.distance / r->result.time : 0.0;
    r->result.finished = true;
}

static tool_status seek_scene_drive(kerb_scene_run* run) {
    kerb_scene_show* show = run->show;
    tool_progress progress = tool_progress_make(show->name, show->seconds, !run->outputs->quiet);
    bool is_kept = run->outputs->html || run->outputs->svg || run->outputs->png;
    bool goes_on = true, out_of_memory = false;
    for (int64_t step = 0; goes_on; step++) {
        if (is_kept)
            seek_scene_watch(run, step);
        goes_on = kerb_scene_show_step(show);
        tool_progress_add(&progress, show->time_step);
    }
    tool_progress_end(&progress);
    for (int32_t i = 0; i < show->count; i++) {
        seek_scene_sum_up(&run->recordings[i]);
        out_of_memory = out_of_memory || run->recordings[i].out_of_memory;
    }
    return out_of_memory ? tool_complain("seek: no memory for the frames") : TOOL_DONE;
}

// --------------------------------------------------------------------------- what comes out

static bool seek_scene_print_page(FILE* out, const void* context) {
    const kerb_scene_run* run = context;
    return tool_replay_page_write_agents(out, "kerb seek --scene", run->all, run->show->count);
}

static tool_status seek_scene_write_files(const kerb_scene_run* run) {
    const tool_outputs* o = run->outputs;
    if (o->html && tool_file_print(o->html, seek_scene_print_page, run) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->svg || o->png)
        return tool_picture_scene_write(o->svg, o->png, run->all, run->show->count);
    return TOOL_DONE;
}

static bool seek_scene_add_all(cJSON* root, const kerb_scene_run* run) {
    const kerb_scene_show* show = run->show;
    bool added = cJSON_AddStringToObject(root, "scene", show->name) &&
                 cJSON_AddNumberToObject(root, "count", show->count) &&
                 cJSON_AddNumberToObject(root, "seconds", round(show->time * 1e3) / 1e3);
    for (int32_t i = 0; i < show->figure_count; i++)
        added = added && cJSON_AddNumberToObject(root, show->figures[i].key,
                                                 round(show->figures[i].value * 1e6) / 1e6);
    return added && cJSON_AddBoolToObject(root, "succeeded", show->succeeded);
}

static tool_status seek_scene_print_json(const kerb_scene_run* run) {
    cJSON* root = tool_json_begin("seek", run->outputs->seed);
    return tool_json_end(root, seek_scene_add_all(root, run), stdout)
               ? TOOL_DONE
               : tool_complain("seek: no memory for the report");
}

static void seek_scene_print_table(const kerb_scene_show* show) {
    printf("%s: %s, %.1f s\n\n", show->name, show->course.about, show->time);
    for (int32_t i = 0; i < show->figure_count; i++)
        if (isfinite(show->figures[i].value))
            printf("%-26s %g\n", show->figures[i].text, round(show->figures[i].value * 1e3) / 1e3);
}

static tool_status seek_scene_report(const kerb_scene_run* run) {
    if (seek_scene_write_files(run) != TOOL_DONE)
        return TOOL_WRONG;
    if (run->outputs->json && seek_scene_print_json(run) != TOOL_DONE)
        return TOOL_WRONG;
    if (!run->outputs->json && !run->outputs->quiet)
        seek_scene_print_table(run->show);
    return run->show->succeeded ? TOOL_DONE : TOOL_FAILED;
}

// --------------------------------------------------------------------------- running

static const char* kerb_scene_word(const void* context, int32_t i) {
    (void)context;
    return kerb_scene_show_name(i);
}

static tool_status seek_scene_complain_unknown(const char* name) {
    const char* meant = tool_nearest_word(name, kerb_scene_word, NULL, kerb_scene_show_count());
    if (meant)
        return tool_complain("--scene: unknown scene \"%s\"; did you mean \"%s\"?", name, meant);
    return tool_complain("--scene: unknown scene \"%s\"; --list shows them", name);
}

static tool_status seek_scene_run_scene(kerb_scene_run* run) {
    seek_scene_prepare(run);
    tool_status status = seek_scene_drive(run);
    if (status == TOOL_DONE)
        status = seek_scene_report(run);
    for (int32_t i = 0; i < run->show->count; i++)
        tool_recording_free(&run->recordings[i]);
    return status;
}

tool_status tool_seek_scene_run(const char* name, const kerb_scene_seek_plan* plan,
                                const tool_outputs* outputs) {
    kerb_host host = kerb_host_default();
    kerb_scene_run* run = calloc(1, sizeof *run);
    if (!run)
        return tool_complain("seek: no memory for the scene");
    run->outputs = outputs;
    kerb_result result = kerb_scene_show_make(&run->show, name, plan, &host);
    tool_status status = result == KERB_OK                    ? seek_scene_run_scene(run)
                         : result == KERB_ERROR_UNKNOWN_FIELD ? seek_scene_complain_unknown(name)
                                                              : tool_complain("seek: no memory");
    kerb_scene_show_free(run->show, &host);
    free(run);
    return status;
}
