// All simulated vehicles behind one interface: the six reference vehicles do what their
// kerb_vehicle says, bodies are given and taken back, every kind can be made for a kerb_vehicle.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/vehicle.h"
#include "test/seed.h"
#include "test/sim_driving.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- what tests need

static kerb_sim_model reference(int32_t index) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(kerb_sim_model_name(index), &model));
    return model;
}

static kerb_sim_vehicle at_origin(const kerb_sim_model* model) {
    return kerb_sim_vehicle_make(model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
}

static float speed_of(const kerb_sim_vehicle* vehicle) {
    return kerb_sim_vehicle_body(vehicle).forward;
}

// Shifts up as a driver would.
static int32_t gear_of(const kerb_sim_vehicle* vehicle, const kerb_sim_model* model) {
    kerb_sim_car car = vehicle->car;
    return model->vehicle.drive_train.gear_count > 0 ? gear_for(&car) : 1;
}

static void full_speed(kerb_sim_vehicle* vehicle, const kerb_sim_model* model, float seconds) {
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    for (int i = 0; i < (int)(seconds / STEP); i++) {
        controls.gear = gear_of(vehicle, model);
        kerb_sim_vehicle_step(vehicle, &controls, &level, STEP);
    }
}

static void push(kerb_sim_vehicle* vehicle, const kerb_controls* controls,
                 const kerb_sim_ground* ground, float seconds) {
    for (int i = 0; i < (int)(seconds / STEP + 0.5f); i++)
        kerb_sim_vehicle_step(vehicle, controls, ground, STEP);
}

// --------------------------------------------------------------------------- the six

static void there_are_six_by_name_and_no_other(void** state) {
    (void)state;
    const char* names[6] = {"pickup", "buggy", "scout", "carrier", "tank", "hovercraft"};
    assert_int_equal(kerb_sim_model_count(), 6);
    for (int32_t i = 0; i < 6; i++) {
        kerb_sim_model model = reference(i);
        assert_string_equal(kerb_sim_model_name(i), names[i]);
        assert_string_equal(model.name, names[i]);
        assert_true(strlen(kerb_sim_model_about(i)) > 10);
        assert_int_equal(kerb_vehicle_validate(&model.vehicle, NULL), KERB_OK);
    }
    kerb_sim_model untouched, model;
    memset(&model, 0x5A, sizeof model);
    untouched = model;
    assert_false(kerb_sim_model_named("zeppelin", &model));
    assert_false(kerb_sim_model_named("", &model));
    assert_memory_equal(&model, &untouched, sizeof model);
}

static void each_turns_as_its_kind_says(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model);
        kerb_controls controls = in_gear(1);
        controls.steering = 1.0f;
        push(&vehicle, &controls, &level, 4.0f);
        kerb_sim_body body = kerb_sim_vehicle_body(&vehicle);
        if (model.vehicle.kind == KERB_VEHICLE_WHEELED)
            assert_true(body.yaw_rate == 0.0f);
        else
            expect_within((double)body.yaw_rate, (double)model.vehicle.yaw_rate_max, 0.02, "yaw");
        assert_true(kerb_abs(body.position.x) < 0.01f);
    }
}

static void the_cars_drive_the_circles_that_their_turning_radius_says(void** state) {
    (void)state;
    const double radii[4] = {6.3, 4.5, 7.0, 10.5};
    for (int32_t i = 0; i < 4; i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model);
        cruise(&vehicle.car, 1.5f, 1.0f, 12.0f);
        double radius = (double)(vehicle.car.forward / vehicle.car.yaw_rate);
        expect_within((double)kerb_vehicle_turning_radius(&model.vehicle), radii[i], 0.01,
                      "stated");
        expect_within(radius, radii[i], 0.04, "driven");
    }
}

static void each_reaches_its_top_speed_and_no_more(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model);
        full_speed(&vehicle, &model, 150.0f);
        expect_within((double)speed_of(&vehicle), (double)model.vehicle.speed_max, 0.02, "top");
    }
}

static void each_reverses_to_its_top_speed(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model);
        kerb_controls controls = in_gear(-1);
        controls.throttle = 1.0f;
        push(&vehicle, &controls, &level, 40.0f);
        double most = (double)model.vehicle.reverse_speed_max;
        expect_within((double)-speed_of(&vehicle), most, 0.03, "reverse");
    }
}

