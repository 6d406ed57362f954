// Purpose: decides the next speed of each vehicle from the state after the last step.
// Idea:    Each reason to be slower gives an acceleration or a greatest speed; the least one
// counts.
//          A vehicle writes only what is its own, so vehicles may be decided in any order.
// Cost:    O(1) and, near a junction, O(claims of the junction).
#include "traffic_parts.h"

// Drivers ask for a claim this long before they would have to brake. [s]
static const float claim_lead_time = 1.2f;
// Front to stop line or conflict point at standstill. [m]
static const float line_gap = 0.5f;
// Wait at the end of a lane that does not lead where the route goes. [s]
static const float lane_patience = 5.0f;
// Longest halt for a vehicle that wants to change lanes. [s]
static const float courtesy_patience = 15.0f;
// Deceleration at which a driver stops at amber rather than drive on. [m/s^2]
static const float amber_deceleration = 3.5f;

typedef struct city_decision {
    const city_view* t;
    const city_car* c;
    const kerb_traffic_type* type;
    int32_t index;
    float v_wanted;
    float a;     ///< least acceleration of the models
    float v_max; ///< greatest safe speed
    kerb_traffic_wait wait;
    uint8_t flags;
    float reach;  ///< how far it looks
    bool lets_in; ///< keeps a gap for a vehicle that waits beside
} city_decision;

static void lower_acceleration(city_decision* d, float a, kerb_traffic_wait wait) {
    if (a < d->a) {
        d->a = a;
        d->wait = wait;
    }
}

// --------------------------------------------------------------------------- reasons

// Another vehicle ahead on the same way.
static void mind_leader(city_decision* d, const city_car* leader, float gap,
                        kerb_traffic_wait wait) {
    const kerb_traffic_type* other = &d->t->head->types[leader->type];
    if (gap > d->reach)
        return;
    float before = d->a;
    lower_acceleration(d, kerb_in_follow(d->c, d->type, d->v_wanted, gap, leader->v, leader->a),
                       wait);
    if (d->a < before && before - d->a < 0.1f)
        d->wait = KERB_TRAFFIC_WAIT_NONE;
    d->v_max = kerb_min(d->v_max, kerb_in_safe_speed(d->c->v, kerb_max(gap - 0.3f, 0), leader->v,
                                                     d->type->braking, other->braking, d->t->dt));
}

// A line that it must not pass: brakes comfortably where it can, else as hard as it must.
static void mind_line(city_decision* d, float gap, kerb_traffic_wait wait) {
    float rest = kerb_max(gap, 0), b = d->type->deceleration;
    float v = kerb_in_safe_speed(d->c->v, kerb_max(rest - line_gap, 0), 0, b, b, d->t->dt);
    float must = d->c->v * d->c->v / (2 * kerb_max(rest - line_gap, 0.1f));
    lower_acceleration(d, kerb_max((v - d->c->v) / d->t->dt, -kerb_max(1.2f * b, 1.1f * must)),
                       wait);
    d->v_max = kerb_min(d->v_max, kerb_in_safe_speed(d->c->v, kerb_max(rest - 0.05f, 0), 0,
                                                     d->type->braking, d->type->braking, d->t->dt));
}

// A lower speed from a distance on.
static void mind_limit(city_decision* d, float gap, float v) {
    float b = d->type->deceleration;
    float most = kerb_in_safe_speed(d->c->v, gap, v, b, b, d->t->dt);
    float limit = kerb_max(most, kerb_min(v, d->c->v));
    lower_acceleration(d, kerb_max((limit - d->c->v) / d->t->dt, -1.5f * b),
                       KERB_TRAFFIC_WAIT_NONE);
}

// --------------------------------------------------------------------------- junctions

// A vehicle that claimed a conflicting turn before.
static void mind_foe(city_decision* d, const net_foe* foe, const city_car* other,
                     const car_claim* theirs, float to_entry) {
    const net_segment* segments = d->t->net.segments + d->t->head->lane_count;
    float front = other->way - theirs->entry, rear = front - other->length;
    if (rear >= foe->other_end)
        return;
    if (foe->kind == NET_DIVERGES) {
        mind_leader(d, other, to_entry + rear, KERB_TRAFFIC_WAIT_LEADER);
        return;
    }
    float line = to_entry + foe->begin;
    if (foe->kind == NET_MERGES) {
        // Both have the way to the end in common: who claimed first is ahead there.
        float other_rest = segments[foe->turn].length - rear;
        float gap = to_entry + foe->end - other_rest;
        if (gap > line) {
            mind_leader(d, other, gap, KERB_TRAFFIC_WAIT_CONFLICT);
            return;
        }
        if (gap > 0 && front > foe->other_begin) {
            mind_leader(d, other, gap, KERB_TRAFFIC_WAIT_CONFLICT);
            return;
        }
    }
    mind_line(d, line, KERB_TRAFFIC_WAIT_CONFLICT);
}

