// Purpose: lengths and curvatures of the line, their derivatives by the offsets, and the matrix of
//          a weighted sum of squared curvatures.
// Idea:    The curvature at a node comes from three nodes. With unit vectors u to the middle one
//          and w from it, d half of the distance over both, and m the line's left within the
//          surface, curvature = m·(w - u) / d. It depends on three offsets, so the squares form a
//          matrix with five diagonals.
//
//          The integral of squared curvature is a bad measure of a line, because it falls along
//          long, wide paths round a hairpin. The squared angle per metre of centre line ignores the
//          width. A measure between the two fits lap times well: it uses spacing·(d/spacing)^(7/16)
//          in place of d.
// Cost:    O(nodes).
#include "line.h"

// Least distance of nodes, so that nothing divides by 0. [m]
#define SHAPE_LENGTH_LEAST 1.0e-6
// Power of the distance in the measure of least curvature: 7/16, three nested square roots. Chosen
// by lap times. [1]
#define TURN_POWER 0.4375

void kerb_in_line_shape_place(const line_view* v) {
    double* restrict x = v->x, * restrict y = v->y, * restrict z = v->z;
    for (int32_t i = 0; i < v->nodes; i++) {
        x[i] = v->centre_x[i] + v->offset[i] * v->left_x[i];
        y[i] = v->centre_y[i] + v->offset[i] * v->left_y[i];
        z[i] = v->centre_z[i] + v->offset[i] * v->left_z[i];
    }
    kerb_in_line_wrap(v, v->x);
    kerb_in_line_wrap(v, v->y);
    kerb_in_line_wrap(v, v->z);
}

static inline line_vector shape_take(const double* restrict x, const double* restrict y,
                                     const double* restrict z, int32_t i) {
    return line_vector_make(x[i], y[i], z[i]);
}

// Derivative of m·u / length by the far end of u.
static inline line_vector turn_by_shift(line_vector m, line_vector u, double factor) {
    return line_scale(line_sub(m, line_scale(u, line_dot(m, u))), factor);
}

// The length in place of half the distance: spacing·(half/spacing)^TURN_POWER.
static inline double turn_length(double half, double spacing) {
    double ratio = half / spacing;
    return spacing * sqrt(sqrt(ratio * sqrt(ratio * sqrt(ratio))));
}

static inline void measure_nodes(const line_view* v, int32_t first, int32_t end, bool turn) {
    const double* restrict x = v->x, * restrict y = v->y, * restrict z = v->z;
    const double* restrict lx = v->left_x, * restrict ly = v->left_y, * restrict lz = v->left_z;
    const double* restrict nx = v->normal_x, * restrict ny = v->normal_y, * restrict nz = v->normal_z;
    double* restrict curvature = v->curvature, * restrict by_next = v->curvature_next;
    double* restrict by_last = v->curvature_last, * restrict by_here = v->curvature_here;
    double* restrict out_of = v->curvature_normal, * restrict length = v->length;
    double* restrict length_here = v->length_here, * restrict length_next = v->length_next;
    double* restrict up_forward = v->up_forward, * restrict up_left = v->up_left;
    const double spacing = v->head->spacing, power = turn ? TURN_POWER : 1.0;
    for (int32_t i = first; i < end; i++) {
        line_vector last = shape_take(lx, ly, lz, i - 1), here = shape_take(lx, ly, lz, i);
        line_vector next = shape_take(lx, ly, lz, i + 1), node = shape_take(x, y, z, i);
        line_vector to = line_sub(node, shape_take(x, y, z, i - 1));
        line_vector from = line_sub(shape_take(x, y, z, i + 1), node);
        double to_length = line_most(SHAPE_LENGTH_LEAST, line_norm(to));
        double from_length = line_most(SHAPE_LENGTH_LEAST, line_norm(from));
        double by_to = 1.0 / to_length, by_from = 1.0 / from_length;
        line_vector u = line_scale(to, by_to), w = line_scale(from, by_from);
        line_vector normal = shape_take(nx, ny, nz, i), both = line_add(u, w),
                    bend = line_sub(w, u);
        line_vector tangent =
            line_scale(both, 1.0 / line_most(SHAPE_LENGTH_LEAST, line_norm(both)));
        line_vector m = line_cross(normal, tangent);
        double half = 0.5 * (to_length + from_length);
        double d = turn ? turn_length(half, spacing) : half, by_d = 1.0 / d;
        double bent = line_dot(m, bend) * by_d;
        line_vector shift_next = turn_by_shift(m, w, by_from * by_d);
        line_vector shift_last = turn_by_shift(m, u, by_to * by_d);
        double by_length = 0.5 * power * bent / half;
        double to_here = line_dot(u, here), from_here = line_dot(w, here);
        double from_next = line_dot(w, next);
        curvature[i] = bent;
        by_next[i] = line_dot(shift_next, next) - by_length * from_next;
        by_last[i] = line_dot(shift_last, last) + by_length * line_dot(u, last);
        by_here[i] = -line_dot(shift_next, here) - line_dot(shift_last, here) -
                     by_length * (to_here - from_here);
        out_of[i] = line_dot(normal, bend) * by_d;
        length[i] = from_length;
        length_here[i] = -from_here;
        length_next[i] = from_next;
        up_forward[i] = tangent.z;
        up_left[i] = m.z;
    }
}

