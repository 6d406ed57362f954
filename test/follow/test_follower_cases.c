// Roads and vehicles that the follower once drove badly: slow steering, coarse and noisy waypoints,
// weak brakes, hills, reversals, paths replaced at a stop. Bounds are what was measured plus a
// margin; each test names what it measures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/vehicle_json.h"
#include "scene/course/course.h"
#include "scene/course/trial.h"
#include "sim/vehicle.h"
#include "test/follower_rig.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- vehicles

// The default car made longer or shorter, with its steering turned more slowly.
static kerb_vehicle car_with(float wheelbase, float steering_rate) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    float scale = wheelbase / vehicle.wheelbase;
    vehicle.wheelbase = wheelbase;
    vehicle.length *= scale;
    vehicle.reference_to_front *= scale;
    vehicle.reference_to_rear_axle *= scale;
    vehicle.steering_rate_max = steering_rate;
    return vehicle;
}

static kerb_vehicle toy(void) {
    kerb_vehicle vehicle = car_with(0.32f, 6.0f);
    vehicle.width = 0.25f;
    vehicle.mass = 3.0f;
    vehicle.speed_max = 8.0f;
    vehicle.reverse_speed_max = 8.0f;
    vehicle.acceleration_max = 5.0f;
    return vehicle;
}

static kerb_vehicle truck(void) {
    kerb_vehicle vehicle = car_with(6.5f, 0.4f);
    vehicle.width = 2.5f;
    vehicle.mass = 18000.0f;
    vehicle.acceleration_max = 1.2f;
    vehicle.reverse_acceleration_max = 1.2f;
    vehicle.braking_max = 5.0f;
    vehicle.lateral_acceleration_max = 4.0f;
    vehicle.speed_max = 25.0f;
    vehicle.throttle_delay = 0.4f;
    return vehicle;
}

static kerb_vehicle weak_brakes(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.braking_max = 1.5f;
    return vehicle;
}

static kerb_vehicle vehicle_file(const char* name) {
    static char text[65536];
    char path[256];
    snprintf(path, sizeof path, "examples/vehicles/%s", name);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    kerb_host host = kerb_host_default();
    kerb_io_vehicle read;
    assert_int_equal(kerb_io_vehicle_json_read(&read, text, length, &host, NULL), KERB_OK);
    return read.vehicle;
}

static rig rig_make_named(const char* name, const kerb_waypoint* waypoints, int32_t count) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    return rig_make_with(&model.car, &model.vehicle, waypoints, count, false);
}

// --------------------------------------------------------------------------- courses

static const char* const first_four[] = {"city-corners", "figure-eight", "hairpins", "lane-change"};

// `model` NULL: built from the vehicle.
static kerb_scene_result drive_course(const char* name, const kerb_vehicle* vehicle,
                                      const kerb_sim_model* model) {
    kerb_host host = kerb_host_default();
    kerb_scene_course course;
    assert_int_equal(kerb_scene_course_make(name, &host, &course, NULL), KERB_OK);
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    settings.speed = course.speed;
    kerb_scene_trial trial = kerb_scene_trial_default(&course, vehicle, &settings);
    trial.model = model;
    kerb_scene_result result;
    assert_int_equal(kerb_scene_trial_run(&trial, &host, &result, NULL), KERB_OK);
    kerb_scene_course_free(&course, &host);
    return result;
}

// Finishes all four; the greatest of the mean errors in `worst`.
static float worst_mean_error(const char* label, const kerb_vehicle* vehicle) {
    float worst = 0.0f;
    for (int32_t i = 0; i < 4; i++) {
        kerb_scene_result result = drive_course(first_four[i], vehicle, NULL);
        print_message("%s, %s: mean error %.3f m, %.0f s\n", label, first_four[i], result.cte_mean,
                      result.time);
        if (!result.finished)
            fail_msg("%s does not finish %s", label, first_four[i]);
        worst = kerb_max(worst, (float)result.cte_mean);
    }
    return worst;
}

