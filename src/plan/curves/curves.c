// Purpose: the curves of many vehicles: batches over the host's tasks, and a cache.
// Idea:    A curve is reduced to its key: the shape, the kind and the rounded speeds, nothing of
//          where it lies. A batch looks up its keys one after the other; those that are neither in
//          the cache nor earlier in the batch are jobs for the tasks, each alone with its key and
//          its place for the result. The results go into the cache in the order of the batch. So
//          neither answers nor cache depend on how the jobs are divided.
// Cost:    A microsecond for a curve that is known, 0.2 ms for another.
// Source:  AIPATH 5.3 and 6.3.
#include "curve.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

#include <stddef.h>
#include <string.h>

// Places of the cache that a key may take; the least recently used one is given up. [1]
#define CURVES_WAYS 4
// Curves that a task should at least have. [1]
#define CURVES_RANGE 4

static const kerb_setting curves_rows[] = {
    {"capacity", offsetof(kerb_plan_curves_settings, capacity), KERB_SETTING_INT, "1", 1.0f,
     65536.0f, 512.0f, NULL, "greatest number of curves of a batch"},
    {"cache", offsetof(kerb_plan_curves_settings, cache), KERB_SETTING_INT, "1", 0.0f, 1048576.0f,
     1024.0f, NULL, "number of curves that are remembered"},
    {"improvement", offsetof(kerb_plan_curves_settings, improvement), KERB_SETTING_INT, "1", 0.0f,
     1e6f, 200.0f, NULL, "steps that improve a curve"},
    {"delay", offsetof(kerb_plan_curves_settings, delay), KERB_SETTING_INT, "1", 1.0f, 64.0f, 1.0f,
     NULL, "steps from the start of a batch until it is applied"},
};
const kerb_settings_table kerb_plan_curves_settings_table = {
    "kerb_plan_curves_settings", sizeof(kerb_plan_curves_settings), curves_rows,
    (int32_t)(sizeof curves_rows / sizeof curves_rows[0])};

kerb_plan_curves_settings kerb_plan_curves_settings_default(void) {
    kerb_plan_curves_settings settings;
    kerb_settings_set_defaults(&kerb_plan_curves_settings_table, &settings);
    return settings;
}

typedef struct curves_kind {
    plan_rates rates;
    float speed_max;
} curves_kind;

// A curve of a batch.
typedef struct curves_query {
    curve_key key;
    kerb_pose start;
    kerb_plan_curve_grid grid;
    bool has_grid;
    int32_t job;   // of the batch; -1: `known` has the answer
    int32_t known; // place in the cache
} curves_query;

typedef struct curves_result {
    curve_found found;
    int32_t count; // of pieces
    float time, length;
    kerb_plan_piece pieces[CURVE_PIECES_MAX];
} curves_result;

typedef struct curves_batch {
    int32_t first, count; // tickets
    size_t queries;       // curves_query[capacity]
    size_t results;       // curves_result[capacity]
} curves_batch;

// A place of the cache.
typedef struct curves_place {
    uint64_t hash; // 0: empty
    int64_t used;  // number of the batch that used it last
    curve_key key;
    curve_found found;
} curves_place;

// Head of a block without pointers but to the host's grids. Offsets count bytes from the head.
typedef struct curves_head {
    kerb_plan_curves_settings settings;
    kerb_plan_curves_counts counts;
    int32_t kind_count, sets; // sets of CURVES_WAYS places; 0: no cache
    int32_t next_ticket;
    int32_t age; // steps since the running batch was started
    bool is_running;
    int64_t batches;
    int32_t jobs;
    size_t kinds, places, job_of, job_hash, table;
    int32_t table_size; // of the table of jobs, a power of two
    void* handle;       // of the running tasks
    // The one that is gathered, the running one, the applied one; they change their roles.
    curves_batch gathered, running, applied;
} curves_head;

static curves_head* curves_head_of(const kerb_plan_curves* curves) {
    KERB_ASSERT(curves && curves->memory);
    return curves->memory;
}

// The parts of the block are written through a head that is only read.
static void* curves_at(const curves_head* h, size_t offset) {
    const void* head = h;
    void* block;
    memcpy(&block, &head, sizeof block);
    return (char*)block + offset;
}

static curves_query* curves_query_at(const curves_head* h, const curves_batch* b, int32_t i) {
    return (curves_query*)curves_at(h, b->queries) + i;
}

static curves_result* curves_result_at(const curves_head* h, const curves_batch* b, int32_t i) {
    return (curves_result*)curves_at(h, b->results) + i;
}

