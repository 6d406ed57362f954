// A path round obstacles without a search: the taut string, rounded. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_LINE_H
#define KERB_IN_PLAN_SEARCH_LINE_H

#include "../../curve/shared.h"
#include "search.h"

// Greatest number of corners of the grid along the way. [1]
#define PLAN_LINE_POINTS_MAX 4096
// Greatest number of corners of the string. [1]
#define PLAN_LINE_BENDS_MAX 256

// A corner of the string, and the circle by which the path goes round it. At the ends the circle
// has no radius.
typedef struct plan_bend {
    kerb_vec2 at;      // the corner
    kerb_vec2 inwards; // unit vector from there to the middle of the circle
    float radius;      // 0: the path has a kink, as at both ends [m]
    float cosine;      // of half of the string's turn
    float outwards;    // distance at which the circle passes the corner on its outer side [m]
    float side;        // 1: the path turns left, -1: right
    int32_t shifts;    // how often it has gone outwards
    bool is_skipped;   // the circles beside it lead past it
    bool is_free;      // the arc round the circle
    // The straight part behind the circle.
    bool is_leg_free;
    curve_tangent leg;
} plan_bend;

// Working memory. Plain data without pointers.
typedef struct plan_line {
    int32_t points, bends;
    kerb_vec2 point[PLAN_LINE_POINTS_MAX];
    plan_bend bend[PLAN_LINE_BENDS_MAX];
} plan_line;

// Looks for a path, and makes it the answer of the search, which has begun. False: there is none;
// the search is as before. The flow has the goals of the search, and is a guide. O(corners of the
// way on the grid + length / clearance)
bool kerb_in_plan_line_find(plan_line* line, plan_search* search, const plan_ground* ground,
                            const plan_world* world, const kerb_plan_query* query);

#endif
