// What rooms on higher floors may use of curve beside kerb/curve.h.
#ifndef KERB_IN_CURVE_SHARED_H
#define KERB_IN_CURVE_SHARED_H

#include "arc.h"
#include "dubins_batch.h"

#endif
