// Purpose: lanes of different edges that lie so close together that vehicles on them could touch.
// Idea:    Middle lines are compared in steps. Where vehicles can keep aside inside their lanes,
//          both give way sideways by half of what is missing; else only one of the two lanes may be
//          used at a time. Wide vehicles need more room than cars, and so more of both. Lanes that
//          only begin or end together belong to their junction, and lanes that meet at an angle
//          cross (network_crossings.c).
// Cost:    O(length of the lanes times lanes in the same cells).
#include "network_parts.h"

// Numbers without a source were chosen by trial.

// Step along a lane. [m]
static const float overlap_step = 2.0f;
// Distance of the middles of two narrow vehicles that pass one another, which leaves 0.2 m, and of
// two of 2.55 m, which leaves 0.05 m. Each gives way by half of what it lacks, so a wide one and a
// narrow one are 2.3 m apart. [m]
static const float overlap_reach = 2.05f, overlap_reach_wide = 2.6f;
// Overlaps shorter than this are those of a junction. [m]
static const float overlap_length_min = 4.0f;
// Farthest that a vehicle keeps aside. Wide ones: so that two of 2.55 m on lanes of one street, 3.2
// m wide, still pass one another. [m]
static const float overlap_aside_max = 0.45f, overlap_aside_max_wide = 0.55f;
// It moves aside over this distance. [m]
static const float overlap_ramp = 12.0f;
// Lanes in the same cells that are compared.
enum { OVERLAP_CANDIDATES = 128 };

typedef struct overlap_found {
    net_overlap mine, other;
    float least; ///< distance of both middle lines
    float left;  ///< of the other, there
} overlap_found;

static void add_overlap_point(overlap_found* found, float s, float other_s, float away,
                              float left) {
    found->mine.begin = kerb_min(found->mine.begin, s);
    found->mine.end = kerb_max(found->mine.end, s);
    found->other.begin = kerb_min(found->other.begin, other_s);
    found->other.end = kerb_max(found->other.end, other_s);
    if (away < found->least) {
        found->least = away;
        found->left = left;
    }
}

static bool find_lane_overlap(const net_view* v, int32_t lane, int32_t other, bool wide,
                              overlap_found* found) {
    const float far = 1.0e9f, reach = wide ? overlap_reach_wide : overlap_reach;
    float length = v->segments[lane].length;
    int32_t steps = (int32_t)(length / overlap_step) + 1;
    *found = (overlap_found){
        .mine = {.lane = lane, .other = other, .begin = far, .end = -1, .wide = wide},
        .other = {.lane = other, .other = lane, .begin = far, .end = -1, .wide = wide},
        .least = far};
    for (int32_t i = 0; i <= steps; i++) {
        float s = kerb_min((float)i * overlap_step, length), at, left;
        kerb_network_place here = kerb_in_network_at(v, lane, s, 0);
        float away = kerb_in_network_nearest(v, other, here.position, &at, &left);
        kerb_network_place there = kerb_in_network_at(v, other, at, 0);
        if (away >= reach || kerb_abs(here.position.z - there.position.z) > KERB_IN_BRIDGE_HEIGHT)
            continue;
        bool opposite = kerb_cos(here.heading - there.heading) < 0;
        add_overlap_point(found, s, at, away, opposite ? left : -left);
    }
    return found->mine.end - found->mine.begin >= overlap_length_min;
}

// Both lanes give way by half of what is missing, away from the other.
static void give_way_sideways(overlap_found* found, bool opposite) {
    bool wide = found->mine.wide;
    float aside = 0.5f * ((wide ? overlap_reach_wide : overlap_reach) - found->least);
    bool exclusive = aside > (wide ? overlap_aside_max_wide : overlap_aside_max);
    if (found->left > 0)
        aside = -aside;
    found->mine.aside = exclusive ? 0 : aside;
    found->other.aside = exclusive ? 0 : (opposite ? aside : -aside);
    found->mine.exclusive = found->other.exclusive = exclusive;
}

