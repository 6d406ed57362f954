// What benchmarks over the family of hosts measure with: swings, courses, what a description can
// say of the truth, and the margins of a loop.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/host/family_course.h"
#include "scene/host/family_trial.h"
#include "test/seed.h"

static int32_t swings_of_a_sine(float size, float threshold, int32_t periods) {
    kerb_family_swings swings = {0};
    for (int32_t i = 0; i < 100 * periods; i++) {
        float sine, cosine;
        kerb_sin_cos(kerb_wrap_angle(2.0f * KERB_PI * (float)i / 100.0f), &sine, &cosine);
        kerb_family_swings_watch(&swings, size * sine, threshold);
    }
    return swings.count;
}

static void swings_count_both_turns_of_each_period_and_none_below_the_threshold(void** state) {
    (void)state;
    assert_int_equal(swings_of_a_sine(0.05f, 0.02f, 10), 20);
    // The first extreme is known as one when the second comes, the last not before a third.
    assert_int_equal(swings_of_a_sine(0.011f, 0.02f, 10), 18);
    assert_int_equal(swings_of_a_sine(0.0095f, 0.02f, 10), 0);
}

static void the_true_description_of_every_host_is_valid(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        kerb_vehicle vehicle = kerb_family_true_vehicle(&host);
        kerb_error error = {0};
        if (kerb_vehicle_validate(&vehicle, &error) != KERB_OK)
            fail_msg("host %d: %s %s", (int)seed, error.field, error.message);
        float speed = host.truth.lock_speed; // half of the lock's loss
        float lock = 0.5f * (1.0f + host.truth.lock_share) * host.truth.lock;
        assert_float_equal(kerb_vehicle_steering_lock(&vehicle, speed), lock, 1.0e-4f);
    }
}

static void every_course_is_some_turning_radii_long(void** state) {
    (void)state;
    static kerb_family_course course;
    for (uint64_t seed = 0; seed < 200; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        float radius = kerb_vehicle_turning_radius(&host.vehicle);
        for (int32_t kind = 0; kind < KERB_FAMILY_COURSES; kind++) {
            kerb_family_course_draw(&course, kind, &host.vehicle, seed);
            assert_true(course.count < KERB_FAMILY_WAYPOINTS);
            kerb_path path;
            assert_true(kerb_family_course_path(&course, &path));
            float radii = (float)path.length / radius;
            if (radii < 10.0f || radii > 130.0f)
                fail_msg("host %d, %s: %g radii", (int)seed, kerb_family_course_name(kind),
                         (double)radii);
            kerb_path_destroy(&path);
        }
    }
}

static void a_gain_turns_the_wheels_to_its_multiple(void** state) {
    (void)state;
    kerb_random random = test_random("gains of steering");
    const kerb_host memory = kerb_host_default();
    const kerb_waypoint ends[] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                                  kerb_waypoint_at(1000.0f, 0.0f, 0.0f)};
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, ends, 2, false, &memory, NULL), KERB_OK);
    for (uint64_t seed = 0; seed < 100; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        kerb_family_truth* t = &host.truth;
        t->delay = 0.0f;
        t->wheel_rate = t->rise_rate = t->fall_rate = 1000.0f;
        kerb_family_put(&host, (kerb_vec3){0}, 0.0f, 0.3f * t->speed_max);
        static kerb_family_ride rides[2];
        float gain = kerb_random_between(&random, 0.3f, 2.5f), angles[2];
        for (int32_t i = 0; i < 2; i++) {
            kerb_family_ride_make(&rides[i], &host, &host.vehicle, 0.3f * t->speed_max);
            rides[i].disturbance = 0.2f;
            rides[i].gain = i == 0 ? 1.0f : gain;
            kerb_family_ride_step(&rides[i], &path);
            angles[i] = rides[i].host.wheel - t->trim * t->lock;
        }
        assert_float_equal(angles[1], gain * angles[0], 0.02f * t->lock);
    }
    kerb_path_destroy(&path);
}

// Two ways to the same margin: by experiment, and by the loop's answer to tones.
static void the_delay_that_a_loop_bears_is_its_phase_margin_over_its_crossover(void** state) {
    (void)state;
    int32_t count = 0, near = 0;
    for (uint64_t seed = 300; seed < 330; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        float speed = kerb_min(10.0f, 0.5f * host.truth.speed_max);
        host.truth.trim = host.truth.dead_band = 0.0f;
        kerb_family_margin m = kerb_family_margin_of(&host, &host.vehicle, speed, NULL);
        if (!m.settles || m.crossover <= 0.0f || m.phase < 0.3f)
            continue;
        count++;
        float ratio = m.delay * m.crossover / m.phase;
        near += ratio > 0.5f && ratio < 2.0f;
    }
    if (count < 5 || near * 3 < count * 2)
        fail_msg("%d of %d hosts", (int)near, (int)count);
}

int family_ride_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swings_count_both_turns_of_each_period_and_none_below_the_threshold),
        cmocka_unit_test(the_true_description_of_every_host_is_valid),
        cmocka_unit_test(every_course_is_some_turning_radii_long),
        cmocka_unit_test(a_gain_turns_the_wheels_to_its_multiple),
        cmocka_unit_test(the_delay_that_a_loop_bears_is_its_phase_margin_over_its_crossover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
