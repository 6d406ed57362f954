// Roads of OpenDRIVE against closed forms: circles, spirals, cubics, lanes, and chains of roads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/track_rig.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846
#define LANES                                                                                      \
    "<lanes><laneSection s=\"0\"><left><lane id=\"1\" type=\"driving\"><width sOffset=\"0\" "      \
    "a=\"3\"/></lane></left><right><lane id=\"-1\" type=\"driving\"><width sOffset=\"0\" "         \
    "a=\"4\"/></lane></right></laneSection></lanes>"
#define GEOMETRY(s, x, y, heading, length, shape)                                                  \
    "<geometry s=\"" s "\" x=\"" x "\" y=\"" y "\" hdg=\"" heading "\" length=\"" length           \
    "\">" shape "</geometry>"
#define ROAD(id, link, geometry, rest)                                                             \
    "<road id=\"" id "\" name=\"r" id "\"><link>" link "</link><planView>" geometry                \
    "</planView>" rest "</road>\n"

static kerb_io_notes notes;

static void read_roads(const char* body, const char* road) {
    char text[8000];
    if (!kerb_io_track_torcs_available()) {
        print_message("skipped: this build reads no XML\n");
        skip();
    }
    snprintf(text, sizeof text, "<OpenDRIVE><header/>\n%s</OpenDRIVE>", body);
    kerb_io_track_destroy(&track, &host);
    memset(&notes, 0, sizeof notes);
    kerb_result result =
        road ? kerb_io_track_opendrive_read(&track, text, strlen(text), road, &host, &notes, &error)
             : kerb_io_track_read(&track, text, strlen(text), &host, &notes, &error);
    if (result != KERB_OK)
        fail_msg("line %d: %s: %s", (int)error.line, error.field, error.message);
}

static const kerb_waypoint* last(void) {
    return &track.waypoints[track.count - 1];
}

static void expect_at(const kerb_waypoint* w, double x, double y) {
    assert_float_equal(w->position.x, x, 1e-4);
    assert_float_equal(w->position.y, y, 1e-4);
}

static void a_line_leads_along_its_heading(void** state) {
    (void)state;
    read_roads(ROAD("1", "", GEOMETRY("0", "10", "20", "0.5", "100", "<line/>"), LANES), NULL);
    expect_at(&track.waypoints[0], 10.0, 20.0);
    expect_at(last(), 10.0 + 100.0 * cos(0.5), 20.0 + 100.0 * sin(0.5));
    assert_float_equal(last()->left, 3.0f, 0.0f);
    assert_float_equal(last()->right, 4.0f, 0.0f);
    assert_string_equal(track.name, "r1");
    assert_false(track.closed);
}

static void an_arc_is_a_circle(void** state) {
    (void)state;
    read_roads(ROAD("1", "",
                    GEOMETRY("0", "50", "0", "1.5707963267948966", "314.15926535897933",
                             "<arc curvature=\"0.02\"/>"),
                    LANES),
               NULL);
    assert_true(track.closed);
    for (int32_t i = 0; i < track.count; i++) {
        const kerb_vec3 p = track.waypoints[i].position;
        assert_float_equal(kerb_vec2_length(kerb_vec2_make(p.x, p.y)), 50.0, 1e-4);
    }
    // Chords are shorter than the arc by at most 2 mm a radian.
    double length = 0.0;
    for (int32_t i = 0; i < track.count; i++)
        length += (double)kerb_vec3_length(kerb_vec3_sub(
            track.waypoints[(i + 1) % track.count].position, track.waypoints[i].position));
    assert_true(length <= 100.0 * PI + 1e-3 && length >= 100.0 * PI - 2.0 * PI * 0.002);
}

// The clothoid from a straight to curvature k at length L, by its power series.
static void a_spiral_is_a_clothoid(void** state) {
    (void)state;
    read_roads(
        ROAD("1", "",
             GEOMETRY("0", "0", "0", "0", "80", "<spiral curvStart=\"0\" curvEnd=\"0.025\"/>"),
             LANES),
        NULL);
    double x = 0.0, y = 0.0, theta = 1.0, term = 80.0; // heading at its end is k L / 2 = 1
    for (int32_t n = 0; n < 24; n++) {
        double part = term / (2 * n + 1);
        *(n % 2 == 0 ? &x : &y) += n % 4 < 2 ? part : -part;
        term *= theta / (n + 1);
    }
    expect_at(last(), x, y);
}

