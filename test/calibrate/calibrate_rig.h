// What tests of the calibrator judge it by: the error of a field.
#ifndef TEST_CALIBRATE_CALIBRATE_RIG_H
#define TEST_CALIBRATE_CALIBRATE_RIG_H

#include "kerb/calibrate.h"

#include <math.h>

static inline float value_of(const kerb_vehicle* vehicle, int32_t field) {
    const char* name = kerb_calibration_field_name((kerb_calibration_field)field);
    const kerb_setting* row = kerb_settings_find(&kerb_vehicle_table, name);
    assert_non_null(row);
    return kerb_settings_get(row, vehicle);
}

// What counts as 100 % of a field. 5 % of a delay are at least 0.02 s, of creep 0.1 m/s.
static inline double whole_of(const kerb_vehicle* truth, int32_t field) {
    double wanted = (double)value_of(truth, field);
    bool delays =
        field == KERB_CALIBRATES_STEERING_DELAY || field == KERB_CALIBRATES_THROTTLE_DELAY;
    return field == KERB_CALIBRATES_CREEP_SPEED ? fmax(wanted, 2.0)
           : delays                             ? fmax(wanted, 0.01)
                                                : wanted;
}

static inline double error_percent(const kerb_calibrator* calibrator, const kerb_vehicle* truth,
                                   int32_t field) {
    // Of the load at 30 m/s: most have none.
    if (field == KERB_CALIBRATES_DOWNFORCE)
        return 100.0 * (double)(calibrator->measured.downforce - truth->downforce) /
               (double)(KERB_GRAVITY / 900.0f + truth->downforce);
    double off = (double)(value_of(&calibrator->measured, field) - value_of(truth, field));
    return 100.0 * off / whole_of(truth, field);
}

#endif
