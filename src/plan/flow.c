// Purpose: the least distance to the goals round obstacles, for any place.
// Idea:    Dijkstra's from the goals over a coarse grid, ten tenths of a cell along a side and
//          fourteen across; buckets instead of a heap, as lengths are small whole numbers. It goes
//          on only until the place that is asked for is reached.
//
//          A bound: the shortest way through open cells bends only at their corners, and from
//          corner to corner a straight is at least cos 22.5° times the way along sides and
//          diagonals of the cells that it crosses. So the corners are what is searched; a side is
//          open when a cell beside it is. Cells count as open when there is anywhere in them room
//          for the largest circle about the rear axle that the outline holds: what the grid cannot
//          reach the vehicle cannot either.
//
//          A ring of cells round it all stands for the free ground beyond: to hold a way to a box
//          never makes it longer.
// Cost:    about 15 ns a cell that is reached.
#include "flow.h"

#include <string.h>

#define BUCKETS 32 // more than the longest step
#define SIDE 10
#define ACROSS 14
// Ways of 10 and 14 over straight ones, at most: sqrt(1 + 0.4²)/10, in cells.
#define SHORTEST (1.0f / 10.7703296f)
#define UNKNOWN INT32_MAX

// A number for each corner; cell (x, y) has the corners (x, y) to (x + 1, y + 1).
typedef struct corners {
    int32_t* length; // in tenths of a cell; UNKNOWN: not reached yet
    int32_t* next;   // of the same bucket
    int32_t* before;
    uint8_t* price; // of ways through the cell, in halves; 0: closed, as are cells past the last
} corners;

// Corners, and as many places for cells.
static size_t count_of(const plan_flow* flow) {
    return ((size_t)flow->columns + 1) * ((size_t)flow->rows + 1);
}

static size_t head_bytes(void) {
    return (sizeof(plan_flow) + 7) / 8 * 8;
}

static corners corners_of(plan_flow* flow) {
    corners v;
    v.length = (int32_t*)(void*)((char*)flow + head_bytes());
    v.next = v.length + count_of(flow);
    v.before = v.next + count_of(flow);
    v.price = (uint8_t*)(v.before + count_of(flow)) + (size_t)flow->kind * count_of(flow);
    return v;
}

plan_flow plan_flow_layout(const plan_world* world, float cell, int32_t cells_max) {
    plan_flow flow;
    memset(&flow, 0, sizeof flow);
    if (world->field == 0)
        return flow;
    // Whole cells of the field, so that a cell knows all of its places.
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
    return flow;
}

size_t plan_flow_bytes(const plan_flow* layout) {
    return head_bytes() + count_of(layout) * (3 * sizeof(int32_t) + 2) + 7;
}

// From one side of a cell to the other; the first and the last stand for all beyond.
static bool meets(float origin, float cell, int32_t index, int32_t count, float least, float most) {
    float low = index == 0 ? -KERB_NO_WAY : origin + (float)index * cell;
    float high = index == count - 1 ? KERB_NO_WAY : origin + (float)(index + 1) * cell;
    return high > least && low < most;
}

// Some of the cell lies within the box that the vehicle must stay in.
static bool cell_in_box(const plan_flow* flow, const plan_world* world, int32_t x, int32_t y) {
    return !world->boxed ||
           (meets(flow->origin.x, flow->cell, x, flow->columns, world->least.x, world->most.x) &&
            meets(flow->origin.y, flow->cell, y, flow->rows, world->least.y, world->most.y));
}

// What of the field's blur counts as room where the middle of it is wanted. [cells of the field]
#define LIKELY 0.75f
// Room at the side of which nothing is cheaper. [half widths]
#define AMPLE 4.0f

static kerb_vec2 field_middle(const plan_world* world, int32_t column, int32_t row) {
    return kerb_vec2_make(world->field_origin.x + ((float)column + 0.5f) * world->field_cell,
                          world->field_origin.y + ((float)row + 0.5f) * world->field_cell);
}

