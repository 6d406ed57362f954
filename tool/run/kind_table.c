// Every kind on every course, one after another; a row for each kind, and in JSON for each trial.
#include "tool/run/kind_table.h"

#include "tool/command/file.h"
#include "tool/report/json_report.h"

#include <string.h>

#define KIND_COURSES_MOST 16

// A kind's trials, and their means over those that were planned.
typedef struct kind_row {
    const char* name;
    double circle;
    kerb_scene_kind_trial trials[KIND_COURSES_MOST];
    const char* courses[KIND_COURSES_MOST];
    int32_t count, planned, arrived;
    double planned_error, error, error_most, inside, time, ratio;
} kind_row;

static bool kind_is_asked(const tool_words* words, const char* name) {
    if (words->count == 0)
        return true;
    for (int32_t i = 0; i < words->count; i++) {
        if (strcmp(words->word[i], name) == 0 || strcmp(words->word[i], "all") == 0)
            return true;
    }
    return false;
}

static void kind_row_sum(kind_row* row) {
    for (int32_t i = 0; i < row->count; i++) {
        const kerb_scene_kind_trial* t = &row->trials[i];
        if (!t->planned)
            continue;
        row->planned++;
        row->arrived += t->arrived ? 1 : 0;
        row->planned_error += (double)t->planned_error;
        row->error += (double)t->error_mean;
        row->error_most =
            (double)t->error_max > row->error_most ? (double)t->error_max : row->error_most;
        row->inside += 100.0 * (double)t->inside;
        row->time += (double)t->time;
        row->ratio += (double)(t->time / t->planned_time);
    }
    double planned = row->planned > 0 ? row->planned : 1;
    row->planned_error /= planned;
    row->error /= planned;
    row->inside /= planned;
    row->time /= planned;
    row->ratio /= planned;
}

// False: no memory.
static bool kind_row_drive(const tool_kind_table* table, const char* name, kind_row* row) {
    kerb_scene_kind kind;
    *row = (kind_row){.name = name};
    if (!kerb_scene_kind_make(name, &kind))
        return false;
    row->circle = (double)kerb_scene_kind_circle(&kind);
    for (int32_t i = 0; i < kerb_scene_kind_course_count() && row->count < KIND_COURSES_MOST; i++) {
        const char* course = kerb_scene_kind_course_name(i);
        if (!kind_is_asked(&table->courses, course))
            continue;
        row->courses[row->count] = course;
        if (!kerb_scene_kind_course_drive(&kind, i, &row->trials[row->count++]))
            return false;
    }
    kind_row_sum(row);
    return true;
}

// --------------------------------------------------------------------------- reports

static void kind_row_print(const kind_row* r) {
    printf("%-11s %9.2f %4d of %d %4d %9.3f %9.3f %9.2f %9.1f %9.1f %9.1f %9.3f\n", r->name,
           r->circle, (int)r->planned, (int)r->count, (int)r->arrived, r->planned_error, r->error,
           r->error_most, 100.0 * r->error / r->circle, r->inside, r->time, r->ratio);
}

static void kind_head_print(void) {
    printf("%-11s %9s %9s %4s %9s %9s %9s %9s %9s %9s %9s\n", "kind", "circle", "planned", "arr.",
           "plan", "error", "greatest", "error", "inside", "time", "over");
    printf("%-11s %9s %9s %4s %9s %9s %9s %9s %9s %9s %9s\n", "", "m", "courses", "", "off, m",
           "mean, m", "m", "%circle", "%", "s", "planned");
}

