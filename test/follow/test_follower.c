// The follower's promises that need no simulation: EA's modules alone against closed forms, bad
// input, memory that can be copied, windows that do not depend on history, paths that change.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "test/follower_rig.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

static kerb_path path_through(const kerb_waypoint* waypoints, int32_t count, bool closed) {
    kerb_host host = kerb_host_default();
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints, count, closed, &host, NULL), KERB_OK);
    return path;
}

static kerb_path straight_path(float length, float spacing) {
    static kerb_waypoint waypoints[4096];
    return path_through(waypoints,
                        rig_straight(waypoints, (int32_t)(length / spacing) + 1, spacing), false);
}

static kerb_path corner_path(void) {
    const kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(60, 0, 0),
                                       kerb_waypoint_at(60, 60, 0)};
    return path_through(waypoints, 3, false);
}

static const kerb_path_location start = {0, 0.0f};

// ------------------------------------------------------------------- EA's modules

static void a_straight_has_no_curvature_and_the_wanted_speed(void** state) {
    (void)state;
    kerb_path path = straight_path(200.0f, 1.0f);
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    float curvature;
    float speed =
        kerb_follow_target_speed(&settings, &path, start, path.points[0].position, &curvature);
    assert_true(curvature == 0.0f);
    assert_true(speed == settings.speed);
    kerb_path_destroy(&path);
}

// Samples every h on a circle of radius R: the Bézier's control point lies f = h²/(2R) off the
// chord's middle, its area is about h·f, so its greatest curvature is f³/(h·f)² = 1/(2R) as h → 0.
static void on_a_circle_the_bezier_measures_half_its_curvature(void** state) {
    (void)state;
    static kerb_waypoint waypoints[700];
    for (int32_t i = 0; i < 700; i++) {
        float angle = (float)i * 0.001f;
        waypoints[i] =
            kerb_waypoint_at(200.0f * kerb_sin(angle), 200.0f - 200.0f * kerb_cos(angle), 0);
    }
    kerb_path path = path_through(waypoints, 700, false);
    float curvature = kerb_follow_curvature_ahead(&path, start, path.points[0].position, 6.0f, 5);
    assert_true(fabsf(curvature - 0.0025f) < 0.0025f * 0.02f);
    kerb_path_destroy(&path);
}

// With samples at 48, 54, 60 (the corner), and 6 and 12 m up the other leg, the sharpest Bézier has
// legs of 6 m at a right angle: √2/6 (eq. 3).
static void a_right_angle_on_a_sample_gives_the_closed_form(void** state) {
    (void)state;
    kerb_path path = corner_path();
    kerb_path_location at = {0, 48.0f};
    float curvature =
        kerb_follow_curvature_ahead(&path, at, kerb_path_position(&path, at), 6.0f, 5);
    assert_true(fabsf(curvature - sqrtf(2.0f) / 6.0f) < 1e-4f);
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    float found;
    float speed =
        kerb_follow_target_speed(&settings, &path, at, kerb_path_position(&path, at), &found);
    assert_true(fabsf(speed - sqrtf(0.4f * KERB_GRAVITY * 6.0f / sqrtf(2.0f))) < 1e-2f);
    kerb_path_destroy(&path);
}

static void being_far_off_the_path_lowers_the_target_speed(void** state) {
    (void)state;
    kerb_path path = straight_path(200.0f, 1.0f);
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    settings.speed = 30.0f;
    kerb_path_location at = {50, 0.0f};
    float before = 31.0f, curvature;
    for (float off = 0.5f; off < 6.0f; off += 0.5f) {
        kerb_vec3 position = {50.0f, off, 0.0f};
        float speed = kerb_follow_target_speed(&settings, &path, at, position, &curvature);
        assert_true(speed < before);
        before = speed;
    }
    kerb_path_destroy(&path);
}

