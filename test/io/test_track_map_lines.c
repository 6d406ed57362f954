// Centre lines from GPX and GeoJSON: what docs/formats.md promises, and distances against the
// formulas of the sphere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/track_rig.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

#define RADIANS 0.017453292519943295

static kerb_io_notes notes;

static void read_text(const char* text) {
    kerb_io_track_destroy(&track, &host);
    memset(&notes, 0, sizeof notes);
    if (kerb_io_track_read(&track, text, strlen(text), &host, &notes, &error) != KERB_OK)
        fail_msg("line %d: %s: %s, of\n%s", (int)error.line, error.field, error.message, text);
}

static void expect_refusal(const char* text, kerb_result result, int32_t line, const char* field,
                           const char* part) {
    assert_int_equal(read_bytes(text, strlen(text)), result);
    assert_int_equal(error.line, line);
    assert_string_equal(error.field, field);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
    assert_null(track.waypoints);
}

static void expect_note(const char* part) {
    for (int32_t i = 0; i < notes.count; i++)
        if (strstr(notes.rows[i].message, part))
            return;
    fail_msg("no note says \"%s\"", part);
}

static void need_xml(void) {
    if (kerb_io_track_torcs_available())
        return;
    print_message("skipped: this build reads no XML\n");
    skip();
}

#define GPX(body) "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\">" body "</gpx>"

static void the_longest_track_of_a_gpx_file_is_read(void** state) {
    (void)state;
    need_xml();
    read_text(GPX("<wpt lat=\"1\" lon=\"2\"/><trk><name>short</name><trkseg><trkpt lat=\"1\" "
                  "lon=\"1\"/></trkseg></trk>\n<trk><name>Home</name><trkseg><trkpt lat=\"49\" "
                  "lon=\"8\"><ele>100</ele><time>x</time></trkpt><trkpt lat=\"49.001\" "
                  "lon=\"8\"/></trkseg><trkseg><trkpt lat=\"49.002\" lon=\"8\"><ele> 104 "
                  "</ele></trkpt></trkseg></trk>"));
    assert_string_equal(track.name, "Home");
    assert_int_equal(track.count, 3);
    assert_false(track.closed);
    assert_true(track.anchored && track.anchor[0] == 8.0 && track.anchor[1] == 49.0);
    assert_float_equal(track.waypoints[1].position.z, 102.0f, 1e-3f);
    assert_float_equal(track.waypoints[1].position.x, 0.0f, 1e-3f);
    assert_float_equal(track.waypoints[1].position.y, 111.21f, 0.01f);
    expect_note("shorter: 1");
    expect_note("joined the segments of the track: 2");
    expect_note("widths of 2 m");
}

static void a_gpx_loop_is_closed_and_a_route_will_do(void** state) {
    (void)state;
    need_xml();
    char text[6000] = "<g:gpx xmlns:g=\"x\"><g:rte>";
    for (int32_t i = 0; i <= 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<g:rtept lat=\"%.7f\" lon=\"%.7f\"/>", 49.0 + 0.002 * sin(i * RADIANS * 9.0),
                 8.0 + 0.003 * cos(i * RADIANS * 9.0));
    strcat(text, "</g:rte></g:gpx>");
    read_text(text);
    assert_true(track.closed);
    assert_int_equal(track.count, 40); // the last is the first again
}

