// Purpose: footprints of several rectangles against a world.
// Idea:    Blocked cells under the bounds of a rectangle overlap it
//          unless an axis of the rectangle separates them. An edge of a polygon is cut to the strip
//          along the rectangle and then to its length. Where no edge meets it, its middle decides.
// Cost:    O(cells under the bounds + vertices).
#include "obstacles.h"

#include <string.h>

// A rectangle in its own axes.
typedef struct kind_area {
    kerb_vec2 middle, along; // along: unit length
    float half_length, half_width;
    kerb_vec2 least, most; // bounds
} kind_area;

static kind_area kind_area_of(const kerb_kind_box* box, float margin) {
    kind_area area = {.along = box->pose.forward,
                      .half_length = 0.5f * (box->front + box->rear) + margin,
                      .half_width = 0.5f * box->width + margin};
    float ahead = 0.5f * (box->front - box->rear);
    area.middle = kerb_vec2_add(box->pose.position, kerb_vec2_scale(box->pose.forward, ahead));
    float x = kerb_abs(area.along.x), y = kerb_abs(area.along.y);
    kerb_vec2 half = {x * area.half_length + y * area.half_width,
                      y * area.half_length + x * area.half_width};
    area.least = kerb_vec2_sub(area.middle, half);
    area.most = kerb_vec2_add(area.middle, half);
    return area;
}

// A point in the axes of the rectangle.
static kerb_vec2 kind_seen(const kind_area* area, kerb_vec2 point) {
    kerb_vec2 from = kerb_vec2_sub(point, area->middle);
    kerb_vec2 seen = {from.x * area->along.x + from.y * area->along.y,
                      from.y * area->along.x - from.x * area->along.y};
    return seen;
}

// --------------------------------------------------------------------------- cells

static int32_t kind_cell(float place, float origin, float size, int32_t count) {
    float cell = floorf((place - origin) / size);
    return (int32_t)kerb_clamp(cell, 0.0f, (float)(count - 1));
}

static bool meets_blocked_cell(const kerb_plan_world* w, const kind_area* area, kerb_vec2* at) {
    float size = w->cell_size;
    kerb_vec2 end = {w->origin.x + size * (float)w->columns, w->origin.y + size * (float)w->rows};
    if (area->most.x < w->origin.x || area->most.y < w->origin.y || area->least.x > end.x ||
        area->least.y > end.y)
        return false;
    int32_t west = kind_cell(area->least.x, w->origin.x, size, w->columns);
    int32_t east = kind_cell(area->most.x, w->origin.x, size, w->columns);
    int32_t south = kind_cell(area->least.y, w->origin.y, size, w->rows);
    int32_t north = kind_cell(area->most.y, w->origin.y, size, w->rows);
    float reach = 0.5f * size * (kerb_abs(area->along.x) + kerb_abs(area->along.y));
    for (int32_t row = south; row <= north; row++) {
        const uint8_t* cells = w->cells + (size_t)row * (size_t)w->columns;
        for (int32_t column = west; column <= east; column++) {
            if (cells[column] != 255)
                continue;
            kerb_vec2 middle = {w->origin.x + size * ((float)column + 0.5f),
                                w->origin.y + size * ((float)row + 0.5f)};
            kerb_vec2 seen = kind_seen(area, middle);
            if (kerb_abs(seen.x) < area->half_length + reach &&
                kerb_abs(seen.y) < area->half_width + reach) {
                *at = seen;
                return true;
            }
        }
    }
    return false;
}

// --------------------------------------------------------------------------- polygons

// Cuts the part [from, to] of a line a + t·(b - a) to |a + t·(b - a)| <= half.
static void kind_cut(float a, float b, float half, float* from, float* to) {
    float change = b - a;
    if (kerb_abs(change) < 1e-9f) {
        if (kerb_abs(a) > half)
            *to = -1.0f;
        return;
    }
    float one = (-half - a) / change, other = (half - a) / change;
    *from = kerb_max(*from, kerb_min(one, other));
    *to = kerb_min(*to, kerb_max(one, other));
}

static bool meets_line(const kind_area* area, kerb_vec2 a, kerb_vec2 b, kerb_vec2* at) {
    float from = 0.0f, to = 1.0f;
    kind_cut(a.x, b.x, area->half_length, &from, &to);
    kind_cut(a.y, b.y, area->half_width, &from, &to);
    *at = kerb_vec2_add(a, kerb_vec2_scale(kerb_vec2_sub(b, a), 0.5f * (from + to)));
    return from <= to;
}