static void speed_stays_between_the_least_and_the_wanted(void** state) {
    (void)state;
    kerb_random random = test_random("speed_stays_between_the_least_and_the_wanted");
    for (int32_t i = 0; i < 2000; i++) {
        kerb_waypoint waypoints[12];
        for (int32_t j = 0; j < 12; j++)
            waypoints[j] = kerb_waypoint_at(kerb_random_between(&random, -50, 50),
                                            kerb_random_between(&random, -50, 50), 0);
        kerb_path path = path_through(waypoints, 12, i % 2 == 0);
        kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
        settings.paper.speed_ahead = i % 3 == 0;
        kerb_vec3 position = {kerb_random_between(&random, -60, 60), 3.0f, 0.0f};
        kerb_path_location at = kerb_path_nearest(&path, position);
        float curvature, angle;
        float speed = kerb_follow_target_speed(&settings, &path, at, position, &curvature);
        assert_true(speed >= 1.0f && speed <= 10.0f && curvature >= 0.0f);
        kerb_vec3 forward = {1.0f, 0.0f, 0.0f};
        speed = kerb_follow_baseline_speed(&settings, &path, at, forward, &angle);
        assert_true(speed >= 1.0f && speed <= 10.0f && angle >= 0.0f && angle <= KERB_PI + 1e-5f);
        kerb_path_destroy(&path);
    }
}

static void braking_distance_lets_it_come_faster_to_a_far_corner(void** state) {
    (void)state;
    kerb_path path = corner_path();
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    kerb_path_location at = {0, 42.0f}; // the corner is on the third sample
    kerb_vec3 position = kerb_path_position(&path, at);
    float curvature;
    float at_once = kerb_follow_target_speed(&settings, &path, at, position, &curvature);
    settings.paper.speed_ahead = KERB_AHEAD_BRAKING;
    float braking = kerb_follow_target_speed(&settings, &path, at, position, &curvature);
    float in_corner = sqrtf(0.4f * KERB_GRAVITY * 6.0f / sqrtf(2.0f));
    // That corner's Bézier starts two samples ahead, 12 m.
    float expected = sqrtf(in_corner * in_corner + 2.0f * settings.deceleration * 12.0f);
    assert_true(at_once < braking);
    assert_true(fabsf(braking - kerb_min(expected, 10.0f)) < 0.05f);
    kerb_path_destroy(&path);
}

static void the_baseline_is_inverse_to_the_largest_angle(void** state) {
    (void)state;
    kerb_path path = corner_path();
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_BASELINE);
    kerb_vec3 forward = {1.0f, 0.0f, 0.0f};
    float angle;
    kerb_path_location far = {0, 10.0f}, near = {0, 50.0f};
    assert_true(kerb_follow_baseline_speed(&settings, &path, far, forward, &angle) == 10.0f);
    assert_true(angle < 1e-3f);
    float speed = kerb_follow_baseline_speed(&settings, &path, near, forward, &angle);
    assert_true(fabsf(angle - 0.5f * KERB_PI) < 1e-5f);
    assert_true(fabsf(speed - 10.0f * settings.paper.proportional_angle / (0.5f * KERB_PI)) <
                1e-3f);
    kerb_path_destroy(&path);
}

static void the_target_point_goes_on_straight_past_the_end(void** state) {
    (void)state;
    kerb_path path = straight_path(20.0f, 1.0f);
    kerb_path_location at = {15, 0.5f};
    kerb_vec3 target = kerb_follow_target_point(&path, at, 10.0f, 2.0f);
    assert_true(fabsf(target.x - 25.5f) < 1e-4f && fabsf(target.y - 2.0f) < 1e-5f);
    target = kerb_follow_target_point(&path, at, 3.0f, 0.0f);
    assert_true(fabsf(target.x - 18.5f) < 1e-4f && target.y == 0.0f);
    kerb_path_destroy(&path);
}

static void the_rabbit_runs_but_keeps_its_distance(void** state) {
    (void)state;
    kerb_path path = straight_path(200.0f, 1.0f);
    kerb_path_location at = {10, 0.0f}, rabbit = {15, 0.0f};
    rabbit = kerb_follow_rabbit(&path, at, rabbit, 10.0f, 3.0f, 20.0f, 0.1f);
    assert_true(fabs(kerb_path_distance(&path, rabbit) - 16.0) < 1e-4);
    for (int32_t i = 0; i < 100; i++) // it waits
        rabbit = kerb_follow_rabbit(&path, at, rabbit, 10.0f, 3.0f, 20.0f, 0.1f);
    assert_true(fabs(kerb_path_distance(&path, rabbit) - 30.0) < 1e-4);
    at = (kerb_path_location){60, 0.0f}; // and is never overtaken
    rabbit = kerb_follow_rabbit(&path, at, rabbit, 10.0f, 3.0f, 20.0f, 0.1f);
    assert_true(fabs(kerb_path_distance(&path, rabbit) - 63.0) < 1e-4);
    kerb_path_destroy(&path);
}

