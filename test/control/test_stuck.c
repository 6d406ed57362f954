// Noticing being stuck, and never where there is only waiting, a stop or a slow hill; and the steps
// that follow, in their order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/control.h"
#include "test/follower_rig.h"

#include <math.h>

#define STEP (1.0f / 60.0f)

static kerb_stuck_settings defaults(void) {
    kerb_stuck_settings settings;
    kerb_settings_set_defaults(&kerb_stuck_settings_table, &settings);
    return settings;
}

// Watches a vehicle at a constant speed for so long; true when it ever counted as stuck.
static bool ever_stuck(float speed, bool presses, float seconds) {
    kerb_stuck stuck = {0};
    kerb_stuck_settings settings = defaults();
    double progress = 0.0;
    for (float t = 0.0f; t < seconds; t += STEP) {
        progress += (double)(speed * STEP);
        if (kerb_stuck_watch(&stuck, &settings, progress, speed, presses, 0.1f, STEP) !=
            KERB_STUCK_FREE)
            return true;
    }
    return false;
}

static void waiting_is_never_being_stuck(void** state) {
    (void)state;
    assert_false(ever_stuck(0.0f, false, 3600.0f));
}

static void a_slow_hill_is_never_being_stuck(void** state) {
    (void)state;
    assert_false(ever_stuck(0.25f, true, 600.0f));
    assert_false(ever_stuck(1.0f, true, 600.0f));
}

static void pressing_on_in_vain_is_being_stuck_after_the_patience(void** state) {
    (void)state;
    kerb_stuck stuck = {0};
    kerb_stuck_settings settings = defaults();
    float t = 0.0f;
    while (kerb_stuck_watch(&stuck, &settings, 5.0, 0.0f, true, 0.1f, STEP) == KERB_STUCK_FREE)
        t += STEP;
    assert_true(fabsf(t - settings.patience) < 2.0f * STEP);
    assert_int_equal(stuck.phase, KERB_STUCK_BACK_OUT);
}

static void driving_in_circles_is_being_stuck(void** state) {
    (void)state;
    kerb_stuck stuck = {0};
    kerb_stuck_settings settings = defaults();
    float t = 0.0f;
    while (t < 60.0f && kerb_stuck_watch(&stuck, &settings, (double)sinf(t), 3.0f, true, 0.1f,
                                         STEP) == KERB_STUCK_FREE)
        t += STEP;
    assert_true(t > 10.0f && t < 15.0f);
}

// Where nothing helps: sides alternate, distances double, then it asks, then it gives up.
static void tries_alternate_grow_and_end_in_asking_and_giving_up(void** state) {
    (void)state;
    kerb_stuck stuck = {0};
    kerb_stuck_settings settings = defaults();
    settings.tries = 4;
    float sides[4] = {0}, backed[4] = {0};
    kerb_stuck_phase phase = KERB_STUCK_FREE;
    for (float t = 0.0f; t < 120.0f && phase != KERB_STUCK_GIVEN_UP; t += STEP) {
        float speed = phase == KERB_STUCK_BACK_OUT ? -2.5f : 0.0f;
        phase = kerb_stuck_watch(&stuck, &settings, 5.0, speed, true, 0.1f, STEP);
        if (phase == KERB_STUCK_BACK_OUT) {
            sides[stuck.tries - 1] = stuck.side;
            backed[stuck.tries - 1] += 2.5f * STEP;
        }
    }
    assert_int_equal(phase, KERB_STUCK_GIVEN_UP);
    for (int32_t i = 0; i < 4; i++) {
        assert_true(sides[i] == (i % 2 == 0 ? 1.0f : -1.0f));
        float asked = settings.distance * (i < 2 ? 1.0f : 2.0f);
        assert_true(fabsf(backed[i] - asked) < 0.15f);
    }
}

static void a_try_that_is_blocked_behind_ends_early(void** state) {
    (void)state;
    kerb_stuck stuck = {0};
    kerb_stuck_settings settings = defaults();
    while (kerb_stuck_watch(&stuck, &settings, 5.0, 0.0f, true, 0.1f, STEP) == KERB_STUCK_FREE) {
    }
    float t = 0.0f;
    while (kerb_stuck_watch(&stuck, &settings, 5.0, 0.0f, true, 0.1f, STEP) == KERB_STUCK_BACK_OUT)
        t += STEP;
    assert_true(t < 2.0f);
}