static void slow_steering_finishes_the_courses_close_to_the_road(void** state) {
    (void)state;
    static const float rates[] = {0.2f, 0.3f, 0.4f, 0.6f, 0.8f};
    static const struct {
        float wheelbase, error_most;
    } sizes[] = {{2.5f, 0.3f}, {3.5f, 0.4f}, {5.5f, 0.7f}};
    for (int32_t i = 0; i < 15; i++) {
        kerb_vehicle vehicle = car_with(sizes[i / 5].wheelbase, rates[i % 5]);
        assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
        char label[64];
        snprintf(label, sizeof label, "wheelbase %g m, %g rad/s", (double)vehicle.wheelbase,
                 (double)rates[i % 5]);
        assert_true(worst_mean_error(label, &vehicle) < sizes[i / 5].error_most);
    }
}

static void the_example_vehicles_finish_the_courses_close_to_the_road(void** state) {
    (void)state;
    kerb_vehicle bus = vehicle_file("bus.json"), van = vehicle_file("van.json");
    assert_true(worst_mean_error("bus", &bus) < 0.3f);
    assert_true(worst_mean_error("van", &van) < 0.3f);
}

static void the_reference_vehicles_finish_all_courses(void** state) {
    (void)state;
    double sum = 0.0;
    int32_t trials = 0;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model;
        assert_true(kerb_sim_model_named(kerb_sim_model_name(i), &model));
        double of_vehicle = 0.0;
        for (int32_t j = 0; j < kerb_scene_course_count(); j++, trials++) {
            kerb_scene_result result =
                drive_course(kerb_scene_course_name(j), &model.vehicle, &model);
            if (!result.finished)
                fail_msg("%s does not finish %s", model.name, kerb_scene_course_name(j));
            of_vehicle += result.cte_mean;
        }
        print_message("%s: mean error %.3f m\n", model.name,
                      of_vehicle / (double)kerb_scene_course_count());
        sum += of_vehicle;
    }
    print_message("all: mean error %.3f m\n", sum / (double)trials);
    assert_true(sum / (double)trials < 0.4);
}

// --------------------------------------------------------------------------- steady bends

#define CIRCLE_POINTS 400

static int32_t circle(kerb_waypoint* waypoints, float radius, float spacing) {
    int32_t count = (int32_t)(2.0f * KERB_PI * radius / spacing);
    for (int32_t i = 0; i < count; i++) {
        float angle = (float)i * (2.0f * KERB_PI / (float)count);
        waypoints[i] = kerb_waypoint_at(radius * kerb_cos(angle), radius * kerb_sin(angle), 0.0f);
    }
    return count;
}

// The default car or the pick-up on a circle, driven until it is steady.
static rig on_a_circle(bool pickup, float radius, float spacing, float speed) {
    kerb_waypoint waypoints[CIRCLE_POINTS];
    int32_t count = circle(waypoints, radius, spacing);
    kerb_vehicle vehicle = kerb_vehicle_default();
    rig r =
        pickup ? rig_make(waypoints, count, true) : rig_make_for(&vehicle, waypoints, count, true);
    r.follower.settings.speed = speed;
    while (r.time < 30.0)
        rig_step(&r);
    return r;
}

static float steering_peak_to_peak(rig* r, double seconds) {
    double end = r->time + seconds;
    float least = r->controls.steering, most = least;
    while (r->time < end) {
        rig_step(r);
        least = kerb_min(least, r->controls.steering);
        most = kerb_max(most, r->controls.steering);
    }
    return most - least;
}

static void steering_is_steady_on_a_circle_however_coarse_its_waypoints(void** state) {
    (void)state;
    static const float radii[] = {30.0f, 60.0f}, spacings[] = {1.0f, 3.0f, 5.0f, 7.0f};
    for (int32_t i = 0; i < 16; i++) {
        float radius = radii[i / 4 % 2], spacing = spacings[i % 4];
        rig r = on_a_circle(i >= 8, radius, spacing, 10.0f);
        float swing = steering_peak_to_peak(&r, 40.0);
        print_message("%s, radius %g m, waypoints %g m apart: steering swings by %.4f\n",
                      i >= 8 ? "pick-up" : "default car", (double)radius, (double)spacing,
                      (double)swing);
        assert_true(swing < 0.03f);
        rig_free(&r);
    }
}

