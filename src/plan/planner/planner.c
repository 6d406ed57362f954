// Purpose: the planner's public functions: a query, slices of work, the best plan until now.
// Idea:    Analytic paths ("shots") are tried for pairs of a start and a goal in the order of their
//          lower bounds, until no bound is below the best plan. The few best paths of the best pair
//          are then improved for a while each, and the best of them for the rest of the steps.
//
//          Among obstacles, only pairs with a free straight line between them get shots. If these
//          give no plan that is nearly as fast as the bound, a search looks for a path round the
//          obstacles, and the better plan of both is improved.
// Cost:    A step is the shots of one pair, an expansion of a search, a shortcut, or one try of the
//          improvement. A pair costs most, some hundred speed profiles.
#include "task.h"

#include "../../base/shared.h"

#include <string.h>

size_t kerb_planner_bytes(void) {
    return (sizeof(plan_task) + 63) / 64 * 64;
}

// Share of braking and of lateral acceleration that arcs use where clothoids will join them: a path
// that begins with speed can then still be driven. The clothoids use all. Chosen by trial. [1]
#define PLANNER_ARCS_SHARE 0.9f

static kerb_plan_limits planner_limits_of_arcs(const kerb_plan_limits* limits) {
    kerb_plan_limits l = *limits;
    if (limits->curvature_rate > 0.0f) {
        l.turning_radius *= 1.0f + KERB_PLAN_CURVATURE_RESERVE;
        l.braking *= PLANNER_ARCS_SHARE;
        l.reverse_braking *= PLANNER_ARCS_SHARE;
        l.lateral_acceleration *= PLANNER_ARCS_SHARE;
        l.longitudinal_grip *= PLANNER_ARCS_SHARE;
    }
    return l;
}

kerb_result kerb_planner_create(kerb_planner* planner, const kerb_plan_limits* limits,
                                const kerb_planner_settings* settings, const kerb_host* host,
                                kerb_error* error) {
    KERB_ASSERT(planner && limits && settings && host);
    memset(planner, 0, sizeof *planner);
    kerb_result result = kerb_plan_limits_validate(limits, error);
    if (result == KERB_OK)
        result = kerb_settings_validate(&kerb_planner_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    size_t bytes = kerb_planner_bytes();
    plan_task* t = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (!t)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "planner", 0, -1, "out of memory");
    memset(t, 0, bytes);
    t->given = *limits;
    t->limits = planner_limits_of_arcs(limits);
    t->settings = *settings;
    t->rates = kerb_in_plan_rates_of(&t->limits);
    t->given_rates = kerb_in_plan_rates_of(limits);
    kerb_in_plan_task_forget(t);
    *planner = (kerb_planner){.memory = t, .bytes = bytes, .allocator = host->allocator};
    return KERB_OK;
}

static void planner_release_site(kerb_planner* planner) {
    if (planner->world_memory)
        planner->allocator.release(planner->allocator.context, planner->world_memory,
                                   planner->world_bytes);
    planner->world_memory = NULL;
    planner->world_bytes = 0;
}

kerb_result kerb_planner_set_world(kerb_planner* planner, const kerb_plan_world* world,
                                   kerb_error* error) {
    KERB_ASSERT(planner && planner->memory);
    plan_task* t = planner->memory;
    kerb_in_plan_task_forget(t);
    planner_release_site(planner);
    kerb_result result = world ? kerb_in_plan_site_check(world, &t->limits, error) : KERB_OK;
    if (!world || result != KERB_OK || kerb_in_plan_site_is_nothing(world))
        return result;
    plan_site* site =
        kerb_in_plan_site_create(world, &t->limits, &t->settings, &planner->allocator);
    if (!site)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "world", 0, -1, "out of memory");
    planner->world_memory = site;
    planner->world_bytes = site->bytes;
    return KERB_OK;
}

// Tells a running query. Its tree is dropped, because the distances round the obstacles by which
// it is judged are of the new world.
static kerb_result planner_note_change(plan_task* t, kerb_result result) {
    if (result != KERB_OK)
        return result;
    t->searched = false;
    if (t->stage != PLAN_ENDED)
        kerb_in_plan_task_end(t, KERB_PLAN_WORLD_CHANGED);
    return result;
}

kerb_result kerb_planner_change_cells(kerb_planner* planner, const kerb_plan_cells* cells,
                                      kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && cells);
    return planner_note_change(planner->memory,
                               kerb_in_plan_site_change_cells(planner->world_memory, cells, error));
}

kerb_result kerb_planner_change_polygon(kerb_planner* planner, int32_t polygon,
                                        const kerb_vec2* vertices, int32_t count,
                                        kerb_error* error) {
    KERB_ASSERT(planner && planner->memory);
    return planner_note_change(
        planner->memory,
        kerb_in_plan_site_change_polygon(planner->world_memory, polygon, vertices, count, error));
}

