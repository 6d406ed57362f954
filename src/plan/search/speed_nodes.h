// The states that a search with speed has reached, in memory of fixed size. Private to the room.
//
// It resembles nodes.h, but its search goes on after an answer: the open list can be sorted anew,
// and the states that are left in it show how good an answer is.
#ifndef KERB_IN_PLAN_SEARCH_SPEED_NODES_H
#define KERB_IN_PLAN_SEARCH_SPEED_NODES_H

#include "kerb/math.h"

#include "../../base/shared.h"

// Greatest number of states from a start to a goal. With the arcs of a shot they still fit into
// PLAN_ARCS_MAX. [1]
#define PLAN_SPEED_DEPTH 2000

// A state never changes, apart from `round` and `expanded`. A better path to its cell makes a new
// state, so the successors of the old state keep their true parent.
typedef struct plan_speed_node {
    kerb_pose pose;
    float heading;      // of `pose` [0 … 2π)
    float speed;        // in the direction of travel [m/s] [>= 0]
    float cost;         // from the start [s]
    float time;         // since the start, without penalties and cost of the ground [s]
    float rest;         // estimated cost to go [s]
    float curvature;    // of the arc from the parent, left positive [1/m]
    float length;       // of that arc, negative in reverse [m]; 0: a start, or a wait
    float acceleration; // on that arc, in the direction of travel [m/s²]
    int32_t parent;     // of a start -1 - its index
    uint32_t cell;      // entry of the table
    int32_t round;      // round in which its cell was expanded; 0: never
    uint16_t depth;     // number of states from the start
    int8_t travel;      // direction: 1 forwards, -1 in reverse, 0 for a start at rest
    uint8_t goal;       // goal of `rest`
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
// O(bytes): touches all memory, so that the first search is as fast as later ones.
void kerb_in_plan_speed_nodes_create(void* block, int32_t capacity);
// Forgets all states. O(1)
void kerb_in_plan_speed_nodes_clear(plan_speed_nodes* nodes);

static inline plan_speed_node* plan_speed_nodes_at(plan_speed_nodes* nodes, int32_t index) {
    KERB_ASSERT(index >= 0 && index < nodes->count);
    return (plan_speed_node*)(void*)((char*)nodes + nodes->states) + index;
}
// The places of keys in the table. A place stays the same once its cell keeps a state; before that
// it can only move forward.
void kerb_in_plan_speed_nodes_cells(const plan_speed_nodes* nodes, const uint64_t* keys,
                                    int32_t count, uint32_t* cells);
// The present place of a key, from an earlier place. [key: not 0]
uint32_t kerb_in_plan_speed_nodes_cell(const plan_speed_nodes* nodes, uint64_t key, uint32_t cell);
// The state that a cell keeps; -1: none yet.
int32_t kerb_in_plan_speed_nodes_best(const plan_speed_nodes* nodes, uint32_t cell);
// Finds the states whose rank is lower than that of the state in their cell, or whose cell holds
// their own parent. Writes their indices in order and returns their number. [cells: present places]
int32_t kerb_in_plan_speed_nodes_worth(const plan_speed_nodes* nodes, const uint32_t* cells,
                                       const float* ranks, int32_t count, int32_t parent,
                                       int32_t* worth);
// Keeps a state in its cell. -1: no memory left.
int32_t kerb_in_plan_speed_nodes_add(plan_speed_nodes* nodes, const plan_speed_node* node,
                                     uint32_t cell, uint64_t key, float rank);

// Adds a state to the open list, at most once until the list is cleared. States that have been
// replaced are skipped when they come to the top.
void kerb_in_plan_speed_nodes_wait(plan_speed_nodes* nodes, int32_t index, float estimate);
// Clears the open list.
void kerb_in_plan_speed_nodes_forget_waiting(plan_speed_nodes* nodes);
// The waiting state with the least estimate, and that estimate; -1: none waits.
int32_t kerb_in_plan_speed_nodes_first(plan_speed_nodes* nodes, float* estimate);
// Takes the waiting state with the least estimate out of the open list; -1: none waits.
int32_t kerb_in_plan_speed_nodes_next(plan_speed_nodes* nodes);

#endif
