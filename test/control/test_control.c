// What drivers share: speed control, pedals, steering. Against closed forms, and properties over
// random vehicles. The gearbox has a file of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/control.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %.3g", value, expected, tolerance);
}

static float between(kerb_random* random, float least, float most) {
    return kerb_random_between(random, least, most);
}

// From least to most, as likely in each power of ten.
static float by_magnitude(kerb_random* random, float least, float most) {
    double from = log((double)least), to = log((double)most);
    return (float)exp(from + (to - from) * (double)kerb_random_unit(random));
}

static kerb_vehicle random_vehicle(kerb_random* random) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.wheelbase = by_magnitude(random, 0.2f, 12.0f);
    vehicle.steering_angle_max = between(random, 0.1f, 1.4f);
    vehicle.understeer_gradient = between(random, 0.0f, 0.02f);
    vehicle.speed_max = by_magnitude(random, 2.0f, 100.0f);
    vehicle.reverse_speed_max = by_magnitude(random, 1.0f, 20.0f);
    vehicle.acceleration_max = by_magnitude(random, 0.5f, 20.0f);
    vehicle.reverse_acceleration_max = by_magnitude(random, 0.5f, 10.0f);
    vehicle.braking_max = by_magnitude(random, 1.0f, 20.0f);
    vehicle.coasting_deceleration = between(random, 0.0f, 0.3f);
    vehicle.drag = by_magnitude(random, 1e-4f, 2e-3f);
    return vehicle;
}

// --------------------------------------------------------------------------- the PI controller

// A plant that slows by itself, v' = u - v/T, under PI: v'' + (1/T + P) v' + I v = I r.
static double step_response(double p, double i, double slowing, double wanted, double t) {
    double a = 0.5 * (slowing + p), squared = a * a - i;
    double w = sqrt(fabs(squared)), start = (a - p) * wanted;
    double even = squared < 0.0 ? cos(w * t) : cosh(w * t);
    double odd = squared < 0.0 ? sin(w * t) / w : sinh(w * t) / w;
    return wanted - exp(-a * t) * (wanted * even + start * odd);
}

static void check_step_response(float p, float i, float slowing, float wanted) {
    const float step = 1.0f / 2048.0f;
    kerb_speed_settings settings = {p, i};
    kerb_speed_controller controller = {0.0f};
    double speed = 0.0;
    for (int n = 0; n < 20 * 2048; n++) {
        float acceleration = kerb_speed_control(&controller, &settings, wanted - (float)speed, 0.0f,
                                                -1e6f, 1e6f, step);
        speed += (double)step * ((double)acceleration - (double)slowing * speed);
        if (n % 256 == 255) {
            double expected = step_response((double)p, (double)i, (double)slowing, (double)wanted,
                                            (n + 1) * (double)step);
            assert_near(speed, expected, 4e-3 * (double)wanted);
        }
    }
}

static void a_step_is_answered_as_the_differential_equation_says(void** state) {
    (void)state;
    check_step_response(1.5f, 0.5f, 0.0f, 10.0f);
    check_step_response(1.5f, 0.5f, 0.1f, 10.0f);
    check_step_response(0.5f, 2.0f, 0.05f, 10.0f); // rings
    check_step_response(4.0f, 0.2f, 1.0f, 10.0f);
}

// Without the integral term an error stays: 1/(1 + P·T); with it, none.
static void the_integral_term_and_only_it_removes_a_lasting_error(void** state) {
    (void)state;
    for (int integral = 0; integral <= 1; integral++) {
        kerb_speed_settings settings = {2.0f, integral ? 0.8f : 0.0f};
        kerb_speed_controller controller = {0.0f};
        float speed = 0.0f;
        for (int n = 0; n < 6000; n++)
            speed += 0.01f * (kerb_speed_control(&controller, &settings, 20.0f - speed, 0.0f,
                                                 -50.0f, 50.0f, 0.01f) -
                              0.5f * speed);
        assert_near((double)speed, integral ? 20.0 : 20.0 * 2.0 / 2.5, 1e-3);
    }
}

