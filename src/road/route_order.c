// Purpose: a contraction hierarchy of the junctions of a network.
// Idea:    Junctions are taken away one by one, the least important first. Where the least time
//          between two neighbours led through the one that goes, a shortcut takes its place. A
//          search among the neighbours (a witness) shows where it did not. Of a junction counts how
//          many more arcs are added than go, and how deep the hierarchy below it is; a queue keeps
//          them by that number, which is computed again when a junction comes to its front.
// Cost:    O(junctions log junctions) for networks of roads: 0.3 s for 12,500 junctions of a grid.
// Source:  Geisberger, Sanders, Schultes, Delling: "Contraction Hierarchies", WEA 2008.
#include "route_parts.h"

#include <string.h>

// A witness search settles at most so many junctions. More finds more witnesses, hence fewer
// shortcuts, and takes longer; what is missed costs memory and time of questions, never exactness.
enum { WITNESS_ESTIMATE = 60, WITNESS_CONTRACT = 150 };

// An arc between two junctions that are both still there, in the lists of both.
typedef struct order_arc {
    int32_t from, to;
    uint32_t time;
    int32_t next_out, next_in;
} order_arc;

typedef struct route_order {
    const kerb_allocator* allocator;
    int32_t node_count;
    order_arc* arcs;
    int32_t arc_count, arc_capacity, free_arc;
    int32_t *first_out, *first_in, *depth;
    uint32_t* time;  // of the witness search
    int32_t* stamp;  // of the search in which `time` was written
    int32_t* target; // the last search that looked for it
    bool* changed;   // its neighbours have changed since its importance was computed
    int32_t search, goal;
    int32_t *core, *core_place; // its junctions, and their places in it
    uint32_t* core_times;       // NULL before there is a core
    int32_t core_count;
    route_queue witness, queue;
    route_hierarchy* hierarchy;
    bool out_of_memory;
} route_order;

// --------------------------------------------------------------------------- memory

static void* order_allocate(route_order* o, size_t count, size_t size) {
    void* memory = o->allocator->allocate(o->allocator->context, (count + 1) * size, 8);
    if (memory)
        memset(memory, 0, (count + 1) * size);
    o->out_of_memory |= !memory;
    return memory;
}

static void order_release(route_order* o, void* memory, size_t count, size_t size) {
    if (memory)
        o->allocator->release(o->allocator->context, memory, (count + 1) * size);
}

// Room for one more in an array that doubles.
static void* order_grow(route_order* o, void* items, int32_t count, int32_t* capacity,
                        size_t size) {
    if (count < *capacity)
        return items;
    int32_t more = *capacity > 0 ? 2 * *capacity : 1024;
    void* memory = order_allocate(o, (size_t)more, size);
    if (!memory)
        return items;
    if (items)
        memcpy(memory, items, (size_t)count * size);
    order_release(o, items, (size_t)*capacity, size);
    *capacity = more;
    return memory;
}

// --------------------------------------------------------------------------- arcs

static int32_t order_arc_between(const route_order* o, int32_t from, int32_t to) {
    for (int32_t i = o->first_out[from]; i >= 0; i = o->arcs[i].next_out)
        if (o->arcs[i].to == to)
            return i;
    return -1;
}

// Adds an arc, or makes the one that is there faster.
static void order_connect(route_order* o, int32_t from, int32_t to, uint32_t time) {
    int32_t there = order_arc_between(o, from, to);
    if (there >= 0) {
        if (time < o->arcs[there].time)
            o->arcs[there].time = time;
        return;
    }
    int32_t index = o->free_arc;
    if (index >= 0) {
        o->free_arc = o->arcs[index].next_out;
    } else {
        o->arcs = order_grow(o, o->arcs, o->arc_count, &o->arc_capacity, sizeof *o->arcs);
        if (o->out_of_memory)
            return;
        index = o->arc_count++;
    }
    o->arcs[index] = (order_arc){from, to, time, o->first_out[from], o->first_in[to]};
    o->first_out[from] = o->first_in[to] = index;
}

static void order_unlink_out(route_order* o, int32_t node, int32_t arc) {
    int32_t* at = &o->first_out[node];
    while (*at != arc)
        at = &o->arcs[*at].next_out;
    *at = o->arcs[arc].next_out;
}

