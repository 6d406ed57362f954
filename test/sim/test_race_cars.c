// The cars that race, wings, wheels that lock and spin, the clutch, and ground that bends: each
// against its closed form, which stands at its test.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine.h"
#include "sim/vehicle.h"
#include "test/sim_driving.h"

#include <string.h>

static kerb_sim_car_model race_model(const char* name) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    return model.car;
}

// --------------------------------------------------------------------------- by name

static void the_cars_that_race_have_names_but_are_not_among_all_vehicles(void** state) {
    (void)state;
    static const char* names[5] = {"road", "gt", "formula", "rally", "truck"};
    assert_int_equal(kerb_sim_race_model_count(), 5);
    assert_int_equal(kerb_sim_model_count(), 6);
    for (int32_t i = 0; i < 5; i++) {
        kerb_sim_model model;
        assert_string_equal(kerb_sim_race_model_name(i), names[i]);
        assert_true(strlen(kerb_sim_race_model_about(i)) > 10);
        assert_true(kerb_sim_model_named(names[i], &model));
        assert_string_equal(model.name, names[i]);
        assert_int_equal(kerb_vehicle_validate(&model.vehicle, NULL), KERB_OK);
        assert_true(model.vehicle.drive_train.gear_count >= 6);
        for (int32_t k = 0; k < kerb_sim_model_count(); k++)
            assert_string_not_equal(kerb_sim_model_name(k), names[i]);
    }
}

// Figures of the real kinds, as sim/README.md has them.
typedef struct figures {
    const char* name;
    double to_100, top, stop; // [s, m/s, m]
} figures;

static double stopping_distance(const kerb_sim_car_model* model, float speed) {
    kerb_sim_car car = rolling(model, speed);
    kerb_controls controls = in_gear(0);
    controls.brake = 1.0f;
    for (int i = 0; i < 240 * 20 && car.forward > 0.0f; i++)
        kerb_sim_car_step(&car, &controls, &level, STEP);
    return (double)car.position.x;
}

static int32_t next_gear(const kerb_sim_car* car) {
    const kerb_drive_train* train = &car->model.drive_train;
    bool last = car->gear >= train->gear_count || car->shift_timer > 0.0f;
    return !last && car->engine_speed > 0.98f * train->engine_speed_max ? car->gear + 1 : car->gear;
}

static void each_accelerates_and_brakes_as_its_kind_does(void** state) {
    (void)state;
    static const figures known[5] = {{"road", 6.6, 69.0, 36.0},
                                     {"gt", 3.1, 78.6, 24.0},
                                     {"formula", 2.9, 90.3, 21.0},
                                     {"rally", 5.1, 55.8, 48.0},
                                     {"truck", 6.6, 44.3, 38.5}};
    for (int i = 0; i < 5; i++) {
        kerb_sim_car_model model = race_model(known[i].name);
        kerb_sim_car car = car_of(&model);
        kerb_controls controls = in_gear(1);
        controls.throttle = 1.0f;
        double reached = 0.0;
        for (int step = 0; step < 240 * 60; step++) {
            controls.gear = next_gear(&car);
            kerb_sim_car_step(&car, &controls, &level, STEP);
            if (reached == 0.0 && car.forward > 100.0f / 3.6f)
                reached = (double)(step + 1) / 240.0;
        }
        expect_within(reached, known[i].to_100, 0.04, "0 to 100 km/h");
        expect_within((double)car.forward, known[i].top, 0.02, "top speed");
        expect_within(stopping_distance(&model, 100.0f / 3.6f), known[i].stop, 0.03, "100 to 0");
    }
}

// --------------------------------------------------------------------------- wings