// The rear of a vehicle that has left its lane for a turn, seen from the lane.
static void mind_tails(city_decision* d, int32_t lane, float to_end) {
    const city_view* t = d->t;
    int32_t junction = t->net.segments[lane].junction;
    for (int32_t i = t->junctions[junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        float front = other->way - held->entry;
        if (other != d->c && t->net.turns[held->turn].from == lane && front >= 0 &&
            front < other->length + 1)
            mind_leader(d, other, to_end + front - other->length, KERB_TRAFFIC_WAIT_LEADER);
        i = held->next;
    }
}

// All claims of a junction that are older than the own one, `mine`.
static void mind_claims(city_decision* d, int32_t turn, int32_t mine, float to_entry) {
    const city_view* t = d->t;
    int32_t junction = t->net.segments[t->head->lane_count + turn].junction;
    for (int32_t i = t->junctions[junction].first; i >= 0 && i != mine;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        if (other != d->c && held->turn != turn) {
            const net_foe* foe = net_foe_of(&t->net, turn, held->turn);
            if (foe)
                mind_foe(d, foe, other, held, to_entry);
        }
        i = held->next;
    }
}

static bool signal_allows(char letter) {
    return letter == 'g' || letter == 'G' || letter == 'o' || letter == 'O' || letter == 's';
}

// The line of its lane while the turn is not claimed.
static void mind_stop_line(city_decision* d, float rest) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    kerb_traffic_wait wait = c->wait >= KERB_TRAFFIC_WAIT_YIELD && c->wait != KERB_TRAFFIC_WAIT_LANE
                                 ? (kerb_traffic_wait)c->wait
                                 : KERB_TRAFFIC_WAIT_YIELD;
    int32_t before = c->ahead[0];
    if (c->next_turn < 0)
        wait = KERB_TRAFFIC_WAIT_LANE;
    else if (!signal_allows(kerb_in_traffic_letter(t, c->next_turn)) && !car_has_priority(t, c))
        wait = KERB_TRAFFIC_WAIT_SIGNAL;
    else if (!d->lets_in && c->shadow < 0 &&
             (before < 0 || (!(before & 1) && car_goes_on(node_car(t, before)))) &&
             rest <= c->v * c->v / (2 * d->type->deceleration) + c->v * claim_lead_time + 3.0f)
        d->flags |= CAR_WANTS_CLAIM;
    // Who must change lanes keeps room for it.
    if (c->next_turn < 0 && rest > KERB_IN_CHANGE_ROOM + 1.0f)
        rest -= KERB_IN_CHANGE_ROOM + 1.0f;
    mind_line(d, rest, wait);
}

// At amber it stops where that is comfortable enough, at red wherever it can stop before the line.
static bool gives_back(const city_decision* d, int32_t turn, float rest) {
    char letter = kerb_in_traffic_letter(d->t, turn);
    float v = d->c->v;
    if (signal_allows(letter) || car_has_priority(d->t, d->c))
        return false;
    if (letter == 'y')
        return v * v <= 2 * amber_deceleration * kerb_max(rest - line_gap, 0);
    return v * v <= 2 * d->type->braking * rest;
}

// --------------------------------------------------------------------------- the way ahead

static bool mind_list(city_decision* d, int32_t segment, float way) {
    int32_t node = d->t->lanes[segment].last;
    if (node < 0)
        return false;
    const city_car* leader = node_car(d->t, node);
    if (leader == d->c)
        return true;
    mind_leader(d, leader, way + node_station(d->t, node) - leader->length,
                KERB_TRAFFIC_WAIT_LEADER);
    return true;
}

