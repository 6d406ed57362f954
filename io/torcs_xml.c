// Purpose: reads the XML of a TORCS track.
// Idea:    The file has nested sections with numbers (attnum, with a unit) and words (attstr). Only
//          Header and Main Track are used. No other file is opened, so entities are skipped,
//          declared or not.
// Cost:    O(length), one pass.
#include "io/torcs_xml.h"

#include "io/number.h"
#include "io/quote.h"
#include "io/xml.h"
#include "kerb/io/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const number_names[TORCS_NUMBER_COUNT] = {
    [TORCS_LENGTH] = "lg",
    [TORCS_ARC] = "arc",
    [TORCS_RADIUS] = "radius",
    [TORCS_END_RADIUS] = "end radius",
    [TORCS_Z_START] = "z start",
    [TORCS_Z_START_LEFT] = "z start left",
    [TORCS_Z_START_RIGHT] = "z start right",
    [TORCS_Z_END] = "z end",
    [TORCS_Z_END_LEFT] = "z end left",
    [TORCS_Z_END_RIGHT] = "z end right",
    [TORCS_GRADE] = "grade",
    [TORCS_BANKING_START] = "banking start",
    [TORCS_BANKING_END] = "banking end",
    [TORCS_STEPS] = "profil steps",
    [TORCS_STEPS_LENGTH] = "profil steps length",
    [TORCS_START_TANGENT] = "profil start tangent",
    [TORCS_START_TANGENT_LEFT] = "profil start tangent left",
    [TORCS_START_TANGENT_RIGHT] = "profil start tangent right",
    [TORCS_END_TANGENT] = "profil end tangent",
    [TORCS_END_TANGENT_LEFT] = "profil end tangent left",
    [TORCS_END_TANGENT_RIGHT] = "profil end tangent right",
};

const char* kerb_io_torcs_number_name(torcs_number number) {
    return number_names[number];
}

void kerb_io_torcs_xml_destroy(torcs_document* document, const kerb_allocator* allocator) {
    if (document->segments)
        allocator->release(allocator->context, document->segments,
                           (size_t)document->capacity * sizeof(torcs_segment));
    *document = (torcs_document){.segments = NULL};
}

bool kerb_io_track_torcs_available(void) {
#if defined(KERB_HAVE_EXPAT)
    return true;
#else
    return false;
#endif
}

// Where in the file the parser is.
typedef enum torcs_place {
    ELSEWHERE,
    IN_HEADER,
    IN_MAIN,
    IN_SEGMENTS,
    IN_SEGMENT,
    IN_SURFACES,
    IN_SURFACE,
    IN_SIDE, // of the main track or of a segment
} torcs_place;

enum { DEPTH_MAX = 64 };

typedef struct parse {
    kerb_io_xml xml;
    const kerb_allocator* allocator;
    torcs_document* document;
    bool rooted; // the root element has been seen
    int32_t depth;
    torcs_place places[DEPTH_MAX]; // of the sections that are open
    double version;
    int32_t version_line, width_line;   // 0: not given
    int32_t beside;                     // IN_SIDE: 0 right, 1 left; 2 and 3 their borders
    bool beside_segment;                // IN_SIDE: of a segment
    char elsewhere[96], undeclared[96]; // names of files and of entities
} parse;

// --------------------------------------------------------------------------- refusing

// Only the first fault counts.
static void torcs_xml_refuse(parse* p, kerb_result result, const char* field, const char* message) {
    if (p->xml.result != KERB_OK)
        return;
    kerb_io_xml_refuse(&p->xml, result, field, message);
    if (p->depth > 0 && p->places[p->depth - 1] == IN_SEGMENT)
        p->xml.error.index = p->document->count - 1;
}

static void refuse_word(parse* p, kerb_result result, const char* field, const char* message,
                        const char* word) {
    char quoted[KERB_IO_QUOTE_MAX], whole[144];
    kerb_io_quote(quoted, word, strlen(word));
    snprintf(whole, sizeof whole, "%s: \"%s\"", message, quoted);
    torcs_xml_refuse(p, result, field, whole);
}

// --------------------------------------------------------------------------- sections

static void add_segment(parse* p) {
    torcs_document* d = p->document;
    if (d->count == d->capacity) {
        int32_t capacity = d->capacity > 0 ? 2 * d->capacity : 64;
        size_t size = (size_t)capacity * sizeof(torcs_segment);
        torcs_segment* more =
            p->allocator->allocate(p->allocator->context, size, _Alignof(torcs_segment));
        if (!more) {
            torcs_xml_refuse(p, KERB_ERROR_OUT_OF_MEMORY, "", "no memory for the segments");
            return;
        }
        int32_t count = d->count;
        torcs_document grown = *d;
        if (count > 0)
            memcpy(more, d->segments, (size_t)count * sizeof(torcs_segment));
        kerb_io_torcs_xml_destroy(d, p->allocator);
        *d = grown;
        d->segments = more;
        d->capacity = capacity;
    }
    const torcs_side unknown = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    d->segments[d->count++] =
        (torcs_segment){.line = kerb_io_xml_line(&p->xml), .side = {unknown, unknown}};
}

