// Courses as CSV. The columns are a settings table over kerb_waypoint, so that one loop reads,
// checks and writes all of them, with the ranges that kerb_path_create checks too.
//
// Two passes: the first counts the rows, so that the waypoints are allocated once and with the
// size that they are given back with; the second reads them. About 0.25 µs a row of eight cells.
#include "kerb/io/course_csv.h"

#include "io/csv_rows.h"
#include "io/number.h"
#include "io/quote.h"

#include <stdio.h>
#include <string.h>

// clang-format off
#define COLUMN(name, field, type, unit, least, most, standard, meaning) \
    {name, offsetof(kerb_waypoint, field), KERB_SETTING_##type, \
     unit, least, most, standard, NULL, meaning}

enum { X, Y, DIRECTION = 5, COLUMNS = 10 };

static const kerb_setting columns[COLUMNS] = {
    [X] = COLUMN("x_m", position.x, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "position"),
    [Y] = COLUMN("y_m", position.y, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "position, 90° to the left of x"),
    COLUMN("z_m", position.z, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
           "position, up"),
    COLUMN("left_m", left, FLOAT, "m", 0, KERB_POSITION_MAX, 2, "corridor to the left"),
    COLUMN("right_m", right, FLOAT, "m", 0, KERB_POSITION_MAX, 2, "corridor to the right"),
    [DIRECTION] = COLUMN("direction", direction, INT, "1", -1, 1, 1,
           "from here to the next row: 1 forwards, -1 in reverse"),
    COLUMN("speed_mps", speed_limit, FLOAT, "m/s", 0.01f, KERB_SPEED_UNLIMITED,
           KERB_SPEED_UNLIMITED, "speed limit from here to the next row; the default is none"),
    COLUMN("stop_s", stop, FLOAT, "s", 0, KERB_STOP_FOREVER, 0,
           "stand here for so long; 0: drive through"),
    COLUMN("bank_rad", bank, FLOAT, "rad", -1.5f, 1.5f, 0,
           "roll of the surface, left side up positive"),
    COLUMN("grip", grip, FLOAT, "1", 0.01f, 10, 1, "of the surface; 1 is dry asphalt"),
};
// clang-format on

const kerb_settings_table io_course_columns = {"course", sizeof(kerb_waypoint), columns, COLUMNS};

typedef struct reader {
    io_csv_rows rows;
    bool closed;
} reader;

// --------------------------------------------------------------------------- header

static bool has_byte(const io_csv_cell* cell, char byte) {
    return memchr(cell->text, byte, cell->length) != NULL;
}

static kerb_result refuse_column(reader* in, const io_csv_line* line, const io_csv_cell* cell) {
    char name[IO_QUOTE_MAX], message[96] = "is no column of a course";
    float number;
    io_quote(name, cell->text, cell->length);
    if (cell->length == 0)
        return io_csv_refuse(&in->rows, KERB_ERROR_UNKNOWN_FIELD, line, "", "a column has no name");
    if (io_number_read_float(cell->text, cell->length, &number) == KERB_OK)
        return io_csv_refuse_cell(&in->rows, KERB_ERROR_MISSING_FIELD, line, "x_m",
                                  "the first line must name the columns, as in x_m,y_m", cell);
    if (has_byte(cell, '\0'))
        return io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, line, "",
                             "is not UTF-8 text: it holds zero bytes");
    if (has_byte(cell, ';') || has_byte(cell, '\t'))
        return io_csv_refuse(&in->rows, KERB_ERROR_UNKNOWN_FIELD, line, name,
                             "columns must be separated by commas");
    io_nearest nearest = io_nearest_make(cell->text, cell->length);
    for (int32_t i = 0; i < COLUMNS; i++)
        io_nearest_consider(&nearest, columns[i].name);
    if (nearest.name)
        snprintf(message, sizeof message, "is no column of a course; did you mean %s?",
                 nearest.name);
    return io_csv_refuse(&in->rows, KERB_ERROR_UNKNOWN_FIELD, line, name, message);
}

static int32_t find_column(const io_csv_cell* cell) {
    int32_t column = 0;
    while (column < COLUMNS && !io_csv_is_word(cell, columns[column].name))
        column++;
    return column;
}

static kerb_result read_header(reader* in, io_csv_line* line) {
    int32_t count = 0;
    io_csv_cell cell;
    while (io_csv_next_cell(line, &cell)) {
        int32_t column = find_column(&cell);
        if (cell.fault)
            return io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, line, "", cell.fault);
        if (column == COLUMNS)
            return refuse_column(in, line, &cell);
        if (io_csv_has_column(&in->rows, count, column))
            return io_csv_refuse(&in->rows, KERB_ERROR_CONTRADICTION, line, columns[column].name,
                                 "the column is named twice");
        in->rows.column[count++] = column;
    }
    for (int32_t column = X; column <= Y; column++)
        if (!io_csv_has_column(&in->rows, count, column))
            return io_csv_refuse(&in->rows, KERB_ERROR_MISSING_FIELD, line, columns[column].name,
                                 "the header must name this column");
    in->rows.column_count = count;
    return KERB_OK;
}

static bool comment_has(const io_csv_line* line, const char* word) {
    size_t length = strlen(word);
    for (const char* at = line->at; (size_t)(line->end - at) >= length; at++)
        if (memcmp(at, word, length) == 0)
            return true;
    return false;
}

