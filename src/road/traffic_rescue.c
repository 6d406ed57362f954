// Purpose: roads in use by rescue services: a vehicle with priority reserves the lanes of its way.
// Idea:    Each step it writes down its number and a time on the lanes that it will drive along
//          within its horizon, so a reservation expires by itself as soon as it is not renewed.
//          Nobody enters such a lane ahead of it by a claim, a change of lanes or a departure, but
//          those that are ahead of it on its way already drive on, or make way by a change of
//          lanes. Signals on its way turn green early and stay so (traffic_signals.c). A
//          reservation only ever holds others back, and ends when the vehicle itself has stood for
//          a while. So no circle of vehicles that wait lasts because of one.
// Source:  the reservations of Emergency 5, where a road in use by an emergency vehicle is not
//          entered (AIPATH 1.3).
// Cost:    O(vehicles) a step while there is a type with priority, else nothing.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on a grid with signals at 80 % of saturation.

// Lanes that it reaches within this time are reserved. [s]
static const float rescue_horizon = 30.0f;
// It has stood for so long: what it waits for may need its lanes. [s]
static const float rescue_patience = 20.0f;
// Lanes that are reserved at most.
enum { RESCUE_LANES = 8 };

static void reserve_lane(city_view* t, int32_t index, int32_t lane, int32_t turn) {
    lane_state* l = &t->lanes[lane];
    l->rescuer = index;
    l->rescue_turn = turn;
    l->rescue_until = (float)t->head->time + 1.5f * t->dt; // until it is renewed in the next step
}

static void reserve_way(city_view* t, int32_t index) {
    const city_car* c = &t->cars[index];
    float way = 0, reach = rescue_horizon * kerb_in_wanted_speed(t, c, c->segment);
    int32_t lane =
        car_on_lane(t, c) ? c->segment : t->net.turns[c->segment - t->head->lane_count].to;
    int32_t k = car_on_lane(t, c) ? 0 : 1, held = car_on_lane(t, c) ? c->passed : c->passed + 1;
    for (int32_t i = 0; i < RESCUE_LANES && way <= reach; i++, k++, held++) {
        int32_t turn = held < c->claim_count ? claim_turn(&c->claims[claim_place(c, held)])
                       : kerb_in_route_peek(t, c, k + 1) < 0 ? -1
                                                             : kerb_in_choose_turn(t, c, lane, k);
        reserve_lane(t, index, lane, turn);
        if (turn < 0)
            return;
        way += t->net.segments[lane].length + t->net.segments[t->head->lane_count + turn].length;
        lane = t->net.turns[turn].to;
    }
}

void kerb_in_traffic_rescue(city_view* t) {
    if (t->head->rescue_types == 0)
        return;
    for (int32_t i = 0; i < t->head->car_count; i++) {
        const city_car* c = &t->cars[i];
        if (c->stage == KERB_TRAFFIC_DRIVING && car_has_priority(t, c) && !c->broken &&
            c->waited <= rescue_patience)
            reserve_way(t, i);
    }
}

// The vehicle for which a lane is reserved now against `c`, or NULL.
static const city_car* rescuer_of(const city_view* t, const city_car* c, int32_t lane) {
    const lane_state* l = &t->lanes[lane];
    if (t->head->rescue_types == 0 || l->rescuer < 0 || (float)t->head->time > l->rescue_until ||
        car_has_priority(t, c))
        return NULL;
    return &t->cars[l->rescuer];
}

int32_t kerb_in_rescue_turn(const city_view* t, int32_t lane) {
    const lane_state* l = &t->lanes[lane];
    return l->rescuer >= 0 && (float)t->head->time <= l->rescue_until ? l->rescue_turn : -1;
}

bool kerb_in_rescue_forbids_entry(const city_view* t, const city_car* c, int32_t lane) {
    const city_car* r = rescuer_of(t, c, lane);
    return r && r->segment != lane &&
           !(car_on_lane(t, c) && rescuer_of(t, c, c->segment) == r); // ahead of it on its way
}

bool kerb_in_rescue_comes(const city_view* t, const city_car* c, int32_t lane, float s) {
    const city_car* r = rescuer_of(t, c, lane);
    return r && (r->segment != lane || r->s <= s);
}
