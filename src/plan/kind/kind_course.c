// Purpose: plans along a row of given states.
// Idea:    A leg is planned from the state that the leg before it ends with, so that all legs
//          together are one plan. A leg that turns a loop or waits is compared with those to the
//          next places, and the best is taken.
// Cost:    a plan for each place, and up to CHART_SKIPPED more where one is bad.
#include "kerb/kind_course.h"

#include "kind_planner.h"

#include "../../base/shared.h"

#include <string.h>

// Chosen by trial on the courses of kerb follow --kinds.

// Places that may be left out, one after another.
#define CHART_SKIPPED 4
// A leg longer than this many times the way between its places turns a loop, and one that takes
// longer than this many times the time at their speeds slows down for its end.
#define CHART_DETOUR 1.1f
#define CHART_DELAY 1.5f
// The same as a factor where an end is at rest.
#define CHART_REST 3.0f
// Badness of a leg that was not found.
#define CHART_NONE 1e9f

static const float* chart_state(const float* states, int32_t place) {
    return states + (size_t)place * KERB_KIND_STATES_MAX;
}

// Speed of the reference point at a state, without controls.
static float chart_speed(const kerb_kind* kind, const float* state) {
    float rates[KERB_KIND_STATES_MAX] = {0.0f}, control[KERB_KIND_CONTROLS_MAX] = {0.0f};
    kind->rates(kind->vehicle, state, control, rates);
    return kerb_vec3_length(kerb_vec3_make(rates[0], rates[1], kind->space ? rates[2] : 0.0f));
}

static float chart_way(const kerb_kind* kind, const float* from, const float* to) {
    float rise = kind->space ? to[2] - from[2] : 0.0f;
    return kerb_vec3_length(kerb_vec3_make(to[0] - from[0], to[1] - from[1], rise));
}

// How much longer a leg is, or takes, than it may; 1 and less is good.
static float chart_badness(const kerb_kind_course* c, const kerb_kind* kind,
                           const kerb_kind_plan* leg) {
    if (leg->count < 1)
        return CHART_NONE;
    float way = 0.0f, least = 0.0f, slow = 1.0f;
    for (int32_t i = c->place; i < c->next; i++) {
        const float *a = chart_state(c->at, i), *b = chart_state(c->at, i + 1);
        float part = chart_way(kind, a, b), first = chart_speed(kind, a),
              last = chart_speed(kind, b);
        bool stands = !(first > 0.0f) || !(last > 0.0f);
        slow = stands ? CHART_REST : slow;
        way += part;
        least += part / kerb_max(stands ? kerb_max(first, last) : 0.5f * (first + last), 1e-6f);
    }
    return kerb_max(leg->length / (CHART_DETOUR * kerb_max(way, 1e-6f)),
                    leg->time / (CHART_DELAY * slow * kerb_max(least, 1e-6f)));
}

// Adds a leg to the plan. False: there is no room for it.
static bool chart_append(kerb_kind_course* c, const kerb_kind_plan* leg) {
    const size_t row = KERB_KIND_STATES_MAX, control = KERB_KIND_CONTROLS_MAX;
    kerb_kind_plan* plan = &c->plan;
    if (plan->count + leg->count > c->memory.pieces)
        return false;
    size_t at = (size_t)plan->count, count = (size_t)leg->count;
    memcpy(c->memory.states + at * row, leg->states, (count + 1) * row * sizeof(float));
    memcpy(c->memory.controls + at * control, leg->controls, count * control * sizeof(float));
    memcpy(c->memory.gains + at * control * row, leg->gains, count * control * row * sizeof(float));
    for (size_t i = 0; i <= count; i++)
        c->memory.times[at + i] = plan->time + leg->times[i];
    plan->count += leg->count;
    plan->time += leg->time;
    plan->length += leg->length;
    plan->lower_bound += leg->lower_bound;
    plan->steps += leg->steps;
    return true;
}

// Begins the leg to `next`.
static void chart_begin_leg(kerb_kind_course* c, kerb_kind_planner* planner) {
    const float* from =
        c->plan.count > 0 ? chart_state(c->memory.states, c->plan.count) : chart_state(c->at, 0);
    float here[KERB_KIND_STATES_MAX], there[KERB_KIND_STATES_MAX];
    memcpy(here, from, sizeof here);
    memcpy(there, chart_state(c->rests ? c->resting : c->at, c->next), sizeof there);
    if (kerb_kind_planner_begin(planner, here, there, NULL) != KERB_OK)
        kerb_in_kind_planner_forget(planner);
}

// Begins the legs from the place that was reached.
static void chart_go_on(kerb_kind_course* c, kerb_kind_planner* planner) {
    c->next = c->place + 1;
    c->best = c->place;
    c->badness = CHART_NONE;
    c->repeats = false;
    chart_begin_leg(c, planner);
}