// The highest gear that is not beyond the speed of greatest power: where drive = rolling + drag.
static void top_speed_is_where_power_meets_drag_and_what_downforce_adds_to_rolling(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_race_model_count(); i++) {
        kerb_sim_car_model model = race_model(kerb_sim_race_model_name(i));
        double best = 0.0, mass = (double)model.mass;
        int32_t best_gear = 1;
        for (int32_t gear = 1; gear <= model.drive_train.gear_count; gear++) {
            double turns =
                (double)model.drive_train.gear_ratio[gear - 1] / (double)model.wheel_radius;
            double v = 1.0;
            for (; v < 120.0; v += 0.01) {
                double down = (double)model.downforce_area * v * v;
                double load = mass * 9.80665 + down;
                double resistance =
                    (double)model.rolling_resistance * load + (double)model.drag_area * v * v;
                // The driven wheels, which carry about half unless all are, turn faster by the
                // slip.
                double driven = model.drive_front == 0.5f ? load : 0.55 * load;
                double rim = v * (1.0 + resistance / ((double)model.slip_stiffness * driven));
                float slope;
                double drive =
                    (double)kerb_sim_engine_torque(&model, (float)(rim * turns), &slope) * turns *
                    (double)model.drive_efficiency;
                if (drive < resistance)
                    break;
            }
            if (v > best) {
                best = v;
                best_gear = gear;
            }
        }
        kerb_sim_car car = rolling(&model, 0.9f * (float)best);
        car.gear = best_gear;
        kerb_controls controls = in_gear(best_gear);
        controls.throttle = 1.0f;
        drive(&car, &controls, &level, 120.0f);
        expect_within((double)car.forward, best, 0.003, "top speed");
        kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
        expect_within((double)vehicle.speed_max, best, 0.02, "as a driver is told");
    }
}

static void wings_load_both_axles_with_the_square_of_speed(void** state) {
    (void)state;
    kerb_sim_car_model model = race_model("formula");
    model.drag_area = model.rolling_resistance = 0.0f;
    for (float speed = 10.0f; speed < 90.0f; speed += 20.0f) {
        kerb_sim_car car = rolling(&model, speed);
        kerb_controls controls = in_gear(0);
        drive(&car, &controls, &level, 0.5f);
        double down = (double)model.downforce_area * (double)(speed * speed);
        double front = (double)(weight_of(&model) * model.rear_to_mass / wheelbase_of(&model));
        expect_within((double)(car.load_front + car.load_rear), (double)weight_of(&model) + down,
                      1e-3, "both");
        expect_within((double)car.load_front, front + (double)model.downforce_front * down, 1e-3,
                      "in front");
    }
}

// Circling ever tighter, towed so that no thrust takes grip: the greatest lateral acceleration at
// which the axles' moments balance, that of the axle which holds less.
static double greatest_lateral(const kerb_sim_car_model* model, float speed) {
    kerb_sim_car car = rolling(model, speed);
    kerb_controls controls = in_gear(0);
    float most = 0.0f;
    for (int i = 0; i < 240 * 12 && car.forward * car.yaw_rate < 1.2f * most + 5.0f; i++) {
        controls.steering = kerb_min(controls.steering + 1.5f / speed * STEP, 1.0f);
        kerb_sim_car_step(&car, &controls, &level, STEP);
        car.forward = speed;
        float front = car.force_front.y * cosf(car.steering) / model->rear_to_mass;
        float rear = car.force_rear.y / model->front_to_mass;
        float held = kerb_min(front, rear) * wheelbase_of(model) / model->mass;
        most = kerb_max(most, kerb_min(held, car.forward * car.yaw_rate));
    }
    return (double)most;
}

// μ·(g + D·v²), D less where the wings' balance differs from the mass's.
static void cornering_with_wings_ends_at_grip_times_load(void** state) {
    (void)state;
    static const char* names[3] = {"road", "gt", "formula"};
    for (int i = 0; i < 3; i++) {
        kerb_sim_car_model model = race_model(names[i]);
        model.drag_area = model.rolling_resistance = 0.0f;
        model.mass_height = 0.0f; // front wheels that are turned brake: that would move load
        kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
        for (float speed = 20.0f; speed <= 80.0f; speed += 20.0f) {
            double v = (double)speed;
            double expected = (double)vehicle.lateral_acceleration_max *
                              (1.0 + (double)vehicle.downforce / 9.80665 * v * v);
            expect_within(greatest_lateral(&model, speed), expected, 0.02, names[i]);
        }
    }
}

