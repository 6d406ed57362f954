// Purpose: the memory of a search: its nodes, the best node of each cell, and the open list.
// Idea:    Three arrays in one block: nodes, a hash table of cells, and a heap of waiting nodes.
//          The table uses linear probing with a mixed key, which keeps the cells of four adjacent
//          headings together. An entry with the stamp of another search is free, so clearing costs
//          nothing. The table starts small and grows with the nodes, so that it stays in the cache
//          as long as possible.
//          The heap has four children per node, because four fit into one cache line. Replaced
//          nodes stay in it and are skipped when they come to the top. The element that replaces
//          the top is the last one, which mostly belongs near the bottom. So the gap first sinks to
//          the bottom without comparing with that element (Wegener, "Bottom-up heapsort", 1993),
//          which leaves no branch to predict.
// Cost:    O(log waiting) to add and to take a node, O(1) to look up a cell.
#include "nodes.h"

#include "../../base/shared.h"

#include <string.h>

typedef struct nodes_view {
    plan_node* nodes;
    plan_entry* table;
    plan_waiting* heap;
    int32_t* ranked;
} nodes_view;

// Asks the processor to load memory that is needed soon; changes nothing else.
#if defined(__GNUC__)
#define PLAN_FETCH(place) __builtin_prefetch(place)
#else
#define PLAN_FETCH(place) ((void)(place))
#endif

// Entries of a new table: 64 KiB, which fit into the second-level cache. [1]
#define FEW 4096u
// Growth of the table when half of its entries are used. [1]
#define GROWTH 4

// Unused elements before the heap. With three of them the four children of a node lie in one cache
// line of 64 bytes, and their sixteen children in two. [1]
#define HEAP_SKIP 3
// Unused elements after the heap, so that every node has four children, and prefetching stays
// within the array. [1]
#define HEAP_PAD 11
// A child that does not exist: greater than every waiting node.
#define NOBODY UINT64_MAX

static uint32_t kept_in(uint32_t mask, uint32_t most) {
    return mask < most ? mask : most;
}

static uint32_t nodes_table_size(int32_t capacity) {
    uint32_t size = 16;
    while (size < (uint32_t)capacity + (uint32_t)capacity / 4)
        size *= 2;
    return size;
}

static inline nodes_view view_of(plan_nodes* head) {
    nodes_view v;
    v.nodes = (plan_node*)(void*)((char*)head + PLAN_NODES_HEAD);
    v.table = (plan_entry*)(void*)((char*)head + head->table);
    v.heap = (plan_waiting*)(void*)((char*)head + head->heap) + HEAP_SKIP;
    v.ranked = (int32_t*)(void*)((char*)head + head->ranked);
    return v;
}

size_t kerb_in_plan_nodes_bytes(int32_t capacity) {
    size_t count = (size_t)capacity;
    return PLAN_NODES_HEAD + kerb_in_round_up(count * sizeof(plan_node), 64) +
           kerb_in_round_up(nodes_table_size(capacity) * sizeof(plan_entry), 64) +
           kerb_in_round_up((count + HEAP_SKIP + HEAP_PAD) * sizeof(plan_waiting), 64) +
           kerb_in_round_up(count * sizeof(int32_t), 64);
}

void kerb_in_plan_nodes_create(void* block, int32_t capacity) {
    memset(block, 0, kerb_in_plan_nodes_bytes(capacity));
    plan_nodes* head = block;
    head->capacity = capacity;
    head->most_mask = nodes_table_size(capacity) - 1;
    head->table = PLAN_NODES_HEAD + kerb_in_round_up((size_t)capacity * sizeof(plan_node), 64);
    head->heap =
        head->table + kerb_in_round_up(((size_t)head->most_mask + 1) * sizeof(plan_entry), 64);
    head->ranked =
        head->heap +
        kerb_in_round_up(((size_t)capacity + HEAP_SKIP + HEAP_PAD) * sizeof(plan_waiting), 64);
    kerb_in_plan_nodes_clear(head);
}

static void free_all_entries(plan_nodes* nodes) {
    if (++nodes->stamp < UINT32_MAX / 2)
        return;
    // After two thousand million searches old stamps would repeat.
    memset(view_of(nodes).table, 0, ((size_t)nodes->most_mask + 1) * sizeof(plan_entry));
    nodes->stamp = 1;
}

void kerb_in_plan_nodes_clear(plan_nodes* nodes) {
    nodes->count = nodes->waiting = nodes->ranks = 0;
    nodes->nearest = KERB_NO_CURVE;
    nodes->mask = kept_in(FEW - 1, nodes->most_mask);
    free_all_entries(nodes);
}

static bool is_best(const nodes_view* v, const plan_nodes* nodes, int32_t index) {
    const plan_entry* entry = v->table + v->nodes[index].cell;
    return (entry->node == index) & (entry->stamp >> 1 == nodes->stamp);
}

static void nodes_enter(const nodes_view* v, const plan_nodes* nodes, int32_t index, bool is_sure) {
    const plan_node* node = &v->nodes[index];
    v->table[node->cell] =
        (plan_entry){(uint32_t)node->key, 2 * nodes->stamp + is_sure, index, node->cost};
}

