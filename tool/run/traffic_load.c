// Purpose: networks and demand for `kerb traffic`.
// Idea:    A trip with only its ends gets the fastest way; so does a gap in a route.
// Cost:    O(bytes of the files), and a route for each trip that has none.
#include "tool/run/traffic_load.h"

#include "tool/command/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- networks

static tool_status load_net_file(tool_traffic_load* load, const char* path) {
    char* text;
    size_t size;
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    kerb_io_notes notes = {0};
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    load->from_file = true;
    kerb_result result = kerb_io_sumo_network_read(&load->sumo, text, size, &host, &notes, &error);
    free(text);
    if (result != KERB_OK)
        return tool_complain_error(path, &error);
    tool_print_notes(path, &notes);
    return TOOL_DONE;
}

tool_status tool_traffic_load_network(tool_traffic_load* load, const char* name, int32_t size,
                                      bool left_hand) {
    memset(load, 0, sizeof *load);
    kerb_host host = kerb_host_default();
    load->demand = kerb_io_sumo_demand_make(&host);
    load->types[0] = kerb_traffic_car();
    load->type_names[0] = "car";
    load->type_count = 1;
    for (int32_t i = 0; kerb_scene_city_name(i); i++) {
        if (strcmp(kerb_scene_city_name(i), name) != 0)
            continue;
        if (!kerb_scene_city_make(&load->city, name, size, left_hand))
            return tool_complain("traffic: no memory for the network");
        load->plan = &load->city.plan;
        return TOOL_DONE;
    }
    if (load_net_file(load, name) != TOOL_DONE)
        return TOOL_WRONG;
    if (left_hand && !load->sumo.left_hand)
        return tool_complain("--left-hand: %s says that traffic keeps right there", name);
    return TOOL_DONE;
}

