// Purpose: traffic demand of SUMO: types, routes, vehicles, trips, flows, stops.
// Idea:    Names are resolved as they come, as SUMO does: what a vehicle names must stand before
//          it. A single type is a choice of one, so that all look-ups are the same.
// Cost:    O(bytes).
// Source:  sumo.dlr.de/docs/Definition_of_Vehicles,_Vehicle_Types,_and_Routes.html
#include "kerb/io/sumo_demand.h"

#include "io/number.h"
#include "io/sumo_parts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMO_TIME_MAX 1.0e9   // [s]
#define SUMO_PERIOD_MIN 0.001 // of a flow: more is no traffic [s]

typedef enum demand_kind {
    DEMAND_TYPES,
    DEMAND_CHOICES,
    DEMAND_CHOICE_TYPES,
    DEMAND_TRIPS,
    DEMAND_EDGES,
    DEMAND_STOPS,
    DEMAND_ROUTES,
    DEMAND_PLACES,
    DEMAND_KINDS
} demand_kind;

// A route that vehicles may name, with the stops on it.
typedef struct demand_route {
    kerb_io_sumo_range edges, stops;
} demand_route;

// A bus stop.
typedef struct demand_place {
    int32_t lane;
    double end;
} demand_place;

typedef struct demand_memory {
    sumo_pool pool;
    sumo_names types, choices, routes, places, trips;
    sumo_list lists[DEMAND_KINDS];
} demand_memory;

static const size_t demand_sizes[DEMAND_KINDS] = {
    [DEMAND_TYPES] = sizeof(kerb_io_sumo_type), [DEMAND_CHOICES] = sizeof(kerb_io_sumo_choice),
    [DEMAND_CHOICE_TYPES] = sizeof(int32_t),    [DEMAND_TRIPS] = sizeof(kerb_io_sumo_trip),
    [DEMAND_EDGES] = sizeof(int32_t),           [DEMAND_STOPS] = sizeof(kerb_io_sumo_stop),
    [DEMAND_ROUTES] = sizeof(demand_route),     [DEMAND_PLACES] = sizeof(demand_place),
};

typedef struct demand_reader {
    sumo_reader in;
    kerb_io_sumo_demand* demand;
    demand_memory* memory;
    kerb_io_sumo_network* network;
    int32_t* next_first;       // connections of an edge: ranges in next_edges
    int32_t* next_edges;       // edges to which connections lead
    int32_t open_trip;         // index, or -1
    int32_t open_route;        // index, or -1
    int32_t open_choice;       // index, or -1
    int32_t open_alternatives; // 1 within a routeDistribution
    bool rooted, in_signal, has_route;
} demand_reader;

static const char* const sumo_places[] = {"given", "best", "free", "random"};

const char* kerb_io_sumo_place_text(kerb_io_sumo_place value) {
    return (size_t)value < sizeof sumo_places / sizeof *sumo_places ? sumo_places[value]
                                                                    : "unknown";
}

// --------------------------------------------------------------------------- memory

static void demand_publish(kerb_io_sumo_demand* demand) {
    sumo_list* lists = ((demand_memory*)demand->memory)->lists;
    demand->types = lists[DEMAND_TYPES].items;
    demand->type_count = lists[DEMAND_TYPES].count;
    demand->choices = lists[DEMAND_CHOICES].items;
    demand->choice_count = lists[DEMAND_CHOICES].count;
    demand->choice_types = lists[DEMAND_CHOICE_TYPES].items;
    demand->trips = lists[DEMAND_TRIPS].items;
    demand->trip_count = lists[DEMAND_TRIPS].count;
    demand->route_edges = lists[DEMAND_EDGES].items;
    demand->route_edge_count = lists[DEMAND_EDGES].count;
    demand->stops = lists[DEMAND_STOPS].items;
    demand->stop_count = lists[DEMAND_STOPS].count;
}

kerb_io_sumo_demand kerb_io_sumo_demand_make(const kerb_host* host) {
    return (kerb_io_sumo_demand){.host = *host};
}

void kerb_io_sumo_demand_destroy(kerb_io_sumo_demand* demand) {
    demand_memory* memory = demand->memory;
    kerb_host host = demand->host;
    *demand = (kerb_io_sumo_demand){.host = host};
    if (!memory)
        return;
    for (size_t i = 0; i < DEMAND_KINDS; i++)
        kerb_io_sumo_list_destroy(&host.allocator, &memory->lists[i]);
    kerb_io_sumo_names_destroy(&host.allocator, &memory->types);
    kerb_io_sumo_names_destroy(&host.allocator, &memory->choices);
    kerb_io_sumo_names_destroy(&host.allocator, &memory->routes);
    kerb_io_sumo_names_destroy(&host.allocator, &memory->places);
    kerb_io_sumo_names_destroy(&host.allocator, &memory->trips);
    kerb_io_sumo_pool_destroy(&memory->pool);
    host.allocator.release(host.allocator.context, memory, sizeof *memory);
}

