// Purpose: moves vehicles, and takes them from segment to segment.
// Cost:    O(1) a vehicle.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on grids and street maps.

// A change is hurried up from this distance to the line, so that it ends this far before it. [m]
static const float hurry_distance = 30.0f, hurry_end = 1.0f;
// A change that is hurried up takes this way at least: 30 degrees on a lane of 3.2 m. [m]
static const float hurried_change_length = 5.6f;
// Faster than this, a vehicle's wait is over. [m/s]
static const float wait_over_speed = 1.0f;
// A stop is reached within this distance. [m]
static const float stop_reach = 2.0f;
// Wait on a lane that does not lead where the route goes, before another way is looked for; what
// hinders the change is mostly a queue at a signal, so the next search comes after the usual wait.
// [s]
static const float wrong_lane_patience = 5.0f;
// Waits at red this many times as long.
static const float signal_patience_factor = 3.0f;
// After so many vain searches for another way the host is asked to help.
enum { REROUTES_UNTIL_ASKED = 10 };
// Searches for another way in a step: one, and one more for so many vehicles, so that a step stays
// short.
enum { VEHICLES_FOR_A_REROUTE = 1000 };

// The change ends before the line, however slow it is, but nobody slides sideways: it takes a way.
// What is left at the line is left beyond it. `rest`: after the step.
static void move_shift(city_car* c, float way, float rest) {
    if (way <= 0)
        return;
    float part = way / change_length(c->v);
    float rest_before = rest + way - hurry_end;
    if (rest < hurry_distance && rest_before > 0)
        part = kerb_max(
            part, kerb_min(kerb_abs(c->shift) * way / rest_before, way / hurried_change_length));
    if (c->shift > 0)
        c->shift = kerb_max(c->shift - part, 0);
    else
        c->shift = kerb_min(c->shift + part, 0);
}

// Way along its lane while it drives a way between two lanes, of which one may be longer: on a
// bend, that on the outside. [way: m]
static float way_on_lane(const city_view* t, const city_car* c, float way) {
    if (c->shadow < 0 || way <= 0)
        return way;
    float share = change_rest_share(kerb_min(kerb_abs(c->shift), 1));
    float there = kerb_in_network_beside(&t->net, c->segment, c->s + way, c->shadow) -
                  kerb_in_network_beside(&t->net, c->segment, c->s, c->shadow);
    return way * way / kerb_max(way + share * (there - way), 0.5f * way);
}

// Its way in the step.
static float car_advance(const city_view* t, city_car* c) {
    float v = c->v_next, way = 0.5f * (c->v + v) * t->dt;
    if (v <= 0) // stops within the step, as short as it can
        way = kerb_min(way, 0.5f * c->v * c->v / t->head->types[c->type].braking);
    c->a = (v - c->v) / t->dt;
    c->v = v;
    c->s += way_on_lane(t, c, way);
    c->distance += way;
    if (c->claim_count > 0)
        c->way += way;
    return way;
}

// Where it leaves the network: on its last lane, before the ground that others sweep at its end.
static float arrival_station(const city_view* t, const city_car* c) {
    if (!car_on_lane(t, c) || kerb_in_route_peek(t, c, 1) >= 0)
        return KERB_IN_NO_LIMIT;
    float end = kerb_max(lane_line(t, c->segment), 0);
    return c->arrival >= 0 ? kerb_min(end, c->arrival) : end;
}

