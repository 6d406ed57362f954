// Purpose: ranks of the lanes of a network, so that few lanes meet when they are taken away by
//          rank.
// Idea:    Nested dissection: the network is cut in two through few lanes, which get the highest
//          ranks; then each part is cut in the same way, down to single junctions. A way from part
//          to part passes a lane of the cut. Lanes of a cut are ranked from its middle to its ends,
//          again by halves.
// Cost:    O(lanes log lanes · phases of a flow).
// Source:  Dibbelt, Strasser, Wagner, "Customizable Contraction Hierarchies", SEA 2014; cuts
//          through lanes in place of junctions: Buchhold, Wagner, Zeitz, Zuendorf, "Customizable
//          Contraction Hierarchies with Turn Costs", ATMOS 2020.
#include "route_parts.h"

#include <string.h>

typedef struct order_part {
    int32_t low, high;
} order_part;

typedef struct route_order {
    route_cut cut;
    const kerb_allocator* allocator;
    int32_t node_count, lane_count;
    int32_t* end;
    order_part* parts;  // still to be cut
    route_entry* lanes; // of a cut
    int32_t* rank_of;
    int32_t rank; // the next to be given, and one
    bool out_of_memory;
} route_order;

// --------------------------------------------------------------------------- memory

static void* order_allocate(route_order* o, int32_t count, size_t size) {
    void* memory = route_allocate(o->allocator, (size_t)count, size);
    o->out_of_memory |= !memory;
    if (memory)
        memset(memory, 0, ((size_t)count + 1) * size);
    return memory;
}

static void order_allocate_all(route_order* o) {
    const int32_t n = o->node_count, arcs = 2 * o->lane_count;
    int32_t** of_nodes[] = {&o->cut.first, &o->cut.members, &o->cut.cell,   &o->cut.seen,
                            &o->cut.steps, &o->cut.along,   &o->cut.across, &o->cut.level,
                            &o->cut.next,  &o->cut.queue};
    for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
        *of_nodes[i] = order_allocate(o, n, sizeof(int32_t));
    o->cut.counts = order_allocate(o, 4 * n + 2, sizeof(int32_t));
    o->cut.stack = order_allocate(o, n, sizeof(int32_t));
    o->cut.role = order_allocate(o, n, sizeof(int8_t));
    o->cut.side = order_allocate(o, n, sizeof(int8_t));
    o->cut.arcs = order_allocate(o, arcs, sizeof(int32_t));
    o->cut.room = order_allocate(o, arcs, sizeof(uint8_t));
    o->end = order_allocate(o, arcs, sizeof(int32_t));
    o->parts = order_allocate(o, n, sizeof *o->parts);
    o->lanes = order_allocate(o, o->lane_count, sizeof *o->lanes);
}

static void order_release_all(route_order* o) {
    const size_t n = (size_t)o->node_count, arcs = 2 * (size_t)o->lane_count;
    int32_t* of_nodes[] = {o->cut.first, o->cut.members, o->cut.cell,   o->cut.seen,
                           o->cut.steps, o->cut.along,   o->cut.across, o->cut.level,
                           o->cut.next,  o->cut.queue,   o->cut.stack};
    for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
        route_release(o->allocator, of_nodes[i], n, sizeof(int32_t));
    route_release(o->allocator, o->cut.counts, 4 * n + 2, sizeof(int32_t));
    route_release(o->allocator, o->cut.role, n, sizeof(int8_t));
    route_release(o->allocator, o->cut.side, n, sizeof(int8_t));
    route_release(o->allocator, o->cut.arcs, arcs, sizeof(int32_t));
    route_release(o->allocator, o->cut.room, arcs, sizeof(uint8_t));
    route_release(o->allocator, o->end, arcs, sizeof(int32_t));
    route_release(o->allocator, o->parts, n, sizeof *o->parts);
    route_release(o->allocator, o->lanes, (size_t)o->lane_count, sizeof *o->lanes);
}

// --------------------------------------------------------------------------- junctions