static void each_launches_and_stops_as_its_vehicle_says(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        const kerb_vehicle* limits = &model.vehicle;
        kerb_sim_vehicle vehicle = at_origin(&model);
        vehicle.car.throttle = vehicle.tracked.throttle = vehicle.hover.throttle = 1.0f;
        full_speed(&vehicle, &model, 0.2f); // until the load has moved to the rear
        float before = speed_of(&vehicle);
        full_speed(&vehicle, &model, 0.2f);
        expect_within((double)(speed_of(&vehicle) - before), 0.2 * (double)limits->acceleration_max,
                      0.06, "gained");
        full_speed(&vehicle, &model, 20.0f);
        // From here on, with the lag of a fan that is also the brake.
        kerb_controls controls = in_gear(1);
        controls.brake = 1.0f;
        double speed = (double)speed_of(&vehicle),
               start = (double)kerb_sim_vehicle_body(&vehicle).position.x;
        push(&vehicle, &controls, &level, 20.0f);
        double f = (double)limits->braking_max, d = (double)limits->drag;
        double way = log(1.0 + d * speed * speed / f) / (2.0 * d);
        bool hovers = limits->kind == KERB_VEHICLE_HOVER;
        way += hovers ? 0.7 * (double)limits->throttle_delay * speed : 0.0;
        assert_true(speed_of(&vehicle) == 0.0f);
        expect_within((double)kerb_sim_vehicle_body(&vehicle).position.x - start, way, 0.06, "way");
    }
}

static void each_stays_where_it_was_braked_to_a_stop_on_a_slope(void** state) {
    (void)state;
    kerb_sim_ground slope = rising(0.15f);
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model);
        full_speed(&vehicle, &model, 2.0f);
        kerb_controls controls = in_gear(1);
        controls.brake = 1.0f;
        push(&vehicle, &controls, &slope, 5.0f);
        kerb_vec3 stood = kerb_sim_vehicle_motion(&vehicle).position;
        push(&vehicle, &controls, &slope, 20.0f);
        kerb_vec3 stands = kerb_sim_vehicle_motion(&vehicle).position;
        assert_memory_equal(&stands, &stood, sizeof stood);
    }
}

static void each_climbs_a_hill_of_fifteen_percent(void** state) {
    (void)state;
    kerb_sim_ground slope = rising(0.15f);
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model);
        kerb_controls controls = in_gear(1);
        controls.throttle = 1.0f;
        push(&vehicle, &controls, &slope, 10.0f);
        assert_true(kerb_sim_vehicle_body(&vehicle).position.x > 15.0f);
    }
}

// --------------------------------------------------------------------------- any vehicle

static void a_model_for_a_vehicle_is_of_its_kind_and_tells_its_limits(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_model made = kerb_sim_model_for(&model.vehicle);
        assert_memory_equal(&made.vehicle, &model.vehicle, sizeof made.vehicle);
        kerb_sim_vehicle vehicle = at_origin(&made);
        assert_int_equal(vehicle.kind, model.vehicle.kind);
        kerb_sim_body body = kerb_sim_vehicle_body(&vehicle),
                      like = kerb_sim_vehicle_body(&vehicle);
        expect_within((double)body.mass, (double)model.vehicle.mass, 1e-6, "mass");
        expect_within((double)(body.front + body.back), (double)model.vehicle.length, 1e-5,
                      "length");
        expect_within((double)body.half_width, 0.5 * (double)model.vehicle.width, 1e-5, "width");
        assert_true(like.yaw_inertia > 0.0f);
        full_speed(&vehicle, &made, 150.0f);
        expect_within((double)speed_of(&vehicle), (double)model.vehicle.speed_max, 0.04, "top");
    }
}

static void the_default_vehicle_of_any_kind_can_be_driven(void** state) {
    (void)state;
    for (int32_t kind = KERB_VEHICLE_WHEELED; kind <= KERB_VEHICLE_HOVER; kind++) {
        kerb_vehicle limits = kerb_vehicle_default();
        limits.kind = kind;
        kerb_sim_model model = kerb_sim_model_for(&limits);
        kerb_sim_vehicle vehicle = at_origin(&model);
        full_speed(&vehicle, &model, 3.0f);
        kerb_controls controls = in_gear(1);
        controls.steering = 0.2f;
        push(&vehicle, &controls, &level, 1.0f);
        assert_true(speed_of(&vehicle) > 5.0f);
        assert_true(kerb_sim_vehicle_body(&vehicle).yaw_rate > 0.1f);
    }
}

static void it_starts_at_rest_with_its_reference_point_where_it_is_put(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_vec3 place = kerb_vec3_make(12.0f, -5.0f, 3.0f);
        kerb_sim_vehicle vehicle = kerb_sim_vehicle_make(&model, place, 2.0f);
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        assert_true(kerb_vec3_length(kerb_vec3_sub(motion.position, place)) < 1e-5f);
        assert_true(kerb_abs(kerb_quat_heading(motion.rotation) - 2.0f) < 1e-5f);
        assert_true(kerb_vec3_length(motion.velocity) == 0.0f && motion.gear == 1);
    }
}

