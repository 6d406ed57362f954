// Purpose: routes that vehicles follow: lists of edges in chunks, which lane leads on, other ways.
// Cost:    O(1); choosing a turn O(turns of the lane and of the lanes beside its end); another way
//          O(edges log edges).
#include "traffic_parts.h"

int32_t kerb_in_route_peek(const city_view* t, const car* c, int32_t k) {
    int32_t chunk = c->chunk, at = c->chunk_at + k;
    while (chunk >= 0 && at >= CHUNK_EDGES) {
        chunk = t->chunks[chunk].next;
        at -= CHUNK_EDGES;
    }
    return chunk < 0 ? -1 : t->chunks[chunk].edges[at];
}

static void chunk_release(city_view* t, int32_t chunk) {
    t->chunks[chunk].next = t->head->free_chunk;
    t->head->free_chunk = chunk;
}

void kerb_in_route_advance(city_view* t, car* c) {
    if (++c->chunk_at < CHUNK_EDGES)
        return;
    int32_t next = t->chunks[c->chunk].next;
    chunk_release(t, c->chunk);
    c->chunk = next;
    c->chunk_at = 0;
}

void kerb_in_route_drop(city_view* t, car* c) {
    while (c->chunk >= 0) {
        int32_t next = t->chunks[c->chunk].next;
        chunk_release(t, c->chunk);
        c->chunk = next;
    }
}

static int32_t chunks_free(const city_view* t, int32_t enough) {
    int32_t count = 0;
    for (int32_t i = t->head->free_chunk; i >= 0 && count < enough; i = t->chunks[i].next)
        count++;
    return count;
}

bool kerb_in_route_store(city_view* t, car* c, const int32_t* edges, int32_t count) {
    int32_t needed = count / CHUNK_EDGES + 1, last = -1;
    if (chunks_free(t, needed) < needed)
        return false;
    kerb_in_route_drop(t, c);
    for (int32_t i = 0; i < needed; i++) {
        int32_t chunk = t->head->free_chunk;
        t->head->free_chunk = t->chunks[chunk].next;
        for (int32_t k = 0; k < CHUNK_EDGES; k++) {
            int32_t at = i * CHUNK_EDGES + k;
            t->chunks[chunk].edges[k] = at < count ? edges[at] : -1;
        }
        t->chunks[chunk].next = -1;
        if (last >= 0)
            t->chunks[last].next = chunk;
        else
            c->chunk = chunk;
        last = chunk;
    }
    c->chunk_at = 0;
    return true;
}

// --------------------------------------------------------------------------- lanes

static bool turn_is_open(const city_view* t, const car* c, int32_t turn) {
    return t->net.segments[t->head->lane_count + turn].classes != 0 &&
           car_may_use(t, c, t->net.turns[turn].to);
}

static bool leads_to(const city_view* t, const car* c, int32_t lane, int32_t edge) {
    const net_lane* l = &t->net.lanes[lane];
    for (int32_t i = 0; i < l->turn_count; i++) {
        int32_t turn = t->net.lane_turns[l->first_turn + i];
        if (t->net.lanes[t->net.turns[turn].to].edge == edge && turn_is_open(t, c, turn))
            return true;
    }
    return false;
}

int32_t kerb_in_changes_needed(const city_view* t, const car* c, int32_t lane, int32_t next) {
    const kerb_network_edge* edge = &t->net.edges[t->net.lanes[lane].edge];
    int32_t best = 1000;
    if (next < 0)
        return 0;
    for (int32_t l = edge->first_lane; l < edge->first_lane + edge->lane_count; l++) {
        int32_t changes = l < lane ? lane - l : l - lane;
        if (changes < best && leads_to(t, c, l, next))
            best = changes;
    }
    return best;
}

int32_t kerb_in_choose_turn(const city_view* t, const car* c, int32_t lane, int32_t next,
                            int32_t after) {
    const net_lane* l = &t->net.lanes[lane];
    int32_t best = -1;
    float best_cost = 0;
    for (int32_t i = 0; i < l->turn_count; i++) {
        int32_t turn = t->net.lane_turns[l->first_turn + i], to = t->net.turns[turn].to;
        if (t->net.lanes[to].edge != next || !turn_is_open(t, c, turn))
            continue;
        float cost = (float)kerb_in_changes_needed(t, c, to, after) +
                     t->lanes[to].used / t->net.segments[to].length;
        if (best < 0 || cost < best_cost) {
            best = turn;
            best_cost = cost;
        }
    }
    return best;
}

// Of all lanes that lead on, one that is near and not full. Decided once for an edge and kept.
static int32_t choose_goal(const city_view* t, const car* c, int32_t next) {
    const kerb_network_edge* edge = &t->net.edges[t->net.lanes[c->segment].edge];
    int32_t best = -1;
    float best_cost = 0;
    for (int32_t l = edge->first_lane; l < edge->first_lane + edge->lane_count; l++) {
        if (!car_may_use(t, c, l) || (next >= 0 && !leads_to(t, c, l, next)))
            continue;
        float changes = (float)(l < c->segment ? c->segment - l : l - c->segment);
        float cost = 0.35f * changes + t->lanes[l].used / t->net.segments[l].length;
        if (best < 0 || cost < best_cost) {
            best = l;
            best_cost = cost;
        }
    }
    return best;
}

