// The parts of vehicle that rooms on higher floors may use in addition to kerb/vehicle.h.
#ifndef KERB_IN_VEHICLE_SHARED_H
#define KERB_IN_VEHICLE_SHARED_H

#include "frame_input.h"
#include "hand_over.h"
#include "jump.h"

#include "kerb/host_check.h"

// The vehicle with all lengths, speeds and accelerations times `by`; the mass stays. O(1)
kerb_vehicle kerb_in_vehicle_scaled(const kerb_vehicle* vehicle, float by);

// The motion with its position and velocity times `by`. O(1)
kerb_motion kerb_in_motion_scaled(const kerb_motion* motion, float by);

// Feeds a driver's own host check, and returns the mistake that it names. A check of zeros begins
// with the first call. It ends after the first minute of driving, unless it suspects a mistake: a
// host that told the truth for so long goes on doing so, and driving costs nothing then. O(1)
// [given: the controls that the driver returned last]
kerb_host_mistake kerb_in_host_watch(kerb_host_check* check, const kerb_vehicle* vehicle,
                                     const kerb_motion* motion, const kerb_controls* given,
                                     float time_step);

// The reason to show with a mistake: KERB_REASON_HOST_MISTAKE instead of a reason that only says
// what limits the driving. A reason that the host may wait for, or must answer, stays. O(1)
kerb_reason kerb_in_host_reason(kerb_host_mistake which, kerb_reason reason);

#endif
