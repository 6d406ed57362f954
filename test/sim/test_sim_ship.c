// The simulated ship against what is published of ships: turning circles, stopping, drift.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/ship.h"

#define STEP 0.1f

// Advance and tactical diameter of a turn at full rudder, in lengths.
static void turn(const kerb_sim_ship_model* model, float steering, float* advance,
                 float* diameter) {
    const kerb_controls controls = {.throttle = 1.0f, .steering = steering, .gear = 1};
    kerb_sim_ship ship = kerb_sim_ship_make(model, 0.0f, 0.0f, 0.0f, model->speed_max);
    bool passed = false;
    *advance = *diameter = 0.0f;
    for (int32_t i = 0; i < 20000 && *diameter == 0.0f; i++) {
        float before = ship.heading;
        kerb_sim_ship_step(&ship, &controls, STEP);
        if (!passed && kerb_abs(ship.heading) > 0.5f * KERB_PI) {
            passed = true;
            *advance = (float)ship.x / model->length;
        }
        if (kerb_abs(ship.heading - before) > KERB_PI) // from π to -π
            *diameter = (float)ship.y / model->length;
    }
}

// IMO MSC.137(76): advance at most 4.5 lengths, tactical diameter at most 5. The model leaves out
// that the propeller blows on the rudder, and may turn by a tenth less.
static void the_freighter_turns_as_ships_must(void** unused) {
    (void)unused;
    kerb_sim_ship_model model = kerb_sim_mariner_model();
    float advance, diameter, other;
    turn(&model, 1.0f, &advance, &diameter);
    print_message("advance %.2f lengths, tactical diameter %.2f lengths\n", (double)advance,
                  (double)diameter);
    assert_true(advance > 2.5f && advance < 4.5f);
    assert_true(diameter > 3.0f && diameter < 5.5f);
    turn(&model, -1.0f, &advance, &other);
    assert_float_equal(other, -diameter, 1e-3f);
}

static void in_distance_a_turn_is_the_same_at_every_speed(void** unused) {
    (void)unused;
    kerb_sim_ship_model fast = kerb_sim_mariner_model(), slow = fast;
    slow.speed_max *= 0.5f;
    slow.acceleration *= 0.25f;
    slow.rudder_rate = fast.rudder_rate = 100.0f;
    float advance[2], diameter[2];
    turn(&fast, 1.0f, &advance[0], &diameter[0]);
    turn(&slow, 1.0f, &advance[1], &diameter[1]);
    assert_float_equal(advance[0], advance[1], 0.02f);
    assert_float_equal(diameter[0], diameter[1], 0.02f);
}

// IMO: a crash stop within 15 lengths.
static void it_stops_over_several_lengths(void** unused) {
    (void)unused;
    kerb_sim_ship_model model = kerb_sim_mariner_model();
    kerb_sim_ship ship = kerb_sim_ship_make(&model, 0.0f, 0.0f, 0.0f, model.speed_max);
    const kerb_controls astern = {.throttle = 1.0f, .gear = -1};
    while (ship.surge > 0.0f)
        kerb_sim_ship_step(&ship, &astern, STEP);
    float lengths = (float)ship.x / model.length;
    assert_true(lengths > 3.0f && lengths < 15.0f);
}

static void current_and_wind_carry_it_along(void** unused) {
    (void)unused;
    kerb_sim_ship_model model = kerb_sim_mariner_model();
    model.current = kerb_vec2_make(0.5f, -0.25f);
    model.wind = kerb_vec2_make(0.0f, 10.0f);
    kerb_sim_ship ship = kerb_sim_ship_make(&model, 0.0f, 0.0f, 1.0f, 0.0f);
    const kerb_controls none = {.gear = 1};
    for (int32_t i = 0; i < 1000; i++)
        kerb_sim_ship_step(&ship, &none, STEP);
    assert_float_equal((float)ship.x, 50.0f, 0.01f);
    assert_float_equal((float)ship.y, 100.0f * (10.0f * model.leeway - 0.25f), 0.01f);
    kerb_motion motion = kerb_sim_ship_motion(&ship);
    assert_float_equal(motion.velocity.x, 0.5f, 1e-5f);
}

static void its_limits_are_those_of_a_steady_turn(void** unused) {
    (void)unused;
    kerb_sim_ship_model model = kerb_sim_mariner_model();
    kerb_ship limits = kerb_sim_ship_limits(&model);
    assert_int_equal(kerb_settings_validate(&kerb_ship_table, &limits, NULL), KERB_OK);
    kerb_sim_ship ship = kerb_sim_ship_make(&model, 0.0f, 0.0f, 0.0f, model.speed_max);
    const kerb_controls hard = {.throttle = 1.0f, .steering = 1.0f, .gear = 1};
    for (int32_t i = 0; i < 20000; i++)
        kerb_sim_ship_step(&ship, &hard, STEP);
    assert_float_equal(ship.surge / ship.yaw / limits.turning_radius, 1.0f, 0.01f);
    assert_float_equal(ship.surge / model.speed_max, limits.turning_speed, 0.01f);
    // The pivot point does not slide.
    assert_float_equal(ship.sway + limits.reference_to_pivot * ship.yaw, 0.0f, 0.01f);
}

int sim_ship_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_freighter_turns_as_ships_must),
        cmocka_unit_test(in_distance_a_turn_is_the_same_at_every_speed),
        cmocka_unit_test(it_stops_over_several_lengths),
        cmocka_unit_test(current_and_wind_carry_it_along),
        cmocka_unit_test(its_limits_are_those_of_a_steady_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
