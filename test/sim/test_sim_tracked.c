// The tracked vehicle against closed forms: turning, driving, hills, rest, and what holds in every
// run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/tracked.h"
#include "test/seed.h"
#include "test/sim_driving.h"

#include <math.h>
#include <string.h>

// What moves with the tracks, as a share of the mass: sim/README.md.
#define TRACKS_MASS 0.05

// --------------------------------------------------------------------------- what tests need

static kerb_sim_tracked tank_of(const kerb_sim_tracked_model* model) {
    return kerb_sim_tracked_make(model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
}

static kerb_sim_tracked rolling_tank(const kerb_sim_tracked_model* model, float speed) {
    kerb_sim_tracked tank = tank_of(model);
    tank.forward = tank.track_left = tank.track_right = speed;
    return tank;
}

static void push(kerb_sim_tracked* tank, const kerb_controls* controls, float slope,
                 float seconds) {
    kerb_sim_ground ground = rising(slope);
    for (int i = 0; i < (int)(seconds / STEP + 0.5f); i++) {
        ground.height = slope * tank->position.x;
        kerb_sim_tracked_step(tank, controls, &ground, STEP);
    }
}

// Holds a speed with the throttle, exactly in the long run.
static void hold_speed(kerb_sim_tracked* tank, float speed, float steering, float seconds) {
    kerb_controls controls = in_gear(speed < 0.0f ? -1 : 1);
    float sum = 0.0f;
    controls.steering = steering;
    for (int i = 0; i < (int)(seconds / STEP); i++) {
        float error = (speed - tank->forward) * (speed < 0.0f ? -1.0f : 1.0f);
        sum = kerb_clamp(sum + 0.3f * error * STEP, 0.0f, 1.0f);
        controls.throttle = 0.4f * error + sum;
        kerb_sim_tracked_step(tank, &controls, &level, STEP);
    }
}

static double heavy_of(const kerb_sim_tracked_model* model) {
    return (1.0 + TRACKS_MASS) * (double)model->mass;
}

static double weight_on(const kerb_sim_tracked_model* model) {
    return (double)model->mass * (double)KERB_GRAVITY;
}

static double rolling_of(const kerb_sim_tracked_model* model) {
    return (double)model->rolling_resistance * weight_on(model);
}

// --------------------------------------------------------------------------- turning

// A track that slides everywhere, with the speed s along it at its middle and r·x across it, at
// the distance x from the middle. With b = s/r, its friction per load is (b, -x)/√(b² + x²), times
// the grips. The moments of both directions balance where
//     b·arm·asinh(a/b) μ_along = ½(a·√(a² + b²) - b²·asinh(a/b)) μ_across, a half the length.
static double sliding_share(const kerb_sim_tracked_model* model) {
    double a = 0.5 * (double)model->contact_length, arm = 0.5 * (double)model->gauge;
    double low = 1e-6, high = 10.0 * a;
    for (int i = 0; i < 100; i++) {
        double b = 0.5 * (low + high), s = asinh(a / b);
        double drives = b * arm * s * (double)model->grip_along;
        double resists = 0.5 * (a * sqrt(a * a + b * b) - b * b * s) * (double)model->grip_across;
        if (drives < resists)
            low = b;
        else
            high = b;
    }
    return arm / (arm + low);
}

static void it_turns_on_the_spot_as_fast_as_coulomb_friction_of_its_tracks_allows(void** state) {
    (void)state;
    const float lengths[3] = {2.0f, 3.9f, 5.0f};
    for (int i = 0; i < 3; i++) {
        kerb_sim_tracked_model model = kerb_sim_tank_model();
        model.contact_length = lengths[i];
        model.slip_stiffness = 1000.0f; // slides at once
        kerb_sim_tracked tank = tank_of(&model);
        kerb_controls controls = in_gear(1);
        controls.steering = 1.0f;
        push(&tank, &controls, 0.0f, 10.0f);
        expect_within((double)tank.yaw_rate, sliding_share(&model) * (double)model.yaw_rate_max,
                      0.02, "yaw rate");
        assert_true(kerb_abs(tank.position.x) < 1e-3f && kerb_abs(tank.position.y) < 1e-3f);
    }
}

static void the_tank_turns_round_on_the_spot_in_eight_seconds(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = tank_of(&model);
    kerb_controls controls = in_gear(1);
    controls.steering = 1.0f;
    float turned = 0.0f, seconds = 0.0f;
    for (; turned < 2.0f * KERB_PI; seconds += STEP) {
        kerb_sim_tracked_step(&tank, &controls, &level, STEP);
        turned += tank.yaw_rate * STEP;
    }
    assert_true(seconds > 7.5f && seconds < 8.7f);
    expect_within((double)tank.yaw_rate, (double)kerb_sim_tracked_vehicle(&model).yaw_rate_max,
                  0.01, "yaw rate");
}

// Tracks that start at once slip along themselves only: their moment is μ·W·gauge/2.
static void friction_limits_how_fast_it_starts_to_turn(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    model.track_acceleration = 1e6f;
    model.slip_stiffness = 1000.0f;
    model.yaw_rate_max = 8.0f;
    kerb_sim_tracked tank = tank_of(&model);
    kerb_controls controls = in_gear(1);
    controls.steering = 1.0f;
    push(&tank, &controls, 0.0f, 0.1f);
    double moment = (double)model.grip_along * weight_on(&model) * 0.5 * (double)model.gauge;
    expect_within((double)tank.yaw_rate, 0.1 * moment / (double)model.yaw_inertia, 0.03, "yaw");
}

static void the_steering_gets_there_as_fast_as_the_tracks_change_their_speed(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_vehicle limits = kerb_sim_tracked_vehicle(&model);
    kerb_sim_tracked tank = tank_of(&model);
    kerb_controls controls = in_gear(1);
    controls.steering = 1.0f;
    float time = limits.yaw_rate_max / limits.yaw_acceleration_max;
    float ramp = 0.5f * model.gauge * model.yaw_rate_max / model.track_acceleration;
    push(&tank, &controls, 0.0f, 0.5f * ramp);
    assert_true(fabsf(tank.steering / model.yaw_rate_max - 0.5f) < 0.01f);
    push(&tank, &controls, 0.0f, 0.5f * (time - ramp));
    expect_within((double)tank.yaw_rate, 0.5 * (double)limits.yaw_rate_max, 0.03, "yaw rate");
    push(&tank, &controls, 0.0f, 0.5f * time);
    expect_within((double)tank.yaw_rate, (double)limits.yaw_rate_max, 0.1, "yaw rate");
}

// Where patches give way in proportion, the turning resistance is that of ⟨x²⟩ = L²/12 and the
// tracks slip by μ_across/μ_along·⟨x²⟩/arm of the yaw rate.
static void gentle_bends_take_the_share_of_the_steering_that_linear_slip_leaves(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    for (int32_t gear = -1; gear <= 1; gear += 2) {
        float speed = gear > 0 ? 8.0f : -3.0f;
        kerb_sim_tracked tank = rolling_tank(&model, speed);
        hold_speed(&tank, speed, 0.03f, 20.0f);
        double arm = 0.5 * (double)model.gauge, length = (double)model.contact_length;
        double slip = (double)(model.grip_across / model.grip_along) * length * length / 12.0 / arm;
        double asked = 0.03 * (double)model.yaw_rate_max;
        expect_within((double)tank.yaw_rate, asked * arm / (arm + slip), 0.03, "yaw rate");
    }
}

static void steering_turns_to_the_left_in_both_gears_and_in_none(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    for (int32_t gear = -1; gear <= 1; gear++) {
        kerb_sim_tracked tank = tank_of(&model);
        kerb_controls controls = in_gear(gear);
        controls.throttle = 0.3f;
        controls.steering = 0.5f;
        push(&tank, &controls, 0.0f, 3.0f);
        assert_true(tank.yaw_rate > 0.3f);
        assert_true(tank.forward * (float)gear > 0.2f || gear == 0);
    }
}

static void a_fast_turn_slides_outwards_and_the_ground_gives_no_more_than_its_grip(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = rolling_tank(&model, 11.0f);
    float most = 0.0f;
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    for (int i = 0; i < 2400; i++) {
        float forward = tank.forward, side = tank.side;
        controls.steering = (float)i / 2400.0f;
        kerb_sim_tracked_step(&tank, &controls, &level, STEP);
        float x = (tank.forward - forward) / STEP - tank.yaw_rate * side;
        float y = (tank.side - side) / STEP + tank.yaw_rate * forward;
        most = kerb_max(most, kerb_sqrt(x * x + y * y));
        assert_true(kerb_abs(y) < 1.02f * model.grip_across * KERB_GRAVITY);
    }
    assert_true(most > 0.8f * model.grip_across * KERB_GRAVITY && tank.side < -2.0f);
}

// As after a collision: the patches were still when they were told how stiff they are.
static void a_sudden_shove_meets_no_more_than_the_grip(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    double weight = weight_on(&model), across = (double)model.grip_across * weight;
    kerb_controls controls = in_gear(0);
    controls.brake = 1.0f;
    for (int i = 0; i < 2; i++) {
        kerb_sim_tracked tank = tank_of(&model);
        tank.side = i == 0 ? 4.0f : 0.0f;
        tank.yaw_rate = i == 0 ? 0.0f : 2.0f;
        kerb_sim_tracked_step(&tank, &controls, &level, STEP);
        float lost = i == 0 ? 4.0f - tank.side : 2.0f - tank.yaw_rate;
        double arm = 0.5 * hypot((double)model.contact_length, (double)model.gauge);
        double most = i == 0 ? across / (double)model.mass
                             : weight * (double)model.grip_along * arm / (double)model.yaw_inertia;
        assert_true((double)lost < 1.001 * most * (double)STEP);
        assert_true((double)lost > 0.5 * most * (double)STEP);
    }
}

static void brakes_that_lock_at_once_slow_by_no_more_than_the_grip(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    model.brake_force = 1e8f;
    kerb_controls controls = in_gear(0);
    controls.brake = 1.0f;
    kerb_sim_tracked tank = rolling_tank(&model, 10.0f);
    for (int i = 0; i < 100; i++) {
        float before = tank.forward;
        kerb_sim_tracked_step(&tank, &controls, &level, STEP);
        assert_true(before - tank.forward < 1.01f * model.grip_along * KERB_GRAVITY * STEP);
        assert_true(tank.track_left >= 0.0f);
    }
    assert_true(tank.track_left < 0.05f);
}

static void steering_takes_its_power_before_driving_does(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    model.power = 20000.0f;
    kerb_sim_tracked tank = tank_of(&model);
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    push(&tank, &controls, 0.0f, 30.0f);
    expect_within((double)tank.forward, (double)model.power / rolling_of(&model), 0.02, "speed");
    controls.steering = 1.0f;
    push(&tank, &controls, 0.0f, 20.0f);
    assert_true(tank.steering_power > model.power);
    assert_true(kerb_abs(tank.forward) < 0.05f);
}

// --------------------------------------------------------------------------- driving straight

static void it_launches_with_its_force_then_gains_by_its_power(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    model.rolling_resistance = model.drag_area = 0.0f;
    model.speed_max = 100.0f;
    kerb_sim_tracked tank = tank_of(&model);
    tank.throttle = 1.0f;
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    double heavy = heavy_of(&model), force = (double)model.drive_force;
    double turn = (double)model.power / force; // speed at which force becomes power
    double until = turn * heavy / force;
    push(&tank, &controls, 0.0f, (float)(0.9 * until));
    expect_within((double)tank.forward, 0.9 * turn, 0.03, "speed by force");
    push(&tank, &controls, 0.0f, (float)(10.0 - 0.9 * until));
    double speed = sqrt(turn * turn + 2.0 * (double)model.power * (10.0 - until) / heavy);
    expect_within((double)tank.forward, speed, 0.02, "speed by power");
}

static void it_launches_at_once_against_its_rolling_resistance(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = tank_of(&model);
    tank.throttle = 1.0f;
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    push(&tank, &controls, 0.0f, 0.1f);
    expect_within((double)tank.forward,
                  0.1 * (double)kerb_sim_tracked_vehicle(&model).acceleration_max, 0.1, "speed");
}

static void a_strong_engine_is_governed_without_shaking(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    model.power = 1e7f;
    model.drive_force = 310000.0f;
    model.rolling_resistance = 0.7f; // so that it pushes at the limit
    model.speed_max = 1.0f;
    kerb_sim_tracked tank = tank_of(&model);
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    push(&tank, &controls, 0.0f, 10.0f);
    for (int i = 0; i < 240; i++) {
        float before = tank.track_left;
        kerb_sim_tracked_step(&tank, &controls, &level, STEP);
        assert_true(kerb_abs(tank.track_left - before) < 1e-4f);
        assert_true(tank.track_left < 1.02f && tank.track_left > 0.9f);
    }
}

static void top_speed_is_where_power_meets_resistance_or_the_governor(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    for (int i = 0; i < 3; i++) {
        const float powers[3] = {100000.0f, 200000.0f, 900000.0f};
        model.power = powers[i];
        kerb_sim_tracked tank = rolling_tank(&model, 6.0f);
        push(&tank, &controls, 0.0f, 90.0f);
        double speed = (double)tank.forward, drag = (double)model.drag_area * speed * speed;
        double balance = (double)powers[i] / (rolling_of(&model) + drag);
        expect_within(speed, i < 2 ? balance : 1.01 * (double)model.speed_max, 0.015, "top speed");
        expect_within(speed, (double)kerb_sim_tracked_vehicle(&model).speed_max, 0.02, "top speed");
    }
    controls.gear = -1;
    kerb_sim_tracked tank = tank_of(&model);
    push(&tank, &controls, 0.0f, 30.0f);
    expect_within((double)-tank.forward, 1.01 * (double)model.reverse_speed_max, 0.015, "reverse");
}

// Distance of a constant force and drag: ln(1 + d·v²/F)·M/(2·d).
static void braking_and_coasting_take_the_distance_of_their_closed_form(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    model.drag_area = 100.0f; // to be seen
    for (int braked = 0; braked < 2; braked++) {
        kerb_sim_tracked tank = rolling_tank(&model, 10.0f);
        kerb_controls controls = in_gear(0);
        controls.brake = (float)braked;
        push(&tank, &controls, 0.0f, 60.0f);
        double force = rolling_of(&model) + (double)(braked ? model.brake_force : 0.0f);
        double drag = (double)model.drag_area;
        double way = log(1.0 + drag * 100.0 / force) * heavy_of(&model) / (2.0 * drag);
        expect_within((double)tank.position.x, way, 0.02, braked ? "braking" : "coasting");
        assert_true(tank.forward == 0.0f && tank.track_left == 0.0f);
    }
}

static void on_slippery_ground_braked_tracks_lock_and_slide_at_the_grip(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = rolling_tank(&model, 8.0f);
    kerb_sim_ground ice = level;
    ice.grip = 0.15f;
    kerb_controls controls = in_gear(0);
    controls.brake = 1.0f;
    for (int i = 0; i < 240; i++)
        kerb_sim_tracked_step(&tank, &controls, &ice, STEP);
    assert_true(kerb_abs(tank.track_left) < 0.1f && kerb_abs(tank.track_right) < 0.1f);
    expect_within(8.0 - (double)tank.forward, 0.15 * (double)(model.grip_along * KERB_GRAVITY),
                  0.03, "lost speed");
}

// --------------------------------------------------------------------------- hills

static void it_climbs_what_its_force_can_lift_and_no_more(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    double angle = asin((double)model.drive_force / weight_on(&model)); // without resistance
    for (int i = 0; i < 50; i++)
        angle = asin((double)model.drive_force / weight_on(&model) -
                     (double)model.rolling_resistance * cos(angle));
    for (int steeper = 0; steeper < 2; steeper++) {
        kerb_sim_tracked tank = tank_of(&model);
        tank.throttle = 1.0f;
        push(&tank, &controls, (float)tan(angle * (steeper ? 1.01 : 0.99)), 10.0f);
        assert_true(steeper ? tank.position.x == 0.0f : tank.position.x > 0.5f);
    }
}

static void a_long_climb_settles_where_power_meets_gravity(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    kerb_sim_tracked tank = rolling_tank(&model, 1.0f);
    push(&tank, &controls, 0.3f, 40.0f);
    double angle = atan(0.3);
    double pull = weight_on(&model) * sin(angle) + rolling_of(&model) * cos(angle);
    // The tracks slip, and the engine's power goes to them.
    expect_within((double)tank.track_left, (double)model.power / pull, 0.01, "speed of the tracks");
    expect_within((double)tank.forward, (double)model.power / pull, 0.08, "speed");
}

static void the_brake_holds_on_a_slope_whichever_way_it_faces_even_while_it_steers(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_ground slope = rising(0.3f);
    for (float heading = -3.0f; heading < 3.2f; heading += 0.5f) {
        kerb_sim_tracked tank =
            kerb_sim_tracked_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), heading);
        kerb_controls controls = in_gear(1);
        controls.handbrake = heading > 0.0f;
        controls.brake = controls.handbrake ? 0.0f : 1.0f;
        for (int i = 0; i < 4800; i++) {
            controls.steering = kerb_sin((float)i * 0.01f);
            kerb_sim_tracked_step(&tank, &controls, &slope, STEP);
        }
        assert_true(tank.position.x == 0.0f && tank.position.y == 0.0f && tank.forward == 0.0f);
        assert_true(tank.heading == kerb_wrap_angle(heading) && tank.yaw_rate == 0.0f);
    }
}

