// The answer of a planner does not depend on how its work is sliced: any obstacles, tolerances,
// prices, movers and settings; at the end and on the way there; plan and partial plan.
// KERB_TEST_SLICES=n tries about n problems: 10,000 take 12 s.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/seed.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 12, CORNERS = 40, GOALS = 3, STARTS = 2, MOVERS = 3, LOOKS = 4 };

// A random problem.
typedef struct problem {
    kerb_plan_limits limits;
    kerb_planner_settings settings;
    kerb_plan_world world; // points into this struct
    kerb_vec2 vertices[CORNERS];
    int32_t counts[CORNERS / 4];
    uint8_t cells[SIDE * SIDE], prices[SIDE * SIDE];
    kerb_plan_mover movers[MOVERS];
    int32_t mover_count;
    kerb_plan_end starts[STARTS], goals[GOALS];
    kerb_plan_query query;
} problem;

// What may be asked of a problem.
typedef struct problem_kind {
    bool polygons, grid, prices, movers;
} problem_kind;

static bool one_in(kerb_random* random, int32_t count) {
    return kerb_random_below(random, count) == 0;
}

static kerb_plan_end random_end(kerb_random* random, const kerb_plan_limits* l, float far) {
    float speed = one_in(random, 2)
                      ? 0.0f
                      : kerb_random_between(random, -l->reverse_speed_max, 0.6f * l->speed_max);
    kerb_plan_end end = kerb_plan_end_make(kerb_random_between(random, -far, far),
                                           kerb_random_between(random, -far, far),
                                           kerb_random_between(random, -KERB_PI, KERB_PI), speed);
    end.penalty = one_in(random, 4) ? kerb_random_between(random, 0.0f, 3.0f) : 0.0f;
    return end;
}

static void take_ends(problem* p, kerb_random* random) {
    int32_t starts = one_in(random, 4) ? STARTS : 1;
    int32_t goals = one_in(random, 3) ? 1 + kerb_random_below(random, GOALS) : 1;
    for (int32_t i = 0; i < starts; i++)
        p->starts[i] = random_end(random, &p->limits, 9.0f);
    for (int32_t i = 0; i < goals; i++) {
        kerb_plan_end* goal = &p->goals[i];
        *goal = random_end(random, &p->limits, 9.0f);
        if (one_in(random, 5))
            goal->position_tolerance = kerb_random_between(random, 0.0f, 2.0f);
        if (one_in(random, 5))
            goal->heading_tolerance = kerb_random_between(random, 0.0f, 4.0f);
        if (one_in(random, 3))
            goal->speed_tolerance = kerb_random_between(random, 0.0f, 4.0f);
    }
    p->query = (kerb_plan_query){p->starts, p->goals, starts, goals};
}

static void take_polygons(problem* p, kerb_random* random) {
    int32_t count = 1 + kerb_random_below(random, CORNERS / 4);
    for (int32_t i = 0; i < count; i++) {
        float x = kerb_random_between(random, -9.0f, 9.0f);
        float y = kerb_random_between(random, -9.0f, 9.0f);
        for (int32_t k = 0; k < 4; k++) {
            float angle = 0.5f * KERB_PI * (float)k + kerb_random_between(random, 0.1f, 1.2f);
            float radius = kerb_random_between(random, 0.3f, 1.6f);
            p->vertices[4 * i + k] =
                kerb_vec2_make(x + radius * kerb_cos(angle), y + radius * kerb_sin(angle));
        }
        p->counts[i] = 4;
    }
    p->world.vertices = p->vertices;
    p->world.vertex_counts = p->counts;
    p->world.polygon_count = count;
}

