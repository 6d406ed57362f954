// Connected regions: a quick proof that there is no path. Private to the room.
#ifndef KERB_IN_PLAN_WORLD_REGIONS_H
#define KERB_IN_PLAN_WORLD_REGIONS_H

#include "world.h"

// Head of a block without pointers; a number for each cell of the world's field follows.
typedef struct plan_regions {
    int32_t columns, rows; // 0: nothing is known, all places count as connected
} plan_regions;

size_t kerb_in_plan_regions_bytes(const plan_world* layout);
// Size of the scratch memory that kerb_in_plan_regions_create needs. [bytes]
size_t kerb_in_plan_regions_scratch(const plan_world* layout);
// O(cells)
void kerb_in_plan_regions_create(void* block, const plan_world* world, void* scratch);

// The region of each cell of the field. 0: the circle about the rear axle that fits into the
// outline is free nowhere in the cell.
const uint16_t* kerb_in_plan_regions_numbers(const plan_regions* regions);

// False: the rear axle cannot get from one place to the other, however the vehicle drives. O(1)
bool kerb_in_plan_regions_may_connect(const plan_regions* regions, const plan_world* world,
                                      kerb_vec2 from, kerb_vec2 to);

#endif
