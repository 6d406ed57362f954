// All of Kerb. See each room's header for its manual.
#ifndef KERB_KERB_H
#define KERB_KERB_H

// Kerb base: what every other room stands on.
//
// Results and errors, the host's hooks (allocator, log, tasks), assertions, settings tables,
// random numbers, and the version. Nothing here knows about vehicles.
//
//     kerb_host host = kerb_host_default();      // malloc, silent log, serial tasks
//     kerb_error error;
//     if (kerb_settings_validate(&kerb_follower_settings_table, &settings, &error) != KERB_OK)
//         printf("%s: %s\n", error.field, error.message);
//
// Does not: keep global state, read the clock, start threads, open files.
#ifndef KERB_BASE_H
#define KERB_BASE_H

#include "kerb/cars.h"
#include "kerb/follow.h"
#include "kerb/follow_paper.h"
#include "kerb/group.h"
#include "kerb/lane.h"
#include "kerb/lane_company.h"
#include "kerb/plan.h"
#include "kerb/plan_driver.h"
#include "kerb/plan_search.h"
#include "kerb/racer.h"
#include "kerb/racing_line.h"
#include "kerb/seek.h"
#include "kerb/steer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How the compiler marks what a library shows to others.
#if defined(_WIN32) && defined(KERB_SHARED)
#if defined(KERB_BUILDING)
#define KERB_EXPORT __declspec(dllexport)
#else
#define KERB_EXPORT __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define KERB_EXPORT __attribute__((visibility("default")))
#else
#define KERB_EXPORT
#endif

/// Before every function and constant of the interface.
#ifdef __cplusplus
#define KERB_API extern "C" KERB_EXPORT
#else
#define KERB_API extern KERB_EXPORT
#endif

/// The version of these headers. `kerb_version()` gives that of the linked library.
#define KERB_VERSION "0.1.0"
#define KERB_VERSION_MAJOR 0 ///< changes when old code no longer compiles or means the same
#define KERB_VERSION_MINOR 1 ///< changes with new features; below 1.0 as MAJOR
#define KERB_VERSION_PATCH 0 ///< changes with corrections

/// The version of the linked library, as "major.minor.patch".
KERB_API const char* kerb_version(void);

// --------------------------------------------------------------------------- results and errors

/// How a call that can meet bad data ended. Wrong use by the programmer asserts instead.
typedef enum kerb_result {
    KERB_OK = 0,
    KERB_ERROR_OUT_OF_MEMORY, ///< The allocator returned NULL. Nothing leaked, nothing changed.
    KERB_ERROR_NOT_FINITE,    ///< A number is NaN or infinite where it may not be.
    KERB_ERROR_OUT_OF_RANGE,  ///< A number lies outside the documented range.
    KERB_ERROR_TOO_FEW,       ///< Fewer items than the object needs.
    KERB_ERROR_TOO_MANY,      ///< More items than the object or the format can hold.
    KERB_ERROR_CONTRADICTION, ///< Two fields that cannot both be right.
    KERB_ERROR_SYNTAX,        ///< Text that does not follow its format.
    KERB_ERROR_UNKNOWN_FIELD, ///< A name that the format or table does not have.
    KERB_ERROR_MISSING_FIELD, ///< A field that must be there and is not.
    KERB_ERROR_WRONG_TYPE     ///< A value of another type than the field has.
} kerb_result;

/// A few words for a result, in English, never NULL: "out of memory".
KERB_API const char* kerb_result_text(kerb_result result);

/// What exactly was wrong. Filled only when a call fails; its text stays valid in the struct.
typedef struct kerb_error {
    kerb_result result; ///< Same as what the call returned.
    int32_t line;       ///< Line of the text that was read, from 1; 0 where there is no text.
    int32_t index;      ///< Index of the item (waypoint, gear …), from 0; -1 where there is none.
    char field[48];     ///< The field's name as in its struct, column or key; may be empty.
    char message[144];  ///< One sentence without full stop: "must be greater than 0".
} kerb_error;

/// Fills `error` (which may be NULL) and returns `result`. Long texts are cut. No allocation.
KERB_API kerb_result kerb_error_set(kerb_error* error, kerb_result result, const char* field,
                                    int32_t line, int32_t index, const char* message);

// --------------------------------------------------------------------------- the host's hooks

/// Memory from the host. `allocate` returns memory aligned to `alignment` (a power of two, at
/// most 64) or NULL; `release` gets back the same size. Called only while objects are created and
/// destroyed, never while driving, and only on the thread of the call that was made.
typedef struct kerb_allocator {
    void* (*allocate)(void* context, size_t size, size_t alignment);
    void (*release)(void* context, void* memory, size_t size);
    void* context;
} kerb_allocator;

typedef enum kerb_log_level { KERB_LOG_DETAIL, KERB_LOG_NOTE, KERB_LOG_WARNING } kerb_log_level;

/// Where the library's remarks go: "3 repeated waypoints were merged". `write` may be NULL.
typedef struct kerb_log {
    void (*write)(void* context, kerb_log_level level, const char* message);
    void* context;
} kerb_log;

/// A piece of work over items [begin, end) of a larger range.
typedef void kerb_task(int32_t begin, int32_t end, void* argument);

/// Threads from the host. `start` makes sure that `task` is called for every item of [0, count)
/// exactly once, in pieces of at least `least_piece` items where possible, and returns a handle;
/// `finish` returns when all of them are done. Results never depend on how items were cut.
typedef struct kerb_tasks {
    void* (*start)(void* context, kerb_task* task, void* argument, int32_t count,
                   int32_t least_piece);
    void (*finish)(void* context, void* handle);
    void* context;
} kerb_tasks;

/// All that the host lends to the library, given when an object is created.
typedef struct kerb_host {
    kerb_allocator allocator;
    kerb_log log;
    kerb_tasks tasks;
} kerb_host;

/// malloc and free, a log that drops everything, tasks that run at once on the calling thread.
KERB_API kerb_host kerb_host_default(void);

// --------------------------------------------------------------------------- assertions

/// Called when the programmer used a function wrongly (a NULL path, say), in builds with
/// KERB_ASSERTIONS. The library's own version prints to stderr and aborts. A host that defines a
/// function of this name and type replaces it when it links the static library; there is no
/// pointer to set, because the library keeps no global state.
KERB_API void kerb_assert_failed(const char* condition, const char* file, int line);

// --------------------------------------------------------------------------- settings tables

typedef enum kerb_setting_type {
    KERB_SETTING_FLOAT, ///< a `float`
    KERB_SETTING_INT,   ///< an `int32_t`
    KERB_SETTING_CHOICE ///< an `int32_t` that counts through `choices`
} kerb_setting_type;

/// One field of a settings struct.
typedef struct kerb_setting {
    const char* name; ///< as in the struct
    size_t offset;    ///< bytes from the start of the struct
    kerb_setting_type type;
    const char* unit;    ///< "m", "m/s", "1" for a pure number
    float least;         ///< smallest legal value
    float most;          ///< greatest legal value
    float standard;      ///< the default
    const char* choices; ///< names separated by '|' for a choice, else NULL
    const char* meaning; ///< one line
} kerb_setting;

/// Every field of a settings struct: the one place from which defaults, validation, the tuner's
/// search space, sliders and the manual's table come.
typedef struct kerb_settings_table {
    const char* name; ///< the struct's name
    size_t size;      ///< its sizeof
    const kerb_setting* settings;
    int32_t count;
} kerb_settings_table;

/// Writes every default into `settings`, a struct of the table's type.
KERB_API void kerb_settings_set_defaults(const kerb_settings_table* table, void* settings);

/// KERB_OK, or NOT_FINITE or OUT_OF_RANGE with the first bad field in `error` (may be NULL).
KERB_API kerb_result kerb_settings_validate(const kerb_settings_table* table, const void* settings,
                                            kerb_error* error);

/// The field called `name`, or NULL.
KERB_API const kerb_setting* kerb_settings_find(const kerb_settings_table* table, const char* name);

/// The value of one field; whole numbers and choices as floats.
KERB_API float kerb_settings_get(const kerb_setting* setting, const void* settings);

/// Sets one field after checking it; on error nothing is changed.
KERB_API kerb_result kerb_settings_set(const kerb_setting* setting, void* settings, float value,
                                       kerb_error* error);

// --------------------------------------------------------------------------- random numbers

/// PCG-XSH-RR 64/32 (O'Neill 2014): small, fast, the same numbers on every machine.
typedef struct kerb_random {
    uint64_t state;
    uint64_t stream;
} kerb_random;

/// Generators with different seeds or streams give unrelated numbers.
KERB_API kerb_random kerb_random_make(uint64_t seed, uint64_t stream);

/// 32 random bits.
KERB_API uint32_t kerb_random_bits(kerb_random* random);

/// Uniform in [0, 1), a multiple of 2^-24.
KERB_API float kerb_random_unit(kerb_random* random);

/// Uniform in [least, most).
KERB_API float kerb_random_between(kerb_random* random, float least, float most);

/// Uniform in 0 … count-1, without bias. [count: > 0]
KERB_API int32_t kerb_random_below(kerb_random* random, int32_t count);

#endif
// Kerb calibrate: measures what an unknown vehicle can do, by driving it.
//
// A game runs it once per model of vehicle, in an empty and level place, and keeps the result:
//
//     kerb_calibrator calibrator = kerb_calibrator_make(&known);    // its size, mass and gears
//     calibrator.settings.room_ahead = 1500.0f;                     // before the first frame
//     while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
//         kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, time_step);
//         → to the vehicle, as if a player had pressed them; then step the physics
//     }
//     if (calibrator.outcome == KERB_CALIBRATION_DONE)
//         vehicle = calibrator.measured;                            // for all drivers
//     else
//         puts(kerb_calibration_failure_text(calibrator.failure));
//
// It drives off gently, launches, goes to top speed, coasts, brakes, reverses, circles at full
// lock, steps throttle and steering, and turns at the limit of grip: some minutes of driving. The
// place is a rectangle around where the vehicle stands at the first call, along its heading; see
// the settings. With less room it measures what fits; `confidence` says how far each number can be
// trusted. It needs position, rotation, velocity and angular velocity of kerb_motion, and the gear
// where the driver shifts; it does not look at kerb_motion.steering.
//
// The whole memory of a calibrator is its struct, without pointers: copy it to save, copy it back
// to go on.
//
// Does not: look out for obstacles, slopes or other vehicles; measure size, mass or drive train;
// find limits that change with speed (steering that gets smaller, say): it measures the steering
// slowly, and the grip at one speed.
#ifndef KERB_CALIBRATE_H
#define KERB_CALIBRATE_H

// Kerb control: parts that several drivers share.
//
// A PI speed controller with anti-windup, pure pursuit and the steering angle for a curvature, the
// gearbox, the arithmetic of braking in time, the speed profile of a whole line, getting unstuck,
// and keeping clear of others. Each is a kernel: plain values in, plain values out; what must be
// remembered lies in a small struct of the caller's.
//
//     float curvature = kerb_pure_pursuit(target_in_vehicle_frame);
//     controls.steering = kerb_steering_for(&vehicle, curvature, speed);
//
// All functions are O(1) where they do not say otherwise, allocate nothing and may be called from
// any thread.
#ifndef KERB_CONTROL_H
#define KERB_CONTROL_H

// Kerb path: the one path type of the whole house.
//
// A course, a lane, a racing line and a plan are all paths: waypoints joined by straight segments,
// each with its distance along the path, corridor, speed limit, direction of travel, banking and
// grip. Open or closed, level or in space, over and under itself.
//
//     kerb_waypoint waypoints[3] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
//                                   kerb_waypoint_at(50, 50, 0)};
//     kerb_path path;
//     kerb_error error;
//     if (kerb_path_create(&path, waypoints, 3, false, &host, &error) != KERB_OK) …
//     kerb_path_location here = kerb_path_nearest(&path, position);            // once
//     here = kerb_path_track(&path, here, position, forward);                  // every frame
//     kerb_path_sample sample = kerb_path_sample_at(&path, here);
//     kerb_path_destroy(&path);
//
// A built path is constant: any number of threads may read it. Hosts that replace paths every
// frame build into memory of their own with kerb_path_build, which never allocates.
//
// Does not: find a way (that is the planner's work) or smooth (that is the driver's).
#ifndef KERB_PATH_H
#define KERB_PATH_H

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

/// As a speed limit: none.
#define KERB_SPEED_UNLIMITED 1.0e6f
/// Greatest coordinate of a waypoint; beyond it a float cannot place a wheel. [m]
#define KERB_POSITION_MAX 1.0e6f
/// As a stop: wait until the host lets it go on (kerb_follower_go). [s]
#define KERB_STOP_FOREVER 1.0e6f

/// One point of a path as the host gives it. Begin with kerb_waypoint_at and change what differs.
typedef struct kerb_waypoint {
    kerb_vec3 position;
    float left;        ///< width of the corridor to the left of the path [m] [>= 0]
    float right;       ///< and to the right [m] [>= 0]
    float speed_limit; ///< from here to the next waypoint [m/s] [> 0]
    float stop;        ///< stand here for so long; 0: drive through [s] [>= 0]
    float bank;        ///< roll of the surface, left side up positive [rad] [-1.5 … 1.5]
    float grip;        ///< of the surface, 1 dry asphalt [1] [0.01 … 10]
    int32_t direction; ///< from here to the next waypoint: 1 forwards, -1 in reverse
} kerb_waypoint;

/// Corridor 2 m to each side, no limit, no stop, level, grip 1, forwards.
KERB_API kerb_waypoint kerb_waypoint_at(float x, float y, float z);

/// KERB_OK when every waypoint by itself is good for a path, or NOT_FINITE or OUT_OF_RANGE with
/// index and field. O(count), allocates nothing.
KERB_API kerb_result kerb_waypoints_check(const kerb_waypoint* waypoints, int32_t count,
                                          kerb_error* error);

/// The same way from its other end, in place: the order, left and right, the sign of the banking
/// change, and what holds from a waypoint to the next (speed limit, direction) holds on the same
/// segments as before. Each `direction` stays as it is: what was driven forwards is driven forwards
/// the other way. Twice gives back the same. A closed path starts where it started. O(count)
KERB_API void kerb_waypoints_reverse(kerb_waypoint* waypoints, int32_t count, bool closed);

/// A vertex of the built path, with what is known about the segment to the next one.
typedef struct kerb_path_point {
    double distance; ///< along the path from its start [m]
    kerb_vec3 position;
    kerb_vec3 direction; ///< unit vector to the next point
    float length;        ///< to the next point [m] [> 0]
    float heading;       ///< of the segment, continuous along the path (not wrapped) [rad]
    float curvature;     ///< turn at this point over half of both segments, left positive [1/m]
    float left, right;   ///< corridor [m]
    float speed_limit;   ///< on the segment [m/s]
    float stop;          ///< [s]
    float bank;          ///< [rad]
    float grip;          ///< [1]
    int32_t travel;      ///< of the segment: 1 forwards, -1 in reverse
} kerb_path_point;

/// A built path. Read it freely; change it only by building again.
typedef struct kerb_path {
    const kerb_path_point* points;
    int32_t count;         ///< points: at least 2; on a closed path the first is not repeated
    int32_t segment_count; ///< count - 1, or count when closed
    bool closed;           ///< the last point leads back to the first
    double length;         ///< [m]
    uint64_t id;           ///< from the content: two equal paths have the same, others differ
    int32_t merged;        ///< waypoints that repeated their predecessor and were merged
    void* memory;          ///< what kerb_path_create allocated, else NULL
    size_t bytes;
    kerb_allocator allocator;
} kerb_path;

/// Bytes that kerb_path_build needs for so many waypoints; aligned to 8.
KERB_API size_t kerb_path_bytes(int32_t waypoint_count);

/// Builds a path into `memory`, which must outlive it. O(count), allocates nothing.
///
/// Waypoints closer than 1 mm to their predecessor are merged with it (the longer stop, the lower
/// speed limit and the narrower corridor stay). Errors: TOO_FEW (fewer than two different
/// points; three when closed), NOT_FINITE, OUT_OF_RANGE with index and field. On error the path is
/// zeroed.
KERB_API kerb_result kerb_path_build(kerb_path* path, void* memory, const kerb_waypoint* waypoints,
                                     int32_t count, bool closed, kerb_error* error);

/// As kerb_path_build, with memory from the host's allocator. Notes merged waypoints in its log.
KERB_API kerb_result kerb_path_create(kerb_path* path, const kerb_waypoint* waypoints,
                                      int32_t count, bool closed, const kerb_host* host,
                                      kerb_error* error);

/// Gives the memory back. Harmless on a zeroed path or one from kerb_path_build.
KERB_API void kerb_path_destroy(kerb_path* path);

/// A place on a path: exact however long the path is. On [0, segment_count) and [0, length]; the
/// functions below return `along` beyond these where the text says so.
typedef struct kerb_path_location {
    int32_t segment; ///< index of the segment's first point
    float along;     ///< distance from that point [m]
} kerb_path_location;

/// Distance from the start of the path. [m] O(1)
KERB_API double kerb_path_distance(const kerb_path* path, kerb_path_location location);

/// The place at a distance from the start, held to the path's ends or wrapped when closed. NaN
/// counts as 0. O(log count)
KERB_API kerb_path_location kerb_path_locate(const kerb_path* path, double distance);

/// The place `step` metres further (negative: back). Held to the ends; wraps when closed. NaN
/// leads nowhere. O(points passed)
KERB_API kerb_path_location kerb_path_advance(const kerb_path* path, kerb_path_location from,
                                              float step);

/// How far along the path `to` lies from `from`; on a closed path in [-length/2, length/2]. [m]
KERB_API float kerb_path_ahead(const kerb_path* path, kerb_path_location from,
                               kerb_path_location to);

/// All that is known about one place of the path.
typedef struct kerb_path_sample {
    kerb_vec3 position;
    kerb_vec3 direction; ///< unit vector of travel along the path
    float curvature;     ///< left positive, between vertices linear [1/m]
    float slope;         ///< rise per level metre in the direction of travel [1]
    float left, right;   ///< corridor, between vertices linear [m]
    float speed_limit;   ///< [m/s]
    float bank;          ///< [rad]
    float grip;          ///< [1]
    int32_t travel;      ///< 1 forwards, -1 in reverse
} kerb_path_sample;

/// O(1). `along` may lie outside the segment: the straight continuation.
KERB_API kerb_path_sample kerb_path_sample_at(const kerb_path* path, kerb_path_location location);

/// Only the position. O(1).
KERB_API kerb_vec3 kerb_path_position(const kerb_path* path, kerb_path_location location);

/// The nearest place of the whole path: for the start, or after a teleport. O(count).
KERB_API kerb_path_location kerb_path_nearest(const kerb_path* path, kerb_vec3 point);

/// The nearest place, preferring where the path goes the vehicle's way: `facing` is the unit
/// vector in which the vehicle travels; a stretch that goes against it, by more than 60 degrees,
/// counts as farther away by up to 3 m. O(count).
KERB_API kerb_path_location kerb_path_nearest_facing(const kerb_path* path, kerb_vec3 point,
                                                     kerb_vec3 facing);

/// Follows a moving point from where it was on the path to where it is now. O(points passed), and
/// the farther off the path, the farther it looks: at most `KERB_PATH_WINDOW` metres each way.
///
/// It slides to the foot of the perpendicular and leaves it only for a place that is nearer even
/// after paying for the way along the path in between (a third of a metre for each metre): so it
/// gets round the corner that a vehicle cuts, but does not jump to a parallel, crossing or
/// overlapping stretch. It never passes a change between forwards and reverse: that is the
/// driver's decision. `facing` as above; the zero vector when unknown. A point that is not finite
/// leaves it where it was.
KERB_API kerb_path_location kerb_path_track(const kerb_path* path, kerb_path_location from,
                                            kerb_vec3 point, kerb_vec3 facing);

/// How far kerb_path_track looks each way along the path. [m]
#define KERB_PATH_WINDOW 20.0f

/// Signed distance from the path, measured level and across it: left positive; past an end, from
/// the straight continuation. [m] O(1)
KERB_API float kerb_path_cross_track(const kerb_path* path, kerb_path_location location,
                                     kerb_vec3 point);

/// Where the stretch of one direction of travel that holds `location` ends: at the next change
/// between forwards and reverse, or at the path's end. A closed path without changes has no end:
/// `location` itself plus one round. O(points to the end), at most `most` metres ahead.
KERB_API kerb_path_location kerb_path_stretch_end(const kerb_path* path,
                                                  kerb_path_location location, float most);

/// The mean position of the path over [location - half, location + half], and the chord between
/// its ends divided by its length: a moving average. Beyond the ends of the stretch of travel the
/// path goes on straight. Rounds a corner as a quadratic Bézier does. O(points in the window)
KERB_API kerb_vec3 kerb_path_mean(const kerb_path* path, kerb_path_location location, float half,
                                  kerb_vec3* chord);

#endif
// Kerb vehicle: what a vehicle can do, what it does now, and what it is told to do.
//
// One kerb_vehicle describes a model of vehicle; measure it once (top speed, braking, turning
// circle). Each frame the host fills a kerb_motion, may fill a kerb_surroundings, asks a driver,
// and hands the kerb_controls to the vehicle as if a player had pressed them.
//
//     kerb_vehicle vehicle = kerb_vehicle_default();    // a middling car
//     vehicle.wheelbase = 3.1f;
//     kerb_motion motion = kerb_motion_default();
//     motion.position = body_position;                  // the vehicle's reference point
//     motion.rotation = body_rotation;
//     motion.velocity = body_velocity;
//
// SI units and radians; x forward, y left, z up. Does not: simulate anything.
#ifndef KERB_VEHICLE_H
#define KERB_VEHICLE_H

/// Most forward gears.
#define KERB_GEARS_MAX 10

/// Standard gravity. [m/s²]
#define KERB_GRAVITY 9.80665f

/// Gear ratios and engine, for vehicles whose gears the driver shifts. A settings struct.
typedef struct kerb_drive_train {
    /// Forward gears that the driver shifts; 0: none, the vehicle shifts for itself and
    /// kerb_controls.gear is only 1 or -1. [0 … KERB_GEARS_MAX]
    int32_t gear_count;
    /// Engine turns per wheel turn, final drive included, first gear first. [1] [> 0]
    float gear_ratio[KERB_GEARS_MAX];
    /// Radius of the driven wheels. [m] [> 0]
    float wheel_radius;
    /// Speed below which the engine would stall. [rad/s]
    float engine_speed_idle;
    /// Speed of greatest power. [rad/s]
    float engine_speed_power;
    /// Greatest speed. [rad/s]
    float engine_speed_max;
    /// How long a shift takes, without drive. [s]
    float shift_time;
} kerb_drive_train;

/// How steering turns a vehicle.
typedef enum kerb_vehicle_kind {
    KERB_VEHICLE_WHEELED, ///< front wheels turn; it turns only while it rolls
    KERB_VEHICLE_TRACKED, ///< tracks of different speed; it can turn where it stands
    KERB_VEHICLE_HOVER    ///< a rudder or jets turn the body; it goes on sliding where it went
} kerb_vehicle_kind;

/// What a model of vehicle can do. A settings struct: see kerb_vehicle_table for ranges.
/// The reference point is the point whose position the host gives, usually the centre of mass.
typedef struct kerb_vehicle {
    /// kerb_vehicle_kind: what kerb_controls.steering means, and what stops a slide.
    int32_t kind;
    /// Bumper to bumper. [m] Cars: 3.5 to 5.5.
    float length;
    /// Across the widest part, without mirrors. [m] Cars: 1.6 to 2.0.
    float width;
    /// From the reference point forward to the front bumper. [m]
    float reference_to_front;
    /// From the reference point back to the rear axle (to the middle of all axles that do not
    /// steer). [m] Cars: 1.2 to 1.8.
    float reference_to_rear_axle;
    /// From the rear axle to the front axle. [m] Cars: 2.4 to 3.2.
    float wheelbase;
    /// Mass with load. [kg]
    float mass;

    /// Greatest angle of the front wheels, mean of left and right. [rad] Cars: 0.5 to 0.7.
    float steering_angle_max;
    /// How fast the front wheels can be turned. [rad/s] Cars: 0.6 to 1.5.
    float steering_rate_max;
    /// From a steering command to the same angle at the wheels, apart from the rate. [s]
    float steering_delay;
    /// Additional wheel angle per lateral acceleration: 0 neutral, positive understeer. [rad s²/m]
    float understeer_gradient;

    /// TRACKED, HOVER: yaw rate at full steering; steering asks for a share of it. [rad/s]
    float yaw_rate_max;
    /// TRACKED, HOVER: how fast the yaw rate changes. [rad/s²]
    float yaw_acceleration_max;

    /// Greatest speed forwards on level ground. [m/s]
    float speed_max;
    /// Greatest speed in reverse. [m/s]
    float reverse_speed_max;
    /// Full throttle from rest on level ground. [m/s²]
    float acceleration_max;
    /// Full throttle in reverse from rest. [m/s²]
    float reverse_acceleration_max;
    /// Greatest power that pushes it, at full throttle and the best speed: mass · speed ·
    /// (acceleration + what resists). What its top speed needs counts as known; say more for
    /// vehicles that a governor holds back. [W] Cars: 40 to 80 times the mass.
    float power;
    /// Full braking on level, dry ground. [m/s²]
    float braking_max;
    /// Deceleration without throttle or brake at low speed: rolling resistance. [m/s²]
    float coasting_deceleration;
    /// Further deceleration by drag, times speed². [1/m] Cars: 0.0003 to 0.0006.
    float drag;
    /// By how much wings and floor add to gravity's push on the tyres, times speed². [1/m] Cars:
    /// 0; with wings 0.0005 to 0.005.
    float downforce;
    /// Sideways grip on level, dry ground, without downforce. [m/s²]
    float lateral_acceleration_max;
    /// From a throttle command to its force. [s]
    float throttle_delay;

    kerb_drive_train drive_train;
} kerb_vehicle;

/// Ranges, defaults and meaning of every number of a kerb_vehicle (gear ratios: first gear's).
KERB_API const kerb_settings_table kerb_vehicle_table;

/// A middling car: 4.5 m long, 2.7 m wheelbase, 50 m/s, shifts for itself.
KERB_API kerb_vehicle kerb_vehicle_default(void);

/// KERB_OK, or the first bad field. Also finds contradictions: a width of more than the length …
KERB_API kerb_result kerb_vehicle_validate(const kerb_vehicle* vehicle, kerb_error* error);

/// Radius of the smallest circle that the rear axle can drive. For TRACKED and HOVER, which have
/// none, half the length: what they turn within when they stand. [m]
KERB_API float kerb_vehicle_turning_radius(const kerb_vehicle* vehicle);

// --------------------------------------------------------------------------- aircraft

/// What a model of aircraft with wings can do. A settings struct: see kerb_aircraft_table. Speeds
/// are true airspeeds at the height at which it is flown.
typedef struct kerb_aircraft {
    /// Nose to tail. [m]
    float length;
    /// Wing tip to wing tip. [m]
    float wingspan;

    /// Slowest level flight with the wings level; with load factor n the square root of n times as
    /// much. [m/s]
    float stall_speed;
    /// Nose above the path of flight at which it stalls. [rad]
    float stall_angle;
    /// What a driver flies at when nobody says how fast. [m/s]
    float cruise_speed;
    /// Greatest speed in level flight. [m/s]
    float speed_max;
    /// Never to be exceeded, in dives. [m/s]
    float speed_never_exceed;
    /// Full throttle at rest, for its mass; falls evenly to what holds speed_max. [m/s²]
    float acceleration_max;
    /// From a throttle command to its thrust. [s]
    float throttle_delay;
    /// Deceleration by drag without lift, times speed². [1/m]
    float drag;
    /// Greatest: metres of gliding per metre of height. [1]
    float glide_ratio;

    /// Lift over weight, greatest and least. [1]
    float load_factor_max, load_factor_min;
    /// Steepest turns that a driver flies: bank of the lift about the path of flight. [rad]
    float bank_max;
    /// At full stick. [rad/s]
    float roll_rate_max, pitch_rate_max, yaw_rate_max;
    /// From the sticks to these rates: time constant. [s]
    float rate_delay;
} kerb_aircraft;

/// Ranges, defaults and meaning of every number of a kerb_aircraft.
KERB_API const kerb_settings_table kerb_aircraft_table;

/// A light aerobatic trainer with a propeller: 31 m/s to 78 m/s.
KERB_API kerb_aircraft kerb_aircraft_default(void);

/// KERB_OK, or the first bad field, or the first that contradicts another.
KERB_API kerb_result kerb_aircraft_validate(const kerb_aircraft* aircraft, kerb_error* error);

/// Deceleration by drag at a speed and a load factor: D·v² + (g·n/(2·E·v))²/D, where D is `drag`
/// and E the glide ratio: a parabolic polar. [m/s²] [speed: > 0]
KERB_API float kerb_aircraft_drag(const kerb_aircraft* aircraft, float speed, float load_factor);

/// Acceleration by full throttle at a speed, drag left out. [m/s²] [>= 0]
KERB_API float kerb_aircraft_thrust(const kerb_aircraft* aircraft, float speed);

/// Steady climb at full throttle at a speed, wings level: speed times excess thrust over weight;
/// negative where it sinks. [m/s] [speed: > 0]
KERB_API float kerb_aircraft_climb_rate(const kerb_aircraft* aircraft, float speed);

/// Greatest load factor at a speed, by stall and by strength. [1]
KERB_API float kerb_aircraft_load_factor(const kerb_aircraft* aircraft, float speed);

/// Radius of the tightest level turn at a speed: v²/(g·sqrt(n² - 1)) with the load factor that
/// bank_max, stall and strength leave. No turn at all: 1e6. [m]
KERB_API float kerb_aircraft_turn_radius(const kerb_aircraft* aircraft, float speed);

// --------------------------------------------------------------------------- one frame

/// What the vehicle does now.
typedef struct kerb_motion {
    kerb_vec3 position;         ///< of the reference point [m]
    kerb_quat rotation;         ///< of the body; its x is the vehicle's forward
    kerb_vec3 velocity;         ///< of the reference point, in the world's axes [m/s]
    kerb_vec3 angular_velocity; ///< in the world's axes; z is the yaw rate [rad/s]
    float steering;             ///< where the wheels are: -1 … 1 of the greatest angle, left +
    int32_t gear;               ///< engaged: -1 reverse, 0 neutral, 1 … forward
    float engine_speed;         ///< [rad/s]; 0 where there is none
    /// Of the wheel that slips most along its way: how much faster than it would roll its rim goes,
    /// as a share of the ground's speed. -1: stands while the car moves; below 0: is braked, above:
    /// spins. Leave it at 0 where it is not known, or where the host itself keeps wheels from
    /// locking and spinning. [1]
    float wheel_slip;
} kerb_motion;

/// At rest at the origin, facing along x, first gear.
KERB_API kerb_motion kerb_motion_default(void);

/// True when no number is NaN or infinite and the rotation is not zero.
KERB_API bool kerb_motion_is_finite(const kerb_motion* motion);

/// Speed along the vehicle's forward axis; negative in reverse. [m/s]
KERB_API float kerb_motion_forward_speed(const kerb_motion* motion);

/// Most places of an intent.
#define KERB_INTENT_PLACES 16

/// What a driver means to do next, told to others so that they need not guess: the strip of ground
/// that its vehicle will sweep, and how much of it the driver has claimed. Drivers fill it (see
/// kerb_follower_intent); a host may fill one for what it moves itself, a tram on its rails, and
/// then calls kerb_intent_bound.
typedef struct kerb_intent {
    int32_t count; ///< of places; fewer than 2: unknown [0 … KERB_INTENT_PLACES]
    float spacing; ///< along the way, from one place to the next [m] [> 0]
    /// Along the middle of the way, level; the first is where the reference point is.
    kerb_vec2 places[KERB_INTENT_PLACES];
    float front, rear; ///< from the reference point to its ends, in the travel's direction [m]
    float width;       ///< of the strip [m] [> 0]
    /// So far its front will go on from here whoever comes: it gives way to nobody there, and there
    /// is room for it to leave. 0: it stands and will stay. [m] [>= 0]
    float clear;
    float waited;        ///< so long it stands only to give way [s]
    kerb_vec2 low, high; ///< corners of a box that holds the strip: kerb_intent_bound
} kerb_intent;

/// Makes `low` and `high` fit the rest. O(places)
KERB_API void kerb_intent_bound(kerb_intent* intent);

/// Something near the vehicle that moves, or stands in the way: another vehicle, a person, a wreck.
typedef struct kerb_neighbour {
    uint32_t id;         ///< the same for as long as it is the same one
    kerb_vec3 position;  ///< of the middle of its footprint [m]
    kerb_vec3 velocity;  ///< [m/s]
    kerb_vec2 forward;   ///< along its length, level, unit length
    float yaw_rate;      ///< left positive [rad/s]
    float length, width; ///< of its footprint [m] [> 0]
    /// What it means to do; NULL: unknown, as of a player. Read during the call only.
    const kerb_intent* intent;
    /// Rounds of a race that it has done; of those that are not in a race leave it 0.
    int32_t laps;
    /// Asks a racer before it to let it by, as by flashing its lights, and how good it is: 0 does
    /// not ask; else as a racer's skill. From kerb_racer_thoughts.asks, or a player's button, then
    /// 1. [0 … 1]
    float asks;
} kerb_neighbour;

/// As a vehicle's own id: it has none, and gives way to everybody with one.
#define KERB_NO_ID UINT32_MAX

