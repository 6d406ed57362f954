// Streets that end: the turns back that a plan lacks, ways over them, and vehicles that leave them
// again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic_edit.h"
#include "test/allocation.h"
#include "test/road/rectangles.h"
#include "test/seed.h"

#include <stdlib.h>
#include <string.h>

// A town without circles: streets of two ways between places of a grid, with an end at each leaf.
enum { SIDE = 4, PLACES = SIDE * SIDE, STREETS = PLACES - 1, EDGES = 2 * STREETS, TURNS = 256 };
enum { CARS = 40 };

static kerb_network network;
static kerb_traffic traffic;
static kerb_network_edge edges[EDGES];
static kerb_network_lane lanes[2 * EDGES];
static kerb_network_turn turns[TURNS];
static kerb_network_junction junctions[PLACES];
static kerb_vec3 points[4 * EDGES];
static kerb_network_plan plan;
static int32_t ends; // turns that were added

static kerb_vec3 end_of(int32_t from, int32_t to, float along, float right) {
    float ux = (float)(to % SIDE - from % SIDE), uy = (float)(to / SIDE - from / SIDE);
    return kerb_vec3_make(80 * (float)(from % SIDE) + along * ux + right * uy,
                          80 * (float)(from / SIDE) + along * uy - right * ux, 0);
}

static void add_edge(int32_t from, int32_t to, int32_t lane_count) {
    edges[plan.edge_count++] = (kerb_network_edge){plan.lane_count, lane_count, from, to, 1};
    for (int32_t k = 0; k < lane_count; k++) {
        float right = 1.6f + 3.2f * (float)(lane_count - 1 - k);
        lanes[plan.lane_count++] = kerb_network_lane_at(plan.point_count, 2);
        points[plan.point_count++] = end_of(from, to, 14, right);
        points[plan.point_count++] = end_of(from, to, 66, right);
    }
}

// Turns from each lane to one of each street that leads on, but back.
static void add_turns(void) {
    for (int32_t a = 0; a < plan.edge_count; a++)
        for (int32_t b = 0; b < plan.edge_count; b++)
            for (int32_t k = 0; k < edges[a].lane_count; k++)
                if (edges[a].to == edges[b].from && edges[a].from != edges[b].to)
                    turns[plan.turn_count++] = kerb_network_turn_between(
                        edges[a].first_lane + k,
                        edges[b].first_lane +
                            (k < edges[b].lane_count ? k : edges[b].lane_count - 1));
}

static void add_ends(void) {
    kerb_host host = kerb_host_default();
    ends = kerb_network_turns_back(&plan, &host, turns + plan.turn_count, TURNS - plan.turn_count);
    assert_true(ends >= 0 && plan.turn_count + ends <= TURNS);
    plan.turn_count += ends;
}

// Each place is joined to one before it.
static void plan_town(kerb_random* random, kerb_junction_rule rule) {
    plan = (kerb_network_plan){.edges = edges,
                               .lanes = lanes,
                               .turns = turns,
                               .junctions = junctions,
                               .junction_count = PLACES,
                               .points = points};
    for (int32_t i = 0; i < PLACES; i++)
        junctions[i].rule = rule;
    for (int32_t i = 1; i < PLACES; i++) {
        bool left = i % SIDE > 0, below = i >= SIDE;
        int32_t other = left && (!below || kerb_random_below(random, 2)) ? i - 1 : i - SIDE;
        int32_t lane_count = 1 + kerb_random_below(random, 2);
        add_edge(other, i, lane_count);
        add_edge(i, other, lane_count);
    }
    add_turns();
}

static void build(void) {
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    if (kerb_network_create(&network, &plan, &host, &error) != KERB_OK)
        fail_msg("%s [%d]: %s", error.field, error.index, error.message);
}

static int32_t streets_that_end(void) {
    int32_t count = 0;
    for (int32_t i = 0; i < PLACES; i++) {
        int32_t ways = 0;
        for (int32_t e = 0; e < plan.edge_count; e++)
            ways += edges[e].from == i;
        count += ways == 1;
    }
    return count;
}

