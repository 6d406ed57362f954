// Purpose: routes of a network: its junctions, their hierarchy, and the block that holds all.
// Idea:    Where a lane leads on to another, the end of the one and the start of the other are the
//          same place; so are the starts of lanes side by side. Places that are the same form a
//          junction (union-find). A lane is then a road between two junctions. Its time plus the
//          least time of the links that leave it is never more than what driving takes: what may
//          not be turned into, or be entered, is forgotten here, and looked at by route_find.c.
// Cost:    O((lanes + links) log lanes), most of it for the hierarchy.
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
    uint32_t* link_min;   // least time of the links that leave a lane
    route_road* roads;    // a lane each
    int32_t road_count;
    route_hierarchy hierarchy;
} route_builder;

static void* builder_allocate(route_builder* b, size_t count, size_t size) {
    return b->allocator->allocate(b->allocator->context, count * size, 8);
}

static void builder_release(route_builder* b, void* memory, size_t count, size_t size) {
    if (memory)
        b->allocator->release(b->allocator->context, memory, count * size);
}

static void list_roads(route_builder* b) {
    const kerb_route_graph* graph = b->graph;
    const int32_t n = graph->lane_count;
    for (int32_t i = 0; i < n; i++)
        b->link_min[i] = ROUTE_NO_TIME;
    for (int32_t i = 0; i < graph->link_count; i++)
        if (graph->links[i].time < b->link_min[graph->links[i].from])
            b->link_min[graph->links[i].from] = graph->links[i].time;
    for (int32_t i = 0; i < n; i++)
        if (b->link_min[i] < ROUTE_NO_TIME)
            b->roads[b->road_count++] =
                (route_road){b->node[i], b->node[n + i], graph->lanes[i].time + b->link_min[i]};
}

static size_t place_in_block(size_t* bytes, size_t count, size_t size) {
    size_t at = *bytes;
    *bytes = (at + count * size + 7) / 8 * 8;
    return at;
}

static size_t lay_out(route_block* block, const route_builder* b) {
    size_t bytes = 0, lanes = (size_t)b->graph->lane_count, links = (size_t)b->graph->link_count;
    size_t nodes = (size_t)b->hierarchy.node_count;
    *block = (route_block){.lane_count = b->graph->lane_count,
                           .link_count = b->graph->link_count,
                           .node_count = b->hierarchy.node_count,
                           .change_time = b->graph->change_time};
    for (int32_t i = 0; i < b->hierarchy.road_count; i++)
        if (b->hierarchy.roads[i].from < b->hierarchy.roads[i].to)
            block->up_count++;
        else
            block->down_count++;
    place_in_block(&bytes, 1, sizeof *block);
    block->lanes = place_in_block(&bytes, lanes, sizeof(kerb_route_lane));
    block->link_first = place_in_block(&bytes, lanes + 1, sizeof(int32_t));
    block->link_to = place_in_block(&bytes, links, sizeof(int32_t));
    block->link_time = place_in_block(&bytes, links, sizeof(uint32_t));
    block->node_of = place_in_block(&bytes, lanes, sizeof(int32_t));
    block->up_first = place_in_block(&bytes, nodes + 1, sizeof(int32_t));
    block->up_arcs = place_in_block(&bytes, (size_t)block->up_count, sizeof(route_arc));
    block->down_first = place_in_block(&bytes, nodes + 1, sizeof(int32_t));
    block->down_arcs = place_in_block(&bytes, (size_t)block->down_count, sizeof(route_arc));
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

// Arcs upwards lie with the lower junction, where they begin; arcs downwards too, where they end.
static void fill_arcs(char* block, size_t first_at, size_t arcs_at, const route_hierarchy* h,
                      bool up) {
    int32_t* first = (int32_t*)(void*)(block + first_at);
    route_arc* arcs = (route_arc*)(void*)(block + arcs_at);
    for (int32_t i = 0; i < h->road_count; i++) {
        const route_road* road = &h->roads[i];
        if ((road->from < road->to) == up)
            first[(up ? road->from : road->to) + 1]++;
    }
    add_up_lists(first, h->node_count);
    for (int32_t i = 0; i < h->road_count; i++) {
        const route_road* road = &h->roads[i];
        if ((road->from < road->to) == up)
            arcs[first[up ? road->from : road->to]++] =
                (route_arc){up ? road->to : road->from, road->time};
    }
    move_back(first, h->node_count);
}

static bool build_block(kerb_routes* routes, route_builder* b) {
    route_block head;
    size_t bytes = lay_out(&head, b);
    char* block = b->allocator->allocate(b->allocator->context, bytes, 8);
    if (!block)
        return false;
    memset(block, 0, bytes);
    memcpy(block, &head, sizeof head);
    memcpy(block + head.lanes, b->graph->lanes, (size_t)head.lane_count * sizeof(kerb_route_lane));
    int32_t* node_of = (int32_t*)(void*)(block + head.node_of);
    for (int32_t i = 0; i < head.lane_count; i++)
        node_of[i] = b->hierarchy.rank[b->node[i]];
    fill_links(block, &head, b->graph);
    fill_arcs(block, head.up_first, head.up_arcs, &b->hierarchy, true);
    fill_arcs(block, head.down_first, head.down_arcs, &b->hierarchy, false);
    *routes = (kerb_routes){block, bytes, *b->allocator};
    return true;
}

static bool build_routes(kerb_routes* routes, route_builder* b) {
    size_t lanes = (size_t)b->graph->lane_count;
    b->same = builder_allocate(b, 2 * lanes, sizeof *b->same);
    b->node = builder_allocate(b, 2 * lanes, sizeof *b->node);
    b->link_min = builder_allocate(b, lanes, sizeof *b->link_min);
    b->roads = builder_allocate(b, lanes, sizeof *b->roads);
    bool done = b->same && b->node && b->link_min && b->roads;
    if (done) {
        int32_t nodes = number_junctions(b->graph, b->same, b->node);
        list_roads(b);
        done =
            kerb_in_route_contract(&b->hierarchy, nodes, b->roads, b->road_count, b->allocator) &&
            build_block(routes, b);
    }
    builder_release(b, b->same, 2 * lanes, sizeof *b->same);
    builder_release(b, b->node, 2 * lanes, sizeof *b->node);
    builder_release(b, b->link_min, lanes, sizeof *b->link_min);
    builder_release(b, b->roads, lanes, sizeof *b->roads);
    kerb_in_route_hierarchy_destroy(&b->hierarchy, b->allocator);
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
