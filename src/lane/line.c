// Purpose: the lane that is driven: a point, a direction and a curvature.
// Idea:    Updated by what the edges tell, and remembered while they are missing. Where an edge
//          springs inward, the lane is approached gently. Round the corner of an edge it turns as
//          tight as the vehicle can.
// Cost:    O(1).
#include "line.h"

// At the start, a vehicle nearer to its lane than this is in it. [m]
#define IN_LANE 0.3f
// Cosine of the greatest angle by which a road turns between the vehicle and P_Ahead; at a larger
// angle to the edge the vehicle is askew. [1]
#define COSINE_LEAST 0.95f
// Cosine of the angle from which a turn of an edge is a corner. [1]
#define CORNER_COSINE 0.7f
#define NOT_MET 1.0e6f // [m]

void kerb_in_lane_note_width(kerb_lane_keeper* keeper, const lane_seen* seen) {
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

// The host gave a direction and the vehicle faces another one: as if it had been turned round in
// its lane.
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
    // The edge that is farther away leaves more width, one that was not met the most.
    float own = distance_from(&seen->edges[0], pose->position);
    float other = distance_from(&seen->edges[1], pose->position);
    keeper->memory.roomy_side = lane_inward(keeper) * (other < own ? -1.0f : 1.0f);
}

void kerb_in_lane_start(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                        const lane_seen* seen) {
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
    if (kerb_vec2_dot(keeper->memory.way_meant, keeper->memory.way_meant) > 0.0f)
        start_turned_round(keeper, pose, seen);
}

// The host gave a direction, and the vehicle has turned to it: only now it can see its lane.
void kerb_in_lane_end_turning_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
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

// Pieces of an edge make an arc that the vehicle can drive; those of a corner are too short for
// that. On the inside of a bend pieces are short, and a turn that counts late there leads over the
// edge.
bool kerb_in_lane_turns_at_corner(const kerb_lane_keeper* keeper, const lane_point* point,
                                  float turn) {
    const bool inside = (turn * lane_inward(keeper) < 0.0f) == (point->edge == 0);
    float tightest = kerb_vehicle_turning_radius(&keeper->vehicle);
    return inside ||
           kerb_vec2_dot(keeper->memory.line_direction, point->direction) < CORNER_COSINE ||
           keeper->memory.edges[point->edge].piece < kerb_abs(turn) * tightest;
}

// Extra distance from the lane's edge where the lane turns tighter than the vehicle can: beside an
// edge that is hardly more than a corner, or far on the inside of an outer one. Also where, in a
// bend, its nose would cross the outer edge, or its rear the inner one: they sweep what a circle
// about the bend's centre adds to its width. [m]
float kerb_in_lane_wide_by(const kerb_lane_keeper* keeper, int32_t edge, float bend, float offset) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
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

void kerb_in_lane_settle_later(kerb_lane_keeper* keeper, float spring) {
    const kerb_vec2 left = lane_left_of(keeper->memory.line_direction);
    keeper->memory.line = lane_along(keeper->memory.line, left, -spring * lane_inward(keeper));
    keeper->memory.line_offset -= spring;
    keeper->memory.settle -= spring;
    kerb_in_line_move_left(&keeper->memory.window, spring * lane_inward(keeper));
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

// Turns the lane about the corner as tight as the vehicle can: straight until the corner is abeam,
// then round it.
static void round_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float offset) {
    const float side = lane_inward(keeper);
    const kerb_vec2 corner = keeper->memory.edges[0].place;
    float radius = kerb_max(offset, kerb_vehicle_turning_radius(&keeper->vehicle));
    kerb_vec2 off = kerb_vec2_sub(pose->position, corner);
    float before = -kerb_vec2_dot(off, keeper->memory.line_direction);
    if (before <= 0.0f) {
        kerb_vec2 out = kerb_vec2_scale(off, 1.0f / kerb_max(kerb_vec2_length(off), 0.1f));
        keeper->memory.line_direction = kerb_vec2_make(side * out.y, -side * out.x);
        keeper->memory.line_curvature = -side / radius;
        keeper->memory.line = lane_along(corner, out, radius);
        keeper->memory.line_offset = offset;
    }
    kerb_in_lane_fill_corner(keeper, pose, radius, before);
}

void kerb_in_lane_go_on(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, const lane_seen* seen,
                        bool behind, float offset, float moved) {
    keeper->memory.lost += moved;
    const bool was_there = keeper->memory.at_corner;
    keeper->memory.at_corner =
        keeper->memory.started &&
        (behind || (was_there && keeper->memory.blocked > 0.0f) || is_at_corner(keeper, seen));
    // Up to the corner its edge is one straight piece.
    if (keeper->memory.at_corner && !was_there && keeper->memory.line_edge == 0)
        keeper->memory.line_direction = keeper->memory.edges[0].direction;
    if (keeper->memory.at_corner)
        round_corner(keeper, pose, offset);
}
