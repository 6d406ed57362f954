// Purpose: reads lists of movements to plan, in two similar formats: the first line names the
//          format, and each further line is a movement with cells between tabs, spaces or commas.
// Cost:    O(length).
#include "kerb/io/scenario.h"

#include "io/number.h"

#include <stdio.h>
#include <string.h>

#define CELLS_MOST 9
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

// Cuts a line; one more than CELLS_MOST stands for any that are too many.
static int32_t cut(const scenario_reader* in, scenario_word line, scenario_word cells[CELLS_MOST]) {
    int32_t count = 0;
    while (line.length > 0) {
        size_t length = 0;
        while (length < line.length &&
               (in->kind == KERB_IO_SCENARIO_POSES ? line.text[length] != ','
                                                   : !is_blank(line.text[length])))
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
                                  kerb_io_scenario* row) {
    static const char* const names[4] = {"start column", "start row", "goal column", "goal row"};
    double side[2];
    kerb_result result = read_map(in, cells[1], row);
    for (int32_t i = 0; i < 2 && result == KERB_OK; i++)
        result = scenario_read_number(in, cells[2 + i], i == 0 ? "width" : "height", 1.0,
                                      (double)KERB_PLAN_CELLS_MAX, &side[i]);
    for (int32_t i = 0; i < 4 && result == KERB_OK; i++)
        result = scenario_read_number(in, cells[4 + i], names[i], 0.0, side[i % 2] - 1.0,
                                      &row->numbers[i]);
    if (result == KERB_OK)
        result = scenario_read_number(in, cells[8], "length", 0.0, 1e9, &row->length);
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
    memset(row, 0, sizeof *row);
    if (count != CELLS_MOST)
        return scenario_refuse(in, count < CELLS_MOST ? KERB_ERROR_TOO_FEW : KERB_ERROR_TOO_MANY,
                               "cells", "a line must have nine");
    return in->kind == KERB_IO_SCENARIO_CELLS ? read_cells_row(in, cells, row)
                                              : read_poses_row(in, cells, row);
}

static kerb_result read_head(scenario_reader* in) {
    scenario_word line = {NULL, 0};
    if (!scenario_next_line(in, &line))
        return scenario_refuse(in, KERB_ERROR_TOO_FEW, "header", "the file is empty");
    bool is_csv =
        line.length == strlen(CSV_HEADER) && memcmp(line.text, CSV_HEADER, line.length) == 0;
    bool is_scen = line.length >= 7 && memcmp(line.text, "version", 7) == 0;
    in->kind = is_csv ? KERB_IO_SCENARIO_POSES : KERB_IO_SCENARIO_CELLS;
    if (!is_csv && !is_scen)
        return scenario_refuse(in, KERB_ERROR_SYNTAX, "header",
                               "must be \"version 1\" or \"" CSV_HEADER "\"");
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
                                   const kerb_host* host, kerb_error* error) {
    scenario_reader in = {text, text + length, 0, KERB_IO_SCENARIO_CELLS, error};
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