// ------------------------------------------------------------------- settings

static void defaults_are_valid_and_those_of_the_paper(void** state) {
    (void)state;
    for (int32_t method = 0; method < 3; method++) {
        kerb_follower_settings settings =
            kerb_follower_settings_default((kerb_follower_method)method);
        assert_int_equal(kerb_settings_validate(&kerb_follower_settings_table, &settings, NULL),
                         KERB_OK);
        assert_int_equal(settings.method, method);
        assert_true(settings.speed == 10.0f && settings.speed_min == 1.0f);
        assert_true(settings.paper.sample_spacing == 6.0f && settings.paper.sample_count == 5);
    }
    assert_true(kerb_follower_settings_default(KERB_FOLLOWER_PAPER).lateral_acceleration == 0.4f);
    kerb_follower_settings baseline = kerb_follower_settings_default(KERB_FOLLOWER_BASELINE);
    assert_true(baseline.speed_control.integral == 0.0f); // a P controller
}

// ------------------------------------------------------------------- bad input

static void motion_that_is_not_finite_brakes_and_is_counted(void** state) {
    (void)state;
    kerb_path path = straight_path(100.0f, 1.0f);
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    float values[] = {NAN, INFINITY, -INFINITY};
    size_t numbers = offsetof(kerb_motion, steering) / sizeof(float);
    int32_t bad = 0;
    for (size_t i = 0; i < numbers; i++) {
        for (int32_t j = 0; j < 3; j++) {
            kerb_motion motion = kerb_motion_default();
            memcpy((char*)&motion + i * sizeof(float), &values[j], sizeof(float));
            kerb_controls controls =
                kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
            assert_int_equal(controls.reason, KERB_REASON_BAD_MOTION);
            assert_true(controls.brake == 1.0f && controls.throttle == 0.0f);
            assert_true(controls.steering == 0.0f);
            assert_int_equal(follower.bad_frames, ++bad);
        }
    }
    kerb_motion motion = kerb_motion_default();
    kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
    assert_true(controls.throttle > 0.0f); // and goes on as if nothing had been
    kerb_path_destroy(&path);
}

static void a_bad_time_step_repeats_the_last_controls(void** state) {
    (void)state;
    kerb_path path = straight_path(100.0f, 1.0f);
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    kerb_motion motion = kerb_motion_default();
    kerb_controls good = kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
    float steps[] = {0.0f, -0.0f, -1.0f, NAN, INFINITY, -INFINITY, 1.0e-40f};
    for (int32_t i = 0; i < 7; i++) {
        kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, steps[i]);
        assert_int_equal(controls.reason, KERB_REASON_BAD_STEP);
        assert_true(controls.throttle == good.throttle && controls.steering == good.steering);
        assert_int_equal(follower.bad_frames, i + 1);
    }
    kerb_path_destroy(&path);
}

static void surroundings_that_are_not_finite_do_no_harm(void** state) {
    (void)state;
    kerb_path path = straight_path(100.0f, 1.0f);
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_motion motion = kerb_motion_default();
    float values[] = {NAN, INFINITY, -INFINITY, -1.0f, 0.0f};
    for (int32_t i = 0; i < 25; i++) {
        kerb_follower follower = kerb_follower_make(&vehicle);
        kerb_surroundings around = {.speed_cap = values[i / 5], .grip = values[i % 5]};
        for (int32_t frame = 0; frame < 3; frame++) {
            kerb_controls controls =
                kerb_follower_drive(&follower, &path, &motion, &around, 1.0f / 60.0f);
            assert_true(kerb_is_finite(controls.throttle) && kerb_is_finite(controls.brake) &&
                        kerb_is_finite(controls.steering));
        }
    }
    kerb_path_destroy(&path);
}

static bool in_range(const kerb_controls* controls) {
    return controls->throttle >= 0.0f && controls->throttle <= 1.0f && controls->brake >= 0.0f &&
           controls->brake <= 1.0f && controls->steering >= -1.0f && controls->steering <= 1.0f &&
           (controls->throttle == 0.0f || controls->brake == 0.0f);
}

