// A player takes the wheel of a vehicle and gives it back: neither wheels nor pedals jump, the
// driver goes on from wherever the vehicle then is, and what a player does is never "stuck".
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "sim/car.h"
#include "test/seed.h"

#include <stdio.h>

#define STEP (1.0f / 60.0f)
enum { POINTS = 96 };

typedef enum driver_kind { FOLLOWER, RACER, STEERING_DRIVER, LANE_KEEPER, DRIVERS } driver_kind;

typedef struct ride {
    driver_kind kind;
    kerb_path path;
    kerb_racing_line line;
    kerb_follower follower;
    kerb_racer racer;
    kerb_steering_driver steering;
    kerb_lane_keeper keeper;
    kerb_sim_car car;
    kerb_surroundings around;
    kerb_controls returned, acted;
} ride;

static void make_path(kerb_path* path, float radius) {
    kerb_waypoint waypoints[POINTS];
    for (int32_t i = 0; i < POINTS; i++) {
        float angle = 2.0f * KERB_PI * (float)i / POINTS;
        float r = radius * (1.0f + 0.2f * kerb_sin(3.0f * angle));
        waypoints[i] = kerb_waypoint_at(r * kerb_cos(angle), r * kerb_sin(angle), 0.0f);
        waypoints[i].left = waypoints[i].right = 6.0f;
    }
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_path_create(path, waypoints, POINTS, true, &host, NULL), KERB_OK);
}

static void make_line(kerb_racing_line* line, const kerb_path* path, const kerb_vehicle* vehicle) {
    kerb_host host = kerb_host_default();
    kerb_performance performance = kerb_performance_of(vehicle);
    kerb_line_settings settings = kerb_line_settings_default();
    kerb_line_solver solver;
    assert_int_equal(kerb_line_solver_create(&solver, path, &performance, &settings, &host, NULL),
                     KERB_OK);
    kerb_line_solver_advance(&solver, INT32_MAX);
    assert_int_equal(kerb_racing_line_create(line, &solver, 2.0f, &host, NULL), KERB_OK);
    kerb_line_solver_destroy(&solver);
}

static void ride_begin(ride* r, driver_kind kind) {
    *r = (ride){.kind = kind, .around = kerb_surroundings_default()};
    kerb_vehicle told = kerb_vehicle_default();
    kerb_sim_car_model model = kerb_sim_car_model_for(&told);
    kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
    make_path(&r->path, kind == RACER ? 180.0f : 90.0f);
    make_line(&r->line, &r->path, &vehicle);
    r->follower = kerb_follower_make(&vehicle);
    r->racer = kerb_racer_make(&vehicle);
    r->steering = kerb_steering_driver_make(&vehicle);
    r->keeper = kerb_lane_keeper_make(&vehicle);
    r->car = kerb_sim_car_make(&model, r->path.points[0].position, r->path.points[0].heading);
    if (kind == LANE_KEEPER) // along x, in the right half of the road
        r->car = kerb_sim_car_make(&model, kerb_vec3_make(0.0f, -2.0f, 0.0f), 0.0f);
}

static void ride_end(ride* r) {
    kerb_path_destroy(&r->path);
    kerb_racing_line_destroy(&r->line);
}

#define WALL 4.0f // distance of the walls of the lane keeper's straight road from its middle [m]

static kerb_controls ask_keeper(ride* r, const kerb_motion* motion) {
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count = kerb_lane_keeper_rays(&r->keeper, motion, rays);
    for (int32_t i = 0; i < count; i++) {
        float side = rays[i].direction.y > 0.0f ? 1.0f : -1.0f;
        float way = (side * WALL - rays[i].origin.y) /
                    (side * kerb_max(kerb_abs(rays[i].direction.y), 1.0e-6f));
        hits[i] = (kerb_lane_hit){.kind = KERB_LANE_HIT_NOTHING};
        if (way >= 0.0f && way <= rays[i].length)
            hits[i] = (kerb_lane_hit){
                .kind = KERB_LANE_HIT_WALL, .distance = way, .normal = {0.0f, -side, 0.0f}};
    }
    return kerb_lane_keeper_drive(&r->keeper, rays, hits, count, motion, &r->around, STEP);
}

