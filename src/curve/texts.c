// Texts of this room's enums. O(1)
#include "kerb/curve.h"

#include "../base/shared.h"

const char* kerb_dubins_word_text(kerb_dubins_word value) {
    static const char* const texts[] = {
        [KERB_DUBINS_LSL] = "LSL", [KERB_DUBINS_RSR] = "RSR", [KERB_DUBINS_LSR] = "LSR",
        [KERB_DUBINS_RSL] = "RSL", [KERB_DUBINS_RLR] = "RLR", [KERB_DUBINS_LRL] = "LRL",
    };
    return KERB_ENUM_TEXT(texts, value);
}
