// Purpose: centre lines from GeoJSON, the format of web maps.
// Idea:    cJSON has checked the text and gives the tree; a cursor walks through the text in
//          parallel, because only the text has the numbers to the last digit and their lines. Of
//          all lines in the file the one with most points is taken.
// Cost:    O(length).
// Source:  RFC 7946; members "crs" as in the GeoJSON of 2008.
#include "io/csv_table.h"
#include "io/json_text.h"
#include "io/number.h"
#include "io/projection.h"
#include "io/track_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GEOJSON_DEPTH_MAX = 16 };

typedef struct geojson_reader {
    kerb_io_line best, line;
    int32_t lines;
    bool ring; // the best line is the border of an area
    char name[64];
    const cJSON* properties; // of the feature that is being read
    kerb_error error;
    kerb_result result;
} geojson_reader;

static bool geojson_refuse(geojson_reader* in, kerb_result result, const char* field, int32_t line,
                           const char* message) {
    if (in->result == KERB_OK)
        in->result = kerb_error_set(&in->error, result, field, line, -1, message);
    return false;
}

static const char* type_of(const cJSON* object) {
    const cJSON* type = cJSON_GetObjectItemCaseSensitive(object, "type");
    return cJSON_IsString(type) ? type->valuestring : "";
}

// --------------------------------------------------------------------------- lines

// A position: longitude, latitude and perhaps a height. The cursor stands at it.
static bool read_position(geojson_reader* in, const cJSON* value, kerb_io_json_cursor* cursor) {
    kerb_io_line_point point = kerb_io_line_point_at(0.0, 0.0, (double)NAN);
    double* parts[] = {&point.x, &point.y, &point.z};
    int32_t count = 0, line = cursor->line;
    if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) < 2)
        return geojson_refuse(in, KERB_ERROR_WRONG_TYPE, "coordinates", line,
                              "a position must be an array of two or three numbers");
    kerb_io_json_enter(cursor);
    for (const cJSON* child = value->child; child; child = child->next, count++) {
        const char* word;
        kerb_io_json_next(cursor);
        size_t length = kerb_io_json_word(cursor, &word);
        if (count < 3 && !(count == 2 && cJSON_IsNull(child)) &&
            (!cJSON_IsNumber(child) ||
             kerb_io_number_read_double(word, length, parts[count]) != KERB_OK))
            return geojson_refuse(in, KERB_ERROR_WRONG_TYPE, "coordinates", cursor->line,
                                  "must be a finite number");
        kerb_io_json_pass(cursor);
    }
    kerb_result result = kerb_io_line_add(&in->line, point);
    return result == KERB_OK ||
           geojson_refuse(in, result, "coordinates", line, kerb_result_text(result));
}

static void take_name(geojson_reader* in) {
    static const char* const keys[] = {"name", "Name", "NAME"};
    in->name[0] = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && in->name[0] == '\0'; i++) {
        const cJSON* name = cJSON_GetObjectItemCaseSensitive(in->properties, keys[i]);
        if (cJSON_IsString(name))
            snprintf(in->name, sizeof in->name, "%s", name->valuestring);
    }
}

// An array of positions.
static bool read_line(geojson_reader* in, const cJSON* value, kerb_io_json_cursor* cursor,
                      bool ring) {
    if (!cJSON_IsArray(value))
        return geojson_refuse(in, KERB_ERROR_WRONG_TYPE, "coordinates", cursor->line,
                              "must be an array of positions");
    in->line.count = 0;
    kerb_io_json_cursor inner = *cursor;
    kerb_io_json_enter(&inner);
    for (const cJSON* child = value->child; child; child = child->next) {
        kerb_io_json_next(&inner);
        kerb_io_json_cursor position = inner;
        if (!read_position(in, child, &position))
            return false;
        kerb_io_json_pass(&inner);
    }
    in->lines++;
    if (in->line.count > in->best.count) {
        kerb_io_line best = in->line;
        in->line = in->best;
        in->best = best;
        in->ring = ring;
        take_name(in);
    }
    return true;
}

// Arrays of lines, `depth` deep; of an area only its outer border, which comes first.
static bool read_lines(geojson_reader* in, const cJSON* value, kerb_io_json_cursor* cursor,
                       int32_t depth, bool ring) {
    if (depth == 0)
        return read_line(in, value, cursor, ring);
    if (!cJSON_IsArray(value))
        return geojson_refuse(in, KERB_ERROR_WRONG_TYPE, "coordinates", cursor->line,
                              "must be an array of lines");
    kerb_io_json_cursor inner = *cursor;
    kerb_io_json_enter(&inner);
    for (const cJSON* child = value->child; child; child = child->next) {
        kerb_io_json_next(&inner);
        if (!read_lines(in, child, &inner, depth - 1, ring))
            return false;
        if (ring && depth == 1)
            return true;
        kerb_io_json_pass(&inner);
    }
    return true;
}

// --------------------------------------------------------------------------- objects

static bool geojson_read_object(geojson_reader* in, const cJSON* value,
                                const kerb_io_json_cursor* cursor, int32_t depth);

