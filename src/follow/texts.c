// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/follow.h"
#include "kerb/follow_paper.h"

#include "../base/shared.h"

const char* kerb_follower_method_text(kerb_follower_method value) {
    static const char* const texts[] = {
        [KERB_FOLLOWER_KERB] = "kerb",
        [KERB_FOLLOWER_PAPER] = "paper",
        [KERB_FOLLOWER_BASELINE] = "baseline",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_target_point_text(kerb_target_point value) {
    static const char* const texts[] = {
        [KERB_TARGET_LOOKAHEAD] = "lookahead",
        [KERB_TARGET_RABBIT] = "rabbit",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_neighbour_mode_text(kerb_neighbour_mode value) {
    static const char* const texts[] = {
        [KERB_NEIGHBOURS_IGNORE] = "ignore",
        [KERB_NEIGHBOURS_AVOID] = "avoid",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_follower_steering_text(kerb_follower_steering value) {
    static const char* const texts[] = {
        [KERB_STEERING_TOLD] = "told",
        [KERB_STEERING_LEARNED] = "learned",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_speed_ahead_text(kerb_speed_ahead value) {
    static const char* const texts[] = {
        [KERB_AHEAD_SHARPEST] = "sharpest",
        [KERB_AHEAD_BRAKING] = "braking",
    };
    return KERB_ENUM_TEXT(texts, value);
}