// What the driver returns; the car does not move yet.
static void ask(ride* r) {
    kerb_motion motion = kerb_sim_car_motion(&r->car);
    if (r->kind == FOLLOWER) {
        r->returned = kerb_follower_drive(&r->follower, &r->path, &motion, &r->around, STEP);
    } else if (r->kind == RACER) {
        r->returned = kerb_racer_drive(&r->racer, &r->line, &motion, &r->around, STEP);
    } else if (r->kind == LANE_KEEPER) {
        r->returned = ask_keeper(r, &motion);
    } else {
        kerb_path_location at = kerb_path_nearest(&r->path, motion.position);
        kerb_path_location ahead = kerb_path_advance(&r->path, at, 12.0f);
        kerb_vec3 way = kerb_vec3_sub(kerb_path_position(&r->path, ahead), motion.position);
        kerb_steering desired = {.direction = kerb_vec3_unit(way, way), .speed = 12.0f};
        r->returned = kerb_steering_driver_drive(&r->steering, &desired, &motion, &r->around, STEP);
    }
}

static void act(ride* r, const kerb_controls* controls) {
    r->acted = *controls;
    for (int32_t i = 0; i < 4; i++) {
        kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
        kerb_sim_car_step(&r->car, controls, &ground, STEP / 4.0f);
    }
}

static void drive_by_itself(ride* r, float seconds) {
    for (float t = 0.0f; t < seconds; t += STEP) {
        ask(r);
        act(r, &r->returned);
    }
}

// A player who steers about as the driver would, but not quite, and has a foot of his own.
static void drive_by_player(ride* r, float seconds, float off, float pedal) {
    kerb_controls player = r->acted;
    for (float t = 0.0f; t < seconds; t += STEP) {
        r->around.player_drives = true;
        r->around.applied = &player;
        ask(r);
        player = r->returned;
        player.steering = kerb_clamp(r->returned.steering + off * kerb_sin(3.0f * t), -1.0f, 1.0f);
        player.throttle = kerb_max(pedal, 0.0f);
        player.brake = kerb_max(-pedal, 0.0f);
        player.clutch = 0.0f;
        act(r, &player);
    }
    r->around.player_drives = false;
}

static float pedal_of(const kerb_controls* controls) {
    return controls->throttle - controls->brake;
}

static float away(const ride* r) {
    if (r->kind == LANE_KEEPER)
        return kerb_abs(r->car.position.y + 2.0f);
    kerb_motion motion = kerb_sim_car_motion(&r->car);
    kerb_path_location at = kerb_path_nearest(&r->path, motion.position);
    return kerb_vec3_length(kerb_vec3_sub(kerb_path_position(&r->path, at), motion.position));
}

// The player's last controls acted since the last frame.
static void give_back(ride* r, float* wheels_jump, float* pedal_jump) {
    kerb_controls before = r->acted;
    for (int32_t i = 0; i < 12; i++) { // later what the driver wants counts most
        r->around.applied = i == 0 ? &before : NULL;
        kerb_controls last = r->acted;
        ask(r);
        *wheels_jump = kerb_max(*wheels_jump, kerb_abs(r->returned.steering - last.steering));
        *pedal_jump = kerb_max(*pedal_jump, kerb_abs(pedal_of(&r->returned) - pedal_of(&last)));
        act(r, &r->returned);
    }
}

static void no_control_jumps_when_a_player_gives_the_wheel_back(void** state) {
    (void)state;
    kerb_random random = test_random("hand over");
    for (int32_t i = 0; i < 60; i++) {
        ride r;
        ride_begin(&r, (driver_kind)(i % DRIVERS));
        drive_by_itself(&r, 4.0f + 8.0f * kerb_random_unit(&random));
        float off = kerb_random_between(&random, -0.3f, 0.3f);
        off *= r.kind == LANE_KEEPER ? 0.1f : 1.0f; // its road has walls
        drive_by_player(&r, kerb_random_between(&random, 0.5f, 2.5f), off,
                        kerb_random_between(&random, -0.4f, 0.7f));
        float wheels = 0.0f, pedal = 0.0f;
        give_back(&r, &wheels, &pedal);
        if (wheels > 0.1f || pedal > 0.2f)
            fail_msg("driver %d: the wheels jump by %.3f, the pedals by %.3f", r.kind,
                     (double)wheels, (double)pedal);
        drive_by_itself(&r, 12.0f);
        if (!(away(&r) < (r.kind == FOLLOWER ? 0.6f : 6.0f)))
            fail_msg("driver %d: %.2f m away 12 s later", r.kind, (double)away(&r));
        ride_end(&r);
    }
}

