// The hovercraft against closed forms: thrust, drift, turning, hills, rest, and what holds in every
// run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/hover.h"
#include "test/seed.h"
#include "test/sim_driving.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- what tests need

static kerb_sim_hover craft_of(const kerb_sim_hover_model* model) {
    return kerb_sim_hover_make(model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
}

static kerb_sim_hover gliding(const kerb_sim_hover_model* model, float forward, float side) {
    kerb_sim_hover craft = craft_of(model);
    craft.forward = forward;
    craft.side = side;
    return craft;
}

static void push(kerb_sim_hover* craft, const kerb_controls* controls,
                 const kerb_sim_ground* ground, float seconds) {
    for (int i = 0; i < (int)(seconds / STEP + 0.5f); i++)
        kerb_sim_hover_step(craft, controls, ground, STEP);
}

// Without friction and drag.
static kerb_sim_hover_model free_model(void) {
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    model.friction_along = model.friction_across = 0.0f;
    model.drag_along = model.drag_across = 0.0f;
    return model;
}

// Way and time until friction f and drag d·v² have taken a speed off.
static double way_to_rest(double speed, double f, double d) {
    return log(1.0 + d * speed * speed / f) / (2.0 * d);
}

static double time_to_rest(double speed, double f, double d) {
    return atan(speed * sqrt(d / f)) / sqrt(d * f);
}

// --------------------------------------------------------------------------- thrust

static void full_thrust_gives_the_stated_acceleration_in_both_gears(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_vehicle limits = kerb_sim_hover_vehicle(&model);
    for (int32_t gear = -1; gear <= 1; gear += 2) {
        kerb_sim_hover craft = craft_of(&model);
        craft.throttle = (float)gear;
        kerb_controls controls = in_gear(gear);
        controls.throttle = 1.0f;
        push(&craft, &controls, &level, 1.0f);
        float expected = gear > 0 ? limits.acceleration_max : limits.reverse_acceleration_max;
        expect_within((double)(craft.forward * (float)gear), (double)expected, 0.02, "speed");
    }
}

static void the_fan_follows_the_throttle_with_its_lag(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_hover craft = craft_of(&model);
    kerb_controls controls = in_gear(1);
    controls.throttle = 0.8f;
    push(&craft, &controls, &level, model.throttle_delay);
    expect_within((double)craft.throttle, 0.8 * (1.0 - exp(-1.0)), 0.01, "fan");
}

static void top_speed_is_where_thrust_meets_drag_or_the_governor(void** state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const float thrusts[3] = {750.0f, 2250.0f, 9000.0f};
        kerb_sim_hover_model model = kerb_sim_hovercraft_model();
        model.thrust = thrusts[i];
        kerb_sim_hover craft = gliding(&model, 5.0f, 0.0f);
        kerb_controls controls = in_gear(1);
        controls.throttle = 1.0f;
        push(&craft, &controls, &level, 120.0f);
        double rubbing = (double)(model.friction_along * model.mass * KERB_GRAVITY);
        double balance = sqrt(((double)thrusts[i] - rubbing) / (double)model.drag_along);
        expect_within((double)craft.forward, i < 2 ? balance : 1.013 * (double)model.speed_max,
                      0.01, "top speed");
        expect_within((double)craft.forward, (double)kerb_sim_hover_vehicle(&model).speed_max, 0.02,
                      "top speed");
    }
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_hover craft = craft_of(&model);
    kerb_controls controls = in_gear(-1);
    controls.throttle = 1.0f;
    push(&craft, &controls, &level, 60.0f);
    expect_within((double)-craft.forward, 1.015 * (double)model.reverse_speed_max, 0.01, "reverse");
}

