// Purpose: what holds for every scene: making, stepping, snapshots, settings, dragging.
// Idea:    All that changes lies in one block, the arena, whose first bytes say how much of it is
//          used. A snapshot is a copy of that part and of the settings. So a scene needs no code
//          for saving, and none can be forgotten. Restart is the snapshot taken after make.
// Cost:    a step: that of the scene, and O(vehicles).
#include "scene/stage/stage_parts.h"

#include <string.h>

enum {
    STAGE_DRAW_LINES = 24576,
    STAGE_DRAW_POINTS = 2048,
    STAGE_DRAW_TEXTS = 64,
    STAGE_ALIGNMENT = 64,
    STAGE_MAGIC = 0x53544731
};

// --------------------------------------------------------------------------- memory

struct stage_block {
    stage_block *before, *after;
    size_t bytes;
    kerb_stage* stage;
};

#define STAGE_BLOCK_HEAD                                                                           \
    ((sizeof(stage_block) + STAGE_ALIGNMENT - 1u) / STAGE_ALIGNMENT * STAGE_ALIGNMENT)

static void* stage_fixed_allocate(void* context, size_t size, size_t alignment) {
    kerb_stage* stage = context;
    (void)alignment;
    if (size > SIZE_MAX - STAGE_BLOCK_HEAD)
        return NULL;
    const kerb_allocator* a = &stage->host.allocator;
    size_t bytes = size + STAGE_BLOCK_HEAD;
    stage_block* block = a->allocate(a->context, bytes, STAGE_ALIGNMENT);
    if (block == NULL)
        return NULL;
    *block = (stage_block){NULL, stage->blocks, bytes, stage};
    if (stage->blocks != NULL)
        stage->blocks->before = block;
    stage->blocks = block;
    return (unsigned char*)block + STAGE_BLOCK_HEAD;
}

static void stage_fixed_release(void* context, void* memory, size_t size) {
    kerb_stage* stage = context;
    (void)size;
    if (memory == NULL)
        return;
    stage_block* block = (stage_block*)(void*)((unsigned char*)memory - STAGE_BLOCK_HEAD);
    if (block->before != NULL)
        block->before->after = block->after;
    else
        stage->blocks = block->after;
    if (block->after != NULL)
        block->after->before = block->before;
    stage->host.allocator.release(stage->host.allocator.context, block, block->bytes);
}

static size_t stage_round_up(size_t bytes) {
    return (bytes + STAGE_ALIGNMENT - 1u) / STAGE_ALIGNMENT * STAGE_ALIGNMENT;
}

static void* stage_arena_allocate(void* context, size_t size, size_t alignment) {
    kerb_stage* stage = context;
    (void)alignment;
    size_t bytes = stage_round_up(size);
    if (bytes < size || bytes > stage->scene->arena_bytes - stage->state->used)
        return NULL;
    void* memory = stage->memory + stage->state->used;
    stage->state->used += bytes;
    return memory;
}

// What was allocated last is free again at once; other memory with the arena.
static void stage_arena_release(void* context, void* memory, size_t size) {
    kerb_stage* stage = context;
    unsigned char* end = stage->memory + stage->state->used;
    if (memory != NULL && (unsigned char*)memory + stage_round_up(size) == end)
        stage->state->used -= stage_round_up(size);
}

void* kerb_scene_stage_allocate(kerb_stage* stage, size_t bytes) {
    void* memory = stage_arena_allocate(stage, bytes, STAGE_ALIGNMENT);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

void* kerb_scene_stage_fix(kerb_stage* stage, size_t bytes) {
    void* memory = stage_fixed_allocate(stage, bytes, STAGE_ALIGNMENT);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

kerb_result kerb_scene_stage_no_memory(kerb_error* error) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the scene");
}

// --------------------------------------------------------------------------- making

static kerb_result stage_bad(kerb_error* error, const char* field, int32_t index,
                             const char* message) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, index, message);
}

