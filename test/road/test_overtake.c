// Vehicles overtake one that broke down, on the lane of oncoming traffic.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic_edit.h"
#include "test/road/rectangles.h"
#include "test/seed.h"

enum { CARS = 24, EDGES = 6 };

static kerb_network network;
static kerb_traffic traffic;
static int32_t types[4]; // a car, a bus, two that crawl

// A street with one lane each way between two crossings, with a street behind each. Edge 2 is the
// one in the middle, 3 leads back beside it.
static void make_street(float length, float bend, bool left_hand) {
    static kerb_network_edge edges[EDGES];
    static kerb_network_lane lanes[EDGES];
    static kerb_network_turn turns[4];
    static kerb_network_junction junctions[4];
    static kerb_vec3 points[3 * EDGES];
    const float from[3] = {-60, 0, length + 15}, to[3] = {-15, length, length + 60};
    float side = left_hand ? 1.6f : -1.6f;
    for (int32_t i = 0; i < 3; i++) {
        float swing = i == 1 ? bend : 0, middle = 0.5f * (from[i] + to[i]);
        kerb_vec3* p = points + 6 * i;
        p[0] = kerb_vec3_make(from[i], side, 0);
        p[1] = kerb_vec3_make(middle, side + swing, 0);
        p[2] = kerb_vec3_make(to[i], side, 0);
        p[3] = kerb_vec3_make(to[i], -side, 0);
        p[4] = kerb_vec3_make(middle, -side + swing, 0);
        p[5] = kerb_vec3_make(from[i], -side, 0);
        edges[2 * i] = (kerb_network_edge){2 * i, 1, i, i + 1, 1};
        edges[2 * i + 1] = (kerb_network_edge){2 * i + 1, 1, i + 1, i, 1};
    }
    for (int32_t i = 0; i < EDGES; i++)
        lanes[i] = kerb_network_lane_at(3 * i, 3);
    turns[0] = kerb_network_turn_between(0, 2);
    turns[1] = kerb_network_turn_between(2, 4);
    turns[2] = kerb_network_turn_between(5, 3);
    turns[3] = kerb_network_turn_between(3, 1);
    kerb_network_plan plan = {.left_hand = left_hand,
                              .edges = edges,
                              .edge_count = EDGES,
                              .lanes = lanes,
                              .lane_count = EDGES,
                              .turns = turns,
                              .turn_count = 4,
                              .junctions = junctions,
                              .junction_count = 4,
                              .points = points,
                              .point_count = 3 * EDGES};
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_network_create(&network, &plan, &host, NULL), KERB_OK);
}

static void make_traffic(int32_t seed) {
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = CARS;
    settings.seed = seed;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type car = kerb_traffic_car(), bus = car;
    bus.length = 12;
    bus.width = 2.5f;
    types[0] = kerb_traffic_add_type(&traffic, &car);
    types[1] = kerb_traffic_add_type(&traffic, &bus);
    kerb_traffic_type tractor = bus, bicycle = car;
    tractor.top_speed = 3;
    tractor.length = 8;
    bicycle.top_speed = 5;
    bicycle.length = 1.8f;
    bicycle.width = 0.7f;
    types[2] = kerb_traffic_add_type(&traffic, &tractor);
    types[3] = kerb_traffic_add_type(&traffic, &bicycle);
}

static int32_t add(bool back, int32_t type, float depart) {
    static const int32_t there[3] = {0, 2, 4}, here[3] = {5, 3, 1};
    kerb_traffic_trip trip = kerb_traffic_trip_along(types[type], back ? here : there, 3);
    trip.depart = depart;
    int32_t index = kerb_traffic_add(&traffic, &trip);
    assert_true(index >= 0);
    return index;
}

static kerb_traffic_vehicle vehicle(int32_t index) {
    return kerb_traffic_vehicle_of(&traffic, &network, index);
}

static void step(void) {
    int32_t a, b;
    kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    if (test_overlaps(&traffic, &network, CARS, &a, &b) > 0)
        fail_msg("%d (segment %d at %g, left %g) and %d (segment %d at %g, left %g) overlap", a,
                 vehicle(a).segment, (double)vehicle(a).station, (double)vehicle(a).left, b,
                 vehicle(b).segment, (double)vehicle(b).station, (double)vehicle(b).left);
}