// How often the pedals change over between throttle and brake.
static int32_t pedal_changes(rig* r, double seconds) {
    double end = r->time + seconds;
    int32_t changes = 0, before = 0;
    while (r->time < end) {
        rig_step(r);
        int32_t now = r->controls.brake > 0.0f ? -1 : r->controls.throttle > 0.0f ? 1 : before;
        changes += now * before < 0;
        before = now;
    }
    return changes;
}

static void pedals_do_not_flutter_in_a_steady_bend(void** state) {
    (void)state;
    static const float radii[] = {20.0f, 30.0f, 60.0f}, speeds[] = {8.0f, 10.0f, 15.0f, 30.0f};
    static const float spacings[] = {1.0f, 3.0f, 5.0f, 7.0f};
    int32_t worst = 0;
    for (int32_t i = 0; i < 96; i += test_share(1, 5)) {
        float radius = radii[i / 16 % 3], speed = speeds[i / 4 % 4];
        rig r = on_a_circle(i >= 48, radius, spacings[i % 4], speed);
        int32_t changes = pedal_changes(&r, 60.0);
        if (changes > 0)
            print_message("%s, radius %g m, points %g m apart, %g m/s: %d changes a minute\n",
                          i >= 48 ? "pick-up" : "default car", (double)radius,
                          (double)spacings[i % 4], (double)speed, changes);
        worst = changes > worst ? changes : worst;
        rig_free(&r);
    }
    print_message("at most %d changes a minute\n", worst);
    assert_true(worst <= 20);
}

// --------------------------------------------------------------------------- stopping

// How far past the end it stands, along the road; driven straight, at one slope.
static float stops_at(const kerb_vehicle* vehicle, float length, float hz, float slope) {
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0),
                                  kerb_waypoint_at(length, 0, slope * length)};
    rig r = rig_make_for(vehicle, waypoints, 2, false);
    r.follower.settings.speed = length > 150.0f ? 30.0f : 10.0f;
    r.hz = hz;
    r.slope = slope;
    assert_true(rig_until(&r, KERB_REASON_ARRIVED, 300.0));
    double end = r.time + 3.0;
    while (r.time < end)
        rig_step(&r);
    assert_true(fabsf(rig_speed(&r)) < 0.01f);
    rig_free(&r);
    return (r.motion.position.x - length) * sqrtf(1.0f + slope * slope);
}

// On each length and at each rate of driving; the greatest distance from the end, by length.
static void check_stops(const char* label, const kerb_vehicle* vehicle, float slope,
                        float most_on_short) {
    static const float lengths[] = {2.0f, 100.0f, 200.0f}, rates[] = {20.0f, 60.0f, 120.0f};
    for (int32_t i = 0; i < 3; i++) {
        float worst = 0.0f;
        for (int32_t j = 0; j < 3; j++)
            worst = kerb_max(worst, fabsf(stops_at(vehicle, lengths[i], rates[j], slope)));
        print_message("%s, slope %g, %g m: stops within %.3f m\n", label, (double)slope,
                      (double)lengths[i], (double)worst);
        assert_true(worst <= (i == 0 ? most_on_short : 0.1f));
    }
}

static void it_stops_at_the_end_whatever_the_vehicle_the_slope_and_the_rate(void** state) {
    (void)state;
    // The slopes: the truck hardly gets up 10 % at all.
    const struct {
        const char* name;
        kerb_vehicle vehicle;
        float slope;
    } cases[] = {{"default car", kerb_vehicle_default(), 0.1f},
                 {"toy", toy(), 0.1f},
                 {"truck", truck(), 0.05f}};
    for (int32_t i = 0; i < 9; i++)
        check_stops(cases[i / 3].name, &cases[i / 3].vehicle,
                    (float)(i % 3 - 1) * cases[i / 3].slope, 0.1f);
    check_stops("truck", &cases[2].vehicle, -0.1f, 0.1f);
}

