// From the lane to the wheels: the arc through P_DriveTo, tangent to the motion of the rear axle,
// turned towards the curve that arrives along the lane as far as tyres and wheels respond quickly
// enough.
//
// All of it becomes part of the drive call. Private to the room.
#ifndef KERB_IN_LANE_STEERING_H
#define KERB_IN_LANE_STEERING_H

#include "frame.h"

#include "../control/shared.h"
#include "../vehicle/shared.h"

/// Greatest delay of tyres. [s]
#define LANE_TURN_DELAY_MOST 0.2f
/// With a smaller delay of the tyres than TO, the lane's direction at P_DriveTo counts; from FROM
/// on, only the arc. Measured on sim/'s cars, which oscillate otherwise. [s]
#define LANE_ALONG_TO 0.075f
#define LANE_ARC_FROM 0.13f
/// A usual steering_delay, included in those values. [s]
#define LANE_STEERING_DELAY 0.05f
/// Where the lane uses this share of the vehicle's greatest curvature, it is not arrived along. [1]
#define LANE_TIGHT 0.7f
/// Greatest angle error that counts: what a bend of 30 m radius makes; past a corner of the edge it
/// could be any value. [rad]
#define LANE_ASKEW_MOST 0.3f

/// True: the lane turns about as tight as the vehicle can. No tangent is less than its angle, which
/// decides most cases quickly.
static inline bool lane_is_tight(const kerb_lane_keeper* keeper) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    float bend = kerb_abs(keeper->memory.line_curvature);
    if (vehicle->kind == KERB_VEHICLE_WHEELED &&
        bend * vehicle->wheelbase <= LANE_TIGHT * vehicle->steering_angle_max)
        return false;
    return bend * kerb_vehicle_turning_radius(vehicle) > LANE_TIGHT;
}

/// Delay from wheel angle to yaw rate: tyres build up their force while they roll, and the body
/// follows. A bicycle with equal axles, which are each other's centre of percussion, lags by speed
/// times slip angle per lateral acceleration; with another yaw inertia by its share of that. [s]
static inline float lane_turn_delay(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    float inertia = kerb_in_vehicle_inertia_share(&keeper->vehicle);
    return kerb_clamp(pose->speed * keeper->memory.slip * inertia, 0.0f, LANE_TURN_DELAY_MOST);
}

/// Weight of the term that makes it arrive along the lane. Tyres with a long delay allow only the
/// arc; a lane about as tight as the vehicle can turn is not arrived along. [0 … 1]
static inline float lane_share_along(const kerb_lane_keeper* keeper, float delay) {
    if (keeper->memory.at_corner || lane_is_tight(keeper))
        return 0.0f;
    return kerb_clamp((LANE_ARC_FROM - delay) * (1.0f / (LANE_ARC_FROM - LANE_ALONG_TO)), 0.0f,
                      1.0f);
}

/// The curvature of the arc to the target, and a term that makes it arrive along the lane. The arc
/// alone arrives turned by twice the angle to the target, which in a steady bend is the lane's
/// direction. A bend that begins, or turns over, it cuts: by 0.05 of the change of curvature times
/// the square of the distance to the target, which is 0.35 m from one bend of 30 m radius to the
/// opposite one. The curve whose curvature changes linearly and which arrives along the lane begins
/// with 2·askew/distance less. Halfway between the two, errors decay well damped, with 1.4 times
/// the arc's frequency.
static inline float lane_curvature_to(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                      kerb_vec2 local, kerb_vec2 travel, kerb_vec2 target) {
    float squared = kerb_vec2_dot(local, local);
    if (!(squared > 1.0e-12f))
        return 0.0f;
    float over = 1.0f / squared; // one quotient for all
    float pursuit = 2.0f * local.y * over;
    // Steering delay beyond the usual one counts as delay of the tyres.
    float late = 2.0f * kerb_max(keeper->vehicle.steering_delay - LANE_STEERING_DELAY, 0.0f);
    float share = lane_share_along(keeper, late + lane_turn_delay(keeper, pose));
    if (!(share > 0.0f && squared > 1.0f))
        return pursuit;
    // The arc to `local` arrives in direction (x² - y², 2xy)/(x² + y²).
    float sine = 2.0f * local.x * local.y, cosine = local.x * local.x - local.y * local.y;
    kerb_vec2 lane = keeper->memory.line_direction;
    float across = cosine * kerb_vec2_cross(travel, lane) - sine * kerb_vec2_dot(travel, lane);
    float along = kerb_vec2_dot(kerb_vec2_sub(target, keeper->memory.line), lane);
    float askew = across * over + keeper->memory.line_curvature * along;
    return pursuit - share * kerb_clamp(askew, -LANE_ASKEW_MOST, LANE_ASKEW_MOST) * kerb_sqrt(over);
}

/// Steering to `target`, from -1 to 1. `round`: result of kerb_in_lane_turns_round. [rad/s]
static inline float lane_steer(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               kerb_vec2 target, float round, float grip) {
    // Steering acts after a delay: so it starts from where the vehicle will be then.
    float delay = keeper->vehicle.steering_delay + lane_turn_delay(keeper, pose);
    float turn = kerb_clamp(keeper->memory.turning * delay, -0.5f, 0.5f);
    float way = kerb_min(kerb_max(pose->speed, 0.0f) * delay, 0.5f * pose->lookahead);
    const kerb_lane_arc then = lane_arc_little(pose->rear, pose->travel, way, turn);
    const kerb_vec2 travel = then.direction;
    kerb_vec2 off = kerb_vec2_sub(target, then.place);
    kerb_vec2 local = kerb_vec2_make(kerb_vec2_dot(travel, off), kerb_vec2_cross(travel, off));
    float curvature = lane_curvature_to(keeper, pose, local, travel, target);
    float lateral = keeper->settings.avoid_acceleration * grip;
    float most = lateral / kerb_max(pose->speed * pose->speed, 1.0f);
    curvature = kerb_clamp(curvature, -most, most);
    keeper->decision.commanded_curvature = curvature;
    const kerb_vehicle* vehicle = &keeper->vehicle;
    if (round != 0.0f)
        return round;
    if (keeper->settings.steering == KERB_LANE_BICYCLE || vehicle->kind != KERB_VEHICLE_WHEELED)
        return control_steering_near(vehicle, curvature, pose->speed);
    float angle = kerb_lane_angle_by_cosines(vehicle->wheelbase, curvature);
    return kerb_clamp(angle / kerb_vehicle_steering_lock(vehicle, pose->speed), -1.0f, 1.0f);
}

#endif
