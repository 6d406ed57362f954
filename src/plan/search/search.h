// The search for a way round obstacles. Private to the room.
//
// The first of two stages: a way in place and heading, by about how long it takes; the exact speeds
// over it come afterwards, and decide whether it can be driven at all. From a start that is too
// fast for the least radius, speed takes part: where the vehicle cannot have become slow enough, it
// does not turn tightly.
#ifndef KERB_IN_PLAN_SEARCH_SEARCH_H
#define KERB_IN_PLAN_SEARCH_SEARCH_H

#include "../model/movement.h"
#include "../world/flow.h"
#include "../world/space.h"
#include "distant.h"
#include "kerb/plan_search.h"
#include "nodes.h"

// How fine the search is. Lengths in metres.
typedef struct plan_lattice {
    float step;       // from node to node
    float cell;       // of which each keeps its best node only
    int32_t headings; // cells of the whole circle
    int32_t bends;    // curvatures to each side
    float weight;     // of what is still to go: more is quicker and worse
    float far;        // beyond so many least radii the straight counts for the shortest way
} plan_lattice;

typedef enum plan_search_state {
    PLAN_SEARCH_RUNNING,
    PLAN_SEARCH_FOUND,
    PLAN_SEARCH_EXHAUSTED, // nothing left to look at
    PLAN_SEARCH_FULL       // no memory left
} plan_search_state;

#define PLAN_BENDS_MAX 8
// Rows of moves are taken so many at a time, so that they end with some that are none.
#define PLAN_MOVES_LANES 4
#define PLAN_MOVES_MAX (2 * (2 * PLAN_BENDS_MAX + 1) + PLAN_MOVES_LANES - 2)
_Static_assert(PLAN_MOVES_MAX % PLAN_MOVES_LANES == 0, "rows are whole");

// Arcs that are tried from every node which is slow enough for them, in rows. Beyond `count`: 0.
typedef struct plan_moves {
    int32_t count;
    bool are_as_given; // false: wider, for who is too fast
    float curvature[PLAN_MOVES_MAX], length[PLAN_MOVES_MAX];
    float along_x[PLAN_MOVES_MAX], along_y[PLAN_MOVES_MAX];   // to the end, seen from the start [m]
    float turned_x[PLAN_MOVES_MAX], turned_y[PLAN_MOVES_MAX]; // direction there
    float cap[PLAN_MOVES_MAX];                                // greatest squared speed [m²/s²]
    float loss[PLAN_MOVES_MAX]; // of squared speed by braking [m²/s²]
    float time[PLAN_MOVES_MAX]; // [s]
} plan_moves;

// Plain data; what it searches in is given with each call.
typedef struct plan_search {
    plan_lattice lattice;
    plan_rates rates;
    int32_t expansions;
    int32_t until_shot; // expansions until the next shot at the goal
    int32_t goal_count;
    kerb_plan_end goals[KERB_PLAN_ENDS_MAX];
    kerb_vec2 origin;  // of the cells
    int32_t favourite; // goal that was nearest to the last node looked at
    int32_t turn;      // of the goals to be shot at
    float per_cell, per_heading;
    float turn_square;    // squared speed of the tightest turn [m²/s²]
    float turning_speed;  // [m/s]
    float turn_back_time; // [s]
    plan_moves moves;
    plan_stencil stencils[PLAN_MOVES_MAX]; // of the moves

    // What it found. Where ways cost more than time, a better one may come before `reckoned`, what
    // this one costs by the search's own reckoning, is the least estimate. NEVER: none yet.
    float reckoned;
    float time; // without penalties [s]
    int32_t start, goal;
    int32_t count;
    plan_arc arcs[PLAN_ARCS_MAX];
} plan_search;

typedef struct plan_ground {
    const plan_space* space;
    plan_flow* flow; // with the goals in it
    plan_nodes* nodes;
    const plan_distant* distant;
} plan_ground;

void kerb_in_plan_search_begin(plan_search* search, const plan_ground* ground,
                               const plan_rates* rates, const plan_lattice* lattice,
                               const kerb_plan_query* query);
// A way has been found already, though there might be a better one.
bool kerb_in_plan_search_has_way(const plan_search* search);
plan_search_state kerb_in_plan_search_advance(plan_search* search, const plan_ground* ground,
                                              int32_t expansions);

#endif