static bool add_lane_overlap(const net_view* v, int32_t lane, int32_t other, bool wide,
                             net_add_overlap* add, void* context) {
    overlap_found found;
    if (!find_lane_overlap(v, lane, other, wide, &found))
        return true;
    float mine = 0.5f * (found.mine.begin + found.mine.end);
    float theirs = 0.5f * (found.other.begin + found.other.end);
    float angle = kerb_in_network_at(v, lane, mine, 0).heading -
                  kerb_in_network_at(v, other, theirs, 0).heading;
    give_way_sideways(&found, kerb_cos(angle) < 0);
    if (found.mine.exclusive && kerb_in_network_cross(v, lane, other, angle))
        return true;
    return add(context, &found.mine) && add(context, &found.other);
}

// Lanes of other edges, of greater index, in the cells of a lane.
static int32_t overlap_candidates(const net_view* v, int32_t lane, int32_t* candidates) {
    const net_grid* g = &v->head->grid;
    float length = v->segments[lane].length;
    int32_t count = 0, steps = (int32_t)(2 * length / g->size) + 1, last = -1;
    for (int32_t i = 0; i <= steps; i++) {
        kerb_vec3 p = kerb_in_network_at(v, lane, length * (float)i / (float)steps, 0).position;
        int32_t x = (int32_t)kerb_clamp((p.x - g->x) / g->size, 0, (float)(g->columns - 1));
        int32_t y = (int32_t)kerb_clamp((p.y - g->y) / g->size, 0, (float)(g->rows - 1));
        int32_t cell = y * g->columns + x;
        for (int32_t k = v->cell_first[cell]; cell != last && k < v->cell_first[cell + 1]; k++) {
            int32_t other = v->cell_items[k];
            bool known = other <= lane || other >= v->head->lane_count ||
                         v->lanes[other].edge == v->lanes[lane].edge || count == OVERLAP_CANDIDATES;
            for (int32_t j = 0; j < count && !known; j++)
                known = candidates[j] == other;
            if (!known)
                candidates[count++] = other;
        }
        last = cell;
    }
    return count;
}

bool kerb_in_network_overlaps(const net_view* v, int32_t lane, net_add_overlap* add,
                              void* context) {
    int32_t candidates[OVERLAP_CANDIDATES], count = overlap_candidates(v, lane, candidates);
    for (int32_t i = 0; i < count; i++)
        if (!add_lane_overlap(v, lane, candidates[i], false, add, context) ||
            !add_lane_overlap(v, lane, candidates[i], true, add, context))
            return false;
    return true;
}

static float aside_on_lane(const net_view* v, int32_t segment, float station, bool wide) {
    float aside = 0, most = wide ? overlap_aside_max_wide : overlap_aside_max;
    const net_lane* lane = &v->lanes[segment];
    for (int32_t i = lane->first_overlap; i < lane->first_overlap + lane->overlap_count; i++) {
        const net_overlap* o = &v->overlaps[i];
        float outside = kerb_max(kerb_max(o->begin - station, station - o->end), 0);
        if (o->wide == wide)
            aside += o->aside * (1 - kerb_smooth_step(outside, 0, overlap_ramp));
    }
    return kerb_clamp(aside, -most, most);
}

// On a turn it goes evenly from what it is at the end of one lane to what it is on the next one.
float kerb_in_network_aside(const net_view* v, int32_t segment, float station, bool wide) {
    if (segment < v->head->lane_count)
        return aside_on_lane(v, segment, station, wide);
    const net_turn* turn = &v->turns[segment - v->head->lane_count];
    float length = v->segments[segment].length;
    float share = length > 0 ? kerb_clamp(station / length, 0, 1) : 0;
    return (1 - share) * aside_on_lane(v, turn->from, v->segments[turn->from].length, wide) +
           share * aside_on_lane(v, turn->to, 0, wide);
}
