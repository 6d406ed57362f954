// Where the strips of two vehicles overlap. Private to the room.
#ifndef KERB_IN_CONTROL_ZONE_H
#define KERB_IN_CONTROL_ZONE_H

#include "kerb/control.h"

// What two strips have in common: the first such place on the own way. Distances are along each
// one's way, for its front to enter and for its tail to leave: from there on it is in, or out.
typedef struct control_zone {
    float own_enter, own_leave;     // [m]
    float their_enter, their_leave; // [m]
    float facing;                   // cosine between the ways where they meet first
    float facing_last;              // … and last
    float ahead; // merges: the other's reference point on the own way, where they run together [m]
    bool merges; // they end on one way, in one direction
} control_zone;

// A strip as a chain of segments, the body's ends included.
typedef struct control_strip {
    kerb_vec2 at[KERB_INTENT_POINTS_MAX + 2];
    float along[KERB_INTENT_POINTS_MAX + 2]; // from the reference point [m]
    int32_t count;
    float front, rear, half; // [m]
} control_strip;

// False when it says nothing or is unsound: numbers that are not finite, no width, or a box that
// does not hold its places (kerb_intent_bound was forgotten).
bool kerb_in_intent_is_known(const kerb_intent* intent);

// Of a known intent.
void kerb_in_strip_of(const kerb_intent* intent, control_strip* result);

// False when the boxes of two strips are apart.
bool kerb_in_boxes_meet(const kerb_intent* a, const kerb_intent* b, float margin);

// False when the strips have nothing in common, with so much room between them.
bool kerb_in_zone_between(const control_strip* own, const control_strip* their, float margin,
                          control_zone* result);

#endif
