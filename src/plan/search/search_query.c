// Purpose: the public functions of the search with speed: memory, queries, slices and plans.
// Idea:    One block of memory holds the search, its states and the pieces of the plan that is
//          shown. The world is a second block. Neither holds pointers, apart from the `is_free` and
//          `pose_at` of the host.
// Cost:    That of speed_search.c. Creating a search touches all of its memory once.
#include "kerb/plan_search.h"

#include "../model/ends.h"
#include "site.h"
#include "speed_search.h"

#include "../../base/shared.h"

#include <string.h>

// Clearance below which a gap may count as closed, over the vehicle's width. Half of it takes more
// tests near walls; twice as much closes wider gaps. [1]
#define ROOM 0.01f

typedef struct search_query_head {
    kerb_plan_limits limits;
    kerb_plan_search_settings settings;
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    int32_t start_of[KERB_PLAN_ENDS_MAX], goal_of[KERB_PLAN_ENDS_MAX]; // of the search's ends
    int32_t outcome;                                                   // kerb_plan_outcome
    float lower_bound;
    bool searching; // the search belongs to the present query
    plan_movers movers;
    plan_speed_search search;
    kerb_plan_piece pieces[PLAN_SPEED_PIECES];
} search_query_head;

static plan_speed_nodes* nodes_of(const kerb_plan_search* search) {
    return (plan_speed_nodes*)(void*)((char*)search->memory +
                                      kerb_in_round_up(sizeof(search_query_head), 64));
}

static void forget_query(search_query_head* h) {
    h->outcome = KERB_PLAN_NO_PATH;
    h->lower_bound = 0.0f;
    h->searching = false;
    h->search.answer.cost = h->search.first_cost = h->search.probe_cost = KERB_PLAN_NEVER;
    h->search.expansions = h->search.first_expansions = h->search.probe_expansions = 0;
    h->search.generated = 0;
    h->search.nearest = -1;
}

kerb_result kerb_plan_search_create(kerb_plan_search* search, const kerb_plan_limits* limits,
                                    const kerb_plan_search_settings* settings,
                                    const kerb_host* host, kerb_error* error) {
    KERB_ASSERT(search && limits && settings && host);
    memset(search, 0, sizeof *search);
    kerb_result result = kerb_plan_limits_validate(limits, error);
    if (result == KERB_OK)
        result = kerb_settings_validate(&kerb_plan_search_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    size_t bytes = kerb_in_round_up(sizeof(search_query_head), 64) +
                   kerb_in_plan_speed_nodes_bytes(settings->nodes);
    search_query_head* h = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (!h)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "search", 0, -1, "out of memory");
    memset(h, 0, sizeof *h);
    h->limits = *limits;
    h->settings = *settings;
    forget_query(h);
    *search = (kerb_plan_search){.memory = h, .bytes = bytes, .allocator = host->allocator};
    kerb_in_plan_speed_nodes_create(nodes_of(search), settings->nodes);
    return KERB_OK;
}

static void search_query_release_site(kerb_plan_search* search) {
    if (search->world_memory)
        search->allocator.release(search->allocator.context, search->world_memory,
                                  search->world_bytes);
    search->world_memory = NULL;
    search->world_bytes = 0;
}

void kerb_plan_search_destroy(kerb_plan_search* search) {
    KERB_ASSERT(search);
    search_query_release_site(search);
    if (search->memory)
        search->allocator.release(search->allocator.context, search->memory, search->bytes);
    memset(search, 0, sizeof *search);
}

kerb_result kerb_plan_search_set_world(kerb_plan_search* search, const kerb_plan_world* world,
                                       kerb_error* error) {
    KERB_ASSERT(search && search->memory);
    search_query_head* h = search->memory;
    forget_query(h);
    search_query_release_site(search);
    kerb_result result = world ? kerb_in_plan_site_check(world, &h->limits, error) : KERB_OK;
    if (!world || result != KERB_OK || kerb_in_plan_site_is_nothing(world))
        return result;
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.nodes = 1; // the states of this search lie in its own block
    plan_site* site = kerb_in_plan_site_create(world, &h->limits, &settings, &search->allocator);
    if (!site)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "world", 0, -1, "out of memory");
    search->world_memory = site;
    search->world_bytes = site->bytes;
    return KERB_OK;
}

