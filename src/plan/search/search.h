// The search for a path round obstacles. Private to the room.
//
// It is the first of two stages. It finds a path of positions and headings by its approximate time.
// The exact speed profile is computed afterwards and decides whether the path can be driven. From a
// start that is too fast for the smallest turning radius, speed takes part: where the vehicle
// cannot have slowed down enough, it does not turn tightly.
#ifndef KERB_IN_PLAN_SEARCH_SEARCH_H
#define KERB_IN_PLAN_SEARCH_SEARCH_H

#include "../model/movement.h"
#include "../world/flow.h"
#include "../world/space.h"
#include "distant.h"
#include "kerb/plan_search.h"
#include "nodes.h"

// How fine the search is.
typedef struct plan_lattice {
    float step;       // length of a move [m]
    float cell;       // side of a cell of positions, which keeps one node [m]
    int32_t headings; // cells of heading in the whole circle
    int32_t bends;    // curvatures to each side [1 … PLAN_BENDS_MAX]
    float weight;     // of the cost to go: a higher one is faster and gives worse paths [1]
    float far;        // from this distance on the straight line replaces the shortest path [radii]
} plan_lattice;

typedef enum plan_search_state {
    PLAN_SEARCH_RUNNING,
    PLAN_SEARCH_FOUND,
    PLAN_SEARCH_EXHAUSTED, // no node waits
    PLAN_SEARCH_FULL       // no memory left
} plan_search_state;

// Greatest number of curvatures to each side. [1]
#define PLAN_BENDS_MAX 8
// Moves that a vectorised loop does at once; rows are padded to a multiple of it. Four floats fill
// a register of every processor with vector instructions. [1]
#define PLAN_MOVES_LANES 4
#define PLAN_MOVES_MAX (2 * (2 * PLAN_BENDS_MAX + 1) + PLAN_MOVES_LANES - 2)
_Static_assert(PLAN_MOVES_MAX % PLAN_MOVES_LANES == 0, "rows are whole");

// The arcs that are tried from every node that is slow enough for them, in rows. Elements beyond
// `count` are 0.
typedef struct plan_moves {
    int32_t count;
    bool are_as_given; // false: with smaller curvatures, for a vehicle that is too fast
    float curvature[PLAN_MOVES_MAX], length[PLAN_MOVES_MAX];
    float along_x[PLAN_MOVES_MAX], along_y[PLAN_MOVES_MAX];   // to the end, seen from the start [m]
    float turned_x[PLAN_MOVES_MAX], turned_y[PLAN_MOVES_MAX]; // direction there
    float cap[PLAN_MOVES_MAX];                                // greatest squared speed [m²/s²]
    float loss[PLAN_MOVES_MAX]; // loss of squared speed by braking [m²/s²]
    float time[PLAN_MOVES_MAX]; // [s]
} plan_moves;

// Plain data. The ground is an argument of each call.
typedef struct plan_search {
    plan_lattice lattice;
    plan_rates rates;
    int32_t expansions;
    int32_t until_shot; // expansions until the next shot at the goal
    int32_t goal_count;
    kerb_plan_end goals[KERB_PLAN_ENDS_MAX];
    kerb_vec2 origin;  // of the cells
    int32_t favourite; // goal that was nearest to the node that was measured last
    int32_t turn;      // goal whose turn it is for a shot
    float per_cell, per_heading;
    float turn_square;    // squared speed of the tightest turn [m²/s²]
    float turning_speed;  // [m/s]
    float turn_back_time; // [s]
    plan_moves moves;
    plan_stencil stencils[PLAN_MOVES_MAX]; // of the moves

    // The answer. `reckoned` is its cost as the search counts cost; NEVER: no answer yet. On ground
    // with a cost a better answer may come until no waiting node has a lower estimate.
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
// Whether there is an answer; a better one may follow.
bool kerb_in_plan_search_has_way(const plan_search* search);
// Drops the answer.
void kerb_in_plan_search_forget_way(plan_search* search);
plan_search_state kerb_in_plan_search_advance(plan_search* search, const plan_ground* ground,
                                              int32_t expansions);

#endif
