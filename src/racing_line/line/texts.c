// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/racing_line.h"

#include "../../base/shared.h"

const char* kerb_line_method_text(kerb_line_method value) {
    static const char* const texts[] = {
        [KERB_LINE_SPRING] = "spring",
        [KERB_LINE_CURVATURE] = "curvature",
        [KERB_LINE_TIME] = "time",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_line_side_text(kerb_line_side value) {
    static const char* const texts[] = {
        [KERB_LINE_NORMAL] = "normal",
        [KERB_LINE_LEFT] = "left",
        [KERB_LINE_RIGHT] = "right",
        [KERB_LINE_DEFENSIVE] = "defensive",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_line_state_text(kerb_line_state value) {
    static const char* const texts[] = {
        [KERB_LINE_RUNNING] = "running",
        [KERB_LINE_DONE] = "done",
    };
    return KERB_ENUM_TEXT(texts, value);
}