static kerb_result search_query_note_change(search_query_head* h, kerb_result result) {
    if (result == KERB_OK && h->outcome == KERB_PLAN_RUNNING)
        h->outcome = KERB_PLAN_WORLD_CHANGED;
    return result;
}

kerb_result kerb_plan_search_change_cells(kerb_plan_search* search, const kerb_plan_cells* cells,
                                          kerb_error* error) {
    KERB_ASSERT(search && search->memory && cells);
    return search_query_note_change(
        search->memory, kerb_in_plan_site_change_cells(search->world_memory, cells, error));
}

kerb_result kerb_plan_search_change_polygon(kerb_plan_search* search, int32_t polygon,
                                            const kerb_vec2* vertices, int32_t count,
                                            kerb_error* error) {
    KERB_ASSERT(search && search->memory);
    return search_query_note_change(
        search->memory,
        kerb_in_plan_site_change_polygon(search->world_memory, polygon, vertices, count, error));
}

kerb_result kerb_plan_search_set_movers(kerb_plan_search* search, const kerb_plan_mover* movers,
                                        int32_t count, kerb_error* error) {
    KERB_ASSERT(search && search->memory && count >= 0 && (movers || count == 0));
    search_query_head* h = search->memory;
    forget_query(h);
    return kerb_in_plan_movers_take(&h->movers, &h->limits, movers, count, error);
}

// --------------------------------------------------------------------------- a query

// The world as a call sees it. `space` points to `probe`.
typedef struct search_query_surroundings {
    plan_probe probe;
    plan_space space;
    plan_speed_ground ground;
} search_query_surroundings;

static void look_round(const kerb_plan_search* search, search_query_surroundings* around) {
    memset(around, 0, sizeof *around);
    around->ground.nodes = nodes_of(search);
    around->ground.space = &around->space;
    const search_query_head* h = search->memory;
    around->ground.movers = h->movers.count > 0 ? &h->movers : NULL;
    if (!search->world_memory)
        return;
    plan_terrain terrain = kerb_in_plan_site_terrain(search->world_memory);
    around->probe = (plan_probe){terrain.world, ROOM * 2.0f * terrain.world->outline.half_width};
    around->space = kerb_in_plan_probe_space(&around->probe);
    around->ground.flow = terrain.flow;
}

static kerb_plan_query usable_query(search_query_head* h, const plan_choice* starts,
                                    const plan_choice* goals, kerb_plan_end* from,
                                    kerb_plan_end* to) {
    for (int32_t i = 0; i < starts->count; i++) {
        h->start_of[i] = starts->index[i];
        from[i] = h->starts[starts->index[i]];
    }
    for (int32_t i = 0; i < goals->count; i++) {
        h->goal_of[i] = goals->index[i];
        to[i] = h->goals[goals->index[i]];
    }
    kerb_plan_query query = {from, to, starts->count, goals->count};
    return query;
}

static float least_bound(const search_query_head* h, const kerb_plan_query* query) {
    float least = KERB_PLAN_NEVER;
    for (int32_t i = 0; i < query->start_count; i++) {
        for (int32_t k = 0; k < query->goal_count; k++) {
            const kerb_plan_end *from = &query->starts[i], *to = &query->goals[k];
            const kerb_plan_bound_settings settings = {
                KERB_PLAN_ADMISSIBLE, KERB_PLAN_COMBINED,
                kerb_max(to->position_tolerance, h->settings.position_tolerance),
                kerb_max(to->heading_tolerance, h->settings.heading_tolerance),
                kerb_max(to->speed_tolerance, h->settings.speed_tolerance)};
            float bound = kerb_plan_bound(&h->limits, &settings, from, to);
            least = kerb_min(least, bound + from->penalty + to->penalty);
        }
    }
    return least;
}

static void search_query_begin_search(kerb_plan_search* search, const kerb_plan_query* query) {
    search_query_head* h = search->memory;
    search_query_surroundings around;
    look_round(search, &around);
    if (around.ground.flow) {
        kerb_in_plan_flow_begin(around.ground.flow, true);
        for (int32_t i = 0; i < query->goal_count; i++)
            kerb_in_plan_flow_goal(around.ground.flow, query->goals[i].pose.position);
    }
    kerb_in_plan_speed_begin(&h->search, &around.ground, &h->limits, &h->settings, query);
    h->lower_bound = least_bound(h, query);
    h->searching = true;
}

