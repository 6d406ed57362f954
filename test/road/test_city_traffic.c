// Traffic: what single vehicles do, the flow of a lane against the model's equilibrium, and cities
// that are watched for overlaps, red lights and standstill.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic.h"
#include "test/allocation.h"
#include "test/backward_tasks.h"
#include "test/road/grid_city.h"
#include "test/seed.h"

#include <stdlib.h>
#include <string.h>

static kerb_network network;
static kerb_traffic traffic;
static int32_t car_type;
static grid_city city;
static int32_t place_count;

static void make_traffic(int32_t vehicles_max, int32_t seed) {
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = place_count = vehicles_max;
    settings.seed = seed;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type car = kerb_traffic_car();
    car_type = kerb_traffic_add_type(&traffic, &car);
}

// A straight road of edges of one lane, one behind the other. Its first junction may have a signal.
static void make_signal_road(int32_t edge_count, float length, float limit,
                             const kerb_network_signal* signal, const kerb_network_phase* phases,
                             const char* states) {
    static kerb_network_edge edges[8];
    static kerb_network_lane lanes[8];
    static kerb_network_turn turns[8];
    static kerb_network_junction junctions[9];
    static kerb_vec3 points[16];
    for (int32_t i = 0; i < edge_count; i++) {
        edges[i] = (kerb_network_edge){i, 1, i, i + 1, 1};
        points[2 * i] = kerb_vec3_make((float)i * (length + 10), 0, 0);
        points[2 * i + 1] = kerb_vec3_make((float)i * (length + 10) + length, 0, 0);
        lanes[i] = kerb_network_lane_at(2 * i, 2);
        lanes[i].speed_limit = limit;
        turns[i] = kerb_network_turn_between(i, i + 1);
    }
    kerb_network_plan plan = {.edges = edges,
                              .edge_count = edge_count,
                              .lanes = lanes,
                              .lane_count = edge_count,
                              .turns = turns,
                              .turn_count = edge_count - 1,
                              .junctions = junctions,
                              .junction_count = edge_count + 1,
                              .points = points,
                              .point_count = 2 * edge_count};
    if (signal) {
        turns[0].signal = 0;
        plan.signals = signal;
        plan.signal_count = 1;
        plan.phases = phases;
        plan.phase_count = signal->phase_count;
        plan.states = states;
        plan.state_count = signal->phase_count;
    }
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_network_create(&network, &plan, &host, NULL), KERB_OK);
}

static void make_road(int32_t edge_count, float length, float limit) {
    make_signal_road(edge_count, length, limit, NULL, NULL, NULL);
}

static void destroy_all(void) {
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
}

static void run(float seconds, float dt) {
    int32_t steps = (int32_t)(seconds / dt + 0.5f);
    for (int32_t i = 0; i < steps; i++)
        kerb_traffic_step(&traffic, &network, dt, NULL);
}

static kerb_traffic_vehicle vehicle(int32_t index) {
    return kerb_traffic_vehicle_of(&traffic, &network, index);
}

// --------------------------------------------------------------------------- single vehicles

static void a_vehicle_drives_its_route_and_arrives(void** state) {
    (void)state;
    static const int32_t route[3] = {0, 1, 2};
    make_road(3, 300, 13.89f);
    make_traffic(4, 1);
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 3);
    trip.user = 77;
    int32_t index = kerb_traffic_add(&traffic, &trip);
    assert_int_equal(vehicle(index).stage, KERB_TRAFFIC_OUTSIDE);
    run(30, 0.1f);
    kerb_traffic_vehicle v = vehicle(index);
    assert_int_equal(v.stage, KERB_TRAFFIC_DRIVING);
    assert_float_equal(v.speed, 13.89f, 0.3f); // junctions without others do not slow it
    assert_float_equal(v.rear.x, v.position.x - v.length, 0.01f);
    run(60, 0.1f);
    assert_int_equal(vehicle(index).stage, KERB_TRAFFIC_NONE);
    kerb_traffic_event events[4];
    assert_int_equal(kerb_traffic_take_events(&traffic, events, 4), 2);
    assert_int_equal(events[0].what, KERB_TRAFFIC_DEPARTED);
    assert_int_equal(events[1].what, KERB_TRAFFIC_ARRIVED);
    assert_int_equal(events[1].user, 77);
    float way = 3 * 300 + 2 * 10 - 4.6f;
    assert_float_equal(events[1].distance, way, 2);
    // Time loss: duration less the time at the wanted speed (SUMO).
    assert_float_equal(events[1].time_loss, events[1].duration - way / 13.89f, 0.5f);
    assert_float_equal(events[1].waiting, 0, 1e-6f);
    destroy_all();
}

