// Shortest curves with a given smallest turning radius, forwards only.
//
// There are six words (types of curve), each a closed form in dubins_kernel.h. All six lengths are
// computed, and the pieces of the shortest curve are worked out. O(1), no search.
// Source: L. E. Dubins, "On curves of minimal length with a constraint on average curvature",
// American Journal of Mathematics 79 (1957). It also proves that the middle turn of LRL exceeds π.
#include "dubins_kernel.h"

#include "../base/shared.h"

// Lengths of the words by family. Words that start to the left are in even lanes, words that start
// to the right in odd lanes. Lanes 2 and 3 repeat lanes 0 and 1: compilers vectorise four lanes,
// but mostly not two. (GCC 12: two lanes take 1.1 times, one after another 1.7 times as long.)
#define DUBINS_LANES 4
typedef struct word_lengths {
    float same[DUBINS_LANES], mixed[DUBINS_LANES], three[DUBINS_LANES];
} word_lengths;

KERB_INLINE dubins_goal goal_in_lane(dubins_goal goal, int32_t lane) {
    float side = (float)(1 - 2 * (lane & 1));
    goal.y = goal.y * side;
    goal.sine = goal.sine * side;
    return goal;
}

KERB_INLINE word_lengths lengths_of_words(dubins_goal goal) {
    word_lengths lengths;
    for (int32_t i = 0; i < DUBINS_LANES; i++) {
        dubins_goal seen = goal_in_lane(goal, i);
        lengths.same[i] = dubins_way_length(dubins_same(seen));
        lengths.mixed[i] = dubins_way_length(dubins_mixed(seen));
        lengths.three[i] = dubins_way_length(dubins_three(seen));
    }
    return lengths;
}

KERB_INLINE float least_of_two(const float lanes[DUBINS_LANES]) {
    return kerb_min(lanes[0], lanes[1]);
}

float kerb_dubins_length(kerb_pose from, kerb_pose to, float radius) {
    if (!dubins_radius_is_good(radius))
        return KERB_NO_CURVE;
    dubins_goal goal = dubins_goal_seen(from, to, 1.0f / radius);
    word_lengths lengths = lengths_of_words(goal);
    float csc = kerb_min(least_of_two(lengths.same), least_of_two(lengths.mixed));
    return dubins_metres(kerb_min(csc, least_of_two(lengths.three)), goal, radius);
}

float kerb_dubins_length_csc(kerb_pose from, kerb_pose to, float radius) {
    if (!dubins_radius_is_good(radius))
        return KERB_NO_CURVE;
    dubins_goal goal = dubins_goal_seen(from, to, 1.0f / radius);
    float lengths[DUBINS_LANES];
    for (int32_t i = 0; i < DUBINS_LANES; i++) {
        dubins_goal seen = goal_in_lane(goal, i);
        lengths[i] =
            kerb_min(dubins_way_length(dubins_same(seen)), dubins_way_length(dubins_mixed(seen)));
    }
    return dubins_metres(least_of_two(lengths), goal, radius);
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

// `goal` is already mirrored when the word starts to the right.
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
        return KERB_NO_CURVE;
    dubins_goal goal = goal_for(word, dubins_goal_seen(from, to, 1.0f / radius));
    return dubins_metres(dubins_way_length(way_by(word, goal)), goal, radius);
}

// --------------------------------------------------------------------------- laid out

// The first of two turns with the sum `turns`. Both stay between 0 and a full circle: only rounding
// and slack can bring them outside.
static float first_of(const dubins_way* way, float slack) {
    float first = dubins_left_turn(math_angle(way->across, way->along), slack);
    float last = way->turns - first;
    if (last > DUBINS_CIRCLE)
        return way->turns - DUBINS_CIRCLE;
    if (last >= 0.0f)
        return first;
    // The direction lies a little outside the fan: choose the end of the fan that is nearer.
    return first - way->turns < DUBINS_CIRCLE - first ? way->turns : 0.0f;
}

static kerb_curve nowhere(kerb_pose from) {
    kerb_curve curve = {.start = from};
    return curve;
}

static kerb_curve dubins_lay_out(kerb_dubins_word word, kerb_pose from, dubins_goal goal,
                                 float radius) {
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
    return dubins_lay_out(word, from, goal_for(word, goal), radius);
}

static kerb_dubins_word dubins_shortest_word(dubins_goal goal) {
    word_lengths all = lengths_of_words(goal);
    const float lengths[KERB_DUBINS_WORD_COUNT] = {
        [KERB_DUBINS_LSL] = all.same[0],  [KERB_DUBINS_RSR] = all.same[1],
        [KERB_DUBINS_LSR] = all.mixed[0], [KERB_DUBINS_RSL] = all.mixed[1],
        [KERB_DUBINS_LRL] = all.three[0], [KERB_DUBINS_RLR] = all.three[1]};
    int32_t shortest = 0;
    for (int32_t i = 1; i < KERB_DUBINS_WORD_COUNT; i++)
        shortest = lengths[i] < lengths[shortest] ? i : shortest;
    return (kerb_dubins_word)shortest;
}

kerb_curve kerb_dubins(kerb_pose from, kerb_pose to, float radius) {
    if (!dubins_radius_is_good(radius))
        return nowhere(from);
    dubins_goal goal = dubins_goal_seen(from, to, 1.0f / radius);
    kerb_dubins_word shortest = dubins_shortest_word(goal);
    return dubins_lay_out(shortest, from, goal_for(shortest, goal), radius);
}
