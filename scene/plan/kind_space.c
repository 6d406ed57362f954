// Purpose: the models of kinds in space, by name.
// Cost:    O(1).
#include "scene/plan/kind_model.h"

static void kind_reaches(kerb_scene_kind* k, float radius, float height, float length) {
    k->radius = radius;
    k->height = height;
    k->accepted = kerb_max(0.1f * length, 0.3f);
}

// --------------------------------------------------------------------------- spacecraft

static void make_spacecraft(kerb_scene_kind* k) {
    k->spacecraft = kerb_spacecraft_default();
    k->kind = kerb_kind_of_spacecraft(&k->spacecraft);
    kind_reaches(k, 500.0f, 500.0f, k->spacecraft.length);
}

static kind_body begin_spacecraft(const kerb_scene_kind* k, const float* state) {
    kind_body body = {.spacecraft = kerb_sim_spacecraft_make(
                          &k->spacecraft, kerb_vec3_make(state[0], state[1], state[2]),
                          kerb_vec3_make(state[6], state[7], state[8]))};
    body.spacecraft.velocity = kerb_vec3_make(state[3], state[4], state[5]);
    return body;
}

static kerb_motion spacecraft_motion(const kind_body* body) {
    return kerb_sim_spacecraft_motion(&body->spacecraft);
}

static void step_spacecraft(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_spacecraft_step(&body->spacecraft, controls, time);
}

// --------------------------------------------------------------------------- what hovers

static void make_helicopter(kerb_scene_kind* k) {
    k->hoverer_model = kerb_sim_helicopter_model();
    k->kind = kerb_kind_of_rotorcraft(&k->hoverer_model.craft);
    kind_reaches(k, 150.0f, 30.0f, k->hoverer_model.craft.length);
}

static void make_drone(kerb_scene_kind* k) {
    k->hoverer_model = kerb_sim_drone_model();
    k->kind = kerb_kind_of_rotorcraft(&k->hoverer_model.craft);
    kind_reaches(k, 60.0f, 20.0f, k->hoverer_model.craft.length);
}

static void make_rocket(kerb_scene_kind* k) {
    k->hoverer_model = kerb_sim_rocket_model();
    k->kind = kerb_kind_of_rocket(&k->hoverer_model.rocket);
    kind_reaches(k, 500.0f, 500.0f, k->hoverer_model.rocket.length);
}

static kind_body begin_hoverer(const kerb_scene_kind* k, const float* state) {
    float heading = k->kind.space->heading >= 0 ? state[k->kind.space->heading] : 0.0f;
    kind_body body = {.hoverer = kerb_sim_hoverer_make(&k->hoverer_model,
                                                       kerb_vec3_make(state[0], state[1], state[2]),
                                                       heading)};
    body.hoverer.velocity = kerb_vec3_make(state[3], state[4], state[5]);
    return body;
}

static kerb_motion hoverer_motion(const kind_body* body) {
    return kerb_sim_hoverer_motion(&body->hoverer);
}

static void step_hoverer(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_hoverer_step(&body->hoverer, controls, time);
}

// --------------------------------------------------------------------------- airplane

static void make_airplane(kerb_scene_kind* k) {
    k->airplane_model = kerb_sim_trainer_model();
    k->airplane = kerb_sim_airplane_aircraft(&k->airplane_model);
    k->kind = kerb_kind_of_airplane(&k->airplane);
    kind_reaches(k, 4000.0f, 300.0f, k->airplane.length);
}

static kind_body begin_airplane(const kerb_scene_kind* k, const float* state) {
    kind_body body = {
        .airplane = kerb_sim_airplane_make(
            &k->airplane_model, kerb_vec3_make(state[0], state[1], state[2]), state[3], state[4])};
    return body;
}

static kerb_motion airplane_motion(const kind_body* body) {
    return kerb_sim_airplane_motion(&body->airplane);
}

static void step_airplane(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_airplane_step(&body->airplane, controls, time);
}

// --------------------------------------------------------------------------- submarine

static void make_submarine(kerb_scene_kind* k) {
    k->submarine_model = kerb_sim_remus_model();
    k->submarine = kerb_sim_submarine_limits(&k->submarine_model);
    k->kind = kerb_kind_of_submarine(&k->submarine);
    kind_reaches(k, 80.0f, 15.0f, k->submarine.length);
}

static kind_body begin_submarine(const kerb_scene_kind* k, const float* state) {
    kind_body body = {
        .submarine = kerb_sim_submarine_make(
            &k->submarine_model, kerb_vec3_make(state[0], state[1], state[2]), state[3], state[4])};
    return body;
}

static kerb_motion submarine_motion(const kind_body* body) {
    return kerb_sim_submarine_motion(&body->submarine);
}

static void step_submarine(kind_body* body, const kerb_controls* controls, float time) {
    kerb_sim_submarine_step(&body->submarine, controls, time);
}

// --------------------------------------------------------------------------- all

const kind_model kerb_scene_space_models[] = {
    {"spacecraft", make_spacecraft, begin_spacecraft, spacecraft_motion, step_spacecraft},
    {"helicopter", make_helicopter, begin_hoverer, hoverer_motion, step_hoverer},
    {"drone", make_drone, begin_hoverer, hoverer_motion, step_hoverer},
    {"rocket", make_rocket, begin_hoverer, hoverer_motion, step_hoverer},
    {"airplane", make_airplane, begin_airplane, airplane_motion, step_airplane},
    {"submarine", make_submarine, begin_submarine, submarine_motion, step_submarine},
};
