// Purpose: kinds of vehicles by name, driven along their plans.
// Cost:    O(steps of a drive).
#include "scene/plan/kind_drive.h"

#include <string.h>

// Steps of the simulation within a frame of the driver.
#define KIND_PARTS 8
// Frames of the driver. Ships are slow. [s]
#define KIND_FRAME 0.02f
#define KIND_SHIP_FRAME 0.1f
// What arrives is watched until it stands. [s]
#define KIND_SETTLES 1.0f

const char* kerb_scene_kind_text(kerb_scene_kind_name name) {
    static const char* const names[KERB_SCENE_KIND_COUNT] = {
        "ship",       "pedestrian", "hovercraft", "trailer",  "spacecraft",
        "helicopter", "drone",      "rocket",     "airplane", "submarine"};
    return (int32_t)name >= 0 && name < KERB_SCENE_KIND_COUNT ? names[name] : "unknown";
}

// What the kind is and how far its random goals are.
static void kind_take(kerb_scene_kind* kind, kerb_kind of, float radius, float height,
                      float length) {
    kind->kind = of;
    kind->radius = radius;
    kind->height = height;
    kind->accepted = kerb_max(0.1f * length, 0.3f);
}

static void kind_make_in_space(kerb_scene_kind* k) {
    if (k->name == KERB_SCENE_SPACECRAFT) {
        k->spacecraft = kerb_spacecraft_default();
        kind_take(k, kerb_kind_of_spacecraft(&k->spacecraft), 500.0f, 500.0f, k->spacecraft.length);
    } else if (k->name == KERB_SCENE_ROCKET) {
        k->hoverer_model = kerb_sim_rocket_model();
        kind_take(k, kerb_kind_of_rocket(&k->hoverer_model.rocket), 500.0f, 500.0f,
                  k->hoverer_model.rocket.length);
    } else if (k->name == KERB_SCENE_AIRPLANE) {
        k->airplane_model = kerb_sim_trainer_model();
        k->airplane = kerb_sim_airplane_aircraft(&k->airplane_model);
        kind_take(k, kerb_kind_of_airplane(&k->airplane), 4000.0f, 300.0f, k->airplane.length);
    } else if (k->name == KERB_SCENE_SUBMARINE) {
        k->submarine_model = kerb_sim_remus_model();
        k->submarine = kerb_sim_submarine_limits(&k->submarine_model);
        kind_take(k, kerb_kind_of_submarine(&k->submarine), 80.0f, 15.0f, k->submarine.length);
    } else {
        bool is_drone = k->name == KERB_SCENE_DRONE;
        k->hoverer_model = is_drone ? kerb_sim_drone_model() : kerb_sim_helicopter_model();
        kind_take(k, kerb_kind_of_rotorcraft(&k->hoverer_model.craft), is_drone ? 60.0f : 150.0f,
                  is_drone ? 20.0f : 30.0f, k->hoverer_model.craft.length);
    }
}