static bool demand_prepare(kerb_io_sumo_demand* demand) {
    const kerb_allocator* allocator = &demand->host.allocator;
    if (demand->memory)
        return true;
    demand_memory* memory =
        allocator->allocate(allocator->context, sizeof *memory, _Alignof(max_align_t));
    if (!memory)
        return false;
    *memory = (demand_memory){.pool.allocator = *allocator};
    for (size_t i = 0; i < DEMAND_KINDS; i++)
        memory->lists[i].size = demand_sizes[i];
    demand->memory = memory;
    return true;
}

static int32_t* allocate_integers(const kerb_allocator* allocator, int32_t count) {
    int32_t* integers = allocator->allocate(allocator->context, (size_t)count * sizeof *integers,
                                            _Alignof(int32_t));
    if (integers)
        memset(integers, 0, (size_t)count * sizeof *integers);
    return integers;
}

static void release_integers(const kerb_allocator* allocator, int32_t* integers, int32_t count) {
    if (integers)
        allocator->release(allocator->context, integers, (size_t)count * sizeof *integers);
}

// Where connections lead from each edge, sorted by edge.
static bool index_connections(demand_reader* r) {
    const kerb_io_sumo_network* n = r->network;
    r->next_first = allocate_integers(r->in.allocator, n->edge_count + 2);
    r->next_edges = allocate_integers(r->in.allocator, n->connection_count + 1);
    if (!r->next_first || !r->next_edges)
        return false;
    for (int32_t i = 0; i < n->connection_count; i++)
        r->next_first[n->lanes[n->connections[i].from].edge + 2]++;
    for (int32_t i = 2; i <= n->edge_count + 1; i++)
        r->next_first[i] += r->next_first[i - 1];
    for (int32_t i = 0; i < n->connection_count; i++) {
        int32_t from = n->lanes[n->connections[i].from].edge;
        r->next_edges[r->next_first[from + 1]++] = n->lanes[n->connections[i].to].edge;
    }
    return true;
}

static bool edges_meet(const demand_reader* r, int32_t from, int32_t to) {
    for (int32_t i = r->next_first[from]; i < r->next_first[from + 1]; i++)
        if (r->next_edges[i] == to)
            return true;
    return false;
}

static void demand_name(demand_reader* r, sumo_names* names, const char* id, int32_t index) {
    if (kerb_io_sumo_name_find(names, id, strlen(id)) >= 0)
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_CONTRADICTION, "id", "is there twice");
    else if (!kerb_io_sumo_name_add(r->in.allocator, names, id, index))
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_OUT_OF_MEMORY, "", "no memory for its name");
}

// --------------------------------------------------------------------------- types

// What SUMO takes for a class where a type does not say.
typedef struct class_numbers {
    const char* name;
    double length, width, min_gap, acceleration, deceleration, emergency, top_speed, spread;
} class_numbers;

static const class_numbers class_standards[] = {
    {"passenger", 5.0, 1.8, 2.5, 2.6, 4.5, 9.0, 55.56, 0.1},
    {"bus", 12.0, 2.5, 2.5, 1.2, 4.0, 7.0, 23.61, 0.0},
    {"coach", 14.0, 2.6, 2.5, 2.0, 4.0, 7.0, 27.78, 0.0},
    {"delivery", 6.5, 2.16, 2.5, 2.6, 4.5, 9.0, 55.56, 0.0},
    {"truck", 7.1, 2.4, 2.5, 1.3, 4.0, 7.0, 36.11, 0.0},
    {"trailer", 16.5, 2.55, 2.5, 1.0, 4.0, 7.0, 36.11, 0.0},
    {"emergency", 6.5, 2.16, 2.5, 2.6, 4.5, 9.0, 55.56, 0.0},
    {"motorcycle", 2.2, 0.9, 2.5, 6.0, 10.0, 10.0, 55.56, 0.1},
    {"moped", 2.1, 0.8, 2.5, 1.1, 7.0, 10.0, 16.67, 0.1},
};

static const class_numbers* class_standard(const char* name) {
    for (size_t i = 0; i < sizeof class_standards / sizeof *class_standards; i++)
        if (strcmp(class_standards[i].name, name) == 0)
            return &class_standards[i];
    return &class_standards[0];
}

static kerb_io_sumo_type standard_type(const char* id, const char* class_name) {
    const class_numbers* standard = class_standard(class_name);
    return (kerb_io_sumo_type){.id = id,
                               .classes = kerb_io_sumo_class_bit(class_name, strlen(class_name)),
                               .length = standard->length,
                               .width = standard->width,
                               .min_gap = standard->min_gap,
                               .acceleration = standard->acceleration,
                               .deceleration = standard->deceleration,
                               .emergency = standard->emergency,
                               .top_speed = standard->top_speed,
                               .time_gap = 1.0,
                               .speed_factor = 1.0,
                               .speed_spread = standard->spread,
                               .imperfection = 0.5,
                               .share = 1.0};
}

