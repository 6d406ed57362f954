// Purpose: the least distance to the goals round obstacles, for any place.
// Idea:    Dijkstra's from the goals over a coarse grid, ten tenths of a cell along a side,
// fourteen
//          across; buckets instead of a heap, as lengths are small whole numbers. It goes on only
//          until the place that is asked for is reached.
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

#define BUCKETS 16 // more than the longest step
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
    uint8_t* open; // of the cell, 1: the rear axle may be there; cells past the last are not
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
    v.open = (uint8_t*)(v.before + count_of(flow));
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
    flow.origin = kerb_vec2_sub(world->field_origin, kerb_vec2_make(flow.cell, flow.cell));
    return flow;
}

size_t plan_flow_bytes(const plan_flow* layout) {
    return head_bytes() + count_of(layout) * (3 * sizeof(int32_t) + 1) + 7;
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

static bool cell_open(const plan_flow* flow, const plan_world* world, int32_t x, int32_t y,
                      float room) {
    if (!cell_in_box(flow, world, x, y))
        return false;
    for (int32_t j = 0; j < flow->group; j++)
        for (int32_t i = 0; i < flow->group; i++) {
            int32_t column = (x - 1) * flow->group + i, row = (y - 1) * flow->group + j;
            kerb_vec2 middle = {world->field_origin.x + ((float)column + 0.5f) * world->field_cell,
                                world->field_origin.y + ((float)row + 0.5f) * world->field_cell};
            if (plan_world_clearance_most(world, middle) >= room)
                return true;
        }
    return false;
}

void plan_flow_build(void* block, const plan_flow* layout, const plan_world* world) {
    plan_flow* flow = block;
    *flow = *layout;
    const plan_outline* o = &world->outline;
    float room = kerb_min(o->half_width, kerb_min(o->front, o->rear));
    corners v = corners_of(flow);
    for (int32_t y = 0, i = 0; y <= flow->rows; y++)
        for (int32_t x = 0; x <= flow->columns; x++)
            v.open[i++] = x < flow->columns && y < flow->rows && cell_open(flow, world, x, y, room);
    plan_flow_clear(flow);
}

void plan_flow_clear(plan_flow* flow) {
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

static void reach(plan_flow* flow, const corners* v, int32_t corner, int32_t length) {
    if (v->length[corner] <= length)
        return;
    if (v->length[corner] != UNKNOWN)
        take_out(flow, v, corner);
    put(flow, v, corner, length);
}

// From one corner along the sides and diagonals of the four cells round it.
static void spread(plan_flow* flow, const corners* v, int32_t corner) {
    int32_t stride = flow->columns + 1, length = v->length[corner];
    bool left = corner % stride > 0, low = corner >= stride;
    bool right_up = v->open[corner], left_up = left && v->open[corner - 1];
    bool right_down = low && v->open[corner - stride];
    bool left_down = low && left && v->open[corner - stride - 1];
    if (right_up || right_down)
        reach(flow, v, corner + 1, length + SIDE);
    if (left_up || left_down)
        reach(flow, v, corner - 1, length + SIDE);
    if (right_up || left_up)
        reach(flow, v, corner + stride, length + SIDE);
    if (right_down || left_down)
        reach(flow, v, corner - stride, length + SIDE);
    if (right_up)
        reach(flow, v, corner + stride + 1, length + ACROSS);
    if (left_up)
        reach(flow, v, corner + stride - 1, length + ACROSS);
    if (right_down)
        reach(flow, v, corner - stride + 1, length + ACROSS);
    if (left_down)
        reach(flow, v, corner - stride - 1, length + ACROSS);
}

// --------------------------------------------------------------------------- questions

// The nearest corner of the cell of a place, and how far it is from there. Places beyond the grid
// are held to it. [cells]
static int32_t corner_at(const plan_flow* flow, kerb_vec2 place, float* away) {
    float x = (place.x - flow->origin.x) / flow->cell, y = (place.y - flow->origin.y) / flow->cell;
    x = kerb_clamp(x, 0.0f, (float)flow->columns);
    y = kerb_clamp(y, 0.0f, (float)flow->rows);
    float column = floorf(x + 0.5f), row = floorf(y + 0.5f);
    *away = kerb_sqrt((x - column) * (x - column) + (y - row) * (y - row));
    return (int32_t)row * (flow->columns + 1) + (int32_t)column;
}

void plan_flow_goal(plan_flow* flow, kerb_vec2 place) {
    if (flow->columns == 0)
        return;
    corners v = corners_of(flow);
    float away;
    reach(flow, &v, corner_at(flow, place, &away), 0);
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

float plan_flow_distance(plan_flow* flow, kerb_vec2 place) {
    if (flow->columns == 0)
        return 0.0f;
    corners v = corners_of(flow);
    float away;
    int32_t corner = corner_at(flow, place, &away);
    while (v.length[corner] >= flow->level)
        if (!advance(flow, &v))
            break;
    if (v.length[corner] == UNKNOWN)
        return KERB_NO_WAY;
    // A goal is at most half a diagonal from its own corner.
    float cells = (float)v.length[corner] * SHORTEST - away - 0.70710678f;
    return kerb_max(cells, 0.0f) * flow->cell;
}
