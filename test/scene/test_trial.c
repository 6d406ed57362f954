// What a trial shows to whoever watches, beside what it measures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course/course.h"
#include "scene/course/trial.h"

typedef struct witness {
    double time;     // of the last frame
    float speed;     // there
    kerb_reason why; // there
} witness;

static void see(void* context, const kerb_scene_frame* frame) {
    witness* w = context;
    w->time = frame->time;
    w->speed = kerb_vec3_length(frame->motion.velocity);
    w->why = frame->controls.reason;
}

static kerb_scene_result drive(witness* w) {
    kerb_host host = kerb_host_default();
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    kerb_scene_course course;
    kerb_scene_result result;
    assert_int_equal(kerb_scene_course_make("lane-change", &host, &course, NULL), KERB_OK);
    kerb_scene_trial trial = kerb_scene_trial_default(&course, &vehicle, &settings);
    trial.watch = w != NULL ? see : NULL;
    trial.context = w;
    assert_int_equal(kerb_scene_trial_run(&trial, &host, &result, NULL), KERB_OK);
    kerb_scene_course_free(&course, &host);
    return result;
}

static void a_watcher_sees_the_vehicle_stand_after_the_finish(void** state) {
    (void)state;
    witness last;
    kerb_scene_result watched = drive(&last);
    assert_true(watched.finished);
    assert_int_equal(last.why, KERB_REASON_ARRIVED);
    assert_true(last.speed < 0.2f);
    assert_true(last.time > watched.time && last.time <= watched.time + 3.0);
}

static void watching_changes_no_figure(void** state) {
    (void)state;
    witness last;
    kerb_scene_result watched = drive(&last);
    kerb_scene_result alone = drive(NULL);
    assert_int_equal(watched.frames, alone.frames);
    assert_int_equal(watched.stuck_events, alone.stuck_events);
    assert_int_equal(watched.contacts, alone.contacts);
    assert_true(watched.time == alone.time);
    assert_true(watched.distance == alone.distance);
    assert_true(watched.cte_mean == alone.cte_mean && watched.cte_max == alone.cte_max);
    assert_true(watched.inside_percent == alone.inside_percent);
    assert_true(watched.speed_mean == alone.speed_mean);
}

int trial_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watcher_sees_the_vehicle_stand_after_the_finish),
        cmocka_unit_test(watching_changes_no_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