static kerb_motion random_motion(kerb_random* random) {
    kerb_motion motion = kerb_motion_default();
    motion.position =
        kerb_vec3_make(kerb_random_between(random, -80, 80), kerb_random_between(random, -80, 80),
                       kerb_random_between(random, -5, 5));
    motion.rotation = kerb_quat_from_angles(kerb_random_between(random, -4, 4),
                                            kerb_random_between(random, -1, 1),
                                            kerb_random_between(random, -1, 1));
    motion.velocity = kerb_vec3_make(kerb_random_between(random, -40, 40),
                                     kerb_random_between(random, -40, 40), 0.0f);
    motion.angular_velocity.z = kerb_random_between(random, -3, 3);
    return motion;
}

static int32_t random_waypoints(kerb_random* random, kerb_waypoint* waypoints) {
    int32_t count = 3 + kerb_random_below(random, 30);
    for (int32_t i = 0; i < count; i++) {
        waypoints[i] = kerb_waypoint_at(kerb_random_between(random, -60, 60),
                                        kerb_random_between(random, -60, 60),
                                        kerb_random_between(random, -3, 3));
        waypoints[i].direction = kerb_random_below(random, 5) == 0 ? -1 : 1;
        waypoints[i].stop = kerb_random_below(random, 8) == 0 ? 1.0f : 0.0f;
        waypoints[i].bank = kerb_random_between(random, -0.5f, 0.5f);
        waypoints[i].grip = kerb_random_between(random, 0.1f, 1.2f);
        waypoints[i].speed_limit = kerb_random_between(random, 0.5f, 40.0f);
    }
    return count;
}

// Whatever the path and wherever the vehicle is thrown: finite controls within their ranges.
static void controls_are_always_in_range(void** state) {
    (void)state;
    kerb_random random = test_random("controls_are_always_in_range");
    for (int32_t i = 0; i < 3000; i++) {
        kerb_waypoint waypoints[40];
        int32_t count = random_waypoints(&random, waypoints);
        kerb_path path = path_through(waypoints, count, i % 3 == 0);
        kerb_vehicle vehicle = kerb_vehicle_default();
        vehicle.wheelbase = kerb_random_between(&random, 1.5f, 3.5f);
        kerb_follower follower = kerb_follower_make(&vehicle);
        follower.settings = kerb_follower_settings_default((kerb_follower_method)(i % 4 % 3));
        follower.settings.paper.target_point = i % 2;
        for (int32_t frame = 0; frame < 20; frame++) {
            kerb_motion motion = random_motion(&random);
            float step = kerb_random_between(&random, 0.001f, 0.1f);
            kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, step);
            if (!in_range(&controls))
                fail_msg("path %d frame %d: throttle %g brake %g steering %g", (int)i, (int)frame,
                         (double)controls.throttle, (double)controls.brake,
                         (double)controls.steering);
        }
        kerb_path_destroy(&path);
    }
}

static void extreme_paths_are_driven(void** state) {
    (void)state;
    const kerb_waypoint tiny[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(0.01f, 0, 0)};
    const kerb_waypoint wide[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(1000, 0, 0),
                                  kerb_waypoint_at(1000, 1000, 0)};
    const kerb_waypoint upright[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(0, 0, 30),
                                     kerb_waypoint_at(10, 0, 30)};
    struct {
        const kerb_waypoint* waypoints;
        int32_t count;
    } cases[] = {{tiny, 2}, {wide, 3}, {upright, 3}};
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t method = 0; method < 3; method++) {
            kerb_path path = path_through(cases[i].waypoints, cases[i].count, false);
            kerb_vehicle vehicle = kerb_vehicle_default();
            kerb_follower follower = kerb_follower_make(&vehicle);
            follower.settings = kerb_follower_settings_default((kerb_follower_method)method);
            kerb_motion motion = kerb_motion_default();
            for (int32_t frame = 0; frame < 600; frame++) {
                motion.position.x = (float)frame * 2.0f;
                motion.velocity.x = 10.0f;
                kerb_controls controls =
                    kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
                assert_true(in_range(&controls));
            }
            kerb_path_destroy(&path);
        }
    }
}

static void a_million_points_are_driven(void** state) {
    (void)state;
    int32_t count = 1000000;
    kerb_waypoint* waypoints = test_malloc((size_t)count * sizeof *waypoints);
    for (int32_t i = 0; i < count; i++)
        waypoints[i] = kerb_waypoint_at((float)i * 0.5f, 0.0f, 0.0f);
    kerb_path path = path_through(waypoints, count, false);
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    kerb_motion motion = kerb_motion_default();
    motion.position.x = 400000.0f;
    motion.velocity.x = 9.0f;
    for (int32_t frame = 0; frame < 100; frame++) {
        motion.position.x += 0.25f;
        kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
        assert_true(in_range(&controls) && controls.throttle > 0.0f);
        assert_true(fabs(follower.decision.distance - (double)motion.position.x) < 0.05);
    }
    test_free(waypoints);
    kerb_path_destroy(&path);
}

