// Purpose: the line of least lap time for a vehicle.
// Idea:    Descent on the lap time itself (lap.c), from the line of least curvature, with
//          interior-point steps that stay within the track. The metric of the steps makes it fast:
//          the squares of the change of curvature, each weighted with the derivative of the time by
//          the curvature, over the curvature itself. At the limit of a corner the time is a root of
//          the squared curvature. It lies below the parabola with that weight, so minimising the
//          parabola does not overshoot. Where the time does not depend on the curvature, a common
//          damping holds the line; it adapts to the success of the steps.
//          The barrier begins high: the line first leaves the edges, and comes back to them as the
//          barrier falls. This also holds after a change of track: with a low barrier the line
//          would keep to the side where it was, even if that is no longer the best one.
// Cost:    O(nodes) per step; 64 steps by default.
// Source:  our own; weights as in iteratively reweighted least squares.
#include "load.h"

// The constants below were chosen by trial, apart from the reasons that they give.

// Complementarity at the start, over the lap time per node. [1]
#define RACING_LINE_TIME_BARRIER_FIRST 1.3e-2
// Complementarity at the start where the descent begins with the centre line, which is far from the
// edges already. [1]
#define BARRIER_CENTRE 2.0e-3
// Complementarity at the end, over the lap time per node. [1]
#define RACING_LINE_TIME_BARRIER_LAST 1.3e-7
// Next complementarity over the present one. After a change of track it is about the square,
// because half of the steps lead as far down. [1]
#define RACING_LINE_TIME_BARRIER_FALL 0.85
#define BARRIER_FALL_WARM 0.72
// Damping at the start and at most, over the mean weight. With more than the greatest the line no
// longer moves, and the number could overflow. [1]
#define DAMPING_FIRST 10.0
#define DAMPING_MOST 1.0e6
// Factors of the damping after a good step, after a poor step, and after a refused one. [1]
#define DAMPING_FALL 0.6
#define DAMPING_RISE 1.5
#define DAMPING_REFUSED 3.0
// Refused steps in a row, after which a step is taken all the same. [1]
#define REFUSED_MAX 6
// Weights over those of the parabola. [1]
#define RACING_LINE_TIME_WORTH 3.0
// Price of the squared curvature of the first line, over the lap time: prefers smooth lines where
// nothing else matters. [1]
#define SMOOTHNESS 5.0e-4
// Least diagonal of the metric, which keeps it positive definite, over the lap time per node.
// [1/m²]
#define RACING_LINE_TIME_LEAST_DIAGONAL 5.0e-5
// Least distance from a bound at the start. [m]
#define TIME_SLACK_LEAST 0.02
// Greatest distance beyond the bounds of a line that may become the best. [m]
#define OUTSIDE_MOST 5.0e-4
// All steps over the last ones, which use the curvature of the spline. [1]
#define SHARP_PART 5
// Steps between two corrections of bulges; and number of last steps that all have one. [1]
#define RACING_LINE_TIME_BULGES_EVERY 8
#define BULGES_LAST 4

// Twice the curvature at which cornering limits the vehicle to its top speed. Below it weights stop
// growing. [1/m]
static double straight_curvature(const line_head* h) {
    const kerb_performance* p = &h->performance;
    double top = (double)p->speed_max * (double)p->speed_max;
    return line_most(2.0 * (double)p->lateral / top, 1.0e-3 / h->scale);
}

// Adds the price of curvature itself to the derivatives.
static void prefer_smooth(const line_view* v) {
    for (int32_t i = 0; i < v->nodes; i++)
        v->curvature_worth[i] += v->head->smoothness * v->head->spacing * v->curvature[i];
    kerb_in_line_wrap(v, v->curvature_worth);
}

static double squared_curvature(const line_view* v) {
    double sum = 0.0;
    for (int32_t i = 0; i < v->nodes; i++)
        sum += v->curvature[i] * v->curvature[i] * v->head->spacing;
    return sum;
}

// Sets the weights of the metric and returns their mean.
static double racing_line_time_weigh(const line_view* v) {
    double straight = straight_curvature(v->head), sum = 0.0;
    double common = v->head->damping * v->head->spacing;
    for (int32_t i = 0; i < v->nodes; i++) {
        double weight = RACING_LINE_TIME_WORTH * fabs(v->curvature_worth[i]) /
                        line_most(fabs(v->curvature[i]), straight);
        v->weight[i] = common + weight;
        sum += weight;
    }
    kerb_in_line_wrap(v, v->weight);
    return sum / (double)v->nodes;
}

