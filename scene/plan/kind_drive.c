// Purpose: kinds of vehicles by name, driven along their plans.
// Idea:    A row of functions for each model; the drive knows none of them.
// Cost:    O(steps of a drive).
#include "scene/plan/kind_model.h"

#include <string.h>

// Steps of the simulation within a frame of the driver.
#define KIND_PARTS 8
// Frames of the driver. Ships are slow. [s]
#define KIND_FRAME 0.02f
#define KIND_SHIP_FRAME 0.1f
// What arrives is watched until it stands. [s]
#define KIND_SETTLES 1.0f

static const kerb_sim_ground kind_flat = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

// --------------------------------------------------------------------------- ship

static void make_ship(kerb_scene_kind* k) {
    k->ship_model = kerb_sim_mariner_model();
    k->ship = kerb_sim_ship_limits(&k->ship_model);
    k->kind = kerb_kind_of_ship(&k->ship);
    k->radius = 10.0f * k->ship.turning_radius;
    k->accepted = 0.1f * k->ship.length;
}

static kind_body begin_ship(const kerb_scene_kind* k, const float* state) {
    float sine, cosine, pivot = k->ship.reference_to_pivot;
    kerb_sin_cos(state[2], &sine, &cosine);
    kind_body body = {.ship = kerb_sim_ship_make(&k->ship_model, state[0] - pivot * cosine,
                                                 state[1] - pivot * sine, state[2], state[3])};
    return body;
}

static kerb_motion ship_motion(const kind_body* body) {
    return kerb_sim_ship_motion(&body->ship);
}

static void step_ship(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_ship_step(&body->ship, controls, time);
}

// --------------------------------------------------------------------------- pedestrian

static void make_walker(kerb_scene_kind* k) {
    k->pedestrian = kerb_pedestrian_default();
    k->kind = kerb_kind_of_pedestrian(&k->pedestrian);
    k->radius = 10.0f;
}

static kind_body begin_walker(const kerb_scene_kind* k, const float* state) {
    float sine, cosine;
    kerb_sin_cos(state[2], &sine, &cosine);
    kind_body body = {.walker = kerb_sim_walker_make(&k->pedestrian, state[0], state[1], state[2])};
    body.walker.velocity =
        kerb_vec2_make(state[3] * cosine - state[4] * sine, state[3] * sine + state[4] * cosine);
    return body;
}

static kerb_motion walker_motion(const kind_body* body) {
    return kerb_sim_walker_motion(&body->walker);
}

static void step_walker(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_walker_step(&body->walker, controls, time);
}

// --------------------------------------------------------------------------- hovercraft

static void make_hover(kerb_scene_kind* k) {
    k->hover_model = kerb_sim_hovercraft_model();
    k->hovercraft = kerb_sim_hover_vehicle(&k->hover_model);
    k->kind = kerb_kind_of_hovercraft(&k->hovercraft);
    k->radius = 80.0f;
    k->accepted = 0.1f * k->hovercraft.length;
}

static kind_body begin_hover(const kerb_scene_kind* k, const float* state) {
    kind_body body = {.hover = kerb_sim_hover_make(
                          &k->hover_model, kerb_vec3_make(state[0], state[1], 0.0f), state[2])};
    body.hover.forward = state[3];
    body.hover.side = state[4];
    return body;
}

static kerb_motion hover_motion(const kind_body* body) {
    return kerb_sim_hover_motion(&body->hover);
}

static void step_hover(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_hover_step(&body->hover, controls, &kind_flat, time);
}

// --------------------------------------------------------------------------- trailer

static void make_towing(kerb_scene_kind* k) {
    k->towing = kerb_towing_default();
    k->kind = kerb_kind_of_towing(&k->towing);
    k->radius = 20.0f;
}

static kind_body begin_towing(const kerb_scene_kind* k, const float* state) {
    kind_body body = {.towing =
                          kerb_sim_towing_make(&k->towing, state[0], state[1], state[2], state[3])};
    body.towing.speed = state[4];
    return body;
}

static kerb_motion towing_motion(const kind_body* body) {
    return kerb_sim_towing_motion(&body->towing);
}

static void step_towing(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_towing_step(&body->towing, controls, time);
}

