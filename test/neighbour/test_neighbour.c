// The grid of neighbours against looking at every item, in worlds that grids find hard: crowds,
// roads of thousands of cells, items far away, on the same spot, or nowhere at all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/neighbour.h"
#include "test/allocation.h"
#include "test/flush_to_zero.h"
#include "test/seed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, NEAREST = 20 };

typedef struct world {
    float x[MOST], y[MOST], z[MOST];
    int32_t count;
    bool is_level;
    float size;
} world;

static float odd_number(kerb_random* random) {
    static const float odd[] = {NAN,    INFINITY, -INFINITY, 3.4e38f, -1e30f,
                                1e-40f, -1e-45f,  -0.0f,     1e9f,    -123456.7f};
    return odd[kerb_random_below(random, 10)];
}

// One coordinate: in a crowd, on a lattice (so that distances are equal), or anything.
static float coordinate(kerb_random* random, float size, int32_t kind) {
    switch (kind) {
    case 0:
        return kerb_random_between(random, -size, size);
    case 1:
        return size * 0.25f * (float)(kerb_random_below(random, 9) - 4);
    case 2:
        return kerb_random_between(random, -1.0f, 1.0f) * 100.0f * size;
    default:
        return kerb_random_below(random, 8) == 0 ? odd_number(random)
                                                 : kerb_random_between(random, -size, size);
    }
}

static void fill(world* w, kerb_random* random) {
    w->count = kerb_random_below(random, MOST + 1);
    w->is_level = kerb_random_below(random, 2) == 0;
    w->size = kerb_random_below(random, 4) == 0 ? 1000.0f : 10.0f;
    int32_t kind_x = kerb_random_below(random, 4), kind_y = kerb_random_below(random, 4);
    for (int32_t i = 0; i < w->count; i++) {
        w->x[i] = coordinate(random, w->size, kind_x);
        w->y[i] = coordinate(random, w->size, kind_y);
        w->z[i] = w->is_level ? 0.0f : coordinate(random, w->size, kind_x);
    }
}

static float square_between(const world* w, int32_t i, kerb_vec3 p) {
    float x = w->x[i] - p.x, y = w->y[i] - p.y, z = w->z[i] - p.z;
    float square = x * x + y * y + z * z;
    return square < 1.17549435e-38f ? 0.0f : square;
}

static bool is_in(const world* w, int32_t i) {
    return isfinite(w->x[i]) && isfinite(w->y[i]) && isfinite(w->z[i]);
}

static kerb_vec3 somewhere(const world* w, kerb_random* random) {
    if (w->count > 0 && kerb_random_below(random, 2) == 0) {
        int32_t i = kerb_random_below(random, w->count);
        return kerb_vec3_make(w->x[i], w->y[i], w->z[i]);
    }
    float x = kerb_random_between(random, -w->size, w->size);
    float y = kerb_random_between(random, -w->size, w->size);
    return kerb_vec3_make(x, y, 0.0f);
}

static float some_radius(const world* w, kerb_random* random) {
    if (kerb_random_below(random, 10) == 0)
        return kerb_abs(odd_number(random));
    if (kerb_random_below(random, 3) == 0)
        return w->size * 0.25f * (float)kerb_random_below(random, 5); // as far as the lattice
    return kerb_random_between(random, 0.0f, w->size);
}

