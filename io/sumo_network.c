// Purpose: road networks of SUMO.
// Idea:    Elements are taken as they come. Edges come before connections in the file, so a
//          connection finds its lanes by name at once; junctions, which edges name before they are
//          read, are resolved at the end.
// Cost:    O(bytes).
// Source:  sumo.dlr.de/docs/Networks/SUMO_Road_Networks.html
#include "kerb/io/sumo_network.h"

#include "io/number.h"
#include "io/sumo_parts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SUMO_PLACE_MAX 1.0e9  // of any coordinate [m]
#define SUMO_LENGTH_MAX 1.0e6 // of a lane [m]
#define SUMO_LENGTH_MIN 0.1   // of a lane: the shortest that netconvert writes [m]
#define SUMO_SPEED_MAX 1000.0 // [m/s]
#define SUMO_WIDTH 3.2        // of a lane that does not say [m]

enum { SUMO_INDEX_MAX = 1000000 };

// An edge's ends and a junction's members are names until all is read.
typedef struct edge_ends {
    const char *from, *to;
} edge_ends;

typedef struct junction_names {
    const char* incoming;
} junction_names;

typedef struct roundabout_names {
    const char* edges;
    int32_t line;
} roundabout_names;

typedef struct network_reader {
    sumo_reader in;
    kerb_io_sumo_network* network;
    sumo_network_memory* memory;
    sumo_list ends, names, rounds;
    bool out_of_memory; // after the last element, where the parser can refuse nothing
    bool rooted, in_edge, in_junction, in_signal;
} network_reader;

static const size_t sumo_sizes[] = {
    [SUMO_EDGES] = sizeof(kerb_io_sumo_edge),
    [SUMO_LANES] = sizeof(kerb_io_sumo_lane),
    [SUMO_CONNECTIONS] = sizeof(kerb_io_sumo_connection),
    [SUMO_JUNCTIONS] = sizeof(kerb_io_sumo_junction),
    [SUMO_REQUESTS] = sizeof(kerb_io_sumo_request),
    [SUMO_SIGNALS] = sizeof(kerb_io_sumo_signal),
    [SUMO_PHASES] = sizeof(kerb_io_sumo_phase),
    [SUMO_ROUNDABOUTS] = sizeof(kerb_io_sumo_roundabout),
    [SUMO_POINTS] = sizeof(kerb_io_sumo_point),
    [SUMO_MEMBERS] = sizeof(int32_t),
};

// --------------------------------------------------------------------------- texts of enums

static const char* const sumo_functions[] = {"normal", "internal", "walking"};
static const char* const sumo_rules[] = {
    "priority", "signals", "right before left", "left before right", "stop",
    "all stop", "zipper",  "unregulated",       "dead end",          "inside a junction"};

const char* kerb_io_sumo_function_text(kerb_io_sumo_function value) {
    return (size_t)value < sizeof sumo_functions / sizeof *sumo_functions ? sumo_functions[value]
                                                                          : "unknown";
}

const char* kerb_io_sumo_rule_text(kerb_io_sumo_rule value) {
    return (size_t)value < sizeof sumo_rules / sizeof *sumo_rules ? sumo_rules[value] : "unknown";
}

// --------------------------------------------------------------------------- the network's lists

void kerb_io_sumo_publish(kerb_io_sumo_network* network) {
    sumo_list* lists = ((sumo_network_memory*)network->memory)->lists;
    network->edges = lists[SUMO_EDGES].items;
    network->edge_count = lists[SUMO_EDGES].count;
    network->lanes = lists[SUMO_LANES].items;
    network->lane_count = lists[SUMO_LANES].count;
    network->connections = lists[SUMO_CONNECTIONS].items;
    network->connection_count = lists[SUMO_CONNECTIONS].count;
    network->junctions = lists[SUMO_JUNCTIONS].items;
    network->junction_count = lists[SUMO_JUNCTIONS].count;
    network->requests = lists[SUMO_REQUESTS].items;
    network->request_count = lists[SUMO_REQUESTS].count;
    network->signals = lists[SUMO_SIGNALS].items;
    network->signal_count = lists[SUMO_SIGNALS].count;
    network->phases = lists[SUMO_PHASES].items;
    network->phase_count = lists[SUMO_PHASES].count;
    network->roundabouts = lists[SUMO_ROUNDABOUTS].items;
    network->roundabout_count = lists[SUMO_ROUNDABOUTS].count;
    network->points = lists[SUMO_POINTS].items;
    network->point_count = lists[SUMO_POINTS].count;
    network->members = lists[SUMO_MEMBERS].items;
    network->member_count = lists[SUMO_MEMBERS].count;
}

