// Shared declarations of the racing-line solver. Private to the room.
//
// The line consists of nodes, one every few metres of the centre line. Each node has an offset to
// the left along its cross-section. The offsets are the unknowns; all else follows from them:
//
//              left edge  ───────────────────────────
//                             high ┄┄┄┄┄ (edge less margin)
//                               ↑ offset > 0
//              centre line ──●──●──●──●──●──●──●──      ● station: 4 to a node, every 4th a node
//                               ↓ offset < 0
//                             low ┄┄┄┄┄┄
//              right edge ───────────────────────────
//
// Constants of this room in metres were chosen on tracks 10 m wide. On others they are multiplied
// by `scale`, the mean width over 10 m: a track, a vehicle and their speeds may be of any size.
// Constants per metre are divided by it.
//
// All of a solver's memory is one arena without pointers: its head, the stations, and one array for
// each quantity of the nodes. `kerb_in_line_view_of` finds them wherever the arena lies. Arrays of
// nodes have two more elements (ghosts) at each end, down to [-2] and up to [count + 1]. On a
// closed track they are copies of the other end, so that loops over nodes need no case for the
// ends.
#ifndef KERB_IN_RACING_LINE_LINE_LINE_H
#define KERB_IN_RACING_LINE_LINE_LINE_H

#include "kerb/racing_line.h"

#include "spline.h"

// Ghosts at each end of an array: the five diagonals reach two nodes. [1]
#define LINE_GHOSTS 2
// Stations per node. More follow the surface more finely, at their price in memory. [1]
#define LINE_FINE 4
// Least number of nodes of a line. [1]
#define LINE_NODES_MIN 12

// A place of the track.
typedef struct line_station {
    line_vector centre, left;     // position on the centre line; unit vector along the surface
    double room_left, room_right; // widths to the edges [m]
    double low, high; // legal offsets: within the margin, on the side of the settings [m]
    double grip, bank;
} line_station;

typedef enum line_phase { LINE_SPRING, LINE_CURVATURE, LINE_TIME, LINE_DONE } line_phase;

// The arena's head.
typedef struct line_head {
    kerb_line_settings settings;
    kerb_performance performance;
    int32_t nodes;
    int32_t closed;
    int32_t phase;
    int32_t step;       // within the phase
    int32_t steps_done; // of all phases
    int32_t steps_all;
    int32_t warm;      // the track has changed: the last line is the first guess
    int32_t refused;   // refused steps in a row
    double scale;      // mean width of the track over 10 m
    double size;       // the same, but 1 on all tracks for cars: kerb_track_scale
    double length;     // of the centre line [m]
    double spacing;    // of the nodes [m]
    double barrier;    // complementarity that kerb_in_line_interior_step aims at
    double damping;    // of a step: weight of the change of curvature, in units of time
    int32_t sharp;     // lap times use the curvature of the spline, not that of three nodes
    double smoothness; // price of squared curvature, in units of time
    double outside;    // greatest distance of a node beyond its bounds [m]
    int32_t laps;      // of the last passes
    double lap;        // lap time of the present line by the nodes [s]
    double lap_best;   // of the best line
    double lap_first;  // of the line at the start of the descent
    double lap_centre; // of the centre line
    int32_t best_known;
} line_head;

