// Seek, flee and arrive: towards a point or away from it, for agents that cannot turn on the spot.
//
// A point outside both turning circles is reached by turning towards it and driving straight. A
// point inside one of them is not reached in that way: an agent that turns towards it circles round
// it for ever. The shortest path turns away, on the other circle, until the point lies on the first
// circle, and then turns back along that circle. The decision is made anew in each step from the
// point's position:
//
//     inside a circle     turn away from it
//     else                turn towards it
//
// Proof that it arrives. While the agent turns away, the circle that contains the point rolls round
// the circle of the agent, whose centre has the distance d to the point. The centre of the rolling
// circle takes all distances from |2r - d| to 2r + d >= 3r to the point, so the point leaves it
// within one turn. The agent's own circle does not move, so the point does not enter that one. From
// then on the agent turns towards the point, and that circle does not move either. So the point
// stays outside, and the agent passes it after at most one more turn and the straight line. With
// time steps, the agent leaves the arc late, with the point a little outside: this is the first
// case again.
//
// In a step the agent turns at a constant rate. So it points at the target after the step when it
// turns to the direction of the target as seen from half a step ahead. In the last step it takes
// the arc through the target. O(1). Source: Reynolds 1999; X. Bui, P. Souères, J. Boissonnat and J.
// Laumond, "Shortest path synthesis for Dubins non-holonomic robot", 1994 (section on free final
// headings).
#include "behaviour.h"

#include "../base/shared.h"

// A point is reached within THERE metres plus THERE_SHARE of the distance of a step. Chosen by
// trial.
#define THERE 0.01f
#define THERE_SHARE 0.06f

bool kerb_in_steer_is_usable(const kerb_agent* agent, float time_step) {
    float can = kerb_abs(agent->turning_radius) + kerb_abs(agent->speed_max) +
                kerb_abs(agent->acceleration) + kerb_abs(agent->braking);
    return steer_is_there(agent) && steer_is_number(agent->radius) && can <= STEER_LIMIT_MOST &&
           steer_is_time(time_step);
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
    // For a vector in line with the front, the lateral rest is only rounding.
    float least = 1e-12f * kerb_vec3_dot(offset, offset);
    if (!(kerb_vec3_dot(across, across) > least))
        return left;
    // For a vector nearly in line, the rest has a part along the front: a second subtraction
    // removes it.
    across = kerb_vec3_unit(across, left);
    across = kerb_vec3_along(across, forward, -kerb_vec3_dot(across, forward));
    return kerb_vec3_unit(across, left);
}

// A point in the agent's axes.
typedef struct point_sight {
    kerb_vec3 side; // unit vector across the front, towards the point
    float distance; // [m]
    float x;        // distance ahead [m]
    float y;        // lateral distance [m] [>= 0]
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

// The power of the point with respect to the circle: its squared distance from the centre minus the
// squared radius. It is written without that difference, which near the front would be all
// rounding.
static float power_of(const point_sight* s, float radius) {
    return s->distance * s->distance - 2.0f * radius * s->y;
}

// Inside by more than `tolerance`. Turning away brings a point behind the agent out of its circle,
// and one ahead of it deeper inside. So the agent turns away from a point behind until it is well
// within tolerance, and rounding cannot reverse the decision on the way round. [m]
static bool point_is_inside(const point_sight* s, float radius, float tolerance) {
    float depth = s->x < 0.0f ? 0.5f * tolerance : tolerance;
    return radius > depth && power_of(s, radius) < depth * (depth - 2.0f * radius);
}

float kerb_in_steer_circle_depth(const kerb_agent* agent, kerb_vec3 place) {
    point_sight s = sight_of(agent, place);
    kerb_vec2 from_middle = {s.x, s.y - agent->turning_radius};
    return agent->turning_radius - kerb_vec2_length(from_middle);
}

// The arc through the point, continued to the end of the step.
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

// --------------------------------------------------------------------------- lengths of paths

// Turn and straight line, to a point outside the circle.
static float outside_length(const point_sight* s, float radius) {
    float straight = kerb_sqrt(power_of(s, radius));
    float turn = kerb_atan2(s->y - radius, s->x) + kerb_atan2(radius, straight);
    if (turn < 0.0f) // rounding must not make a point straight ahead cost a full turn
        turn = s->x > 0.0f ? 0.0f : turn + 2.0f * KERB_PI;
    return radius * turn + straight;
}

// Away and back, to a point inside the circle. Computed from the triangle of the centre of the
// first circle, the centre of the other circle when it has rolled onto the point, and the point.
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
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !steer_is_place(target))
        return (float)NAN;
    // A point on the circle is reached along it, although rounding may put it inside.
    return kerb_in_steer_way_length(agent, target, 1e-5f * agent->turning_radius);
}

// --------------------------------------------------------------------------- speeds

float kerb_in_steer_closing_speed(float rate, float distance, float time_step) {
    float loss = rate * time_step, room = 2.0f * rate * kerb_max(distance, 0.0f);
    float sum = loss + kerb_sqrt(loss * loss + room);
    return sum > 0.0f ? room / sum : 0.0f;
}

// When the speed increases in the step: v² = w² + 2bs.
float kerb_in_steer_speed_in_time(float speed, float braking, float wanted, float distance,
                                  float time_step) {
    float loss = braking * time_step;
    float room = wanted * wanted + 2.0f * braking * kerb_max(distance, 0.0f);
    float sum = loss + kerb_sqrt(loss * loss + room);
    float gaining = sum > 0.0f ? room / sum : wanted;
    if (gaining >= speed)
        return gaining;
    // When the speed decreases, braking takes part of the step: v² + v(b dt - v0) = b s + (w² -
    // v0²)/2.
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
    if (!kerb_in_steer_is_usable(agent, time_step) || !steer_is_place(target))
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
    if (!kerb_in_steer_is_usable(agent, time_step) || !steer_is_place(target))
        return kerb_steering_none();
    // The tolerance is constant although the steps get shorter. Else a point that was near enough
    // at speed would be missed at low speed.
    float tolerance = THERE + THERE_SHARE * agent->speed_max * time_step;
    point_sight s = sight_of(agent, target);
    if (s.distance <= THERE || (s.x <= 0.0f && s.distance <= 1.5f * tolerance))
        return steer_wish(agent->forward, 0.0f);
    float length = length_to(&s, agent->turning_radius, tolerance);
    float speed = kerb_in_steer_speed_before(agent, 0.0f, length, time_step);
    return steer_wish(
        point_towards(agent, &s, target, kerb_in_steer_metres(agent, time_step), tolerance), speed);
}