static void braked_to_a_stop_on_a_slope_it_stays_there(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    for (float slope = -0.3f; slope < 0.4f; slope += 0.3f) {
        kerb_sim_tracked tank = rolling_tank(&model, 5.0f);
        kerb_controls controls = in_gear(0);
        controls.brake = 0.8f;
        push(&tank, &controls, slope, 6.0f);
        kerb_vec3 stood = tank.position;
        push(&tank, &controls, slope, 20.0f);
        assert_memory_equal(&tank.position, &stood, sizeof stood);
    }
}

static void let_go_on_a_slope_it_rolls_as_gravity_less_resistance_says(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    model.drag_area = 0.0f;
    kerb_controls controls = in_gear(0);
    kerb_sim_tracked tank = tank_of(&model);
    push(&tank, &controls, 0.2f, 3.0f);
    double angle = atan(0.2);
    double force = weight_on(&model) * sin(angle) - rolling_of(&model) * cos(angle);
    expect_within((double)-tank.forward, 3.0 * force / heavy_of(&model), 0.02, "speed");
    // On a slope gentler than its resistance it stands.
    tank = tank_of(&model);
    push(&tank, &controls, 0.9f * model.rolling_resistance, 10.0f);
    assert_true(tank.position.x == 0.0f);
}

static void left_alone_it_stays_exactly_where_it_is(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = kerb_sim_tracked_make(&model, kerb_vec3_make(10.0f, -3.0f, 0.0f), 0.7f);
    kerb_sim_tracked before = tank;
    kerb_controls controls = in_gear(1);
    push(&tank, &controls, 0.0f, 20.0f);
    assert_memory_equal(&tank.position, &before.position, sizeof tank.position);
    assert_true(tank.heading == before.heading);
}

