// The parts of control that rooms on higher floors may use in addition to kerb/control.h.
#ifndef KERB_IN_CONTROL_SHARED_H
#define KERB_IN_CONTROL_SHARED_H

#include "gear_pull.h"
#include "gearbox.h"
#include "pace_reason.h"
#include "profile/profile_limits.h"
#include "setting_rows.h"
#include "steering_near.h"

#endif