// What lies beyond the end of its segment. `claim`: the one for the turn it is on or comes to.
static void mind_way(city_decision* d, float way, int32_t lane, int32_t held) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    bool found = c->ahead[0] >= 0;
    while (way < d->reach) {
        int32_t place = claim_place(c, held);
        int32_t turn = held < c->claim_count ? c->claims[place].turn : -1;
        if (lane >= 0) { // way is the distance to the lane's end
            if (turn < 0) {
                if (lane == c->segment && c->ahead[0] < 0)
                    mind_tails(d, lane, way);
                if (lane == c->segment && kerb_in_route_peek(t, c, 1) >= 0)
                    mind_stop_line(d, way);
                else if (lane != c->segment)
                    mind_line(d, way, KERB_TRAFFIC_WAIT_ROOM);
                return;
            }
            if (lane == c->segment && gives_back(d, turn, way)) {
                d->flags |= CAR_GIVES_BACK;
                mind_line(d, way, KERB_TRAFFIC_WAIT_SIGNAL);
                return;
            }
            mind_claims(d, turn, d->index * CAR_CLAIMS + place, way);
            int32_t segment = t->head->lane_count + turn;
            mind_limit(d, way, kerb_in_wanted_speed(t, c, segment));
            found = found || mind_list(d, segment, way);
            way += t->net.segments[segment].length;
        }
        lane = t->net.turns[turn].to;
        mind_limit(d, way, kerb_in_wanted_speed(t, c, lane));
        found = found || mind_list(d, lane, way);
        way += t->net.segments[lane].length;
        held++;
        if (found && held >= c->claim_count)
            return;
    }
}

// The vehicle ahead on the lane that it leaves: it need not keep a distance, only not touch it.
static void mind_old_lane(city_decision* d, const city_car* leader, float gap) {
    const kerb_traffic_type* other = &d->t->head->types[leader->type];
    float v = kerb_in_safe_speed(d->c->v, kerb_max(gap - 0.3f, 0), leader->v, d->type->deceleration,
                                 other->braking, d->t->dt);
    lower_acceleration(d, (v - d->c->v) / d->t->dt, KERB_TRAFFIC_WAIT_LEADER);
    d->v_max = kerb_min(d->v_max, kerb_in_safe_speed(d->c->v, kerb_max(gap - 0.3f, 0), leader->v,
                                                     d->type->braking, other->braking, d->t->dt));
}

// Keeps room to pass a vehicle that is broken or at a stop, where there is a lane beside.
static void mind_blocked(city_decision* d, const city_car* leader, float gap) {
    const net_lane* lane = &d->t->net.lanes[d->c->segment];
    if ((!leader->broken && leader->stage != KERB_TRAFFIC_STOPPING) || gap > d->reach ||
        gap < KERB_IN_CHANGE_ROOM || (lane->left < 0 && lane->right < 0))
        return;
    float rest = gap - KERB_IN_CHANGE_ROOM + d->type->min_gap;
    lower_acceleration(d, kerb_in_follow(d->c, d->type, d->v_wanted, rest, leader->v, leader->a),
                       KERB_TRAFFIC_WAIT_LEADER);
}

static void mind_nodes(city_decision* d) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    for (int32_t k = 0; k < (c->shadow >= 0 ? 2 : 1); k++) {
        if (c->ahead[k] < 0)
            continue;
        const city_car* leader = node_car(t, c->ahead[k]);
        float s = k == 0 ? c->s : node_station(t, 2 * d->index + 1);
        if (k == 1) {
            mind_old_lane(d, leader, node_station(t, c->ahead[k]) - leader->length - s);
            continue;
        }
        float gap = node_station(t, c->ahead[k]) - leader->length - s;
        mind_leader(d, leader, gap, KERB_TRAFFIC_WAIT_LEADER);
        if (car_on_lane(t, c))
            mind_blocked(d, leader, gap);
    }
}

// Another vehicle beside wants to change in front of this one.
static bool is_asked_by(const city_view* t, const city_car* c, int32_t index) {
    if (index < 0)
        return false;
    const city_car* other = &t->cars[index];
    return other->stage == KERB_TRAFFIC_DRIVING && car_on_lane(t, other) && other->shadow < 0 &&
           other->goal >= 0 && other->goal != other->segment && other->segment != c->segment &&
           t->net.lanes[other->segment].edge == t->net.lanes[c->segment].edge && other->s >= c->s;
}

// Lets a vehicle in that wants to change in front of it, as far as that is comfortable. For one
// that waits at standstill it does not claim the junction either: nobody may enter in front of a
// claim.
static void mind_courtesy(city_decision* d) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    if (car_goes_on(c) || c->waited > courtesy_patience)
        return;
    int32_t asker = t->lanes[c->segment].asker;
    d->lets_in = is_asked_by(t, c, asker);
    if (!d->lets_in)
        asker = c->makes_way_for;
    if (!is_asked_by(t, c, asker))
        return;
    const city_car* other = &t->cars[asker];
    float gap = kerb_max(other->s - other->length - c->s, 0.5f);
    float a = kerb_in_follow(c, d->type, d->v_wanted, gap, other->v, other->a);
    lower_acceleration(d, kerb_max(a, -0.8f * d->type->deceleration), KERB_TRAFFIC_WAIT_LEADER);
}