// The junction where an arc begins is where its opposite ends.
static void list_arcs(route_order* o, const int32_t* node) {
    const int32_t n = o->lane_count;
    int32_t* first = o->cut.first;
    for (int32_t i = 0; i < n; i++) {
        o->end[2 * (size_t)i] = node[n + i];
        o->end[2 * (size_t)i + 1] = node[i];
    }
    for (int32_t arc = 0; arc < 2 * n; arc++)
        first[o->end[arc ^ 1] + 1]++;
    for (int32_t i = 0; i < o->node_count; i++)
        first[i + 1] += first[i];
    for (int32_t arc = 0; arc < 2 * n; arc++)
        o->cut.arcs[first[o->end[arc ^ 1]]++] = arc;
    for (int32_t i = o->node_count; i > 0; i--)
        first[i] = first[i - 1];
    first[0] = 0;
    o->cut.end = o->end;
}

// --------------------------------------------------------------------------- ranks

static bool lane_before(route_entry a, route_entry b) {
    return a.key != b.key ? a.key < b.key : a.item < b.item;
}

static void sift_lane(route_entry* lanes, int32_t count, int32_t at) {
    route_entry lane = lanes[at];
    for (int32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && lane_before(lanes[child], lanes[child + 1]))
            child++;
        if (!lane_before(lane, lanes[child]))
            break;
        lanes[at] = lanes[child];
    }
    lanes[at] = lane;
}

static void sort_lanes(route_entry* lanes, int32_t count) {
    for (int32_t i = count / 2 - 1; i >= 0; i--)
        sift_lane(lanes, count, i);
    for (int32_t i = count - 1; i > 0; i--) {
        route_entry last = lanes[i];
        lanes[i] = lanes[0];
        lanes[0] = last;
        sift_lane(lanes, i, 0);
    }
}

// From the middle to the ends, by halves.
static void rank_lanes(route_order* o, int32_t count) {
    int32_t step = 1;
    sort_lanes(o->lanes, count);
    while (2 * step <= count)
        step *= 2;
    for (; step > 0; step /= 2)
        for (int32_t i = step - 1; i < count; i += 2 * step)
            o->rank_of[o->lanes[i].item] = --o->rank;
}

// Lanes between the two sides of a part that was cut; of a single junction, those back to it.
static void rank_cut(route_order* o, order_part part) {
    const route_cut* c = &o->cut;
    int32_t count = 0;
    for (int32_t i = part.low; i < part.high; i++) {
        int32_t node = c->members[i];
        for (int32_t k = c->first[node]; k < c->first[node + 1]; k++) {
            int32_t arc = c->arcs[k], to = c->end[arc];
            if (arc % 2 == 0 && c->cell[to] == c->cell[node] &&
                (part.high - part.low == 1 || c->side[to] != c->side[node]))
                o->lanes[count++] = (route_entry){
                    (uint64_t)((int64_t)kerb_in_route_beside(c, node) + INT32_MAX), arc / 2};
        }
    }
    rank_lanes(o, count);
}

// One piece: cut in two, or a single junction, which ends it. Returns the parts that are to be cut.
static int32_t order_piece(route_order* o, order_part part, int32_t count) {
    if (part.high - part.low == 1) {
        rank_cut(o, part);
        return count;
    }
    int32_t middle = kerb_in_route_cut(&o->cut, part.low, part.high);
    rank_cut(o, part);
    o->parts[count++] = (order_part){part.low, middle};
    o->parts[count++] = (order_part){middle, part.high};
    return count;
}

static void order_all(route_order* o) {
    int32_t count = 0;
    for (int32_t i = 0; i < o->node_count; i++)
        o->cut.members[i] = i;
    o->parts[count++] = (order_part){0, o->node_count};
    while (count > 0) {
        order_part part = o->parts[--count];
        int32_t pieces = kerb_in_route_connected(&o->cut, part.low, part.high);
        if (pieces == 1) {
            count = order_piece(o, part, count);
            continue;
        }
        for (int32_t i = 0; i < pieces; i++) {
            part.high = o->cut.counts[i];
            o->parts[count++] = part;
            part.low = part.high;
        }
    }
}

bool kerb_in_route_order(int32_t* rank_of, const int32_t* node, int32_t node_count,
                         int32_t lane_count, const kerb_allocator* allocator) {
    route_order o = {.allocator = allocator,
                     .node_count = node_count,
                     .lane_count = lane_count,
                     .rank = lane_count};
    o.rank_of = rank_of;
    order_allocate_all(&o);
    if (!o.out_of_memory) {
        list_arcs(&o, node);
        order_all(&o);
    }
    order_release_all(&o);
    return !o.out_of_memory;
}