static void what_is_wrong_in_gpx_is_named(void** state) {
    (void)state;
    need_xml();
    expect_refusal(GPX("<trk><trkpt lat=\"1\"/></trk>"), KERB_ERROR_MISSING_FIELD, 2, "lon",
                   "needs it");
    expect_refusal(GPX("<trk>\n<trkpt lat=\"x\" lon=\"1\"/></trk>"), KERB_ERROR_WRONG_TYPE, 3,
                   "lat", "number");
    expect_refusal(GPX("<trk>\n<trkpt lat=\"91\" lon=\"1\"/></trk>"), KERB_ERROR_OUT_OF_RANGE, 3,
                   "lat", "89");
    expect_refusal(GPX("<trk><trkpt lat=\"1\" lon=\"1\"><ele>high</ele></trkpt></trk>"),
                   KERB_ERROR_WRONG_TYPE, 2, "ele", "high");
    expect_refusal(GPX(""), KERB_ERROR_TOO_FEW, 0, "", "two points");
    expect_refusal(GPX("<trk>"), KERB_ERROR_SYNTAX, 2, "", "");
    expect_refusal(GPX("<rte><rtept lat=\"1\" lon=\"1\"/><rtept lat=\"1\" lon=\"9\"/></rte>"),
                   KERB_ERROR_OUT_OF_RANGE, 0, "longitude", "500 km");
}

// On the sphere of the same volume. [degrees]
static double haversine(double lat0, double lon0, double lat1, double lon1) {
    double a = sin(0.5 * (lat1 - lat0) * RADIANS), b = sin(0.5 * (lon1 - lon0) * RADIANS);
    double h = a * a + cos(lat0 * RADIANS) * cos(lat1 * RADIANS) * b * b;
    return 2.0 * 6371008.8 * asin(sqrt(h));
}

// The ellipsoid differs from the sphere by up to 0.6 %, by latitude and direction.
static void distances_are_those_of_the_sphere_within_the_flattening(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t round = 0; round < 300; round++) {
        double lat = (double)kerb_random_between(&random, -80, 80);
        double lon = (double)kerb_random_between(&random, -180, 180);
        double lat1 = lat + (double)kerb_random_between(&random, -0.1f, 0.1f);
        double lon1 = lon + (double)kerb_random_between(&random, -0.1f, 0.1f);
        char text[200];
        snprintf(text, sizeof text,
                 "{\"type\":\"LineString\",\"coordinates\":[[%.9f,%.9f],[%.9f,%.9f]]}", lon, lat,
                 lon1, lat1);
        if (fabs(lon1) > 180.0)
            continue;
        read_text(text);
        double x = (double)track.waypoints[1].position.x;
        double y = (double)track.waypoints[1].position.y;
        double known = haversine(lat, lon, lat1, lon1);
        if (fabs(sqrt(x * x + y * y) - known) > 0.006 * known + 0.01)
            fail_msg("%.9f %.9f to %.9f %.9f: %.3f m, not %.3f", lat, lon, lat1, lon1,
                     sqrt(x * x + y * y), known);
        assert_true((x > 0.0) == (lon1 > lon) || fabs(x) < 1.0);
    }
}

static void the_projection_closes_across_the_date_line(void** state) {
    (void)state;
    read_text("{\"type\":\"LineString\",\"coordinates\":[[179.99,10],[-179.99,10]]}");
    assert_float_equal(track.waypoints[1].position.x, 2192.79f, 0.05f);
}

static void the_longest_line_of_geojson_is_read(void** state) {
    (void)state;
    read_text("{\"type\": \"FeatureCollection\", \"features\": [\n"
              "{\"type\": \"Feature\", \"properties\": {\"name\": \"a\"}, \"geometry\": {\"type\": "
              "\"Point\", \"coordinates\": [1, 2]}},\n"
              "{\"type\": \"Feature\", \"properties\": {\"Name\": \"Ring\"}, \"geometry\": "
              "{\"coordinates\": [[8, 49], [8.001, 49, 5], [8.001, 49.001, 7], [8, 49.001]], "
              "\"type\": \"LineString\"}},\n"
              "{\"type\": \"Feature\", \"geometry\": {\"type\": \"GeometryCollection\", "
              "\"geometries\": [{\"type\": \"MultiLineString\", \"coordinates\": [[[8, 49], [9, "
              "49]]]}]}}]}");
    assert_string_equal(track.name, "Ring");
    assert_int_equal(track.count, 4);
    assert_float_equal(track.waypoints[3].position.z, 7.0f, 1e-4f);
    expect_note("shorter: 1");
}

