// What a player would see: the reference pick-up driven by the follower. Expected values are what
// the headers promise, with the road's geometry as the judge.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/follower_rig.h"

#include <math.h>
#include <stdio.h>

// --------------------------------------------------------------------------- stopping

static void it_stops_within_a_tenth_of_a_metre_of_the_end(void** state) {
    (void)state;
    static const float speeds[] = {2.0f, 5.0f, 10.0f, 20.0f, 30.0f};
    for (int32_t method = 0; method < 3; method++) {
        for (int32_t i = 0; i < 5; i++) {
            kerb_waypoint waypoints[80];
            rig r = rig_make(waypoints, rig_straight(waypoints, 80, 5.0f), false);
            r.follower.settings = kerb_follower_settings_default((kerb_follower_method)method);
            r.follower.settings.speed = speeds[i];
            assert_true(rig_until(&r, KERB_REASON_ARRIVED, 300.0));
            for (int32_t frame = 0; frame < 120; frame++)
                rig_step(&r);
            print_message("method %d, %g m/s: stopped %+.3f m\n", (int)method, (double)speeds[i],
                          (double)(r.motion.position.x - 395.0f));
            assert_true(fabsf(r.motion.position.x - 395.0f) <= 0.1f);
            assert_true(fabsf(rig_speed(&r)) < 0.01f);
            rig_free(&r);
        }
    }
}

static void it_has_not_arrived_far_beside_the_end(void** state) {
    (void)state;
    static const float asides[] = {0.0f, 1.5f, -3.0f, 13.0f, -40.0f};
    for (int32_t i = 0; i < 5; i++) {
        kerb_waypoint waypoints[21];
        rig r = rig_make(waypoints, rig_straight(waypoints, 21, 5.0f), false);
        r.car.position = kerb_vec3_make(99.9f, asides[i], 0.0f);
        r.motion = kerb_sim_car_motion(&r.car);
        float far = kerb_max(2.0f, r.follower.vehicle.length);
        bool arrives = false;
        while (r.time < 120.0 && !arrives && r.controls.reason != KERB_REASON_TELEPORT) {
            rig_step(&r);
            arrives = r.controls.reason == KERB_REASON_ARRIVED;
        }
        assert_true(arrives || kerb_abs(asides[i]) > far);
        assert_true(arrives ? fabsf(r.motion.position.y) <= far
                            : r.controls.reason == KERB_REASON_TELEPORT);
        rig_free(&r);
    }
}

static void it_stands_at_a_stop_as_long_as_asked_and_goes_on(void** state) {
    (void)state;
    kerb_waypoint waypoints[41];
    rig_straight(waypoints, 41, 5.0f);
    waypoints[20].stop = 3.0f;
    rig r = rig_make(waypoints, 41, false);
    assert_true(rig_until(&r, KERB_REASON_STOP, 60.0));
    assert_true(rig_until(&r, KERB_REASON_WAIT, 60.0));
    double since = r.time;
    assert_true(fabsf(r.motion.position.x - 100.0f) <= 0.15f);
    while (r.controls.reason == KERB_REASON_WAIT)
        rig_step(&r);
    assert_true(fabs(r.time - since - 3.0) < 0.05);
    assert_true(rig_until(&r, KERB_REASON_ARRIVED, 60.0));
    rig_free(&r);
}

static void a_stop_without_end_lasts_until_the_host_lets_it_go(void** state) {
    (void)state;
    kerb_waypoint waypoints[21];
    rig_straight(waypoints, 21, 5.0f);
    waypoints[10].stop = KERB_STOP_FOREVER;
    rig r = rig_make(waypoints, 21, false);
    assert_true(rig_until(&r, KERB_REASON_WAIT, 60.0));
    for (int32_t i = 0; i < 6000; i++) {
        rig_step(&r);
        assert_int_equal(r.controls.reason, KERB_REASON_WAIT);
    }
    kerb_follower_go(&r.follower);
    assert_true(rig_until(&r, KERB_REASON_ARRIVED, 60.0));
    rig_free(&r);
}

static void it_waits_where_the_path_begins_with_a_stop(void** state) {
    (void)state;
    kerb_waypoint waypoints[21];
    rig_straight(waypoints, 21, 5.0f);
    waypoints[0].stop = 2.0f;
    rig r = rig_make(waypoints, 21, false);
    for (int32_t i = 0; i < 115; i++) {
        rig_step(&r);
        assert_int_equal(r.controls.reason, KERB_REASON_WAIT);
    }
    assert_true(rig_until(&r, KERB_REASON_ARRIVED, 60.0));
    rig_free(&r);
}

