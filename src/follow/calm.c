// Purpose: calms the line: jitter is taken out of it, and bends are left in it.
//
// Waypoints jitter, and those that lie on an arc make a kink each. Passed on to the steering law,
// every kink turns the wheels, and turns them back. So each knot goes to where a polynomial of the
// fifth degree passes that is fitted to the knots around it by least squares, the far ones counted
// less. On even knots that is a weighted mean, whose second and fourth moments are zero: straights,
// arcs and bends whose curvature changes evenly stay where they are. Nothing tells jitter from
// bends but their length: a bend is what is longer than the fit is wide.
//
// The width is a distance, and no number of knots: the wheels of all vehicles turn for the same
// kinks, however tightly the vehicle turns. Only where it would take more than CALM_MOST knots to
// each side is it less, as with turning radii below 4 m.
//
// Cost:    O(knots in the fit) a knot.
// Source:  Savitzky and Golay, "Smoothing and differentiation of data by simplified least squares
//          procedures" (1964), with the weights of a triweight kernel.
#include "frame.h"

// Half the width of the fit. On random courses of noisy waypoints (0.4 m, 0.5 to 6 m apart, seeds
// 1000 to 1007) the wheels of six vehicles change direction 3.6 times a second with half of
// it, 1.25 times with this and 1.0 times with double; the mean error on the ten courses is 0.114,
// 0.114 and 0.123 m. [m]
#define CALM_REACH 17.0f
// A fit over fewer knots to each side is not determined.
#define CALM_KNOTS_LEAST 3.0f
// A knot moves no farther than this share of the clearance beside what the vehicle sweeps, on the
// side to which it moves. [1]
#define CALM_ROOM 0.5f

#define CALM_MOST FOLLOW_CALM_KNOTS

// What a knot counts at a share u of the half width: (1 - u²)³.
static float calm_bell(float squared) {
    float left = kerb_max(1.0f - squared, 0.0f);
    return left * left * left;
}

void kerb_in_follow_calm_begin(kerb_follower* follower) {
    float* weight = follower->memory.fill.calm_weight;
    for (int32_t i = 0; i <= CALM_MOST; i++)
        weight[i] = 0.0f;
    float reach = follow_metres(follower, CALM_REACH) / follower->memory.line.spacing;
    reach = kerb_min(reach, (float)CALM_MOST + 1.0f);
    const int32_t knots = reach > CALM_KNOTS_LEAST ? (int32_t)(reach - 0.001f) : 0;
    follower->memory.fill.calm_reach = knots;
    if (knots == 0)
        return;
    // The fit at its middle weighs knots by (1 - u²)³·(1 + a·u² + b·u⁴), with a and b such that the
    // second and the fourth moment are zero.
    float moment[5] = {0.0f};
    for (int32_t i = 1; i <= knots; i++) {
        float squared = (float)(i * i) / (reach * reach), power = calm_bell(squared);
        for (int32_t k = 1; k <= 4; k++) {
            power *= squared;
            moment[k] += power;
        }
    }
    float below = moment[2] * moment[4] - moment[3] * moment[3];
    float a = (moment[2] * moment[3] - moment[1] * moment[4]) / below;
    float b = (moment[1] * moment[3] - moment[2] * moment[2]) / below;
    float sum = 1.0f;
    for (int32_t i = 1; i <= knots; i++) {
        float squared = (float)(i * i) / (reach * reach);
        weight[i] = calm_bell(squared) * (1.0f + squared * (a + squared * b));
        sum += 2.0f * weight[i];
    }
    for (int32_t i = 1; i <= knots; i++)
        weight[i] /= sum;
}

kerb_vec2 kerb_in_follow_calm_step(const kerb_follower* follower, int32_t knot) {
    const kerb_vec3* raw = follower->memory.fill.raw;
    const float* weight = follower->memory.fill.calm_weight;
    const kerb_vec3 here = raw[kerb_in_line_slot(knot)];
    kerb_vec2 step = {0.0f, 0.0f};
    for (int32_t i = 1; i <= follower->memory.fill.calm_reach; i++) {
        // Differences keep their precision far from the origin.
        kerb_vec3 a = raw[kerb_in_line_slot(knot - i)], b = raw[kerb_in_line_slot(knot + i)];
        step.x += weight[i] * ((a.x - here.x) + (b.x - here.x));
        step.y += weight[i] * ((a.y - here.y) + (b.y - here.y));
    }
    kerb_vec3 before = raw[kerb_in_line_slot(knot - 1)], after = raw[kerb_in_line_slot(knot + 1)];
    bool to_left = (after.x - before.x) * step.y > (after.y - before.y) * step.x;
    float spare = to_left ? follower->memory.fill.spare_left[kerb_in_line_slot(knot)]
                          : follower->memory.fill.spare_right[kerb_in_line_slot(knot)];
    float most = kerb_min(follower->settings.corner_cut, CALM_ROOM * kerb_max(spare, 0.0f));
    float length = kerb_vec2_length(step);
    return length > most ? kerb_vec2_scale(step, most / length) : step;
}