static curves_place* curves_place_at(const curves_head* h, int32_t i) {
    return (curves_place*)curves_at(h, h->places) + i;
}

// --------------------------------------------------------------------------- creation

static size_t curves_take(size_t* bytes, size_t size, size_t count) {
    size_t at = *bytes;
    *bytes = (at + size * count + 63) / 64 * 64;
    return at;
}

static int32_t curves_power_above(int32_t count) {
    int32_t size = 1;
    while (size < count)
        size *= 2;
    return size;
}

static curves_head curves_lay_out(const kerb_plan_curves_settings* s, int32_t kind_count,
                                  size_t* bytes) {
    curves_head h = {.settings = *s, .kind_count = kind_count};
    size_t capacity = (size_t)s->capacity;
    *bytes = 0;
    curves_take(bytes, sizeof h, 1);
    h.sets = (s->cache + CURVES_WAYS - 1) / CURVES_WAYS;
    h.table_size = curves_power_above(2 * s->capacity);
    h.kinds = curves_take(bytes, sizeof(curves_kind), (size_t)kind_count);
    h.places = curves_take(bytes, sizeof(curves_place), (size_t)h.sets * CURVES_WAYS);
    h.job_of = curves_take(bytes, sizeof(int32_t), capacity);
    h.job_hash = curves_take(bytes, sizeof(uint64_t), capacity);
    h.table = curves_take(bytes, sizeof(int32_t), (size_t)h.table_size);
    h.gathered.queries = curves_take(bytes, sizeof(curves_query), capacity);
    h.running.queries = curves_take(bytes, sizeof(curves_query), capacity);
    h.running.results = curves_take(bytes, sizeof(curves_result), capacity);
    h.applied.results = curves_take(bytes, sizeof(curves_result), capacity);
    return h;
}

static kerb_result curves_check_kinds(const kerb_plan_limits* kinds, int32_t count,
                                      kerb_error* error) {
    if (count < 1 || count > KERB_PLAN_CURVE_KINDS_MAX)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "kind_count", 0, -1,
                              "must be 1 to 256");
    for (int32_t i = 0; i < count; i++) {
        kerb_result result = kerb_plan_limits_validate(&kinds[i], error);
        if (result != KERB_OK) {
            if (error)
                error->index = i;
            return result;
        }
    }
    return KERB_OK;
}

kerb_result kerb_plan_curves_create(kerb_plan_curves* curves, const kerb_plan_limits* kinds,
                                    int32_t kind_count, const kerb_plan_curves_settings* settings,
                                    const kerb_host* host, kerb_error* error) {
    KERB_ASSERT(curves && kinds && settings && host);
    memset(curves, 0, sizeof *curves);
    kerb_result result = curves_check_kinds(kinds, kind_count, error);
    if (result == KERB_OK)
        result = kerb_settings_validate(&kerb_plan_curves_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    size_t bytes;
    curves_head head = curves_lay_out(settings, kind_count, &bytes);
    void* memory = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "curves", 0, -1, "out of memory");
    memset(memory, 0, bytes);
    memcpy(memory, &head, sizeof head);
    curves_kind* kind = curves_at(memory, head.kinds);
    for (int32_t i = 0; i < kind_count; i++) {
        kind[i] = (curves_kind){kerb_in_plan_rates_of(&kinds[i]), kinds[i].speed_max};
        kind[i].rates.speed_squared[1] = 0.0f; // never in reverse
    }
    *curves = (kerb_plan_curves){.memory = memory, .bytes = bytes, .host = *host};
    return KERB_OK;
}

void kerb_plan_curves_destroy(kerb_plan_curves* curves) {
    KERB_ASSERT(curves);
    curves_head* h = curves->memory;
    if (h && h->is_running)
        curves->host.tasks.finish(curves->host.tasks.context, h->handle);
    if (h)
        curves->host.allocator.release(curves->host.allocator.context, h, curves->bytes);
    memset(curves, 0, sizeof *curves);
}

// --------------------------------------------------------------------------- asking

static kerb_result curves_wrong(kerb_error* error, float value, const char* field, int32_t index) {
    bool is_number = kerb_is_finite(value);
    return kerb_error_set(error, is_number ? KERB_ERROR_OUT_OF_RANGE : KERB_ERROR_NOT_FINITE, field,
                          0, index, is_number ? "is out of range" : "must be a finite number");
}

static bool curves_is_within(float x, float least, float most) {
    return x >= least && x <= most;
}

