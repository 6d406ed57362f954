// Purpose: what the estimates, which learn from every frame, say of the fields at the end.
// Idea:    a manoeuvre is sharper than an estimate, since it knows what it waits for; but an
//          estimate sees all of the driving, and states its doubt. It takes over what was not
//          measured, or with more doubt. Where the two contradict each other, one of them errs, and
//          nobody knows which: the field is as far from the truth as they are from each other.
// Cost:    O(1).
#include "frame.h"

// So many deviations of both are a contradiction: on the family of hosts the manoeuvre was right in
// two of three that were three deviations apart, and in none that were more than four. [1]
#define OPINIONS_APART 4.0f

// `own` is what the manoeuvres measured.
static void opinions_weigh(kerb_calibrator* calibrator, kerb_calibration_field field, float own,
                           kerb_estimated other) {
    float doubt = calibrator->deviation[field];
    if (doubt <= 0.0f || other.deviation < doubt) {
        if (other.known)
            kerb_in_calibrate_note(calibrator, field, other.value, other.deviation);
        return;
    }
    float apart = kerb_abs(own - other.value);
    float both = kerb_sqrt(doubt * doubt + other.deviation * other.deviation);
    if (apart > OPINIONS_APART * both)
        kerb_in_calibrate_note(calibrator, field, own, kerb_max(doubt, 0.5f * apart));
}

void kerb_in_calibrate_second_opinions(kerb_calibrator* calibrator) {
    kerb_calibrator_memory* m = &calibrator->memory;
    const kerb_vehicle* v = &calibrator->measured;
    kerb_estimated push = kerb_pedal_estimate_drive_at(&m->pedals, 0.0f);
    push.value -= v->coasting_deceleration;
    opinions_weigh(calibrator, KERB_CALIBRATES_ACCELERATION_MAX, v->acceleration_max, push);
    opinions_weigh(calibrator, KERB_CALIBRATES_BRAKING_MAX, v->braking_max, m->pedals.braking);
    opinions_weigh(calibrator, KERB_CALIBRATES_THROTTLE_DELAY, v->throttle_delay,
                   m->pedals.throttle_delay);
    opinions_weigh(calibrator, KERB_CALIBRATES_CREEP_SPEED, v->creep_speed, m->pedals.creep_speed);
    if (v->kind != KERB_VEHICLE_WHEELED)
        return;
    // Of both, understeer and a lock that falls with speed, a bend is made. The estimate knows the
    // first alone; the second is known where the wheels are told.
    kerb_estimated gradient = m->body.understeer_gradient;
    gradient.deviation += m->circle_doubt;
    if (m->circle_fell)
        opinions_weigh(calibrator, KERB_CALIBRATES_UNDERSTEER_GRADIENT, v->understeer_gradient,
                       gradient);
    opinions_weigh(calibrator, KERB_CALIBRATES_YAW_INERTIA, v->yaw_inertia,
                   m->body.gyration_square);
}
