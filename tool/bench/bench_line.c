// Racing lines, timed from the track to the last step, on tracks that are generated here.
#include "tool/bench/bench_line.h"

#include "kerb/racing_line.h"
#include "tool/command/machine.h"

#include <stdlib.h>

#define BENCH_LINE_ROUNDS 5
#define BENCH_LINE_SPACING 5.0f
#define CLOSED_POINTS 1160 // 5.8 km, as Monza

// A wobbling circle with corners of many radii, 12 m wide.
static kerb_waypoint* make_closed(void) {
    kerb_waypoint* waypoints = malloc(CLOSED_POINTS * sizeof *waypoints);
    for (int32_t i = 0; waypoints && i < CLOSED_POINTS; i++) {
        float a = 2.0f * KERB_PI * (float)i / (float)CLOSED_POINTS;
        float radius = 735.0f * (1.0f + 0.25f * kerb_sin(3.0f * a) + 0.06f * kerb_sin(11.0f * a) +
                                 0.02f * kerb_sin(23.0f * a));
        waypoints[i] = kerb_waypoint_at(radius * kerb_cos(a), radius * kerb_sin(a), 0.0f);
        waypoints[i].left = waypoints[i].right = 6.0f;
    }
    return waypoints;
}

// A road whose heading swings, with sharper bends in places.
static kerb_waypoint* make_open(int32_t count) {
    kerb_waypoint* waypoints = malloc((size_t)count * sizeof *waypoints);
    float x = 0.0f, y = 0.0f;
    for (int32_t i = 0; waypoints && i < count; i++) {
        waypoints[i] = kerb_waypoint_at(x, y, 0.0f);
        waypoints[i].left = waypoints[i].right = 6.0f;
        float at = (float)(i % 1000);
        float heading = 0.9f * kerb_sin(at * 0.0628318f) + 0.5f * kerb_sin(at * 0.2576106f);
        x += BENCH_LINE_SPACING * kerb_cos(heading);
        y += BENCH_LINE_SPACING * kerb_sin(heading);
    }
    return waypoints;
}

// From the track to the last step. [ns; 0: no memory]
static double bench_line_solve(const kerb_path* track, const kerb_line_settings* settings,
                               const kerb_host* host) {
    kerb_performance car = kerb_performance_point_mass(12.0f, 9.0f, 12.0f, 70.0f);
    kerb_line_solver solver;
    uint64_t begun = tool_clock_ns();
    if (kerb_line_solver_create(&solver, track, &car, settings, host, NULL) != KERB_OK)
        return 0.0;
    kerb_line_solver_advance(&solver, INT32_MAX);
    double ns = (double)(tool_clock_ns() - begun);
    kerb_line_solver_destroy(&solver);
    return ns;
}

static bool bench_line_measure(kerb_waypoint* waypoints, int32_t count, bool closed,
                               const kerb_line_settings* settings, tool_bench_figure* figure) {
    kerb_host host = kerb_host_default();
    kerb_path track = {0};
    bool made =
        waypoints && kerb_path_create(&track, waypoints, count, closed, &host, NULL) == KERB_OK;
    free(waypoints);
    for (int32_t round = 0; made && round < BENCH_LINE_ROUNDS; round++) {
        double ns = bench_line_solve(&track, settings, &host);
        figure->ns = round == 0 || ns < figure->ns ? ns : figure->ns;
    }
    kerb_path_destroy(&track);
    return made && figure->ns > 0.0;
}

bool tool_bench_line_time(tool_bench_figure* figure) {
    kerb_line_settings settings = kerb_line_settings_default();
    return bench_line_measure(make_closed(), CLOSED_POINTS, true, &settings, figure);
}

bool tool_bench_line_curvature(tool_bench_figure* figure) {
    kerb_line_settings settings = kerb_line_settings_default();
    settings.method = KERB_LINE_CURVATURE;
    return bench_line_measure(make_closed(), CLOSED_POINTS, true, &settings, figure);
}

bool tool_bench_line_spring(tool_bench_figure* figure) {
    kerb_line_settings settings = kerb_line_settings_vamos();
    return bench_line_measure(make_closed(), CLOSED_POINTS, true, &settings, figure);
}

static bool measure_metres(int32_t metres, tool_bench_figure* figure) {
    kerb_line_settings settings = kerb_line_settings_default();
    int32_t count = (int32_t)((float)metres / BENCH_LINE_SPACING) + 1;
    bool measured = bench_line_measure(make_open(count), count, false, &settings, figure);
    figure->ns /= (double)metres;
    return measured;
}

bool tool_bench_line_1_km(tool_bench_figure* figure) {
    return measure_metres(1000, figure);
}

bool tool_bench_line_10_km(tool_bench_figure* figure) {
    return measure_metres(10000, figure);
}

bool tool_bench_line_100_km(tool_bench_figure* figure) {
    return measure_metres(100000, figure);
}
