// Purpose: claims of turns: which vehicles may enter a junction, and in which order.
//
// Idea. A claim is granted at once for all turns up to a lane that has room for the whole vehicle,
// or not at all. The claims of a junction form a list in the order in which they were granted. On
// the turns, a vehicle waits only for vehicles with an older claim that conflicts. Gap acceptance,
// right of way and waiting time choose whom to grant next; safety does not depend on them.
//
// Why it cannot lock.
// 1. Vehicles with claims get through. The vehicle with the oldest claim of all waits for no other
//    on its turns and has room behind them. Then the next one is the oldest, and so on.
// 2. Vehicles without claims wait for a signal, for others with the right of way, or for room. A
//    signal changes, and right of way ends with patience (below). So only room remains.
// 3. A full lane waits for the lane that its first vehicle without a claim wants to enter. When all
//    lanes of such a chain are full and the chain leads back to its start, it is locked. A claim
//    that would close such a ring is refused: one place is kept free in every ring of full lanes.
// 4. Then some claim can always be granted: follow a chain to its last lane. It is not full or a
//    vehicle leaves the network there. The vehicle that wants to enter it can do so, unless that
//    closes a ring; but then its predecessor in this ring may enter, because it leaves a place
//    behind itself. Each claim shortens the rest of a route, so all vehicles arrive.
// Premises: vehicles leave lanes only by their front, and want what they wanted when the ring was
// judged. A vehicle that takes another way or changes lanes may therefore still close a ring, and
// where lengths differ a ring may keep less room than the longest vehicle needs. What remains is
// found by waiting time: a ring of full lanes whose turns do not conflict moves on by one lane at
// once, where every vehicle takes the place that the next one leaves; else its vehicles look for
// another way, and after ten attempts the host is asked to help, which is counted. One claim covers
// all turns up to a lane with room, at most CAR_CLAIMS, so that on lanes too short to stand on no
// vehicle waits; but one that has waited long for two signals that are never green for it together
// waits there for the second, with its claims: for a signal alone, which changes. A claim also
// passes lanes for less than two vehicles on which nobody will stand, so that no vehicle on them
// claims later than one behind it. Crossings that no junction orders are claimed with the turns
// only while nobody else holds them, so they add no waiting to the order above; who gives a claim
// back at red there makes those behind give back theirs past that lane. (One-step look-ahead for
// resources in a chain: Fanti et al. 1997, "Event-based feedback control for deadlock avoidance in
// flexible production systems".)
//
// Cost: O(1) a vehicle and step, O(foes of the turn) for one that requests a claim.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on grids and street maps.

// A vehicle that yields enters when others come this long after it has cleared the conflict. [s]
static const float yield_margin = 0.8f;
// After this wait it does not yield to vehicles that can still stop. [s]
static const float yield_patience = 25.0f;
// A vehicle with the right of way is expected to speed up to this, or to keep what it drives. [m/s]
static const float yield_speed = 8.0f;
// A vehicle at the end of a lane that is slower than this may stay there. [m/s]
static const float blocks_below = 1.0f;
// At a stop sign it must have stood within this distance of the line. [m]
static const float stop_sign_distance = 4.0f;
// A lane is reserved in turns of this length for a vehicle that waits beside it. [s]
static const float reserve_time = 20.0f;
// A lane with less than this in use is empty; car needs are metres, so rounding stays below. [m]
static const float lane_empty = 0.1f;
// A lane is passed without standing on it when it is shorter than so many vehicles.
static const float lane_vehicles = 2.0f;
// Lanes that a chain is followed before it counts as free.
enum { CHAIN_MAX = 200 };

// --------------------------------------------------------------------------- lists of claims

static void claim_add(city_view* t, int32_t index, int32_t turn, float entry) {
    city_car* c = &t->cars[index];
    int32_t place = claim_place(c, c->claim_count++), held = index * CAR_CLAIMS + place;
    junction_state* j = &t->junctions[t->net.segments[t->head->lane_count + turn].junction];
    claim_set_turn(&c->claims[place], turn);
    claim_set_next(&c->claims[place], -1);
    claim_set_entry(&c->claims[place], entry);
    if (j->last >= 0)
        claim_set_next(&t->cars[j->last / CAR_CLAIMS].claims[j->last % CAR_CLAIMS], held);
    else
        j->first = held;
    j->last = held;
}