/// What is around the vehicle. kerb_surroundings_default(): nothing that matters.
typedef struct kerb_surroundings {
    float speed_cap; ///< greatest speed that the host allows now [m/s] [>= 0]
    float grip;      ///< of the surface here and ahead, times the vehicle's own [1] [> 0]
    /// Of the vehicle itself, of the same kind as its neighbours' ids. Of two that meet as equals,
    /// the one with the lower id goes first. A neighbour with this id is the vehicle itself and is
    /// left out: without ids of your own leave it at KERB_NO_ID.
    uint32_t id;
    /// Others within some seconds of driving, in any order; those farther off cost time and change
    /// nothing. Read during the call only; NULL with a count of 0: nobody.
    const kerb_neighbour* neighbours;
    int32_t neighbour_count;
    /// Rounds of a race that the vehicle has done. A neighbour behind it with more of them laps it,
    /// and a racer lets it by, as under a blue flag.
    int32_t laps;
} kerb_surroundings;

/// No speed cap, grip 1, KERB_NO_ID, nobody near.
KERB_API kerb_surroundings kerb_surroundings_default(void);

/// Why the driver does what it does: the limit that decides its speed, or its state.
typedef enum kerb_reason {
    KERB_REASON_NONE,        ///< not driven yet
    KERB_REASON_CRUISE,      ///< nothing in the way: at the wanted speed or on the way there
    KERB_REASON_CURVE,       ///< a bend here or ahead
    KERB_REASON_SPEED_LIMIT, ///< the path's own speed limit, here or ahead
    KERB_REASON_SPEED_CAP,   ///< kerb_surroundings.speed_cap
    KERB_REASON_STEERING,    ///< coming back to the path or turning hard: as fast as that allows
    KERB_REASON_STOP,        ///< slowing for a stop on the path
    KERB_REASON_WAIT,        ///< standing at a stop
    KERB_REASON_END,         ///< slowing for the end of the path
    KERB_REASON_ARRIVED,     ///< standing at the end of the path
    KERB_REASON_REVERSAL,    ///< slowing for, or making, a change between forwards and reverse
    KERB_REASON_BACKING_OUT, ///< stuck: reversing out, to try another way
    KERB_REASON_TELEPORT,    ///< stuck for good: asks the host to put the vehicle back on the path
    KERB_REASON_GIVEN_UP,    ///< stuck, and the host does not help: stands until it is moved
    KERB_REASON_TOO_STEEP,   ///< holds on a hill that the vehicle cannot climb, and tries again
    KERB_REASON_FOLLOWING,   ///< keeps its gap to something ahead, or stands behind it
    KERB_REASON_GIVE_WAY,    ///< lets another pass that crosses, merges or comes towards it
    KERB_REASON_AVOIDING,    ///< drives beside its line, round something that is in the way
    KERB_REASON_BAD_MOTION,  ///< the host's motion was not finite: braking, wheels straight
    KERB_REASON_BAD_STEP,    ///< the time step was not positive and finite: last controls again
    KERB_REASON_SLIDING,     ///< catches a slide, or brakes out of a spin
    KERB_REASON_OFF_TRACK,   ///< comes back to the track
    KERB_REASON_WRONG_WAY,   ///< faces the wrong way: turns round
    KERB_REASON_COUNT
} kerb_reason;

/// A few words, in English, never NULL: "bend ahead".
KERB_API const char* kerb_reason_text(kerb_reason reason);

/// What the vehicle is told to do, the same inputs that a player has.
typedef struct kerb_controls {
    float throttle; ///< 0 … 1
    float brake;    ///< 0 … 1
    float steering; ///< -1 … 1 of the greatest angle, left positive
    float clutch;   ///< 0 engaged … 1 open
    int32_t gear;   ///< -1 reverse, 0 neutral, 1 … forward
    bool handbrake;
    /// For vehicles that fly: -1 … 1; 0 for all others. Pitch, roll and yaw ask for a share of the
    /// greatest rates about the body's own y, x and z, by the right hand as kerb_motion's
    /// angular_velocity: nose down, right side down, nose left.
    float pitch, roll, yaw, lift;
    kerb_reason reason;
} kerb_controls;

/// Brake held, wheels straight, neutral.
KERB_API kerb_controls kerb_controls_safe(kerb_reason reason);

/// For engines with one signed input (positive drives forwards, negative brakes, then reverses):
/// throttle in the direction of the gear, or braking against the motion. [-1 … 1] (EA section II)
KERB_API float kerb_controls_signed_throttle(const kerb_controls* controls, float forward_speed);

#endif

// --------------------------------------------------------------------------- speed

/// How a speed error becomes an acceleration. A settings struct.
typedef struct kerb_speed_settings {
    float proportional; ///< wanted acceleration per speed error [1/s] [>= 0]
    float integral;     ///< and per speed error summed over time [1/s²] [>= 0]; 0: a P controller
} kerb_speed_settings;

KERB_API const kerb_settings_table kerb_speed_settings_table;

/// What a speed controller remembers. Zero it to start.
typedef struct kerb_speed_controller {
    float sum; ///< acceleration that the integral term contributes [m/s²]
} kerb_speed_controller;

/// The acceleration that closes a speed error: proportional term, integral term, and `known`, the
/// acceleration that is known to be needed (feed-forward). [m/s²]
///
/// Anti-windup by conditional integration: the sum does not grow while the result lies outside
/// [least, most], what the vehicle can do, and the error pushes further out; it may always shrink.
KERB_API float kerb_speed_control(kerb_speed_controller* controller,
                                  const kerb_speed_settings* settings, float speed_error,
                                  float known, float least, float most, float time_step);

/// Greatest speed now that can still come down to `speed` after `distance`, braking at
/// `deceleration`: sqrt(speed² + 2·deceleration·distance). [m/s]
KERB_API float kerb_speed_before(float speed, float distance, float deceleration);

/// Speed through a curvature at a lateral acceleration: sqrt(a/κ), at most `most`. (EA eq. 1)
KERB_API float kerb_speed_in_curve(float curvature, float lateral_acceleration, float most);

/// Throttle, brake and their changes for a wanted acceleration along the direction of travel,
/// with what gravity and drag add already taken off by the caller: > 0 drives, < 0 brakes; small
/// decelerations are left to coasting. Writes throttle and brake. `capacity` is the acceleration
/// at full throttle at this speed and gear. [m/s²] [> 0]
KERB_API void kerb_pedals(const kerb_vehicle* vehicle, float acceleration, float capacity,
                          kerb_controls* controls);

/// Acceleration at full throttle at this speed on level ground, drag left out: acceleration_max, or
/// what the vehicle's power leaves at that speed; the power is never taken for less than the top
/// speed needs. [m/s²]
KERB_API float kerb_throttle_capacity(const kerb_vehicle* vehicle, float speed, bool reverse);

/// Deceleration by rolling resistance and drag at this speed. [m/s²]
KERB_API float kerb_coasting(const kerb_vehicle* vehicle, float speed);

// --------------------------------------------------------------------------- speed profile

/// How the grip that turning uses leaves less for braking and driving.
typedef enum kerb_traction_budget {
    KERB_TRACTION_ELLIPSE, ///< friction ellipse: (along/most along)² + (aside/most aside)² <= 1
    KERB_TRACTION_LINEAR ///< what is left along falls evenly with speed: 1 - v/v_max (Vamos eq. 27)
} kerb_traction_budget;

/// Speeds of which a kerb_performance knows the drive.
#define KERB_DRIVE_COUNT 33

/// What a vehicle can do at its limit, on level, dry ground. From kerb_performance_of or
/// kerb_performance_point_mass; change what differs.
typedef struct kerb_performance {
    float lateral;      ///< sideways grip without downforce, μ·g [m/s²] [> 0]
    float accelerating; ///< most that the driven tyres hold without downforce [m/s²] [>= 0]
    float braking;      ///< most that the braking tyres hold without downforce [m/s²] [>= 0]
    float speed_max;    ///< [m/s] [> 0]
    float rolling;      ///< resistance at any speed [m/s²] [>= 0]
    float drag;         ///< deceleration per speed², Vamos β/m [1/m] [>= 0]
    float downforce;    ///< further normal acceleration per speed², Vamos α/m [1/m] [>= 0]
    int32_t budget;     ///< kerb_traction_budget
    /// What the engine in its best gear gives at even steps of speed from 0 to speed_max, before
    /// resistance; in between linear. [m/s²] [>= 0]
    float drive[KERB_DRIVE_COUNT];
    /// How far braking and driving while turning fall short of the ellipse, as when an axle grows
    /// light or is driven alone: of the share that turning leaves of the tyres, so much counts
    /// squared. ELLIPSE only. Cars: braking 0.3 to 1, driving 0 to 0.4. [0 … 1]
    float braking_loss, driving_loss;
    /// Share of the sideways grip that does not hold under power, as when one driven axle has to
    /// push as well, and a car that no longer slows has less load in front: beyond the rest it
    /// can only coast, and the ellipse of driving ends there. ELLIPSE only. Cars: 0.02 to 0.08.
    /// [0 … 0.5]
    float powered_loss;
    /// What turning takes from the engine, because tyres that hold aside slip: in a bend that uses
    /// so much of the grip, that share of it times the acceleration that they hold aside, times
    /// this. About their slip angle at the limit. ELLIPSE only. Cars: 0.05 to 0.2. [rad] [>= 0]
    float turning_drag;
} kerb_performance;

/// The performance of a vehicle, friction ellipse.
///
/// - Power by gear when the driver shifts: the best gear's pull, with a power curve
///   x + x² - x³ of engine speed over that of greatest power (Genta, "Motor Vehicle Dynamics",
///   1997, for engines with spark plugs), and the clutch slipping below the idle speed. Otherwise
///   power over speed. Never more than acceleration_max, never less than what holds speed_max. The
///   time of a shift is left out.
/// - The driven tyres hold acceleration_max, and at least half of the sideways grip.
/// - Turning costs neither tyres nor engine anything beyond the ellipse: losses and turning_drag 0.
KERB_API kerb_performance kerb_performance_of(const kerb_vehicle* vehicle);

/// A point mass with a friction ellipse and an engine that the tyres limit, without drag: the
/// usual yardstick for racing lines. [m/s², m/s] [> 0]
KERB_API kerb_performance kerb_performance_point_mass(float lateral, float accelerating,
                                                      float braking, float speed_max);

/// One point of a line that is driven, with the surface under it.
///
/// Of the world's up vector the three parts along the direction of travel (climbing: positive),
/// along the surface to the left, and along the surface's normal: level ground has 0, 0, 1.
typedef struct kerb_profile_point {
    float length;    ///< along the line to the next point [m] [>= 0]
    float curvature; ///< within the surface, left positive [1/m]
    /// Out of the surface: positive in a dip, negative on a crest; also what the line's own bend
    /// adds on a banked surface. [1/m]
    float normal_curvature;
    float up_forward, up_left, up_normal; ///< [1] [-1 … 1]
    float grip;                           ///< of the surface, 1 dry asphalt [1] [>= 0]
    float speed_limit;                    ///< [m/s] [>= 0] KERB_SPEED_UNLIMITED: none
} kerb_profile_point;

/// A straight point: level, dry, no limit, `length` to the next.
KERB_API kerb_profile_point kerb_profile_point_level(float length, float curvature);

/// Greatest speed at which the tyres hold the line, at most speed_max and the point's limit;
/// 0 where the vehicle holds at no speed. [m/s] (Vamos eq. 20 in 3D, O(1))
///
/// With surface and signs of kerb_profile_point, s the curvature's sign, c its size:
/// v² = g·(μ·up_normal - s·up_left) / (c - μ·(normal_curvature + downforce)). Denominator <= 0 and
/// numerator > 0: no limit by grip. Numerator <= 0 and denominator > 0: 0. Both negative: it holds
/// from the root on upwards. Departs from the paper: the same against sliding inwards, which a
/// crest and a bank make possible. A point with a number that is not finite: 0.
KERB_API float kerb_cornering_speed(const kerb_performance* performance,
                                    const kerb_profile_point* point);

/// Least speed at which it holds: above 0 where the surface is so steep that a slow vehicle slides
/// down it. Where kerb_cornering_speed is 0: 0. [m/s] O(1)
KERB_API float kerb_cornering_speed_least(const kerb_performance* performance,
                                          const kerb_profile_point* point);

/// Forward acceleration under full braking at a speed, usually negative: what turning leaves of the
/// tyres, gravity, rolling resistance and drag. [m/s²] (Vamos eq. 26 with its signs mended) O(1)
///
/// -g·up_forward - rolling - drag·v² - tyres; these give a share of
/// grip·braking·(up_normal + (normal_curvature + downforce)·v²/g), by the budget. Departs from the
/// paper: eq. 27 scales the tyres' part only, for drag and slope need no grip.
KERB_API float kerb_braking_acceleration(const kerb_performance* performance,
                                         const kerb_profile_point* point, float speed);

/// Forward acceleration at full throttle at a speed: the lesser of what the driven tyres and the
/// engine, less turning_drag, give, less gravity and resistance; may be negative. [m/s²] O(1)
KERB_API float kerb_driving_acceleration(const kerb_performance* performance,
                                         const kerb_profile_point* point, float speed);

/// The fastest speed along a line that the vehicle can drive, by one pass forwards and one
/// backwards. Returns the time from the first point to the last; of a closed line, of one lap.
/// [s] [count: >= 1]
///
/// `speed` receives the speed at each point. Open lines begin with `speed_start` and end with
/// `speed_end` or, where the line forces it, less (KERB_SPEED_UNLIMITED: as fast as the line
/// allows); the last point's length does not count. Closed lines begin where they end, whatever
/// these two say.
///
/// Second order in the points' spacing: with points every 2 m the time is within 0.1 % of that with
/// points every 0.1 m, and so are the speeds, but for single ones in tight bends (0.2 %, linear
/// budget 0.4 %), wherever the points tell the curvature between them. Never NaN: a point that
/// cannot be driven or is not finite gets speed 0, and a stretch where the vehicle would stand
/// counts at 1 cm/s. O(count), allocates nothing; where a vehicle is so weak that it gains speed
/// for several laps, O(laps · count).
KERB_API double kerb_speed_profile(const kerb_performance* performance,
                                   const kerb_profile_point* points, int32_t count, bool closed,
                                   float speed_start, float speed_end, float* speed);

/// Whether a vehicle must brake now: the paper's look-ahead simulation, for lines that change while
/// the vehicle drives. (Vamos section 4.2) O(points within the braking distance)
///
/// From `along` metres past point `index`, at `speed`, it brakes in thought, point by point, until
/// it stands, or an open line ends, or a closed one has gone round; true when it meets a point
/// faster than kerb_cornering_speed on the way. `deceleration` > 0: braking at that rate, as eq.
/// 24; 0: kerb_braking_acceleration, as eq. 26. Ask each frame for where the vehicle will be at the
/// next one: at the first true it is just time.
KERB_API bool kerb_braking_due(const kerb_performance* performance,
                               const kerb_profile_point* points, int32_t count, bool closed,
                               int32_t index, float along, float speed, float deceleration);

// --------------------------------------------------------------------------- steering

/// Curvature of the circle that leaves along x and passes through `target`: 2y/(x²+y²).
/// [1/m] (pure pursuit: Wallace et al. 1985, Coulter 1992). 0 for the zero vector.
KERB_API float kerb_pure_pursuit(kerb_vec2 target);

/// Distance to look ahead: time·speed, held between least and most. [m]
KERB_API float kerb_lookahead_distance(float speed, float time, float least, float most);

/// The steering (-1 … 1) that drives a vehicle on a curvature at a speed. TRACKED, HOVER: the share
/// of the yaw rate κ·v. WHEELED, for the rear axle: the bicycle's
/// atan(wheelbase·κ) plus the understeer gradient's part (an oversteering vehicle counts as
/// neutral); negative speeds reverse.
KERB_API float kerb_steering_for(const kerb_vehicle* vehicle, float curvature, float speed);

/// The curvature that a steering drives at a speed: the inverse of kerb_steering_for. TRACKED and
/// HOVER turn where they stand: below 1 cm/s, that of 1 cm/s. [1/m]
KERB_API float kerb_curvature_of(const kerb_vehicle* vehicle, float steering, float speed);

// --------------------------------------------------------------------------- gears

/// What a gearbox driver remembers. Zero it to start.
typedef struct kerb_gearbox {
    float since_shift; ///< [s]
    int32_t gear;      ///< told last
} kerb_gearbox;

/// The gear to engage now, and whether the clutch must open to do it. For travel in `direction`
/// (1 or -1): up at the speed of greatest power, down when the lower gear is well within it,
/// never two shifts within twice the shift time. From neutral: the gear for the speed, or the one
/// told last while a shift may still be under way. Vehicles without gears of the driver's get
/// `direction`.
KERB_API int32_t kerb_gearbox_drive(kerb_gearbox* gearbox, const kerb_vehicle* vehicle,
                                    const kerb_motion* motion, int32_t direction, float throttle,
                                    float time_step, float* clutch);

// --------------------------------------------------------------------------- getting unstuck

/// What a driver does when its vehicle no longer gets on.
typedef enum kerb_recovery {
    KERB_RECOVERY_NONE,   ///< nothing
    KERB_RECOVERY_SIMPLE, ///< reverses for a while, as EA's stuck manager
    KERB_RECOVERY_FULL    ///< reverses turning, then the other way, then farther, then asks
} kerb_recovery;

/// When a vehicle counts as stuck, and how hard it tries. A settings struct.
typedef struct kerb_stuck_settings {
    int32_t recovery; ///< kerb_recovery
    float patience;   ///< pressing on without moving for so long is being stuck [s]
    float distance;   ///< backs out so far at first, twice as far later [m]
    int32_t tries;    ///< before it asks to be put back
    float asking;     ///< how long it asks before it gives up [s]
} kerb_stuck_settings;

KERB_API const kerb_settings_table kerb_stuck_settings_table;

typedef enum kerb_stuck_phase {
    KERB_STUCK_FREE,     ///< drives
    KERB_STUCK_BACK_OUT, ///< reverses
    KERB_STUCK_ASK,      ///< asks the host to put the vehicle back
    KERB_STUCK_GIVEN_UP  ///< stands
} kerb_stuck_phase;

/// What a stuck manager remembers. Zero it to start.
typedef struct kerb_stuck {
    int32_t phase;  ///< kerb_stuck_phase
    int32_t tries;  ///< that it has made at this place
    float side;     ///< backing out, turn the nose to the left (1) or right (-1)
    float waited;   ///< pressing on in vain [s]
    float circled;  ///< moving, but not getting on [s]
    float in_phase; ///< [s]
    float moved;    ///< since `waited` began, or in this phase [m]
    double mark;    ///< progress when it last got on well [m]
    double where;   ///< progress where it got stuck [m]
} kerb_stuck;

/// Watches one frame and says what to do. `progress` along the path [m], `speed` along the travel
/// [m/s], `presses`: the driver wants to move and nothing that it knows holds it (false at stops,
/// while waiting and when standing is meant), `turn`: the heading change that it wants, left
/// positive [rad].
///
/// Stuck is: pressing on for `patience` seconds within 0.15 m, so that a slow hill is not, or for
/// 12 s without 2 m of new progress. Waiting never counts. Forgets its tries after 5 m of progress
/// past the place.
KERB_API kerb_stuck_phase kerb_stuck_watch(kerb_stuck* stuck, const kerb_stuck_settings* settings,
                                           double progress, float speed, bool presses, float turn,
                                           float time_step);

/// Asks the host at once, without backing out, for what that does not help: a hill that is too
/// steep. From the next kerb_stuck_watch on; with KERB_RECOVERY_NONE that never asks. O(1)
KERB_API void kerb_stuck_ask(kerb_stuck* stuck);

// --------------------------------------------------------------------------- others on the road

/// Greatest speed behind something at `gap` metres that moves away at `speed_ahead` (negative: it
/// comes towards): from it the vehicle, after `time` at that speed, can still stop `least` behind
/// where the other comes to rest, both braking at `braking` (Gipps, 1981, eq. 2, without its speed
/// now). Behind something of constant speed v this settles at the gap least + v·time. Never
/// negative. [m/s] [time: >= 0; braking: > 0]
KERB_API float kerb_gap_speed(float gap, float speed_ahead, float time, float least, float braking);

/// On which side of the road one drives.
typedef enum kerb_driving_side {
    KERB_DRIVE_RIGHT, ///< and meets others on its left
    KERB_DRIVE_LEFT
} kerb_driving_side;

/// How a driver keeps clear of others. A settings struct.
typedef struct kerb_avoid_settings {
    float gap_time;       ///< to what drives ahead [s] [>= 0] Cars: 0.8 to 2.
    float gap_least;      ///< to what stands ahead [m] [>= 0]
    float patience;       ///< what faces the same way and stands is gone round after so long [s]
    int32_t driving_side; ///< kerb_driving_side
} kerb_avoid_settings;

KERB_API const kerb_settings_table kerb_avoid_settings_table;

/// Most stations of a way.
#define KERB_WAY_STATIONS 16

/// One place of the way that a vehicle is about to drive.
typedef struct kerb_way_station {
    kerb_vec3 position;
    kerb_vec2 direction; ///< of travel, level, unit length
    float left, right;   ///< room from here to the edges of where it may drive [m]
    float along;         ///< from the vehicle's reference point [m], rising from station to station
    float time;          ///< until the vehicle plans to be there, if nobody is in its way [s]
} kerb_way_station;

/// The way that a vehicle is about to drive, and the vehicle, in its direction of travel.
typedef struct kerb_way {
    kerb_way_station stations[KERB_WAY_STATIONS];
    int32_t count;      ///< [2 … KERB_WAY_STATIONS]
    uint32_t id;        ///< of the vehicle
    float speed;        ///< now, along the way [m/s]
    float offset;       ///< of the vehicle now, to the left of the way [m]
    float slant;        ///< of its body against the way, left positive [rad]
    float drift;        ///< by which that grows now, per metre of the way
    float offset_wish;  ///< what is steered for now, on its way to kerb_avoid.offset [m]
    float reach;        ///< errors to the side fade over about this distance [m] [> 0]
    float reach_least;  ///< the same from rest [m] [> 0]
    float slope;        ///< by which a wish for another offset grows, aside per metre [> 0]
    float front, rear;  ///< from the reference point to its ends, in the travel's direction [m]
    float width;        ///< [m]
    float braking;      ///< that it plans with [m/s²] [> 0]
    float braking_most; ///< as hard as it can [m/s²] [>= braking]
    float speed_wanted; ///< if nobody were there [m/s]
    /// The same way as others are told of it; NULL: nobody is told.
    const kerb_intent* intent;
} kerb_way;

/// What an avoiding driver remembers. Zero it to start.
typedef struct kerb_avoid {
    uint32_t standing;  ///< id of what stands in the way
    float standing_for; ///< since when [s]; 0: nothing does
    float waited;       ///< standing still because of others [s]
    float blocked;      ///< standing still behind something that stands, too [s]
    float held;         ///< it has made room and leaves the others so much time to use it [s]
    float offset;       ///< wanted, to the left of the way [m]
    float clear;        ///< claimed of the way, from the front on: kerb_intent.clear [m]
    float yielded;      ///< standing still to give way alone: kerb_intent.waited [s]
} kerb_avoid;

/// What to do about the others.
typedef struct kerb_avoid_answer {
    float speed;        ///< greatest now; 1e6: nobody limits it [m/s]
    float offset;       ///< wanted, to the left of the way [m]
    kerb_reason reason; ///< FOLLOWING, GIVE_WAY or AVOIDING; NONE: nobody matters
    int32_t index;      ///< of the neighbour that decides; -1: none
    bool blocked;       ///< has stood so long before something that stands that it should back out
} kerb_avoid_answer;

/// What others on its way mean for a vehicle: one frame.
///
/// - What drives ahead the same way is followed (kerb_gap_speed).
/// - What stands ahead is gone round when there is room on the way and nobody comes; what faces the
///   same way may be waiting itself and is given `patience` seconds first. Else it stops behind.
/// - Who comes head-on is met on the driving side.
/// - Of two whose ways cross or merge the one goes first who would clearly be there first, else the
///   one with the lower id. Who can no longer stop goes on. With every second that both stand the
///   id counts for more, so that a circle of vehicles which wait for one another dissolves.
/// - What stands in the way for long asks for backing out (`blocked`), the higher id first.
/// - Whose intents are known are not predicted: where their strips and the vehicle's own overlap,
///   the vehicle claims its way, zone by zone, before it enters (`clear`), and never claims what
///   another has claimed or is in. Of two that claim the same at once one keeps it: who can no
///   longer stop, who is clearly through before, the lower id. It enters no crossing that it could
///   not leave, and where ways merge it follows who comes sooner.
///
/// Others are predicted by velocity and yaw rate over 6 s, as rectangles with a margin. A neighbour
/// that is not finite, has no size, is larger than 1 km or carries the vehicle's own id is left
/// out. The answer does not depend on the neighbours' order. O(neighbours · KERB_WAY_STATIONS),
/// with intents O(neighbours · KERB_INTENT_PLACES) for those near, and at most 16 zones
KERB_API kerb_avoid_answer kerb_avoid_others(kerb_avoid* avoid, const kerb_avoid_settings* settings,
                                             const kerb_way* way, const kerb_neighbour* neighbours,
                                             int32_t count, float time_step);

/// Distance behind the vehicle to the nearest neighbour that it would meet reversing straight; far
/// away (1e6) when none. [m] O(neighbours)
KERB_API float kerb_room_behind(const kerb_way* way, const kerb_neighbour* neighbours,
                                int32_t count);

#endif

/// The place, and how far to go. A settings struct; set it before the first call.
typedef struct kerb_calibration_settings {
    float room_ahead;  ///< free length in front of the start [m]
    float room_behind; ///< behind it [m]
    float room_aside;  ///< and to each side [m]
    float speed_most;  ///< not driven faster: a top speed above it is extrapolated [m/s]
    float time_most;   ///< for everything; then it has failed [s]
} kerb_calibration_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_calibration_settings_table;

/// 3 km ahead, 100 m behind, 200 m to each side.
KERB_API kerb_calibration_settings kerb_calibration_settings_default(void);

/// How it stands.
typedef enum kerb_calibration_outcome {
    KERB_CALIBRATION_RUNNING,
    KERB_CALIBRATION_DONE,  ///< `measured` is a valid kerb_vehicle; see `confidence` for each field
    KERB_CALIBRATION_FAILED ///< see `failure`; what was measured before stays readable
} kerb_calibration_outcome;

/// Why it failed.
typedef enum kerb_calibration_failure {
    KERB_CALIBRATION_NO_FAILURE,
    KERB_CALIBRATION_DOES_NOT_MOVE,  ///< full throttle, and it stands, or goes back
    KERB_CALIBRATION_DOES_NOT_STOP,  ///< full brake, and it rolls
    KERB_CALIBRATION_DOES_NOT_STEER, ///< full lock, and it goes straight, or the other way
    KERB_CALIBRATION_TIPPED_OVER,
    KERB_CALIBRATION_OUT_OF_ROOM, ///< it left the place that the settings give it
    KERB_CALIBRATION_BAD_MOTION,  ///< the host's motion was not finite for a second
    KERB_CALIBRATION_OUT_OF_TIME, ///< kerb_calibration_settings.time_most is over
    KERB_CALIBRATION_NO_VEHICLE,  ///< what came out contradicts itself or lies out of range
    KERB_CALIBRATION_FAILURE_COUNT
} kerb_calibration_failure;

/// A few words, in English, never NULL: "it tipped over".
KERB_API const char* kerb_calibration_failure_text(kerb_calibration_failure failure);

/// What it does now.
typedef enum kerb_calibration_phase {
    KERB_CALIBRATION_DRIVE_OFF,      ///< gently, to see that it moves and stops
    KERB_CALIBRATION_TOP_SPEED,      ///< full throttle, as long as it gains speed
    KERB_CALIBRATION_COAST,          ///< rolling, fast
    KERB_CALIBRATION_BRAKE,          ///< full braking
    KERB_CALIBRATION_CIRCLE,         ///< slowly at full lock, left and right
    KERB_CALIBRATION_ROLL,           ///< rolling, slowly
    KERB_CALIBRATION_THROTTLE_STEP,  ///< from rolling to some throttle
    KERB_CALIBRATION_LAUNCH,         ///< full throttle from rest
    KERB_CALIBRATION_REVERSE,        ///< the same backwards, up to top speed
    KERB_CALIBRATION_STEERING_RAMP,  ///< from lock to lock
    KERB_CALIBRATION_STEERING_STEPS, ///< small, slowly and less slowly
    KERB_CALIBRATION_GRIP,           ///< turning in until it gives no more
    KERB_CALIBRATION_UNDERSTEER,     ///< round a circle, faster and faster
    KERB_CALIBRATION_PHASE_COUNT
} kerb_calibration_phase;

/// A few words, in English, never NULL: "braking".
KERB_API const char* kerb_calibration_phase_text(kerb_calibration_phase phase);

/// The numbers that it measures.
typedef enum kerb_calibration_field {
    KERB_CALIBRATES_STEERING_ANGLE_MAX,
    KERB_CALIBRATES_STEERING_RATE_MAX,
    KERB_CALIBRATES_STEERING_DELAY,
    KERB_CALIBRATES_UNDERSTEER_GRADIENT,
    KERB_CALIBRATES_YAW_RATE_MAX,
    KERB_CALIBRATES_YAW_ACCELERATION_MAX,
    KERB_CALIBRATES_SPEED_MAX,
    KERB_CALIBRATES_REVERSE_SPEED_MAX,
    KERB_CALIBRATES_ACCELERATION_MAX,
    KERB_CALIBRATES_REVERSE_ACCELERATION_MAX,
    KERB_CALIBRATES_POWER,
    KERB_CALIBRATES_BRAKING_MAX,
    KERB_CALIBRATES_COASTING_DECELERATION,
    KERB_CALIBRATES_DRAG,
    KERB_CALIBRATES_LATERAL_ACCELERATION_MAX,
    KERB_CALIBRATES_THROTTLE_DELAY,
    KERB_CALIBRATION_FIELD_COUNT
} kerb_calibration_field;

/// The field of kerb_vehicle by its name there, so that kerb_vehicle_table has unit and meaning;
/// never NULL.
KERB_API const char* kerb_calibration_field_name(kerb_calibration_field field);

/// How far a number can be trusted.
typedef enum kerb_calibration_confidence {
    KERB_CALIBRATION_GIVEN,     ///< not measured, or not of this kind of vehicle: as it was given
    KERB_CALIBRATION_ESTIMATED, ///< extrapolated, or a bound: the room or the vehicle did not allow
                                ///< to reach it
    KERB_CALIBRATION_MEASURED
} kerb_calibration_confidence;

/// "given", "estimated", "measured".
KERB_API const char* kerb_calibration_confidence_text(kerb_calibration_confidence confidence);

/// Samples of a quick response that are kept until it is over.
#define KERB_CALIBRATION_SAMPLES 160

/// Intervals of a run at full throttle that are kept.
#define KERB_CALIBRATION_PUSHES 32

/// Running sums of a least-squares fit of up to two slopes: y = c₀ + c₁ x₁ + c₂ x₂.
typedef struct kerb_calibration_fit {
    double matrix[3][3];
    double right[3];
    int32_t count;
} kerb_calibration_fit;

/// A calibrator. Plain data.
typedef struct kerb_calibrator {
    kerb_calibration_settings settings;
    kerb_vehicle measured;                            ///< as given, with what was measured so far
    uint8_t confidence[KERB_CALIBRATION_FIELD_COUNT]; ///< kerb_calibration_confidence, by field
    kerb_calibration_outcome outcome;
    kerb_calibration_failure failure;
    kerb_calibration_phase phase;
    float progress;         ///< 0 … 1, by manoeuvres done
    float time;             ///< since the first call [s]
    kerb_controls controls; ///< of the last frame
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
        bool placed;       // the start is known
        kerb_vec3 start;   // [m]
        kerb_vec3 ahead;   // unit, level
        float bad_time;    // [s]
        int32_t manoeuvre; // index
        bool approaching;  // on the way to where it begins
        int32_t step;      // within the manoeuvre
        float step_time;   // [s]
        float phase_time;  // [s]
        float travel;      // 1: along the start's heading, -1: back
        int32_t turns;     // round, for this manoeuvre
        float steady_time; // how long the approach has been where it should be [s]
        kerb_speed_controller speed_control;
        kerb_gearbox gearbox;
        int32_t gear; // held during a measurement
        // The last frame.
        kerb_vec3 velocity;
        float speed, heading;
        // Of the measurement under way; what each means is said where it is taken.
        float mark[12];
        int32_t count;
        float sample_time[KERB_CALIBRATION_SAMPLES];
        float sample[KERB_CALIBRATION_SAMPLES];
        int32_t sample_count;
        kerb_calibration_fit fit;
        // What is put together at the end.
        kerb_calibration_fit coasting;
        float top_acceleration, top_speed;         // where the run to top speed was cut short
        float braking_rate, braking_square;        // mean deceleration, and mean of speed²
        float throttle_dead, throttle_lag;         // parts of the delay of the throttle [s]
        float push_gain[KERB_CALIBRATION_PUSHES];  // of half the speed², a second [m²/s³]
        float push_speed[KERB_CALIBRATION_PUSHES]; // there [m/s]
        int32_t push_count;
        float push_time;  // how long each took [s]
        float flat_speed; // up to which the engine keeps its force [m/s]
        float grip_lateral, grip_steering, grip_speed; // where it turned hardest
        float lock_curvature, lock_lateral;            // at full lock [1/m], [m/s²]
    } memory;
} kerb_calibrator;

