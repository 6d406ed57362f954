// Purpose: the starts of a query, in bends that vehicles are in already.
// Idea:    A start may be a state of a plan, which rounding has made a little too fast for its
// bend:
//          it counts as one that is just fast enough. All others that are too fast have no plan.
// Cost:    O(starts).
#include "task.h"

// Share by which the squared speed of a start may exceed what its bend allows: rounding of the
// states of plans. [1]
#define START_SLACK 1e-4f

bool kerb_in_plan_task_may_begin(const plan_task* t, int32_t origin) {
    const kerb_plan_end* from = &t->origins[origin];
    float cap = kerb_in_plan_cap(&t->given_rates, from->curvature, from->speed < 0.0f);
    bool is_free = !(t->given_rates.rate > 0.0f) || from->speed == 0.0f;
    return is_free || from->speed * from->speed <= cap * (1.0f + START_SLACK);
}

// The wheels turn no farther than plans do, and a state of a plan may be faster than its bend
// allows by rounding.
static void start_hold(const plan_task* t, kerb_plan_end* start) {
    const plan_rates* rates = &t->given_rates;
    if (!(rates->rate > 0.0f))
        return;
    start->curvature = kerb_clamp(start->curvature, -rates->bend_most, rates->bend_most);
    float cap = kerb_in_plan_cap(rates, start->curvature, start->speed < 0.0f);
    float square = start->speed * start->speed;
    if (square > cap && square <= cap * (1.0f + START_SLACK))
        start->speed = start->speed < 0.0f ? -kerb_sqrt(cap) : kerb_sqrt(cap);
}

void kerb_in_plan_task_lead_none(plan_task* t, int32_t count) {
    t->origin_count = t->start_count = count;
    t->leads_struck = 0;
    t->is_led = t->can_stop = t->ends_straight = false;
    for (int32_t i = 0; i < count; i++) {
        start_hold(t, &t->origins[i]);
        t->starts[i] = t->origins[i];
        t->origin_of[i] = i;
    }
}
