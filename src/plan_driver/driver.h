// Driving a movement: where on it a vehicle is, and what lies about there. Private to the room.
#ifndef KERB_IN_PLAN_DRIVER_DRIVER_H
#define KERB_IN_PLAN_DRIVER_DRIVER_H

#include "kerb/plan.h"

#include "kerb/plan_driver.h"

/// A place on a plan: so far along one of its pieces. Beyond the end of a leg the last piece goes
/// on.
typedef struct plan_place {
    int32_t piece;
    float along; // [m]
} plan_place;

/// A leg: pieces driven in one direction without standing.
typedef struct plan_leg {
    int32_t first, last; // pieces
} plan_leg;

/// The leg that a piece is on; of a piece that stands, the one after it, or before where there is
/// none. O(pieces of the leg)
plan_leg kerb_in_plan_leg_of(const kerb_plan* plan, int32_t piece);

/// Speed of travel there, as planned. [m/s]
float kerb_in_plan_place_speed(const kerb_plan* plan, plan_place place);

/// When the plan is there. [s]
float kerb_in_plan_place_time(const kerb_plan* plan, plan_place place);

kerb_pose kerb_in_plan_place_pose(const kerb_plan* plan, plan_place place);

/// The place of the leg nearest to `position`, found from `place`; up to 2 m beyond the leg's end,
/// never before its beginning.
plan_place kerb_in_plan_place_near(const kerb_plan* plan, plan_leg leg, plan_place place,
                                   kerb_vec2 position);

/// What is left of the leg; negative beyond its end. O(pieces left) [m]
float kerb_in_plan_place_left(const kerb_plan* plan, plan_leg leg, plan_place place);

/// Where on a new plan a vehicle is that nobody has told about it: the pose nearest to its own.
/// O(length), of a plan for which it is at the start O(pieces)
plan_place kerb_in_plan_place_found(const kerb_plan* plan, kerb_pose pose);

/// How far off the plan a vehicle is, and where its wheels are. Angles and curvatures left
/// positive.
typedef struct plan_off {
    float aside;     ///< of the rear axle, left of the planned pose positive [m]
    float angle;     ///< of the way that the rear axle goes forwards [rad]
    float curvature; ///< that the wheels drive now [1/m]
} plan_off;

/// How it is to be brought back.
typedef struct plan_wheels {
    float least, most; ///< curvatures that it can drive [1/m]
    float rate;        ///< fastest change [1/(m s)]
    float answer;    ///< time after which wheels are where they are told to be, apart from rate [s]
    float stiffness; ///< a change of so much per second counts as a metre aside [1/(m s)]
} plan_wheels;

/// What to do about it.
typedef struct plan_steered {
    float curvature; ///< to tell the wheels [1/m]
    float aside;     ///< how far off the plan it will get in the next seconds nevertheless [m]
} plan_steered;

/// Steers so that the vehicle gets and stays as near as it can to what the plan does from `time`
/// on, driven `pace` times as fast. About 5 µs.
plan_steered kerb_in_plan_steer(const kerb_plan* plan, const plan_wheels* wheels, plan_off off,
                                float time, float pace);

/// Of a vehicle that is as it says it is.
kerb_plan_driver_slowing kerb_in_plan_slowing_make(void);

/// Learns from a frame: the controls that held in it, the speed of travel now, and what speed was
/// lost beside what climbing and rolling take. [m/s, m/s²]
void kerb_in_plan_slowing_learn(kerb_plan_driver_slowing* slowing, const kerb_vehicle* vehicle,
                                const kerb_controls* controls, float speed, float lost,
                                float time_step);

/// What to ask of brakes as the vehicle describes them so that it slows down like that. [m/s²]
/// [pushed: < 0]
float kerb_in_plan_slowing_told(const kerb_plan_driver_slowing* slowing, float pushed, float speed);

/// Of a vehicle that is as it says it is.
kerb_plan_driver_pull kerb_in_plan_pull_make(void);

/// Learns from a frame: the controls that held in it, the gear, and what speed was gained in it
/// beside what climbing, rolling and drag take. `capacity`: of full throttle, as the vehicle says.
/// [m/s²]
void kerb_in_plan_pull_learn(kerb_plan_driver_pull* pull, const kerb_vehicle* vehicle,
                             const kerb_controls* controls, int32_t gear, float capacity,
                             float gained, float time_step);

/// Of a vehicle that is as it says it is.
kerb_plan_driver_turn kerb_in_plan_turn_make(void);

/// Learns from a frame: the curvature that the wheels drive as the vehicle says, how long the body
/// takes to follow, the speed of travel and the rate at which it turns. [1/m, s, m/s, rad/s]
void kerb_in_plan_turn_learn(kerb_plan_driver_turn* turn, float curvature, float delay, float speed,
                             float rate, float time_step);

/// Of a vehicle on tyres of a usual sort.
kerb_plan_driver_slip kerb_in_plan_slip_make(const kerb_vehicle* vehicle);

/// Learns from a frame: how far left of where the body points the rear axle goes, the speed of
/// travel and the rate at which it turns. [rad, m/s, rad/s]
void kerb_in_plan_slip_learn(kerb_plan_driver_slip* slip, const kerb_vehicle* vehicle, float angle,
                             float speed, float rate, float time_step);

#endif
