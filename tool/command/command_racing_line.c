// `kerb line`: finds one line after the other, each on one thread, so that its time is the time of
// the work. All is printed and written at the end, in the order of the tracks.
#include "tool/command/command_racing_line.h"

#include "scene/race/tracks.h"
#include "tool/command/file.h"
#include "tool/command/inputs.h"
#include "tool/page/replay_page.h"
#include "tool/picture/picture_line.h"
#include "tool/run/racing_line.h"

#include <stdlib.h>
#include <string.h>

typedef struct line_options {
    tool_words tracks;
    const char* method;
    const char* side;
    const char* direction;
    const char* preset;
    const char* vehicle;
    double lateral, accel, brake, top; // 0: not said
    double margin;                     // negative: not said
    double spacing, nodes;             // 0: not said
    double smooth;
    bool thin, reverse, level, list;
    tool_outputs outputs;
} line_options;

static const tool_option command_racing_line_options[] = {
    TOOL_HEADING("What to find"),
    TOOL_WORDS(line_options, tracks, "track", "NAME|FILE|all",
               "a built-in track, a CSV or TORCS XML file, or all built-in ones; may be given "
               "several times; the same as TRACK",
               .old = "course", .words = &tool_words_all_tracks),
    TOOL_TEXT(line_options, method, "method", "WORD", "spring|curvature|time",
              "time: the line of minimum lap time for this vehicle (default). curvature: the line "
              "of minimum curvature. spring: the chain of springs of Vamos"),
    TOOL_TEXT(line_options, side, "side", "WORD", "normal|left|right|defensive",
              "normal: the whole width (default). left, right: that half of the track. defensive: "
              "the inside half before corners"),
    TOOL_TEXT(line_options, preset, "preset", "WORD", "paper|program",
              "of the springs: those of the paper (default) or of the program Vamos"),
    TOOL_FLAG(line_options, thin, "thin",
              "of the springs: deletes every second node at the end, as the paper advises"),
    TOOL_NUMBER(line_options, margin, "margin", "M", 0, 20,
                "distance from the track's edges to the line (default 1, program 1.6, both less on "
                "narrow tracks; with --vehicle half its width and about 0.3)"),
    TOOL_NUMBER(line_options, spacing, "spacing", "M", 0.05, 100,
                "spacing of the line's points, or a little less or more (default 1; less where "
                "the track is narrower than 6 m)"),
    TOOL_NUMBER(line_options, nodes, "node-spacing", "M", 0.01, 500,
                "spacing of the solver's nodes (default: 0.4 of the track's mean width; spring 8)"),
    TOOL_TEXT(line_options, direction, "direction", "WORD", "forward|reverse",
              "direction of travel (default forward)"),
    TOOL_FLAG(line_options, reverse, "reverse", NULL),
    TOOL_FLAG(line_options, level, "level", "ignores banking, for games with flat physics"),
    TOOL_NUMBER(line_options, smooth, "smooth", "M", 0.001, 1000,
                "smooths a noisy centre line first; no point moves farther than M metres"),
    TOOL_HEADING("Vehicle"),
    TOOL_NUMBER(line_options, lateral, "lateral", "MPS2", 0.1, 1000,
                "lateral grip on level ground, in m/s2 (default 12)"),
    TOOL_NUMBER(line_options, accel, "accel", "MPS2", 0.1, 1000,
                "what the driven tyres hold, in m/s2 (default 9)"),
    TOOL_NUMBER(line_options, brake, "brake", "MPS2", 0.1, 1000,
                "what the braking tyres hold, in m/s2 (default 12)"),
    TOOL_NUMBER(line_options, top, "top-speed", "MPS", 0.1, 1000, "top speed, in m/s (default 70)",
                .old = "top-mps|top"),
    TOOL_TEXT(
        line_options, vehicle, "vehicle", "NAME|FILE", NULL,
        "a built-in vehicle or a JSON file, with its engine, gears, drag and downforce, instead of "
        "a point mass; the numbers above then replace its own, and the top speed limits it",
        .words = &tool_words_vehicles),
    TOOL_HEADING("Output"),
    TOOL_FLAG(line_options, list, "list", "lists the built-in tracks; finds no line"),
    TOOL_FLAG(line_options, outputs.json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_TEXT(line_options, outputs.csv, "csv", "FILE", NULL, "the line, a row for every point"),
    TOOL_TEXT(line_options, outputs.svg, "svg", "FILE", NULL,
              "a picture of one track: the line coloured by speed, curvature, speed, g-g diagram"),
    TOOL_TEXT(line_options, outputs.png, "png", "FILE", NULL, "the same picture in pixels"),
    TOOL_TEXT(line_options, outputs.html, "html", "FILE", NULL,
              "one self-contained page that replays a lap, with a lap along the centre line for "
              "comparison"),
    TOOL_FLAG(line_options, outputs.quiet, "quiet",
              "no table and no progress; errors are still printed"),
    TOOL_HEADING("Execution"),
    TOOL_WHOLE(line_options, outputs.seed, "seed", "N", 0, TOOL_SEED_MAX,
               "printed; nothing here is random (default 0)"),
    TOOL_WHOLE(line_options, outputs.threads, "threads", "N", 1, 64,
               "accepted, but one thread does all; changes no result"),
};

static const tool_example command_racing_line_examples[] = {
    {"line vamos --png vamos.png", "the example track of Vamos, as a picture"},
    {"line monza.csv --csv line.csv", "a track of the racetrack-database of TU Munich"},
    {"line aalborg.xml --vehicle pickup --html lap.html", "a track of TORCS, for a pick-up"},
    {"line all --method curvature", "a table of all built-in tracks"},
    {0},
};

const tool_command tool_command_racing_line = {
    .name = "line",
    .summary = "finds the racing line of a track, and how fast it can be driven",
    TOOL_COMMAND_OPTIONS(command_racing_line),
    .operands = "TRACK...",
    .operands_offset = offsetof(line_options, tracks),
    .words = &tool_words_all_tracks,
    .explanation = "TRACK is a CSV file, a TORCS XML file, the name of a built-in track, or "
                   "\"all\": all built-in "
                   "ones. Without --vehicle the line is for a point mass with a friction ellipse, "
                   "no drag, and "
                   "an engine that the tyres limit.",
};

typedef struct line_run {
    const line_options* options;
    tool_racing_line_wish wish;
    tool_vehicle vehicle;
    const char** words; // of the tracks
    int32_t count;
    tool_racing_line* found;
    kerb_host host;
} line_run;

// --------------------------------------------------------------------------- what is wished

static void set_if_said(float* value, double said) {
    if (said > 0.0)
        *value = (float)said;
}

static float drive_at(const kerb_performance* p, float speed) {
    float place = speed / p->speed_max * (float)(KERB_DRIVE_COUNT - 1);
    int32_t i = (int32_t)place;
    i = i < KERB_DRIVE_COUNT - 2 ? i : KERB_DRIVE_COUNT - 2;
    return p->drive[i] + (p->drive[i + 1] - p->drive[i]) * (place - (float)i);
}

// The drive is a table up to the top speed: a lower one has it cut there.
static void limit_speed(kerb_performance* performance, float top) {
    if (top >= performance->speed_max)
        return;
    const kerb_performance whole = *performance;
    performance->speed_max = top;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        performance->drive[i] = drive_at(&whole, top * (float)i / (float)(KERB_DRIVE_COUNT - 1));
}

static kerb_performance performance_for(const line_options* o, const kerb_vehicle* vehicle) {
    float lateral = 12.0f, accel = 9.0f, brake = 12.0f, top = 70.0f;
    set_if_said(&lateral, o->lateral);
    set_if_said(&accel, o->accel);
    set_if_said(&brake, o->brake);
    set_if_said(&top, o->top);
    if (!o->vehicle)
        return kerb_performance_point_mass(lateral, accel, brake, top);
    kerb_performance performance = kerb_performance_of(vehicle);
    set_if_said(&performance.lateral, o->lateral);
    set_if_said(&performance.accelerating, o->accel);
    set_if_said(&performance.braking, o->brake);
    if (o->top > 0.0)
        limit_speed(&performance, top);
    return performance;
}

static int32_t method_of(const line_options* o) {
    const char* word = o->method ? o->method : o->preset || o->thin ? "spring" : "time";
    int32_t method = 0;
    while (strcmp(word, tool_racing_line_method(method)) != 0)
        method++;
    return method;
}

static int32_t side_of(const line_options* o) {
    int32_t side = 0;
    while (strcmp(o->side, tool_racing_line_side(side)) != 0)
        side++;
    return side;
}

static tool_status command_racing_line_make_wish(line_run* run) {
    const line_options* o = run->options;
    tool_racing_line_wish* wish = &run->wish;
    wish->method = method_of(o);
    if (o->preset && wish->method != KERB_LINE_SPRING)
        return tool_complain("--preset: is for --method spring, not for %s", o->method);
    if (o->thin && wish->method != KERB_LINE_SPRING)
        return tool_complain("--thin: is for --method spring, not for %s", o->method);
    run->vehicle.vehicle = kerb_vehicle_default();
    if (o->vehicle &&
        tool_vehicle_load(o->vehicle, "follow", &run->host, &run->vehicle) != TOOL_DONE)
        return TOOL_WRONG;
    wish->side = side_of(o);
    wish->program = o->preset && strcmp(o->preset, "program") == 0;
    wish->thin = o->thin;
    wish->vehicle = run->vehicle.vehicle;
    wish->vehicle_name = o->vehicle ? run->vehicle.name : NULL;
    wish->performance = performance_for(o, &wish->vehicle);
    wish->margin = o->margin;
    wish->spacing = o->spacing;
    wish->node_spacing = o->nodes;
    wish->smooth = o->smooth;
    wish->reverse = o->reverse || strcmp(o->direction, "reverse") == 0;
    wish->level = o->level;
    wish->quiet = o->outputs.quiet;
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- the tracks

static void command_racing_line_add_word(line_run* run, const char* word) {
    bool all = strcmp(word, "all") == 0;
    for (int32_t i = 0; i < (all ? kerb_scene_track_count() : 1); i++)
        run->words[run->count++] = all ? kerb_scene_track_name(i) : word;
}

static tool_status list_tracks(line_run* run) {
    const tool_words* tracks = &run->options->tracks;
    size_t most = (size_t)tracks->count * (size_t)(kerb_scene_track_count() + 1);
    run->words = calloc(most, sizeof *run->words);
    run->found = calloc(most, sizeof *run->found);
    if (!run->words || !run->found)
        return tool_complain("line: no memory");
    for (int32_t i = 0; i < tracks->count; i++)
        command_racing_line_add_word(run, tracks->word[i]);
    const tool_outputs* o = &run->options->outputs;
    if (run->count > 1 && (o->svg || o->png))
        return tool_complain("--%s: a picture shows one track, not %d", o->svg ? "svg" : "png",
                             (int)run->count);
    return TOOL_DONE;
}

static tool_status command_racing_line_find_lines(line_run* run) {
    tool_status status = TOOL_DONE;
    for (int32_t i = 0; i < run->count && status == TOOL_DONE; i++)
        status = tool_racing_line_find(&run->found[i], run->words[i], &run->wish, &run->host);
    return status;
}

// --------------------------------------------------------------------------- the picture

static tool_status command_racing_line_draw(const tool_racing_line* f, const char* svg,
                                            const char* png) {
    tool_picture_line_point* points = calloc((size_t)f->line.count, sizeof *points);
    if (!points)
        return tool_complain("line: no memory for the picture");
    for (int32_t i = 0; i < f->line.count; i++) {
        const kerb_line_point* p = &f->line.points[i];
        const tool_picture_line_point point = {p->x, p->y, (double)p->speed,
                                               tool_racing_line_profile(&f->line, i)};
        points[i] = point;
    }
    char title[128], note[128];
    snprintf(title, sizeof title, "%s: %.2f s", f->track.name, f->line.time);
    snprintf(note, sizeof note, "%s, %.0f m, for %s; along the centre line %.2f s",
             tool_racing_line_what(f->wish->method), f->line.length,
             f->wish->vehicle_name ? f->wish->vehicle_name : "a point mass", f->centre.time);
    const tool_picture_line picture = {.title = title,
                                       .note = note,
                                       .track = &f->path,
                                       .performance = &f->wish->performance,
                                       .points = points,
                                       .count = f->line.count,
                                       .closed = f->line.closed};
    tool_status status = tool_picture_line_write(svg, png, &picture);
    free(points);
    return status;
}

// --------------------------------------------------------------------------- the page

typedef struct command_racing_line_page {
    kerb_scene_course* courses;
    tool_recording* recordings;      // two a track: its line, its centre line
    const tool_recording** pointers; // to them
    int32_t count;
} command_racing_line_page;

static void lay_course(kerb_scene_course* course, const tool_racing_line* f) {
    course->waypoints = f->track.waypoints;
    course->count = f->track.count;
    course->closed = f->track.closed;
    snprintf(course->name, sizeof course->name, "%s", f->track.name);
    snprintf(course->about, sizeof course->about, "%s: %.2f s; centre line: %.2f s",
             tool_racing_line_what(f->wish->method), f->line.time, f->centre.time);
}

static bool command_racing_line_record(command_racing_line_page* p, const line_run* run) {
    for (int32_t i = 0; i < run->count; i++) {
        lay_course(&p->courses[i], &run->found[i]);
        for (int32_t k = 0; k < 2; k++) {
            tool_recording* recording = &p->recordings[2 * i + k];
            tool_racing_line_record(recording, &run->found[i], k == 1, &p->courses[i]);
            p->pointers[2 * i + k] = recording;
            if (recording->out_of_memory)
                return false;
        }
    }
    return true;
}

static bool command_racing_line_print_page(FILE* out, const void* context) {
    const command_racing_line_page* p = context;
    return tool_replay_page_write_laps(out, "kerb line", p->pointers, p->count);
}

static tool_status command_racing_line_write_page(const line_run* run) {
    size_t laps = 2 * (size_t)run->count;
    command_racing_line_page p = {.count = 2 * run->count};
    p.courses = calloc((size_t)run->count, sizeof *p.courses);
    p.recordings = calloc(laps, sizeof *p.recordings);
    p.pointers = malloc(laps * sizeof(const tool_recording*));
    bool recorded = p.courses && p.recordings && p.pointers && command_racing_line_record(&p, run);
    tool_status status =
        recorded ? tool_file_print(run->options->outputs.html, command_racing_line_print_page, &p)
                 : tool_complain("line: no memory for the page");
    for (int32_t i = 0; p.recordings && i < p.count; i++)
        tool_recording_free(&p.recordings[i]);
    free(p.courses);
    free(p.recordings);
    free(p.pointers);
    return status;
}

// --------------------------------------------------------------------------- the command

// The profile's crawl (kerb_speed_profile): where the vehicle cannot hold the road at any speed.
#define STANDS 0.05f

// Says where a line cannot be driven; what it takes there is no time of anybody's.
static tool_status command_racing_line_judge(const tool_racing_line* f) {
    // The chain of springs holds its nodes inside of the margin, and not the curve between them.
    bool chain = f->wish->method == KERB_LINE_SPRING;
    double margin = (double)f->settings.margin, violation = f->line.violation;
    bool leaves = violation > margin + TOOL_RACING_LINE_SLACK;
    if (leaves || (!chain && !tool_racing_line_is_inside(f))) {
        if (leaves)
            tool_complain("%s: the line leaves the road by %.3f m", f->track.name,
                          violation - margin);
        else
            tool_complain("%s: the line enters the margin of %.3f m by %.3f m", f->track.name,
                          margin, violation);
        return TOOL_FAILED;
    }
    for (int32_t i = 0; i < f->line.count; i++) {
        if (f->line.points[i].speed >= STANDS)
            continue;
        tool_complain("%s: cannot be driven: at %.0f m the surface is too steep for the grip",
                      f->track.name, f->line.points[i].distance);
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}

static tool_status judge_all(const line_run* run) {
    tool_status status = TOOL_DONE;
    for (int32_t i = 0; i < run->count; i++)
        if (command_racing_line_judge(&run->found[i]) != TOOL_DONE)
            status = TOOL_FAILED;
    return status;
}

static tool_status command_racing_line_write_files(const line_run* run) {
    const tool_outputs* o = &run->options->outputs;
    if (o->csv && tool_racing_line_write_csv(o->csv, run->found, run->count) != TOOL_DONE)
        return TOOL_WRONG;
    if ((o->svg || o->png) && command_racing_line_draw(&run->found[0], o->svg, o->png) != TOOL_DONE)
        return TOOL_WRONG;
    return o->html ? command_racing_line_write_page(run) : TOOL_DONE;
}

static tool_status command_racing_line_report(const line_run* run) {
    const tool_outputs* o = &run->options->outputs;
    if (command_racing_line_write_files(run) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->json && !tool_racing_line_print_json(run->found, run->count, o->seed))
        return tool_complain("line: no memory for the report");
    if (!o->json && !o->quiet)
        tool_racing_line_print(run->found, run->count);
    return judge_all(run);
}

static void command_racing_line_release(line_run* run) {
    for (int32_t i = 0; run->found && i < run->count; i++)
        tool_racing_line_free(&run->found[i], &run->host);
    free(run->found);
    free(run->words);
}

static void command_racing_line_print_tracks(void) {
    for (int32_t i = 0; i < kerb_scene_track_count(); i++)
        printf("%-12s%s\n", kerb_scene_track_name(i), kerb_scene_track_about(i));
}

tool_status tool_racing_line_run(int argc, char** argv) {
    line_options o = {.side = "normal", .direction = "forward", .margin = -1.0};
    line_run run = {.options = &o, .host = kerb_host_default()};
    if (tool_arguments_read(&tool_command_racing_line, argc, argv, &o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.list) {
        command_racing_line_print_tracks();
        return TOOL_DONE;
    }
    if (o.tracks.count == 0)
        return tool_complain_operand(&tool_command_racing_line, "of which track?");
    if (tool_outputs_check(&o.outputs) != TOOL_DONE ||
        command_racing_line_make_wish(&run) != TOOL_DONE)
        return TOOL_WRONG;
    tool_status status = list_tracks(&run);
    if (status == TOOL_DONE)
        status = command_racing_line_find_lines(&run);
    if (status == TOOL_DONE)
        status = command_racing_line_report(&run);
    command_racing_line_release(&run);
    return status;
}
