// When to drive along a path that movers cross. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_TIMING_H
#define KERB_IN_PLAN_POLISH_TIMING_H

#include "../world/movers.h"

// Greatest number of nodes of a timing; chosen by trial. [1]
#define PLAN_TIMING_NODES 8192
// Size of its hash table: a power of two, twice as many, so that it never fills. [1]
#define PLAN_TIMING_TABLE 16384

// Station, speed and time.
typedef struct plan_timing_state {
    int32_t piece; // of the plan without movers; the number of pieces: at the goal
    float into;    // distance from the start of the piece [m]; of a standstill: time [s]
    float speed;   // [m/s]
    float time;    // [s]
} plan_timing_state;

typedef struct plan_timing_node {
    plan_timing_state state;
    float estimate; // of the whole time [s]
    int32_t parent;
    int32_t action; // that led here
} plan_timing_node;

// Memory of a timing. Plain data without pointers.
typedef struct plan_timing {
    float cell, speed_cell; // [m] [m/s]
    int32_t count, waiting;
    plan_timing_node nodes[PLAN_TIMING_NODES];
    int32_t heap[PLAN_TIMING_NODES];
    int32_t table[PLAN_TIMING_TABLE]; // index + 1 of a node; 0: none
} plan_timing;

// Makes a plan slower, or lets it wait, where it would meet a mover; a plan that meets none stays
// unchanged. The new pieces, at most `capacity`, replace the old ones. Returns their number; 0: no
// timing was found. O(nodes · movers)
int32_t kerb_in_plan_timing_adapt(plan_timing* timing, const plan_movers* movers,
                                  const kerb_plan_limits* limits, kerb_plan_piece* pieces,
                                  int32_t count, kerb_plan_piece* scratch, int32_t capacity);

#endif
