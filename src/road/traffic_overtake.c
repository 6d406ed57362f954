// Purpose: overtakes what stands or crawls, on the lane of oncoming traffic.
// Idea:    The whole lane of oncoming traffic is claimed, as one conflict: while nobody is on it,
//          has claimed a way to it, or leaves it. From then on nobody enters it until the vehicle
//          is back in its own lane. Before it begins, the room behind what stands is there, and
//          nobody else can come to it: vehicles ahead only drive on, none backs off or departs
//          there. What is overtaken stays where it stands, or, if it crawls, behind a station that
//          leaves that room: it can always stop before it, and claims no turn until it has been
//          passed. So a vehicle that has begun finishes without waiting for anybody, however slow
//          or fast what it passes is, and two vehicles never meet on one lane. It keeps so much
//          room before it swings out that it is beside its lane in time even if what crawls stops
//          at once. Who waits at standstill keeps others from entering that lane in turns with
//          them. In the lists it stays on its own lane. It follows the one ahead of what it passes,
//          and those behind follow both.
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
// A vehicle crawls that wants at most this share of the other one's speed. [1]
static const float crawl_share = 0.5f;
// How much faster than what it overtakes a vehicle is until it is beside its lane, and on it. [m/s]
static const float overtake_out_speed = 4.0f, overtake_speed = 8.0f;
// Share of that speed, and of its acceleration, with which the time that passing takes is found.
static const float overtake_doubt = 0.7f;

static bool stands_for_long(const city_car* c) {
    return (c->broken || c->stage == KERB_TRAFFIC_STOPPING) && c->v < KERB_IN_STANDSTILL &&
           c->shadow < 0 && !car_overtakes(c);
}

// Speed up to which a vehicle drives while it is overtaken; less than 0: it does not crawl.
static float crawl_speed(const city_view* t, const city_car* c, const city_car* other) {
    float v = kerb_in_wanted_speed(t, other, other->segment);
    bool crawls = other->stage == KERB_TRAFFIC_DRIVING && !other->broken && other->body == 0 &&
                  other->shadow < 0 && !car_overtakes(other) && car_way_back(t, other) <= 0 &&
                  v <= crawl_share * kerb_in_wanted_speed(t, c, c->segment);
    return crawls ? v : -1;
}

