// The common tangent of two circles that are driven round. Private to the library.
#ifndef KERB_IN_CURVE_TANGENT_H
#define KERB_IN_CURVE_TANGENT_H

#include "kerb/math.h"

// Circles whose middles are nearer have no common tangent that floats can tell. [m]
#define CURVE_MIDDLES_MIN 1e-4f

// A circle. A positive radius: it is driven round to the left, negative: to the right, 0: a point.
typedef struct curve_circle {
    kerb_vec2 middle;
    float radius; // [m]
} curve_circle;

// The straight way from one circle to the next.
typedef struct curve_tangent {
    kerb_vec2 from, along; // `along`: unit vector
    float length;          // [m]
} curve_tangent;

// False: one circle lies in the other, or their middles coincide. With n to the left of the tangent
// middle = point + n · radius at either end, so (b - a) · n = radius b - radius a.
static inline bool curve_find_tangent(curve_circle a, curve_circle b, curve_tangent* tangent) {
    kerb_vec2 d = kerb_vec2_sub(b.middle, a.middle);
    float distance = kerb_vec2_length(d), rise = b.radius - a.radius;
    if (!(distance > kerb_abs(rise)) || !(distance > CURVE_MIDDLES_MIN))
        return false;
    kerb_vec2 e = kerb_vec2_scale(d, 1.0f / distance);
    float sine = -rise / distance, cosine = kerb_sqrt(kerb_max(1.0f - sine * sine, 0.0f));
    tangent->along =
        kerb_vec2_add(kerb_vec2_scale(e, cosine), kerb_vec2_scale(kerb_vec2_left(e), sine));
    tangent->from =
        kerb_vec2_sub(a.middle, kerb_vec2_scale(kerb_vec2_left(tangent->along), a.radius));
    tangent->length = distance * cosine;
    return true;
}

#endif
