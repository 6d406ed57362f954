// Purpose: the cells of the field in which the vehicle's rear axle may be.
// Idea:    The largest circle about the rear axle that fits into the outline moves along an
//          unbroken line. In the middle of each cell of the field on this line, a circle that is
//          smaller by half a diagonal is free. The field shows most of these cells at once; the
//          grid shows those with a blocked middle, run by run. The others get the exact test.
// Cost:    O(cells), with an exact test of a disc for each cell near obstacles.
#include "regions.h"

// Share of the circle that counts, for rounding. [1]
#define OPEN_SURELY 0.999f
// Half the diagonal of a cell, rounded up. [cells]
#define OPEN_HALF_DIAGONAL 0.7072f

typedef struct opener {
    const plan_world* world;
    float room;              // radius of the circle [m]
    int32_t least;           // value of the field from which on it is free [half cells]
    int32_t left, right;     // columns with their middles in the box
    const uint64_t* blocked; // the grid's row under the middles of this row; NULL: none
} opener;

static float open_circle_of(const plan_outline* o) {
    return kerb_max(kerb_min(kerb_min(o->front, o->rear), o->half_width), 0.0f);
}

static float open_room_of(const plan_world* w) {
    return OPEN_SURELY * open_circle_of(&w->outline) - OPEN_HALF_DIAGONAL * w->field_cell;
}

float kerb_in_plan_open_reach(const plan_world* world) {
    return kerb_max(open_room_of(world), 0.0f) + OPEN_HALF_DIAGONAL * world->field_cell;
}

// The range of cells of a row or column of the field whose middles lie in the box.
static void open_within(float origin, float cell, float least, float most, int32_t* low,
                        int32_t* high) {
    while (*low < *high && origin + ((float)*low + 0.5f) * cell < least)
        ++*low;
    while (*high > *low && origin + ((float)*high - 0.5f) * cell > most)
        --*high;
}

static float open_middle(float origin, int32_t index, float cell) {
    return origin + ((float)index + 0.5f) * cell;
}

// The grid's column or row at a place; -1: outside.
static int32_t grid_index(float place, float origin, float cell, int32_t count) {
    float index = floorf((place - origin) * (1.0f / cell));
    return index >= 0.0f && index < (float)count ? (int32_t)index : -1;
}

static const uint64_t* grid_row_under(const plan_world* w, int32_t row) {
    float y = open_middle(w->field_origin.y, row, w->field_cell);
    int32_t at = w->bits != 0 ? grid_index(y, w->origin.y, w->cell, w->rows) : -1;
    const uint64_t* bits = kerb_in_plan_world_at(w, w->bits);
    return at >= 0 ? bits + (size_t)at * (size_t)w->words : NULL;
}

static int32_t grid_column_under(const plan_world* w, int32_t column) {
    float x = open_middle(w->field_origin.x, column, w->field_cell);
    return grid_index(x, w->origin.x, w->cell, w->columns);
}

// From a cell on, the cells with their middles in a run of blocked cells of the grid. The first
// cell behind them that is not surely in the run is looked at again. Returns `column` where the
// grid is free.
static int32_t behind_blocked(const opener* o, int32_t column, int32_t end) {
    const plan_world* w = o->world;
    int32_t at = o->blocked ? grid_column_under(w, column) : -1;
    if (at < 0 || !(o->blocked[at / PLAN_WORD] >> at % PLAN_WORD & 1))
        return column;
    int32_t run_end = plan_next_bit(o->blocked, at, w->columns, ~(uint64_t)0);
    float edge = w->origin.x + (float)run_end * w->cell - w->field_origin.x;
    int32_t last = (int32_t)floorf(edge * w->field_per_metre) - 1;
    last = last < end - 1 ? last : end - 1;
    if (last <= column)
        return column + 1;
    int32_t under = grid_column_under(w, last);
    return under >= at && under < run_end ? last + 1 : column + 1;
}