// Quantities of the nodes.
#define LINE_ARRAYS(ARRAY)                                                                         \
    ARRAY(x) /* position of the node */                                                            \
    ARRAY(y)                                                                                       \
    ARRAY(z)                                                                                       \
    ARRAY(centre_x)                                                                                \
    ARRAY(centre_y)                                                                                \
    ARRAY(centre_z)                                                                                \
    ARRAY(left_x)                                                                                  \
    ARRAY(left_y)                                                                                  \
    ARRAY(left_z)                                                                                  \
    ARRAY(normal_x)                                                                                \
    ARRAY(normal_y)                                                                                \
    ARRAY(normal_z)                                                                                \
    ARRAY(grip)                                                                                    \
    ARRAY(reach_low) /* legal offsets along the node's cross-section */                            \
    ARRAY(reach_high)                                                                              \
    ARRAY(low) /* legal offsets less the bulges of the line between nodes */                       \
    ARRAY(high)                                                                                    \
    ARRAY(offset)                                                                                  \
    ARRAY(turned)   /* 1: its cross-section is not the normal */                                   \
    ARRAY(fold_low) /* beyond these offsets adjacent cross-sections meet */                        \
    ARRAY(fold_high)                                                                               \
    ARRAY(bulge_low) /* taken off the legal offsets */                                             \
    ARRAY(bulge_high)                                                                              \
    ARRAY(slack_low) /* offset - low, after some steps */                                          \
    ARRAY(slack_high)                                                                              \
    ARRAY(press_low) /* multiplier of the bound */                                                 \
    ARRAY(press_high)                                                                              \
    ARRAY(length)         /* to the next node */                                                   \
    ARRAY(length_here)    /* its derivative by this node's offset */                               \
    ARRAY(length_next)    /* its derivative by the next node's offset */                           \
    ARRAY(curvature)      /* within the surface */                                                 \
    ARRAY(target)         /* curvature that costs nothing */                                       \
    ARRAY(curvature_last) /* derivative of curvature by the last node's offset */                  \
    ARRAY(curvature_here)                                                                          \
    ARRAY(curvature_next)                                                                          \
    ARRAY(bent)             /* curvature of the spline */                                          \
    ARRAY(bent_worth)       /* derivative of the lap time by it */                                 \
    ARRAY(curvature_normal) /* out of the surface */                                               \
    ARRAY(curvature_load)   /* the same, as the load on the tyres sees it */                       \
    ARRAY(load_sums)        /* of curvature_normal from the first node */                          \
    ARRAY(load_length)      /* over which curvature_normal counts */                               \
    ARRAY(up_forward)                                                                              \
    ARRAY(up_left)                                                                                 \
    ARRAY(weight)                                                                                  \
    ARRAY(gradient)                                                                                \
    ARRAY(diagonal)                                                                                \
    ARRAY(beside)                                                                                  \
    ARRAY(beyond)                                                                                  \
    ARRAY(change)                                                                                  \
    ARRAY(factor)                                                                                  \
    ARRAY(factor_beside)                                                                           \
    ARRAY(factor_beyond)                                                                           \
    ARRAY(border)                                                                                  \
    ARRAY(border_last)                                                                             \
    ARRAY(limit)         /* squared cornering speed */                                             \
    ARRAY(limit_slope)   /* its derivative by curvature */                                         \
    ARRAY(round_forward) /* width of the rounding of its minimum with `forward` */                 \
    ARRAY(round_backward)                                                                          \
    ARRAY(forward) /* squared speed of the forward pass */                                         \
    ARRAY(backward)                                                                                \
    ARRAY(speed)                                                                                   \
    ARRAY(forward_worth) /* derivative of the lap time by it */                                    \
    ARRAY(backward_worth)                                                                          \
    ARRAY(curvature_worth)                                                                         \
    ARRAY(length_worth)                                                                            \
    ARRAY(first)  /* offsets of the line at the start of the descent */                            \
    ARRAY(centre) /* offsets of the centre line, or the nearest legal ones */                      \
    ARRAY(best)                                                                                    \
    ARRAY(kept)                                                                                    \
    ARRAY(kept_slack_low)                                                                          \
    ARRAY(kept_slack_high)                                                                         \
    ARRAY(kept_press_low)                                                                          \
    ARRAY(kept_press_high)

typedef struct line_view {
    line_head* head;
    line_station* stations;
    int32_t nodes;
    bool closed;
#define LINE_POINTER(name) double* name;
    LINE_ARRAYS(LINE_POINTER)
#undef LINE_POINTER
} line_view;

// The station of a node.
static inline line_station* line_station_of(const line_view* v, int32_t node) {
    return v->stations + (size_t)node * LINE_FINE;
}

// ------------------------------------------------------------------- arena (arena.c)

size_t kerb_in_line_arena_bytes(int32_t nodes);
line_view kerb_in_line_view_of(void* memory);
// Fills the ghosts of an array: with copies of the other end, on an open track with 0.
void kerb_in_line_wrap(const line_view* v, double* array);

// ------------------------------------------------------------------- track (track.c)

// Lays the stations and the legal offsets along the track. KERB_OK or OUT_OF_MEMORY.
kerb_result kerb_in_line_track_lay(const line_view* v, const kerb_path* track,
                                   const kerb_allocator* allocator, kerb_error* error);
// Mean width of a track over 10 m. O(points)
double kerb_in_line_track_scale(const kerb_path* track);
// What kerb_track_scale is for a track of this mean width. [m] [> 0]
float kerb_in_line_width_scale(float width);
// The settings with lengths of this track where they say 0. O(points)
kerb_line_settings kerb_in_line_track_settings(const kerb_path* track,
                                               const kerb_line_settings* settings);
