// Waiting at a gate, gathering round a spot, following a leader: wishes of one among many that only
// need to know who comes first.
//
// At a gate the nearer goes first, and the straight way that it has to go is left free; so the
// nearest of all always finds its way free, and with it gone the next. The order is total, nobody
// waits for somebody who waits for it. O(count)
//
// C. Reynolds, "Steering behaviors for autonomous characters" (1999): queuing, leader following.
#include "behaviour.h"

#include "../base/assertion.h"

#define BEHIND 3.0f // the gate lies what all aim at [m]
#define GAP 0.5f    // left free beside the way of who goes first [m]

#define CREEPS 0.05f      // no slower does a leader drive [m/s]
#define ASIDE_SPEED 0.25f // at least so fast one leaves its way [of speed_max]

static kerb_steering nothing(void) {
    kerb_steering none = {{0.0f, 0.0f, 0.0f}, 0.0f};
    return none;
}

static bool is_agent(const kerb_agent* agent) {
    return kerb_vec3_is_finite(agent->position) && kerb_vec3_is_finite(agent->forward) &&
           kerb_is_finite(agent->speed);
}

static kerb_vec2 level_between(kerb_vec3 from, kerb_vec3 to) {
    return kerb_vec2_make(to.x - from.x, to.y - from.y);
}

static kerb_steering towards(const kerb_agent* agent, kerb_vec3 aim, float speed) {
    kerb_steering wish = {kerb_vec3_unit(kerb_vec3_sub(aim, agent->position), agent->forward),
                          kerb_min(speed, agent->speed_max)};
    return wish;
}

// The speed from which it can stop within `distance`, seeing it again a moment later.
static float speed_to_stop(const kerb_agent* agent, float distance) {
    return distance > 0.0f ? kerb_sqrt(1.6f * agent->braking * distance) : 0.0f;
}

// How far the agent may drive straight on towards `aim` until it comes nearer than `apart` to the
// segment from `from` to `to`; 1e6: it may pass. Moments on the way are tried, because the way to a
// distance is no line.
static float free_distance(const kerb_agent* agent, kerb_vec2 way, kerb_vec3 from, kerb_vec3 to,
                           float apart) {
    kerb_vec2 along = level_between(from, to);
    float length = kerb_max(kerb_vec2_dot(along, along), 1.0e-6f);
    float range = speed_to_stop(agent, 1.0f) + 2.0f * apart +
                  agent->speed * agent->speed / kerb_max(agent->braking, 1.0e-3f);
    for (int32_t step = 0; step <= 16; step++) {
        float distance = range * (float)step / 16.0f;
        kerb_vec2 here = level_between(from, agent->position);
        here = kerb_vec2_add(here, kerb_vec2_scale(way, distance));
        float share = kerb_clamp(kerb_vec2_dot(here, along) / length, 0.0f, 1.0f);
        kerb_vec2 off = kerb_vec2_sub(here, kerb_vec2_scale(along, share));
        if (kerb_vec2_dot(off, off) < apart * apart)
            return step == 0 ? 0.0f : range * (float)(step - 1) / 16.0f;
    }
    return 1.0e6f;
}

static int32_t member_of(const kerb_group* group, int32_t n) {
    return group->indices ? group->indices[n] : n;
}

static bool goes_first(float square, int32_t index, float own_square, int32_t own) {
    return square < own_square || (square == own_square && index < own);
}

// ------------------------------------------------------------------- a gate

static float along_of(const kerb_gate* gate, kerb_vec3 position) {
    kerb_vec2 to = level_between(gate->position, position);
    return to.x * gate->direction.x + to.y * gate->direction.y;
}

static float square_from(kerb_vec3 a, kerb_vec3 b) {
    kerb_vec2 to = level_between(a, b);
    return kerb_vec2_dot(to, to);
}

// Where all drive to: a little behind the gate, so that nobody who is in it would have to turn on
// the spot. Once there, on side by side: with one aim for two they would jam.
static kerb_vec3 aim_of(const kerb_gate* gate, kerb_vec3 position) {
    if (along_of(gate, position) > 0.0f)
        return kerb_vec3_along(position, gate->direction, 10.0f);
    return kerb_vec3_along(gate->position, gate->direction, BEHIND);
}

