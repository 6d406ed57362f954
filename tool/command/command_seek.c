// `kerb seek`: runs the trials of scene/crowd/seeking.h on any number of threads, and adds them up
// in their order.
#include "tool/command/command_seek.h"

#include "scene/crowd/seeking.h"
#include "tool/bench/bench_seek.h"
#include "tool/command/file.h"
#include "tool/command/machine.h"
#include "tool/command/outputs.h"
#include "tool/command/progress.h"
#include "tool/picture/picture_seek.h"
#include "tool/report/json_report.h"
#include "tool/run/seek_scene.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND_SEEK_BLOCK 256 // trials a thread takes at once

// Share of the radius in a step; a trial takes up to some ten radii.
#define STEP_LEAST 1e-4f

typedef struct seek_options {
    const char* variant;
    const char* goals;
    const char* scene;
    bool list;
    double radius, speed, hz;
    int64_t count;
    tool_outputs outputs;
} seek_options;

static const tool_option command_seek_options[] = {
    TOOL_HEADING("What to try"),
    TOOL_TEXT(
        seek_options, variant, "variant", "WORD",
        "paper|both-circles|dubins|reverse|speed-radius|two-radii|3d|3d-true",
        "paper: the method of \"Directional extensions of seek steering behavior\" (default). "
        "both-circles: considers both turning circles beside the goal. dubins: shortest paths. "
        "reverse: shortest paths, in reverse too. speed-radius, two-radii: turning circles grow "
        "with the speed; planned with the larger of two circles, or each turn with its own. 3d: in "
        "space, in one plane at a time. 3d-true: in space, each turn in a plane of its own"),
    TOOL_WHOLE(seek_options, count, "count", "N", 1, 10000000, "number of trials (default 1000)"),
    TOOL_NUMBER(seek_options, radius, "radius", "M", 0.01, 1000,
                "radius of the tightest circle, in metres (default 5)"),
    TOOL_NUMBER(
        seek_options, speed, "speed", "MPS", 0.001, 1000,
        "speed of the agents, in m/s (default: a radius per second, less below 10 calls a second)"),
    TOOL_NUMBER(seek_options, hz, "hz", "N", 1, 1000, "calls per simulated second (default 60)"),
    TOOL_TEXT(seek_options, goals, "goals", "WORD", "distance|disc",
              "distance: every distance up to 8 radii is equally likely (default). disc: uniform "
              "over the disc of 8 radii. In space: from 6 to 14 radii"),
    TOOL_TEXT(seek_options, scene, "scene", "NAME", NULL,
              "instead of trials, a scene of many agents at once; --variant, --radius, --speed and "
              "--hz count for the scene \"ring\" alone",
              .words = &tool_words_scenes),
    TOOL_FLAG(seek_options, list, "list", "lists the scenes"),
    TOOL_HEADING("Output"),
    TOOL_FLAG(seek_options, outputs.json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_TEXT(seek_options, outputs.csv, "csv", "FILE", NULL, "a row for every trial"),
    TOOL_TEXT(seek_options, outputs.svg, "svg", "FILE", NULL,
              "a picture of arrivals from a ring of poses, or of the scene"),
    TOOL_TEXT(seek_options, outputs.png, "png", "FILE", NULL, "the same picture in pixels"),
    TOOL_TEXT(seek_options, outputs.html, "html", "FILE", NULL,
              "one self-contained page that replays the scene"),
    TOOL_FLAG(seek_options, outputs.quiet, "quiet",
              "no table and no progress; errors are still printed"),
    TOOL_HEADING("Execution"),
    TOOL_WHOLE(seek_options, outputs.seed, "seed", "N", 0, TOOL_SEED_MAX,
               "seed of all random numbers (default 0)"),
    TOOL_WHOLE(seek_options, outputs.threads, "threads", "N", 1, 64,
               "number of threads (default: as many as the machine has); changes no result"),
};

static const tool_example command_seek_examples[] = {
    {"seek --count 100000", "the paper's behaviour, 60 calls a second"},
    {"seek --variant reverse --png arrivals.png", "with three-point turns, and a picture"},
    {"seek --scene flock --html flock.html", "a scene of many agents, as a page"},
    {"seek --list", "the scenes"},
    {0},
};

const tool_command tool_command_seek = {
    .name = "seek",
    .summary = "drives agents from random poses to random poses by directed seek",
    TOOL_COMMAND_OPTIONS(command_seek),
    .explanation = "An agent has arrived when the arc that it sweeps in a step passes the goal "
                   "within a tenth of "
                   "the metres in a step and 1 cm, and its heading there is within 2 degrees of "
                   "the goal's.\n\n"
                   "Exit status 1 when an agent did not arrive, or a scene did not succeed.",
};

// --------------------------------------------------------------------------- the experiment

typedef struct seek_outcome {
    kerb_scene_seek_result result;
    double shortest;
} seek_outcome;

typedef struct command_seek_experiment {
    kerb_scene_seek_plan plan;
    const seek_options* options;
    seek_outcome* outcomes;
    int64_t count;
    tool_progress progress;
} command_seek_experiment;

static void command_seek_run_block(void* context, int32_t index) {
    command_seek_experiment* e = context;
    int64_t begin = (int64_t)index * COMMAND_SEEK_BLOCK;
    int64_t end = begin + COMMAND_SEEK_BLOCK < e->count ? begin + COMMAND_SEEK_BLOCK : e->count;
    for (int64_t i = begin; i < end; i++) {
        kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&e->plan, i);
        e->outcomes[i].result = kerb_scene_seek_run(&trial, NULL, NULL);
        e->outcomes[i].shortest = (double)trial.shortest;
    }
    tool_progress_add(&e->progress, (double)(end - begin));
}

