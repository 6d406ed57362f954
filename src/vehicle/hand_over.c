// A player takes the wheel and gives it back; hand_over.h tells the idea.
#include "hand_over.h"

// Time in which a driver's controls replace a player's. A change of lateral acceleration by 2 m/s²
// then has a jerk of 6 m/s³ at most, as a passenger still likes it. [s]
#define HAND_OVER_TIME 0.5f

kerb_controls kerb_controls_blend(const kerb_controls* from, const kerb_controls* to, float share) {
    kerb_controls controls = *to;
    share = share >= 0.0f ? kerb_min(share, 1.0f) : 0.0f;
    controls.steering = from->steering + share * (to->steering - from->steering);
    controls.pitch = from->pitch + share * (to->pitch - from->pitch);
    controls.roll = from->roll + share * (to->roll - from->roll);
    controls.yaw = from->yaw + share * (to->yaw - from->yaw);
    controls.lift = from->lift + share * (to->lift - from->lift);
    // One foot: throttle and brake are one axis. In another direction the old throttle is wrong.
    float old_throttle = from->gear * to->gear < 0 ? 0.0f : from->throttle;
    float old = old_throttle - from->brake, now = to->throttle - to->brake;
    float pedal = old + share * (now - old);
    controls.throttle = kerb_max(pedal, 0.0f);
    controls.brake = kerb_max(-pedal, 0.0f);
    return controls;
}

// The controls that acted, in range; false when they cannot have.
static bool hand_over_take(kerb_controls* controls, const kerb_controls* applied) {
    if (!kerb_is_finite(applied->throttle) || !kerb_is_finite(applied->brake) ||
        !kerb_is_finite(applied->steering))
        return false;
    controls->throttle = kerb_clamp(applied->throttle, 0.0f, 1.0f);
    controls->brake = kerb_clamp(applied->brake, 0.0f, 1.0f);
    controls->steering = kerb_clamp(applied->steering, -1.0f, 1.0f);
    controls->handbrake = applied->handbrake;
    return true;
}

bool kerb_in_hand_over_begin(kerb_hand_over_memory* memory, kerb_controls* controls,
                             const kerb_surroundings* surroundings) {
    const kerb_controls* applied = surroundings ? surroundings->applied : NULL;
    const bool took = applied && hand_over_take(controls, applied);
    const bool player = kerb_in_player_drives(surroundings);
    if (memory->player && !player) {
        memory->back = true;
        memory->left = memory->told && !memory->held ? HAND_OVER_TIME : 0.0f;
    }
    memory->player = player;
    memory->held = surroundings && surroundings->held;
    if (player)
        memory->told = took;
    if (player && took) {
        memory->steering = controls->steering;
        memory->pedal = controls->throttle - controls->brake;
        memory->gear = applied->gear > 0 ? 1 : applied->gear < 0 ? -1 : 0;
    }
    return memory->back;
}

void kerb_in_hand_over_end(kerb_hand_over_memory* memory, kerb_controls* controls,
                           float time_step) {
    memory->back = false;
    if (memory->held) {
        controls->throttle = 0.0f;
        controls->brake = controls->clutch = 1.0f;
        controls->handbrake = false;
        controls->reason = KERB_REASON_WAIT;
    }
    if (memory->player || memory->left <= 0.0f)
        return;
    const bool usable = time_step >= 0.0f && time_step < HAND_OVER_TIME;
    memory->left = kerb_max(memory->left - (usable ? time_step : 0.0f), 0.0f);
    const kerb_controls from = {.steering = memory->steering,
                                .throttle = kerb_max(memory->pedal, 0.0f),
                                .brake = kerb_max(-memory->pedal, 0.0f),
                                .gear = memory->gear};
    float share = kerb_smooth_step(1.0f - memory->left / HAND_OVER_TIME, 0.0f, 1.0f);
    *controls = kerb_controls_blend(&from, controls, share);
}
