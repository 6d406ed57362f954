// Ways for a ball between obstacles in space. Private to the room.
#ifndef KERB_IN_PLAN_SPACE_GUIDE_H
#define KERB_IN_PLAN_SPACE_GUIDE_H

#include "volume.h"

/// Greatest number of corners of a way.
#define GUIDE_CORNERS 12

/// A search for a way, and the way.
typedef struct space_guide {
    kerb_kind_ball ball; ///< its radius is that of the search
    kerb_vec3 from, to;
    int32_t goal;    ///< cell
    int32_t waiting; ///< cells in the heap
    int32_t count;   ///< corners between start and goal
    kerb_vec3 corners[GUIDE_CORNERS];
} space_guide;

/// Begins a search for a ball of a radius.
void kerb_in_guide_begin(space_guide* guide, space_volume* volume, kerb_vec3 from, kerb_vec3 to,
                         float radius);

/// Expands up to `most` cells. RUNNING, NO_PATH, or FOUND: then the corners are there, pulled taut.
kerb_plan_outcome kerb_in_guide_advance(space_guide* guide, space_volume* volume, int32_t most);

#endif
