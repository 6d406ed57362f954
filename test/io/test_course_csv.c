// Courses as CSV: what docs/formats.md promises, and what happens to every kind of broken file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/course_csv.h"
#include "test/allocation.h"
#include "test/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// --------------------------------------------------------------------------- what tests need

static test_allocation allocation;
static kerb_host host;
static kerb_io_course course;
static kerb_error error;
static kerb_io_notes notes;

static int set_up(void** state) {
    (void)state;
    allocation = test_allocation_make();
    host = test_allocation_host(&allocation);
    return 0;
}

static int tear_down(void** state) {
    (void)state;
    kerb_io_course_destroy(&course, &host);
    test_allocation_check(&allocation);
    return 0;
}

// Reads from a block of just that length, so that the address sanitizer sees a step too far.
static kerb_result read_bytes(const char* text, size_t length) {
    kerb_io_course_destroy(&course, &host);
    char* block = malloc(length ? length : 1);
    memcpy(block, text, length);
    memset(&error, 0, sizeof error);
    memset(&notes, 0, sizeof notes);
    kerb_result result = kerb_io_course_csv_read(&course, block, length, &host, &notes, &error);
    free(block);
    return result;
}

static void expect_rows(const char* text, int32_t rows) {
    if (read_bytes(text, strlen(text)) != KERB_OK)
        fail_msg("refused: line %d, %s: %s", (int)error.line, error.field, error.message);
    assert_int_equal(course.count, rows);
}

static void expect_refusal(const char* text, kerb_result result, int32_t line, int32_t index,
                           const char* field, const char* part_of_message) {
    assert_int_equal(read_bytes(text, strlen(text)), result);
    assert_int_equal(error.result, result);
    assert_int_equal(error.line, line);
    assert_int_equal(error.index, index);
    assert_string_equal(error.field, field);
    if (!strstr(error.message, part_of_message))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part_of_message);
    assert_null(course.waypoints);
}

static void expect_equal(const kerb_waypoint* a, const kerb_waypoint* b) {
    assert_memory_equal(a, b, sizeof *a);
}

// --------------------------------------------------------------------------- what is read

static void every_column_reaches_its_field(void** state) {
    (void)state;
    expect_rows("x_m,y_m,z_m,left_m,right_m,direction,speed_mps,stop_s,bank_rad,grip\n"
                "1,2,3,4,5,-1,6,7,0.5,0.75\n",
                1);
    kerb_waypoint expected = {{1, 2, 3}, 4, 5, 6, 7, 0.5f, 0.75f, -1};
    expect_equal(&course.waypoints[0], &expected);
    assert_false(course.closed);
}

static void columns_may_come_in_any_order(void** state) {
    (void)state;
    expect_rows("speed_mps,y_m,x_m\n12.5,2,1\n", 1);
    kerb_waypoint expected = kerb_waypoint_at(1, 2, 0);
    expected.speed_limit = 12.5f;
    expect_equal(&course.waypoints[0], &expected);
}

static void missing_columns_and_empty_cells_take_the_defaults(void** state) {
    (void)state;
    kerb_waypoint expected = kerb_waypoint_at(1, 2, 0);
    expect_rows("x_m,y_m\n1,2\n", 1);
    expect_equal(&course.waypoints[0], &expected);
    expect_rows("x_m,y_m,z_m,left_m,right_m,direction,speed_mps,stop_s\n1,2,,,,, ,\"\"\n", 1);
    expect_equal(&course.waypoints[0], &expected);
}

static void spaces_quotes_comments_and_blank_lines_change_nothing(void** state) {
    (void)state;
    expect_rows("\n# a course\n  x_m , \"y_m\"\t # the header\n\n"
                " \"1\" ,\t2 \n   \n#1,2\n\" 3 \",\"4\"# end\n\t\n",
                2);
    kerb_waypoint expected = kerb_waypoint_at(3, 4, 0);
    expect_equal(&course.waypoints[1], &expected);
}

static void any_line_ending_will_do_and_the_last_may_be_missing(void** state) {
    (void)state;
    const char* texts[] = {"x_m,y_m\n1,2\n3,4\n", "x_m,y_m\r\n1,2\r\n3,4\r\n",
                           "x_m,y_m\r1,2\r3,4\r", "x_m,y_m\n1,2\n3,4", "x_m,y_m\r\n\r\n1,2\r\n3,4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expect_rows(texts[i], 2);
        assert_true(course.waypoints[1].position.y == 4.0f);
    }
    expect_refusal("x_m,y_m\r\n\r\n1,a\r\n", KERB_ERROR_WRONG_TYPE, 3, 0, "y_m", "number");
}

