// Texts of this room's enums. O(1)
#include "kerb/cars.h"

#include "../base/shared.h"

const char* kerb_side_text(kerb_side value) {
    static const char* const texts[] = {
        [KERB_SIDE_FRONT] = "front",
        [KERB_SIDE_BEHIND] = "behind",
        [KERB_SIDE_LEFT] = "left",
        [KERB_SIDE_RIGHT] = "right",
    };
    return KERB_ENUM_TEXT(texts, value);
}
