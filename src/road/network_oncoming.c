// Purpose: the lane of oncoming traffic beside the only lane of a street.
// Idea:    It leads back between the same junctions, and lies on the fast side along the whole way.
// Cost:    O(length of the lane times points of those near its middle).
#include "network_parts.h"

// Distance between the middles of two lanes of one street. [m]
static const float oncoming_near = 2.6f, oncoming_far = 5.0f;
// Cosine of the angle between their directions: less than that of 160 degrees. [1]
static const float oncoming_cosine = -0.94f;
// Step along the lane. [m]
static const float oncoming_step = 5.0f;
enum { ONCOMING_CANDIDATES = 16 };

static bool net_lies_beside(const net_view* v, int32_t lane, int32_t other) {
    float length = v->segments[lane].length;
    int32_t steps = (int32_t)(length / oncoming_step) + 1;
    for (int32_t i = 0; i <= steps; i++) {
        kerb_network_place p = kerb_in_network_at(v, lane, length * (float)i / (float)steps, 0);
        float station = 0, left = 0;
        float away = kerb_in_network_nearest(v, other, p.position, &station, &left);
        kerb_network_place q = kerb_in_network_at(v, other, station, 0);
        if (v->head->left_hand)
            left = -left;
        if (away < oncoming_near || away > oncoming_far || left < 0 ||
            kerb_cos(p.heading - q.heading) > oncoming_cosine ||
            kerb_abs(p.position.z - q.position.z) > 1)
            return false;
    }
    return true;
}

int32_t kerb_in_network_oncoming(const net_view* v, int32_t lane) {
    const kerb_network_edge* e = &v->edges[v->lanes[lane].edge];
    if (e->lane_count != 1)
        return -1;
    int32_t near[ONCOMING_CANDIDATES];
    kerb_vec3 middle = kerb_in_network_at(v, lane, 0.5f * v->segments[lane].length, 0).position;
    int32_t count = kerb_in_network_near(v, middle, oncoming_far, near, ONCOMING_CANDIDATES);
    for (int32_t i = 0; i < count; i++) {
        if (near[i] >= v->head->lane_count || near[i] == lane)
            continue;
        const kerb_network_edge* o = &v->edges[v->lanes[near[i]].edge];
        if (o->lane_count == 1 && o->from == e->to && o->to == e->from &&
            net_lies_beside(v, lane, near[i]))
            return near[i];
    }
    return -1;
}
