// Racing and parking in another engine: laps of a racer along the line that Kerb finds for what its
// calibrator has measured, and a parker that drives to poses. As in judge.c, the physics is
// JavaScript's.
#include "playground/jolt/native/judge.h"

#include "kerb/kerb.h"
#include "scene/race/race_lap.h"
#include "scene/race/tracks.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- laps

#define JOLT_LINE_STEPS 200    // of the solver, at once
#define JOLT_LINE_SPACING 2.0f // of the line's points [m]
#define JOLT_LINE_MARGIN 0.3f  // from a track's edge to the side of a car on the line [m]
#define JOLT_DRIVE_EVERY 4     // physics steps of 1/240 s

static kerb_result find_line(const kerb_path* path, const kerb_performance* performance,
                             float width, const kerb_host* host, kerb_racing_line* line) {
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin = 0.5f * width + JOLT_LINE_MARGIN;
    kerb_line_solver solver;
    kerb_result result =
        kerb_line_solver_create(&solver, path, performance, &settings, host, &jolt_error);
    if (result != KERB_OK)
        return result;
    while (kerb_line_solver_advance(&solver, JOLT_LINE_STEPS) == KERB_LINE_RUNNING)
        continue;
    result = kerb_racing_line_create(line, &solver, JOLT_LINE_SPACING, host, &jolt_error);
    kerb_line_solver_destroy(&solver);
    return result;
}

static void drive_laps(int32_t vehicle, const kerb_performance* performance, int32_t laps,
                       const kerb_scene_race_ground* ground, const kerb_racing_line* line,
                       double* numbers) {
    kerb_sim_model model = jolt_models[vehicle];
    model.vehicle = jolt_measured[vehicle];
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(line, ground, &model);
    lap.physics = &jolt_physics;
    lap.drive_every = JOLT_DRIVE_EVERY;
    lap.laps = laps;
    lap.racer.performance = *performance;
    kerb_scene_race_lap_result r;
    kerb_scene_race_lap_run(&lap, &r);
    const double all[] = {r.laps,
                          r.best,
                          line->time,
                          r.time,
                          r.off_track_time,
                          r.error_mean,
                          r.error_max,
                          r.outside_most,
                          r.spins,
                          r.asked,
                          r.laps > 1 ? r.lap_time[1] : 0.0,
                          r.steering_rate};
    memcpy(numbers, all, sizeof all);
}

/// A racer alone on a built-in track. numbers: laps done, best flying lap, the profile's lap, time
/// in all, time off the track, error mean and greatest, how far outside at most, spins, times that
/// it asked to be put back, first flying lap, steering per second. The track's name is in text().
/// 0: fine.
JOLT_EXPORT(race)
int32_t jolt_race(int32_t vehicle, int32_t index, int32_t laps, double* numbers) {
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    kerb_path path = {0};
    kerb_racing_line line = {0};
    kerb_scene_race_ground ground = {0};
    const kerb_performance performance = kerb_performance_of(&jolt_measured[vehicle]);
    const kerb_scene_race_ground_settings settings = kerb_scene_race_ground_settings_default();
    const char* name = kerb_scene_track_name(index);
    kerb_result result = kerb_scene_track_make(name, &host, &track, &jolt_error);
    if (result != KERB_OK)
        return (int32_t)result;
    result =
        kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, &jolt_error);
    if (result == KERB_OK)
        result = find_line(&path, &performance, jolt_measured[vehicle].width, &host, &line);
    if (result == KERB_OK)
        result = kerb_scene_race_ground_create(&ground, &path, &settings, &host, &jolt_error);
    if (result == KERB_OK)
        drive_laps(vehicle, &performance, laps, &ground, &line, numbers);
    kerb_scene_race_ground_destroy(&ground);
    kerb_racing_line_destroy(&line);
    kerb_path_destroy(&path);
    kerb_scene_track_free(&track, &host);
    strncpy(jolt_name, name, sizeof jolt_name - 1);
    return (int32_t)result;
}

JOLT_EXPORT(track_count) int32_t jolt_track_count(void) {
    return kerb_scene_track_count();
}

// --------------------------------------------------------------------------- parking

#define JOLT_PARK_TIME 150.0   // it has failed then [s]
#define JOLT_PARK_STOOD 0.5    // it has arrived when it has stood so long [s]
#define JOLT_PARK_AT_REST 0.1f // below this speed no direction counts [m/s]

