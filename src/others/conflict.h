// The conflict between the strip of the vehicle and a neighbour that crosses it. Private to the
// room.
#ifndef KERB_IN_OTHERS_CONFLICT_H
#define KERB_IN_OTHERS_CONFLICT_H

#include "meeting.h"
#include "right_of_way.h"
#include "swing.h"

// Predicts a moving neighbour. False when its box never covers the strip of the vehicle, whose
// lateral offset follows `aside`.
bool kerb_in_conflict_find(const kerb_reference_line* way, const others_swing* aside,
                           const others_meeting* m, conflict* found);

// True when no prediction is needed: the neighbour moves away from the line and does not turn back
// to it, or it is too far away to come near.
bool kerb_in_conflict_is_unlikely(const kerb_reference_line* way, const others_meeting* m);

#endif
