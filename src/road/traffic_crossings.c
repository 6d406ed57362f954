// Purpose: vehicles pass places that no junction orders one side at a time.
// Idea:    The crossings of a segment are in the order of their begin, and a vehicle on it has
//          taken the first `crossings` of them. It takes those between which it cannot stand at
//          once, when nobody on the other sides holds one of them and there is room behind the last
//          one. Those at the ends of a lane belong to the turns there: they are taken together with
//          the claim. Who holds one is seen from claims and places, so nothing has to be released.
//          A vehicle that holds crossings waits at none of them, and has room behind them. So the
//          order of claims stays one without cycles.
// Cost:    O(vehicles on the other segment and claims of its junctions) for a crossing that is
//          asked for; nothing on segments without crossings.
#include "traffic_parts.h"

// A vehicle that has waited this much longer goes first. [s]
static const float crossing_patience = 4.0f;
// A vehicle does not change lanes so close before a crossing. [m]
static const float crossing_change_room = 15.0f;

static const net_crossing* crossings_of(const city_view* t, int32_t segment) {
    return t->net.crossings + t->net.segments[segment].first_crossing;
}

int32_t kerb_in_crossings_at_start(const city_view* t, const city_car* c, int32_t lane,
                                   float* end) {
    const net_crossing* list = crossings_of(t, lane);
    int32_t n = 0, count = t->net.segments[lane].crossing_count;
    *end = lane_start(t, lane);
    for (; n < count && list[n].begin - *end < c->need; n++)
        *end = kerb_max(*end, list[n].end);
    return n;
}

float kerb_in_crossings_line(const city_view* t, const city_car* c, int32_t lane) {
    const net_crossing* list = crossings_of(t, lane);
    float line = lane_line(t, lane);
    for (int32_t i = t->net.segments[lane].crossing_count - 1;
         i >= 0 && line - list[i].end < c->need; i--)
        line = kerb_min(line, list[i].begin);
    return line;
}

bool kerb_in_crossings_let_stand(const city_view* t, const city_car* c, int32_t lane) {
    float end;
    kerb_in_crossings_at_start(t, c, lane, &end);
    return kerb_in_crossings_line(t, c, lane) - end >= c->length + KERB_IN_STAND_ROOM;
}

// --------------------------------------------------------------------------- who holds one

