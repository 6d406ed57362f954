// Purpose: routes that vehicles follow: lists of edges in chunks, and other ways.
// Cost:    O(1); another way O(lanes log lanes).
#include "traffic_parts.h"

static void chunk_release(city_view* t, int32_t chunk) {
    t->chunks[chunk].next = t->head->free_chunk;
    t->head->free_chunk = chunk;
}

void kerb_in_route_advance(city_view* t, city_car* c) {
    if (++c->chunk_at < CHUNK_EDGES)
        return;
    int32_t next = t->chunks[c->chunk].next;
    chunk_release(t, c->chunk);
    c->chunk = next;
    c->chunk_at = 0;
}

void kerb_in_route_drop(city_view* t, city_car* c) {
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

bool kerb_in_route_store(city_view* t, city_car* c, const int32_t* way, int32_t count) {
    int32_t needed = count / CHUNK_EDGES + 1, last = -1;
    if (chunks_free(t, needed) < needed)
        return false;
    kerb_in_route_drop(t, c);
    for (int32_t i = 0; i < needed; i++) {
        int32_t chunk = t->head->free_chunk;
        t->head->free_chunk = t->chunks[chunk].next;
        for (int32_t k = 0; k < CHUNK_EDGES; k++) {
            int32_t at = i * CHUNK_EDGES + k;
            t->chunks[chunk].edges[k] = at < count ? way[at] : -1;
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

// --------------------------------------------------------------------------- other ways

// Numbers without a source were chosen by trial on grids and street maps.

// A change in a search for another way. [s]
static const float change_cost = 2.0f;
// A junction in a search for another way: slowing down and waiting. [s]
static const float junction_cost = 4.0f;
// A lane that is full takes this much longer than an empty one. [1]
static const float crowd_cost = 4.0f;
// Beside its own length, a vehicle needs this length of a lane to count on a change there. [m]
static const float change_margin = 18.0f;

static float time_along(const city_view* t, int32_t lane) {
    const net_segment* s = &t->net.segments[lane];
    float crowd = t->lanes[lane].used / s->length;
    return s->length / s->speed_limit * (1 + crowd_cost * crowd * crowd) + junction_cost;
}

static void heap_move(city_view* t, int32_t at, int32_t edge) {
    t->lane_heap[at] = edge;
    t->lane_place[edge] = at;
}

static void heap_up(city_view* t, int32_t at) {
    int32_t edge = t->lane_heap[at];
    while (at > 0) {
        int32_t parent = (at - 1) / 2, other = t->lane_heap[parent];
        if (t->lane_cost[other] <= t->lane_cost[edge])
            break;
        heap_move(t, at, other);
        at = parent;
    }
    heap_move(t, at, edge);
}

static int32_t heap_take(city_view* t, int32_t* count) {
    int32_t top = t->lane_heap[0], edge = t->lane_heap[--*count], at = 0;
    while (2 * at + 1 < *count) {
        int32_t child = 2 * at + 1;
        if (child + 1 < *count &&
            t->lane_cost[t->lane_heap[child + 1]] < t->lane_cost[t->lane_heap[child]])
            child++;
        if (t->lane_cost[t->lane_heap[child]] >= t->lane_cost[edge])
            break;
        heap_move(t, at, t->lane_heap[child]);
        at = child;
    }
    if (*count > 0)
        heap_move(t, at, edge);
    t->lane_place[top] = -2; // done
    return top;
}

static void reach_lane(city_view* t, int32_t* count, int32_t lane, int32_t from, float cost) {
    if (t->lane_place[lane] == -2 || (t->lane_place[lane] >= 0 && t->lane_cost[lane] <= cost))
        return;
    t->lane_cost[lane] = cost;
    t->lane_from[lane] = from;
    if (t->lane_place[lane] < 0)
        heap_move(t, (*count)++, lane);
    heap_up(t, t->lane_place[lane]);
}

// All lanes behind a lane, and those beside them where there is room to change.
static void reach_from_lane(city_view* t, const city_car* c, int32_t* count, int32_t lane,
                            int32_t from, float cost) {
    const net_lane* l = &t->net.lanes[lane];
    for (int32_t i = 0; i < l->turn_count; i++) {
        int32_t turn = t->net.lane_turns[l->first_turn + i], to = t->net.turns[turn].to;
        if (!kerb_in_turn_is_open(t, c, turn) || t->net.lanes[to].edge == t->avoided_edge)
            continue;
        const kerb_network_edge* edge = &t->net.edges[t->net.lanes[to].edge];
        float there = cost + time_along(t, to);
        reach_lane(t, count, to, from, there);
        if (t->net.segments[to].length < c->length + change_margin)
            continue;
        for (int32_t k = edge->first_lane; k < edge->first_lane + edge->lane_count; k++)
            if (car_may_use(t, c, k))
                reach_lane(t, count, k, from, there + change_cost);
    }
}

// Fastest way from the end of the vehicle's lane to an edge. Returns its last lane, or -1; the way
// is in lane_from.
static int32_t search_way(city_view* t, const city_car* c, int32_t target, int32_t not_first) {
    int32_t count = 0;
    for (int32_t i = 0; i < t->head->lane_count; i++)
        t->lane_place[i] = -1;
    t->avoided_edge = not_first;
    reach_from_lane(t, c, &count, c->segment, -1, 0);
    t->avoided_edge = -1;
    while (count > 0) {
        int32_t lane = heap_take(t, &count);
        if (t->net.lanes[lane].edge == target)
            return lane;
        reach_from_lane(t, c, &count, lane, lane, t->lane_cost[lane]);
    }
    return -1;
}

// Longest other way, which lies on the stack: 4 KB.
enum { WAY_EDGES_MAX = 1000 };

bool kerb_in_reroute(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    int32_t way[WAY_EDGES_MAX], count = 0, target = -1;
    for (int32_t k = 0; kerb_in_route_peek(t, c, k) >= 0; k++)
        target = kerb_in_route_peek(t, c, k);
    int32_t next = kerb_in_route_peek(t, c, 1);
    int32_t last = next < 0 ? -1 : search_way(t, c, target, c->next_turn >= 0 ? next : -1);
    for (int32_t l = last; l >= 0; l = t->lane_from[l])
        if (++count >= WAY_EDGES_MAX)
            return false;
    if (last < 0)
        return false;
    way[0] = t->net.lanes[c->segment].edge;
    int32_t at = count;
    for (int32_t l = last; l >= 0; l = t->lane_from[l])
        way[at--] = t->net.lanes[l].edge;
    if (!kerb_in_route_store(t, c, way, count + 1))
        return false;
    c->goal = c->segment;
    kerb_in_route_plan(t, c);
    return true;
}
