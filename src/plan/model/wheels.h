// Whether wheels that take time to turn can follow a movement's jumps of curvature. Private to the
// room.
#ifndef KERB_IN_PLAN_MODEL_WHEELS_H
#define KERB_IN_PLAN_MODEL_WHEELS_H

#include "movement.h"

// Whether a row of pieces keeps what KERB_PLAN_STEERING_DEVIATION_MAX says: jumps of curvature, any
// number of which may be turned through as one, drift little, and between them half of each has its
// time. What lies before the first piece is not known and counts for nothing. O(count)
bool kerb_in_plan_wheels_allow(const plan_rates* rates, const kerb_plan_piece* pieces,
                               int32_t count);

// The greatest jump of curvature at a squared speed. [1/m]
float kerb_in_plan_wheels_jump(const plan_rates* rates, float square);

#endif
