// Plans whose curvature is continuous: joints of arcs become clothoids. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_BENDS_H
#define KERB_IN_PLAN_POLISH_BENDS_H

#include "../world/space.h"

// A jump of curvature between two arcs.
typedef struct bends_joint {
    float place;         // distance from the start of the path [m]
    float before, after; // curvatures [1/m]
    float change;        // size of the jump [1/m]
    float ramp;          // length in which the wheels turn at the speed there [m]
    int32_t arc;         // index of the arc after it
    bool is_start;       // from the wheels of a plan that begins with speed
} bends_joint;

// The way from a start to where a path of arcs begins.
typedef struct plan_lead {
    int32_t count;          // of its clothoids
    plan_clothoid bends[2]; // from the start on
    float straight;         // driven behind them, before the path; negative in reverse [m]
    kerb_plan_end end;      // where the path begins, and its speed there
    float speed, curvature; // at the start, along its pose
} plan_lead;

// Memory for what is made: too much for a stack. Holds nothing between calls.
typedef struct plan_bends_memory {
    int32_t count; // of arcs that have a length
    plan_arc arcs[PLAN_ARCS_MAX + 1];
    kerb_pose poses[PLAN_ARCS_MAX + 2]; // at their starts
    float places[PLAN_ARCS_MAX + 2];    // of these, from the start of the path [m]
    bends_joint joints[PLAN_ARCS_MAX + 1];
    plan_clothoid bends[PLAN_ARCS_MAX];
} plan_bends_memory;

// Writes the pieces of the fastest motion along a path, at most PLAN_PIECES_OF(PLAN_ARCS_MAX), and
// returns their number; 0 where there is none. Where rates->rate is 0 these are
// kerb_in_plan_movement_pieces. Otherwise the curvature is continuous from that of the start on:
// clothoids replace parts of the path round its joints where the ground is free, and at other
// joints the vehicle stands while its wheels turn. All else of the path stays where it is.
// `of_arcs`: with which the arcs were found. `lead`: drives to `start`; NULL: the vehicle is there.
// [speed_goal: m/s, along the pose] O(count)
int32_t kerb_in_plan_bends_pieces(plan_bends_memory* memory, const plan_rates* of_arcs,
                                  const plan_rates* rates, const plan_space* space,
                                  const plan_lead* lead, const kerb_plan_end* start,
                                  const plan_arc* arcs, int32_t count, float speed_goal,
                                  kerb_plan_piece* pieces);

// The clothoids of such a path, where there is a rate: memory->bends. Returns their number; 0 where
// there are none. `goes_on`: the vehicle drives on behind its end, with the curvature of the last
// arc. `scratch`: as many pieces.
int32_t kerb_in_plan_bends_row(plan_bends_memory* memory, const plan_rates* of_arcs,
                               const plan_rates* rates, const plan_space* space,
                               const plan_lead* lead, const kerb_plan_end* start,
                               const plan_arc* arcs, int32_t count, float speed_goal, bool goes_on,
                               kerb_plan_piece* scratch);

// Cost of the ground along pieces. [s] O(count)
float kerb_in_plan_pieces_toll(const plan_space* space, const kerb_plan_piece* pieces,
                               int32_t count);

#endif