static void weak_brakes_stop_at_the_end_too(void** state) {
    (void)state;
    kerb_vehicle vehicle = weak_brakes();
    check_stops("weak brakes", &vehicle, 0.0f, 0.2f);
}

// The same road and stop, but begun elsewhere and going on farther: another path.
static void a_wait_is_not_cut_short_when_the_path_is_replaced(void** state) {
    (void)state;
    static const float starts[] = {0.0f, -1.0f, 20.0f};
    for (int32_t i = 0; i < 3; i++) {
        kerb_waypoint waypoints[3] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
                                      kerb_waypoint_at(100, 0, 0)};
        waypoints[1].stop = 10.0f;
        rig r = rig_make(waypoints, 3, false);
        assert_true(rig_until(&r, KERB_REASON_WAIT, 60.0));
        double since = r.time;
        while (r.time < since + 2.0)
            rig_step(&r);
        waypoints[0].position.x = starts[i];
        waypoints[2].position.x = 110.0f;
        kerb_host host = kerb_host_default();
        kerb_path_destroy(&r.path);
        assert_int_equal(kerb_path_create(&r.path, waypoints, 3, false, &host, NULL), KERB_OK);
        while (r.motion.position.x < 50.5f && r.time < since + 60.0)
            rig_step(&r);
        print_message("begun at %g m: drives off %.1f s after it stood\n", (double)starts[i],
                      r.time - since);
        assert_true(r.time - since > 10.0 && r.time - since < 13.0);
        rig_free(&r);
    }
}

// --------------------------------------------------------------------------- bad input

static void after_bad_motion_the_safe_controls_are_those_that_a_bad_step_repeats(void** state) {
    (void)state;
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(100, 0, 0)};
    rig r = rig_make(waypoints, 2, false);
    rig_step(&r);
    assert_true(r.controls.throttle > 0.0f);
    kerb_motion bad = r.motion;
    bad.position.x = NAN;
    kerb_controls safe = kerb_controls_safe(KERB_REASON_BAD_MOTION);
    kerb_controls given = kerb_follower_drive(&r.follower, &r.path, &bad, NULL, 1.0f / 60.0f);
    kerb_controls stored = r.follower.controls;
    kerb_controls again = kerb_follower_drive(&r.follower, &r.path, &r.motion, NULL, 0.0f);
    const kerb_controls* all[] = {&given, &stored, &again};
    for (int32_t i = 0; i < 3; i++) {
        assert_true(all[i]->throttle == 0.0f && all[i]->brake == safe.brake);
        assert_true(all[i]->steering == 0.0f && all[i]->gear == safe.gear);
    }
    assert_int_equal(stored.reason, KERB_REASON_BAD_MOTION);
    assert_int_equal(again.reason, KERB_REASON_BAD_STEP);
    rig_free(&r);
}

// --------------------------------------------------------------------------- reversing

// 20 m forwards, then back into a bay: 4 m straight or none, a quarter circle of 8 m radius, 6 m.
static int32_t into_a_bay(kerb_waypoint* waypoints, int32_t straight) {
    int32_t count = rig_straight(waypoints, 21, 1.0f);
    float x = 20.0f, y = 0.0f, heading = KERB_PI;
    for (int32_t i = 0; i < straight + 19; i++) {
        waypoints[count - 1].direction = -1;
        float turn = i >= straight && i < straight + 13 ? 1.0f / 8.0f : 0.0f;
        x += kerb_cos(heading + 0.5f * turn);
        y += kerb_sin(heading + 0.5f * turn);
        heading += turn;
        waypoints[count++] = kerb_waypoint_at(x, y, 0.0f);
    }
    return count;
}

static const kerb_vehicle* reversing_vehicle(int32_t index) {
    static kerb_vehicle vehicles[3];
    vehicles[0] = kerb_vehicle_default();
    vehicles[1] = car_with(2.7f, 0.3f);
    kerb_sim_car_model pickup = kerb_sim_pickup_model();
    vehicles[2] = kerb_sim_car_vehicle(&pickup);
    return &vehicles[index];
}