// Number of nodes; 0: too many. [settings: without 0 for a length]
int32_t kerb_in_line_track_nodes(const kerb_path* track, const kerb_line_settings* settings);
// Sets `low` and `high` of all nodes from their legal offsets, folds and bulges.
void kerb_in_line_track_bound(const line_view* v);
// Moves the bounds of nodes inwards by what the line bulges beyond the legal offsets between nodes.
// Returns the greatest bulge; may be negative. [m]
double kerb_in_line_track_tighten(const line_view* v);
// Does the same by the exact spline through the nodes. The spline overwrites arrays of the lap, so
// the lap must be measured again.
double kerb_in_line_track_tighten_closely(const line_view* v);

// ------------------------------------------------------------------- cross-sections (across.c)

// Turns the cross-sections of nodes where they would meet, and finds the legal offsets along them.
void kerb_in_line_across_find(const line_view* v);

// ------------------------------------------------------------------- foot (foot.c)

// The surface at a place near the track.
typedef struct line_foot {
    line_vector ahead, left, normal; // of the track
    double offset, low, high, room_left, room_right;
    double grip, bank;
} line_foot;

// The foot of a place, searched from station `guess`. O(stations walked)
line_foot kerb_in_line_foot_at(const line_view* v, int32_t guess, line_vector place);

// ------------------------------------------------------------------- shape (shape.c)

// Places the nodes by their offsets.
void kerb_in_line_shape_place(const line_view* v);
// Lengths, curvatures, and their derivatives by the offsets.
void kerb_in_line_shape_measure(const line_view* v);
// Measures the turn per metre that the line of least curvature minimises (see shape.c), in place of
// the curvature.
void kerb_in_line_shape_measure_turn(const line_view* v);
// Turns the curvature of three nodes into the curvature of the spline through all nodes: the
// inverse of the mean (1, 4, 1) / 6, sqrt(3)·Σ (sqrt(3) - 2)^|k|. It is its own adjoint. `to` must
// be another array.
void kerb_in_line_shape_sharpen(const line_view* v, const double* from, double* to);
// Matrix of the weighted squares of curvature: `diagonal`, `beside`, `beyond`.
void kerb_in_line_shape_metric(const line_view* v, double least);
// Sets `gradient`: the derivatives by the offsets, from the derivatives by the curvatures in
// `worth`.
void kerb_in_line_shape_gradient(const line_view* v, const double* worth);

// ------------------------------------------------------------------- interior point (interior.c)

// Begins with slacks and multipliers of this complementarity.
void kerb_in_line_interior_begin(const line_view* v, double barrier, double slack_least);
// One primal-dual step for the metric and the gradient. Returns the share of the step that was
// taken.
double kerb_in_line_interior_step(const line_view* v);
// Mean complementarity.
double kerb_in_line_interior_gap(const line_view* v);
// Solves metric · change = right-hand side (in `change`), in place.
void kerb_in_line_banded_solve(const line_view* v);

// ------------------------------------------------------------------- methods

void kerb_in_line_spring_begin(const line_view* v);
void kerb_in_line_spring_sweep(const line_view* v);
void kerb_in_line_curvature_begin(const line_view* v);
void kerb_in_line_curvature_step(const line_view* v);
// Moves a line that bulges beyond the legal offsets back, with the least change of its curvature.
// False where this failed; the bounds are then those of its bulges.
bool kerb_in_line_curvature_settle(const line_view* v);
void kerb_in_line_time_begin(const line_view* v);
void kerb_in_line_time_step(const line_view* v);
void kerb_in_line_time_end(const line_view* v);
// Offsets of the best line until now, by the lap times of nodes. Only after
// kerb_in_line_time_begin.
const double* kerb_in_line_time_best(const line_view* v);
// Number of candidates: the line of the descent, the line at its start, and the centre line. [1]
#define LINE_CANDIDATES_MAX 3
typedef struct line_candidate {
    const double* offsets;
    double lap; // lap time by the nodes [s]
} line_candidate;
// The lines from which the caller chooses the fastest by a finer measure than that of the nodes.
// The line of the descent comes first. Returns their number.
int32_t kerb_in_line_time_candidates(const line_view* v,
                                     line_candidate candidates[LINE_CANDIDATES_MAX]);
// The lap time of the line as it was measured last, and its derivatives by curvatures and lengths.
double kerb_in_line_lap(const line_view* v);
void kerb_in_line_lap_gradient(const line_view* v);

#endif
