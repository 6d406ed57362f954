// Hosts of the family on courses that are scaled to them: they come through.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "scene/host/family_course.h"
#include "scene/host/family_trial.h"
#include "test/seed.h"

// Rear axles are driven, and full throttle is about what their tyres hold on a straight: who gives
// it in a bend spins, and goes on spinning.
static void hardly_a_host_of_the_family_gets_stuck(void** state) {
    (void)state;
    static kerb_family_course course;
    kerb_random random = test_random("family courses");
    const int32_t hosts = test_share(60, 10);
    for (int32_t steering = 0; steering < 2; steering++) {
        int32_t trials = 0, stuck = 0, finished = 0;
        kerb_family_ride_steer_by((kerb_follower_steering)steering);
        for (int32_t i = 0; i < hosts; i++) {
            uint64_t seed = 73000 + kerb_random_bits(&random) % 1000000;
            kerb_family_host host;
            kerb_family_host_make(&host, seed);
            if (host.truth.rear_steering) // which is not told
                continue;
            for (int32_t kind = 0; kind < KERB_FAMILY_COURSES; kind++) {
                kerb_path path;
                kerb_family_course_draw(&course, kind, &host.vehicle, seed);
                assert_true(kerb_family_course_path(&course, &path));
                kerb_family_trial trial =
                    kerb_family_course_drive(&host, &path, KERB_FAMILY_AS_TOLD, NULL);
                kerb_path_destroy(&path);
                trials++;
                stuck += trial.stuck;
                finished += trial.finished;
            }
        }
        print_message("steering %d: of %d trials %d stuck, %d finished\n", steering, trials, stuck,
                      finished);
        assert_true(100 * stuck <= 2 * trials);
        assert_true(100 * (trials - finished - 1) <= 2 * trials); // one more, of few
    }
    kerb_family_ride_steer_by(KERB_STEERING_LEARNED);
}

int family_courses_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hardly_a_host_of_the_family_gets_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
