// Purpose: finds the format of a track and calls its reader; shared parts of all formats.
#include "kerb/io/track.h"

#include "io/csv.h"
#include "io/number.h"
#include "kerb/io/course_csv.h"

#include <string.h>

static bool starts_with(const char* text, size_t length, const char* start) {
    size_t most = strlen(start);
    return length >= most && memcmp(text, start, most) == 0;
}

static bool is_xml(const char* text, size_t length) {
    if (starts_with(text, length, "\xEF\xBB\xBF"))
        text += 3, length -= 3;
    while (length > 0 && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r'))
        text++, length--;
    return length > 0 && *text == '<';
}

static bool track_has(const kerb_io_csv_line* line, const char* word) {
    size_t length = strlen(word);
    for (const char* at = line->at; (size_t)(line->end - at) >= length; at++)
        if (memcmp(at, word, length) == 0)
            return true;
    return false;
}

// A course names its columns on a line that is no comment, and none of them as a track's are.
static bool is_course(const char* text, size_t length) {
    kerb_io_csv csv = kerb_io_csv_make(text, length);
    kerb_io_csv_line line;
    kerb_io_csv_cell cell;
    float number;
    while (kerb_io_csv_next_line(&csv, &line)) {
        if (track_has(&line, "w_tr_") || track_has(&line, "w_right_m") ||
            track_has(&line, "w_left_m"))
            return false;
        if (!line.comment)
            return track_has(&line, "x_m") && kerb_io_csv_next_cell(&line, &cell) &&
                   kerb_io_number_read_float(cell.text, cell.length, &number) != KERB_OK;
    }
    return false;
}

static kerb_result read_course(kerb_io_track* track, const char* text, size_t length,
                               const kerb_host* host, kerb_error* error) {
    kerb_io_course course;
    kerb_result result = kerb_io_course_csv_read(&course, text, length, host, error);
    *track = (kerb_io_track){
        .waypoints = course.waypoints, .count = course.count, .closed = course.closed};
    return result;
}

kerb_result kerb_io_track_read(kerb_io_track* track, const char* text, size_t length,
                               const kerb_host* host, kerb_error* error) {
    if (is_xml(text, length))
        return kerb_io_track_torcs_read(track, text, length, host, error);
    if (is_course(text, length))
        return read_course(track, text, length, host, error);
    return kerb_io_track_csv_read(track, text, length, host, error);
}

void kerb_io_track_destroy(kerb_io_track* track, const kerb_host* host) {
    if (track->waypoints)
        host->allocator.release(host->allocator.context, track->waypoints,
                                (size_t)track->count * sizeof(kerb_waypoint));
    *track = (kerb_io_track){.waypoints = NULL};
}
