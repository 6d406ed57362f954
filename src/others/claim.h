// Right of way where lines with known intents meet. Private to the room.
#ifndef KERB_IN_OTHERS_CLAIM_H
#define KERB_IN_OTHERS_CLAIM_H

#include "zone.h"

// More zones than a vehicle meets within its stopping distance; the nearest are kept.
#define CONTESTS_MOST 16

// A zone, and the vehicle with which it is shared.
typedef struct contest {
    others_zone zone;
    float speed;    // of the other vehicle [m/s]
    float clear;    // distance that the other has claimed [m]
    float asked;    // distance that the other asks for [m]
    float waited;   // time that the other has waited [s]
    float stopping; // distance in which the other can stop [m]
    float rear;     // of the other: from its reference point to its tail [m]
    uint32_t id;
    int32_t index; // index of the other among the neighbours
    float before;  // so far before the zone it waits, besides STOP_BEFORE [m]
    bool narrow;   // the zone is a stretch that is too narrow for both
    bool waits;    // only the vehicle itself can wait out of the way there
    bool goes;     // only the other can
} contest;

typedef struct claim {
    contest contests[CONTESTS_MOST];
    int32_t count;
    float room; // greatest distance that the front may go, because of vehicles ahead on the same
                // line [m]
    int32_t room_index; // index of the neighbour that sets this distance
    float room_asked; // the same without those that drive and have claimed the way out of its line
                      // [m]
} claim;

typedef struct claim_answer {
    float speed;    // greatest speed now [m/s]
    float clear;    // distance that the vehicle may claim [m]
    int32_t index;  // of the neighbour that decides; -1: none
    bool narrow;    // another one goes first through a stretch that is too narrow for two
    float asked;    // distance that the vehicle would claim if nobody had claimed any of it [m]
    bool courteous; // it only lets one go first that has waited longer
} claim_answer;

// Adds a contest. When there are too many, the nearest are kept.
void kerb_in_claim_add(claim* c, const contest* with);

// The front may go no farther than this, because of a neighbour.
static inline void kerb_in_claim_end_at(claim* c, float room, int32_t index) {
    if (room < c->room) {
        c->room = room;
        c->room_index = index;
    }
}

// A neighbour with a known intent, which is in the way, has claimed the way out of the zone that is
// shared with it, or is about to be out of it.
bool kerb_in_claim_leaves(const claim* c, int32_t index);

// Claims as much of the reference line as is available.
claim_answer kerb_in_claim_way(claim* c, const kerb_avoid* memory,
                               const kerb_avoid_settings* settings, const kerb_reference_line* way);

#endif