static void a_queue_stops_behind_a_broken_vehicle_and_goes_on(void** state) {
    (void)state;
    static const int32_t route[2] = {0, 1};
    make_road(2, 300, 13.89f);
    make_traffic(20, 1);
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 2);
    int32_t first = kerb_traffic_add(&traffic, &trip);
    run(10, 0.1f);
    kerb_traffic_set_broken(&traffic, first, true);
    for (int32_t i = 0; i < 8; i++)
        kerb_traffic_add(&traffic, &trip);
    run(60, 0.1f);
    assert_float_equal(vehicle(first).speed, 0, 1e-6f);
    float ahead = vehicle(first).position.x - vehicle(first).length;
    for (int32_t i = first + 1; i < 8; i++) {
        kerb_traffic_vehicle v = vehicle(i);
        assert_float_equal(v.speed, 0, 0.05f);
        assert_int_equal(v.wait, KERB_TRAFFIC_WAIT_LEADER);
        assert_true(ahead - v.position.x > 1.5f && ahead - v.position.x < 4.5f);
        ahead = v.position.x - v.length;
    }
    kerb_traffic_set_broken(&traffic, first, false);
    run(90, 0.1f);
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 9);
    destroy_all();
}

static void a_bus_stops_for_as_long_as_it_should(void** state) {
    (void)state;
    static const int32_t route[1] = {0};
    make_road(1, 300, 13.89f);
    make_traffic(2, 1);
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 1);
    int32_t index = kerb_traffic_add(&traffic, &trip);
    kerb_traffic_stop stop = {0, 150, 20, 0};
    kerb_traffic_set_stop(&traffic, index, &stop);
    run(30, 0.1f);
    assert_int_equal(vehicle(index).stage, KERB_TRAFFIC_STOPPING);
    assert_float_equal(vehicle(index).station, 150, 1.0f);
    run(60, 0.1f);
    kerb_traffic_event events[2];
    assert_int_equal(kerb_traffic_take_events(&traffic, events, 2), 2);
    assert_float_equal(events[1].waiting, 20, 2);
    destroy_all();
}

// It was held at the line while it had green, so it may have claimed the junction.
static void a_vehicle_that_stands_at_the_line_at_red_stays_there(void** state) {
    (void)state;
    static const kerb_network_signal signal = {.phase_count = 2, .link_count = 1};
    static const kerb_network_phase phases[2] = {{.duration = 10},
                                                 {.duration = 30, .first_state = 1}};
    static const int32_t route[2] = {0, 1};
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 50; i++) {
        make_signal_road(2, 100, 13.89f, &signal, phases, "Gr");
        make_traffic(1, 1);
        kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 2);
        trip.station = 100 - kerb_random_between(&random, 0, 1);
        trip.speed = 0;
        int32_t index = kerb_traffic_add(&traffic, &trip);
        run(0.1f, 0.1f);
        kerb_traffic_set_broken(&traffic, index, true);
        run(15, 0.1f); // red since 5 s
        kerb_traffic_set_broken(&traffic, index, false);
        run(24, 0.1f);
        assert_int_equal(kerb_traffic_signal(&traffic, &network, 0), 'r');
        assert_int_equal(vehicle(index).segment, 0);
        run(5, 0.1f);
        assert_true(vehicle(index).segment > 0);
        destroy_all();
    }
}

// One ahead breaks down while its rear is still before the line. At amber the next one gives its
// claim back.
static void a_vehicle_that_stops_at_amber_stays_behind_one_that_leaves_the_lane(void** state) {
    (void)state;
    enum { TURN = 2, VEHICLES = 12 };
    static const kerb_network_signal signal = {.phase_count = 3, .link_count = 1};
    static const int32_t route[2] = {0, 1};
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 100; i++) {
        kerb_network_phase phases[3] = {{.duration = kerb_random_between(&random, 6, 12)},
                                        {.duration = 3, .first_state = 1},
                                        {.duration = 4, .first_state = 2}};
        make_signal_road(2, 100, 13.89f, &signal, phases, "Gyr");
        make_traffic(VEHICLES, i);
        kerb_traffic_type fast = kerb_traffic_car();
        fast.acceleration = 4;
        fast.min_gap = 0.7f;
        kerb_traffic_trip trip =
            kerb_traffic_trip_along(kerb_traffic_add_type(&traffic, &fast), route, 2);
        for (int32_t k = 0; k < VEHICLES; k++)
            kerb_traffic_add(&traffic, &trip);
        for (int32_t k = 0; k < 150; k++) {
            int32_t a, b;
            char letter = kerb_traffic_signal(&traffic, &network, 0);
            for (int32_t n = 0; n < VEHICLES; n++)
                if (letter == 'r')
                    kerb_traffic_set_broken(&traffic, n, false);
                else if (vehicle(n).segment == TURN && vehicle(n).station < 4)
                    kerb_traffic_set_broken(&traffic, n, true);
            kerb_traffic_step(&traffic, &network, 1, NULL);
            assert_int_equal(test_overlaps(&traffic, &network, VEHICLES, &a, &b), 0);
        }
        assert_true(kerb_traffic_counts_of(&traffic).arrived > 4);
        destroy_all();
    }
}

