// Purpose: courses as CSV.
// Idea:    The columns are a settings table over kerb_waypoint, so that one loop reads, checks and
//          writes all of them, with the ranges that kerb_path_create checks too. The first of two
//          passes counts the rows, so that the waypoints are allocated once, with the size with
//          which they are released; the second pass reads them.
// Cost:    O(length).
#include "kerb/io/course_csv.h"

#include "io/csv_rows.h"
#include "io/number.h"
#include "io/quote.h"

#include <stdio.h>
#include <string.h>

// clang-format off
#define COURSE_CSV_COLUMN(name, field, type, unit, least, most, standard, meaning) \
    {name, offsetof(kerb_waypoint, field), KERB_SETTING_##type, \
     unit, least, most, standard, NULL, meaning}

enum { COURSE_CSV_X, COURSE_CSV_Y, DIRECTION = 5, COURSE_CSV_COLUMNS = 10 };

static const kerb_setting course_csv_columns[COURSE_CSV_COLUMNS] = {
    [COURSE_CSV_X] = COURSE_CSV_COLUMN("x_m", position.x, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "position"),
    [COURSE_CSV_Y] = COURSE_CSV_COLUMN("y_m", position.y, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "position, 90° to the left of x"),
    COURSE_CSV_COLUMN("z_m", position.z, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
           "position, up"),
    COURSE_CSV_COLUMN("left_m", left, FLOAT, "m", 0, KERB_POSITION_MAX, 2, "corridor to the left"),
    COURSE_CSV_COLUMN("right_m", right, FLOAT, "m", 0, KERB_POSITION_MAX, 2, "corridor to the right"),
    [DIRECTION] = COURSE_CSV_COLUMN("direction", direction, INT, "1", -1, 1, 1,
           "from here to the next row: 1 forwards, -1 in reverse"),
    COURSE_CSV_COLUMN("speed_mps", speed_limit, FLOAT, "m/s", 0.01f, KERB_SPEED_UNLIMITED,
           KERB_SPEED_UNLIMITED, "speed limit from here to the next row; the default is none"),
    COURSE_CSV_COLUMN("stop_s", stop, FLOAT, "s", 0, KERB_STOP_FOREVER, 0,
           "duration of a stop here; 0: no stop"),
    COURSE_CSV_COLUMN("bank_rad", bank, FLOAT, "rad", -1.5f, 1.5f, 0,
           "roll of the surface, left side up positive"),
    COURSE_CSV_COLUMN("grip", grip, FLOAT, "1", 0.01f, 10, 1, "of the surface; 1 is dry asphalt"),
};
// clang-format on

const kerb_settings_table kerb_io_course_columns = {"course", sizeof(kerb_waypoint),
                                                    course_csv_columns, COURSE_CSV_COLUMNS};

typedef struct course_csv_reader {
    kerb_io_csv_rows rows;
    bool closed;
} course_csv_reader;

// --------------------------------------------------------------------------- header

static bool has_byte(const kerb_io_csv_cell* cell, char byte) {
    return memchr(cell->text, byte, cell->length) != NULL;
}

static kerb_result course_csv_refuse_column(course_csv_reader* in, const kerb_io_csv_line* line,
                                            const kerb_io_csv_cell* cell) {
    char name[KERB_IO_QUOTE_MAX], message[96] = "is no column of a course";
    float number;
    kerb_io_quote(name, cell->text, cell->length);
    if (cell->length == 0)
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_UNKNOWN_FIELD, line, "",
                                  "a column has no name");
    if (kerb_io_number_read_float(cell->text, cell->length, &number) == KERB_OK)
        return kerb_io_csv_refuse_cell(&in->rows, KERB_ERROR_MISSING_FIELD, line, "x_m",
                                       "the first line must name the columns, as in x_m,y_m", cell);
    if (has_byte(cell, '\0'))
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, line, "",
                                  "is not UTF-8 text: it holds zero bytes");
    if (has_byte(cell, ';') || has_byte(cell, '\t'))
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_UNKNOWN_FIELD, line, name,
                                  "columns must be separated by commas");
    kerb_io_nearest nearest = kerb_io_nearest_make(cell->text, cell->length);
    for (int32_t i = 0; i < COURSE_CSV_COLUMNS; i++)
        kerb_io_nearest_consider(&nearest, course_csv_columns[i].name);
    if (nearest.name)
        snprintf(message, sizeof message, "is no column of a course; did you mean %s?",
                 nearest.name);
    return kerb_io_csv_refuse(&in->rows, KERB_ERROR_UNKNOWN_FIELD, line, name, message);
}