// ------------------------------------------------------------------- memory

static int32_t winding_waypoints(kerb_waypoint* waypoints, int32_t count) {
    float x = 0.0f, y = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        waypoints[i] = kerb_waypoint_at(x, y, 0.0f);
        float heading = 0.9f * kerb_sin((float)i * 0.12f);
        x += 2.0f * kerb_cos(heading);
        y += 2.0f * kerb_sin(heading);
    }
    return count;
}

static void a_copied_follower_goes_on_with_the_same_bits(void** state) {
    (void)state;
    for (int32_t method = 0; method < 3; method++) {
        kerb_waypoint waypoints[150];
        rig r = rig_make(waypoints, winding_waypoints(waypoints, 150), false);
        r.follower.settings = kerb_follower_settings_default((kerb_follower_method)method);
        for (int32_t i = 0; i < 300; i++)
            rig_step(&r);
        rig saved = r;
        for (int32_t i = 0; i < 300; i++)
            rig_step(&r);
        rig again = saved;
        for (int32_t i = 0; i < 300; i++)
            rig_step(&again);
        assert_memory_equal(&r.controls, &again.controls, sizeof r.controls);
        assert_memory_equal(&r.motion.position, &again.motion.position, sizeof(kerb_vec3));
        rig_free(&r);
    }
}

// A follower that drove here and one that has just been put here see the same line.
static void what_the_line_holds_does_not_depend_on_how_it_came_there(void** state) {
    (void)state;
    for (int32_t closed = 0; closed < 2; closed++) {
        kerb_waypoint waypoints[150];
        int32_t count = winding_waypoints(waypoints, 150);
        if (closed) {
            count = 90;
            for (int32_t i = 0; i < count; i++) {
                float angle = (float)i * (2.0f * KERB_PI / 90.0f);
                float radius = 35.0f + 8.0f * kerb_sin(4.0f * angle);
                waypoints[i] =
                    kerb_waypoint_at(radius * kerb_cos(angle), radius * kerb_sin(angle), 0.0f);
            }
        }
        rig r = rig_make(waypoints, count, closed);
        for (int32_t i = 0; i < 900; i++)
            rig_step(&r);
        kerb_follower fresh = kerb_follower_make(&r.follower.vehicle);
        kerb_follower_drive(&fresh, &r.path, &r.motion, NULL, 1.0f / 60.0f);
        kerb_follower_drive(&r.follower, &r.path, &r.motion, NULL, 1.0f / 60.0f);
        int32_t compared = 0;
        for (int32_t knot = fresh.memory.line.first + 1; knot < fresh.memory.line.knots; knot++) {
            if (knot < r.follower.memory.line.first + 1 || knot >= r.follower.memory.line.knots)
                continue;
            int32_t at = knot & (KERB_FOLLOWER_LINE_KNOTS - 1);
            assert_memory_equal(&fresh.memory.line.position[at],
                                &r.follower.memory.line.position[at], sizeof(kerb_vec3));
            assert_true(fresh.memory.line.curvature[at] == r.follower.memory.line.curvature[at]);
            compared++;
        }
        assert_true(compared > 30);
        rig_free(&r);
    }
}

// ------------------------------------------------------------------- changing paths

static void swap_path(rig* r, const kerb_waypoint* waypoints, int32_t count) {
    kerb_path_destroy(&r->path);
    r->path = path_through(waypoints, count, false);
}

static void the_same_road_as_another_path_changes_nothing(void** state) {
    (void)state;
    kerb_waypoint waypoints[200];
    int32_t count = winding_waypoints(waypoints, 200);
    rig r = rig_make(waypoints, count, false);
    rig undisturbed = rig_make(waypoints, count, false);
    float steering = 0.0f, throttle = 0.0f;
    for (int32_t i = 0; i < 1200; i++) {
        // Every tenth frame the path is cut off somewhere behind the vehicle, as hosts do.
        if (i % 10 == 9 && r.follower.memory.location.segment > 12)
            swap_path(&r, waypoints + 1 + i % 7, count - 1 - i % 7);
        rig_step(&r);
        rig_step(&undisturbed);
        steering = kerb_max(steering, fabsf(r.controls.steering - undisturbed.controls.steering));
        throttle = kerb_max(throttle, fabsf(rig_speed(&r) - rig_speed(&undisturbed)));
    }
    print_message("steering differs by %.3f, speed by %.2f m/s at most\n", (double)steering,
                  (double)throttle);
    assert_true(steering < 0.15f);
    assert_true(throttle < 0.6f);
    rig_free(&r);
    rig_free(&undisturbed);
}

