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

// --------------------------------------------------------------------------- MovingAI: head

// What the lines before the rows say. The values are 0 until their line was read.
typedef struct movingai_head {
    int32_t columns, rows;
    bool has_type, is_octile;
    int32_t type_line;
    char type[KERB_IO_QUOTE_MAX];
} movingai_head;

static bool begins_with(const char* line, size_t length, const char* word) {
    size_t letters = strlen(word);
    return length >= letters && memcmp(line, word, letters) == 0 &&
           (length == letters || line[letters] == ' ' || line[letters] == '\t');
}

// What follows the key of a line.
static void skip_key(const char** line, size_t* length, const char* key) {
    *line += strlen(key);
    *length -= strlen(key);
    while (*length > 0 && (**line == ' ' || **line == '\t')) {
        (*line)++;
        (*length)--;
    }
}

// A line "key N".
static kerb_result read_side(const grid_map_lines* in, const char* line, size_t length,
                             const char* key, int32_t* value) {
    double number = 0.0;
    skip_key(&line, &length, key);
    if (*value > 0)
        return grid_map_refuse(in, KERB_ERROR_CONTRADICTION, key, "is there twice");
    if (kerb_io_number_read_double(line, length, &number) != KERB_OK)
        return grid_map_refuse(in, KERB_ERROR_WRONG_TYPE, key, "must be a number");
    if (!(number >= 1.0 && number <= (double)KERB_PLAN_CELLS_MAX))
        return grid_map_refuse(in, KERB_ERROR_OUT_OF_RANGE, key, "must be 1 to 32768");
    *value = (int32_t)number;
    if ((double)*value != number)
        return grid_map_refuse(in, KERB_ERROR_WRONG_TYPE, key, "must be a whole number");
    return KERB_OK;
}

static kerb_result read_type(const grid_map_lines* in, const char* line, size_t length,
                             movingai_head* head) {
    skip_key(&line, &length, "type");
    if (head->has_type)
        return grid_map_refuse(in, KERB_ERROR_CONTRADICTION, "type", "is there twice");
    head->has_type = true;
    head->type_line = in->number;
    head->is_octile = length == 6 && memcmp(line, "octile", 6) == 0;
    kerb_io_quote(head->type, line, length);
    return KERB_OK;
}

static kerb_result read_head_line(const grid_map_lines* in, const char* line, size_t length,
                                  movingai_head* head) {
    if (begins_with(line, length, "type"))
        return read_type(in, line, length, head);
    if (begins_with(line, length, "height"))
        return read_side(in, line, length, "height", &head->rows);
    if (begins_with(line, length, "width"))
        return read_side(in, line, length, "width", &head->columns);
    const char* wanted = !head->has_type      ? "type"
                         : head->rows == 0    ? "height"
                         : head->columns == 0 ? "width"
                                              : "map";
    return grid_map_refuse(in, KERB_ERROR_MISSING_FIELD, wanted,
                           "must stand here, as in \"type octile\", \"height 256\", \"map\"");
}

static kerb_result grid_map_read_head(grid_map_lines* in, movingai_head* head) {
    const char* line = NULL;
    size_t length = 0;
    memset(head, 0, sizeof *head);
    if (in->end - in->at >= 3 && memcmp(in->at, "\xEF\xBB\xBF", 3) == 0)
        in->at += 3;
    while (grid_map_next_line(in, &line, &length)) {
        bool is_last = length == 3 && memcmp(line, "map", 3) == 0;
        if (is_last && head->has_type && head->rows > 0 && head->columns > 0)
            return KERB_OK;
        kerb_result result = length > 0 ? read_head_line(in, line, length, head) : KERB_OK;
        if (result != KERB_OK)
            return result;
    }
    return read_head_line(in, "", 0, head); // names what is missing
}

kerb_result kerb_io_grid_map_head_read_movingai(kerb_io_grid_map_head* head, const char* text,
                                                size_t length, kerb_error* error) {
    grid_map_lines in = {text, text + length, 0, error};
    movingai_head lines;
    kerb_result result = grid_map_read_head(&in, &lines);
    // Each row may end in CRLF, and editors add blanks and empty lines behind.
    uint64_t row = (uint64_t)lines.columns + 16, before = (uint64_t)(in.at - text);
    *head = (kerb_io_grid_map_head){0};
    if (result == KERB_OK)
        *head = (kerb_io_grid_map_head){lines.columns, lines.rows,
                                        before + row * (uint64_t)lines.rows + 4096};
    return result;
}

// --------------------------------------------------------------------------- MovingAI: rows

enum { LETTERS = 128 };

// What a letter stands for.
typedef enum letter_kind {
    LETTER_REFUSED,
    LETTER_FREE,
    LETTER_BLOCKED,
    LETTER_WEIGHT, // free
    LETTER_UNKNOWN // blocked
} letter_kind;

