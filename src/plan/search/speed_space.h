// The space that a search with speed goes through: which states count as the same, which actions
// lead from one to others, and how long it is to the goal. Private to the room.
//
//     turn         ×   acceleration            one action
//     ( | )            faster, as fast, slower
//
// An action leads to a state a step away, in a straight line, along one arc at one acceleration.
#ifndef KERB_IN_PLAN_SEARCH_SPEED_SPACE_H
#define KERB_IN_PLAN_SEARCH_SPEED_SPACE_H

#include "../model/movement.h"
#include "../world/flow.h"
#include "../world/movers.h"
#include "../world/space.h"
#include "kerb/plan_search.h"
#include "speed_nodes.h"

// Most turns to one side, the tightest apart.
#define PLAN_SPEED_TURNS 16

// An arc a step long, as it looks from its start facing along x.
typedef struct plan_speed_arc {
    float curvature, length, turn; // [1/m, m, rad] of driving forwards
    kerb_vec2 end;                 // [m]
    kerb_vec2 forward;
} plan_speed_arc;

// What is the same for all states of a query. Plain data.
typedef struct plan_speed_space {
    kerb_plan_search_settings settings;
    kerb_plan_limits limits;
    plan_rates rates;
    bool counts_time; // states of another cell of time are other states
    float step;       // [m]
    float speed_cell; // [m/s]
    int32_t headings;
    kerb_vec2 origin; // of the cells
    int32_t turn_count;
    plan_speed_arc turns[PLAN_SPEED_TURNS]; // to the left: 1, 2, … times the setting
    plan_speed_arc tightest;                // to the left
    int32_t goal_count;
    kerb_plan_end goals[KERB_PLAN_ENDS_MAX]; // with the larger tolerances, theirs or the
                                             // settings'
    kerb_plan_bound_settings bounds[KERB_PLAN_ENDS_MAX]; // with these tolerances
    float goal_heading[KERB_PLAN_ENDS_MAX];              // [0 … 2π)
} plan_speed_space;

// What is given with each call.
typedef struct plan_speed_ground {
    const plan_space* space;
    plan_flow* flow;           // with the goals in it; NULL: open ground
    const plan_movers* movers; // NULL: nobody crosses the way
    plan_speed_nodes* nodes;
} plan_speed_ground;

plan_speed_space kerb_in_plan_speed_space_of(const kerb_plan_limits* limits,
                                             const kerb_plan_search_settings* settings,
                                             const kerb_plan_query* query);

// Most successors of a state, and how many their rows hold, as blocks are driven as a whole.
#define PLAN_SPEED_SUCCESSORS_MAX (2 * (2 * 4 + 2) * (2 * PLAN_SPEED_TURNS + 7) + 1)
#define PLAN_SPEED_ROW (PLAN_SPEED_SUCCESSORS_MAX + 8)

// Where the actions lead from a state: in rows, so that compilers take several at a time. Many end
// at the same pose, faster or slower: what only the pose decides is found once for all of these.
// What comes after the last is a number of any kind.
typedef struct plan_speed_rows {
    int32_t count, poses;
    int32_t at[PLAN_SPEED_ROW]; // which of the poses
    float speed[PLAN_SPEED_ROW];
    float cost[PLAN_SPEED_ROW], time[PLAN_SPEED_ROW], rest[PLAN_SPEED_ROW];
    float curvature[PLAN_SPEED_ROW], length[PLAN_SPEED_ROW], acceleration[PLAN_SPEED_ROW];
    int8_t travel[PLAN_SPEED_ROW];
    uint8_t goal[PLAN_SPEED_ROW];
    // Of poses.
    float x[PLAN_SPEED_ROW], y[PLAN_SPEED_ROW];
    float forward_x[PLAN_SPEED_ROW], forward_y[PLAN_SPEED_ROW];
    float heading[PLAN_SPEED_ROW];
    float bend[PLAN_SPEED_ROW]; // the curvature that leads there
} plan_speed_rows;

void kerb_in_plan_speed_add_row(plan_speed_rows* rows, const plan_speed_node* node);
// Without parent, depth, and what the memory of the search says.
plan_speed_node kerb_in_plan_speed_at_row(const plan_speed_rows* rows, int32_t row);

// The numbers of states' cells; 0: too far away for any.
void kerb_in_plan_speed_keys(const plan_speed_space* s, const plan_speed_rows* rows,
                             uint64_t* keys);

// Says how long a state's rest is, and to which goal. [s] KERB_PLAN_NEVER: none can be reached.
void kerb_in_plan_speed_estimate(const plan_speed_space* s, plan_flow* flow, plan_speed_node* node);

// The same of many, sooner.
void kerb_in_plan_speed_estimate_all(const plan_speed_space* s, plan_flow* flow,
                                     plan_speed_rows* rows);

// The first goal that a state is at, within the tolerances; -1: none.
int32_t kerb_in_plan_speed_goal_at(const plan_speed_space* s, const plan_speed_node* node);

// A start as a state.
plan_speed_node kerb_in_plan_speed_start(const kerb_plan_end* end, int32_t index);

// A state that has waited for a while where it stands. speed_actions.c
plan_speed_node kerb_in_plan_speed_waited(const plan_speed_node* node, float seconds);

// Where the actions lead from a state: pose, heading, speed, cost, arc, acceleration, travel. They
// say nothing of obstacles, cells and what is still to go. speed_actions.c
void kerb_in_plan_speed_successors(const plan_speed_space* s, const plan_speed_node* node,
                                   plan_speed_rows* rows);

// An arc of the curvature, ending `step` away. [0 <= curvature <= 2/step]
plan_speed_arc kerb_in_plan_speed_arc_of(float curvature, float step);

#define PLAN_SPEED_TURN (2.0f * KERB_PI)

// The same direction. [0 … 2π)
static inline float plan_speed_in_turn(float angle) {
    if (angle >= 0.0f && angle < PLAN_SPEED_TURN)
        return angle;
    float rest = angle - PLAN_SPEED_TURN * floorf(angle / PLAN_SPEED_TURN);
    return rest < PLAN_SPEED_TURN ? rest : 0.0f;
}

#endif
