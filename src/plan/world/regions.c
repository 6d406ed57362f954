// Purpose: shows at once that there is no path where walls separate the start from the goal.
// Idea:    The largest circle about the rear axle that fits into the outline moves along an
//          unbroken line. In the middle of each cell of the field on this line, a circle that is
//          smaller by half a diagonal is free. So all that the vehicle can reach is connected by
//          such cells, across corners too. Runs of such cells in a row are joined with those of the
//          previous row. All ground outside the field is one region together with the border of the
//          field.
// Cost:    O(cells) once for a world, with an exact test of a disc for each cell near obstacles;
//          two bytes per cell.
#include "regions.h"

#include <string.h>

// Number of the region outside the field.
#define OUTSIDE 1
// Number for regions beyond the 16 bits of a number: they may be connected with any region.
#define ANY 65535

// Adjacent cells of a row that have clearance, and a run that they are connected with. The first
// run of a region refers to itself.
typedef struct regions_run {
    int32_t begin, end; // columns, without `end`
    int32_t row, of;
} regions_run;

size_t kerb_in_plan_regions_bytes(const plan_world* layout) {
    size_t cells = (size_t)layout->field_columns * (size_t)layout->field_rows;
    return sizeof(plan_regions) + (layout->field != 0 ? cells * sizeof(uint16_t) : 0);
}

size_t kerb_in_plan_regions_scratch(const plan_world* layout) {
    size_t columns = (size_t)layout->field_columns, rows = (size_t)layout->field_rows;
    return ((columns / 2 + 1) * rows + 1) * sizeof(regions_run);
}

static uint16_t* numbers_of(plan_regions* regions) {
    return (uint16_t*)(void*)(regions + 1);
}

static float circle_of(const plan_outline* outline) {
    return kerb_max(kerb_min(kerb_min(outline->front, outline->rear), outline->half_width), 0.0f);
}

// The range of cells of a row or column of the field whose middles lie in the box.
static void regions_within(float origin, float cell, int32_t count, float least, float most,
                           int32_t* low, int32_t* high) {
    *low = 0;
    *high = count;
    while (*low < count && origin + ((float)*low + 0.5f) * cell < least)
        ++*low;
    while (*high > *low && origin + ((float)*high - 0.5f) * cell > most)
        --*high;
}

// A circle without a radius fits anywhere.
static bool regions_has_room(const plan_world* w, int32_t column, int32_t row, float radius) {
    kerb_vec2 middle = {w->field_origin.x + ((float)column + 0.5f) * w->field_cell,
                        w->field_origin.y + ((float)row + 0.5f) * w->field_cell};
    return radius <= 0.0f || kerb_in_plan_world_disc_free(w, middle, radius);
}

static int32_t root_of(regions_run* runs, int32_t index) {
    while (runs[index].of != index) {
        runs[index].of = runs[runs[index].of].of;
        index = runs[index].of;
    }
    return index;
}

static void regions_join(regions_run* runs, int32_t a, int32_t b) {
    a = root_of(runs, a);
    b = root_of(runs, b);
    if (a < b)
        runs[b].of = a;
    else
        runs[a].of = b;
}

// Appends the runs of a row. Run 0 is the ground outside.
static int32_t find_runs(const plan_world* w, int32_t row, float room, regions_run* runs,
                         int32_t count) {
    const uint8_t* field =
        (const uint8_t*)kerb_in_plan_world_at(w, w->field) + (size_t)row * (size_t)w->field_columns;
    int32_t columns = w->field_columns, low = 0, high = columns;
    if (w->boxed)
        regions_within(w->field_origin.x, w->field_cell, columns, w->least.x + room,
                       w->most.x - room, &low, &high);
    bool is_in = false, is_last = row == 0 || row == w->field_rows - 1;
    float halves = 2.0f * room * w->field_per_metre;
    for (int32_t x = low; x < high; x++) {
        bool is_far = (float)field[x] >= halves;
        if (!is_far && !regions_has_room(w, x, row, room)) {
            is_in = false;
            continue;
        }
        if (!is_in) {
            runs[count] = (regions_run){x, x, row, count};
            count++;
        }
        is_in = true;
        runs[count - 1].end = x + 1;
        if (is_last || x == 0 || x == columns - 1)
            regions_join(runs, count - 1, 0);
    }
    return count;
}

// Joins the runs of a row with those of the previous row that they touch, at corners too.
static void join_rows(regions_run* runs, int32_t before, int32_t begin, int32_t end) {
    for (int32_t i = before, k = begin; i < begin && k < end;) {
        if (runs[i].begin <= runs[k].end && runs[k].begin <= runs[i].end)
            regions_join(runs, i, k);
        if (runs[i].end < runs[k].end)
            i++;
        else
            k++;
    }
}

static void write_run(uint16_t* number, const regions_run* r, int32_t columns, uint16_t value) {
    for (int32_t x = r->begin; x < r->end; x++)
        number[r->row * columns + x] = value;
}

void kerb_in_plan_regions_create(void* block, const plan_world* world, void* scratch) {
    plan_regions* regions = block;
    regions_run* runs = scratch;
    memset(regions, 0, kerb_in_plan_regions_bytes(world));
    if (world->field == 0)
        return;
    regions->columns = world->field_columns;
    regions->rows = world->field_rows;
    float room = 0.999f * circle_of(&world->outline) - 0.7072f * world->field_cell;
    runs[0] = (regions_run){0, 0, 0, 0};
    int32_t before = 1, begin = 1, end = 1;
    int32_t low = 0, high = regions->rows;
    if (world->boxed)
        regions_within(world->field_origin.y, world->field_cell, regions->rows,
                       world->least.y + room, world->most.y - room, &low, &high);
    for (int32_t row = low; row < high; row++) {
        before = begin;
        begin = end;
        end = find_runs(world, row, room, runs, begin);
        join_rows(runs, before, begin, end);
    }
    // The first run of a region comes before its others. Once written, its `begin` holds its
    // number.
    int32_t number = OUTSIDE;
    uint16_t* numbers = numbers_of(regions);
    runs[0].begin = OUTSIDE; // its number
    for (int32_t i = 1; i < end; i++) {
        int32_t root = root_of(runs, i);
        if (root == i)
            number = number < ANY ? number + 1 : ANY;
        uint16_t value = root == i   ? (uint16_t)number
                         : root == 0 ? OUTSIDE
                                     : (uint16_t)runs[root].begin;
        write_run(numbers, &runs[i], regions->columns, value);
        if (root == i)
            runs[i].begin = value;
    }
}

static uint16_t number_at(const plan_regions* regions, const plan_world* w, kerb_vec2 place) {
    float x = floorf((place.x - w->field_origin.x) * w->field_per_metre);
    float y = floorf((place.y - w->field_origin.y) * w->field_per_metre);
    bool is_inside =
        x >= 0.0f && y >= 0.0f && x < (float)regions->columns && y < (float)regions->rows;
    if (!is_inside)
        return OUTSIDE;
    const uint16_t* number = (const uint16_t*)(const void*)(regions + 1);
    return number[(int32_t)y * regions->columns + (int32_t)x];
}

bool kerb_in_plan_regions_may_connect(const plan_regions* regions, const plan_world* world,
                                      kerb_vec2 from, kerb_vec2 to) {
    if (regions->columns == 0)
        return true;
    uint16_t a = number_at(regions, world, from), b = number_at(regions, world, to);
    return a == b || a == ANY || b == ANY || a == 0 || b == 0;
}

const uint16_t* kerb_in_plan_regions_numbers(const plan_regions* regions) {
    return (const uint16_t*)(const void*)(regions + 1);
}