static void every_street_that_ends_gets_one_turn_back(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t n = 0; n < 50; n++) {
        plan_town(&random, KERB_JUNCTION_PRIORITY);
        int32_t before = plan.turn_count;
        add_ends();
        assert_int_equal(ends, streets_that_end());
        for (int32_t i = before; i < plan.turn_count; i++) {
            int32_t from = 0, to = 0;
            while (turns[i].from >= edges[from].first_lane + edges[from].lane_count)
                from++;
            while (turns[i].to >= edges[to].first_lane + edges[to].lane_count)
                to++;
            assert_int_equal(edges[from].to, edges[to].from);
            assert_int_equal(edges[from].from, edges[to].to);
            // From the fast lane to the fast lane.
            assert_int_equal(turns[i].from, edges[from].first_lane + edges[from].lane_count - 1);
            assert_int_equal(turns[i].to, edges[to].first_lane + edges[to].lane_count - 1);
        }
        add_ends(); // nothing is left
        assert_int_equal(ends, 0);
    }
    // A street of one way that ends has nothing to turn back on, and classes must fit.
    plan_town(&random, KERB_JUNCTION_PRIORITY);
    for (int32_t i = 0; i < plan.lane_count; i++)
        lanes[i].classes = edges[0].first_lane <= i && i < edges[1].first_lane ? 1 : 2;
    plan.turn_count = 0;
    plan.edge_count = 2;
    plan.lane_count = edges[1].first_lane + edges[1].lane_count;
    add_ends();
    assert_int_equal(ends, 0);
    plan.edge_count = 1;
    plan.lane_count = edges[1].first_lane;
    add_ends();
    assert_int_equal(ends, 0);
}

// A street that ends at a crossing through which others drive: they go first, whatever the rule.
static void who_turns_back_yields_to_all_others(void** state) {
    (void)state;
    for (int32_t rule = 0; rule <= KERB_JUNCTION_GIVEN; rule++) {
        plan = (kerb_network_plan){.edges = edges,
                                   .lanes = lanes,
                                   .turns = turns,
                                   .junctions = junctions,
                                   .junction_count = PLACES,
                                   .points = points};
        junctions[5].rule = (kerb_junction_rule)rule;
        add_edge(4, 5, 1); // it ends
        add_edge(5, 4, 1);
        add_edge(1, 5, 1); // from the south, into that street
        turns[plan.turn_count++] = kerb_network_turn_between(2, 1);
        add_ends();
        assert_int_equal(ends, 2); // and at its other end
        build();
        kerb_network_conflict back = kerb_network_conflict_of(&network, 1, 0);
        assert_true(back.conflicts && back.merges && back.yields);
        assert_false(kerb_network_conflict_of(&network, 0, 1).yields);
        kerb_network_destroy(&network);
    }
}

// --------------------------------------------------------------------------- driving

static kerb_routes routes;
static kerb_route_work work;

static void make_routes(void) {
    static kerb_route_lane route_lanes[2 * EDGES];
    static kerb_route_link links[TURNS];
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < plan.lane_count; i++) {
        kerb_network_segment s = kerb_network_segment_of(&network, i);
        route_lanes[i] = kerb_route_lane_at(5000);
        route_lanes[i].left = s.left;
        route_lanes[i].right = s.right;
    }
    for (int32_t i = 0; i < plan.turn_count; i++)
        links[i] = (kerb_route_link){turns[i].from, turns[i].to, 3000};
    kerb_route_graph graph = {route_lanes, plan.lane_count, links, plan.turn_count, 2000};
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, NULL), KERB_OK);
    assert_int_equal(kerb_route_work_create(&work, &routes, &host), KERB_OK);
}

// The edges of the fastest way from an edge to another. Returns how many.
static int32_t way_between(int32_t from, int32_t to, int32_t* way) {
    int32_t found[256], count = 0;
    kerb_route_question question =
        kerb_route_question_between(edges[from].first_lane, edges[to].first_lane);
    kerb_route_answer answer = kerb_route_find(&routes, &work, &question, found, 256);
    assert_int_equal(answer.outcome, KERB_ROUTE_FOUND);
    for (int32_t i = 0; i < answer.count; i++) {
        int32_t edge = kerb_network_segment_of(&network, found[i]).edge;
        if (count == 0 || way[count - 1] != edge)
            way[count++] = edge;
    }
    return count;
}

static void make_cars(int32_t seed) {
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = CARS;
    settings.seed = seed;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type car = kerb_traffic_car();
    kerb_traffic_add_type(&traffic, &car);
}

static void drive(int32_t steps) {
    for (int32_t k = 0; k < steps; k++) {
        int32_t a, b;
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        assert_int_equal(test_overlaps(&traffic, &network, CARS, &a, &b), 0);
    }
}

static void drive_until_all_arrive(int32_t steps_max) {
    for (int32_t k = 0; k < steps_max && kerb_traffic_counts_of(&traffic).arrived < CARS; k += 50)
        drive(50);
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, CARS);
    assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
}

static void destroy_all(void) {
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
    kerb_route_work_destroy(&work);
    kerb_routes_destroy(&routes);
}

