// Purpose: which lane of an edge leads best along the route, and which turn to take from a lane.
// Idea:    The cost of a lane is that of the changes of lanes that its way needs on this and the
//          next edges, and of the crowd on the lanes by whose ends it leaves them, found from the
//          last edge looked at back to the first one. A change costs the more, the less room there
//          is for it. The crowd of a lane that is only passed through to change does not count: who
//          wants to leave by a crowded lane queues there anyway.
// Cost:    O(edges looked at times (lanes of an edge squared + turns of its lanes)).
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on grids and street maps.

// Lanes are compared by their share in use, and by this for each change with much room. [1]
static const float change_share = 0.35f;
// The crowd on the lanes of the next edge counts by this share of that of the edge before it. [1]
static const float crowd_fading = 0.5f;
// A change has much room when the lane has this many times the length that it takes. [1]
static const float much_room = 8.0f;
// A lane is needed when the way from it costs so much less by changes: less than a change. [1]
static const float needed_difference = 0.5f;
// Edges, and distance behind the first one, that are looked at. [m]
static const float look_distance = 400.0f;
enum { LOOK_EDGES = 8, LOOK_LANES = 24 };

bool kerb_in_turn_is_open(const city_view* t, const city_car* c, int32_t turn) {
    return t->net.segments[t->head->lane_count + turn].classes != 0 &&
           car_may_use(t, c, t->net.turns[turn].to);
}

// Cost of `count` changes within a length of lane.
static float changes_cost(int32_t count, float room) {
    if (count == 0)
        return 0;
    float share = (float)count * KERB_IN_CHANGE_ROOM / kerb_max(room, KERB_IN_NO_NEED);
    if (share >= 1)
        return KERB_IN_NO_WAY;
    float narrow = kerb_max(much_room * share, 1);
    return (float)count * narrow * narrow;
}

// Costs of an edge's lanes, for a vehicle that enters it on them.
typedef struct lane_costs {
    int32_t first, count;
    float costs[LOOK_LANES];
} lane_costs;

// Cost behind the end of a lane that leads to `next`, with costs there. `best` is the turn, or -1:
// then the cost is twice KERB_IN_NO_WAY.
static float cost_behind(const city_view* t, const city_car* c, int32_t lane, int32_t next,
                         const lane_costs* there, int32_t* best) {
    const net_lane* l = &t->net.lanes[lane];
    float least = 2 * KERB_IN_NO_WAY;
    *best = -1;
    for (int32_t i = 0; i < l->turn_count; i++) {
        int32_t turn = t->net.lane_turns[l->first_turn + i], to = t->net.turns[turn].to;
        if (t->net.lanes[to].edge != next || !kerb_in_turn_is_open(t, c, turn))
            continue;
        float cost = there->count > 0 ? there->costs[to - there->first] : 0;
        // Too short to stand on: it must lead on by itself.
        if (cost >= KERB_IN_NO_WAY && !car_can_stand(t, c, to))
            continue;
        cost = kerb_min(cost, KERB_IN_NO_WAY);
        if (*best >= 0 && cost >= least)
            continue;
        least = cost;
        *best = turn;
    }
    return least;
}

// Edges from the route's edge `k` on that are looked at: the last one's place.
static int32_t last_looked_at(const city_view* t, const city_car* c, int32_t k) {
    float way = 0;
    int32_t last = k;
    for (int32_t i = 1; i < LOOK_EDGES && way < look_distance; i++) {
        int32_t edge = kerb_in_route_peek(t, c, k + i);
        if (edge < 0 || t->net.edges[edge].lane_count > LOOK_LANES)
            break;
        way += t->net.segments[t->net.edges[edge].first_lane].length;
        last = k + i;
    }
    return last;
}

// Costs of leaving each lane of the route's edge `k` by its end. `crowd`: weight of its crowd.
static void leave_costs(const city_view* t, const city_car* c, int32_t k, const lane_costs* there,
                        float crowd, lane_costs* out) {
    const kerb_network_edge* edge = &t->net.edges[kerb_in_route_peek(t, c, k)];
    int32_t next = kerb_in_route_peek(t, c, k + 1), turn;
    out->first = edge->first_lane;
    out->count = edge->lane_count;
    for (int32_t i = 0; i < edge->lane_count; i++) {
        int32_t lane = edge->first_lane + i;
        float share = t->lanes[lane].used / t->net.segments[lane].length;
        out->costs[i] = crowd * share / change_share +
                        (next < 0 ? 0 : cost_behind(t, c, lane, next, there, &turn));
    }
}

