// The trace of a trial as CSV: columns, decimals, every reason, and numbers that are not finite.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/csv.h"
#include "test/allocation.h"
#include "tool/report/trace_csv.h"

#include <math.h>
#include <string.h>

static const char header[] =
    "time_s,x_m,y_m,z_m,heading_rad,speed_mps,throttle,brake,steering,gear,target_speed_mps,"
    "cross_track_error_m,progress_m,target_x_m,target_y_m,curvature_1pm,reason\n";

static test_allocation allocation;
static kerb_host host;
static kerb_io_text text;

static int set_up(void** state) {
    (void)state;
    allocation = test_allocation_make();
    host = test_allocation_host(&allocation);
    text = kerb_io_text_make(&host.allocator);
    return 0;
}

static int tear_down(void** state) {
    (void)state;
    kerb_io_text_destroy(&text);
    test_allocation_check(&allocation);
    return 0;
}

static kerb_scene_frame some_frame(void) {
    kerb_scene_frame frame = {
        .time = 1.0 / 60.0, .cross_track_error = -0.0625f, .progress = 1234.5678};
    frame.motion = kerb_motion_default();
    frame.motion.position = (kerb_vec3){1.0f, -2.5f, 0.25f};
    frame.motion.rotation = (kerb_quat){0.0f, 0.0f, 1.0f, 0.0f}; // facing back along x
    frame.motion.velocity = (kerb_vec3){-10.0f, 0.0f, 0.0f};
    frame.controls.throttle = 0.3333f;
    frame.controls.steering = -0.00004f;
    frame.controls.gear = -1;
    frame.controls.reason = KERB_REASON_CURVE;
    frame.thoughts.target_speed = 12.0f;
    frame.thoughts.target = (kerb_vec3){5.0f, 6.0f, 7.0f};
    frame.thoughts.limiting_curvature = 0.015625f;
    return frame;
}

static void the_header_names_the_columns(void** state) {
    (void)state;
    tool_trace_csv_header(&text);
    assert_string_equal(text.data, header);
}

static void a_frame_is_a_line_of_fixed_decimals(void** state) {
    (void)state;
    kerb_scene_frame frame = some_frame();
    tool_trace_csv_frame(&text, &frame);
    // Half turns are where the sign of a heading is anyone's guess: compare without it.
    char* minus = strstr(text.data, "-3.1416");
    if (minus)
        memmove(minus, minus + 1, strlen(minus));
    assert_string_equal(text.data,
                        "0.01667,1.000,-2.500,0.250,3.1416,10.000,0.333,0.000,0.0000,-1,12.000,"
                        "-0.062,1234.568,5.000,6.000,0.01562,bend ahead\n");
}

static void a_written_trace_has_a_line_for_each_frame(void** state) {
    (void)state;
    kerb_scene_frame frames[3] = {some_frame(), some_frame(), some_frame()};
    kerb_error error;
    assert_int_equal(tool_trace_csv_write(&text, frames, 3, &error), KERB_OK);
    assert_memory_equal(text.data, header, sizeof header - 1);
    int lines = 0;
    for (size_t i = 0; i < text.length; i++)
        lines += text.data[i] == '\n';
    assert_int_equal(lines, 4);
}

static void every_reason_and_the_unknown_one_fit_into_a_cell(void** state) {
    (void)state;
    for (int reason = 0; reason <= (int)KERB_REASON_COUNT; reason++) {
        kerb_scene_frame frame = some_frame();
        frame.controls.reason = (kerb_reason)reason;
        kerb_io_text_destroy(&text);
        tool_trace_csv_frame(&text, &frame);
        kerb_io_csv csv = kerb_io_csv_make(text.data, text.length);
        kerb_io_csv_line line;
        kerb_io_csv_cell cell = {NULL, 0, NULL};
        int cells = 0;
        assert_true(kerb_io_csv_next_line(&csv, &line));
        while (kerb_io_csv_next_cell(&line, &cell))
            cells++;
        assert_int_equal(cells, 17);
        assert_int_equal(cell.length, strlen(kerb_reason_text(frame.controls.reason)));
        assert_false(kerb_io_csv_next_line(&csv, &line));
    }
}

static void numbers_that_are_not_finite_are_words(void** state) {
    (void)state;
    kerb_scene_frame frame = some_frame();
    frame.motion.position = (kerb_vec3){NAN, INFINITY, -INFINITY};
    tool_trace_csv_frame(&text, &frame);
    assert_memory_equal(text.data, "0.01667,nan,inf,-inf,", 21);
}

static void out_of_memory_is_said_once_at_the_end(void** state) {
    (void)state;
    kerb_scene_frame frames[3] = {some_frame(), some_frame(), some_frame()};
    int failures = 0;
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_error error = {.result = KERB_OK};
        kerb_result result = tool_trace_csv_write(&text, frames, 3, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        assert_int_equal(error.result, result);
        failures += allocation.failed;
        kerb_io_text_destroy(&text);
        test_allocation_check(&allocation);
    }
    assert_true(failures >= 2);
}

int trace_csv_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_header_names_the_columns),
        TEST(a_frame_is_a_line_of_fixed_decimals),
        TEST(a_written_trace_has_a_line_for_each_frame),
        TEST(every_reason_and_the_unknown_one_fit_into_a_cell),
        TEST(numbers_that_are_not_finite_are_words),
        TEST(out_of_memory_is_said_once_at_the_end),
    };
    return cmocka_run_group_tests_name("trace csv", tests, NULL, NULL);
}
