// Where a vehicle is on its path, and when it has arrived: judged in space, whatever the path is
// like, however often it is found anew, and wherever the vehicle is put.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "sim/vehicle.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define STEP (1.0f / 60.0f)
#define NEVER (-1.0)

static const char* const names[] = {"pickup",     "buggy", "scout", "carrier", "tank",
                                    "hovercraft", "road",  "gt",    "truck"};
#define NAMES 9

static kerb_sim_model model_of(const char* name) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    return model;
}

static float apart(kerb_vec3 a, kerb_vec3 b) {
    return hypotf(a.x - b.x, a.y - b.y);
}

typedef struct drive {
    kerb_sim_vehicle vehicle;
    kerb_follower follower;
    kerb_motion motion;
    kerb_controls controls;
    kerb_surroundings around;
    double time;
    float bent;      // added to the steering [share of lock]
    float near_time; // standing within 0.1 m of the end, not told yet [s]
    float driven;    // [m]
} drive;

static drive drive_from(const kerb_sim_model* model, float x, float y, float heading) {
    drive d = {.vehicle = kerb_sim_vehicle_make(model, kerb_vec3_make(x, y, 0.0f), heading),
               .follower = kerb_follower_make(&model->vehicle),
               .around = kerb_surroundings_default()};
    d.motion = kerb_sim_vehicle_motion(&d.vehicle);
    return d;
}

// One frame; whatever it is, ARRIVED must be true and must not be late.
static void drive_step(drive* d, const kerb_path* path) {
    const kerb_vec3 end = path->points[path->count - 1].position;
    d->controls = kerb_follower_drive(&d->follower, path, &d->motion, &d->around, STEP);
    const float scale = kerb_vehicle_scale(&d->follower.vehicle);
    const float off = apart(d->motion.position, end);
    const bool told = d->controls.reason == KERB_REASON_ARRIVED;
    assert_true(!told || off <= 0.3f * scale);
    bool stands = kerb_vec3_length(d->motion.velocity) < 0.01f && off < 0.1f * scale;
    d->near_time = stands && !told ? d->near_time + STEP : 0.0f;
    assert_true(path->closed || d->near_time < 2.0f);
    kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    kerb_controls acts = d->controls;
    acts.steering = kerb_clamp(acts.steering + d->bent, -1.0f, 1.0f);
    for (int32_t i = 0; i < 4; i++)
        kerb_sim_vehicle_step(&d->vehicle, &acts, &ground, STEP / 4.0f);
    kerb_vec3 before = d->motion.position;
    d->motion = kerb_sim_vehicle_motion(&d->vehicle);
    d->driven += apart(before, d->motion.position);
    d->time += (double)STEP;
}

static bool drive_to_end(drive* d, const kerb_path* path, double seconds) {
    while (d->time < seconds && d->controls.reason != KERB_REASON_ARRIVED)
        drive_step(d, path);
    return d->controls.reason == KERB_REASON_ARRIVED;
}

static kerb_path path_of(const kerb_waypoint* waypoints, int32_t count) {
    kerb_path path;
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_path_create(&path, waypoints, count, false, &host, NULL), KERB_OK);
    return path;
}

static kerb_path straight(float length) {
    const kerb_waypoint waypoints[] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                                       kerb_waypoint_at(length, 0.0f, 0.0f)};
    return path_of(waypoints, 2);
}

// --------------------------------------------------------------------------- missed ends

static void it_comes_back_to_an_end_behind_which_it_was_put(void** state) {
    (void)state;
    static const float beyond[] = {0.5f, 3.0f, 20.0f, 150.0f};
    for (int32_t k = 0; k < NAMES; k++) {
        kerb_sim_model model = model_of(names[k]);
        kerb_path path = straight(100.0f);
        for (int32_t i = 0; i < 8; i++) {
            drive d = drive_from(&model, 100.0f + beyond[i / 2], 0.2f * (float)i,
                                 i % 2 == 0 ? 0.0f : KERB_PI);
            drive_step(&d, &path);
            assert_int_not_equal(d.controls.reason, KERB_REASON_ARRIVED);
            if (!drive_to_end(&d, &path, 120.0))
                fail_msg("%s, %g m beyond: %s", names[k], (double)beyond[i / 2],
                         kerb_reason_text(d.controls.reason));
        }
        kerb_path_destroy(&path);
    }
}

static void a_goal_inside_the_turning_circle_is_reached(void** state) {
    (void)state;
    for (int32_t k = 0; k < NAMES; k++) {
        kerb_sim_model model = model_of(names[k]);
        for (int32_t i = 0; i < 12; i++) {
            float angle = (float)i * 0.5f, way = 1.5f + 0.5f * (float)i;
            const kerb_waypoint waypoints[] = {
                kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                kerb_waypoint_at(way * kerb_cos(angle), way * kerb_sin(angle), 0.0f)};
            kerb_path path = path_of(waypoints, 2);
            drive d = drive_from(&model, 0.0f, 0.0f, 0.0f);
            if (!drive_to_end(&d, &path, 120.0))
                fail_msg("%s, %g m at %g rad: %s", names[k], (double)way, (double)angle,
                         kerb_reason_text(d.controls.reason));
            kerb_path_destroy(&path);
        }
    }
}

