// Purpose: one step towards the offsets that minimise a function within the track.
// Idea:    The primal-dual interior-point method. With slacks s and multipliers p of the bounds,
//          Newton's step for gradient + metric·change = p_low - p_high, s·p = barrier, gives a
//          system with the five diagonals of the metric and p/s added to the main one. Bounds are
//          never switched on or off, so a step costs one solve, however many bounds are active. The
//          slacks need not fit the offsets: when bounds move, the next steps close the gap.
// Cost:    O(nodes), most of it the chain of divisions in the factorisation.
// Source:  Nocedal, Wright, "Numerical Optimization", 2006, chapter 19.
#include "line.h"

// Greatest share of the distance to a bound that a step may go, so that it never touches one. [1]
#define TOWARDS_BOUND 0.98

void kerb_in_line_interior_begin(const line_view* v, double barrier, double slack_least) {
    for (int32_t i = 0; i < v->nodes; i++) {
        v->slack_low[i] = line_most(v->offset[i] - v->low[i], slack_least);
        v->slack_high[i] = line_most(v->high[i] - v->offset[i], slack_least);
        v->press_low[i] = barrier / v->slack_low[i];
        v->press_high[i] = barrier / v->slack_high[i];
    }
    v->head->barrier = barrier;
}

// ------------------------------------------------------------------- banded solve

// The corners of the cyclic matrix couple the last two unknowns with the first two. The last two
// are kept apart as a border of two columns and computed at the end from a system of 2 by 2.
typedef struct border_corner {
    double here, across, last;     // matrix of the border
    double right_here, right_last; // its right-hand side
} border_corner;

// Element of the matrix in row k and the last but one column.
static double border_entry(const line_view* v, int32_t k) {
    int32_t rows = v->nodes - 2;
    double entry = k == 0 && v->closed ? v->beyond[rows] : 0.0;
    entry += k == rows - 2 ? v->beyond[k] : 0.0;
    return entry + (k == rows - 1 ? v->beside[k] : 0.0);
}

static double border_last_entry(const line_view* v, int32_t k) {
    int32_t rows = v->nodes - 2;
    double entry = k == 0 && v->closed ? v->beside[rows + 1] : 0.0;
    entry += k == 1 && v->closed ? v->beyond[rows + 1] : 0.0;
    return entry + (k == rows - 1 ? v->beyond[k] : 0.0);
}

// Eliminates the rows above the border, forwards. `u` and `w` are the columns of the border in this
// row, those with _1 and _2 in the two rows before.
static border_corner interior_eliminate(const line_view* v) {
    int32_t rows = v->nodes - 2;
    border_corner c = {v->diagonal[rows], v->beside[rows], v->diagonal[rows + 1], v->change[rows],
                       v->change[rows + 1]};
    double beside_1 = 0.0, beyond_1 = 0.0, beyond_2 = 0.0, l1 = 0.0, l2 = 0.0;
    double u_1 = 0.0, u_2 = 0.0, w_1 = 0.0, w_2 = 0.0, y_1 = 0.0, y_2 = 0.0;
    for (int32_t k = 0; k < rows; k++) {
        double pivot = v->diagonal[k] - l1 * beside_1 - l2 * beyond_2;
        double beside = (k < rows - 1 ? v->beside[k] : 0.0) - l1 * beyond_1;
        double beyond = k < rows - 2 ? v->beyond[k] : 0.0;
        bool edge = k < 2 || k >= rows - 2;
        double u = (edge ? border_entry(v, k) : 0.0) - l1 * u_1 - l2 * u_2;
        double w = (edge ? border_last_entry(v, k) : 0.0) - l1 * w_1 - l2 * w_2;
        double y = v->change[k] - l1 * y_1 - l2 * y_2;
        double inverse = 1.0 / pivot;
        v->factor[k] = inverse;
        v->factor_beside[k] = beside * inverse;
        v->factor_beyond[k] = beyond * inverse;
        v->border[k] = u * inverse;
        v->border_last[k] = w * inverse;
        v->change[k] = y;
        c.here -= u * v->border[k];
        c.across -= u * v->border_last[k];
        c.last -= w * v->border_last[k];
        c.right_here -= v->border[k] * y;
        c.right_last -= v->border_last[k] * y;
        l2 = k > 0 ? v->factor_beyond[k - 1] : 0.0;
        l1 = v->factor_beside[k];
        beyond_2 = beyond_1;
        beyond_1 = beyond;
        beside_1 = beside;
        u_2 = u_1, u_1 = u;
        w_2 = w_1, w_1 = w;
        y_2 = y_1, y_1 = y;
    }
    return c;
}

