// `kerb traffic`: loads a network and a demand, drives, and reports what an observer saw.
#include "tool/command/command_traffic.h"

#include "io/number.h"
#include "tool/command/file.h"
#include "tool/command/machine.h"
#include "tool/command/outputs.h"
#include "tool/command/progress.h"
#include "tool/page/traffic_page.h"
#include "tool/picture/picture_traffic.h"
#include "tool/report/json_report.h"
#include "tool/report/traffic_files.h"
#include "tool/run/traffic_load.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 64 };

typedef struct traffic_options {
    tool_words nets, routes, additional, blocks;
    int64_t vehicles, size;
    double seconds, step;
    bool left_hand, unwatched;
    const char *tripinfo, *fcd;
    tool_outputs outputs;
} traffic_options;

static const tool_option command_traffic_options[] = {
    TOOL_HEADING("Who drives"),
    TOOL_WORDS(
        traffic_options, routes, "routes", "FILE",
        "a demand of SUMO (.rou.xml); may be given several times. Without one, random trips"),
    TOOL_WORDS(
        traffic_options, additional, "additional", "FILE",
        "an additional file of SUMO: types of vehicles, signal programmes, bus stops; may be "
        "given several times"),
    TOOL_WHOLE(traffic_options, vehicles, "vehicles", "N", 1, KERB_TRAFFIC_VEHICLES_MAX,
               "vehicles at a time on random trips; each that arrives departs anew (default 200)"),
    TOOL_HEADING("Where and how long"),
    TOOL_WHOLE(traffic_options, size, "size", "N", 2, 200,
               "of \"grid\": crossings on a side (default 4); of \"ring\": length in 100 m "
               "(default 10)"),
    TOOL_NUMBER(traffic_options, seconds, "seconds", "S", 0.1, 1000000,
                "simulated time (default 600)"),
    TOOL_NUMBER(traffic_options, step, "step", "DT", 0.01, 1, "time step, in s (default 0.1)"),
    TOOL_WORDS(traffic_options, blocks, "block", "EDGE@T0-T1",
               "closes an edge from T0 to T1, in s; may be given several times"),
    TOOL_FLAG(traffic_options, left_hand, "left-hand",
              "traffic keeps left on a built-in network; a file says so itself"),
    TOOL_HEADING("Output"),
    TOOL_FLAG(traffic_options, outputs.json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_TEXT(traffic_options, tripinfo, "tripinfo", "FILE", NULL,
              "a row for each trip that arrived, as SUMO's --tripinfo-output"),
    TOOL_TEXT(traffic_options, fcd, "fcd", "FILE", NULL,
              "where all vehicles were, each second, as SUMO's --fcd-output"),
    TOOL_TEXT(traffic_options, outputs.svg, "svg", "FILE", NULL, "a picture of density and flow"),
    TOOL_TEXT(traffic_options, outputs.png, "png", "FILE", NULL, "the same picture in pixels"),
    TOOL_TEXT(traffic_options, outputs.html, "html", "FILE", NULL,
              "one self-contained page that replays the traffic from above, with signals, claims "
              "and reasons for waiting"),
    TOOL_FLAG(traffic_options, outputs.quiet, "quiet",
              "no table and no progress; errors are still printed"),
    TOOL_HEADING("Execution"),
    TOOL_FLAG(traffic_options, unwatched, "unwatched",
              "without the observer: collisions, red lights, deadlocks and limits are not judged"),
    TOOL_WHOLE(traffic_options, outputs.seed, "seed", "N", 0, TOOL_SEED_MAX,
               "seed of all random numbers (default 0)"),
    TOOL_WHOLE(traffic_options, outputs.threads, "threads", "N", 1, 64,
               "number of threads (default: one); changes no result"),
};

static int32_t town_count(void) {
    int32_t count = 0;
    while (kerb_scene_city_name(count))
        count++;
    return count;
}

static const tool_vocabulary tool_words_towns = {
    .what = "network",
    .count = town_count,
    .word = kerb_scene_city_name,
};

static const tool_example command_traffic_examples[] = {
    {"traffic grid --vehicles 300 --html grid.html", "a grid city, as a page"},
    {"traffic roundabout --left-hand --vehicles 40", "a roundabout, where traffic keeps left"},
    {"traffic town.net.xml --routes town.rou.xml --png flow.png", "a town of SUMO, as a picture"},
    {"traffic oldtown --block e14@60-300", "a street that is closed for four minutes"},
    {0},
};

const tool_command tool_command_traffic = {
    .name = "traffic",
    .summary = "drives a city full of vehicles",
    TOOL_COMMAND_OPTIONS(command_traffic),
    .operands = "NET",
    .operands_offset = offsetof(traffic_options, nets),
    .words = &tool_words_towns,
    .explanation =
        "NET is a network of SUMO (.net.xml), or a built-in one. An observer that shares no code "
        "with the traffic judges every step. Collisions: rectangles overlap by more than 1 cm. "
        "Deadlocks: circles of vehicles that wait for one another, all slower than 0.1 m/s for "
        "60 s. Interventions: vehicles that found no way on by themselves.\n\n"
        "Exit status 1 when the observer saw a collision, a red light run, a deadlock or a limit "
        "broken.",
};

// --------------------------------------------------------------------------- the run

typedef struct traffic_job {
    const traffic_options* options;
    tool_traffic_load load;
    kerb_scene_city_run run;
    kerb_scene_city_block blocks[BLOCKS_MAX];
    int32_t block_count;
    tool_traffic_film film;
    tool_traffic_flow flow;
    FILE *tripinfo, *fcd;
    double next_fcd;
    uint64_t stepping; // time of all steps [ns]
    int64_t steps;
    double speeds; // sum over vehicles and steps [m/s]
    int64_t speed_count;
} traffic_job;

// EDGE@T0-T1; the edge's name may hold '@' and '-'.
static tool_status read_block(traffic_job* job, const char* word) {
    const char* at = strrchr(word, '@');
    const char* dash = at ? strchr(at, '-') : NULL;
    double from, until;
    char name[200];
    if (!at || !dash || (size_t)(at - word) >= sizeof name ||
        kerb_io_number_read_double(at + 1, (size_t)(dash - at - 1), &from) != KERB_OK ||
        kerb_io_number_read_double(dash + 1, strlen(dash + 1), &until) != KERB_OK || from < 0.0 ||
        until <= from)
        return tool_complain("--block: must be EDGE@T0-T1, as e3@60-300: \"%s\"", word);
    memcpy(name, word, (size_t)(at - word));
    name[at - word] = 0;
    int32_t edge = tool_traffic_edge_named(&job->load, name);
    if (edge < 0)
        return tool_complain("--block: the network has no edge \"%s\"", name);
    if (job->block_count == BLOCKS_MAX)
        return tool_complain("--block: at most %d", BLOCKS_MAX);
    job->blocks[job->block_count++] = (kerb_scene_city_block){edge, from, until};
    return TOOL_DONE;
}

static void on_event(void* context, const kerb_traffic_event* trip) {
    traffic_job* job = context;
    if (job->tripinfo && trip->what == KERB_TRAFFIC_ARRIVED)
        tool_tripinfo_add(job->tripinfo, &job->load, trip);
}

static void sum_speeds(traffic_job* job) {
    for (int32_t i = 0; i < job->run.vehicles_max; i++) {
        kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&job->run.traffic, &job->run.network, i);
        if (v.stage < KERB_TRAFFIC_DRIVING)
            continue;
        job->speeds += (double)v.speed;
        job->speed_count++;
    }
}

