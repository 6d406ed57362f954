// Purpose: airplanes on a path in space and through a gate, and a dogfight (scene/crowd/).
// Cost:    that of the scene.
#include "scene/stage/stage_rooms.h"

#include "scene/crowd/airplanes.h"
#include "scene/crowd/dogfight.h"

#include <string.h>

#define STAGE_WING_SPAN 10.59f // of the reference airplane [m]
#define STAGE_FUSELAGE 7.57f
#define STAGE_FLY_HEIGHT 2.4f
#define STAGE_GATE_WIDE 30.0f
#define STAGE_FIGHT_SECONDS 90.0 // then another one begins

typedef struct stage_fly {
    kerb_scene_airplanes airplanes; // points into itself: it never moves
    kerb_scene_dogfight fight;
    kerb_controls controls[KERB_SCENE_AIRPLANES];
    int32_t round;
} stage_fly;

static void stage_fly_look(int32_t vehicle, stage_shown* shown) {
    shown->look = KERB_STAGE_AIRPLANE;
    shown->role = vehicle == 0 ? KERB_STAGE_HERO : KERB_STAGE_TRAFFIC;
    shown->colour = vehicle;
    shown->length = STAGE_FUSELAGE;
    shown->width = STAGE_WING_SPAN;
    shown->height = STAGE_FLY_HEIGHT;
}

// --------------------------------------------------------------------------- airplanes

STAGE_TABLE(fly, kerb_flyer_settings_table)

static const stage_table stage_fly_tables[] = {
    {"flyer", stage_table_of_fly_kerb_flyer_settings_table}};
static const stage_figure stage_airplanes_figures[] = {
    {"path error, mean", "m"}, {"path error, greatest", "m"}, {"through the gate", "1"}};

static kerb_result stage_airplanes_make(kerb_stage* stage, kerb_error* error) {
    stage_fly* f = kerb_scene_stage_allocate(stage, sizeof *f);
    if (f == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = f;
    stage->vehicle_count = KERB_SCENE_AIRPLANES;
    kerb_scene_airplanes_make(&f->airplanes, stage->seed);
    memcpy(stage->settings[0], &f->airplanes.airplanes[0].pilot.settings,
           sizeof(kerb_flyer_settings));
    return KERB_OK;
}

static void stage_airplanes_apply(kerb_stage* stage) {
    stage_fly* f = stage->scene_data;
    for (int32_t i = 0; i < KERB_SCENE_AIRPLANES; i++)
        memcpy(&f->airplanes.airplanes[i].pilot.settings, stage->settings[0],
               sizeof(kerb_flyer_settings));
}

static void stage_airplanes_step(kerb_stage* stage) {
    stage_fly* f = stage->scene_data;
    kerb_scene_airplanes_step(&f->airplanes, KERB_STAGE_STEP);
    for (int32_t i = 0; i < KERB_SCENE_AIRPLANES; i++) {
        if (!kerb_scene_airplanes_is_gone(&f->airplanes, i))
            return;
    }
    f->round++;
    kerb_scene_airplanes_make(&f->airplanes, stage->seed + 1000u * (uint32_t)f->round);
    stage_airplanes_apply(stage);
    kerb_scene_stage_reshape(stage);
}

static void stage_airplanes_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_fly* f = stage->scene_data;
    const kerb_scene_airplane* one = &f->airplanes.airplanes[vehicle];
    stage_fly_look(vehicle, shown);
    shown->motion = kerb_scene_airplanes_motion(&f->airplanes, vehicle);
    shown->controls = one->pilot.controls;
    shown->hidden = kerb_scene_airplanes_is_gone(&f->airplanes, vehicle);
    shown->target_speed = kerb_vec3_length(one->airplane.velocity);
    bool on_path = f->airplanes.time < one->leaves;
    kerb_vec3 at = kerb_path_position(&f->airplanes.path, one->pilot.memory.location);
    if (on_path)
        shown->cross_track_error = kerb_vec3_length(kerb_vec3_sub(one->airplane.position, at));
}

