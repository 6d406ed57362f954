// A track with a car on it, its line and its ground: what tests of the racing driver drive on.
#ifndef TEST_RACER_COURSE_H
#define TEST_RACER_COURSE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race_lap.h"
#include "scene/race/tracks.h"

#include <string.h>

typedef struct racer_course {
    kerb_scene_track track;
    kerb_path path;
    kerb_racing_line line;
    kerb_scene_race_ground ground;
    kerb_sim_model model;
} racer_course;

// On the path that it has: the line of least time for what the car can do, half a metre and half
// its width from the edges, and the ground.
static inline void racer_course_lay(racer_course* c, const kerb_performance* performance) {
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin = 0.5f * c->model.vehicle.width + 0.5f;
    kerb_line_solver solver;
    assert_int_equal(
        kerb_line_solver_create(&solver, &c->path, performance, &settings, &host, &error), KERB_OK);
    while (kerb_line_solver_advance(&solver, 1000) == KERB_LINE_RUNNING) {
    }
    assert_int_equal(kerb_racing_line_create(&c->line, &solver, 2.0f, &host, &error), KERB_OK);
    kerb_line_solver_destroy(&solver);
    kerb_scene_race_ground_settings beside = kerb_scene_race_ground_settings_default();
    assert_int_equal(kerb_scene_race_ground_create(&c->ground, &c->path, &beside, &host, &error),
                     KERB_OK);
}

static inline void racer_course_find(racer_course* c, const char* track, const char* car) {
    kerb_host host = kerb_host_default();
    kerb_error error;
    memset(c, 0, sizeof *c);
    assert_true(kerb_sim_model_named(car, &c->model));
    assert_int_equal(kerb_scene_track_make(track, &host, &c->track, &error), KERB_OK);
    assert_int_equal(kerb_path_create(&c->path, c->track.waypoints, c->track.count, c->track.closed,
                                      &host, &error),
                     KERB_OK);
}

// For what the vehicle's own numbers promise.
static inline void racer_course_open(racer_course* c, const char* track, const char* car) {
    racer_course_find(c, track, car);
    kerb_performance performance = kerb_performance_of(&c->model.vehicle);
    racer_course_lay(c, &performance);
}

static inline void racer_course_close(racer_course* c) {
    kerb_host host = kerb_host_default();
    kerb_scene_race_ground_destroy(&c->ground);
    kerb_racing_line_destroy(&c->line);
    kerb_path_destroy(&c->path);
    kerb_scene_track_free(&c->track, &host);
}

// Mean of the flying laps. [s]
static inline double racer_course_mean(const kerb_scene_race_lap_result* result) {
    double sum = 0.0;
    for (int32_t i = 1; i < result->laps; i++)
        sum += result->lap_time[i];
    return result->laps > 1 ? sum / (double)(result->laps - 1) : 0.0;
}

// A moving car on the line at a distance, for tests that ask without driving.
static inline kerb_motion racer_course_motion(const racer_course* c, double distance, float speed) {
    kerb_line_point p = kerb_racing_line_at(&c->line, distance);
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make((float)p.x, (float)p.y, (float)p.z);
    motion.rotation = kerb_quat_from_angles(p.heading, 0.0f, 0.0f);
    motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), speed);
    return motion;
}

#endif
