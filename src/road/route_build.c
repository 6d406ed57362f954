// Purpose: routes of a network: its junctions, the hierarchy of its lanes, and the block of all.
// Idea:    Where a lane leads on to another, the end of the one and the start of the other are the
//          same place; so are the starts of lanes side by side. Places that are the same form a
//          junction (union-find), and a lane is a road between two of them: so the network is cut
//          into parts, which gives the order of its lanes. What takes time is a step from the start
//          of a lane to the start of another: along it and a link, or aside.
// Cost:    That of the order and of the hierarchy: route_order.c, route_fill.c.
#include "route_parts.h"

#include "../base/shared.h"

#include <string.h>

kerb_route_lane kerb_route_lane_at(uint32_t time) {
    return (kerb_route_lane){.time = time, .classes = UINT32_MAX, .left = -1, .right = -1};
}

// --------------------------------------------------------------------------- checks

static kerb_result graph_error(kerb_error* error, const char* field, int32_t index,
                               const char* message) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, index, message);
}

static bool is_lane_or_none(const kerb_route_graph* graph, int32_t lane) {
    return lane >= -1 && lane < graph->lane_count;
}

static bool is_lane(const kerb_route_graph* graph, int32_t lane) {
    return lane >= 0 && lane < graph->lane_count;
}

static const char route_time_message[] = "must be at most 16777215 ms";
static const char route_lane_message[] = "must be a lane of the graph";

static kerb_result check_lanes(const kerb_route_graph* graph, kerb_error* error) {
    for (int32_t i = 0; i < graph->lane_count; i++) {
        if (graph->lanes[i].time > KERB_ROUTE_TIME_MAX)
            return graph_error(error, "time", i, route_time_message);
        if (!is_lane_or_none(graph, graph->lanes[i].left))
            return graph_error(error, "left", i, route_lane_message);
        if (!is_lane_or_none(graph, graph->lanes[i].right))
            return graph_error(error, "right", i, route_lane_message);
    }
    return KERB_OK;
}

static kerb_result check_route_graph(const kerb_route_graph* graph, kerb_error* error) {
    if (graph->lane_count < 1)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "lanes", 0, -1,
                              "must have one lane at least");
    if (graph->lane_count > KERB_ROUTE_LANES_MAX || graph->link_count > 8 * KERB_ROUTE_LANES_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "lanes", 0, -1,
                              "must be at most 10000000 lanes, and 8 links for each");
    if (graph->change_time > KERB_ROUTE_TIME_MAX)
        return graph_error(error, "change_time", -1, route_time_message);
    for (int32_t i = 0; i < graph->link_count; i++) {
        if (!is_lane(graph, graph->links[i].from))
            return graph_error(error, "from", i, route_lane_message);
        if (!is_lane(graph, graph->links[i].to))
            return graph_error(error, "to", i, route_lane_message);
        if (graph->links[i].time > KERB_ROUTE_TIME_MAX)
            return graph_error(error, "time", i, route_time_message);
    }
    return check_lanes(graph, error);
}

// --------------------------------------------------------------------------- junctions

// Starts of lanes are the places 0 to n - 1, their ends n to 2n - 1.
static int32_t find_place(int32_t* same, int32_t place) {
    while (same[place] != place) {
        same[place] = same[same[place]];
        place = same[place];
    }
    return place;
}

// The smaller number stays, so that junctions do not depend on the order of the links.
static void join_places(int32_t* same, int32_t a, int32_t b) {
    a = find_place(same, a);
    b = find_place(same, b);
    if (a < b)
        same[b] = a;
    else
        same[a] = b;
}

// Numbers the junctions: node[i] of lane i's start, node[n + i] of its end. Returns how many.
static int32_t number_junctions(const kerb_route_graph* graph, int32_t* same, int32_t* node) {
    const int32_t n = graph->lane_count;
    int32_t count = 0;
    for (int32_t i = 0; i < 2 * n; i++)
        same[i] = i;
    for (int32_t i = 0; i < graph->link_count; i++)
        join_places(same, n + graph->links[i].from, graph->links[i].to);
    for (int32_t i = 0; i < n; i++) {
        if (graph->lanes[i].left >= 0)
            join_places(same, i, graph->lanes[i].left);
        if (graph->lanes[i].right >= 0)
            join_places(same, i, graph->lanes[i].right);
    }
    for (int32_t i = 0; i < 2 * n; i++)
        node[i] = find_place(same, i) == i ? count++ : -1;
    for (int32_t i = 0; i < 2 * n; i++)
        if (node[i] < 0)
            node[i] = node[find_place(same, i)];
    return count;
}

