// Parking: vehicles of sim/ reach a pose exactly, from anywhere near it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kerb/seek.h"
#include "kerb/steer.h"
#include "sim/vehicle.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

#define DEGREES (180.0f / KERB_PI)

typedef struct arrival {
    bool arrived;
    float position_error, heading_error_deg;
    float time;
    float speed; // at the end
    int32_t plans;
} arrival;

static const kerb_sim_ground level = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

static void advance(kerb_sim_vehicle* vehicle, const kerb_controls* controls, float time_step) {
    int32_t steps = (int32_t)ceilf(time_step * 240.0f - 0.001f);
    for (int32_t i = 0; i < steps; i++)
        kerb_sim_vehicle_step(vehicle, controls, &level, time_step / (float)steps);
}

// Until it has stood there for half a second.
static arrival park(kerb_sim_vehicle* vehicle, kerb_parker* parker, kerb_pose goal, float hz) {
    arrival result = {0};
    float stood = 0.0f;
    kerb_motion motion = kerb_sim_vehicle_motion(vehicle);
    while (result.time < 150.0f && stood < 0.5f) {
        motion = kerb_sim_vehicle_motion(vehicle);
        kerb_controls controls = kerb_parker_drive(parker, goal, &motion, NULL, 1.0f / hz);
        advance(vehicle, &controls, 1.0f / hz);
        result.time += 1.0f / hz;
        stood = controls.reason == KERB_REASON_ARRIVED ? stood + 1.0f / hz : 0.0f;
    }
    motion = kerb_sim_vehicle_motion(vehicle);
    kerb_vec2 off = {motion.position.x - goal.position.x, motion.position.y - goal.position.y};
    float turned = kerb_wrap_angle(kerb_quat_heading(motion.rotation) - kerb_pose_heading(goal));
    result.arrived = stood >= 0.5f;
    result.position_error = kerb_vec2_length(off);
    result.heading_error_deg = fabsf(turned) * DEGREES;
    result.speed = fabsf(kerb_motion_forward_speed(&motion));
    result.plans = parker->plan_count;
    return result;
}

static arrival park_from_rest(const kerb_sim_model* model, float heading, kerb_pose goal,
                              float hz) {
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(model, kerb_vec3_make(0.0f, 0.0f, 0.0f), heading);
    kerb_parker parker = kerb_parker_make(&model->vehicle);
    return park(&vehicle, &parker, goal, hz);
}

static kerb_sim_model model_named(const char* name) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    return model;
}

static kerb_pose random_pose(kerb_random* random, float distance) {
    float away = kerb_random_between(random, 0.0f, distance);
    float at = kerb_random_between(random, -KERB_PI, KERB_PI);
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    return kerb_pose_make(away * kerb_cos(at), away * kerb_sin(at), heading);
}

static void expect_all_arrive(const char* name, float hz, int32_t count) {
    kerb_sim_model model = model_named(name);
    kerb_random random = test_random("parking");
    float worst_position = 0.0f, worst_heading = 0.0f, time = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
        kerb_pose goal = random_pose(&random, 30.0f);
        arrival a = park_from_rest(&model, heading, goal, hz);
        if (!a.arrived || a.position_error > 0.3f || a.heading_error_deg > 3.0f || a.speed > 0.02f)
            fail_msg("%s at %g Hz, pose %d: arrived %d, %g m and %g degrees off, %g m/s", name,
                     (double)hz, (int)i, (int)a.arrived, (double)a.position_error,
                     (double)a.heading_error_deg, (double)a.speed);
        worst_position = kerb_max(worst_position, a.position_error);
        worst_heading = kerb_max(worst_heading, a.heading_error_deg);
        time += a.time;
    }
    printf("%s, %g Hz: %d poses, at most %.3f m and %.2f degrees off, %.1f s each\n", name,
           (double)hz, (int)count, (double)worst_position, (double)worst_heading,
           (double)(time / (float)count));
}

static void the_pickup_parks_at_any_pose_at_any_frame_rate(void** state) {
    (void)state;
    static const float rates[] = {20.0f, 30.0f, 60.0f, 120.0f};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        expect_all_arrive("pickup", rates[i], 60);
}

static void the_tank_parks_at_any_pose_at_any_frame_rate(void** state) {
    (void)state;
    static const float rates[] = {20.0f, 30.0f, 60.0f, 120.0f};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        expect_all_arrive("tank", rates[i], 60);
}

