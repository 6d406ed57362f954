// Moving obstacles ("movers"), and whether a plan meets one of them. Private to the room.
#ifndef KERB_IN_PLAN_WORLD_MOVERS_H
#define KERB_IN_PLAN_WORLD_MOVERS_H

#include "../model/movement.h"
#include "world.h"

// All movers, and the outline that must not touch them. Plain data without pointers, apart from the
// `pose_at` and `context` of the host.
typedef struct plan_movers {
    int32_t count;
    plan_outline outline; // of the vehicle, margin in it
    kerb_plan_mover mover[KERB_PLAN_MOVERS_MAX];
} plan_movers;

// Copies the movers that the host gives. Errors: those of kerb_planner_set_movers without
// OUT_OF_MEMORY; there are no movers then.
kerb_result kerb_in_plan_movers_take(plan_movers* movers, const kerb_plan_limits* limits,
                                     const kerb_plan_mover* given, int32_t count,
                                     kerb_error* error);

// Whether a piece, at its own time, meets no mover. O(movers); a mover near by takes more tests
// than one far away.
bool kerb_in_plan_movers_piece_is_free(const plan_movers* movers, const kerb_plan_piece* piece);
bool kerb_in_plan_movers_are_clear(const plan_movers* movers, const kerb_plan_piece* pieces,
                                   int32_t count);

#endif
