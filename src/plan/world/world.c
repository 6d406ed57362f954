// Purpose: builds the block of memory that holds the static obstacles.
// Idea:    The block holds the host's cells as bits, its polygons as they are, and both once more
//          as blocked cells of a distance field. Cells of the field are about a quarter of the
//          vehicle's width, or larger where these would be too many. The blocked cells contain all
//          that is blocked, so a distance in the field is never too great.
// Cost:    O(cells of grid and field + vertices); allocates nothing.
#include "world.h"

#include "../../base/shared.h"

#include <string.h>

// Cells of the field across the vehicle's width. More take memory and time with their square; fewer
// leave more arcs to the exact test. [1]
#define FIELD_ACROSS 4.0f
// Circles along the outline, per width. More fit the sides better but cost a look-up each; chosen
// by trial. [1]
#define CIRCLES_A_WIDTH 2.0f

// Bytes of a head. Two of them begin the block.
#define HEAD_BYTES ((sizeof(plan_world) + 7) / 8 * 8)

// Radius about a start in which the outline is smaller, over the outline's length: one length to
// leave the obstacle's side, one to come back from it. [1]
#define EASED_LENGTHS 2.0f

static int32_t world_whole(float x) {
    return (int32_t)floorf(x);
}

static int32_t least_whole(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void lay_circles(plan_world* world) {
    const plan_outline* o = &world->outline;
    float length = o->front + o->rear;
    int32_t count = 1 + world_whole(CIRCLES_A_WIDTH * length / (2.0f * o->half_width));
    world->circles = least_whole(count, PLAN_CIRCLES_MAX);
    world->circle_spacing = length / (float)world->circles;
    world->circle_first = 0.5f * world->circle_spacing - o->rear;
    float half = 0.5f * world->circle_spacing;
    world->circle_radius = kerb_sqrt(half * half + o->half_width * o->half_width);
    world->round_radius = kerb_sqrt(0.25f * length * length + o->half_width * o->half_width);
    float far = kerb_max(o->front, o->rear);
    world->reach = kerb_sqrt(far * far + o->half_width * o->half_width);
}

// --------------------------------------------------------------------------- layout

typedef struct extent {
    kerb_vec2 least, most;
} extent;

static void widen(extent* e, kerb_vec2 place) {
    e->least = kerb_vec2_make(kerb_min(e->least.x, place.x), kerb_min(e->least.y, place.y));
    e->most = kerb_vec2_make(kerb_max(e->most.x, place.x), kerb_max(e->most.y, place.y));
}

// Number of vertices that there is room for in polygon `i`.
static int32_t room_of_polygon(const kerb_plan_world* given, int32_t i) {
    int32_t count = i < given->polygon_count ? given->vertex_counts[i] : 0;
    return count > given->spare_corners ? count : given->spare_corners;
}

static int32_t vertices_of(const kerb_plan_world* given) {
    int32_t count = 0;
    for (int32_t i = 0; i < given->polygon_count; i++)
        count += given->vertex_counts[i];
    return count;
}

static bool has_area(const kerb_plan_world* given) {
    return given->area_min.x != given->area_max.x || given->area_min.y != given->area_max.y;
}

// The area of changes, wider by less than a cell, so that cells of the field stay parts of cells of
// the grid.
static extent area_of(const kerb_plan_world* given) {
    extent area = {given->area_min, given->area_max};
    if (!given->cells)
        return area;
    kerb_vec2 o = given->origin;
    float cell = given->cell_size;
    area.least.x = o.x + floorf((area.least.x - o.x) / cell) * cell;
    area.least.y = o.y + floorf((area.least.y - o.y) / cell) * cell;
    return area;
}

// The extent of all obstacles, and of changes.
static extent extent_of(const kerb_plan_world* given) {
    extent e;
    if (given->cells) {
        e.least = given->origin;
        e.most = kerb_vec2_make(given->origin.x + (float)given->columns * given->cell_size,
                                given->origin.y + (float)given->rows * given->cell_size);
    } else {
        e.least = e.most = given->polygon_count > 0 ? given->vertices[0] : given->area_min;
    }
    for (int32_t i = 0, count = vertices_of(given); i < count; i++)
        widen(&e, given->vertices[i]);
    if (has_area(given)) {
        extent area = area_of(given);
        widen(&e, area.least);
        widen(&e, area.most);
    }
    return e;
}

static double cells_of(extent e, float cell) {
    return ((double)(e.most.x - e.least.x) / (double)cell + 2.0) *
           ((double)(e.most.y - e.least.y) / (double)cell + 2.0);
}

// Size of the field's cells: an integer fraction or multiple of the grid's cells, so that free
// cells stay free in the field. [m]
static float field_cell(const kerb_plan_world* given, extent e, float wanted, double most) {
    float cell = wanted;
    if (given->cells) {
        float shares = kerb_max(1.0f, floorf(given->cell_size / wanted));
        while (shares > 1.0f && cells_of(e, given->cell_size / shares) > most)
            shares -= 1.0f;
        float groups = kerb_max(1.0f, floorf(wanted / given->cell_size));
        cell = given->cell_size * groups / shares;
    }
    while (cells_of(e, cell) > most)
        cell *= 2.0f;
    return cell;
}

static size_t world_take(plan_world* world, size_t bytes) {
    size_t at = world->bytes;
    world->bytes += kerb_in_round_up(bytes, 8);
    return at;
}

static void lay_field(plan_world* world, const kerb_plan_world* given, double most) {
    extent e = extent_of(given);
    float cell = field_cell(given, e, 2.0f * world->outline.half_width / FIELD_ACROSS, most);
    world->field_cell = cell;
    world->field_per_metre = 1.0f / cell;
    world->field_origin = world->extent_least = e.least;
    world->extent_most = e.most;
    world->field_columns = 1 + world_whole((e.most.x - e.least.x) / cell);
    world->field_rows = 1 + world_whole((e.most.y - e.least.y) / cell);
    world->field_words = (world->field_columns + PLAN_WORD - 1) / PLAN_WORD;
    size_t rows = (size_t)world->field_rows, words = (size_t)world->field_words;
    world->field = world_take(world, (size_t)world->field_columns * rows);
    world->blocked = world_take(world, words * rows * sizeof(uint64_t));
    world->field_rows_memory =
        world_take(world, kerb_in_plan_field_memory(world->field_columns, world->field_rows));
}

static void take_grid(plan_world* world, const kerb_plan_world* given) {
    world->columns = given->columns;
    world->rows = given->rows;
    world->words = (given->columns + 63) / 64;
    world->cell = given->cell_size;
    world->origin = given->origin;
    world->bits = world_take(world, (size_t)world->words * (size_t)world->rows * sizeof(uint64_t));
}

static void take_polygons(plan_world* world, const kerb_plan_world* given) {
    world->polygons = given->polygon_count;
    world->polygon_count = given->polygon_count + given->spare_polygons;
    for (int32_t i = 0; i < world->polygon_count; i++)
        world->vertices += room_of_polygon(given, i);
    world->vertex = world_take(world, (size_t)world->vertices * sizeof(kerb_vec2));
    world->polygon = world_take(world, (size_t)world->polygon_count * sizeof(plan_polygon));
}

static void take_prices(plan_world* world, const kerb_plan_world* given) {
    world->price_columns = given->columns;
    world->price_rows = given->rows;
    world->price_cell = given->cell_size;
    world->price_origin = given->origin;
    world->price = given->cost_per_metre;
    world->prices = world_take(world, (size_t)given->columns * (size_t)given->rows);
}

plan_world kerb_in_plan_world_layout(const kerb_plan_world* given, const plan_outline* outline,
                                     int32_t field_cells_max) {
    plan_world world;
    memset(&world, 0, sizeof world);
    world.bytes = 2 * HEAD_BYTES;
    world.outline = *outline;
    lay_circles(&world);
    world.boxed = given->box_min.x != given->box_max.x || given->box_min.y != given->box_max.y;
    world.least = given->box_min;
    world.most = given->box_max;
    world.is_free = given->is_free;
    world.context = given->context;
    if (given->cells)
        take_grid(&world, given);
    if (given->polygon_count + given->spare_polygons > 0)
        take_polygons(&world, given);
    if (given->cost_map)
        take_prices(&world, given);
    if (given->cells || world.polygon_count > 0)
        lay_field(&world, given, (double)field_cells_max);
    return world;
}

// --------------------------------------------------------------------------- building

// Blocked cells as bits, `count` of them.
static uint64_t blocked_word(const uint8_t* cells, int32_t count) {
    uint8_t blocked[PLAN_WORD] = {0};
    for (int32_t i = 0; i < count; i++)
        blocked[i] = cells[i] == 255;
    return plan_word_of_bytes(blocked);
}

static void copy_grid(plan_world* world, const kerb_plan_world* given) {
    uint64_t* word = (uint64_t*)(void*)((char*)world + world->bits);
    for (int32_t y = 0; y < world->rows; y++) {
        const uint8_t* row = given->cells + (size_t)y * (size_t)world->columns;
        for (int32_t x = 0; x < world->columns; x += PLAN_WORD)
            *word++ = blocked_word(row + x, least_whole(world->columns - x, PLAN_WORD));
    }
}

static void copy_polygons(plan_world* world, const kerb_plan_world* given) {
    kerb_vec2* vertex = (kerb_vec2*)(void*)((char*)world + world->vertex);
    plan_polygon* polygon = (plan_polygon*)(void*)((char*)world + world->polygon);
    plan_window unused[2];
    memset(vertex, 0, (size_t)world->vertices * sizeof(kerb_vec2));
    world->polygons = 0;
    for (int32_t i = 0, first = 0, next = 0; i < world->polygon_count; i++) {
        int32_t count = i < given->polygon_count ? given->vertex_counts[i] : 0;
        polygon[i] = (plan_polygon){.first = first, .room = room_of_polygon(given, i)};
        kerb_in_plan_world_put_polygon(world, i, count > 0 ? given->vertices + next : NULL, count,
                                       unused);
        first += polygon[i].room;
        next += count;
    }
}

void kerb_in_plan_world_build(void* block, const plan_world* layout, const kerb_plan_world* given) {
    plan_world* world = block;
    *world = *layout;
    if (given->cells)
        copy_grid(world, given);
    if (world->polygon_count > 0)
        copy_polygons(world, given);
    if (given->cost_map)
        memcpy((char*)world + world->prices, given->cost_map,
               (size_t)given->columns * (size_t)given->rows);
    if (world->field == 0)
        return;
    plan_window all = {0, 0, world->field_columns, world->field_rows};
    memset((char*)world + world->blocked, 0,
           (size_t)world->field_words * (size_t)world->field_rows * sizeof(uint64_t));
    kerb_in_plan_world_mark(world, all);
    kerb_in_plan_field_measure(world);
}

static size_t seen_from_second(size_t offset) {
    return offset != 0 ? offset - HEAD_BYTES : 0;
}

void kerb_in_plan_world_ease(plan_world* world, const kerb_vec2* places, int32_t count, float by) {
    plan_world* eased = (plan_world*)(void*)((char*)world + HEAD_BYTES);
    world->eased_count = 0;
    *eased = *world;
    plan_outline* o = &eased->outline;
    *o = (plan_outline){o->front - by, o->rear - by, o->half_width - by};
    lay_circles(eased);
    eased->bits = seen_from_second(world->bits);
    eased->vertex = seen_from_second(world->vertex);
    eased->polygon = seen_from_second(world->polygon);
    eased->field = seen_from_second(world->field);
    eased->prices = seen_from_second(world->prices);
    world->eased_count = count;
    world->eased_radius = EASED_LENGTHS * (world->outline.front + world->outline.rear);
    for (int32_t i = 0; i < count; i++)
        world->eased[i] = places[i];
}

const plan_world* kerb_in_plan_world_eased(const plan_world* world) {
    return (const plan_world*)(const void*)((const char*)world + HEAD_BYTES);
}

bool kerb_in_plan_any_bit(const uint64_t* words, int32_t first, int32_t last) {
    uint64_t from = ~(uint64_t)0 << (first & 63), to = ~(uint64_t)0 >> (63 - (last & 63));
    int32_t i = first >> 6, end = last >> 6;
    if (i == end)
        return (words[i] & from & to) != 0;
    if (words[i] & from)
        return true;
    while (++i < end)
        if (words[i])
            return true;
    return (words[end] & to) != 0;
}

bool kerb_in_plan_world_row_free(const plan_world* world, const uint64_t* bits, int32_t row,
                                 float left, float right) {
    int32_t from = (int32_t)kerb_max(left, 0.0f);
    int32_t to = (int32_t)kerb_min(right, (float)(world->columns - 1));
    return from > to || right <= 0.0f ||
           !kerb_in_plan_any_bit(bits + (size_t)row * (size_t)world->words, from, to);
}
