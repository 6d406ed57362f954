// Purpose: where the lane leads ahead, by points of it from edges that rays have met.
// Idea:    The curvature of the lane here says little about a place far ahead: where a bend
//          tightens, a vehicle in the other lane seems to be in this one. But rays along the lane
//          meet edges, and the distance from an edge to the lane is known. The newest such point is
//          kept for each of a few ranges of distance. Between two of them the lane is the cubic
//          through both with their directions.
// Cost:    O(points).
#include "frame.h"

// Ends of the ranges. [m]
static const float range_ends[KERB_LANE_AHEAD] = {20.0f, 35.0f, 60.0f, 1.0e6f};
// Nearer than this the remembered lane is more exact. [m]
#define AHEAD_NEAR 8.0f
// Least cosine of the angle from the lane here to the lane there; beyond it the place is not ahead.
// [1]
#define AHEAD_TURNED_LEAST 0.05f
// Least distance between two points of a curve. [m]
#define AHEAD_APART 2.0f

void kerb_in_lane_note_point(kerb_lane_keeper* keeper, kerb_vec2 place, kerb_vec2 direction,
                             float offset) {
    const kerb_vec2 lane = keeper->memory.line_direction;
    float along = kerb_vec2_dot(lane, kerb_vec2_sub(place, keeper->memory.line));
    if (!(along > 0.0f) || !(kerb_vec2_dot(lane, direction) > AHEAD_TURNED_LEAST))
        return;
    int32_t range = 0;
    while (range + 1 < KERB_LANE_AHEAD && along > range_ends[range])
        range++;
    keeper->memory.ahead[range].known = true;
    keeper->memory.ahead[range].place = place;
    keeper->memory.ahead[range].direction = direction;
    keeper->memory.ahead[range].offset = offset;
}

// A point of the lane, and how far it is along the lane's direction here.
typedef struct lane_mark {
    kerb_vec2 place, direction;
    float along; // [m]
} lane_mark;

// Lateral offset of a point from the cubic between two marks, left positive. [m]
static float aside_of_cubic(const lane_mark* from, const lane_mark* to, kerb_vec2 point) {
    kerb_vec2 chord = kerb_vec2_sub(to->place, from->place);
    float squared = kerb_vec2_dot(chord, chord);
    float over = 1.0f / kerb_sqrt(squared);
    kerb_vec2 way = kerb_vec2_scale(chord, over), off = kerb_vec2_sub(point, from->place);
    float x = kerb_clamp(kerb_vec2_dot(way, off) * over, 0.0f, 1.0f);
    float first =
        kerb_vec2_cross(way, from->direction) / kerb_max(kerb_vec2_dot(way, from->direction), 0.1f);
    float last =
        kerb_vec2_cross(way, to->direction) / kerb_max(kerb_vec2_dot(way, to->direction), 0.1f);
    float rest = 1.0f - x;
    float bulge = x * rest * (first * rest - last * x) * squared * over;
    return kerb_vec2_cross(way, off) - bulge;
}

// Beyond the last mark the lane goes on with the curvature that led there.
static float aside_of_arc(const lane_mark* before, const lane_mark* last, kerb_vec2 point) {
    kerb_vec2 way = kerb_vec2_sub(last->place, before->place);
    float bend = kerb_vec2_cross(before->direction, last->direction) /
                 kerb_max(kerb_vec2_length(way), AHEAD_APART);
    kerb_vec2 off = kerb_vec2_sub(point, last->place);
    float along = kerb_vec2_dot(last->direction, off);
    return kerb_vec2_cross(last->direction, off) - 0.5f * bend * along * along;
}

float kerb_in_lane_aside_ahead(const kerb_lane_keeper* keeper, kerb_vec2 point) {
    const kerb_vec2 here = keeper->memory.line, lane = keeper->memory.line_direction;
    const float along = kerb_vec2_dot(lane, kerb_vec2_sub(point, here));
    if (along < AHEAD_NEAR)
        return lane_aside_of_line(keeper, point);
    lane_mark before = {here, lane, 0.0f}, from = before, to = {here, lane, 0.0f};
    for (int32_t i = 0; i < KERB_LANE_AHEAD; i++) {
        if (!keeper->memory.ahead[i].known)
            continue;
        lane_mark mark = {.direction = keeper->memory.ahead[i].direction};
        // As far from the edge as the lane's own point is.
        float shift = keeper->memory.line_offset - keeper->memory.ahead[i].offset;
        mark.place = lane_along(keeper->memory.ahead[i].place, lane_left_of(mark.direction),
                                lane_inward(keeper) * shift);
        mark.along = kerb_vec2_dot(lane, kerb_vec2_sub(mark.place, here));
        if (mark.along < from.along + AHEAD_APART ||
            kerb_vec2_dot(lane, mark.direction) < AHEAD_TURNED_LEAST)
            continue; // passed by now, or out of order
        if (mark.along > along) {
            to = mark;
            break;
        }
        before = from;
        from = mark;
    }
    if (to.along > along)
        return aside_of_cubic(&from, &to, point);
    return from.along > 0.0f ? aside_of_arc(&before, &from, point)
                             : lane_aside_of_line(keeper, point);
}