static void taken_away_from_its_end_it_is_no_longer_there(void** state) {
    (void)state;
    kerb_sim_model model = model_of("pickup");
    kerb_path path = straight(40.0f);
    drive d = drive_from(&model, 0.0f, 0.0f, 0.0f);
    assert_true(drive_to_end(&d, &path, 60.0));
    for (int32_t i = 0; i < 120; i++) { // pulled on slowly
        d.vehicle.car.position.x += 0.02f;
        d.motion = kerb_sim_vehicle_motion(&d.vehicle);
        drive_step(&d, &path);
    }
    assert_int_not_equal(d.controls.reason, KERB_REASON_ARRIVED);
    assert_true(drive_to_end(&d, &path, 60.0));
    kerb_path_destroy(&path);
}

static void brakes_are_not_given_up_for_a_bend_that_never_comes(void** state) {
    (void)state;
    static const float bent[] = {0.1f, -0.1f, 0.15f};
    for (int32_t i = 0; i < 3; i++) {
        kerb_vehicle vehicle = kerb_vehicle_default();
        kerb_sim_model model = kerb_sim_model_for(&vehicle);
        kerb_path path = straight(300.0f);
        drive d = drive_from(&model, 0.0f, 0.0f, 0.0f);
        d.follower.settings.speed = 20.0f;
        d.bent = bent[i];
        float farthest = 0.0f;
        while (d.time < 90.0 && d.controls.reason != KERB_REASON_ARRIVED) {
            drive_step(&d, &path);
            farthest = kerb_max(farthest, d.motion.position.x);
        }
        print_message("wheels %g aside: passes the end by %.2f m\n", (double)bent[i],
                      (double)(farthest - 300.0f));
        assert_true(farthest < 301.5f);
        kerb_path_destroy(&path);
    }
}

// --------------------------------------------------------------------------- places

static void a_round_as_an_open_path_is_driven_from_anywhere_before_it(void** state) {
    (void)state;
    kerb_waypoint waypoints[61];
    for (int32_t i = 0; i < 61; i++) {
        float angle = 2.0f * KERB_PI * (float)i / 60.0f;
        waypoints[i] =
            kerb_waypoint_at(20.0f * kerb_sin(angle), 20.0f - 20.0f * kerb_cos(angle), 0.0f);
    }
    kerb_path path = path_of(waypoints, 61);
    for (int32_t i = 0; i < 10; i++) {
        kerb_sim_model model = model_of(i % 2 == 0 ? "pickup" : "tank");
        drive d = drive_from(&model, -0.6f * (float)i, 0.0f, 0.0f);
        assert_true(drive_to_end(&d, &path, 60.0));
        assert_true(d.driven > 120.0f);
    }
    kerb_path_destroy(&path);
}

// A knot of random points in the middle of a straight.
static int32_t knot(kerb_random* random, float spread, int32_t points, kerb_waypoint* waypoints) {
    int32_t count = 0;
    for (int32_t i = 0; i <= 10; i++)
        waypoints[count++] = kerb_waypoint_at(4.0f * (float)i, 0.0f, 0.0f);
    for (int32_t i = 0; i < points; i++) {
        float x = 40.0f + kerb_random_between(random, -spread, spread);
        waypoints[count++] =
            kerb_waypoint_at(x, kerb_random_between(random, -spread, spread), 0.0f);
    }
    for (int32_t i = 11; i <= 20; i++)
        waypoints[count++] = kerb_waypoint_at(4.0f * (float)i, 0.0f, 0.0f);
    return count;
}

static void a_knot_of_waypoints_is_driven_over(void** state) {
    (void)state;
    kerb_random random = test_random("knots");
    static const struct {
        float spread;
        int32_t points;
    } knots[] = {{2.0f, 12}, {0.2f, 100}, {1.0f, 200}, {2.0f, 6}, {0.05f, 500}};
    for (int32_t i = 0; i < 20; i++) {
        kerb_waypoint waypoints[540];
        int32_t count = knot(&random, knots[i % 5].spread, knots[i % 5].points, waypoints);
        kerb_path path = path_of(waypoints, count);
        const char* name = names[i % 4];
        kerb_sim_model model = model_of(name);
        drive d = drive_from(&model, 0.0f, 0.0f, 0.0f);
        float worst = 0.0f;
        while (d.time < 60.0 && d.controls.reason != KERB_REASON_ARRIVED) {
            drive_step(&d, &path);
            worst = kerb_max(worst, kerb_abs(d.motion.position.y));
        }
        if (d.controls.reason != KERB_REASON_ARRIVED || worst > 5.0f)
            fail_msg("%s, %d points within %g m: %s after %.0f s, %.1f m aside", name,
                     (int)knots[i % 5].points, (double)knots[i % 5].spread,
                     kerb_reason_text(d.controls.reason), d.time, (double)worst);
        kerb_path_destroy(&path);
    }
}

