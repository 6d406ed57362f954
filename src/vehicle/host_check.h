// Between the files of the host check: the sums of a window, and what is concluded from them.
#ifndef KERB_IN_VEHICLE_HOST_CHECK_H
#define KERB_IN_VEHICLE_HOST_CHECK_H

#include "kerb/host_check.h"

/// Compares all hypotheses in a window that is complete, and adds to the evidence. O(1)
void kerb_in_host_judge(kerb_host_check* check);

#endif
