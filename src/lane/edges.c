// Which of the road's two edges tells where the lane is, and what it tells.
//
// An edge that springs outward is a side road's mouth and is not followed for `hold_distance`; one
// that springs inward counts at once. Round a hairpin's corner the outer edge leads on where the
// lane's own ends for the ray.
#include "edges.h"

// No edge springs inward by more than this share of the road at once. [1]
#define INWARD_MOST 0.5f
// Cosine of the angle by which two edges of a road may differ, and the share of its width by which
// that may be another one than before. [1]
#define FACING 0.9f
#define SAME_WIDTH 0.15f
// An edge met so near to where the other one was is that. [m]
#define BACK_WITHIN 30.0f
// Sine of the angle by which an edge points back from where the lane leads. [1]
#define TURNS_BACK 0.7f
// Cosine of the angle from which an edge ahead leads back beside the vehicle, and sine of the turn
// that its corner has at least. [1]
#define BEHIND 0.0f
#define TURNS_LEAST 0.3f
// Unseen for longer than this, nothing is known of how an edge goes on. [m]
#define GOES_ON 4.0f
// The bend of an edge is measured over so much of it. [m]
#define BEND_OVER 8.0f

// `distance` off an edge; `offset`: of the lane from its own edge there.
static inline void see_point(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                             const lane_edge_seen* edge, float distance, float offset,
                             lane_point* point) {
    point->good = false;
    if (!edge->met)
        return;
    const kerb_vec2 normal = edge->normal;
    point->hit = edge->hit;
    point->place = lane_along(edge->hit, normal, distance); // kerb_lane_drive_to: it is level
    point->direction = kerb_vec2_make(normal.y, -normal.x);
    if (kerb_vec2_dot(point->direction, pose->ahead.direction) < 0.0f)
        point->direction = kerb_vec2_make(-normal.y, normal.x);
    // An edge met so askew that the lane beside it is far from P_Ahead says nothing of the lane
    // there.
    kerb_vec2 off = kerb_vec2_sub(point->place, pose->ahead.place);
    point->good = kerb_abs(kerb_vec2_dot(off, pose->ahead.direction)) < pose->lookahead;
    const kerb_vec2 lane = keeper->memory.line_direction;
    kerb_vec2 step = kerb_vec2_sub(point->place, keeper->memory.line);
    point->along = kerb_vec2_dot(step, lane);
    float aside = kerb_vec2_cross(lane, step) -
                  0.5f * keeper->memory.line_curvature * point->along * point->along;
    point->spring = 0.0f;
    if (keeper->memory.started)
        point->spring = lane_inward(keeper) * aside - (offset - keeper->memory.line_offset);
}