// The host's tasks, on threads of the command.
typedef struct traffic_tasks {
    kerb_task* task;
    void* argument;
    int32_t count, ranges;
} traffic_tasks;

static void run_range(void* context, int32_t index) {
    const traffic_tasks* t = context;
    int32_t begin = (int32_t)((int64_t)t->count * index / t->ranges);
    int32_t end = (int32_t)((int64_t)t->count * (index + 1) / t->ranges);
    if (end > begin)
        t->task(begin, end, t->argument);
}

static void* start_tasks(void* context, kerb_task* task, void* argument, int32_t count,
                         int32_t range_size_min) {
    int32_t threads = *(const int32_t*)context;
    int32_t most = count / (range_size_min > 0 ? range_size_min : 1);
    traffic_tasks tasks = {task, argument, count, threads < most ? threads : most};
    if (tasks.ranges < 1)
        tasks.ranges = 1;
    tool_parallel(tasks.ranges, threads, run_range, &tasks);
    return NULL;
}

static void finish_tasks(void* context, void* handle) {
    (void)context;
    (void)handle;
}

static void after_step(traffic_job* job) {
    kerb_scene_city_run_look(&job->run);
    sum_speeds(job);
    tool_traffic_film_add(&job->film, &job->run);
    tool_traffic_flow_add(&job->flow, &job->run);
    if (job->fcd && job->run.time + 1.0e-6 >= job->next_fcd) {
        tool_fcd_add(job->fcd, &job->load, &job->run);
        job->next_fcd += 1.0;
    }
}

