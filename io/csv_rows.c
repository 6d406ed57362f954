// Purpose: shared by the readers of courses and tracks: turns cells into numbers and rows into
//          waypoints, and reports cells and rows that cannot be read.
#include "io/csv_rows.h"

#include "io/number.h"
#include "io/quote.h"

#include <stdio.h>
#include <string.h>

kerb_result kerb_io_csv_refuse(kerb_io_csv_rows* in, kerb_result result,
                               const kerb_io_csv_line* line, const char* field,
                               const char* message) {
    int32_t index = in->column_count > 0 && line ? in->rows : -1;
    return kerb_error_set(&in->error, result, field, line ? line->number : 0, index, message);
}

kerb_result kerb_io_csv_refuse_cell(kerb_io_csv_rows* in, kerb_result result,
                                    const kerb_io_csv_line* line, const char* field,
                                    const char* message, const kerb_io_csv_cell* cell) {
    char quoted[KERB_IO_QUOTE_MAX], whole[192];
    kerb_io_quote(quoted, cell->text, cell->length);
    snprintf(whole, sizeof whole, "%s: \"%s\"", message, quoted);
    return kerb_io_csv_refuse(in, result, line, field, whole);
}

bool kerb_io_csv_is_word(const kerb_io_csv_cell* cell, const char* word) {
    return cell->length == strlen(word) && memcmp(cell->text, word, cell->length) == 0;
}

bool kerb_io_csv_has_column(const kerb_io_csv_rows* in, int32_t count, int32_t column) {
    for (int32_t i = 0; i < count; i++)
        if (in->column[i] == column)
            return true;
    return false;
}

kerb_result kerb_io_csv_read_number(kerb_io_csv_rows* in, const kerb_io_csv_line* line,
                                    const kerb_io_csv_cell* cell, const char* name, float* value) {
    if (cell->length == 0)
        return kerb_io_csv_refuse(in, KERB_ERROR_MISSING_FIELD, line, name, "the cell is empty");
    kerb_result result = kerb_io_number_read_float(cell->text, cell->length, value);
    if (result == KERB_OK)
        return KERB_OK;
    const char* message = result == KERB_ERROR_WRONG_TYPE   ? "must be a number"
                          : result == KERB_ERROR_NOT_FINITE ? "must be a finite number"
                                                            : "is too great for a number";
    return kerb_io_csv_refuse_cell(in, result, line, name, message, cell);
}

static kerb_result refuse_cell_count(kerb_io_csv_rows* in, const kerb_io_csv_line* line,
                                     int32_t cells) {
    char message[96];
    bool more = cells > in->column_count;
    snprintf(message, sizeof message, "the row has %s %d cells, there are %d columns",
             more ? "more than" : "only", (int)(more ? in->column_count : cells),
             (int)in->column_count);
    return kerb_io_csv_refuse(in, KERB_ERROR_SYNTAX, line, "", message);
}

kerb_result kerb_io_csv_read_row(kerb_io_csv_rows* in, kerb_io_csv_line* line) {
    kerb_waypoint* waypoint = &in->waypoints[in->rows];
    int32_t cells = 0;
    kerb_io_csv_cell cell;
    *waypoint = kerb_waypoint_at(0.0f, 0.0f, 0.0f);
    for (; kerb_io_csv_next_cell(line, &cell); cells++) {
        if (cell.fault)
            return kerb_io_csv_refuse(in, KERB_ERROR_SYNTAX, line, "", cell.fault);
        if (cells == in->column_count)
            return refuse_cell_count(in, line, cells + 1);
        kerb_result result = in->take_cell(in, line, &cell, in->column[cells], waypoint);
        if (result != KERB_OK)
            return result;
    }
    if (cells != in->column_count)
        return refuse_cell_count(in, line, cells);
    in->rows++;
    return KERB_OK;
}

int32_t kerb_io_csv_count_lines(const char* text, size_t length, int32_t most) {
    kerb_io_csv csv = kerb_io_csv_make(text, length);
    kerb_io_csv_line line;
    int32_t count = 0;
    while (count <= most && kerb_io_csv_next_line(&csv, &line))
        count += !line.comment;
    return count;
}
