// The moving average of a path: against sampled integration in doubles, and the Bézier that it is
// over a kink.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/curve.h"
#include "test/path_shapes.h"
#include "test/seed.h"

static path_shape shape;

typedef struct point {
    double x, y, z;
} point;

static bool travel_changes(const kerb_path* path, int32_t from, int32_t to) {
    return path->points[from].travel != path->points[to].travel;
}

// The path `step` metres from a place, in doubles; past the ends of its stretch of travel straight
// on.
static point walked(const kerb_path* path, kerb_path_location from, double step) {
    int32_t segment = from.segment;
    double along = (double)from.segment_distance + step;
    for (;;) {
        double length = (double)path->points[segment].length;
        int32_t other = along > length ? segment + 1 : along < 0.0 ? segment - 1 : segment;
        if (other == segment)
            break;
        if (other < 0 || other >= path->segment_count) {
            if (!path->closed)
                break;
            other = other < 0 ? path->segment_count - 1 : 0;
        }
        if (travel_changes(path, segment, other))
            break;
        along = along < 0.0 ? along + (double)path->points[other].length : along - length;
        segment = other;
    }
    const kerb_path_point* a = &path->points[segment];
    return (point){(double)a->position.x + along * (double)a->direction.x,
                   (double)a->position.y + along * (double)a->direction.y,
                   (double)a->position.z + along * (double)a->direction.z};
}

static point sampled_mean(const kerb_path* path, kerb_path_location at, double half) {
    enum { SAMPLES = 2000 };
    point sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < SAMPLES; i++) {
        point p = walked(path, at, half * (2.0 * (i + 0.5) / SAMPLES - 1.0));
        sum.x += p.x, sum.y += p.y, sum.z += p.z;
    }
    return (point){sum.x / SAMPLES, sum.y / SAMPLES, sum.z / SAMPLES};
}

static void check_mean(const kerb_path* path, kerb_path_location at, float half) {
    kerb_vec3 chord;
    kerb_vec3 mean = kerb_path_mean(path, at, half, &chord);
    point expected = sampled_mean(path, at, (double)half);
    assert_same_place(mean, expected.x, expected.y, expected.z, 1e-4 + 1e-5 * (double)half);
    point front = walked(path, at, (double)half), back = walked(path, at, -(double)half);
    double window = 2.0 * (double)half;
    assert_same_place(chord, (front.x - back.x) / window, (front.y - back.y) / window,
                      (front.z - back.z) / window, 1e-5 + 2e-5 / (double)half);
}

static void the_mean_is_what_sampling_the_window_gives(void** state) {
    (void)state;
    kerb_random random = test_random("mean");
    for (int i = 0; i < 3000; i++) {
        if (i % 20 == 0)
            path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 20), 30.0f, 5.0f,
                               i % 40 == 0);
        kerb_path_location at = {kerb_random_below(&random, shape.path.segment_count), 0.0f};
        at.segment_distance = kerb_random_unit(&random) * shape.memory[at.segment].length;
        check_mean(&shape.path, at, kerb_random_between(&random, 0.1f, 40.0f));
    }
}

static void the_mean_goes_straight_on_where_the_travel_changes(void** state) {
    (void)state;
    kerb_random random = test_random("cusps");
    for (int i = 0; i < 2000; i++) {
        path_shape_clear(&shape);
        for (int k = 0; k < 8; k++)
            path_shape_add(&shape, (double)kerb_random_between(&random, -20, 20),
                           (double)kerb_random_between(&random, -20, 20), 0)
                ->direction = kerb_random_below(&random, 2) ? 1 : -1;
        path_shape_build(&shape, i % 2 == 0);
        kerb_path_location at = {kerb_random_below(&random, shape.path.segment_count), 0.0f};
        at.segment_distance = kerb_random_unit(&random) * shape.memory[at.segment].length;
        check_mean(&shape.path, at, kerb_random_between(&random, 0.1f, 15.0f));
    }
}

static void on_a_straight_the_mean_is_the_path_up_to_its_ends(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 10, 0, 0);
    path_shape_add(&shape, 13, 4, 0);
    path_shape_add(&shape, 16, 8, 0);
    path_shape_build(&shape, false);
    for (double s = 0.0; s <= 10.0; s += 0.25)
        for (float half = 0.05f; half < 50.0f; half *= 4.0f) {
            kerb_vec3 chord;
            kerb_path_location at = kerb_path_locate(&shape.path, s);
            kerb_vec3 mean = kerb_path_mean(&shape.path, at, half, &chord);
            assert_same_place(mean, 10 + 0.6 * s, 0.8 * s, 0, 2e-5);
            assert_same_place(chord, 0.6, 0.8, 0, 1e-5 + 1e-6 / (double)half);
        }
}

