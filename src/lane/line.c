// The lane that is driven by: a point, a direction and a bend, brought up to date by what the edges
// tell and remembered while they are missing. Where an edge springs inward the lane is approached
// gently; round the corner of an edge it turns as tight as the vehicle can.
#include "edges.h"

// What an edge's pieces turn from one to the next counts over so much of the way, and no turn of
// more is one of pieces. [m], [rad]
#define PIECE 0.7f
#define PIECES_TURN 0.3f
// After that the vehicle comes to the new lane at this speed to the side. [m/s]
#define SETTLE_SPEED 1.0f
#define BEND_SLIGHT 0.02f // no vehicle is too long for less [1/m]
// Slower than this it backs out. [m/s]
#define BACKS (-0.05f)
// Sharpest lane that is believed. [1/m]
#define BEND_MOST 0.3f
// What P_Ahead is nearer for somebody who hides the edge comes back by so much a frame. [1]
#define NEARER_FADES 0.02f
// At the start, nearer to its lane than this, it is in it. [m]
#define IN_LANE 0.3f
// Cosine of the angle that a road turns by between the vehicle and P_Ahead at most: who is farther
// off the edge's direction is askew. [1]
#define COSINE_LEAST 0.95f
#define NOT_MET 1.0e6f // [m]

static void note_width(kerb_lane_keeper* keeper, const lane_seen* seen) {
    const lane_edge_seen *own = &seen->edges[0], *other = &seen->edges[1];
    if (!own->met || !other->met || kerb_vec2_dot(own->normal, other->normal) > -0.8f)
        return;
    float width = kerb_vec2_dot(kerb_vec2_sub(other->hit, own->hit), own->normal);
    float* held = &keeper->memory.width;
    *held = *held > 0.0f ? *held + 0.2f * (width - *held) : width;
}

static float distance_from(const lane_edge_seen* edge, kerb_vec2 place) {
    return edge->met ? kerb_vec2_dot(kerb_vec2_sub(place, edge->hit), edge->normal) : NOT_MET;
}

// It was told which way is meant, and faces another: as if it had been turned round in its lane.
static void start_turned_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_seen* seen) {
    keeper->memory.line_direction = keeper->memory.way_meant;
    keeper->memory.started = true;
    keeper->memory.turned_round = lane_is_askew(keeper, pose);
    keeper->memory.started = keeper->memory.turned_round;
    if (!keeper->memory.turned_round)
        return;
    float offset = keeper->settings.edge_distance;
    bool back = kerb_vec2_dot(keeper->memory.way_meant, pose->forward) < 0.0f;
    if (back && seen->edges[1].met) // its own, by the way that is meant
        offset = distance_from(&seen->edges[1], pose->position);
    keeper->memory.line = pose->position;
    keeper->memory.line_offset = offset;
    keeper->memory.offset_from = keeper->memory.offset_to = offset;
    // To the edge that is farther off there is more room, to one that was not met most.
    float own = distance_from(&seen->edges[0], pose->position);
    float other = distance_from(&seen->edges[1], pose->position);
    keeper->memory.roomy_side = lane_inward(keeper) * (other < own ? -1.0f : 1.0f);
}

void lane_start(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, const lane_seen* seen) {
    float wanted = keeper->settings.edge_distance, offset = wanted;
    if (seen->edges[0].met) {
        offset = distance_from(&seen->edges[0], pose->position);
        // In a bend that has turned the edge by θ at the hit, its tangent there passes the vehicle
        // at offset·cos θ ± reach·tan(θ/2), for the arcs of a road have one centre.
        float sine = lane_inward(keeper) * kerb_vec2_dot(seen->edges[0].normal, pose->forward);
        float cosine = kerb_sqrt(1.0f - sine * sine);
        offset += lane_inward(keeper) * 0.5f * sine * pose->reach;
        if (cosine > COSINE_LEAST)
            offset /= cosine;
    }
    if (kerb_abs(offset - wanted) < IN_LANE)
        offset = wanted;
    keeper->memory.offset_from = keeper->memory.offset_to = offset;
    keeper->memory.line = pose->ahead.place;
    keeper->memory.line_direction = pose->forward;
    keeper->memory.line_offset = offset;
    keeper->memory.look_step = 0.015f;
    keeper->memory.slip = LANE_SLIP_TYRES;
    if (kerb_vec2_dot(keeper->memory.way_meant, keeper->memory.way_meant) > 0.0f)
        start_turned_round(keeper, pose, seen);
}

// Told which way is meant, and round: where its lane is it sees only now.
void lane_end_turning_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    kerb_vec2* way = &keeper->memory.way_meant;
    if (!keeper->memory.started || kerb_vec2_dot(*way, *way) == 0.0f ||
        (keeper->memory.turned_round && lane_is_askew(keeper, pose)))
        return;
    if (keeper->memory.turned_round)
        keeper->memory.started = keeper->memory.turned_round = keeper->memory.across = false;
    keeper->memory.roomy_side = 0.0f;
    *way = kerb_vec2_make(0.0f, 0.0f);
}