// v dv/dx = -(A + B v²) gives x = ln(1 + B v²/A)/2B; A = μg + rolling, B of downforce and drag.
static void stopping_with_wings_takes_the_distance_of_the_closed_form(void** state) {
    (void)state;
    static const char* names[2] = {"gt", "formula"};
    for (int i = 0; i < 2; i++) {
        kerb_sim_car_model model = race_model(names[i]);
        double mu = (double)model.grip_along, mass = (double)model.mass;
        double rolling_share = (double)model.rolling_resistance;
        // Anti-lock brakes: wheels turn with the car, so their inertia costs grip nothing, but the
        // tyres also stop the wheels: only forces on the car count here.
        double a = (mu + rolling_share) * 9.80665;
        double b =
            ((mu + rolling_share) * (double)model.downforce_area + (double)model.drag_area) / mass;
        for (double v = 30.0; v < 85.0; v += 25.0) {
            double expected = log(1.0 + b * v * v / a) / (2.0 * b);
            expect_within(stopping_distance(&model, (float)v), expected, 0.03, names[i]);
        }
    }
}

// --------------------------------------------------------------------------- slip

static void without_slip_control_wheels_lock_and_the_way_is_longer(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_race_model_count(); i++) {
        kerb_sim_car_model model = race_model(kerb_sim_race_model_name(i));
        double held = stopping_distance(&model, 25.0f);
        model.slip_control = false;
        double locked = stopping_distance(&model, 25.0f);
        kerb_sim_car car = rolling(&model, 25.0f);
        kerb_controls controls = in_gear(0);
        controls.brake = 1.0f;
        drive(&car, &controls, &level, 0.5f);
        assert_true(car.forward > 10.0f);
        assert_true(car.wheel_front == 0.0f);
        // A sliding tyre keeps 0.89 of its peak (tyre.c).
        assert_true(locked > 1.03 * held && locked < 1.14 * held);
    }
}

static void without_slip_control_the_throttle_spins_the_driven_wheels(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_race_model_count(); i++) {
        kerb_sim_car_model model = race_model(kerb_sim_race_model_name(i));
        for (int control = 0; control < 2; control++) {
            model.slip_control = control == 1;
            kerb_sim_car car = car_of(&model);
            kerb_controls controls = in_gear(1);
            controls.throttle = 1.0f;
            float most = 0.0f;
            for (int step = 0; step < 240; step++) {
                kerb_sim_car_step(&car, &controls, &level, STEP);
                float wheel = model.drive_front > 0.5f ? car.wheel_front : car.wheel_rear;
                float slip = wheel * model.wheel_radius - car.forward;
                most = kerb_max(most, slip / kerb_max(wheel * model.wheel_radius, 5.0f));
            }
            if (control == 1 && most > 0.35f)
                fail_msg("%s spins with traction control: %g", kerb_sim_race_model_name(i),
                         (double)most);
            if (control == 0 && most < 0.4f)
                fail_msg("%s does not spin: %g", kerb_sim_race_model_name(i), (double)most);
        }
    }
}

// --------------------------------------------------------------------------- engine and clutch

// J·w' = T(w)
static void an_engine_in_neutral_revs_up_as_its_inertia_lets_it_and_ends_at_the_limiter(
    void** state) {
    (void)state;
    kerb_sim_car_model model = race_model("gt");
    model.throttle_delay = 0.0f;
    kerb_sim_car car = car_of(&model);
    kerb_controls controls = in_gear(0);
    controls.throttle = 1.0f;
    double speed = (double)model.drive_train.engine_speed_idle, time = 0.0;
    for (; speed < 700.0; time += 1e-4) {
        float slope;
        speed += 1e-4 * (double)kerb_sim_engine_torque(&model, (float)speed, &slope) /
                 (double)model.engine_inertia;
    }
    int steps = 0;
    while (car.engine_speed < 700.0f && steps < 2000) {
        kerb_sim_car_step(&car, &controls, &level, STEP);
        steps++;
    }
    expect_within((double)steps / 240.0, time, 0.05, "time to rev up");
    drive(&car, &controls, &level, 2.0f);
    float most = model.engine_speed[KERB_SIM_TORQUE_POINTS - 1];
    assert_true(car.engine_speed >= most && car.engine_speed < 1.021f * most);
    controls.throttle = 0.0f;
    drive(&car, &controls, &level, 10.0f);
    expect_within((double)car.engine_speed, (double)model.drive_train.engine_speed_idle, 0.02,
                  "idle");
}