// Over a kink, a window of half width w runs through the quadratic Bézier whose legs are w long.
static void over_a_kink_the_mean_is_the_quadratic_bezier(void** state) {
    (void)state;
    kerb_random random = test_random("kinks");
    for (int i = 0; i < 2000; i++) {
        float a = kerb_random_between(&random, -3.1f, 3.1f);
        float b = a + kerb_random_between(&random, -3.0f, 3.0f);
        float rise = kerb_random_between(&random, -0.4f, 0.4f);
        kerb_vec3 in = {kerb_cos(a), kerb_sin(a), 0.0f};
        kerb_vec3 out = kerb_vec3_unit(kerb_vec3_make(kerb_cos(b), kerb_sin(b), rise), in);
        kerb_vec3 corner = {3.0f, -2.0f, 1.0f};
        path_shape_clear(&shape);
        const kerb_vec3 ends[] = {kerb_vec3_along(corner, in, -50.0f), corner,
                                  kerb_vec3_along(corner, out, 50.0f)};
        for (int k = 0; k < 3; k++)
            path_shape_add(&shape, (double)ends[k].x, (double)ends[k].y, (double)ends[k].z);
        path_shape_build(&shape, false);
        float w = kerb_random_between(&random, 0.5f, 20.0f);
        float t = kerb_random_unit(&random);
        double s = shape.memory[1].distance + (double)(w * (2.0f * t - 1.0f));
        kerb_vec3 chord;
        kerb_vec3 mean = kerb_path_mean(&shape.path, kerb_path_locate(&shape.path, s), w, &chord);
        kerb_vec3 expected = kerb_bezier_point(kerb_vec3_along(corner, in, -w), corner,
                                               kerb_vec3_along(corner, out, w), t);
        assert_true(path_shape_apart(mean, expected) < 2e-4);
        // And the chord is the Bézier's derivative by distance along the path.
        kerb_vec3 tangent = kerb_vec3_add(kerb_vec3_scale(in, 1.0f - t), kerb_vec3_scale(out, t));
        assert_true(path_shape_apart(chord, tangent) < 1e-4);
    }
}

// On a circle the mean lies inside by the factor sin(x)/x, x the window's half angle.
static void on_a_circle_the_mean_lies_inside_by_the_sinc_of_the_window(void** state) {
    (void)state;
    enum { SIDES = 1000 };
    path_shape_clear(&shape);
    const double turn = 2.0 * 3.14159265358979323846, radius = 40.0;
    for (int i = 0; i < SIDES; i++)
        path_shape_add(&shape, radius * cos(turn * i / SIDES), radius * sin(turn * i / SIDES), 0);
    path_shape_build(&shape, true);
    for (double half = 1.0; half < 100.0; half *= 1.7) {
        kerb_vec3 chord;
        kerb_path_location at = {SIDES - 3, 0.1f}; // across the seam
        kerb_vec3 mean = kerb_path_mean(&shape.path, at, (float)half, &chord);
        double sinc = sin(half / radius) / (half / radius);
        assert_near(hypot((double)mean.x, (double)mean.y), fabs(radius * sinc), 2e-3);
        assert_near((double)kerb_vec3_length(chord), fabs(sinc), 1e-3);
    }
}

static void far_from_the_origin_the_mean_keeps_its_precision(void** state) {
    (void)state;
    path_shape_clear(&shape);
    // Whole metres, which floats hold exactly out here.
    path_shape_add(&shape, 900000, -900000, 0);
    path_shape_add(&shape, 900032, -900000, 0);
    path_shape_add(&shape, 900032, -899968, 0);
    path_shape_build(&shape, false);
    kerb_vec3 chord;
    kerb_vec3 mean = kerb_path_mean(&shape.path, (kerb_path_location){0, 32.0f}, 16.0f, &chord);
    // The Bézier's middle: a quarter of each leg off the corner.
    assert_same_place(mean, 900032 - 4, -900000 + 4, 0, 0.1);
    assert_same_place(chord, 0.5, 0.5, 0, 0.01);
}

int path_mean_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_what_sampling_the_window_gives),
        cmocka_unit_test(the_mean_goes_straight_on_where_the_travel_changes),
        cmocka_unit_test(on_a_straight_the_mean_is_the_path_up_to_its_ends),
        cmocka_unit_test(over_a_kink_the_mean_is_the_quadratic_bezier),
        cmocka_unit_test(on_a_circle_the_mean_lies_inside_by_the_sinc_of_the_window),
        cmocka_unit_test(far_from_the_origin_the_mean_keeps_its_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
