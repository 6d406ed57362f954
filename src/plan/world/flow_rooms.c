// Purpose: which parts of the flow's coarse cells are open, and which of them are joined.
// Idea:    A coarse cell is open where cells of the field in it have clearance. A wall that is
//          thinner than the cell and runs through it makes two rooms of it. A wall along its side
//          leaves the cells on both sides open but not joined. So rooms are joined only where open
//          cells of the field touch across a side or a corner. The rooms round a corner of the grid
//          that are joined there form one part of the corner. At most two rooms and two parts are
//          distinguished; a cell of more than FLOW_ROOMS_PARTS_MOST cells of the field per side
//          counts as one room.
//
//          What is not distinguished only makes paths shorter, so a bound stays a bound: a place
//          with clearance has nearly as much clearance in the middle of its cell of the field, and
//          a path from one such cell to the next crosses a side or a corner of both.
// Cost:    O(cells of the field), once for a world.
#include "flow_parts.h"

#include "../../base/shared.h"

#include <string.h>

// Cells of the field along a side of a coarse cell whose rooms are found: the bits of a word. [1]
#define FLOW_ROOMS_PARTS_MOST 64

// The field holds lower bounds. The likely clearance in a cell is greater by this much; chosen by
// trial. [cells of the field]
#define LIKELY 0.75f
// Clearance from which on a cell has no extra price; chosen by trial. [half widths]
#define AMPLE 4.0f

typedef struct maker {
    plan_flow* flow;
    const plan_world* world;
    const uint8_t* field;
    const uint64_t* open; // a bit for each of its cells; 0: certainly no clearance
    bool surely;          // true: for a bound; false: for a guide
    plan_flow_parts parts;
    int32_t least; // a guide's room has this clearance somewhere [half cells of the field]
    // Of the rows of the field in the row of coarse cells that is looked at: columns that are open
    // in all of them, and in any. NULL: not all of these rows lie in the field.
    const uint64_t *all_open, *any_open;
    int32_t ample; // a guide's cell with this clearance has the lowest price [same]
} maker;

// The cells of the field in a coarse cell or in a room: one bit each, row by row.
typedef struct patch {
    uint64_t row[FLOW_ROOMS_PARTS_MOST];
} patch;

// Where a room touches the four sides of its cell: one bit per cell of the field.
typedef struct flow_rooms_sides {
    uint64_t left, right, low, high;
} flow_rooms_sides;

// How many of the cells of the field in a coarse cell are open. Bits of all three are 0, 1 and 2.
typedef enum openness { NONE_OPEN = 0, SOME_OPEN = 1, ALL_OPEN = 2 } openness;

typedef struct cell_sides {
    flow_rooms_sides room[PLAN_ROOMS];
    int32_t open; // openness of its rooms
} cell_sides;

// --------------------------------------------------------------------------- one cell

// Whether a cell's extent along one axis meets that of the box. The first and the last cell also
// stand for all ground outside the grid.
static bool flow_rooms_meets(float origin, float cell, int32_t index, int32_t count, float least,
                             float most) {
    float low = index == 0 ? -KERB_NO_CURVE : origin + (float)index * cell;
    float high = index == count - 1 ? KERB_NO_CURVE : origin + (float)(index + 1) * cell;
    return high > least && low < most;
}

// Whether a part of the cell lies within the box that the vehicle must stay in.
static bool cell_in_box(const plan_flow* flow, const plan_world* world, int32_t x, int32_t y) {
    return !world->boxed || (flow_rooms_meets(flow->origin.x, flow->cell, x, flow->columns,
                                              world->least.x, world->most.x) &&
                             flow_rooms_meets(flow->origin.y, flow->cell, y, flow->rows,
                                              world->least.y, world->most.y));
}

