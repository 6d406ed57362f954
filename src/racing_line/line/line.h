// What the racing-line solver's parts share. Private to the room.
//
// The line is known by its nodes: every few metres of the centre line one, each with its offset to
// the left along the track's surface. Offsets are the unknowns; all else follows from them:
//
//              left edge  ───────────────────────────
//                             high ┄┄┄┄┄ (edge less margin)
//                               ↑ offset > 0
//              centre line ──●──●──●──●──●──●──●──      ● station: 4 to a node, every 4th a node
//                               ↓ offset < 0
//                             low ┄┄┄┄┄┄
//              right edge ───────────────────────────
//
// All of a solver's memory is one arena without pointers in it: its head, the stations, and one
// array for each quantity of the nodes. `kerb_in_line_view_of` finds them, wherever the arena lies.
// Arrays of nodes have two ghosts at each end, [-2] and [count + 1]: on a closed track copies of
// the other end, so that no loop over nodes must look where it is.
#ifndef KERB_IN_RACING_LINE_LINE_LINE_H
#define KERB_IN_RACING_LINE_LINE_LINE_H

#include "kerb/racing_line.h"

#include "spline.h"

#define LINE_GHOSTS 2
// Stations to a node.
#define LINE_FINE 4
// Fewer nodes make no line.
#define LINE_NODES_MIN 12

// A place of the track.
typedef struct line_station {
    line_vector centre, left;     // on the centre line; unit vector along the surface
    double room_left, room_right; // to the edges [m]
    double low, high;             // legal offsets: less margin and side [m]
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
    int32_t steps_done; // in all
    int32_t steps_all;
    int32_t warm;      // the track changed: the last line is the first guess
    int32_t refused;   // steps in a row
    double length;     // of the centre line [m]
    double spacing;    // of the nodes [m]
    double barrier;    // complementarity that interior_step aims at
    double damping;    // of a step: weight of the change of curvature, in units of time
    int32_t sharp;     // laps see the curvature of the spline, not that of three nodes
    double smoothness; // what squared curvature costs, in units of time
    double outside;    // how far the node farthest out still is
    int32_t laps;      // that its passes needed
    double lap;        // the last line's lap time, as the descent sees it
    double lap_best;
    double lap_first;  // of the line that the descent begins with
    double lap_centre; // of the centre line
    int32_t best_known;
} line_head;

// Quantities of the nodes.
#define LINE_ARRAYS(ARRAY)                                                                         \
    ARRAY(x) /* the node's place */                                                                \
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
    ARRAY(reach_low) /* legal offsets along the node's way across */                               \
    ARRAY(reach_high)                                                                              \
    ARRAY(low) /* the same, with what a spline bulges between nodes taken off */                   \
    ARRAY(high)                                                                                    \
    ARRAY(offset)                                                                                  \
    ARRAY(turned)   /* 1: its way across is not the normal */                                      \
    ARRAY(fold_low) /* farther out the ways across the track fold */                               \
    ARRAY(fold_high)                                                                               \
    ARRAY(bulge_low) /* taken off */                                                               \
    ARRAY(bulge_high)                                                                              \
    ARRAY(slack_low) /* offset - low, once the steps have reached it */                            \
    ARRAY(slack_high)                                                                              \
    ARRAY(press_low) /* what the bound is worth: its multiplier */                                 \
    ARRAY(press_high)                                                                              \
    ARRAY(length)         /* to the next node */                                                   \
    ARRAY(length_here)    /* its change by this node's offset */                                   \
    ARRAY(length_next)    /* and by the next node's */                                             \
    ARRAY(curvature)      /* within the surface */                                                 \
    ARRAY(target)         /* curvature that costs nothing */                                       \
    ARRAY(curvature_last) /* its change by the last node's offset */                               \
    ARRAY(curvature_here)                                                                          \
    ARRAY(curvature_next)                                                                          \
    ARRAY(bent)             /* the spline's curvature */                                           \
    ARRAY(bent_worth)       /* change of the lap time by it */                                     \
    ARRAY(curvature_normal) /* out of the surface */                                               \
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
    ARRAY(limit)         /* square of the cornering speed */                                       \
    ARRAY(limit_slope)   /* its change by curvature */                                             \
    ARRAY(round_forward) /* what its minimum with `forward` is rounded off by */                   \
    ARRAY(round_backward)                                                                          \
    ARRAY(forward) /* square of the speed that driving reaches */                                  \
    ARRAY(backward)                                                                                \
    ARRAY(speed)                                                                                   \
    ARRAY(forward_worth) /* change of the lap time by it */                                        \
    ARRAY(backward_worth)                                                                          \
    ARRAY(curvature_worth)                                                                         \
    ARRAY(length_worth)                                                                            \
    ARRAY(first)  /* the line that the descent began with */                                       \
    ARRAY(centre) /* offsets of the centre line, or what is legal next to it */                    \
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

