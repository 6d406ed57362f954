// Purpose: where the arrays of a mesh and of a search lie in their memory.
// Idea:    One block, arrays one behind the other, found from the counts in its head. So a block
//          holds no pointers and may be copied.
// Cost:    O(1), except kerb_mesh_search_init: O(polygons).
#include "parts.h"

#include "../base/shared.h"

#include <string.h>

// Cells of the grid and entries of polygons in cells, for each polygon. More cells cost memory,
// fewer cost time: with one cell a polygon, a query looks at few polygons that are not near.
#define MESH_CELLS_A_POLYGON 1
#define MESH_ENTRIES_A_POLYGON 8
// Further cells and entries: meshes of a few polygons get a grid that divides them, too.
#define MESH_CELLS_MORE 16

int32_t kerb_in_mesh_cells_max(int32_t polygons) {
    return MESH_CELLS_A_POLYGON * polygons + MESH_CELLS_MORE;
}

int32_t kerb_in_mesh_entries_max(int32_t polygons) {
    return MESH_ENTRIES_A_POLYGON * polygons + MESH_CELLS_MORE;
}

static void* mesh_take(char* memory, size_t* used, size_t count, size_t size) {
    size_t at = *used;
    *used += kerb_in_round_up(count * size, 8);
    return memory ? memory + at : NULL;
}

size_t kerb_in_mesh_lay(mesh_parts* parts, void* memory, int32_t vertices, int32_t polygons,
                        int32_t corners, int32_t links) {
    mesh_parts p;
    size_t used = 0, v = (size_t)vertices, n = (size_t)polygons, c = (size_t)corners,
           l = (size_t)links;
    p.head = mesh_take(memory, &used, 1, sizeof *p.head);
    p.vertices = mesh_take(memory, &used, v, sizeof *p.vertices);
    p.least = mesh_take(memory, &used, n, sizeof *p.least);
    p.most = mesh_take(memory, &used, n, sizeof *p.most);
    p.first = mesh_take(memory, &used, n + 1, sizeof *p.first);
    p.corners = mesh_take(memory, &used, c, sizeof *p.corners);
    p.neighbours = mesh_take(memory, &used, c, sizeof *p.neighbours);
    p.openings = mesh_take(memory, &used, c, sizeof *p.openings);
    p.links = mesh_take(memory, &used, l, sizeof *p.links);
    p.first_link = mesh_take(memory, &used, n, sizeof *p.first_link);
    p.next_end = mesh_take(memory, &used, 2 * l, sizeof *p.next_end);
    p.areas = mesh_take(memory, &used, n, sizeof *p.areas);
    // The grid comes last: while neighbours are found, its memory holds the sides at each vertex.
    size_t grid = used;
    p.cell_begins =
        mesh_take(memory, &used, (size_t)kerb_in_mesh_cells_max(polygons) + 1, sizeof(int32_t));
    p.in_cells =
        mesh_take(memory, &used, (size_t)kerb_in_mesh_entries_max(polygons), sizeof(int32_t));
    size_t sides = grid + kerb_in_round_up((v + c) * sizeof(int32_t), 8);
    *parts = p;
    return used > sides ? used : sides;
}

mesh_parts kerb_in_mesh_parts(const kerb_mesh* mesh) {
    const mesh_head* head = mesh->memory;
    mesh_parts parts;
    kerb_in_mesh_lay(&parts, mesh->memory, head->vertices, head->polygons, head->corners,
                     head->links);
    return parts;
}

mesh_jump kerb_in_mesh_jump_at(const mesh_parts* p, int32_t end) {
    const kerb_mesh_link* link = &p->links[end / 2];
    if (end % 2 == 0)
        return (mesh_jump){link->from, link->to, link->to_polygon, end / 2, true};
    return (mesh_jump){link->to, link->from, link->from_polygon, end / 2, link->both_ways};
}

// --------------------------------------------------------------------------- searches

static size_t mesh_search_lay(mesh_search_parts* s, void* memory, int32_t polygons) {
    size_t used = 0;
    s->head = mesh_take(memory, &used, 1, sizeof *s->head);
    s->nodes = mesh_take(memory, &used, (size_t)polygons, sizeof *s->nodes);
    s->heap = mesh_take(memory, &used, (size_t)polygons, sizeof *s->heap);
    return used;
}

mesh_search_parts kerb_in_mesh_search_parts(const kerb_mesh_search* search, int32_t polygons) {
    mesh_search_parts s;
    size_t bytes = mesh_search_lay(&s, search->memory, polygons);
    KERB_ASSERT(search->bytes >= bytes);
    (void)bytes;
    return s;
}

void kerb_in_mesh_search_renew(mesh_search_parts* s, int32_t polygons) {
    s->head->count = 0;
    if (++s->head->stamp != 0)
        return;
    memset(s->nodes, 0, (size_t)polygons * sizeof *s->nodes); // once in 2³² searches
    s->head->stamp = 1;
}

size_t kerb_mesh_search_bytes(const kerb_mesh* mesh) {
    KERB_ASSERT(mesh && mesh->memory);
    mesh_search_parts s;
    return mesh_search_lay(&s, NULL, mesh->polygon_count);
}

void kerb_mesh_search_init(kerb_mesh_search* search, void* memory, const kerb_mesh* mesh) {
    KERB_ASSERT(search && memory && (uintptr_t)memory % 8 == 0);
    memset(search, 0, sizeof *search);
    search->memory = memory;
    search->bytes = kerb_mesh_search_bytes(mesh);
    memset(memory, 0, search->bytes);
}

kerb_result kerb_mesh_search_create(kerb_mesh_search* search, const kerb_mesh* mesh,
                                    const kerb_host* host, kerb_error* error) {
    KERB_ASSERT(search && mesh && host);
    memset(search, 0, sizeof *search);
    size_t bytes = kerb_mesh_search_bytes(mesh);
    void* memory = host->allocator.allocate(host->allocator.context, bytes, 8);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "search", 0, -1,
                              "no memory for the search");
    kerb_mesh_search_init(search, memory, mesh);
    search->owned_size = bytes;
    search->allocator = host->allocator;
    return KERB_OK;
}

void kerb_mesh_search_destroy(kerb_mesh_search* search) {
    KERB_ASSERT(search);
    if (search->owned_size > 0)
        search->allocator.release(search->allocator.context, search->memory, search->owned_size);
    memset(search, 0, sizeof *search);
}

const char* kerb_mesh_outcome_text(kerb_mesh_outcome value) {
    static const char* const texts[] = {
        [KERB_MESH_FOUND] = "found",
        [KERB_MESH_NO_PATH] = "no_path",
        [KERB_MESH_NO_PLACE] = "no_place",
        [KERB_MESH_TOO_LONG] = "too_long",
    };
    return KERB_ENUM_TEXT(texts, value);
}