static void command_seek_run_all(command_seek_experiment* e) {
    e->progress = tool_progress_make("seeking", (double)e->count, !e->options->outputs.quiet);
    int32_t blocks = (int32_t)((e->count + COMMAND_SEEK_BLOCK - 1) / COMMAND_SEEK_BLOCK);
    tool_parallel(blocks, tool_outputs_threads(&e->options->outputs), command_seek_run_block, e);
    tool_progress_end(&e->progress);
}

// --------------------------------------------------------------------------- the sum

typedef struct seek_sum {
    int64_t arrived, count;
    double position_error_max, heading_error_max_deg;
    double length_ratio_mean, length_ratio_max, initial_ratio_mean;
    double call_ns;
} seek_sum;

// Of those that arrive. A goal where the agent stands already has no ratio.
static seek_sum command_seek_sum_up(const command_seek_experiment* e) {
    const double degrees = 57.29577951308232;
    double least = kerb_scene_seek_shortest_least(&e->plan), driven = 0.0, planned = 0.0;
    int64_t ratios = 0;
    seek_sum s = {.count = e->count};
    for (int64_t i = 0; i < e->count; i++) {
        const seek_outcome* o = &e->outcomes[i];
        if (!o->result.arrived)
            continue;
        s.arrived++;
        s.position_error_max = fmax(s.position_error_max, o->result.position_error);
        s.heading_error_max_deg = fmax(s.heading_error_max_deg, o->result.heading_error * degrees);
        if (o->shortest < least)
            continue;
        ratios++;
        driven += o->result.driven / o->shortest;
        planned += o->result.planned / o->shortest;
        s.length_ratio_max = fmax(s.length_ratio_max, o->result.driven / o->shortest);
    }
    s.length_ratio_mean = ratios > 0 ? driven / (double)ratios : (double)NAN;
    s.initial_ratio_mean = ratios > 0 ? planned / (double)ratios : (double)NAN;
    s.call_ns = tool_seek_call_ns(&e->plan);
    return s;
}

static bool command_seek_add_all(cJSON* root, const command_seek_experiment* e, const seek_sum* s) {
    return cJSON_AddStringToObject(root, "variant", kerb_scene_seek_word(e->plan.variant)) &&
           cJSON_AddStringToObject(root, "goals", e->options->goals) &&
           tool_json_number(root, "radius_m", (double)e->plan.radius) &&
           tool_json_number(root, "speed_mps", (double)e->plan.speed) &&
           tool_json_number(root, "hz", (double)e->plan.hz) &&
           tool_json_number(root, "arrived", (double)s->arrived) &&
           tool_json_number(root, "count", (double)s->count) &&
           tool_json_number(root, "position_error_max_m", s->position_error_max) &&
           tool_json_number(root, "heading_error_max_deg", s->heading_error_max_deg) &&
           tool_json_number(root, "length_ratio_mean", s->length_ratio_mean) &&
           tool_json_number(root, "length_ratio_max", s->length_ratio_max) &&
           tool_json_number(root, "initial_ratio_mean", s->initial_ratio_mean) &&
           tool_json_number(root, "call_ns", s->call_ns);
}

static tool_status command_seek_print_json(const command_seek_experiment* e, const seek_sum* s) {
    cJSON* root = tool_json_begin("seek", e->options->outputs.seed);
    return tool_json_end(root, command_seek_add_all(root, e, s), stdout)
               ? TOOL_DONE
               : tool_complain("seek: no memory for the report");
}

