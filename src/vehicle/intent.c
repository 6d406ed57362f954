// The box round what a vehicle means to drive. O(places).
#include "kerb/vehicle.h"

void kerb_intent_bound(kerb_intent* intent) {
    if (intent->count < 1)
        return;
    // A body that stands askew reaches to the side, too.
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