static kerb_result curves_check_parts(const kerb_plan_curve* c, kerb_error* error) {
    if (c->part_count < 1 || c->part_count > KERB_PLAN_CURVE_PARTS_MAX || !c->parts)
        return curves_wrong(error, 0.0f, "part_count", -1);
    for (int32_t i = 0; i < c->part_count; i++) {
        const kerb_plan_curve_part* p = &c->parts[i];
        if (!curves_is_within(p->curvature, -10.0f, 10.0f))
            return curves_wrong(error, p->curvature, "curvature", i);
        if (!curves_is_within(p->length, 0.01f, 1000.0f) ||
            kerb_abs(p->length * p->curvature) > 1.5f * KERB_PI)
            return curves_wrong(error, p->length, "length", i);
        if (!curves_is_within(p->left, 0.0f, 100.0f))
            return curves_wrong(error, p->left, "left", i);
        if (!curves_is_within(p->right, 0.0f, 100.0f))
            return curves_wrong(error, p->right, "right", i);
    }
    return KERB_OK;
}

static kerb_result curves_check_grid(const kerb_plan_curve_grid* g, kerb_error* error) {
    if (!g->cells)
        return kerb_error_set(error, KERB_ERROR_MISSING_FIELD, "cells", 0, -1, "there are none");
    if (g->columns < 1 || g->columns > KERB_PLAN_CELLS_MAX)
        return curves_wrong(error, 0.0f, "columns", -1);
    if (g->rows < 1 || g->rows > KERB_PLAN_CELLS_MAX)
        return curves_wrong(error, 0.0f, "rows", -1);
    if (!curves_is_within(g->cell_size, 0.01f, 100.0f))
        return curves_wrong(error, g->cell_size, "cell_size", -1);
    if (!kerb_is_finite(g->origin.x) || !kerb_is_finite(g->origin.y))
        return curves_wrong(error, g->origin.x + g->origin.y, "origin", -1);
    return KERB_OK;
}

static kerb_result curves_check(const curves_head* h, const kerb_plan_curve* c, kerb_error* error) {
    if (c->kind < 0 || c->kind >= h->kind_count)
        return curves_wrong(error, 0.0f, "kind", -1);
    const curves_kind* kind = (const curves_kind*)curves_at(h, h->kinds) + c->kind;
    const kerb_plan_end end = {.pose = c->start};
    const kerb_plan_query query = {&end, &end, 1, 1};
    if (kerb_plan_query_validate(&query, error) != KERB_OK)
        return curves_wrong(error,
                            c->start.position.x + c->start.position.y + c->start.forward.x +
                                c->start.forward.y,
                            "start", -1);
    if (!curves_is_within(c->entry_speed, 0.0f, kind->speed_max))
        return curves_wrong(error, c->entry_speed, "entry_speed", -1);
    if (!curves_is_within(c->exit_speed, 0.0f, kind->speed_max))
        return curves_wrong(error, c->exit_speed, "exit_speed", -1);
    if (!curves_is_within(c->before, 0.0f, 10000.0f))
        return curves_wrong(error, c->before, "before", -1);
    if (!curves_is_within(c->after, 0.0f, 10000.0f))
        return curves_wrong(error, c->after, "after", -1);
    kerb_result result = curves_check_parts(c, error);
    return result == KERB_OK && c->grid ? curves_check_grid(c->grid, error) : result;
}

// Adding 0 turns -0 into 0, which has other bytes.
static curve_key curves_key_of(const kerb_plan_curve* c) {
    curve_key key;
    memset(&key, 0, sizeof key);
    for (int32_t i = 0; i < c->part_count; i++) {
        const kerb_plan_curve_part* p = &c->parts[i];
        key.parts[i] =
            (kerb_plan_curve_part){p->curvature + 0.0f, p->length, p->left + 0.0f, p->right + 0.0f};
    }
    key.before = c->before + 0.0f;
    key.after = c->after + 0.0f;
    key.kind = c->kind;
    key.part_count = c->part_count;
    key.entry_speed = (int32_t)(4.0f * c->entry_speed + 0.5f);
    key.exit_speed = (int32_t)(4.0f * c->exit_speed + 0.5f);
    return key;
}

