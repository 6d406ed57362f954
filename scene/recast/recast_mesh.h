// Navigation meshes that Recast builds from triangles, as data for kerb/mesh.h, and Detour's
// corridors in them, to compare ours with. Present only where CMake found them (KERB_HAVE_RECAST).
//
//     kerb_scene_recast recast;
//     if (kerb_scene_recast_build(&recast, &ground, &walker))
//         kerb_mesh_create(&mesh, &recast.data, &host, &error);
//     kerb_scene_recast_free(&recast);
#ifndef KERB_SCENE_RECAST_RECAST_MESH_H
#define KERB_SCENE_RECAST_RECAST_MESH_H

#include "kerb/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Triangles in Kerb's axes: z up, anticlockwise seen from above where they are ground.
typedef struct kerb_scene_recast_ground {
    const kerb_vec3* vertices; ///< [m]
    int32_t vertex_count;
    const int32_t* triangles; ///< three vertices each
    int32_t triangle_count;
} kerb_scene_recast_ground;

/// Who is to move on the mesh.
typedef struct kerb_scene_recast_walker {
    float cell;   ///< side of the cells from which the mesh is made [m] [> 0]
    float height; ///< that must be free above ground [m]
    float climb;  ///< greatest step that it drives over [m]
    float slope;  ///< greatest slope of ground [rad]
    float radius; ///< distance from borders that the mesh keeps [m] [>= 0]
} kerb_scene_recast_walker;

/// A mesh of Recast. `data` points into the rest.
typedef struct kerb_scene_recast {
    kerb_mesh_data data;
    kerb_vec3* vertices;
    int32_t *corner_counts, *corners, *neighbours;
    void* detour; ///< the same mesh in Detour
} kerb_scene_recast;

/// Builds the mesh of one tile round all triangles. False: there is no ground, too much of it for
/// cells of this size, or no memory; then it is zeroed.
bool kerb_scene_recast_build(kerb_scene_recast* recast, const kerb_scene_recast_ground* ground,
                             const kerb_scene_recast_walker* walker);

void kerb_scene_recast_free(kerb_scene_recast* recast);

/// Length of Detour's shortest line between two places. Negative: it finds none, or only a part of
/// the way. [m]
float kerb_scene_recast_way(const kerb_scene_recast* recast, kerb_vec3 from, kerb_vec3 to);

#ifdef __cplusplus
}
#endif

#endif
