// Purpose: cars among cars: chase, convoy, formation, and arrivals at poses (scene/crowd/chase.h).
// Idea:    A round that is over begins again with another draw.
// Cost:    that of the scene.
#include "scene/stage/stage_rooms.h"

#include "scene/crowd/chase.h"

#include <string.h>

#define STAGE_CARS_AGAIN 4.0f   // after a round is done the next begins [s]
#define STAGE_CARS_LONGEST 90.0 // a round lasts no longer [s]

typedef struct stage_cars {
    kerb_scene_chase scene; // points into itself: it never moves
    const char* name;
    int32_t round;
    float done;
} stage_cars;

static int32_t stage_chases(void) {
    return 2;
}

static const char* stage_chase(int32_t index) {
    return index == 0 ? "police-chase" : "field-chase";
}

static const stage_choice stage_chase_choices[] = {
    {.name = "place",
     .meaning = "where: streets between houses, or a walled field",
     .count = stage_chases,
     .option = stage_chase}};

STAGE_TABLE(cars, kerb_cars_settings_table)
STAGE_TABLE(cars, kerb_parker_settings_table)

static const stage_table stage_cars_tables[] = {
    {"behaviour", stage_table_of_cars_kerb_cars_settings_table}};
static const stage_table stage_arrivals_tables[] = {
    {"parker", stage_table_of_cars_kerb_parker_settings_table}};
static const stage_figure stage_cars_figures[] = {{"rounds", "1"},
                                                  {"done after", "s"},
                                                  {"hard contacts", "1"},
                                                  {"hard contacts of friends", "1"}};

static bool stage_cars_begin(kerb_stage* stage, stage_cars* c) {
    bool made = kerb_scene_chase_make(c->name, stage->seed + 1000u * (uint32_t)c->round, &c->scene);
    c->done = 0.0f;
    if (stage->scene->apply != NULL)
        stage->scene->apply(stage);
    return made;
}

static kerb_result stage_cars_make(kerb_stage* stage, const char* name, kerb_error* error) {
    stage_cars* c = kerb_scene_stage_allocate(stage, sizeof *c);
    if (c == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = c;
    c->name = name;
    (void)stage_cars_begin(stage, c); // the name is one of its list
    stage->vehicle_count = c->scene.count;
    return KERB_OK;
}

static kerb_result stage_chase_make(kerb_stage* stage, kerb_error* error) {
    return stage_cars_make(stage, stage_chase(stage->choices[0]), error);
}

static kerb_result stage_convoy_make(kerb_stage* stage, kerb_error* error) {
    return stage_cars_make(stage, "convoy", error);
}

static kerb_result stage_formation_make(kerb_stage* stage, kerb_error* error) {
    return stage_cars_make(stage, "formation", error);
}

static kerb_result stage_arrivals_make(kerb_stage* stage, kerb_error* error) {
    return stage_cars_make(stage, "arrivals", error);
}

static void stage_cars_apply(kerb_stage* stage) {
    stage_cars* c = stage->scene_data;
    memcpy(&c->scene.settings, stage->settings[0], sizeof c->scene.settings);
}

static void stage_arrivals_apply(kerb_stage* stage) {
    stage_cars* c = stage->scene_data;
    for (int32_t i = 0; i < c->scene.count; i++)
        memcpy(&c->scene.cars[i].parker.settings, stage->settings[0],
               sizeof c->scene.cars[i].parker.settings);
}

static bool stage_cars_is_over(const stage_cars* c) {
    const kerb_scene_chase* s = &c->scene;
    bool at_end =
        s->road.count > 0 && kerb_path_distance(&s->road, s->where) > s->road.length - 10.0;
    return s->done || s->time > STAGE_CARS_LONGEST || at_end;
}

static void stage_cars_step(kerb_stage* stage) {
    stage_cars* c = stage->scene_data;
    for (int32_t i = 0; i < c->scene.count; i++) {
        kerb_scene_chase_car* car = &c->scene.cars[i];
        kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
        car->player = kerb_scene_stage_player(stage, i, &car->model.vehicle, &motion);
    }
    kerb_scene_chase_step(&c->scene, KERB_STAGE_STEP);
    c->done = stage_cars_is_over(c) ? c->done + KERB_STAGE_STEP : 0.0f;
    if (c->done < STAGE_CARS_AGAIN)
        return;
    c->round++;
    (void)stage_cars_begin(stage, c);
    kerb_scene_stage_reshape(stage);
}

static int32_t stage_cars_role(int32_t part, int32_t index) {
    switch (part) {
    case KERB_SCENE_CHASE_TARGET:
        return KERB_STAGE_TARGET;
    case KERB_SCENE_CHASE_POLICE:
        return KERB_STAGE_PURSUER;
    default:
        return index == 0 ? KERB_STAGE_HERO : KERB_STAGE_TRAFFIC;
    }
}

static void stage_cars_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_cars* c = stage->scene_data;
    const kerb_scene_chase_car* car = &c->scene.cars[vehicle];
    bool parks = car->part == (int32_t)KERB_SCENE_CHASE_ARRIVING;
    shown->vehicle = &car->model.vehicle;
    shown->motion = kerb_sim_vehicle_motion(&car->vehicle);
    shown->controls = car->controls;
    shown->sim = &car->vehicle;
    shown->look = kerb_scene_stage_look(car->model.name);
    shown->role = stage_cars_role(car->part, vehicle);
    shown->colour = parks ? vehicle : shown->role == KERB_STAGE_PURSUER ? 1 : vehicle == 0 ? 0 : 2;
    shown->target_speed = parks ? 0.0f : car->wish.speed;
    shown->cross_track_error = parks ? car->parker.cross_track_error : 0.0f;
    shown->progress = (float)car->driven;
    for (int32_t i = 0; i < c->scene.count; i++) {
        int32_t a = i < vehicle ? i : vehicle, b = i < vehicle ? vehicle : i;
        double touched = c->scene.contacts[a][b].touched;
        shown->touching =
            shown->touching || (i != vehicle && touched > 0.0 && c->scene.time - touched < 0.05);
    }
}

