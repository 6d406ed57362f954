// `kerb plan` for kinds of vehicles as a user meets it: their names, heights, pitch, the angle of a
// hitch. How good plans are is the business of test_plan.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB "plan"
#include "test/tool/command_rig.h"

// A number of the first or last state of a report, by its name.
static double state_of(const cJSON* root, const char* name, bool is_last) {
    const cJSON* names = cJSON_GetObjectItem(root, "state_names");
    const cJSON* states = cJSON_GetObjectItem(root, "states");
    const cJSON* row = cJSON_GetArrayItem(states, is_last ? cJSON_GetArraySize(states) - 1 : 0);
    for (int i = 0; i < cJSON_GetArraySize(names); i++) {
        if (strcmp(cJSON_GetArrayItem(names, i)->valuestring, name) == 0)
            return cJSON_GetArrayItem(row, i)->valuedouble;
    }
    fail_msg("no state is named %s", name);
    return 0.0;
}

static void every_kind_is_planned_checked_and_driven_by_its_name(void** state) {
    (void)state;
    static const char* const words[] = {
        "--vehicle ship --from 0,0,0,5 --to 3000,900,60,0 --drive",
        "--vehicle pedestrian --from 0,0,0,0 --to 5,4,90,0 --drive",
        "--vehicle hovercraft --from 0,0,0,0 --to 60,30,90,0 --drive",
        "--vehicle trailer --from 0,0,0,0 --to 25,5,0,0 --drive",
        "--vehicle motorcycle --from 0,0,0,0 --to 60,30,90,0 --drive",
        "--vehicle tank --kind --from 0,0,0,0 --to 30,20,90,0 --drive",
        "--vehicle spacecraft --from 0,0,0,0 --to 300,0,90,0 --heights 0,50 --drive",
        "--vehicle helicopter --from 0,0,0,0 --to 80,40,90,0 --heights 5,25 --drive",
        "--vehicle drone --from 0,0,0,0 --to 30,20,90,0 --heights 2,12 --drive",
        "--vehicle rocket --from 0,0,0,0 --to 200,0,0,0 --heights 0,150 --drive",
        "--vehicle airplane --from 0,0,0,62 --to 3000,1000,180,62 --heights 0,100 --drive",
        "--vehicle submarine --from 0,0,0,0 --to 60,30,90,0 --heights=-10,-4 --drive"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cJSON* root = report(words[i]);
        assert_string_equal(cJSON_GetObjectItem(root, "outcome")->valuestring, "found");
        assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "valid")));
        assert_true(number(root, "lower_bound_s") <= 1.001 * number(root, "cost_s"));
        const cJSON* driven = cJSON_GetObjectItem(root, "driven");
        if (!cJSON_IsTrue(cJSON_GetObjectItem(driven, "arrived")))
            fail_msg("%s: not arrived", words[i]);
        cJSON_Delete(root);
    }
}

static void heights_and_pitch_are_those_of_start_and_goal(void** state) {
    (void)state;
    cJSON* root = report("--vehicle spacecraft --from 0,0,0,0 --to 300,0,90,0 --heights 20,50 "
                         "--pitch 10,30");
    expect_near(state_of(root, "z_m", false), 20.0, 1e-3);
    expect_near(state_of(root, "z_m", true), 50.0, 0.2);
    expect_near(state_of(root, "nose_z", false), sin(10.0 * 3.14159265 / 180.0), 1e-4);
    expect_near(state_of(root, "nose_z", true), 0.5, 0.02);
    expect_near(state_of(root, "nose_y", true), sqrt(0.75), 0.02);
    cJSON_Delete(root);
    root = report("--vehicle drone --from 0,0,0,0 --to 20,0,0,0 --heights=-3,7");
    expect_near(state_of(root, "z_m", false), -3.0, 1e-3);
    expect_near(state_of(root, "z_m", true), 7.0, 0.1);
    cJSON_Delete(root);
}

// The fifth number of an end is the angle of the hitch, in degrees, to either side.
static void a_trailer_begins_and_ends_with_the_hitch_it_is_told(void** state) {
    (void)state;
    cJSON* root = report("--vehicle trailer --from 0,0,0,0,-20 --to 25,5,0,0,10");
    const double degree = 3.14159265 / 180.0;
    expect_near(state_of(root, "hitch_rad", false), -20.0 * degree, 1e-4);
    expect_near(state_of(root, "hitch_rad", true), 10.0 * degree, 1.0 * degree);
    cJSON_Delete(root);
}

