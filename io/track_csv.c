// Purpose: tracks as CSV.
// Idea:    Unlike a course, a track may name its columns in a comment, or not at all: four columns
//          without names are x, y, right and left; seven are those of a track in space. The first
//          of two passes counts the rows, the second reads them.
// Cost:    O(length).
#include "io/csv_rows.h"
#include "io/quote.h"
#include "kerb/io/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// clang-format off
#define TRACK_CSV_COLUMN(name, field, unit, least, most, standard, meaning) \
    {name, offsetof(kerb_waypoint, field), KERB_SETTING_FLOAT, \
     unit, least, most, standard, NULL, meaning}

enum { TRACK_CSV_X, TRACK_CSV_Y, Z, RIGHT, LEFT, BANK, GRIP, TRACK_CSV_COLUMNS, SLOPE = TRACK_CSV_COLUMNS, NAMES, NONE };

static const kerb_setting track_csv_columns[TRACK_CSV_COLUMNS] = {
    [TRACK_CSV_X] = TRACK_CSV_COLUMN("x_m", position.x, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "centre line"),
    [TRACK_CSV_Y] = TRACK_CSV_COLUMN("y_m", position.y, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "centre line, 90° to the left of x"),
    [Z] = TRACK_CSV_COLUMN("z_m", position.z, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "centre line, up"),
    [RIGHT] = TRACK_CSV_COLUMN("w_right_m", right, "m", 0, KERB_POSITION_MAX, 2,
                     "to the right edge, along the surface"),
    [LEFT] = TRACK_CSV_COLUMN("w_left_m", left, "m", 0, KERB_POSITION_MAX, 2,
                    "to the left edge, along the surface"),
    [BANK] = TRACK_CSV_COLUMN("banking_phi_rad", bank, "rad", -1.5f, 1.5f, 0,
                    "roll of the surface, left side up positive"),
    [GRIP] = TRACK_CSV_COLUMN("grip", grip, "1", 0.01f, 10, 1, "of the surface; 1 is dry asphalt"),
};
// clang-format on

const kerb_settings_table kerb_io_track_columns = {"track", sizeof(kerb_waypoint),
                                                   track_csv_columns, TRACK_CSV_COLUMNS};

// Other names for the same, and the slope, which is passed over: it follows from the heights.
static const struct {
    const char* name;
    int32_t column;
} other_names[] = {
    {"w_tr_right_m", RIGHT}, {"w_tr_left_m", LEFT}, {"right_m", RIGHT},
    {"left_m", LEFT},        {"bank_rad", BANK},    {"slope_mu_rad", SLOPE},
};
enum { OTHER_NAMES = sizeof other_names / sizeof other_names[0] };

typedef struct track_csv_reader {
    kerb_io_csv_rows rows;
    bool open;
} track_csv_reader;

// --------------------------------------------------------------------------- header

static int32_t track_csv_find_column(const kerb_io_csv_cell* cell) {
    for (int32_t i = 0; i < TRACK_CSV_COLUMNS; i++)
        if (kerb_io_csv_is_word(cell, track_csv_columns[i].name))
            return i;
    for (int32_t i = 0; i < OTHER_NAMES; i++)
        if (kerb_io_csv_is_word(cell, other_names[i].name))
            return other_names[i].column;
    return NONE;
}

static kerb_result track_csv_refuse_column(track_csv_reader* in, const kerb_io_csv_line* line,
                                           const kerb_io_csv_cell* cell) {
    char name[KERB_IO_QUOTE_MAX], message[96] = "is no column of a track";
    kerb_io_quote(name, cell->text, cell->length);
    kerb_io_nearest nearest = kerb_io_nearest_make(cell->text, cell->length);
    for (int32_t i = 0; i < TRACK_CSV_COLUMNS; i++)
        kerb_io_nearest_consider(&nearest, track_csv_columns[i].name);
    for (int32_t i = 0; i < OTHER_NAMES; i++)
        kerb_io_nearest_consider(&nearest, other_names[i].name);
    if (nearest.name)
        snprintf(message, sizeof message, "is no column of a track; did you mean %s?",
                 nearest.name);
    return kerb_io_csv_refuse(&in->rows, KERB_ERROR_UNKNOWN_FIELD, line, name, message);
}

// What stands behind the name, as in "slope_mu_rad (source)", is a remark.
static void cut_remark(kerb_io_csv_cell* cell) {
    for (size_t i = 0; i < cell->length; i++)
        if (cell->text[i] == ' ' || cell->text[i] == '\t') {
            cell->length = i;
            return;
        }
}

