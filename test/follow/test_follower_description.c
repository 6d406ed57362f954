// A follower in hosts whose steering or tracks give less at speed: an arcade car whose lock falls,
// and a tank whose tracks cannot go faster than the tank. Both are kinematic.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/follow.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

#define STEP (1.0f / 60.0f)
#define POINTS 140

typedef struct host {
    kerb_vehicle told;
    kerb_share_curve lock; // true
    float track_width;     // true [m]
    float x, y, heading, speed, wheels, turn_rate;
} host;

// Bends of random radii, smallest `radius`, with straights between.
static void winding(kerb_path* path, kerb_random* random, float radius) {
    kerb_waypoint points[POINTS];
    kerb_host memory = kerb_host_default();
    kerb_vec2 at = {0.0f, 0.0f};
    float heading = 0.0f, bend = 0.0f, left = 30.0f;
    for (int32_t i = 0; i < POINTS; i++) {
        points[i] = kerb_waypoint_at(at.x, at.y, 0.0f);
        left -= 4.0f;
        if (left <= 0.0f) {
            bool straight = bend != 0.0f && kerb_random_below(random, 3) == 0;
            float side = kerb_random_below(random, 2) == 0 ? 1.0f : -1.0f;
            bend = straight ? 0.0f : side / (radius * kerb_random_between(random, 1.0f, 3.0f));
            left = kerb_random_between(random, 15.0f, 45.0f);
        }
        heading += 4.0f * bend;
        at.x += 4.0f * kerb_cos(heading);
        at.y += 4.0f * kerb_sin(heading);
    }
    assert_int_equal(kerb_path_create(path, points, POINTS, false, &memory, NULL), KERB_OK);
}

static void move(host* h, const kerb_controls* c) {
    const kerb_vehicle* v = &h->told;
    float way = c->gear < 0 ? -1.0f : 1.0f;
    float slows = (c->brake * v->braking_max + v->coasting_deceleration) * STEP;
    h->speed += way * c->throttle * v->acceleration_max * STEP;
    h->speed -= kerb_clamp(h->speed, -slows, slows);
    if (v->kind == KERB_VEHICLE_WHEELED) {
        float most = v->steering_angle_max * kerb_share_at(&h->lock, h->speed);
        float turn = c->steering * most - h->wheels, step = v->steering_rate_max * STEP;
        h->wheels += kerb_clamp(turn, -step, step);
        h->turn_rate = h->speed * kerb_tan(h->wheels) / v->wheelbase;
    } else {
        float outer = kerb_max(2.0f * (v->speed_max - h->speed) / h->track_width, 0.01f);
        float most = kerb_min(outer, v->yaw_rate_max), step = v->yaw_acceleration_max * STEP;
        float wanted = kerb_clamp(c->steering * v->yaw_rate_max, -most, most);
        h->turn_rate += kerb_clamp(wanted - h->turn_rate, -step, step);
    }
    h->heading += h->turn_rate * STEP;
    h->x += h->speed * kerb_cos(h->heading) * STEP;
    h->y += h->speed * kerb_sin(h->heading) * STEP;
}

static kerb_motion motion_of(const host* h) {
    kerb_motion m = kerb_motion_default();
    m.position = kerb_vec3_make(h->x, h->y, 0.0f);
    m.rotation = kerb_quat_from_heading(h->heading);
    m.velocity = kerb_vec3_scale(kerb_quat_forward(m.rotation), h->speed);
    m.angular_velocity.z = h->turn_rate;
    m.steering = h->wheels / h->told.steering_angle_max;
    return m;
}

typedef struct drive {
    float time, worst; // [s], greatest cross-track error [m]
    bool arrived;
} drive;

static drive drive_along(host h, const kerb_path* path) {
    kerb_follower follower = kerb_follower_make(&h.told);
    follower.settings.speed = 25.0f;
    drive d = {0};
    while (d.time < 200.0f && !d.arrived) {
        kerb_motion m = motion_of(&h);
        kerb_controls c = kerb_follower_drive(&follower, path, &m, NULL, STEP);
        move(&h, &c);
        d.time += STEP;
        d.worst = kerb_max(d.worst, kerb_abs(follower.decision.cross_track_error));
        d.arrived = c.reason == KERB_REASON_ARRIVED;
    }
    return d;
}