static void random_goals_are_summed_up(void** state) {
    (void)state;
    cJSON* root = report("--vehicle drone --random 10 --drive --seed 3");
    assert_true(number(root, "count") == 10.0);
    assert_true(number(root, "found") == 10.0);
    assert_true(number(root, "invalid") == 0.0);
    assert_true(number(root, "arrived") == 10.0);
    assert_true(number(root, "plan_p99_ms") <= number(root, "plan_max_ms"));
    cJSON_Delete(root);
    root = report("--vehicle drone --random 6 --obstacles boxes --seed 3");
    assert_true(number(root, "found") == 6.0);
    assert_true(number(root, "invalid") == 0.0);
    cJSON_Delete(root);
}

// Obstacles of each form alone, with the time and the memory of the planner's copy.
static void random_goals_among_obstacles_tell_what_their_worlds_cost(void** state) {
    (void)state;
    const char* forms[] = {"boxes", "ground", "octree"};
    double bytes[3];
    for (int i = 0; i < 3; i++) {
        char arguments[120];
        snprintf(arguments, sizeof arguments, "--vehicle drone --random 6 --obstacles %s --seed 3",
                 forms[i]);
        cJSON* root = report(arguments);
        assert_true(number(root, "found") == 6.0);
        assert_true(number(root, "worlds") == 2.0); // others after every fifth goal
        assert_true(number(root, "world_mean_ms") > 0.0);
        assert_true(number(root, "world_mean_ms") <= number(root, "world_max_ms"));
        bytes[i] = number(root, "world_max_bytes");
        cJSON_Delete(root);
    }
    // 30 boxes are less than the nodes of an octree of them.
    assert_true(bytes[0] > 1e5 && bytes[2] > bytes[0] && bytes[1] > bytes[0]);
    cJSON* root = report("--vehicle tank --kind --random 4 --obstacles squares --seed 3");
    assert_true(number(root, "count") == 4.0);
    assert_true(number(root, "invalid") == 0.0);
    assert_true(number(root, "worlds") >= 4.0);
    cJSON_Delete(root);
}

static void what_a_kind_has_not_is_refused(void** state) {
    (void)state;
    expect_refusal("--vehicle ship --heights 0,5 --from 0,0,0,0 --to 900,400,90,0", "--heights");
    expect_refusal("--vehicle tank --kind --pitch 1,2 --from 0,0,0,0 --to 9,4,90,0", "--pitch");
    expect_refusal("--vehicle pickup --pitch 1,2 --from 0,0,0,0 --to 9,4,90,0", "--pitch");
    expect_refusal("--vehicle drone --pitch x,2 --from 0,0,0,0 --to 9,4,90,0", "--pitch");
    expect_refusal("--vehicle drone --heights 1 --from 0,0,0,0 --to 9,4,90,0", "--heights");
    expect_refusal("--vehicle drone --heights nan,1 --from 0,0,0,0 --to 9,4,90,0", "--heights");
    expect_refusal("--vehicle boat --from 0,0,0,0 --to 9,4,90,0", "boat");
    expect_refusal("--vehicle drone --obstacles trees --random 3", "--obstacles");
    expect_refusal("--vehicle ship --obstacles boxes --random 3", "--obstacles");
    expect_refusal("--vehicle drone --obstacles squares --random 3", "--obstacles");
    expect_refusal("--vehicle pickup --obstacles squares --random 3", "--obstacles");
    expect_refusal("--vehicle drone --html x.html --from 0,0,0,0 --to 9,4,90,0", "--html");
    expect_refusal("--vehicle drone --from 0,0,0,0", "--to");
    expect_refusal("--vehicle drone --from 0,0,0,0,3 --to 9,4,90,0", "hitch");
    expect_refusal("--vehicle trailer --from 0,0,0,0,x --to 25,5,0,0", "HITCH");
    expect_refusal("--from 0,0,0,0,-3 --to 25,5,0,0", "penalty");
}

int command_kinds_tests(void);

int command_kinds_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_planned_checked_and_driven_by_its_name),
        cmocka_unit_test(heights_and_pitch_are_those_of_start_and_goal),
        cmocka_unit_test(a_trailer_begins_and_ends_with_the_hitch_it_is_told),
        cmocka_unit_test(random_goals_are_summed_up),
        cmocka_unit_test(random_goals_among_obstacles_tell_what_their_worlds_cost),
        cmocka_unit_test(what_a_kind_has_not_is_refused),
    };
    return cmocka_run_group_tests_name("command kinds", tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_kinds_tests(void);

int command_kinds_tests(void) {
    return command_missing_tests();
}
#endif
