// Lines at the ends of lanes: changes of lanes before them, and signals behind lanes that are too
// short to stand on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic.h"
#include "test/road/rectangles.h"
#include "test/seed.h"

enum { CARS = 40, LANES = 12, POINTS = 2 * LANES };

static kerb_network network;
static kerb_traffic traffic;
static kerb_network_edge edges[LANES];
static kerb_network_lane lanes[LANES];
static kerb_network_turn turns[LANES];
static kerb_network_junction junctions[LANES + 1];
static kerb_vec3 points[POINTS];
static kerb_network_plan plan;

static void begin_plan(void) {
    plan = (kerb_network_plan){.edges = edges,
                               .lanes = lanes,
                               .turns = turns,
                               .junctions = junctions,
                               .junction_count = LANES + 1,
                               .points = points};
}

// An edge along x, behind the last one.
static void add_edge(float from, float to, int32_t lane_count) {
    int32_t e = plan.edge_count++;
    edges[e] = (kerb_network_edge){plan.lane_count, lane_count, e, e + 1, 1};
    for (int32_t k = 0; k < lane_count; k++) {
        lanes[plan.lane_count++] = kerb_network_lane_at(plan.point_count, 2);
        points[plan.point_count++] = kerb_vec3_make(from, KERB_LANE_WIDTH * (float)k, 0);
        points[plan.point_count++] = kerb_vec3_make(to, KERB_LANE_WIDTH * (float)k, 0);
    }
}

static int32_t add_turn(int32_t from, int32_t to) {
    turns[plan.turn_count] = kerb_network_turn_between(from, to);
    return plan.turn_count++;
}

static void make_city(int32_t seed) {
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    if (kerb_network_create(&network, &plan, &host, &error) != KERB_OK)
        fail_msg("%s [%d]: %s", error.field, error.index, error.message);
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = CARS;
    settings.seed = seed;
    settings.fill_max = 1;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type car = kerb_traffic_car();
    kerb_traffic_add_type(&traffic, &car);
}

static void add_cars(kerb_random* random, const int32_t* route, int32_t count, int32_t lane,
                     float until) {
    for (int32_t i = 0; i < CARS; i++) {
        kerb_traffic_trip trip = kerb_traffic_trip_along(0, route, count);
        trip.lane = lane;
        trip.depart = kerb_random_between(random, 0, until);
        assert_true(kerb_traffic_add(&traffic, &trip) >= 0);
    }
}

static void destroy_city(void) {
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
}

// A street so short that all who begin on the wrong lane change late. Nobody slides
// sideways: a change takes 5.6 m at least, and is half as steep again in its middle.
static void nobody_slides_sideways_before_the_line(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    static const int32_t route[2] = {0, 1};
    int32_t streets = test_share(30, 6), changes = 0;
    for (int32_t n = 0; n < streets; n++) {
        float length = kerb_random_between(&random, 55, 90), before[CARS] = {0}, was[CARS] = {0};
        begin_plan();
        add_edge(0, length, 3);
        add_edge(length + 10, length + 100, 2);
        add_turn(0, 3);
        make_city(n);
        add_cars(&random, route, 2, 2, 500);
        for (int32_t k = 0; k < 1000 && kerb_traffic_counts_of(&traffic).arrived < CARS; k++) {
            int32_t a, b;
            kerb_traffic_step(&traffic, &network, 1, NULL);
            assert_int_equal(test_overlaps(&traffic, &network, CARS, &a, &b), 0);
            for (int32_t i = 0; i < CARS; i++) {
                kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&traffic, &network, i);
                if (v.stage < KERB_TRAFFIC_DRIVING)
                    continue;
                if (was[i] > 0)
                    assert_true(kerb_abs(v.position.y - before[i]) <=
                                0.87f * kerb_abs(v.position.x - was[i]) + 0.01f);
                before[i] = v.position.y;
                was[i] = v.position.x;
            }
        }
        changes += (int32_t)kerb_traffic_counts_of(&traffic).lane_changes;
        destroy_city();
    }
    assert_true(changes > 10 * streets);
}

