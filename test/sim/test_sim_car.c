// The reference car, judged by the closed forms of vehicle dynamics (Gillespie, "Fundamentals of
// Vehicle Dynamics"; each formula stands at its test), by symmetry, energy and convergence.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/control.h"
#include "sim/car.h"
#include "sim/engine.h"
#include "sim/tyre.h"
#include "test/seed.h"
#include "test/sim_driving.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- tyre and engine

static void the_tyre_is_linear_first_then_peaks_at_its_grip_and_never_passes_it(void** state) {
    (void)state;
    for (float slip = 0.0f; slip < 0.5f; slip += 0.01f)
        assert_true(kerb_sim_tyre_secant(slip) > 0.95f && kerb_sim_tyre_secant(slip) <= 1.0f);
    float greatest = 0.0f, at = 0.0f;
    for (float slip = 0.0f; slip < 50.0f; slip += 0.001f) {
        float force = slip * kerb_sim_tyre_secant(slip);
        assert_true(force <= 1.000001f);
        if (force > greatest) {
            greatest = force;
            at = slip;
        }
    }
    expect_within((double)greatest, 1.0, 1e-5, "the peak");
    expect_within((double)at, (double)KERB_SIM_TYRE_PEAK, 0.01, "slip at the peak");
}

static void the_limiter_cuts_the_engine_above_its_greatest_speed(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    float slope;
    float most = model.engine_speed[KERB_SIM_TORQUE_POINTS - 1];
    assert_true(kerb_sim_engine_torque(&model, most, &slope) > 200.0f);
    assert_true(kerb_sim_engine_torque(&model, 1.021f * most, &slope) == 0.0f);
    // Between two points of the curve, half way: 375 and 400 N m.
    expect_within((double)kerb_sim_engine_torque(&model, 275.0f, &slope), 387.5, 1e-4, "torque");
}

// --------------------------------------------------------------------------- cornering

// Steady state of the linear bicycle: yaw rate = v·tan(δ)/(L + K·v²).
static void yaw_rate_in_steady_turns_follows_the_linear_bicycle(void** state) {
    (void)state;
    kerb_sim_car_model models[2] = {slippery_car(), kerb_sim_pickup_model()};
    // Nothing to drive against: thrust moves load, and with it the gradient. In one long gear.
    models[1].drive_train.gear_count = 0;
    models[1].drag_area = models[1].rolling_resistance = 0.0f;
    for (int m = 0; m < 2; m++) {
        kerb_vehicle vehicle = kerb_sim_car_vehicle(&models[m]);
        for (float speed = 3.0f; speed < 32.0f; speed += 4.0f) {
            for (float use = 0.05f; use < 0.36f; use += 0.1f) {
                // The angle that asks for this share of the grip, if the wheels turn so far.
                float lateral = use * vehicle.lateral_acceleration_max;
                float angle = vehicle.wheelbase * lateral / (speed * speed) +
                              vehicle.understeer_gradient * lateral;
                if (angle > 0.25f)
                    continue;
                kerb_sim_car car = rolling(&models[m], speed);
                cruise(&car, speed, angle / vehicle.steering_angle_max, 6.0f);
                double v = (double)car.forward;
                double expected =
                    v * tan((double)angle) /
                    ((double)vehicle.wheelbase + (double)vehicle.understeer_gradient * v * v);
                expect_within((double)car.yaw_rate, expected, 0.03, "yaw rate");
            }
        }
    }
}

// K = m/L·(b/C_front - a/C_rear), C the stiffness of the whole axle under its load; measured as
// (δ - L/R)/a_lateral.
static void understeer_gradient_follows_from_stiffness_and_load(void** state) {
    (void)state;
    const float stiffness[4][2] = {{8.0f, 14.0f}, {10.0f, 10.0f}, {14.0f, 12.0f}, {6.0f, 18.0f}};
    for (int i = 0; i < 4; i++) {
        kerb_sim_car_model model = slippery_car();
        model.cornering_front = stiffness[i][0];
        model.cornering_rear = stiffness[i][1];
        model.front_to_mass = 1.2f;
        model.rear_to_mass = 1.5f;
        double a = 1.2, b = 1.5, wheelbase = 2.7, mass = (double)model.mass;
        double load = mass * 9.80665 / wheelbase;
        double front = (double)stiffness[i][0] * load * b,
               rear = (double)stiffness[i][1] * load * a;
        double expected = mass / wheelbase * (b / front - a / rear);
        float angle = 0.015f;
        kerb_sim_car car = rolling(&model, 20.0f);
        cruise(&car, 20.0f, angle / model.steering_angle_max, 8.0f);
        double v = (double)car.forward, r = (double)car.yaw_rate;
        double measured = ((double)angle - wheelbase * r / v) / (v * r);
        // What does not fade for a neutral car: 1 % of the softness of one axle.
        double tolerance = 0.04 * fabs(expected) + 0.01 / (9.80665 * 10.0);
        if (fabs(measured - expected) > tolerance)
            fail_msg("understeer %g instead of %g", measured, expected);
    }
}

// Geometry alone: the rear axle drives a circle of radius L/tan(δ).
static void a_slow_circle_at_full_lock_has_the_radius_of_the_bicycle(void** state) {
    (void)state;
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    for (int m = 0; m < 2; m++) {
        kerb_sim_car car = car_of(&models[m]);
        car.steering = models[m].steering_angle_max;
        cruise(&car, 1.0f, 1.0f, 5.0f);
        kerb_vec3 start = car.position;
        float heading = car.heading, farthest = 0.0f, turned = 0.0f;
        while (turned < 2.0f * KERB_PI) {
            cruise(&car, 1.0f, 1.0f, 0.1f);
            turned += kerb_wrap_angle(car.heading - heading);
            heading = car.heading;
            kerb_vec3 away = kerb_vec3_sub(car.position, start);
            farthest = kerb_max(farthest, kerb_vec3_length(away));
        }
        double radius =
            (double)(wheelbase_of(&models[m])) / tan((double)models[m].steering_angle_max);
        double of_mass = hypot(radius, (double)models[m].rear_to_mass);
        expect_within((double)farthest / 2.0, of_mass, 0.01, "radius");
        expect_within((double)kerb_vec3_length(kerb_vec3_sub(car.position, start)) + 1.0, 1.0, 0.2,
                      "the way back to the start");
    }
}

