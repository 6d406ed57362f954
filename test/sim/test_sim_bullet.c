// The wheeled vehicles in the Bullet engine: what must hold in any physics, by closed forms of the
// model, and what the adaptor adds. How Bullet's vehicle differs from sim/car.h is not tested: it
// may.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef KERB_HAVE_BULLET

#include "scene/course/calibration.h"
#include "scene/course/course.h"
#include "sim/bullet/bullet.h"

#include <math.h>
#include <string.h>

#define STEP (1.0f / 60.0f)

static const char* const wheeled[] = {"buggy", "pickup", "scout", "carrier"};
#define WHEELED (int)(sizeof wheeled / sizeof wheeled[0])

static const kerb_sim_world empty;

static void expect_within(double value, double expected, double share, const char* what) {
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%s is %g instead of %g, off by %.2f %%", what, value, expected,
                 100.0 * (value / expected - 1.0));
}

static kerb_sim_model model_of(const char* name) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    return model;
}

static kerb_sim_bullet* make_at(const kerb_sim_model* model, const kerb_sim_world* world, float x,
                                float y) {
    kerb_error error = {.message = "nothing"};
    kerb_sim_bullet* bullet =
        kerb_sim_bullet_make(model, world, NULL, kerb_vec3_make(x, y, 0.0f), 0.0f, &error);
    if (bullet == NULL)
        fail_msg("not made: %s", error.message);
    return bullet;
}

static kerb_sim_bullet* make(const kerb_sim_model* model) {
    return make_at(model, &empty, 0.0f, 0.0f);
}

static kerb_controls in_gear(int32_t gear) {
    kerb_controls controls = {0};
    controls.gear = gear;
    return controls;
}

static void drive(kerb_sim_bullet* bullet, const kerb_controls* controls, float seconds) {
    for (int i = 0; i < (int)(seconds / STEP + 0.5f); i++)
        kerb_sim_bullet_step(bullet, controls, STEP);
}

static float speed_of(const kerb_sim_bullet* bullet) {
    kerb_motion motion = kerb_sim_bullet_motion(bullet);
    return kerb_motion_forward_speed(&motion);
}

static kerb_vec3 position_of(const kerb_sim_bullet* bullet) {
    return kerb_sim_bullet_motion(bullet).position;
}

// Up when the engine is past its best speed.
static int32_t gear_for(const kerb_sim_model* model, const kerb_sim_bullet* bullet) {
    const kerb_drive_train* train = &model->car.drive_train;
    kerb_motion motion = kerb_sim_bullet_motion(bullet);
    int32_t gear = motion.gear < 1 ? 1 : motion.gear;
    float turns = kerb_motion_forward_speed(&motion) / model->car.wheel_radius;
    if (gear < train->gear_count &&
        turns * train->gear_ratio[gear - 1] > 1.1f * train->engine_speed_power)
        return gear + 1;
    return gear;
}

static void accelerate(const kerb_sim_model* model, kerb_sim_bullet* bullet, float speed,
                       float seconds) {
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    for (int i = 0; i < (int)(seconds / STEP) && speed_of(bullet) < speed; i++) {
        controls.gear = gear_for(model, bullet);
        kerb_sim_bullet_step(bullet, &controls, STEP);
    }
}

// Holds a speed in first gear, or in reverse.
static void cruise(kerb_sim_bullet* bullet, float speed, float steering, float seconds) {
    kerb_controls controls = in_gear(speed < 0.0f ? -1 : 1);
    float sum = 0.0f;
    controls.steering = steering;
    for (int i = 0; i < (int)(seconds / STEP); i++) {
        float error = kerb_abs(speed) - kerb_abs(speed_of(bullet));
        sum = kerb_clamp(sum + 0.3f * error * STEP, 0.0f, 1.0f);
        controls.throttle = kerb_clamp(0.4f * error + sum, 0.0f, 1.0f);
        kerb_sim_bullet_step(bullet, &controls, STEP);
    }
}

// --------------------------------------------------------------------------- driving