static void an_open_clutch_takes_the_drive_away_and_a_slipping_one_limits_it(void** state) {
    (void)state;
    kerb_sim_car_model model = race_model("gt");
    for (float open = 0.0f; open <= 1.0f; open += 0.25f) {
        kerb_sim_car car = rolling(&model, 2.0f);
        kerb_controls controls = in_gear(1);
        controls.throttle = 1.0f;
        controls.clutch = open;
        drive(&car, &controls, &level, 0.5f);
        float turns = model.drive_train.gear_ratio[0] / model.wheel_radius;
        float most = (1.0f - open) * model.clutch_torque * turns * model.drive_efficiency;
        assert_true(car.force_rear.x <= most + 10.0f); // the wheels give back what they turn with
        if (open == 1.0f)
            assert_true(car.engine_speed > 600.0f && car.forward < 2.0f);
        if (open == 0.0f)
            assert_true(car.forward > 4.0f);
    }
}

// Shifting down at 25 m/s: what the wheels lose to the engine until it is as fast. [N s]
static float pull_back(bool blips) {
    kerb_sim_car_model model = race_model("formula");
    model.drive_train.shift_time = 0.06f;
    kerb_sim_car car = rolling(&model, 25.0f);
    car.gear = 3;
    car.engine_speed = car.wheel_rear * model.drive_train.gear_ratio[2];
    kerb_controls controls = in_gear(2);
    float sum = 0.0f;
    for (int i = 0; i < 48; i++) {
        bool slow = car.engine_speed < car.wheel_rear * model.drive_train.gear_ratio[1];
        controls.throttle = blips && slow && i < 14 ? 1.0f : 0.0f;
        kerb_sim_car_step(&car, &controls, &level, STEP);
        sum -= car.force_rear.x * STEP;
    }
    return sum;
}

static void a_blip_of_the_throttle_spares_the_wheels_when_shifting_down(void** state) {
    (void)state;
    float rough = pull_back(false), smooth = pull_back(true);
    // The engine's momentum at the rims: J·Δw·turns, 0.05·200·45.
    if (!(smooth < 0.5f * rough && rough > 200.0f))
        fail_msg("%g N s with the blip, %g N s without", (double)smooth, (double)rough);
}

static void shifting_up_takes_the_drive_for_the_time_of_the_shift(void** state) {
    (void)state;
    kerb_sim_car_model model = race_model("truck");
    kerb_sim_car car = rolling(&model, 13.0f);
    car.engine_speed = car.wheel_rear * model.drive_train.gear_ratio[0];
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    drive(&car, &controls, &level, 0.2f);
    controls.gear = 2;
    drive(&car, &controls, &level, 0.5f * model.drive_train.shift_time);
    assert_true(kerb_abs(car.force_rear.x) < 500.0f);
    drive(&car, &controls, &level, model.drive_train.shift_time + 0.5f);
    assert_true(car.force_rear.x > 10000.0f);
    expect_within((double)car.engine_speed,
                  (double)(car.wheel_rear * model.drive_train.gear_ratio[1]), 0.01, "coupled");
}

// --------------------------------------------------------------------------- ground that bends

#define RADIUS 100.0f

// The ground along a circle in the vertical plane, its top (side 1) or bottom (-1) at x = 0.
static kerb_sim_ground on_arc(kerb_vec3 position, float side) {
    float x = kerb_clamp(position.x, -0.7f * RADIUS, 0.7f * RADIUS);
    float rise = sqrtf(RADIUS * RADIUS - x * x);
    kerb_sim_ground ground = {.normal = {side * x / RADIUS, 0.0f, rise / RADIUS}, .grip = 1.0f};
    ground.height = side * (rise - RADIUS);
    ground.bend.xx = -side * RADIUS * RADIUS / (rise * rise * rise);
    return ground;
}