static letter_kind letter_of(unsigned char letter) {
    bool is_large = letter >= 'A' && letter <= 'Z', is_digit = letter >= '0' && letter <= '9';
    bool is_small = letter >= 'a' && letter <= 'z';
    if (letter <= ' ' || letter >= 127)
        return LETTER_REFUSED;
    if (strchr(".GSgs", letter))
        return LETTER_FREE;
    if (strchr("@OTWotw#", letter))
        return LETTER_BLOCKED;
    return is_large || is_small || is_digit ? LETTER_WEIGHT : LETTER_UNKNOWN;
}

// Which letters of a kind were met, and where first.
typedef struct letters_met {
    bool letter[LETTERS];
    int32_t line; // 0: none
} letters_met;

static kerb_result grid_map_read_row(const grid_map_lines* in, const char* line, uint8_t* cells,
                                     int32_t columns, letters_met met[2]) {
    for (int32_t x = 0; x < columns; x++) {
        letter_kind kind = letter_of((unsigned char)line[x]);
        if (kind == LETTER_REFUSED) {
            char quoted[KERB_IO_QUOTE_MAX], message[96];
            kerb_io_quote(quoted, line + x, 1);
            snprintf(message, sizeof message, "column %d is no letter of a map: \"%s\"", (int)x + 1,
                     quoted);
            return grid_map_refuse(in, KERB_ERROR_SYNTAX, "map", message);
        }
        if (kind == LETTER_WEIGHT || kind == LETTER_UNKNOWN) {
            letters_met* m = &met[kind == LETTER_UNKNOWN];
            m->letter[(unsigned char)line[x]] = true;
            m->line = m->line > 0 ? m->line : in->number;
        }
        cells[x] = kind == LETTER_FREE || kind == LETTER_WEIGHT ? 0 : 255;
    }
    return KERB_OK;
}

// A note holds 40 letters of the 62 that there are.
static void note_letters(const letters_met* met, const char* what, kerb_io_notes* notes) {
    char letters[44], message[144];
    int32_t count = 0;
    for (int32_t i = 0; met->line > 0 && i < LETTERS; i++)
        if (met->letter[i] && count < 40)
            letters[count++] = (char)i;
    letters[count] = '\0';
    snprintf(message, sizeof message, "%s: %s", what, letters);
    if (met->line > 0)
        kerb_io_notes_add(notes, "map", met->line, message);
}

static kerb_result read_rows(grid_map_lines* in, kerb_io_grid_map* map, kerb_io_notes* notes) {
    const char* line = NULL;
    size_t length = 0;
    letters_met met[2] = {0};
    for (int32_t y = 0; y < map->rows; y++) {
        if (!grid_map_next_line(in, &line, &length))
            return grid_map_refuse(in, KERB_ERROR_TOO_FEW, "map", "has fewer rows than its height");
        if (length != (size_t)map->columns)
            return grid_map_refuse(in, KERB_ERROR_SYNTAX, "map",
                                   "a row is not as long as the width says");
        kerb_result result = grid_map_read_row(
            in, line, map->cells + (size_t)y * (size_t)map->columns, map->columns, met);
        if (result != KERB_OK)
            return result;
    }
    while (grid_map_next_line(in, &line, &length))
        if (length > 0)
            return grid_map_refuse(in, KERB_ERROR_TOO_MANY, "map", "has more rows than its height");
    note_letters(&met[0], "assumed free ground, without their weights", notes);
    note_letters(&met[1], "assumed blocked, for no map of MovingAI has them", notes);
    return KERB_OK;
}

static void note_type(const movingai_head* head, kerb_io_notes* notes) {
    char message[96];
    snprintf(message, sizeof message, "\"%s\" is read as octile", head->type);
    if (!head->is_octile)
        kerb_io_notes_add(notes, "type", head->type_line, message);
}

kerb_result kerb_io_grid_map_read_movingai(kerb_io_grid_map* map, const char* text, size_t length,
                                           const kerb_host* host, kerb_io_notes* notes,
                                           kerb_error* error) {
    grid_map_lines in = {text, text + length, 0, error};
    movingai_head head;
    memset(map, 0, sizeof *map);
    kerb_result result = grid_map_read_head(&in, &head);
    // Before memory is asked for: so much text must be there.
    if (result == KERB_OK && (size_t)(in.end - in.at) < (size_t)head.columns * (size_t)head.rows)
        result = grid_map_refuse(&in, KERB_ERROR_TOO_FEW, "map",
                                 "is shorter than its height and width say");
    if (result == KERB_OK)
        result = kerb_io_grid_map_allocate(map, head.columns, head.rows, host, error);
    if (result == KERB_OK)
        note_type(&head, notes);
    if (result == KERB_OK)
        result = read_rows(&in, map, notes);
    if (result != KERB_OK)
        kerb_io_grid_map_destroy(map, host);
    return result;
}
