// The airplane against closed forms: level speed, turns, climb, glide, stall, sticks, energy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/airplane.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define STEP (1.0f / 240.0f)

// --------------------------------------------------------------------------- what tests need

static void expect_within(double value, double expected, double share, const char* what) {
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%s is %g instead of %g, off by %.2f %%", what, value, expected,
                 100.0 * (value / expected - 1.0));
}

static kerb_sim_airplane flying(const kerb_sim_airplane_model* model, float speed) {
    return kerb_sim_airplane_make(model, kerb_vec3_make(0.0f, 0.0f, 1000.0f), 0.0f, speed);
}

static float speed_of(const kerb_sim_airplane* airplane) {
    return kerb_vec3_length(airplane->velocity);
}

static float path_angle(const kerb_sim_airplane* airplane) {
    return kerb_asin(airplane->velocity.z / speed_of(airplane));
}

// Right side down positive.
static float bank_of(const kerb_sim_airplane* airplane) {
    return kerb_atan2(kerb_quat_left(airplane->rotation).z, kerb_quat_up(airplane->rotation).z);
}

static float course_of(const kerb_sim_airplane* airplane) {
    return kerb_atan2(airplane->velocity.y, airplane->velocity.x);
}

// A hand on the stick: holds a bank and an angle of the path, coordinated.
static void hold_once(kerb_sim_airplane* airplane, float bank, float angle, float throttle) {
    kerb_controls controls = {.throttle = throttle};
    const kerb_sim_airplane_model* model = &airplane->model;
    float now = bank_of(airplane);
    float turn = KERB_GRAVITY * kerb_tan(now) / speed_of(airplane);
    float up = turn * kerb_sin(now) + 1.5f * (angle - path_angle(airplane));
    controls.roll = kerb_clamp(2.0f * (bank - now) / model->roll_rate_max, -1.0f, 1.0f);
    controls.pitch = kerb_clamp(-up / model->pitch_rate_max, -1.0f, 1.0f);
    controls.yaw = kerb_clamp(-turn * kerb_cos(now) / model->yaw_rate_max, -1.0f, 1.0f);
    kerb_sim_airplane_step(airplane, &controls, STEP);
}

static void hold(kerb_sim_airplane* airplane, float bank, float angle, float throttle,
                 float seconds) {
    for (int i = 0; i < (int)(seconds / STEP + 0.5f); i++)
        hold_once(airplane, bank, angle, throttle);
}

static void step_for(kerb_sim_airplane* airplane, const kerb_controls* controls, float seconds) {
    for (int i = 0; i < (int)(seconds / STEP + 0.5f); i++)
        kerb_sim_airplane_step(airplane, controls, STEP);
}

typedef struct forces {
    double lift_coefficient, drag, thrust, weight;
} forces;

// What level flight at a speed takes and full throttle gives, by the textbook.
static forces level_forces(const kerb_sim_airplane_model* model, double speed) {
    forces result;
    double q = 0.5 * (double)model->air_density * speed * speed * (double)model->wing_area;
    result.weight = (double)(model->mass * KERB_GRAVITY);
    result.lift_coefficient = result.weight / q;
    result.drag =
        q * ((double)model->drag_zero +
             (double)model->drag_induced * result.lift_coefficient * result.lift_coefficient);
    result.thrust = (double)model->thrust * (1.0 - speed / (double)model->thrust_end);
    return result;
}

// --------------------------------------------------------------------------- steady flight

static void level_flight_settles_where_thrust_meets_drag(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_sim_airplane airplane = flying(&model, 60.0f);
    hold(&airplane, 0.0f, 0.0f, 1.0f, 200.0f);
    forces at = level_forces(&model, (double)speed_of(&airplane));
    expect_within(at.thrust, at.drag, 0.01, "thrust");
    expect_within((double)airplane.load_factor, 1.0, 0.01, "load factor");
    kerb_aircraft limits = kerb_sim_airplane_aircraft(&model);
    expect_within((double)speed_of(&airplane), (double)limits.speed_max, 0.003, "speed");
}

static void it_is_as_fast_as_the_airplane_that_it_is_modelled_after(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft limits = kerb_sim_airplane_aircraft(&model);
    expect_within((double)limits.speed_max, 281.0 / 3.6, 0.01, "greatest speed");
    float best = 0.0f;
    for (int speed = 32; speed < 78; speed++)
        best = kerb_max(best, kerb_aircraft_climb_rate(&limits, (float)speed));
    expect_within((double)best, 1380.0 * 0.3048 / 60.0, 0.02, "best climb");
}

