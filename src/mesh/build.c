// Purpose: copies a mesh, finds neighbours and the open parts of sides, lays a grid over polygons.
// Idea:    Without given neighbours, the sides that begin at each vertex form a list: the side from
//          b to a of another polygon is the other side of a to b. Sides of given neighbours may
//          overlap in part, on the seams of tiles: the opening is the overlap seen from above. The
//          grid's cells hold the polygons whose boxes touch them; its cells grow until all fits
//          into the memory, so hostile data costs no more than good data.
// Cost:    O(corners · polygons at a vertex).
#include "../base/shared.h"
#include "parts.h"

#include <string.h>

#define MESH_NO_VERTEX (-1)
// A side that overlaps its neighbour's side by less than this share is not open. [1]
#define MESH_OVERLAP_MIN 1e-3f
// Sides of neighbours lie at most this far apart, seen from above: builders round tiles to cells.
// [m]
#define MESH_SEAM_MAX 0.25f
// Least side of a cell, where all polygons lie at one place. [m]
#define MESH_CELL_MIN 0.01f
// The cells grow by this until the grid fits: few rounds, and at most 1.5² times too few cells. [1]
#define MESH_CELL_GROWTH 1.5f
// Columns and rows before the grid fits: keeps their counts integers. [1]
#define MESH_COLUMNS_MAX 1e6f

static int32_t mesh_corners_of(const kerb_mesh_data* data) {
    int32_t count = 0;
    for (int32_t i = 0; i < data->polygon_count; i++)
        count += data->corner_counts[i];
    return count;
}

size_t kerb_mesh_bytes(const kerb_mesh_data* data) {
    if (kerb_mesh_data_validate(data, NULL) != KERB_OK)
        return 0;
    mesh_parts parts;
    return kerb_in_mesh_lay(&parts, NULL, data->vertex_count, data->polygon_count,
                            mesh_corners_of(data), data->link_count);
}

static void mesh_copy_polygon_boxes(mesh_parts* p) {
    for (int32_t i = 0; i < p->head->polygons; i++) {
        kerb_vec3 least = p->vertices[p->corners[p->first[i]]], most = least;
        for (int32_t c = p->first[i]; c < p->first[i + 1]; c++) {
            kerb_vec3 v = p->vertices[p->corners[c]];
            least = kerb_vec3_make(kerb_min(least.x, v.x), kerb_min(least.y, v.y),
                                   kerb_min(least.z, v.z));
            most =
                kerb_vec3_make(kerb_max(most.x, v.x), kerb_max(most.y, v.y), kerb_max(most.z, v.z));
        }
        p->least[i] = least;
        p->most[i] = most;
    }
}

static void mesh_copy_links(mesh_parts* p, const kerb_mesh_data* data) {
    for (int32_t i = 0; i < data->polygon_count; i++)
        p->first_link[i] = -1;
    for (int32_t i = data->link_count - 1; i >= 0; i--) { // backwards, so that lists are in order
        p->links[i] = data->links[i];
        const int32_t polygons[2] = {data->links[i].from_polygon, data->links[i].to_polygon};
        for (int32_t end = 1; end >= 0; end--) {
            p->next_end[2 * i + end] = p->first_link[polygons[end]];
            p->first_link[polygons[end]] = 2 * i + end;
        }
    }
}

static void mesh_copy(mesh_parts* p, const kerb_mesh_data* data, int32_t corners) {
    memset(p->head, 0, sizeof *p->head);
    p->head->vertices = data->vertex_count;
    p->head->polygons = data->polygon_count;
    p->head->corners = corners;
    p->head->links = data->link_count;
    memcpy(p->vertices, data->vertices, (size_t)data->vertex_count * sizeof *p->vertices);
    memcpy(p->corners, data->corners, (size_t)corners * sizeof *p->corners);
    p->first[0] = 0;
    for (int32_t i = 0; i < data->polygon_count; i++) {
        p->first[i + 1] = p->first[i] + data->corner_counts[i];
        p->areas[i] = data->areas ? data->areas[i] : 0;
    }
    for (int32_t i = 0; i < corners; i++)
        p->openings[i] = (mesh_opening){0.0f, 1.0f};
    mesh_copy_polygon_boxes(p);
    mesh_copy_links(p, data);
}

