// Purpose: a lower bound of the distance from any place to the goals, round the obstacles.
// Idea:    Dijkstra's algorithm from the goals over the corners of a coarse grid: 10 tenths of a
//          cell along a side, 14 along a diagonal. Lengths are small integers, so buckets replace
//          the heap. The search goes on only until it reaches the place that is asked for.
//
//          Why it is a bound: the shortest path through open cells bends only at their corners. A
//          straight line from corner to corner is at least cos 22.5° times the length along sides
//          and diagonals of the cells that it crosses. A side is open where a cell beside it is
//          open. A cell is open where the largest circle about the rear axle that fits into the
//          outline fits anywhere in it. So the vehicle cannot reach what the grid does not reach.
//
//          A ring of cells round the grid stands for the free ground outside. Clamping a path to
//          the grid never makes it longer.
// Cost:    O(cells that are reached).
#include "flow_parts.h"

#include <string.h>

// More than the longest step: a diagonal at the highest price, 14 · 4/2 = 28. [tenths of a cell]
#define BUCKETS 32
// Lengths along a side and a diagonal of a cell; 14 is √2 rounded down. [tenths of a cell]
#define PLAN_FLOW_SIDE 10
#define PLAN_FLOW_ACROSS 14
#define UNKNOWN INT32_MAX

plan_flow kerb_in_plan_flow_layout(const plan_world* world, float cell, int32_t cells_max) {
    plan_flow flow;
    memset(&flow, 0, sizeof flow);
    if (world->field == 0)
        return flow;
    // A coarse cell is a whole number of cells of the field.
    int32_t group = (int32_t)kerb_max(1.0f, floorf(cell / world->field_cell + 0.5f));
    do {
        flow.columns = (world->field_columns + group - 1) / group + 2;
        flow.rows = (world->field_rows + group - 1) / group + 2;
        flow.group = group;
        group *= 2;
    } while ((int64_t)flow.columns * flow.rows > cells_max);
    flow.cell = world->field_cell * (float)flow.group;
    flow.per_cell = 1.0f / flow.cell;
    flow.origin = kerb_vec2_sub(world->field_origin, kerb_vec2_make(flow.cell, flow.cell));
    flow.fine_columns = world->field_columns;
    flow.fine_rows = world->field_rows;
    return flow;
}

size_t kerb_in_plan_flow_bytes(const plan_flow* layout) {
    size_t count = ((size_t)layout->columns + 1) * ((size_t)layout->rows + 1);
    size_t of_kind = (PLAN_ROOMS + 1) * count + kerb_in_plan_flow_room_bytes(layout);
    return (sizeof *layout + 7) / 8 * 8 + kerb_in_plan_flow_side_bytes(layout) +
           count * 3 * PLAN_ROOMS * sizeof(int32_t) + 2 * of_kind + 7;
}

void kerb_in_plan_flow_create(void* block, const plan_flow* layout, const plan_world* world,
                              const plan_regions* regions) {
    plan_flow* flow = block;
    *flow = *layout;
    if (flow->columns == 0)
        return;
    kerb_in_plan_flow_find_rooms(flow, world, regions, false);
    kerb_in_plan_flow_find_rooms(flow, world, regions, true);
}

void kerb_in_plan_flow_begin(plan_flow* flow, bool surely) {
    flow->kind = surely;
    plan_flow_parts v = kerb_in_plan_flow_parts_of(flow);
    for (int32_t i = 0, count = flow->has_splits[surely] ? 2 * v.count : v.count; i < count; i++)
        v.length[i] = UNKNOWN;
    for (int32_t i = 0; i < BUCKETS; i++)
        flow->bucket[i] = -1;
    flow->level = flow->waiting = 0;
}

// --------------------------------------------------------------------------- buckets

