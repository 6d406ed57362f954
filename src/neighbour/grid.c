// Finds the items near a position: a uniform grid that is built anew in every frame.
//
// Cells are hashed to a ring of cells by a function that keeps neighbouring cells of a row
// together:
//
//     place = (column + row · stride) mod cells          cells: a power of two
//
// so that the items of one row of a query are consecutive in memory. A road of thousands of cells,
// in whatever direction, still spreads over the whole ring. A torus of columns and rows would map
// such a road onto the same cells many times.
//
// A query must not visit a place of the ring twice. Its rows lie at multiples k·stride. The
// continued fraction of the stride guarantees that no two rows overlap: with all partial quotients
// of stride / cells at most 3, k·|k·stride mod cells| > cells / 5 for every k, because a convergent
// p/q has an error of more than 1 / ((a+2) q²), where a is the next quotient. So a query of
// rows · columns <= cells / 5 is safe, and larger queries visit all items. Niederreiter proved that
// such strides exist for powers of two (1986, a case of Zaremba's conjecture). The stride is the
// first odd one of them from the golden section on.
//
// Build: counting sort, O(items + cells). A query: see neighbour.h.
#include "kerb/neighbour.h"

#include "../base/shared.h"

#define NEIGHBOUR_GRID_ALIGNMENT 16 // bytes; a vector register of SSE or NEON
#define CELLS_LEAST 16 // cells; small enough to cost nothing, and a stride exists for it
#define LEFT_OUT (-1)  // place of an item whose position is not finite
#define NEIGHBOUR_GRID_COORDINATE_MOST                                                             \
    1.0e9f // cells from the origin; those beyond share the outermost
#define NEIGHBOUR_GRID_RADIUS_MOST 1.0e18f // its square is finite [m]
#define TINY_SQUARE 1.17549435e-38f        // smallest normal float; below, squares count as 0 [m²]
// Rounding may make a computed square a few units in the last place too small. Cells are searched a
// little farther than the radius, so that no item is missed that passes the test of its square.
#define FARTHER 1.000001f

// ------------------------------------------------------------------- memory

// At least twice as many cells as items, so that distant cells rarely share a place with items.
static int32_t cells_for(int32_t capacity) {
    int32_t cells = CELLS_LEAST;
    while (cells < 2 * capacity)
        cells *= 2;
    return cells;
}

// The greatest partial quotient of the continued fraction of a / b.
static int32_t greatest_quotient(int32_t a, int32_t b) {
    int32_t greatest = 0;
    while (a > 0) {
        int32_t quotient = b / a, rest = b % a;
        greatest = quotient > greatest ? quotient : greatest;
        b = a;
        a = rest;
    }
    return greatest;
}

static int32_t stride_for(int32_t cells) {
    int32_t stride = (int32_t)((double)cells * 0.6180339887498949) | 1;
    while (greatest_quotient(stride, cells) > 3)
        stride += 2;
    return stride;
}

static size_t begins_size(int32_t cells) {
    return kerb_in_round_up(((size_t)cells + 1) * sizeof(int32_t), NEIGHBOUR_GRID_ALIGNMENT);
}

static size_t items_size(int32_t capacity) {
    return kerb_in_round_up((size_t)capacity * sizeof(float), NEIGHBOUR_GRID_ALIGNMENT);
}

size_t kerb_neighbour_grid_bytes(int32_t capacity) {
    if (capacity < 1 || capacity > KERB_NEIGHBOUR_CAPACITY_MAX)
        return 0;
    return begins_size(cells_for(capacity)) + 5 * items_size(capacity);
}

static void clear_begins(kerb_neighbour_grid* grid) {
    for (int32_t i = 0; i <= grid->cells; i++)
        grid->cell_begins[i] = 0;
}

