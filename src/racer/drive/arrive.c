// Purpose: what a racing driver forgets when the host puts its car elsewhere, and what moves when
//          the place of a number changes: another scale of total distance, another origin.
// Idea:    What it has learned about car, tyres and line stays. What it measured from one frame to
//          the next starts again, and so does every decision that was about the place. That is all
//          in this file, so that a new field of the memory has one place where it must be thought
//          of; only what it learns of the line waits a frame, because the host may put it back
//          (learning.c).
// Cost:    O(1), but O(other cars) to move them.
#include "../../base/shared.h"
#include "../../vehicle/shared.h"
#include "../learn/learning.h"

// Smoothed measurements and the last frame, of what the car does.
static void arrive_motion(kerb_racer* racer, const racer_frame* frame) {
    racer->memory.forward = frame->forward;
    racer->memory.speed = frame->speed;
    racer->memory.turned = 0.0f;
    racer->memory.turning = frame->yaw_rate;
    racer->memory.pushed = racer->memory.held = racer->memory.pressed = racer->memory.push = 0.0f;
    racer->memory.slide = racer->memory.wide = racer->memory.locked = 0.0f;
    racer->memory.slip = racer->memory.lock = racer->memory.asked = racer->memory.sinks = 0.0f;
    racer->memory.reached = racer->memory.steering;
    racer->memory.short_of = racer->memory.late.turns_more = 0.0f;
    racer->memory.launch = 0.0f; // the clutch: engaged again at once where the engine has the speed
    // Commands of the last frames still act: they stay.
}

// Where it is in a recovery from trouble. Progress is measured anew, from wherever it is.
static void arrive_recovery(kerb_racer* racer) {
    racer->memory.phase = KERB_RACER_DRIVING;
    racer->memory.in_phase = racer->memory.side = racer->memory.tipped = 0.0f;
    racer->memory.farthest = 0.0f;
    racer->memory.scraping = 0.0f;
    racer->memory.stuck = (kerb_stuck){.progress_mark = RACER_NO_PROGRESS};
}

// What it decided about the other cars there. What it knows about each of them stays.
static void arrive_traffic(kerb_racer* racer) {
    racer->memory.traffic.active = racer->memory.traffic.kept = false;
    racer->memory.traffic.squeezed = racer->memory.traffic.way_due = false;
    racer->memory.traffic.bend = racer->memory.traffic.yields = racer->memory.traffic.defends = 0;
    racer->memory.traffic.defends_to = 0.0;
    racer->memory.traffic.yields_for = racer->memory.traffic.yield_speed = 0.0f;
    racer->memory.traffic.held = racer->memory.traffic.asks = 0.0f;
    racer->memory.traffic.asked = racer->memory.traffic.blocked = 0.0f;
    racer->memory.traffic.far_speed = 1.0e6f;
    racer->memory.ahead.end = racer->memory.ahead.first = 0; // the planned path, too
}

void kerb_in_racer_let_go(kerb_racer* racer) {
    arrive_recovery(racer);
}

void kerb_in_racer_arrive_elsewhere(kerb_racer* racer, racer_frame* frame) {
    arrive_motion(racer, frame);
    arrive_recovery(racer);
    arrive_traffic(racer);
}

void kerb_in_racer_shift_total(kerb_racer* racer, double by) {
    racer->memory.stuck.progress_mark += by;
    racer->memory.stuck.stuck_progress += by;
    if (racer->memory.traffic.defends_to != 0.0)
        racer->memory.traffic.defends_to += by;
    racer->memory.traffic.bend_brakes += by;
    racer->memory.traffic.bend_apex += by;
}

void kerb_in_racer_shift_others(kerb_racer* racer, float by) {
    for (int32_t i = 0; i < racer->memory.traffic.known_count; i++) {
        racer->memory.traffic.known[i].ahead += by;
        racer->memory.traffic.known[i].catch_at += by;
        racer->memory.traffic.known[i].clear_at += by;
    }
}

void kerb_racer_shift_origin(kerb_racer* racer, kerb_vec3 new_origin) {
    KERB_ASSERT(racer != NULL && kerb_vec3_is_finite(new_origin));
    // As kerb_racing_line_shift_origin does it: to the same bits.
    racer->memory.line_key[2] -= (double)new_origin.x;
    racer->memory.line_key[3] -= (double)new_origin.y;
    kerb_in_motion_shift_origin(&racer->memory.motion, new_origin);
    kerb_lap_learner_shift_origin(&racer->memory.learner, new_origin);
    kerb_host_check_shift_origin(&racer->memory.host_check, new_origin);
    racer->decision.target = kerb_vec3_sub(racer->decision.target, new_origin);
    racer->decision.neighbour.position =
        kerb_vec3_sub(racer->decision.neighbour.position, new_origin);
}
