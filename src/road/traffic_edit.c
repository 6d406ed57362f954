// Purpose: moves traffic over to a network that was changed.
// Idea:    Everything that names a lane, an edge, a turn or a signal is renamed. Lists of vehicles
//          and of claims keep their order, so what holds of them still holds; sums are made anew.
//          Nothing is changed before it is known that nothing in use is gone.
// Cost:    O(segments + vehicles), and a route for each that has to be mended.
#include "traffic_parts.h"

#include "kerb/traffic_edit.h"

#include <string.h>

// Longest route that is mended at once.
enum { EDIT_EDGES_MAX = 1500 };

typedef struct city_edit {
    city_view from, to;
    const kerb_network_change* change;
} city_edit;

static int32_t renamed(const int32_t* names, int32_t i) {
    return i < 0 || !names ? i : names[i];
}

static int32_t lane_now(const city_edit* e, int32_t lane) {
    return renamed(e->change->lanes, lane);
}

static int32_t turn_now(const city_edit* e, int32_t turn) {
    return renamed(e->change->turns, turn);
}

static int32_t segment_now(const city_edit* e, int32_t segment) {
    int32_t lanes = e->from.head->lane_count;
    if (segment < lanes)
        return lane_now(e, segment);
    int32_t turn = turn_now(e, segment - lanes);
    return turn < 0 ? -1 : e->to.head->lane_count + turn;
}

// The edge of its first lane that is left; -1: it is gone.
static int32_t edge_now(const city_edit* e, int32_t edge) {
    const kerb_network_edge* old = &e->from.net.edges[edge];
    for (int32_t l = old->first_lane; l < old->first_lane + old->lane_count; l++)
        if (lane_now(e, l) >= 0)
            return e->to.net.lanes[lane_now(e, l)].edge;
    return -1;
}

// --------------------------------------------------------------------------- what is in use

// Its rear may still be on the lane before a turn that it has entered.
static int32_t uses_of_car(const city_view* t, const city_car* c, int32_t segment) {
    if (c->stage < KERB_TRAFFIC_DRIVING)
        return 0;
    if (c->segment == segment || c->shadow == segment ||
        (car_overtakes(c) && t->net.lanes[c->segment].oncoming == segment))
        return 1;
    int32_t entered = c->passed + (car_on_lane(t, c) ? 0 : 1);
    for (int32_t k = 0; k < c->claim_count; k++) {
        int32_t turn = claim_turn(&c->claims[claim_place(c, k)]);
        if (t->head->lane_count + turn == segment || t->net.turns[turn].to == segment ||
            (k < entered && t->net.turns[turn].from == segment))
            return 1;
    }
    return 0;
}

int32_t kerb_traffic_uses(const kerb_traffic* traffic, const kerb_network* network,
                          int32_t segment) {
    city_view t = kerb_in_traffic_view(traffic->memory, network->memory);
    int32_t count = 0;
    for (int32_t i = 0; i < t.head->car_count; i++)
        count += uses_of_car(&t, &t.cars[i], segment);
    return count;
}

static kerb_result edit_error(kerb_error* error, kerb_result result, const char* field,
                              int32_t index, const char* message) {
    return kerb_error_set(error, result, field, 0, index, message);
}

static kerb_result check_names(const city_edit* e, kerb_error* error) {
    const net_block *old = e->from.net.head, *next = e->to.net.head;
    for (int32_t i = 0; i < old->lane_count; i++)
        if (lane_now(e, i) < -1 || lane_now(e, i) >= next->lane_count)
            return edit_error(error, KERB_ERROR_OUT_OF_RANGE, "lanes", i,
                              "must be a lane of the new network or -1");
    for (int32_t i = 0; i < old->turn_count; i++)
        if (turn_now(e, i) < -1 || turn_now(e, i) >= next->turn_count)
            return edit_error(error, KERB_ERROR_OUT_OF_RANGE, "turns", i,
                              "must be a turn of the new network or -1");
    return KERB_OK;
}

// A turn that is left must lead from lane to lane as before.
static bool turn_is_torn(const city_edit* e, int32_t turn) {
    int32_t now = turn_now(e, turn);
    const net_turn *old = &e->from.net.turns[turn], *next = &e->to.net.turns[now];
    return next->from != lane_now(e, old->from) || next->to != lane_now(e, old->to);
}

