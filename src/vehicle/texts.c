// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/vehicle.h"

#include "../base/shared.h"

const char* kerb_vehicle_kind_text(kerb_vehicle_kind value) {
    static const char* const texts[] = {
        [KERB_VEHICLE_WHEELED] = "wheeled",
        [KERB_VEHICLE_TRACKED] = "tracked",
        [KERB_VEHICLE_HOVER] = "hover",
    };
    return KERB_ENUM_TEXT(texts, value);
}
