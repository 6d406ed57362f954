// Points of the lane as the edges of the road tell them. Private to the room.
//
// Work of every frame is here, so that it becomes part of the drive call; work of some frames is in
// edges.c.
#ifndef KERB_IN_LANE_EDGES_H
#define KERB_IN_LANE_EDGES_H

#include "frame.h"

/// An edge farther than this from where it was expected has sprung. [m]
#define LANE_SPRING 0.6f
/// Road that is blocked ahead within this many widths of the road turns there. [1]
#define LANE_CORNER_FREE 1.5f
/// Least cosine of the angle between the two edges of a road. [1]
#define LANE_FACING 0.9f
/// Below this cosine of its angle an edge ahead leads back beside the vehicle. [1]
#define LANE_BEHIND 0.0f
/// Sine of the angle by which an edge points back from where the lane leads. [1]
#define LANE_TURNS_BACK 0.7f
/// An edge that turns by more than KINK at once is made of pieces; none counts as longer than MOST.
/// After a step between two hits of more than STEP a piece may have been missed. [rad], [m], [m]
#define LANE_KINK 0.02f
#define LANE_PIECE_MOST 8.0f
#define LANE_PIECE_STEP 1.0f
/// The curvature of an edge is measured over this distance. [m]
#define LANE_BEND_OVER 8.0f

/// A point of the lane and its direction there, as one edge tells.
typedef struct lane_point {
    bool good;
    int32_t edge;  ///< 0 the lane's own, 1 the other
    kerb_vec2 hit; ///< on the edge [m]
    kerb_vec2 place, direction;
    float along;  ///< distance from the point of the remembered lane, along it [m]
    bool nearer;  ///< the edge is met nearer than before
    float spring; ///< how far inward it is from where it was expected [m]
} lane_point;

/// What the two edges say together.
typedef struct lane_choice {
    lane_point point; ///< the one that counts; not good: none
    bool own;         ///< it comes from the lane's own edge
    bool behind;      ///< a corner of its own edge, which it must go round first, is seen
} lane_choice;

/// True: an edge that is not where the lane expects it has sprung. An edge that goes on from where
/// it was has not.
bool kerb_in_lane_has_sprung(const kerb_lane_keeper* keeper, lane_point* point);

/// True: what seems to be its own edge lies where the other edge was, and leads back. Then the
/// vehicle has turned round, and following it would be driving back.
bool kerb_in_lane_is_way_back(const kerb_lane_keeper* keeper, const lane_point* own);

/// True: an own edge that has sprung belongs to another road, and is not followed.
bool kerb_in_lane_is_apart(const kerb_lane_keeper* keeper, const lane_point* own,
                           const lane_point* other);

/// P_Ahead sees past a corner of its own edge, to a piece that leads back beside the vehicle.
/// Following that would turn the vehicle to the wrong side. It says where the corner is, and the
/// vehicle goes round that first.
bool kerb_in_lane_is_behind_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                   const lane_point* own);

/// The point of the lane at `distance` from an edge; `offset`: distance of the lane from its own
/// edge there. [m]
static inline lane_point lane_point_off(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                        const lane_edge_seen* seen, int32_t edge, float distance,
                                        float offset) {
    lane_point point = {.good = false, .edge = edge};
    if (!seen->met)
        return point;
    const kerb_vec2 normal = seen->normal;
    point.hit = seen->hit;
    point.place = lane_along(seen->hit, normal, distance); // kerb_lane_target_point: it is level
    point.direction = kerb_vec2_make(normal.y, -normal.x);
    if (kerb_vec2_dot(point.direction, pose->ahead.direction) < 0.0f)
        point.direction = kerb_vec2_make(-normal.y, normal.x);
    // An edge met so obliquely that the lane beside it is far from P_Ahead says nothing about it.
    kerb_vec2 off = kerb_vec2_sub(point.place, pose->ahead.place);
    point.good = kerb_abs(kerb_vec2_dot(off, pose->ahead.direction)) < pose->lookahead;
    const kerb_vec2 lane = keeper->memory.line_direction;
    kerb_vec2 step = kerb_vec2_sub(point.place, keeper->memory.line);
    point.along = kerb_vec2_dot(step, lane);
    float aside = kerb_vec2_cross(lane, step) -
                  0.5f * keeper->memory.line_curvature * point.along * point.along;
    if (keeper->memory.started)
        point.spring = lane_inward(keeper) * aside - (offset - keeper->memory.line_offset);
    return point;
}

static inline bool lane_springs(const kerb_lane_keeper* keeper, lane_point* point) {
    if (kerb_abs(point->spring) < LANE_SPRING)
        return false;
    lane_point rare = *point; // a copy: an object without an address can stay in registers
    const bool sprung = kerb_in_lane_has_sprung(keeper, &rare);
    point->spring = rare.spring;
    return sprung;
}