void kerb_io_sumo_network_destroy(kerb_io_sumo_network* network) {
    sumo_network_memory* memory = network->memory;
    *network = (kerb_io_sumo_network){0};
    if (!memory)
        return;
    kerb_allocator allocator = memory->pool.allocator;
    for (size_t i = 0; i < sizeof sumo_sizes / sizeof *sumo_sizes; i++)
        kerb_io_sumo_list_destroy(&allocator, &memory->lists[i]);
    kerb_io_sumo_names_destroy(&allocator, &memory->edges);
    kerb_io_sumo_names_destroy(&allocator, &memory->lanes);
    kerb_io_sumo_names_destroy(&allocator, &memory->junctions);
    kerb_io_sumo_names_destroy(&allocator, &memory->signals);
    kerb_io_sumo_pool_destroy(&memory->pool);
    allocator.release(allocator.context, memory, sizeof *memory);
}

static int32_t find_in(const kerb_io_sumo_network* network, const sumo_names* names,
                       const char* id) {
    return network->memory ? kerb_io_sumo_name_find(names, id, strlen(id)) : -1;
}

int32_t kerb_io_sumo_edge_find(const kerb_io_sumo_network* network, const char* id) {
    return find_in(network, &((const sumo_network_memory*)network->memory)->edges, id);
}

int32_t kerb_io_sumo_lane_find(const kerb_io_sumo_network* network, const char* id) {
    return find_in(network, &((const sumo_network_memory*)network->memory)->lanes, id);
}

int32_t kerb_io_sumo_signal_find(const kerb_io_sumo_network* network, const char* id) {
    return find_in(network, &((const sumo_network_memory*)network->memory)->signals, id);
}

// A new item of the network's list; its index is `*index`.
static void* network_item(network_reader* r, sumo_kind kind, int32_t* index) {
    sumo_list* list = &r->memory->lists[kind];
    if (index)
        *index = list->count;
    return kerb_io_sumo_item(&r->in, list);
}

static int32_t network_count(const network_reader* r, sumo_kind kind) {
    return r->memory->lists[kind].count;
}

// Registers the id of a new item; twice is refused.
static void network_name(network_reader* r, sumo_names* names, const char* id, int32_t index) {
    if (kerb_io_sumo_name_find(names, id, strlen(id)) >= 0)
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_CONTRADICTION, "id", "is in the file twice");
    else if (!kerb_io_sumo_name_add(r->in.allocator, names, id, index))
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_OUT_OF_MEMORY, "", "no memory for its name");
}

// --------------------------------------------------------------------------- shapes

static bool shape_point(network_reader* r, const char* word, size_t length) {
    double value[3] = {0.0, 0.0, 0.0};
    kerb_result bad = KERB_OK;
    int32_t count = 0;
    for (const char *at = word, *end = word + length; at <= end && count < 3; count++) {
        const char* comma = memchr(at, ',', (size_t)(end - at));
        size_t part = (size_t)((comma ? comma : end) - at);
        bad = kerb_io_number_read_double(at, part, &value[count]);
        if (bad == KERB_OK && fabs(value[count]) > SUMO_PLACE_MAX)
            bad = KERB_ERROR_OUT_OF_RANGE;
        if (bad != KERB_OK)
            break;
        at += part + 1;
    }
    if (bad == KERB_OK && count < 2)
        bad = KERB_ERROR_WRONG_TYPE;
    if (bad != KERB_OK) {
        kerb_io_sumo_refuse(&r->in, bad, "shape",
                            "must be points x,y or x,y,z with spaces between");
        return false;
    }
    kerb_io_sumo_point* point = network_item(r, SUMO_POINTS, NULL);
    if (point)
        *point = (kerb_io_sumo_point){value[0], value[1], value[2]};
    return point != NULL;
}

static kerb_io_sumo_range read_shape(network_reader* r, const char* text) {
    kerb_io_sumo_range range = {network_count(r, SUMO_POINTS), 0};
    while (text && *(text += strspn(text, " \t\r\n"))) {
        size_t length = strcspn(text, " \t\r\n");
        if (!shape_point(r, text, length))
            break;
        text += length;
    }
    range.count = network_count(r, SUMO_POINTS) - range.first;
    return range;
}

static double shape_length(const network_reader* r, kerb_io_sumo_range shape) {
    const kerb_io_sumo_point* p = r->memory->lists[SUMO_POINTS].items;
    double length = 0.0;
    for (int32_t i = shape.first; i + 1 < shape.first + shape.count; i++) {
        double x = p[i + 1].x - p[i].x, y = p[i + 1].y - p[i].y, z = p[i + 1].z - p[i].z;
        length += sqrt(x * x + y * y + z * z);
    }
    return length;
}

// --------------------------------------------------------------------------- edges and lanes

static kerb_io_sumo_function edge_function(const char** attributes) {
    const char* text = kerb_io_xml_attribute(attributes, "function");
    if (!text || strcmp(text, "normal") == 0 || strcmp(text, "connector") == 0)
        return KERB_IO_SUMO_NORMAL;
    return strcmp(text, "internal") == 0 ? KERB_IO_SUMO_INTERNAL : KERB_IO_SUMO_WALKING;
}

