// Networks and demands of SUMO: what each element becomes, and that what is wrong is refused with
// its line and the element's name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/sumo_demand.h"
#include "kerb/io/track.h"
#include "test/allocation.h"
#include "test/io/sumo_texts.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kerb_host host;
static kerb_error error;
static kerb_io_notes notes;
static kerb_io_sumo_network network;
static kerb_io_sumo_demand demand;

static void need_xml(void) {
    if (kerb_io_track_torcs_available())
        return;
    print_message("skipped: this build reads no XML\n");
    skip();
}

static kerb_result try_network(const char* text, size_t length) {
    memset(&notes, 0, sizeof notes);
    memset(&error, 0, sizeof error);
    return kerb_io_sumo_network_read(&network, text, length, &host, &notes, &error);
}

static void read_network(const char* text) {
    need_xml();
    if (try_network(text, strlen(text)) != KERB_OK)
        fail_msg("line %d: %s: %s", (int)error.line, error.field, error.message);
}

static kerb_result try_demand(const char* text) {
    memset(&notes, 0, sizeof notes);
    memset(&error, 0, sizeof error);
    return kerb_io_sumo_demand_read(&demand, &network, text, strlen(text), &notes, &error);
}

static void read_demand(const char* text) {
    demand = kerb_io_sumo_demand_make(&host);
    if (try_demand(text) != KERB_OK)
        fail_msg("line %d: %s: %s", (int)error.line, error.field, error.message);
}

static void release(void) {
    kerb_io_sumo_demand_destroy(&demand);
    kerb_io_sumo_network_destroy(&network);
}

static int set_up(void** state) {
    (void)state;
    host = kerb_host_default();
    memset(&network, 0, sizeof network);
    demand = kerb_io_sumo_demand_make(&host);
    return 0;
}

// --------------------------------------------------------------------------- networks

static const kerb_io_sumo_lane* lane_of(const char* id) {
    int32_t index = kerb_io_sumo_lane_find(&network, id);
    assert_true(index >= 0);
    return &network.lanes[index];
}

static void lanes_have_what_the_file_says(void** state) {
    (void)state;
    read_network(SUMO_NETWORK);
    const kerb_io_sumo_lane* lane = lane_of("west_1");
    const kerb_io_sumo_edge* edge = &network.edges[lane->edge];
    assert_string_equal(edge->id, "west");
    assert_int_equal(edge->lanes.count, 2);
    assert_int_equal(edge->priority, 3);
    assert_string_equal(network.junctions[edge->from].id, "a");
    assert_string_equal(network.junctions[edge->to].id, "j");
    assert_float_equal(lane->speed, 13.89, 0.0);
    assert_float_equal(lane->width, 2.5, 0.0);
    assert_int_equal(lane->shape.count, 2);
    assert_float_equal(network.points[lane->shape.first + 1].z, 4.0, 0.0);
    assert_int_equal(lane->classes,
                     KERB_IO_SUMO_ALL_CLASSES & ~(uint32_t)(KERB_IO_SUMO_BUS | KERB_IO_SUMO_TRUCK));
    assert_int_equal(lane_of("east_0")->classes, KERB_IO_SUMO_BUS | KERB_IO_SUMO_TAXI);
    assert_int_equal(network.edges[lane_of(":j_0_0")->edge].function, KERB_IO_SUMO_INTERNAL);
    assert_float_equal(lane_of(":j_0_0")->width, 3.2, 0.0);
    assert_false(network.left_hand);
    assert_int_equal(kerb_io_sumo_lane_find(&network, "west_2"), -1);
    release();
}

static void connections_and_junctions_are_resolved(void** state) {
    (void)state;
    read_network(SUMO_NETWORK);
    assert_int_equal(network.connection_count, 4);
    const kerb_io_sumo_connection* left = &network.connections[1];
    assert_string_equal(network.lanes[left->from].id, "west_1");
    assert_string_equal(network.lanes[left->to].id, "north_0");
    assert_string_equal(network.lanes[left->via].id, ":j_1_0");
    assert_int_equal(left->direction, 'l');
    assert_int_equal(left->state, 'o');
    assert_int_equal(left->link, 1);
    assert_false(left->keep_clear);
    assert_true(network.connections[0].keep_clear);
    assert_int_equal(network.connections[2].signal, -1);
    const kerb_io_sumo_junction* junction = &network.junctions[3];
    assert_int_equal(junction->rule, KERB_IO_SUMO_SIGNALS);
    assert_int_equal(junction->incoming.count, 2);
    assert_int_equal(junction->requests.count, 2);
    assert_string_equal(network.requests[junction->requests.first + 1].response, "01");
    assert_true(network.requests[junction->requests.first + 1].inside);
    assert_int_equal(network.roundabouts[0].edges.count, 2);
    release();
}

