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

// What counts as 5 % of a value. Delays: a frame or two. An understeer gradient: 5 % of a bend at
// the speed at which a vehicle with this lateral acceleration, over its wheelbase, drives: 15 m/s
// for a car.
#define OUTCOME_SHARE 0.05f
#define OUTCOME_DELAY 0.02f         // [s]
#define OUTCOME_CREEP 0.1f          // [m/s]
#define OUTCOME_UNDERSTEER_AT 83.0f // [m/s²]
#define OUTCOME_WINGS_AT 30.0f      // speed at which 5 % of the load count as such [m/s]

static float outcome_five_percent(kerb_calibration_field field, float value) {
    float share = OUTCOME_SHARE * kerb_abs(value);
    switch (field) {
    case KERB_CALIBRATES_STEERING_DELAY:
    case KERB_CALIBRATES_THROTTLE_DELAY:
        return kerb_max(share, OUTCOME_DELAY);
    case KERB_CALIBRATES_CREEP_SPEED:
        return kerb_max(share, OUTCOME_CREEP);
    case KERB_CALIBRATES_UNDERSTEER_GRADIENT:
        return OUTCOME_SHARE * kerb_max(1.0f / OUTCOME_UNDERSTEER_AT + value, 0.0f);
    case KERB_CALIBRATES_DOWNFORCE:
        return OUTCOME_SHARE * (KERB_GRAVITY / (OUTCOME_WINGS_AT * OUTCOME_WINGS_AT) + value);
    default:
        return share;
    }
}

void kerb_in_calibrate_note(kerb_calibrator* calibrator, kerb_calibration_field field,
                            kerb_estimated value) {
    const kerb_setting* row =
        kerb_settings_find(&kerb_vehicle_table, kerb_calibration_field_name(field));
    if (row == NULL || !value.known || !kerb_is_finite(value.value))
        return;
    float held = kerb_clamp(value.value, row->min, row->max);
    // Beyond its range it is a guess.
    float doubt = kerb_max(value.deviation, kerb_abs(value.value - held));
    float five = outcome_five_percent(field, held);
    (void)kerb_settings_set(row, &calibrator->measured, held, NULL);
    kerb_calibration_confidence confidence = KERB_CALIBRATION_GUESSED;
    if (2.0f * doubt <= 2.0f * five)
        confidence = KERB_CALIBRATION_ESTIMATED;
    if (2.0f * doubt <= five)
        confidence = KERB_CALIBRATION_MEASURED;
    calibrator->confidence[field] = (uint8_t)confidence;
    calibrator->deviation[field] = kerb_max(doubt, 1e-6f);
}

void kerb_in_calibrate_forget(kerb_calibrator* calibrator) {
    kerb_calibrator_memory* m = &calibrator->memory;
    m->step = m->count = m->gear = 0;
    m->step_time = m->phase_time = m->steady_time = m->circling = 0.0f;
    m->throttle_share = 1.0f;
    memset(m->mark, 0, sizeof m->mark);
    kerb_in_measure_begin(&m->measure);
}

// Takes what all of the driving taught of a field, beside what the manoeuvres measured.
static void outcome_join(kerb_calibrator* calibrator, kerb_calibration_field field,
                         kerb_estimated other) {
    const kerb_setting* row =
        kerb_settings_find(&kerb_vehicle_table, kerb_calibration_field_name(field));
    float doubt = calibrator->deviation[field];
    kerb_estimated own = {kerb_settings_get(row, &calibrator->measured), doubt, doubt > 0.0f};
    kerb_in_calibrate_note(calibrator, field, kerb_in_measure_join(own, other));
}

// In the order in which they need each other.
static void conclude_straight(kerb_calibrator* calibrator) {
    const kerb_calibrator_memory* m = &calibrator->memory;
    const uint8_t* confidence = calibrator->confidence;
    kerb_vehicle* v = &calibrator->measured;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_POWER,
                           kerb_in_measure_power(&m->measure, v));
    // Without tyres there is no grip that wings could raise.
    const kerb_estimated* tyres = &m->estimate.body.tyres;
    if (v->kind == KERB_VEHICLE_WHEELED && !(tyres->known && tyres->value < 0.5f) &&
        confidence[KERB_CALIBRATES_DRAG] != KERB_CALIBRATION_GIVEN)
        kerb_in_calibrate_note(
            calibrator, KERB_CALIBRATES_DOWNFORCE,
            kerb_in_measure_wings(&m->measure, v, calibrator->deviation[KERB_CALIBRATES_DRAG]));
    bool wings = confidence[KERB_CALIBRATES_DOWNFORCE] != KERB_CALIBRATION_GIVEN;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_BRAKING_MAX,
                           kerb_in_measure_braking(&m->measure, v, wings));
    bool power = confidence[KERB_CALIBRATES_POWER] != KERB_CALIBRATION_GIVEN;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_SPEED_MAX,
                           kerb_in_measure_top_beyond(&m->measure, v, power));
}

static void conclude_turning(kerb_calibrator* calibrator) {
    kerb_calibrator_memory* m = &calibrator->memory;
    kerb_vehicle* v = &calibrator->measured;
    const kerb_body_estimate* body = &m->estimate.body;
    if (calibrator->phase == KERB_CALIBRATION_UNDERSTEER)
        kerb_in_calibrate_note(
            calibrator, KERB_CALIBRATES_UNDERSTEER_GRADIENT,
            kerb_in_measure_understeer(&m->measure, v, body, m->circle_steering, m->line_trim));
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_ANGLE_MAX,
                           kerb_in_measure_lock(&m->measure, v, v->understeer_gradient));
    if (m->measure.grip_lateral > 0.0f)
        kerb_in_calibrate_note(
            calibrator, KERB_CALIBRATES_LATERAL_ACCELERATION_MAX,
            kerb_in_measure_grip(&m->measure, v, body, kerb_in_calibrate_grip_speed(calibrator),
                                 calibrator->deviation[KERB_CALIBRATES_DOWNFORCE]));
}

void kerb_in_calibrate_conclude(kerb_calibrator* calibrator) {
    kerb_calibrator_memory* m = &calibrator->memory;
    const kerb_vehicle* v = &calibrator->measured;
    bool wheels = v->kind == KERB_VEHICLE_WHEELED;
    const kerb_pedal_estimate* pedals = &m->estimate.pedals;
    kerb_vehicle_estimate_update(&m->estimate);
    conclude_straight(calibrator);
    if (wheels)
        conclude_turning(calibrator);
    kerb_estimated push = kerb_pedal_estimate_drive_at(pedals, 0.0f);
    push.value -= v->coasting_deceleration;
    outcome_join(calibrator, KERB_CALIBRATES_ACCELERATION_MAX, push);
    outcome_join(calibrator, KERB_CALIBRATES_BRAKING_MAX, pedals->braking);
    outcome_join(calibrator, KERB_CALIBRATES_THROTTLE_DELAY, pedals->throttle_delay);
    outcome_join(calibrator, KERB_CALIBRATES_CREEP_SPEED, pedals->creep_speed);
    // Of both, understeer and a lock that falls with speed, a bend is made. The estimate knows the
    // first alone; the second is known where the wheels are told.
    kerb_estimated gradient = m->estimate.body.understeer_gradient;
    gradient.deviation += m->measure.circle_doubt;
    if (wheels && m->measure.circle_fell)
        outcome_join(calibrator, KERB_CALIBRATES_UNDERSTEER_GRADIENT, gradient);
    if (wheels)
        outcome_join(calibrator, KERB_CALIBRATES_YAW_INERTIA, m->estimate.body.gyration_square);
}