static void stage_cars_shapes(kerb_stage* stage) {
    const stage_cars* c = stage->scene_data;
    if (c->scene.road.count > 0)
        kerb_scene_stage_add_path(stage, &c->scene.road, true);
    kerb_scene_stage_add_world(stage, &c->scene.world, false);
    for (int32_t i = 0; i < c->scene.count; i++) {
        const kerb_scene_chase_car* car = &c->scene.cars[i];
        kerb_scene_stage_reach(stage, car->start.position.x, car->start.position.y, 15.0f);
        if (car->part != (int32_t)KERB_SCENE_CHASE_ARRIVING)
            continue;
        kerb_stage_mark mark = kerb_scene_stage_goal(&car->model.vehicle, car->goal, i);
        kerb_scene_stage_add_mark(stage, &mark);
    }
}

static bool stage_cars_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    (void)vehicle;
    return true;
}

static kerb_result stage_cars_drag(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                                   kerb_error* error) {
    (void)error;
    stage_cars* c = stage->scene_data;
    kerb_scene_chase_car* car = &c->scene.cars[index];
    if (kind == KERB_STAGE_ITEM_MARK) {
        car->goal = kerb_scene_stage_reference(&car->model.vehicle, pose);
        kerb_scene_stage_reshape(stage);
        c->scene.done = false;
        return KERB_OK;
    }
    kerb_pose at = kerb_scene_stage_reference(&car->model.vehicle, pose);
    car->vehicle = kerb_sim_vehicle_make(
        &car->model, kerb_vec3_make(at.position.x, at.position.y, 0.0f), kerb_pose_heading(at));
    c->scene.done = false;
    return KERB_OK;
}

static void stage_cars_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_cars* c = stage->scene_data;
    const kerb_scene_chase_car* car = &c->scene.cars[vehicle];
    kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
    if (car->part == (int32_t)KERB_SCENE_CHASE_ARRIVING) {
        kerb_scene_stage_draw_parker(buffer, &car->parker, &motion);
        return;
    }
    kerb_agent agent = kerb_agent_of(&car->model.vehicle, &motion);
    kerb_draw_steering(buffer, &agent, &car->wish, NULL);
    bool aims = car->part == (int32_t)KERB_SCENE_CHASE_POLICE ||
                car->part == (int32_t)KERB_SCENE_CHASE_FORMATION;
    if (aims)
        kerb_scene_stage_draw_line(buffer, agent.position, car->aim, KERB_DRAW_TARGET);
    if (c->scene.road.count > 0)
        kerb_draw_path(buffer, &c->scene.road, 0.0, c->scene.road.length);
}

