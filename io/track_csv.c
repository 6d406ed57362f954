// Purpose: tracks as CSV.
// Idea:    Unlike a course, a track may name its columns in a comment, or not at all: then their
//          number says what they are. csv_table.c reads the rows.
// Cost:    O(length).
#include "io/csv_table.h"
#include "io/track_parts.h"
#include "kerb/io/course_csv.h"
#include "kerb/io/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// clang-format off
#define TRACK_CSV_COLUMN(name, field, unit, least, most, standard, meaning) \
    {name, offsetof(kerb_waypoint, field), KERB_SETTING_FLOAT, \
     unit, least, most, standard, NULL, meaning}

enum {
    TRACK_CSV_X, TRACK_CSV_Y, TRACK_CSV_Z, TRACK_CSV_RIGHT, TRACK_CSV_LEFT, TRACK_CSV_BANK,
    TRACK_CSV_GRIP, TRACK_CSV_COLUMNS
};

static const kerb_setting track_csv_columns[TRACK_CSV_COLUMNS] = {
    [TRACK_CSV_X] = TRACK_CSV_COLUMN("x_m", position.x, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "centre line"),
    [TRACK_CSV_Y] = TRACK_CSV_COLUMN("y_m", position.y, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "centre line, 90° to the left of x"),
    [TRACK_CSV_Z] = TRACK_CSV_COLUMN("z_m", position.z, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
                 "centre line, up"),
    [TRACK_CSV_RIGHT] = TRACK_CSV_COLUMN("w_right_m", right, "m", 0, KERB_POSITION_MAX, 2,
                     "to the right edge, along the surface"),
    [TRACK_CSV_LEFT] = TRACK_CSV_COLUMN("w_left_m", left, "m", 0, KERB_POSITION_MAX, 2,
                    "to the left edge, along the surface"),
    [TRACK_CSV_BANK] = TRACK_CSV_COLUMN("banking_phi_rad", bank, "rad", -1.5f, 1.5f, 0,
                    "roll of the surface, left side up positive"),
    [TRACK_CSV_GRIP] = TRACK_CSV_COLUMN("grip", grip, "1", 0.01f, 10, 1, "of the surface; 1 is dry asphalt"),
};
// clang-format on

const kerb_settings_table kerb_io_track_columns = {"track", sizeof(kerb_waypoint),
                                                   track_csv_columns, TRACK_CSV_COLUMNS};

static const kerb_io_csv_format track_format = {
    .what = "track",
    .setting =
        {
            [CSV_X] = &track_csv_columns[TRACK_CSV_X],
            [CSV_Y] = &track_csv_columns[TRACK_CSV_Y],
            [CSV_Z] = &track_csv_columns[TRACK_CSV_Z],
            [CSV_RIGHT] = &track_csv_columns[TRACK_CSV_RIGHT],
            [CSV_LEFT] = &track_csv_columns[TRACK_CSV_LEFT],
            [CSV_BANK] = &track_csv_columns[TRACK_CSV_BANK],
            [CSV_GRIP] = &track_csv_columns[TRACK_CSV_GRIP],
        },
};

// --------------------------------------------------------------------------- columns

// What columns without names are. 4 and 7 are those of the racetrack-database, 12 those of the
// trajectories of global_racetrajectory_optimization.
static bool assume_columns(kerb_io_csv_head* head, kerb_io_notes* notes) {
    static const kerb_io_csv_role level[] = {CSV_X, CSV_Y, CSV_RIGHT, CSV_LEFT},
                                  space[] = {CSV_X,    CSV_Y,    CSV_Z,    CSV_RIGHT,
                                             CSV_LEFT, CSV_BANK, CSV_OTHER},
                                  racing[] = {CSV_X,     CSV_Y,     CSV_RIGHT, CSV_LEFT,
                                              CSV_OTHER, CSV_OTHER, CSV_OTHER, CSV_OTHER,
                                              CSV_OTHER, CSV_OTHER, CSV_OTHER, CSV_OTHER};
    if (head->columns == 4)
        kerb_io_csv_head_assume(head, level, 4);
    else if (head->columns == 7)
        kerb_io_csv_head_assume(head, space, 7);
    else if (head->columns == 12)
        kerb_io_csv_head_assume(head, racing, 12);
    else
        return false;
    if (head->columns == 12)
        kerb_io_notes_add(notes, "", 0,
                          "assumed the first columns to be x, y, right width, left width");
    return true;
}

