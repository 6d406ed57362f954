// Seek, flee and arrive: to a place or away from it, for agents that cannot turn on the spot.
//
// A place outside both turning circles is reached by turning towards it and driving straight. A
// place inside one of them is not: whoever turns towards it circles round it for ever. The shortest
// way there turns away, on the other circle, until the place lies on the first circle, and then
// turns back along that. Both are decided anew in each step from where the place is:
//
//     inside a circle     turn away from it
//     else                turn towards it
//
// Proof that it arrives. While it turns away, the circle that holds the place rolls round the one
// that it drives on, whose distance to the place is d: its middle takes all distances from |2r - d|
// to 2r + d >= 3r to the place, so the place comes out of it within one turn; and the circle driven
// on does not move, so the place does not come into that. From then on it turns towards the place,
// whose circle does not move either: the place stays outside, and is passed after at most one more
// turn and the straight. In steps it leaves the arc late, with the place a little outside: that is
// the first case again.
//
// Within a step an agent turns evenly, so that it heads for the place after the step when it turns
// to where the place is seen from half a step ahead. In the last step it takes the arc through it.
// O(1). Source: Reynolds 1999; X. Bui, P. Souères, J. Boissonnat and J. Laumond, "Shortest path
// synthesis for Dubins non-holonomic robot", 1994 (section on free final headings).
#include "behaviour.h"

#include "../base/shared.h"

// So near is there, in metres and as a share of the metres in a step.
#define THERE 0.01f
#define THERE_SHARE 0.06f

bool kerb_in_steer_is_usable(const kerb_agent* agent, float time_step) {
    float sum = agent->position.x + agent->position.y + agent->position.z + agent->forward.x +
                agent->forward.y + agent->forward.z + agent->speed + agent->radius +
                agent->turning_radius + agent->speed_max + agent->acceleration + agent->braking;
    return kerb_is_finite(sum) && kerb_is_finite(time_step) && time_step >= 0.0f;
}

bool kerb_in_steer_is_wish(const kerb_steering* wish) {
    return kerb_vec3_is_finite(wish->direction) && kerb_is_finite(wish->speed) &&
           kerb_vec3_dot(wish->direction, wish->direction) > 0.0f;
}

float kerb_in_steer_metres(const kerb_agent* agent, float time_step) {
    return kerb_max(agent->speed, 0.0f) * time_step;
}

float kerb_in_steer_tolerance(const kerb_agent* agent, float time_step) {
    return THERE + THERE_SHARE * kerb_in_steer_metres(agent, time_step);
}

kerb_vec3 kerb_in_steer_side(kerb_vec3 forward, kerb_vec3 offset) {
    kerb_vec3 left = kerb_vec3_make(-forward.y, forward.x, 0.0f);
    left = kerb_vec3_unit(left, kerb_vec3_make(0.0f, 1.0f, 0.0f));
    kerb_vec3 across = kerb_vec3_along(offset, forward, -kerb_vec3_dot(offset, forward));
    // What is left of a vector in line with the front is made of roundings.
    float least = 1e-12f * kerb_vec3_dot(offset, offset);
    if (!(kerb_vec3_dot(across, across) > least))
        return left;
    // And of one nearly in line, what is along the front: once more makes it square.
    across = kerb_vec3_unit(across, left);
    across = kerb_vec3_along(across, forward, -kerb_vec3_dot(across, forward));
    return kerb_vec3_unit(across, left);
}

// A place as the agent sees it.
typedef struct point_sight {
    kerb_vec3 side; // across the front towards it, unit length
    float distance; // [m]
    float x;        // ahead [m]
    float y;        // aside [m] [>= 0]
} point_sight;

static point_sight sight_of(const kerb_agent* agent, kerb_vec3 target) {
    kerb_vec3 offset = kerb_vec3_sub(target, agent->position);
    point_sight s;
    s.side = kerb_in_steer_side(agent->forward, offset);
    s.distance = kerb_vec3_length(offset);
    s.x = kerb_vec3_dot(offset, agent->forward);
    s.y = kerb_max(kerb_vec3_dot(offset, s.side), 0.0f);
    return s;
}