// The licence in the header of a file may hold commas: columns end where a remark has begun.
static kerb_result read_names(track_csv_reader* in, kerb_io_csv_line* line) {
    int32_t count = 0;
    bool remark = false;
    kerb_io_csv_cell cell;
    while (!remark && kerb_io_csv_next_cell(line, &cell)) {
        size_t whole = cell.length;
        cut_remark(&cell);
        remark = cell.length < whole;
        int32_t column = track_csv_find_column(&cell);
        if (cell.fault)
            return kerb_io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, line, "", cell.fault);
        if (column == NONE)
            return track_csv_refuse_column(in, line, &cell);
        if (kerb_io_csv_has_column(&in->rows, count, column))
            return kerb_io_csv_refuse_cell(
                &in->rows, KERB_ERROR_CONTRADICTION, line,
                column < TRACK_CSV_COLUMNS ? track_csv_columns[column].name : "slope_mu_rad",
                "the column is named twice", &cell);
        in->rows.column[count++] = column;
    }
    const int32_t needed[] = {TRACK_CSV_X, TRACK_CSV_Y, RIGHT, LEFT};
    for (int32_t i = 0; i < 4; i++)
        if (!kerb_io_csv_has_column(&in->rows, count, needed[i]))
            return kerb_io_csv_refuse(&in->rows, KERB_ERROR_MISSING_FIELD, line,
                                      track_csv_columns[needed[i]].name,
                                      "the header must name this column");
    in->rows.column_count = count;
    return KERB_OK;
}

// Its first two cells are names: other comments may begin with one by chance.
static bool names_columns(kerb_io_csv_line line) {
    kerb_io_csv_cell first, second;
    if (!kerb_io_csv_next_cell(&line, &first) || !kerb_io_csv_next_cell(&line, &second))
        return false;
    cut_remark(&second);
    return track_csv_find_column(&first) != NONE && track_csv_find_column(&second) != NONE;
}

static kerb_result track_csv_read_comment(track_csv_reader* in, kerb_io_csv_line* line) {
    kerb_io_csv_cell cell = {line->at, (size_t)(line->end - line->at), NULL};
    while (cell.length > 0 && cell.text[cell.length - 1] == ' ')
        cell.length--;
    if (in->rows.rows == 0 && kerb_io_csv_is_word(&cell, "open"))
        in->open = true;
    else if (in->rows.rows == 0 && in->rows.column_count == 0 && names_columns(*line))
        return read_names(in, line);
    return KERB_OK;
}

// The columns of a file that does not name them, from how many there are.
static kerb_result guess_columns(track_csv_reader* in, kerb_io_csv_line line) {
    static const int32_t level[] = {TRACK_CSV_X, TRACK_CSV_Y, RIGHT, LEFT};
    static const int32_t space[] = {TRACK_CSV_X, TRACK_CSV_Y, Z, RIGHT, LEFT, BANK, SLOPE};
    int32_t count = 0;
    kerb_io_csv_cell cell;
    kerb_io_csv_line row = line;
    while (count <= NAMES && kerb_io_csv_next_cell(&row, &cell))
        count++;
    if (memchr(line.at, ';', (size_t)(line.end - line.at)))
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_SYNTAX, &line, "",
                                  "columns must be separated by commas");
    if (count != 4 && count != 7)
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_MISSING_FIELD, &line,
                                  count < 4 ? "w_right_m" : "x_m",
                                  "without a line that names the columns, a row has 4 cells "
                                  "(x, y, right, left) or 7");
    in->rows.column_count = count;
    memcpy(in->rows.column, count == 4 ? level : space, (size_t)count * sizeof level[0]);
    return KERB_OK;
}

// --------------------------------------------------------------------------- rows

static kerb_result track_csv_take_cell(kerb_io_csv_rows* in, const kerb_io_csv_line* line,
                                       const kerb_io_csv_cell* cell, int32_t column,
                                       kerb_waypoint* waypoint) {
    const char* name = column == SLOPE ? "slope_mu_rad" : track_csv_columns[column].name;
    float value;
    kerb_result result = kerb_io_csv_read_number(in, line, cell, name, &value);
    if (result != KERB_OK || column == SLOPE)
        return result;
    if ((column == RIGHT || column == LEFT) && value < 0.0f)
        return kerb_io_csv_refuse_cell(in, KERB_ERROR_OUT_OF_RANGE, line, name,
                                       "a width is negative: are the columns in another order?",
                                       cell);
    result = kerb_settings_set(&track_csv_columns[column], waypoint, value, &in->error);
    if (result != KERB_OK)
        return kerb_io_csv_refuse_cell(in, result, line, name, in->error.message, cell);
    return KERB_OK;
}

// --------------------------------------------------------------------------- the whole

static kerb_result track_csv_read_line(track_csv_reader* in, kerb_io_csv_line* line) {
    kerb_result result = KERB_OK;
    if (line->comment)
        return track_csv_read_comment(in, line);
    if (in->rows.column_count == 0 && names_columns(*line))
        return read_names(in, line);
    if (in->rows.column_count == 0)
        result = guess_columns(in, *line);
    return result == KERB_OK ? kerb_io_csv_read_row(&in->rows, line) : result;
}

static kerb_result track_csv_read_lines(track_csv_reader* in, const char* text, size_t length) {
    kerb_io_csv csv = kerb_io_csv_make(text, length);
    kerb_io_csv_line line;
    kerb_result result = KERB_OK;
    while (result == KERB_OK && kerb_io_csv_next_line(&csv, &line))
        result = track_csv_read_line(in, &line);
    if (result == KERB_OK && in->rows.rows == 0)
        result =
            kerb_io_csv_refuse(&in->rows, KERB_ERROR_TOO_FEW, NULL, "", "the track has no rows");
    return result;
}

