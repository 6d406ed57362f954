// Purpose: a lower bound of the time from one pose and speed to another.
// Idea:    The time to drive the length of the shortest path as fast as on a straight line. Where
//          the change of speed needs more distance, that distance counts instead. Changes of
//          heading and of speed give bounds of their own; the greatest bound counts.
// Cost:    O(1): the length of one shortest path, of Dubins or of Reeds and Shepp.
// Source:  AIPATH 4.2. Its formulas have misprints: eq. 4.1's denominators 2ad must be 2(a+d), its
//          second numerator 2as + v0² - v1²; algorithm 2 compares times where it needs distances;
//          algorithm 4 has its branches, signs and the distance of the change of speed wrong, and
//          ends in a call of itself; algorithm 5 leaves out the time of turning round.
#include "kerb/plan_search.h"

#include "bound.h"

#include "../../base/shared.h"

// The rounding of floats may make a bound too great by some millionths. This factor takes them off,
// so that it stays a bound. [1]
#define BOUND_SAFE (1.0f - 8e-6f)

// Accelerations and top speed on a straight line.
typedef struct bound_straight {
    float acceleration, braking, speed_max;
} bound_straight;

static bound_straight forwards(const kerb_plan_limits* limits) {
    bound_straight result = {limits->acceleration, limits->braking, limits->speed_max};
    return result;
}

static bound_straight in_reverse(const kerb_plan_limits* limits) {
    bound_straight result = {limits->reverse_acceleration, limits->reverse_braking,
                             limits->reverse_speed_max};
    return result;
}

static bool bound_may_reverse(const kerb_plan_limits* limits) {
    return limits->reverse_speed_max > 0.0f;
}

// The better value of both directions in each respect: no motion is faster than that.
static bound_straight best_direction(const kerb_plan_limits* limits) {
    bound_straight best = forwards(limits), other = in_reverse(limits);
    if (bound_may_reverse(limits)) {
        best.acceleration = kerb_max(best.acceleration, other.acceleration);
        best.braking = kerb_max(best.braking, other.braking);
        best.speed_max = kerb_max(best.speed_max, other.speed_max);
    }
    return best;
}

// --------------------------------------------------------------------------- traversal

// Time and distance of a change of speed. [s, m]
static float change_time(bound_straight s, float v0, float v1) {
    return v1 > v0 ? (v1 - v0) / s.acceleration : (v0 - v1) / s.braking;
}

static float change_distance(bound_straight s, float v0, float v1) {
    return 0.5f * (v0 + v1) * change_time(s, v0, v1);
}

// Time over a distance that is at least change_distance. [s]
static float traversal(bound_straight s, float distance, float v0, float v1) {
    float a = s.acceleration, d = s.braking, top = s.speed_max;
    float gaining = (top * top - v0 * v0) / (2.0f * a);
    float losing = (top * top - v1 * v1) / (2.0f * d);
    if (gaining + losing <= distance)
        return (top - v0) / a + (top - v1) / d + (distance - gaining - losing) / top;
    float square = (d * v0 * v0 + a * v1 * v1 + 2.0f * a * d * distance) / (a + d);
    float peak = kerb_max(kerb_sqrt(square), kerb_max(v0, v1));
    return (peak - v0) / a + (peak - v1) / d;
}

// Time over a distance at full acceleration with any final speed. [s]
static float free_run(bound_straight s, float distance, float v0) {
    float gaining = (s.speed_max * s.speed_max - v0 * v0) / (2.0f * s.acceleration);
    if (gaining <= distance)
        return (s.speed_max - v0) / s.acceleration + (distance - gaining) / s.speed_max;
    float end = kerb_sqrt(v0 * v0 + 2.0f * s.acceleration * distance);
    return 2.0f * distance / kerb_max(v0 + end, 1e-20f);
}

float kerb_plan_traversal_time(const kerb_plan_limits* limits, float distance, float speed_start,
                               float speed_goal) {
    KERB_ASSERT(limits);
    bound_straight s = forwards(limits);
    bool possible = distance >= 0.0f && speed_start >= 0.0f && speed_start <= s.speed_max &&
                    speed_goal >= 0.0f && speed_goal <= s.speed_max;
    if (!possible || change_distance(s, speed_start, speed_goal) > distance * (1.0f + 1e-6f))
        return KERB_PLAN_NEVER;
    return traversal(s, distance, speed_start, speed_goal);
}

