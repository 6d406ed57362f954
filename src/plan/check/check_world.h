// The checker's own test against obstacles. Private to the checker, which shares no code with the
// planner.
#ifndef KERB_IN_PLAN_CHECK_CHECK_WORLD_H
#define KERB_IN_PLAN_CHECK_CHECK_WORLD_H

#include "kerb/plan.h"

/// A footprint at a pose of the rear axle.
typedef struct plan_check_box {
    double x, y, forward_x, forward_y;
    double front, rear, half_width; ///< [m]
} plan_check_box;

/// Whether no obstacle overlaps the footprint and the host's function agrees.
bool kerb_in_plan_check_is_free(const kerb_plan_world* world, const plan_check_box* box);

#endif
