// Purpose: lane changes: towards lanes that lead where the route goes, and for speed.
// Source:  Kesting, Treiber, Helbing 2007, "General lane-changing model MOBIL for car-following
//          models".
// Idea:    A change begins only with room to finish it even if the vehicle ahead stops, and with
//          room for the one behind to brake comfortably. A vehicle that must change requests the
//          gap from the one behind it.
// Cost:    O(vehicles of the lane beside) for each vehicle that considers, about once a second.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on grids and street maps.

// Room ahead that a change needs on both lanes, so that it ends even if all vehicles ahead stop.
// [m]
static const float room_for_change = KERB_IN_CHANGE_ROOM;
// Wait after which a gap is requested from all vehicles on the lane beside. [s]
static const float request_delay = 3.0f;
// Least time between two changes for speed. [s]
static const float interval_min = 6.0f;
// Shortest distance to the vehicle behind, and to the one ahead after hard braking. [m]
static const float gap_min = 1.0f;
// Shortest distance to a vehicle behind that stands, and the speed that counts as that. [m, m/s]
static const float gap_behind_standing = 0.25f, standing_speed = 0.5f;
// Room ahead for a change for the route that may be interrupted. [m]
static const float room_interrupted = 0.5f;
// Deceleration that a change may ask of others: for speed, for the route, and for the route near
// the lane's end. The default of kerb_traffic_type.deceleration is 2.5. [m/s^2]
static const float speed_braking = 2.0f, route_braking = 2.5f, route_end_braking = 4.0f;
// Rest of the lane from which on that is, [m]
static const float route_end = 80.0f;
// and from which on a gap is requested. [m]
static const float request_distance = 150.0f;
// From here on it may be interrupted, and the gap behind a vehicle beside is waited for. [m]
static const float interrupt_distance = 80.0f, fall_behind_distance = 40.0f;
// No change for speed so near the lane's end; past an obstacle, none onto a lane that does not lead
// on. [m]
static const float speed_change_end = 50.0f, pass_end = 60.0f;
// A broken or stopping vehicle that is slower than this is passed. [m/s]
static const float obstacle_speed = 0.5f;
// A body that stands is passed from this distance on. [m]
static const float body_pass_distance = 40.0f;
// Free start of a lane, beyond the room of vehicles that claimed it. [m]
static const float claimed_margin = 5.0f;

typedef struct neighbours {
    int32_t ahead, behind; ///< nodes on the lane beside, or -1
    float gap_ahead, gap_behind;
    float v_ahead; ///< of the one ahead, or of one that has left the lane but for its rear
} neighbours;

static neighbours find_neighbours(const city_view* t, const city_car* c, int32_t lane) {
    float s = car_station_beside(t, c, lane);
    neighbours n = {.gap_ahead = KERB_IN_NO_LIMIT, .gap_behind = KERB_IN_NO_LIMIT};
    n.ahead = kerb_in_list_ahead(t, lane, s);
    n.behind = n.ahead >= 0 ? node_car(t, n.ahead)->behind[n.ahead & 1] : t->lanes[lane].first;
    tail_leader tail = kerb_in_tail_ahead(t, c, lane, s);
    n.gap_ahead = tail.gap;
    n.v_ahead = tail.v;
    if (n.ahead >= 0) {
        n.gap_ahead = node_station(t, n.ahead) - node_car(t, n.ahead)->length - s;
        n.v_ahead = node_car(t, n.ahead)->v;
    }
    if (n.behind >= 0)
        n.gap_behind = s - c->length - node_station(t, n.behind);
    return n;
}

static float gap_on_own_lane(const city_view* t, const city_car* c) {
    int32_t ahead = c->ahead[0];
    return ahead >= 0 ? node_station(t, ahead) - node_car(t, ahead)->length - c->s
                      : kerb_in_tail_ahead(t, c, c->segment, c->s).gap;
}