// "1.1", or "norm(1,0.1)" and "normc(1,0.1,0.2,2)".
static void read_speed_factor(demand_reader* r, const char** attributes, kerb_io_sumo_type* type) {
    const char* text = kerb_io_xml_attribute(attributes, "speedFactor");
    const char* numbers = text ? strchr(text, '(') : NULL;
    if (!numbers) {
        type->speed_factor =
            kerb_io_sumo_number(&r->in, attributes, "speedFactor", 1.0, 0.01, 10.0);
        type->speed_spread = kerb_io_sumo_number(&r->in, attributes, "speedDev",
                                                 text ? 0.0 : type->speed_spread, 0.0, 10.0);
        return;
    }
    double value[2] = {1.0, 0.0};
    const char* at = numbers + 1;
    for (int32_t i = 0; i < 2; i++) {
        size_t length = strcspn(at, ",)");
        if (kerb_io_number_read_double(at, length, &value[i]) != KERB_OK || value[i] < 0.0 ||
            value[i] > 10.0) {
            kerb_io_sumo_refuse(&r->in, KERB_ERROR_WRONG_TYPE, "speedFactor",
                                "must be a number, or as normc(1,0.1,0.2,2)");
            return;
        }
        at += length;
        if (*at == ',')
            at++;
        else
            break;
    }
    type->speed_factor = fmax(value[0], 0.01);
    type->speed_spread = value[1];
}

static void read_type_numbers(demand_reader* r, const char** a, kerb_io_sumo_type* type) {
    sumo_reader* in = &r->in;
    type->length = kerb_io_sumo_number(in, a, "length", type->length, 0.5, 100.0);
    type->width = kerb_io_sumo_number(in, a, "width", type->width, 0.2, 10.0);
    type->min_gap = kerb_io_sumo_number(in, a, "minGap", type->min_gap, 0.0, 100.0);
    type->acceleration = kerb_io_sumo_number(in, a, "accel", type->acceleration, 0.05, 100.0);
    type->deceleration = kerb_io_sumo_number(in, a, "decel", type->deceleration, 0.05, 100.0);
    type->emergency = kerb_io_sumo_number(in, a, "emergencyDecel",
                                          fmax(type->emergency, type->deceleration), 0.05, 100.0);
    type->top_speed = kerb_io_sumo_number(in, a, "maxSpeed", type->top_speed, 0.1, 1000.0);
    type->time_gap = kerb_io_sumo_number(in, a, "tau", type->time_gap, 0.0, 100.0);
    type->imperfection = kerb_io_sumo_number(in, a, "sigma", type->imperfection, 0.0, 1.0);
    type->share = kerb_io_sumo_number(in, a, "probability", type->share, 0.0, 1.0e6);
    read_speed_factor(r, a, type);
}

static bool choice_add(demand_reader* r, const char* id) {
    int32_t index = r->memory->lists[DEMAND_CHOICES].count;
    kerb_io_sumo_choice* choice = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_CHOICES]);
    if (!choice)
        return false;
    *choice = (kerb_io_sumo_choice){id, {.first = r->memory->lists[DEMAND_CHOICE_TYPES].count}};
    demand_name(r, &r->memory->choices, id, index);
    return r->in.xml->result == KERB_OK;
}

// Adds a type to the choice that was made last.
static void choice_take(demand_reader* r, int32_t type) {
    int32_t* member = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_CHOICE_TYPES]);
    if (!member)
        return;
    *member = type;
    kerb_io_sumo_choice* choices = r->memory->lists[DEMAND_CHOICES].items;
    choices[r->memory->lists[DEMAND_CHOICES].count - 1].types.count++;
}

static void start_type(demand_reader* r, const char** attributes) {
    const char* class_name = kerb_io_xml_attribute(attributes, "vClass");
    int32_t index = r->memory->lists[DEMAND_TYPES].count;
    kerb_io_sumo_type* type = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_TYPES]);
    if (!type)
        return;
    *type = standard_type(kerb_io_sumo_kept(&r->in, attributes, "id"),
                          class_name ? class_name : "passenger");
    type->line = kerb_io_xml_line(r->in.xml);
    read_type_numbers(r, attributes, type);
    if (!type->classes) {
        kerb_io_sumo_note(&r->in, "vClass", "not a class of road vehicles; taken for passenger");
        type->classes = KERB_IO_SUMO_CAR;
    }
    demand_name(r, &r->memory->types, type->id, index);
    // Within a distribution the type is a choice of its own, too: but choices are ranges, so it
    // becomes one when it is named (demand_choice).
    if (r->open_choice >= 0)
        choice_take(r, index);
}

static void start_type_distribution(demand_reader* r, const char** attributes) {
    const char* members = kerb_io_xml_attribute(attributes, "vTypes");
    const char* word;
    size_t length;
    if (!choice_add(r, kerb_io_sumo_kept(&r->in, attributes, "id")))
        return;
    r->open_choice = r->memory->lists[DEMAND_CHOICES].count - 1;
    while (members && kerb_io_sumo_word(&members, &word, &length)) {
        int32_t type = kerb_io_sumo_name_find(&r->memory->types, word, length);
        if (type < 0)
            kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, "vTypes",
                                "names a type that is not defined before it");
        else
            choice_take(r, type);
    }
}