static void after_turning_on_the_spot_it_comes_to_rest_exactly(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = tank_of(&model);
    kerb_controls controls = in_gear(1);
    controls.steering = 1.0f;
    push(&tank, &controls, 0.0f, 3.0f);
    controls.steering = 0.0f;
    push(&tank, &controls, 0.0f, 3.0f);
    assert_true(tank.yaw_rate == 0.0f && tank.forward == 0.0f && tank.side == 0.0f);
    assert_true(tank.track_left == 0.0f && tank.track_right == 0.0f);
}

// --------------------------------------------------------------------------- for every run

static void random_controls(kerb_random* random, kerb_controls* controls) {
    controls->throttle = kerb_max(kerb_random_between(random, -1.0f, 1.5f), 0.0f);
    controls->brake = kerb_max(kerb_random_between(random, -2.0f, 1.5f), 0.0f);
    controls->steering = kerb_random_between(random, -1.2f, 1.2f);
    controls->handbrake = kerb_random_below(random, 8) == 0;
    controls->gear = kerb_random_below(random, 3) - 1;
}

static void controls_that_are_no_numbers_or_far_out_of_range_do_no_harm(void** state) {
    (void)state;
    const float odd[8] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -1.0f, 0.0f, 1.0f};
    kerb_random random = test_random("odd controls");
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    for (int run = 0; run < 40; run++) {
        kerb_sim_tracked tank = rolling_tank(&model, kerb_random_between(&random, -4.0f, 12.0f));
        kerb_sim_ground ground = level;
        kerb_controls controls = {0};
        for (int i = 0; i < 1000; i++) {
            if (i % 20 == 0) {
                controls.throttle = odd[kerb_random_below(&random, 8)];
                controls.brake = odd[kerb_random_below(&random, 8)];
                controls.steering = odd[kerb_random_below(&random, 8)];
                controls.gear = kerb_random_below(&random, 40) - 20;
                ground.grip = odd[kerb_random_below(&random, 8)];
                ground.height = odd[kerb_random_below(&random, 8)];
                ground.normal.y = odd[kerb_random_below(&random, 8)];
            }
            kerb_sim_tracked_step(&tank, &controls, &ground, STEP);
            kerb_motion motion = kerb_sim_tracked_motion(&tank);
            assert_true(kerb_motion_is_finite(&motion));
            assert_true(kerb_is_finite(tank.track_left) && kerb_is_finite(tank.track_right));
            assert_true(kerb_abs(tank.forward) < 100.0f && kerb_abs(tank.side) < 100.0f);
        }
    }
}