static void move(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    float dt = t->dt, way = c->v * dt;
    if (car_way_back(t, c) > 0)
        kerb_in_move_back(t, c);
    else if (c->body > 0) // the host moves it
        c->a = (c->v_next - c->v) / dt;
    else
        way = car_advance(t, c);
    float v = c->v;
    float v_free = kerb_in_wanted_speed(t, c, c->segment);
    c->time_loss += dt * kerb_max(1 - v / v_free, 0);
    if (v < KERB_IN_STANDSTILL) {
        c->waiting += dt;
        c->waited += dt;
    } else if (v > wait_over_speed) {
        c->waited = 0;
        c->reroutes = 0;
    }
    uint8_t flag = 0;
    if (car_overtakes(c))
        flag = CAR_CROSSED;
    if (!kerb_in_overtake_shift(t, c, way) && kerb_abs(c->shift) > 0) {
        move_shift(c, way, car_on_lane(t, c) ? lane_line(t, c->segment) - c->s : car_rest(t, c));
        if (c->shadow >= 0 && kerb_abs(c->shift) <= KERB_IN_SHIFT_INSIDE)
            flag = CAR_CROSSED;
    }
    if (c->s >= kerb_min(t->net.segments[c->segment].length, arrival_station(t, c)))
        flag = CAR_CROSSED;
    if (c->passed > 0) {
        const car_claim* held = &c->claims[c->claim_first];
        const net_segment* s = &t->net.segments[t->head->lane_count + claim_turn(held)];
        if (c->way - claim_entry(held) - c->length > s->length + turn_tail(t, claim_turn(held)))
            flag = CAR_CROSSED;
    }
    if (c->stop.lane == c->segment && c->stop.lane >= 0)
        flag = CAR_CROSSED;
    t->flags[index] |= flag;
}

void kerb_in_traffic_move(city_view* t, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end; i++)
        if (t->cars[i].stage >= KERB_TRAFFIC_DRIVING)
            move(t, i);
}

// --------------------------------------------------------------------------- crossing

static void remove_car(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    kerb_in_overtake_end(t, index);
    kerb_in_claims_give_back(t, index);
    while (c->claim_count > 0)
        kerb_in_claim_release(t, index);
    t->lanes[c->segment].used -= c->need;
    kerb_in_list_remove(t, c->segment, 2 * index);
    if (c->shadow >= 0) {
        t->lanes[c->shadow].used -= c->need;
        kerb_in_list_remove(t, c->shadow, 2 * index + 1);
    }
    kerb_in_traffic_record(t, index, KERB_TRAFFIC_ARRIVED);
    kerb_in_route_drop(t, c);
    c->stage = KERB_TRAFFIC_NONE;
    if (c->body > 0)
        t->bodies[c->body - 1].vehicle = -1;
    c->body = 0;
    t->head->broken -= c->broken;
    c->broken = 0;
    kerb_in_forget_all(t, index);
    c->segment = -1;
    c->ahead[0] = t->head->free_car;
    t->head->free_car = index;
    t->head->counts.arrived++;
    t->head->swinging -= car_swings(t, c);
    t->head->counts.vehicles--;
}

static void enter_turn(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    int32_t turn = claim_turn(&c->claims[claim_place(c, c->passed)]);
    t->lanes[c->segment].used -= c->need;
    kerb_in_list_remove(t, c->segment, 2 * index);
    c->s -= t->net.segments[c->segment].length;
    c->segment = t->head->lane_count + turn;
    kerb_in_list_add(t, c->segment, 2 * index);
}

static void enter_next_lane(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    int32_t lane = t->net.turns[c->segment - t->head->lane_count].to;
    kerb_in_list_remove(t, c->segment, 2 * index);
    c->s -= t->net.segments[c->segment].length;
    c->segment = lane;
    c->passed++;
    t->lanes[lane].incoming -= c->need;
    kerb_in_list_add(t, lane, 2 * index);
    kerb_in_route_advance(t, c);
    kerb_in_route_plan(t, c);
    float end;
    c->crossings = (uint16_t)kerb_in_crossings_at_start(t, c, lane, &end);
    if (car_goes_on(c)) { // a chain: the turn is already chosen
        c->next_turn = claim_turn(&c->claims[claim_place(c, c->passed)]);
        c->crossings = (uint16_t)t->net.segments[lane].crossing_count;
    }
}

static void release_passed(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    while (c->passed > 0) {
        const car_claim* held = &c->claims[c->claim_first];
        const net_segment* s = &t->net.segments[t->head->lane_count + claim_turn(held)];
        if (c->way - claim_entry(held) - c->length <= s->length + turn_tail(t, claim_turn(held)))
            return;
        kerb_in_claim_release(t, index);
    }
}