static kerb_result stage_choose(kerb_stage* stage, const int32_t* choices, int32_t count,
                                kerb_error* error) {
    const stage_scene* scene = stage->scene;
    if (count < 0 || count > scene->choice_count || (choices == NULL && count > 0))
        return stage_bad(error, "count", -1, "must be at most the number of choices");
    for (int32_t i = 0; i < scene->choice_count; i++) {
        int32_t value = i < count ? choices[i] : scene->choices[i].fallback;
        if (value < kerb_stage_choice_min(stage->index, i) ||
            value > kerb_stage_choice_max(stage->index, i))
            return stage_bad(error, "choices", i, "must be from its least to its most value");
        stage->choices[i] = value;
    }
    return KERB_OK;
}

static kerb_result stage_allocate_all(kerb_stage* stage, kerb_error* error) {
    const stage_scene* scene = stage->scene;
    stage->memory = kerb_scene_stage_fix(stage, scene->arena_bytes);
    stage->vehicles =
        kerb_scene_stage_fix(stage, KERB_STAGE_VEHICLES_MAX * sizeof *stage->vehicles);
    stage->lines = kerb_scene_stage_fix(stage, STAGE_DRAW_LINES * sizeof *stage->lines);
    stage->points = kerb_scene_stage_fix(stage, STAGE_DRAW_POINTS * sizeof *stage->points);
    stage->texts = kerb_scene_stage_fix(stage, STAGE_DRAW_TEXTS * sizeof *stage->texts);
    if (!stage->memory || !stage->vehicles || !stage->lines || !stage->points || !stage->texts)
        return kerb_scene_stage_no_memory(error);
    stage->drawn = kerb_draw_buffer_make(stage->lines, STAGE_DRAW_LINES, stage->points,
                                         STAGE_DRAW_POINTS, stage->texts, STAGE_DRAW_TEXTS);
    stage->state = (stage_state*)(void*)stage->memory;
    stage->state->used = stage_round_up(sizeof *stage->state);
    size_t estimates = (size_t)scene->estimates * sizeof(kerb_estimate);
    stage->state->estimates = kerb_scene_stage_allocate(stage, estimates);
    if (stage->state->estimates == NULL)
        return kerb_scene_stage_no_memory(error);
    for (int32_t i = 0; i < scene->table_count; i++) {
        const kerb_settings_table* table = scene->tables[i].table();
        stage->settings[i] = kerb_scene_stage_fix(stage, table->size);
        if (stage->settings[i] == NULL)
            return kerb_scene_stage_no_memory(error);
        kerb_settings_set_defaults(table, stage->settings[i]);
        if (scene->defaults != NULL)
            scene->defaults(stage, i, stage->settings[i]);
    }
    return KERB_OK;
}

static kerb_result stage_build(kerb_stage* stage, kerb_error* error) {
    kerb_result result = stage_allocate_all(stage, error);
    if (result == KERB_OK)
        result = stage->scene->make(stage, error);
    if (result != KERB_OK)
        return result;
    stage->state->hash = 0xcbf29ce484222325u;
    kerb_scene_stage_reshape(stage);
    if (stage->scene->apply != NULL)
        stage->scene->apply(stage);
    stage->initial_bytes = stage->state->used;
    stage->initial = kerb_scene_stage_fix(stage, stage->initial_bytes);
    if (stage->initial == NULL)
        return kerb_scene_stage_no_memory(error);
    memcpy(stage->initial, stage->memory, stage->initial_bytes);
    kerb_scene_stage_show(stage, false);
    return KERB_OK;
}

