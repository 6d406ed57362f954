// Purpose: cuts text into lines, and lines into cells.
// Idea:    One pass each, without copying. A quoted cell keeps its doubled quotes, because no
//          format here needs a quote inside a cell.
// Cost:    O(length), allocates nothing.
#include "io/csv.h"

#include <string.h>

kerb_io_csv kerb_io_csv_make(const char* text, size_t length) {
    bool marked = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    kerb_io_csv csv = {marked ? text + 3 : text, text + length, 0};
    return csv;
}

static bool kerb_io_csv_is_space(char c) {
    return c == ' ' || c == '\t';
}

static const char* kerb_io_csv_skip_spaces(const char* at, const char* end) {
    while (at < end && kerb_io_csv_is_space(*at))
        at++;
    return at;
}

// Takes the line's bytes, and passes its ending.
static void take_line(kerb_io_csv* csv, kerb_io_csv_line* line) {
    line->at = csv->at;
    while (csv->at < csv->end && *csv->at != '\n' && *csv->at != '\r')
        csv->at++;
    line->end = csv->at;
    if (csv->end - csv->at >= 2 && csv->at[0] == '\r' && csv->at[1] == '\n')
        csv->at++;
    if (csv->at < csv->end)
        csv->at++;
    if (csv->line < INT32_MAX)
        csv->line++;
    line->number = csv->line;
}

bool kerb_io_csv_next_line(kerb_io_csv* csv, kerb_io_csv_line* line) {
    while (csv->at < csv->end) {
        take_line(csv, line);
        line->at = kerb_io_csv_skip_spaces(line->at, line->end);
        if (line->at == line->end)
            continue;
        line->done = false;
        line->comment = *line->at == '#';
        if (line->comment)
            line->at = kerb_io_csv_skip_spaces(line->at + 1, line->end);
        return true;
    }
    return false;
}

static void take_plain(kerb_io_csv_line* line, kerb_io_csv_cell* cell) {
    cell->text = line->at;
    while (line->at < line->end && *line->at != ',' && *line->at != '#')
        line->at++;
    const char* end = line->at;
    while (end > cell->text && kerb_io_csv_is_space(end[-1]))
        end--;
    cell->length = (size_t)(end - cell->text);
}

// The line stands behind the opening quote.
static void take_quoted(kerb_io_csv_line* line, kerb_io_csv_cell* cell) {
    const char* text = kerb_io_csv_skip_spaces(line->at, line->end);
    while (line->at < line->end &&
           (*line->at != '"' || (line->end - line->at > 1 && line->at[1] == '"')))
        line->at += *line->at == '"' ? 2 : 1;
    if (line->at == line->end) {
        cell->fault = "a quoted cell does not end on its line";
        return;
    }
    const char* end = line->at;
    while (end > text && kerb_io_csv_is_space(end[-1]))
        end--;
    cell->text = text;
    cell->length = (size_t)(end - text);
    line->at = kerb_io_csv_skip_spaces(line->at + 1, line->end);
    if (line->at < line->end && *line->at != ',' && *line->at != '#')
        cell->fault = "there is text between a quoted cell and its comma";
}

bool kerb_io_csv_next_cell(kerb_io_csv_line* line, kerb_io_csv_cell* cell) {
    if (line->done)
        return false;
    line->at = kerb_io_csv_skip_spaces(line->at, line->end);
    *cell = (kerb_io_csv_cell){line->at, 0, NULL};
    if (line->at < line->end && *line->at == '"') {
        line->at++;
        take_quoted(line, cell);
    } else {
        take_plain(line, cell);
    }
    line->done = cell->fault || line->at == line->end || *line->at == '#';
    if (!line->done)
        line->at++;
    return true;
}
