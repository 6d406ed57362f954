// Purpose: courses as CSV.
// Idea:    The columns are a settings table over kerb_waypoint, so that one loop checks and writes
//          all of them, with the ranges that kerb_path_create checks too. csv_table.c reads them.
// Cost:    O(length).
#include "kerb/io/course_csv.h"

#include "io/csv_table.h"

// clang-format off
#define COURSE_CSV_COLUMN(name, field, type, unit, least, most, standard, meaning) \
    {name, offsetof(kerb_waypoint, field), KERB_SETTING_##type, \
     unit, least, most, standard, NULL, meaning}

enum {
    COURSE_CSV_X, COURSE_CSV_Y, COURSE_CSV_Z, COURSE_CSV_LEFT, COURSE_CSV_RIGHT,
    COURSE_CSV_DIRECTION, COURSE_CSV_SPEED, COURSE_CSV_STOP, COURSE_CSV_BANK, COURSE_CSV_GRIP,
    COURSE_CSV_COLUMNS
};

static const kerb_setting course_csv_columns[COURSE_CSV_COLUMNS] = {
    [COURSE_CSV_X] = COURSE_CSV_COLUMN("x_m", position.x, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "position"),
    [COURSE_CSV_Y] = COURSE_CSV_COLUMN("y_m", position.y, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "position, 90° to the left of x"),
    [COURSE_CSV_Z] = COURSE_CSV_COLUMN("z_m", position.z, FLOAT, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
           "position, up"),
    [COURSE_CSV_LEFT] = COURSE_CSV_COLUMN("left_m", left, FLOAT, "m", 0, KERB_POSITION_MAX, 2, "corridor to the left"),
    [COURSE_CSV_RIGHT] = COURSE_CSV_COLUMN("right_m", right, FLOAT, "m", 0, KERB_POSITION_MAX, 2, "corridor to the right"),
    [COURSE_CSV_DIRECTION] = COURSE_CSV_COLUMN("direction", direction, INT, "1", -1, 1, 1,
           "from here to the next row: 1 forwards, -1 in reverse"),
    [COURSE_CSV_SPEED] = COURSE_CSV_COLUMN("speed_mps", speed_limit, FLOAT, "m/s", 0.01f, KERB_SPEED_UNLIMITED,
           KERB_SPEED_UNLIMITED, "speed limit from here to the next row; the default is none"),
    [COURSE_CSV_STOP] = COURSE_CSV_COLUMN("stop_s", stop, FLOAT, "s", 0, KERB_STOP_FOREVER, 0,
           "duration of a stop here; 0: no stop"),
    [COURSE_CSV_BANK] = COURSE_CSV_COLUMN("bank_rad", bank, FLOAT, "rad", -1.5f, 1.5f, 0,
           "roll of the surface, left side up positive"),
    [COURSE_CSV_GRIP] = COURSE_CSV_COLUMN("grip", grip, FLOAT, "1", 0.01f, 10, 1, "of the surface; 1 is dry asphalt"),
};
// clang-format on

const kerb_settings_table kerb_io_course_columns = {"course", sizeof(kerb_waypoint),
                                                    course_csv_columns, COURSE_CSV_COLUMNS};

static const kerb_io_csv_format course_format = {
    .what = "course",
    .setting =
        {
            [CSV_X] = &course_csv_columns[COURSE_CSV_X],
            [CSV_Y] = &course_csv_columns[COURSE_CSV_Y],
            [CSV_Z] = &course_csv_columns[COURSE_CSV_Z],
            [CSV_LEFT] = &course_csv_columns[COURSE_CSV_LEFT],
            [CSV_RIGHT] = &course_csv_columns[COURSE_CSV_RIGHT],
            [CSV_DIRECTION] = &course_csv_columns[COURSE_CSV_DIRECTION],
            [CSV_SPEED] = &course_csv_columns[COURSE_CSV_SPEED],
            [CSV_STOP] = &course_csv_columns[COURSE_CSV_STOP],
            [CSV_BANK] = &course_csv_columns[COURSE_CSV_BANK],
            [CSV_GRIP] = &course_csv_columns[COURSE_CSV_GRIP],
        },
    .needs_names = true,
    .gaps = true,
};

