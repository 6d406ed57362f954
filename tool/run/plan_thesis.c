// Runs the experiments of the AIPATH thesis on any number of threads, prints their tables as text
// or as JSON, and writes the page with its figures.
#include "tool/run/plan_thesis.h"
#include "tool/report/json_report.h"

#include "kerb/plan_search.h"
#include "scene/plan/planning.h"
#include "scene/thesis/thesis_figure.h"
#include "tool/command/machine.h"
#include "tool/command/progress.h"
#include "tool/page/thesis_page.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// With fewer random goals the figures are coarse, too.
#define SHORT_GOALS 10

typedef struct plan_thesis_batch {
    kerb_scene_thesis* thesis;
    tool_progress progress;
} plan_thesis_batch;

static void run_job(void* context, int32_t job) {
    plan_thesis_batch* b = context;
    kerb_scene_thesis_run(b->thesis, job);
    tool_progress_add(&b->progress, 1.0);
}

// --------------------------------------------------------------------------- words

static void print_cell(const kerb_scene_thesis_column* column, double value) {
    if (isfinite(value))
        printf("%13.*f", (int)column->digits, value);
    else
        printf("%13s", "-");
}

static void plan_thesis_print_table(const kerb_scene_thesis_table* t) {
    printf("%s  %s\n", t->name, t->title);
    if (t->note)
        printf("%s.\n", t->note);
    printf("\n%18s", "");
    for (int32_t i = 0; i < t->columns; i++)
        printf("%13s", t->column[i].head);
    printf("\n");
    for (int32_t i = 0; i < t->rows; i++) {
        printf("%-18s", t->label ? t->labels[i] : "");
        for (int32_t k = 0; k < t->columns; k++)
            print_cell(&t->column[k], t->cells[i][k]);
        printf("\n");
    }
    printf("\n");
}

static void print_all(const kerb_scene_thesis* thesis) {
    printf("The AIPATH thesis's experiments: %d goals each, searches of up to %d expansions, %d "
           "rejected by the checker\n\n",
           (int)thesis->goals, (int)thesis->expansions, (int)kerb_scene_thesis_invalid(thesis));
    for (int32_t i = 0; i < KERB_SCENE_THESIS_TABLES; i++) {
        kerb_scene_thesis_table table = kerb_scene_thesis_tabulate(thesis, i);
        plan_thesis_print_table(&table);
    }
}

// --------------------------------------------------------------------------- JSON

static bool plan_thesis_add_row(cJSON* rows, const kerb_scene_thesis_table* t, int32_t i) {
    cJSON* row = cJSON_CreateObject();
    bool added = row && (!t->label || cJSON_AddStringToObject(row, t->label, t->labels[i]));
    for (int32_t k = 0; added && k < t->columns; k++)
        added = tool_json_number(row, t->column[k].key, t->cells[i][k]);
    if (added && cJSON_AddItemToArray(rows, row))
        return true;
    cJSON_Delete(row);
    return false;
}

static bool add_table(cJSON* tables, const kerb_scene_thesis_table* t) {
    cJSON* table = cJSON_AddObjectToObject(tables, t->name);
    bool added = table && cJSON_AddStringToObject(table, "title", t->title) &&
                 (!t->note || cJSON_AddStringToObject(table, "note", t->note));
    cJSON* rows = added ? cJSON_AddArrayToObject(table, "rows") : NULL;
    for (int32_t i = 0; rows && added && i < t->rows; i++)
        added = plan_thesis_add_row(rows, t, i);
    return rows && added;
}

static bool plan_thesis_add_all(cJSON* root, const kerb_scene_thesis* thesis) {
    bool added = tool_json_number(root, "goals", thesis->goals) &&
                 tool_json_number(root, "expansions", thesis->expansions) &&
                 tool_json_number(root, "invalid", kerb_scene_thesis_invalid(thesis));
    cJSON* tables = added ? cJSON_AddObjectToObject(root, "tables") : NULL;
    for (int32_t i = 0; tables && added && i < KERB_SCENE_THESIS_TABLES; i++) {
        kerb_scene_thesis_table table = kerb_scene_thesis_tabulate(thesis, i);
        added = add_table(tables, &table);
    }
    return tables && added;
}

static tool_status plan_thesis_print_json(const kerb_scene_thesis* thesis) {
    cJSON* root = tool_json_begin("plan", (int64_t)thesis->seed);
    return tool_json_end(root, plan_thesis_add_all(root, thesis), stdout)
               ? TOOL_DONE
               : tool_complain("plan: no memory for the report");
}

// --------------------------------------------------------------------------- figures

// Of figure 5.7.
#define TIMED_SEARCHES 500
#define TIMED_EXPANSIONS 1000
#define TIMED_ROUNDS 4

typedef struct plan_thesis_drawing {
    const kerb_scene_thesis* thesis;
    kerb_scene_thesis_figure figures[KERB_SCENE_THESIS_FIGURES];
    int32_t detail;
    bool missing;
    tool_progress progress;
} plan_thesis_drawing;

