// The parts of vehicle that rooms on higher floors may use in addition to kerb/vehicle.h.
#ifndef KERB_IN_VEHICLE_SHARED_H
#define KERB_IN_VEHICLE_SHARED_H

#include "frame_input.h"
#include "jump.h"

// The vehicle with all lengths, speeds and accelerations times `by`; the mass stays. O(1)
kerb_vehicle kerb_in_vehicle_scaled(const kerb_vehicle* vehicle, float by);

// The motion with its position and velocity times `by`. O(1)
kerb_motion kerb_in_motion_scaled(const kerb_motion* motion, float by);

#endif
