// Purpose: the desired steering that a behaviour returns: the one without a direction, the test
//          whether a steering has one, and what becomes of a result that is not finite.
// Idea:    Agents and behaviours both need these functions, so this file is below both.
// Cost:    O(1).
#include "behaviour.h"

kerb_steering kerb_steering_none(void) {
    kerb_steering none = {{0.0f, 0.0f, 0.0f}, 0.0f};
    return none;
}

kerb_steering kerb_in_steer_mended(kerb_steering wish) {
    kerb_vec3 direction = kerb_vec3_unit(wish.direction, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    if (!kerb_is_finite(wish.speed) || kerb_vec3_dot(direction, direction) == 0.0f)
        return kerb_steering_none();
    wish.direction = direction;
    return wish;
}

bool kerb_in_steer_is_wish(const kerb_steering* wish) {
    return kerb_vec3_is_finite(wish->direction) && kerb_is_finite(wish->speed) &&
           kerb_vec3_dot(wish->direction, wish->direction) > 0.0f;
}
