// Stretches of a road that are too narrow for two vehicles that come from both ends. Private to the
// room.
#ifndef KERB_IN_OTHERS_NARROW_H
#define KERB_IN_OTHERS_NARROW_H

#include "judge.h"

// Adds each narrow stretch between the vehicle and one that comes head-on as a contest: `with` has
// all but the zone.
void kerb_in_narrow_add(judge* j, const others_meeting* m, const contest* with);

// The lateral offset at which it waits before a stretch, as far as the corridor is wider there. [m]
float kerb_in_narrow_aside(const judge* j, float until);

#endif
