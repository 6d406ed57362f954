// `kerb follow`: reads what to drive, drives it, reports it. Trials are independent, so they run on
// several threads, each into its own recording. All is printed afterwards in the order of the
// trials, so that the number of threads does not change the output.
#include "tool/command/command_follow.h"

#include "kerb/kerb.h"
#include "scene/course/course.h"
#include "tool/command/file.h"
#include "tool/command/inputs.h"
#include "tool/command/list.h"
#include "tool/command/machine.h"
#include "tool/command/outputs.h"
#include "tool/command/physics.h"
#include "tool/command/progress.h"
#include "tool/command/setting_words.h"
#include "tool/page/replay_page.h"
#include "tool/picture/picture.h"
#include "tool/report/report.h"
#include "tool/report/trace.h"
#include "tool/run/kind_table.h"
#include "tool/run/soak.h"

#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- options

typedef struct follow_options {
    tool_words courses, vehicles, settings;
    const char* follower;
    const char* physics;
    double speed; // 0: the course's own
    double hz;
    bool list;
    bool html_brief;
    bool kinds;
    bool soak;
    int64_t soak_vehicles;   // 0: not said
    double soak_minutes;     // likewise
    double soak_disobedient; // likewise [%]
    bool soak_no_intents;
    tool_outputs outputs;
} follow_options;

static const tool_option command_follow_options[] = {
    TOOL_HEADING("What to drive"),
    TOOL_WORDS(follow_options, courses, "course", "NAME|FILE|all",
               "a built-in course, a CSV file, random:SEED, or all built-in courses (default); may "
               "be given several times, and without --course, as COURSE",
               .old = "track", .words = &tool_words_courses),
    TOOL_WORDS(follow_options, vehicles, "vehicle", "NAME|FILE|all",
               "a built-in vehicle (default pickup), a JSON file, random:SEED, or all, which are "
               "the first six; may be given several times",
               .words = &tool_words_all_vehicles),
    TOOL_TEXT(follow_options, follower, "follower", "WORD", "kerb|paper|baseline|all",
              "kerb: Kerb's own method (default). paper: the method of \"Efficient Ground Vehicle "
              "Path Following in Game AI\". baseline: the method that the paper compares with. "
              "all: each of them"),
    TOOL_NUMBER(follow_options, speed, "speed", "MPS", 0.1, 150,
                "requested speed on a straight, in m/s (default: the course's own, 10 for the "
                "built-in ones)"),
    TOOL_WORDS(follow_options, settings, "set", "NAME=VALUE",
               "changes a setting of the follower; --list shows them; may be given several times",
               .words = &tool_words_follower),
    TOOL_NUMBER(follow_options, hz, "hz", "N", 5, 1000,
                "drive calls per simulated second (default 60)"),
    TOOL_FLAG(follow_options, list, "list", "lists courses, vehicles and settings; drives nothing"),
    TOOL_TEXT(follow_options, physics, "physics", "WORD", "sim|bullet",
              "sim: the reference simulation (default). bullet: the Bullet engine, with wheeled "
              "vehicles only; each vehicle is measured there first, as a game would do it"),
    TOOL_PLANNED("tuned"),
    TOOL_FLAG(follow_options, kinds, "kinds",
              "ships, pedestrians, helicopters and the other kinds of kerb plan --vehicle, on six "
              "courses scaled to the turning circle of each, in space for what flies or dives; "
              "--vehicle and --course then name kinds and those courses (default: all)"),
    TOOL_HEADING("Soak test"),
    TOOL_FLAG(follow_options, soak, "soak",
              "many vehicles drive about a town at once, in five trials, with the baseline for "
              "comparison; they take each --vehicle in turn (default: all built-in ones)"),
    TOOL_WHOLE(follow_options, soak_vehicles, "vehicles", "N", 1, SOAK_VEHICLES_MOST,
               "number of vehicles in the town (default 64)"),
    TOOL_NUMBER(follow_options, soak_minutes, "minutes", "N", 0.05, SOAK_MINUTES_MOST,
                "simulated time of each trial (default 5)"),
    TOOL_NUMBER(follow_options, soak_disobedient, "disobedient", "PERCENT", 0, 100,
                "share of the drivers that yield to nobody and do not say what they mean to do "
                "(default 0)"),
    TOOL_FLAG(follow_options, soak_no_intents, "no-intents",
              "no driver is told what the others mean to do"),
    TOOL_OUTPUT_OPTIONS(follow_options, outputs),
    TOOL_FLAG(follow_options, html_brief, "html-brief",
              "leaves out of the page what other followers than the first drove in other vehicles "
              "than the first"),
    TOOL_EXECUTION_OPTIONS(follow_options, outputs),
};

