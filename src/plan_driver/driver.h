// Parts of the plan driver: places on a plan, steering by preview, and what the driver learns of
// its vehicle. Private to the room.
#ifndef KERB_IN_PLAN_DRIVER_DRIVER_H
#define KERB_IN_PLAN_DRIVER_DRIVER_H

#include "kerb/plan.h"

#include "kerb/plan_driver.h"

/// A place on a plan. Beyond the end of a leg the last piece goes on.
typedef struct plan_place {
    int32_t piece;
    float along; // distance along that piece [m]
} plan_place;

/// A leg: pieces driven in one direction without a standstill.
typedef struct plan_leg {
    int32_t first, last; // pieces
} plan_leg;

/// The leg of a piece; of a standstill, the leg after it, or before it where none follows. O(pieces
/// of the leg)
plan_leg kerb_in_plan_leg_of(const kerb_plan* plan, int32_t piece);

/// Planned speed at a place, in the direction of travel. [m/s]
float kerb_in_plan_place_speed(const kerb_plan* plan, plan_place place);

/// Time of the plan at a place. [s]
float kerb_in_plan_place_time(const kerb_plan* plan, plan_place place);

kerb_pose kerb_in_plan_place_pose(const kerb_plan* plan, plan_place place);

/// The place on the leg that is so much farther. [m]
plan_place kerb_in_plan_place_farther(const kerb_plan* plan, plan_leg leg, plan_place place,
                                      float by);

/// The place on the leg that is nearest to `position`, searched from `place`. At most 2 m beyond
/// the leg's end, never before its start.
plan_place kerb_in_plan_place_near(const kerb_plan* plan, plan_leg leg, plan_place place,
                                   kerb_vec2 position);

/// Distance to the end of the leg; negative beyond it. O(pieces left) [m]
float kerb_in_plan_place_left(const kerb_plan* plan, plan_leg leg, plan_place place);

/// The place on a plan that is new to the driver: the pose nearest to the vehicle's. O(length);
/// O(pieces) if it is at the start of the plan.
plan_place kerb_in_plan_place_found(const kerb_plan* plan, kerb_pose pose);

/// Errors of a vehicle against the plan, and the state of its wheels. Angles and curvatures left
/// positive.
typedef struct plan_off {
    float aside;     ///< cross-track error of the rear axle, left of the planned pose positive [m]
    float angle;     ///< angle from the planned heading to that of the body [rad]
    float curvature; ///< of the wheels [1/m]
} plan_off;

/// Limits and weights of the steering.
typedef struct plan_wheels {
    float least, most; ///< curvatures that the vehicle can drive [1/m]
    float rate;        ///< fastest change [1/(m s)]
    float answer;      ///< time by which a command is ahead of the wheels [s]
    float axle;        ///< of the point that goes where the body points, ahead of the rear axle [m]
    float scale;       ///< of the vehicle [1]
    float stiffness;   ///< rate of change that counts as much as a cross-track error of 1 m
                       ///< [1/(m s)]
} plan_wheels;

/// Result of the steering.
typedef struct plan_steered {
    float curvature; ///< to command [1/m]
    float aside;     ///< greatest cross-track error that is expected in the next seconds [m]
    float swing;     ///< greatest change of curvature to one side that begins soon [1/m]
} plan_steered;

/// Steers so that the vehicle comes and stays as near as possible to the plan from `time` on,
/// driven at `pace` times its speed. It stands before the time `from`. O(1): at most 10 rounds of
/// 24 steps.
plan_steered kerb_in_plan_steer(const kerb_plan* plan, const plan_wheels* wheels, plan_off off,
                                float time, float from, float pace);

/// First estimate: the vehicle is as the host describes it.
kerb_plan_driver_slowing kerb_in_plan_slowing_make(const kerb_vehicle* vehicle);

/// What a frame tells of the deceleration.
typedef struct plan_slowed {
    const kerb_vehicle* vehicle;
    float throttle; ///< of the last frame [1]
    float pressed;  ///< brake pedal that acted in the last frame [1]
    float doubt;    ///< … standard deviation: pedals that move act when they act [1]
    float late;     ///< time after which pedals act [s]
    float speed;    ///< in the direction of travel now [m/s]
    float lost;     ///< deceleration beyond that of climbing and rolling [m/s²]
    float time_step;
} plan_slowed;

/// Learns from a frame.
void kerb_in_plan_slowing_learn(kerb_plan_driver_slowing* slowing, const plan_slowed* frame);

/// Deceleration to ask of the brakes as the host describes them, so that the vehicle really slows
/// down by `pushed`. [m/s²] [pushed: < 0]
float kerb_in_plan_slowing_told(const kerb_plan_driver_slowing* slowing, float pushed, float speed);

/// What a frame tells of the throttle.
typedef struct plan_pulled {
    float throttle; ///< that acted in the last frame [1]
    float doubt;    ///< … standard deviation [1]
    float speed;    ///< in the direction of travel [m/s]
    bool reverse;   ///< the direction of travel
    float pull;     ///< acceleration beyond that of climbing and rolling [m/s²]
    float time_step;
} plan_pulled;

/// First estimate, from the description.
kerb_plan_driver_pull kerb_in_plan_pull_make(const kerb_vehicle* vehicle);

/// Acceleration at full throttle, if nothing slips. [m/s²]
float kerb_in_plan_pull_capacity(const kerb_plan_driver_pull* pull, const kerb_vehicle* vehicle,
                                 float speed, bool reverse);

/// Learns from a frame in which a gear is engaged and no brake acts.
void kerb_in_plan_pull_learn(kerb_plan_driver_pull* pull, const kerb_vehicle* vehicle,
                             const plan_pulled* frame);

/// First estimate: usual road tyres.
kerb_plan_driver_slip kerb_in_plan_slip_make(const kerb_vehicle* vehicle);

/// Learns from a frame: the angle from the heading to the course of the rear axle (left positive),
/// the speed in the direction of travel and the yaw rate. [rad, m/s, rad/s]
void kerb_in_plan_slip_learn(kerb_plan_driver_slip* slip, const kerb_vehicle* vehicle, float angle,
                             float speed, float rate, float time_step);

#endif
