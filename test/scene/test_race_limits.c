// Limits measured by driving: against the closed forms of the model, and against what the same car
// does when it is driven another way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"
#include "scene/race/race_limits.h"
#include "scene/race/tracks.h"
#include "sim/engine.h"
#include "test/sim_driving.h"

#include <stdio.h>
#include <string.h>

#define CARS 9
static const char* const names[CARS] = {"road",   "gt",    "formula", "rally",  "truck",
                                        "pickup", "buggy", "scout",   "carrier"};

static kerb_sim_model model_of(int32_t i) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(names[i], &model));
    return model;
}

static kerb_scene_race_limits measured(const kerb_sim_model* model) {
    kerb_scene_race_limits limits;
    assert_true(kerb_scene_race_limits_measure(model, &limits));
    return limits;
}

// Those of a car that nothing was changed of: measured once for all tests.
static kerb_scene_race_limits measured_as_it_is(int32_t i) {
    static kerb_scene_race_limits known[CARS];
    static bool is_known[CARS];
    if (!is_known[i]) {
        kerb_sim_model model = model_of(i);
        known[i] = measured(&model);
        is_known[i] = true;
    }
    return known[i];
}

// --------------------------------------------------------------------------- closed forms

// kerb_sim_car_vehicle has them: rolling resistance and drag over mass and turning wheels.
static void resistance_and_top_speed_are_those_of_the_model(void** state) {
    (void)state;
    for (int32_t i = 0; i < CARS; i++) {
        kerb_sim_model model = model_of(i);
        kerb_scene_race_limits limits = measured_as_it_is(i);
        const kerb_performance* p = &limits.performance;
        expect_within((double)p->rolling, (double)model.vehicle.coasting_deceleration, 0.01,
                      "rolling");
        expect_within((double)p->drag, (double)model.vehicle.drag, 0.01, "drag");
        expect_within((double)p->speed_max, (double)model.vehicle.speed_max, 0.035, "top speed");
    }
}

// μ·(g + D·v²). Turned front wheels brake, which loads the front axle: a little more than that.
static void skid_pads_find_the_grip_and_the_wings(void** state) {
    (void)state;
    for (int32_t i = 0; i < CARS; i++) {
        kerb_sim_model model = model_of(i);
        kerb_scene_race_limits limits = measured_as_it_is(i);
        const kerb_performance* p = &limits.performance;
        for (int32_t k = 0; k < KERB_SCENE_RACE_PADS; k++) {
            const kerb_scene_race_pad* pad = &limits.pads[k];
            double square = (double)pad->speed * (double)pad->speed;
            double closed = (double)model.vehicle.lateral_acceleration_max *
                            (1.0 + (double)model.vehicle.downforce * square / 9.80665);
            expect_within((double)pad->lateral, closed, 0.04, names[i]);
            double fitted = (double)p->lateral * (1.0 + (double)p->downforce * square / 9.80665);
            expect_within(fitted, (double)pad->lateral, 0.025, "the fit");
            expect_within((double)(pad->speed * pad->speed / pad->radius), (double)pad->lateral,
                          1e-4, "radius");
            assert_true(k == 0 || pad->radius > limits.pads[k - 1].radius);
        }
    }
}

// Of the ellipse's share, so much counts squared: the law of kerb_performance.
static double along_by_law(double most, double loss, double aside) {
    double left = sqrt(1.0 - aside * aside);
    return most * left * (1.0 - loss + loss * left);
}

