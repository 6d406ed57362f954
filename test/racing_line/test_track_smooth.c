// Smoothing of noisy centre lines, against the true line that the noise was laid on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"
#include "test/allocation.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

enum { MOST = 3000 };

static kerb_waypoint truth[MOST], noisy[MOST], smooth[MOST];
static int32_t count;
static kerb_random noise;
static test_allocation allocation;
static kerb_host host;

// A stadium: straights of 200 m, half circles of radius 40 m.
static void lay(float spacing) {
    const float straight = 200.0f, radius = 40.0f, arc = KERB_PI * 40.0f;
    float lap = 2.0f * (straight + arc);
    count = (int32_t)(lap / spacing);
    for (int32_t i = 0; i < count; i++) {
        float s = lap * (float)i / (float)count, side = s < 0.5f * lap ? 1.0f : -1.0f;
        float u = fmodf(s, 0.5f * lap);
        float angle = kerb_max(u - straight, 0.0f) / radius;
        float x = kerb_min(u, straight) - 0.5f * straight + radius * sinf(angle);
        truth[i] = kerb_waypoint_at(side * x, -side * radius * cosf(angle),
                                    5.0f * sinf(2.0f * KERB_PI * s / lap));
        truth[i].left = 5.0f;
        truth[i].right = 6.0f;
    }
    memcpy(noisy, truth, sizeof truth);
}

// Nearly a normal distribution, of standard deviation 1.
static float deviate(void) {
    float sum = -6.0f;
    for (int32_t i = 0; i < 12; i++)
        sum += kerb_random_unit(&noise);
    return sum;
}

static void disturb(float deviation) {
    for (int32_t i = 0; i < count; i++) {
        noisy[i].position.x += deviation * deviate();
        noisy[i].position.y += deviation * deviate();
    }
    memcpy(smooth, noisy, sizeof noisy);
}

static void run(bool closed, float tolerance) {
    kerb_error error = {.index = -1};
    kerb_result result = kerb_track_smooth(smooth, count, closed, tolerance, &host, &error);
    if (result != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
}

// Level distance from the true line, by the nearest of its points and their tangent.
static float off_truth(kerb_vec3 p, int32_t* nearest) {
    float best = 1e9f;
    for (int32_t i = 0; i < count; i++) {
        const kerb_waypoint *a = &truth[i], *b = &truth[(i + 1) % count];
        float x = b->position.x - a->position.x, y = b->position.y - a->position.y;
        float u = ((p.x - a->position.x) * x + (p.y - a->position.y) * y) / (x * x + y * y);
        u = kerb_clamp(u, 0.0f, 1.0f);
        float off = hypotf(p.x - a->position.x - u * x, p.y - a->position.y - u * y);
        if (off < best) {
            best = off;
            *nearest = i;
        }
    }
    return best;
}

static float worst_off_truth(int32_t from, int32_t to) {
    float worst = 0.0f;
    int32_t nearest;
    for (int32_t i = from; i < to; i++)
        worst = kerb_max(worst, off_truth(smooth[i].position, &nearest));
    return worst;
}

static float farthest_moved(void) {
    float most = 0.0f;
    for (int32_t i = 0; i < count; i++)
        most =
            kerb_max(most, kerb_vec3_length(kerb_vec3_sub(smooth[i].position, noisy[i].position)));
    return most;
}

static float sharpest(bool closed) {
    kerb_path path;
    kerb_error error;
    assert_int_equal(kerb_path_create(&path, smooth, count, closed, &host, &error), KERB_OK);
    float most = 0.0f;
    for (int32_t i = 0; i < path.count; i++)
        most = kerb_max(most, fabsf(path.points[i].curvature));
    kerb_path_destroy(&path);
    return most;
}

static int set_up(void** state) {
    (void)state;
    allocation = test_allocation_make();
    host = test_allocation_host(&allocation);
    return 0;
}

static int tear_down(void** state) {
    (void)state;
    test_allocation_check(&allocation);
    return 0;
}

// --------------------------------------------------------------------------- noise goes

static void metre_noise_on_a_metre_grid_leaves_the_true_line(void** state) {
    (void)state;
    noise = test_random(__func__);
    for (int32_t round = 0; round < 5; round++) {
        lay(1.0f);
        disturb(1.0f);
        run(true, 4.0f);
        assert_true(farthest_moved() <= 4.001f);
        assert_true(worst_off_truth(0, count) < 1.0f);
        assert_true(sharpest(true) < 0.045f); // true: 0.025
    }
}

// Far from the ends, where an open track knows the line only from one side.
static void an_open_track_is_smoothed_as_a_closed_one(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(1.0f);
    disturb(1.0f);
    run(false, 4.0f);
    assert_true(worst_off_truth(20, count - 20) < 1.0f);
    assert_true(worst_off_truth(0, count) < 2.5f);
    assert_true(sharpest(false) < 0.06f);
}

static void the_closing_point_is_as_smooth_as_any_other(void** state) {
    (void)state;
    static kerb_waypoint turned[MOST];
    noise = test_random(__func__);
    lay(1.0f);
    disturb(0.7f);
    for (int32_t i = 0; i < count; i++)
        turned[i] = noisy[(i + 321) % count];
    run(true, 3.0f);
    kerb_error error;
    assert_int_equal(kerb_track_smooth(turned, count, true, 3.0f, &host, &error), KERB_OK);
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 gap = kerb_vec3_sub(turned[i].position, smooth[(i + 321) % count].position);
        assert_true(kerb_vec3_length(gap) < 1e-3f);
    }
}

