// `kerb calibrate` as a user meets it: exit status, standard output, standard error, files.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#include "kerb/io/vehicle_json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char out_file[64], error_file[64], vehicle_file[64];

// What a file holds; NULL when there is none.
static char* contents(const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file)
        return NULL;
    char* text = calloc(1, 1 << 16);
    assert_non_null(text);
    (void)!fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

// Runs `kerb calibrate ARGUMENTS`; returns its status, and its standard output to be freed.
static int run(const char* arguments, char** out) {
    char line[1024];
    assert_true(snprintf(line, sizeof line, "'%s' calibrate %s >%s 2>%s", KERB_COMMAND, arguments,
                         out_file, error_file) < (int)sizeof line);
    int status = system(line);
    assert_true(WIFEXITED(status));
    *out = contents(out_file);
    assert_non_null(*out);
    return WEXITSTATUS(status);
}

static cJSON* run_json(const char* arguments, int status) {
    char* out;
    assert_int_equal(run(arguments, &out), status);
    cJSON* root = cJSON_Parse(out);
    assert_non_null(root);
    free(out);
    return root;
}

static double number(const cJSON* root, const char* object, const char* key) {
    const cJSON* inside = object ? cJSON_GetObjectItemCaseSensitive(root, object) : root;
    const cJSON* item = cJSON_GetObjectItemCaseSensitive(inside, key);
    if (!cJSON_IsNumber(item))
        fail_msg("no number '%s'", key);
    return item->valuedouble;
}

static void the_json_has_what_was_measured_the_truth_and_the_error(void** state) {
    (void)state;
    cJSON* root = run_json("--vehicle scout --json", 0);
    assert_string_equal(cJSON_GetObjectItem(root, "command")->valuestring, "calibrate");
    assert_string_equal(cJSON_GetObjectItem(root, "outcome")->valuestring, "done");
    assert_true(number(root, NULL, "seconds") > 60.0);
    const cJSON* field;
    int fields = 0;
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(root, "measured")) {
        double truth = number(root, "truth", field->string);
        fields++;
        if (truth == 0.0) // there is no error in percent of it
            continue;
        double error = number(root, "error_percent", field->string);
        if (fabs(100.0 * (field->valuedouble / truth - 1.0) - error) > 0.01 || fabs(error) > 5.0)
            fail_msg("%s: %g, truth %g, error %g", field->string, field->valuedouble, truth, error);
    }
    assert_int_equal(fields, 17);
    cJSON_Delete(root);
}

static void the_file_that_it_writes_is_the_vehicle_that_it_measured(void** state) {
    (void)state;
    char arguments[128];
    snprintf(arguments, sizeof arguments, "--vehicle tank --json --out %s", vehicle_file);
    cJSON* root = run_json(arguments, 0);
    char* text = contents(vehicle_file);
    assert_non_null(text);
    kerb_host host = kerb_host_default();
    kerb_io_vehicle read;
    assert_int_equal(kerb_io_vehicle_json_read(&read, text, strlen(text), &host, NULL), KERB_OK);
    assert_string_equal(read.name, "tank");
    assert_int_equal(read.vehicle.kind, KERB_VEHICLE_TRACKED);
    assert_true(fabs((double)read.vehicle.yaw_rate_max - number(root, "measured", "yaw_rate_max")) <
                1e-6);
    free(text);
    cJSON_Delete(root);
}

static void a_vehicle_from_a_file_is_measured(void** state) {
    (void)state;
    FILE* file = fopen(vehicle_file, "wb");
    assert_non_null(file);
    fputs("{\"name\": \"van\", \"wheelbase\": 3.6, \"mass\": 2800, \"braking_max\": 6.5}", file);
    fclose(file);
    char arguments[128];
    snprintf(arguments, sizeof arguments, "--vehicle %s --json", vehicle_file);
    cJSON* root = run_json(arguments, 0);
    assert_string_equal(cJSON_GetObjectItem(root, "vehicle")->valuestring, "van");
    assert_true(fabs(number(root, "measured", "braking_max") - 6.5) < 0.3);
    cJSON_Delete(root);
}

static void what_cannot_be_measured_is_exit_status_one_and_no_file(void** state) {
    (void)state;
    remove(vehicle_file);
    char arguments[128];
    snprintf(arguments, sizeof arguments, "--room-ahead 4 --room-behind 0 --room-aside 1 --out %s",
             vehicle_file);
    char* out;
    assert_int_equal(run(arguments, &out), 1);
    char* error = contents(error_file);
    assert_non_null(strstr(error, "left its area"));
    assert_null(contents(vehicle_file));
    free(error);
    free(out);
}

static void unknown_vehicles_are_refused_in_one_line(void** state) {
    (void)state;
    char* out;
    assert_int_equal(run("--vehicle scowt", &out), 2);
    char* error = contents(error_file);
    assert_non_null(strstr(error, "did you mean scout?"));
    assert_ptr_equal(strchr(error, '\n'), error + strlen(error) - 1);
    assert_string_equal(out, "");
    free(error);
    free(out);
}

static void the_table_has_a_row_for_each_field(void** state) {
    (void)state;
    char* out;
    assert_int_equal(run("--vehicle hovercraft", &out), 0);
    assert_non_null(strstr(out, "yaw_acceleration_max"));
    assert_null(strstr(out, "steering_angle_max"));
    free(out);
    assert_int_equal(run("--vehicle hovercraft --quiet", &out), 0);
    assert_string_equal(out, "");
    free(out);
}

static int name_files(void** state) {
    (void)state;
    char folder[] = "/tmp/kerb-calibrate-XXXXXX";
    if (!mkdtemp(folder))
        return -1;
    snprintf(out_file, sizeof out_file, "%s/out", folder);
    snprintf(error_file, sizeof error_file, "%s/error", folder);
    snprintf(vehicle_file, sizeof vehicle_file, "%s/vehicle.json", folder);
    return 0;
}

static int remove_files(void** state) {
    (void)state;
    remove(out_file);
    remove(error_file);
    remove(vehicle_file);
    *strrchr(out_file, '/') = '\0';
    return remove(out_file);
}

int command_calibrate_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_json_has_what_was_measured_the_truth_and_the_error),
        cmocka_unit_test(the_file_that_it_writes_is_the_vehicle_that_it_measured),
        cmocka_unit_test(a_vehicle_from_a_file_is_measured),
        cmocka_unit_test(what_cannot_be_measured_is_exit_status_one_and_no_file),
        cmocka_unit_test(unknown_vehicles_are_refused_in_one_line),
        cmocka_unit_test(the_table_has_a_row_for_each_field),
    };
    return cmocka_run_group_tests(tests, name_files, remove_files);
}

#else

// The command was left out of this build, which CMake has said why.
int command_calibrate_tests(void) {
    return 0;
}

#endif
