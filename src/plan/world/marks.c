// Purpose: marks the cells of the distance field that obstacles touch.
// Idea:    The blocked cells of the grid are marked as bars, the runs of a row. Of a polygon the
//          cells under its edges are marked, and those with their middle inside. Within a window
//          the marks are those of all obstacles, so a part of the world can be marked anew.
// Cost:    O(cells of the window + edges of polygons that reach into it).
#include "world.h"

#include <string.h>

typedef struct marker {
    plan_world* world;
    plan_window window; // of cells of the field
} marker;

static int32_t marks_whole(float x) {
    return (int32_t)floorf(x);
}

static int32_t marks_held(int32_t x, int32_t least, int32_t most) {
    return x < least ? least : x > most ? most : x;
}

static int32_t column_at(const plan_world* w, float x) {
    return marks_held(marks_whole((x - w->field_origin.x) / w->field_cell), 0,
                      w->field_columns - 1);
}

static int32_t row_at(const plan_world* w, float y) {
    return marks_held(marks_whole((y - w->field_origin.y) / w->field_cell), 0, w->field_rows - 1);
}

static uint64_t* blocked_row(plan_world* world, int32_t row) {
    uint64_t* blocked = kerb_in_plan_world_part(world, world->blocked);
    return blocked + (size_t)row * (size_t)world->field_words;
}

plan_window kerb_in_plan_world_window(const plan_world* w, kerb_vec2 least, kerb_vec2 most) {
    plan_window window = {column_at(w, least.x), row_at(w, least.y), column_at(w, most.x) + 1,
                          row_at(w, most.y) + 1};
    return window;
}

// Marks the cells that the rectangle from x0 to x1, y0 to y1 touches.
static void mark_bar(const marker* m, float x0, float x1, float y0, float y1) {
    plan_world* w = m->world;
    int32_t left = column_at(w, x0), right = column_at(w, x1);
    int32_t low = row_at(w, y0), high = row_at(w, y1);
    left = left < m->window.left ? m->window.left : left;
    right = right < m->window.right ? right : m->window.right - 1;
    low = low < m->window.low ? m->window.low : low;
    high = high < m->window.high ? high : m->window.high - 1;
    for (int32_t y = low; y <= high && left <= right; y++)
        plan_set_bits(blocked_row(w, y), left, right);
}

// The cells of the grid that can reach into the window: those under it, and one more on each side
// for rounding.
static plan_window grid_window(const marker* m) {
    const plan_world* w = m->world;
    float cell = w->field_cell;
    kerb_vec2 least = kerb_vec2_sub(
        kerb_vec2_add(
            w->field_origin,
            kerb_vec2_scale(kerb_vec2_make((float)m->window.left, (float)m->window.low), cell)),
        w->origin);
    kerb_vec2 most = kerb_vec2_sub(
        kerb_vec2_add(
            w->field_origin,
            kerb_vec2_scale(kerb_vec2_make((float)m->window.right, (float)m->window.high), cell)),
        w->origin);
    plan_window window = {marks_held(marks_whole(least.x / w->cell), 0, w->columns),
                          marks_held(marks_whole(least.y / w->cell), 0, w->rows),
                          marks_held(marks_whole(most.x / w->cell) + 1, 0, w->columns),
                          marks_held(marks_whole(most.y / w->cell) + 1, 0, w->rows)};
    return plan_window_wider(window, 1, w->columns, w->rows);
}

// Adjacent blocked cells of a row are one bar. It is slightly smaller than they are, so that
// rounding does not block a free cell beside it.
static void mark_grid(const marker* m) {
    const plan_world* w = m->world;
    const uint64_t* bits = kerb_in_plan_world_at(w, w->bits);
    float cell = w->cell, hair = 1e-3f * kerb_min(cell, w->field_cell);
    plan_window window = grid_window(m);
    for (int32_t y = window.low; y < window.high; y++) {
        const uint64_t* row = bits + (size_t)y * (size_t)w->words;
        float y0 = w->origin.y + (float)y * cell;
        for (int32_t x = 0, end = window.left; plan_next_run(row, window.right, &x, &end);)
            mark_bar(m, w->origin.x + (float)x * cell + hair,
                     w->origin.x + (float)end * cell - hair, y0 + hair, y0 + cell - hair);
    }
}

