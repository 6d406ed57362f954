// Purpose: finds the format of a track and calls its reader; shared parts of all formats.
#include "kerb/io/track.h"

#include "io/csv_table.h"
#include "io/track_parts.h"
#include "kerb/io/course_csv.h"

#include <string.h>

static bool starts_with(const char* text, size_t length, const char* start) {
    size_t most = strlen(start);
    return length >= most && memcmp(text, start, most) == 0;
}

// The first character that says something.
static char first_byte(const char* text, size_t length) {
    if (starts_with(text, length, "\xEF\xBB\xBF"))
        text += 3, length -= 3;
    while (length > 0 && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r'))
        text++, length--;
    return length > 0 ? *text : '\0';
}

static bool is_xml(const char* text, size_t length) {
    return first_byte(text, length) == '<';
}

static bool is_json(const char* text, size_t length) {
    return first_byte(text, length) == '{';
}

// What begins with a letter is an element; declarations and comments do not, though a comment may
// hold one.
bool kerb_io_track_root_is(const char* text, size_t length, const char* name) {
    const char *at = text, *end = text + length;
    while (at < end) {
        size_t rest = (size_t)(end - at);
        if (starts_with(at, rest, "<!--")) {
            while (at < end && !starts_with(at, (size_t)(end - at), "-->"))
                at++;
            continue;
        }
        if (*at == '<' && rest > 1 && at[1] != '!' && at[1] != '?') {
            const char* start = ++at;
            while (at < end && !strchr(" \t\r\n/>", *at)) {
                if (*at++ == ':')
                    start = at;
            }
            return (size_t)(at - start) == strlen(name) && memcmp(start, name, strlen(name)) == 0;
        }
        at++;
    }
    return false;
}

// A race line, a recorded drive: no widths, or those of a course.
static bool is_course(const kerb_io_csv_head* head) {
    return head->line > 0 && !kerb_io_csv_head_is_track(head);
}

static kerb_result read_course(kerb_io_track* track, const kerb_io_csv_head* head, const char* text,
                               size_t length, const kerb_host* host, kerb_io_notes* notes,
                               kerb_error* error) {
    kerb_io_course course;
    *track = (kerb_io_track){.waypoints = NULL};
    kerb_result result = kerb_io_course_csv_read(&course, text, length, host, notes, error);
    if (result != KERB_OK)
        return result;
    *track = (kerb_io_track){.waypoints = course.waypoints,
                             .count = course.count,
                             .closed = course.closed,
                             .offset = {course.offset[0], course.offset[1]},
                             .anchored = course.anchored,
                             .anchor = {course.anchor[0], course.anchor[1]}};
    if (!kerb_io_csv_head_has(head, CSV_RIGHT) && !kerb_io_csv_head_has(head, CSV_LEFT) &&
        !kerb_io_csv_head_has(head, CSV_WIDTH))
        kerb_io_track_note_widths(notes);
    if (!track->closed && !kerb_io_csv_head_is_usual(head) &&
        kerb_io_csv_ends_meet(track->waypoints, track->count, 0.0)) {
        track->closed = true;
        kerb_io_notes_add(notes, "", 0, "assumed that it is closed, because its ends meet");
    }
    return KERB_OK;
}

kerb_result kerb_io_track_read(kerb_io_track* track, const char* text, size_t length,
                               const kerb_host* host, kerb_io_notes* notes, kerb_error* error) {
    if (is_json(text, length))
        return kerb_io_track_geojson_read(track, text, length, host, notes, error);
    if (is_xml(text, length) && kerb_io_track_root_is(text, length, "gpx"))
        return kerb_io_track_gpx_read(track, text, length, host, notes, error);
    if (is_xml(text, length) && kerb_io_track_root_is(text, length, "OpenDRIVE"))
        return kerb_io_track_opendrive_read(track, text, length, NULL, host, notes, error);
    if (is_xml(text, length))
        return kerb_io_track_torcs_read(track, text, length, host, notes, error);
    kerb_io_csv_head head;
    kerb_io_csv_head_find(&head, text, length);
    if (is_course(&head))
        return read_course(track, &head, text, length, host, notes, error);
    return kerb_io_track_csv_read(track, text, length, host, notes, error);
}

void kerb_io_track_destroy(kerb_io_track* track, const kerb_host* host) {
    if (track->waypoints)
        host->allocator.release(host->allocator.context, track->waypoints,
                                (size_t)track->count * sizeof(kerb_waypoint));
    *track = (kerb_io_track){.waypoints = NULL};
}
