// Who goes first where ways with known intents meet. Private to the room.
#ifndef KERB_IN_CONTROL_CLAIM_H
#define KERB_IN_CONTROL_CLAIM_H

#include "zone.h"

#define CONTESTS_MOST 16

// A zone and whom the vehicle shares it with.
typedef struct contest {
    control_zone zone;
    float speed;  // of the other [m/s]
    float clear;  // what it has claimed [m]
    float waited; // [s]
    float rear;   // from its reference point to its tail [m]
    uint32_t id;
    int32_t index; // among the neighbours
} contest;

typedef struct claim {
    contest contests[CONTESTS_MOST];
    int32_t count;
    float room;         // the front may go so far at most, for what is ahead on the same way [m]
    int32_t room_index; // of that neighbour
} claim;

typedef struct claim_answer {
    float speed;   // greatest now [m/s]
    float clear;   // what the vehicle may claim [m]
    int32_t index; // of the neighbour that decides, -1: none
    bool yields;   // it gives way, and only for that it stops
} claim_answer;

// Adds one; of too many the nearest stay.
void kerb_in_claim_add(claim* c, const contest* with);

// Claims as much of the way as may be had.
claim_answer kerb_in_claim_way(claim* c, const kerb_avoid* memory,
                               const kerb_avoid_settings* settings, const kerb_reference_line* way);

#endif
