// Purpose: a copy of the obstacles in space, with a grid of distances.
// Idea:    A cell that a solid meets is taken. The distance of each other cell to the nearest taken
//          one is that of the lower envelopes of parabolas, axis by axis. Less what a point may lie
//          from the middle of its cell, it is a distance within which nothing is in the way. Most
//          balls are far from everything, and one look at the grid frees them.
// Cost:    Building: O(cells + cells that solids meet). Memory: about 30 bytes per cell, at most
//          64³ cells.
// Source:  Felzenszwalb, Huttenlocher, "Distance Transforms of Sampled Functions", 2012.
#include "volume.h"

#include "../../base/shared.h"

#include <string.h>

// Half the diagonal of a cell. [cells]
#define VOLUME_HALF 0.8660254f
// Distance of a cell where nothing is taken. [cells²]
#define VOLUME_FAR 1e8f

// --------------------------------------------------------------------------- size and layout

static void volume_set_size(const kerb_space_world* w, space_volume* v) {
    const float sides[3] = {w->max.x - w->min.x, w->max.y - w->min.y, w->max.z - w->min.z};
    float longest = kerb_max(kerb_max(sides[0], sides[1]), sides[2]);
    v->cell = longest / (float)VOLUME_SIDE * 1.0001f;
    v->cells = 1;
    for (int32_t i = 0; i < 3; i++) {
        v->size[i] = (int32_t)floorf(sides[i] / v->cell) + 1;
        v->size[i] = v->size[i] > VOLUME_SIDE ? VOLUME_SIDE : v->size[i];
        v->cells *= v->size[i];
    }
}

