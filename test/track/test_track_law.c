// The steering law against its closed form: how errors fade along a line, near it and far off.
#include "src/track/shared.h"

#include "test/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define WAY_STEP 0.002

// What follows the law exactly, along a straight line.
typedef struct follows {
    double error, angle; // [m], [rad]
} follows;

static void go_on(follows* at, float reach, float steepest) {
    float bend = kerb_in_track_correction((float)at->error, (float)at->angle, reach, steepest);
    at->angle += 0.5 * WAY_STEP * (double)bend;
    at->error += WAY_STEP * at->angle;
    at->angle += 0.5 * WAY_STEP * (double)bend;
}

// e'' + 2ω e' + ω² e = 0 with ω = 2 / reach, from rest: e = e₀ (1 + ω s) exp(-ω s).
static void near_the_line_errors_fade_critically_damped(void** state) {
    (void)state;
    kerb_random random = test_random("fade");
    for (int32_t trial = 0; trial < 50; trial++) {
        float reach = kerb_random_between(&random, 3.0f, 40.0f);
        double from = (double)kerb_random_between(&random, -0.1f, 0.1f) * (double)reach;
        follows at = {.error = from};
        double rate = 2.0 / (double)reach;
        for (double way = 0.0; way < 2.0 * (double)reach; way += WAY_STEP) {
            go_on(&at, reach, KERB_IN_TRACK_STEEPEST);
            double s = rate * (way + WAY_STEP), is = from * (1.0 + s) * exp(-s);
            if (!(fabs(at.error - is) < 0.01 * fabs(from) + 1.0e-6))
                fail_msg("reach %.1f, after %.2f m: %.4f, not %.4f m", (double)reach, way, at.error,
                         is);
        }
    }
}

// Far off it turns to the steepest angle, keeps that, and still arrives without overshoot.
static void far_off_the_way_back_is_no_steeper_than_asked(void** state) {
    (void)state;
    kerb_random random = test_random("steep");
    for (int32_t trial = 0; trial < 20; trial++) {
        float reach = kerb_random_between(&random, 3.0f, 20.0f);
        float steepest = kerb_random_between(&random, 0.05f, 1.2f);
        double most = (double)steepest;
        double from = (double)(reach * kerb_random_between(&random, 3.0f, 6.0f));
        follows at = {.error = from};
        double reached = 0.0, least = from;
        for (double way = 0.0; way < from / most + 8.0 * (double)reach; way += WAY_STEP) {
            go_on(&at, reach, steepest);
            reached = fmax(reached, -at.angle);
            least = fmin(least, at.error);
        }
        if (!(reached < most + 0.001 && reached > 0.95 * most && fabs(at.error) < 0.01 * from &&
              least > -0.001 * from))
            fail_msg("reach %.1f, steepest %.2f: %.3f rad, ends at %.3f m, least %.3f m",
                     (double)reach, (double)steepest, reached, at.error, least);
    }
}

int track_law_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_the_line_errors_fade_critically_damped),
        cmocka_unit_test(far_off_the_way_back_is_no_steeper_than_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
