// Purpose: a country road full of bots round a player (scene/lane/).
// Idea:    The player is a scripted human until somebody takes the wheel. The road is twelve
//          kilometres long; at its end everything begins again.
// Cost:    that of the scene: rays, a drive call and four physics steps for each vehicle.
#include "scene/stage/stage_rooms.h"

#include "scene/lane/lane_player_run.h"

#include <string.h>

#define STAGE_ROAD_LENGTH 12000.0f // [m]
#define STAGE_LANE_BOTS 48

typedef struct stage_lane {
    kerb_scene_lane_player_state run;
    kerb_scene_lane_player_plan plan;
    kerb_scene_lane_player_result result;
    kerb_scene_lane_road* road; // fixed
    kerb_sim_model model;
    int32_t round;
} stage_lane;

static int32_t stage_lane_styles(void) {
    return (int32_t)KERB_SCENE_LANE_STYLES;
}

static const char* stage_lane_style(int32_t index) {
    static const char* const names[KERB_SCENE_LANE_STYLES] = {"mixed", "hasty", "nervous", "calm"};
    return names[index];
}

static const stage_choice stage_lane_choices[] = {
    {.name = "count",
     .meaning = "number of bots",
     .min = 5,
     .max = STAGE_LANE_BOTS,
     .fallback = 40},
    {.name = "style",
     .meaning = "how the human drives while nobody takes the wheel",
     .count = stage_lane_styles,
     .option = stage_lane_style},
    {.name = "vehicle",
     .meaning = "what all of them drive",
     .count = kerb_sim_race_model_count,
     .option = kerb_sim_race_model_name},
};
STAGE_TABLE(lane, kerb_lane_settings_table)
STAGE_TABLE(lane, kerb_lane_company_settings_table)

static const stage_table stage_lane_tables[] = {
    {"bots", stage_table_of_lane_kerb_lane_settings_table},
    {"company", stage_table_of_lane_kerb_lane_company_settings_table}};
static const stage_figure stage_lane_figures[] = {{"driven", "m"},
                                                  {"bots within 100 m, mean", "1"},
                                                  {"collisions by bots", "1"},
                                                  {"collisions by the player", "1"},
                                                  {"appeared in view", "1"}};

static kerb_result stage_lane_road_make(kerb_stage* stage, stage_lane* l, kerb_error* error) {
    kerb_waypoint* waypoints = NULL;
    int32_t count = 0;
    l->road = kerb_scene_stage_fix(stage, sizeof *l->road);
    if (l->road == NULL)
        return kerb_scene_stage_no_memory(error);
    kerb_result result = kerb_scene_lane_country(stage->seed, STAGE_ROAD_LENGTH, &stage->fixed,
                                                 &waypoints, &count, error);
    if (result == KERB_OK)
        result =
            kerb_scene_lane_road_create(l->road, waypoints, count, false, &stage->fixed, error);
    stage->fixed.allocator.release(stage->fixed.allocator.context, waypoints,
                                   (size_t)count * sizeof *waypoints);
    return result;
}

static kerb_result stage_lane_make(kerb_stage* stage, kerb_error* error) {
    stage_lane* l = kerb_scene_stage_allocate(stage, sizeof *l);
    if (l == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = l;
    kerb_result result = stage_lane_road_make(stage, l, error);
    if (result != KERB_OK)
        return result;
    kerb_sim_model_named(kerb_sim_race_model_name(stage->choices[2]), &l->model);
    l->plan = kerb_scene_lane_player_plan_default(l->road, &l->model);
    l->plan.bots = stage->choices[0];
    l->plan.style = (kerb_scene_lane_style)stage->choices[1];
    l->plan.seed = stage->seed;
    memcpy(stage->settings[0], &l->plan.settings, sizeof l->plan.settings);
    memcpy(stage->settings[1], &l->plan.company, sizeof l->plan.company);
    stage->vehicle_count = l->plan.bots + 1;
    return kerb_scene_lane_player_begin(&l->run, &l->plan, &stage->arena, &l->result, error);
}

// Where and how fast each bot drives is the company's, and how many lanes there are the road's.
static void stage_lane_apply(kerb_stage* stage) {
    stage_lane* l = stage->scene_data;
    memcpy(&l->plan.settings, stage->settings[0], sizeof l->plan.settings);
    for (int32_t i = 1; i < l->run.count; i++) {
        kerb_lane_settings* s = &l->run.drivers[i].keeper.settings;
        float speed = s->speed, edge_distance = s->edge_distance;
        *s = l->plan.settings;
        s->speed = speed;
        s->edge_distance = edge_distance;
    }
    kerb_lane_company_settings own = l->run.company.settings;
    memcpy(&l->run.company.settings, stage->settings[1], sizeof own);
    l->run.company.settings.lanes = own.lanes;
    l->run.company.settings.oncoming_lanes = own.oncoming_lanes;
    l->run.company.settings.lane_width = own.lane_width;
}

static void stage_lane_step(kerb_stage* stage) {
    stage_lane* l = stage->scene_data;
    for (int32_t i = 0; i < l->run.count; i++) {
        kerb_scene_lane_driver* d = &l->run.drivers[i];
        kerb_motion motion = kerb_sim_vehicle_motion(&d->vehicle);
        d->player = kerb_scene_stage_player(stage, i, &l->model.vehicle, &motion);
    }
    kerb_scene_lane_player_frame(&l->run);
    if (!kerb_scene_lane_player_is_over(&l->run))
        return;
    l->round++;
    l->plan.seed = stage->seed + 1000u * (uint32_t)l->round;
    kerb_scene_lane_player_end(&l->run);
    // In the memory that it had before.
    (void)kerb_scene_lane_player_begin(&l->run, &l->plan, &stage->arena, &l->result, NULL);
    stage_lane_apply(stage);
}

static void stage_lane_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_lane* l = stage->scene_data;
    const kerb_scene_lane_driver* d = &l->run.drivers[vehicle];
    shown->vehicle = &l->model.vehicle;
    shown->motion = kerb_sim_vehicle_motion(&d->vehicle);
    shown->controls = d->controls;
    shown->sim = &d->vehicle;
    shown->look = kerb_scene_stage_look(l->model.name);
    shown->role = vehicle == 0 ? KERB_STAGE_HUMAN : KERB_STAGE_TRAFFIC;
    shown->colour = vehicle == 0 ? 0 : d->oncoming ? 2 : 1;
    shown->target_speed = d->keeper.decision.target_speed;
    shown->cross_track_error = d->edge_distance - d->keeper.settings.edge_distance;
    shown->progress = (float)kerb_path_distance(&l->road->path, d->place);
    for (int32_t i = 0; i < l->run.count; i++) {
        int32_t low = i < vehicle ? i : vehicle, high = i < vehicle ? vehicle : i;
        shown->touching =
            shown->touching || (i != vehicle && l->run.touching[low * l->run.count + high] != 0);
    }
}

