// Curves of arcs and straight lines: their length, the pose after a distance, and the remainder.
// O(pieces), no allocation.
#include "kerb/curve.h"

#include "arc.h"

#include "../base/shared.h"

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
        pose = curve_moved(pose, curve->curvature[i], curve->length[i]);
    return pose;
}

// Removes the first `distance` metres of the first piece, which is longer than that.
static void cut(kerb_curve* rest, float distance) {
    float size = kerb_abs(rest->length[0]);
    float driven = rest->length[0] < 0.0f ? -distance : distance;
    rest->start = curve_moved(rest->start, rest->curvature[0], driven);
    rest->length[0] = rest->length[0] < 0.0f ? distance - size : size - distance;
}

static void curve_drop_first(kerb_curve* rest) {
    for (int32_t i = 1; i < rest->count; i++) {
        rest->curvature[i - 1] = rest->curvature[i];
        rest->length[i - 1] = rest->length[i];
    }
    rest->count--;
}

kerb_curve kerb_curve_remainder(const kerb_curve* curve, float distance) {
    KERB_ASSERT(curve);
    kerb_curve rest = *curve;
    float left = kerb_max(distance, 0.0f); // NaN counts as 0
    while (rest.count > 0 && left >= kerb_abs(rest.length[0])) {
        left -= kerb_abs(rest.length[0]);
        rest.start = curve_moved(rest.start, rest.curvature[0], rest.length[0]);
        curve_drop_first(&rest);
    }
    if (rest.count > 0 && left > 0.0f)
        cut(&rest, left);
    return rest;
}

// At the end there is no piece ahead: the last piece of positive length counts.
static kerb_curve_sample place_at_end(const kerb_curve* curve, kerb_pose end) {
    kerb_curve_sample place = {end, 0.0f, 1};
    for (int32_t i = 0; i < curve->count; i++) {
        if (kerb_abs(curve->length[i]) > 0.0f) {
            place.curvature = curve->curvature[i];
            place.travel = curve->length[i] < 0.0f ? -1 : 1;
        }
    }
    return place;
}

kerb_curve_sample kerb_curve_at(const kerb_curve* curve, float distance) {
    KERB_ASSERT(curve);
    kerb_curve rest = kerb_curve_remainder(curve, distance);
    if (rest.count == 0)
        return place_at_end(curve, rest.start);
    kerb_curve_sample place = {rest.start, rest.curvature[0], rest.length[0] < 0.0f ? -1 : 1};
    return place;
}
