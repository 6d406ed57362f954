// What is odd about a track, each kind by itself; and nothing about tracks that are as they should.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/tracks.h"
#include "test/line_rig.h"
#include "test/seed.h"

enum { FINDINGS = 32 };

static kerb_waypoint points[RIG_POINTS];
static int32_t count;

// A straight with a waypoint every 5 m.
static void straight(int32_t of) {
    count = of;
    for (int32_t i = 0; i < of; i++) {
        points[i] = kerb_waypoint_at(5.0f * (float)i, 0.0f, 0.0f);
        points[i].left = points[i].right = 5.0f;
    }
}

static kerb_track_finding findings[FINDINGS];

static int32_t check(void) {
    memset(findings, 0, sizeof findings);
    kerb_vehicle car = kerb_vehicle_default();
    return kerb_track_check(points, count, false, &car, NULL, findings, FINDINGS);
}

static void expect_only(kerb_track_finding_kind kind, int32_t index, float value, float tolerance) {
    int32_t found = check();
    for (int32_t i = 0; i < found; i++)
        if (findings[i].kind != (int32_t)kind || found > 1)
            fail_msg("finding %d of %d: %s at %d, %g: %s", (int)i, (int)found,
                     kerb_track_finding_kind_text((kerb_track_finding_kind)findings[i].kind),
                     (int)findings[i].index, (double)findings[i].value, findings[i].text);
    assert_int_equal(found, 1);
    assert_int_equal(findings[0].index, index);
    assert_near((double)findings[0].value, (double)value, (double)tolerance);
    assert_true(strlen(findings[0].text) > 10);
}

static void a_straight_has_no_findings(void** state) {
    (void)state;
    straight(100);
    assert_int_equal(check(), 0);
    assert_int_equal(kerb_track_check(points, 0, false, NULL, NULL, NULL, 0), 0);
}

static void each_kind_is_found_where_it_is(void** state) {
    (void)state;
    straight(100);
    points[30].left = points[30].right = 0.5f;
    points[31] = points[30], points[31].position.x = 155.0f;
    points[31].left = 0.0f;
    expect_only(KERB_TRACK_NARROW, 31, 0.5f, 1e-6f);

    straight(100);
    points[40].bank = points[41].bank = -1.2f;
    expect_only(KERB_TRACK_BANK, 40, 1.2f, 1e-6f);

    straight(100);
    points[50].position = points[49].position;
    expect_only(KERB_TRACK_DOUBLE, 50, 0.0f, 1e-6f);

    straight(100);
    for (int32_t i = 60; i < 100; i++)
        points[i].position.z = -8.0f;
    int32_t found = check(); // the step makes a crest, too
    assert_true(found == 2 && findings[0].kind == KERB_TRACK_STEP && findings[0].index == 59);
    assert_true(findings[1].kind == KERB_TRACK_CREST);

    straight(100);
    for (int32_t i = 50; i < 100; i++)
        points[i].position = kerb_vec3_make(245.0f, 5.0f * (float)(i - 49), 0.0f);
    for (int32_t i = 0; i < 100; i++)
        points[i].left = points[i].right = 1.2f;
    expect_only(KERB_TRACK_KINK, 49, 0.5f * KERB_PI, 1e-4f);

    straight(100);
    for (int32_t i = 50; i < 100; i++) { // 200 m without a waypoint, and another direction
        float on = 5.0f * (float)(i - 50);
        points[i].position = kerb_vec3_make(245.0f + 180.0f + 0.8f * on, 90.0f + 0.6f * on, 0.0f);
    }
    expect_only(KERB_TRACK_GAP, 49, 201.2f, 0.1f);
}