// SUMO's own types, which need no definition.
static int32_t builtin_type(demand_reader* r, const char* name) {
    static const char* const builtin[][2] = {
        {"DEFAULT_VEHTYPE", "passenger"},
        {"DEFAULT_BUSTYPE", "bus"},
        {"DEFAULT_TAXITYPE", "taxi"},
        {"DEFAULT_TRUCKTYPE", "truck"},
    };
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++) {
        if (strcmp(builtin[i][0], name) != 0)
            continue;
        int32_t index = r->memory->lists[DEMAND_TYPES].count;
        kerb_io_sumo_type* type = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_TYPES]);
        if (!type)
            return -1;
        *type = standard_type(builtin[i][0], builtin[i][1]);
        demand_name(r, &r->memory->types, type->id, index);
        return index;
    }
    return -1;
}

// The choice of this name. A single type becomes a choice of one when it is named first.
static int32_t demand_choice(demand_reader* r, const char** attributes) {
    const char* given = kerb_io_xml_attribute(attributes, "type");
    const char* name = given ? given : "DEFAULT_VEHTYPE";
    int32_t choice = kerb_io_sumo_name_find(&r->memory->choices, name, strlen(name));
    if (choice >= 0)
        return choice;
    int32_t type = kerb_io_sumo_name_find(&r->memory->types, name, strlen(name));
    if (type < 0)
        type = builtin_type(r, name);
    if (type < 0) {
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, "type",
                            "no vType of this id is before it");
        return -1;
    }
    const kerb_io_sumo_type* types = r->memory->lists[DEMAND_TYPES].items;
    if (!choice_add(r, types[type].id))
        return -1;
    choice_take(r, type);
    return r->memory->lists[DEMAND_CHOICES].count - 1;
}

// --------------------------------------------------------------------------- routes

static void route_edge_add(demand_reader* r, const char* field, const char* word, size_t length) {
    int32_t edge =
        kerb_io_sumo_name_find(&((sumo_network_memory*)r->network->memory)->edges, word, length);
    if (edge < 0) {
        char message[80];
        snprintf(message, sizeof message, "edge %.*s is not in the network",
                 length > 32 ? 32 : (int)length, word);
        for (char* c = message; *c; c++)
            if ((unsigned char)*c < 32 || (unsigned char)*c > 126)
                *c = '?';
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, field, message);
        return;
    }
    int32_t* item = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_EDGES]);
    if (item)
        *item = edge;
}

static void note_gaps(demand_reader* r, kerb_io_sumo_range edges) {
    const int32_t* items = (int32_t*)r->memory->lists[DEMAND_EDGES].items + edges.first;
    for (int32_t i = 0; i + 1 < edges.count; i++)
        if (!edges_meet(r, items[i], items[i + 1])) {
            char message[96];
            snprintf(message, sizeof message, "no connection leads from edge %.24s to %.24s",
                     r->network->edges[items[i]].id, r->network->edges[items[i + 1]].id);
            kerb_io_sumo_note(&r->in, "edges", message);
            return;
        }
}

static kerb_io_sumo_range read_edges(demand_reader* r, const char* field, const char* text) {
    kerb_io_sumo_range range = {r->memory->lists[DEMAND_EDGES].count, 0};
    while (r->in.xml->result == KERB_OK && *(text += strspn(text, " \t\r\n"))) {
        size_t length = strcspn(text, " \t\r\n");
        route_edge_add(r, field, text, length);
        text += length;
    }
    range.count = r->memory->lists[DEMAND_EDGES].count - range.first;
    return range;
}

static kerb_io_sumo_trip* open_trip(const demand_reader* r) {
    return r->open_trip >= 0
               ? (kerb_io_sumo_trip*)r->memory->lists[DEMAND_TRIPS].items + r->open_trip
               : NULL;
}

static void start_route(demand_reader* r, const char** attributes) {
    kerb_io_sumo_trip* trip = open_trip(r);
    kerb_io_sumo_range edges =
        read_edges(r, "edges", kerb_io_sumo_text(&r->in, attributes, "edges"));
    if (r->in.xml->result != KERB_OK)
        return;
    if (edges.count == 0) {
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_TOO_FEW, "edges", "must name one edge at least");
        return;
    }
    note_gaps(r, edges);
    if (trip) {
        if (!r->has_route)
            trip->edges = edges;
        trip->complete = r->has_route = true;
        return;
    }
    if (r->open_alternatives > 0 && !kerb_io_xml_attribute(attributes, "id"))
        return;
    int32_t index = r->memory->lists[DEMAND_ROUTES].count;
    demand_route* route = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_ROUTES]);
    if (!route)
        return;
    *route = (demand_route){edges, {.first = r->memory->lists[DEMAND_STOPS].count}};
    demand_name(r, &r->memory->routes, kerb_io_sumo_kept(&r->in, attributes, "id"), index);
    r->open_route = index;
}

