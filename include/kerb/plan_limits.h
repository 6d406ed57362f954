// The limits that a plan keeps (kerb/plan.h): of a vehicle, with a reserve for its driver, or any.
//
//     kerb_plan_limits limits = kerb_plan_limits_to_drive(&vehicle, 0.4f);
//     limits.curvature_rate = 1.0f / (limits.steering_time * limits.turning_radius); // clothoids
//
// Does not: change the limits of a planner that exists. Create another one.
#ifndef KERB_PLAN_LIMITS_H
#define KERB_PLAN_LIMITS_H

#include "base.h"
#include "vehicle.h"

/// Limits that a plan keeps. A settings struct: begin with kerb_plan_limits_to_drive,
/// kerb_plan_limits_of or kerb_plan_limits_default; kerb_plan_limits_table has the ranges.
typedef struct kerb_plan_limits {
    float turning_radius;       ///< smallest radius of the rear axle [m] [> 0] Cars: 4 to 6.
    float speed_max;            ///< forwards [m/s] [> 0]
    float reverse_speed_max;    ///< in reverse; 0: never in reverse [m/s] [>= 0]
    float acceleration;         ///< greatest gain of speed forwards [m/s²] [> 0]
    float braking;              ///< greatest loss of speed forwards [m/s²] [> 0]
    float reverse_acceleration; ///< greatest gain of speed in reverse [m/s²] [> 0]
    float reverse_braking;      ///< greatest loss of speed in reverse [m/s²] [> 0]
    float lateral_acceleration; ///< greatest speed² · |curvature| [m/s²] [> 0]
    float longitudinal_grip;    ///< friction ellipse with the one before; 0: none [m/s²] [>= 0]
    float yaw_rate_max;         ///< greatest speed · |curvature| [rad/s] [> 0]
    float reversal_time;        ///< standstill at each change of direction [s] [>= 0]
    float steering_time;        ///< from wheels straight to turning_radius; 0: at once [s] [>= 0]
    float curvature_rate;       ///< fastest change of curvature; 0: it jumps [1/(m s)] [>= 0]
    float front;                ///< footprint: from rear axle to front end [m] [-500 … 500]
    float rear;                 ///< footprint: from rear axle to rear end [m] [-500 … 500]
    float width;                ///< footprint: across [m] [>= 0]
    float margin;               ///< added to the footprint on all sides [m] [>= 0]
} kerb_plan_limits;

/// At a jump of curvature the wheels need the time steering_time · turning_radius · jump to turn. A
/// driver that turns them at a constant rate, one half of the turn before the jump and the other
/// half after it, leaves the plan by at most this distance. The plan drives slowly enough for that.
/// [m]
#define KERB_PLAN_STEERING_DEVIATION_MAX 0.1f
/// At a change of direction, and at a start from rest, a plan waits at standstill until the wheels
/// have turned. The wait is shorter by this time, because wheels also turn while the vehicle stops
/// and starts. At the start of a plan the wheels count as straight: kerb_plan_end.curvature counts
/// only with a curvature_rate. [s]
#define KERB_PLAN_STEERING_WHILE_ROLLING 0.4f

/// With a curvature_rate, steering_time has no effect. Curvature is continuous, also from the
/// start, where it is kerb_plan_end.curvature. While the vehicle moves it changes along clothoids,
/// and the plan is slow enough for the rate. At standstill, at a start from rest and at a change of
/// direction, the wheels turn before the vehicle drives on, and the plan has that time.
///
/// Usual: 1 / (steering_time · turning_radius). A kerb_plan_search and kerb_plan_curves ignore it.
/// Plans take some percent longer than those that jump.
///
/// The planner draws arcs whose radius is greater than turning_radius by this share. It is left for
/// clothoids: between them, arcs are a little tighter, so that the plan ends where it should. [1]
#define KERB_PLAN_CURVATURE_RESERVE 0.08f

/// Ranges, defaults and meaning of every limit.
KERB_API const kerb_settings_table kerb_plan_limits_table;

/// The car of the AIPATH thesis: radius 5 m, 13.8 m/s, 1.5 m/s² and 5 m/s², lateral 10 m/s², never
/// in reverse; 4.5 m by 1.8 m.
KERB_API kerb_plan_limits kerb_plan_limits_default(void);

/// The physical limits of a vehicle on a surface; to drive plans, use kerb_plan_limits_to_drive.
/// The grip scales braking and lateral acceleration. It can lower the acceleration, not raise it.
/// The radius of TRACKED and HOVER vehicles is half of their length. [grip: > 0] 1: dry asphalt.
KERB_API kerb_plan_limits kerb_plan_limits_of(const kerb_vehicle* vehicle, float grip);

/// Limits with a reserve, so that a driver can follow the plan and correct errors.
/// [share: > 0, at most 1, usually 0.3 to 0.5]
///
/// - Acceleration, braking and lateral acceleration: `share` of the vehicle's.
/// - Turning radius: 1.1 times the radius at a smaller wheel angle: the greatest one minus twice
///   the understeer at that lateral acceleration.
/// - Margin: 0.15 m times kerb_vehicle_scale, for mirrors and for what a driver leaves its plan by.
/// - Greatest speeds: the speed at which full throttle, less resistance, still gives 1.15 times the
///   planned acceleration. So a smaller share may give a higher speed.
/// - WHEELED: braking in reverse is 0.7 times the above: the stronger brakes are on the lighter
///   axle then. Above a share of 0.42, tyres keep to an ellipse of 0.6 of what they hold
///   (longitudinal_grip), drive to 0.68, or 0.52 where it is more than 0.45 of the lateral
///   acceleration and so may be what one axle's tyres hold, brakes in reverse to 0.45; wheels get
///   more time. Where throttle_delay is above 0.1 s, by a time t, all accelerations are divided by
///   1 + t / 1 s. Where steering_delay is above 0.1 s, steering_time is longer by twice the excess.
/// - TRACKED and HOVER: 0.6 of the yaw rate.
KERB_API kerb_plan_limits kerb_plan_limits_to_drive(const kerb_vehicle* vehicle, float share);

/// The same for a host whose longest frame takes `frame`. [s] [0 … 1] In long frames a driver
/// corrects late, so plans leave it more. Above a share of 0.42 the time by which `frame` exceeds a
/// sixtieth of a second is added to the excess of steering_delay, and twice that time to the excess
/// of throttle_delay.
KERB_API kerb_plan_limits kerb_plan_limits_to_drive_in_frames(const kerb_vehicle* vehicle,
                                                              float share, float frame);

/// Whether a vehicle can follow plans: KERB_OK, or OUT_OF_RANGE of "kind" for HOVER. A HOVER
/// vehicle does not move where it points. It slides off a plan with bends, whatever its limits.
KERB_API kerb_result kerb_plan_drivable(const kerb_vehicle* vehicle, kerb_error* error);

/// KERB_OK, or NOT_FINITE or OUT_OF_RANGE with the first bad field.
KERB_API kerb_result kerb_plan_limits_validate(const kerb_plan_limits* limits, kerb_error* error);

/// Limits with another grip, as in kerb_plan_limits_of. [> 0] Wet 0.7, snow 0.3, ice 0.1.
KERB_API kerb_plan_limits kerb_plan_limits_with_grip(const kerb_plan_limits* limits, float grip);

#endif
