// What must hold for any sequence of calls of a planner. Two planners get the same calls: one does
// its work at once, the other in slices and in memory that moves. Called by the fuzz target, and by
// a test with random bytes.
#ifndef FUZZ_PLAN_CALLS_H
#define FUZZ_PLAN_CALLS_H

#include "fuzz/bytes.h"
#include "fuzz/demand.h"
#include "kerb/plan.h"

#include <string.h>

enum {
    FUZZ_PLAN_CALLS = 16,   // of an input, at most
    FUZZ_PLAN_STEPS = 300,  // of all its queries
    FUZZ_PLAN_SIDE = 12,    // of a grid
    FUZZ_PLAN_POLYGONS = 4, // each of four vertices
    FUZZ_PLAN_MOVERS = 3,
    FUZZ_PLAN_ENDS = 2,
    FUZZ_PLAN_ASKS = 50000000 // calls of the functions of the host, in one slice
};

// --------------------------------------------------------------------------- bytes

// A number from `low` to `high`; rarely one that no host should give.
static inline float fuzz_plan_number(fuzz_bytes* b, float low, float high, bool is_hostile) {
    static const uint32_t odd[] = {0x00000000u, 0x80000000u, 0x7149f2cau, 0xf149f2cau,
                                   0x4e6e6b28u, 0x7fc00000u, 0x7f800000u, 0xff800000u,
                                   0x7f7fffffu, 0x00000001u, 0x49742400u, 0xc9742400u,
                                   0x3f800000u, 0x461c4000u, 0x40490fdbu, 0x2edbe6ffu};
    uint8_t first = fuzz_byte(b);
    if (is_hostile && first % 32 == 31) {
        float number;
        memcpy(&number, &odd[fuzz_byte(b) % 16], sizeof number);
        return number;
    }
    uint32_t whole = (uint32_t)first << 8 | fuzz_byte(b);
    return low + (high - low) * (float)whole / 65535.0f;
}

// One after the other: the order in which arguments are computed is the compiler's choice.
static inline kerb_pose fuzz_plan_pose(fuzz_bytes* b, float far, bool is_hostile) {
    float x = fuzz_plan_number(b, -far, far, is_hostile);
    float y = fuzz_plan_number(b, -far, far, is_hostile);
    float heading = fuzz_plan_number(b, -3.2f, 3.2f, is_hostile);
    return kerb_pose_make(x, y, heading);
}

// --------------------------------------------------------------------------- memory

// An allocator that counts, and that fails at the call number `fails_at`.
typedef struct fuzz_plan_memory {
    int32_t live, until_failure; // negative: never fails
} fuzz_plan_memory;

static inline void* fuzz_plan_allocate(void* context, size_t size, size_t alignment) {
    fuzz_plan_memory* memory = context;
    if (memory->until_failure >= 0 && memory->until_failure-- == 0)
        return NULL;
    memory->live++;
    return kerb_host_default().allocator.allocate(NULL, size, alignment);
}

static inline void fuzz_plan_release(void* context, void* block, size_t size) {
    ((fuzz_plan_memory*)context)->live--;
    kerb_host_default().allocator.release(NULL, block, size);
}

// Moves a block elsewhere and spoils the old one.
static inline void* fuzz_plan_moved(void* block, size_t bytes) {
    if (!block)
        return NULL;
    void* there = kerb_host_default().allocator.allocate(NULL, bytes, 64);
    FUZZ_DEMAND(there);
    memcpy(there, block, bytes);
    memset(block, 0xee, bytes);
    kerb_host_default().allocator.release(NULL, block, bytes);
    return there;
}

// --------------------------------------------------------------------------- the game

typedef struct fuzz_plan_game {
    fuzz_bytes bytes;
    kerb_plan_limits limits;
    kerb_planner_settings settings;
    // What the planners have copied. Without cells, polygons and so on: open ground.
    kerb_plan_world world;
    uint8_t cells[FUZZ_PLAN_SIDE * FUZZ_PLAN_SIDE], prices[FUZZ_PLAN_SIDE * FUZZ_PLAN_SIDE];
    kerb_vec2 vertices[4 * FUZZ_PLAN_POLYGONS];
    int32_t counts[FUZZ_PLAN_POLYGONS];
    kerb_plan_mover movers[FUZZ_PLAN_MOVERS];
    int32_t mover_count;
    kerb_plan_end starts[FUZZ_PLAN_ENDS], goals[FUZZ_PLAN_ENDS];
    kerb_plan_query query;
    bool is_asked;    // there is a query
    bool is_checked;  // places and limits are such that floats suffice for the checker
    bool is_checking; // the checker runs
    int32_t steps_left;
    int32_t asks; // of `is_free` and `pose_at`, in one slice
    fuzz_plan_memory memory[2];
    kerb_planner planners[2]; // at once; in slices, and moved
} fuzz_plan_game;

