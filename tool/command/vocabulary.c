// All names come from the registries of what is built in and from the settings tables; none is
// written here.
#include "tool/command/vocabulary.h"

#include "kerb/kerb.h"
#include "scene/course/course.h"
#include "scene/crowd/show.h"
#include "scene/plan/kind_drive.h"
#include "scene/race/tracks.h"
#include "sim/vehicle.h"
#include "tool/bench/bench_rows.h"

#include <string.h>

// --------------------------------------------------------------------------- vehicles

static int32_t vocabulary_vehicle_count(void) {
    return kerb_sim_model_count() + kerb_sim_race_model_count();
}

static const char* vocabulary_vehicle(int32_t index) {
    int32_t count = kerb_sim_model_count();
    return index < count ? kerb_sim_model_name(index) : kerb_sim_race_model_name(index - count);
}

static bool has_wheels(const char* name) {
    kerb_sim_model model;
    return kerb_sim_model_named(name, &model) && model.vehicle.kind == KERB_VEHICLE_WHEELED;
}

static int32_t car_count(void) {
    int32_t count = kerb_sim_race_model_count();
    for (int32_t i = 0; i < kerb_sim_model_count(); i++)
        count += has_wheels(kerb_sim_model_name(i)) ? 1 : 0;
    return count;
}

// The racing cars first, because they are what is meant most often.
static const char* vocabulary_car(int32_t index) {
    int32_t left = index - kerb_sim_race_model_count();
    if (left < 0)
        return kerb_sim_race_model_name(index);
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        if (has_wheels(kerb_sim_model_name(i)) && left-- == 0)
            return kerb_sim_model_name(i);
    }
    return "";
}

// --------------------------------------------------------------------------- kinds

static bool vocabulary_is_vehicle(const char* word) {
    for (int32_t i = 0; i < vocabulary_vehicle_count(); i++)
        if (strcmp(vocabulary_vehicle(i), word) == 0)
            return true;
    return false;
}

// The kind of an index among those that are no built-in vehicle as well; NULL: there are fewer.
static const char* vocabulary_other_kind(int32_t index) {
    for (int32_t i = 0; i < KERB_SCENE_KIND_COUNT; i++) {
        const char* word = kerb_scene_kind_text((kerb_scene_kind_name)i);
        if (!vocabulary_is_vehicle(word) && index-- == 0)
            return word;
    }
    return NULL;
}

static int32_t vocabulary_planned_count(void) {
    int32_t others = 0;
    while (vocabulary_other_kind(others))
        others++;
    return vocabulary_vehicle_count() + others;
}

static const char* vocabulary_planned(int32_t index) {
    int32_t count = vocabulary_vehicle_count();
    return index < count ? vocabulary_vehicle(index) : vocabulary_other_kind(index - count);
}

// --------------------------------------------------------------------------- rows of benchmarks

static int32_t bench_row_count(void) {
    return tool_bench_row_count;
}

static const char* bench_row(int32_t index) {
    return tool_bench_rows[index].name;
}

// --------------------------------------------------------------------------- settings

// The method is chosen by --follower, and refused here.
static bool is_settable(int32_t index) {
    return strcmp(kerb_follower_settings_table.settings[index].name, "method") != 0;
}

static int32_t follower_setting_count(void) {
    int32_t count = 0;
    for (int32_t i = 0; i < kerb_follower_settings_table.count; i++)
        count += is_settable(i) ? 1 : 0;
    return count;
}

static const char* follower_setting(int32_t index) {
    int32_t i = 0;
    while (!is_settable(i) || index-- > 0)
        i++;
    return kerb_follower_settings_table.settings[i].name;
}

static int32_t planner_setting_count(void) {
    return kerb_planner_settings_table.count + kerb_plan_search_settings_table.count;
}

static const char* planner_setting(int32_t index) {
    int32_t count = kerb_planner_settings_table.count;
    return index < count ? kerb_planner_settings_table.settings[index].name
                         : kerb_plan_search_settings_table.settings[index - count].name;
}

static int32_t racer_setting_count(void) {
    return kerb_racer_settings_table.count;
}

static const char* racer_setting(int32_t index) {
    return kerb_racer_settings_table.settings[index].name;
}

static int32_t lane_setting_count(void) {
    return kerb_lane_settings_table.count;
}

static const char* lane_setting(int32_t index) {
    return kerb_lane_settings_table.settings[index].name;
}

// --------------------------------------------------------------------------- the vocabularies

const tool_vocabulary tool_words_courses = {
    .what = "course",
    .count = kerb_scene_course_count,
    .word = kerb_scene_course_name,
    .further = "all",
};
const tool_vocabulary tool_words_vehicles = {
    .what = "vehicle",
    .count = vocabulary_vehicle_count,
    .word = vocabulary_vehicle,
};
const tool_vocabulary tool_words_planned = {
    .what = "vehicle",
    .count = vocabulary_planned_count,
    .word = vocabulary_planned,
};
const tool_vocabulary tool_words_all_vehicles = {
    .what = "vehicle",
    .count = vocabulary_planned_count,
    .word = vocabulary_planned,
    .further = "all",
};
const tool_vocabulary tool_words_cars = {
    .what = "vehicle",
    .count = car_count,
    .word = vocabulary_car,
};
const tool_vocabulary tool_words_tracks = {
    .what = "track",
    .count = kerb_scene_track_count,
    .word = kerb_scene_track_name,
};
const tool_vocabulary tool_words_all_tracks = {
    .what = "track",
    .count = kerb_scene_track_count,
    .word = kerb_scene_track_name,
    .further = "all",
};
const tool_vocabulary tool_words_roads = {
    .what = "track",
    .count = kerb_scene_track_count,
    .word = kerb_scene_track_name,
    .further = "country",
};
const tool_vocabulary tool_words_scenes = {
    .what = "scene",
    .count = kerb_scene_show_count,
    .word = kerb_scene_show_name,
};
const tool_vocabulary tool_words_rows = {
    .what = "row",
    .count = bench_row_count,
    .word = bench_row,
};
const tool_vocabulary tool_words_follower = {
    .what = "setting",
    .count = follower_setting_count,
    .word = follower_setting,
    .is_setting = true,
};
const tool_vocabulary tool_words_planner = {
    .what = "setting",
    .count = planner_setting_count,
    .word = planner_setting,
    .is_setting = true,
};
const tool_vocabulary tool_words_racer = {
    .what = "setting",
    .count = racer_setting_count,
    .word = racer_setting,
    .is_setting = true,
};
const tool_vocabulary tool_words_lane_keeper = {
    .what = "setting",
    .count = lane_setting_count,
    .word = lane_setting,
    .is_setting = true,
};
