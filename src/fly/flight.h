// What the parts of the flyer share: what flight is now, and where the path shall bend. Private to
// the room.
#ifndef KERB_IN_FLY_FLIGHT_H
#define KERB_IN_FLY_FLIGHT_H

#include "kerb/fly.h"

/// Flight in this frame. Directions are unit vectors.
typedef struct flight {
    const kerb_motion* motion;
    float time_step;
    float speed;       ///< at least a tenth of the stall speed, so that one may divide [m/s]
    kerb_vec3 path;    ///< of flight
    kerb_vec3 left;    ///< of the path, level
    kerb_vec3 over;    ///< of the path, at right angles to both: up in level flight
    float climb;       ///< angle of the path over the level [rad]
    kerb_vec3 forward; ///< of the nose
    kerb_vec3 lift;    ///< where more lift would push: at right angles to path and wings
} flight;

/// How the path of flight shall bend.
typedef struct flight_bend {
    float left;  ///< acceleration to the left [m/s²]
    float over;  ///< and upwards [m/s²]
    float speed; ///< wanted [m/s]
} flight_bend;

/// How fast this aircraft can be steered.
typedef struct flyer_pace {
    float bank_gain; ///< roll rate per error of the bank [1/s]
    float bank_lag;  ///< until a bank that is asked for bends the path [s]
    float turn_gain; ///< turn rate per error of the path's direction [1/s]
    float path_gain; ///< speed towards the path per distance from it [1/s]
} flyer_pace;

flyer_pace kerb_in_flyer_pace_of(const kerb_flyer* flyer, float time_step);

/// From a pull to the bend that it makes. [s]
float kerb_in_flyer_pull_lag(const kerb_flyer* flyer, float time_step);

/// Of a level turn at bank_planned. [m]
float kerb_in_flyer_planned_radius(const kerb_flyer* flyer, float speed);

/// False where the motion or the time step are none: then the controls are in flyer->controls.
bool kerb_in_flyer_begin(kerb_flyer* flyer, const kerb_motion* motion, float time_step,
                         flight* now);

/// The bend towards a direction.
flight_bend kerb_in_flyer_towards(const flight* now, const flyer_pace* pace, kerb_vec3 direction);

/// The controls that bend the path so, within limits.
kerb_controls kerb_in_flyer_fly(kerb_flyer* flyer, const flight* now, const flyer_pace* pace,
                                flight_bend wanted, kerb_reason reason);

#endif