/// A calibrator for a vehicle of which the host knows kind, length, width, reference_to_front,
/// reference_to_rear_axle, wheelbase, mass and drive_train; the other fields are taken as first
/// guesses, for which kerb_vehicle_default's will do. [known: passes kerb_vehicle_validate]
KERB_API kerb_calibrator kerb_calibrator_make(const kerb_vehicle* known);

/// What to press now. The vehicle stands at the first call, and from then on nobody else drives
/// it. Once it is DONE or FAILED the brake is held. Motion that is not finite: brake. O(1), about
/// 0.2 µs; at the end of a manoeuvre O(samples), once some 0.2 ms. Allocates nothing; one thread at
/// a time for one calibrator. [time_step: > 0; 1/120 to 1/20 s are tested]
KERB_API kerb_controls kerb_calibrator_drive(kerb_calibrator* calibrator, const kerb_motion* motion,
                                             float time_step);

#endif
// Kerb cars: cars among cars. Chase, ram, box in, block, flee, escort, drive in a column.
//
//     kerb_steering wish = kerb_chase(&settings, &agent, &target, road, false, time_step, NULL);
//
// Does not: find a way round what stands in the way (that is the planner's work).
#ifndef KERB_CARS_H
#define KERB_CARS_H

// Kerb steer: where should this agent head now, and how fast?
//
// Reactive behaviours for anything that moves and cannot turn on the spot: cars, tanks, ships,
// aircraft, walkers. Each is a pure function of what is now: agent in, wish out; nothing is
// remembered between frames unless the behaviour's own small struct says so. Wishes combine, and
// what remains becomes a direction, a force, or a vehicle's controls.
//
//     kerb_agent agent = kerb_agent_of(&vehicle, &motion);
//     kerb_steering wish = kerb_directed_seek(&settings, &agent, &goal, time_step, NULL);
//     kerb_vec3 force = kerb_steering_force(&agent, &wish, mass, time_step);   // or
//     kerb_controls controls = kerb_steering_drive(&driver, &wish, &motion, NULL, time_step);
//
// Level agents leave every z at 0: the same functions then are two-dimensional, to the bit.
//
// Does not: find a way round what stands in the way (that is the planner's work).
#ifndef KERB_STEER_H
#define KERB_STEER_H

// Kerb curve: plane and space curves that several rooms measure.
//
// The shortest way from one pose to another for something that cannot turn on the spot: forwards
// only (Dubins), or in reverse as well (Reeds and Shepp). And the quadratic Bézier with its
// greatest curvature, from which the path follower of EA estimates how sharp the way ahead is.
//
//     kerb_pose here = kerb_pose_make(0.0f, 0.0f, 0.0f), there = kerb_pose_make(9.0f, 4.0f, 1.57f);
//     float metres = kerb_dubins_length(here, there, radius);         // how far it is, at least
//     kerb_curve way = kerb_dubins(here, there, radius);              // and how to drive it
//     kerb_curve_place place = kerb_curve_at(&way, 0.5f * metres);    // where one is halfway
//     kerb_curve rest = kerb_curve_rest(&way, driven);                // keep it while following
//     float sharpest = kerb_bezier_curvature_max(p1, p2, p3); // 1/m; limit: sqrt(a / sharpest)
//
// All functions are pure, O(1), allocate nothing and may be called from any thread.
#ifndef KERB_CURVE_H
#define KERB_CURVE_H

// --------------------------------------------------------------------------- ways of arcs

/// Most pieces of a kerb_curve.
#define KERB_CURVE_PIECES 5

/// A way of arcs and straights, one after the other without a corner. Plain data.
typedef struct kerb_curve {
    kerb_pose start;
    int32_t count;                      ///< of pieces [0 … KERB_CURVE_PIECES]
    float curvature[KERB_CURVE_PIECES]; ///< left positive, whichever way it is driven [1/m]
    float length[KERB_CURVE_PIECES];    ///< negative: driven in reverse [m]
} kerb_curve;

/// A point of a kerb_curve.
typedef struct kerb_curve_place {
    kerb_pose pose;
    float curvature; ///< of the piece that goes on from here [1/m]
    int32_t travel;  ///< 1 forwards, -1 in reverse
} kerb_curve_place;

/// Metres driven along the whole way, those in reverse counted like the others. [m] O(pieces)
KERB_API float kerb_curve_length(const kerb_curve* curve);

/// The place `distance` metres along; before the start (or NaN) the start, beyond the end the end.
/// Pieces without length are passed over. O(pieces)
KERB_API kerb_curve_place kerb_curve_at(const kerb_curve* curve, float distance);

/// Where it ends. O(pieces)
KERB_API kerb_pose kerb_curve_end(const kerb_curve* curve);

/// What is left of the same way after `distance` metres: the same pieces, the first of them cut;
/// beyond the end none. O(pieces) What remains falls by just what was driven. To follow a way, keep
/// it and ask for its rest: asked anew from where one is, the shortest way may be another one, and
/// beside the end of an arc it is longer by a whole circle.
KERB_API kerb_curve kerb_curve_rest(const kerb_curve* curve, float distance);

// --------------------------------------------------------------------------- Dubins

// Poses count as what floats can say: a goal that rounding may have moved off a way (by up to 2e-6
// of its distance and of its coordinates, 5e-7 rad) counts as being on it, so that no circle
// appears where there is none. Lengths are exact to about 1e-6 of themselves plus of the radius;
// where two circles barely reach one another they grow with the square root of what is missing, and
// rounding shows a hundred times as much.
//
// Radii from 1e-15 to 1e15 m, distances up to 1e15 radii; beyond, and for numbers that are NaN or
// infinite, there is no way: KERB_NO_WAY, or a kerb_curve without pieces.

/// The six words: left, right and straight in the order in which they are driven.
typedef enum kerb_dubins_word {
    KERB_DUBINS_LSL,
    KERB_DUBINS_RSR,
    KERB_DUBINS_LSR,
    KERB_DUBINS_RSL,
    KERB_DUBINS_RLR,
    KERB_DUBINS_LRL,
    KERB_DUBINS_WORD_COUNT
} kerb_dubins_word;

/// What functions return as the length of a way that does not exist. [m]
#define KERB_NO_WAY 1.0e30f

/// Length of the shortest way from one pose to another with no turn tighter than `radius`,
/// forwards only. (L. E. Dubins, 1957) [m] [radius: > 0] Less than 100 ns.
KERB_API float kerb_dubins_length(kerb_pose from, kerb_pose to, float radius);

/// The same among the four words of turn, straight, turn alone (Pinter; the AIPATH thesis): closer
/// than four radii up to several times longer. [m]
KERB_API float kerb_dubins_length_csc(kerb_pose from, kerb_pose to, float radius);

/// Length of one word; KERB_NO_WAY where the circles lie so that it does not exist. [m]
KERB_API float kerb_dubins_word_length(kerb_dubins_word word, kerb_pose from, kerb_pose to,
                                       float radius);

/// The shortest way itself, always in three pieces, some perhaps without length. Of words of the
/// same length, the first in kerb_dubins_word. About 180 ns.
KERB_API kerb_curve kerb_dubins(kerb_pose from, kerb_pose to, float radius);

/// The way by one word, count 0 where it does not exist.
KERB_API kerb_curve kerb_dubins_by_word(kerb_dubins_word word, kerb_pose from, kerb_pose to,
                                        float radius);

/// Many poses, each component in an array of its own.
typedef struct kerb_poses {
    const float *x, *y, *forward_x, *forward_y;
} kerb_poses;

/// kerb_dubins_length of `count` pairs, to the bit, several at a time: about 30 ns a pair with the
/// SSE2 of every x86-64, 11 ns where Kerb is built with -march=x86-64-v3. [count: >= 0]
KERB_API void kerb_dubins_lengths(kerb_poses from, kerb_poses to, float radius, int32_t count,
                                  float* lengths);

// --------------------------------------------------------------------------- Reeds and Shepp

// Poses count as what floats can say: a goal that rounding may have moved off a way counts as being
// on it, and pieces that rounding alone would ask for are left out. So a way ends within a few
// millionths of its length and of the coordinates from the goal, and of a radian. Where circles
// barely touch, or a goal lies aside of the start, lengths grow with the root of what is missing.
//
// Radii from 1e-30 to 1e30 m; beyond, and for numbers that are NaN or infinite, there is no way:
// KERB_NO_WAY, or a kerb_curve without pieces.

/// Words of Reeds and Shepp: nine families, each with its mirror images in time and in space.
/// By number of reversals, those with fewest first.
#define KERB_REEDS_SHEPP_WORDS 48

/// Length of the shortest way from one pose to another with no turn tighter than `radius`,
/// forwards and in reverse. (J. A. Reeds and L. A. Shepp, 1990) [m] [radius: > 0] About 200 ns,
/// wherever the goal lies.
KERB_API float kerb_reeds_shepp_length(kerb_pose from, kerb_pose to, float radius);

/// Length of one word with every arc shorter than a whole circle, KERB_NO_WAY where the circles lie
/// so that it does not exist. [word: 0 … 47] [m]
KERB_API float kerb_reeds_shepp_word_length(int32_t word, kerb_pose from, kerb_pose to,
                                            float radius);

/// A word written out, reverse pieces in small letters: "LrSl…". [word: 0 … 47]
KERB_API const char* kerb_reeds_shepp_word_text(int32_t word);

/// The shortest way itself; of equally short ones the first word's. Pieces without length are left
/// out: no pieces where the poses are the same. About 0.4 µs. To follow it, keep it and ask for
/// kerb_curve_rest: asked anew from where one is, an equally short way may be another one.
KERB_API kerb_curve kerb_reeds_shepp(kerb_pose from, kerb_pose to, float radius);

/// The way by one word, count 0 where it does not exist.
KERB_API kerb_curve kerb_reeds_shepp_by_word(int32_t word, kerb_pose from, kerb_pose to,
                                             float radius);

// --------------------------------------------------------------------------- Bézier

/// Curvature of a curve that turns back on itself (radius 1 cm): stands for infinity, so that
/// speeds and comparisons stay finite. [1/m]
#define KERB_CURVATURE_CUSP 100.0f

/// A point of the quadratic Bézier with control points p1, p2, p3. [t: 0 … 1] (EA eq. 2)
KERB_API kerb_vec3 kerb_bezier_point(kerb_vec3 p1, kerb_vec3 p2, kerb_vec3 p3, float t);

/// The greatest curvature on the quadratic Bézier, without sampling. [1/m] (EA eq. 3 and 4)
///
/// With A the triangle's area and m the midpoint of p1 p3: |p2-m|³/A² when p2 lies outside both
/// spheres on the diameters p1-m and m-p3, else max(A/|p1-p2|³, A/|p3-p2|³). Eq. 3
/// is printed with the factor 1/2 outside the square; it belongs inside. Three points in a row
/// give 0; a curve that doubles back gives KERB_CURVATURE_CUSP, which also bounds all results.
KERB_API float kerb_bezier_curvature_max(kerb_vec3 p1, kerb_vec3 p2, kerb_vec3 p3);

#endif
// Kerb neighbour: who is near, for every room that looks at others.
//
// A uniform grid over the plane, built anew in every frame from the positions by counting sort:
// what it finds, and in which order, depends on places, indices and the grid's sizes alone. Memory
// is given once. The world has no bounds: items far away cost no more than near ones.
//
//     kerb_neighbour_grid grid;
//     kerb_neighbour_grid_create(&grid, 5000, &host, &error);      // once
//     kerb_neighbour_grid_build(&grid, x, y, NULL, count, 10.0f);  // every frame
//     int32_t found[16];
//     int32_t near = kerb_neighbours_within(&grid, position, 20.0f, found, 16);
//
// Does not: remember anything from one frame to the next, look at sizes or shapes.
#ifndef KERB_NEIGHBOUR_H
#define KERB_NEIGHBOUR_H

/// Most items that a grid can be made for.
#define KERB_NEIGHBOUR_CAPACITY_MAX (1 << 26)

/// The grid. Rows of cells lie on one ring of cells, each row beginning about a golden section of
/// the ring behind the row below it; so that crowds, long roads and lone items in the distance all
/// spread over the ring. Cells that share a place on it are told apart by the distance test.
/// May be read by several threads at once while none builds.
typedef struct kerb_neighbour_grid {
    int32_t capacity;  ///< most items
    int32_t count;     ///< items in it now; those whose position is not finite are left out
    int32_t cells;     ///< of the ring, a power of two
    int32_t stride;    ///< from a row of cells to the one above it, on the ring
    float cell_size;   ///< side of a cell [m]
    int32_t* begins;   ///< [cells + 1] where each cell's items begin in the arrays below
    int32_t* indices;  ///< [capacity] of the items, cell by cell, in a cell rising
    float *x, *y, *z;  ///< [capacity] their positions in the same order [m]
    int32_t* scratch;  ///< [capacity] each item's cell while it builds
    size_t owned_size; ///< of the memory that kerb_neighbour_grid_create took; 0: the caller's
    kerb_allocator allocator;
} kerb_neighbour_grid;

/// Bytes of memory that a grid for `capacity` items needs: about 24 an item and 8 to 16 more for
/// its cells; 0 when capacity is out of range. [1 … KERB_NEIGHBOUR_CAPACITY_MAX]
KERB_API size_t kerb_neighbour_grid_bytes(int32_t capacity);

/// An empty grid in memory that the caller owns: kerb_neighbour_grid_bytes(capacity) bytes aligned
/// to 16, used until the grid is no longer. Nothing to destroy. O(capacity)
KERB_API void kerb_neighbour_grid_init(kerb_neighbour_grid* grid, int32_t capacity, void* memory);

/// An empty grid in the host's memory. Errors: OUT_OF_RANGE (capacity), OUT_OF_MEMORY.
KERB_API kerb_result kerb_neighbour_grid_create(kerb_neighbour_grid* grid, int32_t capacity,
                                                const kerb_host* host, kerb_error* error);

/// Gives the memory of kerb_neighbour_grid_create back. A zeroed grid is left alone.
KERB_API void kerb_neighbour_grid_destroy(kerb_neighbour_grid* grid);

/// Fills the grid with the items at (x[i], y[i], z[i]), i in [0, count), instead of those that were
/// in it; `z` NULL: all at 0. Good sizes of cells are from half of the usual radius to the whole;
/// they are held to [1e-3, 1e6] m. No allocation. O(count + capacity) [count: <= capacity]
KERB_API void kerb_neighbour_grid_build(kerb_neighbour_grid* grid, const float* x, const float* y,
                                        const float* z, int32_t count, float cell_size);

/// The items at most `radius` from `position`: their indices, in the grid's order, as far as
/// `capacity` goes. Returns how many there are, which may be more. None for a position that is not
/// finite or a radius that is negative or NaN; radii are held to 1e18 m, and distances below
/// 1e-19 m count as 0. The grid's order: rows of cells by rising y, cells by rising x, in a cell by
/// index; where more than a fifth of the ring would be looked over, another that depends on the
/// capacity, too. O(items in cells that the circle's square touches)
KERB_API int32_t kerb_neighbours_within(const kerb_neighbour_grid* grid, kerb_vec3 position,
                                        float radius, int32_t* indices, int32_t capacity);

/// The `count` items nearest to `position` and at most `radius` from it, the nearest first, of two
/// as near the one with the lower index. Writes their indices and their squared distances [m²];
/// returns how many. Else as kerb_neighbours_within; costs up to about twice as much as that with
/// the radius of the last one found.
KERB_API int32_t kerb_neighbours_nearest(const kerb_neighbour_grid* grid, kerb_vec3 position,
                                         float radius, int32_t* indices, float* distances_squared,
                                         int32_t count);

// --------------------------------------------------------------------------- for batches

/// Items of the grid that lie one behind the other: [begin, end) of its arrays.
typedef struct kerb_neighbour_run {
    int32_t begin, end;
} kerb_neighbour_run;

/// The cells that a circle's square touches: `rows` rows of `columns` cells each.
typedef struct kerb_neighbour_cells {
    uint32_t first;  ///< place of the lowest row's first cell, before it is wrapped to the ring
    int32_t columns; ///< of each row
    int32_t rows;    ///< 0: no cells
    bool is_all;     ///< too many: one row then stands for all cells
} kerb_neighbour_cells;

/// The cells in which to look for what is within `radius` of `position`: every item within it, and
/// none twice.
KERB_API kerb_neighbour_cells kerb_neighbour_cells_near(const kerb_neighbour_grid* grid,
                                                        kerb_vec3 position, float radius);

/// As kerb_neighbour_cells_near, for every position in the rectangle from `least` to `most` at
/// once.
KERB_API kerb_neighbour_cells kerb_neighbour_cells_round(const kerb_neighbour_grid* grid,
                                                         kerb_vec2 least, kerb_vec2 most,
                                                         float radius);

/// The items in row number `row` of `cells`: one or two runs, because the ring has a seam. An
/// empty second run has begin = end.
static inline void kerb_neighbour_row(const kerb_neighbour_grid* grid,
                                      const kerb_neighbour_cells* cells, int32_t row,
                                      kerb_neighbour_run runs[2]) {
    const uint32_t mask = (uint32_t)grid->cells - 1u;
    const uint32_t place = cells->first + (uint32_t)row * (uint32_t)grid->stride;
    const int32_t begin = (int32_t)(place & mask), end = begin + cells->columns;
    const bool wraps = end > grid->cells;
    runs[0].begin = grid->begins[begin];
    runs[0].end = grid->begins[wraps ? grid->cells : end];
    runs[1].begin = 0;
    runs[1].end = wraps ? grid->begins[end - grid->cells] : 0;
}

#endif

// --------------------------------------------------------------------------- agents and wishes

/// What a behaviour must know of who steers.
typedef struct kerb_agent {
    kerb_vec3 position; ///< of its middle [m]
    kerb_vec3 forward;  ///< the way it faces and drives, unit length
    float speed;        ///< along forward; negative: in reverse [m/s]
    float radius;       ///< of a circle, or in space a sphere, round its body [m] [>= 0]
    float turn_radius;  ///< of the tightest circle that it can drive now [m] [>= 0]
    float speed_max;    ///< [m/s] [> 0]
    float acceleration; ///< greatest, for gaining speed [m/s²] [> 0]
    float braking;      ///< greatest, for losing it [m/s²] [> 0]
} kerb_agent;

/// What a behaviour wishes.
typedef struct kerb_steering {
    kerb_vec3 direction; ///< that its front shall turn to, unit length; the zero vector: no wish
    float speed;         ///< wanted along its front; negative: in reverse [m/s]
} kerb_steering;

/// No wish: combining leaves it out; alone, agents go on as now, and kerb_steering_drive, which has
/// a vehicle to answer for, brakes.
KERB_API kerb_steering kerb_steering_none(void);

/// The agent that a vehicle is now: its tightest circle at this speed by steering and by grip.
/// Level: height and pitch are left out, so give it goals and obstacles at height 0.
KERB_API kerb_agent kerb_agent_of(const kerb_vehicle* vehicle, const kerb_motion* motion);

/// The wish as a force on a body of `mass`, for engines that steer by forces: within what the agent
/// can do, along its front by acceleration and braking, across it by v²/turn_radius. [N]
KERB_API kerb_vec3 kerb_steering_force(const kerb_agent* agent, const kerb_steering* wish,
                                       float mass, float time_step);

/// The agent one step later when it does what it wishes as well as it can: turns by at most
/// |speed|·time_step / turn_radius, and gains or loses speed within its limits. The kinematic
/// model that the documentation's figures are for; hosts without physics may move by it.
KERB_API kerb_agent kerb_agent_step(const kerb_agent* agent, const kerb_steering* wish,
                                    float time_step);

// --------------------------------------------------------------------------- single behaviours

// After C. Reynolds, "Steering behaviors for autonomous characters" (GDC 1999), for agents that
// drive circles no tighter than turn_radius. None supposes a turn on the spot: a place inside the
// turning circle is reached by turning away from it first, not orbited.
//
// All are pure, allocate nothing and may be called from any thread. Numbers that are NaN or
// infinite: kerb_steering_none(). A time step that is 0 only coarsens the last step. Agents steer
// forwards. Level agents and targets (every z 0) get level wishes, to the bit, where the text does
// not say otherwise.
//
// After something that moves, which one?
//     kerb_pursue            to touch it, from wherever; any agent, in space, too
//     kerb_directed_pursuit  to get behind it, facing as it does: to shoot, dock or escort
//     kerb_offset_pursue     to come to a place beside it and go along with it
//     kerb_chase             a car after a car: knows the road, bodies, and ramming ("cars")
// Away from something, which one?
//     kerb_flee              from a place, straight away
//     kerb_evade             from something that moves: from where it will be
//     kerb_escape            a car from cars, among walls: tries ways out, reverses ("cars")
// Not into others or things, which one?
//     kerb_avoid_obstacles   what stands: discs, spheres, walls; turns round them
//     kerb_keep_clear        who moves and asks it, too: no contact, by turns and brakes
//     kerb_keep_distance     own side in a chase, where touching is allowed: brakes only ("cars")
//     kerb_separation        an urge in a flock, no promise
// In a place beside another, which one?
//     kerb_offset_pursue     one companion, from anywhere; the place turns rigidly with its leader
//     kerb_formation_keep    many in a shape that bends with the way; waits, backs up, parks
//     kerb_keep_place        a car round a car's body, into a gap of a metre; reverses ("cars")

/// What may stand in the way: all within `radius` of the straight line between two points. A disc
/// or sphere has both at its middle; a wall or pole has radius 0 or its half thickness.
typedef struct kerb_obstacle {
    kerb_vec3 from, to; ///< [m]
    float radius;       ///< [m] [>= 0]
} kerb_obstacle;

/// A disc, or in space a sphere.
KERB_API kerb_obstacle kerb_obstacle_round(kerb_vec3 middle, float radius);

/// A thin wall, or in space a pole.
KERB_API kerb_obstacle kerb_obstacle_between(kerb_vec3 from, kerb_vec3 to);

/// Length of the shortest way to a place, facing any way there: turn and straight, or, to a place
/// inside the turning circle, a turn away from it and a turn back. [m] O(1), about 80 ns. NaN for
/// numbers that are not finite. (Bui and others, 1994)
KERB_API float kerb_seek_distance(const kerb_agent* agent, kerb_vec3 target);

/// To a place, at full speed and through it, by kerb_seek_distance's way. Passes it within 1 cm and
/// a tenth of the metres in a step, where a step is at most a third of the turning radius. At the
/// place (within 1 cm and 6 % of a step): no wish. O(1), about 70 ns.
KERB_API kerb_steering kerb_seek(const kerb_agent* agent, kerb_vec3 target, float time_step);

/// Away from a place that is at most `distance` away [m], at full speed; farther off, or at the
/// place: no wish. O(1)
KERB_API kerb_steering kerb_flee(const kerb_agent* agent, kerb_vec3 threat, float distance);

/// As kerb_seek, but stops at the place, within 1 cm and a tenth of the metres in a step at full
/// speed: brakes at `braking`, as late as that allows. At the place: to stand. O(1), about 120 ns.
KERB_API kerb_steering kerb_arrive(const kerb_agent* agent, kerb_vec3 target, float time_step);

/// The first time at which something at `offset` from a pursuer, moving at `velocity`, can be met
/// at `speed`: the least t >= 0 with |offset + velocity·t| = speed·t. -1 when there is none. [s]
KERB_API float kerb_intercept_time(kerb_vec3 offset, kerb_vec3 velocity, float speed);

/// To where a moving target is first met: at the agent's full speed, turns included, but not the
/// time that it needs to gain speed; slower where it would be there too early. Looks ahead at most
/// `horizon` [s]; so far also where the target cannot be caught. At the target: no wish. O(1),
/// about 150 ns when it faces the place to meet, 1 to 3 µs while it must turn.
KERB_API kerb_steering kerb_pursue(const kerb_agent* agent, const kerb_agent* target, float horizon,
                                   float time_step);

/// Away from where a threat at most `distance` away will be when it has come half of its way to
/// where both pass nearest as they go now, or in `horizon` [s]. Half, because a point beyond the
/// agent would make it flee towards a threat that comes straight at it. O(1)
KERB_API kerb_steering kerb_evade(const kerb_agent* agent, const kerb_agent* threat, float distance,
                                  float horizon);

/// To a place that moves with a leader, at `offset` in its frame (x ahead, y to its left, z up),
/// and then along with it at its speed. Far off, as kerb_pursue; a little ahead of the place it
/// waits for it at no less than three tenths of the leader's speed. With a leader that stands, as
/// kerb_arrive. O(1)
KERB_API kerb_steering kerb_offset_pursue(const kerb_agent* agent, const kerb_agent* leader,
                                          kerb_vec3 offset, float horizon, float time_step);

/// To the middle between two others, where it will be when the agent gets there; then along with
/// it. As kerb_offset_pursue. O(1)
KERB_API kerb_steering kerb_interpose(const kerb_agent* agent, const kerb_agent* first,
                                      const kerb_agent* second, float horizon, float time_step);

/// Behind the obstacle whose hiding place is nearest: `clearance` beyond it and the agent's own
/// radius [m], seen from the threat. Stops there. Does not avoid it: combine. No obstacle: no
/// wish. O(count)
KERB_API kerb_steering kerb_hide(const kerb_agent* agent, kerb_vec3 threat,
                                 const kerb_obstacle* obstacles, int32_t count, float clearance,
                                 float time_step);

/// How kerb_wander_drive wanders. A settings struct.
typedef struct kerb_wander_settings {
    float speed;       ///< [m/s] [>= 0]
    float turn_rate;   ///< greatest; less where the turning circle allows less [rad/s] [>= 0]
    float climb_rate;  ///< the same up and down; 0: stays level [rad/s] [>= 0]
    float change_time; ///< after which it no longer knows how it turned [s] [> 0]
} kerb_wander_settings;

KERB_API const kerb_settings_table kerb_wander_settings_table;

/// All defaults.
KERB_API kerb_wander_settings kerb_wander_settings_default(void);

/// What a wanderer remembers.
typedef struct kerb_wander {
    kerb_random random;
    float turn;  ///< share of the greatest turn rate, left positive [-1 … 1]
    float climb; ///< share of the greatest climb rate, up positive [-1 … 1]
} kerb_wander;

/// A wanderer of its own for every seed.
KERB_API kerb_wander kerb_wander_make(uint64_t seed);

/// Wanders about. The turn rate walks at random between its bounds and is thrown back at them: from
/// the first step on every rate between them is as likely as any other, at every frame rate, and
/// what it was fades by 1/e in `change_time`. Turns within the agent's circle. O(1)
KERB_API kerb_steering kerb_wander_drive(kerb_wander* wander, const kerb_wander_settings* settings,
                                         const kerb_agent* agent, float time_step);

/// Along a path in its direction of travel, anywhere in its corridor (in space as high, up and
/// down, as its narrower side is wide): as long as what lies ahead in `lookahead_time` [s], or in
/// half a turning radius if that is farther, goes along it and inside, straight on; else to the
/// middle. Keeps the path's speed limits, and stops at the end of an open one. `here`:
/// kerb_path_track's. Does not reverse, nor stop under way, nor slow down for bends. O(points
/// passed)
KERB_API kerb_steering kerb_follow_path(const kerb_agent* agent, const kerb_path* path,
                                        kerb_path_location here, float lookahead_time,
                                        float time_step);

/// Along the nearest wall, `distance` metres off its surface, with the wall on its left (`side` 1)
/// or right (-1). Round its ends, too. Aims at least a turning radius ahead. Level. No wall: no
/// wish. O(count)
KERB_API kerb_steering kerb_follow_wall(const kerb_agent* agent, const kerb_obstacle* walls,
                                        int32_t count, int32_t side, float distance,
                                        float lookahead_time);

typedef enum kerb_region_kind {
    KERB_REGION_POLYGON, ///< level, simple, in either sense
    KERB_REGION_BOX,     ///< level when least.z equals most.z
    KERB_REGION_ROUND    ///< a sphere; for level agents a disc
} kerb_region_kind;

/// Where to stay.
typedef struct kerb_region {
    int32_t kind;             ///< kerb_region_kind
    const kerb_vec2* corners; ///< POLYGON
    int32_t corner_count;     ///< POLYGON [>= 3]
    kerb_vec3 least, most;    ///< BOX: its corners [m]
    kerb_vec3 middle;         ///< ROUND [m]
    float radius;             ///< ROUND [m]
} kerb_region;

/// Stays inside with its whole body, `margin` metres from the border. It wishes nothing while one
/// of its turning circles fits inside whatever it does in this step, and else drives on the one
/// that fits, at its speed: so whatever it does otherwise, it never leaves a region that it was in
/// with a circle to drive. Where none fits it turns to the better side, at a quarter of its full
/// speed. O(corners); a box in space about 1 µs.
KERB_API kerb_steering kerb_contain(const kerb_agent* agent, const kerb_region* region,
                                    float margin, float time_step);

/// Directions on a grid of places.
typedef struct kerb_flow_field {
    const kerb_vec3* directions; ///< [layers][rows][columns] lengths: share of full speed [0 … 1]
    int32_t columns;             ///< along x [>= 1]
    int32_t rows;                ///< along y [>= 1]
    int32_t layers;              ///< along z; 1: the same at every height [>= 1]
    kerb_vec3 origin;            ///< of the first place [m]
    float spacing;               ///< between places [m] [> 0]
} kerb_flow_field;

/// The field at a place, linear between the grid's places; beyond them, as at the border. O(1)
KERB_API kerb_vec3 kerb_flow_at(const kerb_flow_field* field, kerb_vec3 place);

/// With the flow where the agent will be in `lookahead_time` [s]. No flow there: no wish. O(1)
KERB_API kerb_steering kerb_follow_flow(const kerb_agent* agent, const kerb_flow_field* field,
                                        float lookahead_time);

/// How far an agent can turn to `direction` and then drive on, before it comes closer to an
/// obstacle than `margin`; at most `horizon`. Closer from the start: than it is. [m] O(count),
/// times the points where it looks, at most 64.
KERB_API float kerb_free_distance(const kerb_agent* agent, kerb_vec3 direction,
                                  const kerb_obstacle* obstacles, int32_t count, float margin,
                                  float horizon);

/// How kerb_avoid_obstacles looks ahead. A settings struct.
typedef struct kerb_obstacles_settings {
    int32_t space; ///< choice: 0 level (turns to the side only), 1 space (above and below, too)
    float margin;  ///< to keep from obstacles [m] [>= 0]
    float time;    ///< looks so far ahead, beyond stopping distance and turning circle [s] [>= 0]
} kerb_obstacles_settings;

KERB_API const kerb_settings_table kerb_obstacles_settings_table;

/// All defaults.
KERB_API kerb_obstacles_settings kerb_obstacles_settings_default(void);

/// The wish itself where its way is free, else the direction nearest to it and to the agent's own
/// that is: out of 32 on the level or 34 in space, fixed in the world, so that what was free stays
/// so. Never faster than stops in time. `wish` none: on as now. `goal_distance`: what lies farther
/// is not in the way [m] (INFINITY: all is). Wishes to reverse pass on as they are. Blocked on all
/// sides it stands: the way out in reverse is the stuck manager's or the planner's. O(count) where
/// the wish is free, up to 34 times that: among 20 obstacles 1 to 10 µs.
KERB_API kerb_steering kerb_avoid_obstacles(const kerb_obstacles_settings* settings,
                                            const kerb_agent* agent, const kerb_steering* wish,
                                            const kerb_obstacle* obstacles, int32_t count,
                                            float goal_distance, float time_step);

// --------------------------------------------------------------------------- combination

// Three ways to make one wish of several. A sum is cheapest and smoothest, for wishes that never
// forbid (flocking, wander with seek); opposite ones cancel out. Priority is for a few that must
// not be outvoted, in order (contain, then avoid, then seek). A context map is for many wishes
// among many dangers: it never takes the mean of left and right, and shows what it weighs. A wish
// that must be met exactly, as kerb_directed_seek's, goes through kerb_avoid_obstacles, or a
// context map, unchanged wherever it is free; in a sum it does not.

/// The weighted mean of directions and of speeds; none are left out, weights not above 0 too.
/// Opposite ones that cancel out: none. O(count)
KERB_API kerb_steering kerb_steering_sum(const kerb_steering* wishes, const float* weights,
                                         int32_t count);

/// Wishes in order, the most important first; each takes `shares[i]` of a budget of 1, or what is
/// left of it, and the result is their mean by what they took. A share of 1 lets nothing through to
/// later ones while it wishes anything. O(count)
KERB_API kerb_steering kerb_steering_priority(const kerb_steering* wishes, const float* shares,
                                              int32_t count);

/// Directions of a level context map: every 22.5 degrees from x on.
#define KERB_CONTEXT_LEVEL 16
/// And of one in space: those, eight each 45 degrees above and below, straight up, straight down.
#define KERB_CONTEXT_SPACE 34

/// Interest and danger by direction (A. Fray, "Context behaviours know how to share", GDC 2013).
/// Directions are fixed in the world, so that a choice lasts while the agent turns. A direction
/// aims at the strongest wish that lies in it, else along its middle: nothing is lost by rounding.
typedef struct kerb_context {
    int32_t count;                           ///< KERB_CONTEXT_LEVEL or KERB_CONTEXT_SPACE
    kerb_vec3 direction[KERB_CONTEXT_SPACE]; ///< where each aims, unit length
    float interest[KERB_CONTEXT_SPACE];      ///< [>= 0]
    float danger[KERB_CONTEXT_SPACE];        ///< [0 … 1] 1: never
    float speed[KERB_CONTEXT_SPACE];         ///< wished there [m/s]
    float speed_most[KERB_CONTEXT_SPACE];    ///< safe there [m/s]
    float held[KERB_CONTEXT_SPACE];          ///< interest of the wish that each aims at
} kerb_context;