static void all_reference_vehicles_park(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count(); i++)
        expect_all_arrive(kerb_sim_model_name(i), 60.0f, 25);
}

static void a_vehicle_that_is_there_stays(void** state) {
    (void)state;
    kerb_sim_model model = model_named("pickup");
    arrival a = park_from_rest(&model, 0.4f, kerb_pose_make(0.0f, 0.0f, 0.4f), 60.0f);
    assert_true(a.arrived);
    assert_int_equal(a.plans, 0);
    assert_true(a.position_error < 0.001f);
}

static void a_straight_way_is_driven_in_the_time_of_its_speeds(void** state) {
    (void)state;
    kerb_sim_model model = model_named("pickup");
    kerb_parker_settings s = kerb_parker_settings_default();
    arrival a = park_from_rest(&model, 0.0f, kerb_pose_make(30.0f, 0.0f, 0.0f), 60.0f);
    // Gains speed, drives, brakes; and half a second of standing.
    float ramps = s.speed / s.acceleration + s.speed / s.deceleration;
    float held = 30.0f / s.speed - 0.5f * ramps;
    assert_int_equal(a.plans, 1);
    assert_true(a.position_error < 0.1f);
    assert_true(fabsf(a.time - (ramps + held + 0.5f)) < 2.5f);
}

static void a_place_behind_is_reached_in_reverse(void** state) {
    (void)state;
    kerb_sim_model model = model_named("pickup");
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    kerb_parker parker = kerb_parker_make(&model.vehicle);
    kerb_pose goal = kerb_pose_make(-8.0f, 0.0f, 0.0f);
    arrival a = park(&vehicle, &parker, goal, 60.0f);
    assert_true(a.arrived);
    assert_int_equal(parker.path.count, 1);
    assert_true(parker.path.length[0] < 0.0f);
}

static void a_moving_car_stops_first_and_then_parks(void** state) {
    (void)state;
    kerb_sim_model model = model_named("pickup");
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    kerb_controls throttle = {.throttle = 1.0f, .gear = 1};
    for (int32_t i = 0; i < 120; i++)
        advance(&vehicle, &throttle, 1.0f / 60.0f);
    kerb_parker parker = kerb_parker_make(&model.vehicle);
    arrival a = park(&vehicle, &parker, kerb_pose_make(5.0f, 12.0f, 2.0f), 60.0f);
    assert_true(a.arrived);
    assert_true(a.position_error < 0.3f && a.heading_error_deg < 3.0f);
}

static void one_that_is_pushed_away_comes_back(void** state) {
    (void)state;
    kerb_sim_model model = model_named("pickup");
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    kerb_parker parker = kerb_parker_make(&model.vehicle);
    kerb_pose goal = kerb_pose_make(10.0f, 3.0f, 0.0f);
    assert_true(park(&vehicle, &parker, goal, 60.0f).arrived);
    kerb_sim_body body = kerb_sim_vehicle_body(&vehicle);
    body.position.y += 2.0f;
    kerb_sim_vehicle_set_body(&vehicle, &body);
    kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
    kerb_controls controls = kerb_parker_drive(&parker, goal, &motion, NULL, 1.0f / 60.0f);
    assert_int_not_equal(controls.reason, KERB_REASON_ARRIVED);
    arrival a = park(&vehicle, &parker, goal, 60.0f);
    assert_true(a.arrived);
    assert_true(a.position_error < 0.3f && a.heading_error_deg < 3.0f);
}

static void a_new_goal_is_planned_for(void** state) {
    (void)state;
    kerb_sim_model model = model_named("tank");
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    kerb_parker parker = kerb_parker_make(&model.vehicle);
    assert_true(park(&vehicle, &parker, kerb_pose_make(10.0f, 3.0f, 0.0f), 60.0f).arrived);
    arrival a = park(&vehicle, &parker, kerb_pose_make(0.0f, 3.0f, -2.0f), 60.0f);
    assert_true(a.arrived);
    assert_true(a.position_error < 0.3f && a.heading_error_deg < 3.0f);
}

