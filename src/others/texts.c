// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/others.h"

#include "../base/shared.h"

const char* kerb_driving_side_text(kerb_driving_side value) {
    static const char* const texts[] = {
        [KERB_DRIVE_RIGHT] = "right",
        [KERB_DRIVE_LEFT] = "left",
    };
    return KERB_ENUM_TEXT(texts, value);
}
