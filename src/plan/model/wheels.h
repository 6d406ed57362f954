// Whether wheels that take time to turn can follow the jumps of curvature of a plan. Private to the
// room.
#ifndef KERB_IN_PLAN_MODEL_WHEELS_H
#define KERB_IN_PLAN_MODEL_WHEELS_H

#include "movement.h"

// Whether a row of pieces keeps to KERB_PLAN_STEERING_DEVIATION_MAX: each jump of curvature, or
// each group of jumps that the wheels turn through in one go, causes at most that lateral offset,
// and between two of them there is time for half of each. Nothing is known of the motion before the
// first piece, so it is ignored. O(count)
bool kerb_in_plan_wheels_allow(const plan_rates* rates, const kerb_plan_piece* pieces,
                               int32_t count);

// The greatest jump of curvature at a squared speed. [1/m]
float kerb_in_plan_wheels_jump(const plan_rates* rates, float square);

#endif
