// TORCS tracks: small ones with known answers, broken ones, and those of TORCS where it is
// installed (Debian: torcs-data).
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L // for glob.h
#include <glob.h>
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"
#include "test/io/track_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A track of version 4, 10 m wide, with steps of 4 m, on lines 1 to 3, segments from line 4.
static kerb_result read_segments(const char* segments) {
    char text[8192];
    int length = snprintf(text, sizeof text,
                          "<params><section name=\"Header\"><attnum name=\"version\" val=\"4\"/>"
                          "</section>\n<section name=\"Main Track\"><attnum name=\"width\" "
                          "val=\"10\"/>\n<attnum name=\"profil steps length\" val=\"4\"/><section "
                          "name=\"Track Segments\">\n%s</section></section></params>",
                          segments);
    assert_true(length > 0 && length < (int)sizeof text);
    return read_bytes(text, (size_t)length);
}

#define STR(name, more)                                                                            \
    "<section name=\"" name "\"><attstr name=\"type\" val=\"str\"/>" more "</section>\n"
#define LFT(name, more)                                                                            \
    "<section name=\"" name "\"><attstr name=\"type\" val=\"lft\"/>" more "</section>\n"
#define RGT(name, more)                                                                            \
    "<section name=\"" name "\"><attstr name=\"type\" val=\"rgt\"/>" more "</section>\n"
#define NUM(name, value) "<attnum name=\"" name "\" val=\"" value "\"/>"
#define DEG(name, value) "<attnum name=\"" name "\" unit=\"deg\" val=\"" value "\"/>"

static void expect_read(const char* segments) {
    if (read_segments(segments) != KERB_OK)
        fail_msg("refused: line %d, %s: %s", (int)error.line, error.field, error.message);
}

static double plan_length(void) {
    double sum = 0.0;
    for (int32_t i = 0; i + (track.closed ? 0 : 1) < track.count; i++) {
        const kerb_vec3 a = track.waypoints[i].position;
        const kerb_vec3 b = track.waypoints[(i + 1) % track.count].position;
        sum += hypot((double)(b.x - a.x), (double)(b.y - a.y));
    }
    return sum;
}

static const kerb_waypoint* last(void) {
    return &track.waypoints[track.count - 1];
}

// --------------------------------------------------------------------------- shapes

static void a_straight_goes_along_x(void** state) {
    (void)state;
    expect_read(STR("a", NUM("lg", "100")));
    assert_false(track.closed);
    assert_float_equal(last()->position.x, 100.0f, 1e-4f);
    assert_float_equal(last()->position.y, 0.0f, 1e-4f);
    assert_true(track.waypoints[7].left == 5.0f && track.waypoints[7].right == 5.0f);
    assert_float_equal((float)track.length, 100.0f, 1e-4f);
}

static void arcs_turn_to_their_side_and_keep_their_radius(void** state) {
    (void)state;
    expect_read(LFT("a", DEG("arc", "90") NUM("radius", "50")));
    assert_float_equal(last()->position.x, 50.0f, 1e-3f);
    assert_float_equal(last()->position.y, 50.0f, 1e-3f);
    for (int32_t i = 0; i < track.count; i++) {
        kerb_vec3 p = track.waypoints[i].position;
        assert_float_equal(hypotf(p.x, p.y - 50.0f), 50.0f, 1e-3f);
    }
    expect_read(RGT("a", DEG("arc", "180") NUM("radius", "20")));
    assert_float_equal(last()->position.x, 0.0f, 1e-3f);
    assert_float_equal(last()->position.y, -40.0f, 1e-3f);
    assert_float_equal((float)track.length, KERB_PI * 20.0f, 1e-3f);
}

// Radii 20, 30, 40 m on three steps of one length d: d (1/20 + 1/30 + 1/40) is the angle.
static void an_end_radius_steps_from_one_to_the_other(void** state) {
    (void)state;
    expect_read(LFT("a", DEG("arc", "90") NUM("radius", "20") NUM("end radius", "40")
                             NUM("profil steps", "3")));
    float d = 0.5f * KERB_PI / (1.0f / 20 + 1.0f / 30 + 1.0f / 40);
    assert_float_equal((float)track.length, 3.0f * d, 1e-3f);
    float x = 0.0f, y = 0.0f, heading = 0.0f;
    for (int32_t i = 0; i < 3; i++) {
        float radius = 20.0f + 10.0f * (float)i, angle = d / radius;
        x += radius * (sinf(heading + angle) - sinf(heading));
        y -= radius * (cosf(heading + angle) - cosf(heading));
        heading += angle;
    }
    assert_float_equal(heading, 0.5f * KERB_PI, 1e-5f);
    assert_float_equal(last()->position.x, x, 1e-3f);
    assert_float_equal(last()->position.y, y, 1e-3f);
}

