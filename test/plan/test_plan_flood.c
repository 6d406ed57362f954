// What a planner says of ways that there are not, against a flood over the map: every no_path is
// proven, and what is proven is said at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/grid_map.h"
#include "scene/plan/plan_flood.h"
#include "scene/plan/planning.h"
#include "test/plan_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40 };

typedef struct counts {
    int32_t found, no_path, cut_off, spent;
} counts;

static kerb_plan_outcome ask(kerb_planner* planner, const kerb_plan_end* from,
                             const kerb_plan_end* to, int32_t* expansions) {
    const kerb_plan_query query = {from, to, 1, 1};
    assert_int_equal(kerb_planner_begin(planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(planner, 1000);
    *expansions = kerb_planner_get_plan(planner).expansions;
    return outcome;
}

static void expect_told(kerb_planner* planner, const kerb_scene_plan_flood* flood,
                        const kerb_plan_end* from, const kerb_plan_end* to, counts* c) {
    int32_t expansions;
    kerb_plan_outcome outcome = ask(planner, from, to, &expansions);
    kerb_scene_plan_flooded flooded =
        kerb_scene_plan_flood_between(flood, from->pose.position, to->pose.position);
    if (outcome == KERB_PLAN_START_BLOCKED || outcome == KERB_PLAN_GOAL_BLOCKED)
        return;
    c->found += outcome == KERB_PLAN_FOUND;
    c->no_path += outcome == KERB_PLAN_NO_PATH;
    c->spent += outcome == KERB_PLAN_BUDGET_SPENT;
    c->cut_off += flooded == KERB_SCENE_PLAN_CUT_OFF;
    if ((outcome == KERB_PLAN_NO_PATH) != (flooded == KERB_SCENE_PLAN_CUT_OFF))
        fail_msg("%s, though a flood says %s", kerb_plan_outcome_text(outcome),
                 flooded == KERB_SCENE_PLAN_CUT_OFF ? "there is no way" : "there may be one");
    if (outcome == KERB_PLAN_NO_PATH)
        assert_int_equal(expansions, 0);
}

static kerb_plan_end random_end(kerb_random* random, const kerb_plan_world* w) {
    return kerb_plan_end_make(kerb_random_between(random, w->box_min.x, w->box_max.x),
                              kerb_random_between(random, w->box_min.y, w->box_max.y),
                              kerb_random_between(random, -KERB_PI, KERB_PI), 0.0f);
}

static void expect_world(const kerb_plan_world* world, kerb_random* random, int32_t pairs,
                         counts* c) {
    const kerb_host host = kerb_host_default();
    const kerb_plan_limits limits = kerb_scene_plan_cell_car();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 0;
    settings.expansions = 3000;
    kerb_planner planner;
    kerb_scene_plan_flood flood;
    assert_true(kerb_scene_plan_flood_make(world, &limits, &flood));
    assert_int_equal(kerb_planner_create(&planner, &limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&planner, world, NULL), KERB_OK);
    for (int32_t i = 0; i < pairs; i++) {
        kerb_plan_end from = random_end(random, world), to = random_end(random, world);
        expect_told(&planner, &flood, &from, &to, c);
    }
    kerb_planner_destroy(&planner);
    kerb_scene_plan_flood_free(&flood);
}

static void make_walls(kerb_random* random, uint8_t* cells) {
    memset(cells, 0, SIDE * SIDE);
    for (int32_t i = 0; i < 45; i++) {
        int32_t x = kerb_random_below(random, SIDE), y = kerb_random_below(random, SIDE);
        int32_t length = 3 + kerb_random_below(random, 18), along = kerb_random_below(random, 2);
        for (int32_t k = 0; k < length; k++) {
            int32_t px = x + (along ? k : 0), py = y + (along ? 0 : k);
            if (px < SIDE && py < SIDE)
                cells[py * SIDE + px] = 255;
        }
    }
}

static void among_random_walls_no_path_is_said_exactly_where_a_flood_proves_it(void** state) {
    (void)state;
    kerb_random random = test_random("plan_flood");
    static uint8_t cells[SIDE * SIDE];
    counts c = {0};
    for (int32_t i = 0; i < 15; i++) {
        make_walls(&random, cells);
        const kerb_plan_world world = {.cells = cells,
                                       .columns = SIDE,
                                       .rows = SIDE,
                                       .cell_size = 1.0f,
                                       .origin = {-7.0f, 3.0f},
                                       .box_min = {-7.0f, 3.0f},
                                       .box_max = {33.0f, 43.0f}};
        expect_world(&world, &random, 60, &c);
    }
    if (c.no_path < 8 || c.found < 8)
        fail_msg("%d without a way, %d with one: too few to say", (int)c.no_path, (int)c.found);
}

static bool read_map(const char* name, kerb_io_grid_map* map) {
    const kerb_host host = kerb_host_default();
    char path[512];
    snprintf(path, sizeof path, "%s/../shared/data/maps/%s", KERB_SOURCE_DIR, name);
    FILE* file = fopen(path, "rb");
    if (!file)
        return false;
    static char text[1 << 20];
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_int_equal(kerb_io_grid_map_read_movingai(map, text, size, &host, NULL, NULL), KERB_OK);
    return true;
}

static void in_real_streets_so_it_is(void** state) {
    (void)state;
    kerb_random random = test_random("plan_flood_streets");
    const kerb_host host = kerb_host_default();
    kerb_io_grid_map map;
    if (!read_map("Berlin_0_256.map", &map)) {
        print_message("skipped: ../shared/data with maps of streets is not here\n");
        skip();
    }
    const kerb_plan_world world = {.cells = map.cells,
                                   .columns = map.columns,
                                   .rows = map.rows,
                                   .cell_size = 1.0f,
                                   .box_max = {(float)map.columns, (float)map.rows}};
    counts c = {0};
    expect_world(&world, &random, 60, &c);
    assert_true(c.found >= 10);
    kerb_io_grid_map_destroy(&map, &host);
}

// A circle of 0.4 m comes through a gap of a cell, not through one where cells touch at corners.
static void a_gap_connects_and_touching_corners_part(void** state) {
    (void)state;
    uint8_t cells[8 * 8] = {0};
    const kerb_plan_limits limits = kerb_scene_plan_cell_car();
    const kerb_plan_world world = {
        .cells = cells, .columns = 8, .rows = 8, .cell_size = 1.0f, .box_max = {8.0f, 8.0f}};
    for (int32_t i = 0; i < 8; i++)
        cells[i * 8 + (i < 4 ? 3 : 4)] = 255; // corner to corner in the middle
    kerb_scene_plan_flood flood;
    const kerb_vec2 left = {1.5f, 4.0f}, right = {6.5f, 4.0f}, away = {9.0f, 4.0f};
    assert_true(kerb_scene_plan_flood_make(&world, &limits, &flood));
    assert_int_equal(kerb_scene_plan_flood_between(&flood, left, right), KERB_SCENE_PLAN_CUT_OFF);
    assert_int_equal(kerb_scene_plan_flood_between(&flood, left, left),
                     KERB_SCENE_PLAN_MAY_CONNECT);
    assert_int_equal(kerb_scene_plan_flood_between(&flood, left, away), KERB_SCENE_PLAN_UNKNOWN);
    assert_int_equal(flood.regions, 2);
    kerb_scene_plan_flood_free(&flood);
    cells[2 * 8 + 3] = 0;
    assert_true(kerb_scene_plan_flood_make(&world, &limits, &flood));
    assert_int_equal(kerb_scene_plan_flood_between(&flood, left, right),
                     KERB_SCENE_PLAN_MAY_CONNECT);
    kerb_scene_plan_flood_free(&flood);
}

int plan_flood_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_connects_and_touching_corners_part),
        cmocka_unit_test(among_random_walls_no_path_is_said_exactly_where_a_flood_proves_it),
        cmocka_unit_test(in_real_streets_so_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