static void stage_airplanes_shapes(kerb_stage* stage) {
    const stage_fly* f = stage->scene_data;
    const kerb_path* path = &f->airplanes.path;
    for (int32_t i = 0; i < path->segment_count; i++)
        kerb_scene_stage_add_line(stage, path->points[i].position,
                                  path->points[(i + 1) % path->count].position,
                                  KERB_STAGE_SHAPE_MIDDLE);
    const kerb_directed_goal* gate = &f->airplanes.gate;
    kerb_stage_mark mark = {.kind = 2,
                            .movable = 1,
                            .x = gate->position.x,
                            .y = gate->position.y,
                            .z = gate->position.z,
                            .heading = kerb_atan2(gate->forward.y, gate->forward.x),
                            .width = STAGE_GATE_WIDE,
                            .vehicle = -1};
    kerb_scene_stage_add_mark(stage, &mark);
}

static kerb_result stage_airplanes_drag(kerb_stage* stage, int32_t kind, int32_t index,
                                        kerb_pose pose, kerb_error* error) {
    stage_fly* f = stage->scene_data;
    if (kind != KERB_STAGE_ITEM_MARK)
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "index", 0, index,
                              "cannot be moved in this scene");
    kerb_directed_goal* gate = &f->airplanes.gate;
    gate->position.x = pose.position.x;
    gate->position.y = pose.position.y;
    gate->forward = kerb_vec3_make(pose.forward.x, pose.forward.y, 0.0f);
    kerb_scene_stage_reshape(stage);
    return KERB_OK;
}

static void stage_airplanes_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_fly* f = stage->scene_data;
    const kerb_scene_airplane* one = &f->airplanes.airplanes[vehicle];
    kerb_motion motion = kerb_scene_airplanes_motion(&f->airplanes, vehicle);
    kerb_agent agent = kerb_flyer_agent(&one->pilot, &motion);
    kerb_steering now = {agent.forward, agent.speed};
    kerb_draw_steering(buffer, &agent, &now, NULL);
    bool on_path = f->airplanes.time < one->leaves;
    kerb_vec3 at = on_path ? kerb_path_position(&f->airplanes.path, one->pilot.memory.location)
                           : f->airplanes.gate.position;
    kerb_scene_stage_draw_line(buffer, agent.position, at,
                               on_path ? KERB_DRAW_NEAREST : KERB_DRAW_TARGET);
}

static float stage_airplanes_figure(const kerb_stage* stage, int32_t figure) {
    const kerb_scene_airplanes_record* r = &((const stage_fly*)stage->scene_data)->airplanes.record;
    switch (figure) {
    case 0:
        return r->looks > 0 ? (float)(r->path_error_sum / (double)r->looks) : -1.0f;
    case 1:
        return (float)r->path_error_max;
    default:
        return (float)r->arrived;
    }
}

static const char* stage_airplanes_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_fly* f = stage->scene_data;
    const kerb_scene_airplane* one = &f->airplanes.airplanes[vehicle];
    return one->passed > 0.0f                ? "has passed the gate"
           : f->airplanes.time < one->leaves ? "follows the path in space"
                                             : "flies to the gate, to pass it in its direction";
}

// --------------------------------------------------------------------------- dogfight

static const stage_figure stage_fight_figures[] = {
    {"behind the prey", "%"}, {"prey in the arc of fire", "%"}, {"longest in the arc", "s"}};