static void a_ring_is_closed_and_one_that_misses_a_little_too(void** state) {
    (void)state;
    expect_read(LFT("a", DEG("arc", "360") NUM("radius", "50")));
    assert_true(track.closed);
    assert_float_equal((float)plan_length(), 100.0f * KERB_PI, 0.06f);
    expect_read(LFT("a", DEG("arc", "180") NUM("radius", "50")) STR("b", NUM("lg", "60"))
                    LFT("c", DEG("arc", "180") NUM("radius", "50")) STR("d", NUM("lg", "59.7")));
    assert_true(track.closed);
    kerb_vec3 gap = kerb_vec3_sub(last()->position, track.waypoints[0].position);
    assert_true(kerb_vec3_length(gap) < 2.1f);
    assert_float_equal((float)track.length, 100.0f * KERB_PI + 119.7f, 1e-3f);
    assert_float_equal((float)plan_length(), (float)track.length, 0.1f);
    expect_read(LFT("a", DEG("arc", "180") NUM("radius", "50")) STR("b", NUM("lg", "60")));
    assert_false(track.closed);
}

// --------------------------------------------------------------------------- heights

static void grade_and_heights_say_where_a_segment_ends(void** state) {
    (void)state;
    expect_read(STR("a", "<attnum name=\"grade\" unit=\"%\" val=\"5\"/>" NUM("lg", "100")));
    assert_float_equal(last()->position.z, 5.0f, 1e-4f);
    expect_read(STR("a", NUM("z start", "1") NUM("z end", "3") NUM("lg", "100"))
                    STR("b", NUM("z end", "7") NUM("lg", "50")));
    assert_float_equal(track.waypoints[0].position.z, 1.0f, 1e-4f);
    assert_float_equal(last()->position.z, 7.0f, 1e-4f);
}

static void a_spline_has_the_slopes_that_are_given(void** state) {
    (void)state;
    expect_read(STR("a", NUM("lg", "100") NUM("z end", "2") NUM("profil start tangent", "0.1")
                             NUM("profil end tangent", "-0.05")));
    const kerb_waypoint* w = track.waypoints;
    int32_t n = track.count;
    float first = (w[1].position.z - w[0].position.z) / (w[1].position.x - w[0].position.x);
    float end =
        (w[n - 1].position.z - w[n - 2].position.z) / (w[n - 1].position.x - w[n - 2].position.x);
    assert_float_equal(first, 0.1f, 0.01f);
    assert_float_equal(end, -0.05f, 0.01f);
    // Hermite's cubic in the middle: (2 + 0 + 10/4 + 5/4) / 2.
    for (int32_t i = 0; i < n; i++)
        if (fabsf(w[i].position.x - 50.0f) < 1e-3f)
            assert_float_equal(w[i].position.z, 1.0f + 0.125f * (10.0f + 5.0f), 1e-3f);
}

static void a_linear_profile_is_straight(void** state) {
    (void)state;
    expect_read(STR("a", NUM("lg", "100") NUM("z end", "10") "<attstr name=\"profil\" "
                                                             "val=\"linear\"/>"));
    for (int32_t i = 0; i < track.count; i++)
        assert_float_equal(track.waypoints[i].position.z, 0.1f * track.waypoints[i].position.x,
                           1e-3f);
}

static void banking_raises_the_left_and_widens_the_surface(void** state) {
    (void)state;
    expect_read(STR("a", NUM("lg", "50") DEG("banking start", "10") DEG("banking end", "10")));
    for (int32_t i = 0; i < track.count; i++) {
        assert_float_equal(track.waypoints[i].bank, 10.0f * KERB_PI / 180.0f, 1e-5f);
        assert_float_equal(track.waypoints[i].left, 5.0f / cosf(10.0f * KERB_PI / 180.0f), 1e-4f);
        assert_float_equal(track.waypoints[i].position.z, 0.0f, 1e-5f);
    }
    expect_read(STR("a", NUM("lg", "50") NUM("z end left", "1")));
    assert_float_equal(last()->bank, atan2f(1.0f, 10.0f), 1e-5f);
    assert_float_equal(last()->position.z, 0.5f, 1e-4f);
}