// A distribution of routes: its vehicles take the first one.
static void start_route_distribution(demand_reader* r, const char** attributes) {
    const char* id = kerb_io_xml_attribute(attributes, "id");
    r->open_alternatives = 1;
    if (!id)
        return;
    kerb_io_sumo_note(&r->in, "routeDistribution", "all its vehicles take its first route");
    const char* kept = kerb_io_sumo_kept(&r->in, attributes, "id");
    demand_name(r, &r->memory->routes, kept, r->memory->lists[DEMAND_ROUTES].count);
}

static void copy_stops(demand_reader* r, kerb_io_sumo_range stops) {
    for (int32_t i = 0; i < stops.count; i++) {
        kerb_io_sumo_stop* stop = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_STOPS]);
        if (!stop)
            return;
        *stop = ((kerb_io_sumo_stop*)r->memory->lists[DEMAND_STOPS].items)[stops.first + i];
    }
}

static void take_named_route(demand_reader* r, kerb_io_sumo_trip* trip, const char* name) {
    int32_t index = kerb_io_sumo_name_find(&r->memory->routes, name, strlen(name));
    if (index < 0 || index >= r->memory->lists[DEMAND_ROUTES].count) {
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, "route",
                            "no route of this id is before it");
        return;
    }
    demand_route route = ((demand_route*)r->memory->lists[DEMAND_ROUTES].items)[index];
    trip->edges = route.edges;
    trip->complete = r->has_route = true;
    trip->stops.count = route.stops.count;
    copy_stops(r, route.stops);
}

static void take_ends(demand_reader* r, kerb_io_sumo_trip* trip, const char** attributes) {
    const char* from = kerb_io_sumo_text(&r->in, attributes, "from");
    const char* to = kerb_io_sumo_text(&r->in, attributes, "to");
    const char* via = kerb_io_xml_attribute(attributes, "via");
    trip->edges.first = r->memory->lists[DEMAND_EDGES].count;
    if (r->in.xml->result == KERB_OK)
        route_edge_add(r, "from", from, strlen(from));
    if (via)
        read_edges(r, "via", via);
    if (r->in.xml->result == KERB_OK)
        route_edge_add(r, "to", to, strlen(to));
    trip->edges.count = r->memory->lists[DEMAND_EDGES].count - trip->edges.first;
    r->has_route = true;
}

// --------------------------------------------------------------------------- vehicles

// Seconds, or hours, minutes and seconds with colons. False for a word.
static bool read_time(demand_reader* r, const char* field, const char* text, double* time) {
    double value = 0.0;
    const char* at = text;
    while (true) {
        size_t length = strcspn(at, ":");
        double part = 0.0;
        if (kerb_io_number_read_double(at, length, &part) != KERB_OK)
            return false;
        value = 60.0 * value + part;
        if (!at[length])
            break;
        at += length + 1;
    }
    if (fabs(value) > SUMO_TIME_MAX)
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_OUT_OF_RANGE, field, "must be at most 1e9 s");
    *time = value;
    return true;
}

static double time_attribute(demand_reader* r, const char** attributes, const char* name,
                             double standard) {
    const char* text = kerb_io_xml_attribute(attributes, name);
    double time = standard;
    if (!text && isnan(standard))
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_MISSING_FIELD, name, "needs this attribute");
    else if (text && !read_time(r, name, text, &time))
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_WRONG_TYPE, name, "must be a time");
    return isnan(time) ? 0.0 : time;
}

static bool is_demand_word(const char* text, const char* words) {
    const char* word;
    size_t length;
    while (text && kerb_io_sumo_word(&words, &word, &length))
        if (strlen(text) == length && memcmp(word, text, length) == 0)
            return true;
    return false;
}

static void read_departure_place(demand_reader* r, const char** a, kerb_io_sumo_trip* trip) {
    const char* lane = kerb_io_xml_attribute(a, "departLane");
    const char* position = kerb_io_xml_attribute(a, "departPos");
    const char* speed = kerb_io_xml_attribute(a, "departSpeed");
    const char* arrival = kerb_io_xml_attribute(a, "arrivalPos");
    trip->lane_rule = !lane || is_demand_word(lane, "first")   ? KERB_IO_SUMO_PLACE_GIVEN
                      : is_demand_word(lane, "random")         ? KERB_IO_SUMO_PLACE_RANDOM
                      : is_demand_word(lane, "free allowed")   ? KERB_IO_SUMO_PLACE_FREE
                      : is_demand_word(lane, "best best_prob") ? KERB_IO_SUMO_PLACE_BEST
                                                               : KERB_IO_SUMO_PLACE_GIVEN;
    if (lane && trip->lane_rule == KERB_IO_SUMO_PLACE_GIVEN && !is_demand_word(lane, "first"))
        trip->lane = kerb_io_sumo_integer(&r->in, a, "departLane", 0, 0, 1000);
    trip->position_given =
        position && !is_demand_word(position, "random free random_free base last stop splitFront");
    if (trip->position_given)
        trip->position = kerb_io_sumo_number(&r->in, a, "departPos", 0.0, -1.0e6, 1.0e6);
    trip->speed = is_demand_word(speed, "random max desired speedLimit last avg")
                      ? -1.0
                      : kerb_io_sumo_number(&r->in, a, "departSpeed", 0.0, 0.0, 1000.0);
    trip->arrival = is_demand_word(arrival, "random max")
                        ? -1.0
                        : kerb_io_sumo_number(&r->in, a, "arrivalPos", -1.0, -1.0e6, 1.0e6);
}

