// Airplanes on a path in space and through a gate.
//
// The path is x = a sin t, y = b sin 2t, z = c cos(t + φ), with φ and the shape b/a by the seed. It
// is as small as the airplane can fly with a reserve: bends use a share of its tightest turn,
// slopes a share of its steepest climb. At the crossing the two arms are 2c cos φ apart.
// Cost:    O(1) for each airplane and frame, and the simulation.
#include "kerb/seek.h"

#include "scene/crowd/airplanes.h"

#include <math.h>
#include <string.h>

#define BEND_SHARE 0.6f  // of the path, of the tightest turn
#define SLOPE_SHARE 0.5f // of the steepest climb
#define HEIGHT 500.0f    // of the path's middle [m]
#define FIRST_LEAVES 15.0f
#define LEAVE_APART 12.0f // [s]
#define SHOWN_BEYOND 3.0f // the gate [s]
#define AIRPLANES_PHYSICS_STEP (1.0f / 240.0f)

// --------------------------------------------------------------------------- the path

typedef struct eight {
    float a, b, c, phase;
} eight;

static kerb_vec3 place_on(const eight* e, float t) {
    return kerb_vec3_make(e->a * kerb_sin(t), e->b * kerb_sin(2.0f * t),
                          HEIGHT + e->c * kerb_cos(t + e->phase));
}

static float turn_at(float index) {
    return 2.0f * KERB_PI * index / (float)KERB_SCENE_AIRPLANES_POINTS;
}

// Tightest bend seen from above [1/m] and steepest slope [1].
static void extremes(const eight* e, float* bend, float* slope) {
    *bend = *slope = 0.0f;
    for (int32_t i = 0; i < KERB_SCENE_AIRPLANES_POINTS; i++) {
        float t = turn_at((float)i);
        kerb_vec2 d1 = {e->a * kerb_cos(t), 2.0f * e->b * kerb_cos(2.0f * t)};
        kerb_vec2 d2 = {-e->a * kerb_sin(t), -4.0f * e->b * kerb_sin(2.0f * t)};
        float level = kerb_vec2_length(d1);
        *bend = kerb_max(*bend, kerb_abs(kerb_vec2_cross(d1, d2)) / (level * level * level));
        *slope = kerb_max(*slope, kerb_abs(e->c * kerb_sin(t + e->phase)) / level);
    }
}

static eight eight_for(const kerb_aircraft* aircraft, kerb_random* random) {
    eight e = {.a = 1.0f, .c = 1.0f};
    e.b = kerb_random_between(random, 0.4f, 0.6f);
    e.phase = kerb_random_between(random, -0.8f, 0.8f);
    float bend, slope, speed = aircraft->cruise_speed;
    extremes(&e, &bend, &slope);
    float size = bend * kerb_aircraft_turning_radius(aircraft, speed) / BEND_SHARE;
    e.a *= size;
    e.b *= size;
    extremes(&e, &bend, &slope);
    e.c = SLOPE_SHARE * kerb_aircraft_climb_rate(aircraft, speed) / speed / slope;
    return e;
}

static void build_path(kerb_scene_airplanes* scene, const eight* e) {
    kerb_waypoint waypoints[KERB_SCENE_AIRPLANES_POINTS];
    for (int32_t i = 0; i < KERB_SCENE_AIRPLANES_POINTS; i++) {
        kerb_vec3 place = place_on(e, turn_at((float)i));
        waypoints[i] = kerb_waypoint_at(place.x, place.y, place.z);
    }
    kerb_path_build(&scene->path, scene->points, waypoints, KERB_SCENE_AIRPLANES_POINTS, true,
                    NULL);
}

// --------------------------------------------------------------------------- making

// Beside the eight, lower, facing any way; gone through on a gentle descent.
static kerb_directed_goal gate_for(const eight* e, const kerb_aircraft* aircraft,
                                   kerb_random* random) {
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    float side = kerb_random_between(random, -1.0f, 1.0f) < 0.0f ? -1.0f : 1.0f;
    kerb_directed_goal gate = {.speed = aircraft->cruise_speed, .turning_radius = 1.0f};
    gate.position = kerb_vec3_make(0.0f, side * (e->b + 0.5f * e->a), HEIGHT - e->c - 40.0f);
    float climb = -0.05f, level = kerb_cos(climb);
    gate.forward =
        kerb_vec3_make(level * kerb_cos(heading), level * kerb_sin(heading), kerb_sin(climb));
    return gate;
}