// --------------------------------------------------------------------------- flow

// Greatest flow of the intelligent driver model in equilibrium, over speed. [vehicles/h]
static float equilibrium_flow(const kerb_traffic_type* type, float limit) {
    float most = 0;
    for (int32_t i = 1; i < 200; i++) {
        float v = limit * (float)i / 200, r = v / limit;
        float gap = (type->min_gap + v * type->time_gap) / kerb_sqrt(1 - r * r * r * r);
        most = kerb_max(most, 3600 * v / (gap + type->length));
    }
    return most;
}

static void a_lane_at_50_kmh_carries_1800_to_2000_an_hour_in_equilibrium(void** state) {
    (void)state;
    kerb_traffic_type car = kerb_traffic_car();
    float flow = equilibrium_flow(&car, 13.89f);
    assert_true(flow > 1800 && flow < 2000);
}

// A ring is driven as a long road at a density that is set by where vehicles are put: they are
// placed at equal distances behind a leader that holds the equilibrium speed.
static void vehicles_in_equilibrium_keep_its_gaps(void** state) {
    (void)state;
    static const int32_t route[1] = {0};
    for (float v = 4; v < 12.5f; v += 4) {
        make_road(1, 3000, 13.89f);
        kerb_traffic_settings settings;
        kerb_host host = kerb_host_default();
        kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
        settings.spread = 0;
        assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
        kerb_traffic_type car = kerb_traffic_car(), slow = car;
        slow.top_speed = v;
        int32_t type = kerb_traffic_add_type(&traffic, &car);
        int32_t slow_type = kerb_traffic_add_type(&traffic, &slow);
        float r = v / 13.89f;
        float gap = (car.min_gap + v * car.time_gap) / kerb_sqrt(1 - r * r * r * r);
        int32_t vehicles[12];
        for (int32_t i = 0; i < 12; i++) {
            kerb_traffic_trip trip = kerb_traffic_trip_along(i == 0 ? slow_type : type, route, 1);
            trip.station = 600 - (float)i * 40;
            trip.speed = v;
            vehicles[i] = kerb_traffic_add(&traffic, &trip);
            run(0.1f, 0.1f);
        }
        run(160, 0.1f);
        float all = vehicle(vehicles[0]).station - vehicle(vehicles[11]).station;
        assert_float_equal(all / 11, gap + car.length, 0.05f * (gap + car.length));
        destroy_all();
    }
}

// --------------------------------------------------------------------------- cities

static void fill(kerb_random* random, int32_t edges, bool inside) {
    int32_t route[64];
    for (;;) {
        int32_t count = grid_city_route(&city, random, edges, route);
        kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, count);
        if (inside)
            trip.station = kerb_random_between(random, 20, city.spacing - 50);
        if (kerb_traffic_add(&traffic, &trip) < 0)
            return;
    }
}

static void make_city(int32_t side, float spacing, grid_rule rule, bool left_hand,
                      int32_t vehicles_max, int32_t seed) {
    grid_city_make(&city, side, spacing, rule, left_hand);
    network = city.network;
    make_traffic(vehicles_max, seed);
}

// Nobody passes a line at red.
typedef struct red_light_watch {
    int32_t segment[700];
    int32_t runs;
} red_light_watch;

static void watch_lights(red_light_watch* watch) {
    kerb_network_size size = kerb_network_size_of(&network);
    for (int32_t i = 0; i < place_count; i++) {
        kerb_traffic_vehicle v = vehicle(i);
        int32_t before = watch->segment[i];
        if (v.segment >= size.lanes && before >= 0 && before < size.lanes &&
            kerb_network_segment_of(&network, v.segment).from == before &&
            kerb_traffic_signal(&traffic, &network, v.segment - size.lanes) == 'r')
            watch->runs++;
        watch->segment[i] = v.segment;
    }
}