// Waits on its lane for the gap behind a vehicle on the lane beside, with room for the change.
// After a while it drives on to the line.
static void mind_gap_beside(city_decision* d) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    if (c->falls_behind < 0 || c->shadow >= 0 || car_goes_on(c) || c->waited > 8.0f)
        return;
    const city_car* other = &t->cars[c->falls_behind];
    if (other->stage != KERB_TRAFFIC_DRIVING || !car_on_lane(t, other) ||
        t->net.lanes[other->segment].edge != t->net.lanes[c->segment].edge)
        return;
    float gap = other->s - other->length - c->s - KERB_IN_CHANGE_ROOM - 0.5f;
    if (gap > d->reach || gap < -10.0f)
        return;
    float a = kerb_in_follow(c, d->type, d->v_wanted, kerb_max(gap + d->type->min_gap, 0.5f),
                             other->v, other->a);
    lower_acceleration(d, kerb_max(a, -d->type->deceleration), KERB_TRAFFIC_WAIT_LANE);
}

// Slows before the place where it must have changed lanes.
static void mind_goal(city_decision* d) {
    const city_car* c = d->c;
    if (c->next_turn >= 0 || c->goal < 0 || c->goal == c->segment || car_goes_on(c))
        return;
    float rest = car_rest(d->t, c) - 15.0f;
    mind_limit(d, kerb_max(rest, 0), 4.0f);
}

static void mind_stop(city_decision* d) {
    const city_car* c = d->c;
    if (c->stop.lane == c->segment && c->stop.lane >= 0 && c->s <= c->stop.station + 1.0f)
        mind_line(d, c->stop.station - c->s + line_gap, KERB_TRAFFIC_WAIT_STOP);
}

static bool thinks_of_lanes(const city_view* t, const city_car* c, int32_t index) {
    if (!car_on_lane(t, c) || c->shadow >= 0 || c->claim_count > 0)
        return false;
    const net_lane* lane = &t->net.lanes[c->segment];
    if (lane->left < 0 && lane->right < 0)
        return false;
    int32_t every = (int32_t)(0.8f / t->dt) + 1;
    return (t->head->step + index) % every == 0;
}

static void decide_car(const city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    city_decision d = {
        .t = t, .c = c, .type = &t->head->types[c->type], .index = index, .v_max = 1.0e9f};
    d.v_wanted = kerb_in_wanted_speed(t, c, c->segment);
    d.a = kerb_in_free_road(c, d.type, d.v_wanted);
    d.reach = 15.0f + c->v * 2.0f + c->v * c->v / (2 * d.type->deceleration);
    d.reach = kerb_max(d.reach, 6.0f * c->v);
    mind_nodes(&d);
    float rest = car_rest(t, c);
    if (car_on_lane(t, c)) {
        mind_courtesy(&d);
        if (rest < d.reach)
            mind_way(&d, rest, c->segment, c->passed);
        mind_goal(&d);
        mind_gap_beside(&d);
        mind_stop(&d);
    } else {
        int32_t turn = c->segment - t->head->lane_count;
        int32_t place = claim_place(c, c->passed);
        mind_claims(&d, turn, index * CAR_CLAIMS + place, c->claims[place].entry - c->way);
        mind_way(&d, rest, -1, c->passed);
    }
    float v = kerb_min(c->v + d.a * t->dt, d.v_max);
    if (c->broken || c->stage == KERB_TRAFFIC_STOPPING)
        v = kerb_min(v, c->v - d.type->braking * t->dt);
    c->v_next = kerb_max(v, kerb_max(0, c->v - d.type->braking * t->dt));
    c->wait = (uint8_t)(d.a > -0.05f && c->v > 1.0f ? KERB_TRAFFIC_WAIT_NONE : d.wait);
    if (thinks_of_lanes(t, c, index))
        d.flags |= CAR_WANTS_LANE;
    if (c->waited > t->head->settings.patience ||
        (c->waited > lane_patience && c->wait == KERB_TRAFFIC_WAIT_LANE))
        d.flags |= CAR_STUCK;
    t->flags[index] = d.flags;
}

void kerb_in_traffic_decide(city_view* t, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end; i++)
        if (t->cars[i].stage >= KERB_TRAFFIC_DRIVING)
            decide_car(t, i);
}
