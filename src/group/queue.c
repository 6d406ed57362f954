// Waiting at a gate, gathering round a spot, following a leader: behaviours of one agent among many
// that only need an order of who goes first.
//
// At a gate all agents drive by directed seek, so that they pass its centre along its line, from
// whatever side they come. The nearest one goes first. The others leave its path free, that is, its
// straight line and its last turn. So the nearest of all always finds its path free, and after it
// the next. The order is total, so no two agents wait for each other. O(count).
//
// Source: C. Reynolds, "Steering behaviors for autonomous characters" (1999): queuing, leader
// following.
#include "kerb/group.h"
#include "kerb/seek.h"

#include "../steer/shared.h"

#include "../base/shared.h"

#define QUEUE_BEHIND 3.0f // length behind the gate that others leave free [m]
#define QUEUE_MOMENTS 16  // distances tried on a path
// This many turning radii behind the gate, an agent does not come round to it again.
#define PAST 4.0f
#define GAP 0.5f // clearance beside the path of an agent that goes first [m]

#define CREEPS 0.05f // below this speed a leader counts as standing [m/s]
// Smallest speed at which an agent leaves the leader's path. [of speed_max]
#define ASIDE_SPEED 0.25f

static kerb_vec2 queue_level(kerb_vec3 a) {
    return kerb_vec2_make(a.x, a.y);
}

static kerb_steering queue_towards(const kerb_agent* agent, kerb_vec3 aim, float speed) {
    return steer_wish(kerb_vec3_unit(kerb_vec3_sub(aim, agent->position), agent->forward),
                      kerb_min(speed, agent->speed_max));
}

// The speed from which it can stop within `distance`, with a reserve of 20 % of the braking.
static float speed_to_stop(const kerb_agent* agent, float distance) {
    return distance > 0.0f ? kerb_sqrt(1.6f * agent->braking * distance) : 0.0f;
}

static int32_t queue_member_of(const kerb_group* group, int32_t n) {
    return group->indices ? group->indices[n] : n;
}

// `far`: remaining distance, or its square.
static bool queue_goes_first(float far, int32_t index, float own_far, int32_t own) {
    return far < own_far || (far == own_far && index < own);
}

// How far it looks for agents in its way. [m]
static float range_of(const kerb_agent* agent, float apart) {
    return speed_to_stop(agent, 1.0f) + 2.0f * apart +
           agent->speed * agent->speed / kerb_max(agent->braking, 1.0e-3f);
}

static float queue_square_to_segment(kerb_vec2 place, kerb_vec2 from, kerb_vec2 to) {
    kerb_vec2 along = kerb_vec2_sub(to, from), here = kerb_vec2_sub(place, from);
    float length = kerb_max(kerb_vec2_dot(along, along), 1.0e-6f);
    float share = kerb_clamp(kerb_vec2_dot(here, along) / length, 0.0f, 1.0f);
    kerb_vec2 off = kerb_vec2_sub(here, kerb_vec2_scale(along, share));
    return kerb_vec2_dot(off, off);
}

// ------------------------------------------------------------------- a gate

// A path through a gate: straight to the start of the last turn, the turn as two chords, and on
// behind the gate.
enum { WAY_POINTS = 5 };
typedef struct gate_way {
    kerb_vec2 points[WAY_POINTS];
    float length; // to the gate [m]
} gate_way;

// A gate with a unit vector as direction.
typedef struct queue_axis {
    kerb_vec2 middle, forward;
} queue_axis;

