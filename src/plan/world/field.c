// Purpose: a distance field: the distance from each cell to the nearest blocked cell.
// Idea:    The obstacles are first grown by one cell on all sides. The distance from the middle of
//          a grown cell to the middle of this cell is then the distance between the nearest points
//          of the two original squares, a lower bound for every point of the cell. Columns are
//          measured first, from below and from above. Then each cell takes the least of dx² + dy²
//          over the columns of its row. It looks at the near columns first and stops where dx²
//          alone is more than it has. Vectors of cells do so at once. Columns without an obstacle
//          near this row are left out together. All is done in integers.
//
//          The lower envelope of parabolas takes the same time whatever the map. On street maps of
//          4 million cells this takes half of it, and less where all is open.
//          After a change only the cells are measured whose nearest obstacle was, or may be, a
//          changed one: those that were at least as far from any obstacle as they are from the
//          change. Rows are looked at from the change outwards until there is no such cell. Beside
//          these cells the old values hold, so they say how far away the nearest obstacle can be.
// Cost:    O(cells · distance) at most, 0.1 ns each, but for a hundredth of it on most maps; memory
//          for a row.
// Source:  the two steps are those of Meijster, Roerdink and Hesselink, "A general algorithm for
//          computing distance transforms in linear time" (2000).
#include "world.h"

#include "../../base/shared.h"

#include <string.h>

// The byte of the field counts half cells up to 255. So what is this far is far enough: its square,
// and the least squared distance that counts 255. [cells]
#define FIELD_FAR 128
#define FIELD_FAR_SQUARE 16257
// Greatest number of cells of a row that are measured together. More look at columns that only few
// of them need. [1]
#define FIELD_PART 64
#define FIELD_AT_ONCE 4 // columns on each side that they look at before they ask whether to stop
// Columns whose least distance is kept, to leave them out together. [1]
#define FIELD_BLOCK 16
// Blocks on either side of a row that hold nothing, so that no cell looks beyond the memory. [1]
#define FIELD_BESIDE (FIELD_FAR / FIELD_BLOCK + 1)

// Rows that are measured together after a change. [1]
#define FIELD_BAND 128
// What the squares of distances after a change may differ by, in half cells: 1 for a distance that
// was rounded down, and 1 for each of the two places of a line that was moved to the middle of a
// cell; 4 is more than enough. [half cells]
#define FIELD_SLACK 4

// Cells of a row of the field that are measured anew.
typedef struct field_span {
    int32_t first, end;
} field_span;

// Memory for the row that is being measured. Columns count from the window's left one, which is
// the first cell of a word.
typedef struct field_row {
    int32_t word;       // first word of the window
    int32_t words;      // of the window
    uint64_t* grown;    // obstacles of this row
    uint8_t* near;      // distance to the nearest obstacle above or below [cells]
    int16_t* squares;   // of it
    int16_t* block_min; // least of them in each block
} field_row;

static size_t field_row_words(int32_t columns) {
    return ((size_t)columns + PLAN_WORD - 1) / PLAN_WORD;
}

// For one row. [bytes]
static size_t field_row_bytes(int32_t columns) {
    size_t words = field_row_words(columns), cells = words * PLAN_WORD;
    size_t beside = (size_t)2 * FIELD_BESIDE;
    size_t squares = cells + beside * FIELD_BLOCK, mins = cells / FIELD_BLOCK + beside;
    return kerb_in_round_up(words * sizeof(uint64_t) + cells + (squares + mins) * sizeof(int16_t),
                            8);
}

size_t kerb_in_plan_field_memory(int32_t columns, int32_t rows) {
    return field_row_bytes(columns) + (size_t)rows * sizeof(field_span) +
           FIELD_BAND * field_row_words(columns) * PLAN_WORD;
}