// As far as those who go first leave it.
static float distance_left(const kerb_agent* agent, const kerb_gate* gate, kerb_vec2 way,
                           const kerb_group* group) {
    kerb_vec3 aim = kerb_vec3_along(gate->position, gate->direction, BEHIND);
    float own = square_from(agent->position, aim), least = 1.0e6f;
    for (int32_t n = 0; n < group->count; n++) {
        int32_t i = member_of(group, n);
        kerb_agent first = kerb_agents_get(group->agents, i);
        if (i == group->self || !is_agent(&first) || along_of(gate, first.position) > first.radius)
            continue;
        float square = square_from(first.position, aim);
        if (!goes_first(square, i, own, group->self))
            continue;
        float apart = agent->radius + first.radius + GAP;
        float distance = free_distance(agent, way, first.position, aim, apart);
        least = kerb_min(distance, least);
    }
    return least;
}

kerb_steering kerb_queue(const kerb_agent* agent, const kerb_gate* gate, const kerb_group* group) {
    KERB_ASSERT(agent && gate && group && group->agents);
    if (!is_agent(agent) || !kerb_vec3_is_finite(gate->position) ||
        !kerb_vec3_is_finite(gate->direction) || !kerb_is_finite(gate->speed))
        return nothing();
    kerb_vec3 aim = aim_of(gate, agent->position);
    kerb_steering wish = towards(agent, aim, gate->speed);
    if (along_of(gate, agent->position) > 0.0f)
        return wish;
    kerb_vec2 way = kerb_vec2_make(wish.direction.x, wish.direction.y);
    float left = distance_left(agent, gate, way, group);
    wish.speed = kerb_min(wish.speed, speed_to_stop(agent, left));
    return wish;
}

// ------------------------------------------------------------------- a crowd

kerb_steering kerb_gather(const kerb_agent* agent, kerb_vec3 spot, float distance, float gap,
                          const kerb_group* group) {
    KERB_ASSERT(agent && group && group->agents);
    if (!is_agent(agent) || !kerb_vec3_is_finite(spot) || !kerb_is_finite(distance) ||
        !kerb_is_finite(gap))
        return nothing();
    kerb_steering wish = towards(agent, spot, agent->speed_max);
    kerb_vec2 way = kerb_vec2_make(wish.direction.x, wish.direction.y);
    float own = square_from(agent->position, spot);
    float left = kerb_sqrt(own) - distance;
    for (int32_t n = 0; n < group->count; n++) {
        int32_t i = member_of(group, n);
        kerb_agent first = kerb_agents_get(group->agents, i);
        if (i == group->self || !is_agent(&first) ||
            !goes_first(square_from(first.position, spot), i, own, group->self))
            continue;
        float apart = agent->radius + first.radius + gap;
        left = kerb_min(left, free_distance(agent, way, first.position, first.position, apart));
    }
    wish.speed = kerb_min(wish.speed, speed_to_stop(agent, left));
    return wish;
}

// ------------------------------------------------------------------- a leader

// In the way of a leader that drives: ahead of it, within the width of both, nearer than it drives
// in 3 s.
static bool is_in_the_way(kerb_vec2 seen, const kerb_agent* agent, const kerb_agent* leader) {
    float width = agent->radius + leader->radius + GAP;
    float far = kerb_max(3.0f * leader->speed, 2.0f * width);
    return leader->speed > CREEPS && seen.x > 0.0f && seen.x < far && kerb_abs(seen.y) < width;
}

kerb_steering kerb_follow_leader(const kerb_agent* agent, const kerb_agent* leader, float gap,
                                 float time_step) {
    KERB_ASSERT(agent && leader);
    if (!steer_is_usable(agent, time_step) || !steer_is_usable(leader, 0.0f) ||
        !kerb_is_finite(gap))
        return kerb_steering_none();
    kerb_vec2 to = level_between(leader->position, agent->position);
    kerb_vec2 forward = {leader->forward.x, leader->forward.y};
    kerb_vec2 seen = {kerb_vec2_dot(to, forward), kerb_vec2_cross(forward, to)};
    if (is_in_the_way(seen, agent, leader)) {
        kerb_vec3 aside = {-forward.y, forward.x, 0.0f};
        float side = seen.y >= 0.0f ? 1.0f : -1.0f;
        kerb_vec3 aim = kerb_vec3_along(agent->position, leader->forward, 1.0f);
        float speed = kerb_max(leader->speed, ASIDE_SPEED * agent->speed_max);
        return towards(agent, kerb_vec3_along(aim, aside, side), speed);
    }
    float behind = gap + agent->radius + leader->radius;
    kerb_vec2 slot = {-behind, 0.0f};
    kerb_formation_place place = kerb_formation_place_of(leader, 0.0f, slot);
    return kerb_formation_keep(agent, &place, time_step);
}