static void no_city_has_overlaps_red_light_runs_or_standstill(void** state) {
    (void)state;
    kerb_random random = test_random("no_city_has_overlaps_red_light_runs_or_standstill");
    for (int32_t rule = GRID_SIGNALS; rule <= GRID_ALL_STOP; rule++)
        for (int32_t left = 0; left < 2; left++) {
            static red_light_watch watch;
            int32_t first = -1, second = -1, steps = test_share(3000, 500);
            make_city(4, 200, (grid_rule)rule, left == 1, 250, 5);
            memset(&watch, 0, sizeof watch);
            int64_t arrived = 0;
            for (int32_t i = 0; i < steps; i++) {
                if (i % 10 == 0)
                    fill(&random, 8, true);
                kerb_traffic_step(&traffic, &network, 0.1f, NULL);
                watch_lights(&watch);
                if (i % 5 == 0)
                    assert_int_equal(test_overlaps(&traffic, &network, 250, &first, &second), 0);
                if (i == steps / 2)
                    arrived = kerb_traffic_counts_of(&traffic).arrived;
            }
            assert_int_equal(watch.runs, 0);
            if (steps == 3000)
                assert_true(kerb_traffic_counts_of(&traffic).arrived > arrived + 40);
            assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
            kerb_traffic_destroy(&traffic);
            grid_city_destroy(&city);
        }
}

static void a_grid_that_was_filled_beyond_its_capacity_empties(void** state) {
    (void)state;
    kerb_random random = test_random("a_grid_that_was_filled_beyond_its_capacity_empties");
    int32_t cities = test_share(2, 0);
    for (int32_t k = 0; k < cities; k++) {
        make_city(4, 200, k % 2 == 0 ? GRID_SIGNALS : GRID_NEAR_SIDE, false, 600, k);
        int32_t steps = 0;
        for (; steps < 12000; steps++) { // 20 minutes
            fill(&random, 12, false);
            kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        }
        kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
        assert_true(counts.vehicles > 450); // of about 700 places
        for (; steps < 90000 && counts.vehicles + counts.outside > 0; steps++) {
            kerb_traffic_step(&traffic, &network, 0.1f, NULL);
            counts = kerb_traffic_counts_of(&traffic);
        }
        assert_int_equal(counts.vehicles + counts.outside, 0);
        assert_int_equal(counts.arrived, counts.departed);
        assert_int_equal(counts.asked, 0);
        kerb_traffic_destroy(&traffic);
        grid_city_destroy(&city);
    }
}

// It stands at the line of a lane that does not lead where it goes, beside a queue that never
// moves. Its way round is to end where it is, so that the fastest way there is none.
static void a_vehicle_on_a_wrong_lane_drives_round_to_its_own_edge(void** state) {
    (void)state;
    make_city(3, 100, GRID_NEAR_SIDE, false, 20, 1);
    int32_t e = city.edge[0][1][0]; // to the middle, round to the left, and back
    const int32_t route[5] = {e, city.edge[1][1][1], city.edge[1][2][2], city.edge[0][2][3], e};
    float line = city.spacing - 2 * inset;
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 5);
    trip.speed = 0;
    trip.lane = 1; // from which the turn to the left leads
    for (int32_t i = 0; i < 4; i++) {
        trip.station = line - 1 - 7 * (float)i;
        int32_t queue = kerb_traffic_add(&traffic, &trip);
        run(0.2f, 0.1f);
        kerb_traffic_set_broken(&traffic, queue, true);
    }
    trip.lane = 0;
    trip.station = line - 1;
    int32_t wrong = kerb_traffic_add(&traffic, &trip);
    run(120, 0.1f);
    assert_int_equal(vehicle(wrong).stage, KERB_TRAFFIC_NONE);
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 1);
    kerb_traffic_destroy(&traffic);
    grid_city_destroy(&city);
}

static void vehicles_pass_one_that_broke_down_beside_a_free_lane(void** state) {
    (void)state;
    make_city(3, 200, GRID_SIGNALS, false, 40, 1);
    int32_t e = city.edge[0][1][0], next = city.edge[1][1][0];
    int32_t route[2] = {e, next};
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 2);
    trip.lane = 0;
    trip.station = 100;
    trip.speed = 0;
    int32_t broken = kerb_traffic_add(&traffic, &trip);
    run(0.2f, 0.1f);
    kerb_traffic_set_broken(&traffic, broken, true);
    trip.station = -1;
    for (int32_t i = 0; i < 12; i++)
        kerb_traffic_add(&traffic, &trip);
    run(300, 0.1f);
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 12);
    kerb_traffic_destroy(&traffic);
    grid_city_destroy(&city);
}