static float load_at_the_middle(const kerb_sim_car_model* model, float speed, float side) {
    kerb_sim_car car = rolling(model, speed);
    car.position.x = -8.0f;
    kerb_controls controls = in_gear(0);
    while (car.position.x < 0.0f) {
        kerb_sim_ground ground = on_arc(car.position, side);
        kerb_sim_car_step(&car, &controls, &ground, STEP);
    }
    assert_true(kerb_abs(car.forward - speed) < 1.0f);
    return car.load_front + car.load_rear;
}

// N = m (g ∓ v²/R), and 0 from the speed on at which the car would lift off: sqrt(gR).
static void a_crest_takes_load_until_the_car_would_lift_off_and_a_dip_gives_it(void** state) {
    (void)state;
    kerb_sim_car_model model = race_model("road");
    model.drag_area = model.rolling_resistance = 0.0f;
    float lift_off = sqrtf(KERB_GRAVITY * RADIUS);
    for (float share = 0.3f; share < 1.3f; share += 0.1f) {
        float speed = share * lift_off;
        float crest = load_at_the_middle(&model, speed, 1.0f);
        float dip = load_at_the_middle(&model, speed, -1.0f);
        double part = (double)(share * share);
        double weight = (double)weight_of(&model);
        // The speed differs a little from that at the start: by the height of the start.
        if (share < 0.99f)
            assert_true(fabs((double)crest - weight * (1.0 - part)) < 0.03 * weight);
        if (share > 1.01f)
            assert_true(crest == 0.0f);
        assert_true(fabs((double)dip - weight * (1.0 + part)) < 0.03 * weight);
    }
}

#define BANK 0.4f

// A cone round the origin: its inside lower.
static kerb_sim_ground on_cone(kerb_vec3 position) {
    float r = sqrtf(position.x * position.x + position.y * position.y);
    float x = position.x / r, y = position.y / r, slope = tanf(BANK);
    kerb_sim_ground ground = {.grip = 1.0f};
    ground.normal = kerb_vec3_make(-sinf(BANK) * x, -sinf(BANK) * y, cosf(BANK));
    ground.height = slope * (r - RADIUS);
    ground.bend.xx = slope * y * y / r;
    ground.bend.xy = -slope * x * y / r;
    ground.bend.yy = slope * x * x / r;
    return ground;
}

// Drives a level circle of RADIUS on the cone, anticlockwise, at a speed that stays.
static kerb_sim_car circle_on_cone(const kerb_sim_car_model* model, float speed) {
    kerb_sim_car car = kerb_sim_car_make(model, kerb_vec3_make(RADIUS, 0.0f, 0.0f), 0.5f * KERB_PI);
    car.forward = speed;
    car.wheel_front = car.wheel_rear = speed / model->wheel_radius;
    kerb_controls controls = in_gear(0);
    float sum = 0.0f;
    for (int i = 0; i < 240 * 40; i++) {
        kerb_sim_ground ground = on_cone(car.position);
        kerb_vec3 p = car.position;
        float r = sqrtf(p.x * p.x + p.y * p.y);
        float slant = kerb_wrap_angle(car.heading - atan2f(p.y, p.x) - 0.5f * KERB_PI);
        sum += 0.02f * (r - RADIUS) * STEP;
        controls.steering = 0.1f * (r - RADIUS) - 1.5f * slant + sum;
        kerb_sim_car_step(&car, &controls, &ground, STEP);
        car.forward += 0.2f * (speed - car.forward); // towed: no thrust on the tyres
    }
    float r = sqrtf(car.position.x * car.position.x + car.position.y * car.position.y);
    assert_true(kerb_abs(r - RADIUS) < 0.2f);
    return car;
}