// Settings change while driving. What another gain had summed would hold the brake for ever.
static void without_an_integral_gain_nothing_of_a_sum_stays(void** state) {
    (void)state;
    kerb_speed_settings settings = {2.0f, 0.0f};
    kerb_speed_controller controller = {-7.0f};
    float wanted = kerb_speed_control(&controller, &settings, 1.0f, 0.0f, -9.0f, 9.0f, 0.1f);
    assert_near((double)wanted, 2.0, 1e-6);
    assert_true(controller.integral_term == 0.0f);
}

static void what_is_known_to_be_needed_is_added(void** state) {
    (void)state;
    kerb_speed_settings settings = {2.0f, 0.5f};
    kerb_speed_controller controller = {0.0f};
    float plain = kerb_speed_control(&controller, &settings, 1.0f, 0.0f, -9.0f, 9.0f, 0.1f);
    controller.integral_term = 0.0f;
    float more = kerb_speed_control(&controller, &settings, 1.0f, 1.25f, -9.0f, 9.0f, 0.1f);
    assert_near((double)plain, 2.0 + 0.5 * 0.1, 1e-6);
    assert_near((double)more, (double)plain + 1.25, 1e-6);
}

// By how much v' = u under PI overshoots after a step of `size` without limits.
static double overshoot_of_a_step(double p, double i, double size) {
    double most = 0.0;
    for (double t = 0.0; t < 40.0; t += 0.005) {
        double over = step_response(p, i, 0.0, size, t) - size;
        most = over > most ? over : most;
    }
    return most;
}

// From rest to 30 m/s takes the vehicle's limit of 2 m/s² for 15 s. What it overshoots then is no
// more than after the small step at which the limit is just not reached, 2/P.
static void long_saturation_leaves_no_windup(void** state) {
    (void)state;
    const float gains[][2] = {{1.5f, 0.5f}, {1.0f, 1.0f}, {3.0f, 2.0f}, {0.8f, 0.3f}};
    for (int g = 0; g < 4; g++) {
        kerb_speed_settings settings = {gains[g][0], gains[g][1]};
        kerb_speed_controller controller = {0.0f};
        const float step = 1.0f / 240.0f, most = 2.0f;
        float speed = 0.0f, fastest = 0.0f;
        for (int n = 0; n < 240 * 60; n++) {
            speed += step * kerb_speed_control(&controller, &settings, 30.0f - speed, 0.0f, -6.0f,
                                               most, step);
            fastest = kerb_max(fastest, speed);
        }
        double bound = overshoot_of_a_step((double)gains[g][0], (double)gains[g][1],
                                           (double)(most / gains[g][0]));
        assert_true((double)fastest - 30.0 <= 1.02 * bound + 0.01);
        assert_near((double)speed, 30.0, 0.01);
    }
}

// A minute on a hill that is too steep; over the crest the vehicle must not shoot on: at most
// 1 m/s above 20, with the defaults.
static void after_a_hill_too_steep_speed_comes_back_without_shooting_over(void** state) {
    (void)state;
    kerb_speed_settings settings;
    kerb_settings_set_defaults(&kerb_speed_settings_table, &settings);
    kerb_speed_controller controller = {0.0f};
    const float step = 1.0f / 60.0f;
    float speed = 20.0f, fastest = 0.0f, slowest = 20.0f;
    for (int n = 0; n < 60 * 120; n++) {
        bool hill = n < 60 * 60;
        float gravity = hill ? 3.5f : 0.0f;
        float acceleration =
            kerb_speed_control(&controller, &settings, 20.0f - speed, 0.0f, -8.0f, 3.0f, step);
        speed = kerb_max(speed + step * (acceleration - gravity), 0.0f);
        slowest = kerb_min(slowest, speed);
        if (!hill)
            fastest = kerb_max(fastest, speed);
    }
    assert_true(slowest == 0.0f);
    assert_true(fastest < 21.0f);
    assert_near((double)speed, 20.0, 0.01);
}