// They stand too close to one another to change lanes when the first one breaks down.
static void a_queue_behind_one_that_breaks_down_backs_off_and_passes(void** state) {
    (void)state;
    make_city(3, 200, GRID_SIGNALS, false, 40, 1);
    int32_t route[2] = {city.edge[0][1][0], city.edge[1][1][0]};
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 2);
    int32_t cars[4];
    for (int32_t i = 0; i < 4; i++) {
        trip.lane = 0;
        trip.station = 100 - 6.8f * (float)i;
        trip.speed = 0;
        cars[i] = kerb_traffic_add(&traffic, &trip);
        run(0.1f, 0.1f);
        kerb_traffic_set_broken(&traffic, cars[i], true);
    }
    run(5, 0.1f);
    for (int32_t i = 1; i < 4; i++)
        kerb_traffic_set_broken(&traffic, cars[i], false);
    float back = 0, least = 0;
    for (int32_t i = 0; i < 900; i++) {
        float before = vehicle(cars[3]).station;
        run(0.1f, 0.1f);
        kerb_traffic_vehicle last = vehicle(cars[3]);
        if (last.speed < 0)
            back += before - last.station;
        least = kerb_min(least, last.speed);
        int32_t first, second;
        if (i % 5 == 0)
            assert_int_equal(test_overlaps(&traffic, &network, 40, &first, &second), 0);
    }
    assert_true(back > 4 && back < 10 && least < -0.5f && least > -1.1f);
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    assert_int_equal(counts.arrived, 3);
    assert_true(counts.backed_off >= 3);
    assert_int_equal(counts.asked, 0);
    kerb_traffic_destroy(&traffic);
    grid_city_destroy(&city);
}

static void a_closed_road_is_driven_round_by_all_that_come_to_it(void** state) {
    (void)state;
    make_city(4, 200, GRID_SIGNALS, false, 60, 1);
    int32_t e = city.edge[1][1][0];
    int32_t route[3] = {city.edge[0][1][0], e, city.edge[2][1][0]};
    for (int32_t k = 0; k < 2; k++)
        kerb_network_set_classes(&network, 2 * e + k, 0);
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 3);
    for (int32_t i = 0; i < 20; i++)
        kerb_traffic_add(&traffic, &trip);
    for (int32_t i = 0; i < 6000; i++) {
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
        for (int32_t k = 0; k < 60; k++)
            assert_true(vehicle(k).segment != 2 * e && vehicle(k).segment != 2 * e + 1);
    }
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    assert_int_equal(counts.arrived, 20);
    assert_int_equal(counts.reroutes, 20);
    kerb_traffic_destroy(&traffic);
    grid_city_destroy(&city);
}

// Two lanes, then two lanes too short to change on, of which only the first one leads on. All
// depart on the lane that leads on over both, however crowded it is, so nobody needs to change.
static void vehicles_depart_on_the_lane_that_leads_on_over_several_edges(void** state) {
    (void)state;
    static const int32_t route[3] = {0, 1, 2};
    static const float begin[3] = {0, 210, 240}, end[3] = {200, 230, 400};
    kerb_network_edge edges[3] = {{0, 2, 0, 1, 1}, {2, 2, 1, 2, 1}, {4, 1, 2, 3, 1}};
    kerb_network_lane lanes[5];
    kerb_vec3 points[10];
    for (int32_t i = 0; i < 5; i++) {
        float y = i % 2 == 0 ? 0.0f : KERB_LANE_WIDTH;
        points[2 * i] = kerb_vec3_make(begin[i / 2], y, 0);
        points[2 * i + 1] = kerb_vec3_make(end[i / 2], y, 0);
        lanes[i] = kerb_network_lane_at(2 * i, 2);
    }
    kerb_network_turn turns[3] = {kerb_network_turn_between(0, 2), kerb_network_turn_between(1, 3),
                                  kerb_network_turn_between(2, 4)};
    kerb_network_junction junctions[4] = {{KERB_JUNCTION_PRIORITY},
                                          {KERB_JUNCTION_PRIORITY},
                                          {KERB_JUNCTION_PRIORITY},
                                          {KERB_JUNCTION_PRIORITY}};
    kerb_network_plan plan = {.edges = edges,
                              .edge_count = 3,
                              .lanes = lanes,
                              .lane_count = 5,
                              .turns = turns,
                              .turn_count = 3,
                              .junctions = junctions,
                              .junction_count = 4,
                              .points = points,
                              .point_count = 10};
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_network_create(&network, &plan, &host, NULL), KERB_OK);
    make_traffic(30, 1);
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, 3);
    for (int32_t i = 0; i < 30; i++)
        kerb_traffic_add(&traffic, &trip);
    run(200, 0.1f);
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    assert_int_equal(counts.arrived, 30);
    assert_int_equal(counts.lane_changes, 0);
    assert_int_equal(counts.reroutes, 0);
    destroy_all();
}