void kerb_neighbour_grid_init(kerb_neighbour_grid* grid, int32_t capacity, void* memory) {
    KERB_ASSERT(grid && memory && (uintptr_t)memory % NEIGHBOUR_GRID_ALIGNMENT == 0);
    KERB_ASSERT(kerb_neighbour_grid_bytes(capacity) > 0);
    const kerb_neighbour_grid empty = {0};
    *grid = empty;
    grid->capacity = capacity;
    grid->cells = cells_for(capacity);
    grid->row_stride = stride_for(grid->cells);
    grid->cell_size = 1.0f;
    char* next = memory;
    grid->cell_begins = (int32_t*)(void*)next;
    next += begins_size(grid->cells);
    void* arrays[5];
    for (int32_t i = 0; i < 5; i++, next += items_size(capacity))
        arrays[i] = next;
    grid->indices = arrays[0];
    grid->x = arrays[1];
    grid->y = arrays[2];
    grid->z = arrays[3];
    grid->scratch = arrays[4];
    clear_begins(grid);
}

kerb_result kerb_neighbour_grid_create(kerb_neighbour_grid* grid, int32_t capacity,
                                       const kerb_host* host, kerb_error* error) {
    KERB_ASSERT(grid && host);
    const kerb_neighbour_grid empty = {0};
    *grid = empty;
    size_t size = kerb_neighbour_grid_bytes(capacity);
    if (size == 0)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "capacity", 0, -1,
                              "must be from 1 to 67108864");
    void* memory =
        host->allocator.allocate(host->allocator.context, size, NEIGHBOUR_GRID_ALIGNMENT);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the grid");
    kerb_neighbour_grid_init(grid, capacity, memory);
    grid->owned_size = size;
    grid->allocator = host->allocator;
    return KERB_OK;
}

void kerb_neighbour_grid_destroy(kerb_neighbour_grid* grid) {
    KERB_ASSERT(grid);
    if (grid->owned_size > 0)
        grid->allocator.release(grid->allocator.context, grid->cell_begins, grid->owned_size);
    const kerb_neighbour_grid empty = {0};
    *grid = empty;
}

// ------------------------------------------------------------------- cells

// Column or row of a coordinate. Half a cell is added, because numbers near 0 lose their sign on
// hosts that flush denormal numbers to zero.
static inline int32_t neighbour_grid_cell_of(float coordinate, float cells_per_metre) {
    float t = kerb_clamp(coordinate * cells_per_metre + 0.5f, -NEIGHBOUR_GRID_COORDINATE_MOST,
                         NEIGHBOUR_GRID_COORDINATE_MOST);
    int32_t whole = (int32_t)t;
    return whole - ((float)whole > t ? 1 : 0);
}

static inline uint32_t neighbour_grid_place_of(const kerb_neighbour_grid* grid, int32_t column,
                                               int32_t row) {
    return (uint32_t)column + (uint32_t)row * (uint32_t)grid->row_stride;
}

// ------------------------------------------------------------------- building

static void neighbour_grid_find_cells(kerb_neighbour_grid* grid, const float* x, const float* y,
                                      const float* z, int32_t count) {
    const float cells_per_metre = 1.0f / grid->cell_size;
    const uint32_t mask = (uint32_t)grid->cells - 1u, stride = (uint32_t)grid->row_stride;
    int32_t* found = grid->scratch;
    for (int32_t i = 0; i < count; i++) {
        int32_t column = neighbour_grid_cell_of(x[i], cells_per_metre),
                row = neighbour_grid_cell_of(y[i], cells_per_metre);
        int32_t place = (int32_t)(((uint32_t)column + (uint32_t)row * stride) & mask);
        found[i] = kerb_is_finite(x[i]) && kerb_is_finite(y[i]) ? place : LEFT_OUT;
    }
    for (int32_t i = 0; z && i < count; i++)
        found[i] = kerb_is_finite(z[i]) ? found[i] : LEFT_OUT;
}

