// From a point or a curvature to a steering wheel: pure pursuit, and the bicycle model with an
// understeer gradient. O(1).
#include "kerb/control.h"

float kerb_pure_pursuit(kerb_vec2 target) {
    float squared = target.x * target.x + target.y * target.y;
    return squared > 1.0e-12f ? 2.0f * target.y / squared : 0.0f;
}

float kerb_lookahead_distance(float speed, float time, float least, float most) {
    return kerb_clamp(kerb_abs(speed) * time, least, most);
}

float kerb_steering_for(const kerb_vehicle* vehicle, float curvature, float speed) {
    float angle = kerb_atan(vehicle->wheelbase * curvature);
    if (speed > 0.0f)
        angle += vehicle->understeer_gradient * speed * speed * curvature;
    return kerb_clamp(angle / vehicle->steering_angle_max, -1.0f, 1.0f);
}

// atan(L·κ) + K·v²·κ = angle has no closed solution; the left side rises steadily, so Newton from
// the linear estimate settles in a few steps.
float kerb_curvature_of(const kerb_vehicle* vehicle, float steering, float speed) {
    float angle = kerb_clamp(steering, -1.0f, 1.0f) * vehicle->steering_angle_max;
    float per_curvature = speed > 0.0f ? vehicle->understeer_gradient * speed * speed : 0.0f;
    float wheelbase = vehicle->wheelbase;
    if (per_curvature <= 0.0f)
        return kerb_tan(angle) / wheelbase;
    float curvature = angle / (wheelbase + per_curvature);
    for (int32_t i = 0; i < 4; i++) {
        float x = wheelbase * curvature;
        float error = kerb_atan(x) + per_curvature * curvature - angle;
        curvature -= error / (wheelbase / (1.0f + x * x) + per_curvature);
    }
    return curvature;
}
