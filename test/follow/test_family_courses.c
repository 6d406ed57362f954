// Hosts of the family on courses that are scaled to them: they come through, and arrive.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "scene/host/family_course.h"
#include "scene/host/family_ride.h"
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

// Told that they steer behind, which the place of their axle says, they drive their rear wheels,
// and slide as they turn too far.
static void hosts_told_to_steer_behind_do_not_spin(void** state) {
    (void)state;
    static kerb_family_course course;
    kerb_random random = test_random("told to steer behind");
    const int32_t hosts = 12; // of fewer a single one decides
    int32_t trials = 0, finished = 0;
    for (int32_t i = 0; i < hosts;) {
        uint64_t seed = 73000 + kerb_random_bits(&random) % 1000000;
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        if (!host.truth.rear_steering)
            continue;
        i++;
        for (int32_t kind = 0; kind < KERB_FAMILY_COURSES; kind++) {
            kerb_path path;
            kerb_family_course_draw(&course, kind, &host.vehicle, seed);
            assert_true(kerb_family_course_path(&course, &path));
            finished += kerb_family_course_drive(&host, &path, KERB_FAMILY_TRUE, NULL).finished;
            trials++;
            kerb_path_destroy(&path);
        }
    }
    print_message("told to steer behind: %d of %d finished\n", finished, trials);
    assert_true(100 * (trials - finished - 1) <= 4 * trials);
}

// Put somewhere about the end of a straight, before it, beside it or beyond it: the distance from
// the end at which it says that it arrived; negative: it says nothing. [m]
static float arrive(kerb_family_host* host, kerb_random* random) {
    static kerb_family_ride ride;
    float radius = kerb_vehicle_turning_radius(&host->vehicle), far = -1.0f;
    kerb_waypoint way[2] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                            kerb_waypoint_at(8.0f * radius, 0.0f, 0.0f)};
    const kerb_host memory = kerb_host_default();
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, way, 2, false, &memory, NULL), KERB_OK);
    kerb_vec3 place = {(8.0f + kerb_random_between(random, -4.0f, 2.0f)) * radius,
                       kerb_random_between(random, -2.0f, 2.0f) * radius, 0.0f};
    kerb_family_put(host, place, kerb_random_between(random, -0.7f, 0.7f), 0.0f);
    kerb_family_ride_make(&ride, host, &host->vehicle, kerb_family_course_speed(host));
    double until = 120.0;
    while (ride.time < until) {
        kerb_family_ride_step(&ride, &path);
        if (ride.controls.reason != KERB_REASON_ARRIVED)
            continue;
        kerb_vec3 off = kerb_vec3_sub(ride.motion.position, way[1].position);
        if (far < 0.0f)
            until = ride.time + 2.0; // where it stays
        far = kerb_max(far, kerb_sqrt(off.x * off.x + off.y * off.y));
    }
    kerb_path_destroy(&path);
    return far;
}

static void hosts_of_the_family_arrive_wherever_they_are_put(void** state) {
    (void)state;
    kerb_random random = test_random("family arrives");
    const int32_t hosts = test_share(150, 20);
    int32_t silent = 0;
    float far = 0.0f;
    for (int32_t i = 0; i < hosts; i++) {
        kerb_family_host host;
        kerb_family_host_make(&host, 73000 + kerb_random_bits(&random) % 1000000);
        float said = arrive(&host, &random);
        silent += said < 0.0f;
        far = kerb_max(far, said);
    }
    print_message("of %d hosts %d say nothing, at most %.2f m from the end\n", hosts, silent,
                  (double)far);
    assert_true(far <= 0.3f);
    assert_true(100 * (silent - 1) <= 2 * hosts); // one more, of few
}

int family_courses_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hardly_a_host_of_the_family_gets_stuck),
        cmocka_unit_test(hosts_told_to_steer_behind_do_not_spin),
        cmocka_unit_test(hosts_of_the_family_arrive_wherever_they_are_put),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
