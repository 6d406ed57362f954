// Kerb math: vectors, angles, rotations, and conversion to and from the axes of other engines.
//
// Axes: x forward, y left, z up, right-handed. Units: metres and radians. Angles are counted from
// x towards y: a positive heading is a turn to the left.
//
// Every function gives the same bits on every compiler and processor. For this reason the functions
// use only operations that IEEE 754 defines exactly. The C library's sinf, cosf and the like give
// different bits on different machines.
//
//     kerb_axes unity = kerb_axes_unity();
//     kerb_vec3 in_unity = {1.0f, 2.0f, 3.0f}; // 1 right, 2 up, 3 forward
//     kerb_vec3 position = kerb_position_from(&unity, in_unity);
//     kerb_quat rotation = kerb_quat_from_heading(0.5f * KERB_PI); // faces left
//     kerb_vec3 forward = kerb_quat_forward(rotation);
//     kerb_vec3 target = kerb_vec3_along(position, forward, 10.0f); // 10 m ahead
//     kerb_vec3 target_in_unity = kerb_position_to(&unity, target);
//
// There is no call order. All functions are pure, O(1), allocate nothing and may be called from any
// thread. All types are plain data.
//
// Does not: offer matrices, or normalize quaternions.
#ifndef KERB_MATH_H
#define KERB_MATH_H

#include "base.h"

#include <math.h>

/// π, rounded to float.
#define KERB_PI 3.14159265358979f

/// Greatest coordinate of a waypoint, a vehicle and anything else that has a place. A float there
/// is a multiple of 6 cm: it is too coarse beyond to place a wheel. From coordinates of a survey,
/// such as UTM, the host subtracts an offset first, in double, and adds it to what it reads back;
/// kerb/io does this for files. [m]
#define KERB_POSITION_MAX 1.0e6f

/// Vector or point in the horizontal plane.
typedef struct kerb_vec2 {
    float x, y;
} kerb_vec2;

/// Vector or point in space.
typedef struct kerb_vec3 {
    float x, y, z;
} kerb_vec3;

/// Rotation as a unit quaternion. (0, 0, 0, 1) is no rotation.
typedef struct kerb_quat {
    float x, y, z, w;
} kerb_quat;

// --------------------------------------------------------------------------- numbers

/// Returns the smaller number. Returns `b` when one of them is NaN, or when both are zero with any
/// signs. This holds on every compiler.
static inline float kerb_min(float a, float b) {
    return a < b ? a : b;
}

/// Returns the greater number. Returns `b` when one of them is NaN, or when both are zero with any
/// signs.
static inline float kerb_max(float a, float b) {
    return a > b ? a : b;
}

/// Limits `x` to [min, max]. Returns `min` when `x` is NaN. [min: <= max]
static inline float kerb_clamp(float x, float min, float max) {
    float risen = x > min ? x : min; // two instructions and no jump
    return max < risen ? max : risen;
}

/// Absolute value.
static inline float kerb_abs(float x) {
    return fabsf(x);
}

/// Returns true when x is neither NaN nor infinite.
static inline bool kerb_is_finite(float x) {
    return x - x == 0.0f;
}

