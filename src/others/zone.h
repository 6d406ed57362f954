// Where the strips of two vehicles overlap. Private to the room.
#ifndef KERB_IN_OTHERS_ZONE_H
#define KERB_IN_OTHERS_ZONE_H

#include "kerb/others.h"

// The first zone on the own line that both strips cover. Distances are along each vehicle's own
// line, until its front enters and until its tail leaves.
typedef struct others_zone {
    float own_enter, own_leave;     // [m]
    float their_enter, their_leave; // [m]
    bool opposed; // they lead through it from opposite ends, however they bend in it
    float ahead;  // merges: station of the other's reference point on the own line [m]
    bool merges;  // they end on one line, in one direction
} others_zone;

// A strip as a chain of segments. The first and last segment reach to the ends of the body.
typedef struct others_strip {
    kerb_vec2 at[KERB_INTENT_POINTS_MAX + 2];
    float along[KERB_INTENT_POINTS_MAX + 2]; // station of the reference point [m]
    int32_t count;
    float front, rear, half; // [m]
} others_strip;

// False when an intent is empty or not sound: numbers that are not finite, no width, or a box that
// does not contain its points (kerb_intent_bound was forgotten).
bool kerb_in_intent_is_known(const kerb_intent* intent);

// The strip of a known intent.
void kerb_in_strip_of(const kerb_intent* intent, others_strip* result);

// False when the boxes of two strips are apart.
bool kerb_in_boxes_meet(const kerb_intent* a, const kerb_intent* b, float margin);

// False when the strips, widened by the margin, do not overlap; then `result` is not changed.
bool kerb_in_zone_between(const others_strip* own, const others_strip* their, float margin,
                          others_zone* result);

#endif
