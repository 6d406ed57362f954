// Judges a run along a course in the same way for every driver: progress, cross-track error,
// corridor, stuck events, finish. It uses nothing from the driver: it follows the nearest point of
// the course by itself, and goes past a change between forwards and reverse when the vehicle is
// near it and moves in the new direction. docs/command.md defines the terms.
#ifndef KERB_SCENE_COURSE_JUDGE_H
#define KERB_SCENE_COURSE_JUDGE_H

#include "kerb/path.h"
#include "kerb/vehicle.h"

#define KERB_SCENE_STUCK_SECONDS 5.0  ///< within which the best progress must grow …
#define KERB_SCENE_STUCK_METRES 2.0   ///< … by so much
#define KERB_SCENE_FREE_METRES 5.0    ///< of new progress close a stuck event
#define KERB_SCENE_AGAIN_SECONDS 30.0 ///< without them count it again
#define KERB_SCENE_END_METRES 3.0     ///< before the end of a course nobody is stuck

typedef struct kerb_scene_judge {
    const kerb_path* path; ///< the course
    kerb_vehicle vehicle;
    kerb_path_location location; ///< of the nearest point
    double progress;             ///< of the nearest point, rounds counted [m]
    double best;                 ///< greatest progress so far [m]
    float error;                 ///< cross-track error now [m]
    bool inside;                 ///< the whole footprint is in the corridor
    bool finished;
    double error_sum;  ///< |error| times metres of progress
    double inside_sum; ///< metres of progress inside the corridor
    double error_max;
    double outside_max; ///< greatest distance of the reference point beyond the corridor [m] [>= 0]
    double window_time; ///< since progress was last enough [s]
    double window_best; ///< best progress then [m]
    double excused;     ///< time spent near the stop … [s]
    int32_t excused_at; ///< … at this point of the path; -1: at none
    double stuck_best;  ///< best progress when the event opened [m]
    double stuck_time;  ///< since the event opened or was last counted [s]
    bool stuck;
    int32_t stuck_events;
} kerb_scene_judge;

/// Starts at the course's first waypoint. The path must outlive it.
kerb_scene_judge kerb_scene_judge_make(const kerb_path* path, const kerb_vehicle* vehicle);

/// Looks at the vehicle after `time_step` more seconds. O(1)
void kerb_scene_judge_watch(kerb_scene_judge* judge, const kerb_motion* motion, float time_step);

/// Goes back to the place of best progress, because the vehicle will be put there.
void kerb_scene_judge_put_back(kerb_scene_judge* judge);

#endif