static void progress_past_the_place_forgets_the_tries(void** state) {
    (void)state;
    kerb_stuck stuck = {0};
    kerb_stuck_settings settings = defaults();
    while (kerb_stuck_watch(&stuck, &settings, 5.0, 0.0f, true, 0.1f, STEP) == KERB_STUCK_FREE) {
    }
    assert_int_equal(stuck.tries, 1);
    for (int32_t i = 0; i < 600; i++)
        kerb_stuck_watch(&stuck, &settings, 5.0, -2.5f, true, 0.1f, STEP);
    for (double progress = 2.0; progress < 10.5; progress += 0.05)
        kerb_stuck_watch(&stuck, &settings, progress, 3.0f, true, 0.1f, STEP);
    assert_int_equal(stuck.tries, 0);
}

static void without_recovery_it_does_nothing(void** state) {
    (void)state;
    kerb_stuck stuck = {0};
    kerb_stuck_settings settings = defaults();
    settings.recovery = KERB_RECOVERY_NONE;
    for (int32_t i = 0; i < 10000; i++)
        assert_int_equal(kerb_stuck_watch(&stuck, &settings, 5.0, 0.0f, true, 0.1f, STEP),
                         KERB_STUCK_FREE);
}

// ------------------------------------------------------------------- in the follower

// A car that a wall stops until it has backed out 3 m: it gets past by itself, without help.
static void the_follower_backs_out_of_a_trap_and_drives_on(void** state) {
    (void)state;
    kerb_waypoint waypoints[30];
    rig r = rig_make(waypoints, rig_straight(waypoints, 30, 5.0f), false);
    bool trapped = true, backed = false;
    while (r.controls.reason != KERB_REASON_ARRIVED && r.time < 90.0) {
        rig_step(&r);
        backed = backed || r.controls.reason == KERB_REASON_BACKING_OUT;
        if (trapped && r.motion.position.x > 50.0f) { // the wall
            r.car.position.x = kerb_min(r.car.position.x, 50.0f);
            r.car.forward = kerb_min(r.car.forward, 0.0f);
            r.motion = kerb_sim_car_motion(&r.car);
        }
        trapped = trapped && !(backed && r.motion.position.x < 47.5f);
    }
    assert_true(backed);
    assert_int_equal(r.controls.reason, KERB_REASON_ARRIVED);
    rig_free(&r);
}

static void the_follower_asks_and_goes_on_where_the_host_puts_it(void** state) {
    (void)state;
    kerb_waypoint waypoints[30];
    rig r = rig_make(waypoints, rig_straight(waypoints, 30, 5.0f), false);
    kerb_sim_car fixed = r.car;
    while (r.controls.reason != KERB_REASON_TELEPORT && r.time < 120.0) {
        rig_step(&r);
        fixed.throttle = r.car.throttle;
        r.car = fixed; // nailed to the ground
        r.motion = kerb_sim_car_motion(&r.car);
    }
    assert_int_equal(r.controls.reason, KERB_REASON_TELEPORT);
    assert_true(r.controls.brake == 1.0f && r.controls.throttle == 0.0f);
    kerb_sim_car_model model = kerb_sim_pickup_model();
    r.car = kerb_sim_car_make(&model, kerb_vec3_make(60.0f, 0.5f, 0.0f), 0.0f);
    r.motion = kerb_sim_car_motion(&r.car);
    assert_true(rig_until(&r, KERB_REASON_ARRIVED, 60.0));
    rig_free(&r);
}

static void the_follower_gives_up_when_nobody_helps(void** state) {
    (void)state;
    kerb_waypoint waypoints[30];
    rig r = rig_make(waypoints, rig_straight(waypoints, 30, 5.0f), false);
    kerb_sim_car fixed = r.car;
    while (r.controls.reason != KERB_REASON_GIVEN_UP && r.time < 180.0) {
        rig_step(&r);
        r.car = fixed;
        r.motion = kerb_sim_car_motion(&r.car);
    }
    assert_int_equal(r.controls.reason, KERB_REASON_GIVEN_UP);
    rig_free(&r);
}

int stuck_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_is_never_being_stuck),
        cmocka_unit_test(a_slow_hill_is_never_being_stuck),
        cmocka_unit_test(pressing_on_in_vain_is_being_stuck_after_the_patience),
        cmocka_unit_test(driving_in_circles_is_being_stuck),
        cmocka_unit_test(tries_alternate_grow_and_end_in_asking_and_giving_up),
        cmocka_unit_test(a_try_that_is_blocked_behind_ends_early),
        cmocka_unit_test(progress_past_the_place_forgets_the_tries),
        cmocka_unit_test(without_recovery_it_does_nothing),
        cmocka_unit_test(the_follower_backs_out_of_a_trap_and_drives_on),
        cmocka_unit_test(the_follower_asks_and_goes_on_where_the_host_puts_it),
        cmocka_unit_test(the_follower_gives_up_when_nobody_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