static void order_unlink_in(route_order* o, int32_t node, int32_t arc) {
    int32_t* at = &o->first_in[node];
    while (*at != arc)
        at = &o->arcs[*at].next_in;
    *at = o->arcs[arc].next_in;
}

// --------------------------------------------------------------------------- witnesses

static void witness_reach(route_order* o, int32_t node, uint32_t time) {
    if (o->stamp[node] == o->search && o->time[node] <= time)
        return;
    if (o->witness.count >= o->witness.capacity)
        return; // then a witness is missed
    o->stamp[node] = o->search;
    o->time[node] = time;
    kerb_in_route_push(&o->witness, time, node);
}

// Marks where the arcs out of a junction lead: those the search looks for.
static int32_t mark_targets(route_order* o, int32_t node, int32_t but) {
    int32_t count = 0;
    o->goal++;
    for (int32_t i = o->first_out[node]; i >= 0; i = o->arcs[i].next_out)
        if (o->arcs[i].to != but) {
            o->target[o->arcs[i].to] = o->goal;
            count++;
        }
    return count;
}

// Least times from `from` without passing `without`, up to `most`.
static void witness_search(route_order* o, int32_t from, int32_t without, uint32_t most,
                           int32_t budget) {
    int32_t left = without >= 0 ? mark_targets(o, without, from) : -1;
    o->search++;
    o->witness.count = 0;
    witness_reach(o, from, 0);
    while (o->witness.count > 0 && budget-- > 0) {
        route_entry entry = kerb_in_route_pop(&o->witness);
        if (entry.key > o->time[entry.item])
            continue;
        if (entry.key > most)
            return;
        if (without >= 0 && o->target[entry.item] == o->goal && --left == 0)
            return;
        for (int32_t i = o->first_out[entry.item]; i >= 0; i = o->arcs[i].next_out) {
            uint32_t time = route_sum((uint32_t)entry.key, o->arcs[i].time);
            if (o->arcs[i].to != without && time <= most)
                witness_reach(o, o->arcs[i].to, time);
        }
    }
}

static bool has_witness(const route_order* o, int32_t node, uint32_t time) {
    return o->stamp[node] == o->search && o->time[node] <= time;
}

static int32_t core_shortcuts(route_order* o, int32_t node, order_arc in, bool add);

// Shortcuts that the junction needs from one of its arcs in; adds them when `add`.
static int32_t shortcuts_of(route_order* o, int32_t node, order_arc in, bool add) {
    uint32_t most = 0;
    int32_t count = 0;
    if (o->core_times)
        return core_shortcuts(o, node, in, add);
    for (int32_t i = o->first_out[node]; i >= 0; i = o->arcs[i].next_out)
        if (o->arcs[i].to != in.from && o->arcs[i].time > most)
            most = o->arcs[i].time;
    witness_search(o, in.from, node, route_sum(in.time, most),
                   add ? WITNESS_CONTRACT : WITNESS_ESTIMATE);
    for (int32_t i = o->first_out[node]; i >= 0; i = o->arcs[i].next_out) {
        order_arc out = o->arcs[i];
        uint32_t time = route_sum(in.time, out.time);
        if (out.to == in.from || has_witness(o, out.to, time))
            continue;
        count++;
        if (add && time < ROUTE_NO_TIME)
            order_connect(o, in.from, out.to, time);
    }
    return count;
}

// --------------------------------------------------------------------------- the core

// The last junctions have many arcs, and searches among them are long. So all least times between
// them are computed once: a way past a junction is then a comparison. CORE² numbers: 9 MB.
enum { CORE = 1500 };

static void core_row(route_order* o, int32_t from, uint32_t* row) {
    witness_search(o, from, -1, ROUTE_NO_TIME - 1, INT32_MAX);
    for (int32_t i = 0; i < o->core_count; i++) {
        int32_t node = o->core[i];
        row[i] = o->stamp[node] == o->search ? o->time[node] : ROUTE_NO_TIME;
    }
}

