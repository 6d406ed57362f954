// What flyer, parker, steering driver, company and trail make of a host that tells nonsense, puts
// vehicles elsewhere, or moves the origin.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/cars.h"
#include "kerb/fly.h"
#include "kerb/lane_company.h"
#include "kerb/seek.h"
#include "sim/airplane.h"
#include "sim/vehicle.h"
#include "test/seed.h"

#include <math.h>

#define STEP (1.0f / 60.0f)

static void shift(kerb_vec3* place, kerb_vec3 origin) {
    *place = kerb_vec3_sub(*place, origin);
}

static float any_number(kerb_random* random) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e9f, 1e12f, 3e38f};
    return odd[kerb_random_below(random, 8)];
}

static void spoil(kerb_motion* motion, kerb_random* random) {
    float* numbers[] = {&motion->position.x, &motion->position.z,        &motion->rotation.x,
                        &motion->rotation.w, &motion->velocity.x,        &motion->velocity.y,
                        &motion->velocity.z, &motion->angular_velocity.x};
    *numbers[kerb_random_below(random, 8)] = any_number(random);
}

static void expect_close(const kerb_controls* a, const kerb_controls* b, float most) {
    assert_float_equal(a->throttle, b->throttle, most);
    assert_float_equal(a->brake, b->brake, most);
    assert_float_equal(a->steering, b->steering, most);
    assert_float_equal(a->roll, b->roll, most);
    assert_float_equal(a->pitch, b->pitch, most);
    assert_float_equal(a->yaw, b->yaw, most);
}

// --------------------------------------------------------------------------- flyer

enum { CIRCLE = 120 };

static kerb_path circle_of(float radius) {
    kerb_waypoint waypoints[CIRCLE];
    for (int i = 0; i < CIRCLE; i++) {
        float angle = 2.0f * KERB_PI * (float)i / CIRCLE;
        waypoints[i] =
            kerb_waypoint_at(radius * kerb_sin(angle), radius - radius * kerb_cos(angle), 1000.0f);
    }
    kerb_host host = kerb_host_default();
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints, CIRCLE, true, &host, NULL), KERB_OK);
    return path;
}

typedef struct flight_rig {
    kerb_sim_airplane airplane;
    kerb_flyer flyer;
} flight_rig;

static flight_rig flight_from_start(void) {
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft aircraft = kerb_sim_airplane_aircraft(&model);
    flight_rig r = {.flyer = kerb_flyer_make(&aircraft)};
    r.airplane = kerb_sim_airplane_make(&model, kerb_vec3_make(0.0f, 0.0f, 1000.0f), 0.0f,
                                        aircraft.cruise_speed);
    return r;
}

static void fly(kerb_sim_airplane* airplane, const kerb_controls* controls) {
    for (int i = 0; i < 4; i++)
        kerb_sim_airplane_step(airplane, controls, 0.25f * STEP);
}

static void a_second_after_nonsense_the_flyer_flies_as_if_nothing_had_been(void** state) {
    (void)state;
    kerb_random random = test_random("flyer nonsense");
    kerb_path path = circle_of(600.0f);
    flight_rig r = flight_from_start();
    kerb_flyer told = r.flyer;
    int32_t bad = 0;
    for (int i = 0; i < 60 * 60; i++) {
        kerb_motion motion = kerb_sim_airplane_motion(&r.airplane), odd = motion;
        kerb_controls one = kerb_flyer_follow(&r.flyer, &path, &motion, STEP);
        if (i % 120 == 119)
            spoil(&odd, &random);
        bool is_bad = kerb_motion_validate(&odd, told.aircraft.speed_never_exceed, NULL) != KERB_OK;
        kerb_controls other = kerb_flyer_follow(&told, &path, &odd, STEP);
        if (is_bad)
            assert_int_equal(other.reason, KERB_REASON_BAD_MOTION);
        bad += is_bad;
        assert_int_equal(told.bad_frames, bad);
        if (i % 120 >= 60 && i % 120 < 119)
            expect_close(&one, &other, 0.03f);
        fly(&r.airplane, &one);
    }
    assert_true(bad > 10);
    kerb_path_destroy(&path);
}

