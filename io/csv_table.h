// Tables of places that become waypoints: what the readers of courses and of tracks share.
#ifndef KERB_IO_CSV_TABLE_H
#define KERB_IO_CSV_TABLE_H

#include "io/csv_names.h"
#include "io/projection.h"
#include "kerb/io/text.h"
#include "kerb/path.h"

/// From here on a float is nearly as coarse as a centimetre, which is what surveys are good to:
/// an offset is taken. [m]
#define KERB_IO_CSV_OFFSET_FROM 1.0e5
/// Beyond any coordinate system of the earth. [m]
#define KERB_IO_CSV_PLACE_MAX 1.0e9

/// Takes the whole metres of the first place as the offset, with a note that it is taken from the
/// first `whence` ("row", "point"), where that place is too far from the origin for floats. [m]
void kerb_io_csv_take_offset(double x, double y, const char* whence, double offset[2],
                             kerb_io_notes* notes);

/// Columns whose meaning is kept; those beyond are ignored.
#define KERB_IO_CSV_COLUMNS_MAX 64

/// What the columns of a table are.
typedef struct kerb_io_csv_head {
    char separator;
    int32_t line;                                     ///< that names the columns; 0: none
    bool comment;                                     ///< that line is a comment
    bool single;                                      ///< …: no name is followed by other words
    int32_t first_line;                               ///< that is no comment; 0: none
    int32_t columns;                                  ///< [>= 0]
    kerb_io_csv_name column[KERB_IO_CSV_COLUMNS_MAX]; ///< what each is
    char names_separator;                             ///< in the line that names them
} kerb_io_csv_head;

/// What a format takes from a table.
typedef struct kerb_io_csv_format {
    const char* what;                            ///< "course"
    const kerb_setting* setting[CSV_ROLE_COUNT]; ///< of kerb_waypoint; NULL: has no such column
    bool needs_names;                            ///< else columns may go by their number
    bool gaps; ///< an empty cell is the default, else refused; of the height always a gap
} kerb_io_csv_format;

/// A table that was read.
typedef struct kerb_io_csv_table {
    kerb_waypoint* waypoints;
    int32_t count;
    double offset[2]; ///< was subtracted from x and y [m]
    bool anchored;
    double anchor[2];  ///< longitude and latitude of x = y = 0 [degrees]
    bool closed, open; ///< a comment says so
    kerb_io_notes notes;
} kerb_io_csv_table;

/// Finds separator and columns. Never fails: what is wrong the reading says.
void kerb_io_csv_head_find(kerb_io_csv_head* head, const char* text, size_t length);

bool kerb_io_csv_head_has(const kerb_io_csv_head* head, kerb_io_csv_role role);

/// Whether the names are those of a track: widths, named in a comment or as only tracks name them.
bool kerb_io_csv_head_is_track(const kerb_io_csv_head* head);

/// Whether the names are those of a course of Kerb, which says itself whether it is closed.
bool kerb_io_csv_head_is_usual(const kerb_io_csv_head* head);

/// Gives columns without names a meaning by their number: `count` of these roles.
void kerb_io_csv_head_assume(kerb_io_csv_head* head, const kerb_io_csv_role* roles, int32_t count);

/// Reads the rows of at most `most` lines. On error nothing is allocated. O(length)
kerb_result kerb_io_csv_table_read(kerb_io_csv_table* table, kerb_io_csv_head* head,
                                   const kerb_io_csv_format* format, int32_t most, const char* text,
                                   size_t length, const kerb_allocator* allocator,
                                   kerb_error* error);

/// Fills the heights that the table left open between their neighbours, in a closed table across
/// its end, and notes how many those were. Called when it is known whether the table is closed.
void kerb_io_csv_table_fill(kerb_io_csv_table* table, bool closed);

/// Adds the notes of a table to those of the caller (may be NULL).
void kerb_io_csv_pass_notes(kerb_io_notes* notes, const kerb_io_notes* table);

/// Whether a line leads back to its start: the gap is at most `slack` [m] or twice the mean
/// distance of its points, and a twentieth of its length.
bool kerb_io_csv_ends_meet(const kerb_waypoint* waypoints, int32_t count, double slack);

/// Writes the comments by which a table reads back with this offset and this anchor (may be NULL).
void kerb_io_csv_write_origin(kerb_io_text* text, const kerb_waypoint* waypoints, int32_t count,
                              const double offset[2], const double* anchor);

/// Writes offset + value, so that it reads back as the value.
void kerb_io_csv_write_place(kerb_io_text* text, double offset, float value);

#endif