// Distance to what is ahead on its own lane.
static float room_on_own_lane(const city_view* t, const city_car* c) {
    float room = gap_on_own_lane(t, c);
    if (t->lanes[c->segment].mark >= 0)
        room = kerb_min(room, kerb_in_body_ahead(t, c, c->segment, c->s));
    return room;
}

// All could brake with `b` at most, and `room` is left ahead on both lanes for the change. With
// less room than a change takes, it may be interrupted while vehicles ahead stand.
static bool gap_is_safe(const city_view* t, const city_car* c, const neighbours* n, float b,
                        float room) {
    const kerb_traffic_type* type = &t->head->types[c->type];
    if (room_on_own_lane(t, c) < room)
        return false;
    if (n->gap_ahead < KERB_IN_NO_LIMIT &&
        (n->gap_ahead < type->min_gap + room ||
         kerb_in_safe_speed(c->v, n->gap_ahead - gap_min, n->v_ahead, b, b, t->dt) <
             c->v - b * t->dt))
        return false;
    if (n->behind >= 0) {
        const city_car* f = node_car(t, n->behind);
        if (car_goes_on(f)) // its claim would be older than that of the vehicle ahead of it
            return false;
        if (f->shadow >= 0 && room >= room_for_change && n->gap_behind < type->min_gap + room)
            return false;
        float least = f->v < standing_speed ? gap_behind_standing : gap_min;
        if (n->gap_behind < least ||
            kerb_in_safe_speed(f->v, n->gap_behind - least, c->v, b, b, t->dt) < f->v - b * t->dt)
            return false;
    }
    return true;
}

// Vehicles that have claimed their way to a lane, and are not on it yet, could brake behind one
// whose rear is at a station and that drives with `v`.
static bool those_who_come_can_brake(const city_view* t, int32_t lane, float rear, float v) {
    const junction_state* j = &t->junctions[t->net.edges[t->net.lanes[lane].edge].from];
    for (int32_t i = j->first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        float turn = t->net.segments[t->head->lane_count + claim_turn(held)].length;
        float gap = claim_entry(held) + turn - other->way + rear - gap_min;
        if (t->net.turns[claim_turn(held)].to == lane && other->segment != lane &&
            kerb_in_safe_speed(other->v, kerb_max(gap, 0), v, route_end_braking, route_end_braking,
                               t->dt) < other->v - route_end_braking * t->dt)
            return false;
        i = claim_next(held);
    }
    return true;
}

// What becomes free on a lane because the vehicle that is next to be behind wants to change to the
// lane of this one; none while others are on their way to the lane, whose places are counted. [m]
static float room_of_swapper(const city_view* t, const city_car* c, int32_t lane,
                             const neighbours* n) {
    if (n->behind < 0 || (n->behind & 1) || t->lanes[lane].incoming > KERB_IN_NO_NEED)
        return 0;
    const city_car* behind = node_car(t, n->behind);
    const bool swaps = car_lane_to_reach(behind) == c->segment && !behind->broken &&
                       behind->shadow < 0 && behind->stage == KERB_TRAFFIC_DRIVING;
    return swaps ? behind->need : 0;
}

// The lane's start is kept for vehicles that claimed it; its places for those that have one.
// `more`: what will become free of them.
static bool lane_has_room(const city_view* t, const city_car* c, int32_t lane, float s,
                          float more) {
    const lane_state* l = &t->lanes[lane];
    if (kerb_in_lane_is_shared(t, c, lane) || kerb_in_crossings_forbid_change(t, c, lane, s) ||
        kerb_in_crossings_forbid_change(t, c, c->segment, c->s) ||
        kerb_in_rescue_comes(t, c, lane, s))
        return false;
    if (l->mark >= 0 && kerb_in_body_is_near(t, c, lane, s, c->v, speed_braking, room_for_change))
        return false;
    return lane_room(t, lane) - l->used - l->body_used + more >= c->need &&
           !kerb_in_closes_ring(t, c, lane) &&
           (l->incoming <= KERB_IN_NO_NEED ||
            (s - c->length >= l->incoming + claimed_margin &&
             those_who_come_can_brake(t, lane, s - c->length, c->v)));
}