// --------------------------------------------------------------------------- admissible

// Size of the change of heading. [rad]
static float bound_turn_between(kerb_pose from, kerb_pose to) {
    return kerb_abs(kerb_atan2(kerb_vec2_cross(from.forward, to.forward),
                               kerb_vec2_dot(from.forward, to.forward)));
}

static float straight_line(const kerb_plan_end* from, const kerb_plan_end* to) {
    return kerb_vec2_length(kerb_vec2_sub(to->pose.position, from->pose.position));
}

// Near the end of an arc, rounding can make the shortest path of Reeds and Shepp too long by some
// millionths of the radius: it takes a detour that exact poses would not need. So much is taken off
// its length. [radii]
#define DETOUR 1e-4f

static float reeds_shepp_length(const kerb_plan_limits* limits, const kerb_plan_end* from,
                                const kerb_plan_end* to) {
    float radius = limits->turning_radius;
    float length = kerb_reeds_shepp_length(from->pose, to->pose, radius) - DETOUR * radius;
    return kerb_max(length, straight_line(from, to) * (1.0f - 1e-6f));
}

static float least_length(const kerb_plan_limits* limits, const kerb_plan_bound_settings* settings,
                          const kerb_plan_end* from, const kerb_plan_end* to) {
    float radius = limits->turning_radius;
    if (settings->position_tolerance > 0.0f || settings->heading_tolerance > 0.0f) {
        float turn = bound_turn_between(from->pose, to->pose) - settings->heading_tolerance;
        float line = straight_line(from, to) - settings->position_tolerance;
        return kerb_max(kerb_max(line, radius * turn), 0.0f);
    }
    return bound_may_reverse(limits) ? reeds_shepp_length(limits, from, to)
                                     : kerb_dubins_length(from->pose, to->pose, radius);
}

// Bound from the change of heading alone. The vehicle turns fastest on its tightest circle at the
// speed that the lateral acceleration allows there. [s]
static float bound_turning_time(const kerb_plan_limits* limits, float turn) {
    float rate = kerb_sqrt(limits->lateral_acceleration / limits->turning_radius);
    float most = best_direction(limits).speed_max / limits->turning_radius;
    return kerb_max(turn, 0.0f) / kerb_min(kerb_min(rate, most), limits->yaw_rate_max);
}

// Bound from the change of speed alone. [s]
static float speeding_time(const kerb_plan_limits* limits, float from, float to, float tolerance) {
    bound_straight s = best_direction(limits);
    float v0 = kerb_abs(from), v1 = kerb_abs(to);
    if (tolerance == 0.0f && from * to < 0.0f)
        return v0 / s.braking + limits->reversal_time + v1 / s.acceleration;
    float change = kerb_max(kerb_abs(v1 - v0) - tolerance, 0.0f);
    return change / (v1 > v0 ? s.acceleration : s.braking);
}

static float length_time(const kerb_plan_limits* limits, float length, float from, float to,
                         float tolerance) {
    bound_straight s = best_direction(limits);
    float v0 = kerb_abs(from), v1 = kerb_min(kerb_abs(to) + tolerance, s.speed_max);
    if (change_distance(s, v0, v1) <= length)
        return traversal(s, length, v0, v1);
    return tolerance > 0.0f ? free_run(s, length, v0) : change_time(s, v0, v1);
}

static float admissible(const kerb_plan_limits* limits, const kerb_plan_bound_settings* settings,
                        const kerb_plan_end* from, const kerb_plan_end* to) {
    float tolerance = settings->speed_tolerance;
    float turn = bound_turn_between(from->pose, to->pose) - settings->heading_tolerance;
    float length = least_length(limits, settings, from, to);
    float time = length_time(limits, length, from->speed, to->speed, tolerance);
    time = kerb_max(time, speeding_time(limits, from->speed, to->speed, tolerance));
    return BOUND_SAFE * kerb_max(time, bound_turning_time(limits, turn));
}

// --------------------------------------------------------------------------- of the thesis

