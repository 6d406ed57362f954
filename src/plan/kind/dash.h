// The shortest time along a line. Private to the room.
#ifndef KERB_IN_PLAN_KIND_DASH_H
#define KERB_IN_PLAN_KIND_DASH_H

#include "kerb/math.h"

/// Time over a distance between two speeds, with an acceleration, a deceleration and a greatest
/// speed. A distance that is too short for the change of speed takes the time of the change. [s]
static inline float kerb_in_kind_dash(float distance, float from, float to, float push,
                                      float braking, float top) {
    // Distances of both changes of speed, from squares that are subtracted first: a small change of
    // a high speed would be lost in rounding.
    float change = (to - from) * (to + from), both = 2.0f * (push + braking);
    float most = kerb_max(top, kerb_max(from, to));
    float gaining = kerb_min((2.0f * braking * distance + change) / both,
                             (most - from) * (most + from) / (2.0f * push));
    float losing = kerb_min((2.0f * push * distance - change) / both,
                            (most - to) * (most + to) / (2.0f * braking));
    gaining = kerb_max(gaining, kerb_max(change, 0.0f) / (2.0f * push));
    losing = kerb_max(losing, kerb_max(-change, 0.0f) / (2.0f * braking));
    float peak = kerb_sqrt(from * from + 2.0f * push * gaining);
    float rest = kerb_max(distance - gaining - losing, 0.0f);
    if (!(peak > 0.0f))
        return 0.0f;
    return 2.0f * gaining / (peak + from) + 2.0f * losing / (peak + to) + rest / peak;
}

/// Time over a distance from a speed on, with an acceleration and a greatest speed; what resists is
/// left out. [s]
static inline float kerb_in_kind_rush(float distance, float speed, float top, float push) {
    float gaining = kerb_max((top - speed) * (top + speed) / (2.0f * push), 0.0f);
    if (distance <= gaining)
        return 2.0f * distance /
               kerb_max(kerb_sqrt(speed * speed + 2.0f * push * distance) + speed, 1e-12f);
    return kerb_max(top - speed, 0.0f) / push + (distance - gaining) / kerb_max(top, speed);
}

#endif