static void a_trimmed_airplane_flies_on_with_its_sticks_let_go(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_sim_airplane airplane = flying(&model, 62.0f);
    kerb_controls controls = {.throttle = airplane.throttle};
    step_for(&airplane, &controls, 10.0f);
    expect_within((double)airplane.position.x, 620.0, 0.01, "way");
    assert_true(fabsf(airplane.position.z - 1000.0f) < 5.0f);
    assert_true(airplane.position.y == 0.0f);
}

static void a_bank_turns_it_by_g_tan_bank_over_speed(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    for (int degrees = -60; degrees <= 60; degrees += 20) {
        kerb_sim_airplane airplane = flying(&model, 60.0f);
        float bank = (float)degrees * KERB_PI / 180.0f;
        hold(&airplane, bank, 0.0f, 0.8f, 10.0f);
        float course = course_of(&airplane), turned = 0.0f;
        double expected = 0.0;
        for (int i = 0; i < 480; i++) {
            hold_once(&airplane, bank, 0.0f, 0.8f);
            turned += kerb_wrap_angle(course_of(&airplane) - course);
            course = course_of(&airplane);
            expected -= (double)(KERB_GRAVITY * kerb_tan(bank) / speed_of(&airplane) * STEP);
        }
        if (degrees == 0)
            assert_true(fabsf(turned) < 1e-4f);
        else
            expect_within((double)turned, expected, 0.02, "turn");
        // Thrust carries a little of the weight; the pedals keep the nose in the wind.
        expect_within((double)airplane.load_factor, 1.0 / cos((double)bank), 0.03, "load factor");
        assert_true(fabsf(airplane.sideslip) < 0.01f);
    }
}

static void the_radius_of_a_level_turn_is_that_of_its_load_factor(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft limits = kerb_sim_airplane_aircraft(&model);
    kerb_sim_airplane airplane = flying(&model, 60.0f);
    hold(&airplane, limits.bank_max, 0.0f, 1.0f, 20.0f);
    float least = 1e9f, most = -1e9f;
    for (int i = 0; i < 40 * 240; i++) {
        hold_once(&airplane, limits.bank_max, 0.0f, 1.0f);
        least = kerb_min(least, airplane.position.x);
        most = kerb_max(most, airplane.position.x);
    }
    float expected = kerb_aircraft_turning_radius(&limits, speed_of(&airplane));
    expect_within(0.5 * (double)(most - least), (double)expected, 0.03, "radius");
}

static void it_climbs_by_its_excess_power(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft limits = kerb_sim_airplane_aircraft(&model);
    for (int i = 4; i <= 7; i++) {
        float speed = 10.0f * (float)i;
        kerb_sim_airplane airplane = flying(&model, speed);
        airplane.throttle = 1.0f;
        forces at = level_forces(&model, (double)speed);
        float angle = (float)asin((at.thrust - at.drag) / at.weight);
        hold(&airplane, 0.0f, angle, 1.0f, 10.0f);
        float height = airplane.position.z;
        hold(&airplane, 0.0f, angle, 1.0f, 10.0f);
        double rate = (double)(airplane.position.z - height) / 10.0;
        expect_within((double)speed_of(&airplane), (double)speed, 0.02, "speed");
        expect_within(rate, (double)kerb_aircraft_climb_rate(&limits, speed), 0.03, "climb");
    }
}

static void it_glides_by_lift_over_drag(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft limits = kerb_sim_airplane_aircraft(&model);
    // Best glide: C_L where both parts of the drag are alike.
    double lift = sqrt((double)(model.drag_zero / model.drag_induced));
    double best = sqrt(2.0 * (double)(model.mass * KERB_GRAVITY) /
                       ((double)(model.air_density * model.wing_area) * lift));
    kerb_sim_airplane airplane = flying(&model, (float)best);
    airplane.throttle = 0.0f;
    hold(&airplane, 0.0f, -kerb_atan(1.0f / limits.glide_ratio), 0.0f, 30.0f);
    kerb_vec3 from = airplane.position;
    hold(&airplane, 0.0f, -kerb_atan(1.0f / limits.glide_ratio), 0.0f, 30.0f);
    expect_within((double)speed_of(&airplane), best, 0.02, "speed");
    expect_within((double)((airplane.position.x - from.x) / (from.z - airplane.position.z)),
                  (double)limits.glide_ratio, 0.01, "glide ratio");
    expect_within((double)kerb_aircraft_drag(&limits, (float)best, 1.0f),
                  (double)(KERB_GRAVITY / limits.glide_ratio), 0.001, "drag");
}

