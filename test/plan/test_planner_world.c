// The planner among obstacles: what it finds is free by the checker's own reckoning, what cannot be
// is said, and bad worlds are refused.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

enum { SIDE = 60 };

typedef struct place {
    kerb_plan_limits limits;
    uint8_t cells[SIDE * SIDE];
    kerb_plan_world world;
    kerb_plan_end start, goal;
    kerb_planner planner;
} place;

// 60 m by 60 m of cells of a metre, nothing in them, and a box round them.
static void begin(place* p) {
    memset(p, 0, sizeof *p);
    p->limits = kerb_plan_limits_default();
    p->world = (kerb_plan_world){.cells = p->cells,
                                 .columns = SIDE,
                                 .rows = SIDE,
                                 .cell_size = 1.0f,
                                 .box_max = {(float)SIDE, (float)SIDE}};
    p->start = kerb_plan_end_make(3.0f, 30.0f, 0.0f, 0.0f);
    p->goal = kerb_plan_end_make(54.0f, 30.0f, 0.0f, 0.0f);
}

static void fill(place* p, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    for (int32_t y = y0; y < y1; y++)
        memset(p->cells + y * SIDE + x0, 255, (size_t)(x1 - x0));
}

static kerb_plan_query query_of(const place* p) {
    kerb_plan_query query = {&p->start, &p->goal, 1, 1};
    return query;
}

