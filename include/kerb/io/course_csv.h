// Courses as CSV: one waypoint per line, after a header line that names the columns.
//
//     x_m,y_m,direction,speed_mps,stop_s
//     0,0,1,8,
//     40,0,1,8,2.5
//
// Columns, in any order: x_m, y_m, z_m, left_m, right_m, direction (1 or -1), speed_mps, stop_s,
// bank_rad, grip. x_m and y_m are required. A missing column or an empty cell means the value of
// kerb_waypoint_at. Direction and speed apply from their waypoint to the next one. The comment line
// `# closed` before the first row makes the course closed.
//
// Tables of other tools are read too: other separators, decimal commas, other names of columns,
// further columns, and coordinates of a survey, from which an offset is subtracted. `notes` (may be
// NULL) says what was assumed. docs/formats.md describes the format.
//
//     kerb_io_course course;
//     kerb_io_notes notes = {0};
//     if (kerb_io_course_csv_read(&course, text, length, &host, &notes, &error) == KERB_OK)
//         kerb_path_create(&path, course.waypoints, course.count, course.closed, &host, &error);
//     kerb_io_course_destroy(&course, &host);
//
// Threads: any thread may call these functions, as long as no two use the same course or text.
// Lifetimes: `text` is read during the call only. The waypoints lie in memory of the host's
// allocator until kerb_io_course_destroy, which needs the same allocator.
#ifndef KERB_IO_COURSE_CSV_H
#define KERB_IO_COURSE_CSV_H

#include "kerb/io/text.h"
#include "kerb/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Greatest number of rows of a course.
#define KERB_IO_COURSE_ROWS_MAX 10000000

/// The columns: name, field of kerb_waypoint, unit, range, default, meaning.
extern const kerb_settings_table kerb_io_course_columns;

/// A course that was read.
typedef struct kerb_io_course {
    kerb_waypoint* waypoints; ///< `count` of them, from the host's allocator
    int32_t count;            ///< [>= 1 after reading]
    bool closed;              ///< the last waypoint leads to the first
    double offset[2]; ///< x and y that were subtracted from the coordinates of the file; whole
                      ///< numbers; 0 where the first row is within 100 km of (0, 0) [m]
    bool anchored;    ///< the file has longitude and latitude: `anchor` is where x = y = 0 is
    double anchor[2]; ///< longitude and latitude, WGS 84 [degrees]
} kerb_io_course;

/// Reads a course. O(bytes). On error `course` is zeroed and nothing is allocated.
///
/// Errors, with line (from 1), index of the waypoint (-1: the header) and name of the column:
/// SYNTAX (quotes, cells too many or too few), UNKNOWN_FIELD (a misspelt x_m or y_m), CONTRADICTION
/// (a column named twice), MISSING_FIELD (no header, no x_m or y_m, or one of them empty),
/// WRONG_TYPE (no number), NOT_FINITE, OUT_OF_RANGE, TOO_FEW (no rows), TOO_MANY, OUT_OF_MEMORY.
kerb_result kerb_io_course_csv_read(kerb_io_course* course, const char* text, size_t length,
                                    const kerb_host* host, kerb_io_notes* notes, kerb_error* error);

/// Releases the waypoints and zeroes the course. Has no effect on a zeroed course.
void kerb_io_course_destroy(kerb_io_course* course, const kerb_host* host);

/// Appends a course to `text` as CSV. It writes x_m and y_m, and each other column in which a
/// waypoint differs from kerb_waypoint_at. Reading it gives equal waypoints. Errors: OUT_OF_MEMORY.
kerb_result kerb_io_course_csv_write(kerb_io_text* text, const kerb_waypoint* waypoints,
                                     int32_t count, bool closed, kerb_error* error);

/// The same with the course's offset added to the coordinates, and offset and anchor as comments.
/// Reading it gives an equal course, except for its notes. Errors: OUT_OF_MEMORY.
kerb_result kerb_io_course_write(kerb_io_text* text, const kerb_io_course* course,
                                 kerb_error* error);

#ifdef __cplusplus
}
#endif

#endif
