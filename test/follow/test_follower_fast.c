// Fast along roads whose bends tighten: a vehicle that brakes into them as the circle of forces
// allows takes the load off its rear axle, and leaves the road tail first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course/trial.h"
#include "sim/vehicle.h"
#include "test/seed.h"

#include <string.h>

#define POINTS 600
#define STEP 5.0f

typedef struct pen {
    kerb_waypoint waypoints[POINTS];
    int32_t count;
    float x, y, heading, curvature;
} pen;

static void put(pen* p) {
    assert_true(p->count < POINTS);
    p->waypoints[p->count] = kerb_waypoint_at(p->x, p->y, 0.0f);
    p->waypoints[p->count].left = p->waypoints[p->count].right = 5.0f;
    p->count++;
}

// On for a way, while the curvature changes evenly to another.
static void go(pen* p, float way, float curvature) {
    int32_t steps = (int32_t)(way / STEP + 0.5f);
    float change = (curvature - p->curvature) / (float)steps;
    for (int32_t i = 0; i < steps; i++) {
        p->curvature += 0.5f * change;
        p->heading += 0.5f * STEP * p->curvature;
        p->x += STEP * kerb_cos(p->heading);
        p->y += STEP * kerb_sin(p->heading);
        p->heading += 0.5f * STEP * p->curvature;
        p->curvature += 0.5f * change;
        put(p);
    }
}

// A bend that tightens to a radius over a way, holds it through a turn, and opens again.
static void bend(pen* p, float radius, float tightening, float turn, float side) {
    go(p, tightening, side / radius);
    go(p, kerb_max(turn * radius, STEP), side / radius);
    go(p, 30.0f, 0.0f);
}

static void draw_track(pen* p, kerb_random* random) {
    memset(p, 0, sizeof *p);
    put(p);
    go(p, 120.0f, 0.0f);
    for (int32_t i = 0; i < 6; i++) {
        float side = i % 2 == 0 ? 1.0f : -1.0f;
        bend(p, kerb_random_between(random, 22.0f, 60.0f),
             kerb_random_between(random, 20.0f, 90.0f), kerb_random_between(random, 0.3f, 1.4f),
             side);
        if (i == 2)
            go(p, 150.0f, 0.0f);
    }
    go(p, 60.0f, 0.0f);
}

static kerb_scene_result drive(pen* track, const char* name, float speed,
                               void (*watch)(void* context, const kerb_scene_frame* frame),
                               void* context) {
    kerb_host host = kerb_host_default();
    kerb_scene_course course;
    memset(&course, 0, sizeof course);
    course.waypoints = track->waypoints;
    course.count = track->count;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    kerb_vehicle vehicle = model.vehicle;
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    settings.speed = speed;
    kerb_scene_trial trial = kerb_scene_trial_default(&course, &vehicle, &settings);
    trial.model = &model;
    trial.watch = watch;
    trial.context = context;
    kerb_scene_result result;
    assert_int_equal(kerb_scene_trial_run(&trial, &host, &result, NULL), KERB_OK);
    return result;
}

static void bends_that_tighten_are_braked_into_without_a_spin(void** state) {
    (void)state;
    static const char* const names[] = {"buggy", "pickup", "scout", "carrier"};
    static const float speeds[] = {10.0f, 20.0f, 30.0f};
    kerb_random random = test_random("tracks");
    double ratio = 0.0;
    for (int32_t i = 0; i < 4; i++) {
        static pen track;
        draw_track(&track, &random);
        for (int32_t k = 0; k < 12; k++) {
            kerb_scene_result result = drive(&track, names[k / 3], speeds[k % 3], NULL, NULL);
            if (!result.finished || result.cte_max > 2.5 || result.cte_mean > 0.2)
                fail_msg("%s at %g m/s: %.2f m off, %.2f m on average", names[k / 3],
                         (double)speeds[k % 3], result.cte_max, result.cte_mean);
            ratio += result.speed_ratio / 48.0;
        }
    }
    print_message("speed ratio %.3f\n", ratio);
    assert_true(ratio > 0.85); // and nobody crawls
}

static void note_where_it_waits(void* context, const kerb_scene_frame* frame) {
    float* stood = context;
    if (frame->controls.reason == KERB_REASON_WAIT)
        *stood = frame->motion.position.x;
}

// Ice from some way before a stop on: nothing of that is in view when its braking must begin.
static void it_stops_on_ice_that_begins_far_ahead(void** state) {
    (void)state;
    static const char* const names[] = {"buggy", "pickup", "scout", "carrier", "hovercraft"};
    static const float slippery[] = {10.0f, 40.0f, 80.0f};
    for (int32_t k = 0; k < 15; k++) {
        static pen road;
        memset(&road, 0, sizeof road);
        put(&road);
        go(&road, 340.0f, 0.0f);
        for (int32_t i = 0; i < road.count; i++) {
            float x = road.waypoints[i].position.x;
            bool ice = x >= 250.0f - slippery[k / 5] && x < 300.0f;
            road.waypoints[i].grip = ice ? 0.15f : 1.0f;
            road.waypoints[i].stop = kerb_abs(x - 250.0f) < 0.1f ? 1.0f : 0.0f;
        }
        float stood = 0.0f;
        drive(&road, names[k % 5], 20.0f, note_where_it_waits, &stood);
        float most = k % 5 == 4 ? 2.0f : 0.3f; // what hovers slides the last bit
        if (kerb_abs(stood - 250.0f) > most)
            fail_msg("%s, %g m of ice: %.2f m beyond the stop", names[k % 5],
                     (double)slippery[k / 5], (double)stood - 250.0);
    }
}

static void note_error_on_the_bank(void* context, const kerb_scene_frame* frame) {
    float* most = context;
    if (frame->progress < 380.0) // then it slows for the end
        *most = kerb_max(*most, kerb_abs(frame->cross_track_error));
}

// Gravity pulls it down the bank, in bends to their inside and on straights aside, and only thrust
// holds it.
static void a_hovercraft_keeps_its_line_on_a_bank(void** state) {
    (void)state;
    static const float speeds[] = {6.0f, 10.0f, 15.0f};
    for (int32_t k = 0; k < 5; k++) { // outwards at 15 m/s asks for more than its thrust
        static pen road;
        memset(&road, 0, sizeof road);
        put(&road);
        go(&road, 60.0f, 0.0f);
        go(&road, 40.0f, 0.01f);
        go(&road, 200.0f, 0.01f);
        go(&road, 40.0f, 0.0f);
        go(&road, 120.0f, 0.0f);
        for (int32_t i = 8; i < road.count; i++) {
            float bank = kerb_min(0.02f * (float)(i - 8), 0.17f); // 10 degrees
            road.waypoints[i].bank = k < 3 ? -bank : bank;
        }
        float most = 0.0f;
        kerb_scene_result result =
            drive(&road, "hovercraft", speeds[k % 3], note_error_on_the_bank, &most);
        print_message("%s, %g m/s: %.2f m off\n", k < 3 ? "inwards" : "outwards",
                      (double)speeds[k % 3], (double)most);
        assert_true(result.finished && most < 1.5f);
    }
}

int follower_fast_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bends_that_tighten_are_braked_into_without_a_spin),
        cmocka_unit_test(it_stops_on_ice_that_begins_far_ahead),
        cmocka_unit_test(a_hovercraft_keeps_its_line_on_a_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
