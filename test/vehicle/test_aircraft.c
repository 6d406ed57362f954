// What an aircraft can do: table, contradictions, and the arithmetic against the textbook.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/aircraft.h"
#include "kerb/vehicle.h"

#include <math.h>

static void expect_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-4 * fabs(expected)))
        fail_msg("%g instead of %g", value, expected);
}

static void the_default_is_valid_and_contradictions_are_named(void** state) {
    (void)state;
    kerb_aircraft good = kerb_aircraft_default(), bad = good;
    kerb_error error = {0};
    assert_int_equal(kerb_aircraft_validate(&good, &error), KERB_OK);
    bad.stall_speed = 70.0f;
    assert_int_equal(kerb_aircraft_validate(&bad, &error), KERB_ERROR_CONTRADICTION);
    assert_string_equal(error.field, "cruise_speed");
    bad = good;
    bad.cruise_speed = 80.0f;
    assert_int_equal(kerb_aircraft_validate(&bad, &error), KERB_ERROR_CONTRADICTION);
    bad = good;
    bad.speed_max = 100.0f;
    assert_int_equal(kerb_aircraft_validate(&bad, &error), KERB_ERROR_CONTRADICTION);
    assert_string_equal(error.field, "speed_max");
    bad = good;
    bad.glide_ratio = NAN;
    assert_int_equal(kerb_aircraft_validate(&bad, &error), KERB_ERROR_NOT_FINITE);
    assert_string_equal(error.field, "glide_ratio");
}

static void drag_is_least_at_the_best_glide_and_there_weight_over_its_ratio(void** state) {
    (void)state;
    kerb_aircraft a = kerb_aircraft_default();
    double best = sqrt((double)(KERB_GRAVITY / (2.0f * a.glide_ratio * a.drag)));
    expect_near((double)kerb_aircraft_drag(&a, (float)best, 1.0f),
                (double)(KERB_GRAVITY / a.glide_ratio));
    assert_true(kerb_aircraft_drag(&a, 0.9f * (float)best, 1.0f) >
                kerb_aircraft_drag(&a, (float)best, 1.0f));
    assert_true(kerb_aircraft_drag(&a, 1.1f * (float)best, 1.0f) >
                kerb_aircraft_drag(&a, (float)best, 1.0f));
    // Lift's part goes with the square of the load factor.
    double without = (double)(a.drag * 50.0f * 50.0f);
    expect_near((double)kerb_aircraft_drag(&a, 50.0f, 3.0f) - without,
                9.0 * ((double)kerb_aircraft_drag(&a, 50.0f, 1.0f) - without));
}

static void at_its_greatest_speed_it_neither_climbs_nor_sinks(void** state) {
    (void)state;
    kerb_aircraft a = kerb_aircraft_default();
    assert_true(fabsf(kerb_aircraft_climb_rate(&a, a.speed_max)) < 0.01f);
    assert_true(kerb_aircraft_climb_rate(&a, 1.05f * a.speed_max) < 0.0f);
    expect_near((double)kerb_aircraft_thrust(&a, 0.0f), (double)a.acceleration_max);
    assert_true(kerb_aircraft_thrust(&a, 1000.0f) >= 0.0f);
}

static void load_and_radius_follow_stall_strength_and_bank(void** state) {
    (void)state;
    kerb_aircraft a = kerb_aircraft_default();
    expect_near((double)kerb_aircraft_load_factor(&a, a.stall_speed), 1.0);
    expect_near((double)kerb_aircraft_load_factor(&a, 2.0f * a.stall_speed), 4.0);
    expect_near((double)kerb_aircraft_load_factor(&a, 500.0f), (double)a.load_factor_max);
    // Fast, the bank decides: v²/(g·tan φ).
    expect_near((double)kerb_aircraft_turning_radius(&a, 70.0f),
                70.0 * 70.0 / ((double)KERB_GRAVITY * tan((double)a.bank_max)));
    // Slow, the stall: n = 1.44.
    expect_near((double)kerb_aircraft_turning_radius(&a, 1.2f * a.stall_speed),
                1.44 * (double)(a.stall_speed * a.stall_speed) /
                    ((double)KERB_GRAVITY * sqrt(1.44 * 1.44 - 1.0)));
    assert_true(kerb_aircraft_turning_radius(&a, 0.9f * a.stall_speed) >= 1e6f);
}

int aircraft_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_valid_and_contradictions_are_named),
        cmocka_unit_test(drag_is_least_at_the_best_glide_and_there_weight_over_its_ratio),
        cmocka_unit_test(at_its_greatest_speed_it_neither_climbs_nor_sinks),
        cmocka_unit_test(load_and_radius_follow_stall_strength_and_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
