// States that a search with speed has reached, in memory of fixed size. Private to the room.
//
// Like nodes.h, but its search goes on after an answer: states can be put in order anew, and what
// is left open says how good an answer is.
#ifndef KERB_IN_PLAN_SEARCH_SPEED_NODES_H
#define KERB_IN_PLAN_SEARCH_SPEED_NODES_H

#include "kerb/math.h"

#include "../../base/shared.h"

// Most states in a row.
#define PLAN_SPEED_DEPTH 2000

// A state never changes but for its marks: a better one in its cell is a state of its own, and what
// follows from the first keeps its true parent.
typedef struct plan_speed_node {
    kerb_pose pose;
    float heading;      // the same direction as an angle [0 … 2π)
    float speed;        // of travel [m/s] [>= 0]
    float cost;         // from the start [s]
    float time;         // since the start, without penalties and tolls [s]
    float rest;         // estimated [s]
    float curvature;    // of the arc from the parent, left positive [1/m]
    float length;       // of it, negative in reverse [m]; 0: a start, or it has waited
    float acceleration; // on it, of travel [m/s²]
    int32_t parent;     // of a start -1 - which
    uint32_t cell;      // entry of the table
    int32_t round;      // in which its cell was expanded; 0: never
    uint16_t depth;
    int8_t travel; // 1 or -1; of a start at rest 0
    uint8_t goal;  // that `rest` counts to
    bool expanded;
} plan_speed_node;

// Head of a block without pointers.
typedef struct plan_speed_nodes {
    int32_t capacity; // of states; of the table more, a power of two
    int32_t count, waiting;
    uint32_t stamp, mask;
    size_t states, table, heap; // bytes from the head
} plan_speed_nodes;

size_t kerb_in_plan_speed_nodes_bytes(int32_t capacity);
// O(bytes): touches all of it, so that the first search is as fast as the others.
void kerb_in_plan_speed_nodes_create(void* block, int32_t capacity);
// Forgets all states. O(1)
void kerb_in_plan_speed_nodes_clear(plan_speed_nodes* nodes);

static inline plan_speed_node* plan_speed_nodes_at(plan_speed_nodes* nodes, int32_t index) {
    KERB_ASSERT(index >= 0 && index < nodes->count);
    return (plan_speed_node*)(void*)((char*)nodes + nodes->states) + index;
}
// The table's places for keys. Each stays where it is as soon as its cell keeps a state, and until
// then it moves on only.
void kerb_in_plan_speed_nodes_cells(const plan_speed_nodes* nodes, const uint64_t* keys,
                                    int32_t count, uint32_t* cells);
// Where a key's place is now, from where it was. [key: not 0]
uint32_t kerb_in_plan_speed_nodes_cell(const plan_speed_nodes* nodes, uint64_t key, uint32_t cell);
// The state that a cell keeps; -1: none yet.
int32_t kerb_in_plan_speed_nodes_best(const plan_speed_nodes* nodes, uint32_t cell);
// Which of many states have ranks below what their cells keep, or come from it: `parent`. Writes
// which, in order, and returns how many. [cells: where their places are now]
int32_t kerb_in_plan_speed_nodes_worth(const plan_speed_nodes* nodes, const uint32_t* cells,
                                       const float* ranks, int32_t count, int32_t parent,
                                       int32_t* worth);
// Keeps a state in its cell. -1: no memory left.
int32_t kerb_in_plan_speed_nodes_add(plan_speed_nodes* nodes, const plan_speed_node* node,
                                     uint32_t cell, uint64_t key, float rank);

// Lets a state wait, once until nothing waits any more. Those that something has replaced are
// passed over when they come up.
void kerb_in_plan_speed_nodes_wait(plan_speed_nodes* nodes, int32_t index, float estimate);
// Nothing waits any more.
void kerb_in_plan_speed_nodes_forget_waiting(plan_speed_nodes* nodes);
// The waiting state of the least estimate, and that; -1: none waits.
int32_t kerb_in_plan_speed_nodes_first(plan_speed_nodes* nodes, float* estimate);
// The same, which then waits no more.
int32_t kerb_in_plan_speed_nodes_next(plan_speed_nodes* nodes);

#endif
