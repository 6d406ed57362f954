// Purpose: memory of a search: nodes, the best of each cell, those that wait.
// Idea:    Three arrays in one block. The table is probed one by one from a mixed key, which keeps
//          cells of four headings beside each other together; an entry with another search's stamp
//          is free, so that forgetting costs nothing. It begins small and grows with the nodes, so
//          that it stays in the cache as long as it can. The heap has four children a node, as they
//          lie in one line of the cache; replaced nodes stay in it and are passed over when they
//          come up.
// Cost:    O(log waiting) to add and to take, O(1) to look up.
#include "nodes.h"

#include <string.h>

typedef struct view {
    plan_node* nodes;
    plan_entry* table;
    plan_waiting* heap;
    int32_t* ranked;
} view;

// Tells processors what memory is wanted soon; changes nothing.
#if defined(__GNUC__)
#define PLAN_FETCH(place) __builtin_prefetch(place)
#else
#define PLAN_FETCH(place) ((void)(place))
#endif

// Entries of a table to begin with, and how many times as many it has when half of them are used.
#define FEW 4096u
#define GROWTH 4

// Four children lie in one line of the cache if the first of all does not begin one.
#define HEAP_SKIP 7

static size_t rounded_up(size_t size) {
    return (size + 63) / 64 * 64;
}

static uint32_t kept_in(uint32_t mask, uint32_t most) {
    return mask < most ? mask : most;
}

static uint32_t table_size(int32_t capacity) {
    uint32_t size = 16;
    while (size < (uint32_t)capacity + (uint32_t)capacity / 4)
        size *= 2;
    return size;
}

static inline view view_of(plan_nodes* head) {
    view v;
    v.nodes = (plan_node*)(void*)((char*)head + PLAN_NODES_HEAD);
    v.table = (plan_entry*)(void*)((char*)head + head->table);
    v.heap = (plan_waiting*)(void*)((char*)head + head->heap) + HEAP_SKIP;
    v.ranked = (int32_t*)(void*)((char*)head + head->ranked);
    return v;
}

size_t plan_nodes_bytes(int32_t capacity) {
    size_t count = (size_t)capacity;
    return PLAN_NODES_HEAD + rounded_up(count * sizeof(plan_node)) +
           rounded_up(table_size(capacity) * sizeof(plan_entry)) +
           rounded_up((count + HEAP_SKIP) * sizeof(plan_waiting)) +
           rounded_up(count * sizeof(int32_t));
}

void plan_nodes_create(void* block, int32_t capacity) {
    memset(block, 0, plan_nodes_bytes(capacity));
    plan_nodes* head = block;
    head->capacity = capacity;
    head->most_mask = table_size(capacity) - 1;
    head->table = PLAN_NODES_HEAD + rounded_up((size_t)capacity * sizeof(plan_node));
    head->heap = head->table + rounded_up(((size_t)head->most_mask + 1) * sizeof(plan_entry));
    head->ranked = head->heap + rounded_up(((size_t)capacity + HEAP_SKIP) * sizeof(plan_waiting));
    plan_nodes_clear(head);
}

static void free_all_entries(plan_nodes* nodes) {
    if (++nodes->stamp < UINT32_MAX / 2)
        return;
    // After two thousand million times old stamps would come back.
    memset(view_of(nodes).table, 0, ((size_t)nodes->most_mask + 1) * sizeof(plan_entry));
    nodes->stamp = 1;
}

void plan_nodes_clear(plan_nodes* nodes) {
    nodes->count = nodes->waiting = nodes->ranks = 0;
    nodes->nearest = KERB_NO_WAY;
    nodes->mask = kept_in(FEW - 1, nodes->most_mask);
    free_all_entries(nodes);
}

static bool is_best(const view* v, const plan_nodes* nodes, int32_t index) {
    const plan_entry* entry = v->table + v->nodes[index].cell;
    return (entry->node == index) & (entry->stamp >> 1 == nodes->stamp);
}

static void enter(const view* v, const plan_nodes* nodes, int32_t index, bool is_sure) {
    const plan_node* node = &v->nodes[index];
    v->table[node->cell] =
        (plan_entry){(uint32_t)node->key, 2 * nodes->stamp + is_sure, index, node->cost};
}

// A table that stays small stays in the cache. The larger one lies where the smaller one lay: first
// each node is told whether it is its cell's best.
static void grow(plan_nodes* nodes) {
    view v = view_of(nodes);
    for (int32_t i = 0; i < nodes->count; i++)
        v.nodes[i].cell = is_best(&v, nodes, i);
    nodes->mask = kept_in(GROWTH * (nodes->mask + 1) - 1, nodes->most_mask);
    free_all_entries(nodes);
    for (int32_t i = 0; i < nodes->count; i++) {
        if (v.nodes[i].cell == 0)
            continue;
        v.nodes[i].cell = plan_nodes_cell(nodes, v.nodes[i].key);
        enter(&v, nodes, i, v.nodes[i].rank >= 0);
    }
}