static bool is_side(parse* p, torcs_place outer, const char* name) {
    static const char* const sides[] = {"Right Side", "Left Side", "Right Border", "Left Border"};
    for (int32_t i = 0; i < 4 && (outer == IN_MAIN || outer == IN_SEGMENT); i++)
        if (strcmp(sides[i], name) == 0) {
            p->beside = i;
            p->beside_segment = outer == IN_SEGMENT;
            return true;
        }
    return false;
}

static void add_surface(torcs_document* d, const char* name) {
    if (d->surface_count == TORCS_SURFACES_MAX)
        return;
    torcs_surface* surface = &d->surfaces[d->surface_count++];
    snprintf(surface->name, sizeof surface->name, "%s", name);
    surface->friction = (double)NAN;
}

static torcs_place place_within(parse* p, const char* name) {
    if (p->depth == 0) {
        bool main = strcmp(name, "Main Track") == 0;
        if (strcmp(name, "Surfaces") == 0)
            return IN_SURFACES;
        return main ? IN_MAIN : strcmp(name, "Header") == 0 ? IN_HEADER : ELSEWHERE;
    }
    torcs_place outer = p->places[p->depth - 1];
    if (is_side(p, outer, name))
        return IN_SIDE;
    if (outer == IN_SURFACES)
        return IN_SURFACE;
    // Version 4 calls the list by its first name, version 3 by its second.
    if (outer == IN_MAIN && (strcmp(name, "Track Segments") == 0 || strcmp(name, "segments") == 0))
        return IN_SEGMENTS;
    return outer == IN_SEGMENTS ? IN_SEGMENT : ELSEWHERE;
}

static void open_section(parse* p, const char** attributes) {
    const char* name = kerb_io_xml_attribute(attributes, "name");
    if (!name) {
        torcs_xml_refuse(p, KERB_ERROR_MISSING_FIELD, "name", "the section has no name");
        return;
    }
    if (p->depth == DEPTH_MAX) {
        torcs_xml_refuse(p, KERB_ERROR_TOO_MANY, "section", "sections are nested too deeply");
        return;
    }
    torcs_place here = place_within(p, name);
    p->places[p->depth++] = here;
    if (here == IN_SEGMENT)
        add_segment(p);
    if (here == IN_SURFACE)
        add_surface(p->document, name);
}

// --------------------------------------------------------------------------- numbers

static const struct {
    const char* name;
    double size;
} units[] = {
    {"m", 1.0},     {"rad", 1.0},   {"deg", 3.14159265358979323846 / 180.0},
    {"%", 0.01},    {"km", 1e3},    {"cm", 0.01},
    {"mm", 0.001},  {"ft", 0.3048}, {"feet", 0.3048},
    {"in", 0.0254},
};

static bool unit_size(parse* p, const char* name, const char* unit, double* size) {
    *size = 1.0;
    if (!unit)
        return true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, unit) == 0) {
            *size = units[i].size;
            return true;
        }
    refuse_word(p, KERB_ERROR_UNKNOWN_FIELD, name, "is in a unit that tracks do not have", unit);
    return false;
}

static bool torcs_xml_read_number(parse* p, const char* name, const char** attributes,
                                  double* value) {
    const char *text = kerb_io_xml_attribute(attributes, "val"), *at = text;
    double size;
    if (!text) {
        torcs_xml_refuse(p, KERB_ERROR_MISSING_FIELD, name, "has no val");
        return false;
    }
    while (*at == ' ')
        at++;
    size_t length = strlen(at);
    while (length > 0 && at[length - 1] == ' ')
        length--;
    kerb_result result = kerb_io_number_read_double(at, length, value);
    if (result != KERB_OK) {
        refuse_word(
            p, result, name,
            result == KERB_ERROR_WRONG_TYPE ? "must be a number" : "must be a finite number", text);
        return false;
    }
    if (!unit_size(p, name, kerb_io_xml_attribute(attributes, "unit"), &size))
        return false;
    *value *= size;
    return true;
}