// Called when CORE junctions are left in the queue.
static void core_make(route_order* o) {
    o->core = order_allocate(o, CORE, sizeof *o->core);
    o->core_times = order_allocate(o, (size_t)CORE * CORE, sizeof *o->core_times);
    if (o->out_of_memory)
        return;
    for (int32_t i = 0; i < o->queue.count; i++) {
        o->core_place[o->queue.entries[i].item] = o->core_count;
        o->core[o->core_count++] = o->queue.entries[i].item;
    }
    for (int32_t i = 0; i < o->core_count; i++)
        core_row(o, o->core[i], o->core_times + (size_t)i * CORE);
}

// Shortcuts from one arc in, as shortcuts_of counts them.
static int32_t core_shortcuts(route_order* o, int32_t node, order_arc in, bool add) {
    const uint32_t* row = o->core_times + (size_t)o->core_place[in.from] * CORE;
    int32_t count = 0;
    for (int32_t i = o->first_out[node]; i >= 0; i = o->arcs[i].next_out) {
        order_arc out = o->arcs[i];
        uint32_t time = route_sum(in.time, out.time);
        if (out.to == in.from || row[o->core_place[out.to]] < time || time == ROUTE_NO_TIME)
            continue;
        int32_t there = order_arc_between(o, in.from, out.to);
        if (there >= 0 && o->arcs[there].time <= time)
            continue;
        count++;
        if (add)
            order_connect(o, in.from, out.to, time);
    }
    return count;
}

// --------------------------------------------------------------------------- importance

// What is contracted first has the least number.
static uint64_t importance(route_order* o, int32_t node) {
    int32_t added = 0, gone = 0;
    for (int32_t i = o->first_in[node]; i >= 0; i = o->arcs[i].next_in) {
        added += shortcuts_of(o, node, o->arcs[i], false);
        gone++;
    }
    for (int32_t i = o->first_out[node]; i >= 0; i = o->arcs[i].next_out)
        gone++;
    // The ratio, as in RoutingKit and others, spreads the contraction over the network better than
    // the difference: a junction of a few arcs and one of many compare fairly.
    uint64_t ratio = gone > 0 ? (uint64_t)added * 1000u / (uint64_t)gone : 0u;
    return ratio + 1000u * (uint64_t)o->depth[node];
}

static void keep_road(route_order* o, int32_t from, int32_t to, uint32_t time) {
    route_hierarchy* h = o->hierarchy;
    h->roads = order_grow(o, h->roads, h->road_count, &h->road_capacity, sizeof *h->roads);
    if (!o->out_of_memory)
        h->roads[h->road_count++] = (route_road){from, to, time};
}

static void deepen(route_order* o, int32_t node, int32_t below) {
    o->changed[node] = true;
    if (o->depth[node] < o->depth[below] + 1)
        o->depth[node] = o->depth[below] + 1;
}

// Its arcs lead upwards: they are kept, and taken from the lists of its neighbours.
static void take_away(route_order* o, int32_t node) {
    for (int32_t i = o->first_in[node], next; i >= 0; i = next) {
        next = o->arcs[i].next_in;
        keep_road(o, o->arcs[i].from, node, o->arcs[i].time);
        deepen(o, o->arcs[i].from, node);
        order_unlink_out(o, o->arcs[i].from, i);
        o->arcs[i].next_out = o->free_arc;
        o->free_arc = i;
    }
    for (int32_t i = o->first_out[node], next; i >= 0; i = next) {
        next = o->arcs[i].next_out;
        keep_road(o, node, o->arcs[i].to, o->arcs[i].time);
        deepen(o, o->arcs[i].to, node);
        order_unlink_in(o, o->arcs[i].to, i);
        o->arcs[i].next_out = o->free_arc;
        o->free_arc = i;
    }
    o->first_in[node] = o->first_out[node] = -1;
}

static void contract_node(route_order* o, int32_t node) {
    for (int32_t i = o->first_in[node]; i >= 0; i = o->arcs[i].next_in)
        shortcuts_of(o, node, o->arcs[i], true);
    take_away(o, node);
}

static void contract_all(route_order* o) {
    int32_t rank = 0;
    for (int32_t i = 0; i < o->node_count; i++)
        kerb_in_route_push(&o->queue, importance(o, i), i);
    while (o->queue.count > 0 && !o->out_of_memory) {
        if (o->queue.count <= CORE && !o->core_times)
            core_make(o);
        if (o->out_of_memory)
            return;
        route_entry entry = kerb_in_route_pop(&o->queue);
        uint64_t now = o->changed[entry.item] ? importance(o, entry.item) : entry.key;
        o->changed[entry.item] = false;
        if (o->queue.count > 0 && now > o->queue.entries[0].key) {
            kerb_in_route_push(&o->queue, now, entry.item);
            continue;
        }
        contract_node(o, entry.item);
        o->hierarchy->rank[entry.item] = rank++;
    }
}

