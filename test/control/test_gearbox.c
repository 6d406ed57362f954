// The gearbox driver, by itself and in the reference pick-up: shifts when it should, and then not
// again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/control.h"
#include "sim/car.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DRIVING_STEP (1.0f / 60.0f)

// --------------------------------------------------------------------------- a car and its driver

// The reference pick-up, its gearbox driver, and what is known of its shifts.
typedef struct drive {
    kerb_vehicle vehicle;
    kerb_sim_car car;
    kerb_gearbox gearbox;
    float time;
    int32_t gear;     ///< asked for
    float last_shift; ///< [s]
    float closest;    ///< two shifts have been [s]
    int shifts;
} drive;

static drive drive_make(void) {
    kerb_sim_car_model model = kerb_sim_pickup_model();
    drive d = {
        .vehicle = kerb_sim_car_vehicle(&model), .gear = 1, .last_shift = -100, .closest = 1e3f};
    d.car = kerb_sim_car_make(&model, kerb_vec3_make(0, 0, 0), 0.0f);
    return d;
}

// One frame on a slope (rise per metre), with these pedals.
static void step(drive* d, float throttle, float brake, float slope) {
    kerb_motion motion = kerb_sim_car_motion(&d->car);
    kerb_controls controls = {.throttle = throttle, .brake = brake};
    controls.gear = kerb_gearbox_drive(&d->gearbox, &d->vehicle, &motion, 1, throttle, DRIVING_STEP,
                                       &controls.clutch);
    if (controls.gear != d->gear) {
        assert_int_equal(abs(controls.gear - d->gear), 1); // one gear at a time
        d->closest = kerb_min(d->closest, d->time - d->last_shift);
        d->last_shift = d->time;
        d->shifts++;
        d->gear = controls.gear;
    }
    float length = sqrtf(1.0f + slope * slope);
    for (int i = 0; i < 4; i++) {
        kerb_sim_ground ground = {.height = slope * d->car.position.x,
                                  .normal = {-slope / length, 0.0f, 1.0f / length},
                                  .grip = 1.0f};
        kerb_sim_car_step(&d->car, &controls, &ground, DRIVING_STEP / 4.0f);
    }
    d->time += DRIVING_STEP;
}

static float engine_speed_in(const drive* d, int32_t gear) {
    const kerb_drive_train* train = &d->vehicle.drive_train;
    return d->car.forward * train->gear_ratio[gear - 1] / train->wheel_radius;
}

// --------------------------------------------------------------------------- driving

static void full_throttle_goes_up_through_all_gears_and_braking_down_again(void** state) {
    (void)state;
    drive d = drive_make();
    const kerb_drive_train* train = &d.vehicle.drive_train;
    int32_t before = 1;
    for (int i = 0; i < 60 * 60; i++) {
        step(&d, 1.0f, 0.0f, 0.0f);
        assert_true(d.gear >= before); // no hunting on the way up
        before = d.gear;
        assert_true(engine_speed_in(&d, d.gear) < 1.05f * train->engine_speed_max);
    }
    assert_true(d.gear >= train->gear_count - 1);
    while (d.car.forward > 0.5f) {
        step(&d, 0.0f, 0.6f, 0.0f);
        assert_true(d.gear <= before); // nor on the way down
        before = d.gear;
    }
    for (int i = 0; i < 300; i++)
        step(&d, 0.0f, 1.0f, 0.0f);
    assert_int_equal(d.gear, 1);
    assert_true(d.closest > 2.0f * train->shift_time);
}

// A shift up is a shift to power: under full throttle it comes at the speed of greatest power.
static void full_throttle_shifts_up_at_the_speed_of_greatest_power(void** state) {
    (void)state;
    drive d = drive_make();
    const kerb_drive_train* train = &d.vehicle.drive_train;
    int32_t before = 1;
    for (int i = 0; i < 60 * 40; i++) {
        float turns = engine_speed_in(&d, d.gear);
        step(&d, 1.0f, 0.0f, 0.0f);
        // In first the pause after setting off may hold it a little longer.
        if (d.gear > before)
            assert_true(turns > train->engine_speed_power * (before == 1 ? 0.9f : 0.98f) &&
                        turns < train->engine_speed_power * 1.1f);
        before = d.gear;
    }
    assert_true(before > 2);
}