// --------------------------------------------------------------------------- the block

typedef struct route_builder {
    const kerb_route_graph* graph;
    const kerb_allocator* allocator;
    int32_t *same, *node; // [2 lanes]
    int32_t* rank_of;
    route_step* steps; // [links + 2 lanes]
    int32_t step_count;
    route_fill fill;
} route_builder;

static void add_step(route_builder* b, int32_t from, int32_t to, uint32_t time) {
    if (from != to && b->graph->lanes[to].classes != 0)
        b->steps[b->step_count++] = (route_step){b->rank_of[from], b->rank_of[to], time};
}

static void list_all_steps(route_builder* b) {
    const kerb_route_graph* graph = b->graph;
    for (int32_t i = 0; i < graph->link_count; i++) {
        const kerb_route_link* link = &graph->links[i];
        add_step(b, link->from, link->to, graph->lanes[link->from].time + link->time);
    }
    for (int32_t i = 0; i < graph->lane_count; i++) {
        if (graph->lanes[i].left >= 0)
            add_step(b, i, graph->lanes[i].left, graph->change_time);
        if (graph->lanes[i].right >= 0)
            add_step(b, i, graph->lanes[i].right, graph->change_time);
    }
}

static size_t place_in_block(size_t* bytes, size_t count, size_t size) {
    size_t at = *bytes;
    *bytes = (at + count * size + 7) / 8 * 8;
    return at;
}

static bool is_needed(uint32_t time, int32_t middle) {
    return time < ROUTE_NO_TIME && middle != ROUTE_DROPPED;
}

static int32_t count_needed(const route_fill* fill) {
    int32_t count = 0;
    for (int32_t k = 0; fill->count > 0 && k < fill->first[fill->count]; k++) {
        count += is_needed(fill->time[k].up, fill->middle[k].up);
        count += is_needed(fill->time[k].down, fill->middle[k].down);
    }
    return count;
}

static int32_t count_sides(const kerb_route_graph* graph) {
    int32_t count = 0;
    for (int32_t i = 0; i < graph->lane_count; i++)
        count += (graph->lanes[i].left >= 0) + (graph->lanes[i].right >= 0);
    return count;
}

static size_t lay_out(route_block* block, const route_builder* b) {
    size_t bytes = 0, lanes = (size_t)b->graph->lane_count, links = (size_t)b->graph->link_count;
    *block = (route_block){.lane_count = b->graph->lane_count,
                           .link_count = b->graph->link_count,
                           .back_count = b->graph->link_count + count_sides(b->graph),
                           .rank_count = b->fill.count,
                           .arc_count = count_needed(&b->fill),
                           .change_time = b->graph->change_time};
    place_in_block(&bytes, 1, sizeof *block);
    block->lanes = place_in_block(&bytes, lanes, sizeof(kerb_route_lane));
    block->link_first = place_in_block(&bytes, lanes + 1, sizeof(int32_t));
    block->link_to = place_in_block(&bytes, links, sizeof(int32_t));
    block->link_time = place_in_block(&bytes, links, sizeof(uint32_t));
    block->back_first = place_in_block(&bytes, lanes + 1, sizeof(int32_t));
    block->back_from = place_in_block(&bytes, (size_t)block->back_count, sizeof(int32_t));
    block->rank_of = place_in_block(&bytes, lanes, sizeof(int32_t));
    block->lane_of = place_in_block(&bytes, lanes, sizeof(int32_t));
    block->ranks = place_in_block(&bytes, (size_t)block->rank_count + 1, sizeof(route_rank));
    block->arcs = place_in_block(&bytes, (size_t)block->arc_count, sizeof(route_arc));
    block->parts = place_in_block(&bytes, (size_t)block->arc_count, sizeof(route_parts_of));
    block->marks = place_in_block(&bytes, (size_t)block->rank_count, sizeof(route_marks));
    return bytes;
}