static field_row row_memory(plan_world* world, int32_t word, int32_t words) {
    size_t all = (size_t)world->field_words, cells = all * PLAN_WORD;
    field_row r = {.word = word, .words = words};
    r.grown = kerb_in_plan_world_part(world, world->field_rows_memory);
    r.near = (uint8_t*)(r.grown + all);
    r.squares = (int16_t*)(void*)(r.near + cells) + (size_t)FIELD_BESIDE * FIELD_BLOCK;
    r.block_min = r.squares + cells + (size_t)FIELD_BESIDE * (FIELD_BLOCK + 1);
    int16_t* end = r.squares + (size_t)words * PLAN_WORD;
    for (int32_t i = 0; i < FIELD_BESIDE * FIELD_BLOCK; i++)
        r.squares[-1 - i] = end[i] = FIELD_FAR_SQUARE;
    int16_t* last = r.block_min + words * PLAN_WORD / FIELD_BLOCK;
    for (int32_t i = 0; i < FIELD_BESIDE; i++)
        r.block_min[-1 - i] = last[i] = FIELD_FAR_SQUARE;
    memset(r.near, FIELD_FAR, (size_t)words * PLAN_WORD);
    return r;
}

// --------------------------------------------------------------------------- columns

// The bits of a row that are set, and those beside them.
static uint64_t grown_beside(const uint64_t* row, int32_t word, int32_t words) {
    uint64_t bits = row[word], left = word > 0 ? row[word - 1] >> (PLAN_WORD - 1) : 0;
    uint64_t right = word + 1 < words ? row[word + 1] << (PLAN_WORD - 1) : 0;
    return bits | bits << 1 | bits >> 1 | left | right;
}

// Finds the blocked cells of a row and their eight neighbours.
static void field_grow(const plan_world* w, const field_row* r, int32_t row) {
    const uint64_t* blocked = kerb_in_plan_world_at(w, w->blocked);
    int32_t low = row > 0 ? row - 1 : row, high = row + 1 < w->field_rows ? row + 1 : row;
    memset(r->grown, 0, (size_t)r->words * sizeof(uint64_t));
    for (int32_t y = low; y <= high; y++) {
        const uint64_t* of = blocked + (size_t)y * (size_t)w->field_words;
        for (int32_t i = 0; i < r->words; i++)
            r->grown[i] |= grown_beside(of, r->word + i, w->field_words);
    }
}

// The distances of the next row, from those of this one.
static void field_step(uint8_t* restrict next, const uint8_t* restrict now, int32_t count) {
    for (int32_t x = 0; x < count; x++) {
        uint8_t farther = (uint8_t)(now[x] + 1);
        next[x] = farther < FIELD_FAR ? farther : FIELD_FAR;
    }
}

// Writes the distance to the nearest obstacle below into each cell of the field.
static void measure_upwards(const plan_world* w, const field_row* r, uint8_t* field) {
    int32_t columns = w->field_columns;
    const uint8_t* below = r->near;
    for (int32_t y = 0; y < w->field_rows; y++, below = field, field += columns) {
        field_step(field, below, columns);
        field_grow(w, r, y);
        for (int32_t first = 0, end = 0; plan_next_run(r->grown, columns, &first, &end);)
            memset(field + first, 0, (size_t)(end - first));
    }
}

// Takes the lesser of the distances to obstacles below and above.
static void take_nearer(uint8_t* restrict near, const uint8_t* restrict below, int32_t count) {
    for (int32_t x = 0; x < count; x++) {
        uint8_t farther = (uint8_t)(near[x] + 1);
        near[x] = farther < below[x] ? farther : below[x];
    }
}

// --------------------------------------------------------------------------- rows

static void square_row(const field_row* r, const uint8_t* distances) {
    for (int32_t b = 0; b < r->words * PLAN_WORD / FIELD_BLOCK; b++) {
        const uint8_t* near = distances + (size_t)b * FIELD_BLOCK;
        int16_t *squares = r->squares + (size_t)b * FIELD_BLOCK, least = FIELD_FAR_SQUARE;
        for (int32_t i = 0; i < FIELD_BLOCK; i++) {
            int16_t square = (int16_t)(near[i] * near[i]);
            squares[i] = square < FIELD_FAR_SQUARE ? square : FIELD_FAR_SQUARE;
            least = squares[i] < least ? squares[i] : least;
        }
        r->block_min[b] = least;
    }
}

static inline int16_t field_nearer(int16_t best, int16_t left, int16_t right, int16_t square) {
    int16_t least = (int16_t)((left < right ? left : right) + square);
    return least < best ? least : best;
}