// Most room that the field knows of anywhere in a cell. [m]
static float known_room(const plan_flow* flow, const plan_world* world, int32_t x, int32_t y) {
    const uint8_t* field = plan_world_at(world, world->field);
    int32_t columns = world->field_columns, rows = world->field_rows, group = flow->group;
    int32_t left = (x - 1) * group, low = (y - 1) * group, most = 0;
    int32_t right = left + group < columns ? left + group : columns;
    int32_t high = low + group < rows ? low + group : rows;
    for (int32_t j = low; j < high; j++)
        for (int32_t i = left; i < right; i++) {
            int32_t here = field[(size_t)j * (size_t)columns + (size_t)i];
            most = here > most ? here : most;
        }
    return 0.5f * world->field_cell * (float)most;
}

// Whether there might be so much room anywhere in a cell: if there is, then nearly so in the middle
// of one of the field's cells.
static bool might_have(const plan_flow* flow, const plan_world* world, int32_t x, int32_t y,
                       float room) {
    float nearly = room - 0.70710678f * world->field_cell;
    if (nearly <= 0.0f || known_room(flow, world, x, y) >= nearly)
        return true;
    for (int32_t j = 0; j < flow->group; j++)
        for (int32_t i = 0; i < flow->group; i++) {
            kerb_vec2 middle =
                field_middle(world, (x - 1) * flow->group + i, (y - 1) * flow->group + j);
            if (plan_world_disc_free(world, middle, nearly))
                return true;
        }
    return false;
}

// A bound has one price for all open cells. A guide keeps from walls, which something that cannot
// turn on the spot does not get round closely: beside them ways cost up to twice as much.
static uint8_t price_of(const plan_flow* flow, const plan_world* world, int32_t x, int32_t y,
                        float needed, bool surely) {
    bool is_ring = x == 0 || y == 0 || x == flow->columns - 1 || y == flow->rows - 1;
    if (!cell_in_box(flow, world, x, y))
        return 0;
    if (is_ring)
        return 2;
    if (surely)
        return might_have(flow, world, x, y, needed) ? 2 : 0;
    float room = known_room(flow, world, x, y) + LIKELY * world->field_cell; // likely
    if (room < needed)
        return 0;
    float short_of = (AMPLE - room / world->outline.half_width) / (AMPLE - 1.0f);
    return (uint8_t)(2.5f + 2.0f * kerb_clamp(short_of, 0.0f, 1.0f));
}

static void set_prices(plan_flow* flow, const plan_world* world, bool surely) {
    const plan_outline* o = &world->outline;
    float room = kerb_min(o->half_width, kerb_min(o->front, o->rear));
    flow->kind = surely;
    corners v = corners_of(flow);
    for (int32_t y = 0, i = 0; y <= flow->rows; y++)
        for (int32_t x = 0; x <= flow->columns; x++)
            v.price[i++] =
                x < flow->columns && y < flow->rows ? price_of(flow, world, x, y, room, surely) : 0;
}

void plan_flow_create(void* block, const plan_flow* layout, const plan_world* world) {
    plan_flow* flow = block;
    *flow = *layout;
    set_prices(flow, world, false);
    set_prices(flow, world, true);
}

void plan_flow_begin(plan_flow* flow, bool surely) {
    flow->kind = surely;
    corners v = corners_of(flow);
    for (size_t i = 0, count = count_of(flow); i < count; i++)
        v.length[i] = UNKNOWN;
    for (int32_t i = 0; i < BUCKETS; i++)
        flow->bucket[i] = -1;
    flow->level = flow->waiting = 0;
}

// --------------------------------------------------------------------------- buckets

static void put(plan_flow* flow, const corners* v, int32_t corner, int32_t length) {
    int32_t* first = &flow->bucket[length % BUCKETS];
    v->length[corner] = length;
    v->next[corner] = *first;
    v->before[corner] = -1;
    if (*first >= 0)
        v->before[*first] = corner;
    *first = corner;
    flow->waiting++;
}

static void take_out(plan_flow* flow, const corners* v, int32_t corner) {
    int32_t next = v->next[corner], before = v->before[corner];
    if (before >= 0)
        v->next[before] = next;
    else
        flow->bucket[v->length[corner] % BUCKETS] = next;
    if (next >= 0)
        v->before[next] = before;
    flow->waiting--;
}

