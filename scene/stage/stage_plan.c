// Purpose: a plan is searched before one's eyes, some expansions in each frame, then driven.
// Idea:    Planner, plan and vehicle lie in the arena. A new goal, a vehicle that was put elsewhere
//          and one that a player hands back begin a new search from where the vehicle then stands.
// Cost:    while it searches, so many steps as were chosen; then a drive call and four physics
//          steps.
#include "scene/stage/stage_rooms.h"

#include "scene/plan/plan_drive.h"
#include "scene/plan/planning.h"

#include <string.h>

#define STAGE_PLAN_PIECES 4096
#define STAGE_PLAN_NODES 10000
#define STAGE_PLAN_IMPROVEMENT 300
#define STAGE_PLAN_SHARE 0.5f    // of what the vehicle can do, for planning
#define STAGE_PLAN_MARGIN 0.15f  // round the footprint [m]
#define STAGE_PLAN_STANDS 1.5f   // at a goal [s]
#define STAGE_PLAN_AT_REST 0.05f // slower, it stands [m/s]
#define STAGE_PLAN_TRIES 500
#define STAGE_PLAN_SUBSTEPS 4

enum { STAGE_PLAN_STOPS, STAGE_PLAN_SEARCHES, STAGE_PLAN_DRIVES, STAGE_PLAN_WAITS };

typedef struct stage_plan {
    kerb_scene_plan_blocks* map; // fixed; of a car park only cells and world are used
    int32_t side;                // cells along a side that are used
    kerb_plan_limits limits;
    kerb_sim_model model;
    kerb_planner planner;
    kerb_plan_end to;
    kerb_plan plan; // what is driven, into `pieces`
    kerb_plan_piece pieces[STAGE_PLAN_PIECES];
    kerb_plan_driver driver;
    kerb_sim_vehicle vehicle;
    kerb_motion motion;
    kerb_controls controls;
    kerb_random random;
    int32_t phase, outcome;
    float waited;
    bool player_drove;
    int32_t arrivals, searches, expansions;
    float end_error;
} stage_plan;

// --------------------------------------------------------------------------- maps

static int32_t stage_plan_maps(void) {
    return 2;
}

static const char* stage_plan_map(int32_t index) {
    return index == 0 ? "car-park" : "blocks";
}

static const stage_choice stage_plan_choices[] = {
    {.name = "map",
     .meaning = "where: a car park with few free bays, or a field of blocks",
     .count = stage_plan_maps,
     .option = stage_plan_map},
    {.name = "steps",
     .meaning = "steps of the planner in each frame",
     .min = 1,
     .max = 1000,
     .fallback = 5},
};
STAGE_TABLE(plan, kerb_plan_driver_settings_table)

static const stage_table stage_plan_tables[] = {
    {"driver", stage_table_of_plan_kerb_plan_driver_settings_table}};
static const stage_figure stage_plan_figures[] = {
    {"expansions", "1"},     {"nodes of the tree", "1"}, {"time of the plan", "s"},
    {"cusps", "1"},          {"goals reached", "1"},     {"last goal: off the place", "m"},
    {"behind the plan", "s"}};

#define STAGE_PARK_SIDE 140 // cells of half a metre: 70 m
#define STAGE_BAY_WIDTH 5   // cells
#define STAGE_BAY_DEPTH 10
#define STAGE_AISLE 12
#define STAGE_PARKED 0.75f // of the bays [1]

static void stage_plan_block(kerb_scene_plan_blocks* map, int32_t x, int32_t y, int32_t columns,
                             int32_t rows) {
    for (int32_t j = y; j < y + rows; j++)
        for (int32_t i = x; i < x + columns; i++)
            map->cells[j * KERB_SCENE_PLAN_BLOCKS_SIDE + i] = 255;
}

