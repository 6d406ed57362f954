// Shortest ways of a given least radius, forwards only.
//
// Six words are tried, each a closed form in dubins_kernel.h; the shortest is laid out as pieces.
// A length takes about 100 ns, and so does each word that is laid out.
// Source: L. E. Dubins, "On curves of minimal length with a constraint on average curvature",
// American Journal of Mathematics 79 (1957). That the middle turn of LRL exceeds π is his too.
#include "dubins_kernel.h"

#include "../base/assertion.h"

float kerb_dubins_length(kerb_pose from, kerb_pose to, float radius) {
    if (!dubins_radius_is_good(radius))
        return KERB_NO_WAY;
    dubins_goal goal = dubins_goal_seen(from, to, 1.0f / radius);
    return dubins_metres(dubins_shortest(goal), goal, radius);
}

float kerb_dubins_length_csc(kerb_pose from, kerb_pose to, float radius) {
    if (!dubins_radius_is_good(radius))
        return KERB_NO_WAY;
    dubins_goal goal = dubins_goal_seen(from, to, 1.0f / radius);
    return dubins_metres(dubins_shortest_csc(goal), goal, radius);
}

// --------------------------------------------------------------------------- single words

static bool starts_left(kerb_dubins_word word) {
    return word == KERB_DUBINS_LSL || word == KERB_DUBINS_LSR || word == KERB_DUBINS_LRL;
}

static bool has_straight(kerb_dubins_word word) {
    return word != KERB_DUBINS_RLR && word != KERB_DUBINS_LRL;
}

static bool is_mixed(kerb_dubins_word word) {
    return word == KERB_DUBINS_LSR || word == KERB_DUBINS_RSL;
}

// To a goal that is mirrored already where the word starts to the right.
static dubins_way way_by(kerb_dubins_word word, dubins_goal goal) {
    if (is_mixed(word))
        return dubins_mixed(goal);
    return has_straight(word) ? dubins_same(goal) : dubins_three(goal);
}

static dubins_goal goal_for(kerb_dubins_word word, dubins_goal goal) {
    return starts_left(word) ? goal : dubins_mirrored(goal);
}

float kerb_dubins_word_length(kerb_dubins_word word, kerb_pose from, kerb_pose to, float radius) {
    KERB_ASSERT(word >= KERB_DUBINS_LSL && word < KERB_DUBINS_WORD_COUNT);
    if (!dubins_radius_is_good(radius))
        return KERB_NO_WAY;
    dubins_goal goal = goal_for(word, dubins_goal_seen(from, to, 1.0f / radius));
    return dubins_metres(dubins_way_length(way_by(word, goal)), goal, radius);
}

// --------------------------------------------------------------------------- laid out

// The first of two turns that sum up to `turns`: neither less than none nor more than a circle,
// which only rounding and slack make of them.
static float first_of(const dubins_way* way, float slack) {
    float first = dubins_left_turn(math_angle(way->across, way->along), slack);
    float last = way->turns - first;
    if (last > DUBINS_CIRCLE)
        return way->turns - DUBINS_CIRCLE;
    if (last >= 0.0f)
        return first;
    // A little beyond the end of the fan, or a little before its begin?
    return first - way->turns < DUBINS_CIRCLE - first ? way->turns : 0.0f;
}

static kerb_curve nowhere(kerb_pose from) {
    kerb_curve curve = {.start = from};
    return curve;
}

static kerb_curve lay_out(kerb_dubins_word word, kerb_pose from, dubins_goal goal, float radius) {
    dubins_way way = way_by(word, goal);
    if (!way.exists || !dubins_is_in_range(goal))
        return nowhere(from);
    float first = first_of(&way, dubins_angle_slack(goal));
    float left = (starts_left(word) ? 1.0f : -1.0f) / radius;
    kerb_curve curve = {from, 3, {left, 0.0f, left}, {first, way.middle, way.turns - first}};
    if (is_mixed(word))
        curve.curvature[2] = -left;
    if (!has_straight(word))
        curve.curvature[1] = -left;
    for (int32_t i = 0; i < curve.count; i++)
        curve.length[i] *= radius;
    return curve;
}

kerb_curve kerb_dubins_by_word(kerb_dubins_word word, kerb_pose from, kerb_pose to, float radius) {
    KERB_ASSERT(word >= KERB_DUBINS_LSL && word < KERB_DUBINS_WORD_COUNT);
    if (!dubins_radius_is_good(radius))
        return nowhere(from);
    dubins_goal goal = dubins_goal_seen(from, to, 1.0f / radius);
    return lay_out(word, from, goal_for(word, goal), radius);
}

kerb_curve kerb_dubins(kerb_pose from, kerb_pose to, float radius) {
    if (!dubins_radius_is_good(radius))
        return nowhere(from);
    dubins_goal goal = dubins_goal_seen(from, to, 1.0f / radius);
    float best = KERB_NO_WAY;
    kerb_dubins_word shortest = KERB_DUBINS_LSL;
    for (int32_t i = 0; i < KERB_DUBINS_WORD_COUNT; i++) {
        kerb_dubins_word word = (kerb_dubins_word)i;
        float length = dubins_way_length(way_by(word, goal_for(word, goal)));
        if (length < best) {
            best = length;
            shortest = word;
        }
    }
    return lay_out(shortest, from, goal_for(shortest, goal), radius);
}
