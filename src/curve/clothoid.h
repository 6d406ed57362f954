// The pose at the end of a clothoid: a curve whose curvature changes linearly with the distance.
// Private to the library.
//
// In the axes of the middle of a part, the heading at u metres from there is k u + s u²/2, where k
// is the curvature in the middle and s the change per metre. Gauss and Legendre's rule with four
// points integrates its cosine and sine. Parts are so short that this heading stays below 0.6 rad:
// the error is below 1e-8 of the length. Doubles, because the ends of several clothoids
// in a row must fit a given pose.
#ifndef KERB_IN_CURVE_CLOTHOID_H
#define KERB_IN_CURVE_CLOTHOID_H

#include "arc.h"

/// A pose seen from the start of the clothoid. [m]; unit length
typedef struct curve_drawn {
    double x, y, forward_x, forward_y;
} curve_drawn;

/// Greatest curvature times length of a part. [rad]
#define CURVE_CLOTHOID_TURN 0.8

static inline double curve_size_of(double x) {
    return x < 0.0 ? -x : x;
}

/// Sine and cosine of an angle of at most 0.6 rad, to 2e-9.
static inline void curve_small_sin_cos(double a, double* sine, double* cosine) {
    double q = a * a;
    *sine = a * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0 * (1.0 - q / 72.0))));
    *cosine = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0)));
}

/// Moves on along one part. [1/m, 1/m, m] `change`: of the curvature over the length. In reverse
/// the length is negative.
static inline void curve_draw_part(curve_drawn* at, double curvature, double change,
                                   double length) {
    static const double place[2] = {0.33998104358485626, 0.86113631159405258};
    static const double weight[2] = {0.65214515486254614, 0.34785484513745386};
    double linear = 0.5 * length * (curvature + 0.5 * change), square = 0.125 * length * change;
    double along = 0.0, aside = 0.0, sine, cosine;
    for (int i = 0; i < 4; i++) {
        double t = i % 2 == 0 ? place[i / 2] : -place[i / 2];
        curve_small_sin_cos(linear * t + square * t * t, &sine, &cosine);
        along += weight[i / 2] * cosine;
        aside += weight[i / 2] * sine;
    }
    along *= 0.5 * length;
    aside *= 0.5 * length;
    // The heading turns by linear - square to the middle, and by linear + square after it.
    curve_small_sin_cos(linear - square, &sine, &cosine);
    double fx = at->forward_x * cosine - at->forward_y * sine;
    double fy = at->forward_x * sine + at->forward_y * cosine;
    at->x += along * fx - aside * fy;
    at->y += along * fy + aside * fx;
    curve_small_sin_cos(linear + square, &sine, &cosine);
    at->forward_x = fx * cosine - fy * sine;
    at->forward_y = fx * sine + fy * cosine;
}

/// Moves on along a clothoid. O(angle)
static inline void curve_draw_clothoid(curve_drawn* at, double curvature, double change,
                                       double length) {
    double end = curvature + change, bend = curve_size_of(curvature);
    bend = curve_size_of(end) > bend ? curve_size_of(end) : bend;
    double turn = bend * curve_size_of(length) / CURVE_CLOTHOID_TURN;
    int32_t parts = 1 + (int32_t)(turn < 1e5 ? turn : 1e5);
    for (int32_t i = 0; i < parts; i++)
        curve_draw_part(at, curvature + change * (double)i / (double)parts, change / (double)parts,
                        length / (double)parts);
}

/// The pose after `length` metres, where the curvature changes by `slope` per metre driven. In
/// reverse the length is negative. An arc where slope is 0: the same bits as curve_moved.
/// [1/m, 1/m², m]
static inline kerb_pose curve_clothoid(kerb_pose from, float curvature, float slope, float length) {
    if (slope == 0.0f)
        return curve_moved(from, curvature, length);
    curve_drawn at = {0.0, 0.0, (double)from.forward.x, (double)from.forward.y};
    curve_draw_clothoid(&at, (double)curvature, (double)slope * curve_size_of((double)length),
                        (double)length);
    from.position.x += (float)at.x;
    from.position.y += (float)at.y;
    from.forward = curve_unit_again(kerb_vec2_make((float)at.forward_x, (float)at.forward_y));
    return from;
}

#endif
