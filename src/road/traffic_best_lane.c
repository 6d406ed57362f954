// Purpose: which lane of an edge leads best along the route, and which turn to take from a lane.
// Idea:    The cost of a lane is that of the changes of lanes that its way needs on this and the
//          next edges, found from the last edge looked at back to the first one. A change costs
//          the more, the less room there is for it. Of lanes whose costs differ by less than a
//          change, the emptiest one is taken. A crowd never makes up for a change: who drives past
//          a queue on a lane that does not lead on only moves the queue to where he must change.
// Cost:    O(edges looked at times (lanes of an edge squared + turns of its lanes)).
#include "traffic_parts.h"

int32_t kerb_in_route_peek(const city_view* t, const city_car* c, int32_t k) {
    int32_t chunk = c->chunk, at = c->chunk_at + k;
    while (chunk >= 0 && at >= CHUNK_EDGES) {
        chunk = t->chunks[chunk].next;
        at -= CHUNK_EDGES;
    }
    return chunk < 0 ? -1 : t->chunks[chunk].edges[at];
}

// Numbers without a source were chosen by trial on grids and street maps.

// Of lanes that lead on alike, the least share in use is wanted; this much for each change. [1]
static const float change_share = 0.35f;
// The share of the lane behind the next turn counts by this. [1]
static const float share_behind = 0.5f;
// A change has much room, and costs 1, when the lane has so many times the length that it takes.
static const float much_room = 8.0f;
// Costs that differ by this count as alike: less than a change. [1]
static const float cost_alike = 0.5f;
// Edges, and distance behind the first one, that are looked at. [m]
static const float look_distance = 400.0f;
enum { LOOK_EDGES = 8, LOOK_LANES = 24 };

bool kerb_in_turn_is_open(const city_view* t, const city_car* c, int32_t turn) {
    return t->net.segments[t->head->lane_count + turn].classes != 0 &&
           car_may_use(t, c, t->net.turns[turn].to);
}