static void the_sum_and_the_result_stay_within_what_the_vehicle_can_do(void** state) {
    (void)state;
    kerb_random random = test_random("bounded");
    for (int round = 0; round < 500; round++) {
        kerb_speed_settings settings = {between(&random, 0, 20), between(&random, 0, 20)};
        kerb_speed_controller controller = {0.0f};
        for (int n = 0; n < 200; n++) {
            float least = between(&random, -12.0f, 0.0f), most = between(&random, 0.0f, 8.0f);
            float error = between(&random, -40.0f, 40.0f), known = between(&random, -5, 5);
            if (n % 50 == 49) // a host that hands over nonsense once
                error = n % 100 == 49 ? NAN : INFINITY;
            float result =
                kerb_speed_control(&controller, &settings, error, known, least, most, 0.05f);
            assert_true(result >= least && result <= most);
            assert_true(controller.integral_term >= least && controller.integral_term <= most);
        }
    }
}

// --------------------------------------------------------------------------- speeds

// Brakes in small steps from the speed that is promised to come down in time.
static void the_speed_before_a_place_comes_down_in_time(void** state) {
    (void)state;
    kerb_random random = test_random("speed before");
    for (int i = 0; i < 200; i++) {
        float speed = between(&random, 0.0f, 30.0f), distance = between(&random, 0.1f, 200.0f);
        float deceleration = between(&random, 0.5f, 9.0f);
        double now = (double)kerb_approach_speed(speed, distance, deceleration), gone = 0.0;
        const double step = 1e-3;
        while (now > (double)speed) {
            double next = now - (double)deceleration * step;
            gone += 0.5 * (now + next) * step;
            now = next;
        }
        assert_near(gone, (double)distance, 0.002 * (double)distance + 0.05);
    }
    // At the place, and past it, the speed is that of the place.
    assert_near((double)kerb_approach_speed(7.0f, 0.0f, 3.0f), 7.0, 1e-6);
    assert_near((double)kerb_approach_speed(7.0f, -5.0f, 3.0f), 7.0, 1e-6);
}

static void the_speed_in_a_curve_has_the_lateral_acceleration_asked_for(void** state) {
    (void)state;
    kerb_random random = test_random("speed in curve");
    for (int i = 0; i < 20000; i++) {
        float curvature = by_magnitude(&random, 1e-6f, 10.0f), lateral = between(&random, 0.5f, 20);
        float most = between(&random, 1.0f, 100.0f);
        float speed = kerb_speed_in_curve(curvature, lateral, most);
        assert_true(speed == kerb_speed_in_curve(-curvature, lateral, most));
        assert_true(speed <= most * 1.000001f);
        double needed = (double)speed * (double)speed * (double)curvature;
        if (speed < most)
            assert_near(needed, (double)lateral, 1e-5 * (double)lateral);
        else
            assert_true(needed <= (double)lateral * 1.00001);
    }
    assert_near((double)kerb_speed_in_curve(0.0f, 5.0f, 40.0f), 40.0, 0.0);
}

// --------------------------------------------------------------------------- pedals

static void the_pedals_are_never_both_pressed(void** state) {
    (void)state;
    kerb_random random = test_random("pedals");
    for (int i = 0; i < 50000; i++) {
        kerb_vehicle vehicle = random_vehicle(&random);
        float acceleration = between(&random, -30.0f, 30.0f);
        float capacity = by_magnitude(&random, 0.01f, 20.0f);
        kerb_controls controls = {.throttle = 0.5f, .brake = 0.5f};
        kerb_pedals(&vehicle, acceleration, capacity, &controls);
        assert_true(controls.throttle == 0.0f || controls.brake == 0.0f);
        assert_true(controls.throttle >= 0.0f && controls.throttle <= 1.0f);
        assert_true(controls.brake >= 0.0f && controls.brake <= 1.0f);
        // What the pedal gives is what was asked, as far as the vehicle can.
        double drive = (double)controls.throttle * (double)capacity;
        double brake = (double)controls.brake * (double)vehicle.braking_max;
        double wanted = (double)acceleration;
        if (wanted > 0.0)
            assert_near(drive, wanted < (double)capacity ? wanted : (double)capacity, 1e-4);
        else // braking is let off by what is left to coasting, at most
            assert_true(brake <= -wanted + 1e-4 &&
                        brake >= fmin(-wanted - 0.2, (double)vehicle.braking_max) - 1e-4);
    }
}