static void plan_flow_put(plan_flow* flow, const plan_flow_parts* v, int32_t corner,
                          int32_t length) {
    int32_t* first = &flow->bucket[length % BUCKETS];
    v->length[corner] = length;
    v->next[corner] = *first;
    v->before[corner] = -1;
    if (*first >= 0)
        v->before[*first] = corner;
    *first = corner;
    flow->waiting++;
}

static void take_out(plan_flow* flow, const plan_flow_parts* v, int32_t corner) {
    int32_t next = v->next[corner], before = v->before[corner];
    if (before >= 0)
        v->next[before] = next;
    else
        flow->bucket[v->length[corner] % BUCKETS] = next;
    if (next >= 0)
        v->before[next] = before;
    flow->waiting--;
}

// Reaches a corner from another one along `way` tenths of a cell, at a price in halves.
static void plan_flow_reach(plan_flow* flow, const plan_flow_parts* v, int32_t corner, int32_t from,
                            int32_t way, int32_t price) {
    int32_t length = v->length[from] + way * price / 2;
    if (v->length[corner] <= length)
        return;
    if (v->length[corner] != UNKNOWN)
        take_out(flow, v, corner);
    plan_flow_put(flow, v, corner, length);
}

// The part of a corner to which a room belongs. The room's cell lies at place `q` seen from the
// corner.
static int32_t part_of(const plan_flow_parts* v, int32_t corner, int32_t q, int32_t room) {
    return v->split[corner] >> (q + 4 * room) & 1 ? corner + v->count : corner;
}

// Spreads from one corner of a room along its sides and its diagonal.
static void spread_in(plan_flow* flow, const plan_flow_parts* v, int32_t from, int32_t cell,
                      int32_t q, int32_t room) {
    const int32_t corners[4] = {cell, cell + 1, cell + flow->columns + 1, cell + flow->columns + 2};
    int32_t price = v->price[room][cell];
    for (int32_t to = 0; to < 4; to++)
        if (to != q)
            plan_flow_reach(flow, v, part_of(v, corners[to], to, room), from,
                            (to ^ q) == 3 ? PLAN_FLOW_ACROSS : PLAN_FLOW_SIDE, price);
}

// Spreads from one part of a corner through the rooms that belong to it. A side belongs to two
// cells; the cheaper one counts.
static void plan_flow_spread(plan_flow* flow, const plan_flow_parts* v, int32_t part) {
    int32_t stride = flow->columns + 1, corner = part < v->count ? part : part - v->count;
    const int32_t cells[4] = {corner, corner - 1, corner - stride, corner - stride - 1};
    bool left = corner % stride > 0, low = corner >= stride;
    const bool are_there[4] = {true, left, low, low && left};
    int32_t rooms = flow->has_splits[flow->kind] ? PLAN_ROOMS : 1;
    for (int32_t q = 0; q < 4; q++)
        for (int32_t room = 0; are_there[q] && room < rooms; room++)
            if (v->price[room][cells[q]] != 0 && part_of(v, corner, q, room) == part)
                spread_in(flow, v, part, cells[q], q, room);
}

// --------------------------------------------------------------------------- questions

// The part of a corner to which a place belongs, or both parts.
typedef struct plan_spot {
    int32_t part, other; // -1: no other
    float away;          // from the corner [cells]
} plan_spot;

// The room of a place in a cell; -1: unknown, either is possible.
static int32_t plan_flow_room_of(const plan_flow* flow, const plan_flow_parts* v, int32_t cell,
                                 float x, float y) {
    if (v->price[0][cell] == 0)
        return -1;
    if (v->price[1][cell] == 0)
        return 0;
    int32_t column = (int32_t)((x - 1.0f) * (float)flow->group);
    int32_t row = (int32_t)((y - 1.0f) * (float)flow->group);
    bool is_in = column >= 0 && row >= 0 && column < flow->fine_columns && row < flow->fine_rows;
    if (!is_in)
        return -1;
    return kerb_in_plan_flow_room_at(v, (size_t)row * (size_t)flow->fine_columns + (size_t)column) -
           1;
}