static queue_axis axis_of(const kerb_gate* gate) {
    kerb_vec3 forward = kerb_vec3_make(gate->direction.x, gate->direction.y, 0.0f);
    forward = kerb_vec3_unit(forward, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    queue_axis a = {{gate->position.x, gate->position.y}, {forward.x, forward.y}};
    return a;
}

// True behind the gate, but not just behind and beside it: an agent that missed the gate must come
// round again.
static bool is_through(const queue_axis* a, const kerb_agent* agent) {
    kerb_vec2 to = kerb_vec2_sub(queue_level(agent->position), a->middle);
    float along = kerb_vec2_dot(to, a->forward), aside = kerb_vec2_cross(a->forward, to);
    return along > 0.0f &&
           (kerb_abs(aside) <= agent->radius || along > PAST * agent->turning_radius);
}

// The last turn, on the circle that touches the gate's line in its centre. It begins where the
// tangent from `place` meets the circle. A place inside the circle counts as on it. Returns the
// length of the turn.
static float last_turn(const queue_axis* a, kerb_vec2 place, float radius, kerb_vec2* from,
                       kerb_vec2* half) {
    kerb_vec2 to = kerb_vec2_sub(place, a->middle), left = kerb_vec2_left(a->forward);
    float side = kerb_vec2_dot(to, left) >= 0.0f ? 1.0f : -1.0f;
    kerb_vec2 out = kerb_vec2_scale(left, side); // from the gate to the centre of the circle
    kerb_vec2 centre = kerb_vec2_add(a->middle, kerb_vec2_scale(out, radius));
    to = kerb_vec2_sub(place, centre);
    float square = kerb_max(kerb_vec2_dot(to, to), radius * radius), share = radius / square;
    float across = side * kerb_sqrt(square - radius * radius);
    kerb_vec2 spoke = {share * (radius * to.x - across * to.y),
                       share * (radius * to.y + across * to.x)};
    *from = kerb_vec2_add(centre, spoke);
    float cosine = -kerb_vec2_dot(spoke, out) / radius;
    float sine = -side * kerb_vec2_cross(spoke, out) / radius;
    float angle = kerb_atan2(sine, cosine);
    angle += angle < 0.0f ? 2.0f * KERB_PI : 0.0f;
    float turned_sine, turned_cosine;
    kerb_sin_cos(0.5f * side * angle, &turned_sine, &turned_cosine);
    kerb_vec2 turned = {turned_cosine * spoke.x - turned_sine * spoke.y,
                        turned_sine * spoke.x + turned_cosine * spoke.y};
    *half = kerb_vec2_add(centre, turned);
    return radius * angle;
}

static gate_way queue_way_of(const queue_axis* a, const kerb_agent* agent) {
    gate_way way;
    way.points[0] = queue_level(agent->position);
    way.length = last_turn(a, way.points[0], kerb_max(agent->turning_radius, 1.0e-3f),
                           &way.points[1], &way.points[2]);
    way.length += kerb_vec2_length(kerb_vec2_sub(way.points[1], way.points[0]));
    way.points[3] = a->middle;
    way.points[4] = kerb_vec2_add(a->middle, kerb_vec2_scale(a->forward, QUEUE_BEHIND));
    return way;
}

static float square_to_way(kerb_vec2 place, const gate_way* way) {
    float least = queue_square_to_segment(place, way->points[0], way->points[1]);
    for (int32_t n = 1; n + 1 < WAY_POINTS; n++)
        least = kerb_min(least, queue_square_to_segment(place, way->points[n], way->points[n + 1]));
    return least;
}

// The point `distance` metres along a path; past its end straight on.
static kerb_vec2 queue_place_on(const gate_way* way, float distance) {
    for (int32_t n = 0; n + 1 < WAY_POINTS; n++) {
        kerb_vec2 along = kerb_vec2_sub(way->points[n + 1], way->points[n]);
        float length = kerb_vec2_length(along);
        if (length > 0.0f && (distance <= length || n + 2 == WAY_POINTS))
            return kerb_vec2_add(way->points[n], kerb_vec2_scale(along, distance / length));
        distance -= length;
    }
    return way->points[WAY_POINTS - 1];
}

// How far the agent may drive on its path until it comes nearer than `apart` to the path of
// another; 1e6: it may pass. Distances are tried, because the distance between two paths is no
// simple function.
static float free_on_way(const kerb_agent* agent, const gate_way* own, const gate_way* other,
                         float apart) {
    float range = range_of(agent, apart), far = range + apart;
    if (square_to_way(own->points[0], other) > far * far)
        return 1.0e6f;
    for (int32_t step = 0; step <= QUEUE_MOMENTS; step++) {
        float distance = range * (float)step / (float)QUEUE_MOMENTS;
        if (square_to_way(queue_place_on(own, distance), other) < apart * apart)
            return step == 0 ? 0.0f : range * (float)(step - 1) / (float)QUEUE_MOMENTS;
    }
    return 1.0e6f;
}

// The distance that agents with priority leave free.
static float distance_left(const kerb_agent* agent, const queue_axis* a, const kerb_group* group) {
    gate_way own = queue_way_of(a, agent);
    float least = 1.0e6f;
    for (int32_t n = 0; n < group->count; n++) {
        int32_t i = queue_member_of(group, n);
        kerb_agent first = kerb_agents_get(group->agents, i);
        if (i == group->self || !kerb_in_steer_is_usable(&first, 0.0f) || is_through(a, &first))
            continue;
        gate_way way = queue_way_of(a, &first);
        if (!queue_goes_first(way.length, i, own.length, group->self))
            continue;
        float apart = agent->radius + first.radius + GAP;
        least = kerb_min(least, free_on_way(agent, &own, &way, apart));
    }
    return least;
}

kerb_steering kerb_queue(const kerb_agent* agent, const kerb_gate* gate, const kerb_group* group,
                         float time_step) {
    KERB_ASSERT(agent && gate && group && group->agents);
    queue_axis a = axis_of(gate);
    if (!kerb_in_steer_is_usable(agent, time_step) || !steer_is_place(gate->position) ||
        !steer_is_number(gate->speed) || kerb_vec2_dot(a.forward, a.forward) == 0.0f)
        return kerb_steering_none();
    kerb_vec3 forward = kerb_vec3_make(a.forward.x, a.forward.y, 0.0f);
    kerb_agent driver = *agent;
    driver.speed_max = kerb_min(agent->speed_max, gate->speed);
    if (is_through(&a, agent))
        return steer_wish(forward, driver.speed_max);
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    settings.method = KERB_DIRECTED_DUBINS;
    kerb_directed_goal goal = {gate->position, forward, driver.speed_max, agent->turning_radius};
    kerb_steering wish = kerb_directed_seek(&settings, &driver, &goal, time_step, NULL);
    wish.speed = kerb_min(wish.speed, speed_to_stop(agent, distance_left(agent, &a, group)));
    return wish;
}

// ------------------------------------------------------------------- a crowd

static float queue_square_from(kerb_vec3 a, kerb_vec3 b) {
    kerb_vec3 to = kerb_vec3_sub(b, a);
    return kerb_vec3_dot(to, to);
}

// How far the agent may drive straight ahead until it comes nearer than `apart` to a position; 1e6:
// it may pass.
static float free_distance(const kerb_agent* agent, kerb_vec3 way, kerb_vec3 place, float apart) {
    float range = range_of(agent, apart);
    for (int32_t step = 0; step <= QUEUE_MOMENTS; step++) {
        float distance = range * (float)step / (float)QUEUE_MOMENTS;
        kerb_vec3 here = kerb_vec3_along(agent->position, way, distance);
        if (queue_square_from(here, place) < apart * apart)
            return step == 0 ? 0.0f : range * (float)(step - 1) / (float)QUEUE_MOMENTS;
    }
    return 1.0e6f;
}

kerb_steering kerb_gather(const kerb_agent* agent, kerb_vec3 spot, float distance, float gap,
                          const kerb_group* group) {
    KERB_ASSERT(agent && group && group->agents);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !steer_is_place(spot) ||
        !steer_is_number(distance) || !steer_is_number(gap))
        return kerb_steering_none();
    kerb_steering wish = queue_towards(agent, spot, agent->speed_max);
    float own = queue_square_from(agent->position, spot);
    float left = kerb_sqrt(own) - distance;
    for (int32_t n = 0; n < group->count; n++) {
        int32_t i = queue_member_of(group, n);
        kerb_agent first = kerb_agents_get(group->agents, i);
        if (i == group->self || !kerb_in_steer_is_usable(&first, 0.0f) ||
            !queue_goes_first(queue_square_from(first.position, spot), i, own, group->self))
            continue;
        float apart = agent->radius + first.radius + gap;
        left = kerb_min(left, free_distance(agent, wish.direction, first.position, apart));
    }
    wish.speed = kerb_min(wish.speed, speed_to_stop(agent, left));
    return wish;
}

