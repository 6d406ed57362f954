// Purpose: reads the roads of an OpenDRIVE file.
// Idea:    Elements of a kind stand in one list for all roads, in the order of the file, and a road
//          knows where its own begin. So nothing is allocated for each road.
// Cost:    O(length).
// Source:  ASAM OpenDRIVE 1.4 to 1.8.
#include "io/opendrive_xml.h"

#include "io/xml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 10000000, LANE_MAX = 100 };

#define ROAD_PLACE_MAX 1.0e9  // of any number that is a place [m]
#define ROAD_LENGTH_MAX 1.0e6 // of one geometry [m]
#define CURVATURE_MAX 10.0    // tighter than any wheel turns [1/m]

typedef struct opendrive_reader {
    opendrive_document* document;
    const kerb_allocator* allocator;
    bool rooted, in_road, in_lane, in_geometry;
} opendrive_reader;

static const size_t item_sizes[OPENDRIVE_KIND_COUNT] = {
    [OPENDRIVE_ROADS] = sizeof(opendrive_road),
    [OPENDRIVE_GEOMETRIES] = sizeof(opendrive_geometry),
    [OPENDRIVE_ELEVATIONS] = sizeof(opendrive_cubic),
    [OPENDRIVE_ROLLS] = sizeof(opendrive_cubic),
    [OPENDRIVE_OFFSETS] = sizeof(opendrive_cubic),
    [OPENDRIVE_SECTIONS] = sizeof(opendrive_cubic),
    [OPENDRIVE_LANES] = sizeof(opendrive_lane),
    [OPENDRIVE_WIDTHS] = sizeof(opendrive_width),
};

// --------------------------------------------------------------------------- lists

static void* last_of(const opendrive_list* list) {
    return list->count > 0 ? (char*)list->items + (size_t)(list->count - 1) * list->size : NULL;
}

// A new item of zeros, or NULL with a refusal.
static void* opendrive_add(kerb_io_xml* xml, opendrive_kind kind) {
    opendrive_reader* in = xml->context;
    opendrive_list* list = &in->document->list[kind];
    if (list->count == ITEMS_MAX) {
        kerb_io_xml_refuse(xml, KERB_ERROR_TOO_MANY, "road", "the file has too many elements");
        return NULL;
    }
    if (list->count == list->capacity) {
        int32_t capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        char* more = in->allocator->allocate(in->allocator->context, (size_t)capacity * list->size,
                                             _Alignof(max_align_t));
        if (!more) {
            kerb_io_xml_refuse(xml, KERB_ERROR_OUT_OF_MEMORY, "", "no memory for the roads");
            return NULL;
        }
        if (list->count > 0) {
            memcpy(more, list->items, (size_t)list->count * list->size);
            in->allocator->release(in->allocator->context, list->items,
                                   (size_t)list->capacity * list->size);
        }
        list->items = more;
        list->capacity = capacity;
    }
    list->count++;
    return memset(last_of(list), 0, list->size);
}

void kerb_io_opendrive_xml_destroy(opendrive_document* document, const kerb_allocator* allocator) {
    for (int32_t kind = 0; kind < OPENDRIVE_KIND_COUNT; kind++) {
        opendrive_list* list = &document->list[kind];
        if (list->items)
            allocator->release(allocator->context, list->items,
                               (size_t)list->capacity * list->size);
    }
    *document = (opendrive_document){.list = {{.items = NULL}}};
}

const void* kerb_io_opendrive_items(const opendrive_document* document, int32_t road,
                                    opendrive_kind kind, int32_t* count) {
    const opendrive_list* list = &document->list[kind];
    const opendrive_road* roads = document->list[OPENDRIVE_ROADS].items;
    int32_t first = roads[road].first[kind];
    int32_t next = road + 1 < document->list[OPENDRIVE_ROADS].count ? roads[road + 1].first[kind]
                                                                    : list->count;
    *count = next - first;
    return *count > 0 ? (const char*)list->items + (size_t)first * list->size : NULL;
}

// --------------------------------------------------------------------------- elements

static double place(kerb_io_xml* xml, const char** attributes, const char* name, double standard,
                    double most) {
    double value = kerb_io_xml_number(xml, attributes, name, standard);
    char message[64];
    if (fabs(value) <= most)
        return value;
    snprintf(message, sizeof message, "must be from -%.0f to %.0f", most, most);
    kerb_io_xml_refuse(xml, KERB_ERROR_OUT_OF_RANGE, name, message);
    return 0.0;
}

static void copy_text(char text[64], const char* from) {
    snprintf(text, 64, "%s", from ? from : "");
}

