// Purpose: the ground round a corridor of a navigation mesh as a grid for the planner.
// Idea:    Polygons are convex, so each row of cells has one free span a polygon. A polygon grown
//          by what its builder took off is the union of discs along its sides, whose rows are spans
//          too. Only polygons that are reached over sides from the corridor are drawn, and none
//          that lies over or under the corridor, so other levels leave no trace.
// Cost:    O(cells + steps · neighbours · steps).
#include "kerb/plan_mesh.h"

#include "../../base/shared.h"

#include <string.h>

// Blocked cells round the grid's polygons: outside of a grid all is free. [cells]
#define WINDOW_RIM 2
// Rings of neighbours beside the corridor: a vehicle needs room beside it to turn. [1]
#define WINDOW_RINGS 2

static const kerb_setting plan_mesh_rows[] = {
    {"cell_size", offsetof(kerb_plan_mesh_settings, cell_size), KERB_SETTING_FLOAT, "m", 0.05f,
     10.0f, 0.25f, NULL, "side of a cell"},
    {"eroded", offsetof(kerb_plan_mesh_settings, eroded), KERB_SETTING_FLOAT, "m", 0.0f, 10.0f,
     0.0f, NULL, "distance from obstacles that the mesh keeps"},
    {"level_height", offsetof(kerb_plan_mesh_settings, level_height), KERB_SETTING_FLOAT, "m", 0.1f,
     100.0f, 2.0f, NULL, "least height between two levels"},
};

const kerb_settings_table kerb_plan_mesh_settings_table = {
    "kerb_plan_mesh_settings", sizeof(kerb_plan_mesh_settings), plan_mesh_rows,
    (int32_t)(sizeof plan_mesh_rows / sizeof plan_mesh_rows[0])};

kerb_plan_mesh_settings kerb_plan_mesh_settings_default(void) {
    kerb_plan_mesh_settings settings;
    kerb_settings_set_defaults(&kerb_plan_mesh_settings_table, &settings);
    return settings;
}

// --------------------------------------------------------------------------- levels

typedef struct window_box {
    kerb_vec2 least, most;
} window_box;

static kerb_vec2 window_corner(const kerb_mesh* mesh, const kerb_mesh_polygon* polygon, int32_t i) {
    kerb_vec3 corner = kerb_mesh_vertex(mesh, polygon->corners[i % polygon->corner_count]);
    return kerb_vec2_make(corner.x, corner.y);
}

static window_box window_box_of(const kerb_mesh* mesh, int32_t index) {
    kerb_mesh_polygon polygon = kerb_mesh_polygon_at(mesh, index);
    window_box box = {window_corner(mesh, &polygon, 0), window_corner(mesh, &polygon, 0)};
    for (int32_t i = 1; i < polygon.corner_count; i++) {
        kerb_vec2 c = window_corner(mesh, &polygon, i);
        box.least = kerb_vec2_make(kerb_min(box.least.x, c.x), kerb_min(box.least.y, c.y));
        box.most = kerb_vec2_make(kerb_max(box.most.x, c.x), kerb_max(box.most.y, c.y));
    }
    return box;
}

// Whether a side of the first polygon separates the two. Polygons that touch are separate.
static bool window_separates(const kerb_mesh* mesh, const kerb_mesh_polygon* a,
                             const kerb_mesh_polygon* b) {
    for (int32_t i = 0; i < a->corner_count; i++) {
        kerb_vec2 from = window_corner(mesh, a, i),
                  along = kerb_vec2_sub(window_corner(mesh, a, i + 1), from);
        float hair = 1e-3f * kerb_vec2_length(along);
        bool outside = true;
        for (int32_t k = 0; outside && k < b->corner_count; k++)
            outside =
                kerb_vec2_cross(along, kerb_vec2_sub(window_corner(mesh, b, k), from)) <= hair;
        if (outside)
            return true;
    }
    return false;
}

