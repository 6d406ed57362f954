// Tables as text: lines of cells, as spreadsheets and scripts write them. Cells are separated by
// commas, or by what kerb_io_csv_find_separator found.
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
// skipped, also lines of nothing but separators. '#' starts a comment, on a line of its own or
// after the cells; '%' and "//" do at the start of a line. Cells may be in double quotes, within
// one line. Nothing is copied or allocated: cells point into the text.
#ifndef KERB_IO_CSV_H
#define KERB_IO_CSV_H

#include "kerb/base.h"

typedef struct kerb_io_csv {
    const char* at;
    const char* end;
    int32_t line;   ///< number of the last line that was passed, from 1; 0 at the start
    char separator; ///< ',' at first; ';', '\t', or ' ' for any number of spaces and tabs
} kerb_io_csv;

/// A line that is not blank, without its ending.
typedef struct kerb_io_csv_line {
    const char* at; ///< in a comment the first byte after its mark and spaces
    const char* end;
    int32_t number; ///< from 1
    bool comment;
    bool done;  ///< its last cell has been read
    bool ended; ///< by a line end, not by the end of the text
    char separator;
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

/// The next cell of a line that is no comment: one more than it has separators. False after the
/// last.
bool kerb_io_csv_next_cell(kerb_io_csv_line* line, kerb_io_csv_cell* cell);

/// The separator under which most cells of the first lines are numbers: ';', tab, comma or space;
/// of equal ones the first in this order. Comma where nothing separates. O(bytes of 16 lines)
char kerb_io_csv_find_separator(const char* text, size_t length);

/// Reads a cell as a number. With another separator than the comma a comma may be its decimal
/// point. Errors and rounding: kerb_io_number_read_double.
kerb_result kerb_io_csv_cell_double(const kerb_io_csv_cell* cell, char separator, double* value);
kerb_result kerb_io_csv_cell_float(const kerb_io_csv_cell* cell, char separator, float* value);

/// Whether a number in the cell has a comma as its decimal point.
bool kerb_io_csv_cell_has_comma(const kerb_io_csv_cell* cell);

#endif
