// Formations of any kind of vehicle: a leader drives along a path, a follower that starts elsewhere
// meets its slot and keeps it, all in the models of sim/.
#ifndef KERB_SCENE_PLAN_KIND_FORMATION_H
#define KERB_SCENE_PLAN_KIND_FORMATION_H

#include "kerb/group.h"
#include "scene/plan/kind_drive.h"

/// How a follower did.
typedef struct kerb_scene_kind_company {
    bool met;          ///< it was led to its slot
    int32_t chases;    ///< plans of chases that it drove
    float meeting;     ///< when it came to its slot [s]
    float meeting_off; ///< distance from its slot then [m]
    float error_mean;  ///< from then on: of its offset from the leader [m]
    float error_max; ///< the same in the last half of the path, which is a bend and a straight [m]
} kerb_scene_kind_company;

/// Speed of formations of a kind: less than half of its greatest, or near its cruise speed. [m/s]
float kerb_scene_kind_pace(const kerb_scene_kind* kind);

/// Drives a leader along a straight line, a bend of 120° and a straight line, in space with a
/// climb, and a follower that starts in another place and direction. `slot`: as kerb_formation_slot
/// [m]. False: no memory.
bool kerb_scene_kind_formation_drive(const kerb_scene_kind* kind, kerb_vec3 slot,
                                     kerb_random* random, kerb_scene_kind_company* company);

#endif