static kerb_result stage_fight_make(kerb_stage* stage, kerb_error* error) {
    stage_fly* f = kerb_scene_stage_allocate(stage, sizeof *f);
    if (f == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = f;
    stage->vehicle_count = 2 * KERB_SCENE_DOGFIGHT_PAIRS;
    f->fight = kerb_scene_dogfight_make(stage->seed);
    return KERB_OK;
}

static void stage_fight_step(kerb_stage* stage) {
    stage_fly* f = stage->scene_data;
    kerb_scene_dogfight_step(&f->fight, KERB_STAGE_STEP);
    if (f->fight.time < STAGE_FIGHT_SECONDS)
        return;
    f->round++;
    f->fight = kerb_scene_dogfight_make(stage->seed + 1000u * (uint32_t)f->round);
}

static const kerb_agent* stage_fight_agent(const kerb_stage* stage, int32_t vehicle) {
    const stage_fly* f = stage->scene_data;
    return vehicle % 2 == 0 ? &f->fight.prey[vehicle / 2] : &f->fight.hunters[vehicle / 2];
}

static void stage_fight_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_fly* f = stage->scene_data;
    const kerb_agent* agent = stage_fight_agent(stage, vehicle);
    kerb_vec3 forward = agent->forward;
    float level = kerb_sqrt(forward.x * forward.x + forward.y * forward.y);
    stage_fly_look(vehicle, shown);
    shown->role = vehicle % 2 == 0 ? KERB_STAGE_TARGET : KERB_STAGE_PURSUER;
    shown->colour = vehicle / 2;
    float yaw_rate = vehicle % 2 == 0 ? f->fight.turning[vehicle / 2].z : 0.0f;
    // Agents have no wings: they are shown banked as an airplane is that turns so.
    float bank = kerb_atan2(-yaw_rate * agent->speed, KERB_GRAVITY);
    shown->motion.position = agent->position;
    shown->motion.rotation = kerb_quat_from_angles(kerb_atan2(forward.y, forward.x),
                                                   -kerb_atan2(forward.z, level), bank);
    shown->motion.velocity = kerb_vec3_scale(forward, agent->speed);
    shown->motion.angular_velocity.z = yaw_rate;
    shown->controls.brake = 0.0f;
    shown->target_speed = agent->speed_max;
}

static void stage_fight_shapes(kerb_stage* stage) {
    const stage_fly* f = stage->scene_data;
    float reach = f->fight.sky.radius;
    kerb_scene_stage_reach(stage, f->fight.sky.centre.x, f->fight.sky.centre.y, reach);
}

static void stage_fight_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const kerb_agent* agent = stage_fight_agent(stage, vehicle);
    kerb_steering now = {agent->forward, agent->speed};
    kerb_draw_steering(buffer, agent, &now, NULL);
    const kerb_agent* other = stage_fight_agent(stage, vehicle ^ 1);
    kerb_scene_stage_draw_line(buffer, agent->position, other->position, KERB_DRAW_NEIGHBOUR);
}

static float stage_fight_figure(const kerb_stage* stage, int32_t figure) {
    const kerb_scene_dogfight* f = &((const stage_fly*)stage->scene_data)->fight;
    double all = KERB_SCENE_DOGFIGHT_PAIRS * f->time;
    switch (figure) {
    case 0:
        return all > 0.0 ? (float)(100.0 * f->behind / all) : -1.0f;
    case 1:
        return all > 0.0 ? (float)(100.0 * f->aiming / all) : -1.0f;
    default:
        return (float)f->aiming_longest;
    }
}

static const char* stage_fight_reason(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    return vehicle % 2 == 0 ? "wanders in its sky" : "gets behind its prey";
}

// --------------------------------------------------------------------------- what they are

const stage_scene kerb_scene_stage_airplanes = {
    .id = "fly/airplanes",
    .group = "Fly",
    .title = "Airplanes on a path and through a gate",
    .look =
        "Six airplanes keep to a figure of eight in space, then leave it one after the other to "
        "pass a gate exactly in its direction.",
    .try_this = "Drag the gate, or turn it round, while one is on its way.",
    .tables = stage_fly_tables,
    .table_count = 1,
    .figures = stage_airplanes_figures,
    .figure_count = 3,
    .arena_bytes = 1u << 20,
    .make = stage_airplanes_make,
    .apply = stage_airplanes_apply,
    .step = stage_airplanes_step,
    .show = stage_airplanes_show,
    .shapes = stage_airplanes_shapes,
    .drag = stage_airplanes_drag,
    .draw = stage_airplanes_draw,
    .figure = stage_airplanes_figure,
    .reason = stage_airplanes_reason,
};

const stage_scene kerb_scene_stage_dogfight = {
    .id = "fly/dogfight",
    .group = "Fly",
    .title = "Three against three",
    .look = "Each hunter gets behind its prey and keeps it in its arc of fire through every turn.",
    .try_this = "Follow a hunter and show its layers: it aims at where the prey will be.",
    .figures = stage_fight_figures,
    .figure_count = 3,
    .arena_bytes = 1u << 20,
    .make = stage_fight_make,
    .step = stage_fight_step,
    .show = stage_fight_show,
    .shapes = stage_fight_shapes,
    .draw = stage_fight_draw,
    .figure = stage_fight_figure,
    .reason = stage_fight_reason,
};