// --------------------------------------------------------------------------- found neighbours

// Lists of the sides that begin at each vertex, in the memory of the grid.
typedef struct mesh_side_lists {
    int32_t* first; // of each vertex
    int32_t* next;  // of each corner
} mesh_side_lists;

static mesh_side_lists mesh_list_sides(mesh_parts* p) {
    mesh_side_lists lists = {p->cell_begins, p->cell_begins + p->head->vertices};
    for (int32_t i = 0; i < p->head->vertices; i++)
        lists.first[i] = MESH_NO_VERTEX;
    for (int32_t i = p->head->corners - 1; i >= 0; i--) {
        lists.next[i] = lists.first[p->corners[i]];
        lists.first[p->corners[i]] = i;
    }
    return lists;
}

// The polygon of a corner: the last one that does not begin behind it.
static int32_t mesh_owner_of(const mesh_parts* p, int32_t corner) {
    int32_t low = 0, high = p->head->polygons - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (p->first[middle] <= corner)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// The corner where the side from vertex `from` to vertex `to` begins, other than `but`; -1: none.
static int32_t mesh_side_between(const mesh_parts* p, const mesh_side_lists* lists, int32_t from,
                                 int32_t to, int32_t but) {
    for (int32_t c = lists->first[from]; c >= 0; c = lists->next[c])
        if (c != but && p->corners[mesh_next_corner(p, mesh_owner_of(p, c), c)] == to)
            return c;
    return -1;
}

static kerb_result mesh_find_neighbours(mesh_parts* p, kerb_error* error) {
    mesh_side_lists lists = mesh_list_sides(p);
    for (int32_t i = 0; i < p->head->polygons; i++)
        for (int32_t c = p->first[i]; c < p->first[i + 1]; c++) {
            int32_t from = p->corners[c], to = p->corners[mesh_next_corner(p, i, c)];
            if (mesh_side_between(p, &lists, from, to, c) >= 0)
                return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "corners", 0, i,
                                      "another polygon lies on the same side of a side of this "
                                      "polygon; levels must not share vertices");
            int32_t other = mesh_side_between(p, &lists, to, from, c);
            p->neighbours[c] = other >= 0 ? mesh_owner_of(p, other) : -1;
        }
    return KERB_OK;
}

// --------------------------------------------------------------------------- given neighbours

// The share of a side to which a place is nearest, and its distance from the side's line.
static float mesh_share_of(const mesh_side* side, kerb_vec3 place, float* aside) {
    kerb_vec2 along = kerb_vec2_sub(mesh_flat(side->to), mesh_flat(side->from));
    kerb_vec2 to = kerb_vec2_sub(mesh_flat(place), mesh_flat(side->from));
    float square = kerb_vec2_dot(along, along);
    *aside = kerb_abs(kerb_vec2_cross(along, to)) / kerb_sqrt(square);
    return kerb_vec2_dot(along, to) / square;
}

// The overlap of a side with the other polygon's side, which runs the other way. No overlap:
// from >= to.
static mesh_opening mesh_overlap(const mesh_side* side, const mesh_side* other) {
    float aside_from, aside_to;
    float to = mesh_share_of(side, other->from, &aside_from);
    float from = mesh_share_of(side, other->to, &aside_to);
    if (kerb_max(aside_from, aside_to) > MESH_SEAM_MAX)
        return (mesh_opening){0.0f, 0.0f};
    return (mesh_opening){kerb_clamp(from, 0.0f, 1.0f), kerb_clamp(to, 0.0f, 1.0f)};
}

