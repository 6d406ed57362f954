// Kerb math: vectors, angles, rotations, and functions that give the same bits everywhere.
//
// x forward, y left, z up, right-handed; metres and radians. Angles count from x towards y.
// The functions here use only operations that IEEE 754 defines exactly, so that a run is the same
// on every compiler and processor; the C library's sinf and its like are not.
//
//     kerb_axes unity = kerb_axes_unity();
//     kerb_vec3 position = kerb_position_from(&unity, kerb_vec3_make(px, py, pz));
//     kerb_quat rotation = kerb_rotation_from(&unity, unity_rotation);
//
// All functions are pure, O(1), allocate nothing and may be called from any thread.
#ifndef KERB_MATH_H
#define KERB_MATH_H

#include "base.h"

#include <math.h>

/// π, rounded to float.
#define KERB_PI 3.14159265358979f

/// A level vector or point.
typedef struct kerb_vec2 {
    float x, y;
} kerb_vec2;

/// A vector or point in space.
typedef struct kerb_vec3 {
    float x, y, z;
} kerb_vec3;

/// A rotation as a unit quaternion; (0, 0, 0, 1) turns nothing.
typedef struct kerb_quat {
    float x, y, z, w;
} kerb_quat;

// --------------------------------------------------------------------------- numbers

/// The smaller; `b` when either is NaN, and for equal zeros `b`. Never depends on the compiler.
static inline float kerb_min(float a, float b) {
    return a < b ? a : b;
}

/// The greater; `b` when either is NaN.
static inline float kerb_max(float a, float b) {
    return a > b ? a : b;
}

/// `x` held between `least` and `most`, which is not below it; `least` when x is NaN.
static inline float kerb_clamp(float x, float least, float most) {
    float risen = x > least ? x : least; // two instructions and no jump
    return most < risen ? most : risen;
}

static inline float kerb_abs(float x) {
    return fabsf(x);
}

/// True unless x is NaN or infinite.
static inline bool kerb_is_finite(float x) {
    return x - x == 0.0f;
}