static void the_pickup_turns_within_six_and_a_half_metres(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
    expect_within((double)kerb_vehicle_turning_radius(&vehicle), 6.3, 0.02, "turning radius");
    assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
}

// At the limit each axle carries its share, so the tyres' force = grip·weight whatever the axles'
// stiffness, times the ground's grip.
static void lateral_acceleration_ends_at_the_grip(void** state) {
    (void)state;
    for (float grip = 0.3f; grip < 1.3f; grip += 0.3f) {
        kerb_sim_car_model model = slippery_car();
        kerb_sim_car car = rolling(&model, 25.0f);
        kerb_sim_ground ground = level;
        ground.grip = grip;
        kerb_controls controls = in_gear(0);
        float greatest = 0.0f;
        for (int i = 0; i < 1200; i++) {
            controls.steering = 0.5f * (float)i / 1200.0f;
            kerb_sim_car_step(&car, &controls, &ground, STEP);
            greatest =
                kerb_max(greatest, car.force_front.y * kerb_cos(car.steering) + car.force_rear.y);
        }
        expect_within((double)(greatest / model.mass),
                      (double)(grip * model.grip_across * KERB_GRAVITY), 0.03,
                      "greatest lateral acceleration");
    }
}

static void the_pickup_settles_into_a_turn_as_a_pickup_does(void** state) {
    (void)state;
    const float speeds[2] = {10.0f, 25.0f}, angles[2] = {0.05f, 0.02f};
    kerb_sim_car_model model = kerb_sim_pickup_model();
    for (int i = 0; i < 2; i++) {
        kerb_sim_car car = rolling(&model, speeds[i]);
        kerb_controls controls = in_gear(0);
        controls.steering = angles[i] / model.steering_angle_max;
        float at[480], settled_at = 0.0f, greatest = 0.0f;
        for (int step = 0; step < 480; step++) {
            kerb_sim_car_step(&car, &controls, &level, STEP);
            at[step] = car.yaw_rate / car.forward; // curvature: the speed falls a little
            greatest = kerb_max(greatest, at[step]);
        }
        for (int step = 0; step < 480; step++)
            if (fabsf(at[step] - at[479]) > 0.1f * at[479])
                settled_at = (float)step * STEP;
        assert_true(settled_at > 0.2f && settled_at < 0.5f);
        assert_true(greatest < 1.15f * at[479]);
    }
}

// --------------------------------------------------------------------------- along the road

// m·dv/dt = -(R + d·v²): v(t) = √(R/d)·tan(atan(v0·√(d/R)) - t·√(R·d)/m).
static void coasting_follows_the_closed_form(void** state) {
    (void)state;
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    for (int m = 0; m < 2; m++) {
        double rest = (double)(models[m].rolling_resistance * weight_of(&models[m]));
        double drag = (double)models[m].drag_area, heavy = (double)rolling_mass(&models[m]);
        kerb_sim_car car = rolling(&models[m], 35.0f);
        kerb_controls neutral = in_gear(0);
        for (int second = 1; second <= 90; second++) {
            drive(&car, &neutral, &level, 1.0f);
            double angle =
                atan(35.0 * sqrt(drag / rest)) - (double)second * sqrt(rest * drag) / heavy;
            double expected = sqrt(rest / drag) * tan(angle);
            if (expected > 1.0)
                expect_within((double)car.forward, expected, 0.01, "coasting speed");
        }
    }
}

// P = (R + d·v²)·v at the wheels.
static void top_speed_is_where_power_meets_resistance(void** state) {
    (void)state;
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    for (int m = 0; m < 2; m++) {
        const kerb_sim_car_model* model = &models[m];
        kerb_sim_car car = rolling(model, 0.8f * kerb_sim_car_vehicle(model).speed_max);
        if (m == 1)
            car.gear = 4;
        full_throttle(&car, 150.0f);
        float slope;
        float turns =
            model->drive_front * car.wheel_front + (1.0f - model->drive_front) * car.wheel_rear;
        float engine_speed = kerb_sim_engine_ratio(model, car.gear) * turns;
        double power = (double)(kerb_sim_engine_torque(model, engine_speed, &slope) *
                                model->drive_efficiency * engine_speed);
        double v = (double)car.forward;
        double resisted = ((double)(model->rolling_resistance * weight_of(model)) +
                           (double)model->drag_area * v * v) *
                          v;
        // Driven tyres slip a little: that is where the rest of the power stays.
        expect_within(power, resisted, 0.02, "power");
        expect_within(v, (double)kerb_sim_car_vehicle(model).speed_max, 0.015, "top speed");
    }
}

// v²/(2a), and with drag m/(2d)·ln(1 + d·v²/F).
static void full_braking_stops_within_the_closed_form(void** state) {
    (void)state;
    for (float speed = 5.0f; speed <= 40.0f; speed += 5.0f) {
        kerb_sim_car_model model = middling_car();
        kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
        double heavy = (double)rolling_mass(&model), drag = (double)model.drag_area;
        double force = heavy * (double)vehicle.braking_max, v = (double)speed;
        kerb_controls controls = in_gear(0);
        controls.brake = 1.0f;
        kerb_sim_car car = rolling(&model, speed);
        drive(&car, &controls, &level, 8.0f);
        assert_true(car.forward == 0.0f);
        double exact = heavy / (2.0 * drag) * log(1.0 + drag * v * v / force);
        // One or two steps' way: the wheels' inertia as the brake takes hold.
        double step_way = v * 1.5 / 240.0;
        if (fabs((double)car.position.x - exact) > 0.01 * exact + step_way)
            fail_msg("from %g m/s: %g m instead of %g m", v, (double)car.position.x, exact);
        assert_true((double)car.position.x <= v * v / (2.0 * (double)vehicle.braking_max) * 1.02);
    }
}

