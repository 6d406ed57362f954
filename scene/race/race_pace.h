// How near one car alone comes to what its own line and limits promise: limits measured on that car
// (scene/race/race_limits.h), the `time` line for them with its speed profile, and laps in sim/.
//
//     kerb_scene_race_pace pace;
//     if (kerb_scene_race_pace_open(&pace, "downs", false, "gt", &host, &error) == KERB_OK) {
//         kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace); // 20 laps; change what
//         differs kerb_scene_race_lap_run(&lap, &result); … result.best / pace.line.time …
//     }
//     kerb_scene_race_pace_close(&pace, &host);
#ifndef KERB_SCENE_RACE_RACE_PACE_H
#define KERB_SCENE_RACE_RACE_PACE_H

#include "scene/race/race_lap.h"
#include "scene/race/race_limits.h"
#include "scene/race/tracks.h"

/// Room from the side of the car to the edge of the track, on the line. [m]
#define KERB_SCENE_RACE_PACE_ROOM 0.5f

/// One car on one track. Do not copy: it points into itself.
typedef struct kerb_scene_race_pace {
    kerb_scene_track track; ///< of a built-in one
    kerb_path path;
    kerb_sim_model model;
    const kerb_sim_physics* physics; ///< NULL: sim/
    kerb_scene_race_limits limits;
    kerb_racing_line line; ///< its `time` is what laps are compared with
    kerb_scene_race_ground ground;
} kerb_scene_race_pace;

/// A built-in track, in reverse too. Errors: UNKNOWN_FIELD of track or car; those of lines and
/// paths; OUT_OF_MEMORY. Then it is zeroed.
kerb_result kerb_scene_race_pace_open(kerb_scene_race_pace* pace, const char* track, bool reverse,
                                      const char* car, const kerb_host* host, kerb_error* error);

/// The same on waypoints and with any model, a changed one, say.
kerb_result kerb_scene_race_pace_open_on(kerb_scene_race_pace* pace, const kerb_waypoint* waypoints,
                                         int32_t count, bool closed, const kerb_sim_model* model,
                                         const kerb_host* host, kerb_error* error);

/// The same in another physics (NULL: sim/): limits are measured and laps driven there.
kerb_result kerb_scene_race_pace_open_in(kerb_scene_race_pace* pace, const kerb_waypoint* waypoints,
                                         int32_t count, bool closed, const kerb_sim_model* model,
                                         const kerb_sim_physics* physics, const kerb_host* host,
                                         kerb_error* error);

/// Gives the memory back. Harmless on a zeroed one.
void kerb_scene_race_pace_close(kerb_scene_race_pace* pace, const kerb_host* host);

/// 20 laps from standing, driven with the limits that were measured; gives up after twice the time.
kerb_scene_race_lap kerb_scene_race_pace_lap(const kerb_scene_race_pace* pace);

#endif
