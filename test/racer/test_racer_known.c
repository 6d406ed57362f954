// The racing driver in hosts whose steering is not as told: wheels that stand aside, controls that
// act late. Hosts of the family (scene/host/family.h), whose other traits are set to usual ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/host/family_race.h"

// A car whose seed has tyres, level frames and no smoothing; its steering is as told.
static kerb_family_host known_car(uint64_t seed) {
    kerb_family_host host;
    for (;; seed++) {
        kerb_family_host_make(&host, seed);
        const kerb_family_truth* t = &host.truth;
        if (t->wheelbase > 2.2f && t->wheelbase < 3.2f && !t->rear_steering && t->anti_lock &&
            t->traction_control && t->grip > 0.7f && t->tyre == KERB_FAMILY_PEAKED &&
            t->frame_max < 0.02f)
            break;
    }
    kerb_family_truth* t = &host.truth;
    t->trim = t->delay = t->dead_band = 0.0f;
    t->exponent = t->lock_share = 1.0f;
    t->rise_rate = t->fall_rate = t->wheel_rate = 1000.0f;
    host.vehicle.steering_delay = host.vehicle.throttle_delay = 0.0f;
    host.vehicle.steering_rate_max = 20.0f;
    return host;
}

static kerb_family_race known_race;

// Off the track after the third lap, and laps that lack. [s]
static double lost(const kerb_family_host* host, int32_t learning) {
    assert_true(kerb_family_race_open(&known_race, host, 5, 0));
    known_race.racer.settings.learning = learning;
    kerb_family_race_drive(&known_race, NULL);
    double off = 0.0;
    for (int32_t lap = 3; lap < KERB_FAMILY_RACE_LAPS; lap++)
        off += known_race.off_track[lap];
    off += 1000.0 * (KERB_FAMILY_RACE_LAPS - known_race.laps);
    kerb_family_race_close(&known_race);
    return off;
}

static void wheels_that_stand_aside_are_learned(void** state) {
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        kerb_family_host host = known_car(500 + 40 * (uint64_t)i);
        host.truth.trim = i % 2 == 0 ? 0.07f : -0.07f;
        host.truth.tells_wheels = i >= 2;
        if (lost(&host, 2) > 0.0)
            fail_msg("host %d leaves the track for %.1f s", (int)i, lost(&host, 2));
        const kerb_racer_memory* m = &known_race.racer.memory;
        float off = m->track.off + (i >= 2 ? m->wheels_told.trim : 0.0f);
        if (kerb_abs(off - host.truth.trim) > 0.02f)
            fail_msg("host %d: trim %.3f, learned %.3f", (int)i, (double)host.truth.trim,
                     (double)off);
    }
}

static void controls_that_act_late_are_learned(void** state) {
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        kerb_family_host host = known_car(500 + 40 * (uint64_t)i);
        host.truth.delay = 0.09f;
        host.truth.tells_wheels = i >= 2;
        double off = lost(&host, 2);
        float dead = known_race.racer.memory.late.dead;
        if (off > 0.0 || kerb_abs(dead - host.truth.delay) > 0.06f)
            fail_msg("host %d: off the track for %.1f s; %.3f s late, learned %.3f", (int)i, off,
                     (double)host.truth.delay, (double)dead);
    }
}

static void prompt_controls_are_not_taken_for_late_ones(void** state) {
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        kerb_family_host host = known_car(500 + 40 * (uint64_t)i);
        host.truth.tells_wheels = i >= 2;
        lost(&host, 2);
        float dead = known_race.racer.memory.late.dead;
        if (dead > 0.02f)
            fail_msg("host %d: prompt, learned %.3f s", (int)i, (double)dead);
    }
}

// A host turns its lock down with speed, and tells only how its wheels stand.
static void a_lock_that_falls_is_learned_by_wheels_that_are_told(void** state) {
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        kerb_family_host host = known_car(500 + 40 * (uint64_t)i);
        host.truth.lock_share = 0.3f;
        host.truth.lock_speed = 10.0f;
        host.truth.tells_wheels = true;
        double off = lost(&host, 2), slower = known_race.best / known_race.profile;
        float gain = known_race.racer.memory.wheels_told.gain;
        // At 10 m/s 0.65 of the lock are left, at 40 m/s 0.34.
        if (off > 0.0 || slower > 1.04 || gain < 0.34f || gain > 0.65f)
            fail_msg("host %d: off the track for %.1f s, %.3f of its profile, gain %.2f", (int)i,
                     off, slower, (double)gain);
    }
}

// Swings a second over those tracks.
static void demand_calm_straights(uint64_t seed, int32_t first, int32_t last) {
    kerb_family_host host;
    kerb_family_host_make(&host, seed);
    double swings = 0.0, time = 0.0;
    for (int32_t track = first; track <= last; track++) {
        assert_true(kerb_family_race_open(&known_race, &host, seed, track));
        kerb_family_race_drive(&known_race, NULL);
        swings += known_race.changes;
        time += known_race.straight_time;
        kerb_family_race_close(&known_race);
    }
    if (swings > 0.5 * time)
        fail_msg("%.2f swings a second", swings / time);
}

static void slow_wheels_do_not_swing_on_straights(void** state) {
    (void)state;
    demand_calm_straights(61040, 1, 2);
}

// Of a model car: its yaw rate follows the wheels at once.
static void wheels_that_never_slip_do_not_swing_with_the_frames(void** state) {
    (void)state;
    demand_calm_straights(64045, 1, 3);
}

// A host that smooths its input turns its wheels more slowly than it tells.
static void wheels_that_turn_more_slowly_than_told_do_not_swing(void** state) {
    (void)state;
    demand_calm_straights(61045, 0, 3);
}

int racer_known_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheels_that_stand_aside_are_learned),
        cmocka_unit_test(controls_that_act_late_are_learned),
        cmocka_unit_test(prompt_controls_are_not_taken_for_late_ones),
        cmocka_unit_test(a_lock_that_falls_is_learned_by_wheels_that_are_told),
        cmocka_unit_test(slow_wheels_do_not_swing_on_straights),
        cmocka_unit_test(wheels_that_turn_more_slowly_than_told_do_not_swing),
        cmocka_unit_test(wheels_that_never_slip_do_not_swing_with_the_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
