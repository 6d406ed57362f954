// What rooms on higher floors may use of steer beside kerb/steer.h.
#ifndef KERB_IN_STEER_SHARED_H
#define KERB_IN_STEER_SHARED_H

#include "agent.h"
#include "behaviour.h"
#include "driver.h"

#endif