static void no_velocity_makes_a_frame_on_a_small_circle_long(void** state) {
    (void)state;
    kerb_path path = circle_of(0.5f);
    for (float speed = 1.0f; speed < 1e30f; speed *= 10.0f) {
        kerb_aircraft aircraft = kerb_aircraft_default();
        kerb_flyer flyer = kerb_flyer_make(&aircraft);
        kerb_motion motion = kerb_motion_default();
        for (int i = 0; i < 3; i++) { // would take hours if the path were walked by the speed
            motion.velocity.x = i == 1 ? speed : 50.0f;
            kerb_controls controls = kerb_flyer_follow(&flyer, &path, &motion, STEP);
            assert_true(kerb_is_finite(controls.roll) && kerb_is_finite(controls.pitch));
        }
    }
    kerb_path_destroy(&path);
}

static void the_flyer_is_put_elsewhere_and_follows_the_path_there(void** state) {
    (void)state;
    kerb_path path = circle_of(600.0f);
    flight_rig r = flight_from_start();
    for (int n = 0; n < 6; n++) {
        float angle = 1.9f * (float)n;
        r.airplane = kerb_sim_airplane_make(
            &r.airplane.model,
            kerb_vec3_make(600.0f * kerb_sin(angle), 600.0f - 600.0f * kerb_cos(angle), 1000.0f),
            angle, r.flyer.aircraft.cruise_speed);
        for (int i = 0; i < 60 * 8; i++) {
            kerb_motion motion = kerb_sim_airplane_motion(&r.airplane);
            kerb_controls controls = kerb_flyer_follow(&r.flyer, &path, &motion, STEP);
            fly(&r.airplane, &controls);
            if (i > 2)
                assert_true(r.flyer.decision.cross_track_error < 12.0f);
        }
    }
    kerb_path_destroy(&path);
}

static void when_the_origin_moves_the_flyer_goes_on_with_its_approach(void** state) {
    (void)state;
    flight_rig r = flight_from_start();
    kerb_flyer moved = r.flyer;
    kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
    kerb_directed_goal goal = {{3000.0f, 900.0f, 1150.0f}, {0.0f, 1.0f, 0.0f}, 55.0f, 1.0f};
    for (int i = 0; i < 60 * 60; i++) {
        if (i % 240 == 239) {
            float way = i % 480 == 239 ? 1.0f : -1.0f;
            kerb_vec3 by = {1024.0f * way, -2048.0f * way, 64.0f * way};
            kerb_flyer_shift_origin(&moved, by);
            origin = kerb_vec3_add(origin, by);
        }
        kerb_motion here = kerb_sim_airplane_motion(&r.airplane), there = here;
        kerb_directed_goal same = goal;
        shift(&there.position, origin);
        shift(&same.position, origin);
        kerb_controls one = kerb_flyer_arrive(&r.flyer, &goal, &here, STEP);
        kerb_controls other = kerb_flyer_arrive(&moved, &same, &there, STEP);
        expect_close(&one, &other, 1e-3f);
        fly(&r.airplane, &one);
    }
}

// --------------------------------------------------------------------------- parker

static const kerb_sim_ground parking_ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

static void roll(kerb_sim_vehicle* vehicle, const kerb_controls* controls) {
    for (int i = 0; i < 4; i++)
        kerb_sim_vehicle_step(vehicle, controls, &parking_ground, 0.25f * STEP);
}

static kerb_sim_model car_model(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    return kerb_sim_model_for(&vehicle);
}

static bool parks(kerb_parker* parker, kerb_sim_vehicle* vehicle, kerb_pose goal) {
    for (int i = 0; i < 60 * 90; i++) {
        kerb_motion motion = kerb_sim_vehicle_motion(vehicle);
        kerb_controls controls = kerb_parker_drive(parker, goal, &motion, NULL, STEP);
        roll(vehicle, &controls);
        if (controls.reason == KERB_REASON_ARRIVED)
            return true;
    }
    return false;
}

