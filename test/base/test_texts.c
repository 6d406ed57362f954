// Every public enum has texts: a few words for each value, never NULL, "unknown" for all others. A
// choice of a settings table has the table's word.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/grid_map.h"
#include "kerb/io/scenario.h"
#include "kerb/io/sumo_demand.h"
#include "kerb/kerb.h"

#include <limits.h>
#include <string.h>

typedef struct enum_texts {
    const char* name;
    const char* (*text)(int value);
    int count;                        // of values, from 0
    const kerb_settings_table* table; // of which it is a choice; NULL: none
    const char* field;
} enum_texts;

// The function with an int for its parameter: enums may be of any type.
#define TEXT_OF(type)                                                                              \
    static const char* type##_of(int value) {                                                      \
        return type##_text((type)value);                                                           \
    }
TEXT_OF(kerb_calibration_confidence)
TEXT_OF(kerb_calibration_failure)
TEXT_OF(kerb_calibration_outcome)
TEXT_OF(kerb_calibration_phase)
TEXT_OF(kerb_directed_method)
TEXT_OF(kerb_directed_radius)
TEXT_OF(kerb_directed_space)
TEXT_OF(kerb_directed_stage)
TEXT_OF(kerb_draw_role)
TEXT_OF(kerb_driving_side)
TEXT_OF(kerb_dubins_word)
TEXT_OF(kerb_follower_method)
TEXT_OF(kerb_follower_steering)
TEXT_OF(kerb_formation_shape)
TEXT_OF(kerb_gear_told)
TEXT_OF(kerb_host_mistake)
TEXT_OF(kerb_host_verdict)
TEXT_OF(kerb_io_map_mode)
TEXT_OF(kerb_io_scenario_kind)
TEXT_OF(kerb_io_sumo_function)
TEXT_OF(kerb_io_sumo_place)
TEXT_OF(kerb_io_sumo_rule)
TEXT_OF(kerb_lane_edge)
TEXT_OF(kerb_junction_rule)
TEXT_OF(kerb_lane_hit_kind)
TEXT_OF(kerb_lane_obstacles)
TEXT_OF(kerb_lane_ray_purpose)
TEXT_OF(kerb_lane_steering)
TEXT_OF(kerb_line_method)
TEXT_OF(kerb_line_side)
TEXT_OF(kerb_line_state)
TEXT_OF(kerb_log_level)
TEXT_OF(kerb_mesh_outcome)
TEXT_OF(kerb_neighbour_mode)
TEXT_OF(kerb_parker_phase)
TEXT_OF(kerb_plan_heuristic)
TEXT_OF(kerb_plan_method)
TEXT_OF(kerb_plan_outcome)
TEXT_OF(kerb_plan_overshoot)
TEXT_OF(kerb_plan_probing)
TEXT_OF(kerb_plan_rank)
TEXT_OF(kerb_plan_time_use)
TEXT_OF(kerb_racer_phase)
TEXT_OF(kerb_racer_slip)
TEXT_OF(kerb_racer_steering)
TEXT_OF(kerb_reason)
TEXT_OF(kerb_route_outcome)
TEXT_OF(kerb_traffic_happening)
TEXT_OF(kerb_traffic_stage)
TEXT_OF(kerb_traffic_wait)
TEXT_OF(kerb_recovery)
TEXT_OF(kerb_region_kind)
TEXT_OF(kerb_result)
TEXT_OF(kerb_setting_type)
TEXT_OF(kerb_side)
TEXT_OF(kerb_speed_ahead)
TEXT_OF(kerb_stuck_phase)
TEXT_OF(kerb_target_point)
TEXT_OF(kerb_track_finding_kind)
TEXT_OF(kerb_traction_budget)
TEXT_OF(kerb_vehicle_kind)