// Places to park at, seen from where a vehicle stands: in its lengths, and a heading in degrees.
static const struct {
    const char* name;
    float ahead, left, heading;
} jolt_places[] = {
    {"straight ahead", 3.0f, 0.0f, 0.0f},
    {"straight back", -3.0f, 0.0f, 0.0f},
    {"bay to the right, nose in", 3.0f, -2.0f, -90.0f},
    {"bay to the right, in reverse", 2.0f, -2.0f, 90.0f},
    {"bay to the left, in reverse", 2.0f, 2.0f, -90.0f},
    {"at the kerb, in front", 2.5f, -0.6f, 0.0f},
    {"at the kerb, behind", -1.5f, -0.6f, 0.0f},
    {"one place to the side", 0.0f, 1.0f, 0.0f},
    {"where it stands, turned round", 0.0f, 0.0f, 180.0f},
    {"far ahead, aslant", 6.0f, 3.0f, 40.0f},
};
#define JOLT_PLACES ((int32_t)(sizeof jolt_places / sizeof jolt_places[0]))

static kerb_pose place_of(const kerb_vehicle* vehicle, int32_t index) {
    if (index < JOLT_PLACES) {
        strncpy(jolt_name, jolt_places[index].name, sizeof jolt_name - 1);
        return kerb_pose_make(jolt_places[index].ahead * vehicle->length,
                              jolt_places[index].left * vehicle->length,
                              jolt_places[index].heading * KERB_PI / 180.0f);
    }
    kerb_random random = kerb_random_make((uint64_t)(index - JOLT_PLACES), 41);
    float away = kerb_random_between(&random, 0.0f, 6.0f * vehicle->length);
    float at = kerb_random_between(&random, -KERB_PI, KERB_PI);
    float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
    strcpy(jolt_name, "random");
    return kerb_pose_make(away * kerb_cos(at), away * kerb_sin(at), heading);
}

/// Number of places with names. Beyond them an index is a seed, counted from there.
JOLT_EXPORT(place_count) int32_t jolt_place_count(void) {
    return JOLT_PLACES;
}

/// Parks from rest. numbers: arrived, error of position [m] and of heading [degrees], moves (pieces
/// in one direction), time, distance driven, plans. The place's name is in text(). 0: fine.
JOLT_EXPORT(park)
int32_t jolt_park(int32_t vehicle, int32_t index, float drive_hz, float physics_hz,
                  double* numbers) {
    static const kerb_sim_world empty = {.zone_count = 0};
    static const kerb_sim_ground level = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    kerb_sim_model model = jolt_models[vehicle];
    model.vehicle = jolt_measured[vehicle];
    memset(jolt_name, 0, sizeof jolt_name);
    kerb_pose goal = place_of(&model.vehicle, index);
    void* car =
        jolt_physics.make(&model, &empty, &level, (kerb_vec3){0.0f, 0.0f, 0.0f}, 0.0f, &jolt_error);
    if (car == NULL)
        return (int32_t)KERB_ERROR_OUT_OF_MEMORY;
    kerb_parker parker = kerb_parker_make(&model.vehicle);
    int32_t steps = (int32_t)(physics_hz / drive_hz + 0.5f), moves = 0, way = 0;
    double time = 0.0, stood = 0.0, driven = 0.0, frame = 1.0 / (double)drive_hz;
    kerb_motion motion = jolt_physics.motion(car);
    while (time < JOLT_PARK_TIME && stood < JOLT_PARK_STOOD) {
        kerb_controls controls = kerb_parker_drive(&parker, goal, &motion, NULL, 1.0f / drive_hz);
        for (int32_t i = 0; i < steps; i++)
            jolt_physics.step(car, &controls, &level, 1.0f / physics_hz);
        motion = jolt_physics.motion(car);
        float speed = kerb_motion_forward_speed(&motion);
        int32_t now = speed > JOLT_PARK_AT_REST ? 1 : speed < -JOLT_PARK_AT_REST ? -1 : 0;
        moves += now != 0 && now != way;
        way = now != 0 ? now : way;
        driven += fabs((double)speed) * frame;
        time += frame;
        stood = controls.reason == KERB_REASON_ARRIVED ? stood + frame : 0.0;
    }
    kerb_vec2 off = {motion.position.x - goal.position.x, motion.position.y - goal.position.y};
    float turned = kerb_wrap_angle(kerb_quat_heading(motion.rotation) - kerb_pose_heading(goal));
    const double all[] = {stood >= JOLT_PARK_STOOD,
                          (double)kerb_vec2_length(off),
                          fabs((double)turned) * 180.0 / (double)KERB_PI,
                          moves,
                          time,
                          driven,
                          parker.plan_count};
    memcpy(numbers, all, sizeof all);
    jolt_physics.destroy(car);
    return 0;
}
