// Purpose: the town: drivers of every kind among each other (scene/town/).
// Cost:    that of the soak test: per step a drive call and four physics steps for each vehicle.
#include "scene/stage/stage_rooms.h"

#include "scene/course/unseen.h"
#include "scene/town/soak_run.h"

#include <string.h>

// Vehicles of every kind that the streets are wide enough for, by turns, and how they look. Those
// of a family car and of the unseen vehicles (scene/course/unseen.h) have the description's limits.
typedef struct stage_town_kind {
    const char* name;
    int32_t look;
    int32_t unseen; // its number there; -1: a model of sim/; -2: the library's own car
} stage_town_kind;

static const stage_town_kind stage_town_kinds[] = {
    {"car", KERB_STAGE_CAR, -2},         {"pickup", KERB_STAGE_PICKUP, -1},
    {"bus", KERB_STAGE_BUS, 4},          {"road", KERB_STAGE_ROAD, -1},
    {"city-car", KERB_STAGE_CAR, 1},     {"truck", KERB_STAGE_TRUCK, -1},
    {"buggy", KERB_STAGE_BUGGY, -1},     {"van", KERB_STAGE_BUS, 3},
    {"tank", KERB_STAGE_TANK, -1},       {"gt", KERB_STAGE_GT, -1},
    {"go-kart", KERB_STAGE_BUGGY, 0},    {"scout", KERB_STAGE_SCOUT, -1},
    {"rally", KERB_STAGE_RALLY, -1},     {"hovercraft", KERB_STAGE_HOVERCRAFT, -1},
    {"carrier", KERB_STAGE_CARRIER, -1},
};
enum { STAGE_TOWN_MODELS = (int32_t)(sizeof stage_town_kinds / sizeof stage_town_kinds[0]) };
_Static_assert(STAGE_TOWN_MODELS <= SOAK_MODELS_MOST, "a soak test has no more kinds");

static void stage_town_model(const stage_town_kind* kind, kerb_sim_model* model) {
    if (kind->unseen == -1 && kerb_sim_model_named(kind->name, model))
        return;
    kerb_vehicle vehicle = kind->unseen >= 0 ? kerb_scene_unseen_vehicle((uint64_t)kind->unseen)
                                             : kerb_vehicle_default();
    *model = kerb_sim_model_for(&vehicle);
}

// The longest route of a million has 860; more end earlier.
#define STAGE_TOWN_WAYPOINTS 1024

typedef struct stage_town {
    kerb_scene_soak_state run;
    kerb_scene_soak soak;
    soak_result result;
    kerb_scene_town* town;  // fixed
    kerb_sim_model* models; // fixed
    int32_t kinds;
} stage_town;

static int32_t stage_town_mixes(void) {
    return STAGE_TOWN_MODELS + 1;
}

static const char* stage_town_mix(int32_t index) {
    return index == 0 ? "all" : stage_town_kinds[index - 1].name;
}

static const stage_choice stage_town_choices[] = {
    {.name = "count", .meaning = "number of vehicles", .min = 1, .max = 64, .fallback = 50},
    {.name = "mix",
     .meaning = "kinds of vehicles: all by turns, or one",
     .count = stage_town_mixes,
     .option = stage_town_mix},
};

STAGE_TABLE(town, kerb_follower_settings_table)

static const stage_table stage_town_tables[] = {
    {"driver", stage_table_of_town_kerb_follower_settings_table}};
static const stage_figure stage_town_figures[] = {
    {"trips ended", "1"}, {"contacts of vehicles", "1"}, {"stuck", "1"}, {"mean speed", "m/s"}};

static void stage_town_defaults(kerb_stage* stage, int32_t table, void* settings) {
    (void)stage;
    (void)table;
    kerb_follower_settings own = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    own.speed = SOAK_SPEED;
    memcpy(settings, &own, sizeof own);
}

