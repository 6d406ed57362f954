// From wishes to controls: vehicles of sim/ turn to the direction and reach the speed wished.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kerb/steer.h"
#include "sim/vehicle.h"

#include <math.h>

#define STEP (1.0f / 60.0f)

static const kerb_sim_ground level = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

// A vehicle of sim/ and its driver.
typedef struct rig {
    kerb_sim_vehicle vehicle;
    kerb_steering_driver driver;
    kerb_surroundings around;
} rig;

static rig rig_of(const char* name) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    rig r = {.vehicle = kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f),
             .driver = kerb_steering_driver_make(&model.vehicle),
             .around = kerb_surroundings_default()};
    return r;
}

static kerb_steering wish_of(float heading, float speed) {
    kerb_steering wish = {kerb_vec3_make(kerb_cos(heading), kerb_sin(heading), 0.0f), speed};
    return wish;
}

static kerb_motion drive(rig* r, const kerb_steering* wish, float seconds) {
    for (int32_t i = 0; i < (int32_t)(seconds / STEP); i++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&r->vehicle);
        kerb_controls controls =
            kerb_steering_driver_drive(&r->driver, wish, &motion, &r->around, STEP);
        for (int32_t k = 0; k < 4; k++)
            kerb_sim_vehicle_step(&r->vehicle, &controls, &level, 0.25f * STEP);
    }
    return kerb_sim_vehicle_motion(&r->vehicle);
}

static void every_vehicle_reaches_direction_and_speed(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        rig r = rig_of(kerb_sim_model_name(i));
        kerb_steering wish = wish_of(2.0f, 8.0f);
        kerb_motion motion = drive(&r, &wish, 25.0f);
        float course = kerb_atan2(motion.velocity.y, motion.velocity.x);
        if (fabsf(course - 2.0f) > 0.03f || fabsf(kerb_motion_forward_speed(&motion) - 8.0f) > 0.3f)
            fail_msg("%s: course %g, speed %g", kerb_sim_model_name(i), (double)course,
                     (double)kerb_motion_forward_speed(&motion));
    }
}

static void the_heading_hardly_swings_past_the_wish(void** state) {
    (void)state;
    static const char* const names[] = {"pickup", "buggy", "scout", "carrier", "tank"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rig r = rig_of(names[i]);
        kerb_steering ahead = wish_of(0.0f, 10.0f), aside = wish_of(1.0f, 10.0f);
        drive(&r, &ahead, 12.0f);
        float most = 0.0f;
        for (int32_t k = 0; k < 600; k++) {
            kerb_motion motion = drive(&r, &aside, 1.5f * STEP);
            most = kerb_max(most, kerb_quat_heading(motion.rotation));
        }
        if (!(most > 0.99f && most < 1.05f))
            fail_msg("%s: heading up to %g", names[i], (double)most);
    }
}

static void negative_speeds_drive_in_reverse_with_the_front_to_the_wish(void** state) {
    (void)state;
    static const char* const names[] = {"pickup", "tank"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rig r = rig_of(names[i]);
        kerb_steering wish = wish_of(0.8f, -3.0f);
        kerb_motion motion = drive(&r, &wish, 15.0f);
        assert_true(fabsf(kerb_quat_heading(motion.rotation) - 0.8f) < 0.03f);
        assert_true(fabsf(kerb_motion_forward_speed(&motion) + 3.0f) < 0.2f);
    }
}

static void a_change_of_direction_comes_after_a_stop(void** state) {
    (void)state;
    rig r = rig_of("pickup");
    kerb_steering forwards = wish_of(0.0f, 10.0f), back = wish_of(0.0f, -3.0f);
    drive(&r, &forwards, 8.0f);
    for (int32_t i = 0; i < 300; i++) {
        kerb_motion motion = drive(&r, &back, 1.5f * STEP);
        if (kerb_motion_forward_speed(&motion) > 0.5f) {
            assert_true(r.driver.controls.gear >= 0);
            assert_true(r.driver.controls.throttle == 0.0f);
        }
    }
    kerb_motion motion = kerb_sim_vehicle_motion(&r.vehicle);
    assert_true(kerb_motion_forward_speed(&motion) < -2.5f);
}

static void tracks_turn_where_they_stand(void** state) {
    (void)state;
    rig r = rig_of("tank");
    kerb_steering wish = wish_of(-2.5f, 0.0f);
    kerb_motion motion = drive(&r, &wish, 8.0f);
    assert_true(fabsf(kerb_quat_heading(motion.rotation) + 2.5f) < 0.03f);
    assert_true(hypotf(motion.position.x, motion.position.y) < 0.5f);
}

static void no_wish_of_direction_brakes_and_holds(void** state) {
    (void)state;
    rig r = rig_of("pickup");
    kerb_steering ahead = wish_of(0.0f, 15.0f), none = {{0.0f, 0.0f, 0.0f}, 0.0f};
    drive(&r, &ahead, 8.0f);
    kerb_motion motion = drive(&r, &none, 6.0f);
    assert_true(fabsf(kerb_motion_forward_speed(&motion)) < 0.01f);
    assert_true(r.driver.controls.brake == 1.0f);
}