/// An empty map.
KERB_API kerb_context kerb_context_make(bool level);

/// Adds a wish: each direction keeps the greatest of `weight`·(1 + cosine)/2 so far, and the speed
/// that goes with it. [weight: > 0] Call before kerb_context_add_obstacles: it decides where
/// directions aim. O(directions)
KERB_API void kerb_context_add_wish(kerb_context* context, const kerb_steering* wish, float weight);

/// Adds danger towards a direction: `danger`·cosine in those within 90 degrees of it, where that is
/// more than there was. [danger: 0 … 1] O(directions)
KERB_API void kerb_context_add_danger(kerb_context* context, kerb_vec3 direction, float danger);

/// Adds obstacles: the danger of a direction is the share of `horizon` metres that is not free that
/// way (kerb_free_distance), and its speed one that stops in time. O(directions × count): on the
/// level 20 obstacles about 10 µs.
KERB_API void kerb_context_add_obstacles(kerb_context* context, const kerb_agent* agent,
                                         const kerb_obstacle* obstacles, int32_t count,
                                         float margin, float horizon, float time_step);

/// The direction with the most interest·(1 - danger), of equal ones the first, as a wish; none
/// where that is 0 everywhere. O(directions)
KERB_API kerb_steering kerb_context_decide(const kerb_context* context);

// --------------------------------------------------------------------------- driving by wishes

/// How kerb_steering_drive turns a wish into pedals and steering. A settings struct.
typedef struct kerb_steering_driver_settings {
    float acceleration;         ///< greatest that it uses, within the vehicle's [m/s²] [> 0]
    float deceleration;         ///< likewise [m/s²] [> 0]
    float lateral_acceleration; ///< share of the vehicle's grip that it uses [1] [> 0]
    float response_time;        ///< small errors of the heading fade over this time [s] [> 0]
    float turn_time;            ///< slows down to turn to the wish in this time, grip allowing [s]
    kerb_speed_settings speed_control;
} kerb_steering_driver_settings;

KERB_API const kerb_settings_table kerb_steering_driver_settings_table;

/// All defaults.
KERB_API kerb_steering_driver_settings kerb_steering_driver_settings_default(void);

/// What drivers of this room remember of their pedals.
typedef struct kerb_pedal_memory {
    kerb_speed_controller speed_control;
    kerb_gearbox gearbox;
    int32_t travel; ///< 1 forwards, -1 in reverse, 0: none yet
    float held;     ///< deceleration added to hold it against who pushes [m/s²]
} kerb_pedal_memory;

/// Turns wishes into the controls of a vehicle. Plain data; change settings and vehicle any time.
typedef struct kerb_steering_driver {
    kerb_steering_driver_settings settings;
    kerb_vehicle vehicle;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion or wishes that were not finite, or a bad step
    kerb_pedal_memory memory;
} kerb_steering_driver;

/// A driver at the start of its life, default settings. The vehicle must be valid.
KERB_API kerb_steering_driver kerb_steering_driver_make(const kerb_vehicle* vehicle);

/// The controls that bring the vehicle's front to the direction that is wished, as fast as its
/// wheels and its grip allow and without swinging past, and it to the speed. No direction: wheels
/// straight, at the speed of the wish (0: it brakes and holds). A change between forwards and
/// reverse comes after a stop. What turns where it stands (TRACKED, HOVER) does so when wished a
/// speed of 0. A hovercraft aims its nose so that it slides the way that is wished. Of
/// `surroundings` (may be NULL) it heeds speed_cap and grip. O(1), allocates nothing.
///
/// Where the way must turn by much, it slows down to what grip allows in `turn_time`, but no
/// further than helps. Wheels get no more throttle and brake than turning leaves of their grip, and
/// a rear that slides is steered after, pedals let go, until it holds. Motion or wishes that are
/// not finite give the safe controls; a bad time step (see kerb_follower_drive) the last ones.
KERB_API kerb_controls kerb_steering_drive(kerb_steering_driver* driver, const kerb_steering* wish,
                                           const kerb_motion* motion,
                                           const kerb_surroundings* surroundings, float time_step);

#endif

// --------------------------------------------------------------------------- cars

// Cars among cars: chase, ram, box in, block, flee, escort, drive in a column. Others are
// kerb_neighbours. What comes out are wishes: through kerb_avoid_obstacles, where there are walls,
// to kerb_steering_drive. All is level and pure; nothing is remembered but in a kerb_box and a
// kerb_trail. Agents or others that are not finite: kerb_steering_none().

/// Where a target will be after `time` seconds: on `road` (may be NULL) when it drives along it,
/// as far aside of it as now; else on the circle that it drives, at most a third of a turn, and
/// straight on from there. O(1); with a road O(points).
KERB_API kerb_vec3 kerb_predict_car(const kerb_neighbour* target, const kerb_path* road,
                                    float time);

/// Where and when a target is met first.
typedef struct kerb_meeting {
    kerb_vec3 position; ///< [m]
    float time;         ///< [s]
} kerb_meeting;

/// The first place of kerb_predict_car's that the agent reaches no later than the target, by
/// kerb_seek_distance's way: gaining speed as far as it can, from the speed that it has along that
/// way. In `horizon` at the latest [s]. O(1); with a road O(points), about thirty times.
KERB_API kerb_meeting kerb_meet_car(const kerb_agent* agent, const kerb_neighbour* target,
                                    const kerb_path* road, float horizon);

/// How cars of this section drive. A settings struct.
typedef struct kerb_cars_settings {
    float horizon;      ///< looks so far ahead [s] [> 0]
    float gap;          ///< between two bodies, driving [m] [>= 0]
    float gap_closed;   ///< likewise, when the one in the middle hardly moves [m] [>= 0]
    float closing;      ///< greatest speed at which it comes nearer to its place [m/s] [> 0]
    float slowing;      ///< deceleration by which it brings others to rest [m/s²] [> 0]
    float deceleration; ///< that it counts on to come to its place in time [m/s²] [> 0]
} kerb_cars_settings;

KERB_API const kerb_settings_table kerb_cars_settings_table;

/// All defaults.
KERB_API kerb_cars_settings kerb_cars_settings_default(void);

/// Hunts a target: to where it is met, not to where it was. `ram`: into it at full speed; else up
/// to `gap` behind it and along with it. `meeting` (may be NULL): where. As kerb_meet_car.
KERB_API kerb_steering kerb_chase(const kerb_cars_settings* settings, const kerb_agent* agent,
                                  const kerb_neighbour* target, const kerb_path* road, bool ram,
                                  float time_step, kerb_meeting* meeting);

/// Comes to a place that moves with another car, at `offset` in its frame from its middle to the
/// agent's (x ahead, y to its left), and stays there; round the other car, not through it. What has
/// got past its place lets itself fall back; near one that hardly moves, it may reverse: to a place
/// behind it, and until a place that lies inside its turning circle lies outside. `width`: of the
/// agent's body [m]. O(1)
KERB_API kerb_steering kerb_keep_place(const kerb_cars_settings* settings, const kerb_agent* agent,
                                       const kerb_neighbour* leader, kerb_vec2 offset, float width);

/// Brakes a wish so that the agent does not run hard into others of its own side: not faster than
/// lets it close in at 2.5 m/s, by half more than `deceleration`, on who will be in its way; softer
/// touches are left to the crowd round a target. It does not steer: kerb_avoid_obstacles does,
/// before. `size`: length and width of the agent's body [m];
/// `self`: own index among `others`, -1: none of them. O(count)
KERB_API kerb_steering kerb_keep_distance(const kerb_cars_settings* settings,
                                          const kerb_agent* agent, kerb_vec2 size,
                                          const kerb_steering* wish, const kerb_neighbour* others,
                                          int32_t count, int32_t self);

/// Sides of a car, in the order in which few cars take them.
typedef enum kerb_side {
    KERB_SIDE_FRONT,
    KERB_SIDE_BEHIND,
    KERB_SIDE_LEFT,
    KERB_SIDE_RIGHT,
    KERB_SIDE_COUNT
} kerb_side;

/// Most cars round one.
#define KERB_BOX_CARS 8

/// Who takes which side of a car. Zero it to start.
typedef struct kerb_box {
    int32_t count;               ///< cars that have one
    int32_t side[KERB_BOX_CARS]; ///< kerb_side; -1: none, waits behind
} kerb_box;

/// Shares the sides out: such that the sum of the squares of the ways is least, so that no two ways
/// cross. Who has a side keeps it while another way is not better by a fifth. `count` beyond
/// KERB_BOX_CARS: the others wait. Fewer than four: the first sides of kerb_side. O(count), 1 µs.
KERB_API void kerb_box_assign(kerb_box* box, const kerb_cars_settings* settings,
                              const kerb_neighbour* target, const kerb_neighbour* cars,
                              int32_t count);

/// The place at a side: for a body of `length` and `width`, in the target's frame. [m]
KERB_API kerb_vec2 kerb_box_offset(const kerb_neighbour* target, int32_t side, float gap,
                                   float length, float width);

/// Boxes a target in, together with the others in `box`: to its own side; the one in front brakes
/// the target down, and once it hardly moves all close in. Nobody pushes it from behind. `self`:
/// own index among `cars`. Whose side lies behind a wall waits in the second row on the other side.
/// `place` (may be NULL): where it is going. O(obstacles)
KERB_API kerb_steering kerb_box_in(const kerb_box* box, const kerb_cars_settings* settings,
                                   int32_t self, const kerb_agent* agent,
                                   const kerb_neighbour* cars, const kerb_neighbour* target,
                                   const kerb_obstacle* obstacles, int32_t obstacle_count,
                                   float time_step, kerb_vec3* place);

/// Keeps to its side of a car that is to be protected, `gap` off. O(1)
KERB_API kerb_steering kerb_escort(const kerb_box* box, const kerb_cars_settings* settings,
                                   int32_t self, const kerb_agent* agent,
                                   const kerb_neighbour* cars, const kerb_neighbour* protected_car);

/// Stops a target by getting in its way. From behind it overtakes, gets in front and brakes it
/// down; `across`: one who is ahead of it drives into its way instead, at a place that it reaches
/// first, if there is one in the horizon, and, if it stands across there, stays. O(1); with a road
/// O(points).
KERB_API kerb_steering kerb_block(const kerb_cars_settings* settings, const kerb_agent* agent,
                                  const kerb_neighbour* target, const kerb_path* road, bool across,
                                  kerb_vec2 size, float time_step);

/// Flees from cars, and not into walls: tries out 24 directions, and, slow, reversing, for as long
/// as the horizon, and takes the way that stays free the longest and farthest from where the
/// pursuers will be; rather ahead than back. `size`: length and width of the agent's body [m].
/// None: no pursuers and nothing in the way. O(pursuers + obstacles), about 20 µs for 4 and 40.
KERB_API kerb_steering kerb_escape(const kerb_cars_settings* settings, const kerb_agent* agent,
                                   kerb_vec2 size, const kerb_neighbour* pursuers, int32_t count,
                                   const kerb_obstacle* obstacles, int32_t obstacle_count);

/// Points of a kerb_trail.
#define KERB_TRAIL_POINTS 128

/// Where the first of a column has driven. Zero it to start.
typedef struct kerb_trail {
    int32_t count;  ///< points so far, the newest last
    int32_t newest; ///< index of the newest
    float distance; ///< of the newest, driven since the start [m]
    kerb_vec2 points[KERB_TRAIL_POINTS];
    kerb_vec2 here; ///< where it is now
} kerb_trail;

/// A point every so many metres: the trail reaches back 254 m.
#define KERB_TRAIL_SPACING 2.0f

/// Notes where the first is now. Once a frame. After a jump of more than 50 m it begins anew. O(1)
KERB_API void kerb_trail_record(kerb_trail* trail, kerb_vec3 position);

/// Drives in a column, in the trail of the first, so that nobody cuts corners: `distance` metres of
/// the trail behind the first, both middles, at the speed that keeps it. `leader`: the first one;
/// `ahead`: the car in front, never closer to it than half of `gap`. O(points)
KERB_API kerb_steering kerb_convoy(const kerb_trail* trail, const kerb_cars_settings* settings,
                                   const kerb_agent* agent, const kerb_neighbour* leader,
                                   const kerb_neighbour* ahead, float distance);

#endif
// Kerb draw: what a driver thinks, as lines, points and text in a buffer that the caller owns.
//
//     kerb_draw_line lines[512]; kerb_draw_point points[64]; kerb_draw_text texts[16];
//     kerb_draw_buffer buffer = kerb_draw_buffer_make(lines, 512, points, 64, texts, 16);
//     kerb_draw_follower(&buffer, &follower, &path, &motion); // or kerb_draw_racer
//     for (int i = 0; i < buffer.line_count; i++) engine_line(lines[i].from, lines[i].to, …);
//
// World coordinates. What does not fit is counted in `dropped`, never written; what has no finite
// place is left out. O(items drawn), allocates nothing. Does not: render.
#ifndef KERB_DRAW_H
#define KERB_DRAW_H

// Kerb follow: drives a vehicle along a path.
//
//     kerb_follower follower = kerb_follower_make(&vehicle);      // default settings
//     follower.settings.speed = 12.0f;                            // any time
//     each frame:
//         kerb_controls controls =
//             kerb_follower_drive(&follower, &path, &motion, &surroundings, time_step);
//         → throttle, brake, steering, gear to the vehicle, as if a player had pressed them
//
// The path may be another one in every frame: the follower finds itself on it and goes on without
// a jerk. The whole memory of a follower is its struct, without pointers: copy it to save a game,
// copy it back to roll back a frame.
//
// Three methods share the interface, so that they can be compared:
//   KERB      Kerb's own. Drives the smoothest line near the path that the vehicle can hold,
//             with the speed that its curves, limits, stops and braking distances allow. Where a
//             bend ends in a change of direction it stops up to 1.5 m beyond, or 0.8 m before it
//             from reverse: where the rear axle comes to it.
//   PAPER     "Efficient Ground Vehicle Path Following in Game AI" (EA): target speed from Bézier
//             curvature (Algorithm 1), target point, PI speed control, pure pursuit.
//   BASELINE  what EA compares with: speed falling with the largest angle ahead, P control.
//
// KERB keeps clear of the neighbours that the surroundings name: it follows, gives way, meets
// others on its driving side and goes round what stands, all within the path's corridor. Vehicles
// that tell one another what they mean to do (kerb_follower_intent) pass junctions best. PAPER and
// BASELINE ignore them, as their sources do.
//
// Does not: see for itself, leave the corridor to avoid somebody, or overtake what drives.
#ifndef KERB_FOLLOW_H
#define KERB_FOLLOW_H

/// Who drives; see above.
typedef enum kerb_follower_method {
    KERB_FOLLOWER_KERB,    ///< Kerb's own
    KERB_FOLLOWER_PAPER,   ///< EA's
    KERB_FOLLOWER_BASELINE ///< what EA compares with
} kerb_follower_method;

/// Where the point comes from at which PAPER and BASELINE steer.
typedef enum kerb_target_point {
    KERB_TARGET_LOOKAHEAD, ///< on the path, the lookahead distance in front of the nearest point
    KERB_TARGET_RABBIT     ///< runs along the path at the target speed, waits for the vehicle
} kerb_target_point;

/// What KERB does about its neighbours.
typedef enum kerb_neighbours {
    KERB_NEIGHBOURS_IGNORE, ///< nothing
    KERB_NEIGHBOURS_AVOID   ///< keeps clear of them: kerb_avoid_others
} kerb_neighbours;

/// How PAPER limits its speed for what lies ahead.
typedef enum kerb_speed_ahead {
    KERB_AHEAD_SHARPEST, ///< the sharpest curve within the samples limits at once (EA eq. 1)
    KERB_AHEAD_BRAKING   ///< each curve by the braking distance left to it
} kerb_speed_ahead;

/// All that can be set on a follower. Ranges and defaults: kerb_follower_settings_table.
typedef struct kerb_follower_settings {
    int32_t method; ///< kerb_follower_method

    // For all methods.
    float speed;                ///< wanted on a straight (EA v_max) [m/s]
    float reverse_speed;        ///< KERB: wanted on a straight driven in reverse [m/s]
    float speed_least;          ///< never slower for a curve (EA v_min) [m/s]
    float lateral_acceleration; ///< wanted in curves (EA a_lat, as a multiple of g) [g]
    float deceleration;         ///< wanted when slowing for what lies ahead [m/s²]
    float acceleration;         ///< wanted when gaining speed [m/s²]
    float lateral_offset;       ///< drive this far to the left of the path [m]
    kerb_speed_settings speed_control;
    kerb_stuck_settings stuck;

    // KERB's steering.
    float response_time;     ///< errors fade over about this time at speed … [s]
    float response_distance; ///< … and over about this distance when slow [m]
    float corner_cut;        ///< how far corners may be rounded for smoothness alone [m]
    float lateral_jerk;      ///< greatest change of lateral acceleration [m/s³]

    // KERB and others.
    int32_t neighbours; ///< kerb_neighbours
    kerb_avoid_settings avoid;

    // PAPER's and BASELINE's.
    float sample_spacing;     ///< EA Δh [m]
    int32_t sample_count;     ///< EA N [3 … 16]
    int32_t speed_ahead;      ///< kerb_speed_ahead
    int32_t target_point;     ///< kerb_target_point
    float lookahead_time;     ///< lookahead distance per speed [s]
    float lookahead_least;    ///< [m]
    float lookahead_most;     ///< [m]
    float proportional_angle; ///< BASELINE: beyond this angle the speed falls as 1/angle [rad]
} kerb_follower_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_follower_settings_table;

/// Defaults for one of the three methods; PAPER's and BASELINE's are those of EA section III.
KERB_API kerb_follower_settings kerb_follower_settings_default(kerb_follower_method method);

/// What the follower thought in the last frame, for pictures and for questions.
typedef struct kerb_follower_thoughts {
    kerb_vec3 nearest;        ///< on the path, in the world [m]
    kerb_vec3 target;         ///< where it steers, in the world [m]
    float lookahead;          ///< distance to the target along the path [m]
    float target_speed;       ///< [m/s]
    float curvature;          ///< the sharpest found ahead, or the one that limits [1/m]
    float steer_curvature;    ///< of the arc that it steers, left positive [1/m]
    float cross_track_error;  ///< left positive [m]
    float heading_error;      ///< of the direction of travel, left positive [rad]
    float acceleration;       ///< wanted along the direction of travel [m/s²]
    double distance;          ///< of the nearest point from the path's start [m]
    kerb_neighbour neighbour; ///< that decides what it does; length 0: none does
    kerb_reason reason;
} kerb_follower_thoughts;

// KERB looks at the path through two windows of fixed bins, filled as the vehicle moves: near it,
// the line that it will drive; farther out, the speeds that curves and limits allow. What they
// hold depends only on the path, the vehicle and the settings, never on how the vehicle came here.
#define KERB_FOLLOWER_LINE_KNOTS 64     ///< of the line near the vehicle
#define KERB_FOLLOWER_SPEED_BINS 64     ///< of the speeds farther out
#define KERB_FOLLOWER_ROUNDING_STEPS 12 ///< of its table of how corners are rounded

/// A follower: settings, vehicle, memory. Plain data; change settings and vehicle at any time.
typedef struct kerb_follower {
    kerb_follower_settings settings;
    kerb_vehicle vehicle;
    kerb_follower_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
        uint64_t path_id;   ///< 0: on no path yet
        double path_length; ///< of that path [m]
        kerb_path_location location;
        int32_t travel;       ///< there: 1 forwards, -1 in reverse
        double rounds;        ///< whole rounds of a closed path driven so far [m]
        double distance;      ///< of `location`, counting on over the rounds of a closed path [m]
        double line_distance; ///< where it is on the line that it drives, likewise [m]
        kerb_path_location rabbit;
        kerb_path_location stop_scan; ///< how far it has looked for stops
        double stop_scan_distance;    ///< [m]
        double stop_distance;         ///< of the next stop found [m]
        float stop_time;              ///< how long to stand there [s]
        int32_t stop_kind;            ///< none found yet, stop, reversal, end
        int32_t phase;                ///< driving, waiting, arrived
        float waited;                 ///< [s]
        bool left_stop;               ///< it set off from a stop and still is near it …
        kerb_vec3 left_stop_at;       ///< … where it stood here [m]
        kerb_vec3 position;           ///< of the vehicle in the last frame [m]
        kerb_stuck stuck;
        float detour; ///< further offset round the place where it got stuck [m]
        kerb_speed_controller speed_control;
        kerb_gearbox gearbox;
        float acceleration; ///< of the commanded speed, smoothed [m/s²]
        float stood;        ///< at a stop, before it counts [s]
        float pulling;      ///< setting off uphill, so far [s]
        float rolling;      ///< back at full throttle, so far [s]
        float pushing;      ///< uphill at full throttle, so far [s]
        float holding;      ///< on a hill that is too steep, still [s]
        float hold_time;    ///< and in all, this time [s]
        int32_t hill_tries; ///< how often that hill was tried
        kerb_vec3 hill;     ///< where it held first [m]
        float turning;      ///< wheels turned so far, standing [s]
        float push; ///< HOVER: along the line, per mass, that the nose is turned for [m/s²]
        float speed_command;  ///< target speed after the limit of acceleration [m/s]
        float curvature;      ///< commanded, in the direction of travel, left positive [1/m]
        float lateral_offset; ///< on its way to the setting [m]
        float aside;          ///< and further for the sake of others [m]
        kerb_avoid avoid;
        int32_t blocked; ///< 1: others stand in the way for so long that it should back out
    } memory;
    struct {
        float key[13];             ///< what the grid was made for: vehicle, rounding, path length
        float turning_radius;      ///< the smallest of the vehicle [m]
        float spacing;             ///< between knots [m]
        double per_metre;          ///< knots per metre: 1/spacing
        int32_t first;             ///< lowest knot that is filled
        int32_t knots;             ///< one past the last knot that is whole
        int32_t placed;            ///< one past the last knot whose place is known
        int32_t needs;             ///< one past the last knot whose need of rounding is known
        int32_t looked_from;       ///< the first knot since the window was begun
        int32_t ahead;             ///< one past the last knot whose heading is known
        kerb_path_location cursor; ///< of the last heading
        kerb_path_location front;  ///< of the last knot
        kerb_path_location behind; ///< of the knot before it
        float turn_allowed[KERB_FOLLOWER_ROUNDING_STEPS];
        float heading[KERB_FOLLOWER_LINE_KNOTS];
        float window[KERB_FOLLOWER_LINE_KNOTS];     ///< half width of the moving average [knots]
        float room_left[KERB_FOLLOWER_LINE_KNOTS];  ///< corridor at each knot [m]
        float room_right[KERB_FOLLOWER_LINE_KNOTS]; ///< [m]
        float deficit[KERB_FOLLOWER_LINE_KNOTS];   ///< room that a bend needs beyond the path's [m]
        float aside[KERB_FOLLOWER_LINE_KNOTS];     ///< to the left, for the vehicle's corners [m]
        float swing[KERB_FOLLOWER_LINE_KNOTS];     ///< to the left, for bends driven wide [m]
        float wide[KERB_FOLLOWER_LINE_KNOTS];      ///< share of such a bend in it [0 … 1]
        kerb_vec2 slide[KERB_FOLLOWER_LINE_KNOTS]; ///< such bends as a whole [m]
        kerb_vec3 position[KERB_FOLLOWER_LINE_KNOTS];
        kerb_vec2 direction[KERB_FOLLOWER_LINE_KNOTS]; ///< level, unit length
        float pace[KERB_FOLLOWER_LINE_KNOTS];          ///< metres of line per metre of path
        float curvature[KERB_FOLLOWER_LINE_KNOTS];     ///< left positive [1/m]
        float lateral;       ///< acceleration in bends that `allowed_squared` was made for [m/s²]
        float least_allowed; ///< of `allowed_squared`, whether of use now or not [m²/s²]
        float allowed_squared[KERB_FOLLOWER_LINE_KNOTS]; ///< of all limits, speed² [m²/s²]
        float plan_key[4];  ///< what the plan was made for: deceleration, lateral, grip, travel
        int32_t plan_first; ///< lowest knot of the plan
        float plan_beyond;  ///< speed² that what lies beyond it allows at its end [m²/s²]
        int32_t plan_end;   ///< one past its last knot
        float plan_squared[KERB_FOLLOWER_LINE_KNOTS]; ///< from which all beyond can be met [m²/s²]
        uint8_t plan_by[KERB_FOLLOWER_LINE_KNOTS];    ///< slot of the knot that decides
        float limit_squared[KERB_FOLLOWER_LINE_KNOTS]; ///< speed limit² [m²/s²]
        float turn_squared[KERB_FOLLOWER_LINE_KNOTS];  ///< speed² that turning allows [m²/s²]
        float least_grip;                              ///< of the knots ahead
        float grip[KERB_FOLLOWER_LINE_KNOTS];          ///< of the surface
        float grip_radius[KERB_FOLLOWER_LINE_KNOTS];   ///< grip / |curvature| [m]
        float bend[KERB_FOLLOWER_LINE_KNOTS];          ///< |curvature| / grip [1/m]
        float bank_radius[KERB_FOLLOWER_LINE_KNOTS];   ///< speed² that the banking adds [m²/s²]
    } line;
    struct {
        float spacing; ///< of the bins [m]
        int32_t first; ///< lowest bin that is filled
        int32_t bins;  ///< one past the last bin
        kerb_path_location cursor;
        float curvature[KERB_FOLLOWER_SPEED_BINS]; ///< sharpest in the bin, over its grip [1/m]
        float speed_limit[KERB_FOLLOWER_SPEED_BINS];
        float grip[KERB_FOLLOWER_SPEED_BINS]; ///< the lowest in the bin
        float fall[KERB_FOLLOWER_SPEED_BINS]; ///< down, per metre [1]
        float least_grip;                     ///< of the bins ahead
        float plan_key[3]; ///< what the plan was made for: deceleration, lateral, grip
        int32_t plan_end;  ///< one past its last bin
        int32_t decides;   ///< slot of the bin that decides what lies beyond the line
        float plan_squared[KERB_FOLLOWER_SPEED_BINS]; ///< from which all beyond can be met [m²/s²]
        float plan_grip[KERB_FOLLOWER_SPEED_BINS];    ///< lowest from here on
        uint8_t plan_by[KERB_FOLLOWER_SPEED_BINS];    ///< slot of the bin that decides
    } far_ahead;
} kerb_follower;

/// A follower at the start of its life, method KERB, default settings. The settings and vehicle
/// must be valid (see kerb_settings_validate); driving with invalid ones asserts.
KERB_API kerb_follower kerb_follower_make(const kerb_vehicle* vehicle);

/// The controls for this frame. `surroundings` may be NULL. Allocates nothing.
///
/// time_step: since the last call [s] [> 0, < 1000, usually 0.008 to 0.05]. Another step repeats
/// the last controls; motion that is not finite gives the safe controls (brake, wheels straight).
/// Both are counted in bad_frames. At the end of an open path it stands with the brake held, reason
/// KERB_REASON_ARRIVED. Who ends up beside it, farther than the corridor there and than the
/// vehicle's length, has not arrived: it backs out and tries again, as when stuck, and asks in the
/// end to be put back.
///
/// Cost: O(1) a frame, plus O(neighbours), plus O(metres of new path ahead). The first frame on a
/// path finds the vehicle on it, O(points), once.
KERB_API kerb_controls kerb_follower_drive(kerb_follower* follower, const kerb_path* path,
                                           const kerb_motion* motion,
                                           const kerb_surroundings* surroundings, float time_step);

/// What the follower means to drive next, for the neighbours of its vehicle: ask after
/// kerb_follower_drive, on the same path, and hand it to the others in their next frame. Count 0:
/// unknown, before the first frame and after arriving. O(places), allocates nothing.
KERB_API void kerb_follower_intent(const kerb_follower* follower, const kerb_path* path,
                                   kerb_intent* intent);

/// Ends the wait at the stop where the follower stands now, however long it was to be.
KERB_API void kerb_follower_go(kerb_follower* follower);

#endif
// Kerb group: agents among agents. Flocks, keeping clear, queues and formations.
//
//     kerb_steering wish = kerb_flock_steer(&settings, &agent, &group);
//     wish = kerb_keep_clear(&clearance, &agent, &wish, &group, time_step);
//
// Does not: find a way round what stands in the way (that is the planner's work).
#ifndef KERB_GROUP_H
#define KERB_GROUP_H

// Kerb seek: arrive at a place, facing a given direction.
//
// Directed seek for agents that cannot turn on the spot, goals chosen from what an agent wants to
// reach, pursuit to a pose behind a target, and a parker that brings a vehicle to rest at a pose.
//
//     kerb_steering wish = kerb_directed_seek(&settings, &agent, &goal, time_step, NULL);
//     kerb_controls controls = kerb_parker_drive(&parker, goal, &motion, NULL, time_step);
//
// Does not: find a way round what stands in the way (that is the planner's work).
#ifndef KERB_SEEK_H
#define KERB_SEEK_H

// --------------------------------------------------------------------------- directed seek

// Arriving at a place and facing a given way there, for what cannot turn on the spot (M. Jakob,
// "Directional extensions of seek steering behavior"). Each step thinks the way out anew from where
// the agent is: nothing is remembered, and being pushed aside does no harm.
//
// Agents move in steps, so they leave an arc a little before or after its end, and exactly no way
// of the same kind leads on from there. So circles that miss one another by a little count as
// touching, and turns that lack a little of a whole circle count as little turns the other way. A
// little is `arrival_distance` and `arrival_share` of the metres in a step. The agent passes the
// goal within about that, where a step is at most a tenth of the turning radius.

/// Which ways are thought out, and which of them is the best.
typedef enum kerb_directed_way {
    KERB_DIRECTED_PAPER,        ///< by the circle on the agent's side of the goal: least turning
    KERB_DIRECTED_BOTH_CIRCLES, ///< by either circle beside the goal: least turning
    KERB_DIRECTED_DUBINS,       ///< by all six words of Dubins: least length
    KERB_DIRECTED_REVERSE       ///< by the words of Reeds and Shepp, in reverse where shorter
} kerb_directed_way;

/// How wide turns are planned for an agent whose tightest circle depends on its speed.
typedef enum kerb_directed_radius {
    KERB_DIRECTED_RADIUS_AGENT,  ///< as the agent's now
    KERB_DIRECTED_RADIUS_LARGER, ///< as the agent's now or at the goal's speed: the larger
    KERB_DIRECTED_RADIUS_TWO     ///< the first as the agent's now, the last as at the goal's speed
} kerb_directed_radius;

/// Where the ways lie. For agents on the level both are the same.
typedef enum kerb_directed_space {
    KERB_DIRECTED_LEVEL,     ///< heights count for nothing
    KERB_DIRECTED_ONE_PLANE, ///< in the plane through the agent and the goal's line (section 4)
    KERB_DIRECTED_TWO_PLANES ///< turns at once into the straight, in a plane of its own (section 6)
} kerb_directed_space;

/// Goals nearer than so many turning radii need not be reached in space from every heading; all
/// others are.
#define KERB_DIRECTED_SPACE_LEAST 6.0f

/// How kerb_directed_seek thinks. A settings struct.
typedef struct kerb_directed_seek_settings {
    int32_t way;    ///< kerb_directed_way
    int32_t radius; ///< kerb_directed_radius; KERB_DIRECTED_DUBINS and _REVERSE: TWO is LARGER
    int32_t space;  ///< kerb_directed_space; off the level, REVERSE is BOTH_CIRCLES
    float arrival_distance; ///< from the goal that counts as there, or on the way [m] [>= 0]
    float arrival_share;    ///< and of the metres in a step [1] [>= 0]
} kerb_directed_seek_settings;

KERB_API const kerb_settings_table kerb_directed_seek_settings_table;

/// All defaults.
KERB_API kerb_directed_seek_settings kerb_directed_seek_settings_default(void);

/// Where to arrive, and how.
typedef struct kerb_directed_goal {
    kerb_vec3 position; ///< [m]
    kerb_vec3 forward;  ///< the way to face there, of any length but 0
    float speed;        ///< wanted there; the agent brakes in time for it; 0: stop [m/s] [>= 0]
    float turn_radius;  ///< the agent's tightest circle at that speed [m] [> 0]
} kerb_directed_goal;

/// What part of its way the agent is on (paper, section 3.5).
typedef enum kerb_directed_stage {
    KERB_DIRECTED_LOST,     ///< no way: numbers that are none, a goal without a direction
    KERB_DIRECTED_TURN,     ///< I: turns towards the straight, or on to the last turn
    KERB_DIRECTED_STRAIGHT, ///< II
    KERB_DIRECTED_LAST,     ///< III: turns into the goal's direction
    KERB_DIRECTED_THERE     ///< the goal lies within this step
} kerb_directed_stage;

/// What kerb_directed_seek thought, to be drawn or measured.
typedef struct kerb_directed_thoughts {
    int32_t stage;                    ///< kerb_directed_stage
    char word[KERB_CURVE_PIECES + 1]; ///< "RSL": right, straight, left; small: reverse; in space C
    float turning;                    ///< all that it will turn [rad]
    float distance;                   ///< all that it will drive [m]
    kerb_vec3 first_centre;           ///< of the circle that it turns on first
    kerb_vec3 last_centre;            ///< of the circle that it turns on last
    float first_radius, last_radius;  ///< [m]
    kerb_vec3 straight_from;          ///< where the first turn ends
    kerb_vec3 straight_to;            ///< where the last turn begins
} kerb_directed_thoughts;

