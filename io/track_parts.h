// What the readers of tracks share.
#ifndef KERB_IO_TRACK_PARTS_H
#define KERB_IO_TRACK_PARTS_H

#include "kerb/io/track.h"

/// Notes that the format has no widths.
void kerb_io_track_note_widths(kerb_io_notes* notes);

/// A point of a centre line.
typedef struct kerb_io_line_point {
    double x, y; ///< [m], or longitude and latitude [degrees]
    double z;    ///< [m]; NAN: not known
    float left, right, bank;
} kerb_io_line_point;

/// A centre line that grows.
typedef struct kerb_io_line {
    kerb_io_line_point* points;
    int32_t count, capacity;
    const kerb_allocator* allocator;
} kerb_io_line;

/// A point with the usual widths.
kerb_io_line_point kerb_io_line_point_at(double x, double y, double z);

/// Adds a point. Errors: TOO_MANY, OUT_OF_MEMORY.
kerb_result kerb_io_line_add(kerb_io_line* line, kerb_io_line_point point);

void kerb_io_line_destroy(kerb_io_line* line);

/// Where the points of a line are.
typedef enum kerb_io_line_kind { KERB_IO_LINE_METRES, KERB_IO_LINE_DEGREES } kerb_io_line_kind;

/// Makes a track of a line, which may be empty: subtracts an offset or projects, and fills heights
/// that are not known. `closed`: 1, 0, or -1 for "where the ends meet", to `slack` [m].
/// `track->name` is left. Errors: TOO_FEW, OUT_OF_RANGE with the index of the point, OUT_OF_MEMORY.
kerb_result kerb_io_line_finish(const kerb_io_line* line, kerb_io_line_kind kind, int32_t closed,
                                double slack, kerb_io_track* track, kerb_io_notes* notes,
                                kerb_error* error);

/// Whether this is the name of the root of an XML text.
bool kerb_io_track_root_is(const char* text, size_t length, const char* name);

#endif
