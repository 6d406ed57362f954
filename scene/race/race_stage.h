// All that a race or a lap needs: a track, a car's limits as measured on it, the racing line for
// these, the ground.
//
//     kerb_scene_race_stage stage;
//     if (kerb_scene_race_stage_make(&stage, "downs", "gt", &host, &error) == KERB_OK)
//         settings = kerb_scene_race_settings_default(&stage.line, &stage.ground, &stage.model);
//     kerb_scene_race_stage_free(&stage);
//
// Most of the time goes into the line.
#ifndef KERB_SCENE_RACE_RACE_STAGE_H
#define KERB_SCENE_RACE_RACE_STAGE_H

#include "kerb/racing_line.h"
#include "scene/race/race_ground.h"
#include "scene/race/race_limits.h"

/// How a stage is put together. Begin with kerb_scene_race_stage_settings_default.
typedef struct kerb_scene_race_stage_settings {
    int32_t method; ///< kerb_line_method
    int32_t steps;  ///< of TIME; fewer are quicker and leave tenths of a second a lap
    float margin;   ///< from the track's edge to the side of a car on the line [m]
    bool reverse;   ///< the track the other way round
    bool closed;
    kerb_scene_race_ground_settings ground;
    const kerb_sim_physics* physics; ///< where limits are measured; NULL: sim/
    /// May be NULL: told now and then how much of the line is done. [0 … 1]
    void (*progress)(void* context, float share);
    void* context;
} kerb_scene_race_stage_settings;

/// The line of least time, half a metre to the edges, grass beside the track, no walls.
kerb_scene_race_stage_settings kerb_scene_race_stage_settings_default(void);

/// Do not move it: parts of it point to others.
typedef struct kerb_scene_race_stage {
    kerb_sim_model model;
    kerb_scene_race_limits limits; ///< of the model, measured
    kerb_path path;                ///< the track
    kerb_racing_line line;         ///< its time is that of the profile by these limits
    kerb_scene_race_ground ground;
} kerb_scene_race_stage;

/// Of a built-in track and a model by name. UNKNOWN_FIELD of `track` or `car`, and the errors of
/// what it puts together; then it is zeroed.
kerb_result kerb_scene_race_stage_make(kerb_scene_race_stage* stage, const char* track,
                                       const char* car, const kerb_host* host, kerb_error* error);

/// Of any waypoints and model; the margin is wider than half the model's width. The waypoints are
/// not needed any more. OUT_OF_RANGE of `kind` for models that the physics does not have.
/// [model: with wheels]
kerb_result kerb_scene_race_stage_build(kerb_scene_race_stage* stage,
                                        const kerb_waypoint* waypoints, int32_t count,
                                        const kerb_sim_model* model,
                                        const kerb_scene_race_stage_settings* settings,
                                        const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed one.
void kerb_scene_race_stage_free(kerb_scene_race_stage* stage);

#endif
