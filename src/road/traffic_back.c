// Purpose: vehicles that back off: they stand too close to the end of a wrong lane, or to something
//          that does not move, to change lanes.
// Idea:    The vehicle takes the room behind it at once: its length in the lists grows by its way
//          back. To all others it is a longer vehicle that stands; its rear stays where it is while
//          its front goes back. So nothing else has to know of vehicles that drive backwards. Those
//          that stand close behind it back off with it, in step.
// Cost:    O(vehicles that stand in one queue) for each that has waited.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on streets with broken vehicles.

// Wait before a vehicle backs off. [s]
static const float back_patience = 5.0f;
// Walking speed, and how fast it is reached. [m/s, m/s^2]
static const float back_speed = 1.0f, back_acceleration = 0.5f;
// Distance that is left to the vehicle behind and to the lane's start. [m]
static const float back_margin = 1.0f;
// Vehicles that come from behind slow down comfortably: the default of
// kerb_traffic_type.deceleration. [m/s^2]
static const float back_braking = 2.5f;
// Vehicles that back off together, and those that are looked past for what blocks the lane.
enum { BACK_TOGETHER = 6, BLOCKED_BEHIND = 40 };

static bool stands(const city_car* c) {
    return c->v < KERB_IN_STANDSTILL;
}

// Distance to the vehicle ahead on its lane.
static float gap_ahead(const city_view* t, const city_car* c) {
    int32_t node = c->ahead[0];
    return node < 0 ? KERB_IN_NO_LIMIT : node_station(t, node) - node_car(t, node)->length - c->s;
}

bool kerb_in_stands_behind_block(const city_view* t, const city_car* c) {
    if (t->head->broken == 0 && t->head->mark_count == 0)
        return false;
    for (int32_t i = 0; i < BLOCKED_BEHIND; i++) {
        if (t->lanes[c->segment].mark >= 0 &&
            kerb_in_body_ahead(t, c, c->segment, c->s) < KERB_IN_PASS_ROOM)
            return true;
        int32_t node = c->ahead[0];
        if (node < 0 || (node & 1))
            return false;
        const city_car* a = node_car(t, node);
        if (!stands(a) || gap_ahead(t, c) > KERB_IN_PASS_ROOM || !car_on_lane(t, a))
            return false;
        if (a->broken)
            return true;
        c = a;
    }
    return false;
}

// Whether a vehicle is one that may back off now.
static bool may_back(const city_view* t, const city_car* c) {
    return c->stage == KERB_TRAFFIC_DRIVING && !c->broken && c->body == 0 && c->shadow < 0 &&
           c->stop.lane != c->segment && c->claim_count == 0 && car_on_lane(t, c) && stands(c) &&
           !kerb_in_overtaking_beside(t, c->segment) && car_way_back(t, c) <= 0;
}

// Vehicles that have to back off with `index`, and it. Returns how many; 0: there is no room.
static int32_t find_group(const city_view* t, int32_t index, float way, int32_t* group) {
    const lane_state* lane = &t->lanes[t->cars[index].segment];
    for (int32_t count = 0; count < BACK_TOGETHER;) {
        const city_car* c = &t->cars[index];
        float rear = c->s - c->length - way;
        if (!may_back(t, c) || rear < lane_start(t, c->segment) + back_margin ||
            (lane->mark >= 0 &&
             kerb_in_body_ahead(t, c, c->segment, rear - back_margin) < way + back_margin))
            return 0;
        group[count++] = index;
        int32_t node = c->behind[0];
        if (node < 0) // those on their way to the lane count on its length
            return lane->incoming <= KERB_IN_NO_NEED ? count : 0;
        const city_car* f = node_car(t, node);
        float gap = rear - node_station(t, node);
        if (gap > back_margin &&
            kerb_in_safe_speed(f->v, gap - back_margin, 0, back_braking, back_braking, t->dt) >=
                f->v - back_braking * t->dt)
            return count;
        if (node & 1)
            return 0;
        index = node >> 1;
    }
    return 0;
}

// How far back it wants to go; 0: it has room enough, or no use for more.
static float way_wanted(const city_view* t, const city_car* c) {
    const net_lane* lane = &t->net.lanes[c->segment];
    if (lane->left < 0 && lane->right < 0 && lane->oncoming < 0)
        return 0;
    float rest = lane_line(t, c->segment) - c->s, gap = gap_ahead(t, c);
    if (kerb_in_stands_behind_block(t, c)) {
        if (t->lanes[c->segment].mark >= 0)
            gap = kerb_min(gap, kerb_in_body_ahead(t, c, c->segment, c->s));
        return gap < KERB_IN_CHANGE_ROOM ? KERB_IN_PASS_ROOM - gap : 0;
    }
    bool wrong = car_lane_to_reach(c) >= 0 && c->ahead[0] < 0;
    return wrong && rest <= KERB_IN_CHANGE_ROOM ? KERB_IN_PASS_ROOM - rest : 0;
}

static bool another_is_behind(const city_view* t, const city_car* c, float way) {
    int32_t node = c->behind[0];
    return node >= 0 && c->s - c->length - way - node_station(t, node) < KERB_IN_PASS_ROOM;
}

void kerb_in_back_off(city_view* t, int32_t index) {
    const city_car* c = &t->cars[index];
    if (c->waited < back_patience || !may_back(t, c) || has_crossings(t, c->segment))
        return;
    int32_t group[BACK_TOGETHER];
    float way = way_wanted(t, c);
    if (way > 0 && t->net.lanes[c->segment].oncoming < 0 && kerb_in_stands_behind_block(t, c) &&
        another_is_behind(t, c, way))
        return; // the last one of the queue passes first
    int32_t count = way > 0 ? find_group(t, index, way, group) : 0;
    for (int32_t i = 0; i < count; i++) {
        t->cars[group[i]].length += way;
        t->cars[group[i]].v_next = 0;
        kerb_in_traffic_record(t, group[i], KERB_TRAFFIC_BACKED_OFF);
        t->head->counts.backed_off++;
    }
}

float kerb_in_back_speed(const city_view* t, const city_car* c) {
    float b = back_acceleration, v = kerb_min(c->v_next + b * t->dt, back_speed);
    return kerb_min(v, kerb_in_safe_speed(c->v_next, car_way_back(t, c), 0, b, b, t->dt));
}

void kerb_in_move_back(const city_view* t, city_car* c) {
    float way = car_way_back(t, c), least = back_acceleration * t->dt * t->dt;
    float moved = kerb_min(way, kerb_max(c->v_next * t->dt, least));
    c->s -= moved;
    c->length = moved < way ? c->length - moved : t->head->types[c->type].length;
    c->distance += moved;
    c->v = 0;
    c->a = 0;
    if (moved >= way)
        c->v_next = 0;
}
