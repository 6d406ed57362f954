// The family of hosts against closed forms: what it draws is valid, what it simulates is what its
// truth says, and no host ever leaves the numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/host/family_drive.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

static kerb_controls some_controls(kerb_random* random) {
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.throttle = kerb_random_between(random, -0.5f, 1.0f);
    controls.throttle = kerb_max(controls.throttle, 0.0f);
    controls.brake = controls.throttle > 0.0f ? 0.0f : kerb_random_between(random, 0.0f, 1.0f);
    controls.steering = kerb_random_between(random, -1.0f, 1.0f);
    controls.gear = kerb_random_below(random, 5) == 0 ? -1 : 1;
    controls.handbrake = kerb_random_below(random, 20) == 0;
    return controls;
}

static void every_host_is_described_validly_and_stays_in_range(void** state) {
    (void)state;
    kerb_random random = test_random("controls of the family");
    for (uint64_t seed = 0; seed < 1000; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        kerb_error error = {0};
        if (kerb_vehicle_validate(&host.vehicle, &error) != KERB_OK)
            fail_msg("host %d: %s %s", (int)seed, error.field, error.message);
        kerb_controls controls = some_controls(&random);
        for (double time = 0.0; time < 5.0;) {
            float step = kerb_family_frame(&host);
            assert_true(step >= host.truth.frame_min && step <= host.truth.frame_max);
            if (kerb_random_below(&random, 20) == 0)
                controls = some_controls(&random);
            kerb_family_step(&host, &controls, step);
            kerb_motion motion = kerb_family_motion(&host);
            if (kerb_motion_validate(&motion, host.truth.speed_max, &error) != KERB_OK)
                fail_msg("host %d: %s %s", (int)seed, error.field, error.message);
            assert_true(kerb_abs(host.forward) <= 1.05f * host.truth.speed_max + 1.0f);
            time += (double)step;
        }
    }
}

static void the_same_seed_gives_the_same_drive(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        kerb_family_host a, b;
        kerb_family_host_make(&a, seed);
        kerb_family_host_make(&b, seed);
        kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
        controls.gear = 1;
        controls.throttle = 0.5f;
        controls.brake = 0.0f;
        controls.steering = 0.3f;
        for (int32_t i = 0; i < 100; i++) {
            float step = kerb_family_frame(&a);
            assert_true(step == kerb_family_frame(&b));
            kerb_family_step(&a, &controls, step);
            kerb_family_step(&b, &controls, step);
        }
        assert_true(a.x == b.x && a.y == b.y && a.heading == b.heading);
    }
}

// Holds a speed, as somebody with a light foot would.
static kerb_controls hold(const kerb_family_host* host, float speed, float steering) {
    return kerb_family_hold(host, speed, steering, (kerb_family_foot){0.2f, 0.3f});
}

static void slow_circles_have_the_curvature_that_it_says(void** state) {
    (void)state;
    int32_t seen = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        float speed = 0.15f * kerb_sqrt(KERB_GRAVITY * host.truth.wheelbase); // little slip
        float steering = seed % 2 ? 0.5f : -0.7f;
        double turned = 0.0, driven = 0.0, expected = 0.0;
        for (double time = 0.0; time < 14.0;) {
            float step = kerb_family_frame(&host);
            kerb_controls controls = hold(&host, speed, steering);
            kerb_family_step(&host, &controls, step);
            time += (double)step;
            if (time < 8.0)
                continue;
            turned += (double)(host.yaw_rate * step);
            driven += (double)(host.forward * step);
            expected += (double)(kerb_family_curvature(&host, steering, host.forward) *
                                 host.forward * step);
        }
        if (host.truth.delay > 0.2f || host.truth.frame_min > 0.1f || driven < 0.1)
            continue; // holds no steady speed
        seen++;
        if (fabs(turned - expected) > 0.06 * fabs(expected) + 0.01)
            fail_msg("host %d: turned by %g, not %g", (int)seed, turned, expected);
    }
    assert_true(seen > 100);
}