static void spacing_that_changes_makes_no_bumps(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(1.0f);
    int32_t kept = 0;
    static kerb_waypoint whole[MOST];
    memcpy(whole, truth, sizeof truth);
    for (int32_t i = 0; i < count; i++) // every metre in the first half, every 4 m in the second
        if (i < count / 2 || i % 4 == 0)
            truth[kept++] = whole[i];
    count = kept;
    memcpy(noisy, truth, sizeof truth);
    disturb(0.3f);
    run(true, 2.0f);
    assert_true(worst_off_truth(0, count) < 0.5f);
    assert_true(sharpest(true) < 0.06f);
}

// --------------------------------------------------------------------------- what is right stays

static void a_smooth_track_hardly_changes(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(2.0f);
    disturb(0.0f);
    run(true, 1.0f);
    assert_true(farthest_moved() < 0.02f);
    for (int32_t i = 0; i < count; i++) {
        assert_float_equal(smooth[i].left, 5.0f, 0.02f);
        assert_float_equal(smooth[i].right, 6.0f, 0.02f);
    }
}

static void no_point_moves_farther_than_the_tolerance(void** state) {
    (void)state;
    noise = test_random(__func__);
    const float tolerances[] = {0.01f, 0.1f, 0.5f, 1.0f, 2.0f, 3.0f};
    for (int32_t i = 0; i < 6; i++) {
        lay(1.0f);
        disturb(1.0f);
        run(true, tolerances[i]);
        assert_true(farthest_moved() <= tolerances[i] + 1e-4f);
    }
}

static float edge_error(void) {
    float worst = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        int32_t nearest;
        off_truth(smooth[i].position, &nearest);
        const kerb_waypoint *a = &truth[nearest], *b = &truth[(nearest + 1) % count];
        kerb_vec3 t = kerb_vec3_unit(kerb_vec3_sub(b->position, a->position), (kerb_vec3){1, 0, 0});
        float left = t.x * (smooth[i].position.y - a->position.y) -
                     t.y * (smooth[i].position.x - a->position.x);
        worst = kerb_max(worst, fabsf(left + smooth[i].left - 5.0f));
        worst = kerb_max(worst, fabsf(-left + smooth[i].right - 6.0f));
    }
    return worst;
}

static void edges_are_true_when_only_the_centre_line_was_noisy(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(1.0f);
    disturb(1.0f);
    run(true, 4.0f);
    assert_true(edge_error() < 1.0f);
}

// The noise was in the choice of the centre line, and the widths were measured from there.
static void choose_noisily(float deviation) {
    for (int32_t i = 0; i < count; i++) {
        const kerb_waypoint *a = &truth[i], *b = &truth[(i + 1) % count];
        float off = deviation * deviate(), x = b->position.x - a->position.x;
        float y = b->position.y - a->position.y, length = hypotf(x, y);
        noisy[i].position.x -= off * y / length;
        noisy[i].position.y += off * x / length;
        noisy[i].left -= off;
        noisy[i].right += off;
    }
    memcpy(smooth, noisy, sizeof noisy);
}

