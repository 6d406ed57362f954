// Work of every frame of the lookout and of the scan. Private to the room.
#ifndef KERB_IN_LANE_LOOKOUT_H
#define KERB_IN_LANE_LOOKOUT_H

#include "frame.h"

/// Length of a remembered stretch of road. [m]
#define LANE_STRETCH 4.0f
/// Smallest and greatest turn of the lookout per frame, and the first one. [rad]
#define LANE_STEP_LEAST 0.003f
#define LANE_STEP_MOST 0.06f
#define LANE_STEP_START 0.015f
/// Greatest angle of the lookout to the lane. [rad]
#define LANE_LOOK_MOST 1.2f
/// One of this number of frames has a ray that scans the edges; number of steps of a scan for each
/// of the two edges.
#define LANE_SCAN_EVERY 3
#define LANE_SCAN_STEPS 10

/// Moves the remembered bends on: the first stretch has been passed.
void kerb_in_lane_bends_pass(kerb_lane_keeper* keeper);

/// Moves the bends on by a distance; mostly the vehicle stays in the same stretch. [m]
static inline void lane_bends_move(kerb_lane_keeper* keeper, float moved) {
    keeper->memory.bend_start -= moved;
    if (keeper->memory.bend_start <= -LANE_STRETCH)
        kerb_in_lane_bends_pass(keeper);
}

static inline bool lane_is_edge(const kerb_lane_hit* hit) {
    return hit->kind == KERB_LANE_HIT_EDGE || hit->kind == KERB_LANE_HIT_WALL;
}

/// Side of the road of an edge that was met: 1 left, -1 right.
static inline int32_t lane_side_of(const kerb_lane_ray* ray, const kerb_lane_hit* hit) {
    bool right = kerb_vec2_cross(lane_level(ray->direction), lane_level(hit->normal)) >= 0.0f;
    return 1 - 2 * (int32_t)right;
}

/// Turns the lookout by what it met.
///
/// The side changes about every other time, which processors cannot predict: so it is looked up in
/// a table, not branched on.
static inline void lane_turn_look(kerb_lane_keeper* keeper, const kerb_lane_ray* ray,
                                  const kerb_lane_hit* hit) {
    static const float turns[2] = {0.5f, 1.3f}, away[2] = {-1.0f, 1.0f};
    float off = keeper->memory.look;
    float step = LANE_STEP_START;
    int32_t side = 0;
    if (lane_is_edge(hit)) {
        side = lane_side_of(ray, hit);
        step = keeper->memory.look_step * turns[side == keeper->memory.look_side];
        float more = kerb_min(step, LANE_STEP_MOST) - LANE_STEP_LEAST;
        step =
            LANE_STEP_LEAST + 0.5f * (more + kerb_abs(more)); // compilers would branch on the least
        off += away[side < 0] * step;
    } else
        off *= 0.95f; // sees all there is: back to the lane
    keeper->memory.look_step = step;
    keeper->memory.look_side = side;
    keeper->memory.look = kerb_min(kerb_max(off, -LANE_LOOK_MOST), LANE_LOOK_MOST);
}

/// The next step of the scan.
static inline void lane_scan_next(kerb_lane_keeper* keeper) {
    const int32_t next = keeper->memory.scan + 1;
    keeper->memory.scan = next < LANE_SCAN_EVERY * LANE_SCAN_STEPS * 2 ? next : 0;
}

#endif
