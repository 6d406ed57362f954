// A rig for tests of driving among others: simulated vehicles, each with its follower and path,
// that see one another, touch, and are watched for it.
#ifndef TEST_TRAFFIC_RIG_H
#define TEST_TRAFFIC_RIG_H

#include "kerb/kerb.h"
#include "sim/vehicle.h"
#include "sim/world.h"

#include <string.h>

#define TRAFFIC_MOST 12
#define TRAFFIC_POINTS 64

typedef struct traffic_car {
    kerb_sim_vehicle vehicle;
    kerb_vehicle limits;
    kerb_follower follower;
    kerb_path path;
    kerb_motion motion;
    kerb_controls controls;
    kerb_intent intent; // of the last frame
    uint32_t id;
    bool wreck; // stands where it is
    bool arrived;
    double arrived_at; // [s]
} traffic_car;

typedef struct traffic {
    traffic_car cars[TRAFFIC_MOST];
    int32_t count;
    int32_t touches; // frames in which two touched
    int32_t teleports;
    double time;
} traffic;

// Adds a vehicle of a reference model at the start of its path, at a speed (cars only).
static inline traffic_car* traffic_add(traffic* t, const char* model_name, uint32_t id,
                                       const kerb_waypoint* waypoints, int32_t count) {
    kerb_sim_model model;
    if (!kerb_sim_model_named(model_name, &model))
        fail_msg("no model %s", model_name);
    traffic_car* car = &t->cars[t->count++];
    *car = (traffic_car){.id = id, .limits = model.vehicle};
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    if (kerb_path_create(&car->path, waypoints, count, false, &host, &error) != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
    const kerb_path_point* first = &car->path.points[0];
    car->vehicle = kerb_sim_vehicle_make(&model, first->position, first->heading);
    car->follower = kerb_follower_make(&model.vehicle);
    car->motion = kerb_sim_vehicle_motion(&car->vehicle);
    return car;
}

static inline traffic_car* traffic_add_straight(traffic* t, const char* model_name, uint32_t id,
                                                kerb_vec2 from, kerb_vec2 to, float corridor) {
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(from.x, from.y, 0.0f),
                                  kerb_waypoint_at(to.x, to.y, 0.0f)};
    for (int32_t i = 0; i < 2; i++)
        waypoints[i].left = waypoints[i].right = corridor;
    return traffic_add(t, model_name, id, waypoints, 2);
}

static inline void traffic_free(traffic* t) {
    for (int32_t i = 0; i < t->count; i++)
        kerb_path_destroy(&t->cars[i].path);
}

// A vehicle as the others are told of it.
static inline kerb_neighbour traffic_seen(const traffic_car* car) {
    kerb_vec3 forward = kerb_quat_forward(car->motion.rotation);
    float middle = car->limits.reference_to_front - 0.5f * car->limits.length;
    kerb_neighbour seen = {.id = car->id,
                           .position = kerb_vec3_along(car->motion.position, forward, middle),
                           .velocity = car->motion.velocity,
                           .forward = {forward.x, forward.y},
                           .yaw_rate = car->motion.angular_velocity.z,
                           .length = car->limits.length,
                           .width = car->limits.width};
    if (!car->wreck)
        seen.intent = &car->intent;
    return seen;
}

static inline void traffic_touch(traffic* t) {
    bool touched = false;
    for (int32_t i = 0; i < t->count; i++) {
        for (int32_t k = i + 1; k < t->count; k++) {
            kerb_sim_body a = kerb_sim_vehicle_body(&t->cars[i].vehicle);
            kerb_sim_body b = kerb_sim_vehicle_body(&t->cars[k].vehicle);
            if (!kerb_sim_bodies_push(&a, &b, NULL))
                continue;
            touched = true;
            kerb_sim_vehicle_set_body(&t->cars[i].vehicle, &a);
            kerb_sim_vehicle_set_body(&t->cars[k].vehicle, &b);
        }
    }
    t->touches += touched ? 1 : 0;
}

// One frame of 1/60 s: all see the same moment, then all move.
static inline void traffic_step(traffic* t) {
    kerb_neighbour all[TRAFFIC_MOST];
    kerb_intent next[TRAFFIC_MOST];
    for (int32_t i = 0; i < t->count; i++)
        all[i] = traffic_seen(&t->cars[i]);
    for (int32_t i = 0; i < t->count; i++) {
        traffic_car* car = &t->cars[i];
        kerb_surroundings around = kerb_surroundings_default();
        around.id = car->id;
        around.neighbours = all; // itself among them
        around.neighbour_count = t->count;
        car->controls = car->wreck ? kerb_controls_safe(KERB_REASON_NONE)
                                   : kerb_follower_drive(&car->follower, &car->path, &car->motion,
                                                         &around, 1.0f / 60.0f);
        kerb_follower_intent(&car->follower, &car->path, &next[i]);
        t->teleports += car->controls.reason == KERB_REASON_TELEPORT ? 1 : 0;
    }
    for (int32_t i = 0; i < t->count; i++)
        t->cars[i].intent = next[i];
    kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int32_t step = 0; step < 4; step++) {
        for (int32_t i = 0; i < t->count; i++)
            kerb_sim_vehicle_step(&t->cars[i].vehicle, &t->cars[i].controls, &ground,
                                  1.0f / 240.0f);
        traffic_touch(t);
    }
    t->time += 1.0 / 60.0;
    for (int32_t i = 0; i < t->count; i++) {
        traffic_car* car = &t->cars[i];
        car->motion = kerb_sim_vehicle_motion(&car->vehicle);
        if (!car->arrived && car->controls.reason == KERB_REASON_ARRIVED) {
            car->arrived = true;
            car->arrived_at = t->time;
        }
    }
}

// Sets a vehicle of wheels in motion along its heading.
static inline void traffic_roll(traffic_car* car, float speed) {
    kerb_sim_body body = kerb_sim_vehicle_body(&car->vehicle);
    body.forward = speed;
    kerb_sim_vehicle_set_body(&car->vehicle, &body);
    car->motion = kerb_sim_vehicle_motion(&car->vehicle);
}

static inline bool traffic_all_arrived(const traffic* t) {
    for (int32_t i = 0; i < t->count; i++)
        if (!t->cars[i].arrived && !t->cars[i].wreck)
            return false;
    return true;
}

// True when all have arrived within so many seconds.
static inline bool traffic_until_arrived(traffic* t, double most) {
    while (t->time < most && !traffic_all_arrived(t))
        traffic_step(t);
    return traffic_all_arrived(t);
}

#endif
