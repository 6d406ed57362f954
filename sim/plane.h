// The plane of the ground under a vehicle, in the axes of the vehicle: gravity along it, the load
// across it, and movement on it.
#ifndef KERB_SIM_PLANE_H
#define KERB_SIM_PLANE_H

#include "sim/car.h"

// Slower than this in every direction, friction may hold a vehicle. Dampers alone would let it
// creep. [m/s]
#define KERB_SIM_REST_SPEED 0.05f

typedef struct kerb_sim_plane {
    kerb_vec3 forward, left, normal;
    float pull_forward, pull_left; ///< gravity along the plane [m/s²]
    float press;                   ///< and into it [m/s²]
    float turn;                    ///< change of heading per yaw angle about the normal
    float grip;                    ///< times the vehicle's own; held to sane values
    kerb_sim_bend bend;            ///< of the ground that it touches
} kerb_sim_plane;

/// A normal that is no ground to drive on counts as up.
kerb_sim_plane kerb_sim_plane_under(const kerb_sim_ground* ground, float heading);

/// The rotation of a body that stands on a plane of this normal.
kerb_quat kerb_sim_plane_rotation(kerb_vec3 normal, float heading);

/// Moves a position by one step of a velocity in the vehicle's axes as they are half-way through
/// the step, without losing what is smaller than the position's last digit: `rest` keeps it.
void kerb_sim_plane_move(const kerb_sim_plane* plane, kerb_vec2 velocity, float yaw_rate,
                         float height, float time_step, kerb_vec3* position, kerb_vec3* rest);

/// By how much ground that bends pushes into what moves along it, at a velocity in the vehicle's
/// axes: less than 0 over a crest. [m/s²]
float kerb_sim_plane_bend_push(const kerb_sim_plane* plane, kerb_vec2 velocity);

/// How fast the heading changes because the ground's normal does, apart from the yaw rate. [rad/s]
float kerb_sim_plane_bend_turn(const kerb_sim_plane* plane, kerb_vec2 velocity);

/// The heading after a step.
float kerb_sim_plane_turn(const kerb_sim_plane* plane, float heading, float yaw_rate,
                          float time_step);

/// The motion of a body whose point at `position` has this velocity, in the body's axes.
kerb_motion kerb_sim_plane_motion(kerb_vec3 position, kerb_quat rotation, kerb_vec2 velocity,
                                  float yaw_rate);

#endif
