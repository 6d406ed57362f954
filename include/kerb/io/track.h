// Race tracks from files: CSV as in the racetrack-database of TU Munich, level or in space, XML of
// TORCS, versions 3 and 4, and centre lines from GPX, GeoJSON and OpenDRIVE. docs/formats.md
// describes the formats: what is read, assumed and lost. `notes` (may be NULL) says what a reader
// assumed about the text at hand.
//
//     # x_m,y_m,w_tr_right_m,w_tr_left_m
//     0.0,0.0,5.0,5.0
//
//     kerb_io_track track;
//     kerb_io_notes notes = {0};
//     if (kerb_io_track_read(&track, text, length, &host, &notes, &error) == KERB_OK &&
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

/// Greatest number of points of a track.
#define KERB_IO_TRACK_POINTS_MAX 10000000

/// The columns of a CSV: name, field of kerb_waypoint, unit, range, default, meaning.
extern const kerb_settings_table kerb_io_track_columns;

/// A track that was read.
typedef struct kerb_io_track {
    char name[64];            ///< from the file, or empty
    kerb_waypoint* waypoints; ///< `count` of them, from the host's allocator
    int32_t count;            ///< [>= 1 after reading]
    bool closed;              ///< the last waypoint leads to the first
    double length;            ///< horizontal length of all TORCS segments; 0: another format [m]
    double offset[2];      ///< x and y that were subtracted from the coordinates of the file; whole
                           ///< numbers; 0 where its first point is within 100 km of (0, 0) [m]
    bool anchored;         ///< the file has longitude and latitude: `anchor` is where x = y = 0 is
    double anchor[2];      ///< longitude and latitude, WGS 84 [degrees]
    double game_origin[3]; ///< a TORCS track: where the game itself has (0, 0, 0), in coordinates
                           ///< of the waypoints; 0: another format [m]
} kerb_io_track;

/// Reads a track of any format: XML of TORCS, GPX or OpenDRIVE, GeoJSON, a CSV of a track, or a CSV
/// of a course (course_csv.h), which is closed where it says so or its ends meet. It detects the
/// format from the text. Errors: those of the reader of that format.
kerb_result kerb_io_track_read(kerb_io_track* track, const char* text, size_t length,
                               const kerb_host* host, kerb_io_notes* notes, kerb_error* error);

/// Reads a CSV of a track. O(bytes). On error `track` is zeroed and nothing is allocated.
///
/// Errors, with line (from 1), index of the row (-1: the header) and name of the column: SYNTAX
/// (quotes, cells too many or too few), UNKNOWN_FIELD (a misspelt name of a column that must be
/// there), CONTRADICTION (a column named twice), MISSING_FIELD, WRONG_TYPE (no number), NOT_FINITE,
/// OUT_OF_RANGE (a negative width often means that two columns are swapped), TOO_FEW (no rows),
/// TOO_MANY, OUT_OF_MEMORY.
kerb_result kerb_io_track_csv_read(kerb_io_track* track, const char* text, size_t length,
                                   const kerb_host* host, kerb_io_notes* notes, kerb_error* error);

/// Appends a track to `text` as CSV: x, y and widths. With `in_space` also height, banking and
/// slope, and the grip unless it is 1 everywhere. Reading it gives equal values in these columns.
/// Errors: OUT_OF_MEMORY.
kerb_result kerb_io_track_csv_write(kerb_io_text* text, const kerb_waypoint* waypoints,
                                    int32_t count, bool closed, bool in_space, kerb_error* error);

/// The same with the track's offset added to the coordinates, and offset and anchor as comments.
/// Reading it gives equal values in these columns, an equal offset and anchor. Errors:
/// OUT_OF_MEMORY.
kerb_result kerb_io_track_write(kerb_io_text* text, const kerb_io_track* track, bool in_space,
                                kerb_error* error);

