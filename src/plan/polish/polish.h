// Making a movement faster, a little at a time. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_POLISH_H
#define KERB_IN_PLAN_POLISH_POLISH_H

#include "../model/aims.h"
#include "../world/space.h"

/// Arcs that are changed together.
#define PLAN_WINDOW 12

/// A movement that is being improved. Plain data without pointers.
typedef struct plan_polish {
    kerb_random random;
    float time;                    // of the movement as it is now [s]
    float toll;                    // what it costs beside that [s]
    float speed_start, speed_goal; // along the poses [m/s]
    float scale;                   // of the changes tried [1]
    float closeness;               // what counts as being at a pose [m]
    plan_slack slack;              // of the end
    int32_t count;                 // of arcs
    plan_arc arcs[PLAN_ARCS_MAX];
    kerb_pose poses[PLAN_ARCS_MAX + 1]; // at the arcs' starts, and at the end

    // The arcs that are changed now, and how their end moves with them.
    int32_t first, size;             // the window
    int32_t tries;                   // left before the next window
    float weight[2 * PLAN_WINDOW];   // of lengths and curvatures; 0: held at its limit
    float slope[2 * PLAN_WINDOW][3]; // of the end: x, y, heading
    float inverse[6];                // of slope·weight·slopeᵀ: xx xy xh yy yh hh
    bool is_regular;                 // there is one
} plan_polish;

/// Begins with a way that can be driven. Long arcs are cut, so that there are `arcs_wanted` at
/// least. [count: 1 … PLAN_ARCS_MAX; arcs_wanted: up to PLAN_ARCS_MAX]
void kerb_in_plan_polish_begin(plan_polish* polish, const plan_rates* rates, kerb_pose start,
                               const plan_arc* arcs, int32_t count, int32_t arcs_wanted,
                               float speed_start, float speed_goal, uint64_t seed);

/// Lets the end move within a goal's tolerances from now on.
void kerb_in_plan_polish_loosen(plan_polish* polish, const plan_rates* rates,
                                const plan_slack* slack);

/// From now on what the way costs beside its time counts too.
void kerb_in_plan_polish_count_toll(plan_polish* polish, const plan_space* space);

/// Tries one change; true when the movement costs less now. About 0.3 µs for a dozen arcs.
bool kerb_in_plan_polish_step(plan_polish* polish, const plan_rates* rates,
                              const plan_space* space);

#endif
