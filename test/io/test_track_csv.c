// Tracks as CSV: what docs/formats.md promises, and what happens to every kind of broken file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"
#include "scene/race/tracks.h"
#include "test/io/track_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL "# x_m,y_m,w_tr_right_m,w_tr_left_m\n"

static void expect_rows(const char* text, int32_t rows, bool closed) {
    if (read_bytes(text, strlen(text)) != KERB_OK)
        fail_msg("refused: line %d, %s: %s", (int)error.line, error.field, error.message);
    assert_int_equal(track.count, rows);
    assert_true(track.closed == closed);
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
    assert_null(track.waypoints);
}

// --------------------------------------------------------------------------- what is read

static void the_right_width_comes_first(void** state) {
    (void)state;
    expect_rows(LEVEL "1,2,3,4\n", 1, true);
    kerb_waypoint expected = kerb_waypoint_at(1, 2, 0);
    expected.right = 3;
    expected.left = 4;
    assert_memory_equal(&track.waypoints[0], &expected, sizeof expected);
}

static void a_track_in_space_has_height_and_banking(void** state) {
    (void)state;
    expect_rows("# x_m,y_m,z_m,w_right_m,w_left_m,banking_phi_rad,slope_mu_rad (whose, LGPL)\n"
                "1,2,3,4,5,-0.25,0.01\n",
                1, true);
    kerb_waypoint expected = kerb_waypoint_at(1, 2, 3);
    expected.right = 4;
    expected.left = 5;
    expected.bank = -0.25f;
    assert_memory_equal(&track.waypoints[0], &expected, sizeof expected);
}

static void columns_need_no_names_and_names_no_comment(void** state) {
    (void)state;
    expect_rows("1,2,3,4\n5,6,7,8\n", 2, true);
    assert_true(track.waypoints[1].right == 7.0f && track.waypoints[1].left == 8.0f);
    expect_rows("1,2,3,4,5,0.1,0\n", 1, true);
    assert_true(track.waypoints[0].position.z == 3.0f && track.waypoints[0].bank == 0.1f);
    expect_rows("w_left_m,w_right_m,y_m,x_m\n1,2,3,4\n", 1, true);
    assert_true(track.waypoints[0].left == 1.0f && track.waypoints[0].position.x == 4.0f);
}

static void remarks_blank_lines_and_any_line_ending_change_nothing(void** state) {
    (void)state;
    expect_rows("\xEF\xBB\xBF# a track, by us\r\n\r\n" LEVEL "1,2,3,4\r\n# x\r\n 5 , 6,7,8 # end",
                2, true);
    assert_true(track.waypoints[1].position.x == 5.0f);
}

static void a_comment_opens_a_track(void** state) {
    (void)state;
    expect_rows("# open\n" LEVEL "1,2,3,4\n", 1, false);
}

static void a_course_is_read_as_a_track(void** state) {
    (void)state;
    expect_rows("# closed\nx_m,y_m,left_m\n1,2,3\n", 1, true);
    assert_true(track.waypoints[0].left == 3.0f);
    expect_rows("x_m,y_m,left_m\n1,2,3\n", 1, false);
}

// --------------------------------------------------------------------------- what is refused

static void broken_rows_are_refused_by_line_and_column(void** state) {
    (void)state;
    expect_refusal(LEVEL "1,2,3,4\n1,2,3\n", KERB_ERROR_SYNTAX, 3, 1, "", "only 3 cells");
    expect_refusal(LEVEL "1,2,3,4,5\n", KERB_ERROR_SYNTAX, 2, 0, "", "more than 4 cells");
    expect_refusal(LEVEL "1,two,3,4\n", KERB_ERROR_WRONG_TYPE, 2, 0, "y_m", "\"two\"");
    expect_refusal(LEVEL "1,2,3,\n", KERB_ERROR_MISSING_FIELD, 2, 0, "w_left_m", "empty");
    expect_refusal(LEVEL "1,nan,3,4\n", KERB_ERROR_NOT_FINITE, 2, 0, "y_m", "finite");
    expect_refusal(LEVEL "1,2,inf,4\n", KERB_ERROR_NOT_FINITE, 2, 0, "w_right_m", "finite");
    expect_refusal(LEVEL "1,2,3,4\n1e7,2,3,4\n", KERB_ERROR_OUT_OF_RANGE, 3, 1, "x_m", "1000000");
    expect_refusal(LEVEL "1,\"2,3,4\n", KERB_ERROR_SYNTAX, 2, 0, "", "quoted");
}

static void a_negative_width_asks_for_the_order_of_the_columns(void** state) {
    (void)state;
    expect_refusal(LEVEL "1,2,-3,4\n", KERB_ERROR_OUT_OF_RANGE, 2, 0, "w_right_m", "order");
    expect_refusal("1,2,3,-4\n", KERB_ERROR_OUT_OF_RANGE, 1, 0, "w_left_m", "order");
}

static void wrong_headers_are_refused(void** state) {
    (void)state;
    expect_refusal("# x_m,y_m,w_tr_right_m\n1,2,3\n", KERB_ERROR_MISSING_FIELD, 1, -1, "w_left_m",
                   "header");
    expect_refusal("# x_m,y_m,w_tr_right_m,w_tr_rigt_m\n1,2,3,4\n", KERB_ERROR_UNKNOWN_FIELD, 1, -1,
                   "w_tr_rigt_m", "did you mean w_tr_left_m");
    expect_refusal("# x_m,y_m,w_tr_right_m,w_right_m\n1,2,3,4\n", KERB_ERROR_CONTRADICTION, 1, -1,
                   "w_right_m", "twice");
    expect_refusal("1,2,3\n", KERB_ERROR_MISSING_FIELD, 1, -1, "w_right_m", "4 cells");
    expect_refusal("1,2,3,4,5\n", KERB_ERROR_MISSING_FIELD, 1, -1, "x_m", "7 or 12");
    expect_refusal("", KERB_ERROR_TOO_FEW, 0, -1, "", "no rows");
    expect_refusal(LEVEL, KERB_ERROR_TOO_FEW, 0, -1, "", "no rows");
}

