// Ground that may be driven on but had better not: what it costs counts in all that a planner does.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

enum { SIDE = 80 };

typedef struct lawn {
    kerb_plan_limits limits;
    kerb_plan_world world;
    kerb_plan_end start, goal;
    uint8_t cells[SIDE * SIDE], prices[SIDE * SIDE];
    kerb_planner planner;
} lawn;

static void begin(lawn* l, float price) {
    memset(l, 0, sizeof *l);
    l->limits = kerb_plan_limits_default();
    l->world = (kerb_plan_world){.cost_map = l->prices,
                                 .cost_per_metre = price,
                                 .columns = SIDE,
                                 .rows = SIDE,
                                 .cell_size = 1.0f,
                                 .box_max = {(float)SIDE, (float)SIDE}};
    l->start = kerb_plan_end_make(5.0f, 40.0f, 0.0f, 0.0f);
    l->goal = kerb_plan_end_make(72.0f, 40.0f, 0.0f, 0.0f);
}

static void fill(uint8_t* cells, uint8_t value, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    for (int32_t y = y0; y < y1; y++)
        memset(cells + (ptrdiff_t)y * SIDE + x0, value, (size_t)(x1 - x0));
}

static kerb_plan plan(lawn* l, int32_t improvement) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_plan_query query = {&l->start, &l->goal, 1, 1};
    kerb_error error;
    settings.improvement = improvement;
    settings.nodes = 40000;
    settings.field_cells = 100000;
    kerb_planner_destroy(&l->planner);
    assert_int_equal(kerb_planner_create(&l->planner, &l->limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&l->planner, &l->world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&l->planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    float cost = KERB_PLAN_NEVER;
    while (outcome == KERB_PLAN_RUNNING) {
        outcome = kerb_planner_advance(&l->planner, 100);
        kerb_plan now = kerb_planner_get_plan(&l->planner);
        assert_true(now.count == 0 || now.cost <= cost * 1.001f + 0.1f * l->world.cost_per_metre);
        cost = now.count > 0 ? now.cost : cost;
    }
    assert_int_equal(outcome, KERB_PLAN_FOUND);
    kerb_plan found = kerb_planner_get_plan(&l->planner);
    if (kerb_plan_check(&l->limits, &query, &l->world, &found, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
    return found;
}

// How far beside the straight line it comes.
static double widest(const kerb_plan* p) {
    double most = 0.0;
    for (int32_t i = 0; i <= 500; i++) {
        kerb_plan_state s = kerb_plan_at(p, p->time * (float)i / 500.0f);
        most = fmax(most, fabs((double)s.pose.position.y - 40.0));
    }
    return most;
}

static double highest(const kerb_plan* p) {
    double most = 0.0;
    for (int32_t i = 0; i <= 300; i++)
        most = fmax(most, (double)kerb_plan_at(p, p->time * (float)i / 300.0f).pose.position.y);
    return most;
}

static void a_straight_over_a_lawn_pays_by_the_metre(void** state) {
    (void)state;
    static lawn l;
    begin(&l, 0.2f);
    fill(l.prices, 255, 20, 0, 30, SIDE); // from one side to the other: there is no way round
    kerb_plan p = plan(&l, 500);
    assert_true(fabs((double)p.ground_cost - 0.2 * 10.0) < 0.02);
    assert_true(fabs((double)(p.cost - p.time - p.ground_cost)) < 1e-4);
    fill(l.prices, 51, 20, 0, 30, SIDE); // a fifth of it
    assert_true(fabs((double)plan(&l, 500).ground_cost - 0.2 * 10.0 / 5.0) < 0.01);
    kerb_planner_destroy(&l.planner);
}

static void it_keeps_off_the_grass_where_that_is_worth_it(void** state) {
    (void)state;
    static lawn l;
    begin(&l, 1.0f);
    fill(l.prices, 255, 25, 28, 50, 52); // 25 m by 24 m in the way
    kerb_plan dear = plan(&l, 4000);
    assert_true(dear.ground_cost < 1.5f); // 25 s straight across
    assert_true(widest(&dear) > 11.0);
    l.world.cost_per_metre = 0.002f; // 0.05 s straight across
    kerb_plan cheap = plan(&l, 4000);
    assert_true(widest(&cheap) < 1.0);
    assert_true(cheap.cost < dear.cost && cheap.time < dear.time);
    kerb_planner_destroy(&l.planner);
}

static void among_obstacles_too_and_in_what_improves_a_way(void** state) {
    (void)state;
    static lawn l;
    begin(&l, 0.5f);
    l.world.cells = l.cells;
    fill(l.cells, 255, 36, 20, 40, 60);                    // a wall, with room above and below
    fill(l.prices, 255, 30, 0, 46, 24);                    // grass below
    l.start = kerb_plan_end_make(5.0f, 34.0f, 0.0f, 0.0f); // from where below is nearer
    l.goal = kerb_plan_end_make(72.0f, 34.0f, 0.0f, 0.0f);
    kerb_plan p = plan(&l, 3000);
    assert_true(highest(&p) > 60.0);
    assert_true(p.ground_cost < 0.01f);
    l.world.cost_map = NULL;
    p = plan(&l, 3000);
    assert_true(p.ground_cost == 0.0f);
    assert_true(highest(&p) < 36.0);
    kerb_planner_destroy(&l.planner);
}

static void no_price_is_no_price(void** state) {
    (void)state;
    static lawn l;
    begin(&l, 5.0f);
    float free_cost = plan(&l, 800).cost;
    l.world = (kerb_plan_world){.box_min = {0.0f, 0.0f}, .box_max = {(float)SIDE, (float)SIDE}};
    assert_true(fabs((double)(plan(&l, 800).cost - free_cost)) < 1e-4);
    kerb_planner_destroy(&l.planner);
}

static void the_checker_adds_up_tolls_itself(void** state) {
    (void)state;
    static lawn l;
    kerb_error error;
    begin(&l, 0.2f);
    fill(l.prices, 255, 20, 0, 30, SIDE);
    kerb_plan p = plan(&l, 0);
    kerb_plan_query query = {&l.start, &l.goal, 1, 1};
    p.ground_cost += 0.5f;
    p.cost += 0.5f;
    assert_int_equal(kerb_plan_check(&l.limits, &query, &l.world, &p, &error),
                     KERB_ERROR_CONTRADICTION);
    assert_string_equal(error.field, "ground_cost");
    p.ground_cost -= 0.5f;
    assert_int_equal(kerb_plan_check(&l.limits, &query, &l.world, &p, &error),
                     KERB_ERROR_CONTRADICTION);
    assert_string_equal(error.field, "cost");
    kerb_planner_destroy(&l.planner);
}

static void bad_prices_are_refused_by_name(void** state) {
    (void)state;
    static lawn l;
    kerb_error error;
    begin(&l, 1.0f);
    (void)plan(&l, 0);
    const float bad[] = {-1.0f, 1e5f, (float)NAN, (float)INFINITY};
    for (int32_t i = 0; i < 4; i++) {
        l.world.cost_per_metre = bad[i];
        assert_int_equal(kerb_planner_set_world(&l.planner, &l.world, &error),
                         i < 2 ? KERB_ERROR_OUT_OF_RANGE : KERB_ERROR_NOT_FINITE);
        assert_string_equal(error.field, "cost_per_metre");
    }
    l.world.cost_per_metre = 1.0f;
    l.world.columns = 0;
    assert_int_equal(kerb_planner_set_world(&l.planner, &l.world, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "columns");
    kerb_planner_destroy(&l.planner);
}

// The search with speed, alone.
static kerb_plan search_states(lawn* l, kerb_plan_search* search) {
    const kerb_host host = kerb_host_default();
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    kerb_plan_query query = {&l->start, &l->goal, 1, 1};
    kerb_error error;
    settings.expansions = 1500;
    settings.nodes = 60000;
    assert_int_equal(kerb_plan_search_create(search, &l->limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_set_world(search, &l->world, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_begin(search, &query, NULL), KERB_OK);
    while (kerb_plan_search_advance(search, 100) == KERB_PLAN_RUNNING) {
    }
    kerb_plan found = kerb_plan_search_get_plan(search);
    assert_true(found.count > 0);
    if (kerb_plan_check(&l->limits, &query, &l->world, &found, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
    return found;
}

static void the_search_with_speed_goes_round_dear_ground_too(void** state) {
    (void)state;
    static lawn l;
    begin(&l, 0.01f);
    fill(l.prices, 255, 20, 30, 60, 50);
    kerb_plan_search cheap, dear;
    kerb_plan across = search_states(&l, &cheap);
    assert_true(widest(&across) < 8.0);
    assert_true(across.ground_cost > 0.2f && across.ground_cost < 0.6f); // about 40 m of it
    assert_true(kerb_abs(across.cost - across.time - across.ground_cost) < 1e-3f);
    l.world.cost_per_metre = 3.0f;
    kerb_plan round = search_states(&l, &dear);
    assert_true(widest(&round) > 9.5);
    assert_true(round.ground_cost < 10.0f && round.time < 2.0f * across.time);
    kerb_plan_search_destroy(&cheap);
    kerb_plan_search_destroy(&dear);
}

int plan_prices_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_with_speed_goes_round_dear_ground_too),
        cmocka_unit_test(a_straight_over_a_lawn_pays_by_the_metre),
        cmocka_unit_test(it_keeps_off_the_grass_where_that_is_worth_it),
        cmocka_unit_test(among_obstacles_too_and_in_what_improves_a_way),
        cmocka_unit_test(no_price_is_no_price),
        cmocka_unit_test(the_checker_adds_up_tolls_itself),
        cmocka_unit_test(bad_prices_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
