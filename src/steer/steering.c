// Purpose: what a behaviour answers with: a steering that wishes nothing, and whether one wishes
//          something.
// Idea:    agents and behaviours both ask, so it stands below both. A wish has a direction, and is
//          made of numbers.
// Cost:    O(1).
#include "behaviour.h"

kerb_steering kerb_steering_none(void) {
    kerb_steering none = {{0.0f, 0.0f, 0.0f}, 0.0f};
    return none;
}

bool kerb_in_steer_is_wish(const kerb_steering* wish) {
    return kerb_vec3_is_finite(wish->direction) && kerb_is_finite(wish->speed) &&
           kerb_vec3_dot(wish->direction, wish->direction) > 0.0f;
}