static void command_seek_print_table(const command_seek_experiment* e, const seek_sum* s) {
    printf("%s, circles of %g m, %g m/s, %g calls per second\n\n",
           kerb_scene_seek_word(e->plan.variant), (double)e->plan.radius, (double)e->plan.speed,
           (double)e->plan.hz);
    printf("arrived                    %lld of %lld\n", (long long)s->arrived, (long long)s->count);
    printf("greatest position error    %.4f m\n", s->position_error_max);
    printf("greatest heading error     %.3f degrees\n", s->heading_error_max_deg);
    printf("driven over shortest       %.4f mean, %.3f greatest\n", s->length_ratio_mean,
           s->length_ratio_max);
    printf("first plan over shortest   %.4f mean\n", s->initial_ratio_mean);
    printf("one call                   %.0f ns\n", s->call_ns);
}

static bool command_seek_print_rows(FILE* out, const void* context) {
    const command_seek_experiment* e = context;
    fprintf(out,
            "trial,arrived,position_error_m,heading_error_rad,shortest_m,planned_m,driven_m\n");
    for (int64_t i = 0; i < e->count; i++) {
        const kerb_scene_seek_result* r = &e->outcomes[i].result;
        fprintf(out, "%lld,%d,%.6f,%.6f,%.6f,%.6f,%.6f\n", (long long)i, r->arrived ? 1 : 0,
                r->position_error, r->heading_error, e->outcomes[i].shortest, r->planned,
                r->driven);
    }
    return !ferror(out);
}

// --------------------------------------------------------------------------- the command

static kerb_scene_seek_variant variant_named(const char* word) {
    int32_t variant = 0;
    while (strcmp(word, kerb_scene_seek_word((kerb_scene_seek_variant)variant)) != 0)
        variant++;
    return (kerb_scene_seek_variant)variant;
}

static kerb_scene_seek_plan plan_of(const seek_options* o) {
    kerb_scene_seek_plan plan = {.variant = variant_named(o->variant),
                                 .radius = (float)o->radius,
                                 .speed = (float)o->speed,
                                 .hz = (float)o->hz,
                                 .even_on_disc = strcmp(o->goals, "disc") == 0,
                                 .seed = (uint64_t)o->outputs.seed};
    if (!(o->speed > 0.0))
        plan.speed = (float)(o->radius * fmin(1.0, 0.1 * o->hz));
    return plan;
}

static tool_status command_seek_write_files(const command_seek_experiment* e) {
    const tool_outputs* o = &e->options->outputs;
    if (o->csv && tool_file_print(o->csv, command_seek_print_rows, e) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->svg || o->png)
        return tool_picture_seek_write(o->svg, o->png, &e->plan);
    return TOOL_DONE;
}

static tool_status command_seek_report(const command_seek_experiment* e) {
    seek_sum s = command_seek_sum_up(e);
    if (command_seek_write_files(e) != TOOL_DONE)
        return TOOL_WRONG;
    if (e->options->outputs.json && command_seek_print_json(e, &s) != TOOL_DONE)
        return TOOL_WRONG;
    if (!e->options->outputs.json && !e->options->outputs.quiet)
        command_seek_print_table(e, &s);
    return s.arrived == s.count ? TOOL_DONE : TOOL_FAILED;
}

static tool_status command_seek_run_scene(const seek_options* o, const kerb_scene_seek_plan* plan) {
    if (o->outputs.csv)
        return tool_complain("--csv: rows are of trials; a scene has none");
    return tool_seek_scene_run(o->scene, plan, &o->outputs);
}

tool_status tool_seek_run(int argc, char** argv) {
    seek_options o = {
        .variant = "paper", .goals = "distance", .radius = 5.0, .hz = 60.0, .count = 1000};
    if (tool_arguments_read(&tool_command_seek, argc, argv, &o) != TOOL_DONE ||
        tool_outputs_check(&o.outputs) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.list)
        tool_seek_scene_list(stdout);
    if (o.list)
        return TOOL_DONE;
    kerb_scene_seek_plan plan = plan_of(&o);
    if (o.scene)
        return command_seek_run_scene(&o, &plan);
    if (plan.speed < STEP_LEAST * plan.radius * plan.hz)
        return tool_complain("--speed: a step of %g m is below 1/10000 of --radius; a trial would "
                             "never end",
                             (double)(plan.speed / plan.hz));
    if (o.outputs.html)
        return tool_complain("--html: a page shows a scene; name one with --scene");
    command_seek_experiment e = {.plan = plan, .options = &o, .count = o.count};
    e.outcomes = calloc((size_t)e.count, sizeof *e.outcomes);
    if (!e.outcomes)
        return tool_complain("seek: no memory for %lld trials", (long long)e.count);
    command_seek_run_all(&e);
    tool_status status = command_seek_report(&e);
    free(e.outcomes);
    return status;
}
