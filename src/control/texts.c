// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/control.h"

#include "../base/shared.h"

const char* kerb_traction_budget_text(kerb_traction_budget value) {
    static const char* const texts[] = {
        [KERB_TRACTION_ELLIPSE] = "ellipse",
        [KERB_TRACTION_LINEAR] = "linear",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_recovery_text(kerb_recovery value) {
    static const char* const texts[] = {
        [KERB_RECOVERY_NONE] = "none",
        [KERB_RECOVERY_SIMPLE] = "simple",
        [KERB_RECOVERY_FULL] = "full",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_stuck_phase_text(kerb_stuck_phase value) {
    static const char* const texts[] = {
        [KERB_STUCK_FREE] = "free",
        [KERB_STUCK_BACK_OUT] = "backing out",
        [KERB_STUCK_TELEPORT] = "requests a teleport",
        [KERB_STUCK_GIVEN_UP] = "given up",
    };
    return KERB_ENUM_TEXT(texts, value);
}
