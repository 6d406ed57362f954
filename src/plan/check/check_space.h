// Footprints in space against a world, for the checker. Private to the room.
#ifndef KERB_IN_PLAN_CHECK_SPACE_H
#define KERB_IN_PLAN_CHECK_SPACE_H

#include "kerb/plan_kind.h"

/// Whether the footprint at a state, smaller by what the checker allows, is free. `world` NULL:
/// open space.
bool kerb_in_check_space(const kerb_kind* kind, const kerb_space_world* world, const float* state);

#endif