// Beyond the field, in the last cells, only the box is an obstacle.
static bool beyond_is_open(const maker* m, int32_t column, int32_t row) {
    const plan_world* w = m->world;
    float x = w->field_origin.x + ((float)column + 0.5f) * w->field_cell;
    float y = w->field_origin.y + ((float)row + 0.5f) * w->field_cell;
    return !w->boxed || (x > w->least.x && x < w->most.x && y > w->least.y && y < w->most.y);
}

static bool fine_is_open(const maker* m, int32_t column, int32_t row) {
    size_t word = (size_t)row * (size_t)m->world->field_words + (size_t)(column / PLAN_WORD);
    if (column >= m->world->field_columns || row >= m->world->field_rows)
        return beyond_is_open(m, column, row);
    return m->open[word] >> column % PLAN_WORD & 1;
}

// The bits of a row of the field in a coarse cell that begins at this column.
static uint64_t bits_at(const uint64_t* words, int32_t column, int32_t group) {
    int32_t word = column / PLAN_WORD, shift = column % PLAN_WORD;
    uint64_t bits = words[word] >> shift;
    if (shift + group > PLAN_WORD)
        bits |= words[word + 1] << (PLAN_WORD - shift);
    return bits & ~(uint64_t)0 >> (PLAN_WORD - group);
}

// Finds the open cells of the field in a coarse cell.
static openness find_open(const maker* m, int32_t x, int32_t y, patch* open) {
    int32_t group = m->flow->group, left = (x - 1) * group, low = (y - 1) * group;
    int32_t columns = m->world->field_columns, rows = m->world->field_rows;
    uint64_t all = ~(uint64_t)0 >> (FLOW_ROOMS_PARTS_MOST - group), common = all, any = 0;
    bool is_inside = left + group <= columns && low + group <= rows;
    if (is_inside && m->all_open && bits_at(m->all_open, left, group) == all)
        return ALL_OPEN;
    if (is_inside && m->any_open && bits_at(m->any_open, left, group) == 0)
        return NONE_OPEN;
    for (int32_t j = 0; j < group; j++) {
        uint64_t bits = 0;
        if (is_inside)
            bits =
                bits_at(m->open + (size_t)(low + j) * (size_t)m->world->field_words, left, group);
        for (int32_t i = 0; !is_inside && i < group; i++)
            bits |= (uint64_t)fine_is_open(m, left + i, low + j) << i;
        open->row[j] = bits;
        common &= bits;
        any |= bits;
    }
    return common == all ? ALL_OPEN : any != 0 ? SOME_OPEN : NONE_OPEN;
}

// Whether any cell of the field is open, for coarse cells whose rooms are not found.
static bool any_open(const maker* m, int32_t x, int32_t y) {
    int32_t group = m->flow->group, left = (x - 1) * group, low = (y - 1) * group;
    for (int32_t j = 0; j < group; j++)
        for (int32_t i = 0; i < group; i++)
            if (fine_is_open(m, left + i, low + j))
                return true;
    return false;
}

// The greatest value of the field in a patch, or in the whole cell. [half cells of the field]
static int32_t known_room(const maker* m, int32_t x, int32_t y, const patch* of) {
    int32_t columns = m->world->field_columns, rows = m->world->field_rows;
    int32_t group = m->flow->group, left = (x - 1) * group, low = (y - 1) * group, most = 0;
    for (int32_t j = 0; j < group && low + j < rows; j++)
        for (int32_t i = 0; i < group && left + i < columns; i++) {
            bool is_in = !of || (of->row[j] >> i & 1);
            int32_t here = m->field[(size_t)(low + j) * (size_t)columns + (size_t)(left + i)];
            most = is_in && here > most ? here : most;
        }
    return most;
}

// Whether the middle of a coarse cell has the clearance from which on its price is the lowest.
static bool has_ample_room(const maker* m, int32_t x, int32_t y) {
    int32_t group = m->flow->group, column = (x - 1) * group + group / 2;
    int32_t row = (y - 1) * group + group / 2, columns = m->world->field_columns;
    return column < columns && row < m->world->field_rows &&
           m->field[(size_t)row * (size_t)columns + (size_t)column] >= m->ample;
}