static void a_border_of_an_area_is_closed(void** state) {
    (void)state;
    read_text("{\"type\": \"Polygon\", \"coordinates\": [[[8, 49], [8.001, 49], [8.001, 49.001], "
              "[8, 49]], [[8.0001, 49.0001], [8.0002, 49.0001], [8.0002, 49.0002], [8.0003, 49], "
              "[8.0001, 49.0001]]]}");
    assert_true(track.closed);
    assert_int_equal(track.count, 3);
}

static void coordinates_that_are_no_degrees_are_metres(void** state) {
    (void)state;
    read_text("{\"type\":\"LineString\",\"coordinates\":[[448358.5,5428945.25],[448400,5428945]]}");
    assert_false(track.anchored);
    assert_true(track.offset[0] == 448358.0 && track.offset[1] == 5428945.0);
    assert_float_equal(track.waypoints[1].position.x, 42.0f, 0.0f);
    expect_note("assumed metres");
    read_text("{\"type\":\"LineString\",\"crs\":{\"properties\":{\"name\":\"EPSG:25832\"}},"
              "\"coordinates\":[[1,2],[30,4]]}");
    assert_float_equal(track.waypoints[1].position.x, 30.0f, 0.0f);
}

static void what_is_wrong_in_geojson_is_named(void** state) {
    (void)state;
    expect_refusal("{\"type\": \"LineString\",\n\"coordinates\": [[1, \"a\"], [2, 3]]}",
                   KERB_ERROR_WRONG_TYPE, 2, "coordinates", "number");
    expect_refusal("{\"type\": \"LineString\", \"coordinates\": [1, 2]}", KERB_ERROR_WRONG_TYPE, 1,
                   "coordinates", "position");
    expect_refusal("{\"type\": \"Point\", \"coordinates\": [1, 2]}", KERB_ERROR_TOO_FEW, 0, "",
                   "two points");
    expect_refusal("{\"type\": \"LineString\", ", KERB_ERROR_SYNTAX, 1, "", "ends before");
    expect_refusal("{\"features\": 3}", KERB_ERROR_WRONG_TYPE, 1, "features", "array");
}

static void an_anchor_is_written_back(void** state) {
    (void)state;
    read_text("{\"type\":\"LineString\",\"coordinates\":[[8.5,49.25],[8.501,49.25]]}");
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    assert_int_equal(kerb_io_track_write(&text, &track, false, &error), KERB_OK);
    assert_non_null(strstr(text.data, "# anchor 8.500000000,49.250000000\n"));
    read_text(text.data);
    assert_true(track.anchored && track.anchor[0] == 8.5 && track.anchor[1] == 49.25);
    kerb_io_text_destroy(&text);
}

static void every_lack_of_memory_is_an_error(void** state) {
    (void)state;
    const char* text = "{\"type\":\"LineString\",\"coordinates\":[[8,49],[8.1,49],[8.2,49.1]]}";
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result = read_bytes(text, strlen(text));
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_io_track_destroy(&track, &host);
        test_allocation_check(&allocation);
    }
}

int track_map_lines_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_longest_track_of_a_gpx_file_is_read),
        TEST(a_gpx_loop_is_closed_and_a_route_will_do),
        TEST(what_is_wrong_in_gpx_is_named),
        TEST(distances_are_those_of_the_sphere_within_the_flattening),
        TEST(the_projection_closes_across_the_date_line),
        TEST(the_longest_line_of_geojson_is_read),
        TEST(a_border_of_an_area_is_closed),
        TEST(coordinates_that_are_no_degrees_are_metres),
        TEST(what_is_wrong_in_geojson_is_named),
        TEST(an_anchor_is_written_back),
        TEST(every_lack_of_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("track map lines", tests, NULL, NULL);
}
