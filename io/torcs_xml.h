// The segments of a TORCS track as its XML lists them, converted to SI units. track_torcs.c gives
// them their meaning.
#ifndef KERB_IO_TORCS_XML_H
#define KERB_IO_TORCS_XML_H

#include "kerb/io/text.h"

/// Numbers of a segment.
typedef enum torcs_number {
    TORCS_LENGTH,
    TORCS_ARC,
    TORCS_RADIUS,
    TORCS_END_RADIUS,
    TORCS_Z_START,
    TORCS_Z_START_LEFT,
    TORCS_Z_START_RIGHT,
    TORCS_Z_END,
    TORCS_Z_END_LEFT,
    TORCS_Z_END_RIGHT,
    TORCS_GRADE,
    TORCS_BANKING_START,
    TORCS_BANKING_END,
    TORCS_STEPS,
    TORCS_STEPS_LENGTH,
    TORCS_START_TANGENT,
    TORCS_START_TANGENT_LEFT,
    TORCS_START_TANGENT_RIGHT,
    TORCS_END_TANGENT,
    TORCS_END_TANGENT_LEFT,
    TORCS_END_TANGENT_RIGHT,
    TORCS_NUMBER_COUNT
} torcs_number;

/// Its name in the file.
const char* kerb_io_torcs_number_name(torcs_number number);

typedef enum torcs_type { TORCS_NO_TYPE, TORCS_STRAIGHT, TORCS_LEFT, TORCS_RIGHT } torcs_type;

/// What lies beside the road, on one side.
typedef struct torcs_side {
    double start, end; ///< width of the side at the segment's ends [m]
    double width;      ///< what `end` is where that is not given [m]
    double border;     ///< width of the kerb between road and side [m]
} torcs_side;

enum { TORCS_SURFACES_MAX = 128, TORCS_NAME_MAX = 32 };

typedef struct torcs_surface {
    char name[TORCS_NAME_MAX];
    double friction;
} torcs_surface;

typedef struct torcs_segment {
    int32_t line;
    torcs_type type;                    ///< one without a type is passed over, as TORCS does
    bool linear;                        ///< profile: linear, else a spline
    uint32_t given;                     ///< which of `numbers` the file has: bits
    double numbers[TORCS_NUMBER_COUNT]; ///< in m, rad, 1
    char surface[TORCS_NAME_MAX];       ///< empty: that of the segment before
    double grip;                        ///< of that surface; 1 where its friction is not known
    torcs_side side[2];                 ///< right, left; version 4 only
} torcs_segment;

typedef struct torcs_document {
    char name[64];
    double width;        ///< of the road [m]
    double steps_length; ///< of the profile; 0: none [m]
    torcs_segment* segments;
    int32_t count, capacity;
    char surface[TORCS_NAME_MAX]; ///< of the first segment, unless it names another
    torcs_side side[2];           ///< beside the first segment, unless it says otherwise
    torcs_surface surfaces[TORCS_SURFACES_MAX];
    int32_t surface_count;
} torcs_document;

/// Reads the XML. Adds notes on what lies in other files, and on surfaces without a friction. On
/// error nothing is allocated.
kerb_result kerb_io_torcs_xml_read(torcs_document* document, const char* text, size_t length,
                                   const kerb_allocator* allocator, kerb_io_notes* notes,
                                   kerb_error* error);

void kerb_io_torcs_xml_destroy(torcs_document* document, const kerb_allocator* allocator);

#endif
