// Race tracks from files: CSV as in the racetrack-database of TU Munich, flat or in space, and the
// XML of TORCS, versions 3 and 4. docs/formats.md describes the formats.
//
//     # x_m,y_m,w_tr_right_m,w_tr_left_m
//     0.0,0.0,5.0,5.0
//
//     kerb_io_track track;
//     if (kerb_io_track_read(&track, text, length, &host, &error) == KERB_OK &&
//         kerb_track_validate(track.waypoints, track.count, track.closed, &error) == KERB_OK)
//         kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, &error);
//     kerb_io_track_destroy(&track, &host);
//
// Threads: any thread may call these functions, as long as no two use the same track. Lifetimes:
// `text` is read during the call only. The waypoints lie in memory of the host's allocator until
// kerb_io_track_destroy, which needs the same allocator.
#ifndef KERB_IO_TRACK_H
#define KERB_IO_TRACK_H

#include "kerb/io/text.h"
#include "kerb/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Points that a track may have.
#define KERB_IO_TRACK_POINTS_MAX 10000000

/// The columns of a CSV: name, field of kerb_waypoint, unit, range, default, meaning.
extern const kerb_settings_table kerb_io_track_columns;

/// The track of a file.
typedef struct kerb_io_track {
    char name[64];            ///< from the file, or empty
    kerb_waypoint* waypoints; ///< `count` of them, from the host's allocator
    int32_t count;            ///< [>= 1 after reading]
    bool closed;
    double length; ///< sum of its segments in the plan, where the file has such; else 0 [m]
} kerb_io_track;

/// Reads a track of any of the formats, courses with widths among them, by what the text looks
/// like. Errors as below, or as kerb_io_course_csv_read.
kerb_result kerb_io_track_read(kerb_io_track* track, const char* text, size_t length,
                               const kerb_host* host, kerb_error* error);

/// Reads a CSV. O(bytes), one allocation; on error `track` is zeroed and nothing is allocated.
///
/// Errors have the line from 1, the row's index (-1 in the header) and the column's name: SYNTAX
/// (quotes, cells too many or too few), UNKNOWN_FIELD, CONTRADICTION (a column named twice),
/// MISSING_FIELD, WRONG_TYPE (no number), NOT_FINITE, OUT_OF_RANGE (a negative width, above all:
/// the columns are in another order), TOO_FEW (no rows), TOO_MANY, OUT_OF_MEMORY.
kerb_result kerb_io_track_csv_read(kerb_io_track* track, const char* text, size_t length,
                                   const kerb_host* host, kerb_error* error);

/// Appends a track as CSV: x, y and widths, and `in_space` also height, banking and slope (and the
/// grip, where it is not 1 everywhere). Reads back equal in those. OUT_OF_MEMORY, or KERB_OK.
kerb_result kerb_io_track_csv_write(kerb_io_text* text, const kerb_waypoint* waypoints,
                                    int32_t count, bool closed, bool in_space, kerb_error* error);

/// Whether this build reads TORCS tracks: it was built with expat.
bool kerb_io_track_torcs_available(void);

/// Reads the main track of a TORCS track, just as TORCS builds it (see track_torcs.c), but with a
/// point at least every 2 m. Sides, pits, objects and surfaces are passed over; so are entities,
/// declared or not: no other file is opened. The grip is 1.
///
/// A track whose end misses its start by up to 1 m, or 0.2 % of its length, is closed, and the miss
/// spread over it; another is open. O(bytes + points).
///
/// Errors have the line and the attribute's name, the index is the segment's: SYNTAX (no XML, or
/// cut short), UNKNOWN_FIELD (a unit or a type of segment), MISSING_FIELD, WRONG_TYPE, NOT_FINITE,
/// OUT_OF_RANGE, TOO_FEW (no segments), TOO_MANY, OUT_OF_MEMORY; UNKNOWN_FIELD of "xml" where this
/// build has no expat.
kerb_result kerb_io_track_torcs_read(kerb_io_track* track, const char* text, size_t length,
                                     const kerb_host* host, kerb_error* error);

/// Gives the waypoints back. Harmless on a zeroed track.
void kerb_io_track_destroy(kerb_io_track* track, const kerb_host* host);

#ifdef __cplusplus
}
#endif

#endif
