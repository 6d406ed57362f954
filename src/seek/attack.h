// What the search for attack poses shares on the plane and in space. Private to the room.
#ifndef KERB_IN_SEEK_ATTACK_H
#define KERB_IN_SEEK_ATTACK_H

#include "kerb/seek.h"

/// Direction of the arc's middle when the front is `forward`, without bank.
kerb_vec3 kerb_in_steer_attack_middle(kerb_vec3 forward, float middle);

/// Angle between that middle and a direction. [rad] [>= 0]
float kerb_in_steer_attack_off(kerb_vec3 forward, float middle, kerb_vec3 to_target);

/// kerb_attack_goal in space. `margin`: share of arc and range that is left at either end.
kerb_directed_goal kerb_in_steer_attack_in_space(const kerb_agent* agent,
                                                 const kerb_attack_arc* arc, kerb_vec3 target,
                                                 float speed, float margin);

#endif