// --------------------------------------------------------------------------- following an edge

// Where somebody hides the edge, or P_Ahead has left the road round a corner, it goes nearer and
// farther by turns until the edge is seen again.
static void look_elsewhere(kerb_lane_keeper* keeper, const lane_seen* seen, bool knows,
                           bool knows_own) {
    float* nearer = &keeper->memory.nearer;
    bool hidden = seen->edges[0].hidden || seen->edges[1].hidden;
    if (!knows || (hidden && !knows_own))
        *nearer += *nearer < 0.5f ? 0.2f : -0.5f;
    else if (knows_own)
        *nearer = kerb_max(*nearer - NEARER_FADES, 0.0f);
}

// Where the lane turns tighter than the vehicle can, beside an edge that is hardly more than a
// corner or far inside an outer one, the vehicle goes wide: so much farther from the lane's edge.
// So it does where in a bend its nose would come over the lane's edge outside, or its rear over
// that inside: they sweep what a circle about the bend's centre adds to its width.
static float wide_by(const kerb_lane_keeper* keeper, int32_t edge, float offset) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    float bend = keeper->memory.edges[edge].bend * lane_inward(keeper);
    if (kerb_abs(bend) < BEND_SLIGHT)
        return 0.0f;
    float width = keeper->memory.width, margin = keeper->settings.margin;
    float most = width > 0.0f ? width - 0.5f * vehicle->width - margin : 0.0f;
    float rear = vehicle->reference_to_rear_axle, nose = rear + vehicle->reference_to_front;
    float sweeps = 0.5f * (bend > 0.0f ? bend * (nose * nose - rear * rear) : -bend * rear * rear);
    float wide = 0.5f * vehicle->width + margin + sweeps - offset;
    if (bend < 0.0f) { // the lane's edge is the inner one
        float radius = -1.0f / bend;
        radius = edge == 0 ? radius + offset : radius - (width - offset);
        wide = kerb_max(wide, kerb_vehicle_turning_radius(vehicle) - radius);
    }
    return kerb_clamp(wide, 0.0f, kerb_max(most - offset, 0.0f));
}

static void go_wide(kerb_lane_keeper* keeper, const lane_point* point, float offset, float moved) {
    float wide = wide_by(keeper, point->edge, offset - keeper->memory.settle);
    if (wide > keeper->memory.settle)
        keeper->memory.settle = kerb_min(keeper->memory.settle + moved, wide);
}

// An edge is made of straight pieces, and a ray says the direction of one: what it differs from the
// direction that the bend leads to counts little by little. One that turns by more is a corner.
static kerb_vec2 led_to(const kerb_lane_keeper* keeper, const lane_point* point, float way,
                        float turn) {
    float more = turn - keeper->memory.line_curvature * way;
    if (kerb_abs(more) > PIECES_TURN)
        return point->direction;
    float share = kerb_clamp(way * (1.0f / PIECE), 0.0f, 1.0f);
    return lane_turned_little(point->direction, (share - 1.0f) * more);
}

// Makes a seen point the lane's, and learns the bend from how the direction changes on the way.
static void follow_line(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                        const lane_point* point, float offset, float moved) {
    kerb_vec2 direction = point->direction;
    // Round a corner of the edge a point of the lane inside the bend moves back: it still turns the
    // same way, as the vehicle goes on. From one edge to the other the direction may step, and
    // where P_Ahead came nearer, or the vehicle backs out, it turns back.
    if (keeper->memory.started && point->edge == keeper->memory.line_edge && !point->nearer &&
        pose->speed > BACKS) {
        float turn = kerb_vec2_cross(keeper->memory.line_direction, point->direction);
        float* bend = &keeper->memory.line_curvature;
        float way = point->along > 0.0f ? point->along : moved;
        float over = kerb_max(pose->lookahead, way);
        direction = led_to(keeper, point, way, turn);
        turn = kerb_vec2_cross(keeper->memory.line_direction, direction);
        *bend = kerb_clamp(*bend + (turn - *bend * way) / over, -BEND_MOST, BEND_MOST);
    }
    float inward =
        kerb_vec2_dot(kerb_vec2_sub(point->place, point->hit), lane_left_of(point->direction));
    keeper->memory.line = lane_along(point->hit, lane_left_of(direction), inward);
    keeper->memory.line_direction = direction;
    keeper->memory.line_offset = offset;
    if (kerb_abs(point->spring) > LANE_SPRING) {
        // The edge is elsewhere now; the vehicle is not.
        keeper->memory.line = lane_along(keeper->memory.line, lane_left_of(direction),
                                         -point->spring * lane_inward(keeper));
        keeper->memory.line_offset -= point->spring;
        keeper->memory.settle -= point->spring;
    }
    keeper->memory.line_edge = point->edge;
    keeper->memory.lost = 0.0f;
    keeper->memory.started = true;
    go_wide(keeper, point, keeper->memory.line_offset, moved);
}