/// The wish of one step on the way to `goal`: straight on, or across to the side of a turn, or, in
/// a step in which a turn ends or begins, just what leads on. `thoughts` may be NULL. Numbers that
/// are NaN or infinite, a goal without a direction (on the level: without one along it), or a time
/// step below 0: kerb_steering_none(), and KERB_DIRECTED_LOST. On the level about 80 ns
/// by PAPER, BOTH_CIRCLES and DUBINS three times, REVERSE six times that. In two planes a
/// first turn costs about 1 µs.
KERB_API kerb_steering kerb_directed_seek(const kerb_directed_seek_settings* settings,
                                          const kerb_agent* agent, const kerb_directed_goal* goal,
                                          float time_step, kerb_directed_thoughts* thoughts);

// --------------------------------------------------------------------------- where to arrive

/// What a weapon, a camera, a hose … reaches from an agent's middle.
typedef struct kerb_attack_arc {
    float range_least; ///< [m] [>= 0]
    float range_most;  ///< [m] [>= range_least]
    float middle;      ///< of the arc, from the front, left positive; π/2: broadside to port [rad]
    float half_width;  ///< of the arc, to all sides of its middle: in space a cone [rad] [>= 0]
} kerb_attack_arc;

/// True when the target lies within range and arc now; in space as from an agent without a bank.
/// O(1)
KERB_API bool kerb_attack_reaches(const kerb_agent* agent, const kerb_attack_arc* arc,
                                  kerb_vec3 target);

/// A pose from which the target lies within range and arc, with a seventh of either to spare: that
/// with the shortest way of Dubins, nearly. To be there with `speed`; 0: to stop there. Keep it
/// until the target has moved: asked in every step, one in a hundred changes its mind on the way.
/// Where the agent is, when the target is within reach already, or when numbers are NaN or
/// infinite. On the level about 30 µs, in space 0.6 ms: there by kerb_directed_seek in two planes,
/// which reaches it for sure from KERB_DIRECTED_SPACE_LEAST turning radii on.
KERB_API kerb_directed_goal kerb_attack_goal(const kerb_agent* agent, const kerb_attack_arc* arc,
                                             kerb_vec3 target, float speed);

/// The agent after a time when it goes on turning: `turning` is the axis times radians a second,
/// left on the level (0, 0, rate). With speed kept, on an arc, in space a helix; a time below 0:
/// where it was. O(1)
KERB_API kerb_agent kerb_agent_predict(const kerb_agent* agent, kerb_vec3 turning, float time);

/// Pursues a target to a place `gap` metres behind it on its arc (kerb_agent_predict), facing and
/// as fast as the target will then: it arrives there at the first time up to `horizon` seconds at
/// which it can, by the way that these settings take; where it never can, it heads for the place at
/// the horizon. Once there it keeps the place. `goal`, where they meet, may be NULL. Numbers that
/// are NaN or infinite: kerb_steering_none(). About 9 µs
/// by DUBINS. [gap: >= 0; horizon: > 0]
KERB_API kerb_steering kerb_directed_pursuit(const kerb_directed_seek_settings* settings,
                                             const kerb_agent* agent, const kerb_agent* target,
                                             kerb_vec3 turning, float gap, float horizon,
                                             float time_step, kerb_directed_goal* goal);

// --------------------------------------------------------------------------- parking

/// How a kerb_parker drives. A settings struct.
typedef struct kerb_parker_settings {
    float speed;           ///< greatest [m/s] [> 0]
    float acceleration;    ///< [m/s²] [> 0]
    float deceleration;    ///< [m/s²] [> 0]
    float radius_share;    ///< planned circles over the tightest one [1] [>= 1]
    float reversal_cost;   ///< metres that a change of direction counts as [m] [>= 0]
    float reverse_cost;    ///< metres that one in reverse counts as [1] [> 0]
    float position_error;  ///< at rest this near it has arrived [m] [> 0]
    float heading_error;   ///< … and this well aligned [rad] [> 0]
    float replan_distance; ///< so far off the way it thinks out another [m] [> 0]
    kerb_speed_settings speed_control;
} kerb_parker_settings;

KERB_API const kerb_settings_table kerb_parker_settings_table;

/// All defaults.
KERB_API kerb_parker_settings kerb_parker_settings_default(void);

typedef enum kerb_parker_phase {
    KERB_PARKER_PLANS,        ///< comes to rest, to think the way out
    KERB_PARKER_TURNS_WHEELS, ///< stands
    KERB_PARKER_PIVOTS,       ///< turns where it stands: TRACKED and HOVER
    KERB_PARKER_DRIVES,       ///< along the way
    KERB_PARKER_STOPS,        ///< where the direction changes, or at the end
    KERB_PARKER_ARRIVED,      ///< stands there
    KERB_PARKER_PHASE_COUNT
} kerb_parker_phase;

/// Drives a vehicle to a pose and stops there. Plain data.
typedef struct kerb_parker {
    kerb_parker_settings settings;
    kerb_vehicle vehicle;
    kerb_controls controls;  ///< that it gave last
    int32_t bad_frames;      ///< frames with motion or goals that were not finite, or a bad step
    int32_t phase;           ///< kerb_parker_phase
    int32_t plans;           ///< ways thought out for this goal so far
    kerb_curve way;          ///< of the rear axle's middle
    float driven;            ///< of it [m]
    float cross_track_error; ///< left of the way positive, facing along the vehicle [m]
    float heading_error;     ///< left positive [rad]
    struct {
        kerb_pose goal;
        bool has_goal;
        int32_t piece;    ///< first of the stretch of one direction being driven
        int32_t next;     ///< first of the one after it
        float begin, end; ///< of the stretch, along the way [m]
        float waited;     ///< in this phase, without getting on [s]
        kerb_pedal_memory pedals;
    } memory;
} kerb_parker;

/// A parker without a goal, default settings. The vehicle must be valid.
KERB_API kerb_parker kerb_parker_make(const kerb_vehicle* vehicle);

/// The controls that bring the vehicle's reference point to `goal` (level; heights count for
/// nothing) and its front to the goal's direction, of any length but 0, at rest: along the best way
/// of Reeds and Shepp's 48 and Dubins' six words, where reversing and changes of direction count as
/// dearer. Circles are a little wider than the tightest, the wheels turn half before and half after
/// an arc's end, and where the direction changes they turn standing: so what it drives is what it
/// planned, within centimetres. Pushed off its way, it stops and thinks out another.
///
/// TRACKED may also turn where they stand; HOVER only does that and goes straight. Reason
/// KERB_REASON_ARRIVED when there. It sees nobody and no walls: free ground. O(1); a frame in which
/// it plans about 30 µs.
KERB_API kerb_controls kerb_parker_drive(kerb_parker* parker, kerb_pose goal,
                                         const kerb_motion* motion,
                                         const kerb_surroundings* surroundings, float time_step);

#endif

// --------------------------------------------------------------------------- groups

/// Many agents, one array for each number of kerb_agent, for kernels that run over them. The arrays
/// are the caller's. Level agents may leave z and forward_z NULL, both.
typedef struct kerb_agents {
    int32_t count; ///< [>= 0]
    float *x, *y, *z;
    float *forward_x, *forward_y, *forward_z;
    float* speed;
    float* radius;
    float* turn_radius;
    float* speed_max;
    float* acceleration;
    float* braking;
} kerb_agents;

/// One of them. O(1)
KERB_API kerb_agent kerb_agents_get(const kerb_agents* agents, int32_t index);

/// Writes one of them. O(1)
KERB_API void kerb_agents_set(const kerb_agents* agents, int32_t index, const kerb_agent* agent);

/// Those to whom a behaviour of groups looks: `count` of `agents`, named by `indices` (as
/// kerb_neighbours_within gives them), or the first `count` where indices is NULL.
typedef struct kerb_group {
    const kerb_agents* agents;
    const int32_t* indices;
    int32_t count;
    int32_t self; ///< who looks: left out of the group; -1: is none of them
} kerb_group;

/// Away from those within `radius`, the more from the nearer: each pushes by radius/distance -
/// distance/radius, closer than a tenth of the radius as at it. Speed: speed_max times that push,
/// at most 1 of it. Those in the same place push to one side, which side and how hard
/// depends on `self` alone, so that they part. None: nobody pushes. O(count)
KERB_API kerb_steering kerb_separation(const kerb_agent* agent, const kerb_group* group,
                                       float radius);

/// The mean heading and mean speed of those within `radius`. None: nobody is. O(count)
KERB_API kerb_steering kerb_alignment(const kerb_agent* agent, const kerb_group* group,
                                      float radius);

/// To the middle of those within `radius`, at speed_max times its distance / radius. None: nobody
/// is, or one is there. O(count)
KERB_API kerb_steering kerb_cohesion(const kerb_agent* agent, const kerb_group* group,
                                     float radius);

/// How a flock keeps together: Reynolds' three urges (1987). A settings struct. Each urge adds so
/// many metres per second to the velocity that an agent wishes: separation for each neighbour
/// times radius/distance - distance/radius, alignment for the mean difference of headings, cohesion
/// for the distance to the middle over the radius.
typedef struct kerb_flock_settings {
    float separation_radius; ///< [m] [> 0]
    float alignment_radius;  ///< [m] [> 0]
    float cohesion_radius;   ///< [m] [> 0]
    float separation;        ///< [m/s] [>= 0]
    float alignment;         ///< [m/s] [>= 0]
    float cohesion;          ///< [m/s] [>= 0]
    float view;              ///< sees others up to so far from its front, to either side [rad]
    float speed;             ///< wished when nobody is near [m/s]
    float speed_least;       ///< below which no urge brings it; 0: may stop [m/s]
} kerb_flock_settings;

KERB_API const kerb_settings_table kerb_flock_settings_table;

/// All defaults.
KERB_API kerb_flock_settings kerb_flock_settings_default(void);

/// All three at once. Those of the group whom it does not see make no difference, to the bit; the
/// order of the others does, to a rounding. None for an agent that is not finite.
/// O(count)
KERB_API kerb_steering kerb_flock_steer(const kerb_flock_settings* settings,
                                        const kerb_agent* agent, const kerb_group* group);

/// The step of kerb_flock_update, for one: to mix members of a flock with others to the same bits.
/// For all else use kerb_agent_step, which holds circles and speeds exactly as directed seek plans
/// them; this one costs less: without a sine, so that the greatest turn in a step, of angle a,
/// is a³/12 less (never tighter than the turning radius), and speed changes evenly over the step. A
/// wish that is none or not finite: goes on as now. An agent that is not finite stays what it is.
/// [time_step: >= 0]
KERB_API kerb_agent kerb_flock_step(const kerb_agent* agent, const kerb_steering* wish,
                                    float time_step);

/// A flock: who is near whom, and what a frame needs. Made once, for at most `capacity` agents.
typedef struct kerb_flock {
    kerb_neighbour_grid grid;
    float* arrays; ///< what is worked out for each agent
    void* memory;  ///< of kerb_flock_create; NULL: none
    size_t size;   ///< of that
    kerb_allocator allocator;
} kerb_flock;

/// Errors: OUT_OF_RANGE (capacity, from 1 to KERB_NEIGHBOUR_CAPACITY_MAX / 4), OUT_OF_MEMORY.
KERB_API kerb_result kerb_flock_create(kerb_flock* flock, int32_t capacity, const kerb_host* host,
                                       kerb_error* error);

/// Gives the memory back. A zeroed flock is left alone.
KERB_API void kerb_flock_destroy(kerb_flock* flock);

/// Lets every agent do what kerb_flock_steer wishes: those around each are found by the grid in the
/// order of kerb_neighbours_within with the greatest radius, then kerb_flock_step. All see where
/// the others are before the step. The bits are those of the three functions, one agent after the
/// other. Agents that are not finite neither move nor are seen. No allocation.
/// O(agents · neighbours); an agent with 15 neighbours: 140 ns, built for AVX2 80 ns.
KERB_API void kerb_flock_update(kerb_flock* flock, const kerb_flock_settings* settings,
                                const kerb_agents* agents, float time_step);

// --------------------------------------------------------------------------- groups: keeping clear

/// How agents keep clear of one another by what wheels can do. A settings struct.
typedef struct kerb_clearance_settings {
    int32_t space;  ///< choice: 0 level (heights count for nothing), 1 space (above and below, too)
    float margin;   ///< kept between two, half of it at the least, beside their radii [m] [> 0]
    float horizon;  ///< looks ahead for who would come too near [s]; 0: brakes only in time [>= 0]
    float courtesy; ///< leaves so much of the way to who is nearer to where ways cross [m] [>= 0]
    float swerve;   ///< turns aside from its wish by up to this share of a right angle [0 … 1]
} kerb_clearance_settings;

KERB_API const kerb_settings_table kerb_clearance_settings_table;

/// All defaults.
KERB_API kerb_clearance_settings kerb_clearance_settings_default(void);

/// The wish of one step that comes nearest to `wish` and keeps clear of the group: a turn that the
/// agent can drive, and a speed that it can have, out of a few dozen. Never sidewards, never
/// backwards, no turn on the spot. In space for what can stop there (drones, submarines): wings
/// that must keep a speed are kept apart by foresight only, as far as it goes.
///
/// Contact is ruled out where all of a group ask this, each with its own index in `self`, the same
/// time step and settings, move by kerb_agent_step or kerb_flock_step, all at once, and began
/// clear: each keeps the strip in which it could stop, straight ahead, out of the others'. Of two
/// that want the same place in one step the lower index has it, and the higher can still stop.
///
/// Beyond that both look ahead over the horizon, each counting on the other to do as much as
/// itself (reciprocal, after van den Berg, 2008); to the right when either side is as good.
///
/// Who is not finite is left out; an agent that is not finite wishes nothing. With 10 others within
/// reach about 4 µs, in space 9. O(count)
KERB_API kerb_steering kerb_keep_clear(const kerb_clearance_settings* settings,
                                       const kerb_agent* agent, const kerb_steering* wish,
                                       const kerb_group* group, float time_step);

// --------------------------------------------------------------------------- groups: waiting

/// A gate: drive through its middle along `direction`.
typedef struct kerb_gate {
    kerb_vec3 position;  ///< of its middle [m]
    kerb_vec3 direction; ///< through it, level, of any length but 0
    float speed;         ///< through it [m/s] [> 0]
} kerb_gate;

/// Queues at a gate: drives through its middle along its direction, as kerb_directed_seek by
/// DUBINS, from whatever side; but leaves those of the group that have a shorter way there (of two
/// as short, the lower index) that way, and waits before it. Who is through is in nobody's way; who
/// is just behind the gate, farther beside than its own radius, comes round. Of any number that
/// wait the nearest always may go. O(count)
KERB_API kerb_steering kerb_queue(const kerb_agent* agent, const kerb_gate* gate,
                                  const kerb_group* group, float time_step);

/// Gathers round a spot: drives towards it and stops at `distance` from it, or where it would come
/// nearer than `gap` to one of the group that is nearer to the spot and in its way. O(count)
KERB_API kerb_steering kerb_gather(const kerb_agent* agent, kerb_vec3 spot, float distance,
                                   float gap, const kerb_group* group);

/// Follows a leader, `gap` metres behind its back, as kerb_formation_keep keeps a place; who finds
/// itself in the way of a leader that drives gives way to the side. O(1)
KERB_API kerb_steering kerb_follow_leader(const kerb_agent* agent, const kerb_agent* leader,
                                          float gap, float time_step);

// --------------------------------------------------------------------------- groups: formation

/// Shapes in which agents drive with a leader, who is number 0.
typedef enum kerb_formation_shape {
    KERB_FORMATION_LINE,   ///< abreast, by turns left and right of the leader
    KERB_FORMATION_COLUMN, ///< one behind the other
    KERB_FORMATION_WEDGE,  ///< as geese fly
    KERB_FORMATION_BOX,    ///< rows as many as columns, the leader in the middle of the first
    KERB_FORMATION_RING    ///< round the leader
} kerb_formation_shape;

/// Where number `index` of `count` stands in the shape: metres ahead of the leader (x) and to its
/// left (y). No two slots are nearer than `spacing`. Shapes lie flat (z 0): who flies stacked or
/// stepped down adds heights, in metres above (z). O(1) [0 <= index < count; spacing > 0]
KERB_API kerb_vec3 kerb_formation_slot(kerb_formation_shape shape, int32_t index, int32_t count,
                                       float spacing);

/// Who takes which slot: `slots[i]` of agent i is exchanged until no two would together be better
/// off (by the sum of their distances, by more than `reluctance` metres) with each other's.
/// So no two ways cross, and who has a slot keeps it unless it pays. `slots` holds 0 … count-1,
/// each once, before and after; `places` are the slots' in the world. At most count² exchanges a
/// call. Returns how many there were. O(count²) each pass
KERB_API int32_t kerb_formation_assign(const kerb_vec3* positions, const kerb_vec3* places,
                                       int32_t* slots, int32_t count, float reluctance);

/// A place in a formation as it moves.
typedef struct kerb_formation_place {
    kerb_vec3 position; ///< [m]
    kerb_vec3 forward;  ///< unit length
    float speed;        ///< along forward [m/s]
    float curvature;    ///< turn of its heading by the metre of its way, left positive [1/m]
} kerb_formation_place;

/// Where a slot is while the leader drives a bend of `curvature`: as far along the leader's circle
/// as the slot lies ahead or behind, then to its side. So columns follow the bend, and no two
/// cross or fold together in it, as long as |curvature| times the shape's half width is below 1:
/// the inner ones drive slower by that much, the outer ones faster. A leader that climbs flies a
/// helix then; slots lie in the frame of its way: x along it, y level, z across both, as if no
/// wings were banked. So in a climbing bend the outer ones climb less steeply, but faster. O(1)
KERB_API kerb_formation_place kerb_formation_place_of(const kerb_agent* leader, float curvature,
                                                      kerb_vec3 slot);

/// Where a slot is while the leader is at `here` of a path (kerb_path_track's) and drives along it
/// at `speed`: as far along the path as the slot lies ahead or behind, then to its side; beyond the
/// ends of an open one straight on. Into a bend and out of it places move evenly, one after the
/// other, as no circle of kerb_formation_place_of makes them: for wedges, boxes and columns on a
/// road. The same bound holds for the path's bends. The frame of a slot is that of
/// kerb_formation_place_of; where the path begins to climb, places above drive a little slower.
/// O(points passed)
KERB_API kerb_formation_place kerb_formation_place_along(const kerb_path* path,
                                                         kerb_path_location here, float speed,
                                                         kerb_vec3 slot);

/// Drives to a place in a formation and along with it. Who is ahead of a place that comes waits for
/// it. To one that stands, or comes so slowly that to wait would take longer than two rounds, it
/// drives as kerb_directed_seek by DUBINS, and stops there facing as the place does. Who is in line
/// with one that stands, at most half its own radius aside, and ahead of it by less than its
/// turn_radius, backs up instead. Numbers that are NaN or infinite: kerb_steering_none(). O(1),
/// about 50 ns, to a place that stands 300 ns.
KERB_API kerb_steering kerb_formation_keep(const kerb_agent* agent,
                                           const kerb_formation_place* place, float time_step);

/// Where the agent in a slot (kerb_formation_slot) arrives when the formation's leader arrives at
/// its goal: in its place beside it, facing the same way, climbing or not. For bends the leader's
/// way should be wider than the agents' own by half the formation's width: make its turn_radius so
/// much more. O(1)
KERB_API kerb_directed_goal kerb_formation_goal(const kerb_directed_goal* leader,
                                                const kerb_agent* agent, kerb_vec3 slot);

/// The share of `speed` with which one who has `distance` metres left (kerb_directed_thoughts)
/// arrives together with the one who has most of all: the inner ones of a bend drive slower, the
/// outermost at `speed`. To be their speed_max, so that they plan with it. [m/s] O(1)
KERB_API float kerb_formation_pace(float speed, float distance, float distance_most);

#endif
// Kerb lane: drives along a road of which it knows nothing but what rays tell.
//
// No path, no map: each frame the keeper lists the rays that it wants, the host casts them in its
// own world (physics engine, navigation mesh, polylines), and the keeper drives. From a point ahead
// of the vehicle a ray goes to the road's edge; along the normal there, `edge_distance` off the
// edge, lies the point to drive to ("The simple maths behind bot cars", N. Augustin, 2019).
//
//     kerb_lane_keeper keeper = kerb_lane_keeper_make(&vehicle);
//     keeper.settings.speed = 20.0f;
//     each frame:
//         kerb_lane_ray rays[KERB_LANE_RAYS];
//         kerb_lane_hit hits[KERB_LANE_RAYS];
//         int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
//         for (int32_t i = 0; i < count; i++)
//             hits[i] = cast_in_my_world(&rays[i]);
//         kerb_controls controls =
//             kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
//
// To change lanes, change settings.edge_distance: it gets there smoothly, once rays have found the
// other lane free. Something that stands in the lane it goes round, where rays find room, as hard
// as the time to it asks for. Spun round, or stuck before an edge, it backs out and turns to where
// its lane goes; where that fails it asks to be put back (KERB_REASON_TELEPORT).
//
// Does not: know junctions from each other, turn where roads branch, or see what rays do not meet:
// things between two rays, and what stands behind others.
#ifndef KERB_LANE_H
#define KERB_LANE_H

/// Most rays of one frame.
#define KERB_LANE_RAYS 10

/// Stretches of road whose bends are remembered.
#define KERB_LANE_BENDS 64

/// Points of the lane ahead that are remembered.
#define KERB_LANE_AHEAD 4

/// Which edges the lane is measured from.
typedef enum kerb_lane_edge {
    KERB_LANE_RIGHT, ///< `edge_distance` from the right edge; the left one stands in when it ends
    KERB_LANE_LEFT,  ///< from the left edge: where one drives on the left
    KERB_LANE_BOTH   ///< from the right edge by the mean of what both edges say
} kerb_lane_edge;

/// How a point to drive to becomes an angle of the wheels.
typedef enum kerb_lane_steering {
    KERB_LANE_BICYCLE, ///< tan(angle) = wheelbase/radius, and what understeer adds
    /// The post's estimate by the law of cosines, angle = acos(1 - wheelbase²/(2·radius²))/2: about
    /// half the angle of the bicycle. It runs wide in bends; made for vehicles that turn too well.
    KERB_LANE_COSINES
} kerb_lane_steering;

/// What the keeper does about something in its lane that stands or is slow.
typedef enum kerb_lane_obstacles {
    KERB_LANE_STAY, ///< brakes and waits behind it
    KERB_LANE_AVOID ///< goes round it where rays find room
} kerb_lane_obstacles;

/// A settings struct: see kerb_lane_settings_table for ranges.
typedef struct kerb_lane_settings {
    int32_t edge;               ///< kerb_lane_edge
    int32_t steering;           ///< kerb_lane_steering
    int32_t obstacles;          ///< kerb_lane_obstacles
    float edge_distance;        ///< from the edge to the middle of the vehicle (D_side) [m]
    float speed;                ///< wanted on a straight [m/s]
    float lateral_acceleration; ///< wanted in bends, at most half of what the vehicle holds [m/s²]
    float deceleration;         ///< wanted when slowing for what lies ahead [m/s²]
    float acceleration;         ///< wanted when gaining speed [m/s²]
    kerb_speed_settings speed_control;
    float lookahead_time;      ///< distance to P_Ahead per speed … [s]
    float lookahead_least;     ///< … at least [m]
    float lookahead_most;      ///< … at most [m]
    float side_reach;          ///< length of the rays to the sides [m]
    float sight;               ///< length of the rays ahead, at most [m]
    float change_time;         ///< a change of lane takes so long … [s]
    float change_acceleration; ///< … or longer, to stay below so much to the side [m/s²]
    float avoid_acceleration;  ///< to the side, going round something [m/s²]
    float avoid_distance;      ///< how far aside it goes round something [m]
    float margin;              ///< between its side and edges or others [m]
    float gap_time;            ///< to what drives ahead [s]
    float gap_least;           ///< to what stands ahead [m]
    float hold_distance;       ///< drives on so far where the edges are lost [m]
    kerb_stuck_settings stuck; ///< where it stands askew, or does not get on
} kerb_lane_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_lane_settings_table;

/// 1.75 m from the right edge, 20 m/s, the bicycle relation, going round obstacles.
KERB_API kerb_lane_settings kerb_lane_settings_default(void);

/// What a ray is for. The host casts all of them alike.
typedef enum kerb_lane_ray_purpose {
    KERB_LANE_RAY_EDGE,    ///< from P_Ahead to the edge that the lane is measured from
    KERB_LANE_RAY_ACROSS,  ///< from P_Ahead to the other edge
    KERB_LANE_RAY_LOOKOUT, ///< to where the road goes out of sight: bends, walls, its end
    KERB_LANE_RAY_LANE,    ///< from a front corner along the lane: who is ahead
    KERB_LANE_RAY_BESIDE,  ///< into another lane, from the vehicle's side
    KERB_LANE_RAY_BEHIND,  ///< back along another lane, or straight back while it backs out
    KERB_LANE_RAY_AHEAD,   ///< forward along another lane
    KERB_LANE_RAY_SCAN     ///< to one edge or the other ahead, nearer each time: how it turns there
} kerb_lane_ray_purpose;

/// A question: what is the first thing from `origin` along `direction`, no farther than `length`?
/// Of the vehicle that asks, nothing must answer.
typedef struct kerb_lane_ray {
    kerb_vec3 origin;    ///< [m]
    kerb_vec3 direction; ///< unit
    float length;        ///< [m] [> 0]
    int32_t purpose;     ///< kerb_lane_ray_purpose
} kerb_lane_ray;

/// What a ray hit.
typedef enum kerb_lane_hit_what {
    KERB_LANE_HIT_NOTHING,
    KERB_LANE_HIT_EDGE,   ///< the edge of the road, whatever marks it
    KERB_LANE_HIT_WALL,   ///< a wall instead of a kerb: as an edge
    KERB_LANE_HIT_VEHICLE ///< anything that moves or may move, or stands on the road
} kerb_lane_hit_what;

/// An answer. One with numbers that are not finite, a distance outside the ray or an unknown `what`
/// counts as nothing hit.
typedef struct kerb_lane_hit {
    int32_t what;       ///< kerb_lane_hit_what
    float distance;     ///< from the ray's origin [m]
    kerb_vec3 normal;   ///< of the surface, unit, towards the ray's origin; unused of vehicles
    kerb_vec3 velocity; ///< of a vehicle [m/s]
} kerb_lane_hit;

/// What the keeper thought in the last frame, for pictures and for questions.
typedef struct kerb_lane_thoughts {
    kerb_vec3 ahead;      ///< P_Ahead [m]
    kerb_vec3 drive_to;   ///< P_DriveTo [m]
    float curvature;      ///< that it steers, left positive [1/m]
    float lane_curvature; ///< of the lane near the vehicle, as the edge's normal says [1/m]
    float bend;           ///< that limits the speed now [1/m]
    float target_speed;   ///< [m/s]
    float edge_distance;  ///< that it drives at P_Ahead, on its way to the setting [m]
    float width;          ///< of the road; 0: not known [m]
    float sight;          ///< road seen to be free [m]
    float gap;            ///< to who is ahead, -1: nobody [m]
    bool edge_seen;       ///< false: drives by the other edge or by what it remembers
    bool changing;        ///< on the way to another lane
    bool avoiding;        ///< going round something, or still beside its lane for its sake
    kerb_reason reason;
} kerb_lane_thoughts;

/// A place on an arc, and the way there. [m]
typedef struct kerb_lane_arc {
    kerb_vec2 place, direction;
} kerb_lane_arc;

/// Where a keeper's vehicle is and how it moves, level.
typedef struct kerb_lane_pose {
    kerb_vec2 position;  ///< of the reference point [m]
    kerb_vec2 rear;      ///< middle of the rear axle [m]
    kerb_vec2 forward;   ///< of the body
    kerb_vec2 travel;    ///< direction in which the rear axle moves
    kerb_vec2 lane;      ///< direction of the lane beside the vehicle
    kerb_lane_arc ahead; ///< P_Ahead, and the lane's direction there
    float height;        ///< of the reference point [m]
    float speed;         ///< forward [m/s]
    float lateral;       ///< acceleration to the side, as its turning says [m/s²]
    float slip;          ///< of the rear axle: size of the angle from forward to travel [rad]
    float lookahead;     ///< from the reference point to P_DriveTo [m]
    float reach;         ///< and to P_Ahead: nearer where somebody would hide the edge [m]
} kerb_lane_pose;

/// A lane keeper: settings, vehicle, memory. Plain data; change settings and vehicle at any time.
typedef struct kerb_lane_keeper {
    kerb_lane_settings settings;
    kerb_vehicle vehicle;
    kerb_lane_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
        bool asked;          ///< for rays, and not driven since …
        kerb_motion motion;  ///< … as this motion was …
        kerb_lane_pose pose; ///< … which gives this
        bool started;
        kerb_vec2 way_meant; ///< along the road, as told before the start; zero: as it faces
        float unnoted;       ///< driven since it noted what changes along the road [m]
        float seen_free;     ///< road ahead that was seen to be free [m]
        float slip;          ///< of the rear tyres per lateral acceleration, as learnt [rad s²/m]
        float nearer;        ///< share by which P_Ahead is nearer, for who hides the edge
        float gap;           ///< to who is in the lane right ahead, -1: nobody [m]
        float lost;          ///< driven since an edge was seen last [m]
        float blocked;  ///< straight on the road is blocked after that; not positive: it is not [m]
        bool at_corner; ///< goes round the corner in which its own edge ended
        bool apart;     ///< the edge is not where it was expected …
        float apart_for; ///< … for so long [m]
        kerb_vec2 line;  ///< a point of the lane, where an edge was seen last [m]
        kerb_vec2 line_direction;
        float line_curvature; ///< [1/m]
        float line_offset;    ///< of that point from the edge [m]
        int32_t line_edge;    ///< that told it: 0 the lane's own, 1 the other
        struct {
            bool known;
            kerb_vec2 place, direction; ///< where it was met last, and its way there
            float since;                ///< driven since then [m]
            float bend;                 ///< of the edge there [1/m]
            float straight;             ///< since its direction changed there last [m]
            float piece;                ///< so long is a piece of it between such changes [m]
        } edges[2];         ///< the lane's own and the other, as far as they were believed
        float led;          ///< its own edge was seen so far ahead, at most … [m]
        kerb_vec2 led_to;   ///< … and led there
        float width;        ///< of the road; 0: not known [m]
        float offset_from;  ///< lane change: distances from the edge …
        float offset_to;    ///< … [m]
        float change_speed; ///< to the inside when it began [m/s]
        float change_for;   ///< how long it takes; 0: none under way [s]
        float changed;      ///< since it began [s]
        float aside;        ///< further from the edge, to go round something …
        float round_gap;    ///< … so far ahead, negative beside it and past it … [m]
        float round_speed;  ///< … which drives so fast [m/s]
        bool hurries;       ///< past it before who comes is there
        float wait_gap;     ///< kept to who is ahead besides, to pull out later [m]
        bool too_near;      ///< to who stands ahead, to pull out from here
        struct {
            bool known;
            kerb_vec2 place; ///< who stands in its lane was met there last [m]
        } stands;
        struct {
            kerb_vec2 place; ///< who is ahead in its lane was met there last …
            float speed;     ///< … and drove so fast along it [m/s]
            float waits;     ///< he was seen to drive, and counts as waiting so much longer [s]
            bool came;       ///< towards the vehicle
            float faced;     ///< both stand, or mean to, for so long [s]
        } other;
        float settle;       ///< and further still where the edge sprang aside, fading [m]
        float free_speed;   ///< that it would drive were nobody ahead [m/s]
        float look;         ///< from the lane to the lookout ray, to the left [rad]
        float look_step;    ///< by which it turns [rad]
        int32_t look_side;  ///< edge that it met last: 1 left, -1 right, 0 none
        int32_t look_turn;  ///< which ray along the lane tells of bends in this frame
        float blocked_side; ///< asks about room on this side: 1 left, -1 right, 0 does not ask
        float ask_distance; ///< of the lane asked about, from the edge [m]
        float ask_ahead;    ///< needed in sight there … [m]
        float ask_clear;    ///< … of edges so far …
        float ask_way;      ///< … and free of who stands [m]
        float ask_time;     ///< that it would be there [s]
        float ask_pause;    ///< before it asks again [s]
        float bend_start;   ///< from the vehicle to the first stretch of bends, at most 0 [m]
        float bends[KERB_LANE_BENDS]; ///< sharpest in each stretch of 4 m [1/m]
        /// And as the edges' directions say, from one place to the next. [1/m]
        float edge_bends[KERB_LANE_BENDS];
        kerb_lane_arc scanned[2]; ///< where such a ray met its own edge and the other last, at the
                                  ///< lane's distance; direction zero: not yet
        int32_t scan;             ///< frames since it began anew, far ahead
        struct {
            bool known;
            kerb_vec2 place, direction; ///< of the lane
            float offset;               ///< from its edge [m]
        } ahead[KERB_LANE_AHEAD];       ///< the newest point of it that an edge told, by distance
        float slowest_bend;             ///< that limits the speed; 0: none [1/m]
        float slowest_square;           ///< speed for that now, squared [m²/s²]
        float slowest_ahead;            ///< how far ahead that is [m]
        float slowest_for;              ///< driven since it was looked for [m]
        float pedals_for;               ///< pedals and gear stay so much longer; 0: no longer [s]
        int32_t pedals_gear;            ///< engaged when they were thought over
        kerb_speed_controller speed_control;
        kerb_gearbox gearbox;
        bool turned_round; ///< its own edge would be what was the other one: it faces back
        bool across;       ///< came to stand across the lane
        float roomy_side;  ///< to turn round to: 1 left, -1 right, 0 the lane's inside
        kerb_stuck stuck;
        double way; ///< driven, less what it backed out [m]
    } memory;
} kerb_lane_keeper;