static void read_depart(demand_reader* r, const char** attributes, kerb_io_sumo_trip* trip) {
    const char* text = kerb_io_sumo_text(&r->in, attributes, "depart");
    trip->number = 1;
    if (*text && !read_time(r, "depart", text, &trip->depart)) {
        if (is_demand_word(text, "triggered containerTriggered split begin now")) {
            kerb_io_sumo_note(&r->in, "depart", "departs by another event than time: left out");
            trip->number = 0;
        } else
            kerb_io_sumo_refuse(&r->in, KERB_ERROR_WRONG_TYPE, "depart", "must be a time");
    }
    trip->end = HUGE_VAL;
}

// period="exp(0.1)": the rate of a Poisson process.
static void read_period(demand_reader* r, const char** a, kerb_io_sumo_trip* trip) {
    const char* period = kerb_io_xml_attribute(a, "period");
    double rate = 0.0;
    if (period && strncmp(period, "exp(", 4) == 0) {
        size_t length = strcspn(period + 4, ")");
        if (kerb_io_number_read_double(period + 4, length, &rate) != KERB_OK || rate <= 0.0 ||
            rate > 1.0 / SUMO_PERIOD_MIN)
            kerb_io_sumo_refuse(&r->in, KERB_ERROR_WRONG_TYPE, "period", "must be as exp(0.1)");
        trip->period = rate > 0.0 ? 1.0 / rate : 1.0;
        trip->random = true;
    } else if (period)
        trip->period =
            kerb_io_sumo_number(&r->in, a, "period", (double)NAN, SUMO_PERIOD_MIN, SUMO_TIME_MAX);
    else if (kerb_io_xml_attribute(a, "vehsPerHour"))
        trip->period = 3600.0 / fmax(1.0e-9, kerb_io_sumo_number(&r->in, a, "vehsPerHour",
                                                                 (double)NAN, 0.0, 3.6e6));
    else if (kerb_io_xml_attribute(a, "probability")) {
        trip->period = 1.0 / fmax(1.0e-9, kerb_io_sumo_number(&r->in, a, "probability", (double)NAN,
                                                              0.0, 1.0));
        trip->random = true;
    }
}

static void read_flow(demand_reader* r, const char** a, kerb_io_sumo_trip* trip) {
    trip->depart = time_attribute(r, a, "begin", 0.0);
    trip->end = time_attribute(r, a, "end", 86400.0);
    trip->number = kerb_io_sumo_integer(&r->in, a, "number", INT_MAX, 0, 100000000);
    read_period(r, a, trip);
    if (trip->period <= 0.0 && trip->number == INT_MAX)
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_MISSING_FIELD, "period",
                            "needs period, vehsPerHour, probability or number");
    else if (trip->period <= 0.0)
        trip->period = (trip->end - trip->depart) / fmax(1.0, trip->number);
    if (trip->end <= trip->depart || trip->number == 0) {
        kerb_io_sumo_note(&r->in, "end", "a flow that never departs");
        trip->number = 0;
    }
}

static void start_trip(demand_reader* r, const char* element, const char** attributes) {
    bool flow = strcmp(element, "flow") == 0;
    int32_t choice = demand_choice(r, attributes);
    int32_t index = r->memory->lists[DEMAND_TRIPS].count;
    kerb_io_sumo_trip* trip = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_TRIPS]);
    const char* route = kerb_io_xml_attribute(attributes, "route");
    if (!trip || choice < 0)
        return;
    *trip = (kerb_io_sumo_trip){.id = kerb_io_sumo_kept(&r->in, attributes, "id"),
                                .choice = choice,
                                .stops.first = r->memory->lists[DEMAND_STOPS].count,
                                .line = kerb_io_xml_line(r->in.xml)};
    r->open_trip = index;
    r->has_route = false;
    demand_name(r, &r->memory->trips, trip->id, index);
    if (flow)
        read_flow(r, attributes, trip);
    else
        read_depart(r, attributes, trip);
    read_departure_place(r, attributes, trip);
    if (route)
        take_named_route(r, trip, route);
    else if (strcmp(element, "trip") == 0 || kerb_io_xml_attribute(attributes, "from"))
        take_ends(r, trip, attributes);
}

static void end_trip(demand_reader* r) {
    if (r->open_trip >= 0 && !r->has_route)
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_MISSING_FIELD, "route", "needs a route");
    r->open_trip = -1;
}

