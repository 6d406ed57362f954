// What a vehicle can be, what it does, and what it is told to do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/vehicle.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------- the vehicle

static void the_default_vehicle_is_a_valid_car(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
    assert_true(vehicle.length == 4.5f && vehicle.wheelbase == 2.7f && vehicle.speed_max == 50.0f);
    assert_int_equal(vehicle.drive_train.gear_count, 0);
}

static void one_number_of_the_default_can_be_changed_alone(void** state) {
    (void)state;
    // The header's example: a longer wheelbase is still the same car.
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.wheelbase = 3.1f;
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
    vehicle.drive_train.gear_count = KERB_GEARS_MAX;
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
}

static void scale_size(kerb_vehicle* vehicle, float factor) {
    vehicle->length *= factor;
    vehicle->width *= factor;
    vehicle->reference_to_front *= factor;
    vehicle->reference_to_rear_axle *= factor;
    vehicle->wheelbase *= factor;
    vehicle->drive_train.wheel_radius *= factor;
}

static void toys_and_mining_machines_are_vehicles(void** state) {
    (void)state;
    kerb_vehicle toy = kerb_vehicle_default();
    scale_size(&toy, 0.2f / toy.length);
    toy.mass = 0.05f;
    toy.drag = 0.1f;
    toy.steering_rate_max = 20.0f;
    assert_int_equal(kerb_vehicle_validate(&toy, NULL), KERB_OK);

    kerb_vehicle machine = kerb_vehicle_default();
    scale_size(&machine, 100.0f / machine.length);
    machine.mass = 1.4e7f;
    machine.speed_max = machine.reverse_speed_max = 0.17f;
    machine.acceleration_max = machine.reverse_acceleration_max = 0.01f;
    machine.steering_rate_max = 0.02f;
    assert_int_equal(kerb_vehicle_validate(&machine, NULL), KERB_OK);
}

static void a_reference_point_behind_the_rear_axle_is_allowed(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.reference_to_front = vehicle.length;
    vehicle.reference_to_rear_axle = -0.9f;
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
}

static void assert_refused(const kerb_vehicle* vehicle, kerb_result expected, const char* field,
                           int32_t index) {
    kerb_error error;
    assert_int_equal(kerb_vehicle_validate(vehicle, &error), expected);
    assert_int_equal(kerb_vehicle_validate(vehicle, NULL), expected);
    assert_int_equal(error.result, expected);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
    assert_true(strlen(error.message) > 0);
}

static void numbers_that_no_vehicle_has_are_named(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.wheelbase = 0.0f;
    assert_refused(&vehicle, KERB_ERROR_OUT_OF_RANGE, "wheelbase", -1);
    vehicle = kerb_vehicle_default();
    vehicle.braking_max = NAN;
    assert_refused(&vehicle, KERB_ERROR_NOT_FINITE, "braking_max", -1);
    vehicle = kerb_vehicle_default();
    vehicle.drive_train.gear_count = KERB_GEARS_MAX + 1;
    assert_refused(&vehicle, KERB_ERROR_OUT_OF_RANGE, "drive_train.gear_count", -1);
    vehicle = kerb_vehicle_default();
    vehicle.drive_train.gear_ratio[3] = INFINITY;
    assert_refused(&vehicle, KERB_ERROR_NOT_FINITE, "drive_train.gear_ratio[3]", -1);
    memset(&vehicle, 0, sizeof vehicle);
    assert_refused(&vehicle, KERB_ERROR_OUT_OF_RANGE, "length", -1);
}

static void sizes_that_cannot_be_true_at_once_are_named(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.width = 4.6f;
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "width", -1);
    vehicle = kerb_vehicle_default();
    vehicle.wheelbase = 4.6f;
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "wheelbase", -1);
    vehicle = kerb_vehicle_default();
    vehicle.reference_to_rear_axle = 2.4f;
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "reference_to_rear_axle", -1);
    vehicle = kerb_vehicle_default();
    vehicle.reference_to_front = 1.0f;
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "reference_to_front", -1);
}

static kerb_vehicle geared(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.drive_train.gear_count = 5;
    return vehicle;
}