// A vehicle has claimed its way to the lane, and does not stand before the crossing.
static bool comes_to_crossing(const city_view* t, const city_car* c, const net_crossing* z) {
    int32_t lane = z->other, junction = t->net.edges[t->net.lanes[lane].edge].from;
    for (int32_t i = t->junctions[junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        float end;
        if (other != c && t->net.turns[claim_turn(held)].to == lane && other->segment != lane) {
            kerb_in_crossings_at_start(t, other, lane, &end);
            if (z->other_begin < end ||
                claim_place(other, other->claim_count - 1) != i % CAR_CLAIMS)
                return true;
        }
        i = claim_next(held);
    }
    return false;
}

// The rear of a vehicle that has left the lane is still on the crossing.
static bool leaves_crossing(const city_view* t, const city_car* c, const net_crossing* z) {
    int32_t lane = z->other;
    float rest = t->net.segments[lane].length - z->other_end;
    for (int32_t i = t->junctions[t->net.segments[lane].junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        float front = other->way - claim_entry(held);
        if (other != c && t->net.turns[claim_turn(held)].from == lane && front >= 0 &&
            front - other->length + rest < 0)
            return true;
        i = claim_next(held);
    }
    return false;
}

static bool is_on_crossing(const city_view* t, const city_car* c, const net_crossing* z) {
    const net_crossing* list = crossings_of(t, z->other);
    for (int32_t node = t->lanes[z->other].last; node >= 0;
         node = node_car(t, node)->ahead[node & 1]) {
        const city_car* other = node_car(t, node);
        float front = node_station(t, node);
        if (other == c || front - other->length >= z->other_end)
            continue;
        if (front > z->other_begin)
            return true;
        int32_t taken = node & 1 ? 0 : other->crossings;
        if (taken > 0 && list[taken - 1].begin >= z->other_begin)
            return true;
    }
    return false;
}

// A turn is held from its claim on until the rear has passed.
static bool holds_on_turn(const city_view* t, const city_car* c, const net_crossing* z) {
    int32_t turn = z->other - t->head->lane_count;
    for (int32_t i = t->junctions[t->net.segments[z->other].junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        if (other != c && claim_turn(held) == turn &&
            other->way - claim_entry(held) - other->length < z->other_end)
            return true;
        i = claim_next(held);
    }
    return false;
}

static bool crossing_is_held(const city_view* t, const city_car* c, const net_crossing* z) {
    if (z->other >= t->head->lane_count)
        return holds_on_turn(t, c, z);
    return is_on_crossing(t, c, z) || comes_to_crossing(t, c, z) || leaves_crossing(t, c, z);
}

// How long the first vehicle on the other side has waited for what others hold.
static float waited_beyond(const city_view* t, const city_car* c, const net_crossing* z) {
    int32_t turn = z->other - t->head->lane_count;
    int32_t lane = turn >= 0 ? t->net.turns[turn].from : z->other;
    float line = turn >= 0 ? t->net.segments[lane].length : z->other_begin;
    for (int32_t node = t->lanes[lane].last; node >= 0; node = node_car(t, node)->ahead[node & 1]) {
        const city_car* other = node_car(t, node);
        int32_t ahead = other->ahead[node & 1];
        if (ahead >= 0 && node_station(t, ahead) <= line)
            continue;
        bool wants = !(node & 1) && other != c && other->wait == KERB_TRAFFIC_WAIT_CONFLICT &&
                     other->s <= line && !car_goes_on(other) &&
                     (turn < 0 || other->next_turn == turn);
        return wants ? other->waited : 0;
    }
    return 0;
}

bool kerb_in_crossings_are_free(const city_view* t, const city_car* c, int32_t segment,
                                int32_t first, int32_t end) {
    const net_crossing* list = crossings_of(t, segment);
    for (int32_t i = first; i < end; i++)
        if (crossing_is_held(t, c, &list[i]) ||
            waited_beyond(t, c, &list[i]) > c->waited + crossing_patience)
            return false;
    return true;
}

// --------------------------------------------------------------------------- on a lane

bool kerb_in_crossings_have_room(const city_view* t, const city_car* c, int32_t lane) {
    const net_crossing* list = crossings_of(t, lane);
    float begin, used = t->lanes[lane].incoming;
    int32_t n = kerb_in_crossings_at_start(t, c, lane, &begin);
    float end =
        n < t->net.segments[lane].crossing_count ? list[n].begin : t->net.segments[lane].length;
    end = kerb_min(end, kerb_in_crossings_line(t, c, lane));
    for (int32_t node = t->lanes[lane].last; node >= 0; node = node_car(t, node)->ahead[node & 1]) {
        const city_car* other = node_car(t, node);
        float rear = node_station(t, node) - other->length;
        if (rear >= end)
            break;
        if (other->v < KERB_IN_STANDSTILL && rear - begin < c->need + t->lanes[lane].incoming)
            return false;
        if ((node & 1) || (other->crossings <= n && !car_goes_on(other)))
            used += other->need;
    }
    return used + c->need <= end - begin;
}

float kerb_in_crossing_ahead(const city_view* t, const city_car* c) {
    return c->crossings < t->net.segments[c->segment].crossing_count
               ? crossings_of(t, c->segment)[c->crossings].begin
               : KERB_IN_NO_LIMIT;
}

void kerb_in_crossings_take(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    const net_crossing* list = crossings_of(t, c->segment);
    int32_t count = t->net.segments[c->segment].crossing_count, n = c->crossings;
    float end = list[n].end;
    for (n++; n < count && list[n].begin - end < c->need; n++)
        end = kerb_max(end, list[n].end);
    int32_t ahead = c->ahead[0];
    bool room = ahead < 0 || node_station(t, ahead) - node_car(t, ahead)->length >= end + c->need;
    if (!room)
        c->wait = KERB_TRAFFIC_WAIT_ROOM;
    else if (!kerb_in_crossings_are_free(t, c, c->segment, c->crossings, n))
        c->wait = KERB_TRAFFIC_WAIT_CONFLICT;
    else
        c->crossings = (uint16_t)n;
}

bool kerb_in_crossings_forbid_change(const city_view* t, const city_car* c, int32_t lane, float s) {
    const net_crossing* list = crossings_of(t, lane);
    for (int32_t i = 0; i < t->net.segments[lane].crossing_count; i++)
        if (list[i].end > s - c->length - KERB_IN_ENTERED_MARGIN &&
            list[i].begin < s + crossing_change_room + c->v * c->v / KERB_IN_CHANGE_LENGTH)
            return true;
    return false;
}

int32_t kerb_in_crossings_before(const city_view* t, int32_t lane, float s) {
    const net_crossing* list = crossings_of(t, lane);
    int32_t n = 0;
    while (n < t->net.segments[lane].crossing_count && list[n].begin < s)
        n++;
    return n;
}

bool kerb_in_crossings_let_begin(const city_view* t, const city_car* c, int32_t lane, float s) {
    const net_crossing* list = crossings_of(t, lane);
    for (int32_t i = 0; i < t->net.segments[lane].crossing_count; i++)
        if (list[i].end > s - c->length && list[i].begin < s && crossing_is_held(t, c, &list[i]))
            return false;
    return true;
}