// Looks at the four columns from `dx` on to both sides of each of `count` cells. Returns the
// greatest of the squares that are left. [count: a multiple of 8, so that vectors leave no rest]
static int32_t look_aside(int16_t* restrict best, const int16_t* restrict at, int32_t dx,
                          int32_t count) {
    const int16_t *left = at - dx, *right = at + dx;
    const int16_t s0 = (int16_t)(dx * dx), s1 = (int16_t)((dx + 1) * (dx + 1));
    const int16_t s2 = (int16_t)((dx + 2) * (dx + 2)), s3 = (int16_t)((dx + 3) * (dx + 3));
    int16_t most = 0;
    for (int32_t i = 0; i < count; i++) {
        int16_t b = field_nearer(best[i], left[i], right[i], s0);
        b = field_nearer(b, left[i - 1], right[i + 1], s1);
        b = field_nearer(b, left[i - 2], right[i + 2], s2);
        b = field_nearer(b, left[i - 3], right[i + 3], s3);
        best[i] = b;
        most = b > most ? b : most;
    }
    return most;
}

static int32_t greatest_of(const int16_t* best, int32_t count) {
    int16_t most = 0;
    for (int32_t i = 0; i < count; i++)
        most = best[i] > most ? best[i] : most;
    return most;
}

// The least square in the blocks that these columns lie in.
static int32_t least_between(const field_row* r, int32_t first, int32_t last) {
    const int32_t beside = FIELD_BESIDE * FIELD_BLOCK;
    const int16_t* min = r->block_min - FIELD_BESIDE;
    int32_t least = FIELD_FAR_SQUARE;
    for (int32_t b = (first + beside) / FIELD_BLOCK; b <= (last + beside) / FIELD_BLOCK; b++)
        least = min[b] < least ? min[b] : least;
    return least;
}

// The squared distances of a few cells of a row.
static void measure_cells(const field_row* r, int32_t first, int32_t count, int16_t* best) {
    const int16_t* at = r->squares + first;
    memcpy(best, at, (size_t)count * sizeof *best);
    int32_t most = greatest_of(best, count), last = first + count - 1;
    for (int32_t near = 1; near * near < most && near < FIELD_FAR; near += FIELD_BLOCK) {
        int32_t far = near + FIELD_BLOCK - 1;
        int32_t left = least_between(r, first - far, last - near);
        int32_t right = least_between(r, first + near, last + far);
        int32_t least = left < right ? left : right;
        for (int32_t dx = near; dx <= far && dx * dx + least < most; dx += FIELD_AT_ONCE)
            most = look_aside(best, at, dx, count);
    }
}

// Distances in half cells, rounded down, from their squares in cells.
static void write_halves(uint8_t* restrict halves, const int16_t* restrict squares, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        int32_t distance = (int32_t)kerb_sqrt((float)(4 * squares[i]));
        halves[i] = (uint8_t)(distance < 255 ? distance : 255);
    }
}

// Writes the distances of the cells from `first` to `end`.
static void measure_part(const field_row* r, uint8_t* field, int32_t first, int32_t end) {
    int16_t best[FIELD_PART];
    for (int32_t x = first; x < end; x += FIELD_PART) {
        int32_t count = end - x < FIELD_PART ? end - x : FIELD_PART;
        measure_cells(r, x, (count + 7) / 8 * 8, best);
        write_halves(field + x, best, count);
    }
}

// Measures the cells between obstacles. Those in obstacles are 0 already.
static void measure_row(const field_row* r, uint8_t* field, int32_t columns) {
    square_row(r, r->near);
    for (int32_t first = 0, end = 0; first < columns; first = end) {
        first = plan_next_bit(r->grown, end, columns, ~(uint64_t)0);
        end = plan_next_bit(r->grown, first, columns, 0);
        measure_part(r, field, first, end);
    }
}

void kerb_in_plan_field_measure(plan_world* world) {
    field_row r = row_memory(world, 0, world->field_words);
    uint8_t* field = (uint8_t*)world + world->field;
    size_t columns = (size_t)world->field_columns;
    measure_upwards(world, &r, field);
    for (int32_t y = world->field_rows - 1; y >= 0; y--) {
        uint8_t* row = field + (size_t)y * columns;
        field_grow(world, &r, y);
        take_nearer(r.near, row, world->field_columns);
        measure_row(&r, row, world->field_columns);
    }
}