static kerb_result stage_town_make(kerb_stage* stage, kerb_error* error) {
    stage_town* t = kerb_scene_stage_allocate(stage, sizeof *t);
    if (t == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = t;
    t->models = kerb_scene_stage_fix(stage, STAGE_TOWN_MODELS * sizeof *t->models);
    if (t->models == NULL)
        return kerb_scene_stage_no_memory(error);
    int32_t mix = stage->choices[1];
    t->kinds = mix == 0 ? STAGE_TOWN_MODELS : 1;
    for (int32_t i = 0; i < t->kinds; i++)
        stage_town_model(&stage_town_kinds[mix == 0 ? i : mix - 1], &t->models[i]);
    kerb_result result = kerb_scene_town_make(&t->town, &stage->fixed, error);
    if (result != KERB_OK)
        return result;
    t->soak = kerb_scene_soak_default(t->town, t->models, t->kinds, stage->settings[0]);
    t->soak.vehicle_count = stage->choices[0];
    t->soak.seed = stage->seed;
    t->soak.route_waypoints = STAGE_TOWN_WAYPOINTS;
    stage->vehicle_count = t->soak.vehicle_count;
    return kerb_scene_soak_begin(&t->run, &t->soak, &t->result, &stage->arena, &stage->fixed,
                                 error);
}

static void stage_town_apply(kerb_stage* stage) {
    stage_town* t = stage->scene_data;
    memcpy(&t->soak.settings, stage->settings[0], sizeof t->soak.settings);
    for (int32_t i = 0; i < t->run.count; i++)
        t->run.vehicles[i].follower.settings = t->soak.settings;
}

// Whoever hands the wheel back is somewhere else than the driver meant to be.
static void stage_town_seat_players(kerb_stage* stage, stage_town* t) {
    for (int32_t i = 0; i < t->run.count; i++) {
        soak_vehicle* v = &t->run.vehicles[i];
        const kerb_vehicle* vehicle = &t->models[v->model].vehicle;
        bool had = v->player != NULL;
        v->player = kerb_scene_stage_player(stage, i, vehicle, &v->motion);
        if (had && v->player == NULL)
            (void)kerb_scene_soak_reroute(&t->run, i, NULL); // a route cannot fail: it did not
    }
}

static void stage_town_step(kerb_stage* stage) {
    stage_town* t = stage->scene_data;
    stage_town_seat_players(stage, t);
    (void)kerb_scene_soak_frame(&t->run, NULL);
    t->run.time += (double)KERB_STAGE_STEP;
}

static void stage_town_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_town* t = stage->scene_data;
    const soak_vehicle* v = &t->run.vehicles[vehicle];
    shown->vehicle = &t->models[v->model].vehicle;
    shown->motion = v->motion;
    shown->controls = v->controls;
    shown->sim = &v->sim;
    shown->look = stage_town_kinds[t->kinds > 1 ? v->model : stage->choices[1] - 1].look;
    shown->role = vehicle == 0 ? KERB_STAGE_HERO : KERB_STAGE_TRAFFIC;
    shown->colour = vehicle;
    shown->touching = v->touching;
    shown->target_speed = v->follower.decision.target_speed;
    shown->cross_track_error = v->judge.error;
    shown->progress = (float)v->judge.best;
    shown->learns = true;
}

static void stage_town_add_points(kerb_stage* stage, const kerb_scene_town* town, int32_t first,
                                  int32_t count, bool middle) {
    for (int32_t i = first; i + 1 < first + count; i++) {
        const kerb_waypoint *a = &town->points[i], *b = &town->points[i + 1];
        const kerb_waypoint* before = i > first ? a - 1 : a;
        const kerb_waypoint* after = i + 2 < first + count ? b + 1 : b;
        kerb_vec3 level = {1.0f, 0.0f, 0.0f};
        kerb_vec3 from = kerb_vec3_unit(kerb_vec3_sub(b->position, before->position), level);
        kerb_vec3 to = kerb_vec3_unit(kerb_vec3_sub(after->position, a->position), level);
        const float w = TOWN_LANE_HALF;
        kerb_vec3 corners[4] = {{a->position.x + from.y * w, a->position.y - from.x * w, 0.0f},
                                {b->position.x + to.y * w, b->position.y - to.x * w, 0.0f},
                                {b->position.x - to.y * w, b->position.y + to.x * w, 0.0f},
                                {a->position.x - from.y * w, a->position.y + from.x * w, 0.0f}};
        for (int32_t k = 0; k < 4; k++)
            corners[k].z = kerb_scene_town_height(corners[k].x, corners[k].y);
        kerb_scene_stage_add_quad(stage, corners, KERB_STAGE_SHAPE_ROAD);
        if (middle) // the right edge is the kerb, the left one the middle of the street
            kerb_scene_stage_add_line(stage, corners[0], corners[1], KERB_STAGE_SHAPE_EDGE);
        if (middle)
            kerb_scene_stage_add_line(stage, corners[3], corners[2], KERB_STAGE_SHAPE_MIDDLE);
    }
}

