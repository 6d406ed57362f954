// Purpose: places where segments meet that no junction knows of: lanes that cross without a
//          junction, the end of a street inside another road, turns of junctions that lie inside
//          one another.
// Idea:    Middle lines are compared in steps. Segments that belong to the same junction, and lanes
//          that run beside one another, have rules of their own and are left out.
// Cost:    O(length of the segments times segments in the same cells).
#include "network_parts.h"

// Numbers without a source were chosen by trial.

// Step along a segment. [m]
static const float crossing_step = 1.0f;
// Distance of the middles of two narrow vehicles that pass one another, which leaves 0.2 m. [m]
static const float crossing_reach = 2.05f;
// A crossing is longer by this at both ends: the corners of wide vehicles that come at an angle.
// [m]
static const float crossing_margin = 1.0f;
// Lanes whose directions differ by less are beside one another: sine of 20 degrees. [1]
static const float crossing_sine = 0.34f;
// Greatest number of segments near one that are compared with it; those beyond are left out.
enum { CROSSING_CANDIDATES = 1024 };

// The two segments have a junction in common, which orders them.
static bool net_share_junction(const net_view* v, int32_t a, int32_t b) {
    int32_t lanes = v->head->lane_count;
    int32_t a_to = v->segments[a].junction, b_to = v->segments[b].junction;
    int32_t a_from = a < lanes ? v->edges[v->lanes[a].edge].from : a_to;
    int32_t b_from = b < lanes ? v->edges[v->lanes[b].edge].from : b_to;
    return a_to == b_to || a_to == b_from || a_from == b_to || a_from == b_from;
}

bool kerb_in_network_cross(const net_view* v, int32_t lane, int32_t other, float angle) {
    return kerb_abs(kerb_sin(angle)) > crossing_sine && !net_share_junction(v, lane, other);
}

// Turns on which vehicles follow one another over a lane between them.
static bool net_turns_follow(const net_view* v, int32_t a, int32_t b) {
    int32_t lanes = v->head->lane_count;
    if (a < lanes || b < lanes)
        return false;
    const net_turn *ta = &v->turns[a - lanes], *tb = &v->turns[b - lanes];
    return ta->to == tb->from || tb->to == ta->from;
}

static bool net_find_crossing(const net_view* v, int32_t segment, int32_t other,
                              net_crossing* found) {
    float length = v->segments[segment].length, other_length = v->segments[other].length;
    int32_t steps = (int32_t)(length / crossing_step) + 1;
    *found = (net_crossing){segment, other, length, -1, other_length, -1};
    float steepest = 0;
    for (int32_t i = 0; i <= steps; i++) {
        float s = length * (float)i / (float)steps, at = 0, left;
        kerb_network_place here = kerb_in_network_at(v, segment, s, 0);
        if (kerb_in_network_nearest(v, other, here.position, &at, &left) >= crossing_reach)
            continue;
        kerb_network_place there = kerb_in_network_at(v, other, at, 0);
        if (kerb_abs(here.position.z - there.position.z) > KERB_IN_BRIDGE_HEIGHT)
            continue;
        steepest = kerb_max(steepest, kerb_abs(kerb_sin(here.heading - there.heading)));
        found->begin = kerb_min(found->begin, s - crossing_margin);
        found->end = kerb_max(found->end, s + crossing_margin);
        found->other_begin = kerb_min(found->other_begin, at - crossing_margin);
        found->other_end = kerb_max(found->other_end, at + crossing_margin);
    }
    if (found->end < 0)
        return false;
    found->begin = kerb_max(found->begin, 0);
    found->other_begin = kerb_max(found->other_begin, 0);
    found->end = kerb_min(found->end, length);
    found->other_end = kerb_min(found->other_end, other_length);
    bool lanes = segment < v->head->lane_count && other < v->head->lane_count;
    return !lanes || steepest > crossing_sine;
}

typedef struct crossing_list {
    int32_t segments[CROSSING_CANDIDATES], count;
} crossing_list;

// Segments of greater index in a cell that no junction orders.
static void add_crossing_candidates(const net_view* v, int32_t segment, int32_t cell,
                                    crossing_list* list) {
    for (int32_t k = v->cell_first[cell]; k < v->cell_first[cell + 1]; k++) {
        int32_t other = v->cell_items[k];
        bool known = other <= segment || list->count == CROSSING_CANDIDATES ||
                     net_share_junction(v, segment, other) || net_turns_follow(v, segment, other);
        for (int32_t j = 0; j < list->count && !known; j++)
            known = list->segments[j] == other;
        if (!known)
            list->segments[list->count++] = other;
    }
}

static int32_t crossing_cell(float x, float low, float size, int32_t count) {
    return (int32_t)kerb_clamp((x - low) / size, 0, (float)(count - 1));
}

// Steps of half a cell see all cells within half a cell and the reach (network_near.c).
static void find_crossing_candidates(const net_view* v, int32_t segment, crossing_list* list) {
    const net_grid* g = &v->head->grid;
    float length = v->segments[segment].length, r = crossing_reach + 0.5f * g->size;
    int32_t steps = (int32_t)(2 * length / g->size) + 1;
    list->count = 0;
    for (int32_t i = 0; i <= steps; i++) {
        kerb_vec3 p = kerb_in_network_at(v, segment, length * (float)i / (float)steps, 0).position;
        int32_t left = crossing_cell(p.x - r, g->x, g->size, g->columns);
        int32_t low = crossing_cell(p.y - r, g->y, g->size, g->rows);
        for (int32_t y = low; y <= crossing_cell(p.y + r, g->y, g->size, g->rows); y++)
            for (int32_t x = left; x <= crossing_cell(p.x + r, g->x, g->size, g->columns); x++)
                add_crossing_candidates(v, segment, y * g->columns + x, list);
    }
}

bool kerb_in_network_crossings(const net_view* v, int32_t segment, net_add_crossing* add,
                               void* context) {
    crossing_list list;
    find_crossing_candidates(v, segment, &list);
    for (int32_t i = 0; i < list.count; i++) {
        net_crossing found;
        if (!net_find_crossing(v, segment, list.segments[i], &found))
            continue;
        net_crossing back = {found.other,     found.segment, found.other_begin,
                             found.other_end, found.begin,   found.end};
        if (!add(context, &found) || !add(context, &back))
            return false;
    }
    return true;
}