static void start_edge(network_reader* r, const char** attributes) {
    int32_t index;
    kerb_io_sumo_edge* edge = network_item(r, SUMO_EDGES, &index);
    edge_ends* ends = edge ? kerb_io_sumo_item(&r->in, &r->ends) : NULL;
    if (!ends)
        return;
    *edge = (kerb_io_sumo_edge){
        .id = kerb_io_sumo_kept(&r->in, attributes, "id"),
        .function = edge_function(attributes),
        .from = -1,
        .to = -1,
        .priority = kerb_io_sumo_integer(&r->in, attributes, "priority", -1, -SUMO_INDEX_MAX,
                                         SUMO_INDEX_MAX),
        .lanes = {.first = network_count(r, SUMO_LANES)},
        .line = kerb_io_xml_line(r->in.xml),
    };
    if (edge->function == KERB_IO_SUMO_NORMAL) {
        ends->from = kerb_io_sumo_kept(&r->in, attributes, "from");
        ends->to = kerb_io_sumo_kept(&r->in, attributes, "to");
    }
    network_name(r, &r->memory->edges, edge->id, index);
    r->in_edge = true;
}

static uint32_t lane_classes(const char** attributes, kerb_io_sumo_function function) {
    const char* allow = kerb_io_xml_attribute(attributes, "allow");
    const char* disallow = kerb_io_xml_attribute(attributes, "disallow");
    if (function == KERB_IO_SUMO_WALKING)
        return 0;
    if (allow && *allow)
        return kerb_io_sumo_classes(allow);
    return KERB_IO_SUMO_ALL_CLASSES & ~(disallow ? kerb_io_sumo_classes(disallow) : 0u);
}

static void check_lane_shape(network_reader* r, kerb_io_sumo_lane* lane) {
    if (lane->shape.count < 2) {
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_TOO_FEW, "shape", "must have two points at least");
        return;
    }
    double length = shape_length(r, lane->shape);
    if (lane->length <= 0.0)
        lane->length = length;
    if (lane->length < SUMO_LENGTH_MIN || length < SUMO_LENGTH_MIN) {
        char message[64];
        snprintf(message, sizeof message, "is only %.3f m long", fmin(lane->length, length));
        // netconvert itself gives lanes inside junctions that have no room a length of 0.1 m.
        const kerb_io_sumo_edge* edges = r->memory->lists[SUMO_EDGES].items;
        if (edges[lane->edge].function == KERB_IO_SUMO_NORMAL)
            kerb_io_sumo_note(&r->in, "length", message);
        lane->length = fmax(lane->length, SUMO_LENGTH_MIN);
    }
}

static void network_start_lane(network_reader* r, const char** attributes) {
    int32_t index;
    kerb_io_sumo_lane* lane = network_item(r, SUMO_LANES, &index);
    kerb_io_sumo_edge* edges = r->memory->lists[SUMO_EDGES].items;
    int32_t edge = network_count(r, SUMO_EDGES) - 1;
    if (!lane)
        return;
    *lane = (kerb_io_sumo_lane){
        .id = kerb_io_sumo_kept(&r->in, attributes, "id"),
        .edge = edge,
        .speed = kerb_io_sumo_number(&r->in, attributes, "speed", (double)NAN, 0.0, SUMO_SPEED_MAX),
        .length = kerb_io_sumo_number(&r->in, attributes, "length", 0.0, 0.0, SUMO_LENGTH_MAX),
        .width = kerb_io_sumo_number(&r->in, attributes, "width", SUMO_WIDTH, -1.0, 1000.0),
        .classes = lane_classes(attributes, edges[edge].function),
        .line = kerb_io_xml_line(r->in.xml),
    };
    if (lane->width <= 0.0)
        lane->width = SUMO_WIDTH;
    int32_t place = kerb_io_sumo_integer(&r->in, attributes, "index", edges[edge].lanes.count, 0,
                                         SUMO_INDEX_MAX);
    // netconvert has been seen to give two lanes inside a junction the same index.
    if (place != edges[edge].lanes.count && edges[edge].function == KERB_IO_SUMO_NORMAL)
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_CONTRADICTION, "index",
                            "lanes must be in order, from 0");
    if (lane->speed <= 0.0 && lane->classes) {
        kerb_io_sumo_note(&r->in, "speed", "nobody can drive at a limit of 0; closed");
        lane->classes = 0;
    }
    lane->shape = read_shape(r, kerb_io_sumo_text(&r->in, attributes, "shape"));
    if (r->in.xml->result == KERB_OK)
        check_lane_shape(r, lane);
    edges[edge].lanes.count++;
    network_name(r, &r->memory->lanes, lane->id, index);
}

// --------------------------------------------------------------------------- connections

