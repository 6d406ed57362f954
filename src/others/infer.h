// For whom vehicles wait that do not say so. Private to the room.
#ifndef KERB_IN_OTHERS_INFER_H
#define KERB_IN_OTHERS_INFER_H

#include "judge.h"

// Where a chain of waits leads.
typedef enum kerb_in_infer_end {
    INFER_ON,    // to a vehicle that moves, or that says that it does not wait
    INFER_BACK,  // back to this vehicle: a cycle
    INFER_RING,  // into a cycle that this vehicle is not part of
    INFER_STANDS // to one that stands, and nothing is seen in front of it
} kerb_in_infer_end;

typedef struct infer_chain {
    kerb_in_infer_end end;
    bool silent; // at least one vehicle of the chain does not say for whom it waits
    // Vehicles of the chain that can go back and come before this one, by their ids.
    int32_t before;
    bool across; // a vehicle of the chain, or this one, waits for one that stands across its line
} infer_chain;

// The vehicle itself, as the others see it.
kerb_neighbour kerb_in_infer_self(const judge* j);

// Follows the waits from a neighbour, for which this vehicle waits, on.
infer_chain kerb_in_infer_waits(const judge* j, int32_t first);

#endif