// Where a wall runs through the corner: chooses the part on the same side of the wall as the place.
static void choose_part(const plan_flow* flow, const plan_flow_parts* v, kerb_vec2 place,
                        plan_spot* at) {
    float x = kerb_clamp((place.x - flow->origin.x) * flow->per_cell, 0.0f, (float)flow->columns);
    float y = kerb_clamp((place.y - flow->origin.y) * flow->per_cell, 0.0f, (float)flow->rows);
    int32_t stride = flow->columns + 1, corner = at->part;
    int32_t column = (int32_t)kerb_min(x, (float)(flow->columns - 1));
    int32_t row = (int32_t)kerb_min(y, (float)(flow->rows - 1));
    int32_t room = plan_flow_room_of(flow, v, row * stride + column, x, y);
    // Seen from its low left corner, a cell lies at place 0.
    int32_t q = (column < corner % stride ? 1 : 0) + (row < corner / stride ? 2 : 0);
    if (room < 0)
        at->other = corner + v->count;
    else
        at->part = part_of(v, corner, q, room);
}

static plan_spot spot_at(const plan_flow* flow, const plan_flow_parts* v, kerb_vec2 place) {
    plan_flow_spot nearest = kerb_in_plan_flow_spot_at(flow, place);
    plan_spot at = {nearest.corner, -1, nearest.away};
    if (v->split[at.part] != 0)
        choose_part(flow, v, place, &at);
    return at;
}

void kerb_in_plan_flow_goal(plan_flow* flow, kerb_vec2 place) {
    if (flow->columns == 0)
        return;
    plan_flow_parts v = kerb_in_plan_flow_parts_of(flow);
    plan_spot at = spot_at(flow, &v, place);
    if (v.length[at.part] == UNKNOWN)
        plan_flow_put(flow, &v, at.part, 0);
    if (at.other >= 0 && v.length[at.other] == UNKNOWN)
        plan_flow_put(flow, &v, at.other, 0);
}

// Makes all corners of the lowest level final. False when none is left.
static bool advance(plan_flow* flow, const plan_flow_parts* v) {
    if (flow->waiting == 0)
        return false;
    while (flow->bucket[flow->level % BUCKETS] < 0)
        flow->level++;
    while (flow->bucket[flow->level % BUCKETS] >= 0) {
        int32_t part = flow->bucket[flow->level % BUCKETS];
        take_out(flow, v, part);
        plan_flow_spread(flow, v, part);
    }
    flow->level++;
    return true;
}

// The length of a part of a corner. Searches on until it is final or nothing is left.
static int32_t plan_flow_length_of(plan_flow* flow, const plan_flow_parts* v, int32_t part) {
    while (v->length[part] >= flow->level)
        if (!advance(flow, v))
            break;
    return v->length[part];
}

float kerb_in_plan_flow_distance(plan_flow* flow, kerb_vec2 place) {
    if (flow->columns == 0)
        return 0.0f;
    plan_flow_parts v = kerb_in_plan_flow_parts_of(flow);
    plan_spot at = spot_at(flow, &v, place);
    int32_t length = plan_flow_length_of(flow, &v, at.part);
    if (at.other >= 0) {
        int32_t other = plan_flow_length_of(flow, &v, at.other);
        length = other < length ? other : length;
    }
    if (length == UNKNOWN)
        return KERB_NO_CURVE;
    return kerb_in_plan_flow_metres(length, at.away, flow->cell);
}

plan_flow_known kerb_in_plan_flow_what_is_known(plan_flow* flow) {
    if (flow->columns == 0)
        return (plan_flow_known){.cell = 0.0f};
    plan_flow_parts v = kerb_in_plan_flow_parts_of(flow);
    return (plan_flow_known){v.length, v.split, flow->cell};
}