static void gears_that_cannot_be_driven_are_named(void** state) {
    (void)state;
    kerb_vehicle vehicle = geared();
    vehicle.drive_train.gear_ratio[4] = 0.0f;
    assert_refused(&vehicle, KERB_ERROR_OUT_OF_RANGE, "drive_train.gear_ratio", 4);
    vehicle = geared();
    vehicle.drive_train.gear_ratio[2] = vehicle.drive_train.gear_ratio[1];
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "drive_train.gear_ratio", 2);
    vehicle = geared();
    vehicle.drive_train.engine_speed_idle = vehicle.drive_train.engine_speed_power;
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "drive_train.engine_speed_idle", -1);
    vehicle = geared();
    vehicle.drive_train.engine_speed_max = vehicle.drive_train.engine_speed_power - 1.0f;
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "drive_train.engine_speed_power", -1);
}

static void gears_that_nobody_shifts_may_be_anything(void** state) {
    (void)state;
    kerb_vehicle vehicle = geared();
    for (int i = 5; i < KERB_GEARS_MAX; i++)
        vehicle.drive_train.gear_ratio[i] = 0.0f;
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
    vehicle.drive_train.gear_count = 0;
    vehicle.drive_train.gear_ratio[1] = 99.0f;
    vehicle.drive_train.engine_speed_idle = 600.0f;
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
}

static void a_share_is_linear_between_points_and_constant_beyond(void** state) {
    (void)state;
    kerb_share_curve curve = {.count = 0};
    assert_true(kerb_share_at(&curve, 12.0f) == 1.0f);
    curve = (kerb_share_curve){.count = 3, .speed = {5, 10, 30}, .share = {1, 0.6f, 0.2f}};
    const float at[][2] = {{-3, 1},    {0, 1},     {5, 1},     {7.5f, 0.8f},
                           {10, 0.6f}, {20, 0.4f}, {30, 0.2f}, {99, 0.2f}};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        assert_true(fabsf(kerb_share_at(&curve, at[i][0]) - at[i][1]) < 1e-6f);
    curve.count = 1;
    assert_true(kerb_share_at(&curve, 2.0f) == 1.0f && kerb_share_at(&curve, 20.0f) == 1.0f);
}

static void curves_that_no_vehicle_has_are_named(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.steering_lock = (kerb_share_curve){.count = 2, .speed = {0, 20}, .share = {1, 0.01f}};
    assert_refused(&vehicle, KERB_ERROR_OUT_OF_RANGE, "steering_lock.share", 1);
    vehicle.steering_lock.count = 1;
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
    vehicle.steering_lock.count = KERB_SHARE_POINTS_MAX + 1;
    assert_refused(&vehicle, KERB_ERROR_OUT_OF_RANGE, "steering_lock.count", -1);
    vehicle = kerb_vehicle_default();
    vehicle.power_share = (kerb_share_curve){.count = 3, .speed = {1, 2, 2}, .share = {1, 1, 1}};
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "power_share.speed", 2);
    vehicle.power_share.speed[2] = NAN;
    assert_refused(&vehicle, KERB_ERROR_NOT_FINITE, "power_share.speed[2]", -1);
    vehicle = kerb_vehicle_default();
    // Torque may end at 0, but gives power at engine_speed_power.
    kerb_share_curve* torque = &vehicle.drive_train.torque;
    *torque = (kerb_share_curve){.count = 2, .speed = {100, 700}, .share = {1, 0}};
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
    torque->speed[1] = 500.0f;
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "drive_train.torque.share", -1);
    vehicle = kerb_vehicle_default();
    vehicle.track_width = 2.0f;
    assert_refused(&vehicle, KERB_ERROR_CONTRADICTION, "track_width", -1);
}

static void what_is_not_known_changes_neither_lock_nor_yaw_rate(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int32_t kind = KERB_VEHICLE_WHEELED; kind <= KERB_VEHICLE_HOVER; kind++) {
        vehicle.kind = kind;
        for (float speed = -10.0f; speed < 60.0f; speed += 7.0f) {
            assert_true(kerb_vehicle_steering_lock(&vehicle, speed) == vehicle.steering_angle_max);
            assert_true(kerb_vehicle_yaw_rate(&vehicle, speed) == vehicle.yaw_rate_max);
        }
    }
}

