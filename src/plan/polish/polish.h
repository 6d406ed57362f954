// Improves a plan in small steps. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_POLISH_H
#define KERB_IN_PLAN_POLISH_POLISH_H

#include "../model/aims.h"
#include "../world/space.h"

/// Greatest number of arcs that are changed together; chosen by trial. [1]
#define PLAN_WINDOW 12

/// A plan that is being improved. Plain data without pointers.
typedef struct plan_polish {
    kerb_random random;
    float time;                    // of the present plan [s]
    float toll;                    // its cost of the ground [s]
    float speed_start, speed_goal; // along the poses [m/s]
    float scale;                   // of the changes that are tried [1]
    float closeness;               // distance within which a pose counts as reached [m]
    plan_slack slack;              // of the end
    int32_t count;                 // of arcs
    int32_t legs;                  // parts between changes of direction
    plan_arc arcs[PLAN_ARCS_MAX];
    kerb_pose poses[PLAN_ARCS_MAX + 1]; // at the arcs' starts, and at the end

    // The arcs that are changed now, and the slopes of their end.
    int32_t first, size;             // the window
    int32_t tries;                   // left before the next window
    float weight[2 * PLAN_WINDOW];   // of lengths and curvatures; 0: held at its limit
    float slope[2 * PLAN_WINDOW][3]; // of the end: x, y, heading
    float inverse[6];                // of slopeᵀ·weight·slope: xx xy xh yy yh hh
    bool is_regular;                 // the inverse exists
} plan_polish;

/// Begins with a path that can be driven. Long arcs are cut until there are at least `arcs_wanted`.
/// [count: 1 … PLAN_ARCS_MAX; arcs_wanted: up to PLAN_ARCS_MAX]
void kerb_in_plan_polish_begin(plan_polish* polish, const plan_rates* rates, kerb_pose start,
                               const plan_arc* arcs, int32_t count, int32_t arcs_wanted,
                               float speed_start, float speed_goal, uint64_t seed);

/// From now on the end may move within a goal's tolerances.
void kerb_in_plan_polish_loosen(plan_polish* polish, const plan_rates* rates,
                                const plan_slack* slack);

/// From now on the cost of the ground counts too.
void kerb_in_plan_polish_count_toll(plan_polish* polish, const plan_space* space);

/// Tries one change. True if the plan costs less now. O(arcs)
bool kerb_in_plan_polish_step(plan_polish* polish, const plan_rates* rates,
                              const plan_space* space);

#endif
