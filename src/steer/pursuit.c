// Pursue, evade, offset pursuit and interpose: behaviours that predict the positions of others.
//
// Others are predicted at constant velocity. The time to meet one is the smallest root of |offset +
// velocity t| = speed t. The agent's first turn makes its path longer, by an amount that depends on
// the point and jumps where the point leaves the turning circle. There is no closed form, so the
// pursuer tries times one after another, between the time without a turn and the time after a whole
// circle. When it faces the meeting point, the time is that of the closed form. Cost: O(1), 25 to
// 35 lengths of paths while it turns, else one. Source: Reynolds 1999; the triangle of pursuit is
// older.
#include "behaviour.h"

#include "../base/shared.h"

// An agent that keeps a moving place aims this far ahead along its course. [s]
#define ALONG_TIME 1.0f
// An agent ahead of a moving place waits for it with at least this share of its speed. [1]
#define WAITING_SHARE 0.3f

// Greatest number of times that a pursuer tries, and of bisections between two of them.
enum { PURSUIT_STRIDES = 48, HALVINGS = 8 };

// The smallest t >= late with |offset + velocity t| = speed (t - late); -1: none. Squared: (v² -
// s²) t² + 2 (o·v + s² late) t + o² - s² late² = 0. The parabola is not below 0 at `late`. So when
// it opens downwards, its greater root is the answer, and else both roots lie on one side.
static float meeting_time(kerb_vec3 offset, kerb_vec3 velocity, float speed, float late) {
    float square = speed * speed;
    float a = kerb_vec3_dot(velocity, velocity) - square;
    float b = kerb_vec3_dot(offset, velocity) + square * late;
    float c = kerb_vec3_dot(offset, offset) - square * late * late;
    float root = kerb_sqrt(b * b - a * c);
    if (c == 0.0f && late == 0.0f)
        return 0.0f;
    if (a < 0.0f && b > 0.0f)
        return (b + root) / -a;
    // The agent is not faster than the target: it can meet only a target that comes nearer.
    if (a >= 0.0f && !(b < 0.0f && b * b >= a * c))
        return -1.0f;
    float time = c / (root - b);
    return time >= late ? time : -1.0f;
}

float kerb_intercept_time(kerb_vec3 offset, kerb_vec3 velocity, float speed) {
    if (!steer_is_place(offset) || !steer_is_place(velocity) || !(speed >= 0.0f) ||
        !(speed <= STEER_LIMIT_MOST))
        return -1.0f;
    float time = meeting_time(offset, velocity, speed, 0.0f);
    return kerb_is_finite(time) ? time : -1.0f;
}

// A moving place that the agent wants to meet.
typedef struct pursued {
    const kerb_agent* agent;
    kerb_vec3 place, velocity;
    float speed, tolerance;
} pursued;

static kerb_vec3 pursuit_place_at(const pursued* p, float time) {
    return kerb_vec3_along(p->place, p->velocity, time);
}

// The length of the path to the place at `time`, minus the distance driven until then.
static float lack_at(const pursued* p, float time) {
    return kerb_in_steer_way_length(p->agent, pursuit_place_at(p, time), p->tolerance) -
           p->speed * time;
}

static float halved(const pursued* p, float before, float after) {
    for (int32_t n = 0; n < HALVINGS; n++) {
        float middle = 0.5f * (before + after);
        if (lack_at(p, middle) > 0.0f)
            before = middle;
        else
            after = middle;
    }
    return after;
}

