// Purpose: the desired steering that a behaviour returns: the one without a direction, and the test
//          whether a steering has one.
// Idea:    Agents and behaviours both need these two functions, so this file is below both.
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
