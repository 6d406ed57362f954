// Kerb follow: a driver that follows a path.
//
// You give it a path and, in every frame, the motion of your vehicle. It returns what a player
// would press: throttle, brake, steering and gear. Your own physics moves the vehicle.
//
// Order of calls:
//   1. Build a path from waypoints: kerb_path_create (path.h).
//   2. Describe the vehicle: kerb_vehicle_default, then the values of your vehicle (vehicle.h).
//   3. Make a follower: kerb_follower_make.
//   4. In every frame: fill a kerb_motion, call kerb_follower_drive, apply the kerb_controls.
//   5. Destroy the path when no follower needs it: kerb_path_destroy.
//
//     const kerb_waypoint street[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(60, 0, 0),
//                                     kerb_waypoint_at(60, 40, 0)}; // [m] x, y, z
//     kerb_host host = kerb_host_default();                         // memory by malloc
//     kerb_path path;
//     if (kerb_path_create(&path, street, 3, false, &host, NULL) != KERB_OK)
//         return false;
//     kerb_vehicle vehicle = kerb_vehicle_default();         // a car, 4.5 m long
//     kerb_follower follower = kerb_follower_make(&vehicle); // method KERB, default settings
//     follower.settings.speed = 12.0f;                       // [m/s], may change at any time
//     while (follower.controls.reason != KERB_REASON_ARRIVED) {
//         kerb_motion motion = your_car_motion();            // see below
//         kerb_controls controls =
//             kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
//         your_car_step(&controls, 1.0f / 60.0f);            // see below
//     }
//     kerb_path_destroy(&path);
//
// The motion: begin with kerb_motion_default and set the fields that you know, at least position,
// rotation, velocity, angular velocity and gear. Units are SI, angles are in radians. In the world
// z is up; in the vehicle x is forward and y is left. The position is that of the vehicle's
// reference point, usually its centre of mass. kerb_vehicle says where axles and bumpers are, as
// distances from that point.
//
// The controls: apply all of them. Throttle and brake are 0 to 1. Steering is a share of the
// greatest steering angle, from -1 (full right) to 1 (full left). Gear is -1 in reverse, 0 in
// neutral, and 1 or more forwards. The handbrake holds the vehicle when it starts uphill. For an
// engine with one signed input call kerb_controls_signed_throttle.
//
// The reason: kerb_controls.reason says why the follower does what it does. kerb_reason_text puts
// it in words.
// At KERB_REASON_ARRIVED the vehicle is at standstill at the end of the path, with the brake held.
// At KERB_REASON_MISSED_END it was past the end or beside it, and comes back to it.
// At KERB_REASON_OFF_PATH it is so far beside the path that it returns outside the corridor.
// At KERB_REASON_TELEPORT the vehicle is stuck and cannot get free. The host should put it back on
// the path. The follower then drives on from there; it needs no other call.
//
// The path: it may change in every frame. The follower finds its place on the new path, and the
// steering stays smooth. A path that does not pass where the vehicle was is driven from its
// beginning, unless that is farther than two lengths of the vehicle. The corridor is the strip
// along the path in which the vehicle may drive: kerb_waypoint.left and kerb_waypoint.right, 2 m
// each from kerb_waypoint_at.
//
// Three methods have the same interface, so that they can be compared:
//   KERB      Kerb's own method, for games. It drives the smoothest line near the path that the
//             vehicle can hold. Bends, speed limits, stops and braking distances set its speed.
//             Where a bend ends at a cusp (a change between forwards and reverse), the vehicle
//             stops near the cusp: up to 1.5 m beyond it when driving forwards, up to 0.8 m before
//             it when driving in reverse.
//   PAPER     "Efficient Ground Vehicle Path Following in Game AI" (EA): target speed from Bézier
//             curvature (Algorithm 1), target point, PI speed control, pure pursuit.
//   BASELINE  The method that EA compares with: the speed falls with the largest angle ahead;
//             proportional speed control.
//
// Other vehicles: KERB keeps clear of the neighbours in kerb_surroundings. It follows vehicles
// ahead, yields, passes oncoming vehicles on its driving side and drives round stopped vehicles,
// always within the corridor of the path. Junctions work best when vehicles exchange intents
// (kerb_follower_intent). PAPER and BASELINE ignore neighbours, as their sources do.
//
// Memory and threads: a follower is one struct without pointers. Copy it to save a game; copy it
// back to return to that frame. A copy is valid only in the same build of the library;
// kerb_follower_save and kerb_follower_load work across builds. The follower keeps no reference to
// the path, the motion or the surroundings: they must live during the call only. Several threads
// may drive different followers at the same time, also on the same path. Only one thread at a time
// may use one follower.
//
// It does NOT:
//   - find a path (the planner does) or simulate the vehicle;
//   - detect obstacles: it knows only the path and the neighbours that the host lists;
//   - leave the corridor of the path to avoid another vehicle;
//   - overtake moving vehicles.
#ifndef KERB_FOLLOW_H
#define KERB_FOLLOW_H