/// Length of the straight pieces of which an edge is made. P_Ahead may come back over a kink,
/// because it follows the lane's direction.
static inline void lane_note_piece(kerb_lane_keeper* keeper, int32_t edge, float along,
                                   float turn) {
    float* straight = &keeper->memory.edges[edge].straight;
    float* piece = &keeper->memory.edges[edge].piece;
    if (!(kerb_abs(turn) > LANE_KINK)) {
        *straight += along;
        return;
    }
    if (along > 0.0f)
        *piece = along > LANE_PIECE_STEP ? 0.0f : kerb_clamp(*straight, 0.0f, LANE_PIECE_MOST);
    *straight = along > 0.0f ? 0.0f : *piece;
}

static inline void lane_note_edge(kerb_lane_keeper* keeper, const lane_point* point) {
    const int32_t edge = point->edge;
    if (keeper->memory.edges[edge].known) {
        kerb_vec2 before = keeper->memory.edges[edge].direction;
        float along =
            kerb_vec2_dot(before, kerb_vec2_sub(point->hit, keeper->memory.edges[edge].place));
        float turn = kerb_vec2_cross(before, point->direction);
        float* bend = &keeper->memory.edges[edge].bend;
        *bend += (turn - *bend * along) / kerb_max(kerb_abs(along), LANE_BEND_OVER);
        lane_note_piece(keeper, edge, along, turn);
    }
    keeper->memory.edges[edge].known = true;
    keeper->memory.edges[edge].place = point->hit;
    keeper->memory.edges[edge].direction = point->direction;
    keeper->memory.edges[edge].since = 0.0f;
}

static inline bool lane_leads_back_own(const kerb_lane_keeper* keeper, const lane_point* own) {
    if (!own->good ||
        !(kerb_vec2_dot(keeper->memory.edges[1].direction, own->direction) < -LANE_FACING))
        return false;
    const lane_point rare = *own;
    return kerb_in_lane_is_way_back(keeper, &rare);
}

static inline bool lane_is_behind(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                  const lane_point* own) {
    if (!own->good || kerb_vec2_dot(own->direction, pose->forward) > LANE_BEHIND)
        return false;
    const lane_point rare = *own;
    return kerb_in_lane_is_behind_corner(keeper, pose, &rare);
}

/// Its own edge has shown where the lane leads behind a hairpin's corner. The other one, still
/// beside the vehicle, tells of the road before that, and following it would turn the wheels back.
static inline bool lane_leads_back(const kerb_lane_keeper* keeper, const lane_point* other) {
    float turn = kerb_vec2_cross(keeper->memory.led_to, other->direction);
    return keeper->memory.led > -keeper->memory.width && keeper->memory.started &&
           keeper->memory.lost < LANE_CORNER_FREE * keeper->memory.width &&
           (keeper->memory.line_curvature > 0.0f ? -turn : turn) > LANE_TURNS_BACK;
}

/// Decides which edge counts. An edge is believed where the lane expects it, and where it goes on
/// from where it was: round a hairpin's corner, where its own edge ends for the ray, the outer one
/// leads on. While its own is where it is expected, the other one is only looked at now and then.
/// `offset`: distance of the lane from its own edge at P_Ahead. [m]
static inline lane_choice lane_choose_edge(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                           lane_seen* seen, float offset) {
    const float width = keeper->memory.width;
    const bool both = keeper->settings.edge == KERB_LANE_BOTH;
    lane_point own = lane_point_off(keeper, pose, &seen->edges[0], 0, offset, offset);
    lane_point other = {.good = false, .edge = 1};
    const bool sprung = own.good && lane_springs(keeper, &own);
    keeper->memory.turned_round = lane_leads_back_own(keeper, &own) ||
                                  (keeper->memory.turned_round && lane_is_askew(keeper, pose));
    if (width > 0.0f && (!own.good || sprung || both || seen->notes)) {
        kerb_in_lane_see_other(keeper, seen);
        other = lane_point_off(keeper, pose, &seen->edges[1], 1, width - offset, offset);
    }
    keeper->memory.apart = false;
    if (sprung) {
        const lane_point rare = own, beside = other;
        keeper->memory.apart = kerb_in_lane_is_apart(keeper, &rare, &beside);
    }
    own.good = own.good && !keeper->memory.apart && !keeper->memory.turned_round;
    const bool behind = lane_is_behind(keeper, pose, &own);
    own.good = own.good && !behind;
    // Where P_Ahead came nearer, the own edge may be met before a corner; the last hit was behind
    // that corner.
    own.nearer = own.good;
    if (own.good && !(pose->reach < keeper->memory.led)) {
        keeper->memory.led = pose->reach;
        keeper->memory.led_to = own.direction;
        own.nearer = false;
    }
    if (own.good)
        lane_note_edge(keeper, &own);
    if (other.good) {
        other.good = !behind && !keeper->memory.turned_round && !keeper->memory.at_corner;
        other.good =
            other.good && !lane_leads_back(keeper, &other) && !lane_springs(keeper, &other);
        if (other.good)
            lane_note_edge(keeper, &other);
    }
    if (both && own.good && other.good) {
        own.place = kerb_vec2_scale(kerb_vec2_add(own.place, other.place), 0.5f);
        own.spring = 0.5f * (own.spring + other.spring);
    }
    const bool good = own.good;
    if (!good)
        own = other;
    lane_choice choice = {own, good, behind};
    return choice;
}

#endif
