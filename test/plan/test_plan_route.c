// Ways round obstacles: found where there are some, free and drivable; none claimed where walls say
// that there is none; the same however the work is sliced.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/plan/search/route.h"
#include "test/seed.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 1 << 15, BUDGET = 60000, CUTS = 300, POLYGONS = 40 };

typedef struct rig {
    kerb_plan_limits limits;
    kerb_plan_world given;
    kerb_vec2 vertices[4 * POLYGONS];
    int32_t counts[POLYGONS];
    plan_world* world;
    plan_flow layout;
    plan_terrain terrain;
    plan_distant distant;
    kerb_plan_end start, goal;
    plan_route route;
} rig;

// A block `length` along its heading and `width` across.
static void add_block(rig* r, float x, float y, float heading, float length, float width) {
    kerb_pose pose = kerb_pose_make(x, y, heading);
    kerb_vec2 along = kerb_vec2_scale(pose.forward, 0.5f * length);
    kerb_vec2 aside = {-pose.forward.y * 0.5f * width, pose.forward.x * 0.5f * width};
    kerb_vec2* v = r->vertices + 4 * r->given.polygon_count;
    v[0] = kerb_vec2_add(kerb_vec2_add(pose.position, along), aside);
    v[1] = kerb_vec2_add(kerb_vec2_sub(pose.position, along), aside);
    v[2] = kerb_vec2_sub(kerb_vec2_sub(pose.position, along), aside);
    v[3] = kerb_vec2_sub(kerb_vec2_add(pose.position, along), aside);
    r->counts[r->given.polygon_count++] = 4;
}

static void begin(rig* r) {
    memset(r, 0, sizeof *r);
    r->limits = kerb_plan_limits_default();
    r->given.vertices = r->vertices;
    r->given.vertex_counts = r->counts;
}

static void build(rig* r) {
    const kerb_plan_limits* l = &r->limits;
    plan_outline outline = {l->front, l->rear, 0.5f * l->width};
    plan_world layout = kerb_in_plan_world_layout(&r->given, &outline, 1 << 17);
    r->world = malloc(layout.bytes);
    kerb_in_plan_world_build(r->world, &layout, &r->given);
    r->layout = kerb_in_plan_flow_layout(r->world, 1.0f, 1 << 16);
    r->terrain.world = r->world;
    r->terrain.flow = malloc(kerb_in_plan_flow_bytes(&r->layout));
    plan_regions* regions = malloc(kerb_in_plan_regions_bytes(r->world));
    kerb_in_plan_regions_create(regions, r->world);
    kerb_in_plan_flow_create(r->terrain.flow, &r->layout, r->world, regions);
    free(regions);
    r->terrain.nodes = malloc(kerb_in_plan_nodes_bytes(NODES));
    kerb_in_plan_nodes_create(r->terrain.nodes, NODES);
    kerb_in_plan_distant_create(&r->distant);
    r->terrain.distant = &r->distant;
}

static void end(rig* r) {
    free(r->world);
    free(r->terrain.flow);
    free(r->terrain.nodes);
}

static plan_route_state run(rig* r, int32_t slice) {
    kerb_plan_query query = {
        .starts = &r->start, .goals = &r->goal, .start_count = 1, .goal_count = 1};
    plan_rates rates = kerb_in_plan_rates_of(&r->limits);
    kerb_in_plan_route_begin(&r->route, &r->terrain, &rates, &query, BUDGET, CUTS);
    plan_route_state state;
    do
        state = kerb_in_plan_route_advance(&r->route, &r->terrain, slice);
    while (state == PLAN_ROUTE_RUNNING);
    return state;
}

// Every limit by the checker; every place by the exact footprint, each 2 cm.
static void assert_drivable_and_free(const rig* r) {
    static kerb_plan_piece pieces[PLAN_PIECES_OF(PLAN_ARCS_MAX)];
    plan_rates rates = kerb_in_plan_rates_of(&r->limits);
    const plan_shortcut* s = &r->route.shortcut;
    int32_t count = kerb_in_plan_movement_pieces(&rates, r->start.pose, s->arcs, s->count,
                                                 r->start.speed, r->goal.speed, pieces);
    assert_true(count > 0);
    kerb_plan plan = {.pieces = pieces, .count = count};
    for (int32_t i = 0; i < count; i++) {
        plan.time = pieces[i].time + pieces[i].duration;
        plan.length += pieces[i].length;
    }
    plan.cost = plan.time;
    kerb_plan_query query = {
        .starts = &r->start, .goals = &r->goal, .start_count = 1, .goal_count = 1};
    kerb_error error;
    assert_int_equal(kerb_plan_check(&r->limits, &query, NULL, &plan, &error), KERB_OK);
    for (int32_t i = 0; i < s->count; i++) {
        int32_t steps = 1 + (int32_t)(kerb_abs(s->arcs[i].length) / 0.02f);
        for (int32_t k = 0; k <= steps; k++) {
            float along = s->arcs[i].length * (float)k / (float)steps;
            kerb_pose pose = curve_moved(s->poses[i], s->arcs[i].curvature, along);
            assert_true(kerb_in_plan_world_pose_free(r->world, pose, -0.002f));
        }
    }
}

// --------------------------------------------------------------------------- tests

