// The nodes that a search has reached, the best node of each cell, and the open list, in memory of
// fixed size. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_NODES_H
#define KERB_IN_PLAN_SEARCH_NODES_H

#include "kerb/curve.h"

#include "../../base/shared.h"

// A node never changes. A better path to its cell makes a new node, so the successors of the old
// node keep their true parent. As large as a cache line of 64 bytes.
typedef struct plan_node {
    kerb_pose pose;
    float cost;      // from the start [s]
    float slow;      // lowest squared speed that braking can reach here [m²/s²]
    float curvature; // of the arc from the parent, left positive [1/m]; of a start its speed
    float length;    // of that arc, negative in reverse [m]; 0: a start
    float round; // distance to the goals round the obstacles, as if it could turn on the spot [m]
    int32_t parent; // -1: none; of a start -2 - its index
    uint64_t key;   // of its cell
    uint32_t cell;  // entry of the table
    int32_t move;   // of the search, that leads here; -1: another arc, or none
    int32_t rank;   // among the nodes whose arcs are known to be free; -1: not known
} plan_node;

// The best node of a cell, four entries to a cache line. With the stamp of another search: empty.
typedef struct plan_entry {
    uint32_t tag;   // part of the key; the place in the table is the other part
    uint32_t stamp; // twice that of the search, plus 1 where the node's arc is known to be free
    int32_t node;   // -1: none, the cell has lost its node
    float cost;     // of the node
} plan_entry;

// A waiting node as one integer; the least comes first. Processors compare and select integers in
// half the time of floats. The upper half is the estimate, the lower half the index and whether the
// estimate is rough.
typedef uint64_t plan_waiting;

// Head of a block without pointers.
typedef struct plan_nodes {
    int32_t capacity; // of nodes; of the table more, a power of two
    int32_t count, waiting;
    int32_t ranks; // number of nodes whose arcs are known to be free
    float nearest; // least `round` of these nodes; KERB_NO_CURVE: none
    uint32_t stamp;
    uint32_t mask, most_mask;   // size of the table minus 1: at present, and at most
    size_t table, heap, ranked; // bytes from the head
} plan_nodes;

// Bytes of the head, rounded up to whole cache lines; the nodes follow.
#define PLAN_NODES_HEAD ((sizeof(plan_nodes) + 63) / 64 * 64)

size_t kerb_in_plan_nodes_bytes(int32_t capacity);
// O(bytes): touches all memory, so that the first search is as fast as later ones.
void kerb_in_plan_nodes_create(void* block, int32_t capacity);
// Forgets all nodes. O(1)
void kerb_in_plan_nodes_clear(plan_nodes* nodes);

plan_node* kerb_in_plan_nodes_at(plan_nodes* nodes, int32_t index);

// Mixes a key so that adjacent cells come to lie far apart: the finisher of MurmurHash3 (Appleby).
uint64_t kerb_in_plan_nodes_mixed(uint64_t key);

// Key of one of four adjacent cells, which then lie in one cache line. [which: 0 … 3]
uint64_t kerb_in_plan_nodes_key(uint64_t cells, uint32_t which);

const plan_entry* kerb_in_plan_nodes_entry(const plan_nodes* nodes, uint32_t cell);

// Place of a mixed key in the table, which it keeps until the table grows. Two different keys have
// the same place and tag about once in 10^14 pairs; they count as one cell.
uint32_t kerb_in_plan_nodes_cell(const plan_nodes* nodes, uint64_t key);

// Cost of the best node of a cell if its arc is known to be free, otherwise KERB_NO_CURVE.
float kerb_in_plan_nodes_sure_cost(const plan_nodes* nodes, uint32_t cell);

// kerb_in_plan_nodes_sure_cost for the first place of a key, without a loop, so that the processor
// loads many entries at once. KERB_NO_CURVE where the key may have another place.
float kerb_in_plan_nodes_first_cost(const plan_nodes* nodes, uint64_t key);

// The best node of a cell, whether or not its arc is known to be free; -1: none.
int32_t kerb_in_plan_nodes_best(const plan_nodes* nodes, uint32_t cell);

// Cost of the best node of a cell, where there is one.
float kerb_in_plan_nodes_cost(const plan_nodes* nodes, uint32_t cell);

// Whether the arc to a node is known to be free.
bool kerb_in_plan_nodes_is_sure(plan_nodes* nodes, int32_t index);
// Notes whether the arc to a node is free. If not, its cell has no best node any more.
void kerb_in_plan_nodes_settle(plan_nodes* nodes, int32_t index, bool is_free);
// The node that became the rank-th one with a free arc. Parents come before their children.
int32_t kerb_in_plan_nodes_ranked(plan_nodes* nodes, int32_t rank);
// Adds a node as the best of its cell, with a rough estimate in the open list. Of equal estimates
// the later node comes first, because it lies deeper. -1: no memory left.
int32_t kerb_in_plan_nodes_add(plan_nodes* nodes, const plan_node* node, uint32_t cell,
                               uint64_t key, bool is_sure, float estimate);
// The least estimate of the waiting nodes, or a lower one of a replaced node; 1e30: none waits.
float kerb_in_plan_nodes_least(plan_nodes* nodes);
// The waiting node with the least estimate that is still the best of its cell; -1: none waits.
int32_t kerb_in_plan_nodes_first(plan_nodes* nodes, bool* is_rough);
// Gives the first waiting node an exact estimate; it goes on waiting.
void kerb_in_plan_nodes_wait(plan_nodes* nodes, float estimate);
// Takes the first waiting node out of the open list.
void kerb_in_plan_nodes_drop(plan_nodes* nodes);

#endif
