// Long vehicles and vehicles with trailers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic.h"
#include "test/road/grid_city.h"
#include "test/road/rectangles.h"
#include "test/seed.h"

#include <math.h>

enum { CARS = 30, ARC = 9, BESIDE = 14 };

static kerb_network network;
static kerb_traffic traffic;
static int32_t types[4]; // car, bus, articulated bus, lorry with a trailer

// The middle line of a bend to the left about (0, centre), with a straight part at both ends.
static void bend_points(float radius, float centre, kerb_vec3* points) {
    points[0] = kerb_vec3_make(-BESIDE, centre - radius, 0);
    for (int32_t i = 0; i < ARC; i++) {
        float angle = 0.5f * KERB_PI * (float)i / (ARC - 1);
        points[1 + i] = kerb_vec3_make(radius * sinf(angle), centre - radius * cosf(angle), 0);
    }
    points[ARC + 1] = kerb_vec3_make(radius, centre + BESIDE, 0);
}

// Three streets of one lane through a junction: 0 bends to the left with a radius, 2 does so on
// its inside, and 1 crosses the end of neither.
static void make_bend(float radius, float apart) {
    static kerb_network_edge edges[6];
    static kerb_network_lane lanes[6];
    static kerb_network_turn turns[3];
    static kerb_network_junction junctions[7];
    static kerb_vec3 points[12 + 2 * (ARC + 2)];
    const float r = radius, inner = radius - apart;
    points[0] = kerb_vec3_make(-120, 0, 0);
    points[1] = kerb_vec3_make(-BESIDE, 0, 0);
    points[2] = kerb_vec3_make(r, r + BESIDE, 0);
    points[3] = kerb_vec3_make(r, r + 120, 0);
    points[4] = kerb_vec3_make(2 * r + 5, -100, 0);
    points[5] = kerb_vec3_make(2 * r + 5, -5, 0);
    points[6] = kerb_vec3_make(2 * r + 5, r + 5, 0);
    points[7] = kerb_vec3_make(2 * r + 5, r + 120, 0);
    points[8] = kerb_vec3_make(-120, apart, 0);
    points[9] = kerb_vec3_make(-BESIDE, apart, 0);
    points[10] = kerb_vec3_make(inner, r + BESIDE, 0);
    points[11] = kerb_vec3_make(inner, r + 120, 0);
    bend_points(r, r, points + 12);
    bend_points(inner, r, points + 12 + ARC + 2);
    for (int32_t i = 0; i < 6; i++) {
        edges[i] = (kerb_network_edge){i, 1, i % 2 == 0 ? 1 + i : 0, i % 2 == 0 ? 0 : 1 + i, 1};
        lanes[i] = kerb_network_lane_at(2 * i, 2);
    }
    for (int32_t i = 0; i < 3; i++)
        turns[i] = kerb_network_turn_between(2 * i, 2 * i + 1);
    turns[0].first_point = 12;
    turns[2].first_point = 12 + ARC + 2;
    turns[0].point_count = turns[2].point_count = ARC + 2;
    kerb_network_plan plan = {.edges = edges,
                              .edge_count = 6,
                              .lanes = lanes,
                              .lane_count = 6,
                              .turns = turns,
                              .turn_count = 3,
                              .junctions = junctions,
                              .junction_count = 7,
                              .points = points,
                              .point_count = 12 + 2 * (ARC + 2)};
    kerb_host host = kerb_host_default();
    kerb_error error;
    if (kerb_network_create(&network, &plan, &host, &error) != KERB_OK)
        fail_msg("%s %d", error.field, error.index);
}

static void make_traffic(int32_t seed) {
    static const float lengths[4] = {4.6f, 12, 18, 16.5f}, trailers[4] = {0, 0, 8, 11};
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = CARS;
    settings.seed = seed;
    settings.fill_max = 1;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
    for (int32_t i = 0; i < 4; i++) {
        kerb_traffic_type type = kerb_traffic_car();
        type.length = lengths[i];
        type.trailer = trailers[i];
        type.width = i == 0 ? 1.8f : 2.5f;
        types[i] = kerb_traffic_add_type(&traffic, &type);
    }
}

static int32_t add(int32_t street, int32_t type, float depart) {
    const int32_t route[2] = {2 * street, 2 * street + 1};
    kerb_traffic_trip trip = kerb_traffic_trip_along(types[type], route, 2);
    trip.depart = depart;
    return kerb_traffic_add(&traffic, &trip);
}

static void destroy_all(void) {
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
}

static float distance_between(kerb_vec3 a, kerb_vec3 b) {
    float dx = a.x - b.x, dy = a.y - b.y;
    return sqrtf(dx * dx + dy * dy);
}

// On the bend's circle, the parts of a vehicle are chords of the length of its parts along it.
static void the_ends_and_the_joint_of_a_vehicle_are_on_its_way(void** state) {
    (void)state;
    const float r = 14;
    make_bend(r, 5);
    make_traffic(1);
    int32_t lorry = add(0, 3, 0), looked = 0;
    for (int32_t k = 0; k < 900; k++) {
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&traffic, &network, lorry);
        if (v.segment < 6 || v.station < BESIDE + 17 || v.station > BESIDE + 21)
            continue;
        const kerb_vec3 centre = {0, r, 0};
        assert_float_equal(distance_between(v.position, centre), r, 0.1f);
        assert_float_equal(distance_between(v.joint, centre), r, 0.1f);
        assert_float_equal(distance_between(v.position, v.joint), 2 * r * sinf(5.5f / (2 * r)),
                           0.1f);
        assert_float_equal(distance_between(v.joint, v.rear), 2 * r * sinf(11 / (2 * r)), 0.15f);
        float heading = atan2f(v.position.y - v.joint.y, v.position.x - v.joint.x);
        assert_float_equal(heading, v.heading, 0.001f);
        looked++;
    }
    assert_true(looked > 2);
    destroy_all();
}