static void a_parker_that_is_put_elsewhere_parks_from_there(void** state) {
    (void)state;
    kerb_random random = test_random("parker elsewhere");
    const kerb_sim_model model = car_model();
    for (int n = 0; n < 12; n++) {
        kerb_parker parker = kerb_parker_make(&model.vehicle);
        kerb_pose goal = kerb_pose_make(10.0f, 3.0f, 1.0f);
        kerb_sim_vehicle car =
            kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
        int frames = 30 + kerb_random_below(&random, 400);
        for (int i = 0; i < frames; i++) {
            kerb_motion motion = kerb_sim_vehicle_motion(&car);
            kerb_controls controls = kerb_parker_drive(&parker, goal, &motion, NULL, STEP);
            roll(&car, &controls);
        }
        car =
            kerb_sim_vehicle_make(&model,
                                  kerb_vec3_make(kerb_random_between(&random, 20.0f, 40.0f),
                                                 kerb_random_between(&random, -20.0f, 20.0f), 0.0f),
                                  kerb_random_between(&random, -3.0f, 3.0f));
        assert_true(parks(&parker, &car, goal));
    }
}

static void a_glitch_of_one_frame_costs_a_parker_no_plan(void** state) {
    (void)state;
    const kerb_sim_model model = car_model();
    kerb_parker parker = kerb_parker_make(&model.vehicle);
    kerb_sim_vehicle car = kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    kerb_pose goal = kerb_pose_make(30.0f, 6.0f, 0.4f);
    for (int i = 0; i < 60 * 6; i++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&car), told = motion;
        if (i % 50 == 49)
            told.position.y += 300.0f;
        kerb_controls controls = kerb_parker_drive(&parker, goal, &told, NULL, STEP);
        roll(&car, &controls);
        assert_true(parker.plan_count <= 1);
    }
}

static void when_the_origin_moves_a_parker_keeps_its_plan(void** state) {
    (void)state;
    const kerb_sim_model model = car_model();
    kerb_parker stays = kerb_parker_make(&model.vehicle), moved = stays;
    kerb_sim_vehicle car = kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    kerb_pose goal = kerb_pose_make(30.3f, 6.7f, 0.4f);
    kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 60 * 20; i++) {
        if (i % 200 == 199) {
            float way = i % 400 == 199 ? 1.0f : -1.0f;
            kerb_vec3 by = {1024.3f * way, -2048.9f * way, 64.0f * way};
            kerb_parker_shift_origin(&moved, by);
            origin = kerb_vec3_add(origin, by);
        }
        kerb_motion here = kerb_sim_vehicle_motion(&car), there = here;
        shift(&there.position, origin);
        kerb_pose same = {{goal.position.x - origin.x, goal.position.y - origin.y}, goal.forward};
        kerb_controls one = kerb_parker_drive(&stays, goal, &here, NULL, STEP);
        kerb_controls other = kerb_parker_drive(&moved, same, &there, NULL, STEP);
        expect_close(&one, &other, 5e-3f);
        assert_int_equal(stays.plan_count, moved.plan_count);
        roll(&car, &one);
    }
    assert_int_equal(stays.controls.reason, KERB_REASON_ARRIVED);
}

// --------------------------------------------------------------------------- steering driver

static void a_second_after_nonsense_the_steering_driver_drives_as_before(void** state) {
    (void)state;
    kerb_random random = test_random("steering driver nonsense");
    const kerb_sim_model model = car_model();
    kerb_steering_driver healthy = kerb_steering_driver_make(&model.vehicle), told = healthy;
    kerb_sim_vehicle car = kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    int32_t bad = 0;
    for (int i = 0; i < 60 * 30; i++) {
        float heading = 0.002f * (float)i;
        kerb_steering wish = {{kerb_cos(heading), kerb_sin(heading), 0.0f}, 12.0f};
        kerb_motion motion = kerb_sim_vehicle_motion(&car), odd = motion;
        kerb_controls one = kerb_steering_driver_drive(&healthy, &wish, &motion, NULL, STEP);
        if (i % 120 == 119)
            spoil(&odd, &random);
        bad += kerb_motion_validate(&odd, model.vehicle.speed_max, NULL) != KERB_OK;
        kerb_controls other = kerb_steering_driver_drive(&told, &wish, &odd, NULL, STEP);
        assert_int_equal(told.bad_frames, bad);
        if (i % 120 >= 60 && i % 120 < 119)
            expect_close(&one, &other, 0.02f);
        roll(&car, &one);
    }
    assert_true(bad > 5);
    // With another origin it drives as one without: it was not put elsewhere.
    kerb_steering wish = {{1.0f, 0.0f, 0.0f}, 12.0f};
    kerb_motion motion = kerb_sim_vehicle_motion(&car);
    const kerb_vec3 by = {1024.0f, -2048.0f, 64.0f};
    kerb_steering_driver stays = told;
    kerb_controls here = kerb_steering_driver_drive(&stays, &wish, &motion, NULL, STEP);
    kerb_steering_driver_shift_origin(&told, by);
    shift(&motion.position, by);
    kerb_controls there = kerb_steering_driver_drive(&told, &wish, &motion, NULL, STEP);
    expect_close(&here, &there, 1e-3f);
}

