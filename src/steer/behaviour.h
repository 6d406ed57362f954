// What the behaviours share: the shortest path to a point, and speeds that stop in time. Private to
// the room.
#ifndef KERB_IN_STEER_BEHAVIOUR_H
#define KERB_IN_STEER_BEHAVIOUR_H

#include "kerb/steer.h"

static inline kerb_steering steer_wish(kerb_vec3 direction, float speed) {
    kerb_steering wish = {direction, speed};
    return wish;
}

/// True when no number of the agent is NaN or infinite and the time step is valid.
bool kerb_in_steer_is_usable(const kerb_agent* agent, float time_step);

/// True when position, direction and speed of an agent are finite. Its capabilities are not
/// checked.
static inline bool steer_is_there(const kerb_agent* agent) {
    return kerb_vec3_is_finite(agent->position) && kerb_vec3_is_finite(agent->forward) &&
           kerb_is_finite(agent->speed);
}

/// True when a desired steering has a direction and finite numbers.
bool kerb_in_steer_is_wish(const kerb_steering* wish);

/// Distance that the agent drives forwards in a step. [m]
float kerb_in_steer_metres(const kerb_agent* agent, float time_step);

/// A point counts as reached within this distance. [m]
float kerb_in_steer_tolerance(const kerb_agent* agent, float time_step);

/// Unit vector across the front towards `offset`. The agent's left when `offset` has no side.
kerb_vec3 kerb_in_steer_side(kerb_vec3 forward, kerb_vec3 offset);

/// The direction of the shortest path to a point. The agent's own direction when it is there.
kerb_vec3 kerb_in_steer_towards(const kerb_agent* agent, kerb_vec3 target, float time_step);

/// Like kerb_seek_distance, with a tolerance: points less deep inside the turning circle count as
/// outside, as in kerb_in_steer_towards.
float kerb_in_steer_way_length(const kerb_agent* agent, kerb_vec3 place, float tolerance);

/// Depth of a point inside the turning circle on its side; negative: outside. [m]
float kerb_in_steer_circle_depth(const kerb_agent* agent, kerb_vec3 place);

/// The greatest speed after a step from which braking reduces it to `wanted` in time. `distance`
/// counts from where the step begins, at `speed`. The step is driven as in kerb_agent_step.
float kerb_in_steer_speed_in_time(float speed, float braking, float wanted, float distance,
                                  float time_step);

/// Result of kerb_in_steer_speed_in_time for an agent that drives forwards, at most its greatest
/// speed.
float kerb_in_steer_speed_before(const kerb_agent* agent, float wanted, float distance,
                                 float time_step);

/// The greatest speed relative to something that is approached, at a distance to it, with the
/// deceleration `rate`.
float kerb_in_steer_closing_speed(float rate, float distance, float time_step);

/// Velocity of an agent. [m/s]
static inline kerb_vec3 steer_velocity(const kerb_agent* agent) {
    return kerb_vec3_scale(agent->forward, agent->speed);
}

/// The point of an obstacle's line that is nearest to a position.
static inline kerb_vec3 steer_nearest_on(const kerb_obstacle* obstacle, kerb_vec3 place) {
    kerb_vec3 along = kerb_vec3_sub(obstacle->to, obstacle->from);
    float square = kerb_vec3_dot(along, along);
    if (!(square > 0.0f))
        return obstacle->from;
    float t = kerb_vec3_dot(kerb_vec3_sub(place, obstacle->from), along) / square;
    return kerb_vec3_along(obstacle->from, along, kerb_clamp(t, 0.0f, 1.0f));
}

/// `forward` turned by `angle` towards `side`, which is at a right angle to it. The length may be
/// wrong by a rounding.
static inline kerb_vec3 steer_turned(kerb_vec3 forward, kerb_vec3 side, float angle) {
    float sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    return kerb_vec3_along(kerb_vec3_scale(forward, cosine), side, sine);
}

/// Level direction number i of `count` evenly spaced ones, from x on.
kerb_vec3 kerb_in_steer_level_direction(int32_t i, int32_t count);

/// Direction number i of KERB_CONTEXT_SPACE.
kerb_vec3 kerb_in_steer_space_direction(int32_t i);

#endif