static void a_path_that_jumps_aside_is_taken_without_a_jerk(void** state) {
    (void)state;
    kerb_waypoint waypoints[200];
    rig r = rig_make(waypoints, rig_straight(waypoints, 200, 2.0f), false);
    for (int32_t i = 0; i < 600; i++)
        rig_step(&r);
    for (int32_t i = 0; i < 200; i++)
        waypoints[i].position.y = 1.5f;
    swap_path(&r, waypoints, 200);
    float wheel = 0.0f, sideways = 0.0f, before = r.controls.steering;
    for (int32_t i = 0; i < 300; i++) {
        rig_step(&r);
        wheel = kerb_max(wheel, fabsf(r.controls.steering - before));
        before = r.controls.steering;
        float lateral = r.motion.angular_velocity.z * rig_speed(&r);
        sideways = kerb_max(sideways, fabsf(lateral));
    }
    kerb_vehicle* vehicle = &r.follower.vehicle;
    // No faster than the wheels turn, and no rougher than a lane change.
    assert_true(wheel <=
                1.05f * vehicle->steering_rate_max / (60.0f * vehicle->steering_angle_max));
    assert_true(sideways < 4.0f);
    assert_true(fabsf(r.motion.position.y - 1.5f) < 0.05f);
    rig_free(&r);
}

static void wheels_are_never_asked_to_turn_faster_than_they_can(void** state) {
    (void)state;
    kerb_waypoint waypoints[60];
    for (int32_t i = 0; i < 60; i++) // a zigzag
        waypoints[i] = kerb_waypoint_at((float)i * 6.0f, i % 2 == 0 ? 2.0f : -2.0f, 0.0f);
    rig r = rig_make(waypoints, 60, false);
    float before = 0.0f, fastest = 0.0f;
    for (int32_t i = 0; i < 1500; i++) {
        rig_step(&r);
        fastest = kerb_max(fastest, fabsf(r.controls.steering - before));
        before = r.controls.steering;
    }
    kerb_vehicle* vehicle = &r.follower.vehicle;
    assert_true(fastest <=
                1.15f * vehicle->steering_rate_max / (60.0f * vehicle->steering_angle_max));
    rig_free(&r);
}

int follower_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_has_no_curvature_and_the_wanted_speed),
        cmocka_unit_test(on_a_circle_the_bezier_measures_half_its_curvature),
        cmocka_unit_test(a_right_angle_on_a_sample_gives_the_closed_form),
        cmocka_unit_test(being_far_off_the_path_lowers_the_target_speed),
        cmocka_unit_test(speed_stays_between_the_least_and_the_wanted),
        cmocka_unit_test(braking_distance_lets_it_come_faster_to_a_far_corner),
        cmocka_unit_test(the_baseline_is_inverse_to_the_largest_angle),
        cmocka_unit_test(the_target_point_goes_on_straight_past_the_end),
        cmocka_unit_test(the_rabbit_runs_but_keeps_its_distance),
        cmocka_unit_test(defaults_are_valid_and_those_of_the_paper),
        cmocka_unit_test(motion_that_is_not_finite_brakes_and_is_counted),
        cmocka_unit_test(a_bad_time_step_repeats_the_last_controls),
        cmocka_unit_test(surroundings_that_are_not_finite_do_no_harm),
        cmocka_unit_test(controls_are_always_in_range),
        cmocka_unit_test(extreme_paths_are_driven),
        cmocka_unit_test(a_million_points_are_driven),
        cmocka_unit_test(a_copied_follower_goes_on_with_the_same_bits),
        cmocka_unit_test(what_the_line_holds_does_not_depend_on_how_it_came_there),
        cmocka_unit_test(the_same_road_as_another_path_changes_nothing),
        cmocka_unit_test(a_path_that_jumps_aside_is_taken_without_a_jerk),
        cmocka_unit_test(wheels_are_never_asked_to_turn_faster_than_they_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
