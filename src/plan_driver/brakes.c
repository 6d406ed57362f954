// Purpose: estimates what slows the vehicle down without throttle: the drag of the engine, and the
//          true strength of the brakes.
// Idea:    The pedal counts as it was when the host has done with it: with a delay of all controls
//          that is some time ago, and without it the filter would take late brakes for weak ones,
//          then for strong ones. A kerb_vehicle gives the deceleration that brakes can reach on the
//          tyres at rest. The brake pedal of a car with wings can ask for three times as much. In
//          each frame: deceleration = drag + strength · pedal. These are two unknowns in one
//          equation, which become distinct as the pedal moves. A Kalman filter with slow drift of
//          both estimates them. If all of the deceleration counted as drag, the pedal would follow
//          its own error down, and the driver would release the brakes where the engine, with a
//          slipping clutch, holds nothing.
// Cost:    O(1) per frame.
#include "driver.h"

// Speed above which it learns [m/s], and the time after the throttle has closed [s], when the
// engine's thrust has faded.
#define BRAKES_LEARNS_FROM 0.5f
#define LEARNS_AFTER 0.1f
// Bounds of the estimates, so that bad frames do no harm: the drag over braking_max, and the
// strength of the brakes over that of the vehicle. [1]
#define DRAG_MOST 0.3f
#define PLAN_DRIVER_BRAKES_LEAST 0.5f
#define BRAKES_MOST 5.0f
// Standard deviations of the filter, chosen by trial: of drag [m/s²] and strength [1] at first;
// their drift [m/s² and 1, per root of a second]; of a frame's deceleration [m/s²].
#define DRAG_DOUBT 1.5f
#define BRAKES_DOUBT 0.5f
#define DRAG_DRIFT 1.0f
#define BRAKES_DRIFT 0.1f
// Where braking is told as at least this share of the lateral acceleration, tyres may be the limit
// of both, and the pedal may be stronger by this on average. [1]
#define BRAKES_TYRES 0.8f
#define BRAKES_FIRST_TYRES 1.4f
#define BRAKES_SEEN_DOUBT 1.0f
// Below this speed clutches slip, and the drag of the engine fades. [m/s]
#define DRAG_FROM 1.0f

kerb_plan_driver_slowing kerb_in_plan_slowing_make(const kerb_vehicle* vehicle) {
    bool tyres = vehicle->kind == KERB_VEHICLE_WHEELED &&
                 vehicle->braking_max > BRAKES_TYRES * vehicle->lateral_acceleration_max;
    float doubt = BRAKES_DOUBT;
    return (kerb_plan_driver_slowing){.brakes = tyres ? BRAKES_FIRST_TYRES : 1.0f,
                                      .doubt = {DRAG_DOUBT * DRAG_DOUBT, doubt * doubt, 0.0f}};
}

// Share of the engine's drag that is left at a speed. [1]
static float drag_share(float speed) {
    return kerb_clamp(speed / DRAG_FROM, 0.0f, 1.0f);
}

// One update of the Kalman filter with seen = share·drag + pressed·brakes + noise.
static void update(kerb_plan_driver_slowing* s, float share, float pressed, float seen,
                   float noise) {
    float drag = s->doubt[0], brakes = s->doubt[1], both = s->doubt[2];
    float to_drag = drag * share + both * pressed, to_brakes = both * share + brakes * pressed;
    float per = 1.0f / (share * to_drag + pressed * to_brakes + noise);
    float surprise = (seen - share * s->drag - pressed * s->brakes) * per;
    s->drag += surprise * to_drag;
    s->brakes += surprise * to_brakes;
    s->doubt[0] = drag - to_drag * to_drag * per;
    s->doubt[1] = brakes - to_brakes * to_brakes * per;
    s->doubt[2] = both - to_drag * to_brakes * per;
}

static void brakes_drift(kerb_plan_driver_slowing* s, float time_step) {
    s->doubt[0] += DRAG_DRIFT * DRAG_DRIFT * time_step;
    s->doubt[1] += BRAKES_DRIFT * BRAKES_DRIFT * time_step;
    s->doubt[0] = kerb_min(s->doubt[0], DRAG_DOUBT * DRAG_DOUBT);
    s->doubt[1] = kerb_min(s->doubt[1], BRAKES_DOUBT * BRAKES_DOUBT);
}

void kerb_in_plan_slowing_learn(kerb_plan_driver_slowing* slowing, const plan_slowed* frame) {
    kerb_plan_driver_slowing* s = slowing;
    bool is_lifted = frame->throttle <= 0.0f && frame->speed > BRAKES_LEARNS_FROM;
    s->lifted = is_lifted ? s->lifted + frame->time_step : 0.0f;
    float fades = kerb_max(frame->vehicle->throttle_delay, frame->late);
    if (s->lifted < LEARNS_AFTER + fades)
        return;
    float most = frame->vehicle->braking_max, off = s->brakes * most * frame->doubt;
    brakes_drift(s, frame->time_step);
    update(s, drag_share(frame->speed), frame->pressed * most,
           kerb_clamp(frame->lost, -most, 3.0f * most),
           BRAKES_SEEN_DOUBT * BRAKES_SEEN_DOUBT + off * off);
    // What is known of the drag is known of the brakes: where it cannot be what it seems, they are
    // not, either.
    float drag = kerb_clamp(s->drag, 0.0f, DRAG_MOST * most);
    s->brakes += (drag - s->drag) * s->doubt[2] / kerb_max(s->doubt[0], 1e-6f);
    s->drag = drag;
    s->brakes = kerb_clamp(s->brakes, PLAN_DRIVER_BRAKES_LEAST, BRAKES_MOST);
}

float kerb_in_plan_slowing_told(const kerb_plan_driver_slowing* slowing, float pushed,
                                float speed) {
    return kerb_min(pushed + drag_share(speed) * slowing->drag, 0.0f) / slowing->brakes;
}
