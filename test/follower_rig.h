// A rig for the follower's tests: the reference pick-up or any other car, a path, a road, and a
// step that drives and simulates one frame.
#ifndef TEST_FOLLOWER_RIG_H
#define TEST_FOLLOWER_RIG_H

#include "kerb/kerb.h"
#include "sim/car.h"

typedef struct rig {
    kerb_sim_car car;
    kerb_follower follower;
    kerb_path path;
    kerb_surroundings around;
    kerb_motion motion;
    kerb_controls controls;
    float hz;
    float slope; // of the ground along x, rise per metre …
    float foot;  // … from here on, level before; none: the whole ground, level at x = 0 [m]
    double time;
} rig;

#define RIG_NO_FOOT (-KERB_POSITION_MAX)

// A rig on a path through the waypoints, the car at rest on the first of them, facing along it.
// The driver is told `vehicle`; what it drives is `model`.
static inline rig rig_make_with(const kerb_sim_car_model* model, const kerb_vehicle* vehicle,
                                const kerb_waypoint* waypoints, int32_t count, bool closed) {
    kerb_host host = kerb_host_default();
    rig r = {.hz = 60.0f, .around = kerb_surroundings_default(), .foot = RIG_NO_FOOT};
    kerb_error error = {0};
    if (kerb_path_create(&r.path, waypoints, count, closed, &host, &error) != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
    const kerb_path_point* first = &r.path.points[0];
    float heading = first->heading + (first->travel > 0 ? 0.0f : KERB_PI);
    r.car = kerb_sim_car_make(model, first->position, kerb_wrap_angle(heading));
    r.follower = kerb_follower_make(vehicle);
    r.motion = kerb_sim_car_motion(&r.car);
    return r;
}

// With a car that has the limits of the vehicle.
static inline rig rig_make_for(const kerb_vehicle* vehicle, const kerb_waypoint* waypoints,
                               int32_t count, bool closed) {
    kerb_sim_car_model model = kerb_sim_car_model_for(vehicle);
    return rig_make_with(&model, vehicle, waypoints, count, closed);
}

// With the reference pick-up.
static inline rig rig_make(const kerb_waypoint* waypoints, int32_t count, bool closed) {
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
    return rig_make_with(&model, &vehicle, waypoints, count, closed);
}

static inline void rig_free(rig* r) {
    kerb_path_destroy(&r->path);
}

static inline kerb_sim_ground rig_ground(const rig* r) {
    float x = r->car.position.x;
    float slope = x > r->foot ? r->slope : 0.0f;
    kerb_vec3 up = {-slope, 0.0f, 1.0f};
    kerb_sim_ground ground = {.normal = kerb_vec3_unit(up, up), .grip = r->around.grip};
    ground.height = slope * (x - kerb_max(r->foot, 0.0f));
    return ground;
}

static inline void rig_simulate(rig* r) {
    int32_t steps = (int32_t)(240.0f / r->hz + 0.999f);
    for (int32_t i = 0; i < steps; i++) {
        kerb_sim_ground ground = rig_ground(r);
        kerb_sim_car_step(&r->car, &r->controls, &ground, 1.0f / (r->hz * (float)steps));
    }
    r->motion = kerb_sim_car_motion(&r->car);
    r->time += 1.0 / (double)r->hz;
}

static inline void rig_step(rig* r) {
    r->controls = kerb_follower_drive(&r->follower, &r->path, &r->motion, &r->around, 1.0f / r->hz);
    rig_simulate(r);
}

static inline float rig_speed(const rig* r) {
    return kerb_motion_forward_speed(&r->motion);
}

// Drives until the driver gives a reason, at most so many seconds. True when it did.
static inline bool rig_until(rig* r, kerb_reason reason, double seconds) {
    double end = r->time + seconds;
    while (r->time < end) {
        rig_step(r);
        if (r->controls.reason == reason)
            return true;
    }
    return false;
}

// A straight along x, waypoints `spacing` apart.
static inline int32_t rig_straight(kerb_waypoint* waypoints, int32_t count, float spacing) {
    for (int32_t i = 0; i < count; i++)
        waypoints[i] = kerb_waypoint_at((float)i * spacing, 0.0f, 0.0f);
    return count;
}

#endif
