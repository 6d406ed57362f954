// The built-in tracks: what their descriptions promise.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"
#include "scene/race/tracks.h"
#include "test/allocation.h"

#include <math.h>
#include <string.h>

static test_allocation allocation;
static kerb_host host;
static kerb_scene_track track;
static kerb_path path;

static int set_up(void** state) {
    (void)state;
    allocation = test_allocation_make();
    host = test_allocation_host(&allocation);
    return 0;
}

static int tear_down(void** state) {
    (void)state;
    kerb_path_destroy(&path);
    kerb_scene_track_free(&track, &host);
    test_allocation_check(&allocation);
    return 0;
}

static void build(const char* name) {
    kerb_error error;
    kerb_path_destroy(&path);
    kerb_scene_track_free(&track, &host);
    assert_int_equal(kerb_scene_track_make(name, &host, &track, &error), KERB_OK);
    if (kerb_track_validate(track.waypoints, track.count, track.closed, &error) != KERB_OK)
        fail_msg("%s: %d: %s: %s", name, (int)error.index, error.field, error.message);
    assert_int_equal(
        kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, &error),
        KERB_OK);
}

static void every_track_passes_the_check_either_way_round(void** state) {
    (void)state;
    kerb_error error;
    assert_true(kerb_scene_track_count() >= 4);
    for (int32_t i = 0; i < kerb_scene_track_count(); i++) {
        build(kerb_scene_track_name(i));
        assert_true(kerb_scene_track_about(i)[0] != '\0');
        assert_int_equal(path.merged, 0);
        assert_true(path.closed);
        kerb_waypoints_reverse(track.waypoints, track.count, true);
        assert_int_equal(kerb_track_validate(track.waypoints, track.count, true, &error), KERB_OK);
    }
}

// The turns of a track: stretches of one sign of curvature, in order from the start.
static int32_t turns_of(float* angles, int32_t most) {
    int32_t count = 0;
    float sign = 0.0f;
    for (int32_t i = 0; i < path.count; i++) {
        float length =
            0.5f * (path.points[i].length + path.points[(i + path.count - 1) % path.count].length);
        float angle = path.points[i].curvature * length;
        if (fabsf(angle) < 1e-4f) {
            sign = 0.0f;
            continue;
        }
        if (angle * sign <= 0.0f) {
            assert_true(count < most);
            angles[count++] = 0.0f;
        }
        sign = angle;
        angles[count - 1] += angle;
    }
    return count;
}

static void vamos_has_the_turns_and_the_length_of_the_paper(void** state) {
    (void)state;
    float angles[16], sum = 0.0f;
    build("vamos");
    assert_float_equal((float)path.length, 1133.0f, 0.1f); // chords of arcs are a little shorter
    assert_int_equal(turns_of(angles, 16), 6);
    const float signs[] = {1, 1, -1, 1, 1, 1}; // left, left, right 3, sharp left 4, 5, 6
    for (int32_t i = 0; i < 6; i++) {
        assert_true(angles[i] * signs[i] > 0.0f);
        sum += angles[i];
        assert_true(i == 3 || fabsf(angles[i]) < angles[3]); // 4 is the sharp one
    }
    assert_float_equal(sum, 2.0f * KERB_PI, 1e-3f);
}

static void vamos_starts_on_its_long_straight(void** state) {
    (void)state;
    build("vamos");
    float longest = 0.0f, straight = 0.0f, first = -1.0f;
    for (int32_t i = 0; i < 2 * path.count; i++) { // twice round: the first straight wraps
        const kerb_path_point* p = &path.points[i % path.count];
        if (fabsf(p->curvature) > 1e-4f) {
            if (i > path.count && first < 0.0f)
                first = straight;
            straight = 0.0f;
        }
        straight += p->length;
        longest = kerb_max(longest, straight);
    }
    assert_true(first == longest && longest > 200.0f);
}

static void heights(float* least, float* most, float* bank) {
    *least = 1e9f, *most = -1e9f, *bank = 0.0f;
    for (int32_t i = 0; i < path.count; i++) {
        *least = kerb_min(*least, path.points[i].position.z);
        *most = kerb_max(*most, path.points[i].position.z);
        *bank = kerb_max(*bank, fabsf(path.points[i].bank));
    }
}

static void our_own_tracks_have_hills_banking_and_a_bridge(void** state) {
    (void)state;
    float least, most, bank;
    build("downs");
    heights(&least, &most, &bank);
    assert_true(most - least > 20.0f && bank > 0.05f);
    build("saucer");
    heights(&least, &most, &bank);
    assert_float_equal(bank, 18.0f * KERB_PI / 180.0f, 1e-5f);
    build("overpass");
    heights(&least, &most, &bank);
    assert_true(most - least > 15.0f);
}

