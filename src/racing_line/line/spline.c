// Purpose: a cubic spline through points in space.
// Idea:    The second derivatives M at the points solve, with h the chords,
//          h[i-1]·M[i-1] + 2(h[i-1] + h[i])·M[i] + h[i]·M[i+1] = 6·(change of slope at point i),
//          a tridiagonal system. For a closed spline its corners are filled as well: the last
//          unknown is kept apart, M[i] = p[i] + q[i]·M[last], and computed at the end.
// Cost:    O(count), three passes.
// Source:  de Boor, "A Practical Guide to Splines", 1978.
#include "spline.h"

// Least distance of points, so that nothing divides by 0. [m]
#define CHORD_LEAST 1.0e-6

static void measure_chords(const line_spline* s) {
    for (int32_t i = 0; i < s->count; i++)
        s->chords[i] = line_most(
            CHORD_LEAST, line_norm(line_sub(s->points[line_spline_next(s, i)], s->points[i])));
}

static int32_t spline_last_of(const line_spline* s, int32_t i) {
    return i > 0 ? i - 1 : s->count - 1;
}

static line_vector slope_change(const line_spline* s, int32_t i) {
    int32_t last = spline_last_of(s, i), next = line_spline_next(s, i);
    line_vector before = line_scale(line_sub(s->points[i], s->points[last]), 1.0 / s->chords[last]);
    line_vector after = line_scale(line_sub(s->points[next], s->points[i]), 1.0 / s->chords[i]);
    return line_scale(line_sub(after, before), 6.0);
}

// Eliminates rows `first` to count - 2, forwards. `scratch` gets the diagonal and then the
// coefficients of the last unknown, `bends` the right-hand side.
static void spline_eliminate(const line_spline* s, int32_t first) {
    double *diagonal = s->scratch, *hangs = s->scratch + s->count;
    for (int32_t i = first; i <= s->count - 2; i++) {
        double before = s->chords[spline_last_of(s, i)];
        diagonal[i] = 2.0 * (before + s->chords[i]);
        hangs[i] = (i == 0 ? before : 0.0) + (i == s->count - 2 ? s->chords[i] : 0.0);
        s->bends[i] = slope_change(s, i);
        if (i == first)
            continue;
        double share = before / diagonal[i - 1];
        diagonal[i] -= share * before;
        hangs[i] -= share * hangs[i - 1];
        s->bends[i] = line_sub(s->bends[i], line_scale(s->bends[i - 1], share));
    }
}

// Substitutes backwards: `bends` gets p, the second half of `scratch` q.
static void substitute(const line_spline* s, int32_t first) {
    double *diagonal = s->scratch, *hangs = s->scratch + s->count;
    for (int32_t i = s->count - 2; i >= first; i--) {
        double after = i < s->count - 2 ? s->chords[i] : 0.0;
        line_vector rest = s->bends[i];
        double hang = hangs[i];
        if (i < s->count - 2) {
            rest = line_sub(rest, line_scale(s->bends[i + 1], after));
            hang += after * hangs[i + 1];
        }
        s->bends[i] = line_scale(rest, 1.0 / diagonal[i]);
        hangs[i] = -hang / diagonal[i];
    }
}

static line_vector last_bend(const line_spline* s) {
    int32_t last = s->count - 1;
    const double* hangs = s->scratch + s->count;
    double before = s->chords[last - 1], after = s->chords[last];
    double diagonal = 2.0 * (before + after) + before * hangs[last - 1] + after * hangs[0];
    line_vector right = slope_change(s, last);
    right = line_sub(right, line_scale(s->bends[last - 1], before));
    right = line_sub(right, line_scale(s->bends[0], after));
    return line_scale(right, 1.0 / diagonal);
}

void kerb_in_line_spline_fit(const line_spline* s) {
    int32_t first = s->closed ? 0 : 1, last = s->count - 1;
    const double* hangs = s->scratch + s->count;
    measure_chords(s);
    spline_eliminate(s, first);
    substitute(s, first);
    const line_vector zero = {0.0, 0.0, 0.0};
    line_vector end = s->closed ? last_bend(s) : zero;
    if (!s->closed)
        s->bends[0] = zero;
    for (int32_t i = first; i < last; i++)
        s->bends[i] = line_add(s->bends[i], line_scale(end, hangs[i]));
    s->bends[last] = end;
}