// Noise of the centre line turns more within a step than the edge has room for.
static void an_edge_that_crosses_itself_is_found_and_a_hairpin_is_none(void** state) {
    (void)state;
    straight(100);
    for (int32_t i = 0; i < 100; i++)
        points[i].position.x = (float)i;
    points[50].position.y = 0.4f;
    int32_t edges = 0, found = check();
    for (int32_t i = 0; i < found; i++)
        edges += findings[i].kind == KERB_TRACK_EDGE && findings[i].index >= 49 &&
                 findings[i].index <= 51;
    assert_int_equal(edges, 1);

    const double pi = 3.14159265358979323846;
    count = 0;
    for (int32_t i = 0; i < 120; i++) { // a hairpin of 4 m radius on a track 12 m wide
        double s = (double)i - 60.0, x, y;
        if (fabs(s) <= 2.0 * pi)
            x = 4.0 * cos(s / 4.0), y = 4.0 * sin(s / 4.0);
        else
            x = 2.0 * pi - fabs(s), y = s > 0.0 ? 4.0 : -4.0;
        points[count] = kerb_waypoint_at((float)x, (float)y, 0.0f);
        points[count].left = points[count].right = 6.0f;
        count++;
    }
    found = check();
    for (int32_t i = 0; i < found; i++)
        assert_true(findings[i].kind != KERB_TRACK_EDGE);
}

// Over a crest of radius R nobody is faster than sqrt(g·R). A slower vehicle does not mind.
static void a_crest_is_found_with_its_speed(void** state) {
    (void)state;
    kerb_random random = test_random("crest");
    for (int32_t n = 0; n < 40; n++) {
        float radius = kerb_random_between(&random, 60.0f, 240.0f);
        float spacing = kerb_random_between(&random, 1.0f, 3.0f);
        float half = 0.12f * radius;
        count = 400;
        for (int32_t i = 0; i < count; i++) {
            float x = spacing * (float)(i - 250), out = kerb_max(kerb_abs(x) - half, 0.0f);
            float top = kerb_min(kerb_abs(x), half);
            float z = -0.5f * top * top / radius - 0.12f * out;
            points[i] = kerb_waypoint_at(x, 0.0f, z);
            points[i].left = points[i].right = 5.0f;
        }
        kerb_performance car = rig_car();
        int32_t found = kerb_track_check(points, count, false, NULL, &car, findings, FINDINGS);
        float speed = kerb_sqrt(KERB_GRAVITY * radius);
        float reach = 2.7f + 0.33f * speed; // the crest is shorter than what counts: faster
        float known = speed * kerb_sqrt(kerb_max(1.0f, reach / (2.0f * half)));
        if (known > 65.0f)
            continue;
        if (found != 1 || findings[0].kind != KERB_TRACK_CREST ||
            kerb_abs(findings[0].value - known) > 0.15f * known ||
            kerb_abs((float)(findings[0].index - 250) * spacing) > half + 0.5f * reach)
            fail_msg("radius %.0f, spacing %.1f: %d findings, %s at %d, %.1f m/s for %.1f",
                     (double)radius, (double)spacing, (int)found,
                     kerb_track_finding_kind_text((kerb_track_finding_kind)findings[0].kind),
                     (int)findings[0].index, (double)findings[0].value, (double)known);
        car.speed_max = 0.8f * known;
        assert_int_equal(kerb_track_check(points, count, false, NULL, &car, NULL, 0), 0);
    }
}

static void built_in_tracks_have_no_findings(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < kerb_scene_track_count(); i++) {
        kerb_scene_track track;
        kerb_error error;
        kerb_vehicle car = kerb_vehicle_default();
        assert_int_equal(kerb_scene_track_make(kerb_scene_track_name(i), &host, &track, &error),
                         KERB_OK);
        int32_t found = kerb_track_check(track.waypoints, track.count, track.closed, &car, NULL,
                                         findings, FINDINGS);
        if (found > 0)
            fail_msg("%s: %s", kerb_scene_track_name(i), findings[0].text);
        kerb_scene_track_free(&track, &host);
    }
}

int track_findings_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_has_no_findings),
        cmocka_unit_test(each_kind_is_found_where_it_is),
        cmocka_unit_test(an_edge_that_crosses_itself_is_found_and_a_hairpin_is_none),
        cmocka_unit_test(a_crest_is_found_with_its_speed),
        cmocka_unit_test(built_in_tracks_have_no_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
