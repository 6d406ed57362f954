// The lateral offset during a lateral move. Private to the room.
#ifndef KERB_IN_OTHERS_SWING_H
#define KERB_IN_OTHERS_SWING_H

#include "kerb/others.h"

// From the present offset to the desired one, and back to 0 after `until`. Distances are stations
// on the reference line, offsets are to its left.
typedef struct others_swing {
    float from, to;  // [m]
    float drift;     // lateral drift at the start, divided by per_metre [m]
    float per_metre; // the rate of the critically damped move [1/m]
    float begin;     // distance to the middle of the ramp of the set point [m]
    float until;     // [m]
} others_swing;

others_swing kerb_in_swing_to(const kerb_reference_line* way, float offset, float until);

// The lateral offset of the vehicle at a station. [m]
float kerb_in_swing_offset_at(const others_swing* s, float along);

// Distance along the line after which a move by `shift` from rest is within `rest` of its end. [m]
float kerb_in_swing_length(const kerb_reference_line* way, float shift, float rest);

#endif