// The point `lookahead` on by the remembered line.
static kerb_vec2 on_line(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    kerb_vec2 ahead =
        lane_along(pose->ahead.place, pose->ahead.direction, pose->lookahead - pose->reach);
    kerb_vec2 off = kerb_vec2_sub(ahead, keeper->memory.line);
    float along = kerb_vec2_dot(off, keeper->memory.line_direction);
    float offset = lane_offset_at(keeper, pose->lookahead / kerb_max(pose->speed, 1.0f));
    float shift = lane_inward(keeper) * (offset - keeper->memory.line_offset) +
                  0.5f * keeper->memory.line_curvature * along * along;
    kerb_vec2 held = lane_along(keeper->memory.line, keeper->memory.line_direction, along);
    return lane_along(held, lane_left_of(keeper->memory.line_direction), shift);
}

// --------------------------------------------------------------------------- round a corner

// No edge is believed, and straight on the road is blocked within little more than its width: the
// lane's own edge has ended in a corner, and the road goes on behind that. At a side road's mouth
// or in a gap the road ahead is free.
static bool is_at_corner(const kerb_lane_keeper* keeper, const lane_seen* seen) {
    float near_by = LANE_CORNER_FREE * keeper->memory.width, blocked = keeper->memory.blocked;
    return keeper->memory.edges[0].known && !seen->edges[0].hidden && blocked > 0.0f &&
           blocked < near_by;
}

// Whoever is ahead may hide the edge there: it is where it was.
static void note_blocked(kerb_lane_keeper* keeper, const lane_seen* seen, float moved) {
    if (seen->edges_ahead == 2)
        keeper->memory.blocked = seen->free_ahead;
    else
        keeper->memory.blocked = seen->vehicle ? keeper->memory.blocked - moved : 0.0f;
}

// Turns the lane about the corner as tight as the vehicle can; the point `lookahead` on: straight
// until the corner is abeam, then round it.
static kerb_vec2 round_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float offset) {
    const float side = lane_inward(keeper);
    const kerb_vec2 corner = keeper->memory.edges[0].place;
    float radius = kerb_max(offset, kerb_vehicle_turning_radius(&keeper->vehicle));
    kerb_vec2 off = kerb_vec2_sub(pose->position, corner);
    float before = -kerb_vec2_dot(off, keeper->memory.line_direction);
    kerb_vec2 out = kerb_vec2_scale(lane_left_of(keeper->memory.line_direction), side);
    if (before <= 0.0f) {
        out = kerb_vec2_scale(off, 1.0f / kerb_max(kerb_vec2_length(off), 0.1f));
        keeper->memory.line_direction = kerb_vec2_make(side * out.y, -side * out.x);
        keeper->memory.line_curvature = -side / radius;
        keeper->memory.line = lane_along(corner, out, radius);
        keeper->memory.line_offset = offset;
    }
    float angle = (pose->lookahead - kerb_max(before, 0.0f)) / radius;
    if (angle <= 0.0f)
        return on_line(keeper, pose);
    return lane_along(corner, lane_turned(out, -side * angle), radius);
}

// The point to drive to.
kerb_vec2 lane_see_line(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, lane_seen* seen,
                        float time_step) {
    float moved = kerb_max(pose->speed, 0.0f) * time_step;
    float fade = SETTLE_SPEED * time_step;
    keeper->memory.settle -= kerb_clamp(keeper->memory.settle, -fade, fade);
    float offset = lane_offset_at(keeper, pose->reach / kerb_max(pose->speed, 1.0f));
    keeper->memory.edges[0].since += moved;
    keeper->memory.edges[1].since += moved;
    keeper->memory.led -= moved;
    lane_point points[2];
    const lane_point* point = lane_choose_edge(keeper, pose, seen, offset, points);
    keeper->memory.apart_for = keeper->memory.apart ? keeper->memory.apart_for + moved : 0.0f;
    if (lane_takes_notes(keeper) && !keeper->memory.apart)
        note_width(keeper, seen);
    keeper->thoughts.edge_seen = points[0].good;
    look_elsewhere(keeper, seen, point->good, points[0].good);
    if (!point->good)
        keeper->memory.lost += moved;
    else
        follow_line(keeper, pose, point, offset, moved);
    note_blocked(keeper, seen, moved);
    keeper->memory.at_corner =
        !point->good && keeper->memory.started &&
        (points[0].behind || (keeper->memory.at_corner && keeper->memory.blocked > 0.0f) ||
         is_at_corner(keeper, seen));
    if (keeper->memory.at_corner)
        return round_corner(keeper, pose, offset);
    if (point->good && pose->reach >= pose->lookahead)
        return keeper->memory.line;
    return on_line(keeper, pose);
}