bool kerb_scene_kind_make(const char* name, kerb_scene_kind* kind) {
    int32_t index = 0;
    while (index < KERB_SCENE_KIND_COUNT &&
           strcmp(name, kerb_scene_kind_text((kerb_scene_kind_name)index)) != 0)
        index++;
    if (index == KERB_SCENE_KIND_COUNT)
        return false;
    memset(kind, 0, sizeof *kind);
    kind->name = (kerb_scene_kind_name)index;
    kind->ship_model = kerb_sim_mariner_model();
    kind->hover_model = kerb_sim_hovercraft_model();
    kind->ship = kerb_sim_ship_limits(&kind->ship_model);
    kind->pedestrian = kerb_pedestrian_default();
    kind->hovercraft = kerb_sim_hover_vehicle(&kind->hover_model);
    kind->towing = kerb_towing_default();
    if (kind->name == KERB_SCENE_SHIP) {
        kind->kind = kerb_kind_of_ship(&kind->ship);
        kind->radius = 10.0f * kind->ship.turning_radius;
        kind->accepted = 0.1f * kind->ship.length;
    } else if (kind->name == KERB_SCENE_PEDESTRIAN) {
        kind->kind = kerb_kind_of_pedestrian(&kind->pedestrian);
        kind->radius = 10.0f;
        kind->accepted = 0.3f;
    } else if (kind->name == KERB_SCENE_HOVERCRAFT) {
        kind->kind = kerb_kind_of_hovercraft(&kind->hovercraft);
        kind->radius = 80.0f;
        kind->accepted = 0.1f * kind->hovercraft.length;
    } else if (kind->name == KERB_SCENE_TRAILER) {
        kind->kind = kerb_kind_of_towing(&kind->towing);
        kind->radius = 20.0f;
        kind->accepted = 0.3f;
    } else {
        kind_make_in_space(kind);
        kind->kind.name = kerb_scene_kind_text(kind->name);
    }
    return true;
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

typedef union kind_body {
    kerb_sim_ship ship;
    kerb_sim_walker walker;
    kerb_sim_hover hover;
    kerb_sim_towing towing;
    kerb_sim_spacecraft spacecraft;
    kerb_sim_hoverer hoverer;
    kerb_sim_airplane airplane;
    kerb_sim_submarine submarine;
} kind_body;

static bool kind_hovers(const kerb_scene_kind* k) {
    return k->name == KERB_SCENE_HELICOPTER || k->name == KERB_SCENE_DRONE ||
           k->name == KERB_SCENE_ROCKET;
}

static kind_body kind_body_in_space(const kerb_scene_kind* k, const float* state) {
    kind_body body;
    kerb_vec3 place = {state[0], state[1], state[2]};
    kerb_vec3 velocity = {state[3], state[4], state[5]};
    if (k->name == KERB_SCENE_SPACECRAFT) {
        body.spacecraft = kerb_sim_spacecraft_make(&k->spacecraft, place,
                                                   kerb_vec3_make(state[6], state[7], state[8]));
        body.spacecraft.velocity = velocity;
    } else if (kind_hovers(k)) {
        float heading = k->name == KERB_SCENE_ROCKET ? 0.0f : state[9];
        body.hoverer = kerb_sim_hoverer_make(&k->hoverer_model, place, heading);
        body.hoverer.velocity = velocity;
    } else if (k->name == KERB_SCENE_AIRPLANE) {
        body.airplane = kerb_sim_airplane_make(&k->airplane_model, place, state[3], state[4]);
    } else {
        body.submarine = kerb_sim_submarine_make(&k->submarine_model, place, state[3], state[4]);
    }
    return body;
}

// A vehicle in a state of a plan.
static kind_body kind_body_at(const kerb_scene_kind* k, const float* state) {
    if (k->kind.space)
        return kind_body_in_space(k, state);
    kind_body body;
    float sine, cosine;
    kerb_sin_cos(state[2], &sine, &cosine);
    if (k->name == KERB_SCENE_SHIP) {
        float pivot = k->ship.reference_to_pivot;
        body.ship = kerb_sim_ship_make(&k->ship_model, state[0] - pivot * cosine,
                                       state[1] - pivot * sine, state[2], state[3]);
    } else if (k->name == KERB_SCENE_PEDESTRIAN) {
        body.walker = kerb_sim_walker_make(&k->pedestrian, state[0], state[1], state[2]);
        body.walker.velocity = kerb_vec2_make(state[3] * cosine - state[4] * sine,
                                              state[3] * sine + state[4] * cosine);
    } else if (k->name == KERB_SCENE_HOVERCRAFT) {
        body.hover = kerb_sim_hover_make(&k->hover_model, kerb_vec3_make(state[0], state[1], 0.0f),
                                         state[2]);
        body.hover.forward = state[3];
        body.hover.side = state[4];
    } else {
        body.towing = kerb_sim_towing_make(&k->towing, state[0], state[1], state[2], state[3]);
        body.towing.speed = state[4];
    }
    return body;
}

static kerb_motion kind_body_motion(const kerb_scene_kind* k, const kind_body* body) {
    switch (k->name) {
    case KERB_SCENE_SHIP:
        return kerb_sim_ship_motion(&body->ship);
    case KERB_SCENE_PEDESTRIAN:
        return kerb_sim_walker_motion(&body->walker);
    case KERB_SCENE_HOVERCRAFT:
        return kerb_sim_hover_motion(&body->hover);
    case KERB_SCENE_TRAILER:
        return kerb_sim_towing_motion(&body->towing);
    case KERB_SCENE_SPACECRAFT:
        return kerb_sim_spacecraft_motion(&body->spacecraft);
    case KERB_SCENE_AIRPLANE:
        return kerb_sim_airplane_motion(&body->airplane);
    case KERB_SCENE_SUBMARINE:
        return kerb_sim_submarine_motion(&body->submarine);
    default:
        return kerb_sim_hoverer_motion(&body->hoverer);
    }
}

static void kind_body_step(const kerb_scene_kind* k, kind_body* body, const kerb_controls* controls,
                           float time) {
    const kerb_sim_ground flat = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    switch (k->name) {
    case KERB_SCENE_SHIP:
        kerb_sim_ship_step(&body->ship, controls, time);
        break;
    case KERB_SCENE_PEDESTRIAN:
        kerb_sim_walker_step(&body->walker, controls, time);
        break;
    case KERB_SCENE_HOVERCRAFT:
        kerb_sim_hover_step(&body->hover, controls, &flat, time);
        break;
    case KERB_SCENE_TRAILER:
        kerb_sim_towing_step(&body->towing, controls, time);
        break;
    case KERB_SCENE_SPACECRAFT:
        kerb_sim_spacecraft_step(&body->spacecraft, controls, time);
        break;
    case KERB_SCENE_AIRPLANE:
        kerb_sim_airplane_step(&body->airplane, controls, time);
        break;
    case KERB_SCENE_SUBMARINE:
        kerb_sim_submarine_step(&body->submarine, controls, time);
        break;
    default:
        kerb_sim_hoverer_step(&body->hoverer, controls, time);
    }
}

// Numbers of the state that kerb_motion does not tell.
static float kind_body_told(const kerb_scene_kind* k, const kind_body* body) {
    if (k->name == KERB_SCENE_TRAILER)
        return body->towing.hitch;
    return kind_hovers(k) ? body->hoverer.acceleration : 0.0f;
}

// What is left of an offset when the motion of up to a frame is taken from it.
static kerb_vec3 kind_beside(kerb_vec3 velocity, kerb_vec3 off, float frame) {
    float square = kerb_max(kerb_vec3_dot(velocity, velocity), 1e-6f);
    float time = kerb_clamp(kerb_vec3_dot(off, velocity) / square, -frame, frame);
    return kerb_vec3_along(off, velocity, -time);
}

kerb_scene_kind_driven kerb_scene_kind_drive(const kerb_scene_kind* k, const kerb_kind_plan* plan) {
    kerb_scene_kind_driven driven = {.arrived = false};
    bool sails = k->name == KERB_SCENE_SHIP; // what does not stand is not watched afterwards
    bool goes_on = sails || k->name == KERB_SCENE_AIRPLANE;
    float frame = sails ? KIND_SHIP_FRAME : KIND_FRAME;
    kind_body body = kind_body_at(k, plan->states);
    kerb_kind_driver driver = kerb_kind_driver_make(&k->kind);
    int32_t most = (int32_t)((2.0f * plan->time + 60.0f) / frame), after = 0;
    for (int32_t i = 0; i < most && (float)after * frame <= (goes_on ? 0.0f : KIND_SETTLES); i++) {
        kerb_motion motion = kind_body_motion(k, &body);
        const float told = kind_body_told(k, &body);
        kerb_controls controls = kerb_kind_driver_drive(&driver, plan, &motion, &told, frame);
        if (controls.reason == KERB_REASON_GIVEN_UP)
            break;
        driven.arrived = controls.reason == KERB_REASON_ARRIVED;
        after += driven.arrived ? 1 : 0;
        if (!driven.arrived)
            driven.time = frame * (float)i;
        driven.cross_track = kerb_max(driven.cross_track, kerb_abs(driver.decision.cross_track));
        for (int32_t part = 0; part < KIND_PARTS; part++)
            kind_body_step(k, &body, &controls, frame / (float)KIND_PARTS);
    }
    const float* goal = plan->states + (size_t)plan->count * KERB_KIND_STATES_MAX;
    const float* state = driver.decision.state;
    bool in_space = k->kind.space != NULL;
    kerb_vec3 off = {state[0] - goal[0], state[1] - goal[1], in_space ? state[2] - goal[2] : 0.0f};
    if (k->name == KERB_SCENE_AIRPLANE) // which passes its goal between two frames
        off = kind_beside(kind_body_motion(k, &body).velocity, off, frame);
    driven.error = kerb_vec3_length(off);
    int32_t heading = in_space ? k->kind.space->heading : 2;
    if (heading >= 0)
        driven.heading_error = kerb_abs(kerb_wrap_angle(state[heading] - goal[heading]));
    if (k->name == KERB_SCENE_SPACECRAFT)
        driven.heading_error = kerb_acos(
            kerb_clamp(state[6] * goal[6] + state[7] * goal[7] + state[8] * goal[8], -1.0f, 1.0f));
    return driven;
}