static void wheels_turn_before_it_sets_off_after_a_reversal(void** state) {
    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        kerb_waypoint waypoints[64];
        const kerb_vehicle* vehicle = reversing_vehicle(i);
        rig r = rig_make_for(vehicle, waypoints, into_a_bay(waypoints, 0), false);
        while (rig_speed(&r) > -0.1f && r.time < 60.0)
            rig_step(&r);
        // The share of the greatest angle that the arc asks for.
        float arc = vehicle->wheelbase / 8.0f / vehicle->steering_angle_max;
        print_message("%g rad/s: wheels at %+.2f of the arc's angle when it sets off\n",
                      (double)vehicle->steering_rate_max, (double)(r.motion.steering / arc));
        assert_true(rig_speed(&r) <= -0.1f);
        assert_true(r.motion.steering < -0.5f * arc); // to the right, as the tail goes left
        rig_free(&r);
    }
}

static void the_steering_command_keeps_to_the_steering_rate_through_a_reversal(void** state) {
    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        kerb_waypoint waypoints[64];
        const kerb_vehicle* vehicle = reversing_vehicle(i % 3);
        int32_t straight = i / 3 * 4;
        rig r = rig_make_for(vehicle, waypoints, into_a_bay(waypoints, straight), false);
        float fastest = 0.0f, before = 0.0f;
        while (r.controls.reason != KERB_REASON_ARRIVED && r.time < 90.0) {
            rig_step(&r);
            fastest = kerb_max(fastest, fabsf(r.controls.steering - before));
            before = r.controls.steering;
        }
        float rate = fastest * r.hz * vehicle->steering_angle_max;
        print_message("%g rad/s, straight %d m: command moves by %.3f rad/s at most\n",
                      (double)vehicle->steering_rate_max, straight, (double)rate);
        assert_int_equal(r.controls.reason, KERB_REASON_ARRIVED);
        assert_true(rate <= 1.05f * vehicle->steering_rate_max);
        rig_free(&r);
    }
}

// --------------------------------------------------------------------------- noise

#define ROAD_POINTS 250

static void winding_road(kerb_waypoint* waypoints) {
    for (int32_t i = 0; i < ROAD_POINTS; i++)
        waypoints[i] = kerb_waypoint_at((float)i, 15.0f * kerb_sin((float)i / 40.0f), 0.0f);
}

static void jittered_waypoints_are_driven_smoothly_and_at_speed(void** state) {
    (void)state;
    kerb_random random = test_random("jittered_waypoints_are_driven_smoothly_and_at_speed");
    for (int32_t run = 0; run < 8; run++) {
        kerb_waypoint clean[ROAD_POINTS], jittered[ROAD_POINTS];
        winding_road(clean);
        winding_road(jittered);
        for (int32_t i = 0; i < ROAD_POINTS; i++) {
            jittered[i].position.x += kerb_random_between(&random, -0.3f, 0.3f);
            jittered[i].position.y += kerb_random_between(&random, -0.3f, 0.3f);
        }
        rig road = rig_make(clean, ROAD_POINTS, false);
        rig r = rig_make(jittered, ROAD_POINTS, false);
        while (r.motion.position.x < 40.0f && r.time < 60.0)
            rig_step(&r);
        double since = r.time, driven = 0.0, error = 0.0;
        while (r.motion.position.x < 210.0f && r.time < 120.0) {
            rig_step(&r);
            kerb_path_location at = kerb_path_nearest(&road.path, r.motion.position);
            float off = kerb_path_cross_track(&road.path, at, r.motion.position);
            driven += (double)(rig_speed(&r) / r.hz);
            error += (double)(fabsf(off) * rig_speed(&r) / r.hz);
        }
        double speed = driven / (r.time - since);
        print_message("mean error %.3f m at %.2f m/s\n", error / driven, speed);
        assert_true(r.motion.position.x >= 210.0f);
        assert_true(error / driven < 0.25);
        assert_true(speed >= 0.8 * (double)r.follower.settings.speed);
        rig_free(&r);
        rig_free(&road);
    }
}