void kerb_planner_destroy(kerb_planner* planner) {
    KERB_ASSERT(planner);
    planner_release_site(planner);
    if (planner->movers_memory)
        planner->allocator.release(planner->allocator.context, planner->movers_memory,
                                   planner->movers_bytes);
    if (planner->memory)
        planner->allocator.release(planner->allocator.context, planner->memory, planner->bytes);
    memset(planner, 0, sizeof *planner);
}

// --------------------------------------------------------------------------- a query

kerb_result kerb_planner_begin(kerb_planner* planner, const kerb_plan_query* query,
                               kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && query);
    plan_task* t = planner->memory;
    kerb_in_plan_task_forget(t);
    kerb_result result = kerb_plan_query_validate(query, error);
    if (result != KERB_OK)
        return result;
    kerb_in_plan_ends_copy(t->origins, query->starts, query->start_count);
    kerb_in_plan_task_lead_none(t, query->start_count);
    kerb_in_plan_ends_copy(t->goals, query->goals, query->goal_count);
    t->goal_count = query->goal_count;
    kerb_in_plan_task_choose_pairs(t, planner->world_memory);
    return KERB_OK;
}

// Whether the query has ended without a plan that wheels can follow from a start with speed.
static bool planner_needs_lead(plan_task* t, const plan_site* site) {
    bool may_lead =
        t->given_rates.rate > 0.0f && t->stage == PLAN_ENDED &&
        (t->is_led || t->outcome == KERB_PLAN_FOUND || t->outcome == KERB_PLAN_BUDGET_SPENT);
    if (!may_lead)
        return false;
    kerb_in_plan_task_show(t, site);
    return t->shown.count == 0;
}

static void planner_step(plan_task* t, plan_site* site, plan_crossing* crossing) {
    if (t->stage == PLAN_SHOOTING && kerb_in_plan_task_is_onward_enough(t))
        kerb_in_plan_task_end(t, KERB_PLAN_FOUND);
    else if (t->stage == PLAN_SHOOTING)
        kerb_in_plan_task_shoot(t, site);
    else if (t->stage == PLAN_ROUTING)
        kerb_in_plan_task_step_route(t, site);
    else if (t->stage == PLAN_STATING)
        kerb_in_plan_task_step_states(t, site);
    else if (t->stage == PLAN_CROSSING)
        kerb_in_plan_task_step_crossing(t, site, crossing);
    else
        kerb_in_plan_task_improve(t, site);
    t->steps++;
    if ((t->stage == PLAN_TRYING || t->stage == PLAN_IMPROVING) && kerb_in_plan_task_is_improved(t))
        kerb_in_plan_task_end(t, KERB_PLAN_FOUND);
    if (planner_needs_lead(t, site))
        kerb_in_plan_task_lead(t, site);
    if (t->stage == PLAN_ENDED && crossing) {
        kerb_in_plan_task_show(t, site);
        kerb_in_plan_task_begin_crossing(t, site, crossing);
    }
}

kerb_plan_outcome kerb_planner_advance(kerb_planner* planner, int32_t steps) {
    KERB_ASSERT(planner && planner->memory && steps >= 0);
    plan_task* t = planner->memory;
    for (int32_t i = 0; i < steps && t->stage != PLAN_ENDED; i++)
        planner_step(t, planner->world_memory, planner->movers_memory);
    kerb_in_plan_task_show(t, planner->world_memory);
    if (t->outcome == KERB_PLAN_FOUND && t->shown.count == 0) // no path that the wheels can follow
        t->outcome = KERB_PLAN_BUDGET_SPENT;
    if (planner->movers_memory)
        kerb_in_plan_task_adapt_to_movers(t, planner->movers_memory);
    return (kerb_plan_outcome)t->outcome;
}

void kerb_planner_cancel(kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    plan_task* t = planner->memory;
    if (t->stage != PLAN_ENDED) {
        kerb_in_plan_task_end(t, KERB_PLAN_CANCELLED);
    }
}

kerb_plan kerb_planner_get_plan(const kerb_planner* planner) {
    KERB_ASSERT(planner && planner->memory);
    const plan_task* t = planner->memory;
    kerb_plan plan = {.pieces = t->pieces,
                      .count = t->shown.count,
                      .steps = t->steps,
                      .expansions = t->expansions,
                      .start = t->shown.origin,
                      .goal = t->shown.count > 0 ? t->aims[t->shown.pair.aim].goal : 0,
                      .method = t->shown.method,
                      .cost = t->shown.cost,
                      .ground_cost = t->shown.toll,
                      .time = t->shown.time,
                      .length = t->shown.length,
                      .lower_bound = t->lower_bound,
                      .start_overlap = t->overlap};
    if (planner->movers_memory)
        kerb_in_plan_task_show_among(t, planner->movers_memory, &plan);
    return plan;
}
