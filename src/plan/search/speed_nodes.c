// Purpose: the memory of a search with speed: its states, the state that each cell keeps, and the
//          open list.
// Idea:    Three arrays in one block. The hash table uses linear probing with a mixed key; an entry
//          with the stamp of another search is free, so clearing costs nothing. The heap has four
//          children per node, because four fit into one cache line.
// Cost:    O(log waiting) to add and to take a state, O(1) to look up a cell.
#include "speed_nodes.h"

#include "../../base/shared.h"

#include <string.h>

typedef struct speed_nodes_entry {
    uint64_t key;
    uint32_t stamp;
    int32_t node;
    float rank; // of the node; the cell keeps the state with the lowest rank
} speed_nodes_entry;

typedef struct speed_nodes_waiting {
    float estimate;
    int32_t node;
} speed_nodes_waiting;

static uint32_t speed_nodes_table_size(int32_t capacity) {
    uint32_t size = 16;
    while (size < (uint32_t)capacity + (uint32_t)capacity / 4)
        size *= 2;
    return size;
}

static plan_speed_nodes layout_of(int32_t capacity) {
    uint32_t size = speed_nodes_table_size(capacity);
    plan_speed_nodes head = {.capacity = capacity, .mask = size - 1, .stamp = 1};
    head.states = kerb_in_round_up(sizeof head, 64);
    head.table = head.states + kerb_in_round_up((size_t)capacity * sizeof(plan_speed_node), 64);
    head.heap = head.table + kerb_in_round_up(size * sizeof(speed_nodes_entry), 64);
    return head;
}

size_t kerb_in_plan_speed_nodes_bytes(int32_t capacity) {
    return layout_of(capacity).heap +
           kerb_in_round_up((size_t)capacity * sizeof(speed_nodes_waiting), 64);
}

void kerb_in_plan_speed_nodes_create(void* block, int32_t capacity) {
    memset(block, 0, kerb_in_plan_speed_nodes_bytes(capacity));
    plan_speed_nodes* head = block;
    *head = layout_of(capacity);
}

static plan_speed_node* states_of(const plan_speed_nodes* head) {
    return (plan_speed_node*)(void*)((char*)head + head->states);
}

static speed_nodes_entry* table_of(const plan_speed_nodes* head) {
    return (speed_nodes_entry*)(void*)((char*)head + head->table);
}

static speed_nodes_waiting* heap_of(const plan_speed_nodes* head) {
    return (speed_nodes_waiting*)(void*)((char*)head + head->heap);
}

void kerb_in_plan_speed_nodes_clear(plan_speed_nodes* nodes) {
    nodes->count = nodes->waiting = 0;
    if (++nodes->stamp != 0)
        return;
    // After four thousand million searches old stamps would repeat.
    memset(table_of(nodes), 0, ((size_t)nodes->mask + 1) * sizeof(speed_nodes_entry));
    nodes->stamp = 1;
}

// --------------------------------------------------------------------------- states and cells

// Mixes a key so that adjacent cells come to lie far apart: the finisher of MurmurHash3 (Appleby).
static uint32_t speed_nodes_mixed(uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdu;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(key >> 32);
}

static bool is_others(const plan_speed_nodes* nodes, const speed_nodes_entry* kept, uint64_t key) {
    return (kept->stamp == nodes->stamp) & (kept->key != key);
}

uint32_t kerb_in_plan_speed_nodes_cell(const plan_speed_nodes* nodes, uint64_t key, uint32_t cell) {
    const speed_nodes_entry* table = table_of(nodes);
    while (is_others(nodes, &table[cell], key))
        cell = (cell + 1) & nodes->mask;
    return cell;
}

// Looks up all keys in one loop, so that the processor loads their memory in parallel.
void kerb_in_plan_speed_nodes_cells(const plan_speed_nodes* nodes, const uint64_t* keys,
                                    int32_t count, uint32_t* cells) {
    for (int32_t i = 0; i < count; i++)
        cells[i] =
            kerb_in_plan_speed_nodes_cell(nodes, keys[i], speed_nodes_mixed(keys[i]) & nodes->mask);
}

int32_t kerb_in_plan_speed_nodes_best(const plan_speed_nodes* nodes, uint32_t cell) {
    const speed_nodes_entry* kept = &table_of(nodes)[cell];
    return kept->stamp == nodes->stamp ? kept->node : -1;
}

// Without branches, because these would be unpredictable.
int32_t kerb_in_plan_speed_nodes_worth(const plan_speed_nodes* nodes, const uint32_t* cells,
                                       const float* ranks, int32_t count, int32_t parent,
                                       int32_t* worth) {
    const speed_nodes_entry* table = table_of(nodes);
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        const speed_nodes_entry* kept = &table[cells[i]];
        bool is_beaten =
            (kept->stamp == nodes->stamp) & (kept->node != parent) & (kept->rank <= ranks[i]);
        worth[found] = i;
        found += !is_beaten;
    }
    return found;
}

int32_t kerb_in_plan_speed_nodes_add(plan_speed_nodes* nodes, const plan_speed_node* node,
                                     uint32_t cell, uint64_t key, float rank) {
    if (nodes->count >= nodes->capacity)
        return -1;
    int32_t index = nodes->count++;
    plan_speed_node* state = states_of(nodes) + index;
    *state = *node;
    state->cell = cell;
    table_of(nodes)[cell] = (speed_nodes_entry){key, nodes->stamp, index, rank};
    return index;
}

// --------------------------------------------------------------------------- waiting

static void speed_nodes_sink_up(speed_nodes_waiting* heap, int32_t at, speed_nodes_waiting moved) {
    while (at > 0) {
        int32_t above = (at - 1) / 4;
        if (!(moved.estimate < heap[above].estimate))
            break;
        heap[at] = heap[above];
        at = above;
    }
    heap[at] = moved;
}

static void speed_nodes_sink_down(speed_nodes_waiting* heap, int32_t count,
                                  speed_nodes_waiting moved) {
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

void kerb_in_plan_speed_nodes_wait(plan_speed_nodes* nodes, int32_t index, float estimate) {
    KERB_ASSERT(nodes->waiting < nodes->capacity);
    speed_nodes_sink_up(heap_of(nodes), nodes->waiting++, (speed_nodes_waiting){estimate, index});
}

void kerb_in_plan_speed_nodes_forget_waiting(plan_speed_nodes* nodes) {
    nodes->waiting = 0;
}

static void speed_nodes_drop_first(plan_speed_nodes* nodes) {
    speed_nodes_waiting* heap = heap_of(nodes);
    speed_nodes_waiting last = heap[--nodes->waiting];
    if (nodes->waiting > 0)
        speed_nodes_sink_down(heap, nodes->waiting, last);
}

int32_t kerb_in_plan_speed_nodes_first(plan_speed_nodes* nodes, float* estimate) {
    const speed_nodes_waiting* heap = heap_of(nodes);
    const plan_speed_node* states = states_of(nodes);
    while (nodes->waiting > 0) {
        const plan_speed_node* state = &states[heap[0].node];
        bool is_kept = table_of(nodes)[state->cell].node == heap[0].node;
        if (is_kept && !state->expanded) {
            *estimate = heap[0].estimate;
            return heap[0].node;
        }
        speed_nodes_drop_first(nodes);
    }
    return -1;
}

int32_t kerb_in_plan_speed_nodes_next(plan_speed_nodes* nodes) {
    float estimate;
    int32_t first = kerb_in_plan_speed_nodes_first(nodes, &estimate);
    if (first >= 0)
        speed_nodes_drop_first(nodes);
    return first;
}
