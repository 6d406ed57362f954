// Purpose: one vehicle that parks at a pose.
// Idea:    When it has stood there for a while, another pose is drawn. A ghost may park beside it
//          with other settings.
// Cost:    per step a drive call and four physics steps for each.
#include "scene/stage/stage_rooms.h"

#include <string.h>

#define STAGE_PARK_STANDS 1.5f // before the next goal [s]
#define STAGE_PARK_REACH 18.0f // of the next goal, from the middle, for each metre of … [m]
#define STAGE_PARK_SUBSTEPS 4

typedef struct stage_parking {
    kerb_sim_vehicle vehicle;
    kerb_parker parker;
    kerb_motion motion;
    kerb_controls controls;
} stage_parking;

typedef struct stage_park {
    kerb_sim_model model;
    stage_parking all[2];
    kerb_pose goal; // of the reference point
    kerb_random random;
    float stood;
    int32_t arrivals;
    float position_error, heading_error; // of the last arrival
} stage_park;

static int32_t stage_park_models(void) {
    return kerb_sim_model_count() + kerb_sim_race_model_count();
}

static const char* stage_park_model(int32_t index) {
    int32_t own = kerb_sim_model_count();
    return index < own ? kerb_sim_model_name(index) : kerb_sim_race_model_name(index - own);
}

static int32_t stage_park_ghosts(void) {
    return 2;
}

static const char* stage_park_ghost(int32_t index) {
    return index == 0 ? "none" : "settings";
}

static const stage_choice stage_park_choices[] = {
    {.name = "vehicle",
     .meaning = "which reference vehicle parks",
     .count = stage_park_models,
     .option = stage_park_model},
    {.name = "ghost",
     .meaning = "a second one with settings of its own, for comparison",
     .count = stage_park_ghosts,
     .option = stage_park_ghost},
};
STAGE_TABLE(seek, kerb_parker_settings_table)

static const stage_table stage_park_tables[] = {
    {"parker", stage_table_of_seek_kerb_parker_settings_table},
    {"ghost", stage_table_of_seek_kerb_parker_settings_table}};
static const stage_figure stage_park_figures[] = {{"arrivals", "1"},
                                                  {"last arrival: off the place", "m"},
                                                  {"last arrival: off the heading", "rad"},
                                                  {"paths planned for this goal", "1"}};

static kerb_pose stage_park_draw_goal(stage_park* p) {
    float reach = kerb_max(STAGE_PARK_REACH, 3.0f * p->model.vehicle.length);
    float x = kerb_random_between(&p->random, -reach, reach);
    float y = kerb_random_between(&p->random, -reach, reach);
    return kerb_pose_make(x, y, kerb_random_between(&p->random, -KERB_PI, KERB_PI));
}

static void stage_park_put(stage_park* p, int32_t index, kerb_pose at) {
    stage_parking* one = &p->all[index];
    kerb_vec3 place = kerb_vec3_make(at.position.x, at.position.y, 0.0f);
    one->vehicle = kerb_sim_vehicle_make(&p->model, place, kerb_pose_heading(at));
    one->motion = kerb_sim_vehicle_motion(&one->vehicle);
}

static kerb_result stage_park_make(kerb_stage* stage, kerb_error* error) {
    stage_park* p = kerb_scene_stage_allocate(stage, sizeof *p);
    if (p == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = p;
    kerb_sim_model_named(stage_park_model(stage->choices[0]), &p->model);
    stage->vehicle_count = stage->choices[1] == 0 ? 1 : 2;
    p->random = kerb_random_make(stage->seed, 5);
    for (int32_t i = 0; i < stage->vehicle_count; i++) {
        p->all[i].parker = kerb_parker_make(&p->model.vehicle);
        memcpy(stage->settings[i], &p->all[i].parker.settings, sizeof p->all[i].parker.settings);
        stage_park_put(p, i, kerb_pose_make(0.0f, 0.0f, 0.0f));
        p->all[i].controls = kerb_controls_safe(KERB_REASON_NONE);
    }
    p->goal = stage_park_draw_goal(p);
    return KERB_OK;
}

static void stage_park_apply(kerb_stage* stage) {
    stage_park* p = stage->scene_data;
    for (int32_t i = 0; i < stage->vehicle_count; i++)
        memcpy(&p->all[i].parker.settings, stage->settings[i], sizeof p->all[i].parker.settings);
}

static void stage_park_drive(kerb_stage* stage, stage_park* p, int32_t index) {
    stage_parking* one = &p->all[index];
    const kerb_controls* player =
        kerb_scene_stage_player(stage, index, &p->model.vehicle, &one->motion);
    kerb_controls own =
        kerb_parker_drive(&one->parker, p->goal, &one->motion, NULL, KERB_STAGE_STEP);
    one->controls = player != NULL ? *player : own;
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int32_t i = 0; i < STAGE_PARK_SUBSTEPS; i++)
        kerb_sim_vehicle_step(&one->vehicle, &one->controls, &ground,
                              KERB_STAGE_STEP / (float)STAGE_PARK_SUBSTEPS);
    one->motion = kerb_sim_vehicle_motion(&one->vehicle);
}