void kerb_in_line_banded_solve(const line_view* v) {
    int32_t rows = v->nodes - 2;
    border_corner c = interior_eliminate(v);
    double inverse = 1.0 / (c.here * c.last - c.across * c.across);
    double here = (c.right_here * c.last - c.right_last * c.across) * inverse;
    double last = (c.right_last * c.here - c.right_here * c.across) * inverse;
    v->change[rows] = here;
    v->change[rows + 1] = last;
    double next = 0.0, after = 0.0;
    for (int32_t k = rows - 1; k >= 0; k--) {
        double known = v->change[k] * v->factor[k] - v->border[k] * here - v->border_last[k] * last;
        double x = known - v->factor_beyond[k] * after - v->factor_beside[k] * next;
        v->change[k] = x;
        after = next;
        next = x;
    }
}

// ------------------------------------------------------------------- the step

// Changes of the slack and the multiplier of one bound of a node.
typedef struct bound_step {
    double slack, press;
} bound_step;

static inline bound_step bound_step_of(double offset_change, double gap, double slack, double press,
                                       double barrier) {
    bound_step b;
    b.slack = offset_change + gap;
    b.press = (barrier - press * b.slack) / slack - press;
    return b;
}

// The share of a step with which a positive number stays positive.
static inline double part_to(double part, double number, double change) {
    double most = TOWARDS_BOUND * number;
    return change < 0.0 && most < -change * part ? most / -change : part;
}

static void interior_build(const line_view* v) {
    double barrier = v->head->barrier;
    for (int32_t i = 0; i < v->nodes; i++) {
        double by_low = 1.0 / v->slack_low[i], by_high = 1.0 / v->slack_high[i];
        double gap_low = v->offset[i] - v->low[i] - v->slack_low[i];
        double gap_high = v->high[i] - v->offset[i] - v->slack_high[i];
        v->diagonal[i] += v->press_low[i] * by_low + v->press_high[i] * by_high;
        v->change[i] = (barrier - v->press_low[i] * gap_low) * by_low -
                       (barrier - v->press_high[i] * gap_high) * by_high - v->gradient[i];
    }
}

typedef struct step_parts {
    double offset, press;
} step_parts;

static inline void interior_bounds_of(const line_view* v, int32_t i, bound_step* low,
                                      bound_step* high) {
    double barrier = v->head->barrier;
    *low = bound_step_of(v->change[i], v->offset[i] - v->low[i] - v->slack_low[i], v->slack_low[i],
                         v->press_low[i], barrier);
    *high = bound_step_of(-v->change[i], v->high[i] - v->offset[i] - v->slack_high[i],
                          v->slack_high[i], v->press_high[i], barrier);
}

static step_parts interior_parts_of(const line_view* v) {
    step_parts parts = {1.0, 1.0};
    for (int32_t i = 0; i < v->nodes; i++) {
        bound_step low, high;
        interior_bounds_of(v, i, &low, &high);
        parts.offset = part_to(parts.offset, v->slack_low[i], low.slack);
        parts.offset = part_to(parts.offset, v->slack_high[i], high.slack);
        parts.press = part_to(parts.press, v->press_low[i], low.press);
        parts.press = part_to(parts.press, v->press_high[i], high.press);
    }
    return parts;
}

// Whether all changes are finite. A singular metric gives none.
static bool interior_is_finite(const line_view* v) {
    double sum = 0.0;
    for (int32_t i = 0; i < v->nodes; i++)
        sum += v->change[i];
    return sum - sum == 0.0;
}

double kerb_in_line_interior_step(const line_view* v) {
    interior_build(v);
    kerb_in_line_banded_solve(v);
    if (!interior_is_finite(v))
        return 0.0;
    step_parts parts = interior_parts_of(v);
    for (int32_t i = 0; i < v->nodes; i++) {
        bound_step low, high;
        interior_bounds_of(v, i, &low, &high);
        v->offset[i] += parts.offset * v->change[i];
        v->slack_low[i] += parts.offset * low.slack;
        v->slack_high[i] += parts.offset * high.slack;
        v->press_low[i] += parts.press * low.press;
        v->press_high[i] += parts.press * high.press;
    }
    return parts.offset;
}

double kerb_in_line_interior_gap(const line_view* v) {
    double sum = 0.0;
    for (int32_t i = 0; i < v->nodes; i++)
        sum += v->slack_low[i] * v->press_low[i] + v->slack_high[i] * v->press_high[i];
    return sum / (2.0 * (double)v->nodes);
}
