// A word is a built-in track, otherwise a file.
#include "tool/command/tracks.h"

#include "io/csv_table.h"
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

static kerb_result read_text(kerb_io_track* read, const char* text, size_t size, const char* road,
                             const kerb_host* host, kerb_io_notes* notes, kerb_error* error) {
    return road ? kerb_io_track_opendrive_read(read, text, size, road, host, notes, error)
                : kerb_io_track_read(read, text, size, host, notes, error);
}

static tool_status read_file(const char* path, const char* road, const kerb_host* host,
                             tool_track* track) {
    char* text;
    size_t size;
    kerb_io_track read;
    kerb_io_notes notes = {0};
    kerb_error error = {.index = -1};
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    if (read_text(&read, text, size, road, host, &notes, &error) != KERB_OK) {
        free(text);
        return tool_complain_error(path, &error);
    }
    tool_print_notes(path, &notes);
    *track = (tool_track){.waypoints = read.waypoints,
                          .count = read.count,
                          .closed = read.closed,
                          .text = text,
                          .size = size,
                          .read = read};
    tool_name_from_path(path, track->name, sizeof track->name);
    return TOOL_DONE;
}

// Meant as a file when it looks like one: then the system says what is wrong.
static tool_status tracks_complain_unknown(const char* word, const kerb_host* host,
                                           tool_track* track) {
    const char* nearest = tool_nearest_word(word, track_word, NULL, kerb_scene_track_count());
    if (strpbrk(word, "./\\"))
        return read_file(word, NULL, host, track);
    if (nearest)
        return tool_complain("unknown track '%s' (did you mean %s?)", word, nearest);
    return tool_complain("unknown track '%s' (kerb convert --list lists them; or name a file)",
                         word);
}

tool_status tool_track_load_road(const char* word, const char* road, const kerb_host* host,
                                 tool_track* track) {
    *track = (tool_track){.waypoints = NULL};
    if (!road && is_built_in(word))
        return tracks_make_built_in(word, host, track);
    if (!tool_file_exists(word))
        return tracks_complain_unknown(word, host, track);
    return read_file(word, road, host, track);
}

tool_status tool_track_load(const char* word, const kerb_host* host, tool_track* track) {
    return tool_track_load_road(word, NULL, host, track);
}

// --------------------------------------------------------------------------- checking

// Line of a table's row, from 1; 0 when there is none.
static int32_t line_of_row(const char* text, size_t size, int32_t row) {
    kerb_io_csv_head head;
    kerb_io_csv_head_find(&head, text, size);
    kerb_io_csv csv = kerb_io_csv_make(text, size);
    kerb_io_csv_line line;
    csv.separator = head.separator;
    while (kerb_io_csv_next_line(&csv, &line))
        if (!line.comment && line.number >= head.first_line && line.number != head.line &&
            row-- == 0)
            return line.number;
    return 0;
}

// Waypoints do not know where they stood. In XML and JSON none stands anywhere.
static int32_t line_of_waypoint(const tool_track* track, int32_t index) {
    if (index < 0 || !track->text ||
        strchr("<{", track->text[strspn(track->text, "\xef\xbb\xbf \t\r\n")]))
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