// The lane of an edge that two attributes name, or -1 with a refusal.
static int32_t connection_lane(network_reader* r, const char** attributes, const char* edge_name,
                               const char* lane_name) {
    const char* id = kerb_io_sumo_text(&r->in, attributes, edge_name);
    int32_t place = kerb_io_sumo_integer(&r->in, attributes, lane_name, -1, 0, SUMO_INDEX_MAX);
    if (r->in.xml->result != KERB_OK)
        return -1;
    int32_t edge = kerb_io_sumo_name_find(&r->memory->edges, id, strlen(id));
    if (edge < 0) {
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, edge_name,
                            "no edge of this id is in the file");
        return -1;
    }
    kerb_io_sumo_range lanes = ((kerb_io_sumo_edge*)r->memory->lists[SUMO_EDGES].items)[edge].lanes;
    if (place >= 0 && place < lanes.count)
        return lanes.first + place;
    kerb_io_sumo_refuse(&r->in, place < 0 ? KERB_ERROR_MISSING_FIELD : KERB_ERROR_OUT_OF_RANGE,
                        lane_name,
                        place < 0 ? "needs this attribute" : "the edge has no lane of this index");
    return -1;
}

static char attribute_letter(const char** attributes, const char* name, char standard) {
    const char* text = kerb_io_xml_attribute(attributes, name);
    return text && text[0] ? text[0] : standard;
}

static void connection_signal(network_reader* r, const char** attributes,
                              kerb_io_sumo_connection* c) {
    const char* id = kerb_io_xml_attribute(attributes, "tl");
    if (!id)
        return;
    c->signal = kerb_io_sumo_name_find(&r->memory->signals, id, strlen(id));
    c->link = kerb_io_sumo_integer(&r->in, attributes, "linkIndex", 0, 0, SUMO_INDEX_MAX);
    if (c->signal < 0)
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, "tl",
                            "no tlLogic of this id is before it in the file");
}

static void start_connection(network_reader* r, const char** attributes) {
    kerb_io_sumo_connection c = {
        .from = connection_lane(r, attributes, "from", "fromLane"),
        .to = connection_lane(r, attributes, "to", "toLane"),
        .via = -1,
        .signal = -1,
        .link = -1,
        .direction = attribute_letter(attributes, "dir", 's'),
        .state = attribute_letter(attributes, "state", 'M'),
        .keep_clear = kerb_io_sumo_bool(attributes, "keepClear", true),
        .pass = kerb_io_sumo_bool(attributes, "pass", false),
        .line = kerb_io_xml_line(r->in.xml),
    };
    const char* via = kerb_io_xml_attribute(attributes, "via");
    if (via) {
        c.via = kerb_io_sumo_name_find(&r->memory->lanes, via, strlen(via));
        if (c.via < 0)
            kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, "via",
                                "no lane of this id is in the file");
    }
    connection_signal(r, attributes, &c);
    if (r->in.xml->result != KERB_OK)
        return;
    kerb_io_sumo_connection* item = network_item(r, SUMO_CONNECTIONS, NULL);
    if (item)
        *item = c;
}

// --------------------------------------------------------------------------- junctions

static const struct {
    const char* name;
    kerb_io_sumo_rule rule;
} sumo_junction_types[] = {
    {"priority", KERB_IO_SUMO_PRIORITY},
    {"traffic_light", KERB_IO_SUMO_SIGNALS},
    {"traffic_light_unregulated", KERB_IO_SUMO_SIGNALS},
    {"traffic_light_right_on_red", KERB_IO_SUMO_SIGNALS},
    {"right_before_left", KERB_IO_SUMO_RIGHT_BEFORE_LEFT},
    {"left_before_right", KERB_IO_SUMO_LEFT_BEFORE_RIGHT},
    {"priority_stop", KERB_IO_SUMO_STOP},
    {"allway_stop", KERB_IO_SUMO_ALL_STOP},
    {"zipper", KERB_IO_SUMO_ZIPPER},
    {"unregulated", KERB_IO_SUMO_UNREGULATED},
    {"rail_signal", KERB_IO_SUMO_UNREGULATED},
    {"rail_crossing", KERB_IO_SUMO_UNREGULATED},
    {"district", KERB_IO_SUMO_UNREGULATED},
    {"unknown", KERB_IO_SUMO_UNREGULATED},
    {"dead_end", KERB_IO_SUMO_DEAD_END},
    {"internal", KERB_IO_SUMO_INSIDE},
};

static kerb_io_sumo_rule junction_rule(network_reader* r, const char** attributes) {
    const char* text = kerb_io_sumo_text(&r->in, attributes, "type");
    for (size_t i = 0; i < sizeof sumo_junction_types / sizeof *sumo_junction_types; i++)
        if (strcmp(sumo_junction_types[i].name, text) == 0)
            return sumo_junction_types[i].rule;
    kerb_io_sumo_note(&r->in, "type", "unknown type of junction; taken for one of priority");
    return KERB_IO_SUMO_PRIORITY;
}

