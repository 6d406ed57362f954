// What hosts do that a manual forbids or forgets: impossible motion, long and bad time steps, a
// vehicle put elsewhere, an origin that moves, a path that is replaced by one that passes here
// twice. The follower answers safely, and drives on as before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/follower_rig.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

// A round course, `corners` waypoints, of a random radius about a random place.
static rig round_course(kerb_random* random, float* radius) {
    enum { CORNERS = 64 };
    kerb_waypoint waypoints[CORNERS];
    *radius = kerb_random_between(random, 25.0f, 80.0f);
    float x = kerb_random_between(random, -200.0f, 200.0f);
    float y = kerb_random_between(random, -200.0f, 200.0f);
    for (int32_t i = 0; i < CORNERS; i++) {
        float angle = 2.0f * KERB_PI * (float)i / CORNERS;
        waypoints[i] =
            kerb_waypoint_at(x + *radius * kerb_cos(angle), y + *radius * kerb_sin(angle), 0.0f);
    }
    rig r = rig_make(waypoints, CORNERS, true);
    r.follower.settings.speed = kerb_random_between(random, 4.0f, 12.0f);
    return r;
}

static bool are_controls_sound(const kerb_controls* c) {
    return c->throttle >= 0.0f && c->throttle <= 1.0f && c->brake >= 0.0f && c->brake <= 1.0f &&
           c->steering >= -1.0f && c->steering <= 1.0f && c->clutch >= 0.0f && c->clutch <= 1.0f &&
           c->gear >= -1 && c->gear <= KERB_GEARS_MAX;
}

// A motion that no vehicle can have, in one of its numbers.
static kerb_motion impossible(kerb_random* random, kerb_motion motion) {
    const float values[] = {NAN, INFINITY, -INFINITY, 1.0e6f, 1e12f, -1.0e30f, 3.0e38f, -1.0e7f};
    float value = values[kerb_random_below(random, 8)];
    float* const numbers[] = {&motion.position.x, &motion.position.z,         &motion.velocity.x,
                              &motion.velocity.y, &motion.angular_velocity.z, &motion.rotation.w,
                              &motion.rotation.z};
    float* number = numbers[kerb_random_below(random, 7)];
    *number = value;
    if (kerb_abs(value) <= KERB_POSITION_MAX && number <= &motion.position.z)
        *number = 2.0f * KERB_POSITION_MAX;
    return motion;
}

static void after_impossible_frames_it_drives_as_before(void** state) {
    (void)state;
    kerb_random random = test_random("impossible frames");
    for (int32_t n = 0; n < 60; n++) {
        float radius;
        rig r = round_course(&random, &radius);
        for (int32_t i = 0; i < 600; i++)
            rig_step(&r);
        int32_t frames = 1 + kerb_random_below(&random, 3);
        for (int32_t i = 0; i < frames; i++) {
            kerb_motion bad = impossible(&random, r.motion);
            assert_int_not_equal(kerb_motion_validate(&bad, 1000.0f, NULL), KERB_OK);
            r.controls = kerb_follower_drive(&r.follower, &r.path, &bad, &r.around, 1.0f / r.hz);
            assert_int_equal(r.controls.reason, KERB_REASON_BAD_MOTION);
            assert_true(r.controls.brake == 1.0f && r.controls.throttle == 0.0f);
            assert_int_equal(r.follower.bad_frames, i + 1);
            rig_simulate(&r);
        }
        for (int32_t i = 0; i < 120; i++)
            rig_step(&r);
        assert_true(are_controls_sound(&r.controls));
        assert_int_equal(r.follower.bad_frames, frames);
        assert_true(kerb_abs(r.follower.decision.cross_track_error) < 0.5f);
        assert_true(rig_speed(&r) > 0.8f * kerb_min(r.follower.settings.speed, 6.0f));
        rig_free(&r);
    }
}

static void a_rotation_that_is_not_quite_of_unit_length_drives_the_same(void** state) {
    (void)state;
    kerb_random random = test_random("rotations");
    float radius;
    rig r = round_course(&random, &radius), scaled = r;
    for (int32_t i = 0; i < 600; i++) {
        float scale = kerb_random_between(&random, 0.6f, 1.9f);
        scaled.motion = r.motion;
        kerb_quat* q = &scaled.motion.rotation;
        *q = (kerb_quat){q->x * scale, q->y * scale, q->z * scale, q->w * scale};
        scaled.controls = kerb_follower_drive(&scaled.follower, &scaled.path, &scaled.motion,
                                              &scaled.around, 1.0f / r.hz);
        rig_step(&r);
        assert_true(kerb_abs(r.controls.steering - scaled.controls.steering) < 2.0e-3f);
    }
    assert_int_equal(scaled.follower.bad_frames, 0);
    rig_free(&r);
}

