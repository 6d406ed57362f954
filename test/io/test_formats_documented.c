// docs/formats.md against the code: every field's row, and every example, which must be read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/course_csv.h"
#include "kerb/io/grid_map.h"
#include "kerb/io/track.h"
#include "kerb/io/vehicle_json.h"
#include "kerb/racing_line.h"
#include "tool/report/trace_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kerb_host host;
static char* manual;

static char* read_file(const char* name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", KERB_SOURCE_DIR, name);
    FILE* file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    enum { MOST = 1 << 20 };
    char* text = malloc(MOST);
    assert_non_null(text);
    size_t length = fread(text, 1, MOST - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static int set_up(void** state) {
    (void)state;
    host = kerb_host_default();
    manual = read_file("docs/formats.md");
    return 0;
}

static int tear_down(void** state) {
    (void)state;
    free(manual);
    return 0;
}

// --------------------------------------------------------------------------- tables

static void expect_row(const kerb_setting* setting) {
    kerb_io_text row = kerb_io_text_make(&host.allocator);
    kerb_io_text_add(&row, "| `");
    kerb_io_text_add(&row, setting->name);
    kerb_io_text_add(&row, "` | ");
    kerb_io_text_add(&row, setting->unit);
    kerb_io_text_add(&row, " | ");
    kerb_io_text_add_float(&row, setting->min);
    kerb_io_text_add(&row, " \xE2\x80\xA6 ");
    kerb_io_text_add_float(&row, setting->max);
    kerb_io_text_add(&row, " | ");
    kerb_io_text_add_float(&row, setting->default_value);
    kerb_io_text_add(&row, " | ");
    kerb_io_text_add(&row, setting->meaning);
    kerb_io_text_add(&row, " |\n");
    if (!strstr(manual, row.data))
        fail_msg("docs/formats.md misses this row:\n%s", row.data);
    kerb_io_text_destroy(&row);
}

static void every_column_of_a_course_has_its_row(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_io_course_columns.count; i++)
        expect_row(&kerb_io_course_columns.settings[i]);
}

static void every_column_of_a_track_has_its_row(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_io_track_columns.count; i++)
        expect_row(&kerb_io_track_columns.settings[i]);
}

static void every_field_of_a_vehicle_has_its_row(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_vehicle_table.count; i++) {
        const kerb_setting* setting = &kerb_vehicle_table.settings[i];
        // The first gear's row stands for all gears.
        if (!strchr(setting->name, '[') || strstr(setting->name, "[0]"))
            expect_row(setting);
    }
}

static void the_header_of_a_trace_is_the_documented_one(void** state) {
    (void)state;
    kerb_io_text header = kerb_io_text_make(&host.allocator);
    tool_trace_csv_header(&header);
    char* block = strstr(manual, "```trace\n");
    assert_non_null(block);
    assert_memory_equal(block + 9, header.data, header.length);
    kerb_io_text_destroy(&header);
}

// --------------------------------------------------------------------------- examples

typedef void example_check(const char* text, size_t length);

// Calls `check` with the text of each fenced block of a kind; returns how many there were.
static int32_t check_examples(const char* fence, example_check* check) {
    int32_t count = 0;
    for (char* at = strstr(manual, fence); at; at = strstr(at, fence)) {
        at += strlen(fence);
        char* end = strstr(at, "```");
        assert_non_null(end);
        check(at, (size_t)(end - at));
        count++;
    }
    return count;
}

static void check_course(const char* text, size_t length) {
    kerb_error error;
    kerb_io_course course;
    kerb_path path;
    if (kerb_io_course_csv_read(&course, text, length, &host, &error) != KERB_OK)
        fail_msg("line %d of\n%.*s: %s: %s", (int)error.line, (int)length, text, error.field,
                 error.message);
    if (kerb_path_create(&path, course.waypoints, course.count, course.closed, &host, &error) !=
        KERB_OK)
        fail_msg("no path: %s: %s", error.field, error.message);
    kerb_path_destroy(&path);
    kerb_io_course_destroy(&course, &host);
}