// Two signals, and between them a lane too short to stand on: who can still stop at the first line
// does so when the second signal turns.
static void nobody_runs_a_red_light_behind_a_lane_too_short_to_stand_on(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    static const int32_t route[3] = {0, 1, 2};
    static const char states[] = "GyrGyr";
    int32_t streets = test_share(30, 6);
    for (int32_t n = 0; n < streets; n++) {
        float offset = kerb_random_between(&random, 0, 33);
        const kerb_network_phase phases[6] = {{20, 20, 20, 0}, {3, 3, 3, 1}, {10, 10, 10, 2},
                                              {20, 20, 20, 3}, {3, 3, 3, 4}, {10, 10, 10, 5}};
        const kerb_network_signal signals[2] = {{0, 3, 1, 0, false}, {3, 3, 1, offset, false}};
        char before[2] = {'G', 'G'};
        int32_t segment[CARS];
        begin_plan();
        add_edge(0, 120, 1);
        add_edge(135, 136, 1);
        add_edge(145, 245, 1);
        for (int32_t i = 0; i < 2; i++)
            turns[add_turn(i, i + 1)].signal = i;
        plan.signals = signals;
        plan.signal_count = 2;
        plan.phases = phases;
        plan.phase_count = 6;
        plan.states = states;
        plan.state_count = 6;
        make_city(n);
        add_cars(&random, route, 3, 0, 300);
        for (int32_t i = 0; i < CARS; i++)
            segment[i] = -1;
        for (int32_t k = 0; k < 30000 && kerb_traffic_counts_of(&traffic).arrived < CARS; k++) {
            kerb_traffic_step(&traffic, &network, 0.1f, NULL);
            for (int32_t i = 0; i < CARS; i++) {
                int32_t at = kerb_traffic_vehicle_of(&traffic, &network, i).segment;
                int32_t turn = at - plan.lane_count;
                if (at != segment[i] && turn >= 0)
                    assert_false(before[turn] == 'r' &&
                                 kerb_traffic_signal(&traffic, &network, turn) == 'r');
                segment[i] = at;
            }
            for (int32_t i = 0; i < 2; i++)
                before[i] = kerb_traffic_signal(&traffic, &network, i);
        }
        assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, CARS);
        destroy_city();
    }
}

// Runs the planned network with one vehicle; true: it entered the turn while its signal was red.
// The signal is green at first, then amber for 3 s.
static bool runs_red_light(const kerb_traffic_type* type, const int32_t* route, int32_t count,
                           int32_t turn, float green) {
    static const kerb_network_signal programme = {0, 3, 1, 0, false};
    const kerb_network_phase phases[3] = {{green, 0, 0, 0}, {3, 0, 0, 1}, {300, 0, 0, 2}};
    bool at_red = false, was_red = false;
    turns[turn].signal = 0;
    plan.signals = &programme;
    plan.signal_count = 1;
    plan.phases = phases;
    plan.phase_count = 3;
    plan.states = "Gyr";
    plan.state_count = 3;
    make_city(1);
    const int32_t from = turns[turn].from, segment = kerb_network_size_of(&network).lanes + turn;
    kerb_traffic_trip trip =
        kerb_traffic_trip_along(kerb_traffic_add_type(&traffic, type), route, count);
    int32_t car = kerb_traffic_add(&traffic, &trip), before = 0;
    for (int32_t k = 0; k < 400; k++) {
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&traffic, &network, car);
        bool red = kerb_traffic_signal(&traffic, &network, turn) == 'r';
        at_red = at_red || (before == from && v.segment == segment && red && was_red);
        before = v.segment;
        was_red = red;
    }
    destroy_city();
    return at_red;
}

// A street that leads back after a U-turn, which is driven much slower than the street.
static bool enters_at_red(float green) {
    const int32_t route[2] = {0, 1};
    begin_plan();
    add_edge(0, 200, 1);
    add_edge(200, 0, 1);
    points[2].y = points[3].y = KERB_LANE_WIDTH;
    lanes[0].speed_limit = 20;
    kerb_traffic_type brakes_late = kerb_traffic_car();
    brakes_late.deceleration = 4.5f; // more than that at which one stops at amber
    return runs_red_light(&brakes_late, route, 2, add_turn(0, 1), green);
}

