// The bounding box of the positions that a vehicle intends to drive through. O(positions).
#include "kerb/vehicle.h"

void kerb_intent_bound(kerb_intent* intent) {
    if (intent->count < 1)
        return;
    // The body may be at an angle to the line between the positions, so it reaches as far to the
    // side as to the front.
    float reach = kerb_max(intent->front, intent->rear) + 0.5f * intent->width;
    kerb_vec2 low = intent->points[0], high = low;
    for (int32_t i = 1; i < intent->count && i < KERB_INTENT_POINTS_MAX; i++) {
        kerb_vec2 at = intent->points[i];
        low = kerb_vec2_make(kerb_min(low.x, at.x), kerb_min(low.y, at.y));
        high = kerb_vec2_make(kerb_max(high.x, at.x), kerb_max(high.y, at.y));
    }
    intent->box_min = kerb_vec2_make(low.x - reach, low.y - reach);
    intent->box_max = kerb_vec2_make(high.x + reach, high.y + reach);
}
