// kerb_path_find on paths that pass by a place several times, kerb_path_shift_origin, and the
// moving average over more than a lap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/path_shapes.h"
#include "test/seed.h"

// Laps on one road in a random direction: every place is passed `laps` times.
static void laps_of_a_square(path_shape* shape, kerb_random* random, int32_t laps) {
    path_shape_clear(shape);
    float turn = kerb_random_between(random, -KERB_PI, KERB_PI);
    float c = kerb_cos(turn), s = kerb_sin(turn);
    const float corners[4][2] = {{0.0f, 0.0f}, {80.0f, 0.0f}, {80.0f, 80.0f}, {0.0f, 80.0f}};
    for (int32_t i = 0; i <= 4 * laps; i++) {
        float x = corners[i % 4][0], y = corners[i % 4][1];
        path_shape_add(shape, (double)(c * x - s * y), (double)(s * x + c * y), 0.0);
    }
    path_shape_build(shape, false);
}

static void among_equal_passes_the_station_decides(void** state) {
    (void)state;
    kerb_random random = test_random("equal passes");
    static path_shape shape;
    for (int32_t n = 0; n < 3000; n++) {
        int32_t laps = 1 + kerb_random_below(&random, 5);
        laps_of_a_square(&shape, &random, laps);
        double lap = shape.path.length / laps;
        // Away from the corners, where the passes of a corner would be one run.
        double within = 5.0 + (double)kerb_random_between(&random, 0.0f, 70.0f) +
                        80.0 * (double)kerb_random_below(&random, 4);
        kerb_path_location at = kerb_path_locate(&shape.path, within);
        kerb_path_sample sample = kerb_path_sample_at(&shape.path, at);
        float left = kerb_random_between(&random, -1.5f, 1.5f);
        kerb_path_search search = {.forward = sample.direction, .tolerance = 0.5f};
        search.point = (kerb_vec3){sample.position.x - left * sample.direction.y,
                                   sample.position.y + left * sample.direction.x, 0.0f};
        kerb_path_location first = kerb_path_find(&shape.path, &search);
        assert_true(fabs(kerb_path_distance(&shape.path, first) - within) < 0.01);
        int32_t meant = kerb_random_below(&random, laps);
        search.station =
            within + lap * (double)meant + (double)kerb_random_between(&random, -0.4f, 0.4f) * lap;
        kerb_path_location found = kerb_path_find(&shape.path, &search);
        assert_true(fabs(kerb_path_distance(&shape.path, found) - within - lap * meant) < 0.01);
    }
}

// Without tolerance it is the search for the nearest.
static void without_tolerance_it_finds_the_nearest_place(void** state) {
    (void)state;
    kerb_random random = test_random("nearest places");
    static path_shape shape;
    for (int32_t n = 0; n < 2000; n++) {
        path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 30), 50.0f, 0.0f,
                           kerb_random_below(&random, 2) == 0);
        kerb_vec3 point = {kerb_random_between(&random, -60.0f, 60.0f),
                           kerb_random_between(&random, -60.0f, 60.0f), 0.0f};
        kerb_path_search search = {.point = point, .station = 1.0e3};
        kerb_path_location a = kerb_path_nearest(&shape.path, point);
        kerb_path_location b = kerb_path_find(&shape.path, &search);
        double nearest = path_shape_apart(point, kerb_path_position(&shape.path, a));
        double found = path_shape_apart(point, kerb_path_position(&shape.path, b));
        assert_true(fabs(nearest - found) < 1.0e-3);
    }
}

