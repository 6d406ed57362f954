// When to drive a way that others cross. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_TIMING_H
#define KERB_IN_PLAN_POLISH_TIMING_H

#include "../world/movers.h"

#define PLAN_TIMING_NODES 8192
#define PLAN_TIMING_TABLE 16384 // a power of two, twice as many

// Where along the way, how fast, and when.
typedef struct plan_timing_state {
    int32_t piece; // of the movement without others; their number: at the goal
    float into;    // it [m]; of one that stands [s]
    float speed;   // [m/s]
    float time;    // [s]
} plan_timing_state;

typedef struct plan_timing_node {
    plan_timing_state state;
    float estimate; // of the whole time [s]
    int32_t parent;
    int32_t action; // that led here
} plan_timing_node;

// Memory to find a time among others. Plain data without pointers.
typedef struct plan_timing {
    float cell, speed_cell; // [m] [m/s]
    int32_t count, waiting;
    plan_timing_node nodes[PLAN_TIMING_NODES];
    int32_t heap[PLAN_TIMING_NODES];
    int32_t table[PLAN_TIMING_TABLE]; // index + 1 of a node; 0: none
} plan_timing;

// Slows a movement down, or lets it wait, where others would be met; none is: it stays as it is.
// The pieces are written in its place, `capacity` at most. How many there are then; 0: there is no
// such time, or none was found. O(nodes · movers)
int32_t kerb_in_plan_timing_adapt(plan_timing* timing, const plan_movers* movers,
                                  const kerb_plan_limits* limits, kerb_plan_piece* pieces,
                                  int32_t count, kerb_plan_piece* scratch, int32_t capacity);

#endif
