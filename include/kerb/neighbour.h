// Kerb neighbour: finds which items are near a position, for all drivers that react to others.
//
// A uniform grid over the horizontal plane. A counting sort rebuilds it from the positions in every
// frame. The results and their order depend only on the positions, the indices and the sizes of the
// grid. The memory is allocated once. The world has no bounds: items far away cost no more than
// items nearby.
//
// Call order: create the grid once. In every frame build it, then query it. Destroy it at the end.
//
//     float x[3] = {0.0f, 5.0f, 90.0f}, y[3] = {0.0f, 5.0f, 0.0f};
//     kerb_host host = kerb_host_default();
//     kerb_error error;
//     kerb_neighbour_grid grid;
//     if (kerb_neighbour_grid_create(&grid, 5000, &host, &error) != KERB_OK) // once
//         printf("%s: %s\n", error.field, error.message);
//     kerb_neighbour_grid_build(&grid, x, y, NULL, 3, 10.0f);                // every frame
//     int32_t found[16];
//     kerb_vec3 position = {1.0f, 1.0f, 0.0f};
//     int32_t count = kerb_neighbours_within(&grid, position, 20.0f, found, 16); // 2: items 0, 1
//     kerb_neighbour_grid_destroy(&grid);
//
// Threads: any number of threads may query a grid at the same time, while no thread builds it.
// Lifetimes: kerb_neighbour_grid_build copies the positions, so the caller may change them after
// the call. Results are valid until the next build.
// Cost: only kerb_neighbour_grid_create allocates.
//
// Does not: remember anything from one frame to the next, or consider sizes and shapes.
#ifndef KERB_NEIGHBOUR_H
#define KERB_NEIGHBOUR_H

#include "math.h"

/// Greatest capacity of a grid. [items]
#define KERB_NEIGHBOUR_CAPACITY_MAX (1 << 26)

/// The grid. Its cells are squares in the horizontal plane. All cells are stored on one ring of
/// cells: cell (column, row) is stored at the place (column + row * row_stride) modulo `cells`.
/// `row_stride` is about 0.618 times `cells`. For this reason crowds, long roads and single items
/// far away all spread evenly over the ring. Several cells share a place on the ring; the distance
/// test in each query separates their items.
typedef struct kerb_neighbour_grid {
    int32_t capacity;     ///< Greatest number of items.
    int32_t count;        ///< Items in the grid now, without those whose position is not finite.
    int32_t cells;        ///< Number of cells of the ring. A power of two.
    int32_t row_stride;   ///< Distance on the ring from a cell to the cell above it. [cells]
    float cell_size;      ///< Side of a cell. [m]
    int32_t* cell_begins; ///< [cells + 1] Index of each cell's first item in the arrays below.
    int32_t* indices;     ///< [capacity] Indices of the items, by cell, then ascending.
    float *x, *y, *z;     ///< [capacity] Positions of the items, in the order of `indices`. [m]
    int32_t* scratch;     ///< [capacity] Cell of each item, used while building.
    size_t owned_size;    ///< Size of memory from kerb_neighbour_grid_create. 0: caller's memory.
    kerb_allocator allocator;
} kerb_neighbour_grid;

/// Size of the memory that a grid for `capacity` items needs: for each item about 24 bytes, and 8
/// to 16 bytes more for the cells. 0 when the capacity is out of range. [bytes]
/// [capacity: 1 … KERB_NEIGHBOUR_CAPACITY_MAX]
KERB_API size_t kerb_neighbour_grid_bytes(int32_t capacity);

/// Makes an empty grid in memory of the caller: kerb_neighbour_grid_bytes(capacity) bytes, aligned
/// to 16. The memory must stay valid as long as the grid is used. Such a grid need not be
/// destroyed. O(capacity)
KERB_API void kerb_neighbour_grid_init(kerb_neighbour_grid* grid, int32_t capacity, void* memory);

/// Makes an empty grid in memory from the host's allocator. Errors: OUT_OF_RANGE (capacity),
/// OUT_OF_MEMORY. `error` may be NULL. O(capacity)
KERB_API kerb_result kerb_neighbour_grid_create(kerb_neighbour_grid* grid, int32_t capacity,
                                                const kerb_host* host, kerb_error* error);

/// Releases the memory of kerb_neighbour_grid_create and sets all fields to 0. Does nothing when
/// all fields are already 0.
KERB_API void kerb_neighbour_grid_destroy(kerb_neighbour_grid* grid);