static void at_rest_it_stays_where_it_is(void** state) {
    (void)state;
    for (int i = 0; i < WHEELED; i++) {
        kerb_sim_model model = model_of(wheeled[i]);
        kerb_sim_bullet* bullet = make_at(&model, &empty, 3.0f, -2.0f);
        kerb_controls nothing = in_gear(1);
        drive(bullet, &nothing, 5.0f);
        kerb_vec3 position = position_of(bullet);
        assert_float_equal(position.x, 3.0f, 0.01);
        assert_float_equal(position.y, -2.0f, 0.01);
        assert_float_equal(position.z, 0.0f, 0.01);
        assert_float_equal(speed_of(bullet), 0.0f, 0.01);
        kerb_sim_bullet_destroy(bullet);
    }
}

static void without_steering_it_drives_straight_on(void** state) {
    (void)state;
    for (int i = 0; i < WHEELED; i++) {
        kerb_sim_model model = model_of(wheeled[i]);
        kerb_sim_bullet* bullet = make(&model);
        accelerate(&model, bullet, 1000.0f, 10.0f);
        kerb_vec3 position = position_of(bullet);
        assert_true(position.x > 40.0f);
        assert_float_equal(position.y, 0.0f, 0.01);
        kerb_sim_bullet_destroy(bullet);
    }
}

static void top_speed_is_where_drive_and_resistance_balance(void** state) {
    (void)state;
    for (int i = 0; i < WHEELED; i++) {
        kerb_sim_model model = model_of(wheeled[i]);
        kerb_sim_bullet* bullet = make(&model);
        accelerate(&model, bullet, 1000.0f, 120.0f);
        expect_within((double)speed_of(bullet), (double)model.vehicle.speed_max, 0.03, wheeled[i]);
        kerb_sim_bullet_destroy(bullet);
    }
}

static void it_brakes_as_hard_as_brakes_and_grip_allow(void** state) {
    (void)state;
    for (int i = 0; i < WHEELED; i++) {
        kerb_sim_model model = model_of(wheeled[i]);
        kerb_sim_bullet* bullet = make(&model);
        accelerate(&model, bullet, 15.0f, 60.0f);
        kerb_controls stop = in_gear(1);
        stop.brake = 1.0f;
        float speed = speed_of(bullet), from = position_of(bullet).x;
        drive(bullet, &stop, 8.0f);
        float metres = position_of(bullet).x - from;
        float force =
            kerb_min(model.car.brake_force, model.car.grip_along * model.car.mass * KERB_GRAVITY);
        float expected = speed * speed * model.car.mass / (2.0f * force);
        assert_float_equal(speed_of(bullet), 0.0f, 0.01);
        expect_within((double)metres, (double)expected, 0.15, wheeled[i]);
        kerb_sim_bullet_destroy(bullet);
    }
}

static void it_drives_backwards_up_to_its_governor(void** state) {
    (void)state;
    for (int i = 0; i < WHEELED; i++) {
        kerb_sim_model model = model_of(wheeled[i]);
        kerb_sim_bullet* bullet = make(&model);
        kerb_controls back = in_gear(-1);
        back.throttle = 1.0f;
        drive(bullet, &back, 30.0f);
        expect_within((double)speed_of(bullet), (double)-model.vehicle.reverse_speed_max, 0.05,
                      wheeled[i]);
        kerb_sim_bullet_destroy(bullet);
    }
}

static void slowly_it_turns_on_the_circle_of_its_wheel_angle(void** state) {
    (void)state;
    for (int i = 0; i < WHEELED; i++) {
        for (float side = -1.0f; side < 2.0f; side += 2.0f) {
            kerb_sim_model model = model_of(wheeled[i]);
            kerb_sim_bullet* bullet = make(&model);
            cruise(bullet, 2.0f, side, 20.0f);
            kerb_motion motion = kerb_sim_bullet_motion(bullet);
            float radius = kerb_motion_forward_speed(&motion) / motion.angular_velocity.z;
            expect_within((double)radius,
                          (double)(side * kerb_vehicle_turning_radius(&model.vehicle)), 0.03,
                          wheeled[i]);
            kerb_sim_bullet_destroy(bullet);
        }
    }
}

