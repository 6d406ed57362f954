// Places that a search has reached: the nodes, the best of each cell, and those still to be looked
// at, in memory of fixed size. Private to the room.
#ifndef KERB_PLAN_NODES_H
#define KERB_PLAN_NODES_H

#include "kerb/math.h"

// A node never changes: a better way to its cell is a node of its own, and those behind the first
// keep their true parent.
typedef struct plan_node {
    kerb_pose pose;
    float cost;      // from the start [s]
    float slow;      // squared speed that cannot be fallen below here [m²/s²]
    float curvature; // of the arc from the parent, left positive [1/m]; of a start its speed
    float length;    // of it, negative in reverse [m]; 0: a start
    int32_t parent;  // -1: none; a start says which one by -2 - index
    uint32_t cell;   // entry of the table
} plan_node;

// Best node of a cell. A stamp of another search: nothing.
typedef struct plan_entry {
    uint64_t key;
    uint32_t stamp;
    int32_t node;
} plan_entry;

// Waiting nodes, least estimate first.
typedef struct plan_waiting {
    float estimate;
    int32_t node;
} plan_waiting;

// Head of a block without pointers.
typedef struct plan_nodes {
    int32_t capacity; // of nodes; of the table twice as many, a power of two
    int32_t count, waiting;
    uint32_t stamp;
} plan_nodes;

size_t plan_nodes_bytes(int32_t capacity);
// O(bytes): touches all of it, so that the first search is as fast as the others.
void plan_nodes_create(void* block, int32_t capacity);
// Forgets all nodes. O(1)
void plan_nodes_clear(plan_nodes* nodes);

plan_node* plan_nodes_at(plan_nodes* nodes, int32_t index);
// The table's place for a key, which stays where it is. [key: not 0]
uint32_t plan_nodes_cell(plan_nodes* nodes, uint64_t key);
// The best node of a cell; -1: none yet.
int32_t plan_nodes_best(plan_nodes* nodes, uint32_t cell);
// Adds a node as the best of its cell and lets it wait. -1: no memory left.
int32_t plan_nodes_add(plan_nodes* nodes, const plan_node* node, uint64_t key, float estimate);
// The least estimate of those that wait, or less; 1e30: none waits.
float plan_nodes_least(plan_nodes* nodes);
// The waiting node of the least estimate that is still the best of its cell; -1: none waits.
int32_t plan_nodes_next(plan_nodes* nodes);

#endif
