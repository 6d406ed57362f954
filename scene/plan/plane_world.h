// Random obstacles in the plane, for kinds of vehicles.
#ifndef KERB_SCENE_PLAN_PLANE_WORLD_H
#define KERB_SCENE_PLAN_PLANE_WORLD_H

#include "kerb/base.h"
#include "kerb/plan_world.h"

#define KERB_SCENE_SQUARES 12

/// A world with its arrays. Must not be moved: `world` points into it.
typedef struct kerb_scene_plane_world {
    kerb_plan_world world;
    kerb_vec2 corners[4 * KERB_SCENE_SQUARES];
    int32_t counts[KERB_SCENE_SQUARES];
} kerb_scene_plane_world;

/// Fills a world of squares in a ring round the origin, from a quarter of the radius to the radius:
/// a vehicle that starts at the origin has room to begin in. Sides are 0.12 of the radius.
void kerb_scene_plane_make(kerb_scene_plane_world* s, float radius, kerb_random* random);

#endif
