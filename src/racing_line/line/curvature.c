// Purpose: the line of least curvature within the track.
// Idea:    Each step sums the squares of the angle turned per metre (shape.c), with the curvature
//          linear in the offsets round the last line, and takes one interior-point step. The
//          barrier falls from step to step, so bounds and shape converge together, in about two
//          dozen solves.
// Cost:    O(nodes) per step; 25 steps by default.
// Source:  Heilmeier et al., "Minimum curvature trajectory planning and control for an autonomous
//          race car", 2020, for the problem; the measure and the method are our own.
#include "line.h"

// Complementarity at the start and at the end, over the objective per node. The first leaves the
// edges free, the last costs millimetres. Chosen by trial. [1]
#define CURVATURE_BARRIER_FIRST 0.3
#define CURVATURE_BARRIER_LAST 3.0e-7
// Next complementarity over the present one, after a nearly full step and after a shorter one.
// Usual for interior-point methods. [1]
#define CURVATURE_BARRIER_FALL 0.2
#define BARRIER_FALL_SLOW 0.3
// Keeps the matrix positive definite on straights: waves longer than 2π/LEAST^(1/4), 500 m, are
// damped, whatever the spacing of nodes. [1/m⁴]
#define CURVATURE_LEAST_DIAGONAL 2.5e-8
// Least distance from a bound at the start. [m]
#define SLACK_LEAST 0.02
// First step at which bulges between nodes are taken off, and steps from one such time to the next.
// Earlier the line still moves too much. Chosen by trial. [1]
#define BULGES_FROM 10
#define CURVATURE_BULGES_EVERY 5
// At the end, a line that bulges beyond the legal offsets by more than this is corrected. [m]
#define BULGE_MOST 0.012
// Greatest number of rounds of this correction, and its steps per round. Chosen by trial. [1]
#define SETTLE_ROUNDS 8
#define SETTLE_STEPS 6
// Complementarity over the objective per node [1] and least distance from a bound [m] at the start
// of a round. Both are small, because the line is nearly right.
#define BARRIER_SETTLE 1.0e-4
#define SLACK_SETTLE 1.0e-3

static double curvature_weigh(const line_view* v) {
    double sum = 0.0, spacing = v->head->spacing;
    for (int32_t i = 0; i < v->nodes; i++) {
        v->weight[i] = spacing;
        v->curvature_worth[i] = spacing * (v->curvature[i] - v->target[i]);
        sum += spacing * v->curvature[i] * v->curvature[i];
    }
    kerb_in_line_wrap(v, v->weight);
    kerb_in_line_wrap(v, v->curvature_worth);
    return sum / (double)v->nodes;
}

// The objective per node, never 0: on a straight track all curvature is 0. [1/m]
static double objective_of(const line_view* v) {
    return curvature_weigh(v) + 1.0e-12 / v->head->scale;
}

// Whether the line keeps its shape. After a change of track, a line that goes on to least time is
// only moved within the new edges: this phase then minimises the change of its curvature. Least
// curvature itself is found faster from the middle of the track than from a line that new edges
// have displaced.
static bool keeps_line(const line_view* v) {
    return v->head->warm && v->head->settings.method == KERB_LINE_TIME;
}

static void set_targets(const line_view* v) {
    bool keep = keeps_line(v);
    if (keep) {
        kerb_in_line_shape_place(v);
        kerb_in_line_shape_measure_turn(v);
    }
    for (int32_t i = 0; i < v->nodes; i++)
        v->target[i] = keep ? v->curvature[i] : 0.0;
}

// Starts in the middle of the legal offsets, also where cross-sections fold on one side: a bend of
// the line there would displace all of it.
static void set_first_offsets(const line_view* v) {
    bool keep = keeps_line(v);
    const double slack = SLACK_LEAST * v->head->scale;
    for (int32_t i = 0; i < v->nodes; i++) {
        double middle = 0.5 * (v->low[i] + v->high[i]);
        double low = line_least(v->low[i] + slack, middle);
        double high = line_most(v->high[i] - slack, middle);
        double offset = keep ? v->offset[i] : 0.5 * (v->reach_low[i] + v->reach_high[i]);
        v->offset[i] = line_least(line_most(offset, low), high);
    }
}

static void curvature_step(const line_view* v) {
    kerb_in_line_shape_measure_turn(v);
    double scale = objective_of(v), size = v->head->scale, square = size * size;
    kerb_in_line_shape_metric(v, CURVATURE_LEAST_DIAGONAL / (square * square) * v->head->spacing);
    kerb_in_line_shape_gradient(v, v->curvature_worth);
    double part = kerb_in_line_interior_step(v);
    kerb_in_line_shape_place(v);
    double fall = part < 0.9 ? BARRIER_FALL_SLOW : CURVATURE_BARRIER_FALL;
    v->head->barrier =
        line_most(kerb_in_line_interior_gap(v) * fall, scale * CURVATURE_BARRIER_LAST);
}

void kerb_in_line_curvature_begin(const line_view* v) {
    set_targets(v);
    set_first_offsets(v);
    kerb_in_line_shape_place(v);
    kerb_in_line_shape_measure_turn(v);
    double scale = objective_of(v);
    kerb_in_line_interior_begin(v, scale * CURVATURE_BARRIER_FIRST, SLACK_LEAST * v->head->scale);
}

void kerb_in_line_curvature_step(const line_view* v) {
    if (v->head->step >= BULGES_FROM && v->head->step % CURVATURE_BULGES_EVERY == 0)
        kerb_in_line_track_tighten(v);
    curvature_step(v);
}

bool kerb_in_line_curvature_settle(const line_view* v) {
    const double most = BULGE_MOST * v->head->size, slack = SLACK_SETTLE * v->head->scale;
    kerb_in_line_shape_place(v);
    for (int32_t round = 0; round < SETTLE_ROUNDS; round++) {
        if (kerb_in_line_track_tighten_closely(v) <= most)
            return true;
        kerb_in_line_shape_measure_turn(v);
        double scale = objective_of(v);
        for (int32_t i = 0; i < v->nodes; i++)
            v->target[i] = v->curvature[i];
        kerb_in_line_interior_begin(v, scale * BARRIER_SETTLE, slack);
        for (int32_t k = 0; k < SETTLE_STEPS; k++)
            curvature_step(v);
    }
    return kerb_in_line_track_tighten_closely(v) <= most;
}
