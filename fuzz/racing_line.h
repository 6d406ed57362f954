// What must hold for the racing line of any track that passes kerb_track_validate. Called by the
// fuzz target, and by a test with random bytes.
#ifndef FUZZ_RACING_LINE_H
#define FUZZ_RACING_LINE_H

#include "fuzz/demand.h"
#include "kerb/racing_line.h"

#include <math.h>

enum { FUZZ_LINE_HEAD = 10, FUZZ_LINE_POINT = 5, FUZZ_LINE_POINTS = 300, FUZZ_LINE_NODES = 500 };

// Five bytes a waypoint. Closed: radii about the middle, so that it closes. Open: turns and steps.
static inline int32_t fuzz_line_track(const uint8_t* data, size_t size, bool closed,
                                      kerb_waypoint* waypoints) {
    int32_t count = (int32_t)(size / FUZZ_LINE_POINT);
    count = count < FUZZ_LINE_POINTS ? count : FUZZ_LINE_POINTS;
    float x = 0.0f, y = 0.0f, z = 0.0f, heading = 0.0f, sine, cosine;
    for (int32_t i = 0; i < count; i++, data += FUZZ_LINE_POINT) {
        if (closed) {
            kerb_sin_cos(2.0f * KERB_PI * (float)i / (float)count, &sine, &cosine);
            float radius = 20.0f + 2.0f * (float)data[0];
            x = radius * cosine;
            y = radius * sine;
        } else {
            heading += (float)((int8_t)data[0]) / 64.0f;
            kerb_sin_cos(heading, &sine, &cosine);
            float step = 0.05f * (float)data[4];
            x += step * cosine;
            y += step * sine;
        }
        z += (float)((int8_t)data[1]) / 32.0f;
        waypoints[i] = kerb_waypoint_at(x, y, z);
        waypoints[i].left = (float)data[2] / 16.0f;
        waypoints[i].right = (float)data[3] / 16.0f;
        waypoints[i].bank = (float)((int8_t)(data[2] ^ data[3])) / 128.0f;
        waypoints[i].grip = closed ? 0.2f + (float)data[4] / 128.0f : 1.0f;
    }
    return count;
}

static inline kerb_performance fuzz_line_car(const uint8_t* head) {
    kerb_performance car =
        kerb_performance_point_mass(0.1f + 0.2f * (float)head[0], 0.05f * (float)head[1],
                                    0.1f * (float)head[2], 1.0f + 2.0f * (float)head[3]);
    car.budget = head[4] & 1;
    car.drag = (float)(head[4] >> 1) * 1.0e-5f;
    car.downforce = (float)head[5] * 1.0e-4f;
    return car;
}

static inline kerb_line_settings fuzz_line_settings(const uint8_t* head) {
    kerb_line_settings settings = kerb_line_settings_default();
    settings.method = head[6] % 3;
    settings.side = head[6] / 3 % 4;
    settings.halve_nodes = head[6] / 12 % 2;
    settings.margin = (float)head[7] / 64.0f;
    settings.node_spacing = 1.0f + (float)head[8] / 16.0f;
    settings.spring_steps = 1 + head[9] / 4;
    settings.curvature_steps = 1 + head[9] / 16;
    settings.time_steps = 1 + head[9] / 8;
    return settings;
}

static inline void fuzz_line_check(const kerb_racing_line* line) {
    FUZZ_DEMAND(line->count > 1 && line->length > 0.0 && line->length < 1.0e6);
    FUZZ_DEMAND(line->time > 0.0 && line->time < 1.0e9 && line->violation >= 0.0);
    for (int32_t i = 0; i < line->count; i++) {
        const kerb_line_point* p = &line->points[i];
        double sum = p->x + p->y + p->z + (double)p->heading + (double)p->slope;
        sum += (double)p->curvature + (double)p->normal_curvature + (double)p->bank;
        sum +=
            (double)p->left + (double)p->right + (double)p->lane_shift + (double)p->lateral_offset;
        FUZZ_DEMAND(sum - sum == 0.0);
        FUZZ_DEMAND(p->speed >= 0.0f && p->speed <= 1000.0f);
    }
}

static inline void fuzz_line_solve(const kerb_path* path, const kerb_performance* car,
                                   const kerb_line_settings* settings, const kerb_host* host) {
    kerb_line_solver solver;
    kerb_racing_line line;
    if (path->length > (double)settings->node_spacing * FUZZ_LINE_NODES)
        return;
    if (kerb_line_solver_create(&solver, path, car, settings, host, NULL) != KERB_OK)
        return;
    for (int32_t lap = 0; lap < 2; lap++) {
        while (kerb_line_solver_advance(&solver, 50) == KERB_LINE_RUNNING) {
        }
        FUZZ_DEMAND(kerb_racing_line_create(&line, &solver, 2.0f, host, NULL) == KERB_OK);
        fuzz_line_check(&line);
        kerb_racing_line_destroy(&line);
        FUZZ_DEMAND(kerb_line_solver_set_track(&solver, path, NULL) == KERB_OK);
    }
    kerb_line_solver_destroy(&solver);
}

/// A track that passes the check has a path, and a line of finite numbers, also after a change.
static inline void fuzz_racing_line(const uint8_t* data, size_t size) {
    kerb_waypoint waypoints[FUZZ_LINE_POINTS];
    kerb_host host = kerb_host_default();
    kerb_path path;
    if (size < FUZZ_LINE_HEAD)
        return;
    bool closed = (data[6] & 128) == 0;
    int32_t count =
        fuzz_line_track(data + FUZZ_LINE_HEAD, size - FUZZ_LINE_HEAD, closed, waypoints);
    if (kerb_track_validate(waypoints, count, closed, NULL) != KERB_OK)
        return;
    FUZZ_DEMAND(kerb_path_create(&path, waypoints, count, closed, &host, NULL) == KERB_OK);
    kerb_performance car = fuzz_line_car(data);
    kerb_line_settings settings = fuzz_line_settings(data);
    fuzz_line_solve(&path, &car, &settings, &host);
    kerb_path_destroy(&path);
}

#endif
