// Places on a path: distance and back, onward by a step, what is known there, the nearest of all.
// Against sums in doubles and brute force.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/path_shapes.h"
#include "test/seed.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static path_shape shape;

static double wrapped(double distance, double length) {
    double rest = fmod(distance, length);
    return rest < 0.0 ? rest + length : rest;
}

// How far apart two distances are along a path; on a closed one the short way round.
static double along_apart(const kerb_path* path, double a, double b) {
    double apart = fabs(a - b);
    return path->closed && apart > 0.5 * path->length ? fabs(apart - path->length) : apart;
}

static kerb_path_location random_location(const kerb_path* path, kerb_random* random) {
    kerb_path_location location = {kerb_random_below(random, path->segment_count), 0.0f};
    location.segment_distance = kerb_random_unit(random) * path->points[location.segment].length;
    return location;
}

static double random_distance(const kerb_path* path, kerb_random* random) {
    double share = (double)kerb_random_bits(random) / 4294967296.0;
    return share * path->length;
}

// --------------------------------------------------------------------------- distance and back

static void check_round_trip(const kerb_path* path, double distance) {
    kerb_path_location at = kerb_path_locate(path, distance);
    assert_on_path(path, at);
    const kerb_path_point* segment = &path->points[at.segment];
    // As exact as a float within one segment, however far from the start.
    double tolerance = 1e-6 * (double)segment->length + 1e-9 * distance;
    assert_near(kerb_path_distance(path, at), distance, tolerance);
}

static void distances_lead_to_places_and_back(void** state) {
    (void)state;
    kerb_random random = test_random("round trips");
    for (int i = 0; i < 1000; i++) {
        path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 60), 100.0f, 5.0f,
                           i % 2 == 0);
        for (int k = 0; k < 20; k++)
            check_round_trip(&shape.path, random_distance(&shape.path, &random));
        kerb_path_location at = random_location(&shape.path, &random);
        kerb_path_location back =
            kerb_path_locate(&shape.path, kerb_path_distance(&shape.path, at));
        assert_true(path_shape_apart(kerb_path_position(&shape.path, at),
                                     kerb_path_position(&shape.path, back)) < 1e-3);
    }
}

// A path of `count` points `spacing` apart, long bends to and fro. The caller frees `memory`.
static kerb_path long_path(int32_t count, double spacing, void** memory) {
    kerb_waypoint* waypoints = malloc((size_t)count * sizeof *waypoints);
    *memory = malloc(kerb_path_bytes(count));
    assert_true(waypoints != NULL && *memory != NULL);
    double x = 0.0, y = 0.0;
    for (int32_t i = 0; i < count; i++) {
        waypoints[i] = kerb_waypoint_at((float)x, (float)y, 0.0f);
        double heading = 3.0 * sin(2.0 * PI * i / 500.0);
        x += spacing * cos(heading);
        y += spacing * sin(heading);
    }
    kerb_path path;
    assert_int_equal(kerb_path_build(&path, *memory, waypoints, count, false, NULL), KERB_OK);
    free(waypoints);
    return path;
}

static void check_long_path(int32_t count, double spacing) {
    kerb_random random = test_random("long path");
    void* memory;
    kerb_path path = long_path(count, spacing, &memory);
    assert_int_equal(path.count, count);
    for (int i = 0; i < 3000; i++) {
        check_round_trip(&path, random_distance(&path, &random));
        kerb_path_location from = random_location(&path, &random);
        double start = kerb_path_distance(&path, from);
        float step = kerb_random_between(&random, -100.0f, 100.0f);
        double expected = start + (double)step;
        expected = expected < 0.0 ? 0.0 : expected > path.length ? path.length : expected;
        kerb_path_location to = kerb_path_advance(&path, from, step);
        assert_on_path(&path, to);
        double tolerance = 1e-6 * (100.0 + (double)path.points[to.segment].length);
        assert_near(kerb_path_distance(&path, to), expected, tolerance);
        assert_near((double)kerb_path_distance_between(&path, from, to), expected - start,
                    1e-4 + tolerance);
    }
    free(memory);
}