// Whether walls separate every start from every goal. A goal with a position tolerance counts as
// reachable.
static bool search_query_is_cut_off(const kerb_plan_search* search, const plan_choice* starts,
                                    const plan_choice* goals) {
    const search_query_head* h = search->memory;
    bool is_open = !search->world_memory || h->settings.position_tolerance > 0.0f;
    for (int32_t i = 0; i < starts->count && !is_open; i++)
        for (int32_t k = 0; k < goals->count && !is_open; k++) {
            const kerb_plan_end* goal = &h->goals[goals->index[k]];
            is_open = goal->position_tolerance > 0.0f ||
                      kerb_in_plan_site_may_connect(search->world_memory,
                                                    h->starts[starts->index[i]].pose.position,
                                                    goal->pose.position);
        }
    return !is_open;
}

kerb_result kerb_plan_search_begin(kerb_plan_search* search, const kerb_plan_query* query,
                                   kerb_error* error) {
    KERB_ASSERT(search && search->memory && query);
    search_query_head* h = search->memory;
    forget_query(h);
    kerb_result result = kerb_plan_query_validate(query, error);
    if (result != KERB_OK)
        return result;
    kerb_in_plan_ends_copy(h->starts, query->starts, query->start_count);
    kerb_in_plan_ends_copy(h->goals, query->goals, query->goal_count);
    const plan_world* world =
        search->world_memory ? kerb_in_plan_site_world(search->world_memory) : NULL;
    plan_choice starts = kerb_in_plan_ends_usable(&h->limits, world, h->starts, query->start_count);
    plan_choice goals = kerb_in_plan_ends_usable(&h->limits, world, h->goals, query->goal_count);
    h->outcome = (int32_t)kerb_in_plan_ends_outcome(&starts, &goals);
    if (h->outcome == KERB_PLAN_RUNNING && search_query_is_cut_off(search, &starts, &goals))
        h->outcome = KERB_PLAN_NO_PATH;
    if (h->outcome != KERB_PLAN_RUNNING)
        return KERB_OK;
    kerb_plan_end from[KERB_PLAN_ENDS_MAX], to[KERB_PLAN_ENDS_MAX];
    kerb_plan_query usable = usable_query(h, &starts, &goals, from, to);
    search_query_begin_search(search, &usable);
    return KERB_OK;
}

static kerb_plan_outcome outcome_of(const plan_speed_search* s) {
    if (s->state == PLAN_SPEED_RUNNING)
        return KERB_PLAN_RUNNING;
    if (s->answer.cost < KERB_PLAN_NEVER)
        return KERB_PLAN_FOUND;
    return s->state == PLAN_SPEED_SPENT ? KERB_PLAN_BUDGET_SPENT : KERB_PLAN_NO_PATH;
}

kerb_plan_outcome kerb_plan_search_advance(kerb_plan_search* search, int32_t expansions) {
    KERB_ASSERT(search && search->memory && expansions >= 0);
    search_query_head* h = search->memory;
    if (h->outcome == KERB_PLAN_RUNNING) {
        search_query_surroundings around;
        look_round(search, &around);
        kerb_in_plan_speed_advance(&h->search, &around.ground, expansions);
        h->outcome = (int32_t)outcome_of(&h->search);
    }
    return (kerb_plan_outcome)h->outcome;
}

void kerb_plan_search_cancel(kerb_plan_search* search) {
    KERB_ASSERT(search && search->memory);
    search_query_head* h = search->memory;
    if (h->outcome == KERB_PLAN_RUNNING)
        h->outcome = KERB_PLAN_CANCELLED;
}

// --------------------------------------------------------------------------- results

