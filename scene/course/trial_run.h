// A trial frame by frame, for who shows it or takes the wheel. kerb_scene_trial_run is made of it.
//
//     kerb_scene_trial_run_state run;
//     if (kerb_scene_trial_begin(&run, &trial, &host, &error) == KERB_OK)
//         while (!run.judge.finished && kerb_scene_trial_frame(&run) == KERB_OK)
//             … run.motion, run.controls, run.follower.decision …
//     kerb_scene_trial_end(&run);
#ifndef KERB_SCENE_COURSE_TRIAL_RUN_H
#define KERB_SCENE_COURSE_TRIAL_RUN_H

#include "scene/course/fastest.h"
#include "scene/course/judge.h"
#include "scene/course/trial.h"
#include "scene/timing/call_times.h"

/// What touched a solid, and when.
typedef struct kerb_scene_trial_touch {
    bool now;     ///< since the last frame
    double since; ///< last touch [s]
    int32_t count;
} kerb_scene_trial_touch;

/// Everything that exists while a trial runs. Read it freely; change `player` and the settings of
/// the follower. In sim/ it is plain data, whose pointers lead to the trial and to the path.
typedef struct kerb_scene_trial_run_state {
    const kerb_scene_trial* trial; ///< must outlive it
    kerb_path path;
    kerb_sim_model model;
    kerb_follower follower;
    kerb_sim_vehicle vehicle;
    void* elsewhere;  ///< the vehicle in trial->physics, where there is one …
    kerb_error error; ///< … and why there is none
    kerb_motion motion;
    kerb_controls controls;      ///< that act in this frame
    const kerb_controls* player; ///< who drives in place of the follower; NULL: nobody
    bool player_drove;           ///< in the frame before
    kerb_scene_judge judge;
    kerb_scene_fastest fastest;
    kerb_scene_trial_touch touch;
    int32_t teleports;
    double time, limit; ///< [s]
    double driven;      ///< [m]
    kerb_scene_call_times drives;
    int32_t frames;
} kerb_scene_trial_run_state;

/// The vehicle at rest on the first waypoint. Errors as kerb_scene_trial_run.
kerb_result kerb_scene_trial_begin(kerb_scene_trial_run_state* run, const kerb_scene_trial* trial,
                                   const kerb_host* host, kerb_error* error);

/// One drive call and the physics up to the next. Only another physics can fail.
kerb_result kerb_scene_trial_frame(kerb_scene_trial_run_state* run);

/// Back to the first waypoint, with a new driver. Only another physics can fail.
kerb_result kerb_scene_trial_restart(kerb_scene_trial_run_state* run);

/// Puts the vehicle elsewhere, at rest. The judge goes on from the nearest point of the course.
kerb_result kerb_scene_trial_put(kerb_scene_trial_run_state* run, kerb_vec3 position,
                                 float heading);

/// Gives back what it allocated, and zeroes it.
void kerb_scene_trial_end(kerb_scene_trial_run_state* run);

#endif
