// Texts of this room's enums. O(1)
#include "kerb/group.h"

#include "../base/shared.h"

const char* kerb_formation_shape_text(kerb_formation_shape value) {
    static const char* const texts[] = {
        [KERB_FORMATION_LINE] = "line",   [KERB_FORMATION_COLUMN] = "column",
        [KERB_FORMATION_WEDGE] = "wedge", [KERB_FORMATION_BOX] = "box",
        [KERB_FORMATION_RING] = "ring",
    };
    return KERB_ENUM_TEXT(texts, value);
}