static void the_brake_is_thrust_against_the_motion_and_the_skirt(void** state) {
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        kerb_sim_hover_model model = kerb_sim_hovercraft_model();
        model.throttle_delay = 0.0f;
        kerb_sim_hover craft = gliding(&model, backwards ? -6.0f : 15.0f, 0.0f);
        kerb_controls controls = in_gear(1);
        controls.brake = 1.0f;
        push(&craft, &controls, &level, 1.0f);
        double f = (double)kerb_sim_hover_vehicle(&model).braking_max;
        double d = (double)(model.drag_along / model.mass);
        double start = backwards ? 6.0 : 15.0;
        double speed = sqrt(f / d) * tan(atan(start * sqrt(d / f)) - sqrt(d * f));
        expect_within(start - fabs((double)craft.forward), start - speed, 0.01, "lost speed");
        push(&craft, &controls, &level, 10.0f);
        assert_true(craft.forward == 0.0f && craft.side == 0.0f);
        expect_within(fabs((double)craft.position.x), way_to_rest(start, f, d), 0.02, "way");
    }
}

// --------------------------------------------------------------------------- drift

static void a_sideways_drift_dies_away_by_friction_and_drag_alone(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    for (int across = 0; across < 2; across++) {
        kerb_sim_hover craft = gliding(&model, across ? 0.0f : 8.0f, across ? 8.0f : 0.0f);
        kerb_controls controls = in_gear(1);
        double f = (double)(across ? model.friction_across : model.friction_along);
        double d = (double)((across ? model.drag_across : model.drag_along) / model.mass);
        f *= (double)KERB_GRAVITY;
        double time = time_to_rest(8.0, f, d);
        push(&craft, &controls, &level, (float)time - 0.5f);
        assert_true(kerb_abs(craft.forward) + kerb_abs(craft.side) > 0.02f);
        push(&craft, &controls, &level, 1.0f);
        assert_true(craft.forward == 0.0f && craft.side == 0.0f);
        float way = across ? craft.position.y : craft.position.x;
        expect_within((double)way, way_to_rest(8.0, f, d), 0.01, "way");
        assert_true((across ? craft.position.x : craft.position.y) == 0.0f);
    }
}

static void without_friction_its_course_and_speed_stay_while_its_body_turns(void** state) {
    (void)state;
    kerb_sim_hover_model model = free_model();
    kerb_sim_hover craft = gliding(&model, 10.0f, 0.0f);
    kerb_controls controls = in_gear(1);
    controls.steering = 1.0f;
    push(&craft, &controls, &level, 20.0f);
    kerb_motion motion = kerb_sim_hover_motion(&craft);
    assert_true(craft.yaw_rate > 0.9f);
    assert_true(fabsf(motion.velocity.x - 10.0f) < 0.01f && fabsf(motion.velocity.y) < 0.02f);
    assert_true(fabsf(craft.position.x - 200.0f) < 0.1f && fabsf(craft.position.y) < 0.1f);
}

static void friction_points_against_the_slide_whatever_its_direction(void** state) {
    (void)state;
    kerb_sim_hover_model model = free_model();
    model.friction_along = model.friction_across = 0.05f;
    for (float angle = 0.0f; angle < 6.0f; angle += 0.7f) {
        kerb_sim_hover craft = gliding(&model, 6.0f * kerb_cos(angle), 6.0f * kerb_sin(angle));
        kerb_controls controls = in_gear(1);
        push(&craft, &controls, &level, 4.0f);
        double left = 6.0 - 4.0 * 0.05 * (double)KERB_GRAVITY;
        expect_within((double)kerb_vec2_length(kerb_vec2_make(craft.forward, craft.side)), left,
                      0.005, "speed");
        float turned = kerb_wrap_angle(kerb_atan2(craft.side, craft.forward) - angle);
        assert_true(kerb_abs(turned) < 1e-3f);
    }
}

// --------------------------------------------------------------------------- turning

static void the_rudder_turns_it_as_fast_as_stated_to_the_left_in_every_gear(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    for (int32_t gear = -1; gear <= 1; gear++) {
        kerb_sim_hover craft = craft_of(&model);
        kerb_controls controls = in_gear(gear);
        controls.steering = 0.8f;
        controls.throttle = 0.5f;
        push(&craft, &controls, &level, 0.4f);
        expect_within((double)craft.yaw_rate, 0.4 * (double)model.yaw_acceleration_max, 0.01,
                      "yaw rate on the way");
        push(&craft, &controls, &level, 1.0f);
        expect_within((double)craft.yaw_rate, 0.8 * (double)model.yaw_rate_max, 1e-5, "yaw rate");
        assert_true(kerb_sim_hover_motion(&craft).steering == 0.8f);
    }
}