// An edge goes on where it was met last when the way from there is that of an arc: its chord points
// halfway between the two directions.
static bool goes_on(const kerb_lane_keeper* keeper, const lane_point* point) {
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

// Whether an edge is not where the lane expects it. One that goes on from where it was has not
// sprung, whatever the lane expects.
static bool has_sprung(const kerb_lane_keeper* keeper, lane_point* point) {
    if (kerb_abs(point->spring) < LANE_SPRING)
        return false;
    if (point->good && goes_on(keeper, point))
        point->spring = 0.0f;
    return point->spring != 0.0f;
}

static inline void note_edge(kerb_lane_keeper* keeper, const lane_point* point) {
    const int32_t edge = point->edge;
    if (!point->good)
        return;
    if (keeper->memory.edges[edge].known) {
        kerb_vec2 before = keeper->memory.edges[edge].direction;
        float along =
            kerb_vec2_dot(before, kerb_vec2_sub(point->hit, keeper->memory.edges[edge].place));
        float turn = kerb_vec2_cross(before, point->direction);
        float* bend = &keeper->memory.edges[edge].bend;
        *bend += (turn - *bend * along) / kerb_max(kerb_abs(along), BEND_OVER);
    }
    keeper->memory.edges[edge].known = true;
    keeper->memory.edges[edge].place = point->hit;
    keeper->memory.edges[edge].direction = point->direction;
    keeper->memory.edges[edge].since = 0.0f;
}

// Two edges that face each other, as far apart as the road's always were, are the road, wherever
// the lane was thought to be.
static bool is_the_road(const kerb_lane_keeper* keeper, const lane_point* own,
                        const lane_point* other) {
    float width = keeper->memory.width;
    if (!own->good || !other->good || !(width > 0.0f) ||
        kerb_vec2_dot(own->direction, other->direction) < FACING)
        return false;
    kerb_vec2 across = kerb_vec2_sub(other->hit, own->hit);
    float apart = kerb_abs(kerb_vec2_cross(own->direction, across));
    return kerb_abs(apart - width) < SAME_WIDTH * width;
}

// What would be its own edge lies where the other one was, and leads back: the vehicle has turned
// round, and following it would be driving back.
static bool is_way_back(const kerb_lane_keeper* keeper, const lane_point* own) {
    kerb_vec2 before = keeper->memory.edges[1].direction;
    if (!own->good || !(kerb_vec2_dot(before, own->direction) < -FACING) ||
        keeper->memory.edges[1].since > BACK_WITHIN)
        return false;
    kerb_vec2 off = kerb_vec2_sub(own->hit, keeper->memory.edges[1].place);
    return kerb_abs(kerb_vec2_cross(before, off)) < LANE_SPRING &&
           kerb_abs(kerb_vec2_dot(before, off)) < BACK_WITHIN;
}

// Sprung so far outward, or so far inward, that it is another road's.
static bool is_elsewhere(const kerb_lane_keeper* keeper, const lane_point* own) {
    float width = keeper->memory.width;
    return own->spring < -LANE_SPRING || (width > 0.0f && own->spring > INWARD_MOST * width);
}

// Its own edge has shown where the lane leads behind a hairpin's corner; the other one, beside the
// vehicle still, tells of the road before that, and following it would turn the wheels back.
static bool leads_back(const kerb_lane_keeper* keeper, const lane_point* other) {
    float turn = kerb_vec2_cross(keeper->memory.led_to, other->direction);
    return keeper->memory.led > -keeper->memory.width && keeper->memory.started &&
           keeper->memory.lost < LANE_CORNER_FREE * keeper->memory.width &&
           (keeper->memory.line_curvature > 0.0f ? -turn : turn) > TURNS_BACK;
}

// Where P_Ahead came nearer its own edge may be met before a corner that it was met behind before.
// True where it was.
static bool was_farther(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                        const lane_point* own) {
    if (!own->good || pose->reach < keeper->memory.led)
        return own->good;
    keeper->memory.led = pose->reach;
    keeper->memory.led_to = own->direction;
    return false;
}

// P_Ahead sees past a corner of its own edge, to a piece that leads back beside the vehicle.
// Followed, that would turn the vehicle to either side. It says where the corner is, and that is
// gone round first.
static bool is_behind_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                             const lane_point* own) {
    if (!own->good || !keeper->memory.started || !keeper->memory.edges[0].known ||
        keeper->memory.turned_round || kerb_vec2_dot(own->direction, pose->forward) > BEHIND)
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

// Which of what the two edges say counts; not good: neither. An edge is believed where the lane
// expects it, and where it goes on from where it was: round a hairpin's corner, where its own edge
// ends for the ray, the outer one leads on. While its own is where it is expected, the other one is
// looked at now and then only.
const lane_point* lane_choose_edge(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                   lane_seen* seen, float offset, lane_point points[2]) {
    lane_point *own = &points[0], *other = &points[1];
    const float width = keeper->memory.width;
    const bool notes = lane_takes_notes(keeper), both = keeper->settings.edge == KERB_LANE_BOTH;
    own->edge = 0, other->edge = 1;
    see_point(keeper, pose, &seen->edges[0], offset, offset, own);
    const bool sprung = own->good && has_sprung(keeper, own);
    keeper->memory.turned_round =
        is_way_back(keeper, own) || (keeper->memory.turned_round && lane_is_askew(keeper, pose));
    other->good = false;
    if (width > 0.0f && (!own->good || sprung || both || notes)) {
        lane_see_other(seen);
        see_point(keeper, pose, &seen->edges[1], width - offset, offset, other);
    }
    keeper->memory.apart = sprung && is_elsewhere(keeper, own) &&
                           keeper->memory.apart_for <= keeper->settings.hold_distance &&
                           !is_the_road(keeper, own, other);
    own->good = own->good && !keeper->memory.apart && !keeper->memory.turned_round;
    own->behind = is_behind_corner(keeper, pose, own);
    own->good = own->good && !own->behind;
    own->nearer = was_farther(keeper, pose, own);
    other->nearer = false;
    other->good = other->good && !own->behind && !keeper->memory.turned_round &&
                  !keeper->memory.at_corner && !leads_back(keeper, other) &&
                  !has_sprung(keeper, other);
    note_edge(keeper, own);
    note_edge(keeper, other);
    if (both && own->good && other->good) {
        own->place = kerb_vec2_scale(kerb_vec2_add(own->place, other->place), 0.5f);
        own->spring = 0.5f * (own->spring + other->spring);
    }
    return own->good ? own : other;
}
