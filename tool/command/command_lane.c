// `kerb lane`: reads the options, drives, and reports.
#include "tool/command/command_lane.h"

#include "io/number.h"
#include "scene/race/tracks.h"
#include "tool/command/file.h"
#include "tool/command/inputs.h"
#include "tool/command/list.h"
#include "tool/command/machine.h"
#include "tool/command/outputs.h"
#include "tool/command/setting_words.h"
#include "tool/command/tracks.h"
#include "tool/page/lane_page.h"
#include "tool/picture/picture_lane.h"
#include "tool/report/json_report.h"
#include "tool/run/lane_player.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPOTS_FIRST 4096 // of the trace: about a minute; it grows
#define LANE_WIDTH 3.5f
#define LANE_LEAST 2.5f
#define PLAYER_BOTS 40
#define PLAYER_SECONDS 600.0
#define PLAYER_SPEED 22.0
// Of the made-up country road: enough for ten minutes at 150 km/h, and more where more is asked
// for, as far as places in floats are fine enough for a lane keeper. [m]
#define COUNTRY_LENGTH 25600.0
#define COUNTRY_LENGTH_MOST 100000.0
#define COUNTRY_ENDS 1000.0 // before the start and beyond the end of a drive [m]

typedef struct lane_options {
    tool_words tracks;
    int64_t cars;     // 0: not said
    int64_t oncoming; // besides those
    const char* scenario;
    const char* style;
    const char* edge;
    const char* vehicle;
    double speed, distance, seconds; // 0: not said
    tool_words settings;
    bool list;
    tool_outputs outputs;
} lane_options;

