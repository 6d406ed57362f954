// What rooms on higher floors may use of estimate beside its public header.
#ifndef KERB_IN_ESTIMATE_SHARED_H
#define KERB_IN_ESTIMATE_SHARED_H

#include "kerb/estimate.h"

#include "../vehicle/shared.h"

// kerb_estimate_feed for a driver that has taken the frame itself: `input` is what it drives by.
void kerb_in_estimate_feed(kerb_estimate* estimate, const kerb_in_frame_input* input,
                           const kerb_controls* applied);

#endif