// The rear of a vehicle that has left the lane for a turn is still on it.
static bool tail_is_on(const city_view* t, int32_t lane) {
    for (int32_t i = t->junctions[t->net.segments[lane].junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        float front = other->way - claim_entry(held);
        if (t->net.turns[claim_turn(held)].from == lane && front >= 0 && front < other->length + 1)
            return true;
        i = claim_next(held);
    }
    return false;
}

static bool lane_is_plain(const city_view* t, int32_t lane) {
    return t->net.lanes[lane].overlap_count == 0 && !has_crossings(t, lane) &&
           t->lanes[lane].mark < 0 && !t->lanes[lane].incident;
}

// The front of what is overtaken must stay behind this station, so that the other one has room to
// be back in its lane ahead of it. `u`: speed up to which it drives.
static float overtaken_stays(const city_view* t, const city_car* c, const city_car* other,
                             float u) {
    int32_t ahead = other->ahead[0];
    if (ahead == 2 * (int32_t)(c - t->cars)) // it is being passed
        ahead = c->ahead[0];
    float end = t->net.segments[c->segment].length;
    if (ahead >= 0)
        end = kerb_min(end, node_station(t, ahead) - node_car(t, ahead)->length);
    return end - c->need - overtake_margin - KERB_IN_CHANGE_ROOM -
           kerb_max(KERB_IN_CHANGE_ROOM, change_length(u + overtake_speed));
}

// Room to swing out before what it overtakes.
static float room_to_swing_out(float u) {
    return kerb_max(KERB_IN_CHANGE_ROOM, change_length(u + overtake_out_speed));
}

// Way that what crawls drives on until it is passed.
static float crawled_way(const city_car* c, const city_car* other, float u) {
    float way = room_to_swing_out(u) + other->length + c->length + overtake_margin;
    return u * kerb_in_time_to_drive(way, 0, overtake_doubt * c->acceleration,
                                     overtake_doubt * overtake_speed);
}

bool kerb_in_may_overtake(const city_view* t, const city_car* c, const city_car* other,
                          float* room) {
    *room = KERB_IN_PASS_ROOM;
    if (other->segment != c->segment)
        return false;
    if (stands_for_long(other))
        return true;
    float u = crawl_speed(t, c, other);
    if (u < 0 || t->lanes[t->net.lanes[c->segment].oncoming].used > overtake_empty ||
        car_goes_on(other) || kerb_in_route_peek(t, other, 1) < 0 ||
        overtaken_stays(t, c, other, u) - other->s < crawled_way(c, other, u))
        return false;
    *room = room_to_swing_out(u) + 1;
    return true;
}

// Room to swing out before what stands or crawls, and to be back in its lane ahead of it.
static bool has_room_to_overtake(const city_view* t, const city_car* c, const city_car* other) {
    float u = kerb_max(crawl_speed(t, c, other), 0);
    return c->s >= c->length + KERB_IN_ENTERED_MARGIN && c->v <= u + overtake_out_speed &&
           other->s - other->length - c->s >= room_to_swing_out(u) &&
           overtaken_stays(t, c, other, u) >= other->s;
}

float kerb_in_overtake_speed(const city_view* t, const city_car* c, float v_wanted) {
    if (c->overtaken < 0) // it keeps its speed until it is back in its lane
        return kerb_min(v_wanted, kerb_max(c->v, overtake_speed));
    float u = kerb_max(crawl_speed(t, c, &t->cars[c->overtaken]), 0);
    return kerb_min(v_wanted, u + (kerb_abs(c->shift) < 1 ? overtake_out_speed : overtake_speed));
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

bool kerb_in_overtaker_blocks(const city_view* t, int32_t lane) {
    int32_t oncoming = t->net.lanes[lane].oncoming;
    int32_t there = t->lanes[lane].overtaker;
    int32_t here = oncoming < 0 ? -1 : t->lanes[oncoming].overtaker;
    if (kerb_in_overtaking_beside(t, lane))
        return t->cars[here].broken && t->cars[here].v < KERB_IN_STANDSTILL;
    return there >= 0 && kerb_in_lane_is_overtaken_on(t, lane) && t->cars[there].broken &&
           t->cars[there].v < KERB_IN_STANDSTILL;
}

bool kerb_in_is_overtaken(const city_view* t, const city_car* c, int32_t index, float* stay) {
    if (!car_on_lane(t, c) || !kerb_in_overtaking_beside(t, c->segment))
        return false;
    const city_car* other = &t->cars[t->lanes[t->net.lanes[c->segment].oncoming].overtaker];
    if (other->overtaken != index)
        return false;
    float u = crawl_speed(t, other, c);
    *stay = u < 0 ? c->s : overtaken_stays(t, other, c, u);
    return true;
}

int32_t kerb_in_follows(const city_view* t, const city_car* c) {
    int32_t node = c->ahead[0];
    if (node < 0)
        return node;
    bool passes = c->overtaken >= 0 && node == 2 * c->overtaken;
    bool is_passed = node_car(t, node)->overtaken == (int32_t)(c - t->cars);
    return passes || is_passed ? node_car(t, node)->ahead[0] : node;
}

void kerb_in_overtake(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    float room;
    int32_t lane = c->segment, oncoming = t->net.lanes[lane].oncoming, ahead = c->ahead[0];
    if (oncoming < 0 || ahead < 0 || (ahead & 1) || car_overtakes(c) || c->body > 0 ||
        c->stop.lane == lane || car_way_back(t, c) > 0 || kerb_abs(c->shift) > 0 ||
        !car_may_use(t, c, oncoming) || !kerb_in_may_overtake(t, c, node_car(t, ahead), &room) ||
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
    float out = t->net.head->left_hand ? -1.0f : 1.0f, part = way / change_length(c->v);
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
    bool behind = c->ahead[0] == 2 * c->overtaken;
    if (behind == (c->s > other->s)) { // one is ahead of the other now
        kerb_in_list_remove(t, c->segment, 2 * index);
        kerb_in_list_add(t, c->segment, 2 * index);
    }
    // It broke down behind or beside what crawls: that one drives on, and it goes back later.
    if (c->broken && c->v < KERB_IN_STANDSTILL && c->s <= other->s && !stands_for_long(other)) {
        c->overtaken = OVERTAKES_NO_MORE;
        return;
    }
    if (c->s - c->length > other->s + overtake_margin)
        c->overtaken = OVERTAKES_NO_MORE;
}
