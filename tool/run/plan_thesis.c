// Runs the experiments of the AIPATH thesis on any number of threads and prints their tables as
// text or as JSON.
#include "tool/run/plan_thesis.h"
#include "tool/report/json_report.h"

#include "scene/thesis/thesis.h"
#include "tool/command/machine.h"
#include "tool/command/progress.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

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
    if (status == TOOL_DONE && kerb_scene_thesis_invalid(&thesis) > 0)
        status = TOOL_FAILED;
    kerb_scene_thesis_free(&thesis);
    return status;
}