static void a_million_points_are_as_exact_as_ten(void** state) {
    (void)state;
    check_long_path(1000000, 1.0);
}

static void points_two_millimetres_apart_are_kept_and_exact(void** state) {
    (void)state;
    check_long_path(1000000, 0.002);
}

static void points_a_kilometre_apart_are_exact(void** state) {
    (void)state;
    check_long_path(900, 1000.0);
}

static void distances_beyond_an_open_path_are_held_to_its_ends(void** state) {
    (void)state;
    kerb_random random = test_random("held");
    path_shape_scatter(&shape, &random, 20, 100.0f, 0.0f, false);
    const double before[] = {-1e-9, -5.0, -1e11, -1e13, -HUGE_VAL};
    const double beyond[] = {1e-9, 5.0, 1e11, 1e13, HUGE_VAL};
    for (int i = 0; i < 5; i++) {
        kerb_path_location start = kerb_path_locate(&shape.path, before[i]);
        assert_int_equal(start.segment, 0);
        assert_near((double)start.segment_distance, 0.0, 0.0);
        kerb_path_location end = kerb_path_locate(&shape.path, shape.path.length + beyond[i]);
        assert_on_path(&shape.path, end);
        assert_near(kerb_path_distance(&shape.path, end), shape.path.length, 1e-4);
    }
}

static void distances_on_a_closed_path_wrap_both_ways(void** state) {
    (void)state;
    kerb_random random = test_random("wrapped");
    path_shape_scatter(&shape, &random, 20, 100.0f, 0.0f, true);
    double length = shape.path.length;
    for (int i = 0; i < 5000; i++) {
        double distance = random_distance(&shape.path, &random) +
                          length * (double)(kerb_random_below(&random, 41) - 20);
        kerb_path_location at = kerb_path_locate(&shape.path, distance);
        assert_on_path(&shape.path, at);
        assert_true(along_apart(&shape.path, kerb_path_distance(&shape.path, at),
                                wrapped(distance, length)) < 1e-4);
    }
}

static void a_distance_that_is_no_number_leads_to_the_start(void** state) {
    (void)state;
    kerb_random random = test_random("no number");
    for (int closed = 0; closed <= 1; closed++) {
        path_shape_scatter(&shape, &random, 9, 100.0f, 0.0f, closed == 1);
        kerb_path_location at = kerb_path_locate(&shape.path, (double)NAN);
        assert_int_equal(at.segment, 0);
        assert_near((double)at.segment_distance, 0.0, 0.0);
    }
    // On a closed path infinity has no rest either.
    assert_on_path(&shape.path, kerb_path_locate(&shape.path, HUGE_VAL));
    assert_on_path(&shape.path, kerb_path_locate(&shape.path, -HUGE_VAL));
}

// --------------------------------------------------------------------------- onward

static void steps_add_up(void** state) {
    (void)state;
    kerb_random random = test_random("steps");
    for (int i = 0; i < 20000; i++) {
        if (i % 50 == 0)
            path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 30), 50.0f, 5.0f,
                               i % 100 == 0);
        const kerb_path* path = &shape.path;
        kerb_path_location from = random_location(path, &random);
        float step = kerb_random_between(&random, -1.0f, 1.0f);
        step *= i % 7 == 0 ? 5000.0f : 60.0f;
        kerb_path_location to = kerb_path_advance(path, from, step);
        assert_on_path(path, to);
        double expected = kerb_path_distance(path, from) + (double)step;
        if (path->closed)
            expected = wrapped(expected, path->length);
        else
            expected = expected < 0.0 ? 0.0 : expected > path->length ? path->length : expected;
        assert_true(along_apart(path, kerb_path_distance(path, to), expected) < 2e-3);
        // And back again, where no end was in the way.
        if (path->closed || (expected > 1e-3 && expected < path->length - 1e-3))
            assert_true(along_apart(path,
                                    kerb_path_distance(path, kerb_path_advance(path, to, -step)),
                                    kerb_path_distance(path, from)) < 4e-3);
    }
}

