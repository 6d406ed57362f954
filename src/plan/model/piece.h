// Poses and curvatures along a piece of a plan. Private to the library.
#ifndef KERB_IN_PLAN_MODEL_PIECE_H
#define KERB_IN_PLAN_MODEL_PIECE_H

#include "kerb/plan.h"

#include "../../curve/shared.h"

/// Change of curvature per metre driven; 0: an arc, or standstill. [1/m²]
static inline float plan_piece_slope(const kerb_plan_piece* p) {
    return p->curvature_change != 0.0f && p->length > 0.0f ? p->curvature_change / p->length : 0.0f;
}

/// The pose `along` metres after its start. [m]
static inline kerb_pose plan_piece_pose(const kerb_plan_piece* p, float along) {
    return curve_clothoid(p->start, p->curvature, plan_piece_slope(p), (float)p->direction * along);
}

/// The greatest size of its curvature. [1/m]
static inline float plan_piece_bend(const kerb_plan_piece* p) {
    return kerb_max(kerb_abs(p->curvature), kerb_abs(p->curvature + p->curvature_change));
}

#endif
