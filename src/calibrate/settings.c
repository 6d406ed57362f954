// The table of the calibration's settings, and the texts of its enums.
#include "kerb/calibrate.h"

#include "../base/shared.h"

#define CALIBRATE_ROW(field, ...) KERB_IN_SETTING(kerb_calibration_settings, field, __VA_ARGS__)
// clang-format off
static const kerb_setting calibrate_rows[] = {
    CALIBRATE_ROW(space_ahead, "m", 1.0f, 1.0e5f, 3000.0f, "free length ahead of the start"),
    CALIBRATE_ROW(space_behind, "m", 0.0f, 1.0e5f, 100.0f, "free length behind the start"),
    CALIBRATE_ROW(space_each_side, "m", 1.0f, 1.0e5f, 200.0f, "free width to each side of the start"),
    CALIBRATE_ROW(speed_max, "m/s", 0.1f, 500.0f, 500.0f, "speed limit; a higher top speed is extrapolated"),
    CALIBRATE_ROW(time_max, "s", 1.0f, 1.0e5f, 1200.0f, "time limit of the whole calibration"),
};
// clang-format on
const kerb_settings_table kerb_calibration_settings_table = {
    "kerb_calibration_settings", sizeof(kerb_calibration_settings), calibrate_rows,
    (int32_t)(sizeof calibrate_rows / sizeof calibrate_rows[0])};

kerb_calibration_settings kerb_calibration_settings_default(void) {
    kerb_calibration_settings settings;
    kerb_settings_set_defaults(&kerb_calibration_settings_table, &settings);
    return settings;
}

const char* kerb_calibration_outcome_text(kerb_calibration_outcome value) {
    static const char* const texts[] = {
        [KERB_CALIBRATION_RUNNING] = "running",
        [KERB_CALIBRATION_DONE] = "done",
        [KERB_CALIBRATION_FAILED] = "failed",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_calibration_failure_text(kerb_calibration_failure failure) {
    static const char* const texts[KERB_CALIBRATION_FAILURE_COUNT] = {
        [KERB_CALIBRATION_NO_FAILURE] = "no failure",
        [KERB_CALIBRATION_DOES_NOT_MOVE] = "full throttle does not move it forwards",
        [KERB_CALIBRATION_DOES_NOT_STOP] = "full brake does not stop it",
        [KERB_CALIBRATION_DOES_NOT_STEER] = "it does not turn to the side of the steering",
        [KERB_CALIBRATION_TIPPED_OVER] = "it tipped over",
        [KERB_CALIBRATION_OUT_OF_SPACE] = "it left its area, or nothing fits it",
        [KERB_CALIBRATION_BAD_MOTION] = "its motion is impossible",
        [KERB_CALIBRATION_OUT_OF_TIME] = "it took longer than the settings allow",
        [KERB_CALIBRATION_INVALID_RESULT] = "the measured values make no valid vehicle",
    };
    return KERB_ENUM_TEXT(texts, failure);
}

const char* kerb_calibration_phase_text(kerb_calibration_phase phase) {
    static const char* const texts[KERB_CALIBRATION_PHASE_COUNT] = {
        [KERB_CALIBRATION_FIRST_MOVEMENT] = "first movement",
        [KERB_CALIBRATION_CREEP] = "creeping in gear",
        [KERB_CALIBRATION_TOP_SPEED] = "accelerating to top speed",
        [KERB_CALIBRATION_LAUNCH] = "full throttle from standstill",
        [KERB_CALIBRATION_COAST_FAST] = "coasting from high speed",
        [KERB_CALIBRATION_BRAKE] = "braking",
        [KERB_CALIBRATION_REVERSE] = "reversing",
        [KERB_CALIBRATION_CIRCLE] = "turning at full lock",
        [KERB_CALIBRATION_COAST_SLOW] = "coasting at low speed",
        [KERB_CALIBRATION_THROTTLE_STEP] = "throttle step",
        [KERB_CALIBRATION_STEERING_RAMP] = "steering from lock to lock",
        [KERB_CALIBRATION_STEERING_STEPS] = "steering steps",
        [KERB_CALIBRATION_GRIP] = "turning at the limit of grip",
        [KERB_CALIBRATION_UNDERSTEER] = "driving a circle at different speeds",
    };
    return KERB_ENUM_TEXT(texts, phase);
}

const char* kerb_calibration_confidence_text(kerb_calibration_confidence confidence) {
    static const char* const texts[] = {"given", "guessed", "estimated", "measured"};
    return KERB_ENUM_TEXT(texts, confidence);
}

const char* kerb_calibration_field_name(kerb_calibration_field field) {
    static const char* const names[KERB_CALIBRATION_FIELD_COUNT] = {
        [KERB_CALIBRATES_STEERING_ANGLE_MAX] = "steering_angle_max",
        [KERB_CALIBRATES_STEERING_RATE_MAX] = "steering_rate_max",
        [KERB_CALIBRATES_STEERING_DELAY] = "steering_delay",
        [KERB_CALIBRATES_UNDERSTEER_GRADIENT] = "understeer_gradient",
        [KERB_CALIBRATES_YAW_RATE_MAX] = "yaw_rate_max",
        [KERB_CALIBRATES_YAW_ACCELERATION_MAX] = "yaw_acceleration_max",
        [KERB_CALIBRATES_SPEED_MAX] = "speed_max",
        [KERB_CALIBRATES_REVERSE_SPEED_MAX] = "reverse_speed_max",
        [KERB_CALIBRATES_ACCELERATION_MAX] = "acceleration_max",
        [KERB_CALIBRATES_REVERSE_ACCELERATION_MAX] = "reverse_acceleration_max",
        [KERB_CALIBRATES_POWER] = "power",
        [KERB_CALIBRATES_BRAKING_MAX] = "braking_max",
        [KERB_CALIBRATES_COASTING_DECELERATION] = "coasting_deceleration",
        [KERB_CALIBRATES_DRAG] = "drag",
        [KERB_CALIBRATES_LATERAL_ACCELERATION_MAX] = "lateral_acceleration_max",
        [KERB_CALIBRATES_THROTTLE_DELAY] = "throttle_delay",
        [KERB_CALIBRATES_CREEP_SPEED] = "creep_speed",
        [KERB_CALIBRATES_YAW_INERTIA] = "yaw_inertia",
        [KERB_CALIBRATES_DOWNFORCE] = "downforce",
    };
    return KERB_ENUM_TEXT(names, field);
}
