// Purpose: laps of cars that are described wrongly, on tracks drawn at random.
// Idea:    A track is a ring whose distance from its middle varies in waves, with two hills. A car
//          is one of the race cars with its mass, grip and engine changed. The line is that of the
//          true limits, so that only the learning differs.
// Cost:    about a second a run.
#include "scene/race/race_learn.h"

#include "scene/course/calibration.h"

#include <math.h>
#include <string.h>

#define LEARN_STREAM_TRACK 91u
#define LEARN_STREAM_CAR 92u
#define LEARN_STREAM_WRONG 93u
#define LEARN_WAVES 7
#define LEARN_POINTS 2000
#define LEARN_TURN 6.2831853f

kerb_scene_race_wrong kerb_scene_race_wrong_of(uint64_t seed, float share) {
    kerb_random random = kerb_random_make(seed, LEARN_STREAM_WRONG);
    kerb_scene_race_wrong wrong;
    wrong.grip = kerb_random_between(&random, 1.0f - share, 1.0f + share);
    wrong.power = kerb_random_between(&random, 1.0f - share, 1.0f + share);
    wrong.losses = kerb_random_between(&random, 1.0f - share, 1.0f + share);
    wrong.brakes = kerb_random_between(&random, 1.0f - share, 1.0f + share);
    return wrong;
}

static int32_t learn_track(uint64_t seed, kerb_waypoint* waypoints) {
    kerb_random random = kerb_random_make(seed, LEARN_STREAM_TRACK);
    float length = kerb_random_between(&random, 1000.0f, 3500.0f), radius = length / 6.9f;
    float wave[LEARN_WAVES] = {0.0f}, phase[LEARN_WAVES] = {0.0f};
    for (int32_t k = 2; k < LEARN_WAVES; k++) {
        wave[k] = kerb_random_between(&random, 0.0f, 0.45f / (float)k);
        phase[k] = kerb_random_between(&random, 0.0f, LEARN_TURN);
    }
    float width = kerb_random_between(&random, 4.0f, 7.5f);
    float hill = kerb_random_between(&random, 0.0f, 8.0f);
    float top = kerb_random_between(&random, 0.0f, LEARN_TURN);
    int32_t count = (int32_t)(length / 3.0f);
    for (int32_t i = 0; i < count; i++) {
        float turn = LEARN_TURN * (float)i / (float)count, far = radius;
        for (int32_t k = 2; k < LEARN_WAVES; k++)
            far += radius * wave[k] * kerb_cos((float)k * turn + phase[k]);
        waypoints[i] = kerb_waypoint_at(far * kerb_cos(turn), far * kerb_sin(turn),
                                        hill * kerb_sin(2.0f * turn + top));
        waypoints[i].left = waypoints[i].right = width;
    }
    return count;
}

static void learn_car(uint64_t seed, kerb_sim_model* model) {
    kerb_random random = kerb_random_make(seed, LEARN_STREAM_CAR);
    int32_t which = (int32_t)(seed % (uint64_t)kerb_sim_race_model_count());
    kerb_sim_model_named(kerb_sim_race_model_name(which), model);
    kerb_sim_car_model* car = &model->car;
    float mass = kerb_random_between(&random, 0.85f, 1.15f);
    float grip = kerb_random_between(&random, 0.85f, 1.15f);
    float power = kerb_random_between(&random, 0.85f, 1.15f);
    car->mass *= mass;
    car->yaw_inertia *= mass;
    car->grip_along *= grip;
    car->grip_across *= grip;
    for (int32_t i = 0; i < KERB_SIM_TORQUE_POINTS; i++)
        car->engine_torque[i] *= power;
    model->vehicle = kerb_sim_car_vehicle(car);
}

static kerb_performance learn_told(const kerb_performance* is, kerb_scene_race_wrong wrong) {
    kerb_performance told = *is;
    told.lateral *= wrong.grip;
    told.braking *= wrong.grip * kerb_min(wrong.brakes, 1.0f);
    told.accelerating *= wrong.grip;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        told.drive[i] *= wrong.power;
    told.rolling *= wrong.losses;
    told.drag *= wrong.losses;
    told.braking_loss = kerb_min(told.braking_loss * wrong.losses, 1.0f);
    told.driving_loss = kerb_min(told.driving_loss * wrong.losses, 1.0f);
    told.powered_loss *= wrong.losses;
    told.turning_drag *= wrong.losses;
    return told;
}

// What is looked at as laps begin.
typedef struct learn_watch {
    kerb_scene_race_learn* run;
    const kerb_racing_line* line;
    kerb_profile_point* points;
    float* speed;
    float lateral; // true [m/s²]
    int32_t lap;   // that began last
} learn_watch;

