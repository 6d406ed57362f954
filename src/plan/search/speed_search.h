// The search with speed in its states: a probe, A* with a weight that falls from answer to answer,
// and shots at the goal. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_SPEED_SEARCH_H
#define KERB_IN_PLAN_SEARCH_SPEED_SEARCH_H

#include "kerb/plan_search.h"
#include "shot.h"
#include "speed_space.h"

// Greatest number of pieces of a plan: an arc and a standstill for each state, and those of the
// shot.
#define PLAN_SPEED_PIECES (2 * PLAN_SPEED_DEPTH + PLAN_PIECES_OF(PLAN_SHOT_ARCS) + 1)

typedef enum plan_speed_state {
    PLAN_SPEED_RUNNING,
    PLAN_SPEED_FOUND,     // the answer is the best at the last weight, or the probe found it
    PLAN_SPEED_EXHAUSTED, // no state waits, and there is no answer
    PLAN_SPEED_SPENT      // no expansions or memory left; there may be an answer
} plan_speed_state;

// A plan to a goal: the states up to `node`, and a shot from there.
typedef struct plan_speed_answer {
    float cost;   // with penalties [s]; KERB_PLAN_NEVER: none
    int32_t node; // the last one
    int32_t goal;
    plan_shot shot; // without arcs: the state is at the goal
} plan_speed_answer;

// Plain data. The ground is an argument of each call.
typedef struct plan_speed_search {
    plan_speed_space space;
    int32_t state; // plan_speed_state
    float weight;
    int32_t round; // of weights [>= 1]
    int32_t limit; // of expansions
    int32_t expansions, first_expansions, probe_expansions, generated;
    int32_t until_shot, shots;
    bool probing;
    int32_t probe;    // state of the probe
    float probe_rest; // its cost to go [s]
    float first_cost, probe_cost;
    float most;      // states that cost more are dropped [s]
    int32_t nearest; // state with the least cost to go
    plan_speed_answer answer;
    plan_speed_rows successors;
} plan_speed_search;

void kerb_in_plan_speed_begin(plan_speed_search* search, const plan_speed_ground* ground,
                              const kerb_plan_limits* limits,
                              const kerb_plan_search_settings* settings,
                              const kerb_plan_query* query);
// Does at most so many expansions.
plan_speed_state kerb_in_plan_speed_advance(plan_speed_search* search,
                                            const plan_speed_ground* ground, int32_t expansions);

// Least estimated cost of the states that have not been expanded, at most that of the answer. [s]
// O(states)
float kerb_in_plan_speed_least_open(const plan_speed_search* search, plan_speed_nodes* nodes);

// Writes the pieces of an answer, at most PLAN_SPEED_PIECES, and returns their number. O(states of
// the answer)
int32_t kerb_in_plan_speed_pieces(const plan_speed_search* search, plan_speed_nodes* nodes,
                                  const plan_speed_answer* answer, kerb_plan_piece* pieces);

// Writes the arcs of the answer and returns their number; 0: there is no answer, or it has more
// than `most`.
int32_t kerb_in_plan_speed_arcs(const plan_speed_search* search, plan_speed_nodes* nodes,
                                plan_arc* arcs, int32_t most);

// Index of the start from which a state was reached.
int32_t kerb_in_plan_speed_start_of(plan_speed_nodes* nodes, int32_t index);

#endif
