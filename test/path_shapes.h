// Paths for tests: put together from points, circles, random bends, and built in place.
//
//     path_shape shape;                          // large: static or malloc'd where it matters
//     path_shape_clear(&shape);
//     path_shape_add(&shape, x, y, z); …
//     path_shape_build(&shape, closed);          // fails the running test on an error
//     kerb_path_locate(&shape.path, 12.0);
#ifndef TEST_PATH_SHAPES_H
#define TEST_PATH_SHAPES_H

#include "kerb/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHAPE_POINTS = 1024 };

typedef struct path_shape {
    kerb_waypoint waypoints[SHAPE_POINTS];
    int32_t count;
    kerb_path_point memory[SHAPE_POINTS];
    kerb_path path;
} path_shape;

static inline void path_shape_clear(path_shape* shape) {
    memset(shape, 0, sizeof *shape);
}

/// Adds a waypoint and gives it back to be changed.
static inline kerb_waypoint* path_shape_add(path_shape* shape, double x, double y, double z) {
    assert_true(shape->count < SHAPE_POINTS);
    shape->waypoints[shape->count] = kerb_waypoint_at((float)x, (float)y, (float)z);
    return &shape->waypoints[shape->count++];
}

/// Waypoints on a circle about (x, y), `angle` from x towards y at the first one, turning by
/// `turn` in all, in `pieces` equal pieces; z rises evenly from z0 to z1.
static inline void path_shape_add_arc(path_shape* shape, double x, double y, double radius,
                                      double angle, double turn, int pieces, double z0, double z1) {
    for (int i = 0; i <= pieces; i++) {
        double share = (double)i / pieces, a = angle + turn * share;
        path_shape_add(shape, x + radius * cos(a), y + radius * sin(a), z0 + (z1 - z0) * share);
    }
}

static inline void path_shape_build(path_shape* shape, bool closed) {
    kerb_error error = {0};
    kerb_result result = kerb_path_build(&shape->path, shape->memory, shape->waypoints,
                                         shape->count, closed, &error);
    if (result != KERB_OK)
        fail_msg("not a path: waypoint %d, %s %s", error.index, error.field, error.message);
}

/// A road that wanders: `count` points, `spacing` apart on average, bends no sharper than
/// `curvature`, in space when `slope` is not 0. Built, open.
static inline void path_shape_wander(path_shape* shape, kerb_random* random, int count,
                                     float spacing, float curvature, float slope) {
    path_shape_clear(shape);
    double x = 0.0, y = 0.0, z = 0.0;
    float heading = kerb_random_between(random, -3.0f, 3.0f), bend = 0.0f, rise = 0.0f;
    for (int i = 0; i < count; i++) {
        path_shape_add(shape, x, y, z);
        float step = spacing * kerb_random_between(random, 0.5f, 1.5f);
        bend += kerb_random_between(random, -0.4f, 0.4f) * curvature;
        bend = kerb_clamp(bend, -curvature, curvature);
        rise = kerb_clamp(rise + kerb_random_between(random, -0.2f, 0.2f) * slope, -slope, slope);
        heading += bend * step;
        x += (double)step * cos((double)heading);
        y += (double)step * sin((double)heading);
        z += (double)(step * rise);
    }
    path_shape_build(shape, false);
}

/// Points anywhere: corners of all kinds, crossings, long and short pieces. Built.
static inline void path_shape_scatter(path_shape* shape, kerb_random* random, int count, float size,
                                      float height, bool closed) {
    path_shape_clear(shape);
    for (int i = 0; i < count; i++) {
        float x = kerb_random_between(random, -size, size);
        float y = kerb_random_between(random, -size, size);
        float z = height > 0.0f ? kerb_random_between(random, -height, height) : 0.0f;
        kerb_waypoint* waypoint = path_shape_add(shape, (double)x, (double)y, (double)z);
        waypoint->left = kerb_random_between(random, 0.0f, 5.0f);
        waypoint->right = kerb_random_between(random, 0.0f, 5.0f);
        waypoint->bank = kerb_random_between(random, -0.4f, 0.4f);
        waypoint->grip = kerb_random_between(random, 0.1f, 1.5f);
        waypoint->speed_limit = kerb_random_between(random, 1.0f, 50.0f);
        waypoint->stop = kerb_random_below(random, 4) == 0 ? 2.0f : 0.0f;
    }
    path_shape_build(shape, closed);
}

// --------------------------------------------------------------------------- measuring

static inline double path_shape_apart(kerb_vec3 a, kerb_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static inline void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not %.10g within %.3g", value, expected, tolerance);
}

static inline void assert_same_place(kerb_vec3 point, double x, double y, double z,
                                     double tolerance) {
    double off_x = (double)point.x - x, off_y = (double)point.y - y, off_z = (double)point.z - z;
    if (!(sqrt(off_x * off_x + off_y * off_y + off_z * off_z) <= tolerance))
        fail_msg("(%.7g %.7g %.7g) is not (%.7g %.7g %.7g)", (double)point.x, (double)point.y,
                 (double)point.z, x, y, z);
}

/// A place that the header promises: a segment that exists, and within it.
static inline void assert_on_path(const kerb_path* path, kerb_path_location location) {
    assert_true(location.segment >= 0 && location.segment < path->segment_count);
    assert_true(location.segment_distance >= 0.0f &&
                location.segment_distance <= path->points[location.segment].length);
}

#endif
