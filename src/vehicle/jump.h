// Purpose: tells a vehicle that was put elsewhere from a glitch of one frame.
// Idea:    after a jump a driver waits for one frame and repeats its last controls. If the vehicle
//          is then where it can have driven to from where it was before the jump, the frame between
//          was a glitch, and the driver goes on as if it had not been. If not, it was put
//          elsewhere, and what the driver remembers of the ground no longer holds. After a bad
//          frame there are no controls worth repeating, and a jump counts at once.
//          A driver that cannot wait, because it is at speed on its line or among others, drives on
//          at once from where it is, and takes that back when the vehicle is back soon: it keeps
//          what was before the first jump for a second.
// Cost:    O(1).
#ifndef KERB_IN_VEHICLE_JUMP_H
#define KERB_IN_VEHICLE_JUMP_H

#include "frame_input.h"

typedef enum kerb_in_jump {
    KERB_IN_JUMP_NONE,     // it has driven here, or this is the first frame, or it is back
    KERB_IN_JUMP_DOUBTFUL, // it jumped in this frame: repeat the last controls
    KERB_IN_JUMP_ELSEWHERE // it jumped in the last frame and is not back, or jumped after a bad
                           // frame: begin anew
} kerb_in_jump;

// Judges a frame that kerb_in_frame_take found to be without fault. `left` is memory for this
// function alone, all 0 at first: where the vehicle was before a doubtful jump. `before` is what
// the driver remembered of its motion before it took the frame, `reason` that of its last controls.
kerb_in_jump kerb_in_jump_judge(kerb_motion_memory* left, const kerb_motion_memory* before,
                                const kerb_in_frame_input* input, kerb_reason reason);

// For drivers that answer a jump at once. A jump within this time of another one belongs to it,
// and what was before the first one is what counts: hosts that put a vehicle elsewhere and back do
// so within a few frames, and longer than a second nobody calls it a glitch. [s]
#define KERB_IN_JUMP_BACK_TIME 1.0f

// Moves the time since the first jump on.
static inline void kerb_in_jump_pass(float* since, float time_step) {
    *since = kerb_min(*since + time_step, KERB_IN_JUMP_BACK_TIME);
}

// Whether a jump now belongs to the one before: what was before that one still counts.
static inline bool kerb_in_jump_belongs(float since) {
    return since < KERB_IN_JUMP_BACK_TIME;
}

#endif