static void steps_of_any_size_end(void** state) {
    (void)state;
    kerb_random random = test_random("any size");
    const float steps[] = {1e9f, -1e9f, 3e38f, -3e38f, INFINITY, -INFINITY};
    for (int closed = 0; closed <= 1; closed++) {
        path_shape_scatter(&shape, &random, 9, 100.0f, 0.0f, closed == 1);
        kerb_path_location from = kerb_path_locate(&shape.path, 42.0);
        for (int i = 0; i < 6; i++) {
            kerb_path_location to = kerb_path_advance(&shape.path, from, steps[i]);
            assert_on_path(&shape.path, to);
            if (!closed)
                assert_near(kerb_path_distance(&shape.path, to),
                            steps[i] > 0.0f ? shape.path.length : 0.0, 1e-4);
        }
        kerb_path_location to = kerb_path_advance(&shape.path, from, NAN);
        assert_int_equal(to.segment, from.segment); // nowhere
        assert_near((double)to.segment_distance, (double)from.segment_distance, 0.0);
    }
}

static void ahead_is_the_short_way_round_a_closed_path(void** state) {
    (void)state;
    kerb_random random = test_random("ahead");
    for (int i = 0; i < 20000; i++) {
        if (i % 50 == 0)
            path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 30), 50.0f, 5.0f,
                               i % 100 == 0);
        const kerb_path* path = &shape.path;
        kerb_path_location a = random_location(path, &random), b = random_location(path, &random);
        double ahead = (double)kerb_path_distance_between(path, a, b);
        double plain = kerb_path_distance(path, b) - kerb_path_distance(path, a);
        if (!path->closed) {
            assert_near(ahead, plain, 1e-4);
            continue;
        }
        assert_true(fabs(ahead) <= 0.5 * path->length + 1e-3);
        assert_true(along_apart(path, wrapped(plain, path->length), wrapped(ahead, path->length)) <
                    1e-3);
        if (fabs(fabs(ahead) - 0.5 * path->length) > 1e-2)
            assert_near((double)kerb_path_distance_between(path, b, a), -ahead, 1e-4);
    }
}

// --------------------------------------------------------------------------- samples

static double mixed(float a, float b, double t) {
    return (double)a + ((double)b - (double)a) * t;
}

static void check_sample(const path_shape* s, kerb_path_location at) {
    const kerb_path* path = &s->path;
    kerb_path_sample sample = kerb_path_sample_at(path, at);
    const kerb_path_point* a = &path->points[at.segment];
    const kerb_path_point* b = &path->points[(at.segment + 1) % path->count];
    double t = (double)at.segment_distance / (double)a->length;
    assert_same_place(sample.position, mixed(a->position.x, b->position.x, t),
                      mixed(a->position.y, b->position.y, t),
                      mixed(a->position.z, b->position.z, t), 1e-3);
    assert_near((double)kerb_vec3_dot(sample.direction, a->direction), 1.0, 1e-6);
    assert_near((double)sample.left, mixed(a->left, b->left, t), 1e-5);
    assert_near((double)sample.right, mixed(a->right, b->right, t), 1e-5);
    assert_near((double)sample.bank, mixed(a->bank, b->bank, t), 1e-5);
    double curvature = mixed(a->curvature, b->curvature, t);
    assert_near((double)sample.curvature, curvature,
                1e-5 * (1.0 + fabs((double)a->curvature) + fabs((double)b->curvature)));
    assert_true(sample.speed_limit == a->speed_limit && sample.grip == a->grip);
    assert_int_equal(sample.travel, a->travel);
    double rise = (double)b->position.z - (double)a->position.z;
    double level = hypot((double)b->position.x - (double)a->position.x,
                         (double)b->position.y - (double)a->position.y);
    assert_near((double)sample.slope, rise / level, 1e-4 * (1.0 + fabs(rise / level)));
    kerb_vec3 position = kerb_path_position(path, at);
    assert_memory_equal(&position, &sample.position, sizeof position);
}