static void drive_all(traffic_job* job) {
    const traffic_options* o = job->options;
    int32_t threads = o->outputs.threads > 0 ? (int32_t)o->outputs.threads : 1;
    kerb_tasks tasks = {start_tasks, finish_tasks, &threads};
    tool_progress progress = tool_progress_make("driving", o->seconds, !o->outputs.quiet);
    int64_t steps = (int64_t)(o->seconds / o->step + 0.5);
    for (job->steps = 0; job->steps < steps; job->steps++) {
        kerb_scene_city_run_prepare(&job->run);
        uint64_t begun = tool_clock_ns();
        kerb_scene_city_run_move(&job->run, threads > 1 ? &tasks : NULL);
        job->stepping += tool_clock_ns() - begun;
        after_step(job);
        tool_progress_add(&progress, o->step);
    }
    tool_progress_end(&progress);
}

// --------------------------------------------------------------------------- reports

typedef struct traffic_sum {
    kerb_traffic_counts counts;
    kerb_scene_watch_counts seen;
    double updates_per_s, step_ms, delay, depart_delay, speed;
    int32_t outside;
} traffic_sum;

static traffic_sum traffic_sum_of(const traffic_job* job) {
    traffic_sum sum = {.counts = kerb_traffic_counts_of(&job->run.traffic)};
    double seconds = (double)job->stepping * 1.0e-9, arrived = (double)job->run.sums.arrived;
    if (job->run.watch)
        sum.seen = kerb_scene_watch_counts_of(job->run.watch);
    sum.updates_per_s = seconds > 0.0 ? (double)sum.counts.updates / seconds : 0.0;
    sum.step_ms = job->steps > 0 ? 1000.0 * seconds / (double)job->steps : 0.0;
    sum.delay = arrived > 0.0 ? job->run.sums.time_loss / arrived : 0.0;
    sum.depart_delay = arrived > 0.0 ? job->run.sums.depart_delay / arrived : 0.0;
    sum.speed = job->speed_count > 0 ? job->speeds / (double)job->speed_count : 0.0;
    sum.outside = kerb_scene_city_run_outside(&job->run);
    return sum;
}

static bool add_seen(cJSON* root, const traffic_sum* s, bool watched) {
    if (!watched)
        return true;
    return tool_json_number(root, "collisions", s->seen.collisions) &&
           tool_json_number(root, "deadlocks", s->seen.deadlocks) &&
           tool_json_number(root, "red_light_violations", s->seen.red_lights) &&
           tool_json_number(root, "limit_violations", s->seen.limits);
}

static bool add_traffic(cJSON* root, const traffic_job* job, const traffic_sum* s) {
    return cJSON_AddStringToObject(root, "network", job->options->nets.word[0]) &&
           tool_json_number(root, "seconds", job->run.time) &&
           tool_json_number(root, "updates_per_s", s->updates_per_s) &&
           tool_json_number(root, "step_ms", s->step_ms) &&
           add_seen(root, s, job->run.watch != NULL) &&
           tool_json_number(root, "trips_done", (double)s->counts.arrived) &&
           tool_json_number(root, "departed", (double)s->counts.departed) &&
           tool_json_number(root, "vehicles", s->counts.vehicles) &&
           tool_json_number(root, "waiting_outside", s->outside) &&
           tool_json_number(root, "left_out", job->load.left_out) &&
           tool_json_number(root, "delay_mean_s", s->delay) &&
           tool_json_number(root, "depart_delay_mean_s", s->depart_delay) &&
           tool_json_number(root, "speed_mean_mps", s->speed) &&
           tool_json_number(root, "lane_changes", (double)s->counts.lane_changes) &&
           tool_json_number(root, "reroutes", (double)s->counts.reroutes) &&
           tool_json_number(root, "backed_off", (double)s->counts.backed_off) &&
           tool_json_number(root, "crept", (double)s->counts.crept) &&
           tool_json_number(root, "interventions", (double)s->counts.asked);
}