// Banking that helps is raised on the outside: a left turn has its right side up.
static void the_speedway_is_raised_on_the_outside(void** state) {
    (void)state;
    build("saucer");
    for (int32_t i = 0; i < path.count; i++)
        if (fabsf(path.points[i].bank) > 0.3f && fabsf(path.points[i].curvature) > 1e-3f)
            assert_true(path.points[i].bank * path.points[i].curvature < 0.0f);
}

// Every pair of segments that cross in the plan.
static int32_t crossings(float* clearance) {
    int32_t count = 0;
    for (int32_t i = 0; i < path.count; i++)
        for (int32_t j = i + 2; j < path.count; j++) {
            const kerb_path_point *a = &path.points[i], *b = &path.points[j];
            kerb_vec3 gap = kerb_vec3_sub(b->position, a->position);
            float cross = a->direction.x * b->direction.y - a->direction.y * b->direction.x;
            if (fabsf(cross) < 1e-3f)
                continue;
            float s = (gap.x * b->direction.y - gap.y * b->direction.x) / cross;
            float t = (gap.x * a->direction.y - gap.y * a->direction.x) / cross;
            if (s < 0.0f || s >= a->length || t < 0.0f || t >= b->length || (i == 0 && s == 0.0f))
                continue;
            *clearance = fabsf(gap.z);
            count++;
        }
    return count;
}

static void overpass_crosses_itself_once_with_room_to_drive_through(void** state) {
    (void)state;
    float clearance = 0.0f;
    build("overpass");
    assert_int_equal(crossings(&clearance), 1);
    assert_true(clearance > 6.0f);
}

static void overpass_has_hairpins_whose_cross_sections_cross(void** state) {
    (void)state;
    float tightest = 0.0f;
    build("overpass");
    for (int32_t i = 0; i < path.count; i++) {
        const kerb_path_point* p = &path.points[i];
        tightest = kerb_max(tightest, p->curvature * p->left);
        tightest = kerb_max(tightest, -p->curvature * p->right);
    }
    assert_true(tightest > 1.0f);
}

// Beyond 50 m/s, 0.0035/m would lift a car off the road: crests stay below.
static void no_crest_is_a_ramp(void** state) {
    (void)state;
    for (int32_t n = 0; n < kerb_scene_track_count(); n++) {
        build(kerb_scene_track_name(n));
        for (int32_t i = 0; i < path.count; i++) {
            const kerb_path_point *a = &path.points[i], *b = &path.points[(i + 1) % path.count];
            float bend = (b->direction.z - a->direction.z) / (0.5f * (a->length + b->length));
            assert_true(fabsf(bend) < 0.0035f);
            assert_true(fabsf(a->direction.z) < 0.15f);
        }
    }
}

// Curvature out of a banked surface goes with that in the plan: a leap of it would throw a car.
static void fast_banked_corners_are_entered_gradually(void** state) {
    (void)state;
    const char* const names[] = {"saucer", "downs"};
    for (int32_t n = 0; n < 2; n++) {
        float greatest = 0.0f, leap = 0.0f;
        build(names[n]);
        for (int32_t i = 0; i < path.count; i++) {
            const kerb_path_point *a = &path.points[i], *b = &path.points[(i + 1) % path.count];
            float here = sinf(a->bank) * a->curvature, next = sinf(b->bank) * b->curvature;
            greatest = kerb_max(greatest, fabsf(here));
            leap = kerb_max(leap, fabsf(next - here));
        }
        if (!(leap < 0.25f * greatest))
            fail_msg("%s: %g of %g 1/m", names[n], (double)leap, (double)greatest);
    }
}

static void an_unknown_name_is_refused(void** state) {
    (void)state;
    kerb_error error;
    assert_int_equal(kerb_scene_track_make("moon", &host, &track, &error),
                     KERB_ERROR_UNKNOWN_FIELD);
    assert_string_equal(error.field, "moon");
    assert_null(track.waypoints);
}

static void a_lack_of_memory_is_an_error(void** state) {
    (void)state;
    kerb_error error;
    test_allocation_fail_next(&allocation, 1);
    assert_int_equal(kerb_scene_track_make("vamos", &host, &track, &error),
                     KERB_ERROR_OUT_OF_MEMORY);
    assert_null(track.waypoints);
}

int tracks_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_track_passes_the_check_either_way_round),
        TEST(vamos_has_the_turns_and_the_length_of_the_paper),
        TEST(vamos_starts_on_its_long_straight),
        TEST(our_own_tracks_have_hills_banking_and_a_bridge),
        TEST(the_speedway_is_raised_on_the_outside),
        TEST(overpass_crosses_itself_once_with_room_to_drive_through),
        TEST(overpass_has_hairpins_whose_cross_sections_cross),
        TEST(no_crest_is_a_ramp),
        TEST(fast_banked_corners_are_entered_gradually),
        TEST(an_unknown_name_is_refused),
        TEST(a_lack_of_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("tracks", tests, NULL, NULL);
}
