// Roads in use by rescue services: reserved lanes, making way, signals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic.h"
#include "test/road/grid_city.h"
#include "test/seed.h"

// About 80 % of the vehicles with which most arrive on this grid.
enum { SIDE = 6, CARS = 540, PLACES = CARS + 4, AMBULANCE = 9, MINUTES_BEFORE = 4 };

static grid_city city;
static kerb_traffic traffic;
static kerb_random chance;
static int32_t car_type;

static void keep_full(void) {
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    for (int32_t k = counts.vehicles + counts.outside; k < CARS; k++) {
        int32_t way[12], count = grid_city_route(&city, &chance, 10, way);
        kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, way, count);
        if (kerb_traffic_add(&traffic, &trip) < 0)
            return;
    }
}

// A busy city. Returns the type of the vehicle that will drive across, with or without priority.
static int32_t make_city(int32_t priority, int32_t seed) {
    kerb_host host = kerb_host_default();
    kerb_traffic_settings settings;
    chance = kerb_random_make((uint64_t)seed, 2);
    grid_city_make(&city, SIDE, 200, GRID_SIGNALS, false);
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = PLACES;
    settings.seed = seed;
    assert_int_equal(kerb_traffic_create(&traffic, &city.network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type type = kerb_traffic_car();
    car_type = kerb_traffic_add_type(&traffic, &type);
    type.priority = priority;
    int32_t type_index = kerb_traffic_add_type(&traffic, &type);
    for (int32_t i = 0; i < MINUTES_BEFORE * 300; i++) {
        keep_full();
        kerb_traffic_step(&traffic, &city.network, 0.2f, NULL);
    }
    return type_index;
}

static int32_t add_vehicle(int32_t type) {
    int32_t row = kerb_random_below(&chance, SIDE), route[SIDE - 1];
    for (int32_t k = 0; k < SIDE - 1; k++)
        route[k] = city.edge[k][row][0];
    kerb_traffic_trip trip = kerb_traffic_trip_along(type, route, SIDE - 1);
    trip.user = AMBULANCE;
    return kerb_traffic_add(&traffic, &trip);
}

static void destroy_city(void) {
    kerb_traffic_destroy(&traffic);
    grid_city_destroy(&city);
}

static kerb_traffic_vehicle vehicle(int32_t index) {
    return kerb_traffic_vehicle_of(&traffic, &city.network, index);
}

// Steps until the vehicle has arrived, and calls `look` after each. Returns its time. [s]
static float drive_across(int32_t index, void (*look)(int32_t index)) {
    for (int32_t i = 0; i < 3000; i++) {
        kerb_traffic_event events[64];
        keep_full();
        kerb_traffic_step(&traffic, &city.network, 0.2f, NULL);
        if (look)
            look(index);
        for (int32_t count = 64; count == 64;) {
            count = kerb_traffic_take_events(&traffic, events, 64);
            for (int32_t k = 0; k < count; k++)
                if (events[k].user == AMBULANCE && events[k].what == KERB_TRAFFIC_ARRIVED)
                    return events[k].duration;
        }
    }
    fail_msg("it does not arrive");
    return 0;
}

static void an_ambulance_needs_seven_tenths_of_the_time_of_a_car(void** state) {
    (void)state;
    float car = 0, ambulance = 0;
    int32_t runs = test_share(3, 3);
    for (int32_t seed = 1; seed <= runs; seed++) {
        car += drive_across(add_vehicle(make_city(0, seed)), NULL);
        destroy_city();
        ambulance += drive_across(add_vehicle(make_city(1, seed)), NULL);
        destroy_city();
    }
    print_message("across the city: car %.0f s, ambulance %.0f s\n", (double)(car / (float)runs),
                  (double)(ambulance / (float)runs));
    assert_true(ambulance < 0.7f * car);
}

// --------------------------------------------------------------------------- what others do

static int32_t segment_before[PLACES];
static int32_t changes_ahead, changes_away, overlaps;

static void look_at_lanes(int32_t index) {
    kerb_traffic_vehicle a = vehicle(index);
    int32_t lanes = kerb_network_size_of(&city.network).lanes, first, second;
    for (int32_t i = 0; i < PLACES; i++) {
        kerb_traffic_vehicle v = vehicle(i);
        int32_t before = segment_before[i];
        segment_before[i] = v.stage == KERB_TRAFFIC_DRIVING ? v.segment : -1;
        bool changed = i != index && before >= 0 && before < lanes && v.segment >= 0 &&
                       v.segment < lanes && v.segment != before;
        if (!changed || a.segment < 0 || a.segment >= lanes || a.waited > 0)
            continue;
        changes_ahead += v.segment == a.segment && v.station > a.station;
        changes_away += before == a.segment && v.station > a.station;
    }
    overlaps += test_overlaps(&traffic, &city.network, PLACES, &first, &second);
}

static void nobody_changes_lanes_ahead_of_an_ambulance_and_some_make_way(void** state) {
    (void)state;
    changes_ahead = changes_away = overlaps = 0;
    int32_t runs = test_share(2, 2);
    for (int32_t seed = 21; seed < 21 + runs; seed++) {
        for (int32_t i = 0; i < PLACES; i++)
            segment_before[i] = -1;
        drive_across(add_vehicle(make_city(1, seed)), look_at_lanes);
        destroy_city();
    }
    print_message("%d changes out of its way\n", changes_away);
    assert_int_equal(changes_ahead, 0);
    assert_true(changes_away > 0);
    assert_int_equal(overlaps, 0);
}

// --------------------------------------------------------------------------- signals

static char letters[48 * SIDE * SIDE];
static float since[48 * SIDE * SIDE];
static float shortest_green, shortest_amber, clock_now;

static void look_at_signals(int32_t index) {
    (void)index;
    clock_now += 0.2f;
    for (int32_t turn = 0; turn < kerb_network_size_of(&city.network).turns; turn++) {
        char now = kerb_traffic_signal(&traffic, &city.network, turn), before = letters[turn];
        if (now == before)
            continue;
        if (before == 'y') {
            shortest_amber = kerb_min(shortest_amber, clock_now - since[turn]);
            assert_int_equal(now, 'r');
        } else if (before == 'g' || before == 'G') {
            shortest_green = kerb_min(shortest_green, clock_now - since[turn]);
            assert_int_equal(now, 'y');
        }
        letters[turn] = now;
        since[turn] = clock_now;
    }
}

static void watch_for(int32_t steps) {
    for (int32_t i = 0; i < steps; i++) {
        keep_full();
        kerb_traffic_step(&traffic, &city.network, 0.2f, NULL);
        look_at_signals(-1);
    }
}

static void signals_on_the_way_of_an_ambulance_keep_their_amber(void** state) {
    (void)state;
    shortest_green = shortest_amber = 1000;
    int32_t runs = test_share(2, 2);
    for (int32_t seed = 41; seed < 41 + runs; seed++) {
        int32_t type = make_city(1, seed);
        clock_now = 0;
        for (int32_t turn = 0; turn < kerb_network_size_of(&city.network).turns; turn++) {
            letters[turn] = kerb_traffic_signal(&traffic, &city.network, turn);
            since[turn] = -100;
        }
        watch_for(300);
        drive_across(add_vehicle(type), look_at_signals);
        watch_for(300);
        destroy_city();
    }
    print_message("shortest green %.1f s, amber %.1f s\n", (double)shortest_green,
                  (double)shortest_amber);
    assert_true(shortest_green < 24); // the programme's is 25 s
    assert_true(shortest_green > 2.5f);
    assert_true(shortest_amber > 2.7f); // 3 s
}

int rescue_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ambulance_needs_seven_tenths_of_the_time_of_a_car),
        cmocka_unit_test(nobody_changes_lanes_ahead_of_an_ambulance_and_some_make_way),
        cmocka_unit_test(signals_on_the_way_of_an_ambulance_keep_their_amber),
    };
    return cmocka_run_group_tests_name("rescue", tests, NULL, NULL);
}