// Makes the starts of lists from their lengths, which stand one place later.
static void add_up_lists(int32_t* first, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        first[i + 1] += first[i];
}

// After filling, each start has moved to the next one's place.
static void move_back(int32_t* first, int32_t count) {
    for (int32_t i = count; i > 0; i--)
        first[i] = first[i - 1];
    first[0] = 0;
}

static void add_back(int32_t* first, int32_t* from, int32_t lane, int32_t to) {
    if (to < 0)
        return;
    if (from)
        from[first[to]++] = lane;
    else
        first[to + 1]++;
}

// Counts the lanes from which each is entered, or writes them.
static void list_back(const kerb_route_graph* graph, int32_t* first, int32_t* from) {
    for (int32_t i = 0; i < graph->link_count; i++)
        add_back(first, from, graph->links[i].from, graph->links[i].to);
    for (int32_t i = 0; i < graph->lane_count; i++) {
        add_back(first, from, i, graph->lanes[i].left);
        add_back(first, from, i, graph->lanes[i].right);
    }
}

static void fill_back(char* block, const route_block* head, const kerb_route_graph* graph) {
    int32_t* first = (int32_t*)(void*)(block + head->back_first);
    list_back(graph, first, NULL);
    add_up_lists(first, graph->lane_count);
    list_back(graph, first, (int32_t*)(void*)(block + head->back_from));
    move_back(first, graph->lane_count);
}

static void fill_links(char* block, const route_block* head, const kerb_route_graph* graph) {
    int32_t* first = (int32_t*)(void*)(block + head->link_first);
    int32_t* to = (int32_t*)(void*)(block + head->link_to);
    uint32_t* time = (uint32_t*)(void*)(block + head->link_time);
    for (int32_t i = 0; i < graph->link_count; i++)
        first[graph->links[i].from + 1]++;
    add_up_lists(first, graph->lane_count);
    for (int32_t i = 0; i < graph->link_count; i++) {
        int32_t at = first[graph->links[i].from]++;
        to[at] = graph->links[i].to;
        time[at] = graph->links[i].time;
    }
    move_back(first, graph->lane_count);
}

typedef struct hierarchy_view {
    const int32_t* lane_of;
    route_rank* ranks;
    route_arc* arcs;
    route_parts_of* parts;
    int32_t count; // arcs
} hierarchy_view;

// The middle is kept until all arcs have their places.
static void add_arc(hierarchy_view* v, int32_t head, uint32_t time, int32_t middle) {
    if (!is_needed(time, middle))
        return;
    v->parts[v->count].first = middle;
    v->arcs[v->count++] = (route_arc){head, time};
}

static int32_t find_arc_to(const hierarchy_view* v, int32_t first, int32_t end, int32_t rank) {
    int32_t last = end;
    while (first + 1 < last) {
        int32_t middle = first + (last - first) / 2;
        if (v->arcs[middle].rank <= rank)
            first = middle;
        else
            last = middle;
    }
    return first < end && v->arcs[first].rank == rank ? first : ROUTE_DROPPED;
}

// A part is missing only where lanes that take no time form a circle.
static void set_parts(const hierarchy_view* v, int32_t arc, int32_t from, int32_t to) {
    route_parts_of* parts = &v->parts[arc];
    if (parts->first < 0) {
        parts->first = -1 - v->lane_of[to];
        return;
    }
    const route_rank* middle = &v->ranks[parts->first];
    parts->first = find_arc_to(v, middle->down, middle[1].up, from);
    parts->second = find_arc_to(v, middle->up, middle->down, to);
    if (parts->first == ROUTE_DROPPED || parts->second == ROUTE_DROPPED)
        *parts = (route_parts_of){ROUTE_DROPPED, ROUTE_DROPPED};
}

