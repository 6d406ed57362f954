// Those who cross the way, and whether a movement meets one of them. Private to the room.
#ifndef KERB_IN_PLAN_WORLD_MOVERS_H
#define KERB_IN_PLAN_WORLD_MOVERS_H

#include "../model/movement.h"
#include "world.h"

// All of them, and what must not touch them. Plain data without pointers but for what the host gave
// with its own motions.
typedef struct plan_movers {
    int32_t count;
    plan_outline outline; // of the vehicle, margin in it
    kerb_plan_mover mover[KERB_PLAN_MOVERS_MAX];
} plan_movers;

// What kerb_planner_set_movers documents of its errors, memory apart; on error there is nobody.
kerb_result kerb_in_plan_movers_take(plan_movers* movers, const kerb_plan_limits* limits,
                                     const kerb_plan_mover* given, int32_t count,
                                     kerb_error* error);

// Whether nobody is met during a piece, at its own time. Some 10 ns for each who is far away, up to
// a microsecond for those who are near.
bool kerb_in_plan_movers_piece_is_free(const plan_movers* movers, const kerb_plan_piece* piece);
bool kerb_in_plan_movers_are_clear(const plan_movers* movers, const kerb_plan_piece* pieces,
                                   int32_t count);

#endif
