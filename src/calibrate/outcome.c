// Purpose: what comes of a manoeuvre: a step of it done, a field measured, or the end of all.
// Idea:    manoeuvres and the frame that calls them both write outcomes, so these stand below both.
//          A measured field is held to the range that the table of vehicles names.
// Cost:    O(1), a field by a search in the table.
#include "frame.h"

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