static void nobody_runs_a_red_light_because_the_turn_is_slow(void** state) {
    (void)state;
    for (int32_t i = 0; i < 240; i++) // amber begins anywhere on the way to the line
        if (enters_at_red(8 + 0.05f * (float)i))
            fail_msg("green for 8 s and %d times 0.05 s", i);
}

// A signal stands behind a short lane, on which a car can wait but not stop at 50 km/h: who has
// claimed both turns must begin to brake before the first. Also who brakes later than one who stops
// at amber.
static bool passes_short_lane_at_red(float green, float length, float deceleration) {
    const int32_t route[3] = {0, 1, 2};
    begin_plan();
    add_edge(0, 200, 1);
    add_edge(215, 215 + length, 1);
    add_edge(225 + length, 400, 1);
    for (int32_t i = 0; i < 3; i++)
        lanes[i].speed_limit = 13.89f;
    add_turn(0, 1);
    kerb_traffic_type car = kerb_traffic_car();
    car.deceleration = deceleration;
    return runs_red_light(&car, route, 3, add_turn(1, 2), green);
}

static void nobody_runs_a_red_light_behind_a_short_lane(void** state) {
    (void)state;
    for (int32_t i = 0; i < 300; i++)
        for (float length = 9; length < 40; length += 6) {
            float deceleration = i % 2 == 0 ? 2.5f : 4.5f;
            if (passes_short_lane_at_red(8 + 0.05f * (float)i, length, deceleration))
                fail_msg("green for 8 s and %d times 0.05 s, %.0f m", i, (double)length);
        }
}

// Two roads lead into a street behind whose signal few get through. Its queue moves on so slowly
// that a place at its start becomes free while one of the two roads has red, in each cycle the same
// one. Who has waited for 60 s without another way has the next place: that is green within a
// cycle, and free within another. `shorter`: the second road ends before a lane too short to stand
// on.
static float longest_wait_for_room(float offset, bool shorter) {
    static const kerb_network_phase phases[12] = {{25, 0, 0, 0}, {3, 0, 0, 2},  {2, 0, 0, 4},
                                                  {25, 0, 0, 6}, {3, 0, 0, 8},  {2, 0, 0, 4},
                                                  {8, 0, 0, 10}, {3, 0, 0, 11}, {49, 0, 0, 12}};
    enum { FROM_FIRST, FROM_SECOND, STREET, BEHIND, SHORT };
    const kerb_network_signal signals[2] = {{0, 6, 2, 0, false}, {6, 3, 1, offset, false}};
    float longest = 0;
    begin_plan();
    for (int32_t i = FROM_FIRST; i <= FROM_SECOND; i++)
        add_edge(0, 100, 1);
    points[2] = kerb_vec3_make(107, -120, 0);
    points[3] = kerb_vec3_make(107, shorter ? -20 : -7, 0);
    add_edge(114, 214, 1);
    add_edge(224, 424, 1);
    edges[FROM_SECOND] = (kerb_network_edge){FROM_SECOND, 1, 5, 1, 1};
    edges[STREET] = (kerb_network_edge){STREET, 1, 1, 2, 1};
    edges[BEHIND] = (kerb_network_edge){BEHIND, 1, 2, 3, 1};
    turns[add_turn(FROM_FIRST, STREET)].signal = 0;
    if (shorter) {
        add_edge(0, 0, 1);
        points[8] = kerb_vec3_make(107, -7.5f, 0);
        points[9] = kerb_vec3_make(107, -7, 0);
        edges[FROM_SECOND].to = 6;
        edges[SHORT] = (kerb_network_edge){SHORT, 1, 6, 1, 1};
        add_turn(SHORT, STREET);
    }
    int32_t second = add_turn(FROM_SECOND, shorter ? SHORT : STREET);
    turns[second].signal = 0;
    turns[second].link = 1;
    turns[add_turn(STREET, BEHIND)].signal = 1;
    plan.signals = signals;
    plan.signal_count = 2;
    plan.phases = phases;
    plan.phase_count = 9;
    plan.states = "GryrrrrGryGyr";
    plan.state_count = 13;
    make_city(1);
    const int32_t first_way[3] = {FROM_FIRST, STREET, BEHIND};
    const int32_t second_way[4] = {FROM_SECOND, shorter ? SHORT : STREET, shorter ? STREET : BEHIND,
                                   BEHIND};
    for (int32_t i = 0; i < CARS; i++) {
        kerb_traffic_trip trip = i % 2 == 0
                                     ? kerb_traffic_trip_along(0, first_way, 3)
                                     : kerb_traffic_trip_along(0, second_way, shorter ? 4 : 3);
        assert_true(kerb_traffic_add(&traffic, &trip) >= 0);
    }
    for (int32_t k = 0; k < 6000; k++) {
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        for (int32_t i = 0; i < CARS; i++)
            longest = kerb_max(longest, kerb_traffic_vehicle_of(&traffic, &network, i).waited);
    }
    assert_true(kerb_traffic_counts_of(&traffic).arrived > 25);
    destroy_city();
    return longest;
}

