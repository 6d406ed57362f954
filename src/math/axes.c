// Conversion between Kerb's axes and another engine's.
//
// The columns of the matrix M are the engine's axes, written in Kerb's axes. Vectors convert by M
// to Kerb, and by the transpose of M back. An angular velocity and the axis of a quaternion behave
// like a cross product of two vectors: a mirror, det M = -1, reverses them. So they convert by
// det(M)·M. The w of a quaternion does not change.
#include "kerb/math.h"

kerb_axes kerb_axes_unity(void) {
    kerb_axes axes = {{0.0f, -1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f}, 1.0f};
    return axes;
}

kerb_axes kerb_axes_unreal(void) {
    kerb_axes axes = {{1.0f, 0.0f, 0.0f}, {0.0f, -1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, 0.01f};
    return axes;
}

kerb_axes kerb_axes_godot(void) {
    kerb_axes axes = {{0.0f, -1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {-1.0f, 0.0f, 0.0f}, 1.0f};
    return axes;
}

kerb_axes kerb_axes_gltf(void) {
    kerb_axes axes = {{0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f}, 1.0f};
    return axes;
}

// 1 for right-handed axes, -1 for left-handed ones.
static float handedness(const kerb_axes* axes) {
    return kerb_vec3_dot(axes->x, kerb_vec3_cross(axes->y, axes->z));
}

kerb_vec3 kerb_direction_from(const kerb_axes* axes, kerb_vec3 theirs) {
    kerb_vec3 ours = kerb_vec3_scale(axes->x, theirs.x);
    ours = kerb_vec3_along(ours, axes->y, theirs.y);
    return kerb_vec3_along(ours, axes->z, theirs.z);
}

kerb_vec3 kerb_direction_to(const kerb_axes* axes, kerb_vec3 ours) {
    return kerb_vec3_make(kerb_vec3_dot(axes->x, ours), kerb_vec3_dot(axes->y, ours),
                          kerb_vec3_dot(axes->z, ours));
}

kerb_vec3 kerb_position_from(const kerb_axes* axes, kerb_vec3 theirs) {
    return kerb_vec3_scale(kerb_direction_from(axes, theirs), axes->unit);
}

kerb_vec3 kerb_position_to(const kerb_axes* axes, kerb_vec3 ours) {
    return kerb_vec3_scale(kerb_direction_to(axes, ours), 1.0f / axes->unit);
}

kerb_vec3 kerb_angular_velocity_from(const kerb_axes* axes, kerb_vec3 theirs) {
    return kerb_vec3_scale(kerb_direction_from(axes, theirs), handedness(axes));
}

kerb_vec3 kerb_angular_velocity_to(const kerb_axes* axes, kerb_vec3 ours) {
    return kerb_vec3_scale(kerb_direction_to(axes, ours), handedness(axes));
}

kerb_quat kerb_rotation_from(const kerb_axes* axes, kerb_quat theirs) {
    kerb_vec3 axis = kerb_vec3_make(theirs.x, theirs.y, theirs.z);
    axis = kerb_angular_velocity_from(axes, axis);
    kerb_quat ours = {axis.x, axis.y, axis.z, theirs.w};
    return ours;
}

kerb_quat kerb_rotation_to(const kerb_axes* axes, kerb_quat ours) {
    kerb_vec3 axis = kerb_vec3_make(ours.x, ours.y, ours.z);
    axis = kerb_angular_velocity_to(axes, axis);
    kerb_quat theirs = {axis.x, axis.y, axis.z, ours.w};
    return theirs;
}
