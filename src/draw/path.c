// Draws a path and its corridor as lines, piece by piece along the segments. O(pieces).
//
// The edges of the corridor have the widths of the vertices. At a bend the edges of both segments
// meet in a mitre, so a corridor with straight sides stays straight. At very sharp bends the mitre
// would be far away. There, and where the direction of travel changes, each segment keeps its own
// edge.
#include "items.h"

#include "../base/shared.h"

// 1 + cos 120°: sharper bends have no mitre.
#define MITRE_LEAST 0.5f

// The horizontal unit vector to the left of a segment; zero when the segment is vertical.
static kerb_vec3 draw_path_left_of(const kerb_path_point* segment) {
    kerb_vec3 zero = {0.0f, 0.0f, 0.0f};
    return kerb_vec3_unit(kerb_vec3_make(-segment->direction.y, segment->direction.x, 0.0f), zero);
}

// The neighbour of a segment at its start (side -1) or end (1). The segment itself where the path
// or its direction of travel ends.
static int32_t draw_path_beside(const kerb_path* path, int32_t segment, int32_t side) {
    int32_t other = segment + side;
    if (other < 0 || other >= path->segment_count) {
        if (!path->closed)
            return segment;
        other = other < 0 ? path->segment_count - 1 : 0;
    }
    return path->points[other].travel == path->points[segment].travel ? other : segment;
}

// Vector to the edge 1 m to the left, at an end of a segment (side -1: its start, 1: its end).
static kerb_vec3 left_at_end(const kerb_path* path, int32_t segment, int32_t side) {
    kerb_vec3 own = draw_path_left_of(&path->points[segment]);
    kerb_vec3 other = draw_path_left_of(&path->points[draw_path_beside(path, segment, side)]);
    float scale = 1.0f + kerb_vec3_dot(own, other);
    if (scale < MITRE_LEAST)
        return own;
    return kerb_vec3_scale(kerb_vec3_add(own, other), 1.0f / scale);
}

// Vector to the edge 1 m to the left. Inside a segment it is at a right angle to the segment; at
// its ends it is the mitre.
static kerb_vec3 left_at(const kerb_path* path, kerb_path_location at) {
    const kerb_path_point* segment = &path->points[at.segment];
    if (at.segment_distance <= 0.0f)
        return left_at_end(path, at.segment, -1);
    if (at.segment_distance >= segment->length)
        return left_at_end(path, at.segment, 1);
    return draw_path_left_of(segment);
}

typedef struct edges {
    kerb_vec3 left, right;
} edges;

static edges edges_at(const kerb_path* path, kerb_path_location at) {
    kerb_path_sample sample = kerb_path_sample_at(path, at);
    kerb_vec3 left = left_at(path, at);
    // The left side of a banked road is higher. Widths are measured horizontally.
    left.z = kerb_tan(sample.bank);
    edges result = {kerb_vec3_along(sample.position, left, sample.left),
                    kerb_vec3_along(sample.position, left, -sample.right)};
    return result;
}

// Moves from `at` to the end of its segment or by `*left` metres, whichever comes first. Subtracts
// that distance from `*left` and returns the end.
static kerb_path_location end_of_piece(const kerb_path* path, kerb_path_location at, double* left) {
    float length = path->points[at.segment].length;
    float room = length - at.segment_distance;
    bool whole = (double)room <= *left;
    kerb_path_location end = {at.segment, whole ? length : at.segment_distance + (float)*left};
    *left = whole ? *left - (double)room : 0.0;
    return end;
}

// From the end of a segment to the start of the next one. False at the end of an open path.
static bool step_over(const kerb_path* path, kerb_path_location* at) {
    bool last = at->segment + 1 >= path->segment_count;
    if (at->segment_distance < path->points[at->segment].length || (last && !path->closed))
        return false;
    *at = (kerb_path_location){last ? 0 : at->segment + 1, 0.0f};
    return true;
}

void kerb_in_draw_path_ahead(kerb_draw_buffer* buffer, kerb_draw_role role, const kerb_path* path,
                             kerb_path_location from, double length) {
    do {
        kerb_path_location to = end_of_piece(path, from, &length);
        kerb_in_draw_line(buffer, role, kerb_path_position(path, from),
                          kerb_path_position(path, to));
        from = to;
    } while (length > 0.0 && step_over(path, &from));
}

static void draw_corridor(kerb_draw_buffer* buffer, const kerb_path* path, kerb_path_location from,
                          double length) {
    do {
        kerb_path_location to = end_of_piece(path, from, &length);
        edges a = edges_at(path, from), b = edges_at(path, to);
        kerb_in_draw_line(buffer, KERB_DRAW_CORRIDOR, a.left, b.left);
        kerb_in_draw_line(buffer, KERB_DRAW_CORRIDOR, a.right, b.right);
        from = to;
    } while (length > 0.0 && step_over(path, &from));
}

void kerb_draw_path(kerb_draw_buffer* buffer, const kerb_path* path, double from, double to) {
    KERB_ASSERT(buffer != NULL && path != NULL && path->count >= 2);
    if (!path->closed) {
        from = from > 0.0 ? from : 0.0;
        to = to < path->length ? to : path->length;
    } else if (to - from > path->length) {
        to = from + path->length; // once round shows all of it
    }
    if (!(to > from)) // also catches NaN
        return;
    kerb_path_location start = kerb_path_locate(path, from);
    kerb_in_draw_path_ahead(buffer, KERB_DRAW_PATH, path, start, to - from);
    draw_corridor(buffer, path, start, to - from);
}
