// The parts of curve that rooms on higher floors may use in addition to kerb/curve.h.
#ifndef KERB_IN_CURVE_SHARED_H
#define KERB_IN_CURVE_SHARED_H

#include "arc.h"
#include "clothoid.h"
#include "dubins_batch.h"
#include "tangent.h"

#endif