static void check_track(const char* text, size_t length) {
    kerb_error error;
    kerb_io_track track;
    if (kerb_io_track_read(&track, text, length, &host, &error) != KERB_OK)
        fail_msg("line %d of\n%.*s: %s: %s", (int)error.line, (int)length, text, error.field,
                 error.message);
    if (kerb_track_validate(track.waypoints, track.count, track.closed, &error) != KERB_OK)
        fail_msg("no track: %s: %s", error.field, error.message);
    kerb_io_track_destroy(&track, &host);
}

static void check_vehicle(const char* text, size_t length) {
    kerb_error error;
    kerb_io_vehicle vehicle;
    if (kerb_io_vehicle_json_read(&vehicle, text, length, &host, &error) != KERB_OK)
        fail_msg("line %d of\n%.*s: %s: %s", (int)error.line, (int)length, text, error.field,
                 error.message);
}

static void check_map(const char* text, size_t length) {
    kerb_error error;
    kerb_io_grid_map map;
    kerb_io_notes notes = {0};
    if (kerb_io_grid_map_read_movingai(&map, text, length, &host, &notes, &error) != KERB_OK)
        fail_msg("line %d of\n%.*s: %s: %s", (int)error.line, (int)length, text, error.field,
                 error.message);
    assert_int_equal(notes.count, 0);
    kerb_io_grid_map_destroy(&map, &host);
}

static void check_map_info(const char* text, size_t length) {
    kerb_error error;
    kerb_io_map_info info;
    kerb_io_notes notes = {0};
    if (kerb_io_map_info_read(&info, text, length, &notes, &error) != KERB_OK)
        fail_msg("line %d of\n%.*s: %s: %s", (int)error.line, (int)length, text, error.field,
                 error.message);
    assert_int_equal(notes.count, 0);
}

static void every_documented_example_is_read(void** state) {
    (void)state;
    assert_true(check_examples("```csv\n", check_course) >= 2);
    assert_true(check_examples("```json\n", check_vehicle) >= 2);
    assert_true(check_examples("```track\n", check_track) >= 2);
    if (kerb_io_track_torcs_available())
        assert_true(check_examples("```xml\n", check_track) >= 1);
    assert_true(check_examples("```map\n", check_map) >= 1);
    if (kerb_io_map_info_available())
        assert_true(check_examples("```yaml\n", check_map_info) >= 1);
}

static void the_documented_error_is_what_a_reader_says(void** state) {
    (void)state;
    const char text[] = "x_m,y_m,speed_mps\n1,2,0\n";
    kerb_error error;
    kerb_io_course course;
    char line[256];
    kerb_io_course_csv_read(&course, text, sizeof text - 1, &host, &error);
    snprintf(line, sizeof line, ": %s: %s\n", error.field, error.message);
    assert_non_null(strstr(manual, line));
}

static void every_example_file_is_read(void** state) {
    (void)state;
    const char* vehicles[] = {"examples/vehicles/van.json", "examples/vehicles/bus.json"};
    for (size_t i = 0; i < sizeof vehicles / sizeof *vehicles; i++) {
        char* text = read_file(vehicles[i]);
        check_vehicle(text, strlen(text));
        free(text);
    }
    char* text = read_file("examples/courses/car_park.csv");
    check_course(text, strlen(text));
    free(text);
}

int formats_documented_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_of_a_course_has_its_row),
        cmocka_unit_test(every_column_of_a_track_has_its_row),
        cmocka_unit_test(every_field_of_a_vehicle_has_its_row),
        cmocka_unit_test(the_header_of_a_trace_is_the_documented_one),
        cmocka_unit_test(every_documented_example_is_read),
        cmocka_unit_test(the_documented_error_is_what_a_reader_says),
        cmocka_unit_test(every_example_file_is_read),
    };
    return cmocka_run_group_tests_name("formats documented", tests, set_up, tear_down);
}
