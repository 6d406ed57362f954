// Courses scaled to the turning circle of a kind of vehicle, and its drives along them: a second
// table beside EA's Table I, for what has no follower of kerb/follow.h.
//
// A course is a row of straight lines and arcs, measured in radii of the turning circle. In space
// it rises and falls as well. The planner of kinds plans from place to place of the course, each
// with a direction and a speed; the plans in a row are one plan, which a kerb_kind_driver drives in
// the model of sim/.
#ifndef KERB_SCENE_PLAN_KIND_COURSE_H
#define KERB_SCENE_PLAN_KIND_COURSE_H

#include "scene/plan/kind_drive.h"

/// Half the width of a corridor, in radii of the turning circle: about what a road of 8 m is for
/// the pickup of EA's courses.
#define KERB_SCENE_KIND_CORRIDOR 0.67f

/// What is measured over a drive.
typedef struct kerb_scene_kind_trial {
    bool planned;        ///< there were plans from its start to its end
    bool arrived;        ///< at the end, after the whole course
    float length;        ///< of the course [m]
    float planned_time;  ///< of the plan [s]
    float time;          ///< until it arrived, or gave up [s]
    float planned_error; ///< distance of the plan from the course, mean over its time [m]
    float error_mean;    ///< distance from the course, mean over the distance driven [m]
    float error_max;     ///< [m]
    float inside; ///< share of the distance driven inside of the corridor, with its width [1]
    float plan_error_max; ///< greatest distance from the plan [m]
} kerb_scene_kind_trial;

int32_t kerb_scene_kind_course_count(void);
const char* kerb_scene_kind_course_name(int32_t index); ///< "figure-eight"; "" out of range

/// Radius of the turning circle that courses are scaled to. In the plane that of the planner's
/// routes, or what half of their limits need at a quarter of their speed, and at least the length.
/// Airplane and submarine: with full controls at the speed of plans. What hovers, and the
/// spacecraft: at half of its greatest speed with half of its sideways acceleration. [m]
float kerb_scene_kind_circle(const kerb_scene_kind* kind);

/// Plans and drives a course. [course: 0 … count - 1] False: no memory.
bool kerb_scene_kind_course_drive(const kerb_scene_kind* kind, int32_t course,
                                  kerb_scene_kind_trial* trial);

#endif