// Opens a side as far as a side of the neighbour that names this polygon lies on it.
static bool mesh_open_side(mesh_parts* p, int32_t polygon, int32_t corner) {
    int32_t other = p->neighbours[corner], next = mesh_next_corner(p, polygon, corner);
    mesh_side side = mesh_side_at(p, polygon, corner);
    mesh_opening best = {0.0f, MESH_OVERLAP_MIN};
    bool found = false;
    for (int32_t c = p->first[other]; c < p->first[other + 1]; c++) {
        if (p->neighbours[c] != polygon)
            continue;
        mesh_side back = mesh_side_at(p, other, c);
        mesh_opening open = mesh_overlap(&side, &back);
        if (p->corners[c] == p->corners[next] &&
            p->corners[mesh_next_corner(p, other, c)] == p->corners[corner])
            open = (mesh_opening){0.0f, 1.0f};
        if (!(open.to - open.from > best.to - best.from))
            continue;
        best = open;
        found = true;
    }
    p->openings[corner] = best;
    return found;
}

static kerb_result mesh_take_neighbours(mesh_parts* p, const int32_t* neighbours,
                                        kerb_error* error) {
    for (int32_t i = 0; i < p->head->polygons; i++)
        for (int32_t c = p->first[i]; c < p->first[i + 1]; c++) {
            if (neighbours[c] < -1 || neighbours[c] >= p->head->polygons || neighbours[c] == i)
                return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "neighbours", 0, c,
                                      "must be -1 or the index of another polygon");
            p->neighbours[c] = neighbours[c];
        }
    for (int32_t i = 0; i < p->head->polygons; i++)
        for (int32_t c = p->first[i]; c < p->first[i + 1]; c++)
            if (p->neighbours[c] >= 0 && !mesh_open_side(p, i, c))
                return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "neighbours", 0, c,
                                      "the other polygon has no side there that names this one");
    return KERB_OK;
}

// --------------------------------------------------------------------------- grid

typedef struct mesh_cell_span {
    int32_t left, right, low, high;
} mesh_cell_span;

static mesh_cell_span mesh_span_of(const mesh_head* h, kerb_vec3 least, kerb_vec3 most) {
    return (mesh_cell_span){mesh_cell_of((least.x - h->origin.x) / h->cell, h->columns),
                            mesh_cell_of((most.x - h->origin.x) / h->cell, h->columns),
                            mesh_cell_of((least.y - h->origin.y) / h->cell, h->rows),
                            mesh_cell_of((most.y - h->origin.y) / h->cell, h->rows)};
}

// Whether the polygons fit into the cells of the grid.
static bool mesh_grid_fits(const mesh_parts* p) {
    int64_t cells = (int64_t)p->head->columns * p->head->rows, entries = 0;
    if (cells > kerb_in_mesh_cells_max(p->head->polygons))
        return false;
    for (int32_t i = 0; i < p->head->polygons; i++) {
        mesh_cell_span s = mesh_span_of(p->head, p->least[i], p->most[i]);
        entries += (int64_t)(s.right - s.left + 1) * (s.high - s.low + 1);
    }
    return entries <= kerb_in_mesh_entries_max(p->head->polygons);
}

static void mesh_choose_grid(mesh_parts* p) {
    kerb_vec3 least = p->least[0], most = p->most[0];
    for (int32_t i = 1; i < p->head->polygons; i++) {
        least.x = kerb_min(least.x, p->least[i].x);
        least.y = kerb_min(least.y, p->least[i].y);
        most.x = kerb_max(most.x, p->most[i].x);
        most.y = kerb_max(most.y, p->most[i].y);
    }
    float width = most.x - least.x, depth = most.y - least.y;
    p->head->origin = mesh_flat(least);
    p->head->cell = kerb_max(kerb_sqrt(width * depth / (float)p->head->polygons), MESH_CELL_MIN);
    for (;;) {
        float columns = width / p->head->cell + 1.0f, rows = depth / p->head->cell + 1.0f;
        p->head->columns = (int32_t)kerb_min(columns, MESH_COLUMNS_MAX);
        p->head->rows = (int32_t)kerb_min(rows, MESH_COLUMNS_MAX);
        if (mesh_grid_fits(p))
            return;
        p->head->cell *= MESH_CELL_GROWTH;
    }
}

