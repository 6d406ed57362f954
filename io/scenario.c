// Purpose: reads lists of movements to plan, in two similar formats: the first line names the
//          format, and each further line is a movement with cells between tabs, spaces or commas.
//          MovingAI's lists are told apart by their number of columns: version 0 had no size.
// Cost:    O(length).
#include "kerb/io/scenario.h"

#include "io/number.h"
#include "io/quote.h"

#include <stdio.h>
#include <string.h>

#define CELLS_MOST 9
#define CELLS_OF_VERSION_0 7 // bucket, map, start, goal, length
#define CSV_HEADER "map,x0,y0,deg0,v0,x1,y1,deg1,v1"

typedef struct scenario_word {
    const char* text;
    size_t length;
} scenario_word;

typedef struct scenario_reader {
    const char* at;
    const char* end;
    int32_t line;
    kerb_io_scenario_kind kind;
    kerb_io_notes* notes;
    kerb_error* error;
} scenario_reader;

static kerb_result scenario_refuse(const scenario_reader* in, kerb_result result, const char* field,
                                   const char* message) {
    return kerb_error_set(in->error, result, field, in->line, -1, message);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void scenario_trim(scenario_word* w) {
    while (w->length > 0 && is_blank(*w->text)) {
        w->text++;
        w->length--;
    }
    while (w->length > 0 && is_blank(w->text[w->length - 1]))
        w->length--;
}

// The next line that is neither empty nor a comment.
static bool scenario_next_line(scenario_reader* in, scenario_word* line) {
    while (in->at < in->end) {
        const char* ending = memchr(in->at, '\n', (size_t)(in->end - in->at));
        line->text = in->at;
        line->length = (size_t)((ending ? ending : in->end) - in->at);
        in->at = ending ? ending + 1 : in->end;
        in->line++;
        scenario_trim(line);
        if (line->length > 0 && *line->text != '#')
            return true;
    }
    return false;
}

// Whether a character ends a cell. A line with tabs is cut there alone: names may hold spaces.
static bool ends_cell(const scenario_reader* in, bool has_tabs, char c) {
    if (in->kind == KERB_IO_SCENARIO_POSES)
        return c == ',';
    return has_tabs ? c == '\t' : is_blank(c);
}

// Cuts a line; one more than CELLS_MOST stands for any that are too many.
static int32_t cut(const scenario_reader* in, scenario_word line, scenario_word cells[CELLS_MOST]) {
    int32_t count = 0;
    bool has_tabs = line.length > 0 && memchr(line.text, '\t', line.length);
    while (line.length > 0) {
        size_t length = 0;
        while (length < line.length && !ends_cell(in, has_tabs, line.text[length]))
            length++;
        if (count == CELLS_MOST)
            return CELLS_MOST + 1;
        cells[count] = (scenario_word){line.text, length};
        scenario_trim(&cells[count++]);
        length += length < line.length;
        line.text += length;
        line.length -= length;
        if (in->kind == KERB_IO_SCENARIO_CELLS)
            scenario_trim(&line);
    }
    return count;
}

// --------------------------------------------------------------------------- rows

static kerb_result scenario_read_number(const scenario_reader* in, scenario_word cell,
                                        const char* field, double least, double most,
                                        double* value) {
    kerb_result result = kerb_io_number_read_double(cell.text, cell.length, value);
    if (result != KERB_OK)
        return scenario_refuse(in, result, field, "must be a finite number");
    if (!(*value >= least && *value <= most))
        return scenario_refuse(in, KERB_ERROR_OUT_OF_RANGE, field, "lies outside its range");
    return KERB_OK;
}

static kerb_result read_map(const scenario_reader* in, scenario_word cell, kerb_io_scenario* row) {
    if (cell.length >= sizeof row->map || memchr(cell.text, '\0', cell.length))
        return scenario_refuse(in, KERB_ERROR_OUT_OF_RANGE, "map", "must be a file's name");
    memcpy(row->map, cell.text, cell.length);
    row->map[cell.length] = '\0';
    return KERB_OK;
}

static kerb_result read_cells_row(const scenario_reader* in, const scenario_word* cells,
                                  int32_t count, kerb_io_scenario* row) {
    static const char* const names[4] = {"start column", "start row", "goal column", "goal row"};
    double side[2] = {(double)KERB_PLAN_CELLS_MAX, (double)KERB_PLAN_CELLS_MAX};
    bool has_size = count == CELLS_MOST;
    kerb_result result = read_map(in, cells[1], row);
    for (int32_t i = 0; i < 2 && result == KERB_OK && has_size; i++)
        result = scenario_read_number(in, cells[2 + i], i == 0 ? "width" : "height", 1.0,
                                      (double)KERB_PLAN_CELLS_MAX, &side[i]);
    for (int32_t i = 0; i < 4 && result == KERB_OK; i++)
        result = scenario_read_number(in, cells[count - 5 + i], names[i], 0.0, side[i % 2] - 1.0,
                                      &row->numbers[i]);
    if (result == KERB_OK)
        result = scenario_read_number(in, cells[count - 1], "length", 0.0, 1e9, &row->length);
    return result;
}

static kerb_result read_poses_row(const scenario_reader* in, const scenario_word* cells,
                                  kerb_io_scenario* row) {
    static const char* const names[8] = {"x0", "y0", "deg0", "v0", "x1", "y1", "deg1", "v1"};
    kerb_result result = read_map(in, cells[0], row);
    for (int32_t i = 0; i < 8 && result == KERB_OK; i++)
        result = scenario_read_number(in, cells[1 + i], names[i], -1e6, 1e6, &row->numbers[i]);
    return result;
}

static kerb_result scenario_read_row(const scenario_reader* in, scenario_word line,
                                     kerb_io_scenario* row) {
    scenario_word cells[CELLS_MOST];
    int32_t count = cut(in, line, cells);
    bool is_short = in->kind == KERB_IO_SCENARIO_CELLS && count == CELLS_OF_VERSION_0;
    memset(row, 0, sizeof *row);
    if (count != CELLS_MOST && !is_short)
        return scenario_refuse(in, count < CELLS_MOST ? KERB_ERROR_TOO_FEW : KERB_ERROR_TOO_MANY,
                               "cells", "a line must have nine");
    return in->kind == KERB_IO_SCENARIO_CELLS ? read_cells_row(in, cells, count, row)
                                              : read_poses_row(in, cells, row);
}

// Whether a line could be one of MovingAI's: a bucket, and as many cells.
static bool is_cells_row(const scenario_reader* in, scenario_word line) {
    scenario_word cells[CELLS_MOST];
    double bucket = 0.0;
    int32_t count = cut(in, line, cells);
    return (count == CELLS_MOST || count == CELLS_OF_VERSION_0) &&
           kerb_io_number_read_double(cells[0].text, cells[0].length, &bucket) == KERB_OK;
}

// Later versions are unknown, and those until now differ in their columns alone.
static void note_version(const scenario_reader* in, scenario_word line) {
    char message[96], quoted[KERB_IO_QUOTE_MAX];
    double version = -1.0;
    scenario_word word = {line.text + 7, line.length - 7};
    scenario_trim(&word);
    if (kerb_io_number_read_double(word.text, word.length, &version) == KERB_OK &&
        (version == 0.0 || version == 1.0))
        return;
    kerb_io_quote(quoted, word.text, word.length);
    snprintf(message, sizeof message, "\"%s\" is read as 1", quoted);
    kerb_io_notes_add(in->notes, "version", in->line, message);
}

static kerb_result read_head(scenario_reader* in) {
    scenario_word line = {NULL, 0};
    if (in->end - in->at >= 3 && memcmp(in->at, "\xEF\xBB\xBF", 3) == 0)
        in->at += 3;
    const scenario_reader before = *in;
    if (!scenario_next_line(in, &line))
        return scenario_refuse(in, KERB_ERROR_TOO_FEW, "header", "the file is empty");
    bool is_csv =
        line.length == strlen(CSV_HEADER) && memcmp(line.text, CSV_HEADER, line.length) == 0;
    bool is_scen = line.length >= 7 && memcmp(line.text, "version", 7) == 0;
    in->kind = is_csv ? KERB_IO_SCENARIO_POSES : KERB_IO_SCENARIO_CELLS;
    if (is_scen)
        note_version(in, line);
    if (is_csv || is_scen)
        return KERB_OK;
    if (!is_cells_row(in, line))
        return scenario_refuse(in, KERB_ERROR_SYNTAX, "header",
                               "must be \"version 1\" or \"" CSV_HEADER "\"");
    *in = before; // the first line is a row
    kerb_io_notes_add(in->notes, "version", 0, "assumed a list of MovingAI without its first line");
    return KERB_OK;
}

static int32_t count_lines(scenario_reader in) {
    int32_t count = 0;
    scenario_word line;
    while (count <= KERB_IO_SCENARIOS_MAX && scenario_next_line(&in, &line))
        count++;
    return count;
}

kerb_result kerb_io_scenarios_read(kerb_io_scenarios* list, const char* text, size_t length,
                                   const kerb_host* host, kerb_io_notes* notes, kerb_error* error) {
    scenario_reader in = {text, text + length, 0, KERB_IO_SCENARIO_CELLS, notes, error};
    memset(list, 0, sizeof *list);
    kerb_result result = read_head(&in);
    if (result != KERB_OK)
        return result;
    int32_t count = count_lines(in);
    if (count == 0 || count > KERB_IO_SCENARIOS_MAX)
        return scenario_refuse(&in, count == 0 ? KERB_ERROR_TOO_FEW : KERB_ERROR_TOO_MANY, "rows",
                               count == 0 ? "there are none" : "must be at most 1000000");
    list->kind = in.kind;
    list->count = count;
    list->rows =
        host->allocator.allocate(host->allocator.context, (size_t)count * sizeof *list->rows, 16);
    if (!list->rows) {
        memset(list, 0, sizeof *list);
        return scenario_refuse(&in, KERB_ERROR_OUT_OF_MEMORY, "rows", "out of memory");
    }
    scenario_word line = {NULL, 0};
    for (int32_t i = 0; i < count && result == KERB_OK && scenario_next_line(&in, &line); i++)
        result = scenario_read_row(&in, line, &list->rows[i]);
    if (result != KERB_OK)
        kerb_io_scenarios_destroy(list, host);
    return result;
}

void kerb_io_scenarios_destroy(kerb_io_scenarios* list, const kerb_host* host) {
    if (list->rows)
        host->allocator.release(host->allocator.context, list->rows,
                                (size_t)list->count * sizeof *list->rows);
    memset(list, 0, sizeof *list);
}

const char* kerb_io_scenario_kind_text(kerb_io_scenario_kind value) {
    return value == KERB_IO_SCENARIO_CELLS   ? "cells"
           : value == KERB_IO_SCENARIO_POSES ? "poses"
                                             : "unknown";
}