// A bound has one price for all open cells. A guide keeps away from walls, because a vehicle that
// cannot turn on the spot does not get round them closely: a path beside a wall costs up to twice
// as much. [halves]
static uint8_t price_of(const maker* m, int32_t x, int32_t y, const patch* of) {
    if (m->surely || (!of && has_ample_room(m, x, y)))
        return 2;
    int32_t known = known_room(m, x, y, of);
    if (known < m->least)
        return 0;
    float room = (0.5f * (float)known + LIKELY) * m->world->field_cell; // likely clearance
    float short_of = (AMPLE - room / m->world->outline.half_width) / (AMPLE - 1.0f);
    return (uint8_t)(2.5f + 2.0f * kerb_clamp(short_of, 0.0f, 1.0f));
}

// --------------------------------------------------------------------------- rooms

// The bits of `mask` that are connected with `bits` along the row.
static uint64_t joined_in_row(uint64_t bits, uint64_t mask) {
    for (uint64_t before = 0; before != bits;) {
        before = bits;
        bits |= (bits << 1 | bits >> 1) & mask;
    }
    return bits;
}

static bool grow_row(patch* room, const patch* open, int32_t j, int32_t from) {
    uint64_t near = room->row[from] | room->row[from] << 1 | room->row[from] >> 1;
    uint64_t bits = joined_in_row(room->row[j] | (near & open->row[j]), open->row[j]);
    bool has_grown = bits != room->row[j];
    room->row[j] = bits;
    return has_grown;
}

// Takes the first open cell of the field out of `open`, and all cells that are connected with it,
// across corners too.
static bool take_room(patch* open, int32_t group, patch* room) {
    int32_t first = 0;
    while (first < group && open->row[first] == 0)
        first++;
    if (first == group)
        return false;
    memset(room, 0, sizeof *room);
    uint64_t bits = open->row[first];
    room->row[first] = joined_in_row(bits & (~bits + 1), bits);
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (int32_t j = first + 1; j < group; j++)
            has_grown = grow_row(room, open, j, j - 1) || has_grown;
        for (int32_t j = group - 2; j >= first; j--)
            has_grown = grow_row(room, open, j, j + 1) || has_grown;
    }
    for (int32_t j = 0; j < group; j++)
        open->row[j] &= ~room->row[j];
    return true;
}

static flow_rooms_sides flow_rooms_sides_of(const patch* room, int32_t group) {
    flow_rooms_sides s = {0, 0, room->row[0], room->row[group - 1]};
    for (int32_t j = 0; j < group; j++) {
        s.left |= (room->row[j] & 1) << j;
        s.right |= (room->row[j] >> (group - 1) & 1) << j;
    }
    return s;
}

static void write_room(const maker* m, int32_t x, int32_t y, const patch* room, int32_t number) {
    int32_t columns = m->world->field_columns, rows = m->world->field_rows;
    int32_t group = m->flow->group, left = (x - 1) * group, low = (y - 1) * group;
    for (int32_t j = 0; j < group && low + j < rows; j++)
        for (int32_t i = 0; i < group && left + i < columns; i++)
            if (room->row[j] >> i & 1) {
                size_t fine = (size_t)(low + j) * (size_t)columns + (size_t)(left + i);
                m->parts.room_of[fine / 4] |= (uint8_t)((number + 1) << 2 * (fine % 4));
            }
}

static void flow_rooms_set_room(const maker* m, int32_t cell, int32_t room, uint8_t price,
                                flow_rooms_sides at, cell_sides* here) {
    m->parts.price[room][cell] = price;
    if (price == 0)
        return;
    here->room[room] = at;
    here->open = (at.left & at.right & at.low & at.high) == ~(uint64_t)0 ? ALL_OPEN : SOME_OPEN;
}

