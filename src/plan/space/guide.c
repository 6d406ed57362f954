// Purpose: ways for a ball between obstacles in space.
// Idea:    A* over the cells of the volume, in 26 directions, with the straight distance. Whether a
//          ball at the middle of a cell is free is looked up when the search comes there. Then
//          corners that the ball can leave out are left out, from both ends.
// Cost:    O(cells · log cells) at most; few cells where there is room.
// Source:  Hart, Nilsson, Raphael, 1968.
#include "guide.h"

#include "../../base/shared.h"

// Weight of the straight distance: ways at most 5 % longer for far fewer cells. Pulling the way
// taut changes it by more than that. [1]
#define GUIDE_WEIGHT 1.05f
// Steps of a ball along a line where obstacles are near, over its radius. [1]
#define GUIDE_STEP 0.25f
// Cells of a way before it is pulled taut.
#define GUIDE_CELLS 512

// --------------------------------------------------------------------------- heap

static void guide_put(space_volume* v, space_guide* g, int32_t cell, float order) {
    int32_t at = g->waiting++;
    while (at > 0 && v->order[(at - 1) / 2] > order) {
        v->order[at] = v->order[(at - 1) / 2];
        v->heap[at] = v->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    v->order[at] = order;
    v->heap[at] = cell;
}

static int32_t guide_take(space_volume* v, space_guide* g) {
    int32_t first = v->heap[0], count = --g->waiting, at = 0;
    float order = v->order[count];
    int32_t cell = v->heap[count];
    while (2 * at + 1 < count) {
        int32_t child = 2 * at + 1;
        if (child + 1 < count && v->order[child + 1] < v->order[child])
            child++;
        if (v->order[child] >= order)
            break;
        v->order[at] = v->order[child];
        v->heap[at] = v->heap[child];
        at = child;
    }
    v->order[at] = order;
    v->heap[at] = cell;
    return first;
}

// --------------------------------------------------------------------------- search

static bool guide_is_open(const space_guide* g, space_volume* v, int32_t cell) {
    if (v->looked[cell] != v->searches) {
        kerb_kind_ball ball = {kerb_in_volume_middle(v, cell), g->ball.radius};
        v->looked[cell] = v->searches;
        v->is_open[cell] = kerb_in_volume_is_free(v, &ball);
    }
    return v->is_open[cell];
}

static void guide_reach(space_guide* g, space_volume* v, int32_t cell, float cost, int32_t parent) {
    if (v->stamp[cell] == v->searches && v->cost[cell] <= cost)
        return;
    if (g->waiting >= v->cells)
        return;
    v->stamp[cell] = v->searches;
    v->cost[cell] = cost;
    v->parent[cell] = parent;
    float rest = kerb_vec3_length(kerb_vec3_sub(g->to, kerb_in_volume_middle(v, cell)));
    guide_put(v, g, cell, cost + GUIDE_WEIGHT * rest);
}

// Reaches the open cells next to a cell, and to those next to it when `steps` is 2.
static void guide_expand(space_guide* g, space_volume* v, int32_t cell, float cost, int32_t parent,
                         int32_t steps) {
    const int32_t nx = v->size[0], ny = v->size[1], nz = v->size[2];
    int32_t x = cell % nx, y = cell / nx % ny, z = cell / (nx * ny);
    for (int32_t k = -steps; k <= steps; k++)
        for (int32_t j = -steps; j <= steps; j++)
            for (int32_t i = -steps; i <= steps; i++) {
                int32_t a = x + i, b = y + j, c = z + k;
                if ((i == 0 && j == 0 && k == 0) || a < 0 || b < 0 || c < 0 || a >= nx || b >= ny ||
                    c >= nz)
                    continue;
                int32_t next = (c * ny + b) * nx + a;
                if (!guide_is_open(g, v, next))
                    continue;
                float way = v->cell * kerb_sqrt((float)(i * i + j * j + k * k));
                guide_reach(g, v, next, cost + way, parent);
            }
}

void kerb_in_guide_begin(space_guide* g, space_volume* v, kerb_vec3 from, kerb_vec3 to,
                         float radius) {
    g->ball.radius = radius;
    g->from = from;
    g->to = to;
    g->waiting = g->count = 0;
    v->searches++;
    g->goal = kerb_in_volume_cell(v, to);
    int32_t start = kerb_in_volume_cell(v, from);
    // The middle of the first cell may be blocked although the start is free: look further.
    guide_expand(g, v, start, 0.0f, -1, 2);
    if (guide_is_open(g, v, start))
        guide_reach(g, v, start, 0.0f, -1);
}

// --------------------------------------------------------------------------- taut

static bool guide_sees(const space_guide* g, const space_volume* v, kerb_vec3 a, kerb_vec3 b) {
    kerb_vec3 way = kerb_vec3_sub(b, a);
    float length = kerb_vec3_length(way), at = 0.0f;
    kerb_vec3 along = kerb_vec3_scale(way, 1.0f / kerb_max(length, 1e-6f));
    while (at < length) {
        kerb_kind_ball ball = {kerb_vec3_along(a, along, at), g->ball.radius};
        float clearance = kerb_in_volume_clearance(v, &ball);
        if (!(clearance > 0.0f) && !kerb_space_world_is_free(&v->world, &ball))
            return false;
        at += kerb_max(clearance, GUIDE_STEP * g->ball.radius);
    }
    return true;
}

// The farthest point that a point sees.
static int32_t guide_farthest(const space_guide* g, const space_volume* v, const kerb_vec3* points,
                              int32_t from, int32_t count) {
    int32_t low = from + 1, reach = 1;
    // Doubling steps: what is far is seen less often.
    while (low + reach < count && guide_sees(g, v, points[from], points[low + reach])) {
        low += reach;
        reach *= 2;
    }
    for (; reach > 0; reach /= 2)
        if (low + reach < count && guide_sees(g, v, points[from], points[low + reach]))
            low += reach;
    return low;
}

static void guide_pull_taut(space_guide* g, const space_volume* v, int32_t last) {
    kerb_vec3 points[GUIDE_CELLS + 2];
    int32_t count = 0, cells[GUIDE_CELLS];
    for (int32_t cell = last; cell >= 0 && count < GUIDE_CELLS; cell = v->parent[cell])
        cells[count++] = cell;
    points[0] = g->from;
    for (int32_t i = 0; i < count; i++)
        points[i + 1] = kerb_in_volume_middle(v, cells[count - 1 - i]);
    count += 2;
    points[count - 1] = g->to;
    g->count = 0;
    for (int32_t at = 0; at < count - 1;) {
        at = guide_farthest(g, v, points, at, count);
        if (at < count - 1 && g->count < GUIDE_CORNERS)
            g->corners[g->count++] = points[at];
    }
}

// Whether a cell is the goal's or next to it.
static bool guide_is_there(const space_guide* g, const space_volume* v, int32_t cell) {
    float far = kerb_vec3_length(kerb_vec3_sub(g->to, kerb_in_volume_middle(v, cell)));
    return cell == g->goal || far < 3.0f * v->cell;
}

kerb_plan_outcome kerb_in_guide_advance(space_guide* g, space_volume* v, int32_t most) {
    for (int32_t i = 0; i < most; i++) {
        if (g->waiting == 0)
            return KERB_PLAN_NO_PATH;
        float order = v->order[0];
        int32_t cell = guide_take(v, g);
        kerb_vec3 middle = kerb_in_volume_middle(v, cell);
        float rest = kerb_vec3_length(kerb_vec3_sub(g->to, middle));
        if (order > v->cost[cell] + GUIDE_WEIGHT * rest + 1e-3f)
            continue; // a shorter way came later
        if (guide_is_there(g, v, cell) && (cell == g->goal || guide_sees(g, v, middle, g->to))) {
            guide_pull_taut(g, v, cell);
            return KERB_PLAN_FOUND;
        }
        guide_expand(g, v, cell, v->cost[cell], cell, 1);
    }
    return KERB_PLAN_RUNNING;
}