/// Replaces all items of the grid by the items at (x[i], y[i], z[i]), i in [0, count). When `z` is
/// NULL, all z are 0. Leaves out items whose position is not finite. A good cell size is from half
/// of the usual search radius to the whole radius. The cell size is limited to [1e-3, 1e6] m.
/// O(count + capacity) [count: <= capacity] [cell_size: m]
KERB_API void kerb_neighbour_grid_build(kerb_neighbour_grid* grid, const float* x, const float* y,
                                        const float* z, int32_t count, float cell_size);

/// Finds the items at a distance of at most `radius` from `position`. Writes the indices of the
/// first `capacity` of them, in the order of the grid, into `indices`. Returns how many items it
/// found, which may be more than `capacity`. O(items in the cells that the circle's bounding square
/// touches)
///
/// Finds nothing when the position is not finite, or the radius is negative or NaN. The radius is
/// limited to 1e18 m. Distances below 1e-19 m count as 0.
/// Order of the grid: rows of cells by ascending y, cells in a row by ascending x, items in a cell
/// by ascending index. For queries that touch more than a fifth of the ring, the order is a
/// different one, which also depends on the grid's capacity.
KERB_API int32_t kerb_neighbours_within(const kerb_neighbour_grid* grid, kerb_vec3 position,
                                        float radius, int32_t* indices, int32_t capacity);

/// Finds the `count` items nearest to `position`, at a distance of at most `radius`. Writes their
/// indices and their squared distances [m²], nearest first. Items at equal distance are ordered by
/// ascending index. Returns how many it wrote. Limits and special cases are those of
/// kerb_neighbours_within. Costs up to about twice as much as a call of kerb_neighbours_within
/// whose radius is the distance of the farthest result.
KERB_API int32_t kerb_neighbours_nearest(const kerb_neighbour_grid* grid, kerb_vec3 position,
                                         float radius, int32_t* indices, float* distances_squared,
                                         int32_t count);

// --------------------------------------------------------------------------- cells of a query

// For batches of queries: find the cells once, then test their items without a function call.

/// Consecutive items of the grid: [begin, end) in its arrays.
typedef struct kerb_neighbour_range {
    int32_t begin, end;
} kerb_neighbour_range;

/// The cells that a query touches: `rows` rows of `columns` cells each.
typedef struct kerb_neighbour_cells {
    uint32_t first;  ///< Place of the lowest row's first cell, before it is wrapped to the ring.
    int32_t columns; ///< Number of cells in each row.
    int32_t rows;    ///< Number of rows. 0: no cells.
    bool is_all;     ///< True: too many cells. One row then contains all cells of the grid.
} kerb_neighbour_cells;

/// Returns cells that contain every item at a distance of at most `radius` from `position`. They
/// contain no item twice, and may contain items that are farther away. O(1)
KERB_API kerb_neighbour_cells kerb_neighbour_cells_near(const kerb_neighbour_grid* grid,
                                                        kerb_vec3 position, float radius);

/// Like kerb_neighbour_cells_near, but for all positions in the rectangle from `corner_min` to
/// `corner_max` together. O(1)
KERB_API kerb_neighbour_cells kerb_neighbour_cells_around(const kerb_neighbour_grid* grid,
                                                          kerb_vec2 corner_min,
                                                          kerb_vec2 corner_max, float radius);

/// Writes the ranges of the items in row number `row` of `cells`. There are two ranges where the
/// row passes the end of the ring. Otherwise the second range is empty: begin = end. O(1)
static inline void kerb_neighbour_row(const kerb_neighbour_grid* grid,
                                      const kerb_neighbour_cells* cells, int32_t row,
                                      kerb_neighbour_range ranges[2]) {
    const uint32_t mask = (uint32_t)grid->cells - 1u;
    const uint32_t place = cells->first + (uint32_t)row * (uint32_t)grid->row_stride;
    const int32_t begin = (int32_t)(place & mask), end = begin + cells->columns;
    const bool wraps = end > grid->cells;
    ranges[0].begin = grid->cell_begins[begin];
    ranges[0].end = grid->cell_begins[wraps ? grid->cells : end];
    ranges[1].begin = 0;
    ranges[1].end = wraps ? grid->cell_begins[end - grid->cells] : 0;
}

#endif
