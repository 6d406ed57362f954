// Purpose: the follower on the built-in courses, with a ghost beside it.
// Idea:    Two trials (scene/course/) on one course that know nothing of each other.
// Cost:    per step two drive calls and eight physics steps.
#include "scene/stage/stage_rooms.h"

#include "scene/course/course.h"
#include "scene/course/trial_run.h"

#include <string.h>

#define STAGE_AGAIN 3.0f     // after both have arrived they begin again [s]
#define STAGE_PATIENCE 20.0f // a ghost may be so much slower [s]

enum { STAGE_GHOST_NONE, STAGE_GHOST_BASELINE, STAGE_GHOST_SETTINGS, STAGE_GHOSTS };

typedef struct stage_courses {
    kerb_scene_course course;  // its waypoints are fixed
    kerb_sim_obstacle* solids; // in the arena
    kerb_sim_model model;
    kerb_scene_trial trials[2];
    kerb_scene_trial_run_state runs[2];
    float waited; // since the first has arrived [s]
    float done;   // … since both have [s]
    int32_t rounds;
} stage_courses;

static const char* stage_courses_ghost(int32_t index) {
    static const char* const names[] = {"none", "baseline", "settings"};
    return names[index];
}

static int32_t stage_courses_ghosts(void) {
    return STAGE_GHOSTS;
}

static int32_t stage_all_models(void) {
    return kerb_sim_model_count() + kerb_sim_race_model_count();
}

static const char* stage_all_model(int32_t index) {
    int32_t own = kerb_sim_model_count();
    return index < own ? kerb_sim_model_name(index) : kerb_sim_race_model_name(index - own);
}

static const stage_choice stage_courses_choices[] = {
    {.name = "course",
     .meaning = "what is driven",
     .count = kerb_scene_course_count,
     .option = kerb_scene_course_name},
    {.name = "vehicle",
     .meaning = "which reference vehicle drives",
     .count = stage_all_models,
     .option = stage_all_model},
    {.name = "ghost",
     .meaning = "what drives beside it, for comparison: nothing, the common method, or other "
                "settings",
     .fallback = STAGE_GHOST_BASELINE,
     .count = stage_courses_ghosts,
     .option = stage_courses_ghost},
};

STAGE_TABLE(follower, kerb_follower_settings_table)

static const stage_table stage_courses_tables[] = {
    {"driver", stage_table_of_follower_kerb_follower_settings_table},
    {"ghost", stage_table_of_follower_kerb_follower_settings_table}};
static const stage_figure stage_courses_figures[] = {
    {"progress", "m"},
    {"cross-track error, mean", "m"},
    {"cross-track error, mean, of the ghost", "m"},
    {"ahead of the ghost", "m"},
    {"stuck", "1"},
};

static kerb_result stage_courses_begin(kerb_stage* stage, stage_courses* c, kerb_error* error) {
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < stage->vehicle_count && result == KERB_OK; i++) {
        kerb_follower_settings* settings = stage->settings[i];
        bool plain = i == 1 && stage->choices[2] == STAGE_GHOST_BASELINE;
        *settings = plain ? kerb_follower_settings_default(KERB_FOLLOWER_BASELINE)
                          : kerb_follower_settings_of(KERB_FOLLOWER_KERB, &c->model.vehicle);
        settings->speed = c->course.speed;
        c->trials[i] = kerb_scene_trial_default(&c->course, &c->model.vehicle, settings);
        c->trials[i].model = &c->model;
        result = kerb_scene_trial_begin(&c->runs[i], &c->trials[i], &stage->fixed, error);
    }
    return result;
}