static void in_a_bend_its_tyres_give_what_grip_they_have(void** state) {
    (void)state;
    for (int i = 0; i < WHEELED; i++) {
        kerb_sim_model model = model_of(wheeled[i]);
        kerb_sim_bullet* bullet = make(&model);
        accelerate(&model, bullet, 14.0f, 60.0f);
        kerb_controls turn = in_gear(2);
        turn.steering = 1.0f;
        float most = 0.0f;
        for (int k = 0; k < 120; k++) {
            kerb_sim_bullet_step(bullet, &turn, STEP);
            kerb_motion motion = kerb_sim_bullet_motion(bullet);
            assert_true(kerb_quat_up(motion.rotation).z > 0.95f);
            float across = kerb_motion_forward_speed(&motion) * motion.angular_velocity.z;
            most = k > 30 ? kerb_max(most, across) : most;
        }
        assert_true(most < 1.3f * model.car.grip_across * KERB_GRAVITY);
        assert_true(most > 0.6f * model.car.grip_across * KERB_GRAVITY);
        kerb_sim_bullet_destroy(bullet);
    }
}

static void the_wheels_turn_no_faster_than_the_model_allows(void** state) {
    (void)state;
    kerb_sim_model model = model_of("pickup");
    kerb_sim_bullet* bullet = make(&model);
    kerb_controls turn = in_gear(1);
    turn.steering = 1.0f;
    drive(bullet, &turn, 0.25f);
    float angle = kerb_sim_bullet_motion(bullet).steering * model.car.steering_angle_max;
    float fastest = 0.25f * model.car.steering_rate_max;
    assert_true(angle <= fastest * 1.001f);
    assert_true(angle > 0.7f * fastest);
    drive(bullet, &turn, 2.0f);
    assert_float_equal(kerb_sim_bullet_motion(bullet).steering, 1.0f, 0.001);
    kerb_sim_bullet_destroy(bullet);
}

// --------------------------------------------------------------------------- ground

// A plane that rises by `slope` per metre towards +x, as the host tells of it.
static void drive_on_slope(kerb_sim_bullet* bullet, const kerb_controls* controls, float slope,
                           float seconds) {
    float length = sqrtf(1.0f + slope * slope);
    kerb_sim_ground ground = {.normal = {-slope / length, 0.0f, 1.0f / length}, .grip = 1.0f};
    for (int i = 0; i < (int)(seconds / STEP); i++) {
        ground.height = slope * position_of(bullet).x;
        kerb_sim_bullet_set_ground(bullet, &ground);
        kerb_sim_bullet_step(bullet, controls, STEP);
    }
}

static kerb_sim_bullet* make_on_slope(const kerb_sim_model* model, float slope) {
    float length = sqrtf(1.0f + slope * slope);
    kerb_sim_ground ground = {.normal = {-slope / length, 0.0f, 1.0f / length}, .grip = 1.0f};
    kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
    return kerb_sim_bullet_make(model, &empty, &ground, origin, 0.0f, NULL);
}

static void its_brakes_hold_it_on_a_slope(void** state) {
    (void)state;
    for (int i = 0; i < WHEELED; i++) {
        for (float slope = -0.3f; slope < 0.4f; slope += 0.6f) {
            kerb_sim_model model = model_of(wheeled[i]);
            kerb_sim_bullet* bullet = make_on_slope(&model, slope);
            kerb_controls stand = in_gear(1);
            stand.brake = 1.0f;
            drive_on_slope(bullet, &stand, slope, 1.0f);
            float from = position_of(bullet).x;
            drive_on_slope(bullet, &stand, slope, 20.0f);
            assert_float_equal(position_of(bullet).x, from, 0.01);
            kerb_sim_bullet_destroy(bullet);
        }
    }
}

static void without_brakes_it_rolls_down_a_slope(void** state) {
    (void)state;
    kerb_sim_model model = model_of("pickup");
    kerb_sim_bullet* bullet = make_on_slope(&model, 0.1f);
    kerb_controls neutral = in_gear(0);
    drive_on_slope(bullet, &neutral, 0.1f, 4.0f);
    float pull = KERB_GRAVITY * (0.1f - model.car.rolling_resistance) / sqrtf(1.01f);
    expect_within((double)speed_of(bullet), (double)(-4.0f * pull), 0.05, "speed");
    kerb_sim_bullet_destroy(bullet);
}

// Level to x = 20, then rising by 0.2 per metre up to x = 60, where the terrain ends.
#define RAMP_POINTS 36
static float ramp_heights[RAMP_POINTS * 16];