// Whether two polygons overlap, seen from above, on different levels.
static bool window_is_over(const kerb_mesh* mesh, int32_t one, int32_t other, float height) {
    window_box a = window_box_of(mesh, one), b = window_box_of(mesh, other);
    kerb_vec2 least = {kerb_max(a.least.x, b.least.x), kerb_max(a.least.y, b.least.y)},
              most = {kerb_min(a.most.x, b.most.x), kerb_min(a.most.y, b.most.y)};
    if (one == other || least.x >= most.x || least.y >= most.y)
        return false;
    float x = 0.5f * (least.x + most.x), y = 0.5f * (least.y + most.y);
    if (kerb_abs(kerb_mesh_height(mesh, one, x, y) - kerb_mesh_height(mesh, other, x, y)) < height)
        return false;
    kerb_mesh_polygon p = kerb_mesh_polygon_at(mesh, one), q = kerb_mesh_polygon_at(mesh, other);
    return !window_separates(mesh, &p, &q) && !window_separates(mesh, &q, &p);
}

static bool window_meets(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor, int32_t first,
                         int32_t last, int32_t polygon, float height) {
    for (int32_t i = first; i <= last; i++)
        if (window_is_over(mesh, corridor->steps[i].polygon, polygon, height))
            return true;
    return false;
}

// --------------------------------------------------------------------------- size

static void window_frame(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor,
                         const kerb_plan_mesh_settings* settings, kerb_plan_mesh_part* part,
                         window_box* box) {
    *box = window_box_of(mesh, corridor->steps[part->first].polygon);
    for (int32_t i = part->first + 1; i <= part->last; i++) {
        window_box b = window_box_of(mesh, corridor->steps[i].polygon);
        box->least =
            kerb_vec2_make(kerb_min(box->least.x, b.least.x), kerb_min(box->least.y, b.least.y));
        box->most =
            kerb_vec2_make(kerb_max(box->most.x, b.most.x), kerb_max(box->most.y, b.most.y));
    }
    float rim = settings->eroded + (float)WINDOW_RIM * settings->cell_size;
    box->least = kerb_vec2_sub(box->least, kerb_vec2_make(rim, rim));
    box->most = kerb_vec2_add(box->most, kerb_vec2_make(rim, rim));
}

kerb_result kerb_plan_mesh_window_size(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor,
                                       int32_t first, const kerb_plan_mesh_settings* settings,
                                       kerb_plan_mesh_part* part, kerb_error* error) {
    KERB_ASSERT(mesh && corridor && settings && part);
    memset(part, 0, sizeof *part);
    kerb_result result = kerb_settings_validate(&kerb_plan_mesh_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    if (first < 0 || first >= corridor->count || corridor->count > corridor->capacity)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "first", 0, -1,
                              "the corridor has no such step");
    part->first = part->last = first;
    while (part->last + 1 < corridor->count && corridor->steps[part->last].exit >= 0 &&
           !window_meets(mesh, corridor, first, part->last, corridor->steps[part->last + 1].polygon,
                         settings->level_height))
        part->last++;
    window_box box;
    window_frame(mesh, corridor, settings, part, &box);
    float columns = (box.most.x - box.least.x) / settings->cell_size + 1.0f,
          rows = (box.most.y - box.least.y) / settings->cell_size + 1.0f;
    if (!(kerb_max(columns, rows) <= (float)KERB_PLAN_CELLS_MAX))
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "cell_size", 0, -1,
                              "the corridor needs more cells than a grid may have");
    part->columns = (int32_t)columns;
    part->rows = (int32_t)rows;
    part->origin = box.least;
    return KERB_OK;
}

// --------------------------------------------------------------------------- drawing

typedef struct window_grid {
    const kerb_mesh* mesh;
    const kerb_mesh_corridor* corridor;
    const kerb_plan_mesh_part* part;
    const kerb_plan_mesh_settings* settings;
    uint8_t* cells;
} window_grid;

// The span of a row in a side grown by a radius: the side itself, and the discs at its ends and
// along it.
static void window_widen(kerb_vec2 a, kerb_vec2 b, float radius, float y, float* left,
                         float* right) {
    kerb_vec2 d = kerb_vec2_sub(b, a);
    float length = kerb_vec2_length(d);
    kerb_vec2 n = length > 0.0f ? kerb_vec2_make(radius * d.y / length, -radius * d.x / length)
                                : kerb_vec2_make(0.0f, 0.0f);
    const kerb_vec2 ends[2] = {kerb_vec2_add(a, n), kerb_vec2_add(b, n)};
    float low = kerb_min(ends[0].y, ends[1].y), high = kerb_max(ends[0].y, ends[1].y);
    if (y >= low && y <= high) { // the side, moved outwards
        float share = high > low ? (y - ends[0].y) / (ends[1].y - ends[0].y) : 0.0f;
        float x = ends[0].x + share * (ends[1].x - ends[0].x);
        *left = kerb_min(*left, x);
        *right = kerb_max(*right, x);
    }
    float up = y - a.y, half = radius * radius - up * up;
    if (half >= 0.0f) { // the disc at its first end
        half = kerb_sqrt(half);
        *left = kerb_min(*left, a.x - half);
        *right = kerb_max(*right, a.x + half);
    }
}