// --------------------------------------------------------------------------- XML

static void entities_are_passed_over_declared_or_not(void** state) {
    (void)state;
    const char* heads[] = {
        "", "<!DOCTYPE params SYSTEM \"../params.dtd\">",
        "<!DOCTYPE params SYSTEM \"a\" [<!ENTITY default-surfaces SYSTEM \"b\">]>",
        "<!DOCTYPE params [<!ENTITY default-surfaces SYSTEM \"b\">]>"};
    for (int32_t i = 0; i < 4; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "%s<params>&default-surfaces;&default-objects;<section name=\"Header\"><attnum "
                 "name=\"version\" val=\"3\"/></section><section name=\"Main Track\"><section "
                 "name=\"segments\"><section name=\"&what;1\"><attstr name=\"type\" val=\"str\"/>"
                 "<attnum name=\"lg\" val=\"30\"/></section></section></section></params>",
                 heads[i]);
        if (read_bytes(text, strlen(text)) != KERB_OK)
            fail_msg("%d refused: line %d, %s: %s", (int)i, (int)error.line, error.field,
                     error.message);
        assert_true(track.waypoints[0].left == 7.5f); // 15 m where no width is given
    }
}

static void expect_refusal(const char* segments, kerb_result result, int32_t line, int32_t index,
                           const char* field, const char* part) {
    assert_int_equal(read_segments(segments), result);
    assert_int_equal(error.result, result);
    assert_int_equal(error.line, line);
    assert_int_equal(error.index, index);
    assert_string_equal(error.field, field);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
    assert_null(track.waypoints);
}

static void bad_segments_are_refused_by_line_and_field(void** state) {
    (void)state;
    expect_refusal("", KERB_ERROR_TOO_FEW, 0, -1, "Track Segments", "no segments");
    expect_refusal("<section name=\"a\"/>", KERB_ERROR_TOO_FEW, 4, 0, "type", "no segment");
    expect_refusal(STR("a", ""), KERB_ERROR_MISSING_FIELD, 4, 0, "lg", "needs");
    expect_refusal(STR("a", NUM("lg", "9")) STR("b", NUM("lg", "-9")), KERB_ERROR_OUT_OF_RANGE, 5,
                   1, "lg", "from");
    expect_refusal(LFT("a", NUM("arc", "1")), KERB_ERROR_MISSING_FIELD, 4, 0, "radius", "needs");
    expect_refusal(LFT("a", NUM("radius", "9")), KERB_ERROR_MISSING_FIELD, 4, 0, "arc", "needs");
    expect_refusal(LFT("a", NUM("radius", "9") NUM("arc", "1") NUM("end radius", "0")),
                   KERB_ERROR_OUT_OF_RANGE, 4, 0, "end radius", "from");
    expect_refusal(STR("a", NUM("lg", "nine")), KERB_ERROR_WRONG_TYPE, 4, 0, "lg", "nine");
    expect_refusal(STR("a", NUM("lg", "nan")), KERB_ERROR_NOT_FINITE, 4, 0, "lg", "finite");
    expect_refusal(STR("a", "<attnum name=\"lg\"/>"), KERB_ERROR_MISSING_FIELD, 4, 0, "lg", "val");
    expect_refusal(STR("a", "<attnum name=\"lg\" unit=\"mile\" val=\"1\"/>"),
                   KERB_ERROR_UNKNOWN_FIELD, 4, 0, "lg", "mile");
    expect_refusal("<section name=\"a\"><attstr name=\"type\" val=\"up\"/></section>",
                   KERB_ERROR_UNKNOWN_FIELD, 4, 0, "type", "up");
    expect_refusal(STR("a", NUM("lg", "9") NUM("profil steps", "20000")), KERB_ERROR_OUT_OF_RANGE,
                   4, 0, "profil steps", "10000");
    expect_refusal(STR("a", NUM("lg", "9") NUM("banking end", "3")), KERB_ERROR_OUT_OF_RANGE, 4, 0,
                   "banking end", "1.5");
}

