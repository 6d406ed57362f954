// Approximate steering for a curvature, for drivers that steer anew in each frame. Private to the
// library.
#ifndef KERB_IN_CONTROL_STEERING_NEAR_H
#define KERB_IN_CONTROL_STEERING_NEAR_H

#include "kerb/control.h"

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
    return kerb_clamp((over + gradient * curvature * under) / (under * vehicle->steering_angle_max),
                      -1.0f, 1.0f);
}

#endif