// Double rows of bays with aisles between; most bays are taken.
static void stage_plan_car_park(kerb_scene_plan_blocks* map, uint32_t seed) {
    kerb_random random = kerb_random_make(seed, 23);
    memset(map, 0, sizeof *map);
    int32_t first = STAGE_AISLE;
    for (int32_t y = first; y + 2 * STAGE_BAY_DEPTH + STAGE_AISLE <= STAGE_PARK_SIDE;
         y += 2 * STAGE_BAY_DEPTH + STAGE_AISLE) {
        for (int32_t x = first; x + STAGE_BAY_WIDTH + STAGE_AISLE <= STAGE_PARK_SIDE;
             x += STAGE_BAY_WIDTH + 1) {
            for (int32_t row = 0; row < 2; row++) {
                if (kerb_random_unit(&random) < STAGE_PARKED)
                    stage_plan_block(map, x + 1, y + row * STAGE_BAY_DEPTH + 1, STAGE_BAY_WIDTH - 1,
                                     STAGE_BAY_DEPTH - 2);
            }
        }
    }
    const float cell = KERB_SCENE_PLAN_BLOCKS_CELL;
    map->world = (kerb_plan_world){
        .cells = map->cells,
        .columns = KERB_SCENE_PLAN_BLOCKS_SIDE,
        .rows = STAGE_PARK_SIDE,
        .cell_size = cell,
        .box_max = {(float)STAGE_PARK_SIDE * cell, (float)STAGE_PARK_SIDE * cell}};
}

// --------------------------------------------------------------------------- goals

static kerb_pose stage_plan_rear(const stage_plan* p) {
    kerb_vec3 facing = kerb_quat_forward(p->motion.rotation);
    float back = p->model.vehicle.reference_to_rear_axle;
    kerb_pose pose = kerb_pose_make(p->motion.position.x - back * facing.x,
                                    p->motion.position.y - back * facing.y,
                                    kerb_quat_heading(p->motion.rotation));
    return pose;
}

// The pose of the rear axle of a vehicle whose middle is there, and the other way round.
static kerb_pose stage_plan_rear_of(const stage_plan* p, kerb_pose middle) {
    kerb_pose at = kerb_scene_stage_reference(&p->model.vehicle, middle);
    float back = p->model.vehicle.reference_to_rear_axle;
    at.position = kerb_vec2_sub(at.position, kerb_vec2_scale(at.forward, back));
    return at;
}

static kerb_pose stage_plan_reference_of(const stage_plan* p, kerb_pose rear) {
    float ahead = p->model.vehicle.reference_to_rear_axle;
    rear.position = kerb_vec2_add(rear.position, kerb_vec2_scale(rear.forward, ahead));
    return rear;
}

static bool stage_plan_is_free(const stage_plan* p, kerb_pose rear) {
    kerb_plan_limits wide = p->limits;
    wide.front += wide.margin;
    wide.rear += wide.margin;
    wide.width += 2.0f * wide.margin;
    return !kerb_scene_plan_touches(&wide, &p->map->world, rear);
}

// In the car park, into or out of a bay; in the field, any.
static void stage_plan_draw_goal(kerb_stage* stage, stage_plan* p) {
    float size = (float)p->side * KERB_SCENE_PLAN_BLOCKS_CELL;
    bool park = stage->choices[0] == 0;
    kerb_pose here = stage_plan_rear(p);
    for (int32_t i = 0; i < STAGE_PLAN_TRIES; i++) {
        float x = kerb_random_between(&p->random, 3.0f, size - 3.0f);
        float y = kerb_random_between(&p->random, 3.0f, size - 3.0f);
        float heading = kerb_random_between(&p->random, -KERB_PI, KERB_PI);
        if (park) // in the middle of a bay, and along it
            heading = (float)(kerb_random_below(&p->random, 2) * 2 - 1) * 0.5f * KERB_PI;
        kerb_pose at = kerb_pose_make(x, y, heading);
        kerb_vec2 way = kerb_vec2_sub(at.position, here.position);
        if (kerb_vec2_length(way) < 0.3f * size || !stage_plan_is_free(p, at))
            continue;
        p->to = (kerb_plan_end){.pose = at};
        break;
    }
    kerb_scene_stage_reshape(stage);
}

// --------------------------------------------------------------------------- making

static void stage_plan_put(stage_plan* p, kerb_pose rear) {
    kerb_pose at = stage_plan_reference_of(p, rear);
    p->vehicle = kerb_sim_vehicle_make(
        &p->model, kerb_vec3_make(at.position.x, at.position.y, 0.0f), kerb_pose_heading(at));
    p->motion = kerb_sim_vehicle_motion(&p->vehicle);
    p->phase = STAGE_PLAN_STOPS;
}