static void a_signal_has_its_phases(void** state) {
    (void)state;
    read_network(SUMO_NETWORK);
    const kerb_io_sumo_signal* signal = &network.signals[kerb_io_sumo_signal_find(&network, "j")];
    assert_true(signal->actuated);
    assert_float_equal(signal->offset, 7.0, 0.0);
    assert_int_equal(signal->phases.count, 3);
    const kerb_io_sumo_phase* phase = &network.phases[signal->phases.first];
    assert_float_equal(phase->min, 5.0, 0.0);
    assert_float_equal(phase->max, 45.0, 0.0);
    assert_string_equal(phase[1].state, "yr");
    assert_float_equal(phase[1].max, 3.0, 0.0);
    release();
}

static void traffic_keeps_left_where_the_file_says(void** state) {
    (void)state;
    read_network("<net lefthand=\"true\">" SUMO_EDGES SUMO_SIGNAL SUMO_JUNCTIONS "</net>");
    assert_true(network.left_hand);
    release();
}

typedef struct wrong {
    const char* text;
    kerb_result result;
    const char *field, *part; ///< of the message
    int32_t line;
} wrong;

static void expect_refused(const wrong* row, kerb_result result) {
    if (result == row->result && strcmp(error.field, row->field) == 0 && error.line == row->line &&
        strstr(error.message, row->part))
        return;
    fail_msg("line %d, result %d, field %s: %s\nfor: %.200s", (int)error.line, (int)result,
             error.field, error.message, row->text);
}

#define SUMO_REST SUMO_SIGNAL SUMO_JUNCTIONS SUMO_CONNECTIONS SUMO_NET_END
#define SUMO_LANE(attributes)                                                                      \
    SUMO_NET_START "<edge id=\"e\" from=\"a\" to=\"b\">\n<lane " attributes "/></edge></net>"