static void the_pickup_accelerates_and_brakes_like_one(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_car car = car_of(&model);
    float time = 0.0f;
    for (; car.forward < 27.78f && time < 20.0f; time += 0.1f)
        full_throttle(&car, 0.1f);
    assert_true(time > 7.5f && time < 9.5f);
    car = rolling(&model, 27.78f);
    kerb_controls controls = in_gear(0);
    controls.brake = 1.0f;
    drive(&car, &controls, &level, 6.0f);
    assert_true(car.position.x > 36.0f && car.position.x < 44.0f);
}

static void full_throttle_launches_at_the_stated_acceleration(void** state) {
    (void)state;
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    for (int m = 0; m < 2; m++) {
        kerb_vehicle vehicle = kerb_sim_car_vehicle(&models[m]);
        kerb_sim_car car = car_of(&models[m]);
        full_throttle(&car, 1.0f);
        float before = car.forward;
        full_throttle(&car, 0.5f);
        double measured = (double)(car.forward - before) / 0.5;
        double drag = (double)(vehicle.drag * car.forward * before);
        expect_within(measured + drag, (double)vehicle.acceleration_max, 0.03, "acceleration");
    }
}

// ΔN = F·h/L for the force F of the tyres along the car.
static void braking_moves_load_to_the_front(void** state) {
    (void)state;
    kerb_sim_car_model model = slippery_car();
    kerb_sim_car car = rolling(&model, 40.0f);
    kerb_controls controls = in_gear(0);
    controls.brake = 0.7f;
    drive(&car, &controls, &level, 1.5f);
    double moved =
        (double)(model.mass * -car.acceleration * model.mass_height / wheelbase_of(&model));
    double rest = (double)(weight_of(&model) * model.rear_to_mass / wheelbase_of(&model));
    assert_true(moved > 1000.0);
    expect_within((double)car.load_front - rest, moved, 0.01, "load moved");
    expect_within((double)(car.load_front + car.load_rear), (double)weight_of(&model), 1e-5,
                  "the sum");
}

// Downhill in neutral: m·g·sin = R·cos + d·v².
static void rolling_downhill_settles_where_drag_meets_gravity(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    double angle = atan(0.08), weight = (double)weight_of(&model);
    double expected = sqrt(weight * (sin(angle) - (double)model.rolling_resistance * cos(angle)) /
                           (double)model.drag_area);
    kerb_sim_car car = rolling(&model, 0.9f * (float)expected);
    kerb_controls neutral = in_gear(0);
    drive_on(&car, &neutral, -0.08f, 150.0f);
    expect_within((double)car.forward, expected, 0.01, "speed downhill");
    expect_within((double)car.position.z, -0.08 * (double)car.position.x, 1e-3, "height");
}

// Uphill in first gear at half throttle: the drive at this engine speed meets gravity.
static void climbing_settles_where_drive_meets_gravity(void** state) {
    (void)state;
    kerb_sim_car_model model = middling_car();
    double slope = 0.15, angle = atan(slope);
    kerb_sim_car car = rolling(&model, 15.0f);
    kerb_controls controls = in_gear(1);
    controls.throttle = 0.6f;
    drive_on(&car, &controls, (float)slope, 200.0f);
    float unused;
    double engine = 0.6 * (double)kerb_sim_engine_torque(&model, car.wheel_rear, &unused) /
                    (double)model.wheel_radius;
    double v = (double)car.forward, weight = (double)weight_of(&model);
    double resisted = weight * (sin(angle) + (double)model.rolling_resistance * cos(angle)) +
                      (double)model.drag_area * v * v;
    assert_true(v > 1.0);
    expect_within(engine, resisted, 0.02, "force uphill");
}

// Both axles slip by the angle that carries their load across the slope: tan(slope)/stiffness.
static void a_slow_car_across_a_slope_slips_by_the_tyres_angle_and_no_more(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.understeer_gradient = 0.0f;
    kerb_sim_car_model model = kerb_sim_car_model_for(&vehicle);
    model.rolling_resistance = 0.0f;
    kerb_sim_ground slope = rising(0.1f);
    for (float speed = 0.5f; speed < 5.0f; speed *= 2.0f) {
        kerb_sim_car car = rolling(&model, speed);
        car.heading = 0.5f * KERB_PI;
        kerb_controls neutral = in_gear(0);
        drive(&car, &neutral, &slope, 2.0f);
        double slip = 0.1 / (double)model.cornering_rear;
        expect_within((double)(car.side / car.forward), slip, 0.03, "slip angle");
        assert_true(kerb_abs(car.yaw_rate) < 1e-4f);
    }
}

static void reverse_drives_backwards_to_its_greatest_speed_and_steers(void** state) {
    (void)state;
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    for (int m = 0; m < 2; m++) {
        kerb_vehicle vehicle = kerb_sim_car_vehicle(&models[m]);
        kerb_sim_car car = car_of(&models[m]);
        kerb_controls controls = in_gear(-1);
        controls.throttle = 1.0f;
        drive(&car, &controls, &level, 30.0f);
        assert_true(car.position.x < -100.0f);
        expect_within((double)-car.forward, (double)vehicle.reverse_speed_max, 0.04, "speed");
        assert_true(car.side == 0.0f && car.heading == 0.0f);
        // Backwards the gradient changes its sign: the axle that leads is the stiff one.
        cruise(&car, -2.0f, 0.3f, 60.0f);
        double angle = 0.3 * (double)vehicle.steering_angle_max, v = (double)car.forward;
        assert_true(v > -2.2 && v < -1.8);
        double expected = v * tan(angle) /
                          ((double)vehicle.wheelbase - (double)vehicle.understeer_gradient * v * v);
        expect_within((double)car.yaw_rate, expected, 0.03, "yaw rate in reverse");
        controls = in_gear(1);
        controls.throttle = 0.5f;
        drive(&car, &controls, &level, 5.0f);
        assert_true(car.forward > 1.0f);
    }
}