static float circular(const kerb_plan_limits* limits, float distance, float v0, float v1) {
    bound_straight s = forwards(limits);
    float radius =
        kerb_max(limits->turning_radius, s.speed_max * s.speed_max / limits->lateral_acceleration);
    float circle = 2.0f * KERB_PI * radius;
    if (change_distance(s, v0, v1) - distance >= circle)
        return change_time(s, v0, v1);
    return traversal(s, distance + circle, v0, v1);
}

static float linear(const kerb_plan_limits* limits, float distance, float v0, float v1) {
    if (!bound_may_reverse(limits))
        return circular(limits, distance, v0, v1);
    bound_straight s = forwards(limits);
    float back = change_distance(s, v0, 0.0f) - distance + change_distance(s, 0.0f, v1);
    float backing = traversal(in_reverse(limits), kerb_max(back, 0.0f), 0.0f, 0.0f);
    return v0 / s.braking + backing + v1 / s.acceleration + 2.0f * limits->reversal_time;
}

static float thesis(const kerb_plan_limits* limits, int32_t overshoot, float distance, float from,
                    float to) {
    float v0 = kerb_abs(from), v1 = kerb_abs(to);
    bound_straight s = forwards(limits);
    if (change_distance(s, v0, v1) <= distance)
        return traversal(s, distance, v0, v1);
    if (overshoot == KERB_PLAN_CIRCULAR)
        return circular(limits, distance, v0, v1);
    if (overshoot == KERB_PLAN_LINEAR)
        return linear(limits, distance, v0, v1);
    return kerb_min(circular(limits, distance, v0, v1), linear(limits, distance, v0, v1));
}

// The first loop has no branches, so that compilers can vectorise it. Distances that are too short
// for the change of speed are done one by one in the second loop.
void kerb_in_plan_bound_thesis_block(const kerb_plan_limits* limits, int32_t overshoot,
                                     const float distance[PLAN_BOUND_BLOCK],
                                     const float from[PLAN_BOUND_BLOCK], float to,
                                     float bound[PLAN_BOUND_BLOCK]) {
    const float a = limits->acceleration, d = limits->braking, top = limits->speed_max;
    const float v1 = kerb_abs(to), losing = (top * top - v1 * v1) / (2.0f * d);
    float found[PLAN_BOUND_BLOCK], needed[PLAN_BOUND_BLOCK];
    for (int32_t i = 0; i < PLAN_BOUND_BLOCK; i++) {
        float v0 = from[i], gaining = (top * top - v0 * v0) / (2.0f * a);
        float change = v1 > v0 ? (v1 - v0) / a : (v0 - v1) / d;
        needed[i] = 0.5f * (v0 + v1) * change;
        float square = (d * v0 * v0 + a * v1 * v1 + 2.0f * a * d * distance[i]) / (a + d);
        float peak = kerb_max(kerb_sqrt(square), kerb_max(v0, v1));
        bool is_topped = gaining + losing <= distance[i];
        float fastest = is_topped ? top : peak;
        float time = (fastest - v0) / a + (fastest - v1) / d;
        found[i] = is_topped ? time + (distance[i] - gaining - losing) / top : time;
    }
    for (int32_t i = 0; i < PLAN_BOUND_BLOCK; i++)
        bound[i] = needed[i] <= distance[i] ? found[i]
                                            : thesis(limits, overshoot, distance[i], from[i], to);
}

float kerb_plan_bound(const kerb_plan_limits* limits, const kerb_plan_bound_settings* settings,
                      const kerb_plan_end* from, const kerb_plan_end* to) {
    KERB_ASSERT(limits && settings && from && to);
    float top = best_direction(limits).speed_max;
    switch (settings->heuristic) {
    case KERB_PLAN_THESIS:
        return thesis(limits, settings->overshoot,
                      kerb_dubins_length_csc(from->pose, to->pose, limits->turning_radius),
                      from->speed, to->speed);
    case KERB_PLAN_DISTANCE:
        return kerb_dubins_length_csc(from->pose, to->pose, limits->turning_radius) / top;
    case KERB_PLAN_EUCLIDEAN:
        return straight_line(from, to) / top;
    default:
        return admissible(limits, settings, from, to);
    }
}