kerb_stage* kerb_stage_make(int32_t scene, uint32_t seed, const int32_t* choices, int32_t count,
                            const kerb_host* host, kerb_error* error) {
    const stage_scene* found = kerb_scene_stage_at(scene);
    if (found == NULL) {
        stage_bad(error, "scene", scene, "must be the index of a scene");
        return NULL;
    }
    kerb_host own = host != NULL ? *host : kerb_host_default();
    kerb_stage* stage = own.allocator.allocate(own.allocator.context, sizeof *stage, 16);
    if (stage == NULL) {
        kerb_scene_stage_no_memory(error);
        return NULL;
    }
    memset(stage, 0, sizeof *stage);
    stage->scene = found;
    stage->index = scene;
    stage->seed = seed;
    stage->host = stage->fixed = stage->arena = own;
    stage->fixed.allocator = (kerb_allocator){stage_fixed_allocate, stage_fixed_release, stage};
    stage->arena.allocator = (kerb_allocator){stage_arena_allocate, stage_arena_release, stage};
    kerb_result result = stage_choose(stage, choices, count, error);
    if (result == KERB_OK)
        result = stage_build(stage, error);
    if (result == KERB_OK)
        return stage;
    kerb_stage_free(stage);
    return NULL;
}

void kerb_stage_free(kerb_stage* stage) {
    if (stage == NULL)
        return;
    while (stage->blocks != NULL)
        stage_fixed_release(stage, (unsigned char*)stage->blocks + STAGE_BLOCK_HEAD, 0);
    kerb_allocator a = stage->host.allocator;
    a.release(a.context, stage, sizeof *stage);
}

int32_t kerb_stage_scene(const kerb_stage* stage) {
    return stage != NULL ? stage->index : -1;
}

uint32_t kerb_stage_seed(const kerb_stage* stage) {
    return stage != NULL ? stage->seed : 0u;
}

int32_t kerb_stage_choice(const kerb_stage* stage, int32_t choice) {
    bool fits = stage != NULL && choice >= 0 && choice < stage->scene->choice_count;
    return fits ? stage->choices[choice] : 0;
}

// --------------------------------------------------------------------------- stepping

void kerb_stage_step(kerb_stage* stage) {
    if (stage == NULL)
        return;
    stage->scene->step(stage);
    stage->state->frame++;
    kerb_scene_stage_show(stage, true);
}

float kerb_stage_time(const kerb_stage* stage) {
    return stage != NULL ? (float)((double)stage->state->frame / 60.0) : 0.0f;
}

int32_t kerb_stage_frame(const kerb_stage* stage) {
    return stage != NULL ? stage->state->frame : 0;
}

void kerb_stage_hash(const kerb_stage* stage, uint32_t hash[2]) {
    if (hash == NULL)
        return;
    hash[0] = stage != NULL ? (uint32_t)stage->state->hash : 0u;
    hash[1] = stage != NULL ? (uint32_t)(stage->state->hash >> 32) : 0u;
}

// --------------------------------------------------------------------------- snapshots

// Before the settings and the arena.
typedef struct stage_snapshot {
    uint32_t magic, bytes;
    const kerb_stage* stage;
    int32_t scene, vehicle_count;
    uint64_t arena;
} stage_snapshot;

static size_t stage_settings_bytes(const kerb_stage* stage) {
    size_t bytes = 0;
    for (int32_t i = 0; i < stage->scene->table_count; i++)
        bytes += stage->scene->tables[i].table()->size;
    return bytes;
}

static void stage_took_over(kerb_stage* stage) {
    if (stage->scene->restored != NULL)
        stage->scene->restored(stage);
    kerb_draw_clear(&stage->drawn);
    kerb_scene_stage_show(stage, false);
}

kerb_result kerb_stage_restart(kerb_stage* stage, kerb_error* error) {
    if (stage == NULL)
        return stage_bad(error, "stage", -1, "must not be NULL");
    memcpy(stage->memory, stage->initial, stage->initial_bytes);
    if (stage->scene->apply != NULL)
        stage->scene->apply(stage);
    stage_took_over(stage);
    return KERB_OK;
}

int32_t kerb_stage_snapshot_bytes(const kerb_stage* stage) {
    if (stage == NULL)
        return 0;
    return (int32_t)(sizeof(stage_snapshot) + stage_settings_bytes(stage) + stage->state->used);
}

