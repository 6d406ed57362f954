// Exact ends that stand for goals with tolerances. Private to the room.
#ifndef KERB_IN_PLAN_MODEL_AIMS_H
#define KERB_IN_PLAN_MODEL_AIMS_H

#include "movement.h"

/// Greatest number of exact ends of all goals together. Each of KERB_PLAN_ENDS_MAX goals still gets
/// four. [1]
#define PLAN_AIMS_MAX 64

/// An exact end within a goal's tolerances.
typedef struct plan_aim {
    kerb_plan_end end; // without tolerances
    int32_t goal;      // index of the goal that it stands for
} plan_aim;

/// By how much the improvement may change an end.
typedef struct plan_slack {
    kerb_pose middle;
    float position, heading;       // tolerances round `middle` [m], [rad]
    float speed_least, speed_most; // along the pose [m/s]
} plan_slack;

/// Spreads exact ends over the tolerances of the goals and returns their number. A goal without
/// tolerances becomes one end. Speeds beyond the limits are left out where the tolerance contains
/// speeds within them. `speed` is the speed of a start: one of the samples keeps it where the
/// tolerance allows it. [count: 1 … KERB_PLAN_ENDS_MAX]
int32_t kerb_in_plan_aims_of(const kerb_plan_limits* limits, const kerb_plan_end* goals,
                             int32_t count, float speed, plan_aim aims[PLAN_AIMS_MAX]);

plan_slack kerb_in_plan_slack_of(const kerb_plan_limits* limits, const kerb_plan_end* goal);

static inline bool plan_slack_is_none(const plan_slack* slack) {
    return slack->position == 0.0f && slack->heading == 0.0f &&
           slack->speed_least == slack->speed_most;
}

/// The fastest final speed that the slack allows and that the vehicle can reach along the path
/// `arcs`. The path must be drivable to its end at `speed`. [m/s] O(count): up to 21 speed profiles
/// where the slack allows several speeds.
float kerb_in_plan_aim_speed(const plan_rates* rates, const plan_slack* slack, const plan_arc* arcs,
                             int32_t count, float speed_start, float speed);

#endif
