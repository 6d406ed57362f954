// Purpose: shows at once that there is no path where walls separate the start from the goal.
// Idea:    All that the vehicle can reach is connected by open cells of the field (open.c), across
//          corners too. The field is cut into tiles. Within a tile, runs of open cells in a row are
//          joined with those of the previous row. Then the pieces of neighbouring tiles are joined
//          where they touch. All ground outside the field is one more piece, together with the
//          border of the field. A change in the world needs only the tiles under it, and the
//          joints between all tiles.
// Cost:    O(cells) once for a world, O(tiles) for a change; a place costs the runs of its tile,
//          about 1 µs. Two bits per cell.
#include "regions.h"

#include "../../base/shared.h"

#include <string.h>

// Runs of open cells in a tile, at most. [1]
#define REGIONS_RUNS_MOST (PLAN_WORD * PLAN_TILE_RUNS)
// Cells of the field over pieces that there is memory for. In random noise there are fewer pieces
// whatever its density. [1]
#define REGIONS_CELLS_A_PIECE 32
#define REGIONS_PIECES_LEAST 1024
// The piece of all ground outside.
#define REGIONS_OUTSIDE 0

// Adjacent open cells of a row of a tile.
typedef struct regions_run {
    uint8_t begin, end; // columns of the tile, without `end`
    uint16_t of;        // a run that it is connected with; the first run of a piece: itself
} regions_run;

// The runs of a tile, row by row.
typedef struct tile_runs {
    int32_t rows, columns;
    int32_t row[PLAN_WORD + 1]; // first run of each
    regions_run run[REGIONS_RUNS_MOST];
} tile_runs;

// --------------------------------------------------------------------------- the block

static int32_t tiles_for(int32_t cells) {
    return (cells + PLAN_WORD - 1) / PLAN_WORD;
}

static plan_regions regions_layout(const plan_world* w, size_t* bytes) {
    plan_regions r = {0};
    *bytes = kerb_in_round_up(sizeof r, 8);
    if (w->field == 0)
        return r;
    r.columns = w->field_columns;
    r.rows = w->field_rows;
    r.words = w->field_words;
    r.tile_columns = tiles_for(r.columns);
    r.tile_rows = tiles_for(r.rows);
    size_t tiles = (size_t)r.tile_columns * (size_t)r.tile_rows;
    size_t cells = (size_t)r.columns * (size_t)r.rows;
    r.pieces_most = (int32_t)(cells / REGIONS_CELLS_A_PIECE) + REGIONS_PIECES_LEAST;
    r.open = *bytes;
    r.tile = r.open + (size_t)r.words * (size_t)r.rows * sizeof(uint64_t);
    r.parent = r.tile + tiles * sizeof(plan_tile);
    *bytes = r.parent + ((size_t)r.pieces_most + 1) * sizeof(int32_t);
    return r;
}

size_t kerb_in_plan_regions_bytes(const plan_world* layout) {
    size_t bytes;
    regions_layout(layout, &bytes);
    return bytes;
}

const uint64_t* kerb_in_plan_regions_open(const plan_regions* r) {
    return (const uint64_t*)(const void*)((const char*)r + r->open);
}

static plan_tile* tile_at(plan_regions* r, int32_t x, int32_t y) {
    plan_tile* tile = (plan_tile*)(void*)((char*)r + r->tile);
    return tile + (size_t)y * (size_t)r->tile_columns + (size_t)x;
}

static const int32_t* parents_of(const plan_regions* r) {
    return (const int32_t*)(const void*)((const char*)r + r->parent);
}

// --------------------------------------------------------------------------- one tile

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
        runs[b].of = (uint16_t)a;
    else
        runs[a].of = (uint16_t)b;
}