// With a yaw rate r, full thrust T and drag alone, the steady motion has forward u and side -w:
//     along  T = m w r + d_along u²        across  m u r = d_across w²
// It drives a circle of radius √(u² + w²)/r.
static void a_steady_turn_at_full_thrust_has_the_radius_that_thrust_allows(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    model.friction_along = model.friction_across = 0.0f;
    for (float steering = 0.1f; steering < 0.5f; steering += 0.1f) {
        double m = (double)model.mass, r = (double)(steering * model.yaw_rate_max);
        double low = 0.0, high = 50.0;
        for (int i = 0; i < 100; i++) {
            double w = 0.5 * (low + high), u = (double)model.drag_across * w * w / (m * r);
            if (m * w * r + (double)model.drag_along * u * u < (double)model.thrust)
                low = w;
            else
                high = w;
        }
        double u = (double)model.drag_across * low * low / (m * r);
        kerb_sim_hover craft = gliding(&model, 5.0f, 0.0f);
        kerb_controls controls = in_gear(1);
        controls.throttle = 1.0f;
        controls.steering = steering;
        push(&craft, &controls, &level, 180.0f);
        kerb_vec3 from = craft.position;
        push(&craft, &controls, &level, KERB_PI / (steering * model.yaw_rate_max)); // half round
        float across = kerb_vec3_length(kerb_vec3_sub(craft.position, from));
        expect_within((double)craft.forward, u, 0.005, "forward");
        expect_within((double)-craft.side, low, 0.005, "drift");
        expect_within(0.5 * (double)across, sqrt(u * u + low * low) / r, 0.01, "radius");
    }
}

static void lateral_acceleration_max_is_what_a_drift_of_45_degrees_turns_the_course_with(
    void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    model.drag_along = model.drag_across = 0.0f;
    model.friction_across = 0.1f;
    kerb_sim_hover craft = gliding(&model, 5.0f, -5.0f); // the nose points into the bend
    craft.throttle = 1.0f;
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    kerb_vec3 before = kerb_sim_hover_motion(&craft).velocity;
    push(&craft, &controls, &level, 0.1f);
    kerb_vec3 gained = kerb_vec3_sub(kerb_sim_hover_motion(&craft).velocity, before);
    double inwards = (double)(gained.x + gained.y) * sqrt(0.5) / 0.1;
    expect_within(inwards, (double)kerb_sim_hover_vehicle(&model).lateral_acceleration_max, 0.02,
                  "acceleration");
}

// --------------------------------------------------------------------------- hills

static void it_climbs_what_its_full_thrust_lifts_and_no_more(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    double lift = (double)model.thrust / (double)(model.mass * KERB_GRAVITY), angle = asin(lift);
    for (int i = 0; i < 50; i++)
        angle = asin(lift - (double)model.friction_along * cos(angle));
    kerb_controls controls = in_gear(1);
    for (int i = 0; i < 3; i++) {
        // Gentler; steeper, where friction holds it; and with less thrust, where it slides back.
        kerb_sim_ground hill = rising((float)tan(angle * (i == 0 ? 0.98 : 1.02)));
        controls.throttle = i == 2 ? 0.8f : 1.0f;
        kerb_sim_hover craft = craft_of(&model);
        craft.throttle = controls.throttle;
        push(&craft, &controls, &hill, 10.0f);
        assert_true(i == 0   ? craft.position.x > 1.0f
                    : i == 1 ? craft.position.x == 0.0f
                             : craft.position.x < -5.0f);
    }
}

static void across_a_slope_it_slides_down_sideways(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    model.drag_across = 0.0f;
    kerb_sim_ground slope = {.normal = {0.0f, -0.1f, 0.0f}, .grip = 1.0f}; // rises to the left
    slope.normal.z = sqrtf(1.0f - 0.01f);
    kerb_sim_hover craft = craft_of(&model);
    kerb_controls controls = in_gear(1);
    push(&craft, &controls, &slope, 3.0f);
    double down =
        (double)KERB_GRAVITY * (0.1 - (double)model.friction_across * (double)slope.normal.z);
    expect_within((double)-craft.side, 3.0 * down, 0.01, "drift");
    assert_true(craft.forward == 0.0f);
}