// A one-way ring of four short roads, each with a road that leads in and one that leads out. Edges:
// 0 to 3 the ring, 4 to 7 in, 8 to 11 out.
static void make_ring(void) {
    static const float x[4] = {0, 40, 40, 0}, y[4] = {0, 0, 40, 40};
    static const float dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    kerb_network_edge edges[12];
    kerb_network_lane lanes[12];
    kerb_network_turn turns[12];
    kerb_network_junction junctions[12];
    kerb_vec3 points[24];
    for (int32_t i = 0; i < 4; i++) {
        int32_t next = (i + 1) % 4, before = (i + 3) % 4;
        float begin[3] = {8, -80, 8}, end[3] = {32, -8, 80};
        int32_t along[3] = {i, i, before};
        edges[i] = (kerb_network_edge){i, 1, i, next, 1};
        edges[4 + i] = (kerb_network_edge){4 + i, 1, 4 + i, i, 1};
        edges[8 + i] = (kerb_network_edge){8 + i, 1, i, 8 + i, 1};
        for (int32_t k = 0; k < 3; k++) {
            int32_t e = 4 * k + i, d = along[k];
            points[2 * e] = kerb_vec3_make(x[i] + begin[k] * dx[d], y[i] + begin[k] * dy[d], 0);
            points[2 * e + 1] = kerb_vec3_make(x[i] + end[k] * dx[d], y[i] + end[k] * dy[d], 0);
            lanes[e] = kerb_network_lane_at(2 * e, 2);
            junctions[e].rule = KERB_JUNCTION_ZIPPER;
        }
        turns[3 * i] = kerb_network_turn_between(before, i);
        turns[3 * i + 1] = kerb_network_turn_between(4 + i, i);
        turns[3 * i + 2] = kerb_network_turn_between(before, 8 + i);
    }
    kerb_network_plan plan = {.edges = edges,
                              .edge_count = 12,
                              .lanes = lanes,
                              .lane_count = 12,
                              .turns = turns,
                              .turn_count = 12,
                              .junctions = junctions,
                              .junction_count = 12,
                              .points = points,
                              .point_count = 24};
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_network_create(&network, &plan, &host, NULL), KERB_OK);
}

// Nobody has another way, and nobody loses patience.
static void a_ring_without_another_way_never_fills_up(void** state) {
    (void)state;
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    make_ring();
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.patience = 1000;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type car = kerb_traffic_car();
    int32_t type = kerb_traffic_add_type(&traffic, &car), trips = test_share(40, 10);
    for (int32_t n = 0; n < 4 * trips; n++) {
        int32_t i = n % 4, route[5] = {4 + i, i, (i + 1) % 4, (i + 2) % 4, 8 + (i + 3) % 4};
        kerb_traffic_trip trip = kerb_traffic_trip_along(type, route, 5);
        assert_true(kerb_traffic_add(&traffic, &trip) >= 0);
    }
    run((float)trips * 25, 0.1f);
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    assert_int_equal(counts.arrived, 4 * trips);
    assert_int_equal(counts.reroutes, 0);
    destroy_all();
}

static void any_division_of_work_gives_the_same_bits(void** state) {
    (void)state;
    static char* blocks[3];
    size_t bytes = 0;
    for (int32_t k = 0; k < 3; k++) {
        kerb_random random = kerb_random_make(4, 4);
        int32_t size = k == 1 ? 7 : 300;
        kerb_tasks tasks = test_backward_tasks(&size);
        make_city(4, 200, GRID_SIGNALS, false, 400, 5);
        for (int32_t i = 0; i < 600; i++) {
            fill(&random, 6, true);
            kerb_traffic_step(&traffic, &network, 0.1f, k == 0 ? NULL : &tasks);
        }
        bytes = traffic.bytes;
        blocks[k] = malloc(bytes);
        memcpy(blocks[k], traffic.memory, bytes);
        kerb_traffic_destroy(&traffic);
        grid_city_destroy(&city);
    }
    assert_memory_equal(blocks[0], blocks[1], bytes);
    assert_memory_equal(blocks[0], blocks[2], bytes);
    for (int32_t k = 0; k < 3; k++)
        free(blocks[k]);
}