static void it_stops_on_a_hill_and_starts_again(void** state) {
    (void)state;
    for (int32_t side = -1; side <= 1; side += 2) {
        kerb_waypoint waypoints[41];
        float slope = 0.2f * (float)side;
        for (int32_t i = 0; i < 41; i++)
            waypoints[i] = kerb_waypoint_at((float)i * 5.0f, 0.0f, (float)i * 5.0f * slope);
        waypoints[20].stop = 2.0f;
        rig r = rig_make(waypoints, 41, false);
        r.slope = slope;
        float lowest = 1.0f;
        assert_true(rig_until(&r, KERB_REASON_WAIT, 60.0));
        assert_true(fabsf(r.motion.position.x - 100.0f) <= 0.2f);
        while (r.controls.reason != KERB_REASON_ARRIVED && r.time < 90.0) {
            rig_step(&r);
            lowest = kerb_min(lowest, rig_speed(&r));
        }
        assert_int_equal(r.controls.reason, KERB_REASON_ARRIVED);
        assert_true(fabsf(r.motion.position.x - 200.0f) <= 0.1f);
        assert_true(lowest > -0.15f); // rolls back by no more than a hand's breadth
        rig_free(&r);
    }
}

static void it_holds_its_speed_uphill_and_downhill(void** state) {
    (void)state;
    static const float slopes[] = {-0.15f, -0.05f, 0.05f, 0.15f};
    for (int32_t i = 0; i < 4; i++) {
        kerb_waypoint waypoints[101];
        for (int32_t j = 0; j < 101; j++)
            waypoints[j] = kerb_waypoint_at((float)j * 5.0f, 0.0f, (float)j * 5.0f * slopes[i]);
        rig r = rig_make(waypoints, 101, false);
        r.slope = slopes[i];
        while (r.motion.position.x < 250.0f)
            rig_step(&r);
        while (r.motion.position.x < 400.0f) {
            rig_step(&r);
            assert_true(fabsf(rig_speed(&r) - 10.0f) < 0.5f);
        }
        rig_free(&r);
    }
}

// --------------------------------------------------------------------------- reversing

static void it_reverses_out_and_drives_on(void** state) {
    (void)state;
    // Forwards 30 m, back 20 m in a bend to the left of the car's tail, forwards again.
    kerb_waypoint waypoints[100];
    int32_t count = rig_straight(waypoints, 16, 2.0f);
    waypoints[15].direction = -1;
    float x = 30.0f, y = 0.0f, heading = KERB_PI;
    for (int32_t i = 0; i < 10; i++) {
        heading += 0.12f;
        x += 2.0f * kerb_cos(heading);
        y += 2.0f * kerb_sin(heading);
        waypoints[count] = kerb_waypoint_at(x, y, 0.0f);
        waypoints[count++].direction = -1;
    }
    waypoints[count - 1].direction = 1;
    float out = heading + KERB_PI;
    for (int32_t i = 0; i < 15; i++) {
        x += 2.0f * kerb_cos(out);
        y += 2.0f * kerb_sin(out);
        waypoints[count++] = kerb_waypoint_at(x, y, 0.0f);
    }
    rig r = rig_make(waypoints, count, false);
    float worst = 0.0f;
    int32_t changes = 0, gear = 1;
    while (r.controls.reason != KERB_REASON_ARRIVED && r.time < 90.0) {
        rig_step(&r);
        worst = kerb_max(worst, fabsf(r.follower.decision.cross_track_error));
        int32_t now = r.controls.gear < 0 ? -1 : 1;
        changes += now != gear;
        gear = now;
    }
    print_message("greatest error %.2f m, %.1f s\n", (double)worst, r.time);
    assert_int_equal(r.controls.reason, KERB_REASON_ARRIVED);
    assert_int_equal(changes, 2);
    // The bend begins at the reversal without warning: the nose swings out before the tail is in
    // it.
    assert_true(worst < 0.8f);
    float off_x = r.motion.position.x - x, off_y = r.motion.position.y - y;
    assert_true(sqrtf(off_x * off_x + off_y * off_y) < 0.25f);
    rig_free(&r);
}

static void a_path_that_is_all_reverse_is_driven_backwards(void** state) {
    (void)state;
    kerb_waypoint waypoints[60];
    for (int32_t i = 0; i < 60; i++) {
        float angle = (float)i * 0.05f;
        waypoints[i] =
            kerb_waypoint_at(-20.0f * kerb_sin(angle), 20.0f - 20.0f * kerb_cos(angle), 0);
        waypoints[i].direction = -1;
    }
    rig r = rig_make(waypoints, 60, false);
    float worst = 0.0f;
    while (r.controls.reason != KERB_REASON_ARRIVED && r.time < 90.0) {
        rig_step(&r);
        worst = kerb_max(worst, fabsf(r.follower.decision.cross_track_error));
        assert_true(rig_speed(&r) < 0.2f);
    }
    print_message("greatest error %.2f m, %.1f s\n", (double)worst, r.time);
    assert_int_equal(r.controls.reason, KERB_REASON_ARRIVED);
    assert_true(worst < 0.4f);
    rig_free(&r);
}