// A small table stays in the cache. The larger table overwrites the smaller one, so each node first
// notes whether it is the best of its cell.
static void nodes_grow(plan_nodes* nodes) {
    nodes_view v = view_of(nodes);
    for (int32_t i = 0; i < nodes->count; i++)
        v.nodes[i].cell = is_best(&v, nodes, i);
    nodes->mask = kept_in(GROWTH * (nodes->mask + 1) - 1, nodes->most_mask);
    free_all_entries(nodes);
    for (int32_t i = 0; i < nodes->count; i++) {
        if (v.nodes[i].cell == 0)
            continue;
        v.nodes[i].cell = kerb_in_plan_nodes_cell(nodes, v.nodes[i].key);
        nodes_enter(&v, nodes, i, v.nodes[i].rank >= 0);
    }
}

bool kerb_in_plan_nodes_is_sure(plan_nodes* nodes, int32_t index) {
    return kerb_in_plan_nodes_at(nodes, index)->rank >= 0;
}

int32_t kerb_in_plan_nodes_ranked(plan_nodes* nodes, int32_t rank) {
    KERB_ASSERT(rank >= 0 && rank < nodes->ranks);
    return view_of(nodes).ranked[rank];
}

static void rank_node(plan_nodes* nodes, int32_t index) {
    nodes_view v = view_of(nodes);
    v.nodes[index].rank = nodes->ranks;
    v.ranked[nodes->ranks++] = index;
    nodes->nearest = kerb_min(nodes->nearest, v.nodes[index].round);
}

void kerb_in_plan_nodes_settle(plan_nodes* nodes, int32_t index, bool is_free) {
    plan_entry* entry = view_of(nodes).table + kerb_in_plan_nodes_at(nodes, index)->cell;
    KERB_ASSERT(entry->node == index);
    entry->stamp = 2 * nodes->stamp + is_free;
    if (is_free)
        rank_node(nodes, index);
    else
        entry->node = -1;
}