static const tool_example command_follow_examples[] = {
    {"follow figure-eight --png figure-eight.png", "a picture of one course"},
    {"follow my-road.csv --html my-road.html", "a course of your own, as a page that replays it"},
    {"follow all --vehicle all --follower all", "six vehicles, ten courses, three methods"},
    {"follow hairpins --speed 15 --set lateral_acceleration=8 --json", "the same for a program"},
    {"follow --kinds", "ships, trailers, helicopters, each on courses of its size"},
    {"follow --soak --minutes 2", "64 vehicles in one town"},
    {0},
};

const tool_command tool_command_follow = {
    .name = "follow",
    .summary = "drives vehicles along courses, from the first waypoint to the last",
    TOOL_COMMAND_OPTIONS(command_follow),
    .operands = "[COURSE...]",
    .operands_offset = offsetof(follow_options, courses),
    .words = &tool_words_courses,
    .explanation =
        "A course file is CSV with a header line that names any of x_m, y_m, z_m, left_m, right_m, "
        "direction, speed_mps, stop_s (x_m and y_m are required; direction is 1 or -1 for reverse; "
        "lines that begin with # are comments). A vehicle file is JSON; docs/formats.md lists its "
        "fields.\n\n"
        "Exit status 1 when a trial did not finish.",
};

static tool_status check_soak(follow_options* o) {
    if (o->courses.count > 0)
        return tool_complain("follow: --soak has a town of its own: --course does not go with it");
    if (o->html_brief)
        return tool_complain("follow: --soak has one page only: --html-brief does not go with it");
    if (strcmp(o->physics, "sim") != 0)
        return tool_complain("follow: --soak runs in --physics sim only");
    if (o->soak_vehicles == 0)
        o->soak_vehicles = 64;
    if (o->soak_minutes == 0.0)
        o->soak_minutes = 5.0;
    return TOOL_DONE;
}

static tool_status check_kinds(const follow_options* o) {
    const tool_outputs* out = &o->outputs;
    if (out->csv || out->svg || out->png || out->html)
        return tool_complain("follow: --kinds has a table and --json only");
    if (o->soak || o->html_brief || o->settings.count > 0 || o->speed > 0.0)
        return tool_complain("follow: --kinds goes with --vehicle, --course and --json only");
    if (strcmp(o->physics, "sim") != 0)
        return tool_complain("follow: --kinds runs in --physics sim only");
    return TOOL_DONE;
}