static int32_t window_held(float x, int32_t most) {
    return x <= 0.0f ? 0 : x >= (float)most ? most : (int32_t)x;
}

static void window_draw(const window_grid* g, int32_t index) {
    kerb_mesh_polygon polygon = kerb_mesh_polygon_at(g->mesh, index);
    window_box box = window_box_of(g->mesh, index);
    float cell = g->settings->cell_size, radius = g->settings->eroded;
    int32_t low = window_held((box.least.y - radius - g->part->origin.y) / cell, g->part->rows),
            high =
                window_held((box.most.y + radius - g->part->origin.y) / cell + 1.0f, g->part->rows);
    for (int32_t row = low; row < high; row++) {
        float y = g->part->origin.y + ((float)row + 0.5f) * cell, left = 1e9f, right = -1e9f;
        for (int32_t i = 0; i < polygon.corner_count; i++)
            window_widen(window_corner(g->mesh, &polygon, i),
                         window_corner(g->mesh, &polygon, i + 1), radius, y, &left, &right);
        // Cells whose middles lie within the span. The rim stays blocked.
        int32_t from = window_held((left - g->part->origin.x) / cell + 0.5f, g->part->columns),
                to = window_held((right - g->part->origin.x) / cell + 0.5f, g->part->columns);
        if (row < 1 || row + 1 >= g->part->rows || right < left)
            continue;
        from = from < 1 ? 1 : from;
        to = to > g->part->columns - 1 ? g->part->columns - 1 : to;
        if (from < to)
            memset(g->cells + (size_t)row * (size_t)g->part->columns + (size_t)from, 0,
                   (size_t)to - (size_t)from);
    }
}

// Draws a polygon's neighbours on the level of the corridor, and theirs.
static void window_draw_round(const window_grid* g, int32_t index, int32_t rings) {
    kerb_mesh_polygon polygon = kerb_mesh_polygon_at(g->mesh, index);
    for (int32_t i = 0; i < polygon.corner_count; i++) {
        int32_t next = polygon.neighbours[i];
        if (next < 0 || window_meets(g->mesh, g->corridor, g->part->first, g->part->last, next,
                                     g->settings->level_height))
            continue;
        window_draw(g, next);
        if (rings > 1)
            window_draw_round(g, next, rings - 1);
    }
}

void kerb_plan_mesh_window(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor,
                           const kerb_plan_mesh_part* part, const kerb_plan_mesh_settings* settings,
                           uint8_t* cells, kerb_plan_world* world) {
    KERB_ASSERT(mesh && corridor && part && settings && cells && world);
    KERB_ASSERT(part->first >= 0 && part->last < corridor->count && part->columns > 0);
    const window_grid g = {mesh, corridor, part, settings, cells};
    memset(cells, 255, (size_t)part->columns * (size_t)part->rows);
    for (int32_t i = part->first; i <= part->last; i++) {
        window_draw(&g, corridor->steps[i].polygon);
        window_draw_round(&g, corridor->steps[i].polygon, WINDOW_RINGS);
    }
    memset(world, 0, sizeof *world);
    world->cells = cells;
    world->columns = part->columns;
    world->rows = part->rows;
    world->cell_size = settings->cell_size;
    world->origin = part->origin;
    world->box_min = part->origin;
    world->box_max =
        kerb_vec2_add(part->origin, kerb_vec2_make((float)part->columns * settings->cell_size,
                                                   (float)part->rows * settings->cell_size));
}

void kerb_plan_mesh_waypoints(const kerb_mesh_line* line, float margin, kerb_waypoint* waypoints) {
    KERB_ASSERT(line && waypoints && margin >= 0.0f && line->count <= line->capacity);
    for (int32_t i = 0; i < line->count; i++) {
        const kerb_mesh_line_point* p = &line->points[i];
        waypoints[i] = kerb_waypoint_at(p->position.x, p->position.y, p->position.z);
        waypoints[i].left = kerb_max(p->left - margin, 0.0f);
        waypoints[i].right = kerb_max(p->right - margin, 0.0f);
    }
}