// --------------------------------------------------------------------------- stall

static void it_stalls_at_its_stall_speed(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft limits = kerb_sim_airplane_aircraft(&model);
    kerb_sim_airplane airplane = flying(&model, 40.0f);
    while (airplane.angle_of_attack < limits.stall_angle)
        hold_once(&airplane, 0.0f, 0.0f, 0.2f);
    expect_within((double)speed_of(&airplane), (double)limits.stall_speed, 0.03, "stall speed");
}

static void in_a_turn_it_stalls_the_root_of_the_load_factor_earlier(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft limits = kerb_sim_airplane_aircraft(&model);
    kerb_sim_airplane airplane = flying(&model, 60.0f);
    hold(&airplane, 1.05f, 0.0f, 1.0f, 4.0f);
    while (airplane.angle_of_attack < limits.stall_angle)
        hold_once(&airplane, 1.05f, 0.0f, 0.0f);
    double n = 1.0 / cos((double)bank_of(&airplane));
    expect_within((double)speed_of(&airplane), (double)limits.stall_speed * sqrt(n), 0.05,
                  "stall speed");
}

static void its_nose_drops_in_a_stall_and_it_flies_again(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_sim_airplane airplane = flying(&model, 40.0f);
    kerb_controls pulled = {.pitch = -0.3f};
    while (airplane.angle_of_attack < 0.36f)
        kerb_sim_airplane_step(&airplane, &pulled, STEP);
    float nose = kerb_quat_forward(airplane.rotation).z;
    kerb_controls free = {0};
    step_for(&airplane, &free, 8.0f);
    assert_true(kerb_quat_forward(airplane.rotation).z < nose - 0.1f);
    assert_true(airplane.angle_of_attack < 0.3f);
    kerb_controls pushed = {.pitch = 0.2f};
    step_for(&airplane, &pushed, 1.5f);
    assert_true(airplane.angle_of_attack < 0.2f && airplane.angle_of_attack > 0.0f);
}

// --------------------------------------------------------------------------- sticks

static void sticks_turn_it_at_the_stated_rates_after_their_lag(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_sim_airplane airplane = flying(&model, 60.0f);
    kerb_controls controls = {.roll = 1.0f};
    step_for(&airplane, &controls, model.rate_delay);
    expect_within((double)airplane.roll_rate, (double)model.roll_rate_max * (1.0 - exp(-1.0)), 0.02,
                  "roll rate");
    step_for(&airplane, &controls, 1.0f);
    expect_within((double)airplane.roll_rate, (double)model.roll_rate_max, 0.01, "roll rate");
    assert_true(bank_of(&airplane) > 0.5f); // right side down
    controls = (kerb_controls){.pitch = -0.5f};
    airplane = flying(&model, 60.0f);
    step_for(&airplane, &controls, 1.0f);
    expect_within((double)airplane.pitch_rate, -0.5 * (double)model.pitch_rate_max, 0.01, "pitch");
    assert_true(airplane.velocity.z > 0.0f); // nose up
}

static void the_nose_swings_back_into_the_wind(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_sim_airplane airplane = flying(&model, 60.0f);
    kerb_controls controls = {.throttle = 0.5f, .yaw = 0.5f};
    step_for(&airplane, &controls, 2.0f);
    // Where the tail balances the pedals, but for what the path itself turns.
    double held = (double)(0.5f * model.yaw_rate_max / model.weathercock);
    assert_true((double)airplane.sideslip > 0.7 * held && (double)airplane.sideslip < held);
    controls.yaw = 0.0f;
    step_for(&airplane, &controls, 3.0f);
    assert_true(fabsf(airplane.sideslip) < 0.01f);
}

// --------------------------------------------------------------------------- what always holds