static void wrong_networks_are_refused_with_line_and_element(void** state) {
    static const wrong rows[] = {
        {"", KERB_ERROR_SYNTAX, "", "no element", 1},
        {"<net>", KERB_ERROR_SYNTAX, "", "no element", 1},
        {"<routes/>", KERB_ERROR_UNKNOWN_FIELD, "routes", "<net>", 1},
        {"<net/>", KERB_ERROR_TOO_FEW, "edge", "no edge", 0},
        {SUMO_LANE("id=\"e_0\" speed=\"1\""), KERB_ERROR_MISSING_FIELD, "shape", "lane \"e_0\"", 3},
        {SUMO_LANE("speed=\"1\" shape=\"0,0 1,1\""), KERB_ERROR_MISSING_FIELD, "id", "lane", 3},
        {SUMO_LANE("id=\"e_0\" shape=\"0,0 1,1\""), KERB_ERROR_MISSING_FIELD, "speed",
         "lane \"e_0\"", 3},
        {SUMO_LANE("id=\"e_0\" speed=\"fast\" shape=\"0,0 1,1\""), KERB_ERROR_WRONG_TYPE, "speed",
         "\"fast\"", 3},
        {SUMO_LANE("id=\"e_0\" speed=\"nan\" shape=\"0,0 1,1\""), KERB_ERROR_NOT_FINITE, "speed",
         "finite", 3},
        {SUMO_LANE("id=\"e_0\" speed=\"-3\" shape=\"0,0 1,1\""), KERB_ERROR_OUT_OF_RANGE, "speed",
         "from 0", 3},
        {SUMO_LANE("id=\"e_0\" speed=\"3\" shape=\"0,0\""), KERB_ERROR_TOO_FEW, "shape",
         "two points", 3},
        {SUMO_LANE("id=\"e_0\" speed=\"3\" shape=\"0,0 1,1e300\""), KERB_ERROR_OUT_OF_RANGE,
         "shape", "x,y", 3},
        {SUMO_LANE("id=\"e_0\" speed=\"3\" shape=\"0 1\""), KERB_ERROR_WRONG_TYPE, "shape", "x,y",
         3},
        {SUMO_LANE("id=\"e_0\" speed=\"3\" index=\"1\" shape=\"0,0 1,1\""),
         KERB_ERROR_CONTRADICTION, "index", "in order", 3},
        {SUMO_LANE("id=\"e_0\" speed=\"3\" shape=\"0,0 1,1\""), KERB_ERROR_UNKNOWN_FIELD, "from",
         "edge \"e\"", 2},
        {SUMO_NET_START SUMO_EDGE_WEST SUMO_EDGE_WEST, KERB_ERROR_CONTRADICTION, "id",
         "edge \"west\": is in the file twice", 6},
        {SUMO_NET_START SUMO_EDGES SUMO_JUNCTIONS SUMO_CONNECTIONS SUMO_NET_END,
         KERB_ERROR_UNKNOWN_FIELD, "tl", "connection \"west\"", 14},
        {SUMO_NET_START SUMO_EDGES
         "<connection from=\"west\" to=\"south\" fromLane=\"0\" toLane=\"0\"/>",
         KERB_ERROR_UNKNOWN_FIELD, "to", "no edge", 10},
        {SUMO_NET_START SUMO_EDGES
         "<connection from=\"west\" to=\"east\" fromLane=\"2\" toLane=\"0\"/>",
         KERB_ERROR_OUT_OF_RANGE, "fromLane", "no lane", 10},
        {SUMO_NET_START SUMO_EDGES
         "<tlLogic id=\"q\"><phase duration=\"0\" state=\"G\"/></tlLogic>",
         KERB_ERROR_TOO_FEW, "phase", "tlLogic", 10},
        {SUMO_NET_START SUMO_EDGES "<tlLogic id=\"q\"><phase duration=\"2\" state=\"G\"/>"
                                   "<phase duration=\"2\" state=\"Gr\"/></tlLogic>",
         KERB_ERROR_CONTRADICTION, "state", "letters", 10},
        {SUMO_NET_START SUMO_EDGES
         "<tlLogic id=\"j\"><phase duration=\"2\" state=\"G\"/></tlLogic>" SUMO_JUNCTIONS
             SUMO_CONNECTIONS SUMO_NET_END,
         KERB_ERROR_OUT_OF_RANGE, "linkIndex", "tlLogic \"j\"", 15},
    };
    (void)state;
    need_xml();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_refused(&rows[i], try_network(rows[i].text, strlen(rows[i].text)));
        assert_null(network.memory);
    }
}

static void expect_note(const char* part, int32_t line) {
    for (int32_t i = 0; i < notes.count; i++)
        if (strstr(notes.rows[i].message, part) && notes.rows[i].line == line)
            return;
    fail_msg("no note on line %d with: %s (the first is on %d: %s)", (int)line, part,
             (int)notes.rows[0].line, notes.rows[0].message);
}

static void doubtful_networks_are_read_with_a_note(void** state) {
    (void)state;
    read_network(SUMO_NETWORK);
    assert_int_equal(notes.count, 0);
    release();
    read_network(SUMO_NET_START SUMO_EDGES SUMO_SIGNAL SUMO_JUNCTIONS
                 "<connection from=\"west\" to=\"east\" fromLane=\"0\" toLane=\"0\"/></net>");
    expect_note("lane \"west_1\": no connection leads on", 6);
    release();
    read_network(SUMO_NET_START SUMO_EDGES SUMO_SIGNAL
                 "<junction id=\"a\" type=\"odd\" x=\"0\" y=\"0\"/>"
                 "<junction id=\"b\" type=\"dead_end\" x=\"0\" y=\"0\"/>"
                 "<junction id=\"c\" type=\"dead_end\" x=\"0\" y=\"0\"/>"
                 "<junction id=\"j\" type=\"priority\" x=\"0\" y=\"0\">"
                 "<request response=\"010\" foes=\"111\"/><request response=\"100\" foes=\"111\"/>"
                 "<request response=\"001\" foes=\"111\"/></junction></net>");
    expect_note("junction \"a\": unknown type", 11);
    expect_note("3 connections yield to one another in a circle", 11);
    release();
    read_network(SUMO_NET_START "<edge id=\"e\" from=\"a\" to=\"a\">"
                                "<lane id=\"e_0\" speed=\"3\" shape=\"1,1 1,1\"/></edge>"
                                "<junction id=\"a\" type=\"priority\" x=\"0\" y=\"0\"/></net>");
    expect_note("lane \"e_0\": is only 0.000 m long", 2);
    assert_true(network.lanes[0].length > 0.0);
    release();
}

