// Purpose: where and when a goal that moves can be met, and the plan to there.
// Idea:    Times from the lower bound on are tried (meet.c), each with a query of the planner.
// Where
//          the last query is not the plan to keep, its query is run again.
// Cost:    3 to 5 queries of the planner where nothing is in the way; one step where a plan goes
//          on.
// Source:  AIPATH 6.3.
#include "kerb/plan_chase.h"

#include "../planner/task.h"
#include "meet.h"

#include "kerb/plan_search.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

// What a chase does now.
enum { CHASE_SEEKING, CHASE_KEEPING, CHASE_AGAIN, CHASE_ENDED };

// Share of the tolerances that a plan may use. Fastest plans end at the edge of what they may,
// where the next sight of the target would find them outside.
#define CHASE_TOLERANCE 0.5f

kerb_plan_target kerb_plan_target_make(float x, float y, float heading, float speed) {
    return (kerb_plan_target){.pose = kerb_pose_make(x, y, heading),
                              .speed = speed,
                              .horizon = 60.0f,
                              .position_tolerance = 1.0f,
                              .heading_tolerance = 0.2f,
                              .speed_tolerance = 1.0f};
}

kerb_plan_end kerb_plan_target_at(const kerb_plan_target* target, float time) {
    KERB_ASSERT(target);
    kerb_plan_end end = {.speed = target->speed};
    if (target->end_at) {
        kerb_plan_end told = target->end_at(target->context, time);
        end.pose = told.pose;
        end.speed = told.speed;
    } else {
        float way = target->speed * time;
        float behind = target->speed < 0.0f ? -target->behind : target->behind;
        end.pose = curve_moved(target->pose, target->curvature, way - behind);
    }
    end.position_tolerance = target->position_tolerance;
    end.heading_tolerance = target->heading_tolerance;
    end.speed_tolerance = target->speed_tolerance;
    return end;
}

static kerb_result chase_check_range(float value, float least, float most, const char* field,
                                     kerb_error* error) {
    if (!kerb_is_finite(value))
        return kerb_error_set(error, KERB_ERROR_NOT_FINITE, field, 0, -1,
                              "must be a finite number");
    if (value < least || value > most)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, -1,
                              "of the target is out of its range");
    return KERB_OK;
}