static bool meets_outline(const kind_area* area, const kerb_vec2* vertices, int32_t count,
                          kerb_vec2* at) {
    bool inside = false;
    kerb_vec2 a = kind_seen(area, vertices[count - 1]);
    for (int32_t i = 0; i < count; i++) {
        kerb_vec2 b = kind_seen(area, vertices[i]);
        if (meets_line(area, a, b, at))
            return true;
        // Whether the edge crosses the ray from the middle ahead.
        if ((a.y > 0.0f) != (b.y > 0.0f) && a.x - a.y * (b.x - a.x) / (b.y - a.y) > 0.0f)
            inside = !inside;
        a = b;
    }
    *at = kerb_vec2_make(0.0f, 0.0f);
    return inside;
}

// --------------------------------------------------------------------------- the world

static bool kind_leaves_box(const kerb_plan_world* w, const kind_area* area) {
    bool boxed = w->box_min.x != w->box_max.x || w->box_min.y != w->box_max.y;
    return boxed && (area->least.x < w->box_min.x || area->least.y < w->box_min.y ||
                     area->most.x > w->box_max.x || area->most.y > w->box_max.y);
}

// `at`: where it meets an obstacle, in its own axes.
static bool kind_area_is_free(const kerb_plan_world* w, const kind_area* area, kerb_vec2* at) {
    *at = kerb_vec2_make(0.0f, 0.0f);
    if (kind_leaves_box(w, area) || (w->cells && meets_blocked_cell(w, area, at)))
        return false;
    const kerb_vec2* vertices = w->vertices;
    for (int32_t i = 0; i < w->polygon_count; i++) {
        if (meets_outline(area, vertices, w->vertex_counts[i], at))
            return false;
        vertices += w->vertex_counts[i];
    }
    return true;
}

bool kerb_in_kind_is_free(const kerb_kind* kind, const kerb_plan_world* world, const float* state,
                          float margin, kind_contact* contact) {
    kerb_kind_box boxes[KERB_KIND_BOXES_MAX];
    int32_t count = kind->boxes(kind->vehicle, state, boxes);
    for (int32_t i = 0; i < count; i++) {
        kind_area area = kind_area_of(&boxes[i], margin);
        contact->box = i;
        bool is_free = kind_area_is_free(world, &area, &contact->at);
        contact->at.x += 0.5f * (boxes[i].front - boxes[i].rear);
        if (!is_free)
            return false;
        if (world->is_free && !world->is_free(world->context, boxes[i].pose))
            return false;
    }
    return true;
}

// --------------------------------------------------------------------------- the copy

static size_t kind_cells_of(const kerb_plan_world* world) {
    return world->cells ? (size_t)world->columns * (size_t)world->rows : 0;
}

static size_t kind_vertices_of(const kerb_plan_world* world) {
    size_t count = 0;
    for (int32_t i = 0; i < world->polygon_count; i++)
        count += (size_t)world->vertex_counts[i];
    return count;
}

size_t kerb_in_kind_world_bytes(const kerb_plan_world* world) {
    return sizeof *world + kind_vertices_of(world) * sizeof(kerb_vec2) +
           (size_t)world->polygon_count * sizeof(int32_t) + kind_cells_of(world);
}

void kerb_in_kind_world_copy(const kerb_plan_world* world, void* memory) {
    kerb_plan_world* copy = memory;
    size_t cells = kind_cells_of(world), vertices = kind_vertices_of(world);
    kerb_vec2* vertex = (kerb_vec2*)(copy + 1);
    int32_t* counts = (int32_t*)(vertex + vertices);
    uint8_t* cell = (uint8_t*)(counts + world->polygon_count);
    *copy = *world;
    copy->cost_map = NULL;
    copy->vertices = vertex;
    copy->vertex_counts = counts;
    copy->cells = cells > 0 ? cell : NULL;
    if (vertices > 0)
        memcpy(vertex, world->vertices, vertices * sizeof(kerb_vec2));
    if (world->polygon_count > 0)
        memcpy(counts, world->vertex_counts, (size_t)world->polygon_count * sizeof(int32_t));
    if (cells > 0)
        memcpy(cell, world->cells, cells);
}
