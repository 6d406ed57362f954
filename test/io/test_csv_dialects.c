// Tables as other tools write them: every dialect by an example, and tracks written in random
// dialects, which must read back the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/course_csv.h"
#include "test/io/track_rig.h"
#include "test/seed.h"

#include <stdio.h>

static kerb_io_notes notes;

static void read_table(const char* text) {
    kerb_io_track_destroy(&track, &host);
    memset(&notes, 0, sizeof notes);
    if (kerb_io_track_read(&track, text, strlen(text), &host, &notes, &error) != KERB_OK)
        fail_msg("line %d: %s: %s, of\n%s", (int)error.line, error.field, error.message, text);
}

static void expect_note(const char* part) {
    for (int32_t i = 0; i < notes.count; i++)
        if (strstr(notes.rows[i].message, part))
            return;
    fail_msg("no note says \"%s\"", part);
}

static void expect_place(int32_t i, float x, float y) {
    assert_true(i < track.count);
    assert_float_equal(track.waypoints[i].position.x, x, 0.0f);
    assert_float_equal(track.waypoints[i].position.y, y, 0.0f);
}

// --------------------------------------------------------------------------- examples

static void cells_may_be_separated_by_semicolons_tabs_or_spaces(void** state) {
    (void)state;
    static const char* const texts[] = {
        "# x_m;y_m;w_tr_right_m;w_tr_left_m\n1.5;2;3;4\n5;6;7;8\n",
        "# x_m\ty_m\tw_tr_right_m\tw_tr_left_m\n1.5\t2\t3\t4\n5\t6\t7\t8\n",
        "# x_m y_m w_tr_right_m w_tr_left_m\n  1.5 2  3\t4 \n5 6 7 8",
        "# x_m,y_m,w_tr_right_m,w_tr_left_m\n1.5 2 3 4\n5 6 7 8\n",
        "1,5;2;3;4\n5;6;7;8",
        "1,5 2 3 4\n5 6,0 7 8\n",
        "sep=;\nX [m];Y [m];Width_Right;Width_Left;\n\"1,5\";2;3;4;\n5;6;7;8;\n;;;;\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        read_table(texts[i]);
        assert_int_equal(track.count, 2);
        expect_place(0, 1.5f, 2.0f);
        assert_float_equal(track.waypoints[1].right, 7.0f, 0.0f);
        assert_float_equal(track.waypoints[1].left, 8.0f, 0.0f);
        expect_note("between columns");
    }
}

static void commas_stay_separators_where_they_separate(void** state) {
    (void)state;
    read_table("1,2, 3,4\n5, 6,7 , 8\n");
    expect_place(1, 5.0f, 6.0f);
    assert_int_equal(track.count, 2);
}

static void columns_are_known_by_many_names_and_units(void** state) {
    (void)state;
    static const char* const headers[] = {"x,y",
                                          "X,Y",
                                          "Pos_X,Pos_Y",
                                          "posX (m),posY (m)",
                                          "EASTING,Northing",
                                          "x_ref_m,y_ref_m",
                                          "x-pos,y-pos",
                                          "\"x\",\"y\"",
                                          "Position X,Position Y",
                                          "x [m], y [m]"};
    char text[160];
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        snprintf(text, sizeof text, "%s\n1,2\n3,4\n", headers[i]);
        read_table(text);
        expect_place(1, 3.0f, 4.0f);
    }
    read_table("x_km,y_cm,speed_km_h,bank_deg,width\n2,300,36,45,9\n");
    expect_place(0, 2000.0f, 3.0f);
    assert_float_equal(track.waypoints[0].speed_limit, 10.0f, 1e-6f);
    assert_float_equal(track.waypoints[0].left, 4.5f, 0.0f);
}

static void a_unit_that_does_not_fit_makes_another_column(void** state) {
    (void)state;
    assert_int_equal(read_bytes("x_deg,y_m\n1,2\n", 14), KERB_ERROR_MISSING_FIELD);
    read_table("x,y,v_deg\n1,2,3\n");
    expect_note("ignored the columns: v_deg");
    assert_float_equal(track.waypoints[0].speed_limit, KERB_SPEED_UNLIMITED, 0.0f);
}