/// From 0 at `from` to 1 at `to`, with level ends: 3t² - 2t³.
static inline float kerb_smooth_step(float x, float from, float to) {
    float t = kerb_clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// --------------------------------------------------------------------------- functions

// Hosts may run their processor with denormal numbers (below 1.2e-38) flushed to zero or not: as
// arguments and results of these functions they count as 0, so that it makes no difference.

/// Square root, correctly rounded; 0 for negative numbers and NaN.
static inline float kerb_sqrt(float x) {
    return x >= 1.17549435e-38f ? sqrtf(x) : 0.0f;
}

/// Sine. Error at most 1e-6 for |x| <= 1e4; beyond that it fades; 0 for NaN and infinity.
KERB_API float kerb_sin(float x);

/// Cosine. As kerb_sin; 1 for NaN and infinity.
KERB_API float kerb_cos(float x);

/// Both at the price of one.
KERB_API void kerb_sin_cos(float x, float* sine, float* cosine);

/// Tangent, as sine over cosine.
KERB_API float kerb_tan(float x);

/// Arctangent in [-π/2, π/2]. Error at most 1e-6.
KERB_API float kerb_atan(float x);

/// The angle of (x, y) in (-π, π]. Error at most 1e-6; 0 for the zero vector and for NaN.
KERB_API float kerb_atan2(float y, float x);

/// Arcsine in [-π/2, π/2]; x is held to [-1, 1], NaN to -1. Error at most 1e-6.
KERB_API float kerb_asin(float x);

/// Arccosine in [0, π]; x is held to [-1, 1], NaN to -1. Error at most 1e-6.
KERB_API float kerb_acos(float x);

/// The same angle in (-π, π]. Exact for |angle| up to a few turns; 0 for NaN and infinity.
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
/// Positive when b points to the left of a.
static inline float kerb_vec2_cross(kerb_vec2 a, kerb_vec2 b) {
    return a.x * b.y - a.y * b.x;
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
/// a + direction * distance
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
/// Lengths neither overflow nor underflow on the way; below 1e-30 they are 0.
KERB_API float kerb_vec2_length(kerb_vec2 a);
KERB_API float kerb_vec3_length(kerb_vec3 a);
/// The unit vector along a; `fallback` when a is shorter than 1e-18 or not finite.
KERB_API kerb_vec3 kerb_vec3_unit(kerb_vec3 a, kerb_vec3 fallback);
KERB_API bool kerb_vec3_is_finite(kerb_vec3 a);

// --------------------------------------------------------------------------- poses

/// A place on the level and the way that one faces there. A direction instead of an angle: nothing
/// wraps, and no sine is needed to use it.
typedef struct kerb_pose {
    kerb_vec2 position;
    kerb_vec2 forward; ///< unit length
} kerb_pose;

/// At (x, y), facing along `heading`.
KERB_API kerb_pose kerb_pose_make(float x, float y, float heading);

/// The heading of a pose, in (-π, π].
KERB_API float kerb_pose_heading(kerb_pose pose);

// --------------------------------------------------------------------------- rotations

/// Level, turned by `heading` about z.
KERB_API kerb_quat kerb_quat_from_heading(float heading);

/// First heading about z, then pitch about the new y (positive: nose down, by the right hand),
/// then roll about the new x (positive: left side up).
KERB_API kerb_quat kerb_quat_from_angles(float heading, float pitch, float roll);

/// The rotation b, then a: a*b.
KERB_API kerb_quat kerb_quat_multiply(kerb_quat a, kerb_quat b);

static inline kerb_quat kerb_quat_conjugate(kerb_quat q) {
    kerb_quat result = {-q.x, -q.y, -q.z, q.w};
    return result;
}

/// v turned by q.
KERB_API kerb_vec3 kerb_quat_rotate(kerb_quat q, kerb_vec3 v);

/// Where x, y and z point after the rotation.
KERB_API kerb_vec3 kerb_quat_forward(kerb_quat q);
KERB_API kerb_vec3 kerb_quat_left(kerb_quat q);
KERB_API kerb_vec3 kerb_quat_up(kerb_quat q);

/// Heading of the forward vector, in (-π, π].
KERB_API float kerb_quat_heading(kerb_quat q);

// --------------------------------------------------------------------------- other engines' axes

/// Another engine's axes: for each of its x, y, z the direction in ours (forward, left, up), and
/// the length of its unit. Rows are signed unit axes; the determinant is -1 for left-handed ones.
typedef struct kerb_axes {
    kerb_vec3 x, y, z; ///< its axes, written in ours
    float unit;        ///< metres per unit of length
} kerb_axes;

KERB_API kerb_axes kerb_axes_unity(void);  ///< x right, y up, z forward, left-handed, metres
KERB_API kerb_axes kerb_axes_unreal(void); ///< x forward, y right, z up, left-handed, centimetres
KERB_API kerb_axes kerb_axes_godot(void);  ///< x right, y up, -z forward, right-handed, metres
KERB_API kerb_axes kerb_axes_gltf(void);   ///< x left, y up, z forward, right-handed, metres

/// Positions and velocities: axes and unit. From another engine to Kerb, and back.
KERB_API kerb_vec3 kerb_position_from(const kerb_axes* axes, kerb_vec3 theirs);
KERB_API kerb_vec3 kerb_position_to(const kerb_axes* axes, kerb_vec3 ours);

/// Directions: axes only.
KERB_API kerb_vec3 kerb_direction_from(const kerb_axes* axes, kerb_vec3 theirs);
KERB_API kerb_vec3 kerb_direction_to(const kerb_axes* axes, kerb_vec3 ours);

/// Angular velocities in rad/s: a left-handed engine's turn the other way round their axis.
KERB_API kerb_vec3 kerb_angular_velocity_from(const kerb_axes* axes, kerb_vec3 theirs);
KERB_API kerb_vec3 kerb_angular_velocity_to(const kerb_axes* axes, kerb_vec3 ours);

/// Rotations of a body whose own axes are the engine's (its model faces the engine's forward).
KERB_API kerb_quat kerb_rotation_from(const kerb_axes* axes, kerb_quat theirs);
KERB_API kerb_quat kerb_rotation_to(const kerb_axes* axes, kerb_quat ours);

#endif
