// Obstacles of the planner for all kinds: a copy of the world, and footprints against it. Private
// to the room.
#ifndef KERB_IN_PLAN_KIND_OBSTACLES_H
#define KERB_IN_PLAN_KIND_OBSTACLES_H

#include "kerb/plan_kind.h"

/// Size of a copy of a world. [bytes]
size_t kerb_in_kind_world_bytes(const kerb_plan_world* world);

/// Copies a world into memory of that size, which it fills.
void kerb_in_kind_world_copy(const kerb_plan_world* world, void* memory);

/// A point of a footprint, or of what it meets.
typedef struct kind_contact {
    int32_t box;  // of the footprint
    kerb_vec2 at; // from the box's pose, ahead and left [m]
} kind_contact;

/// Whether the footprint at a state, larger by `margin`, is free; otherwise `contact` is where it
/// meets an obstacle. O(cells under it + vertices)
bool kerb_in_kind_is_free(const kerb_kind* kind, const kerb_plan_world* world, const float* state,
                          float margin, kind_contact* contact);

#endif
