// The roads of an OpenDRIVE file as its XML lists them. track_opendrive.c gives them their meaning.
#ifndef KERB_IO_OPENDRIVE_XML_H
#define KERB_IO_OPENDRIVE_XML_H

#include "kerb/base.h"

/// A cubic of the distance from `s`, until the next one begins.
typedef struct opendrive_cubic {
    double s;
    double c[4];
} opendrive_cubic;

typedef enum opendrive_shape {
    OPENDRIVE_NO_SHAPE,
    OPENDRIVE_CURVATURE,  ///< line, arc, spiral: linear from curvature[0] to curvature[1]
    OPENDRIVE_POLY3,      ///< v is the cubic `v` of u
    OPENDRIVE_PARAM_POLY3 ///< u and v are cubics of the distance, or of its share of the length
} opendrive_shape;

typedef struct opendrive_geometry {
    int32_t line;
    opendrive_shape shape;
    double s, x, y, heading, length;
    double curvature[2];
    double u[4], v[4];
    bool normalized; ///< OPENDRIVE_PARAM_POLY3: of the share
} opendrive_geometry;

typedef struct opendrive_lane {
    int32_t section; ///< of all in the file
    int32_t id;      ///< positive to the left
    bool driven;
} opendrive_lane;

/// Width of a lane, or distance of its outer border, as a cubic of the distance in the section.
typedef struct opendrive_width {
    int32_t lane; ///< of all in the file
    bool border;
    opendrive_cubic cubic;
} opendrive_width;

typedef struct opendrive_link {
    bool given;    ///< to a road, not to a junction
    char road[64]; ///< id
    bool end;      ///< to its end, else to its start
} opendrive_link;

/// Items of one kind of all roads in order. The index after the last of a road is the first of the
/// next.
typedef struct opendrive_list {
    void* items;
    int32_t count, capacity;
    size_t size;
} opendrive_list;

typedef enum opendrive_kind {
    OPENDRIVE_ROADS,
    OPENDRIVE_GEOMETRIES,
    OPENDRIVE_ELEVATIONS,
    OPENDRIVE_ROLLS,
    OPENDRIVE_OFFSETS,
    OPENDRIVE_SECTIONS, ///< cubics of which only `s` counts
    OPENDRIVE_LANES,
    OPENDRIVE_WIDTHS,
    OPENDRIVE_KIND_COUNT
} opendrive_kind;

typedef struct opendrive_road {
    int32_t line;
    char id[64], name[64];
    opendrive_link link[2];              ///< of its start, of its end
    int32_t first[OPENDRIVE_KIND_COUNT]; ///< items before those of the road
} opendrive_road;

typedef struct opendrive_document {
    opendrive_list list[OPENDRIVE_KIND_COUNT];
} opendrive_document;

/// Reads the XML. On error nothing is allocated.
kerb_result kerb_io_opendrive_xml_read(opendrive_document* document, const char* text,
                                       size_t length, const kerb_allocator* allocator,
                                       kerb_error* error);

void kerb_io_opendrive_xml_destroy(opendrive_document* document, const kerb_allocator* allocator);

/// The items of a kind of a road, of `count`.
const void* kerb_io_opendrive_items(const opendrive_document* document, int32_t road,
                                    opendrive_kind kind, int32_t* count);

#endif