static void a_byte_order_mark_is_passed_over(void** state) {
    (void)state;
    expect_rows("\xEF\xBB\xBFx_m,y_m\n1,2\n", 1);
}

static void a_comment_above_the_rows_closes_the_course(void** state) {
    (void)state;
    expect_rows("# closed\nx_m,y_m\n1,2\n", 1);
    assert_true(course.closed);
    expect_rows("x_m,y_m\n#closed  \n1,2\n", 1);
    assert_true(course.closed);
    expect_rows("# not closed\nx_m,y_m\n1,2\n", 1);
    assert_false(course.closed);
    expect_refusal("x_m,y_m\n1,2\n# closed\n", KERB_ERROR_SYNTAX, 3, 1, "closed", "above");
}

// --------------------------------------------------------------------------- what is refused

static void a_file_without_a_header_says_what_is_missing(void** state) {
    (void)state;
    expect_refusal("", KERB_ERROR_MISSING_FIELD, 0, -1, "x_m", "names the columns");
    expect_refusal("\n# nothing\n", KERB_ERROR_MISSING_FIELD, 0, -1, "x_m", "names the columns");
    expect_refusal("1,2\n3,4\n", KERB_ERROR_MISSING_FIELD, 1, -1, "x_m", "name the columns");
    expect_refusal("\nx_m,z_m\n1,2\n", KERB_ERROR_MISSING_FIELD, 2, -1, "y_m", "header");
    expect_refusal("y_m\n1\n", KERB_ERROR_MISSING_FIELD, 1, -1, "x_m", "header");
    expect_refusal("x_m,y_m\n", KERB_ERROR_TOO_FEW, 0, -1, "", "no row");
}

static void expect_note(const char* text, const char* part) {
    expect_rows(text, 1);
    for (int32_t i = 0; i < notes.count; i++)
        if (strstr(notes.rows[i].message, part))
            return;
    fail_msg("no note says \"%s\" of\n%s", part, text);
}

static void unknown_columns_are_ignored_and_a_near_name_is_offered(void** state) {
    (void)state;
    expect_note("x_m,y_m,spede_mps\n1,2,x\n", "spede_mps (did you mean speed_mps?)");
    expect_note("x_m,y_m,colour,\x01\xFF\n1,2,red,3\n", "ignored the columns: colour, \?\?");
    expect_refusal("x_m,yy_m\n1,2\n", KERB_ERROR_UNKNOWN_FIELD, 1, -1, "yy_m", "did you mean y_m?");
}

static void a_column_named_twice_is_a_contradiction(void** state) {
    (void)state;
    expect_refusal("x_m,y_m,x_m\n1,2,3\n", KERB_ERROR_CONTRADICTION, 1, -1, "x_m", "twice");
}

static void rows_of_another_length_than_the_header_are_refused(void** state) {
    (void)state;
    expect_refusal("x_m,y_m,left_m\n1,2,3\n4,5\n", KERB_ERROR_SYNTAX, 3, 1, "",
                   "only 2 cells, there are 3");
    expect_refusal("x_m,y_m\n1,2,3\n", KERB_ERROR_SYNTAX, 2, 0, "", "more than 2 cells");
}

static void cells_that_hold_no_usable_number_are_named(void** state) {
    (void)state;
    expect_refusal("x_m,y_m\n1,2\n\n,2\n", KERB_ERROR_MISSING_FIELD, 4, 1, "x_m", "empty");
    expect_refusal("x_m,y_m\n1,two\n", KERB_ERROR_WRONG_TYPE, 2, 0, "y_m", "\"two\"");
    expect_refusal("x_m,y_m\n1,0x1F\n", KERB_ERROR_WRONG_TYPE, 2, 0, "y_m", "\"0x1F\"");
    expect_refusal("x_m,y_m\n1,2 3\n", KERB_ERROR_WRONG_TYPE, 2, 0, "y_m", "\"2 3\"");
    expect_refusal("x_m,y_m\nNaN,2\n", KERB_ERROR_NOT_FINITE, 2, 0, "x_m", "finite");
    expect_refusal("x_m,y_m\n1,-inf\n", KERB_ERROR_NOT_FINITE, 2, 0, "y_m", "finite");
    expect_refusal("x_m,y_m\n1,1e999\n", KERB_ERROR_OUT_OF_RANGE, 2, 0, "y_m", "1e999");
}