// cell_begins[place + 1] first counts the items of the place. Then it holds where the place's items
// begin. While items are stored it grows to where they end, which is where those of the next place
// begin.
static void count_cells(kerb_neighbour_grid* grid, int32_t count) {
    clear_begins(grid);
    int32_t* counts = grid->cell_begins + 1;
    for (int32_t i = 0; i < count; i++) {
        if (grid->scratch[i] != LEFT_OUT)
            counts[grid->scratch[i]]++;
    }
    int32_t sum = 0;
    for (int32_t place = 0; place < grid->cells; place++) {
        int32_t items = counts[place];
        counts[place] = sum;
        sum += items;
    }
    grid->count = sum;
}

void kerb_neighbour_grid_build(kerb_neighbour_grid* grid, const float* x, const float* y,
                               const float* z, int32_t count, float cell_size) {
    KERB_ASSERT(grid && grid->cell_begins && count >= 0 && count <= grid->capacity);
    KERB_ASSERT((x && y) || count == 0);
    grid->cell_size = kerb_clamp(cell_size, 1.0e-3f, 1.0e6f);
    neighbour_grid_find_cells(grid, x, y, z, count);
    count_cells(grid, count);
    int32_t* next = grid->cell_begins + 1;
    for (int32_t i = 0; i < count; i++) {
        if (grid->scratch[i] == LEFT_OUT)
            continue;
        int32_t at = next[grid->scratch[i]]++;
        grid->indices[at] = i;
        grid->x[at] = x[i];
        grid->y[at] = y[i];
        grid->z[at] = z ? z[i] : 0.0f;
    }
}

// ------------------------------------------------------------------- queries

static kerb_neighbour_cells all_cells(const kerb_neighbour_grid* grid) {
    kerb_neighbour_cells cells = {0, grid->cells, 1, true};
    return cells;
}

static bool is_place(kerb_vec2 position) {
    return kerb_is_finite(position.x) && kerb_is_finite(position.y);
}

kerb_neighbour_cells kerb_neighbour_cells_around(const kerb_neighbour_grid* grid,
                                                 kerb_vec2 corner_min, kerb_vec2 corner_max,
                                                 float radius) {
    kerb_neighbour_cells none = {0};
    if (!(radius >= 0.0f) || !is_place(corner_min) || !is_place(corner_max))
        return none;
    const float cells_per_metre = 1.0f / grid->cell_size;
    const float reach = kerb_min(radius, NEIGHBOUR_GRID_RADIUS_MOST) * FARTHER;
    int32_t left = neighbour_grid_cell_of(corner_min.x - reach, cells_per_metre);
    int32_t right = neighbour_grid_cell_of(corner_max.x + reach, cells_per_metre);
    int32_t low = neighbour_grid_cell_of(corner_min.y - reach, cells_per_metre);
    int32_t high = neighbour_grid_cell_of(corner_max.y + reach, cells_per_metre);
    int64_t columns = (int64_t)right - left + 1, rows = (int64_t)high - low + 1;
    if (columns < 1 || rows < 1) // corners the wrong way round
        return none;
    if (columns > grid->cells || rows > grid->cells || 5 * columns * rows > grid->cells)
        return all_cells(grid);
    kerb_neighbour_cells cells = {neighbour_grid_place_of(grid, left, low), (int32_t)columns,
                                  (int32_t)rows, false};
    return cells;
}

kerb_neighbour_cells kerb_neighbour_cells_near(const kerb_neighbour_grid* grid, kerb_vec3 position,
                                               float radius) {
    kerb_neighbour_cells none = {0};
    kerb_vec2 place = kerb_vec2_make(position.x, position.y);
    return kerb_is_finite(position.z) ? kerb_neighbour_cells_around(grid, place, place, radius)
                                      : none;
}

static inline float neighbour_grid_square_from(const kerb_neighbour_grid* grid, int32_t i,
                                               kerb_vec3 position) {
    float x = grid->x[i] - position.x, y = grid->y[i] - position.y, z = grid->z[i] - position.z;
    float square = x * x + y * y + z * z;
    return square >= TINY_SQUARE ? square : 0.0f;
}