// A disc about (3, 3) is blocked. The planner asks every 10 cm and may graze it between by less
// than a millimetre, so the disc is smaller for the checker, which asks more often.
static inline bool fuzz_plan_is_free(void* context, kerb_pose pose) {
    fuzz_plan_game* g = context;
    g->asks++;
    float x = pose.position.x - 3.0f, y = pose.position.y - 3.0f;
    return x * x + y * y > (g->is_checking ? 3.98f : 4.0f);
}

static inline kerb_pose fuzz_plan_pose_at(void* context, float time) {
    fuzz_plan_game* g = context;
    g->asks++;
    FUZZ_DEMAND(time >= 0.0f);
    float sine, cosine;
    kerb_sin_cos(0.5f * time, &sine, &cosine);
    kerb_pose pose = {{6.0f * cosine, 6.0f * sine}, {-sine, cosine}};
    return pose;
}

static inline void fuzz_plan_create(fuzz_plan_game* g) {
    fuzz_bytes* b = &g->bytes;
    uint8_t kind = fuzz_byte(b);
    g->limits = kerb_plan_limits_default();
    g->settings = kerb_planner_settings_default();
    kerb_plan_limits* l = &g->limits;
    bool odd = kind % 8 == 7;
    g->is_checked = !odd;
    l->turning_radius = fuzz_plan_number(b, 1.0f, 8.0f, odd);
    l->reverse_speed_max = kind & 8 ? fuzz_plan_number(b, 0.5f, 6.0f, odd) : 0.0f;
    l->steering_time = kind & 16 ? fuzz_plan_number(b, 0.0f, 3.0f, odd) : 0.0f;
    l->speed_max = kind & 32 ? fuzz_plan_number(b, 0.5f, 30.0f, odd) : l->speed_max;
    if (kind & 64) {
        l->acceleration = fuzz_plan_number(b, 0.2f, 8.0f, odd);
        l->braking = fuzz_plan_number(b, 0.2f, 8.0f, odd);
        l->lateral_acceleration = fuzz_plan_number(b, 0.5f, 12.0f, odd);
        l->yaw_rate_max = fuzz_plan_number(b, 0.2f, 5.0f, odd);
        l->front = fuzz_plan_number(b, -1.0f, 4.0f, odd);
        l->margin = fuzz_plan_number(b, 0.0f, 0.5f, odd);
        l->reversal_time = fuzz_plan_number(b, 0.0f, 2.0f, odd);
    }
    g->settings.improvement = fuzz_byte(b) % 64 * (kind & 128 ? 80 : 1);
    g->settings.expansions = fuzz_byte(b);
    g->settings.nodes = kind & 128 ? 9000 : fuzz_byte(b) * 8;
    g->settings.field_cells = 64 + fuzz_byte(b);
    g->settings.seed = kind % 3;
    memset(&g->world, 0, sizeof g->world);
    g->mover_count = 0;
    g->is_asked = false;
    kerb_result results[2];
    for (int32_t i = 0; i < 2; i++) {
        const kerb_host host = {
            .allocator = {fuzz_plan_allocate, fuzz_plan_release, &g->memory[i]}};
        kerb_planner_destroy(&g->planners[i]);
        FUZZ_DEMAND(g->memory[i].live == 0);
        results[i] = kerb_planner_create(&g->planners[i], l, &g->settings, &host, NULL);
        FUZZ_DEMAND((results[i] == KERB_OK) == (g->planners[i].memory != NULL));
    }
    FUZZ_DEMAND(results[0] == results[1]);
}