// The power of the place to the circle: its squared distance from the middle less the squared
// radius, without their difference, of which near the front roundings would be all.
static float power_of(const point_sight* s, float radius) {
    return s->distance * s->distance - 2.0f * radius * s->y;
}

// Inside by more than `tolerance`. Turning away brings a place behind the agent out of its circle
// and one before it farther in: the former is turned away from until it is well within tolerance,
// so that no rounding on the way round undoes the decision. [m]
static bool point_is_inside(const point_sight* s, float radius, float tolerance) {
    float depth = s->x < 0.0f ? 0.5f * tolerance : tolerance;
    return radius > depth && power_of(s, radius) < depth * (depth - 2.0f * radius);
}

float kerb_in_steer_circle_depth(const kerb_agent* agent, kerb_vec3 place) {
    point_sight s = sight_of(agent, place);
    kerb_vec2 from_middle = {s.x, s.y - agent->turning_radius};
    return agent->turning_radius - kerb_vec2_length(from_middle);
}

// The arc through the place, continued to the end of the step.
static kerb_vec3 point_along_arc(const kerb_agent* agent, const point_sight* s, float metres) {
    float turn = 2.0f * kerb_atan2(s->y, s->x) * metres / s->distance;
    float sine, cosine;
    kerb_sin_cos(kerb_min(turn, 0.5f * KERB_PI), &sine, &cosine);
    kerb_vec3 direction = kerb_vec3_along(kerb_vec3_scale(agent->forward, cosine), s->side, sine);
    return kerb_vec3_unit(direction, agent->forward);
}

static kerb_vec3 point_towards(const kerb_agent* agent, const point_sight* s, kerb_vec3 target,
                               float metres, float tolerance) {
    if (point_is_inside(s, agent->turning_radius, tolerance))
        return kerb_vec3_scale(s->side, -1.0f);
    if (s->distance <= metres && s->x > 0.0f)
        return point_along_arc(agent, s, metres);
    kerb_vec3 ahead = kerb_vec3_along(agent->position, agent->forward, 0.5f * metres);
    return kerb_vec3_unit(kerb_vec3_sub(target, ahead), agent->forward);
}

kerb_vec3 kerb_in_steer_towards(const kerb_agent* agent, kerb_vec3 target, float time_step) {
    float tolerance = kerb_in_steer_tolerance(agent, time_step);
    point_sight s = sight_of(agent, target);
    if (s.distance <= tolerance)
        return agent->forward;
    return point_towards(agent, &s, target, kerb_in_steer_metres(agent, time_step), tolerance);
}

// --------------------------------------------------------------------------- lengths of ways

// Turn and straight, to a place outside the circle.
static float outside_length(const point_sight* s, float radius) {
    float straight = kerb_sqrt(power_of(s, radius));
    float turn = kerb_atan2(s->y - radius, s->x) + kerb_atan2(radius, straight);
    if (turn < 0.0f) // what lies straight ahead must not cost a turn for a rounding
        turn = s->x > 0.0f ? 0.0f : turn + 2.0f * KERB_PI;
    return radius * turn + straight;
}

// Away and back, to a place inside: by the triangle of the middle of the circle driven first, the
// middle of the other when it has rolled onto the place, and the place.
static float inside_length(const point_sight* s, float radius) {
    float far = kerb_vec2_length(kerb_vec2_make(s->x, s->y + radius)), square = far * far;
    float at_first = kerb_acos((square + 3.0f * radius * radius) / (4.0f * radius * far));
    float at_other = kerb_acos((5.0f * radius * radius - square) / (4.0f * radius * radius));
    float away = 0.5f * KERB_PI - kerb_atan2(s->y + radius, s->x) + at_first;
    return radius * (kerb_max(away, 0.0f) + 2.0f * KERB_PI - at_other);
}

static float length_to(const point_sight* s, float radius, float tolerance) {
    return point_is_inside(s, radius, tolerance) ? inside_length(s, radius)
                                                 : outside_length(s, radius);
}