// The street on the inside of the bend conflicts for those that cut the corner, and not for cars.
static void nobody_is_touched_by_a_vehicle_that_cuts_a_corner(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t bends = test_share(80, 40), touched = 0;
    for (int32_t n = 0; n < bends; n++) {
        float apart = kerb_random_between(&random, 3.3f, 5);
        make_bend(kerb_random_between(&random, 6, 12) + apart, apart);
        make_traffic(n);
        assert_false(kerb_network_conflict_of(&network, 0, 2).conflicts);
        for (int32_t i = 0; i < CARS; i++)
            add(kerb_random_below(&random, 3), kerb_random_below(&random, 4),
                kerb_random_between(&random, 0, 100));
        for (int32_t k = 0; k < 1200 && kerb_traffic_counts_of(&traffic).arrived < CARS; k++) {
            int32_t first, second;
            kerb_traffic_step(&traffic, &network, 0.2f, NULL);
            touched += test_overlaps(&traffic, &network, CARS, &first, &second) > 0;
        }
        assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, CARS);
        destroy_all();
    }
    assert_int_equal(touched, 0);
}

// What is coupled behind counts on lanes: a queue behind a lorry begins behind its trailer.
static void a_queue_begins_behind_the_trailer(void** state) {
    (void)state;
    make_bend(14, 5);
    make_traffic(1);
    int32_t lorry = add(1, 3, 0), car = add(1, 0, 6);
    for (int32_t k = 0; k < 60; k++)
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    kerb_traffic_set_broken(&traffic, lorry, true);
    for (int32_t k = 0; k < 600; k++)
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    kerb_traffic_vehicle a = kerb_traffic_vehicle_of(&traffic, &network, lorry);
    kerb_traffic_vehicle b = kerb_traffic_vehicle_of(&traffic, &network, car);
    float gap = distance_between(a.rear, b.position);
    assert_int_equal(a.segment, b.segment);
    assert_true(gap > 1.5f && gap < 12);
    destroy_all();
}

// Its rear stands on the lane, farther from the end than a driver who crawls looks for other
// things.
static void a_queue_begins_behind_the_trailer_of_a_vehicle_in_a_junction(void** state) {
    (void)state;
    for (int32_t n = 0; n < 4; n++) {
        make_bend(14, 5);
        kerb_network_set_speed_limit(&network, 2, 4); // so that it stands soon behind the line
        make_traffic(n);
        int32_t lorry = add(1, n % 2 == 0 ? 2 : 3, 0), car = add(1, n < 2 ? 0 : 1, 8), first,
                second;
        bool stands = false;
        for (int32_t k = 0; k < 900; k++) {
            kerb_traffic_step(&traffic, &network, 0.1f, NULL);
            kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&traffic, &network, lorry);
            if (!stands && v.segment == 6 + 1)
                kerb_traffic_set_broken(&traffic, lorry, stands = true);
            assert_int_equal(test_overlaps(&traffic, &network, 2, &first, &second), 0);
        }
        kerb_traffic_vehicle a = kerb_traffic_vehicle_of(&traffic, &network, lorry);
        kerb_traffic_vehicle b = kerb_traffic_vehicle_of(&traffic, &network, car);
        float gap = distance_between(a.rear, b.position);
        assert_true(stands && b.segment == 2);
        assert_true(gap > 0.3f && gap < 4);
        destroy_all();
    }
}

// Vehicles drive on without end: who arrives starts anew.
static int32_t touched_in_city(grid_rule rule, int32_t seed, int32_t* arrived) {
    enum { EDGES = 12 };
    static grid_city city;
    kerb_random random = kerb_random_make((uint64_t)seed, 3);
    int32_t touched = 0, route[EDGES];
    grid_city_make(&city, 4, 110, rule, seed % 2 != 0);
    network = city.network;
    make_traffic(seed);
    for (int32_t k = 0; k < 3000; k++) {
        kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
        int32_t first, second;
        if (counts.vehicles + counts.outside < CARS) {
            grid_city_route(&city, &random, EDGES, route);
            kerb_traffic_trip trip =
                kerb_traffic_trip_along(types[kerb_random_below(&random, 4)], route, EDGES);
            kerb_traffic_add(&traffic, &trip);
        }
        kerb_traffic_step(&traffic, &network, 0.2f, NULL);
        touched += test_overlaps(&traffic, &network, CARS, &first, &second);
    }
    *arrived += (int32_t)kerb_traffic_counts_of(&traffic).arrived;
    kerb_traffic_destroy(&traffic);
    grid_city_destroy(&city);
    return touched;
}

// They sweep the ends of lanes beside their turns, where others wait, depart, arrive and drive.
static void long_vehicles_touch_nobody_in_a_city(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t cities = test_share(6, 3), touched = 0, arrived = 0;
    for (int32_t n = 0; n < cities; n++)
        touched += touched_in_city((grid_rule)(n % 3), kerb_random_below(&random, 10000), &arrived);
    assert_int_equal(touched, 0);
    assert_true(arrived > 40 * cities);
}

int long_vehicles_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ends_and_the_joint_of_a_vehicle_are_on_its_way),
        cmocka_unit_test(nobody_is_touched_by_a_vehicle_that_cuts_a_corner),
        cmocka_unit_test(a_queue_begins_behind_the_trailer),
        cmocka_unit_test(a_queue_begins_behind_the_trailer_of_a_vehicle_in_a_junction),
        cmocka_unit_test(long_vehicles_touch_nobody_in_a_city),
    };
    return cmocka_run_group_tests_name("long_vehicles", tests, NULL, NULL);
}