static kerb_sim_world ramp_world(void) {
    kerb_sim_world world = {0};
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < RAMP_POINTS; x++)
            ramp_heights[y * RAMP_POINTS + x] =
                0.2f * kerb_max(-10.0f + 2.0f * (float)x - 20.0f, 0.0f);
    }
    kerb_sim_terrain terrain = {-10.0f, -15.0f, 2.0f, RAMP_POINTS, 16, ramp_heights};
    world.terrain = terrain;
    return world;
}

static void it_stands_on_the_terrain_where_the_terrain_is(void** state) {
    (void)state;
    kerb_sim_model model = model_of("pickup");
    kerb_sim_world world = ramp_world();
    // On the level, on the ramp, and beyond the edge, where the height is that of the edge.
    static const float places[3] = {5.0f, 40.0f, 80.0f};
    static const float heights[3] = {0.0f, 4.0f, 8.0f};
    for (int i = 0; i < 3; i++) {
        kerb_sim_bullet* bullet = make_at(&model, &world, places[i], 1.0f);
        kerb_controls stand = in_gear(1);
        stand.brake = 1.0f;
        drive(bullet, &stand, 3.0f);
        kerb_motion motion = kerb_sim_bullet_motion(bullet);
        assert_float_equal(motion.position.x, places[i], 0.1);
        assert_float_equal(motion.position.z, heights[i], 0.05);
        float rise = i == 1 ? 0.2f / sqrtf(1.04f) : 0.0f;
        assert_float_equal(kerb_quat_forward(motion.rotation).z, rise, 0.02);
        kerb_sim_bullet_destroy(bullet);
    }
}

static void it_climbs_the_terrain(void** state) {
    (void)state;
    kerb_sim_model model = model_of("pickup");
    kerb_sim_world world = ramp_world();
    kerb_sim_bullet* bullet = make_at(&model, &world, 0.0f, 0.0f);
    cruise(bullet, 6.0f, 0.0f, 10.0f);
    kerb_vec3 position = position_of(bullet);
    assert_true(position.x > 30.0f && position.x < 60.0f);
    assert_float_equal(position.z, 0.2f * (position.x - 20.0f), 0.1);
    kerb_sim_bullet_destroy(bullet);
}

// On ice every wheel is at its limit, so that all the weight brakes.
static void on_a_slippery_zone_it_brakes_with_the_grip_of_that(void** state) {
    (void)state;
    kerb_sim_model model = model_of("pickup");
    kerb_sim_zone ice = {.radius = 400.0f, .grip = 0.25f};
    kerb_sim_world frozen = {.zones = &ice, .zone_count = 1};
    kerb_sim_bullet* bullet = make_at(&model, &frozen, 0.0f, 0.0f);
    accelerate(&model, bullet, 10.0f, 60.0f);
    kerb_controls stop = in_gear(1);
    stop.brake = 1.0f;
    float speed = speed_of(bullet), from = position_of(bullet).x;
    drive(bullet, &stop, 15.0f);
    float expected = speed * speed / (2.0f * 0.25f * model.car.grip_along * KERB_GRAVITY);
    expect_within((double)(position_of(bullet).x - from), (double)expected, 0.05, "distance");
    kerb_sim_bullet_destroy(bullet);
}

// --------------------------------------------------------------------------- solids

static void solids_stop_it(void** state) {
    (void)state;
    static const kerb_sim_obstacle solids[] = {
        {KERB_SIM_WALL, {25.0f, -10.0f}, {25.0f, 10.0f}, 0.3f},
        {KERB_SIM_POST, {25.0f, 0.0f}, {0.0f, 0.0f}, 0.3f},
        {KERB_SIM_BOX, {25.0f, 0.0f}, {30.0f, 0.0f}, 4.0f},
    };
    for (int i = 0; i < 3; i++) {
        kerb_sim_model model = model_of("pickup");
        kerb_sim_world world = {.obstacles = &solids[i], .obstacle_count = 1};
        kerb_sim_bullet* bullet = make_at(&model, &world, 0.0f, 0.0f);
        kerb_controls go = in_gear(1);
        go.throttle = 0.5f;
        drive(bullet, &go, 1.0f);
        assert_false(kerb_sim_bullet_touching(bullet));
        drive(bullet, &go, 9.0f);
        assert_true(kerb_sim_bullet_touching(bullet));
        float nearest = solids[i].kind == KERB_SIM_BOX ? 25.0f : 25.0f - 0.15f;
        assert_float_equal(position_of(bullet).x + model.vehicle.reference_to_front, nearest, 0.1);
        assert_float_equal(speed_of(bullet), 0.0f, 0.1);
        go = in_gear(-1);
        go.throttle = 0.5f;
        drive(bullet, &go, 2.0f);
        assert_false(kerb_sim_bullet_touching(bullet));
        kerb_sim_bullet_destroy(bullet);
    }
}