static void the_skirt_holds_on_a_slope_whichever_way_it_faces_even_while_it_steers(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_ground slope = rising(0.28f);
    for (float heading = -3.0f; heading < 3.2f; heading += 0.5f) {
        kerb_sim_hover craft =
            kerb_sim_hover_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), heading);
        kerb_controls controls = in_gear(1);
        controls.handbrake = heading > 0.0f;
        controls.brake = controls.handbrake ? 0.0f : 1.0f;
        for (int i = 0; i < 2400; i++) {
            controls.steering = kerb_sin((float)i * 0.01f);
            kerb_sim_hover_step(&craft, &controls, &slope, STEP);
        }
        assert_true(craft.position.x == 0.0f && craft.position.y == 0.0f);
        assert_true(craft.heading == kerb_wrap_angle(heading));
        controls = in_gear(1);
        push(&craft, &controls, &slope, 1.0f);
        assert_true(craft.position.x < -0.5f);
    }
}

// T/m - g (sin + μ cos) at once, where a fan that still had to start would let it slide back.
static void under_the_handbrake_the_fan_pulls_and_the_skirt_holds(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_ground hill = rising(0.2f);
    kerb_sim_hover craft = craft_of(&model);
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    controls.handbrake = true;
    push(&craft, &controls, &hill, 5.0f);
    assert_true(craft.position.x == 0.0f && craft.throttle > 0.99f);
    controls.handbrake = false;
    push(&craft, &controls, &hill, 1.0f);
    double sine = sin(atan(0.2)), cosine = cos(atan(0.2));
    double pull = (double)(model.thrust / model.mass) -
                  (double)KERB_GRAVITY * (sine + (double)model.friction_along * cosine);
    expect_within((double)craft.forward, pull, 0.02, "speed");

    kerb_sim_hover gliding_on = gliding(&model, 5.0f, 0.0f);
    controls.throttle = 0.0f;
    controls.handbrake = true;
    push(&gliding_on, &controls, &level, 1.0f);
    double f = (double)(model.friction_along + model.skirt_brake) * (double)KERB_GRAVITY;
    expect_within(5.0 - (double)gliding_on.forward, f, 0.05, "lost speed");
}

static void braked_to_a_stop_on_a_slope_it_stays_there(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    for (float rise = -0.2f; rise < 0.3f; rise += 0.2f) {
        kerb_sim_ground slope = rising(rise);
        kerb_sim_hover craft = gliding(&model, 5.0f, 1.0f);
        kerb_controls controls = in_gear(1);
        controls.brake = 1.0f;
        push(&craft, &controls, &slope, 8.0f);
        kerb_vec3 stood = craft.position;
        push(&craft, &controls, &slope, 20.0f);
        assert_memory_equal(&craft.position, &stood, sizeof stood);
    }
}

static void left_alone_or_with_less_thrust_than_friction_it_stays_where_it_is(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    float rubbing = model.friction_along * model.mass * KERB_GRAVITY / model.thrust;
    for (int i = 0; i < 3; i++) {
        kerb_sim_hover craft = craft_of(&model);
        kerb_controls controls = in_gear(1);
        controls.throttle = 0.5f * (float)i * 1.02f * rubbing;
        push(&craft, &controls, &level, 10.0f);
        assert_true(i < 2 ? craft.position.x == 0.0f : craft.position.x > 0.01f);
    }
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
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    for (int run = 0; run < 40; run++) {
        kerb_sim_hover craft = gliding(&model, kerb_random_between(&random, -9.0f, 18.0f), 3.0f);
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
            kerb_sim_hover_step(&craft, &controls, &ground, STEP);
            kerb_motion motion = kerb_sim_hover_motion(&craft);
            assert_true(kerb_motion_is_finite(&motion));
            assert_true(kerb_abs(craft.forward) < 100.0f && kerb_abs(craft.side) < 100.0f);
        }
    }
}