static inline void fuzz_plan_lay_world(fuzz_plan_game* g) {
    fuzz_bytes* b = &g->bytes;
    uint8_t kind = fuzz_byte(b);
    kerb_plan_world* w = &g->world;
    bool odd = kind % 8 == 7;
    memset(w, 0, sizeof *w);
    if (kind & 8) {
        w->cells = g->cells;
        w->columns = w->rows = FUZZ_PLAN_SIDE;
        w->cell_size = fuzz_plan_number(b, 0.4f, 3.0f, odd);
        w->origin.x = fuzz_plan_number(b, -20.0f, 0.0f, odd);
        w->origin.y = fuzz_plan_number(b, -20.0f, 0.0f, odd);
        uint8_t every = 2 + fuzz_byte(b) % 30, seed = fuzz_byte(b);
        for (int32_t i = 0; i < FUZZ_PLAN_SIDE * FUZZ_PLAN_SIDE; i++) {
            g->cells[i] = (i * 37 + seed) % every == 0 ? 255 : 0;
            g->prices[i] = (uint8_t)(i * 53 + seed);
        }
        if (kind & 16) {
            w->cost_map = g->prices;
            w->cost_per_metre = fuzz_plan_number(b, 0.0f, 3.0f, odd);
        }
    }
    w->polygon_count = kind >> 5 & 3;
    w->vertices = g->vertices;
    w->vertex_counts = g->counts;
    for (int32_t i = 0; i < w->polygon_count; i++) {
        float x = fuzz_plan_number(b, -15.0f, 15.0f, odd);
        float y = fuzz_plan_number(b, -15.0f, 15.0f, odd);
        float width = fuzz_plan_number(b, 0.1f, 8.0f, odd);
        g->counts[i] = 4;
        g->vertices[4 * i] = kerb_vec2_make(x, y);
        g->vertices[4 * i + 1] = kerb_vec2_make(x + width, y);
        g->vertices[4 * i + 2] = kerb_vec2_make(x + width, y + 1.0f);
        g->vertices[4 * i + 3] = kerb_vec2_make(x, y + 1.0f);
    }
    if (kind & 128) {
        w->is_free = fuzz_plan_is_free;
        w->context = g;
    }
    if (kind % 8 == 6) {
        w->box_min = kerb_vec2_make(-18.0f, -18.0f);
        w->box_max = kerb_vec2_make(18.0f, fuzz_plan_number(b, 2.0f, 18.0f, false));
    }
}

static inline void fuzz_plan_set_world(fuzz_plan_game* g) {
    kerb_result results[2];
    fuzz_plan_lay_world(g);
    for (int32_t i = 0; i < 2; i++)
        results[i] = kerb_planner_set_world(&g->planners[i], &g->world, NULL);
    FUZZ_DEMAND(results[0] == results[1]);
    if (results[0] != KERB_OK)
        memset(&g->world, 0, sizeof g->world);
    g->is_asked = false;
}

static inline void fuzz_plan_set_movers(fuzz_plan_game* g) {
    fuzz_bytes* b = &g->bytes;
    kerb_result results[2];
    uint8_t kind = fuzz_byte(b);
    bool odd = kind % 8 == 7;
    g->mover_count = kind % (FUZZ_PLAN_MOVERS + 1);
    for (int32_t i = 0; i < g->mover_count; i++) {
        kerb_plan_mover* m = &g->movers[i];
        *m = (kerb_plan_mover){.length = 4.0f, .width = 2.0f, .speed_max = 4.0f};
        m->pose = fuzz_plan_pose(b, 20.0f, odd);
        m->velocity.x = fuzz_plan_number(b, -8.0f, 8.0f, odd);
        m->velocity.y = fuzz_plan_number(b, -8.0f, 8.0f, odd);
        m->width = fuzz_plan_number(b, 0.1f, 4.0f, odd);
        if (kind & 64) {
            m->pose_at = fuzz_plan_pose_at;
            m->context = g;
        }
    }
    for (int32_t i = 0; i < 2; i++)
        results[i] = kerb_planner_set_movers(&g->planners[i], g->movers, g->mover_count, NULL);
    FUZZ_DEMAND(results[0] == results[1]);
    if (results[0] != KERB_OK)
        g->mover_count = 0;
    g->is_asked = false;
}

// --------------------------------------------------------------------------- queries

static inline kerb_plan_end fuzz_plan_end(fuzz_plan_game* g, bool is_goal, bool odd) {
    fuzz_bytes* b = &g->bytes;
    uint8_t kind = fuzz_byte(b);
    kerb_plan_end end = {.pose = fuzz_plan_pose(b, 18.0f, odd)};
    if (kind & 1)
        end.speed = fuzz_plan_number(b, -6.0f, 14.0f, odd);
    if (kind & 2)
        end.penalty = fuzz_plan_number(b, 0.0f, 5.0f, odd);
    if (odd && kind % 32 == 31)
        end.pose.forward.x = fuzz_plan_number(b, -2.0f, 2.0f, odd);
    if (is_goal && kind & 4)
        end.position_tolerance = fuzz_plan_number(b, 0.0f, 3.0f, odd);
    if (is_goal && kind & 8)
        end.heading_tolerance = fuzz_plan_number(b, 0.0f, 3.5f, odd);
    if (is_goal && kind & 16)
        end.speed_tolerance = fuzz_plan_number(b, 0.0f, 8.0f, odd);
    return end;
}