static size_t volume_round(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

// Gives out a part of the memory; without memory it only counts.
static void* volume_part(char* memory, size_t* used, size_t bytes) {
    void* part = memory ? memory + *used : NULL;
    *used += volume_round(bytes);
    return part;
}

// Places the arrays; returns the size of all.
static size_t volume_lay_out(const kerb_space_world* w, space_volume* v, char* memory) {
    size_t used = volume_round(sizeof *v), cells = (size_t)v->cells;
    v->clearance = volume_part(memory, &used, cells * sizeof(float));
    v->cost = volume_part(memory, &used, cells * sizeof(float));
    v->order = volume_part(memory, &used, cells * sizeof(float));
    v->parent = volume_part(memory, &used, cells * sizeof(int32_t));
    v->heap = volume_part(memory, &used, cells * sizeof(int32_t));
    v->stamp = volume_part(memory, &used, cells * sizeof(uint32_t));
    v->looked = volume_part(memory, &used, cells * sizeof(uint32_t));
    v->is_open = volume_part(memory, &used, cells);
    size_t boxes = (size_t)w->box_count * sizeof *w->boxes;
    size_t ground = w->heights ? (size_t)w->columns * (size_t)w->rows * sizeof(float) : 0;
    size_t nodes = w->octree ? (size_t)w->octree_nodes * 8 * sizeof(uint32_t) : 0;
    v->world.boxes = volume_part(memory, &used, boxes);
    v->world.heights = ground ? volume_part(memory, &used, ground) : NULL;
    v->world.octree = nodes ? volume_part(memory, &used, nodes) : NULL;
    return used;
}

size_t kerb_in_volume_bytes(const kerb_space_world* world) {
    space_volume v;
    volume_set_size(world, &v);
    return volume_lay_out(world, &v, NULL);
}

// --------------------------------------------------------------------------- taken cells

static int32_t volume_index(const space_volume* v, int32_t x, int32_t y, int32_t z) {
    return (z * v->size[1] + y) * v->size[0] + x;
}

// First and last cell of an interval along an axis; none: last before first.
static void volume_range(float low, float high, float origin, float cell, int32_t count,
                         int32_t range[2]) {
    range[0] = (int32_t)kerb_clamp(floorf((low - origin) / cell), 0.0f, (float)count);
    range[1] = (int32_t)kerb_clamp(floorf((high - origin) / cell), -1.0f, (float)(count - 1));
}

static void volume_take(space_volume* v, kerb_vec3 low, kerb_vec3 high) {
    int32_t x[2], y[2], z[2];
    volume_range(low.x, high.x, v->world.min.x, v->cell, v->size[0], x);
    volume_range(low.y, high.y, v->world.min.y, v->cell, v->size[1], y);
    volume_range(low.z, high.z, v->world.min.z, v->cell, v->size[2], z);
    for (int32_t k = z[0]; k <= z[1]; k++)
        for (int32_t j = y[0]; j <= y[1]; j++)
            for (int32_t i = x[0]; i <= x[1]; i++)
                v->clearance[volume_index(v, i, j, k)] = 0.0f;
}

static void volume_take_ground(space_volume* v) {
    const kerb_space_world* w = &v->world;
    for (int32_t i = 0; w->heights && i < w->columns * w->rows; i++) {
        int32_t column = i % w->columns, row = i / w->columns;
        kerb_vec3 low = {w->ground_origin.x + w->cell_size * (float)column,
                         w->ground_origin.y + w->cell_size * (float)row, w->min.z};
        kerb_vec3 high = {low.x + w->cell_size, low.y + w->cell_size, w->heights[i]};
        if (high.z >= low.z)
            volume_take(v, low, high);
    }
}

static void volume_take_node(space_volume* v, uint32_t node, kerb_vec3 low, float size,
                             int32_t depth) {
    float half = 0.5f * size;
    for (uint32_t c = 0; c < 8; c++) {
        uint32_t what = v->world.octree[(size_t)node * 8 + c];
        kerb_vec3 least = {low.x + (c & 1u ? half : 0.0f), low.y + (c & 2u ? half : 0.0f),
                           low.z + (c & 4u ? half : 0.0f)};
        kerb_vec3 most = {least.x + half, least.y + half, least.z + half};
        // Smaller cubes than half a cell would take the same cells.
        bool fine = half < 0.5f * v->cell || depth > 20;
        if (what == KERB_OCTREE_BLOCKED || (what != KERB_OCTREE_FREE && fine))
            volume_take(v, least, most);
        else if (what != KERB_OCTREE_FREE)
            volume_take_node(v, what - 1, least, half, depth + 1);
    }
}

// --------------------------------------------------------------------------- distances

// Squared distances along a row of cells to the nearest parabola.
static void volume_envelope(float* row, int32_t count) {
    int32_t vertex[VOLUME_SIDE];
    float from[VOLUME_SIDE + 1], old[VOLUME_SIDE];
    int32_t last = 0;
    memcpy(old, row, (size_t)count * sizeof(float));
    vertex[0] = 0;
    from[0] = -VOLUME_FAR;
    for (int32_t i = 1; i < count; i++) {
        float meets = 0.0f;
        for (; last >= 0; last--) {
            float a = (float)i, b = (float)vertex[last];
            meets = ((old[i] + a * a) - (old[vertex[last]] + b * b)) / (2.0f * (a - b));
            if (meets > from[last])
                break;
        }
        vertex[++last] = i;
        from[last] = last > 0 ? meets : -VOLUME_FAR;
    }
    for (int32_t i = 0, k = 0; i < count; i++) {
        while (k < last && from[k + 1] < (float)i)
            k++;
        float gap = (float)(i - vertex[k]);
        row[i] = gap * gap + old[vertex[k]];
    }
}

// Envelopes of all rows along an axis. `stride` cells are between the cells of a row.
static void volume_along(space_volume* v, int32_t axis, int32_t stride) {
    float row[VOLUME_SIDE];
    int32_t count = v->size[axis];
    for (int32_t cell = 0; cell < v->cells; cell++) {
        if (cell / stride % count != 0)
            continue;
        for (int32_t i = 0; i < count; i++)
            row[i] = v->clearance[cell + i * stride];
        volume_envelope(row, count);
        for (int32_t i = 0; i < count; i++)
            v->clearance[cell + i * stride] = row[i];
    }
}

void kerb_in_volume_copy(const kerb_space_world* world, space_volume* v) {
    memset(v, 0, sizeof *v);
    v->world = *world;
    volume_set_size(world, v);
    volume_lay_out(world, v, (char*)v);
    if (world->box_count > 0 && v->world.boxes)
        memcpy((void*)v->world.boxes, world->boxes,
               (size_t)world->box_count * sizeof *world->boxes);
    if (world->heights && v->world.heights)
        memcpy((void*)v->world.heights, world->heights,
               (size_t)world->columns * (size_t)world->rows * sizeof(float));
    if (world->octree && v->world.octree)
        memcpy((void*)v->world.octree, world->octree,
               (size_t)world->octree_nodes * 8 * sizeof(uint32_t));
    memset(v->stamp, 0, (size_t)v->cells * sizeof(uint32_t));
    memset(v->looked, 0, (size_t)v->cells * sizeof(uint32_t));
    for (int32_t i = 0; i < v->cells; i++)
        v->clearance[i] = VOLUME_FAR;
    for (int32_t i = 0; i < world->box_count; i++)
        volume_take(v, world->boxes[i].min, world->boxes[i].max);
    volume_take_ground(v);
    if (world->octree)
        volume_take_node(v, 0, world->octree_origin, world->octree_size, 0);
    volume_along(v, 0, 1);
    volume_along(v, 1, v->size[0]);
    volume_along(v, 2, v->size[0] * v->size[1]);
    for (int32_t i = 0; i < v->cells; i++)
        v->clearance[i] = v->cell * (kerb_sqrt(v->clearance[i]) - 2.0f * VOLUME_HALF);
}

// --------------------------------------------------------------------------- questions

int32_t kerb_in_volume_cell(const space_volume* v, kerb_vec3 p) {
    const float place[3] = {p.x - v->world.min.x, p.y - v->world.min.y, p.z - v->world.min.z};
    int32_t at[3];
    for (int32_t i = 0; i < 3; i++)
        at[i] = (int32_t)kerb_clamp(floorf(place[i] / v->cell), 0.0f, (float)(v->size[i] - 1));
    return volume_index(v, at[0], at[1], at[2]);
}

kerb_vec3 kerb_in_volume_middle(const space_volume* v, int32_t cell) {
    int32_t x = cell % v->size[0], y = cell / v->size[0] % v->size[1];
    int32_t z = cell / (v->size[0] * v->size[1]);
    kerb_vec3 middle = {v->world.min.x + v->cell * ((float)x + 0.5f),
                        v->world.min.y + v->cell * ((float)y + 0.5f),
                        v->world.min.z + v->cell * ((float)z + 0.5f)};
    return middle;
}

float kerb_in_volume_clearance(const space_volume* v, const kerb_kind_ball* ball) {
    kerb_vec3 p = ball->middle;
    float clearance = v->clearance[kerb_in_volume_cell(v, p)];
    clearance = kerb_min(clearance, kerb_min(p.x - v->world.min.x, v->world.max.x - p.x));
    clearance = kerb_min(clearance, kerb_min(p.y - v->world.min.y, v->world.max.y - p.y));
    clearance = kerb_min(clearance, kerb_min(p.z - v->world.min.z, v->world.max.z - p.z));
    return kerb_max(clearance - ball->radius, 0.0f);
}

bool kerb_in_volume_is_free(const space_volume* v, const kerb_kind_ball* ball) {
    return kerb_in_volume_clearance(v, ball) > 0.0f || kerb_space_world_is_free(&v->world, ball);
}
