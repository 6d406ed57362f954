// Simulated helicopter, drone, rocket, spacecraft and submarine against closed forms and published
// numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/hoverer.h"
#include "sim/spacecraft.h"
#include "sim/submarine.h"

#include <math.h>

#define STEP 0.0025f

static void expect_close(double value, double expected, double share, const char* what) {
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%s is %g instead of %g", what, value, expected);
}

static const kerb_vec3 origin = {0.0f, 0.0f, 0.0f};

// The step response of the rate to the stick is that of a second order with L_b and tau_f, as
// Mettler and others identified them: a natural frequency of sqrt(L_b) and a damping of 1 / (2
// tau_f sqrt(L_b)). Its overshoot and the time of its peak are closed forms.
static void a_helicopter_rolls_as_a_system_of_second_order(void** unused) {
    (void)unused;
    kerb_sim_hoverer_model model = kerb_sim_helicopter_model();
    kerb_sim_hoverer h = kerb_sim_hoverer_make(&model, origin, 0.0f);
    const kerb_controls controls = {.roll = 0.2f};
    double natural = sqrt((double)model.roll_stiffness);
    double damping = 1.0 / (2.0 * (double)model.flap_time * natural);
    double damped = natural * sqrt(1.0 - damping * damping);
    double wanted = 0.2 * (double)model.craft.tilt_rate_max, most = 0.0, when = 0.0;
    expect_close(natural, 12.9, 0.01, "the natural frequency of roll");
    for (int32_t i = 1; i * 1e-4 < 1.5; i++) {
        kerb_sim_hoverer_step(&h, &controls, 1e-4f);
        if ((double)h.turning.x > most) {
            most = (double)h.turning.x;
            when = i * 1e-4;
        }
    }
    expect_close(when, 3.14159265 / damped, 0.03, "the time of the peak");
    double overshoot = exp(-3.14159265 * damping / sqrt(1.0 - damping * damping));
    expect_close(most, wanted * (1.0 + overshoot), 0.003, "the peak");
    expect_close((double)h.turning.x, wanted, 0.01, "the rate");
}

// Z_w = -0.614: the vertical speed answers the collective with a time constant of 1.63 s.
static void a_helicopter_climbs_with_the_time_constant_of_heave(void** unused) {
    (void)unused;
    kerb_sim_hoverer_model model = kerb_sim_helicopter_model();
    model.lift_time = 1e-4f;
    kerb_sim_hoverer h = kerb_sim_hoverer_make(&model, origin, 0.0f);
    const kerb_controls controls = {.lift = 0.25f};
    double last = 0.25 * (double)model.craft.lift_acceleration / 0.614;
    for (int32_t i = 0; i < (int32_t)(1.0 / 0.614 / (double)STEP); i++)
        kerb_sim_hoverer_step(&h, &controls, STEP);
    expect_close((double)h.velocity.z, last * (1.0 - exp(-1.0)), 0.01, "after a time constant");
    for (int32_t i = 0; i < 6000; i++)
        kerb_sim_hoverer_step(&h, &controls, STEP);
    expect_close((double)h.velocity.z, last, 0.01, "the speed of climb");
}

static void a_rocket_hovers_where_thrust_is_its_weight(void** unused) {
    (void)unused;
    kerb_sim_hoverer_model model = kerb_sim_rocket_model();
    kerb_sim_hoverer h = kerb_sim_hoverer_make(&model, origin, 0.0f);
    float least = model.rocket.thrust_min, most = model.rocket.thrust_max;
    const kerb_controls controls = {.throttle = (KERB_GRAVITY - least) / (most - least)};
    for (int32_t i = 0; i < 4000; i++)
        kerb_sim_hoverer_step(&h, &controls, STEP);
    assert_true(fabs(h.z) < 0.01 && kerb_abs(h.velocity.z) < 0.01f);
}

static void a_spacecraft_keeps_what_it_has_without_its_engine(void** unused) {
    (void)unused;
    kerb_spacecraft limits = kerb_spacecraft_default();
    kerb_sim_spacecraft c =
        kerb_sim_spacecraft_make(&limits, origin, (kerb_vec3){0.0f, 0.6f, 0.8f});
    kerb_controls controls = {.throttle = 1.0f};
    for (int32_t i = 0; i < 800; i++)
        kerb_sim_spacecraft_step(&c, &controls, STEP);
    // Full thrust for 2 s, less the lag.
    double speed = (double)limits.acceleration * (2.0 - (double)limits.throttle_delay);
    expect_close((double)kerb_vec3_length(c.velocity), speed, 0.01, "the speed");
    controls.throttle = 0.0f;
    for (int32_t i = 0; i < 4000; i++)
        kerb_sim_spacecraft_step(&c, &controls, STEP);
    expect_close((double)c.velocity.z, 0.8 * (double)limits.acceleration * 2.0, 0.01, "its part");
}