static void ways_through_random_blocks_are_found_free_and_drivable(void** state) {
    (void)state;
    kerb_random random = test_random("plan_blocks");
    int32_t found = 0;
    for (int32_t trial = 0; trial < 12; trial++) {
        rig r;
        begin(&r);
        for (int32_t i = 0; i < 24; i++)
            add_block(&r, kerb_random_between(&random, 12.0f, 88.0f),
                      kerb_random_between(&random, 5.0f, 95.0f),
                      kerb_random_between(&random, 0.0f, KERB_PI),
                      kerb_random_between(&random, 4.0f, 12.0f),
                      kerb_random_between(&random, 4.0f, 12.0f));
        r.given.box_max = kerb_vec2_make(100.0f, 100.0f);
        r.start = kerb_plan_end_make(3.0f, 50.0f, 0.0f, 0.0f);
        r.goal = kerb_plan_end_make(95.0f, 50.0f, 0.0f, 0.0f);
        build(&r);
        bool ends_free = kerb_in_plan_world_pose_free(r.world, r.start.pose, 0.0f) &&
                         kerb_in_plan_world_pose_free(r.world, r.goal.pose, 0.0f);
        if (ends_free && run(&r, 1000) == PLAN_ROUTE_FOUND) {
            assert_drivable_and_free(&r);
            assert_true(r.route.shortcut.time <= r.route.search.time);
            found++;
        }
        end(&r);
    }
    assert_true(found >= 10);
}

static void what_walls_enclose_has_no_path(void** state) {
    (void)state;
    rig r;
    begin(&r);
    for (int32_t i = 0; i < 4; i++) {
        float heading = 0.5f * KERB_PI * (float)i;
        add_block(&r, 50.0f + 12.0f * kerb_cos(heading), 50.0f + 12.0f * kerb_sin(heading),
                  heading + 0.5f * KERB_PI, 26.0f, 2.0f);
    }
    r.start = kerb_plan_end_make(50.0f, 50.0f, 0.0f, 0.0f);
    r.goal = kerb_plan_end_make(90.0f, 50.0f, 0.0f, 0.0f);
    build(&r);
    assert_int_equal(run(&r, 1000), PLAN_ROUTE_NO_PATH);
    end(&r);
}

// 5.4 m between two parked cars for one of 4.5 m: many moves, a hand's breadth at each end.
static void a_car_parks_into_a_narrow_gap_beside_the_road(void** state) {
    (void)state;
    rig r;
    begin(&r);
    r.limits.reverse_speed_max = 2.5f;
    add_block(&r, -5.2f, 1.0f, 0.0f, 5.0f, 1.9f);
    add_block(&r, 5.2f, 1.0f, 0.0f, 5.0f, 1.9f);
    add_block(&r, 0.0f, -0.5f, 0.0f, 40.0f, 0.6f);
    add_block(&r, 0.0f, 9.0f, 0.0f, 40.0f, 1.0f);
    r.start = kerb_plan_end_make(-12.0f, 5.0f, 0.0f, 0.0f);
    r.goal = kerb_plan_end_make(-1.3f, 1.05f, 0.0f, 0.0f);
    build(&r);
    assert_true(kerb_in_plan_world_pose_free(r.world, r.goal.pose, 0.0f));
    assert_int_equal(run(&r, 1000), PLAN_ROUTE_FOUND);
    assert_drivable_and_free(&r);
    end(&r);
}

// Coming fast at a block across the road, it has to brake before it can turn.
static void coming_fast_it_brakes_before_it_turns(void** state) {
    (void)state;
    rig r;
    begin(&r);
    add_block(&r, 45.0f, 0.0f, 0.5f * KERB_PI, 20.0f, 4.0f);
    r.start = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 13.0f);
    r.goal = kerb_plan_end_make(90.0f, 0.0f, 0.0f, 0.0f);
    build(&r);
    assert_int_equal(run(&r, 1000), PLAN_ROUTE_FOUND);
    assert_drivable_and_free(&r);
    end(&r);
}

static void slices_of_any_size_give_the_same_bits(void** state) {
    (void)state;
    plan_arc first[PLAN_ARCS_MAX];
    int32_t count = 0;
    float time = 0.0f;
    for (int32_t slice = 1; slice <= 1000; slice *= 10) {
        rig r;
        begin(&r);
        add_block(&r, 20.0f, 2.0f, 0.7f, 12.0f, 5.0f);
        add_block(&r, 40.0f, -3.0f, 0.2f, 12.0f, 5.0f);
        r.start = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
        r.goal = kerb_plan_end_make(60.0f, 0.0f, 0.0f, 0.0f);
        build(&r);
        assert_int_equal(run(&r, slice), PLAN_ROUTE_FOUND);
        const plan_shortcut* s = &r.route.shortcut;
        if (slice == 1) {
            count = s->count;
            time = s->time;
            memcpy(first, s->arcs, sizeof first);
        }
        assert_int_equal(s->count, count);
        assert_memory_equal(&s->time, &time, sizeof time);
        assert_memory_equal(s->arcs, first, (size_t)count * sizeof *first);
        end(&r);
    }
}

int plan_route_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_through_random_blocks_are_found_free_and_drivable),
        cmocka_unit_test(what_walls_enclose_has_no_path),
        cmocka_unit_test(a_car_parks_into_a_narrow_gap_beside_the_road),
        cmocka_unit_test(coming_fast_it_brakes_before_it_turns),
        cmocka_unit_test(slices_of_any_size_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