static void who_waits_for_room_has_its_turn(void** state) {
    (void)state;
    for (float offset = 0; offset < 60; offset += 4)
        for (int32_t shorter = 0; shorter < 2; shorter++)
            assert_true(longest_wait_for_room(offset, shorter) < 60 + 2 * 60);
}

// Two signals, and between them a lane too short to stand on. No moment lets a car pass both: who
// has waited long enough enters, and waits before the second in the junction.
static void pass_two_signals(float between, const char* states, int32_t* arrived, int32_t* asked) {
    static const int32_t route[3] = {0, 1, 2};
    static const kerb_network_phase phases[6] = {{15, 0, 0, 0}, {3, 0, 0, 2}, {18, 0, 0, 4},
                                                 {15, 0, 0, 6}, {3, 0, 0, 8}, {36, 0, 0, 4}};
    static const kerb_network_signal programme = {0, 6, 2, 0, false};
    int32_t segment[3] = {-1, -1, -1};
    begin_plan();
    add_edge(0, 100, 1);
    add_edge(115, 115 + between, 1);
    add_edge(130 + between, 230, 1);
    for (int32_t i = 0; i < 2; i++) {
        turns[add_turn(i, i + 1)].signal = 0;
        turns[i].link = i;
    }
    plan.signals = &programme;
    plan.signal_count = 1;
    plan.phases = phases;
    plan.phase_count = 6;
    plan.states = states;
    plan.state_count = 10;
    make_city(1);
    for (int32_t i = 0; i < 3; i++) {
        kerb_traffic_trip trip = kerb_traffic_trip_along(0, route, 3);
        kerb_traffic_add(&traffic, &trip);
    }
    for (int32_t k = 0; k < 12000; k++) {
        const char before[2] = {kerb_traffic_signal(&traffic, &network, 0),
                                kerb_traffic_signal(&traffic, &network, 1)};
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        for (int32_t i = 0; i < 3; i++) {
            int32_t at = kerb_traffic_vehicle_of(&traffic, &network, i).segment, turn = at - 3;
            assert_false(at != segment[i] && turn >= 0 && before[turn] == 'r');
            segment[i] = at;
        }
    }
    *asked = (int32_t)kerb_traffic_counts_of(&traffic).asked;
    *arrived = (int32_t)kerb_traffic_counts_of(&traffic).arrived;
    destroy_city();
}

static void who_cannot_pass_two_signals_waits_between_them(void** state) {
    (void)state;
    for (float between = 0.5f; between < 4; between += 1.5f) {
        int32_t arrived, asked;
        pass_two_signals(between, "GryrrrrGry", &arrived, &asked);
        assert_int_equal(arrived, 3);
        assert_int_equal(asked, 0);
    }
}