static int by_number(const void* a, const void* b) {
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

static void check_within(const kerb_neighbour_grid* grid, const world* w, kerb_vec3 p,
                         float radius) {
    static int32_t found[MOST];
    int32_t count = kerb_neighbours_within(grid, p, radius, found, MOST), expected = 0;
    float square_most = fminf(radius, 1e18f) * fminf(radius, 1e18f);
    qsort(found, (size_t)count, sizeof *found, by_number);
    bool can_be = isfinite(p.x) && isfinite(p.y) && isfinite(p.z) && radius >= 0.0f;
    for (int32_t i = 0; can_be && i < w->count; i++) {
        if (!is_in(w, i) || !(square_between(w, i, p) <= square_most))
            continue;
        assert_true(expected < count);
        assert_int_equal(found[expected], i);
        expected++;
    }
    assert_int_equal(count, expected);
}

static void check_nearest(const kerb_neighbour_grid* grid, const world* w, kerb_vec3 p,
                          float radius, int32_t wanted) {
    int32_t found[NEAREST], all[MOST];
    float squares[NEAREST];
    int32_t count = kerb_neighbours_nearest(grid, p, radius, found, squares, wanted);
    int32_t total = kerb_neighbours_within(grid, p, radius, all, MOST);
    assert_int_equal(count, total < wanted ? total : wanted);
    for (int32_t i = 0; i < count; i++) {
        assert_true(squares[i] == square_between(w, found[i], p));
        assert_true(i == 0 || squares[i - 1] < squares[i] ||
                    (squares[i - 1] == squares[i] && found[i - 1] < found[i]));
    }
    // Nobody who was left out comes before the last one.
    for (int32_t j = 0; j < total && count > 0; j++) {
        float square = square_between(w, all[j], p);
        bool comes_before = square < squares[count - 1] ||
                            (square == squares[count - 1] && all[j] < found[count - 1]);
        bool is_listed = all[j] == found[count - 1];
        for (int32_t i = 0; i < count && !is_listed; i++)
            is_listed = found[i] == all[j];
        assert_true(is_listed || !comes_before);
    }
}

static void check_queries(const char* name, int32_t worlds) {
    kerb_random random = test_random(name);
    static world w;
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    for (int32_t round = 0; round < worlds; round++) {
        fill(&w, &random);
        // Larger grids than needed, too: their rings are longer.
        int32_t capacity = w.count + 1 + (round % 4 == 0 ? 5000 : 0);
        assert_int_equal(kerb_neighbour_grid_create(&grid, capacity, &host, NULL), KERB_OK);
        float cell_size = w.size * kerb_random_between(&random, 0.01f, 1.0f);
        kerb_neighbour_grid_build(&grid, w.x, w.y, w.is_level ? NULL : w.z, w.count, cell_size);
        for (int32_t query = 0; query < 20; query++) {
            kerb_vec3 p = somewhere(&w, &random);
            float radius = some_radius(&w, &random);
            check_within(&grid, &w, p, radius);
            check_nearest(&grid, &w, p, radius, kerb_random_below(&random, NEAREST + 1));
        }
        kerb_neighbour_grid_destroy(&grid);
    }
}

static void queries_find_whom_looking_at_everyone_finds(void** state) {
    (void)state;
    check_queries("neighbour", 1500);
}

static void queries_find_the_same_with_denormal_numbers_flushed_to_zero(void** state) {
    (void)state;
    if (!test_flush_to_zero(true))
        skip();
    check_queries("neighbour flushed", 100);
    test_flush_to_zero(false);
}

// The grid's order, as documented: by row, by column, by index.
static void what_is_found_comes_by_row_then_column_then_index(void** state) {
    (void)state;
    kerb_random random = test_random("order");
    static world w;
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, MOST, &host, NULL), KERB_OK);
    for (int32_t round = 0; round < 300; round++) {
        fill(&w, &random);
        float cell = w.size * 0.1f;
        kerb_neighbour_grid_build(&grid, w.x, w.y, w.z, w.count, cell);
        int32_t found[MOST];
        int32_t count = kerb_neighbours_within(&grid, kerb_vec3_make(0.0f, 0.0f, 0.0f),
                                               w.size * 0.4f, found, MOST);
        for (int32_t n = 1; n < count; n++) {
            int32_t a = found[n - 1], b = found[n];
            float row_a = floorf(w.y[a] * (1.0f / cell) + 0.5f);
            float row_b = floorf(w.y[b] * (1.0f / cell) + 0.5f);
            float column_a = floorf(w.x[a] * (1.0f / cell) + 0.5f);
            float column_b = floorf(w.x[b] * (1.0f / cell) + 0.5f);
            assert_true(row_a < row_b || (row_a == row_b && column_a < column_b) ||
                        (row_a == row_b && column_a == column_b && a < b));
        }
    }
    kerb_neighbour_grid_destroy(&grid);
}