// --------------------------------------------------------------------------- motorcycle

static void make_motorcycle(kerb_scene_kind* k) {
    k->motorcycle = kerb_motorcycle_default();
    k->kind = kerb_kind_of_motorcycle(&k->motorcycle);
    k->radius = 60.0f;
}

static kind_body begin_motorcycle(const kerb_scene_kind* k, const float* state) {
    kind_body body = {.motorcycle =
                          kerb_sim_motorcycle_make(&k->motorcycle, state[0], state[1], state[2])};
    body.motorcycle.speed = state[3];
    body.motorcycle.lean = state[4];
    body.motorcycle.lean_rate = state[5];
    return body;
}

static kerb_motion motorcycle_motion(const kind_body* body) {
    return kerb_sim_motorcycle_motion(&body->motorcycle);
}

static void step_motorcycle(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_motorcycle_step(&body->motorcycle, controls, time);
}

// --------------------------------------------------------------------------- tank

static void make_tank(kerb_scene_kind* k) {
    k->tank_model = kerb_sim_tank_model();
    k->tank = kerb_sim_tracked_vehicle(&k->tank_model);
    k->kind = kerb_kind_of_tank(&k->tank);
    k->radius = 50.0f;
    k->accepted = 0.1f * k->tank.length;
}

static kind_body begin_tank(const kerb_scene_kind* k, const float* state) {
    kind_body body = {.tank = kerb_sim_tracked_make(
                          &k->tank_model, kerb_vec3_make(state[0], state[1], 0.0f), state[2])};
    body.tank.forward = body.tank.track_left = body.tank.track_right = state[3];
    body.tank.yaw_rate = state[4];
    return body;
}

static kerb_motion tank_motion(const kind_body* body) {
    return kerb_sim_tracked_motion(&body->tank);
}

static void step_tank(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_tracked_step(&body->tank, controls, &kind_flat, time);
}

// --------------------------------------------------------------------------- all

static const kind_model plane_models[KERB_SCENE_SPACECRAFT] = {
    [KERB_SCENE_SHIP] = {"ship", make_ship, begin_ship, ship_motion, step_ship},
    [KERB_SCENE_PEDESTRIAN] = {"pedestrian", make_walker, begin_walker, walker_motion, step_walker},
    [KERB_SCENE_HOVERCRAFT] = {"hovercraft", make_hover, begin_hover, hover_motion, step_hover},
    [KERB_SCENE_TRAILER] = {"trailer", make_towing, begin_towing, towing_motion, step_towing},
    [KERB_SCENE_MOTORCYCLE] = {"motorcycle", make_motorcycle, begin_motorcycle, motorcycle_motion,
                               step_motorcycle},
    [KERB_SCENE_TANK] = {"tank", make_tank, begin_tank, tank_motion, step_tank},
};

static const kind_model* kind_model_of(int32_t name) {
    return name < KERB_SCENE_SPACECRAFT ? &plane_models[name]
                                        : &kerb_scene_space_models[name - KERB_SCENE_SPACECRAFT];
}

const char* kerb_scene_kind_text(kerb_scene_kind_name name) {
    return (int32_t)name >= 0 && name < KERB_SCENE_KIND_COUNT ? kind_model_of((int32_t)name)->name
                                                              : "unknown";
}

static const char* const kind_abouts[KERB_SCENE_KIND_COUNT] = {
    [KERB_SCENE_SHIP] = "a freighter of the Mariner class, 161 m, 15 knots; answers after lengths",
    [KERB_SCENE_PEDESTRIAN] = "a walker, 1.8 m/s, steps sideways and backwards, turns on the spot",
    [KERB_SCENE_HOVERCRAFT] = "six seats on air, 14 m/s, slides",
    [KERB_SCENE_TRAILER] = "an average car with a trailer of 4 m, 2 m/s, reverses",
    [KERB_SCENE_MOTORCYCLE] = "a road motorcycle, leans first, falls when nobody steers",
    [KERB_SCENE_TANK] = "40 t on tracks, 12 m/s, its turns take time to begin",
    [KERB_SCENE_SPACECRAFT] = "in space: a shuttle of 12 m, one engine, flips in 4.5 s",
    [KERB_SCENE_HELICOPTER] = "in space: unmanned, of the Yamaha R-50's class, 12 m/s",
    [KERB_SCENE_DRONE] = "in space: a quadrotor of 0.5 m, 15 m/s",
    [KERB_SCENE_ROCKET] = "in space: lands on its engine, 20 m, 120 m/s",
    [KERB_SCENE_AIRPLANE] = "in space: a light aerobatic trainer, at cruise speed",
    [KERB_SCENE_SUBMARINE] = "in space: an underwater vehicle of the REMUS class, 1.5 m/s",
};

