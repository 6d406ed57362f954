// The speed that the other vehicles allow while the vehicle keeps to an offset. Private to the
// room.
#ifndef KERB_IN_OTHERS_JUDGE_H
#define KERB_IN_OTHERS_JUDGE_H

#include "claim.h"
#include "meeting.h"
#include "right_of_way.h"
#include "swing.h"

// The neighbour that allows the lowest speed, and why.
typedef struct verdict {
    float speed; // [m/s]
    kerb_reason reason;
    int32_t index;
    uint32_t id;
    others_meeting meeting; // with it
    bool stands;            // it is at standstill in the way
    bool comes;             // it comes head-on
} verdict;

typedef struct judge {
    const kerb_reference_line* way;
    const kerb_avoid_settings* settings;
    const kerb_avoid* memory;
    const kerb_neighbour* neighbours;
    int32_t count;
    others_swing swing;
    verdict verdict;
    bool passing;          // an obstacle at standstill is being passed
    float behind_standing; // smallest gap to the obstacle, which leaves the distance to move
                           // sideways [m]
    bool surveyed;         // zones and claim.room are known
    claim claim;
    others_strip strip; // of the vehicle itself
    bool tells;         // the vehicle publishes its intent
} judge;

// Judges all neighbours, for an offset that is kept up to the station `until`.
verdict kerb_in_judge_offset(judge* j, float offset, float until);

// A neighbour that is followed faces nearly the same way.
static inline bool judge_leads(const others_meeting* m) {
    return m->facing > 0.75f; // cosine of 41 degrees
}

// How far the neighbour's box reaches into the strip; negative: its distance from the strip. [m]
float kerb_in_judge_overlap(const judge* j, const others_meeting* m);

// A neighbour at standstill in the strip.
void kerb_in_judge_standing(judge* j, const others_meeting* m);

// A neighbour ahead in the strip that moves along it or out of it.
void kerb_in_judge_same_way(judge* j, const others_meeting* m, float overlap);

// A neighbour ahead on the same road, beside the strip by `apart` [m], that moves in. The vehicle
// whose nose is clearly ahead goes first.
void kerb_in_judge_cut_in(judge* j, const others_meeting* m, float apart);

// An oncoming neighbour. Both may have moved out of each other's way before they meet.
void kerb_in_judge_oncoming(judge* j, const others_meeting* m);

// A neighbour that crosses.
void kerb_in_judge_crossing(judge* j, const others_meeting* m);

#endif