// Holds speeds with the pedal, as a driver does: after settling, a steady speed is one gear.
static void a_steady_speed_is_held_in_one_gear(void** state) {
    (void)state;
    const float slopes[] = {0.0f, 0.03f, 0.06f, -0.03f};
    for (int s = 0; s < 4; s++)
        for (float speed = 2.0f; speed <= 38.0f; speed += 0.75f) {
            drive d = drive_make();
            kerb_speed_settings settings = {1.5f, 0.5f};
            kerb_speed_controller controller = {0.0f};
            int settled = 0;
            for (int i = 0; i < 60 * 90; i++) {
                float capacity = kerb_full_throttle_acceleration(&d.vehicle, d.car.forward, false);
                float wanted =
                    kerb_speed_control(&controller, &settings, speed - d.car.forward, 0.0f,
                                       -d.vehicle.braking_max, capacity, DRIVING_STEP);
                kerb_controls pedals;
                kerb_pedals(&d.vehicle, wanted, capacity, &pedals);
                step(&d, pedals.throttle, pedals.brake, slopes[s]);
                if (i == 60 * 50)
                    settled = d.shifts;
            }
            if (d.shifts - settled > 1)
                fail_msg("at %.2f m/s on a slope of %.2f it shifts %d times in 40 s", (double)speed,
                         (double)slopes[s], d.shifts - settled);
        }
}

static void two_shifts_are_at_least_twice_the_shift_time_apart(void** state) {
    (void)state;
    kerb_random random = test_random("shifts");
    drive d = drive_make();
    float throttle = 1.0f, brake = 0.0f, slope = 0.0f;
    for (int i = 0; i < 60 * 600; i++) {
        if (kerb_random_below(&random, 40) == 0) {
            throttle = kerb_random_unit(&random);
            brake = kerb_random_below(&random, 4) == 0 ? kerb_random_unit(&random) : 0.0f;
            slope = kerb_random_between(&random, -0.15f, 0.15f);
        }
        step(&d, brake > 0.0f ? 0.0f : throttle, brake, slope);
    }
    assert_true(d.shifts > 20);
    assert_true(d.closest >= 2.0f * d.vehicle.drive_train.shift_time);
}

static void lifting_off_shifts_up_early_and_flooring_it_shifts_down(void** state) {
    (void)state;
    int ups = 0, downs = 0;
    for (float speed = 5.0f; speed < 25.0f; speed += 0.5f) {
        drive d = drive_make();
        const kerb_drive_train* train = &d.vehicle.drive_train;
        while (d.car.forward < speed)
            step(&d, 1.0f, 0.0f, 0.0f);
        int32_t hurrying = d.gear;
        for (int i = 0; i < 60 * 4; i++)
            step(&d, 0.12f, 0.0f, 0.0f);
        assert_true(d.gear >= hurrying);
        ups += d.gear > hurrying;
        int32_t strolling = d.gear;
        bool lower_has_room =
            strolling > 1 && engine_speed_in(&d, strolling - 1) < 0.75f * train->engine_speed_power;
        int32_t lowest = strolling;
        for (int i = 0; i < 60; i++) {
            step(&d, 1.0f, 0.0f, 0.0f);
            lowest = d.gear < lowest ? d.gear : lowest;
        }
        if (lower_has_room)
            assert_true(lowest < strolling);
        downs += lowest < strolling;
    }
    assert_true(ups > 10 && downs > 5);
}

// --------------------------------------------------------------------------- directions, by itself

static int32_t gear_asked(const kerb_vehicle* vehicle, int32_t engaged, float speed,
                          int32_t direction, float* clutch) {
    kerb_gearbox gearbox = {.time_since_shift = 60.0f};
    kerb_motion motion = kerb_motion_default();
    motion.gear = engaged;
    motion.velocity = kerb_vec3_make(speed, 0.0f, 0.0f);
    return kerb_gearbox_drive(&gearbox, vehicle, &motion, direction, 0.5f, DRIVING_STEP, clutch);
}

static void travel_in_reverse_takes_reverse_whatever_is_engaged(void** state) {
    (void)state;
    kerb_vehicle geared = drive_make().vehicle, plain = kerb_vehicle_default();
    for (int32_t engaged = -1; engaged <= 3; engaged++) {
        float clutch = 1.0f;
        assert_int_equal(gear_asked(&geared, engaged, 0.0f, -1, &clutch), -1);
        assert_int_equal(gear_asked(&plain, engaged, 0.0f, -1, &clutch), -1);
        assert_int_equal(gear_asked(&plain, engaged, 20.0f, 1, &clutch), 1);
    }
}