static void without_drag_and_thrust_it_keeps_its_energy(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    model.drag_zero = model.drag_induced = model.side_slope = 0.0f;
    kerb_random random = test_random("energy of the airplane");
    for (int run = 0; run < 10; run++) {
        kerb_sim_airplane airplane = flying(&model, 75.0f);
        airplane.throttle = 0.0f;
        double before = 0.5 * 75.0 * 75.0 + 9.80665 * (double)airplane.position.z;
        float bank = kerb_random_between(&random, -0.8f, 0.8f);
        float angle = kerb_random_between(&random, -0.3f, 0.2f);
        hold(&airplane, bank, angle, 0.0f, 5.0f);
        double speed = (double)speed_of(&airplane);
        double after = 0.5 * speed * speed + 9.80665 * (double)airplane.position.z;
        expect_within(after, before, 2e-4, "energy");
    }
}

static void half_the_step_ends_at_the_same_place(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_vec3 ends[2];
    for (int i = 0; i < 2; i++) {
        kerb_sim_airplane airplane = flying(&model, 60.0f);
        int steps = 1920 << i;
        for (int k = 0; k < steps; k++) {
            double time = 8.0 * k / steps;
            kerb_controls controls = {.throttle = 0.6f};
            controls.roll = (float)(0.3 * sin(time));
            controls.pitch = (float)(-0.05 - 0.1 * sin(0.7 * time));
            controls.yaw = (float)(0.1 * sin(1.3 * time));
            kerb_sim_airplane_step(&airplane, &controls, i == 0 ? STEP : 0.5f * STEP);
        }
        ends[i] = airplane.position;
    }
    assert_true(kerb_vec3_length(kerb_vec3_sub(ends[0], ends[1])) < 0.5f);
}

static void wild_sticks_never_make_it_anything_but_finite(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_random random = test_random("wild sticks");
    kerb_sim_airplane airplane = flying(&model, 60.0f);
    const float odd[4] = {NAN, INFINITY, -INFINITY, 1e30f};
    for (int i = 0; i < 100000; i++) {
        kerb_controls controls = {.throttle = kerb_random_between(&random, -2.0f, 2.0f),
                                  .pitch = kerb_random_between(&random, -2.0f, 2.0f),
                                  .roll = kerb_random_between(&random, -2.0f, 2.0f),
                                  .yaw = odd[i % 4]};
        kerb_sim_airplane_step(&airplane, &controls, STEP);
        kerb_motion motion = kerb_sim_airplane_motion(&airplane);
        assert_true(kerb_motion_is_finite(&motion));
        assert_true(speed_of(&airplane) < 300.0f);
    }
}

static void from_rest_in_the_air_it_falls_and_flies(void** state) {
    (void)state;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_sim_airplane airplane = flying(&model, 0.0f);
    kerb_controls controls = {0};
    kerb_sim_airplane_step(&airplane, &controls, STEP);
    assert_true(airplane.velocity.z < 0.0f);
    step_for(&airplane, &controls, 10.0f);
    assert_true(fabsf(airplane.angle_of_attack) < 0.3f);
}

int sim_airplane_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_flight_settles_where_thrust_meets_drag),
        cmocka_unit_test(it_is_as_fast_as_the_airplane_that_it_is_modelled_after),
        cmocka_unit_test(a_trimmed_airplane_flies_on_with_its_sticks_let_go),
        cmocka_unit_test(a_bank_turns_it_by_g_tan_bank_over_speed),
        cmocka_unit_test(the_radius_of_a_level_turn_is_that_of_its_load_factor),
        cmocka_unit_test(it_climbs_by_its_excess_power),
        cmocka_unit_test(it_glides_by_lift_over_drag),
        cmocka_unit_test(it_stalls_at_its_stall_speed),
        cmocka_unit_test(in_a_turn_it_stalls_the_root_of_the_load_factor_earlier),
        cmocka_unit_test(its_nose_drops_in_a_stall_and_it_flies_again),
        cmocka_unit_test(sticks_turn_it_at_the_stated_rates_after_their_lag),
        cmocka_unit_test(the_nose_swings_back_into_the_wind),
        cmocka_unit_test(without_drag_and_thrust_it_keeps_its_energy),
        cmocka_unit_test(half_the_step_ends_at_the_same_place),
        cmocka_unit_test(wild_sticks_never_make_it_anything_but_finite),
        cmocka_unit_test(from_rest_in_the_air_it_falls_and_flies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