// A track is closed unless it says that it is open; a course is open unless it says that it is
// closed.
static bool course_csv_is_closed(const kerb_io_csv_head* head, kerb_io_csv_table* table) {
    if (table->closed || table->open || !kerb_io_csv_head_is_track(head))
        return table->closed;
    kerb_io_notes_add(&table->notes, "", 0, "assumed a closed course, because this is a track");
    return true;
}

kerb_result kerb_io_course_csv_read(kerb_io_course* course, const char* text, size_t length,
                                    const kerb_host* host, kerb_io_notes* notes,
                                    kerb_error* error) {
    kerb_io_csv_head head;
    kerb_io_csv_table table = {.waypoints = NULL};
    *course = (kerb_io_course){.waypoints = NULL};
    kerb_io_csv_head_find(&head, text, length);
    kerb_result result =
        kerb_io_csv_table_read(&table, &head, &course_format, KERB_IO_COURSE_ROWS_MAX, text, length,
                               &host->allocator, error);
    if (result != KERB_OK)
        return result;
    bool closed = course_csv_is_closed(&head, &table);
    kerb_io_csv_table_fill(&table, closed);
    kerb_io_csv_pass_notes(notes, &table.notes);
    *course = (kerb_io_course){.waypoints = table.waypoints,
                               .count = table.count,
                               .closed = closed,
                               .offset = {table.offset[0], table.offset[1]},
                               .anchored = table.anchored,
                               .anchor = {table.anchor[0], table.anchor[1]}};
    return KERB_OK;
}

void kerb_io_course_destroy(kerb_io_course* course, const kerb_host* host) {
    if (course->waypoints)
        host->allocator.release(host->allocator.context, course->waypoints,
                                (size_t)course->count * sizeof(kerb_waypoint));
    *course = (kerb_io_course){.waypoints = NULL};
}

// --------------------------------------------------------------------------- writing

static bool column_matters(int32_t column, const kerb_waypoint* waypoints, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (kerb_settings_get(&course_csv_columns[column], &waypoints[i]) !=
            course_csv_columns[column].default_value)
            return true;
    return column <= COURSE_CSV_Y;
}

// A height is written also where it is 0: a gap would be filled.
static void write_row(kerb_io_text* text, const bool* wanted, const kerb_waypoint* waypoint,
                      const double offset[2]) {
    for (int32_t column = 0; column < COURSE_CSV_COLUMNS; column++) {
        if (!wanted[column])
            continue;
        float value = kerb_settings_get(&course_csv_columns[column], waypoint);
        if (column > COURSE_CSV_X)
            kerb_io_text_add(text, ",");
        if (column <= COURSE_CSV_Y)
            kerb_io_csv_write_place(text, offset[column], value);
        else if (column == COURSE_CSV_Z || value != course_csv_columns[column].default_value)
            kerb_io_text_add_float(text, value);
    }
    kerb_io_text_add(text, "\n");
}

kerb_result kerb_io_course_write(kerb_io_text* text, const kerb_io_course* course,
                                 kerb_error* error) {
    bool wanted[COURSE_CSV_COLUMNS];
    if (course->closed)
        kerb_io_text_add(text, "# closed\n");
    kerb_io_csv_write_origin(text, course->waypoints, course->count, course->offset,
                             course->anchored ? course->anchor : NULL);
    for (int32_t column = 0; column < COURSE_CSV_COLUMNS; column++) {
        wanted[column] = column_matters(column, course->waypoints, course->count);
        if (wanted[column] && column > COURSE_CSV_X)
            kerb_io_text_add(text, ",");
        if (wanted[column])
            kerb_io_text_add(text, course_csv_columns[column].name);
    }
    kerb_io_text_add(text, "\n");
    for (int32_t i = 0; i < course->count; i++)
        write_row(text, wanted, &course->waypoints[i], course->offset);
    return kerb_io_text_result(text, error);
}

kerb_result kerb_io_course_csv_write(kerb_io_text* text, const kerb_waypoint* waypoints,
                                     int32_t count, bool closed, kerb_error* error) {
    kerb_io_course course = {
        .waypoints = (kerb_waypoint*)waypoints, .count = count, .closed = closed};
    return kerb_io_course_write(text, &course, error);
}
