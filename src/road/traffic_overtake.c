// Purpose: overtakes what stands, on the lane of oncoming traffic.
// Idea:    The whole lane of oncoming traffic is claimed, as one conflict: while nobody is on it,
//          has claimed a way to it, or leaves it. From then on nobody enters it until the vehicle
//          is back in its own lane. Before it begins, the room behind what stands is there, and
//          nobody else can come to it: vehicles ahead only drive on, none backs off or departs
//          there, and what is overtaken stands until it has been passed. So a vehicle that has
//          begun finishes without waiting for anybody, and two vehicles never meet on one lane. Who
//          waits keeps others from entering that lane in turns with them. In the lists it stays on
//          its own lane. It follows the one ahead of what it passes, and those behind follow both.
// Cost:    O(claims of a junction) for a vehicle that wants to, about once a second.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on streets with broken vehicles.

// Wait before others are kept from the lane of oncoming traffic, and the length of the turns in
// which they are. [s]
static const float overtake_patience = 3.0f, overtake_turn = 20.0f;
// Its rear is so far beyond what it passed before it goes back to its lane. [m]
static const float overtake_margin = 1.0f;
// A lane with less than this in use is empty. [m]
static const float overtake_empty = 0.1f;

static bool stands_for_long(const city_car* c) {
    return (c->broken || c->stage == KERB_TRAFFIC_STOPPING) && c->v < KERB_IN_STANDSTILL &&
           c->shadow < 0 && !car_overtakes(c);
}

// The rear of a vehicle that has left the lane for a turn is still on it.
static bool tail_is_on(const city_view* t, int32_t lane) {
    for (int32_t i = t->junctions[t->net.segments[lane].junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        float front = other->way - held->entry;
        if (t->net.turns[held->turn].from == lane && front >= 0 && front < other->length + 1)
            return true;
        i = held->next;
    }
    return false;
}

static bool lane_is_plain(const city_view* t, int32_t lane) {
    return t->net.lanes[lane].overlap_count == 0 && !has_crossings(t, lane) &&
           t->lanes[lane].mark < 0 && !t->lanes[lane].incident;
}

// Room to swing out before what stands, and to be back in its lane behind it.
static bool has_room_to_overtake(const city_view* t, const city_car* c, const city_car* stands) {
    const city_car* leader = stands->ahead[0] >= 0 ? node_car(t, stands->ahead[0]) : NULL;
    float end = t->net.segments[c->segment].length;
    if (leader)
        end = kerb_min(end, node_station(t, stands->ahead[0]) - leader->length);
    float room = overtake_margin + 2 * KERB_IN_CHANGE_ROOM + c->need;
    return c->s >= c->length + KERB_IN_ENTERED_MARGIN &&
           stands->s - stands->length - c->s >= KERB_IN_CHANGE_ROOM && end - stands->s >= room;
}

bool kerb_in_lane_is_overtaken_on(const city_view* t, int32_t lane) {
    int32_t index = t->lanes[lane].overtaker;
    if (index < 0)
        return false;
    const city_car* c = &t->cars[index];
    if (c->stage < KERB_TRAFFIC_DRIVING || !car_on_lane(t, c) ||
        t->net.lanes[c->segment].oncoming != lane)
        return false;
    return car_overtakes(c) ||
           (c->waited > overtake_patience &&
            (int32_t)((c->waited - overtake_patience) / overtake_turn) % 2 == 0);
}

bool kerb_in_overtaking_beside(const city_view* t, int32_t lane) {
    int32_t oncoming = t->net.lanes[lane].oncoming;
    int32_t index = oncoming < 0 ? -1 : t->lanes[oncoming].overtaker;
    return index >= 0 && t->cars[index].segment == lane && car_overtakes(&t->cars[index]);
}

bool kerb_in_is_overtaken(const city_view* t, const city_car* c, int32_t index) {
    if (!car_on_lane(t, c) || !kerb_in_overtaking_beside(t, c->segment))
        return false;
    return t->cars[t->lanes[t->net.lanes[c->segment].oncoming].overtaker].overtaken == index;
}

int32_t kerb_in_follows(const city_view* t, const city_car* c) {
    int32_t node = c->ahead[0];
    return node >= 0 && c->overtaken >= 0 && node == 2 * c->overtaken ? node_car(t, node)->ahead[0]
                                                                      : node;
}

void kerb_in_overtake(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    int32_t lane = c->segment, oncoming = t->net.lanes[lane].oncoming, ahead = c->ahead[0];
    if (oncoming < 0 || ahead < 0 || (ahead & 1) || car_overtakes(c) || c->body > 0 ||
        c->stop.lane == lane || car_way_back(t, c) > 0 || kerb_abs(c->shift) > 0 ||
        !car_may_use(t, c, oncoming) || !stands_for_long(node_car(t, ahead)) ||
        !lane_is_plain(t, lane) || !lane_is_plain(t, oncoming) ||
        !has_room_to_overtake(t, c, node_car(t, ahead)) || kerb_in_overtaking_beside(t, lane) ||
        kerb_in_overtaking_beside(t, oncoming))
        return;
    t->lanes[oncoming].overtaker = index;
    if (t->lanes[oncoming].used > overtake_empty || tail_is_on(t, oncoming))
        return;
    c->overtaken = ahead >> 1;
    car_stop_back(t, &t->cars[c->overtaken]);
}

bool kerb_in_overtake_shift(const city_view* t, city_car* c, float way) {
    if (c->overtaken < 0)
        return false;
    float out = t->net.head->left_hand ? -1.0f : 1.0f, part = way / KERB_IN_CHANGE_LENGTH;
    c->shift = out * kerb_min(kerb_abs(c->shift) + part, 1);
    return true;
}

void kerb_in_overtake_end(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    if (!car_overtakes(c))
        return;
    t->lanes[t->net.lanes[c->segment].oncoming].overtaker = -1;
    c->overtaken = OVERTAKES_NOBODY;
}

void kerb_in_overtake_go_on(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    if (c->overtaken == OVERTAKES_NO_MORE && !(kerb_abs(c->shift) > 0))
        kerb_in_overtake_end(t, index);
    if (c->overtaken < 0)
        return;
    const city_car* other = &t->cars[c->overtaken];
    if (c->ahead[0] == 2 * c->overtaken && c->s > other->s) { // it is ahead now
        kerb_in_list_remove(t, c->segment, 2 * index);
        kerb_in_list_add(t, c->segment, 2 * index);
    }
    if (c->s - c->length > other->s + overtake_margin)
        c->overtaken = OVERTAKES_NO_MORE;
}
