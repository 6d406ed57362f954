// Purpose: the values that need several manoeuvres, and those that all of the driving taught.
// Idea:    every value is the estimate's. Each waits for those that it needs: power for the
//          resistance, grip for wings and lock.
// Cost:    O(samples), once.
#include "frame.h"

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
    kerb_calibrator_memory* m = &calibrator->memory;
    const uint8_t* confidence = calibrator->confidence;
    kerb_vehicle* v = &calibrator->measured;
    kerb_pedal_estimate* pedals = &m->estimate.pedals;
    kerb_in_calibrate_note_resistance(calibrator);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_POWER,
                           kerb_in_measure_power(&m->measure, v));
    // Without tyres there is no grip that wings could raise.
    const kerb_estimated* tyres = &m->estimate.body.tyres;
    if (v->kind == KERB_VEHICLE_WHEELED && !(tyres->known && tyres->value < 0.5f) &&
        confidence[KERB_CALIBRATES_DRAG] != KERB_CALIBRATION_GIVEN)
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_DOWNFORCE,
                               kerb_in_measure_wings(&pedals->memory.slow, &m->measure, v,
                                                     calibrator->deviation[KERB_CALIBRATES_DRAG]));
    // What wings press, the brakes have at rest no more.
    bool wings = confidence[KERB_CALIBRATES_DOWNFORCE] != KERB_CALIBRATION_GIVEN;
    pedals->vehicle.downforce = wings ? v->downforce : 0.0f;
    kerb_pedal_estimate_update(pedals);
    kerb_estimated braking = pedals->braking;
    braking.value += v->coasting_deceleration; // which slows it, too
    kerb_in_calibrate_note_learned(calibrator, KERB_CALIBRATES_BRAKING_MAX, braking,
                                   pedals->memory.slow.braking > 0.0f);
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
    kerb_estimated push = pedals->drive[0];
    push.value -= v->coasting_deceleration;
    const kerb_pedal_estimate_memory* told = &pedals->memory;
    kerb_in_calibrate_note_learned(calibrator, KERB_CALIBRATES_ACCELERATION_MAX, push,
                                   told->launch.known);
    kerb_in_calibrate_note_learned(calibrator, KERB_CALIBRATES_THROTTLE_DELAY,
                                   pedals->throttle_delay, told->step.known);
    kerb_in_calibrate_note_learned(calibrator, KERB_CALIBRATES_CREEP_SPEED, pedals->creep_speed,
                                   told->creeps.known);
    // Of both, understeer and a lock that falls with speed, a bend is made. The estimate knows the
    // first alone; the second is known where the wheels are told.
    kerb_estimated gradient = m->estimate.body.understeer_gradient;
    gradient.deviation += m->measure.circle_doubt;
    if (wheels && m->measure.circle_fell)
        outcome_join(calibrator, KERB_CALIBRATES_UNDERSTEER_GRADIENT, gradient);
    if (wheels)
        outcome_join(calibrator, KERB_CALIBRATES_YAW_INERTIA, m->estimate.body.gyration_square);
}