static void every_start_of_a_file_is_refused(void** state) {
    (void)state;
    static const char text[] = SUMO_NETWORK;
    need_xml();
    // The last newline may be missing.
    for (size_t length = 0; length + 2 < sizeof text; length++) {
        assert_int_not_equal(try_network(text, length), KERB_OK);
        assert_null(network.memory);
    }
}

static void entities_that_multiply_are_refused(void** state) {
    (void)state;
    char* text = malloc(4000);
    assert_non_null(text);
    need_xml();
    int at = snprintf(text, 4000, "<!DOCTYPE net [<!ENTITY a \"0,0 1,1 0,0 1,1 0,0 1,1 \">");
    for (int i = 0; i < 12; i++)
        at += snprintf(text + at, (size_t)(4000 - at),
                       "<!ENTITY %c \"&%c;&%c;&%c;&%c;&%c;&%c;&%c;&%c;&%c;&%c;\">", 'b' + i,
                       'a' + i, 'a' + i, 'a' + i, 'a' + i, 'a' + i, 'a' + i, 'a' + i, 'a' + i,
                       'a' + i, 'a' + i);
    snprintf(text + at, (size_t)(4000 - at),
             "]>\n<net><edge id=\"e\" from=\"a\" to=\"a\"><lane id=\"l\" speed=\"1\" "
             "shape=\"&m;\"/></edge></net>");
    assert_int_equal(try_network(text, strlen(text)), KERB_ERROR_SYNTAX);
    assert_true(strlen(error.message) > 0);
    free(text);
}

// A table of names with a bad hash, or a search for each reference, would take minutes.
static void a_large_network_is_read_in_linear_time(void** state) {
    (void)state;
    int32_t edges = test_share(200000, 20000);
    size_t capacity = (size_t)edges * 260 + 1000;
    char* text = malloc(capacity);
    assert_non_null(text);
    need_xml();
    size_t at = (size_t)snprintf(text, capacity, "<net>");
    for (int32_t i = 0; i < edges; i++)
        at += (size_t)snprintf(text + at, capacity - at,
                               "<edge id=\"e%d\" from=\"j\" to=\"j\"><lane id=\"e%d_0\" "
                               "speed=\"9\" shape=\"%d,0 %d,9\"/></edge>\n",
                               (int)i, (int)i, (int)i, (int)i);
    for (int32_t i = 0; i < edges; i++)
        at +=
            (size_t)snprintf(text + at, capacity - at,
                             "<connection from=\"e%d\" to=\"e%d\" fromLane=\"0\" toLane=\"0\"/>\n",
                             (int)i, (int)(edges - 1 - i));
    at += (size_t)snprintf(text + at, capacity - at,
                           "<junction id=\"j\" type=\"priority\" x=\"0\" y=\"0\"/></net>");
    assert_int_equal(try_network(text, at), KERB_OK);
    assert_int_equal(network.edge_count, edges);
    assert_int_equal(network.connections[1].to, edges - 2);
    release();
    free(text);
}

static void every_failed_allocation_is_reported(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host failing = test_allocation_host(&allocation);
    static const char routes[] = SUMO_DEMAND;
    need_xml();
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result = kerb_io_sumo_network_read(&network, SUMO_NETWORK, strlen(SUMO_NETWORK),
                                                       &failing, NULL, &error);
        demand = kerb_io_sumo_demand_make(&failing);
        if (result == KERB_OK)
            result =
                kerb_io_sumo_demand_read(&demand, &network, routes, strlen(routes), NULL, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        release();
        test_allocation_check(&allocation);
    }
}

// --------------------------------------------------------------------------- demand