void kerb_scene_airplanes_make(kerb_scene_airplanes* scene, uint64_t seed) {
    memset(scene, 0, sizeof *scene);
    kerb_random random = kerb_random_make(seed, 0);
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft aircraft = kerb_sim_airplane_aircraft(&model);
    eight e = eight_for(&aircraft, &random);
    build_path(scene, &e);
    scene->gate = gate_for(&e, &aircraft, &random);
    for (int32_t i = 0; i < KERB_SCENE_AIRPLANES; i++) {
        kerb_scene_airplane* one = &scene->airplanes[i];
        double along = scene->path.length * (double)i / (double)KERB_SCENE_AIRPLANES;
        kerb_path_sample at =
            kerb_path_sample_at(&scene->path, kerb_path_locate(&scene->path, along));
        float heading = kerb_atan2(at.direction.y, at.direction.x);
        one->airplane = kerb_sim_airplane_make(&model, at.position, heading, aircraft.cruise_speed);
        one->pilot = kerb_flyer_make(&aircraft);
        one->leaves = FIRST_LEAVES + LEAVE_APART * (float)i;
        one->off_gate = 1.0e9;
    }
}

// --------------------------------------------------------------------------- flying

// They start level, as no part of the path is: that is not the path's error.
#define AIRPLANES_SETTLED 6.0f // [s]

static void note_path(kerb_scene_airplanes* scene, const kerb_scene_airplane* one) {
    if (scene->time < AIRPLANES_SETTLED)
        return;
    kerb_vec3 at = kerb_path_position(&scene->path, one->pilot.memory.location);
    double error = (double)kerb_vec3_length(kerb_vec3_sub(one->airplane.position, at));
    scene->record.path_error_sum += error;
    scene->record.path_error_max = fmax(scene->record.path_error_max, error);
    scene->record.looks++;
}

static void note_gate(const kerb_scene_airplanes* scene, kerb_scene_airplane* one) {
    kerb_vec3 off = kerb_vec3_sub(one->airplane.position, scene->gate.position);
    double distance = (double)kerb_vec3_length(off);
    if (distance >= one->off_gate)
        return;
    kerb_vec3 way = kerb_vec3_unit(one->airplane.velocity, scene->gate.forward);
    one->off_gate = distance;
    one->off_heading = (double)kerb_vec3_length(kerb_vec3_sub(way, scene->gate.forward));
}

static kerb_controls airplanes_decide(kerb_scene_airplanes* scene, kerb_scene_airplane* one,
                                      float time_step) {
    kerb_motion motion = kerb_sim_airplane_motion(&one->airplane);
    if (scene->time >= one->leaves)
        return kerb_flyer_arrive(&one->pilot, &scene->gate, &motion, time_step);
    kerb_controls controls = kerb_flyer_follow(&one->pilot, &scene->path, &motion, time_step);
    note_path(scene, one);
    return controls;
}

static void fly_one(kerb_scene_airplanes* scene, kerb_scene_airplane* one, float time_step) {
    kerb_controls controls = airplanes_decide(scene, one, time_step);
    int32_t steps = (int32_t)(time_step / AIRPLANES_PHYSICS_STEP + 0.999f);
    for (int32_t k = 0; k < steps; k++) {
        kerb_sim_airplane_step(&one->airplane, &controls, time_step / (float)steps);
        if (scene->time >= one->leaves)
            note_gate(scene, one);
    }
    if (controls.reason == KERB_REASON_ARRIVED && one->passed <= 0.0f &&
        scene->time >= one->leaves) {
        one->passed = scene->time + time_step;
        scene->record.arrived++;
    }
}

void kerb_scene_airplanes_step(kerb_scene_airplanes* scene, float time_step) {
    for (int32_t i = 0; i < KERB_SCENE_AIRPLANES; i++)
        fly_one(scene, &scene->airplanes[i], time_step);
    scene->time += time_step;
}

bool kerb_scene_airplanes_is_gone(const kerb_scene_airplanes* scene, int32_t index) {
    float passed = scene->airplanes[index].passed;
    return passed > 0.0f && scene->time > passed + SHOWN_BEYOND;
}

kerb_motion kerb_scene_airplanes_motion(const kerb_scene_airplanes* scene, int32_t index) {
    return kerb_sim_airplane_motion(&scene->airplanes[index].airplane);
}
