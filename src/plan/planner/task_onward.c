// Purpose: a plan that is being driven goes on as it was, unless another is better by more than a
//          price.
// Idea:    The rest of the plan is one more path of the new query, from the very state that the
//          plan has now. Its cost is known before any search. It is shown as long as no other path
//          costs less by more than the price; where none can, there is nothing to search for.
// Cost:    O(pieces) and one question per arc whether it is free.
#include "kerb/plan_onward.h"

#include "task.h"

#include "../../base/shared.h"
#include "../model/piece.h"

// Least clearance of gaps that the rest of a plan may pass. The plan was found with more. [m]
#define ONWARD_ROOM 0.01f
// Accepted distance of the end from the goal, in all and over the coordinates, angle, and
// difference of speed: rounding errors of a plan. [m], [1], [rad], [m/s]
#define ONWARD_PLACE 1e-3f
#define ONWARD_SHARE 5e-6f
#define ONWARD_HEADING 3e-4f
#define ONWARD_SPEED 1e-3f

// The rest of a piece, with the state of the plan at `time` as its start.
static kerb_plan_piece onward_cut(const kerb_plan_piece* p, const kerb_plan_state* now) {
    kerb_plan_piece rest = *p;
    float passed = kerb_clamp(now->time - p->time, 0.0f, p->duration);
    float driven = (p->speed + 0.5f * p->acceleration * passed) * passed;
    rest.start = p->length > 0.0f ? now->pose : p->start;
    rest.duration = p->duration - passed;
    rest.length = p->length - kerb_clamp(driven, 0.0f, p->length);
    rest.curvature = now->curvature;
    rest.curvature_change = p->curvature + p->curvature_change - now->curvature;
    rest.speed = kerb_abs(now->speed);
    return rest;
}

// Writes the rest of a plan from a time on and returns its number of pieces. The plan may have its
// pieces in the same memory.
static int32_t onward_pieces(const kerb_plan* plan, float time, kerb_plan_piece* pieces) {
    kerb_plan_state now = kerb_plan_at(plan, time);
    int32_t count = 0;
    float begun = 0.0f;
    for (int32_t i = 0; i < plan->count && count < PLAN_TASK_PIECES; i++) {
        kerb_plan_piece p = plan->pieces[i];
        bool is_last = i + 1 == plan->count;
        if (p.time + p.duration <= now.time && !is_last)
            continue;
        if (count == 0)
            p = onward_cut(&p, &now);
        p.time = begun;
        begun += p.duration;
        pieces[count++] = p;
    }
    return count;
}

static float onward_end_speed(const kerb_plan_piece* last) {
    float speed = kerb_max(last->speed + last->acceleration * last->duration, 0.0f);
    return last->direction < 0 ? -speed : speed;
}

// The goal at which the rest ends; -1: at none of them.
static int32_t onward_goal(const kerb_plan_end* goals, int32_t count, kerb_pose end, float speed) {
    for (int32_t i = 0; i < count; i++) {
        kerb_vec2 away = kerb_vec2_sub(end.position, goals[i].pose.position);
        kerb_vec2 f = goals[i].pose.forward, g = end.forward;
        float turn = kerb_abs(kerb_atan2(kerb_vec2_cross(f, g), kerb_vec2_dot(f, g)));
        float most = goals[i].position_tolerance + ONWARD_PLACE +
                     ONWARD_SHARE * (kerb_abs(end.position.x) + kerb_abs(end.position.y));
        if (kerb_vec2_dot(away, away) <= most * most &&
            turn <= goals[i].heading_tolerance + ONWARD_HEADING &&
            kerb_abs(speed - goals[i].speed) <= goals[i].speed_tolerance + ONWARD_SPEED)
            return i;
    }
    return -1;
}

static bool onward_is_free(const plan_space* space, const kerb_plan_piece* pieces, int32_t count) {
    for (int32_t i = 0; space->is_bend_free && i < count; i++) {
        const kerb_plan_piece* p = &pieces[i];
        plan_clothoid bend = {p->start, p->curvature, p->curvature_change,
                              p->direction < 0 ? -p->length : p->length, 0.0f};
        if (p->length > 0.0f && !space->is_bend_free(space->context, &bend))
            return false;
    }
    return true;
}

static kerb_result onward_check(const kerb_plan* plan, float time, float price, kerb_error* error) {
    const float values[2] = {time, price};
    static const char* const names[2] = {"time", "price"};
    if (plan->count < 1 || !plan->pieces)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no plan");
    for (int32_t i = 0; i < 2; i++) {
        if (!kerb_is_finite(values[i]))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, names[i], 0, -1,
                                  "must be a finite number");
        if (values[i] < 0.0f)
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, names[i], 0, -1,
                                  "must not be less than 0");
    }
    return KERB_OK;
}

// Shows the rest, where it still leads to a goal and is free.
static void onward_take(plan_task* t, const plan_site* site, int32_t count, int32_t method) {
    const kerb_plan_piece* last = &t->pieces[count - 1];
    float speed = onward_end_speed(last);
    kerb_pose end = plan_piece_pose(last, last->length);
    int32_t goal = onward_goal(t->goals, t->goal_count, end, speed);
    plan_probe probe = kerb_in_plan_task_probe(t, site);
    probe.room = ONWARD_ROOM;
    const plan_space space = kerb_in_plan_task_space(&probe);
    if (t->pair_count == 0 || goal < 0 || !onward_is_free(&space, t->pieces, count))
        return;
    plan_pair pair = {0, t->aim_count + 1, 0.0f};
    t->aims[pair.aim] =
        (plan_aim){{.pose = end, .speed = speed, .penalty = t->goals[goal].penalty}, goal};
    t->shown = (plan_shown){.count = count,
                            .method = method,
                            .pair = pair,
                            .toll = kerb_in_plan_pieces_toll(&space, t->pieces, count)};
    kerb_in_plan_task_measure(t);
    t->shown.cost = t->shown.time + t->shown.toll + kerb_in_plan_task_given_penalties(t, pair);
    t->shown.of = ++t->changes;
    t->is_onward = true;
}

kerb_result kerb_planner_begin_onward(kerb_planner* planner, const kerb_plan* plan, float time,
                                      float price, const kerb_plan_end* goals, int32_t goal_count,
                                      kerb_plan_end* start, kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && plan);
    plan_task* t = planner->memory;
    kerb_result result = onward_check(plan, time, price, error);
    if (result != KERB_OK) {
        kerb_in_plan_task_forget(t);
        return result;
    }
    kerb_plan_state now = kerb_plan_at(plan, time);
    const kerb_plan_end from = {.pose = now.pose, .speed = now.speed, .curvature = now.curvature};
    const kerb_plan_query query = {&from, goals, 1, goal_count};
    // The pieces may lie in the planner's own memory, where a query shows others with its first
    // step at the earliest.
    int32_t count = onward_pieces(plan, time, t->pieces), method = plan->method;
    result = kerb_planner_begin(planner, &query, error);
    if (result != KERB_OK)
        return result;
    t->price = price;
    onward_take(t, planner->world_memory, count, method);
    if (start)
        *start = from;
    return KERB_OK;
}

bool kerb_planner_goes_on(const kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    const plan_task* t = planner->memory;
    return t->is_onward && !t->is_direct;
}