static void other_versions_and_other_files_are_refused(void** state) {
    (void)state;
    const char two[] = "<params>\n<section name=\"Header\">\n<attnum name=\"version\" val=\"2\"/>\n"
                       "</section></params>";
    assert_int_equal(read_bytes(two, sizeof two - 1), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "version");
    assert_int_equal(error.line, 3);
    assert_int_equal(read_bytes("<params/>", 9), KERB_ERROR_MISSING_FIELD);
    assert_string_equal(error.field, "version");
    assert_int_equal(read_bytes("<html/>", 7), KERB_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, "html"));
}

static void a_file_that_is_cut_is_refused_wherever_it_is_cut(void** state) {
    (void)state;
    const char text[] =
        "<params><section name=\"Header\"><attnum name=\"version\" val=\"4\"/></section>\n<section "
        "name=\"Main Track\"><section name=\"Track Segments\">" STR("a", NUM("lg", "50"))
            LFT("b", NUM("arc", "1") NUM("radius", "50")) "</section></section></params>";
    assert_int_equal(read_bytes(text, sizeof text - 1), KERB_OK);
    for (size_t length = 1; length < sizeof text - 1; length++) {
        assert_int_not_equal(read_bytes(text, length), KERB_OK);
        assert_true(error.message[0] != '\0' && error.line >= 1);
        assert_null(track.waypoints);
    }
}

static void every_lack_of_memory_is_an_error(void** state) {
    (void)state;
    char many[8000] = "";
    for (int32_t i = 0; i < 70; i++)
        strcat(many, STR("a", NUM("lg", "9")));
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result = read_segments(many);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_io_track_destroy(&track, &host);
        test_allocation_check(&allocation);
    }
}

// --------------------------------------------------------------------------- real ones

#if !defined(_WIN32)
// Lengths as TORCS shows them.
static const struct {
    const char* name;
    double length;
} known[] = {{"CG Speedway number 1", 2057.56},
             {"Aalborg", 2587.54},
             {"Alpine 1", 6355.65},
             {"Corkscrew", 3608.45},
             {"Forza", 5784.10},
             {"Ruudskogen", 3274.20},
             {"Spring", 22129.77},
             {"Wheel 1", 4328.54},
             {"Wheel 2", 6205.46},
             {"Brondehach", 3919.31},
             {"Street 1", 3823.05}};

static void check_file(const char* path) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* text = malloc(1 << 22);
    size_t length = fread(text, 1, 1 << 22, file);
    fclose(file);
    if (read_bytes(text, length) != KERB_OK)
        fail_msg("%s:%d: %s: %s", path, (int)error.line, error.field, error.message);
    free(text);
    assert_true(track.closed);
    if (fabs(plan_length() - track.length) > 0.1)
        fail_msg("%s: %.2f m, segments %.2f m", path, plan_length(), track.length);
    if (kerb_track_validate(track.waypoints, track.count, true, &error) != KERB_OK)
        fail_msg("%s: %d: %s: %s", path, (int)error.index, error.field, error.message);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(track.name, known[i].name) == 0 && fabs(track.length - known[i].length) > 0.1)
            fail_msg("%s: %.2f m, TORCS says %.2f m", path, track.length, known[i].length);
}
#endif