// What the weaker axle holds aside while the car brakes, by closed forms: its load, less or more
// what braking moves, its brakes' share, an ellipse. [m/s²]
static double aside_by_axles(const kerb_sim_car_model* car, double along, double speed) {
    double front_arm = (double)car->front_to_mass, rear_arm = (double)car->rear_to_mass;
    double wheelbase = front_arm + rear_arm, mass = (double)car->mass;
    double down = (double)car->downforce_area * speed * speed, weight = mass * 9.80665;
    double moved = along * mass * (double)car->mass_height / wheelbase, least = 1.0e9;
    for (int32_t k = 0; k < 2; k++) {
        double brakes = k == 0 ? (double)car->brake_front : 1.0 - (double)car->brake_front;
        double wings = k == 0 ? (double)car->downforce_front : 1.0 - (double)car->downforce_front;
        double arm = k == 0 ? rear_arm : front_arm;
        double load = weight * arm / wheelbase + down * wings + (k == 0 ? moved : -moved);
        double used = brakes * along * mass / ((double)car->grip_along * load);
        double grip =
            (double)car->grip_across * (k == 0 ? 1.0 - (double)car->front_grip_lost : 1.0);
        double holds = grip * load * sqrt(fmax(1.0 - used * used, 0.0));
        least = fmin(least, holds * wheelbase / (mass * arm));
    }
    return least;
}

static void braking_in_a_bend_is_limited_by_the_axle_that_holds_less(void** state) {
    (void)state;
    for (int32_t i = 0; i < 5; i++) {
        kerb_sim_model model = model_of(i);
        kerb_scene_race_limits limits = measured_as_it_is(i);
        double speed = (double)limits.pads[0].speed;
        int32_t found = 0;
        for (int32_t k = 0; k < KERB_SCENE_RACE_SHARES; k++) {
            const kerb_scene_race_both* both = &limits.braking_aside[k];
            if (!(both->along > 0.0f))
                continue;
            double closed = aside_by_axles(&model.car, (double)both->along, speed);
            expect_within((double)both->lateral, closed, 0.08, names[i]);
            found++;
        }
        assert_true(found >= 5);
    }
}

static void losses_describe_what_is_left_along_while_turning(void** state) {
    (void)state;
    for (int32_t i = 0; i < 5; i++) {
        kerb_scene_race_limits limits = measured_as_it_is(i);
        const kerb_performance* p = &limits.performance;
        assert_true(p->braking_loss > 0.0f && p->braking_loss <= 1.0f);
        assert_true(p->driving_loss >= 0.0f && p->driving_loss < 0.5f);
        assert_true(p->powered_loss > 0.01f && p->powered_loss < 0.1f);
        double square = (double)limits.pads[0].speed * (double)limits.pads[0].speed;
        double wings = 1.0 + (double)p->downforce * square / 9.80665;
        int32_t found = 0;
        for (int32_t k = 0; k < KERB_SCENE_RACE_SHARES; k++) {
            const kerb_scene_race_both* both = &limits.braking_aside[k];
            double aside = (double)both->lateral / ((double)p->lateral * wings);
            if (!(both->along > 0.0f) || aside > 0.85)
                continue;
            double law = along_by_law((double)p->braking * wings, (double)p->braking_loss, aside);
            expect_within((double)both->along, law, 0.09, names[i]);
            found++;
        }
        assert_true(found >= 5);
    }
}

// Tyres whose slip grows with force as long as they are linear: slip angle at the limit, by axle
// load. They grow softer towards it, and the front ones are turned; so it is somewhat more.
static void turning_slows_as_the_slip_of_the_tyres_does(void** state) {
    (void)state;
    for (int32_t i = 0; i < CARS; i++) {
        kerb_sim_model model = model_of(i);
        kerb_scene_race_limits limits = measured_as_it_is(i);
        const kerb_sim_car_model* car = &model.car;
        double wheelbase = (double)(car->front_to_mass + car->rear_to_mass);
        double slip = (double)car->rear_to_mass / (double)car->cornering_front +
                      (double)car->front_to_mass / (double)car->cornering_rear;
        double closed = (double)limits.performance.lateral / 9.80665 * slip / wheelbase;
        double share = (double)limits.performance.turning_drag / closed;
        if (share < 1.0 || share > 1.25)
            fail_msg("%s: %g, closed form %g", names[i], (double)limits.performance.turning_drag,
                     closed);
    }
}

