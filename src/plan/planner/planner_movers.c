// Purpose: moving obstacles ("movers") of a query.
// Idea:    The plan that was found without movers is timed among them whenever it has changed. If
//          it meets a mover at full speed, a search with speed and time looks for another path
//          round the movers: in front of them, behind them, or past them. That path is shortened
//          and improved. Each time that it has changed enough it is timed as well, because a
//          shorter path may have to wait longer. If the path meets no mover at full speed, all
//          changes of it must not meet one either.
// Cost:    A step is an expansion, a shortcut or a try of the improvement. A timing takes much
//          longer than a step; there are about a dozen per path.
#include "kerb/plan_search.h"

#include "task.h"

#include "../../base/shared.h"

#include <string.h>

// All expansions over those of the search for another path. kerb_planner_set_movers documents it.
// [1]
#define SEARCH_PART 10
// Greatest number of expansions of this search where there is a plan already; chosen by trial. [1]
#define SEARCH_MOST 4000
// After its first answer the search goes on for as many expansions again and this many more; chosen
// by trial. [1]
#define SEARCH_MORE 300

// Cell of time of its states, as long as a wait, so that waits make new states. [s]
#define TIME_CELL 0.5f

// Nodes of the settings over states of this search; a state is larger than a node. [1]
#define NODES_SHARE 4
// Least number of its states. [1]
#define NODES_LEAST 2048

// Greatest number of shortcuts of the other path; chosen by trial. [1]
#define PLANNER_MOVERS_CUTS 1000
// Steps of the setting `improvement` over those that improve the other path. [1]
#define POLISH_SHARE 2
// Arcs of the other path when its improvement begins; chosen by trial. [1]
#define PLANNER_MOVERS_ARCS_WANTED 12

static void release_crossing(kerb_planner* planner) {
    if (planner->movers_memory)
        planner->allocator.release(planner->allocator.context, planner->movers_memory,
                                   planner->movers_bytes);
    planner->movers_memory = NULL;
    planner->movers_bytes = 0;
}

static kerb_result make_crossing(kerb_planner* planner, kerb_error* error) {
    const plan_task* t = planner->memory;
    int32_t nodes = t->settings.nodes / NODES_SHARE;
    if (nodes < NODES_LEAST)
        nodes = NODES_LEAST;
    size_t bytes = kerb_in_plan_crossing_bytes(nodes);
    void* block = planner->allocator.allocate(planner->allocator.context, bytes, 64);
    if (!block)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "movers", 0, -1, "out of memory");
    kerb_in_plan_crossing_create(block, nodes);
    planner->movers_memory = block;
    planner->movers_bytes = bytes;
    return KERB_OK;
}

kerb_result kerb_planner_set_movers(kerb_planner* planner, const kerb_plan_mover* movers,
                                    int32_t count, kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && count >= 0 && (movers || count == 0));
    plan_task* t = planner->memory;
    kerb_in_plan_task_forget(t);
    kerb_result result = KERB_OK;
    if (count > 0 && !planner->movers_memory)
        result = make_crossing(planner, error);
    if (result == KERB_OK && count > 0) {
        plan_crossing* crossing = planner->movers_memory;
        result = kerb_in_plan_movers_take(&crossing->movers, &t->given, movers, count, error);
    }
    if (result != KERB_OK || count == 0)
        release_crossing(planner);
    return result;
}

// --------------------------------------------------------------------------- the planner's path

static void planner_movers_measure(plan_passage* p, float toll) {
    const kerb_plan_piece* last = &p->pieces[p->count - 1];
    p->time = last->time + last->duration;
    p->toll = toll;
    p->cost = p->time + toll;
    p->length = 0.0f;
    for (int32_t i = 0; i < p->count; i++)
        p->length += p->pieces[i].length;
}

// The result depends on the pieces alone, so it does not depend on how the work was sliced.
void kerb_in_plan_task_adapt_to_movers(plan_task* t, plan_crossing* crossing) {
    plan_passage* own = &crossing->own;
    if (t->shown.count == 0) {
        own->count = 0;
        return;
    }
    if (crossing->own_of == t->shown.of)
        return;
    crossing->own_of = t->shown.of;
    memcpy(own->pieces, t->pieces, (size_t)t->shown.count * sizeof *t->pieces);
    own->count =
        kerb_in_plan_timing_adapt(&crossing->timing, &crossing->movers, &t->given, own->pieces,
                                  t->shown.count, crossing->scratch, PLAN_PASSAGE_PIECES);
    if (own->count > 0)
        planner_movers_measure(own, t->shown.toll);
}

// --------------------------------------------------------------------------- another path

static void end_crossing(plan_task* t, const plan_crossing* crossing) {
    bool is_found = crossing->own.count > 0 || crossing->other.count > 0;
    kerb_in_plan_task_end(t, is_found ? KERB_PLAN_FOUND : KERB_PLAN_BUDGET_SPENT);
}

