// The parts of steer that rooms on higher floors may use in addition to kerb/steer.h.
#ifndef KERB_IN_STEER_SHARED_H
#define KERB_IN_STEER_SHARED_H

#include "agent.h"
#include "behaviour.h"
#include "driver.h"

#endif
