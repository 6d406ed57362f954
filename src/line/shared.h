// The window of stations ahead, for the drivers on the floors above: how it is filled from what is
// seen, and how it is read.
#ifndef KERB_IN_LINE_SHARED_H
#define KERB_IN_LINE_SHARED_H

#include "kerb/line.h"

static inline int32_t kerb_in_line_slot(int32_t knot) {
    return knot & (KERB_LINE_KNOTS - 1);
}

/// The greatest whole number not above x. [|x|: < 2^63]
double kerb_in_line_floor(double x);

/// Nothing is known.
void kerb_in_line_reset(kerb_line* line);

/// All places are seen from a new origin. [m]
void kerb_in_line_shift_origin(kerb_line* line, kerb_vec3 new_origin);

/// Places are moved to the left of the line, as where what they were measured from turns out to be
/// elsewhere. [m] O(knots)
void kerb_in_line_move_left(kerb_line* line, float left);

// --------------------------------------------------------------------------- reading

/// kerb_line_at for a window that is not empty.
kerb_line_place kerb_in_line_at(const kerb_line* line, double station);

/// Only the point, straight between knots, `offset` to the left; faster. [m]
kerb_vec3 kerb_in_line_point(const kerb_line* line, double station, float offset);

/// Only its curvature, left positive. [1/m]
float kerb_in_line_curvature(const kerb_line* line, double station);

/// The mean curvature of a stretch, from five places. [1/m]
float kerb_in_line_mean_curvature(const kerb_line* line, double from, float length);

/// Distance along the line from `place` to the foot of `point`, by one step of Newton's method. [m]
float kerb_in_line_step(const kerb_line* line, const kerb_line_place* place, kerb_vec3 point);

// --------------------------------------------------------------------------- filling by sight

/// A point of the line that a driver sees, in order of their stations.
typedef struct kerb_in_line_seen {
    kerb_vec3 position;  ///< [m]
    kerb_vec2 direction; ///< level, unit vector
    float curvature;     ///< as far as it is known there [1/m]
    float left, right;   ///< clearance [m]
} kerb_in_line_seen;

/// Begins with one point: the line is an arc through it. Stations count on from `station`. [m]
void kerb_in_line_begin(kerb_line* line, kerb_line_sight* sight, float spacing, double station,
                        const kerb_in_line_seen* seen);

/// Goes on to a point beyond the last knot: knots up to it are filled. O(knots between)
void kerb_in_line_see(kerb_line* line, kerb_line_sight* sight, const kerb_in_line_seen* seen);

/// Forgets what lies beyond a station. [m]
void kerb_in_line_end_at(kerb_line* line, kerb_line_sight* sight, double station);

/// Station of the last knot. [m]
static inline double kerb_in_line_end(const kerb_line* line) {
    return (double)(line->knots - 1) * (double)line->spacing;
}

#endif
