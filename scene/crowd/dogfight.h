// A dogfight: one half of the airplanes wander in a sphere of sky, also up and down. Each of the
// other half tries to get behind one of them, with the prey in its arc of fire. Kinematic agents
// (kerb_agent_step).
#ifndef KERB_SCENE_CROWD_DOGFIGHT_H
#define KERB_SCENE_CROWD_DOGFIGHT_H

#include "kerb/steer.h"

#define KERB_SCENE_DOGFIGHT_PAIRS 3
#define KERB_SCENE_DOGFIGHT_GAP 40.0f   ///< wished between a hunter and what it hunts [m]
#define KERB_SCENE_DOGFIGHT_RANGE 80.0f ///< of fire, within 15 degrees of the nose [m]

typedef struct kerb_scene_dogfight {
    kerb_agent prey[KERB_SCENE_DOGFIGHT_PAIRS], hunters[KERB_SCENE_DOGFIGHT_PAIRS];
    kerb_wander wander[KERB_SCENE_DOGFIGHT_PAIRS];
    kerb_vec3 turning[KERB_SCENE_DOGFIGHT_PAIRS]; ///< of the prey [rad/s]
    kerb_region sky;
    double time;           ///< [s]
    double behind;         ///< of all hunters: within two gaps behind, headed within 60 degrees [s]
    double aiming;         ///< of all hunters: the prey within arc and range of fire [s]
    double aiming_longest; ///< in one stretch, the longest of all [s]
    double aiming_now[KERB_SCENE_DOGFIGHT_PAIRS];
    double first_behind; ///< until all have been that once; 0: not yet [s]
    bool has_been[KERB_SCENE_DOGFIGHT_PAIRS];
} kerb_scene_dogfight;

kerb_scene_dogfight kerb_scene_dogfight_make(uint64_t seed);

/// All think, then all move.
void kerb_scene_dogfight_step(kerb_scene_dogfight* fight, float time_step);

#endif
