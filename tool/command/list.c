// All lists come from the registries and the settings tables; nothing is listed twice. Defaults are
// those of the method `kerb`; where `paper` and `baseline` differ, the table says so.
#include "tool/command/list.h"

#include "kerb/kerb.h"
#include "scene/course/course.h"
#include "scene/plan/kind_drive.h"
#include "scene/race/tracks.h"
#include "tool/command/inputs.h"
#include "tool/report/json_report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

static const char* const command_list_method_names[] = {"kerb", "paper", "baseline"};

// --------------------------------------------------------------------------- for people

static void print_named(FILE* out, const char* heading, int32_t count,
                        const char* (*name)(int32_t index), const char* (*about)(int32_t index)) {
    fprintf(out, "%s\n", heading);
    for (int32_t i = 0; i < count; i++)
        fprintf(out, "  %-26s  %s\n", name(i), about(i));
    fprintf(out, "\n");
}

// A whole or choice value as its word, a number as short as it can be.
static void value_text(const kerb_setting* setting, float value, char* text, size_t size) {
    if (!setting->choices) {
        snprintf(text, size, "%.6g", (double)value);
        return;
    }
    const char* choice = setting->choices;
    for (int32_t i = 0; i < (int32_t)value; i++)
        choice = strchr(choice, '|') + 1;
    snprintf(text, size, "%.*s", (int)strcspn(choice, "|"), choice);
}

static void command_list_print_head(FILE* out, const char* when) {
    fprintf(out, "settings (%s--set NAME=VALUE)\n  %-26s  %-6s  %-10s  %-18s  %s\n", when, "name",
            "unit", "default", "range", "meaning");
}

// Without the end of its line.
static void command_list_print_row(FILE* out, const kerb_setting* setting, float value) {
    char standard[32], range[64];
    value_text(setting, value, standard, sizeof standard);
    if (setting->choices)
        snprintf(range, sizeof range, "%s", setting->choices);
    else
        snprintf(range, sizeof range, "%.6g to %.6g", (double)setting->min, (double)setting->max);
    fprintf(out, "  %-26s  %-6s  %-10s  %-18s  %s", setting->name,
            strcmp(setting->unit, "1") == 0 ? "" : setting->unit, standard, range,
            setting->meaning);
}

static void print_setting(FILE* out, const kerb_setting* setting) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    float value = kerb_settings_get(setting, &settings);
    command_list_print_row(out, setting, value);
    for (int32_t method = 1; method < 3; method++) {
        settings = kerb_follower_settings_default((kerb_follower_method)method);
        float other = kerb_settings_get(setting, &settings);
        if (other == value)
            continue;
        char standard[32];
        value_text(setting, other, standard, sizeof standard);
        fprintf(out, "; %s: %s", command_list_method_names[method], standard);
    }
    fprintf(out, "\n");
}

static const char* list_kind(int32_t index) {
    return kerb_scene_kind_text((kerb_scene_kind_name)index);
}

static const char* list_kind_about(int32_t index) {
    return kerb_scene_kind_about((kerb_scene_kind_name)index);
}

void tool_list_print(FILE* out) {
    print_named(out, "courses (--course)", kerb_scene_course_count(), kerb_scene_course_name,
                kerb_scene_course_about);
    print_named(out, "vehicles (--vehicle)", tool_vehicle_count(), tool_vehicle_name,
                tool_vehicle_about);
    print_named(out, "kinds (--kinds --vehicle)", KERB_SCENE_KIND_COUNT, list_kind,
                list_kind_about);
    command_list_print_head(out, "");
    for (int32_t i = 0; i < kerb_follower_settings_table.count; i++) {
        const kerb_setting* setting = &kerb_follower_settings_table.settings[i];
        if (strcmp(setting->name, "method") != 0) // that is --follower
            print_setting(out, setting);
    }
}

// With the standards that the table itself has.
static void print_settings(FILE* out, const char* when, const kerb_settings_table* table) {
    command_list_print_head(out, when);
    for (int32_t i = 0; i < table->count; i++) {
        command_list_print_row(out, &table->settings[i], table->settings[i].default_value);
        fprintf(out, "\n");
    }
}

void tool_list_print_race(FILE* out) {
    print_named(out, "tracks (TRACK)", kerb_scene_track_count(), kerb_scene_track_name,
                kerb_scene_track_about);
    print_named(out, "racing cars (--vehicle)", kerb_sim_race_model_count(),
                kerb_sim_race_model_name, kerb_sim_race_model_about);
    print_settings(out, "", &kerb_racer_settings_table);
}

void tool_list_print_plan(FILE* out) {
    print_named(out, "vehicles (--vehicle)", tool_vehicle_count(), tool_vehicle_name,
                tool_vehicle_about);
    print_named(out, "kinds (--vehicle; hovercraft and tank with --kind)", KERB_SCENE_KIND_COUNT,
                list_kind, list_kind_about);
    print_settings(out, "", &kerb_planner_settings_table);
    fprintf(out, "\n");
    print_settings(out, "--search kerb ", &kerb_plan_search_settings_table);
}