static const flow_rooms_sides all_sides = {~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0};

static bool is_empty(const patch* open, int32_t group) {
    uint64_t bits = 0;
    for (int32_t j = 0; j < group; j++)
        bits |= open->row[j];
    return bits == 0;
}

// Makes two rooms: the first one that is wide enough somewhere, and all other open cells together.
static void part_cell(const maker* m, int32_t cell, int32_t x, int32_t y, patch* open,
                      cell_sides* here) {
    int32_t group = m->flow->group;
    patch first;
    uint8_t price = 0;
    while (price == 0 && take_room(open, group, &first))
        price = price_of(m, x, y, &first);
    if (price == 0)
        return;
    flow_rooms_set_room(m, cell, 0, price, flow_rooms_sides_of(&first, group), here);
    if (is_empty(open, group))
        return;
    flow_rooms_set_room(m, cell, 1, price_of(m, x, y, open), flow_rooms_sides_of(open, group),
                        here);
    write_room(m, x, y, &first, 0);
    write_room(m, x, y, open, 1);
}

static void find_cell(const maker* m, int32_t x, int32_t y, cell_sides* here) {
    const plan_flow* flow = m->flow;
    int32_t cell = y * (flow->columns + 1) + x;
    bool is_ring = x == 0 || y == 0 || x == flow->columns - 1 || y == flow->rows - 1;
    const bool has_parts = flow->group <= FLOW_ROOMS_PARTS_MOST;
    patch open;
    KERB_WRITTEN(open);
    memset(here, 0, sizeof *here);
    m->parts.price[0][cell] = m->parts.price[1][cell] = 0;
    if (x == flow->columns || y == flow->rows || !cell_in_box(flow, m->world, x, y))
        return;
    if (is_ring) {
        flow_rooms_set_room(m, cell, 0, 2, all_sides, here);
        return;
    }
    openness is_open = has_parts           ? find_open(m, x, y, &open)
                       : any_open(m, x, y) ? ALL_OPEN
                                           : NONE_OPEN;
    if (is_open == ALL_OPEN)
        flow_rooms_set_room(m, cell, 0, price_of(m, x, y, NULL), all_sides, here);
    else if (is_open == SOME_OPEN)
        part_cell(m, cell, x, y, &open, here);
}

// --------------------------------------------------------------------------- corners

// Whether open cells of the field on both sides of a side touch, at corners too.
static bool touch(uint64_t a, uint64_t b) {
    return (a & (b | b << 1 | b >> 1)) != 0;
}

// Whether rooms of two cells at a corner are joined across the side that leads to it, or at it.
static bool are_joined(const flow_rooms_sides* a, int32_t place_a, const flow_rooms_sides* b,
                       int32_t place_b, int32_t last) {
    if ((place_a ^ place_b) == 1)
        return touch(a->left, b->right);
    if ((place_a ^ place_b) == 2)
        return touch(a->low, b->high);
    if (place_a == 0)
        return (a->low & a->left & 1) && (b->right >> last & b->high >> last & 1);
    return (a->low >> last & a->right & 1) && (b->left >> last & b->high & 1);
}

// Whether all cells at a corner are whole, or none is open.
static bool are_alike(const cell_sides* const cells[4]) {
    int32_t a = cells[0]->open, b = cells[1]->open, c = cells[2]->open, d = cells[3]->open;
    return (a & b & c & d) == ALL_OPEN || (a | b | c | d) == NONE_OPEN;
}

