// What the behaviours share: the shortest path to a point, and speeds that stop in time. Private to
// the room.
#ifndef KERB_IN_STEER_BEHAVIOUR_H
#define KERB_IN_STEER_BEHAVIOUR_H

#include "kerb/steer.h"

/// Greatest numbers that behaviours compute with, so that their squares and the products of squares
/// stay far inside the range of floats: places, speeds and sizes [m, m/s], what an agent can do [m,
/// m/s, m/s²], and times. [s]
#define STEER_NUMBER_MOST 4.0e9f
#define STEER_LIMIT_MOST 1.0e12f
#define STEER_TIME_MOST 1.0e6f
/// Squared length of the longest vector that passes as a direction. [1]
#define STEER_FORWARD_MOST 4.0f

/// A result that is not usual: none when a number is NaN or infinite or there is no direction, else
/// with a direction of unit length.
kerb_steering kerb_in_steer_mended(kerb_steering wish);

/// A result. Its direction has unit length, to about 1e-3.
static inline kerb_steering steer_wish(kerb_vec3 direction, float speed) {
    kerb_steering wish = {direction, speed};
    float off = kerb_vec3_dot(direction, direction) - 1.0f;
    return kerb_abs(off) <= 1e-3f && kerb_is_finite(speed) ? wish : kerb_in_steer_mended(wish);
}

/// False for NaN, infinity, and numbers that behaviours do not compute with.
static inline bool steer_is_number(float x) {
    return kerb_abs(x) <= STEER_NUMBER_MOST;
}

/// The same for a position, an offset or a velocity.
static inline bool steer_is_place(kerb_vec3 a) {
    return kerb_abs(a.x) + kerb_abs(a.y) + kerb_abs(a.z) <= STEER_NUMBER_MOST;
}

/// The same for a time. [s]
static inline bool steer_is_time(float time) {
    return time >= 0.0f && time <= STEER_TIME_MOST;
}

/// True when every number of the agent and the time step can be computed with.
bool kerb_in_steer_is_usable(const kerb_agent* agent, float time_step);

/// The same for position, direction and speed of an agent. Its capabilities are not checked.
static inline bool steer_is_there(const kerb_agent* agent) {
    return steer_is_place(agent->position) &&
           kerb_vec3_dot(agent->forward, agent->forward) <= STEER_FORWARD_MOST &&
           steer_is_number(agent->speed);
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