static void add_length_gradient(const line_view* v) {
    kerb_in_line_wrap(v, v->length_next);
    for (int32_t i = 0; i < v->nodes; i++)
        v->gradient[i] +=
            v->length_worth[i] * v->length_here[i] + v->length_worth[i - 1] * v->length_next[i - 1];
}

static void copy(const line_view* v, double* to, const double* from) {
    for (int32_t i = 0; i < v->nodes; i++)
        to[i] = from[i];
}

static void racing_line_time_keep(const line_view* v) {
    copy(v, v->kept, v->offset);
    copy(v, v->kept_slack_low, v->slack_low);
    copy(v, v->kept_slack_high, v->slack_high);
    copy(v, v->kept_press_low, v->press_low);
    copy(v, v->kept_press_high, v->press_high);
}

static void restore(const line_view* v) {
    copy(v, v->offset, v->kept);
    copy(v, v->slack_low, v->kept_slack_low);
    copy(v, v->slack_high, v->kept_slack_high);
    copy(v, v->press_low, v->kept_press_low);
    copy(v, v->press_high, v->kept_press_high);
}

static void hold_legal(const line_view* v, const double* offsets) {
    for (int32_t i = 0; i < v->nodes; i++)
        v->offset[i] = line_least(line_most(offsets[i], v->low[i]), v->high[i]);
}

static double measure_lap(const line_view* v) {
    kerb_in_line_shape_place(v);
    kerb_in_line_shape_measure(v);
    return kerb_in_line_lap(v);
}

static double farthest_outside(const line_view* v) {
    double most = 0.0;
    for (int32_t i = 0; i < v->nodes; i++) {
        most = line_most(most, v->low[i] - v->offset[i]);
        most = line_most(most, v->offset[i] - v->high[i]);
    }
    return most;
}

static void remember_best(const line_view* v) {
    line_head* h = v->head;
    h->outside = farthest_outside(v);
    if (!(h->outside <= OUTSIDE_MOST * h->scale) || (h->best_known && !(h->lap < h->lap_best)))
        return;
    h->lap_best = h->lap;
    h->best_known = 1;
    copy(v, v->best, v->offset);
}

// Bounds and the measure of curvature may have changed since the best line was found: clamps it to
// the bounds and measures it again.
static void review_best(const line_view* v) {
    line_head* h = v->head;
    if (h->best_known) {
        copy(v, v->kept, v->offset);
        hold_legal(v, v->best);
        h->lap_best = measure_lap(v);
        copy(v, v->best, v->offset);
        copy(v, v->offset, v->kept);
    }
    h->lap = measure_lap(v);
}

// Remembers the lines to fall back on: the one at the start of the descent, and the centre line.
static void remember_first(const line_view* v) {
    line_head* h = v->head;
    kerb_in_line_shape_place(v);
    kerb_in_line_shape_measure(v);
    kerb_in_line_load_begin(v);
    h->lap_first = measure_lap(v);
    copy(v, v->first, v->offset);
    // Within the legal offsets; the bounds contain the bulges of the other line.
    for (int32_t i = 0; i < v->nodes; i++)
        v->offset[i] = line_least(line_most(0.0, v->reach_low[i]), v->reach_high[i]);
    h->lap_centre = measure_lap(v);
    copy(v, v->centre, v->offset);
    copy(v, v->offset, v->first);
}

static double barrier_scale(const line_view* v) {
    return v->head->lap / (double)v->nodes;
}

void kerb_in_line_time_begin(const line_view* v) {
    line_head* h = v->head;
    h->sharp = 1;
    remember_first(v);
    bool centre = h->lap_centre < h->lap_first;
    if (centre)
        copy(v, v->offset, v->centre);
    h->sharp = 0;
    h->lap = measure_lap(v);
    h->best_known = 0;
    h->refused = 0;
    double barrier = centre ? BARRIER_CENTRE : RACING_LINE_TIME_BARRIER_FIRST;
    kerb_in_line_interior_begin(v, barrier_scale(v) * barrier, TIME_SLACK_LEAST * h->scale);
    kerb_in_line_lap_gradient(v);
    h->smoothness = SMOOTHNESS * h->lap / (squared_curvature(v) + 1.0e-9 / h->scale);
    prefer_smooth(v);
    h->damping = 0.0;
    h->damping = DAMPING_FIRST * racing_line_time_weigh(v);
}