static float share_in_use(const city_view* t, int32_t lane) {
    return t->lanes[lane].used / t->net.segments[lane].length;
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

// Costs of an edge's lanes.
typedef struct lane_costs {
    int32_t first, count; ///< count 0: nothing is known of the edge
    float costs[LOOK_LANES];
} lane_costs;

// Cost of entering the edge `next`, with costs `there`, by a turn. False: the turn leads elsewhere,
// or must not be taken.
static bool turn_cost(const city_view* t, const city_car* c, int32_t turn, int32_t next,
                      const lane_costs* there, float* cost) {
    int32_t to = t->net.turns[turn].to;
    if (t->net.lanes[to].edge != next || !kerb_in_turn_is_open(t, c, turn))
        return false;
    *cost = there->count > 0 ? there->costs[to - there->first] : 0;
    if (*cost >= KERB_IN_NO_WAY && !car_can_stand(t, c, to))
        return false; // too short to stand on: it must lead on by itself
    *cost = kerb_min(*cost, KERB_IN_NO_WAY);
    return true;
}

// Least cost behind the end of a lane that leads to `next`; twice KERB_IN_NO_WAY without a turn.
static float cost_behind(const city_view* t, const city_car* c, int32_t lane, int32_t next,
                         const lane_costs* there) {
    const net_lane* l = &t->net.lanes[lane];
    float least = 2 * KERB_IN_NO_WAY, cost = 0;
    for (int32_t i = 0; i < l->turn_count; i++)
        if (turn_cost(t, c, t->net.lane_turns[l->first_turn + i], next, there, &cost))
            least = kerb_min(least, cost);
    return least;
}

// The turn to the emptiest lane of those whose costs are like the least one; -1: none.
static int32_t best_turn(const city_view* t, const city_car* c, int32_t lane, int32_t next,
                         const lane_costs* there) {
    const net_lane* l = &t->net.lanes[lane];
    float most = cost_behind(t, c, lane, next, there) + cost_alike, least = 0, cost = 0;
    int32_t best = -1;
    for (int32_t i = 0; i < l->turn_count; i++) {
        int32_t turn = t->net.lane_turns[l->first_turn + i];
        float share = share_in_use(t, t->net.turns[turn].to);
        if (!turn_cost(t, c, turn, next, there, &cost) || cost > most ||
            (best >= 0 && share >= least))
            continue;
        best = turn;
        least = share;
    }
    return best;
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

// Costs of leaving each lane of the route's edge `k` by its end.
static void leave_costs(const city_view* t, const city_car* c, int32_t k, const lane_costs* there,
                        lane_costs* out) {
    const kerb_network_edge* edge = &t->net.edges[kerb_in_route_peek(t, c, k)];
    int32_t next = kerb_in_route_peek(t, c, k + 1);
    out->first = edge->first_lane;
    out->count = edge->lane_count;
    for (int32_t i = 0; i < edge->lane_count; i++)
        out->costs[i] = next < 0 ? 0 : cost_behind(t, c, edge->first_lane + i, next, there);
}

// Adds the changes on the edge itself.
static void add_changes(const city_view* t, const city_car* c, lane_costs* lanes) {
    float leave[LOOK_LANES];
    for (int32_t i = 0; i < lanes->count; i++)
        leave[i] = lanes->costs[i];
    for (int32_t i = 0; i < lanes->count; i++)
        for (int32_t k = 0; k < lanes->count; k++) {
            float room = lane_room(t, lanes->first + i) - c->length;
            float cost =
                leave[k] + changes_cost(k < i ? i - k : k - i, room - KERB_IN_ENTERED_MARGIN);
            if (k != i && car_may_use(t, c, lanes->first + k) && cost < lanes->costs[i])
                lanes->costs[i] = cost;
        }
}

// Costs of entering the route's edge `k`; none where there is no such edge, or too many lanes.
static void enter_costs(const city_view* t, const city_car* c, int32_t k, lane_costs* out) {
    int32_t edge = kerb_in_route_peek(t, c, k);
    out->count = 0;
    if (edge < 0 || t->net.edges[edge].lane_count > LOOK_LANES)
        return;
    for (int32_t i = last_looked_at(t, c, k); i >= k; i--) {
        lane_costs there = *out;
        leave_costs(t, c, i, &there, out);
        add_changes(t, c, out);
    }
}

int32_t kerb_in_choose_turn(const city_view* t, const city_car* c, int32_t lane, int32_t k) {
    lane_costs there;
    enter_costs(t, c, k + 1, &there);
    return best_turn(t, c, lane, kerb_in_route_peek(t, c, k + 1), &there);
}

float kerb_in_lane_cost(const city_view* t, const city_car* c, int32_t lane) {
    lane_costs there;
    int32_t next = kerb_in_route_peek(t, c, 1);
    enter_costs(t, c, 1, &there);
    return next < 0 ? 0 : cost_behind(t, c, lane, next, &there);
}

static float lane_goal_cost(const city_view* t, const city_car* c, int32_t lane, float cost) {
    if (!car_may_use(t, c, lane))
        return KERB_IN_NO_LIMIT;
    return cost + changes_cost(lane < c->segment ? c->segment - lane : lane - c->segment,
                               lane_line(t, c->segment) - c->s);
}

// Share in use of a lane and of the best one behind it, and the changes to it.
static float goal_share(const city_view* t, const city_car* c, int32_t lane, int32_t next,
                        const lane_costs* there) {
    int32_t turn = next < 0 ? -1 : best_turn(t, c, lane, next, there);
    int32_t changes = lane < c->segment ? c->segment - lane : lane - c->segment;
    return share_in_use(t, lane) + change_share * (float)changes +
           (turn < 0 ? 0 : share_behind * share_in_use(t, t->net.turns[turn].to));
}

// Decided once for an edge and kept.
static void choose_goal(const city_view* t, city_car* c) {
    lane_costs there, here;
    c->goal = c->segment;
    c->goal_needed = 0;
    if (t->net.edges[t->net.lanes[c->segment].edge].lane_count > LOOK_LANES)
        return;
    int32_t next = kerb_in_route_peek(t, c, 1), best = -1;
    enter_costs(t, c, 1, &there);
    leave_costs(t, c, 0, &there, &here);
    float most = KERB_IN_NO_LIMIT, least = 0;
    for (int32_t i = 0; i < here.count; i++)
        most = kerb_min(most, lane_goal_cost(t, c, here.first + i, here.costs[i]) + 1 + cost_alike);
    for (int32_t i = 0; i < here.count; i++) {
        float share = goal_share(t, c, here.first + i, next, &there);
        if (lane_goal_cost(t, c, here.first + i, here.costs[i]) > most ||
            (best >= 0 && share >= least))
            continue;
        best = i;
        least = share;
    }
    if (best < 0 || here.costs[best] >= 2 * KERB_IN_NO_WAY) {
        c->goal = -1;
        return;
    }
    c->goal = here.first + best;
    c->goal_needed = here.costs[c->segment - here.first] > here.costs[best] + cost_alike;
}

void kerb_in_route_plan(city_view* t, city_car* c) {
    int32_t next = kerb_in_route_peek(t, c, 1);
    c->has_stopped = 0;
    c->next_turn = next < 0 ? -1 : kerb_in_choose_turn(t, c, c->segment, 0);
    bool closed = c->goal == c->segment && next >= 0 && c->next_turn < 0; // since it was chosen
    if (c->goal < 0 || closed || t->net.lanes[c->goal].edge != t->net.lanes[c->segment].edge)
        choose_goal(t, c);
}