static void who_cannot_pass_a_signal_that_is_never_green_asks_before_it(void** state) {
    (void)state;
    int32_t arrived, asked;
    pass_two_signals(0.5f, "Gryrrrrrrr", &arrived, &asked);
    assert_int_equal(arrived, 0);
    assert_true(asked > 0);
}

// Each of two lanes leads where those on the other want to go, and both are full.
static void two_full_lanes_exchange_their_vehicles(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    static const int32_t ways[2][2] = {{0, 1}, {0, 2}};
    int32_t streets = test_share(40, 4);
    for (int32_t n = 0; n < streets; n++) {
        begin_plan();
        add_edge(0, kerb_random_between(&random, 70, 130), 2);
        for (int32_t i = 1; i <= 2; i++) {
            add_edge(145, 245, 1);
            edges[i] = (kerb_network_edge){1 + i, 1, 1, 1 + i, 1};
        }
        points[6].y = points[7].y = KERB_LANE_WIDTH;
        add_turn(0, 2);
        add_turn(1, 3);
        make_city(n);
        for (int32_t i = 0; i < CARS; i++) {
            kerb_traffic_trip trip = kerb_traffic_trip_along(0, ways[i % 2], 2);
            trip.lane = 1 - i % 2;
            trip.depart = kerb_random_between(&random, 0, 30);
            assert_true(kerb_traffic_add(&traffic, &trip) >= 0);
        }
        for (int32_t k = 0; k < 6000 && kerb_traffic_counts_of(&traffic).arrived < CARS; k++) {
            int32_t a, b;
            kerb_traffic_step(&traffic, &network, 0.2f, NULL);
            assert_int_equal(test_overlaps(&traffic, &network, CARS, &a, &b), 0);
        }
        assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
        assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, CARS);
        destroy_city();
    }
}

// A claim leads over all lanes that are too short to stand on: here over eight junctions.
static void a_lorry_passes_seven_lanes_too_short_to_stand_on(void** state) {
    (void)state;
    enum { SHORT = 7 };
    int32_t route[SHORT + 2];
    begin_plan();
    add_edge(0, 100, 1);
    for (int32_t i = 0; i < SHORT; i++)
        add_edge(110 + 14 * (float)i, 114 + 14 * (float)i, 1);
    add_edge(110 + 14 * SHORT, 210 + 14 * SHORT, 1);
    for (int32_t i = 0; i < SHORT + 2; i++)
        route[i] = i;
    for (int32_t i = 0; i <= SHORT; i++)
        add_turn(i, i + 1);
    make_city(1);
    kerb_traffic_type lorry = kerb_traffic_car();
    lorry.length = 16.5f;
    lorry.trailer = 11;
    kerb_traffic_trip trip =
        kerb_traffic_trip_along(kerb_traffic_add_type(&traffic, &lorry), route, SHORT + 2);
    kerb_traffic_add(&traffic, &trip);
    for (int32_t k = 0; k < 1200; k++)
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 1);
    destroy_city();
}

// It stands on a lane that does not lead on, too short for room to change lanes and for itself.
// What it waits for does not happen, but those in the junction behind it do not wait for its rear.
static void who_must_change_lanes_leaves_the_junction_behind(void** state) {
    (void)state;
    static const int32_t route[3] = {0, 1, 2}, blocking[2] = {1, 2};
    begin_plan();
    add_edge(0, 100, 1);
    add_edge(115, 127.5f, 2);
    add_edge(140, 240, 1);
    add_turn(0, 1);
    add_turn(2, 3);
    lanes[1].speed_limit = 2; // slow enough to stop with that room
    make_city(1);
    kerb_traffic_trip trip = kerb_traffic_trip_along(0, blocking, 2);
    trip.lane = 1;
    int32_t broken = kerb_traffic_add(&traffic, &trip);
    kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    kerb_traffic_set_broken(&traffic, broken, true);
    trip = kerb_traffic_trip_along(0, route, 3);
    int32_t car = kerb_traffic_add(&traffic, &trip);
    for (int32_t k = 0; k < 600; k++)
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&traffic, &network, car);
    assert_int_equal(v.segment, 1);
    assert_true(v.station > v.length);
    assert_int_equal(v.claims, 0);
    destroy_city();
}

