// A field of blocked cells crossed by OMPL's own planners: tests and benchmarks of kerb/plan.h
// compare with it. Present only where CMake found OMPL (KERB_HAVE_OMPL).
#ifndef KERB_SCENE_OMPL_OMPL_CROSSING_H
#define KERB_SCENE_OMPL_OMPL_CROSSING_H

#include "scene/ompl/ompl_ways.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Forwards only, from rest to rest, poses of the rear axle. The other figures are those of
/// kerb_plan_limits.
typedef struct ompl_field {
    const uint8_t* cells;     ///< 0: free; `side` rows of `side`, the first at the origin
    int32_t side;             ///< cells along a side [> 0]
    double cell;              ///< [m] [> 0]
    ompl_pose from, to;       ///< [m, rad]
    double radius, speed_max; ///< [m], [m/s]
    double acceleration, braking, lateral_acceleration; ///< [m/s²]
    double front, rear, width;                          ///< footprint, from the rear axle [m]
} ompl_field;

typedef struct ompl_crossing {
    int32_t found;
    double thought;  ///< until the first movement was found, by the clock [s]
    double movement; ///< how long that takes [s]
} ompl_crossing;

/// The first movement that OMPL's control-based RRT finds within `limit` seconds. It need not
/// arrive at the goal but within 2 m, 0.5 rad and 2 m/s of it: of sampled controls hardly any do.
/// The car has place, heading and speed, and is moved by an acceleration and a curvature, held for
/// 0.1 to 2 s, in steps of 0.1 s. OMPL's random numbers begin alike in every process,
/// and go on from call to call.
ompl_crossing kerb_scene_ompl_cross(const ompl_field* field, double limit);

#ifdef __cplusplus
}
#endif

#endif