// What the file says of its strides, for every ring up to a million cells: as many rows of as many
// columns as a query may have never overlap. The next row that comes as close is enough to look at.
static void rows_of_a_query_never_overlap_on_the_ring(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    for (int32_t capacity = 1; capacity <= 1 << 19; capacity *= 2) {
        kerb_neighbour_grid grid;
        assert_int_equal(kerb_neighbour_grid_create(&grid, capacity, &host, NULL), KERB_OK);
        uint32_t place = 0, mask = (uint32_t)grid.cells - 1u;
        for (int64_t rows = 1; rows < grid.cells; rows++) {
            place = (place + (uint32_t)grid.row_stride) & mask;
            int64_t apart =
                place < (uint32_t)grid.cells - place ? place : grid.cells - (int64_t)place;
            // A query of rows + 1 rows, as wide as it may be.
            int64_t columns = grid.cells / (5 * (rows + 1));
            assert_true(apart >= columns && apart > 0);
        }
        kerb_neighbour_grid_destroy(&grid);
    }
}

static int32_t longest_run(const kerb_neighbour_grid* grid) {
    int32_t most = 0;
    for (int32_t place = 0; place < grid->cells; place++) {
        int32_t items = grid->cell_begins[place + 1] - grid->cell_begins[place];
        most = items > most ? items : most;
    }
    return most;
}

// One item a cell along a line of any slope: no grid of rows and columns spreads them all.
static void a_road_of_thousands_of_cells_spreads_over_the_ring(void** state) {
    (void)state;
    enum { CARS = 5000 };
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    static float x[CARS], y[CARS];
    assert_int_equal(kerb_neighbour_grid_create(&grid, CARS, &host, NULL), KERB_OK);
    for (int32_t degrees = 0; degrees < 180; degrees += 3) {
        float slope = (float)degrees * KERB_PI / 180.0f;
        for (int32_t i = 0; i < CARS; i++) {
            x[i] = 14.2f * (float)i * kerb_cos(slope);
            y[i] = 14.2f * (float)i * kerb_sin(slope);
        }
        kerb_neighbour_grid_build(&grid, x, y, NULL, CARS, 10.0f);
        assert_true(longest_run(&grid) <= 6);
    }
    kerb_neighbour_grid_destroy(&grid);
}

static void one_item_far_away_changes_nothing_for_the_others(void** state) {
    (void)state;
    kerb_random random = test_random("outlier");
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, MOST, &host, NULL), KERB_OK);
    static world w;
    fill(&w, &random);
    w.count = MOST;
    for (int32_t i = 0; i < MOST; i++) {
        w.x[i] = kerb_random_between(&random, -50.0f, 50.0f);
        w.y[i] = kerb_random_between(&random, -50.0f, 50.0f);
        w.z[i] = 0.0f;
    }
    int32_t before[MOST], after[MOST];
    const kerb_vec3 here = {0.0f, 0.0f, 0.0f};
    kerb_neighbour_grid_build(&grid, w.x, w.y, NULL, MOST - 1, 5.0f);
    int32_t count = kerb_neighbours_within(&grid, here, 12.0f, before, MOST);
    w.x[MOST - 1] = 2.5e37f;
    kerb_neighbour_grid_build(&grid, w.x, w.y, NULL, MOST, 5.0f);
    assert_int_equal(kerb_neighbours_within(&grid, here, 12.0f, after, MOST), count);
    assert_memory_equal(before, after, (size_t)count * sizeof *before);
    kerb_neighbour_grid_destroy(&grid);
}

static void runs_hold_every_item_of_their_cells_once(void** state) {
    (void)state;
    kerb_random random = test_random("runs");
    static world w;
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, MOST, &host, NULL), KERB_OK);
    for (int32_t round = 0; round < 1000; round++) {
        fill(&w, &random);
        kerb_neighbour_grid_build(&grid, w.x, w.y, w.z, w.count, w.size * 0.2f);
        float radius = w.size * kerb_random_between(&random, 0.0f, 2.0f);
        kerb_neighbour_cells cells =
            kerb_neighbour_cells_near(&grid, somewhere(&w, &random), radius);
        char seen[MOST] = {0};
        for (int32_t row = 0; row < cells.rows; row++) {
            kerb_neighbour_range runs[2];
            kerb_neighbour_row(&grid, &cells, row, runs);
            for (int32_t i = runs[0].begin; i < runs[0].end; i++)
                assert_int_equal(seen[grid.indices[i]]++, 0);
            for (int32_t i = runs[1].begin; i < runs[1].end; i++)
                assert_int_equal(seen[grid.indices[i]]++, 0);
        }
    }
    kerb_neighbour_grid_destroy(&grid);
}

