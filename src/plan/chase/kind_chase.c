// Purpose: where and when a place that moves can be met by any kind of vehicle, and the plan to it.
// Idea:    As for vehicles with wheels (chase.c, meet.c): times are tried, each with a query of the
//          planner of kinds, from the first one on that the kind's bound allows. The query of the
//          time that is chosen is run once more, and told to take so long.
// Cost:    3 to 6 queries of the planner where nothing is in the way.
// Source:  AIPATH 6.3.
#include "kerb/kind_chase.h"

#include "../kind/kind_planner.h"
#include "meet.h"

#include "../../base/shared.h"

#include <string.h>

// What a chase does now.
enum { KIND_CHASE_ENDED, KIND_CHASE_SEEKING, KIND_CHASE_PUNCTUAL, KIND_CHASE_EARLY };

// Times of plans in the plane are near the shortest to about this share, as settings.shortening
// says; a search for less would look for what is not there. [1]
#define KIND_CHASE_SHARE 0.02f
// Where no plan takes as long as the target, as what cannot stop has no room for a longer way,
// times later by this share are tried. [1]
#define KIND_CHASE_LATER 0.1f
// Errors of times by rounding. [s]
#define KIND_CHASE_PUNCTUALITY 1e-3f
// Greatest speed and curvature of a target. [m/s], [1/m]
#define KIND_CHASE_SPEED_MOST 1e3f
#define KIND_CHASE_CURVATURE_MOST 10.0f
#define KIND_CHASE_HORIZON_MOST 3600.0f
#define KIND_CHASE_PLACE_MOST 1e6f

kerb_kind_target kerb_kind_target_make(kerb_kind_place place) {
    kerb_kind_target target = {.place = place, .horizon = 600.0f};
    return target;
}

kerb_kind_place kerb_kind_target_at(const kerb_kind_target* target, float time) {
    KERB_ASSERT(target);
    return target->place_at ? target->place_at(target->context, time)
                            : kerb_kind_place_after(&target->place, time);
}

static kerb_result chase_check_place(const kerb_kind_place* p, kerb_error* error) {
    float length = kerb_vec3_length(p->forward);
    if (!kerb_is_finite(length) || !kerb_is_finite(kerb_vec3_length(p->position)) ||
        !kerb_is_finite(p->speed) || !kerb_is_finite(p->curvature))
        return kerb_error_set(error, KERB_ERROR_NOT_FINITE, "place", 0, -1,
                              "must have finite numbers");
    if (!(kerb_abs(length - 1.0f) < 0.01f) || !(p->speed >= 0.0f) ||
        !(p->speed <= KIND_CHASE_SPEED_MOST) ||
        !(kerb_abs(p->curvature) <= KIND_CHASE_CURVATURE_MOST) ||
        !(kerb_vec3_length(p->position) <= KIND_CHASE_PLACE_MOST))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "place", 0, -1,
                              "needs a direction of length 1, and numbers within their ranges");
    return KERB_OK;
}

static void kind_chase_end(kerb_kind_chase* c, int32_t outcome) {
    c->stage = KIND_CHASE_ENDED;
    c->outcome = outcome;
    c->made.tries = c->search.tries;
}

static void kind_chase_goal(const kerb_kind_chase* c, const kerb_kind* kind, float time,
                            float* goal) {
    kerb_kind_place place = kerb_kind_target_at(&c->target, time);
    kerb_kind_state_at(kind, &place, goal, NULL);
}

// The least time that is not below the bound of the target's place then, as long as a bound falls
// no faster than the time passes: half of what is missing never goes past it then.
static float kind_chase_first(const kerb_kind_chase* c, const kerb_kind* kind) {
    float time = 0.0f;
    for (int32_t i = 0; i < 32 && time < c->target.horizon; i++) {
        float goal[KERB_KIND_STATES_MAX];
        kind_chase_goal(c, kind, time, goal);
        float missing = kind->bound(kind->vehicle, c->start, goal) - time;
        if (!(missing > 0.01f))
            break;
        time += 0.5f * missing;
    }
    return kerb_min(time, c->target.horizon);
}

// Begins the query for the time that is tried.
static void kind_chase_try(kerb_kind_chase* c, kerb_kind_planner* planner) {
    const kerb_kind* kind = kerb_in_kind_planned(planner);
    float goal[KERB_KIND_STATES_MAX];
    kind_chase_goal(c, kind, c->search.trying, goal);
    c->search.tries++;
    // The host's prediction may have gone wrong.
    if (kerb_kind_planner_begin(planner, c->start, goal, NULL) != KERB_OK)
        kind_chase_end(c, KERB_PLAN_IMPOSSIBLE);
    else if (c->stage == KIND_CHASE_PUNCTUAL)
        kerb_in_kind_take_time(planner, c->search.trying,
                               kerb_kind_target_at(&c->target, c->search.trying).curvature);
}

kerb_result kerb_kind_chase_begin(kerb_kind_chase* chase, kerb_kind_planner* planner,
                                  const float* from, const kerb_kind_target* target,
                                  kerb_error* error) {
    KERB_ASSERT(chase && planner && planner->memory && from && target);
    const kerb_kind* kind = kerb_in_kind_planned(planner);
    *chase = (kerb_kind_chase){.outcome = KERB_PLAN_NO_PATH, .target = *target};
    kerb_in_kind_planner_forget(planner);
    if (!(target->horizon >= 0.0f && target->horizon <= KIND_CHASE_HORIZON_MOST))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "horizon", 0, -1,
                              "of the target must be 0 to 3600 s");
    kerb_kind_place now = kerb_kind_target_at(target, 0.0f);
    kerb_result result = chase_check_place(&now, error);
    if (result == KERB_OK) // checks the start, too
        result = kerb_kind_planner_begin(planner, from, from, error);
    if (result != KERB_OK)
        return result;
    memcpy(chase->start, from, sizeof(float) * (size_t)kind->states);
    float first = kind_chase_first(chase, kind);
    chase->made.time_bound = first;
    float share = planner->in_space ? 0.0f : KIND_CHASE_SHARE;
    kerb_in_meet_begin(&chase->search, first, target->horizon,
                       kerb_max(KERB_PLAN_CHASE_ACCURACY, share * first));
    chase->stage = KIND_CHASE_SEEKING;
    chase->outcome = KERB_PLAN_RUNNING;
    kind_chase_try(chase, planner);
    return KERB_OK;
}

