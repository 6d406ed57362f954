// Combines one car, its limits, its line and the ground of a track.
#include "scene/race/race_pace.h"

#include <string.h>

#define RACE_PACE_LINE_SPACING 2.0f // of the line's points [m]
#define LAPS 20

static kerb_result race_pace_find_line(kerb_scene_race_pace* pace, const kerb_host* host,
                                       kerb_error* error) {
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin = 0.5f * pace->model.vehicle.width + KERB_SCENE_RACE_PACE_ROOM;
    kerb_line_solver solver;
    kerb_result result = kerb_line_solver_create(&solver, &pace->path, &pace->limits.performance,
                                                 &settings, host, error);
    if (result != KERB_OK)
        return result;
    kerb_line_solver_advance(&solver, INT32_MAX);
    result = kerb_racing_line_create(&pace->line, &solver, RACE_PACE_LINE_SPACING, host, error);
    kerb_line_solver_destroy(&solver);
    return result;
}

static kerb_result race_pace_prepare(kerb_scene_race_pace* pace, const kerb_waypoint* waypoints,
                                     int32_t count, bool closed, const kerb_sim_model* model,
                                     const kerb_host* host, kerb_error* error) {
    pace->model = *model;
    if (!kerb_scene_race_limits_measure_in(model, pace->physics, &pace->limits))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "car", 0, -1, "has no wheels");
    kerb_result result = kerb_path_create(&pace->path, waypoints, count, closed, host, error);
    if (result == KERB_OK)
        result = race_pace_find_line(pace, host, error);
    kerb_scene_race_ground_settings beside = kerb_scene_race_ground_settings_default();
    if (result == KERB_OK)
        result = kerb_scene_race_ground_create(&pace->ground, &pace->path, &beside, host, error);
    return result;
}

kerb_result kerb_scene_race_pace_open_on(kerb_scene_race_pace* pace, const kerb_waypoint* waypoints,
                                         int32_t count, bool closed, const kerb_sim_model* model,
                                         const kerb_host* host, kerb_error* error) {
    return kerb_scene_race_pace_open_in(pace, waypoints, count, closed, model, NULL, host, error);
}

kerb_result kerb_scene_race_pace_open_in(kerb_scene_race_pace* pace, const kerb_waypoint* waypoints,
                                         int32_t count, bool closed, const kerb_sim_model* model,
                                         const kerb_sim_physics* physics, const kerb_host* host,
                                         kerb_error* error) {
    memset(pace, 0, sizeof *pace);
    pace->physics = physics;
    kerb_result result = race_pace_prepare(pace, waypoints, count, closed, model, host, error);
    if (result != KERB_OK)
        kerb_scene_race_pace_close(pace, host);
    return result;
}

kerb_result kerb_scene_race_pace_open(kerb_scene_race_pace* pace, const char* track, bool reverse,
                                      const char* car, const kerb_host* host, kerb_error* error) {
    memset(pace, 0, sizeof *pace);
    kerb_sim_model model;
    if (!kerb_sim_model_named(car, &model))
        return kerb_error_set(error, KERB_ERROR_UNKNOWN_FIELD, "car", 0, -1, "there is none such");
    kerb_result result = kerb_scene_track_make(track, host, &pace->track, error);
    if (result != KERB_OK)
        return result;
    kerb_scene_track made = pace->track;
    if (reverse)
        kerb_waypoints_reverse(made.waypoints, made.count, made.closed);
    result = race_pace_prepare(pace, made.waypoints, made.count, made.closed, &model, host, error);
    if (result != KERB_OK)
        kerb_scene_race_pace_close(pace, host);
    return result;
}

void kerb_scene_race_pace_close(kerb_scene_race_pace* pace, const kerb_host* host) {
    kerb_scene_race_ground_destroy(&pace->ground);
    kerb_racing_line_destroy(&pace->line);
    kerb_path_destroy(&pace->path);
    if (pace->track.waypoints != NULL)
        kerb_scene_track_free(&pace->track, host);
    memset(pace, 0, sizeof *pace);
}

kerb_scene_race_lap kerb_scene_race_pace_lap(const kerb_scene_race_pace* pace) {
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(&pace->line, &pace->ground, &pace->model);
    lap.physics = pace->physics;
    lap.racer.performance = pace->limits.performance;
    lap.laps = pace->line.closed ? LAPS : 1;
    lap.time_most = 60.0 + 2.0 * pace->line.time * (double)lap.laps;
    return lap;
}
