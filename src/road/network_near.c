// Purpose: what segments are near a place, and where on them it is.
// Idea:    A grid of cells over the network lists the segments that pass through each. Middle lines
//          are walked in steps of half a cell, so every point of one is within a quarter of a cell
//          of a step, and cells within the distance and half a cell have all that is near.
// Cost:    building O(length of all segments by the size of a cell), asking O(segments near).
#include "network_parts.h"

// Side of a cell where the network is not too large: a road's width and more. [m]
static const float cell_size_min = 24.0f;
// Cells are larger where there were more than so many for each point.
enum { CELLS_FOR_A_POINT = 2, CELLS_MIN = 64 };
// What is farther above or below is not near: vehicles pass under a bridge. [m]
static const float near_height = 3.5f;

static int32_t cell_column(const net_grid* g, float x) {
    return (int32_t)kerb_clamp((x - g->x) / g->size, 0, (float)(g->columns - 1));
}

static int32_t cell_row(const net_grid* g, float y) {
    return (int32_t)kerb_clamp((y - g->y) / g->size, 0, (float)(g->rows - 1));
}

// Visits the cells of a segment in its order; `items` NULL: counts only. Returns how many.
static int32_t walk_cells(const net_view* v, const net_grid* g, int32_t segment, int32_t* cursor,
                          int32_t* items) {
    const net_segment* s = &v->segments[segment];
    const kerb_vec3* p = v->points + s->first_point;
    int32_t count = 0, last = -1;
    for (int32_t i = 0; i + 1 < s->point_count; i++) {
        kerb_vec3 d = kerb_vec3_sub(p[i + 1], p[i]);
        int32_t steps = (int32_t)(2 * kerb_sqrt(d.x * d.x + d.y * d.y) / g->size) + 1;
        for (int32_t k = 0; k <= steps; k++) {
            kerb_vec3 q = kerb_vec3_along(p[i], d, (float)k / (float)steps);
            int32_t cell = cell_row(g, q.y) * g->columns + cell_column(g, q.x);
            if (cell == last)
                continue;
            last = cell;
            count++;
            if (cursor && items)
                items[cursor[cell]] = segment;
            if (cursor)
                cursor[cell]++;
        }
    }
    return count;
}

void kerb_in_network_choose_cells(const net_view* v, net_block* head) {
    kerb_vec3 low = v->points[0], high = low;
    int32_t segments = head->lane_count + head->turn_count;
    for (int32_t i = 0; i < head->point_count; i++) {
        kerb_vec3 p = v->points[i];
        low = kerb_vec3_make(kerb_min(low.x, p.x), kerb_min(low.y, p.y), 0);
        high = kerb_vec3_make(kerb_max(high.x, p.x), kerb_max(high.y, p.y), 0);
    }
    float most = (float)CELLS_FOR_A_POINT * (float)head->point_count + (float)CELLS_MIN;
    float wide = kerb_max(high.x - low.x, 1), tall = kerb_max(high.y - low.y, 1);
    float size = kerb_max(cell_size_min, kerb_sqrt(wide * tall / most));
    size = kerb_max(size, kerb_max(wide, tall) / most); // a single street has one row of cells
    head->grid =
        (net_grid){low.x, low.y, size, (int32_t)(wide / size) + 1, (int32_t)(tall / size) + 1};
    head->cell_count = head->grid.columns * head->grid.rows;
    head->item_count = 0;
    for (int32_t i = 0; i < segments; i++)
        head->item_count += walk_cells(v, &head->grid, i, NULL, NULL);
}

void kerb_in_network_fill_cells(const net_view* v) {
    int32_t cells = v->head->cell_count, segments = v->head->lane_count + v->head->turn_count;
    const net_grid* g = &v->head->grid;
    for (int32_t i = 0; i < segments; i++)
        walk_cells(v, g, i, v->cell_first + 1, NULL); // counts of each cell, one place on
    for (int32_t i = 0; i < cells; i++)
        v->cell_first[i + 1] += v->cell_first[i];
    for (int32_t i = 0; i < segments; i++)
        walk_cells(v, g, i, v->cell_first, v->cell_items);
    for (int32_t i = cells; i > 0; i--) // each is now where the next one begins
        v->cell_first[i] = v->cell_first[i - 1];
    v->cell_first[0] = 0;
}

float kerb_in_network_nearest(const net_view* v, int32_t segment, kerb_vec3 place, float* station,
                              float* left) {
    const net_segment* s = &v->segments[segment];
    const kerb_vec3* p = v->points + s->first_point;
    const float* stations = v->stations + s->first_point;
    float least = -1;
    for (int32_t i = 0; i + 1 < s->point_count; i++) {
        float dx = p[i + 1].x - p[i].x, dy = p[i + 1].y - p[i].y;
        float x = place.x - p[i].x, y = place.y - p[i].y, flat = dx * dx + dy * dy;
        float share = flat > 0 ? kerb_clamp((x * dx + y * dy) / flat, 0, 1) : 0.0f;
        float ox = x - share * dx, oy = y - share * dy, away = ox * ox + oy * oy;
        if (least >= 0 && away >= least)
            continue;
        least = away;
        *station = stations[i] + share * (stations[i + 1] - stations[i]);
        *left = flat > 0 ? (dx * y - dy * x) / kerb_sqrt(flat) : 0.0f;
    }
    return kerb_sqrt(least);
}

// Puts a segment into a sorted list unless it is there. Keeps the least ones where there is no
// room.
static void insert_near(int32_t* segments, int32_t* count, int32_t capacity, int32_t segment) {
    int32_t at = *count;
    while (at > 0 && segments[at - 1] > segment)
        at--;
    if (at > 0 && segments[at - 1] == segment)
        return;
    if (at >= capacity)
        return;
    int32_t last = *count < capacity ? (*count)++ : capacity - 1;
    for (int32_t i = last; i > at; i--)
        segments[i] = segments[i - 1];
    segments[at] = segment;
}

int32_t kerb_in_network_near(const net_view* v, kerb_vec3 place, float reach, int32_t* segments,
                             int32_t capacity) {
    const net_grid* g = &v->head->grid;
    float r = reach + 0.5f * g->size;
    int32_t left = cell_column(g, place.x - r), right = cell_column(g, place.x + r), count = 0;
    int32_t low = cell_row(g, place.y - r), high = cell_row(g, place.y + r);
    for (int32_t y = low; y <= high; y++)
        for (int32_t x = left; x <= right; x++)
            for (int32_t i = v->cell_first[y * g->columns + x];
                 i < v->cell_first[y * g->columns + x + 1]; i++) {
                float station, aside;
                int32_t segment = v->cell_items[i];
                if (kerb_in_network_nearest(v, segment, place, &station, &aside) > reach)
                    continue;
                kerb_vec3 at = kerb_in_network_at(v, segment, station, 0).position;
                if (kerb_abs(at.z - place.z) <= near_height)
                    insert_near(segments, &count, capacity, segment);
            }
    return count;
}

int32_t kerb_network_near(const kerb_network* network, kerb_vec3 place, float reach,
                          int32_t* segments, int32_t capacity) {
    net_view v = kerb_in_network_view(network->memory);
    return kerb_in_network_near(&v, place, reach, segments, capacity);
}

kerb_network_nearest kerb_network_nearest_on(const kerb_network* network, int32_t segment,
                                             kerb_vec3 place) {
    net_view v = kerb_in_network_view(network->memory);
    kerb_network_nearest nearest = {0};
    nearest.distance = kerb_in_network_nearest(&v, segment, place, &nearest.station, &nearest.left);
    return nearest;
}
