// Ways of arcs and straights: how long, where one is after some metres, and what is left.
//
// A piece moves one along its chord: 2 sin(a/2)/k long, turned by a/2, where a is the angle of the
// arc and k its curvature. Half angles keep all digits on arcs that hardly bend, and one formula
// serves straights too. Driven in reverse, length and angle are negative and nothing else changes.
#include "kerb/curve.h"

#include "../base/assertion.h"

// sin(a)/a
static float chord_share(float a) {
    return kerb_abs(a) < 0.01f ? 1.0f - a * a * (1.0f / 6.0f) : kerb_sin(a) / a;
}

// Rounding would let directions grow or shrink: one step of Newton's brings them back.
static kerb_vec2 unit_again(kerb_vec2 direction) {
    return kerb_vec2_scale(direction, 1.5f - 0.5f * kerb_vec2_dot(direction, direction));
}

// `direction` turned left by the angle of (cosine, sine).
static kerb_vec2 turned(kerb_vec2 direction, float cosine, float sine) {
    return kerb_vec2_make(direction.x * cosine - direction.y * sine,
                          direction.x * sine + direction.y * cosine);
}

static kerb_pose moved(kerb_pose pose, float curvature, float length) {
    float half = 0.5f * curvature * length, sine, cosine;
    kerb_sin_cos(half, &sine, &cosine);
    kerb_vec2 chord = turned(pose.forward, cosine, sine);
    pose.position =
        kerb_vec2_add(pose.position, kerb_vec2_scale(chord, length * chord_share(half)));
    pose.forward = unit_again(turned(chord, cosine, sine));
    return pose;
}

float kerb_curve_length(const kerb_curve* curve) {
    KERB_ASSERT(curve);
    float length = 0.0f;
    for (int32_t i = 0; i < curve->count; i++)
        length += kerb_abs(curve->length[i]);
    return length;
}

kerb_pose kerb_curve_end(const kerb_curve* curve) {
    KERB_ASSERT(curve);
    kerb_pose pose = curve->start;
    for (int32_t i = 0; i < curve->count; i++)
        pose = moved(pose, curve->curvature[i], curve->length[i]);
    return pose;
}

// Without its first `distance` metres; `distance` lies within the piece.
static void cut(kerb_curve* rest, float distance) {
    float size = kerb_abs(rest->length[0]);
    float driven = rest->length[0] < 0.0f ? -distance : distance;
    rest->start = moved(rest->start, rest->curvature[0], driven);
    rest->length[0] = rest->length[0] < 0.0f ? distance - size : size - distance;
}

static void drop_first(kerb_curve* rest) {
    for (int32_t i = 1; i < rest->count; i++) {
        rest->curvature[i - 1] = rest->curvature[i];
        rest->length[i - 1] = rest->length[i];
    }
    rest->count--;
}

kerb_curve kerb_curve_rest(const kerb_curve* curve, float distance) {
    KERB_ASSERT(curve);
    kerb_curve rest = *curve;
    float left = kerb_max(distance, 0.0f); // NaN counts as 0
    while (rest.count > 0 && left >= kerb_abs(rest.length[0])) {
        left -= kerb_abs(rest.length[0]);
        rest.start = moved(rest.start, rest.curvature[0], rest.length[0]);
        drop_first(&rest);
    }
    if (rest.count > 0 && left > 0.0f)
        cut(&rest, left);
    return rest;
}

// At the end nothing goes on: what led there counts.
static kerb_curve_place place_at_end(const kerb_curve* curve, kerb_pose end) {
    kerb_curve_place place = {end, 0.0f, 1};
    for (int32_t i = 0; i < curve->count; i++) {
        if (kerb_abs(curve->length[i]) > 0.0f) {
            place.curvature = curve->curvature[i];
            place.travel = curve->length[i] < 0.0f ? -1 : 1;
        }
    }
    return place;
}

kerb_curve_place kerb_curve_at(const kerb_curve* curve, float distance) {
    KERB_ASSERT(curve);
    kerb_curve rest = kerb_curve_rest(curve, distance);
    if (rest.count == 0)
        return place_at_end(curve, rest.start);
    kerb_curve_place place = {rest.start, rest.curvature[0], rest.length[0] < 0.0f ? -1 : 1};
    return place;
}