static void small_decelerations_are_left_to_coasting(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_controls controls;
    for (float acceleration = 0.0f; acceleration > -0.1f; acceleration -= 0.01f) {
        kerb_pedals(&vehicle, acceleration, 4.0f, &controls);
        assert_true(controls.throttle == 0.0f && controls.brake == 0.0f);
    }
    // Beyond that the brake comes in without a jump.
    float before = 0.0f;
    for (float acceleration = -0.1f; acceleration > -8.0f; acceleration -= 0.01f) {
        kerb_pedals(&vehicle, acceleration, 4.0f, &controls);
        assert_true(controls.brake >= before && controls.brake < before + 0.01f);
        before = controls.brake;
    }
    assert_true(before > 0.95f);
}

// Full throttle from rest ends where drag meets the drive: at the vehicle's top speed.
static void full_throttle_balances_coasting_at_the_top_speed(void** state) {
    (void)state;
    kerb_random random = test_random("top speed");
    for (int i = 0; i < 300; i++) {
        kerb_vehicle vehicle = random_vehicle(&random);
        vehicle.power = 0.001f; // less than it needs says nothing
        for (int reverse = 0; reverse <= 1; reverse++) {
            float top = reverse ? vehicle.reverse_speed_max : vehicle.speed_max;
            float at_rest = reverse ? vehicle.reverse_acceleration_max : vehicle.acceleration_max;
            float resisting = kerb_coasting_deceleration(&vehicle, top);
            // A drive too weak for its drag, or one that hardly meets any, says otherwise.
            if (at_rest < 1.05f * resisting || resisting < 0.021f * at_rest)
                continue;
            assert_near((double)kerb_full_throttle_acceleration(&vehicle, top, reverse),
                        (double)resisting, 1e-4 * (double)resisting);
            double speed = 0.0, step = 0.02 * (double)top / (double)at_rest;
            for (int n = 0; n < 200000; n++)
                speed += step *
                         ((double)kerb_full_throttle_acceleration(&vehicle, (float)speed, reverse) -
                          (double)kerb_coasting_deceleration(&vehicle, (float)speed));
            assert_near(speed, (double)top, 2e-3 * (double)top);
        }
    }
}

// One that a governor holds back pushes with the power that it is said to have.
static void at_speed_the_push_is_power_over_mass_and_speed(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.speed_max = 25.0f;
    vehicle.mass = 2000.0f;
    vehicle.power = 100000.0f;
    vehicle.acceleration_max = 4.0f; // up to 12.5 m/s
    assert_near((double)kerb_full_throttle_acceleration(&vehicle, 12.0f, false), 4.0, 1e-5);
    assert_near((double)kerb_full_throttle_acceleration(&vehicle, 20.0f, false), 2.5, 1e-5);
    assert_near((double)kerb_full_throttle_acceleration(&vehicle, 25.0f, false), 2.0, 1e-5);
    vehicle.power = 300.0f; // it does reach its top speed
    assert_near((double)kerb_full_throttle_acceleration(&vehicle, 25.0f, false),
                (double)kerb_coasting_deceleration(&vehicle, 25.0f), 1e-5);
}

