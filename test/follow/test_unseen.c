// Courses and vehicles that nobody has tuned for: all are finished as far as they can be, hardly
// any is stuck, and the error is small. KERB_TEST_UNSEEN=n drives n of each kind of course instead
// of the few that a test has time for, and prints the table by kind; KERB_TEST_SEED=n begins
// elsewhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course/course.h"
#include "scene/course/unseen.h"
#include "test/seed.h"

#include <stdlib.h>
#include <string.h>

#define KINDS_MOST 32

typedef struct sum {
    int32_t trials, finished, stuck;
    double error, error_max, inside, time;
    int32_t reversals; // of the steering
} sum;

// Counts how often the steering turns back by more than a trifle.
typedef struct witness {
    float extreme;
    int32_t way; // 1 to the left, -1 to the right, 0 not known yet
    int32_t reversals;
    double time;
} witness;

#define TRIFLE 0.02f

static void see(void* context, const kerb_scene_frame* frame) {
    witness* w = context;
    float off = frame->controls.steering - w->extreme;
    w->time = frame->time;
    if (off * (float)w->way <= -TRIFLE || (w->way == 0 && kerb_abs(off) > TRIFLE)) {
        w->reversals += w->way != 0;
        w->way = off > 0.0f ? 1 : -1;
        w->extreme = frame->controls.steering;
    } else if (off * (float)w->way > 0.0f) {
        w->extreme = frame->controls.steering;
    }
}

static void add(sum* to, const kerb_scene_result* result, const witness* w) {
    to->trials++;
    to->finished += result->finished;
    to->stuck += result->stuck_events > 0;
    to->error += result->cte_mean;
    to->error_max = result->cte_max > to->error_max ? result->cte_max : to->error_max;
    to->inside += result->inside_percent;
    to->time += w->time;
    to->reversals += w->reversals;
}

static void print(const char* name, const sum* s) {
    if (s->trials > 0)
        print_message("%-17s %4d trials %4d finished %3d stuck  error %.3f m, most %6.2f  "
                      "%5.1f %% inside  %.2f reversals/s\n",
                      name, s->trials, s->finished, s->stuck, s->error / s->trials, s->error_max,
                      s->inside / s->trials, s->reversals / s->time);
}

static void drive(uint64_t course_seed, uint64_t vehicle_seed, sum* by_course, sum* by_vehicle,
                  sum* all) {
    kerb_host host = kerb_host_default();
    kerb_scene_course course;
    assert_int_equal(kerb_scene_unseen_course(course_seed, &host, &course, NULL), KERB_OK);
    kerb_vehicle vehicle = kerb_scene_unseen_vehicle(vehicle_seed);
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    settings.speed = course.speed;
    kerb_scene_trial trial = kerb_scene_trial_default(&course, &vehicle, &settings);
    witness w = {0};
    kerb_scene_result result;
    trial.watch = see;
    trial.context = &w;
    assert_int_equal(kerb_scene_trial_run(&trial, &host, &result, NULL), KERB_OK);
    add(by_course, &result, &w);
    add(by_vehicle, &result, &w);
    add(all, &result, &w);
    if (!result.finished || result.stuck_events > 0)
        print_message("--course random:%llu --vehicle random:%llu: %s, %d stuck events\n",
                      (unsigned long long)course_seed, (unsigned long long)vehicle_seed,
                      result.finished ? "finished" : "not finished", result.stuck_events);
    kerb_scene_course_free(&course, &host);
}

static int32_t rounds(void) {
    const char* asked = getenv("KERB_TEST_UNSEEN");
    int32_t count = asked != NULL ? atoi(asked) : 0;
    return count > 0 ? count : 4;
}

static void unseen_vehicles_drive_unseen_courses(void** state) {
    (void)state;
    static sum courses[KINDS_MOST], vehicles[KINDS_MOST], all;
    int32_t course_kinds = kerb_scene_unseen_course_kinds();
    int32_t vehicle_kinds = kerb_scene_unseen_vehicle_kinds();
    assert_true(course_kinds <= KINDS_MOST && vehicle_kinds <= KINDS_MOST);
    kerb_random random = test_random("unseen");
    for (int32_t round = 0; round < rounds(); round++) {
        for (int32_t course = 0; course < course_kinds; course++) {
            int32_t vehicle = kerb_random_below(&random, vehicle_kinds);
            uint64_t place = kerb_random_bits(&random) % 100000;
            drive(place * (uint64_t)course_kinds + (uint64_t)course,
                  place * (uint64_t)vehicle_kinds + (uint64_t)vehicle, &courses[course],
                  &vehicles[vehicle], &all);
        }
    }
    for (int32_t i = 0; i < course_kinds; i++)
        print(kerb_scene_unseen_course_kind(i), &courses[i]);
    for (int32_t i = 0; i < vehicle_kinds; i++)
        print(kerb_scene_unseen_vehicle_kind(i), &vehicles[i]);
    print("all", &all);
    assert_true(all.stuck * 20 <= all.trials);
    assert_true(all.error / all.trials <= 0.7);
    assert_true((all.trials - all.finished) * 20 <= all.trials);
}

static void every_random_vehicle_is_valid_and_every_course_makes_a_path(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_random random = test_random("random courses and vehicles");
    for (int32_t i = 0; i < 500; i++) {
        uint64_t seed = kerb_random_bits(&random);
        kerb_vehicle vehicle = kerb_scene_unseen_vehicle(seed);
        kerb_error error;
        if (kerb_vehicle_validate(&vehicle, &error) != KERB_OK)
            fail_msg("vehicle %llu: %s %s", (unsigned long long)seed, error.field, error.message);
        kerb_scene_course course;
        kerb_path path;
        assert_int_equal(kerb_scene_unseen_course(seed, &host, &course, NULL), KERB_OK);
        assert_int_equal(
            kerb_path_create(&path, course.waypoints, course.count, course.closed, &host, NULL),
            KERB_OK);
        assert_true(path.length > 3.0 && path.length < 20000.0);
        kerb_path_destroy(&path);
        kerb_scene_course_free(&course, &host);
    }
}

static void the_same_seed_draws_the_same(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    for (uint64_t seed = 0; seed < 14; seed++) {
        kerb_scene_course a, b;
        assert_int_equal(kerb_scene_unseen_course(seed, &host, &a, NULL), KERB_OK);
        assert_int_equal(kerb_scene_unseen_course(seed, &host, &b, NULL), KERB_OK);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.waypoints, b.waypoints, (size_t)a.count * sizeof *a.waypoints);
        kerb_vehicle u = kerb_scene_unseen_vehicle(seed), v = kerb_scene_unseen_vehicle(seed);
        assert_memory_equal(&u, &v, sizeof u);
        kerb_scene_course_free(&a, &host);
        kerb_scene_course_free(&b, &host);
    }
}

int unseen_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unseen_vehicles_drive_unseen_courses),
        cmocka_unit_test(every_random_vehicle_is_valid_and_every_course_makes_a_path),
        cmocka_unit_test(the_same_seed_draws_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
