// The flow of a lane against the equilibrium of the car-following model, and what a signal lets
// through. The model is written down here once more, without anything of the library.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic.h"

#include <math.h>

enum { QUEUE = 24, PLATOON = 12, SKIPPED = 4 };

static kerb_network network;
static kerb_traffic traffic;

// Two streets of one lane, one behind the other; the first one may end at a signal.
static void make_road(float length, float limit, bool signal) {
    static kerb_network_edge edges[2] = {{0, 1, 0, 1, 1}, {1, 1, 1, 2, 1}};
    static kerb_network_lane lanes[2];
    static kerb_network_turn turns[1];
    static kerb_network_junction junctions[3];
    static kerb_vec3 points[4];
    static const kerb_network_signal programme = {0, 2, 1, 0, false};
    static const kerb_network_phase phases[2] = {{120, 0, 0, 0}, {300, 0, 0, 1}};
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < 2; i++) {
        points[2 * i] = kerb_vec3_make((float)i * (length + 10), 0, 0);
        points[2 * i + 1] = kerb_vec3_make((float)i * (length + 10) + length, 0, 0);
        lanes[i] = kerb_network_lane_at(2 * i, 2);
        lanes[i].speed_limit = limit;
    }
    turns[0] = kerb_network_turn_between(0, 1);
    kerb_network_plan plan = {.edges = edges,
                              .edge_count = 2,
                              .lanes = lanes,
                              .lane_count = 2,
                              .turns = turns,
                              .turn_count = 1,
                              .junctions = junctions,
                              .junction_count = 3,
                              .points = points,
                              .point_count = 4};
    if (signal) {
        turns[0].signal = 0;
        plan.signals = &programme;
        plan.signal_count = 1;
        plan.phases = phases;
        plan.phase_count = 2;
        plan.states = "rG";
        plan.state_count = 2;
    }
    assert_int_equal(kerb_network_create(&network, &plan, &host, NULL), KERB_OK);
}

static void make_traffic(float spread, int32_t seed) {
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.spread = spread;
    settings.seed = seed;
    settings.fill_max = 1;
    assert_int_equal(kerb_traffic_create(&traffic, &network, &settings, &host, NULL), KERB_OK);
}

static void destroy_all(void) {
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
}

static kerb_traffic_vehicle vehicle(int32_t index) {
    return kerb_traffic_vehicle_of(&traffic, &network, index);
}

static void run(float seconds) {
    for (int32_t i = 0; (float)i < 10 * seconds; i++)
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
}

// --------------------------------------------------------------------------- equilibrium

// Flow of the intelligent driver model in equilibrium. [vehicles/h]
static double model_flow(const kerb_traffic_type* type, double v, double limit) {
    double r = v / limit;
    double gap = ((double)type->min_gap + v * (double)type->time_gap) / sqrt(1 - r * r * r * r);
    return 3600 * v / (gap + (double)type->length);
}

// Flow of vehicles that follow one that drives at `v`. [vehicles/h]
static double measured_flow(float v, float limit, float spread) {
    static const int32_t route[1] = {0};
    int32_t vehicles[PLATOON];
    make_road(9000, limit, false);
    make_traffic(spread, 1);
    kerb_traffic_type car = kerb_traffic_car(), slow = car;
    slow.top_speed = v;
    int32_t type = kerb_traffic_add_type(&traffic, &car);
    int32_t slow_type = kerb_traffic_add_type(&traffic, &slow);
    float apart = 12 + 2.5f * v;
    for (int32_t i = 0; i < PLATOON; i++) {
        kerb_traffic_trip trip = kerb_traffic_trip_along(i == 0 ? slow_type : type, route, 1);
        trip.station = 900 - (float)i * apart;
        trip.speed = v;
        vehicles[i] = kerb_traffic_add(&traffic, &trip);
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    }
    run(200);
    float way = vehicle(vehicles[0]).station - vehicle(vehicles[PLATOON - 1]).station;
    assert_float_equal(vehicle(vehicles[PLATOON - 1]).speed, v, 0.02f * v);
    destroy_all();
    return 3600 * (double)v * (PLATOON - 1) / (double)way;
}