static float room_to_change(const city_view* t, const city_car* c, int32_t lane) {
    return t->net.segments[lane].length - c->length - KERB_IN_ENTERED_MARGIN;
}

// Adds the changes on the edge itself.
static void add_changes(const city_view* t, const city_car* c, lane_costs* lanes) {
    float leave[LOOK_LANES];
    for (int32_t i = 0; i < lanes->count; i++)
        leave[i] = lanes->costs[i];
    for (int32_t i = 0; i < lanes->count; i++)
        for (int32_t k = 0; k < lanes->count; k++) {
            int32_t changes = k < i ? i - k : k - i;
            float cost = leave[k] + changes_cost(changes, room_to_change(t, c, lanes->first + i));
            if (k != i && car_may_use(t, c, lanes->first + k) && cost < lanes->costs[i])
                lanes->costs[i] = cost;
        }
}

// Costs of entering the route's edge `k`; none where there is no such edge, or too many lanes.
// `crowd`: weight of the crowd on that edge.
static void enter_costs(const city_view* t, const city_car* c, int32_t k, float crowd,
                        lane_costs* out) {
    int32_t edge = kerb_in_route_peek(t, c, k);
    out->count = 0;
    if (edge < 0 || t->net.edges[edge].lane_count > LOOK_LANES)
        return;
    for (int32_t i = last_looked_at(t, c, k); i >= k; i--) {
        lane_costs there = *out;
        float weight = crowd;
        for (int32_t n = k; n < i; n++)
            weight *= crowd_fading;
        leave_costs(t, c, i, &there, weight, out);
        add_changes(t, c, out);
    }
}

int32_t kerb_in_choose_turn(const city_view* t, const city_car* c, int32_t lane, int32_t k) {
    lane_costs there;
    int32_t turn;
    enter_costs(t, c, k + 1, 1, &there);
    cost_behind(t, c, lane, kerb_in_route_peek(t, c, k + 1), &there, &turn);
    return turn;
}

// Costs of leaving each lane of the vehicle's edge. False: it has too many.
static bool costs_here(const city_view* t, const city_car* c, int32_t edge, float crowd,
                       lane_costs* here) {
    lane_costs there;
    if (t->net.edges[edge].lane_count > LOOK_LANES)
        return false;
    enter_costs(t, c, 1, crowd * crowd_fading, &there);
    leave_costs(t, c, 0, &there, crowd, here);
    return true;
}

float kerb_in_lane_cost(const city_view* t, const city_car* c, int32_t lane) {
    lane_costs here;
    return costs_here(t, c, t->net.lanes[lane].edge, 0, &here) ? here.costs[lane - here.first] : 0;
}

// Of all lanes, the one that needs few changes and is not full. Decided once for an edge and kept.
static void choose_goal(const city_view* t, city_car* c) {
    lane_costs here;
    c->goal = c->segment;
    c->goal_needed = 0;
    if (!costs_here(t, c, t->net.lanes[c->segment].edge, 1, &here))
        return;
    int32_t best = -1;
    float best_cost = 0;
    for (int32_t i = 0; i < here.count; i++) {
        int32_t lane = here.first + i;
        if (!car_may_use(t, c, lane))
            continue;
        float cost =
            here.costs[i] +
            changes_cost(lane < c->segment ? c->segment - lane : lane - c->segment, car_rest(t, c));
        if (best >= 0 && cost >= best_cost)
            continue;
        best = lane;
        best_cost = cost;
    }
    c->goal = best < 0 || here.costs[best - here.first] >= 2 * KERB_IN_NO_WAY ? -1 : best;
    if (c->goal >= 0 && c->goal != c->segment) {
        costs_here(t, c, t->net.lanes[c->segment].edge, 0, &here);
        c->goal_needed = here.costs[c->segment - here.first] >
                         here.costs[c->goal - here.first] + needed_difference;
    }
}

void kerb_in_route_plan(city_view* t, city_car* c) {
    int32_t next = kerb_in_route_peek(t, c, 1);
    c->has_stopped = 0;
    c->next_turn = next < 0 ? -1 : kerb_in_choose_turn(t, c, c->segment, 0);
    if (c->goal < 0 || t->net.lanes[c->goal].edge != t->net.lanes[c->segment].edge)
        choose_goal(t, c);
}
