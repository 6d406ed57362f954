// Trials are independent and run on several threads, each into its own result. The first trial of
// the first follower is also recorded, for the pictures, the page and the trace.
#include "tool/run/soak.h"

#include "tool/command/machine.h"
#include "tool/command/progress.h"
#include "tool/command/setting_words.h"
#include "tool/report/soak_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_soak_experiment {
    tool_soak soak;
    kerb_host host;
    tool_soak_record record;
    bool keep; // the first trial's frames
    kerb_error errors[TOOL_SOAK_FOLLOWERS * TOOL_SOAK_TRIALS];
    tool_progress progress;
} run_soak_experiment;

// --------------------------------------------------------------------------- figures

double tool_soak_per_event(const soak_count* sum) {
    return sum->driving_s / (sum->stuck_events > 1 ? sum->stuck_events : 1);
}

tool_soak_figure tool_soak_driving_per_event(const tool_soak* soak, int32_t method) {
    const soak_result* results = &soak->results[(ptrdiff_t)method * TOOL_SOAK_TRIALS];
    tool_soak_figure figure = {0.0, 0.0};
    for (int32_t i = 0; i < TOOL_SOAK_TRIALS; i++)
        figure.mean += tool_soak_per_event(&results[i].all) / TOOL_SOAK_TRIALS;
    for (int32_t i = 0; i < TOOL_SOAK_TRIALS; i++) {
        double off = tool_soak_per_event(&results[i].all) - figure.mean;
        figure.sigma += off * off / (TOOL_SOAK_TRIALS - 1);
    }
    figure.sigma = sqrt(figure.sigma);
    return figure;
}

soak_count tool_soak_sum(const tool_soak* soak, int32_t method, int32_t type) {
    soak_count sum;
    memset(&sum, 0, sizeof sum);
    for (int32_t i = 0; i < TOOL_SOAK_TRIALS; i++) {
        const soak_result* result = &soak->results[(ptrdiff_t)method * TOOL_SOAK_TRIALS + i];
        kerb_scene_soak_add(&sum, type < 0 ? &result->all : &result->by_model[type]);
    }
    return sum;
}

const char* tool_soak_method_name(const tool_soak* soak, int32_t method) {
    static const char* const names[] = {"kerb", "paper", "baseline"};
    return names[soak->methods[method]];
}

uint64_t tool_soak_seed(const tool_soak* soak, int32_t trial) {
    return (uint64_t)soak->options->outputs.seed + (uint64_t)trial;
}

// --------------------------------------------------------------------------- preparing

static tool_status load_types(run_soak_experiment* e) {
    tool_soak* soak = &e->soak;
    const tool_words* words = &soak->options->vehicles;
    bool all = words->count == 0 || (words->count == 1 && strcmp(words->word[0], "all") == 0);
    int32_t count = all ? tool_vehicle_count() : words->count;
    if (count > SOAK_MODELS_MOST)
        return tool_complain("follow: --soak takes at most %d --vehicle", SOAK_MODELS_MOST);
    soak->types = calloc((size_t)count, sizeof *soak->types);
    soak->models = calloc((size_t)count, sizeof *soak->models);
    if (!soak->types || !soak->models)
        return tool_complain("follow: no memory");
    for (; soak->type_count < count; soak->type_count++) {
        int32_t i = soak->type_count;
        const char* word = all ? tool_vehicle_name(i) : words->word[i];
        if (tool_vehicle_load(word, "follow", &e->host, &soak->types[i]) != TOOL_DONE)
            return TOOL_WRONG;
        soak->models[i] = soak->types[i].has_model ? soak->types[i].model
                                                   : kerb_sim_model_for(&soak->types[i].vehicle);
    }
    return TOOL_DONE;
}

static tool_status choose_method(run_soak_experiment* e, kerb_follower_method method) {
    tool_soak* soak = &e->soak;
    int32_t index = soak->method_count++;
    soak->methods[index] = method;
    kerb_follower_settings* settings = &soak->settings[index];
    *settings = kerb_follower_settings_default(method);
    settings->speed = soak->options->speed > 0.0 ? (float)soak->options->speed : SOAK_SPEED;
    const tool_settable what = {&kerb_follower_settings_table, "follow", "method", "--follower"};
    return tool_settings_apply(&soak->options->settings, &what, settings);
}

// Who was asked for, and the baseline beside.
static tool_status run_soak_choose_methods(run_soak_experiment* e) {
    const char* word = e->soak.options->follower;
    tool_status status = TOOL_DONE;
    bool all = strcmp(word, "all") == 0;
    if (all || strcmp(word, "kerb") == 0)
        status = choose_method(e, KERB_FOLLOWER_KERB);
    if (status == TOOL_DONE && (all || strcmp(word, "paper") == 0))
        status = choose_method(e, KERB_FOLLOWER_PAPER);
    if (status == TOOL_DONE)
        status = choose_method(e, KERB_FOLLOWER_BASELINE);
    return status;
}