static kerb_result stage_plan_make_planner(kerb_stage* stage, stage_plan* p, kerb_error* error) {
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.nodes = STAGE_PLAN_NODES;
    settings.improvement = STAGE_PLAN_IMPROVEMENT;
    kerb_result result =
        kerb_planner_create(&p->planner, &p->limits, &settings, &stage->arena, error);
    if (result == KERB_OK)
        result = kerb_planner_set_world(&p->planner, &p->map->world, error);
    return result;
}

static kerb_result stage_plan_make(kerb_stage* stage, kerb_error* error) {
    stage_plan* p = kerb_scene_stage_allocate(stage, sizeof *p);
    if (p == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = p;
    p->map = kerb_scene_stage_fix(stage, sizeof *p->map);
    if (p->map == NULL)
        return kerb_scene_stage_no_memory(error);
    bool park = stage->choices[0] == 0;
    if (park)
        stage_plan_car_park(p->map, stage->seed);
    else
        kerb_scene_plan_blocks_make(stage->seed, 0, p->map);
    p->side = park ? STAGE_PARK_SIDE : KERB_SCENE_PLAN_BLOCKS_SIDE;
    kerb_plan_limits limits = park ? kerb_scene_plan_parking_car() : p->map->task.limits;
    limits.reverse_speed_max = kerb_max(limits.reverse_speed_max, 2.5f);
    p->model = kerb_scene_plan_car_for(&limits);
    p->limits = kerb_scene_plan_limits_within(&limits, &p->model.vehicle, STAGE_PLAN_SHARE);
    p->limits.margin = STAGE_PLAN_MARGIN;
    p->driver = kerb_plan_driver_make(&p->model.vehicle);
    p->controls = kerb_controls_safe(KERB_REASON_NONE);
    p->random = kerb_random_make(stage->seed, 29);
    p->motion = kerb_motion_default();
    stage_plan_put(p, park ? kerb_pose_make(4.0f, 3.0f, 0.0f) : p->map->task.from.pose);
    p->to = (kerb_plan_end){.pose = p->map->task.to.pose};
    if (park)
        stage_plan_draw_goal(stage, p);
    stage->vehicle_count = 1;
    return stage_plan_make_planner(stage, p, error);
}

static void stage_plan_apply(kerb_stage* stage) {
    stage_plan* p = stage->scene_data;
    memcpy(&p->driver.settings, stage->settings[0], sizeof p->driver.settings);
}

// --------------------------------------------------------------------------- stepping

static void stage_plan_begin_search(stage_plan* p) {
    kerb_plan_end from = {.pose = stage_plan_rear(p)};
    const kerb_plan_query query = {&from, &p->to, 1, 1};
    p->searches++;
    p->waited = 0.0f;
    bool begun = kerb_planner_begin(&p->planner, &query, NULL) == KERB_OK;
    p->phase = begun ? STAGE_PLAN_SEARCHES : STAGE_PLAN_WAITS;
}

// The plan is copied, because the planner may search for the next while this one is driven.
static void stage_plan_take(stage_plan* p) {
    p->plan = kerb_planner_get_plan(&p->planner);
    p->plan.count = p->plan.count < STAGE_PLAN_PIECES ? p->plan.count : STAGE_PLAN_PIECES;
    memcpy(p->pieces, p->plan.pieces, (size_t)p->plan.count * sizeof *p->pieces);
    p->plan.pieces = p->pieces;
    p->phase = STAGE_PLAN_DRIVES;
}

static void stage_plan_search(kerb_stage* stage, stage_plan* p) {
    p->outcome = (int32_t)kerb_planner_advance(&p->planner, stage->choices[1]);
    p->expansions = kerb_planner_get_plan(&p->planner).expansions;
    if (p->outcome == KERB_PLAN_FOUND)
        stage_plan_take(p);
    else if (p->outcome != KERB_PLAN_RUNNING)
        p->phase = STAGE_PLAN_WAITS; // another goal, after a while
}

static void stage_plan_note_arrival(stage_plan* p) {
    kerb_vec2 off = kerb_vec2_sub(stage_plan_rear(p).position, p->to.pose.position);
    p->end_error = kerb_vec2_length(off);
    p->arrivals++;
    p->phase = STAGE_PLAN_WAITS;
    p->waited = 0.0f;
}

static void stage_plan_wait(kerb_stage* stage, stage_plan* p) {
    p->waited += KERB_STAGE_STEP;
    if (p->waited < STAGE_PLAN_STANDS)
        return;
    stage_plan_draw_goal(stage, p);
    p->phase = STAGE_PLAN_STOPS;
}

static void stage_plan_drive(stage_plan* p, const kerb_controls* player) {
    const kerb_plan none = {0};
    bool drives = p->phase == STAGE_PLAN_DRIVES;
    kerb_surroundings around = kerb_surroundings_default();
    around.player_drives = player != NULL;
    around.applied = player != NULL || p->player_drove ? &p->controls : NULL;
    kerb_controls own = kerb_plan_driver_drive(&p->driver, drives ? &p->plan : &none, &p->motion,
                                               &around, KERB_STAGE_STEP);
    p->controls = player != NULL ? *player : own;
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int32_t i = 0; i < STAGE_PLAN_SUBSTEPS; i++)
        kerb_sim_vehicle_step(&p->vehicle, &p->controls, &ground,
                              KERB_STAGE_STEP / (float)STAGE_PLAN_SUBSTEPS);
    p->motion = kerb_sim_vehicle_motion(&p->vehicle);
    if (drives && player == NULL && own.reason == KERB_REASON_ARRIVED)
        stage_plan_note_arrival(p);
    else if ((drives && p->driver.decision.lost) || player != NULL)
        p->phase = STAGE_PLAN_STOPS;
}