// By a way of so many tenths of a cell, at a price.
static void reach(plan_flow* flow, const corners* v, int32_t corner, int32_t from, int32_t way,
                  int32_t price) {
    int32_t length = v->length[from] + way * price / 2;
    if (price == 0 || v->length[corner] <= length)
        return;
    if (v->length[corner] != UNKNOWN)
        take_out(flow, v, corner);
    put(flow, v, corner, length);
}

// A side belongs to two cells: the cheaper open one counts.
static int32_t cheaper(int32_t a, int32_t b) {
    return a == 0 ? b : b == 0 ? a : a < b ? a : b;
}

// From one corner along the sides and diagonals of the four cells round it.
static void spread(plan_flow* flow, const corners* v, int32_t corner) {
    int32_t stride = flow->columns + 1;
    bool left = corner % stride > 0, low = corner >= stride;
    int32_t right_up = v->price[corner], left_up = left ? v->price[corner - 1] : 0;
    int32_t right_down = low ? v->price[corner - stride] : 0;
    int32_t left_down = low && left ? v->price[corner - stride - 1] : 0;
    reach(flow, v, corner + 1, corner, SIDE, cheaper(right_up, right_down));
    reach(flow, v, corner + stride, corner, SIDE, cheaper(right_up, left_up));
    reach(flow, v, corner + stride + 1, corner, ACROSS, right_up);
    if (left) {
        reach(flow, v, corner - 1, corner, SIDE, cheaper(left_up, left_down));
        reach(flow, v, corner + stride - 1, corner, ACROSS, left_up);
    }
    if (low) {
        reach(flow, v, corner - stride, corner, SIDE, cheaper(right_down, left_down));
        reach(flow, v, corner - stride + 1, corner, ACROSS, right_down);
    }
    if (low && left)
        reach(flow, v, corner - stride - 1, corner, ACROSS, left_down);
}

// --------------------------------------------------------------------------- questions

// The nearest corner of the cell of a place, and how far it is from there. Places beyond the grid
// are held to it. [cells]
static int32_t corner_at(const plan_flow* flow, kerb_vec2 place, float* away) {
    float x = (place.x - flow->origin.x) * flow->per_cell;
    float y = (place.y - flow->origin.y) * flow->per_cell;
    x = kerb_clamp(x, 0.0f, (float)flow->columns);
    y = kerb_clamp(y, 0.0f, (float)flow->rows);
    int32_t column = (int32_t)(x + 0.5f), row = (int32_t)(y + 0.5f);
    float aside = x - (float)column, above = y - (float)row;
    *away = kerb_sqrt(aside * aside + above * above);
    return row * (flow->columns + 1) + column;
}

void plan_flow_goal(plan_flow* flow, kerb_vec2 place) {
    if (flow->columns == 0)
        return;
    corners v = corners_of(flow);
    float away;
    int32_t corner = corner_at(flow, place, &away);
    if (v.length[corner] == UNKNOWN)
        put(flow, &v, corner, 0);
}

// Makes all corners of the lowest level final; false when none is left.
static bool advance(plan_flow* flow, const corners* v) {
    if (flow->waiting == 0)
        return false;
    while (flow->bucket[flow->level % BUCKETS] < 0)
        flow->level++;
    while (flow->bucket[flow->level % BUCKETS] >= 0) {
        int32_t corner = flow->bucket[flow->level % BUCKETS];
        take_out(flow, v, corner);
        spread(flow, v, corner);
    }
    flow->level++;
    return true;
}

// Goes on until the corner's length is final, or nothing is left.
static void spread_to(plan_flow* flow, int32_t corner) {
    corners v = corners_of(flow);
    while (v.length[corner] >= flow->level)
        if (!advance(flow, &v))
            break;
}

float plan_flow_distance(plan_flow* flow, kerb_vec2 place) {
    if (flow->columns == 0)
        return 0.0f;
    const int32_t* length = (const int32_t*)(const void*)((const char*)flow + head_bytes());
    float away;
    int32_t corner = corner_at(flow, place, &away);
    if (length[corner] >= flow->level)
        spread_to(flow, corner);
    if (length[corner] == UNKNOWN)
        return KERB_NO_WAY;
    // A goal is at most half a diagonal from its own corner.
    float cells = (float)length[corner] * SHORTEST - away - 0.70710678f;
    return kerb_max(cells, 0.0f) * flow->cell;
}