// Rows and memory have the same count, so that they can be given back: a header is no row.
static kerb_result shrink(track_csv_reader* in, int32_t lines, const kerb_allocator* allocator) {
    size_t size = (size_t)in->rows.rows * sizeof(kerb_waypoint);
    if (in->rows.rows == lines)
        return KERB_OK;
    kerb_waypoint* rows = allocator->allocate(allocator->context, size, _Alignof(kerb_waypoint));
    if (!rows)
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_OUT_OF_MEMORY, NULL, "",
                                  "no memory for the waypoints");
    memcpy(rows, in->rows.waypoints, size);
    allocator->release(allocator->context, in->rows.waypoints,
                       (size_t)lines * sizeof(kerb_waypoint));
    in->rows.waypoints = rows;
    return KERB_OK;
}

static kerb_result track_csv_read_counted(track_csv_reader* in, int32_t lines, const char* text,
                                          size_t length, const kerb_allocator* allocator) {
    size_t size = (size_t)lines * sizeof(kerb_waypoint);
    if (lines > 0)
        in->rows.waypoints = allocator->allocate(allocator->context, size, _Alignof(kerb_waypoint));
    if (lines > 0 && !in->rows.waypoints)
        return kerb_io_csv_refuse(&in->rows, KERB_ERROR_OUT_OF_MEMORY, NULL, "",
                                  "no memory for the waypoints");
    kerb_result result = track_csv_read_lines(in, text, length);
    if (result == KERB_OK)
        result = shrink(in, lines, allocator);
    if (result != KERB_OK && in->rows.waypoints)
        allocator->release(allocator->context, in->rows.waypoints, size);
    return result;
}

kerb_result kerb_io_track_csv_read(kerb_io_track* track, const char* text, size_t length,
                                   const kerb_host* host, kerb_error* error) {
    track_csv_reader in = {.rows = {.take_cell = track_csv_take_cell}};
    int32_t lines = kerb_io_csv_count_lines(text, length, KERB_IO_TRACK_POINTS_MAX);
    *track = (kerb_io_track){.waypoints = NULL};
    if (lines > KERB_IO_TRACK_POINTS_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "", 0, -1,
                              "a track may have 10 million rows");
    kerb_result result = track_csv_read_counted(&in, lines, text, length, &host->allocator);
    if (result != KERB_OK) {
        if (error)
            *error = in.rows.error;
        return result;
    }
    *track =
        (kerb_io_track){.waypoints = in.rows.waypoints, .count = in.rows.rows, .closed = !in.open};
    return KERB_OK;
}

// --------------------------------------------------------------------------- writing

// Nose down positive, as the files of tracks in space have it; from the neighbours' heights.
static float slope_at(const kerb_waypoint* waypoints, int32_t count, bool closed, int32_t i) {
    int32_t before = i > 0 ? i - 1 : (closed ? count - 1 : 0);
    int32_t after = i + 1 < count ? i + 1 : (closed ? 0 : i);
    kerb_vec3 step = kerb_vec3_sub(waypoints[after].position, waypoints[before].position);
    float level = kerb_vec2_length(kerb_vec2_make(step.x, step.y));
    return level > 0.0f ? kerb_atan2(-step.z, level) : 0.0f;
}

static bool grip_varies(const kerb_waypoint* waypoints, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (waypoints[i].grip != 1.0f)
            return true;
    return false;
}

static void add_cells(kerb_io_text* text, const kerb_waypoint* w, const int32_t* list,
                      int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (i > 0)
            kerb_io_text_add(text, ",");
        kerb_io_text_add_float(text, kerb_settings_get(&track_csv_columns[list[i]], w));
    }
}

kerb_result kerb_io_track_csv_write(kerb_io_text* text, const kerb_waypoint* waypoints,
                                    int32_t count, bool closed, bool in_space, kerb_error* error) {
    static const int32_t level[] = {TRACK_CSV_X, TRACK_CSV_Y, RIGHT, LEFT},
                         space[] = {TRACK_CSV_X, TRACK_CSV_Y, Z, RIGHT, LEFT, BANK};
    bool grip = in_space && grip_varies(waypoints, count);
    if (!closed)
        kerb_io_text_add(text, "# open\n");
    kerb_io_text_add(text, in_space
                               ? "# x_m,y_m,z_m,w_right_m,w_left_m,banking_phi_rad,slope_mu_rad"
                               : "# x_m,y_m,w_tr_right_m,w_tr_left_m");
    kerb_io_text_add(text, grip ? ",grip\n" : "\n");
    for (int32_t i = 0; i < count; i++) {
        const kerb_waypoint* w = &waypoints[i];
        add_cells(text, w, in_space ? space : level, in_space ? 6 : 4);
        if (in_space) {
            kerb_io_text_add(text, ",");
            kerb_io_text_add_float(text, slope_at(waypoints, count, closed, i));
        }
        if (grip) {
            kerb_io_text_add(text, ",");
            kerb_io_text_add_float(text, w->grip);
        }
        kerb_io_text_add(text, "\n");
    }
    return kerb_io_text_result(text, error);
}