static void stage_lane_shapes(kerb_stage* stage) {
    const stage_lane* l = stage->scene_data;
    const kerb_path* path = &l->road->path;
    kerb_scene_stage_add_path(stage, path, true);
}

static bool stage_lane_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    (void)vehicle;
    return true;
}

static kerb_result stage_lane_drag(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                                   kerb_error* error) {
    (void)kind;
    (void)error;
    stage_lane* l = stage->scene_data;
    kerb_scene_lane_driver* d = &l->run.drivers[index];
    pose = kerb_scene_stage_reference(&l->model.vehicle, pose);
    kerb_vec3 at = kerb_vec3_make(pose.position.x, pose.position.y, 0.0f);
    d->vehicle = kerb_sim_vehicle_make(&l->model, at, kerb_pose_heading(pose));
    d->place = kerb_path_nearest(&l->road->path, at);
    l->run.boxes[index] = kerb_scene_lane_box_of(l->road, &d->vehicle, d->place.segment);
    return KERB_OK;
}

static void stage_lane_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_lane* l = stage->scene_data;
    const kerb_scene_lane_driver* d = &l->run.drivers[vehicle];
    kerb_motion motion = kerb_sim_vehicle_motion(&d->vehicle);
    kerb_draw_lane_keeper(buffer, &d->keeper, d->rays, d->hits, d->ray_count, &motion);
}

static float stage_lane_figure(const kerb_stage* stage, int32_t figure) {
    const stage_lane* l = stage->scene_data;
    switch (figure) {
    case 0:
        return (float)l->result.driven;
    case 1:
        return l->run.judged > 0.0 ? (float)(l->run.near_sum / l->run.judged) : 0.0f;
    case 2:
        return (float)l->result.collisions_by_bots;
    case 3:
        return (float)l->result.collisions_by_player;
    default:
        return (float)l->result.appeared_in_view;
    }
}

static const char* stage_lane_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_lane* l = stage->scene_data;
    return vehicle == 0 ? kerb_scene_lane_mood_name(l->run.human.mood)
                        : kerb_reason_text(l->run.drivers[vehicle].keeper.decision.reason);
}

const stage_scene kerb_scene_stage_lane = {
    .id = "lane/player",
    .group = "Lane keeping",
    .title = "A road full of bots round a player",
    .look = "Forty bots that see by rays alone stay round the player, whatever it does, and nobody "
            "appears or vanishes in view.",
    .try_this = "Take the wheel: speed, crawl, or brake out of nothing, and look at the rays of "
                "whoever is behind you.",
    .choices = stage_lane_choices,
    .choice_count = 3,
    .tables = stage_lane_tables,
    .table_count = 2,
    .figures = stage_lane_figures,
    .figure_count = 5,
    .arena_bytes = 3u << 20,
    .make = stage_lane_make,
    .apply = stage_lane_apply,
    .step = stage_lane_step,
    .show = stage_lane_show,
    .shapes = stage_lane_shapes,
    .can_take = stage_lane_can_take,
    .drag = stage_lane_drag,
    .draw = stage_lane_draw,
    .figure = stage_lane_figure,
    .reason = stage_lane_reason,
};