static void cubics_are_where_their_parameters_say(void** state) {
    (void)state;
    read_roads(ROAD("1", "",
                    GEOMETRY("0", "5", "0", "1.5707963267948966", "30",
                             "<paramPoly3 pRange=\"normalized\" aU=\"0\" bU=\"20\" cU=\"4\" "
                             "dU=\"0\" aV=\"0\" bV=\"0\" cV=\"6\" dV=\"2\"/>"),
                    LANES),
               NULL);
    expect_at(last(), 5.0 - 8.0, 24.0);
    read_roads(ROAD("1", "",
                    GEOMETRY("0", "0", "0", "0", "20",
                             "<paramPoly3 pRange=\"arcLength\" aU=\"0\" bU=\"1\" cU=\"0\" "
                             "dU=\"0\" aV=\"0\" bV=\"0\" cV=\"0.01\" dV=\"0\"/>"),
                    LANES),
               NULL);
    expect_at(last(), 20.0, 4.0);
    // v = u / 2 is straight: its length is that of u times sqrt(1.25).
    read_roads(ROAD("1", "",
                    GEOMETRY("0", "0", "0", "0", "11.180339887498949",
                             "<poly3 a=\"0\" b=\"0.5\" c=\"0\" d=\"0\"/>"),
                    LANES),
               NULL);
    expect_at(last(), 10.0, 5.0);
}

static void heights_and_rolls_are_read(void** state) {
    (void)state;
    read_roads(ROAD("1", "", GEOMETRY("0", "0", "0", "0", "100", "<line/>"),
                    "<elevationProfile><elevation s=\"0\" a=\"5\" b=\"0.1\"/><elevation s=\"50\" "
                    "a=\"10\" b=\"0\" c=\"0.01\"/></elevationProfile><lateralProfile>"
                    "<superelevation s=\"0\" a=\"0.1\"/></lateralProfile>" LANES),
               NULL);
    assert_float_equal(track.waypoints[0].position.z, 5.0f, 1e-5f);
    assert_float_equal(last()->position.z, 35.0f, 1e-4f);
    assert_float_equal(last()->bank, 0.1f, 1e-6f);
}

static void lanes_on_one_side_are_followed_in_their_middle(void** state) {
    (void)state;
    read_roads(
        ROAD("1", "", GEOMETRY("0", "0", "0", "0", "100", "<line/>"),
             "<lanes><laneOffset s=\"0\" a=\"1\"/><laneSection s=\"0\"><right><lane id=\"-2\" "
             "type=\"driving\"><width sOffset=\"0\" a=\"3\" b=\"0.01\"/></lane><lane id=\"-1\" "
             "type=\"median\"><width sOffset=\"0\" a=\"2\"/></lane><lane id=\"-3\" "
             "type=\"sidewalk\"><width sOffset=\"0\" "
             "a=\"9\"/></lane></right></laneSection></lanes>"),
        NULL);
    expect_at(&track.waypoints[0], 0.0, 1.0 - 3.5);
    assert_float_equal(track.waypoints[0].left, 1.5f, 1e-5f);
    expect_at(last(), 100.0, 1.0 - 4.0);
    assert_float_equal(last()->right, 2.0f, 1e-5f);
}

#define LINK(end, id, contact)                                                                     \
    "<" end " elementType=\"road\" elementId=\"" id "\" contactPoint=\"" contact "\"/>"

// A square of two roads, of which the second runs the other way, and one far off.
#define RING                                                                                       \
    ROAD("7", "", GEOMETRY("0", "900", "0", "0", "50", "<line/>"), LANES)                          \
    ROAD("a", LINK("predecessor", "b", "start") LINK("successor", "b", "end"),                     \
         GEOMETRY("0", "0", "0", "0", "40", "<line/>")                                             \
             GEOMETRY("40", "40", "0", "1.5707963267948966", "40", "<line/>"),                     \
         LANES)                                                                                    \
    ROAD("b", LINK("predecessor", "a", "start") LINK("successor", "a", "end"),                     \
         GEOMETRY("0", "0", "0", "1.5707963267948966", "40", "<line/>")                            \
             GEOMETRY("40", "0", "40", "0", "40", "<line/>"),                                      \
         LANES)