// Which rooms round a corner belong to its second part.
static uint8_t split_of(const cell_sides* const cells[4], int32_t last) {
    int32_t of[4 * PLAN_ROOMS], count = 0;
    if (are_alike(cells))
        return 0;
    // A room that does not exist touches no side.
    for (int32_t k = 0; k < 4 * PLAN_ROOMS; k++) {
        const flow_rooms_sides* s = &cells[k & 3]->room[k >> 2];
        of[k] = s->left | s->right | s->low | s->high ? k : -1;
        count += of[k] >= 0;
    }
    for (int32_t a = 0; count > 1 && a < 4 * PLAN_ROOMS; a++)
        for (int32_t b = 0; b < 4 * PLAN_ROOMS; b++) {
            bool is_pair = (a & 3) < (b & 3) && of[a] >= 0 && of[b] >= 0 && of[a] != of[b];
            if (!is_pair || !are_joined(&cells[a & 3]->room[a >> 2], a & 3,
                                        &cells[b & 3]->room[b >> 2], b & 3, last))
                continue;
            for (int32_t k = 0, kept = of[a], gone = of[b]; k < 4 * PLAN_ROOMS; k++)
                of[k] = of[k] == gone ? kept : of[k];
        }
    int32_t first = -1;
    uint8_t split = 0;
    for (int32_t k = 0; k < 4 * PLAN_ROOMS; k++) {
        first = first < 0 ? of[k] : first;
        if (of[k] >= 0 && of[k] != first)
            split |= (uint8_t)(1u << k);
    }
    return split;
}

// Finds the parts of the corners of a row from `first` to `end`.
static void find_corners(const maker* m, int32_t y, const cell_sides* below, const cell_sides* here,
                         int32_t first, int32_t end) {
    static const cell_sides nothing;
    int32_t columns = m->flow->columns, group = m->flow->group;
    int32_t last = group <= FLOW_ROOMS_PARTS_MOST ? group - 1 : FLOW_ROOMS_PARTS_MOST - 1;
    for (int32_t x = first; x < end; x++) {
        const cell_sides* cells[4] = {&here[x], x > 0 ? &here[x - 1] : &nothing, &below[x],
                                      x > 0 ? &below[x - 1] : &nothing};
        uint8_t split = split_of(cells, last);
        uint8_t* at = &m->parts.split[y * (columns + 1) + x];
        m->flow->splits[m->flow->kind] += (split != 0) - (*at != 0);
        *at = split;
    }
}

// The value of the field for a distance, rounded up. [half cells]
static int32_t halves_of(float cells) {
    return (int32_t)-floorf(-kerb_clamp(2.0f * cells, 0.0f, 255.0f));
}

static maker maker_of(plan_flow* flow, const plan_world* world, const plan_regions* regions,
                      bool surely) {
    const plan_outline* o = &world->outline;
    flow->kind = surely;
    maker m = {.flow = flow,
               .world = world,
               .field = kerb_in_plan_world_at(world, world->field),
               .open = kerb_in_plan_regions_open(regions),
               .surely = surely,
               .parts = kerb_in_plan_flow_parts_of(flow)};
    float needed = kerb_min(o->half_width, kerb_min(o->front, o->rear)) / world->field_cell;
    m.least = halves_of(needed - LIKELY);
    m.ample = (int32_t)kerb_min(2.0f * AMPLE * o->half_width / world->field_cell + 1.0f, 256.0f);
    m.ample = m.ample > m.least ? m.ample : m.least;
    return m;
}

// Brings together the rows of the field in a row of coarse cells, between two of these.
static void flow_rooms_look_at_row(maker* m, int32_t y, int32_t first, int32_t end,
                                   uint64_t* memory) {
    int32_t group = m->flow->group, low = (y - 1) * group, words = m->world->field_words;
    m->all_open = m->any_open = NULL;
    if (low < 0 || low + group > m->world->field_rows)
        return;
    uint64_t *all = memory, *any = memory + words;
    int32_t from = (first > 0 ? first - 1 : 0) * group / PLAN_WORD;
    int32_t to = end * group / PLAN_WORD < words ? end * group / PLAN_WORD + 1 : words;
    for (int32_t i = from; i < to; i++) {
        const uint64_t* open = m->open + (size_t)low * (size_t)words + i;
        all[i] = any[i] = open[0];
        for (int32_t j = 1; j < group; j++) {
            all[i] &= open[(size_t)j * (size_t)words];
            any[i] |= open[(size_t)j * (size_t)words];
        }
    }
    m->all_open = all;
    m->any_open = any;
}