static void sharp_turns_are_slowed_down_for_and_gentle_ones_are_not(void** state) {
    (void)state;
    rig r = rig_of("pickup");
    kerb_steering ahead = wish_of(0.0f, 25.0f), gentle = wish_of(0.2f, 25.0f);
    drive(&r, &ahead, 15.0f);
    float least = 100.0f;
    for (int32_t i = 0; i < 120; i++) {
        kerb_motion motion = drive(&r, &gentle, 1.5f * STEP);
        least = kerb_min(least, kerb_motion_forward_speed(&motion));
    }
    assert_true(least > 24.0f);
    kerb_steering sharp = wish_of(-2.2f, 25.0f);
    for (int32_t i = 0; i < 180; i++) {
        kerb_motion motion = drive(&r, &sharp, 1.5f * STEP);
        least = kerb_min(least, kerb_motion_forward_speed(&motion));
    }
    assert_true(least < 12.0f);
}

// Of the rear axle, from where it points. [rad]
static float rear_slip(const kerb_vehicle* vehicle, const kerb_motion* motion) {
    kerb_vec3 front = kerb_quat_forward(motion->rotation);
    float aside = front.x * motion->velocity.y - front.y * motion->velocity.x -
                  vehicle->reference_to_rear_axle * motion->angular_velocity.z;
    return fabsf(kerb_atan2(aside, kerb_max(kerb_motion_forward_speed(motion), 3.0f)));
}

static void turn_hard(const char* name, float speed, float angle, float* past, float* slip) {
    rig r = rig_of(name);
    kerb_steering ahead = wish_of(0.0f, speed), aside = wish_of(angle, 30.0f);
    drive(&r, &ahead, 12.0f);
    *past = *slip = 0.0f;
    for (int32_t i = 0; i < 360; i++) {
        kerb_motion motion = drive(&r, &aside, 1.5f * STEP);
        float error = kerb_wrap_angle(kerb_quat_heading(motion.rotation) - angle);
        *past = kerb_max(*past, error);
        *slip = kerb_max(*slip, rear_slip(&r.driver.vehicle, &motion));
    }
}

static void full_speed_into_a_sharp_turn_does_not_spin_a_car(void** state) {
    (void)state;
    static const char* const names[] = {"pickup", "truck", "buggy", "gt", "road", "formula"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int32_t k = 0; k < 4; k++) {
            float speed = k < 2 ? 15.0f : 25.0f, angle = k % 2 ? 1.6f : 2.4f, past, slip;
            turn_hard(names[i], speed, angle, &past, &slip);
            if (!(past < 0.09f && slip < 0.2f)) // 5 and 11 degrees
                fail_msg("%s, %g m/s, %g rad: %g past it, %g rad of slip", names[i], (double)speed,
                         (double)angle, (double)past, (double)slip);
        }
    }
}

static void the_speed_cap_holds_forwards_and_in_reverse(void** state) {
    (void)state;
    rig r = rig_of("pickup");
    r.around.speed_cap = 4.0f;
    kerb_steering wish = wish_of(0.0f, 15.0f), back = wish_of(0.0f, -15.0f);
    kerb_motion motion = drive(&r, &wish, 8.0f);
    assert_true(fabsf(kerb_motion_forward_speed(&motion) - 4.0f) < 0.2f);
    assert_int_equal(r.driver.controls.reason, KERB_REASON_SPEED_CAP);
    motion = drive(&r, &back, 10.0f);
    assert_true(kerb_motion_forward_speed(&motion) > -4.3f);
}

static void numbers_that_are_none_give_safe_controls_and_are_counted(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_steering_driver driver = kerb_steering_driver_make(&vehicle);
    kerb_motion motion = kerb_motion_default();
    kerb_steering wish = wish_of(0.3f, 5.0f);
    kerb_controls first = kerb_steering_driver_drive(&driver, &wish, &motion, NULL, 0.02f);
    static const float bad[] = {0.0f, -1.0f, 1e-9f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kerb_controls again = kerb_steering_driver_drive(&driver, &wish, &motion, NULL, bad[i]);
        assert_int_equal(again.reason, KERB_REASON_BAD_STEP);
        again.reason = first.reason;
        assert_memory_equal(&first, &again, sizeof first);
    }
    wish.speed = NAN;
    assert_int_equal(kerb_steering_driver_drive(&driver, &wish, &motion, NULL, 0.02f).reason,
                     KERB_REASON_BAD_MOTION);
    wish = wish_of(0.3f, 1e30f);
    assert_true(
        kerb_is_finite(kerb_steering_driver_drive(&driver, &wish, &motion, NULL, 0.02f).throttle));
    motion.position.x = INFINITY;
    assert_true(kerb_steering_driver_drive(&driver, &wish, &motion, NULL, 0.02f).brake == 1.0f);
    assert_int_equal(driver.bad_frames, 7);
}