// --------------------------------------------------------------------------- all together

enum { WITNESS_QUEUE = 4096 };

static void order_prepare(route_order* o) {
    size_t n = (size_t)o->node_count;
    o->first_out = order_allocate(o, n, sizeof *o->first_out);
    o->first_in = order_allocate(o, n, sizeof *o->first_in);
    o->depth = order_allocate(o, n, sizeof *o->depth);
    o->time = order_allocate(o, n, sizeof *o->time);
    o->stamp = order_allocate(o, n, sizeof *o->stamp);
    o->target = order_allocate(o, n, sizeof *o->target);
    o->core_place = order_allocate(o, n, sizeof *o->core_place);
    o->changed = order_allocate(o, n, sizeof *o->changed);
    o->witness.entries = order_allocate(o, WITNESS_QUEUE, sizeof *o->witness.entries);
    o->witness.capacity = WITNESS_QUEUE;
    o->queue.entries = order_allocate(o, n, sizeof *o->queue.entries);
    o->hierarchy->rank = order_allocate(o, n, sizeof *o->hierarchy->rank);
    for (size_t i = 0; !o->out_of_memory && i < n; i++)
        o->first_out[i] = o->first_in[i] = -1;
}

static void order_finish(route_order* o) {
    size_t n = (size_t)o->node_count;
    order_release(o, o->first_out, n, sizeof *o->first_out);
    order_release(o, o->first_in, n, sizeof *o->first_in);
    order_release(o, o->depth, n, sizeof *o->depth);
    order_release(o, o->time, n, sizeof *o->time);
    order_release(o, o->stamp, n, sizeof *o->stamp);
    order_release(o, o->target, n, sizeof *o->target);
    order_release(o, o->core, CORE, sizeof *o->core);
    order_release(o, o->core_place, n, sizeof *o->core_place);
    order_release(o, o->core_times, (size_t)CORE * CORE, sizeof *o->core_times);
    order_release(o, o->changed, n, sizeof *o->changed);
    order_release(o, o->witness.entries, WITNESS_QUEUE, sizeof *o->witness.entries);
    order_release(o, o->queue.entries, n, sizeof *o->queue.entries);
    order_release(o, o->arcs, (size_t)o->arc_capacity, sizeof *o->arcs);
}

bool kerb_in_route_contract(route_hierarchy* hierarchy, int32_t node_count, const route_road* roads,
                            int32_t road_count, const kerb_allocator* allocator) {
    *hierarchy = (route_hierarchy){.node_count = node_count};
    route_order o = {
        .allocator = allocator, .node_count = node_count, .free_arc = -1, .hierarchy = hierarchy};
    order_prepare(&o);
    for (int32_t i = 0; i < road_count && !o.out_of_memory; i++)
        if (roads[i].from != roads[i].to)
            order_connect(&o, roads[i].from, roads[i].to, roads[i].time);
    if (!o.out_of_memory)
        contract_all(&o);
    order_finish(&o);
    for (int32_t i = 0; i < hierarchy->road_count && !o.out_of_memory; i++) {
        hierarchy->roads[i].from = hierarchy->rank[hierarchy->roads[i].from];
        hierarchy->roads[i].to = hierarchy->rank[hierarchy->roads[i].to];
    }
    if (o.out_of_memory)
        kerb_in_route_hierarchy_destroy(hierarchy, allocator);
    return !o.out_of_memory;
}

void kerb_in_route_hierarchy_destroy(route_hierarchy* hierarchy, const kerb_allocator* allocator) {
    route_order o = {.allocator = allocator};
    order_release(&o, hierarchy->rank, (size_t)hierarchy->node_count, sizeof *hierarchy->rank);
    order_release(&o, hierarchy->roads, (size_t)hierarchy->road_capacity, sizeof *hierarchy->roads);
    *hierarchy = (route_hierarchy){0};
}
