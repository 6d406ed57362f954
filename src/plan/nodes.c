// Purpose: memory of a search: nodes, the best of each cell, those that wait.
// Idea:    Three arrays in one block. The table is probed one by one from a mixed key; an entry
//          with another search's stamp is free, so that forgetting costs nothing. The heap has four
//          children a node, as they lie in one line of the cache; replaced nodes stay in it and are
//          passed over when they come up.
// Cost:    O(log waiting) to add and to take, O(1) to look up.
#include "nodes.h"

#include "../base/assertion.h"

#include <string.h>

typedef struct view {
    plan_node* nodes;
    plan_entry* table;
    plan_waiting* heap;
    uint32_t mask; // of the table
} view;

static size_t rounded_up(size_t size) {
    return (size + 63) / 64 * 64;
}

static uint32_t table_size(int32_t capacity) {
    uint32_t size = 16;
    while (size < 2 * (uint32_t)capacity)
        size *= 2;
    return size;
}

static view view_of(plan_nodes* head) {
    view v;
    size_t capacity = (size_t)head->capacity;
    uint32_t size = table_size(head->capacity);
    char* next = (char*)head + rounded_up(sizeof *head);
    v.nodes = (plan_node*)(void*)next;
    next += rounded_up(capacity * sizeof(plan_node));
    v.table = (plan_entry*)(void*)next;
    v.heap = (plan_waiting*)(void*)(next + rounded_up(size * sizeof(plan_entry)));
    v.mask = size - 1;
    return v;
}

size_t plan_nodes_bytes(int32_t capacity) {
    size_t count = (size_t)capacity;
    return rounded_up(sizeof(plan_nodes)) + rounded_up(count * sizeof(plan_node)) +
           rounded_up(table_size(capacity) * sizeof(plan_entry)) +
           rounded_up(count * sizeof(plan_waiting));
}

void plan_nodes_create(void* block, int32_t capacity) {
    memset(block, 0, plan_nodes_bytes(capacity));
    plan_nodes* head = block;
    head->capacity = capacity;
    head->stamp = 1;
}

void plan_nodes_clear(plan_nodes* nodes) {
    nodes->count = nodes->waiting = 0;
    if (++nodes->stamp != 0)
        return;
    // After four thousand million searches old stamps would come back.
    view v = view_of(nodes);
    memset(v.table, 0, ((size_t)v.mask + 1) * sizeof(plan_entry));
    nodes->stamp = 1;
}

plan_node* plan_nodes_at(plan_nodes* nodes, int32_t index) {
    KERB_ASSERT(index >= 0 && index < nodes->count);
    return view_of(nodes).nodes + index;
}

// Neighbouring cells far apart: the finisher of MurmurHash3 (Appleby) does.
static uint32_t mixed(uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdu;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(key >> 32);
}

uint32_t plan_nodes_cell(plan_nodes* nodes, uint64_t key) {
    view v = view_of(nodes);
    uint32_t at = mixed(key) & v.mask;
    while (v.table[at].stamp == nodes->stamp && v.table[at].key != key)
        at = (at + 1) & v.mask;
    return at;
}

int32_t plan_nodes_best(plan_nodes* nodes, uint32_t cell) {
    const plan_entry* entry = &view_of(nodes).table[cell];
    return entry->stamp == nodes->stamp ? entry->node : -1;
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

int32_t plan_nodes_add(plan_nodes* nodes, const plan_node* node, uint64_t key, float estimate) {
    if (nodes->count >= nodes->capacity)
        return -1;
    view v = view_of(nodes);
    int32_t index = nodes->count++;
    uint32_t cell = plan_nodes_cell(nodes, key);
    v.nodes[index] = *node;
    v.nodes[index].cell = cell;
    v.table[cell] = (plan_entry){key, nodes->stamp, index};
    sink_up(v.heap, nodes->waiting++, (plan_waiting){estimate, index});
    return index;
}

float plan_nodes_least(plan_nodes* nodes) {
    view v = view_of(nodes);
    return nodes->waiting > 0 ? v.heap[0].estimate : 1e30f;
}

int32_t plan_nodes_next(plan_nodes* nodes) {
    view v = view_of(nodes);
    while (nodes->waiting > 0) {
        int32_t index = v.heap[0].node;
        plan_waiting last = v.heap[--nodes->waiting];
        if (nodes->waiting > 0)
            sink_down(v.heap, nodes->waiting, last);
        if (v.table[v.nodes[index].cell].node == index)
            return index;
    }
    return -1;
}
