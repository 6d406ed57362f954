// The corridor of a curve: arcs of a reference line, and how far a vehicle may leave it. Private to
// the room.
#ifndef KERB_IN_PLAN_CURVES_CORRIDOR_H
#define KERB_IN_PLAN_CURVES_CORRIDOR_H

#include "kerb/plan_curves.h"

#include "../world/space.h"

// A part of up to 270° becomes three of at most 90°, whose ends tell what lies beside them.
#define CORRIDOR_PARTS_MAX (3 * KERB_PLAN_CURVE_PARTS_MAX)

typedef struct corridor_part {
    kerb_pose from, to;
    kerb_vec2 middle; // of the circle
    float curvature, radius, length;
    float left, right; // [m]
} corridor_part;

typedef struct plan_corridor {
    corridor_part parts[CORRIDOR_PARTS_MAX];
    int32_t count;
    float sharpest;                   // greatest curvature of a line beside it [1/m]
    const kerb_plan_curve_grid* grid; // NULL: none
    kerb_pose frame;                  // of the curve's start, for the grid
} plan_corridor;

// Lays a corridor from the origin along the x axis.
plan_corridor kerb_in_plan_corridor_of(const kerb_plan_curve_part* parts, int32_t count);
// The question whether an arc stays inside.
plan_space kerb_in_plan_corridor_space(const plan_corridor* corridor);
// The pose at the start or at the end, aside by `offset`.
kerb_pose kerb_in_plan_corridor_end(const plan_corridor* corridor, bool is_exit, float offset);

#endif