static void the_greatest_flow_of_a_lane_is_that_of_the_model(void** state) {
    (void)state;
    static const float limits[2] = {50 / 3.6f, 100 / 3.6f};
    kerb_traffic_type car = kerb_traffic_car();
    for (int32_t n = 0; n < 2; n++) {
        double most = 0, measured = 0;
        for (int32_t i = 1; i < 200; i++) {
            double v = (double)limits[n] * i / 200;
            most = fmax(most, model_flow(&car, v, (double)limits[n]));
        }
        for (float share = 0.55f; share < 0.86f; share += 0.1f) {
            double flow = measured_flow(share * limits[n], limits[n], 0);
            double model = model_flow(&car, (double)(share * limits[n]), (double)limits[n]);
            assert_true(fabs(flow - model) < 0.05 * model);
            measured = fmax(measured, flow);
        }
        print_message("at %.0f km/h: measured %.0f/h, model %.0f/h\n", (double)(3.6f * limits[n]),
                      measured, most);
        assert_true(fabs(measured - most) < 0.05 * most);
        if (n == 0)
            assert_true(measured > 1800 && measured < 2000);
    }
}

// --------------------------------------------------------------------------- at a signal

typedef struct discharge {
    double headway, loss; ///< [s]
} discharge;

// Saturation headway and start-up loss from the times at which vehicles pass the line after green
// began: the mean headway behind the first few, and what these take longer than that.
static discharge discharge_of(const double* times) {
    discharge d = {.headway = (times[QUEUE - 1] - times[SKIPPED - 1]) / (QUEUE - SKIPPED)};
    d.loss = times[SKIPPED - 1] - SKIPPED * d.headway;
    return d;
}

// The same queue by the model alone: it begins to move when the signal turns green.
static void model_times(const kerb_traffic_type* type, double limit, const double* rest,
                        double* times) {
    double s[QUEUE], v[QUEUE] = {0}, dt = 0.01;
    double a = (double)type->acceleration, b = (double)type->deceleration;
    for (int32_t i = 0; i < QUEUE; i++) {
        s[i] = -rest[i];
        times[i] = -1;
    }
    for (int32_t k = 0; times[QUEUE - 1] < 0; k++) {
        double front = 1e9, front_v = 0;
        for (int32_t i = 0; i < QUEUE; i++) {
            double gap = front - s[i], at = s[i], at_v = v[i], r = v[i] / limit, brakes = 0;
            if (i > 0) {
                double wanted = (double)type->min_gap + v[i] * (double)type->time_gap +
                                v[i] * (v[i] - front_v) / (2 * sqrt(a * b));
                brakes = fmax(wanted, (double)type->min_gap) / gap;
            }
            v[i] = fmax(v[i] + dt * a * (1 - r * r * r * r - brakes * brakes), 0);
            s[i] += dt * v[i];
            if (times[i] < 0 && s[i] >= 0)
                times[i] = k * dt;
            front = at - (double)type->length;
            front_v = at_v;
        }
    }
}

static void a_signal_lets_through_what_the_model_does(void** state) {
    (void)state;
    static const int32_t route[2] = {0, 1};
    const float length = 400, limit = 50 / 3.6f;
    int32_t vehicles[QUEUE];
    double times[QUEUE], own[QUEUE], rest[QUEUE];
    make_road(length, limit, true);
    make_traffic(0, 1);
    kerb_traffic_type car = kerb_traffic_car();
    int32_t type = kerb_traffic_add_type(&traffic, &car);
    for (int32_t i = 0; i < QUEUE; i++) {
        kerb_traffic_trip trip = kerb_traffic_trip_along(type, route, 2);
        trip.depart = 3 * (float)i;
        vehicles[i] = kerb_traffic_add(&traffic, &trip);
        times[i] = -1;
    }
    while (kerb_traffic_signal(&traffic, &network, 0) == 'r')
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    for (int32_t i = 0; i < QUEUE; i++) {
        rest[i] = (double)(length - vehicle(vehicles[i]).station);
        assert_true(vehicle(vehicles[i]).segment == 0 && vehicle(vehicles[i]).speed < 0.1f);
    }
    for (int32_t k = 0; k < 1200; k++) {
        for (int32_t i = 0; i < QUEUE; i++) {
            if (times[i] < 0 && vehicle(vehicles[i]).segment != 0)
                times[i] = 0.1 * k;
        }
        kerb_traffic_step(&traffic, &network, 0.1f, NULL);
    }
    model_times(&car, (double)limit, rest, own);
    discharge city = discharge_of(times), model = discharge_of(own);
    print_message("saturation flow %.0f/h, model %.0f/h; start-up loss %.1f s, model %.1f s\n",
                  3600 / city.headway, 3600 / model.headway, city.loss, model.loss);
    assert_true(fabs(city.headway - model.headway) < 0.05 * model.headway);
    assert_true(fabs(city.loss - model.loss) < 0.5);
    destroy_all();
}

int traffic_flow_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_greatest_flow_of_a_lane_is_that_of_the_model),
        cmocka_unit_test(a_signal_lets_through_what_the_model_does),
    };
    return cmocka_run_group_tests_name("traffic_flow", tests, NULL, NULL);
}