static void stage_park_note(stage_park* p) {
    kerb_vec3 at = p->all[0].motion.position;
    kerb_vec2 off = kerb_vec2_sub(kerb_vec2_make(at.x, at.y), p->goal.position);
    p->arrivals++;
    p->position_error = kerb_vec2_length(off);
    p->heading_error = kerb_abs(
        kerb_wrap_angle(kerb_quat_heading(p->all[0].motion.rotation) - kerb_pose_heading(p->goal)));
}

static void stage_park_step(kerb_stage* stage) {
    stage_park* p = stage->scene_data;
    bool all = true;
    for (int32_t i = 0; i < stage->vehicle_count; i++) {
        stage_park_drive(stage, p, i);
        all = all && p->all[i].parker.phase == (int32_t)KERB_PARKER_ARRIVED;
    }
    all = all && !stage->state->players[0].drives;
    p->stood = all ? p->stood + KERB_STAGE_STEP : 0.0f;
    if (p->stood < STAGE_PARK_STANDS)
        return;
    stage_park_note(p);
    p->stood = 0.0f;
    p->goal = stage_park_draw_goal(p);
    kerb_scene_stage_reshape(stage);
}

static void stage_park_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_park* p = stage->scene_data;
    const stage_parking* one = &p->all[vehicle];
    shown->vehicle = &p->model.vehicle;
    shown->motion = one->motion;
    shown->controls = one->controls;
    shown->sim = &one->vehicle;
    shown->look = kerb_scene_stage_look(p->model.name);
    shown->role = vehicle == 0 ? KERB_STAGE_HERO : KERB_STAGE_GHOST;
    shown->colour = vehicle;
    shown->cross_track_error = one->parker.cross_track_error;
    shown->target_speed = one->parker.settings.speed;
    shown->progress = one->parker.station;
}

static void stage_park_shapes(kerb_stage* stage) {
    const stage_park* p = stage->scene_data;
    kerb_stage_mark mark = kerb_scene_stage_goal(&p->model.vehicle, p->goal, 0);
    kerb_scene_stage_add_mark(stage, &mark);
    float reach = kerb_max(STAGE_PARK_REACH, 3.0f * p->model.vehicle.length);
    kerb_scene_stage_reach(stage, 0.0f, 0.0f, 1.4f * reach);
}

static bool stage_park_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    return vehicle == 0;
}

static kerb_result stage_park_drag(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                                   kerb_error* error) {
    (void)error;
    stage_park* p = stage->scene_data;
    kerb_pose at = kerb_scene_stage_reference(&p->model.vehicle, pose);
    if (kind == KERB_STAGE_ITEM_VEHICLE) {
        stage_park_put(p, index, at);
        return KERB_OK;
    }
    p->goal = at;
    kerb_scene_stage_reshape(stage);
    return KERB_OK;
}

static void stage_park_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_park* p = stage->scene_data;
    kerb_scene_stage_draw_parker(buffer, &p->all[vehicle].parker, &p->all[vehicle].motion);
}

static float stage_park_figure(const kerb_stage* stage, int32_t figure) {
    const stage_park* p = stage->scene_data;
    switch (figure) {
    case 0:
        return (float)p->arrivals;
    case 1:
        return p->arrivals > 0 ? p->position_error : -1.0f;
    case 2:
        return p->arrivals > 0 ? p->heading_error : -1.0f;
    default:
        return (float)p->all[0].parker.plan_count;
    }
}

static const char* stage_park_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_park* p = stage->scene_data;
    return kerb_parker_phase_text((kerb_parker_phase)p->all[vehicle].parker.phase);
}

const stage_scene kerb_scene_stage_park = {
    .id = "seek/park",
    .group = "Directed seek",
    .title = "Park anywhere, facing any way",
    .look =
        "It finds the cheapest way of 48 kinds of curves, in reverse where that is shorter, and "
        "stands within centimetres.",
    .try_this = "Drag the bay and turn it while the vehicle drives.",
    .choices = stage_park_choices,
    .choice_count = 2,
    .tables = stage_park_tables,
    .table_count = 2,
    .figures = stage_park_figures,
    .figure_count = 4,
    .arena_bytes = 1u << 20,
    .make = stage_park_make,
    .apply = stage_park_apply,
    .step = stage_park_step,
    .show = stage_park_show,
    .shapes = stage_park_shapes,
    .can_take = stage_park_can_take,
    .drag = stage_park_drag,
    .draw = stage_park_draw,
    .figure = stage_park_figure,
    .reason = stage_park_reason,
};