static kerb_result check_driving(const city_edit* e, const city_car* c, kerb_error* error) {
    const net_turn* turns = e->from.net.turns;
    int32_t lanes = e->from.head->lane_count, on[2] = {c->segment, c->shadow};
    for (int32_t k = 0; k < c->claim_count; k++) {
        int32_t turn = claim_turn(&c->claims[claim_place(c, k)]);
        if (turn_now(e, turn) < 0 || turn_is_torn(e, turn))
            return edit_error(error, KERB_ERROR_CONTRADICTION, "turns", turn,
                              "must not change while a vehicle uses it");
        if (lane_now(e, turns[turn].to) < 0)
            return edit_error(error, KERB_ERROR_CONTRADICTION, "lanes", turns[turn].to,
                              "must not go while a vehicle has claimed it");
    }
    for (int32_t k = 0; k < 2; k++)
        if (on[k] >= 0 && on[k] < lanes && lane_now(e, on[k]) < 0)
            return edit_error(error, KERB_ERROR_CONTRADICTION, "lanes", on[k],
                              "must not go while a vehicle is on it");
    if (car_overtakes(c) && e->to.net.lanes[lane_now(e, c->segment)].oncoming !=
                                lane_now(e, e->from.net.lanes[c->segment].oncoming))
        return edit_error(error, KERB_ERROR_CONTRADICTION, "lanes", c->segment,
                          "must stay beside the lane on which a vehicle overtakes");
    if (c->shadow >= 0 && e->to.net.lanes[lane_now(e, c->segment)].edge !=
                              e->to.net.lanes[lane_now(e, c->shadow)].edge)
        return edit_error(error, KERB_ERROR_CONTRADICTION, "lanes", c->segment,
                          "must stay beside the lane from which a vehicle changes");
    return KERB_OK;
}

static kerb_result check_edit_outside(const city_edit* e, const city_car* c, kerb_error* error) {
    for (int32_t k = 0; kerb_in_route_peek(&e->from, c, k) >= 0; k++)
        if (edge_now(e, kerb_in_route_peek(&e->from, c, k)) >= 0)
            return KERB_OK;
    return edit_error(error, KERB_ERROR_CONTRADICTION, "lanes",
                      e->from.net.edges[kerb_in_route_peek(&e->from, c, 0)].first_lane,
                      "must not go while a vehicle waits whose route has no other edge left");
}

static kerb_result check_use(const city_edit* e, kerb_error* error) {
    for (int32_t i = 0; i < e->from.head->car_count; i++) {
        const city_car* c = &e->from.cars[i];
        kerb_result result = c->stage >= KERB_TRAFFIC_DRIVING   ? check_driving(e, c, error)
                             : c->stage == KERB_TRAFFIC_OUTSIDE ? check_edit_outside(e, c, error)
                                                                : KERB_OK;
        if (result != KERB_OK)
            return result;
    }
    return KERB_OK;
}

// --------------------------------------------------------------------------- renaming

static float station_now(const city_edit* e, int32_t segment, int32_t now, float s) {
    float old = e->from.net.segments[segment].length, next = e->to.net.segments[now].length;
    return old > next || old < next ? s * next / old : s;
}

static void rename_car(const city_edit* e, city_car* c) {
    int32_t segment = c->segment, lanes = e->from.head->lane_count;
    for (int32_t k = 0; k < c->claim_count; k++) {
        car_claim* held = &c->claims[claim_place(c, k)];
        claim_set_turn(held, turn_now(e, claim_turn(held)));
        claim_set_next(held, -1);
    }
    if (segment < 0)
        return;
    c->segment = segment_now(e, segment);
    c->s = station_now(e, segment, c->segment, c->s);
    if (c->arrival >= 0 && kerb_in_route_peek(&e->from, c, 1) < 0 && segment < lanes)
        c->arrival = station_now(e, segment, c->segment, c->arrival);
    c->shadow = c->shadow < 0 ? -1 : lane_now(e, c->shadow);
    c->goal = c->goal < 0 ? -1 : lane_now(e, c->goal);
    c->next_turn = turn_now(e, c->next_turn);
    if (c->stop.lane >= 0)
        c->stop.lane = lane_now(e, c->stop.lane);
}

