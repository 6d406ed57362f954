// Long ways with many bends: the planner finds them however long they are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <string.h>

// Rooms of 12 m by 12 m with walls of 1 m between them: too narrow for the thesis's car, whose
// radius is 5 m, to turn in without reversing.
enum { ROOMS = 22, ROOM = 12, PITCH = ROOM + 1, SIDE = ROOMS * PITCH + 1, MAZES = 8 };

typedef struct maze {
    uint8_t cells[SIDE * SIDE];
    int32_t before[ROOMS * ROOMS]; // from which room the first way came; -1: not yet
} maze;

static void clear(maze* m, int32_t x0, int32_t y0, int32_t columns, int32_t rows) {
    for (int32_t y = y0; y < y0 + rows; y++)
        memset(m->cells + y * SIDE + x0, 0, (size_t)columns);
}

static void clear_room(maze* m, int32_t room) {
    clear(m, 1 + room % ROOMS * PITCH, 1 + room / ROOMS * PITCH, ROOM, ROOM);
}

static void clear_wall(maze* m, int32_t a, int32_t b) {
    int32_t low = a < b ? a : b, x = 1 + low % ROOMS * PITCH, y = 1 + low / ROOMS * PITCH;
    if (a / ROOMS == b / ROOMS)
        clear(m, x + ROOM, y, 1, ROOM);
    else
        clear(m, x, y + ROOM, ROOM, 1);
}

static int32_t neighbour(int32_t room, int32_t side) {
    int32_t column = room % ROOMS, row = room / ROOMS;
    column += side == 0 ? 1 : side == 1 ? -1 : 0;
    row += side == 2 ? 1 : side == 3 ? -1 : 0;
    bool is_inside = column >= 0 && row >= 0 && column < ROOMS && row < ROOMS;
    return is_inside ? row * ROOMS + column : -1;
}

// From room to room that nobody was in yet, in a random direction, and back where there is none:
// one way between any two rooms, mostly a long one.
static void build(maze* m, kerb_random* random) {
    memset(m->cells, 255, sizeof m->cells);
    for (int32_t i = 0; i < ROOMS * ROOMS; i++)
        m->before[i] = -1;
    m->before[0] = 0;
    clear_room(m, 0);
    for (int32_t room = 0;;) {
        int32_t next[4], count = 0;
        for (int32_t side = 0; side < 4; side++) {
            int32_t to = neighbour(room, side);
            if (to >= 0 && m->before[to] < 0)
                next[count++] = to;
        }
        if (count == 0 && room == 0)
            return;
        if (count == 0) {
            room = m->before[room];
            continue;
        }
        int32_t to = next[kerb_random_below(random, count)];
        m->before[to] = room;
        clear_room(m, to);
        clear_wall(m, room, to);
        room = to;
    }
}

// In the middle of a room, facing any way.
static kerb_plan_end end_in(int32_t room, kerb_random* random) {
    float x = 1.0f + (float)(room % ROOMS * PITCH) + 0.5f * (float)ROOM;
    float y = 1.0f + (float)(room / ROOMS * PITCH) + 0.5f * (float)ROOM;
    return kerb_plan_end_make(x, y, kerb_random_between(random, -KERB_PI, KERB_PI), 0.0f);
}

static kerb_plan_outcome plan(kerb_planner* planner, const plan_rig* rig,
                              const kerb_plan_world* world) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 0;
    kerb_plan_query query = plan_rig_query(rig);
    assert_int_equal(kerb_planner_create(planner, &rig->limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(planner, world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(planner, 1000);
    return outcome;
}

static void a_way_is_found_through_mazes_of_kilometres(void** state) {
    (void)state;
    static maze m;
    kerb_random random = test_random("plan_maze");
    const kerb_plan_world world = {.cells = m.cells,
                                   .columns = SIDE,
                                   .rows = SIDE,
                                   .cell_size = 1.0f,
                                   .box_max = {(float)SIDE, (float)SIDE}};
    float longest = 0.0f;
    for (int32_t i = 0; i < test_share(MAZES, 2); i++) {
        build(&m, &random);
        plan_rig rig = {.limits = kerb_plan_limits_default()};
        rig.limits.reverse_speed_max = 5.0f;
        rig.from = end_in(0, &random);
        rig.to = end_in(kerb_random_below(&random, ROOMS * ROOMS), &random);
        kerb_planner planner;
        kerb_plan_outcome outcome = plan(&planner, &rig, &world);
        kerb_plan found = kerb_planner_get_plan(&planner);
        if (outcome != KERB_PLAN_FOUND)
            fail_msg("maze %d: outcome %d after %d expansions", (int)i, (int)outcome,
                     (int)found.expansions);
        kerb_error error;
        kerb_plan_query query = plan_rig_query(&rig);
        if (kerb_plan_check(&rig.limits, &query, &world, &found, &error) != KERB_OK)
            fail_msg("maze %d: %s %s, piece %d", (int)i, error.field, error.message,
                     (int)error.index);
        longest = kerb_max(longest, found.length);
        kerb_planner_destroy(&planner);
    }
    assert_true(longest > 1000.0f);
}

int plan_maze_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way_is_found_through_mazes_of_kilometres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
