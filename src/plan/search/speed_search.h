// The search with speed in its states: a probe, A* with a weight that falls answer by answer, shots
// at the goal. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_SPEED_SEARCH_H
#define KERB_IN_PLAN_SEARCH_SPEED_SEARCH_H

#include "kerb/plan_search.h"
#include "shot.h"
#include "speed_space.h"

// Pieces of a movement at most: an arc and a stand for each state, and the shot's.
#define PLAN_SPEED_PIECES (2 * PLAN_SPEED_DEPTH + PLAN_PIECES_OF(PLAN_SHOT_ARCS) + 1)

typedef enum plan_speed_state {
    PLAN_SPEED_RUNNING,
    PLAN_SPEED_FOUND,     // nothing better, at the last weight; or what the probe found
    PLAN_SPEED_EXHAUSTED, // nothing left to look at, and none found
    PLAN_SPEED_SPENT      // no work or memory left; there may be an answer
} plan_speed_state;

// A way to a goal: along the states to one of them, and a shot from there.
typedef struct plan_speed_answer {
    float cost;   // with penalties [s]; KERB_PLAN_NEVER: none
    int32_t node; // the last one
    int32_t goal;
    plan_shot shot; // without arcs: the state is at the goal
} plan_speed_answer;

// Plain data; what it searches in is given with each call.
typedef struct plan_speed_search {
    plan_speed_space space;
    int32_t state; // plan_speed_state
    float weight;
    int32_t round; // of weights [>= 1]
    int32_t limit; // of expansions
    int32_t expansions, first_expansions, probe_expansions, generated;
    int32_t until_shot, shots;
    bool probing;
    int32_t probe;    // where the probe is
    float probe_rest; // [s]
    float first_cost, probe_cost;
    float most;      // what costs more is not worth looking at [s]
    int32_t nearest; // of the least rest
    plan_speed_answer answer;
    plan_speed_rows successors;
} plan_speed_search;

void kerb_in_plan_speed_begin(plan_speed_search* search, const plan_speed_ground* ground,
                              const kerb_plan_limits* limits,
                              const kerb_plan_search_settings* settings,
                              const kerb_plan_query* query);
// Goes on by so many expansions at most.
plan_speed_state kerb_in_plan_speed_advance(plan_speed_search* search,
                                            const plan_speed_ground* ground, int32_t expansions);

// The least that anything still open could cost, by its estimate. [s] O(states)
float kerb_in_plan_speed_least_open(const plan_speed_search* search, plan_speed_nodes* nodes);

// The movement to an answer, PLAN_SPEED_PIECES at most. Returns how many. O(its states)
int32_t kerb_in_plan_speed_pieces(const plan_speed_search* search, plan_speed_nodes* nodes,
                                  const plan_speed_answer* answer, kerb_plan_piece* pieces);

// The same as a row of arcs, `most` of them; 0: there is no answer, or it has more.
int32_t kerb_in_plan_speed_arcs(const plan_speed_search* search, plan_speed_nodes* nodes,
                                plan_arc* arcs, int32_t most);

// The start that a state comes from.
int32_t kerb_in_plan_speed_start_of(plan_speed_nodes* nodes, int32_t index);

#endif