// The gear that pulls most, without the time of a shift.
static int32_t strongest_gear(const kerb_sim_car_model* model, float speed) {
    int32_t best = 1;
    float most = -1.0f;
    for (int32_t gear = 1; gear <= model->drive_train.gear_count; gear++) {
        float slope, turns = model->drive_train.gear_ratio[gear - 1] / model->wheel_radius;
        float engine = kerb_max(turns * speed, model->engine_launch_speed);
        float pull = kerb_sim_engine_torque(model, engine, &slope) * turns;
        if (pull > most) {
            most = pull;
            best = gear;
        }
    }
    return best;
}

// Full throttle in a circle: the speed at which the car settles.
static void a_circle_at_full_throttle_settles_at_the_speed_that_the_limits_foretell(void** state) {
    (void)state;
    for (int32_t i = 0; i < 5; i++) {
        kerb_sim_model model = model_of(i);
        kerb_scene_race_limits limits = measured_as_it_is(i);
        const kerb_performance* p = &limits.performance;
        model.car.drive_train.shift_time = 0.0f;
        float wanted = 0.7f * p->speed_max, use = 0.42f;
        float grip = p->lateral * (1.0f + p->downforce * wanted * wanted / 9.80665f);
        float curvature = use * grip / (wanted * wanted);
        kerb_sim_car car = rolling(&model.car, wanted);
        kerb_controls controls = in_gear(strongest_gear(&model.car, wanted));
        controls.throttle = 1.0f;
        // The steering that keeps to the circle.
        float turned = 0.0f;
        for (int32_t k = 0; k < (int32_t)(60.0f / STEP); k++) {
            float bend = car.yaw_rate / car.forward;
            turned += 0.5f * (curvature - bend) * STEP;
            controls.steering = (model.vehicle.wheelbase * curvature + 20.0f * turned) /
                                model.car.steering_angle_max;
            float wheels = kerb_max(car.wheel_front, car.wheel_rear); // with the slip
            controls.gear = strongest_gear(&model.car, 1.03f * wheels * model.car.wheel_radius);
            kerb_sim_car_step(&car, &controls, &level, STEP);
        }
        kerb_profile_point point = kerb_profile_point_level(1.0f, curvature);
        float v = wanted;
        for (int32_t k = 0; k < (int32_t)(60.0f / STEP); k++)
            v += kerb_driving_acceleration(p, &point, v) * STEP;
        expect_within((double)car.forward, (double)v, 0.03, names[i]);
        kerb_performance light = *p;
        light.turning_drag = 0.0f;
        for (int32_t k = 0; k < (int32_t)(60.0f / STEP); k++)
            v += kerb_driving_acceleration(&light, &point, v) * STEP;
        printf("%s settles at %.2f m/s, without the drag of turning %.2f\n", names[i],
               (double)car.forward, (double)v);
    }
}

// The greatest speed at which a car keeps to a circle under its own power, ever faster.
static float fastest_on_circle(const kerb_sim_model* model, float curvature, float from) {
    kerb_sim_car car = rolling(&model->car, from);
    kerb_controls controls = {0};
    float turned = 0.0f, steady = 0.0f, most = 0.0f, wide = 0.0f;
    for (int32_t k = 0; k < (int32_t)(120.0f / STEP) && wide < 2.0f; k++) {
        float wanted = from * (1.0f + 0.003f * (float)k * STEP), lacks = wanted - car.forward;
        float lags = curvature - car.yaw_rate / car.forward;
        turned += 0.5f * lags * STEP;
        controls.steering = kerb_clamp((model->vehicle.wheelbase * curvature + 20.0f * turned) /
                                           model->car.steering_angle_max,
                                       0.0f, 1.0f);
        steady = kerb_clamp(steady + lacks * STEP, 0.0f, 1.0f);
        controls.throttle = kerb_clamp(steady + 2.0f * lacks, 0.0f, 1.0f);
        controls.gear = strongest_gear(&model->car, wanted);
        kerb_sim_car_step(&car, &controls, &level, STEP);
        bool keeps = kerb_abs(lags) < 0.02f * curvature && kerb_abs(lacks) < 0.02f * wanted;
        wide = keeps ? 0.0f : wide + STEP;
        most = keeps ? car.forward : most;
    }
    return most;
}

