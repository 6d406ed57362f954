// What the parts of the flyer share: the present flight, and the desired bend of the flight path.
// Private to the room.
#ifndef KERB_IN_FLY_FLIGHT_H
#define KERB_IN_FLY_FLIGHT_H

#include "kerb/fly.h"

#include "../vehicle/shared.h"

/// The flight in this frame. Directions are unit vectors.
typedef struct flight {
    kerb_motion motion; ///< with every number in range
    float time_step;
    float speed;       ///< at least a tenth of the stall speed, so that one can divide by it [m/s]
    kerb_vec3 path;    ///< direction of flight
    kerb_vec3 left;    ///< horizontal, to the left of the path
    kerb_vec3 over;    ///< at a right angle to path and left: up in level flight
    float climb;       ///< angle of the path above the horizontal [rad]
    kerb_vec3 forward; ///< direction of the nose
    kerb_vec3 lift; ///< direction in which more lift would push: at a right angle to path and wings
} flight;

/// How the flight path shall bend.
typedef struct flight_bend {
    float left;  ///< acceleration to the left [m/s²]
    float over;  ///< acceleration upwards [m/s²]
    float speed; ///< desired speed [m/s]
} flight_bend;

/// How fast this aircraft can be steered.
typedef struct flyer_pace { // roll rate per bank error [1/s]
    float bank_gain;        ///< delay from a commanded bank to the bend of the path [s]
    float bank_lag;         ///< turn rate per direction error of the path [1/s]
    float turn_gain;        ///< speed towards the reference line per distance from it [1/s]
    float path_gain;        ///< speed towards the path per distance from it [1/s]
} flyer_pace;

flyer_pace kerb_in_flyer_pace_of(const kerb_flyer* flyer, float time_step);

/// Delay from a pull of the stick to the bend of the path. [s]
float kerb_in_flyer_pull_lag(const kerb_flyer* flyer, float time_step);

/// Radius of a level turn with the planned bank. [m]
float kerb_in_flyer_planned_radius(const kerb_flyer* flyer, float speed);

/// False when the controls are decided already, in flyer->controls: the motion or the time step is
/// not valid, or the aircraft has just jumped.
bool kerb_in_flyer_begin(kerb_flyer* flyer, const kerb_motion* motion, float time_step,
                         flight* now);

/// Flies in a desired direction; NULL or none: level and straight on.
kerb_controls kerb_in_flyer_fly_towards(kerb_flyer* flyer, const flight* now,
                                        const kerb_steering* desired);

/// The bend that turns the path towards a direction.
flight_bend kerb_in_flyer_towards(const flight* now, const flyer_pace* pace, kerb_vec3 direction);

/// The controls that bend the path in the desired way, within the limits.
kerb_controls kerb_in_flyer_fly(kerb_flyer* flyer, const flight* now, const flyer_pace* pace,
                                flight_bend wanted, kerb_reason reason);

#endif
