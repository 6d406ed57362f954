// Which places belong together: proofs that there is no way, at no cost. Private to the room.
#ifndef KERB_IN_PLAN_WORLD_REGIONS_H
#define KERB_IN_PLAN_WORLD_REGIONS_H

#include "world.h"

// Head of a block without pointers; a number for each cell of the world's field follows.
typedef struct plan_regions {
    int32_t columns, rows; // 0: nothing is known, all places belong together
} plan_regions;

size_t kerb_in_plan_regions_bytes(const plan_world* layout);
// Of the scratch that making them needs meanwhile.
size_t kerb_in_plan_regions_scratch(const plan_world* layout);
// O(cells)
void kerb_in_plan_regions_create(void* block, const plan_world* world, void* scratch);

// A number for each cell of the field; 0: the circle that fits into the outline round the rear axle
// can stand nowhere in it.
static inline const uint16_t* plan_regions_numbers(const plan_regions* regions) {
    return (const uint16_t*)(const void*)(regions + 1);
}

// False: the rear axle cannot get from one to the other, however the vehicle drives. O(1)
bool kerb_in_plan_regions_may_connect(const plan_regions* regions, const plan_world* world,
                                      kerb_vec2 from, kerb_vec2 to);

#endif