static void learn_look(void* context, const kerb_scene_race_frame* frame) {
    learn_watch* w = context;
    if (frame->lap == w->lap || frame->lap >= KERB_SCENE_RACE_LEARN_LAPS)
        return;
    w->lap = frame->lap;
    const kerb_lap_learner* learner = &frame->racer->memory.learner;
    kerb_lap_learner alone = *learner;
    alone.memory.length = 0.0;
    w->run->promised[w->lap] = kerb_lap_learner_promise(learner, w->line, w->points, w->speed);
    w->run->performed[w->lap] = kerb_lap_learner_promise(&alone, w->line, w->points, w->speed);
    w->run->grip[w->lap] =
        kerb_lap_learner_performance(learner, 0.0f).lateral / kerb_max(w->lateral, 0.1f);
}

static void learn_drive(kerb_scene_race_learn* run, const kerb_scene_race_pace* pace,
                        const kerb_racer* racer, int32_t laps, learn_watch* watch) {
    kerb_scene_race_lap lap = kerb_scene_race_pace_lap(pace);
    lap.laps = laps;
    lap.racer = *racer;
    lap.racer.settings.learning = 1;
    lap.time_most = 120.0 + 3.0 * pace->line.time * (double)laps;
    lap.watch = learn_look;
    lap.context = watch;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    run->laps = result.laps;
    run->profile = pace->line.time;
    run->off_track_time = result.off_track_time;
    for (int32_t i = 0; i < result.laps; i++)
        run->lap_time[i] = result.lap_time[i];
}

// The racer drives by what it is told.
static void learn_laps(kerb_scene_race_learn* run, const kerb_scene_race_pace* pace,
                       const kerb_racer* racer, int32_t laps) {
    kerb_host host = kerb_host_default();
    size_t points = (size_t)pace->line.count;
    kerb_profile_point* profile = host.allocator.allocate(
        host.allocator.context, points * sizeof *profile, _Alignof(kerb_profile_point));
    float* speed =
        host.allocator.allocate(host.allocator.context, points * sizeof *speed, _Alignof(float));
    learn_watch watch = {run, &pace->line, profile, speed, pace->limits.performance.lateral, -1};
    if (profile != NULL && speed != NULL)
        learn_drive(run, pace, racer, laps, &watch);
    if (speed != NULL)
        host.allocator.release(host.allocator.context, speed, points * sizeof *speed);
    if (profile != NULL)
        host.allocator.release(host.allocator.context, profile, points * sizeof *profile);
}

static bool learn_open(kerb_scene_race_pace* pace, uint64_t seed) {
    static kerb_waypoint waypoints[LEARN_POINTS];
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_sim_model model;
    learn_car(seed, &model);
    int32_t count = learn_track(seed, waypoints);
    return kerb_track_validate(waypoints, count, true, &error) == KERB_OK &&
           kerb_scene_race_pace_open_on(pace, waypoints, count, true, &model, &host, &error) ==
               KERB_OK;
}

bool kerb_scene_race_learn_run(kerb_scene_race_learn* run, uint64_t seed,
                               kerb_scene_race_wrong wrong, int32_t laps) {
    kerb_host host = kerb_host_default();
    kerb_scene_race_pace pace;
    memset(run, 0, sizeof *run);
    if (!learn_open(&pace, seed))
        return false;
    if (wrong.brakes > 1.0f) // the limits are those of tyres that any brakes can lock
        pace.model.car.brake_force =
            pace.limits.performance.braking * pace.model.car.mass / wrong.brakes;
    kerb_racer racer = kerb_scene_race_pace_lap(&pace).racer;
    racer.performance = learn_told(&pace.limits.performance, wrong);
    learn_laps(run, &pace, &racer, laps);
    kerb_scene_race_pace_close(&pace, &host);
    return run->laps == laps;
}

bool kerb_scene_race_learn_calibrated(kerb_scene_race_learn* run, uint64_t seed, float length,
                                      float width, int32_t laps) {
    kerb_host host = kerb_host_default();
    kerb_scene_race_pace pace;
    kerb_calibrator calibrator;
    memset(run, 0, sizeof *run);
    if (!learn_open(&pace, seed))
        return false;
    kerb_calibration_settings settings = kerb_calibration_settings_default();
    settings.space_behind = kerb_min(0.5f * length, 100.0f);
    settings.space_ahead = length - settings.space_behind;
    settings.space_each_side = 0.5f * width;
    if (kerb_scene_calibrate(&pace.model, NULL, 60.0f, &settings, &calibrator, NULL) == KERB_OK &&
        calibrator.outcome == KERB_CALIBRATION_DONE) {
        kerb_racer racer = kerb_racer_make(&calibrator.measured);
        kerb_performance_typical_losses(&racer.performance);
        learn_laps(run, &pace, &racer, laps);
    }
    kerb_scene_race_pace_close(&pace, &host);
    return run->laps == laps;
}
