// Purpose: the line of least curvature within the track.
// Idea:    Sums the squares of the angle turned per metre (line_shape.c), taken linear in the
//          offsets about the last line, and takes one interior-point step; again, with less
//          barrier each time. So bounds and shape settle together, in two dozen solves.
// Cost:    O(nodes) a step, 90 ns a node; 25 steps.
// Source:  Heilmeier et al., "Minimum curvature trajectory planning and control for an autonomous
//          race car", 2020, for the problem; the measure and the method are our own.
#include "line.h"

// Complementarity at the start and the end, as a share of the objective per node.
#define BARRIER_FIRST 0.3
#define BARRIER_LAST 3.0e-7
// The next one, after a step that could go far, and after one that could not.
#define BARRIER_FALL 0.2
#define BARRIER_FALL_SLOW 0.3
#define LEAST_DIAGONAL 1.0e-6 // keeps the metric definite where nothing turns
#define SLACK_LEAST 0.02      // of a bound at the start [m]
#define BULGES_FROM 10
#define BULGES_EVERY 5

static double weigh(const line_view* v) {
    double sum = 0.0, spacing = v->head->spacing;
    for (int32_t i = 0; i < v->nodes; i++) {
        v->weight[i] = spacing;
        v->curvature_worth[i] = spacing * (v->curvature[i] - v->target[i]);
        sum += spacing * v->curvature[i] * v->curvature[i];
    }
    line_wrap(v, v->weight);
    line_wrap(v, v->curvature_worth);
    return sum / (double)v->nodes;
}

static double least_diagonal(const line_view* v) {
    double spacing = v->head->spacing;
    return LEAST_DIAGONAL * 6.0 / (spacing * spacing * spacing);
}

// After a change of track, a line that is to go on to least time only gives way to the new edges:
// what it minimises is the change of the curvature that it had.
static void set_targets(const line_view* v) {
    bool keep = v->head->warm && v->head->settings.method == KERB_LINE_TIME;
    if (keep) {
        line_shape_place(v);
        line_shape_measure_turn(v);
    }
    for (int32_t i = 0; i < v->nodes; i++)
        v->target[i] = keep ? v->curvature[i] : 0.0;
}

// In the middle of what is legal, also where the ways across fold on one side: a bend there would
// pull the whole line off.
static void set_first_offsets(const line_view* v) {
    for (int32_t i = 0; i < v->nodes; i++) {
        const line_station* s = line_station_of(v, i);
        double middle = 0.5 * (v->low[i] + v->high[i]);
        double low = line_least(v->low[i] + SLACK_LEAST, middle);
        double high = line_most(v->high[i] - SLACK_LEAST, middle);
        double offset = v->head->warm ? v->offset[i] : 0.5 * (s->low + s->high);
        v->offset[i] = line_least(line_most(offset, low), high);
    }
}

void line_curvature_begin(const line_view* v) {
    set_targets(v);
    set_first_offsets(v);
    line_shape_place(v);
    line_shape_measure_turn(v);
    double scale = weigh(v) + 1.0e-12;
    line_interior_begin(v, scale * BARRIER_FIRST, SLACK_LEAST);
}

void line_curvature_step(const line_view* v) {
    if (v->head->step >= BULGES_FROM && v->head->step % BULGES_EVERY == 0)
        line_track_tighten(v);
    line_shape_measure_turn(v);
    double scale = weigh(v) + 1.0e-12;
    line_shape_metric(v, least_diagonal(v));
    line_shape_gradient(v, v->curvature_worth);
    double part = line_interior_step(v);
    line_shape_place(v);
    double fall = part < 0.9 ? BARRIER_FALL_SLOW : BARRIER_FALL;
    v->head->barrier = line_most(line_interior_gap(v) * fall, scale * BARRIER_LAST);
}