bool plan_nodes_is_sure(plan_nodes* nodes, int32_t index) {
    return plan_nodes_at(nodes, index)->rank >= 0;
}

int32_t plan_nodes_ranked(plan_nodes* nodes, int32_t rank) {
    KERB_ASSERT(rank >= 0 && rank < nodes->ranks);
    return view_of(nodes).ranked[rank];
}

static void rank_node(plan_nodes* nodes, int32_t index) {
    view v = view_of(nodes);
    v.nodes[index].rank = nodes->ranks;
    v.ranked[nodes->ranks++] = index;
    nodes->nearest = kerb_min(nodes->nearest, v.nodes[index].round);
}

void plan_nodes_settle(plan_nodes* nodes, int32_t index, bool is_free) {
    plan_entry* entry = view_of(nodes).table + plan_nodes_at(nodes, index)->cell;
    KERB_ASSERT(entry->node == index);
    entry->stamp = 2 * nodes->stamp + is_free;
    if (is_free)
        rank_node(nodes, index);
    else
        entry->node = -1;
}

static void sink_up(plan_waiting* heap, int32_t at, plan_waiting moved) {
    while (at > 0) {
        int32_t above = (at - 1) / 4;
        if (!(moved.estimate < heap[above].estimate))
            break;
        heap[at] = heap[above];
        at = above;
    }
    heap[at] = moved;
}

// The first of the least of four, without a branch that processors could only guess.
static inline int32_t least_of_four(const plan_waiting* heap, int32_t first) {
    int32_t low = first + (heap[first + 1].estimate < heap[first].estimate);
    int32_t high = first + 2 + (heap[first + 3].estimate < heap[first + 2].estimate);
    return low + (-(heap[high].estimate < heap[low].estimate) & (high - low));
}

static int32_t least_of(const plan_waiting* heap, int32_t first, int32_t end) {
    int32_t least = first;
    for (int32_t i = first + 1; i < end; i++)
        if (heap[i].estimate < heap[least].estimate)
            least = i;
    return least;
}

static void sink_down(plan_waiting* heap, int32_t count, plan_waiting moved) {
    int32_t at = 0;
    for (int32_t first = 1; first < count; first = 4 * at + 1) {
        int32_t least =
            first + 4 <= count ? least_of_four(heap, first) : least_of(heap, first, count);
        if (!(heap[least].estimate < moved.estimate))
            break;
        heap[at] = heap[least];
        at = least;
    }
    heap[at] = moved;
}

int32_t plan_nodes_add(plan_nodes* nodes, const plan_node* node, uint32_t cell, uint64_t key,
                       bool is_sure, float estimate) {
    if (nodes->count >= nodes->capacity)
        return -1;
    view v = view_of(nodes);
    int32_t index = nodes->count++;
    v.nodes[index] = *node;
    v.nodes[index].key = key;
    v.nodes[index].cell = cell;
    v.nodes[index].rank = -1;
    if (is_sure)
        rank_node(nodes, index);
    enter(&v, nodes, index, is_sure);
    sink_up(v.heap, nodes->waiting++, (plan_waiting){estimate, -1 - index});
    if ((uint32_t)nodes->count > nodes->mask / 2 && nodes->mask < nodes->most_mask)
        grow(nodes);
    return index;
}

float plan_nodes_least(plan_nodes* nodes) {
    view v = view_of(nodes);
    return nodes->waiting > 0 ? v.heap[0].estimate : 1e30f;
}

static int32_t index_of(const plan_waiting* waiting) {
    return waiting->node < 0 ? -1 - waiting->node : waiting->node;
}

// What waits first now is mostly what is wanted next.
static void fetch_first(const view* v) {
    PLAN_FETCH(&v->nodes[index_of(v->heap)]);
}

void plan_nodes_wait(plan_nodes* nodes, float estimate) {
    KERB_ASSERT(nodes->waiting > 0);
    view v = view_of(nodes);
    int32_t index = index_of(v.heap);
    sink_down(v.heap, nodes->waiting, (plan_waiting){estimate, index});
    fetch_first(&v);
}

void plan_nodes_drop(plan_nodes* nodes) {
    KERB_ASSERT(nodes->waiting > 0);
    view v = view_of(nodes);
    plan_waiting last = v.heap[--nodes->waiting];
    if (nodes->waiting == 0)
        return;
    sink_down(v.heap, nodes->waiting, last);
    fetch_first(&v);
}

int32_t plan_nodes_first(plan_nodes* nodes, bool* is_rough) {
    view v = view_of(nodes);
    for (; nodes->waiting > 0; plan_nodes_drop(nodes)) {
        int32_t index = index_of(v.heap);
        *is_rough = v.heap[0].node < 0;
        if (is_best(&v, nodes, index))
            return index;
    }
    return -1;
}