// Who wants to the other side of its own street has to turn back at an end, and every way has one
// such end or none.
static void vehicles_leave_streets_that_end(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t towns = test_share(12, 3);
    for (int32_t n = 0; n < towns; n++) {
        int32_t way[EDGES], turned = 0;
        plan_town(&random, (kerb_junction_rule)(n % KERB_JUNCTION_GIVEN));
        add_ends();
        build();
        make_routes();
        make_cars(n);
        for (int32_t i = 0; i < CARS; i++) {
            int32_t from = kerb_random_below(&random, plan.edge_count);
            int32_t to = i % 2 ? from ^ 1 : kerb_random_below(&random, plan.edge_count);
            int32_t count = way_between(from, to, way);
            for (int32_t k = 1; k < count; k++)
                turned += way[k] == (way[k - 1] ^ 1);
            kerb_traffic_trip trip = kerb_traffic_trip_along(0, way, count);
            trip.depart = kerb_random_between(&random, 0, 60);
            assert_true(kerb_traffic_add(&traffic, &trip) >= 0);
        }
        assert_true(turned >= CARS / 2);
        drive_until_all_arrive(12000);
        destroy_all();
    }
}

static int32_t mended_routes(void) {
    kerb_traffic_event event;
    int32_t count = 0;
    while (kerb_traffic_take_events(&traffic, &event, 1) > 0)
        count += event.what == KERB_TRAFFIC_REROUTED;
    return count;
}

// The street behind the crossing goes while vehicles drive towards it: they turn back before it.
static void vehicles_leave_a_street_that_became_one_that_ends(void** state) {
    (void)state;
    static const int32_t lanes_kept[4] = {0, 1, -1, -1}, turns_kept[4] = {-1, -1, -1, -1};
    static const int32_t there_and_back[4] = {0, 2, 3, 1};
    kerb_host host = kerb_host_default();
    plan = (kerb_network_plan){.edges = edges,
                               .lanes = lanes,
                               .turns = turns,
                               .junctions = junctions,
                               .junction_count = PLACES,
                               .points = points};
    junctions[1].rule = KERB_JUNCTION_PRIORITY;
    add_edge(0, 1, 1);
    add_edge(1, 0, 1);
    add_edge(1, 2, 1);
    add_edge(2, 1, 1);
    add_turns();
    add_ends();
    assert_int_equal(ends, 2);
    build();
    make_cars(1);
    for (int32_t i = 0; i < CARS; i++) {
        kerb_traffic_trip trip = kerb_traffic_trip_along(0, there_and_back, 4);
        assert_true(kerb_traffic_add(&traffic, &trip) >= 0);
    }
    drive(60);
    for (int32_t i = 0; i < plan.turn_count; i++)
        if (turns[i].to == 2)
            kerb_network_set_open(&network, i, false);
    for (int32_t k = 0; k < 100; k++) {
        int32_t uses = 0;
        for (int32_t i = 2; i < plan.lane_count + plan.turn_count; i++)
            uses += kerb_traffic_uses(&traffic, &network, i);
        if (uses == 0)
            break;
        drive(10);
    }
    int32_t arrived = (int32_t)kerb_traffic_counts_of(&traffic).arrived;
    assert_true(arrived < CARS / 2);
    plan.edge_count = plan.lane_count = 2;
    plan.turn_count = 0;
    add_ends();
    assert_int_equal(ends, 2);
    kerb_network old = network;
    kerb_error error = {0};
    build();
    kerb_network_change change = {lanes_kept, turns_kept, NULL};
    if (kerb_traffic_move_to(&traffic, &old, &network, &change, &host, &error) != KERB_OK)
        fail_msg("%s [%d]: %s", error.field, error.index, error.message);
    kerb_network_destroy(&old);
    assert_true(mended_routes() > CARS / 2);
    drive_until_all_arrive(12000);
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
}

static void a_failed_allocation_is_told(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    test_allocation allocation = test_allocation_make();
    kerb_host failing = test_allocation_host(&allocation);
    plan_town(&random, KERB_JUNCTION_PRIORITY);
    assert_true(test_allocation_fail_next(&allocation, 1));
    assert_int_equal(kerb_network_turns_back(&plan, &failing, NULL, 0), -1);
    assert_true(test_allocation_fail_next(&allocation, 2));
    assert_int_equal(kerb_network_turns_back(&plan, &failing, NULL, 0), streets_that_end());
    plan.lane_count = 0; // refused by kerb_network_create
    assert_int_equal(kerb_network_turns_back(&plan, &failing, NULL, 0), 0);
}

int dead_ends_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_street_that_ends_gets_one_turn_back),
        cmocka_unit_test(who_turns_back_yields_to_all_others),
        cmocka_unit_test(vehicles_leave_streets_that_end),
        cmocka_unit_test(vehicles_leave_a_street_that_became_one_that_ends),
        cmocka_unit_test(a_failed_allocation_is_told),
    };
    return cmocka_run_group_tests_name("dead_ends", tests, NULL, NULL);
}