#include "control.h"
#include "follow_paper.h"
#include "others.h"
#include "path.h"
#include "private/follower_memory.h"

// --------------------------------------------------------------------------- settings

/// The driving method. The head of this file describes the three.
typedef enum kerb_follower_method {
    KERB_FOLLOWER_KERB,    ///< Kerb's own method
    KERB_FOLLOWER_PAPER,   ///< EA's method
    KERB_FOLLOWER_BASELINE ///< the method that EA compares with
} kerb_follower_method;

/// "kerb", "paper" or "baseline"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_follower_method_text(kerb_follower_method value);

/// How KERB reacts to its neighbours.
typedef enum kerb_neighbour_mode {
    KERB_NEIGHBOURS_IGNORE, ///< it does not react
    KERB_NEIGHBOURS_AVOID   ///< it keeps clear of them by kerb_avoid_others
} kerb_neighbour_mode;

/// "ignore" or "avoid"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_neighbour_mode_text(kerb_neighbour_mode value);

/// What the follower steers by.
typedef enum kerb_follower_steering {
    KERB_STEERING_TOLD,   ///< what the description tells of the steering, learning switched off
    KERB_STEERING_LEARNED ///< what the steering was seen to do (kerb/estimate.h)
} kerb_follower_steering;

/// "told" or "learned"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_follower_steering_text(kerb_follower_steering value);

/// All settings of a follower. They may change between any two frames.
///
/// The defaults below are those of KERB; kerb_follower_settings_table has them as data, and
/// kerb_follower_settings_default has those of the other methods.
typedef struct kerb_follower_settings {
    /// kerb_follower_method. Default: KERB_FOLLOWER_KERB.
    int32_t method;

    // All methods.

    /// Desired speed on a straight (EA v_max). [m/s] [0.1 … 150] Default: 10.
    float speed;
    /// KERB: desired speed on a straight in reverse. [m/s] [0.1 … 50] Default: 4.
    float reverse_speed;
    /// Lowest speed that a bend can cause (EA v_min). [m/s] [0 … 50] Default: 1.
    float speed_min;
    /// Desired lateral acceleration in bends, as a multiple of gravity (EA a_lat). KERB also stays
    /// within the vehicle's grip. [g] [0.01 … 10] Default: 0.7.
    float lateral_acceleration;
    /// Desired deceleration for what lies ahead. [m/s²] [0.1 … 50] Default: 5.
    float deceleration;
    /// Desired acceleration while the speed rises. [m/s²] [0.1 … 50] Default: 5.
    float acceleration;
    /// Lateral offset from the path at which to drive, left positive. [m] [-100 … 100] Default: 0.
    float lateral_offset;
    /// Speed control: from the speed error to an acceleration.
    kerb_speed_settings speed_control;
    /// When the vehicle counts as stuck, and what it does then.
    kerb_stuck_settings stuck;

    // KERB: steering.

    /// Time in which cross-track and heading errors fade, at higher speeds. [s] [0.1 … 5]
    /// Default: 0.7.
    float response_time;
    /// Distance in which these errors fade, at low speeds. [m] [0.1 … 50] Default: 4.
    float response_distance;
    /// What WHEELED vehicles steer by: kerb_follower_steering. LEARNED sees how late the steering
    /// is, how far it stands aside, how sharply it turns and which axle steers; it knows these
    /// after some ten seconds. TOLD goes by the description, or by what was learned until then, and
    /// learns nothing more; a frame takes about 0.2 µs less. Default: KERB_STEERING_LEARNED.
    int32_t steering;
    /// The follower takes jitter of waypoints out of its line, and rounds corners to drive
    /// smoothly. This is how far the line may leave the path for each of the two. Where the vehicle
    /// cannot drive a corner, it rounds the corner further. 0: each waypoint counts, and wheels
    /// turn for it. [m] [0 … 10] Default: 0.3.
    float corner_cut;
    /// Greatest rate at which the steering changes the lateral acceleration. [m/s³] [1 … 1000]
    /// Default: 40.
    float lateral_jerk;

    // KERB: other vehicles.

    /// The reaction to neighbours: kerb_neighbour_mode. Default: KERB_NEIGHBOURS_AVOID.
    int32_t neighbours;
    /// Gaps, patience and driving side.
    kerb_avoid_settings avoid;

    /// Settings of PAPER and BASELINE only. Games do not need them.
    kerb_follower_paper_settings paper;
} kerb_follower_settings;

