// Purpose: the plan that a planner shows at the end of a slice.
// Idea:    It follows from the paths of the task in their present state and changes none of them.
//          So no decision depends on where slices end. The pieces are made anew only where a path
//          has changed since.
// Cost:    O(arcs); up to 22 speed profiles where the goal has a tolerance of speed.
#include "kerb/plan_search.h"

#include "task.h"

#include <string.h>

// Greatest number of pieces with clothoids over that of arcs. [1]
#define TASK_SHOW_PIECES 24

static int32_t plan_task_travel_of(const kerb_plan_end* end) {
    return end->speed < 0.0f ? -1 : 1;
}

// The best path that shots and routes have found.
static plan_candidate task_base(const plan_task* t, const plan_site* site) {
    plan_candidate none = {.method = KERB_PLAN_METHOD_NONE, .cost = KERB_PLAN_NEVER};
    const plan_shot* shot = &t->volley.shots[0];
    if (!(t->cost < KERB_PLAN_NEVER))
        return none;
    return t->method == KERB_PLAN_METHOD_ANALYTIC
               ? kerb_in_plan_task_candidate(t, site, t->found, t->method, shot->arcs, shot->count)
               : kerb_in_plan_task_candidate(t, site, t->found, t->method, t->kept.arcs,
                                             t->kept.count);
}

// The best path of the task in its present state.
static plan_candidate task_best(const plan_task* t, const plan_site* site) {
    plan_candidate now =
        t->polished ? kerb_in_plan_task_polished(t) : kerb_in_plan_task_route(t, site);
    return now.cost < t->cost ? now : task_base(t, site);
}

plan_candidate kerb_in_plan_task_path(const plan_task* t, const plan_site* site) {
    return t->shown.is_base ? task_base(t, site) : task_best(t, site);
}

void kerb_in_plan_task_measure(plan_task* t) {
    plan_shown* shown = &t->shown;
    shown->time = shown->length = 0.0f;
    for (int32_t i = 0; i < shown->count; i++) {
        shown->time = t->pieces[i].time + t->pieces[i].duration;
        shown->length += t->pieces[i].length;
    }
}

bool kerb_in_plan_task_is_onward_enough(const plan_task* t) {
    return t->is_onward && t->shown.cost <= t->lower_bound + t->price;
}

// Curvature of the wheels at a start, where it counts. [1/m]
static float task_show_wheels(const plan_task* t, const kerb_plan_end* start) {
    float most = t->given_rates.bend_most;
    return t->rates.rate > 0.0f ? kerb_clamp(start->curvature, -most, most) : 0.0f;
}

static bool task_show_has_length(const plan_arc* arcs, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (kerb_abs(arcs[i].length) > 0.0f)
            return true;
    return false;
}

int32_t kerb_in_plan_task_pieces(plan_task* t, const plan_space* space, int32_t start,
                                 const plan_arc* arcs, int32_t count, float speed_goal,
                                 kerb_plan_piece* pieces) {
    return kerb_in_plan_bends_pieces(&t->bends, &t->rates, &t->given_rates, space,
                                     t->is_led ? &t->leads[start] : NULL, &t->starts[start], arcs,
                                     count, speed_goal, pieces);
}

static int32_t task_show_pieces(plan_task* t, const plan_space* space, const plan_candidate* c) {
    return kerb_in_plan_task_pieces(t, space, c->pair.start, c->arcs, c->count, c->speed_goal,
                                    t->pieces);
}

// Whether the pieces of a path can be made and cost less by the price than those that are shown.
// These wait at the end of their memory.
static bool task_show_may_leave(plan_task* t, const plan_site* site, const plan_candidate* best) {
    int32_t kept = t->shown.count, most = TASK_SHOW_PIECES * best->count;
    if (t->rates.rate == 0.0f)
        return true;
    if (most > PLAN_TASK_PIECES - kept)
        return false;
    kerb_plan_piece* there = &t->pieces[PLAN_TASK_PIECES - kept];
    memmove(there, t->pieces, (size_t)kept * sizeof *there);
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    int32_t made = task_show_pieces(t, &space, best);
    float cost = KERB_PLAN_NEVER;
    if (made > 0)
        cost = t->pieces[made - 1].time + t->pieces[made - 1].duration +
               kerb_in_plan_pieces_toll(&space, t->pieces, made) +
               kerb_in_plan_task_given_penalties(t, best->pair);
    memmove(t->pieces, there, (size_t)kept * sizeof *there);
    return cost + t->price < t->shown.cost;
}

void kerb_in_plan_task_show(plan_task* t, const plan_site* site) {
    if (t->shown.of == t->changes)
        return;
    plan_candidate best = task_best(t, site);
    bool goes_on = t->is_onward && (best.method == KERB_PLAN_METHOD_NONE ||
                                    !(best.cost + t->price < t->shown.cost));
    // Or the wheels cannot follow the other path from where they are.
    goes_on = goes_on || (t->is_onward && !task_show_may_leave(t, site, &best));
    if (goes_on) { // the plan of an earlier query is still the best one
        t->shown.of = t->changes;
        return;
    }
    t->is_onward = t->is_direct = false;
    t->shown = (plan_shown){.of = t->changes,
                            .method = best.method,
                            .pair = best.pair,
                            .origin = t->origin_of[best.pair.start],
                            .cost = KERB_PLAN_NEVER};
    if (best.method == KERB_PLAN_METHOD_NONE)
        return;
    const kerb_plan_end* start = kerb_in_plan_task_start(t, best.pair);
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    t->shown.count = task_show_pieces(t, &space, &best);
    if (t->shown.count == 0 && t->polished && t->cost < KERB_PLAN_NEVER) {
        best = task_base(t, site);
        t->shown.is_base = true;
        t->shown.count = task_show_pieces(t, &space, &best);
    }
    if (t->shown.count == 0 && task_show_has_length(best.arcs, best.count))
        return;              // the wheels cannot follow it from where they are
    if (t->shown.count == 0) // the vehicle is at the goal already
        t->pieces[t->shown.count++] = (kerb_plan_piece){.start = start->pose,
                                                        .speed = kerb_abs(start->speed),
                                                        .curvature = task_show_wheels(t, start),
                                                        .direction = plan_task_travel_of(start)};
    kerb_in_plan_task_measure(t);
    t->shown.toll = kerb_in_plan_pieces_toll(&space, t->pieces, t->shown.count);
    t->shown.cost = t->shown.time + t->shown.toll + kerb_in_plan_task_given_penalties(t, best.pair);
}
