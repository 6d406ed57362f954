// Pedals and gear for a wanted speed, shared by the drivers of this room. Private to it.
#ifndef KERB_IN_STEER_DRIVER_H
#define KERB_IN_STEER_DRIVER_H

#include "kerb/steer.h"

/// Slower than this it stands. [m/s]
#define STEER_STANDING 0.1f

/// What a driver asks of pedals and gear.
typedef struct steer_pace {
    float speed;        ///< wanted along the front; negative: in reverse; 0: to stand [m/s]
    float known;        ///< acceleration along the travel that is known to be needed [m/s²]
    float acceleration; ///< greatest [m/s²]
    float deceleration; ///< greatest [m/s²]
    bool free;          ///< at 0, let it stand without brakes, so that it can turn
    bool firm;          ///< at 0, hold it against who pushes
} steer_pace;

/// Writes throttle, brake, clutch and gear. Brakes to rest first where the direction changes.
void kerb_in_steer_pedals(kerb_pedal_memory* memory, const kerb_vehicle* vehicle,
                          const kerb_speed_settings* settings, const steer_pace* pace,
                          const kerb_motion* motion, float time_step, kerb_controls* controls);

/// False for steps that are none, or longer than any frame.
bool kerb_in_steer_is_step(float time_step);

/// True when no number of a wish is NaN or infinite.
bool kerb_in_steer_is_finite_wish(const kerb_steering* wish);

/// Makes a pose's direction one of unit length. False when it has none, or numbers are NaN or
/// infinite.
bool kerb_in_steer_take_pose(kerb_pose* pose);

/// The front, level, unit length.
kerb_vec2 kerb_in_steer_front(const kerb_motion* motion);

/// The angle from a to b, left positive. [rad]
float kerb_in_steer_angle(kerb_vec2 a, kerb_vec2 b);

/// The yaw rate at which an error of the heading fades within `time`, and which can still be
/// taken off at `slowing` before it is gone. [rad/s]
float kerb_in_steer_yaw_rate(float error, float time, float slowing);

#endif