static void only_the_wanted_direction_of_travel_is_searched(void** state) {
    (void)state;
    kerb_random random = test_random("directions of travel");
    static path_shape shape;
    for (int32_t n = 0; n < 500; n++) {
        path_shape_clear(&shape); // to and fro on one line
        for (int32_t i = 0; i < 6; i++) {
            kerb_waypoint* waypoint = path_shape_add(&shape, i % 2 == 0 ? 0.0 : 40.0, 0.0, 0.0);
            waypoint->direction = i % 2 == 0 ? 1 : -1;
        }
        path_shape_build(&shape, false);
        int32_t travel = kerb_random_below(&random, 2) == 0 ? 1 : -1;
        kerb_path_search search = {.forward = {1.0f, 0.0f, 0.0f}, .travel = travel};
        search.point = (kerb_vec3){kerb_random_between(&random, 1.0f, 39.0f), 0.5f, 0.0f};
        search.tolerance = 0.1f;
        kerb_path_location found = kerb_path_find(&shape.path, &search);
        assert_int_equal(shape.path.points[found.segment].travel, travel);
        assert_int_equal(found.segment, travel > 0 ? 0 : 1);
    }
    laps_of_a_square(&shape, &random, 1); // none of it in reverse: all of it is searched
    kerb_path_search search = {.point = {10.0f, 3.0f, 0.0f}, .travel = -1};
    kerb_path_location found = kerb_path_find(&shape.path, &search);
    assert_int_equal(found.segment, kerb_path_nearest(&shape.path, search.point).segment);
}

static void a_shifted_path_is_the_same_path_elsewhere(void** state) {
    (void)state;
    kerb_random random = test_random("shifted paths");
    static path_shape shape, moved;
    for (int32_t n = 0; n < 200; n++) {
        path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 30), 50.0f, 5.0f,
                           kerb_random_below(&random, 2) == 0);
        moved = shape;
        moved.path.points = moved.memory;
        kerb_vec3 origin = {kerb_random_between(&random, -2000.0f, 2000.0f),
                            kerb_random_between(&random, -2000.0f, 2000.0f), 8.0f};
        kerb_path_shift_origin(&moved.path, origin);
        assert_true(moved.path.id == shape.path.id && moved.path.length == shape.path.length);
        double s = (double)kerb_random_between(&random, 0.0f, (float)shape.path.length);
        kerb_vec3 a = kerb_path_position(&shape.path, kerb_path_locate(&shape.path, s));
        kerb_vec3 b = kerb_path_position(&moved.path, kerb_path_locate(&moved.path, s));
        assert_true(path_shape_apart(kerb_vec3_sub(a, origin), b) < 1.0e-3);
        kerb_path_shift_origin(&moved.path, (kerb_vec3){NAN, 0.0f, 0.0f}); // nothing happens
        assert_true(kerb_vec3_is_finite(moved.path.points[0].position));
    }
}

// Over whole laps of a circle the mean is its centre and the chord vanishes, however many they are.
static void the_mean_over_many_laps_is_the_centre(void** state) {
    (void)state;
    static path_shape shape;
    path_shape_clear(&shape);
    path_shape_add_arc(&shape, 7.0, -3.0, 20.0, 0.3, 2.0 * 3.14159265358979 * 99.0 / 100.0, 99, 0.0,
                       0.0);
    path_shape_build(&shape, true);
    for (int32_t laps = 1; laps <= 100000; laps *= 10) {
        kerb_vec3 chord;
        float half = (float)laps * (float)shape.path.length;
        kerb_vec3 mean = kerb_path_mean(&shape.path, (kerb_path_location){5, 0.1f}, half, &chord);
        assert_true(fabs((double)mean.x - 7.0) < 0.02 && fabs((double)mean.y + 3.0) < 0.02);
        assert_true(kerb_vec3_length(chord) < 1.0e-3f);
    }
    const float great[] = {1.0e9f, 1.0e20f, 1.0e30f};
    for (int32_t i = 0; i < 3; i++) {
        kerb_vec3 chord;
        kerb_vec3 mean =
            kerb_path_mean(&shape.path, (kerb_path_location){5, 0.1f}, great[i], &chord);
        assert_true(kerb_vec3_is_finite(mean) && kerb_vec3_is_finite(chord));
        assert_true(fabs((double)mean.x - 7.0) < 0.1 && fabs((double)mean.y + 3.0) < 0.1);
    }
}

int path_find_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(among_equal_passes_the_station_decides),
        cmocka_unit_test(without_tolerance_it_finds_the_nearest_place),
        cmocka_unit_test(only_the_wanted_direction_of_travel_is_searched),
        cmocka_unit_test(a_shifted_path_is_the_same_path_elsewhere),
        cmocka_unit_test(the_mean_over_many_laps_is_the_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