static void start_road(kerb_io_xml* xml, const char** attributes) {
    opendrive_reader* in = xml->context;
    opendrive_road* road = opendrive_add(xml, OPENDRIVE_ROADS);
    if (!road)
        return;
    road->line = kerb_io_xml_line(xml);
    copy_text(road->id, kerb_io_xml_attribute(attributes, "id"));
    copy_text(road->name, kerb_io_xml_attribute(attributes, "name"));
    for (int32_t kind = 0; kind < OPENDRIVE_KIND_COUNT; kind++)
        road->first[kind] = in->document->list[kind].count;
    in->in_road = true;
}

static void take_link(kerb_io_xml* xml, const char** attributes, int32_t end) {
    opendrive_reader* in = xml->context;
    opendrive_road* road = last_of(&in->document->list[OPENDRIVE_ROADS]);
    const char* type = kerb_io_xml_attribute(attributes, "elementType");
    const char* contact = kerb_io_xml_attribute(attributes, "contactPoint");
    if (!type || strcmp(type, "road") != 0)
        return;
    road->link[end].given = true;
    road->link[end].end = contact && strcmp(contact, "end") == 0;
    copy_text(road->link[end].road, kerb_io_xml_attribute(attributes, "elementId"));
}

static void start_geometry(kerb_io_xml* xml, const char** attributes) {
    opendrive_reader* in = xml->context;
    opendrive_geometry* g = opendrive_add(xml, OPENDRIVE_GEOMETRIES);
    if (!g)
        return;
    g->line = kerb_io_xml_line(xml);
    g->s = place(xml, attributes, "s", 0.0, ROAD_PLACE_MAX);
    g->x = place(xml, attributes, "x", (double)NAN, ROAD_PLACE_MAX);
    g->y = place(xml, attributes, "y", (double)NAN, ROAD_PLACE_MAX);
    g->heading = place(xml, attributes, "hdg", (double)NAN, 1e6);
    g->length = place(xml, attributes, "length", (double)NAN, ROAD_LENGTH_MAX);
    if (g->length < 0.0)
        kerb_io_xml_refuse(xml, KERB_ERROR_OUT_OF_RANGE, "length", "must not be negative");
    in->in_geometry = true;
}

static void cubic_of(kerb_io_xml* xml, const char** attributes, const char* const names[4],
                     double c[4]) {
    for (int32_t i = 0; i < 4; i++)
        c[i] = place(xml, attributes, names[i], 0.0, ROAD_PLACE_MAX);
}

static void take_shape(kerb_io_xml* xml, const char* element, const char** attributes) {
    static const char *const plain[] = {"a", "b", "c", "d"}, *const u[] = {"aU", "bU", "cU", "dU"},
                             *const v[] = {"aV", "bV", "cV", "dV"};
    opendrive_reader* in = xml->context;
    opendrive_geometry* g = last_of(&in->document->list[OPENDRIVE_GEOMETRIES]);
    bool line = strcmp(element, "line") == 0, arc = strcmp(element, "arc") == 0;
    if (line || arc || strcmp(element, "spiral") == 0) {
        g->shape = OPENDRIVE_CURVATURE;
        const char* names[] = {arc ? "curvature" : "curvStart", arc ? "curvature" : "curvEnd"};
        for (int32_t i = 0; i < 2 && !line; i++)
            g->curvature[i] = place(xml, attributes, names[i], (double)NAN, CURVATURE_MAX);
    } else if (strcmp(element, "poly3") == 0) {
        g->shape = OPENDRIVE_POLY3;
        cubic_of(xml, attributes, plain, g->v);
    } else if (strcmp(element, "paramPoly3") == 0) {
        const char* range = kerb_io_xml_attribute(attributes, "pRange");
        g->shape = OPENDRIVE_PARAM_POLY3;
        g->normalized = !range || strcmp(range, "arcLength") != 0;
        cubic_of(xml, attributes, u, g->u);
        cubic_of(xml, attributes, v, g->v);
    }
}

static void take_cubic(kerb_io_xml* xml, opendrive_kind kind, const char** attributes) {
    static const char* const names[] = {"a", "b", "c", "d"};
    opendrive_cubic* cubic = opendrive_add(xml, kind);
    if (!cubic)
        return;
    cubic->s = place(xml, attributes, "s", 0.0, ROAD_PLACE_MAX);
    if (kind != OPENDRIVE_SECTIONS)
        cubic_of(xml, attributes, names, cubic->c);
}

static bool is_driven(const char* type) {
    static const char* const driven[] = {
        "driving",  "entry",   "exit",          "onRamp",   "offRamp", "connectingRamp",
        "mwyEntry", "mwyExit", "bidirectional", "slipLane", "bus",     "taxi",
        "HOV"};
    for (size_t i = 0; type && i < sizeof driven / sizeof driven[0]; i++)
        if (strcmp(driven[i], type) == 0)
            return true;
    return false;
}