static void samples_lie_between_their_vertices(void** state) {
    (void)state;
    kerb_random random = test_random("samples");
    for (int i = 0; i < 20000; i++) {
        if (i % 50 == 0)
            path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 30), 100.0f, 10.0f,
                               i % 100 == 0);
        check_sample(&shape, random_location(&shape.path, &random));
    }
}

static void beyond_a_segment_the_sample_goes_straight_on(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0)->left = 1.0f;
    path_shape_add(&shape, 0, 20, 0)->left = 3.0f;
    path_shape_build(&shape, false);
    kerb_path_sample past = kerb_path_sample_at(&shape.path, (kerb_path_location){0, 30.0f});
    assert_same_place(past.position, 0, 30, 0, 1e-5);
    assert_near((double)past.left, 3.0, 1e-6);
    kerb_path_sample before = kerb_path_sample_at(&shape.path, (kerb_path_location){0, -4.0f});
    assert_same_place(before.position, 0, -4, 0, 1e-5);
    assert_near((double)before.left, 1.0, 1e-6);
}

static void a_hill_has_its_slope_and_a_wall_a_finite_one(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0)->bank = 0.1f;
    path_shape_add(&shape, 30, 40, 5)->bank = 0.3f; // 50 m level, 5 m up
    path_shape_add(&shape, 60, 80, 0);              // and down
    path_shape_add(&shape, 60, 80, 9);              // straight up
    path_shape_build(&shape, false);
    kerb_path_location middle = {0, 0.5f * shape.memory[0].length};
    assert_near((double)kerb_path_sample_at(&shape.path, middle).slope, 0.1, 1e-6);
    assert_near((double)kerb_path_sample_at(&shape.path, middle).bank, 0.2, 1e-6);
    assert_near((double)kerb_path_sample_at(&shape.path, (kerb_path_location){1, 1.0f}).slope, -0.1,
                1e-6);
    kerb_path_sample wall = kerb_path_sample_at(&shape.path, (kerb_path_location){2, 1.0f});
    assert_true(kerb_is_finite(wall.slope) && wall.slope > 100.0f);
}

// --------------------------------------------------------------------------- across

static void cross_track_is_left_positive_level_and_across(void** state) {
    (void)state;
    kerb_random random = test_random("across");
    for (int i = 0; i < 5000; i++) {
        double heading = (double)kerb_random_between(&random, -3.1f, 3.1f);
        double rise = (double)kerb_random_between(&random, -0.5f, 0.5f);
        path_shape_clear(&shape);
        path_shape_add(&shape, 5, -7, 2);
        path_shape_add(&shape, 5 + 80 * cos(heading), -7 + 80 * sin(heading), 2 + 80 * rise);
        path_shape_build(&shape, false);
        double along = (double)kerb_random_between(&random, 1.0f, 79.0f);
        double aside = (double)kerb_random_between(&random, -9.0f, 9.0f);
        kerb_vec3 point = {(float)(5 + along * cos(heading) - aside * sin(heading)),
                           (float)(-7 + along * sin(heading) + aside * cos(heading)),
                           kerb_random_between(&random, -2.0f, 2.0f)};
        kerb_path_location at = kerb_path_nearest(&shape.path, point);
        if (at.segment_distance > 0.0f && at.segment_distance < shape.memory[0].length)
            assert_near((double)kerb_path_cross_track(&shape.path, at, point), aside, 1e-4);
    }
}

// Where the foot is the corner itself, the distance to it counts.
static void past_the_outside_of_a_corner_cross_track_is_the_distance(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, -20, 0, 0);
    path_shape_add(&shape, 0, 0, 0);
    path_shape_add(&shape, 0, 20, 0); // to the left
    path_shape_build(&shape, false);
    kerb_vec3 outside = {3.0f, -4.0f, 0.0f};
    kerb_path_location at = kerb_path_nearest(&shape.path, outside);
    assert_near((double)kerb_path_cross_track(&shape.path, at, outside), -5.0, 1e-5);
}

