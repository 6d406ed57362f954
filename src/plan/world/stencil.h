// Whether one arc is free that is asked for from many poses, quickly. Private to the room.
#ifndef KERB_IN_PLAN_WORLD_STENCIL_H
#define KERB_IN_PLAN_WORLD_STENCIL_H

#include "../../curve/shared.h"
#include "world.h"

#define PLAN_STENCIL_DISCS 32
#define PLAN_STENCIL_POINTS 12
#define PLAN_STENCIL_HULLS 5
#define PLAN_STENCIL_CORNERS 64

// Seen from the pose where the arc begins: discs that cover all that the outline sweeps, points of
// the outline at the arc's end and middle, and convex hulls that hold all that it sweeps, each with
// as many corners as sides: the first, of few, all of it, the others, which hold less beside it, a
// part of it each. Discs are in cells of the field, the others in cells of the grid.
typedef struct plan_stencil {
    float curvature, length; // of the arc
    int32_t discs, points;   // 0: there is nothing to know beforehand
    int32_t hulls, corners;
    kerb_vec2 least, most; // poses between these have it all in field and box [m]
    float disc_x[PLAN_STENCIL_DISCS], disc_y[PLAN_STENCIL_DISCS];
    int32_t disc_room[PLAN_STENCIL_DISCS]; // least distance in the field [half cells]
    float far; // no point is farther from the pose, with a cell to spare [cells]; 0: no grid
    float point_x[PLAN_STENCIL_POINTS], point_y[PLAN_STENCIL_POINTS];
    int32_t hull_end[PLAN_STENCIL_HULLS];
    float corner_x[PLAN_STENCIL_CORNERS], corner_y[PLAN_STENCIL_CORNERS];
    // Of each side the direction outwards, of length 1, and how far the hull reaches that way.
    float side_x[PLAN_STENCIL_CORNERS], side_y[PLAN_STENCIL_CORNERS];
    float side_reach[PLAN_STENCIL_CORNERS];
} plan_stencil;

// What is known after a quick look.
typedef enum plan_room { PLAN_OPEN, PLAN_DOUBTFUL, PLAN_BLOCKED } plan_room;

// Gaps with less than `least_room` to spare may count as closed. [m > 0] O(1)
plan_stencil kerb_in_plan_stencil_make(const plan_world* world, float curvature, float length,
                                       float least_room);
// The same for the arc to the other side. O(1), and a tenth of what making it takes.
void kerb_in_plan_stencil_mirror(const plan_stencil* of, plan_stencil* mirrored);
// O(discs + points + corners)
plan_room kerb_in_plan_stencil_ask(const plan_stencil* stencil, const plan_world* world,
                                   kerb_pose from);
// kerb_in_plan_world_arc_free() for the stencil's arc. footprint.c
bool kerb_in_plan_world_stencil_free(const plan_world* world, kerb_pose from,
                                     const plan_stencil* stencil, float least_room);

#endif