static const tool_option command_lane_options[] = {
    TOOL_HEADING("What to drive"),
    TOOL_WORDS(lane_options, tracks, "track", "NAME|FILE",
               "a built-in track, a CSV or TORCS XML file, or a generated road of four lanes, "
               "country; the same as TRACK",
               .old = "course", .words = &tool_words_roads),
    TOOL_WHOLE(lane_options, cars, "cars", "N", 1, 200,
               "number of cars, one behind the other, 40 m apart (default 1); player: bots, at "
               "most 64 (default 40)"),
    TOOL_WHOLE(lane_options, oncoming, "oncoming", "N", 0, 200,
               "number of additional cars in the other direction (default 0)"),
    TOOL_TEXT(lane_options, scenario, "scenario", "WORD", "keep|change|avoid|player",
              "keep: in one lane (default). change: each car changes between two lanes every 10 s. "
              "avoid: cars stand in the lane every 200 m. player: a simulated human among bots, "
              "which fill the road round it, in as many lanes of 3.5 m as fit"),
    TOOL_TEXT(lane_options, style, "style", "WORD", "mixed|hasty|nervous|calm",
              "player: the human. mixed: all styles (default). hasty: speeds and weaves. nervous: "
              "brakes without cause and stops. calm: cruises and crawls"),
    TOOL_TEXT(lane_options, vehicle, "vehicle", "NAME|FILE", NULL,
              "a built-in vehicle or a JSON file (default road)", .words = &tool_words_vehicles),
    TOOL_NUMBER(lane_options, speed, "speed", "MPS", 0.5, 100,
                "desired speed on straights, in m/s (default 20); player: the human's cruising "
                "speed (default 22)"),
    TOOL_TEXT(lane_options, edge, "edge", "WORD", "right|left|both",
              "edge from which the lane is measured (default right)"),
    TOOL_WORDS(lane_options, settings, "set", "NAME=VALUE",
               "changes a setting of every driver; --list shows them; may be given several times",
               .words = &tool_words_lane_keeper),
    TOOL_NUMBER(lane_options, distance, "distance", "M", 1, 1000000,
                "ends when the first car has driven this far, in metres (default: once along the "
                "track)"),
    TOOL_NUMBER(lane_options, seconds, "seconds", "S", 1, 7200,
                "player: ends after that (default 600, or less where an open road holds less)"),
    TOOL_HEADING("Output"),
    TOOL_FLAG(lane_options, list, "list",
              "lists scenarios, roads, vehicles and drivers' settings; drives nothing"),
    TOOL_FLAG(lane_options, outputs.json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_TEXT(lane_options, outputs.csv, "csv", "FILE", NULL,
              "the trace of the first car: a row for every drive call"),
    TOOL_TEXT(lane_options, outputs.svg, "svg", "FILE", NULL,
              "a picture: the road, the line of the first car, and its rays at intervals"),
    TOOL_TEXT(lane_options, outputs.png, "png", "FILE", NULL, "the same picture in pixels"),
    TOOL_TEXT(lane_options, outputs.html, "html", "FILE", NULL,
              "a page that replays it, with all rays: 10 samples a second, until there are 50000 "
              "of all drivers together (40 bots: two minutes)"),
    TOOL_FLAG(lane_options, outputs.quiet, "quiet", "no table; errors are still printed"),
    TOOL_HEADING("Execution"),
    TOOL_WHOLE(lane_options, outputs.seed, "seed", "N", 0, TOOL_SEED_MAX,
               "printed; seed of the human's moods and of the country road, nothing else is random "
               "(default 0)"),
    TOOL_WHOLE(lane_options, outputs.threads, "threads", "N", 1, 64,
               "accepted, but one thread does all; changes no result"),
};

static const tool_example command_lane_examples[] = {
    {"lane vamos", "one lap in the lane by the right edge"},
    {"lane saucer --scenario change --speed 25", "from lane to lane every 10 s"},
    {"lane vamos --cars 8 --oncoming 8 --html lane.html", "both directions of the road, as a page"},
    {"lane country --scenario player --html player.html", "40 bots round a simulated human"},
    {0},
};

const tool_command tool_command_lane = {
    .name = "lane",
    .summary = "keeps cars in their lane by rays to the edges of the road",
    TOOL_COMMAND_OPTIONS(command_lane),
    .operands = "TRACK",
    .operands_offset = offsetof(lane_options, tracks),
    .words = &tool_words_roads,
    .explanation =
        "TRACK is a CSV file, a TORCS XML file, or the name of a built-in track; \"country\" is a "
        "generated road of four lanes, 25.6 km long or as long as it is needed up to 100 km. "
        "Closed "
        "tracks are driven round. The track is laid flat; its edges answer the "
        "rays. Exit status 1 when the first car does not get to the end, or the road ends before "
        "the "
        "player's time.",
};

typedef struct lane_run {
    const lane_options* options;
    kerb_host host;
    tool_track track;
    tool_vehicle vehicle;
    kerb_sim_model model;
    kerb_scene_lane_road road;
    kerb_scene_lane_plan plan;
    kerb_scene_lane_result result;
    tool_lane_spot* spots;
    int32_t count, capacity;
    bool out_of_memory; // for spots
    tool_lane_film film;
    kerb_scene_lane_box standing[KERB_SCENE_LANE_OBSTACLES_MOST];
} lane_run;

// --------------------------------------------------------------------------- what is wished

static tool_status check_room(lane_run* run) {
    kerb_scene_lane_plan* plan = &run->plan;
    const kerb_lane_settings* settings = &plan->settings;
    float width = kerb_scene_lane_road_width(&run->road);
    float needed = run->model.vehicle.width + 2.0f * settings->margin;
    if (width < needed)
        return tool_complain("%s: %.1f m wide where it is narrowest; %s needs %.1f m",
                             run->track.name, (double)width, run->vehicle.name, (double)needed);
    const float scale = kerb_vehicle_scale(&run->model.vehicle), least = LANE_LEAST * scale;
    float lane = kerb_min(LANE_WIDTH * scale, width - 2.0f * settings->edge_distance);
    plan->other_distance = settings->edge_distance + lane;
    bool is_shared = plan->scenario != KERB_SCENE_LANE_KEEP || plan->oncoming > 0;
    if (is_shared && lane < least)
        return tool_complain("%s: too narrow for two lanes, %.1f m where it is narrowest",
                             run->track.name, (double)width);
    bool is_crossed = plan->scenario == KERB_SCENE_LANE_CHANGE && plan->oncoming > 0;
    if (is_crossed && width - 2.0f * plan->other_distance < least)
        return tool_complain("--oncoming: %s has not two lanes each way to change between",
                             run->track.name);
    if ((double)plan->spacing * (double)(plan->cars + 1) > run->road.path.length)
        return tool_complain("--%s: %d do not fit on %.0f m",
                             plan->oncoming > 0 ? "oncoming" : "cars", (int)plan->cars,
                             run->road.path.length);
    double room = kerb_scene_lane_room(plan);
    if (run->options->distance > room)
        return tool_complain("--distance: %s is open, and ends %.0f m before the first car",
                             run->track.name, room);
    return TOOL_DONE;
}

// The word is one of them: the arguments were checked.
static int32_t word_in(const char* word, const char* const* words, int32_t count) {
    int32_t i = 0;
    while (i + 1 < count && strcmp(word, words[i]) != 0)
        i++;
    return i;
}

static void film(lane_run* run, double time, const kerb_scene_lane_car* cars, int32_t count) {
    tool_lane_film_next(&run->film, time);
    for (int32_t i = 0; i < count; i++) {
        const kerb_scene_lane_car* car = &cars[i];
        const tool_lane_shot shot = {.keeper = &car->keeper,
                                     .vehicle = &car->vehicle,
                                     .rays = car->rays,
                                     .hits = car->hits,
                                     .ray_count = car->ray_count,
                                     .error = car->lane_error,
                                     .touching = car->touching,
                                     .judged = car->judged};
        tool_lane_film_add(&run->film, i, &shot);
    }
}

static bool grow_spots(lane_run* run) {
    int32_t capacity = run->capacity > 0 ? 2 * run->capacity : SPOTS_FIRST;
    tool_lane_spot* grown = realloc(run->spots, (size_t)capacity * sizeof *grown);
    run->out_of_memory = run->out_of_memory || !grown;
    if (grown)
        run->spots = grown;
    run->capacity = grown ? capacity : run->capacity;
    return grown != NULL;
}

static void command_lane_watch(void* context, double time, const kerb_scene_lane_car* cars,
                               int32_t count) {
    lane_run* run = context;
    if (run->options->outputs.html)
        film(run, time, cars, count);
    if (run->count == run->capacity && !grow_spots(run))
        return;
    const kerb_scene_lane_car* car = &cars[0];
    kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
    tool_lane_spot spot = {.time = (float)time,
                           .x = motion.position.x,
                           .y = motion.position.y,
                           .heading = kerb_quat_heading(motion.rotation),
                           .speed = kerb_motion_forward_speed(&motion),
                           .target_speed = car->keeper.decision.target_speed,
                           .error = car->lane_error,
                           .edge_distance = car->keeper.decision.edge_distance,
                           .steering = car->keeper.controls.steering,
                           .rays = car->ray_count,
                           .reason = (int32_t)car->keeper.controls.reason};
    for (int32_t i = 0; i < car->ray_count; i++) {
        const kerb_lane_ray* ray = &car->rays[i];
        spot.ray_x[i] = ray->origin.x;
        spot.ray_y[i] = ray->origin.y;
        spot.hit_x[i] = ray->origin.x + ray->direction.x * car->hits[i].distance;
        spot.hit_y[i] = ray->origin.y + ray->direction.y * car->hits[i].distance;
        spot.what[i] = (uint8_t)car->hits[i].kind;
    }
    run->spots[run->count++] = spot;
}

static bool is_player(const lane_options* o) {
    return strcmp(o->scenario, "player") == 0;
}

static double said_or(double said, double otherwise) {
    return said > 0.0 ? said : otherwise;
}

// So that the road does not end before the drive. The seed decides the road: a longer one begins
// like a shorter one.
static double country_length(const lane_options* o) {
    double time = said_or(o->seconds, PLAYER_SECONDS), speed = said_or(o->speed, PLAYER_SPEED);
    double fastest = (double)KERB_SCENE_LANE_PLAYER_FASTEST * speed;
    double wanted = COUNTRY_ENDS + (is_player(o) ? time * fastest : o->distance);
    wanted = wanted > COUNTRY_LENGTH ? wanted : COUNTRY_LENGTH;
    return wanted < COUNTRY_LENGTH_MOST ? wanted : COUNTRY_LENGTH_MOST;
}

static const char* road_word(const void* context, int32_t i) {
    (void)context;
    return i < kerb_scene_track_count() ? kerb_scene_track_name(i) : "country";
}

// A word that is nearer to "country" than to any track.
static bool is_country_mistyped(const char* word) {
    const char* nearest = tool_nearest_word(word, road_word, NULL, kerb_scene_track_count() + 1);
    return nearest && strcmp(nearest, "country") == 0 && !strpbrk(word, "./\\") &&
           !tool_file_exists(word);
}

static tool_status load_road(lane_run* run) {
    const lane_options* o = run->options;
    const char* word = o->tracks.word[0];
    tool_track* track = &run->track;
    if (strcmp(word, "country") != 0 && is_country_mistyped(word))
        return tool_complain("unknown track '%s' (did you mean country?)", word);
    if (strcmp(word, "country") != 0)
        return tool_track_load(word, &run->host, track) == TOOL_DONE ? tool_track_check(word, track)
                                                                     : TOOL_WRONG;
    snprintf(track->name, sizeof track->name, "%s", word);
    kerb_error error = {.index = -1};
    if (kerb_scene_lane_country((uint64_t)o->outputs.seed, (float)country_length(o), &run->host,
                                &track->waypoints, &track->count, &error) != KERB_OK)
        return tool_complain_error(word, &error);
    return TOOL_DONE;
}

// Where the time is not said, an open road decides it, by the fastest human; otherwise the road
// must hold what a human drives that only cruises.
static tool_status check_seconds(const lane_run* run, double* seconds) {
    const lane_options* o = run->options;
    double room = kerb_scene_lane_player_room(&run->road), speed = said_or(o->speed, PLAYER_SPEED);
    double fastest = (double)KERB_SCENE_LANE_PLAYER_FASTEST * speed;
    if (o->seconds > 0.0 && o->seconds * speed > room)
        return tool_complain("--seconds: %s has %.0f m for the player, which at %g m/s are enough "
                             "for %.0f s",
                             run->track.name, room, speed, room / speed);
    *seconds = said_or(o->seconds, fmin(PLAYER_SECONDS, room / fastest));
    return TOOL_DONE;
}

static tool_status prepare_player(lane_run* run, tool_lane_player* wish) {
    static const char* const styles[] = {"mixed", "hasty", "nervous", "calm"};
    const lane_options* o = run->options;
    const tool_outputs* out = &o->outputs;
    if (o->cars > KERB_LANE_COMPANY_BOTS_MAX)
        return tool_complain("--cars: at most %d bots", KERB_LANE_COMPANY_BOTS_MAX);
    if (strcmp(o->edge, "right") != 0 || o->distance > 0.0 || o->oncoming > 0)
        return tool_complain("--edge, --distance and --oncoming: not with --scenario player");
    if (out->csv || out->svg || out->png)
        return tool_complain("--csv, --svg and --png: not with --scenario player");
    wish->track = run->track.name;
    wish->vehicle = run->vehicle.name;
    wish->outputs = out;
    wish->html = out->html;
    wish->plan = kerb_scene_lane_player_plan_default(&run->road, &run->model);
    wish->plan.bots = o->cars > 0 ? (int32_t)o->cars : PLAYER_BOTS;
    wish->plan.style = (kerb_scene_lane_style)word_in(o->style, styles, 4);
    if (check_seconds(run, &wish->plan.seconds) != TOOL_DONE)
        return TOOL_WRONG;
    wish->plan.seed = (uint64_t)out->seed;
    wish->plan.clock_ns = tool_clock_ns;
    if (o->speed > 0.0)
        wish->plan.speed = (float)o->speed;
    const tool_settable what = {&kerb_lane_settings_table, "lane", NULL, NULL};
    if (tool_settings_apply(&o->settings, &what, &wish->plan.settings) != TOOL_DONE)
        return TOOL_WRONG;
    return tool_lane_player_check(wish);
}

static tool_status command_lane_prepare(lane_run* run) {
    static const char* const scenarios[] = {"keep", "change", "avoid"};
    static const char* const edges[] = {"right", "left", "both"};
    const lane_options* o = run->options;
    kerb_error error = {.index = -1};
    const char* word = o->tracks.word[0];
    if (tool_vehicle_load(o->vehicle, "lane", &run->host, &run->vehicle) != TOOL_DONE ||
        load_road(run) != TOOL_DONE)
        return TOOL_WRONG;
    run->model =
        run->vehicle.has_model ? run->vehicle.model : kerb_sim_model_for(&run->vehicle.vehicle);
    if (kerb_scene_lane_road_create(&run->road, run->track.waypoints, run->track.count,
                                    run->track.closed, &run->host, &error) != KERB_OK)
        return tool_complain_error(word, &error);
    if (is_player(o))
        return TOOL_DONE;
    kerb_scene_lane_plan* plan = &run->plan;
    *plan = kerb_scene_lane_plan_default(&run->road, &run->model);
    plan->oncoming = (int32_t)o->oncoming;
    plan->cars = (o->cars > 0 ? (int32_t)o->cars : 1) + plan->oncoming;
    plan->scenario = (kerb_scene_lane_scenario)word_in(o->scenario, scenarios, 3);
    plan->settings.edge = word_in(o->edge, edges, 3);
    if (o->speed > 0.0)
        plan->settings.speed = (float)o->speed;
    if (o->seconds > 0.0)
        return tool_complain("--seconds: only with --scenario player");
    if (o->distance > 0.0)
        plan->distance = o->distance;
    plan->clock_ns = tool_clock_ns;
    plan->watch = command_lane_watch;
    plan->context = run;
    plan->standing = run->standing;
    const tool_settable what = {&kerb_lane_settings_table, "lane", NULL, NULL};
    if (tool_settings_apply(&o->settings, &what, &plan->settings) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->outputs.html)
        run->film = tool_lane_film_make(plan->cars);
    return check_room(run);
}

// --------------------------------------------------------------------------- what came out

static void command_lane_print_table(const lane_run* run) {
    const kerb_scene_lane_result* r = &run->result;
    int32_t cars = run->plan.cars - run->plan.oncoming;
    printf("%s, %.0f m: %d %s of %s, %s", run->track.name, run->road.path.length, (int)cars,
           cars == 1 ? "car" : "cars", run->vehicle.name, run->options->scenario);
    if (run->plan.oncoming > 0)
        printf("; %d oncoming", (int)run->plan.oncoming);
    printf("\n\n");
    printf("%-20s %.0f m in %.1f s, %.1f m/s%s\n", "first car", r->driven, r->time, r->speed_mean,
           r->finished ? "" : ", not finished");
    printf("%-20s %.3f m mean, %.3f m at most\n", "off its lane", r->error_mean, r->error_max);
    printf("%-20s %d, and %d over an edge\n", "collisions", (int)r->collisions,
           (int)r->edge_touches);
    if (run->plan.scenario == KERB_SCENE_LANE_CHANGE)
        printf("%-20s %d, %.2f s each, overshoot %.3f m at most\n", "lane changes", (int)r->changes,
               r->change_time, r->overshoot);
    if (run->plan.scenario == KERB_SCENE_LANE_AVOID)
        printf("%-20s %d\n", "stopped cars", (int)r->obstacles);
    printf("%-20s %.2f per car and frame\n", "rays", r->rays);
    printf("%-20s %.0f ns per call\n", "driving", r->drive_ns);
}

static bool command_lane_add(cJSON* root, const char* key, double value) {
    return cJSON_AddNumberToObject(root, key, value) != NULL;
}

static bool command_lane_add_result(cJSON* root, const lane_run* run) {
    const kerb_scene_lane_result* r = &run->result;
    bool changed = r->changes > 0;
    return cJSON_AddStringToObject(root, "track", run->track.name) &&
           cJSON_AddStringToObject(root, "vehicle", run->vehicle.name) &&
           cJSON_AddStringToObject(root, "scenario", run->options->scenario) &&
           command_lane_add(root, "cars", run->plan.cars - run->plan.oncoming) &&
           command_lane_add(root, "oncoming", run->plan.oncoming) &&
           cJSON_AddBoolToObject(root, "finished", r->finished) &&
           command_lane_add(root, "distance_m", r->driven) &&
           command_lane_add(root, "time_s", r->time) &&
           command_lane_add(root, "speed_mean_mps", r->speed_mean) &&
           command_lane_add(root, "lateral_error_mean_m", r->error_mean) &&
           command_lane_add(root, "lateral_error_max_m", r->error_max) &&
           command_lane_add(root, "collisions", r->collisions) &&
           command_lane_add(root, "edge_touches", r->edge_touches) &&
           cJSON_AddBoolToObject(root, "left_road", r->left_road > 0.0) &&
           command_lane_add(root, "left_road_m", r->left_road) &&
           command_lane_add(root, "changes", r->changes) &&
           (changed ? command_lane_add(root, "change_time_s", r->change_time)
                    : cJSON_AddNullToObject(root, "change_time_s") != NULL) &&
           (changed ? command_lane_add(root, "overshoot_max_m", r->overshoot)
                    : cJSON_AddNullToObject(root, "overshoot_max_m") != NULL) &&
           command_lane_add(root, "obstacles", r->obstacles) &&
           command_lane_add(root, "rays_per_frame", r->rays) &&
           command_lane_add(root, "drive_ns", r->drive_ns);
}

static bool command_lane_print_json(const lane_run* run) {
    cJSON* root = tool_json_begin("lane", run->options->outputs.seed);
    return tool_json_end(root, command_lane_add_result(root, run), stdout);
}

static void command_lane_put(FILE* out, const char* before, float value, int32_t decimals) {
    char text[KERB_IO_NUMBER_TEXT_MAX];
    kerb_io_number_write_fixed(text, (double)value, decimals);
    fprintf(out, "%s%s", before, text);
}

static bool command_lane_print_rows(FILE* out, const void* context) {
    const lane_run* run = context;
    fputs(
        "t_s,x_m,y_m,heading_rad,speed_mps,target_speed_mps,steering,edge_distance_m,error_m,rays,"
        "reason\n",
        out);
    for (int32_t i = 0; i < run->count; i++) {
        const tool_lane_spot* s = &run->spots[i];
        command_lane_put(out, "", s->time, 3);
        command_lane_put(out, ",", s->x, 3);
        command_lane_put(out, ",", s->y, 3);
        command_lane_put(out, ",", s->heading, 4);
        command_lane_put(out, ",", s->speed, 3);
        command_lane_put(out, ",", s->target_speed, 3);
        command_lane_put(out, ",", s->steering, 4);
        command_lane_put(out, ",", s->edge_distance, 3);
        command_lane_put(out, ",", s->error, 3);
        fprintf(out, ",%d,%s\n", (int)s->rays, kerb_reason_text((kerb_reason)s->reason));
    }
    return !ferror(out);
}

static tool_status command_lane_draw(const lane_run* run) {
    char title[160], note[160];
    const kerb_scene_lane_result* r = &run->result;
    snprintf(title, sizeof title, "%s: %s, %.3f m off its lane, mean", run->track.name,
             run->options->scenario, r->error_mean);
    snprintf(note, sizeof note, "%s, coloured by speed; its rays every 90 m, %.1f per frame",
             run->vehicle.name, r->rays);
    const tool_picture_lane picture = {.title = title,
                                       .note = note,
                                       .road = &run->road.path,
                                       .spots = run->spots,
                                       .count = run->count,
                                       .standing = run->standing,
                                       .standing_count = run->result.obstacles};
    return tool_picture_lane_write(run->options->outputs.svg, run->options->outputs.png, &picture);
}

static tool_status command_lane_write_page(const lane_run* run) {
    char about[160];
    snprintf(about, sizeof about, "%d %s of %s: %s", (int)run->plan.cars,
             run->plan.cars == 1 ? "car" : "cars", run->vehicle.name, run->options->scenario);
    const tool_lane_page page = {.title = "kerb lane",
                                 .track = run->track.name,
                                 .about = about,
                                 .vehicle_name = run->vehicle.name,
                                 .vehicle = &run->model.vehicle,
                                 .road = &run->road.path,
                                 .standing = run->standing,
                                 .standing_count = run->result.obstacles,
                                 .film = &run->film};
    return tool_lane_page_write(run->options->outputs.html, &page);
}

static tool_status command_lane_judge(const lane_run* run) {
    const kerb_scene_lane_result* r = &run->result;
    if (r->left_road > 0.0)
        tool_complain("%s on %s: %sleft the road by %.2f m", run->vehicle.name, run->track.name,
                      r->finished ? "" : "lost; it ", r->left_road);
    return r->finished && r->left_road <= 0.0 ? TOOL_DONE : TOOL_FAILED;
}

static tool_status command_lane_report(const lane_run* run) {
    const tool_outputs* o = &run->options->outputs;
    if (o->csv && tool_file_print(o->csv, command_lane_print_rows, run) != TOOL_DONE)
        return TOOL_WRONG;
    if ((o->svg || o->png) && command_lane_draw(run) != TOOL_DONE)
        return TOOL_WRONG;
    if (run->options->outputs.html && command_lane_write_page(run) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->json && !command_lane_print_json(run))
        return tool_complain("lane: no memory for the report");
    if (!o->json && !o->quiet)
        command_lane_print_table(run);
    return command_lane_judge(run);
}

static tool_status command_lane_drive(lane_run* run) {
    if (is_player(run->options)) {
        tool_lane_player wish;
        memset(&wish, 0, sizeof wish);
        tool_status status = prepare_player(run, &wish);
        return status == TOOL_DONE ? tool_lane_player_run(&wish, &run->host) : status;
    }
    kerb_error error = {.index = -1};
    if (kerb_scene_lane_run(&run->plan, &run->host, &run->result, &error) != KERB_OK)
        return tool_complain_error("lane", &error);
    if (run->out_of_memory)
        return tool_complain("lane: no memory for the trace");
    return command_lane_report(run);
}

tool_status tool_lane_command_run(int argc, char** argv) {
    lane_options o = {.scenario = "keep", .style = "mixed", .edge = "right", .vehicle = "road"};
    if (tool_arguments_read(&tool_command_lane, argc, argv, &o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.list) {
        tool_list_print_lane(stdout);
        return TOOL_DONE;
    }
    if (o.tracks.count != 1)
        return o.tracks.count == 0 ? tool_complain_operand(&tool_command_lane, "on which track?")
                                   : tool_complain("lane: on one track at a time");
    if (tool_outputs_check(&o.outputs) != TOOL_DONE)
        return TOOL_WRONG;
    lane_run run;
    memset(&run, 0, sizeof run);
    run.options = &o;
    run.host = kerb_host_default();
    tool_status status = command_lane_prepare(&run);
    if (status == TOOL_DONE)
        status = command_lane_drive(&run);
    free(run.spots);
    tool_lane_film_free(&run.film);
    kerb_scene_lane_road_destroy(&run.road);
    tool_track_free(&run.track, &run.host);
    return status;
}