/// Rises smoothly from 0 at `from` to 1 at `to`: 3t² - 2t³. The slope is 0 at both ends. Before
/// `from` the result is 0, beyond `to` it is 1. [to: not equal to from]
static inline float kerb_smooth_step(float x, float from, float to) {
    float t = kerb_clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// --------------------------------------------------------------------------- functions

// Some hosts configure the processor to replace denormal numbers (below 1.2e-38) by zero. To give
// the same results there, these functions treat denormal arguments and results as 0.

/// Square root, correctly rounded. Returns 0 for negative numbers and NaN.
static inline float kerb_sqrt(float x) {
    return x >= 1.17549435e-38f ? sqrtf(x) : 0.0f;
}

/// Sine. The error is at most 1e-6 for |x| <= 1e4 and grows beyond. Returns 0 for NaN and infinity.
KERB_API float kerb_sin(float x);

/// Cosine. The error is that of kerb_sin. Returns 1 for NaN and infinity.
KERB_API float kerb_cos(float x);

/// Sine and cosine together, for the cost of one of them.
KERB_API void kerb_sin_cos(float x, float* sine, float* cosine);

/// Tangent: sine divided by cosine.
KERB_API float kerb_tan(float x);

/// Arctangent in [-π/2, π/2]. The error is at most 1e-6.
KERB_API float kerb_atan(float x);

/// Angle of the vector (x, y), in (-π, π]. The error is at most 1e-6. Returns 0 for the zero vector
/// and for NaN.
KERB_API float kerb_atan2(float y, float x);

/// Arcsine in [-π/2, π/2]. Limits x to [-1, 1]; NaN becomes -1. The error is at most 1e-6.
KERB_API float kerb_asin(float x);

/// Arccosine in [0, π]. Limits x to [-1, 1]; NaN becomes -1. The error is at most 1e-6.
KERB_API float kerb_acos(float x);

/// Adds or subtracts whole turns until the angle is in (-π, π]. Exact for angles of up to a few
/// turns. Returns 0 for NaN and infinity.
KERB_API float kerb_wrap_angle(float angle);

// --------------------------------------------------------------------------- vectors

static inline kerb_vec2 kerb_vec2_make(float x, float y) {
    kerb_vec2 result = {x, y};
    return result;
}
static inline kerb_vec3 kerb_vec3_make(float x, float y, float z) {
    kerb_vec3 result = {x, y, z};
    return result;
}
static inline kerb_vec2 kerb_vec2_add(kerb_vec2 a, kerb_vec2 b) {
    kerb_vec2 result = {a.x + b.x, a.y + b.y};
    return result;
}
static inline kerb_vec2 kerb_vec2_sub(kerb_vec2 a, kerb_vec2 b) {
    kerb_vec2 result = {a.x - b.x, a.y - b.y};
    return result;
}
static inline kerb_vec2 kerb_vec2_scale(kerb_vec2 a, float factor) {
    kerb_vec2 result = {a.x * factor, a.y * factor};
    return result;
}
static inline float kerb_vec2_dot(kerb_vec2 a, kerb_vec2 b) {
    return a.x * b.x + a.y * b.y;
}
/// z of the cross product. Positive when b points to the left of a.
static inline float kerb_vec2_cross(kerb_vec2 a, kerb_vec2 b) {
    return a.x * b.y - a.y * b.x;
}
/// a turned left by a right angle.
static inline kerb_vec2 kerb_vec2_left(kerb_vec2 a) {
    kerb_vec2 result = {-a.y, a.x};
    return result;
}
static inline kerb_vec3 kerb_vec3_add(kerb_vec3 a, kerb_vec3 b) {
    kerb_vec3 result = {a.x + b.x, a.y + b.y, a.z + b.z};
    return result;
}
static inline kerb_vec3 kerb_vec3_sub(kerb_vec3 a, kerb_vec3 b) {
    kerb_vec3 result = {a.x - b.x, a.y - b.y, a.z - b.z};
    return result;
}
static inline kerb_vec3 kerb_vec3_scale(kerb_vec3 a, float factor) {
    kerb_vec3 result = {a.x * factor, a.y * factor, a.z * factor};
    return result;
}
/// Returns a + direction * distance.
static inline kerb_vec3 kerb_vec3_along(kerb_vec3 a, kerb_vec3 direction, float distance) {
    kerb_vec3 result = {a.x + direction.x * distance, a.y + direction.y * distance,
                        a.z + direction.z * distance};
    return result;
}
static inline float kerb_vec3_dot(kerb_vec3 a, kerb_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline kerb_vec3 kerb_vec3_cross(kerb_vec3 a, kerb_vec3 b) {
    kerb_vec3 result = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return result;
}
/// Length. Intermediate results neither overflow nor underflow. Lengths below 1e-30 become 0.
KERB_API float kerb_vec2_length(kerb_vec2 a);
KERB_API float kerb_vec3_length(kerb_vec3 a);
/// Unit vector in the direction of a. Returns `fallback` when a is shorter than 1e-18 or not
/// finite.
KERB_API kerb_vec3 kerb_vec3_unit(kerb_vec3 a, kerb_vec3 fallback);
/// Returns true when no component is NaN or infinite.
KERB_API bool kerb_vec3_is_finite(kerb_vec3 a);

// --------------------------------------------------------------------------- poses

/// Position and direction in the horizontal plane. The direction is a vector instead of an angle,
/// because a vector never wraps and needs no sine.
typedef struct kerb_pose {
    kerb_vec2 position;
    kerb_vec2 forward; ///< unit length
} kerb_pose;

/// Makes a pose at (x, y) that faces in the direction of `heading`. [heading: rad]
KERB_API kerb_pose kerb_pose_make(float x, float y, float heading);

/// Heading of a pose, in (-π, π]. [rad]
KERB_API float kerb_pose_heading(kerb_pose pose);

// --------------------------------------------------------------------------- rotations

/// Rotation by `heading` about z. [rad]
KERB_API kerb_quat kerb_quat_from_heading(float heading);

/// Rotation by heading about z, then by pitch about the new y, then by roll about the new x.
/// Positive pitch: nose down (right-hand rule). Positive roll: left side up. [rad]
KERB_API kerb_quat kerb_quat_from_angles(float heading, float pitch, float roll);

/// Returns a*b: rotates by b first, then by a.
KERB_API kerb_quat kerb_quat_multiply(kerb_quat a, kerb_quat b);

/// The inverse rotation of a unit quaternion.
static inline kerb_quat kerb_quat_conjugate(kerb_quat q) {
    kerb_quat result = {-q.x, -q.y, -q.z, q.w};
    return result;
}

/// Rotates v by q.
KERB_API kerb_vec3 kerb_quat_rotate(kerb_quat q, kerb_vec3 v);

/// Directions of the x, y and z axes after the rotation.
KERB_API kerb_vec3 kerb_quat_forward(kerb_quat q);
KERB_API kerb_vec3 kerb_quat_left(kerb_quat q);
KERB_API kerb_vec3 kerb_quat_up(kerb_quat q);

/// Heading of the rotated x axis, in (-π, π]. [rad]
KERB_API float kerb_quat_heading(kerb_quat q);

// --------------------------------------------------------------------------- other engines' axes

/// Axes and unit of length of another engine. Each of its axes is one of Kerb's axes (forward,
/// left, up) or the opposite of one. In the functions below, `theirs` is in the engine's axes and
/// unit, and `ours` is in Kerb's.
typedef struct kerb_axes {
    kerb_vec3 x, y, z; ///< The engine's axes, in Kerb's coordinates. Unit length.
    float unit;        ///< Metres per unit of length of the engine.
} kerb_axes;

KERB_API kerb_axes kerb_axes_unity(void);  ///< x right, y up, z forward, left-handed, metres
KERB_API kerb_axes kerb_axes_unreal(void); ///< x forward, y right, z up, left-handed, centimetres
KERB_API kerb_axes kerb_axes_godot(void);  ///< x right, y up, -z forward, right-handed, metres
KERB_API kerb_axes kerb_axes_gltf(void);   ///< x left, y up, z forward, right-handed, metres

/// Converts a position or a velocity from another engine to Kerb (`_from`), and back (`_to`).
/// Converts axes and unit of length.
KERB_API kerb_vec3 kerb_position_from(const kerb_axes* axes, kerb_vec3 theirs);
KERB_API kerb_vec3 kerb_position_to(const kerb_axes* axes, kerb_vec3 ours);

/// Converts a direction. Converts axes only.
KERB_API kerb_vec3 kerb_direction_from(const kerb_axes* axes, kerb_vec3 theirs);
KERB_API kerb_vec3 kerb_direction_to(const kerb_axes* axes, kerb_vec3 ours);

/// Converts an angular velocity. In a left-handed engine a positive rotation turns in the opposite
/// direction; the conversion corrects this. [rad/s]
KERB_API kerb_vec3 kerb_angular_velocity_from(const kerb_axes* axes, kerb_vec3 theirs);
KERB_API kerb_vec3 kerb_angular_velocity_to(const kerb_axes* axes, kerb_vec3 ours);

/// Converts the rotation of a body. The body's own axes must be the engine's axes: its model faces
/// forward as the engine defines forward.
KERB_API kerb_quat kerb_rotation_from(const kerb_axes* axes, kerb_quat theirs);
KERB_API kerb_quat kerb_rotation_to(const kerb_axes* axes, kerb_quat ours);

#endif
