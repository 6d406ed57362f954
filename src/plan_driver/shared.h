// What rooms on higher floors may use of plan_driver beside kerb/plan_driver.h.
#ifndef KERB_IN_PLAN_DRIVER_SHARED_H
#define KERB_IN_PLAN_DRIVER_SHARED_H

#include "kerb/plan_driver.h"

/// False before the first frame on a plan: nothing is decided yet.
bool kerb_in_plan_driver_has_decided(const kerb_plan_driver* driver);

#endif