static void a_circle_under_power_is_as_fast_as_the_limits_foretell(void** state) {
    (void)state;
    enum { POINTS = 100 };
    const float radii[3] = {50.0f, 100.0f, 160.0f};
    for (int32_t i = 0; i < 5; i++) {
        kerb_sim_model model = model_of(i);
        model.car.slip_control = true;
        model.car.drive_train.shift_time = 0.0f;
        kerb_scene_race_limits limits = measured_as_it_is(i);
        for (int32_t k = 0; k < 3; k++) {
            kerb_profile_point points[POINTS];
            float speed[POINTS], curvature = 1.0f / radii[k];
            for (int32_t j = 0; j < POINTS; j++)
                points[j] =
                    kerb_profile_point_level(2.0f * KERB_PI / (curvature * POINTS), curvature);
            kerb_speed_profile(&limits.performance, points, POINTS, true, 0.0f, 0.0f, speed);
            float driven = fastest_on_circle(&model, curvature, 0.8f * speed[0]);
            printf("%s, %.0f m: %.2f m/s, the limits foretell %.2f\n", names[i], (double)radii[k],
                   (double)driven, (double)speed[0]);
            expect_within((double)driven, (double)speed[0], 0.03, names[i]);
        }
    }
}

// Never more than the grip of all tyres, and of most of those that drive.
static void the_driven_tyres_hold_a_good_part_of_the_grip_along(void** state) {
    (void)state;
    for (int32_t i = 0; i < CARS; i++) {
        kerb_sim_model model = model_of(i);
        kerb_scene_race_limits limits = measured_as_it_is(i);
        double grip = (double)model.car.grip_along * 9.80665;
        double held = (double)limits.performance.accelerating / grip;
        bool all = model.car.drive_front == 0.5f;
        if (held > 1.02 || held < (all ? 0.65 : 0.45))
            fail_msg("%s: %g of the grip", names[i], held);
    }
}

// --------------------------------------------------------------------------- driven otherwise

static void full_braking_takes_the_distance_that_the_limits_foretell(void** state) {
    (void)state;
    for (int32_t i = 0; i < CARS; i++) {
        kerb_sim_model model = model_of(i);
        kerb_scene_race_limits limits = measured_as_it_is(i);
        kerb_profile_point point = kerb_profile_point_level(1.0f, 0.0f);
        for (float share = 0.3f; share < 0.9f; share += 0.25f) {
            float top = share * limits.performance.speed_max;
            kerb_sim_car car = rolling(&model.car, top);
            kerb_controls controls = in_gear(0);
            controls.brake = 1.0f;
            while (car.forward > 3.0f)
                kerb_sim_car_step(&car, &controls, &level, STEP);
            double foretold = 0.0;
            for (float v = top; v > 3.0f;) {
                float slower = -kerb_braking_acceleration(&limits.performance, &point, v) * STEP;
                foretold += (double)((v - 0.5f * slower) * STEP);
                v -= slower;
            }
            expect_within((double)car.position.x, foretold, 0.03, names[i]);
        }
    }
}

static void full_throttle_takes_the_time_that_the_limits_foretell(void** state) {
    (void)state;
    for (int32_t i = 0; i < CARS; i++) {
        kerb_sim_model model = model_of(i);
        kerb_scene_race_limits limits = measured_as_it_is(i);
        kerb_profile_point point = kerb_profile_point_level(1.0f, 0.0f);
        model.car.drive_train.shift_time = 0.0f;
        float from = 0.1f * limits.performance.speed_max, to = 0.85f * limits.performance.speed_max;
        kerb_sim_car car = car_of(&model.car);
        kerb_controls controls = in_gear(1);
        controls.throttle = 1.0f;
        double driven = 0.0, foretold = 0.0;
        while (car.forward < to && driven < 200.0) {
            float wheels = kerb_max(car.wheel_front, car.wheel_rear); // with the slip
            controls.gear = strongest_gear(&model.car, wheels * model.car.wheel_radius);
            kerb_sim_car_step(&car, &controls, &level, STEP);
            driven += car.forward > from ? (double)STEP : 0.0;
        }
        for (float v = from; v < to && foretold < 200.0; foretold += (double)STEP)
            v += kerb_driving_acceleration(&limits.performance, &point, v) * STEP;
        expect_within(driven, foretold, 0.04, names[i]);
    }
}