kerb_result kerb_plan_curves_ask(kerb_plan_curves* curves, const kerb_plan_curve* curve,
                                 int32_t* ticket, kerb_error* error) {
    KERB_ASSERT(curve && ticket);
    curves_head* h = curves_head_of(curves);
    kerb_result result = curves_check(h, curve, error);
    if (result != KERB_OK)
        return result;
    curves_batch* batch = &h->gathered;
    if (batch->count == h->settings.capacity)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "capacity", 0, -1, "the batch is full");
    curves_query* q = curves_query_at(h, batch, batch->count);
    *q = (curves_query){
        .key = curves_key_of(curve), .start = curve->start, .has_grid = curve->grid != NULL};
    if (curve->grid)
        q->grid = *curve->grid;
    q->start.forward = curve_unit_again(curve_unit_again(q->start.forward));
    if (batch->count++ == 0)
        batch->first = h->next_ticket;
    *ticket = h->next_ticket;
    h->next_ticket = h->next_ticket == INT32_MAX ? 0 : h->next_ticket + 1;
    return KERB_OK;
}

// --------------------------------------------------------------------------- the cache

// FNV-1a over words instead of bytes.
static uint64_t curves_hash(const curve_key* key) {
    uint32_t words[sizeof *key / 4];
    uint64_t hash = 14695981039346656037u;
    memcpy(words, key, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        hash = (hash ^ words[i]) * 1099511628211u;
    hash ^= hash >> 29;
    return hash != 0 ? hash : 1;
}

// The first place of the set that a hash belongs to.
static int32_t curves_set_of(const curves_head* h, uint64_t hash) {
    return (int32_t)(hash % (uint64_t)h->sets) * CURVES_WAYS;
}

// -1: it is not there.
static int32_t curves_find(const curves_head* h, const curve_key* key, uint64_t hash) {
    for (int32_t i = 0; h->sets > 0 && i < CURVES_WAYS; i++) {
        int32_t at = curves_set_of(h, hash) + i;
        const curves_place* p = curves_place_at(h, at);
        if (p->hash == hash && memcmp(&p->key, key, sizeof *key) == 0)
            return at;
    }
    return -1;
}

static void curves_remember(const curves_head* h, const curve_key* key, uint64_t hash,
                            const curve_found* found) {
    if (h->sets == 0)
        return;
    curves_place* set = curves_place_at(h, curves_set_of(h, hash));
    curves_place* oldest = set;
    for (int32_t i = 1; i < CURVES_WAYS; i++)
        if (set[i].used < oldest->used)
            oldest = &set[i];
    *oldest = (curves_place){hash, h->batches, *key, *found};
}

// --------------------------------------------------------------------------- a batch

// The job of this batch with the same key; adds one where there is none.
static int32_t curves_job_for(curves_head* h, int32_t index, const curves_query* q, uint64_t hash) {
    int32_t* table = curves_at(h, h->table);
    int32_t* job_of = curves_at(h, h->job_of);
    uint64_t* job_hash = curves_at(h, h->job_hash);
    int32_t at = (int32_t)(hash & (uint64_t)(h->table_size - 1));
    for (; !q->has_grid && table[at] != 0; at = (at + 1) & (h->table_size - 1)) {
        int32_t job = table[at] - 1;
        if (job_hash[job] == hash &&
            memcmp(&curves_query_at(h, &h->running, job_of[job])->key, &q->key, sizeof q->key) == 0)
            return job;
    }
    job_of[h->jobs] = index;
    job_hash[h->jobs] = hash;
    if (!q->has_grid)
        table[at] = h->jobs + 1;
    return h->jobs++;
}

static void curves_solve_range(int32_t begin, int32_t end, void* argument) {
    const curves_head* h = argument;
    const int32_t* job_of = curves_at(h, h->job_of);
    for (int32_t i = begin; i < end; i++) {
        const curves_query* q = curves_query_at(h, &h->running, job_of[i]);
        const curves_kind* kind = (const curves_kind*)curves_at(h, h->kinds) + q->key.kind;
        kerb_in_plan_curve_solve(&q->key, &kind->rates, kind->speed_max,
                                 q->has_grid ? &q->grid : NULL, q->start, h->settings.improvement,
                                 &curves_result_at(h, &h->running, job_of[i])->found);
    }
}

static void curves_start(kerb_plan_curves* curves, curves_head* h) {
    size_t queries = h->running.queries, results = h->running.results;
    h->running = h->gathered;
    h->running.results = results;
    h->gathered = (curves_batch){.queries = queries};
    h->batches++;
    h->jobs = 0;
    memset(curves_at(h, h->table), 0, (size_t)h->table_size * sizeof(int32_t));
    for (int32_t i = 0; i < h->running.count; i++) {
        curves_query* q = curves_query_at(h, &h->running, i);
        uint64_t hash = q->has_grid ? 0 : curves_hash(&q->key);
        q->known = q->has_grid ? -1 : curves_find(h, &q->key, hash);
        q->job = q->known < 0 ? curves_job_for(h, i, q, hash) : -1;
        if (q->known >= 0) {
            curves_place* place = curves_place_at(h, q->known);
            place->used = h->batches;
            curves_result_at(h, &h->running, i)->found = place->found;
        }
    }
    h->counts.asked += h->running.count;
    h->counts.computed += h->jobs;
    h->age = 0;
    h->is_running = true;
    h->handle = h->jobs > 0 ? curves->host.tasks.start(curves->host.tasks.context,
                                                       curves_solve_range, h, h->jobs, CURVES_RANGE)
                            : NULL;
}

// The motion of an answer, where the curve lies.
static void curves_write(const curves_kind* kind, const curves_query* q, curves_result* r) {
    const curve_found* f = &r->found;
    kerb_pose start = q->start;
    start.position.x -= f->entry * start.forward.y;
    start.position.y += f->entry * start.forward.x;
    float entry_speed = kerb_min(kerb_in_plan_curve_speed(q->key.entry_speed), kind->speed_max);
    r->count = f->count > 0 ? kerb_in_plan_movement_pieces(&kind->rates, start, f->arcs, f->count,
                                                           entry_speed, f->exit_speed, r->pieces)
                            : 0;
    r->time = r->length = 0.0f;
    for (int32_t i = 0; i < r->count; i++) {
        r->time = r->pieces[i].time + r->pieces[i].duration;
        r->length += r->pieces[i].length;
    }
}

static void curves_write_range(int32_t begin, int32_t end, void* argument) {
    const curves_head* h = argument;
    for (int32_t i = begin; i < end; i++) {
        const curves_query* q = curves_query_at(h, &h->running, i);
        const curves_kind* kind = (const curves_kind*)curves_at(h, h->kinds) + q->key.kind;
        curves_write(kind, q, curves_result_at(h, &h->running, i));
    }
}

// Hands the results to those with the same key, and to the cache.
static void curves_share(const curves_head* h) {
    const int32_t* job_of = curves_at(h, h->job_of);
    const uint64_t* job_hash = curves_at(h, h->job_hash);
    for (int32_t i = 0; i < h->running.count; i++) {
        const curves_query* q = curves_query_at(h, &h->running, i);
        if (q->job < 0)
            continue;
        const curve_found* found = &curves_result_at(h, &h->running, job_of[q->job])->found;
        if (job_of[q->job] != i)
            curves_result_at(h, &h->running, i)->found = *found;
        else if (!q->has_grid)
            curves_remember(h, &q->key, job_hash[q->job], found);
    }
}

static void curves_apply(kerb_plan_curves* curves, curves_head* h) {
    const kerb_tasks* tasks = &curves->host.tasks;
    if (h->jobs > 0)
        tasks->finish(tasks->context, h->handle);
    curves_share(h);
    if (h->running.count > 0)
        tasks->finish(tasks->context,
                      tasks->start(tasks->context, curves_write_range, h, h->running.count, 64));
    size_t free_results = h->applied.results;
    h->applied = h->running;
    h->running.results = free_results;
    h->running.count = 0;
    h->is_running = false;
}

void kerb_plan_curves_step(kerb_plan_curves* curves) {
    curves_head* h = curves_head_of(curves);
    if (h->is_running && ++h->age >= h->settings.delay)
        curves_apply(curves, h);
    if (!h->is_running && h->gathered.count > 0)
        curves_start(curves, h);
}

// --------------------------------------------------------------------------- answers

bool kerb_plan_curves_answer(const kerb_plan_curves* curves, int32_t ticket,
                             kerb_plan_curve_answer* answer) {
    KERB_ASSERT(answer);
    const curves_head* h = curves_head_of(curves);
    int64_t index = (int64_t)ticket - h->applied.first;
    if (index < 0)
        index += (int64_t)INT32_MAX + 1;
    memset(answer, 0, sizeof *answer);
    if (ticket < 0 || index >= h->applied.count)
        return false;
    const curves_result* r = curves_result_at(h, &h->applied, (int32_t)index);
    answer->entry = r->found.entry;
    answer->exit = r->found.exit;
    answer->reference_time = r->found.reference_time;
    answer->plan =
        (kerb_plan){.pieces = r->pieces,
                    .count = r->count,
                    .method = r->count > 0 ? KERB_PLAN_METHOD_ANALYTIC : KERB_PLAN_METHOD_NONE,
                    .time = r->time,
                    .length = r->length,
                    .cost = r->time + r->found.penalty};
    return true;
}

kerb_plan_curves_counts kerb_plan_curves_get_counts(const kerb_plan_curves* curves) {
    return curves_head_of(curves)->counts;
}