// Makes the number of a waiting node. The bits of the estimate are changed so that floats of both
// signs sort like unsigned integers.
static plan_waiting waiting_of(float estimate, int32_t index, bool is_rough) {
    uint32_t bits;
    memcpy(&bits, &estimate, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    uint32_t later_first = ~((uint32_t)index << 1 | is_rough);
    return (plan_waiting)bits << 32 | later_first;
}

static float nodes_estimate_of(plan_waiting waiting) {
    uint32_t bits = (uint32_t)(waiting >> 32);
    float estimate;
    bits = bits >> 31 ? bits & 0x7fffffffu : ~bits;
    memcpy(&estimate, &bits, sizeof bits);
    return estimate;
}

static int32_t index_of(plan_waiting waiting) {
    return (int32_t)(~(uint32_t)waiting >> 1);
}

static bool has_rough_estimate(plan_waiting waiting) {
    return ~waiting & 1;
}

static void nodes_sink_up(plan_waiting* heap, int32_t at, plan_waiting moved) {
    while (at > 0) {
        int32_t above = (at - 1) / 4;
        if (moved >= heap[above])
            break;
        heap[at] = heap[above];
        at = above;
    }
    heap[at] = moved;
}

// Index of the least of four, without branches, because these would be unpredictable.
static inline int32_t least_of_four(const plan_waiting* heap, int32_t first, plan_waiting* least) {
    plan_waiting a = heap[first], b = heap[first + 1], c = heap[first + 2], d = heap[first + 3];
    bool second = b < a, fourth = d < c;
    plan_waiting low = second ? b : a, high = fourth ? d : c;
    bool is_high = high < low;
    *least = is_high ? high : low;
    return first + second + (-is_high & (2 + fourth - second));
}

// Sinks an element from the top, for elements that belong near it.
static void nodes_sink_down(plan_waiting* heap, int32_t count, plan_waiting moved) {
    int32_t at = 0;
    for (int32_t first = 1; first < count; first = 4 * at + 1) {
        plan_waiting least;
        int32_t next = least_of_four(heap, first, &least);
        if (least >= moved)
            break;
        heap[at] = least;
        at = next;
    }
    heap[at] = moved;
}

// Fills the gap at the top with an element that belongs near the bottom. The children of all four
// candidates are prefetched before the least is known.
static void fill_gap(plan_waiting* heap, int32_t count, plan_waiting moved) {
    int32_t at = 0;
    for (int32_t first = 1; first < count; first = 4 * at + 1) {
        plan_waiting least;
        int32_t below = first < (count - 9) / 4 ? 4 * first + 1 : first;
        PLAN_FETCH(heap + below);
        PLAN_FETCH(heap + below + 8);
        int32_t next = least_of_four(heap, first, &least);
        heap[at] = least;
        at = next;
    }
    nodes_sink_up(heap, at, moved);
}

static void nodes_append(plan_waiting* heap, int32_t count, plan_waiting waiting) {
    if (count % 4 == 1)
        heap[count + 1] = heap[count + 2] = heap[count + 3] = NOBODY;
    nodes_sink_up(heap, count, waiting);
}

int32_t kerb_in_plan_nodes_add(plan_nodes* nodes, const plan_node* node, uint32_t cell,
                               uint64_t key, bool is_sure, float estimate) {
    if (nodes->count >= nodes->capacity)
        return -1;
    nodes_view v = view_of(nodes);
    int32_t index = nodes->count++;
    v.nodes[index] = *node;
    v.nodes[index].key = key;
    v.nodes[index].cell = cell;
    v.nodes[index].rank = -1;
    if (is_sure)
        rank_node(nodes, index);
    nodes_enter(&v, nodes, index, is_sure);
    nodes_append(v.heap, nodes->waiting++, waiting_of(estimate, index, true));
    if ((uint32_t)nodes->count > nodes->mask / 2 && nodes->mask < nodes->most_mask)
        nodes_grow(nodes);
    return index;
}

float kerb_in_plan_nodes_least(plan_nodes* nodes) {
    nodes_view v = view_of(nodes);
    return nodes->waiting > 0 ? nodes_estimate_of(v.heap[0]) : 1e30f;
}

// Prefetches the first waiting node, which is mostly the next one that is needed.
static void fetch_first(const nodes_view* v) {
    PLAN_FETCH(&v->nodes[index_of(v->heap[0])]);
}

void kerb_in_plan_nodes_wait(plan_nodes* nodes, float estimate) {
    KERB_ASSERT(nodes->waiting > 0);
    nodes_view v = view_of(nodes);
    int32_t index = index_of(v.heap[0]);
    nodes_sink_down(v.heap, nodes->waiting, waiting_of(estimate, index, false));
    fetch_first(&v);
}

void kerb_in_plan_nodes_drop(plan_nodes* nodes) {
    KERB_ASSERT(nodes->waiting > 0);
    nodes_view v = view_of(nodes);
    plan_waiting last = v.heap[--nodes->waiting];
    v.heap[nodes->waiting] = NOBODY;
    if (nodes->waiting == 0)
        return;
    fill_gap(v.heap, nodes->waiting, last);
    fetch_first(&v);
}

int32_t kerb_in_plan_nodes_first(plan_nodes* nodes, bool* is_rough) {
    nodes_view v = view_of(nodes);
    for (; nodes->waiting > 0; kerb_in_plan_nodes_drop(nodes)) {
        int32_t index = index_of(v.heap[0]);
        *is_rough = has_rough_estimate(v.heap[0]);
        if (is_best(&v, nodes, index))
            return index;
    }
    return -1;
}

plan_node* kerb_in_plan_nodes_at(plan_nodes* nodes, int32_t index) {
    KERB_ASSERT(index >= 0 && index < nodes->count);
    return (plan_node*)(void*)((char*)nodes + PLAN_NODES_HEAD) + index;
}

uint64_t kerb_in_plan_nodes_mixed(uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdu;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53u;
    return key ^ (key >> 33);
}

uint64_t kerb_in_plan_nodes_key(uint64_t cells, uint32_t which) {
    uint64_t key = kerb_in_plan_nodes_mixed(cells);
    return ((key & ~((uint64_t)3 << 32)) | (uint64_t)which << 32) ^ which;
}

const plan_entry* kerb_in_plan_nodes_entry(const plan_nodes* nodes, uint32_t cell) {
    return (const plan_entry*)(const void*)((const char*)nodes + nodes->table) + cell;
}

uint32_t kerb_in_plan_nodes_cell(const plan_nodes* nodes, uint64_t key) {
    const plan_entry* table = kerb_in_plan_nodes_entry(nodes, 0);
    uint32_t at = (uint32_t)(key >> 32) & nodes->mask, tag = (uint32_t)key;
    while (table[at].stamp >> 1 == nodes->stamp && table[at].tag != tag)
        at = (at + 1) & nodes->mask;
    return at;
}

float kerb_in_plan_nodes_sure_cost(const plan_nodes* nodes, uint32_t cell) {
    const plan_entry* entry = kerb_in_plan_nodes_entry(nodes, cell);
    return entry->stamp == 2 * nodes->stamp + 1 ? entry->cost : KERB_NO_CURVE;
}

float kerb_in_plan_nodes_first_cost(const plan_nodes* nodes, uint64_t key) {
    const plan_entry* entry = kerb_in_plan_nodes_entry(nodes, (uint32_t)(key >> 32) & nodes->mask);
    bool is_its = (entry->tag == (uint32_t)key) & (entry->stamp == 2 * nodes->stamp + 1);
    float cost = entry->cost;
    return is_its ? cost : KERB_NO_CURVE;
}

int32_t kerb_in_plan_nodes_best(const plan_nodes* nodes, uint32_t cell) {
    const plan_entry* entry = kerb_in_plan_nodes_entry(nodes, cell);
    return entry->stamp >> 1 == nodes->stamp ? entry->node : -1;
}

float kerb_in_plan_nodes_cost(const plan_nodes* nodes, uint32_t cell) {
    return kerb_in_plan_nodes_entry(nodes, cell)->cost;
}
