// Plans driven in the simulation by the follower: how long that takes, and how far off it gets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include "test/follower_rig.h" // its type's name is the other's variables', hence the order

#include <stdlib.h>

#define CAPACITY 4000

// What planned and driven make of one movement.
typedef struct driven {
    float planned, time; // [s]
    float error;         // greatest distance of the followed point from the plan [m]
    bool arrived;
} driven;

static void settle(kerb_follower_settings* settings, const kerb_plan_limits* limits) {
    settings->speed = limits->speed_max;
    settings->acceleration = limits->acceleration;
    settings->deceleration = limits->braking;
    settings->lateral_acceleration = kerb_min(limits->lateral_acceleration / KERB_GRAVITY, 10.0f);
    settings->corner_cut = 0.0f;
}

// The point so far ahead of the rear axle.
static kerb_vec3 followed(const rig* r, float ahead) {
    float forward = ahead - r->follower.vehicle.reference_to_rear_axle;
    kerb_vec3 facing = kerb_quat_rotate(r->motion.rotation, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    return kerb_vec3_along(r->motion.position, facing, forward);
}

static driven drive_waypoints(const kerb_sim_car_model* model, const kerb_vehicle* vehicle,
                              const plan_rig* plan, const kerb_waypoint* waypoints, int32_t count,
                              float ahead, float planned) {
    rig r = rig_make_with(model, vehicle, waypoints, count, false);
    settle(&r.follower.settings, &plan->limits);
    // The rig puts the reference point on the path and faces it along a chord.
    float heading = kerb_atan2(plan->from.pose.forward.y, plan->from.pose.forward.x);
    kerb_vec2 at =
        kerb_vec2_add(plan->from.pose.position,
                      kerb_vec2_scale(plan->from.pose.forward, vehicle->reference_to_rear_axle));
    r.car = kerb_sim_car_make(model, kerb_vec3_make(at.x, at.y, 0.0f), heading);
    r.motion = kerb_sim_car_motion(&r.car);
    driven result = {.planned = planned};
    while (!result.arrived && r.time < 3.0 * (double)planned + 10.0) {
        rig_step(&r);
        kerb_vec3 point = followed(&r, ahead);
        kerb_path_location near = kerb_path_nearest(&r.path, point);
        kerb_vec3 off = kerb_vec3_sub(point, kerb_path_position(&r.path, near));
        result.error = kerb_max(result.error, kerb_sqrt(off.x * off.x + off.y * off.y));
        result.arrived = r.controls.reason == KERB_REASON_ARRIVED;
    }
    result.time = (float)r.time;
    rig_free(&r);
    return result;
}

// Forwards from rest to rest, up to 60 m away. False where the planner's answer is no movement.
static bool plan_and_drive(const kerb_sim_car_model* model, float share, kerb_random* random,
                           driven* result) {
    kerb_vehicle vehicle = kerb_sim_car_vehicle(model);
    plan_rig plan = {.limits = kerb_plan_limits_of(&vehicle, share)};
    plan.limits.turning_radius *= 1.1f;
    plan.limits.reverse_speed_max = 0.0f;
    plan_rig_poses(&plan, random);
    plan.to.pose.position =
        kerb_vec2_scale(plan.to.pose.position, 60.0f / (8.0f * plan.limits.turning_radius));
    kerb_planner planner;
    plan_rig_run(&planner, &plan, 3000);
    kerb_plan found = kerb_planner_get_plan(&planner);
    kerb_plan_path_settings settings = kerb_plan_path_settings_default();
    settings.rear_axle_to_point = vehicle.reference_to_rear_axle;
    kerb_waypoint* waypoints = malloc(CAPACITY * sizeof *waypoints);
    int32_t count = 0;
    bool is_way =
        kerb_plan_waypoints(&found, &settings, waypoints, CAPACITY, &count, NULL) == KERB_OK &&
        found.length > 3.0f;
    if (is_way)
        *result = drive_waypoints(model, &vehicle, &plan, waypoints, count,
                                  settings.rear_axle_to_point, found.time);
    free(waypoints);
    kerb_planner_destroy(&planner);
    return is_way;
}

// Figures of so many movements.
typedef struct figures {
    int32_t count, arrived;
    double ratio, ratio_least, ratio_most; // driven by planned time: mean, least, most
    double error, error_most;              // [m]
} figures;

static figures measure(const kerb_sim_car_model* model, float share, int32_t wanted,
                       kerb_random* random) {
    figures f = {.ratio_least = 1e9};
    while (f.count < wanted) {
        driven d;
        if (!plan_and_drive(model, share, random, &d))
            continue;
        double ratio = (double)d.time / (double)d.planned, error = (double)d.error;
        f.count++;
        f.arrived += d.arrived ? 1 : 0;
        f.ratio += ratio / (double)wanted;
        f.ratio_least = ratio < f.ratio_least ? ratio : f.ratio_least;
        f.ratio_most = ratio > f.ratio_most ? ratio : f.ratio_most;
        f.error += error / (double)wanted;
        f.error_most = error > f.error_most ? error : f.error_most;
    }
    print_message("%d: time by %.3f (%.3f to %.3f), off by %.2f m, at most %.2f m\n", (int)f.count,
                  f.ratio, f.ratio_least, f.ratio_most, f.error, f.error_most);
    return f;
}

// The wishes are 5 % and 0.3 m; docs/planning.md says how far they are met. A follower that comes
// to the end more than 0.3 m beside it backs up for it, which takes as long as a short plan.
static void expect_figures(const figures* f) {
    assert_int_equal(f->arrived, f->count);
    assert_true(f->ratio > 0.97 && f->ratio < 1.13);
    assert_true(f->ratio_least > 0.93 && f->ratio_most < 2.5);
    assert_true(f->error < 0.55);
    assert_true(f->error_most < 2.2);
}

static void a_middling_car_drives_plans_of_a_third_of_its_limits_about_as_planned(void** state) {
    (void)state;
    kerb_random random = test_random("a middling car drives plans");
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_sim_car_model model = kerb_sim_car_model_for(&vehicle);
    figures f = measure(&model, 0.3f, 30, &random);
    expect_figures(&f);
}

static void a_pickup_drives_plans_of_a_third_of_its_limits_about_as_planned(void** state) {
    (void)state;
    kerb_random random = test_random("a pick-up drives plans");
    kerb_sim_car_model model = kerb_sim_pickup_model();
    figures f = measure(&model, 0.3f, 30, &random);
    expect_figures(&f);
}

int plan_driven_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_middling_car_drives_plans_of_a_third_of_its_limits_about_as_planned),
        cmocka_unit_test(a_pickup_drives_plans_of_a_third_of_its_limits_about_as_planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
