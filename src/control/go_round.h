// Which offset is wanted with something in the way. Private to the room.
#ifndef KERB_IN_CONTROL_GO_ROUND_H
#define KERB_IN_CONTROL_GO_ROUND_H

#include "judge.h"

// An offset and what it allows.
typedef struct detour {
    float offset; // [m]
    verdict verdict;
} detour;

// Something stands in the way: round it, on the side with the shorter way round that is open.
detour kerb_in_go_round_standing(judge* j, const verdict* first);

// Somebody comes head-on: each to its own side, unless both are clearly on the other already.
detour kerb_in_go_round_oncoming(judge* j, const verdict* first);

#endif
