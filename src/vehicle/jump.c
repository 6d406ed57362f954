// A vehicle that was put elsewhere, or a glitch of one frame; jump.h tells the idea.
#include "jump.h"

static kerb_in_jump jump_first(kerb_motion_memory* left, const kerb_motion_memory* before,
                               const kerb_in_frame_input* input, kerb_reason reason) {
    if (!input->elsewhere || !before->known)
        return KERB_IN_JUMP_NONE;
    if (reason == KERB_REASON_BAD_MOTION || reason == KERB_REASON_BAD_STEP)
        return KERB_IN_JUMP_ELSEWHERE;
    *left = *before;
    left->time = kerb_min(before->time + input->time_step, KERB_TIME_STEP_MAX);
    return KERB_IN_JUMP_DOUBTFUL;
}

kerb_in_jump kerb_in_jump_judge(kerb_motion_memory* left, const kerb_motion_memory* before,
                                const kerb_in_frame_input* input, kerb_reason reason) {
    if (!left->known)
        return jump_first(left, before, input, reason);
    const bool elsewhere = kerb_in_frame_is_elsewhere(left, input);
    left->known = false; // the jump is no longer doubtful
    return elsewhere ? KERB_IN_JUMP_ELSEWHERE : KERB_IN_JUMP_NONE;
}