static void controls_that_are_no_numbers_count_as_none(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = rolling_tank(&model, 10.0f), other = tank;
    kerb_controls controls = in_gear(1), none = in_gear(1);
    controls.steering = controls.throttle = controls.brake = NAN;
    push(&tank, &controls, 0.0f, 1.0f);
    push(&other, &none, 0.0f, 1.0f);
    assert_memory_equal(&tank, &other, sizeof tank);
}

static double energy_of(const kerb_sim_tracked* tank) {
    double mass = (double)tank->model.mass,
           mean = 0.5 * (double)(tank->track_left + tank->track_right);
    double x = (double)tank->forward, y = (double)tank->side, r = (double)tank->yaw_rate;
    return 0.5 * mass * (x * x + y * y + TRACKS_MASS * mean * mean) +
           0.5 * (double)tank->model.yaw_inertia * r * r;
}

// On level ground energy comes only from the engine: through the throttle or the steering.
static void energy_comes_only_from_the_engine(void** state) {
    (void)state;
    kerb_random random = test_random("energy");
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    for (int run = 0; run < 60; run++) {
        kerb_sim_tracked tank = rolling_tank(&model, kerb_random_between(&random, -10.0f, 15.0f));
        tank.side = kerb_random_between(&random, -5.0f, 5.0f);
        tank.yaw_rate = kerb_random_between(&random, -2.0f, 2.0f);
        kerb_controls controls = {0};
        double energy = energy_of(&tank), most = energy;
        for (int i = 0; i < 2000; i++) {
            if (i % 60 == 0) {
                random_controls(&random, &controls);
                controls.throttle = 0.0f;
                if (run % 2 == 0)
                    controls.steering = 0.0f;
            }
            kerb_sim_tracked_step(&tank, &controls, &level, STEP);
            double now = energy_of(&tank);
            double given = (double)(kerb_max(tank.steering_power, 0.0f) * STEP);
            if (now > energy + 1.1 * given + 2e-4 * most + 1e-3)
                fail_msg("energy rose from %.9g to %.9g J in step %d", energy, now, i);
            energy = now;
        }
    }
}