static void print_sum(const traffic_job* job, const traffic_sum* s) {
    kerb_network_size size = kerb_network_size_of(&job->run.network);
    printf("%s: %d lanes, %d turns, %d signals; %g s in steps of %g s\n\n",
           job->options->nets.word[0], (int)size.lanes, (int)size.turns, (int)size.signals,
           job->run.time, job->options->step);
    printf("departed                   %lld\n", (long long)s->counts.departed);
    printf("arrived                    %lld\n", (long long)s->counts.arrived);
    printf("on their way               %d\n", (int)s->counts.vehicles);
    printf("waiting to depart          %d\n", (int)s->outside);
    if (job->load.left_out > 0)
        printf("left out: no way           %d\n", (int)job->load.left_out);
    printf("time loss                  %.1f s a trip\n", s->delay);
    printf("mean speed                 %.1f m/s\n", s->speed);
    printf("lane changes, reroutes     %lld, %lld\n", (long long)s->counts.lane_changes,
           (long long)s->counts.reroutes);
    printf("backed off, crept          %lld, %lld\n", (long long)s->counts.backed_off,
           (long long)s->counts.crept);
    if (job->run.watch) {
        printf("collisions                 %d", (int)s->seen.collisions);
        if (s->seen.collisions > 0)
            printf(" (first: vehicles %d and %d at %.1f s)", (int)s->seen.pair[0],
                   (int)s->seen.pair[1], s->seen.first_collision);
        printf("\n");
        printf("red lights run             %d\n", (int)s->seen.red_lights);
        printf("deadlocks                  %d\n", (int)s->seen.deadlocks);
        printf("limits broken              %d\n", (int)s->seen.limits);
    }
    printf("interventions              %lld\n", (long long)s->counts.asked);
    printf("a step                     %.3f ms, %.2f million updates a second\n", s->step_ms,
           1.0e-6 * s->updates_per_s);
}

static tool_status traffic_report(traffic_job* job) {
    const tool_outputs* o = &job->options->outputs;
    traffic_sum s = traffic_sum_of(job);
    if (o->html && tool_traffic_page_write(o->html, &job->film, &job->load, &job->run) != TOOL_DONE)
        return TOOL_WRONG;
    if ((o->svg || o->png) &&
        tool_picture_traffic_write(o->svg, o->png, &job->flow, &job->run) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->json) {
        cJSON* root = tool_json_begin("traffic", o->seed);
        if (!tool_json_end(root, add_traffic(root, job, &s), stdout))
            return tool_complain("traffic: no memory for the report");
    } else if (!o->quiet)
        print_sum(job, &s);
    bool good = s.seen.collisions == 0 && s.seen.deadlocks == 0 && s.seen.red_lights == 0 &&
                s.seen.limits == 0;
    return good ? TOOL_DONE : TOOL_FAILED;
}

// --------------------------------------------------------------------------- the command

static tool_status open_file(FILE** file, const char* path) {
    if (!path)
        return TOOL_DONE;
    *file = fopen(path, "wb");
    return *file ? TOOL_DONE : tool_complain("%s: %s", path, strerror(errno));
}

static tool_status open_files(traffic_job* job) {
    if (open_file(&job->tripinfo, job->options->tripinfo) != TOOL_DONE ||
        open_file(&job->fcd, job->options->fcd) != TOOL_DONE)
        return TOOL_WRONG;
    if (job->tripinfo)
        tool_tripinfo_begin(job->tripinfo);
    if (job->fcd)
        tool_fcd_begin(job->fcd);
    return TOOL_DONE;
}

