// Pedals and gear for a desired speed, shared by the drivers of this room. Private to the room.
#ifndef KERB_IN_STEER_DRIVER_H
#define KERB_IN_STEER_DRIVER_H

#include "kerb/steer.h"

#include "../vehicle/shared.h"

/// Below this speed the vehicle is at standstill. [m/s]
#define STEER_STANDING 0.1f

/// The input for pedals and gear.
typedef struct steer_pace {
    float speed; ///< desired forward speed; negative: in reverse; 0: standstill [m/s]
    float known; ///< acceleration along the travel that is known to be needed (feed-forward) [m/s²]
    float acceleration; ///< greatest [m/s²]
    float deceleration; ///< greatest [m/s²]
    bool free;          ///< at speed 0: stand without brakes, so that it can turn
    bool firm;          ///< at speed 0: hold against pushes
} steer_pace;

/// Writes throttle, brake, clutch and gear. Brakes to standstill first when the direction changes.
void kerb_in_steer_pedals(kerb_pedal_memory* memory, const kerb_vehicle* vehicle,
                          const kerb_speed_settings* settings, const steer_pace* pace,
                          const kerb_motion* motion, float time_step, kerb_controls* controls);

/// The vehicle was put elsewhere: forgets what pushed it, and how far its speed was off.
void kerb_in_steer_forget_pedals(kerb_pedal_memory* memory);

/// True when no number of a desired steering is NaN or infinite.
bool kerb_in_steer_is_finite_wish(const kerb_steering* wish);

/// Normalises the direction of a pose. False when it has no direction, a number is NaN or infinite,
/// or it lies outside of the world.
bool kerb_in_steer_take_pose(kerb_pose* pose);

/// The horizontal unit vector of the front.
kerb_vec2 kerb_in_steer_front(const kerb_motion* motion);

/// The angle from a to b, left positive. [rad]
float kerb_in_steer_angle(kerb_vec2 a, kerb_vec2 b);

/// The yaw rate at which a heading error decays within `time`, and which can still be reduced to 0
/// at `slowing` before the error is gone. [rad/s]
float kerb_in_steer_yaw_rate(float error, float time, float slowing);

#endif
