// Purpose: other ways: the fastest one on what a vehicle knows.
// Idea:    The hierarchy of lanes is made once from the network. The times of lanes now, by how
// full
//          they are, are found anew for some lanes in each step, so that all are some seconds old.
//          A lane that must not be used, for reasons that the hierarchy does not have, is blocked
//          and the question asked again.
// Cost:    that of kerb_route_find for each lane of the last edge.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on grids and street maps.

// A change of lanes on another way. [ms]
enum { CHANGE_MS = 2000 };
// A junction: slowing down and waiting. [s]
static const float junction_cost = 4.0f;
// A lane that is full takes this much longer than an empty one. [1]
static const float crowd_cost = 4.0f;
// A change is counted on where the lane is longer than this: a car and three changes. [m]
static const float change_lane_length = 23.0f;
// Of all lanes, the part whose times are found in a step.
enum { TIMED_SHARE = 64 };
// Longest other way, which lies on the stack, and blocks of a question.
enum { WAY_LANES_MAX = 1500, REROUTE_BLOCKS = 64, REROUTE_TRIES = 6 };

static uint32_t whole_ms(float seconds) {
    return (uint32_t)kerb_clamp(1000.0f * seconds, 0, (float)KERB_ROUTE_TIME_MAX);
}

// --------------------------------------------------------------------------- the graph

static void list_graph(const net_view* net, kerb_route_lane* lanes, kerb_route_link* links) {
    for (int32_t i = 0; i < net->head->lane_count; i++) {
        const net_segment* s = &net->segments[i];
        lanes[i] = kerb_route_lane_at(whole_ms(s->length / s->speed_limit));
        lanes[i].classes = s->classes;
        if (s->length < change_lane_length)
            continue;
        lanes[i].left = net->lanes[i].left;
        lanes[i].right = net->lanes[i].right;
    }
    for (int32_t i = 0; i < net->head->turn_count; i++) {
        const net_segment* s = &net->segments[net->head->lane_count + i];
        links[i] = (kerb_route_link){net->turns[i].from, net->turns[i].to,
                                     whole_ms(s->length / s->speed_limit + junction_cost)};
    }
}

kerb_result kerb_in_route_graph(kerb_routes* routes, kerb_route_work* work, const net_view* net,
                                const kerb_host* host, kerb_error* error) {
    const kerb_allocator* a = &host->allocator;
    int32_t lane_count = net->head->lane_count, link_count = net->head->turn_count;
    size_t lane_bytes = (size_t)lane_count * sizeof(kerb_route_lane);
    size_t link_bytes = ((size_t)link_count + 1) * sizeof(kerb_route_link);
    kerb_route_lane* lanes = a->allocate(a->context, lane_bytes, 8);
    kerb_route_link* links = a->allocate(a->context, link_bytes, 8);
    kerb_result result = KERB_ERROR_OUT_OF_MEMORY;
    if (lanes && links) {
        list_graph(net, lanes, links);
        kerb_route_graph graph = {lanes, lane_count, links, link_count, CHANGE_MS};
        result = kerb_routes_create(routes, &graph, host, error);
        if (result == KERB_OK)
            result = kerb_route_work_create(work, routes, host);
    }
    if (links)
        a->release(a->context, links, link_bytes);
    if (lanes)
        a->release(a->context, lanes, lane_bytes);
    return result == KERB_ERROR_OUT_OF_MEMORY
               ? kerb_error_set(error, result, "", 0, -1, "no memory for routes")
               : result;
}

static void find_times(city_view* t, int32_t count) {
    int32_t lanes = t->head->lane_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t lane = t->head->timed;
        const net_segment* s = &t->net.segments[lane];
        float crowd = t->lanes[lane].used / s->length;
        t->times[lane] =
            s->classes == 0
                ? KERB_ROUTE_CLOSED
                : whole_ms(s->length / s->speed_limit * (1 + crowd_cost * crowd * crowd));
        t->head->timed = lane + 1 < lanes ? lane + 1 : 0;
    }
}

void kerb_in_route_times(city_view* t) {
    find_times(t, t->head->lane_count / TIMED_SHARE + 1);
}

void kerb_in_route_all_times(city_view* t) {
    t->head->timed = 0;
    find_times(t, t->head->lane_count);
}

// --------------------------------------------------------------------------- a question

typedef struct reroute_blocks {
    int32_t lanes[REROUTE_BLOCKS];
    int32_t count;
} reroute_blocks;

static void block_lane(reroute_blocks* blocks, int32_t lane) {
    if (blocks->count < REROUTE_BLOCKS)
        blocks->lanes[blocks->count++] = lane;
}

static bool blocks_lane(const reroute_blocks* blocks, int32_t lane) {
    for (int32_t i = 0; i < blocks->count; i++)
        if (blocks->lanes[i] == lane)
            return true;
    return false;
}

static void block_edge(const city_view* t, reroute_blocks* blocks, int32_t edge, int32_t but) {
    const kerb_network_edge* e = &t->net.edges[edge];
    for (int32_t l = e->first_lane; l < e->first_lane + e->lane_count; l++)
        if (l != but)
            block_lane(blocks, l);
}

// A turn leads from lane to lane that the vehicle may take now.
static bool leads_to(const city_view* t, const city_car* c, int32_t from, int32_t to) {
    const net_lane* l = &t->net.lanes[from];
    for (int32_t i = 0; i < l->turn_count; i++) {
        int32_t turn = t->net.lane_turns[l->first_turn + i];
        if (t->net.turns[turn].to == to && kerb_in_turn_is_open(t, c, turn))
            return true;
    }
    return false;
}