static kerb_result refuse_columns(const kerb_io_csv_head* head, kerb_error* error) {
    return kerb_error_set(error, KERB_ERROR_MISSING_FIELD, head->columns < 4 ? "w_right_m" : "x_m",
                          head->first_line, -1,
                          "without a line that names the columns, a row has 4 cells (x, y, right, "
                          "left), 7 or 12");
}

// --------------------------------------------------------------------------- the whole

kerb_result kerb_io_track_csv_read(kerb_io_track* track, const char* text, size_t length,
                                   const kerb_host* host, kerb_io_notes* notes, kerb_error* error) {
    kerb_io_csv_head head;
    kerb_io_csv_table table = {.waypoints = NULL};
    *track = (kerb_io_track){.waypoints = NULL};
    kerb_io_csv_head_find(&head, text, length);
    if (head.first_line == 0)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "", 0, -1, "the track has no rows");
    if (head.line == 0 && !assume_columns(&head, &table.notes))
        return refuse_columns(&head, error);
    kerb_result result =
        kerb_io_csv_table_read(&table, &head, &track_format, KERB_IO_TRACK_POINTS_MAX, text, length,
                               &host->allocator, error);
    if (result != KERB_OK)
        return result;
    if (!kerb_io_csv_head_has(&head, CSV_RIGHT) && !kerb_io_csv_head_has(&head, CSV_WIDTH))
        kerb_io_track_note_widths(&table.notes);
    kerb_io_csv_table_fill(&table, !table.open);
    kerb_io_csv_pass_notes(notes, &table.notes);
    *track = (kerb_io_track){.waypoints = table.waypoints,
                             .count = table.count,
                             .closed = !table.open,
                             .offset = {table.offset[0], table.offset[1]},
                             .anchored = table.anchored,
                             .anchor = {table.anchor[0], table.anchor[1]}};
    return KERB_OK;
}

void kerb_io_track_note_widths(kerb_io_notes* notes) {
    kerb_io_notes_add(notes, "", 0, "assumed widths of 2 m on either side");
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
                      int32_t count, const double offset[2]) {
    for (int32_t i = 0; i < count; i++) {
        float value = kerb_settings_get(&track_csv_columns[list[i]], w);
        if (i > 0)
            kerb_io_text_add(text, ",");
        if (list[i] <= TRACK_CSV_Y)
            kerb_io_csv_write_place(text, offset[list[i]], value);
        else
            kerb_io_text_add_float(text, value);
    }
}

kerb_result kerb_io_track_write(kerb_io_text* text, const kerb_io_track* track, bool in_space,
                                kerb_error* error) {
    static const int32_t level[] = {TRACK_CSV_X, TRACK_CSV_Y, TRACK_CSV_RIGHT, TRACK_CSV_LEFT},
                         space[] = {TRACK_CSV_X,     TRACK_CSV_Y,    TRACK_CSV_Z,
                                    TRACK_CSV_RIGHT, TRACK_CSV_LEFT, TRACK_CSV_BANK};
    bool grip = in_space && grip_varies(track->waypoints, track->count);
    if (!track->closed)
        kerb_io_text_add(text, "# open\n");
    kerb_io_csv_write_origin(text, track->waypoints, track->count, track->offset,
                             track->anchored ? track->anchor : NULL);
    kerb_io_text_add(text, in_space
                               ? "# x_m,y_m,z_m,w_right_m,w_left_m,banking_phi_rad,slope_mu_rad"
                               : "# x_m,y_m,w_tr_right_m,w_tr_left_m");
    kerb_io_text_add(text, grip ? ",grip\n" : "\n");
    for (int32_t i = 0; i < track->count; i++) {
        const kerb_waypoint* w = &track->waypoints[i];
        add_cells(text, w, in_space ? space : level, in_space ? 6 : 4, track->offset);
        if (in_space) {
            kerb_io_text_add(text, ",");
            kerb_io_text_add_float(text,
                                   slope_at(track->waypoints, track->count, track->closed, i));
        }
        if (grip) {
            kerb_io_text_add(text, ",");
            kerb_io_text_add_float(text, w->grip);
        }
        kerb_io_text_add(text, "\n");
    }
    return kerb_io_text_result(text, error);
}

kerb_result kerb_io_track_csv_write(kerb_io_text* text, const kerb_waypoint* waypoints,
                                    int32_t count, bool closed, bool in_space, kerb_error* error) {
    kerb_io_track track = {
        .waypoints = (kerb_waypoint*)waypoints, .count = count, .closed = closed};
    return kerb_io_track_write(text, &track, in_space, error);
}
