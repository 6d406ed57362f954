// Purpose: new values of cells and polygons in the block that holds the static obstacles.
// Idea:    They replace the old ones where these lie. What follows from them, the marks, the field,
//          the regions and the flow, is brought up to date by whoever calls (search/site_change.c).
//          A polygon that has moved changes two windows of the field, its old place and its new
//          one; they are one window where that is not larger than both.
// Cost:    O(cells or vertices that are given), and O(polygons) where one is taken away.
#include "world.h"

#include <string.h>

static plan_window no_window(void) {
    return (plan_window){0, 0, 0, 0};
}

// The window under a rectangle, with the cells beside it, because marks are a little larger than
// obstacles.
static plan_window window_under(const plan_world* w, kerb_vec2 least, kerb_vec2 most) {
    return plan_window_wider(kerb_in_plan_world_window(w, least, most), 1, w->field_columns,
                             w->field_rows);
}

plan_window kerb_in_plan_world_put_cells(plan_world* world, const kerb_plan_cells* c) {
    for (int32_t y = 0; c->cells && y < c->rows; y++) {
        uint64_t* row = (uint64_t*)(void*)((char*)world + world->bits);
        const uint8_t* cells = c->cells + (size_t)y * (size_t)c->columns;
        row += (size_t)(c->row + y) * (size_t)world->words;
        for (int32_t x = 0; x < c->columns; x++) {
            if (cells[x] == 255)
                plan_set_bits(row, c->column + x, c->column + x);
            else
                plan_clear_bits(row, c->column + x, c->column + x);
        }
    }
    for (int32_t y = 0; c->cost_map && y < c->rows; y++) {
        uint8_t* row = (uint8_t*)world + world->prices;
        row += (size_t)(c->row + y) * (size_t)world->price_columns + (size_t)c->column;
        memcpy(row, c->cost_map + (size_t)y * (size_t)c->columns, (size_t)c->columns);
    }
    if (!c->cells || c->columns == 0 || c->rows == 0)
        return no_window();
    kerb_vec2 least = {(float)c->column, (float)c->row};
    kerb_vec2 most = {(float)(c->column + c->columns), (float)(c->row + c->rows)};
    return window_under(world, kerb_vec2_add(world->origin, kerb_vec2_scale(least, world->cell)),
                        kerb_vec2_add(world->origin, kerb_vec2_scale(most, world->cell)));
}

// --------------------------------------------------------------------------- polygons

static void put_vertices(plan_world* world, plan_polygon* p, const kerb_vec2* vertices,
                         int32_t count) {
    kerb_vec2* vertex = (kerb_vec2*)(void*)((char*)world + world->vertex) + p->first;
    memset(vertex, 0, (size_t)p->room * sizeof *vertex);
    p->count = count;
    p->least = kerb_vec2_make(KERB_NO_CURVE, KERB_NO_CURVE);
    p->most = kerb_vec2_make(-KERB_NO_CURVE, -KERB_NO_CURVE);
    for (int32_t i = 0; i < count; i++) {
        vertex[i] = vertices[i];
        p->least.x = kerb_min(p->least.x, vertices[i].x);
        p->least.y = kerb_min(p->least.y, vertices[i].y);
        p->most.x = kerb_max(p->most.x, vertices[i].x);
        p->most.y = kerb_max(p->most.y, vertices[i].y);
    }
}

static int64_t cells_in(plan_window w) {
    return (int64_t)(w.right - w.left) * (w.high - w.low);
}

static plan_window both_windows(plan_window a, plan_window b) {
    return (plan_window){a.left < b.left ? a.left : b.left, a.low < b.low ? a.low : b.low,
                         a.right > b.right ? a.right : b.right, a.high > b.high ? a.high : b.high};
}

int32_t kerb_in_plan_world_put_polygon(plan_world* world, int32_t index, const kerb_vec2* vertices,
                                       int32_t count, plan_window windows[2]) {
    plan_polygon* polygon = (plan_polygon*)(void*)((char*)world + world->polygon);
    plan_polygon* p = &polygon[index];
    int32_t windows_count = 0;
    if (p->count > 0)
        windows[windows_count++] = window_under(world, p->least, p->most);
    put_vertices(world, p, vertices, count);
    if (count > 0)
        windows[windows_count++] = window_under(world, p->least, p->most);
    world->polygons = world->polygons > index ? world->polygons : index + 1;
    while (world->polygons > 0 && polygon[world->polygons - 1].count == 0)
        world->polygons--;
    if (windows_count < 2)
        return windows_count;
    plan_window both = both_windows(windows[0], windows[1]);
    if (cells_in(both) > cells_in(windows[0]) + cells_in(windows[1]))
        return 2;
    windows[0] = both;
    return 1;
}
