// Built-in networks of the city, its observer and its runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/city/city_plan.h"
#include "scene/city/city_run.h"
#include "test/seed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static kerb_host host;
static kerb_error error;

static void make_network(kerb_network* network, const kerb_scene_city* city) {
    if (kerb_network_create(network, &city->plan, &host, &error) != KERB_OK)
        fail_msg("%s [%d]: %s", error.field, (int)error.index, error.message);
}

// --------------------------------------------------------------------------- networks

static void every_built_in_network_is_valid_on_both_sides(void** state) {
    (void)state;
    for (int32_t i = 0; kerb_scene_city_name(i); i++) {
        kerb_network_size sizes[2];
        for (int32_t left = 0; left < 2; left++) {
            kerb_scene_city city;
            kerb_network network;
            assert_true(kerb_scene_city_make(&city, kerb_scene_city_name(i), 0, left != 0));
            make_network(&network, &city);
            sizes[left] = kerb_network_size_of(&network);
            assert_int_equal(sizes[left].left_hand, left);
            kerb_network_destroy(&network);
            kerb_scene_city_free(&city);
        }
        // The mirror of a network has the same conflicts.
        assert_int_equal(sizes[0].turns, sizes[1].turns);
        assert_int_equal(sizes[0].conflicts, sizes[1].conflicts);
        assert_non_null(kerb_scene_city_meaning(i));
    }
    kerb_scene_city city;
    assert_false(kerb_scene_city_make(&city, "nowhere", 0, false));
}

static void a_grid_has_the_roads_and_signals_of_its_size(void** state) {
    (void)state;
    kerb_scene_city city;
    assert_true(kerb_scene_city_make(&city, "grid", 5, false));
    assert_int_equal(city.plan.junction_count, 25);
    assert_int_equal(city.plan.edge_count, 2 * 2 * 5 * 4);
    assert_int_equal(city.plan.lane_count, 2 * city.plan.edge_count);
    assert_int_equal(city.plan.signal_count, 25 - 4);
    for (int32_t i = 0; i < city.plan.lane_count; i++) {
        bool leads = false;
        for (int32_t k = 0; k < city.plan.turn_count; k++)
            leads |= city.turns[k].from == i;
        assert_true(leads);
    }
    kerb_scene_city_free(&city);
}

static void from_every_edge_a_way_leads_to_every_other(void** state) {
    (void)state;
    for (int32_t i = 0; kerb_scene_city_name(i); i++) {
        kerb_scene_city city;
        kerb_scene_router router;
        int32_t way[KERB_SCENE_CITY_ROUTE_MAX];
        assert_true(kerb_scene_city_make(&city, kerb_scene_city_name(i), 0, false));
        assert_int_equal(kerb_scene_router_make(&router, &city.plan, &host, &error), KERB_OK);
        for (int32_t a = 0; a < city.plan.edge_count; a++)
            for (int32_t b = 0; b < city.plan.edge_count; b++) {
                int32_t count =
                    kerb_scene_router_find(&router, a, b, 1, way, KERB_SCENE_CITY_ROUTE_MAX);
                assert_true(count >= 1 && way[0] == a && way[count - 1] == b);
            }
        kerb_scene_router_free(&router);
        kerb_scene_city_free(&city);
    }
}

// --------------------------------------------------------------------------- the observer

static float overlap_at(float x, float y, float heading) {
    kerb_vec2 front = kerb_vec2_make(x + 2.5f * cosf(heading), y + 2.5f * sinf(heading));
    kerb_vec2 rear = kerb_vec2_make(x - 2.5f * cosf(heading), y - 2.5f * sinf(heading));
    return kerb_scene_watch_overlap(kerb_vec2_make(-2.5f, 0), kerb_vec2_make(2.5f, 0), 2.0f, rear,
                                    front, 2.0f);
}

