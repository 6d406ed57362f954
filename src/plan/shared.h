// The parts of plan that rooms on higher floors may use in addition to its public headers.
#ifndef KERB_IN_PLAN_SHARED_H
#define KERB_IN_PLAN_SHARED_H

#include "model/piece.h"

#endif
