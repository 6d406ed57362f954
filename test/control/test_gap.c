// Keeping a gap: the closed form of Gipps, against braking played through step by step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "test/seed.h"

#include <math.h>

static double in(kerb_random* random, double from, double to) {
    return from + (to - from) * (double)kerb_random_unit(random);
}

// How far one is behind the other when both have come to rest: they drive on for `time`, then
// brake.
static double gap_at_rest(double gap, double speed, double ahead, double time, double braking) {
    return gap - speed * time - speed * speed / (2.0 * braking) +
           ahead * fabs(ahead) / (2.0 * braking);
}

static void braking_from_the_speed_of_a_gap_ends_at_the_least_gap(void** state) {
    (void)state;
    kerb_random random = test_random("gap");
    for (int i = 0; i < 20000; i++) {
        double gap = in(&random, 0.0, 200.0), ahead = in(&random, -20.0, 40.0);
        double time = in(&random, 0.0, 3.0), least = in(&random, 0.0, 5.0);
        double braking = in(&random, 0.5, 12.0);
        double speed = (double)kerb_gap_speed((float)gap, (float)ahead, (float)time, (float)least,
                                              (float)braking);
        assert_true(speed >= 0.0);
        double rest = gap_at_rest(gap, speed, ahead, time, braking);
        if (speed > 0.0)
            assert_true(fabs(rest - least) < 1e-3 * (1.0 + gap + speed * speed / braking));
        else // not even standing is enough
            assert_true(rest <= least + 1e-3 * (1.0 + gap));
    }
}

static void behind_steady_traffic_the_gap_is_the_time_gap(void** state) {
    (void)state;
    for (int v = 0; v <= 40; v += 5) {
        float gap = 2.0f + 1.2f * (float)v;
        assert_true(fabsf(kerb_gap_speed(gap, (float)v, 1.2f, 2.0f, 3.5f) - (float)v) < 1e-3f);
    }
}

static void what_comes_towards_needs_its_own_braking_distance_too(void** state) {
    (void)state;
    // 10 m/s each at 4 m/s²: 12.5 m each.
    assert_true(fabsf(kerb_gap_speed(27.0f, -10.0f, 0.0f, 2.0f, 4.0f) - 10.0f) < 1e-3f);
    assert_true(kerb_gap_speed(14.0f, -10.0f, 0.0f, 2.0f, 4.0f) == 0.0f);
}

static void the_speed_grows_with_the_gap_and_with_the_speed_ahead(void** state) {
    (void)state;
    kerb_random random = test_random("gap grows");
    for (int i = 0; i < 5000; i++) {
        float gap = (float)in(&random, 0.0, 100.0), ahead = (float)in(&random, -20.0, 30.0);
        float speed = kerb_gap_speed(gap, ahead, 1.2f, 2.0f, 3.5f);
        assert_true(kerb_gap_speed(gap + 1.0f, ahead, 1.2f, 2.0f, 3.5f) >= speed);
        assert_true(kerb_gap_speed(gap, ahead + 1.0f, 1.2f, 2.0f, 3.5f) >= speed);
    }
}

int gap_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(braking_from_the_speed_of_a_gap_ends_at_the_least_gap),
        cmocka_unit_test(behind_steady_traffic_the_gap_is_the_time_gap),
        cmocka_unit_test(what_comes_towards_needs_its_own_braking_distance_too),
        cmocka_unit_test(the_speed_grows_with_the_gap_and_with_the_speed_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
