// Purpose: the checker of plans for all kinds of vehicles. It shares no code with their planner.
// Idea:    Each piece starts at the plan's own state, so errors do not add up. The midpoint rule in
//          eight steps is of another order than the planner's integration; sums are double.
// Cost:    O(pieces · (cells under the footprint + vertices)).
#include "kerb/plan_kind.h"

#include "check_parts.h"
#include "check_space.h"
#include "check_world.h"

#include "../../base/shared.h"

// Steps of a piece. The error of the midpoint rule is then below a hundredth of the tolerance in
// all built-in kinds, at their longest pieces.
#define CHECK_KIND_STEPS 8
// Accepted error at a joint, as a share of the tolerance at the goal. [1]
#define CHECK_KIND_SHARE 0.05
// Accepted error of rounding, as a share of coordinates. [1]
#define CHECK_KIND_ROUNDING 2e-6

typedef struct kind_check {
    const kerb_kind* kind;
    const kerb_kind_plan* plan;
    const kerb_plan_world* world;
    int32_t index;
    kerb_error* error;
} kind_check;

static kerb_result kind_check_says(const kind_check* c, kerb_result result, const char* field,
                                   const char* message) {
    return kerb_error_set(c->error, result, field, 0, c->index, message);
}

static bool check_kind_finite(double x) {
    return plan_check_size(x) < 1e30;
}

// Whether two states are equal within a share of the tolerances.
static bool check_kind_equal(const kind_check* c, const double* a, const float* b, double share,
                             bool wraps) {
    for (int32_t i = 0; i < c->kind->states; i++) {
        double gap = a[i] - (double)b[i];
        if (i == (c->kind->space ? c->kind->space->heading : 2) && wraps)
            gap = (double)kerb_wrap_angle((float)gap);
        double allowed = share * (double)c->kind->tolerance[i] +
                         CHECK_KIND_ROUNDING * plan_check_size((double)b[i]);
        if (!(plan_check_size(gap) <= allowed))
            return false;
    }
    return true;
}

static void check_kind_float(const kind_check* c, const double* from, float* to) {
    for (int32_t i = 0; i < c->kind->states; i++)
        to[i] = (float)from[i];
}

// Moves a state by the midpoint rule.
static void check_kind_move(const kind_check* c, double* state, const float* control, double step) {
    const kerb_kind* kind = c->kind;
    float at[KERB_KIND_STATES_MAX] = {0}, rates[KERB_KIND_STATES_MAX] = {0};
    double middle[KERB_KIND_STATES_MAX] = {0.0};
    check_kind_float(c, state, at);
    kind->rates(kind->vehicle, at, control, rates);
    for (int32_t i = 0; i < kind->states; i++)
        middle[i] = state[i] + 0.5 * step * (double)rates[i];
    check_kind_float(c, middle, at);
    kind->rates(kind->vehicle, at, control, rates);
    for (int32_t i = 0; i < kind->states; i++)
        state[i] += step * (double)rates[i];
}

static kerb_result check_kind_place(const kind_check* c, const double* state) {
    const kerb_kind* kind = c->kind;
    float at[KERB_KIND_STATES_MAX] = {0};
    check_kind_float(c, state, at);
    if (kind->room && !(kind->room(kind->vehicle, at) >= -(float)PLAN_CHECK_SHARE))
        return kind_check_says(c, KERB_ERROR_OUT_OF_RANGE, "room", "breaks a limit of the state");
    if (!c->world)
        return KERB_OK;
    if (kind->space)
        return kerb_in_check_space(kind, c->world->space, at)
                   ? KERB_OK
                   : kind_check_says(c, KERB_ERROR_OUT_OF_RANGE, "world",
                                     "the footprint meets an obstacle");
    kerb_kind_box boxes[KERB_KIND_BOXES_MAX];
    int32_t count = kind->boxes(kind->vehicle, at, boxes);
    for (int32_t i = 0; i < count; i++) {
        double less = PLAN_CHECK_LESS +
                      CHECK_KIND_ROUNDING * (plan_check_size(state[0]) + plan_check_size(state[1]));
        plan_check_box box = {.x = (double)boxes[i].pose.position.x,
                              .y = (double)boxes[i].pose.position.y,
                              .forward_x = (double)boxes[i].pose.forward.x,
                              .forward_y = (double)boxes[i].pose.forward.y,
                              .front = (double)boxes[i].front - less,
                              .rear = (double)boxes[i].rear - less,
                              .half_width = 0.5 * (double)boxes[i].width - less};
        if (!kerb_in_plan_check_is_free(c->world, &box))
            return kind_check_says(c, KERB_ERROR_OUT_OF_RANGE, "world",
                                   "the footprint meets an obstacle");
    }
    return KERB_OK;
}