static void a_mirrored_run_is_the_mirror_image_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random("mirror");
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked left = rolling_tank(&model, 8.0f), right = left;
    kerb_controls controls = {0};
    for (int i = 0; i < 6000; i++) {
        if (i % 60 == 0)
            random_controls(&random, &controls);
        kerb_controls mirrored = controls;
        mirrored.steering = -controls.steering;
        kerb_sim_tracked_step(&left, &controls, &level, STEP);
        kerb_sim_tracked_step(&right, &mirrored, &level, STEP);
        assert_true(left.position.x == right.position.x && left.position.y == -right.position.y);
        assert_true(left.forward == right.forward && left.side == -right.side);
        assert_true(left.yaw_rate == -right.yaw_rate && left.track_left == right.track_right);
    }
}

static kerb_vec3 end_of_manoeuvre(int hertz) {
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = tank_of(&model);
    kerb_controls controls = in_gear(1);
    for (int i = 0; i < 10 * hertz; i++) {
        float time = (float)i / (float)hertz;
        controls.throttle = time < 7.0f ? 0.8f : 0.0f;
        controls.brake = time > 8.0f ? 0.5f : 0.0f;
        controls.steering = 0.6f * kerb_sin(1.2f * time);
        kerb_sim_tracked_step(&tank, &controls, &level, 1.0f / (float)hertz);
    }
    return tank.position;
}