static void no_track_is_faster_than_the_vehicle(void** state) {
    (void)state;
    kerb_random random = test_random("tracks");
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.kind = KERB_VEHICLE_TRACKED;
    for (int32_t i = 0; i < 1000; i++) {
        vehicle.track_width = kerb_random_between(&random, 0.5f, 1.8f);
        vehicle.speed_max = kerb_random_between(&random, 2.0f, 20.0f);
        vehicle.reverse_speed_max = kerb_random_between(&random, 1.0f, 5.0f);
        bool reverse = kerb_random_below(&random, 2) == 0;
        float top = reverse ? vehicle.reverse_speed_max : vehicle.speed_max;
        float speed = kerb_random_between(&random, 0.0f, top);
        float rate = kerb_vehicle_yaw_rate(&vehicle, reverse ? -speed : speed);
        float outer = speed + 0.5f * vehicle.track_width * rate;
        bool is_least = rate <= 0.0501f * vehicle.yaw_rate_max;
        assert_true(outer <= 1.0001f * top || is_least);
        assert_true(rate == vehicle.yaw_rate_max || outer >= 0.9999f * top);
    }
    vehicle.kind = KERB_VEHICLE_HOVER; // which has no tracks
    assert_true(kerb_vehicle_yaw_rate(&vehicle, vehicle.speed_max) == vehicle.yaw_rate_max);
}

static void what_a_gear_says_has_its_words(void** state) {
    (void)state;
    assert_string_equal(kerb_gear_told_text(KERB_GEAR_TOLD_ENGAGED), "engaged");
    assert_string_equal(kerb_gear_told_text(KERB_GEAR_TOLD_NOTHING), "nothing");
    assert_string_equal(kerb_gear_told_text((kerb_gear_told)9), "unknown");
}

static void the_rear_axle_turns_on_the_circle_of_the_bicycle(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int i = 1; i < 15; i++) {
        vehicle.steering_angle_max = 0.1f * (float)i;
        double expected = 2.7 / tan((double)vehicle.steering_angle_max);
        assert_true(fabs((double)kerb_vehicle_turning_radius(&vehicle) - expected) <
                    2e-6 * (1.0 + expected));
    }
}

// ------------------------------------------------------------------- motion

static void at_first_a_vehicle_stands_at_the_origin_facing_x(void** state) {
    (void)state;
    kerb_motion motion = kerb_motion_default();
    assert_true(kerb_motion_is_finite(&motion));
    assert_true(kerb_motion_forward_speed(&motion) == 0.0f);
    assert_true(kerb_quat_forward(motion.rotation).x == 1.0f);
    assert_int_equal(motion.gear, 1);
}

#define MOTION_NUMBER(field)                                                                       \
    { #field, offsetof(kerb_motion, field) }
static const struct {
    const char* field;
    size_t offset;
} motion_numbers[] = {
    MOTION_NUMBER(position.x),         MOTION_NUMBER(position.y),
    MOTION_NUMBER(position.z),         MOTION_NUMBER(rotation.x),
    MOTION_NUMBER(rotation.y),         MOTION_NUMBER(rotation.z),
    MOTION_NUMBER(rotation.w),         MOTION_NUMBER(velocity.x),
    MOTION_NUMBER(velocity.y),         MOTION_NUMBER(velocity.z),
    MOTION_NUMBER(angular_velocity.x), MOTION_NUMBER(angular_velocity.y),
    MOTION_NUMBER(angular_velocity.z), MOTION_NUMBER(steering),
    MOTION_NUMBER(engine_speed),       MOTION_NUMBER(wheel_slip),
};
enum { MOTION_NUMBERS = sizeof motion_numbers / sizeof *motion_numbers };

static void one_number_that_is_none_spoils_a_motion(void** state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < MOTION_NUMBERS; i++) {
        for (int b = 0; b < 3; b++) {
            kerb_motion motion = kerb_motion_default();
            memcpy((char*)&motion + motion_numbers[i].offset, &bad[b], sizeof(float));
            assert_false(kerb_motion_is_finite(&motion));
            kerb_error error;
            assert_int_equal(kerb_motion_validate(&motion, 50.0f, &error), KERB_ERROR_NOT_FINITE);
            assert_int_equal(kerb_motion_validate(&motion, 50.0f, NULL), KERB_ERROR_NOT_FINITE);
            assert_string_equal(error.field, motion_numbers[i].field);
            assert_int_equal(error.index, -1);
        }
    }
}

// A motion whose numbers are any floats, a few of them, and ordinary ones for the rest.
static kerb_motion spoilt_motion(kerb_random* random) {
    kerb_motion motion = kerb_motion_default();
    for (int32_t k = kerb_random_below(random, 4); k > 0; k--) {
        uint32_t bits = kerb_random_bits(random); // of any float, NaN and infinity among them
        if (kerb_random_below(random, 4) == 0)
            bits |= 0x7F800000u;
        memcpy((char*)&motion + motion_numbers[kerb_random_below(random, MOTION_NUMBERS)].offset,
               &bits, sizeof bits);
    }
    return motion;
}