// The lane begins behind the vehicle, and the change, with what is left of the one before, can end
// before both lines.
static bool lanes_have_length(const city_view* t, const city_car* c, int32_t lane) {
    float s = car_station_beside(t, c, lane), rest = lane_line(t, lane) - s;
    float own_rest = lane_line(t, c->segment) - c->s;
    float shift = c->shift + (t->net.lanes[c->segment].left == lane ? -1.0f : 1.0f);
    return s >= lane_start(t, lane) + c->length + KERB_IN_ENTERED_MARGIN &&
           kerb_min(own_rest, rest) > room_for_change * kerb_max(kerb_abs(shift), 1);
}

static void begin_lane_change(city_view* t, int32_t index, int32_t lane) {
    city_car* c = &t->cars[index];
    int32_t from = c->segment;
    float s = car_station_beside(t, c, lane);
    kerb_in_list_remove(t, from, 2 * index);
    c->segment = lane;
    c->s = s;
    c->crossings = (uint16_t)kerb_in_crossings_before(t, lane, s);
    c->shadow = from;
    t->lanes[lane].requester = -1;
    // It comes from there; what is left of the change before is left of this one, too.
    c->shift += t->net.lanes[from].left == lane ? -1.0f : 1.0f;
    c->changed_at = (float)t->head->time;
    kerb_in_list_add(t, lane, 2 * index);
    kerb_in_list_add(t, from, 2 * index + 1);
    t->lanes[lane].used += c->need;
    kerb_in_route_plan(t, c);
    t->head->counts.lane_changes++;
}

static float follow_node(const city_view* t, const city_car* c, int32_t node, float gap) {
    const kerb_traffic_type* type = &t->head->types[c->type];
    float v = kerb_in_wanted_speed(t, c, c->segment);
    if (node < 0)
        return kerb_in_free_road(c, type, v);
    const city_car* leader = node_car(t, node);
    return kerb_in_follow(c, type, v, gap, leader->v, leader->a);
}

// The vehicle ahead is broken or at a stop: it is passed, even over a lane that does not lead on.
static bool is_blocked(const city_view* t, const city_car* c) {
    if (t->lanes[c->segment].mark >= 0 &&
        kerb_in_body_ahead(t, c, c->segment, c->s) < body_pass_distance)
        return true;
    if (c->ahead[0] < 0)
        return false;
    const city_car* ahead = node_car(t, c->ahead[0]);
    if (ahead->v < KERB_IN_STANDSTILL && kerb_in_stands_behind_block(t, c))
        return true;
    return (ahead->broken || ahead->stage == KERB_TRAFFIC_STOPPING) && ahead->v < obstacle_speed;
}

// MOBIL: what it wins is more than its threshold and what others lose.
static bool change_pays(const city_view* t, const city_car* c, const neighbours* n) {
    const kerb_traffic_type* type = &t->head->types[c->type];
    float here = follow_node(t, c, c->ahead[0], gap_on_own_lane(t, c));
    if (is_blocked(t, c)) { // it keeps room to pass
        float room = room_on_own_lane(t, c) - KERB_IN_PASS_ROOM + type->min_gap;
        here = kerb_min(
            here, kerb_in_follow(c, type, kerb_in_wanted_speed(t, c, c->segment), room, 0, 0));
    }
    float wins = follow_node(t, c, n->ahead, n->gap_ahead) - here;
    float loses = 0;
    if (n->behind >= 0) {
        const city_car* f = node_car(t, n->behind);
        loses = follow_node(t, f, n->ahead, n->gap_ahead + n->gap_behind + c->length) -
                kerb_in_follow(f, &t->head->types[f->type], kerb_in_wanted_speed(t, f, f->segment),
                               n->gap_behind, c->v, c->a);
    }
    return wins > type->change_threshold + type->politeness * loses;
}