static int64_t arrived(void) {
    return kerb_traffic_counts_of(&traffic).arrived;
}

static void destroy_all(void) {
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
}

// Lets the first vehicle break down at a station of the street in the middle.
static void break_down(int32_t index, float station) {
    for (int32_t k = 0; k < 1200; k++) {
        step();
        if (vehicle(index).segment == 2 && vehicle(index).station > station)
            break;
    }
    kerb_traffic_set_broken(&traffic, index, true);
    for (int32_t k = 0; k < 30; k++)
        step();
    assert_int_equal(vehicle(index).segment, 2);
}

static void a_vehicle_overtakes_one_that_broke_down(void** state) {
    (void)state;
    for (int32_t left_hand = 0; left_hand < 2; left_hand++) {
        float most = 0;
        make_street(160, 0, left_hand == 1);
        make_traffic(1);
        int32_t broken = add(false, 0, 0), other = add(false, 0, 8);
        break_down(broken, 60);
        for (int32_t k = 0; k < 900 && vehicle(other).stage != KERB_TRAFFIC_NONE; k++) {
            step();
            most = kerb_max(most, kerb_abs(vehicle(other).left));
            if (vehicle(other).segment == 2 && kerb_abs(vehicle(other).left) > 1)
                assert_true((vehicle(other).left > 0) == (left_hand == 0)); // on the fast side
        }
        assert_int_equal(arrived(), 1);
        assert_float_equal(most, KERB_LANE_WIDTH, 0.01f);
        kerb_traffic_set_broken(&traffic, broken, false);
        for (int32_t k = 0; k < 600; k++)
            step();
        assert_int_equal(arrived(), 2);
        destroy_all();
    }
}

// Nobody begins before the lane of oncoming traffic is empty, and nobody enters it then.
static void oncoming_traffic_and_those_that_overtake_never_meet(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t streets = test_share(500, 30);
    int64_t overtaken = 0;
    for (int32_t n = 0; n < streets; n++) {
        float length = kerb_random_between(&random, 70, 260);
        make_street(length, kerb_random_between(&random, -2, 2), n % 2 == 1);
        make_traffic(n);
        int32_t broken = add(false, kerb_random_below(&random, 2) == 0, 0);
        for (int32_t i = 1; i < CARS; i++)
            add(kerb_random_below(&random, 3) > 0, kerb_random_below(&random, 2) == 0,
                kerb_random_between(&random, 0, 60));
        break_down(broken, kerb_random_between(&random, 0.25f, 0.6f) * length);
        int32_t until = 300 + kerb_random_below(&random, 3000);
        int64_t before = arrived();
        for (int32_t k = 0; k < until && arrived() < CARS - 1; k++)
            step();
        overtaken += arrived() - before;
        kerb_traffic_set_broken(&traffic, broken, false); // also while it is being passed
        for (int32_t k = 0; k < 6000 && arrived() < CARS; k++)
            step();
        assert_int_equal(arrived(), CARS);
        assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
        destroy_all();
    }
    print_message("%d streets, %d arrived beside one that had broken down\n", streets,
                  (int32_t)overtaken);
}

// While it stays broken, all others arrive.
static void everybody_passes_in_the_end(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t streets = test_share(60, 10);
    for (int32_t n = 0; n < streets; n++) {
        make_street(200, 0, n % 2 == 1);
        make_traffic(n);
        int32_t broken = add(false, 0, 0);
        for (int32_t i = 1; i < CARS; i++)
            add(kerb_random_below(&random, 2) > 0, kerb_random_below(&random, 2) == 0,
                kerb_random_between(&random, 0, 120));
        break_down(broken, 80);
        for (int32_t k = 0; k < 12000 && arrived() < CARS - 1; k++)
            step();
        assert_int_equal(arrived(), CARS - 1);
        assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
        destroy_all();
    }
}

// --------------------------------------------------------------------------- what crawls

