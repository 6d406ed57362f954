// One car alone on a race track for some laps, and how well its driver did.
//
//     kerb_scene_race_lap lap = kerb_scene_race_lap_default(&line, &ground, &model);
//     kerb_scene_race_lap_result result;
//     kerb_scene_race_lap_run(&lap, &result);
//
// The line is the driver's. The caller decides what to compare the result with, for instance the
// line's time from limits measured on the car.
#ifndef KERB_SCENE_RACE_RACE_LAP_H
#define KERB_SCENE_RACE_RACE_LAP_H

#include "kerb/racing_line.h"

#include "kerb/racer.h"
#include "scene/race/race_ground.h"
#include "sim/physics.h"

#define KERB_SCENE_RACE_LAPS_MAX 64
#define KERB_SCENE_RACE_LATE_MAX 4

/// What is known after one frame.
typedef struct kerb_scene_race_frame {
    double time; ///< since the start [s]
    kerb_motion motion;
    kerb_controls controls;
    const kerb_racer* racer;
    float outside; ///< how far the reference point is past the track's edge; < 0: inside [m]
    int32_t lap;   ///< from 0, the one from the standing start
} kerb_scene_race_frame;

/// What to run. Begin with kerb_scene_race_lap_default.
typedef struct kerb_scene_race_lap {
    const kerb_racing_line* line;
    const kerb_scene_race_ground* ground;
    const kerb_sim_model* model;
    const kerb_sim_physics* physics; ///< NULL: sim/; else start_speed does not count
    kerb_racer racer;                ///< as it starts
    double start; ///< distance along the line where the car stands at the start [m]
    float start_aside, start_heading; ///< beside the line [m], against it [rad]
    float start_speed;                ///< along the car [m/s]
    int32_t laps;                     ///< [1 … KERB_SCENE_RACE_LAPS_MAX]; of an open line 1
    float grip;                       ///< of the ground, times its own; the driver is not told
    double time_most;                 ///< gives up then [s]
    int32_t drive_every;              ///< physics steps of 1/240 s for each drive call [>= 1]
    /// Drive calls after which the car has the controls, instead of at once.
    /// [0 … KERB_SCENE_RACE_LATE_MAX]
    int32_t controls_late;
    bool hides_wheel_slip; ///< kerb_motion.wheel_slip is not told
    /// May be NULL; once a drive call.
    void (*watch)(void* context, const kerb_scene_race_frame* frame);
    void* context;
} kerb_scene_race_lap;

/// What is measured. The first lap is that from standing.
typedef struct kerb_scene_race_lap_result {
    int32_t laps;                              ///< done
    double lap_time[KERB_SCENE_RACE_LAPS_MAX]; ///< [s]
    double best;                               ///< of the flying laps; 0: none [s]
    double time;                               ///< in all [s]
    double off_track_time;                     ///< with the reference point outside [s]
    double error_mean, error_max;              ///< from the driver's way, over time [m]
    double outside_most;  ///< greatest distance past the edge; < 0: never out [m]
    double steering_rate; ///< mean size of the command's change, flying [1/s]
    int32_t spins;        ///< times that it lost the car
    int32_t asked;        ///< times that it asked to be put back
} kerb_scene_race_lap_result;

/// Five laps from standing on the line's start, 60 Hz, default driver.
kerb_scene_race_lap kerb_scene_race_lap_default(const kerb_racing_line* line,
                                                const kerb_scene_race_ground* ground,
                                                const kerb_sim_model* model);

/// Runs it to its end. Allocates nothing; another physics may. Where that cannot make the car no
/// lap is done.
void kerb_scene_race_lap_run(const kerb_scene_race_lap* lap, kerb_scene_race_lap_result* result);

#endif
