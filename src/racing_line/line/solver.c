// Purpose: the racing-line solver: creation, phases and slices of work.
// Idea:    A step belongs to the present phase: sweeps of the spring chain; or least curvature, and
//          from there least time. All state lies in the arena (arena.c), so a slice only has to
//          find it.
// Cost:    O(nodes) per step; the number of steps is known before.
#include "line.h"

#include "../../base/shared.h"

#include <string.h>

// That of the arena: a cache line. [bytes]
#define SOLVER_ALIGNMENT 64

// ------------------------------------------------------------------- phases

static int32_t half(int32_t steps) {
    return steps > 1 ? steps / 2 : 1;
}

static int32_t phase_steps(const line_head* h, int32_t phase) {
    const kerb_line_settings* s = &h->settings;
    int32_t steps = phase == LINE_SPRING      ? s->spring_steps
                    : phase == LINE_CURVATURE ? s->curvature_steps
                                              : s->time_steps;
    return h->warm && phase != LINE_CURVATURE ? half(steps) : steps;
}

static int32_t first_phase(const line_head* h) {
    return h->settings.method == KERB_LINE_SPRING ? LINE_SPRING : LINE_CURVATURE;
}

static bool is_last_phase(const line_head* h) {
    return h->phase != LINE_CURVATURE || h->settings.method == KERB_LINE_CURVATURE;
}

static void begin_phase(const line_view* v, int32_t phase) {
    v->head->phase = phase;
    v->head->step = 0;
    if (phase == LINE_SPRING)
        kerb_in_line_spring_begin(v);
    else if (phase == LINE_CURVATURE)
        kerb_in_line_curvature_begin(v);
    else if (phase == LINE_TIME)
        kerb_in_line_time_begin(v);
}

static void solver_begin(const line_view* v, bool warm) {
    line_head* h = v->head;
    h->warm = warm;
    h->steps_done = 0;
    h->phase = first_phase(h);
    h->steps_all = phase_steps(h, h->phase);
    if (!is_last_phase(h))
        h->steps_all += phase_steps(h, LINE_TIME);
    begin_phase(v, h->phase);
}

static void end_phase(const line_view* v) {
    line_head* h = v->head;
    bool last = is_last_phase(h);
    if (h->phase == LINE_TIME)
        kerb_in_line_time_end(v);
    else if (h->phase == LINE_CURVATURE)
        kerb_in_line_curvature_settle(v);
    begin_phase(v, last ? LINE_DONE : LINE_TIME);
}

static void solver_step(const line_view* v) {
    line_head* h = v->head;
    if (h->phase == LINE_SPRING)
        kerb_in_line_spring_sweep(v);
    else if (h->phase == LINE_CURVATURE)
        kerb_in_line_curvature_step(v);
    else
        kerb_in_line_time_step(v);
    h->step++;
    h->steps_done++;
    if (h->step >= phase_steps(h, h->phase))
        end_phase(v);
}

kerb_line_state kerb_line_solver_advance(kerb_line_solver* solver, int32_t steps) {
    KERB_ASSERT(solver && solver->memory);
    line_view v = kerb_in_line_view_of(solver->memory);
    for (int32_t i = 0; i < steps && v.head->phase != LINE_DONE; i++)
        solver_step(&v);
    return v.head->phase == LINE_DONE ? KERB_LINE_DONE : KERB_LINE_RUNNING;
}

float kerb_line_solver_progress(const kerb_line_solver* solver) {
    KERB_ASSERT(solver && solver->memory);
    const line_head* h = solver->memory;
    return (float)h->steps_done / (float)h->steps_all;
}

// ------------------------------------------------------------------- creation

static kerb_result solver_check(const kerb_performance* performance,
                                const kerb_line_settings* settings, kerb_error* error) {
    kerb_result result = kerb_settings_validate(&kerb_line_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    kerb_error bad;
    result = kerb_performance_validate(performance, &bad);
    if (result == KERB_OK)
        return KERB_OK;
    kerb_text field = kerb_in_text_make("performance.");
    kerb_in_text_add(&field, bad.field);
    return kerb_error_set(error, result, field.text, 0, bad.index, bad.message);
}

size_t kerb_line_solver_bytes(const kerb_path* track, const kerb_line_settings* settings) {
    KERB_ASSERT(track && settings);
    kerb_line_settings known = kerb_in_line_track_settings(track, settings);
    int32_t nodes = kerb_in_line_track_nodes(track, &known);
    return nodes > 0 ? kerb_in_line_arena_bytes(nodes) : 0;
}

static void solver_zero(kerb_line_solver* solver) {
    const kerb_line_solver nothing = {0};
    *solver = nothing;
}

kerb_result kerb_line_solver_create(kerb_line_solver* solver, const kerb_path* track,
                                    const kerb_performance* performance,
                                    const kerb_line_settings* settings, const kerb_host* host,
                                    kerb_error* error) {
    KERB_ASSERT(solver && track && performance && settings && host);
    solver_zero(solver);
    kerb_result result = solver_check(performance, settings, error);
    if (result != KERB_OK)
        return result;
    size_t bytes = kerb_line_solver_bytes(track, settings);
    if (bytes == 0)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "node_spacing", 0, -1,
                              "makes too many nodes on a track of this length");
    void* memory = host->allocator.allocate(host->allocator.context, bytes, SOLVER_ALIGNMENT);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "solver", 0, -1,
                              "no memory for the racing line's solver");
    memset(memory, 0, bytes);
    line_head* head = memory;
    head->settings = kerb_in_line_track_settings(track, settings);
    head->scale = kerb_in_line_track_scale(track);
    head->size = (double)kerb_track_scale(track);
    head->performance = *performance;
    head->nodes = kerb_in_line_track_nodes(track, &head->settings);
    head->closed = track->closed;
    line_view v = kerb_in_line_view_of(memory);
    result = kerb_in_line_track_lay(&v, track, &host->allocator, error);
    if (result != KERB_OK) {
        host->allocator.release(host->allocator.context, memory, bytes);
        return result;
    }
    solver->memory = memory;
    solver->bytes = bytes;
    solver->allocator = host->allocator;
    solver_begin(&v, false);
    return KERB_OK;
}

kerb_result kerb_line_solver_set_track(kerb_line_solver* solver, const kerb_path* track,
                                       kerb_error* error) {
    KERB_ASSERT(solver && solver->memory && track);
    line_view v = kerb_in_line_view_of(solver->memory);
    if (kerb_in_line_track_nodes(track, &v.head->settings) != v.nodes || track->closed != v.closed)
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "track", 0, -1,
                              "has another length than the one that the solver was made for");
    kerb_result result = kerb_in_line_track_lay(&v, track, &solver->allocator, error);
    if (result == KERB_OK)
        solver_begin(&v, true);
    return result;
}

void kerb_line_solver_destroy(kerb_line_solver* solver) {
    KERB_ASSERT(solver);
    if (solver->memory)
        solver->allocator.release(solver->allocator.context, solver->memory, solver->bytes);
    solver_zero(solver);
}