static void numbers_outside_their_range_are_named_with_it(void** state) {
    (void)state;
    expect_refusal("x_m,y_m\n1,2\n1,1000001\n", KERB_ERROR_OUT_OF_RANGE, 3, 1, "y_m", "1000000 m");
    expect_refusal("x_m,y_m\n5e6,2\n1,2\n", KERB_ERROR_OUT_OF_RANGE, 3, 1, "x_m", "offset");
    expect_refusal("x_m,y_m\n5e9,2\n", KERB_ERROR_OUT_OF_RANGE, 2, 0, "x_m", "1e9");
    expect_refusal("x_m,y_m,left_m\n1,2,-1\n", KERB_ERROR_OUT_OF_RANGE, 2, 0, "left_m", "-1");
    expect_refusal("x_m,y_m,speed_mps\n1,2,0\n", KERB_ERROR_OUT_OF_RANGE, 2, 0, "speed_mps", "m/s");
    expect_refusal("x_m,y_m,stop_s\n1,2,-1\n", KERB_ERROR_OUT_OF_RANGE, 2, 0, "stop_s", " s");
    const char* directions[] = {"0", "2", "-2", "0.5"};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        char text[64];
        snprintf(text, sizeof text, "x_m,y_m,direction\n1,2,1\n1,2,%s\n", directions[i]);
        expect_refusal(text, KERB_ERROR_OUT_OF_RANGE, 3, 1, "direction", "1 (forwards) or -1");
    }
}

static void broken_quotes_are_refused(void** state) {
    (void)state;
    expect_refusal("x_m,\"y_m\n1,2\n", KERB_ERROR_SYNTAX, 1, -1, "", "does not end");
    expect_refusal("x_m,y_m\n1,\"2\n3\"\n", KERB_ERROR_SYNTAX, 2, 0, "", "does not end");
    expect_refusal("x_m,y_m\n\"1\"2,3\n", KERB_ERROR_SYNTAX, 2, 0, "", "between");
    expect_refusal("x_m,y_m\n\"1\"\"2\",3\n", KERB_ERROR_WRONG_TYPE, 2, 0, "x_m", "number");
    expect_refusal("x_m,y_m\n1,\"", KERB_ERROR_SYNTAX, 2, 0, "", "does not end");
}

static void other_kinds_of_file_are_recognised(void** state) {
    (void)state;
    expect_note("# x_m,y_m,w_tr_right_m,w_tr_left_m\n1,2,5,4\n", "because this is a track");
    assert_true(course.closed && course.waypoints[0].left == 4.0f);
    const char utf16[] = "\xFF\xFEx\0_\0m\0,\0y\0_\0m\0\n";
    assert_int_equal(read_bytes(utf16, sizeof utf16 - 1), KERB_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, "UTF-8"));
}

static void errors_may_be_left_unasked(void** state) {
    (void)state;
    assert_int_equal(kerb_io_course_csv_read(&course, "x_m", 3, &host, NULL, NULL),
                     KERB_ERROR_MISSING_FIELD);
}

// --------------------------------------------------------------------------- properties

static const char sample[] = "# closed\r\nx_m,y_m,direction,speed_mps,stop_s\n0,0,1,8,\n"
                             "40.25,-1e1,1,\"8\",2.5 # wait\n\n40,30,-1,,\n0,30,1,5.5,0\n";

static void a_file_cut_at_any_byte_gives_fewer_rows_or_an_error(void** state) {
    (void)state;
    kerb_waypoint whole[4];
    expect_rows(sample, 4);
    memcpy(whole, course.waypoints, sizeof whole);
    for (size_t length = 0; length < sizeof sample - 1; length++) {
        if (read_bytes(sample, length) != KERB_OK) {
            assert_true(error.message[0] != '\0');
            continue;
        }
        assert_true(course.count >= 1 && course.count <= 4);
        // A number may have been cut in the last row only.
        for (int32_t i = 0; i < course.count - 1; i++)
            expect_equal(&course.waypoints[i], &whole[i]);
    }
}

static float any_number(kerb_random* random, float least, float most) {
    return kerb_random_below(random, 3) ? kerb_random_between(random, least, most)
                                        : (float)kerb_random_below(random, (int32_t)most);
}

static kerb_waypoint any_waypoint(kerb_random* random) {
    kerb_waypoint waypoint =
        kerb_waypoint_at(any_number(random, -9e5f, 9e5f), any_number(random, -1.0f, 1.0f), 0);
    if (kerb_random_below(random, 2))
        waypoint.position.z = any_number(random, -50.0f, 50.0f);
    if (kerb_random_below(random, 2))
        waypoint.left = any_number(random, 0.0f, 10.0f);
    if (kerb_random_below(random, 2))
        waypoint.speed_limit = any_number(random, 0.1f, 80.0f) + 0.01f;
    if (kerb_random_below(random, 2))
        waypoint.stop = any_number(random, 0.0f, 10.0f);
    if (kerb_random_below(random, 2))
        waypoint.bank = any_number(random, -1.0f, 1.0f);
    waypoint.direction = kerb_random_below(random, 2) ? 1 : -1;
    return waypoint;
}

