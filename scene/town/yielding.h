// Right of way among vehicles that park: a kerb_parker sees no other vehicle, but its path can be
// read. A vehicle that would come to where another one is about to drive waits until that one is
// past.
#ifndef KERB_SCENE_TOWN_YIELDING_H
#define KERB_SCENE_TOWN_YIELDING_H

#include "kerb/seek.h"

#define KERB_SCENE_YIELDING_MOST 16

/// One of those that share the ground.
typedef struct kerb_scene_yielding {
    const kerb_parker* parker;
    kerb_pose pose; ///< of its reference point, now
    float speed;    ///< either way [m/s]
} kerb_scene_yielding;

/// For each the greatest speed at which it can still stop before whoever stands in its way, and
/// before the ways of those that go first: for kerb_surroundings.speed_cap. Of two whose ways meet,
/// the one that stands on the other's way goes first, so that it is cleared; else the one with the
/// lower index. O(count² · metres of way) [0 <= count <= KERB_SCENE_YIELDING_MOST]
void kerb_scene_yielding_caps(const kerb_scene_yielding* all, int32_t count, float* caps);

#endif
