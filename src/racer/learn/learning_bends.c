// Purpose: what a racing driver learns of bends that it drives as planned.
// Idea:    Driven without a slide, well inside the edge, and with less slip than tyres have at that
//          share of their grip, a bend has some to spare: its bin rises a little. Where tyres at
//          their limit held less than was known of, it falls by what lacks: what they hold is what
//          the car does, which a bend entered late or left early does not change.
// Cost:    O(1) a frame, O(bins) when a bin is left.
#include "learning_parts.h"

// It rises at most by this in a lap, by this for each unit of slip that is not used. [1]
#define RISE_MOST 0.040f
#define RISE_BY_SLIP 0.16f
// With its tyres at their limit for so long in a bin, what they held there is what they can. [s]
#define LOST_TIME 0.15f
// Planned by the bend and driven so: speed² against the plan's, the plan's against the bend's, and
// for so long in a bin. [1], [1], [s]
#define DRIVEN 0.93f
#define BY_BEND 0.9f
#define DRIVEN_TIME 0.12f
// Slip that counts as spare, and slip that the tyres have at their limit, by that of the planned
// use. [1]
#define SLIP_SPARE 0.95f
#define SLIP_LOST 1.15f
// Who never takes a bend gently never measures them: after so many rounds he tries what there is,
// as if so much slip were not used. [1], [1]
#define PROBE_AFTER 1.5
#define PROBE_SPARE 0.2f
// Steadily: no more brake, yaw against the way's turning, and push by the grip. [1], [rad/s], [1]
#define STEADY_BRAKE 0.05f
#define LEARNING_BENDS_STEADY_YAW 0.1f
#define STEADY_PUSH 0.25f

// At the limit of its tyres it held less than it knew of.
static bool lost_grip(kerb_racer* racer, const racer_frame* frame) {
    int32_t bin = racer->memory.learnt.bin, count = kerb_in_learning_bins_of(frame->line);
    if (racer->memory.learnt.lost < LOST_TIME)
        return false;
    kerb_in_learning_see(racer, bin);
    float lacks =
        racer->memory.learnt.grip[bin] - racer->memory.learnt.lost_use / LEARNING_LOST_HOLDS;
    if (lacks < LEARNING_LOST_FROM)
        return false;
    kerb_in_learning_fall(racer, bin, kerb_min(lacks, LEARNING_LOST_MOST),
                          KERB_RACER_LEARNED_GRIP_MIN);
    if (racer->memory.learnt.held[bin] < 2)
        racer->memory.learnt.held[bin] = 2;
    kerb_in_learning_level(racer, bin, count);
    kerb_in_learning_find_common(racer, count);
    return true;
}

void kerb_in_learning_leave_bin(kerb_racer* racer, const racer_frame* frame) {
    int32_t bin = racer->memory.learnt.bin;
    float driven = racer->memory.learnt.driven;
    if (lost_grip(racer, frame) || driven < DRIVEN_TIME)
        return;
    kerb_in_learning_see(racer, bin);
    if (racer->memory.learnt.held[bin] > 0) {
        racer->memory.learnt.held[bin]--;
        return;
    }
    bool known = racer->memory.half_slip_time >= LEARNING_SLIP_KNOWN_TIME;
    if (!known && racer->memory.learnt.way < PROBE_AFTER * racer->memory.learnt.length)
        return;
    float most = SLIP_SPARE * kerb_in_learning_slip_at(kerb_in_learning_planned_use(racer, frame)) *
                 kerb_in_learning_stretch(racer);
    float spare = known ? most - racer->memory.learnt.slip / driven : PROBE_SPARE;
    if (spare <= 0.0f)
        return;
    int32_t count = kerb_in_learning_bins_of(frame->line);
    float step = kerb_min(RISE_BY_SLIP * spare, RISE_MOST);
    kerb_in_learning_rise(racer, bin, count,
                          step / (1.0f + 2.0f * (float)racer->memory.learnt.falls[bin]));
    kerb_in_learning_find_common(racer, count);
}

// As fast as the bend was planned.
static bool is_driven(const racer_frame* frame, const racer_place* place) {
    float square = frame->speed * frame->speed;
    float top = frame->limits.speed_max * frame->limits.speed_max;
    return place->squared >= BY_BEND * place->corner && square >= DRIVEN * place->squared &&
           place->squared < 0.99f * top;
}

void kerb_in_learning_watch_limit(kerb_racer* racer, const racer_frame* frame,
                                  const racer_place* place) {
    float dt = frame->time_step, use = racer->memory.learnt.use_now;
    float push = kerb_abs(racer->memory.push) / kerb_max(frame->grip_aside, 0.1f);
    bool steady = racer->controls.brake < STEADY_BRAKE && push < STEADY_PUSH && use > 0.5f &&
                  kerb_abs(frame->yaw_rate - racer->memory.turning) < LEARNING_BENDS_STEADY_YAW;
    float limit = SLIP_LOST * kerb_in_learning_slip_at(kerb_in_learning_planned_use(racer, frame)) *
                  kerb_in_learning_stretch(racer);
    if (!steady || !is_driven(frame, place) ||
        kerb_in_learning_slip_by(racer, racer->memory.half_slip) < limit)
        return;
    racer->memory.learnt.lost += dt;
    racer->memory.learnt.lost_use = kerb_max(racer->memory.learnt.lost_use, use);
}

void kerb_in_learning_watch_bend(kerb_racer* racer, const racer_frame* frame,
                                 const racer_place* place) {
    if (!is_driven(frame, place))
        return;
    racer->memory.learnt.driven += frame->time_step;
    // By what was measured alone: what was supposed before that would be taken for spare.
    racer->memory.learnt.slip +=
        frame->time_step * kerb_in_learning_slip_by(racer, racer->memory.seen_slip);
}