static void a_race_line_of_munich_is_a_closed_course_without_widths(void** state) {
    (void)state;
    char text[4000] =
        "# 0a1b2c3d\n# 4e5f\n# s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2\n";
    for (int32_t i = 0; i < 60; i++) {
        float angle = 0.1047198f * (float)i;
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%d.0; %.4f; %.4f; 0.1; 0.01; %d; 0.0\n", 8 * (int)i,
                 80.0 * (double)kerb_cos(angle), 80.0 * (double)kerb_sin(angle), i == 0 ? 0 : 20);
    }
    read_table(text);
    assert_true(track.closed);
    assert_float_equal(track.waypoints[0].speed_limit, KERB_SPEED_UNLIMITED, 0.0f); // it stands
    assert_float_equal(track.waypoints[1].speed_limit, 20.0f, 0.0f);
    expect_note("s_m, psi_rad, kappa_radpm, ax_mps2");
    expect_note("widths of 2 m");
    kerb_io_course course;
    assert_int_equal(kerb_io_course_csv_read(&course, text, strlen(text), &host, NULL, &error),
                     KERB_OK);
    assert_false(course.closed); // a course says so itself
    kerb_io_course_destroy(&course, &host);
}

static void the_trajectory_table_of_munich_is_a_track(void** state) {
    (void)state;
    const char* rows = "1.0; 2.0; 5.5; 4.5; 0.6; 0.8; 1.25; 0.0; 0.1; 0.01; 60.5; 2.5\n";
    char text[512];
    snprintf(text, sizeof text,
             "# x_ref_m; y_ref_m; width_right_m; width_left_m; x_normvec_m; y_normvec_m; alpha_m; "
             "s_racetraj_m; psi_racetraj_rad; kappa_racetraj_radpm; vx_racetraj_mps; "
             "ax_racetraj_mps2\n%s",
             rows);
    for (int32_t k = 0; k < 2; k++) { // with names and without
        read_table(k == 0 ? text : rows);
        expect_place(0, 1.0f, 2.0f);
        assert_float_equal(track.waypoints[0].right, 5.5f, 0.0f);
        assert_float_equal(track.waypoints[0].left, 4.5f, 0.0f);
        assert_float_equal(track.waypoints[0].speed_limit, KERB_SPEED_UNLIMITED, 0.0f);
        assert_true(track.closed);
    }
}

static void missing_heights_are_interpolated_by_distance(void** state) {
    (void)state;
    read_table("x_m,y_m,z_m\n0,0,\n10,0,5\n20,0,nan\n40,0\n50,0,9\n60,0,\n");
    static const float heights[] = {5, 5, 6, 8, 9, 9};
    for (int32_t i = 0; i < 6; i++)
        assert_float_equal(track.waypoints[i].position.z, heights[i], 1e-6f);
    expect_note("heights that are missing: 4");
    read_table("# x_m,y_m,z_m,w_tr_right_m,w_tr_left_m\n0,0,,1,1\n10,0,4,1,1\n10,10,,1,1\n"
               "0,10,8,1,1\n"); // a closed one, across its end
    assert_float_equal(track.waypoints[0].position.z, 6.0f, 1e-6f);
    assert_float_equal(track.waypoints[2].position.z, 6.0f, 1e-6f);
    assert_int_equal(read_bytes("x,y,z\n1,2,3\n4,5", 15), KERB_ERROR_SYNTAX); // it was cut
}

static void comments_begin_in_three_ways(void** state) {
    (void)state;
    read_table("% made by hand\n// x,y,speed\n1,2,3\n");
    expect_place(0, 1.0f, 2.0f);
    assert_float_equal(track.waypoints[0].speed_limit, 3.0f, 0.0f);
    read_table("# x, y as measured in spring\n1,2,3,4\n");
    expect_place(0, 1.0f, 2.0f);
    assert_float_equal(track.waypoints[0].right, 3.0f, 0.0f);
}

