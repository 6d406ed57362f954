// Purpose: how much the tyres of a racing car hold, and how they slip.
// Idea:    What the tyres hold follows from the change of the car's velocity; the pedals do not say
//          it. Slip is counted in units of the slip at half of the grip, which the driver measures,
//          so that nothing depends on the kind of tyre.
// Cost:    O(1).
#include "learning_parts.h"

// The greatest use of the last seconds fades at this rate. [1/s]
#define HELD_FADES 0.06f
// The acceleration by the tyres is averaged over this time. [s]
#define HELD_OVER 0.1f
// More than this share of the host's grip is not believed. [1]
#define USE_MOST 1.2f

float kerb_in_learning_planned_use(const kerb_racer* racer, const racer_frame* frame) {
    float told = kerb_max(racer->memory.car.lateral * frame->grip, 0.1f);
    return kerb_clamp(frame->limits.lateral / told, 0.1f, 1.0f);
}

float kerb_in_learning_slip_at(float use) {
    return kerb_in_racer_slip_for(1.0f, use);
}

float kerb_in_learning_stretch(const kerb_racer* racer) {
    return kerb_max(racer->memory.learnt.common, 1.0f);
}

float kerb_in_learning_slip_by(const kerb_racer* racer, const float half[2]) {
    float front = kerb_abs(racer->decision.slip_front) / kerb_max(half[0], RACER_HALF_SLIP_MIN);
    float rear = kerb_abs(racer->decision.slip_rear) / kerb_max(half[1], RACER_HALF_SLIP_MIN);
    return kerb_max(front, rear);
}

// What the tyres hold along and across together, as a share of the host's grip: from the change of
// the velocity, which the pedals do not say. [1]
static float use_now(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->memory.car;
    float told = kerb_max(frame->grip_aside / frame->grip_more, 0.1f), dt = frame->time_step;
    kerb_vec3 left = frame->left;
    kerb_vec3 change = kerb_vec3_sub(frame->motion->velocity, racer->memory.learnt.velocity);
    float resists = p->rolling + p->drag * frame->speed * frame->speed;
    float along = kerb_vec3_dot(change, frame->forward) / dt + KERB_GRAVITY * frame->forward.z;
    float aside = kerb_vec3_dot(change, left) / dt + KERB_GRAVITY * left.z;
    float share = dt / (HELD_OVER + dt);
    racer->memory.learnt.along += share * (along + resists - racer->memory.learnt.along);
    racer->memory.learnt.aside += share * (aside - racer->memory.learnt.aside);
    // In units of lateral grip: with a larger braking grip, the same acceleration counts for less.
    float by_aside = racer->memory.learnt.along * p->lateral / kerb_max(p->braking, 0.1f);
    return kerb_sqrt(racer->memory.learnt.aside * racer->memory.learnt.aside +
                     by_aside * by_aside) /
           told;
}

void kerb_in_learning_watch_grip(kerb_racer* racer, const racer_frame* frame) {
    float now = kerb_min(use_now(racer, frame), USE_MOST);
    racer->memory.learnt.use_now = now;
    racer->memory.learnt.use =
        kerb_max(racer->memory.learnt.use - HELD_FADES * frame->time_step, now);
}