/// Range, default and meaning of every setting.
KERB_API const kerb_settings_table kerb_follower_settings_table;

/// The defaults of one method. PAPER and BASELINE get the values of EA section III: 0.4 g, 3.5
/// m/s², simple recovery; BASELINE without an integral term. O(1)
KERB_API kerb_follower_settings kerb_follower_settings_default(kerb_follower_method method);

/// The same for a vehicle of any size: all lengths, speeds and accelerations times
/// kerb_vehicle_scale, which is 1 for vehicles of roads for cars. O(fields)
KERB_API kerb_follower_settings kerb_follower_settings_of(kerb_follower_method method,
                                                          const kerb_vehicle* vehicle);

// --------------------------------------------------------------------------- the follower

/// What the follower decided in the last frame, for drawing and for the host's own rules.
typedef struct kerb_follower_decision {
    kerb_vec3 nearest;  ///< nearest point of the path, in world axes [m]
    kerb_vec3 target;   ///< point that it steers to, in world axes [m]
    float lookahead;    ///< distance to `target` along the path [m]
    float target_speed; ///< speed set point [m/s] [>= 0]
    /// Curvature that limits the speed, of either sign. KERB: the
    /// curvature of the bend that limits, or that of the commanded arc; 0 when neither limits.
    /// PAPER: with KERB_AHEAD_SHARPEST that of the sharpest bend within the samples, with
    /// KERB_AHEAD_BRAKING that of the bend that limits. BASELINE: always 0. [1/m]
    float limiting_curvature;
    float commanded_curvature; ///< of the commanded arc in the direction of travel, left positive
                               ///< [1/m]
    float cross_track_error;   ///< lateral offset of the vehicle from the path, left positive [m]
    /// KERB: angle from the reference line to the vehicle's direction of motion, left positive,
    /// predicted for the moment when the steering takes effect. [rad]
    float heading_error;
    float acceleration;       ///< desired, along the direction of travel [m/s²]
    double distance;          ///< station of `nearest`: distance from the start of the path [m]
    kerb_neighbour neighbour; ///< the one it reacts to, without its intent; length 0: none
    kerb_reason reason;       ///< as in the controls
    /// What the host tells wrongly, found in the first minute of driving; see kerb/host_check.h.
    /// KERB_HOST_NO_MISTAKE: nothing is known.
    kerb_host_mistake host_mistake;
} kerb_follower_decision;

/// A follower: settings, vehicle and memory. Plain data without pointers. Settings and vehicle may
/// change between any two frames.
typedef struct kerb_follower {
    kerb_follower_settings settings;
    kerb_vehicle vehicle;            ///< what the vehicle can do
    kerb_follower_decision decision; ///< of the last frame
    kerb_controls controls;          ///< of the last frame; before the first: brake held
    int32_t bad_frames;              ///< calls with impossible motion or a bad or long time step

    /// What it remembers. No interface: see kerb/private/follower_memory.h.
    kerb_follower_memory memory;
} kerb_follower;