static void stage_plan_step(kerb_stage* stage) {
    stage_plan* p = stage->scene_data;
    const kerb_controls* player = kerb_scene_stage_player(stage, 0, &p->model.vehicle, &p->motion);
    stage_plan_drive(p, player);
    p->player_drove = player != NULL;
    bool rests = kerb_vec3_length(p->motion.velocity) < STAGE_PLAN_AT_REST;
    if (player != NULL)
        return;
    switch (p->phase) {
    case STAGE_PLAN_STOPS:
        if (rests)
            stage_plan_begin_search(p);
        break;
    case STAGE_PLAN_SEARCHES:
        stage_plan_search(stage, p);
        break;
    case STAGE_PLAN_WAITS:
        stage_plan_wait(stage, p);
        break;
    default:
        break;
    }
}

// --------------------------------------------------------------------------- showing it

static void stage_plan_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_plan* p = stage->scene_data;
    (void)vehicle;
    shown->vehicle = &p->model.vehicle;
    shown->motion = p->motion;
    shown->controls = p->controls;
    shown->sim = &p->vehicle;
    shown->look = KERB_STAGE_CAR;
    shown->role = KERB_STAGE_HERO;
    shown->target_speed = p->phase == STAGE_PLAN_DRIVES ? p->driver.decision.target_speed : 0.0f;
    shown->cross_track_error =
        p->phase == STAGE_PLAN_DRIVES ? p->driver.decision.cross_track_error : 0.0f;
    shown->progress = (float)p->arrivals;
}

static void stage_plan_shapes(kerb_stage* stage) {
    const stage_plan* p = stage->scene_data;
    stage->shapes.cells = p->map->cells;
    stage->shapes.cell_grid = (kerb_stage_grid){0.0f, 0.0f, KERB_SCENE_PLAN_BLOCKS_CELL,
                                                KERB_SCENE_PLAN_BLOCKS_SIDE, p->side};
    float size = (float)p->side * KERB_SCENE_PLAN_BLOCKS_CELL;
    const kerb_vec3 corners[4] = {
        {0.0f, 0.0f, 0.0f}, {size, 0.0f, 0.0f}, {size, size, 0.0f}, {0.0f, size, 0.0f}};
    for (int32_t i = 0; i < 4; i++)
        kerb_scene_stage_add_line(stage, corners[i], corners[(i + 1) % 4], KERB_STAGE_SHAPE_EDGE);
    kerb_pose goal = stage_plan_reference_of(p, p->to.pose);
    kerb_stage_mark mark = kerb_scene_stage_goal(&p->model.vehicle, goal, 0);
    kerb_scene_stage_add_mark(stage, &mark);
}