// Who departs at the end of a lane keeps its distance to one whose rear has just left the lane.
static void nobody_departs_close_behind_a_rear_that_left_the_lane(void** state) {
    (void)state;
    static const int32_t route[2] = {0, 1};
    const kerb_traffic_type type = kerb_traffic_car();
    const float length = type.length + 0.6f; // where it just stands
    begin_plan();
    add_edge(0, length, 1);
    add_edge(length + 30, length + 130, 1);
    add_turn(0, 1);
    make_city(1);
    for (int32_t n = 0; n < 6; n++) {
        kerb_traffic_trip trip = kerb_traffic_trip_along(0, route, 2);
        assert_true(kerb_traffic_add(&traffic, &trip) >= 0);
    }
    int32_t departed = 0;
    for (int32_t k = 0; k < 600 && departed < 6; k++) {
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        if (kerb_traffic_counts_of(&traffic).departed == departed)
            continue;
        if (departed > 0) {
            float rear = kerb_traffic_vehicle_of(&traffic, &network, departed - 1).rear.x;
            float front = kerb_traffic_vehicle_of(&traffic, &network, departed).position.x;
            assert_true(rear - front >= type.min_gap - 0.01f);
        }
        departed++;
    }
    assert_int_equal(departed, 6);
    destroy_city();
}

// An alley in which the lanes of both directions lie on the same ground. Who departs on one of them
// does so when the other is empty: when the rear of the last vehicle has left it, too.
static void nobody_departs_beside_a_rear_on_the_same_ground(void** state) {
    (void)state;
    static const int32_t out[2] = {0, 1}, back[1] = {2};
    for (int32_t n = 0; n < 100; n++) {
        begin_plan();
        add_edge(0, 30, 1);
        add_edge(40, 140, 1);
        add_edge(30, 0, 1);
        edges[2] = (kerb_network_edge){2, 1, 1, 0, 1};
        points[4].y = points[5].y = 0.7f;
        add_turn(0, 1);
        make_city(n);
        kerb_traffic_trip trip = kerb_traffic_trip_along(0, out, 2);
        trip.speed = 0;
        kerb_traffic_add(&traffic, &trip);
        trip = kerb_traffic_trip_along(0, back, 1);
        trip.depart = 2 + 0.1f * (float)n;
        kerb_traffic_add(&traffic, &trip);
        for (int32_t k = 0; k < 400; k++) {
            int32_t a, b;
            kerb_traffic_step(&traffic, &network, 0.1f, NULL);
            assert_int_equal(test_overlaps(&traffic, &network, 2, &a, &b), 0);
        }
        assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 2);
        destroy_city();
    }
}

// Two lanes side by side of unequal length: of a bend, or of a street at an angle to the road at
// its start. All begin on the wrong one.
static void plan_unequal_lanes(bool bend, float skew) {
    begin_plan();
    plan.edge_count = 1;
    plan.lane_count = 2;
    edges[0] = (kerb_network_edge){0, 2, 0, 1, 1};
    for (int32_t k = 0; k < 2; k++) {
        int32_t count = bend ? 7 : 2;
        lanes[k] = kerb_network_lane_at(plan.point_count, count);
        for (int32_t i = 0; i < count; i++) {
            float sine, cosine, radius = 20 - KERB_LANE_WIDTH * (float)k;
            float angle = 1.6f * (float)(i - 1) / (float)(count - 3);
            kerb_sin_cos(kerb_clamp(angle, 0, 1.6f), &sine, &cosine);
            float ahead = i == 0 ? -8.0f : i == count - 1 ? 40.0f : 0.0f;
            kerb_vec3 on_bend = {radius * sine + ahead * (i ? cosine : 1),
                                 20 - radius * cosine + ahead * (i ? sine : 0), 0};
            points[plan.point_count++] =
                bend ? on_bend
                     : kerb_vec3_make(i ? 60 : skew * (float)k, KERB_LANE_WIDTH * (float)k, 0);
        }
    }
    kerb_vec3 end = points[plan.point_count / 2 - 1], before = points[plan.point_count / 2 - 2];
    kerb_vec3 along = kerb_vec3_sub(end, before);
    along = kerb_vec3_scale(along, 1 / kerb_vec3_length(along));
    add_edge(0, 0, 1);
    points[plan.point_count - 2] = kerb_vec3_along(end, along, 10);
    points[plan.point_count - 1] = kerb_vec3_along(end, along, 110);
    lanes[0].speed_limit = lanes[1].speed_limit = 10;
    add_turn(0, 2);
}