// Taken a little way by a player, it parks from there, and nothing jumps.
static void a_parker_parks_from_where_the_player_left_it(void** state) {
    (void)state;
    kerb_random random = test_random("hand over parker");
    for (int32_t i = 0; i < 10; i++) {
        kerb_vehicle told = kerb_vehicle_default();
        kerb_sim_car_model model = kerb_sim_car_model_for(&told);
        kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
        kerb_parker parker = kerb_parker_make(&vehicle);
        ride r = {.car = kerb_sim_car_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f)};
        kerb_pose goal = kerb_pose_make(25.0f, 8.0f, 0.5f);
        int32_t begins = 60 + (int32_t)kerb_random_below(&random, 120), takes = 60;
        float wheel = kerb_random_between(&random, -0.5f, 0.5f);
        for (int32_t k = 0; k < 60 * 60; k++) {
            kerb_motion motion = kerb_sim_car_motion(&r.car);
            const kerb_controls last = r.acted;
            r.around = kerb_surroundings_default();
            r.around.player_drives = k >= begins && k < begins + takes;
            r.around.applied = k > begins && k <= begins + takes ? &last : NULL;
            r.returned = kerb_parker_drive(&parker, goal, &motion, &r.around, STEP);
            if (k >= begins + takes && k < begins + takes + 12) {
                assert_true(kerb_abs(r.returned.steering - last.steering) < 0.1f);
                assert_true(kerb_abs(pedal_of(&r.returned) - pedal_of(&last)) < 0.2f);
            }
            kerb_controls player = {.throttle = 0.2f, .steering = wheel, .gear = 1};
            act(&r, r.around.player_drives ? &player : &r.returned);
        }
        assert_int_equal(r.returned.reason, KERB_REASON_ARRIVED);
    }
}

static void what_a_player_does_is_never_stuck(void** state) {
    (void)state;
    for (int32_t kind = 0; kind < DRIVERS; kind++) {
        ride r;
        ride_begin(&r, (driver_kind)kind);
        drive_by_itself(&r, 6.0f);
        for (float t = 0.0f; t < 10.0f; t += STEP) {
            kerb_controls player = {.brake = 1.0f, .gear = 1};
            r.around.player_drives = true;
            r.around.applied = &player;
            ask(&r);
            act(&r, &player);
        }
        for (float t = 0.0f; t < 60.0f; t += STEP) { // against a wall: the car does not move
            kerb_controls player = {.throttle = 1.0f, .gear = 1};
            r.around.player_drives = true;
            r.around.applied = &player;
            ask(&r);
            assert_true(r.returned.reason != KERB_REASON_BACKING_OUT &&
                        r.returned.reason != KERB_REASON_TELEPORT &&
                        r.returned.reason != KERB_REASON_GIVEN_UP);
        }
        r.around = kerb_surroundings_default();
        drive_by_itself(&r, 8.0f);
        assert_true(kerb_abs(r.car.forward) > 5.0f);
        ride_end(&r);
    }
}

// An assistant halves the throttle: the driver goes on driving, with the controls that acted.
static void assist(driver_kind kind) {
    ride r;
    ride_begin(&r, kind);
    kerb_controls assisted = {.gear = 1}, before = assisted;
    for (float t = 0.0f; t < 20.0f; t += STEP) {
        r.around.applied = &assisted;
        ask(&r);
        assisted = r.returned;
        assisted.throttle *= 0.5f;
        act(&r, &assisted);
        if (t > 10.0f) { // nothing flickers
            assert_true(kerb_abs(r.returned.throttle - before.throttle) < 0.1f);
            assert_true(kerb_abs(r.returned.steering - before.steering) < 0.1f);
        }
        before = r.returned;
    }
    assert_true(r.car.forward > 5.0f && away(&r) < 1.0f);
    ride_end(&r);
}