static void take_beside(parse* p, const char* name, const char** attributes) {
    torcs_document* d = p->document;
    torcs_side* side = p->beside_segment ? d->segments[d->count - 1].side : d->side;
    side += p->beside % 2;
    double* value = p->beside >= 2 && strcmp(name, "width") == 0 ? &side->border
                    : p->beside >= 2                             ? NULL
                    : strcmp(name, "start width") == 0           ? &side->start
                    : strcmp(name, "width") == 0                 ? &side->width
                    : strcmp(name, "end width") == 0             ? &side->end
                                                                 : NULL;
    double read;
    if (value && torcs_xml_read_number(p, name, attributes, &read))
        *value = fmin(fmax(read, 0.0), 1000.0);
}

static void take_number(parse* p, torcs_place here, const char* name, const char** attributes) {
    torcs_document* d = p->document;
    if (here == IN_HEADER && strcmp(name, "version") == 0 &&
        torcs_xml_read_number(p, name, attributes, &p->version))
        p->version_line = kerb_io_xml_line(&p->xml);
    if (here == IN_MAIN && strcmp(name, "width") == 0 &&
        torcs_xml_read_number(p, name, attributes, &d->width))
        p->width_line = kerb_io_xml_line(&p->xml);
    if (here == IN_MAIN && strcmp(name, number_names[TORCS_STEPS_LENGTH]) == 0)
        torcs_xml_read_number(p, name, attributes, &d->steps_length);
    if (here == IN_SURFACE && strcmp(name, "friction") == 0 && d->surface_count > 0)
        torcs_xml_read_number(p, name, attributes, &d->surfaces[d->surface_count - 1].friction);
    if (here == IN_SIDE)
        take_beside(p, name, attributes);
    for (int32_t i = 0; i < TORCS_NUMBER_COUNT && here == IN_SEGMENT; i++) {
        torcs_segment* s = &d->segments[d->count - 1];
        if (strcmp(name, number_names[i]) == 0 &&
            torcs_xml_read_number(p, name, attributes, &s->numbers[i]))
            s->given |= UINT32_C(1) << i;
    }
}

// --------------------------------------------------------------------------- words

static void take_type(parse* p, torcs_segment* s, const char* word) {
    if (strcmp(word, "str") == 0)
        s->type = TORCS_STRAIGHT;
    else if (strcmp(word, "lft") == 0)
        s->type = TORCS_LEFT;
    else if (strcmp(word, "rgt") == 0)
        s->type = TORCS_RIGHT;
    else
        refuse_word(p, KERB_ERROR_UNKNOWN_FIELD, "type", "must be str, lft or rgt", word);
}

static void take_word(parse* p, torcs_place here, const char* name, const char* word) {
    if (!word) {
        torcs_xml_refuse(p, KERB_ERROR_MISSING_FIELD, name, "has no val");
        return;
    }
    if (here == IN_HEADER && strcmp(name, "name") == 0)
        snprintf(p->document->name, sizeof p->document->name, "%s", word);
    if (here == IN_MAIN && strcmp(name, "surface") == 0)
        snprintf(p->document->surface, sizeof p->document->surface, "%s", word);
    if (here != IN_SEGMENT)
        return;
    torcs_segment* s = &p->document->segments[p->document->count - 1];
    if (strcmp(name, "surface") == 0)
        snprintf(s->surface, sizeof s->surface, "%s", word);
    else if (strcmp(name, "type") == 0)
        take_type(p, s, word);
    else if (strcmp(name, "profil") == 0)
        s->linear = strcmp(word, "spline") != 0;
}

// --------------------------------------------------------------------------- the parser's calls

static void torcs_xml_on_start(kerb_io_xml* xml, const char* element, const char** attributes) {
    parse* p = xml->context;
    if (!p->rooted) {
        p->rooted = true;
        if (strcmp(element, "params") != 0)
            refuse_word(p, KERB_ERROR_SYNTAX, "params", "this is no TORCS track: its root is",
                        element);
        return;
    }
    if (strcmp(element, "section") == 0) {
        open_section(p, attributes);
        return;
    }
    torcs_place here = p->depth > 0 ? p->places[p->depth - 1] : ELSEWHERE;
    const char* name = kerb_io_xml_attribute(attributes, "name");
    if (!name || here == ELSEWHERE || here == IN_SEGMENTS)
        return;
    if (strcmp(element, "attnum") == 0)
        take_number(p, here, name, attributes);
    else if (strcmp(element, "attstr") == 0)
        take_word(p, here, name, kerb_io_xml_attribute(attributes, "val"));
}

static void torcs_xml_on_end(kerb_io_xml* xml, const char* element) {
    parse* p = xml->context;
    if (strcmp(element, "section") == 0)
        p->depth--;
}

// --------------------------------------------------------------------------- other files

static void add_to_list(char list[96], const char* name) {
    size_t used = strlen(list);
    if (!strstr(list, name))
        snprintf(list + used, 96 - used, "%s%s", used > 0 ? ", " : "", name);
}