static int32_t find_runs(uint64_t bits, int32_t columns, regions_run* runs, int32_t count) {
    for (int32_t first = 0, end = 0; plan_next_run(&bits, columns, &first, &end); count++)
        runs[count] = (regions_run){(uint8_t)first, (uint8_t)end, (uint16_t)count};
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

// Finds the runs of a tile. Their `of` becomes the number of their piece. Returns the number of
// pieces.
static int32_t find_pieces(const plan_regions* r, int32_t x, int32_t y, tile_runs* t) {
    const uint64_t* open = kerb_in_plan_regions_open(r) + x;
    int32_t low = y * PLAN_WORD, left = x * PLAN_WORD, count = 0, pieces = 0;
    t->rows = r->rows - low < PLAN_WORD ? r->rows - low : PLAN_WORD;
    t->columns = r->columns - left < PLAN_WORD ? r->columns - left : PLAN_WORD;
    for (int32_t i = 0; i < t->rows; i++) {
        t->row[i] = count;
        count = find_runs(open[(size_t)(low + i) * (size_t)r->words], t->columns, t->run, count);
        if (i > 0)
            join_rows(t->run, t->row[i - 1], t->row[i], count);
    }
    t->row[t->rows] = count;
    // A run refers to an earlier one, which has its number already.
    for (int32_t i = 0; i < count; i++) {
        bool is_first = t->run[i].of == i;
        t->run[i].of = is_first ? (uint16_t)pieces : t->run[t->run[i].of].of;
        pieces += is_first;
    }
    return pieces;
}

// Writes the open cells along an upright side and the pieces of their runs.
static void write_upright(plan_tile* tile, int32_t side, const tile_runs* t) {
    uint64_t bits = 0;
    int32_t runs = 0;
    bool is_left = side == PLAN_TILE_LEFT;
    for (int32_t i = 0; i < t->rows; i++) {
        if (t->row[i] == t->row[i + 1])
            continue;
        const regions_run* run = &t->run[is_left ? t->row[i] : t->row[i + 1] - 1];
        bool is_open = is_left ? run->begin == 0 : (int32_t)run->end == t->columns;
        if (!is_open)
            continue;
        if (i == 0 || !(bits >> (i - 1) & 1))
            tile->piece[side][runs++] = run->of;
        bits |= (uint64_t)1 << i;
    }
    tile->side[side] = bits;
}

static void write_level(plan_tile* tile, int32_t side, const tile_runs* t, int32_t row) {
    tile->side[side] = 0;
    for (int32_t i = t->row[row]; i < t->row[row + 1]; i++) {
        tile->piece[side][i - t->row[row]] = t->run[i].of;
        tile->side[side] |= plan_bits_between(t->run[i].begin, t->run[i].end - 1);
    }
}

static void make_tile(plan_regions* r, int32_t x, int32_t y) {
    tile_runs t;
    KERB_WRITTEN(t);
    plan_tile* tile = tile_at(r, x, y);
    memset(tile, 0, sizeof *tile);
    tile->pieces = find_pieces(r, x, y, &t);
    write_upright(tile, PLAN_TILE_LEFT, &t);
    write_upright(tile, PLAN_TILE_RIGHT, &t);
    write_level(tile, PLAN_TILE_LOW, &t, 0);
    write_level(tile, PLAN_TILE_HIGH, &t, t.rows - 1);
}

// --------------------------------------------------------------------------- all tiles

static int32_t piece_root(int32_t* parent, int32_t piece) {
    while (parent[piece] != piece) {
        parent[piece] = parent[parent[piece]];
        piece = parent[piece];
    }
    return piece;
}

static void join_pieces(int32_t* parent, int32_t a, int32_t b) {
    a = piece_root(parent, a);
    b = piece_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// Joins the pieces of two tiles that touch along a side.
static void join_sides(int32_t* parent, const plan_tile* a, int32_t side_a, const plan_tile* b,
                       int32_t side_b) {
    int32_t i = 0, k = 0, first_a = 0, end_a = 0, first_b = 0, end_b = 0;
    bool is_a = plan_next_run(&a->side[side_a], PLAN_WORD, &first_a, &end_a);
    bool is_b = plan_next_run(&b->side[side_b], PLAN_WORD, &first_b, &end_b);
    while (is_a && is_b) {
        if (first_a <= end_b && first_b <= end_a)
            join_pieces(parent, a->first + a->piece[side_a][i], b->first + b->piece[side_b][k]);
        if (end_a < end_b) {
            is_a = plan_next_run(&a->side[side_a], PLAN_WORD, &first_a, &end_a);
            i++;
        } else {
            is_b = plan_next_run(&b->side[side_b], PLAN_WORD, &first_b, &end_b);
            k++;
        }
    }
}

static int32_t last_run_of(uint64_t bits) {
    int32_t runs = 0;
    for (int32_t first = 0, end = 0; plan_next_run(&bits, PLAN_WORD, &first, &end);)
        runs++;
    return runs - 1;
}

// Joins two tiles that touch at a corner: cell 63 of the first one's upper side and cell 0 of the
// other one's lower side, or cells 0 and 63.
static void join_corner(int32_t* parent, const plan_tile* low, const plan_tile* high,
                        bool is_rising) {
    uint64_t a = low->side[PLAN_TILE_HIGH], b = high->side[PLAN_TILE_LOW];
    const uint64_t last = (uint64_t)1 << (PLAN_WORD - 1);
    if (is_rising ? !(a & last && b & 1) : !(a & 1 && b & last))
        return;
    int32_t of_a = is_rising ? last_run_of(a) : 0, of_b = is_rising ? 0 : last_run_of(b);
    join_pieces(parent, low->first + low->piece[PLAN_TILE_HIGH][of_a],
                high->first + high->piece[PLAN_TILE_LOW][of_b]);
}

static void join_outside(int32_t* parent, const plan_tile* t, int32_t side) {
    int32_t runs = last_run_of(t->side[side]) + 1;
    for (int32_t i = 0; i < runs; i++)
        join_pieces(parent, REGIONS_OUTSIDE, t->first + t->piece[side][i]);
}

static void join_tile(plan_regions* r, int32_t* parent, int32_t x, int32_t y) {
    const plan_tile* t = tile_at(r, x, y);
    bool is_last = x == r->tile_columns - 1, is_top = y == r->tile_rows - 1;
    if (x == 0)
        join_outside(parent, t, PLAN_TILE_LEFT);
    if (y == 0)
        join_outside(parent, t, PLAN_TILE_LOW);
    if (is_last)
        join_outside(parent, t, PLAN_TILE_RIGHT);
    else
        join_sides(parent, t, PLAN_TILE_RIGHT, tile_at(r, x + 1, y), PLAN_TILE_LEFT);
    if (is_top)
        join_outside(parent, t, PLAN_TILE_HIGH);
    else
        join_sides(parent, t, PLAN_TILE_HIGH, tile_at(r, x, y + 1), PLAN_TILE_LOW);
    if (!is_last && !is_top)
        join_corner(parent, t, tile_at(r, x + 1, y + 1), true);
    if (x > 0 && !is_top)
        join_corner(parent, t, tile_at(r, x - 1, y + 1), false);
}

static void join_tiles(plan_regions* r) {
    int32_t* parent = (int32_t*)(void*)((char*)r + r->parent);
    int64_t pieces = REGIONS_OUTSIDE + 1;
    int32_t tiles = r->tile_columns * r->tile_rows;
    for (int32_t i = 0; i < tiles; i++) {
        plan_tile* t = tile_at(r, i, 0);
        t->first = (int32_t)pieces;
        pieces += t->pieces;
    }
    r->pieces = (int32_t)pieces;
    if (pieces > r->pieces_most)
        return;
    for (int32_t i = 0; i < r->pieces; i++)
        parent[i] = i;
    for (int32_t y = 0; y < r->tile_rows; y++)
        for (int32_t x = 0; x < r->tile_columns; x++)
            join_tile(r, parent, x, y);
    for (int32_t i = 0; i < r->pieces; i++) // an earlier piece has its root already
        parent[i] = parent[parent[i]];
}

void kerb_in_plan_regions_create(void* block, const plan_world* world) {
    plan_regions* r = block;
    size_t bytes;
    *r = regions_layout(world, &bytes);
    if (r->columns == 0)
        return;
    plan_window all = {0, 0, r->columns, r->rows};
    memset((char*)r + r->open, 0, (size_t)r->words * (size_t)r->rows * sizeof(uint64_t));
    kerb_in_plan_open_find((uint64_t*)(void*)((char*)r + r->open), world, all);
    for (int32_t y = 0; y < r->tile_rows; y++)
        for (int32_t x = 0; x < r->tile_columns; x++)
            make_tile(r, x, y);
    join_tiles(r);
}

void kerb_in_plan_regions_mend(plan_regions* r, const plan_world* world, plan_window window) {
    uint64_t* open = (uint64_t*)(void*)((char*)r + r->open);
    if (r->columns == 0 || window.left >= window.right || window.low >= window.high ||
        !kerb_in_plan_open_find(open, world, window))
        return;
    for (int32_t y = window.low / PLAN_WORD; y <= (window.high - 1) / PLAN_WORD; y++)
        for (int32_t x = window.left / PLAN_WORD; x <= (window.right - 1) / PLAN_WORD; x++)
            make_tile(r, x, y);
    join_tiles(r);
}

// --------------------------------------------------------------------------- places

// The piece at a cell, as its root; -1: the cell is not open.
static int32_t regions_piece_at(const plan_regions* r, int32_t column, int32_t row) {
    const uint64_t* open = kerb_in_plan_regions_open(r) + (size_t)row * (size_t)r->words;
    int32_t x = column / PLAN_WORD, y = row / PLAN_WORD, in_tile = column % PLAN_WORD;
    if (!(open[x] >> in_tile & 1))
        return -1;
    tile_runs t;
    KERB_WRITTEN(t);
    find_pieces(r, x, y, &t);
    int32_t run = t.row[row % PLAN_WORD];
    while (t.run[run].end <= in_tile)
        run++;
    const plan_tile* tile = (const plan_tile*)(const void*)((const char*)r + r->tile);
    tile += (size_t)y * (size_t)r->tile_columns + (size_t)x;
    return parents_of(r)[tile->first + t.run[run].of];
}

static int32_t region_at(const plan_regions* r, const plan_world* w, kerb_vec2 place) {
    float x = floorf((place.x - w->field_origin.x) * w->field_per_metre);
    float y = floorf((place.y - w->field_origin.y) * w->field_per_metre);
    bool is_inside = x >= 0.0f && y >= 0.0f && x < (float)r->columns && y < (float)r->rows;
    return is_inside ? regions_piece_at(r, (int32_t)x, (int32_t)y) : REGIONS_OUTSIDE;
}

bool kerb_in_plan_regions_may_connect(const plan_regions* r, const plan_world* world,
                                      kerb_vec2 from, kerb_vec2 to) {
    if (r->columns == 0 || r->pieces > r->pieces_most)
        return true;
    int32_t a = region_at(r, world, from), b = region_at(r, world, to);
    return a == b || a < 0 || b < 0;
}
