// Tables as text: lines of cells separated by commas, as spreadsheets and scripts write them.
//
//     kerb_io_csv csv = kerb_io_csv_make(text, length);
//     kerb_io_csv_line line;
//     while (kerb_io_csv_next_line(&csv, &line)) {
//         if (line.comment) …
//         kerb_io_csv_cell cell;
//         while (kerb_io_csv_next_cell(&line, &cell))
//             if (cell.fault) …
//     }
//
// Lines end in LF, CRLF or CR; the last line may have no end. A byte order mark and blank lines are
// skipped. '#' starts a comment, on a line of its own or after the cells. Cells may be in double
// quotes, within one line. Nothing is copied or allocated: cells point into the text.
#ifndef KERB_IO_CSV_H
#define KERB_IO_CSV_H

#include "kerb/base.h"

typedef struct kerb_io_csv {
    const char* at;
    const char* end;
    int32_t line; ///< number of the last line that was passed, from 1; 0 at the start
} kerb_io_csv;

/// A line that is not blank, without its ending.
typedef struct kerb_io_csv_line {
    const char* at; ///< in a comment the first byte after '#' and spaces
    const char* end;
    int32_t number; ///< from 1
    bool comment;
    bool done; ///< its last cell has been read
} kerb_io_csv_line;

/// A cell without the spaces and quotes around it.
typedef struct kerb_io_csv_cell {
    const char* text;
    size_t length;
    const char* fault; ///< what is wrong with its quotes, or NULL; then no cell follows
} kerb_io_csv_cell;

kerb_io_csv kerb_io_csv_make(const char* text, size_t length);

/// The next line that is not blank; false at the end of the text.
bool kerb_io_csv_next_line(kerb_io_csv* csv, kerb_io_csv_line* line);

/// The next cell of a line that is no comment: one more than it has commas. False after the last.
bool kerb_io_csv_next_cell(kerb_io_csv_line* line, kerb_io_csv_cell* cell);

#endif
