// Plans whose curvature is continuous: joints of arcs become clothoids. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_BENDS_H
#define KERB_IN_PLAN_POLISH_BENDS_H

#include "../world/space.h"

// Writes the pieces of the fastest motion along a path, at most PLAN_PIECES_OF(PLAN_ARCS_MAX), and
// returns their number; 0 where there is none. Where rates->rate is 0 these are
// kerb_in_plan_movement_pieces. Otherwise the curvature is continuous from that of the start on:
// clothoids replace parts of the path round its joints where the ground is free, and at other
// joints the vehicle stands while its wheels turn. All else of the path stays where it is.
// `of_arcs`: with which the arcs were found. [speed_goal: m/s, along the pose] O(count)
int32_t kerb_in_plan_bends_pieces(const plan_rates* of_arcs, const plan_rates* rates,
                                  const plan_space* space, const kerb_plan_end* start,
                                  const plan_arc* arcs, int32_t count, float speed_goal,
                                  kerb_plan_piece* pieces);

// Cost of the ground along pieces. [s] O(count)
float kerb_in_plan_pieces_toll(const plan_space* space, const kerb_plan_piece* pieces,
                               int32_t count);

#endif