// Past the ends of an open path there is nothing to be beside but its straight continuation.
static void past_an_end_cross_track_counts_only_across(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0);
    path_shape_add(&shape, 20, 0, 0);
    path_shape_build(&shape, false);
    const float xs[] = {-3.0f, 0.0f, 20.0f, 26.0f};
    for (int i = 0; i < 4; i++)
        for (float y = -2.0f; y <= 2.0f; y += 1.0f) {
            kerb_vec3 point = {xs[i], y, 0.0f};
            kerb_path_location at = kerb_path_nearest(&shape.path, point);
            assert_near((double)kerb_path_cross_track(&shape.path, at, point), (double)y, 1e-5);
        }
}

// --------------------------------------------------------------------------- nearest

// The least distance to any segment, in doubles.
static double brute_nearest(const kerb_path* path, kerb_vec3 point) {
    double best = HUGE_VAL;
    for (int32_t i = 0; i < path->segment_count; i++) {
        const kerb_vec3 *a = &path->points[i].position,
                        *b = &path->points[(i + 1) % path->count].position;
        double dx = (double)b->x - (double)a->x, dy = (double)b->y - (double)a->y;
        double dz = (double)b->z - (double)a->z;
        double px = (double)point.x - (double)a->x, py = (double)point.y - (double)a->y;
        double pz = (double)point.z - (double)a->z;
        double t = (px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz);
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        double off = sqrt((px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy) +
                          (pz - t * dz) * (pz - t * dz));
        best = off < best ? off : best;
    }
    return best;
}

static void the_nearest_place_is_what_brute_force_finds(void** state) {
    (void)state;
    kerb_random random = test_random("nearest");
    for (int i = 0; i < 20000; i++) {
        if (i % 50 == 0)
            path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 60), 100.0f, 20.0f,
                               i % 100 == 0);
        kerb_vec3 point = {kerb_random_between(&random, -150, 150),
                           kerb_random_between(&random, -150, 150),
                           kerb_random_between(&random, -30, 30)};
        kerb_path_location at = kerb_path_nearest(&shape.path, point);
        assert_on_path(&shape.path, at);
        assert_near(path_shape_apart(kerb_path_position(&shape.path, at), point),
                    brute_nearest(&shape.path, point), 1e-3);
    }
}

static void the_nearest_place_is_never_worse_than_three_metres_for_facing_it(void** state) {
    (void)state;
    kerb_random random = test_random("facing");
    for (int i = 0; i < 20000; i++) {
        if (i % 50 == 0)
            path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 60), 60.0f, 0.0f,
                               i % 100 == 0);
        float heading = kerb_random_between(&random, -3.1f, 3.1f);
        kerb_vec3 facing = {kerb_cos(heading), kerb_sin(heading), 0.0f};
        kerb_vec3 point = {kerb_random_between(&random, -70, 70),
                           kerb_random_between(&random, -70, 70), 0.0f};
        kerb_path_location at = kerb_path_nearest_facing(&shape.path, point, facing);
        double found = path_shape_apart(kerb_path_position(&shape.path, at), point);
        double nearest = brute_nearest(&shape.path, point);
        assert_true(found <= nearest + 3.0 + 1e-3);
        // Going the vehicle's own way, it is as if nothing were said.
        kerb_path_location plain = kerb_path_nearest(&shape.path, point);
        if (kerb_vec3_dot(shape.memory[plain.segment].direction, facing) > 0.999999f)
            assert_near(found, nearest, 1e-2);
    }
}

static void there_and_back_the_nearest_place_is_where_the_vehicle_goes(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0);
    path_shape_add(&shape, 100, 0, 0);
    path_shape_add(&shape, 100, 2, 0);
    path_shape_add(&shape, 0, 2, 0);
    path_shape_build(&shape, false);
    // Nearer to the other leg, but not by 3 m.
    kerb_vec3 out = {40.0f, 1.8f, 0.0f}, back = {40.0f, 0.2f, 0.0f};
    kerb_vec3 east = {1.0f, 0.0f, 0.0f}, west = {-1.0f, 0.0f, 0.0f};
    assert_near(kerb_path_distance(&shape.path, kerb_path_nearest_facing(&shape.path, out, east)),
                40.0, 1e-4);
    assert_near(kerb_path_distance(&shape.path, kerb_path_nearest_facing(&shape.path, back, west)),
                162.0, 1e-4);
}