static void planner_movers_begin_search(plan_task* t, plan_site* site, plan_crossing* crossing) {
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    kerb_plan_query query =
        kerb_in_plan_task_ends(t, -1, starts, goals, crossing->start_of, crossing->aim_of);
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    bool is_found = crossing->own.count > 0;
    int32_t most = t->settings.expansions / SEARCH_PART;
    settings.expansions = is_found && most > SEARCH_MOST ? SEARCH_MOST : most;
    settings.time_cell = TIME_CELL;
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    plan_speed_ground ground = {&space, NULL, &crossing->movers,
                                kerb_in_plan_crossing_nodes(crossing)};
    if (site) {
        ground.flow = kerb_in_plan_site_terrain(site).flow;
        kerb_in_plan_flow_begin(ground.flow, true);
        for (int32_t i = 0; i < query.goal_count; i++)
            kerb_in_plan_flow_goal(ground.flow, query.goals[i].pose.position);
    }
    kerb_in_plan_speed_begin(&crossing->search, &ground, &t->limits, &settings, &query);
    if (is_found)
        crossing->search.most = crossing->own.cost + kerb_in_plan_task_penalties(t, t->shown.pair);
}

void kerb_in_plan_task_begin_crossing(plan_task* t, plan_site* site, plan_crossing* crossing) {
    bool is_open = t->outcome == KERB_PLAN_FOUND && t->shown.count > 0;
    if (t->is_crossing || !is_open)
        return;
    t->is_crossing = true;
    crossing->other.count = 0;
    kerb_in_plan_task_adapt_to_movers(t, crossing);
    bool is_late = crossing->own.count == 0 || crossing->own.time > t->shown.time;
    // A search with speed and time would begin where a lead ends, but not when.
    if (!is_late || t->is_led || (t->settings.improvement == 0 && crossing->own.count > 0)) {
        end_crossing(t, crossing);
        return;
    }
    t->stage = PLAN_CROSSING;
    crossing->tries = 0;
    t->outcome = KERB_PLAN_RUNNING;
    crossing->stage = PLAN_CROSSING_SEARCH;
    crossing->steps = 0;
    planner_movers_begin_search(t, site, crossing);
}

// Whether to time the path now: after 1, 2, 4 … successful steps.
static bool planner_movers_is_time_to_look(int32_t steps) {
    return (steps & (steps - 1)) == 0;
}

static void note(plan_task* t, const plan_space* space, plan_crossing* c, const plan_arc* arcs,
                 int32_t count) {
    const kerb_plan_end *from = &t->starts[c->start], *to = &t->aims[c->aim].end;
    kerb_in_plan_crossing_note(c, &t->bends, &t->given, &t->rates, &t->given_rates, space, from,
                               arcs, count, to->speed);
}

// Takes the answer of the search unchanged.
static void planner_movers_take_answer(plan_task* t, const plan_space* space, plan_crossing* c) {
    const plan_speed_answer* answer = &c->search.answer;
    plan_speed_nodes* nodes = kerb_in_plan_crossing_nodes(c);
    c->start = c->start_of[kerb_in_plan_speed_start_of(nodes, answer->node)];
    c->aim = c->aim_of[answer->goal];
    c->penalties = t->starts[c->start].penalty + t->aims[c->aim].end.penalty;
    bool may_jump = t->given_rates.rate == 0.0f; // its curvature jumps
    c->other.count =
        may_jump ? kerb_in_plan_speed_pieces(&c->search, nodes, answer, c->other.pieces) : 0;
    if (c->other.count == 0)
        return;
    planner_movers_measure(&c->other, 0.0f);
    if (space->toll)
        c->other.toll = kerb_max(answer->cost - c->penalties - c->other.time, 0.0f);
    c->other.cost = c->other.time + c->other.toll;
}

static void begin_cut(plan_task* t, plan_space* space, plan_crossing* c) {
    plan_arc arcs[PLAN_ARCS_MAX];
    const kerb_plan_end *from = &t->starts[c->start], *to = &t->aims[c->aim].end;
    int32_t count =
        kerb_in_plan_speed_arcs(&c->search, kerb_in_plan_crossing_nodes(c), arcs, PLAN_ARCS_MAX);
    bool is_way = count > 0 && t->settings.improvement > 0 &&
                  kerb_in_plan_movement_time(&t->rates, arcs, count, from->speed, to->speed) <
                      KERB_PLAN_NEVER;
    if (!is_way) {
        end_crossing(t, c);
        return;
    }
    note(t, space, c, arcs, count);
    const plan_clearance clearance = {c, &t->rates};
    c->stays_clear =
        kerb_in_plan_crossing_is_clear(&clearance, from->pose, arcs, count, from->speed, to->speed);
    kerb_in_plan_shortcut_begin(&c->shortcut, &t->rates, from->pose, arcs, count, from->speed,
                                to->speed, 1);
    kerb_in_plan_shortcut_count_toll(&c->shortcut, space);
    c->stage = PLAN_CROSSING_CUT;
    c->steps = 0;
}

