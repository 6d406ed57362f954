// Shortcuts along a path: the first and quick part of its improvement. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_SHORTCUT_H
#define KERB_IN_PLAN_POLISH_SHORTCUT_H

#include "../world/space.h"

// A path that is being shortened. Plain data without pointers.
typedef struct plan_shortcut {
    kerb_random random;
    float time;                    // of the present path [s]
    float toll;                    // its cost of the ground [s]
    float missing;                 // by how much its legs are too short [m]
    float speed_start, speed_goal; // along the poses [m/s]
    float length;                  // of all arcs [m]
    kerb_pose end;                 // pose where it must end
    int32_t successes;             // of shortcuts
    int32_t count;                 // of arcs
    plan_arc arcs[PLAN_ARCS_MAX];
    kerb_pose poses[PLAN_ARCS_MAX + 1]; // at the arcs' starts, and at the end
} plan_shortcut;

// Begins with a path that can be driven. [count: 1 … PLAN_ARCS_MAX]
void kerb_in_plan_shortcut_begin(plan_shortcut* shortcut, const plan_rates* rates, kerb_pose start,
                                 const plan_arc* arcs, int32_t count, float speed_start,
                                 float speed_goal, uint64_t seed);

// From now on the cost of the ground counts too.
void kerb_in_plan_shortcut_count_toll(plan_shortcut* shortcut, const plan_space* space);

// Tries one shortcut. True if the path costs less now. O(arcs)
bool kerb_in_plan_shortcut_step(plan_shortcut* shortcut, const plan_rates* rates,
                                const plan_space* space);

#endif
