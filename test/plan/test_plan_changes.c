// A world that changes: all parts, and plans, have the bits of a world that is set anew; queries
// are told.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/plan/search/site.h"
#include "src/plan/world/flow_parts.h"
#include "test/allocation.h"
#include "test/plan_rig.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_MOST = 260, SLOTS = 12, CORNERS = 8 };

// What the host knows: the cells, and the polygons by their indices.
typedef struct town {
    kerb_plan_limits limits;
    kerb_planner_settings settings;
    uint8_t cells[SIDE_MOST * SIDE_MOST], costs[SIDE_MOST * SIDE_MOST];
    kerb_vec2 corner[SLOTS][CORNERS];
    int32_t count[SLOTS];
    kerb_plan_world world; // with the polygons as they are now
    kerb_vec2 vertices[SLOTS * CORNERS];
    int32_t counts[SLOTS];
    float size; // half a side of the area
} town;

// --------------------------------------------------------------------------- making

static void random_polygon(town* t, int32_t slot, kerb_random* random) {
    float reach = kerb_random_between(random, 0.3f, 4.0f), most = t->size - reach;
    kerb_vec2 middle = {kerb_random_between(random, -most, most),
                        kerb_random_between(random, -most, most)};
    t->count[slot] = 3 + kerb_random_below(random, CORNERS - 2);
    for (int32_t k = 0; k < t->count[slot]; k++) {
        float angle = 2.0f * KERB_PI * (float)k / (float)t->count[slot];
        float radius = kerb_random_between(random, 0.3f, 1.0f) * reach;
        t->corner[slot][k] = kerb_vec2_make(middle.x + radius * kerb_cos(angle),
                                            middle.y + radius * kerb_sin(angle));
    }
}

// The polygons that are there, for a world that is set anew.
static void list_polygons(town* t) {
    int32_t polygons = 0, vertices = 0;
    for (int32_t i = 0; i < SLOTS; i++) {
        if (t->count[i] == 0)
            continue;
        t->counts[polygons++] = t->count[i];
        for (int32_t k = 0; k < t->count[i]; k++)
            t->vertices[vertices++] = t->corner[i][k];
    }
    t->world.vertices = t->vertices;
    t->world.vertex_counts = t->counts;
    t->world.polygon_count = polygons;
    t->world.spare_polygons = SLOTS - polygons;
    t->world.spare_corners = CORNERS;
}

static int32_t below(kerb_random* random, int32_t most) {
    return kerb_random_below(random, most + 1);
}

// A rectangle of the grid.
static kerb_plan_cells random_cells(const town* t, kerb_random* random, int32_t most) {
    const kerb_plan_world* w = &t->world;
    kerb_plan_cells c = {.column = below(random, w->columns), .row = below(random, w->rows)};
    c.columns = below(random, w->columns - c.column);
    c.rows = below(random, w->rows - c.row);
    c.columns = c.columns < most ? c.columns : below(random, most);
    c.rows = c.rows < most ? c.rows : below(random, most);
    return c;
}

static void fill_cells(town* t, const kerb_plan_cells* c, kerb_random* random) {
    int32_t kind = kerb_random_below(random, 3), noise = 2 + kerb_random_below(random, 20);
    for (int32_t y = c->row; y < c->row + c->rows; y++)
        for (int32_t x = c->column; x < c->column + c->columns; x++) {
            bool is_blocked = kind == 1 || (kind == 2 && kerb_random_below(random, noise) == 0);
            t->cells[y * t->world.columns + x] = is_blocked ? 255 : 0;
        }
}

static void make_grid(town* t, kerb_random* random, int32_t most) {
    kerb_plan_world* w = &t->world;
    w->columns = 2 + kerb_random_below(random, most - 1);
    w->rows = 2 + kerb_random_below(random, most - 1);
    w->cell_size = kerb_random_between(random, 0.2f, 1.5f);
    w->origin = kerb_vec2_make(kerb_random_between(random, -40.0f, 10.0f),
                               kerb_random_between(random, -40.0f, 10.0f));
    w->cells = t->cells;
    for (int32_t i = kerb_random_below(random, 12); i > 0; i--) {
        kerb_plan_cells c = random_cells(t, random, 10);
        fill_cells(t, &c, random);
    }
    if (kerb_random_below(random, 3) != 0)
        return;
    w->cost_map = t->costs;
    w->cost_per_metre = 0.2f;
}