static void a_vehicle_overtakes_one_that_crawls(void** state) {
    (void)state;
    for (int32_t n = 0; n < 4; n++) {
        float most = 0, hardest = 0;
        make_street(240, 0, n % 2 == 1);
        make_traffic(1);
        int32_t slow = add(false, 2 + n / 2, 0), other = add(false, 0, 12), first = -1;
        for (int32_t k = 0; k < 3000 && arrived() < 2; k++) {
            step();
            if (vehicle(other).stage == KERB_TRAFFIC_DRIVING)
                most = kerb_max(most, kerb_abs(vehicle(other).left));
            if (first < 0 && vehicle(other).stage == KERB_TRAFFIC_NONE)
                first = other;
            if (first < 0 && vehicle(slow).stage == KERB_TRAFFIC_NONE)
                first = slow;
            if (vehicle(slow).segment == 2 && most > 0)
                hardest = kerb_min(hardest, vehicle(slow).acceleration);
        }
        assert_int_equal(arrived(), 2);
        assert_int_equal(first, other);
        assert_float_equal(most, KERB_LANE_WIDTH, 0.01f);
        assert_true(hardest > -2.6f); // what is overtaken never brakes harder than comfortably
        destroy_all();
    }
}

// Nobody is overtaken where what crawls would have to wait for it: the street is too short.
static void on_a_short_street_nobody_overtakes_what_crawls(void** state) {
    (void)state;
    make_street(70, 0, false);
    make_traffic(1);
    add(false, 2, 0);
    int32_t other = add(false, 0, 12);
    for (int32_t k = 0; k < 3000 && arrived() < 2; k++) {
        step();
        assert_true(kerb_abs(vehicle(other).left) < 0.01f);
    }
    assert_int_equal(arrived(), 2);
    destroy_all();
}

static int32_t find_overtaker(void) {
    for (int32_t i = 0; i < CARS; i++)
        if (vehicle(i).stage == KERB_TRAFFIC_DRIVING && kerb_abs(vehicle(i).left) > 0.5f)
            return i;
    return -1;
}

// Vehicles that crawl are among all others, and some of those that overtake break down while they
// do, for a while.
static void those_that_overtake_what_crawls_meet_nobody_even_if_they_break_down(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t streets = test_share(60, 12), overtaken = 0, broken_down = 0;
    for (int32_t n = 0; n < streets; n++) {
        make_street(kerb_random_between(&random, 120, 300), kerb_random_between(&random, -2, 2),
                    n % 2 == 1);
        make_traffic(n);
        for (int32_t i = 0; i < CARS; i++)
            add(kerb_random_below(&random, 4) > 0, // mostly in one direction
                kerb_random_below(&random, 4) == 0 ? 2 + kerb_random_below(&random, 2)
                                                   : kerb_random_below(&random, 4) == 0,
                kerb_random_between(&random, 0, 150));
        int32_t broken = -1, until = 0, was = -1;
        for (int32_t k = 0; k < 9000 && arrived() < CARS; k++) {
            step();
            int32_t overtaker = find_overtaker();
            overtaken += overtaker >= 0 && overtaker != was;
            was = overtaker;
            if (broken >= 0 && k >= until) {
                kerb_traffic_set_broken(&traffic, broken, false);
                broken = -1;
            } else if (broken < 0 && overtaker >= 0 && kerb_random_below(&random, 60) == 0) {
                kerb_traffic_set_broken(&traffic, broken = overtaker, true);
                until = k + 100 + kerb_random_below(&random, 500);
                broken_down++;
            }
        }
        assert_int_equal(arrived(), CARS);
        assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
        destroy_all();
    }
    print_message("%d overtook, %d of them broke down\n", overtaken, broken_down);
    assert_true(2 * overtaken > streets);
}

int overtake_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_overtakes_one_that_broke_down),
        cmocka_unit_test(oncoming_traffic_and_those_that_overtake_never_meet),
        cmocka_unit_test(everybody_passes_in_the_end),
        cmocka_unit_test(a_vehicle_overtakes_one_that_crawls),
        cmocka_unit_test(on_a_short_street_nobody_overtakes_what_crawls),
        cmocka_unit_test(those_that_overtake_what_crawls_meet_nobody_even_if_they_break_down),
    };
    return cmocka_run_group_tests_name("overtake", tests, NULL, NULL);
}