/// A keeper at the start of its life, default settings. The settings and vehicle must be valid;
/// driving with invalid ones asserts.
KERB_API kerb_lane_keeper kerb_lane_keeper_make(const kerb_vehicle* vehicle);

/// Tells a keeper at the start of its life, or one whose vehicle was put elsewhere, which way along
/// the road is meant: without it that which the vehicle faces. One that faces another way turns
/// round, in as many moves as the road's width takes. What it remembers is forgotten.
///
/// direction: level; roughly along the road, within 60° or so. Not finite, or without a level part:
/// the way that the vehicle faces.
KERB_API void kerb_lane_keeper_set_way(kerb_lane_keeper* keeper, kerb_vec3 direction);

/// Lists the rays that the keeper wants in this frame; returns how many. Five while it keeps its
/// lane, six in every third frame, seven while it backs out, up to KERB_LANE_RAYS while it changes
/// or looks for room. Level rays, at the height of the reference point. Motion that is not finite:
/// none. What it works out for them it keeps for the drive call, should that be told the same
/// motion. O(1)
KERB_API int32_t kerb_lane_keeper_rays(kerb_lane_keeper* keeper, const kerb_motion* motion,
                                       kerb_lane_ray rays[KERB_LANE_RAYS]);

/// The controls for this frame, from the rays of this frame and what they met. Of `surroundings`,
/// which may be NULL, speed cap and grip count. Allocates nothing. O(count)
///
/// The wheels follow the lane in every frame. Pedals and gear are thought over every 0.02 s, and at
/// once where somebody is ahead, another gear is engaged, or it does not just drive on; between
/// that they stay as they are, with what was thought of them.
///
/// time_step: since the last call [s] [> 0, < 1000]. Another step repeats the last controls; motion
/// that is not finite gives the safe controls. Both are counted in bad_frames.
KERB_API kerb_controls kerb_lane_keeper_drive(kerb_lane_keeper* keeper, const kerb_lane_ray* rays,
                                              const kerb_lane_hit* hits, int32_t count,
                                              const kerb_motion* motion,
                                              const kerb_surroundings* surroundings,
                                              float time_step);

/// P_DriveTo: `distance` from a hit along the edge's normal, held level. [m]
KERB_API kerb_vec3 kerb_lane_drive_to(kerb_vec3 hit, kerb_vec3 normal, float distance);

/// The post's steering: angle of the wheels for a curvature, by the law of cosines. [rad]
/// [curvature: beyond 2/wheelbase held there]
KERB_API float kerb_lane_angle_by_cosines(float wheelbase, float curvature);

#endif
// Kerb plan: the fastest movement that a vehicle can really make.
//
// From a pose and a speed to a pose and a speed, round obstacles, under the vehicle's own limits
// (turning radius, acceleration, braking, sideways acceleration, reverse), in seconds. The result
// is a row of pieces, each with one curvature and one acceleration: where the vehicle is at any
// time is a closed form.
//
//     kerb_plan_limits limits = kerb_plan_limits_of(&car, 1.0f);
//     kerb_planner_settings settings = kerb_planner_settings_default();
//     kerb_planner planner;
//     if (kerb_planner_create(&planner, &limits, &settings, &host, &error) != KERB_OK) …
//     if (kerb_planner_world(&planner, &world, &error) != KERB_OK) …  // where there are obstacles
//
//     kerb_plan_query query = {.starts = &here, .start_count = 1, .goals = &there,
//                              .goal_count = 1};
//     if (kerb_planner_begin(&planner, &query, &error) != KERB_OK) …
//     while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING) …  // a slice each frame
//     kerb_plan plan = kerb_planner_plan(&planner);  // the best so far, at any moment
//     kerb_plan_state now = kerb_plan_at(&plan, seconds);
//     kerb_plan_driver_drive(&driver, &plan, …);     // the controls that drive it, frame by frame
//     kerb_plan_waypoints(&plan, …);                 // the same as waypoints of a kerb_path
//     kerb_planner_destroy(&planner);
//
// Poses are those of the rear axle, kerb_vehicle.reference_to_rear_axle behind the reference point.
// Work is counted in steps, never in milliseconds: every machine gives the same answer. Curvature
// jumps from piece to piece; a vehicle whose wheels take time to turn follows within what that
// costs (steering_time). Does not: build maps, guess how others will move, start threads.
//
// Source: "AIPATH" (planning in the physical state space of a vehicle, chapters 2 to 5).
#ifndef KERB_PLAN_H
#define KERB_PLAN_H

// --------------------------------------------------------------------------- limits

/// What a movement must keep to. Begin with kerb_plan_limits_of or kerb_plan_limits_default. A
/// settings struct: kerb_plan_limits_table has the ranges.
typedef struct kerb_plan_limits {
    float turning_radius;       ///< least, of the rear axle [m] [> 0] Cars: 4 to 6.
    float speed_max;            ///< forwards [m/s] [> 0]
    float reverse_speed_max;    ///< 0: never in reverse [m/s] [>= 0]
    float acceleration;         ///< gaining speed forwards [m/s²] [> 0]
    float braking;              ///< losing it [m/s²] [> 0]
    float reverse_acceleration; ///< gaining speed in reverse [m/s²] [> 0]
    float reverse_braking;      ///< losing it [m/s²] [> 0]
    float lateral_acceleration; ///< most of speed² · |curvature| [m/s²] [> 0]
    float yaw_rate_max;         ///< most of speed · |curvature| [rad/s] [> 0]
    float reversal_time;        ///< standing at a change of direction [s] [>= 0]
    float
        steering_time; ///< of the wheels from straight to the tightest turn; 0: at once [s] [>= 0]
    float front;       ///< footprint: from the rear axle forwards [m]
    float rear;        ///< from the rear axle backwards [m]
    float width;       ///< across [m] [>= 0]
    float margin;      ///< further room round the footprint [m] [>= 0]
} kerb_plan_limits;

/// Curvature jumps from piece to piece; wheels take `steering_time · turning_radius · jump` for it.
/// Who turns them evenly, so that the jump lies in the middle, ends up so far aside at most: where
/// it would be more, movements are slower there. [m]
#define KERB_PLAN_DRIFT 0.1f
/// At a change of direction a movement stands until the wheels have turned, but for so long, which
/// they may turn while it comes to rest and sets off. From rest it stands likewise, as if they were
/// straight: a query does not say where they are. [s]
#define KERB_PLAN_TURNS_ROLLING 0.4f

/// Ranges, defaults and meaning of every limit.
KERB_API const kerb_settings_table kerb_plan_limits_table;

/// The car of the AIPATH thesis: radius 5 m, 13.8 m/s, 1.5 m/s² and 5 m/s², sideways 10 m/s², never
/// in reverse; 4.5 m by 1.8 m.
KERB_API kerb_plan_limits kerb_plan_limits_default(void);

/// Those of a vehicle on a surface of so much grip. [grip: > 0] 1: dry asphalt.
///
/// The grip scales braking and sideways acceleration; acceleration it can only lower. What a
/// vehicle does at its very limit, no driver does for long: take a share of the accelerations where
/// somebody is to follow the plan. For TRACKED and HOVER, the radius is what they turn within.
KERB_API kerb_plan_limits kerb_plan_limits_of(const kerb_vehicle* vehicle, float grip);

/// What of those somebody at the wheel drives as planned: that share of acceleration, braking and
/// sideways grip, and 1.1 times the least radius, so that there is something left for corrections;
/// the least radius with what understeer takes of the lock at that sideways acceleration, twice.
/// The greatest speed is that up to which its power, less what resists, still gives the
/// acceleration and 15 % more: a smaller share may be faster. On wheels 0.7 of the braking in
/// reverse, where brakes do most with the axle that carries least. TRACKED turn at 0.6 of their yaw
/// rate. [share: 0 … 1, usually 0.3 to 0.5]
KERB_API kerb_plan_limits kerb_plan_limits_to_drive(const kerb_vehicle* vehicle, float share);

/// Whether a vehicle goes where it points, as movements have it: KERB_OK, or OUT_OF_RANGE of "kind"
/// for HOVER, which goes on sliding where it went, so that no share of its limits makes it keep to
/// a movement with bends.
KERB_API kerb_result kerb_plan_drivable(const kerb_vehicle* vehicle, kerb_error* error);

/// KERB_OK, or NOT_FINITE or OUT_OF_RANGE with the first bad field.
KERB_API kerb_result kerb_plan_limits_validate(const kerb_plan_limits* limits, kerb_error* error);

// --------------------------------------------------------------------------- from where to where

/// One end of a movement.
typedef struct kerb_plan_end {
    kerb_pose pose; ///< of the rear axle
    float speed;    ///< along the pose; negative: in reverse [m/s]
    float penalty;  ///< seconds that choosing this one costs [s] [>= 0]
    // Of a goal; of a start 0. A kerb_plan_search has such for all goals in its settings, too: what
    // lets more do holds.
    float position_tolerance; ///< so far from there will do [m] [>= 0]
    float heading_tolerance;  ///< turned by so much will do; π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< slower or faster by so much will do [m/s] [>= 0]
} kerb_plan_end;

/// At (x, y) [m], facing along `heading` [rad], at `speed` [m/s], exactly, without a penalty.
KERB_API kerb_plan_end kerb_plan_end_make(float x, float y, float heading, float speed);

/// Most starts, and most goals, of a query.
#define KERB_PLAN_ENDS_MAX 16

/// From one of the starts to one of the goals, whichever pair costs least. Several starts stand for
/// a choice of the host's; goals that differ little say that better with tolerances.
typedef struct kerb_plan_query {
    const kerb_plan_end* starts; ///< read during kerb_planner_begin alone
    const kerb_plan_end* goals;  ///< read during kerb_planner_begin alone
    int32_t start_count;         ///< [1 … KERB_PLAN_ENDS_MAX]
    int32_t goal_count;          ///< [1 … KERB_PLAN_ENDS_MAX]
} kerb_plan_query;

// --------------------------------------------------------------------------- obstacles

/// What stands in the way. Zeros are nothing; a grid and polygons may be given together. Read while
/// a call lasts, but for `is_free` and `context`.
typedef struct kerb_plan_world {
    /// Occupancy, row by row, the first cell's corner at `origin`, rows along y. 255: blocked,
    /// anything else: free. Beyond the grid it is free. NULL: none.
    const uint8_t* cells;
    int32_t columns, rows; ///< of cells and prices [1 … KERB_PLAN_CELLS_MAX each]
    float cell_size;       ///< [m] [0.001 … 1000]
    kerb_vec2 origin;      ///< [m]
    /// Prices of ground that may be driven on but had better not, row by row like `cells`, on the
    /// same grid: each metre of the rear axle's way there costs value / 255 · price beside its
    /// time. NULL: none.
    const uint8_t* prices;
    float price; ///< of a metre where the value is 255 [s/m] [0 … 10000]
    /// Polygons that are blocked inside: simple, either way round, one after the other.
    const kerb_vec2* vertices;
    const int32_t* vertex_counts; ///< of each polygon [>= 3]
    int32_t polygon_count;        ///< 0: none [0 … 1e6; all vertices together up to 1e7]
    /// Corners of the box that the footprint must stay in; both (0, 0): no box. [m]
    kerb_vec2 least, most;
    /// Asked as well where all else is free, on the calling thread, at least every 10 cm; NULL:
    /// nobody. The same pose of the rear axle must get the same answer until the query ends.
    bool (*is_free)(void* context, kerb_pose pose);
    void* context;
} kerb_plan_world;

/// Most cells of a world's grid along a side.
#define KERB_PLAN_CELLS_MAX 32768

/// Somebody who crosses the way: a box whose motion is known. It goes straight on at `velocity` and
/// keeps facing the way it faces, or where `pose_at` says.
typedef struct kerb_plan_mover {
    kerb_pose pose;     ///< of its middle when the movement begins
    kerb_vec2 velocity; ///< [m/s] [0 … 200]
    float length;       ///< the way it faces [m] [> 0]
    float width;        ///< across [m] [> 0]
    /// Where its middle is and how it faces so many seconds after the movement begins [>= 0], in
    /// any order of times, on the calling thread; `pose` and `velocity` then count for nothing. The
    /// same time must get the same answer until the query ends, and a direction of unit length.
    /// NULL: it goes straight on.
    kerb_pose (*pose_at)(void* context, float time);
    void* context;
    float speed_max; ///< of `pose_at`: no point of the box is ever faster [m/s] [0 … 400]
} kerb_plan_mover;

/// Most of them.
#define KERB_PLAN_MOVERS_MAX 32

// --------------------------------------------------------------------------- movements

/// A piece of a movement: one curvature, one acceleration, one direction of travel.
typedef struct kerb_plan_piece {
    kerb_pose start;
    float time;     ///< since the start of the movement [s]
    float duration; ///< [s] [>= 0]
    float length;   ///< travelled [m] [>= 0]; 0 where it stands: for a change of direction, or for
                    ///< its wheels before it sets off
    float speed;    ///< at its start, of travel [m/s] [>= 0]
    float acceleration; ///< change of that speed [m/s²]
    float curvature;    ///< left positive, whichever way it is driven [1/m]
    int32_t travel;     ///< 1 forwards, -1 in reverse
} kerb_plan_piece;

/// How a movement was found.
typedef enum kerb_plan_method {
    KERB_PLAN_NONE,  ///< not at all
    KERB_PLAN_SHOT,  ///< an analytic way from start to goal, improved as far as the steps reached
    KERB_PLAN_ROUTE, ///< a search round the obstacles, shortened and improved likewise
    KERB_PLAN_STATES ///< a search with speed in its states; of kerb_planner shortened and improved
                     ///< likewise, where it arrives too fast to turn as tightly as it could
} kerb_plan_method;

/// A movement. Plain data but for `pieces`.
typedef struct kerb_plan {
    const kerb_plan_piece* pieces; ///< `count` of them, each beginning where the last one ended
    int32_t count;                 ///< 0: there is no movement
    int32_t steps;                 ///< of work so far
    int32_t expansions;            ///< those of them that expanded a node of a search
    int32_t start, goal;           ///< which of the query's
    int32_t method;                ///< kerb_plan_method
    float cost;                    ///< time plus penalties plus toll [s]
    float toll;                    ///< what the world's prices come to [s]
    float time;                    ///< [s]
    float length;                  ///< [m]
    float lower_bound;             ///< no movement costs less [s]
} kerb_plan;

/// Where a vehicle is at some time.
typedef struct kerb_plan_state {
    kerb_pose pose;
    float time;         ///< since the start of the movement [s]
    float speed;        ///< along the pose; negative in reverse [m/s]
    float curvature;    ///< left positive [1/m]
    float acceleration; ///< of travel: positive gains speed, in reverse too [m/s²]
    int32_t travel;     ///< 1 forwards, -1 in reverse
} kerb_plan_state;

/// The state `time` seconds after the start; before it (or NaN) the start, beyond the end the end.
/// A plan without pieces: zero. O(log pieces), allocates nothing.
KERB_API kerb_plan_state kerb_plan_at(const kerb_plan* plan, float time);

/// How a movement becomes waypoints. Begin with kerb_plan_path_settings_default;
/// kerb_plan_path_settings_table has the ranges.
typedef struct kerb_plan_path_settings {
    float ahead;       ///< whose path it is: the point so far ahead of the rear axle [m] 0: its own
    float chord_error; ///< segments leave the movement's arcs by at most this [m] [0.001 … 10]
    float speed_step;  ///< speed changes by at most this from waypoint to waypoint [m/s] [>= 0.05]
    float room;        ///< corridor to either side, for all waypoints [m] [>= 0]
} kerb_plan_path_settings;

KERB_API const kerb_settings_table kerb_plan_path_settings_table;
/// The rear axle's path within 1 cm, speeds in steps of 4 m/s at most, 0.3 m to either side.
/// Finer steps are nearer to the plan, but a driver who obeys them crawls off from rest.
KERB_API kerb_plan_path_settings kerb_plan_path_settings_default(void);

/// A movement as waypoints of an open path, for kerb_path_build and whoever drives along paths.
///
/// A kerb_follower keeps the reference point on its path forwards, the rear axle in reverse: for a
/// movement that is all forwards take kerb_vehicle.reference_to_rear_axle as `ahead`, else 0.
///
/// Waypoints lie on the movement, wherever a piece begins and in between; those that would come
/// within 2 mm of the one before are left out, but for changes of direction, stands and the end.
/// `speed_limit` is the greatest planned speed from there to the next waypoint, of the rear axle
/// and at least 0.01 m/s; so at a waypoint the plan drives what the lower one of the limits before
/// and after it says, at rest less. `direction` is the travel, `stop` how long the plan stands
/// there, at cusps too. What the plan does not know is as kerb_waypoint_at has it: level, grip 1.
/// At what speed the last piece arrives is in the last waypoint's limit; a path's end is where
/// followers stop, so one that is to drive on needs further waypoints behind.
///
/// `count` becomes how many there are, also where `capacity` is too small for them, else 0 on
/// error; capacity 0 with NULL only counts. On error the array's content means nothing.
///
/// Errors: NOT_FINITE or OUT_OF_RANGE of a setting; TOO_FEW of "count" where there is no movement
/// and of "length" where it goes nowhere; NOT_FINITE of "pieces", OUT_OF_RANGE of "travel",
/// "length" or "duration", TOO_MANY of "pieces" beyond a million waypoints for one of them, all
/// with the piece's index; TOO_MANY of "waypoints" where `capacity` is too small. Coordinates
/// beyond KERB_POSITION_MAX are for kerb_path_build to refuse. O(pieces + waypoints), allocates
/// nothing.
KERB_API kerb_result kerb_plan_waypoints(const kerb_plan* plan,
                                         const kerb_plan_path_settings* settings,
                                         kerb_waypoint* waypoints, int32_t capacity, int32_t* count,
                                         kerb_error* error);

/// Says whether a plan keeps every limit and leads from its start to its goal without a jump, and
/// if not, what is wrong where.
///
/// It integrates the pieces in steps of at most 2 cm or 5 ms, in double precision, and shares
/// nothing with what makes plans. Speeds may be off by 1e-3 m/s plus 2e-4 of the fastest,
/// accelerations and curvatures by a thousandth; tolls by 2 % and half a cell; places by 2 mm and
/// 1e-5 of the coordinates and of the length; headings by 5e-4 rad.
///
/// With a world (may be NULL) the footprint with its margin, less 2 mm and what floats cannot say
/// so far from the origin, is held at every step against each blocked cell and polygon, the box and
/// the host's own function.
///
/// Errors: OUT_OF_RANGE of "turning_radius", "speed_max" …, the limit that is broken, or of "world"
/// where it meets an obstacle; CONTRADICTION of "pose", "speed", "time", "length", "travel",
/// "goal", "cost", "toll": pieces that do not fit one another, or the ends, or the world's prices;
/// TOO_FEW of "count"; NOT_FINITE. With the piece's index. O(length), about 0.1 ms a 100 m; with a
/// world times the cells under the footprint and the vertices. The world must be one that
/// kerb_planner_world takes. Allocates nothing.
KERB_API kerb_result kerb_plan_check(const kerb_plan_limits* limits, const kerb_plan_query* query,
                                     const kerb_plan_world* world, const kerb_plan* plan,
                                     kerb_error* error);

/// Says whether a movement, at its own times, meets one of those that cross its way. As
/// kerb_plan_check it integrates by itself, in steps of at most 2 cm or 5 ms, and shrinks the
/// footprint by 2 mm and what floats cannot say. Errors: OUT_OF_RANGE of "movers", with the
/// piece's index; TOO_FEW of "count". O(length · count)
KERB_API kerb_result kerb_plan_check_movers(const kerb_plan_limits* limits,
                                            const kerb_plan_mover* movers, int32_t count,
                                            const kerb_plan* plan, kerb_error* error);

// --------------------------------------------------------------------------- planner

/// How to plan. Begin with kerb_planner_settings_default and change what differs.
typedef struct kerb_planner_settings {
    int32_t improvement; ///< steps spent on improving the first answer; 0: the first answer it is
    int32_t seed;        ///< of the improvement's random numbers
    // Of searches round obstacles.
    int32_t expansions;  ///< of nodes at most, then the outcome is BUDGET_SPENT
    int32_t nodes;       ///< places that a search can keep, about 138 bytes each
    int32_t field_cells; ///< of what a world's obstacles are measured on, 4 bytes each at most:
                         ///< where a quarter of the vehicle's width is too fine, it is coarser
} kerb_planner_settings;

KERB_API const kerb_settings_table kerb_planner_settings_table;
KERB_API kerb_planner_settings kerb_planner_settings_default(void);

typedef enum kerb_plan_outcome {
    KERB_PLAN_RUNNING,       ///< there is more to do
    KERB_PLAN_FOUND,         ///< done
    KERB_PLAN_NO_PATH,       ///< there is none, however it drives
    KERB_PLAN_BUDGET_SPENT,  ///< none found with this much work, or none of up to 2,048 arcs
    KERB_PLAN_CANCELLED,     ///< by the host; the plan is the best until then
    KERB_PLAN_IMPOSSIBLE,    ///< every start or every goal has a speed beyond the limits
    KERB_PLAN_START_BLOCKED, ///< at every start the footprint meets an obstacle
    KERB_PLAN_GOAL_BLOCKED,  ///< at every goal it does
    KERB_PLAN_OUTCOME_COUNT
} kerb_plan_outcome;

/// A word for an outcome, never NULL: "found", "no_path".
KERB_API const char* kerb_plan_outcome_text(kerb_plan_outcome outcome);

/// Looks for a movement, a slice of work at a time. All it knows lies in `memory`, `site` and
/// `crossing`, without pointers but for a world's `is_free` and a mover's `pose_at`: copied
/// elsewhere, together with this struct, it goes on with the same bits. The answer depends on the
/// number of steps only, never on how they were sliced.
typedef struct kerb_planner {
    void* memory; ///< aligned to 64
    size_t bytes;
    void* site; ///< the obstacles and the searches among them, aligned to 64; NULL: open ground
    size_t site_bytes;
    void* crossing; ///< those who cross the way, aligned to 64; NULL: nobody
    size_t crossing_bytes;
    kerb_allocator allocator;
} kerb_planner;

/// Bytes of a planner's memory on open ground: half a megabyte, for movements of kilometres.
KERB_API size_t kerb_planner_bytes(void);

/// Errors: those of kerb_plan_limits_validate; OUT_OF_RANGE or NOT_FINITE of a setting;
/// OUT_OF_MEMORY. On error the planner is zeroed. Allocates its memory, once for all queries.
KERB_API kerb_result kerb_planner_create(kerb_planner* planner, const kerb_plan_limits* limits,
                                         const kerb_planner_settings* settings,
                                         const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed planner.
KERB_API void kerb_planner_destroy(kerb_planner* planner);

/// Says what stands in the way from now on; whatever ran before is dropped. A world of zeros, or
/// NULL: open ground. Copies it.
///
/// Allocates: the obstacles' memory (a bit a cell of the grid, a byte a price, 12 bytes a vertex,
/// up to 5 bytes for each of settings.field_cells, up to 8 MB for the distances round obstacles,
/// about 139 bytes for each of settings.nodes) and as much again meanwhile. So it is a call for the
/// loading screen; queries allocate nothing. O(cells + vertices), 2 ms for 100 m by 100 m.
///
/// Errors, which leave open ground: NOT_FINITE or OUT_OF_RANGE of "columns", "rows", "cell_size",
/// "origin" (all within 1e6 m), "price", "vertices", "polygon_count", "least", "most", with the
/// vertex's index; TOO_FEW of "vertex_counts", with the polygon's; MISSING_FIELD of "vertices" or
/// "vertex_counts"; OUT_OF_RANGE of "width" or "front" where the limits' footprint is empty;
/// OUT_OF_MEMORY.
KERB_API kerb_result kerb_planner_world(kerb_planner* planner, const kerb_plan_world* world,
                                        kerb_error* error);

/// Says who crosses the way in the queries that begin from now on; 0: nobody. Copies them.
///
/// A movement is then driven slower, or waits on its way, where it would meet one of them; what is
/// shown at any moment is so already. Where the movement that was found without them meets one at
/// full speed, a search with speed and time (up to a tenth of settings.expansions) then looks for
/// another way: past them, behind them, aside until they have passed. The better of both is the
/// answer; without improvement (0) the first that there is. Where neither is found the outcome is
/// BUDGET_SPENT. Timing costs up to some milliseconds each time that a better movement is shown.
/// After a movement's end nobody is looked for.
///
/// Allocates where there was nobody before: 2 MB and 31 bytes for each of settings.nodes.
///
/// Errors, with the index, which leave nobody: NOT_FINITE or OUT_OF_RANGE of "pose", "velocity",
/// "length", "width" or "speed_max"; TOO_MANY of "count"; OUT_OF_MEMORY.
KERB_API kerb_result kerb_planner_movers(kerb_planner* planner, const kerb_plan_mover* movers,
                                         int32_t count, kerb_error* error);

/// Begins a query; whatever ran before is dropped. Errors, with the end's index, which leave the
/// planner with no query: NOT_FINITE or OUT_OF_RANGE of "pose" (coordinates up to 1e6 m; a
/// direction of unit length within a thousandth), "speed", "penalty", "position_tolerance",
/// "heading_tolerance" or "speed_tolerance"; TOO_FEW or TOO_MANY of "start_count" or "goal_count".
/// Speeds beyond the limits are no error but the outcome KERB_PLAN_IMPOSSIBLE, as ends in obstacles
/// are START_BLOCKED or GOAL_BLOCKED.
KERB_API kerb_result kerb_planner_begin(kerb_planner* planner, const kerb_plan_query* query,
                                        kerb_error* error);

/// Goes on by so many steps at most. On open ground the first step finds the first answer, in 20 to
/// 50 µs, with reverse in 80 to 200; each further one tries to improve it, in about 0.4 µs. Among
/// obstacles, where no direct way is free, steps are first expansions of a search, then shortcuts,
/// of about a microsecond or two each. Allocates nothing.
///
/// Goals with tolerances are aimed at by up to 64 exact ends, and the improvement moves the end
/// within them. Several goals: among obstacles a search takes the one that it reaches first; each
/// other one that might cost less, and lies elsewhere or has another penalty, is then searched for
/// by itself, with four times as much work as the first took.
KERB_API kerb_plan_outcome kerb_planner_advance(kerb_planner* planner, int32_t steps);

/// Ends the query. What was found stays.
KERB_API void kerb_planner_cancel(kerb_planner* planner);

/// The best movement so far; without pieces where there is none. Its pieces stay until the next
/// call that is not this one. O(1)
KERB_API kerb_plan kerb_planner_plan(const kerb_planner* planner);

/// Where there is no movement yet, or will be none: one to where the search has come nearest to a
/// goal, ending there at rest: something to begin with. It costs its time and its start's penalty;
/// `goal` is -1, and kerb_plan_check does not take it. Where there is a movement, that. Without
/// pieces before the first expansion, and where the search goes from the goals backwards. Its
/// pieces stay until the next call that is not this one. O(nodes)
KERB_API kerb_plan kerb_planner_effort(kerb_planner* planner);

// --------------------------------------------------------------------------- what it looks at

/// The tree that a search round obstacles has grown by now, for pictures and for finding out why.
typedef struct kerb_plan_tree {
    int32_t count;  ///< of nodes; they only grow in number while the search is the same
    int32_t search; ///< which of the query's searches: a finer one begins a tree of its own [>= 0]
    bool backwards; ///< it grows from the goals; costs count from there, reverse is forwards
} kerb_plan_tree;

/// A node of it: a place that the search has reached.
typedef struct kerb_plan_node {
    kerb_pose pose;  ///< of the rear axle
    int32_t parent;  ///< whose arc leads here, a lesser index; -1: the search begins here
    float curvature; ///< of that arc, left positive [1/m]
    float length;    ///< of that arc, negative in reverse [m]; 0 where the search begins
    float cost;      ///< of the way here, about [s]
} kerb_plan_node;

/// The tree of the query's latest search; on open ground, and before a search, it has no nodes. It
/// stays as it is until the next call that is not one of this part. O(1)
KERB_API kerb_plan_tree kerb_planner_tree(const kerb_planner* planner);

/// Nodes in the order in which they were reached, so that those of one expansion follow one another
/// with the same parent. [index: 0 … tree.count - 1] O(1)
KERB_API kerb_plan_node kerb_planner_node(const kerb_planner* planner, int32_t index);

/// What is left of limits on a surface of so much grip. [grip: > 0] 1: as they are; wet asphalt
/// 0.7, snow 0.3, ice 0.1 or so. Scales braking and sideways acceleration; acceleration it can only
/// lower.
KERB_API kerb_plan_limits kerb_plan_limits_on(const kerb_plan_limits* limits, float grip);

#endif
// Kerb plan_driver: drives a vehicle through a plan, at its places and at its times.
//
//     kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
//     each frame:
//         kerb_controls controls =
//             kerb_plan_driver_drive(&driver, &plan, &motion, &surroundings, time_step);
#ifndef KERB_PLAN_DRIVER_H
#define KERB_PLAN_DRIVER_H

// --------------------------------------------------------------------------- driving a movement

/// How a movement is driven. Begin with kerb_plan_driver_settings_default;
/// kerb_plan_driver_settings_table has the ranges.
typedef struct kerb_plan_driver_settings {
    float response_time;     ///< errors aside fade over about this time at speed … [s] [> 0]
    float response_distance; ///< … and over about this distance when slow [m] [> 0]
    float catch_up;          ///< faster or slower than planned by at most this share, to be in time
                             ///< [1] [0 … 0.5]
    float catch_up_time;     ///< being late fades over about this time [s] [> 0]
    float late_most;         ///< later than this, the rest is put off [s] [>= 0]
    float stop_distance;     ///< so near the end of a leg it has arrived there [m] [> 0]
    float lost_distance;     ///< so far aside it stops and waits for another plan [m] [> 0]
    float lost_angle;        ///< likewise turned [rad] [> 0]
    kerb_speed_settings speed_control;
} kerb_plan_driver_settings;

KERB_API const kerb_settings_table kerb_plan_driver_settings_table;
KERB_API kerb_plan_driver_settings kerb_plan_driver_settings_default(void);

/// What it thought in the last frame, for pictures and for questions.
typedef struct kerb_plan_driver_thoughts {
    kerb_plan_state planned; ///< the place of the plan nearest to the rear axle
    kerb_vec2 rear_axle;     ///< where that is [m]
    float late;              ///< behind the plan's time by so much; negative: early [s]
    float put_off;           ///< and so much later than when it was begun [s]
    float cross_track_error; ///< of the rear axle, left of the travel positive [m]
    float heading_error;     ///< left positive [rad]
    float target_speed;      ///< of travel [m/s]
    float acceleration;      ///< wanted, of travel [m/s²]
    float curvature;         ///< that it steers, left positive [1/m]
    bool lost;               ///< too far off the plan: it stands until it gets another one
    kerb_reason reason;
} kerb_plan_driver_thoughts;

/// What a driver has learned about what slows its vehicle down. The meaning may change between
/// versions.
typedef struct kerb_plan_driver_slowing {
    float lifted;   ///< without throttle for so long [s]
    float drag;     ///< what the engine brakes with then [m/s²]
    float brakes;   ///< their strength over that of the vehicle, as it says [1]
    float doubt[3]; ///< variances of drag and brakes, and what these share
} kerb_plan_driver_slowing;

/// What a driver has learned about what its throttle gives. The meaning may change between
/// versions.
typedef struct kerb_plan_driver_pull {
    float strength; ///< over what the vehicle says [1]
    float doubt;    ///< variance of that
    float told;     ///< acceleration that was asked of the engine, as it answers [m/s²]
    float coupled;  ///< in gear for so long [s]
} kerb_plan_driver_pull;

/// What a driver has learned about how its vehicle turns. The meaning may change between versions.
typedef struct kerb_plan_driver_turn {
    float gain;  ///< curvature over that which the vehicle says its wheels drive [1]
    float doubt; ///< variance of that
    float told;  ///< what the wheels drive, as the body follows [1/m]
} kerb_plan_driver_turn;

/// What a driver has learned about how its tyres slip. The meaning may change between versions.
typedef struct kerb_plan_driver_slip {
    float softness; ///< slip of the rear tyres over the sideways acceleration [rad s²/m]
    float doubt;    ///< variance of that
    float rate;     ///< of turning in the last frame [rad/s]
} kerb_plan_driver_slip;

/// Drives a vehicle through a movement, at its places and at its times. Plain data, without
/// pointers: copy it to save a game.
///
///     kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
///     each frame:
///         kerb_controls controls =
///             kerb_plan_driver_drive(&driver, &plan, &motion, &surroundings, time_step);
///
/// A plan knows place, speed, acceleration and curvature at every moment, so the driver does what
/// they say and corrects: curvature and acceleration of the plan, begun early by what wheels and
/// engine take, and what lets errors aside, of heading, of speed and of time fade. Cusps are legs'
/// ends: it stops on the spot, turns the wheels while the gear changes, and goes on in time.
///
/// The plan may be another one in any frame; it then looks for its place on it. A vehicle follows a
/// plan that leaves it something to spare: kerb_plan_limits_to_drive. HOVER it does not drive
/// (kerb_plan_drivable): it stands with the brake held, KERB_REASON_GIVEN_UP. Does not look at
/// neighbours, only at kerb_surroundings.speed_cap: plan anew for what comes up.
typedef struct kerb_plan_driver {
    kerb_plan_driver_settings settings;
    kerb_vehicle vehicle;
    kerb_plan_driver_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step
    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
        float key[8];  ///< by which it knows the plan again
        int32_t piece; ///< where it is: the piece …
        float along;   ///< … and how far along it [m]
        int32_t phase; ///< driving, standing between legs, arrived
        float clock;   ///< time of the plan [s]
        float stood;   ///< between two legs, so far [s]
        float aside;   ///< how far off the plan it will get soon, as it sees it [m]
        float drift;   ///< left of where it points and tyres say, its rear axle goes [rad]
        float speed;   ///< of the last frame [m/s]
        float waits;   ///< for so long it has wanted to set off from rest [s]
        float answers; ///< from wanting to set off to rolling, as it has seen [s]
        kerb_plan_driver_slowing slowing;
        kerb_plan_driver_pull pull;
        kerb_plan_driver_turn turn;
        kerb_plan_driver_slip slip;
        kerb_speed_controller speed_control;
        kerb_gearbox gearbox;
    } memory;
} kerb_plan_driver;

