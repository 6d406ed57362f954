// Texts of this room's enums. O(1)
#include "kerb/draw.h"

#include "../base/shared.h"

const char* kerb_draw_role_text(kerb_draw_role value) {
    static const char* const texts[] = {
        [KERB_DRAW_PATH] = "path",
        [KERB_DRAW_CORRIDOR] = "corridor",
        [KERB_DRAW_PLANNED_PATH] = "planned path",
        [KERB_DRAW_TARGET] = "target",
        [KERB_DRAW_ARC] = "commanded arc",
        [KERB_DRAW_NEAREST] = "nearest point",
        [KERB_DRAW_FOOTPRINT] = "footprint",
        [KERB_DRAW_SPEED] = "speed",
        [KERB_DRAW_NEIGHBOUR] = "neighbour",
        [KERB_DRAW_BRAKING] = "braking",
        [KERB_DRAW_ACCELERATING] = "accelerating",
        [KERB_DRAW_TREE] = "search tree",
        [KERB_DRAW_RAY] = "ray",
        [KERB_DRAW_RAY_VEHICLE] = "ray to a vehicle",
    };
    return KERB_ENUM_TEXT(texts, value);
}