static void a_column_named_by_two_names_counts_by_the_more_usual(void** state) {
    (void)state;
    read_table("x,y,v,speed_limit\n1,2,3,4\n");
    assert_float_equal(track.waypoints[0].speed_limit, 4.0f, 0.0f);
    assert_int_equal(read_bytes("x,y,pos_x\n1,2,3\n", 16), KERB_ERROR_CONTRADICTION);
}

static void longitude_and_latitude_are_projected(void** state) {
    (void)state;
    read_table("lat,lon\n45,8\n45,8.01\n45.01,8\n");
    assert_true(track.anchored);
    assert_float_equal((float)track.anchor[0], 8.0f, 0.0f);
    expect_place(0, 0.0f, 0.0f);
    // A hundredth of a degree on the ellipsoid of WGS 84, from its radii of curvature at 45°.
    assert_float_equal(track.waypoints[1].position.x, 788.47f, 0.01f);
    assert_float_equal(track.waypoints[2].position.y, 1111.32f, 0.01f);
}

// --------------------------------------------------------------------------- offset

static void survey_coordinates_are_counted_from_the_first_row(void** state) {
    (void)state;
    read_table("x_m,y_m\n448358.25,5428945.5\n448357.474,5428951.272\n");
    assert_true(track.offset[0] == 448358.0 && track.offset[1] == 5428945.0);
    expect_place(0, 0.25f, 0.5f);
    expect_place(1, -0.526f, 6.272f);
    expect_note("subtracted the offset 448358, 5428945, taken from the first row");
    read_table("x_m,y_m\n99999,5\n");
    assert_true(track.offset[0] == 0.0 && track.offset[1] == 0.0);
    read_table("# offset 448000,0\nx_m,y_m\n448358.25,5\n");
    expect_place(0, 358.25f, 5.0f);
    read_table("# offset 0,0\nx_m,y_m\n448358.25,5\n");
    expect_place(0, 448358.25f, 5.0f);
}

static void an_offset_is_written_back_and_reads_the_same(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t round = 0; round < 100; round++) {
        kerb_waypoint waypoints[12];
        kerb_io_track made = {.waypoints = waypoints, .count = 12, .closed = round % 2 == 0};
        made.offset[0] = (double)(kerb_random_below(&random, 2000000) - 1000000);
        made.offset[1] = 1e6 + (double)kerb_random_below(&random, 9000000);
        for (int32_t i = 0; i < 12; i++)
            waypoints[i] = kerb_waypoint_at(kerb_random_between(&random, -3000, 3000),
                                            kerb_random_between(&random, -1, 1), 0);
        for (int32_t format = 0; format < 2; format++) {
            kerb_io_text text = kerb_io_text_make(&host.allocator);
            kerb_io_course course = {
                waypoints, 12, made.closed, {made.offset[0], made.offset[1]}, false, {0, 0}};
            assert_int_equal(format == 0 ? kerb_io_track_write(&text, &made, false, &error)
                                         : kerb_io_course_write(&text, &course, &error),
                             KERB_OK);
            read_table(text.data);
            kerb_io_text_destroy(&text);
            assert_memory_equal(track.offset, made.offset, sizeof made.offset);
            assert_memory_equal(track.waypoints, waypoints, sizeof waypoints);
            assert_int_equal(track.closed, made.closed);
        }
    }
}

// --------------------------------------------------------------------------- random dialects

typedef struct dialect {
    const char* separator;
    bool decimal_comma, mark, crlf, comment, trailing, quoted, capitals, extra;
} dialect;

static dialect any_dialect(kerb_random* random) {
    static const char* const separators[] = {",", ";", "\t", " ", ", ", "; ", "   "};
    dialect d = {.separator = separators[kerb_random_below(random, 7)]};
    bool* flags[] = {&d.decimal_comma, &d.mark,   &d.crlf,     &d.comment,
                     &d.trailing,      &d.quoted, &d.capitals, &d.extra};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        *flags[i] = kerb_random_below(random, 2) == 1;
    d.decimal_comma &= d.separator[0] != ',';
    d.trailing &= d.separator[0] != ' ';
    return d;
}