// --------------------------------------------------------------------------- standing

static void a_car_left_alone_on_level_ground_stays_exactly_where_it_is(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_car car = kerb_sim_car_make(&model, kerb_vec3_make(10.0f, -3.0f, 0.0f), 0.7f);
    kerb_sim_car before = car;
    kerb_controls controls = in_gear(1);
    for (int i = 0; i < 2400; i++) {
        controls.steering = kerb_sin((float)i * 0.01f);
        controls.brake = i % 3 == 0 ? 1.0f : 0.0f;
        kerb_sim_car_step(&car, &controls, &level, STEP);
        assert_memory_equal(&car.position, &before.position, sizeof car.position);
        assert_true(car.heading == before.heading);
    }
}

static void the_brake_holds_on_a_quarter_slope_whichever_way_the_car_faces(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_ground slope = rising(0.25f);
    for (float heading = -3.0f; heading < 3.2f; heading += 0.5f) {
        kerb_sim_car car = kerb_sim_car_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), heading);
        kerb_controls controls = in_gear(0);
        controls.brake = 1.0f;
        drive(&car, &controls, &slope, 20.0f);
        assert_true(car.position.x == 0.0f && car.position.y == 0.0f && car.forward == 0.0f);
        controls.brake = 0.0f;
        controls.handbrake = true;
        drive(&car, &controls, &slope, 5.0f);
        assert_true(car.position.x == 0.0f && car.position.y == 0.0f);
    }
}

static void a_car_braked_to_a_stop_on_a_slope_stays_there(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    for (float slope = -0.25f; slope < 0.3f; slope += 0.25f) {
        kerb_sim_car car = rolling(&model, 5.0f);
        kerb_controls controls = in_gear(0);
        controls.brake = 0.6f;
        drive_on(&car, &controls, slope, 4.0f);
        kerb_vec3 stood = car.position;
        drive_on(&car, &controls, slope, 20.0f);
        assert_memory_equal(&car.position, &stood, sizeof stood);
    }
}

static void a_car_on_a_slope_rolls_off_when_the_brake_is_let_go_or_is_too_weak(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_controls controls = in_gear(0);
    controls.brake = 0.1f; // 1.9 kN against 4.6 kN
    kerb_sim_car car = car_of(&model);
    drive_on(&car, &controls, 0.25f, 2.0f);
    double angle = atan(0.25), weight = (double)weight_of(&model);
    double force = weight * sin(angle) - 0.1 * (double)model.brake_force -
                   weight * cos(angle) * (double)model.rolling_resistance;
    expect_within((double)-car.forward, 2.0 * force / (double)rolling_mass(&model), 0.02, "speed");
}

// A locked rear axle slides at 0.89 of its grip: F = μ·N_rear, N_rear = W·a/L - F·h/L.
static void the_handbrake_locks_the_rear_wheels(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    model.drag_area = 0.0f;
    model.rolling_resistance = 0.0f;
    kerb_sim_car car = rolling(&model, 25.0f);
    kerb_controls controls = in_gear(0);
    controls.handbrake = true;
    drive(&car, &controls, &level, 1.0f);
    assert_true(car.wheel_rear == 0.0f && car.wheel_front > 0.0f);
    double sliding = 0.9 * (double)model.grip_along;
    double force = sliding * (double)weight_of(&model) * (double)model.front_to_mass /
                   ((double)wheelbase_of(&model) + sliding * (double)model.mass_height);
    expect_within((double)-car.acceleration * (double)model.mass, force, 0.03, "braking force");
    drive(&car, &controls, &level, 20.0f);
    assert_true(car.forward == 0.0f);
}

static void wheels_that_nothing_keeps_from_locking_are_told(void** state) {
    (void)state;
    for (int32_t held = 0; held < 2; held++) {
        kerb_sim_car_model model = kerb_sim_pickup_model();
        model.slip_control = held == 1;
        kerb_sim_car car = rolling(&model, 25.0f);
        kerb_controls controls = in_gear(0);
        drive(&car, &controls, &level, 0.5f);
        assert_true(kerb_abs(kerb_sim_car_motion(&car).wheel_slip) < 0.01f);
        kerb_sim_ground wet = level;
        wet.grip = 0.5f;
        controls.brake = 1.0f;
        drive(&car, &controls, &wet, 1.0f);
        assert_true(car.forward > 5.0f);
        float told = kerb_sim_car_motion(&car).wheel_slip;
        assert_true(held == 1 ? told == 0.0f : told < -0.95f && told >= -1.0f);
    }
}

static void full_braking_in_a_bend_leaves_the_wheels_turning_and_the_car_steering(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_ground wet = level;
    wet.grip = 0.5f;
    kerb_sim_car car = rolling(&model, 20.0f);
    kerb_controls controls = in_gear(0);
    controls.steering = 0.2f;
    controls.brake = 1.0f;
    for (int i = 0; i < 480; i++) {
        kerb_sim_car_step(&car, &controls, &wet, STEP);
        if (car.forward > 3.0f)
            assert_true(car.wheel_front > 0.0f && car.wheel_rear > 0.0f);
    }
    assert_true(car.heading > 0.2f);
    assert_true(kerb_abs(car.side) < 0.3f * car.forward);
}

// --------------------------------------------------------------------------- controls

static void gears_go_up_while_gaining_speed_and_down_while_losing_it(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_car car = car_of(&model);
    int32_t last = 1;
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    for (int i = 0; i < 240 * 30; i++) {
        controls.gear = gear_for(&car);
        kerb_sim_car_step(&car, &controls, &level, STEP);
        assert_true(car.gear == last || car.gear == last + 1);
        assert_true(car.engine_speed < 1.05f * model.drive_train.engine_speed_max);
        if (car.gear != last)
            assert_true(car.shift_timer > 0.0f);
        last = car.gear;
    }
    assert_int_equal(last, 5);
    controls.throttle = 0.0f;
    controls.brake = 0.3f;
    for (int i = 0; i < 240 * 25; i++) {
        controls.gear = gear_for(&car);
        kerb_sim_car_step(&car, &controls, &level, STEP);
        assert_true(car.gear == last || car.gear == last - 1);
        last = car.gear;
    }
    assert_int_equal(last, 1);
}

