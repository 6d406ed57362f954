// The six words of Dubins between two poses, without a branch. The single and the batch form share
// this code, so that they agree to the bit. Private to the room.
//
// Everything is relative to the start: it lies at the origin, points along x, and the radius is 1.
// The words come in mirrored pairs, so that only three are written here: LSL (same turns), LSR
// (mixed turns) and LRL (three turns). RSR, RSL and RLR are these three to the mirrored goal. Each
// follows from v, the vector from the centre of the first circle to that of the last:
//
//        v                 same:  straight is |v|, parallel to v.
//     o----->o  .          mixed: straight is sqrt(|v|²-4), at atan(2/straight) to v.
//    (_)    (_)            three: the middle circle makes a triangle 2, 2, |v| with the others.
//
// When the first and the last turn have the same side, their sum is the change of heading, or the
// change of heading plus a full circle. Cross products decide which, without an arctangent: no
// circle is added when the direction after the first turn lies in the fan swept from the first
// heading to the last.
//
// Poses are floats. With exact numbers a goal might lie exactly at the end of such a curve.
// Rounding moves it beside the end, sometimes to the side from which the curve needs a full circle
// more. So a goal within `slack` of a reachable one counts as reached. Source: L. E. Dubins,
// American Journal of Mathematics 79 (1957).
#ifndef KERB_IN_CURVE_DUBINS_KERNEL_H
#define KERB_IN_CURVE_DUBINS_KERNEL_H

#include "../math/shared.h"
#include "kerb/curve.h"

#include <math.h>

#define DUBINS_CIRCLE (2.0f * KERB_PI) // a full circle [rad]

// Smaller lengths count as 0, so that no product becomes a denormal number, which some hosts flush
// to zero. [radii]
#define DUBINS_NOTHING 1e-10f

// Headings that differ by less are equal: rounding makes such a difference between π and -π. [rad]
#define DUBINS_SAME_HEADING 5e-7f

// Relative rounding error of a pose: 16 roundings, which is the error of following a curve in
// floats. With a smaller value the remaining length jumps when it is computed anew from a pose on
// the curve (2^-21: at 1 in 1,000 poses).
#define DUBINS_ROUNDING 0x1p-19f

// The goal relative to the start. [radii, rad]
typedef struct dubins_goal {
    float x, y;
    float cosine, sine; // of the change of heading
    float versine;      // 1 - cosine, with all its digits near 0
    float turn;         // size of the change of heading [0 … π]
    float slack;        // distance by which the rounding of the poses may have moved the goal
} dubins_goal;

// The curve of one word.
typedef struct dubins_way {
    float along, across; // direction after the first turn, of any length
    float turns;         // sum of first and last turn [rad]
    float middle;        // straight [radii] or turn [rad]
    bool exists;
} dubins_way;

KERB_INLINE float dubins_or_nothing(float x) {
    return kerb_abs(x) < DUBINS_NOTHING ? 0.0f : x;
}

KERB_INLINE float dubins_greatest(float a, float b, float c, float d) {
    return kerb_max(kerb_max(kerb_abs(a), kerb_abs(b)), kerb_max(kerb_abs(c), kerb_abs(d)));
}

// With other radii, intermediate results would leave the range of floats. [m]
KERB_INLINE bool dubins_radius_is_good(float radius) {
    return radius >= 1e-15f && radius <= 1e15f;
}

// `scale` is 1/radius.
KERB_INLINE dubins_goal dubins_goal_seen(kerb_pose from, kerb_pose to, float scale) {
    const kerb_vec2 p = from.position, q = to.position, f = from.forward, g = to.forward;
    float dx = q.x - p.x, dy = q.y - p.y;
    // From the difference of the forward vectors, which is exact when it is small.
    float turn_x = g.x - f.x, turn_y = g.y - f.y;
    float sine = f.x * turn_y - f.y * turn_x;
    float versine = 0.5f * (turn_x * turn_x + turn_y * turn_y);
    bool level = kerb_abs(sine) < DUBINS_SAME_HEADING;
    dubins_goal goal;
    goal.x = dubins_or_nothing((dx * f.x + dy * f.y) * scale);
    goal.y = dubins_or_nothing((dy * f.x - dx * f.y) * scale);
    goal.sine = level ? 0.0f : sine;
    goal.versine = level ? (versine < 1.0f ? 0.0f : 2.0f) : versine;
    goal.cosine = 1.0f - goal.versine;
    goal.turn = math_angle(kerb_abs(goal.sine), goal.cosine);
    float size = kerb_abs(goal.x) + kerb_abs(goal.y) + kerb_abs(goal.sine) + goal.versine;
    goal.slack = DUBINS_ROUNDING * (size + dubins_greatest(p.x, p.y, q.x, q.y) * scale);
    return goal;
}

KERB_INLINE dubins_goal dubins_mirrored(dubins_goal goal) {
    goal.y = -goal.y;
    goal.sine = -goal.sine;
    return goal;
}

// The fan is swept by turning (1, 0) left by `turn`, to (cosine, sine). The result is 0 or more
// when (x, y) lies in the fan. Else it is negative, by about the distance from the fan.
KERB_INLINE float dubins_in_fan(float x, float y, float cosine, float sine, float turn) {
    float left_of_begin = y;
    float right_of_end = x * sine - y * cosine;
    float ahead = x * (1.0f + cosine) + y * sine;
    float narrow = kerb_min(kerb_min(left_of_begin, right_of_end), ahead);
    float wide = kerb_max(left_of_begin, right_of_end);
    return turn <= KERB_PI ? narrow : wide;
}