static void make_town(town* t, kerb_random* random, int32_t most) {
    memset(t, 0, sizeof *t);
    t->limits = kerb_plan_limits_default();
    t->limits.reverse_speed_max = 3.0f;
    t->limits.turning_radius = kerb_random_between(random, 2.0f, 5.0f);
    t->limits.width = kerb_random_between(random, 0.5f, 2.2f);
    t->settings = kerb_planner_settings_default();
    t->settings.improvement = 60;
    t->settings.nodes = 4096;
    t->settings.expansions = 1500;
    t->settings.field_cells = kerb_random_below(random, 4) == 0 ? 3000 : 200000;
    t->size = kerb_random_between(random, 10.0f, 30.0f);
    t->world.area_min = kerb_vec2_make(-t->size, -t->size);
    t->world.area_max = kerb_vec2_make(t->size, t->size);
    int32_t kind = kerb_random_below(random, 3);
    if (kind != 1)
        make_grid(t, random, most);
    for (int32_t i = 0; kind != 0 && i < SLOTS / 2; i++)
        random_polygon(t, i, random);
    if (kerb_random_below(random, 3) == 0) {
        t->world.box_min = kerb_vec2_make(-28.0f, -28.0f);
        t->world.box_max = kerb_vec2_make(28.0f, 28.0f);
    }
    list_polygons(t);
}