// A host that stands still for a while: while the game loads, or at a breakpoint.
static void check_long_step(const char* name, float step) {
    rig r = rig_of(name);
    kerb_steering ahead = wish_of(0.0f, 8.0f), aside = wish_of(1.0f, 8.0f);
    kerb_motion motion = drive(&r, &ahead, 6.0f);
    kerb_steering_driver longest = r.driver;
    const kerb_controls a = kerb_steering_driver_drive(&r.driver, &aside, &motion, &r.around, step);
    const kerb_controls b =
        kerb_steering_driver_drive(&longest, &aside, &motion, &r.around, KERB_TIME_STEP_MAX);
    const int32_t counted = step > KERB_TIME_STEP_MAX ? 1 : 0;
    if (r.driver.bad_frames != counted || longest.bad_frames != 0)
        fail_msg("%s, %g s: counted %d", name, (double)step, (int)r.driver.bad_frames);
    if (a.throttle != b.throttle || a.brake != b.brake || a.steering != b.steering ||
        a.gear != b.gear || a.reason != b.reason)
        fail_msg("%s, %g s: %g %g %g, as %g s: %g %g %g", name, (double)step, (double)a.throttle,
                 (double)a.brake, (double)a.steering, (double)KERB_TIME_STEP_MAX,
                 (double)b.throttle, (double)b.brake, (double)b.steering);
    // What it remembers has moved on by the same time, too.
    assert_true(r.driver.memory.speed_control.integral_term ==
                longest.memory.speed_control.integral_term);
    motion = drive(&r, &aside, 12.0f);
    if (fabsf(kerb_atan2(motion.velocity.y, motion.velocity.x) - 1.0f) > 0.05f ||
        fabsf(kerb_motion_forward_speed(&motion) - 8.0f) > 0.4f)
        fail_msg("%s, after %g s: course %g, %g m/s", name, (double)step,
                 (double)kerb_atan2(motion.velocity.y, motion.velocity.x),
                 (double)kerb_motion_forward_speed(&motion));
    assert_int_equal(r.driver.bad_frames, counted);
}

static void a_step_that_is_too_long_is_counted_and_driven_as_the_longest(void** state) {
    (void)state;
    static const float steps[] = {0.25f, 0.26f, 0.5f, 10.0f, 1.0e30f};
    for (int32_t i = 0; i < kerb_sim_model_count(); i++)
        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
            check_long_step(kerb_sim_model_name(i), steps[k]);
}

// Two frames a second, for half a minute: controls stay in their range, and it keeps its speed.
static void a_host_of_long_steps_alone_is_driven_within_its_speed(void** state) {
    (void)state;
    static const char* const names[] = {"pickup", "tank", "hovercraft"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rig r = rig_of(names[i]);
        kerb_steering wish = wish_of(0.6f, 5.0f);
        float fastest = 0.0f;
        for (int32_t frame = 0; frame < 60; frame++) {
            kerb_motion motion = kerb_sim_vehicle_motion(&r.vehicle);
            fastest = kerb_max(fastest, fabsf(kerb_motion_forward_speed(&motion)));
            const kerb_controls controls =
                kerb_steering_driver_drive(&r.driver, &wish, &motion, &r.around, 0.5f);
            assert_true(controls.throttle >= 0.0f && controls.throttle <= 1.0f);
            assert_true(controls.brake >= 0.0f && controls.brake <= 1.0f);
            assert_true(fabsf(controls.steering) <= 1.0f);
            for (int32_t k = 0; k < 120; k++)
                kerb_sim_vehicle_step(&r.vehicle, &controls, &level, 0.5f / 120.0f);
        }
        kerb_motion motion = kerb_sim_vehicle_motion(&r.vehicle);
        print_message("%s: at most %.1f m/s, at the end %.1f\n", names[i], (double)fastest,
                      (double)kerb_motion_forward_speed(&motion));
        assert_int_equal(r.driver.bad_frames, 60);
        assert_true(fastest < 10.0f && fastest > 2.5f);
    }
}

static void default_settings_are_valid(void** state) {
    (void)state;
    kerb_steering_driver_settings settings = kerb_steering_driver_settings_default();
    assert_int_equal(kerb_settings_validate(&kerb_steering_driver_settings_table, &settings, NULL),
                     KERB_OK);
}

int steer_driver_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vehicle_reaches_direction_and_speed),
        cmocka_unit_test(the_heading_hardly_swings_past_the_wish),
        cmocka_unit_test(negative_speeds_drive_in_reverse_with_the_front_to_the_wish),
        cmocka_unit_test(a_change_of_direction_comes_after_a_stop),
        cmocka_unit_test(tracks_turn_where_they_stand),
        cmocka_unit_test(no_wish_of_direction_brakes_and_holds),
        cmocka_unit_test(sharp_turns_are_slowed_down_for_and_gentle_ones_are_not),
        cmocka_unit_test(full_speed_into_a_sharp_turn_does_not_spin_a_car),
        cmocka_unit_test(the_speed_cap_holds_forwards_and_in_reverse),
        cmocka_unit_test(numbers_that_are_none_give_safe_controls_and_are_counted),
        cmocka_unit_test(a_step_that_is_too_long_is_counted_and_driven_as_the_longest),
        cmocka_unit_test(a_host_of_long_steps_alone_is_driven_within_its_speed),
        cmocka_unit_test(default_settings_are_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
