// The built-in courses, driven by every follower: what the project promises of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course.h"
#include "scene/trial.h"

#include <math.h>
#include <string.h>

static scene_result drive(const char* name, kerb_follower_method method, float hz) {
    kerb_host host = kerb_host_default();
    scene_course course;
    assert_int_equal(scene_course_make(name, &host, &course, NULL), KERB_OK);
    sim_model model;
    assert_true(sim_model_named("pickup", &model));
    kerb_follower_settings settings = kerb_follower_settings_default(method);
    settings.speed = 10.0f;
    scene_trial trial = scene_trial_default(&course, &model.vehicle, &settings);
    trial.model = &model;
    trial.drive_hz = hz;
    scene_result result;
    assert_int_equal(scene_trial_run(&trial, &host, &result, NULL), KERB_OK);
    scene_course_free(&course, &host);
    return result;
}

static void every_follower_finishes_every_course(void** state) {
    (void)state;
    for (int32_t method = 0; method < 3; method++) {
        for (int32_t i = 0; i < scene_course_count(); i++) {
            scene_result result = drive(scene_course_name(i), (kerb_follower_method)method, 60.0f);
            assert_true(result.finished);
            assert_int_equal(result.stuck_events, 0);
            assert_true(result.distance > 100.0);
        }
    }
}

static void kerb_errs_by_a_quarter_metre_at_most_and_far_less_than_the_paper(void** state) {
    (void)state;
    double kerb = 0.0, paper = 0.0;
    for (int32_t i = 0; i < scene_course_count(); i++) {
        kerb += drive(scene_course_name(i), KERB_FOLLOWER_KERB, 60.0f).cte_mean;
        paper += drive(scene_course_name(i), KERB_FOLLOWER_PAPER, 60.0f).cte_mean;
    }
    kerb /= scene_course_count();
    paper /= scene_course_count();
    print_message("mean cross-track error: kerb %.3f m, paper %.3f m\n", kerb, paper);
    assert_true(kerb <= 0.25);
    assert_true(kerb <= 0.6 * paper);
}

static void any_frame_rate_drives_about_as_well(void** state) {
    (void)state;
    for (int32_t i = 0; i < scene_course_count(); i++) {
        double at_60 = drive(scene_course_name(i), KERB_FOLLOWER_KERB, 60.0f).cte_mean;
        static const float rates[] = {20.0f, 30.0f, 120.0f};
        for (int32_t j = 0; j < 3; j++) {
            scene_result result = drive(scene_course_name(i), KERB_FOLLOWER_KERB, rates[j]);
            print_message("%s at %g Hz: %.3f m (%.3f at 60)\n", scene_course_name(i),
                          (double)rates[j], result.cte_mean, at_60);
            assert_true(result.finished);
            assert_true(result.cte_mean <= 1.5 * at_60);
        }
    }
}

static void a_trial_is_the_same_each_time(void** state) {
    (void)state;
    scene_result a = drive("hairpins", KERB_FOLLOWER_KERB, 60.0f);
    scene_result b = drive("hairpins", KERB_FOLLOWER_KERB, 60.0f);
    assert_memory_equal(&a.cte_mean, &b.cte_mean, sizeof a.cte_mean);
    assert_memory_equal(&a.time, &b.time, sizeof a.time);
}

static void an_unknown_course_is_named(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    scene_course course;
    kerb_error error;
    assert_int_equal(scene_course_make("nowhere", &host, &course, &error),
                     KERB_ERROR_UNKNOWN_FIELD);
    assert_string_equal(error.field, "nowhere");
    scene_course_free(&course, &host);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_follower_finishes_every_course),
        cmocka_unit_test(kerb_errs_by_a_quarter_metre_at_most_and_far_less_than_the_paper),
        cmocka_unit_test(any_frame_rate_drives_about_as_well),
        cmocka_unit_test(a_trial_is_the_same_each_time),
        cmocka_unit_test(an_unknown_course_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