// The first time from `from` to `to` at which the path is short enough; `to` if there is none. The
// strides are the time that the place needs to close the difference, or to leave the turning
// circle, where paths suddenly become short. They are at least a share of the whole interval.
static float first_time(const pursued* p, float from, float to) {
    float speed = kerb_max(kerb_vec3_length(p->velocity), 1e-3f), before = from;
    float lack = lack_at(p, from);
    // The strides fill the interval; rounding must not make them go on for ever.
    for (int32_t i = 0; i <= PURSUIT_STRIDES && before < to; i++) {
        float depth = kerb_in_steer_circle_depth(p->agent, pursuit_place_at(p, before));
        float stride = depth > 0.0f ? depth / speed : lack / (p->speed + speed);
        float time = before + kerb_max(stride, (to - from) / (float)PURSUIT_STRIDES);
        lack = lack_at(p, time);
        if (lack <= 0.0f)
            return kerb_min(halved(p, before, time), to);
        before = time;
    }
    return to;
}

// Time of the meeting, at most `horizon`. It is not before that without turns, and not after that
// of an agent that first drove one and a half circles.
static float time_to_meet(const pursued* p, float horizon) {
    kerb_vec3 offset = kerb_vec3_sub(p->place, p->agent->position);
    float first = meeting_time(offset, p->velocity, p->speed, 0.0f);
    if (!(first >= 0.0f && first < horizon))
        return horizon;
    if (lack_at(p, first) <= 1e-3f * p->speed * first)
        return first;
    float late = 3.0f * KERB_PI * p->agent->turning_radius / p->speed;
    float last = meeting_time(offset, p->velocity, p->speed, late);
    return first_time(p, first, last >= first ? kerb_min(last, horizon) : horizon);
}

static bool are_usable(const kerb_agent* agent, const kerb_agent* other, float horizon,
                       float time_step) {
    return kerb_in_steer_is_usable(agent, time_step) && kerb_in_steer_is_usable(other, time_step) &&
           horizon >= 0.0f && kerb_is_finite(horizon); // of which at most STEER_TIME_MOST counts
}

kerb_steering kerb_pursue(const kerb_agent* agent, const kerb_agent* target, float horizon,
                          float time_step) {
    KERB_ASSERT(agent && target);
    if (!are_usable(agent, target, horizon, time_step))
        return kerb_steering_none();
    pursued p = {agent, target->position, steer_velocity(target), kerb_max(agent->speed_max, 1e-3f),
                 kerb_in_steer_tolerance(agent, time_step)};
    if (kerb_vec3_length(kerb_vec3_sub(p.place, agent->position)) <= p.tolerance)
        return kerb_steering_none();
    float time = time_to_meet(&p, kerb_min(horizon, STEER_TIME_MOST));
    kerb_steering wish = kerb_seek(agent, pursuit_place_at(&p, time), time_step);
    // An agent that would arrive too early is ahead of a target that comes from behind: it waits
    // for the target.
    float early = (lack_at(&p, time) + p.speed * time) / kerb_max(time, 1e-3f);
    return steer_wish(wish.direction, kerb_min(wish.speed, early));
}

// Time until two agents at constant velocity are nearest to each other; 0 when that is past.
static float nearest_time(const kerb_agent* agent, const kerb_agent* other) {
    kerb_vec3 offset = kerb_vec3_sub(other->position, agent->position);
    kerb_vec3 closing = kerb_vec3_sub(steer_velocity(agent), steer_velocity(other));
    float square = kerb_vec3_dot(closing, closing);
    return square > 1e-12f ? kerb_max(kerb_vec3_dot(offset, closing) / square, 0.0f) : 0.0f;
}

kerb_steering kerb_evade(const kerb_agent* agent, const kerb_agent* threat, float distance,
                         float horizon) {
    KERB_ASSERT(agent && threat);
    if (!are_usable(agent, threat, horizon, 0.0f))
        return kerb_steering_none();
    if (!(kerb_vec3_length(kerb_vec3_sub(threat->position, agent->position)) <= distance))
        return kerb_steering_none();
    float time = kerb_min(0.5f * nearest_time(agent, threat), kerb_min(horizon, STEER_TIME_MOST));
    kerb_vec3 there = kerb_vec3_along(threat->position, steer_velocity(threat), time);
    return kerb_flee(agent, there, (float)INFINITY);
}

// --------------------------------------------------------------------------- moving places