static tool_status run_soak_prepare(run_soak_experiment* e, const tool_soak_options* options) {
    memset(e, 0, sizeof *e);
    e->soak.options = options;
    e->host = kerb_host_default();
    const tool_outputs* o = &options->outputs;
    e->keep = o->csv || o->svg || o->png || o->html;
    kerb_error error;
    if (kerb_scene_town_make(&e->soak.town, &e->host, &error) != KERB_OK)
        return tool_complain_error("follow", &error);
    return load_types(e) == TOOL_DONE ? run_soak_choose_methods(e) : TOOL_WRONG;
}

static void run_soak_release(run_soak_experiment* e) {
    tool_soak_record_free(&e->record);
    kerb_scene_town_free(e->soak.town, &e->host);
    free(e->soak.types);
    free(e->soak.models);
}

// --------------------------------------------------------------------------- driving

// What a trial's frames go to.
typedef struct run_soak_watcher {
    run_soak_experiment* experiment;
    tool_soak_record* record; // NULL: not kept
    int32_t frames;
} run_soak_watcher;

static void run_soak_watch(void* context, const kerb_scene_frame* frames,
                           const kerb_path* const* paths, int32_t count) {
    run_soak_watcher* w = context;
    run_soak_experiment* e = w->experiment;
    (void)paths;
    if (w->record != NULL)
        tool_soak_record_frames(w->record, frames, count);
    if (++w->frames % 64 == 0)
        tool_progress_add(&e->progress, 64.0 / e->soak.options->hz);
}

static void mark(void* context, const soak_mark* m) {
    run_soak_watcher* w = context;
    if (w->record != NULL)
        tool_soak_record_mark(w->record, m);
}

static void run_soak_drive(void* context, int32_t index) {
    run_soak_experiment* e = context;
    const tool_soak_options* o = e->soak.options;
    run_soak_watcher w = {.experiment = e, .record = index == 0 && e->keep ? &e->record : NULL};
    kerb_scene_soak soak = kerb_scene_soak_default(e->soak.town, e->soak.models, e->soak.type_count,
                                                   &e->soak.settings[index / TOOL_SOAK_TRIALS]);
    soak.vehicle_count = (int32_t)o->count;
    soak.seconds = 60.0 * o->minutes;
    soak.disobedient_percent = (float)o->disobedient;
    soak.no_intents = o->no_intents;
    soak.seed = tool_soak_seed(&e->soak, index % TOOL_SOAK_TRIALS);
    soak.drive_hz = (float)o->hz;
    soak.watch = run_soak_watch;
    soak.mark = mark;
    soak.context = &w;
    soak.clock_ns = tool_clock_ns;
    if (w.record != NULL)
        *w.record = tool_soak_record_make(&soak);
    kerb_error* error = &e->errors[index];
    error->result = kerb_scene_soak_run(&soak, &e->host, &e->soak.results[index], error);
    if (error->result == KERB_OK && w.record != NULL && w.record->out_of_memory)
        kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the frames");
}

static tool_status run_soak_drive_all(run_soak_experiment* e) {
    const tool_soak_options* o = e->soak.options;
    int32_t count = e->soak.method_count * TOOL_SOAK_TRIALS;
    e->progress = tool_progress_make("driving", 60.0 * o->minutes * count, !o->outputs.quiet);
    tool_parallel(count, tool_outputs_threads(&o->outputs), run_soak_drive, e);
    tool_progress_end(&e->progress);
    for (int32_t i = 0; i < count; i++) {
        if (e->errors[i].result != KERB_OK)
            return tool_complain_error("follow --soak", &e->errors[i]);
    }
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- results

static tool_status run_soak_report(const run_soak_experiment* e) {
    const tool_outputs* o = &e->soak.options->outputs;
    if (o->json)
        return tool_soak_report_json(&e->soak, stdout) ? TOOL_DONE
                                                       : tool_complain("follow: no memory");
    if (!o->quiet)
        tool_soak_report_table(&e->soak, stdout);
    return TOOL_DONE;
}

tool_status tool_soak_run(const tool_soak_options* options) {
    run_soak_experiment* e = malloc(sizeof *e);
    if (!e)
        return tool_complain("follow: no memory");
    tool_status status = run_soak_prepare(e, options);
    if (status == TOOL_DONE)
        status = run_soak_drive_all(e);
    if (status == TOOL_DONE)
        status = tool_soak_record_write(&e->soak, &e->record);
    if (status == TOOL_DONE)
        status = run_soak_report(e);
    run_soak_release(e);
    free(e);
    return status;
}