static void a_speed_cap_holds_it(void** state) {
    (void)state;
    kerb_sim_model model = model_named("pickup");
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    kerb_parker parker = kerb_parker_make(&model.vehicle);
    kerb_surroundings around = kerb_surroundings_default();
    around.speed_cap = 0.0f;
    kerb_pose goal = kerb_pose_make(20.0f, 0.0f, 0.0f);
    for (int32_t i = 0; i < 300; i++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        kerb_controls controls = kerb_parker_drive(&parker, goal, &motion, &around, 1.0f / 60.0f);
        advance(&vehicle, &controls, 1.0f / 60.0f);
    }
    assert_true(fabsf(kerb_sim_vehicle_motion(&vehicle).position.x) < 0.01f);
    around.speed_cap = 1.0f;
    for (int32_t i = 0; i < 600; i++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        kerb_controls controls = kerb_parker_drive(&parker, goal, &motion, &around, 1.0f / 60.0f);
        advance(&vehicle, &controls, 1.0f / 60.0f);
        assert_true(kerb_motion_forward_speed(&motion) < 1.2f);
    }
    assert_true(kerb_sim_vehicle_motion(&vehicle).position.x > 5.0f);
}

static void numbers_that_are_none_give_safe_controls_and_are_counted(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_parker parker = kerb_parker_make(&vehicle);
    kerb_pose goal = kerb_pose_make(20.0f, 0.0f, 0.0f);
    kerb_motion motion = kerb_motion_default();
    kerb_controls first = kerb_parker_drive(&parker, goal, &motion, NULL, 0.02f);
    kerb_controls again = kerb_parker_drive(&parker, goal, &motion, NULL, NAN);
    assert_int_equal(again.reason, KERB_REASON_BAD_STEP);
    again.reason = first.reason;
    assert_memory_equal(&first, &again, sizeof first);
    motion.velocity.x = INFINITY;
    assert_int_equal(kerb_parker_drive(&parker, goal, &motion, NULL, 0.02f).reason,
                     KERB_REASON_BAD_MOTION);
    motion = kerb_motion_default();
    goal.forward.x = NAN;
    assert_true(kerb_parker_drive(&parker, goal, &motion, NULL, 0.02f).brake == 1.0f);
    assert_int_equal(parker.bad_frames, 3);
    goal.forward = kerb_vec2_make(0.0f, 0.0f);
    assert_int_equal(kerb_parker_drive(&parker, goal, &motion, NULL, 0.02f).reason,
                     KERB_REASON_BAD_MOTION);
    goal = kerb_pose_make(1e30f, 0.0f, 0.0f);
    kerb_controls far = kerb_parker_drive(&parker, goal, &motion, NULL, 0.02f);
    assert_true(kerb_is_finite(far.steering) && kerb_is_finite(far.throttle));
}

static void a_direction_of_any_length_is_the_same_goal(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_parker one = kerb_parker_make(&vehicle), other = one;
    kerb_pose goal = kerb_pose_make(20.0f, 8.0f, 1.0f), longer = goal;
    longer.forward = kerb_vec2_make(1e4f * goal.forward.x, 1e4f * goal.forward.y);
    kerb_motion motion = kerb_motion_default();
    kerb_parker_drive(&one, goal, &motion, NULL, 0.02f);
    kerb_parker_drive(&other, longer, &motion, NULL, 0.02f);
    assert_true(one.path.count > 0);
    assert_float_equal(kerb_curve_length(&one.path), kerb_curve_length(&other.path), 1e-3);
}

// A kinematic car that creeps at idle: its gear pushes it towards its creep speed also against the
// brakes, and below 0.3 m/s, where only the handbrake holds, the brakes do nothing.
typedef struct creeper {
    kerb_vehicle vehicle;
    float creep_speed; // true [m/s]
    bool handbrake_holds;
    float x, y, heading, speed, wheels; // of the rear axle
} creeper;

static kerb_motion creeper_motion(const creeper* c) {
    kerb_motion m = kerb_motion_default();
    float sine, cosine, back = c->vehicle.reference_to_rear_axle;
    kerb_sin_cos(c->heading, &sine, &cosine);
    m.position = kerb_vec3_make(c->x + back * cosine, c->y + back * sine, 0.0f);
    m.rotation = kerb_quat_from_heading(c->heading);
    m.angular_velocity.z = c->speed * kerb_tan(c->wheels) / c->vehicle.wheelbase;
    float aside = back * m.angular_velocity.z;
    m.velocity =
        kerb_vec3_make(c->speed * cosine - aside * sine, c->speed * sine + aside * cosine, 0.0f);
    m.steering = c->wheels / c->vehicle.steering_angle_max;
    return m;
}

