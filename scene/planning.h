// Experiments of the planner, put together once for the command, the tests and the benchmarks.
#ifndef SCENE_PLANNING_H
#define SCENE_PLANNING_H

#include "kerb/plan.h"

/// Where from, where to, and with what.
typedef struct scene_plan_task {
    kerb_plan_limits limits;
    kerb_plan_end from, to;
} scene_plan_task;

/// Random goals as in AIPATH 5.1: from the origin to a goal whose distance is even in 0 to 8 radii
/// and whose bearing and heading are any; speeds at both ends from 0 to the greatest, 13.8 m/s;
/// radius between the given ones; sideways 10 to 20 m/s²; 1.5 m/s² and 5 m/s². [0 < radius_min <=
/// radius_max] The same seed and index give the same task.
scene_plan_task scene_plan_random(uint64_t seed, int64_t index, float radius_min, float radius_max);

#endif