static void start_lane(kerb_io_xml* xml, const char** attributes) {
    opendrive_reader* in = xml->context;
    double id = place(xml, attributes, "id", (double)NAN, LANE_MAX);
    opendrive_lane* lane = opendrive_add(xml, OPENDRIVE_LANES);
    if (!lane)
        return;
    lane->section = in->document->list[OPENDRIVE_SECTIONS].count - 1;
    lane->id = (int32_t)id;
    lane->driven = is_driven(kerb_io_xml_attribute(attributes, "type"));
    in->in_lane = true;
}

static void take_width(kerb_io_xml* xml, bool border, const char** attributes) {
    static const char* const names[] = {"a", "b", "c", "d"};
    opendrive_reader* in = xml->context;
    opendrive_width* width = opendrive_add(xml, OPENDRIVE_WIDTHS);
    if (!width)
        return;
    width->lane = in->document->list[OPENDRIVE_LANES].count - 1;
    width->border = border;
    width->cubic.s = place(xml, attributes, "sOffset", 0.0, ROAD_PLACE_MAX);
    cubic_of(xml, attributes, names, width->cubic.c);
}

// --------------------------------------------------------------------------- the parser's calls

static void start_in_road(kerb_io_xml* xml, const char* element, const char** attributes) {
    opendrive_reader* in = xml->context;
    if (in->in_geometry)
        take_shape(xml, element, attributes);
    else if (in->in_lane && (strcmp(element, "width") == 0 || strcmp(element, "border") == 0))
        take_width(xml, element[0] == 'b', attributes);
    else if (in->in_lane)
        return; // its links name lanes, not roads
    else if (strcmp(element, "geometry") == 0)
        start_geometry(xml, attributes);
    else if (strcmp(element, "predecessor") == 0)
        take_link(xml, attributes, 0);
    else if (strcmp(element, "successor") == 0)
        take_link(xml, attributes, 1);
    else if (strcmp(element, "elevation") == 0)
        take_cubic(xml, OPENDRIVE_ELEVATIONS, attributes);
    else if (strcmp(element, "superelevation") == 0)
        take_cubic(xml, OPENDRIVE_ROLLS, attributes);
    else if (strcmp(element, "laneOffset") == 0)
        take_cubic(xml, OPENDRIVE_OFFSETS, attributes);
    else if (strcmp(element, "laneSection") == 0)
        take_cubic(xml, OPENDRIVE_SECTIONS, attributes);
    else if (strcmp(element, "lane") == 0)
        start_lane(xml, attributes);
}

static void opendrive_on_start(kerb_io_xml* xml, const char* element, const char** attributes) {
    opendrive_reader* in = xml->context;
    if (!in->rooted && strcmp(element, "OpenDRIVE") != 0)
        kerb_io_xml_refuse(xml, KERB_ERROR_SYNTAX, "OpenDRIVE", "this is no OpenDRIVE file");
    else if (in->in_road)
        start_in_road(xml, element, attributes);
    else if (in->rooted && strcmp(element, "road") == 0)
        start_road(xml, attributes);
    in->rooted = true;
}

static void opendrive_on_end(kerb_io_xml* xml, const char* element) {
    opendrive_reader* in = xml->context;
    if (in->in_geometry && strcmp(element, "geometry") == 0) {
        const opendrive_geometry* g = last_of(&in->document->list[OPENDRIVE_GEOMETRIES]);
        in->in_geometry = false;
        if (g->shape == OPENDRIVE_NO_SHAPE)
            kerb_io_xml_refuse(xml, KERB_ERROR_UNKNOWN_FIELD, "geometry",
                               "must hold line, arc, spiral, poly3 or paramPoly3");
    } else if (in->in_lane && strcmp(element, "lane") == 0) {
        in->in_lane = false;
    } else if (in->in_road && strcmp(element, "road") == 0) {
        in->in_road = false;
    }
}

kerb_result kerb_io_opendrive_xml_read(opendrive_document* document, const char* text,
                                       size_t length, const kerb_allocator* allocator,
                                       kerb_error* error) {
    opendrive_reader in = {.document = document, .allocator = allocator};
    kerb_io_xml xml = {.context = &in, .start = opendrive_on_start, .end = opendrive_on_end};
    *document = (opendrive_document){.list = {{.items = NULL}}};
    for (int32_t kind = 0; kind < OPENDRIVE_KIND_COUNT; kind++)
        document->list[kind].size = item_sizes[kind];
    kerb_result result = kerb_io_xml_parse(&xml, text, length, error);
    if (result != KERB_OK)
        kerb_io_opendrive_xml_destroy(document, allocator);
    return result;
}