/// True when this build can read tracks from XML (TORCS, GPX, OpenDRIVE), because it was built with
/// expat.
bool kerb_io_track_torcs_available(void);

/// Reads the main track of a TORCS file, with the geometry that TORCS gives it (see track_torcs.c)
/// and a point at least every 2 m. The grip is the friction of the surface, over 1.2 of the asphalt
/// of TORCS; 1 where the friction is in another file. No other file is opened. Pits and objects are
/// ignored; sides and kerbs only tell where the game has its origin (`game_origin`).
///
/// The track is closed when its end is at most 1 m from its start, or 0.2 % of its length. This
/// gap is then distributed over the whole track. Otherwise the track is open. O(bytes + points).
///
/// Errors, with line, name of the attribute and index of the segment: SYNTAX (no XML, or it ends
/// too early), UNKNOWN_FIELD (a unit or a type of segment), MISSING_FIELD, WRONG_TYPE, NOT_FINITE,
/// OUT_OF_RANGE, TOO_FEW (no segments), TOO_MANY, OUT_OF_MEMORY; UNKNOWN_FIELD of "xml" where this
/// build has no expat.
kerb_result kerb_io_track_torcs_read(kerb_io_track* track, const char* text, size_t length,
                                     const kerb_host* host, kerb_io_notes* notes,
                                     kerb_error* error);

/// Reads the longest track or route of a GPX file: that with most points, its segments joined.
/// Longitude and latitude are projected about the first point (docs/formats.md); heights that are
/// missing are interpolated; widths are those of kerb_waypoint_at. It is closed where its ends
/// meet. O(bytes).
///
/// Errors, with line and name of the attribute, or index of the point: SYNTAX, MISSING_FIELD,
/// WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE, TOO_FEW (no line), TOO_MANY, OUT_OF_MEMORY; UNKNOWN_FIELD
/// of "xml" where this build has no expat.
kerb_result kerb_io_track_gpx_read(kerb_io_track* track, const char* text, size_t length,
                                   const kerb_host* host, kerb_io_notes* notes, kerb_error* error);

/// Reads the longest line of a GeoJSON file: that with most positions, of LineString,
/// MultiLineString or the outer border of a Polygon. As for GPX; coordinates that cannot be degrees
/// are metres, from which an offset may be subtracted. Reads at most 1 MiB. O(bytes).
///
/// Errors, with line and name of the key, or index of the point: SYNTAX, WRONG_TYPE, OUT_OF_RANGE,
/// TOO_FEW (no line), TOO_MANY, OUT_OF_MEMORY.
kerb_result kerb_io_track_geojson_read(kerb_io_track* track, const char* text, size_t length,
                                       const kerb_host* host, kerb_io_notes* notes,
                                       kerb_error* error);

/// Reads the geometry of an OpenDRIVE file: the road of this id, or, where `road` is NULL, the
/// longest chain of roads that link to one another without a junction. O(bytes + points).
///
/// The line is the reference line with its lane offset, and a point at least every 2 m. Widths go
/// to the outermost lane that is driven on either side; where all of those lie on one side the line
/// is their middle. Elevation and superelevation are read, and all else is ignored.
///
/// Errors, with line and name of the attribute or element: SYNTAX, MISSING_FIELD, WRONG_TYPE,
/// NOT_FINITE, OUT_OF_RANGE, UNKNOWN_FIELD (no such road, a geometry that is not known), TOO_FEW
/// (no road), TOO_MANY, OUT_OF_MEMORY; UNKNOWN_FIELD of "xml" where this build has no expat.
kerb_result kerb_io_track_opendrive_read(kerb_io_track* track, const char* text, size_t length,
                                         const char* road, const kerb_host* host,
                                         kerb_io_notes* notes, kerb_error* error);

/// Releases the waypoints and zeroes the track. Has no effect on a zeroed track.
void kerb_io_track_destroy(kerb_io_track* track, const kerb_host* host);

#ifdef __cplusplus
}
#endif

#endif