static void fill_hierarchy(char* block, route_block* head, const route_builder* b) {
    int32_t* rank_of = (int32_t*)(void*)(block + head->rank_of);
    int32_t* lane_of = (int32_t*)(void*)(block + head->lane_of);
    const route_fill* f = &b->fill;
    hierarchy_view v = {.lane_of = lane_of};
    v.ranks = (route_rank*)(void*)(block + head->ranks);
    v.arcs = (route_arc*)(void*)(block + head->arcs);
    v.parts = (route_parts_of*)(void*)(block + head->parts);
    for (int32_t i = 0; i < head->lane_count; i++) {
        rank_of[i] = b->rank_of[i];
        lane_of[b->rank_of[i]] = i;
    }
    for (int32_t i = 0; i < head->rank_count; i++) {
        v.ranks[i] = (route_rank){.up = v.count, .parent = f->parent[i]};
        for (int32_t k = f->first[i]; k < f->first[i + 1]; k++)
            add_arc(&v, f->head[k], f->time[k].up, f->middle[k].up);
        v.ranks[i].down = v.count;
        for (int32_t k = f->first[i]; k < f->first[i + 1]; k++)
            add_arc(&v, f->head[k], f->time[k].down, f->middle[k].down);
    }
    v.ranks[head->rank_count] = (route_rank){v.count, v.count, -1};
    for (int32_t i = 0; i < head->rank_count; i++) {
        for (int32_t k = v.ranks[i].up; k < v.ranks[i].down; k++)
            set_parts(&v, k, i, v.arcs[k].rank);
        for (int32_t k = v.ranks[i].down; k < v.ranks[i + 1].up; k++)
            set_parts(&v, k, v.arcs[k].rank, i);
    }
    if (head->rank_count > 0)
        head->share = kerb_in_route_mark((route_marks*)(void*)(block + head->marks), v.ranks,
                                         v.arcs, head->rank_count, (uint32_t*)b->rank_of);
}

static bool build_block(kerb_routes* routes, route_builder* b) {
    route_block head;
    size_t bytes = lay_out(&head, b);
    char* block = b->allocator->allocate(b->allocator->context, bytes, 8);
    if (!block)
        return false;
    memset(block, 0, bytes);
    memcpy(block + head.lanes, b->graph->lanes, (size_t)head.lane_count * sizeof(kerb_route_lane));
    fill_links(block, &head, b->graph);
    fill_back(block, &head, b->graph);
    fill_hierarchy(block, &head, b);
    memcpy(block, &head, sizeof head);
    *routes = (kerb_routes){block, bytes, *b->allocator};
    return true;
}

static bool build_hierarchy(route_builder* b) {
    const int32_t lanes = b->graph->lane_count;
    int32_t nodes = number_junctions(b->graph, b->same, b->node);
    if (!kerb_in_route_order(b->rank_of, b->node, nodes, lanes, b->allocator))
        return false;
    list_all_steps(b);
    return kerb_in_route_fill(&b->fill, lanes, b->steps, b->step_count, b->allocator);
}

static bool build_routes(kerb_routes* routes, route_builder* b) {
    const size_t lanes = (size_t)b->graph->lane_count, links = (size_t)b->graph->link_count;
    b->same = route_allocate(b->allocator, 2 * lanes, sizeof *b->same);
    b->node = route_allocate(b->allocator, 2 * lanes, sizeof *b->node);
    b->rank_of = route_allocate(b->allocator, lanes, sizeof *b->rank_of);
    b->steps = route_allocate(b->allocator, links + 2 * lanes, sizeof *b->steps);
    bool done = b->same && b->node && b->rank_of && b->steps && build_hierarchy(b) &&
                build_block(routes, b);
    route_release(b->allocator, b->same, 2 * lanes, sizeof *b->same);
    route_release(b->allocator, b->node, 2 * lanes, sizeof *b->node);
    route_release(b->allocator, b->rank_of, lanes, sizeof *b->rank_of);
    route_release(b->allocator, b->steps, links + 2 * lanes, sizeof *b->steps);
    kerb_in_route_fill_destroy(&b->fill);
    return done;
}

kerb_result kerb_routes_create(kerb_routes* routes, const kerb_route_graph* graph,
                               const kerb_host* host, kerb_error* error) {
    route_builder builder = {.graph = graph, .allocator = &host->allocator};
    *routes = (kerb_routes){0};
    kerb_result result = check_route_graph(graph, error);
    if (result != KERB_OK)
        return result;
    if (!build_routes(routes, &builder))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1,
                              "no memory for the routes");
    return KERB_OK;
}

void kerb_routes_destroy(kerb_routes* routes) {
    if (routes->memory)
        routes->allocator.release(routes->allocator.context, routes->memory, routes->bytes);
    *routes = (kerb_routes){0};
}