// --------------------------------------------------------------------------- promises

static void drive_wildly(kerb_motion* motions, int count) {
    static const kerb_sim_obstacle wall = {KERB_SIM_WALL, {-50.0f, 20.0f}, {60.0f, 24.0f}, 0.3f};
    kerb_sim_world world = ramp_world();
    world.obstacles = &wall;
    world.obstacle_count = 1;
    kerb_sim_model model = model_of("pickup");
    kerb_sim_bullet* bullet = make_at(&model, &world, 0.0f, 0.0f);
    kerb_random random = kerb_random_make(1, 2);
    kerb_controls controls = in_gear(1);
    for (int i = 0; i < count; i++) {
        if (i % 30 == 0) {
            controls.throttle = kerb_random_unit(&random);
            controls.steering = kerb_random_between(&random, -1.0f, 1.0f);
            controls.brake = kerb_random_below(&random, 4) == 0 ? 1.0f : 0.0f;
        }
        kerb_sim_bullet_step(bullet, &controls, STEP);
        motions[i] = kerb_sim_bullet_motion(bullet);
    }
    kerb_sim_bullet_destroy(bullet);
}

static void the_same_run_twice_gives_the_same_bits(void** state) {
    (void)state;
    static kerb_motion once[1200], again[1200];
    drive_wildly(once, 1200);
    drive_wildly(again, 1200);
    assert_memory_equal(once, again, sizeof once);
}

static void a_long_step_is_several_short_ones(void** state) {
    (void)state;
    kerb_sim_model model = model_of("buggy");
    kerb_sim_bullet* whole = make(&model);
    kerb_sim_bullet* parts = make(&model);
    kerb_controls controls = in_gear(1);
    controls.throttle = 0.7f;
    controls.steering = 0.2f;
    for (int i = 0; i < 60; i++) {
        kerb_sim_bullet_step(whole, &controls, 1.0f / 30.0f);
        for (int k = 0; k < 8; k++)
            kerb_sim_bullet_step(parts, &controls, 1.0f / 240.0f);
    }
    kerb_motion a = kerb_sim_bullet_motion(whole), b = kerb_sim_bullet_motion(parts);
    assert_memory_equal(&a, &b, sizeof a);
    kerb_sim_bullet_destroy(whole);
    kerb_sim_bullet_destroy(parts);
}

static void controls_that_are_no_numbers_do_no_harm(void** state) {
    (void)state;
    kerb_sim_model model = model_of("scout");
    kerb_sim_bullet* bullet = make(&model);
    kerb_controls bad = in_gear(99);
    bad.throttle = bad.brake = bad.steering = bad.clutch = NAN;
    drive(bullet, &bad, 1.0f);
    kerb_motion motion = kerb_sim_bullet_motion(bullet);
    assert_true(kerb_motion_is_finite(&motion));
    accelerate(&model, bullet, 5.0f, 5.0f);
    assert_true(speed_of(bullet) >= 5.0f);
    kerb_sim_bullet_destroy(bullet);
    kerb_sim_bullet_destroy(NULL);
}

static void what_has_no_wheels_is_refused(void** state) {
    (void)state;
    static const char* const others[] = {"tank", "hovercraft"};
    for (int i = 0; i < 2; i++) {
        kerb_sim_model model = model_of(others[i]);
        kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
        kerb_error error = {0};
        assert_null(kerb_sim_bullet_make(&model, &empty, NULL, origin, 0.0f, &error));
        assert_int_equal(error.result, KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, "kind");
        assert_non_null(strstr(error.message, "wheels"));
        assert_null(kerb_sim_bullet_make(&model, &empty, NULL, origin, 0.0f, NULL));
    }
}

// --------------------------------------------------------------------------- a driver in it