// --------------------------------------------------------------------------- a change

// The cells that are measured anew, and the obstacles that may be nearest to them.
typedef struct field_change {
    plan_world* world;
    const uint8_t* field;
    plan_window grown;  // the changed cells and those beside them
    field_span* span;   // of each row
    plan_window cells;  // that are measured anew
    plan_window around; // columns and rows of the obstacles
} field_change;

// Whether the distance of a cell may change. [dx, dy: to the change; cells]
static bool may_change(int32_t halves, int32_t dx, int32_t dy) {
    int32_t most = halves + FIELD_SLACK;
    return 4 * (dx * dx + dy * dy) < most * most;
}

static bool cell_may_change(const field_change* c, const uint8_t* row, int32_t x, int32_t dy) {
    int32_t dx = x < c->grown.left     ? c->grown.left - x
                 : x >= c->grown.right ? x - c->grown.right + 1
                                       : 0;
    return may_change(row[x], dx, dy);
}

// The cells between `low` and `high` that may change; those between the first and the last of them
// too.
static field_span span_between(const field_change* c, int32_t y, int32_t low, int32_t high,
                               int32_t dy) {
    const uint8_t* row = c->field + (size_t)y * (size_t)c->world->field_columns;
    field_span span = {low > 0 ? low : 0,
                       high < c->world->field_columns ? high : c->world->field_columns};
    while (span.first < span.end && !cell_may_change(c, row, span.first, dy))
        span.first++;
    while (span.end > span.first && !cell_may_change(c, row, span.end - 1, dy))
        span.end--;
    return span;
}

// Looks at the rows on one side of the change. A line from a cell that may change to the change
// leads only over such cells, so a row says how far the next one can reach.
static void find_spans(const field_change* c, int32_t from, int32_t step) {
    const int32_t far = FIELD_FAR + FIELD_SLACK;
    int32_t left = far, right = far;
    for (int32_t dy = 1, y = from; y >= 0 && y < c->world->field_rows; dy++, y += step) {
        field_span s = dy > far
                           ? (field_span){0, 0}
                           : span_between(c, y, c->grown.left - left, c->grown.right + right, dy);
        c->span[y] = s;
        if (s.first >= s.end)
            return;
        left = c->grown.left - s.first;
        right = s.end - c->grown.right;
        left = left > 0 ? left * (dy + 1) / dy + 2 : 2;
        right = right > 0 ? right * (dy + 1) / dy + 2 : 2;
        left = left < far ? left : far;
        right = right < far ? right : far;
    }
}