/// A new follower for a copy of `vehicle`: method KERB, default settings. Allocates nothing. O(1)
///
/// Settings and vehicle must be valid whenever it drives; kerb_settings_validate and
/// kerb_vehicle_validate check them. Driving with invalid ones asserts.
KERB_API kerb_follower kerb_follower_make(const kerb_vehicle* vehicle);

/// Makes a follower in place, like kerb_follower_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_follower_init(kerb_follower* follower, const kerb_vehicle* vehicle);

/// Size of a follower. [bytes]
KERB_API size_t kerb_follower_bytes(void);

/// Size of the block that saves a follower; writes the block where it fits. See kerb/base.h.
/// [bytes]
KERB_API size_t kerb_follower_save(const kerb_follower* follower, void* block, size_t capacity);

/// Loads a follower from a block. Refuses blocks of other types, versions and builds; see
/// kerb/base.h.
KERB_API kerb_result kerb_follower_load(kerb_follower* follower, const void* block, size_t size,
                                        kerb_error* error);

/// Drives one frame: returns the controls to apply until the next call. Allocates nothing.
///
/// path: at least 2 points; may be another path in every call.
/// motion: of the vehicle now. A motion that is not possible (kerb_motion_validate) gives the safe
///     controls (brake held, wheels straight, neutral) with KERB_REASON_BAD_MOTION. A jump of the
///     position is possible: the host has put the vehicle elsewhere, and it goes on from there.
/// surroundings: speed cap, grip, own id and neighbours. NULL: kerb_surroundings_default.
/// time_step: time since the last call. [s] [KERB_TIME_STEP_MIN …] Usually 0.008 to 0.05. A shorter
///     one, or one that is not finite, repeats the last controls with KERB_REASON_BAD_STEP. A step
///     above KERB_TIME_STEP_MAX is driven as one of that length.
///
/// `bad_frames` counts all three: impossible motion, a bad time step, a step that is too long.
///
/// At the end of an open path the vehicle stops with brake and handbrake held, KERB_REASON_ARRIVED:
/// it stands within 0.3 m of the last waypoint, seen from above; a small vehicle within 0.3 m times
/// kerb_vehicle_scale, or 0.1 m. A vehicle that is beyond the end or beside it has not arrived. It
/// comes back, forwards or in reverse, in as many pieces as its turning circle asks for, whatever
/// the corridor: KERB_REASON_MISSED_END. Where it stood teaches it how late its brakes act. When
/// that fails, it requests a teleport. Taken away from the end after it has arrived, it comes back,
/// too. A knot of waypoints, tighter than the vehicle turns, is driven over to where it ends.
///
/// Cost per frame: O(1), plus O(neighbours), plus O(metres of path that come into view). The first
/// frame on a path searches it for the vehicle: O(points), once.
KERB_API kerb_controls kerb_follower_drive(kerb_follower* follower, const kerb_path* path,
                                           const kerb_motion* motion,
                                           const kerb_surroundings* surroundings, float time_step);

/// Writes what the follower is about to drive, for the neighbours of its vehicle. Call it after
/// kerb_follower_drive, with the same path. Give the result to the other followers in the next
/// frame, as kerb_neighbour.intent of this vehicle. Where a vehicle is more than 1 m off its
/// line, the strip begins within 1 m of the vehicle and leads back to the line.
///
/// A count of 0 means unknown: before the first frame, after arriving, with another path than the
/// one that is driven, and with PAPER and BASELINE. O(KERB_INTENT_POINTS_MAX), allocates nothing.
KERB_API void kerb_follower_intent(const kerb_follower* follower, const kerb_path* path,
                                   kerb_intent* intent);

/// Moves what the follower remembers with the origin of the world: subtracts `new_origin`, which is
/// given in the old coordinates. Call it in the frame in which the host shifts the origin, shift
/// the path too (kerb_path_shift_origin), and it drives on as before. [m] O(1)
KERB_API void kerb_follower_shift_origin(kerb_follower* follower, kerb_vec3 new_origin);

/// Ends the wait at the stop where the vehicle waits now, also at a stop of KERB_STOP_FOREVER. Does
/// nothing while the vehicle does not wait at a stop. O(1)
KERB_API void kerb_follower_go(kerb_follower* follower);

#endif
