// Purpose: vehicles that wait outside enter the network where there is room.
// Idea:    A vehicle that departs leaves a place for another one in its lane, so it cannot close a
//          ring of full lanes. On each edge they depart in the order in which they were added.
// Cost:    O(edges) a step, O(vehicles of a lane) for each that could depart.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on grids and street maps.

// Distance in which vehicles that come through a junction can slow down behind a new one. [m]
static const float claimed_room = 20.0f;
// Distances that a departing vehicle keeps, to the one ahead after hard braking, to the line, and
// to the one behind. [m]
static const float departure_gap = 0.5f, departure_line_gap = 1.0f, departure_gap_behind = 1.0f;
// Deceleration that a departure may ask of the vehicle behind: the default of
// kerb_traffic_type.deceleration. [m/s^2]
static const float departure_braking = 2.5f;

void kerb_in_traffic_queue(city_view* t, int32_t index) {
    int32_t* queue = &t->outside[2 * (ptrdiff_t)kerb_in_route_peek(t, &t->cars[index], 0)];
    t->cars[index].ahead[0] = -1;
    if (queue[1] >= 0)
        t->cars[queue[1]].ahead[0] = index;
    else
        queue[0] = index;
    queue[1] = index;
}

// Vehicles that come through the junction before the lane could not stop behind it.
static bool lane_start_is_claimed(const city_view* t, int32_t lane, float rear) {
    return t->lanes[lane].incoming > KERB_IN_NO_NEED &&
           rear < t->lanes[lane].incoming + claimed_room;
}

// Lanes whose changes cost this much more than those of the best lane are as good: less than a
// change.
static const float lane_cost_margin = 0.5f;

// Speed of a departure on a lane with crossings, of which it has taken none. [m/s]
static const float departure_crossing_speed = 1.0f;

typedef struct departure_place {
    int32_t lane;
    float s, v;
} departure_place;

static bool try_lane(const city_view* t, const city_car* c, int32_t lane, departure_place* place) {
    const kerb_traffic_type* type = &t->head->types[c->type];
    float length = t->net.segments[lane].length, b = type->deceleration;
    float line = lane_line(t, lane), room = lane_room(t, lane), start = lane_start(t, lane);
    if (c->s < 0 && has_crossings(t, lane))
        kerb_in_crossings_at_start(t, c, lane, &start);
    // What comes to the end of the lane before, and leaves the network there, must not touch it.
    float least = c->length + 0.5f * KERB_IN_STAND_ROOM;
    float first = kerb_min(lane_start(t, lane) + least, length);
    float s = kerb_clamp(c->s < 0 ? start + least : c->s, first, kerb_max(line, first));
    if (!car_may_use(t, c, lane) || kerb_in_lane_is_shared(t, c, lane) ||
        kerb_in_overtaking_beside(t, lane) || !kerb_in_crossings_let_begin(t, c, lane, s) ||
        lane_start_is_claimed(t, lane, s - c->length) || kerb_in_rescue_comes(t, c, lane, s))
        return false;
    float spare = room > c->need + 2 * t->head->need_max ? t->head->need_max : 0;
    if (room - t->lanes[lane].used - t->lanes[lane].body_used < c->need + spare &&
        (room >= c->need || t->lanes[lane].first >= 0))
        return false;
    if (kerb_in_closes_ring(t, c, lane))
        return false;
    float v = kerb_min(t->net.segments[lane].speed_limit * c->speed_factor, type->top_speed);
    if (c->v >= 0)
        v = kerb_min(v, c->v);
    int32_t ahead = kerb_in_list_ahead(t, lane, s);
    int32_t behind = ahead >= 0 ? node_car(t, ahead)->behind[ahead & 1] : t->lanes[lane].first;
    tail_leader leader = kerb_in_tail_ahead(t, c, lane, s);
    if (ahead >= 0) {
        const city_car* a = node_car(t, ahead);
        leader = (tail_leader){node_station(t, ahead) - a->length - s, a->v};
    }
    if (leader.gap < type->min_gap)
        return false;
    v = kerb_min(v, kerb_in_safe_speed(0, leader.gap - departure_gap, leader.v, b, b, t->dt));
    if (kerb_in_route_peek(t, c, 1) >= 0) // it has no claim yet
        v = kerb_min(
            v, kerb_in_safe_speed(0, kerb_max(line - s - departure_line_gap, 0), 0, b, b, t->dt));
    if (has_crossings(t, lane))
        v = kerb_min(v, departure_crossing_speed);
    if (behind >= 0) {
        const city_car* f = node_car(t, behind);
        float gap = s - c->length - node_station(t, behind);
        if (car_goes_on(f)) // its claim would be older than that of the vehicle ahead of it
            return false;
        if (gap < departure_gap_behind ||
            kerb_in_safe_speed(f->v, gap - departure_gap_behind, v, departure_braking,
                               departure_braking, t->dt) < f->v)
            return false;
    }
    if (t->lanes[lane].mark >= 0 && kerb_in_body_is_near(t, c, lane, s, v, b, 0))
        return false;
    *place = (departure_place){lane, s, v};
    return true;
}