// The plan is made after additional files, whose signal programmes belong to it.
static tool_status make_plan(tool_traffic_load* load) {
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    kerb_io_notes notes = {0};
    if (!load->from_file)
        return TOOL_DONE;
    if (kerb_io_sumo_plan_make(&load->sumo_plan, &load->sumo, &host, &notes, &error) != KERB_OK)
        return tool_complain_error("traffic", &error);
    tool_print_notes("traffic", &notes);
    load->plan = &load->sumo_plan.plan;
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- types

static void clamp_type(kerb_traffic_type* type) {
    for (int32_t i = 0; i < kerb_traffic_type_table.count; i++) {
        const kerb_setting* setting = &kerb_traffic_type_table.settings[i];
        float value = kerb_settings_get(setting, type);
        float within = value < setting->min   ? setting->min
                       : value > setting->max ? setting->max
                                              : value;
        if (within != value)
            (void)kerb_settings_set(setting, type, within, NULL);
    }
}

// Directive 96/53/EC: no lorry is longer in one piece. SUMO knows only the length. [m]
static const float rigid_length_max = 12.0f;
// What is longer has a trailer of this share: that of a lorry of 16.5 m is 11 m long, the rear part
// of an articulated bus of 18 m 8 to 11 m.
static const float trailer_share = 0.6f;

static void take_types(tool_traffic_load* load) {
    load->type_count = 0;
    for (int32_t i = 0; i < load->demand.type_count && i < KERB_TRAFFIC_TYPES_MAX; i++) {
        const kerb_io_sumo_type* from = &load->demand.types[i];
        kerb_traffic_type type = kerb_traffic_car();
        type.length = (float)from->length;
        type.width = (float)from->width;
        type.min_gap = (float)from->min_gap;
        type.time_gap = (float)from->time_gap;
        type.acceleration = (float)from->acceleration;
        type.deceleration = (float)from->deceleration;
        type.braking = (float)from->emergency;
        type.top_speed = (float)from->top_speed;
        type.speed_factor = (float)from->speed_factor;
        type.speed_spread = (float)from->speed_spread;
        type.classes = (int32_t)from->classes;
        type.priority = from->classes == KERB_IO_SUMO_EMERGENCY;
        if (type.length > rigid_length_max)
            type.trailer = trailer_share * type.length;
        clamp_type(&type);
        load->types[load->type_count] = type;
        load->type_names[load->type_count++] = from->id;
    }
}

// --------------------------------------------------------------------------- trips

static bool route_add(tool_traffic_load* load, int32_t edge) {
    if (load->route_edge_count == load->route_edge_room) {
        int32_t room = load->route_edge_room > 0 ? 2 * load->route_edge_room : 4096;
        int32_t* more = realloc(load->route_edges, (size_t)room * sizeof *more);
        if (!more)
            return false;
        load->route_edges = more;
        load->route_edge_room = room;
    }
    load->route_edges[load->route_edge_count++] = edge;
    return true;
}

static bool edges_join(const kerb_network_plan* plan, const int32_t* turn_first,
                       const int32_t* turns, int32_t from, int32_t to) {
    const kerb_network_edge *a = &plan->edges[from], *b = &plan->edges[to];
    for (int32_t lane = a->first_lane; lane < a->first_lane + a->lane_count; lane++)
        for (int32_t i = turn_first[lane]; i < turn_first[lane + 1]; i++) {
            int32_t target = plan->turns[turns[i]].to - b->first_lane;
            if (target >= 0 && target < b->lane_count)
                return true;
        }
    return false;
}

// Turns by the lane that they leave.
static bool list_turns(const kerb_network_plan* plan, int32_t** first, int32_t** turns) {
    *first = calloc((size_t)plan->lane_count + 2, sizeof **first);
    *turns = calloc((size_t)plan->turn_count + 1, sizeof **turns);
    if (!*first || !*turns)
        return false;
    for (int32_t i = 0; i < plan->turn_count; i++)
        (*first)[plan->turns[i].from + 2]++;
    for (int32_t i = 2; i <= plan->lane_count + 1; i++)
        (*first)[i] += (*first)[i - 1];
    for (int32_t i = 0; i < plan->turn_count; i++)
        (*turns)[(*first)[plan->turns[i].from + 1]++] = i;
    return true;
}

// Adds the edges of a trip, with ways over its gaps. The number of edges, or 0 when none leads on.
static int32_t add_route(tool_traffic_load* load, kerb_scene_router* router,
                         const int32_t* turn_first, const int32_t* turns,
                         const kerb_io_sumo_trip* trip, uint32_t classes) {
    int32_t begin = load->route_edge_count, before = -1, way[KERB_SCENE_CITY_ROUTE_MAX];
    for (int32_t i = 0; i < trip->edges.count; i++) {
        int32_t edge = load->sumo_plan.edge_of[load->demand.route_edges[trip->edges.first + i]];
        if (edge < 0)
            return 0;
        if (before < 0 || edges_join(load->plan, turn_first, turns, before, edge)) {
            if (!route_add(load, edge))
                return 0;
        } else {
            int32_t count = kerb_scene_router_find(router, before, edge, classes, way,
                                                   KERB_SCENE_CITY_ROUTE_MAX);
            if (count == 0)
                return 0;
            for (int32_t k = 1; k < count; k++)
                if (!route_add(load, way[k]))
                    return 0;
        }
        before = edge;
    }
    return load->route_edge_count - begin;
}

static kerb_scene_city_trip trip_of(const tool_traffic_load* load, int32_t index) {
    const kerb_io_sumo_departure* departure = &load->departures[index];
    const kerb_io_sumo_trip* from = &load->demand.trips[departure->trip];
    kerb_scene_city_trip trip = {.depart = departure->time,
                                 .type = departure->type < load->type_count ? departure->type : 0,
                                 .lane =
                                     from->lane_rule == KERB_IO_SUMO_PLACE_GIVEN ? from->lane : -1,
                                 .station = from->position_given ? (float)from->position : -1.0f,
                                 .speed = (float)from->speed,
                                 .arrival = (float)from->arrival};
    return trip;
}

static void give_stop(tool_traffic_load* load, kerb_scene_city_trip* trip, int32_t index) {
    const kerb_io_sumo_trip* from = &load->demand.trips[load->departures[index].trip];
    if (from->stops.count == 0)
        return;
    const kerb_io_sumo_stop* stop = &load->demand.stops[from->stops.first];
    int32_t lane = load->sumo_plan.lane_of[stop->lane];
    load->stops[index] =
        (kerb_traffic_stop){lane, (float)stop->position, (float)stop->duration, (float)stop->until};
    trip->stops = &load->stops[index];
    trip->stop_count = lane >= 0;
}

static tool_status take_trips(tool_traffic_load* load, kerb_scene_router* router,
                              const int32_t* turn_first, const int32_t* turns, int32_t count) {
    int32_t kept = 0;
    int32_t* begins = calloc((size_t)count + 1, sizeof *begins);
    if (!begins)
        return tool_complain("traffic: no memory for the trips");
    for (int32_t i = 0; i < count; i++) {
        const kerb_io_sumo_departure departure = load->departures[i];
        int32_t begin = load->route_edge_count;
        int32_t edges =
            add_route(load, router, turn_first, turns, &load->demand.trips[departure.trip],
                      load->demand.types[departure.type].classes);
        if (edges == 0) {
            load->route_edge_count = begin;
            load->left_out++;
            continue;
        }
        load->departures[kept] = departure;
        begins[kept] = begin;
        load->trips[kept] = trip_of(load, kept);
        load->trips[kept].edge_count = edges;
        give_stop(load, &load->trips[kept], kept);
        kept++;
    }
    // Only now, because the array of edges moves while it grows.
    for (int32_t i = 0; i < kept; i++)
        load->trips[i].edges = load->route_edges + begins[i];
    load->trip_count = kept;
    free(begins);
    return TOOL_DONE;
}

static tool_status make_trips(tool_traffic_load* load, double seconds, int64_t seed) {
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    kerb_scene_router router;
    int32_t *turn_first = NULL, *turns = NULL;
    int32_t count = kerb_io_sumo_departures(&load->demand, seconds, (uint64_t)seed, NULL, 0);
    if (count > KERB_TRAFFIC_VEHICLES_MAX)
        return tool_complain("traffic: %d departures are more than %d", (int)count,
                             KERB_TRAFFIC_VEHICLES_MAX);
    if (kerb_scene_router_make(&router, load->plan, &host, &error) != KERB_OK)
        return tool_complain_error("traffic", &error);
    load->departures = calloc((size_t)count + 1, sizeof *load->departures);
    load->trips = calloc((size_t)count + 1, sizeof *load->trips);
    load->stops = calloc((size_t)count + 1, sizeof *load->stops);
    tool_status status = TOOL_WRONG;
    if (load->departures && load->trips && load->stops &&
        list_turns(load->plan, &turn_first, &turns)) {
        kerb_io_sumo_departures(&load->demand, seconds, (uint64_t)seed, load->departures, count);
        status = take_trips(load, &router, turn_first, turns, count);
    } else
        tool_complain("traffic: no memory for the trips");
    free(turn_first);
    free(turns);
    kerb_scene_router_free(&router);
    return status;
}

static tool_status load_demand_file(tool_traffic_load* load, const char* path) {
    char* text;
    size_t size;
    kerb_error error = {0};
    kerb_io_notes notes = {0};
    if (!load->from_file)
        return tool_complain("%s: a demand needs a network from a file", path);
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_result result =
        kerb_io_sumo_demand_read(&load->demand, &load->sumo, text, size, &notes, &error);
    free(text);
    if (result != KERB_OK)
        return tool_complain_error(path, &error);
    tool_print_notes(path, &notes);
    return TOOL_DONE;
}

tool_status tool_traffic_load_demand(tool_traffic_load* load, const tool_words* additional,
                                     const tool_words* routes, double seconds, int64_t seed) {
    for (int32_t i = 0; i < additional->count + routes->count; i++) {
        const char* path =
            i < additional->count ? additional->word[i] : routes->word[i - additional->count];
        if (load_demand_file(load, path) != TOOL_DONE)
            return TOOL_WRONG;
    }
    if (make_plan(load) != TOOL_DONE)
        return TOOL_WRONG;
    if (load->demand.trip_count == 0 && routes->count > 0)
        return tool_complain("%s: no vehicle departs", routes->word[0]);
    if (load->demand.type_count > 0) // random trips are made by all of them
        take_types(load);
    if (load->demand.trip_count == 0)
        return TOOL_DONE;
    return make_trips(load, seconds, seed);
}

// --------------------------------------------------------------------------- names

int32_t tool_traffic_edge_named(const tool_traffic_load* load, const char* name) {
    if (load->from_file) {
        int32_t edge = kerb_io_sumo_edge_find(&load->sumo, name);
        return edge >= 0 ? load->sumo_plan.edge_of[edge] : -1;
    }
    for (int32_t i = 0; i < load->plan->edge_count; i++) {
        char known[80];
        tool_traffic_edge_name(load, i, known);
        if (strcmp(known, name) == 0)
            return i;
    }
    return -1;
}

void tool_traffic_edge_name(const tool_traffic_load* load, int32_t edge, char name[80]) {
    if (load->from_file)
        snprintf(name, 80, "%s", load->sumo.edges[load->sumo_plan.sumo_edge[edge]].id);
    else
        snprintf(name, 80, "e%d", (int)edge);
}

static int32_t edge_of_lane(const kerb_network_plan* plan, int32_t lane) {
    int32_t low = 0, high = plan->edge_count - 1;
    while (low < high) { // edges are in the order of their lanes
        int32_t middle = (low + high + 1) / 2;
        if (plan->edges[middle].first_lane <= lane)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void tool_traffic_segment_name(const tool_traffic_load* load, int32_t segment, char name[80]) {
    const kerb_network_plan* plan = load->plan;
    if (segment < 0)
        snprintf(name, 80, "%s", "");
    else if (segment >= plan->lane_count)
        snprintf(name, 80, ":turn_%d_0", (int)(segment - plan->lane_count));
    else if (load->from_file)
        snprintf(name, 80, "%s", load->sumo.lanes[load->sumo_plan.sumo_lane[segment]].id);
    else {
        int32_t edge = edge_of_lane(plan, segment);
        snprintf(name, 80, "e%d_%d", (int)edge, (int)(segment - plan->edges[edge].first_lane));
    }
}

void tool_traffic_trip_name(const tool_traffic_load* load, uint64_t trip, char name[80]) {
    if (!load->trips || trip >= (uint64_t)load->trip_count) {
        snprintf(name, 80, "v%llu", (unsigned long long)trip);
        return;
    }
    const kerb_io_sumo_departure* departure = &load->departures[trip];
    const kerb_io_sumo_trip* from = &load->demand.trips[departure->trip];
    if (from->period > 0.0)
        snprintf(name, 80, "%.60s.%d", from->id, (int)departure->number);
    else
        snprintf(name, 80, "%.79s", from->id);
}

void tool_traffic_load_free(tool_traffic_load* load) {
    free(load->trips);
    free(load->departures);
    free(load->stops);
    free(load->route_edges);
    kerb_io_sumo_demand_destroy(&load->demand);
    kerb_io_sumo_plan_destroy(&load->sumo_plan);
    kerb_io_sumo_network_destroy(&load->sumo);
    kerb_scene_city_free(&load->city);
    memset(load, 0, sizeof *load);
}
