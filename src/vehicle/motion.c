// The present motion of a vehicle, and its surroundings: defaults and checks.
#include "kerb/vehicle.h"

kerb_motion kerb_motion_default(void) {
    kerb_motion motion = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .gear = 1};
    return motion;
}

// A rotation should be a unit quaternion. One whose length has drifted is accepted, but one of
// almost no length has no direction.
static bool has_direction(kerb_quat q) {
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return square > 1e-12f && kerb_is_finite(square);
}

// x - x is 0 for every finite x and NaN for the others, and a sum with NaN in it is NaN.
static float zero_if_finite(kerb_vec3 v) {
    return (v.x - v.x) + (v.y - v.y) + (v.z - v.z);
}

bool kerb_motion_is_finite(const kerb_motion* motion) {
    float zero = zero_if_finite(motion->position) + zero_if_finite(motion->velocity) +
                 zero_if_finite(motion->angular_velocity) + (motion->steering - motion->steering) +
                 (motion->engine_speed - motion->engine_speed) +
                 (motion->wheel_slip - motion->wheel_slip);
    return zero == 0.0f && has_direction(motion->rotation);
}

float kerb_motion_forward_speed(const kerb_motion* motion) {
    return kerb_vec3_dot(kerb_quat_forward(motion->rotation), motion->velocity);
}

kerb_surroundings kerb_surroundings_default(void) {
    // No valid vehicle drives faster, so the default is no cap. Arithmetic with it stays finite.
    kerb_surroundings surroundings = {
        .speed_cap = 1.0e6f, .grip = 1.0f, .id = KERB_NO_ID, .wheels_on_ground = 1.0f};
    return surroundings;
}