static kerb_result check_kind_piece(const kind_check* c) {
    const kerb_kind* kind = c->kind;
    const float* from = c->plan->states + (size_t)c->index * KERB_KIND_STATES_MAX;
    const float* control = c->plan->controls + (size_t)c->index * KERB_KIND_CONTROLS_MAX;
    double state[KERB_KIND_STATES_MAX] = {0.0};
    for (int32_t i = 0; i < kind->states; i++) {
        state[i] = (double)from[i];
        if (!check_kind_finite(state[i]))
            return kind_check_says(c, KERB_ERROR_NOT_FINITE, "state", "is not a finite number");
    }
    for (int32_t j = 0; j < kind->controls; j++) {
        if (!check_kind_finite((double)control[j]))
            return kind_check_says(c, KERB_ERROR_NOT_FINITE, "control", "is not a finite number");
        if (control[j] < kind->control_min[j] || control[j] > kind->control_max[j])
            return kind_check_says(c, KERB_ERROR_OUT_OF_RANGE, "control", "exceeds its limits");
    }
    // Pieces may be longer than the kind asks for, and then have as many steps per time.
    double duration = (double)c->plan->times[c->index + 1] - (double)c->plan->times[c->index];
    if (!(duration >= 0.0 && duration < 1e6))
        return kind_check_says(c, KERB_ERROR_CONTRADICTION, "time", "runs backwards");
    double parts = duration / (double)kind->step_max;
    int32_t steps = CHECK_KIND_STEPS * (1 + (int32_t)(parts < 1000.0 ? parts : 1000.0));
    for (int32_t i = 0; i < steps; i++) {
        check_kind_move(c, state, control, duration / (double)steps);
        kerb_result result = check_kind_place(c, state);
        if (result != KERB_OK)
            return result;
    }
    if (!check_kind_equal(c, state, from + KERB_KIND_STATES_MAX, CHECK_KIND_SHARE, false))
        return kind_check_says(c, KERB_ERROR_CONTRADICTION, "state",
                               "is not where the controls lead");
    return KERB_OK;
}

static void check_kind_double(const kind_check* c, const float* from, double* to) {
    for (int32_t i = 0; i < c->kind->states; i++)
        to[i] = (double)from[i];
}

kerb_result kerb_kind_check(const kerb_kind* kind, const float* from, const float* to,
                            const kerb_plan_world* world, const kerb_kind_plan* plan,
                            kerb_error* error) {
    KERB_ASSERT(kind && from && to && plan);
    kind_check c = {kind, plan, world, -1, error};
    if (plan->count < 1 || !plan->states || !plan->controls || !plan->times)
        return kind_check_says(&c, KERB_ERROR_TOO_FEW, "count", "there is no plan");
    double state[KERB_KIND_STATES_MAX] = {0.0};
    check_kind_double(&c, plan->states, state);
    if (!check_kind_equal(&c, state, from, 0.0, true))
        return kind_check_says(&c, KERB_ERROR_CONTRADICTION, "start", "is not where it begins");
    kerb_result result = KERB_OK;
    for (c.index = 0; c.index < plan->count && result == KERB_OK; c.index++)
        result = check_kind_piece(&c);
    if (result != KERB_OK)
        return result;
    c.index = -1;
    check_kind_double(&c, plan->states + (size_t)plan->count * KERB_KIND_STATES_MAX, state);
    if (!check_kind_equal(&c, state, to, 1.0, true))
        return kind_check_says(&c, KERB_ERROR_CONTRADICTION, "goal", "is not where it ends");
    if (!(plan_check_size((double)plan->times[plan->count] - (double)plan->time) <=
          1e-3 + 1e-4 * (double)plan->time))
        return kind_check_says(&c, KERB_ERROR_CONTRADICTION, "time",
                               "is not the sum of the pieces'");
    return KERB_OK;
}
