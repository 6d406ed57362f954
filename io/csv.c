// Purpose: cuts text into lines, and lines into cells.
// Idea:    One pass each, without copying. A quoted cell keeps its doubled quotes, because no
//          format here needs a quote inside a cell.
//
//          Nothing in a file names its separator, and "1,5 2,5" has two that are possible. What
//          tells them apart is that the cells of a table of places are numbers: so the separator is
//          the one under which the greatest share of the cells are.
// Cost:    O(length), allocates nothing.
#include "io/csv.h"

#include "io/number.h"

#include <string.h>

enum {
    SAMPLED_LINES = 16,
    NUMBER_BYTES_MAX = 64, // of a number with a decimal comma, which is copied
};

kerb_io_csv kerb_io_csv_make(const char* text, size_t length) {
    bool marked = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    kerb_io_csv csv = {marked ? text + 3 : text, text + length, 0, ','};
    return csv;
}

// Where tabs separate, they are no spaces around a cell: the cell between two of them is empty.
static bool kerb_io_csv_is_space(char c, char separator) {
    return c == ' ' || (c == '\t' && separator != '\t');
}

static const char* kerb_io_csv_skip_spaces(const char* at, const char* end, char separator) {
    while (at < end && kerb_io_csv_is_space(*at, separator))
        at++;
    return at;
}

// Takes the line's bytes, and passes its ending.
static void take_line(kerb_io_csv* csv, kerb_io_csv_line* line) {
    line->at = csv->at;
    while (csv->at < csv->end && *csv->at != '\n' && *csv->at != '\r')
        csv->at++;
    line->end = csv->at;
    line->ended = csv->at < csv->end;
    if (csv->end - csv->at >= 2 && csv->at[0] == '\r' && csv->at[1] == '\n')
        csv->at++;
    if (csv->at < csv->end)
        csv->at++;
    if (csv->line < INT32_MAX)
        csv->line++;
    line->number = csv->line;
}

// Spreadsheets end a table with rows of empty cells.
static bool csv_line_is_blank(const kerb_io_csv_line* line) {
    const char* at = line->at;
    while (at < line->end && (*at == ' ' || *at == '\t' || *at == line->separator))
        at++;
    return at == line->end;
}

static size_t comment_mark(const kerb_io_csv_line* line) {
    size_t length = (size_t)(line->end - line->at);
    if (length >= 2 && memcmp(line->at, "//", 2) == 0)
        return 2;
    return length >= 1 && (*line->at == '#' || *line->at == '%') ? 1 : 0;
}

bool kerb_io_csv_next_line(kerb_io_csv* csv, kerb_io_csv_line* line) {
    line->separator = csv->separator;
    line->done = false;
    while (csv->at < csv->end) {
        take_line(csv, line);
        if (csv_line_is_blank(line))
            continue;
        line->at = kerb_io_csv_skip_spaces(line->at, line->end, csv->separator);
        size_t mark = comment_mark(line);
        line->comment = mark > 0;
        if (line->comment)
            line->at = kerb_io_csv_skip_spaces(line->at + mark, line->end, ',');
        return true;
    }
    return false;
}

static bool csv_ends_cell(const kerb_io_csv_line* line, const char* at) {
    return at == line->end || *at == '#' || *at == line->separator ||
           (line->separator == ' ' && *at == '\t');
}

static void take_plain(kerb_io_csv_line* line, kerb_io_csv_cell* cell) {
    cell->text = line->at;
    while (!csv_ends_cell(line, line->at))
        line->at++;
    const char* end = line->at;
    while (end > cell->text && kerb_io_csv_is_space(end[-1], line->separator))
        end--;
    cell->length = (size_t)(end - cell->text);
}

// The line stands behind the opening quote.
static void take_quoted(kerb_io_csv_line* line, kerb_io_csv_cell* cell) {
    const char* text = kerb_io_csv_skip_spaces(line->at, line->end, ',');
    while (line->at < line->end &&
           (*line->at != '"' || (line->end - line->at > 1 && line->at[1] == '"')))
        line->at += *line->at == '"' ? 2 : 1;
    if (line->at == line->end) {
        cell->fault = "a quoted cell does not end on its line";
        return;
    }
    const char* end = line->at;
    while (end > text && kerb_io_csv_is_space(end[-1], ','))
        end--;
    cell->text = text;
    cell->length = (size_t)(end - text);
    line->at++;
    if (line->separator != ' ')
        line->at = kerb_io_csv_skip_spaces(line->at, line->end, line->separator);
    if (!csv_ends_cell(line, line->at))
        cell->fault = "there is text between a quoted cell and its comma";
}

