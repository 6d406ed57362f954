// What the parts of the path beside the line share. Private to the room.
//
//     way.c    when it is laid, from where, over which places
//     room.c   its bounds: the space of other cars
//     aim.c    its target, begun early enough
//     draw.c   a path that a car can drive
//
// A "place" is every RACER_STRIDE-th bin of the line ahead.
#ifndef KERB_IN_RACER_TRAFFIC_WAY_H
#define KERB_IN_RACER_TRAFFIC_WAY_H

#include "traffic.h"

// Share of the grip for moving sideways. [1]
#define WAY_ASIDE_GRIP 0.2f
// Lateral speed for that. [m/s]
#define WAY_ASIDE_SPEED 2.6f
// Greatest slope of the offset: a car moves sideways only while it rolls. [1]
#define WAY_SLOPE_MOST 0.25f
// With a smaller offset the path is the line. [m]
#define WAY_SAME 0.03f

#define WAY_STRIDE RACER_STRIDE
#define WAY_PLACES (KERB_RACER_LOOKAHEAD_BINS / WAY_STRIDE + 1)

typedef struct way_plan {
    int32_t first, count; // the bin of the first place; places
    float spacing;
    float low[WAY_PLACES], high[WAY_PLACES];           // bounds of the offset [m]
    float rightmost[WAY_PLACES], leftmost[WAY_PLACES]; // bounds by the edges alone [m]
    // The same before they are passed on to earlier places. [m]
    float edge_right[WAY_PLACES], edge_left[WAY_PLACES];
    float near_right[WAY_PLACES],
        near_left[WAY_PLACES]; // nearest of those ahead, where draw.c looks at them
    float must_low[WAY_PLACES],
        must_high[WAY_PLACES]; // low and high without the cars that it passes [m]
    // Offset that it would drive if no car needed space. [m]
    float base[WAY_PLACES];
    float target[WAY_PLACES], slope[WAY_PLACES]; // target offset, and its change per metre [m], [1]
    float square[WAY_PLACES];                    // speed² there, at first of a free run [m²/s²]
    // The middle of the track against the line, as far as a car can follow it: shift to the left
    // until the next place, and curvature. [m], [1/m]
    float track_aside[WAY_PLACES], track_bend[WAY_PLACES];
    // Result: lateral offset of the path, left positive. [m]
    float offset[WAY_PLACES];
    float left[WAY_PLACES], right[WAY_PLACES]; // from the line to the edges [m]
    bool bound, beside;                        // bounded by any car; bounded by a car alongside
} way_plan;

// What the tyres hold at each place, and the part of it that a bank takes.
typedef struct way_ground {
    float line[WAY_PLACES];   // curvature of the line [1/m]
    float beside[WAY_PLACES]; // curvature of a path parallel to the line at the last offset [1/m]
    float per_lateral[WAY_PLACES];            // 1 / lateral grip per load [s²/m]
    float load[WAY_PLACES], gain[WAY_PLACES]; // load by weight, and per speed² [1], [s²/m²]
    float grip[WAY_PLACES], bank[WAY_PLACES]; // lateral grip per load, and a bank's part [m/s²]
    float brakes[WAY_PLACES]; // fall of speed² to the next place per load [m²/s²]
    float drag;               // fall of speed² by drag, per speed² [1]
} way_ground;

typedef struct way_state {
    float offset, slope; // from the line, and its change per metre [m], [1]
} way_state;

// True: overlapping in length, or nearly and to the side.
bool kerb_in_traffic_is_beside(const racer_frame* frame, const traffic_view* view,
                               const traffic_other* o);
// Time until a car that comes from behind on another part of the track will be alongside; 1e6: it
// will not. [s]
float kerb_in_traffic_comes_beside_in(const racer_frame* frame, const traffic_view* view,
                                      const traffic_other* o);
// Narrows the bounds to what other cars leave. First the cars that are there; then those to pass,
// and only where there is space: otherwise they are not passed.
void kerb_in_traffic_leave_room(const kerb_racer* racer, const racer_frame* frame,
                                traffic_view* view, way_plan* plan);
// Where no space is left: the middle between the bounds, but never beyond the edges. True when that
// is near.
bool kerb_in_traffic_settle_conflicts(const kerb_racer* racer, const racer_frame* frame,
                                      const traffic_view* view, way_plan* plan);
// Target offset in each place, begun so early that a car can follow that is now `error` beside its
// path.
void kerb_in_traffic_aim_way(const racer_frame* frame, const float* line, float error,
                             way_plan* plan);
// What the tyres hold along the path.
void kerb_in_traffic_lay_ground(const racer_frame* frame, const way_plan* plan, way_ground* ground);
// Draws the path from a state on; if it misses its bounds, once more as an urgent one.
void kerb_in_traffic_draw_way(const way_ground* ground, const racer_frame* frame, way_state state,
                              way_plan* plan);

#endif
