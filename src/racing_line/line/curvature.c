// Purpose: the line of least curvature within the track.
// Idea:    Sums the squares of the angle turned per metre (line_shape.c), taken linear in the
//          offsets about the last line, and takes one interior-point step; again, with less
//          barrier each time. So bounds and shape settle together, in two dozen solves.
// Cost:    O(nodes) a step, 90 ns a node; 25 steps.
// Source:  Heilmeier et al., "Minimum curvature trajectory planning and control for an autonomous
//          race car", 2020, for the problem; the measure and the method are our own.
#include "line.h"

// Complementarity at the start and the end, as a share of the objective per node.
#define CURVATURE_BARRIER_FIRST 0.3
#define CURVATURE_BARRIER_LAST 3.0e-7
// The next one, after a step that could go far, and after one that could not.
#define CURVATURE_BARRIER_FALL 0.2
#define BARRIER_FALL_SLOW 0.3
// Keeps the metric definite where nothing turns: waves longer than 2π/LEAST^(1/4), 500 m, are
// damped, whatever the nodes' spacing. [1/m⁴]
#define CURVATURE_LEAST_DIAGONAL 2.5e-8
#define SLACK_LEAST 0.02 // of a bound at the start [m]
#define BULGES_FROM 10
#define CURVATURE_BULGES_EVERY 5
// At the end a line that bulges by more than this is settled, in so many rounds of steps at most.
#define BULGE_MOST 0.012 // [m]
#define SETTLE_ROUNDS 8
#define SETTLE_STEPS 6
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

// After a change of track, a line that is to go on to least time only gives way to the new edges:
// what it minimises is the change of the curvature that it had. Least curvature itself is found
// sooner from the middle of the track than from a line that new edges have pushed aside.
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

// In the middle of what is legal, also where the ways across fold on one side: a bend there would
// pull the whole line off.
static void set_first_offsets(const line_view* v) {
    bool keep = keeps_line(v);
    for (int32_t i = 0; i < v->nodes; i++) {
        double middle = 0.5 * (v->low[i] + v->high[i]);
        double low = line_least(v->low[i] + SLACK_LEAST, middle);
        double high = line_most(v->high[i] - SLACK_LEAST, middle);
        double offset = keep ? v->offset[i] : 0.5 * (v->reach_low[i] + v->reach_high[i]);
        v->offset[i] = line_least(line_most(offset, low), high);
    }
}

static void curvature_step(const line_view* v) {
    kerb_in_line_shape_measure_turn(v);
    double scale = curvature_weigh(v) + 1.0e-12;
    kerb_in_line_shape_metric(v, CURVATURE_LEAST_DIAGONAL * v->head->spacing);
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
    double scale = curvature_weigh(v) + 1.0e-12;
    kerb_in_line_interior_begin(v, scale * CURVATURE_BARRIER_FIRST, SLACK_LEAST);
}

void kerb_in_line_curvature_step(const line_view* v) {
    if (v->head->step >= BULGES_FROM && v->head->step % CURVATURE_BULGES_EVERY == 0)
        kerb_in_line_track_tighten(v);
    curvature_step(v);
}

bool kerb_in_line_curvature_settle(const line_view* v) {
    kerb_in_line_shape_place(v);
    for (int32_t round = 0; round < SETTLE_ROUNDS; round++) {
        if (kerb_in_line_track_tighten_closely(v) <= BULGE_MOST)
            return true;
        kerb_in_line_shape_measure_turn(v);
        double scale = curvature_weigh(v) + 1.0e-12;
        for (int32_t i = 0; i < v->nodes; i++)
            v->target[i] = v->curvature[i];
        kerb_in_line_interior_begin(v, scale * BARRIER_SETTLE, SLACK_SETTLE);
        for (int32_t k = 0; k < SETTLE_STEPS; k++)
            curvature_step(v);
    }
    return kerb_in_line_track_tighten_closely(v) <= BULGE_MOST;
}