static void commands_take_effect_after_the_delay(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
        for (int32_t i = 0; i < 40; i++)
            kerb_family_step(&host, &controls, 0.02f);
        float before = host.wheel;
        controls.steering = 1.0f;
        float after = 0.0f;
        while (host.wheel == before && after < 1.0f) {
            kerb_family_step(&host, &controls, 0.002f);
            after += 0.002f;
        }
        // A dead band is crossed at the rate of the input.
        float crossing = host.truth.dead_band / host.truth.rise_rate;
        assert_true(kerb_abs(after - host.truth.delay - crossing) < 0.006f);
    }
}

static void it_stops_within_what_brakes_and_tyres_allow(void** state) {
    (void)state;
    int32_t seen = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        const kerb_family_truth* t = &host.truth;
        if (!t->anti_lock || t->tyre == KERB_FAMILY_NO_TYRES || t->brake_reverses ||
            t->trim != 0.0f || t->handbrake_holds)
            continue;
        float speed = 0.5f * t->speed_max;
        kerb_family_put(&host, (kerb_vec3){0}, 0.0f, speed);
        double start = host.x;
        kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
        while (host.forward > 0.05f && host.time < 60.0)
            kerb_family_step(&host, &controls, 0.01f);
        double distance = host.x - start; // it begins with the brake held
        double most = (double)kerb_min(t->braking, t->grip * KERB_GRAVITY);
        double best = 0.5 * (double)(speed * speed) /
                      (most + (double)(t->rolling) +
                       (double)(t->drag + t->downforce * t->grip) * (double)(speed * speed));
        double worst = 0.5 * (double)(speed * speed) / (0.5 * most);
        seen++;
        if (distance < 0.9 * best - 0.5 || distance > worst + 1.0)
            fail_msg("host %d stops in %g m, not %g to %g", (int)seed, distance, best, worst);
    }
    assert_true(seen > 30);
}

static void it_reaches_its_greatest_speed(void** state) {
    (void)state;
    int32_t reached = 0, tried = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        if (host.truth.trim != 0.0f || host.truth.grip < 0.5f)
            continue;
        kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
        controls.gear = 1;
        controls.brake = 0.0f;
        controls.throttle = 1.0f;
        for (double time = 0.0; time < 120.0; time += 0.02)
            kerb_family_step(&host, &controls, 0.02f);
        tried++;
        reached += host.forward > 0.9f * host.truth.speed_max;
    }
    assert_true(tried > 20 && reached >= tried * 9 / 10);
}

static void a_wrong_description_is_wrong_by_no_more_than_asked(void** state) {
    (void)state;
    int32_t far_off[6] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        kerb_vehicle wrong = kerb_family_wrong_vehicle(&host, seed, 0.2f);
        const float ratios[] = {wrong.lateral_acceleration_max /
                                    host.vehicle.lateral_acceleration_max,
                                wrong.power / host.vehicle.power,
                                wrong.braking_max / host.vehicle.braking_max,
                                wrong.acceleration_max / host.vehicle.acceleration_max,
                                wrong.drag / host.vehicle.drag,
                                wrong.coasting_deceleration / host.vehicle.coasting_deceleration};
        for (int32_t i = 0; i < 6; i++) {
            assert_true(ratios[i] >= 0.7999f && ratios[i] <= 1.2001f);
            far_off[i] += kerb_abs(ratios[i] - 1.0f) > 0.1f; // half of them, were they even
        }
        assert_true(wrong.wheelbase == host.vehicle.wheelbase);
    }
    for (int32_t i = 0; i < 6; i++)
        assert_true(far_off[i] > 50);
}

int host_family_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_host_is_described_validly_and_stays_in_range),
        cmocka_unit_test(the_same_seed_gives_the_same_drive),
        cmocka_unit_test(slow_circles_have_the_curvature_that_it_says),
        cmocka_unit_test(commands_take_effect_after_the_delay),
        cmocka_unit_test(it_stops_within_what_brakes_and_tyres_allow),
        cmocka_unit_test(it_reaches_its_greatest_speed),
        cmocka_unit_test(a_wrong_description_is_wrong_by_no_more_than_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
