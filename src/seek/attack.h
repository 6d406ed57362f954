// What goals to attack from share on the level and in space. Private to the room.
#ifndef KERB_IN_SEEK_ATTACK_H
#define KERB_IN_SEEK_ATTACK_H

#include "kerb/seek.h"

/// Where the middle of an arc aims when the front is `forward`, without a bank.
kerb_vec3 kerb_in_steer_attack_middle(kerb_vec3 forward, float middle);

/// How far off that middle something lies. [rad] [>= 0]
float kerb_in_steer_attack_off(kerb_vec3 forward, float middle, kerb_vec3 to_target);

/// kerb_attack_goal off the level: `margin` is the share of arc and range left at either end.
kerb_directed_goal kerb_in_steer_attack_in_space(const kerb_agent* agent,
                                                 const kerb_attack_arc* arc, kerb_vec3 target,
                                                 float speed, float margin);

#endif