// Front and rear move as far as the speed says, and sideways: at most by 30 degrees and half as
// much again in the middle of a change. The front moves no slower. The rear cuts bends or swings
// out.
static void nobody_jumps_between_lanes_of_unequal_length(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    static const int32_t route[2] = {0, 1};
    const float dt = 0.1f;
    int32_t streets = test_share(30, 6), changes = 0;
    for (int32_t n = 0; n < streets; n++) {
        kerb_traffic_vehicle was[CARS] = {0};
        plan_unequal_lanes(n % 3 == 0, kerb_random_between(&random, -12, 12));
        make_city(n);
        add_cars(&random, route, 2, 1, 300);
        for (int32_t k = 0; k < 6000 && kerb_traffic_counts_of(&traffic).arrived < CARS; k++) {
            int32_t a, b;
            kerb_traffic_step(&traffic, &network, dt, NULL);
            assert_int_equal(test_overlaps(&traffic, &network, CARS, &a, &b), 0);
            for (int32_t i = 0; i < CARS; i++) {
                kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&traffic, &network, i);
                bool knows = was[i].stage >= KERB_TRAFFIC_DRIVING && was[i].user == v.user;
                float fast = kerb_max(v.speed, was[i].speed) * dt;
                float slow = kerb_min(v.speed, was[i].speed) * dt;
                float front = kerb_vec3_length(kerb_vec3_sub(v.position, was[i].position));
                float rear = kerb_vec3_length(kerb_vec3_sub(v.rear, was[i].rear));
                if (knows && v.stage >= KERB_TRAFFIC_DRIVING &&
                    (front > 1.35f * fast + 0.01f || rear > 1.5f * fast + 0.01f ||
                     front < 0.9f * slow - 0.01f))
                    fail_msg("street %d: at %g with %g m/s by %g and %g m", n, (double)v.station,
                             (double)v.speed, (double)front, (double)rear);
                was[i] = v;
            }
        }
        changes += (int32_t)kerb_traffic_counts_of(&traffic).lane_changes;
        destroy_city();
    }
    assert_true(changes > 10 * streets);
}

int traffic_lines_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_slides_sideways_before_the_line),
        cmocka_unit_test(nobody_runs_a_red_light_behind_a_lane_too_short_to_stand_on),
        cmocka_unit_test(nobody_runs_a_red_light_behind_a_short_lane),
        cmocka_unit_test(nobody_runs_a_red_light_because_the_turn_is_slow),
        cmocka_unit_test(who_waits_for_room_has_its_turn),
        cmocka_unit_test(who_cannot_pass_two_signals_waits_between_them),
        cmocka_unit_test(who_cannot_pass_a_signal_that_is_never_green_asks_before_it),
        cmocka_unit_test(two_full_lanes_exchange_their_vehicles),
        cmocka_unit_test(a_lorry_passes_seven_lanes_too_short_to_stand_on),
        cmocka_unit_test(who_must_change_lanes_leaves_the_junction_behind),
        cmocka_unit_test(nobody_departs_close_behind_a_rear_that_left_the_lane),
        cmocka_unit_test(nobody_departs_beside_a_rear_on_the_same_ground),
        cmocka_unit_test(nobody_jumps_between_lanes_of_unequal_length),
    };
    return cmocka_run_group_tests_name("traffic_lines", tests, NULL, NULL);
}
