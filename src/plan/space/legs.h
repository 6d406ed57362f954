// Legs of kinds in space: where they lead, and whether they are free. Private to the room.
#ifndef KERB_IN_PLAN_SPACE_LEGS_H
#define KERB_IN_PLAN_SPACE_LEGS_H

#include "volume.h"

#include "../kind/motion.h"

/// Duration of a leg. [s]
float kerb_in_leg_time(const kerb_kind_leg* leg);

/// The state after a leg.
void kerb_in_leg_end(const kerb_kind* kind, const kerb_kind_leg* leg, const float* from, float* to);

/// Whether the footprint meets nothing along a leg. `volume` NULL: open space. O(length over the
/// distance to obstacles)
bool kerb_in_leg_is_free(const kerb_kind* kind, const kerb_kind_leg* leg, const float* from,
                         const space_volume* volume);

/// Whether the footprint at a state, with a share and 2 mm more, is free.
bool kerb_in_leg_place_is_free(const kerb_kind* kind, const float* state,
                               const space_volume* volume, float share);

/// Largest distance of the footprint from the position. [m]
float kerb_in_leg_reach(const kerb_kind* kind, const float* state);

/// Joins legs to a motion, in pieces of at most `longest` seconds. False when it has too many.
bool kerb_in_leg_join(const kerb_kind* kind, const kerb_kind_leg* legs, int32_t count,
                      const float* from, float longest, kind_motion* motion);

#endif
