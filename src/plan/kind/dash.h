// The shortest time along a line. Private to the room.
#ifndef KERB_IN_PLAN_KIND_DASH_H
#define KERB_IN_PLAN_KIND_DASH_H

#include "kerb/math.h"

/// Time over a distance between two speeds, with an acceleration, a deceleration and a greatest
/// speed. A distance that is too short for the change of speed takes the time of the change. [s]
static inline float kerb_in_kind_dash(float distance, float from, float to, float push,
                                      float braking, float top) {
    float square = (2.0f * push * braking * distance + braking * from * from + push * to * to) /
                   (push + braking);
    float most = kerb_max(top, kerb_max(from, to));
    float peak = kerb_max(kerb_min(kerb_sqrt(square), most), kerb_max(from, to));
    float gaining = (peak * peak - from * from) / (2.0f * push);
    float losing = (peak * peak - to * to) / (2.0f * braking);
    float rest = kerb_max(distance - gaining - losing, 0.0f);
    return (peak - from) / push + (peak - to) / braking + (rest > 0.0f ? rest / peak : 0.0f);
}

#endif
