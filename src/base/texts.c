// Texts of this room's enums. O(1)
#include "kerb/base.h"

#include "enum_text.h"

const char* kerb_log_level_text(kerb_log_level value) {
    static const char* const texts[] = {
        [KERB_LOG_DETAIL] = "detail",
        [KERB_LOG_NOTE] = "note",
        [KERB_LOG_WARNING] = "warning",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_setting_type_text(kerb_setting_type value) {
    static const char* const texts[] = {
        [KERB_SETTING_FLOAT] = "number",
        [KERB_SETTING_INT] = "whole number",
        [KERB_SETTING_CHOICE] = "choice",
    };
    return KERB_ENUM_TEXT(texts, value);
}