static void types_keep_their_numbers_and_take_the_rest_from_their_class(void** state) {
    (void)state;
    read_network(SUMO_NETWORK);
    read_demand(SUMO_DEMAND);
    assert_string_equal(demand.types[0].id, "small");
    assert_float_equal(demand.types[0].length, 4.0, 0.0);
    assert_float_equal(demand.types[0].acceleration, 3.0, 0.0);
    assert_float_equal(demand.types[0].deceleration, 4.5, 0.0);
    assert_float_equal(demand.types[1].time_gap, 1.4, 0.0);
    assert_float_equal(demand.types[1].speed_factor, 1.1, 0.0);
    assert_float_equal(demand.types[1].speed_spread, 0.2, 0.0);
    assert_string_equal(demand.types[2].id, "bus");
    assert_int_equal(demand.types[2].classes, KERB_IO_SUMO_BUS);
    assert_float_equal(demand.types[2].length, 12.0, 0.0);
    assert_float_equal(demand.types[2].top_speed, 20.0, 0.0);
    assert_int_equal(demand.choices[0].types.count, 2);
    release();
}

static void vehicles_know_route_departure_and_stops(void** state) {
    (void)state;
    read_network(SUMO_NETWORK);
    read_demand(SUMO_DEMAND);
    assert_int_equal(demand.trip_count, 5);
    const kerb_io_sumo_trip *v = &demand.trips[0], *bus = &demand.trips[1], *t = &demand.trips[2];
    assert_true(v->complete);
    assert_string_equal(network.edges[demand.route_edges[v->edges.first + 1]].id, "north");
    assert_int_equal(v->lane_rule, KERB_IO_SUMO_PLACE_BEST);
    assert_true(v->position_given);
    assert_float_equal(v->arrival, -1.0, 0.0);
    assert_float_equal(bus->depart, 60.5, 0.0);
    assert_true(bus->speed < 0.0);
    assert_int_equal(bus->stops.count, 2);
    const kerb_io_sumo_stop* stop = &demand.stops[bus->stops.first];
    assert_float_equal(stop[0].position, 60.0, 0.0);
    assert_float_equal(stop[0].until, 40.0, 0.0);
    assert_float_equal(stop[1].position, 85.0, 0.0);
    assert_false(t->complete);
    assert_int_equal(t->edges.count, 2);
    release();
}

static void flows_depart_at_their_rate_and_types_by_their_share(void** state) {
    (void)state;
    static kerb_io_sumo_departure departures[4000];
    read_network(SUMO_NETWORK);
    read_demand("<routes>" SUMO_TYPES
                "<flow id=\"a\" type=\"private\" end=\"4000\" period=\"2\" from=\"west\" "
                "to=\"north\"/><flow id=\"b\" end=\"10000\" probability=\"0.1\" from=\"west\" "
                "to=\"north\"/></routes>");
    int32_t count = kerb_io_sumo_departures(&demand, 1.0e5, 7, departures, 4000);
    int32_t small = 0, random = 0;
    for (int32_t i = 0; i < count; i++) {
        assert_true(i == 0 || departures[i].time >= departures[i - 1].time);
        small += departures[i].trip == 0 && departures[i].type == 0;
        random += departures[i].trip == 1;
    }
    assert_int_equal(count - random, 2000);
    // Three standard deviations of a binomial and of a Poisson distribution.
    assert_in_range(small, 1500 - 58, 1500 + 58);
    assert_in_range(random, 1000 - 95, 1000 + 95);
    assert_int_equal(kerb_io_sumo_departures(&demand, 10.0, 7, NULL, 0) > 4, 1);
    release();
}

static void the_programme_of_an_additional_file_is_in_force(void** state) {
    (void)state;
    read_network(SUMO_NETWORK);
    read_demand("<additional><tlLogic id=\"j\" type=\"static\" programID=\"day\">"
                "<phase duration=\"10\" state=\"GG\"/></tlLogic></additional>");
    kerb_io_sumo_demand_destroy(&demand);
    assert_int_equal(network.signal_count, 1);
    assert_string_equal(network.signals[0].programme, "day");
    assert_int_equal(network.signals[0].phases.count, 1);
    assert_string_equal(network.phases[network.signals[0].phases.first].state, "GG");
    release();
}

