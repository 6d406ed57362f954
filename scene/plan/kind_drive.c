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
    static const char* const names[KERB_SCENE_KIND_COUNT] = {"ship", "pedestrian", "hovercraft",
                                                             "trailer"};
    return (int32_t)name >= 0 && name < KERB_SCENE_KIND_COUNT ? names[name] : "unknown";
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
    } else {
        kind->kind = kerb_kind_of_towing(&kind->towing);
        kind->radius = 20.0f;
        kind->accepted = 0.3f;
    }
    return true;
}

// --------------------------------------------------------------------------- driving

typedef union kind_body {
    kerb_sim_ship ship;
    kerb_sim_walker walker;
    kerb_sim_hover hover;
    kerb_sim_towing towing;
} kind_body;

// A vehicle in a state of a plan.
static kind_body kind_body_at(const kerb_scene_kind* k, const float* state) {
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
    if (k->name == KERB_SCENE_SHIP)
        return kerb_sim_ship_motion(&body->ship);
    if (k->name == KERB_SCENE_PEDESTRIAN)
        return kerb_sim_walker_motion(&body->walker);
    return k->name == KERB_SCENE_HOVERCRAFT ? kerb_sim_hover_motion(&body->hover)
                                            : kerb_sim_towing_motion(&body->towing);
}

static void kind_body_step(const kerb_scene_kind* k, kind_body* body, const kerb_controls* controls,
                           float time) {
    const kerb_sim_ground flat = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    if (k->name == KERB_SCENE_SHIP)
        kerb_sim_ship_step(&body->ship, controls, time);
    else if (k->name == KERB_SCENE_PEDESTRIAN)
        kerb_sim_walker_step(&body->walker, controls, time);
    else if (k->name == KERB_SCENE_HOVERCRAFT)
        kerb_sim_hover_step(&body->hover, controls, &flat, time);
    else
        kerb_sim_towing_step(&body->towing, controls, time);
}

kerb_scene_kind_driven kerb_scene_kind_drive(const kerb_scene_kind* k, const kerb_kind_plan* plan) {
    kerb_scene_kind_driven driven = {.arrived = false};
    bool sails = k->name == KERB_SCENE_SHIP;
    float frame = sails ? KIND_SHIP_FRAME : KIND_FRAME;
    kind_body body = kind_body_at(k, plan->states);
    kerb_kind_driver driver = kerb_kind_driver_make(&k->kind);
    int32_t most = (int32_t)((2.0f * plan->time + 60.0f) / frame), after = 0;
    for (int32_t i = 0; i < most && (float)after * frame <= (sails ? 0.0f : KIND_SETTLES); i++) {
        kerb_motion motion = kind_body_motion(k, &body);
        const float told = k->name == KERB_SCENE_TRAILER ? body.towing.hitch : 0.0f;
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
    driven.error = kerb_vec2_length(kerb_vec2_make(state[0] - goal[0], state[1] - goal[1]));
    driven.heading_error = kerb_abs(kerb_wrap_angle(state[2] - goal[2]));
    return driven;
}