static void nothing_drives_while_a_shift_lasts(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_car car = rolling(&model, 12.0f);
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    drive(&car, &controls, &level, 0.5f);
    controls.gear = 2;
    drive(&car, &controls, &level, 0.9f * model.drive_train.shift_time);
    assert_true(car.acceleration < 0.0f);
    drive(&car, &controls, &level, 0.3f);
    assert_true(car.acceleration > 1.0f);
    // Second gear turns the engine by its ratio.
    expect_within((double)car.engine_speed,
                  (double)(car.wheel_rear * model.drive_train.gear_ratio[1]), 0.01, "engine speed");
}

static void an_open_clutch_drives_nothing(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_car car = car_of(&model);
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    controls.clutch = 1.0f;
    drive(&car, &controls, &level, 2.0f);
    assert_true(car.position.x == 0.0f);
}

static void steering_keeps_to_its_rate_and_its_lag(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_car car = rolling(&model, 5.0f);
    kerb_controls controls = in_gear(0);
    controls.steering = 1.0f;
    for (int i = 0; i < 240; i++) {
        float before = car.steering;
        kerb_sim_car_step(&car, &controls, &level, STEP);
        assert_true(car.steering - before <= 1.0001f * model.steering_rate_max * STEP);
        assert_true(car.steering <= model.steering_angle_max);
    }
    // A small step: 1 - exp(-t/delay).
    controls.steering = 0.0f;
    drive(&car, &controls, &level, 3.0f);
    controls.steering = 0.02f;
    drive(&car, &controls, &level, 0.1f);
    double expected =
        0.02 * (double)model.steering_angle_max * (1.0 - exp(-0.1 / (double)model.steering_delay));
    expect_within((double)car.steering, expected, 0.02, "angle after a lag");
}

static void controls_that_are_no_numbers_or_far_out_of_range_do_no_harm(void** state) {
    (void)state;
    const float odd[8] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -1.0f, 0.0f, 1.0f};
    kerb_random random = test_random("odd controls");
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    for (int run = 0; run < 40; run++) {
        kerb_sim_car car = rolling(&models[run % 2], kerb_random_between(&random, -10.0f, 50.0f));
        kerb_sim_ground ground = level;
        kerb_controls controls = {0};
        for (int i = 0; i < 1000; i++) {
            if (i % 20 == 0) {
                controls.throttle = odd[kerb_random_below(&random, 8)];
                controls.brake = odd[kerb_random_below(&random, 8)];
                controls.steering = odd[kerb_random_below(&random, 8)];
                controls.clutch = odd[kerb_random_below(&random, 8)];
                controls.gear = kerb_random_below(&random, 40) - 20;
                controls.handbrake = kerb_random_below(&random, 4) == 0;
                ground.grip = odd[kerb_random_below(&random, 8)];
                ground.height = odd[kerb_random_below(&random, 8)];
                ground.normal.y = odd[kerb_random_below(&random, 8)];
            }
            kerb_sim_car_step(&car, &controls, &ground, STEP);
            kerb_motion motion = kerb_sim_car_motion(&car);
            assert_true(kerb_motion_is_finite(&motion));
            assert_true(kerb_is_finite(car.wheel_front) && kerb_is_finite(car.wheel_rear));
            assert_true(kerb_abs(car.forward) < 200.0f && kerb_abs(car.side) < 200.0f);
        }
    }
}

static void steering_that_is_no_number_goes_straight_on(void** state) {
    (void)state;
    kerb_sim_car_model model = middling_car();
    kerb_sim_car car = rolling(&model, 10.0f);
    kerb_controls controls = in_gear(0);
    controls.steering = NAN;
    drive(&car, &controls, &level, 1.0f);
    assert_true(car.heading == 0.0f && car.position.x > 9.0f);
}

// --------------------------------------------------------------------------- for every run

static void random_controls(kerb_random* random, kerb_controls* controls) {
    controls->throttle = kerb_max(kerb_random_between(random, -1.0f, 1.5f), 0.0f);
    controls->brake = kerb_max(kerb_random_between(random, -2.0f, 1.5f), 0.0f);
    controls->steering = kerb_random_between(random, -1.2f, 1.2f);
    controls->handbrake = kerb_random_below(random, 8) == 0;
    controls->gear = kerb_random_below(random, 8) == 0 ? -1 : 1;
}

static void expect_within_ellipse(const kerb_sim_car_model* model, kerb_vec2 force, float load,
                                  float grip) {
    double x = (double)force.x / (double)(model->grip_along * grip * load + 1e-3f);
    double y = (double)force.y / (double)(model->grip_across * grip * load + 1e-3f);
    if (x * x + y * y > 1.0001)
        fail_msg("a tyre gives %.3f of its grip", sqrt(x * x + y * y));
}

static void no_tyre_ever_gives_more_than_its_grip(void** state) {
    (void)state;
    kerb_random random = test_random("friction ellipse");
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    float most = 0.0f;
    for (int run = 0; run < 60; run++) {
        const kerb_sim_car_model* model = &models[run % 2];
        kerb_sim_car car = rolling(model, kerb_random_between(&random, 0.0f, 40.0f));
        kerb_sim_ground ground = level;
        kerb_controls controls = {0};
        for (int i = 0; i < 2000; i++) {
            if (i % 60 == 0) {
                random_controls(&random, &controls);
                ground.grip = kerb_random_between(&random, 0.1f, 1.2f);
            }
            kerb_sim_car_step(&car, &controls, &ground, STEP);
            expect_within_ellipse(model, car.force_front, car.load_front, ground.grip);
            expect_within_ellipse(model, car.force_rear, car.load_rear, ground.grip);
            most = kerb_max(most, kerb_abs(car.force_front.y) /
                                      (model->grip_across * ground.grip * car.load_front));
        }
    }
    assert_true(most > 0.95f); // the runs did get there
}

