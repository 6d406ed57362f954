// Which motion of the host a calibration believes, and how a manoeuvre begins again that the host
// disturbed.
//
// A frame of impossible motion makes the vehicle brake, a long frame hides what it did, and a
// vehicle that is put elsewhere is no longer where the manoeuvre needs it: what was measured is
// void. The vehicle then stops, drives back to the middle line, stops there, and begins again. A
// position may also be wrong for some frames only; then the vehicle counts as going straight on
// meanwhile, and the measurement goes on: other drivers wait for one frame (vehicle/jump.h), which
// is too short where a measurement of minutes is at stake. O(1) a frame.
#include "frame.h"

// A vehicle that stays where it cannot have driven to for this time was put there. [s]
#define PUT_TIME 0.25f
// Slower than this for STILL_TIME is standstill: above the noise of physics engines. [m/s], [s]
#define STILL_SPEED 0.06f
#define STILL_TIME 0.3f

kerb_motion kerb_in_calibrate_believe(kerb_calibrator* calibrator, const kerb_in_frame_input* input,
                                      float* since_last) {
    kerb_calibrator_memory* m = &calibrator->memory;
    const kerb_motion *told = &input->motion, *last = &m->last;
    float jumped = m->jumped;
    *since_last = jumped + input->time_step;
    if (input->elsewhere || jumped > 0.0f) {
        kerb_vec3 expected = kerb_vec3_along(last->position, last->velocity, *since_last);
        const kerb_motion_memory left = {.position = expected, .known = true, .time = jumped};
        bool back = jumped > 0.0f && !kerb_in_frame_is_elsewhere(&left, input);
        if (!back && *since_last <= PUT_TIME) {
            kerb_motion straight_on = *last;
            straight_on.position = expected;
            m->jumped = *since_last;
            *since_last = input->time_step;
            return straight_on;
        }
        if (!back)
            m->again = CALIBRATE_AGAIN_STOP;
    }
    m->jumped = 0.0f;
    return *told;
}

// True at standstill.
bool kerb_in_calibrate_stands(kerb_calibrator* calibrator, const calibrate_frame* frame,
                              calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    kerb_in_calibrate_hold(calibrator, frame, wish);
    bool still = kerb_abs(frame->speed) < STILL_SPEED && kerb_abs(frame->side) < STILL_SPEED;
    m->steady_time = still ? m->steady_time + frame->time_step : 0.0f;
    return m->steady_time > STILL_TIME;
}

bool kerb_in_calibrate_begins_again(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                    bool drives_back, calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    bool given_up = false;
    switch (m->again) {
    case CALIBRATE_AGAIN_STOP:
        if (!kerb_in_calibrate_stands(calibrator, frame, wish))
            return false;
        m->turns = 0;
        m->travel = kerb_abs(frame->heading) < 0.5f * KERB_PI ? 1.0f : -1.0f;
        m->again = CALIBRATE_AGAIN_RETURN;
        kerb_in_calibrate_forget(calibrator);
        return !drives_back;
    case CALIBRATE_AGAIN_RETURN: {
        const kerb_calibration_settings* s = &calibrator->settings;
        float most = 0.5f * (s->space_ahead + s->space_behind); // the longer half of the area
        if (!kerb_in_calibrate_approach(calibrator, frame, kerb_in_calibrate_crawl(calibrator),
                                        most, wish, &given_up) &&
            !given_up)
            return false;
        m->again = CALIBRATE_AGAIN_STAND;
        kerb_in_calibrate_forget(calibrator);
        return false;
    }
    default:
        return kerb_in_calibrate_stands(calibrator, frame, wish);
    }
}