int32_t kerb_stage_save(const kerb_stage* stage, void* block, int32_t capacity) {
    int32_t bytes = kerb_stage_snapshot_bytes(stage);
    if (stage == NULL || block == NULL || capacity < bytes)
        return 0;
    unsigned char* to = block;
    stage_snapshot head;
    memset(&head, 0, sizeof head);
    head.magic = STAGE_MAGIC;
    head.bytes = (uint32_t)bytes;
    head.stage = stage;
    head.scene = stage->index;
    head.vehicle_count = stage->vehicle_count;
    head.arena = stage->state->used;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (int32_t i = 0; i < stage->scene->table_count; i++) {
        size_t size = stage->scene->tables[i].table()->size;
        memcpy(to, stage->settings[i], size);
        to += size;
    }
    memcpy(to, stage->memory, stage->state->used);
    return bytes;
}

static kerb_result stage_read_head(const kerb_stage* stage, const void* block, int32_t size,
                                   stage_snapshot* head, kerb_error* error) {
    if (stage == NULL)
        return stage_bad(error, "stage", -1, "must not be NULL");
    if (block == NULL || size < (int32_t)sizeof *head)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "size", 0, -1, "is less than a snapshot");
    memcpy(head, block, sizeof *head);
    if (head->magic != STAGE_MAGIC)
        return kerb_error_set(error, KERB_ERROR_SYNTAX, "block", 0, -1, "is no snapshot");
    if (head->stage != stage || head->scene != stage->index ||
        head->arena > stage->scene->arena_bytes ||
        head->bytes != sizeof *head + stage_settings_bytes(stage) + head->arena)
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "block", 0, -1,
                              "is a snapshot of another stage");
    if ((uint32_t)size < head->bytes)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "size", 0, -1, "is less than a snapshot");
    return KERB_OK;
}

kerb_result kerb_stage_restore(kerb_stage* stage, const void* block, int32_t size,
                               kerb_error* error) {
    stage_snapshot head;
    kerb_result result = stage_read_head(stage, block, size, &head, error);
    if (result != KERB_OK)
        return result;
    const unsigned char* from = (const unsigned char*)block + sizeof head;
    for (int32_t i = 0; i < stage->scene->table_count; i++) {
        size_t bytes = stage->scene->tables[i].table()->size;
        memcpy(stage->settings[i], from, bytes);
        from += bytes;
    }
    memcpy(stage->memory, from, (size_t)head.arena);
    stage->vehicle_count = head.vehicle_count;
    stage_took_over(stage);
    return KERB_OK;
}

// --------------------------------------------------------------------------- settings

static const kerb_setting* stage_row(const kerb_stage* stage, int32_t table, int32_t row) {
    if (stage == NULL || table < 0 || table >= stage->scene->table_count)
        return NULL;
    const kerb_settings_table* t = stage->scene->tables[table].table();
    return row >= 0 && row < t->count ? &t->settings[row] : NULL;
}

float kerb_stage_get(const kerb_stage* stage, int32_t table, int32_t row) {
    const kerb_setting* setting = stage_row(stage, table, row);
    return setting != NULL ? kerb_settings_get(setting, stage->settings[table]) : 0.0f;
}

kerb_result kerb_stage_set(kerb_stage* stage, int32_t table, int32_t row, float value,
                           kerb_error* error) {
    if (stage == NULL)
        return stage_bad(error, "stage", -1, "must not be NULL");
    if (table < 0 || table >= stage->scene->table_count)
        return stage_bad(error, "table", table, "must be the index of a table of this scene");
    const kerb_setting* setting = stage_row(stage, table, row);
    if (setting == NULL)
        return stage_bad(error, "row", row, "must be the index of a row of this table");
    kerb_result result = kerb_settings_set(setting, stage->settings[table], value, error);
    if (result != KERB_OK)
        return result;
    if (stage->scene->apply != NULL)
        stage->scene->apply(stage);
    kerb_scene_stage_show(stage, false);
    return KERB_OK;
}

// --------------------------------------------------------------------------- dragging

static int32_t stage_items(kerb_stage* stage, int32_t kind) {
    switch (kind) {
    case KERB_STAGE_ITEM_VEHICLE:
        return stage->vehicle_count;
    case KERB_STAGE_ITEM_SOLID:
        return kerb_stage_solid_count(stage);
    case KERB_STAGE_ITEM_MARK:
        return kerb_stage_mark_count(stage);
    default:
        return 0;
    }
}

