// A vehicle that was put elsewhere, or a glitch of one frame; jump.h tells the idea.
#include "jump.h"

// True: a jump was doubtful in the last frame. It no longer is.
static bool jump_was_doubtful(kerb_motion_memory* left, kerb_motion_memory* was) {
    *was = *left;
    left->known = false;
    return was->known;
}

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
                                const kerb_in_frame_input* input, kerb_reason reason,
                                float speed_max, float jump_least) {
    kerb_motion_memory was;
    if (!jump_was_doubtful(left, &was))
        return jump_first(left, before, input, reason);
    return kerb_in_frame_take(&was, &input->motion, speed_max, jump_least, input->time_step)
                   .elsewhere
               ? KERB_IN_JUMP_ELSEWHERE
               : KERB_IN_JUMP_NONE;
}

kerb_in_jump kerb_in_jump_judge_vehicle(kerb_motion_memory* left, const kerb_motion_memory* before,
                                        const kerb_in_frame_input* input, kerb_reason reason,
                                        const kerb_vehicle* vehicle) {
    kerb_motion_memory was;
    if (!jump_was_doubtful(left, &was))
        return jump_first(left, before, input, reason);
    return kerb_in_frame_take_vehicle(&was, vehicle, &input->motion, input->time_step).elsewhere
               ? KERB_IN_JUMP_ELSEWHERE
               : KERB_IN_JUMP_NONE;
}
