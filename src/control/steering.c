// From a target point or a curvature to the steering: pure pursuit, and the bicycle model with an
// understeer gradient. O(1).
#include "steering_near.h"

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
    if (vehicle->kind != KERB_VEHICLE_WHEELED) {
        float most = kerb_in_control_yaw_share(vehicle, speed);
        return kerb_clamp(curvature * speed / vehicle->yaw_rate_max, -most, most);
    }
    float angle = kerb_atan(vehicle->wheelbase * curvature);
    angle += understeer_at(vehicle, speed) * curvature;
    return kerb_clamp(angle / kerb_vehicle_steering_lock(vehicle, speed), -1.0f, 1.0f);
}

// With φ = atan(L·κ), φ + (K·v²/L)·tan φ = angle. The left side is convex for positive φ, and the
// first estimate, which is linear, is not below the solution. So Newton's method descends to the
// solution without overshooting, in a few steps for any lock and speed. Where a step changes
// nothing, none after it would.
static float curvature_at_angle(const kerb_vehicle* vehicle, float angle, float speed) {
    float share = understeer_at(vehicle, speed) / vehicle->wheelbase;
    if (share == 0.0f)
        return kerb_tan(angle) / vehicle->wheelbase;
    float wheels = angle / (1.0f + share);
    for (int32_t i = 0; i < 5; i++) {
        float tangent = kerb_tan(wheels);
        float error = wheels + share * tangent - angle;
        float next = wheels - error / (1.0f + share * (1.0f + tangent * tangent));
        if (next == wheels)
            return tangent / vehicle->wheelbase;
        wheels = next;
    }
    return kerb_tan(wheels) / vehicle->wheelbase;
}

float kerb_curvature_of(const kerb_vehicle* vehicle, float steering, float speed) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED) {
        float slow = speed < 0.0f ? kerb_min(speed, -0.01f) : kerb_max(speed, 0.01f);
        float most = kerb_in_control_yaw_share(vehicle, speed);
        return kerb_clamp(steering, -most, most) * vehicle->yaw_rate_max / slow;
    }
    float lock = kerb_vehicle_steering_lock(vehicle, speed);
    return curvature_at_angle(vehicle, kerb_clamp(steering, -1.0f, 1.0f) * lock, speed);
}

float kerb_in_control_curvature_of_wheels(const kerb_vehicle* vehicle, float wheels, float speed) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return kerb_curvature_of(vehicle, wheels, speed);
    float angle = kerb_clamp(wheels, -1.0f, 1.0f) * vehicle->steering_angle_max;
    return curvature_at_angle(vehicle, angle, speed);
}

// The curvature that full steering drives falls with speed, so bisection finds the speed.
float kerb_in_control_speed_by_lock(const kerb_vehicle* vehicle, float curvature, float most) {
    float least = 0.0f, sharpness = kerb_abs(curvature);
    if (kerb_curvature_of(vehicle, 1.0f, most) >= sharpness)
        return most;
    for (int32_t i = 0; i < 16; i++) {
        float middle = 0.5f * (least + most);
        *(kerb_curvature_of(vehicle, 1.0f, middle) >= sharpness ? &least : &most) = middle;
    }
    return least;
}