bool kerb_io_csv_next_cell(kerb_io_csv_line* line, kerb_io_csv_cell* cell) {
    if (line->done)
        return false;
    line->at = kerb_io_csv_skip_spaces(line->at, line->end, line->separator);
    *cell = (kerb_io_csv_cell){line->at, 0, NULL};
    if (line->at < line->end && *line->at == '"') {
        line->at++;
        take_quoted(line, cell);
    } else {
        take_plain(line, cell);
    }
    if (line->separator == ' ' && !cell->fault)
        line->at = kerb_io_csv_skip_spaces(line->at, line->end, ' ');
    line->done = cell->fault || line->at == line->end || *line->at == '#';
    if (!line->done && line->separator != ' ')
        line->at++;
    return true;
}

// --------------------------------------------------------------------------- numbers

bool kerb_io_csv_cell_has_comma(const kerb_io_csv_cell* cell) {
    return cell->length <= NUMBER_BYTES_MAX && memchr(cell->text, ',', cell->length) &&
           !memchr(cell->text, '.', cell->length);
}

// The cell, or a copy of it with a decimal point.
static const char* with_point(const kerb_io_csv_cell* cell, char separator,
                              char copy[NUMBER_BYTES_MAX]) {
    if (separator == ',' || !kerb_io_csv_cell_has_comma(cell))
        return cell->text;
    memcpy(copy, cell->text, cell->length);
    *(char*)memchr(copy, ',', cell->length) = '.';
    return copy;
}

kerb_result kerb_io_csv_cell_double(const kerb_io_csv_cell* cell, char separator, double* value) {
    char copy[NUMBER_BYTES_MAX];
    return kerb_io_number_read_double(with_point(cell, separator, copy), cell->length, value);
}

kerb_result kerb_io_csv_cell_float(const kerb_io_csv_cell* cell, char separator, float* value) {
    char copy[NUMBER_BYTES_MAX];
    return kerb_io_number_read_float(with_point(cell, separator, copy), cell->length, value);
}

// --------------------------------------------------------------------------- separator

typedef struct separator_count {
    int32_t lines, separated; // lines, and those of two cells or more
    int32_t cells, numbers;
} separator_count;

static void count_cells(separator_count* count, kerb_io_csv_line line, bool heading) {
    kerb_io_csv_cell cell;
    int32_t cells = 0;
    double value;
    while (kerb_io_csv_next_cell(&line, &cell) && !cell.fault) {
        cells++;
        if (heading)
            continue;
        count->cells++;
        count->numbers +=
            cell.length == 0 || kerb_io_csv_cell_double(&cell, line.separator, &value) == KERB_OK;
    }
    count->lines++;
    count->separated += cells >= 2;
}

// The first line may name the columns; it says nothing unless it is the only one.
static separator_count count_under(const char* text, size_t length, char separator) {
    separator_count count = {0, 0, 0, 0};
    kerb_io_csv csv = kerb_io_csv_make(text, length);
    kerb_io_csv_line line, first = {.number = 0};
    csv.separator = separator;
    while (count.lines < SAMPLED_LINES && kerb_io_csv_next_line(&csv, &line)) {
        if (line.comment)
            continue;
        if (count.lines == 0)
            first = line;
        count_cells(&count, line, count.lines == 0);
    }
    if (count.lines == 1) {
        count.lines = count.separated = 0;
        count_cells(&count, first, false);
    }
    return count;
}

char kerb_io_csv_find_separator(const char* text, size_t length) {
    static const char separators[] = {';', '\t', ',', ' '};
    char best = ',';
    double share = -1.0;
    for (size_t i = 0; i < sizeof separators; i++) {
        separator_count count = count_under(text, length, separators[i]);
        // A stray line with one cell is for the reader to refuse.
        if (count.lines == 0 || 4 * count.separated < 3 * count.lines || count.cells == 0)
            continue;
        double here = (double)count.numbers / (double)count.cells;
        if (here > share) {
            share = here;
            best = separators[i];
        }
    }
    return best;
}
