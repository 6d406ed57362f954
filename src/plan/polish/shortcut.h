// Shortcuts along a movement: the quick half of making it faster. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_SHORTCUT_H
#define KERB_IN_PLAN_POLISH_SHORTCUT_H

#include "../world/space.h"

// A movement that is being shortened. Plain data without pointers.
typedef struct plan_shortcut {
    kerb_random random;
    float time;                    // of the movement as it is now [s]
    float toll;                    // what it costs beside that [s]
    float speed_start, speed_goal; // along the poses [m/s]
    float length;                  // of all arcs [m]
    kerb_pose end;                 // where it must lead
    int32_t count;                 // of arcs
    plan_arc arcs[PLAN_ARCS_MAX];
    kerb_pose poses[PLAN_ARCS_MAX + 1]; // at the arcs' starts, and at the end
} plan_shortcut;

// Begins with a way that can be driven. [count: 1 … PLAN_ARCS_MAX]
void kerb_in_plan_shortcut_begin(plan_shortcut* shortcut, const plan_rates* rates, kerb_pose start,
                                 const plan_arc* arcs, int32_t count, float speed_start,
                                 float speed_goal, uint64_t seed);

// From now on what the way costs beside its time counts too.
void kerb_in_plan_shortcut_count_toll(plan_shortcut* shortcut, const plan_space* space);

// Tries one shortcut; true when the movement is faster now. About 0.6 µs where it is not.
bool kerb_in_plan_shortcut_step(plan_shortcut* shortcut, const plan_rates* rates,
                                const plan_space* space);

#endif