static float neighbour_grid_square_of(float radius) {
    float held = kerb_min(radius, NEIGHBOUR_GRID_RADIUS_MOST), square = held * held;
    return square >= TINY_SQUARE ? square : 0.0f;
}

// The question of a query, and the items found.
typedef struct finding {
    kerb_vec3 position;
    float square_most;
    int32_t* indices;
    float* squares; // squared distances, nearest first; NULL: items in the grid's order
    int32_t count, capacity;
} finding;

static void gather_run(const kerb_neighbour_grid* grid, kerb_neighbour_range run, finding* found) {
    for (int32_t i = run.begin; i < run.end; i++) {
        if (neighbour_grid_square_from(grid, i, found->position) > found->square_most)
            continue;
        if (found->count < found->capacity)
            found->indices[found->count] = grid->indices[i];
        found->count++;
    }
}

static inline bool is_before(float square, int32_t index, float other_square, int32_t other) {
    return square < other_square || (square == other_square && index < other);
}

// Inserts one more item in order. When the capacity is exceeded, the farthest item is removed.
static void insert(finding* found, float square, int32_t index) {
    int32_t at = found->count;
    if (at == found->capacity) {
        if (!is_before(square, index, found->squares[at - 1], found->indices[at - 1]))
            return;
        at--;
    } else {
        found->count++;
    }
    for (; at > 0 && is_before(square, index, found->squares[at - 1], found->indices[at - 1]);
         at--) {
        found->squares[at] = found->squares[at - 1];
        found->indices[at] = found->indices[at - 1];
    }
    found->squares[at] = square;
    found->indices[at] = index;
}

static void insert_run(const kerb_neighbour_grid* grid, kerb_neighbour_range run, finding* found) {
    for (int32_t i = run.begin; i < run.end; i++) {
        float square = neighbour_grid_square_from(grid, i, found->position);
        if (square <= found->square_most)
            insert(found, square, grid->indices[i]);
    }
}

static void neighbour_grid_search(
    const kerb_neighbour_grid* grid, const kerb_neighbour_cells* cells,
    void (*visit)(const kerb_neighbour_grid*, kerb_neighbour_range, finding*), finding* found) {
    for (int32_t row = 0; row < cells->rows; row++) {
        kerb_neighbour_range runs[2];
        kerb_neighbour_row(grid, cells, row, runs);
        visit(grid, runs[0], found);
        visit(grid, runs[1], found);
    }
}

int32_t kerb_neighbours_within(const kerb_neighbour_grid* grid, kerb_vec3 position, float radius,
                               int32_t* indices, int32_t capacity) {
    KERB_ASSERT(grid && capacity >= 0 && (indices || capacity == 0));
    finding found = {position, neighbour_grid_square_of(radius), NULL, NULL, 0, capacity};
    found.indices = indices;
    const kerb_neighbour_cells cells = kerb_neighbour_cells_near(grid, position, radius);
    neighbour_grid_search(grid, &cells, gather_run, &found);
    return found.count;
}

// Searches with doubled radius until enough items are found or the whole radius is searched.
int32_t kerb_neighbours_nearest(const kerb_neighbour_grid* grid, kerb_vec3 position, float radius,
                                int32_t* indices, float* distances_squared, int32_t count) {
    KERB_ASSERT(grid && count >= 0 && ((indices && distances_squared) || count == 0));
    finding found = {position, 0.0f, NULL, NULL, 0, count};
    found.indices = indices;
    found.squares = distances_squared;
    if (count == 0)
        return 0;
    float reach = kerb_min(grid->cell_size, radius);
    for (;;) {
        const kerb_neighbour_cells cells = kerb_neighbour_cells_near(grid, position, reach);
        if (cells.is_all)
            reach = radius;
        found.square_most = neighbour_grid_square_of(reach);
        found.count = 0;
        neighbour_grid_search(grid, &cells, insert_run, &found);
        if (found.count == count || !(reach < radius))
            return found.count;
        reach = kerb_min(2.0f * reach, radius);
    }
}