static void controls_that_are_no_numbers_count_as_none(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_hover craft = gliding(&model, 10.0f, 1.0f), other = craft;
    kerb_controls controls = in_gear(1), none = in_gear(1);
    controls.steering = controls.throttle = controls.brake = NAN;
    push(&craft, &controls, &level, 1.0f);
    push(&other, &none, &level, 1.0f);
    assert_memory_equal(&craft, &other, sizeof craft);
}

static void without_throttle_level_ground_gives_it_no_speed(void** state) {
    (void)state;
    kerb_random random = test_random("energy");
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    for (int run = 0; run < 60; run++) {
        kerb_sim_hover craft = gliding(&model, kerb_random_between(&random, -6.0f, 18.0f),
                                       kerb_random_between(&random, -8.0f, 8.0f));
        kerb_controls controls = {0};
        double speed = hypot((double)craft.forward, (double)craft.side);
        for (int i = 0; i < 2000; i++) {
            if (i % 60 == 0) {
                random_controls(&random, &controls);
                controls.throttle = controls.brake = 0.0f;
                controls.handbrake = false;
            }
            kerb_sim_hover_step(&craft, &controls, &level, STEP);
            double now = hypot((double)craft.forward, (double)craft.side);
            if (now > speed * 1.000001)
                fail_msg("speed rose from %.9g to %.9g in step %d", speed, now, i);
            speed = now;
        }
    }
}

static void braking_never_drives_it_the_other_way(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    for (float speed = -6.0f; speed <= 18.0f; speed += 0.37f) {
        kerb_sim_hover craft = gliding(&model, speed, 0.0f);
        craft.throttle = speed > 0.0f ? 0.3f : -0.3f; // from driving
        kerb_controls controls = in_gear(1);
        controls.brake = 0.7f;
        for (int i = 0; i < 2400; i++) {
            kerb_sim_hover_step(&craft, &controls, &level, STEP);
            assert_true(craft.forward * speed >= 0.0f);
        }
        assert_true(craft.forward == 0.0f);
    }
}

static void a_mirrored_run_is_the_mirror_image_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random("mirror");
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_hover left = gliding(&model, 8.0f, 0.0f), right = left;
    kerb_controls controls = {0};
    for (int i = 0; i < 6000; i++) {
        if (i % 60 == 0)
            random_controls(&random, &controls);
        kerb_controls mirrored = controls;
        mirrored.steering = -controls.steering;
        kerb_sim_hover_step(&left, &controls, &level, STEP);
        kerb_sim_hover_step(&right, &mirrored, &level, STEP);
        assert_true(left.position.x == right.position.x && left.position.y == -right.position.y);
        assert_true(left.forward == right.forward && left.side == -right.side);
        assert_true(left.yaw_rate == -right.yaw_rate);
    }
}

static kerb_vec3 end_of_manoeuvre(int hertz) {
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_hover craft = craft_of(&model);
    kerb_controls controls = in_gear(1);
    for (int i = 0; i < 12 * hertz; i++) {
        float time = (float)i / (float)hertz;
        controls.throttle = time < 9.0f ? 0.8f : 0.0f;
        controls.brake = time > 10.0f ? 0.5f : 0.0f;
        controls.steering = 0.6f * kerb_sin(1.2f * time);
        kerb_sim_hover_step(&craft, &controls, &level, 1.0f / (float)hertz);
    }
    return craft.position;
}

static void finer_steps_end_in_the_same_place(void** state) {
    (void)state;
    kerb_vec3 fine = end_of_manoeuvre(1920);
    float coarse = kerb_vec3_length(kerb_vec3_sub(end_of_manoeuvre(240), fine));
    float middle = kerb_vec3_length(kerb_vec3_sub(end_of_manoeuvre(480), fine));
    assert_true(kerb_vec3_length(fine) > 40.0f);
    if (coarse > 0.02f)
        fail_msg("240 and 1920 Hz end %.3f m apart", (double)coarse);
    assert_true(middle < coarse);
}

static void a_copy_drives_on_the_same_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random("copy");
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_ground slope = rising(0.1f);
    kerb_sim_hover craft = gliding(&model, 5.0f, 0.0f);
    kerb_controls controls = in_gear(1);
    for (int run = 0; run < 20; run++) {
        random_controls(&random, &controls);
        kerb_sim_hover copy = craft;
        push(&craft, &controls, &slope, 1.0f);
        push(&copy, &controls, &slope, 1.0f);
        assert_memory_equal(&craft, &copy, sizeof craft);
    }
}