static void a_file_that_is_cut_gives_fewer_rows_or_an_error(void** state) {
    (void)state;
    const char text[] = LEVEL "10.5,20.5,3.25,4.75\n11.5,21.5,3.25,4.75\n12.5,22.5,3.5,4.5\n";
    for (size_t length = 0; length < sizeof text - 1; length++) {
        if (read_bytes(text, length) == KERB_OK)
            assert_true(track.count <= 3);
        else
            assert_true(error.message[0] != '\0' && !track.waypoints);
    }
}

// --------------------------------------------------------------------------- what is written

static void expect_round_trip(const kerb_scene_track* made, bool in_space) {
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    assert_int_equal(kerb_io_track_csv_write(&text, made->waypoints, made->count, made->closed,
                                             in_space, &error),
                     KERB_OK);
    assert_int_equal(read_bytes(text.data, text.length), KERB_OK);
    kerb_io_text_destroy(&text);
    assert_int_equal(track.count, made->count);
    assert_true(track.closed == made->closed);
    for (int32_t i = 0; i < track.count; i++)
        assert_memory_equal(&track.waypoints[i], &made->waypoints[i], sizeof track.waypoints[i]);
}

static void tracks_read_back_equal(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_scene_track_count(); i++) {
        kerb_scene_track made;
        assert_int_equal(kerb_scene_track_make(kerb_scene_track_name(i), &host, &made, &error),
                         KERB_OK);
        expect_round_trip(&made, true);
        made.closed = false;
        made.waypoints[3].grip = 0.5f;
        expect_round_trip(&made, true);
        for (int32_t k = 0; k < made.count; k++) {
            made.waypoints[k].position.z = made.waypoints[k].bank = 0.0f;
            made.waypoints[k].grip = 1.0f;
        }
        expect_round_trip(&made, false);
        kerb_scene_track_free(&made, &host);
    }
}

static void the_written_slope_is_positive_downhill(void** state) {
    (void)state;
    kerb_waypoint down[3];
    for (int32_t i = 0; i < 3; i++)
        down[i] = kerb_waypoint_at(10.0f * (float)i, 0.0f, -(float)i);
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    assert_int_equal(kerb_io_track_csv_write(&text, down, 3, false, true, &error), KERB_OK);
    assert_non_null(strstr(text.data, "\n10,0,-1,2,2,0,0.0996")); // arctangent of 0.1
    kerb_io_text_destroy(&text);
}

static void every_lack_of_memory_is_an_error(void** state) {
    (void)state;
    const char* texts[] = {LEVEL "1,2,3,4\n", "x_m,y_m,w_left_m,w_right_m\n1,2,3,4\n5,6,7,8\n"};
    for (int32_t k = 0; k < 2; k++)
        for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
            kerb_result result = read_bytes(texts[k], strlen(texts[k]));
            assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
            kerb_io_track_destroy(&track, &host);
            test_allocation_check(&allocation);
        }
}

// --------------------------------------------------------------------------- real ones

// Published tracks beside the checkout, where they are there: length from the circuit's operator,
// within what centre lines differ.
static void tracks_of_the_database_are_read(void** state) {
    (void)state;
    static const struct {
        const char* name;
        double length;
    } known[] = {{"tracks/Monza", 5793},
                 {"tracks/Silverstone", 5891},
                 {"tracks/Spa", 7004},
                 {"tracks/Norisring", 2300},
                 {"tracks3d/lvms_3d", 2414}};
    int32_t found = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/../shared/data/%s.csv", KERB_SOURCE_DIR, known[i].name);
        FILE* file = fopen(path, "rb");
        if (!file)
            continue;
        char* text = malloc(1 << 20);
        size_t length = fread(text, 1, 1 << 20, file);
        fclose(file);
        assert_int_equal(read_bytes(text, length), KERB_OK);
        free(text);
        assert_int_equal(kerb_track_validate(track.waypoints, track.count, true, &error), KERB_OK);
        kerb_path path_read;
        assert_int_equal(
            kerb_path_create(&path_read, track.waypoints, track.count, true, &host, &error),
            KERB_OK);
        assert_true(path_read.length > 0.97 * known[i].length &&
                    path_read.length < 1.03 * known[i].length);
        kerb_path_destroy(&path_read);
        found++;
    }
    if (found == 0) {
        print_message("skipped: ../shared/data with published tracks is not here\n");
        skip();
    }
}

int track_csv_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_right_width_comes_first),
        TEST(a_track_in_space_has_height_and_banking),
        TEST(columns_need_no_names_and_names_no_comment),
        TEST(remarks_blank_lines_and_any_line_ending_change_nothing),
        TEST(a_comment_opens_a_track),
        TEST(a_course_is_read_as_a_track),
        TEST(broken_rows_are_refused_by_line_and_column),
        TEST(a_negative_width_asks_for_the_order_of_the_columns),
        TEST(wrong_headers_are_refused),
        TEST(a_file_that_is_cut_gives_fewer_rows_or_an_error),
        TEST(tracks_read_back_equal),
        TEST(the_written_slope_is_positive_downhill),
        TEST(every_lack_of_memory_is_an_error),
        TEST(tracks_of_the_database_are_read),
    };
    return cmocka_run_group_tests_name("track csv", tests, NULL, NULL);
}
