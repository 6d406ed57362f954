// Places that a search has reached: the nodes, the best of each cell, and those still to be looked
// at, in memory of fixed size. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_NODES_H
#define KERB_IN_PLAN_SEARCH_NODES_H

#include "kerb/curve.h"

#include "../../base/shared.h"

// A node never changes: a better way to its cell is a node of its own, and those behind the first
// keep their true parent. As large as a line of the cache.
typedef struct plan_node {
    kerb_pose pose;
    float cost;      // from the start [s]
    float slow;      // squared speed that cannot be fallen below here [m²/s²]
    float curvature; // of the arc from the parent, left positive [1/m]; of a start its speed
    float length;    // of it, negative in reverse [m]; 0: a start
    float round;     // to the goals round the obstacles, for what can turn on the spot [m]
    int32_t parent;  // -1: none; a start says which one by -2 - index
    uint64_t key;    // of its cell
    uint32_t cell;   // entry of the table
    int32_t move;    // of the search that leads here; -1: another arc, or none
    int32_t rank;    // among those whose arcs are known to be free; -1: it is not
} plan_node;

// Best node of a cell, four to a line of the cache. A stamp of another search: nothing.
typedef struct plan_entry {
    uint32_t tag;   // of the key, besides the place in the table
    uint32_t stamp; // twice the search's, and 1 where the node's arc is known to be free
    int32_t node;   // -1: none after all
    float cost;     // of the node
} plan_entry;

// A waiting node as one number, the lesser the sooner: processors compare and choose whole numbers
// in half the time of floats. The high half is the estimate, the low one the index and whether that
// is rough.
typedef uint64_t plan_waiting;

// Head of a block without pointers.
typedef struct plan_nodes {
    int32_t capacity; // of nodes; of the table more, a power of two
    int32_t count, waiting;
    int32_t ranks; // nodes whose arcs are known to be free
    float nearest; // the least `round` of those; KERB_NO_CURVE: none
    uint32_t stamp;
    uint32_t mask, most_mask;   // of the table: as large as it needs to be, and at most
    size_t table, heap, ranked; // bytes from the head
} plan_nodes;

// Bytes of the head in whole lines of a cache; the nodes follow.
#define PLAN_NODES_HEAD ((sizeof(plan_nodes) + 63) / 64 * 64)

size_t kerb_in_plan_nodes_bytes(int32_t capacity);
// O(bytes): touches all of it, so that the first search is as fast as the others.
void kerb_in_plan_nodes_create(void* block, int32_t capacity);
// Forgets all nodes. O(1)
void kerb_in_plan_nodes_clear(plan_nodes* nodes);

static inline plan_node* plan_nodes_at(plan_nodes* nodes, int32_t index) {
    KERB_ASSERT(index >= 0 && index < nodes->count);
    return (plan_node*)(void*)((char*)nodes + PLAN_NODES_HEAD) + index;
}

// Neighbouring cells far apart, for keys: the finisher of MurmurHash3 (Appleby) does.
static inline uint64_t plan_nodes_mixed(uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdu;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53u;
    return key ^ (key >> 33);
}

// Of four cells beside each other, which then lie in one line of the cache. [which: 0 … 3]
static inline uint64_t plan_nodes_key(uint64_t cells, uint32_t which) {
    uint64_t key = plan_nodes_mixed(cells);
    return ((key & ~((uint64_t)3 << 32)) | (uint64_t)which << 32) ^ which;
}

static inline const plan_entry* plan_nodes_entry(const plan_nodes* nodes, uint32_t cell) {
    return (const plan_entry*)(const void*)((const char*)nodes + nodes->table) + cell;
}

// The table's place for a mixed key, which stays where it is. Of two keys in some hundred million
// million one place and tag is the same: they count as one cell.
static inline uint32_t plan_nodes_cell(const plan_nodes* nodes, uint64_t key) {
    const plan_entry* table = plan_nodes_entry(nodes, 0);
    uint32_t at = (uint32_t)(key >> 32) & nodes->mask, tag = (uint32_t)key;
    while (table[at].stamp >> 1 == nodes->stamp && table[at].tag != tag)
        at = (at + 1) & nodes->mask;
    return at;
}

// Cost of the best node of a cell if that is sure; KERB_NO_CURVE: it is not, or there is none.
static inline float plan_nodes_sure_cost(const plan_nodes* nodes, uint32_t cell) {
    const plan_entry* entry = plan_nodes_entry(nodes, cell);
    return entry->stamp == 2 * nodes->stamp + 1 ? entry->cost : KERB_NO_CURVE;
}

// The same of the first place that a key would have, without a loop, so that processors wait for
// many at a time; KERB_NO_CURVE where the key may have another place.
static inline float plan_nodes_first_cost(const plan_nodes* nodes, uint64_t key) {
    const plan_entry* entry = plan_nodes_entry(nodes, (uint32_t)(key >> 32) & nodes->mask);
    bool is_its = (entry->tag == (uint32_t)key) & (entry->stamp == 2 * nodes->stamp + 1);
    float cost = entry->cost;
    return is_its ? cost : KERB_NO_CURVE;
}

// The best node of a cell, sure or not; -1: none.
static inline int32_t plan_nodes_best(const plan_nodes* nodes, uint32_t cell) {
    const plan_entry* entry = plan_nodes_entry(nodes, cell);
    return entry->stamp >> 1 == nodes->stamp ? entry->node : -1;
}

// Its cost, where there is one.
static inline float plan_nodes_cost(const plan_nodes* nodes, uint32_t cell) {
    return plan_nodes_entry(nodes, cell)->cost;
}

// Whether the way to a node is known to be free.
bool kerb_in_plan_nodes_is_sure(plan_nodes* nodes, int32_t index);
// It is; or it is not, and its cell has no best node any more.
void kerb_in_plan_nodes_settle(plan_nodes* nodes, int32_t index, bool is_free);
// Which node became known to be free as the rank-th. Parents come before their children.
int32_t kerb_in_plan_nodes_ranked(plan_nodes* nodes, int32_t rank);
// Adds a node as the best of its cell and lets it wait by a rough estimate; of equal ones the node
// that came later is the first, as it lies deeper. -1: no memory left.
int32_t kerb_in_plan_nodes_add(plan_nodes* nodes, const plan_node* node, uint32_t cell,
                               uint64_t key, bool is_sure, float estimate);
// The least estimate of those that wait, or less; 1e30: none waits.
float kerb_in_plan_nodes_least(plan_nodes* nodes);
// The waiting node of the least estimate that is still the best of its cell; -1: none waits.
int32_t kerb_in_plan_nodes_first(plan_nodes* nodes, bool* is_rough);
// That one waits on, by what is not rough.
void kerb_in_plan_nodes_wait(plan_nodes* nodes, float estimate);
// It waits no more.
void kerb_in_plan_nodes_drop(plan_nodes* nodes);

#endif