static int32_t course_csv_find_column(const kerb_io_csv_cell* cell) {
    int32_t column = 0;
    while (column < COURSE_CSV_COLUMNS &&
           !kerb_io_csv_is_word(cell, course_csv_columns[column].name))
        column++;
    return column;
}

static kerb_result read_header(course_csv_reader* in, kerb_io_csv_line* line) {
    int32_t count = 0;
    kerb_io_csv_cell cell;
    while (kerb_io_csv_next_cell(line, &cell)) {
        int32_t column = course_csv_find_column(&cell);
        if (cell.fault)
            return kerb_io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, line, "", cell.fault);
        if (column == COURSE_CSV_COLUMNS)
            return course_csv_refuse_column(in, line, &cell);
        if (kerb_io_csv_has_column(&in->rows, count, column))
            return kerb_io_csv_refuse(&in->rows, KERB_ERROR_CONTRADICTION, line,
                                      course_csv_columns[column].name, "the column is named twice");
        in->rows.column[count++] = column;
    }
    for (int32_t column = COURSE_CSV_X; column <= COURSE_CSV_Y; column++)
        if (!kerb_io_csv_has_column(&in->rows, count, column))
            return kerb_io_csv_refuse(&in->rows, KERB_ERROR_MISSING_FIELD, line,
                                      course_csv_columns[column].name,
                                      "the header must name this column");
    in->rows.column_count = count;
    return KERB_OK;
}

static bool comment_has(const kerb_io_csv_line* line, const char* word) {
    size_t length = strlen(word);
    for (const char* at = line->at; (size_t)(line->end - at) >= length; at++)
        if (memcmp(at, word, length) == 0)
            return true;
    return false;
}

static kerb_result course_csv_read_comment(course_csv_reader* in, const kerb_io_csv_line* line) {
    kerb_io_csv_cell cell = {line->at, (size_t)(line->end - line->at), NULL};
    while (cell.length > 0 && (cell.text[cell.length - 1] == ' '))
        cell.length--;
    if (in->rows.column_count == 0 && comment_has(line, "w_tr_right_m"))
        return kerb_io_csv_refuse(
            &in->rows, KERB_ERROR_SYNTAX, line, "w_tr_right_m",
            "this is a track (x_m,y_m,w_tr_right_m,w_tr_left_m), not a course");
    if (!kerb_io_csv_is_word(&cell, "closed"))
        return KERB_OK;
    if (in->rows.rows > 0)
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, line, "closed",
                                  "must stand above the first row");
    in->closed = true;
    return KERB_OK;
}

// --------------------------------------------------------------------------- rows

static kerb_result course_csv_take_cell(kerb_io_csv_rows* in, const kerb_io_csv_line* line,
                                        const kerb_io_csv_cell* cell, int32_t column,
                                        kerb_waypoint* waypoint) {
    const kerb_setting* setting = &course_csv_columns[column];
    float value;
    if (cell->length == 0 && column > COURSE_CSV_Y)
        return KERB_OK;
    kerb_result result = kerb_io_csv_read_number(in, line, cell, setting->name, &value);
    if (result != KERB_OK)
        return result;
    if (column == DIRECTION && value != 1.0f && value != -1.0f)
        return kerb_io_csv_refuse_cell(in, KERB_ERROR_OUT_OF_RANGE, line, setting->name,
                                       "must be 1 (forwards) or -1 (in reverse)", cell);
    result = kerb_settings_set(setting, waypoint, value, &in->error);
    if (result != KERB_OK)
        return kerb_io_csv_refuse_cell(in, result, line, setting->name, in->error.message, cell);
    return KERB_OK;
}

// --------------------------------------------------------------------------- the whole

static kerb_result course_csv_read_line(course_csv_reader* in, kerb_io_csv_line* line) {
    if (line->comment)
        return course_csv_read_comment(in, line);
    if (in->rows.column_count == 0)
        return read_header(in, line);
    return kerb_io_csv_read_row(&in->rows, line);
}