static void creeper_step(creeper* c, const kerb_controls* u, float step) {
    const kerb_vehicle* v = &c->vehicle;
    float way = (float)u->gear, lacks = c->creep_speed - way * c->speed;
    c->speed += way * (4.0f * u->throttle + kerb_clamp(lacks, 0.0f, 0.8f)) * step;
    float pedal = c->handbrake_holds && fabsf(c->speed) < 0.3f ? 0.0f : u->brake;
    float lost = (v->braking_max * fmaxf(pedal, u->handbrake ? 1.0f : 0.0f) + 0.15f) * step;
    lost = fminf(lost, fabsf(c->speed));
    c->speed -= c->speed < 0.0f ? -lost : lost;
    float turn = u->steering * v->steering_angle_max - c->wheels;
    c->wheels += kerb_clamp(turn, -v->steering_rate_max * step, v->steering_rate_max * step);
    float sine, cosine;
    kerb_sin_cos(c->heading, &sine, &cosine);
    c->x += c->speed * cosine * step;
    c->y += c->speed * sine * step;
    c->heading += c->speed * kerb_tan(c->wheels) / v->wheelbase * step;
}

static void a_car_that_creeps_parks_told_or_not(void** state) {
    (void)state;
    const float step = 1.0f / 60.0f, goals[][3] = {{20, 3, 0}, {-9, 1, 0.3f}, {2, 4, 1.2f}};
    for (int i = 0; i < 12; i++) {
        creeper c = {.vehicle = kerb_vehicle_default(), .creep_speed = i % 2 == 0 ? 0.8f : 1.8f};
        c.handbrake_holds = i % 4 >= 2;
        if (i < 6)
            c.vehicle.creep_speed = c.creep_speed;
        kerb_parker parker = kerb_parker_make(&c.vehicle);
        const float* to = goals[i % 3];
        kerb_pose goal = kerb_pose_make(to[0], to[1], to[2]);
        float time = 0.0f, stood = 0.0f;
        kerb_motion m = creeper_motion(&c);
        while (time < 150.0f && stood < 1.0f) {
            kerb_controls u = kerb_parker_drive(&parker, goal, &m, NULL, step);
            creeper_step(&c, &u, step);
            m = creeper_motion(&c);
            time += step;
            stood = u.reason == KERB_REASON_ARRIVED && c.speed == 0.0f ? stood + step : 0.0f;
        }
        float off = hypotf(m.position.x - to[0], m.position.y - to[1]);
        printf("creep %.1f m/s%s%s: %.1f s, %d plans, %.2f m off\n", (double)c.creep_speed,
               c.handbrake_holds ? ", handbrake" : "", i < 6 ? ", told" : "", (double)time,
               (int)parker.plan_count, (double)off);
        assert_true(stood >= 1.0f && off < 0.3f);
    }
}

static void default_settings_are_valid(void** state) {
    (void)state;
    kerb_parker_settings settings = kerb_parker_settings_default();
    assert_int_equal(kerb_settings_validate(&kerb_parker_settings_table, &settings, NULL), KERB_OK);
}

int parker_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pickup_parks_at_any_pose_at_any_frame_rate),
        cmocka_unit_test(the_tank_parks_at_any_pose_at_any_frame_rate),
        cmocka_unit_test(all_reference_vehicles_park),
        cmocka_unit_test(a_vehicle_that_is_there_stays),
        cmocka_unit_test(a_straight_way_is_driven_in_the_time_of_its_speeds),
        cmocka_unit_test(a_place_behind_is_reached_in_reverse),
        cmocka_unit_test(a_moving_car_stops_first_and_then_parks),
        cmocka_unit_test(one_that_is_pushed_away_comes_back),
        cmocka_unit_test(a_new_goal_is_planned_for),
        cmocka_unit_test(a_speed_cap_holds_it),
        cmocka_unit_test(numbers_that_are_none_give_safe_controls_and_are_counted),
        cmocka_unit_test(a_direction_of_any_length_is_the_same_goal),
        cmocka_unit_test(a_car_that_creeps_parks_told_or_not),
        cmocka_unit_test(default_settings_are_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