static kerb_result chase_check(const kerb_plan_target* t, kerb_error* error) {
    const struct {
        float value, least, most;
        const char* field;
    } rows[] = {
        {t->speed, -200.0f, 200.0f, "speed"},
        {t->curvature, -10.0f, 10.0f, "curvature"},
        {t->behind, -1000.0f, 1000.0f, "behind"},
        {t->horizon, 0.0f, 3600.0f, "horizon"},
        {t->position_tolerance, 0.0f, KERB_POSITION_MAX, "position_tolerance"},
        {t->heading_tolerance, 0.0f, 1e6f, "heading_tolerance"},
        {t->speed_tolerance, 0.0f, 1e6f, "speed_tolerance"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kerb_result result =
            chase_check_range(rows[i].value, rows[i].least, rows[i].most, rows[i].field, error);
        if (result != KERB_OK)
            return result;
    }
    // Pose and speed of the own prediction too: as a goal.
    kerb_plan_end now = kerb_plan_target_at(t, 0.0f);
    kerb_plan_end start = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    return kerb_plan_query_validate(&(kerb_plan_query){&start, &now, 1, 1}, error);
}

// The least time that is not below the bound of the target's place then, from `time` on, as long as
// a bound falls no faster than the time passes: half of what is missing never goes past it then.
static float chase_first(const kerb_plan_chase* c, const kerb_plan_limits* limits,
                         int32_t heuristic, float time) {
    const kerb_plan_target* target = &c->target;
    const kerb_plan_bound_settings settings = {heuristic, KERB_PLAN_CIRCULAR,
                                               target->position_tolerance,
                                               target->heading_tolerance, target->speed_tolerance};
    float top = kerb_max(limits->speed_max, limits->reverse_speed_max);
    // A bound by the straight line knows no tolerances.
    float spared = heuristic == KERB_PLAN_EUCLIDEAN ? target->position_tolerance / top : 0.0f;
    for (int32_t i = 0; i < 32 && time < target->horizon; i++) {
        kerb_plan_end end = kerb_plan_target_at(target, time);
        float missing = kerb_plan_bound(limits, &settings, &c->start, &end) - spared - time;
        if (!(missing > 0.01f))
            break;
        time += 0.5f * missing;
    }
    return kerb_min(time, target->horizon);
}

// Forgets what the queries have found, and begins with the first time that the bounds allow.
static void chase_reset(kerb_plan_chase* c, const plan_task* t) {
    float bound = chase_first(c, &t->given, KERB_PLAN_EUCLIDEAN, 0.0f);
    c->made = (kerb_plan_meeting){.time_bound = bound};
    kerb_in_meet_begin(&c->search, chase_first(c, &t->given, KERB_PLAN_ADMISSIBLE, bound),
                       c->target.horizon, KERB_PLAN_CHASE_ACCURACY);
    c->search.low = bound;
    c->stage = CHASE_SEEKING;
    c->outcome = KERB_PLAN_RUNNING;
}

static void chase_end(kerb_plan_chase* c, int32_t outcome) {
    c->stage = CHASE_ENDED;
    c->outcome = outcome;
    c->made.tries = c->search.tries;
}

// Begins the query for a time.
static void chase_try(kerb_plan_chase* c, kerb_planner* planner, float time) {
    kerb_plan_end goal = kerb_plan_target_at(&c->target, time);
    const kerb_plan_query query = {&c->start, &goal, 1, 1};
    goal.position_tolerance *= CHASE_TOLERANCE;
    goal.heading_tolerance *= CHASE_TOLERANCE;
    goal.speed_tolerance *= CHASE_TOLERANCE;
    c->search.trying = time;
    c->search.tries++;
    // The host's prediction may have gone wrong.
    if (kerb_planner_begin(planner, &query, NULL) != KERB_OK)
        chase_end(c, KERB_PLAN_IMPOSSIBLE);
}

kerb_result kerb_plan_chase_begin(kerb_plan_chase* chase, kerb_planner* planner,
                                  const kerb_plan_end* start, const kerb_plan_target* target,
                                  kerb_error* error) {
    KERB_ASSERT(chase && planner && planner->memory && start && target);
    plan_task* t = planner->memory;
    kerb_in_plan_task_forget(t);
    *chase = (kerb_plan_chase){.stage = CHASE_ENDED, .outcome = KERB_PLAN_NO_PATH};
    kerb_result result = chase_check(target, error);
    if (result != KERB_OK)
        return result;
    kerb_plan_end goal = kerb_plan_target_at(target, 0.0f);
    result = kerb_plan_query_validate(&(kerb_plan_query){start, &goal, 1, 1}, error);
    if (result != KERB_OK)
        return result;
    chase->target = *target;
    chase->start = *start;
    chase_reset(chase, t);
    chase_try(chase, planner, chase->search.trying);
    return KERB_OK;
}

kerb_result kerb_plan_chase_begin_onward(kerb_plan_chase* chase, kerb_planner* planner, float time,
                                         float price, const kerb_plan_target* target,
                                         kerb_plan_end* start, kerb_error* error) {
    KERB_ASSERT(chase && planner && planner->memory && target);
    kerb_plan plan = kerb_planner_get_plan(planner);
    bool was_met = chase->made.is_met;
    float left = kerb_max(chase->made.time - time, 0.0f);
    kerb_result result = chase_check(target, error);
    chase->target = *target;
    const kerb_plan_end goals[2] = {kerb_plan_target_at(target, left),
                                    kerb_plan_target_at(target, left - price)};
    if (result == KERB_OK)
        result = kerb_planner_begin_onward(planner, &plan, time, price, goals,
                                           left > price && was_met ? 2 : 1, &chase->start, error);
    if (result != KERB_OK) {
        kerb_in_plan_task_forget(planner->memory);
        chase_end(chase, KERB_PLAN_NO_PATH);
        return result;
    }
    if (start)
        *start = chase->start;
    chase_reset(chase, planner->memory);
    chase->price = price;
    if (was_met && left <= target->horizon) {
        chase->stage = CHASE_KEEPING;
        chase->search.trying = left;
        chase->search.tries = 1;
    } else
        chase_try(chase, planner, chase->search.trying);
    return KERB_OK;
}

// Keeps a time whose plan the planner has.
static void chase_keep(kerb_plan_chase* c, float early) {
    c->made.is_met = early >= 0.0f;
    c->made.time = c->search.trying;
    c->made.early = early;
    chase_end(c, KERB_PLAN_FOUND);
}

// Runs the query of a time again, to have its plan.
static void chase_again(kerb_plan_chase* c, kerb_planner* planner, float time) {
    c->stage = CHASE_AGAIN;
    chase_try(c, planner, time);
}

static bool chase_is_same(const kerb_plan_end* a, const kerb_plan_end* b) {
    return a->pose.position.x == b->pose.position.x && a->pose.position.y == b->pose.position.y &&
           a->pose.forward.x == b->pose.forward.x && a->pose.forward.y == b->pose.forward.y &&
           a->speed == b->speed;
}

// Whether the target is at the same place when a plan that is late arrives.
static bool chase_is_waiting(const kerb_plan_chase* c, float late) {
    if (c->search.trying + late > c->target.horizon)
        return false;
    kerb_plan_end now = kerb_plan_target_at(&c->target, c->search.trying);
    kerb_plan_end then = kerb_plan_target_at(&c->target, c->search.trying + late);
    return chase_is_same(&now, &then);
}

// Notes a plan, and goes on.
static void chase_note(kerb_plan_chase* c, kerb_planner* planner, float early, int32_t outcome) {
    bool waits = early < 0.0f && early > -0.5f * KERB_PLAN_NEVER && chase_is_waiting(c, -early);
    switch (kerb_in_meet_note(&c->search, early, waits)) {
    case MEET_TRY:
        chase_try(c, planner, c->search.trying);
        break;
    case MEET_AGAIN:
        chase_again(c, planner, c->search.trying);
        break;
    case MEET_KEEP:
        chase_keep(c, c->search.early);
        break;
    case MEET_NONE:
    default:
        chase_end(c, c->search.low < c->target.horizon ? KERB_PLAN_BUDGET_SPENT : outcome);
        break;
    }
}

// The query on a plan that is being driven has ended. Its goals are the target's place at the
// meeting, and the one by the price before. Either the plan goes on, or others are sought from the
// better time on: with one goal, a query may find another plan.
static void chase_judge_kept(kerb_plan_chase* c, kerb_planner* planner, const kerb_plan* plan) {
    float early = c->search.trying - plan->time;
    c->stage = CHASE_SEEKING;
    // The rest of a plan that was in time is so but for the rounding of times.
    if (kerb_planner_goes_on(planner) && early >= -0.5f * KERB_PLAN_CHASE_ACCURACY) {
        chase_keep(c, kerb_max(early, 0.0f));
        c->made.goes_on = true;
    } else
        chase_try(c, planner, plan->goal == 1 ? c->search.trying - c->price : c->search.trying);
}

// The planner's query has ended.
static void chase_judge(kerb_plan_chase* c, kerb_planner* planner, int32_t outcome) {
    kerb_plan plan = kerb_planner_get_plan(planner);
    bool is_found = outcome == KERB_PLAN_FOUND && plan.count > 0;
    float early = is_found ? c->search.trying - plan.time : -KERB_PLAN_NEVER;
    if (outcome == KERB_PLAN_CANCELLED || outcome == KERB_PLAN_WORLD_CHANGED ||
        (c->stage == CHASE_AGAIN && !is_found))
        chase_end(c, outcome);
    else if (c->stage == CHASE_AGAIN)
        chase_keep(c, early);
    else if (c->stage == CHASE_KEEPING)
        chase_judge_kept(c, planner, &plan);
    else
        chase_note(c, planner, early, outcome);
}

kerb_plan_outcome kerb_plan_chase_advance(kerb_plan_chase* chase, kerb_planner* planner,
                                          int32_t steps) {
    KERB_ASSERT(chase && planner && planner->memory && steps >= 0);
    const plan_task* t = planner->memory;
    while (chase->stage != CHASE_ENDED && steps > 0) {
        int32_t before = t->steps;
        kerb_plan_outcome outcome = kerb_planner_advance(planner, steps);
        steps -= t->steps - before;
        chase->steps += t->steps - before;
        if (outcome != KERB_PLAN_RUNNING)
            chase_judge(chase, planner, (int32_t)outcome);
    }
    return (kerb_plan_outcome)chase->outcome;
}

kerb_plan_meeting kerb_plan_chase_meeting(const kerb_plan_chase* chase) {
    KERB_ASSERT(chase);
    return chase->made;
}
