// The six words of Dubins between two poses, without a branch: what the single and the batch form
// share, so that they agree to the bit. Private to the room.
//
// Everything is seen from the start: it lies at the origin, looks along x, and the radius is 1. The
// words come in mirrored pairs, so that only three are written here: LSL (same turns), LSR (mixed
// turns) and LRL (three turns); RSR, RSL and RLR are those of the mirrored goal. Each follows from
// v, the way from the centre of the first circle to that of the last:
//
//        v                 same:  straight is |v|, parallel to v.
//     o----->o  .          mixed: straight is sqrt(|v|²-4), at atan(2/straight) to v.
//    (_)    (_)            three: the middle circle makes a triangle 2, 2, |v| with the others.
//
// The turns of a way with two equal ends sum up to the change of heading, or to that and a whole
// circle more; which of them, cross products tell without an arctangent: no circle is added when
// the direction after the first turn lies in the fan swept from the first heading to the last.
//
// Poses are floats. A goal that one could reach exactly, were its numbers not rounded, often lies
// beside the end of such a way, and sometimes on the side from which it takes a full circle more.
// So whatever lies within `slack` of the reachable counts as reached.
// Source: L. E. Dubins, American Journal of Mathematics 79 (1957).
#ifndef KERB_IN_CURVE_DUBINS_KERNEL_H
#define KERB_IN_CURVE_DUBINS_KERNEL_H

#include "../math/shared.h"
#include "kerb/curve.h"

#include <math.h>

#define DUBINS_CIRCLE (2.0f * KERB_PI)

// Lengths in radii that count as 0, so that no product becomes a denormal number, which some hosts
// flush to zero.
#define DUBINS_NOTHING 1e-10f

// Headings closer than this are the same: what rounding makes of π and -π. [rad]
#define DUBINS_SAME_HEADING 5e-7f

// What may have gone astray of a number: what driving a way in floats costs, 16 roundings. With
// less, the distance asked anew from places on a way jumps (2^-21: from 1 in 1,000 places).
#define DUBINS_ROUNDING 0x1p-19f

// The goal as the start sees it. [radii, rad]
typedef struct dubins_goal {
    float x, y;
    float cosine, sine; // of the change of heading
    float versine;      // 1 - cosine, with all its digits near 0
    float turn;         // size of the change of heading [0 … π]
    float slack;        // what rounding the poses may have moved it by
} dubins_goal;

// How one word gets there.
typedef struct dubins_way {
    float along, across; // direction after the first turn, of any length
    float turns;         // first and last turn [rad]
    float middle;        // straight [radii] or turn [rad]
    bool exists;
} dubins_way;

KERB_INLINE float dubins_or_nothing(float x) {
    return kerb_abs(x) < DUBINS_NOTHING ? 0.0f : x;
}

KERB_INLINE float dubins_greatest(float a, float b, float c, float d) {
    return kerb_max(kerb_max(kerb_abs(a), kerb_abs(b)), kerb_max(kerb_abs(c), kerb_abs(d)));
}

// Others would leave the range of floats on the way.
KERB_INLINE bool dubins_radius_is_good(float radius) {
    return radius >= 1e-15f && radius <= 1e15f;
}

// `scale` is 1/radius.
KERB_INLINE dubins_goal dubins_goal_seen(kerb_pose from, kerb_pose to, float scale) {
    const kerb_vec2 p = from.position, q = to.position, f = from.forward, g = to.forward;
    float dx = q.x - p.x, dy = q.y - p.y;
    // By the difference of the headings, which is exact where it is small.
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

// 0 or more when (x, y) lies in the fan swept by turning (1, 0) left by `turn`, which ends in
// (cosine, sine); else less than that by about its distance from the fan.
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

// A turn to the left by this angle in [-2π, 2π].
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
    // |v|² - 4, without the 4, in which small numbers would vanish.
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
    // The middle turn goes the other way: the outer two make up for it.
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

// Of the words with a straight.
KERB_INLINE float dubins_shortest_csc(dubins_goal goal) {
    dubins_goal other = dubins_mirrored(goal);
    float same =
        kerb_min(dubins_way_length(dubins_same(goal)), dubins_way_length(dubins_same(other)));
    float mixed =
        kerb_min(dubins_way_length(dubins_mixed(goal)), dubins_way_length(dubins_mixed(other)));
    return kerb_min(same, mixed);
}

// False for NaN and infinity, and for goals so far that squares would overflow: about 2e14 radii.
KERB_INLINE bool dubins_is_in_range(dubins_goal goal) {
    return goal.slack <= 1e9f;
}

// From radii to metres.
KERB_INLINE float dubins_metres(float length, dubins_goal goal, float radius) {
    float metres = length < KERB_NO_CURVE ? length * radius : KERB_NO_CURVE;
    return dubins_is_in_range(goal) ? metres : KERB_NO_CURVE;
}

#endif