static void the_motion_lies_in_the_plane_of_the_ground(void** state) {
    (void)state;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_sim_ground ground = {.height = 5.0f, .normal = {0.2f, -0.1f, 0.0f}, .grip = 1.0f};
    ground.normal.z = sqrtf(1.0f - 0.05f);
    for (float heading = -3.0f; heading < 3.0f; heading += 0.5f) {
        kerb_sim_hover craft = gliding(&model, 8.0f, 2.0f);
        craft.heading = heading;
        kerb_controls controls = in_gear(0);
        controls.steering = 0.3f;
        push(&craft, &controls, &ground, 0.5f);
        kerb_motion motion = kerb_sim_hover_motion(&craft);
        kerb_vec3 up = kerb_quat_up(motion.rotation);
        assert_true(kerb_vec3_length(kerb_vec3_sub(up, ground.normal)) < 1e-4f);
        assert_true(kerb_abs(kerb_vec3_dot(motion.velocity, ground.normal)) < 1e-3f);
        assert_true(kerb_abs(kerb_quat_heading(motion.rotation) - craft.heading) < 1e-4f);
        assert_true(kerb_vec3_dot(motion.angular_velocity, up) > 0.1f);
    }
}

// --------------------------------------------------------------------------- any vehicle

static kerb_vehicle random_vehicle(kerb_random* random) {
    kerb_vehicle v = kerb_vehicle_default();
    v.kind = KERB_VEHICLE_HOVER;
    v.length = 0.5f * expf(kerb_random_unit(random) * logf(50.0f));
    v.width = v.length * kerb_random_between(random, 0.4f, 0.7f);
    v.reference_to_front = v.length * kerb_random_between(random, 0.4f, 0.6f);
    v.reference_to_rear_axle = 0.0f;
    v.wheelbase = 0.5f * v.reference_to_front;
    v.mass = 15.0f * v.length * v.length * v.length * kerb_random_between(random, 0.3f, 2.0f);
    v.steering_delay = v.understeer_gradient = 0.0f;
    v.yaw_rate_max = kerb_random_between(random, 0.3f, 2.0f);
    v.yaw_acceleration_max = kerb_random_between(random, 0.3f, 4.0f);
    v.acceleration_max = kerb_random_between(random, 0.5f, 5.0f);
    v.coasting_deceleration = v.acceleration_max * kerb_random_between(random, 0.02f, 0.2f);
    v.lateral_acceleration_max =
        (v.acceleration_max + v.coasting_deceleration) * kerb_random_between(random, 0.72f, 1.5f);
    v.reverse_acceleration_max = v.acceleration_max * kerb_random_between(random, 0.4f, 1.0f);
    v.braking_max = v.reverse_acceleration_max + 2.0f * v.coasting_deceleration +
                    kerb_random_between(random, 0.0f, 4.0f);
    v.drag = v.acceleration_max * kerb_random_between(random, 0.5f, 1.0f) / 400.0f;
    v.speed_max = kerb_sqrt(v.acceleration_max / v.drag) * kerb_random_between(random, 0.5f, 1.0f);
    v.reverse_speed_max =
        kerb_sqrt(v.reverse_acceleration_max / v.drag) * kerb_random_between(random, 0.2f, 1.0f);
    v.power = v.mass * (v.acceleration_max + v.coasting_deceleration) * v.speed_max;
    return v;
}

static void a_model_made_for_a_vehicle_has_its_limits(void** state) {
    (void)state;
    kerb_random random = test_random("round trip");
    for (int i = 0; i < 20000; i++) {
        kerb_vehicle v = random_vehicle(&random);
        assert_int_equal(kerb_vehicle_validate(&v, NULL), KERB_OK);
        kerb_sim_hover_model model = kerb_sim_hover_model_for(&v);
        kerb_vehicle back = kerb_sim_hover_vehicle(&model);
        for (int32_t row = 0; row < kerb_vehicle_table.count; row++) {
            const kerb_setting* setting = &kerb_vehicle_table.settings[row];
            double before = (double)kerb_settings_get(setting, &v);
            double after = (double)kerb_settings_get(setting, &back);
            if (fabs(after - before) > 0.001 * fabs(before) + 1e-5)
                fail_msg("vehicle %d: %s is %g instead of %g", i, setting->name, after, before);
        }
    }
}