static void an_item_just_at_the_radius_and_the_edge_of_a_cell_is_found(void** state) {
    (void)state;
    const float x[] = {0.5f}, y[] = {0.5f};
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, 1 << 16, &host, NULL), KERB_OK);
    kerb_neighbour_grid_build(&grid, x, y, NULL, 1, 40.0f / 31.0f);
    for (int32_t tenths = 1; tenths < 2000; tenths++) {
        // One rounding away from the radius, on either side of the item.
        float radius = 0.1f * (float)tenths, gap = 0.5f + radius;
        int32_t found[1], expected = gap - 0.5f <= radius ? 1 : 0;
        kerb_vec3 right = kerb_vec3_make(gap, 0.5f, 0.0f);
        assert_int_equal(kerb_neighbours_within(&grid, right, radius, found, 1), expected);
        kerb_vec3 above = kerb_vec3_make(0.5f, gap, 0.0f);
        assert_int_equal(kerb_neighbours_within(&grid, above, radius, found, 1), expected);
    }
    const float edge[] = {0.5f};
    kerb_neighbour_grid_build(&grid, edge, edge, NULL, 1, 1.0f);
    int32_t found[1];
    kerb_vec3 left = kerb_vec3_make(-1.5f, 0.5f, 0.0f);
    assert_int_equal(kerb_neighbours_within(&grid, left, 2.0f, found, 1), 1);
    kerb_neighbour_grid_destroy(&grid);
}

static void distances_too_small_to_square_are_equal(void** state) {
    (void)state;
    const float x[] = {3e-21f, 1e-22f, 0.0f}, y[] = {0.0f, 0.0f, 1e-42f};
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, 3, &host, NULL), KERB_OK);
    kerb_neighbour_grid_build(&grid, x, y, NULL, 3, 1.0f);
    int32_t found[3];
    float squares[3];
    const kerb_vec3 here = {0.0f, 0.0f, 0.0f};
    assert_int_equal(kerb_neighbours_within(&grid, here, 0.0f, found, 3), 3);
    assert_int_equal(kerb_neighbours_nearest(&grid, here, 1.0f, found, squares, 3), 3);
    for (int32_t i = 0; i < 3; i++)
        assert_int_equal(found[i], i);
    kerb_neighbour_grid_destroy(&grid);
}

static void what_does_not_fit_is_still_counted(void** state) {
    (void)state;
    const float x[] = {0.0f, 1.0f, 2.0f, 3.0f}, y[] = {0.0f, 0.0f, 0.0f, 0.0f};
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, 4, &host, NULL), KERB_OK);
    kerb_neighbour_grid_build(&grid, x, y, NULL, 4, 10.0f);
    int32_t found[3] = {-1, -1, -1};
    assert_int_equal(kerb_neighbours_within(&grid, kerb_vec3_make(0, 0, 0), 9.0f, found, 2), 4);
    assert_int_equal(found[0], 0);
    assert_int_equal(found[1], 1);
    assert_int_equal(found[2], -1);
    assert_int_equal(kerb_neighbours_within(&grid, kerb_vec3_make(0, 0, 0), 9.0f, NULL, 0), 4);
    kerb_neighbour_grid_destroy(&grid);
}

static void an_empty_grid_finds_nobody(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, 7, &host, NULL), KERB_OK);
    int32_t found[2];
    float squares[2];
    const kerb_vec3 here = {0.0f, 0.0f, 0.0f};
    assert_int_equal(kerb_neighbours_within(&grid, here, INFINITY, found, 2), 0);
    kerb_neighbour_grid_build(&grid, NULL, NULL, NULL, 0, 1.0f);
    assert_int_equal(kerb_neighbours_within(&grid, here, INFINITY, found, 2), 0);
    assert_int_equal(kerb_neighbours_nearest(&grid, here, INFINITY, found, squares, 2), 0);
    kerb_neighbour_grid_destroy(&grid);
    kerb_neighbour_grid_destroy(&grid); // harmless
}