// --------------------------------------------------------------------------- stretches of travel

static void a_stretch_ends_where_the_travel_changes_or_the_path_ends(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0);
    path_shape_add(&shape, 30, 0, 0);
    path_shape_add(&shape, 60, 0, 0)->direction = -1;
    path_shape_add(&shape, 30, 10, 0)->direction = -1;
    path_shape_add(&shape, 0, 10, 0);
    path_shape_add(&shape, 0, 50, 0);
    path_shape_build(&shape, false);
    const kerb_path* path = &shape.path;
    const double cusp = path->points[2].distance, second = path->points[4].distance;
    for (double d = 0.0; d < path->length; d += 0.7) {
        kerb_path_location at = kerb_path_locate(path, d);
        double expected = d < cusp ? cusp : d < second ? second : path->length;
        double end = kerb_path_distance(path, kerb_path_section_end(path, at, 1e6f));
        assert_near(end, expected, 1e-3);
        // No farther than asked.
        double near = kerb_path_distance(path, kerb_path_section_end(path, at, 10.0f));
        assert_near(near, expected < d + 10.0 ? expected : d + 10.0, 1e-3);
    }
    // The end is given on the stretch that ends there, not on the next.
    kerb_path_location end = kerb_path_section_end(path, (kerb_path_location){0, 5.0f}, 1e6f);
    assert_int_equal(end.segment, 1);
    assert_near((double)end.segment_distance, 30.0, 1e-5);
}

static void a_closed_path_without_changes_has_no_end(void** state) {
    (void)state;
    kerb_random random = test_random("no end");
    for (int i = 0; i < 300; i++) {
        path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 30), 60.0f, 0.0f, true);
        const kerb_path* path = &shape.path;
        kerb_path_location at = random_location(path, &random);
        kerb_path_location end = kerb_path_section_end(path, at, 1e6f);
        assert_on_path(path, end);
        // Itself plus one round.
        assert_true(along_apart(path, kerb_path_distance(path, end), kerb_path_distance(path, at)) <
                    1e-2);
        float most = kerb_random_unit(&random) * (float)path->length;
        end = kerb_path_section_end(path, at, most);
        double expected = wrapped(kerb_path_distance(path, at) + (double)most, path->length);
        assert_true(along_apart(path, kerb_path_distance(path, end), expected) < 1e-2);
    }
}

int path_locate_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_lead_to_places_and_back),
        cmocka_unit_test(a_million_points_are_as_exact_as_ten),
        cmocka_unit_test(points_two_millimetres_apart_are_kept_and_exact),
        cmocka_unit_test(points_a_kilometre_apart_are_exact),
        cmocka_unit_test(distances_beyond_an_open_path_are_held_to_its_ends),
        cmocka_unit_test(distances_on_a_closed_path_wrap_both_ways),
        cmocka_unit_test(a_distance_that_is_no_number_leads_to_the_start),
        cmocka_unit_test(steps_add_up),
        cmocka_unit_test(steps_of_any_size_end),
        cmocka_unit_test(ahead_is_the_short_way_round_a_closed_path),
        cmocka_unit_test(samples_lie_between_their_vertices),
        cmocka_unit_test(beyond_a_segment_the_sample_goes_straight_on),
        cmocka_unit_test(a_hill_has_its_slope_and_a_wall_a_finite_one),
        cmocka_unit_test(cross_track_is_left_positive_level_and_across),
        cmocka_unit_test(past_the_outside_of_a_corner_cross_track_is_the_distance),
        cmocka_unit_test(past_an_end_cross_track_counts_only_across),
        cmocka_unit_test(the_nearest_place_is_what_brute_force_finds),
        cmocka_unit_test(the_nearest_place_is_never_worse_than_three_metres_for_facing_it),
        cmocka_unit_test(there_and_back_the_nearest_place_is_where_the_vehicle_goes),
        cmocka_unit_test(a_stretch_ends_where_the_travel_changes_or_the_path_ends),
        cmocka_unit_test(a_closed_path_without_changes_has_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