/// At the start of its life, default settings. The vehicle must be valid.
KERB_API kerb_plan_driver kerb_plan_driver_make(const kerb_vehicle* vehicle);

/// The controls for this frame. `surroundings` may be NULL. Allocates nothing. O(pieces of a
/// leg), some 10 µs; on a plan that it does not know yet O(length).
///
/// time_step: since the last call [s] [> 0, < 1000, usually 0.008 to 0.05]. Another step repeats
/// the last controls; motion that is not finite gives the safe controls. Both are counted in
/// bad_frames. Where the plan ends it stands with the brake held, reason KERB_REASON_ARRIVED; where
/// the plan ends with speed, that reason comes there and it rolls on along the last arc, until it
/// is lost. A plan without pieces: brake held, KERB_REASON_NONE. Lost: brake held,
/// KERB_REASON_GIVEN_UP.
KERB_API kerb_controls kerb_plan_driver_drive(kerb_plan_driver* driver, const kerb_plan* plan,
                                              const kerb_motion* motion,
                                              const kerb_surroundings* surroundings,
                                              float time_step);

#endif
// Kerb racer: a racing driver.
//
// Drives a car along a racing line as fast as the car can, alone or among others, with any skill.
//
//     kerb_racer racer = kerb_racer_make(&car);
//     each frame: controls = kerb_racer_drive(&racer, &line, &motion, &surroundings, time_step);
#ifndef KERB_RACER_H
#define KERB_RACER_H

// Kerb racing_line: race tracks, and the line and the speed that win on them.
//
// A track is a kerb_path: its centre line, the widths to the left and to the right, elevation,
// banking and grip. Open or closed; it may cross itself, by a bridge or level, and its hairpins
// may be tighter than half its width. `left` and `right` are measured along the surface, which is
// banked. To drive it the other way round: kerb_waypoints_reverse (kerb/path.h).
//
//     if (kerb_track_check(waypoints, count, true, &error) != KERB_OK) …   // says what is wrong
//     kerb_track_smooth(waypoints, count, true, 2.0f, &host, &error);      // only if it is noisy
//     kerb_path_create(&track, waypoints, count, true, &host, &error);
//
// Does not: read files; that is done outside the library (io/track.h).
#ifndef KERB_RACING_LINE_H
#define KERB_RACING_LINE_H

// --------------------------------------------------------------------------- tracks

/// A track must be so wide everywhere, left and right together. [m]
#define KERB_TRACK_WIDTH_MIN 0.1f
/// And no wider than that on either side: beyond it the widths are in another unit. [m]
#define KERB_TRACK_WIDTH_MAX 1000.0f
/// And no longer. [m]
#define KERB_TRACK_LENGTH_MAX 1.0e6

/// Says whether waypoints make a track that can be raced on, and if not, why. O(count), allocates
/// nothing.
///
/// Errors, with field and the waypoint's index: those of kerb_path_build; TOO_FEW (fewer than
/// three waypoints, or different places); OUT_OF_RANGE of `left` or `right` (negative: are the
/// columns in another order? no width at all, or far too much), of `direction` (in reverse);
/// TOO_MANY of `waypoints` (longer than KERB_TRACK_LENGTH_MAX); CONTRADICTION of
/// `closed` (the way from the last waypoint to the first is longer than the track is wide there
/// and than four times the longest between two others), of `position` (it turns back by more than
/// 170 degrees at one waypoint), of `left` or `right` (its edge crosses itself: see below).
///
/// On the inside of a bend tighter than its width, cross-sections cross and the edge runs
/// backwards. That is legal as in a hairpin: over up to 240 degrees of turn in one piece, and over
/// up to a quarter of all segments. Beyond that the widths are wrong or the centre line is noisy.
KERB_API kerb_result kerb_track_check(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                      kerb_error* error);

/// Smooths a noisy centre line in place: one with metre noise and a point every metre, say, as
/// from satellite positions. No waypoint moves by more than `tolerance` in space.
///
/// How much it smooths follows from the data: the amount that predicts left-out points best. For
/// noise of standard deviation σ a tolerance of 4 σ leaves it free to do so; with less, it is the
/// smoothest line that keeps within `tolerance`. What is smooth already hardly changes. An open
/// track keeps its ends within the tolerance, not exactly.
///
/// The widths are smoothed alike, so that each edge comes to where it would if it had been smoothed
/// itself. It makes no difference whether the noise was in the centre line alone, or widths made up
/// for it. All else stays. O(count), about 3 to 7 µs a waypoint; allocates 176 bytes a waypoint
/// meanwhile.
///
/// [tolerance: 0.001 … 1000 m] Fewer than 5 waypoints, or 8 of a closed track, stay as they are.
/// Errors: OUT_OF_RANGE or NOT_FINITE as kerb_path_build, or of `tolerance`; OUT_OF_MEMORY. On
/// error nothing has changed.
///
/// Source: a smoothing spline (Reinsch 1967) with the third derivative as the penalty, which a
/// clothoid hardly pays; its amount by generalized cross-validation (Craven and Wahba 1979).
KERB_API kerb_result kerb_track_smooth(kerb_waypoint* waypoints, int32_t count, bool closed,
                                       float tolerance, const kerb_host* host, kerb_error* error);

// --------------------------------------------------------------------------- racing line

/// How a racing line is found.
typedef enum kerb_line_method {
    KERB_LINE_SPRING,    ///< a chain of springs that straightens itself (Vamos section 2)
    KERB_LINE_CURVATURE, ///< least curvature: the same line for every vehicle
    KERB_LINE_TIME       ///< least lap time for one vehicle
} kerb_line_method;

/// Which part of the track a line keeps to: several lines for a driver to choose from.
typedef enum kerb_line_side {
    KERB_LINE_NORMAL, ///< the whole width
    KERB_LINE_LEFT,   ///< the left half
    KERB_LINE_RIGHT,  ///< the right half
    /// From where braking begins to the middle of each corner so near to its inside that nobody
    /// fits in there; elsewhere the whole width.
    KERB_LINE_DEFENSIVE
} kerb_line_side;

/// How to find a line. Begin with kerb_line_settings_default and change what differs.
typedef struct kerb_line_settings {
    int32_t method; ///< kerb_line_method
    int32_t side;   ///< kerb_line_side
    float margin;   ///< from the track's edges to the line: half the vehicle's width and some [m]
    float node_spacing;      ///< of the unknowns, along the centre line [m]
    int32_t curvature_steps; ///< CURVATURE; TIME begins with them
    int32_t time_steps;      ///< TIME
    int32_t sweeps;          ///< SPRING: iterations
    float stiffness;         ///< SPRING: of the hinges, mass and time step 1 [N·m/rad]
    float damping;           ///< SPRING: [kg/s]
    int32_t thin; ///< SPRING: 1 deletes every other node at the end, as the paper advises
} kerb_line_settings;

KERB_API const kerb_settings_table kerb_line_settings_table;

/// Least lap time, whole width, margin 1 m, nodes every 4 m.
KERB_API kerb_line_settings kerb_line_settings_default(void);

/// The paper's spring chain: nodes every 8 m, 800 iterations, stiffness 1, damping 0.1.
KERB_API kerb_line_settings kerb_line_settings_vamos(void);

/// The chain as the program Vamos has it: nodes every two usable widths, 500 iterations, stiffness
/// 0.5, damping 0.01, margin 1.6 m. O(points of the track)
KERB_API kerb_line_settings kerb_line_settings_vamos_program(const kerb_path* track);

/// Most nodes of a line.
#define KERB_LINE_NODES_MAX 1000000

/// Looks for the racing line of a track, a slice of work at a time: while a game loads, or when the
/// track has changed.
///
///     kerb_line_settings settings = kerb_line_settings_default();
///     kerb_line_solver solver;
///     if (kerb_line_solver_create(&solver, &track, &car, &settings, &host, &error) != KERB_OK) …
///     while (kerb_line_solver_advance(&solver, 4) == KERB_LINE_RUNNING) …  // a frame each
///     kerb_racing_line line;
///     if (kerb_racing_line_create(&line, &solver, 2.0f, &host, &error) != KERB_OK) …
///     kerb_line_solver_destroy(&solver);
///
/// All it knows lies in `memory`, without pointers: copied elsewhere, together with this struct, it
/// goes on with the same bits. The answer depends on the number of steps only, never on how they
/// were sliced. It does not refer to the track after creation.
typedef struct kerb_line_solver {
    void* memory; ///< aligned to 64
    size_t bytes;
    kerb_allocator allocator;
} kerb_line_solver;

typedef enum kerb_line_state { KERB_LINE_RUNNING, KERB_LINE_DONE } kerb_line_state;

/// Bytes of a solver's memory, about 0.95 KB a node; 0 when there would be too many nodes.
KERB_API size_t kerb_line_solver_bytes(const kerb_path* track, const kerb_line_settings* settings);

/// Begins. The track: kerb_track_check says whether it is one. O(track), allocates the solver's
/// memory, and some for the track's spline meanwhile.
///
/// The vehicle of `performance` matters for TIME alone. Errors: NOT_FINITE or OUT_OF_RANGE of a
/// setting or of `performance`; TOO_MANY nodes; OUT_OF_MEMORY. On error the solver is zeroed.
KERB_API kerb_result kerb_line_solver_create(kerb_line_solver* solver, const kerb_path* track,
                                             const kerb_performance* performance,
                                             const kerb_line_settings* settings,
                                             const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed solver.
KERB_API void kerb_line_solver_destroy(kerb_line_solver* solver);

/// The track has changed, an obstacle or a wet stretch: the search starts again from the line that
/// it has, with half of TIME's or SPRING's steps. Widths, grip and bank may differ; the points must
/// be the same, or nearly, and as many. Errors: CONTRADICTION of `track` when it is another one;
/// OUT_OF_MEMORY. On error nothing has changed. O(track), allocates for the meantime only.
KERB_API kerb_result kerb_line_solver_change(kerb_line_solver* solver, const kerb_path* track,
                                             kerb_error* error);

/// Goes on by so many steps at most. A step of TIME costs about 230 ns a node, of CURVATURE 110 ns,
/// of SPRING 10 ns. Allocates nothing.
KERB_API kerb_line_state kerb_line_solver_advance(kerb_line_solver* solver, int32_t steps);

/// Share of the steps that are done. [0 … 1]
KERB_API float kerb_line_solver_progress(const kerb_line_solver* solver);

/// One place of a racing line.
typedef struct kerb_line_point {
    double distance;                      ///< along the line [m]
    double x, y, z;                       ///< [m]
    float heading;                        ///< of travel, in (-π, π] [rad]
    float slope;                          ///< rise per level metre [1]
    float curvature;                      ///< within the track's surface, left positive [1/m]
    float normal_curvature;               ///< out of it: dip positive, crest negative [1/m]
    float up_forward, up_left, up_normal; ///< the world's up, as in kerb_profile_point
    float bank;                           ///< of the track across, left side up positive [rad]
    float grip;                           ///< [1]
    float offset;      ///< from the centre line along the surface, left positive [m]
    float left, right; ///< room from the line to the track's edges [m]
    float lane;        ///< offset as a share of the way to the edge: 1 left, -1 right edge [1]
    float speed;       ///< the fastest there [m/s]
} kerb_line_point;

/// A line ready to drive. Read it freely.
typedef struct kerb_racing_line {
    kerb_line_point* points; ///< evenly spaced along the line
    int32_t count;
    bool closed;
    double length;    ///< [m]
    double time;      ///< of a lap, or from end to end starting at full speed [s]
    double violation; ///< how far the line comes nearer to an edge than the margin, at most [m]
    void* memory;
    size_t bytes;
    kerb_allocator allocator;
} kerb_racing_line;

/// The best line that the solver has so far, as a point every `spacing` metres or a little less or
/// more, with the speed profile of the solver's vehicle. Length, time and violation are measured on
/// a grid of 1 m at most. [spacing: 0.05 … 100 m] O(length), allocates the points, and about
/// 80 bytes a metre meanwhile. Errors: OUT_OF_RANGE of `spacing`, OUT_OF_MEMORY; then the line is
/// zeroed.
KERB_API kerb_result kerb_racing_line_create(kerb_racing_line* line, const kerb_line_solver* solver,
                                             float spacing, const kerb_host* host,
                                             kerb_error* error);

/// Gives the memory back. Harmless on a zeroed line.
KERB_API void kerb_racing_line_destroy(kerb_racing_line* line);

/// The line at a distance from its start, between points: position by a cubic, all else linear.
/// Wraps when closed, else held to the ends; NaN counts as 0. O(1)
KERB_API kerb_line_point kerb_racing_line_at(const kerb_racing_line* line, double distance);

/// Writes the line's points as waypoints, to make a kerb_path for any driver: the corridor is the
/// room to the edges, the speed limit the profile's. [waypoints: line->count of them] O(count)
KERB_API void kerb_racing_line_waypoints(const kerb_racing_line* line, kerb_waypoint* waypoints);

#endif

// --------------------------------------------------------------------------- racing driver

/// What a racer learns of the grip stays between these, by what it was told. [1]
#define KERB_RACER_LEARNT_LEAST 0.4f
#define KERB_RACER_LEARNT_MOST 1.15f

/// How a racing driver steers.
typedef enum kerb_racer_steering {
    KERB_RACER_LINE, ///< Kerb's own: the line's curvature ahead, errors, yaw, understeer, slides
    KERB_RACER_POLE  ///< the tip of a pole in front of the car is held on the line (Vamos 3)
} kerb_racer_steering;

/// What a racing driver does about wheels that spin or lock.
typedef enum kerb_racer_slip {
    KERB_RACER_SLIP_OFF,  ///< nothing: the host has traction control and anti-lock brakes
    KERB_RACER_SLIP_ON,   ///< eases off, by kerb_motion.wheel_slip, or as far as it can tell
    KERB_RACER_SLIP_LOCKS ///< the same, and counts on brakes that lock before it has felt it
} kerb_racer_slip;

/// All that can be set on a racing driver. Ranges and defaults: kerb_racer_settings_table.
typedef struct kerb_racer_settings {
    int32_t steering; ///< kerb_racer_steering

    // Speed.
    float grip_used;    ///< share of the sideways grip that it plans corners with [1]
    float braking_used; ///< share of the brakes that it plans with [1]
    float loss_margin;  ///< further braking_loss that it plans with [1]
    float speed_time;   ///< speed errors fade over about this time [s]
    float fuel_saving;  ///< 0 none … 1: lifts early and shifts up early (Vamos 5) [1]
    /// kerb_racer_slip. LOCKS is for cars without anti-lock brakes in hosts that cannot tell of the
    /// wheels; left ON, a driver finds that out where they lock first.
    int32_t slip_control;

    /// From the moment that the motion is of to that from which the controls for it act, where that
    /// is later: a host whose controls act a frame late has the time of a frame here, one that
    /// tells motion late the delay of that, both the sum. The vehicle's own delays (steering,
    /// throttle) and the time step itself are not in it. It drives from where it will be then. [s]
    float latency;

    // Steering, KERB_RACER_LINE.
    float response_time;     ///< errors fade over about this time at speed … [s]
    float response_distance; ///< … and over about this distance when slow [m]
    float slip_most;         ///< of the front tyres, by that of half grip: more only scrubs [1]
    float slide;             ///< of the rear tyres, likewise: at it the pedals are let go [1]

    // Steering, KERB_RACER_POLE.
    float pole_time;  ///< length of the pole per speed [s]
    float pole_least; ///< and at least [m]

    /// Beside the line, as a share of the room to the edge: 0 on the line, 1 at the left edge, -1
    /// at the right edge. (Vamos 6, lane shift)
    float lane;
    float margin; ///< that it keeps from the side of the car to the edge when off the line [m]

    // Skill and temper. What is lacking to skill 1 takes from the pace, makes the car wander and
    // mistakes happen; the other numbers say how that shows. At skill 1 none of them does anything,
    // aggression and pace_help apart.
    float skill;        ///< 0 learner … 1: as fast as it can, without errors [1]
    int32_t seed;       ///< another one, other errors at other places
    float aggression;   ///< among others: 0 patient … 1 takes every gap [1]
    float consistency;  ///< 0 no two laps alike, more mistakes … 1 nearly all laps alike [1]
    float late_braking; ///< 0 slow in, fast out … 1 brakes late, and is slower in the bend [1]
    float smoothness;   ///< 0 quick feet … 1 presses the pedals down slowly [1]
    /// Rubber-banding, for the host to set at any time; see kerb_racer_pace_help. 0 none; -1 paces
    /// it as skill 0, 1 as skill 1, between them in proportion, never faster than that. Its errors
    /// stay as they are. It comes and goes over ten seconds a unit. [-1 … 1]
    float pace_help;
    /// Learns lap by lap where a line holds more or less than it was told, between
    /// KERB_RACER_LEARNT_LEAST and KERB_RACER_LEARNT_MOST of that. Off: keeps what it has learnt
    /// and does not use it.
    int32_t learning; ///< 0 off, 1 on
    // Others.
    float gap_time;  ///< behind another, until it brakes when that one does [s]
    float gap_least; ///< behind another [m]
    float side_gap;  ///< between the sides of cars side by side; aggression takes from it [m]
    /// The wake behind others in this host, as in kerb_slipstream: the share of its drag that a car
    /// loses close behind another, and where half of that is left. 0: the host has none. [1], [m]
    float slipstream;
    float slipstream_length;

    kerb_stuck_settings stuck;
} kerb_racer_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_racer_settings_table;

/// Kerb's own driver, as fast as it can.
KERB_API kerb_racer_settings kerb_racer_settings_default(void);

/// The same, steering as the paper does. The pole cuts bends and damps nothing, so `grip_used` is
/// 0.5 and laps take a quarter longer; among others it may still run wide.
KERB_API kerb_racer_settings kerb_racer_settings_vamos(void);

/// Somebody: default settings with this skill, held to [0, 1], and a temper and habits that follow
/// from the seed, most of them near the middle. A field of opponents: a seed for each.
KERB_API kerb_racer_settings kerb_racer_settings_of_person(uint32_t seed, float skill);

/// A value for settings.pace_help from the gap to the player: negative, holding back, when the
/// racer leads by `gap`, positive when it is behind; `most` from a gap of `range` on, in proportion
/// before. [gap: racer ahead of the player, any unit] [range: the same unit, > 0] [most: 0 … 1]
KERB_API float kerb_racer_pace_help(float gap, float range, float most);

/// The share of its drag that a car loses behind another: most / (1 + gap / length), so `most` at
/// his bumper, a half of it `length` farther back, a third at twice that; less, the farther it is
/// beside his track, nothing from a car's width on. A simple wake for hosts that have none of their
/// own. [gap: bumper to bumper; less than 0: 0] [aside: between the middles, by a car's width]
KERB_API float kerb_slipstream(float most, float length, float gap, float aside);

/// What it is doing, apart from its reasons to be slow.
typedef enum kerb_racer_phase {
    KERB_RACER_DRIVES,   ///< races, or comes back to the track
    KERB_RACER_SPINS,    ///< has lost the car: brakes until it stands or goes straight again
    KERB_RACER_TURNS,    ///< faces the wrong way and turns round, forwards
    KERB_RACER_BACKS_OUT ///< the same or stuck, in reverse
} kerb_racer_phase;

/// What the racer thought in the last frame, for pictures and for questions.
typedef struct kerb_racer_thoughts {
    double distance;          ///< along the line, in [0, length] [m]
    double total;             ///< the same, laps counted, since it first found itself there [m]
    float cross_track_error;  ///< from where it wants to be beside the line, left positive [m]
    float course_error;       ///< of the direction of motion against the line's [rad]
    float heading_error;      ///< of the body against the line's direction [rad]
    float line_curvature;     ///< of the line where the wheels will have turned [1/m]
    float curvature;          ///< commanded, left positive [1/m]
    float target_speed;       ///< [m/s]
    float acceleration;       ///< wanted along the direction of travel [m/s²]
    float slip_front;         ///< slip angles of the axles, left bends positive [rad]
    float slip_rear;          ///< [rad]
    float lane;               ///< where it is: lane shift, beyond 1 or -1 off the track [1]
    bool off_track;           ///< the middle of the car is past the edge
    kerb_vec3 target;         ///< on its way ahead, in the world [m]
    kerb_neighbour neighbour; ///< that decides what it does; length 0: none does; no intent
    int32_t phase;            ///< kerb_racer_phase
    float asks;               ///< to be let by: for kerb_neighbour.asks, or to flash its lights
    kerb_reason reason;
} kerb_racer_thoughts;

/// Most other cars that a racer minds: the nearest.
#define KERB_RACER_OTHERS 24

/// Places of the line ahead that a racer keeps in mind.
#define KERB_RACER_BINS 128

/// Frames that may lie within kerb_racer_settings.latency; the rest count as the oldest of them.
#define KERB_RACER_LATE 32

/// Pieces of a line of which a racer learns, at most.
#define KERB_RACER_LEARNT_BINS 128

/// A racing driver: settings, vehicle, memory. Plain data without pointers; change settings,
/// vehicle and performance at any time.
typedef struct kerb_racer {
    kerb_racer_settings settings;
    kerb_vehicle vehicle;
    /// What the car can do at its limit; measured is better than kerb_performance_of.
    kerb_performance performance;
    kerb_racer_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
        double line_key[4]; ///< of the line that it is on: points, length, start; 0: none yet
        double distance;    ///< along it [m]
        double rounds;      ///< whole rounds before that [m]
        kerb_vec3 position; ///< of the car in the last frame [m]
        int32_t phase;      ///< kerb_racer_phase
        float in_phase;     ///< [s]
        float side;         ///< turning round: to the left (1) or right (-1)
        kerb_stuck stuck;
        float tipped;       ///< on its side or roof for so long [s]
        float since_shift;  ///< [s]
        int32_t gear;       ///< told last
        float launch;       ///< share of the clutch that is let in [1]
        float slip;         ///< throttle taken because of spinning wheels [0 … 1]
        float throttle;     ///< told, smoothed [1]
        float pushed;       ///< forwards by the tyres, smoothed [m/s²]
        float pulls;        ///< the engine, by what power and gears promise, as learnt; 0: not yet
        float locked;       ///< front wheels seem to stand [0 … 1]
        float slide;        ///< slip of the rear that no bend explains, lately [rad]
        float wide;         ///< its front gives way, and it runs wide, smoothed [0 … 1]
        float trim;         ///< further angle of the wheels at the limit, as learnt [rad]
        float firm;         ///< seems to be a host in which cars slip nowhere; below 0: surely not
        float firm_place;   ///< there what moves along the body: rear axle 0 … reference point 1
        float half_slip[2]; ///< slip angles of front and rear at half of the grip, as learnt [rad]
        float seen_slip[2]; ///< the same, by what it has measured alone; 0: nothing yet [rad]
        float half_slip_time; ///< for so long it has measured them [s]
        float steering;       ///< angle told last [rad]
        float wheels;         ///< where the wheels should stand by what they were told [rad]
        kerb_vec3 forward;    ///< of the body in the last frame
        float turned;         ///< how fast that turns, smoothed [rad/s]
        float brakes;         ///< deceleration by the whole pedal, as learnt; 0: not yet [m/s²]
        bool locks;           ///< it is told of wheels that nothing keeps from locking
        bool stood;           ///< it is not told, but has felt wheels stand
        float hold;           ///< share of the brakes that is to be had without locking [1]
        float tail;           ///< share of the brakes that brings the rear round, as learnt [1]
        float held;           ///< slowing by the brakes, smoothed [m/s²]
        float pressed;        ///< the brake pedal, smoothed [1]
        float lock;           ///< brakes taken because of locking wheels [0 … 1]
        float push;           ///< of the tyres along the car, as wanted last [m/s²]
        float speed;          ///< of the last frame [m/s]
        float course;         ///< of the motion against the line's [rad]
        float course_cosine;  ///< of the last frame's
        float turning;        ///< how fast that changes, smoothed; not the body's yaw [rad/s]
        float lane;           ///< on its way to the setting [1]
    } memory;
    // What it told in the last frames, the last first, where that acts late.
    struct {
        int32_t count;
        float grip_aside; ///< of the last frame [m/s²]
        float last[4];    ///< then: speeds ahead and aside, yaw, wheels [m/s], [rad/s], [rad]
        float lacks[3];   ///< accelerations that its model lacks [m/s²], [rad/s²]
        float time_step[KERB_RACER_LATE]; ///< of the frame for which it was told [s]
        float steering[KERB_RACER_LATE];  ///< [rad]
        float wheels[KERB_RACER_LATE];    ///< where they should have stood after it [rad]
        float push[KERB_RACER_LATE];      ///< of the tyres along the car [m/s²]
    } late;
    // Skill and temper.
    struct {
        float help;            ///< pace_help on its way [1]
        float near;            ///< somebody is near: 0 no … 1 yes, on its way [1]
        bool is_near;          ///< when it last looked
        float waits;           ///< until it answers to what let it go [s]
        float throttle, brake; ///< where its feet are [1]
    } skill;
    // What it has learnt of the line, in even pieces of 40 m at least; all forgotten on another.
    struct {
        double length;      ///< of the line that it is about [m]
        int32_t count;      ///< and its points
        double way;         ///< so far it came on it [m]
        int32_t bin;        ///< that it is in
        float common;       ///< what the pieces have in common [1]
        float pause;        ///< learns nothing for so long [s]
        float driven, slip; ///< in this bin at the limit of its plan, and the slip then [s]
        float lost;         ///< in this bin, with tyres at their limit [s]
        float lost_use;     ///< what they held then, by what it was told [1]
        float along, aside; ///< what the tyres hold, by what the car does [m/s²]
        float use_now;      ///< that in all, by what it was told [1]
        float use;          ///< the most of it in the last seconds [1]
        float lacks;        ///< what they held less where they slid, on average [1]
        float slids;        ///< of so many slides, only bad ones counted whole
        float edge_slip;    ///< the front's most near an edge, by that at the limit [1]
        float slides;       ///< for so long [s]
        float bad;          ///< how bad it is now, not yet blamed on anything [0 … 1]
        float lasting;      ///< of that what is not only a slide [0 … 1]
        float chain;  ///< how far it came since a slide that may be to blame for what comes [m]
        float quiet;  ///< since it slid [s]
        int32_t away; ///< it has left the track, and that is blamed on something (1)
        kerb_vec3 velocity;                   ///< of the last frame [m/s]
        float grip[KERB_RACER_LEARNT_BINS];   ///< share of the grip it was told [1]
        uint8_t seen[KERB_RACER_LEARNT_BINS]; ///< times that it has learnt of it; 0: `common` holds
        uint8_t held[KERB_RACER_LEARNT_BINS]; ///< times that it must not rise
        uint8_t falls[KERB_RACER_LEARNT_BINS]; ///< times that it fell
    } learnt;
    // The others, and the way beside the line that they make it take.
    struct {
        struct {
            uint32_t id;
            float age;          ///< since it was looked at [s]
            float ahead;        ///< of the racer's middle, along the line, now [m]
            float speed;        ///< along the line [m/s]
            float acceleration; ///< smoothed [m/s²]
            float pace;         ///< in bends, by what the racer plans there [1]
            float brakes;       ///< at the hardest so far, by what the racer could have [1]
            int32_t side;       ///< on which it is passed: 1 left, -1 right, 0 not; 2: dropped back
            // The rest is for frames in which he is not looked at.
            float offset, drift; ///< from the line to the left, and how fast that grows [m], [m/s]
            float scale;         ///< metres of the racer's lane for each of the line [1]
            float half_length, half_width; ///< along and across the line [m]
            float catch_in, clear_in;      ///< reached, and passed, in so long; 1e6: not [s]
            float catch_at, clear_at;      ///< so far on from the racer's middle [m]
        } known[KERB_RACER_OTHERS];
        /// Where in `known` the host's neighbours are: guesses.
        uint8_t hints[32];
        int32_t known_count;
        float braked;    ///< the first of the others before it, so long ago; 0: none yet [s]
        float looked;    ///< so long ago it looked where those near are [s]
        float since;     ///< it last thought of whom to pass [s]
        float pause;     ///< it thinks again so long after that [s]
        float passed;    ///< between the last two thoughts [s]
        float far_speed; ///< that those far ahead allowed then [m/s]
        bool active;     ///< the way differs from the line
        int32_t yields;  ///< lets another lap it, and moves to the left (1) or right (-1) for that
        int32_t defends; ///< covers the inside of a bend to the left (1) or right (-1)
        double defends_to;  ///< until there, in thoughts.total; 0: never yet [m]
        uint32_t yields_to; ///< its id
        float yields_for;   ///< so long already [s]
        float yield_speed;  ///< lets by who asked, and drives no faster [m/s]
        float yield_least;  ///< and never need be slower [m/s]
        int32_t bend;       ///< next to brake for with others beside it: left (1), right (-1), none
        double bend_brakes, bend_apex; ///< where, in thoughts.total [m]
        bool squeezed;                 ///< somebody must give way: no room side by side
        bool kept;                     ///< its last thought left the way as it was
        bool way_due;                  ///< the way of its last thought is laid in the next frame
        float held;       ///< share of its speed that rivals before it have cost it lately [1]
        float asks;       ///< to be let by: its pace, or 0 [1]
        float asked;      ///< somebody behind it has asked to be let by for so long [s]
        float blocked;    ///< stands behind what stands, for so long [s]
        float way_offset; ///< of the way from the line, where the car is [m]
        float way_slope;  ///< and by which it changes, per metre [1]
    } traffic;
    // The line ahead in even bins, with the greatest speeds from which all beyond can be met.
    struct {
        float key[7];  ///< what it was made for
        float spacing; ///< of the bins [m]
        int32_t first; ///< lowest bin that is filled, counted from the line's start
        int32_t end;   ///< one past the last
        int32_t taken; ///< before it the way was laid anew, and its speeds are not known yet
        int32_t aside; ///< from there on the way is the lane, as if nobody were there
        int32_t fresh; ///< from there on bins are new
        /// The next whose speed on the way new ones may lower, and on its lane; before first: none.
        int32_t back, back_lane;
        bool anew;                        ///< all of it was filled since the others were looked at
        float curvature[KERB_RACER_BINS]; ///< of the way driven, left positive [1/m]
        float line_curvature[KERB_RACER_BINS];               ///< of the line
        float left[KERB_RACER_BINS], right[KERB_RACER_BINS]; ///< from it to the edges [m]
        float normal_curvature[KERB_RACER_BINS];
        float up_forward[KERB_RACER_BINS], up_left[KERB_RACER_BINS], up_normal[KERB_RACER_BINS];
        float grip[KERB_RACER_BINS];
        float brakes[KERB_RACER_BINS];      ///< share of the braking that this would give [1]
        float offset[KERB_RACER_BINS];      ///< of the way from the line, left positive [m]
        float wander[KERB_RACER_BINS];      ///< by which it errs from that, alone [m]
        float corner[KERB_RACER_BINS];      ///< greatest speed² for the bend itself [m²/s²]
        float squared[KERB_RACER_BINS];     ///< from which all beyond can be met [m²/s²]
        float free_corner[KERB_RACER_BINS]; ///< both on its lane, as if nobody were there [m²/s²]
        float free_squared[KERB_RACER_BINS]; ///< …
    } ahead;
} kerb_racer;

/// A driver at the start of its life: default settings, the performance of kerb_performance_of.
KERB_API kerb_racer kerb_racer_make(const kerb_vehicle* vehicle);