static kerb_plan plan_to(kerb_plan_search* search, const plan_speed_answer* answer,
                         bool is_effort) {
    search_query_head* h = search->memory;
    plan_speed_nodes* nodes = nodes_of(search);
    const plan_speed_node* last = plan_speed_nodes_at(nodes, answer->node);
    kerb_plan plan = {.pieces = h->pieces,
                      .expansions = h->search.expansions,
                      .steps = h->search.expansions,
                      .start = h->start_of[kerb_in_plan_speed_start_of(nodes, answer->node)],
                      .goal = h->goal_of[answer->goal],
                      .method = KERB_PLAN_METHOD_SPEED_SEARCH,
                      .cost = answer->cost,
                      .lower_bound = h->lower_bound};
    plan.count = kerb_in_plan_speed_pieces(&h->search, nodes, answer, h->pieces);
    if (plan.count == 0) // the vehicle is at the goal already
        h->pieces[plan.count++] = (kerb_plan_piece){
            .start = last->pose, .speed = last->speed, .direction = last->travel < 0 ? -1 : 1};
    plan.time = h->pieces[plan.count - 1].time + h->pieces[plan.count - 1].duration;
    for (int32_t i = 0; i < plan.count; i++)
        plan.length += h->pieces[i].length;
    search_query_surroundings around;
    look_round(search, &around);
    float penalties =
        h->starts[plan.start].penalty + (is_effort ? 0.0f : h->goals[plan.goal].penalty);
    if (around.space.toll)
        plan.ground_cost = kerb_max(plan.cost - plan.time - penalties, 0.0f);
    return plan;
}

static kerb_plan no_plan(const search_query_head* h) {
    kerb_plan plan = {.pieces = h->pieces,
                      .expansions = h->search.expansions,
                      .steps = h->search.expansions,
                      .cost = KERB_PLAN_NEVER,
                      .lower_bound = h->lower_bound};
    return plan;
}

kerb_plan kerb_plan_search_get_plan(kerb_plan_search* search) {
    KERB_ASSERT(search && search->memory);
    search_query_head* h = search->memory;
    bool is_found = h->searching && h->search.answer.cost < KERB_PLAN_NEVER;
    return is_found ? plan_to(search, &h->search.answer, false) : no_plan(h);
}

kerb_plan kerb_plan_search_get_partial_plan(kerb_plan_search* search) {
    KERB_ASSERT(search && search->memory);
    search_query_head* h = search->memory;
    if (!h->searching || h->search.nearest < 0)
        return no_plan(h);
    const plan_speed_node* node = plan_speed_nodes_at(nodes_of(search), h->search.nearest);
    plan_speed_answer answer = {.cost = node->cost, .node = h->search.nearest, .goal = node->goal};
    return plan_to(search, &answer, true);
}

static float suboptimality(const search_query_head* h, plan_speed_nodes* nodes) {
    int32_t heuristic = h->settings.heuristic;
    bool is_bound = heuristic == KERB_PLAN_ADMISSIBLE || heuristic == KERB_PLAN_EUCLIDEAN;
    if (!is_bound || !(h->search.answer.cost < KERB_PLAN_NEVER))
        return KERB_PLAN_NEVER;
    float least = kerb_in_plan_speed_least_open(&h->search, nodes);
    return h->search.answer.cost / kerb_max(least, 1e-20f);
}

kerb_plan_search_report kerb_plan_search_get_report(kerb_plan_search* search) {
    KERB_ASSERT(search && search->memory);
    const search_query_head* h = search->memory;
    const plan_speed_search* s = &h->search;
    plan_speed_nodes* nodes = nodes_of(search);
    kerb_plan_search_report report = {.expansions = s->expansions,
                                      .first_expansions = s->first_expansions,
                                      .probe_expansions = s->probe_expansions,
                                      .nodes = h->searching ? nodes->count : 0,
                                      .generated = s->generated,
                                      .first_cost = s->first_cost,
                                      .probe_cost = s->probe_cost,
                                      .weight = s->weight,
                                      .suboptimality = KERB_PLAN_NEVER};
    if (h->searching)
        report.suboptimality = suboptimality(h, nodes);
    return report;
}

kerb_plan_search_node kerb_plan_search_get_node(const kerb_plan_search* search, int32_t index) {
    KERB_ASSERT(search && search->memory);
    const plan_speed_node* node = plan_speed_nodes_at(nodes_of(search), index);
    kerb_plan_search_node shown = {.pose = node->pose,
                                   .speed = node->speed * (float)node->travel,
                                   .cost = node->cost,
                                   .cost_to_go = node->rest,
                                   .curvature = node->curvature,
                                   .length = node->length,
                                   .parent = node->parent < 0 ? -1 : node->parent,
                                   .expanded = node->expanded};
    return shown;
}
