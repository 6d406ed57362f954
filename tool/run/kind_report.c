// Reports of one plan of a kind of vehicle: text, JSON, CSV.
#include "tool/run/kind_run.h"

#include "tool/command/file.h"
#include "tool/report/json_report.h"

#include <string.h>

#define KIND_DEGREES 57.29577951308232

// Number of the state that is a heading; -1: none.
static int32_t kind_heading(const kerb_kind* kind) {
    return kind->space ? kind->space->heading : 2;
}

static cJSON* kind_rows(const tool_kind_found* f) {
    cJSON* rows = cJSON_CreateArray();
    for (int32_t k = 0; k <= f->plan.count && f->plan.count > 0; k++) {
        const float* state = f->plan.states + (size_t)k * KERB_KIND_STATES_MAX;
        double row[KERB_KIND_STATES_MAX + 1] = {(double)f->plan.times[k]};
        for (int32_t i = 0; i < f->kind->states; i++)
            row[i + 1] = (double)state[i];
        int32_t heading = kind_heading(f->kind);
        if (heading >= 0)
            row[heading + 1] *= KIND_DEGREES;
        cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(row, f->kind->states + 1));
    }
    return rows;
}

static cJSON* kind_names(const tool_kind_found* f) {
    cJSON* names = cJSON_CreateArray();
    cJSON_AddItemToArray(names, cJSON_CreateString("t_s"));
    for (int32_t i = 0; i < f->kind->states; i++)
        cJSON_AddItemToArray(
            names,
            cJSON_CreateString(i == kind_heading(f->kind) ? "deg" : f->kind->state_names[i]));
    return names;
}

static tool_status print_kind_json(const tool_kind_job* job, const tool_kind_found* f) {
    cJSON* o = tool_json_begin("plan", job->outputs->seed);
    cJSON_AddStringToObject(o, "vehicle", job->vehicle);
    cJSON_AddStringToObject(o, "outcome", kerb_plan_outcome_text(f->outcome));
    bool complete = tool_json_number(o, "cost_s", (double)f->plan.time) &&
                    tool_json_number(o, "length_m", (double)f->plan.length) &&
                    tool_json_number(o, "expansions", (double)f->plan.steps) &&
                    tool_json_number(o, "plan_ms", f->plan_ms) &&
                    tool_json_number(o, "lower_bound_s", (double)f->plan.lower_bound) &&
                    cJSON_AddBoolToObject(o, "valid", f->valid) &&
                    cJSON_AddItemToObject(o, "state_names", kind_names(f)) &&
                    cJSON_AddItemToObject(o, "states", kind_rows(f));
    if (job->drive && f->plan.count > 0) {
        cJSON* d = cJSON_AddObjectToObject(o, "driven");
        complete =
            complete && cJSON_AddBoolToObject(d, "arrived", f->driven.arrived) &&
            tool_json_number(d, "time_s", (double)f->driven.time) &&
            tool_json_number(d, "error_m", (double)f->driven.error) &&
            tool_json_number(d, "error_deg", (double)f->driven.heading_error * KIND_DEGREES) &&
            tool_json_number(d, "cross_track_max_m", (double)f->driven.cross_track);
    }
    return tool_json_end(o, complete, stdout) ? TOOL_DONE : tool_complain("plan: no memory");
}

static void print_kind(const tool_kind_job* job, const tool_kind_found* f) {
    printf("%s: %s", job->vehicle, kerb_plan_outcome_text(f->outcome));
    if (f->plan.count > 0)
        printf(", %.2f s, %.2f m, in %.1f ms and %d steps; no plan takes less than %.2f s",
               (double)f->plan.time, (double)f->plan.length, f->plan_ms, (int)f->plan.steps,
               (double)f->plan.lower_bound);
    printf("\n");
    if (f->plan.count > 0 && !f->valid)
        printf("the checker rejects it: piece %d: %s %s\n", (int)f->error.index, f->error.field,
               f->error.message);
    if (job->drive && f->plan.count > 0)
        printf("driven: %s after %.2f s, %.2f m and %.1f degrees from the goal, at most %.2f m "
               "beside the plan\n",
               f->driven.arrived ? "arrived" : "not arrived", (double)f->driven.time,
               (double)f->driven.error, (double)f->driven.heading_error * KIND_DEGREES,
               (double)f->driven.cross_track);
}

static tool_status write_kind_csv(const char* path, const tool_kind_found* f) {
    FILE* file = fopen(path, "w");
    if (!file)
        return tool_complain("%s: cannot be written", path);
    fprintf(file, "t_s");
    for (int32_t i = 0; i < f->kind->states; i++)
        fprintf(file, ",%s", f->kind->state_names[i]);
    for (int32_t j = 0; j < f->kind->controls; j++)
        fprintf(file, ",%s", f->kind->control_names[j]);
    fprintf(file, "\n");
    for (int32_t k = 0; k < f->plan.count; k++) {
        fprintf(file, "%.4f", (double)f->plan.times[k]);
        for (int32_t i = 0; i < f->kind->states; i++)
            fprintf(file, ",%.5g",
                    (double)f->plan.states[(size_t)k * KERB_KIND_STATES_MAX + (size_t)i]);
        for (int32_t j = 0; j < f->kind->controls; j++)
            fprintf(file, ",%.5g",
                    (double)f->plan.controls[(size_t)k * KERB_KIND_CONTROLS_MAX + (size_t)j]);
        fprintf(file, "\n");
    }
    return fclose(file) == 0 ? TOOL_DONE : tool_complain("%s: cannot be written", path);
}

tool_status tool_kind_report(const tool_kind_job* job, const tool_kind_found* f) {
    tool_status status = TOOL_DONE;
    if (job->outputs->json)
        status = print_kind_json(job, f);
    else if (!job->outputs->quiet)
        print_kind(job, f);
    return status == TOOL_DONE && job->outputs->csv ? write_kind_csv(job->outputs->csv, f) : status;
}
