// Purpose: downforce, from full braking.
// Idea:    tyres that are the limit of the brakes hold more where wings press on them: the
//          deceleration falls with speed², by more than drag explains. Brakes that are weaker than
//          the tyres lose the same at every speed; then only drag is seen, and no downforce is
//          said. Where brakes limit at high speed and tyres below it, the lower speeds count.
// Cost:    O(1) a frame; O(windows) at the end.
#include "frame.h"

// The deceleration is averaged over this time, at least; and so many frames. [s]
#define WINGS_WINDOW 0.2f
#define WINGS_FRAMES 2.0f
// Slower, brakes and frames do not give what they gave before. [m/s]
#define WINGS_SLOWEST 2.0f
// The brakes have built up where a window lost no more than this multiple of the one before. [1]
#define WINGS_BUILT 1.01f
// Shares of the greatest speed that are tried as the fastest one that counts. [1]
#define WINGS_CUTS 3
static const float wings_cut[WINGS_CUTS] = {1.0f, 0.75f, 0.55f};
// Windows err alike: four of them tell as much as one. [1]
#define WINGS_ALIKE 2.0f
// The tyres brake by at least this share of what they hold in a bend. Below it brakes are the
// limit. [1]
#define WINGS_TYRES 0.8f
// What a change of load from axle to axle takes or gives while the speed falls. [1/m]
#define WINGS_ELSE 1.0e-4f
// Where the brakes limit one axle, only what presses on the other shows: that may be this share of
// all of it less than was seen. Where none shows, as many wings may stay hidden: of 55 hosts one
// had any. [1], [1/m]
#define WINGS_HALF 0.5f
#define WINGS_HIDDEN 0.00025f

void kerb_in_calibrate_watch_wings(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float speed = kerb_sqrt(frame->speed * frame->speed + frame->side * frame->side);
    m->wings_time += frame->time_step;
    m->wings_locked = calibrator->locks > m->locks_before;
    if (m->count <= 1) { // of this braking
        m->wings_count = 0;
        m->wings_time = m->wings_lost = 0.0f;
        m->wings_speed = speed;
    }
    if (m->wings_time < kerb_max(WINGS_WINDOW, WINGS_FRAMES * frame->time_step) * 0.999f)
        return;
    float lost = (m->wings_speed - speed) / m->wings_time;
    bool built = m->wings_count > 0 || lost <= WINGS_BUILT * m->wings_lost;
    if (built && speed > WINGS_SLOWEST && m->wings_count < KERB_CALIBRATION_WINGS) {
        m->wings_at[m->wings_count] = 0.5f * (m->wings_speed + speed);
        m->wings_by[m->wings_count++] = lost;
    }
    m->wings_lost = lost;
    m->wings_speed = speed;
    m->wings_time = 0.0f;
}

// Deceleration at rest, and by speed², of all speeds up to a greatest one. False: too few.
static bool wings_fit(const kerb_calibrator_memory* m, float fastest, double c[3],
                      float* deviation) {
    kerb_calibration_fit fit = {0};
    for (int32_t i = 0; i < m->wings_count; i++)
        if (m->wings_at[i] <= fastest)
            kerb_in_calibrate_fit_add(&fit, (double)(m->wings_at[i] * m->wings_at[i]), 0.0,
                                      (double)m->wings_by[i]);
    *deviation = WINGS_ALIKE * (float)kerb_in_calibrate_fit_deviation(&fit, 2, 1);
    return fit.count >= 4 && kerb_in_calibrate_fit_solve(&fit, 2, c);
}

void kerb_in_calibrate_note_wings(kerb_calibrator* calibrator) {
    kerb_calibrator_memory* m = &calibrator->memory;
    const kerb_vehicle* v = &calibrator->measured;
    // Without tyres there is no grip that wings could raise.
    bool rigid = m->body.tyres.known && m->body.tyres.value < 0.5f;
    if (m->wings_count == 0 || m->wings_locked || rigid || v->kind != KERB_VEHICLE_WHEELED ||
        calibrator->confidence[KERB_CALIBRATES_DRAG] == KERB_CALIBRATION_GIVEN)
        return;
    double c[3] = {0.0, 0.0, 0.0};
    float best = 0.0f, doubt = 0.0f, holds = 0.0f;
    for (int32_t i = 0; i < WINGS_CUTS; i++) {
        float deviation;
        if (!wings_fit(m, wings_cut[i] * m->wings_at[0], c, &deviation))
            break;
        float tyres = (float)c[0] - v->coasting_deceleration;
        if (tyres <= 0.0f)
            break;
        float per = KERB_GRAVITY / tyres, drag = calibrator->deviation[KERB_CALIBRATES_DRAG];
        float wings = ((float)c[1] - v->drag) * per;
        float error = kerb_sqrt(deviation * deviation + drag * drag) * per + WINGS_ELSE;
        if (i > 0 && wings - best < 2.0f * (error + doubt))
            continue;
        best = wings;
        doubt = error;
        holds = tyres;
    }
    float turns = m->grip_lateral, square = m->grip_speed * m->grip_speed / KERB_GRAVITY;
    turns /= 1.0f + kerb_max(best, 0.0f) * square;
    bool tyres = turns > 0.0f && holds > WINGS_TYRES * turns;
    // What falls with speed² is no brake.
    bool presses = best > 3.0f * doubt;
    if (doubt <= 0.0f || !(tyres || presses))
        return;
    doubt = kerb_max(doubt, presses ? WINGS_HALF * best : WINGS_HIDDEN);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_DOWNFORCE, kerb_max(best, 0.0f), doubt);
}
