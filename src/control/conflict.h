// Where the way of one that crosses covers the strip that the vehicle sweeps. Private to the room.
#ifndef KERB_IN_CONTROL_CONFLICT_H
#define KERB_IN_CONTROL_CONFLICT_H

#include "meeting.h"
#include "right_of_way.h"
#include "swing.h"

// Leads the neighbour, which moves, on. False when its box never covers the strip of the vehicle,
// which goes aside as told.
bool kerb_in_conflict_find(const kerb_reference_line* way, const control_swing* aside,
                           const control_meeting* m, conflict* found);

// True when one need not be led on: it goes away from the way and does not turn back to it, or is
// too far off to come near it.
bool kerb_in_conflict_is_unlikely(const kerb_reference_line* way, const control_meeting* m);

#endif
