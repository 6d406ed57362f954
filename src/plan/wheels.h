// Whether wheels that take time to turn can follow a movement's jumps of curvature. Private to the
// room.
#ifndef KERB_PLAN_WHEELS_H
#define KERB_PLAN_WHEELS_H

#include "movement.h"

// Whether a row of pieces keeps what KERB_PLAN_DRIFT says: at each jump the drift, on each arc the
// time for half of the turnings at its ends. What lies before the first piece is not known and
// counts for nothing. O(count)
bool plan_wheels_allow(const plan_rates* rates, const kerb_plan_piece* pieces, int32_t count);

// The greatest jump of curvature at a squared speed. [1/m]
float plan_wheels_jump(const plan_rates* rates, float square);

#endif