static void a_written_course_reads_back_equal(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t round = 0; round < 200; round++) {
        kerb_waypoint waypoints[20];
        int32_t count = 1 + kerb_random_below(&random, 20);
        for (int32_t i = 0; i < count; i++)
            waypoints[i] = any_waypoint(&random);
        bool closed = kerb_random_below(&random, 2) == 1;
        kerb_io_text text = kerb_io_text_make(&host.allocator);
        assert_int_equal(kerb_io_course_csv_write(&text, waypoints, count, closed, &error),
                         KERB_OK);
        expect_rows(text.data, count);
        assert_int_equal(course.closed, closed);
        for (int32_t i = 0; i < count; i++)
            expect_equal(&course.waypoints[i], &waypoints[i]);
        kerb_io_text_destroy(&text);
    }
}

static void only_columns_that_say_something_are_written(void** state) {
    (void)state;
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(1.5f, -2, 0)};
    waypoints[1].stop = 3.0f;
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    assert_int_equal(kerb_io_course_csv_write(&text, waypoints, 2, true, &error), KERB_OK);
    assert_string_equal(text.data, "# closed\nx_m,y_m,stop_s\n0,0,\n1.5,-2,3\n");
    kerb_io_text_destroy(&text);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void** state) {
    (void)state;
    kerb_io_course_destroy(&course, &host);
    int32_t failures = 0;
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result = read_bytes(sample, sizeof sample - 1);
        kerb_io_text text = kerb_io_text_make(&host.allocator);
        if (result == KERB_OK)
            result = kerb_io_course_csv_write(&text, course.waypoints, course.count, true, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        failures += allocation.failed;
        kerb_io_text_destroy(&text);
        kerb_io_course_destroy(&course, &host);
        test_allocation_check(&allocation);
    }
    assert_true(failures >= 2);
}

// --------------------------------------------------------------------------- size

enum { MILLION = 1000000 };

static void write_million(kerb_io_text* text) {
    kerb_random random = test_random(__func__);
    kerb_io_text_add(text, "x_m,y_m,z_m,left_m,right_m,direction,speed_mps,stop_s\n");
    for (int32_t i = 0; i < MILLION; i++) {
        kerb_io_text_add_fixed(text, (double)kerb_random_between(&random, -5000, 5000), 3);
        kerb_io_text_add(text, ",");
        kerb_io_text_add_fixed(text, (double)kerb_random_between(&random, -5000, 5000), 3);
        kerb_io_text_add(text, ",0.25,2.5,2.5,1,13.9,0\n");
    }
}

static void a_million_rows_are_read_and_measured(void** state) {
    (void)state;
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    write_million(&text);
    assert_false(text.out_of_memory);
    clock_t start = clock();
    kerb_result result =
        kerb_io_course_csv_read(&course, text.data, text.length, &host, NULL, &error);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%d rows, %.1f MB: %.3f s\n", MILLION, (double)text.length / 1e6, seconds);
    kerb_io_text_destroy(&text);
    assert_int_equal(result, KERB_OK);
    assert_int_equal(course.count, MILLION);
    // Far above what it takes, for slow machines and sanitizers: it finds what grows as n².
    assert_true(seconds < 30.0);
}

int course_csv_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_column_reaches_its_field),
        TEST(columns_may_come_in_any_order),
        TEST(missing_columns_and_empty_cells_take_the_defaults),
        TEST(spaces_quotes_comments_and_blank_lines_change_nothing),
        TEST(any_line_ending_will_do_and_the_last_may_be_missing),
        TEST(a_byte_order_mark_is_passed_over),
        TEST(a_comment_above_the_rows_closes_the_course),
        TEST(a_file_without_a_header_says_what_is_missing),
        TEST(unknown_columns_are_ignored_and_a_near_name_is_offered),
        TEST(a_column_named_twice_is_a_contradiction),
        TEST(rows_of_another_length_than_the_header_are_refused),
        TEST(cells_that_hold_no_usable_number_are_named),
        TEST(numbers_outside_their_range_are_named_with_it),
        TEST(broken_quotes_are_refused),
        TEST(other_kinds_of_file_are_recognised),
        TEST(errors_may_be_left_unasked),
        TEST(a_file_cut_at_any_byte_gives_fewer_rows_or_an_error),
        TEST(a_written_course_reads_back_equal),
        TEST(only_columns_that_say_something_are_written),
        TEST(every_failed_allocation_is_reported_and_nothing_leaks),
        TEST(a_million_rows_are_read_and_measured),
    };
    return cmocka_run_group_tests_name("course csv", tests, NULL, NULL);
}
