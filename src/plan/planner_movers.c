// Purpose: those who cross the way of a query.
// Idea:    the movement that is shown is timed among them, whenever it has changed.
// Cost:    that of the timing, some milliseconds at most.
#include "task.h"

#include "../base/assertion.h"

#include <string.h>

static kerb_result check_mover(const kerb_plan_mover* m, int32_t index, kerb_error* error) {
    const float numbers[8] = {
        m->pose.position.x, m->pose.position.y, m->pose.forward.x, m->pose.forward.y,
        m->velocity.x,      m->velocity.y,      m->length,         m->width};
    const float most[8] = {1e6f, 1e6f, 1.001f, 1.001f, 200.0f, 200.0f, 1e4f, 1e4f};
    static const char* const names[8] = {"pose",     "pose",     "pose",   "pose",
                                         "velocity", "velocity", "length", "width"};
    for (int32_t i = 0; i < 8; i++) {
        if (!kerb_is_finite(numbers[i]))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, names[i], 0, index,
                                  "must be a finite number");
        if (kerb_abs(numbers[i]) > most[i] || (i >= 6 && numbers[i] <= 0.0f))
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, names[i], 0, index,
                                  i >= 6 ? "must be more than 0 and at most 1e4 m"
                                         : "is too great");
    }
    float unit = kerb_vec2_dot(m->pose.forward, m->pose.forward);
    return kerb_abs(unit - 1.0f) <= 2e-3f
               ? KERB_OK
               : kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "pose", 0, index,
                                "its direction must have unit length");
}

kerb_result kerb_planner_movers(kerb_planner* planner, const kerb_plan_mover* movers, int32_t count,
                                kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && count >= 0 && (movers || count == 0));
    plan_task* t = planner->memory;
    plan_task_forget(t);
    t->timing.mover_count = 0;
    if (count > KERB_PLAN_MOVERS_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "count", 0, -1, "must be at most 32");
    for (int32_t i = 0; i < count; i++) {
        kerb_result result = check_mover(&movers[i], i, error);
        if (result != KERB_OK)
            return result;
        t->timing.movers[i] = movers[i];
    }
    const kerb_plan_limits* l = &t->limits;
    t->timing.outline =
        (plan_outline){l->front + l->margin, l->rear + l->margin, 0.5f * l->width + l->margin};
    t->timing.mover_count = count;
    return KERB_OK;
}

// The best movement, slowed down where others cross it. It depends on nothing else, so that slices
// change nothing.
void plan_task_adapt_to_movers(plan_task* t) {
    if (t->timing.mover_count == 0 || t->is_timed || t->piece_count == 0)
        return;
    memcpy(t->timed, t->pieces, (size_t)t->piece_count * sizeof *t->pieces);
    t->timed_count = plan_timing_adapt(&t->timing, &t->limits, t->timed, t->piece_count, t->scratch,
                                       PLAN_TASK_PIECES);
    t->is_timed = true;
    t->timed_time = t->time;
    if (t->timed_count > 0) {
        const kerb_plan_piece* last = &t->timed[t->timed_count - 1];
        t->timed_time = last->time + last->duration;
    } else if (t->outcome == KERB_PLAN_FOUND) {
        t->outcome = KERB_PLAN_BUDGET_SPENT;
    }
}