static void a_snapshot_goes_on_with_the_same_bits(void** state) {
    (void)state;
    kerb_random random = kerb_random_make(9, 4);
    make_city(4, 200, GRID_NEAR_SIDE, false, 200, 5);
    fill(&random, 30, true);
    run(30, 0.1f);
    void* snapshot = malloc(traffic.bytes);
    void* later = malloc(traffic.bytes);
    memcpy(snapshot, traffic.memory, traffic.bytes);
    run(30, 0.1f);
    memcpy(later, traffic.memory, traffic.bytes);
    memcpy(traffic.memory, snapshot, traffic.bytes); // rollback
    run(30, 0.1f);
    assert_memory_equal(traffic.memory, later, traffic.bytes);
    free(snapshot);
    free(later);
    kerb_traffic_destroy(&traffic);
    grid_city_destroy(&city);
}

// --------------------------------------------------------------------------- lanes that overlap

// Two roads in opposite directions whose middle lines are `apart`, 120 m of their 300 m.
static void make_narrow_roads(float apart) {
    kerb_network_edge edges[4] = {
        {0, 1, 0, 1, 1}, {1, 1, 1, 2, 1}, {2, 1, 3, 4, 1}, {3, 1, 4, 5, 1}};
    kerb_network_lane lanes[4];
    kerb_network_turn turns[2] = {kerb_network_turn_between(0, 1), kerb_network_turn_between(2, 3)};
    kerb_network_junction junctions[6] = {{KERB_JUNCTION_PRIORITY}, {KERB_JUNCTION_PRIORITY},
                                          {KERB_JUNCTION_PRIORITY}, {KERB_JUNCTION_PRIORITY},
                                          {KERB_JUNCTION_PRIORITY}, {KERB_JUNCTION_PRIORITY}};
    kerb_vec3 points[12];
    for (int32_t k = 0; k < 2; k++) {
        float sign = k ? -1.0f : 1.0f, y = k ? apart : 0.0f, far = k ? 4.0f : -4.0f;
        points[6 * k] = kerb_vec3_make(-300 * sign, y + far, 0);
        points[6 * k + 1] = kerb_vec3_make(-110 * sign, y + far, 0);
        points[6 * k + 2] = kerb_vec3_make(-90 * sign, y, 0);
        points[6 * k + 3] = kerb_vec3_make(60 * sign, y, 0);
        points[6 * k + 4] = kerb_vec3_make(90 * sign, y + far, 0);
        points[6 * k + 5] = kerb_vec3_make(300 * sign, y + far, 0);
        lanes[2 * k] = kerb_network_lane_at(6 * k, 2);
        lanes[2 * k + 1] = kerb_network_lane_at(6 * k + 2, 4);
    }
    kerb_network_plan plan = {.edges = edges,
                              .edge_count = 4,
                              .lanes = lanes,
                              .lane_count = 4,
                              .turns = turns,
                              .turn_count = 2,
                              .junctions = junctions,
                              .junction_count = 6,
                              .points = points,
                              .point_count = 12};
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_network_create(&network, &plan, &host, NULL), KERB_OK);
}

// Where vehicles can keep aside they pass one another; else one direction goes at a time.
static void vehicles_on_lanes_that_overlap_do_not_touch(void** state) {
    (void)state;
    static const int32_t routes[2][2] = {{0, 1}, {2, 3}};
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 12; i++) {
        float apart = i < 8 ? kerb_random_between(&random, 0, 2.5f) : 0.25f * (float)i - 1;
        make_narrow_roads(apart);
        make_traffic(16, i);
        for (int32_t k = 0; k < 16; k++) {
            kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, routes[k % 2], 2);
            trip.depart = kerb_random_between(&random, 0, 60);
            kerb_traffic_add(&traffic, &trip);
        }
        for (int32_t k = 0; k < 4000; k++) {
            int32_t a, b;
            kerb_traffic_step(&traffic, &network, 0.1f, NULL);
            if (k % 2 == 0)
                assert_int_equal(test_overlaps(&traffic, &network, 16, &a, &b), 0);
        }
        assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 16);
        assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
        destroy_all();
    }
}

