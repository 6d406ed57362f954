// From a target point or a curvature to the steering: pure pursuit, and the bicycle model with an
// understeer gradient. O(1).
#include "kerb/control.h"

float kerb_pure_pursuit(kerb_vec2 target) {
    float squared = target.x * target.x + target.y * target.y;
    return squared > 1.0e-12f ? 2.0f * target.y / squared : 0.0f;
}

float kerb_lookahead_distance(float speed, float time, float distance_min, float distance_max) {
    return kerb_clamp(kerb_abs(speed) * time, distance_min, distance_max);
}

// Wheel angle per curvature that understeer adds. [rad m] An oversteering vehicle counts as
// neutral: above its critical speed the formula would steer to the wrong side, and it has no
// inverse.
static float understeer_at(const kerb_vehicle* vehicle, float speed) {
    float gradient = kerb_max(vehicle->understeer_gradient, 0.0f);
    return speed > 0.0f ? gradient * speed * speed : 0.0f;
}

float kerb_steering_for(const kerb_vehicle* vehicle, float curvature, float speed) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return kerb_clamp(curvature * speed / vehicle->yaw_rate_max, -1.0f, 1.0f);
    float angle = kerb_atan(vehicle->wheelbase * curvature);
    angle += understeer_at(vehicle, speed) * curvature;
    return kerb_clamp(angle / vehicle->steering_angle_max, -1.0f, 1.0f);
}

// With φ = atan(L·κ), φ + (K·v²/L)·tan φ = angle. The left side is convex for positive φ, and the
// first estimate, which is linear, is not below the solution. So Newton's method descends to the
// solution without overshooting, in a few steps for any lock and speed.
float kerb_curvature_of(const kerb_vehicle* vehicle, float steering, float speed) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED) {
        float slow = speed < 0.0f ? kerb_min(speed, -0.01f) : kerb_max(speed, 0.01f);
        return kerb_clamp(steering, -1.0f, 1.0f) * vehicle->yaw_rate_max / slow;
    }
    float angle = kerb_clamp(steering, -1.0f, 1.0f) * vehicle->steering_angle_max;
    float share = understeer_at(vehicle, speed) / vehicle->wheelbase;
    if (share == 0.0f)
        return kerb_tan(angle) / vehicle->wheelbase;
    float wheels = angle / (1.0f + share);
    for (int32_t i = 0; i < 5; i++) {
        float tangent = kerb_tan(wheels);
        float error = wheels + share * tangent - angle;
        wheels -= error / (1.0f + share * (1.0f + tangent * tangent));
    }
    return kerb_tan(wheels) / vehicle->wheelbase;
}
