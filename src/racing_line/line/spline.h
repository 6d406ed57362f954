// A cubic spline through points in space, with the chord length as parameter: its curvature is
// continuous. Private to the room.
//
// A closed spline is periodic; an open one has no curvature at its ends. Fitting is O(count).
#ifndef KERB_IN_RACING_LINE_LINE_SPLINE_H
#define KERB_IN_RACING_LINE_LINE_SPLINE_H

#include "kerb/base.h"
#include "vector.h"

typedef struct line_spline {
    const line_vector* points;
    line_vector* bends; // second derivatives at the points
    double* chords;     // to the next point
    double* scratch;    // 2 · count
    int32_t count;
    bool closed;
} line_spline;

// Fills chords and bends. [count: >= 3]
void kerb_in_line_spline_fit(const line_spline* s);

static inline int32_t line_spline_next(const line_spline* s, int32_t i) {
    return i + 1 < s->count ? i + 1 : 0;
}

// The position at `share` of the segment from point i to the next.
static inline line_vector line_spline_place(const line_spline* s, int32_t i, double share) {
    int32_t j = line_spline_next(s, i);
    double a = 1.0 - share, b = share, h = s->chords[i];
    double of_a = h * h / 6.0 * (a * a * a - a), of_b = h * h / 6.0 * (b * b * b - b);
    line_vector straight = line_add(line_scale(s->points[i], a), line_scale(s->points[j], b));
    line_vector bent = line_add(line_scale(s->bends[i], of_a), line_scale(s->bends[j], of_b));
    return line_add(straight, bent);
}

// First derivative by chord length: about a unit vector.
static inline line_vector line_spline_direction(const line_spline* s, int32_t i, double share) {
    int32_t j = line_spline_next(s, i);
    double a = 1.0 - share, b = share, h = s->chords[i];
    line_vector straight = line_scale(line_sub(s->points[j], s->points[i]), 1.0 / h);
    line_vector bent = line_sub(line_scale(s->bends[j], 3.0 * b * b - 1.0),
                                line_scale(s->bends[i], 3.0 * a * a - 1.0));
    return line_add(straight, line_scale(bent, h / 6.0));
}

// Second derivative by chord length.
static inline line_vector line_spline_bend(const line_spline* s, int32_t i, double share) {
    return line_between(s->bends[i], s->bends[line_spline_next(s, i)], share);
}

#endif
