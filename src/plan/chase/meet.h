// The search for the earliest time at which a goal that moves is met. Private to the room.
#ifndef KERB_IN_PLAN_CHASE_MEET_H
#define KERB_IN_PLAN_CHASE_MEET_H

#include "kerb/plan_chase.h"
#include "kerb/plan_search.h"

/// What to do after a time has been noted.
typedef enum meet_next {
    MEET_TRY,   ///< plan to where the goal is at `trying`
    MEET_AGAIN, ///< the same, and keep what comes
    MEET_KEEP,  ///< keep the plan that was noted
    MEET_NONE   ///< there is no plan to any place
} meet_next;

/// Forgets what was found, and begins with `first`.
void kerb_in_meet_begin(kerb_plan_meeting_search* s, float first, float horizon, float accuracy);

/// Notes by how much the fastest plan to where the goal is at `trying` is early; negative: late;
/// -KERB_PLAN_NEVER: there is none. `waits`: a plan that is late finds the goal where it was.
meet_next kerb_in_meet_note(kerb_plan_meeting_search* s, float early, bool waits);

#endif