/// The controls for this frame: as fast along the line as the car can. `surroundings` may be NULL,
/// when there is nothing to tell; else every field of it counts. Allocates nothing. O(1) a frame,
/// O(points) when it finds itself on a line anew.
///
///     kerb_racer racer = kerb_racer_make(&car);
///     each frame: controls = kerb_racer_drive(&racer, &line, &motion, &surroundings, time_step);
///
/// examples/race_a_car.c is a whole program, examples/race_each_other.c one with others.
///
/// The line may be another one in every frame. On an open line it goes through the end at full
/// speed and stops behind it, reason KERB_REASON_ARRIVED.
///
/// - Speeds: the line's shape and surface, the car's performance. Braking points come from braking
///   in thought from each corner backwards, with what cornering leaves of the tyres. The line's own
///   `speed` is not used, so cars of any kind may share a line.
/// - Others (Vamos 6 and what it leaves open): it follows who is in its way so that it could stop
///   behind him; leaves who is beside it his width and a margin; passes who is slower where it will
///   be clear of him, or at least beside him on the inside, before the next bend, or comes up to
///   him there faster than the way round him costs; goes round what stands or is in trouble; and
///   lets by who comes to lap it (kerb_surroundings.laps). Neighbours are placed on the line, so
///   they may be told in any order; the nearest KERB_RACER_OTHERS count.
/// - Gears as in Vamos 5: up when the next gear pulls more, down before the corner, none in the
///   middle of it; the throttle matches the engine to the gear.
/// - Off the track it comes back at an angle that it can hold; having spun it stops, turns round
///   and goes on; stuck it backs out, and asks in the end to be put back (KERB_REASON_TELEPORT).
///   On its side or roof it asks for that as soon as it lies still for a second.
///
/// time_step: since the last call [s] [> 0, < 1000, usually 0.005 to 0.05]. Another step repeats
/// the last controls; motion that is not finite, or faster than 10 km/s or 10,000 rad/s, gives the
/// safe controls. Both are counted.
KERB_API kerb_controls kerb_racer_drive(kerb_racer* racer, const kerb_racing_line* line,
                                        const kerb_motion* motion,
                                        const kerb_surroundings* surroundings, float time_step);

#endif

/// What an item stands for; hosts choose colours by it, or take kerb_draw_color.
typedef enum kerb_draw_role {
    KERB_DRAW_PATH,        ///< the path
    KERB_DRAW_CORRIDOR,    ///< its corridor
    KERB_DRAW_LINE,        ///< the line that the driver means to drive
    KERB_DRAW_TARGET,      ///< where it steers
    KERB_DRAW_ARC,         ///< the arc of its steering
    KERB_DRAW_NEAREST,     ///< the nearest point of the path, and the error to it
    KERB_DRAW_FOOTPRINT,   ///< the vehicle's outline
    KERB_DRAW_SPEED,       ///< speed and what limits it
    KERB_DRAW_NEIGHBOUR,   ///< the outline of the neighbour that decides, and a line to it
    KERB_DRAW_BRAKING,     ///< where on the line that it means to drive it will slow down
    KERB_DRAW_DRIVING,     ///< and where it will gain speed
    KERB_DRAW_TREE,        ///< what a search for a way has looked at
    KERB_DRAW_RAY,         ///< a ray that a lane keeper asked for, dot where it met something
    KERB_DRAW_RAY_STOPPED, ///< one that met a vehicle
    KERB_DRAW_ROLE_COUNT
} kerb_draw_role;

/// A straight line.
typedef struct kerb_draw_line {
    kerb_vec3 from, to;
    kerb_draw_role role;
} kerb_draw_line;

/// A dot.
typedef struct kerb_draw_point {
    kerb_vec3 position;
    kerb_draw_role role;
} kerb_draw_point;

/// A few words beside a place.
typedef struct kerb_draw_text {
    kerb_vec3 position;
    kerb_draw_role role;
    char text[48];
} kerb_draw_text;

/// Arrays of the caller's, and how much of them is filled.
typedef struct kerb_draw_buffer {
    kerb_draw_line* lines;
    kerb_draw_point* points;
    kerb_draw_text* texts;
    int32_t line_capacity, point_capacity, text_capacity;
    int32_t line_count, point_count, text_count;
    int32_t dropped; ///< items that did not fit
} kerb_draw_buffer;

/// An empty buffer over the caller's arrays; any may be NULL with capacity 0.
KERB_API kerb_draw_buffer kerb_draw_buffer_make(kerb_draw_line* lines, int32_t line_capacity,
                                                kerb_draw_point* points, int32_t point_capacity,
                                                kerb_draw_text* texts, int32_t text_capacity);

/// Empties the buffer for the next frame.
KERB_API void kerb_draw_clear(kerb_draw_buffer* buffer);

/// A colour for a role that reads on light and dark ground, as 0xRRGGBB.
KERB_API uint32_t kerb_draw_color(kerb_draw_role role);

/// The path and its corridor from `from` to `to` metres along it, held to an open path's ends; on a
/// closed one they may lie anywhere, and more than a round is drawn as one.
KERB_API void kerb_draw_path(kerb_draw_buffer* buffer, const kerb_path* path, double from,
                             double to);

/// Footprint, nearest point, target, steering arc (of the rear axle), the line ahead, the neighbour
/// that decides what it does, and a text with the speed, the target speed and the reason:
/// "12.3/13.9 m/s: bend ahead". Backing out, arc and target lie behind, and the text says to which
/// side the nose turns: "-1.9/0.0 m/s: stuck: backing out nose left". Nothing when the
/// motion is not finite; only footprint and text before the follower's first frame.
KERB_API void kerb_draw_follower(kerb_draw_buffer* buffer, const kerb_follower* follower,
                                 const kerb_path* path, const kerb_motion* motion);

/// Footprint, the nearest point of the line and the error to it, target, steering arc (a second of
/// driving), the way ahead, the neighbour that decides what it does, and a text with speed, target
/// speed, reason, and the lane where it is a tenth or more beside the line: "52.3/61.0 m/s: bend
/// ahead, lane -0.4".
///
/// The way ahead is where the racer means to drive, lane shift in it, to the end of what it has
/// looked at: LINE where it will keep its speed, BRAKING where it will lose more than 0.5 m/s² and
/// DRIVING where it will gain more, from the speed it has now, by its performance on that ground.
///
/// At most 154 lines. Nothing when the motion is not finite; only footprint and text before the
/// racer's first frame, or when its last one was on another line.
KERB_API void kerb_draw_racer(kerb_draw_buffer* buffer, const kerb_racer* racer,
                              const kerb_racing_line* line, const kerb_motion* motion);

/// Footprint, the rays of the frame as far as they went, a dot where one met something, P_Ahead
/// (NEAREST) and P_DriveTo (TARGET) with lines to them, the steering arc (half a second of
/// driving), and a text with speed, target speed and reason: "19.6/20.0 m/s: vehicle ahead". A ray
/// whose answer makes no sense is drawn as one that met nothing. At most 32 lines. Nothing when the
/// motion is not finite.
KERB_API void kerb_draw_lane_keeper(kerb_draw_buffer* buffer, const kerb_lane_keeper* keeper,
                                    const kerb_lane_ray* rays, const kerb_lane_hit* hits,
                                    int32_t count, const kerb_motion* motion);

/// A body's circle with its front, both turning circles (role ARC), and the wish: as long as it
/// would go in a second (TARGET). With a context map (else NULL), for each direction its interest,
/// outwards from a ring round the body (LINE), and its danger, inwards (CORRIDOR). At most 167
/// lines.
KERB_API void kerb_draw_steering(kerb_draw_buffer* buffer, const kerb_agent* agent,
                                 const kerb_steering* wish, const kerb_context* context);

/// A planned movement, `height` metres above zero: LINE where it keeps its speed, BRAKING and
/// DRIVING where it loses and gains it, and points of role TARGET where it turns back and ends. A
/// line for every fifth of a radian of a piece.
KERB_API void kerb_draw_plan(kerb_draw_buffer* buffer, const kerb_plan* plan, float height);

/// What a driver of plans thinks: footprint, the planned place of the rear axle and the error to it
/// (NEAREST), the arc that it steers over the next second, at least a metre (ARC), and its speed in
/// words. The plan itself is kerb_draw_plan's.
KERB_API void kerb_draw_plan_driver(kerb_draw_buffer* buffer, const kerb_plan_driver* driver,
                                    const kerb_motion* motion);

/// The tree of a planner's search as far as it has grown, `height` metres above zero: lines of role
/// TREE, one for every fifth of a radian, and a point where it begins. Nothing where nothing was
/// searched.
KERB_API void kerb_draw_plan_tree(kerb_draw_buffer* buffer, const kerb_planner* planner,
                                  float height);

#endif
// Kerb fly: drives what flies on wings and turns by banking.
//
// The flyer steers the path of flight, not the nose: it asks the wing for an acceleration, banks so
// that the lift points there, and holds what bank, load factor, stall and climb allow. Whatever the
// attitude it is left in, it unloads the wing, rolls the short way upright, and flies on.
//
//     kerb_flyer pilot = kerb_flyer_make(&aircraft);
//     kerb_controls controls = kerb_flyer_drive(&pilot, &wish, &motion, time_step);   // a wish
//     controls = kerb_flyer_follow(&pilot, &path, &motion, time_step);                // a path
//     controls = kerb_flyer_arrive(&pilot, &goal, &motion, time_step);                // a pose
//
// Turns are flown by heading and height, never as loops: goals astern and above are reached by
// turning and climbing. Gravity is KERB_GRAVITY along -z. Throttle, pitch, roll and yaw are driven;
// there are no air brakes.
#ifndef KERB_FLY_H
#define KERB_FLY_H

/// How an aircraft is flown. A settings struct.
typedef struct kerb_flyer_settings {
    float calm;         ///< how much gentler than the aircraft could turn its path; 1: brisk [1]
    float stall_margin; ///< slowest flight over the stall speed at its load factor [1] [>= 1]
    float bank_planned; ///< of bank_max, for wishes and planned arrivals; the rest corrects [1]
    float final_time;   ///< flies straight at the goal of an arrival for so long [s] [>= 0]
    kerb_speed_settings speed;
} kerb_flyer_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_flyer_settings_table;

/// All defaults.
KERB_API kerb_flyer_settings kerb_flyer_settings_default(void);

/// What a flyer thought in the last frame, to be drawn or measured.
typedef struct kerb_flyer_thoughts {
    float bank;              ///< wanted, right side down positive [rad]
    float load_factor;       ///< wanted of the wing [1]
    float speed;             ///< wanted [m/s]
    float cross_track_error; ///< in space, from the path or the way; 0 without one [m]
    float remaining;         ///< of the way to a goal [m]
} kerb_flyer_thoughts;

/// One pilot. Plain data: copy it to rewind.
typedef struct kerb_flyer {
    kerb_aircraft aircraft;
    kerb_flyer_settings settings;
    kerb_speed_controller speed;
    kerb_vec3 velocity;       ///< of the frame before [m/s]
    bool has_velocity;        ///< false: the next frame is its first
    uint64_t path;            ///< followed last: kerb_path.id, 0 for none
    kerb_path_location where; ///< on that path
    bool has_goal;            ///< flies to `goal` on `way`
    kerb_directed_goal goal;
    kerb_vec3 goal_moved;         ///< since the way was thought out [m]
    kerb_curve way;               ///< seen from above
    float way_length;             ///< [m]
    float way_done;               ///< [m]
    float way_lead;               ///< straight on before it, until the aircraft has banked [m]
    float way_radius;             ///< of its turns [m]
    float height;                 ///< where it starts [m]
    float slope_start, slope_end; ///< rise per level metre where it starts and ends [1]
    kerb_flyer_thoughts thoughts;
    kerb_controls controls; ///< last given
} kerb_flyer;

/// A pilot of this aircraft, which must be valid, with default settings.
KERB_API kerb_flyer kerb_flyer_make(const kerb_aircraft* aircraft);

/// Time in which it turns from where kerb_flyer_agent says that it will be to a wished direction.
/// Behaviours that wish only what can be done in a time step (kerb_directed_seek) get this as their
/// time step. [s]
KERB_API float kerb_flyer_horizon(const kerb_flyer* flyer);

/// The agent that it will be when a wish of now takes effect, for behaviours to wish for: forward
/// along its path of flight, its tightest circle a level turn at bank_planned, its greatest
/// speed cruise_speed.
KERB_API kerb_agent kerb_flyer_agent(const kerb_flyer* flyer, const kerb_motion* motion);

/// Flies in a wished direction at a wished speed, within what the aircraft can; without a wish
/// level, straight on at cruise_speed. Steeper climbs than the engine can hold are flown as long as
/// there is speed to spare. A motion that is not finite: sticks let go, throttle as before. About
/// 300 ns.
KERB_API kerb_controls kerb_flyer_drive(kerb_flyer* flyer, const kerb_steering* wish,
                                        const kerb_motion* motion, float time_step);

/// Flies along a path in space at its speed limits, or cruise_speed where that is lower; past its
/// end straight on (KERB_REASON_ARRIVED). Where the path turns or climbs harder than the aircraft
/// can it is left, and joined again. About 1 µs; the first call on a path looks at all of it.
KERB_API kerb_controls kerb_flyer_follow(kerb_flyer* flyer, const kerb_path* path,
                                         const kerb_motion* motion, float time_step);

/// Arrives at a place in space in a given direction: Dubins' shortest way seen from above, along
/// which the height climbs or sinks evenly between the slopes of both ends; full circles first when
/// that is too steep. The way is kept and bent to a goal that moves a little, and thought out anew
/// when it moves far, turns, or the aircraft is far off. Past the goal straight on in its direction
/// (KERB_REASON_ARRIVED). About 1 µs, and 2 µs more where it thinks anew.
KERB_API kerb_controls kerb_flyer_arrive(kerb_flyer* flyer, const kerb_directed_goal* goal,
                                         const kerb_motion* motion, float time_step);

#endif
// Kerb follow_paper: the modules of EA's path follower, alone, for comparison and for study.
#ifndef KERB_FOLLOW_PAPER_H
#define KERB_FOLLOW_PAPER_H

// --------------------------------------------------------------------------- EA's modules alone

/// Algorithm 1, lines 1-9: samples the path every `spacing` metres of straight-line distance from
/// `location`, `count` samples with the vehicle's position as the first, and returns the greatest
/// Bézier curvature among them. [1/m] [count: 3 … 16] O(points passed)
KERB_API float kerb_follow_curvature_ahead(const kerb_path* path, kerb_path_location location,
                                           kerb_vec3 position, float spacing, int32_t count);

/// Algorithm 1 whole: eq. 1 with that curvature, held between speed_least and speed. With
/// KERB_AHEAD_BRAKING each sampled curve limits by its braking distance instead: use that where
/// speed² / (2·deceleration) exceeds the reach of the samples' first curve, 12 m with EA's values.
KERB_API float kerb_follow_target_speed(const kerb_follower_settings* settings,
                                        const kerb_path* path, kerb_path_location location,
                                        kerb_vec3 position, float* curvature);

/// The point of the path `lookahead` metres after the nearest, `offset` to its left; beyond the
/// end of an open path on its straight continuation, so that a vehicle arrives straight.
KERB_API kerb_vec3 kerb_follow_target_point(const kerb_path* path, kerb_path_location location,
                                            float lookahead, float offset);

/// Chase the rabbit: moves `rabbit` along the path at `speed`, but keeps it between least and
/// most metres ahead of `location`. Returns its new place.
KERB_API kerb_path_location kerb_follow_rabbit(const kerb_path* path, kerb_path_location location,
                                               kerb_path_location rabbit, float speed, float least,
                                               float most, float time_step);

/// The baseline's target speed: inversely proportional to the largest angle between the vehicle's
/// forward vector and a segment of the path within the samples' reach. [m/s] (EA section III)
KERB_API float kerb_follow_baseline_speed(const kerb_follower_settings* settings,
                                          const kerb_path* path, kerb_path_location location,
                                          kerb_vec3 forward, float* angle);

#endif
// Kerb lane_company: lane keepers round a player, so that the road feels busy.
#ifndef KERB_LANE_COMPANY_H
#define KERB_LANE_COMPANY_H

// --------------------------------------------------------------------------- round a player
//
// A company makes a road feel busy round one vehicle, the player's: it tells each of a few dozen
// lane keepers ("bots") how fast to drive and in which lane, so that they stay round the player,
// neither leave it behind nor fall back, and do not stand in its way; and which of them, out of
// sight, is to be put down elsewhere on the road.
//
//     kerb_lane_company company = kerb_lane_company_make();
//     kerb_lane_company_begin(&company, &player, count, orders); // and put all of them down
//     each frame:
//         kerb_lane_company_drive(&company, &player, bots, count, time_step, orders);
//         for each bot:
//             keeper.settings.speed = orders[i].speed;
//             keeper.settings.edge_distance = orders[i].edge_distance;
//             if (orders[i].move)
//                 put_down_if_nobody_sees(i, &orders[i]); // or leave it where it is
//
// It knows places along the road alone; what the road looks like, and what hides behind its hills
// and bends, the host says with `seen`, and by not putting down what would be seen. Moving round
// bends, gaps and room in the other lane are the keepers' part.

/// Most bots of one company.
#define KERB_LANE_COMPANY 64
/// Most lanes in one direction.
#define KERB_LANE_LANES 6

/// A settings struct: see kerb_lane_company_settings_table for ranges.
typedef struct kerb_lane_company_settings {
    int32_t lanes;          ///< in the player's direction, counted from its edge
    int32_t oncoming_lanes; ///< in the other, counted from that edge
    float lane_width;       ///< [m]
    float bot_length;       ///< [m]
    float oncoming_share;   ///< of the bots that come towards the player, where lanes do [0 … 1]
    float gap_time;         ///< between bots of a lane: as their keepers', or a little more … [s]
    float gap_least;        ///< … [m]
    float spacing_least;    ///< from one to the next of a lane, however slow [m]
    float speed_least;      ///< of bots ahead of a player who stands [m/s]
    float speed_most;       ///< of bots beside a player who races [m/s]
    float oncoming_speed;   ///< [m/s]
    float pull;             ///< speed towards its place, per metre [1/s]
    float pull_most;        ///< at most [m/s]
    float patience;         ///< a player held up so long is let through [s]
    float hidden_ahead;     ///< nobody is seen appearing this far ahead of the player … [m]
    float hidden_behind;    ///< … and this far behind [m]
} kerb_lane_company_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_lane_company_settings_table;

/// Two lanes each way, hidden 320 m ahead and 170 m behind.
KERB_API kerb_lane_company_settings kerb_lane_company_settings_default(void);

/// The player, as a company needs it.
typedef struct kerb_lane_player {
    float speed;         ///< along the road [m/s]
    float edge_distance; ///< from the edge of its own direction [m]
} kerb_lane_player;

/// A bot, as a company needs it. One with numbers that are not finite counts as absent.
typedef struct kerb_lane_bot {
    float along;         ///< ahead of the player along the road, negative behind [m]
    float speed;         ///< of its own driving, whichever direction that is [m/s]
    float edge_distance; ///< from the edge of its own direction to its middle [m]
    bool oncoming;       ///< drives against the player's direction
    bool seen;           ///< the player sees where it is, now
} kerb_lane_bot;

/// What a bot is to do.
typedef struct kerb_lane_order {
    float speed;         ///< for its keeper's settings [m/s]
    float edge_distance; ///< for its keeper's settings [m]
    int32_t lane;        ///< that this is the middle of, from 0 at the edge
    bool move;           ///< put it down elsewhere, unless somebody sees it here or there …
    float move_along;    ///< … so far ahead of the player [m]
    bool move_oncoming;  ///< … in this direction, in `lane`, at `speed`, or at what lets it brake
                         ///< behind who is ahead there
} kerb_lane_order;

/// A company: settings and memory. Plain data; change the settings at any time.
typedef struct kerb_lane_company {
    kerb_lane_company_settings settings;
    float pace;          ///< speed round the player, over the last seconds [m/s]
    float held_up;       ///< the player is held up for so long now [s]
    int32_t bad_frames;  ///< calls with a player or a time step that made no sense
    int32_t lane_orders; ///< lane changes ordered so far

    // What it remembers; the meaning may change between versions.
    struct {
        bool started;
        float since_change; ///< since anybody was told to change lanes [s]
        float farther[2]
                     [KERB_LANE_LANES]; ///< the next place to be asked for is so much farther [m]
        struct {
            bool known;
            int32_t lane;
            float along; ///< in the last frame [m]
            float told;  ///< since it was told to change lanes [s]
        } bots[KERB_LANE_COMPANY];
    } memory;
} kerb_lane_company;

/// A company at the start of its life, default settings.
KERB_API kerb_lane_company kerb_lane_company_make(void);

/// Where all bots are to be put down at the beginning, before anybody looks: an order with `move`
/// for every one of them. O(count)
KERB_API void kerb_lane_company_begin(kerb_lane_company* company, const kerb_lane_player* player,
                                      int32_t count, kerb_lane_order* orders);

/// One frame: an order for every bot. Bots must be handed over in the same sequence each frame.
/// Bad player or time step: orders to go on as they are. The settings must be valid; invalid ones
/// assert. Allocates nothing. O(count²)
///
/// count: [0 … KERB_LANE_COMPANY]; time_step: since the last call [s] [> 0, < 1000]
KERB_API void kerb_lane_company_drive(kerb_lane_company* company, const kerb_lane_player* player,
                                      const kerb_lane_bot* bots, int32_t count, float time_step,
                                      kerb_lane_order* orders);

/// What a pair of eyes, a camera or a mirror sees: all that is close, and a cone.
typedef struct kerb_lane_view {
    kerb_vec3 eye;       ///< [m]
    kerb_vec3 direction; ///< unit
    float half_angle;    ///< of the cone [rad] [0 … π]
    float distance;      ///< how far it reaches: the drawing distance, the fog [m]
    float close;         ///< nearer than this all round is seen too [m]
} kerb_lane_view;

/// Whether any part of a ball may be in a view; hills and houses are the host's to say. Not finite:
/// it may.
KERB_API bool kerb_lane_view_sees(const kerb_lane_view* view, kerb_vec3 centre, float radius);

#endif
// Kerb plan_search: the search of the AIPATH thesis, with speed in its states.
//
// A reproduction for comparison. A game takes kerb_planner (kerb/plan.h), which is faster and
// better for most queries and uses this search where speed matters.
#ifndef KERB_PLAN_SEARCH_H
#define KERB_PLAN_SEARCH_H

// --------------------------------------------------------------------------- lower bounds

/// How many seconds are still to go at least, or so.
typedef enum kerb_plan_heuristic {
    KERB_PLAN_ADMISSIBLE, ///< never more than any movement takes
    KERB_PLAN_THESIS,     ///< as the AIPATH thesis means it (4.2), which is more at times
    KERB_PLAN_DISTANCE,   ///< the shortest way at top speed (Pinter)
    KERB_PLAN_EUCLIDEAN,  ///< the straight line at top speed
    KERB_PLAN_HEURISTIC_COUNT
} kerb_plan_heuristic;

/// THESIS: what happens where the way is too short for the change of speed (4.2.2).
typedef enum kerb_plan_overshoot {
    KERB_PLAN_CIRCULAR, ///< a further circle
    KERB_PLAN_LINEAR,   ///< stopping and backing up; for what cannot reverse, a circle after all
    KERB_PLAN_COMBINED, ///< the lesser of both
    KERB_PLAN_OVERSHOOT_COUNT
} kerb_plan_overshoot;

/// A bound, and the goal's tolerance that it allows for.
typedef struct kerb_plan_bound_settings {
    int32_t heuristic;        ///< kerb_plan_heuristic
    int32_t overshoot;        ///< kerb_plan_overshoot, for THESIS
    float position_tolerance; ///< 0: exactly there [m] [>= 0]
    float heading_tolerance;  ///< π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< [m/s] [>= 0]
} kerb_plan_bound_settings;

/// Seconds from one end to another, without penalties and obstacles. [s] 100 to 300 ns.
///
/// ADMISSIBLE takes the time of the shortest way (Dubins with all six words, or Reeds and Shepp
/// where the vehicle may reverse) at full acceleration, top speed and full braking, or of the
/// change of speed where that needs a longer way, or of the change of heading; the limits of
/// whichever direction allow more. With a tolerance of place or heading: of max(0, distance -
/// tolerance) and radius · (turn - tolerance). No movement is faster; floats may say 1e-5 of it
/// more. Departs from the thesis where that over-estimates: algorithm 2 (lines 8-9, by up to a
/// half), the words of three turns left out, whole circles charged for a small lack of distance.
KERB_API float kerb_plan_bound(const kerb_plan_limits* limits,
                               const kerb_plan_bound_settings* settings, const kerb_plan_end* from,
                               const kerb_plan_end* to);

/// Seconds at least to travel `distance` forwards, from one speed to another: full acceleration,
/// top speed, full braking. (AIPATH eq. 4.1, mended) [s] Where the distance is too short for the
/// change of speed, or a speed exceeds the greatest: KERB_PLAN_NEVER.
KERB_API float kerb_plan_traversal_time(const kerb_plan_limits* limits, float distance,
                                        float speed_start, float speed_goal);

/// What is returned as the time of what cannot be done. [s]
#define KERB_PLAN_NEVER 1.0e30f

// --------------------------------------------------------------------------- searching with speed

/// Which of two states in one cell a search keeps. (AIPATH 4.3.2 and 4.5)
typedef enum kerb_plan_rank {
    KERB_PLAN_RANK_COST,     ///< the one that costs less so far
    KERB_PLAN_RANK_ESTIMATE, ///< the one that costs less with what is still to go
    KERB_PLAN_RANK_COUNT
} kerb_plan_rank;

/// Whether a search probes first: from state to state, always to the most promising one, never
/// back. (AIPATH 4.4)
typedef enum kerb_plan_probing {
    KERB_PLAN_PROBING_NEVER, ///< A* from the start
    KERB_PLAN_PROBING_FIRST, ///< then A* goes on from all that the probe has seen
    KERB_PLAN_PROBING_ONLY,  ///< what the probe reaches, or nothing
    KERB_PLAN_PROBING_COUNT
} kerb_plan_probing;

/// What becomes of costs. (AIPATH 4.3.6)
typedef enum kerb_plan_time_use {
    KERB_PLAN_TIME_EXACT,   ///< they are compared as they are
    KERB_PLAN_TIME_ROUNDED, ///< cost and what is to go count in whole cells of time
    KERB_PLAN_TIME_STATE,   ///< states of another cell of time are other states
    KERB_PLAN_TIME_COUNT
} kerb_plan_time_use;

/// How a search with speed cuts up its space, and how it goes through it. Begin with
/// kerb_plan_search_settings_default or _thesis; kerb_plan_search_settings_table has the ranges.
typedef struct kerb_plan_search_settings {
    // Of each cell one state is kept, exactly as it was reached.
    float cell;         ///< side, of places (4.3.2); states more than 8191 cells away from the
                        ///< first start are not looked at [m] [> 0]
    float heading_cell; ///< (4.3.3) [rad] [> 0]
    float speed_cell;   ///< (4.3.1); a 4095th of the greatest speed at least [m/s] [> 0]
    int32_t time_use;   ///< kerb_plan_time_use
    float time_cell;    ///< of TIME_STATE 1023 are told apart [s] [> 0]
    int32_t rank;       ///< kerb_plan_rank
    // Actions: each of the turns with each of the accelerations.
    float step;      ///< from a state to the next, in a straight line (4.3.5); at most 1.4
                     ///< least radii count [m] [> 0]
    float turn_step; ///< turns are multiples of it, and the tightest (4.3.4) [rad] [> 0]
    int32_t
        accelerations; ///< so many to either side of none, the strongest always among them [>= 1]
    int32_t aims;      ///< 1: also the turn and the acceleration that give the goal's heading
                       ///< and speed at once; 0: not
    // The order of the search.
    int32_t heuristic;  ///< kerb_plan_heuristic
    int32_t overshoot;  ///< kerb_plan_overshoot
    float far;          ///< beyond so many least radii the straight line counts (4.2.3) [>= 0]
    float weight;       ///< of what is still to go, for the first answer [>= 1]
    float last_weight;  ///< the weight falls to this, answer by answer (ARA*) [>= 1]
    float weight_step;  ///< by so much [> 0]
    int32_t probing;    ///< kerb_plan_probing
    int32_t shot_every; ///< expansions: then the goal is shot at from the state; 0: never
    // When a state is a goal, besides what the goal itself says. All 0: only shots get there.
    float position_tolerance; ///< [m] [>= 0]
    float heading_tolerance;  ///< π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< [m/s] [>= 0]
    // How much work it may be.
    int32_t expansions;         ///< at most
    float expansions_per_metre; ///< and at most so many for each metre between start and goal, or
                                ///< of the least circle where that is longer (6.2) [1/m] [> 0]
    int32_t nodes;              ///< states that can be kept, 100 bytes each
} kerb_plan_search_settings;

KERB_API const kerb_settings_table kerb_plan_search_settings_table;
/// What works well: coarse steps, shots.
KERB_API kerb_plan_search_settings kerb_plan_search_settings_default(void);
/// The thesis's experiments (5.1): cells of 1.2 m, its heuristic, its test for the goal, 100,000
/// expansions, no shots.
KERB_API kerb_plan_search_settings kerb_plan_search_settings_thesis(void);

/// The search of the AIPATH thesis: A* over place, heading, speed and direction of travel, where a
/// step is a turn and an acceleration at once, and cost is time.
///
///     kerb_plan_search search;
///     if (kerb_plan_search_create(&search, &limits, &settings, &host, &error) != KERB_OK) …
///     if (kerb_plan_search_begin(&search, &query, &error) != KERB_OK) …
///     while (kerb_plan_search_advance(&search, 100) == KERB_PLAN_RUNNING) …
///     kerb_plan plan = kerb_plan_search_plan(&search);
///
/// kerb_planner is faster and better for most queries, and takes this search to help where speed
/// matters; this one knows the speed of every state that it looks at, and shows what the thesis
/// shows. Slices, copies and moves are as for kerb_planner.
typedef struct kerb_plan_search {
    void* memory; ///< aligned to 64
    size_t bytes;
    void* site; ///< the obstacles, aligned to 64; NULL: open ground
    size_t site_bytes;
    kerb_allocator allocator;
} kerb_plan_search;

/// Errors: those of kerb_plan_limits_validate; NOT_FINITE or OUT_OF_RANGE of a setting;
/// OUT_OF_MEMORY. On error the search is zeroed. Allocates all that its queries need, once, and
/// touches it.
KERB_API kerb_result kerb_plan_search_create(kerb_plan_search* search,
                                             const kerb_plan_limits* limits,
                                             const kerb_plan_search_settings* settings,
                                             const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed search.
KERB_API void kerb_plan_search_destroy(kerb_plan_search* search);

/// What stands in the way from now on, as kerb_planner_world says it, errors, prices and all.
KERB_API kerb_result kerb_plan_search_world(kerb_plan_search* search, const kerb_plan_world* world,
                                            kerb_error* error);

/// Who crosses the way in the queries that begin from now on; 0: nobody. Copies them. With them
/// states of another `time_cell` are other states, whatever `time_use` says, and whoever stands may
/// wait, half a second at a time; so movements go round them or let them by. Errors as for
/// kerb_planner_movers, memory apart. After a movement's end nobody is looked for.
KERB_API kerb_result kerb_plan_search_movers(kerb_plan_search* search,
                                             const kerb_plan_mover* movers, int32_t count,
                                             kerb_error* error);

/// Begins a query. Errors and outcomes of bad ends as for kerb_planner_begin.
KERB_API kerb_result kerb_plan_search_begin(kerb_plan_search* search, const kerb_plan_query* query,
                                            kerb_error* error);

/// Goes on by so many expansions at most. FOUND: the best there is at the last weight, or the
/// probe's; BUDGET_SPENT: none found with this work; NO_PATH: nothing is left to expand, at this
/// coarseness. A new weight puts all waiting states in order anew, within one expansion.
KERB_API kerb_plan_outcome kerb_plan_search_advance(kerb_plan_search* search, int32_t expansions);

/// Ends the query. What was found stays.
KERB_API void kerb_plan_search_cancel(kerb_plan_search* search);

/// The best movement so far that reaches a goal; without pieces where there is none. Its pieces
/// stay until the next call. O(its states)
KERB_API kerb_plan kerb_plan_search_plan(kerb_plan_search* search);

/// The movement to the state that looks nearest to a goal: what to begin with while the search goes
/// on. Ends beside the goal. Its pieces stay until the next call. O(its states)
KERB_API kerb_plan kerb_plan_search_effort(kerb_plan_search* search);

/// What a search has done.
typedef struct kerb_plan_search_report {
    int32_t expansions;
    int32_t first_expansions; ///< until the first movement was found; 0: none
    int32_t probe_expansions; ///< those of the probe
    int32_t nodes;            ///< states kept
    int32_t generated;        ///< states looked at
    float first_cost;         ///< of the first movement [s]; KERB_PLAN_NEVER: none
    float probe_cost;         ///< of what the probe reached [s]; KERB_PLAN_NEVER: not the goal
    float weight;             ///< now
    /// No better movement within the cells of this search is more than so many times faster, for an
    /// admissible heuristic; what the cells threw away it does not know. KERB_PLAN_NEVER: unknown.
    float suboptimality;
} kerb_plan_search_report;

/// O(1), but for `suboptimality`: O(nodes) while it runs.
KERB_API kerb_plan_search_report kerb_plan_search_reported(kerb_plan_search* search);

/// A state that a search has kept, for pictures.
typedef struct kerb_plan_search_node {
    kerb_pose pose;
    float speed;     ///< along the pose [m/s]
    float cost;      ///< from the start [s]
    float rest;      ///< estimated [s]
    float curvature; ///< of the arc that leads there [1/m]
    float length;    ///< of it; negative in reverse [m]
    int32_t parent;  ///< -1: a start
    bool expanded;
} kerb_plan_search_node;

/// The state of an index, in the order they were reached. [0 <= index < report.nodes] O(1)
KERB_API kerb_plan_search_node kerb_plan_search_at(const kerb_plan_search* search, int32_t index);

#endif

#endif