static double energy_of(const kerb_sim_car* car) {
    const kerb_sim_car_model* model = &car->model;
    double x = (double)car->forward, y = (double)car->side, r = (double)car->yaw_rate;
    double front = (double)car->wheel_front, rear = (double)car->wheel_rear;
    return 0.5 * (double)model->mass * (x * x + y * y) + 0.5 * (double)model->yaw_inertia * r * r +
           0.5 * (double)model->wheel_inertia * (front * front + rear * rear);
}

static void without_throttle_level_ground_gives_no_energy(void** state) {
    (void)state;
    kerb_random random = test_random("energy");
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    for (int run = 0; run < 60; run++) {
        kerb_sim_car car = rolling(&models[run % 2], kerb_random_between(&random, -20.0f, 40.0f));
        car.side = kerb_random_between(&random, -10.0f, 10.0f);
        car.yaw_rate = kerb_random_between(&random, -3.0f, 3.0f);
        kerb_controls controls = {0};
        double energy = energy_of(&car);
        for (int i = 0; i < 2000; i++) {
            if (i % 60 == 0) {
                random_controls(&random, &controls);
                controls.throttle = 0.0f;
                controls.gear = kerb_random_below(&random, 3) - 1;
            }
            kerb_sim_car_step(&car, &controls, &level, STEP);
            double now = energy_of(&car);
            if (now > energy * 1.00001 + 1e-6)
                fail_msg("energy rose from %.9g to %.9g J in step %d", energy, now, i);
            energy = now;
        }
    }
}

static void a_mirrored_run_is_the_mirror_image_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random("mirror");
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_car left = rolling(&model, 10.0f), right = left;
    kerb_controls controls = {0};
    for (int i = 0; i < 6000; i++) {
        if (i % 60 == 0)
            random_controls(&random, &controls);
        kerb_controls mirrored = controls;
        mirrored.steering = -controls.steering;
        kerb_sim_car_step(&left, &controls, &level, STEP);
        kerb_sim_car_step(&right, &mirrored, &level, STEP);
        assert_true(left.position.x == right.position.x && left.position.y == -right.position.y);
        assert_true(left.forward == right.forward && left.side == -right.side);
        assert_true(left.yaw_rate == -right.yaw_rate && left.wheel_rear == right.wheel_rear);
    }
}

// Through town: launch, bends, braking. Where it ends, with this many steps a second.
static kerb_vec3 end_of_manoeuvre(const kerb_sim_car_model* model, int hertz) {
    kerb_sim_car car = car_of(model);
    kerb_controls controls = in_gear(1);
    for (int i = 0; i < 8 * hertz; i++) {
        float time = (float)i / (float)hertz;
        controls.throttle = time < 5.0f ? 0.6f : 0.0f;
        controls.brake = time > 6.0f ? 0.5f : 0.0f;
        controls.steering = 0.15f * kerb_sin(1.5f * time);
        kerb_sim_car_step(&car, &controls, &level, 1.0f / (float)hertz);
    }
    return car.position;
}

static void finer_steps_end_in_the_same_place(void** state) {
    (void)state;
    kerb_sim_car_model models[2] = {middling_car(), kerb_sim_pickup_model()};
    for (int m = 0; m < 2; m++) {
        kerb_vec3 coarse = end_of_manoeuvre(&models[m], 240);
        kerb_vec3 middle = end_of_manoeuvre(&models[m], 480);
        kerb_vec3 fine = end_of_manoeuvre(&models[m], 960);
        float from_coarse = kerb_vec3_length(kerb_vec3_sub(coarse, fine));
        float from_middle = kerb_vec3_length(kerb_vec3_sub(middle, fine));
        assert_true(kerb_vec3_length(fine) > 40.0f);
        if (from_coarse > 0.03f)
            fail_msg("240 and 960 Hz end %.3f m apart", (double)from_coarse);
        // First order: the error against 960 Hz falls from 3/960 to 1/960.
        assert_true(from_middle < 0.5f * from_coarse + 0.005f);
    }
}

static void a_step_far_out_in_the_world_is_not_lost_to_rounding(void** state) {
    (void)state;
    kerb_sim_car_model model = middling_car();
    kerb_sim_car near = car_of(&model), far = near;
    far.position.x = 20000.0f;
    near.position.x = 0.0f;
    cruise(&near, 0.3f, 0.0f, 30.0f);
    cruise(&far, 0.3f, 0.0f, 30.0f);
    assert_true(near.position.x > 7.0f);
    assert_true(fabsf(far.position.x - 20000.0f - near.position.x) < 0.003f);
}

// --------------------------------------------------------------------------- the reference point

static void the_rear_axle_as_reference_point_never_slides_in_slow_turns(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.reference_to_front += vehicle.reference_to_rear_axle;
    vehicle.reference_to_rear_axle = 0.0f;
    kerb_sim_car_model model = kerb_sim_car_model_for(&vehicle);
    kerb_vec3 start = kerb_vec3_make(3.0f, 4.0f, 0.0f);
    kerb_sim_car car = kerb_sim_car_make(&model, start, 1.0f);
    kerb_vec3 told = kerb_sim_car_motion(&car).position;
    assert_true(kerb_vec3_length(kerb_vec3_sub(told, start)) < 1e-5f);
    cruise(&car, 2.0f, 0.7f, 8.0f);
    kerb_motion motion = kerb_sim_car_motion(&car);
    kerb_vec3 left = kerb_quat_left(motion.rotation);
    assert_true(car.side > 0.1f); // the centre of mass does
    assert_true(kerb_abs(kerb_vec3_dot(motion.velocity, left)) < 0.02f);
}

