// What limits the speed, as a reason, while the vehicle is slower than that: then its acceleration
// limits it, and no bend or limit does.
#ifndef KERB_IN_CONTROL_PACE_REASON_H
#define KERB_IN_CONTROL_PACE_REASON_H

#include "kerb/vehicle.h"

/// `limits`, or KERB_REASON_ACCELERATE where a reason that only limits the speed leaves more of it
/// than speed control makes up for without all of its acceleration: an error of `gain_time`, the
/// inverse of its gain, times `acceleration`. Below that the vehicle settles at the speed.
/// [speed: along the travel, m/s] [acceleration: greatest that is used, m/s^2] [gain_time: s] O(1)
static inline kerb_reason kerb_in_pace_reason(kerb_reason limits, float speed, float allowed,
                                              float acceleration, float gain_time) {
    const bool only_limits = limits == KERB_REASON_CRUISE || limits == KERB_REASON_CURVE ||
                             limits == KERB_REASON_SPEED_LIMIT || limits == KERB_REASON_SPEED_CAP ||
                             limits == KERB_REASON_STEERING || limits == KERB_REASON_STOP ||
                             limits == KERB_REASON_END || limits == KERB_REASON_REVERSAL;
    return only_limits && allowed - speed > acceleration * gain_time ? KERB_REASON_ACCELERATE
                                                                     : limits;
}

#endif
