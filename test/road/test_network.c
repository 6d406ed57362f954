// Networks of lanes: what is built, the shapes and conflicts of turns, who yields, and errors that
// name the element.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/road.h"
#include "test/allocation.h"

#include <string.h>

// A crossing of two one-way streets of a lane each: west to east (0 to 1), south to north (2 to 3).
static kerb_vec3 points[8];
static kerb_network_edge edges[4];
static kerb_network_lane lanes[4];
static kerb_network_turn turns[4];
static kerb_network_junction junctions[5];
static kerb_network_plan plan;

static void make_crossing(void) {
    static const kerb_vec3 shape[8] = {{-50, 0, 0}, {-10, 0, 0}, {10, 0, 0}, {50, 0, 0},
                                       {0, -50, 0}, {0, -10, 0}, {0, 10, 0}, {0, 50, 0}};
    memcpy(points, shape, sizeof points);
    for (int32_t i = 0; i < 4; i++) {
        bool in = i % 2 == 0;
        edges[i] = (kerb_network_edge){i, 1, in ? i + 1 : 0, in ? 0 : i + 1, 1};
        lanes[i] = kerb_network_lane_at(2 * i, 2);
    }
    turns[0] = kerb_network_turn_between(0, 1); // straight on to the east
    turns[1] = kerb_network_turn_between(2, 3); // straight on to the north
    turns[2] = kerb_network_turn_between(0, 3); // left
    turns[3] = kerb_network_turn_between(2, 1); // right
    memset(junctions, 0, sizeof junctions);
    plan = (kerb_network_plan){.edges = edges,
                               .edge_count = 4,
                               .lanes = lanes,
                               .lane_count = 4,
                               .turns = turns,
                               .turn_count = 4,
                               .junctions = junctions,
                               .junction_count = 5,
                               .points = points,
                               .point_count = 8};
}

static kerb_result make(kerb_network* network, kerb_error* error) {
    kerb_host host = kerb_host_default();
    return kerb_network_create(network, &plan, &host, error);
}

static kerb_network made(void) {
    kerb_network network;
    kerb_error error;
    assert_int_equal(make(&network, &error), KERB_OK);
    return network;
}

static void a_crossing_has_its_lanes_turns_and_lengths(void** state) {
    (void)state;
    make_crossing();
    kerb_network network = made();
    kerb_network_size size = kerb_network_size_of(&network);
    assert_int_equal(size.lanes, 4);
    assert_int_equal(size.turns, 4);
    assert_float_equal(kerb_network_length(&network, 0), 40, 1e-4f);
    assert_float_equal(kerb_network_length(&network, 4), 20, 1e-3f);
    // A quarter of a circle of 10 m, nearly.
    assert_float_equal(kerb_network_length(&network, 6), 5 * KERB_PI, 0.3f);
    int32_t from[4];
    assert_int_equal(kerb_network_turns_from(&network, 0, from, 4), 2);
    assert_int_equal(from[0], 0);
    assert_int_equal(from[1], 2);
    kerb_network_segment turn = kerb_network_segment_of(&network, 6);
    assert_int_equal(turn.from, 0);
    assert_int_equal(turn.to, 3);
    assert_int_equal(turn.junction, 0);
    kerb_network_destroy(&network);
    assert_null(network.memory);
}

static void places_lie_on_the_polyline_with_their_heading(void** state) {
    (void)state;
    make_crossing();
    points[3].z = 4; // a ramp of 10 %
    kerb_network network = made();
    kerb_network_place p = kerb_network_at(&network, 1, kerb_network_length(&network, 1) / 2, 1);
    assert_float_equal(p.position.x, 30, 1e-3f);
    assert_float_equal(p.position.y, 1, 1e-3f);
    assert_float_equal(p.position.z, 2, 1e-3f);
    assert_float_equal(p.heading, 0, 1e-5f);
    assert_float_equal(p.slope, 0.1f, 1e-4f);
    p = kerb_network_at(&network, 6, 1e9f, 0); // beyond its end
    assert_float_equal(p.position.x, 0, 1e-3f);
    assert_float_equal(p.position.y, 10, 1e-3f);
    kerb_network_destroy(&network);
}

static void conflicts_lie_where_the_turns_are_closer_than_their_widths(void** state) {
    (void)state;
    make_crossing();
    kerb_network network = made();
    kerb_network_conflict cross = kerb_network_conflict_of(&network, 0, 1);
    assert_true(cross.conflicts && !cross.merges);
    assert_true(cross.begin > 4 && cross.begin < 8.5f && cross.end > 11.5f && cross.end < 16);
    kerb_network_conflict merge = kerb_network_conflict_of(&network, 0, 3);
    assert_true(merge.conflicts && merge.merges);
    assert_float_equal(merge.end, kerb_network_length(&network, 4), 1e-4f);
    // Left from the west and right from the south do not meet.
    assert_false(kerb_network_conflict_of(&network, 2, 3).conflicts &&
                 !kerb_network_conflict_of(&network, 3, 2).conflicts);
    kerb_network_destroy(&network);
}