static kerb_result read_comment(reader* in, const io_csv_line* line) {
    io_csv_cell cell = {line->at, (size_t)(line->end - line->at), NULL};
    while (cell.length > 0 && (cell.text[cell.length - 1] == ' '))
        cell.length--;
    if (in->rows.column_count == 0 && comment_has(line, "w_tr_right_m"))
        return io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, line, "w_tr_right_m",
                             "this is a track (x_m,y_m,w_tr_right_m,w_tr_left_m), not a course");
    if (!io_csv_is_word(&cell, "closed"))
        return KERB_OK;
    if (in->rows.rows > 0)
        return io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, line, "closed",
                             "must stand above the first row");
    in->closed = true;
    return KERB_OK;
}

// --------------------------------------------------------------------------- rows

static kerb_result take_cell(io_csv_rows* in, const io_csv_line* line, const io_csv_cell* cell,
                             int32_t column, kerb_waypoint* waypoint) {
    const kerb_setting* setting = &columns[column];
    float value;
    if (cell->length == 0 && column > Y)
        return KERB_OK;
    kerb_result result = io_csv_read_number(in, line, cell, setting->name, &value);
    if (result != KERB_OK)
        return result;
    if (column == DIRECTION && value != 1.0f && value != -1.0f)
        return io_csv_refuse_cell(in, KERB_ERROR_OUT_OF_RANGE, line, setting->name,
                                  "must be 1 (forwards) or -1 (in reverse)", cell);
    result = kerb_settings_set(setting, waypoint, value, &in->error);
    if (result != KERB_OK)
        return io_csv_refuse_cell(in, result, line, setting->name, in->error.message, cell);
    return KERB_OK;
}

// --------------------------------------------------------------------------- the whole

static kerb_result read_line(reader* in, io_csv_line* line) {
    if (line->comment)
        return read_comment(in, line);
    if (in->rows.column_count == 0)
        return read_header(in, line);
    return io_csv_read_row(&in->rows, line);
}

static kerb_result read_lines(reader* in, const char* text, size_t length) {
    io_csv csv = io_csv_make(text, length);
    io_csv_line line;
    kerb_result result = KERB_OK;
    while (result == KERB_OK && io_csv_next_line(&csv, &line))
        result = read_line(in, &line);
    return result;
}

static kerb_result read_counted(reader* in, int32_t rows, const char* text, size_t length,
                                const kerb_allocator* allocator) {
    size_t size = (size_t)rows * sizeof(kerb_waypoint);
    // A file without rows still goes through the reader: its header may say what is wrong.
    if (rows > 0)
        in->rows.waypoints = allocator->allocate(allocator->context, size, _Alignof(kerb_waypoint));
    if (rows > 0 && !in->rows.waypoints)
        return io_csv_refuse(&in->rows, KERB_ERROR_OUT_OF_MEMORY, NULL, "",
                             "no memory for the waypoints");
    kerb_result result = read_lines(in, text, length);
    if (result == KERB_OK && in->rows.column_count == 0)
        result = io_csv_refuse(&in->rows, KERB_ERROR_MISSING_FIELD, NULL, "x_m",
                               "the file has no line that names the columns, as in x_m,y_m");
    else if (result == KERB_OK && rows == 0)
        result = io_csv_refuse(&in->rows, KERB_ERROR_TOO_FEW, NULL, "",
                               "no row stands below the header");
    if (result != KERB_OK && in->rows.waypoints)
        allocator->release(allocator->context, in->rows.waypoints, size);
    return result;
}

kerb_result io_course_csv_read(io_course* course, const char* text, size_t length,
                               const kerb_host* host, kerb_error* error) {
    reader in = {.rows = {.take_cell = take_cell}};
    int32_t lines = io_csv_count_lines(text, length, IO_COURSE_ROWS_MAX + 1);
    *course = (io_course){NULL, 0, false};
    if (lines > IO_COURSE_ROWS_MAX + 1)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "", 0, -1,
                              "a course may have 10 million rows");
    kerb_result result =
        read_counted(&in, lines > 0 ? lines - 1 : 0, text, length, &host->allocator);
    if (result == KERB_OK)
        *course = (io_course){in.rows.waypoints, in.rows.rows, in.closed};
    else if (error)
        *error = in.rows.error;
    return result;
}

void io_course_free(io_course* course, const kerb_host* host) {
    if (course->waypoints)
        host->allocator.release(host->allocator.context, course->waypoints,
                                (size_t)course->count * sizeof(kerb_waypoint));
    *course = (io_course){NULL, 0, false};
}

// --------------------------------------------------------------------------- writing

static bool column_matters(int32_t column, const kerb_waypoint* waypoints, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (kerb_settings_get(&columns[column], &waypoints[i]) != columns[column].standard)
            return true;
    return column <= Y;
}

static void write_row(io_text* text, const bool* wanted, const kerb_waypoint* waypoint) {
    for (int32_t column = 0; column < COLUMNS; column++) {
        if (!wanted[column])
            continue;
        float value = kerb_settings_get(&columns[column], waypoint);
        if (column > X)
            io_text_add(text, ",");
        if (column <= Y || value != columns[column].standard)
            io_text_add_float(text, value);
    }
    io_text_add(text, "\n");
}

kerb_result io_course_csv_write(io_text* text, const kerb_waypoint* waypoints, int32_t count,
                                bool closed, kerb_error* error) {
    bool wanted[COLUMNS];
    if (closed)
        io_text_add(text, "# closed\n");
    for (int32_t column = 0; column < COLUMNS; column++) {
        wanted[column] = column_matters(column, waypoints, count);
        if (wanted[column] && column > X)
            io_text_add(text, ",");
        if (wanted[column])
            io_text_add(text, columns[column].name);
    }
    io_text_add(text, "\n");
    for (int32_t i = 0; i < count; i++)
        write_row(text, wanted, &waypoints[i]);
    return io_text_result(text, error);
}