static void the_overlap_of_rectangles_is_that_of_closed_forms(void** state) {
    (void)state;
    assert_float_equal(overlap_at(0, 0, 0), 2.0f, 1e-5);
    assert_float_equal(overlap_at(0, 1.5f, 0), 0.5f, 1e-5);
    assert_float_equal(overlap_at(0, 2.25f, 0), -0.25f, 1e-5);
    assert_float_equal(overlap_at(4.9f, 0, 0), 0.1f, 1e-5);
    // Across the front: half a length and half a width.
    assert_float_equal(overlap_at(3.4f, 0, 1.57079633f), 0.1f, 1e-5);
    // At 45 degrees the side of the other meets a corner: 1 + (2.5 + 1) / sqrt(2) across it.
    assert_float_equal(overlap_at((1.0f + 3.5f * 0.70710678f) / 0.70710678f, 0, 0.78539816f), 0.0f,
                       1e-5);
}

// Points of a rectangle inside the other, by brute force.
static bool grid_overlaps(float x, float y, float heading) {
    for (int32_t a = -50; a <= 50; a++)
        for (int32_t b = -20; b <= 20; b++) {
            float along = 0.05f * (float)a, aside = 0.05f * (float)b;
            float px = x + along * cosf(heading) - aside * sinf(heading);
            float py = y + along * sinf(heading) + aside * cosf(heading);
            if (fabsf(px) <= 2.5f && fabsf(py) <= 1.0f)
                return true;
        }
    return false;
}

static void overlaps_agree_with_points_on_a_grid(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < test_share(3000, 300); i++) {
        float x = kerb_random_between(&random, -6, 6), y = kerb_random_between(&random, -6, 6);
        float heading = kerb_random_between(&random, -3, 3), depth = overlap_at(x, y, heading);
        if (fabsf(depth) > 0.1f)
            assert_int_equal(depth > 0.0f, grid_overlaps(x, y, heading));
    }
}

// --------------------------------------------------------------------------- runs

static kerb_scene_city_set_up set_up_of(const kerb_traffic_type* type, int32_t vehicles) {
    return (kerb_scene_city_set_up){.types = type,
                                    .type_count = 1,
                                    .vehicles = vehicles,
                                    .dt = 0.1f,
                                    .seed = 7,
                                    .watched = true};
}

static void built_in_cities_are_driven_without_collision_or_red_light(void** state) {
    (void)state;
    kerb_traffic_type car = kerb_traffic_car();
    for (int32_t i = 0; kerb_scene_city_name(i); i++) {
        kerb_scene_city city;
        kerb_scene_city_run run;
        kerb_scene_city_set_up set_up = set_up_of(&car, 30);
        assert_true(kerb_scene_city_make(&city, kerb_scene_city_name(i), 0, i % 2 == 0));
        assert_int_equal(kerb_scene_city_run_make(&run, &city.plan, &set_up, &host, &error),
                         KERB_OK);
        while (run.time < (double)test_share(180, 40))
            kerb_scene_city_run_step(&run);
        kerb_scene_watch_counts seen = kerb_scene_watch_counts_of(run.watch);
        assert_int_equal(seen.collisions, 0);
        assert_int_equal(seen.red_lights, 0);
        assert_int_equal(seen.deadlocks, 0);
        assert_true(run.sums.arrived > 0 || run.time < 100.0);
        kerb_scene_city_run_free(&run);
        kerb_scene_city_free(&city);
    }
}

// What an observer counts when it is told other limits and rights than the vehicles have.
static kerb_scene_watch_counts counted_by(const kerb_traffic_type* have,
                                          const kerb_traffic_type* told) {
    kerb_scene_city city;
    kerb_scene_city_run run;
    kerb_scene_city_set_up set_up = set_up_of(have, 60);
    set_up.watched = false;
    assert_true(kerb_scene_city_make(&city, "grid", 4, false));
    assert_int_equal(kerb_scene_city_run_make(&run, &city.plan, &set_up, &host, &error), KERB_OK);
    kerb_scene_watch* watch = kerb_scene_watch_make(run.vehicles_max);
    assert_non_null(watch);
    while (run.time < 120.0) {
        kerb_scene_city_run_step(&run);
        kerb_scene_watch_step(watch, &run.network, &run.traffic, told, set_up.dt);
    }
    const kerb_scene_watch_counts counts = kerb_scene_watch_counts_of(watch);
    kerb_scene_watch_free(watch);
    kerb_scene_city_run_free(&run);
    kerb_scene_city_free(&city);
    return counts;
}