static void a_long_step_is_counted_and_counts_no_lap_twice(void** state) {
    (void)state;
    kerb_random random = test_random("long steps");
    for (int32_t n = 0; n < 40; n++) {
        float radius;
        rig r = round_course(&random, &radius);
        for (int32_t i = 0; i < 600; i++)
            rig_step(&r);
        double before = r.follower.decision.distance;
        float longest = kerb_random_between(&random, 0.0f, 9.0f);
        float step = kerb_random_below(&random, 2) == 0 ? 0.3f + longest : 1.0e30f;
        r.controls = kerb_follower_drive(&r.follower, &r.path, &r.motion, &r.around, step);
        assert_int_equal(r.follower.bad_frames, 1);
        assert_true(are_controls_sound(&r.controls));
        assert_true(fabs(r.follower.decision.distance - before) < 1.0);
        for (int32_t i = 0; i < 60; i++)
            rig_step(&r);
        assert_true(kerb_abs(r.follower.decision.cross_track_error) < 0.5f);
        assert_int_equal(r.follower.bad_frames, 1);
        rig_free(&r);
    }
}

// --------------------------------------------------------------------------- put elsewhere

// Puts the car at a station of the course, some metres to its left, at a speed.
static void put_at(rig* r, double station, float left, float speed) {
    kerb_path_sample sample = kerb_path_sample_at(&r->path, kerb_path_locate(&r->path, station));
    kerb_vec3 direction = kerb_vec3_scale(sample.direction, (float)sample.travel);
    kerb_vec3 position = {sample.position.x - direction.y * left,
                          sample.position.y + direction.x * left, 0.0f};
    float heading = kerb_atan2(direction.y, direction.x);
    r->car = kerb_sim_car_make(&r->car.model, position, heading);
    r->car.forward = speed;
    r->car.wheel_front = r->car.wheel_rear = speed / r->car.model.wheel_radius;
    r->motion = kerb_sim_car_motion(&r->car);
}

static void put_anywhere_it_drives_on_and_is_never_stuck(void** state) {
    (void)state;
    kerb_random random = test_random("put elsewhere");
    for (int32_t n = 0; n < 40; n++) {
        float radius;
        rig r = round_course(&random, &radius);
        for (int32_t i = 0; i < 90 + kerb_random_below(&random, 600); i++)
            rig_step(&r);
        for (int32_t times = 0; times < 3; times++) {
            put_at(&r, (double)kerb_random_between(&random, 0.0f, (float)r.path.length),
                   kerb_random_between(&random, -4.0f, 4.0f),
                   kerb_random_between(&random, 0.0f, 10.0f));
            for (int32_t i = 0; i < 60 * 16; i++) {
                rig_step(&r);
                assert_int_not_equal(r.controls.reason, KERB_REASON_BACKING_OUT);
                assert_int_not_equal(r.controls.reason, KERB_REASON_TELEPORT);
            }
            assert_true(kerb_abs(r.follower.decision.cross_track_error) < 0.5f);
            assert_true(rig_speed(&r) > 0.8f * kerb_min(r.follower.settings.speed, 6.0f));
        }
        rig_free(&r);
    }
}

static void a_glitch_of_one_frame_is_forgotten(void** state) {
    (void)state;
    kerb_random random = test_random("glitches");
    for (int32_t n = 0; n < 40; n++) {
        float radius;
        rig r = round_course(&random, &radius);
        for (int32_t i = 0; i < 600; i++)
            rig_step(&r);
        kerb_motion glitch = r.motion;
        glitch.position.x += kerb_random_between(&random, -300.0f, 300.0f);
        glitch.position.y += kerb_random_between(&random, -300.0f, 300.0f);
        r.controls = kerb_follower_drive(&r.follower, &r.path, &glitch, &r.around, 1.0f / r.hz);
        rig_simulate(&r);
        for (int32_t i = 0; i < 60 * 14; i++) {
            rig_step(&r);
            assert_int_not_equal(r.controls.reason, KERB_REASON_BACKING_OUT);
        }
        assert_true(kerb_abs(r.follower.decision.cross_track_error) < 0.3f);
        assert_int_equal(r.follower.bad_frames, 0); // a jump is possible
        rig_free(&r);
    }
}

