// Crossings that no junction knows of: vehicles on roads that cross anywhere do not touch, and all
// arrive.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic.h"
#include "test/allocation.h"
#include "test/road/rectangles.h"
#include "test/seed.h"

enum { ROADS = 3, CARS = 18, CITIES = 40 };

static kerb_network network;
static kerb_traffic traffic;
static kerb_network_edge edges[2 * ROADS];
static kerb_network_lane lanes[2 * ROADS];
static kerb_network_turn turns[ROADS];
static kerb_network_junction junctions[3 * ROADS];
static kerb_vec3 points[4 * ROADS];
static const kerb_network_plan plan = {.edges = edges,
                                       .edge_count = 2 * ROADS,
                                       .lanes = lanes,
                                       .lane_count = 2 * ROADS,
                                       .turns = turns,
                                       .turn_count = ROADS,
                                       .junctions = junctions,
                                       .junction_count = 3 * ROADS,
                                       .points = points,
                                       .point_count = 4 * ROADS};

// Roads of two edges of one lane, with a turn between them. Each crosses the others near the
// origin: on a lane, at its start or end, or on the turn.
static void plan_roads(kerb_random* random, float height) {
    for (int32_t k = 0; k < ROADS; k++) {
        float angle = (float)k * 1.05f + kerb_random_between(random, -0.25f, 0.25f);
        float aside = kerb_random_between(random, -8, 8),
              ahead = kerb_random_between(random, -90, 90);
        const float at[4] = {-130, -5, 5, 130};
        float sine, cosine;
        kerb_sin_cos(angle, &sine, &cosine);
        for (int32_t i = 0; i < 4; i++)
            points[4 * k + i] =
                kerb_vec3_make((at[i] + ahead) * cosine - aside * sine,
                               (at[i] + ahead) * sine + aside * cosine, height * (float)k);
        edges[2 * k] = (kerb_network_edge){2 * k, 1, 3 * k, 3 * k + 1, 1};
        edges[2 * k + 1] = (kerb_network_edge){2 * k + 1, 1, 3 * k + 1, 3 * k + 2, 1};
        lanes[2 * k] = kerb_network_lane_at(4 * k, 2);
        lanes[2 * k + 1] = kerb_network_lane_at(4 * k + 2, 2);
        turns[k] = kerb_network_turn_between(2 * k, 2 * k + 1);
    }
}

static void make_roads(kerb_random* random, float height) {
    plan_roads(random, height);
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_network_create(&network, &plan, &host, NULL), KERB_OK);
}

static void make_cars(kerb_random* random, int32_t seed) {
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = CARS;
    settings.seed = seed;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type car = kerb_traffic_car();
    int32_t type = kerb_traffic_add_type(&traffic, &car);
    for (int32_t i = 0; i < CARS; i++) {
        int32_t k = i % ROADS;
        int32_t route[2] = {2 * k, 2 * k + 1};
        kerb_traffic_trip trip = kerb_traffic_trip_along(type, route, 2);
        trip.depart = kerb_random_between(random, 0, 30);
        assert_true(kerb_traffic_add(&traffic, &trip) >= 0);
    }
}

static void destroy_city(void) {
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
}

// Drives until all have arrived; returns after how long.
static double drive_all(bool touch) {
    for (int32_t k = 0; k < 6000 && kerb_traffic_counts_of(&traffic).arrived < CARS; k++) {
        int32_t a, b;
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        if (!touch)
            assert_int_equal(test_overlaps(&traffic, &network, CARS, &a, &b), 0);
    }
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, CARS);
    assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
    return kerb_traffic_counts_of(&traffic).time;
}

static void vehicles_on_roads_that_cross_anywhere_do_not_touch(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < CITIES; i++) {
        make_roads(&random, 0);
        make_cars(&random, i);
        drive_all(false);
        destroy_city();
    }
}

// Bridges above one another hold nobody up: all drive as on roads of their own.
static void roads_above_one_another_do_not_cross(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 4; i++) {
        make_roads(&random, 6);
        make_cars(&random, i);
        for (int32_t k = 0; k < 900; k++) {
            kerb_traffic_step(&traffic, &network, 0.1f, NULL);
            for (int32_t c = 0; c < CARS; c++)
                assert_true(kerb_traffic_vehicle_of(&traffic, &network, c).wait !=
                            KERB_TRAFFIC_WAIT_CONFLICT);
        }
        drive_all(true);
        destroy_city();
    }
}

static void every_failed_allocation_of_crossings_is_an_error_without_a_leak(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    plan_roads(&random, 0);
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_error error;
        kerb_result result = kerb_network_create(&network, &plan, &host, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_network_destroy(&network);
        test_allocation_check(&allocation);
    }
}

int crossings_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vehicles_on_roads_that_cross_anywhere_do_not_touch),
        cmocka_unit_test(roads_above_one_another_do_not_cross),
        cmocka_unit_test(every_failed_allocation_of_crossings_is_an_error_without_a_leak),
    };
    return cmocka_run_group_tests_name("crossings", tests, NULL, NULL);
}