// ------------------------------------------------------------------- a leader

// In the way of a leader that drives: ahead of it, within the width of both, and nearer than the
// leader drives in 3 s.
static bool queue_is_in_the_way(float along, kerb_vec3 aside, const kerb_agent* agent,
                                const kerb_agent* leader) {
    float width = agent->radius + leader->radius + GAP;
    float far = kerb_max(3.0f * leader->speed, 2.0f * width);
    return leader->speed > CREEPS && along > 0.0f && along < far &&
           kerb_vec3_dot(aside, aside) < width * width;
}

kerb_steering kerb_follow_leader(const kerb_agent* agent, const kerb_agent* leader, float gap,
                                 float time_step) {
    KERB_ASSERT(agent && leader);
    if (!kerb_in_steer_is_usable(agent, time_step) || !kerb_in_steer_is_usable(leader, 0.0f) ||
        !steer_is_number(gap))
        return kerb_steering_none();
    kerb_vec3 to = kerb_vec3_sub(agent->position, leader->position), forward = leader->forward;
    float along = kerb_vec3_dot(to, forward);
    kerb_vec3 aside = kerb_vec3_along(to, forward, -along);
    if (queue_is_in_the_way(along, aside, agent, leader)) {
        kerb_vec3 left = kerb_vec3_unit(kerb_vec3_make(-forward.y, forward.x, 0.0f), forward);
        kerb_vec3 aim = kerb_vec3_add(agent->position, forward);
        float speed = kerb_max(leader->speed, ASIDE_SPEED * agent->speed_max);
        bool has_side = kerb_vec3_dot(aside, aside) > 1.0e-6f;
        aim = kerb_vec3_add(aim, has_side ? kerb_vec3_unit(aside, left) : left);
        return queue_towards(agent, aim, speed);
    }
    float behind = gap + agent->radius + leader->radius;
    kerb_vec3 slot = {-behind, 0.0f, 0.0f};
    kerb_formation_place place = kerb_formation_place_of(leader, 0.0f, slot);
    return kerb_formation_keep(agent, &place, time_step);
}
