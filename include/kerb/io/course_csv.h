// Courses as CSV: one waypoint per line, after a header line that names the columns.
//
//     x_m,y_m,direction,speed_mps,stop_s
//     0,0,1,8,
//     40,0,1,8,2.5
//
// Columns, in any order: x_m, y_m, z_m, left_m, right_m, direction (1 or -1), speed_mps, stop_s,
// bank_rad, grip. x_m and y_m are required. A missing column or an empty cell has the value of
// kerb_waypoint_at. Direction and speed hold from their waypoint to the next. A comment line "#
// closed" before the first row makes the course closed. docs/formats.md describes the format.
//
//     kerb_io_course course;
//     if (kerb_io_course_csv_read(&course, text, length, &host, &error) == KERB_OK)
//         kerb_path_create(&path, course.waypoints, course.count, course.closed, …);
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

/// Rows that a course may have.
#define KERB_IO_COURSE_ROWS_MAX 10000000

/// The columns: name, field of kerb_waypoint, unit, range, default, meaning.
extern const kerb_settings_table kerb_io_course_columns;

/// The waypoints of a file.
typedef struct kerb_io_course {
    kerb_waypoint* waypoints; ///< `count` of them, from the host's allocator
    int32_t count;            ///< [>= 1 after reading]
    bool closed;
} kerb_io_course;

/// Reads a course. O(bytes), one allocation; on error `course` is zeroed and nothing is allocated.
///
/// Errors have the line from 1, the waypoint's index (-1 in the header) and the column's name:
/// SYNTAX (quotes, cells too many or too few), UNKNOWN_FIELD, CONTRADICTION (a column named
/// twice), MISSING_FIELD (no header, no x_m or y_m, or one of them empty), WRONG_TYPE (no number),
/// NOT_FINITE, OUT_OF_RANGE, TOO_FEW (no rows), TOO_MANY, OUT_OF_MEMORY.
kerb_result kerb_io_course_csv_read(kerb_io_course* course, const char* text, size_t length,
                                    const kerb_host* host, kerb_error* error);

/// Gives the waypoints back. Harmless on a zeroed course.
void kerb_io_course_destroy(kerb_io_course* course, const kerb_host* host);

/// Appends a course as CSV: x_m and y_m, and each other column in which a waypoint differs from
/// kerb_waypoint_at. Reads back equal. OUT_OF_MEMORY, or KERB_OK.
kerb_result kerb_io_course_csv_write(kerb_io_text* text, const kerb_waypoint* waypoints,
                                     int32_t count, bool closed, kerb_error* error);

#ifdef __cplusplus
}
#endif

#endif
