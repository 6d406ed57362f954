// The state space of the search with speed: which states share a cell, which actions lead from a
// state to others, and the estimated cost to the goal. Private to the room.
//
//     turn         ×   acceleration              one action
//     ( | )            faster, constant, slower
//
// An action leads along one arc at one acceleration to a state whose straight-line distance is one
// step.
#ifndef KERB_IN_PLAN_SEARCH_SPEED_SPACE_H
#define KERB_IN_PLAN_SEARCH_SPEED_SPACE_H

#include "../model/movement.h"
#include "../world/flow.h"
#include "../world/movers.h"
#include "../world/space.h"
#include "kerb/plan_search.h"
#include "speed_nodes.h"

// Greatest number of turns to one side, without the tightest. [1]
#define PLAN_SPEED_TURNS 16

// An arc with a chord of one step, seen from its start, facing along x.
typedef struct plan_speed_arc {
    float curvature, length, turn; // [1/m, m, rad] of driving forwards
    kerb_vec2 end;                 // [m]
    kerb_vec2 forward;
} plan_speed_arc;

// Data of all states of a query. Plain data.
typedef struct plan_speed_space {
    kerb_plan_search_settings settings;
    kerb_plan_limits limits;
    plan_rates rates;
    bool counts_time; // states in different cells of time are different
    float step;       // chord of an arc [m]
    float speed_cell; // [m/s]
    int32_t headings; // cells of heading
    kerb_vec2 origin; // of the cells
    int32_t turn_count;
    plan_speed_arc turns[PLAN_SPEED_TURNS]; // to the left: 1, 2, … times the setting
    plan_speed_arc tightest;                // to the left
    int32_t goal_count;
    kerb_plan_end goals[KERB_PLAN_ENDS_MAX]; // with the larger tolerances, of the goal or of the
                                             // settings
    kerb_plan_bound_settings bounds[KERB_PLAN_ENDS_MAX]; // with these tolerances
    float goal_heading[KERB_PLAN_ENDS_MAX];              // [0 … 2π)
} plan_speed_space;

// Data outside the search's own memory, an argument of each call.
typedef struct plan_speed_ground {
    const plan_space* space;
    plan_flow* flow;           // with the goals in it; NULL: open ground
    const plan_movers* movers; // NULL: none
    plan_speed_nodes* nodes;
} plan_speed_ground;

plan_speed_space kerb_in_plan_speed_space_of(const kerb_plan_limits* limits,
                                             const kerb_plan_search_settings* settings,
                                             const kerb_plan_query* query);

// Greatest number of successors of a state, and the length of rows, which hold whole blocks. [1]
#define PLAN_SPEED_SUCCESSORS_MAX (2 * (2 * 4 + 2) * (2 * PLAN_SPEED_TURNS + 7) + 1)
#define PLAN_SPEED_ROW (PLAN_SPEED_SUCCESSORS_MAX + 8)

// The successors of a state, in rows, so that compilers can vectorise loops over them. Many
// successors have the same pose and different speeds, so poses have rows of their own and are
// computed once. Elements after the last one have any value.
typedef struct plan_speed_rows {
    int32_t count, poses;
    int32_t at[PLAN_SPEED_ROW]; // index of the pose
    float speed[PLAN_SPEED_ROW];
    float cost[PLAN_SPEED_ROW], time[PLAN_SPEED_ROW], rest[PLAN_SPEED_ROW];
    float curvature[PLAN_SPEED_ROW], length[PLAN_SPEED_ROW], acceleration[PLAN_SPEED_ROW];
    int8_t travel[PLAN_SPEED_ROW];
    uint8_t goal[PLAN_SPEED_ROW];
    // Rows of poses.
    float x[PLAN_SPEED_ROW], y[PLAN_SPEED_ROW];
    float forward_x[PLAN_SPEED_ROW], forward_y[PLAN_SPEED_ROW];
    float heading[PLAN_SPEED_ROW];
    float bend[PLAN_SPEED_ROW]; // curvature of the arc that leads there [1/m]
} plan_speed_rows;

void kerb_in_plan_speed_add_row(plan_speed_rows* rows, const plan_speed_node* node);
// The state of a row. Parent, depth and the fields of the search's memory are not set.
plan_speed_node kerb_in_plan_speed_at_row(const plan_speed_rows* rows, int32_t row);

// Keys of the cells of all rows; 0: too far away for a key.
void kerb_in_plan_speed_keys(const plan_speed_space* s, const plan_speed_rows* rows,
                             uint64_t* keys);

// Estimates the cost to go of a state and sets its goal. [s] KERB_PLAN_NEVER: no goal can be
// reached.
void kerb_in_plan_speed_estimate(const plan_speed_space* s, plan_flow* flow, plan_speed_node* node);

// Estimates the cost to go of all rows, faster than one by one.
void kerb_in_plan_speed_estimate_all(const plan_speed_space* s, plan_flow* flow,
                                     plan_speed_rows* rows);

// The first goal within whose tolerances a state lies; -1: none.
int32_t kerb_in_plan_speed_goal_at(const plan_speed_space* s, const plan_speed_node* node);

// A start as a state.
plan_speed_node kerb_in_plan_speed_start(const kerb_plan_end* end, int32_t index);

// A state after a wait at standstill. Defined in speed_actions.c.
plan_speed_node kerb_in_plan_speed_waited(const plan_speed_node* node, float seconds);

// Computes the successors of a state: pose, heading, speed, cost, arc, acceleration and direction.
// Obstacles, cells and the cost to go are left to the caller. Defined in speed_actions.c.
void kerb_in_plan_speed_successors(const plan_speed_space* s, const plan_speed_node* node,
                                   plan_speed_rows* rows);

// An arc of this curvature with a chord of `step`. [0 <= curvature <= 2/step]
plan_speed_arc kerb_in_plan_speed_arc_of(float curvature, float step);

#define PLAN_SPEED_TURN (2.0f * KERB_PI)

// An angle brought into [0 … 2π).
static inline float plan_speed_in_turn(float angle) {
    if (angle >= 0.0f && angle < PLAN_SPEED_TURN)
        return angle;
    float rest = angle - PLAN_SPEED_TURN * floorf(angle / PLAN_SPEED_TURN);
    return rest < PLAN_SPEED_TURN ? rest : 0.0f;
}

#endif