// ------------------------------------------------------------------- arena (line_arena.c)

size_t kerb_in_line_arena_bytes(int32_t nodes);
line_view kerb_in_line_view_of(void* memory);
// Copies the ends to the ghosts; on an open track fills them with 0.
void kerb_in_line_wrap(const line_view* v, double* array);

// ------------------------------------------------------------------- track (line_track.c)

// Lays the stations along the track, and the legal offsets. KERB_OK or OUT_OF_MEMORY.
kerb_result kerb_in_line_track_lay(const line_view* v, const kerb_path* track,
                                   const kerb_allocator* allocator, kerb_error* error);
int32_t kerb_in_line_track_nodes(const kerb_path* track, const kerb_line_settings* settings);
// Sets low and high of all nodes from the stations and the bulges.
void kerb_in_line_track_bound(const line_view* v);
// Takes off what the line bulges beyond the legal offsets between the nodes. Returns the most that
// it did; may be negative. [m]
double kerb_in_line_track_tighten(const line_view* v);
// The same by the spline through the nodes itself, to the last centimetre; the lap must be measured
// again, since the spline lies where its numbers were.
double kerb_in_line_track_tighten_closely(const line_view* v);

// ------------------------------------------------------------------- across (line_across.c)

// Turns the nodes' ways across the track where they would meet, and finds how far they reach.
void kerb_in_line_across_find(const line_view* v);

// ------------------------------------------------------------------- foot (line_foot.c)

// The surface at a place near the track.
typedef struct line_foot {
    line_vector ahead, left, normal; // of the track
    double offset, low, high, room_left, room_right;
    double grip, bank;
} line_foot;

// Walks from station `guess`.
line_foot kerb_in_line_foot_at(const line_view* v, int32_t guess, line_vector place);

// ------------------------------------------------------------------- shape (line_shape.c)

// Places the nodes by their offsets.
void kerb_in_line_shape_place(const line_view* v);
// Lengths, curvatures and their changes by the offsets. A wide way round counts by its length to
// the power of `width_share`: 0 gives the curvature itself.
void kerb_in_line_shape_measure(const line_view* v);
void kerb_in_line_shape_measure_turn(const line_view* v);
// The curvature at its nodes of the spline through them, from what three nodes give: the inverse of
// the mean (1, 4, 1) / 6, sqrt(3)·Σ (sqrt(3) - 2)^|k|. Its own adjoint. `to` is another array.
void kerb_in_line_shape_sharpen(const line_view* v, const double* from, double* to);
// Quadratic form of the weighted squares of curvature: diagonal, beside, beyond.
void kerb_in_line_shape_metric(const line_view* v, double least);
// gradient += what `worth` of each node's curvature means for the offsets.
void kerb_in_line_shape_gradient(const line_view* v, const double* worth);

// ------------------------------------------------------------------- interior point
// (line_interior.c)

// Begins with all offsets free to move and this complementarity.
void kerb_in_line_interior_begin(const line_view* v, double barrier, double slack_least);
// One primal-dual step for the metric and gradient. Returns the part of the step that was taken.
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
// Brings a line that bulges out of the legal offsets back, with the least change of its curvature.
// False where it did not come back; the bounds are then those of its bulges.
bool kerb_in_line_curvature_settle(const line_view* v);
void kerb_in_line_time_begin(const line_view* v);
void kerb_in_line_time_step(const line_view* v);
void kerb_in_line_time_end(const line_view* v);
// The offsets of the best line so far by the nodes' lap times. Not while it begins.
const double* kerb_in_line_time_best(const line_view* v);
// The lines among which the fastest is to be found by a closer measure than that of the nodes: the
// descent's own first, then what it falls back on. Returns how many.
#define LINE_CANDIDATES_MAX 3
typedef struct line_candidate {
    const double* offsets;
    double lap; // by the nodes
} line_candidate;
int32_t kerb_in_line_time_candidates(const line_view* v,
                                     line_candidate candidates[LINE_CANDIDATES_MAX]);
// The lap time of the line as it was measured last, and how it changes by curvatures and lengths.
double kerb_in_line_lap(const line_view* v);
void kerb_in_line_lap_gradient(const line_view* v);

#endif