static void claim_unlink(city_view* t, int32_t index, int32_t place) {
    car_claim* held = &t->cars[index].claims[place];
    junction_state* j =
        &t->junctions[t->net.segments[t->head->lane_count + claim_turn(held)].junction];
    int32_t mine = index * CAR_CLAIMS + place, before = -1;
    for (int32_t i = j->first; i != mine;
         i = claim_next(&t->cars[i / CAR_CLAIMS].claims[i % CAR_CLAIMS]))
        before = i;
    if (before >= 0)
        claim_set_next(&t->cars[before / CAR_CLAIMS].claims[before % CAR_CLAIMS], claim_next(held));
    else
        j->first = claim_next(held);
    if (j->last == mine)
        j->last = before;
    claim_set_turn(held, -1);
}

void kerb_in_claim_release(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    claim_unlink(t, index, c->claim_first);
    c->claim_first = (uint8_t)claim_place(c, 1);
    c->claim_count--;
    if (c->passed > 0)
        c->passed--;
    if (c->claim_count == 0)
        c->way = 0;
}

// Gives back the newest claim.
static void give_back_last(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    int32_t place = claim_place(c, c->claim_count - 1);
    lane_state* lane = &t->lanes[t->net.turns[claim_turn(&c->claims[place])].to];
    lane->used -= c->need;
    lane->incoming -= c->need;
    claim_unlink(t, index, place);
    c->claim_count--;
}

// A vehicle behind `c`, or still on its way to the lane of `c`, has claimed a turn from that lane.
static bool claims_past(const city_view* t, const city_car* c, const city_car* other,
                        const car_claim* held) {
    return other != c && t->net.turns[claim_turn(held)].from == c->segment &&
           other->way < claim_entry(held) && !(other->segment == c->segment && other->s > c->s);
}

// Those behind a vehicle that gave its claim back give back theirs from its lane on: they must not
// be older than the one that it will get.
static void give_back_behind(city_view* t, int32_t index) {
    const city_car* c = &t->cars[index];
    const junction_state* j = &t->junctions[t->net.segments[c->segment].junction];
    for (int32_t i = j->first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        int32_t place = i % CAR_CLAIMS, last = -1;
        i = claim_next(&other->claims[place]);
        if (!claims_past(t, c, other, &other->claims[place]))
            continue;
        while (last != place) {
            last = claim_place(other, other->claim_count - 1);
            give_back_last(t, (int32_t)(other - t->cars));
        }
        i = j->first; // the list has changed
    }
}

void kerb_in_claims_give_back(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    bool any = c->claim_count > c->passed;
    while (c->claim_count > c->passed)
        give_back_last(t, index);
    if (c->claim_count == 0)
        c->way = 0;
    if (any && car_on_lane(t, c)) {
        if (has_crossings(t, c->segment) && c->s <= kerb_in_crossings_line(t, c, c->segment))
            c->crossings = (uint16_t)kerb_in_crossings_before(t, c->segment, c->s);
        give_back_behind(t, index);
    }
}

// --------------------------------------------------------------------------- room

static float free_length(const city_view* t, int32_t lane) {
    return lane_room(t, lane) - t->lanes[lane].used - t->lanes[lane].body_used;
}

// The lane has a place for the vehicle, when `more` of what is used becomes free. On an empty lane
// it may keep less than its gap.
static bool has_place(const city_view* t, const city_car* c, int32_t lane, float more) {
    return free_length(t, lane) + more >= c->need ||
           (t->lanes[lane].used - more < lane_empty && t->lanes[lane].body_used <= 0 &&
            car_can_stand(t, c, lane));
}

// The first vehicle of a lane that has no claim yet and is not `but`; -1: none.
static int32_t first_waiting(const city_view* t, int32_t lane, const city_car* but) {
    int32_t node = t->lanes[lane].first;
    while (node >= 0 && ((node & 1) || car_goes_on(node_car(t, node)) || node_car(t, node) == but))
        node = node_car(t, node)->behind[node & 1];
    return node < 0 ? -1 : node >> 1;
}