static float stage_cars_figure(const kerb_stage* stage, int32_t figure) {
    const stage_cars* c = stage->scene_data;
    switch (figure) {
    case 0:
        return (float)c->round;
    case 1:
        return c->scene.done ? (float)c->scene.done_time : -1.0f;
    case 2:
        return (float)c->scene.hard_contacts;
    default:
        return (float)c->scene.hard_among_equals;
    }
}

static const char* stage_arrivals_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_cars* c = stage->scene_data;
    return kerb_parker_phase_text((kerb_parker_phase)c->scene.cars[vehicle].parker.phase);
}

static const char* stage_chase_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_cars* c = stage->scene_data;
    switch (c->scene.cars[vehicle].part) {
    case KERB_SCENE_CHASE_TARGET:
        return "flees to where there is most room";
    case KERB_SCENE_CHASE_POLICE:
        return "drives to its place round the target";
    case KERB_SCENE_CHASE_FIRST:
        return "leads along the road";
    case KERB_SCENE_CHASE_COLUMN:
        return "follows in the trail of the first";
    default:
        return "keeps its place in the formation";
    }
}

#define STAGE_CARS_COMMON                                                                          \
    .figures = stage_cars_figures, .figure_count = 4, .arena_bytes = 1u << 20,                     \
    .step = stage_cars_step, .show = stage_cars_show, .shapes = stage_cars_shapes,                 \
    .can_take = stage_cars_can_take, .drag = stage_cars_drag, .draw = stage_cars_draw,             \
    .figure = stage_cars_figure, .table_count = 1

const stage_scene kerb_scene_stage_chase = {
    .id = "cars/chase",
    .group = "Cars among cars",
    .title = "Police chase",
    .look = "Four cars share out the places round one that flees, cut off its ways, and box it in.",
    .try_this = "Take the wheel of the target and see how long you stay free.",
    .choices = stage_chase_choices,
    .choice_count = 1,
    .tables = stage_cars_tables,
    .make = stage_chase_make,
    .apply = stage_cars_apply,
    .reason = stage_chase_reason,
    STAGE_CARS_COMMON,
};

const stage_scene kerb_scene_stage_convoy = {
    .id = "cars/convoy",
    .group = "Cars among cars",
    .title = "A column through bends",
    .look = "Six pick-ups drive in the trail of the first, so nobody cuts a bend, and gaps stay "
            "even.",
    .try_this = "Take the wheel of the first, leave the road and brake: the column follows your "
                "trail.",
    .tables = stage_cars_tables,
    .make = stage_convoy_make,
    .apply = stage_cars_apply,
    .reason = stage_chase_reason,
    STAGE_CARS_COMMON,
};

const stage_scene kerb_scene_stage_formation = {
    .id = "cars/formation",
    .group = "Cars among cars",
    .title = "A formation through a bend",
    .look = "Two rows of three turn as one: the outer cars drive faster in the bend, the inner "
            "ones slower.",
    .try_this = "Drag one of them away and watch it come back to its place.",
    .tables = stage_cars_tables,
    .make = stage_formation_make,
    .apply = stage_cars_apply,
    .reason = stage_chase_reason,
    STAGE_CARS_COMMON,
};

const stage_scene kerb_scene_stage_arrivals = {
    .id = "seek/arrivals",
    .group = "Directed seek",
    .title = "Twelve arrive at their poses",
    .look = "Pick-ups plan Reeds-Shepp curves, tanks turn on the spot, and all let each other "
            "pass on the way to their bays.",
    .try_this = "Drag a bay or a vehicle while they drive: each plans again at once.",
    .tables = stage_arrivals_tables,
    .make = stage_arrivals_make,
    .apply = stage_arrivals_apply,
    .reason = stage_arrivals_reason,
    STAGE_CARS_COMMON,
};