plan_flow_spot kerb_in_plan_flow_spot_at(const plan_flow* flow, kerb_vec2 place) {
    float x = (place.x - flow->origin.x) * flow->per_cell;
    float y = (place.y - flow->origin.y) * flow->per_cell;
    x = kerb_clamp(x, 0.0f, (float)flow->columns);
    y = kerb_clamp(y, 0.0f, (float)flow->rows);
    int32_t column = (int32_t)(x + 0.5f), row = (int32_t)(y + 0.5f);
    float aside = x - (float)column, above = y - (float)row;
    plan_flow_spot spot = {row * (flow->columns + 1) + column,
                           kerb_sqrt(aside * aside + above * above)};
    return spot;
}

float kerb_in_plan_flow_metres(int32_t length, float away, float cell) {
    float cells = (float)length * PLAN_FLOW_SHORTEST - away - 0.70710678f;
    return kerb_max(cells, 0.0f) * cell;
}

float kerb_in_plan_flow_distance_from(plan_flow* flow, const plan_flow_known* known,
                                      plan_flow_spot spot, kerb_vec2 place) {
    if (!(known->cell > 0.0f))
        return 0.0f;
    int32_t length = known->length[spot.corner];
    if (known->split[spot.corner] != 0 || length >= flow->level)
        return kerb_in_plan_flow_distance(flow, place);
    return kerb_in_plan_flow_metres(length, spot.away, known->cell);
}

// --------------------------------------------------------------------------- the way

// A part from which a part was reached in a room, or -1.
static int32_t reached_from(const plan_flow* flow, const plan_flow_parts* v, int32_t part,
                            int32_t cell, int32_t q, int32_t room) {
    const int32_t corners[4] = {cell, cell + 1, cell + flow->columns + 1, cell + flow->columns + 2};
    int32_t price = v->price[room][cell];
    for (int32_t from = 0; price != 0 && from < 4; from++) {
        int32_t other = part_of(v, corners[from], from, room);
        int32_t way = (from ^ q) == 3 ? PLAN_FLOW_ACROSS : PLAN_FLOW_SIDE;
        if (from != q && v->length[other] < v->length[part] &&
            v->length[other] + way * price / 2 == v->length[part])
            return other;
    }
    return -1;
}

static int32_t part_before(const plan_flow* flow, const plan_flow_parts* v, int32_t part) {
    int32_t stride = flow->columns + 1, corner = part < v->count ? part : part - v->count;
    const int32_t cells[4] = {corner, corner - 1, corner - stride, corner - stride - 1};
    bool left = corner % stride > 0, low = corner >= stride;
    const bool are_there[4] = {true, left, low, low && left};
    int32_t rooms = flow->has_splits[flow->kind] ? PLAN_ROOMS : 1, before = -1;
    for (int32_t q = 0; q < 4 && before < 0; q++)
        for (int32_t room = 0; are_there[q] && room < rooms && before < 0; room++)
            if (part_of(v, corner, q, room) == part)
                before = reached_from(flow, v, part, cells[q], q, room);
    return before;
}

int32_t kerb_in_plan_flow_way(plan_flow* flow, kerb_vec2 place, kerb_vec2* points, int32_t most) {
    if (!(kerb_in_plan_flow_distance(flow, place) < KERB_NO_CURVE) || flow->columns == 0)
        return 0;
    plan_flow_parts v = kerb_in_plan_flow_parts_of(flow);
    plan_spot at = spot_at(flow, &v, place);
    bool is_other = at.other >= 0 && v.length[at.other] < v.length[at.part];
    int32_t count = 0, stride = flow->columns + 1;
    for (int32_t part = is_other ? at.other : at.part; part >= 0;
         part = v.length[part] > 0 ? part_before(flow, &v, part) : -1) {
        if (count == most)
            return 0;
        int32_t corner = part < v.count ? part : part - v.count;
        kerb_vec2 cells = kerb_vec2_make((float)(corner % stride), (float)(corner / stride));
        points[count++] = kerb_vec2_add(flow->origin, kerb_vec2_scale(cells, flow->cell));
    }
    return count;
}
