// Makes all that a race needs, in the order in which one part needs the other.
#include "scene/race/race_stage.h"

#include "scene/race/tracks.h"

#include <string.h>

#define RACE_STAGE_LINE_SPACING 2.0f // of the line's points [m]
#define STEPS_AT_ONCE 20             // of the line's solver

kerb_scene_race_stage_settings kerb_scene_race_stage_settings_default(void) {
    kerb_scene_race_stage_settings settings = {.margin = 0.5f, .closed = true};
    kerb_line_settings line = kerb_line_settings_default();
    settings.method = line.method;
    settings.steps = line.time_steps;
    settings.ground = kerb_scene_race_ground_settings_default();
    return settings;
}

static kerb_result race_stage_find_line(kerb_scene_race_stage* stage,
                                        const kerb_scene_race_stage_settings* settings,
                                        const kerb_host* host, kerb_error* error) {
    kerb_line_settings wish = kerb_line_settings_default();
    wish.method = settings->method;
    wish.time_steps = settings->steps;
    wish.margin = 0.5f * stage->model.vehicle.width + settings->margin;
    kerb_line_solver solver;
    kerb_result result = kerb_line_solver_create(&solver, &stage->path, &stage->limits.performance,
                                                 &wish, host, error);
    if (result != KERB_OK)
        return result;
    while (kerb_line_solver_advance(&solver, STEPS_AT_ONCE) == KERB_LINE_RUNNING)
        if (settings->progress != NULL)
            settings->progress(settings->context, kerb_line_solver_progress(&solver));
    result = kerb_racing_line_create(&stage->line, &solver, RACE_STAGE_LINE_SPACING, host, error);
    kerb_line_solver_destroy(&solver);
    return result;
}

static kerb_result lay_track(kerb_scene_race_stage* stage, const kerb_waypoint* waypoints,
                             int32_t count, const kerb_scene_race_stage_settings* settings,
                             const kerb_host* host, kerb_error* error) {
    if (!settings->reverse)
        return kerb_path_create(&stage->path, waypoints, count, settings->closed, host, error);
    size_t bytes = (size_t)count * sizeof(kerb_waypoint);
    const kerb_allocator* allocator = &host->allocator;
    kerb_waypoint* turned = allocator->allocate(allocator->context, bytes, _Alignof(kerb_waypoint));
    if (turned == NULL)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "out of memory");
    memcpy(turned, waypoints, bytes);
    kerb_waypoints_reverse(turned, count, settings->closed);
    kerb_result result =
        kerb_path_create(&stage->path, turned, count, settings->closed, host, error);
    allocator->release(allocator->context, turned, bytes);
    return result;
}

kerb_result kerb_scene_race_stage_build(kerb_scene_race_stage* stage,
                                        const kerb_waypoint* waypoints, int32_t count,
                                        const kerb_sim_model* model,
                                        const kerb_scene_race_stage_settings* settings,
                                        const kerb_host* host, kerb_error* error) {
    memset(stage, 0, sizeof *stage);
    stage->model = *model;
    if (!kerb_scene_race_limits_measure_in(model, settings->physics, &stage->limits))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "kind", 0, -1, "must have wheels");
    kerb_result result = kerb_track_validate(waypoints, count, settings->closed, error);
    if (result == KERB_OK)
        result = lay_track(stage, waypoints, count, settings, host, error);
    if (result == KERB_OK)
        result = race_stage_find_line(stage, settings, host, error);
    if (result == KERB_OK)
        result = kerb_scene_race_ground_create(&stage->ground, &stage->path, &settings->ground,
                                               host, error);
    if (result != KERB_OK)
        kerb_scene_race_stage_free(stage);
    return result;
}

kerb_result kerb_scene_race_stage_make(kerb_scene_race_stage* stage, const char* track,
                                       const char* car, const kerb_host* host, kerb_error* error) {
    memset(stage, 0, sizeof *stage);
    kerb_sim_model model;
    if (!kerb_sim_model_named(car, &model))
        return kerb_error_set(error, KERB_ERROR_UNKNOWN_FIELD, "car", 0, -1, "no model's name");
    kerb_scene_track built;
    kerb_result result = kerb_scene_track_make(track, host, &built, error);
    if (result != KERB_OK)
        return result;
    kerb_scene_race_stage_settings settings = kerb_scene_race_stage_settings_default();
    settings.closed = built.closed;
    result = kerb_scene_race_stage_build(stage, built.waypoints, built.count, &model, &settings,
                                         host, error);
    kerb_scene_track_free(&built, host);
    return result;
}

void kerb_scene_race_stage_free(kerb_scene_race_stage* stage) {
    kerb_scene_race_ground_destroy(&stage->ground);
    kerb_racing_line_destroy(&stage->line);
    kerb_path_destroy(&stage->path);
    memset(stage, 0, sizeof *stage);
}