static void a_path_that_doubles_back_slows_to_the_least_speed_and_is_finished(void** state) {
    (void)state;
    kerb_waypoint waypoints[41];
    for (int32_t i = 0; i < 41; i++)
        waypoints[i] = kerb_waypoint_at(i <= 20 ? (float)i * 4.0f : (float)(40 - i) * 4.0f, 0, 0);
    rig r = rig_make(waypoints, 41, false);
    float at_turn = 100.0f;
    while (r.controls.reason != KERB_REASON_ARRIVED && r.time < 120.0) {
        rig_step(&r);
        if (r.motion.position.x > 79.0f)
            at_turn = kerb_min(at_turn, rig_speed(&r));
    }
    print_message("speed at the turn %.2f m/s, %.1f s\n", (double)at_turn, r.time);
    assert_int_equal(r.controls.reason, KERB_REASON_ARRIVED);
    assert_true(at_turn < 7.0f);
    rig_free(&r);
}

// --------------------------------------------------------------------------- steadiness

static void an_offset_of_a_metre_dies_away_with_one_small_overshoot(void** state) {
    (void)state;
    static kerb_waypoint waypoints[1500];
    rig_straight(waypoints, 1500, 2.0f);
    static const float speeds[] = {5.0f, 10.0f, 20.0f, 30.0f};
    static const float rates[] = {20.0f, 30.0f, 60.0f, 120.0f};
    for (int32_t i = 0; i < 16; i++) {
        rig r = rig_make(waypoints, 1500, false);
        r.hz = rates[i % 4];
        r.follower.settings.speed = speeds[i / 4];
        while (r.time < 40.0)
            rig_step(&r);
        r.car.position.y += 1.0f;
        r.motion = kerb_sim_car_motion(&r.car);
        float overshoot = 0.0f, after = 0.0f;
        bool crossed = false, back = false;
        while (r.time < 52.0) {
            rig_step(&r);
            float y = r.motion.position.y;
            crossed = crossed || y < 0.0f;
            overshoot = crossed && !back ? kerb_max(overshoot, -y) : overshoot;
            back = back || (crossed && y > 0.0f);
            after = back ? kerb_max(after, fabsf(y)) : after;
        }
        assert_true(fabsf(r.motion.position.y) < 0.02f);
        assert_true(overshoot <= 0.10f);
        assert_true(after <= 0.02f);
        rig_free(&r);
    }
}

static void a_fast_vehicle_sees_a_bend_in_time(void** state) {
    (void)state;
    // 600 m straight, then a quarter circle of 20 m radius; 40 m/s need 229 m of braking.
    kerb_waypoint waypoints[400];
    int32_t count = rig_straight(waypoints, 301, 2.0f);
    for (int32_t i = 1; i <= 16; i++) {
        float angle = (float)i * 0.1f;
        waypoints[count++] =
            kerb_waypoint_at(600.0f + 20.0f * kerb_sin(angle), 20.0f - 20.0f * kerb_cos(angle), 0);
    }
    kerb_vec3 last = waypoints[count - 1].position;
    for (int32_t i = 1; i <= 20; i++)
        waypoints[count++] = kerb_waypoint_at(last.x, last.y + 5.0f * (float)i, 0.0f);
    rig r = rig_make(waypoints, count, false);
    r.follower.settings.speed = 40.0f;
    float top = 0.0f, in_bend = 0.0f, worst = 0.0f;
    while (r.controls.reason != KERB_REASON_ARRIVED && r.time < 120.0) {
        rig_step(&r);
        top = kerb_max(top, rig_speed(&r));
        if (r.motion.position.x > 605.0f && r.motion.position.y < 10.0f)
            in_bend = kerb_max(in_bend, rig_speed(&r));
        worst = kerb_max(worst, fabsf(r.follower.decision.cross_track_error));
    }
    print_message("top %.1f, in the bend %.2f m/s, error %.2f m\n", (double)top, (double)in_bend,
                  (double)worst);
    assert_int_equal(r.controls.reason, KERB_REASON_ARRIVED);
    assert_true(top > 29.0f); // in a corridor 4 m wide
    assert_true(in_bend < 1.05f * sqrtf(0.7f * KERB_GRAVITY * 20.0f));
    assert_true(worst < 0.6f);
    rig_free(&r);
}