static kerb_result course_csv_read_lines(course_csv_reader* in, const char* text, size_t length) {
    kerb_io_csv csv = kerb_io_csv_make(text, length);
    kerb_io_csv_line line;
    kerb_result result = KERB_OK;
    while (result == KERB_OK && kerb_io_csv_next_line(&csv, &line))
        result = course_csv_read_line(in, &line);
    return result;
}

static kerb_result course_csv_read_counted(course_csv_reader* in, int32_t rows, const char* text,
                                           size_t length, const kerb_allocator* allocator) {
    size_t size = (size_t)rows * sizeof(kerb_waypoint);
    // A file without rows still goes through the reader: its header may say what is wrong.
    if (rows > 0)
        in->rows.waypoints = allocator->allocate(allocator->context, size, _Alignof(kerb_waypoint));
    if (rows > 0 && !in->rows.waypoints)
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_OUT_OF_MEMORY, NULL, "",
                                  "no memory for the waypoints");
    kerb_result result = course_csv_read_lines(in, text, length);
    if (result == KERB_OK && in->rows.column_count == 0)
        result = kerb_io_csv_refuse(&in->rows, KERB_ERROR_MISSING_FIELD, NULL, "x_m",
                                    "the file has no line that names the columns, as in x_m,y_m");
    else if (result == KERB_OK && rows == 0)
        result = kerb_io_csv_refuse(&in->rows, KERB_ERROR_TOO_FEW, NULL, "",
                                    "there is no row below the header");
    if (result != KERB_OK && in->rows.waypoints)
        allocator->release(allocator->context, in->rows.waypoints, size);
    return result;
}

kerb_result kerb_io_course_csv_read(kerb_io_course* course, const char* text, size_t length,
                                    const kerb_host* host, kerb_error* error) {
    course_csv_reader in = {.rows = {.take_cell = course_csv_take_cell}};
    int32_t lines = kerb_io_csv_count_lines(text, length, KERB_IO_COURSE_ROWS_MAX + 1);
    *course = (kerb_io_course){NULL, 0, false};
    if (lines > KERB_IO_COURSE_ROWS_MAX + 1)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "", 0, -1,
                              "a course may have 10 million rows");
    kerb_result result =
        course_csv_read_counted(&in, lines > 0 ? lines - 1 : 0, text, length, &host->allocator);
    if (result == KERB_OK)
        *course = (kerb_io_course){in.rows.waypoints, in.rows.rows, in.closed};
    else if (error)
        *error = in.rows.error;
    return result;
}

void kerb_io_course_destroy(kerb_io_course* course, const kerb_host* host) {
    if (course->waypoints)
        host->allocator.release(host->allocator.context, course->waypoints,
                                (size_t)course->count * sizeof(kerb_waypoint));
    *course = (kerb_io_course){NULL, 0, false};
}

// --------------------------------------------------------------------------- writing

static bool column_matters(int32_t column, const kerb_waypoint* waypoints, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (kerb_settings_get(&course_csv_columns[column], &waypoints[i]) !=
            course_csv_columns[column].default_value)
            return true;
    return column <= COURSE_CSV_Y;
}

static void write_row(kerb_io_text* text, const bool* wanted, const kerb_waypoint* waypoint) {
    for (int32_t column = 0; column < COURSE_CSV_COLUMNS; column++) {
        if (!wanted[column])
            continue;
        float value = kerb_settings_get(&course_csv_columns[column], waypoint);
        if (column > COURSE_CSV_X)
            kerb_io_text_add(text, ",");
        if (column <= COURSE_CSV_Y || value != course_csv_columns[column].default_value)
            kerb_io_text_add_float(text, value);
    }
    kerb_io_text_add(text, "\n");
}

kerb_result kerb_io_course_csv_write(kerb_io_text* text, const kerb_waypoint* waypoints,
                                     int32_t count, bool closed, kerb_error* error) {
    bool wanted[COURSE_CSV_COLUMNS];
    if (closed)
        kerb_io_text_add(text, "# closed\n");
    for (int32_t column = 0; column < COURSE_CSV_COLUMNS; column++) {
        wanted[column] = column_matters(column, waypoints, count);
        if (wanted[column] && column > COURSE_CSV_X)
            kerb_io_text_add(text, ",");
        if (wanted[column])
            kerb_io_text_add(text, course_csv_columns[column].name);
    }
    kerb_io_text_add(text, "\n");
    for (int32_t i = 0; i < count; i++)
        write_row(text, wanted, &waypoints[i]);
    return kerb_io_text_result(text, error);
}