// Finds the rooms of the cells of a window and the parts of their corners. The cells beside the
// window are looked at too.
static void find_in(maker* m, plan_window w) {
    const plan_flow* flow = m->flow;
    cell_sides* rows[2] = {(cell_sides*)(void*)m->parts.sides, NULL};
    rows[1] = rows[0] + flow->columns + 1;
    int32_t first = w.left > 0 ? w.left - 1 : 0, low = w.low > 0 ? w.low - 1 : 0;
    int32_t end = w.right < flow->columns ? w.right + 1 : flow->columns + 1;
    int32_t high = w.high < flow->rows ? w.high + 1 : flow->rows + 1;
    memset(rows[1 - (low & 1)] + first, 0, (size_t)(end - first) * sizeof *rows[0]);
    for (int32_t y = low; y < high; y++) {
        cell_sides *here = rows[y & 1], *below = rows[1 - (y & 1)];
        flow_rooms_look_at_row(m, y, first, end, (uint64_t*)(void*)(rows[1] + flow->columns + 1));
        for (int32_t x = first; x < end; x++)
            find_cell(m, x, y, &here[x]);
        if (y >= w.low)
            find_corners(m, y, below, here, w.left, end);
    }
}

void kerb_in_plan_flow_find_rooms(plan_flow* flow, const plan_world* world,
                                  const plan_regions* regions, bool surely) {
    maker m = maker_of(flow, world, regions, surely);
    size_t count = (size_t)m.parts.count;
    memset(m.parts.split, 0, count);
    memset(m.parts.room_of, 0, kerb_in_plan_flow_room_bytes(flow));
    flow->splits[surely] = 0;
    plan_window all = {0, 0, flow->columns + 1, flow->rows + 1};
    find_in(&m, all);
    flow->has_splits[surely] = flow->splits[surely] > 0;
}

// Clearances above that of the highest price have no effect, and one cell more for rounding.
float kerb_in_plan_flow_reach(const plan_world* world) {
    return AMPLE * world->outline.half_width + 2.0f * world->field_cell;
}

// The rooms of a cell of which it had two before.
static void forget_rooms(const maker* m, plan_window w) {
    int32_t columns = m->world->field_columns, rows = m->world->field_rows, group = m->flow->group;
    int32_t right = w.right * group < columns ? w.right * group : columns;
    int32_t high = w.high * group < rows ? w.high * group : rows;
    for (int32_t y = w.low * group; y < high; y++)
        for (int32_t x = w.left * group; x < right; x++) {
            size_t fine = (size_t)y * (size_t)columns + (size_t)x;
            m->parts.room_of[fine / 4] &= (uint8_t) ~(3u << 2 * (fine % 4));
        }
}

void kerb_in_plan_flow_mend(plan_flow* flow, const plan_world* world, const plan_regions* regions,
                            plan_window window) {
    if (flow->columns == 0 || window.left >= window.right || window.low >= window.high)
        return;
    int32_t group = flow->group;
    // A ring of cells lies round the field's. The cells beside the window are found again too.
    plan_window w = {window.left / group + 1, window.low / group + 1,
                     (window.right - 1) / group + 2, (window.high - 1) / group + 2};
    plan_window around = {w.left - 2, w.low - 2, w.right, w.high}; // of the field, in groups
    around.left = around.left > 0 ? around.left : 0;
    around.low = around.low > 0 ? around.low : 0;
    for (int32_t kind = 0; kind < 2; kind++) {
        maker m = maker_of(flow, world, regions, kind != 0);
        forget_rooms(&m, around);
        find_in(&m, w);
        flow->has_splits[kind] = flow->splits[kind] > 0;
    }
}
