// The lane that is driven, updated by what the edges tell. Private to the room.
//
// Work of every frame is here, so that it becomes part of the drive call; work of some frames is in
// line.c.
#ifndef KERB_IN_LANE_LINE_H
#define KERB_IN_LANE_LINE_H

#include "edges.h"

/// The turn from one piece of an edge to the next counts over this share of a piece, and at least
/// over this distance. [1], [m]
#define LANE_PIECE_SHARE 0.3f
#define LANE_PIECE_LEAST 0.7f
/// A smaller turn is one between pieces. [rad]
#define LANE_PIECES_TURN 0.3f
/// After a spring, the vehicle comes to the new lane at this lateral speed. [m/s]
#define LANE_SETTLE_SPEED 1.0f
#define LANE_BEND_SLIGHT 0.02f ///< no vehicle is too long for less [1/m]
/// Below this speed it drives in reverse. [m/s]
#define LANE_BACKS (-0.05f)
/// Sharpest lane that is believed. [1/m]
#define LANE_BEND_MOST 0.3f
/// `nearer` falls by this per frame. [1]
#define LANE_NEARER_FADES 0.02f

/// Extra distance from the lane's edge beyond `offset` for a bend of an edge. [m], [1/m]
float kerb_in_lane_wide_by(const kerb_lane_keeper* keeper, int32_t edge, float bend, float offset);

/// The edge sprang by `spring`: it is elsewhere now, the vehicle is not yet. [m]
void kerb_in_lane_settle_later(kerb_lane_keeper* keeper, float spring);

/// True: a turn of an edge is a corner, and not one between its pieces. [rad]
bool kerb_in_lane_turns_at_corner(const kerb_lane_keeper* keeper, const lane_point* point,
                                  float turn);

void kerb_in_lane_note_width(kerb_lane_keeper* keeper, const lane_seen* seen);

/// No edge is believed: the lane goes on from memory, or round the corner at which its own edge
/// ended. `behind`: that corner was seen.
void kerb_in_lane_go_on(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, const lane_seen* seen,
                        bool behind, float offset, float moved);

/// Where a vehicle hides the edge, or P_Ahead has left the road round a corner, P_Ahead moves
/// nearer and farther in turns until the edge is seen again.
static inline void lane_look_elsewhere(kerb_lane_keeper* keeper, const lane_seen* seen, bool knows,
                                       bool knows_own) {
    float* nearer = &keeper->memory.nearer;
    if (knows_own)
        *nearer = kerb_max(*nearer - LANE_NEARER_FADES, 0.0f);
    else if (!knows || seen->edges[0].hidden || seen->edges[1].hidden)
        *nearer += *nearer < 0.5f ? 0.2f : -0.5f;
}

/// The lane goes wide where a bend is too tight; no faster than it can be driven.
static inline void lane_go_wide(kerb_lane_keeper* keeper, int32_t edge, float offset, float moved) {
    const float bend = keeper->memory.edges[edge].bend * lane_inward(keeper);
    float wide = 0.0f, most = LANE_SIDEWAYS * moved;
    if (!(kerb_abs(bend) < LANE_BEND_SLIGHT))
        wide = kerb_in_lane_wide_by(keeper, edge, bend, offset - keeper->memory.settle);
    keeper->memory.wide += kerb_clamp(wide - keeper->memory.wide, -most, most);
}

/// An edge is made of straight pieces, and a ray gives the direction of one. What that differs from
/// the direction that the bend leads to counts gradually, over the distance driven where pieces are
/// long, because where the edge turns, the lane's points are farther apart, or nearer. At a corner
/// it counts at once. `more`: the turn beyond that of the bend over `way`. [rad], [m]
static inline kerb_vec2 lane_led_to(const kerb_lane_keeper* keeper, const lane_point* point,
                                    float more, float way, float moved) {
    if (kerb_abs(more) > LANE_PIECES_TURN && kerb_in_lane_turns_at_corner(keeper, point, more))
        return point->direction;
    const float piece = keeper->memory.edges[point->edge].piece;
    const float over = LANE_PIECE_SHARE * piece;
    float share = over > LANE_PIECE_LEAST ? moved / over : way * (1.0f / LANE_PIECE_LEAST);
    return lane_turned_little(point->direction, (kerb_min(share, 1.0f) - 1.0f) * more);
}