#define ENUM(type, last)                                                                           \
    { #type, type##_of, (last) + 1, NULL, NULL }
#define CHOICE(type, last, settings, field)                                                        \
    { #type, type##_of, (last) + 1, &settings##_table, field }

static const enum_texts enums[] = {
    ENUM(kerb_calibration_confidence, KERB_CALIBRATION_MEASURED),
    ENUM(kerb_calibration_failure, KERB_CALIBRATION_INVALID_RESULT),
    ENUM(kerb_calibration_outcome, KERB_CALIBRATION_FAILED),
    ENUM(kerb_calibration_phase, KERB_CALIBRATION_CREEP),
    CHOICE(kerb_directed_method, KERB_DIRECTED_REVERSE, kerb_directed_seek_settings, "method"),
    CHOICE(kerb_directed_radius, KERB_DIRECTED_RADIUS_TWO, kerb_directed_seek_settings, "radius"),
    CHOICE(kerb_directed_space, KERB_DIRECTED_TWO_PLANES, kerb_directed_seek_settings, "space"),
    ENUM(kerb_directed_stage, KERB_DIRECTED_AT_GOAL),
    ENUM(kerb_draw_role, KERB_DRAW_RAY_VEHICLE),
    CHOICE(kerb_driving_side, KERB_DRIVE_LEFT, kerb_avoid_settings, "driving_side"),
    ENUM(kerb_dubins_word, KERB_DUBINS_LRL),
    CHOICE(kerb_follower_method, KERB_FOLLOWER_BASELINE, kerb_follower_settings, "method"),
    CHOICE(kerb_follower_steering, KERB_STEERING_LEARNED, kerb_follower_settings, "steering"),
    ENUM(kerb_formation_shape, KERB_FORMATION_RING),
    ENUM(kerb_host_mistake, KERB_HOST_MISTAKE_COUNT - 1),
    ENUM(kerb_host_verdict, KERB_HOST_WRONG),
    ENUM(kerb_io_map_mode, KERB_IO_MAP_RAW),
    ENUM(kerb_io_scenario_kind, KERB_IO_SCENARIO_POSES),
    ENUM(kerb_io_sumo_function, KERB_IO_SUMO_WALKING),
    ENUM(kerb_io_sumo_place, KERB_IO_SUMO_PLACE_RANDOM),
    ENUM(kerb_io_sumo_rule, KERB_IO_SUMO_INSIDE),
    CHOICE(kerb_lane_edge, KERB_LANE_BOTH, kerb_lane_settings, "edge"),
    ENUM(kerb_lane_hit_kind, KERB_LANE_HIT_VEHICLE),
    CHOICE(kerb_lane_obstacles, KERB_LANE_AVOID, kerb_lane_settings, "obstacles"),
    ENUM(kerb_lane_ray_purpose, KERB_LANE_RAY_SCAN),
    CHOICE(kerb_lane_steering, KERB_LANE_COSINES, kerb_lane_settings, "steering"),
    CHOICE(kerb_line_method, KERB_LINE_TIME, kerb_line_settings, "method"),
    CHOICE(kerb_line_side, KERB_LINE_DEFENSIVE, kerb_line_settings, "side"),
    ENUM(kerb_line_state, KERB_LINE_DONE),
    ENUM(kerb_log_level, KERB_LOG_WARNING),
    CHOICE(kerb_neighbour_mode, KERB_NEIGHBOURS_AVOID, kerb_follower_settings, "neighbours"),
    ENUM(kerb_parker_phase, KERB_PARKER_ARRIVED),
    CHOICE(kerb_plan_heuristic, KERB_PLAN_EUCLIDEAN, kerb_plan_search_settings, "heuristic"),
    ENUM(kerb_plan_method, KERB_PLAN_METHOD_SPEED_SEARCH),
    ENUM(kerb_mesh_outcome, KERB_MESH_TOO_LONG),
    ENUM(kerb_plan_outcome, KERB_PLAN_START_TOO_FAST),
    CHOICE(kerb_plan_overshoot, KERB_PLAN_COMBINED, kerb_plan_search_settings, "overshoot"),
    CHOICE(kerb_plan_probing, KERB_PLAN_PROBING_ONLY, kerb_plan_search_settings, "probing"),
    CHOICE(kerb_plan_rank, KERB_PLAN_RANK_ESTIMATE, kerb_plan_search_settings, "rank"),
    CHOICE(kerb_plan_time_use, KERB_PLAN_TIME_STATE, kerb_plan_search_settings, "time_use"),
    ENUM(kerb_racer_phase, KERB_RACER_REVERSING),
    CHOICE(kerb_racer_slip, KERB_RACER_SLIP_LOCKS, kerb_racer_settings, "slip_control"),
    CHOICE(kerb_racer_steering, KERB_RACER_POLE, kerb_racer_settings, "steering"),
    ENUM(kerb_reason, KERB_REASON_NO_ROOM),
    ENUM(kerb_route_outcome, KERB_ROUTE_TOO_LONG),
    ENUM(kerb_traffic_happening, KERB_TRAFFIC_CREPT),
    ENUM(kerb_traffic_stage, KERB_TRAFFIC_STOPPING),
    ENUM(kerb_traffic_wait, KERB_TRAFFIC_WAIT_BODY),
    ENUM(kerb_junction_rule, KERB_JUNCTION_GIVEN),
    CHOICE(kerb_recovery, KERB_RECOVERY_FULL, kerb_stuck_settings, "recovery"),
    ENUM(kerb_region_kind, KERB_REGION_ROUND),
    ENUM(kerb_result, KERB_ERROR_WRONG_TYPE),
    ENUM(kerb_setting_type, KERB_SETTING_CHOICE),
    ENUM(kerb_side, KERB_SIDE_RIGHT),
    CHOICE(kerb_speed_ahead, KERB_AHEAD_BRAKING, kerb_follower_settings, "paper.speed_ahead"),
    ENUM(kerb_stuck_phase, KERB_STUCK_GIVEN_UP),
    CHOICE(kerb_target_point, KERB_TARGET_RABBIT, kerb_follower_settings, "paper.target_point"),
    ENUM(kerb_track_finding_kind, KERB_TRACK_BANK),
    CHOICE(kerb_traction_budget, KERB_TRACTION_LINEAR, kerb_performance, "budget"),
    CHOICE(kerb_gear_told, KERB_GEAR_TOLD_NOTHING, kerb_vehicle, "drive_train.gear_told"),
    CHOICE(kerb_vehicle_kind, KERB_VEHICLE_HOVER, kerb_vehicle, "kind"),
};
enum { ENUMS = sizeof enums / sizeof enums[0] };

static void every_value_has_words_of_its_own(void** state) {
    (void)state;
    for (int n = 0; n < ENUMS; n++) {
        const enum_texts* e = &enums[n];
        for (int i = 0; i < e->count; i++) {
            const char* text = e->text(i);
            if (text == NULL || text[0] == '\0' || strcmp(text, "unknown") == 0)
                fail_msg("%s: value %d has no text", e->name, i);
            if (strlen(text) > 45 || strpbrk(text, "\n\t") != NULL)
                fail_msg("%s: \"%s\" is more than a few words", e->name, text);
            for (int k = 0; k < i; k++)
                if (strcmp(text, e->text(k)) == 0)
                    fail_msg("%s: %d and %d are both \"%s\"", e->name, k, i, text);
        }
    }
}

static void a_value_out_of_range_is_unknown(void** state) {
    (void)state;
    for (int n = 0; n < ENUMS; n++) {
        const int odd[] = {-1, INT_MIN, INT_MAX, 4711, enums[n].count, enums[n].count + 1};
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
            if (strcmp(enums[n].text(odd[i]), "unknown") != 0)
                fail_msg("%s: %d is \"%s\"", enums[n].name, odd[i], enums[n].text(odd[i]));
    }
}

static void a_choice_has_the_word_of_its_settings_table(void** state) {
    (void)state;
    for (int n = 0; n < ENUMS; n++) {
        const enum_texts* e = &enums[n];
        if (e->table == NULL)
            continue;
        const kerb_setting* row = kerb_settings_find(e->table, e->field);
        assert_non_null(row);
        assert_int_equal(row->max, e->count - 1);
        char words[200] = "";
        for (int i = 0; i < e->count; i++) {
            strcat(words, i == 0 ? "" : "|");
            strcat(words, e->text(i));
        }
        assert_string_equal(words, row->choices);
    }
}

static void every_field_of_a_calibration_has_a_name(void** state) {
    (void)state;
    for (int i = 0; i < KERB_CALIBRATION_FIELD_COUNT; i++)
        assert_non_null(kerb_settings_find(&kerb_vehicle_table,
                                           kerb_calibration_field_name((kerb_calibration_field)i)));
    assert_string_equal(kerb_calibration_field_name(KERB_CALIBRATION_FIELD_COUNT), "unknown");
}

int texts_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_has_words_of_its_own),
        cmocka_unit_test(a_value_out_of_range_is_unknown),
        cmocka_unit_test(a_choice_has_the_word_of_its_settings_table),
        cmocka_unit_test(every_field_of_a_calibration_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
