// The lateral offset when something is in the way. Private to the room.
#ifndef KERB_IN_OTHERS_GO_ROUND_H
#define KERB_IN_OTHERS_GO_ROUND_H

#include "judge.h"

// An offset, and the judgement at it.
typedef struct detour {
    float offset; // [m]
    verdict verdict;
    bool narrow; // what stands in the way leaves too little room on either side
} detour;

// An obstacle at standstill is in the way: passes it, on the open side with the smaller offset.
detour kerb_in_go_round_standing(judge* j, const verdict* first);

// A vehicle comes head-on: each moves to its own side, unless both are already clearly on the other
// side.
detour kerb_in_go_round_oncoming(judge* j, const verdict* first);

#endif
