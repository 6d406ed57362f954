// What airplanes and submarines share: they move where they point, turn in arcs and climb at a
// slope. Private to the room.
#ifndef KERB_IN_PLAN_KIND_GLIDE_H
#define KERB_IN_PLAN_KIND_GLIDE_H

#include "kerb/plan_kind.h"

/// Numbers of a state and of a control.
enum { GLIDE_HEADING = 3, GLIDE_SPEED = 4 };
enum { GLIDE_CURVATURE = 0, GLIDE_SLOPE = 1, GLIDE_PUSH = 2 };

/// What a vehicle can do.
typedef struct glide_limits {
    float radius;               ///< of the turn of curvature 1, seen from above [m]
    float speed_min, speed_max; ///< [m/s]
    float waiting;              ///< legs that must take longer are flown no slower than this [m/s]
    float slow;                 ///< below it legs are level [m/s]
    float approach;             ///< legs end with a straight of this length, seen from above [m]
    float bend;                 ///< or with an arc of this curvature, left positive [1/m]
    float up, down;             ///< sines of the steepest slopes [1] [> 0]
    float push, braking;        ///< accelerations [m/s²] [> 0]
} glide_limits;

/// The rates of all vehicles that glide. `radius`: of the turn of curvature 1.
void kerb_in_glide_rates(float radius, const float* state, const float* control, float* rates);

/// The limits of plans, from those of the kind's controls.
glide_limits kerb_in_glide_planned(const kerb_kind* kind, const glide_limits* limits);

/// A state on the way. The heading stays where the direction is upright.
void kerb_in_glide_via(const glide_limits* limits, kerb_vec3 position, kerb_vec3 direction,
                       float share, float* state);

/// A leg. `radius`: of the turn of curvature 1; `limits`: those of plans.
bool kerb_in_glide_connect(float radius, const glide_limits* limits, const float* from,
                           const float* to, kerb_kind_leg* leg);

/// A leg that takes a time. False where neither a lower speed nor a longer way makes it so long.
bool kerb_in_glide_connect_in(float radius, const glide_limits* limits, const float* from,
                              const float* to, float time, kerb_kind_leg* leg);

/// How far a speed is between 0 and the greatest, as a share. Nothing that glides moves backwards.
float kerb_in_glide_room(float speed_max, const float* state);

/// No plan within that room takes less time. [s]
float kerb_in_glide_bound(const glide_limits* limits, float speed_max, const float* from,
                          const float* to);

#endif