/// Makes a seen point the lane's, and learns the curvature from how the direction changes along the
/// lane.
static inline void lane_follow(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_point* point, float offset, float moved) {
    kerb_vec2 direction = point->direction;
    // Round a corner of the edge a point of the lane inside the bend moves back: it still turns the
    // same way, as the vehicle goes on. From one edge to the other the direction may step, and
    // where P_Ahead came nearer, or the vehicle backs out, it turns back.
    if (keeper->memory.started && point->edge == keeper->memory.line_edge && !point->nearer &&
        pose->speed > LANE_BACKS) {
        float turn = kerb_vec2_cross(keeper->memory.line_direction, point->direction);
        float* bend = &keeper->memory.line_curvature;
        float way = point->along > 0.0f ? point->along : moved;
        float over = kerb_max(pose->lookahead, way);
        direction = lane_led_to(keeper, point, turn - *bend * way, way, moved);
        turn = kerb_vec2_cross(keeper->memory.line_direction, direction);
        *bend = kerb_clamp(*bend + (turn - *bend * way) / over, -LANE_BEND_MOST, LANE_BEND_MOST);
    }
    float inward =
        kerb_vec2_dot(kerb_vec2_sub(point->place, point->hit), lane_left_of(point->direction));
    keeper->memory.line = lane_along(point->hit, lane_left_of(direction), inward);
    keeper->memory.line_direction = direction;
    keeper->memory.line_offset = offset;
    if (kerb_abs(point->spring) > LANE_SPRING)
        kerb_in_lane_settle_later(keeper, point->spring);
    keeper->memory.line_edge = point->edge;
    keeper->memory.lost = 0.0f;
    keeper->memory.started = true;
    lane_go_wide(keeper, point->edge, keeper->memory.line_offset, moved);
}

/// A vehicle ahead may hide the edge there: then it stays where it was.
static inline void lane_note_blocked(kerb_lane_keeper* keeper, const lane_seen* seen, float moved) {
    if (seen->edges_ahead == 2)
        keeper->memory.blocked = seen->free_ahead;
    else
        keeper->memory.blocked = seen->vehicle ? keeper->memory.blocked - moved : 0.0f;
}

/// Updates the lane by what the edges tell.
static inline void lane_see_line(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                 lane_seen* seen, float time_step) {
    float moved = kerb_max(pose->speed, 0.0f) * time_step;
    float fade = LANE_SETTLE_SPEED * time_step;
    keeper->memory.settle -= kerb_clamp(keeper->memory.settle, -fade, fade);
    float offset = lane_offset_at(keeper, pose->reach / kerb_max(pose->speed, 1.0f));
    keeper->memory.edges[0].since += moved;
    keeper->memory.edges[1].since += moved;
    keeper->memory.led -= moved;
    const lane_choice choice = lane_choose_edge(keeper, pose, seen, offset);
    keeper->memory.apart_for = keeper->memory.apart ? keeper->memory.apart_for + moved : 0.0f;
    if (seen->notes && !keeper->memory.apart)
        kerb_in_lane_note_width(keeper, seen);
    keeper->decision.edge_seen = choice.own;
    lane_look_elsewhere(keeper, seen, choice.point.good, choice.own);
    lane_note_blocked(keeper, seen, moved);
    if (!choice.point.good) {
        kerb_in_lane_go_on(keeper, pose, seen, choice.behind, offset, moved);
        return;
    }
    keeper->memory.at_corner = false;
    lane_follow(keeper, pose, &choice.point, offset, moved);
    kerb_in_lane_fill(keeper, pose, choice.point.direction);
}

#endif
