// Random obstacles in space, in each form that a kerb_space_world has.
#ifndef KERB_SCENE_PLAN_SPACE_WORLD_H
#define KERB_SCENE_PLAN_SPACE_WORLD_H

#include "kerb/base.h"
#include "kerb/plan_kind.h"

/// Form of the obstacles.
typedef enum kerb_scene_space_form {
    KERB_SCENE_SPACE_BOXES,  ///< that float and that stand on the floor
    KERB_SCENE_SPACE_GROUND, ///< a height field with hills and towers
    KERB_SCENE_SPACE_OCTREE, ///< the boxes as an octree
    KERB_SCENE_SPACE_FORMS
} kerb_scene_space_form;

#define KERB_SCENE_SPACE_BOXES_MAX 64
#define KERB_SCENE_SPACE_CELLS 48
#define KERB_SCENE_SPACE_NODES 30000

/// A world with its arrays. Must not be moved: `world` points into it.
typedef struct kerb_scene_space_world {
    kerb_space_world world;
    kerb_space_box boxes[KERB_SCENE_SPACE_BOXES_MAX];
    float heights[KERB_SCENE_SPACE_CELLS * KERB_SCENE_SPACE_CELLS];
    uint32_t octree[8 * KERB_SCENE_SPACE_NODES];
} kerb_scene_space_world;

/// Fills a world of `count` boxes or hills, within a volume of 1.3 times a radius horizontally and
/// a height vertically, both ways. Sides are 0.06 to 0.25 of the radius, and of the height.
void kerb_scene_space_make(kerb_scene_space_world* s, kerb_scene_space_form form, int32_t count,
                           float radius, float height, kerb_random* random);

/// Whether a footprint, with a share of a tenth more, is free.
bool kerb_scene_space_is_free(const kerb_scene_space_world* s, const kerb_kind* kind,
                              const float* state);

#endif
