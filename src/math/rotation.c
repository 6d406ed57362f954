// Rotations as unit quaternions, right-handed: (x, y, z) is the axis times the sine of half the
// angle, w its cosine.
#include "kerb/math.h"

kerb_quat kerb_quat_from_heading(float heading) {
    kerb_quat result = {0.0f, 0.0f, 0.0f, 1.0f};
    kerb_sin_cos(0.5f * heading, &result.z, &result.w);
    return result;
}

kerb_quat kerb_quat_from_angles(float heading, float pitch, float roll) {
    kerb_quat about_y = {0.0f, 0.0f, 0.0f, 1.0f};
    kerb_quat about_x = {0.0f, 0.0f, 0.0f, 1.0f};
    kerb_sin_cos(0.5f * pitch, &about_y.y, &about_y.w);
    kerb_sin_cos(0.5f * roll, &about_x.x, &about_x.w);
    kerb_quat level = kerb_quat_from_heading(heading);
    return kerb_quat_multiply(level, kerb_quat_multiply(about_y, about_x));
}

kerb_quat kerb_quat_multiply(kerb_quat a, kerb_quat b) {
    kerb_quat result = {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
    return result;
}

// q v q* without the products that are 0: v + w t + u × t, where u = (x, y, z) and t = 2 u × v.
kerb_vec3 kerb_quat_rotate(kerb_quat q, kerb_vec3 v) {
    kerb_vec3 axis = {q.x, q.y, q.z};
    kerb_vec3 twice = kerb_vec3_scale(kerb_vec3_cross(axis, v), 2.0f);
    return kerb_vec3_add(kerb_vec3_along(v, twice, q.w), kerb_vec3_cross(axis, twice));
}

kerb_vec3 kerb_quat_forward(kerb_quat q) {
    return kerb_vec3_make(1.0f - 2.0f * (q.y * q.y + q.z * q.z), 2.0f * (q.x * q.y + q.w * q.z),
                          2.0f * (q.x * q.z - q.w * q.y));
}

kerb_vec3 kerb_quat_left(kerb_quat q) {
    return kerb_vec3_make(2.0f * (q.x * q.y - q.w * q.z), 1.0f - 2.0f * (q.x * q.x + q.z * q.z),
                          2.0f * (q.y * q.z + q.w * q.x));
}

kerb_vec3 kerb_quat_up(kerb_quat q) {
    return kerb_vec3_make(2.0f * (q.x * q.z + q.w * q.y), 2.0f * (q.y * q.z - q.w * q.x),
                          1.0f - 2.0f * (q.x * q.x + q.y * q.y));
}

float kerb_quat_heading(kerb_quat q) {
    kerb_vec3 forward = kerb_quat_forward(q);
    return kerb_atan2(forward.y, forward.x);
}