// Where claims begin, counted along a way whose lengths may have changed.
static void measure_claims(const city_edit* e, city_car* c) {
    const net_segment* segments = e->to.net.segments;
    int32_t lanes = e->to.head->lane_count;
    bool on_turn = c->segment >= lanes;
    float at = c->way - c->s; // where its segment begins
    if (!on_turn)
        at += segments[c->segment].length; // where the next turn begins
    for (int32_t k = c->passed; k < c->claim_count; k++) {
        car_claim* held = &c->claims[claim_place(c, k)];
        claim_set_entry(held, at);
        at += segments[lanes + claim_turn(held)].length +
              segments[e->to.net.turns[claim_turn(held)].to].length;
    }
}

static void relink_segment(city_edit* e, int32_t segment) {
    int32_t now = segment_now(e, segment), last = -1;
    if (now < 0)
        return;
    lane_state *old = &e->from.lanes[segment], *lane = &e->to.lanes[now];
    lane->requester = old->requester;
    lane->starved = old->starved;
    lane->incident = old->incident;
    lane->overtaker = old->overtaker;
    for (int32_t node = old->first; node >= 0;) {
        city_car* c = node_car(&e->to, node);
        int32_t k = node & 1, behind = node_car(&e->from, node)->behind[k];
        c->ahead[k] = last;
        c->behind[k] = behind;
        if (now < e->to.head->lane_count)
            lane->used += c->need;
        last = node;
        node = behind;
    }
    lane->first = old->first;
    lane->last = old->last;
}

// Claims in their order; lanes that they lead to.
static void relink_claims(city_edit* e, int32_t junction) {
    for (int32_t i = e->from.junctions[junction].first; i >= 0;) {
        city_car* c = &e->to.cars[i / CAR_CLAIMS];
        car_claim* held = &c->claims[i % CAR_CLAIMS];
        junction_state* j =
            &e->to
                 .junctions[e->to.net.segments[e->to.head->lane_count + claim_turn(held)].junction];
        if (j->last >= 0)
            claim_set_next(&e->to.cars[j->last / CAR_CLAIMS].claims[j->last % CAR_CLAIMS], i);
        else
            j->first = i;
        j->last = i;
        int32_t place = (i % CAR_CLAIMS - c->claim_first + CAR_CLAIMS) % CAR_CLAIMS;
        if (place >= c->passed) { // its front has not reached the lane
            lane_state* lane = &e->to.lanes[e->to.net.turns[claim_turn(held)].to];
            lane->used += c->need;
            lane->incoming += c->need;
        }
        i = claim_next(&e->from.cars[i / CAR_CLAIMS].claims[i % CAR_CLAIMS]);
    }
}

// --------------------------------------------------------------------------- routes

static bool edges_connect(const city_view* t, const city_car* c, int32_t from, int32_t to) {
    const kerb_network_edge* e = &t->net.edges[from];
    for (int32_t l = e->first_lane; l < e->first_lane + e->lane_count; l++)
        for (int32_t i = 0; i < t->net.lanes[l].turn_count; i++) {
            int32_t turn = t->net.lane_turns[t->net.lanes[l].first_turn + i];
            if (t->net.lanes[t->net.turns[turn].to].edge == to &&
                car_may_use(t, c, t->net.turns[turn].to))
                return true;
        }
    return false;
}

// The edge `k` places on along the route: where it stands and what it has claimed say it best.
static int32_t route_edge_now(const city_edit* e, const city_car* before, int32_t k) {
    int32_t lanes = e->from.head->lane_count, lane = -1;
    if (before->segment >= 0 && k == 0)
        lane = before->segment < lanes ? before->segment
                                       : e->from.net.turns[before->segment - lanes].from;
    else if (before->segment >= 0 && k <= before->claim_count - before->passed)
        lane = e->from.net
                   .turns[claim_turn(&before->claims[claim_place(before, before->passed + k - 1)])]
                   .to;
    if (lane >= 0)
        return e->to.net.lanes[lane_now(e, lane)].edge;
    return edge_now(e, kerb_in_route_peek(&e->from, before, k));
}

// Appends the fastest way from the last edge to another one.
static bool append_way(const city_edit* e, city_car* c, int32_t* way, int32_t* count, int32_t to) {
    int32_t found_edges[EDIT_EDGES_MAX];
    const kerb_network_edge* last = &e->to.net.edges[way[*count - 1]];
    for (int32_t l = last->first_lane; l < last->first_lane + last->lane_count; l++) {
        int32_t found = kerb_in_find_edges(&e->to, c, l, to, found_edges, EDIT_EDGES_MAX);
        if (found < 2 || *count + found - 1 > EDIT_EDGES_MAX)
            continue;
        for (int32_t i = 1; i < found; i++)
            way[(*count)++] = found_edges[i];
        return true;
    }
    return false;
}

