// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/racer.h"

#include "../../base/shared.h"

const char* kerb_racer_steering_text(kerb_racer_steering value) {
    static const char* const texts[] = {
        [KERB_RACER_LINE] = "line",
        [KERB_RACER_POLE] = "pole",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_racer_slip_text(kerb_racer_slip value) {
    static const char* const texts[] = {
        [KERB_RACER_SLIP_OFF] = "off",
        [KERB_RACER_SLIP_ON] = "on",
        [KERB_RACER_SLIP_LOCKS] = "locks",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_racer_phase_text(kerb_racer_phase value) {
    static const char* const texts[] = {
        [KERB_RACER_DRIVING] = "driving",
        [KERB_RACER_SPINNING] = "spinning",
        [KERB_RACER_TURNING_ROUND] = "turning round",
        [KERB_RACER_REVERSING] = "reversing",
    };
    return KERB_ENUM_TEXT(texts, value);
}