// --------------------------------------------------------------------------- use

static void slip_control_makes_no_difference_and_the_same_car_gives_the_same_bits(void** state) {
    (void)state;
    kerb_sim_model model = model_of(2);
    kerb_scene_race_limits with = measured(&model), again = measured(&model);
    assert_memory_equal(&with, &again, sizeof with);
    model.car.slip_control = false;
    again = measured(&model);
    assert_memory_equal(&with, &again, sizeof with);
}

static void vehicles_without_wheels_are_not_measured(void** state) {
    (void)state;
    static const kerb_scene_race_limits zero;
    for (int32_t i = 0; i < 2; i++) {
        kerb_sim_model model;
        kerb_scene_race_limits limits;
        assert_true(kerb_sim_model_named(i == 0 ? "tank" : "hovercraft", &model));
        assert_false(kerb_scene_race_limits_measure(&model, &limits));
        assert_memory_equal(&limits, &zero, sizeof zero);
    }
}

static void a_racing_line_can_be_found_for_each_of_them(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_scene_track track;
    kerb_path path;
    assert_int_equal(kerb_scene_track_make("vamos", &host, &track, &error), KERB_OK);
    assert_int_equal(
        kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, &error),
        KERB_OK);
    double last = 0.0;
    static const int32_t by_pace[4] = {2, 1, 0, 4}; // formula, gt, road, truck
    for (int32_t i = 0; i < 4; i++) {
        kerb_sim_model model = model_of(by_pace[i]);
        kerb_scene_race_limits limits = measured(&model);
        kerb_line_settings settings = kerb_line_settings_default();
        settings.method = KERB_LINE_CURVATURE;
        kerb_line_solver solver;
        kerb_racing_line line;
        assert_int_equal(
            kerb_line_solver_create(&solver, &path, &limits.performance, &settings, &host, &error),
            KERB_OK);
        while (kerb_line_solver_advance(&solver, 64) == KERB_LINE_RUNNING)
            ;
        assert_int_equal(kerb_racing_line_create(&line, &solver, 2.0f, &host, &error), KERB_OK);
        assert_true(line.time > last); // each slower than the one before
        last = line.time;
        kerb_racing_line_destroy(&line);
        kerb_line_solver_destroy(&solver);
    }
    kerb_path_destroy(&path);
    kerb_scene_track_free(&track, &host);
}

int race_limits_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resistance_and_top_speed_are_those_of_the_model),
        cmocka_unit_test(skid_pads_find_the_grip_and_the_wings),
        cmocka_unit_test(braking_in_a_bend_is_limited_by_the_axle_that_holds_less),
        cmocka_unit_test(losses_describe_what_is_left_along_while_turning),
        cmocka_unit_test(turning_slows_as_the_slip_of_the_tyres_does),
        cmocka_unit_test(a_circle_at_full_throttle_settles_at_the_speed_that_the_limits_foretell),
        cmocka_unit_test(a_circle_under_power_is_as_fast_as_the_limits_foretell),
        cmocka_unit_test(the_driven_tyres_hold_a_good_part_of_the_grip_along),
        cmocka_unit_test(full_braking_takes_the_distance_that_the_limits_foretell),
        cmocka_unit_test(full_throttle_takes_the_time_that_the_limits_foretell),
        cmocka_unit_test(slip_control_makes_no_difference_and_the_same_car_gives_the_same_bits),
        cmocka_unit_test(vehicles_without_wheels_are_not_measured),
        cmocka_unit_test(a_racing_line_can_be_found_for_each_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