// The time of the expansions alone. 0: it ended earlier. Negative: without memory. [ms]
static double timed_search(uint64_t seed, int64_t index) {
    kerb_scene_plan_task task = kerb_scene_plan_random(seed, index, 5.0f, 8.0f);
    const kerb_plan_query query = {&task.from, &task.to, 1, 1};
    kerb_plan_search_settings settings = kerb_plan_search_settings_thesis();
    const kerb_host host = kerb_host_default();
    settings.expansions = TIMED_EXPANSIONS;
    settings.nodes = 16 * TIMED_EXPANSIONS;
    kerb_plan_search search;
    if (kerb_plan_search_create(&search, &task.limits, &settings, &host, NULL) != KERB_OK)
        return -1.0;
    double ms = 0.0;
    if (kerb_plan_search_begin(&search, &query, NULL) == KERB_OK) {
        uint64_t begun = tool_clock_ns();
        kerb_plan_search_advance(&search, settings.expansions + 1);
        ms = 1e-6 * (double)(tool_clock_ns() - begun);
        int32_t expansions = kerb_plan_search_get_report(&search).expansions;
        ms = expansions >= TIMED_EXPANSIONS ? ms : 0.0;
    }
    kerb_plan_search_destroy(&search);
    return ms;
}

static void draw_timed(plan_thesis_drawing* d, kerb_scene_thesis_figure* figure) {
    static double ms[TIMED_SEARCHES];
    int32_t tries = d->detail < KERB_SCENE_THESIS_FINE ? TIMED_SEARCHES / 20 : TIMED_SEARCHES;
    int32_t count = 0;
    double most = 1.0;
    for (int32_t i = 0; i < tries; i++) {
        double time = timed_search(d->thesis->seed, i);
        for (int32_t k = 1; k < TIMED_ROUNDS; k++) // other programs interrupt some
            time = fmin(time, timed_search(d->thesis->seed, i));
        d->missing |= time < 0.0;
        if (time > 0.0)
            ms[count++] = time;
        most = fmax(most, time);
    }
    // A few that other programs have interrupted are in the last bar.
    kerb_scene_thesis_histogram(figure, ms, count, 0.0, fmin(most, 4.0), 40,
                                "time of 1,000 expansions [ms]");
    d->missing |= figure->out_of_memory;
}

static void draw_figure(void* context, int32_t number) {
    plan_thesis_drawing* d = context;
    kerb_scene_thesis_figure* figure = &d->figures[number];
    bool drawn = kerb_scene_thesis_draw(d->thesis, number, d->detail, figure);
    tool_lock();
    d->missing |= !drawn;
    tool_unlock();
    tool_progress_add(&d->progress, 1.0);
}

static tool_status plan_thesis_write_page(const tool_outputs* outputs,
                                          const kerb_scene_thesis* thesis) {
    plan_thesis_drawing* d = calloc(1, sizeof *d);
    if (!d)
        return tool_complain("plan: no memory for the figures");
    d->thesis = thesis;
    d->detail = thesis->goals < SHORT_GOALS ? KERB_SCENE_THESIS_COARSE : KERB_SCENE_THESIS_FINE;
    d->progress = tool_progress_make("drawing", KERB_SCENE_THESIS_FIGURES, !outputs->quiet);
    tool_parallel(KERB_SCENE_THESIS_FIGURES, tool_outputs_threads(outputs), draw_figure, d);
    tool_progress_end(&d->progress);
    // By itself, so that no other search is in the way.
    for (int32_t i = 0; i < KERB_SCENE_THESIS_FIGURES && !d->missing; i++)
        if (strcmp(d->figures[i].name, "5.7") == 0)
            draw_timed(d, &d->figures[i]);
    tool_status status = d->missing ? tool_complain("plan: no memory for the figures")
                                    : tool_thesis_page_write(outputs->html, thesis, d->figures);
    for (int32_t i = 0; i < KERB_SCENE_THESIS_FIGURES; i++)
        kerb_scene_thesis_figure_free(&d->figures[i]);
    free(d);
    return status;
}

// --------------------------------------------------------------------------- all of it

tool_status tool_plan_run_thesis(const tool_outputs* outputs, int64_t goals, int64_t expansions) {
    kerb_scene_thesis thesis;
    if (!kerb_scene_thesis_make(&thesis, (int32_t)goals, (int32_t)expansions,
                                (uint64_t)outputs->seed))
        return tool_complain("plan: no memory for %lld goals", (long long)goals);
    plan_thesis_batch b = {&thesis,
                           tool_progress_make("searching", thesis.job_count, !outputs->quiet)};
    tool_parallel(thesis.job_count, tool_outputs_threads(outputs), run_job, &b);
    tool_progress_end(&b.progress);
    tool_status status = TOOL_DONE;
    if (outputs->json)
        status = plan_thesis_print_json(&thesis);
    else if (!outputs->quiet)
        print_all(&thesis);
    if (status == TOOL_DONE && outputs->html)
        status = plan_thesis_write_page(outputs, &thesis);
    if (status == TOOL_DONE && kerb_scene_thesis_invalid(&thesis) > 0)
        status = TOOL_FAILED;
    kerb_scene_thesis_free(&thesis);
    return status;
}
