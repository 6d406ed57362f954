// Purpose: which of the road's two edges tells where the lane is, and what it tells.
// Idea:    An edge that springs outward is the mouth of a side road and is not followed for
//          `edge_loss_distance`; one that springs inward counts at once. Round a hairpin's corner,
//          where the lane's own edge ends for the ray, the outer edge leads on.
// Cost:    O(1).
#include "edges.h"

// Greatest share of the road's width by which an edge springs inward at once. [1]
#define INWARD_MOST 0.5f
// Share of a road's width by which a measured width may differ. [1]
#define SAME_WIDTH 0.15f
// An edge met within this distance of where the other edge was, and in line with it, is that other
// edge. [m]
#define BACK_WITHIN 30.0f
// Sine of the least turn of a corner where the edge leads back beside the vehicle. [1]
#define TURNS_LEAST 0.3f
// After this distance without being seen, nothing is known of how an edge goes on. [m]
#define GOES_ON 4.0f

// True: the edge goes on where it was met last. The step from there is that of an arc: its chord
// points halfway between the two directions.
static bool edges_goes_on(const kerb_lane_keeper* keeper, const lane_point* point) {
    const int32_t edge = point->edge;
    if (!keeper->memory.edges[edge].known || keeper->memory.edges[edge].since > GOES_ON)
        return false;
    kerb_vec2 before = keeper->memory.edges[edge].direction;
    kerb_vec2 step = kerb_vec2_sub(point->hit, keeper->memory.edges[edge].place);
    float along = kerb_vec2_dot(before, step);
    float turn = kerb_vec2_cross(before, point->direction);
    float off = kerb_vec2_cross(before, step) - 0.5f * turn * along;
    return kerb_abs(off) < LANE_SPRING && kerb_abs(along) < 2.0f * GOES_ON &&
           kerb_vec2_dot(before, point->direction) > 0.0f;
}

bool kerb_in_lane_has_sprung(const kerb_lane_keeper* keeper, lane_point* point) {
    if (point->good && edges_goes_on(keeper, point))
        point->spring = 0.0f;
    return point->spring != 0.0f;
}

// Two edges that face each other, as far apart as the road is wide, are the road, wherever the lane
// was expected.
static bool is_the_road(const kerb_lane_keeper* keeper, const lane_point* own,
                        const lane_point* other) {
    float width = keeper->memory.width;
    if (!own->good || !other->good || !(width > 0.0f) ||
        kerb_vec2_dot(own->direction, other->direction) < LANE_FACING)
        return false;
    kerb_vec2 across = kerb_vec2_sub(other->hit, own->hit);
    float apart = kerb_abs(kerb_vec2_cross(own->direction, across));
    return kerb_abs(apart - width) < SAME_WIDTH * width;
}

bool kerb_in_lane_is_way_back(const kerb_lane_keeper* keeper, const lane_point* own) {
    kerb_vec2 before = keeper->memory.edges[1].direction;
    if (keeper->memory.edges[1].since > BACK_WITHIN)
        return false;
    kerb_vec2 off = kerb_vec2_sub(own->hit, keeper->memory.edges[1].place);
    return kerb_abs(kerb_vec2_cross(before, off)) < LANE_SPRING &&
           kerb_abs(kerb_vec2_dot(before, off)) < BACK_WITHIN;
}

// True: it sprang so far outward, or inward, that it belongs to another road.
static bool is_elsewhere(const kerb_lane_keeper* keeper, const lane_point* own) {
    float width = keeper->memory.width;
    return own->spring < -LANE_SPRING || (width > 0.0f && own->spring > INWARD_MOST * width);
}

bool kerb_in_lane_is_apart(const kerb_lane_keeper* keeper, const lane_point* own,
                           const lane_point* other) {
    return is_elsewhere(keeper, own) &&
           keeper->memory.apart_for <= keeper->settings.edge_loss_distance &&
           !is_the_road(keeper, own, other);
}

bool kerb_in_lane_is_behind_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                   const lane_point* own) {
    if (!keeper->memory.started || !keeper->memory.edges[0].known || keeper->memory.turned_round)
        return false;
    if (keeper->memory.at_corner)
        return true;
    kerb_vec2* corner = &keeper->memory.edges[0].place;
    kerb_vec2 before = keeper->memory.edges[0].direction;
    float turn = kerb_vec2_cross(before, own->direction);
    // Not to its own side, nor to there.
    if (turn * lane_inward(keeper) > -TURNS_LEAST)
        return false;
    float along = kerb_vec2_cross(kerb_vec2_sub(own->hit, *corner), own->direction) / turn;
    *corner = lane_along(*corner, before, kerb_clamp(along, 0.0f, pose->lookahead));
    return true;
}
