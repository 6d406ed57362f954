// Roads for the lane keeper's tests: straights and bends of given radius, and a car on them.
#ifndef TEST_LANE_RIG_H
#define TEST_LANE_RIG_H

#include "scene/lane/lane_drive.h"

#include <string.h>

#define LANE_POINTS 4000

typedef struct lane_rig {
    kerb_waypoint waypoints[LANE_POINTS];
    int32_t count;
    float heading, x, y, left, right;
    kerb_scene_lane_road road;
    kerb_sim_model model;
} lane_rig;

static inline void lane_begin(lane_rig* rig, float left, float right) {
    memset(rig, 0, sizeof *rig);
    rig->left = left;
    rig->right = right;
    kerb_vehicle vehicle = kerb_vehicle_default();
    rig->model = kerb_sim_model_for(&vehicle);
    rig->waypoints[rig->count] = kerb_waypoint_at(0.0f, 0.0f, 0.0f);
    rig->waypoints[rig->count].left = left;
    rig->waypoints[rig->count++].right = right;
}

/// Goes on for `length` metres, turning by `turn` in all, a point every metre and a half or so.
static inline void lane_add(lane_rig* rig, float length, float turn) {
    int32_t steps = (int32_t)(length / 1.5f) + 1;
    for (int32_t i = 0; i < steps && rig->count < LANE_POINTS; i++) {
        float half = 0.5f * turn / (float)steps;
        rig->heading += half;
        rig->x += kerb_cos(rig->heading) * length / (float)steps;
        rig->y += kerb_sin(rig->heading) * length / (float)steps;
        rig->heading += half;
        rig->waypoints[rig->count] = kerb_waypoint_at(rig->x, rig->y, 0.0f);
        rig->waypoints[rig->count].left = rig->left;
        rig->waypoints[rig->count++].right = rig->right;
    }
}

/// A bend of a radius; turn left positive. [rad]
static inline void lane_bend(lane_rig* rig, float radius, float turn) {
    lane_add(rig, radius * kerb_abs(turn), turn);
}

/// One straight piece, turned by so much from the last one.
static inline void lane_add_piece(lane_rig* rig, float length, float turn) {
    rig->heading += turn;
    rig->x += length * kerb_cos(rig->heading);
    rig->y += length * kerb_sin(rig->heading);
    rig->waypoints[rig->count] = kerb_waypoint_at(rig->x, rig->y, 0.0f);
    rig->waypoints[rig->count].left = rig->left;
    rig->waypoints[rig->count++].right = rig->right;
}

static inline kerb_result lane_build(lane_rig* rig, bool closed) {
    kerb_host host = kerb_host_default();
    return kerb_scene_lane_road_create(&rig->road, rig->waypoints, rig->count, closed, &host, NULL);
}

/// Marks what the edge on a side is, from one distance along the road to another.
static inline void lane_mark(lane_rig* rig, bool left, double from, double to, int32_t what) {
    int32_t end = kerb_path_locate(&rig->road.path, to).segment;
    for (int32_t i = kerb_path_locate(&rig->road.path, from).segment; i <= end; i++)
        (left ? rig->road.left : rig->road.right)[i].what = what;
}

#endif