// The least cost of the edge's lanes on which the vehicle may depart.
static float least_lane_cost(const city_view* t, const city_car* c, const kerb_network_edge* e) {
    float least = KERB_IN_NO_LIMIT;
    for (int32_t l = e->first_lane; l < e->first_lane + e->lane_count; l++)
        if (car_may_use(t, c, l))
            least = kerb_min(least, kerb_in_lane_cost(t, c, l));
    return least;
}

// Of the lanes that lead on best, the emptiest one with a place. It does not begin on a wrong lane,
// where it would stand in the way of others.
static bool find_departure(const city_view* t, const city_car* c, int32_t edge,
                           departure_place* best) {
    const kerb_network_edge* e = &t->net.edges[edge];
    float best_cost = 0, least = least_lane_cost(t, c, e);
    bool found = false;
    for (int32_t l = e->first_lane; l < e->first_lane + e->lane_count; l++) {
        departure_place place = {0};
        bool given = c->goal >= 0 && c->goal < e->lane_count;
        float cost = kerb_in_lane_cost(t, c, l);
        if (given ? l != e->first_lane + c->goal : cost > least + lane_cost_margin)
            continue;
        cost += t->lanes[l].used / t->net.segments[l].length;
        if ((found && cost >= best_cost) || !try_lane(t, c, l, &place))
            continue;
        *best = place;
        best_cost = cost;
        found = true;
    }
    return found;
}

// Edges of the way ahead that are looked at: in a city half a kilometre and more.
enum { DEPARTURE_EDGES = 6 };

// Whether the way ahead is so full that one more vehicle would take away more of the flow than it
// brings.
static bool way_is_full(const city_view* t, const city_car* c) {
    float used = 0, length = 0;
    int32_t edge = kerb_in_route_peek(t, c, 0);
    for (int32_t k = 1; k <= DEPARTURE_EDGES && edge >= 0; k++) {
        const kerb_network_edge* e = &t->net.edges[edge];
        for (int32_t l = e->first_lane; l < e->first_lane + e->lane_count; l++) {
            used += t->lanes[l].used;
            length += t->net.segments[l].length;
        }
        edge = kerb_in_route_peek(t, c, k);
    }
    return used > t->head->settings.fill_max * length;
}

static bool depart(city_view* t, int32_t index, int32_t edge) {
    city_car* c = &t->cars[index];
    departure_place place = {0};
    if (t->head->time < (double)c->depart || way_is_full(t, c) ||
        !find_departure(t, c, edge, &place))
        return false;
    c->segment = place.lane;
    c->goal = -1;
    c->s = place.s;
    c->crossings = (uint16_t)kerb_in_crossings_before(t, place.lane, place.s);
    c->v = c->v_next = place.v;
    c->stage = KERB_TRAFFIC_DRIVING;
    c->started = (float)t->head->time;
    c->changed_at = c->started;
    kerb_in_list_add(t, place.lane, 2 * index);
    t->lanes[place.lane].used += c->need;
    kerb_in_route_plan(t, c);
    t->head->counts.departed++;
    t->head->counts.vehicles++;
    t->head->counts.outside--;
    kerb_in_traffic_record(t, index, KERB_TRAFFIC_DEPARTED);
    return true;
}

// An edge that is closed for a while counts as long enough.
static bool can_stand_on_edge(const city_view* t, const city_car* c, int32_t edge) {
    const kerb_network_edge* e = &t->net.edges[edge];
    for (int32_t l = e->first_lane; l < e->first_lane + e->lane_count; l++)
        if (car_can_stand(t, c, l))
            return true;
    return false;
}

// A vehicle begins on the first edge of its route on which it can stand: on a shorter one its rear
// would be inside a junction that it did not claim. Returns how many edges are left out.
static int32_t edges_too_short(const city_view* t, const city_car* c) {
    for (int32_t k = 0, edge; (edge = kerb_in_route_peek(t, c, k)) >= 0; k++)
        if (can_stand_on_edge(t, c, edge))
            return k;
    return 0;
}

static void begin_later(city_view* t, int32_t index, int32_t skipped) {
    city_car* c = &t->cars[index];
    for (int32_t k = 0; k < skipped; k++)
        kerb_in_route_advance(t, c);
    c->goal = -1;
    c->s = -1;
    kerb_in_traffic_queue(t, index);
}

void kerb_in_traffic_depart(city_view* t) {
    if (t->head->counts.outside == 0)
        return;
    for (int32_t e = 0; e < t->head->edge_count; e++) {
        int32_t* first = &t->outside[2 * (ptrdiff_t)e];
        while (*first >= 0) {
            int32_t index = *first, next = t->cars[index].ahead[0];
            int32_t skipped = edges_too_short(t, &t->cars[index]);
            if (skipped == 0 && !depart(t, index, e))
                break;
            *first = next;
            if (next < 0)
                t->outside[2 * (ptrdiff_t)e + 1] = -1;
            if (skipped > 0)
                begin_later(t, index, skipped);
        }
    }
}