const char* kerb_scene_kind_about(kerb_scene_kind_name name) {
    return (int32_t)name >= 0 && name < KERB_SCENE_KIND_COUNT ? kind_abouts[name] : "unknown";
}

bool kerb_scene_kind_make(const char* name, kerb_scene_kind* kind) {
    for (int32_t i = 0; i < KERB_SCENE_KIND_COUNT; i++) {
        const kind_model* model = kind_model_of(i);
        if (strcmp(name, model->name) != 0)
            continue;
        memset(kind, 0, sizeof *kind);
        kind->name = (kerb_scene_kind_name)i;
        kind->accepted = 0.3f;
        model->make(kind);
        kind->kind.name = model->name;
        return true;
    }
    return false;
}

// --------------------------------------------------------------------------- random ends

// Random numbers of a state in space beside its position.
static void kind_random_attitude(const kerb_scene_kind* k, kerb_random* random, float* state) {
    float angle = kerb_random_between(random, -KERB_PI, KERB_PI), sine, cosine;
    float rise = kerb_random_between(random, -1.0f, 1.0f);
    if (k->name == KERB_SCENE_SPACECRAFT) {
        float level = kerb_sqrt(1.0f - rise * rise);
        kerb_sin_cos(angle, &sine, &cosine);
        state[6] = level * cosine;
        state[7] = level * sine;
        state[8] = rise;
    } else if (k->kind.space->heading >= 0) {
        state[k->kind.space->heading] = angle;
    }
    if (k->name == KERB_SCENE_AIRPLANE)
        state[4] = k->airplane.cruise_speed;
}

void kerb_scene_kind_ends(const kerb_scene_kind* k, kerb_random* random, float* from, float* to) {
    float bearing = kerb_random_between(random, -KERB_PI, KERB_PI);
    float distance = kerb_random_between(random, 0.0f, k->radius);
    memset(from, 0, sizeof(float) * KERB_KIND_STATES_MAX);
    memset(to, 0, sizeof(float) * KERB_KIND_STATES_MAX);
    to[0] = distance * kerb_cos(bearing);
    to[1] = distance * kerb_sin(bearing);
    if (!k->kind.space) {
        to[2] = kerb_random_between(random, -KERB_PI, KERB_PI);
        return;
    }
    to[2] = kerb_random_between(random, -k->height, k->height);
    kind_random_attitude(k, random, from);
    kind_random_attitude(k, random, to);
}

// --------------------------------------------------------------------------- driving

// What is left of an offset when the motion of up to a frame is taken from it.
static kerb_vec3 kind_beside(kerb_vec3 velocity, kerb_vec3 off, float frame) {
    float square = kerb_max(kerb_vec3_dot(velocity, velocity), 1e-6f);
    float time = kerb_clamp(kerb_vec3_dot(off, velocity) / square, -frame, frame);
    return kerb_vec3_along(off, velocity, -time);
}

// Numbers of the state that kerb_motion does not tell.
static float kind_told(const kerb_scene_kind* k, const kind_body* body) {
    if (k->name == KERB_SCENE_TRAILER)
        return body->towing.hitch;
    bool hovers = k->name == KERB_SCENE_HELICOPTER || k->name == KERB_SCENE_DRONE ||
                  k->name == KERB_SCENE_ROCKET;
    return hovers ? body->hoverer.acceleration : 0.0f;
}

