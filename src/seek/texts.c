// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/seek.h"

#include "../base/shared.h"

const char* kerb_directed_method_text(kerb_directed_method value) {
    static const char* const texts[] = {
        [KERB_DIRECTED_PAPER] = "paper",
        [KERB_DIRECTED_BOTH_CIRCLES] = "both-circles",
        [KERB_DIRECTED_DUBINS] = "dubins",
        [KERB_DIRECTED_REVERSE] = "reverse",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_directed_radius_text(kerb_directed_radius value) {
    static const char* const texts[] = {
        [KERB_DIRECTED_RADIUS_AGENT] = "agent",
        [KERB_DIRECTED_RADIUS_LARGER] = "larger",
        [KERB_DIRECTED_RADIUS_TWO] = "two",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_directed_space_text(kerb_directed_space value) {
    static const char* const texts[] = {
        [KERB_DIRECTED_LEVEL] = "level",
        [KERB_DIRECTED_ONE_PLANE] = "one-plane",
        [KERB_DIRECTED_TWO_PLANES] = "two-planes",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_directed_stage_text(kerb_directed_stage value) {
    static const char* const texts[] = {
        [KERB_DIRECTED_NO_PATH] = "no path",     [KERB_DIRECTED_FIRST_TURN] = "first turn",
        [KERB_DIRECTED_STRAIGHT] = "straight",   [KERB_DIRECTED_LAST_TURN] = "last turn",
        [KERB_DIRECTED_AT_GOAL] = "at the goal",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_parker_phase_text(kerb_parker_phase value) {
    static const char* const texts[] = {
        [KERB_PARKER_PLANS] = "planning",
        [KERB_PARKER_TURNS_WHEELS] = "turning the wheels",
        [KERB_PARKER_PIVOTS] = "turning on the spot",
        [KERB_PARKER_DRIVES] = "driving",
        [KERB_PARKER_STOPS] = "stopping",
        [KERB_PARKER_ARRIVED] = "arrived",
    };
    return KERB_ENUM_TEXT(texts, value);
}