static void take_grid(problem* p, kerb_random* random, bool prices) {
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        p->cells[i] = !prices && one_in(random, 20) ? 255 : 0;
        p->prices[i] = (uint8_t)(one_in(random, 2) ? 0 : kerb_random_below(random, 256));
    }
    p->world.cells = p->cells;
    p->world.columns = p->world.rows = SIDE;
    p->world.cell_size = 1.6f;
    p->world.origin = kerb_vec2_make(-9.6f, -9.6f);
    if (prices) {
        p->world.cost_map = p->prices;
        p->world.cost_per_metre = kerb_random_between(random, 0.0f, 2.0f);
    }
}

static void take_movers(problem* p, kerb_random* random) {
    p->mover_count = 1 + kerb_random_below(random, MOVERS);
    for (int32_t i = 0; i < p->mover_count; i++)
        p->movers[i] = (kerb_plan_mover){
            .pose = kerb_pose_make(kerb_random_between(random, -20.0f, 20.0f),
                                   kerb_random_between(random, -20.0f, 20.0f),
                                   kerb_random_between(random, -KERB_PI, KERB_PI)),
            .velocity = {kerb_random_between(random, -6.0f, 6.0f),
                         kerb_random_between(random, -6.0f, 6.0f)},
            .length = 4.0f,
            .width = 2.0f};
}

static void take_problem(problem* p, problem_kind kind, kerb_random* random) {
    memset(p, 0, sizeof *p);
    p->limits = kerb_plan_limits_default();
    p->limits.turning_radius = kerb_random_between(random, 1.5f, 6.0f);
    p->limits.steering_time = one_in(random, 2) ? kerb_random_between(random, 0.1f, 1.5f) : 0.0f;
    p->limits.reverse_speed_max =
        one_in(random, 2) ? kerb_random_between(random, 0.5f, 5.0f) : 0.0f;
    p->limits.front = 1.8f;
    p->limits.rear = 0.4f;
    p->limits.width = 1.0f;
    p->settings = kerb_planner_settings_default();
    p->settings.improvement = kerb_random_below(random, one_in(random, 300) ? 4500 : 30);
    p->settings.expansions = 1 + kerb_random_below(random, one_in(random, 30) ? 1000 : 40);
    p->settings.nodes = one_in(random, 8) ? 8192 : 1024;
    p->settings.field_cells = 256;
    p->settings.seed = kerb_random_below(random, 3);
    if (kind.polygons)
        take_polygons(p, random);
    if (kind.grid || kind.prices)
        take_grid(p, random, kind.prices);
    if (kind.movers)
        take_movers(p, random);
    take_ends(p, random);
}

// --------------------------------------------------------------------------- runs