static void finer_steps_end_in_the_same_place(void** state) {
    (void)state;
    kerb_vec3 fine = end_of_manoeuvre(1920);
    float coarse = kerb_vec3_length(kerb_vec3_sub(end_of_manoeuvre(240), fine));
    float middle = kerb_vec3_length(kerb_vec3_sub(end_of_manoeuvre(480), fine));
    assert_true(kerb_vec3_length(fine) > 20.0f);
    if (coarse > 0.1f)
        fail_msg("240 and 1920 Hz end %.3f m apart", (double)coarse);
    assert_true(middle < 0.6f * coarse + 0.005f);
}

static void a_copy_drives_on_the_same_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random("copy");
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_tracked tank = rolling_tank(&model, 5.0f);
    kerb_controls controls = in_gear(1);
    for (int run = 0; run < 20; run++) {
        random_controls(&random, &controls);
        kerb_sim_tracked copy = tank;
        push(&tank, &controls, 0.1f, 1.0f);
        push(&copy, &controls, 0.1f, 1.0f);
        assert_memory_equal(&tank, &copy, sizeof tank);
    }
}

static void the_motion_lies_in_the_plane_of_the_ground(void** state) {
    (void)state;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_sim_ground ground = {.height = 5.0f, .normal = {0.2f, -0.1f, 0.0f}, .grip = 1.0f};
    ground.normal.z = sqrtf(1.0f - 0.05f);
    for (float heading = -3.0f; heading < 3.0f; heading += 0.5f) {
        kerb_sim_tracked tank = rolling_tank(&model, 8.0f);
        tank.heading = heading;
        kerb_controls controls = in_gear(0);
        controls.steering = 0.3f;
        for (int i = 0; i < 120; i++)
            kerb_sim_tracked_step(&tank, &controls, &ground, STEP);
        kerb_motion motion = kerb_sim_tracked_motion(&tank);
        kerb_vec3 up = kerb_quat_up(motion.rotation);
        assert_true(kerb_vec3_length(kerb_vec3_sub(up, ground.normal)) < 1e-4f);
        assert_true(kerb_abs(kerb_vec3_dot(motion.velocity, ground.normal)) < 1e-3f);
        assert_true(kerb_abs(kerb_quat_heading(motion.rotation) - tank.heading) < 1e-4f);
        assert_true(kerb_vec3_dot(motion.angular_velocity, up) > 0.1f);
        assert_true(motion.steering > 0.2f && motion.steering < 0.31f);
    }
}