static cJSON* kind_row_json(const kind_row* r, bool* complete) {
    cJSON* o = cJSON_CreateObject();
    cJSON* trials = cJSON_CreateArray();
    cJSON_AddStringToObject(o, "vehicle", r->name);
    *complete = *complete && tool_json_number(o, "circle_m", r->circle) &&
                tool_json_number(o, "courses", (double)r->count) &&
                tool_json_number(o, "planned", (double)r->planned) &&
                tool_json_number(o, "arrived", (double)r->arrived) &&
                tool_json_number(o, "planned_error_mean_m", r->planned_error) &&
                tool_json_number(o, "error_mean_m", r->error) &&
                tool_json_number(o, "error_max_m", r->error_most) &&
                tool_json_number(o, "inside_percent", r->inside) &&
                tool_json_number(o, "time_mean_s", r->time) &&
                tool_json_number(o, "time_ratio_mean", r->ratio);
    for (int32_t i = 0; i < r->count; i++) {
        const kerb_scene_kind_trial* t = &r->trials[i];
        cJSON* one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "course", r->courses[i]);
        *complete = *complete && tool_json_number(one, "length_m", (double)t->length) &&
                    cJSON_AddBoolToObject(one, "planned", t->planned) &&
                    cJSON_AddBoolToObject(one, "arrived", t->arrived) &&
                    tool_json_number(one, "planned_time_s", (double)t->planned_time) &&
                    tool_json_number(one, "time_s", (double)t->time) &&
                    tool_json_number(one, "planned_error_mean_m", (double)t->planned_error) &&
                    tool_json_number(one, "error_mean_m", (double)t->error_mean) &&
                    tool_json_number(one, "error_max_m", (double)t->error_max) &&
                    tool_json_number(one, "inside_percent", 100.0 * (double)t->inside) &&
                    tool_json_number(one, "off_plan_max_m", (double)t->plan_error_max) &&
                    cJSON_AddItemToArray(trials, one);
    }
    *complete = *complete && cJSON_AddItemToObject(o, "trials", trials);
    return o;
}

static tool_status kind_words_check(const tool_kind_table* table) {
    for (int32_t i = 0; i < table->kinds.count; i++) {
        kerb_scene_kind kind;
        const char* word = table->kinds.word[i];
        if (strcmp(word, "all") != 0 && !kerb_scene_kind_make(word, &kind))
            return tool_complain("follow: --kinds: --vehicle %s: no such kind", word);
    }
    for (int32_t i = 0; i < table->courses.count; i++) {
        const char* word = table->courses.word[i];
        bool known = strcmp(word, "all") == 0;
        for (int32_t k = 0; k < kerb_scene_kind_course_count(); k++)
            known = known || strcmp(word, kerb_scene_kind_course_name(k)) == 0;
        if (!known)
            return tool_complain("follow: --kinds: --course %s: no such course for kinds", word);
    }
    return TOOL_DONE;
}

tool_status tool_kind_table_run(const tool_kind_table* table) {
    if (kind_words_check(table) != TOOL_DONE)
        return TOOL_WRONG;
    bool prints = !table->outputs.json && !table->outputs.quiet, complete = true, arrived = true;
    cJSON* o = table->outputs.json ? tool_json_begin("follow", table->outputs.seed) : NULL;
    cJSON* rows = table->outputs.json ? cJSON_AddArrayToObject(o, "kinds") : NULL;
    if (prints)
        kind_head_print();
    for (int32_t i = 0; i < KERB_SCENE_KIND_COUNT; i++) {
        const char* name = kerb_scene_kind_text((kerb_scene_kind_name)i);
        kind_row row;
        if (!kind_is_asked(&table->kinds, name))
            continue;
        if (!kind_row_drive(table, name, &row)) {
            cJSON_Delete(o);
            return tool_complain("follow: no memory for %s", name);
        }
        arrived = arrived && row.arrived == row.count;
        if (prints)
            kind_row_print(&row);
        if (table->outputs.json)
            complete = cJSON_AddItemToArray(rows, kind_row_json(&row, &complete)) && complete;
    }
    if (table->outputs.json && !tool_json_end(o, complete, stdout))
        return tool_complain("follow: no memory for the report");
    return arrived ? TOOL_DONE : TOOL_FAILED;
}