// In a steady turn a step's way points between the velocities before and after it.
static void the_car_moves_the_way_its_velocity_points(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.steering_angle_max = 0.8f;
    kerb_sim_car_model model = kerb_sim_car_model_for(&vehicle);
    kerb_sim_car car = rolling(&model, 3.0f);
    cruise(&car, 3.0f, 1.0f, 5.0f);
    assert_true(car.yaw_rate > 0.9f);
    for (int i = 0; i < 100; i++) {
        kerb_vec3 from = car.position, before = kerb_sim_car_motion(&car).velocity;
        cruise(&car, 3.0f, 1.0f, 1.5f * STEP);
        kerb_vec3 mean = kerb_vec3_add(before, kerb_sim_car_motion(&car).velocity);
        kerb_vec3 way = kerb_vec3_sub(car.position, from);
        float turned =
            (mean.x * way.y - mean.y * way.x) / (kerb_vec3_length(mean) * kerb_vec3_length(way));
        assert_true(kerb_abs(turned) < 1e-3f); // half a step's turn is 2e-3
    }
}

static void the_motion_lies_in_the_plane_of_the_ground(void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_ground ground = {.height = 5.0f, .normal = {0.2f, -0.1f, 0.0f}, .grip = 1.0f};
    ground.normal.z = sqrtf(1.0f - 0.05f);
    for (float heading = -3.0f; heading < 3.0f; heading += 0.5f) {
        kerb_sim_car car = rolling(&model, 8.0f);
        car.heading = heading;
        kerb_controls controls = in_gear(0);
        controls.steering = 0.3f;
        kerb_motion before = kerb_sim_car_motion(&car);
        drive(&car, &controls, &ground, 0.5f);
        kerb_motion motion = kerb_sim_car_motion(&car);
        kerb_vec3 up = kerb_quat_up(motion.rotation);
        assert_true(kerb_vec3_length(kerb_vec3_sub(up, ground.normal)) < 1e-4f);
        assert_true(kerb_abs(kerb_vec3_dot(motion.velocity, ground.normal)) < 1e-3f);
        assert_true(kerb_abs(kerb_quat_heading(motion.rotation) - car.heading) < 1e-4f);
        assert_true(kerb_abs(motion.position.z - 5.0f) < 0.1f);
        assert_true(kerb_vec3_length(kerb_vec3_sub(motion.position, before.position)) > 3.0f);
    }
}

// --------------------------------------------------------------------------- any vehicle

// From a toy of half a metre to a truck of twenty, all numbers random but sane together.
static kerb_vehicle random_vehicle(kerb_random* random) {
    kerb_vehicle v = kerb_vehicle_default();
    v.length = 0.5f * expf(kerb_random_unit(random) * logf(40.0f));
    v.width = v.length * kerb_random_between(random, 0.15f, 0.5f);
    v.wheelbase = v.length * kerb_random_between(random, 0.5f, 0.75f);
    float overhang = (v.length - v.wheelbase) * kerb_random_between(random, 0.2f, 0.8f);
    v.reference_to_rear_axle = v.wheelbase * kerb_random_between(random, -0.1f, 0.6f);
    v.reference_to_front = v.wheelbase - v.reference_to_rear_axle + overhang;
    v.mass = 15.0f * v.length * v.length * v.length * kerb_random_between(random, 0.3f, 2.0f);
    v.steering_angle_max = kerb_random_between(random, 0.3f, 0.9f);
    v.lateral_acceleration_max = kerb_random_between(random, 1.0f, 20.0f);
    v.understeer_gradient = kerb_random_between(random, 0.0f, 0.006f);
    v.braking_max = v.lateral_acceleration_max * kerb_random_between(random, 0.4f, 1.2f);
    v.acceleration_max = v.lateral_acceleration_max * kerb_random_between(random, 0.1f, 0.8f);
    v.reverse_acceleration_max = v.acceleration_max * kerb_random_between(random, 0.4f, 1.0f);
    v.speed_max = kerb_sqrt(v.length) * kerb_random_between(random, 3.0f, 25.0f);
    v.reverse_speed_max = v.speed_max * kerb_random_between(random, 0.1f, 0.5f);
    v.coasting_deceleration = v.acceleration_max * kerb_random_between(random, 0.01f, 0.1f);
    v.drag =
        v.acceleration_max * kerb_random_between(random, 0.1f, 0.5f) / (v.speed_max * v.speed_max);
    v.drive_train.gear_count = kerb_random_below(random, 7);
    v.drive_train.wheel_radius = 0.12f * v.wheelbase;
    float top = v.drive_train.engine_speed_max * v.drive_train.wheel_radius / v.speed_max;
    for (int32_t gear = v.drive_train.gear_count; gear >= 1; gear--)
        v.drive_train.gear_ratio[gear - 1] =
            top * 0.95f * powf(1.4f, (float)(v.drive_train.gear_count - gear));
    // What the top speed needs, or more behind a governor.
    float resisting = v.coasting_deceleration + v.drag * v.speed_max * v.speed_max;
    float more = v.drive_train.gear_count > 0 ? 1.0f : kerb_random_between(random, 1.0f, 1.5f);
    v.power = v.mass * resisting * v.speed_max * more;
    return v;
}

static void a_model_made_for_a_vehicle_has_its_limits(void** state) {
    (void)state;
    kerb_random random = test_random("round trip");
    for (int i = 0; i < 20000; i++) {
        kerb_vehicle v = random_vehicle(&random);
        assert_int_equal(kerb_vehicle_validate(&v, NULL), KERB_OK);
        kerb_sim_car_model model = kerb_sim_car_model_for(&v);
        kerb_vehicle back = kerb_sim_car_vehicle(&model);
        for (int32_t row = 0; row < kerb_vehicle_table.count; row++) {
            const kerb_setting* setting = &kerb_vehicle_table.settings[row];
            double before = (double)kerb_settings_get(setting, &v);
            double after = (double)kerb_settings_get(setting, &back);
            double share = strstr(setting->name, "speed_max") ? 0.03 : 0.005;
            if (fabs(after - before) > share * fabs(before) + 1e-5 * (double)v.length)
                fail_msg("vehicle %d: %s is %g instead of %g", i, setting->name, after, before);
        }
    }
}