static void adapt(line_head* h, double lap, double part, double tolerance) {
    if (lap > h->lap + tolerance)
        h->damping *= DAMPING_RISE;
    else if (part > 0.3)
        h->damping *= DAMPING_FALL;
}

// Whether it is time to use the curvature of the spline. It shows what happens between nodes, but
// its gradient is rough, so it is used only for the last steps.
static bool sharp_due(const line_head* h) {
    return h->steps_all - h->steps_done <= h->settings.time_steps / SHARP_PART;
}

static bool bulges_due(const line_head* h) {
    int32_t left = h->steps_all - h->steps_done;
    return h->step > 0 && (h->step % RACING_LINE_TIME_BULGES_EVERY == 0 || left <= BULGES_LAST);
}

void kerb_in_line_time_step(const line_view* v) {
    line_head* h = v->head;
    if (!h->sharp && sharp_due(h)) {
        h->sharp = 1;
        review_best(v);
    }
    if (bulges_due(h)) {
        if (h->sharp) {
            kerb_in_line_track_tighten_closely(v);
            review_best(v);
        } else {
            kerb_in_line_track_tighten(v);
        }
    }
    kerb_in_line_lap_gradient(v);
    prefer_smooth(v);
    h->damping = line_least(h->damping, DAMPING_MOST * racing_line_time_weigh(v));
    double least = RACING_LINE_TIME_LEAST_DIAGONAL / (h->scale * h->scale);
    kerb_in_line_shape_metric(v, least * h->lap / h->length * h->spacing);
    kerb_in_line_shape_gradient(v, v->curvature_worth);
    add_length_gradient(v);
    racing_line_time_keep(v);
    double part = kerb_in_line_interior_step(v);
    double lap = measure_lap(v);
    // The time that the barrier may cost.
    double tolerance = h->barrier * (double)v->nodes;
    bool worse = !(lap <= h->lap + tolerance), number = lap - lap == 0.0;
    if (!number || (worse && h->refused < REFUSED_MAX)) {
        h->refused++;
        h->damping *= DAMPING_REFUSED;
        restore(v);
        measure_lap(v);
        return;
    }
    h->refused = 0;
    adapt(h, lap, part, tolerance);
    h->lap = lap;
    double fall = h->warm ? BARRIER_FALL_WARM : RACING_LINE_TIME_BARRIER_FALL;
    h->barrier = line_most(h->barrier * fall, barrier_scale(v) * RACING_LINE_TIME_BARRIER_LAST);
    remember_best(v);
}

// The line of the descent, and its lap time.
static const double* found(const line_view* v, double* lap) {
    const line_head* h = v->head;
    *lap = h->best_known ? h->lap_best : h->lap;
    return h->best_known ? v->best : v->offset;
}

const double* kerb_in_line_time_best(const line_view* v) {
    const line_head* h = v->head;
    double lap;
    const double* best = found(v, &lap);
    if (!(lap <= h->lap_first))
        best = v->first, lap = h->lap_first;
    return lap <= h->lap_centre ? best : v->centre;
}

int32_t kerb_in_line_time_candidates(const line_view* v,
                                     line_candidate candidates[LINE_CANDIDATES_MAX]) {
    const line_head* h = v->head;
    line_candidate all[LINE_CANDIDATES_MAX] = {
        {NULL, 0.0}, {v->first, h->lap_first}, {v->centre, h->lap_centre}};
    all[0].offsets = found(v, &all[0].lap);
    for (int32_t i = 0; i < LINE_CANDIDATES_MAX; i++)
        candidates[i] = all[i];
    return LINE_CANDIDATES_MAX;
}

// If the bounds have just moved, the last line may lie outside of them and still be the fastest. It
// is moved back with the least change of its curvature. A single node that is moved by 2 mm would
// make a kink that loses more time than the whole search gains.
static void consider_last(const line_view* v) {
    line_head* h = v->head;
    if (!kerb_in_line_curvature_settle(v))
        hold_legal(v, v->offset);
    double lap = measure_lap(v);
    if (h->best_known && !(lap < h->lap_best))
        return;
    h->lap_best = lap;
    h->best_known = 1;
    copy(v, v->best, v->offset);
}

void kerb_in_line_time_end(const line_view* v) {
    line_head* h = v->head;
    consider_last(v);
    copy(v, v->offset, kerb_in_line_time_best(v));
    kerb_in_line_curvature_settle(v);
    h->lap_best = measure_lap(v);
    h->best_known = 1;
    copy(v, v->best, v->offset);
}