// --------------------------------------------------------------------------- any vehicle

static kerb_vehicle random_vehicle(kerb_random* random) {
    kerb_vehicle v = kerb_vehicle_default();
    v.kind = KERB_VEHICLE_TRACKED;
    v.length = 0.5f * expf(kerb_random_unit(random) * logf(30.0f));
    v.width = v.length * kerb_random_between(random, 0.4f, 0.7f);
    v.reference_to_front = v.length * kerb_random_between(random, 0.4f, 0.6f);
    v.reference_to_rear_axle = 0.0f;
    v.wheelbase = 0.31f * v.length;
    v.mass = 100.0f * v.length * v.length * v.length * kerb_random_between(random, 0.3f, 2.0f);
    v.steering_delay = v.understeer_gradient = 0.0f;
    v.yaw_rate_max = kerb_random_between(random, 0.3f, 2.0f);
    v.yaw_acceleration_max = v.yaw_rate_max * kerb_random_between(random, 0.7f, 3.0f);
    v.lateral_acceleration_max = kerb_random_between(random, 3.0f, 9.0f);
    v.braking_max = kerb_random_between(random, 2.0f, 7.0f);
    v.acceleration_max = kerb_random_between(random, 1.0f, 5.0f);
    v.reverse_acceleration_max = v.acceleration_max * kerb_random_between(random, 0.4f, 1.0f);
    v.speed_max = kerb_sqrt(v.length) * kerb_random_between(random, 2.0f, 8.0f);
    v.reverse_speed_max = v.speed_max * kerb_random_between(random, 0.2f, 1.0f);
    v.coasting_deceleration = v.acceleration_max * kerb_random_between(random, 0.05f, 0.3f);
    v.drag =
        v.acceleration_max * kerb_random_between(random, 0.01f, 0.3f) / (v.speed_max * v.speed_max);
    // What the top speed needs, or more behind a governor.
    float resisting = v.coasting_deceleration + v.drag * v.speed_max * v.speed_max;
    v.power = v.mass * resisting * v.speed_max * kerb_random_between(random, 1.0f, 3.0f);
    return v;
}

static void a_model_made_for_a_vehicle_has_its_limits(void** state) {
    (void)state;
    kerb_random random = test_random("round trip");
    for (int i = 0; i < 2000; i++) {
        kerb_vehicle v = random_vehicle(&random);
        assert_int_equal(kerb_vehicle_validate(&v, NULL), KERB_OK);
        kerb_sim_tracked_model model = kerb_sim_tracked_model_for(&v);
        kerb_vehicle back = kerb_sim_tracked_vehicle(&model);
        assert_int_equal(kerb_vehicle_validate(&back, NULL), KERB_OK);
        for (int32_t row = 0; row < kerb_vehicle_table.count; row++) {
            const kerb_setting* setting = &kerb_vehicle_table.settings[row];
            double before = (double)kerb_settings_get(setting, &v);
            double after = (double)kerb_settings_get(setting, &back);
            if (fabs(after - before) > 0.005 * fabs(before) + 1e-5)
                fail_msg("vehicle %d: %s is %g instead of %g", i, setting->name, after, before);
        }
    }
}

