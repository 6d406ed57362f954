// Pictures of planned movements and of what the search for them looked at.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/draw.h"
#include "kerb/plan_driver.h"

#include <math.h>
#include <string.h>

enum { LINES = 60000, POINTS = 64, SIDE = 40 };

typedef struct drawing {
    kerb_draw_line lines[LINES];
    kerb_draw_point points[POINTS];
    kerb_draw_buffer buffer;
    uint8_t cells[SIDE * SIDE];
    kerb_planner planner;
    kerb_plan_end start, goal;
} drawing;

// A wall across 40 m by 40 m with a gap at its end, and the way round it.
static void find(drawing* d, bool with_wall) {
    const kerb_host host = kerb_host_default();
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 500;
    settings.nodes = 20000;
    memset(d, 0, sizeof *d);
    d->buffer = kerb_draw_buffer_make(d->lines, LINES, d->points, POINTS, NULL, 0);
    d->start = kerb_plan_end_make(4.0f, 6.0f, 0.0f, 0.0f);
    d->goal = kerb_plan_end_make(32.0f, 6.0f, 0.0f, 0.0f);
    for (int32_t y = 0; with_wall && y < 28; y++)
        d->cells[y * SIDE + 19] = 255;
    // On ground with a cost, here of nothing, there is always a search.
    static const uint8_t costs[SIDE * SIDE];
    kerb_plan_world world = {
        .cells = d->cells, .columns = SIDE, .rows = SIDE, .cell_size = 1.0f, .cost_map = costs};
    kerb_plan_query query = {&d->start, &d->goal, 1, 1};
    assert_int_equal(kerb_planner_create(&d->planner, &limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&d->planner, &world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&d->planner, &query, NULL), KERB_OK);
    assert_int_equal(kerb_planner_advance(&d->planner, 1000000), KERB_PLAN_FOUND);
}

static double apart(kerb_vec3 a, kerb_vec3 b) {
    return (double)kerb_vec3_length(kerb_vec3_sub(a, b));
}

static void a_movement_is_one_line_from_start_to_goal_coloured_by_what_it_does(void** state) {
    (void)state;
    static drawing d;
    find(&d, true);
    kerb_plan plan = kerb_planner_get_plan(&d.planner);
    kerb_draw_plan(&d.buffer, &plan, 0.5f);
    assert_int_equal(d.buffer.dropped, 0);
    assert_true(d.buffer.line_count > 10);
    kerb_vec3 last = {4.0f, 6.0f, 0.5f};
    double length = 0.0, gained = 0.0, lost = 0.0;
    for (int32_t i = 0; i < d.buffer.line_count; i++) {
        const kerb_draw_line* line = &d.buffer.lines[i];
        double size = apart(line->from, line->to);
        assert_true(apart(last, line->from) < 2e-3);
        last = line->to;
        length += size;
        gained += line->role == KERB_DRAW_ACCELERATING ? size : 0.0;
        lost += line->role == KERB_DRAW_BRAKING ? size : 0.0;
    }
    kerb_vec3 goal = {32.0f, 6.0f, 0.5f};
    assert_true(apart(last, goal) < 5e-3);
    // Chords are shorter than their arcs by at most a sixth of a per cent.
    assert_true(length <= (double)plan.length + 1e-2 && length > 0.998 * (double)plan.length);
    assert_true(gained > 5.0 && lost > 1.0);
    assert_int_equal(d.buffer.point_count, 1);
    assert_true(apart(d.buffer.points[0].position, goal) < 5e-3);
    kerb_planner_destroy(&d.planner);
}

static void a_tree_is_drawn_whole_and_what_does_not_fit_is_counted(void** state) {
    (void)state;
    static drawing d;
    find(&d, true);
    int32_t nodes = kerb_planner_get_tree(&d.planner).count;
    kerb_draw_plan_tree(&d.buffer, &d.planner, 0.0f);
    assert_int_equal(d.buffer.dropped, 0);
    assert_true(nodes > 10 && d.buffer.line_count >= nodes - 1);
    assert_int_equal(d.buffer.point_count, 1);
    for (int32_t i = 0; i < d.buffer.line_count; i++)
        assert_int_equal(d.buffer.lines[i].role, KERB_DRAW_TREE);
    kerb_draw_buffer small = kerb_draw_buffer_make(d.lines, 5, NULL, 0, NULL, 0);
    kerb_draw_plan_tree(&small, &d.planner, 0.0f);
    assert_int_equal(small.line_count, 5);
    assert_int_equal(small.dropped, d.buffer.line_count - 5 + 1);
    kerb_planner_destroy(&d.planner);
}

static void where_nothing_was_searched_or_found_nothing_is_drawn(void** state) {
    (void)state;
    static drawing d;
    find(&d, false);
    kerb_draw_plan_tree(&d.buffer, &d.planner, 0.0f);
    const kerb_plan nothing = {0};
    kerb_draw_plan(&d.buffer, &nothing, 0.0f);
    assert_int_equal(d.buffer.line_count + d.buffer.point_count + d.buffer.dropped, 0);
    kerb_planner_destroy(&d.planner);
}

static void a_driver_of_plans_shows_where_it_should_be_and_what_it_steers(void** state) {
    (void)state;
    static drawing d;
    static kerb_draw_text texts[4];
    find(&d, true);
    kerb_plan plan = kerb_planner_get_plan(&d.planner);
    kerb_vehicle car = kerb_vehicle_default();
    kerb_plan_driver driver = kerb_plan_driver_make(&car);
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make(4.0f + car.reference_to_rear_axle, 6.5f, 0.0f);
    d.buffer = kerb_draw_buffer_make(d.lines, LINES, d.points, POINTS, texts, 4);
    kerb_draw_plan_driver(&d.buffer, &driver, &motion); // has not driven yet
    assert_int_equal(d.buffer.point_count, 0);
    int32_t outline = d.buffer.line_count;
    kerb_draw_clear(&d.buffer);
    kerb_plan_driver_drive(&driver, &plan, &motion, NULL, 1.0f / 60.0f);
    kerb_draw_plan_driver(&d.buffer, &driver, &motion);
    assert_int_equal(d.buffer.dropped, 0);
    assert_int_equal(d.buffer.text_count, 1);
    assert_int_equal(d.buffer.point_count, 1);
    assert_true(apart(d.points[0].position, kerb_vec3_make(4.0f, 6.0f, 0.0f)) < 1e-2);
    int arcs = 0;
    for (int32_t i = outline; i < d.buffer.line_count; i++) {
        const kerb_draw_line* line = &d.lines[i];
        arcs += line->role == KERB_DRAW_ARC;
        if (line->role == KERB_DRAW_NEAREST)
            assert_true(fabs(apart(line->from, line->to) - 0.5) < 1e-2);
    }
    assert_true(arcs > 0);
    kerb_planner_destroy(&d.planner);
}

int draw_plan_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_of_plans_shows_where_it_should_be_and_what_it_steers),
        cmocka_unit_test(a_movement_is_one_line_from_start_to_goal_coloured_by_what_it_does),
        cmocka_unit_test(a_tree_is_drawn_whole_and_what_does_not_fit_is_counted),
        cmocka_unit_test(where_nothing_was_searched_or_found_nothing_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
