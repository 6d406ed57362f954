// What wheels and locks allow at a speed, for drivers of other rooms. Private to the library.
#ifndef KERB_IN_CONTROL_STEERING_NEAR_H
#define KERB_IN_CONTROL_STEERING_NEAR_H

#include "kerb/control.h"

/// Curvature that a WHEELED vehicle drives with its wheels at a share of steering_angle_max, as
/// kerb_motion.steering tells it. Other kinds: as kerb_curvature_of. [1/m] O(1)
float kerb_in_control_curvature_of_wheels(const kerb_vehicle* vehicle, float wheels, float speed);

/// Greatest speed, at most `most`, at which full steering drives a curvature. 0 where it does at
/// none. [m/s] O(1)
float kerb_in_control_speed_by_lock(const kerb_vehicle* vehicle, float curvature, float most);

/// Share of yaw_rate_max that a TRACKED or HOVER vehicle has at a speed. [1] O(1)
static inline float kerb_in_control_yaw_share(const kerb_vehicle* vehicle, float speed) {
    return vehicle->track_width > 0.0f
               ? kerb_vehicle_yaw_rate(vehicle, speed) / vehicle->yaw_rate_max
               : 1.0f;
}

#endif