// The ends of an open track have no curvature, the last node no length.
static void measure_ends(const line_view* v) {
    int32_t ends[2] = {0, v->nodes - 1};
    for (int32_t k = 0; k < 2; k++) {
        int32_t i = ends[k], inside = k == 0 ? 1 : v->nodes - 2;
        v->curvature[i] = v->curvature_last[i] = v->curvature_here[i] = v->curvature_next[i] = 0.0;
        v->curvature_normal[i] = 0.0;
        v->up_forward[i] = v->up_forward[inside];
        v->up_left[i] = v->up_left[inside];
    }
    line_vector from = line_sub(shape_take(v->x, v->y, v->z, 1), shape_take(v->x, v->y, v->z, 0));
    double length = line_most(SHAPE_LENGTH_LEAST, line_norm(from));
    v->length[0] = length;
    v->length_here[0] = -line_dot(from, shape_take(v->left_x, v->left_y, v->left_z, 0)) / length;
    v->length_next[0] = line_dot(from, shape_take(v->left_x, v->left_y, v->left_z, 1)) / length;
    int32_t last = v->nodes - 1;
    v->length[last] = v->length_here[last] = v->length_next[last] = 0.0;
}

static inline void shape_measure(const line_view* v, bool turn) {
    int32_t first = v->closed ? 0 : 1, end = v->closed ? v->nodes : v->nodes - 1;
    measure_nodes(v, first, end, turn);
    if (!v->closed)
        measure_ends(v);
    kerb_in_line_wrap(v, v->curvature_last);
    kerb_in_line_wrap(v, v->curvature_here);
    kerb_in_line_wrap(v, v->curvature_next);
}

void kerb_in_line_shape_measure(const line_view* v) {
    shape_measure(v, false);
}

void kerb_in_line_shape_measure_turn(const line_view* v) {
    shape_measure(v, true);
}

void kerb_in_line_shape_metric(const line_view* v, double least) {
    const double *w = v->weight, *a = v->curvature_last, *b = v->curvature_here,
                 *c = v->curvature_next;
    double* restrict diagonal = v->diagonal, * restrict beside = v->beside, * restrict beyond = v->beyond;
    for (int32_t i = 0; i < v->nodes; i++) {
        diagonal[i] = w[i - 1] * c[i - 1] * c[i - 1] + w[i] * b[i] * b[i] +
                      w[i + 1] * a[i + 1] * a[i + 1] + least;
        beside[i] = w[i] * b[i] * c[i] + w[i + 1] * a[i + 1] * b[i + 1];
        beyond[i] = w[i + 1] * a[i + 1] * c[i + 1];
    }
}

void kerb_in_line_shape_gradient(const line_view* v, const double* worth) {
    for (int32_t i = 0; i < v->nodes; i++)
        v->gradient[i] = worth[i - 1] * v->curvature_next[i - 1] + worth[i] * v->curvature_here[i] +
                         worth[i + 1] * v->curvature_last[i + 1];
}

// ------------------------------------------------------------------- curvature of the spline

// The root of z² + 4z + 1 inside the unit circle: sqrt(3) - 2. [1]
#define POLE -0.26794919243112270
// Number of its powers that count; higher ones are below 1e-16. [1]
#define POLE_REACH 28

// An element, beyond the ends too: of the other end on a closed track, 0 on an open one.
static double shape_entry(const line_view* v, const double* array, int32_t i) {
    if (i >= 0 && i < v->nodes)
        return array[i];
    return v->closed ? array[((i % v->nodes) + v->nodes) % v->nodes] : 0.0;
}

void kerb_in_line_shape_sharpen(const line_view* v, const double* from, double* to) {
    int32_t n = v->nodes;
    double sum = 0.0;
    for (int32_t k = -POLE_REACH; k < 0; k++)
        sum = shape_entry(v, from, k) + POLE * sum;
    for (int32_t i = 0; i < n; i++) {
        sum = from[i] + POLE * sum;
        to[i] = sum;
    }
    // The sum from beyond the end: each element decays in both directions.
    double back = 0.0;
    for (int32_t k = n + POLE_REACH; k >= n; k--)
        back = POLE * (back + shape_entry(v, from, k));
    // The two-sided sum: sqrt(3)·Σ POLE^|k|·from[i + k].
    const double scale = 1.7320508075688772;
    for (int32_t i = n - 1; i >= 0; i--) {
        double here = from[i];
        to[i] = scale * (to[i] + back);
        back = POLE * (back + here);
    }
}