static void a_cell_size_out_of_range_still_finds_everyone(void** state) {
    (void)state;
    static const float sizes[] = {NAN, 0.0f, -3.0f, INFINITY, 1e-30f, 1e30f};
    const float x[] = {5.0f, -3.0f, 1e6f}, y[] = {0.0f, 4.0f, 0.0f};
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, 3, &host, NULL), KERB_OK);
    for (int32_t i = 0; i < 6; i++) {
        kerb_neighbour_grid_build(&grid, x, y, NULL, 3, sizes[i]);
        int32_t found[3];
        assert_int_equal(kerb_neighbours_within(&grid, kerb_vec3_make(0, 0, 0), 5.0f, found, 3), 2);
    }
    kerb_neighbour_grid_destroy(&grid);
}

static void a_grid_in_the_callers_memory_is_the_same_grid(void** state) {
    (void)state;
    _Alignas(16) static char memory[4096];
    assert_true(kerb_neighbour_grid_bytes(50) <= sizeof memory);
    memset(memory, 0x5a, sizeof memory);
    kerb_neighbour_grid grid;
    kerb_neighbour_grid_init(&grid, 50, memory);
    int32_t found[1];
    assert_int_equal(kerb_neighbours_within(&grid, kerb_vec3_make(0, 0, 0), 5.0f, found, 1), 0);
    const float x[] = {1.0f}, y[] = {2.0f};
    kerb_neighbour_grid_build(&grid, x, y, NULL, 1, 3.0f);
    assert_int_equal(kerb_neighbours_within(&grid, kerb_vec3_make(0, 0, 0), 5.0f, found, 1), 1);
    for (size_t i = kerb_neighbour_grid_bytes(50); i < sizeof memory; i++)
        assert_int_equal(memory[i], 0x5a);
    kerb_neighbour_grid_destroy(&grid); // harmless: the memory is the caller's
}

static void without_memory_there_is_no_grid_and_no_leak(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_neighbour_grid grid;
        kerb_error error;
        kerb_result result = kerb_neighbour_grid_create(&grid, 100, &host, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_neighbour_grid_destroy(&grid);
        test_allocation_check(&allocation);
    }
}

static void a_capacity_out_of_range_is_named(void** state) {
    (void)state;
    static const int32_t bad[] = {0, -1, INT32_MIN, KERB_NEIGHBOUR_CAPACITY_MAX + 1, INT32_MAX};
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < 5; i++) {
        kerb_neighbour_grid grid;
        kerb_error error;
        assert_int_equal(kerb_neighbour_grid_bytes(bad[i]), 0);
        assert_int_equal(kerb_neighbour_grid_create(&grid, bad[i], &host, &error),
                         KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, "capacity");
    }
}

int neighbour_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_find_whom_looking_at_everyone_finds),
        cmocka_unit_test(queries_find_the_same_with_denormal_numbers_flushed_to_zero),
        cmocka_unit_test(what_is_found_comes_by_row_then_column_then_index),
        cmocka_unit_test(rows_of_a_query_never_overlap_on_the_ring),
        cmocka_unit_test(a_road_of_thousands_of_cells_spreads_over_the_ring),
        cmocka_unit_test(one_item_far_away_changes_nothing_for_the_others),
        cmocka_unit_test(runs_hold_every_item_of_their_cells_once),
        cmocka_unit_test(an_item_just_at_the_radius_and_the_edge_of_a_cell_is_found),
        cmocka_unit_test(distances_too_small_to_square_are_equal),
        cmocka_unit_test(what_does_not_fit_is_still_counted),
        cmocka_unit_test(an_empty_grid_finds_nobody),
        cmocka_unit_test(a_cell_size_out_of_range_still_finds_everyone),
        cmocka_unit_test(a_grid_in_the_callers_memory_is_the_same_grid),
        cmocka_unit_test(without_memory_there_is_no_grid_and_no_leak),
        cmocka_unit_test(a_capacity_out_of_range_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