// A rescue vehicle that it takes for a car runs red lights, and a car whose pedals, brakes or speed
// it thinks weaker breaks its limits.
static void the_observer_counts_red_lights_and_broken_limits(void** state) {
    (void)state;
    const kerb_traffic_type car = kerb_traffic_car();
    kerb_traffic_type rescue = car, weak[3] = {car, car, car};
    rescue.priority = 1;
    assert_int_equal(counted_by(&rescue, &rescue).red_lights, 0);
    assert_true(counted_by(&rescue, &car).red_lights > 0);
    weak[0].acceleration *= 0.5f;
    weak[1].braking *= 0.1f;
    weak[2].top_speed = 8.0f;
    assert_int_equal(counted_by(&car, &car).limits, 0);
    for (int32_t i = 0; i < 3; i++)
        assert_true(counted_by(&car, &weak[i]).limits > 0);
}

static void trips_of_a_demand_depart_in_order_and_wait_outside(void** state) {
    (void)state;
    kerb_traffic_type car = kerb_traffic_car();
    kerb_scene_city city;
    kerb_scene_city_run run;
    static const int32_t way[3] = {0, 1, 2};
    kerb_scene_city_trip trips[3];
    for (int32_t i = 0; i < 3; i++)
        trips[i] = (kerb_scene_city_trip){.depart = 10.0 * i,
                                          .edges = way,
                                          .edge_count = 3,
                                          .lane = -1,
                                          .station = -1.0f,
                                          .arrival = -1.0f};
    kerb_scene_city_set_up set_up = set_up_of(&car, 0);
    set_up.trips = trips;
    set_up.trip_count = 3;
    assert_true(kerb_scene_city_make(&city, "ring", 0, false));
    assert_int_equal(kerb_scene_city_run_make(&run, &city.plan, &set_up, &host, &error), KERB_OK);
    while (run.time < 5.0)
        kerb_scene_city_run_step(&run);
    assert_int_equal(kerb_traffic_counts_of(&run.traffic).departed, 1);
    while (run.time < 120.0)
        kerb_scene_city_run_step(&run);
    assert_int_equal(run.sums.arrived, 3);
    assert_int_equal(kerb_scene_city_run_outside(&run), 0);
    kerb_scene_city_run_free(&run);
    kerb_scene_city_free(&city);
}

// More vehicles than the network can carry do not take its flow away.
static void more_vehicles_than_there_is_room_for_keep_the_flow(void** state) {
    (void)state;
    kerb_traffic_type car = kerb_traffic_car();
    static const int32_t vehicles[3] = {150, 300, 1200};
    int64_t arrived[3];
    for (int32_t i = 0; i < 3; i++) {
        kerb_scene_city city;
        kerb_scene_city_run run;
        const kerb_scene_city_set_up set_up = {
            .types = &car, .type_count = 1, .vehicles = vehicles[i], .dt = 0.2f, .seed = 3};
        assert_true(kerb_scene_city_make(&city, "grid", 3, false));
        assert_int_equal(kerb_scene_city_run_make(&run, &city.plan, &set_up, &host, &error),
                         KERB_OK);
        while (run.time < (double)test_share(1800, 400))
            kerb_scene_city_run_step(&run);
        arrived[i] = run.sums.arrived;
        kerb_scene_city_run_free(&run);
        kerb_scene_city_free(&city);
    }
    const int64_t most = arrived[1] > arrived[0] ? arrived[1] : arrived[0];
    assert_true((double)arrived[2] >= 0.9 * (double)most);
}

static int set_up_host(void** state) {
    (void)state;
    host = kerb_host_default();
    return 0;
}

int city_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_built_in_network_is_valid_on_both_sides),
        cmocka_unit_test(a_grid_has_the_roads_and_signals_of_its_size),
        cmocka_unit_test(from_every_edge_a_way_leads_to_every_other),
        cmocka_unit_test(the_overlap_of_rectangles_is_that_of_closed_forms),
        cmocka_unit_test(overlaps_agree_with_points_on_a_grid),
        cmocka_unit_test(built_in_cities_are_driven_without_collision_or_red_light),
        cmocka_unit_test(the_observer_counts_red_lights_and_broken_limits),
        cmocka_unit_test(trips_of_a_demand_depart_in_order_and_wait_outside),
        cmocka_unit_test(more_vehicles_than_there_is_room_for_keep_the_flow),
    };
    return cmocka_run_group_tests_name("city", tests, set_up_host, NULL);
}