// Prestero: the propeller gives 3.86 N, and the vehicle goes 1.54 m/s.
static void a_submarine_reaches_the_published_speed(void** unused) {
    (void)unused;
    kerb_sim_submarine_model model = kerb_sim_remus_model();
    kerb_sim_submarine s = kerb_sim_submarine_make(&model, origin, 0.0f, 0.0f);
    const kerb_controls controls = {.throttle = 1.0f, .gear = 1};
    for (int32_t i = 0; i < 30000; i++)
        kerb_sim_submarine_step(&s, &controls, 0.005f);
    // Without a rudder it turns a little: the hull alone is not stable.
    expect_close((double)s.surge, 1.54, 0.03, "the speed");
}

// At rest the pitch swings with the frequency of the righting moment: 5.77 Nm/rad over 8.33 kg m²,
// the 0.69 1/s² of the published transfer function of the pitch.
static void a_submarine_swings_with_the_published_frequency(void** unused) {
    (void)unused;
    kerb_sim_submarine_model model = kerb_sim_remus_model();
    model.n_rr = model.n_vv = 0.0f; // damping, quadratic
    kerb_sim_submarine s = kerb_sim_submarine_make(&model, origin, 0.0f, 0.0f);
    const kerb_controls controls = {.gear = 1};
    s.pitch = 0.02f;
    double crossed = 0.0;
    for (int32_t i = 1; i < 4000 && crossed == 0.0; i++) {
        kerb_sim_submarine_step(&s, &controls, STEP);
        if (s.pitch <= 0.0f)
            crossed = (double)STEP * i;
    }
    double frequency = 0.5 * 3.14159265 / crossed;
    expect_close(frequency * frequency, 0.69, 0.06, "the square of the frequency");
}

// In a steady turn forces and moments are in balance, as the equations of the source say.
static void a_submarine_turns_steadily_at_the_balance_of_its_moments(void** unused) {
    (void)unused;
    kerb_sim_submarine_model m = kerb_sim_remus_model();
    kerb_sim_submarine s = kerb_sim_submarine_make(&m, origin, 0.0f, 1.5f);
    const kerb_controls controls = {.throttle = 1.0f, .steering = 1.0f, .gear = 1};
    for (int32_t i = 0; i < 30000; i++)
        kerb_sim_submarine_step(&s, &controls, 0.005f);
    double u = (double)s.surge, v = (double)s.sway, r = -(double)s.yaw, d = (double)m.rudder_max;
    double force = (double)m.y_vv * v * fabs(v) + (double)m.y_rr * r * fabs(r) +
                   (double)m.y_uv * u * v + (double)(m.y_ur - m.mass) * u * r +
                   (double)m.y_uud * u * u * d;
    double moment = (double)m.n_vv * v * fabs(v) + (double)m.n_rr * r * fabs(r) +
                    (double)m.n_uv * u * v + (double)m.n_ur * u * r + (double)m.n_uud * u * u * d;
    assert_true(s.yaw > 0.1f); // to the left
    assert_true(fabs(force) < 0.02 * (double)m.mass * u * -r && fabs(moment) < 0.05);
    kerb_submarine limits = kerb_sim_submarine_limits(&m);
    expect_close((double)limits.turning_radius, sqrt(u * u + v * v) / -r, 0.02, "the radius");
}

int sim_space_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_helicopter_rolls_as_a_system_of_second_order),
        cmocka_unit_test(a_helicopter_climbs_with_the_time_constant_of_heave),
        cmocka_unit_test(a_rocket_hovers_where_thrust_is_its_weight),
        cmocka_unit_test(a_spacecraft_keeps_what_it_has_without_its_engine),
        cmocka_unit_test(a_submarine_reaches_the_published_speed),
        cmocka_unit_test(a_submarine_swings_with_the_published_frequency),
        cmocka_unit_test(a_submarine_turns_steadily_at_the_balance_of_its_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
