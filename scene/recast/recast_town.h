// A town of triangles for tests and benchmarks of navigation meshes: level streets between square
// houses, and a bridge with two ramps over one of them.
#ifndef KERB_SCENE_RECAST_RECAST_TOWN_H
#define KERB_SCENE_RECAST_RECAST_TOWN_H

#include "kerb/math.h"

#define RECAST_TOWN_SIDE 300.0f ///< [m]
#define RECAST_TOWN_BRIDGE 6.0f ///< height of the bridge's surface [m]
#define RECAST_TOWN_BLOCKS 7    ///< houses along a side
#define RECAST_TOWN_QUADS 260   ///< at most

/// Four vertices and two triangles a quad.
typedef struct recast_town {
    kerb_vec3 vertices[4 * RECAST_TOWN_QUADS];
    int32_t triangles[6 * RECAST_TOWN_QUADS];
    int32_t quads;
} recast_town;

static inline void kerb_scene_recast_town_quad(recast_town* town, kerb_vec3 a, kerb_vec3 b,
                                               kerb_vec3 c, kerb_vec3 d) {
    static const int32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const kerb_vec3 v[4] = {a, b, c, d};
    for (int32_t i = 0; i < 4; i++)
        town->vertices[4 * town->quads + i] = v[i];
    for (int32_t i = 0; i < 6; i++)
        town->triangles[6 * town->quads + i] = 4 * town->quads + corners[i];
    town->quads++;
}

static inline void kerb_scene_recast_town_house(recast_town* town, float x, float y, float half) {
    const float h = 8.0f, x0 = x - half, x1 = x + half, y0 = y - half, y1 = y + half;
    const kerb_vec3 low[4] = {{x0, y0, 0}, {x1, y0, 0}, {x1, y1, 0}, {x0, y1, 0}};
    const kerb_vec3 top[4] = {{x0, y0, h}, {x1, y0, h}, {x1, y1, h}, {x0, y1, h}};
    kerb_scene_recast_town_quad(town, top[0], top[1], top[2], top[3]);
    for (int32_t i = 0; i < 4; i++)
        kerb_scene_recast_town_quad(town, low[i], low[(i + 1) % 4], top[(i + 1) % 4], top[i]);
}

/// The middle column of houses makes room for the bridge, which runs along y at x = 140.
static inline recast_town kerb_scene_recast_town(kerb_random* random) {
    const float side = RECAST_TOWN_SIDE, top = RECAST_TOWN_BRIDGE, left = 135.0f, right = 145.0f;
    recast_town town = {.quads = 0};
    kerb_scene_recast_town_quad(&town, kerb_vec3_make(0, 0, 0), kerb_vec3_make(side, 0, 0),
                                kerb_vec3_make(side, side, 0), kerb_vec3_make(0, side, 0));
    for (int32_t i = 0; i < RECAST_TOWN_BLOCKS; i++)
        for (int32_t k = 0; k < RECAST_TOWN_BLOCKS; k++)
            if (i != 3)
                kerb_scene_recast_town_house(
                    &town, 20.0f + 40.0f * (float)i + kerb_random_between(random, -3.0f, 3.0f),
                    20.0f + 40.0f * (float)k + kerb_random_between(random, -3.0f, 3.0f), 11.0f);
    const float along[4] = {50.0f, 110.0f, 190.0f, 250.0f}, height[4] = {0.0f, top, top, 0.0f};
    for (int32_t i = 0; i < 3; i++)
        kerb_scene_recast_town_quad(&town, kerb_vec3_make(left, along[i], height[i]),
                                    kerb_vec3_make(right, along[i], height[i]),
                                    kerb_vec3_make(right, along[i + 1], height[i + 1]),
                                    kerb_vec3_make(left, along[i + 1], height[i + 1]));
    return town;
}

#endif