// Links begin and end at lanes: their own points are those between.
static void stage_town_add_link(kerb_stage* stage, const kerb_scene_town* town,
                                const town_link* link) {
    stage_town_add_points(stage, town, link->first, link->count, false);
    if (link->count < 1)
        return;
    const town_lane *from = &town->lanes[link->from], *to = &town->lanes[link->to];
    kerb_vec3 ends[2][2] = {
        {town->points[from->first + from->count - 1].position, town->points[link->first].position},
        {town->points[link->first + link->count - 1].position, town->points[to->first].position}};
    for (int32_t i = 0; i < 2; i++) {
        kerb_vec3 a = ends[i][0], b = ends[i][1];
        kerb_vec3 way = kerb_vec3_unit(kerb_vec3_sub(b, a), kerb_vec3_make(1.0f, 0.0f, 0.0f));
        const float w = TOWN_LANE_HALF;
        kerb_vec3 corners[4] = {{a.x + way.y * w, a.y - way.x * w, a.z},
                                {b.x + way.y * w, b.y - way.x * w, b.z},
                                {b.x - way.y * w, b.y + way.x * w, b.z},
                                {a.x - way.y * w, a.y + way.x * w, a.z}};
        kerb_scene_stage_add_quad(stage, corners, KERB_STAGE_SHAPE_ROAD);
    }
}

static void stage_town_shapes(kerb_stage* stage) {
    const kerb_scene_town* town = ((const stage_town*)stage->scene_data)->town;
    for (int32_t i = 0; i < town->lane_count; i++)
        stage_town_add_points(stage, town, town->lanes[i].first, town->lanes[i].count, true);
    for (int32_t i = 0; i < town->link_count; i++)
        stage_town_add_link(stage, town, &town->links[i]);
    kerb_scene_stage_add_world(stage, &town->world, false);
}

static void stage_town_restored(kerb_stage* stage) {
    kerb_scene_soak_lay_paths(&((stage_town*)stage->scene_data)->run);
}

static bool stage_town_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    (void)vehicle;
    return true;
}

static kerb_result stage_town_drag(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                                   kerb_error* error) {
    (void)kind;
    stage_town* t = stage->scene_data;
    pose = kerb_scene_stage_reference(&t->models[t->run.vehicles[index].model].vehicle, pose);
    kerb_vec3 at = kerb_vec3_make(pose.position.x, pose.position.y, 0.0f);
    at.z = kerb_sim_world_ground(&t->town->world, at, NULL).height;
    return kerb_scene_soak_put(&t->run, index, at, kerb_pose_heading(pose), error);
}

static void stage_town_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_town* t = stage->scene_data;
    const soak_vehicle* v = &t->run.vehicles[vehicle];
    const kerb_path* path = kerb_scene_soak_path(&t->run, vehicle);
    kerb_draw_path(buffer, path, v->judge.best - 20.0, v->judge.best + 150.0);
    kerb_draw_follower(buffer, &v->follower, path, &v->motion);
}

static float stage_town_figure(const kerb_stage* stage, int32_t figure) {
    const stage_town* t = stage->scene_data;
    int32_t trips = 0, stuck = 0;
    double distance = 0.0, time = 0.0;
    for (int32_t i = 0; i < t->kinds; i++) {
        trips += t->result.by_model[i].trips;
        stuck += t->result.by_model[i].stuck_events;
        distance += t->result.by_model[i].distance;
        time += t->result.by_model[i].driving_s;
    }
    switch (figure) {
    case 0:
        return (float)trips;
    case 1:
        return (float)t->result.all.vehicle_contacts;
    case 2:
        return (float)stuck;
    default:
        return time > 0.0 ? (float)(distance / time) : 0.0f;
    }
}

const stage_scene kerb_scene_stage_town = {
    .id = "town/traffic",
    .group = "Town",
    .title = "Fifty drivers in one town",
    .look = "Cars, buses, lorries, tanks and hovercraft share streets without signs or signals, "
            "yield to "
            "each other and rarely touch.",
    .try_this = "Click any vehicle and take its wheel: block a junction, and see how the others "
                "wait for you or pass.",
    .choices = stage_town_choices,
    .choice_count = 2,
    .tables = stage_town_tables,
    .table_count = 1,
    .figures = stage_town_figures,
    .figure_count = 4,
    .arena_bytes = 4u << 20,
    .estimates = 16,
    .make = stage_town_make,
    .defaults = stage_town_defaults,
    .apply = stage_town_apply,
    .step = stage_town_step,
    .show = stage_town_show,
    .shapes = stage_town_shapes,
    .restored = stage_town_restored,
    .can_take = stage_town_can_take,
    .drag = stage_town_drag,
    .draw = stage_town_draw,
    .figure = stage_town_figure,
};