static void put_name(kerb_io_text* text, const dialect* d, const char* name) {
    for (; *name; name++) {
        char c = d->capitals && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        kerb_io_text_add_bytes(text, &c, 1);
    }
}

static void put_number(kerb_io_text* text, const dialect* d, float value) {
    kerb_io_text number = kerb_io_text_make(&host.allocator);
    kerb_io_text_add_float(&number, value);
    for (size_t i = 0; i < number.length && d->decimal_comma; i++)
        if (number.data[i] == '.')
            number.data[i] = ',';
    kerb_io_text_add(text, d->quoted ? "\"" : "");
    kerb_io_text_add(text, number.data);
    kerb_io_text_add(text, d->quoted ? "\"" : "");
    kerb_io_text_destroy(&number);
}

static void end_row(kerb_io_text* text, const dialect* d) {
    kerb_io_text_add(text, d->trailing ? d->separator : "");
    kerb_io_text_add(text, d->crlf ? "\r\n" : "\n");
}

static void put_table(kerb_io_text* text, const dialect* d, const kerb_waypoint* w, int32_t count) {
    static const char* const names[] = {"x_m", "y_m", "z_m", "w_tr_right_m", "w_tr_left_m", "note"};
    int32_t columns = d->extra ? 6 : 5;
    kerb_io_text_add(text, d->mark ? "\xEF\xBB\xBF" : "");
    kerb_io_text_add(text, d->comment ? "# " : "");
    for (int32_t i = 0; i < columns; i++) {
        kerb_io_text_add(text, i > 0 ? d->separator : "");
        put_name(text, d, names[i]);
    }
    end_row(text, d);
    for (int32_t k = 0; k < count; k++) {
        const float row[] = {w[k].position.x, w[k].position.y, w[k].position.z, w[k].right,
                             w[k].left};
        for (int32_t i = 0; i < 5; i++) {
            kerb_io_text_add(text, i > 0 ? d->separator : "");
            put_number(text, d, row[i]);
        }
        kerb_io_text_add(text, d->extra ? d->separator : "");
        kerb_io_text_add(text, d->extra ? "spring" : "");
        end_row(text, d);
    }
}

static void a_track_reads_the_same_from_any_dialect(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t round = 0; round < 1000; round++) {
        kerb_waypoint w[8];
        int32_t count = 1 + kerb_random_below(&random, 8);
        for (int32_t i = 0; i < count; i++) {
            w[i] = kerb_waypoint_at(kerb_random_between(&random, -2e3f, 2e3f),
                                    kerb_random_between(&random, -9e4f, 9e4f),
                                    kerb_random_between(&random, -1, 1));
            w[i].right = kerb_random_between(&random, 0, 9);
            w[i].left = (float)kerb_random_below(&random, 9);
        }
        dialect d = any_dialect(&random);
        kerb_io_text text = kerb_io_text_make(&host.allocator);
        put_table(&text, &d, w, count);
        read_table(text.data);
        if (track.count != count || memcmp(track.waypoints, w, (size_t)count * sizeof w[0]) != 0 ||
            !track.closed)
            fail_msg("round %d reads differently:\n%s", (int)round, text.data);
        kerb_io_text_destroy(&text);
    }
}

int csv_dialects_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(cells_may_be_separated_by_semicolons_tabs_or_spaces),
        TEST(commas_stay_separators_where_they_separate),
        TEST(columns_are_known_by_many_names_and_units),
        TEST(a_unit_that_does_not_fit_makes_another_column),
        TEST(a_race_line_of_munich_is_a_closed_course_without_widths),
        TEST(the_trajectory_table_of_munich_is_a_track),
        TEST(missing_heights_are_interpolated_by_distance),
        TEST(comments_begin_in_three_ways),
        TEST(a_column_named_by_two_names_counts_by_the_more_usual),
        TEST(longitude_and_latitude_are_projected),
        TEST(survey_coordinates_are_counted_from_the_first_row),
        TEST(an_offset_is_written_back_and_reads_the_same),
        TEST(a_track_reads_the_same_from_any_dialect),
    };
    return cmocka_run_group_tests_name("csv dialects", tests, NULL, NULL);
}
