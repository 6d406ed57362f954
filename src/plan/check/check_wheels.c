// Purpose: checks whether wheels that take time to turn can follow the jumps of curvature of a
//          plan.
// Idea:    Wheels that turn at a constant rate round a jump cause a lateral offset. Between two
//          jumps there must be time for half of each; the same holds before and after a change of
//          direction, where wheels may still turn as well. Jumps without that time count as one
//          jump.
// Cost:    O(pieces).
#include "check_parts.h"

// Lateral offset of a vehicle whose wheels turn by `change` at a speed. [m]
static double drift_of(const plan_check* c, double change, double speed) {
    double way = kerb_in_plan_check_turning(c->limits, change) * speed;
    return plan_check_size(change) * way * way / 24.0;
}

// The jump of curvature at the start of a piece; 0 at a standstill or change of direction. [1/m]
static double change_into(const kerb_plan* plan, int32_t i) {
    if (i <= 0 || i >= plan->count)
        return 0.0;
    const kerb_plan_piece *p = &plan->pieces[i], *before = p - 1;
    if (before->direction != p->direction || before->length == 0.0f || p->length == 0.0f)
        return 0.0;
    return plan_check_size((double)p->curvature - (double)before->curvature);
}

static double fastest_on(const kerb_plan_piece* p) {
    double end = (double)p->speed + (double)p->acceleration * (double)p->duration;
    return plan_check_larger((double)p->speed, end);
}

// Whether there is time for half of each of two turns between them.
static bool check_wheels_are_apart(const plan_check* c, const plan_check_turn* a,
                                   const plan_check_turn* b) {
    const kerb_plan_piece* pieces = c->plan->pieces;
    double time = (double)pieces[b->first].time - (double)pieces[a->last].time;
    return time >= 0.5 * kerb_in_plan_check_turning(c->limits, a->change + b->change) *
                       (1.0 - 4.0 * PLAN_CHECK_SHARE);
}

static bool drifts_far(const plan_check* c, const plan_check_turn* t) {
    double fastest = (double)c->plan->pieces[t->first].speed;
    for (int32_t i = t->first; i < t->last; i++)
        fastest = plan_check_larger(fastest, fastest_on(&c->plan->pieces[i]));
    double quick = plan_check_larger(fastest - c->speed_gap, 0.0);
    return drift_of(c, t->change, quick) >
           (double)KERB_PLAN_STEERING_DEVIATION_MAX * (1.0 + 4.0 * PLAN_CHECK_SHARE);
}

// Adds the jump at piece `i` and joins it with earlier ones that are too near. Tests the lateral
// offset and the time before it.
static kerb_result add_turn(const plan_check* c, int32_t i, plan_check_turns* t) {
    if (t->count == PLAN_CHECK_TURNS) {
        for (int32_t k = 1; k < PLAN_CHECK_TURNS; k++)
            t->list[k - 1] = t->list[k];
        t->count--;
    }
    t->list[t->count++] = (plan_check_turn){i, i, change_into(c->plan, i)};
    while (t->count > 1 &&
           !check_wheels_are_apart(c, &t->list[t->count - 2], &t->list[t->count - 1])) {
        plan_check_turn *a = &t->list[t->count - 2], *b = &t->list[t->count - 1];
        a->last = b->last;
        a->change += b->change;
        t->count--;
    }
    const plan_check_turn* last = &t->list[t->count - 1];
    if (drifts_far(c, last))
        return kerb_in_plan_check_broken(c, "steering_time",
                                         last->first == last->last
                                             ? "is too fast for the wheels to turn"
                                             : "leaves the wheels no time to turn");
    double since = (double)c->plan->pieces[last->first].time - t->begun;
    double needed = t->rolling + 0.5 * kerb_in_plan_check_turning(c->limits, last->change);
    return t->count > 1 || since >= needed * (1.0 - 4.0 * PLAN_CHECK_SHARE) - 1e-4
               ? KERB_OK
               : kerb_in_plan_check_broken(c, "steering_time",
                                           "leaves the wheels no time after it sets off");
}

// Begins with piece `i` after a standstill, or as the first piece with a length.
static kerb_result begin_turns(const plan_check* c, int32_t i, plan_check_turns* t) {
    const kerb_plan_piece* p = &c->plan->pieces[i];
    const kerb_plan_piece* before = t->driven >= 0 ? &c->plan->pieces[t->driven] : NULL;
    kerb_result result = KERB_OK;
    double rolling = 0.0;
    bool turns_back = before && before->direction != p->direction;
    if (turns_back) {
        double stopped = (double)before->time + (double)before->duration;
        double turning =
            kerb_in_plan_check_turning(c->limits, (double)p->curvature - (double)before->curvature);
        rolling = 0.5 * plan_check_larger(turning - ((double)p->time - stopped), 0.0);
        const plan_check_turn* last = t->count > 0 ? &t->list[t->count - 1] : NULL;
        double needed =
            last ? rolling + 0.5 * kerb_in_plan_check_turning(c->limits, last->change) : 0.0;
        if (last && stopped - (double)c->plan->pieces[last->last].time <
                        needed * (1.0 - 4.0 * PLAN_CHECK_SHARE) - 1e-4)
            result = kerb_in_plan_check_broken(c, "steering_time",
                                               "leaves the wheels no time before it turns back");
    }
    t->count = 0;
    t->begun = turns_back ? (double)p->time : -1e9;
    t->rolling = rolling;
    return result;
}

plan_check_turns kerb_in_plan_check_turns_make(void) {
    return (plan_check_turns){.driven = -1, .begun = -1e9};
}

kerb_result kerb_in_plan_check_wheels(const plan_check* c, int32_t i, plan_check_turns* t) {
    const kerb_plan_piece* p = &c->plan->pieces[i];
    if (p->length == 0.0f)
        return KERB_OK;
    bool goes_on = t->driven == i - 1 && i > 0 && p[-1].direction == p->direction;
    kerb_result result = goes_on ? KERB_OK : begin_turns(c, i, t);
    t->driven = i;
    if (result == KERB_OK && change_into(c->plan, i) > 0.0)
        result = add_turn(c, i, t);
    return result;
}
