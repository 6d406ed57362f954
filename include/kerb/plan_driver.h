// Kerb plan_driver: drives a vehicle along a plan, at the positions and at the times of the plan.
//
// Call order: kerb_plan_driver_make once per vehicle, then kerb_plan_driver_drive once per frame
// with the plan of a kerb_planner (kerb/plan.h). Make the plan with kerb_plan_limits_to_drive, so
// that the driver has a reserve to correct errors. examples/plan_a_parking.c is a whole program.
//
//     kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
//     kerb_motion motion = kerb_motion_default();
//     kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
//     while (controls.reason != KERB_REASON_ARRIVED && controls.reason != KERB_REASON_GIVEN_UP) {
//         // The host fills `motion` from its physics here.
//         controls = kerb_plan_driver_drive(&driver, &plan, &motion, NULL, 1.0f / 60.0f);
//         // The host applies `controls` and simulates one frame here.
//     }
//
// The driver commands the curvature and the acceleration of the plan ahead of time, because wheels
// and engine react late. It adds corrections, so that cross-track, heading, speed and time errors
// decay. A change of direction ends a leg of the plan: the driver stops there, turns the wheels
// while the gear changes, and drives on at the time that the plan says.
//
// Lifetimes: a driver is plain data and owns nothing, so there is nothing to destroy. A copy of the
// struct saves and restores it in the same build of the library, kerb_plan_driver_save and
// kerb_plan_driver_load across builds. It keeps no pointer to the plan, but the pieces of the plan
// must be valid during each call (kerb/plan.h says how long they are valid). Threads: use a driver
// from one thread at a time; different drivers are independent.
//
// Does not: react to neighbours. Make a new plan when something blocks the plan. The driver obeys
// kerb_surroundings.speed_cap. Does not drive HOVER vehicles (kerb_plan_drivable): it keeps them at
// standstill with the brake held, reason KERB_REASON_GIVEN_UP.
#ifndef KERB_PLAN_DRIVER_H
#define KERB_PLAN_DRIVER_H

#include "control.h"
#include "plan.h"
#include "private/plan_driver_memory.h"

// --------------------------------------------------------------------------- driving a plan

/// How a plan is driven. Begin with kerb_plan_driver_settings_default;
/// kerb_plan_driver_settings_table has the ranges. A leg is a part of a plan between changes of
/// direction.
typedef struct kerb_plan_driver_settings {
    float response_time;     ///< time over which cross-track errors decay at speed [s] [> 0]
    float response_distance; ///< distance over which they decay at low speed [m] [> 0]
    float catch_up;          ///< greatest change of speed to correct time errors, as a share of the
                             ///< planned speed [1] [0 … 0.5]
    float catch_up_time;     ///< time over which time errors decay [s] [> 0]
    float time_error_max;    ///< greatest delay behind the plan; when the delay is greater, the
                             ///< driver postpones the rest of the plan [s] [>= 0]
    float arrival_distance;  ///< at this distance from the end of a leg it has arrived [m] [> 0]
    float lost_distance;     ///< at this cross-track error it is lost: it stops and waits for
                             ///< another plan, or to be back within half of it [m] [> 0]
    float lost_angle;        ///< at this heading error it is lost as well [rad] [> 0]
    kerb_speed_settings speed_control; ///< how speed errors become accelerations
} kerb_plan_driver_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_plan_driver_settings_table;
/// The defaults of the table.
KERB_API kerb_plan_driver_settings kerb_plan_driver_settings_default(void);

/// What a driver decided in the last frame, for pictures and for debugging.
typedef struct kerb_plan_driver_decision {
    kerb_plan_state planned;   ///< state of the plan at the position nearest to the rear axle
    kerb_vec2 rear_axle;       ///< position of the rear axle [m]
    float time_error;          ///< delay behind the plan; negative: early [s]
    float postponed;           ///< time by which the rest of the plan has been postponed [s]
    float cross_track_error;   ///< of the rear axle, left of the direction of travel positive [m]
    float heading_error;       ///< left positive [rad]
    float target_speed;        ///< in the direction of travel [m/s]
    float acceleration;        ///< desired, in the direction of travel [m/s²]
    float commanded_curvature; ///< commanded last, left positive [1/m]
    bool lost;                 ///< too far from the plan: brakes until it is back or gets another
    kerb_reason reason;        ///< what limits its speed, or its state
    /// What the host tells wrongly, found in the first minute of driving; see kerb/host_check.h.
    /// KERB_HOST_NO_MISTAKE: nothing is known.
    kerb_host_mistake host_mistake;
} kerb_plan_driver_decision;

