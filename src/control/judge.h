// How fast one may drive with the others about, while one keeps to an offset. Private to the room.
#ifndef KERB_IN_CONTROL_JUDGE_H
#define KERB_IN_CONTROL_JUDGE_H

#include "claim.h"
#include "meeting.h"
#include "right_of_way.h"
#include "swing.h"

// The neighbour that allows the least speed, and how.
typedef struct verdict {
    float speed; // [m/s]
    kerb_reason reason;
    int32_t index;
    uint32_t id;
    control_meeting meeting; // with it
    bool stands;             // it stands in the way
    bool comes;              // it comes head-on
} verdict;

typedef struct judge {
    const kerb_reference_line* way;
    const kerb_avoid_settings* settings;
    const kerb_avoid* memory;
    const kerb_neighbour* neighbours;
    int32_t count;
    control_swing swing;
    verdict verdict;
    bool passing;          // something that stands is gone round
    float behind_standing; // least gap to what stands: room to swing out [m]
    bool surveyed;         // zones and room are known
    claim claim;
    control_strip strip; // its own
    bool tells;          // it has one
} judge;

// All neighbours on the way with an offset that is wanted until a place.
verdict kerb_in_judge_offset(judge* j, float offset, float until);

// Notes what one of them allows, if nobody allows less. The verdict to complete, NULL: it does not
// count.
verdict* kerb_in_judge_limit(judge* j, const control_meeting* m, float speed, kerb_reason reason);

// How far the neighbour's box reaches into the strip, negative: how far it is off. [m]
float kerb_in_judge_overlap(const judge* j, const control_meeting* m);

// Who stands in the strip.
void kerb_in_judge_standing(judge* j, const control_meeting* m);

// Who is ahead in the strip and goes along or out of it.
void kerb_in_judge_same_way(judge* j, const control_meeting* m, float overlap);

// Who is ahead on the same road, beside the strip by `apart` [m], and comes in: whose nose is
// clearly ahead goes first.
void kerb_in_judge_cut_in(judge* j, const control_meeting* m, float apart);

// Who comes head-on: by where they meet both may be out of each other's way.
void kerb_in_judge_oncoming(judge* j, const control_meeting* m);

// Who crosses.
void kerb_in_judge_crossing(judge* j, const control_meeting* m);

#endif
