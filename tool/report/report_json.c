// The results of trials as JSON: one object for each trial, and a summary.
#include "tool/report/json_report.h"
#include "tool/report/report.h"

#include <cjson/cJSON.h>
#include <string.h>

static bool add_summary(cJSON* object, const tool_summary* s) {
    return tool_json_number(object, "trials", s->trials) &&
           tool_json_number(object, "finished", s->finished) &&
           tool_json_number(object, "stuck_trials", s->stuck_trials) &&
           tool_json_number(object, "stuck_events", s->stuck_events) &&
           tool_json_number(object, "contacts", s->contacts) &&
           tool_json_number(object, "teleports", s->teleports) &&
           tool_json_number(object, "cte_mean_m", s->cte_mean) &&
           tool_json_number(object, "cte_max_m", s->cte_max) &&
           tool_json_number(object, "inside_corridor_percent", s->inside_percent) &&
           tool_json_number(object, "left_road", s->left_road) &&
           tool_json_number(object, "left_road_m", s->left_road_max) &&
           tool_json_number(object, "time_mean_s", s->time_mean) &&
           tool_json_number(object, "speed_mean_mps", s->speed_mean) &&
           tool_json_number(object, "speed_ratio", s->speed_ratio) &&
           tool_json_number(object, "drive_ns", s->drive_ns);
}

static bool add_trial(cJSON* array, const tool_recording* r) {
    cJSON* object = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(array, object)) {
        cJSON_Delete(object);
        return false;
    }
    const kerb_scene_result* result = &r->result;
    return cJSON_AddStringToObject(object, "course", r->course->name) &&
           cJSON_AddStringToObject(object, "vehicle", r->vehicle_name) &&
           cJSON_AddStringToObject(object, "follower", r->follower_name) &&
           tool_json_number(object, "requested_mps", (double)r->settings.speed) &&
           cJSON_AddBoolToObject(object, "finished", result->finished) &&
           tool_json_number(object, "stuck_events", result->stuck_events) &&
           tool_json_number(object, "contacts", result->contacts) &&
           tool_json_number(object, "teleports", result->teleports) &&
           tool_json_number(object, "cte_mean_m", result->cte_mean) &&
           tool_json_number(object, "cte_max_m", result->cte_max) &&
           tool_json_number(object, "inside_corridor_percent", result->inside_percent) &&
           cJSON_AddBoolToObject(object, "left_road", result->left_road > 0.0) &&
           tool_json_number(object, "left_road_m", result->left_road) &&
           tool_json_number(object, "time_s", result->time) &&
           tool_json_number(object, "distance_m", result->distance) &&
           tool_json_number(object, "speed_mean_mps", result->speed_mean) &&
           tool_json_number(object, "speed_ratio", result->speed_ratio) &&
           tool_json_number(object, "drive_ns", result->drive_ns) &&
           tool_json_number(object, "drive_max_ns", result->drive_ns_max);
}

typedef enum grouping { BY_VEHICLE, BY_COURSE, BY_FOLLOWER } grouping;

static const char* group_name(const tool_recording* r, grouping by) {
    if (by == BY_VEHICLE)
        return r->vehicle_name;
    return by == BY_COURSE ? r->course->name : r->follower_name;
}

static tool_selection group_selection(const char* name, grouping by) {
    tool_selection selection = {0};
    if (by == BY_VEHICLE)
        selection.vehicle = name;
    else if (by == BY_COURSE)
        selection.course = name;
    else
        selection.follower = name;
    return selection;
}

// An object with a summary for each name, in the order of the trials.
static bool add_groups(cJSON* root, const char* key, const tool_report* report, grouping by) {
    cJSON* groups = cJSON_AddObjectToObject(root, key);
    for (int32_t i = 0; groups && i < report->count; i++) {
        const char* name = group_name(&report->recordings[i], by);
        if (cJSON_GetObjectItemCaseSensitive(groups, name))
            continue;
        tool_selection selection = group_selection(name, by);
        tool_summary sum = tool_summarise(report->recordings, report->count, &selection);
        cJSON* group = cJSON_AddObjectToObject(groups, name);
        if (!group || !add_summary(group, &sum))
            return false;
    }
    return groups != NULL;
}

static bool report_json_add_results(cJSON* root, const tool_report* report) {
    cJSON* results = cJSON_AddArrayToObject(root, "results");
    for (int32_t i = 0; results && i < report->count; i++) {
        if (!add_trial(results, &report->recordings[i]))
            return false;
    }
    return results != NULL;
}

static bool report_json_add_all(cJSON* root, const tool_report* report) {
    tool_selection any = {0};
    tool_summary sum = tool_summarise(report->recordings, report->count, &any);
    return tool_json_number(root, "drive_hz", report->drive_hz) &&
           cJSON_AddStringToObject(root, "physics", report->physics) && add_summary(root, &sum) &&
           add_groups(root, "per_vehicle", report, BY_VEHICLE) &&
           add_groups(root, "per_course", report, BY_COURSE) &&
           add_groups(root, "per_follower", report, BY_FOLLOWER) &&
           report_json_add_results(root, report);
}

bool tool_report_json(const tool_report* report, FILE* out) {
    cJSON* root = tool_json_begin("follow", report->seed);
    return tool_json_end(root, report_json_add_all(root, report), out);
}
