// What rotorcraft and rockets share: thrust that holds them up, and tilts to push them aside.
// Private to the room.
#ifndef KERB_IN_PLAN_KIND_HOVER_H
#define KERB_IN_PLAN_KIND_HOVER_H

#include "kerb/plan_kind.h"

/// Numbers of a state and of a control.
enum { HOVER_VELOCITY = 3, HOVER_ACCELERATION = 6, HOVER_HEADING = 9, HOVER_YAW = 3 };

/// What a craft can do.
typedef struct hover_limits {
    float speed, acceleration; ///< horizontally [m/s, m/s²]
    float climb, sink;         ///< [m/s]
    float lift;                ///< vertical acceleration, both ways [m/s²]
    float jerk, lift_rate;     ///< horizontally and vertically [m/s³]
    float yaw_rate;            ///< [rad/s]
} hover_limits;

/// The rates of all craft that hover. States with a heading have KERB_KIND_STATES_MAX numbers.
void kerb_in_hover_rates(const float* state, const float* control, bool turns, float* rates);

/// A state on the way.
void kerb_in_hover_via(const hover_limits* limits, kerb_vec3 position, kerb_vec3 direction,
                       float share, float* state);

/// A leg. `limits` are those of plans. `time`: it takes at least so long. [s]
bool kerb_in_hover_connect(const hover_limits* limits, bool turns, const float* from,
                           const float* to, bool passes, float time, kerb_kind_leg* leg);

/// No plan takes less time. [s]
float kerb_in_hover_bound(const hover_limits* limits, bool turns, const float* from,
                          const float* to);

/// How far a state is within the limits, as a share.
float kerb_in_hover_room(const hover_limits* limits, const float* state);

/// Horizontal decelerations per speed, ahead and sideways.
typedef struct hover_drag {
    float ahead, side; ///< [1/s]
} hover_drag;

/// Position, velocity, and acceleration by the tilt of the body. `told`: the vertical one, or NULL.
void kerb_in_hover_state_of(const kerb_motion* motion, hover_drag drag, const float* told,
                            float* state);

/// The turning rates about the body's axes that tilt it as a jerk asks for. [rad/s]
kerb_vec3 kerb_in_hover_tilting(const kerb_motion* motion, hover_drag drag, const float* state,
                                const float* control);

/// The jerk that stops a craft and brings it upright.
void kerb_in_hover_stop(const hover_limits* limits, const float* state, float* control);

#endif
