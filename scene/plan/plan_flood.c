// Purpose: proofs that no movement exists on a map.
// Idea:    Any vehicle has a circle about its rear axle that its footprint contains. That circle
//          moves along an unbroken line and meets nothing. Each point of the line is at most half a
//          diagonal of the lattice from a lattice place at which a circle smaller by that distance
//          is clear, and places of neighbouring points are neighbours. So a flood over those
//          places, in eight directions, reaches all that any vehicle of this size can reach.
// Cost:    every blocked cell marks the places round it.
#include "scene/plan/plan_flood.h"

#include <stdlib.h>
#include <string.h>

#define PLACES_MOST 40000000
#define FINENESS 4.0f // places along the circle's radius
#define HALF_DIAGONAL 0.70711f

static float circle_of(const kerb_plan_limits* l) {
    return kerb_min(kerb_min(l->front, l->rear), 0.5f * l->width) + l->margin;
}

static bool plan_flood_lay_out(const kerb_plan_world* w, float radius, kerb_scene_plan_flood* f) {
    float width = w->box_max.x - w->box_min.x, height = w->box_max.y - w->box_min.y;
    bool is_plain = w->polygon_count == 0 && !w->is_free && width > 0.0f && height > 0.0f;
    if (!is_plain || !(radius > 0.0f))
        return false;
    f->step = kerb_max(radius / FINENESS, kerb_sqrt(width * height / (float)PLACES_MOST));
    f->origin = w->box_min;
    f->columns = (int32_t)(width / f->step) + 2;
    f->rows = (int32_t)(height / f->step) + 2;
    return HALF_DIAGONAL * f->step < radius;
}

// The first or last place whose coordinate is within a distance.
static int32_t place_from(float coordinate, float step) {
    return (int32_t)kerb_max(floorf(coordinate / step), 0.0f);
}

// Marks the places nearer to a cell than the radius: -1.
static void mark_cell(kerb_scene_plan_flood* f, const kerb_plan_world* w, int32_t x, int32_t y,
                      float radius) {
    float size = w->cell_size;
    float west = w->origin.x + (float)x * size - f->origin.x;
    float south = w->origin.y + (float)y * size - f->origin.y;
    for (int32_t row = place_from(south - radius, f->step);
         row < f->rows && (float)row * f->step < south + size + radius; row++)
        for (int32_t column = place_from(west - radius, f->step);
             column < f->columns && (float)column * f->step < west + size + radius; column++) {
            float px = (float)column * f->step, py = (float)row * f->step;
            float dx = kerb_max(kerb_max(west - px, px - west - size), 0.0f);
            float dy = kerb_max(kerb_max(south - py, py - south - size), 0.0f);
            if (dx * dx + dy * dy < radius * radius)
                f->region[(size_t)row * (size_t)f->columns + (size_t)column] = -1;
        }
}

static void mark_all(kerb_scene_plan_flood* f, const kerb_plan_world* w, float radius) {
    for (int32_t y = 0; w->cells && y < w->rows; y++)
        for (int32_t x = 0; x < w->columns; x++)
            if (w->cells[(size_t)y * (size_t)w->columns + (size_t)x] == 255)
                mark_cell(f, w, x, y, radius);
    float width = w->box_max.x - w->box_min.x, height = w->box_max.y - w->box_min.y;
    for (int32_t row = 0; row < f->rows; row++)
        for (int32_t column = 0; column < f->columns; column++) {
            float x = (float)column * f->step, y = (float)row * f->step;
            bool is_inside =
                x >= radius && y >= radius && x <= width - radius && y <= height - radius;
            if (!is_inside)
                f->region[(size_t)row * (size_t)f->columns + (size_t)column] = -1;
        }
}

// All that a place is connected with gets its number.
static void flood_from(kerb_scene_plan_flood* f, int32_t first, int32_t number, int32_t* stack) {
    int32_t count = 0;
    f->region[first] = number;
    stack[count++] = first;
    while (count > 0) {
        int32_t at = stack[--count], x = at % f->columns, y = at / f->columns;
        for (int32_t k = 0; k < 9; k++) {
            int32_t nx = x + k % 3 - 1, ny = y + k / 3 - 1;
            if (nx < 0 || ny < 0 || nx >= f->columns || ny >= f->rows)
                continue;
            int32_t next = ny * f->columns + nx;
            if (f->region[next] != 0)
                continue;
            f->region[next] = number;
            stack[count++] = next;
        }
    }
}

static void number_regions(kerb_scene_plan_flood* f, int32_t* stack) {
    int32_t places = f->columns * f->rows;
    for (int32_t i = 0; i < places; i++)
        if (f->region[i] == 0)
            flood_from(f, i, ++f->regions, stack);
    for (int32_t i = 0; i < places; i++)
        f->region[i] = f->region[i] < 0 ? 0 : f->region[i];
}

bool kerb_scene_plan_flood_make(const kerb_plan_world* world, const kerb_plan_limits* limits,
                                kerb_scene_plan_flood* flood) {
    memset(flood, 0, sizeof *flood);
    float radius = circle_of(limits);
    if (!plan_flood_lay_out(world, radius, flood))
        return false;
    size_t places = (size_t)flood->columns * (size_t)flood->rows;
    flood->region = calloc(places, sizeof *flood->region);
    int32_t* stack = malloc(places * sizeof *stack);
    if (flood->region && stack) {
        mark_all(flood, world, radius - HALF_DIAGONAL * flood->step);
        number_regions(flood, stack);
    } else {
        kerb_scene_plan_flood_free(flood);
    }
    free(stack);
    return flood->region != NULL;
}

void kerb_scene_plan_flood_free(kerb_scene_plan_flood* flood) {
    free(flood->region);
    memset(flood, 0, sizeof *flood);
}

// The regions of the four places about a point. False: it lies outside.
static bool regions_at(const kerb_scene_plan_flood* f, kerb_vec2 place, int32_t regions[4]) {
    float x = (place.x - f->origin.x) / f->step, y = (place.y - f->origin.y) / f->step;
    bool is_inside =
        x >= 0.0f && y >= 0.0f && x < (float)(f->columns - 1) && y < (float)(f->rows - 1);
    if (!is_inside)
        return false;
    for (int32_t k = 0; k < 4; k++) {
        int32_t column = (int32_t)x + k % 2, row = (int32_t)y + k / 2;
        regions[k] = f->region[(size_t)row * (size_t)f->columns + (size_t)column];
    }
    return true;
}

kerb_scene_plan_flooded kerb_scene_plan_flood_between(const kerb_scene_plan_flood* flood,
                                                      kerb_vec2 from, kerb_vec2 to) {
    int32_t a[4], b[4];
    if (!flood->region || !regions_at(flood, from, a) || !regions_at(flood, to, b))
        return KERB_SCENE_PLAN_UNKNOWN;
    for (int32_t i = 0; i < 16; i++)
        if (a[i / 4] != 0 && a[i / 4] == b[i % 4])
            return KERB_SCENE_PLAN_MAY_CONNECT;
    return KERB_SCENE_PLAN_CUT_OFF;
}