// --------------------------------------------------------------------------- bodies

static void random_controls(kerb_random* random, kerb_controls* controls) {
    controls->throttle = kerb_max(kerb_random_between(random, -1.0f, 1.5f), 0.0f);
    controls->brake = kerb_max(kerb_random_between(random, -2.0f, 1.5f), 0.0f);
    controls->steering = kerb_random_between(random, -1.2f, 1.2f);
    controls->gear = kerb_random_below(random, 3) - 1;
}

static void a_body_given_and_taken_back_changes_nothing_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random("body");
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model), other = vehicle;
        kerb_sim_ground slope = rising(0.05f);
        kerb_controls controls = in_gear(1);
        for (int step = 0; step < 2400; step++) {
            if (step % 60 == 0)
                random_controls(&random, &controls);
            kerb_sim_body body = kerb_sim_vehicle_body(&vehicle);
            kerb_sim_vehicle_set_body(&vehicle, &body);
            kerb_sim_vehicle_step(&vehicle, &controls, &slope, STEP);
            kerb_sim_vehicle_step(&other, &controls, &slope, STEP);
            assert_memory_equal(&vehicle, &other, sizeof vehicle);
        }
    }
}

static void a_body_that_was_pushed_is_where_and_as_fast_as_it_was_put(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model);
        kerb_sim_body body = kerb_sim_vehicle_body(&vehicle);
        body.position = kerb_vec3_make(3.0f, 4.0f, 0.5f);
        body.heading = 0.5f;
        body.forward = 2.0f;
        body.side = -1.0f;
        body.yaw_rate = 0.3f;
        kerb_sim_vehicle_set_body(&vehicle, &body);
        kerb_sim_body back = kerb_sim_vehicle_body(&vehicle);
        assert_memory_equal(&back, &body, sizeof body);
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        assert_true(kerb_abs(kerb_quat_heading(motion.rotation) - 0.5f) < 1e-5f);
        assert_true(kerb_abs(motion.angular_velocity.z - 0.3f) < 1e-6f);
        kerb_vec3 forward = kerb_quat_forward(motion.rotation);
        assert_true(kerb_abs(kerb_vec3_dot(motion.velocity, forward) - 2.0f) < 1e-5f);
        kerb_controls controls = in_gear(1);
        kerb_sim_vehicle_step(&vehicle, &controls, &level, STEP);
        assert_true(kerb_abs(speed_of(&vehicle) - 2.0f) < 0.2f); // and drives on from there
    }
}

static void a_turned_body_keeps_its_tilt(void** state) {
    (void)state;
    kerb_sim_ground slope = rising(0.2f);
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model = reference(i);
        kerb_sim_vehicle vehicle = at_origin(&model);
        kerb_controls controls = in_gear(1);
        controls.brake = 1.0f;
        push(&vehicle, &controls, &slope, 0.1f);
        kerb_vec3 up = kerb_quat_up(kerb_sim_vehicle_motion(&vehicle).rotation);
        kerb_sim_body body = kerb_sim_vehicle_body(&vehicle);
        body.heading += 0.01f;
        kerb_sim_vehicle_set_body(&vehicle, &body);
        kerb_vec3 turned = kerb_quat_up(kerb_sim_vehicle_motion(&vehicle).rotation);
        assert_true(kerb_vec3_length(kerb_vec3_sub(turned, up)) < 0.003f);
        assert_true(kerb_vec3_length(kerb_vec3_sub(up, slope.normal)) < 1e-4f);
    }
}

int sim_vehicle_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_six_by_name_and_no_other),
        cmocka_unit_test(each_turns_as_its_kind_says),
        cmocka_unit_test(the_cars_drive_the_circles_that_their_turning_radius_says),
        cmocka_unit_test(each_reaches_its_top_speed_and_no_more),
        cmocka_unit_test(each_reverses_to_its_top_speed),
        cmocka_unit_test(each_launches_and_stops_as_its_vehicle_says),
        cmocka_unit_test(each_stays_where_it_was_braked_to_a_stop_on_a_slope),
        cmocka_unit_test(each_climbs_a_hill_of_fifteen_percent),
        cmocka_unit_test(a_model_for_a_vehicle_is_of_its_kind_and_tells_its_limits),
        cmocka_unit_test(the_default_vehicle_of_any_kind_can_be_driven),
        cmocka_unit_test(it_starts_at_rest_with_its_reference_point_where_it_is_put),
        cmocka_unit_test(a_body_given_and_taken_back_changes_nothing_to_the_bit),
        cmocka_unit_test(a_body_that_was_pushed_is_where_and_as_fast_as_it_was_put),
        cmocka_unit_test(a_turned_body_keeps_its_tilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
