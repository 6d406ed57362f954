// Purpose: tables of the settings of traffic and of types of vehicles, and the texts of its enums.
#include "traffic_parts.h"

#define TRAFFIC(field, ...) KERB_IN_SETTING(kerb_traffic_settings, field, __VA_ARGS__)
#define TRAFFIC_COUNT(field, ...) KERB_IN_COUNT(kerb_traffic_settings, field, __VA_ARGS__)
#define TYPE(field, ...) KERB_IN_SETTING(kerb_traffic_type, field, __VA_ARGS__)
#define TYPE_COUNT(field, ...) KERB_IN_COUNT(kerb_traffic_type, field, __VA_ARGS__)

// clang-format off
static const kerb_setting traffic_rows[] = {
    TRAFFIC_COUNT(vehicles_max, 1, 1000000, 1000, "places for vehicles, with those outside"),
    TRAFFIC_COUNT(route_edges_max, 1, 1000, 45, "mean edges of a route for which there is memory"),
    TRAFFIC_COUNT(events_max, 1, 1000000, 1000, "events that are kept until the host reads them"),
    TRAFFIC_COUNT(seed, 0, 16777216, 1, "of the spread between drivers"),
    TRAFFIC(spread, "1", 0.0f, 0.5f, 0.1f, "spread of time gap and acceleration between drivers"),
    TRAFFIC(turn_acceleration, "m/s^2", 0.5f, 10.0f, 3.0f, "greatest sideways in curves"),
    TRAFFIC(patience, "s", 1.0f, 1000.0f, 60.0f, "wait after which another way is looked for"),
    TRAFFIC(fill_max, "1", 0.05f, 1.0f, 0.35f,
            "share of the way ahead that may be occupied when a vehicle departs"),
    TRAFFIC_COUNT(bodies_max, 0, 10000, 16, "things that the host moves"),
    TRAFFIC_COUNT(known_max, 0, 30000, 200, "vehicles that may know of blocked roads"),
    TRAFFIC(sight, "m", 0.0f, 1000.0f, 80.0f, "distance from which a blocked road is seen"),
    TRAFFIC(memory, "s", 1.0f, 100000.0f, 300.0f, "time for which what was seen is believed"),
};

static const kerb_setting type_rows[] = {
    TYPE(length, "m", 0.5f, 40.0f, 4.6f, "length"),
    TYPE(width, "m", 0.2f, 4.0f, 1.8f, "width"),
    TYPE(trailer, "m", 0.0f, 30.0f, 0.0f, "length of the part behind the joint; 0: rigid"),
    TYPE(min_gap, "m", 0.5f, 10.0f, 2.0f, "gap to the vehicle in front at standstill"),
    TYPE(time_gap, "s", 0.3f, 5.0f, 1.0f, "wanted to the vehicle in front"),
    TYPE(acceleration, "m/s^2", 0.1f, 10.0f, 1.8f, "greatest"),
    TYPE(deceleration, "m/s^2", 0.5f, 6.0f, 2.5f, "comfortable"),
    TYPE(braking, "m/s^2", 1.0f, 12.0f, 6.0f, "hardest that the driver counts on"),
    TYPE(top_speed, "m/s", 0.5f, 150.0f, 50.0f, "greatest speed"),
    TYPE(speed_factor, "1", 0.1f, 3.0f, 1.0f, "share of the speed limit that is driven"),
    TYPE(speed_spread, "1", 0.0f, 0.5f, 0.0f, "standard deviation of that share"),
    TYPE(politeness, "1", 0.0f, 1.0f, 0.2f, "weight of what others lose by a lane change"),
    TYPE(change_threshold, "m/s^2", 0.0f, 2.0f, 0.3f, "least gain for a lane change"),
    TYPE_COUNT(classes, 1, 16777216, 1, "classes; lanes that share a bit may be used"),
    TYPE_COUNT(priority, 0, 10, 0, "others let greater ones pass"),
};
// clang-format on

const kerb_settings_table kerb_traffic_settings_table = {
    "kerb_traffic_settings", sizeof(kerb_traffic_settings), traffic_rows,
    sizeof traffic_rows / sizeof *traffic_rows};

const kerb_settings_table kerb_traffic_type_table = {"kerb_traffic_type", sizeof(kerb_traffic_type),
                                                     type_rows,
                                                     sizeof type_rows / sizeof *type_rows};

kerb_traffic_type kerb_traffic_car(void) {
    kerb_traffic_type type;
    kerb_settings_set_defaults(&kerb_traffic_type_table, &type);
    return type;
}

kerb_traffic_trip kerb_traffic_trip_along(int32_t type, const int32_t* route, int32_t edge_count) {
    return (kerb_traffic_trip){.type = type,
                               .edges = route,
                               .edge_count = edge_count,
                               .lane = -1,
                               .station = -1,
                               .speed = -1,
                               .arrival = -1};
}

const char* kerb_traffic_stage_text(kerb_traffic_stage value) {
    static const char* const texts[] = {"none", "outside", "driving", "stopping"};
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_traffic_wait_text(kerb_traffic_wait value) {
    static const char* const texts[] = {"none", "leader", "signal", "yield", "conflict",
                                        "room", "ring",   "lane",   "stop",  "body"};
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_traffic_happening_text(kerb_traffic_happening value) {
    static const char* const texts[] = {"departed", "arrived",    "rerouted",
                                        "asked",    "backed off", "crept"};
    return KERB_ENUM_TEXT(texts, value);
}