static void one_made_for_a_vehicle_drives_as_the_vehicle_says(void** state) {
    (void)state;
    kerb_random random = test_random("driven round trip");
    for (int i = 0; i < 40; i++) {
        kerb_vehicle v = random_vehicle(&random);
        kerb_sim_hover_model model = kerb_sim_hover_model_for(&v);
        kerb_controls controls = in_gear(1);
        controls.throttle = 1.0f;
        kerb_sim_hover craft = gliding(&model, 0.5f * v.speed_max, 0.0f);
        push(&craft, &controls, &level, 200.0f);
        expect_within((double)craft.forward, (double)v.speed_max, 0.021, "top speed");
        model.throttle_delay = 0.0f;
        craft = gliding(&model, 0.9f * v.speed_max, 0.0f);
        controls = in_gear(1);
        controls.brake = 1.0f;
        push(&craft, &controls, &level, 60.0f);
        double speed = 0.9 * (double)v.speed_max;
        double way = way_to_rest(speed, (double)v.braking_max, (double)v.drag);
        assert_true(craft.forward == 0.0f);
        if (fabs((double)craft.position.x - way) > 0.03 * way + 2.0 * speed / 240.0)
            fail_msg("vehicle %d stops in %g m, not %g m", i, (double)craft.position.x, way);
    }
}

int sim_hover_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_thrust_gives_the_stated_acceleration_in_both_gears),
        cmocka_unit_test(the_fan_follows_the_throttle_with_its_lag),
        cmocka_unit_test(top_speed_is_where_thrust_meets_drag_or_the_governor),
        cmocka_unit_test(the_brake_is_thrust_against_the_motion_and_the_skirt),
        cmocka_unit_test(a_sideways_drift_dies_away_by_friction_and_drag_alone),
        cmocka_unit_test(without_friction_its_course_and_speed_stay_while_its_body_turns),
        cmocka_unit_test(friction_points_against_the_slide_whatever_its_direction),
        cmocka_unit_test(the_rudder_turns_it_as_fast_as_stated_to_the_left_in_every_gear),
        cmocka_unit_test(a_steady_turn_at_full_thrust_has_the_radius_that_thrust_allows),
        cmocka_unit_test(
            lateral_acceleration_max_is_what_a_drift_of_45_degrees_turns_the_course_with),
        cmocka_unit_test(it_climbs_what_its_full_thrust_lifts_and_no_more),
        cmocka_unit_test(across_a_slope_it_slides_down_sideways),
        cmocka_unit_test(the_skirt_holds_on_a_slope_whichever_way_it_faces_even_while_it_steers),
        cmocka_unit_test(under_the_handbrake_the_fan_pulls_and_the_skirt_holds),
        cmocka_unit_test(braked_to_a_stop_on_a_slope_it_stays_there),
        cmocka_unit_test(left_alone_or_with_less_thrust_than_friction_it_stays_where_it_is),
        cmocka_unit_test(controls_that_are_no_numbers_or_far_out_of_range_do_no_harm),
        cmocka_unit_test(controls_that_are_no_numbers_count_as_none),
        cmocka_unit_test(without_throttle_level_ground_gives_it_no_speed),
        cmocka_unit_test(braking_never_drives_it_the_other_way),
        cmocka_unit_test(a_mirrored_run_is_the_mirror_image_to_the_bit),
        cmocka_unit_test(finer_steps_end_in_the_same_place),
        cmocka_unit_test(a_copy_drives_on_the_same_to_the_bit),
        cmocka_unit_test(the_motion_lies_in_the_plane_of_the_ground),
        cmocka_unit_test(a_model_made_for_a_vehicle_has_its_limits),
        cmocka_unit_test(one_made_for_a_vehicle_drives_as_the_vehicle_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