static void capacity_starts_at_the_greatest_acceleration_and_only_falls(void** state) {
    (void)state;
    kerb_random random = test_random("capacity");
    for (int i = 0; i < 1000; i++) {
        kerb_vehicle vehicle = random_vehicle(&random);
        for (int reverse = 0; reverse <= 1; reverse++) {
            float most = reverse ? vehicle.reverse_acceleration_max : vehicle.acceleration_max;
            float before = kerb_full_throttle_acceleration(&vehicle, 0.0f, reverse);
            assert_true(before <= most);
            for (float speed = 0.0f; speed < 150.0f; speed += 1.7f) {
                float capacity = kerb_full_throttle_acceleration(&vehicle, speed, reverse);
                assert_true(capacity > 0.0f && capacity <= before);
                before = capacity;
            }
        }
    }
    kerb_vehicle vehicle = kerb_vehicle_default();
    assert_true(kerb_full_throttle_acceleration(&vehicle, 0.0f, false) == vehicle.acceleration_max);
    assert_true(kerb_full_throttle_acceleration(&vehicle, 0.0f, true) ==
                vehicle.reverse_acceleration_max);
}

static void coasting_is_rolling_resistance_and_drag(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.coasting_deceleration = 0.2f;
    vehicle.drag = 0.0005f;
    assert_near((double)kerb_coasting_deceleration(&vehicle, 0.0f), 0.2, 1e-7);
    assert_near((double)kerb_coasting_deceleration(&vehicle, 40.0f), 0.2 + 0.8, 1e-6);
    assert_near((double)kerb_coasting_deceleration(&vehicle, -40.0f), 0.2 + 0.8, 1e-6);
}

// --------------------------------------------------------------------------- steering

// The centre lies on the y axis at 1/κ: the target is as far from it as the origin.
static void the_pure_pursuit_circle_passes_through_its_target(void** state) {
    (void)state;
    kerb_random random = test_random("pure pursuit");
    for (int i = 0; i < 50000; i++) {
        float size = by_magnitude(&random, 0.01f, 1e4f);
        kerb_vec2 target = {between(&random, -1, 1) * size, between(&random, -1, 1) * size};
        double curvature = (double)kerb_pure_pursuit(target);
        double x = (double)target.x, y = (double)target.y;
        assert_near(curvature * (x * x + y * y), 2.0 * y, 1e-5 * (fabs(x) + fabs(y)));
        if (fabs(curvature) > 1e-3) {
            double radius = 1.0 / curvature;
            assert_near(hypot(x, y - radius), fabs(radius), 1e-4 * (fabs(radius) + (double)size));
        }
    }
    assert_near((double)kerb_pure_pursuit((kerb_vec2){0.0f, 0.0f}), 0.0, 0.0);
    assert_near((double)kerb_pure_pursuit((kerb_vec2){25.0f, 0.0f}), 0.0, 0.0);
    assert_true(kerb_pure_pursuit((kerb_vec2){5.0f, 1.0f}) > 0.0f);
}

static void the_lookahead_grows_with_speed_between_its_bounds(void** state) {
    (void)state;
    assert_near((double)kerb_lookahead_distance(10.0f, 0.8f, 3.0f, 25.0f), 8.0, 1e-6);
    assert_near((double)kerb_lookahead_distance(-10.0f, 0.8f, 3.0f, 25.0f), 8.0, 1e-6);
    assert_near((double)kerb_lookahead_distance(1.0f, 0.8f, 3.0f, 25.0f), 3.0, 0.0);
    assert_near((double)kerb_lookahead_distance(90.0f, 0.8f, 3.0f, 25.0f), 25.0, 0.0);
}

// A bicycle without slip: the rear axle's radius is wheelbase/tan(angle).
static void slow_steering_is_the_bicycles(void** state) {
    (void)state;
    kerb_random random = test_random("bicycle");
    for (int i = 0; i < 20000; i++) {
        kerb_vehicle vehicle = random_vehicle(&random);
        double steering = (double)between(&random, -1, 1);
        double angle = steering * (double)vehicle.steering_angle_max;
        double curvature = tan(angle) / (double)vehicle.wheelbase;
        assert_near((double)kerb_steering_for(&vehicle, (float)curvature, 0.0f), steering, 1e-4);
        assert_near((double)kerb_curvature_of(&vehicle, (float)steering, 0.0f), curvature,
                    1e-4 * (fabs(curvature) + 0.1));
        // In reverse, tyres are slow enough not to slip.
        assert_near((double)kerb_steering_for(&vehicle, (float)curvature, -9.0f), steering, 1e-4);
    }
    // No more than full lock either way.
    kerb_vehicle vehicle = kerb_vehicle_default();
    assert_near((double)kerb_steering_for(&vehicle, 5.0f, 3.0f), 1.0, 0.0);
    assert_near((double)kerb_steering_for(&vehicle, -5.0f, 3.0f), -1.0, 0.0);
}

