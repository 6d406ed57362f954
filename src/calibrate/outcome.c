// Purpose: the results of a manoeuvre: a finished step, a measured field, a failure.
// Idea:    The manoeuvres and the frame that calls them both write results, so this file is below
//          both. A measured field is clamped to its range in the vehicle's settings table.
// Cost:    O(1). Writing a field searches the settings table.
#include "frame.h"

#include <string.h>

void kerb_in_calibrate_fail(kerb_calibrator* calibrator, kerb_calibration_failure failure) {
    calibrator->outcome = KERB_CALIBRATION_FAILED;
    calibrator->failure = failure;
}

void kerb_in_calibrate_next_step(kerb_calibrator* calibrator) {
    calibrator->memory.step++;
    calibrator->memory.step_time = 0.0f;
    calibrator->memory.steady_time = 0.0f;
}

void kerb_in_calibrate_note(kerb_calibrator* calibrator, kerb_calibration_field field, float value,
                            kerb_calibration_confidence confidence) {
    const kerb_setting* row =
        kerb_settings_find(&kerb_vehicle_table, kerb_calibration_field_name(field));
    if (row == NULL || !kerb_is_finite(value))
        return;
    float held = kerb_clamp(value, row->min, row->max);
    (void)kerb_settings_set(row, &calibrator->measured, held, NULL);
    calibrator->confidence[field] =
        (uint8_t)(held == value ? confidence : KERB_CALIBRATION_ESTIMATED);
}

void kerb_in_calibrate_forget(kerb_calibrator* calibrator) {
    calibrator->memory.step = 0;
    calibrator->memory.count = 0;
    calibrator->memory.sample_count = 0;
    calibrator->memory.step_time = 0.0f;
    calibrator->memory.phase_time = 0.0f;
    calibrator->memory.steady_time = 0.0f;
    calibrator->memory.gear = 0;
    calibrator->memory.gain_count = calibrator->memory.near_count = 0;
    calibrator->memory.throttle_share = 1.0f;
    calibrator->memory.circling = 0.0f;
    memset(calibrator->memory.mark, 0, sizeof calibrator->memory.mark);
    memset(&calibrator->memory.fit, 0, sizeof calibrator->memory.fit);
}
