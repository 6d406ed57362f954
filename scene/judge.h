// Judges a run along a course, the same for every driver: progress, cross-track error, corridor,
// stuck events, finish. Knows nothing of what the driver thinks.
#ifndef SCENE_JUDGE_H
#define SCENE_JUDGE_H

#include "kerb/path.h"
#include "kerb/vehicle.h"

typedef struct scene_judge {
    const kerb_path* path; ///< the course, all of it as if driven forwards
    kerb_vehicle vehicle;
    kerb_path_location location;
    kerb_vec3 facing; ///< direction of motion, of the last time that it moved
    double progress;  ///< of the nearest point, rounds counted [m]
    double best;      ///< greatest progress so far [m]
    float error;      ///< cross-track error now [m]
    bool inside;      ///< the whole footprint is in the corridor
    bool finished;
    double error_sum;  ///< |error| times metres of progress
    double inside_sum; ///< metres of progress inside the corridor
    double error_max;
    double window_time; ///< since progress was last enough [s]
    double window_best; ///< best progress then [m]
    double excused;     ///< time spent at the stop nearby [s]
    double stuck_best;  ///< best progress when the event opened [m]
    double stuck_time;  ///< since the event opened or was last counted [s]
    bool stuck;
    int32_t stuck_events;
} scene_judge;

/// Starts at the course's first waypoint.
scene_judge scene_judge_make(const kerb_path* path, const kerb_vehicle* vehicle);

/// Looks at the vehicle after `time_step` more seconds.
void scene_judge_watch(scene_judge* judge, const kerb_motion* motion, float time_step);

#endif