static kerb_kind_course_mark chart_mark(const kerb_kind_course* c) {
    const kerb_kind_plan* p = &c->plan;
    kerb_kind_course_mark mark = {c->place, p->count, p->steps, p->time, p->length, p->lower_bound};
    return mark;
}

static void chart_return(kerb_kind_course* c, kerb_kind_course_mark mark) {
    c->place = mark.place;
    c->plan.count = mark.count;
    c->plan.steps = mark.steps;
    c->plan.time = mark.time;
    c->plan.length = mark.length;
    c->plan.lower_bound = mark.lower_bound;
}

// The last place is tried from the place before this one. False: that was done, or is too far.
static bool chart_go_back(kerb_kind_course* c, kerb_kind_planner* planner) {
    if (c->before.place < 0 || c->places - 1 - c->before.place > 1 + CHART_SKIPPED)
        return false;
    c->after = chart_mark(c);
    chart_return(c, c->before);
    c->before.place = -1;
    chart_begin_leg(c, planner);
    return true;
}

// A leg is taken: it ends at `next`.
static void chart_take(kerb_kind_course* c, kerb_kind_planner* planner, const kerb_kind_plan* leg) {
    kerb_kind_course_mark mark = chart_mark(c);
    if (leg->count < 1 || !chart_append(c, leg)) {
        c->outcome = KERB_PLAN_BUDGET_SPENT;
        return;
    }
    c->before = mark;
    c->place = c->next;
    c->rests = false;
    if (c->place + 1 < c->places)
        chart_go_on(c, planner);
    else
        c->outcome = KERB_PLAN_FOUND;
}

// The leg to `next` has ended, found or not.
static void chart_judge(kerb_kind_course* c, kerb_kind_planner* planner) {
    kerb_kind_plan leg = kerb_kind_planner_get_plan(planner);
    int32_t most = c->place + 1 + CHART_SKIPPED;
    most = most < c->places - 1 ? most : c->places - 1;
    float badness = chart_badness(c, kerb_in_kind_planned(planner), &leg);
    if (c->after.place >= 0) {
        kerb_kind_course_mark after = c->after;
        c->after.place = -1;
        if (badness <= 1.0f) {
            chart_take(c, planner, &leg);
            return;
        }
        chart_return(c, after); // to the best from there
        badness = CHART_NONE;
    }
    if (badness < c->badness) {
        c->badness = badness;
        c->best = c->next;
    }
    if (c->repeats || badness <= 1.0f) {
        chart_take(c, planner, &leg);
    } else if (c->next < most) {
        c->next++;
        chart_begin_leg(c, planner);
    } else if (!c->rests && c->next == c->places - 1 && chart_go_back(c, planner)) {
        return;
    } else if (c->best > c->place) {
        c->next = c->best;
        c->repeats = true;
        chart_begin_leg(c, planner);
    } else if (c->resting && !c->rests) {
        c->rests = true;
        chart_go_on(c, planner);
    } else {
        c->outcome = KERB_PLAN_BUDGET_SPENT;
    }
}

kerb_result kerb_kind_course_begin(kerb_kind_course* course, kerb_kind_planner* planner,
                                   const float* at, const float* resting, int32_t places,
                                   const kerb_kind_course_memory* memory, kerb_error* error) {
    KERB_ASSERT(course && planner && at && memory);
    KERB_ASSERT(memory->states && memory->controls && memory->gains && memory->times);
    *course = (kerb_kind_course){.at = at,
                                 .resting = resting,
                                 .places = places,
                                 .memory = *memory,
                                 .before = {.place = -1},
                                 .after = {.place = -1},
                                 .outcome = KERB_PLAN_IMPOSSIBLE};
    kerb_kind_plan plan = {.states = memory->states,
                           .controls = memory->controls,
                           .gains = memory->gains,
                           .times = memory->times};
    course->plan = plan;
    if (places < 2)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "places", 0, -1, "needs two places");
    if (memory->pieces < 1)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "pieces", 0, -1, "needs room");
    course->outcome = KERB_PLAN_RUNNING;
    chart_go_on(course, planner);
    return KERB_OK;
}

kerb_plan_outcome kerb_kind_course_advance(kerb_kind_course* course, kerb_kind_planner* planner,
                                           int32_t steps) {
    KERB_ASSERT(course && planner && steps >= 0);
    if (course->outcome == KERB_PLAN_RUNNING &&
        kerb_kind_planner_advance(planner, steps) != KERB_PLAN_RUNNING)
        chart_judge(course, planner);
    return (kerb_plan_outcome)course->outcome;
}