// --------------------------------------------------------------------------- stops

static int32_t stop_lane(demand_reader* r, const char** attributes, double* position) {
    const char* place = kerb_io_xml_attribute(attributes, "busStop");
    if (place) {
        int32_t index = kerb_io_sumo_name_find(&r->memory->places, place, strlen(place));
        if (index < 0) {
            kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, "busStop",
                                "no busStop of this id is before it");
            return -1;
        }
        const demand_place* places = r->memory->lists[DEMAND_PLACES].items;
        *position = places[index].end;
        return places[index].lane;
    }
    const char* id = kerb_io_sumo_text(&r->in, attributes, "lane");
    int32_t lane = kerb_io_sumo_lane_find(r->network, id);
    if (lane < 0) {
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, "lane",
                            "no lane of this id is in the network");
        return -1;
    }
    double length = r->network->lanes[lane].length;
    *position = kerb_io_sumo_number(&r->in, attributes, "endPos", length, -1.0e6, 1.0e6);
    if (*position < 0.0)
        *position = fmax(0.0, *position + length);
    *position = fmin(*position, length);
    return lane;
}

static void start_stop(demand_reader* r, const char** attributes) {
    kerb_io_sumo_stop stop = {0};
    stop.lane = stop_lane(r, attributes, &stop.position);
    stop.until = time_attribute(r, attributes, "until", -1.0);
    stop.duration = fmax(0.0, time_attribute(r, attributes, "duration", 0.0));
    kerb_io_sumo_trip* trip = open_trip(r);
    if (stop.lane < 0 || (!trip && r->open_route < 0))
        return;
    kerb_io_sumo_stop* item = kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_STOPS]);
    if (!item)
        return;
    *item = stop;
    if (trip)
        trip->stops.count++;
    else
        ((demand_route*)r->memory->lists[DEMAND_ROUTES].items)[r->open_route].stops.count++;
}

static void start_place(demand_reader* r, const char** attributes) {
    demand_place place = {0};
    place.lane = stop_lane(r, attributes, &place.end);
    int32_t index = r->memory->lists[DEMAND_PLACES].count;
    demand_place* item =
        place.lane >= 0 ? kerb_io_sumo_item(&r->in, &r->memory->lists[DEMAND_PLACES]) : NULL;
    if (!item)
        return;
    *item = place;
    demand_name(r, &r->memory->places, kerb_io_sumo_kept(&r->in, attributes, "id"), index);
}

// --------------------------------------------------------------------------- elements

static bool start_demand(demand_reader* r, const char* element) {
    r->rooted = true;
    if (is_demand_word(element, "routes additional add vtypes tlLogics"))
        return true;
    kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, element,
                        "a file of routes begins with <routes>, others with <additional>");
    return false;
}

// Elements that only describe or belong to what is passed over.
static const char* const ignored_elements =
    "param location carFollowing-Krauss carFollowing-IDM laneChangeModel access interval";

static void demand_on_start(kerb_io_xml* xml, const char* element, const char** attributes) {
    demand_reader* r = xml->context;
    kerb_io_sumo_element(&r->in, element, attributes, "id");
    if (!r->rooted)
        start_demand(r, element);
    else if (is_demand_word(element, "vehicle trip flow"))
        start_trip(r, element, attributes);
    else if (strcmp(element, "route") == 0)
        start_route(r, attributes);
    else if (strcmp(element, "routeDistribution") == 0)
        start_route_distribution(r, attributes);
    else if (strcmp(element, "stop") == 0)
        start_stop(r, attributes);
    else if (strcmp(element, "vType") == 0)
        start_type(r, attributes);
    else if (strcmp(element, "vTypeDistribution") == 0)
        start_type_distribution(r, attributes);
    else if (strcmp(element, "busStop") == 0)
        start_place(r, attributes);
    else if (strcmp(element, "tlLogic") == 0) {
        kerb_io_sumo_signal_start(&r->in, r->network, attributes);
        r->in_signal = true;
    } else if (strcmp(element, "phase") == 0 && r->in_signal)
        kerb_io_sumo_phase_start(&r->in, r->network, attributes);
    else if (!is_demand_word(element, ignored_elements))
        kerb_io_notes_add(r->in.notes, element, kerb_io_xml_line(xml),
                          "elements of this name are passed over");
}

static void demand_on_end(kerb_io_xml* xml, const char* element) {
    demand_reader* r = xml->context;
    if (is_demand_word(element, "vehicle trip flow"))
        end_trip(r);
    else if (strcmp(element, "route") == 0)
        r->open_route = -1;
    else if (strcmp(element, "routeDistribution") == 0)
        r->open_alternatives = 0;
    else if (strcmp(element, "vTypeDistribution") == 0)
        r->open_choice = -1;
    else if (strcmp(element, "tlLogic") == 0) {
        r->in.element = element;
        kerb_io_sumo_signal_end(&r->in, r->network);
        r->in_signal = false;
    }
}