static kerb_plan_outcome plan(place* p, int32_t improvement, int32_t slice) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = improvement;
    settings.nodes = 20000;
    settings.field_cells = 100000;
    kerb_plan_query query = query_of(p);
    assert_int_equal(kerb_planner_create(&p->planner, &p->limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&p->planner, &p->world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&p->planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    float cost = KERB_PLAN_NEVER;
    while (outcome == KERB_PLAN_RUNNING) {
        outcome = kerb_planner_advance(&p->planner, slice);
        kerb_plan now = kerb_planner_get_plan(&p->planner);
        if (now.count > 0) {
            assert_true(now.cost <= cost * (1.0f + 1e-5f)); // the best so far, at any moment
            cost = now.cost;
        }
    }
    return outcome;
}

static kerb_result check(const place* p, kerb_error* error) {
    kerb_plan_query query = query_of(p);
    kerb_plan found = kerb_planner_get_plan(&p->planner);
    return kerb_plan_check(&p->limits, &query, &p->world, &found, error);
}

static void expect_checked(const place* p) {
    kerb_error error;
    if (check(p, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
}

static void end(place* p) {
    kerb_planner_destroy(&p->planner);
}

// --------------------------------------------------------------------------- ways

static void ways_through_random_cells_are_free_by_the_checker(void** state) {
    (void)state;
    kerb_random random = test_random("planner_cells");
    static place p;
    int32_t found = 0;
    for (int32_t trial = 0; trial < 20; trial++) {
        begin(&p);
        p.limits.reverse_speed_max = trial % 2 == 0 ? 0.0f : 4.0f;
        for (int32_t i = 0; i < 25; i++) {
            int32_t x = 9 + kerb_random_below(&random, 36), y = kerb_random_below(&random, 55);
            fill(&p, x, y, x + 1 + kerb_random_below(&random, 4),
                 y + 1 + kerb_random_below(&random, 4));
        }
        kerb_plan_outcome outcome = plan(&p, trial % 3 == 0 ? 0 : 1500, 100);
        assert_true(outcome != KERB_PLAN_START_BLOCKED && outcome != KERB_PLAN_GOAL_BLOCKED);
        if (outcome == KERB_PLAN_FOUND) {
            expect_checked(&p);
            found++;
        }
        end(&p);
    }
    assert_true(found >= 18);
}

static void round_a_wall_it_goes_and_says_how(void** state) {
    (void)state;
    static place p;
    begin(&p);
    fill(&p, 28, 0, 30, 50);
    assert_int_equal(plan(&p, 2000, 1000000), KERB_PLAN_FOUND);
    kerb_plan found = kerb_planner_get_plan(&p.planner);
    assert_int_equal(found.method, KERB_PLAN_METHOD_SEARCH);
    assert_true(found.expansions == 0 && found.length > 51.0f); // a line
    expect_checked(&p);
    end(&p);
    // On ground with a cost, here of nothing, there is always a search. It finds no better way.
    static const uint8_t costs[SIDE * SIDE];
    float cost = found.cost;
    begin(&p);
    fill(&p, 28, 0, 30, 50);
    p.world.cost_map = costs;
    assert_int_equal(plan(&p, 2000, 1000000), KERB_PLAN_FOUND);
    found = kerb_planner_get_plan(&p.planner);
    assert_int_equal(found.method, KERB_PLAN_METHOD_SEARCH);
    assert_true(found.expansions > 0 && found.cost > 0.98f * cost);
    expect_checked(&p);
    end(&p);
}

static void where_the_direct_way_is_free_nothing_is_searched(void** state) {
    (void)state;
    static place p;
    begin(&p);
    fill(&p, 20, 0, 40, 20);
    fill(&p, 20, 40, 40, 60);
    assert_int_equal(plan(&p, 500, 1000000), KERB_PLAN_FOUND);
    kerb_plan found = kerb_planner_get_plan(&p.planner);
    assert_int_equal(found.method, KERB_PLAN_METHOD_ANALYTIC);
    assert_int_equal(found.expansions, 0);
    expect_checked(&p);
    end(&p);
}

static bool north_of_forty(void* context, kerb_pose pose) {
    (*(int32_t*)context)++;
    return pose.position.x < 20.0f || pose.position.x > 30.0f || pose.position.y > 40.0f;
}

// A way's jumps of curvature, in turns of the wheels from straight ahead to all the way.
static float jumps_of(const place* p) {
    kerb_plan found = kerb_planner_get_plan(&p->planner);
    float sum = 0.0f, last = 0.0f;
    for (int32_t i = 0; i < found.count; i++) {
        const kerb_plan_piece* piece = &found.pieces[i];
        if (piece->length < 1e-3f)
            continue;
        sum += i > 0 ? kerb_abs(piece->curvature - last) : 0.0f;
        last = piece->curvature;
    }
    return sum * p->limits.turning_radius;
}

// Between two walls with gaps, each a bend to one side and to the other and some spiralling:
// with every flick that saves a ten-thousandth of a second it is 8 on average, without 5.7.
static void the_wheels_are_not_flicked(void** state) {
    (void)state;
    static place p;
    kerb_random random = test_random("planner_flicks");
    float sum = 0.0f;
    enum { TRIALS = 40 };
    for (int32_t trial = 0; trial < TRIALS; trial++) {
        begin(&p);
        int32_t gap = 8 + kerb_random_below(&random, 36);
        fill(&p, 20, 0, 22, gap);
        fill(&p, 20, gap + 8, 22, SIDE);
        gap = 8 + kerb_random_below(&random, 36);
        fill(&p, 40, 0, 42, gap);
        fill(&p, 40, gap + 8, 42, SIDE);
        assert_int_equal(plan(&p, 5000, 1000), KERB_PLAN_FOUND);
        expect_checked(&p);
        sum += jumps_of(&p);
        end(&p);
    }
    if (!(sum < 6.6f * TRIALS))
        fail_msg("wheels turned %.2f times all the way, on average", (double)(sum / TRIALS));
}

static void the_hosts_own_function_is_heard(void** state) {
    (void)state;
    static place p;
    int32_t asked = 0;
    begin(&p);
    p.world.cells = NULL;
    p.world.is_free = north_of_forty;
    p.world.context = &asked;
    assert_int_equal(plan(&p, 300, 1000000), KERB_PLAN_FOUND);
    assert_true(asked > 100);
    expect_checked(&p);
    end(&p);
}

// --------------------------------------------------------------------------- none

static void what_is_walled_off_has_no_path(void** state) {
    (void)state;
    static place p;
    begin(&p);
    fill(&p, 28, 0, 30, 60);
    assert_int_equal(plan(&p, 2000, 1000), KERB_PLAN_NO_PATH);
    assert_int_equal(kerb_planner_get_plan(&p.planner).count, 0);
    assert_int_equal(kerb_planner_get_plan(&p.planner).method, KERB_PLAN_METHOD_NONE);
    end(&p);
}

// Places of the rear axle that a disc as wide as the car can be moved to from the start, a quarter
// of a metre at a time, up and down and across; cells of a metre, nothing beyond them.
enum { FINE = 4 * SIDE };

static bool disc_is_free(const place* p, int32_t x, int32_t y, float radius) {
    float px = ((float)x + 0.5f) * 0.25f, py = ((float)y + 0.5f) * 0.25f;
    if (px < radius || py < radius || px > (float)SIDE - radius || py > (float)SIDE - radius)
        return false;
    for (int32_t row = y / 4 - 2; row <= y / 4 + 2; row++) {
        for (int32_t column = x / 4 - 2; column <= x / 4 + 2; column++) {
            if (row < 0 || column < 0 || row >= SIDE || column >= SIDE ||
                p->cells[row * SIDE + column] != 255)
                continue;
            float dx = fmaxf(fmaxf((float)column - px, px - (float)(column + 1)), 0.0f);
            float dy = fmaxf(fmaxf((float)row - py, py - (float)(row + 1)), 0.0f);
            if (dx * dx + dy * dy < radius * radius)
                return false;
        }
    }
    return true;
}

static bool flood_reaches(const place* p, float radius) {
    static uint8_t seen[FINE * FINE];
    static int32_t queue[FINE * FINE];
    const int32_t step[4] = {1, -1, FINE, -FINE};
    kerb_vec2 from = p->start.pose.position, to = p->goal.pose.position;
    int32_t first = (int32_t)(from.y * 4.0f) * FINE + (int32_t)(from.x * 4.0f);
    int32_t last = (int32_t)(to.y * 4.0f) * FINE + (int32_t)(to.x * 4.0f);
    memset(seen, 0, sizeof seen);
    seen[first] = 1;
    queue[0] = first;
    for (int32_t next = 0, count = 1; next < count; next++) {
        for (int32_t i = 0; i < 4; i++) {
            int32_t at = queue[next] + step[i];
            if (at < 0 || at >= FINE * FINE || seen[at] ||
                !disc_is_free(p, at % FINE, at / FINE, radius))
                continue;
            seen[at] = 1;
            queue[count++] = at;
        }
    }
    return seen[last] != 0;
}

// Two walls with a gap of 1 to 5 m each; the car, 1.8 m wide, gets through most of them.
static void build_maze(place* p, kerb_random* random) {
    begin(p);
    p->limits.reverse_speed_max = 3.0f;
    p->limits.turning_radius = 3.0f;
    for (int32_t x = 20; x < 50; x += 20) {
        int32_t gap = 2 + kerb_random_below(random, 50), wide = 1 + kerb_random_below(random, 5);
        fill(p, x, 0, x + 1, gap);
        fill(p, x, gap + wide, x + 1, SIDE);
    }
    p->goal = kerb_plan_end_make(57.0f, 30.0f, KERB_PI * 0.5f, 0.0f);
}

// Half a hair's breadth more or less is what a quarter of a metre cannot tell.
static void no_path_is_what_a_flood_says_too(void** state) {
    (void)state;
    static place p;
    kerb_random random = test_random("plan_flood");
    int32_t none = 0, found = 0;
    for (int32_t i = 0; i < 40; i++) {
        build_maze(&p, &random);
        kerb_plan_outcome outcome = plan(&p, 0, 1000);
        bool surely = flood_reaches(&p, 0.9f + 0.18f), perhaps = flood_reaches(&p, 0.9f - 0.18f);
        if (outcome == KERB_PLAN_NO_PATH && surely)
            fail_msg("maze %d: there is a way for the car's width", (int)i);
        if (outcome == KERB_PLAN_FOUND && !perhaps)
            fail_msg("maze %d: there is none", (int)i);
        none += outcome == KERB_PLAN_NO_PATH;
        found += outcome == KERB_PLAN_FOUND;
        end(&p);
    }
    assert_true(none >= 3 && found >= 5);
}

static void ends_in_obstacles_are_said_to_be(void** state) {
    (void)state;
    static place p;
    begin(&p);
    fill(&p, 4, 30, 5, 31);
    assert_int_equal(plan(&p, 0, 1000), KERB_PLAN_START_BLOCKED);
    end(&p);
    begin(&p);
    p.goal.pose = kerb_pose_make(57.0f, 30.0f, 0.0f); // its nose leaves the box
    assert_int_equal(plan(&p, 0, 1000), KERB_PLAN_GOAL_BLOCKED);
    end(&p);
}

// Of several ends those that are blocked are left out.
static void a_free_end_among_blocked_ones_is_taken(void** state) {
    (void)state;
    static place p;
    begin(&p);
    fill(&p, 28, 0, 30, 50);
    fill(&p, 50, 10, 52, 12);
    kerb_plan_end goals[2] = {kerb_plan_end_make(50.0f, 11.0f, 0.0f, 0.0f), p.goal};
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_plan_query query = {&p.start, goals, 1, 2};
    assert_int_equal(kerb_planner_create(&p.planner, &p.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&p.planner, &p.world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&p.planner, &query, NULL), KERB_OK);
    assert_int_equal(kerb_planner_advance(&p.planner, 1000000), KERB_PLAN_FOUND);
    assert_int_equal(kerb_planner_get_plan(&p.planner).goal, 1);
    end(&p);
}

// --------------------------------------------------------------------------- the same bits

static void slices_and_copies_give_the_same_bits(void** state) {
    (void)state;
    static place whole, sliced, copied;
    place* all[3] = {&whole, &sliced, &copied};
    for (int32_t i = 0; i < 3; i++) {
        begin(all[i]);
        fill(all[i], 28, 0, 30, 50);
    }
    plan(&whole, 1800, 1000000);
    plan(&sliced, 1800, 7);
    plan(&copied, 1800, 1000000);
    kerb_plan_query query = query_of(&whole);
    assert_int_equal(kerb_planner_begin(&whole.planner, &query, NULL), KERB_OK);
    kerb_planner_advance(&whole.planner, 300);
    assert_int_equal(whole.planner.world_bytes, copied.planner.world_bytes);
    memcpy(copied.planner.memory, whole.planner.memory, whole.planner.bytes);
    memcpy(copied.planner.world_memory, whole.planner.world_memory, whole.planner.world_bytes);
    kerb_planner_advance(&copied.planner, 1000000);
    kerb_planner_advance(&whole.planner, 1000000);
    kerb_plan a = kerb_planner_get_plan(&whole.planner);
    for (int32_t i = 1; i < 3; i++) {
        kerb_plan b = kerb_planner_get_plan(&all[i]->planner);
        assert_int_equal(a.count, b.count);
        assert_int_equal(a.steps, b.steps);
        assert_memory_equal(a.pieces, b.pieces, (size_t)a.count * sizeof *a.pieces);
    }
    for (int32_t i = 0; i < 3; i++)
        end(all[i]);
}

static void a_cancelled_query_leaves_nothing_to_the_next(void** state) {
    (void)state;
    static place p;
    begin(&p);
    fill(&p, 28, 0, 30, 50);
    plan(&p, 1500, 1000);
    kerb_plan_query query = query_of(&p);
    for (int32_t steps = 1; steps < 2000; steps += 150) {
        assert_int_equal(kerb_planner_begin(&p.planner, &query, NULL), KERB_OK);
        kerb_planner_advance(&p.planner, steps);
        kerb_planner_cancel(&p.planner);
        kerb_planner_advance(&p.planner, 10);
        if (kerb_planner_get_plan(&p.planner).count > 0)
            expect_checked(&p);
    }
    end(&p);
}

// --------------------------------------------------------------------------- the checker

// A movement straight through a cell, a polygon, the box: each is seen.
static void the_checker_sees_what_is_driven_through(void** state) {
    (void)state;
    static place p;
    begin(&p);
    assert_int_equal(plan(&p, 0, 1000), KERB_PLAN_FOUND);
    expect_checked(&p);
    kerb_error error;
    fill(&p, 33, 30, 34, 31);
    assert_int_equal(check(&p, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "world");
    memset(p.cells, 0, sizeof p.cells);
    const kerb_vec2 beside[] = {{33.0f, 30.91f}, {34.0f, 33.0f}, {32.0f, 33.0f}};
    const kerb_vec2 touching[] = {{33.0f, 30.89f}, {34.0f, 33.0f}, {32.0f, 33.0f}};
    const kerb_vec2 round[] = {{0.0f, 0.0f}, {60.0f, 0.0f}, {60.0f, 60.0f}, {0.0f, 60.0f}};
    const int32_t three = 3, four = 4;
    p.world.polygon_count = 1;
    p.world.vertex_counts = &three;
    p.world.vertices = beside;
    assert_int_equal(check(&p, &error), KERB_OK);
    p.world.vertices = touching;
    assert_int_equal(check(&p, &error), KERB_ERROR_OUT_OF_RANGE);
    p.world.vertex_counts = &four; // all of it inside, no edge near
    p.world.vertices = round;
    assert_int_equal(check(&p, &error), KERB_ERROR_OUT_OF_RANGE);
    p.world.polygon_count = 0;
    p.world.box_max.x = 57.59f; // its nose reaches 57.6
    assert_int_equal(check(&p, &error), KERB_ERROR_OUT_OF_RANGE);
    p.world.box_max.x = 57.61f;
    assert_int_equal(check(&p, &error), KERB_OK);
    end(&p);
}

// --------------------------------------------------------------------------- bad worlds

static void expect_refused(const kerb_plan_world* world, kerb_result result, const char* field) {
    const kerb_host host = kerb_host_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_planner planner;
    kerb_error error;
    assert_int_equal(kerb_planner_create(&planner, &limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&planner, world, &error), result);
    assert_string_equal(error.field, field);
    assert_null(planner.world_memory);
    kerb_planner_destroy(&planner);
}

static void bad_worlds_are_refused_by_name(void** state) {
    (void)state;
    static place p;
    begin(&p);
    kerb_plan_world w = p.world;
    w.columns = 0;
    expect_refused(&w, KERB_ERROR_OUT_OF_RANGE, "columns");
    w = p.world;
    w.rows = 40000;
    expect_refused(&w, KERB_ERROR_OUT_OF_RANGE, "rows");
    w = p.world;
    w.cell_size = 0.0f;
    expect_refused(&w, KERB_ERROR_OUT_OF_RANGE, "cell_size");
    w.cell_size = NAN;
    expect_refused(&w, KERB_ERROR_NOT_FINITE, "cell_size");
    w = p.world;
    w.origin.x = INFINITY;
    expect_refused(&w, KERB_ERROR_NOT_FINITE, "origin");
    w.origin.x = 2e6f;
    expect_refused(&w, KERB_ERROR_OUT_OF_RANGE, "origin");
    w = p.world;
    w.box_max.x = -1.0f;
    expect_refused(&w, KERB_ERROR_OUT_OF_RANGE, "box_max");
    const kerb_vec2 vertices[] = {{0.0f, 0.0f}, {1.0f, NAN}, {2.0f, 2.0f}};
    const int32_t two = 2, three = 3;
    w = (kerb_plan_world){.polygon_count = 1, .vertex_counts = &three};
    expect_refused(&w, KERB_ERROR_MISSING_FIELD, "vertices");
    w.vertices = vertices;
    expect_refused(&w, KERB_ERROR_NOT_FINITE, "vertices");
    w.vertex_counts = &two;
    expect_refused(&w, KERB_ERROR_TOO_FEW, "vertex_counts");
    w.polygon_count = -1;
    expect_refused(&w, KERB_ERROR_OUT_OF_RANGE, "polygon_count");
}

static void a_world_of_nothing_is_open_ground(void** state) {
    (void)state;
    static place p;
    begin(&p);
    p.world = (kerb_plan_world){0};
    assert_int_equal(plan(&p, 100, 1000), KERB_PLAN_FOUND);
    assert_null(p.planner.world_memory);
    assert_int_equal(kerb_planner_set_world(&p.planner, NULL, NULL), KERB_OK);
    end(&p);
}

// --------------------------------------------------------------------------- the search's tree

static double apart(kerb_vec2 a, kerb_vec2 b) {
    return hypot((double)(a.x - b.x), (double)(a.y - b.y));
}

// Where an arc leads, by its closed form in double precision.
static kerb_vec2 end_of_arc(kerb_pose from, double curvature, double length) {
    double fx = (double)from.forward.x, fy = (double)from.forward.y, turn = curvature * length;
    bool is_straight = fabs(turn) < 1e-9;
    double ahead = is_straight ? length : sin(turn) / curvature;
    double aside = is_straight ? 0.0 : (1.0 - cos(turn)) / curvature;
    return kerb_vec2_make((float)((double)from.position.x + ahead * fx - aside * fy),
                          (float)((double)from.position.y + ahead * fy + aside * fx));
}

static void a_searchs_tree_grows_from_its_start_by_free_arcs(void** state) {
    (void)state;
    static place p;
    begin(&p);
    fill(&p, 28, 0, 30, 50);
    // On ground with a cost, here of nothing, there is always a search.
    static const uint8_t costs[SIDE * SIDE];
    p.world.cost_map = costs;
    assert_int_equal(plan(&p, 0, 1000000), KERB_PLAN_FOUND);
    kerb_plan_tree tree = kerb_planner_get_tree(&p.planner);
    assert_true(tree.count > 10);
    assert_false(tree.backwards);
    int32_t starts = 0;
    for (int32_t i = 0; i < tree.count; i++) {
        kerb_plan_node node = kerb_planner_get_node(&p.planner, i);
        starts += node.parent < 0;
        if (node.parent < 0) {
            assert_true(apart(node.pose.position, p.start.pose.position) < 1e-6);
            assert_true(node.length == 0.0f);
            continue;
        }
        assert_true(node.parent < i);
        kerb_plan_node from = kerb_planner_get_node(&p.planner, node.parent);
        kerb_vec2 end = end_of_arc(from.pose, (double)node.curvature, (double)node.length);
        assert_true(apart(node.pose.position, end) < 1e-4);
        assert_true(node.cost > from.cost);
        assert_true(p.cells[(int32_t)node.pose.position.y * SIDE + (int32_t)node.pose.position.x] ==
                    0);
    }
    assert_int_equal(starts, 1);
    end(&p);
}

static void where_nothing_was_searched_there_is_no_tree(void** state) {
    (void)state;
    static place p;
    begin(&p);
    fill(&p, 28, 0, 30, 50);
    assert_int_equal(plan(&p, 0, 1000000), KERB_PLAN_FOUND);
    kerb_plan_end ends[2] = {p.start, p.start};
    ends[1].pose.position.x += 12.0f;
    kerb_plan_query query = {&ends[0], &ends[1], 1, 1};
    assert_int_equal(kerb_planner_begin(&p.planner, &query, NULL), KERB_OK);
    assert_int_equal(kerb_planner_get_tree(&p.planner).count, 0);
    while (kerb_planner_advance(&p.planner, 1000) == KERB_PLAN_RUNNING)
        ;
    assert_int_equal(kerb_planner_get_plan(&p.planner).method, KERB_PLAN_METHOD_ANALYTIC);
    assert_int_equal(kerb_planner_get_tree(&p.planner).count, 0);
    end(&p);
}

// It comes at 13 m/s, where a radius of 5 m allows 7: speed is searched for as well.
static void who_comes_too_fast_to_turn_is_searched_for_with_speed(void** state) {
    (void)state;
    kerb_random random = test_random("world_speed");
    int with_speed = 0;
    for (int i = 0; i < 30; i++) {
        static place p, again;
        begin(&p);
        for (int k = 0; k < 8; k++) {
            int32_t x = (int32_t)kerb_random_between(&random, 16.0f, 46.0f);
            int32_t y = (int32_t)kerb_random_between(&random, 8.0f, 46.0f);
            fill(&p, x, y, x + 4, y + 6);
        }
        p.start.speed = 13.0f;
        again = p;
        kerb_plan_outcome outcome = plan(&p, 40, 1000);
        assert_int_equal(plan(&again, 40, 7), outcome);
        kerb_plan one = kerb_planner_get_plan(&p.planner),
                  other = kerb_planner_get_plan(&again.planner);
        assert_int_equal(one.count, other.count);
        assert_true(one.cost == other.cost && one.method == other.method);
        if (one.count > 0)
            expect_checked(&p);
        with_speed += one.method == KERB_PLAN_METHOD_SPEED_SEARCH;
        end(&p);
        end(&again);
    }
    assert_true(with_speed > 0);
}

int planner_world_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_comes_too_fast_to_turn_is_searched_for_with_speed),
        cmocka_unit_test(ways_through_random_cells_are_free_by_the_checker),
        cmocka_unit_test(round_a_wall_it_goes_and_says_how),
        cmocka_unit_test(where_the_direct_way_is_free_nothing_is_searched),
        cmocka_unit_test(the_wheels_are_not_flicked),
        cmocka_unit_test(the_hosts_own_function_is_heard),
        cmocka_unit_test(what_is_walled_off_has_no_path),
        cmocka_unit_test(no_path_is_what_a_flood_says_too),
        cmocka_unit_test(ends_in_obstacles_are_said_to_be),
        cmocka_unit_test(a_free_end_among_blocked_ones_is_taken),
        cmocka_unit_test(slices_and_copies_give_the_same_bits),
        cmocka_unit_test(a_cancelled_query_leaves_nothing_to_the_next),
        cmocka_unit_test(the_checker_sees_what_is_driven_through),
        cmocka_unit_test(bad_worlds_are_refused_by_name),
        cmocka_unit_test(a_world_of_nothing_is_open_ground),
        cmocka_unit_test(a_searchs_tree_grows_from_its_start_by_free_arcs),
        cmocka_unit_test(where_nothing_was_searched_there_is_no_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