static double length3(kerb_vec3 v) {
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static void a_motion_is_valid_within_what_vehicles_can_do(void** state) {
    (void)state;
    kerb_random random = test_random("motions");
    int32_t valid = 0;
    for (int n = 0; n < 20000; n++) {
        kerb_motion motion = spoilt_motion(&random);
        float speed_max = kerb_random_between(&random, 0.1f, 100.0f);
        bool is_valid = kerb_motion_validate(&motion, speed_max, NULL) == KERB_OK;
        valid += is_valid;
        if (!kerb_motion_is_finite(&motion)) {
            assert_false(is_valid);
            continue;
        }
        kerb_quat q = motion.rotation;
        double turn = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y +
                           (double)q.z * (double)q.z + (double)q.w * (double)q.w);
        kerb_vec3 at = motion.position;
        bool near =
            fabs((double)at.x) <= 1e6 && fabs((double)at.y) <= 1e6 && fabs((double)at.z) <= 1e6;
        bool possible = near && turn >= 0.5 && turn <= 2.0 &&
                        length3(motion.velocity) <= 3.0 * (double)speed_max + 100.0 &&
                        length3(motion.angular_velocity) <= 100.0;
        assert_int_equal(is_valid, possible);
    }
    assert_true(valid > 2000 && valid < 18000);
}