static void finish_change(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    kerb_in_list_remove(t, c->shadow, 2 * index + 1);
    t->lanes[c->shadow].used -= c->need;
    c->shadow = -1;
}

static void advance_planned_stop(city_view* t, city_car* c) {
    if (c->stage == KERB_TRAFFIC_STOPPING) {
        c->stop.duration -= t->dt;
        if (c->stop.duration <= 0 && t->head->time >= (double)c->stop.until) {
            c->stage = KERB_TRAFFIC_DRIVING;
            c->stop.lane = -1;
        }
    } else if (c->v < KERB_IN_STANDSTILL && kerb_abs(c->s - c->stop.station) < stop_reach)
        c->stage = KERB_TRAFFIC_STOPPING;
}

static void cross(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    if (c->shadow >= 0 && kerb_abs(c->shift) <= KERB_IN_SHIFT_INSIDE)
        finish_change(t, index);
    kerb_in_overtake_go_on(t, index);
    if (c->stop.lane == c->segment && c->stop.lane >= 0)
        advance_planned_stop(t, c);
    bool last = kerb_in_route_peek(t, c, 1) < 0;
    if (car_on_lane(t, c) && c->s >= arrival_station(t, c)) {
        remove_car(t, index);
        return;
    }
    while (c->s >= t->net.segments[c->segment].length) {
        if (!car_on_lane(t, c)) {
            enter_next_lane(t, index);
            last = kerb_in_route_peek(t, c, 1) < 0;
        } else if (last) {
            remove_car(t, index);
            return;
        } else if (!car_goes_on(c)) {
            c->s = t->net.segments[c->segment].length;
            break;
        } else {
            if (c->shadow >= 0)
                finish_change(t, index);
            enter_turn(t, index);
        }
    }
    release_passed(t, index);
}

// Waits for longer than its patience: looks for another way; after several searches the host is
// asked to help. Who turns to a full lane may close a ring of vehicles that wait for one another:
// it moves on at once.
static void lose_patience(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    bool wrong_lane = c->wait == KERB_TRAFFIC_WAIT_LANE && c->next_turn < 0;
    float patience = t->head->settings.patience;
    float first = wrong_lane ? wrong_lane_patience : patience;
    if (!car_on_lane(t, c) || car_goes_on(c) || c->broken || c->stage != KERB_TRAFFIC_DRIVING ||
        c->ahead[0] >= 0 || c->waited < first + patience * (float)c->reroutes ||
        t->head->reroutes_left <= 0)
        return;
    if (c->wait == KERB_TRAFFIC_WAIT_SIGNAL && c->waited < signal_patience_factor * patience)
        return;
    t->head->reroutes_left--;
    if (kerb_in_rotate_ring(t, index))
        return;
    c->reroutes++;
    if (kerb_in_reroute(t, index, true)) {
        kerb_in_traffic_record(t, index, KERB_TRAFFIC_REROUTED);
        t->head->counts.reroutes++;
        kerb_in_rotate_ring(t, index);
    } else if (c->reroutes == REROUTES_UNTIL_ASKED && !kerb_in_way_is_blocked(t, c)) {
        kerb_in_traffic_record(t, index, KERB_TRAFFIC_ASKED);
        t->head->counts.asked++;
    }
}

void kerb_in_traffic_cross(city_view* t) {
    t->head->reroutes_left = 1 + t->head->car_count / VEHICLES_FOR_A_REROUTE;
    for (int32_t i = 0; i < t->head->car_count; i++) {
        uint8_t flags = t->flags[i];
        if (!flags)
            continue;
        t->flags[i] = 0;
        if (flags & CAR_CROSSED)
            cross(t, i);
        if ((flags & CAR_WANTS_LANE) && t->cars[i].stage == KERB_TRAFFIC_DRIVING)
            kerb_in_traffic_change(t, i);
        if ((flags & CAR_STUCK) && t->cars[i].stage == KERB_TRAFFIC_DRIVING)
            lose_patience(t, i);
    }
}