// One lap as an open path: start and end meet. Wherever it is put before the start, it drives all.
static void a_round_as_an_open_path_is_driven_from_its_start(void** state) {
    (void)state;
    for (int32_t n = 0; n <= 8; n++) {
        kerb_waypoint waypoints[65];
        for (int32_t i = 0; i <= 64; i++) {
            float angle = 2.0f * KERB_PI * (float)i / 64.0f;
            waypoints[i] =
                kerb_waypoint_at(30.0f * kerb_sin(angle), 30.0f - 30.0f * kerb_cos(angle), 0.0f);
        }
        rig r = rig_make(waypoints, 65, false);
        float before = 0.5f * (float)n;
        kerb_vec3 position = {-before, 0.0f, 0.0f};
        r.car = kerb_sim_car_make(&r.car.model, position, 0.0f);
        r.motion = kerb_sim_car_motion(&r.car);
        double driven = 0.0;
        for (int32_t i = 0; i < 60 * 60 && r.controls.reason != KERB_REASON_ARRIVED; i++) {
            rig_step(&r);
            driven += (double)rig_speed(&r) / 60.0;
        }
        assert_true(driven > 180.0 && driven < 200.0);
        rig_free(&r);
    }
}

// --------------------------------------------------------------------------- giving up

// A vehicle that nothing moves. Returns whether it did anything else after it had given up.
static bool tries_after_giving_up(kerb_neighbour* other, double* waited) {
    static kerb_waypoint waypoints[100];
    rig_straight(waypoints, 100, 2.0f);
    rig r = rig_make(waypoints, 100, false);
    r.around.neighbours = other;
    r.around.neighbour_count = other != NULL;
    double given_up = -1.0, time = 0.0;
    bool tried = false;
    for (; time < 600.0 && !tried; time += 1.0 / 60.0) {
        kerb_controls controls =
            kerb_follower_drive(&r.follower, &r.path, &r.motion, &r.around, 1.0f / 60.0f);
        bool gives_up = controls.reason == KERB_REASON_GIVEN_UP;
        if (gives_up && given_up < 0.0)
            given_up = time;
        tried = given_up >= 0.0 && !gives_up;
    }
    assert_true(given_up > 0.0);
    *waited = time - given_up;
    rig_free(&r);
    return tried;
}

static void given_up_it_tries_again_only_while_others_are_near(void** state) {
    (void)state;
    kerb_neighbour other = {.id = 7,
                            .position = {-30.0f, 8.0f, 0.0f},
                            .forward = {1.0f, 0.0f},
                            .length = 4.5f,
                            .width = 1.8f};
    double waited;
    assert_true(tries_after_giving_up(&other, &waited));
    assert_true(waited > 14.0 && waited < 16.0);
    assert_false(tries_after_giving_up(NULL, &waited));
}

// --------------------------------------------------------------------------- floating origin

static void drives_on_with_the_same_controls_when_the_origin_moves(void** state) {
    (void)state;
    kerb_random random = test_random("floating origin");
    for (int32_t n = 0; n < 8; n++) {
        float radius;
        rig r = round_course(&random, &radius), s = r;
        kerb_host host = kerb_host_default();
        kerb_waypoint waypoints[64];
        for (int32_t i = 0; i < 64; i++)
            waypoints[i] =
                kerb_waypoint_at(r.path.points[i].position.x, r.path.points[i].position.y, 0.0f);
        assert_int_equal(kerb_path_create(&s.path, waypoints, 64, true, &host, NULL), KERB_OK);
        kerb_vec3 origin = {0.0f, 0.0f, 0.0f}, step = {1024.0f, -2048.0f, 64.0f};
        // What is learned is taken over at moments that roundings move.
        const bool learns = n % 2 == 1;
        r.follower.settings.steering = s.follower.settings.steering = learns;
        float sum = 0.0f;
        for (int32_t i = 0; i < 60 * 20; i++) {
            if (i % 150 == 149) {
                kerb_path_shift_origin(&s.path, step);
                kerb_follower_shift_origin(&s.follower, step);
                origin = kerb_vec3_add(origin, step);
                step = kerb_vec3_scale(step, -1.0f);
            }
            s.motion = r.motion;
            s.motion.position = kerb_vec3_sub(r.motion.position, origin);
            s.controls =
                kerb_follower_drive(&s.follower, &s.path, &s.motion, &s.around, 1.0f / r.hz);
            rig_step(&r);
            sum += kerb_abs(s.controls.steering - r.controls.steering);
            if (learns)
                continue;
            assert_true(kerb_abs(s.controls.steering - r.controls.steering) < 5.0e-3f);
            assert_true(kerb_abs(s.controls.throttle - r.controls.throttle) < 2.0e-2f);
            assert_int_equal(s.controls.reason, r.controls.reason);
        }
        assert_true(sum < 0.02f * 60 * 20);
        rig_free(&r);
        rig_free(&s);
    }
}

