// What the single behaviours share: the way to a place, and speeds that stop in time. Private to
// the room.
#ifndef KERB_IN_STEER_BEHAVIOUR_H
#define KERB_IN_STEER_BEHAVIOUR_H

#include "kerb/steer.h"

static inline kerb_steering steer_wish(kerb_vec3 direction, float speed) {
    kerb_steering wish = {direction, speed};
    return wish;
}

/// True where no number of the agent is NaN or infinite, and the time step is none either.
bool kerb_in_steer_is_usable(const kerb_agent* agent, float time_step);

/// True where an agent is somewhere, and moves somehow: in numbers. What it can do is not looked
/// at.
static inline bool steer_is_there(const kerb_agent* agent) {
    return kerb_vec3_is_finite(agent->position) && kerb_vec3_is_finite(agent->forward) &&
           kerb_is_finite(agent->speed);
}

/// True for a wish that says where to go, in numbers.
bool kerb_in_steer_is_wish(const kerb_steering* wish);

/// Metres that the agent drives forwards in a step.
float kerb_in_steer_metres(const kerb_agent* agent, float time_step);

/// Nearer than this is there. [m]
float kerb_in_steer_tolerance(const kerb_agent* agent, float time_step);

/// Across the front towards `offset`, unit length; the agent's left where that has no side.
kerb_vec3 kerb_in_steer_side(kerb_vec3 forward, kerb_vec3 offset);

/// Where to turn on the shortest way to a place; the agent's own direction when it is there.
kerb_vec3 kerb_in_steer_towards(const kerb_agent* agent, kerb_vec3 target, float time_step);

/// As kerb_seek_distance; places so deep in the turning circle count as outside, as
/// kerb_in_steer_towards takes them.
float kerb_in_steer_way_length(const kerb_agent* agent, kerb_vec3 place, float tolerance);

/// How deep a place lies in the turning circle on its side; negative: outside. [m]
float kerb_in_steer_circle_depth(const kerb_agent* agent, kerb_vec3 place);

/// The greatest speed after a step from which braking still brings it down to `wanted` within
/// `distance` of where the step begins, at `speed`, when the step is driven as kerb_agent_step
/// does.
float kerb_in_steer_speed_in_time(float speed, float braking, float wanted, float distance,
                                  float time_step);

/// The same for an agent that drives forwards, at most its greatest.
float kerb_in_steer_speed_before(const kerb_agent* agent, float wanted, float distance,
                                 float time_step);

/// How much faster than what it approaches something may be at a distance to it, losing that at
/// `rate`.
float kerb_in_steer_closing_speed(float rate, float distance, float time_step);

/// What an agent moves by in a second.
static inline kerb_vec3 steer_velocity(const kerb_agent* agent) {
    return kerb_vec3_scale(agent->forward, agent->speed);
}

/// The point of an obstacle's line that is nearest to a place.
static inline kerb_vec3 steer_nearest_on(const kerb_obstacle* obstacle, kerb_vec3 place) {
    kerb_vec3 along = kerb_vec3_sub(obstacle->to, obstacle->from);
    float square = kerb_vec3_dot(along, along);
    if (!(square > 0.0f))
        return obstacle->from;
    float t = kerb_vec3_dot(kerb_vec3_sub(place, obstacle->from), along) / square;
    return kerb_vec3_along(obstacle->from, along, kerb_clamp(t, 0.0f, 1.0f));
}

/// `forward` turned by `angle` towards `side`, which is at right angles to it; a rounding off unit
/// length.
static inline kerb_vec3 steer_turned(kerb_vec3 forward, kerb_vec3 side, float angle) {
    float sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    return kerb_vec3_along(kerb_vec3_scale(forward, cosine), side, sine);
}

/// Level direction number i of `count`, evenly from x on.
kerb_vec3 kerb_in_steer_level_direction(int32_t i, int32_t count);

/// Direction number i of KERB_CONTEXT_SPACE.
kerb_vec3 kerb_in_steer_space_direction(int32_t i);

#endif