static bool geojson_read_objects(geojson_reader* in, const cJSON* value,
                                 const kerb_io_json_cursor* cursor, int32_t depth) {
    kerb_io_json_cursor inner = *cursor;
    if (!cJSON_IsArray(value))
        return geojson_refuse(in, KERB_ERROR_WRONG_TYPE, value->string ? value->string : "",
                              cursor->line, "must be an array");
    kerb_io_json_enter(&inner);
    for (const cJSON* child = value->child; child; child = child->next) {
        kerb_io_json_next(&inner);
        if (!geojson_read_object(in, child, &inner, depth + 1))
            return false;
        kerb_io_json_pass(&inner);
    }
    return true;
}

static bool geojson_read_member(geojson_reader* in, const char* type, const cJSON* value,
                                kerb_io_json_cursor* cursor, int32_t depth) {
    const char* key = value->string ? value->string : "";
    if (strcmp(key, "features") == 0 || strcmp(key, "geometries") == 0)
        return geojson_read_objects(in, value, cursor, depth);
    if (strcmp(key, "geometry") == 0 && cJSON_IsObject(value))
        return geojson_read_object(in, value, cursor, depth + 1);
    if (strcmp(key, "coordinates") != 0)
        return true;
    bool ring = strcmp(type, "Polygon") == 0 || strcmp(type, "MultiPolygon") == 0;
    if (strcmp(type, "LineString") == 0)
        return read_line(in, value, cursor, false);
    if (strcmp(type, "MultiLineString") == 0 || strcmp(type, "Polygon") == 0)
        return read_lines(in, value, cursor, 1, ring);
    return strcmp(type, "MultiPolygon") != 0 || read_lines(in, value, cursor, 2, ring);
}

// The cursor stands at the object.
static bool geojson_read_object(geojson_reader* in, const cJSON* value,
                                const kerb_io_json_cursor* cursor, int32_t depth) {
    kerb_io_json_cursor inner = *cursor;
    if (!cJSON_IsObject(value))
        return geojson_refuse(in, KERB_ERROR_WRONG_TYPE, "type", cursor->line, "must be an object");
    if (depth > GEOJSON_DEPTH_MAX)
        return geojson_refuse(in, KERB_ERROR_TOO_MANY, "geometries", cursor->line,
                              "collections are nested too deeply");
    const char* type = type_of(value);
    if (strcmp(type, "Feature") == 0)
        in->properties = cJSON_GetObjectItemCaseSensitive(value, "properties");
    kerb_io_json_enter(&inner);
    for (const cJSON* child = value->child; child; child = child->next) {
        kerb_io_json_next(&inner); // at the key
        kerb_io_json_pass(&inner);
        kerb_io_json_next(&inner);
        if (!geojson_read_member(in, type, child, &inner, depth))
            return false;
        kerb_io_json_pass(&inner);
    }
    return true;
}

// --------------------------------------------------------------------------- the whole

// Coordinates are degrees, unless the file names another system or they cannot be.
static bool in_degrees(const cJSON* root, const kerb_io_line* line, kerb_io_notes* notes) {
    const cJSON* crs = cJSON_GetObjectItemCaseSensitive(root, "crs");
    const cJSON* of = cJSON_GetObjectItemCaseSensitive(crs, "properties");
    const cJSON* name = cJSON_GetObjectItemCaseSensitive(of, "name");
    bool other = cJSON_IsString(name) && !strstr(name->valuestring, "CRS84") &&
                 !strstr(name->valuestring, "4326");
    for (int32_t i = 0; i < line->count && !other; i++)
        other = !kerb_io_projection_takes(line->points[i].x, line->points[i].y);
    kerb_io_notes_add(notes, "", 0,
                      other ? "assumed metres, because these are no longitudes and latitudes"
                            : "projected longitude and latitude about the first point");
    return !other;
}

static kerb_result geojson_finish(geojson_reader* in, const cJSON* root, kerb_io_track* track,
                                  kerb_io_notes* notes, kerb_error* error) {
    char message[96];
    bool degrees = in_degrees(root, &in->best, notes);
    kerb_io_track_note_widths(notes);
    snprintf(message, sizeof message, "ignored the lines that are shorter: %d", (int)in->lines - 1);
    if (in->lines > 1)
        kerb_io_notes_add(notes, "", 0, message);
    return kerb_io_line_finish(&in->best, degrees ? KERB_IO_LINE_DEGREES : KERB_IO_LINE_METRES,
                               in->ring ? 1 : -1, 0.0, track, notes, error);
}

kerb_result kerb_io_track_geojson_read(kerb_io_track* track, const char* text, size_t length,
                                       const kerb_host* host, kerb_io_notes* notes,
                                       kerb_error* error) {
    geojson_reader in = {.best = {.allocator = &host->allocator},
                         .line = {.allocator = &host->allocator}};
    kerb_io_notes said = {0};
    cJSON* root = NULL;
    *track = (kerb_io_track){.waypoints = NULL};
    kerb_result result = kerb_io_json_parse(text, length, &host->allocator, &root, error);
    if (result != KERB_OK)
        return result;
    kerb_io_json_cursor cursor = kerb_io_json_cursor_make(text, length);
    if (!geojson_read_object(&in, root, &cursor, 0)) {
        result = in.result;
        if (error)
            *error = in.error;
    } else {
        result = geojson_finish(&in, root, track, &said, error);
    }
    if (result == KERB_OK) {
        memcpy(track->name, in.name, sizeof track->name);
        kerb_io_csv_pass_notes(notes, &said);
    }
    cJSON_Delete(root);
    kerb_io_line_destroy(&in.line);
    kerb_io_line_destroy(&in.best);
    return result;
}