/// Drives a vehicle along a plan. Plain data without pointers: a copy saves it.
typedef struct kerb_plan_driver {
    kerb_plan_driver_settings settings;
    kerb_vehicle vehicle;
    /// The axle whose poses the plans hold, as a distance ahead of the described rear axle. 0 for
    /// vehicles that steer in front; see kerb_plan_driver_axle. [m]
    float axle;
    kerb_plan_driver_decision decision; ///< of the last frame
    kerb_controls controls;             ///< controls that it returned last
    int32_t bad_frames; ///< frames with an impossible motion or time step, or a long step
    /// What it remembers. No interface: see kerb/private/plan_driver_memory.h.
    kerb_plan_driver_memory memory;
} kerb_plan_driver;

/// A driver with default settings that has not driven yet. The vehicle must be valid.
KERB_API kerb_plan_driver kerb_plan_driver_make(const kerb_vehicle* vehicle);

/// Makes a driver in place, like kerb_plan_driver_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_plan_driver_init(kerb_plan_driver* driver, const kerb_vehicle* vehicle);

/// Size of a driver. [bytes]
KERB_API size_t kerb_plan_driver_bytes(void);

/// Size of the block that saves a driver; writes the block where it fits. See kerb/base.h. [bytes]
KERB_API size_t kerb_plan_driver_save(const kerb_plan_driver* driver, void* block, size_t capacity);

/// Loads a driver from a block. Refuses blocks of other types, versions and builds; see
/// kerb/base.h.
KERB_API kerb_result kerb_plan_driver_load(kerb_plan_driver* driver, const void* block, size_t size,
                                           kerb_error* error);

/// Computes the controls for this frame. O(pieces of a leg); O(length) in the first frame of a plan
/// and while the vehicle is lost. Allocates nothing. `surroundings` may be NULL. The plan may
/// change in any frame: the driver then finds its place on the new plan.
///
/// The result at the end and in trouble:
/// - The plan ends at rest: standstill there with the brake held, KERB_REASON_ARRIVED; or, where it
///   stands more than 0.3 m (times kerb_vehicle_scale) from the end, KERB_REASON_GIVEN_UP: another
///   plan from there brings it nearer.
/// - The plan ends with speed: KERB_REASON_ARRIVED at the end. The vehicle rolls on along the last
///   arc until it is lost.
/// - The plan has no pieces or no length: brake held, KERB_REASON_NONE.
/// - The vehicle is lost: brake held, KERB_REASON_GIVEN_UP, until the plan changes or the vehicle
/// is
///   back within half of `lost_distance` and `lost_angle`.
/// - The host put the vehicle elsewhere: it goes on at the nearest place of the plan, as late or
///   early as before, or is lost where it is too far from the plan. `postponed` takes the
///   difference. A vehicle that is lost drives on when it is put back near to the plan.
/// - kerb_motion_validate refuses the motion with the vehicle's speed_max: safe controls, reason
///   KERB_REASON_BAD_MOTION. `bad_frames` counts it.
///
/// time_step: time since the last call. [s] [KERB_TIME_STEP_MIN … KERB_TIME_STEP_MAX] Usual: 0.008
/// to 0.05. A shorter one, or one that is not finite, returns the last controls again, reason
/// KERB_REASON_BAD_STEP. A longer one is driven as KERB_TIME_STEP_MAX. `bad_frames` counts both.
KERB_API kerb_controls kerb_plan_driver_drive(kerb_plan_driver* driver, const kerb_plan* plan,
                                              const kerb_motion* motion,
                                              const kerb_surroundings* surroundings,
                                              float time_step);

/// Which axle follows where the body points, as a distance ahead of the described rear axle: 0, or
/// the wheelbase where driving has shown that the rear wheels steer. Until that is known it returns
/// driver->axle. A plan for the other axle cannot be driven. So when the result differs from
/// driver->axle, do this: stop the vehicle (kerb_surroundings.speed_cap = 0), write the result to
/// driver->axle, and make a new plan for that axle. For it, move the poses of start and goal ahead
/// by this distance; subtract it from kerb_plan_limits.front and add it to kerb_plan_limits.rear.
/// [m] O(1)
KERB_API float kerb_plan_driver_axle(const kerb_plan_driver* driver);

/// Call it when the host moves the world's origin, together with kerb_plan_shift_origin for the
/// plan: the driver goes on with the same controls. `new_origin` is the new origin in the old
/// coordinates; it is subtracted from every remembered place. [m] O(1)
KERB_API void kerb_plan_driver_shift_origin(kerb_plan_driver* driver, kerb_vec3 new_origin);

#endif