static bool open_has_room(const opener* o, int32_t column, int32_t row) {
    const plan_world* w = o->world;
    kerb_vec2 middle = {open_middle(w->field_origin.x, column, w->field_cell),
                        open_middle(w->field_origin.y, row, w->field_cell)};
    return kerb_in_plan_world_disc_free(w, middle, o->room);
}

// The cells of a word that the field shows to be open.
static uint64_t far_word(const uint8_t* field, int32_t count, int32_t least) {
    uint8_t is_far[PLAN_WORD] = {0};
    for (int32_t i = 0; i < count; i++)
        is_far[i] = field[i] >= least;
    return plan_word_of_bytes(is_far);
}

// Adds the open cells to those of a word that are open by the field, from `first` to `end`.
static uint64_t with_near(const opener* o, uint64_t far, int32_t row, int32_t first, int32_t end) {
    int32_t base = first / PLAN_WORD * PLAN_WORD;
    for (int32_t x = first; x < end;) {
        uint64_t near = ~far & ~(uint64_t)0 << (x - base);
        x = near != 0 ? base + plan_lowest_bit(near) : end;
        if (x >= end)
            break;
        int32_t behind = behind_blocked(o, x, end);
        if (behind == x && open_has_room(o, x, row))
            far |= (uint64_t)1 << (x - base);
        x = behind > x ? behind : x + 1;
    }
    return far;
}

// The open cells of a word from `first` to `end`, both within it.
static uint64_t open_word(const opener* o, int32_t row, int32_t first, int32_t end) {
    const plan_world* w = o->world;
    int32_t base = first / PLAN_WORD * PLAN_WORD, columns = w->field_columns - base;
    const uint8_t* field = (const uint8_t*)kerb_in_plan_world_at(w, w->field) +
                           (size_t)row * (size_t)w->field_columns + base;
    uint64_t open = far_word(field, columns < PLAN_WORD ? columns : PLAN_WORD, o->least);
    first = first > o->left ? first : o->left;
    end = end < o->right ? end : o->right;
    if (first >= end)
        return 0;
    return with_near(o, open, row, first, end) & plan_bits_between(first - base, end - 1 - base);
}

static bool find_row(const opener* o, uint64_t* open, int32_t row, plan_window window) {
    bool has_changed = false;
    for (int32_t x = window.left, end; x < window.right; x = end) {
        int32_t word = x / PLAN_WORD, base = word * PLAN_WORD;
        end = base + PLAN_WORD < window.right ? base + PLAN_WORD : window.right;
        uint64_t mask = plan_bits_between(x - base, end - 1 - base), before = open[word];
        open[word] = (before & ~mask) | open_word(o, row, x, end);
        has_changed = has_changed || open[word] != before;
    }
    return has_changed;
}

// A circle without a radius fits anywhere.
static int32_t least_of_room(const plan_world* w, float room) {
    float halves = 2.0f * room * w->field_per_metre;
    return room <= 0.0f ? 0 : (int32_t)-floorf(-kerb_min(halves, 256.0f));
}

bool kerb_in_plan_open_find(uint64_t* open, const plan_world* world, plan_window window) {
    float room = open_room_of(world);
    opener o = {.world = world,
                .room = room,
                .least = least_of_room(world, room),
                .right = world->field_columns};
    int32_t low = 0, high = world->field_rows;
    if (world->boxed) {
        open_within(world->field_origin.x, world->field_cell, world->least.x + room,
                    world->most.x - room, &o.left, &o.right);
        open_within(world->field_origin.y, world->field_cell, world->least.y + room,
                    world->most.y - room, &low, &high);
    }
    bool has_changed = false;
    for (int32_t y = window.low; y < window.high; y++) {
        uint64_t* row = open + (size_t)y * (size_t)world->field_words;
        opener here = o;
        here.blocked = grid_row_under(world, y);
        here.right = y >= low && y < high ? o.right : 0;
        has_changed = find_row(&here, row, y, window) || has_changed;
    }
    return has_changed;
}