static void an_impossible_motion_is_named(void** state) {
    (void)state;
    kerb_error error;
    kerb_motion motion = kerb_motion_default();
    motion.rotation.w = 0.0f;
    assert_false(kerb_motion_is_finite(&motion));
    assert_int_equal(kerb_motion_validate(&motion, 50.0f, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "rotation");
    motion.rotation.w = 0.9f; // which drivers bring to unit length
    assert_int_equal(kerb_motion_validate(&motion, 50.0f, &error), KERB_OK);
    motion.velocity.y = 251.0f;
    assert_int_equal(kerb_motion_validate(&motion, 50.0f, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "velocity");
    motion.velocity.y = 249.0f;
    assert_int_equal(kerb_motion_validate(&motion, 50.0f, &error), KERB_OK);
    motion.angular_velocity.z = -101.0f;
    assert_int_equal(kerb_motion_validate(&motion, 50.0f, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "angular_velocity");
    motion = kerb_motion_default();
    motion.position.z = 1.1e6f;
    assert_int_equal(kerb_motion_validate(&motion, 50.0f, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "position");
}

static void forward_speed_is_along_the_vehicle_and_signed(void** state) {
    (void)state;
    kerb_motion motion = kerb_motion_default();
    motion.rotation = kerb_quat_from_heading(0.5f * KERB_PI);
    motion.velocity = kerb_vec3_make(3.0f, -7.0f, 1.0f);
    assert_true(fabsf(kerb_motion_forward_speed(&motion) + 7.0f) < 1e-5f);
}

static void default_surroundings_do_not_matter(void** state) {
    (void)state;
    kerb_surroundings surroundings = kerb_surroundings_default();
    const kerb_setting* fastest = kerb_settings_find(&kerb_vehicle_table, "speed_max");
    assert_true(surroundings.speed_cap > fastest->max);
    assert_true(kerb_is_finite(surroundings.speed_cap));
    assert_true(surroundings.grip == 1.0f);
}

// ------------------------------------------------------------------- controls

static void every_reason_has_its_own_words(void** state) {
    (void)state;
    for (int i = 0; i < KERB_REASON_COUNT; i++) {
        const char* text = kerb_reason_text((kerb_reason)i);
        assert_non_null(text);
        assert_true(strlen(text) > 2);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(text, kerb_reason_text((kerb_reason)j));
    }
    assert_string_equal(kerb_reason_text(KERB_REASON_CURVE), "bend ahead");
    assert_string_equal(kerb_reason_text(KERB_REASON_COUNT), "unknown");
}

static void safe_controls_brake_with_straight_wheels(void** state) {
    (void)state;
    kerb_controls controls = kerb_controls_safe(KERB_REASON_BAD_MOTION);
    assert_true(controls.brake == 1.0f && controls.throttle == 0.0f && controls.steering == 0.0f);
    assert_true(controls.pitch == 0.0f && controls.roll == 0.0f && controls.yaw == 0.0f &&
                controls.lift == 0.0f);
    assert_int_equal(controls.gear, 0);
    assert_int_equal(controls.reason, KERB_REASON_BAD_MOTION);
}

static float signed_throttle(float throttle, float brake, int32_t gear, float speed) {
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.throttle = throttle;
    controls.brake = brake;
    controls.gear = gear;
    return kerb_controls_signed_throttle(&controls, speed);
}

static void one_signed_input_drives_the_way_of_the_gear(void** state) {
    (void)state;
    assert_true(signed_throttle(0.7f, 0.0f, 1, 0.0f) == 0.7f);
    assert_true(signed_throttle(0.7f, 0.0f, 4, 20.0f) == 0.7f);
    assert_true(signed_throttle(0.7f, 0.0f, -1, 0.0f) == -0.7f);
    assert_true(signed_throttle(0.7f, 0.0f, 0, 5.0f) == 0.0f);
}

static void one_signed_input_brakes_against_the_motion(void** state) {
    (void)state;
    assert_true(signed_throttle(0.0f, 0.4f, 1, 10.0f) == -0.4f);
    assert_true(signed_throttle(0.0f, 0.4f, 1, -10.0f) == 0.4f);
    assert_true(signed_throttle(0.0f, 0.4f, -1, -10.0f) == 0.4f);
    // Still rolling back on a hill, with the forward gear in: the same way.
    assert_true(signed_throttle(0.5f, 1.0f, 1, -10.0f) == 1.0f);
}

static void a_braked_vehicle_at_rest_is_not_driven_back(void** state) {
    (void)state;
    assert_true(signed_throttle(0.0f, 1.0f, 1, 0.0f) == 0.0f);
    // And no jump from one side to the other on the way to rest.
    assert_true(fabsf(signed_throttle(0.0f, 1.0f, 1, 0.01f)) < 0.05f);
    assert_true(fabsf(signed_throttle(0.0f, 1.0f, 1, -0.01f)) < 0.05f);
}

static void the_handbrake_is_a_full_brake(void** state) {
    (void)state;
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.brake = 0.0f;
    controls.handbrake = true;
    assert_true(kerb_controls_signed_throttle(&controls, 10.0f) == -1.0f);
}

int vehicle_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_vehicle_is_a_valid_car),
        cmocka_unit_test(one_number_of_the_default_can_be_changed_alone),
        cmocka_unit_test(toys_and_mining_machines_are_vehicles),
        cmocka_unit_test(a_reference_point_behind_the_rear_axle_is_allowed),
        cmocka_unit_test(numbers_that_no_vehicle_has_are_named),
        cmocka_unit_test(sizes_that_cannot_be_true_at_once_are_named),
        cmocka_unit_test(gears_that_cannot_be_driven_are_named),
        cmocka_unit_test(gears_that_nobody_shifts_may_be_anything),
        cmocka_unit_test(a_share_is_linear_between_points_and_constant_beyond),
        cmocka_unit_test(curves_that_no_vehicle_has_are_named),
        cmocka_unit_test(what_is_not_known_changes_neither_lock_nor_yaw_rate),
        cmocka_unit_test(no_track_is_faster_than_the_vehicle),
        cmocka_unit_test(what_a_gear_says_has_its_words),
        cmocka_unit_test(the_rear_axle_turns_on_the_circle_of_the_bicycle),
        cmocka_unit_test(at_first_a_vehicle_stands_at_the_origin_facing_x),
        cmocka_unit_test(one_number_that_is_none_spoils_a_motion),
        cmocka_unit_test(a_motion_is_valid_within_what_vehicles_can_do),
        cmocka_unit_test(an_impossible_motion_is_named),
        cmocka_unit_test(forward_speed_is_along_the_vehicle_and_signed),
        cmocka_unit_test(default_surroundings_do_not_matter),
        cmocka_unit_test(every_reason_has_its_own_words),
        cmocka_unit_test(safe_controls_brake_with_straight_wheels),
        cmocka_unit_test(one_signed_input_drives_the_way_of_the_gear),
        cmocka_unit_test(one_signed_input_brakes_against_the_motion),
        cmocka_unit_test(a_braked_vehicle_at_rest_is_not_driven_back),
        cmocka_unit_test(the_handbrake_is_a_full_brake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