static bool stage_is_movable(kerb_stage* stage, int32_t kind, int32_t index) {
    if (stage->scene->drag == NULL)
        return false;
    if (kind == KERB_STAGE_ITEM_SOLID)
        return kerb_stage_solids(stage)[index].movable != 0;
    return kind != KERB_STAGE_ITEM_MARK || kerb_stage_marks(stage)[index].movable != 0;
}

kerb_result kerb_stage_drag(kerb_stage* stage, int32_t kind, int32_t index, float x, float y,
                            float heading, kerb_error* error) {
    if (stage == NULL)
        return stage_bad(error, "stage", -1, "must not be NULL");
    if (kind < 0 || kind >= KERB_STAGE_ITEMS)
        return stage_bad(error, "kind", kind, "must be a kerb_stage_item");
    if (index < 0 || index >= stage_items(stage, kind))
        return stage_bad(error, "index", index, "must be the index of an item of this kind");
    float sum = x + y + heading;
    if (!(sum - sum == 0.0f))
        return kerb_error_set(error, KERB_ERROR_NOT_FINITE, "x", 0, -1, "must be finite");
    if (kerb_abs(x) > 1.0e5f || kerb_abs(y) > 1.0e5f)
        return stage_bad(error, "x", -1, "must be within 100 km of the origin");
    if (!stage_is_movable(stage, kind, index))
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "index", 0, index,
                              "cannot be moved in this scene");
    kerb_pose pose = kerb_pose_make(x, y, kerb_wrap_angle(heading));
    kerb_result result = stage->scene->drag(stage, kind, index, pose, error);
    if (result == KERB_OK)
        kerb_scene_stage_show(stage, false);
    return result;
}

// --------------------------------------------------------------------------- drawing, figures

int32_t kerb_stage_draw(kerb_stage* stage, int32_t vehicle) {
    if (stage == NULL)
        return 0;
    kerb_draw_clear(&stage->drawn);
    if (stage->scene->draw != NULL && vehicle >= 0 && vehicle < stage->vehicle_count)
        stage->scene->draw(stage, vehicle, &stage->drawn);
    return stage->drawn.line_count + stage->drawn.point_count + stage->drawn.text_count;
}

const kerb_draw_line* kerb_stage_draw_lines(const kerb_stage* stage) {
    return stage != NULL ? stage->lines : NULL;
}

int32_t kerb_stage_draw_line_count(const kerb_stage* stage) {
    return stage != NULL ? stage->drawn.line_count : 0;
}

const kerb_draw_point* kerb_stage_draw_points(const kerb_stage* stage) {
    return stage != NULL ? stage->points : NULL;
}

int32_t kerb_stage_draw_point_count(const kerb_stage* stage) {
    return stage != NULL ? stage->drawn.point_count : 0;
}

const kerb_draw_text* kerb_stage_draw_texts(const kerb_stage* stage) {
    return stage != NULL ? stage->texts : NULL;
}

int32_t kerb_stage_draw_text_count(const kerb_stage* stage) {
    return stage != NULL ? stage->drawn.text_count : 0;
}

int32_t kerb_stage_figure_count(const kerb_stage* stage) {
    return stage != NULL ? stage->scene->figure_count : 0;
}

static bool stage_has_figure(const kerb_stage* stage, int32_t figure) {
    return figure >= 0 && figure < kerb_stage_figure_count(stage);
}

const char* kerb_stage_figure_name(const kerb_stage* stage, int32_t figure) {
    return stage_has_figure(stage, figure) ? stage->scene->figures[figure].name : "";
}

const char* kerb_stage_figure_unit(const kerb_stage* stage, int32_t figure) {
    return stage_has_figure(stage, figure) ? stage->scene->figures[figure].unit : "";
}

float kerb_stage_figure(const kerb_stage* stage, int32_t figure) {
    return stage_has_figure(stage, figure) ? stage->scene->figure(stage, figure) : 0.0f;
}
