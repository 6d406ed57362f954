// Purpose: the sorted lists of vehicles on segments.
// Cost:    adding and finding O(vehicles on the segment), removing O(1).
#include "traffic_parts.h"

int32_t kerb_in_list_ahead(const city_view* t, int32_t segment, float station) {
    int32_t node = t->lanes[segment].last;
    while (node >= 0 && node_station(t, node) < station)
        node = node_car(t, node)->ahead[node & 1];
    return node;
}

void kerb_in_list_add(city_view* t, int32_t segment, int32_t node) {
    lane_state* lane = &t->lanes[segment];
    city_car* c = node_car(t, node);
    int32_t k = node & 1, ahead = kerb_in_list_ahead(t, segment, node_station(t, node));
    int32_t behind = ahead >= 0 ? node_car(t, ahead)->behind[ahead & 1] : lane->first;
    c->ahead[k] = ahead;
    c->behind[k] = behind;
    if (ahead >= 0)
        node_car(t, ahead)->behind[ahead & 1] = node;
    else
        lane->first = node;
    if (behind >= 0)
        node_car(t, behind)->ahead[behind & 1] = node;
    else
        lane->last = node;
}

void kerb_in_list_remove(city_view* t, int32_t segment, int32_t node) {
    lane_state* lane = &t->lanes[segment];
    const city_car* c = node_car(t, node);
    int32_t ahead = c->ahead[node & 1], behind = c->behind[node & 1];
    if (ahead >= 0)
        node_car(t, ahead)->behind[ahead & 1] = behind;
    else
        lane->first = behind;
    if (behind >= 0)
        node_car(t, behind)->ahead[behind & 1] = ahead;
    else
        lane->last = ahead;
}

// So far the tail of a vehicle swings out that turns back sharply. [m]
static const float tail_swing = 3.0f;

tail_leader kerb_in_tail_ahead(const city_view* t, const city_car* c, int32_t lane, float s) {
    tail_leader nearest = {KERB_IN_NO_LIMIT, 0};
    const junction_state* j = &t->junctions[t->net.segments[lane].junction];
    for (int32_t i = j->first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        float front = other->way - claim_entry(held);
        float reach = t->net.turns[claim_turn(held)].tight ? tail_swing : 0;
        float gap = t->net.segments[lane].length + front - other->length - reach - s;
        if (other != c && t->net.turns[claim_turn(held)].from == lane && front >= 0 &&
            gap < nearest.gap)
            nearest = (tail_leader){gap, other->v};
        i = claim_next(held);
    }
    return nearest;
}