static void turns_above_one_another_do_not_conflict(void** state) {
    (void)state;
    make_crossing();
    for (int32_t i = 4; i < 8; i++)
        points[i].z = 6;
    kerb_network network = made();
    assert_false(kerb_network_conflict_of(&network, 0, 1).conflicts);
    kerb_network_destroy(&network);
}

static void who_yields_follows_the_rule(void** state) {
    (void)state;
    make_crossing();
    for (int32_t rule = 0; rule <= KERB_JUNCTION_GIVEN; rule++) {
        junctions[0].rule = (kerb_junction_rule)rule;
        edges[0].priority = rule == KERB_JUNCTION_PRIORITY ? 2 : 1;
        for (int32_t left = 0; left < 2; left++) {
            plan.left_hand = left == 1;
            kerb_network network = made();
            bool east_yields = kerb_network_conflict_of(&network, 0, 1).yields;
            bool north_yields = kerb_network_conflict_of(&network, 1, 0).yields;
            // Who drives north comes from the right of who drives east.
            bool near = rule == KERB_JUNCTION_NEAR_SIDE;
            assert_int_equal(east_yields, near && !left);
            assert_int_equal(north_yields, rule == KERB_JUNCTION_PRIORITY || (near && left));
            kerb_network_destroy(&network);
        }
    }
    kerb_network_yield yield = {0, 1};
    plan.yields = &yield;
    plan.yield_count = 1;
    kerb_network network = made();
    assert_true(kerb_network_conflict_of(&network, 0, 1).yields);
    assert_false(kerb_network_conflict_of(&network, 1, 0).yields);
    kerb_network_destroy(&network);
}

static void refuses(const char* field, int32_t index, kerb_result result) {
    kerb_network network;
    kerb_error error = {0};
    assert_int_equal(make(&network, &error), result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
    assert_null(network.memory);
    make_crossing();
}

static void errors_name_the_element(void** state) {
    (void)state;
    make_crossing();
    plan.edge_count = 0;
    refuses("edges", -1, KERB_ERROR_TOO_FEW);
    lanes[2].width = 0;
    refuses("lanes.width", 2, KERB_ERROR_OUT_OF_RANGE);
    lanes[1].speed_limit = -3;
    refuses("lanes.speed_limit", 1, KERB_ERROR_OUT_OF_RANGE);
    lanes[3].point_count = 1;
    refuses("lanes.points", 3, KERB_ERROR_TOO_FEW);
    points[7] = points[6];
    refuses("lanes.points", 3, KERB_ERROR_CONTRADICTION);
    points[0].x = NAN;
    refuses("lanes.points", 0, KERB_ERROR_NOT_FINITE);
    edges[3].to = 9;
    refuses("edges.to", 3, KERB_ERROR_OUT_OF_RANGE);
    edges[1].first_lane = 0;
    refuses("lanes", 1, KERB_ERROR_CONTRADICTION);
    turns[2].to = 2;
    refuses("turns.to", 2, KERB_ERROR_CONTRADICTION);
    turns[1].from = 4;
    refuses("turns.from", 1, KERB_ERROR_OUT_OF_RANGE);
    turns[3].signal = 0;
    refuses("turns.signal", 3, KERB_ERROR_OUT_OF_RANGE);
    junctions[4].rule = (kerb_junction_rule)7;
    refuses("junctions.rule", 4, KERB_ERROR_OUT_OF_RANGE);
}

static void a_copy_of_the_block_is_the_same_network(void** state) {
    (void)state;
    make_crossing();
    kerb_network network = made();
    static char copy[1 << 16] = {0};
    assert_true(network.bytes <= sizeof copy);
    memcpy(copy, network.memory, network.bytes);
    kerb_network other = {copy, network.bytes, network.allocator};
    assert_true(kerb_network_length(&other, 6) <= kerb_network_length(&network, 6));
    assert_true(kerb_network_conflict_of(&other, 0, 1).conflicts);
    kerb_network_destroy(&network);
}

static void every_failed_allocation_is_an_error_without_a_leak(void** state) {
    (void)state;
    make_crossing();
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_network network;
        kerb_error error;
        kerb_result result = kerb_network_create(&network, &plan, &host, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_network_destroy(&network);
        test_allocation_check(&allocation);
    }
}

static void rules_have_texts(void** state) {
    (void)state;
    assert_string_equal(kerb_junction_rule_text(KERB_JUNCTION_NEAR_SIDE), "near side");
    assert_string_equal(kerb_junction_rule_text((kerb_junction_rule)99), "unknown");
}

int network_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crossing_has_its_lanes_turns_and_lengths),
        cmocka_unit_test(places_lie_on_the_polyline_with_their_heading),
        cmocka_unit_test(conflicts_lie_where_the_turns_are_closer_than_their_widths),
        cmocka_unit_test(turns_above_one_another_do_not_conflict),
        cmocka_unit_test(who_yields_follows_the_rule),
        cmocka_unit_test(errors_name_the_element),
        cmocka_unit_test(a_copy_of_the_block_is_the_same_network),
        cmocka_unit_test(every_failed_allocation_is_an_error_without_a_leak),
        cmocka_unit_test(rules_have_texts),
    };
    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}