static tool_status read_options(int argc, char** argv, follow_options* o) {
    memset(o, 0, sizeof *o);
    o->follower = "kerb";
    o->physics = "sim";
    o->hz = 60.0;
    if (tool_arguments_read(&tool_command_follow, argc, argv, o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->kinds)
        return check_kinds(o);
    if (o->soak)
        return check_soak(o);
    if (o->soak_vehicles > 0 || o->soak_minutes > 0.0 || o->soak_disobedient > 0.0 ||
        o->soak_no_intents)
        return tool_complain("follow: --%s is for --soak", o->soak_vehicles > 0    ? "vehicles"
                                                           : o->soak_minutes > 0.0 ? "minutes"
                                                           : o->soak_no_intents    ? "no-intents"
                                                                                   : "disobedient");
    if (o->courses.count == 0)
        o->courses.word[o->courses.count++] = "all";
    if (o->vehicles.count == 0)
        o->vehicles.word[o->vehicles.count++] = "pickup";
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- the experiment

typedef struct command_follow_experiment {
    const follow_options* options;
    kerb_host host;
    const kerb_sim_physics* physics; // NULL: the trials' own
    kerb_scene_course* courses;
    const char** course_words; // what each course was asked for as: names the file in errors
    int32_t course_count;
    tool_vehicle* vehicles;
    int32_t vehicle_count;
    int32_t methods[3];
    int32_t method_count;
    tool_recording* recordings; // by course, vehicle, method
    kerb_error* errors;         // one a trial
    int32_t count;
    bool keep; // the frames
    tool_progress progress;
} command_follow_experiment;

static const char* const command_follow_method_names[] = {"kerb", "paper", "baseline"};

// The words with every "all" replaced by the names of what is built in.
static int32_t expand(const tool_words* words, int32_t built_in, const char* (*name)(int32_t index),
                      const char** out) {
    int32_t count = 0;
    for (int32_t i = 0; i < words->count; i++) {
        bool all = strcmp(words->word[i], "all") == 0;
        for (int32_t k = 0; k < (all ? built_in : 1); k++)
            out[count++] = all ? name(k) : words->word[i];
    }
    return count;
}

static tool_status load_courses(command_follow_experiment* e) {
    const tool_words* words = &e->options->courses;
    size_t most = (size_t)words->count * (size_t)(kerb_scene_course_count() + 1);
    e->course_words = calloc(most, sizeof *e->course_words);
    e->courses = calloc(most, sizeof *e->courses);
    if (!e->courses || !e->course_words)
        return tool_complain("follow: no memory");
    int32_t count =
        expand(words, kerb_scene_course_count(), kerb_scene_course_name, e->course_words);
    for (; e->course_count < count; e->course_count++) {
        if (tool_course_load(e->course_words[e->course_count], &e->host,
                             &e->courses[e->course_count]) != TOOL_DONE)
            return TOOL_WRONG;
    }
    return TOOL_DONE;
}

static bool asked_by_name(const tool_words* words, const char* name) {
    for (int32_t i = 0; i < words->count; i++) {
        if (words->word[i] == name)
            return true;
    }
    return false;
}

// Loads the next vehicle. What the physics does not have is left out of "all".
static tool_status load_vehicle(command_follow_experiment* e, const char* name) {
    tool_vehicle* vehicle = &e->vehicles[e->vehicle_count];
    if (tool_vehicle_load(name, "follow", &e->host, vehicle) != TOOL_DONE)
        return TOOL_WRONG;
    if (!tool_physics_has(e->physics, vehicle))
        return asked_by_name(&e->options->vehicles, name)
                   ? tool_complain("follow: --physics %s has no vehicle without wheels: %s",
                                   e->options->physics, name)
                   : TOOL_DONE;
    e->vehicle_count++;
    return tool_physics_measure(e->physics, vehicle);
}

static tool_status load_vehicles(command_follow_experiment* e) {
    const tool_words* words = &e->options->vehicles;
    size_t most = (size_t)words->count * (size_t)(tool_vehicle_count() + 1);
    const char** names = calloc(most, sizeof *names);
    e->vehicles = calloc(most, sizeof *e->vehicles);
    tool_status status = names && e->vehicles ? TOOL_DONE : tool_complain("follow: no memory");
    int32_t count = 0;
    if (status == TOOL_DONE)
        count = expand(words, tool_vehicle_count(), tool_vehicle_name, names);
    for (int32_t i = 0; i < count && status == TOOL_DONE; i++)
        status = load_vehicle(e, names[i]);
    free(names);
    return status;
}

static void command_follow_choose_methods(command_follow_experiment* e) {
    for (int32_t method = 0; method < 3; method++) {
        if (strcmp(e->options->follower, "all") == 0 ||
            strcmp(e->options->follower, command_follow_method_names[method]) == 0)
            e->methods[e->method_count++] = method;
    }
}

static tool_status command_follow_settings_for(const command_follow_experiment* e,
                                               const kerb_scene_course* course,
                                               const kerb_vehicle* vehicle, int32_t method,
                                               kerb_follower_settings* settings) {
    *settings = kerb_follower_settings_of((kerb_follower_method)method, vehicle);
    if (course->speed > 0.0f)
        settings->speed = course->speed * kerb_vehicle_scale(vehicle);
    if (e->options->speed > 0.0)
        settings->speed = (float)e->options->speed;
    const tool_settable what = {&kerb_follower_settings_table, "follow", "method", "--follower"};
    return tool_settings_apply(&e->options->settings, &what, settings);
}

static int32_t command_follow_course_index(const command_follow_experiment* e, int32_t trial) {
    return trial / e->method_count / e->vehicle_count;
}

static const tool_vehicle* vehicle_of(const command_follow_experiment* e, int32_t trial) {
    return &e->vehicles[trial / e->method_count % e->vehicle_count];
}

static tool_status prepare_recordings(command_follow_experiment* e) {
    e->count = e->course_count * e->vehicle_count * e->method_count;
    e->recordings = calloc((size_t)e->count, sizeof *e->recordings);
    e->errors = calloc((size_t)e->count, sizeof *e->errors);
    if (!e->recordings || !e->errors)
        return tool_complain("follow: no memory");
    for (int32_t i = 0; i < e->count; i++) {
        tool_recording* r = &e->recordings[i];
        int32_t method = e->methods[i % e->method_count];
        const tool_vehicle* vehicle = vehicle_of(e, i);
        r->course = &e->courses[command_follow_course_index(e, i)];
        r->vehicle = vehicle->vehicle;
        snprintf(r->vehicle_name, sizeof r->vehicle_name, "%s", vehicle->name);
        snprintf(r->follower_name, sizeof r->follower_name, "%s",
                 command_follow_method_names[method]);
        if (command_follow_settings_for(e, r->course, &r->vehicle, method, &r->settings) !=
            TOOL_DONE)
            return TOOL_WRONG;
    }
    return TOOL_DONE;
}

static tool_status command_follow_prepare(command_follow_experiment* e, const follow_options* o) {
    memset(e, 0, sizeof *e);
    e->options = o;
    e->host = kerb_host_default();
    e->keep = o->outputs.csv || o->outputs.svg || o->outputs.png || o->outputs.html;
    command_follow_choose_methods(e);
    if (tool_physics_named(o->physics, &e->physics) != TOOL_DONE || load_courses(e) != TOOL_DONE ||
        load_vehicles(e) != TOOL_DONE)
        return TOOL_WRONG;
    return prepare_recordings(e);
}

static void command_follow_release(command_follow_experiment* e) {
    for (int32_t i = 0; e->recordings && i < e->count; i++)
        tool_recording_free(&e->recordings[i]);
    for (int32_t i = 0; e->courses && i < e->course_count; i++)
        kerb_scene_course_free(&e->courses[i], &e->host);
    free(e->recordings);
    free(e->errors);
    free(e->courses);
    free(e->course_words);
    free(e->vehicles);
}

// --------------------------------------------------------------------------- driving

static double course_length(const kerb_scene_course* course) {
    double length = 0.0;
    for (int32_t i = 1; i < course->count; i++)
        length += (double)kerb_vec3_length(
            kerb_vec3_sub(course->waypoints[i].position, course->waypoints[i - 1].position));
    return length;
}

// What a trial's frames go to.
typedef struct command_follow_watcher {
    command_follow_experiment* experiment;
    tool_recording* recording;
    double reported; // progress that was added so far [m]
    int32_t frames;
} command_follow_watcher;

static void command_follow_watch(void* context, const kerb_scene_frame* frame) {
    command_follow_watcher* w = context;
    if (w->experiment->keep)
        tool_recording_watch(w->recording, frame);
    if (++w->frames % 256 != 0)
        return;
    tool_progress_add(&w->experiment->progress, frame->progress - w->reported);
    w->reported = frame->progress;
}

static void command_follow_drive(void* context, int32_t index) {
    command_follow_experiment* e = context;
    tool_recording* r = &e->recordings[index];
    const tool_vehicle* vehicle = vehicle_of(e, index);
    command_follow_watcher w = {.experiment = e, .recording = r};
    kerb_scene_trial trial = kerb_scene_trial_default(r->course, &r->vehicle, &r->settings);
    trial.model = vehicle->has_model ? &vehicle->model : NULL;
    trial.physics = e->physics;
    trial.drive_hz = (float)e->options->hz;
    trial.clock_ns = tool_clock_ns;
    trial.watch = command_follow_watch;
    trial.context = &w;
    kerb_error* error = &e->errors[index];
    error->result = kerb_scene_trial_run(&trial, &e->host, &r->result, error);
    if (error->result == KERB_OK && r->out_of_memory)
        kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the frames");
    tool_progress_add(&e->progress, course_length(r->course) - w.reported);
}

static tool_status command_follow_drive_all(command_follow_experiment* e) {
    double total = 0.0;
    for (int32_t i = 0; i < e->count; i++)
        total += course_length(e->recordings[i].course);
    e->progress = tool_progress_make("driving", total, !e->options->outputs.quiet);
    tool_parallel(e->count, tool_outputs_threads(&e->options->outputs), command_follow_drive, e);
    tool_progress_end(&e->progress);
    for (int32_t i = 0; i < e->count; i++) {
        if (e->errors[i].result != KERB_OK)
            return tool_complain_error(e->course_words[command_follow_course_index(e, i)],
                                       &e->errors[i]);
    }
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- results

static bool is_on_page(const command_follow_experiment* e, int32_t trial) {
    return !e->options->html_brief || trial % e->method_count == 0 ||
           vehicle_of(e, trial) == &e->vehicles[0];
}

static bool print_replay(FILE* out, const void* context) {
    const command_follow_experiment* e = context;
    const tool_recording** all = malloc((size_t)e->count * sizeof(const tool_recording*));
    if (!all)
        return false;
    int32_t count = 0;
    for (int32_t i = 0; i < e->count; i++) {
        if (is_on_page(e, i))
            all[count++] = &e->recordings[i];
    }
    bool written = tool_replay_page_write(out, "kerb follow", all, count);
    free(all);
    return written;
}

static tool_status command_follow_write_files(const command_follow_experiment* e) {
    const tool_outputs* o = &e->options->outputs;
    if (o->csv && tool_trace_write(o->csv, e->recordings, e->count) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->svg && tool_picture_write_svg(o->svg, e->recordings, e->count) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->png && tool_picture_write_png(o->png, e->recordings, e->count) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->html && tool_file_print(o->html, print_replay, e) != TOOL_DONE)
        return TOOL_WRONG;
    return TOOL_DONE;
}

// Trials that failed are named one by one up to this number.
#define FAILURES_MOST 10

// Says which vehicles left the road. Who did not finish is in the report.
static tool_status command_follow_judge(const command_follow_experiment* e) {
    int32_t left = 0;
    bool finished = true;
    for (int32_t i = 0; i < e->count; i++) {
        const tool_recording* r = &e->recordings[i];
        finished = finished && r->result.finished;
        if (r->result.left_road <= 0.0 || ++left > FAILURES_MOST)
            continue;
        tool_complain("%s on %s by %s: %sleft the road by %.2f m", r->vehicle_name, r->course->name,
                      r->follower_name, r->result.finished ? "" : "lost; it ", r->result.left_road);
    }
    if (left > FAILURES_MOST)
        tool_complain("and %d more", (int)(left - FAILURES_MOST));
    return left == 0 && finished ? TOOL_DONE : TOOL_FAILED;
}

static tool_status command_follow_report(const command_follow_experiment* e) {
    const follow_options* o = e->options;
    tool_report r = {e->recordings, e->count, o->outputs.seed, o->hz, o->physics};
    if (e->options->outputs.json && !tool_report_json(&r, stdout))
        return tool_complain("follow: no memory for the report");
    if (!e->options->outputs.json && !e->options->outputs.quiet)
        tool_report_table(&r, stdout);
    if (!e->options->outputs.json && !e->options->outputs.quiet && e->vehicle_count > 1)
        tool_report_comparison(&r, stdout);
    return command_follow_judge(e);
}

static tool_status run_experiment(const follow_options* o) {
    command_follow_experiment e;
    tool_status status = command_follow_prepare(&e, o);
    if (status == TOOL_DONE)
        status = command_follow_drive_all(&e);
    if (status == TOOL_DONE)
        status = command_follow_write_files(&e);
    if (status == TOOL_DONE)
        status = command_follow_report(&e);
    command_follow_release(&e);
    return status;
}

static tool_status run_soak(const follow_options* o) {
    tool_soak_options soak = {.vehicles = o->vehicles,
                              .settings = o->settings,
                              .follower = o->follower,
                              .speed = o->speed,
                              .hz = o->hz,
                              .minutes = o->soak_minutes,
                              .count = o->soak_vehicles,
                              .disobedient = o->soak_disobedient,
                              .no_intents = o->soak_no_intents,
                              .outputs = o->outputs};
    return tool_soak_run(&soak);
}

static tool_status command_follow_kinds(const follow_options* o) {
    const tool_kind_table table = {
        .kinds = o->vehicles, .courses = o->courses, .outputs = o->outputs};
    return tool_kind_table_run(&table);
}

tool_status tool_follow_run(int argc, char** argv) {
    follow_options o;
    if (read_options(argc, argv, &o) != TOOL_DONE || tool_outputs_check(&o.outputs) != TOOL_DONE)
        return TOOL_WRONG;
    if (!o.list)
        return o.kinds ? command_follow_kinds(&o) : o.soak ? run_soak(&o) : run_experiment(&o);
    if (o.outputs.json)
        return tool_list_json(o.outputs.seed, stdout) ? TOOL_DONE
                                                      : tool_complain("follow: no memory");
    tool_list_print(stdout);
    return TOOL_DONE;
}