// LSL
KERB_INLINE dubins_way dubins_same(dubins_goal goal) {
    float x = goal.x - goal.sine, y = goal.y - goal.versine;
    float turn = goal.sine >= 0.0f ? goal.turn : DUBINS_CIRCLE - goal.turn;
    float in_fan = dubins_in_fan(x, y, goal.cosine, goal.sine, turn);
    dubins_way way;
    way.along = x;
    way.across = y;
    way.turns = turn + (in_fan >= -goal.slack ? 0.0f : DUBINS_CIRCLE);
    way.middle = sqrtf(x * x + y * y);
    way.exists = true;
    return way;
}

// The turn to the left, 0 or more, that an angle in [-2π, 2π] stands for.
KERB_INLINE float dubins_left_turn(float angle, float slack) {
    float turn = kerb_max(angle, 0.0f);
    return angle < -slack ? angle + DUBINS_CIRCLE : turn;
}

KERB_INLINE float dubins_angle_slack(dubins_goal goal) {
    return kerb_min(2.0f * goal.slack, 1e-6f);
}

// LSR
KERB_INLINE dubins_way dubins_mixed(dubins_goal goal) {
    float x = goal.x + goal.sine, y = goal.y - (1.0f + goal.cosine);
    // |v|² - 4, written without the 4, in which small numbers would be lost.
    float skew = goal.x * goal.sine - goal.y * (1.0f + goal.cosine);
    float square = (goal.x * goal.x + goal.y * goal.y) + 2.0f * (skew - goal.versine);
    float straight = sqrtf(kerb_max(square, 0.0f));
    float slack = dubins_angle_slack(goal);
    dubins_way way;
    way.along = x * straight - 2.0f * y;
    way.across = y * straight + 2.0f * x;
    float first = math_angle(way.across, way.along);
    float change = goal.sine < 0.0f ? -goal.turn : goal.turn;
    way.turns = dubins_left_turn(first, slack) + dubins_left_turn(first - change, slack);
    way.middle = straight;
    way.exists = square >= -4.0f * goal.slack;
    return way;
}

// LRL
KERB_INLINE dubins_way dubins_three(dubins_goal goal) {
    float x = goal.x - goal.sine, y = goal.y - goal.versine;
    float apart = 0.25f * sqrtf(x * x + y * y);
    float base = kerb_min(apart, 1.0f);
    float height = sqrtf((1.0f - base) * (1.0f + base));
    dubins_way way;
    way.middle = KERB_PI + 2.0f * math_angle_in_quadrant(height, base);
    way.along = -(x * height + y * base);
    way.across = x * base - y * height;
    // The middle turn goes to the other side, so the outer two must turn by as much more.
    float turn = (goal.sine < 0.0f ? -goal.turn : goal.turn) + way.middle;
    turn = turn >= DUBINS_CIRCLE ? turn - DUBINS_CIRCLE : turn;
    float cosine = height * height - base * base, sine = -2.0f * base * height;
    float in_fan = dubins_in_fan(way.along, way.across, goal.cosine * cosine - goal.sine * sine,
                                 goal.sine * cosine + goal.cosine * sine, turn);
    way.turns = turn + (in_fan >= -goal.slack ? 0.0f : DUBINS_CIRCLE);
    way.exists = apart <= 1.0f + 0.25f * goal.slack;
    return way;
}

// [radii]
KERB_INLINE float dubins_way_length(dubins_way way) {
    float length = way.turns + way.middle;
    return way.exists ? length : KERB_NO_CURVE;
}

KERB_INLINE float dubins_shortest_from_left(dubins_goal goal) {
    float same = dubins_way_length(dubins_same(goal));
    float mixed = dubins_way_length(dubins_mixed(goal));
    float three = dubins_way_length(dubins_three(goal));
    return kerb_min(kerb_min(same, mixed), three);
}

KERB_INLINE float dubins_shortest(dubins_goal goal) {
    return kerb_min(dubins_shortest_from_left(goal),
                    dubins_shortest_from_left(dubins_mirrored(goal)));
}

// The shortest of the words with a straight line.
KERB_INLINE float dubins_shortest_csc(dubins_goal goal) {
    dubins_goal other = dubins_mirrored(goal);
    float same =
        kerb_min(dubins_way_length(dubins_same(goal)), dubins_way_length(dubins_same(other)));
    float mixed =
        kerb_min(dubins_way_length(dubins_mixed(goal)), dubins_way_length(dubins_mixed(other)));
    return kerb_min(same, mixed);
}

// False for NaN and infinity, and for goals beyond about 2e14 radii, whose squares could overflow.
KERB_INLINE bool dubins_is_in_range(dubins_goal goal) {
    return goal.slack <= 1e9f;
}

// From radii to metres.
KERB_INLINE float dubins_metres(float length, dubins_goal goal, float radius) {
    float metres = length < KERB_NO_CURVE ? length * radius : KERB_NO_CURVE;
    return dubins_is_in_range(goal) ? metres : KERB_NO_CURVE;
}

#endif
