// Purpose: checks whether the curvature of a plan is continuous and changes slowly enough.
// Idea:    Each piece begins with the curvature with which the one before it ends. Along a piece it
//          changes in proportion to the distance, so it changes fastest where the speed is
//          greatest; at standstill it changes in proportion to the time.
// Cost:    O(1) per piece.
#include "check_parts.h"

// Accepted jump of curvature, over the greatest one. [1]
#define CHECK_RATE_JUMP 1e-3

static double rate_fastest(const kerb_plan_piece* p) {
    return plan_check_larger((double)p->speed,
                             (double)p->speed + (double)p->acceleration * (double)p->duration);
}

// The greatest change that a piece has the time for. [1/m]
static double rate_change_most(const plan_check* c, const kerb_plan_piece* p) {
    double rate = (double)c->limits->curvature_rate;
    if (p->length == 0.0f)
        return rate * (double)p->duration;
    double quick = rate_fastest(p) - c->speed_gap;
    return quick > 0.0 ? rate * (double)p->length / quick : 1e30;
}

kerb_result kerb_in_plan_check_rate(const plan_check* c, int32_t i, double wheels) {
    const kerb_plan_piece* p = &c->plan->pieces[i];
    double before = i > 0 ? (double)p[-1].curvature + (double)p[-1].curvature_change : wheels;
    double rounding = CHECK_RATE_JUMP / (double)c->limits->turning_radius;
    if (plan_check_size((double)p->curvature - before) > rounding)
        return kerb_in_plan_check_broken(c, "curvature_rate", "lets the curvature jump");
    double change = plan_check_size((double)p->curvature_change);
    if (change > rate_change_most(c, p) * (1.0 + PLAN_CHECK_SHARE) + rounding)
        return kerb_in_plan_check_broken(c, "curvature_rate", "leaves the wheels no time to turn");
    return KERB_OK;
}
