// Purpose: memory of a search: nodes, the best of each cell, those that wait.
// Idea:    Three arrays in one block. The table is probed one by one from a mixed key; an entry
//          with another search's stamp is free, so that forgetting costs nothing. The heap has four
//          children a node, as they lie in one line of the cache; replaced nodes stay in it and are
//          passed over when they come up.
// Cost:    O(log waiting) to add and to take, O(1) to look up.
#include "nodes.h"

#include <string.h>

typedef struct view {
    plan_node* nodes;
    plan_entry* table;
    plan_waiting* heap;
    int32_t* ranked;
    uint32_t mask; // of the table
} view;

static size_t rounded_up(size_t size) {
    return (size + 63) / 64 * 64;
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
    v.heap = (plan_waiting*)(void*)((char*)head + head->heap);
    v.ranked = (int32_t*)(void*)((char*)head + head->ranked);
    v.mask = head->mask;
    return v;
}

size_t plan_nodes_bytes(int32_t capacity) {
    size_t count = (size_t)capacity;
    return PLAN_NODES_HEAD + rounded_up(count * sizeof(plan_node)) +
           rounded_up(table_size(capacity) * sizeof(plan_entry)) +
           rounded_up(count * sizeof(plan_waiting)) + rounded_up(count * sizeof(int32_t));
}

void plan_nodes_create(void* block, int32_t capacity) {
    memset(block, 0, plan_nodes_bytes(capacity));
    plan_nodes* head = block;
    head->capacity = capacity;
    head->mask = table_size(capacity) - 1;
    head->table = PLAN_NODES_HEAD + rounded_up((size_t)capacity * sizeof(plan_node));
    head->heap = head->table + rounded_up(((size_t)head->mask + 1) * sizeof(plan_entry));
    head->ranked = head->heap + rounded_up((size_t)capacity * sizeof(plan_waiting));
    head->stamp = 1;
}

void plan_nodes_clear(plan_nodes* nodes) {
    nodes->count = nodes->waiting = nodes->ranks = 0;
    if (++nodes->stamp < UINT32_MAX / 2)
        return;
    // After two thousand million searches old stamps would come back.
    view v = view_of(nodes);
    memset(v.table, 0, ((size_t)v.mask + 1) * sizeof(plan_entry));
    nodes->stamp = 1;
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

static void sink_down(plan_waiting* heap, int32_t count, plan_waiting moved) {
    int32_t at = 0;
    for (;;) {
        int32_t first = 4 * at + 1, least = first;
        if (first >= count)
            break;
        for (int32_t i = first + 1; i < first + 4 && i < count; i++)
            if (heap[i].estimate < heap[least].estimate)
                least = i;
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
    v.nodes[index].cell = cell;
    v.nodes[index].rank = -1;
    if (is_sure)
        rank_node(nodes, index);
    v.table[cell] = (plan_entry){(uint32_t)key, 2 * nodes->stamp + is_sure, index, node->cost};
    sink_up(v.heap, nodes->waiting++, (plan_waiting){estimate, -1 - index});
    return index;
}

float plan_nodes_least(plan_nodes* nodes) {
    view v = view_of(nodes);
    return nodes->waiting > 0 ? v.heap[0].estimate : 1e30f;
}

void plan_nodes_wait(plan_nodes* nodes, int32_t index, float estimate) {
    KERB_ASSERT(nodes->waiting < nodes->count);
    sink_up(view_of(nodes).heap, nodes->waiting++, (plan_waiting){estimate, index});
}

int32_t plan_nodes_next(plan_nodes* nodes, bool* is_rough) {
    view v = view_of(nodes);
    while (nodes->waiting > 0) {
        int32_t node = v.heap[0].node, index = node < 0 ? -1 - node : node;
        plan_waiting last = v.heap[--nodes->waiting];
        if (nodes->waiting > 0)
            sink_down(v.heap, nodes->waiting, last);
        if (v.table[v.nodes[index].cell].node == index) {
            *is_rough = node < 0;
            return index;
        }
    }
    return -1;
}
