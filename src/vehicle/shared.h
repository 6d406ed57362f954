// The parts of vehicle that rooms on higher floors may use in addition to kerb/vehicle.h.
#ifndef KERB_IN_VEHICLE_SHARED_H
#define KERB_IN_VEHICLE_SHARED_H

#include "frame_input.h"
#include "jump.h"

#endif