static void set_up(kerb_planner* planner, const town* t) {
    const kerb_host host = kerb_host_default();
    kerb_error error;
    assert_int_equal(kerb_planner_create(planner, &t->limits, &t->settings, &host, NULL), KERB_OK);
    if (kerb_planner_set_world(planner, &t->world, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
}

// --------------------------------------------------------------------------- changing

static void change_cells(town* t, kerb_planner* planner, kerb_random* random) {
    static uint8_t cells[SIDE_MOST * SIDE_MOST], costs[SIDE_MOST * SIDE_MOST];
    kerb_plan_cells c = random_cells(t, random, kerb_random_below(random, 8) == 0 ? SIDE_MOST : 12);
    fill_cells(t, &c, random);
    c.cells = cells;
    c.cost_map = t->world.cost_map ? costs : NULL;
    for (int32_t i = 0; i < c.columns * c.rows; i++) {
        int32_t at = (c.row + i / c.columns) * t->world.columns + c.column + i % c.columns;
        cells[i] = t->cells[at];
        costs[i] = t->costs[at] = (uint8_t)kerb_random_below(random, 256);
    }
    assert_int_equal(kerb_planner_change_cells(planner, &c, NULL), KERB_OK);
}

// Indices of the planner are those of the world that it was set with: those that were there first.
static void change_polygon(town* t, kerb_planner* planner, kerb_random* random) {
    int32_t slot = kerb_random_below(random, SLOTS);
    if (t->count[slot] > 0 && kerb_random_below(random, 3) == 0)
        t->count[slot] = 0;
    else
        random_polygon(t, slot, random);
    assert_int_equal(
        kerb_planner_change_polygon(planner, slot, t->corner[slot], t->count[slot], NULL), KERB_OK);
}

static void change(town* t, kerb_planner* planner, kerb_random* random) {
    if (t->world.cells && kerb_random_below(random, 2) == 0)
        change_cells(t, planner, random);
    else
        change_polygon(t, planner, random);
    list_polygons(t);
}

// --------------------------------------------------------------------------- comparing

static const plan_regions* regions_of(const plan_site* s) {
    return (const plan_regions*)(const void*)((const char*)s + s->regions);
}

static void compare_world(const plan_world* a, const plan_world* b, int32_t trial) {
    size_t cells = (size_t)a->field_columns * (size_t)a->field_rows;
    size_t words = (size_t)a->field_words * (size_t)a->field_rows;
    assert_int_equal(a->field_columns, b->field_columns);
    assert_int_equal(a->field_rows, b->field_rows);
    if (memcmp(kerb_in_plan_world_at(a, a->blocked), kerb_in_plan_world_at(b, b->blocked),
               words * sizeof(uint64_t)) != 0)
        fail_msg("town %d: other cells are marked", (int)trial);
    if (memcmp(kerb_in_plan_world_at(a, a->field), kerb_in_plan_world_at(b, b->field), cells) != 0)
        fail_msg("town %d: the field differs", (int)trial);
}

static void compare_regions(const plan_regions* a, const plan_regions* b, int32_t trial) {
    size_t words = (size_t)a->words * (size_t)a->rows;
    if (memcmp(kerb_in_plan_regions_open(a), kerb_in_plan_regions_open(b),
               words * sizeof(uint64_t)) != 0)
        fail_msg("town %d: other cells are open", (int)trial);
    assert_int_equal(a->pieces, b->pieces);
    size_t tiles = (size_t)a->tile_columns * (size_t)a->tile_rows * sizeof(plan_tile);
    size_t pieces = (size_t)a->pieces * sizeof(int32_t);
    if (memcmp((const char*)a + a->tile, (const char*)b + b->tile, tiles) != 0 ||
        memcmp((const char*)a + a->parent, (const char*)b + b->parent, pieces) != 0)
        fail_msg("town %d: the regions differ", (int)trial);
}

static void compare_flow(plan_flow* a, plan_flow* b, int32_t trial) {
    for (int32_t kind = 0; kind < 2; kind++) {
        a->kind = b->kind = kind;
        plan_flow_parts va = kerb_in_plan_flow_parts_of(a), vb = kerb_in_plan_flow_parts_of(b);
        size_t count = (size_t)va.count;
        if (memcmp(va.price[0], vb.price[0], count) != 0 ||
            memcmp(va.price[1], vb.price[1], count) != 0 || memcmp(va.split, vb.split, count) != 0)
            fail_msg("town %d: rooms of kind %d differ", (int)trial, (int)kind);
        if (memcmp(va.room_of, vb.room_of, kerb_in_plan_flow_room_bytes(a)) != 0)
            fail_msg("town %d: parts of rooms of kind %d differ", (int)trial, (int)kind);
        assert_int_equal(a->has_splits[kind], b->has_splits[kind]);
    }
}

static void compare_sites(const kerb_planner* a, const kerb_planner* b, int32_t trial) {
    plan_site *x = a->world_memory, *y = b->world_memory;
    compare_world(kerb_in_plan_site_world(x), kerb_in_plan_site_world(y), trial);
    compare_regions(regions_of(x), regions_of(y), trial);
    compare_flow((plan_flow*)(void*)((char*)x + x->flow), (plan_flow*)(void*)((char*)y + y->flow),
                 trial);
}

static void all_parts_have_the_bits_of_a_world_that_is_set_anew(void** state) {
    (void)state;
    static town t;
    kerb_random random = test_random("plan_changes_parts");
    const int32_t towns = test_share(150, 20);
    int32_t changes = 0;
    for (int32_t trial = 0; trial < towns; trial++) {
        make_town(&t, &random, trial % 8 == 0 ? SIDE_MOST : 50);
        kerb_planner changed, anew;
        set_up(&changed, &t);
        for (int32_t i = 0; i < 20; i++, changes++) {
            change(&t, &changed, &random);
            set_up(&anew, &t);
            compare_sites(&changed, &anew, trial);
            kerb_planner_destroy(&anew);
        }
        kerb_planner_destroy(&changed);
    }
    print_message("%d changes in %d towns\n", (int)changes, (int)towns);
}

static kerb_plan_end random_end(kerb_random* random, float size) {
    return kerb_plan_end_make(kerb_random_between(random, -size, size),
                              kerb_random_between(random, -size, size),
                              kerb_random_between(random, -KERB_PI, KERB_PI), 0.0f);
}

static kerb_plan_outcome run(kerb_planner* planner, const kerb_plan_query* query) {
    assert_int_equal(kerb_planner_begin(planner, query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(planner, 1000);
    return outcome;
}

static bool is_same(const kerb_plan* a, const kerb_plan* b) {
    return a->count == b->count && a->steps == b->steps && a->expansions == b->expansions &&
           a->method == b->method && memcmp(&a->cost, &b->cost, sizeof a->cost) == 0 &&
           memcmp(&a->lower_bound, &b->lower_bound, sizeof a->cost) == 0 &&
           memcmp(a->pieces, b->pieces, (size_t)a->count * sizeof *a->pieces) == 0;
}

// Queries run between the changes, so that what they leave in the memory has no effect.
static void plans_have_the_bits_of_those_in_a_world_that_is_set_anew(void** state) {
    (void)state;
    static town t;
    kerb_random random = test_random("plan_changes_plans");
    const int32_t towns = test_share(60, 8);
    int32_t found = 0, searched = 0, none = 0;
    for (int32_t trial = 0; trial < towns; trial++) {
        make_town(&t, &random, 50);
        kerb_planner changed, anew;
        set_up(&changed, &t);
        for (int32_t i = 0; i < 8; i++) {
            kerb_plan_end start = random_end(&random, t.size), goal = random_end(&random, t.size);
            kerb_plan_query query = {&start, &goal, 1, 1};
            change(&t, &changed, &random);
            change(&t, &changed, &random);
            set_up(&anew, &t);
            kerb_plan_outcome outcome = run(&changed, &query);
            assert_int_equal(outcome, run(&anew, &query));
            kerb_plan a = kerb_planner_get_plan(&changed), b = kerb_planner_get_plan(&anew);
            if (!is_same(&a, &b))
                fail_msg("town %d has another plan", (int)trial);
            found += outcome == KERB_PLAN_FOUND;
            none += outcome == KERB_PLAN_NO_PATH;
            searched += a.expansions > 0;
            kerb_planner_destroy(&anew);
        }
        kerb_planner_destroy(&changed);
    }
    print_message("%d found, %d by search, %d have no path\n", (int)found, (int)searched,
                  (int)none);
    assert_true(found > towns && searched > towns);
}

// --------------------------------------------------------------------------- a door

enum { HALL = 40 };

typedef struct hall {
    uint8_t cells[HALL * HALL];
    kerb_plan_limits limits;
    kerb_plan_world world;
    kerb_plan_end start, goal;
    kerb_plan_query query;
} hall;

// Two rooms of 20 m by 40 m with a wall between, and a door of 4 m in it.
static void make_hall(hall* h) {
    memset(h, 0, sizeof *h);
    h->limits = kerb_plan_limits_default();
    h->limits.reverse_speed_max = 3.0f;
    for (int32_t y = 0; y < HALL; y++)
        h->cells[y * HALL + 20] = y < 30 || y >= 34 ? 255 : 0;
    h->world = (kerb_plan_world){.cells = h->cells,
                                 .columns = HALL,
                                 .rows = HALL,
                                 .cell_size = 1.0f,
                                 .box_max = {(float)HALL, (float)HALL},
                                 .spare_polygons = 2,
                                 .spare_corners = 4};
    h->start = kerb_plan_end_make(5.0f, 8.0f, 0.0f, 0.0f);
    h->goal = kerb_plan_end_make(33.0f, 8.0f, 0.0f, 0.0f);
    h->query = (kerb_plan_query){&h->start, &h->goal, 1, 1};
}

static void begin(kerb_planner* planner, const hall* h, const kerb_host* host) {
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 500;
    settings.nodes = 20000;
    assert_int_equal(kerb_planner_create(planner, &h->limits, &settings, host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(planner, &h->world, NULL), KERB_OK);
}

static void a_door_that_closes_leaves_no_path_and_one_that_opens_leads_through(void** state) {
    (void)state;
    static hall h;
    make_hall(&h);
    kerb_planner planner;
    const kerb_host host = kerb_host_default();
    begin(&planner, &h, &host);
    const uint8_t closed[4] = {255, 255, 255, 255}, opened[4] = {0};
    kerb_plan_cells door = {.column = 20, .row = 30, .columns = 1, .rows = 4, .cells = closed};
    const kerb_vec2 car[4] = {{19.0f, 29.5f}, {22.0f, 29.5f}, {22.0f, 34.5f}, {19.0f, 34.5f}};
    for (int32_t i = 0; i < 3; i++) {
        assert_int_equal(run(&planner, &h.query), KERB_PLAN_FOUND);
        door.cells = closed;
        assert_int_equal(kerb_planner_change_cells(&planner, &door, NULL), KERB_OK);
        assert_int_equal(run(&planner, &h.query), KERB_PLAN_NO_PATH);
        door.cells = opened;
        assert_int_equal(kerb_planner_change_cells(&planner, &door, NULL), KERB_OK);
        assert_int_equal(run(&planner, &h.query), KERB_PLAN_FOUND);
        assert_int_equal(kerb_planner_change_polygon(&planner, i % 2, car, 4, NULL), KERB_OK);
        assert_int_equal(run(&planner, &h.query), KERB_PLAN_NO_PATH);
        assert_int_equal(kerb_planner_change_polygon(&planner, i % 2, NULL, 0, NULL), KERB_OK);
    }
    kerb_planner_destroy(&planner);
}

static void* copied(const void* memory, size_t bytes) {
    void* copy = malloc((bytes + 63) / 64 * 64);
    assert_non_null(copy);
    memcpy(copy, memory, bytes);
    return copy;
}

// The copy's memory is malloc's, which is aligned enough for what lies in it.
static void a_running_query_ends_with_its_plan_and_a_copy_goes_on_in_the_old_world(void** state) {
    (void)state;
    static hall h;
    make_hall(&h);
    kerb_planner planner, undisturbed;
    const kerb_host host = kerb_host_default();
    begin(&planner, &h, &host);
    begin(&undisturbed, &h, &host);
    assert_int_equal(kerb_planner_begin(&planner, &h.query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (kerb_planner_get_plan(&planner).count == 0)
        outcome = kerb_planner_advance(&planner, 10);
    assert_int_equal(outcome, KERB_PLAN_RUNNING);
    kerb_planner copy = planner;
    copy.memory = copied(planner.memory, planner.bytes);
    copy.world_memory = copied(planner.world_memory, planner.world_bytes);
    kerb_plan before = kerb_planner_get_plan(&planner);
    const uint8_t closed[4] = {255, 255, 255, 255};
    kerb_plan_cells door = {.column = 20, .row = 30, .columns = 1, .rows = 4, .cells = closed};
    assert_int_equal(kerb_planner_change_cells(&planner, &door, NULL), KERB_OK);
    assert_int_equal(kerb_planner_advance(&planner, 100), KERB_PLAN_WORLD_CHANGED);
    kerb_plan after = kerb_planner_get_plan(&planner);
    assert_true(is_same(&before, &after));
    assert_int_equal(kerb_planner_get_tree(&planner).count, 0);
    kerb_error error;
    for (int32_t y = 30; y < 34; y++)
        h.cells[y * HALL + 20] = 255;
    assert_int_not_equal(kerb_plan_check(&h.limits, &h.query, &h.world, &after, &error), KERB_OK);
    assert_string_equal(error.field, "world");
    outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(&copy, 77);
    assert_int_equal(outcome, run(&undisturbed, &h.query));
    kerb_plan a = kerb_planner_get_plan(&copy), b = kerb_planner_get_plan(&undisturbed);
    assert_true(is_same(&a, &b));
    free(copy.memory);
    free(copy.world_memory);
    kerb_planner_destroy(&planner);
    kerb_planner_destroy(&undisturbed);
}

static void a_query_that_has_ended_keeps_its_outcome(void** state) {
    (void)state;
    static hall h;
    make_hall(&h);
    kerb_planner planner;
    const kerb_host host = kerb_host_default();
    begin(&planner, &h, &host);
    assert_int_equal(run(&planner, &h.query), KERB_PLAN_FOUND);
    const kerb_vec2 car[3] = {{1.0f, 1.0f}, {3.0f, 1.0f}, {1.0f, 3.0f}};
    assert_int_equal(kerb_planner_change_polygon(&planner, 1, car, 3, NULL), KERB_OK);
    assert_int_equal(kerb_planner_advance(&planner, 10), KERB_PLAN_FOUND);
    assert_true(kerb_planner_get_plan(&planner).count > 0);
    assert_int_equal(kerb_planner_get_partial_plan(&planner).goal, 0);
    kerb_planner_destroy(&planner);
}

static void a_search_with_speed_is_told_too(void** state) {
    (void)state;
    static hall h;
    make_hall(&h);
    kerb_plan_search search;
    const kerb_host host = kerb_host_default();
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.last_weight = settings.weight;
    assert_int_equal(kerb_plan_search_create(&search, &h.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_set_world(&search, &h.world, NULL), KERB_OK);
    const uint8_t closed[4] = {255, 255, 255, 255};
    kerb_plan_cells door = {.column = 20, .row = 30, .columns = 1, .rows = 4, .cells = closed};
    const kerb_vec2 car[3] = {{1.0f, 31.0f}, {3.0f, 31.0f}, {1.0f, 33.0f}};
    assert_int_equal(kerb_plan_search_begin(&search, &h.query, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_advance(&search, 3), KERB_PLAN_RUNNING);
    assert_int_equal(kerb_plan_search_change_polygon(&search, 0, car, 3, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_advance(&search, 3), KERB_PLAN_WORLD_CHANGED);
    assert_int_equal(kerb_plan_search_change_cells(&search, &door, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_begin(&search, &h.query, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_advance(&search, 100000), KERB_PLAN_NO_PATH);
    kerb_plan_search_destroy(&search);
}

// --------------------------------------------------------------------------- bad changes

static void expect_cells(kerb_planner* planner, kerb_plan_cells cells, kerb_result result,
                         const char* field) {
    kerb_error error = {.result = KERB_OK};
    assert_int_equal(kerb_planner_change_cells(planner, &cells, &error), result);
    assert_string_equal(error.field, field);
}

static void expect_polygon(kerb_planner* planner, int32_t polygon, const kerb_vec2* vertices,
                           int32_t count, kerb_result result, const char* field, int32_t index) {
    kerb_error error = {.result = KERB_OK};
    assert_int_equal(kerb_planner_change_polygon(planner, polygon, vertices, count, &error),
                     result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
}

static void bad_changes_are_refused_and_change_nothing(void** state) {
    (void)state;
    static hall h;
    make_hall(&h);
    kerb_planner planner;
    test_allocation allocation = test_allocation_make();
    const kerb_host host = test_allocation_host(&allocation);
    begin(&planner, &h, &host);
    int32_t calls = allocation.calls;
    const uint8_t value[HALL] = {255};
    const kerb_result range = KERB_ERROR_OUT_OF_RANGE;
    assert_int_equal(kerb_planner_begin(&planner, &h.query, NULL), KERB_OK);
    expect_cells(&planner, (kerb_plan_cells){-1, 0, 1, 1, value, NULL}, range, "column");
    expect_cells(&planner, (kerb_plan_cells){HALL + 1, 0, 0, 1, value, NULL}, range, "column");
    expect_cells(&planner, (kerb_plan_cells){0, -1, 1, 1, value, NULL}, range, "row");
    expect_cells(&planner, (kerb_plan_cells){1, 0, HALL, 1, value, NULL}, range, "columns");
    expect_cells(&planner, (kerb_plan_cells){1, 0, -1, 1, value, NULL}, range, "columns");
    expect_cells(&planner, (kerb_plan_cells){0, 2, 1, INT32_MAX, value, NULL}, range, "rows");
    expect_cells(&planner, (kerb_plan_cells){0, 0, 1, 1, NULL, value}, KERB_ERROR_MISSING_FIELD,
                 "cost_map");
    const kerb_vec2 car[5] = {{1, 1}, {3, 1}, {3, 2}, {2, 2}, {1, 2}};
    kerb_vec2 far[3] = {{1, 1}, {3, 1}, {1, (float)HALL + 0.5f}};
    expect_polygon(&planner, -1, car, 4, range, "polygon", -1);
    expect_polygon(&planner, 2, car, 4, range, "polygon", -1);
    expect_polygon(&planner, 0, car, 2, KERB_ERROR_TOO_FEW, "count", -1);
    expect_polygon(&planner, 0, car, 5, KERB_ERROR_TOO_MANY, "count", -1);
    expect_polygon(&planner, 0, NULL, 3, KERB_ERROR_MISSING_FIELD, "vertices", -1);
    expect_polygon(&planner, 0, far, 3, range, "vertices", 2);
    far[1].x = KERB_NO_CURVE * 1e30f; // infinite
    expect_polygon(&planner, 0, far, 3, KERB_ERROR_NOT_FINITE, "vertices", 1);
    assert_int_equal(kerb_planner_advance(&planner, 1), KERB_PLAN_RUNNING);
    assert_int_equal(run(&planner, &h.query), KERB_PLAN_FOUND);
    assert_int_equal(kerb_planner_change_polygon(&planner, 0, car, 4, NULL), KERB_OK);
    assert_int_equal(allocation.calls, calls);
    assert_int_equal(kerb_planner_set_world(&planner, NULL, NULL), KERB_OK);
    expect_cells(&planner, (kerb_plan_cells){0, 0, 1, 1, value, NULL}, KERB_ERROR_MISSING_FIELD,
                 "world");
    expect_polygon(&planner, 0, car, 4, KERB_ERROR_MISSING_FIELD, "world", -1);
    kerb_planner_destroy(&planner);
    test_allocation_check(&allocation);
}

static void expect_world(const hall* h, kerb_plan_world world, const char* field) {
    kerb_planner planner;
    kerb_error error = {.result = KERB_OK};
    const kerb_host host = kerb_host_default();
    begin(&planner, h, &host);
    assert_int_equal(kerb_planner_set_world(&planner, &world, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, field);
    kerb_planner_destroy(&planner);
}

static void bad_room_for_changes_is_refused(void** state) {
    (void)state;
    static hall h;
    make_hall(&h);
    kerb_plan_world w = {.spare_polygons = -1, .spare_corners = 4, .area_max = {9.0f, 9.0f}};
    expect_world(&h, w, "spare_polygons");
    w.spare_polygons = 1000001;
    expect_world(&h, w, "spare_polygons");
    w.spare_polygons = 5;
    w.spare_corners = 2;
    expect_world(&h, w, "spare_corners");
    w.spare_corners = 1001;
    expect_world(&h, w, "spare_corners");
    w.spare_corners = 4;
    w.area_min.x = 10.0f;
    expect_world(&h, w, "area_max");
    w.area_min = w.area_max;
    expect_world(&h, w, "area_max");
    w.area_min.y = -2e6f;
    expect_world(&h, w, "area_min");
}

int plan_changes_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_parts_have_the_bits_of_a_world_that_is_set_anew),
        cmocka_unit_test(plans_have_the_bits_of_those_in_a_world_that_is_set_anew),
        cmocka_unit_test(a_door_that_closes_leaves_no_path_and_one_that_opens_leads_through),
        cmocka_unit_test(a_running_query_ends_with_its_plan_and_a_copy_goes_on_in_the_old_world),
        cmocka_unit_test(a_query_that_has_ended_keeps_its_outcome),
        cmocka_unit_test(a_search_with_speed_is_told_too),
        cmocka_unit_test(bad_changes_are_refused_and_change_nothing),
        cmocka_unit_test(bad_room_for_changes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
