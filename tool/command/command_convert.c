// `kerb convert`: reads a track, course or vehicle in any format and writes it in another.
#include "tool/command/command_convert.h"

#include "kerb/io/course_csv.h"
#include "kerb/io/track.h"
#include "kerb/io/vehicle_json.h"
#include "kerb/racing_line.h"
#include "scene/race/tracks.h"
#include "tool/command/file.h"
#include "tool/command/inputs.h"
#include "tool/command/outputs.h"
#include "tool/command/tracks.h"
#include "tool/report/json_report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

typedef struct convert_options {
    tool_words files; // IN and OUT
    tool_words track; // likewise IN …
    const char* out;  // … and OUT, each by its option
    const char* as;
    const char* direction;
    const char* road;
    double smooth, width;
    bool reverse, game_origin, check, list, json, quiet;
    int64_t seed;
} convert_options;

static const tool_option command_convert_options[] = {
    TOOL_HEADING("What to read and write"),
    TOOL_WORDS(convert_options, track, "track", "NAME|FILE", "what to read, the same as IN",
               .old = "course|vehicle|in", .words = &tool_words_tracks),
    TOOL_TEXT(convert_options, out, "out", "FILE", NULL, "what to write, the same as OUT"),
    TOOL_TEXT(convert_options, as, "as", "FORMAT", "track|track3d|course",
              "a CSV of a level track (track), of one with elevation and banking (track3d), or of "
              "a course; without it, the first of these that loses nothing"),
    TOOL_TEXT(convert_options, direction, "direction", "WORD", "forward|reverse",
              "reverse: the same road from its other end (default forward)"),
    TOOL_FLAG(convert_options, reverse, "reverse", NULL),
    TOOL_NUMBER(convert_options, smooth, "smooth", "M", 0.001, 1000,
                "smooths a noisy centre line; no point moves farther than M metres"),
    TOOL_NUMBER(convert_options, width, "width", "M", 0.1, 1000,
                "width of the road, half of it on either side; for lines that have none"),
    TOOL_TEXT(convert_options, road, "road", "ID", NULL,
              "of an OpenDRIVE file the road of this id; without it, the longest chain of roads "
              "that no junction breaks"),
    TOOL_FLAG(convert_options, game_origin, "game-origin",
              "a track of TORCS with the origin that the game itself gives it"),
    TOOL_FLAG(convert_options, check, "check", "refuses a track that could not be raced on"),
    TOOL_HEADING("Output"),
    TOOL_FLAG(convert_options, list, "list", "lists the built-in tracks; converts nothing"),
    TOOL_FLAG(convert_options, json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_FLAG(convert_options, quiet, "quiet", "prints nothing; errors are still printed"),
    TOOL_WHOLE(convert_options, seed, "seed", "N", 0, TOOL_SEED_MAX,
               "printed; nothing here is random (default 0)"),
};

static const tool_example command_convert_examples[] = {
    {"convert aalborg.xml aalborg.csv", "a track of TORCS as a table"},
    {"convert overpass overpass.csv", "a built-in track"},
    {"convert survey.csv track.csv --smooth 4", "a centre line from satellite positions"},
    {"convert track.csv course.csv --as course", "to drive along it with kerb follow"},
    {"convert ride.gpx road.csv --width 7", "a recorded drive"},
    {"convert town.xodr road.csv --road 12", "a road of OpenDRIVE"},
    {"convert pickup pickup.json", "a built-in vehicle"},
    {0},
};

const tool_command tool_command_convert = {
    .name = "convert",
    .summary = "turns tracks, courses and vehicles from one format into another",
    TOOL_COMMAND_OPTIONS(command_convert),
    .operands = "IN OUT",
    .operands_offset = offsetof(convert_options, files),
    .words = &tool_words_tracks,
    .explanation = "IN is a track (CSV, TORCS XML, GPX, GeoJSON or OpenDRIVE), a course (CSV) or a "
                   "vehicle (JSON): a file, "
                   "or the name of "
                   "a built-in track or, where OUT ends in .json, vehicle. The content of a file "
                   "decides what it "
                   "is. OUT ends in .csv, or in .json for a vehicle.",
};

// What came out, for the report.
typedef struct converted {
    const convert_options* options;
    const char* format;
    int32_t points; // 0 for a vehicle
    bool closed;
    double length; // [m]
} converted;

static bool ends_with(const char* text, const char* end) {
    size_t length = strlen(text), most = strlen(end);
    return length >= most && strcmp(text + length - most, end) == 0;
}

// --------------------------------------------------------------------------- tracks

// The first format that loses nothing.
static const char* least_format(const tool_track* track) {
    const kerb_waypoint plain = kerb_waypoint_at(0.0f, 0.0f, 0.0f);
    const char* format = "track";
    for (int32_t i = 0; i < track->count; i++) {
        const kerb_waypoint* w = &track->waypoints[i];
        if (w->speed_limit != plain.speed_limit || w->stop != plain.stop ||
            w->direction != plain.direction)
            return "course";
        if (w->position.z != 0.0f || w->bank != 0.0f || w->grip != 1.0f)
            format = "track3d";
    }
    return format;
}

static kerb_result command_convert_write_as(const char* format, const tool_track* track,
                                            kerb_io_text* text, kerb_error* error) {
    kerb_io_track whole = track->read;
    whole.waypoints = track->waypoints;
    whole.count = track->count;
    whole.closed = track->closed;
    if (strcmp(format, "course") != 0)
        return kerb_io_track_write(text, &whole, strcmp(format, "track3d") == 0, error);
    const kerb_io_course course = {.waypoints = whole.waypoints,
                                   .count = whole.count,
                                   .closed = whole.closed,
                                   .offset = {whole.offset[0], whole.offset[1]},
                                   .anchored = whole.anchored,
                                   .anchor = {whole.anchor[0], whole.anchor[1]}};
    return kerb_io_course_write(text, &course, error);
}

static double command_convert_length_of(const tool_track* track) {
    double sum = 0.0;
    for (int32_t i = 0; i + (track->closed ? 0 : 1) < track->count; i++) {
        const kerb_waypoint *a = &track->waypoints[i],
                            *b = &track->waypoints[(i + 1) % track->count];
        sum += (double)kerb_vec3_length(kerb_vec3_sub(b->position, a->position));
    }
    return sum;
}

// From the coordinates of the reader to those of the game.
static tool_status move_to_game(const convert_options* o, tool_track* track) {
    const double* origin = track->read.game_origin;
    if (origin[0] == 0.0 && origin[1] == 0.0 && origin[2] == 0.0)
        return tool_complain("%s: --game-origin is for tracks of TORCS", o->files.word[0]);
    for (int32_t i = 0; i < track->count; i++) {
        kerb_vec3* at = &track->waypoints[i].position;
        at->x = (float)((double)at->x - origin[0]);
        at->y = (float)((double)at->y - origin[1]);
        at->z = (float)((double)at->z - origin[2]);
    }
    return TOOL_DONE;
}

static tool_status change(const convert_options* o, const kerb_host* host, tool_track* track) {
    kerb_error error = {.index = -1};
    if (o->game_origin && move_to_game(o, track) != TOOL_DONE)
        return TOOL_WRONG;
    for (int32_t i = 0; i < track->count && o->width > 0.0; i++)
        track->waypoints[i].left = track->waypoints[i].right = 0.5f * (float)o->width;
    if (o->smooth > 0.0 && kerb_track_smooth(track->waypoints, track->count, track->closed,
                                             (float)o->smooth, host, &error) != KERB_OK)
        return tool_complain_error(o->files.word[0], &error);
    if (!o->quiet && !(o->as && strcmp(o->as, "course") == 0))
        tool_track_warn(o->files.word[0], track, NULL, NULL);
    if (o->reverse)
        kerb_waypoints_reverse(track->waypoints, track->count, track->closed);
    return o->check ? tool_track_check(o->files.word[0], track) : TOOL_DONE;
}

static tool_status write_track(const tool_track* track, const kerb_host* host, converted* c) {
    const char* out = c->options->files.word[1];
    kerb_io_text text = kerb_io_text_make(&host->allocator);
    kerb_error error = {.index = -1};
    tool_status status = TOOL_WRONG;
    if (command_convert_write_as(c->format, track, &text, &error) == KERB_OK)
        status = tool_file_write(out, text.data, text.length);
    else
        tool_complain_error(out, &error);
    kerb_io_text_destroy(&text);
    return status;
}

static tool_status convert_track(converted* c) {
    const convert_options* o = c->options;
    kerb_host host = kerb_host_default();
    tool_track track;
    tool_status status = tool_track_load_road(o->files.word[0], o->road, &host, &track);
    if (status == TOOL_DONE)
        status = change(o, &host, &track);
    if (status == TOOL_DONE) {
        c->format = o->as ? o->as : least_format(&track);
        c->points = track.count;
        c->closed = track.closed;
        c->length = command_convert_length_of(&track);
        status = write_track(&track, &host, c);
    }
    tool_track_free(&track, &host);
    return status;
}

// --------------------------------------------------------------------------- vehicles

static tool_status convert_vehicle(converted* c) {
    const convert_options* o = c->options;
    kerb_host host = kerb_host_default();
    tool_vehicle vehicle;
    kerb_error error = {.index = -1};
    if (o->as || o->road || o->reverse || o->game_origin || o->check || o->smooth > 0.0 ||
        o->width > 0.0)
        return tool_complain("convert: only --json, --quiet and --seed are for vehicles");
    if (tool_vehicle_load(o->files.word[0], "follow", &host, &vehicle) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    tool_status status = TOOL_WRONG;
    if (kerb_io_vehicle_json_write(&text, &vehicle.vehicle, vehicle.name, &error) == KERB_OK)
        status = tool_file_write(o->files.word[1], text.data, text.length);
    else
        tool_complain_error(o->files.word[1], &error);
    kerb_io_text_destroy(&text);
    c->format = "vehicle";
    return status;
}

// --------------------------------------------------------------------------- the report

static bool command_convert_add_all(cJSON* root, const converted* c) {
    bool added = cJSON_AddStringToObject(root, "format", c->format);
    if (!added || c->points == 0)
        return added;
    return cJSON_AddNumberToObject(root, "points", c->points) &&
           cJSON_AddBoolToObject(root, "closed", c->closed) &&
           cJSON_AddNumberToObject(root, "length_m", round(c->length * 1000.0) / 1000.0);
}

static tool_status command_convert_print_json(const converted* c) {
    cJSON* root = tool_json_begin("convert", c->options->seed);
    return tool_json_end(root, command_convert_add_all(root, c), stdout)
               ? TOOL_DONE
               : tool_complain("convert: no memory for the report");
}

static void command_convert_print_line(const converted* c) {
    const char* out = c->options->files.word[1];
    if (c->points == 0)
        printf("%s: %s\n", out, c->format);
    else
        printf("%s: %s, %d points, %.1f m, %s\n", out, c->format, (int)c->points, c->length,
               c->closed ? "closed" : "open");
}

static void command_convert_print_tracks(void) {
    for (int32_t i = 0; i < kerb_scene_track_count(); i++)
        printf("%-12s%s\n", kerb_scene_track_name(i), kerb_scene_track_about(i));
}

// --------------------------------------------------------------------------- the command

// IN and OUT, of which either may be given by its option.
static tool_status gather_files(convert_options* o) {
    tool_words* files = &o->files;
    int32_t given = files->count + o->track.count + (o->out != NULL ? 1 : 0);
    if (given != 2 || o->track.count > 1)
        return tool_complain("convert: needs two words, IN and OUT, not %d (kerb convert --help)",
                             (int)given);
    if (o->track.count == 1) {
        files->word[1] = files->word[0];
        files->word[0] = o->track.word[0];
    }
    if (o->out)
        files->word[1] = o->out;
    files->count = 2;
    o->reverse = o->reverse || strcmp(o->direction, "reverse") == 0;
    return TOOL_DONE;
}

static tool_status check_files(const convert_options* o) {
    const char* out = o->files.word[1];
    static const char* const read_only[] = {".xml", ".gpx", ".geojson", ".xodr"};
    for (size_t i = 0; i < sizeof read_only / sizeof read_only[0]; i++)
        if (ends_with(out, read_only[i]))
            return tool_complain(
                "%s: this format is read, not written: use a name that ends in .csv", out);
    if (!ends_with(out, ".csv") && !ends_with(out, ".json"))
        return tool_complain("%s: must end in .csv, or in .json for a vehicle", out);
    return tool_file_check_writable(out);
}

tool_status tool_convert_run(int argc, char** argv) {
    convert_options o = {.direction = "forward"};
    converted c = {.options = &o};
    if (tool_arguments_read(&tool_command_convert, argc, argv, &o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.list) {
        command_convert_print_tracks();
        return TOOL_DONE;
    }
    if (gather_files(&o) != TOOL_DONE || check_files(&o) != TOOL_DONE)
        return TOOL_WRONG;
    bool vehicle = ends_with(o.files.word[1], ".json");
    tool_status status = vehicle ? convert_vehicle(&c) : convert_track(&c);
    if (status == TOOL_DONE && o.json)
        return command_convert_print_json(&c);
    if (status == TOOL_DONE && !o.quiet)
        command_convert_print_line(&c);
    return status;
}
