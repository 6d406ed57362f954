// Meshes for tests: squares of a grid with holes, on a slope; and a road under a bridge.
#ifndef MESH_RIG_H
#define MESH_RIG_H

#include "kerb/mesh.h"

#include <assert.h>
#include <string.h>

enum { GRID_MOST = 24, GRID_POLYGONS = GRID_MOST * GRID_MOST };

typedef struct mesh_rig {
    kerb_vec3 vertices[(GRID_MOST + 1) * (GRID_MOST + 1)];
    int32_t counts[GRID_POLYGONS], corners[4 * GRID_POLYGONS];
    uint8_t areas[GRID_POLYGONS];
    kerb_mesh_data data;
    int32_t size;                        // squares along a side
    float square;                        // [m]
    bool free[GRID_MOST][GRID_MOST];     // [row][column]
    int32_t index[GRID_MOST][GRID_MOST]; // polygon; -1: a hole
} mesh_rig;

static inline float rig_height(float x, float y) {
    return 0.05f * x - 0.1f * y;
}

// Frees a square where two free squares touch only at a corner. False: there is none.
static inline bool rig_widen_pinch(mesh_rig* rig) {
    for (int32_t y = 0; y + 1 < rig->size; y++)
        for (int32_t x = 0; x + 1 < rig->size; x++) {
            bool a = rig->free[y][x], b = rig->free[y][x + 1], c = rig->free[y + 1][x],
                 d = rig->free[y + 1][x + 1];
            if (a == d && b == c && a != b) {
                rig->free[y][x] = rig->free[y][x + 1] = true;
                return true;
            }
        }
    return false;
}

// Every square is free but for this share.
static inline void rig_grid(mesh_rig* rig, kerb_random* random, int32_t size, float square,
                            float share) {
    memset(rig, 0, sizeof *rig);
    rig->size = size;
    rig->square = square;
    for (int32_t y = 0; y <= size; y++)
        for (int32_t x = 0; x <= size; x++) {
            float px = square * (float)x, py = square * (float)y;
            rig->vertices[y * (size + 1) + x] = kerb_vec3_make(px, py, rig_height(px, py));
        }
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++)
            rig->free[y][x] = !(kerb_random_unit(random) < share) || (x == 0 && y == 0);
    while (rig_widen_pinch(rig))
        continue;
    int32_t count = 0;
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++) {
            rig->index[y][x] = rig->free[y][x] ? count : -1;
            if (!rig->free[y][x])
                continue;
            int32_t low = y * (size + 1) + x, *corners = &rig->corners[4 * count];
            corners[0] = low;
            corners[1] = low + 1;
            corners[2] = low + size + 2;
            corners[3] = low + size + 1;
            rig->counts[count++] = 4;
        }
    rig->data = (kerb_mesh_data){.vertices = rig->vertices,
                                 .vertex_count = (size + 1) * (size + 1),
                                 .corner_counts = rig->counts,
                                 .corners = rig->corners,
                                 .polygon_count = count};
}

// A mesh and a search in it, made by hand in memory of the test.
typedef struct mesh_made {
    kerb_mesh mesh;
    kerb_mesh_search search;
} mesh_made;

static inline mesh_made rig_make(const kerb_mesh_data* data) {
    mesh_made made;
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    kerb_result result = kerb_mesh_create(&made.mesh, data, &host, &error);
    assert_int_equal(result, KERB_OK);
    assert_int_equal(kerb_mesh_search_create(&made.search, &made.mesh, &host, &error), KERB_OK);
    return made;
}

static inline void rig_drop(mesh_made* made) {
    kerb_mesh_search_destroy(&made->search);
    kerb_mesh_destroy(&made->mesh);
}

// A road along x, 100 m by 10 m at height 0, from the road's east end a ramp that goes round to a
// bridge 6 m above it: polygons 0 … 3 the road, 4 … 9 the ramp and the bridge.
static const kerb_vec3 bridge_vertices[] = {
    {0, 0, 0},    {40, 0, 0},   {60, 0, 0},   {100, 0, 0},  {110, 0, 0},  // road, south side
    {0, 10, 0},   {40, 10, 0},  {60, 10, 0},  {100, 10, 0}, {110, 10, 0}, // road, north side
    {100, 40, 6}, {110, 40, 6}, {100, 50, 6}, {110, 50, 6},               // ramp to the north
    {60, 40, 6},  {60, 50, 6},  {45, 40, 6},  {55, 40, 6},  {45, 50, 6},  {55, 50, 6},
    {45, 10, 6},  {55, 10, 6},  {45, 0, 6},   {55, 0, 6},   {45, -20, 6}, {55, -20, 6}};
static const int32_t bridge_counts[] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
static const int32_t bridge_corners[] = {
    0,  1,  6,  5,  // 0 road
    1,  2,  7,  6,  // 1 road below the bridge
    2,  3,  8,  7,  // 2 road
    3,  4,  9,  8,  // 3 road's end
    8,  9,  11, 10, // 4 ramp up
    10, 11, 13, 12, // 5 corner
    14, 10, 12, 15, // 6 to the west
    17, 14, 15, 19, // 7
    16, 17, 19, 18, // 8 corner
    20, 21, 17, 16, // 9 to the bridge
    22, 23, 21, 20, // 10 the bridge, above the road
    24, 25, 23, 22, // 11 behind it
};
static const kerb_mesh_data bridge_data = {.vertices = bridge_vertices,
                                           .vertex_count = 26,
                                           .corner_counts = bridge_counts,
                                           .corners = bridge_corners,
                                           .polygon_count = 12};

#endif