// Marks the cells under an edge: in each row of the field the part of the edge within the row.
static void mark_edge(const marker* m, kerb_vec2 a, kerb_vec2 b) {
    const plan_world* w = m->world;
    float cell = w->field_cell;
    kerb_vec2 low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
    int32_t first = marks_whole((low.y - w->field_origin.y) / cell);
    int32_t last = marks_whole((high.y - w->field_origin.y) / cell);
    for (int32_t y = first; y <= last; y++) {
        float y0 = w->field_origin.y + (float)y * cell, height = high.y - low.y;
        float from = height > 0.0f ? kerb_clamp((y0 - low.y) / height, 0.0f, 1.0f) : 0.0f;
        float to = height > 0.0f ? kerb_clamp((y0 + cell - low.y) / height, 0.0f, 1.0f) : 1.0f;
        float x0 = low.x + (high.x - low.x) * from, x1 = low.x + (high.x - low.x) * to;
        float hair = 1e-3f * cell; // for rounding errors
        mark_bar(m, kerb_min(x0, x1) - hair, kerb_max(x0, x1) + hair, y0 + 0.5f * cell,
                 y0 + 0.5f * cell);
    }
}

// Whether a point lies inside a polygon: a level line from the point crosses the edges an odd
// number of times. Each cell counts its crossings again, because there is no memory to sort them.
static bool marks_inside(const kerb_vec2* vertex, int32_t count, kerb_vec2 p) {
    bool in = false;
    for (int32_t i = 0, j = count - 1; i < count; j = i++) {
        kerb_vec2 a = vertex[i], b = vertex[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)))
            in = !in;
    }
    return in;
}

static void mark_inside(const marker* m, const kerb_vec2* vertex, int32_t count,
                        plan_window window) {
    float cell = m->world->field_cell;
    kerb_vec2 o = m->world->field_origin;
    for (int32_t y = window.low; y < window.high; y++) {
        uint64_t* row = blocked_row(m->world, y);
        for (int32_t x = window.left; x < window.right; x++) {
            kerb_vec2 middle = {o.x + ((float)x + 0.5f) * cell, o.y + ((float)y + 0.5f) * cell};
            bool is_marked = row[x / PLAN_WORD] >> x % PLAN_WORD & 1;
            if (!is_marked && marks_inside(vertex, count, middle))
                plan_set_bits(row, x, x);
        }
    }
}

static plan_window common_window(plan_window a, plan_window b) {
    plan_window both = {a.left > b.left ? a.left : b.left, a.low > b.low ? a.low : b.low,
                        a.right < b.right ? a.right : b.right, a.high < b.high ? a.high : b.high};
    return both;
}

static void mark_polygon(const marker* m, const kerb_vec2* vertices, const plan_polygon* p) {
    const kerb_vec2* vertex = vertices + p->first;
    plan_window around = kerb_in_plan_world_window(m->world, p->least, p->most);
    around = plan_window_wider(around, 1, m->world->field_columns, m->world->field_rows);
    plan_window reached = common_window(around, m->window);
    if (reached.left >= reached.right || reached.low >= reached.high)
        return;
    for (int32_t k = 0, j = p->count - 1; k < p->count; j = k++)
        mark_edge(m, vertex[j], vertex[k]);
    mark_inside(m, vertex, p->count, reached);
}

void kerb_in_plan_world_mark(plan_world* world, plan_window window) {
    marker m = {world, window};
    for (int32_t y = window.low; y < window.high && window.left < window.right; y++)
        plan_clear_bits(blocked_row(world, y), window.left, window.right - 1);
    if (world->bits != 0)
        mark_grid(&m);
    const kerb_vec2* vertex = kerb_in_plan_world_at(world, world->vertex);
    const plan_polygon* polygon = kerb_in_plan_world_at(world, world->polygon);
    for (int32_t i = 0; i < world->polygons; i++)
        if (polygon[i].count > 0)
            mark_polygon(&m, vertex, &polygon[i]);
}