static void expect_nearer(host h, const char* what, float radius, float most,
                          void (*tell)(host* h)) {
    kerb_random random = test_random(what);
    for (int i = 0; i < 4; i++) {
        kerb_path path;
        winding(&path, &random, radius);
        drive without = drive_along(h, &path);
        host knows = h;
        tell(&knows);
        assert_int_equal(kerb_vehicle_validate(&knows.told, NULL), KERB_OK);
        drive with = drive_along(knows, &path);
        print_message("%s: told %.2f m in %.1f s, not told %.2f m in %.1f s\n", what,
                      (double)with.worst, (double)with.time, (double)without.worst,
                      (double)without.time);
        assert_true(with.arrived);
        assert_true(with.worst < most && without.worst > 1.2f * with.worst);
        kerb_path_destroy(&path);
    }
}

static void tell_lock(host* h) {
    h->told.steering_lock = h->lock;
}

static void tell_tracks(host* h) {
    h->told.track_width = h->track_width;
}

static void a_lock_that_falls_with_speed_is_driven_as_it_is_told(void** state) {
    (void)state;
    host h = {.told = kerb_vehicle_default()};
    h.told.reference_to_rear_axle = 0.0f;
    h.told.reference_to_front = 3.55f;
    h.told.understeer_gradient = 0.0f;
    h.lock = (kerb_share_curve){.count = 3, .speed = {0, 8, 20}, .share = {1, 0.6f, 0.12f}};
    expect_nearer(h, "falling lock", 14.0f, 0.8f, tell_lock);
}

static void tracks_that_go_no_faster_than_the_vehicle_are_driven_as_told(void** state) {
    (void)state;
    host h = {.told = kerb_vehicle_default(), .track_width = 2.4f};
    h.told.kind = KERB_VEHICLE_TRACKED;
    h.told.length = 6.0f;
    h.told.width = 3.2f;
    h.told.reference_to_rear_axle = 0.0f;
    h.told.reference_to_front = 3.0f;
    h.told.wheelbase = 2.2f;
    h.told.speed_max = 5.0f;
    h.told.yaw_rate_max = 1.2f;
    h.told.steering_delay = 0.0f;
    expect_nearer(h, "tracks", 25.0f, 1.2f, tell_tracks);
}

// A host that shifts as it is told and never says so: gear 1 for ever.
static int32_t highest_gear(int32_t gear_told, float* top) {
    host h = {.told = kerb_vehicle_default()};
    h.told.drive_train.gear_count = 5;
    h.told.drive_train.gear_told = gear_told;
    kerb_waypoint points[2] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                               kerb_waypoint_at(1500.0f, 0.0f, 0.0f)};
    kerb_path path;
    kerb_host memory = kerb_host_default();
    assert_int_equal(kerb_path_create(&path, points, 2, false, &memory, NULL), KERB_OK);
    kerb_follower follower = kerb_follower_make(&h.told);
    follower.settings.speed = 40.0f;
    int32_t highest = 0;
    *top = 0.0f;
    for (float time = 0.0f; time < 60.0f; time += STEP) {
        kerb_motion m = motion_of(&h);
        kerb_controls c = kerb_follower_drive(&follower, &path, &m, NULL, STEP);
        const kerb_drive_train* train = &h.told.drive_train;
        int32_t gear = c.gear > 0 ? c.gear : 1;
        float turns = h.speed * train->gear_ratio[gear - 1] / train->wheel_radius;
        c.throttle = turns < train->engine_speed_max ? c.throttle : 0.0f;
        move(&h, &c);
        highest = c.gear > highest ? c.gear : highest;
        *top = kerb_max(*top, h.speed);
    }
    kerb_path_destroy(&path);
    print_message("gear told %d: highest %d, %.1f m/s\n", (int)gear_told, (int)highest,
                  (double)*top);
    return highest;
}

static void a_gear_that_is_never_told_is_the_commanded_one(void** state) {
    (void)state;
    float top;
    assert_true(highest_gear(KERB_GEAR_TOLD_NOTHING, &top) == 5 && top > 28.0f);
    // Without a word the driver never finds its gears.
    assert_true(highest_gear(KERB_GEAR_TOLD_ENGAGED, &top) <= 2);
}

int follower_description_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_that_falls_with_speed_is_driven_as_it_is_told),
        cmocka_unit_test(a_gear_that_is_never_told_is_the_commanded_one),
        cmocka_unit_test(tracks_that_go_no_faster_than_the_vehicle_are_driven_as_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