static void all_tracks_of_torcs_are_read(void** state) {
    (void)state;
#if !defined(_WIN32)
    glob_t found;
    if (glob("/usr/share/games/torcs/tracks/*/*/*.xml", 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            check_file(found.gl_pathv[i]);
        assert_true(found.gl_pathc >= 38);
        globfree(&found);
        return;
    }
#endif
    print_message("skipped: TORCS' tracks (Debian: torcs-data) are not here\n");
    skip();
}

static void without_expat_xml_is_refused_in_words(void** state) {
    (void)state;
    assert_int_equal(read_segments(STR("a", NUM("lg", "9"))), KERB_ERROR_UNKNOWN_FIELD);
    assert_string_equal(error.field, "xml");
    assert_non_null(strstr(error.message, "expat"));
}

// Surfaces with their friction, and segments that name them; asphalt has 1.2.
static void surfaces_become_the_grip(void** state) {
    (void)state;
    kerb_io_notes notes = {0};
    const char text[] =
        "<!DOCTYPE params SYSTEM \"params.dtd\" [<!ENTITY more SYSTEM \"dir/surfaces.xml\">]>"
        "<params><section name=\"Surfaces\">&more;<section name=\"wet\">"
        "<attnum name=\"friction\" val=\"0.6\"/></section></section>"
        "<section name=\"Header\"><attnum name=\"version\" val=\"4\"/></section>"
        "<section name=\"Main Track\"><attnum name=\"width\" val=\"10\"/>"
        "<attstr name=\"surface\" val=\"asphalt\"/>"
        "<section name=\"Track Segments\">&nowhere;"
        "<section name=\"a\"><attstr name=\"type\" val=\"str\"/>"
        "<attnum name=\"lg\" val=\"10\"/></section>\n"
        "<section name=\"b\"><attstr name=\"type\" val=\"str\"/>"
        "<attnum name=\"lg\" val=\"10\"/><attstr name=\"surface\" val=\"wet\"/></section>\n"
        "<section name=\"c\"><attstr name=\"type\" val=\"str\"/>"
        "<attnum name=\"lg\" val=\"10\"/></section>\n</section></section></params>";
    assert_int_equal(kerb_io_track_read(&track, text, sizeof text - 1, &host, &notes, &error),
                     KERB_OK);
    for (int32_t i = 0; i < track.count; i++)
        assert_float_equal(track.waypoints[i].grip,
                           track.waypoints[i].position.x < 9.99f ? 1.0f : 0.5f, 1e-6f);
    assert_int_equal(notes.count, 3);
    assert_string_equal(notes.rows[0].message, "ignored what is in other files: surfaces.xml");
    assert_string_equal(notes.rows[1].message, "ignored entities that are not declared: nowhere");
    assert_non_null(strstr(notes.rows[2].message, "asphalt"));
}

// TORCS begins at the right edge of the road, and shifts the world so that everything, sides and
// kerbs too, begins at 0.
static void the_origin_of_the_game_is_known(void** state) {
    (void)state;
    expect_read(LFT("a", DEG("arc", "360") NUM("radius", "50")));
    // A ring about (0, 50) in the reader's coordinates, with edges 55 m from there.
    assert_float_equal((float)track.game_origin[0], -55.0f, 0.01f);
    assert_float_equal((float)track.game_origin[1], -5.0f, 0.01f);
    expect_read(LFT("a", DEG("arc", "180") NUM("radius", "50") "<section name=\"Right Side\">" NUM(
                             "start width", "4")
                             NUM("end width", "10") "</section><section name=\"Right Border\">" NUM(
                                 "width", "1") "</section>")
                    LFT("b", DEG("arc", "180") NUM("radius", "50")));
    assert_float_equal((float)track.game_origin[0], -66.0f,
                       0.01f); // 55, kerb, and side as it ended
    assert_true(track.game_origin[1] < -15.0 && track.game_origin[1] > -16.01);
    expect_read(STR("a", NUM("lg", "10") NUM("z end", "-2")) STR("b", NUM("lg", "10")));
    assert_float_equal((float)track.game_origin[2], -2.0f, 1e-5f);
}

int track_torcs_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest without[] = {TEST(without_expat_xml_is_refused_in_words)};
    const struct CMUnitTest tests[] = {
        TEST(a_straight_goes_along_x),
        TEST(arcs_turn_to_their_side_and_keep_their_radius),
        TEST(an_end_radius_steps_from_one_to_the_other),
        TEST(a_ring_is_closed_and_one_that_misses_a_little_too),
        TEST(grade_and_heights_say_where_a_segment_ends),
        TEST(a_spline_has_the_slopes_that_are_given),
        TEST(a_linear_profile_is_straight),
        TEST(banking_raises_the_left_and_widens_the_surface),
        TEST(entities_are_passed_over_declared_or_not),
        TEST(surfaces_become_the_grip),
        TEST(the_origin_of_the_game_is_known),
        TEST(bad_segments_are_refused_by_line_and_field),
        TEST(other_versions_and_other_files_are_refused),
        TEST(a_file_that_is_cut_is_refused_wherever_it_is_cut),
        TEST(every_lack_of_memory_is_an_error),
        TEST(all_tracks_of_torcs_are_read),
    };
    if (!kerb_io_track_torcs_available())
        return cmocka_run_group_tests_name("track torcs", without, NULL, NULL);
    return cmocka_run_group_tests_name("track torcs", tests, NULL, NULL);
}
