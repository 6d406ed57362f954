// From a network of SUMO to one to drive on: lines, turns, who yields, signals; and, where
// ../shared/data is, whole towns.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/sumo_road.h"
#include "kerb/io/track.h"
#include "test/allocation.h"
#include "test/io/sumo_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kerb_host host;
static kerb_error error;
static kerb_io_sumo_network sumo;
static kerb_io_sumo_plan plan;
static kerb_network network;

static void build(const char* text, size_t length) {
    host = kerb_host_default();
    if (!kerb_io_track_torcs_available()) {
        print_message("skipped: this build reads no XML\n");
        skip();
    }
    if (kerb_io_sumo_network_read(&sumo, text, length, &host, NULL, &error) != KERB_OK ||
        kerb_io_sumo_plan_make(&plan, &sumo, &host, NULL, &error) != KERB_OK ||
        kerb_network_create(&network, &plan.plan, &host, &error) != KERB_OK)
        fail_msg("line %d, %s [%d]: %s", (int)error.line, error.field, (int)error.index,
                 error.message);
}

static void tear_down_network(void) {
    kerb_network_destroy(&network);
    kerb_io_sumo_plan_destroy(&plan);
    kerb_io_sumo_network_destroy(&sumo);
}

static void roads_and_turns_are_those_of_the_file(void** state) {
    (void)state;
    build(SUMO_NETWORK, strlen(SUMO_NETWORK));
    assert_int_equal(plan.plan.edge_count, 3);
    assert_int_equal(plan.plan.lane_count, 4);
    assert_int_equal(plan.plan.turn_count, 2);
    assert_int_equal(plan.edge_of[kerb_io_sumo_edge_find(&sumo, ":j_0")], -1);
    int32_t lane = plan.lane_of[kerb_io_sumo_lane_find(&sumo, "west_1")];
    kerb_network_segment segment = kerb_network_segment_of(&network, lane);
    assert_float_equal(segment.width, 2.5f, 1e-6);
    assert_float_equal(kerb_network_at(&network, lane, 0.0f, 0.0f).position.z, 1.0f, 1e-5);
    // 95 m along and 3 m up.
    assert_float_equal(segment.length, 95.0474f, 1e-3);
    assert_float_equal(kerb_network_length(&network, 4), 10.0f, 1e-4);
    assert_int_equal(kerb_network_segment_of(&network, 4).signal, 0);
    assert_int_equal(kerb_network_segment_of(&network, 5).link, 1);
    assert_int_equal(plan.plan.signals[0].link_count, 2);
    assert_true(plan.plan.signals[0].actuated);
    assert_string_equal(sumo.lanes[plan.sumo_lane[lane]].id, "west_1");
    tear_down_network();
}

// Two roads that cross: the second yields, and both turns conflict.
static void who_yields_is_as_in_the_requests(void** state) {
    (void)state;
    static const char text[] =
        "<net>"
        "<edge id=\":j_0\" function=\"internal\"><lane id=\":j_0_0\" speed=\"9\" "
        "shape=\"-5,0 5,0\"/></edge>"
        "<edge id=\":j_1\" function=\"internal\"><lane id=\":j_1_0\" speed=\"9\" "
        "shape=\"0,-5 0,5\"/></edge>"
        "<edge id=\"a\" from=\"w\" to=\"j\"><lane id=\"a_0\" speed=\"9\" shape=\"-50,0 -5,0\"/>"
        "</edge><edge id=\"b\" from=\"j\" to=\"e\"><lane id=\"b_0\" speed=\"9\" "
        "shape=\"5,0 50,0\"/></edge><edge id=\"c\" from=\"s\" to=\"j\"><lane id=\"c_0\" "
        "speed=\"9\" shape=\"0,-50 0,-5\"/></edge><edge id=\"d\" from=\"j\" to=\"n\">"
        "<lane id=\"d_0\" speed=\"9\" shape=\"0,5 0,50\"/></edge>"
        "<junction id=\"w\" type=\"dead_end\" x=\"0\" y=\"0\"/>"
        "<junction id=\"e\" type=\"dead_end\" x=\"0\" y=\"0\"/>"
        "<junction id=\"s\" type=\"dead_end\" x=\"0\" y=\"0\"/>"
        "<junction id=\"n\" type=\"dead_end\" x=\"0\" y=\"0\"/>"
        "<junction id=\"j\" type=\"priority\" x=\"0\" y=\"0\" incLanes=\"a_0 c_0\">"
        "<request index=\"0\" response=\"00\" foes=\"10\"/>"
        "<request index=\"1\" response=\"01\" foes=\"01\"/></junction>"
        "<connection from=\"c\" to=\"d\" fromLane=\"0\" toLane=\"0\" via=\":j_1_0\" state=\"m\"/>"
        "<connection from=\"a\" to=\"b\" fromLane=\"0\" toLane=\"0\" via=\":j_0_0\" state=\"M\"/>"
        "</net>";
    build(text, sizeof text - 1);
    // Turn 0 is the first connection of the file: from south to north.
    kerb_network_conflict crossing = kerb_network_conflict_of(&network, 0, 1);
    assert_true(crossing.conflicts);
    assert_true(crossing.yields);
    assert_false(kerb_network_conflict_of(&network, 1, 0).yields);
    assert_false(crossing.merges);
    tear_down_network();
}

