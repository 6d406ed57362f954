// Improves one curve, in the frame of its start. Private to the room.
#ifndef KERB_IN_PLAN_CURVES_CURVE_H
#define KERB_IN_PLAN_CURVES_CURVE_H

#include "corridor.h"

// Arcs of an answer at most, and its pieces.
#define CURVE_ARCS_MAX 24
#define CURVE_PIECES_MAX PLAN_PIECES_OF(CURVE_ARCS_MAX)

// What an answer follows from. Compared and hashed by its bytes: no padding, no -0.
typedef struct curve_key {
    kerb_plan_curve_part parts[KERB_PLAN_CURVE_PARTS_MAX];
    float before, after;
    int32_t kind, part_count;
    int32_t entry_speed, exit_speed; // [1/4 m/s]
} curve_key;

// An answer, for any pose of the start.
typedef struct curve_found {
    float entry, exit, reference_time, penalty, exit_speed;
    int32_t count; // 0: none
    plan_arc arcs[CURVE_ARCS_MAX];
} curve_found;

float kerb_in_plan_curve_speed(int32_t quarters);
void kerb_in_plan_curve_solve(const curve_key* key, const plan_rates* rates, float speed_max,
                              const kerb_plan_curve_grid* grid, kerb_pose frame,
                              int32_t improvement, curve_found* found);

#endif