// The first vehicle that has claimed its way to a lane, but not beyond, and is not on it yet; -1:
// none.
static int32_t first_to_come(const city_view* t, int32_t lane) {
    int32_t junction = t->net.edges[t->net.lanes[lane].edge].from;
    for (int32_t i = t->junctions[junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        if (t->net.turns[claim_turn(held)].to == lane && other->segment != lane &&
            claim_place(other, other->claim_count - 1) == i % CAR_CLAIMS)
            return i / CAR_CLAIMS;
        i = claim_next(held);
    }
    return -1;
}

// Nobody will stand on a lane: all vehicles on it, and all that come to it, have claimed the way
// on. So none of them claims after one that is behind it.
static bool nobody_will_stand(const city_view* t, int32_t lane) {
    for (int32_t node = t->lanes[lane].first; node >= 0; node = node_car(t, node)->behind[node & 1])
        if ((node & 1) || !car_goes_on(node_car(t, node)))
            return false;
    return first_to_come(t, lane) < 0;
}

// The lane to stand on behind a turn that leads to the route's edge `k`. A lane that is too short
// for it is passed, but not while a shorter vehicle stands there, or will stand: that on `taken`.
static int32_t lane_behind(const city_view* t, const city_car* c, int32_t turn, int32_t k,
                           int32_t taken) {
    int32_t lane = t->net.turns[turn].to;
    for (int32_t i = 0; i < CAR_CLAIMS && !car_can_stand(t, c, lane) && lane != taken &&
                        nobody_will_stand(t, lane);
         i++, k++) {
        turn = kerb_in_route_peek(t, c, k + 1) < 0 ? -1 : kerb_in_choose_turn(t, c, lane, k);
        if (turn < 0)
            return lane;
        lane = t->net.turns[turn].to;
    }
    return lane;
}

// The lane on which a vehicle wants to stand next: behind the turns ahead and lanes that are too
// short; or beside, where it must change. -1: it leaves the network.
static int32_t lane_wanted(const city_view* t, const city_car* c, int32_t taken) {
    return c->next_turn < 0 ? car_lane_to_reach(c) : lane_behind(t, c, c->next_turn, 1, taken);
}

// The lane that a vehicle will want once it stands on a lane ahead.
static int32_t lane_wanted_from(const city_view* t, const city_car* c, int32_t lane,
                                int32_t taken) {
    int32_t k = 0;
    while (k <= CAR_CLAIMS && kerb_in_route_peek(t, c, k) != t->net.lanes[lane].edge)
        k++;
    if (k > CAR_CLAIMS || kerb_in_route_peek(t, c, k + 1) < 0)
        return -1;
    int32_t turn = kerb_in_choose_turn(t, c, lane, k);
    return turn < 0 ? -1 : lane_behind(t, c, turn, k + 1, taken);
}

bool kerb_in_closes_ring(const city_view* t, const city_car* c, int32_t lane) {
    if (free_length(t, lane) - c->need >= t->head->need_max)
        return false;
    int32_t at = lane;
    for (int32_t i = 0; i < CHAIN_MAX; i++) {
        int32_t index = first_waiting(t, at, c), comes = index < 0 ? first_to_come(t, at) : -1;
        if (index < 0 && comes < 0 && at != lane)
            return false; // all on it have claimed the way on: it empties
        const city_car* first = index >= 0 ? &t->cars[index] : comes >= 0 ? &t->cars[comes] : c;
        at = index >= 0 ? lane_wanted(t, first, lane) : lane_wanted_from(t, first, at, lane);
        if (at < 0)
            return false;
        if (at == lane)
            return free_length(t, lane) - c->need < first->need;
        if (has_place(t, first, at, at == c->segment ? c->need : 0))
            return false;
    }
    return false;
}

// Where the last vehicle of the lane or a body stands, only what is behind it is room.
static bool room_is_blocked(const city_view* t, const city_car* c, int32_t lane, float need) {
    int32_t node = t->lanes[lane].last;
    if (t->lanes[lane].mark >= 0 &&
        kerb_in_body_ahead(t, c, lane, 0) - t->lanes[lane].incoming < need)
        return true;
    if (node < 0)
        return false;
    const city_car* last = node_car(t, node);
    if (last->v > blocks_below)
        return false;
    float rear = node_station(t, node) - last->length - lane_start(t, lane);
    return rear - t->lanes[lane].incoming < need;
}

// --------------------------------------------------------------------------- right of way

static bool letter_is_red(char letter) {
    return letter == 'r' || letter == 'y' || letter == 'u';
}

// A vehicle that comes along a turn with the right of way would be held up.
static bool holds_up(const city_view* t, const city_car* c, float v_max, const net_foe* foe) {
    const net_turn* turn = &t->net.turns[foe->turn];
    int32_t index = first_waiting(t, turn->from, NULL);
    if (index < 0)
        return false;
    const city_car* other = &t->cars[index];
    if (letter_is_red(kerb_in_traffic_letter(t, foe->turn)) && !car_has_priority(t, other))
        return false;
    if (other == c || other->next_turn != foe->turn || other->wait == KERB_TRAFFIC_WAIT_ROOM ||
        other->wait == KERB_TRAFFIC_WAIT_RING || other->shadow >= 0)
        return false;
    const net_span* span = foe_span(t, foe, c, other);
    if (span->end < span->begin)
        return false;
    float way = car_rest(t, c) + span->end + c->length;
    float clear = kerb_in_time_to_drive(way, c->v, c->acceleration, v_max);
    float rest = car_rest(t, other) + span->other_begin;
    float comes =
        kerb_in_time_to_drive(rest, other->v, other->acceleration, kerb_max(other->v, yield_speed));
    return comes < clear + yield_margin;
}

// The next vehicle to claim a turn is one with priority.
static bool rescuer_takes(const city_view* t, int32_t turn) {
    int32_t lane = t->net.turns[turn].from;
    if (kerb_in_rescue_turn(t, lane) != turn)
        return false;
    return first_waiting(t, lane, NULL) == t->lanes[lane].rescuer;
}

static bool must_yield(const city_view* t, const city_car* c, int32_t turn) {
    const net_turn* n = &t->net.turns[turn];
    bool green = kerb_in_traffic_letter(t, turn) == 'G', rescue = t->head->rescue_types > 0;
    if ((green && !rescue) || c->waited > yield_patience || car_has_priority(t, c))
        return false;
    float v_max = kerb_in_wanted_speed(t, c, t->head->lane_count + turn);
    for (int32_t i = 0; i < n->foe_count; i++) {
        const net_foe* foe = &t->net.foes[n->first_foe + i];
        bool yields = (foe->yields && !green) || (rescue && rescuer_takes(t, foe->turn));
        if (yields && holds_up(t, c, v_max, foe))
            return true;
    }
    return false;
}

// A body is in the way, or comes with the right of way or too fast to stop.
static bool body_is_in_the_way(const city_view* t, const city_car* c, int32_t turn) {
    float v_max = kerb_in_wanted_speed(t, c, t->head->lane_count + turn), rest = car_rest(t, c);
    float length = t->net.segments[t->head->lane_count + turn].length;
    float comes = kerb_in_time_to_drive(rest, c->v, c->acceleration, v_max);
    float clear = kerb_in_time_to_drive(rest + length + c->length, c->v, c->acceleration, v_max);
    return t->head->mark_count > 0 && kerb_in_turn_is_blocked(t, c, turn, comes, clear);
}

// --------------------------------------------------------------------------- granting

typedef struct claim_chain {
    int32_t turns[CAR_CLAIMS];
    int32_t count;
    kerb_traffic_wait refused;
    bool rotates; ///< with a whole ring, so that room needs no check
} claim_chain;

// Another vehicle has claimed a turn on which there is room for one.
static bool tight_turn_is_claimed(const city_view* t, const city_car* c, int32_t turn) {
    if (!t->net.turns[turn].tight)
        return false;
    int32_t junction = t->net.segments[t->head->lane_count + turn].junction;
    for (int32_t i = t->junctions[junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        if (other != c && claim_turn(held) == turn)
            return true;
        i = claim_next(held);
    }
    return false;
}

// A vehicle without a claim stands beyond its line, where one of the two would sweep the other.
static bool one_stands_beyond_line(const city_view* t, const city_car* c, int32_t turn) {
    const net_turn* n = &t->net.turns[turn];
    if (t->head->swinging == 0 || !car_swings(t, c))
        return false;
    for (int32_t i = n->first_foe; i < n->first_foe + n->foe_count; i++) {
        const net_foe* foe = &t->net.foes[i];
        if (foe->swings.other_begin >= 0)
            continue;
        int32_t other = first_waiting(t, t->net.turns[foe->turn].from, c);
        if (other >= 0 &&
            car_rest(t, &t->cars[other]) < -foe_span(t, foe, c, &t->cars[other])->other_begin)
            return true;
    }
    return false;
}

// Its line lies so far before the turn that the signal turns before it is there.
static bool line_is_too_far(const city_view* t, const city_car* c, int32_t turn) {
    int32_t lane = c->segment;
    return turn == c->next_turn && lane_line(t, lane) < t->net.segments[lane].length &&
           kerb_in_turns_red(t, c, turn, car_rest(t, c));
}

// It must not enter a turn at red. `way`: to the turn. Behind a lane too short to stand on it comes
// there later, when the signal may have changed.
static bool signal_refuses(const city_view* t, const city_car* c, int32_t turn, float way,
                           bool passes) {
    if (car_has_priority(t, c))
        return false;
    return passes ? kerb_in_comes_at_red(t, c, turn, way)
                  : letter_is_red(kerb_in_traffic_letter(t, turn)) || line_is_too_far(t, c, turn);
}

static bool turn_refused(const city_view* t, const city_car* c, int32_t turn, float way,
                         bool passes, claim_chain* chain) {
    const net_segment* s = &t->net.segments[t->head->lane_count + turn];
    if (s->classes == 0 || !car_may_use(t, c, t->net.turns[turn].to))
        chain->refused = KERB_TRAFFIC_WAIT_LANE;
    else if (t->lanes[t->net.turns[turn].to].incident ||
             kerb_in_rescue_forbids_entry(t, c, t->net.turns[turn].to) ||
             kerb_in_knows_blocked(t, c, t->net.turns[turn].to))
        chain->refused = KERB_TRAFFIC_WAIT_ROOM;
    else if (kerb_in_lane_is_shared(t, c, t->net.turns[turn].to) ||
             tight_turn_is_claimed(t, c, turn) || one_stands_beyond_line(t, c, turn) ||
             !kerb_in_crossings_are_free(t, c, t->head->lane_count + turn, 0, s->crossing_count))
        chain->refused = KERB_TRAFFIC_WAIT_CONFLICT;
    else if (!signal_refuses(t, c, turn, way, passes))
        return false;
    else
        chain->refused = KERB_TRAFFIC_WAIT_SIGNAL;
    return true;
}

// A vehicle that waits beside has its turn to enter the lane: no other may claim it. Turns
// alternate, so that neither side waits for ever.
static bool lane_is_reserved(const city_view* t, int32_t lane) {
    int32_t requester = t->lanes[lane].requester;
    if (requester < 0)
        return false;
    const city_car* other = &t->cars[requester];
    return other->stage == KERB_TRAFFIC_DRIVING && car_on_lane(t, other) &&
           other->segment != lane && other->shadow < 0 && other->goal >= 0 &&
           other->goal != other->segment && other->waited > 0 &&
           t->net.lanes[other->segment].edge == t->net.lanes[lane].edge &&
           (int32_t)(other->waited / reserve_time) % 2 == 0;
}

// A vehicle is on a lane, be it only with its rear, or has claimed its way to it. `wide`: only
// those wider than cars count.
static bool lane_is_used(const city_view* t, int32_t lane, bool wide) {
    for (int32_t node = t->lanes[lane].last; node >= 0; node = node_car(t, node)->ahead[node & 1])
        if (!wide || car_is_wide(t, node_car(t, node)))
            return true;
    const int32_t ends[2] = {t->net.edges[t->net.lanes[lane].edge].from,
                             t->net.segments[lane].junction};
    for (int32_t k = 0; k < 2; k++)
        for (int32_t i = t->junctions[ends[k]].first; i >= 0;) {
            const city_car* other = &t->cars[i / CAR_CLAIMS];
            const car_claim* held = &other->claims[i % CAR_CLAIMS];
            const net_turn* turn = &t->net.turns[claim_turn(held)];
            float front = other->way - claim_entry(held); // beyond the lane's end, where it left it
            bool leaves = turn->from == lane && front >= 0 && front < other->length;
            if ((turn->to == lane || leaves) && (!wide || car_is_wide(t, other)))
                return true;
            i = claim_next(held);
        }
    return false;
}

bool kerb_in_lane_is_shared(const city_view* t, const city_car* c, int32_t lane) {
    const net_lane* l = &t->net.lanes[lane];
    if (kerb_in_lane_is_overtaken_on(t, lane))
        return true;
    for (int32_t i = l->first_overlap; i < l->first_overlap + l->overlap_count; i++)
        if (t->net.overlaps[i].exclusive &&
            lane_is_used(t, t->net.overlaps[i].other,
                         t->net.overlaps[i].wide && !car_is_wide(t, c)))
            return true;
    return false;
}

// The vehicle that waits for room on a lane and has lost its patience; NULL: there is none.
static const city_car* starved_car(const city_view* t, int32_t lane) {
    if (t->lanes[lane].starved < 0)
        return NULL;
    const city_car* c = &t->cars[t->lanes[lane].starved];
    bool waits = c->stage == KERB_TRAFFIC_DRIVING && car_on_lane(t, c) && !car_goes_on(c) &&
                 c->ahead[0] < 0 && c->next_turn >= 0;
    return waits && c->waited > t->head->settings.patience && lane_wanted(t, c, -1) == lane ? c
                                                                                            : NULL;
}

// Remembers whether a vehicle that was refused its claim waits for room, on the lane on which it
// will stand. At red it stays the one that has the next place, which may become free only then.
static void note_starved(city_view* t, int32_t index, kerb_traffic_wait refused) {
    const city_car* c = &t->cars[index];
    if (c->waited <= t->head->settings.patience)
        return;
    int32_t wanted = lane_wanted(t, c, -1);
    if (wanted < 0)
        return;
    lane_state* lane = &t->lanes[wanted];
    const city_car* other = starved_car(t, wanted);
    if (refused == KERB_TRAFFIC_WAIT_ROOM && (!other || other->waited < c->waited))
        lane->starved = index;
    else if (refused != KERB_TRAFFIC_WAIT_ROOM && refused != KERB_TRAFFIC_WAIT_SIGNAL &&
             lane->starved == index)
        lane->starved = -1;
}

// A place on a lane becomes free at its start when the queue has moved on so far, which may be
// always while the same signal is red. So who has lost its patience has its turn: of those that
// wait for room, the one that has waited longest. Returns what it needs; 0: there is no such
// vehicle, or it could not take the place itself.
static float need_of_starved(const city_view* t, const city_car* c, int32_t lane) {
    const city_car* other = starved_car(t, lane);
    return other && other->waited > c->waited && !kerb_in_closes_ring(t, other, lane) ? other->need
                                                                                      : 0;
}

// The vehicle may stand on the lane behind the last turn of the chain.
static bool may_stand(const city_view* t, const city_car* c, int32_t lane, claim_chain* chain) {
    chain->refused = KERB_TRAFFIC_WAIT_ROOM;
    float left = need_of_starved(t, c, lane);
    if (lane_is_reserved(t, lane) ||
        (!chain->rotates &&
         (!has_place(t, c, lane, -left) || room_is_blocked(t, c, lane, c->need + left))))
        return false;
    if (has_crossings(t, lane)) {
        float end;
        int32_t n = kerb_in_crossings_at_start(t, c, lane, &end);
        if (!kerb_in_crossings_have_room(t, c, lane))
            return false;
        chain->refused = KERB_TRAFFIC_WAIT_CONFLICT;
        if (!kerb_in_crossings_are_free(t, c, lane, 0, n))
            return false;
    }
    chain->refused = KERB_TRAFFIC_WAIT_RING;
    return chain->rotates || !kerb_in_closes_ring(t, c, lane);
}

// It may drive over all crossings of a segment from one on.
static bool crossings_allow_passing(const city_view* t, const city_car* c, int32_t segment,
                                    int32_t first) {
    return kerb_in_crossings_are_free(t, c, segment, first,
                                      t->net.segments[segment].crossing_count);
}

// All turns up to a lane with room. A lane for less than two vehicles is passed where that is
// possible. Crossings that no junction orders (traffic_crossings.c) are claimed with it.
static bool find_chain(const city_view* t, const city_car* c, claim_chain* chain) {
    int32_t turn = c->next_turn, count = 0, room = CAR_CLAIMS - c->claim_count;
    chain->refused = KERB_TRAFFIC_WAIT_CONFLICT;
    if (!crossings_allow_passing(t, c, c->segment, c->crossings))
        return false;
    chain->refused = KERB_TRAFFIC_WAIT_ROOM;
    float way = car_rest(t, c);
    bool passes = false; // a lane too short to stand on
    while (count < room && turn >= 0 && !turn_refused(t, c, turn, way, passes, chain)) {
        int32_t lane = t->net.turns[turn].to, next = kerb_in_route_peek(t, c, count + 2);
        bool stands = car_can_stand(t, c, lane);
        if (!stands && !nobody_will_stand(t, lane)) { // a shorter vehicle stands there
            chain->refused = KERB_TRAFFIC_WAIT_ROOM;
            break;
        }
        passes = !stands;
        way += t->net.segments[t->head->lane_count + turn].length + t->net.segments[lane].length;
        chain->turns[count++] = turn;
        if ((!stands && next < 0) || (stands && may_stand(t, c, lane, chain)))
            chain->count = count;
        if (next < 0 || (stands && (chain->rotates || !nobody_will_stand(t, lane) ||
                                    lane_room(t, lane) >= lane_vehicles * c->need)))
            break;
        if (!crossings_allow_passing(t, c, lane, 0)) {
            chain->refused = KERB_TRAFFIC_WAIT_CONFLICT;
            break;
        }
        turn = kerb_in_choose_turn(t, c, lane, count);
    }
    return chain->count > 0;
}

static void grant(city_view* t, int32_t index, const claim_chain* chain) {
    city_car* c = &t->cars[index];
    float entry = c->way + car_rest(t, c);
    if (car_on_lane(t, c))
        c->crossings = (uint16_t)t->net.segments[c->segment].crossing_count;
    for (int32_t k = 0; k < chain->count; k++) {
        int32_t lane = t->net.turns[chain->turns[k]].to;
        claim_add(t, index, chain->turns[k], entry);
        entry += t->net.segments[t->head->lane_count + chain->turns[k]].length +
                 t->net.segments[lane].length;
        t->lanes[lane].used += c->need;
        t->lanes[lane].incoming += c->need;
    }
}

// --------------------------------------------------------------------------- rings that are full

enum { RING_MAX = 16 };

// Vehicles whose lanes are full, each waiting for the lane of the next one, from `index` on.
// Returns how many there are in the ring; 0: no ring.
static int32_t find_ring(const city_view* t, int32_t index, int32_t* ring) {
    int32_t start = t->cars[index].segment, count = 0, at = start;
    for (; count < RING_MAX; count++) {
        int32_t first = count == 0 ? index : first_waiting(t, at, NULL);
        if (first < 0 || kerb_in_overtaking_beside(t, at) || t->cars[first].next_turn < 0 ||
            t->cars[first].shadow >= 0 || t->cars[first].ahead[0] >= 0 ||
            t->cars[first].v > KERB_IN_STANDSTILL)
            return 0;
        ring[count] = first;
        at = lane_wanted(t, &t->cars[first], -1);
        if (at == start)
            return count + 1;
        if (at < 0 || has_place(t, &t->cars[first], at, 0))
            return 0;
    }
    return 0;
}

static bool chain_has_crossings(const city_view* t, const city_car* c, const claim_chain* chain) {
    bool any = has_crossings(t, c->segment);
    for (int32_t i = 0; i < chain->count; i++)
        any = any || has_crossings(t, t->head->lane_count + chain->turns[i]) ||
              has_crossings(t, t->net.turns[chain->turns[i]].to);
    return any;
}

// `c` and `other`: whose chains they are.
static bool chains_conflict(const city_view* t, const city_car* c, const claim_chain* a,
                            const city_car* other, const claim_chain* b) {
    const net_segment* turns = t->net.segments + t->head->lane_count;
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t k = 0; k < b->count; k++) {
            if (turns[a->turns[i]].junction != turns[b->turns[k]].junction)
                continue;
            const net_foe* foe = net_foe_of(&t->net, a->turns[i], b->turns[k]);
            if (foe && (net_span_is_any(&foe->wide) || car_swings(t, c) || car_swings(t, other)))
                return true;
        }
    return false;
}

// All of the ring move on by a lane at once: each takes the place that the next one leaves. Their
// turns must not conflict, so that none waits for another in a junction.
bool kerb_in_rotate_ring(city_view* t, int32_t index) {
    int32_t ring[RING_MAX], count = find_ring(t, index, ring);
    claim_chain chains[RING_MAX];
    for (int32_t i = 0; i < count; i++) {
        chains[i] = (claim_chain){.rotates = true};
        if (!find_chain(t, &t->cars[ring[i]], &chains[i]) ||
            chain_has_crossings(t, &t->cars[ring[i]], &chains[i]))
            return false;
        for (int32_t k = 0; k < i; k++)
            if (chains_conflict(t, &t->cars[ring[i]], &chains[i], &t->cars[ring[k]], &chains[k]))
                return false;
    }
    for (int32_t i = 0; i < count; i++) {
        grant(t, ring[i], &chains[i]);
        kerb_in_traffic_record(t, ring[i], KERB_TRAFFIC_CREPT);
        t->head->counts.crept++;
    }
    return count > 0;
}

static void consider_claim(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    claim_chain chain = {.refused = KERB_TRAFFIC_WAIT_YIELD};
    const net_turn* turn = &t->net.turns[c->next_turn];
    int32_t ahead = c->ahead[0];
    if (ahead >= 0 && !car_goes_on(node_car(t, ahead)))
        return; // it gave its claim back in this step
    bool stops = turn->stop || turn->all_stop || kerb_in_traffic_letter(t, c->next_turn) == 's';
    if (stops && !car_has_priority(t, c)) {
        if (c->v < KERB_IN_STANDSTILL &&
            kerb_in_crossings_line(t, c, c->segment) - c->s < stop_sign_distance)
            c->has_stopped = 1;
        if (!c->has_stopped) {
            c->wait = KERB_TRAFFIC_WAIT_STOP;
            return;
        }
    }
    if (!find_chain(t, c, &chain)) {
        c->wait = (uint8_t)chain.refused;
        note_starved(t, index, chain.refused);
        if (chain.refused == KERB_TRAFFIC_WAIT_LANE) // closed meanwhile
            kerb_in_route_plan(t, c);
    } else if (must_yield(t, c, c->next_turn))
        c->wait = KERB_TRAFFIC_WAIT_YIELD;
    else if (body_is_in_the_way(t, c, c->next_turn))
        c->wait = KERB_TRAFFIC_WAIT_BODY;
    else
        grant(t, index, &chain);
}

// Greater priority, then longer wait, then smaller number.
static bool claim_precedes(const city_view* t, int32_t a, int32_t b) {
    const city_car *ca = &t->cars[a], *cb = &t->cars[b];
    int32_t pa = t->head->types[ca->type].priority, pb = t->head->types[cb->type].priority;
    if (pa != pb)
        return pa > pb;
    const net_foe* foe = net_foe_of(&t->net, ca->next_turn, cb->next_turn);
    bool patient = ca->waited < yield_patience && cb->waited < yield_patience;
    if (foe && patient && (foe->leads || foe->yields))
        return foe->leads;
    if (ca->waited > cb->waited || ca->waited < cb->waited)
        return ca->waited > cb->waited;
    return a < b;
}

// Takes the one that goes first out of the list of those that want to claim.
static int32_t take_first(city_view* t, int32_t* list) {
    int32_t best = *list, before_best = -1;
    for (int32_t before = *list, i = t->wants[before]; i >= 0; before = i, i = t->wants[i])
        if (claim_precedes(t, i, best)) {
            best = i;
            before_best = before;
        }
    if (before_best < 0)
        *list = t->wants[best];
    else
        t->wants[before_best] = t->wants[best];
    return best;
}

void kerb_in_traffic_claims(city_view* t) {
    int32_t count = t->head->car_count;
    for (int32_t i = 0; i < count; i++)
        if (t->flags[i] & CAR_GIVES_BACK)
            kerb_in_claims_give_back(t, i);
    for (int32_t i = 0; i < count; i++)
        if (t->flags[i] & CAR_WANTS_CROSSING)
            kerb_in_crossings_take(t, i);
    for (int32_t i = count - 1; i >= 0; i--)
        if (t->flags[i] & CAR_WANTS_CLAIM) {
            int32_t junction = t->net.segments[t->cars[i].segment].junction;
            t->wants[i] = t->junctions[junction].want;
            t->junctions[junction].want = i;
        }
    for (int32_t i = 0; i < count; i++)
        if (t->flags[i] & CAR_WANTS_CLAIM) {
            int32_t* list = &t->junctions[t->net.segments[t->cars[i].segment].junction].want;
            while (*list >= 0)
                consider_claim(t, take_first(t, list));
        }
}