static void start_junction(network_reader* r, const char** attributes) {
    int32_t index;
    kerb_io_sumo_junction* junction = network_item(r, SUMO_JUNCTIONS, &index);
    junction_names* names = junction ? kerb_io_sumo_item(&r->in, &r->names) : NULL;
    if (!names)
        return;
    const char* incoming = kerb_io_xml_attribute(attributes, "incLanes");
    *junction = (kerb_io_sumo_junction){
        .id = kerb_io_sumo_kept(&r->in, attributes, "id"),
        .rule = junction_rule(r, attributes),
        .requests = {.first = network_count(r, SUMO_REQUESTS)},
        .line = kerb_io_xml_line(r->in.xml),
    };
    junction->place.x =
        kerb_io_sumo_number(&r->in, attributes, "x", (double)NAN, -SUMO_PLACE_MAX, SUMO_PLACE_MAX);
    junction->place.y =
        kerb_io_sumo_number(&r->in, attributes, "y", (double)NAN, -SUMO_PLACE_MAX, SUMO_PLACE_MAX);
    junction->place.z =
        kerb_io_sumo_number(&r->in, attributes, "z", 0.0, -SUMO_PLACE_MAX, SUMO_PLACE_MAX);
    junction->shape = read_shape(r, kerb_io_xml_attribute(attributes, "shape"));
    names->incoming = incoming ? kerb_io_sumo_kept(&r->in, attributes, "incLanes") : "";
    network_name(r, &r->memory->junctions, junction->id, index);
    r->in_junction = true;
}

static void start_request(network_reader* r, const char** attributes) {
    kerb_io_sumo_junction* junction =
        (kerb_io_sumo_junction*)r->memory->lists[SUMO_JUNCTIONS].items +
        network_count(r, SUMO_JUNCTIONS) - 1;
    int32_t place = kerb_io_sumo_integer(&r->in, attributes, "index", junction->requests.count, 0,
                                         SUMO_INDEX_MAX);
    kerb_io_sumo_request* request = network_item(r, SUMO_REQUESTS, NULL);
    if (!request)
        return;
    if (place != junction->requests.count)
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_CONTRADICTION, "index",
                            "requests must be in order, from 0");
    *request = (kerb_io_sumo_request){
        .response = kerb_io_sumo_kept(&r->in, attributes, "response"),
        .foes = kerb_io_sumo_kept(&r->in, attributes, "foes"),
        .inside = kerb_io_sumo_bool(attributes, "cont", false),
    };
    junction->requests.count++;
}

// --------------------------------------------------------------------------- signals

static kerb_io_sumo_signal* signal_item(sumo_reader* in, sumo_network_memory* memory,
                                        const char* id) {
    int32_t index = kerb_io_sumo_name_find(&memory->signals, id, strlen(id));
    if (index < 0) {
        index = memory->lists[SUMO_SIGNALS].count;
        if (!kerb_io_sumo_item(in, &memory->lists[SUMO_SIGNALS]))
            return NULL;
        if (!kerb_io_sumo_name_add(in->allocator, &memory->signals, id, index))
            kerb_io_sumo_refuse(in, KERB_ERROR_OUT_OF_MEMORY, "", "no memory for its name");
    }
    memory->open_signal = index;
    return (kerb_io_sumo_signal*)memory->lists[SUMO_SIGNALS].items + index;
}

void kerb_io_sumo_signal_start(sumo_reader* in, kerb_io_sumo_network* network,
                               const char** attributes) {
    sumo_network_memory* memory = network->memory;
    sumo_pool* pool = in->pool;
    in->pool = &memory->pool; // the programme may stand in another file, which is gone earlier
    const char* id = kerb_io_sumo_kept(in, attributes, "id");
    const char* type = kerb_io_xml_attribute(attributes, "type");
    memory->open_signal = -1;
    kerb_io_sumo_signal* signal = signal_item(in, memory, id);
    if (signal) {
        *signal = (kerb_io_sumo_signal){
            .id = id,
            .programme = kerb_io_xml_attribute(attributes, "programID")
                             ? kerb_io_sumo_kept(in, attributes, "programID")
                             : "0",
            .actuated = type && (strcmp(type, "actuated") == 0 || strcmp(type, "delay_based") == 0),
            .offset = kerb_io_sumo_number(in, attributes, "offset", 0.0, -1.0e9, 1.0e9),
            .phases = {.first = memory->lists[SUMO_PHASES].count},
            .line = kerb_io_xml_line(in->xml),
        };
        if (type && !signal->actuated && strcmp(type, "static") != 0)
            kerb_io_sumo_note(in, "type", "unknown kind of programme; taken for a static one");
    }
    in->pool = pool;
}

static kerb_io_sumo_signal* signal_being_read(sumo_reader* in, sumo_network_memory* memory) {
    if (memory->open_signal >= 0)
        return (kerb_io_sumo_signal*)memory->lists[SUMO_SIGNALS].items + memory->open_signal;
    kerb_io_sumo_refuse(in, KERB_ERROR_SYNTAX, "", "stands outside of a tlLogic");
    return NULL;
}

