// Exact ends that stand for goals with tolerances. Private to the room.
#ifndef KERB_IN_PLAN_MODEL_AIMS_H
#define KERB_IN_PLAN_MODEL_AIMS_H

#include "movement.h"

/// Most exact ends of all goals together.
#define PLAN_AIMS_MAX 64

/// An exact end within a goal's tolerances.
typedef struct plan_aim {
    kerb_plan_end end; // without tolerances
    int32_t goal;      // whose
} plan_aim;

/// What of an end may change while a movement is improved.
typedef struct plan_slack {
    kerb_pose middle;
    float position, heading;       // [m], [rad]
    float speed_least, speed_most; // along the pose [m/s]
} plan_slack;

/// Spreads the ends over the goals' tolerances; a goal without is its own and only end. Speeds
/// beyond the limits are left out where the tolerance holds others. `speed`: of a start, which may
/// be kept. Returns how many. [count: 1 … KERB_PLAN_ENDS_MAX]
int32_t kerb_in_plan_aims_of(const kerb_plan_limits* limits, const kerb_plan_end* goals,
                             int32_t count, float speed, plan_aim aims[PLAN_AIMS_MAX]);

plan_slack kerb_in_plan_slack_of(const kerb_plan_limits* limits, const kerb_plan_end* goal);

static inline bool plan_slack_is_none(const plan_slack* slack) {
    return slack->position == 0.0f && slack->heading == 0.0f &&
           slack->speed_least == slack->speed_most;
}

/// The fastest way to end a way that can be driven to its end at `speed`: the goal's speed that the
/// slack allows and the way reaches. [m/s] O(arcs), 20 profiles where there is slack
float kerb_in_plan_aim_speed(const plan_rates* rates, const plan_slack* slack, const plan_arc* arcs,
                             int32_t count, float speed_start, float speed);

#endif