// Keeps the plan of the time that was tried.
static void kind_chase_keep(kerb_kind_chase* c, float early) {
    c->made.is_met = early >= -KIND_CHASE_PUNCTUALITY;
    c->made.early = c->made.is_met ? kerb_max(early, 0.0f) : early;
    c->made.time = c->search.trying;
    kind_chase_end(c, KERB_PLAN_FOUND);
}

// Whether plans can take longer than the fastest ones.
static bool kind_chase_waits(const kerb_kind_planner* planner) {
    const kerb_kind_space* space = kerb_in_kind_planned(planner)->space;
    return !space || space->connect_in;
}

// A plan that could not be made to take as long as the target: a later meeting leaves more room for
// a longer way. False: the last one tried was late enough, or there is no time for others.
static bool kind_chase_delay(kerb_kind_chase* c, kerb_kind_planner* planner, float early) {
    float later = c->search.trying + kerb_max(kerb_abs(early), KIND_CHASE_LATER * c->search.trying);
    if (!planner->in_space || c->search.high < 0.0f || kerb_abs(early) <= KIND_CHASE_PUNCTUALITY ||
        !(later <= c->target.horizon) || c->search.tries >= 2 * KERB_PLAN_CHASE_TRIES_MAX)
        return false;
    c->search.trying = later;
    return true;
}

static bool kind_chase_is_spent(const kerb_kind_chase* c, const kerb_kind_planner* planner,
                                float early) {
    return c->stage == KIND_CHASE_PUNCTUAL && planner->in_space &&
           kerb_abs(early) > KIND_CHASE_PUNCTUALITY && c->search.trying > c->search.high &&
           c->search.high >= 0.0f;
}

static void kind_chase_note(kerb_kind_chase* c, kerb_kind_planner* planner, float early,
                            int32_t outcome) {
    bool waits = !c->target.place_at && c->target.place.speed == 0.0f && early < 0.0f &&
                 c->search.trying - early <= c->target.horizon;
    meet_next next = kerb_in_meet_note(&c->search, early, waits);
    bool is_exact = !kind_chase_waits(planner) || c->search.early <= KIND_CHASE_PUNCTUALITY;
    if (next == MEET_KEEP && is_exact) {
        kind_chase_keep(c, c->search.early);
        return;
    }
    if (next == MEET_NONE) {
        kind_chase_end(c, c->search.low < c->target.horizon ? KERB_PLAN_BUDGET_SPENT : outcome);
        return;
    }
    if (next != MEET_TRY)
        c->stage = KIND_CHASE_PUNCTUAL;
    kind_chase_try(c, planner);
}

// The planner's query has ended.
static void kind_chase_judge(kerb_kind_chase* c, kerb_kind_planner* planner, int32_t outcome) {
    kerb_kind_plan plan = kerb_kind_planner_get_plan(planner);
    bool is_found = outcome == KERB_PLAN_FOUND && plan.count > 0;
    float early = is_found ? c->search.trying - plan.time : -KERB_PLAN_NEVER;
    bool is_late = early < -KIND_CHASE_PUNCTUALITY;
    if (c->stage == KIND_CHASE_SEEKING) {
        kind_chase_note(c, planner, early, outcome);
    } else if (c->stage == KIND_CHASE_PUNCTUAL && kind_chase_delay(c, planner, early)) {
        kind_chase_try(c, planner);
    } else if (kind_chase_is_spent(c, planner, early)) {
        c->search.trying = c->search.high; // as early as it has to be
        c->stage = KIND_CHASE_EARLY;
        kind_chase_try(c, planner);
    } else if (is_late && c->stage == KIND_CHASE_PUNCTUAL && c->search.high == c->search.trying) {
        c->stage = KIND_CHASE_EARLY; // the last cut to the very time has failed
        kind_chase_try(c, planner);
    } else if (is_found) {
        kind_chase_keep(c, early);
    } else {
        kind_chase_end(c, outcome);
    }
}

kerb_plan_outcome kerb_kind_chase_advance(kerb_kind_chase* chase, kerb_kind_planner* planner,
                                          int32_t steps) {
    KERB_ASSERT(chase && planner && planner->memory && steps >= 0);
    while (chase->stage != KIND_CHASE_ENDED && steps > 0) {
        int32_t before = kerb_in_kind_steps(planner);
        kerb_plan_outcome outcome = kerb_kind_planner_advance(planner, steps);
        int32_t done = kerb_in_kind_steps(planner) - before;
        steps -= done > 0 ? done : 1; // one that ends at once
        if (outcome != KERB_PLAN_RUNNING)
            kind_chase_judge(chase, planner, (int32_t)outcome);
    }
    return (kerb_plan_outcome)chase->outcome;
}

kerb_plan_meeting kerb_kind_chase_meeting(const kerb_kind_chase* chase) {
    KERB_ASSERT(chase);
    return chase->made;
}