static void mesh_fill_grid(mesh_parts* p) {
    int32_t cells = p->head->columns * p->head->rows;
    memset(p->cell_begins, 0, ((size_t)cells + 1) * sizeof(int32_t));
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < p->head->polygons; i++) {
            mesh_cell_span s = mesh_span_of(p->head, p->least[i], p->most[i]);
            for (int32_t y = s.low; y <= s.high; y++)
                for (int32_t x = s.left; x <= s.right; x++) {
                    int32_t cell = y * p->head->columns + x;
                    if (pass == 0)
                        p->cell_begins[cell + 1]++;
                    else
                        p->in_cells[p->cell_begins[cell]++] = i;
                }
        }
        for (int32_t i = 0; pass == 0 && i < cells; i++)
            p->cell_begins[i + 1] += p->cell_begins[i];
    }
    for (int32_t i = cells; i > 0; i--) // each now tells where its cell ends
        p->cell_begins[i] = p->cell_begins[i - 1];
    p->cell_begins[0] = 0;
}

// --------------------------------------------------------------------------- the interface

kerb_result kerb_mesh_build(kerb_mesh* mesh, void* memory, const kerb_mesh_data* data,
                            kerb_error* error) {
    KERB_ASSERT(mesh && data);
    memset(mesh, 0, sizeof *mesh);
    kerb_result result = kerb_mesh_data_validate(data, error);
    if (result != KERB_OK)
        return result;
    KERB_ASSERT(memory && (uintptr_t)memory % 8 == 0);
    int32_t corners = mesh_corners_of(data);
    mesh_parts p;
    size_t bytes = kerb_in_mesh_lay(&p, memory, data->vertex_count, data->polygon_count, corners,
                                    data->link_count);
    memset(memory, 0, bytes);
    mesh_copy(&p, data, corners);
    result = data->neighbours ? mesh_take_neighbours(&p, data->neighbours, error)
                              : mesh_find_neighbours(&p, error);
    if (result != KERB_OK)
        return result;
    mesh_choose_grid(&p);
    mesh_fill_grid(&p);
    mesh->memory = memory;
    mesh->bytes = bytes;
    mesh->polygon_count = data->polygon_count;
    return KERB_OK;
}

kerb_result kerb_mesh_create(kerb_mesh* mesh, const kerb_mesh_data* data, const kerb_host* host,
                             kerb_error* error) {
    KERB_ASSERT(mesh && data && host);
    memset(mesh, 0, sizeof *mesh);
    kerb_result result = kerb_mesh_data_validate(data, error);
    if (result != KERB_OK)
        return result;
    size_t bytes = kerb_mesh_bytes(data);
    void* memory = host->allocator.allocate(host->allocator.context, bytes, 8);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "mesh", 0, -1,
                              "no memory for the mesh");
    result = kerb_mesh_build(mesh, memory, data, error);
    if (result != KERB_OK) {
        host->allocator.release(host->allocator.context, memory, bytes);
        return result;
    }
    mesh->owned_size = bytes;
    mesh->allocator = host->allocator;
    return KERB_OK;
}

void kerb_mesh_destroy(kerb_mesh* mesh) {
    KERB_ASSERT(mesh);
    if (mesh->owned_size > 0)
        mesh->allocator.release(mesh->allocator.context, mesh->memory, mesh->owned_size);
    memset(mesh, 0, sizeof *mesh);
}

kerb_mesh_polygon kerb_mesh_polygon_at(const kerb_mesh* mesh, int32_t polygon) {
    KERB_ASSERT(mesh && polygon >= 0 && polygon < mesh->polygon_count);
    mesh_parts p = kerb_in_mesh_parts(mesh);
    int32_t first = p.first[polygon];
    return (kerb_mesh_polygon){p.corners + first, p.neighbours + first,
                               p.first[polygon + 1] - first, p.areas[polygon]};
}

kerb_vec3 kerb_mesh_vertex(const kerb_mesh* mesh, int32_t index) {
    mesh_parts p = kerb_in_mesh_parts(mesh);
    KERB_ASSERT(index >= 0 && index < p.head->vertices);
    return p.vertices[index];
}