// FNV-1a.
static uint64_t mixed_in(uint64_t hash, const void* data, size_t size) {
    const uint8_t* bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static uint64_t plan_in(uint64_t hash, kerb_plan plan) {
    const int32_t whole[] = {plan.count, plan.steps, plan.expansions,
                             plan.start, plan.goal,  plan.method};
    const float real[] = {plan.cost, plan.ground_cost, plan.time, plan.length, plan.lower_bound};
    hash = mixed_in(hash, plan.pieces, (size_t)plan.count * sizeof *plan.pieces);
    return mixed_in(mixed_in(hash, whole, sizeof whole), real, sizeof real);
}

static uint64_t shown_in(uint64_t hash, kerb_planner* planner, kerb_plan_outcome outcome) {
    hash = mixed_in(hash, &outcome, sizeof outcome);
    hash = plan_in(hash, kerb_planner_get_plan(planner));
    return plan_in(hash, kerb_planner_get_partial_plan(planner));
}

// Slices of a run: all at once, one step each, or random ones.
typedef enum slicing { AT_ONCE, SINGLE, RANDOM } slicing;

// Begins the query again, advances to each of the looks and to the end, and hashes what is shown
// there.
static uint64_t run(kerb_planner* planner, const problem* p, slicing how, const int32_t* looks,
                    kerb_random* random) {
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    uint64_t hash = 14695981039346656037u;
    int32_t steps = 0;
    assert_int_equal(kerb_planner_begin(planner, &p->query, NULL), KERB_OK);
    for (int32_t i = 0; i <= LOOKS; i++) {
        int32_t end = i < LOOKS ? looks[i] : INT32_MAX;
        while (steps < end) {
            int32_t most = how == AT_ONCE  ? INT32_MAX
                           : how == SINGLE ? 1
                                           : 1 + kerb_random_below(random, 40);
            int32_t slice = most < end - steps ? most : end - steps;
            outcome = kerb_planner_advance(planner, slice);
            if (outcome != KERB_PLAN_RUNNING)
                break;
            steps += slice;
            if (how == RANDOM && one_in(random, 8)) // asking has no effect
                (void)kerb_planner_get_partial_plan(planner);
        }
        hash = shown_in(hash, planner, outcome);
    }
    return hash;
}

// How many of 10,000 problems there is time for.
static int32_t share_of_problems(int32_t of_ten_thousand) {
    const char* asked = getenv("KERB_TEST_SLICES");
    const int32_t given = asked != NULL ? atoi(asked) : 0;
    const int64_t all = given > 0 ? given : test_share(3200, 1000);
    const int64_t count = (all * of_ten_thousand + 9999) / 10000;
    return (int32_t)count;
}

static void compare_slicings(const char* name, problem_kind kind, int32_t of_ten_thousand) {
    static problem p;
    const int32_t count = share_of_problems(of_ten_thousand);
    const kerb_host host = kerb_host_default();
    kerb_random random = test_random(name);
    int32_t found = 0, partial = 0;
    for (int32_t trial = 0; trial < count; trial++) {
        kerb_planner planner;
        take_problem(&p, kind, &random);
        int32_t looks[LOOKS], at = 0;
        for (int32_t i = 0; i < LOOKS; i++)
            looks[i] = at += 1 + kerb_random_below(&random, 25);
        assert_int_equal(kerb_planner_create(&planner, &p.limits, &p.settings, &host, NULL),
                         KERB_OK);
        assert_int_equal(kerb_planner_set_world(&planner, &p.world, NULL), KERB_OK);
        assert_int_equal(kerb_planner_set_movers(&planner, p.movers, p.mover_count, NULL), KERB_OK);
        uint64_t once = run(&planner, &p, AT_ONCE, looks, &random);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        found += plan.count > 0;
        partial += plan.count == 0 && kerb_planner_get_partial_plan(&planner).count > 0;
        if (run(&planner, &p, trial % 2 == 0 ? SINGLE : RANDOM, looks, &random) != once)
            fail_msg("problem %d of %s has another answer in other slices", (int)trial, name);
        kerb_planner_destroy(&planner);
    }
    print_message("%d plans and %d partial plans of %d problems\n", (int)found, (int)partial,
                  (int)count);
    assert_true(2 * found > count);
}

static void any_slices_give_the_same_bits_on_open_ground(void** state) {
    (void)state;
    compare_slicings("slices_open", (problem_kind){0}, 4500);
}

static void any_slices_give_the_same_bits_among_obstacles(void** state) {
    (void)state;
    compare_slicings("slices_polygons", (problem_kind){.polygons = true}, 1500);
    compare_slicings("slices_grid", (problem_kind){.grid = true}, 1000);
}

static void any_slices_give_the_same_bits_on_ground_with_a_price(void** state) {
    (void)state;
    compare_slicings("slices_prices", (problem_kind){.polygons = true, .prices = true}, 1000);
}

static void any_slices_give_the_same_bits_among_movers(void** state) {
    (void)state;
    compare_slicings("slices_movers", (problem_kind){.movers = true}, 1000);
    compare_slicings("slices_movers_polygons", (problem_kind){.polygons = true, .movers = true},
                     1000);
}

int plan_slices_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_slices_give_the_same_bits_on_open_ground),
        cmocka_unit_test(any_slices_give_the_same_bits_among_obstacles),
        cmocka_unit_test(any_slices_give_the_same_bits_on_ground_with_a_price),
        cmocka_unit_test(any_slices_give_the_same_bits_among_movers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
