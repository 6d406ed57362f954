// Purpose: reads the maps of MovingAI, and allocates and releases the cells of all maps.
// Cost:    O(length).
#include "io/grid_map_cells.h"

#include "io/number.h"
#include "io/quote.h"

#include <stdio.h>
#include <string.h>

kerb_result kerb_io_grid_map_allocate(kerb_io_grid_map* map, int32_t columns, int32_t rows,
                                      const kerb_host* host, kerb_error* error) {
    size_t size = (size_t)columns * (size_t)rows;
    map->cells = host->allocator.allocate(host->allocator.context, size, 64);
    if (!map->cells)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "cells", 0, -1, "out of memory");
    map->columns = columns;
    map->rows = rows;
    return KERB_OK;
}

void kerb_io_grid_map_destroy(kerb_io_grid_map* map, const kerb_host* host) {
    if (map->cells)
        host->allocator.release(host->allocator.context, map->cells,
                                (size_t)map->columns * (size_t)map->rows);
    memset(map, 0, sizeof *map);
}

// --------------------------------------------------------------------------- lines

typedef struct grid_map_lines {
    const char* at;
    const char* end;
    int32_t number;
    kerb_error* error;
} grid_map_lines;

// The next line without its ending and the spaces behind it; false at the end of the text.
static bool grid_map_next_line(grid_map_lines* in, const char** line, size_t* length) {
    if (in->at >= in->end)
        return false;
    const char* ending = memchr(in->at, '\n', (size_t)(in->end - in->at));
    const char* stop = ending ? ending : in->end;
    *line = in->at;
    in->at = ending ? ending + 1 : in->end;
    in->number++;
    while (stop > *line && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    *length = (size_t)(stop - *line);
    return true;
}

static kerb_result grid_map_refuse(const grid_map_lines* in, kerb_result result, const char* field,
                                   const char* message) {
    return kerb_error_set(in->error, result, field, in->number, -1, message);
}

// A line "key N".
static kerb_result read_side(grid_map_lines* in, const char* key, int32_t* value) {
    const char* line = NULL;
    size_t length = 0, name = strlen(key);
    double number = 0.0;
    if (!grid_map_next_line(in, &line, &length) || length < name || memcmp(line, key, name) != 0)
        return grid_map_refuse(in, KERB_ERROR_MISSING_FIELD, key,
                               "must stand here, as in \"height 256\"");
    while (name < length && (line[name] == ' ' || line[name] == '\t'))
        name++;
    if (kerb_io_number_read_double(line + name, length - name, &number) != KERB_OK)
        return grid_map_refuse(in, KERB_ERROR_WRONG_TYPE, key, "must be a number");
    if (!(number >= 1.0 && number <= (double)KERB_PLAN_CELLS_MAX))
        return grid_map_refuse(in, KERB_ERROR_OUT_OF_RANGE, key, "must be 1 to 32768");
    *value = (int32_t)number;
    if ((double)*value != number)
        return grid_map_refuse(in, KERB_ERROR_WRONG_TYPE, key, "must be a whole number");
    return KERB_OK;
}

static kerb_result read_word(grid_map_lines* in, const char* word, bool is_whole) {
    const char* line = NULL;
    size_t length = 0, name = strlen(word);
    if (!grid_map_next_line(in, &line, &length) || length < name || memcmp(line, word, name) != 0 ||
        (is_whole && length > name))
        return grid_map_refuse(in, KERB_ERROR_MISSING_FIELD, word, "must stand here");
    return KERB_OK;
}

// --------------------------------------------------------------------------- MovingAI

static kerb_result grid_map_read_row(const grid_map_lines* in, const char* line, uint8_t* cells,
                                     int32_t columns) {
    for (int32_t x = 0; x < columns; x++) {
        bool is_free = line[x] == '.' || line[x] == 'G' || line[x] == 'S';
        bool is_known = is_free || (line[x] != '\0' && strchr("@OTW", line[x]));
        if (!is_known) {
            char quoted[KERB_IO_QUOTE_MAX], message[96];
            kerb_io_quote(quoted, line + x, 1);
            snprintf(message, sizeof message, "column %d is none of .GS@OTW: \"%s\"", (int)x + 1,
                     quoted);
            return grid_map_refuse(in, KERB_ERROR_SYNTAX, "map", message);
        }
        cells[x] = is_free ? 0 : 255;
    }
    return KERB_OK;
}

static kerb_result read_rows(grid_map_lines* in, kerb_io_grid_map* map) {
    const char* line = NULL;
    size_t length = 0;
    for (int32_t y = 0; y < map->rows; y++) {
        if (!grid_map_next_line(in, &line, &length))
            return grid_map_refuse(in, KERB_ERROR_TOO_FEW, "map", "has fewer rows than its height");
        if (length != (size_t)map->columns)
            return grid_map_refuse(in, KERB_ERROR_SYNTAX, "map",
                                   "a row is not as long as the width says");
        kerb_result result = grid_map_read_row(
            in, line, map->cells + (size_t)y * (size_t)map->columns, map->columns);
        if (result != KERB_OK)
            return result;
    }
    while (grid_map_next_line(in, &line, &length))
        if (length > 0)
            return grid_map_refuse(in, KERB_ERROR_TOO_MANY, "map", "has more rows than its height");
    return KERB_OK;
}

kerb_result kerb_io_grid_map_read_movingai(kerb_io_grid_map* map, const char* text, size_t length,
                                           const kerb_host* host, kerb_error* error) {
    grid_map_lines in = {text, text + length, 0, error};
    int32_t columns = 0, rows = 0;
    memset(map, 0, sizeof *map);
    kerb_result result = read_word(&in, "type", false);
    if (result == KERB_OK)
        result = read_side(&in, "height", &rows);
    if (result == KERB_OK)
        result = read_side(&in, "width", &columns);
    if (result == KERB_OK)
        result = read_word(&in, "map", true);
    // Before memory is asked for: so much text must be there.
    if (result == KERB_OK && (size_t)(in.end - in.at) < (size_t)columns * (size_t)rows)
        result = grid_map_refuse(&in, KERB_ERROR_TOO_FEW, "map",
                                 "is shorter than its height and width say");
    if (result == KERB_OK)
        result = kerb_io_grid_map_allocate(map, columns, rows, host, error);
    if (result == KERB_OK)
        result = read_rows(&in, map);
    if (result != KERB_OK)
        kerb_io_grid_map_destroy(map, host);
    return result;
}
