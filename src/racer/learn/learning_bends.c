// Purpose: what a racing driver learns in bends that it drives as planned.
// Idea:    A bend driven without a slide, well inside the edge, and with less slip than tyres have
//          at that share of their grip, has grip to spare: its bin rises a little. Where the tyres
//          at their limit held less than the learned grip, the bin falls by the difference. The
//          measured acceleration decides, because a late entry or an early exit does not change it.
// Cost:    O(1) a frame, O(bins) when a bin is left.
#include "learning_parts.h"

// Greatest rise in a lap. Small, so that one wet wheel or push teaches little. [1]
#define RISE_MOST 0.040f
// Rise per unit of unused slip. [1]
#define RISE_BY_SLIP 0.16f
// With its tyres at their limit for this time in a bin, the use measured there is their grip. [s]
#define LOST_TIME 0.15f
// A bend counts as driven as planned from this share of the planned speed² on … [1]
#define DRIVEN 0.93f
// … where the bend, and not braking, decides that speed: at least this share of the bend's speed² …
// [1]
#define BY_BEND 0.9f
// … and for this time in a bin. [s]
#define DRIVEN_TIME 0.12f
// Slip below this share of the slip at the planned use is spare. [1]
#define SLIP_SPARE 0.95f
// Slip above this multiple of it means that the tyres are at their limit. [1]
#define SLIP_LOST 1.15f
// A driver that never drives a bend gently never measures its tyres. After this many rounds it
// tries more speed … [1]
#define PROBE_AFTER 1.5
// … as if this slip were unused. [1]
#define PROBE_SPARE 0.2f
// A frame is steady with less brake than this … [1]
#define STEADY_BRAKE 0.05f
// … a yaw rate that differs less from the turning of the path … [rad/s]
#define LEARNING_BENDS_STEADY_YAW 0.1f
// … and a smaller share of the grip along the car. [1]
#define STEADY_PUSH 0.25f

// True: the tyres at their limit held less than the learned grip, and the bin fell.
static bool lost_grip(kerb_racer* racer, const racer_frame* frame) {
    int32_t bin = racer->memory.learnt.bin, count = kerb_in_learning_bins_of(racer, frame->line);
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
    int32_t count = kerb_in_learning_bins_of(racer, frame->line);
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
                  kerb_abs(frame->yaw_rate - racer->memory.turning) <
                      LEARNING_BENDS_STEADY_YAW / racer->memory.speed_scale;
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
    // By measured slip alone: an assumed one would look like spare grip.
    racer->memory.learnt.slip +=
        frame->time_step * kerb_in_learning_slip_by(racer, racer->memory.seen_slip);
}