// The route in the new network, up to where it is torn; its last edge that is left is `target`.
// Returns how many edges it has. `torn`: it has changed.
static int32_t route_now(const city_edit* e, int32_t index, int32_t* way, int32_t* target,
                         bool* torn) {
    const city_car *before = &e->from.cars[index], *c = &e->to.cars[index];
    int32_t fixed = before->segment < 0 ? 0 : before->claim_count - before->passed, count = 0;
    *torn = false;
    for (int32_t k = 0; kerb_in_route_peek(&e->from, before, k) >= 0; k++) {
        int32_t edge = route_edge_now(e, before, k);
        *torn |= edge < 0 || count == EDIT_EDGES_MAX;
        if (edge < 0 || count == EDIT_EDGES_MAX)
            continue;
        *target = edge;
        *torn |= k > fixed && count > 0 && !edges_connect(&e->to, c, way[count - 1], edge);
        if (!*torn || count == 0)
            way[count++] = edge;
    }
    return count;
}

// Crossings that a vehicle has taken, where its segment has others now.
static void keep_crossings(const city_edit* e, int32_t index) {
    city_car* c = &e->to.cars[index];
    if (c->stage < KERB_TRAFFIC_DRIVING)
        return;
    int32_t count = e->to.net.segments[c->segment].crossing_count;
    if (count != e->from.net.segments[e->from.cars[index].segment].crossing_count)
        c->crossings =
            (uint16_t)(car_goes_on(c) ? count : kerb_in_crossings_before(&e->to, c->segment, c->s));
}

static void plan_car(city_edit* e, int32_t index, bool torn) {
    city_car* c = &e->to.cars[index];
    keep_crossings(e, index);
    if (c->stage < KERB_TRAFFIC_DRIVING || c->claim_count > 0)
        return;
    bool has_stopped = c->has_stopped;
    if (torn)
        c->goal = -1;
    kerb_in_route_plan(&e->to, c);
    c->has_stopped = has_stopped;
}

// Routes that are as before take no more memory than before. Returns how many are torn.
static int32_t keep_routes(city_edit* e) {
    int32_t way[EDIT_EDGES_MAX], target = -1, count = 0;
    bool torn;
    for (int32_t i = 0; i < e->to.head->car_count; i++) {
        if (e->to.cars[i].stage == KERB_TRAFFIC_NONE)
            continue;
        int32_t length = route_now(e, i, way, &target, &torn);
        if (!torn)
            kerb_in_route_store(&e->to, &e->to.cars[i], way, length);
        count += torn;
    }
    return count;
}

// Each takes memory for one chunk at least, and leaves as much for those that follow.
static void mend_routes(city_edit* e, int32_t left) {
    int32_t way[EDIT_EDGES_MAX], target = -1;
    bool torn;
    for (int32_t i = 0; left > 0 && i < e->to.head->car_count; i++) {
        city_car* c = &e->to.cars[i];
        if (c->stage == KERB_TRAFFIC_NONE || c->chunk >= 0)
            continue;
        int32_t count = route_now(e, i, way, &target, &torn), free_chunks = 0;
        if (count > 0 && way[count - 1] != target && !append_way(e, c, way, &count, target))
            c->arrival = -1; // it ends at another place
        for (int32_t k = e->to.head->free_chunk; k >= 0; k = e->to.chunks[k].next)
            free_chunks++;
        left--;
        int32_t most = (free_chunks - left) * CHUNK_EDGES - 1;
        kerb_in_route_store(&e->to, c, way, count < most ? count : most);
        kerb_in_traffic_record(&e->to, i, KERB_TRAFFIC_REROUTED);
        e->to.head->counts.reroutes++;
        plan_car(e, i, true);
    }
}

static void rename_knowledge(const city_edit* e) {
    for (int32_t i = 0; i < e->to.head->known_max; i++) {
        const kerb_route_knowledge old = e->from.knowledge[i];
        kerb_route_knowledge* k = &e->to.knowledge[i];
        *k = (kerb_route_knowledge){.count = 0};
        for (int32_t j = 0; e->from.owners[i] >= 0 && j < old.count; j++)
            if (lane_now(e, old.lanes[j]) >= 0)
                kerb_route_learn(k, lane_now(e, old.lanes[j]), old.until[j]);
    }
}