static void edges_are_true_when_the_widths_make_up_for_the_noise(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(1.0f);
    choose_noisily(0.7f);
    run(true, 3.0f);
    assert_true(edge_error() < 0.3f);
}

// The centre line stays rough, but goes to where it came from when the widths are added.
static void edges_stay_where_they_are_under_a_narrow_tolerance(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(1.0f);
    choose_noisily(0.5f);
    run(true, 0.3f);
    assert_true(edge_error() < 0.4f);
}

static void banking_grip_and_limits_stay(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(1.0f);
    for (int32_t i = 0; i < count; i++) {
        noisy[i].bank = 0.1f;
        noisy[i].grip = 0.7f;
        noisy[i].speed_limit = 33.0f;
    }
    disturb(1.0f);
    run(true, 3.0f);
    for (int32_t i = 0; i < count; i++)
        assert_true(smooth[i].bank == 0.1f && smooth[i].grip == 0.7f &&
                    smooth[i].speed_limit == 33.0f);
}

// --------------------------------------------------------------------------- bad input

static void short_tracks_stay_as_they_are(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(40.0f);
    disturb(1.0f);
    for (count = 0; count < 8; count++) {
        run(true, 1.0f);
        if (count < 5)
            run(false, 1.0f);
        assert_memory_equal(smooth, noisy, (size_t)count * sizeof smooth[0] + 1);
    }
}

static void points_in_one_place_are_survived(void** state) {
    (void)state;
    noise = test_random(__func__);
    lay(5.0f);
    for (int32_t i = 0; i < count; i++)
        noisy[i].position = kerb_vec3_make(1, 2, 3);
    disturb(0.0f);
    run(true, 1.0f);
    assert_true(farthest_moved() < 1e-6f);
    lay(5.0f);
    for (int32_t i = 10; i < 30; i++)
        noisy[i].position = noisy[10].position;
    disturb(0.0f);
    run(true, 1.0f);
    for (int32_t i = 0; i < count; i++)
        assert_true(kerb_vec3_is_finite(smooth[i].position) && smooth[i].left >= 0.0f);
    assert_true(farthest_moved() <= 1.0001f);
}

static void bad_input_changes_nothing(void** state) {
    (void)state;
    kerb_error error;
    noise = test_random(__func__);
    lay(2.0f);
    disturb(1.0f);
    const float bad[] = {0.0f, -1.0f, NAN, INFINITY, 1e6f};
    for (int32_t i = 0; i < 5; i++) {
        assert_int_not_equal(kerb_track_smooth(smooth, count, true, bad[i], &host, &error),
                             KERB_OK);
        assert_string_equal(error.field, "tolerance");
    }
    smooth[5].left = NAN;
    assert_int_equal(kerb_track_smooth(smooth, count, true, 1.0f, &host, &error),
                     KERB_ERROR_NOT_FINITE);
    assert_int_equal(error.index, 5);
    smooth[5].left = noisy[5].left;
    test_allocation_fail_next(&allocation, 1);
    assert_int_equal(kerb_track_smooth(smooth, count, true, 1.0f, &host, &error),
                     KERB_ERROR_OUT_OF_MEMORY);
    assert_memory_equal(smooth, noisy, sizeof smooth);
}

int track_smooth_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(metre_noise_on_a_metre_grid_leaves_the_true_line),
        TEST(an_open_track_is_smoothed_as_a_closed_one),
        TEST(the_closing_point_is_as_smooth_as_any_other),
        TEST(spacing_that_changes_makes_no_bumps),
        TEST(a_smooth_track_hardly_changes),
        TEST(no_point_moves_farther_than_the_tolerance),
        TEST(edges_are_true_when_only_the_centre_line_was_noisy),
        TEST(edges_are_true_when_the_widths_make_up_for_the_noise),
        TEST(edges_stay_where_they_are_under_a_narrow_tolerance),
        TEST(banking_grip_and_limits_stay),
        TEST(short_tracks_stay_as_they_are),
        TEST(points_in_one_place_are_survived),
        TEST(bad_input_changes_nothing),
    };
    return cmocka_run_group_tests_name("track smooth", tests, NULL, NULL);
}