float kerb_in_steer_way_length(const kerb_agent* agent, kerb_vec3 place, float tolerance) {
    point_sight s = sight_of(agent, place);
    return length_to(&s, agent->turning_radius, tolerance);
}

float kerb_seek_distance(const kerb_agent* agent, kerb_vec3 target) {
    KERB_ASSERT(agent);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_vec3_is_finite(target))
        return (float)NAN;
    // A place on the circle is reached along it, though a rounding may put it inside.
    return kerb_in_steer_way_length(agent, target, 1e-5f * agent->turning_radius);
}

// --------------------------------------------------------------------------- speeds

float kerb_in_steer_closing_speed(float rate, float distance, float time_step) {
    float loss = rate * time_step, room = 2.0f * rate * kerb_max(distance, 0.0f);
    float sum = loss + kerb_sqrt(loss * loss + room);
    return sum > 0.0f ? room / sum : 0.0f;
}

// Without the step: v² = w² + 2bs.
float kerb_in_steer_speed_in_time(float speed, float braking, float wanted, float distance,
                                  float time_step) {
    float loss = braking * time_step;
    float room = wanted * wanted + 2.0f * braking * kerb_max(distance, 0.0f);
    float sum = loss + kerb_sqrt(loss * loss + room);
    float gaining = sum > 0.0f ? room / sum : wanted;
    if (gaining >= speed)
        return gaining;
    // Losing speed takes part of the step: v² + v(b dt - v0) = b s + (w² - v0²)/2.
    float half = loss - speed, rest = 2.0f * (room - speed * speed);
    float root = kerb_sqrt(half * half + rest);
    float losing = half > 0.0f ? 0.5f * rest / (root + half) : 0.5f * (root - half);
    return kerb_max(losing, 0.0f);
}

float kerb_in_steer_speed_before(const kerb_agent* agent, float wanted, float distance,
                                 float time_step) {
    float speed = kerb_in_steer_speed_in_time(kerb_max(agent->speed, 0.0f), agent->braking, wanted,
                                              distance, time_step);
    return kerb_min(speed, agent->speed_max);
}

// --------------------------------------------------------------------------- the behaviours

kerb_steering kerb_seek(const kerb_agent* agent, kerb_vec3 target, float time_step) {
    KERB_ASSERT(agent);
    if (!kerb_in_steer_is_usable(agent, time_step) || !kerb_vec3_is_finite(target))
        return kerb_steering_none();
    float tolerance = kerb_in_steer_tolerance(agent, time_step);
    point_sight s = sight_of(agent, target);
    if (s.distance <= tolerance)
        return kerb_steering_none();
    return steer_wish(
        point_towards(agent, &s, target, kerb_in_steer_metres(agent, time_step), tolerance),
        agent->speed_max);
}

kerb_steering kerb_flee(const kerb_agent* agent, kerb_vec3 threat, float distance) {
    KERB_ASSERT(agent);
    kerb_vec3 away = kerb_vec3_sub(agent->position, threat);
    float apart = kerb_vec3_length(away);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !(apart <= distance) || !(apart > THERE))
        return kerb_steering_none();
    return steer_wish(kerb_vec3_unit(away, agent->forward), agent->speed_max);
}

kerb_steering kerb_arrive(const kerb_agent* agent, kerb_vec3 target, float time_step) {
    KERB_ASSERT(agent);
    if (!kerb_in_steer_is_usable(agent, time_step) || !kerb_vec3_is_finite(target))
        return kerb_steering_none();
    // One tolerance all the way, though the steps grow shorter: else what was near enough at speed
    // is missed when slow.
    float tolerance = THERE + THERE_SHARE * agent->speed_max * time_step;
    point_sight s = sight_of(agent, target);
    if (s.distance <= THERE || (s.x <= 0.0f && s.distance <= 1.5f * tolerance))
        return steer_wish(agent->forward, 0.0f);
    float length = length_to(&s, agent->turning_radius, tolerance);
    float speed = kerb_in_steer_speed_before(agent, 0.0f, length, time_step);
    return steer_wish(
        point_towards(agent, &s, target, kerb_in_steer_metres(agent, time_step), tolerance), speed);
}
