// Rows of a table that become waypoints: shared by the readers of courses and tracks.
#ifndef KERB_IO_CSV_ROWS_H
#define KERB_IO_CSV_ROWS_H

#include "io/csv.h"
#include "kerb/path.h"

/// Columns that a file may have at most.
#define KERB_IO_CSV_COLUMNS_MAX 16

typedef struct kerb_io_csv_rows kerb_io_csv_rows;

/// Takes one cell into a waypoint. `column`: the reader's own number of it.
typedef kerb_result kerb_io_csv_take_cell(kerb_io_csv_rows* in, const kerb_io_csv_line* line,
                                          const kerb_io_csv_cell* cell, int32_t column,
                                          kerb_waypoint* waypoint);

/// A reader of rows. All refusals leave what is wrong in `error`.
struct kerb_io_csv_rows {
    int32_t column[KERB_IO_CSV_COLUMNS_MAX]; ///< what each column of the file is
    int32_t column_count;                    ///< 0 until they are known
    kerb_io_csv_take_cell* take_cell;
    kerb_waypoint* waypoints;
    int32_t rows;
    kerb_error error;
};

/// `line` NULL: the file as a whole.
kerb_result kerb_io_csv_refuse(kerb_io_csv_rows* in, kerb_result result,
                               const kerb_io_csv_line* line, const char* field,
                               const char* message);

/// The same with the words of the file in the message.
kerb_result kerb_io_csv_refuse_cell(kerb_io_csv_rows* in, kerb_result result,
                                    const kerb_io_csv_line* line, const char* field,
                                    const char* message, const kerb_io_csv_cell* cell);

bool kerb_io_csv_is_word(const kerb_io_csv_cell* cell, const char* word);

/// Whether one of the file's first `count` columns is that.
bool kerb_io_csv_has_column(const kerb_io_csv_rows* in, int32_t count, int32_t column);

/// An empty cell is refused, too.
kerb_result kerb_io_csv_read_number(kerb_io_csv_rows* in, const kerb_io_csv_line* line,
                                    const kerb_io_csv_cell* cell, const char* name, float* value);

/// Reads a line into the next waypoint, for which there is room.
kerb_result kerb_io_csv_read_row(kerb_io_csv_rows* in, kerb_io_csv_line* line);

/// Lines that are no comments; `most` + 1 stands for any number beyond.
int32_t kerb_io_csv_count_lines(const char* text, size_t length, int32_t most);

#endif