static tool_status close_file(FILE* file, const char* path) {
    bool failed = ferror(file) != 0;
    return fclose(file) != 0 || failed ? tool_complain("%s: cannot be written", path) : TOOL_DONE;
}

static tool_status close_files(traffic_job* job) {
    tool_status status = TOOL_DONE;
    if (job->tripinfo)
        tool_tripinfo_end(job->tripinfo);
    if (job->tripinfo && close_file(job->tripinfo, job->options->tripinfo) != TOOL_DONE)
        status = TOOL_WRONG;
    if (job->fcd)
        tool_fcd_end(job->fcd);
    if (job->fcd && close_file(job->fcd, job->options->fcd) != TOOL_DONE)
        status = TOOL_WRONG;
    return status;
}

static tool_status make_run(traffic_job* job) {
    const traffic_options* o = job->options;
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    const kerb_scene_city_set_up set_up = {.types = job->load.types,
                                           .type_count = job->load.type_count,
                                           .trips = job->load.trips,
                                           .trip_count = job->load.trip_count,
                                           .vehicles = (int32_t)o->vehicles,
                                           .blocks = job->blocks,
                                           .block_count = job->block_count,
                                           .dt = (float)o->step,
                                           .seed = (uint64_t)o->outputs.seed,
                                           .watched = !o->unwatched};
    if (kerb_scene_city_run_make(&job->run, job->load.plan, &set_up, &host, &error) != KERB_OK)
        return tool_complain_error(o->nets.word[0], &error);
    job->run.on_event = on_event;
    job->run.context = job;
    job->film = tool_traffic_film_make(o->outputs.html ? 0.5 : 0.0);
    if ((o->outputs.svg || o->outputs.png) &&
        !tool_traffic_flow_make(&job->flow, &job->run.network))
        return tool_complain("traffic: no memory for the picture");
    return TOOL_DONE;
}

static tool_status traffic_run_job(traffic_job* job) {
    const traffic_options* o = job->options;
    if (tool_traffic_load_network(&job->load, o->nets.word[0], (int32_t)o->size, o->left_hand) !=
            TOOL_DONE ||
        tool_traffic_load_demand(&job->load, &o->additional, &o->routes, o->seconds,
                                 o->outputs.seed) != TOOL_DONE)
        return TOOL_WRONG;
    for (int32_t i = 0; i < o->blocks.count; i++)
        if (read_block(job, o->blocks.word[i]) != TOOL_DONE)
            return TOOL_WRONG;
    if (make_run(job) != TOOL_DONE || open_files(job) != TOOL_DONE)
        return TOOL_WRONG;
    drive_all(job);
    tool_status closed = close_files(job);
    job->tripinfo = job->fcd = NULL;
    tool_status status = traffic_report(job);
    return closed == TOOL_DONE ? status : closed;
}

tool_status tool_traffic_run(int argc, char** argv) {
    traffic_options o = {.vehicles = 200, .seconds = 600.0, .step = 0.1};
    if (tool_arguments_read(&tool_command_traffic, argc, argv, &o) != TOOL_DONE ||
        tool_outputs_check(&o.outputs) != TOOL_DONE ||
        tool_file_check_writable(o.tripinfo) != TOOL_DONE ||
        tool_file_check_writable(o.fcd) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.nets.count == 0)
        return tool_complain_operand(&tool_command_traffic, "in which network?");
    if (o.nets.count > 1)
        return tool_complain("traffic: one network at a time");
    traffic_job* job = calloc(1, sizeof *job);
    if (!job)
        return tool_complain("traffic: no memory");
    job->options = &o;
    job->next_fcd = 1.0;
    tool_status status = traffic_run_job(job);
    if (job->tripinfo)
        fclose(job->tripinfo);
    if (job->fcd)
        fclose(job->fcd);
    tool_traffic_film_free(&job->film);
    tool_traffic_flow_free(&job->flow);
    kerb_scene_city_run_free(&job->run);
    tool_traffic_load_free(&job->load);
    free(job);
    return status;
}