static int32_t field_lesser(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t field_greater(int32_t a, int32_t b) {
    return a > b ? a : b;
}

// The greatest distance that a value may stand for. [cells]
static int32_t cells_of_halves(int32_t halves) {
    return halves < 255 ? halves / 2 + 1 : FIELD_FAR;
}

// Adds a row's cells, and the obstacles that may be nearest to them: no farther than from the cells
// beside the span, whose values hold, and the way from there.
static void add_span(field_change* c, int32_t y) {
    const uint8_t* row = c->field + (size_t)y * (size_t)c->world->field_columns;
    field_span s = c->span[y];
    int32_t columns = c->world->field_columns, width = s.end - s.first;
    int32_t left = s.first > 0 ? cells_of_halves(row[s.first - 1]) + 1 : FIELD_FAR;
    int32_t right = s.end < columns ? cells_of_halves(row[s.end]) + 1 : FIELD_FAR;
    int32_t most = left < FIELD_FAR && right < FIELD_FAR ? (left + right + width) / 2 + 1
                                                         : field_lesser(left, right) + width;
    most = field_lesser(most, FIELD_FAR);
    c->cells.left = field_lesser(c->cells.left, s.first);
    c->cells.right = field_greater(c->cells.right, s.end);
    c->cells.low = field_lesser(c->cells.low, y);
    c->cells.high = field_greater(c->cells.high, y + 1);
    c->around.left = field_lesser(c->around.left, s.first - field_lesser(left, most));
    c->around.right = field_greater(c->around.right, s.end + field_lesser(right, most));
    c->around.low = field_lesser(c->around.low, y - most);
    c->around.high = field_greater(c->around.high, y + 1 + most);
}

// Takes the distances of the next row from those of this one, and its obstacles.
static void take_row(const plan_world* w, const field_row* r, int32_t y) {
    int32_t cells = r->words * PLAN_WORD;
    uint8_t* near = r->near;
    for (int32_t x = 0; x < cells; x++) {
        uint8_t farther = (uint8_t)(near[x] + 1);
        near[x] = farther < FIELD_FAR ? farther : FIELD_FAR;
    }
    field_grow(w, r, y);
    for (int32_t first = 0, end = 0; plan_next_run(r->grown, cells, &first, &end);)
        memset(near + first, 0, (size_t)(end - first));
}

// The lesser of two rows of distances.
static void take_lesser(uint8_t* restrict row, const uint8_t* restrict other, size_t count) {
    for (size_t x = 0; x < count; x++)
        row[x] = row[x] < other[x] ? row[x] : other[x];
}

static void mend_row(const field_change* c, const field_row* r, int32_t y, uint8_t* field) {
    int32_t offset = r->word * PLAN_WORD;
    field_span s = {c->span[y].first - offset, c->span[y].end - offset};
    uint8_t* row = field + (size_t)y * (size_t)c->world->field_columns + offset;
    for (int32_t first = s.first, end = s.first; first < s.end; first = end) {
        first = plan_next_bit(r->grown, end, s.end, ~(uint64_t)0);
        memset(row + end, 0, (size_t)(first - end));
        end = plan_next_bit(r->grown, first, s.end, 0);
        measure_part(r, row, first, end);
    }
}

// Measures the rows from `low` to `high`: first the distances upwards, which are kept, then those
// downwards.
static void mend_band(const field_change* c, int32_t low, int32_t high, uint8_t* field) {
    plan_world* w = c->world;
    int32_t word = field_greater(c->around.left, 0) / PLAN_WORD;
    int32_t last = (field_lesser(c->around.right, w->field_columns) - 1) / PLAN_WORD;
    field_row r = row_memory(w, word, last - word + 1);
    size_t cells = (size_t)r.words * PLAN_WORD;
    uint8_t* band = (uint8_t*)(c->span + w->field_rows);
    int32_t top = field_lesser(field_lesser(c->around.high, high + FIELD_FAR), w->field_rows);
    int32_t bottom = field_greater(field_greater(c->around.low, low - FIELD_FAR), 0);
    for (int32_t y = top - 1; y >= low; y--) {
        take_row(w, &r, y);
        if (y < high)
            memcpy(band + (size_t)(y - low) * cells, r.near, cells);
    }
    memset(r.near, FIELD_FAR, cells);
    for (int32_t y = bottom; y < high; y++) {
        take_row(w, &r, y);
        if (y < low)
            continue;
        uint8_t* row = band + (size_t)(y - low) * cells;
        take_lesser(row, r.near, cells);
        square_row(&r, row);
        mend_row(c, &r, y, field);
    }
}

void kerb_in_plan_field_mend(plan_world* world, plan_window changed) {
    uint8_t* field = (uint8_t*)world + world->field;
    char* memory = (char*)world + world->field_rows_memory;
    field_change c = {.world = world,
                      .field = field,
                      .grown =
                          plan_window_wider(changed, 1, world->field_columns, world->field_rows),
                      .cells = {INT32_MAX, INT32_MAX, 0, 0},
                      .around = {INT32_MAX, INT32_MAX, 0, 0}};
    c.span = (field_span*)(void*)(memory + field_row_bytes(world->field_columns));
    int32_t low = c.grown.low, high = c.grown.high;
    for (int32_t y = low; y < high; y++)
        c.span[y] = span_between(&c, y, c.grown.left - FIELD_FAR - FIELD_SLACK,
                                 c.grown.right + FIELD_FAR + FIELD_SLACK, 0);
    find_spans(&c, low - 1, -1);
    find_spans(&c, high, 1);
    while (low > 0 && c.span[low - 1].first < c.span[low - 1].end)
        low--;
    while (high < world->field_rows && c.span[high].first < c.span[high].end)
        high++;
    for (int32_t y = low; y < high; y++)
        add_span(&c, y);
    for (int32_t y = low; y < high; y += FIELD_BAND)
        mend_band(&c, y, field_lesser(y + FIELD_BAND, high), field);
}