static bool stage_plan_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    (void)vehicle;
    return true;
}

static kerb_result stage_plan_drag(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                                   kerb_error* error) {
    (void)index;
    stage_plan* p = stage->scene_data;
    kerb_pose rear = stage_plan_rear_of(p, pose);
    if (!stage_plan_is_free(p, rear))
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "x", 0, -1, "an obstacle is there");
    if (kind == KERB_STAGE_ITEM_VEHICLE) {
        stage_plan_put(p, rear);
        return KERB_OK;
    }
    p->to = (kerb_plan_end){.pose = rear};
    p->phase = STAGE_PLAN_STOPS;
    kerb_scene_stage_reshape(stage);
    return KERB_OK;
}

static void stage_plan_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_plan* p = stage->scene_data;
    (void)vehicle;
    if (p->phase == STAGE_PLAN_DRIVES || p->phase == STAGE_PLAN_WAITS) {
        kerb_draw_plan(buffer, &p->plan, 0.05f);
        kerb_draw_plan_driver(buffer, &p->driver, &p->motion);
    } else if (p->phase == STAGE_PLAN_SEARCHES) {
        kerb_plan best = kerb_planner_get_plan(&p->planner);
        kerb_draw_plan(buffer, &best, 0.1f);
    }
    if (p->searches > 0)
        kerb_draw_plan_tree(buffer, &p->planner, 0.02f);
}

static int32_t stage_plan_cusps(const kerb_plan* plan) {
    int32_t cusps = 0;
    for (int32_t i = 1; i < plan->count; i++)
        cusps += plan->pieces[i].direction != plan->pieces[i - 1].direction ? 1 : 0;
    return cusps;
}

static float stage_plan_figure(const kerb_stage* stage, int32_t figure) {
    const stage_plan* p = stage->scene_data;
    switch (figure) {
    case 0:
        return (float)p->expansions;
    case 1:
        return p->searches > 0 ? (float)kerb_planner_get_tree(&p->planner).count : 0.0f;
    case 2:
        return p->plan.time;
    case 3:
        return (float)stage_plan_cusps(&p->plan);
    case 4:
        return (float)p->arrivals;
    case 5:
        return p->arrivals > 0 ? p->end_error : -1.0f;
    default:
        return p->phase == STAGE_PLAN_DRIVES ? p->driver.decision.time_error : 0.0f;
    }
}

static const char* stage_plan_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_plan* p = stage->scene_data;
    switch (p->phase) {
    case STAGE_PLAN_STOPS:
        return "comes to rest, to plan from there";
    case STAGE_PLAN_SEARCHES:
        return "searches for a plan";
    case STAGE_PLAN_WAITS:
        return p->outcome == KERB_PLAN_FOUND
                   ? "has arrived"
                   : kerb_plan_outcome_text((kerb_plan_outcome)p->outcome);
    default:
        return kerb_reason_text((kerb_reason)stage->vehicles[vehicle].reason);
    }
}

const stage_scene kerb_scene_stage_plan = {
    .id = "plan/map",
    .group = "Planner",
    .title = "A plan grows, then it is driven",
    .look = "The plan goes round the obstacles. Where a line does not fit, the tree of a search "
            "grows, a "
            "few nodes in each frame. The car keeps to the plan within centimetres.",
    .try_this = "Drag the goal into a narrow bay, or the car while it drives.",
    .choices = stage_plan_choices,
    .choice_count = 2,
    .tables = stage_plan_tables,
    .table_count = 1,
    .figures = stage_plan_figures,
    .figure_count = 7,
    .arena_bytes = 12u << 20,
    .make = stage_plan_make,
    .apply = stage_plan_apply,
    .step = stage_plan_step,
    .show = stage_plan_show,
    .shapes = stage_plan_shapes,
    .can_take = stage_plan_can_take,
    .drag = stage_plan_drag,
    .draw = stage_plan_draw,
    .figure = stage_plan_figure,
    .reason = stage_plan_reason,
};
