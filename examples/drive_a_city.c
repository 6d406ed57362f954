// Two streets cross, and twelve cars drive through them. Kerb moves the cars; a game would draw
// them where it says.
#include <kerb/kerb.h>
#include <stdio.h>

#define STEP 0.1f     // [s]
#define SECONDS 120.0 // all have arrived by then
#define CARS 12

// From west to east with the right of way, from south to north without.
static const kerb_vec3 points[] = {{-200, 0, 0}, {-8, 0, 0}, {8, 0, 0}, {200, 0, 0},
                                   {0, -200, 0}, {0, -8, 0}, {0, 8, 0}, {0, 200, 0}};
static const kerb_network_edge edges[] = {
    {0, 1, 0, 4, 2}, {1, 1, 4, 1, 2}, {2, 1, 2, 4, 1}, {3, 1, 4, 3, 1}};

static kerb_result make_network(kerb_network* network, const kerb_host* host, kerb_error* error) {
    kerb_network_lane lanes[4];
    for (int32_t i = 0; i < 4; i++)
        lanes[i] = kerb_network_lane_at(2 * i, 2);
    const kerb_network_turn turns[2] = {kerb_network_turn_between(0, 1),
                                        kerb_network_turn_between(2, 3)};
    const kerb_network_junction junctions[5] = {{KERB_JUNCTION_PRIORITY},
                                                {KERB_JUNCTION_PRIORITY},
                                                {KERB_JUNCTION_PRIORITY},
                                                {KERB_JUNCTION_PRIORITY},
                                                {KERB_JUNCTION_PRIORITY}};
    const kerb_network_plan plan = {.edges = edges,
                                    .edge_count = 4,
                                    .lanes = lanes,
                                    .lane_count = 4,
                                    .turns = turns,
                                    .turn_count = 2,
                                    .junctions = junctions,
                                    .junction_count = 5,
                                    .points = points,
                                    .point_count = 8};
    return kerb_network_create(network, &plan, host, error);
}

static void add_cars(kerb_traffic* traffic) {
    const kerb_traffic_type car = kerb_traffic_car();
    static const int32_t east[2] = {0, 1}, north[2] = {2, 3};
    int32_t type = kerb_traffic_add_type(traffic, &car);
    for (int32_t i = 0; i < CARS; i++) {
        kerb_traffic_trip trip = kerb_traffic_trip_along(type, i % 2 ? east : north, 2);
        trip.depart = 2.0f * (float)i;
        kerb_traffic_add(traffic, &trip);
    }
}

int main(void) {
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_network network;
    kerb_traffic traffic;
    kerb_traffic_settings settings;
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = CARS;
    if (make_network(&network, &host, &error) != KERB_OK ||
        kerb_traffic_create(&traffic, &network, &settings, &host, &error) != KERB_OK) {
        printf("%s: %s\n", error.field, error.message);
        return 1;
    }
    add_cars(&traffic);
    while (kerb_traffic_counts_of(&traffic).time < SECONDS) {
        kerb_traffic_step(&traffic, &network, STEP, NULL);
        // In your game: for each vehicle, kerb_traffic_vehicle_of says where to draw it.
    }
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    printf("%lld of %d cars have arrived\n", (long long)counts.arrived, CARS);
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&network);
    return counts.arrived == CARS ? 0 : 1;
}