// --------------------------------------------------------------------------- hills

// The greatest way that it rolls back at one time: it tries again after each hold.
static float rolls_back_at_once(rig* r, double until) {
    float farthest = 0.0f, back = 0.0f;
    bool named = false;
    while (r->time < until) {
        rig_step(r);
        bool held = r->controls.reason == KERB_REASON_TOO_STEEP && fabsf(rig_speed(r)) < 0.01f;
        farthest = held ? r->motion.position.x : kerb_max(farthest, r->motion.position.x);
        back = kerb_max(back, farthest - r->motion.position.x);
        named = named || held;
    }
    assert_true(named);
    return back * sqrtf(1.0f + r->slope * r->slope);
}

static void a_hill_that_is_too_steep_is_held(void** state) {
    (void)state;
    kerb_vehicle weak = kerb_vehicle_default();
    weak.acceleration_max = 1.5f;
    static const float slopes[] = {0.25f, 0.35f};
    for (int32_t i = 0; i < 2; i++) {
        // From 40 m on; the car comes to it at speed.
        kerb_waypoint waypoints[81];
        rig_straight(waypoints, 81, 2.0f);
        for (int32_t j = 0; j < 81; j++)
            waypoints[j].position.z = slopes[i] * kerb_max(waypoints[j].position.x - 40.0f, 0.0f);
        rig r = rig_make_for(&weak, waypoints, 81, false);
        r.slope = slopes[i];
        r.foot = 40.0f;
        float back = rolls_back_at_once(&r, 40.0);
        print_message("slope %g: rolls back %.2f m at once\n", (double)slopes[i], (double)back);
        assert_true(back < 1.5f);
        assert_true(r.motion.position.x > 60.0f);
        rig_free(&r);
    }
}

// A long hill of 30 %, and a car that is too weak for it, from x on.
static rig below_a_hill(float throttle_delay, float foot) {
    kerb_vehicle weak = kerb_vehicle_default();
    weak.acceleration_max = 1.5f;
    weak.throttle_delay = throttle_delay;
    kerb_waypoint waypoints[81];
    rig_straight(waypoints, 81, 2.0f);
    for (int32_t j = 0; j < 81; j++)
        waypoints[j].position.z = 0.3f * kerb_max(waypoints[j].position.x - foot, 0.0f);
    rig r = rig_make_for(&weak, waypoints, 81, false);
    r.slope = 0.3f;
    r.foot = foot;
    return r;
}

static void on_a_hill_that_is_too_steep_it_loses_no_ground_and_asks_in_the_end(void** state) {
    (void)state;
    static const float delays[] = {0.1f, 0.5f, 2.0f}, feet[] = {-10.0f, 40.0f};
    for (int32_t i = 0; i < 6; i++) {
        rig r = below_a_hill(delays[i % 3], feet[i / 3]);
        float farthest = 0.0f, back = 0.0f;
        double held = 0.0;
        while (r.controls.reason != KERB_REASON_TELEPORT && r.time < 180.0) {
            rig_step(&r);
            farthest = kerb_max(farthest, r.motion.position.x);
            back = kerb_max(back, farthest - r.motion.position.x);
            if (r.controls.reason == KERB_REASON_TOO_STEEP)
                held += 1.0 / (double)r.hz;
            assert_int_not_equal(r.controls.reason, KERB_REASON_BACKING_OUT);
        }
        print_message("%g s of delay: loses %.2f m in %.0f s\n", (double)delays[i % 3],
                      (double)back, r.time);
        assert_int_equal(r.controls.reason, KERB_REASON_TELEPORT);
        assert_true(back * sqrtf(1.09f) < 0.2f);
        assert_true(held > 30.0);
        rig_free(&r);
    }
}