// A signal whose new programme has another number of letters than its links need.
static kerb_result check_programmes(const kerb_io_sumo_network* n, kerb_error* error) {
    for (int32_t i = 0; i < n->connection_count; i++) {
        const kerb_io_sumo_connection* c = &n->connections[i];
        if (c->signal < 0)
            continue;
        const kerb_io_sumo_signal* signal = &n->signals[c->signal];
        char message[144];
        if (signal->phases.count > 0 &&
            (size_t)c->link < strlen(n->phases[signal->phases.first].state))
            continue;
        snprintf(message, sizeof message, "tlLogic \"%.40s\": its states have too few letters",
                 signal->id);
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "state", signal->line, -1, message);
    }
    return KERB_OK;
}

// A distribution without a type, or of types that never come.
static kerb_result check_choices(const kerb_io_sumo_demand* demand, kerb_error* error) {
    for (int32_t i = 0; i < demand->choice_count; i++) {
        kerb_io_sumo_range range = demand->choices[i].types;
        double share = 0.0;
        for (int32_t k = 0; k < range.count; k++)
            share += demand->types[demand->choice_types[range.first + k]].share;
        if (range.count > 0 && (share > 0.0 || range.count == 1))
            continue;
        char message[144];
        snprintf(message, sizeof message, "vTypeDistribution \"%.40s\": has no type",
                 demand->choices[i].id);
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "vType", 0, -1, message);
    }
    return KERB_OK;
}

static kerb_result demand_finish(demand_reader* r, kerb_error* error) {
    demand_publish(r->demand);
    kerb_io_sumo_publish(r->network);
    kerb_result result = check_programmes(r->network, error);
    return result == KERB_OK ? check_choices(r->demand, error) : result;
}

kerb_result kerb_io_sumo_demand_read(kerb_io_sumo_demand* demand, kerb_io_sumo_network* network,
                                     const char* text, size_t length, kerb_io_notes* notes,
                                     kerb_error* error) {
    const kerb_allocator* allocator = &demand->host.allocator;
    demand_reader r = {
        .demand = demand, .network = network, .open_trip = -1, .open_route = -1, .open_choice = -1};
    kerb_io_xml xml = {.context = &r, .start = demand_on_start, .end = demand_on_end};
    r.in = (sumo_reader){.xml = &xml, .allocator = allocator, .notes = notes};
    kerb_result result = KERB_OK;
    if (!demand_prepare(demand) || !index_connections(&r))
        result =
            kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the demand");
    if (result == KERB_OK) {
        r.memory = demand->memory;
        r.in.pool = &r.memory->pool;
        result = kerb_io_xml_parse(&xml, text, length, error);
    }
    if (result == KERB_OK)
        result = demand_finish(&r, error);
    release_integers(allocator, r.next_first, network->edge_count + 2);
    release_integers(allocator, r.next_edges, network->connection_count + 1);
    kerb_io_sumo_publish(network);
    if (result != KERB_OK)
        kerb_io_sumo_demand_destroy(demand);
    return result;
}

// --------------------------------------------------------------------------- departures

// The type of a departure: the same for the same seed, trip and number, whatever else departs.
static int32_t departure_type(const kerb_io_sumo_demand* demand, const kerb_io_sumo_trip* trip,
                              kerb_random* random) {
    kerb_io_sumo_range range = demand->choices[trip->choice].types;
    const int32_t* members = demand->choice_types + range.first;
    double whole = 0.0;
    for (int32_t i = 0; i < range.count; i++)
        whole += demand->types[members[i]].share;
    double left = whole * (double)kerb_random_unit(random);
    for (int32_t i = 0; i + 1 < range.count; i++) {
        left -= demand->types[members[i]].share;
        if (left < 0.0)
            return members[i];
    }
    return members[range.count - 1];
}

static int compare_departures(const void* first, const void* second) {
    const kerb_io_sumo_departure *a = first, *b = second;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->trip != b->trip)
        return a->trip < b->trip ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

int32_t kerb_io_sumo_departures(const kerb_io_sumo_demand* demand, double end, uint64_t seed,
                                kerb_io_sumo_departure* departures, int32_t capacity) {
    int32_t count = 0;
    for (int32_t i = 0; i < demand->trip_count; i++) {
        const kerb_io_sumo_trip* trip = &demand->trips[i];
        kerb_random random = kerb_random_make(seed, (uint64_t)i);
        double time = trip->depart;
        for (int32_t k = 0; k < trip->number && time < end && time < trip->end; k++) {
            if (count == INT_MAX)
                return count;
            int32_t type = departure_type(demand, trip, &random);
            if (count < capacity)
                departures[count] = (kerb_io_sumo_departure){time, i, k, type};
            count++;
            time += trip->random ? -log(1.0 - (double)kerb_random_unit(&random)) * trip->period
                                 : trip->period;
        }
    }
    if (capacity > 0)
        qsort(departures, (size_t)(count < capacity ? count : capacity), sizeof *departures,
              compare_departures);
    return count;
}