// The first lane of a way that the vehicle must not enter; -1: none.
static int32_t lane_not_allowed(const city_view* t, const city_car* c, const int32_t* lanes,
                                int32_t count) {
    for (int32_t i = 1; i < count; i++)
        if (!car_may_use(t, c, lanes[i]) ||
            (t->net.lanes[lanes[i]].edge != t->net.lanes[lanes[i - 1]].edge &&
             !leads_to(t, c, lanes[i - 1], lanes[i])))
            return lanes[i];
    return -1;
}

static kerb_route_answer find_lanes_to(const city_view* t, const city_car* c, int32_t from,
                                       int32_t to, reroute_blocks blocks, int32_t* lanes) {
    kerb_route_answer answer = {.outcome = KERB_ROUTE_NO_WAY};
    for (int32_t i = 0; i < REROUTE_TRIES; i++) {
        kerb_route_question question = {.from = from,
                                        .to = to,
                                        .classes = (uint32_t)t->head->types[c->type].classes,
                                        .times = t->times,
                                        .blocked = blocks.lanes,
                                        .blocked_count = blocks.count};
        answer = kerb_route_find(t->routes, t->work, &question, lanes, WAY_LANES_MAX);
        if (answer.outcome != KERB_ROUTE_FOUND)
            return answer;
        int32_t not_allowed = lane_not_allowed(t, c, lanes, answer.count);
        if (not_allowed < 0)
            return answer;
        block_lane(&blocks, not_allowed);
    }
    answer.outcome = KERB_ROUTE_NO_WAY;
    return answer;
}

// `most`: only a way that takes less; becomes the time of the one that was found.
static int32_t find_edges(const city_view* t, const city_car* c, int32_t from, int32_t target,
                          const reroute_blocks* blocks, int32_t* way, uint32_t* most) {
    int32_t lanes[WAY_LANES_MAX], count = 0;
    const kerb_network_edge* e = &t->net.edges[target];
    for (int32_t to = e->first_lane; to < e->first_lane + e->lane_count; to++) {
        if (!car_may_use(t, c, to) || to == from)
            continue;
        kerb_route_answer answer = find_lanes_to(t, c, from, to, *blocks, lanes);
        if (answer.outcome != KERB_ROUTE_FOUND || answer.time >= *most)
            continue;
        *most = answer.time;
        count = 0;
        for (int32_t i = 0; i < answer.count; i++)
            if (count == 0 || t->net.lanes[lanes[i]].edge != way[count - 1])
                way[count++] = t->net.lanes[lanes[i]].edge;
    }
    return count;
}

// A way from the end of its lane round to the edge on which it is: the first and the last of it.
static int32_t find_way_round(const city_view* t, const city_car* c, const reroute_blocks* blocks,
                              int32_t* way) {
    const net_lane* l = &t->net.lanes[c->segment];
    int32_t count = 0;
    uint32_t most = UINT32_MAX;
    for (int32_t i = 0; i < l->turn_count; i++) {
        int32_t turn = t->net.lane_turns[l->first_turn + i], found[WAY_LANES_MAX];
        if (!kerb_in_turn_is_open(t, c, turn) || blocks_lane(blocks, t->net.turns[turn].to))
            continue;
        int32_t n = find_edges(t, c, t->net.turns[turn].to, l->edge, blocks, found, &most);
        if (n == 0 || n >= WAY_LANES_MAX)
            continue;
        count = n + 1;
        way[0] = l->edge;
        for (int32_t k = 0; k < n; k++)
            way[k + 1] = found[k];
    }
    return count;
}

int32_t kerb_in_find_edges(const city_view* t, const city_car* c, int32_t from, int32_t target,
                           int32_t* way, int32_t capacity) {
    int32_t found[WAY_LANES_MAX];
    const reroute_blocks none = {.count = 0};
    uint32_t most = UINT32_MAX;
    int32_t count = find_edges(t, c, from, target, &none, found, &most);
    for (int32_t i = 0; i < count && i < capacity; i++)
        way[i] = found[i];
    return count <= capacity ? count : 0;
}

bool kerb_in_reroute(city_view* t, int32_t index, bool avoid) {
    city_car* c = &t->cars[index];
    int32_t way[WAY_LANES_MAX], target = -1, edge = t->net.lanes[c->segment].edge;
    reroute_blocks blocks = {.count = 0};
    for (int32_t k = 0; kerb_in_route_peek(t, c, k) >= 0; k++)
        target = kerb_in_route_peek(t, c, k);
    int32_t next = kerb_in_route_peek(t, c, 1);
    if (next < 0)
        return false;
    for (int32_t i = 0; c->known > 0 && i < t->knowledge[c->known - 1].count; i++)
        block_lane(&blocks, t->knowledge[c->known - 1].lanes[i]);
    if (target != edge)
        block_edge(t, &blocks, edge, c->segment);
    if (avoid && c->next_turn >= 0)
        block_edge(t, &blocks, next, -1);
    uint32_t most = UINT32_MAX;
    int32_t count = target == edge ? find_way_round(t, c, &blocks, way)
                                   : find_edges(t, c, c->segment, target, &blocks, way, &most);
    if (count < 2 || !kerb_in_route_store(t, c, way, count))
        return false;
    c->goal = c->segment;
    kerb_in_route_plan(t, c);
    return true;
}