// Buses and cars in both directions: where cars keep their middle lines, buses may have to keep
// aside; where that does not suffice for buses, cars still pass one another.
static void buses_on_lanes_that_overlap_touch_nobody(void** state) {
    (void)state;
    static const int32_t routes[2][2] = {{0, 1}, {2, 3}};
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 12; i++) {
        make_narrow_roads(kerb_random_between(&random, 1.2f, 3));
        make_traffic(16, i);
        kerb_traffic_type bus = kerb_traffic_car();
        bus.length = 12;
        bus.width = 2.55f;
        int32_t bus_type = kerb_traffic_add_type(&traffic, &bus);
        for (int32_t k = 0; k < 16; k++) {
            int32_t type = kerb_random_below(&random, 2) == 0 ? car_type : bus_type;
            kerb_traffic_trip trip = kerb_traffic_trip_along(type, routes[k % 2], 2);
            trip.depart = kerb_random_between(&random, 0, 60);
            kerb_traffic_add(&traffic, &trip);
        }
        for (int32_t k = 0; k < 4000; k++) {
            int32_t a, b;
            kerb_traffic_step(&traffic, &network, 0.1f, NULL);
            if (k % 2 == 0)
                assert_int_equal(test_overlaps(&traffic, &network, 16, &a, &b), 0);
        }
        assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 16);
        assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
        destroy_all();
    }
}

// --------------------------------------------------------------------------- the rest

static void every_failed_allocation_of_traffic_is_reported(void** state) {
    (void)state;
    make_road(2, 100, 10);
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    kerb_traffic_settings settings;
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_error error;
        kerb_result result = kerb_traffic_create(&traffic, &network, &settings, &host, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_traffic_destroy(&traffic);
        test_allocation_check(&allocation);
    }
    settings.vehicles_max = 0;
    kerb_error error;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "vehicles_max");
    kerb_network_destroy(&network);
}

static void enums_of_traffic_have_texts(void** state) {
    (void)state;
    assert_string_equal(kerb_traffic_stage_text(KERB_TRAFFIC_STOPPING), "stopping");
    assert_string_equal(kerb_traffic_wait_text(KERB_TRAFFIC_WAIT_STOP), "stop");
    assert_string_equal(kerb_traffic_happening_text(KERB_TRAFFIC_ASKED), "asked");
    assert_string_equal(kerb_traffic_wait_text((kerb_traffic_wait)-1), "unknown");
}

int city_traffic_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_drives_its_route_and_arrives),
        cmocka_unit_test(a_queue_stops_behind_a_broken_vehicle_and_goes_on),
        cmocka_unit_test(a_bus_stops_for_as_long_as_it_should),
        cmocka_unit_test(a_vehicle_that_stands_at_the_line_at_red_stays_there),
        cmocka_unit_test(a_vehicle_that_stops_at_amber_stays_behind_one_that_leaves_the_lane),
        cmocka_unit_test(a_lane_at_50_kmh_carries_1800_to_2000_an_hour_in_equilibrium),
        cmocka_unit_test(vehicles_in_equilibrium_keep_its_gaps),
        cmocka_unit_test(no_city_has_overlaps_red_light_runs_or_standstill),
        cmocka_unit_test(a_grid_that_was_filled_beyond_its_capacity_empties),
        cmocka_unit_test(vehicles_depart_on_the_lane_that_leads_on_over_several_edges),
        cmocka_unit_test(a_ring_without_another_way_never_fills_up),
        cmocka_unit_test(a_vehicle_on_a_wrong_lane_drives_round_to_its_own_edge),
        cmocka_unit_test(vehicles_pass_one_that_broke_down_beside_a_free_lane),
        cmocka_unit_test(a_queue_behind_one_that_breaks_down_backs_off_and_passes),
        cmocka_unit_test(a_closed_road_is_driven_round_by_all_that_come_to_it),
        cmocka_unit_test(any_division_of_work_gives_the_same_bits),
        cmocka_unit_test(a_snapshot_goes_on_with_the_same_bits),
        cmocka_unit_test(vehicles_on_lanes_that_overlap_do_not_touch),
        cmocka_unit_test(buses_on_lanes_that_overlap_touch_nobody),
        cmocka_unit_test(every_failed_allocation_of_traffic_is_reported),
        cmocka_unit_test(enums_of_traffic_have_texts),
    };
    return cmocka_run_group_tests_name("city_traffic", tests, NULL, NULL);
}