static void far_beside_its_path_it_says_so(void** state) {
    (void)state;
    kerb_sim_model model = model_of("pickup");
    kerb_path path = straight(300.0f);
    drive d = drive_from(&model, 50.0f, 60.0f, 0.0f);
    for (int32_t i = 0; i < 60; i++)
        drive_step(&d, &path);
    assert_int_equal(d.controls.reason, KERB_REASON_OFF_PATH);
    assert_true(drive_to_end(&d, &path, 120.0));
    kerb_path_destroy(&path);
}

// --------------------------------------------------------------------------- found anew

static char anew_block[4096];

// Time until it arrives, the path found anew from the vehicle's place every so often. [s]
static double time_anew(const kerb_sim_model* model, kerb_vec3 goal, float speed, double period) {
    drive d = drive_from(model, 0.0f, 0.0f, 0.0f);
    d.follower.settings.speed = speed;
    kerb_path path = {.count = 0};
    double next = 0.0;
    while (d.time < 120.0 && d.controls.reason != KERB_REASON_ARRIVED) {
        if (path.count == 0 || (period >= 0.0 && d.time >= next)) {
            const kerb_waypoint waypoints[] = {
                kerb_waypoint_at(d.motion.position.x, d.motion.position.y, 0.0f),
                kerb_waypoint_at(goal.x, goal.y, 0.0f)};
            kerb_path found;
            if (kerb_path_build(&found, anew_block, waypoints, 2, false, NULL) == KERB_OK)
                path = found;
            next = d.time + period;
        }
        drive_step(&d, &path);
    }
    return d.controls.reason == KERB_REASON_ARRIVED ? d.time : (double)INFINITY;
}

static void a_path_found_anew_from_its_own_place_arrives_as_soon(void** state) {
    (void)state;
    assert_true(kerb_path_bytes(2) <= sizeof anew_block);
    kerb_random random = test_random("goals found anew");
    const int32_t goals = test_share(300, 40);
    int32_t arrived = 0, in_time = 0;
    for (int32_t i = 0; i < goals; i++) {
        kerb_sim_model model = model_of(names[kerb_random_below(&random, NAMES)]);
        float angle = kerb_random_between(&random, -KERB_PI, KERB_PI);
        float way = kerb_random_between(&random, 1.0f, 60.0f);
        float speed = kerb_random_between(&random, 4.0f, 15.0f);
        double period = (double)kerb_random_between(&random, 0.1f, 0.5f);
        kerb_vec3 goal = {way * kerb_cos(angle), way * kerb_sin(angle), 0.0f};
        double once = time_anew(&model, goal, speed, NEVER);
        double each = time_anew(&model, goal, speed, 0.0);
        double often = time_anew(&model, goal, speed, period);
        assert_true(isfinite(once));
        arrived += isfinite(each) + isfinite(often);
        in_time += (each <= 1.2 * once + 0.1) + (often <= 1.2 * once + 0.1);
    }
    print_message("%d goals: %d of %d arrive, %d within 1.2 times the time\n", (int)goals,
                  (int)arrived, 2 * (int)goals, (int)in_time);
    assert_true((float)arrived >= 0.995f * 2.0f * (float)goals);
    assert_true((float)in_time >= 0.99f * 2.0f * (float)goals);
}

// --------------------------------------------------------------------------- held

static void held_it_stands_and_waits_however_long(void** state) {
    (void)state;
    kerb_sim_model model = model_of("pickup");
    kerb_path path = straight(100.0f);
    drive d = drive_from(&model, 0.0f, 0.0f, 0.0f);
    d.around.held = true;
    for (int32_t i = 0; i < 60 * 60; i++) {
        drive_step(&d, &path);
        assert_int_equal(d.controls.reason, KERB_REASON_WAIT);
        assert_true(d.controls.throttle == 0.0f && d.controls.brake == 1.0f);
    }
    assert_true(d.driven < 0.01f);
    d.around.held = false;
    drive_step(&d, &path);
    assert_int_equal(d.controls.reason, KERB_REASON_ACCELERATE);
    assert_true(drive_to_end(&d, &path, d.time + 60.0));
    kerb_path_destroy(&path);
}

int arrival_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_back_to_an_end_behind_which_it_was_put),
        cmocka_unit_test(a_goal_inside_the_turning_circle_is_reached),
        cmocka_unit_test(taken_away_from_its_end_it_is_no_longer_there),
        cmocka_unit_test(brakes_are_not_given_up_for_a_bend_that_never_comes),
        cmocka_unit_test(a_round_as_an_open_path_is_driven_from_anywhere_before_it),
        cmocka_unit_test(a_knot_of_waypoints_is_driven_over),
        cmocka_unit_test(far_beside_its_path_it_says_so),
        cmocka_unit_test(a_path_found_anew_from_its_own_place_arrives_as_soon),
        cmocka_unit_test(held_it_stands_and_waits_however_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
