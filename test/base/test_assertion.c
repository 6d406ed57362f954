// A host's kerb_assert_failed takes the place of the library's. Linked with a static library that
// is built with KERB_ASSERTIONS; had the library's own been linked, this would abort, or not link.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/follow.h"

#include <string.h>

static jmp_buf back;
static char failed_condition[256];
static const char* failed_file;
static int failed_line;

void kerb_assert_failed(const char* condition, const char* file, int line) {
    strncpy(failed_condition, condition, sizeof failed_condition - 1);
    failed_file = file;
    failed_line = line;
    longjmp(back, 1);
}

static void a_host_hears_of_wrong_use(void** state) {
    (void)state;
    kerb_random random = kerb_random_make(1, 1);
    if (setjmp(back) == 0) {
        kerb_random_below(&random, 0);
        fail_msg("no assertion");
    }
    assert_string_equal(failed_condition, "count > 0");
    assert_non_null(strstr(failed_file, "random.c"));
    assert_true(failed_line > 0);
}

static void a_missing_table_is_wrong_use(void** state) {
    (void)state;
    if (setjmp(back) == 0) {
        kerb_settings_validate(NULL, &failed_line, NULL);
        fail_msg("no assertion");
    }
    assert_non_null(strstr(failed_condition, "table"));
}

// Drives a frame and leaves what an assertion said of it, or nothing.
static void drive_a_frame(kerb_follower* follower) {
    const kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(100, 0, 0)};
    const kerb_host host = kerb_host_default();
    const kerb_motion motion = kerb_motion_default();
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints, 2, false, &host, NULL), KERB_OK);
    failed_condition[0] = '\0';
    if (setjmp(back) == 0)
        kerb_follower_drive(follower, &path, &motion, NULL, 1.0f / 60.0f);
    kerb_path_destroy(&path);
}

static void an_invalid_vehicle_is_named_by_its_field(void** state) {
    (void)state;
    const kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    follower.vehicle.braking_max = 0.0f;
    drive_a_frame(&follower);
    assert_string_equal(failed_condition,
                        "follower->vehicle.braking_max must be from 0.01 to 200 m/s²");
    assert_non_null(strstr(failed_file, "follower.c"));
}

static void an_invalid_gear_is_named_by_its_number(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.drive_train.gear_count = 5;
    kerb_follower follower = kerb_follower_make(&vehicle);
    follower.vehicle.drive_train.gear_ratio[2] = 50.0f;
    drive_a_frame(&follower);
    assert_string_equal(failed_condition, "follower->vehicle.drive_train.gear_ratio[2] "
                                          "must be less than that of the gear below");
}

static void an_invalid_setting_is_named(void** state) {
    (void)state;
    const kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    follower.settings.deceleration = -1.0f;
    drive_a_frame(&follower);
    assert_non_null(strstr(failed_condition, "follower->settings.deceleration must be from "));
}

static void a_valid_vehicle_is_driven(void** state) {
    (void)state;
    const kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    drive_a_frame(&follower);
    assert_string_equal(failed_condition, "");
}

static void bad_data_is_no_wrong_use(void** state) {
    (void)state;
    static const kerb_setting row = {"x",  0,     KERB_SETTING_FLOAT, "m", 0.0f, 1.0f, 0.5f,
                                     NULL, "an x"};
    float x = 0.5f;
    if (setjmp(back) != 0)
        fail_msg("asserted: %s", failed_condition);
    assert_int_equal(kerb_settings_set(&row, &x, 2.0f, NULL), KERB_ERROR_OUT_OF_RANGE);
}

int assertion_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_hears_of_wrong_use),
        cmocka_unit_test(a_missing_table_is_wrong_use),
        cmocka_unit_test(an_invalid_vehicle_is_named_by_its_field),
        cmocka_unit_test(an_invalid_gear_is_named_by_its_number),
        cmocka_unit_test(an_invalid_setting_is_named),
        cmocka_unit_test(a_valid_vehicle_is_driven),
        cmocka_unit_test(bad_data_is_no_wrong_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
