// Kerb neighbour: who is near, for every room that looks at others.
//
// A uniform grid over the plane, built anew in every frame from the positions by counting sort:
// what it finds, and in which order, depends on places, indices and the grid's sizes alone. Memory
// is given once. The world has no bounds: items far away cost no more than near ones.
//
//     kerb_neighbour_grid grid;
//     kerb_neighbour_grid_create(&grid, 5000, &host, &error);      // once
//     kerb_neighbour_grid_build(&grid, x, y, NULL, count, 10.0f);  // every frame
//     int32_t found[16];
//     int32_t near = kerb_neighbours_within(&grid, position, 20.0f, found, 16);
//
// Does not: remember anything from one frame to the next, look at sizes or shapes.
#ifndef KERB_NEIGHBOUR_H
#define KERB_NEIGHBOUR_H

#include "math.h"

/// Most items that a grid can be made for.
#define KERB_NEIGHBOUR_CAPACITY_MAX (1 << 26)

/// The grid. Rows of cells lie on one ring of cells, each row beginning about a golden section of
/// the ring behind the row below it; so that crowds, long roads and lone items in the distance all
/// spread over the ring. Cells that share a place on it are told apart by the distance test.
/// May be read by several threads at once while none builds.
typedef struct kerb_neighbour_grid {
    int32_t capacity;  ///< most items
    int32_t count;     ///< items in it now; those whose position is not finite are left out
    int32_t cells;     ///< of the ring, a power of two
    int32_t stride;    ///< from a row of cells to the one above it, on the ring
    float cell_size;   ///< side of a cell [m]
    int32_t* begins;   ///< [cells + 1] where each cell's items begin in the arrays below
    int32_t* indices;  ///< [capacity] of the items, cell by cell, in a cell rising
    float *x, *y, *z;  ///< [capacity] their positions in the same order [m]
    int32_t* scratch;  ///< [capacity] each item's cell while it builds
    size_t owned_size; ///< of the memory that kerb_neighbour_grid_create took; 0: the caller's
    kerb_allocator allocator;
} kerb_neighbour_grid;

/// Bytes of memory that a grid for `capacity` items needs: about 24 an item and 8 to 16 more for
/// its cells; 0 when capacity is out of range. [1 … KERB_NEIGHBOUR_CAPACITY_MAX]
KERB_API size_t kerb_neighbour_grid_bytes(int32_t capacity);

/// An empty grid in memory that the caller owns: kerb_neighbour_grid_bytes(capacity) bytes aligned
/// to 16, used until the grid is no longer. Nothing to destroy. O(capacity)
KERB_API void kerb_neighbour_grid_init(kerb_neighbour_grid* grid, int32_t capacity, void* memory);

/// An empty grid in the host's memory. Errors: OUT_OF_RANGE (capacity), OUT_OF_MEMORY.
KERB_API kerb_result kerb_neighbour_grid_create(kerb_neighbour_grid* grid, int32_t capacity,
                                                const kerb_host* host, kerb_error* error);

/// Gives the memory of kerb_neighbour_grid_create back. A zeroed grid is left alone.
KERB_API void kerb_neighbour_grid_destroy(kerb_neighbour_grid* grid);

/// Fills the grid with the items at (x[i], y[i], z[i]), i in [0, count), instead of those that were
/// in it; `z` NULL: all at 0. Good sizes of cells are from half of the usual radius to the whole;
/// they are held to [1e-3, 1e6] m. No allocation. O(count + capacity) [count: <= capacity]
KERB_API void kerb_neighbour_grid_build(kerb_neighbour_grid* grid, const float* x, const float* y,
                                        const float* z, int32_t count, float cell_size);

/// The items at most `radius` from `position`: their indices, in the grid's order, as far as
/// `capacity` goes. Returns how many there are, which may be more. None for a position that is not
/// finite or a radius that is negative or NaN; radii are held to 1e18 m, and distances below
/// 1e-19 m count as 0. The grid's order: rows of cells by rising y, cells by rising x, in a cell by
/// index; where more than a fifth of the ring would be looked over, another that depends on the
/// capacity, too. O(items in cells that the circle's square touches)
KERB_API int32_t kerb_neighbours_within(const kerb_neighbour_grid* grid, kerb_vec3 position,
                                        float radius, int32_t* indices, int32_t capacity);

/// The `count` items nearest to `position` and at most `radius` from it, the nearest first, of two
/// as near the one with the lower index. Writes their indices and their squared distances [m²];
/// returns how many. Else as kerb_neighbours_within; costs up to about twice as much as that with
/// the radius of the last one found.
KERB_API int32_t kerb_neighbours_nearest(const kerb_neighbour_grid* grid, kerb_vec3 position,
                                         float radius, int32_t* indices, float* distances_squared,
                                         int32_t count);

// --------------------------------------------------------------------------- for batches

/// Items of the grid that lie one behind the other: [begin, end) of its arrays.
typedef struct kerb_neighbour_run {
    int32_t begin, end;
} kerb_neighbour_run;

/// The cells that a circle's square touches: `rows` rows of `columns` cells each.
typedef struct kerb_neighbour_cells {
    uint32_t first;  ///< place of the lowest row's first cell, before it is wrapped to the ring
    int32_t columns; ///< of each row
    int32_t rows;    ///< 0: no cells
    bool is_all;     ///< too many: one row then stands for all cells
} kerb_neighbour_cells;

/// The cells in which to look for what is within `radius` of `position`: every item within it, and
/// none twice.
KERB_API kerb_neighbour_cells kerb_neighbour_cells_near(const kerb_neighbour_grid* grid,
                                                        kerb_vec3 position, float radius);

/// As kerb_neighbour_cells_near, for every position in the rectangle from `least` to `most` at
/// once.
KERB_API kerb_neighbour_cells kerb_neighbour_cells_round(const kerb_neighbour_grid* grid,
                                                         kerb_vec2 least, kerb_vec2 most,
                                                         float radius);

/// The items in row number `row` of `cells`: one or two runs, because the ring has a seam. An
/// empty second run has begin = end.
static inline void kerb_neighbour_row(const kerb_neighbour_grid* grid,
                                      const kerb_neighbour_cells* cells, int32_t row,
                                      kerb_neighbour_run runs[2]) {
    const uint32_t mask = (uint32_t)grid->cells - 1u;
    const uint32_t place = cells->first + (uint32_t)row * (uint32_t)grid->stride;
    const int32_t begin = (int32_t)(place & mask), end = begin + cells->columns;
    const bool wraps = end > grid->cells;
    runs[0].begin = grid->begins[begin];
    runs[0].end = grid->begins[wraps ? grid->cells : end];
    runs[1].begin = 0;
    runs[1].end = wraps ? grid->begins[end - grid->cells] : 0;
}

#endif