static void it_drives_rounds_on_a_closed_path_without_a_jerk_at_the_seam(void** state) {
    (void)state;
    kerb_waypoint waypoints[63];
    for (int32_t i = 0; i < 63; i++) {
        float angle = (float)i * (2.0f * KERB_PI / 63.0f);
        waypoints[i] = kerb_waypoint_at(30.0f * kerb_cos(angle), 30.0f * kerb_sin(angle), 0.0f);
    }
    rig r = rig_make(waypoints, 63, true);
    float least = 10.0f, most = -10.0f, slowest = 100.0f;
    while (r.time < 20.0)
        rig_step(&r);
    while (r.time < 120.0) { // five rounds
        rig_step(&r);
        least = kerb_min(least, r.controls.steering);
        most = kerb_max(most, r.controls.steering);
        slowest = kerb_min(slowest, rig_speed(&r));
        assert_true(fabsf(r.follower.decision.cross_track_error) < 0.15f);
    }
    assert_true(most - least < 0.05f);
    assert_true(slowest > 9.5f);
    rig_free(&r);
}

static void a_lateral_offset_is_driven_smoothly(void** state) {
    (void)state;
    kerb_waypoint waypoints[200];
    rig r = rig_make(waypoints, rig_straight(waypoints, 200, 5.0f), false);
    while (r.time < 10.0)
        rig_step(&r);
    r.follower.settings.lateral_offset = 1.5f;
    float most = 0.0f;
    while (r.time < 25.0) {
        rig_step(&r);
        most = kerb_max(most, r.motion.position.y);
    }
    assert_true(fabsf(r.motion.position.y - 1.5f) < 0.05f);
    assert_true(most < 1.6f);
    r.follower.settings.lateral_offset = -1.0f;
    while (r.time < 40.0)
        rig_step(&r);
    assert_true(fabsf(r.motion.position.y + 1.0f) < 0.05f);
    rig_free(&r);
}

// --------------------------------------------------------------------------- limits and reasons

static void speed_limits_and_caps_are_kept_and_named(void** state) {
    (void)state;
    kerb_waypoint waypoints[81];
    rig_straight(waypoints, 81, 5.0f);
    for (int32_t i = 30; i < 50; i++)
        waypoints[i].speed_limit = 4.0f;
    rig r = rig_make(waypoints, 81, false);
    bool named = false;
    while (r.motion.position.x < 245.0f) {
        rig_step(&r);
        named = named || r.controls.reason == KERB_REASON_SPEED_LIMIT;
        if (r.motion.position.x > 150.0f)
            assert_true(rig_speed(&r) < 4.25f);
    }
    assert_true(named);
    r.around.speed_cap = 2.0f;
    assert_true(rig_until(&r, KERB_REASON_SPEED_CAP, 1.0));
    while (r.motion.position.x < 280.0f)
        rig_step(&r);
    assert_true(fabsf(rig_speed(&r) - 2.0f) < 0.15f);
    rig_free(&r);
}

static void on_ice_it_drives_as_ice_allows(void** state) {
    (void)state;
    kerb_waypoint waypoints[200];
    for (int32_t i = 0; i < 200; i++) {
        float angle = (float)i * 0.05f;
        waypoints[i] =
            kerb_waypoint_at(40.0f * kerb_sin(angle), 40.0f - 40.0f * kerb_cos(angle), 0);
    }
    rig r = rig_make(waypoints, 200, false);
    r.around.grip = 0.15f;
    float worst = 0.0f;
    while (r.time < 40.0) {
        rig_step(&r);
        worst = kerb_max(worst, fabsf(r.follower.decision.cross_track_error));
    }
    print_message("on ice: error %.2f m at %.1f m/s\n", (double)worst, (double)rig_speed(&r));
    assert_true(worst < 0.8f);
    assert_true(rig_speed(&r) > 4.0f);
    rig_free(&r);
}

int follower_driving_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stops_within_a_tenth_of_a_metre_of_the_end),
        cmocka_unit_test(it_has_not_arrived_far_beside_the_end),
        cmocka_unit_test(it_stands_at_a_stop_as_long_as_asked_and_goes_on),
        cmocka_unit_test(a_stop_without_end_lasts_until_the_host_lets_it_go),
        cmocka_unit_test(it_waits_where_the_path_begins_with_a_stop),
        cmocka_unit_test(it_stops_on_a_hill_and_starts_again),
        cmocka_unit_test(it_holds_its_speed_uphill_and_downhill),
        cmocka_unit_test(it_reverses_out_and_drives_on),
        cmocka_unit_test(a_path_that_is_all_reverse_is_driven_backwards),
        cmocka_unit_test(a_path_that_doubles_back_slows_to_the_least_speed_and_is_finished),
        cmocka_unit_test(an_offset_of_a_metre_dies_away_with_one_small_overshoot),
        cmocka_unit_test(a_fast_vehicle_sees_a_bend_in_time),
        cmocka_unit_test(it_drives_rounds_on_a_closed_path_without_a_jerk_at_the_seam),
        cmocka_unit_test(a_lateral_offset_is_driven_smoothly),
        cmocka_unit_test(speed_limits_and_caps_are_kept_and_named),
        cmocka_unit_test(on_ice_it_drives_as_ice_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
