// Texts of this room's enums. O(1)
#include "kerb/steer.h"

#include "../base/shared.h"

const char* kerb_region_kind_text(kerb_region_kind value) {
    static const char* const texts[] = {
        [KERB_REGION_POLYGON] = "polygon",
        [KERB_REGION_BOX] = "box",
        [KERB_REGION_ROUND] = "round",
    };
    return KERB_ENUM_TEXT(texts, value);
}
