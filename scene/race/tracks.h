// The built-in tracks, by name. The command, the tests, the benchmarks and the playground share
// them. To add one, write its corners in tracks.c and list it there.
//
//     kerb_scene_track track;
//     if (kerb_scene_track_make("vamos", &host, &track, &error) == KERB_OK)
//         kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, &error);
//     kerb_scene_track_free(&track, &host);
#ifndef KERB_SCENE_RACE_TRACKS_H
#define KERB_SCENE_RACE_TRACKS_H

#include "kerb/path.h"

/// A track.
typedef struct kerb_scene_track {
    const char* name;
    kerb_waypoint* waypoints; ///< `count` of them, from the host's allocator
    int32_t count;
    bool closed;
} kerb_scene_track;

/// How many tracks there are.
int32_t kerb_scene_track_count(void);

/// Name and one-line description. [index: 0 … count - 1]
const char* kerb_scene_track_name(int32_t index);
const char* kerb_scene_track_about(int32_t index);

/// Builds a track by name: a waypoint every 1 to 2 m, fewer on straights. UNKNOWN_FIELD when there
/// is none of that name, OUT_OF_MEMORY.
kerb_result kerb_scene_track_make(const char* name, const kerb_host* host, kerb_scene_track* track,
                                  kerb_error* error);

/// Gives the waypoints back. Harmless on a zeroed track.
void kerb_scene_track_free(kerb_scene_track* track, const kerb_host* host);

#endif