static void wrong_demands_are_refused_with_line_and_element(void** state) {
    static const wrong rows[] = {
        {"<net/>", KERB_ERROR_UNKNOWN_FIELD, "net", "<routes>", 1},
        {"<routes>\n<vehicle id=\"a\" depart=\"1\" type=\"x\"/></routes>", KERB_ERROR_UNKNOWN_FIELD,
         "type", "vehicle \"a\"", 2},
        {"<routes>\n<vehicle id=\"a\" depart=\"1\"/></routes>", KERB_ERROR_MISSING_FIELD, "route",
         "needs a route", 2},
        {"<routes>\n<trip id=\"a\" from=\"west\" to=\"east\"/></routes>", KERB_ERROR_MISSING_FIELD,
         "depart", "trip \"a\"", 2},
        {"<routes>\n<trip id=\"a\" depart=\"x\" from=\"west\" to=\"east\"/></routes>",
         KERB_ERROR_WRONG_TYPE, "depart", "time", 2},
        {"<routes>\n<trip id=\"a\" depart=\"1\" from=\"west\" to=\"mars\"/></routes>",
         KERB_ERROR_UNKNOWN_FIELD, "to", "edge mars", 2},
        {"<routes>\n<route id=\"r\" edges=\"\"/></routes>", KERB_ERROR_TOO_FEW, "edges", "\"r\"",
         2},
        {"<routes>\n<route id=\"r\" edges=\"west\"/><route id=\"r\" edges=\"west\"/></routes>",
         KERB_ERROR_CONTRADICTION, "id", "twice", 2},
        {"<routes>\n<vType id=\"t\" length=\"0\"/></routes>", KERB_ERROR_OUT_OF_RANGE, "length",
         "vType \"t\"", 2},
        {"<routes>\n<flow id=\"f\" from=\"west\" to=\"east\"/></routes>", KERB_ERROR_MISSING_FIELD,
         "period", "flow \"f\"", 2},
        {"<routes>\n<vTypeDistribution id=\"d\"/></routes>", KERB_ERROR_TOO_FEW, "vType", "\"d\"",
         0},
        {"<additional>\n<tlLogic id=\"j\"><phase duration=\"1\" state=\"G\"/></tlLogic>"
         "</additional>",
         KERB_ERROR_OUT_OF_RANGE, "state", "tlLogic \"j\"", 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read_network(SUMO_NETWORK);
        demand = kerb_io_sumo_demand_make(&host);
        expect_refused(&rows[i], try_demand(rows[i].text));
        release();
    }
}

static void a_route_with_a_gap_is_noted(void** state) {
    (void)state;
    read_network(SUMO_NETWORK);
    read_demand("<routes>\n<route id=\"r\" edges=\"north east\"/><person id=\"p\"/></routes>");
    expect_note("route \"r\": no connection leads from edge north to east", 2);
    expect_note("passed over", 2);
    release();
}

int sumo_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(lanes_have_what_the_file_says, set_up),
        cmocka_unit_test_setup(connections_and_junctions_are_resolved, set_up),
        cmocka_unit_test_setup(a_signal_has_its_phases, set_up),
        cmocka_unit_test_setup(traffic_keeps_left_where_the_file_says, set_up),
        cmocka_unit_test_setup(wrong_networks_are_refused_with_line_and_element, set_up),
        cmocka_unit_test_setup(doubtful_networks_are_read_with_a_note, set_up),
        cmocka_unit_test_setup(every_start_of_a_file_is_refused, set_up),
        cmocka_unit_test_setup(entities_that_multiply_are_refused, set_up),
        cmocka_unit_test_setup(a_large_network_is_read_in_linear_time, set_up),
        cmocka_unit_test_setup(every_failed_allocation_is_reported, set_up),
        cmocka_unit_test_setup(types_keep_their_numbers_and_take_the_rest_from_their_class, set_up),
        cmocka_unit_test_setup(vehicles_know_route_departure_and_stops, set_up),
        cmocka_unit_test_setup(flows_depart_at_their_rate_and_types_by_their_share, set_up),
        cmocka_unit_test_setup(the_programme_of_an_additional_file_is_in_force, set_up),
        cmocka_unit_test_setup(wrong_demands_are_refused_with_line_and_element, set_up),
        cmocka_unit_test_setup(a_route_with_a_gap_is_noted, set_up),
    };
    return cmocka_run_group_tests_name("sumo", tests, NULL, NULL);
}