void kerb_io_sumo_phase_start(sumo_reader* in, kerb_io_sumo_network* network,
                              const char** attributes) {
    sumo_network_memory* memory = network->memory;
    kerb_io_sumo_signal* signal = signal_being_read(in, memory);
    kerb_io_sumo_phase* phase = signal ? kerb_io_sumo_item(in, &memory->lists[SUMO_PHASES]) : NULL;
    if (!phase)
        return;
    double duration = kerb_io_sumo_number(in, attributes, "duration", (double)NAN, 0.0, 1.0e6);
    sumo_pool* pool = in->pool;
    in->pool = &memory->pool;
    *phase = (kerb_io_sumo_phase){
        .duration = duration,
        .min = kerb_io_sumo_number(in, attributes, "minDur", duration, 0.0, 1.0e6),
        .max = kerb_io_sumo_number(in, attributes, "maxDur", duration, 0.0, 1.0e9),
        .state = kerb_io_sumo_kept(in, attributes, "state"),
    };
    in->pool = pool;
    const kerb_io_sumo_phase* first =
        (kerb_io_sumo_phase*)memory->lists[SUMO_PHASES].items + signal->phases.first;
    if (strlen(first->state) != strlen(phase->state))
        kerb_io_sumo_refuse(in, KERB_ERROR_CONTRADICTION, "state",
                            "must have as many letters as that of the first phase");
    signal->phases.count++;
}

void kerb_io_sumo_signal_end(sumo_reader* in, kerb_io_sumo_network* network) {
    sumo_network_memory* memory = network->memory;
    kerb_io_sumo_signal* signal = signal_being_read(in, memory);
    const kerb_io_sumo_phase* phases = memory->lists[SUMO_PHASES].items;
    double cycle = 0.0;
    memory->open_signal = -1;
    for (int32_t i = 0; signal && i < signal->phases.count; i++)
        cycle += phases[signal->phases.first + i].duration;
    if (signal && cycle <= 0.0)
        kerb_io_sumo_refuse(in, KERB_ERROR_TOO_FEW, "phase",
                            "the phases of a programme must last longer than 0 s together");
}

// --------------------------------------------------------------------------- elements

static void start_net(network_reader* r, const char* element, const char** attributes) {
    if (strcmp(element, "net") != 0) {
        kerb_io_sumo_refuse(&r->in, KERB_ERROR_UNKNOWN_FIELD, element,
                            "a network of SUMO begins with <net>");
        return;
    }
    r->rooted = true;
    r->network->left_hand = kerb_io_sumo_bool(attributes, "lefthand", false);
}

static void start_roundabout(network_reader* r, const char** attributes) {
    roundabout_names* round = kerb_io_sumo_item(&r->in, &r->rounds);
    if (round)
        *round = (roundabout_names){kerb_io_sumo_kept(&r->in, attributes, "edges"),
                                    kerb_io_xml_line(r->in.xml)};
}

static void network_on_start(kerb_io_xml* xml, const char* element, const char** attributes) {
    network_reader* r = xml->context;
    bool connection = strcmp(element, "connection") == 0;
    kerb_io_sumo_element(&r->in, element, attributes, connection ? "from" : "id");
    if (!r->rooted)
        start_net(r, element, attributes);
    else if (strcmp(element, "edge") == 0)
        start_edge(r, attributes);
    else if (strcmp(element, "lane") == 0 && r->in_edge)
        network_start_lane(r, attributes);
    else if (connection)
        start_connection(r, attributes);
    else if (strcmp(element, "junction") == 0)
        start_junction(r, attributes);
    else if (strcmp(element, "request") == 0 && r->in_junction)
        start_request(r, attributes);
    else if (strcmp(element, "tlLogic") == 0) {
        kerb_io_sumo_signal_start(&r->in, r->network, attributes);
        r->in_signal = true;
    } else if (strcmp(element, "phase") == 0 && r->in_signal)
        kerb_io_sumo_phase_start(&r->in, r->network, attributes);
    else if (strcmp(element, "roundabout") == 0)
        start_roundabout(r, attributes);
}

static void network_on_end(kerb_io_xml* xml, const char* element) {
    network_reader* r = xml->context;
    if (strcmp(element, "edge") == 0)
        r->in_edge = false;
    else if (strcmp(element, "junction") == 0)
        r->in_junction = false;
    else if (strcmp(element, "tlLogic") == 0) {
        r->in.element = "tlLogic";
        kerb_io_sumo_signal_end(&r->in, r->network);
        r->in_signal = false;
    }
}

// --------------------------------------------------------------------------- after the last
// element

static kerb_result network_error(kerb_error* error, kerb_result result, int32_t line,
                                 const char* field, const char* element, const char* id,
                                 const char* message) {
    char text[144];
    snprintf(text, sizeof text, "%s \"%.40s\": %s", element, id, message);
    return kerb_error_set(error, result, field, line, -1, text);
}

