// Where a vehicle that goes aside will be beside its line. Private to the room.
#ifndef KERB_IN_CONTROL_SWING_H
#define KERB_IN_CONTROL_SWING_H

#include "kerb/control.h"

// From where it is now to where it is wanted, and back after `until`. Distances are along the way,
// offsets to the left of it.
typedef struct control_swing {
    float from, to;  // [m]
    float drift;     // at first, over the inverse of per_metre [m]
    float per_metre; // the rate of a critically damped swing [1/m]
    float begin;     // the wish itself takes so long to change [m]
    float until;     // [m]
} control_swing;

control_swing kerb_in_swing_to(const kerb_reference_line* way, float offset, float until);

// Where the vehicle is beside its line at a place of its way. [m]
float kerb_in_swing_offset_at(const control_swing* s, float along);

// Distance along at which a swing by `shift` from rest has come within `rest` of its end. [m]
float kerb_in_swing_length(const kerb_reference_line* way, float shift, float rest);

#endif