static int32_t lane_towards(const city_view* t, int32_t lane, int32_t goal) {
    const net_lane* l = &t->net.lanes[lane];
    bool up = goal > lane; // towards the fast side
    return up == t->net.head->left_hand ? l->right : l->left;
}

// The vehicle close ahead waits for a place on the same lane, with room to change: it goes first.
// Who changes behind it is held up by it, halfway, on both lanes.
static bool leader_goes_first(const city_view* t, const city_car* c, int32_t lane) {
    int32_t node = c->ahead[0];
    if (node < 0 || (node & 1) || gap_on_own_lane(t, c) >= room_for_change)
        return false;
    const city_car* leader = node_car(t, node);
    return car_lane_to_reach(leader) == lane && !leader->broken &&
           lanes_have_length(t, leader, lane);
}

static void change_for_route(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    int32_t lane = lane_towards(t, c->segment, c->goal);
    if (lane < 0 || !car_may_use(t, c, lane) || leader_goes_first(t, c, lane))
        return;
    neighbours n = find_neighbours(t, c, lane);
    float rest = car_rest(t, c), s = car_station_beside(t, c, lane);
    float b = rest < route_end ? route_end_braking : route_braking;
    float room = rest < interrupt_distance && c->goal_needed ? room_interrupted : room_for_change;
    if (lanes_have_length(t, c, lane) &&
        lane_has_room(t, c, lane, s, room_of_swapper(t, c, lane, &n)) &&
        gap_is_safe(t, c, &n, b, room))
        begin_lane_change(t, index, lane);
    else if (rest < request_distance && c->goal_needed) {
        if (n.behind >= 0 && !(n.behind & 1))
            node_car(t, n.behind)->makes_way_for = index;
        if (c->next_turn < 0 && c->waited > request_delay)
            t->lanes[lane].requester = index;
        if (c->next_turn < 0 && rest < fall_behind_distance)
            c->falls_behind = n.ahead >= 0 ? n.ahead >> 1 : -1;
    }
}

static void change_for_speed(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    const net_lane* l = &t->net.lanes[c->segment];
    int32_t beside[2] = {l->left, l->right};
    bool pushed = kerb_in_rescue_comes(t, c, c->segment, c->s), blocked = is_blocked(t, c);
    if (!pushed && !blocked &&
        ((float)t->head->time - c->changed_at < interval_min || car_rest(t, c) < speed_change_end))
        return;
    for (int32_t i = 0; i < 2; i++) {
        int32_t lane = beside[i];
        if (lane < 0 || !car_may_use(t, c, lane) || !lanes_have_length(t, c, lane))
            continue;
        neighbours n = find_neighbours(t, c, lane);
        float s = car_station_beside(t, c, lane);
        if (!gap_is_safe(t, c, &n, speed_braking, room_for_change) ||
            !(pushed || change_pays(t, c, &n)) || !lane_has_room(t, c, lane, s, 0))
            continue;
        if (kerb_in_lane_cost(t, c, lane) > kerb_in_lane_cost(t, c, c->segment) &&
            !((blocked || pushed) && car_rest(t, c) > pass_end)) // last: it takes longest
            continue;
        c->goal = lane;
        begin_lane_change(t, index, lane);
        return;
    }
}

void kerb_in_traffic_change(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    if (!car_on_lane(t, c) || c->shadow >= 0 || c->claim_count > 0 ||
        c->s < lane_start(t, c->segment) + c->length + KERB_IN_ENTERED_MARGIN)
        return;
    c->falls_behind = -1;
    if (t->net.lanes[c->segment].oncoming >= 0)
        kerb_in_overtake(t, index);
    else if (c->goal >= 0 && c->goal != c->segment)
        change_for_route(t, index);
    else
        change_for_speed(t, index);
    if (c->shadow < 0)
        kerb_in_back_off(t, index);
}
