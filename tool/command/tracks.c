// A word is a built-in track, otherwise a file.
#include "tool/command/tracks.h"

#include "io/csv.h"
#include "io/number.h"
#include "kerb/io/track.h"
#include "kerb/racing_line.h"
#include "scene/race/tracks.h"
#include "tool/command/file.h"
#include "tool/command/inputs.h"

#include <stdlib.h>
#include <string.h>

static const char* track_word(const void* context, int32_t i) {
    (void)context;
    return kerb_scene_track_name(i);
}

static bool is_built_in(const char* word) {
    for (int32_t i = 0; i < kerb_scene_track_count(); i++)
        if (strcmp(kerb_scene_track_name(i), word) == 0)
            return true;
    return false;
}

static tool_status tracks_make_built_in(const char* word, const kerb_host* host,
                                        tool_track* track) {
    kerb_scene_track made;
    kerb_error error = {.index = -1};
    if (kerb_scene_track_make(word, host, &made, &error) != KERB_OK)
        return tool_complain_error(word, &error);
    *track = (tool_track){.waypoints = made.waypoints, .count = made.count, .closed = made.closed};
    snprintf(track->name, sizeof track->name, "%s", word);
    return TOOL_DONE;
}

static tool_status read_file(const char* path, const kerb_host* host, tool_track* track) {
    char* text;
    size_t size;
    kerb_io_track read;
    kerb_error error = {.index = -1};
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    if (kerb_io_track_read(&read, text, size, host, &error) != KERB_OK) {
        free(text);
        return tool_complain_error(path, &error);
    }
    *track = (tool_track){.waypoints = read.waypoints,
                          .count = read.count,
                          .closed = read.closed,
                          .text = text,
                          .size = size};
    tool_name_from_path(path, track->name, sizeof track->name);
    return TOOL_DONE;
}

// Meant as a file when it looks like one: then the system says what is wrong.
static tool_status tracks_complain_unknown(const char* word, const kerb_host* host,
                                           tool_track* track) {
    const char* nearest = tool_nearest_word(word, track_word, NULL, kerb_scene_track_count());
    if (strpbrk(word, "./\\"))
        return read_file(word, host, track);
    if (nearest)
        return tool_complain("unknown track '%s' (did you mean %s?)", word, nearest);
    return tool_complain("unknown track '%s' (kerb convert --list lists them; or name a file)",
                         word);
}

tool_status tool_track_load(const char* word, const kerb_host* host, tool_track* track) {
    *track = (tool_track){.waypoints = NULL};
    if (is_built_in(word))
        return tracks_make_built_in(word, host, track);
    if (!tool_file_exists(word))
        return tracks_complain_unknown(word, host, track);
    return read_file(word, host, track);
}

// --------------------------------------------------------------------------- checking

// A header names columns; a row begins with a number.
static bool is_row(kerb_io_csv_line line) {
    kerb_io_csv_cell cell;
    float number;
    return !line.comment && kerb_io_csv_next_cell(&line, &cell) &&
           kerb_io_number_read_float(cell.text, cell.length, &number) == KERB_OK;
}

// Line of a table's row, from 1; 0 when there is none.
static int32_t line_of_row(const char* text, size_t size, int32_t row) {
    kerb_io_csv csv = kerb_io_csv_make(text, size);
    kerb_io_csv_line line;
    while (kerb_io_csv_next_line(&csv, &line))
        if (is_row(line) && row-- == 0)
            return line.number;
    return 0;
}

// Waypoints do not know where they stood. In XML none stands anywhere.
static int32_t line_of_waypoint(const tool_track* track, int32_t index) {
    if (index < 0 || !track->text || track->text[strspn(track->text, "\xef\xbb\xbf \t\r\n")] == '<')
        return 0;
    return line_of_row(track->text, track->size, index);
}

tool_status tool_track_check(const char* word, const tool_track* track) {
    kerb_error error = {.index = -1};
    if (kerb_track_validate(track->waypoints, track->count, track->closed, &error) == KERB_OK)
        return TOOL_DONE;
    error.line = line_of_waypoint(track, error.index);
    return tool_complain_error(word, &error);
}

// More warnings than this are counted only.
#define WARNINGS_MOST 10

void tool_track_warn(const char* word, const tool_track* track, const kerb_vehicle* vehicle,
                     const kerb_performance* performance) {
    kerb_track_finding findings[WARNINGS_MOST];
    kerb_error error;
    if (kerb_track_validate(track->waypoints, track->count, track->closed, &error) != KERB_OK)
        return;
    int32_t found = kerb_track_check(track->waypoints, track->count, track->closed, vehicle,
                                     performance, findings, WARNINGS_MOST);
    for (int32_t i = 0; i < found && i < WARNINGS_MOST; i++) {
        const kerb_track_finding* f = &findings[i];
        int32_t line = line_of_waypoint(track, f->index);
        if (line > 0)
            tool_complain("warning: %s:%d: waypoint %d: %s", word, (int)line, (int)f->index,
                          f->text);
        else
            tool_complain("warning: %s: waypoint %d: %s", word, (int)f->index, f->text);
    }
    if (found > WARNINGS_MOST)
        tool_complain("warning: %s: and %d more", word, (int)(found - WARNINGS_MOST));
}

void tool_track_free(tool_track* track, const kerb_host* host) {
    if (track->waypoints)
        host->allocator.release(host->allocator.context, track->waypoints,
                                (size_t)track->count * sizeof *track->waypoints);
    free(track->text);
    *track = (tool_track){.waypoints = NULL};
}