static kerb_result stage_courses_make(kerb_stage* stage, kerb_error* error) {
    stage_courses* c = kerb_scene_stage_allocate(stage, sizeof *c);
    if (c == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = c;
    const char* name = kerb_scene_course_name(stage->choices[0]);
    kerb_result result = kerb_scene_course_make(name, &stage->fixed, &c->course, error);
    if (result != KERB_OK)
        return result;
    // Solids may be dragged, so they belong to what changes.
    size_t bytes = (size_t)c->course.world.obstacle_count * sizeof *c->solids;
    c->solids = kerb_scene_stage_allocate(stage, bytes + 1u);
    if (c->solids == NULL)
        return kerb_scene_stage_no_memory(error);
    if (bytes > 0)
        memcpy(c->solids, c->course.world.obstacles, bytes);
    c->course.world.obstacles = c->solids;
    kerb_sim_model_named(stage_all_model(stage->choices[1]), &c->model);
    stage->vehicle_count = stage->choices[2] == STAGE_GHOST_NONE ? 1 : 2;
    return stage_courses_begin(stage, c, error);
}

static void stage_courses_apply(kerb_stage* stage) {
    stage_courses* c = stage->scene_data;
    for (int32_t i = 0; i < stage->vehicle_count; i++) {
        memcpy(&c->trials[i].settings, stage->settings[i], sizeof c->trials[i].settings);
        c->runs[i].follower.settings = c->trials[i].settings;
    }
}

static bool stage_courses_arrived(const stage_courses* c, int32_t index) {
    return c->runs[index].judge.finished;
}

// On an open course, when both are there.
static void stage_courses_go_on(kerb_stage* stage, stage_courses* c) {
    if (c->course.closed)
        return;
    bool hero = stage_courses_arrived(c, 0), all = hero;
    for (int32_t i = 1; i < stage->vehicle_count; i++)
        all = all && stage_courses_arrived(c, i);
    c->waited = hero ? c->waited + KERB_STAGE_STEP : 0.0f;
    c->done = all ? c->done + KERB_STAGE_STEP : 0.0f;
    if (c->done < STAGE_AGAIN && c->waited < STAGE_PATIENCE)
        return;
    c->waited = c->done = 0.0f;
    c->rounds++;
    for (int32_t i = 0; i < stage->vehicle_count; i++)
        (void)kerb_scene_trial_restart(&c->runs[i]); // in sim/ it cannot fail
}

static void stage_courses_step(kerb_stage* stage) {
    stage_courses* c = stage->scene_data;
    for (int32_t i = 0; i < stage->vehicle_count; i++) {
        kerb_scene_trial_run_state* run = &c->runs[i];
        run->player = kerb_scene_stage_player(stage, i, &c->model.vehicle, &run->motion);
        (void)kerb_scene_trial_frame(run);
    }
    stage_courses_go_on(stage, c);
}

static void stage_courses_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_courses* c = stage->scene_data;
    const kerb_scene_trial_run_state* run = &c->runs[vehicle];
    shown->vehicle = &c->model.vehicle;
    shown->motion = run->motion;
    shown->controls = run->controls;
    shown->sim = &run->vehicle;
    shown->look = kerb_scene_stage_look(c->model.name);
    shown->role = vehicle == 0 ? KERB_STAGE_HERO : KERB_STAGE_GHOST;
    shown->colour = vehicle;
    shown->touching = run->touch.now;
    shown->target_speed = run->follower.decision.target_speed;
    shown->cross_track_error = run->judge.error;
    shown->progress = (float)run->judge.progress;
    shown->learns = true;
}

static void stage_courses_shapes(kerb_stage* stage) {
    const stage_courses* c = stage->scene_data;
    kerb_scene_stage_add_path(stage, &c->runs[0].path, true);
    kerb_scene_stage_add_world(stage, &c->course.world, true);
}

static bool stage_courses_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    return vehicle == 0;
}

static kerb_result stage_courses_drag(kerb_stage* stage, int32_t kind, int32_t index,
                                      kerb_pose pose, kerb_error* error) {
    stage_courses* c = stage->scene_data;
    if (kind == KERB_STAGE_ITEM_SOLID) {
        kerb_scene_stage_move_solid(&c->solids[index], pose);
        kerb_scene_stage_reshape(stage);
        return KERB_OK;
    }
    if (kind != KERB_STAGE_ITEM_VEHICLE)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "kind", 0, kind, "has no such item");
    kerb_scene_trial_run_state* run = &c->runs[index];
    pose = kerb_scene_stage_reference(&c->model.vehicle, pose);
    kerb_vec3 at = kerb_vec3_make(pose.position.x, pose.position.y, run->motion.position.z);
    return kerb_scene_trial_put(run, at, kerb_pose_heading(pose));
}

static void stage_courses_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_courses* c = stage->scene_data;
    const kerb_scene_trial_run_state* run = &c->runs[vehicle];
    kerb_draw_path(buffer, &run->path, run->judge.progress - 20.0, run->judge.progress + 150.0);
    kerb_draw_follower(buffer, &run->follower, &run->path, &run->motion);
}

static float stage_courses_error(const stage_courses* c, int32_t index) {
    const kerb_scene_judge* judge = &c->runs[index].judge;
    return judge->best > 1.0 ? (float)(judge->error_sum / judge->best) : 0.0f;
}

static float stage_courses_figure(const kerb_stage* stage, int32_t figure) {
    const stage_courses* c = stage->scene_data;
    bool alone = stage->vehicle_count < 2;
    switch (figure) {
    case 0:
        return (float)c->runs[0].judge.best;
    case 1:
        return stage_courses_error(c, 0);
    case 2:
        return alone ? -1.0f : stage_courses_error(c, 1);
    case 3:
        return alone ? 0.0f : (float)(c->runs[0].judge.best - c->runs[1].judge.best);
    default:
        return (float)c->runs[0].judge.stuck_events;
    }
}

const stage_scene kerb_scene_stage_courses = {
    .id = "follower/courses",
    .group = "Follower",
    .title = "Ten courses, six vehicles",
    .look = "The vehicle keeps to its line where the ghost, which is driven by the common method, "
            "cuts corners and swings.",
    .try_this = "Choose another vehicle, raise the speed, and watch what the reason text says "
                "before each bend.",
    .choices = stage_courses_choices,
    .choice_count = 3,
    .tables = stage_courses_tables,
    .table_count = 2,
    .figures = stage_courses_figures,
    .figure_count = 5,
    .arena_bytes = 1u << 20,
    .estimates = 2,
    .make = stage_courses_make,
    .apply = stage_courses_apply,
    .step = stage_courses_step,
    .show = stage_courses_show,
    .shapes = stage_courses_shapes,
    .can_take = stage_courses_can_take,
    .drag = stage_courses_drag,
    .draw = stage_courses_draw,
    .figure = stage_courses_figure,
};