static void without_recovery_it_never_asks_on_a_hill(void** state) {
    (void)state;
    rig r = below_a_hill(0.2f, 40.0f);
    r.follower.settings.stuck.recovery = KERB_RECOVERY_NONE;
    assert_true(rig_until(&r, KERB_REASON_TOO_STEEP, 30.0));
    assert_false(rig_until(&r, KERB_REASON_TELEPORT, 300.0));
    rig_free(&r);
}

// The host puts the car down at the hill's foot: what was tried in vain is forgotten.
static void put_elsewhere_it_forgets_the_hill(void** state) {
    (void)state;
    rig r = below_a_hill(0.2f, 40.0f);
    assert_true(rig_until(&r, KERB_REASON_TELEPORT, 120.0));
    r.car.position = kerb_vec3_make(5.0f, 0.0f, 0.0f);
    r.motion = kerb_sim_car_motion(&r.car);
    while (r.motion.position.x < 35.0f && r.time < 200.0) {
        rig_step(&r);
        assert_int_not_equal(r.controls.reason, KERB_REASON_TOO_STEEP);
    }
    assert_true(r.motion.position.x >= 35.0f);
    rig_free(&r);
}

static float rolls_back_setting_off(rig* r) {
    r->slope = 0.15f;
    rig_step(r);
    float start = r->motion.position.x, lowest = start;
    while (r->motion.position.x < start + 10.0f && r->time < 30.0) {
        rig_step(r);
        lowest = kerb_min(lowest, r->motion.position.x);
    }
    assert_true(r->motion.position.x >= start + 10.0f);
    return (start - lowest) * sqrtf(1.0f + r->slope * r->slope);
}

static void it_sets_off_uphill_without_rolling_back(void** state) {
    (void)state;
    kerb_vehicle slow = kerb_vehicle_default();
    slow.throttle_delay = 0.6f;
    for (int32_t i = 0; i < 6; i++) {
        kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(60, 0, 9)};
        waypoints[0].stop = i % 2 == 0 ? 0.0f : 2.0f;
        rig r = i < 4 ? rig_make_named(i < 2 ? "pickup" : "scout", waypoints, 2)
                      : rig_make_for(&slow, waypoints, 2, false);
        float back = rolls_back_setting_off(&r);
        print_message("%s, after %g s: rolls back %.3f m\n",
                      i < 2   ? "pickup"
                      : i < 4 ? "scout"
                              : "slow engine",
                      (double)waypoints[0].stop, (double)back);
        assert_true(back < 0.03f);
        rig_free(&r);
    }
}

int follower_cases_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_steering_finishes_the_courses_close_to_the_road),
        cmocka_unit_test(the_example_vehicles_finish_the_courses_close_to_the_road),
        cmocka_unit_test(the_reference_vehicles_finish_all_courses),
        cmocka_unit_test(steering_is_steady_on_a_circle_however_coarse_its_waypoints),
        cmocka_unit_test(pedals_do_not_flutter_in_a_steady_bend),
        cmocka_unit_test(it_stops_at_the_end_whatever_the_vehicle_the_slope_and_the_rate),
        cmocka_unit_test(weak_brakes_stop_at_the_end_too),
        cmocka_unit_test(a_wait_is_not_cut_short_when_the_path_is_replaced),
        cmocka_unit_test(after_bad_motion_the_safe_controls_are_those_that_a_bad_step_repeats),
        cmocka_unit_test(wheels_turn_before_it_sets_off_after_a_reversal),
        cmocka_unit_test(the_steering_command_keeps_to_the_steering_rate_through_a_reversal),
        cmocka_unit_test(jittered_waypoints_are_driven_smoothly_and_at_speed),
        cmocka_unit_test(a_hill_that_is_too_steep_is_held),
        cmocka_unit_test(on_a_hill_that_is_too_steep_it_loses_no_ground_and_asks_in_the_end),
        cmocka_unit_test(without_recovery_it_never_asks_on_a_hill),
        cmocka_unit_test(put_elsewhere_it_forgets_the_hill),
        cmocka_unit_test(it_sets_off_uphill_without_rolling_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