// Whether ends lie near enough for the checker, which wants coordinates that floats resolve.
static inline bool fuzz_plan_are_near(const kerb_plan_end* ends, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (!(kerb_abs(ends[i].pose.position.x) <= 1e4f &&
              kerb_abs(ends[i].pose.position.y) <= 1e4f && ends[i].position_tolerance <= 1e3f))
            return false;
    return true;
}

static inline void fuzz_plan_begin(fuzz_plan_game* g) {
    uint8_t kind = fuzz_byte(&g->bytes);
    bool odd = kind % 4 == 3;
    int32_t starts = kind & 4 ? FUZZ_PLAN_ENDS : 1, goals = kind & 8 ? FUZZ_PLAN_ENDS : 1;
    for (int32_t i = 0; i < starts; i++)
        g->starts[i] = fuzz_plan_end(g, false, odd);
    for (int32_t i = 0; i < goals; i++)
        g->goals[i] = kind % 32 == 17 ? g->starts[0] : fuzz_plan_end(g, true, odd);
    g->query = (kerb_plan_query){g->starts, g->goals, starts, goals};
    kerb_error error = {.result = KERB_OK};
    kerb_result valid = kerb_plan_query_validate(&g->query, &error);
    FUZZ_DEMAND(valid == KERB_OK || (error.result == valid && error.message[0]));
    for (int32_t i = 0; i < 2; i++)
        FUZZ_DEMAND(kerb_planner_begin(&g->planners[i], &g->query, NULL) == valid);
    g->is_asked = valid == KERB_OK;
}

// --------------------------------------------------------------------------- plans

static inline bool fuzz_plan_are_numbers(const float* numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(numbers[i] - numbers[i] == 0.0f))
            return false;
    return true;
}

static inline void fuzz_plan_look_at(const fuzz_plan_game* g, const kerb_plan* plan) {
    const float sums[] = {plan->cost, plan->ground_cost, plan->time, plan->length,
                          plan->lower_bound};
    FUZZ_DEMAND(fuzz_plan_are_numbers(sums, 5) && plan->count >= 0 && plan->length >= 0.0f);
    for (int32_t i = 0; i < plan->count; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        const float numbers[] = {p->start.position.x,
                                 p->start.position.y,
                                 p->start.forward.x,
                                 p->start.forward.y,
                                 p->time,
                                 p->duration,
                                 p->length,
                                 p->speed,
                                 p->acceleration,
                                 p->curvature};
        FUZZ_DEMAND(fuzz_plan_are_numbers(numbers, 10));
        FUZZ_DEMAND(p->direction == 1 || p->direction == -1);
        FUZZ_DEMAND(p->duration >= 0.0f && p->length >= 0.0f && p->speed >= 0.0f);
        FUZZ_DEMAND(kerb_abs(p->curvature) * g->limits.turning_radius <= 1.001f);
    }
    kerb_plan_state end = kerb_plan_at(plan, plan->time);
    FUZZ_DEMAND(plan->count == 0 || end.time == plan->time);
}

static inline void fuzz_plan_check_found(fuzz_plan_game* g, const kerb_plan* plan) {
    kerb_error error = {.result = KERB_OK};
    if (plan->count == 0 || plan->goal < 0 || !g->is_checked ||
        !fuzz_plan_are_near(g->starts, g->query.start_count) ||
        !fuzz_plan_are_near(g->goals, g->query.goal_count))
        return;
    FUZZ_DEMAND(plan->lower_bound <= plan->cost * 1.0001f + 1e-4f);
    g->is_checking = true;
    if (kerb_plan_check(&g->limits, &g->query, &g->world, plan, &error) != KERB_OK ||
        (g->mover_count > 0 &&
         kerb_plan_check_movers(&g->limits, g->movers, g->mover_count, plan, &error) != KERB_OK))
        fprintf(stderr, "%s %s, piece %d of %d\n", error.field, error.message, (int)error.index,
                (int)plan->count);
    g->is_checking = false;
    FUZZ_DEMAND(error.result == KERB_OK);
}

static inline bool fuzz_plan_same_bits(const kerb_plan* a, const kerb_plan* b) {
    return a->count == b->count && a->steps == b->steps && a->expansions == b->expansions &&
           a->start == b->start && a->goal == b->goal && a->method == b->method &&
           memcmp(&a->cost, &b->cost, sizeof a->cost) == 0 && a->time == b->time &&
           (a->count == 0 ||
            memcmp(a->pieces, b->pieces, (size_t)a->count * sizeof *a->pieces) == 0);
}