static void an_assistant_is_no_player(void** state) {
    (void)state;
    assist(FOLLOWER);
    assist(LANE_KEEPER);
}

// Full throttle backwards is not taken over as throttle forwards.
static void a_throttle_backwards_does_not_drive_forwards(void** state) {
    (void)state;
    ride r;
    ride_begin(&r, FOLLOWER);
    kerb_controls player = {.throttle = 1.0f, .gear = -1};
    for (float t = 0.0f; t < 5.0f; t += STEP) {
        r.around.player_drives = true;
        r.around.applied = &player;
        ask(&r);
        act(&r, &player);
    }
    assert_true(r.car.forward < -4.0f);
    r.around.player_drives = false;
    for (int32_t i = 0; i < 60; i++) {
        r.around.applied = i == 0 ? &player : NULL;
        ask(&r);
        if (r.returned.gear > 0 && r.car.forward < -1.0f)
            assert_true(r.returned.throttle == 0.0f);
        act(&r, &r.returned);
    }
    ride_end(&r);
}

// The frame in which it gets the wheel back cannot be used: it begins anew in the next one.
static void a_bad_frame_loses_no_hand_over(void** state) {
    (void)state;
    ride r, same;
    ride_begin(&r, FOLLOWER);
    drive_by_itself(&r, 6.0f);
    drive_by_player(&r, 1.0f, 0.3f, 0.5f);
    same = r;
    kerb_motion motion = kerb_sim_car_motion(&r.car);
    motion.velocity.x = NAN;
    r.around.applied = NULL;
    kerb_controls bad = kerb_follower_drive(&r.follower, &r.path, &motion, &r.around, STEP);
    assert_int_equal(bad.reason, KERB_REASON_BAD_MOTION);
    ask(&r);
    same.around.applied = NULL;
    ask(&same);
    assert_float_equal(r.returned.steering, same.returned.steering, 0.02f);
    assert_float_equal(pedal_of(&r.returned), pedal_of(&same.returned), 0.02f);
    ride_end(&r);
}

static void blended_controls_lie_between(void** state) {
    (void)state;
    kerb_random random = test_random("blend");
    for (int32_t i = 0; i < 10000; i++) {
        float n[7];
        for (int32_t k = 0; k < 7; k++)
            n[k] = kerb_random_unit(&random);
        kerb_controls from = {.throttle = n[0], .brake = n[1], .steering = n[2], .gear = 1};
        kerb_controls to = {.throttle = n[3], .brake = n[4], .steering = n[5], .gear = 2};
        kerb_controls both = kerb_controls_blend(&from, &to, n[6]);
        float wanted = pedal_of(&from) + n[6] * (pedal_of(&to) - pedal_of(&from));
        assert_float_equal(pedal_of(&both), wanted, 1.0e-6f);
        assert_true(both.throttle == 0.0f || both.brake == 0.0f);
        assert_float_equal(both.steering, n[2] + n[6] * (n[5] - n[2]), 1.0e-6f);
        assert_int_equal(both.gear, 2);
    }
    // The throttle of the other direction would drive the wrong way.
    kerb_controls from = {.throttle = 1.0f, .gear = -1}, to = {.throttle = 0.5f, .gear = 1};
    assert_float_equal(kerb_controls_blend(&from, &to, 0.0f).throttle, 0.0f, 0.0f);
}

int hand_over_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_control_jumps_when_a_player_gives_the_wheel_back),
        cmocka_unit_test(a_parker_parks_from_where_the_player_left_it),
        cmocka_unit_test(what_a_player_does_is_never_stuck),
        cmocka_unit_test(an_assistant_is_no_player),
        cmocka_unit_test(a_throttle_backwards_does_not_drive_forwards),
        cmocka_unit_test(a_bad_frame_loses_no_hand_over),
        cmocka_unit_test(blended_controls_lie_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