static void step_search(plan_task* t, plan_site* site, plan_space* space, plan_crossing* c) {
    plan_speed_search* s = &c->search;
    const plan_speed_ground ground = {space, site ? kerb_in_plan_site_terrain(site).flow : NULL,
                                      &c->movers, kerb_in_plan_crossing_nodes(c)};
    int32_t before = s->expansions;
    plan_speed_state state = kerb_in_plan_speed_advance(s, &ground, 1);
    t->expansions += s->expansions - before;
    bool is_answered = s->answer.cost < KERB_PLAN_NEVER;
    bool is_enough = is_answered && s->expansions >= 2 * s->first_expansions + SEARCH_MORE;
    if (state == PLAN_SPEED_RUNNING && !is_enough)
        return;
    if (!is_answered) {
        end_crossing(t, c);
        return;
    }
    planner_movers_take_answer(t, space, c);
    begin_cut(t, space, c);
}

static void begin_polish(plan_task* t, const plan_space* space, plan_crossing* c) {
    const plan_shortcut* s = &c->shortcut;
    kerb_in_plan_polish_begin(&c->polish, &t->rates, s->poses[0], s->arcs, s->count,
                              PLANNER_MOVERS_ARCS_WANTED, s->speed_start, s->speed_goal,
                              (uint64_t)t->settings.seed * 16);
    kerb_in_plan_polish_count_toll(&c->polish, space);
    c->stage = PLAN_CROSSING_POLISH;
    c->steps = 0;
}

static void step_cut(plan_task* t, const plan_space* space, plan_crossing* c) {
    bool is_better = kerb_in_plan_shortcut_step(&c->shortcut, &t->rates, space);
    c->steps += is_better || c->steps == 0 ? 1 : 0;
    if (is_better && planner_movers_is_time_to_look(c->steps))
        note(t, space, c, c->shortcut.arcs, c->shortcut.count);
    int32_t most = t->settings.improvement < PLANNER_MOVERS_CUTS ? t->settings.improvement
                                                                 : PLANNER_MOVERS_CUTS;
    if (++c->tries < most)
        return;
    note(t, space, c, c->shortcut.arcs, c->shortcut.count);
    c->tries = 0;
    begin_polish(t, space, c);
}

static void step_polish(plan_task* t, const plan_space* space, plan_crossing* c) {
    bool is_better = kerb_in_plan_polish_step(&c->polish, &t->rates, space);
    c->steps += is_better || c->steps == 0 ? 1 : 0;
    bool is_last = ++c->tries >= t->settings.improvement / POLISH_SHARE;
    if (is_last || (is_better && planner_movers_is_time_to_look(c->steps)))
        note(t, space, c, c->polish.arcs, c->polish.count);
    if (is_last)
        end_crossing(t, c);
}

void kerb_in_plan_task_step_crossing(plan_task* t, plan_site* site, plan_crossing* crossing) {
    plan_crossing* c = crossing;
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_clearance clearance = {c, &t->rates};
    plan_space space = kerb_in_plan_task_space(&probe);
    if (c->stage != PLAN_CROSSING_SEARCH && c->stays_clear) {
        space.is_clear = kerb_in_plan_crossing_is_clear;
        space.clearance = &clearance;
    }
    if (c->stage == PLAN_CROSSING_SEARCH)
        step_search(t, site, &space, c);
    else if (c->stage == PLAN_CROSSING_CUT)
        step_cut(t, &space, c);
    else
        step_polish(t, &space, c);
}

// --------------------------------------------------------------------------- the result

void kerb_in_plan_task_show_among(const plan_task* t, const plan_crossing* crossing,
                                  kerb_plan* plan) {
    const plan_passage *own = &crossing->own, *other = &crossing->other;
    float penalties = plan->count > 0 ? kerb_in_plan_task_given_penalties(t, t->shown.pair) : 0.0f;
    bool has_own = plan->count > 0 && own->count > 0 && crossing->own_of == t->shown.of;
    bool has_other = t->is_crossing && other->count > 0;
    float price = t->is_onward ? t->price : 0.0f;
    bool takes_other = has_other && (!has_own || other->cost + crossing->penalties + price <
                                                     own->cost + penalties);
    const plan_passage* shown = takes_other ? other : own;
    bool is_any = takes_other || has_own;
    plan->pieces = shown->pieces;
    plan->count = is_any ? shown->count : 0;
    plan->cost =
        is_any ? shown->cost + (takes_other ? crossing->penalties : penalties) : KERB_PLAN_NEVER;
    plan->time = is_any ? shown->time : 0.0f;
    plan->ground_cost = is_any ? shown->toll : 0.0f;
    plan->length = is_any ? shown->length : plan->length;
    if (!takes_other)
        return;
    plan->start = t->origin_of[crossing->start];
    plan->goal = t->aims[crossing->aim].goal;
    plan->method = KERB_PLAN_METHOD_SPEED_SEARCH;
}