// --------------------------------------------------------------------------- trail and company

static void a_trail_survives_a_glitch_and_moves_with_the_origin(void** state) {
    (void)state;
    kerb_trail trail = {0};
    for (int i = 0; i < 100; i++)
        kerb_trail_record(&trail, kerb_vec3_make((float)i, 0.0f, 0.0f));
    int32_t count = trail.count;
    assert_true(count > 40);
    kerb_trail_record(&trail, kerb_vec3_make(1e5f, 0.0f, 0.0f));
    kerb_trail_record(&trail, kerb_vec3_make(100.0f, 0.0f, 0.0f));
    assert_true(trail.count >= count);
    kerb_trail_record(&trail, kerb_vec3_make(1e10f, 0.0f, 0.0f)); // outside of the world
    kerb_trail_shift_origin(&trail, kerb_vec3_make(1000.0f, 50.0f, 0.0f));
    assert_float_equal(trail.here.x, -900.0f, 1e-3f);
    kerb_trail_record(&trail, kerb_vec3_make(-899.0f, -50.0f, 0.0f));
    assert_true(trail.count >= count);
    kerb_trail_record(&trail, kerb_vec3_make(5000.0f, 0.0f, 0.0f)); // really elsewhere
    kerb_trail_record(&trail, kerb_vec3_make(5000.5f, 0.0f, 0.0f));
    assert_int_equal(trail.count, 1);
}

static void a_company_is_done_in_time_whatever_distances_it_is_told(void** state) {
    (void)state;
    kerb_random random = test_random("company numbers");
    kerb_lane_company company = kerb_lane_company_make();
    kerb_lane_bot bots[KERB_LANE_COMPANY_BOTS_MAX];
    kerb_lane_order orders[KERB_LANE_COMPANY_BOTS_MAX];
    for (int i = 0; i < 3000; i++) {
        for (int n = 0; n < KERB_LANE_COMPANY_BOTS_MAX; n++) {
            float size = powf(10.0f, kerb_random_between(&random, 0.0f, 12.0f));
            bots[n] = (kerb_lane_bot){kerb_random_between(&random, -size, size),
                                      kerb_random_between(&random, 0.0f, 30.0f),
                                      kerb_random_between(&random, 0.0f, 7.0f), n % 3 == 0, false};
        }
        kerb_lane_player player = {kerb_random_between(&random, -10.0f, 40.0f), 1.75f};
        if (i % 50 == 0)
            player.speed = any_number(&random);
        kerb_lane_company_drive(&company, &player, bots, KERB_LANE_COMPANY_BOTS_MAX, STEP, orders);
        for (int n = 0; n < KERB_LANE_COMPANY_BOTS_MAX; n++)
            assert_true(kerb_is_finite(orders[n].speed) &&
                        kerb_is_finite(orders[n].edge_distance) &&
                        kerb_is_finite(orders[n].respawn_distance_ahead));
        assert_true(kerb_is_finite(company.pace));
    }
    assert_int_equal(company.bad_frames, 60);
}

int hosts_word_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_after_nonsense_the_flyer_flies_as_if_nothing_had_been),
        cmocka_unit_test(no_velocity_makes_a_frame_on_a_small_circle_long),
        cmocka_unit_test(the_flyer_is_put_elsewhere_and_follows_the_path_there),
        cmocka_unit_test(when_the_origin_moves_the_flyer_goes_on_with_its_approach),
        cmocka_unit_test(a_parker_that_is_put_elsewhere_parks_from_there),
        cmocka_unit_test(a_glitch_of_one_frame_costs_a_parker_no_plan),
        cmocka_unit_test(when_the_origin_moves_a_parker_keeps_its_plan),
        cmocka_unit_test(a_second_after_nonsense_the_steering_driver_drives_as_before),
        cmocka_unit_test(a_trail_survives_a_glitch_and_moves_with_the_origin),
        cmocka_unit_test(a_company_is_done_in_time_whatever_distances_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
