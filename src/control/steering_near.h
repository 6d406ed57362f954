// Approximate steering for a curvature, for drivers that steer anew in each frame. Private to the
// library.
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

/// Like kerb_steering_for, within 3e-4 rad of the wheel angle up to 0.8 rad, and within 0.004 up to
/// 1 rad. The arctangent is a Padé approximation, and all is one quotient. A third of the cost.
static inline float control_steering_near(const kerb_vehicle* vehicle, float curvature,
                                          float speed) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return kerb_steering_for(vehicle, curvature, speed);
    // No wheels can steer farther.
    float tangent = kerb_clamp(vehicle->wheelbase * curvature, -10.0f, 10.0f);
    float square = tangent * tangent;
    float over = tangent * (945.0f + square * (735.0f + 64.0f * square));
    float under = 945.0f + square * (1050.0f + 225.0f * square);
    float forward = kerb_max(speed, 0.0f); // no understeer in reverse
    float gradient = kerb_max(vehicle->understeer_gradient, 0.0f) * forward * forward;
    float lock = kerb_vehicle_steering_lock(vehicle, speed);
    return kerb_clamp((over + gradient * curvature * under) / (under * lock), -1.0f, 1.0f);
}

#endif
