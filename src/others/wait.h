// Cycles of vehicles that wait for each other. Private to the room.
#ifndef KERB_IN_OTHERS_WAIT_H
#define KERB_IN_OTHERS_WAIT_H

#include "judge.h"

// The vehicle is at standstill because of what the verdict names.
bool kerb_in_wait_stands_for(const kerb_reference_line* way, const kerb_avoid* avoid,
                             const verdict* v);

// Notes for whom the vehicle waits, passes on what that one knows, and orders a retreat
// (avoid->retreat) when this vehicle is the one of a cycle that clears the way soonest.
void kerb_in_wait_watch(const judge* j, kerb_avoid* avoid, const verdict* v, float time_step);

// A cycle that none of its vehicles can dissolve has lasted for long.
bool kerb_in_wait_is_helpless(const kerb_avoid* avoid);

#endif