// Errors at the goal.
static void kind_judge(const kerb_scene_kind* k, const float* state, const float* goal,
                       kerb_vec3 velocity, float frame, kerb_scene_kind_driven* driven) {
    bool in_space = k->kind.space != NULL;
    kerb_vec3 off = {state[0] - goal[0], state[1] - goal[1], in_space ? state[2] - goal[2] : 0.0f};
    if (k->name == KERB_SCENE_AIRPLANE) // which passes its goal between two frames
        off = kind_beside(velocity, off, frame);
    driven->error = kerb_vec3_length(off);
    int32_t heading = in_space ? k->kind.space->heading : 2;
    if (heading >= 0)
        driven->heading_error = kerb_abs(kerb_wrap_angle(state[heading] - goal[heading]));
    if (k->name == KERB_SCENE_SPACECRAFT)
        driven->heading_error = kerb_acos(
            kerb_clamp(state[6] * goal[6] + state[7] * goal[7] + state[8] * goal[8], -1.0f, 1.0f));
}

kerb_scene_kind_ride kerb_scene_kind_ride_make(const kerb_scene_kind* k, const float* state) {
    const kind_model* model = kind_model_of((int32_t)k->name);
    kerb_scene_kind_ride ride = {.kind = k, .body = model->begin(k, state)};
    ride.driver = kerb_kind_driver_make(&k->kind);
    ride.motion = model->motion(&ride.body);
    ride.controls = kerb_controls_safe(KERB_REASON_NONE);
    return ride;
}

void kerb_scene_kind_ride_state(const kerb_scene_kind_ride* ride, float* state) {
    const kerb_kind* kind = &ride->kind->kind;
    const float told = kind_told(ride->kind, &ride->body);
    kind->state_of(kind->vehicle, &ride->motion, &told, state);
}

float kerb_scene_kind_ride_told(const kerb_scene_kind_ride* ride) {
    return kind_told(ride->kind, &ride->body);
}

void kerb_scene_kind_ride_decide(kerb_scene_kind_ride* ride, const kerb_kind_plan* plan,
                                 float frame) {
    const float told = kind_told(ride->kind, &ride->body);
    ride->controls = kerb_kind_driver_drive(&ride->driver, plan, &ride->motion, &told, frame);
}

void kerb_scene_kind_ride_keep(kerb_scene_kind_ride* ride, const kerb_kind_place* place,
                               float frame) {
    const float told = kind_told(ride->kind, &ride->body);
    ride->controls = kerb_kind_driver_keep(&ride->driver, place, &ride->motion, &told, frame);
}

void kerb_scene_kind_ride_move(kerb_scene_kind_ride* ride, float frame) {
    const kind_model* model = kind_model_of((int32_t)ride->kind->name);
    for (int32_t part = 0; part < KIND_PARTS; part++)
        model->step(&ride->body, &ride->controls, frame / (float)KIND_PARTS);
    ride->motion = model->motion(&ride->body);
}

kerb_scene_kind_driven kerb_scene_kind_drive(const kerb_scene_kind* k, const kerb_kind_plan* plan) {
    kerb_scene_kind_driven driven = {.arrived = false};
    bool sails = k->name == KERB_SCENE_SHIP; // what does not stand is not watched afterwards
    bool goes_on = sails || k->name == KERB_SCENE_AIRPLANE;
    float frame = sails ? KIND_SHIP_FRAME : KIND_FRAME;
    kerb_scene_kind_ride ride = kerb_scene_kind_ride_make(k, plan->states);
    int32_t most = (int32_t)((2.0f * plan->time + 60.0f) / frame), after = 0;
    for (int32_t i = 0; i < most && (float)after * frame <= (goes_on ? 0.0f : KIND_SETTLES); i++) {
        kerb_scene_kind_ride_decide(&ride, plan, frame);
        if (ride.controls.reason == KERB_REASON_GIVEN_UP)
            break;
        driven.arrived = ride.controls.reason == KERB_REASON_ARRIVED;
        after += driven.arrived ? 1 : 0;
        if (!driven.arrived)
            driven.time = frame * (float)i;
        driven.cross_track =
            kerb_max(driven.cross_track, kerb_abs(ride.driver.decision.cross_track));
        kerb_scene_kind_ride_move(&ride, frame);
    }
    const float* goal = plan->states + (size_t)plan->count * KERB_KIND_STATES_MAX;
    kind_judge(k, ride.driver.decision.state, goal, ride.motion.velocity, frame, &driven);
    return driven;
}
