// Tracks for tests of the racing line: a circle, a stretch with a U-turn, random closed tracks.
#ifndef TEST_LINE_RIG_H
#define TEST_LINE_RIG_H

#include "kerb/racing_line.h"
#include "test/allocation.h"

#include <math.h>
#include <string.h>

enum { RIG_POINTS = 2048 };

typedef struct line_rig {
    kerb_waypoint waypoints[RIG_POINTS];
    int32_t count;
    bool closed;
    kerb_path path;
    kerb_host host;
} line_rig;

static inline void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.9g is not within %g of %.9g", a, tolerance, b);
}

static inline void rig_begin(line_rig* rig, bool closed) {
    memset(rig, 0, sizeof *rig);
    rig->host = kerb_host_default();
    rig->closed = closed;
}

static inline void rig_add(line_rig* rig, double x, double y, double z, double half_width) {
    assert_true(rig->count < RIG_POINTS);
    kerb_waypoint w = kerb_waypoint_at((float)x, (float)y, (float)z);
    w.left = w.right = (float)half_width;
    rig->waypoints[rig->count++] = w;
}

static inline void rig_build(line_rig* rig) {
    kerb_error error;
    kerb_result result =
        kerb_path_create(&rig->path, rig->waypoints, rig->count, rig->closed, &rig->host, &error);
    if (result != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
}

static inline void rig_end(line_rig* rig) {
    kerb_path_destroy(&rig->path);
}

// Counter-clockwise.
static inline void rig_circle(line_rig* rig, double radius, double half_width) {
    const double pi = 3.14159265358979323846;
    rig_begin(rig, true);
    int32_t count = (int32_t)(2.0 * pi * radius / 5.0);
    for (int32_t i = 0; i < count; i++) {
        double a = 2.0 * pi * (double)i / (double)count;
        rig_add(rig, radius * cos(a), radius * sin(a), 0.0, half_width);
    }
    rig_build(rig);
}

// Along x, a left half turn, and back: symmetrical.
static inline void rig_u_turn(line_rig* rig, double straight, double radius, double half_width) {
    const double pi = 3.14159265358979323846;
    rig_begin(rig, false);
    int32_t steps = (int32_t)(straight / 5.0), turns = (int32_t)(pi * radius / 3.0);
    for (int32_t i = 0; i < steps; i++)
        rig_add(rig, -straight + 5.0 * (double)i, -radius, 0.0, half_width);
    for (int32_t i = 0; i <= turns; i++) {
        double a = pi * ((double)i / (double)turns - 0.5);
        rig_add(rig, radius * cos(a), radius * sin(a), 0.0, half_width);
    }
    for (int32_t i = steps - 1; i >= 0; i--)
        rig_add(rig, -straight + 5.0 * (double)i, radius, 0.0, half_width);
    rig_build(rig);
}

// A closed track about a wobbling circle, with its widths, heights and banks: 1 to 4 km.
static inline void rig_random(line_rig* rig, kerb_random* random, double mirror) {
    const double pi = 3.14159265358979323846;
    double size = (double)kerb_random_between(random, 180.0f, 500.0f), wobble[4], phase[4];
    double half_width = (double)kerb_random_between(random, 3.5f, 8.0f);
    double hills = (double)kerb_random_between(random, 0.0f, 8.0f);
    for (int32_t k = 0; k < 4; k++) {
        wobble[k] = (double)kerb_random_between(random, 0.0f, 0.22f) / (1.0 + 0.6 * (double)k);
        phase[k] = (double)kerb_random_between(random, 0.0f, 6.28f);
    }
    int32_t count = (int32_t)(2.0 * pi * size / 6.0);
    rig_begin(rig, true);
    for (int32_t i = 0; i < count; i++) {
        double a = 2.0 * pi * (double)i / (double)count, r = 1.0, bank = 0.0;
        for (int32_t k = 0; k < 4; k++)
            r += wobble[k] * sin((double)(k + 2) * a + phase[k]);
        bank = -0.08 * (1.0 + sin(3.0 * a));
        rig_add(rig, size * r * cos(a), mirror * size * r * sin(a), hills * sin(2.0 * a),
                half_width + sin(5.0 * a));
        rig->waypoints[i].bank = (float)(mirror * bank);
    }
    rig_build(rig);
}

// The whole way from a track to a line.
static inline kerb_racing_line rig_solve(const line_rig* rig, const kerb_performance* car,
                                         const kerb_line_settings* settings) {
    kerb_line_solver solver;
    kerb_racing_line line;
    kerb_error error;
    assert_int_equal(
        kerb_line_solver_create(&solver, &rig->path, car, settings, &rig->host, &error), KERB_OK);
    while (kerb_line_solver_advance(&solver, 1000) == KERB_LINE_RUNNING) {
    }
    assert_int_equal(kerb_racing_line_create(&line, &solver, 1.0f, &rig->host, &error), KERB_OK);
    kerb_line_solver_destroy(&solver);
    return line;
}

static inline kerb_line_settings rig_settings(kerb_line_method method) {
    kerb_line_settings settings = kerb_line_settings_default();
    if (method == KERB_LINE_SPRING)
        settings = kerb_line_settings_vamos();
    settings.method = (int32_t)method;
    return settings;
}

static inline kerb_performance rig_car(void) {
    return kerb_performance_point_mass(12.0f, 9.0f, 12.0f, 70.0f);
}

// Time along the centre line: a spring without stiffness stays there.
static inline double rig_centre_time(const line_rig* rig, const kerb_performance* car) {
    kerb_line_settings settings = rig_settings(KERB_LINE_SPRING);
    settings.stiffness = 0.0f;
    settings.spring_steps = 1;
    settings.node_spacing = 4.0f;
    kerb_racing_line line = rig_solve(rig, car, &settings);
    double time = line.time;
    kerb_racing_line_destroy(&line);
    return time;
}

#endif