// Across the bank: F = m (v²/R cos β - g sin β), N = m (g cos β + v²/R sin β); F is 0 at the
// neutral speed sqrt(g R tan β).
static void a_banked_bend_carries_as_much_as_it_presses(void** state) {
    (void)state;
    kerb_sim_car_model model = race_model("gt");
    model.drag_area = model.rolling_resistance = model.downforce_area = 0.0f;
    float neutral = sqrtf(KERB_GRAVITY * RADIUS * tanf(BANK));
    for (float share = 0.7f; share < 1.5f; share += 0.1f) {
        kerb_sim_car car = circle_on_cone(&model, share * neutral);
        double v = hypot((double)car.forward, (double)car.side), mass = (double)model.mass;
        double outwards = v * v / (double)RADIUS;
        double sine = sin((double)BANK), cosine = cos((double)BANK);
        double force = (double)(car.force_front.y * cosf(car.steering) +
                                car.force_front.x * sinf(car.steering) + car.force_rear.y);
        double load = (double)(car.load_front + car.load_rear);
        double expected = mass * (outwards * cosine - 9.80665 * sine);
        expect_within(load, mass * (9.80665 * cosine + outwards * sine), 0.01, "load");
        if (fabs(force - expected) > 0.01 * load)
            fail_msg("at %g m/s %g N across instead of %g N", v, force, expected);
    }
}

static void a_bend_that_is_not_a_number_is_a_plane(void** state) {
    (void)state;
    kerb_sim_car_model model = race_model("rally");
    kerb_sim_car plain = rolling(&model, 20.0f), odd = plain;
    kerb_controls controls = in_gear(2);
    controls.steering = 0.1f;
    kerb_sim_ground bad = level;
    bad.bend.xx = NAN;
    bad.bend.yy = INFINITY;
    drive(&plain, &controls, &level, 1.0f);
    drive(&odd, &controls, &bad, 1.0f);
    assert_memory_equal(&plain.position, &odd.position, sizeof plain.position);
    assert_true(plain.load_front == odd.load_front);
}

static void no_bend_however_sharp_makes_a_car_leave_the_numbers(void** state) {
    (void)state;
    kerb_sim_car_model model = race_model("formula");
    for (float bend = -1e6f; bend <= 1e6f; bend += 2e5f) {
        kerb_sim_ground ground = level;
        ground.bend.xx = ground.bend.xy = bend;
        kerb_sim_car car = rolling(&model, 60.0f);
        kerb_controls controls = in_gear(3);
        controls.steering = 0.3f;
        controls.brake = 0.5f;
        for (int i = 0; i < 480; i++) {
            kerb_sim_car_step(&car, &controls, &ground, STEP);
            kerb_motion motion = kerb_sim_car_motion(&car);
            assert_true(kerb_motion_is_finite(&motion));
            assert_true(car.load_front >= 0.0f && car.load_rear >= 0.0f);
        }
    }
}

int race_cars_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cars_that_race_have_names_but_are_not_among_all_vehicles),
        cmocka_unit_test(each_accelerates_and_brakes_as_its_kind_does),
        cmocka_unit_test(top_speed_is_where_power_meets_drag_and_what_downforce_adds_to_rolling),
        cmocka_unit_test(wings_load_both_axles_with_the_square_of_speed),
        cmocka_unit_test(cornering_with_wings_ends_at_grip_times_load),
        cmocka_unit_test(stopping_with_wings_takes_the_distance_of_the_closed_form),
        cmocka_unit_test(without_slip_control_wheels_lock_and_the_way_is_longer),
        cmocka_unit_test(without_slip_control_the_throttle_spins_the_driven_wheels),
        cmocka_unit_test(
            an_engine_in_neutral_revs_up_as_its_inertia_lets_it_and_ends_at_the_limiter),
        cmocka_unit_test(an_open_clutch_takes_the_drive_away_and_a_slipping_one_limits_it),
        cmocka_unit_test(a_blip_of_the_throttle_spares_the_wheels_when_shifting_down),
        cmocka_unit_test(shifting_up_takes_the_drive_for_the_time_of_the_shift),
        cmocka_unit_test(a_crest_takes_load_until_the_car_would_lift_off_and_a_dip_gives_it),
        cmocka_unit_test(a_banked_bend_carries_as_much_as_it_presses),
        cmocka_unit_test(a_bend_that_is_not_a_number_is_a_plane),
        cmocka_unit_test(no_bend_however_sharp_makes_a_car_leave_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