static void torcs_xml_on_other_file(kerb_io_xml* xml, const char* file) {
    parse* p = xml->context;
    const char* slash = strrchr(file, '/');
    add_to_list(p->elsewhere, slash ? slash + 1 : file);
}

static void torcs_xml_on_undeclared(kerb_io_xml* xml, const char* entity) {
    parse* p = xml->context;
    add_to_list(p->undeclared, entity);
}

static void note_list(kerb_io_notes* notes, const char* what, const char* list) {
    char quoted[96], message[144];
    size_t i = 0;
    for (; list[i] && i < sizeof quoted - 1; i++)
        quoted[i] = list[i] >= ' ' && list[i] <= '~' ? list[i] : '?';
    quoted[i] = '\0';
    snprintf(message, sizeof message, "%s: %s", what, quoted);
    if (i > 0)
        kerb_io_notes_add(notes, "", 0, message);
}

// --------------------------------------------------------------------------- what segments inherit

#define ASPHALT_FRICTION 1.2 // of the asphalt of TORCS, on which its cars are set up

static double or_else(double value, double standard) {
    return isnan(value) ? standard : value;
}

// Sides go on as they ended, unless the segment says otherwise.
static void inherit_sides(torcs_document* d) {
    for (int32_t side = 0; side < 2; side++) {
        torcs_side before = d->side[side];
        before.end = before.width;
        for (int32_t i = 0; i < d->count; i++) {
            torcs_side* here = &d->segments[i].side[side];
            if (d->segments[i].type == TORCS_NO_TYPE)
                continue;
            here->start = or_else(here->start, before.end);
            here->width = or_else(here->width, here->start);
            here->end = or_else(here->end, here->width);
            here->border = or_else(here->border, before.border);
            before = *here;
        }
    }
}

static double friction_of(const torcs_document* d, const char* surface) {
    for (int32_t i = 0; i < d->surface_count; i++)
        if (strcmp(d->surfaces[i].name, surface) == 0)
            return d->surfaces[i].friction;
    return (double)NAN;
}

static void inherit_surfaces(torcs_document* d, char unknown[96]) {
    const char* surface = d->surface;
    for (int32_t i = 0; i < d->count; i++) {
        torcs_segment* s = &d->segments[i];
        if (s->surface[0])
            surface = s->surface;
        double friction = friction_of(d, surface[0] ? surface : "asphalt");
        if (isnan(friction) && surface[0])
            add_to_list(unknown, surface);
        s->grip = fmin(fmax(or_else(friction, ASPHALT_FRICTION) / ASPHALT_FRICTION, 0.01), 10.0);
    }
}

static void finish_document(parse* p, kerb_io_notes* notes) {
    char unknown[96] = "";
    inherit_sides(p->document);
    inherit_surfaces(p->document, unknown);
    note_list(notes, "ignored what is in other files", p->elsewhere);
    note_list(notes, "ignored entities that are not declared", p->undeclared);
    note_list(notes, "assumed a grip of 1 on surfaces without a friction", unknown);
}

// --------------------------------------------------------------------------- the whole

static kerb_result check_document(const parse* p, kerb_error* error) {
    if (p->version_line == 0)
        return kerb_error_set(error, KERB_ERROR_MISSING_FIELD, "version", 0, -1,
                              "the section Header has no version");
    if (p->version != 3.0 && p->version != 4.0)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "version", p->version_line, -1,
                              "must be 3 or 4");
    if (!(p->document->width >= 0.1 && p->document->width <= 1000.0))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "width", p->width_line, -1,
                              "must be from 0.1 to 1000 m");
    if (p->document->count == 0)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "Track Segments", 0, -1,
                              "the main track has no segments");
    return KERB_OK;
}

kerb_result kerb_io_torcs_xml_read(torcs_document* document, const char* text, size_t length,
                                   const kerb_allocator* allocator, kerb_io_notes* notes,
                                   kerb_error* error) {
    *document = (torcs_document){.width = 15.0}; // what TORCS takes where none is given
    parse p = {.allocator = allocator,
               .document = document,
               .xml = {.start = torcs_xml_on_start,
                       .end = torcs_xml_on_end,
                       .other_file = torcs_xml_on_other_file,
                       .undeclared = torcs_xml_on_undeclared}};
    p.xml.context = &p;
    kerb_result result = kerb_io_xml_parse(&p.xml, text, length, error);
    if (result == KERB_OK)
        result = check_document(&p, error);
    if (result == KERB_OK)
        finish_document(&p, notes);
    else
        kerb_io_torcs_xml_destroy(document, allocator);
    return result;
}
