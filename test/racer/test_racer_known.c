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

int racer_known_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheels_that_stand_aside_are_learned),
        cmocka_unit_test(controls_that_act_late_are_learned),
        cmocka_unit_test(prompt_controls_are_not_taken_for_late_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
