// The parts of vehicle that rooms on higher floors may use in addition to kerb/vehicle.h.
#ifndef KERB_IN_VEHICLE_SHARED_H
#define KERB_IN_VEHICLE_SHARED_H

#include "frame_input.h"
#include "hand_over.h"
#include "jump.h"

#include "kerb/host_check.h"

// The vehicle with all lengths, speeds and accelerations times `by`; the mass stays. O(1)
kerb_vehicle kerb_in_vehicle_scaled(const kerb_vehicle* vehicle, float by);

// Yaw inertia over that of a body whose axles are each other's centre of percussion. 1 where it is
// unknown. The centre of mass counts as at the reference point, within the middle third of the
// wheelbase. [1] O(1)
static inline float kerb_in_vehicle_inertia_share(const kerb_vehicle* vehicle) {
    if (vehicle->yaw_inertia <= 0.0f)
        return 1.0f;
    float least = (1.0f / 3.0f) * vehicle->wheelbase;
    float rear = kerb_clamp(vehicle->reference_to_rear_axle, least, vehicle->wheelbase - least);
    return kerb_clamp(vehicle->yaw_inertia / (rear * (vehicle->wheelbase - rear)), 0.1f, 10.0f);
}

// The gear that is engaged, of the one that the host tells and the one that the driver commanded in
// the last frame. O(1)
static inline int32_t kerb_in_vehicle_gear(const kerb_vehicle* vehicle, int32_t told,
                                           int32_t commanded) {
    return vehicle->drive_train.gear_told == KERB_GEAR_TOLD_NOTHING ? commanded : told;
}

// Time constant with which a creeping vehicle approaches its creep speed. Torque converters take 3
// to 4 s from rest to walking pace. [s]
#define KERB_IN_CREEP_TIME 2.0f

// As kerb_coasting_deceleration of kerb/control.h. [m/s²] O(1)
static inline float kerb_in_vehicle_coasting(const kerb_vehicle* vehicle, float speed) {
    float resisting = vehicle->coasting_deceleration + vehicle->drag * speed * speed;
    float lacks = vehicle->creep_speed - kerb_abs(speed);
    return lacks > 0.0f ? -lacks * (1.0f / KERB_IN_CREEP_TIME) : resisting;
}

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