static void one_made_for_a_vehicle_drives_as_the_vehicle_says(void** state) {
    (void)state;
    kerb_random random = test_random("driven round trip");
    for (int i = 0; i < test_share(40, 8); i++) {
        kerb_vehicle v = random_vehicle(&random);
        kerb_sim_tracked_model model = kerb_sim_tracked_model_for(&v);
        kerb_sim_tracked tank = tank_of(&model);
        kerb_controls controls = in_gear(1);
        controls.steering = 1.0f;
        float ramp = v.yaw_rate_max / v.yaw_acceleration_max;
        push(&tank, &controls, 0.0f, 0.5f * ramp);
        expect_within((double)tank.yaw_rate, 0.5 * (double)v.yaw_rate_max,
                      0.1 + (double)(STEP / ramp), "yaw rate on the way");
        push(&tank, &controls, 0.0f, ramp + 6.0f);
        expect_within((double)tank.yaw_rate, (double)v.yaw_rate_max, 0.02, "yaw rate");
        tank = rolling_tank(&model, 0.8f * v.speed_max);
        controls = in_gear(1);
        controls.throttle = 1.0f;
        push(&tank, &controls, 0.0f, 300.0f);
        expect_within((double)tank.forward, (double)v.speed_max, 0.03, "top speed");
        tank = rolling_tank(&model, 0.9f * v.speed_max);
        controls = in_gear(0);
        controls.brake = 1.0f;
        push(&tank, &controls, 0.0f, 2.0f * v.speed_max / v.braking_max + 1.0f);
        double speed = 0.9 * (double)v.speed_max, drag = (double)v.drag;
        double way = log(1.0 + drag * speed * speed / (double)v.braking_max) / (2.0 * drag);
        if (fabs((double)tank.position.x - way) > 0.03 * way + 2.0 * speed / 240.0)
            fail_msg("vehicle %d stops in %g m, not %g m", i, (double)tank.position.x, way);
    }
}

int sim_tracked_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_turns_on_the_spot_as_fast_as_coulomb_friction_of_its_tracks_allows),
        cmocka_unit_test(the_tank_turns_round_on_the_spot_in_eight_seconds),
        cmocka_unit_test(friction_limits_how_fast_it_starts_to_turn),
        cmocka_unit_test(the_steering_gets_there_as_fast_as_the_tracks_change_their_speed),
        cmocka_unit_test(gentle_bends_take_the_share_of_the_steering_that_linear_slip_leaves),
        cmocka_unit_test(steering_turns_to_the_left_in_both_gears_and_in_none),
        cmocka_unit_test(a_fast_turn_slides_outwards_and_the_ground_gives_no_more_than_its_grip),
        cmocka_unit_test(a_sudden_shove_meets_no_more_than_the_grip),
        cmocka_unit_test(brakes_that_lock_at_once_slow_by_no_more_than_the_grip),
        cmocka_unit_test(steering_takes_its_power_before_driving_does),
        cmocka_unit_test(it_launches_with_its_force_then_gains_by_its_power),
        cmocka_unit_test(it_launches_at_once_against_its_rolling_resistance),
        cmocka_unit_test(a_strong_engine_is_governed_without_shaking),
        cmocka_unit_test(top_speed_is_where_power_meets_resistance_or_the_governor),
        cmocka_unit_test(braking_and_coasting_take_the_distance_of_their_closed_form),
        cmocka_unit_test(on_slippery_ground_braked_tracks_lock_and_slide_at_the_grip),
        cmocka_unit_test(it_climbs_what_its_force_can_lift_and_no_more),
        cmocka_unit_test(a_long_climb_settles_where_power_meets_gravity),
        cmocka_unit_test(the_brake_holds_on_a_slope_whichever_way_it_faces_even_while_it_steers),
        cmocka_unit_test(braked_to_a_stop_on_a_slope_it_stays_there),
        cmocka_unit_test(let_go_on_a_slope_it_rolls_as_gravity_less_resistance_says),
        cmocka_unit_test(left_alone_it_stays_exactly_where_it_is),
        cmocka_unit_test(after_turning_on_the_spot_it_comes_to_rest_exactly),
        cmocka_unit_test(controls_that_are_no_numbers_or_far_out_of_range_do_no_harm),
        cmocka_unit_test(controls_that_are_no_numbers_count_as_none),
        cmocka_unit_test(energy_comes_only_from_the_engine),
        cmocka_unit_test(a_mirrored_run_is_the_mirror_image_to_the_bit),
        cmocka_unit_test(finer_steps_end_in_the_same_place),
        cmocka_unit_test(a_copy_drives_on_the_same_to_the_bit),
        cmocka_unit_test(the_motion_lies_in_the_plane_of_the_ground),
        cmocka_unit_test(a_model_made_for_a_vehicle_has_its_limits),
        cmocka_unit_test(one_made_for_a_vehicle_drives_as_the_vehicle_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