static void rename_signals(const city_edit* e) {
    for (int32_t i = 0; i < e->from.head->signal_count; i++) {
        int32_t now = renamed(e->change->signals, i);
        if (now < 0 || now >= e->to.head->signal_count)
            continue;
        e->to.signals[now] = e->from.signals[i];
        if (e->to.signals[now].phase >= e->to.net.signals[now].phase_count)
            e->to.signals[now].phase = 0;
    }
}

// --------------------------------------------------------------------------- moving

// No two lanes or turns become one.
static kerb_result check_different(city_edit* e, kerb_error* error) {
    int32_t segments = e->from.head->segment_count, lanes = e->from.head->lane_count;
    for (int32_t i = 0; i < segments; i++) {
        int32_t now = segment_now(e, i);
        if (now >= 0 && e->to.lanes[now].requester >= 0)
            return edit_error(error, KERB_ERROR_CONTRADICTION, i < lanes ? "lanes" : "turns",
                              i < lanes ? i : i - lanes,
                              "must not become what another one becomes");
        if (now >= 0)
            e->to.lanes[now].requester = i;
    }
    for (int32_t i = 0; i < e->to.head->segment_count; i++)
        e->to.lanes[i].requester = -1;
    return KERB_OK;
}

static void move_over(city_edit* e) {
    city_view *from = &e->from, *to = &e->to;
    const traffic_block* h = to->head;
    memcpy(to->cars, from->cars, (size_t)h->car_max * sizeof *to->cars);
    memcpy(to->flags, from->flags, (size_t)h->car_max);
    memcpy(to->events, from->events, (size_t)h->event_max * sizeof *to->events);
    memcpy(to->bodies, from->bodies, (size_t)h->body_max * sizeof *to->bodies);
    memcpy(to->owners, from->owners, (size_t)h->known_max * sizeof *to->owners);
    rename_knowledge(e);
    rename_signals(e);
    for (int32_t i = 0; i < h->car_count; i++) {
        city_car* c = &to->cars[i];
        c->chunk = -1;
        if (c->stage >= KERB_TRAFFIC_DRIVING) {
            rename_car(e, c);
            measure_claims(e, c);
        }
    }
    for (int32_t i = 0; i < from->head->segment_count; i++)
        relink_segment(e, i);
    for (int32_t i = 0; i < from->head->junction_count; i++)
        relink_claims(e, i);
    to->head->incidents = 0;
    for (int32_t i = 0; i < h->lane_count; i++)
        to->head->incidents += to->lanes[i].incident;
    kerb_in_route_all_times(to);
    kerb_in_bodies_mark(to);
    int32_t torn = keep_routes(e);
    for (int32_t i = 0; i < h->car_count; i++)
        if (to->cars[i].chunk >= 0)
            plan_car(e, i, false);
    mend_routes(e, torn);
    for (int32_t i = 0; i < from->head->edge_count; i++)
        for (int32_t k = from->outside[2 * (ptrdiff_t)i]; k >= 0; k = from->cars[k].ahead[0])
            kerb_in_traffic_queue(to, k);
}

kerb_result kerb_traffic_move_to(kerb_traffic* traffic, const kerb_network* old,
                                 const kerb_network* next, const kerb_network_change* change,
                                 const kerb_host* host, kerb_error* error) {
    static const kerb_network_change same = {NULL, NULL, NULL};
    city_edit e = {.from = kerb_in_traffic_view(traffic->memory, old->memory),
                   .to.net = kerb_in_network_view(next->memory),
                   .change = change ? change : &same};
    kerb_result result = check_names(&e, error);
    if (result == KERB_OK)
        result = check_use(&e, error);
    if (result != KERB_OK)
        return result;
    kerb_traffic moved;
    result = kerb_in_traffic_allocate(&moved, next, e.from.head, host, error);
    if (result != KERB_OK)
        return result;
    e.to = kerb_in_traffic_view(moved.memory, next->memory);
    e.to.routes = &moved.routes;
    e.to.work = &moved.work;
    result = check_different(&e, error);
    if (result != KERB_OK) {
        kerb_traffic_destroy(&moved);
        return result;
    }
    move_over(&e);
    kerb_traffic_destroy(traffic);
    *traffic = moved;
    return KERB_OK;
}
