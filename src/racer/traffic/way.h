// What the pieces of the way beside the line share. Private to the room.
//
//     racer_traffic_way.c    when it is laid, from where, over what
//     racer_traffic_room.c   between what it must stay: others' room
//     racer_traffic_aim.c    where it leads, begun early enough
//     racer_traffic_draw.c   as a car can drive it
#ifndef KERB_IN_RACER_TRAFFIC_WAY_H
#define KERB_IN_RACER_TRAFFIC_WAY_H

#include "traffic.h"

// Moving aside it uses so much of the grip. [1]
#define WAY_ASIDE_GRIP 0.2f
// And so fast. [m/s]
#define WAY_ASIDE_SPEED 2.6f
// A car does not move aside without rolling. [1]
#define WAY_SLOPE_MOST 0.25f
// Differing by less the way is the line. [m]
#define WAY_SAME 0.03f

#define WAY_STRIDE RACER_STRIDE
#define WAY_PLACES (KERB_RACER_LOOKAHEAD_BINS / WAY_STRIDE + 1)

typedef struct way_plan {
    int32_t first, count; // the bin of the first place; places
    float spacing;
    float low[WAY_PLACES], high[WAY_PLACES];           // for the reference point [m]
    float rightmost[WAY_PLACES], leftmost[WAY_PLACES]; // between the edges alone [m]
    // … and begun no earlier than the edges are [m]
    float edge_right[WAY_PLACES], edge_left[WAY_PLACES];
    float near_right[WAY_PLACES],
        near_left[WAY_PLACES];                         // nearest of these where they are looked at
    float must_low[WAY_PLACES], must_high[WAY_PLACES]; // without whom it passes [m]
    float base[WAY_PLACES];
    float target[WAY_PLACES], slope[WAY_PLACES]; // and by which it changes per metre
    float square[WAY_PLACES];                    // of the speed there, at first of the free one
    // Of the track's middle against the line, as far as a car can go with it: how far it leads to
    // the left until the next place, and how it bends.
    float track_aside[WAY_PLACES], track_bend[WAY_PLACES];
    float offset[WAY_PLACES];
    float left[WAY_PLACES], right[WAY_PLACES]; // from the line to the edges [m]
    bool bound, beside;                        // by anybody, by who is beside it
} way_plan;

// What the tyres hold in each bin, and what of it a bank takes.
typedef struct way_ground {
    float line[WAY_PLACES];        // curvature of the line [1/m]
    float beside[WAY_PLACES];      // and of a way that goes on beside it as the last one did
    float per_lateral[WAY_PLACES]; // 1 / what the tyres hold aside by the load
    float load[WAY_PLACES], gain[WAY_PLACES]; // by weight, and more by speed²
    float grip[WAY_PLACES], bank[WAY_PLACES]; // aside, by the load [m/s²]
    float brakes[WAY_PLACES]; // by which speed² falls by the load until the next [m²/s²]
    float drag;               // and by itself [1]
} way_ground;

typedef struct way_state {
    float offset, slope; // from the line, and by which it changes per metre
} way_state;

// Beside it: overlapping in length, or nearly so and to the side.
bool kerb_in_traffic_is_beside(const racer_frame* frame, const traffic_view* view,
                               const traffic_other* o);
// Will he soon be beside it, coming from behind on another part of the track? In so many seconds;
// 1e6: not.
float kerb_in_traffic_comes_beside_in(const racer_frame* frame, const traffic_view* view,
                                      const traffic_other* o);
// Narrows the plan to what others leave. First those who are there; whom to pass comes after them,
// and only where there is room: else he is not passed.
void kerb_in_traffic_leave_room(const kerb_racer* racer, const racer_frame* frame,
                                traffic_view* view, way_plan* plan);
// Where no room is left the middle of what is asked, but never beyond the edges; true when that is
// near.
bool kerb_in_traffic_settle_conflicts(const kerb_racer* racer, const racer_frame* frame,
                                      const traffic_view* view, way_plan* plan);
// What is asked in each place, begun so early that a car can follow, that now is `error` beside its
// way.
void kerb_in_traffic_aim_way(const racer_frame* frame, const float* line, float error,
                             way_plan* plan);
// What the tyres hold along it.
void kerb_in_traffic_lay_ground(const racer_frame* frame, const way_plan* plan, way_ground* ground);
// Draws the way from a state on; where it misses what it must keep to, in haste.
void kerb_in_traffic_draw_way(const way_ground* ground, const racer_frame* frame, way_state state,
                              way_plan* plan);

#endif