static inline void fuzz_plan_look(fuzz_plan_game* g) {
    kerb_plan plans[2], parts[2];
    for (int32_t i = 0; i < 2; i++) {
        plans[i] = kerb_planner_get_plan(&g->planners[i]);
        fuzz_plan_look_at(g, &plans[i]);
    }
    FUZZ_DEMAND(fuzz_plan_same_bits(&plans[0], &plans[1]));
    fuzz_plan_check_found(g, &plans[0]);
    for (int32_t i = 0; i < 2; i++) {
        parts[i] = kerb_planner_get_partial_plan(&g->planners[i]);
        fuzz_plan_look_at(g, &parts[i]);
    }
    FUZZ_DEMAND(fuzz_plan_same_bits(&parts[0], &parts[1]));
    kerb_plan_tree tree = kerb_planner_get_tree(&g->planners[1]);
    FUZZ_DEMAND(tree.count >= 0 && tree.count <= kerb_planner_get_tree(&g->planners[0]).count);
    for (int32_t i = 0; i < tree.count; i++)
        FUZZ_DEMAND(kerb_planner_get_node(&g->planners[1], i).parent < i);
}

static inline void fuzz_plan_move(fuzz_plan_game* g) {
    kerb_planner* p = &g->planners[1];
    p->memory = fuzz_plan_moved(p->memory, p->bytes);
    p->world_memory = fuzz_plan_moved(p->world_memory, p->world_bytes);
    p->movers_memory = fuzz_plan_moved(p->movers_memory, p->movers_bytes);
}

static inline void fuzz_plan_advance(fuzz_plan_game* g) {
    int32_t steps = 1 + fuzz_byte(&g->bytes) % 100, slice = 1 + fuzz_byte(&g->bytes) % 16;
    steps = steps < g->steps_left ? steps : g->steps_left;
    g->steps_left -= steps;
    g->asks = 0;
    kerb_plan_outcome outcome = kerb_planner_advance(&g->planners[0], steps);
    FUZZ_DEMAND(g->asks < FUZZ_PLAN_ASKS);
    FUZZ_DEMAND((int32_t)outcome >= 0 && outcome < KERB_PLAN_OUTCOME_COUNT);
    FUZZ_DEMAND(outcome != KERB_PLAN_FOUND || kerb_planner_get_plan(&g->planners[0]).count > 0);
    kerb_plan_outcome other = outcome;
    for (int32_t done = 0; done < steps; done += slice)
        other = kerb_planner_advance(&g->planners[1], slice < steps - done ? slice : steps - done);
    FUZZ_DEMAND(other == outcome);
}

static inline void fuzz_plan_call(fuzz_plan_game* g) {
    uint8_t call = fuzz_byte(&g->bytes);
    switch (call % 16) {
    case 0:
        fuzz_plan_create(g);
        break;
    case 1:
    case 2:
        fuzz_plan_set_world(g);
        break;
    case 3:
        fuzz_plan_set_movers(g);
        break;
    case 4:
        fuzz_plan_move(g);
        break;
    case 5:
        for (int32_t i = 0; i < 2; i++)
            kerb_planner_cancel(&g->planners[i]);
        break;
    case 6: // the next allocation, or one after it, fails
        g->memory[0].until_failure = g->memory[1].until_failure = call >> 4 & 3;
        return;
    case 7:
    case 8:
    case 9:
        fuzz_plan_begin(g);
        break;
    default:
        fuzz_plan_advance(g);
        break;
    }
    g->memory[0].until_failure = g->memory[1].until_failure = -1;
}

/// Any calls give legal plans, the same bits however they are sliced, and leave no memory.
static inline void fuzz_plan_calls(const uint8_t* data, size_t size) {
    static fuzz_plan_game g;
    memset(&g, 0, sizeof g);
    g.bytes = fuzz_bytes_of(data, size);
    g.steps_left = FUZZ_PLAN_STEPS;
    g.memory[0].until_failure = g.memory[1].until_failure = -1;
    fuzz_plan_create(&g);
    for (int32_t i = 0; i < FUZZ_PLAN_CALLS && fuzz_has_more(&g.bytes); i++) {
        if (!g.planners[0].memory) // its creation failed, or its limits were refused
            fuzz_plan_create(&g);
        if (!g.planners[0].memory)
            continue;
        fuzz_plan_call(&g);
        if (g.planners[0].memory && g.is_asked)
            fuzz_plan_look(&g);
    }
    for (int32_t i = 0; i < 2; i++) {
        kerb_planner_destroy(&g.planners[i]);
        FUZZ_DEMAND(g.memory[i].live == 0);
    }
}

#endif