// A street of two ways without connections: both ends get a turn back.
static void streets_that_end_get_turns_back(void** state) {
    (void)state;
    static const char text[] =
        "<net>"
        "<edge id=\"a\" from=\"w\" to=\"e\"><lane id=\"a_0\" speed=\"9\" shape=\"0,-2 50,-2\"/>"
        "</edge><edge id=\"b\" from=\"e\" to=\"w\"><lane id=\"b_0\" speed=\"9\" "
        "shape=\"50,2 0,2\"/></edge>"
        "<junction id=\"w\" type=\"dead_end\" x=\"0\" y=\"0\"/>"
        "<junction id=\"e\" type=\"dead_end\" x=\"50\" y=\"0\"/>"
        "</net>";
    build(text, strlen(text));
    assert_int_equal(plan.plan.turn_count, 2);
    for (int32_t i = 0; i < 2; i++) {
        kerb_network_segment turn = kerb_network_segment_of(&network, 2 + i);
        assert_int_equal(turn.from, i);
        assert_int_equal(turn.to, 1 - i);
        assert_int_equal(turn.signal, -1);
        assert_true(plan.plan.turns[i].back);
    }
    tear_down_network();
}

static void far_coordinates_are_moved_near(void** state) {
    (void)state;
    static const char text[] =
        "<net><edge id=\"a\" from=\"w\" to=\"e\"><lane id=\"a_0\" speed=\"9\" "
        "shape=\"683542.41,4928877.56 683592.41,4928877.56\"/></edge>"
        "<junction id=\"w\" type=\"dead_end\" x=\"683542.41\" y=\"4928877.56\"/>"
        "<junction id=\"e\" type=\"dead_end\" x=\"683592.41\" y=\"4928877.56\"/></net>";
    build(text, sizeof text - 1);
    assert_float_equal(plan.origin[0], 683542.0, 0.0);
    assert_float_equal(kerb_network_length(&network, 0), 50.0f, 1e-3);
    tear_down_network();
}

static void every_failed_allocation_of_a_plan_is_reported(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host failing = test_allocation_host(&allocation);
    build(SUMO_NETWORK, strlen(SUMO_NETWORK));
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_io_sumo_plan other;
        kerb_result result = kerb_io_sumo_plan_make(&other, &sumo, &failing, NULL, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_io_sumo_plan_destroy(&other);
        test_allocation_check(&allocation);
    }
    tear_down_network();
}

// Of a surveyed town every '1' of the responses is a pair of turns that really conflict.
static void responses_of_a_town_fit_its_shapes(void** state) {
    (void)state;
    FILE* file = fopen(KERB_SOURCE_DIR "/../shared/data/nets/bologna_acosta.net.xml", "rb");
    if (!file) {
        print_message("skipped: ../shared/data/nets is not here\n");
        return;
    }
    char* text = malloc(1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, 1 << 20, file);
    fclose(file);
    build(text, length);
    free(text);
    int32_t found = 0;
    for (int32_t i = 0; i < plan.plan.yield_count; i++)
        found +=
            kerb_network_conflict_of(&network, plan.plan.yields[i].turn, plan.plan.yields[i].to)
                .yields;
    assert_int_equal(plan.plan.yield_count, 310);
    assert_true(found >= 305);
    tear_down_network();
}

int sumo_road_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roads_and_turns_are_those_of_the_file),
        cmocka_unit_test(who_yields_is_as_in_the_requests),
        cmocka_unit_test(streets_that_end_get_turns_back),
        cmocka_unit_test(far_coordinates_are_moved_near),
        cmocka_unit_test(every_failed_allocation_of_a_plan_is_reported),
        cmocka_unit_test(responses_of_a_town_fit_its_shapes),
    };
    return cmocka_run_group_tests_name("sumo road", tests, NULL, NULL);
}
