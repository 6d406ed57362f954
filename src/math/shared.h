// The parts of math that rooms on higher floors may use in addition to kerb/math.h.
#ifndef KERB_IN_MATH_SHARED_H
#define KERB_IN_MATH_SHARED_H

#include "angle.h"
#include "arctangent.h"

#endif
