// How near one car alone comes to what its own line and limits promise: limits measured on that car
// (scene/race_limits), the `time` line for them with the profile along it, and laps in sim/.
//
//     scene_race_pace pace;
//     if (scene_race_pace_open(&pace, "downs", false, "gt", &host, &error) == KERB_OK) {
//         scene_race_lap lap = scene_race_pace_lap(&pace);      // 20 laps; change what differs
//         scene_race_lap_run(&lap, &result);
//         … result.best / pace.line.time …
//     }
//     scene_race_pace_close(&pace, &host);
#ifndef KERB_SCENE_RACE_RACE_PACE_H
#define KERB_SCENE_RACE_RACE_PACE_H

#include "scene/race/race_lap.h"
#include "scene/race/race_limits.h"
#include "scene/race/tracks.h"

/// Room from the side of the car to the edge of the track, on the line. [m]
#define SCENE_RACE_PACE_ROOM 0.5f

/// One car on one track. Do not copy: it points into itself.
typedef struct scene_race_pace {
    scene_track track; ///< of a built-in one
    kerb_path path;
    sim_model model;
    const sim_physics* physics; ///< NULL: sim/
    scene_race_limits limits;
    kerb_racing_line line; ///< its `time` is what laps are compared with
    scene_race_ground ground;
} scene_race_pace;

/// A built-in track, in reverse too. Errors: UNKNOWN_FIELD of track or car; those of lines and
/// paths; OUT_OF_MEMORY. Then it is zeroed.
kerb_result scene_race_pace_open(scene_race_pace* pace, const char* track, bool reverse,
                                 const char* car, const kerb_host* host, kerb_error* error);

/// The same on waypoints and with any model, a changed one, say.
kerb_result scene_race_pace_open_on(scene_race_pace* pace, const kerb_waypoint* waypoints,
                                    int32_t count, bool closed, const sim_model* model,
                                    const kerb_host* host, kerb_error* error);

/// The same in another physics (NULL: sim/): limits are measured and laps driven there.
kerb_result scene_race_pace_open_in(scene_race_pace* pace, const kerb_waypoint* waypoints,
                                    int32_t count, bool closed, const sim_model* model,
                                    const sim_physics* physics, const kerb_host* host,
                                    kerb_error* error);

/// Gives the memory back. Harmless on a zeroed one.
void scene_race_pace_close(scene_race_pace* pace, const kerb_host* host);

/// 20 laps from standing, driven with the limits that were measured; gives up after twice the time.
scene_race_lap scene_race_pace_lap(const scene_race_pace* pace);

#endif
