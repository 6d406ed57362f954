// Controls of a vehicle: safe controls, texts of reasons, and conversion to one signed input.
#include "kerb/vehicle.h"

#include "../base/shared.h"

static const char* const reason_texts[KERB_REASON_COUNT] = {
    [KERB_REASON_NONE] = "not driven yet",
    [KERB_REASON_CRUISE] = "cruising",
    [KERB_REASON_CURVE] = "bend ahead",
    [KERB_REASON_SPEED_LIMIT] = "speed limit",
    [KERB_REASON_SPEED_CAP] = "at the speed cap of the host",
    [KERB_REASON_STEERING] = "steering hard",
    [KERB_REASON_STOP] = "slowing for a stop",
    [KERB_REASON_WAIT] = "waiting at a stop",
    [KERB_REASON_END] = "slowing for the end",
    [KERB_REASON_ARRIVED] = "arrived",
    [KERB_REASON_REVERSAL] = "switching forward/reverse",
    [KERB_REASON_BACKING_OUT] = "stuck: backing out",
    [KERB_REASON_TELEPORT] = "stuck: requests a teleport",
    [KERB_REASON_GIVEN_UP] = "stuck: given up",
    [KERB_REASON_TOO_STEEP] = "hill too steep",
    [KERB_REASON_FOLLOWING] = "vehicle or obstacle ahead",
    [KERB_REASON_YIELDING] = "yielding",
    [KERB_REASON_AVOIDING] = "passing an obstacle",
    [KERB_REASON_BAD_MOTION] = "the host gives an impossible motion",
    [KERB_REASON_BAD_STEP] = "invalid time step",
    [KERB_REASON_SLIDING] = "correcting a slide",
    [KERB_REASON_OFF_TRACK] = "off the track",
    [KERB_REASON_WRONG_WAY] = "wrong way: turning round",
    [KERB_REASON_HOST_MISTAKE] = "the host tells something wrongly",
    [KERB_REASON_OFF_PATH] = "far from its path",
    [KERB_REASON_MISSED_END] = "missed the end: coming back",
    [KERB_REASON_ACCELERATE] = "accelerating",
    [KERB_REASON_MAKING_ROOM] = "making room for others",
    [KERB_REASON_NO_ROOM] = "no room to pass",
};

const char* kerb_reason_text(kerb_reason reason) {
    return KERB_ENUM_TEXT(reason_texts, reason);
}

kerb_controls kerb_controls_safe(kerb_reason reason) {
    kerb_controls controls = {.brake = 1.0f, .reason = reason};
    return controls;
}

static float controls_direction_of(int32_t gear) {
    return gear > 0 ? 1.0f : gear < 0 ? -1.0f : 0.0f;
}

float kerb_controls_signed_throttle(const kerb_controls* controls, float forward_speed) {
    // A negative input brakes a vehicle and then drives it in reverse. Below this speed the brake
    // fades out, so that a braked vehicle stays at standstill instead of moving to and fro. [m/s]
    const float fade = 0.5f;
    float brake = controls->handbrake ? 1.0f : controls->brake;
    float against = kerb_clamp(forward_speed / fade, -1.0f, 1.0f);
    float drive = controls->throttle * controls_direction_of(controls->gear);
    return kerb_clamp(drive - brake * against, -1.0f, 1.0f);
}
