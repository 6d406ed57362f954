// `kerb race`: reads the options, runs the race, and reports it.
#include "tool/command/command_race.h"

#include "io/number.h"
#include "tool/command/list.h"
#include "tool/command/physics.h"
#include "tool/command/setting_words.h"
#include "tool/page/race_page.h"
#include "tool/picture/picture_race.h"
#include "tool/run/race.h"
#include "tool/run/race_series.h"

#include <stdlib.h>
#include <string.h>

typedef struct race_options {
    tool_words tracks;
    int64_t cars, laps, races;
    const char* vehicle;
    const char* skill;
    const char* aggression;
    bool people;
    const char* grid;
    const char* direction;
    const char* physics;
    tool_words settings;
    double grip, slipstream, walls, limit; // walls negative, limit 0: not said
    bool list;
    tool_outputs outputs;
} race_options;

static const tool_option command_race_options[] = {
    TOOL_HEADING("Drivers and cars"),
    TOOL_WHOLE(race_options, cars, "cars", "N", 1, KERB_SCENE_RACE_CARS_MAX,
               "number of cars (default 8); 1: a time trial"),
    TOOL_WHOLE(race_options, laps, "laps", "L", 1, KERB_SCENE_RACE_LAPS_MOST,
               "number of laps (default 5); an open track is raced once, from end to end"),
    TOOL_TEXT(race_options, vehicle, "vehicle", "NAME|FILE", NULL,
              "a racing car (default gt), another built-in vehicle with wheels, or a JSON file; "
              "several, separated by commas, are taken in turn",
              .words = &tool_words_cars),
    TOOL_TEXT(race_options, skill, "skill", "A[,B...]", NULL,
              "0 to 1 (default 1): one value for all; two, from the first driver's to the last "
              "one's in even steps; or one for each driver"),
    TOOL_TEXT(race_options, aggression, "aggression", "A[,B...]", NULL, "0 to 1, in the same way"),
    TOOL_FLAG(
        race_options, people, "people",
        "each driver has a character of its own: aggression, consistency, braking, smoothness"),
    TOOL_WORDS(race_options, settings, "set", "NAME=VALUE",
               "changes a setting of every driver; --list shows them; may be given several times",
               .words = &tool_words_racer),
    TOOL_HEADING("Track and race"),
    TOOL_WORDS(race_options, tracks, "track", "NAME|FILE",
               "a built-in track, or a CSV or TORCS XML file; the same as TRACK", .old = "course",
               .words = &tool_words_tracks),
    TOOL_TEXT(race_options, grid, "grid", "WORD", "given|reverse|random",
              "given: driver 1 in front (default). reverse: the least skill in front. random: by "
              "the seed"),
    TOOL_TEXT(race_options, direction, "direction", "WORD", "forward|reverse",
              "direction of travel (default forward)"),
    TOOL_TEXT(race_options, physics, "physics", "WORD", "sim|bullet",
              "sim: the reference simulation (default). bullet: cars of the Bullet engine in one "
              "world, with its contacts; limits and profile are measured there"),
    TOOL_NUMBER(race_options, grip, "grip", "G", 0.05, 5,
                "factor on the grip of the track; the drivers do not know it (default 1)"),
    TOOL_NUMBER(race_options, slipstream, "slipstream", "SHARE", 0, 0.9,
                "a car GAP metres behind another's bumper loses SHARE / (1 + GAP / 20) of its drag "
                "(default 0)"),
    TOOL_NUMBER(race_options, walls, "walls", "M", 0, 100,
                "distance of walls from the edges, in metres (default: no walls, grass without "
                "end)"),
    TOOL_WHOLE(race_options, races, "races", "N", 1, TOOL_RACE_SERIES_MOST,
               "number of races, with the seeds from --seed on, and their totals (default 1)"),
    TOOL_NUMBER(race_options, limit, "seconds", "S", 1, 1000000,
                "ends the race then, finished or not (default: three times what the line takes, "
                "and 120)",
                .old = "limit-s"),
    TOOL_HEADING("Output"),
    TOOL_FLAG(race_options, list, "list",
              "lists tracks, racing cars and drivers' settings; no race"),
    TOOL_FLAG(race_options, outputs.json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_TEXT(race_options, outputs.csv, "csv", "FILE", NULL,
              "the trace: a row for every car ten times a second, fewer in long races"),
    TOOL_TEXT(race_options, outputs.svg, "svg", "FILE", NULL,
              "the lap chart: places and gaps lap by lap, contacts on the map"),
    TOOL_TEXT(race_options, outputs.png, "png", "FILE", NULL, "the same picture in pixels"),
    TOOL_TEXT(race_options, outputs.html, "html", "FILE", NULL,
              "one self-contained page that replays the race"),
    TOOL_FLAG(race_options, outputs.quiet, "quiet",
              "no table and no progress; errors are still printed"),
    TOOL_HEADING("Execution"),
    TOOL_WHOLE(race_options, outputs.seed, "seed", "N", 0, TOOL_SEED_MAX,
               "seed of the grid and of the drivers' errors and characters (default 0)"),
    TOOL_WHOLE(
        race_options, outputs.threads, "threads", "N", 1, 64,
        "number of threads for --races (default: as many as the machine has); changes no result"),
};

static const tool_example command_race_examples[] = {
    {"race vamos --cars 1", "a time trial"},
    {"race downs --cars 20 --skill 0.6,1 --grid reverse --png race.png",
     "the best start last; the lap chart as a picture"},
    {"race saucer --vehicle gt,truck --people", "two classes, drivers with a character"},
    {"race monza.csv --vehicle formula --html race.html", "a page that replays it"},
    {0},
};

const tool_command tool_command_race = {
    .name = "race",
    .summary = "races cars on a track",
    TOOL_COMMAND_OPTIONS(command_race),
    .operands = "TRACK",
    .operands_offset = offsetof(race_options, tracks),
    .words = &tool_words_tracks,
    .explanation =
        "TRACK is a CSV file, a TORCS XML file, or the name of a built-in track. The start "
        "is from standstill. When the winner has finished, every other car finishes with its next "
        "crossing of the line. Exit status 1 when not all did. docs/command.md explains contacts, "
        "overtakes and the rest.",
};

// --------------------------------------------------------------------------- lists of numbers

// Reads up to `most` numbers; -1 when one is none or out of range.
static int32_t command_race_read_numbers(const char* text, float* values, int32_t most) {
    int32_t count = 0;
    for (const char* at = text; at; count++) {
        const char* comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        float value;
        if (count == most || kerb_io_number_read_float(at, length, &value) != KERB_OK ||
            !(value >= 0.0f && value <= 1.0f))
            return -1;
        values[count] = value;
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

// One for all, from the first to the last, or one for each.
static tool_status spread(const char* option, const char* text, int32_t cars, float* values) {
    float given[KERB_SCENE_RACE_CARS_MAX] = {0.0f};
    int32_t count = command_race_read_numbers(text, given, KERB_SCENE_RACE_CARS_MAX);
    if (count < 0)
        return tool_complain("--%s: '%s' is not a list of numbers from 0 to 1", option, text);
    if (count > 2 && count != cars)
        return tool_complain("--%s: %d values for %d cars; give 1, 2 or %d", option, (int)count,
                             (int)cars, (int)cars);
    for (int32_t i = 0; i < cars; i++) {
        float part = cars > 1 ? (float)i / (float)(cars - 1) : 0.0f;
        values[i] = count == 1   ? given[0]
                    : count == 2 ? given[0] + (given[1] - given[0]) * part
                                 : given[i];
    }
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- what is wished

static tool_status add_vehicle(tool_race_wish* wish, const char* word, const kerb_host* host) {
    tool_vehicle vehicle;
    if (tool_vehicle_load(word, "race", host, &vehicle) != TOOL_DONE)
        return TOOL_WRONG;
    if (vehicle.vehicle.kind != KERB_VEHICLE_WHEELED)
        return tool_complain("--vehicle %s: has no wheels; racing drivers drive cars", word);
    kerb_sim_model* model = &wish->models[wish->model_count++];
    *model = vehicle.has_model ? vehicle.model : kerb_sim_model_for(&vehicle.vehicle);
    snprintf(model->name, sizeof model->name, "%.23s", vehicle.name);
    return TOOL_DONE;
}

static tool_status add_vehicles(tool_race_wish* wish, const char* words, const kerb_host* host) {
    snprintf(wish->vehicle_names, sizeof wish->vehicle_names, "%s", words);
    for (const char* at = words; at;) {
        char word[512];
        size_t length = strcspn(at, ",");
        if (wish->model_count == TOOL_RACE_MODELS_MOST || length >= sizeof word)
            return tool_complain("--vehicle: at most %d vehicles", TOOL_RACE_MODELS_MOST);
        memcpy(word, at, length);
        word[length] = '\0';
        if (add_vehicle(wish, word, host) != TOOL_DONE)
            return TOOL_WRONG;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return TOOL_DONE;
}

static tool_status check_settings(const tool_words* words) {
    const tool_settable what = {&kerb_racer_settings_table, "race", NULL, NULL};
    kerb_racer_settings settings = kerb_racer_settings_default();
    return tool_settings_apply(words, &what, &settings);
}

static int32_t order_of(const char* word) {
    return strcmp(word, "reverse") == 0  ? KERB_SCENE_RACE_ORDER_REVERSE
           : strcmp(word, "random") == 0 ? KERB_SCENE_RACE_ORDER_RANDOM
                                         : KERB_SCENE_RACE_ORDER_GIVEN;
}

static tool_status command_race_make_wish(const race_options* o, const kerb_host* host,
                                          tool_race_wish* wish) {
    *wish = (tool_race_wish){.track = o->tracks.word[0],
                             .cars = (int32_t)o->cars,
                             .laps = (int32_t)o->laps,
                             .people = o->people,
                             .settings = &o->settings,
                             .order = order_of(o->grid),
                             .reverse = strcmp(o->direction, "reverse") == 0,
                             .grip = (float)o->grip,
                             .slipstream = (float)o->slipstream,
                             .wall_distance = (float)o->walls,
                             .time_most = o->limit,
                             .seed = o->outputs.seed,
                             .quiet = o->outputs.quiet,
                             .records = o->outputs.html || o->outputs.csv};
    if (spread("skill", o->skill, wish->cars, wish->skills) != TOOL_DONE)
        return TOOL_WRONG;
    wish->has_aggressions = o->aggression != NULL;
    if (o->aggression &&
        spread("aggression", o->aggression, wish->cars, wish->aggressions) != TOOL_DONE)
        return TOOL_WRONG;
    if (check_settings(&o->settings) != TOOL_DONE)
        return TOOL_WRONG;
    if (tool_physics_named(o->physics, &wish->physics) != TOOL_DONE)
        return TOOL_WRONG;
    return add_vehicles(wish, o->vehicle, host);
}

// --------------------------------------------------------------------------- the command

// Says which cars left the road. Who did not finish is in the report.
static tool_status command_race_judge(const kerb_scene_race* race) {
    tool_status status = TOOL_DONE;
    for (int32_t place = 1; place <= race->count; place++) {
        kerb_scene_race_result r = kerb_scene_race_result_at(race, place);
        if (r.outside_most > 0.0f)
            tool_complain("driver %d: %sleft the road by %.2f m", (int)r.driver + 1,
                          r.finished ? "" : "lost; it ", (double)r.outside_most);
        if (!r.finished || r.outside_most > 0.0f)
            status = TOOL_FAILED;
    }
    return status;
}

static tool_status command_race_report(const tool_race* race, const tool_outputs* o) {
    if (o->csv && tool_race_write_csv(o->csv, race) != TOOL_DONE)
        return TOOL_WRONG;
    if ((o->svg || o->png) && tool_picture_race_write(o->svg, o->png, race) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->html && tool_race_page_write(o->html, race) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->json && !tool_race_print_json(race))
        return tool_complain("race: no memory for the report");
    if (!o->json && !o->quiet)
        tool_race_print(race);
    return command_race_judge(&race->race);
}

static tool_status run_series(const race_options* o, const tool_race_wish* wish,
                              const kerb_host* host) {
    const tool_outputs* out = &o->outputs;
    const char* one = out->csv ? "csv" : out->svg ? "svg" : out->png ? "png" : NULL;
    one = one == NULL && out->html ? "html" : one;
    if (one)
        return tool_complain("--%s: shows one race, not %d", one, (int)o->races);
    return tool_race_series_run(wish, (int32_t)o->races, tool_outputs_threads(out), out->json,
                                host);
}

static tool_status command_race_run(const race_options* o) {
    kerb_host host = kerb_host_default();
    tool_race_wish wish;
    if (command_race_make_wish(o, &host, &wish) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->races > 1)
        return run_series(o, &wish, &host);
    tool_race* race = calloc(1, sizeof *race);
    if (!race)
        return tool_complain("race: no memory");
    tool_status status = tool_race_run(race, &wish, &host);
    if (status == TOOL_DONE)
        status = command_race_report(race, &o->outputs);
    tool_race_free(race, &host);
    free(race);
    return status;
}

tool_status tool_race_command_run(int argc, char** argv) {
    race_options o = {.cars = 8,
                      .races = 1,
                      .vehicle = "gt",
                      .skill = "1",
                      .grid = "given",
                      .direction = "forward",
                      .physics = "sim",
                      .grip = 1.0,
                      .walls = -1.0};
    if (tool_arguments_read(&tool_command_race, argc, argv, &o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.list) {
        tool_list_print_race(stdout);
        return TOOL_DONE;
    }
    if (o.tracks.count != 1)
        return o.tracks.count == 0 ? tool_complain_operand(&tool_command_race, "on which track?")
                                   : tool_complain("race: on one track at a time");
    if (tool_outputs_check(&o.outputs) != TOOL_DONE)
        return TOOL_WRONG;
    return command_race_run(&o);
}
