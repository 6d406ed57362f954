// Airplanes of sim/, flown by kerb_flyer. All follow one path in space, a figure of eight whose
// arms pass over each other. One after the other they leave it to arrive at a gate in the air,
// facing through it. The tests, the command and the replay share this scene.
#ifndef KERB_SCENE_CROWD_AIRPLANES_H
#define KERB_SCENE_CROWD_AIRPLANES_H

#include "kerb/fly.h"
#include "kerb/seek.h"
#include "sim/airplane.h"

#define KERB_SCENE_AIRPLANES 6
#define KERB_SCENE_AIRPLANES_POINTS 240

typedef struct kerb_scene_airplane {
    kerb_sim_airplane airplane;
    kerb_flyer pilot;
    float leaves;       ///< the path, when [s]
    float passed;       ///< the gate, when; 0: not yet [s]
    double off_gate;    ///< its least distance from the gate [m]
    double off_heading; ///< angle between its path of flight and the gate's direction there [rad]
} kerb_scene_airplane;

/// What happened so far.
typedef struct kerb_scene_airplanes_record {
    double path_error_sum,
        path_error_max; ///< from the path, in space, of those on it, after 6 s [m]
    int64_t looks;      ///< how many are in the sum
    int32_t arrived;
} kerb_scene_airplanes_record;

typedef struct kerb_scene_airplanes {
    kerb_path path; ///< into `points`: do not copy the struct
    kerb_path_point points[KERB_SCENE_AIRPLANES_POINTS];
    kerb_directed_goal gate;
    kerb_scene_airplane airplanes[KERB_SCENE_AIRPLANES];
    float time; ///< [s]
    kerb_scene_airplanes_record record;
} kerb_scene_airplanes;

/// All on their path. The seed says what it looks like, and where the gate stands.
void kerb_scene_airplanes_make(kerb_scene_airplanes* scene, uint64_t seed);

/// One frame. [time_step: > 0 … 0.1 s]
void kerb_scene_airplanes_step(kerb_scene_airplanes* scene, float time_step);

/// Whether it passed the gate so long ago that it is no longer shown.
bool kerb_scene_airplanes_is_gone(const kerb_scene_airplanes* scene, int32_t index);

/// What a frame shows of it.
kerb_motion kerb_scene_airplanes_motion(const kerb_scene_airplanes* scene, int32_t index);

#endif
