// Purpose: checks whether a plan meets a moving obstacle. Shares no code with the planner.
// Idea:    The plan is integrated in small steps. At each step the footprint is tested against
//          every box by separating axes.
// Cost:    O(steps · movers); in a step neither the vehicle nor a mover moves further than 2 cm.
#include "check_parts.h"

#include "../../base/shared.h"

// Half of a box's extent along an axis.
static double check_movers_reach_of(double ax, double ay, double fx, double fy, double along,
                                    double across) {
    return plan_check_size(ax * fx + ay * fy) * along + plan_check_size(ay * fx - ax * fy) * across;
}

static bool meets_mover(const plan_check* c, const plan_check_driven* at,
                        const kerb_plan_mover* m) {
    const kerb_plan_limits* l = c->limits;
    double less = PLAN_CHECK_LESS + 2e-6 * (plan_check_size(at->x) + plan_check_size(at->y));
    double front = (double)l->front + (double)l->margin - less;
    double rear = (double)l->rear + (double)l->margin - less;
    double half = 0.5 * (double)l->width + (double)l->margin - less;
    double ahead = 0.5 * (front - rear), along = 0.5 * (front + rear);
    kerb_pose there = m->pose_at ? m->pose_at(m->context, (float)at->time) : m->pose;
    double passed = m->pose_at ? 0.0 : at->time;
    double gx = (double)there.forward.x, gy = (double)there.forward.y;
    double x =
        (double)there.position.x + (double)m->velocity.x * passed - (at->x + ahead * at->forward_x);
    double y =
        (double)there.position.y + (double)m->velocity.y * passed - (at->y + ahead * at->forward_y);
    const double axes[4][2] = {
        {at->forward_x, at->forward_y}, {-at->forward_y, at->forward_x}, {gx, gy}, {-gy, gx}};
    for (int32_t i = 0; i < 4; i++) {
        double ax = axes[i][0], ay = axes[i][1];
        double reach =
            check_movers_reach_of(ax, ay, at->forward_x, at->forward_y, along, half) +
            check_movers_reach_of(ax, ay, gx, gy, 0.5 * (double)m->length, 0.5 * (double)m->width);
        if (plan_check_size(ax * x + ay * y) >= reach)
            return false;
    }
    return true;
}

static kerb_result check_meetings(const plan_check* c, const plan_check_driven* at,
                                  const kerb_plan_mover* movers, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (meets_mover(c, at, &movers[i]))
            return kerb_in_plan_check_broken(c, "movers", "the footprint meets one of them");
    return KERB_OK;
}

// Number of steps of a piece in which no mover moves further than PLAN_CHECK_STEP, apart from
// extremely fast ones.
static int64_t steps_among(const kerb_plan_piece* p, const kerb_plan_mover* movers, int32_t count) {
    double fastest = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const kerb_plan_mover* m = &movers[i];
        double along = m->pose_at ? (double)m->speed_max : plan_check_size((double)m->velocity.x);
        double across = m->pose_at ? 0.0 : plan_check_size((double)m->velocity.y);
        fastest = plan_check_larger(fastest, along + across);
    }
    double steps = fastest * (double)p->duration / PLAN_CHECK_STEP;
    int64_t least = kerb_in_plan_check_steps(p);
    return steps < 1e8 && (int64_t)steps > least ? (int64_t)steps : least;
}

kerb_result kerb_plan_check_movers(const kerb_plan_limits* limits, const kerb_plan_mover* movers,
                                   int32_t count, const kerb_plan* plan, kerb_error* error) {
    KERB_ASSERT(limits && plan && (movers || count == 0));
    if (plan->count < 1 || !plan->pieces)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no plan");
    plan_check c = {.limits = limits, .plan = plan, .error = error};
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < plan->count && result == KERB_OK; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        int64_t steps = steps_among(p, movers, count);
        double step = (double)p->duration / (double)steps;
        plan_check_driven at = {0};
        kerb_in_plan_check_set_out(&at, p);
        at.time = (double)p->time;
        at.speed = (double)p->speed;
        c.index = i;
        result = check_meetings(&c, &at, movers, count);
        for (int64_t k = 0; k < steps && result == KERB_OK; k++) {
            double next = at.speed + (double)p->acceleration * step;
            double length = 0.5 * (at.speed + next) * step;
            kerb_in_plan_check_drive(&at, length * (double)p->direction,
                                     kerb_in_plan_check_curvature(p, at.length + 0.5 * length));
            at.speed = next;
            at.time += step;
            result = check_meetings(&c, &at, movers, count);
        }
    }
    return result;
}