// The speed of an agent that keeps a place which moves at `speed` in the direction `way`.
static float companion_speed(const kerb_agent* agent, kerb_vec3 offset, kerb_vec3 way, float speed,
                             float time_step) {
    float behind = kerb_vec3_dot(offset, way);
    // The agent drives in another direction: it turns first. Near the place it is not faster than
    // the place, else it would circle round it for ever.
    float beyond = kerb_vec3_length(offset) - 4.0f * agent->turning_radius;
    if (kerb_vec3_dot(agent->forward, way) < 0.7f)
        return kerb_min(speed + kerb_in_steer_closing_speed(agent->braking, beyond, time_step),
                        agent->speed_max);
    if (behind >= 0.0f)
        return kerb_min(speed + kerb_in_steer_closing_speed(agent->braking, behind, time_step),
                        agent->speed_max);
    float waiting = speed - kerb_in_steer_closing_speed(agent->acceleration, -behind, time_step);
    return kerb_clamp(waiting, WAITING_SHARE * speed, agent->speed_max);
}

static kerb_steering keep_place(const kerb_agent* agent, kerb_vec3 place, kerb_vec3 velocity,
                                float horizon, float time_step) {
    float speed = kerb_vec3_length(velocity);
    if (!(speed > 1e-3f))
        return kerb_arrive(agent, place, time_step);
    kerb_vec3 way = kerb_vec3_scale(velocity, 1.0f / speed);
    kerb_vec3 offset = kerb_vec3_sub(place, agent->position);
    // Along the straight line: near its place a turn would take most of the time and is not made.
    float time = kerb_intercept_time(offset, velocity, agent->speed_max);
    horizon = kerb_min(horizon, STEER_TIME_MOST);
    time = time >= 0.0f ? kerb_min(time, horizon) : horizon;
    // The aim lies beyond the place, in its direction of motion, so that the agent comes to drive
    // in parallel. It lies farther ahead for larger turning circles, but not when the place hardly
    // moves.
    float circle = 2.0f * agent->turning_radius / kerb_max(agent->speed_max, 1e-3f);
    kerb_vec3 aim = kerb_vec3_along(place, velocity, time + ALONG_TIME + circle);
    return steer_wish(kerb_in_steer_towards(agent, aim, time_step),
                      companion_speed(agent, offset, way, speed, time_step));
}

kerb_steering kerb_offset_pursue(const kerb_agent* agent, const kerb_agent* leader,
                                 kerb_vec3 offset, float horizon, float time_step) {
    KERB_ASSERT(agent && leader);
    if (!are_usable(agent, leader, horizon, time_step) || !steer_is_place(offset))
        return kerb_steering_none();
    kerb_vec3 forward = leader->forward;
    kerb_vec3 left = kerb_vec3_make(-forward.y, forward.x, 0.0f);
    left = kerb_vec3_unit(left, kerb_vec3_make(0.0f, 1.0f, 0.0f));
    kerb_vec3 place = kerb_vec3_along(leader->position, forward, offset.x);
    place = kerb_vec3_along(place, left, offset.y);
    place = kerb_vec3_along(place, kerb_vec3_cross(forward, left), offset.z);
    return keep_place(agent, place, steer_velocity(leader), horizon, time_step);
}

kerb_steering kerb_interpose(const kerb_agent* agent, const kerb_agent* first,
                             const kerb_agent* second, float horizon, float time_step) {
    KERB_ASSERT(agent && first && second);
    if (!are_usable(agent, first, horizon, time_step) ||
        !are_usable(agent, second, horizon, time_step))
        return kerb_steering_none();
    kerb_vec3 sum = kerb_vec3_add(steer_velocity(first), steer_velocity(second));
    kerb_vec3 middle = kerb_vec3_add(kerb_vec3_scale(first->position, 0.5f),
                                     kerb_vec3_scale(second->position, 0.5f));
    return keep_place(agent, middle, kerb_vec3_scale(sum, 0.5f), horizon, time_step);
}
