// The simulated car with a trailer, against the geometry of circles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/towing.h"

#define STEP 0.01f

// In a steady bend all axles drive about one point: the hitch is at a distance of
// sqrt(car's² + hitch_behind²) = sqrt(trailer's² + trailer_axle²) from it.
static void in_a_steady_bend_the_axles_drive_about_one_point(void** unused) {
    (void)unused;
    const kerb_towing limits = kerb_towing_default();
    kerb_sim_towing towing = kerb_sim_towing_make(&limits, 0.0f, 0.0f, 0.5f, 0.0f);
    const kerb_controls controls = {.throttle = 0.1f, .gear = 1, .steering = 0.7f};
    for (int32_t i = 0; i < 6000; i++) {
        towing.speed = kerb_min(towing.speed, 1.5f);
        kerb_sim_towing_step(&towing, &controls, STEP);
    }
    float angle = 0.7f * limits.car.steering_angle_max;
    float car = limits.car.wheelbase / kerb_tan(angle);
    float hitch = car * car + limits.hitch_behind * limits.hitch_behind;
    float trailer = kerb_sqrt(hitch - limits.trailer_axle * limits.trailer_axle);
    float folded = kerb_atan(limits.trailer_axle / trailer) + kerb_atan(limits.hitch_behind / car);
    assert_float_equal(towing.hitch, folded, 0.005f);
    assert_false(towing.folded);
}

static void in_reverse_it_folds_without_steering(void** unused) {
    (void)unused;
    const kerb_towing limits = kerb_towing_default();
    kerb_sim_towing towing = kerb_sim_towing_make(&limits, 0.0f, 0.0f, 0.0f, 0.02f);
    const kerb_controls controls = {.throttle = 0.1f, .gear = -1};
    for (int32_t i = 0; i < 6000 && !towing.folded; i++) {
        towing.speed = kerb_max(towing.speed, -1.0f);
        kerb_sim_towing_step(&towing, &controls, STEP);
    }
    assert_true(towing.folded);
    assert_float_equal(towing.hitch, limits.hitch_angle_max, 1e-6f);
}

static void brakes_stop_and_hold_it(void** unused) {
    (void)unused;
    const kerb_towing limits = kerb_towing_default();
    kerb_sim_towing towing = kerb_sim_towing_make(&limits, 3.0f, 4.0f, 1.0f, 0.3f);
    kerb_motion motion = kerb_sim_towing_motion(&towing);
    assert_float_equal(kerb_quat_heading(motion.rotation), 1.3f, 1e-4f);
    towing.speed = 2.0f;
    const kerb_controls stop = kerb_controls_safe(KERB_REASON_NONE);
    for (int32_t i = 0; i < 200; i++)
        kerb_sim_towing_step(&towing, &stop, STEP);
    assert_true(towing.speed == 0.0f);
}

int sim_towing_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_steady_bend_the_axles_drive_about_one_point),
        cmocka_unit_test(in_reverse_it_folds_without_steering),
        cmocka_unit_test(brakes_stop_and_hold_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