static kerb_result resolve_edges(network_reader* r, kerb_error* error) {
    kerb_io_sumo_edge* edges = r->network->edges;
    const edge_ends* ends = r->ends.items;
    for (int32_t i = 0; i < r->network->edge_count; i++) {
        if (edges[i].function != KERB_IO_SUMO_NORMAL)
            continue;
        const char *from = ends[i].from, *to = ends[i].to;
        edges[i].from = kerb_io_sumo_name_find(&r->memory->junctions, from, strlen(from));
        edges[i].to = kerb_io_sumo_name_find(&r->memory->junctions, to, strlen(to));
        if (edges[i].from < 0 || edges[i].to < 0)
            return network_error(error, KERB_ERROR_UNKNOWN_FIELD, edges[i].line,
                                 edges[i].from < 0 ? "from" : "to", "edge", edges[i].id,
                                 "no junction of this id is in the file");
    }
    return KERB_OK;
}

// Adds the indices of the names to `members`. Names that are unknown are passed over: SUMO lists
// lanes for pedestrians there, too.
static kerb_io_sumo_range members_of(network_reader* r, const sumo_names* names, const char* text) {
    kerb_io_sumo_range range = {network_count(r, SUMO_MEMBERS), 0};
    const char* word;
    size_t length;
    // An id may contain commas and semicolons, but no spaces.
    for (; *(word = text + strspn(text, " \t\r\n")); text = word + length) {
        length = strcspn(word, " \t\r\n");
        int32_t index = kerb_io_sumo_name_find(names, word, length);
        int32_t* member =
            index >= 0 ? kerb_io_sumo_add(r->in.allocator, &r->memory->lists[SUMO_MEMBERS]) : NULL;
        r->out_of_memory |= index >= 0 && !member;
        if (member) {
            *member = index;
            range.count++;
        }
    }
    return range;
}

static void resolve_members(network_reader* r) {
    const junction_names* names = r->names.items;
    const roundabout_names* rounds = r->rounds.items;
    for (int32_t i = 0; i < r->network->junction_count; i++)
        r->network->junctions[i].incoming = members_of(r, &r->memory->lanes, names[i].incoming);
    for (int32_t i = 0; i < r->rounds.count; i++) {
        kerb_io_sumo_roundabout* round =
            kerb_io_sumo_add(r->in.allocator, &r->memory->lists[SUMO_ROUNDABOUTS]);
        r->out_of_memory |= !round;
        if (round)
            round->edges = members_of(r, &r->memory->edges, rounds[i].edges);
    }
}

static kerb_result check_links(network_reader* r, kerb_error* error) {
    const kerb_io_sumo_network* network = r->network;
    for (int32_t i = 0; i < network->connection_count; i++) {
        const kerb_io_sumo_connection* c = &network->connections[i];
        if (c->signal < 0)
            continue;
        const kerb_io_sumo_signal* signal = &network->signals[c->signal];
        if (signal->phases.count == 0 ||
            (size_t)c->link >= strlen(network->phases[signal->phases.first].state))
            return network_error(error, KERB_ERROR_OUT_OF_RANGE, c->line, "linkIndex", "tlLogic",
                                 signal->id, "its states have no letter for this link");
    }
    return KERB_OK;
}

// A byte for each lane that a connection leaves, then one for each junction that an edge leaves.
static char* mark_left(const network_reader* r, size_t bytes) {
    const kerb_io_sumo_network* network = r->network;
    char* left = r->in.allocator->allocate(r->in.allocator->context, bytes, 1);
    if (!left)
        return NULL;
    memset(left, 0, bytes);
    for (int32_t i = 0; i < network->connection_count; i++)
        left[network->connections[i].from] = 1;
    for (int32_t i = 0; i < network->edge_count; i++)
        if (network->edges[i].from >= 0)
            left[network->lane_count + network->edges[i].from] = 1;
    return left;
}

// Where no edge leaves, the network ends, and no connection is missing.
static void note_unconnected(network_reader* r) {
    const kerb_io_sumo_network* network = r->network;
    const size_t bytes = (size_t)network->lane_count + (size_t)network->junction_count + 1;
    char* left = mark_left(r, bytes);
    r->out_of_memory |= !left;
    for (int32_t i = 0; left && i < network->lane_count; i++) {
        const kerb_io_sumo_lane* lane = &network->lanes[i];
        const kerb_io_sumo_edge* edge = &network->edges[lane->edge];
        if (left[i] || edge->function != KERB_IO_SUMO_NORMAL || !lane->classes ||
            network->junctions[edge->to].rule == KERB_IO_SUMO_DEAD_END ||
            !left[network->lane_count + edge->to])
            continue;
        char message[144];
        snprintf(message, sizeof message, "lane \"%.60s\": no connection leads on from its end",
                 lane->id);
        kerb_io_notes_add(r->in.notes, "connection", lane->line, message);
    }
    if (left)
        r->in.allocator->release(r->in.allocator->context, left, bytes);
}

