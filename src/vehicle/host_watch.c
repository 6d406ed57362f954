// The host check in a driver's memory: begins by itself, ends when there is nothing to find, and
// changes the reason of the controls, never the controls. O(1)
#include "shared.h"

#include "host_check.h"

// Judgements after which a check ends: a minute of driving, or less where the vehicle is slow. [1]
#define HOST_WATCH_JUDGEMENTS 300
// Log odds of a mistake above which it goes on.
#define HOST_WATCH_SUSPECT 3.0f

static bool host_watch_suspects(const kerb_host_check* check) {
    for (int32_t i = KERB_HOST_NO_MISTAKE + 1; i < KERB_HOST_MISTAKE_COUNT; i++)
        if (check->evidence[i] > HOST_WATCH_SUSPECT)
            return true;
    return false;
}

kerb_host_mistake kerb_in_host_watch(kerb_host_check* check, const kerb_vehicle* vehicle,
                                     const kerb_motion* motion, const kerb_controls* given,
                                     float time_step) {
    if (check->judgements >= HOST_WATCH_JUDGEMENTS && !host_watch_suspects(check))
        return KERB_HOST_NO_MISTAKE;
    if (check->memory.vehicle.speed_max == 0.0f)
        kerb_host_check_init(check, vehicle);
    kerb_host_check_feed(check, motion, given, time_step);
    return kerb_host_check_worst(check);
}

kerb_reason kerb_in_host_reason(kerb_host_mistake which, kerb_reason reason) {
    if (which == KERB_HOST_NO_MISTAKE)
        return reason;
    switch (reason) {
    case KERB_REASON_CRUISE:
    case KERB_REASON_CURVE:
    case KERB_REASON_SPEED_LIMIT:
    case KERB_REASON_STEERING:
    case KERB_REASON_BACKING_OUT:
    case KERB_REASON_TOO_STEEP:
    case KERB_REASON_SLIDING:
    case KERB_REASON_OFF_TRACK:
    case KERB_REASON_WRONG_WAY:
    case KERB_REASON_OFF_PATH:
    case KERB_REASON_ACCELERATE:
        return KERB_REASON_HOST_MISTAKE;
    default:
        return reason;
    }
}