static void a_car_made_for_a_vehicle_drives_as_the_vehicle_says(void** state) {
    (void)state;
    kerb_random random = test_random("driven round trip");
    for (int i = 0; i < 60; i++) {
        kerb_vehicle v = random_vehicle(&random);
        kerb_sim_car_model model = kerb_sim_car_model_for(&v);
        // Launch, throttle already open.
        kerb_sim_car car = car_of(&model);
        car.throttle = 1.0f;
        float flat = model.engine_speed[1] * model.wheel_radius / kerb_sim_engine_ratio(&model, 1);
        float until = kerb_min(0.9f * flat, 0.2f * v.speed_max);
        float seconds = until / v.acceleration_max;
        full_throttle(&car, seconds);
        float steps = (float)(int)(seconds / STEP);
        if (steps > 10.0f && car.gear == 1)
            expect_within((double)car.forward, (double)(v.acceleration_max * steps * STEP), 0.1,
                          "speed after launch");
        // Stop.
        car = rolling(&model, 0.9f * v.speed_max);
        kerb_controls controls = in_gear(0);
        controls.brake = 1.0f;
        float start = car.position.x;
        drive(&car, &controls, &level, 2.0f * v.speed_max / v.braking_max + 1.0f);
        float braked = car.position.x - start;
        assert_true(car.forward == 0.0f);
        double speed = 0.9 * (double)v.speed_max, drag = (double)v.drag;
        double way = log(1.0 + drag * speed * speed / (double)v.braking_max) / (2.0 * drag);
        if (fabs((double)braked - way) > 0.03 * way + 2.0 * speed / 240.0)
            fail_msg("vehicle %d stops in %g m instead of %g m", i, (double)braked, way);
        // Turn, at a third of the grip or a third of the lock.
        float angle = 0.3f * v.steering_angle_max;
        float lateral = 0.3f * v.lateral_acceleration_max;
        speed = (double)kerb_min(sqrtf(lateral * v.wheelbase / angle), 0.5f * v.speed_max);
        car = rolling(&model, (float)speed);
        cruise(&car, (float)speed, 0.3f, 10.0f);
        double now = (double)car.forward;
        double expected = now * tan((double)angle) /
                          ((double)v.wheelbase + (double)v.understeer_gradient * now * now);
        expect_within((double)car.yaw_rate, expected, 0.05, "yaw rate");
    }
}

int sim_car_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tyre_is_linear_first_then_peaks_at_its_grip_and_never_passes_it),
        cmocka_unit_test(the_limiter_cuts_the_engine_above_its_greatest_speed),
        cmocka_unit_test(yaw_rate_in_steady_turns_follows_the_linear_bicycle),
        cmocka_unit_test(understeer_gradient_follows_from_stiffness_and_load),
        cmocka_unit_test(a_slow_circle_at_full_lock_has_the_radius_of_the_bicycle),
        cmocka_unit_test(the_pickup_turns_within_six_and_a_half_metres),
        cmocka_unit_test(lateral_acceleration_ends_at_the_grip),
        cmocka_unit_test(the_pickup_settles_into_a_turn_as_a_pickup_does),
        cmocka_unit_test(coasting_follows_the_closed_form),
        cmocka_unit_test(top_speed_is_where_power_meets_resistance),
        cmocka_unit_test(full_braking_stops_within_the_closed_form),
        cmocka_unit_test(the_pickup_accelerates_and_brakes_like_one),
        cmocka_unit_test(full_throttle_launches_at_the_stated_acceleration),
        cmocka_unit_test(braking_moves_load_to_the_front),
        cmocka_unit_test(rolling_downhill_settles_where_drag_meets_gravity),
        cmocka_unit_test(climbing_settles_where_drive_meets_gravity),
        cmocka_unit_test(a_slow_car_across_a_slope_slips_by_the_tyres_angle_and_no_more),
        cmocka_unit_test(reverse_drives_backwards_to_its_greatest_speed_and_steers),
        cmocka_unit_test(a_car_left_alone_on_level_ground_stays_exactly_where_it_is),
        cmocka_unit_test(the_brake_holds_on_a_quarter_slope_whichever_way_the_car_faces),
        cmocka_unit_test(a_car_braked_to_a_stop_on_a_slope_stays_there),
        cmocka_unit_test(a_car_on_a_slope_rolls_off_when_the_brake_is_let_go_or_is_too_weak),
        cmocka_unit_test(the_handbrake_locks_the_rear_wheels),
        cmocka_unit_test(wheels_that_nothing_keeps_from_locking_are_told),
        cmocka_unit_test(full_braking_in_a_bend_leaves_the_wheels_turning_and_the_car_steering),
        cmocka_unit_test(gears_go_up_while_gaining_speed_and_down_while_losing_it),
        cmocka_unit_test(nothing_drives_while_a_shift_lasts),
        cmocka_unit_test(an_open_clutch_drives_nothing),
        cmocka_unit_test(steering_keeps_to_its_rate_and_its_lag),
        cmocka_unit_test(controls_that_are_no_numbers_or_far_out_of_range_do_no_harm),
        cmocka_unit_test(steering_that_is_no_number_goes_straight_on),
        cmocka_unit_test(no_tyre_ever_gives_more_than_its_grip),
        cmocka_unit_test(without_throttle_level_ground_gives_no_energy),
        cmocka_unit_test(a_mirrored_run_is_the_mirror_image_to_the_bit),
        cmocka_unit_test(finer_steps_end_in_the_same_place),
        cmocka_unit_test(a_step_far_out_in_the_world_is_not_lost_to_rounding),
        cmocka_unit_test(the_rear_axle_as_reference_point_never_slides_in_slow_turns),
        cmocka_unit_test(the_car_moves_the_way_its_velocity_points),
        cmocka_unit_test(the_motion_lies_in_the_plane_of_the_ground),
        cmocka_unit_test(a_model_made_for_a_vehicle_has_its_limits),
        cmocka_unit_test(a_car_made_for_a_vehicle_drives_as_the_vehicle_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