static const char* const command_scenarios[][2] = {
    {"keep", "each keeps its lane"},
    {"change", "each changes between two lanes every 10 s"},
    {"avoid", "cars stand in the lane every 200 m"},
    {"player", "bots stay round a simulated human"},
};

static const char* scenario_name(int32_t index) {
    return command_scenarios[index][0];
}

static const char* scenario_about(int32_t index) {
    return command_scenarios[index][1];
}

// Those of the tracks, and one that is no track.
static const char* road_name(int32_t index) {
    return index < kerb_scene_track_count() ? kerb_scene_track_name(index) : "country";
}

static const char* road_about(int32_t index) {
    return index < kerb_scene_track_count()
               ? kerb_scene_track_about(index)
               : "a generated road of four lanes, 25.6 km; the seed decides which";
}

void tool_list_print_lane(FILE* out) {
    print_named(out, "scenarios (--scenario)",
                (int32_t)(sizeof command_scenarios / sizeof command_scenarios[0]), scenario_name,
                scenario_about);
    print_named(out, "roads (TRACK)", kerb_scene_track_count() + 1, road_name, road_about);
    print_named(out, "racing cars (--vehicle)", kerb_sim_race_model_count(),
                kerb_sim_race_model_name, kerb_sim_race_model_about);
    print_named(out, "other vehicles (--vehicle)", tool_vehicle_count(), tool_vehicle_name,
                tool_vehicle_about);
    print_settings(out, "", &kerb_lane_settings_table);
}

// --------------------------------------------------------------------------- for programs

// A float as the number that a person would write for it: 0.1, not 0.100000001490116.
static double tidy(float value) {
    return round((double)value * 1e6) / 1e6;
}

static cJSON* add_object(cJSON* array) {
    cJSON* object = cJSON_CreateObject();
    if (cJSON_AddItemToArray(array, object))
        return object;
    cJSON_Delete(object);
    return NULL;
}

static bool add_named(cJSON* root, const char* key, int32_t count,
                      const char* (*name)(int32_t index), const char* (*about)(int32_t index)) {
    cJSON* array = cJSON_AddArrayToObject(root, key);
    for (int32_t i = 0; i < count; i++) {
        cJSON* object = add_object(array);
        if (!cJSON_AddStringToObject(object, "name", name(i)) ||
            !cJSON_AddStringToObject(object, "about", about(i)))
            return false;
    }
    return array != NULL;
}

static bool add_standards(cJSON* object, const kerb_setting* setting) {
    cJSON* standards = cJSON_AddObjectToObject(object, "standard");
    for (int32_t method = 0; method < 3; method++) {
        kerb_follower_settings settings =
            kerb_follower_settings_default((kerb_follower_method)method);
        float value = kerb_settings_get(setting, &settings);
        char text[32];
        value_text(setting, value, text, sizeof text);
        cJSON* added =
            setting->choices
                ? cJSON_AddStringToObject(standards, command_list_method_names[method], text)
                : cJSON_AddNumberToObject(standards, command_list_method_names[method],
                                          tidy(value));
        if (!added)
            return false;
    }
    return true;
}

static bool add_setting(cJSON* array, const kerb_setting* setting) {
    cJSON* object = add_object(array);
    bool added = cJSON_AddStringToObject(object, "name", setting->name) &&
                 cJSON_AddStringToObject(object, "unit", setting->unit) &&
                 cJSON_AddStringToObject(object, "meaning", setting->meaning) &&
                 add_standards(object, setting);
    if (setting->choices)
        return added && cJSON_AddStringToObject(object, "choices", setting->choices);
    return added && cJSON_AddNumberToObject(object, "least", tidy(setting->min)) &&
           cJSON_AddNumberToObject(object, "most", tidy(setting->max));
}

static bool add_settings(cJSON* root) {
    cJSON* array = cJSON_AddArrayToObject(root, "settings");
    for (int32_t i = 0; i < kerb_follower_settings_table.count; i++) {
        const kerb_setting* setting = &kerb_follower_settings_table.settings[i];
        if (strcmp(setting->name, "method") != 0 && !add_setting(array, setting))
            return false;
    }
    return array != NULL;
}

bool tool_list_json(int64_t seed, FILE* out) {
    cJSON* root = tool_json_begin("follow", seed);
    bool made =
        add_named(root, "courses", kerb_scene_course_count(), kerb_scene_course_name,
                  kerb_scene_course_about) &&
        add_named(root, "vehicles", tool_vehicle_count(), tool_vehicle_name, tool_vehicle_about) &&
        add_settings(root);
    return tool_json_end(root, made, out);
}
