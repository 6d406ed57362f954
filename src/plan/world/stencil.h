// A quick test whether an arc is free, for arcs that are tested from many poses. Private to the
// room.
#ifndef KERB_IN_PLAN_WORLD_STENCIL_H
#define KERB_IN_PLAN_WORLD_STENCIL_H

#include "../../curve/shared.h"
#include "world.h"

// Greatest number of discs; arcs of usual vehicles need about 15. Arcs that need more have none.
// [1]
#define PLAN_STENCIL_DISCS 32
// Points of the outline: six at the end of the arc and six in its middle. [1]
#define PLAN_STENCIL_POINTS 12
// One hull of the whole arc, and at most four of its parts. [1]
#define PLAN_STENCIL_HULLS 5
// Greatest number of corners of all hulls together; arcs that need more have no hulls. [1]
#define PLAN_STENCIL_CORNERS 64

// Seen from the pose where the arc begins: discs that cover the area that the outline sweeps,
// points of the outline at the end and in the middle of the arc, and convex hulls with as many
// corners as sides. The first hull has few sides and contains all of the area. The others contain a
// part of it each and hardly more. Discs are in cells of the field, points and hulls in cells of
// the grid.
typedef struct plan_stencil {
    float curvature, length; // of the arc
    int32_t discs, points;   // 0: none
    int32_t hulls, corners;
    kerb_vec2 least, most; // from poses between these, the arc is within field and box [m]
    float disc_x[PLAN_STENCIL_DISCS], disc_y[PLAN_STENCIL_DISCS];
    int32_t disc_room[PLAN_STENCIL_DISCS]; // least distance in the field [half cells]
    float far; // greatest distance of a point from the pose, plus a cell [cells]; 0: no grid
    float point_x[PLAN_STENCIL_POINTS], point_y[PLAN_STENCIL_POINTS];
    int32_t hull_end[PLAN_STENCIL_HULLS];
    float corner_x[PLAN_STENCIL_CORNERS], corner_y[PLAN_STENCIL_CORNERS];
    // Of each side: its outward normal of length 1, and the extent of the hull in that direction.
    float side_x[PLAN_STENCIL_CORNERS], side_y[PLAN_STENCIL_CORNERS];
    float side_reach[PLAN_STENCIL_CORNERS];
} plan_stencil;

// Result of a quick test.
typedef enum plan_room { PLAN_OPEN, PLAN_DOUBTFUL, PLAN_BLOCKED } plan_room;

// Gaps with a clearance below `least_room` may count as closed. [m > 0] O(1)
plan_stencil kerb_in_plan_stencil_make(const plan_world* world, float curvature, float length,
                                       float least_room);
// Makes the stencil of the arc that turns to the other side. O(1), about a tenth of the time of
// kerb_in_plan_stencil_make.
void kerb_in_plan_stencil_mirror(const plan_stencil* of, plan_stencil* mirrored);
// O(discs + points + corners)
plan_room kerb_in_plan_stencil_ask(const plan_stencil* stencil, const plan_world* world,
                                   kerb_pose from);
// kerb_in_plan_world_arc_free() for the arc of the stencil. Defined in footprint.c.
bool kerb_in_plan_world_stencil_free(const plan_world* world, kerb_pose from,
                                     const plan_stencil* stencil, float least_room);

#endif