static void understeer_adds_its_gradient_times_the_lateral_acceleration(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.understeer_gradient = 0.003f;
    const double curvature = 0.01, speed = 20.0;
    double angle = atan((double)vehicle.wheelbase * curvature) + 0.003 * speed * speed * curvature;
    assert_near((double)kerb_steering_for(&vehicle, 0.01f, 20.0f),
                angle / (double)vehicle.steering_angle_max, 1e-5);
}

// Over all vehicles that the table allows, at all speeds, both ways.
static void curvature_and_steering_are_each_others_inverse(void** state) {
    (void)state;
    kerb_random random = test_random("inverse");
    for (int i = 0; i < 100000; i++) {
        kerb_vehicle vehicle = random_vehicle(&random);
        if (i % 2 == 0) {
            vehicle.steering_angle_max = between(&random, 0.01f, 1.5f);
            vehicle.understeer_gradient = between(&random, -0.02f, 0.1f);
        }
        float speed = between(&random, -20.0f, 100.0f), steering = between(&random, -1.0f, 1.0f);
        float curvature = kerb_curvature_of(&vehicle, steering, speed);
        float again = kerb_steering_for(&vehicle, curvature, speed);
        if (!(fabs((double)again - (double)steering) <= 2e-4))
            fail_msg("wheelbase %g, lock %g, gradient %g, speed %g: steering %g drives %g, for "
                     "which %g is steered",
                     (double)vehicle.wheelbase, (double)vehicle.steering_angle_max,
                     (double)vehicle.understeer_gradient, (double)speed, (double)steering,
                     (double)curvature, (double)again);
        // Left is left at any speed.
        assert_true(steering == 0.0f || curvature * steering > 0.0f);
        assert_true(kerb_curvature_of(&vehicle, -steering, speed) == -curvature);
    }
}

int control_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_answered_as_the_differential_equation_says),
        cmocka_unit_test(the_integral_term_and_only_it_removes_a_lasting_error),
        cmocka_unit_test(without_an_integral_gain_nothing_of_a_sum_stays),
        cmocka_unit_test(what_is_known_to_be_needed_is_added),
        cmocka_unit_test(long_saturation_leaves_no_windup),
        cmocka_unit_test(after_a_hill_too_steep_speed_comes_back_without_shooting_over),
        cmocka_unit_test(the_sum_and_the_result_stay_within_what_the_vehicle_can_do),
        cmocka_unit_test(the_speed_before_a_place_comes_down_in_time),
        cmocka_unit_test(the_speed_in_a_curve_has_the_lateral_acceleration_asked_for),
        cmocka_unit_test(the_pedals_are_never_both_pressed),
        cmocka_unit_test(small_decelerations_are_left_to_coasting),
        cmocka_unit_test(full_throttle_balances_coasting_at_the_top_speed),
        cmocka_unit_test(at_speed_the_push_is_power_over_mass_and_speed),
        cmocka_unit_test(capacity_starts_at_the_greatest_acceleration_and_only_falls),
        cmocka_unit_test(coasting_is_rolling_resistance_and_drag),
        cmocka_unit_test(the_pure_pursuit_circle_passes_through_its_target),
        cmocka_unit_test(the_lookahead_grows_with_speed_between_its_bounds),
        cmocka_unit_test(slow_steering_is_the_bicycles),
        cmocka_unit_test(understeer_adds_its_gradient_times_the_lateral_acceleration),
        cmocka_unit_test(curvature_and_steering_are_each_others_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
