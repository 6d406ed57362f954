// Purpose: centre lines from GPX, the format of satellite receivers and of maps for hikers.
// Idea:    A file holds tracks, of segments between which the receiver was lost, and routes. The
//          one with most points is what somebody drove; its segments are joined.
// Cost:    O(length).
// Source:  GPX 1.1, topografix.com/GPX/1/1.
#include "io/csv_table.h"
#include "io/projection.h"
#include "io/track_parts.h"
#include "io/xml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GPX_TEXT_MAX = 64 };

#define GPX_SLACK 10.0 // by which a receiver is off [m]

typedef struct gpx_reader {
    kerb_io_line best, line; // the longest so far, and the one that is being read
    char best_name[64], name[64];
    int32_t lines, segments, best_segments;
    bool in_line, in_point, in_name, in_height;
    char text[GPX_TEXT_MAX];
    size_t text_length;
} gpx_reader;

static bool is_line(const char* element) {
    return strcmp(element, "trk") == 0 || strcmp(element, "rte") == 0;
}

static bool gpx_is_point(const char* element) {
    return strcmp(element, "trkpt") == 0 || strcmp(element, "rtept") == 0;
}

static void gpx_add_point(kerb_io_xml* xml, const char** attributes) {
    gpx_reader* in = xml->context;
    double latitude = kerb_io_xml_number(xml, attributes, "lat", (double)NAN);
    double longitude = kerb_io_xml_number(xml, attributes, "lon", (double)NAN);
    if (xml->result != KERB_OK)
        return;
    if (!kerb_io_projection_takes(longitude, 0.0)) {
        kerb_io_xml_refuse(xml, KERB_ERROR_OUT_OF_RANGE, "lon", "must be from -180 to 360 degrees");
        return;
    }
    if (!kerb_io_projection_takes(0.0, latitude)) {
        kerb_io_xml_refuse(xml, KERB_ERROR_OUT_OF_RANGE, "lat", "must be from -89 to 89 degrees");
        return;
    }
    kerb_result result =
        kerb_io_line_add(&in->line, kerb_io_line_point_at(longitude, latitude, (double)NAN));
    if (result != KERB_OK)
        kerb_io_xml_refuse(xml, result, "", kerb_result_text(result));
}

static void gpx_on_start(kerb_io_xml* xml, const char* element, const char** attributes) {
    gpx_reader* in = xml->context;
    in->text_length = 0;
    if (is_line(element)) {
        in->in_line = true;
        in->line.count = 0;
        in->segments = 0;
        in->name[0] = '\0';
    } else if (in->in_line && strcmp(element, "trkseg") == 0) {
        in->segments++;
    } else if (in->in_line && gpx_is_point(element)) {
        in->in_point = true;
        gpx_add_point(xml, attributes);
    }
    in->in_name = in->in_line && !in->in_point && strcmp(element, "name") == 0;
    in->in_height = in->in_point && strcmp(element, "ele") == 0;
}

static void gpx_end_line(gpx_reader* in) {
    in->in_line = false;
    in->lines++;
    if (in->line.count <= in->best.count)
        return;
    kerb_io_line best = in->line;
    in->line = in->best;
    in->best = best;
    in->best_segments = in->segments;
    memcpy(in->best_name, in->name, sizeof in->name);
}

// A height that is no number is as good as none: receivers write "nan", too.
static void gpx_on_end(kerb_io_xml* xml, const char* element) {
    gpx_reader* in = xml->context;
    double height;
    if (in->in_height && in->line.count > 0 && in->text_length > 0 &&
        memcmp(in->text, "nan", 3) != 0 && memcmp(in->text, "NaN", 3) != 0 &&
        kerb_io_xml_read_number(xml, "ele", in->text, in->text_length, &height))
        in->line.points[in->line.count - 1].z = height;
    if (in->in_name) {
        size_t length = in->text_length < sizeof in->name ? in->text_length : sizeof in->name - 1;
        memcpy(in->name, in->text, length);
        in->name[length] = '\0';
    }
    in->in_name = in->in_height = false;
    in->text_length = 0;
    if (gpx_is_point(element))
        in->in_point = false;
    else if (in->in_line && is_line(element))
        gpx_end_line(in);
}

static void gpx_on_text(kerb_io_xml* xml, const char* text, size_t length) {
    gpx_reader* in = xml->context;
    size_t room = sizeof in->text - 1 - in->text_length;
    if (!in->in_name && !in->in_height)
        return;
    memcpy(in->text + in->text_length, text, length < room ? length : room);
    in->text_length += length < room ? length : room;
    in->text[in->text_length] = '\0';
}

static void gpx_note(const gpx_reader* in, kerb_io_notes* notes) {
    char message[96];
    kerb_io_notes_add(notes, "", 0, "projected longitude and latitude about the first point");
    kerb_io_track_note_widths(notes);
    snprintf(message, sizeof message, "ignored the tracks and routes that are shorter: %d",
             (int)in->lines - 1);
    if (in->lines > 1)
        kerb_io_notes_add(notes, "", 0, message);
    snprintf(message, sizeof message, "joined the segments of the track: %d",
             (int)in->best_segments);
    if (in->best_segments > 1)
        kerb_io_notes_add(notes, "", 0, message);
}

kerb_result kerb_io_track_gpx_read(kerb_io_track* track, const char* text, size_t length,
                                   const kerb_host* host, kerb_io_notes* notes, kerb_error* error) {
    gpx_reader in = {.best = {.allocator = &host->allocator},
                     .line = {.allocator = &host->allocator}};
    kerb_io_xml xml = {
        .context = &in, .start = gpx_on_start, .end = gpx_on_end, .text = gpx_on_text};
    kerb_io_notes said = {0};
    *track = (kerb_io_track){.waypoints = NULL};
    kerb_result result = kerb_io_xml_parse(&xml, text, length, error);
    if (result == KERB_OK) {
        gpx_note(&in, &said);
        result =
            kerb_io_line_finish(&in.best, KERB_IO_LINE_DEGREES, -1, GPX_SLACK, track, &said, error);
    }
    if (result == KERB_OK) {
        memcpy(track->name, in.best_name, sizeof track->name);
        kerb_io_csv_pass_notes(notes, &said);
    }
    kerb_io_line_destroy(&in.line);
    kerb_io_line_destroy(&in.best);
    return result;
}