// Connections that no vehicle of any class can use.
static void note_useless(network_reader* r) {
    const kerb_io_sumo_network* network = r->network;
    for (int32_t i = 0; i < network->connection_count; i++) {
        const kerb_io_sumo_connection* c = &network->connections[i];
        const kerb_io_sumo_lane *from = &network->lanes[c->from], *to = &network->lanes[c->to];
        if (!from->classes || !to->classes || (from->classes & to->classes))
            continue;
        char message[144];
        snprintf(message, sizeof message,
                 "connection: lanes \"%.40s\" and \"%.40s\" allow no class together", from->id,
                 to->id);
        kerb_io_notes_add(r->in.notes, "connection", c->line, message);
    }
}

// True when request `a` yields to connection `b`.
static bool yields(const kerb_io_sumo_request* a, int32_t b) {
    size_t length = strlen(a->response);
    return (size_t)b < length && a->response[length - 1 - (size_t)b] == '1';
}

enum { LINKS_MAX = 256 };

// Takes away, again and again, each connection that yields to none of those left. What remains
// yields in a circle.
static int32_t links_in_a_circle(const kerb_io_sumo_request* requests, int32_t count) {
    bool gone[LINKS_MAX] = {false};
    int32_t left = count;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t a = 0; a < count; a++) {
            bool free = !gone[a];
            for (int32_t b = 0; free && b < count; b++)
                free = gone[b] || b == a || !yields(&requests[a], b);
            if (!free)
                continue;
            gone[a] = changed = true;
            left--;
        }
    }
    return left;
}

static void note_circles(network_reader* r) {
    const kerb_io_sumo_network* network = r->network;
    for (int32_t i = 0; i < network->junction_count; i++) {
        const kerb_io_sumo_junction* junction = &network->junctions[i];
        if (junction->rule != KERB_IO_SUMO_PRIORITY || junction->requests.count == 0 ||
            junction->requests.count > LINKS_MAX)
            continue;
        int32_t left = links_in_a_circle(network->requests + junction->requests.first,
                                         junction->requests.count);
        char message[144];
        snprintf(message, sizeof message,
                 "junction \"%.60s\": %d connections yield to one another in a circle",
                 junction->id, left);
        if (left > 0)
            kerb_io_notes_add(r->in.notes, "response", junction->line, message);
    }
}

static kerb_result finish_network(network_reader* r, kerb_error* error) {
    kerb_io_sumo_publish(r->network);
    if (!r->rooted || r->network->lane_count == 0)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "edge", 0, -1,
                              "the network has no edge with a lane");
    kerb_result result = resolve_edges(r, error);
    if (result == KERB_OK)
        resolve_members(r);
    kerb_io_sumo_publish(r->network);
    if (result == KERB_OK)
        result = check_links(r, error);
    if (result != KERB_OK)
        return result;
    note_unconnected(r);
    note_useless(r);
    note_circles(r);
    if (r->out_of_memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1,
                              "no memory for the network");
    return KERB_OK;
}

// --------------------------------------------------------------------------- the whole file

static bool network_make(kerb_io_sumo_network* network, const kerb_allocator* allocator) {
    sumo_network_memory* memory =
        allocator->allocate(allocator->context, sizeof *memory, _Alignof(max_align_t));
    *network = (kerb_io_sumo_network){.memory = memory};
    if (!memory)
        return false;
    *memory = (sumo_network_memory){.pool.allocator = *allocator, .open_signal = -1};
    for (size_t i = 0; i < sizeof sumo_sizes / sizeof *sumo_sizes; i++)
        memory->lists[i].size = sumo_sizes[i];
    return true;
}

kerb_result kerb_io_sumo_network_read(kerb_io_sumo_network* network, const char* text,
                                      size_t length, const kerb_host* host, kerb_io_notes* notes,
                                      kerb_error* error) {
    const kerb_allocator* allocator = &host->allocator;
    if (!network_make(network, allocator))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1,
                              "no memory for the network");
    sumo_network_memory* memory = network->memory;
    network_reader r = {.network = network,
                        .memory = memory,
                        .ends.size = sizeof(edge_ends),
                        .names.size = sizeof(junction_names),
                        .rounds.size = sizeof(roundabout_names)};
    kerb_io_xml xml = {.context = &r, .start = network_on_start, .end = network_on_end};
    r.in =
        (sumo_reader){.xml = &xml, .allocator = allocator, .pool = &memory->pool, .notes = notes};
    kerb_result result = kerb_io_xml_parse(&xml, text, length, error);
    if (result == KERB_OK)
        result = finish_network(&r, error);
    kerb_io_sumo_list_destroy(allocator, &r.ends);
    kerb_io_sumo_list_destroy(allocator, &r.names);
    kerb_io_sumo_list_destroy(allocator, &r.rounds);
    if (result != KERB_OK)
        kerb_io_sumo_network_destroy(network);
    return result;
}
