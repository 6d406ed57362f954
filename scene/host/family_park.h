// Parking with a host of the family: a plan, the plan driver, and corrective moves.
#ifndef KERB_SCENE_HOST_FAMILY_PARK_H
#define KERB_SCENE_HOST_FAMILY_PARK_H

#include "kerb/plan_driver.h"
#include "scene/host/family.h"

/// A task: poses of the rear axle for a car of a wheelbase of KERB_FAMILY_PARK_WHEELBASE, and what
/// stands there.
typedef struct kerb_family_park_task {
    kerb_pose from, to;
    const kerb_vec2* vertices;
    const int32_t* vertex_counts;
    int32_t polygon_count;
} kerb_family_park_task;

/// Wheelbase of the car of TPCAP's cases. [m]
#define KERB_FAMILY_PARK_WHEELBASE 2.8f

/// Corrective moves at most.
enum { KERB_FAMILY_PARK_MOVES = 3 };

/// How it ended.
typedef struct kerb_family_parked {
    bool planned;
    bool arrived;             ///< said so at the end of the first plan
    float first, error;       ///< from the goal, after the first plan and at last [m]
    float first_angle, angle; ///< [rad]
    int32_t moves;            ///< corrective plans that were driven
    int32_t outcome;          ///< kerb_plan_outcome of the last search
    float time;               ///< [s]
} kerb_family_parked;

/// Scales the task by the host's wheelbase, plans, drives, and drives again from where it stands
/// while it is farther than 0.1 m or 3 degrees from the goal. `watch` may be NULL.
kerb_family_parked kerb_family_park(const kerb_family_host* host, const kerb_family_park_task* task,
                                    void (*watch)(const kerb_family_host* host,
                                                  const kerb_plan_driver* driver));

#endif
