// The pose at the end of an arc. Private to the library.
//
// The position moves along the chord. The chord is 2 sin(a/2)/k long and turned by a/2, where a is
// the angle of the arc and k its curvature. With half angles, arcs of small curvature keep all
// digits, and one formula serves straight lines too. In reverse, length and angle are negative and
// nothing else changes.
#ifndef KERB_IN_CURVE_ARC_H
#define KERB_IN_CURVE_ARC_H

#include "kerb/math.h"

// Brings the direction back to length 1 by one Newton step. Without it, roundings would add up and
// the length would drift.
static inline kerb_vec2 curve_unit_again(kerb_vec2 direction) {
    return kerb_vec2_scale(direction, 1.5f - 0.5f * kerb_vec2_dot(direction, direction));
}

// `direction` turned left by the angle of (cosine, sine).
static inline kerb_vec2 curve_turned(kerb_vec2 direction, float cosine, float sine) {
    return kerb_vec2_make(direction.x * cosine - direction.y * sine,
                          direction.x * sine + direction.y * cosine);
}

static inline kerb_pose curve_moved(kerb_pose pose, float curvature, float length) {
    float half = 0.5f * curvature * length, sine, cosine;
    kerb_sin_cos(half, &sine, &cosine);
    float share = kerb_abs(half) < 0.01f ? 1.0f - half * half * (1.0f / 6.0f) : sine / half;
    kerb_vec2 chord = curve_turned(pose.forward, cosine, sine);
    pose.position = kerb_vec2_add(pose.position, kerb_vec2_scale(chord, length * share));
    pose.forward = curve_unit_again(curve_turned(chord, cosine, sine));
    return pose;
}

#endif