void kerb_in_route_plan(city_view* t, car* c) {
    int32_t next = kerb_in_route_peek(t, c, 1);
    c->has_stopped = 0;
    c->next_turn =
        next < 0 ? -1 : kerb_in_choose_turn(t, c, c->segment, next, kerb_in_route_peek(t, c, 2));
    if (c->goal < 0 || t->net.lanes[c->goal].edge != t->net.lanes[c->segment].edge)
        c->goal = choose_goal(t, c, next);
}

// --------------------------------------------------------------------------- other ways

static float edge_time(const city_view* t, int32_t edge) {
    int32_t lane = t->net.edges[edge].first_lane;
    const net_segment* s = &t->net.segments[lane];
    float crowd = 0;
    for (int32_t i = 0; i < t->net.edges[edge].lane_count; i++)
        crowd += t->lanes[lane + i].used;
    crowd /= s->length * (float)t->net.edges[edge].lane_count;
    return s->length / s->speed_limit * (1 + 4 * crowd * crowd) + 4.0f;
}

static void heap_move(city_view* t, int32_t at, int32_t edge) {
    t->edge_heap[at] = edge;
    t->edge_place[edge] = at;
}

static void heap_up(city_view* t, int32_t at) {
    int32_t edge = t->edge_heap[at];
    while (at > 0) {
        int32_t parent = (at - 1) / 2, other = t->edge_heap[parent];
        if (t->edge_cost[other] <= t->edge_cost[edge])
            break;
        heap_move(t, at, other);
        at = parent;
    }
    heap_move(t, at, edge);
}

static int32_t heap_take(city_view* t, int32_t* count) {
    int32_t top = t->edge_heap[0], edge = t->edge_heap[--*count], at = 0;
    while (2 * at + 1 < *count) {
        int32_t child = 2 * at + 1;
        if (child + 1 < *count &&
            t->edge_cost[t->edge_heap[child + 1]] < t->edge_cost[t->edge_heap[child]])
            child++;
        if (t->edge_cost[t->edge_heap[child]] >= t->edge_cost[edge])
            break;
        heap_move(t, at, t->edge_heap[child]);
        at = child;
    }
    if (*count > 0)
        heap_move(t, at, edge);
    t->edge_place[top] = -2; // done
    return top;
}

static void reach_edge(city_view* t, int32_t* count, int32_t edge, int32_t from, float cost) {
    if (t->edge_place[edge] == -2 || (t->edge_place[edge] >= 0 && t->edge_cost[edge] <= cost))
        return;
    t->edge_cost[edge] = cost;
    t->edge_from[edge] = from;
    if (t->edge_place[edge] < 0)
        heap_move(t, (*count)++, edge);
    heap_up(t, t->edge_place[edge]);
}

static void reach_from_lane(city_view* t, const car* c, int32_t* count, int32_t lane, int32_t from,
                            float cost) {
    const net_lane* l = &t->net.lanes[lane];
    for (int32_t i = 0; i < l->turn_count; i++) {
        int32_t turn = t->net.lane_turns[l->first_turn + i];
        int32_t edge = t->net.lanes[t->net.turns[turn].to].edge;
        if (turn_is_open(t, c, turn))
            reach_edge(t, count, edge, from, cost + edge_time(t, edge));
    }
}

// Fastest way from the end of the vehicle's lane to an edge, that does not begin with `not_first`.
// The ways are in edge_from.
static bool search_way(city_view* t, const car* c, int32_t target, int32_t not_first) {
    int32_t count = 0, start = t->net.lanes[c->segment].edge;
    for (int32_t i = 0; i < t->head->edge_count; i++)
        t->edge_place[i] = -1;
    if (not_first >= 0)
        t->edge_place[not_first] = -2;
    reach_from_lane(t, c, &count, c->segment, -1, 0);
    if (not_first >= 0 && not_first != target)
        t->edge_place[not_first] = -1;
    (void)start;
    while (count > 0) {
        int32_t edge = heap_take(t, &count);
        if (edge == target)
            return true;
        const kerb_network_edge* e = &t->net.edges[edge];
        for (int32_t l = e->first_lane; l < e->first_lane + e->lane_count; l++)
            if (car_may_use(t, c, l))
                reach_from_lane(t, c, &count, l, edge, t->edge_cost[edge]);
    }
    return false;
}

enum { WAY_EDGES_MAX = 1000 };

bool kerb_in_reroute(city_view* t, int32_t index) {
    car* c = &t->cars[index];
    int32_t way[WAY_EDGES_MAX], count = 0, target = -1;
    for (int32_t k = 0; kerb_in_route_peek(t, c, k) >= 0; k++)
        target = kerb_in_route_peek(t, c, k);
    int32_t next = kerb_in_route_peek(t, c, 1);
    if (next < 0 || !search_way(t, c, target, c->next_turn >= 0 ? next : -1))
        return false;
    for (int32_t e = target; e >= 0; e = t->edge_from[e])
        if (++count >= WAY_EDGES_MAX)
            return false;
    way[0] = t->net.lanes[c->segment].edge;
    int32_t at = count;
    for (int32_t e = target; e >= 0; e = t->edge_from[e])
        way[at--] = e;
    if (!kerb_in_route_store(t, c, way, count + 1))
        return false;
    c->goal = -1;
    c->goal = c->segment;
    kerb_in_route_plan(t, c);
    return true;
}
