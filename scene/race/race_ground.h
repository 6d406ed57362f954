// The ground of a race track under simulated cars, and the walls beside it.
//
//     kerb_scene_race_ground ground;
//     kerb_scene_race_ground_settings settings = kerb_scene_race_ground_settings_default();
//     if (kerb_scene_race_ground_create(&ground, &track, &settings, &host, &error) != KERB_OK) …
//     kerb_scene_race_place place = {0};                                    // one for each car
//     each step of each car:
//         kerb_sim_ground under = kerb_scene_race_ground_at(&ground, &place, body.position);
//         … step the car on it, push cars apart …
//         kerb_scene_race_ground_push(&ground, &place, &body, NULL, 0);     // walls, if any
//
// The surface is smooth: slopes have no kinks along the track that would throw a fast car. It goes
// on beyond the track's edges as it is at them. Bridges work: each car has its own place along the
// track.
#ifndef KERB_SCENE_RACE_RACE_GROUND_H
#define KERB_SCENE_RACE_RACE_GROUND_H

#include "kerb/path.h"
#include "scene/race/race_surface.h"
#include "sim/world.h"

/// What lies beside the track.
typedef struct kerb_scene_race_ground_settings {
    float grass_grip; ///< times the track's own [1] [> 0]
    /// Between a car's left and right wheels: over so much, half of it on either side of the edge,
    /// the grip goes from the track's to the grass's. [m] [> 0]
    float wheel_track;
    float wall_distance; ///< from the edges to walls; less than 0: there are none [m]
} kerb_scene_race_ground_settings;

/// Grass that has half the track's grip, cars 1.5 m wide between their wheels, no walls.
kerb_scene_race_ground_settings kerb_scene_race_ground_settings_default(void);

/// The ground of one track. It may be copied; read it freely.
typedef struct kerb_scene_race_ground {
    const kerb_path* track; ///< must outlive it
    kerb_scene_race_ground_settings settings;
    race_surface surface;
    kerb_vec2* walls[2]; ///< left and right: a corner for every knot; NULL: none
    void* memory;
    size_t bytes;
    kerb_allocator allocator;
} kerb_scene_race_ground;

/// Where a car is along the track. Zero it to start, and after the car was put elsewhere.
typedef struct kerb_scene_race_place {
    bool known;
    kerb_path_location location; ///< on the track's path
    race_foot foot;
    float edge_left, edge_right; ///< from the centre line to the edges, level [m] [>= 0]
} kerb_scene_race_place;

/// Builds it. O(points), allocates about 100 bytes for each and some more meanwhile. Errors:
/// TOO_FEW points, OUT_OF_RANGE or NOT_FINITE of a setting, OUT_OF_MEMORY; then it is zeroed.
kerb_result kerb_scene_race_ground_create(kerb_scene_race_ground* ground, const kerb_path* track,
                                          const kerb_scene_race_ground_settings* settings,
                                          const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed one.
void kerb_scene_race_ground_destroy(kerb_scene_race_ground* ground);

/// The ground at a position, seen from where the car was before. A position that is not finite
/// leaves it there. O(1), but O(points) for a place that is not known.
kerb_sim_ground kerb_scene_race_ground_at(const kerb_scene_race_ground* ground,
                                          kerb_scene_race_place* place, kerb_vec3 position);

/// How far the position that `place` was last asked for lies beyond the nearer edge; less than 0:
/// on the track. [m]
float kerb_scene_race_ground_outside(const kerb_scene_race_place* place);

/// Pushes a body out of the walls near its place, as kerb_sim_world_push; 0 when there are none.
/// O(1)
int32_t kerb_scene_race_ground_push(const kerb_scene_race_ground* ground,
                                    const kerb_scene_race_place* place, kerb_sim_body* body,
                                    kerb_sim_contact* contacts, int32_t most);

#endif