// Drives a built-in course with a vehicle that the driver has measured beforehand.
static kerb_scene_result drive_course(const char* name, const char* vehicle, float speed) {
    kerb_host host = kerb_host_default();
    kerb_calibration_settings place = kerb_calibration_settings_default();
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    kerb_sim_model model = model_of(vehicle);
    kerb_calibrator calibrator;
    kerb_scene_course course;
    kerb_scene_result result;
    assert_int_equal(
        kerb_scene_calibrate(&model, &kerb_sim_bullet_physics, 60.0f, &place, &calibrator, NULL),
        KERB_OK);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
    assert_int_equal(kerb_scene_course_make(name, &host, &course, NULL), KERB_OK);
    settings.speed = speed;
    kerb_scene_trial trial = kerb_scene_trial_default(&course, &calibrator.measured, &settings);
    trial.model = &model;
    trial.physics = &kerb_sim_bullet_physics;
    assert_int_equal(kerb_scene_trial_run(&trial, &host, &result, NULL), KERB_OK);
    kerb_scene_course_free(&course, &host);
    return result;
}

static void measured_the_pickup_keeps_to_a_figure_eight(void** state) {
    (void)state;
    kerb_scene_result result = drive_course("figure-eight", "pickup", 12.0f);
    assert_true(result.finished);
    assert_int_equal(result.stuck_events, 0);
    if (!(result.cte_mean <= 0.15))
        fail_msg("mean error %.3f m", result.cte_mean);
}

static void measured_the_pickup_takes_right_angled_corners(void** state) {
    (void)state;
    kerb_scene_result result = drive_course("city-corners", "pickup", 12.0f);
    assert_true(result.finished);
    assert_int_equal(result.stuck_events, 0);
    assert_int_equal(result.contacts, 0);
    if (!(result.cte_mean <= 0.5))
        fail_msg("mean error %.3f m", result.cte_mean);
}

static void trials_in_it_refuse_what_has_no_wheels(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    kerb_sim_model tank = model_of("tank");
    kerb_error error = {0};
    kerb_scene_course course;
    kerb_scene_result result;
    assert_int_equal(kerb_scene_course_make("hairpins", &host, &course, NULL), KERB_OK);
    kerb_scene_trial trial = kerb_scene_trial_default(&course, &tank.vehicle, &settings);
    trial.model = &tank;
    trial.physics = &kerb_sim_bullet_physics;
    assert_int_equal(kerb_scene_trial_run(&trial, &host, &result, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_non_null(strstr(error.message, "wheels"));
    kerb_scene_course_free(&course, &host);
}

int sim_bullet_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_it_stays_where_it_is),
        cmocka_unit_test(without_steering_it_drives_straight_on),
        cmocka_unit_test(top_speed_is_where_drive_and_resistance_balance),
        cmocka_unit_test(it_brakes_as_hard_as_brakes_and_grip_allow),
        cmocka_unit_test(it_drives_backwards_up_to_its_governor),
        cmocka_unit_test(slowly_it_turns_on_the_circle_of_its_wheel_angle),
        cmocka_unit_test(in_a_bend_its_tyres_give_what_grip_they_have),
        cmocka_unit_test(the_wheels_turn_no_faster_than_the_model_allows),
        cmocka_unit_test(its_brakes_hold_it_on_a_slope),
        cmocka_unit_test(without_brakes_it_rolls_down_a_slope),
        cmocka_unit_test(it_stands_on_the_terrain_where_the_terrain_is),
        cmocka_unit_test(it_climbs_the_terrain),
        cmocka_unit_test(on_a_slippery_zone_it_brakes_with_the_grip_of_that),
        cmocka_unit_test(solids_stop_it),
        cmocka_unit_test(the_same_run_twice_gives_the_same_bits),
        cmocka_unit_test(a_long_step_is_several_short_ones),
        cmocka_unit_test(controls_that_are_no_numbers_do_no_harm),
        cmocka_unit_test(what_has_no_wheels_is_refused),
        cmocka_unit_test(measured_the_pickup_keeps_to_a_figure_eight),
        cmocka_unit_test(measured_the_pickup_takes_right_angled_corners),
        cmocka_unit_test(trials_in_it_refuse_what_has_no_wheels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void the_vehicles_in_bullet_are_tested(void** state) {
    (void)state;
    print_message("built without Bullet (libbullet-dev, g++): its vehicles are not tested\n");
    skip();
}

int sim_bullet_tests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_vehicles_in_bullet_are_tested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