static void setting_off_forwards_takes_first(void** state) {
    (void)state;
    kerb_vehicle geared = drive_make().vehicle;
    for (int32_t engaged = -1; engaged <= 1; engaged++) {
        float clutch = 1.0f;
        assert_int_equal(gear_asked(&geared, engaged, 0.0f, 1, &clutch), 1);
        assert_int_equal(gear_asked(&geared, engaged, -2.0f, 1, &clutch), 1); // rolling back
    }
}

// Some engines report neutral while they shift, or are handed over while rolling.
static void neutral_at_speed_takes_a_gear_that_the_engine_can_turn(void** state) {
    (void)state;
    kerb_vehicle geared = drive_make().vehicle;
    const kerb_drive_train* train = &geared.drive_train;
    for (float speed = 0.0f; speed < 40.0f; speed += 0.5f) {
        float clutch;
        int32_t gear = gear_asked(&geared, 0, speed, 1, &clutch);
        assert_true(gear >= 1 && gear <= train->gear_count);
        float turns = speed * train->gear_ratio[gear - 1] / train->wheel_radius;
        assert_true(turns <= train->engine_speed_power || gear == train->gear_count);
    }
}

static void an_engine_that_shifts_through_neutral_gets_the_gear_it_was_told(void** state) {
    (void)state;
    kerb_vehicle geared = drive_make().vehicle;
    const kerb_drive_train* train = &geared.drive_train;
    kerb_gearbox gearbox = {0};
    kerb_motion motion = kerb_motion_default();
    int32_t told = 1, through = 0;
    for (int i = 0; i < 60 * 40; i++) {
        float speed = i < 60 * 20 ? 1.5f * (float)i / 60.0f : 30.0f - 1.5f * (float)(i - 1200) / 60;
        // Lifting off while it shifts up and pressing on while it shifts down: a gear for that
        // would be another one.
        bool floored = (i < 60 * 20) == (through <= 0);
        float clutch, throttle = floored ? 1.0f : 0.0f;
        motion.velocity.x = speed;
        motion.gear = through > 0 ? 0 : told;
        int32_t before = told;
        told = kerb_gearbox_drive(&gearbox, &geared, &motion, 1, throttle, DRIVING_STEP, &clutch);
        if (through > 0)
            assert_int_equal(told, before); // it is on its way there
        through = told != before ? (int32_t)(60.0f * train->shift_time) : through - 1;
    }
    assert_int_equal(told, 1);
}

static void the_clutch_opens_to_shift_and_only_then(void** state) {
    (void)state;
    kerb_vehicle geared = drive_make().vehicle;
    for (int32_t engaged = 1; engaged <= geared.drive_train.gear_count; engaged++)
        for (float speed = 0.0f; speed < 45.0f; speed += 0.5f) {
            float clutch = -1.0f;
            int32_t gear = gear_asked(&geared, engaged, speed, 1, &clutch);
            assert_true(clutch == (gear != engaged ? 1.0f : 0.0f));
        }
}

static void a_gear_that_does_not_exist_is_left_for_the_highest(void** state) {
    (void)state;
    kerb_vehicle geared = drive_make().vehicle;
    float clutch;
    assert_int_equal(gear_asked(&geared, 9, 30.0f, 1, &clutch), geared.drive_train.gear_count);
}

int gearbox_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_throttle_goes_up_through_all_gears_and_braking_down_again),
        cmocka_unit_test(full_throttle_shifts_up_at_the_speed_of_greatest_power),
        cmocka_unit_test(a_steady_speed_is_held_in_one_gear),
        cmocka_unit_test(two_shifts_are_at_least_twice_the_shift_time_apart),
        cmocka_unit_test(lifting_off_shifts_up_early_and_flooring_it_shifts_down),
        cmocka_unit_test(travel_in_reverse_takes_reverse_whatever_is_engaged),
        cmocka_unit_test(setting_off_forwards_takes_first),
        cmocka_unit_test(neutral_at_speed_takes_a_gear_that_the_engine_can_turn),
        cmocka_unit_test(an_engine_that_shifts_through_neutral_gets_the_gear_it_was_told),
        cmocka_unit_test(the_clutch_opens_to_shift_and_only_then),
        cmocka_unit_test(a_gear_that_does_not_exist_is_left_for_the_highest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