// --------------------------------------------------------------------------- replaced paths

// A street along x; the path that replaces it begins `behind` the car on the same street, goes
// round a block, and comes along the street again.
static int32_t round_the_block(kerb_waypoint* waypoints, float turn, float begins) {
    const float corners[][2] = {{begins, 0.0f}, {200.0f, 0.0f}, {200.0f, 90.0f}, {-40.0f, 90.0f},
                                {-40.0f, 0.0f}, {0.0f, 0.0f},   {200.0f, 0.0f}};
    float c = kerb_cos(turn), s = kerb_sin(turn);
    int32_t count = 0;
    for (int32_t i = 0; i < 6; i++)
        for (int32_t j = 0; j < 40; j++) {
            float share = (float)j / 40.0f;
            float x = corners[i][0] + (corners[i + 1][0] - corners[i][0]) * share;
            float y = corners[i][1] + (corners[i + 1][1] - corners[i][1]) * share;
            waypoints[count++] = kerb_waypoint_at(c * x - s * y, s * x + c * y, 0.0f);
        }
    return count;
}

static void a_replaced_path_leaves_no_round_out(void** state) {
    (void)state;
    kerb_random random = test_random("replaced paths");
    kerb_host host = kerb_host_default();
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int32_t n = 0; n < 300; n++) {
        float turn = kerb_random_between(&random, -KERB_PI, KERB_PI);
        float c = kerb_cos(turn), s = kerb_sin(turn), at = 20.0f;
        float left = kerb_random_between(&random, -1.5f, 1.5f);
        kerb_waypoint street[2] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                                   kerb_waypoint_at(200.0f * c, 200.0f * s, 0.0f)};
        kerb_waypoint block[240];
        int32_t count = round_the_block(block, turn, kerb_random_between(&random, 0.0f, 44.0f));
        kerb_path before, after;
        assert_int_equal(kerb_path_create(&before, street, 2, false, &host, NULL), KERB_OK);
        assert_int_equal(kerb_path_create(&after, block, count, false, &host, NULL), KERB_OK);
        kerb_follower follower = kerb_follower_make(&vehicle);
        for (int32_t i = 0; i < 300; i++, at += 10.0f / 60.0f) {
            kerb_motion motion = kerb_motion_default();
            motion.position = (kerb_vec3){c * at - s * left, s * at + c * left, 0.0f};
            motion.rotation = kerb_quat_from_heading(turn);
            motion.velocity = (kerb_vec3){10.0f * c, 10.0f * s, 0.0f};
            kerb_follower_drive(&follower, i < 150 ? &before : &after, &motion, NULL, 1.0f / 60.0f);
        }
        assert_true(follower.decision.distance < 200.0);
        kerb_path_destroy(&before);
        kerb_path_destroy(&after);
    }
}

int follower_host_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_impossible_frames_it_drives_as_before),
        cmocka_unit_test(a_rotation_that_is_not_quite_of_unit_length_drives_the_same),
        cmocka_unit_test(a_long_step_is_counted_and_counts_no_lap_twice),
        cmocka_unit_test(put_anywhere_it_drives_on_and_is_never_stuck),
        cmocka_unit_test(a_glitch_of_one_frame_is_forgotten),
        cmocka_unit_test(a_round_as_an_open_path_is_driven_from_its_start),
        cmocka_unit_test(given_up_it_tries_again_only_while_others_are_near),
        cmocka_unit_test(drives_on_with_the_same_controls_when_the_origin_moves),
        cmocka_unit_test(a_replaced_path_leaves_no_round_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