static void the_longest_chain_is_taken_and_roads_are_turned(void** state) {
    (void)state;
    read_roads(RING, NULL);
    assert_true(track.closed);
    double area = 0.0, length = 0.0;
    for (int32_t i = 0; i < track.count; i++) {
        const kerb_vec3 p = track.waypoints[i].position,
                        q = track.waypoints[(i + 1) % track.count].position;
        area += 0.5 * ((double)p.x * (double)q.y - (double)q.x * (double)p.y);
        length += (double)kerb_vec3_length(kerb_vec3_sub(q, p));
        // Road b is taken against its direction: its left lane is on the right.
        bool b = (p.x < 0.01f && p.y > 0.01f) || p.y > 39.99f;
        float left = b ? 4.0f : 3.0f;
        assert_float_equal(track.waypoints[i].left, left, 0.0f);
    }
    assert_float_equal(area, 1600.0, 0.1);
    assert_float_equal(length, 160.0, 0.01);
    read_roads(RING, "7");
    assert_float_equal(last()->position.x, 950.0f, 1e-3f);
    assert_false(track.closed);
}

static void survey_coordinates_are_counted_from_the_first_point(void** state) {
    (void)state;
    read_roads(ROAD("1", "", GEOMETRY("0", "448358.5", "5428945.5", "0", "10", "<line/>"), LANES),
               NULL);
    assert_true(track.offset[0] == 448358.0 && track.offset[1] == 5428945.0);
    expect_at(last(), 10.5, 0.5);
}

static void expect_refusal(const char* text, kerb_result result, int32_t line, const char* field) {
    assert_int_equal(read_bytes(text, strlen(text)), result);
    assert_int_equal(error.line, line);
    assert_string_equal(error.field, field);
}

static void what_is_wrong_is_named(void** state) {
    (void)state;
    if (!kerb_io_track_torcs_available())
        skip();
    expect_refusal("<OpenDRIVE>\n<road id=\"1\">\n<geometry s=\"0\" x=\"0\"/></road></OpenDRIVE>",
                   KERB_ERROR_MISSING_FIELD, 3, "y");
    expect_refusal(
        "<OpenDRIVE><road>\n" GEOMETRY("0", "0", "0", "0", "-1", "<line/>") "</road></OpenDRIVE>",
        KERB_ERROR_OUT_OF_RANGE, 2, "length");
    expect_refusal(
        "<OpenDRIVE><road>\n" GEOMETRY("0", "0", "0", "0", "1", "<wave/>") "</road></OpenDRIVE>",
        KERB_ERROR_UNKNOWN_FIELD, 2, "geometry");
    expect_refusal(
        "<OpenDRIVE><road>\n" GEOMETRY("0", "0", "0", "0", "1", "<arc/>") "</road></OpenDRIVE>",
        KERB_ERROR_MISSING_FIELD, 2, "curvature");
    expect_refusal("<OpenDRIVE></OpenDRIVE>", KERB_ERROR_TOO_FEW, 0, "road");
    expect_refusal("<OpenDRIVE><road id=\"1\"/></OpenDRIVE>", KERB_ERROR_TOO_FEW, 0, "");
}

static void every_lack_of_memory_is_an_error(void** state) {
    (void)state;
    const char* text = "<OpenDRIVE>" RING "</OpenDRIVE>";
    if (!kerb_io_track_torcs_available())
        skip();
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result = read_bytes(text, strlen(text));
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_io_track_destroy(&track, &host);
        test_allocation_check(&allocation);
    }
}

int track_opendrive_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_line_leads_along_its_heading),
        TEST(an_arc_is_a_circle),
        TEST(a_spiral_is_a_clothoid),
        TEST(cubics_are_where_their_parameters_say),
        TEST(heights_and_rolls_are_read),
        TEST(lanes_on_one_side_are_followed_in_their_middle),
        TEST(the_longest_chain_is_taken_and_roads_are_turned),
        TEST(survey_coordinates_are_counted_from_the_first_point),
        TEST(what_is_wrong_is_named),
        TEST(every_lack_of_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("track opendrive", tests, NULL, NULL);
}
