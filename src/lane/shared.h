// What rooms on higher floors may use of lane beside its public headers.
#ifndef KERB_IN_LANE_SHARED_H
#define KERB_IN_LANE_SHARED_H

#include "kerb/lane.h"

/// False before the first frame: nothing is decided yet.
bool kerb_in_lane_has_decided(const kerb_lane_keeper* keeper);

#endif
